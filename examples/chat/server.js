// A chat's back end: what the agent says is streamed word by word, its questions come in between, and an answer is read again before it goes on.
// The agent is a script; `agent()` is where a model's stream would be. It has no accounts: it serves whoever sits at this machine.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { Desk } from "ask-user/core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; base-uri 'none'";
const LARGEST = 8 * 1024 * 1024;
/** The key of the digests of secrets. */
const SEALS = randomBytes(32);
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
const streams = new Set();
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
    if (/** @type {any} */ (value).ask) given = await asked(`call_${call++}`, /** @type {any} */ (value).ask);
    else tell(/** @type {any} */ (value).word === undefined ? "result" : "word", value);
  }
}

/** Puts a question to the person, and gives the result for the agent. */
function asked(id, request) {
  return new Promise((resolve) => {
    // The same answer to the same question in another turn has another key.
    const options = { toolCallId: id, nonce: randomUUID(), label: "Deploy agent" };
    waiting.set(id, { desk: Desk.ask(request, options), resolve });
    tell("question", { id, request, options });
  });
}

/** Brings the page's answer to the desk of its question, which reads it again, and takes it once. */
function answered(id, key, text) {
  const question = waiting.get(id);
  if (!question) return [404, { message: "There is no such question." }];
  let reaction;
  try {
    const input = { type: "responded", key, response: JSON.parse(text) };
    const secrets = question.desk.secretsIn(input);
    // Two answers that differ only in a secret are told apart by its digest.
    const seal = secrets && { by: "this process", digest: createHmac("sha256", SEALS).update(secrets).digest("hex") };
    reaction = question.desk.on({ ...input, seal });
  } catch (error) {
    // What JSON cannot say, such as a number that is too large, is a TypeError.
    if (error instanceof SyntaxError || error instanceof TypeError) return [422, { message: "The body is not JSON, or no answer." }];
    throw error;
  }
  const { reply, closed, hand } = reaction;
  if (closed) tell("closed", { id });
  if (hand) {
    question.desk.on({ type: "handed" });
    question.resolve(hand.outcome.result);
  }
  return [reply.status, reply.status === 200 ? {} : { message: reply.message }];
}

/** Whether a request names this server, and no page of another origin has made it: another's DNS may lead here. */
function isOurs({ host, origin }) {
  const own = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`);
  return own.includes(host) && (origin === undefined || own.some((name) => origin === `http://${name}`));
}

const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  });
});

async function serve(request, response) {
  const said = (status, message) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ message }));
  // A path such as `//` is no address.
  if (!URL.canParse(request.url, "http://localhost")) return said(400, "This is no address.");
  if (!isOurs(request.headers)) return said(403, "The page is of another origin.");
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/events") {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const send = (place) => response.write(`data: ${JSON.stringify(events[place])}\n\n`);
    events.forEach((_, place) => send(place));
    listeners.add(send);
    streams.add(response);
    response.on("close", () => (listeners.delete(send), streams.delete(response)));
  } else if (request.method === "POST" && pathname.startsWith("/answers/")) {
    // A form of another site can send no JSON.
    if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return said(415, "Send application/json.");
    let text = "";
    // What is too large is read to its end and dropped: who has not sent all hears no reply.
    for await (const chunk of request.setEncoding("utf8")) {
      if (text.length <= LARGEST) text += chunk;
    }
    if (text.length > LARGEST) return said(413, "This is too large.");
    const [status, body] = answered(pathname.slice("/answers/".length), request.headers["idempotency-key"], text);
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  } else {
    const file = pathname.startsWith("/ask-user/") ? import.meta.resolve("ask-user").replace(/[^/]*$/, "") + pathname.slice(10) : new URL(`page${pathname === "/" ? "/index.html" : pathname}`, import.meta.url);
    const bytes = /^(\/[\w-]+)*\/([\w-]+\.)+\w+$|^\/$/.test(pathname) ? await readFile(new URL(file)).catch(() => undefined) : undefined;
    if (!bytes) return response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(String(file))] ?? "text/plain", "Content-Security-Policy": POLICY }).end(bytes);
  }
}
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
server.listen(port, "127.0.0.1", () => console.log(`The chat is at http://localhost:${port}`));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    // Open requests finish, streams end, and then the process does.
    server.close();
    for (const stream of streams) stream.end();
    server.closeIdleConnections();
  });
}
run();
