// A chat's back end: what the agent says is streamed word by word, its questions come in between, and an answer is read again before it goes on.
// The agent is a script; `agent()` is where a model's stream would be.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { open, UnresumableError } from "ask-user/core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; base-uri 'none'";
const LARGEST = 8 * 1024 * 1024;
const QUESTIONS = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] }, when: { question_id: "apply", equals: true } },
  ],
};

/** What happened so far, for whoever comes or comes back; and who listens. */
const events = [];
const listeners = new Set();
/** The questions that wait for an answer, by the id of their call. */
const waiting = new Map();

function tell(type, detail) {
  events.push({ type, ...detail });
  for (const listener of listeners) listener(events.length - 1);
}

async function* agent() {
  yield* words("I have looked at the schema. The migration adds one column and takes about a minute.");
  const result = yield { ask: QUESTIONS };
  yield { result };
  yield* words(result === undefined ? "I stop here." : "Thank you. I go on with that.");
}

async function* words(text) {
  for (const word of text.split(" ")) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    yield { word };
  }
}

async function run() {
  const turn = agent();
  let given;
  for (let call = 1; ; ) {
    const { value, done } = await turn.next(given);
    if (done) return;
    given = undefined;
    if (value.ask) given = await asked(`call_${call++}`, value.ask);
    else tell(value.word === undefined ? "result" : "word", value);
  }
}

/** Puts a question to the person, and gives the result for the agent. */
function asked(id, request) {
  return new Promise((resolve) => {
    waiting.set(id, { walk: open(request, { toolCallId: id }), resolve });
    tell("question", { id, request });
  });
}

/** Takes what the page says was done, through the same checks. */
function answered(id, response) {
  const question = waiting.get(id);
  if (!question) return [409, { message: "This question has been answered already." }];
  try {
    const { outcome } = question.walk.continued(response);
    if (!outcome) return [422, { message: "The form is not filled in yet." }];
    waiting.delete(id);
    question.resolve(outcome.result);
    return [200, {}];
  } catch (error) {
    if (!(error instanceof UnresumableError)) throw error;
    return [422, { message: error.message }];
  }
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/events") {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const send = (place) => response.write(`data: ${JSON.stringify(events[place])}\n\n`);
    events.forEach((_, place) => send(place));
    listeners.add(send);
    request.on("close", () => listeners.delete(send));
  } else if (request.method === "POST" && pathname.startsWith("/answers/")) {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) if ((text += chunk).length > LARGEST) return request.destroy();
    const [status, said] = answered(pathname.slice("/answers/".length), text);
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(said));
  } else {
    const file = pathname.startsWith("/ask-user/") ? import.meta.resolve("ask-user").replace(/[^/]*$/, "") + pathname.slice(10) : new URL(`page${pathname === "/" ? "/index.html" : pathname}`, import.meta.url);
    const bytes = /^(\/[\w-]+)*\/([\w-]+\.)+\w+$|^\/$/.test(pathname) ? await readFile(new URL(file)).catch(() => undefined) : undefined;
    if (!bytes) return response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(String(file))] ?? "text/plain", "Content-Security-Policy": POLICY }).end(bytes);
  }
});
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
server.listen(port, "127.0.0.1", () => console.log(`The chat is at http://localhost:${port}`));
run();
