// A host of one's own in JavaScript: it asks a question in the browser, keeps everything in a file, and gives the answer to the agent. A desk decides what counts.
// `node host.mjs --port 3000 --data question.json`
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { Desk } from "ask-user/core";

const { port, data } = parseArgs({ options: { port: { type: "string", default: "3000" }, data: { type: "string", default: "question.json" } } }).values;
const OWN = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
const LARGEST = 8 * 1024 * 1024;
const KEY = randomBytes(32);
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A question</title><script type="module" src="/ask-user/ask-user.js"></script>
<ask-user events-url="/events" respond-url="/respond" cancel-url="/respond" save-url="/walk"></ask-user></html>`;
const TYPES = { js: "text/javascript", wasm: "application/wasm" };
const streams = new Set();
let stored;

/** Stores the desk before anything else is done with it: the file is whole at any moment. */
function store(desk) {
  writeFileSync(`${data}.next`, JSON.stringify(desk));
  renameSync(`${data}.next`, data);
  stored = JSON.stringify(desk);
}

/** Brings what happens to the desk, and does what follows. Gives what the sender hears. */
function bring(input) {
  const desk = Desk.fromJSON(stored);
  const secrets = desk.secretsIn(input);
  const seal = secrets && { by: "this process", digest: createHmac("sha256", KEY).update(secrets).digest("hex") };
  const { store: isChanged, reply, closed, hand } = desk.on({ ...input, seal });
  if (isChanged) store(desk);
  if (hand) {
    // Here the agent goes on. After a crash it may come once more, under the same key.
    console.log(`The agent gets ${hand.result} (${hand.key})`);
    desk.on({ type: "handed" });
    store(desk);
  }
  if (closed) for (const stream of streams) tell(stream);
  return reply;
}

/** What a page hears: the question as it stands, or that it is closed. */
function tell(stream) {
  const { isOpen, request, closed } = Desk.fromJSON(stored);
  const state = isOpen ? { type: "awaiting_user_response", ...request } : { type: "idle", closed: { tool_call_id: request.tool_call_id, ...closed } };
  stream.write(`event: state_change\ndata: ${JSON.stringify(state)}\n\n`);
}

async function serve(request, response) {
  const { method, url, headers } = request;
  const say = (status, body, more) => response.writeHead(status, { "Content-Type": "application/json", ...more }).end(body && JSON.stringify(body));
  if (!OWN.includes(headers.host) || (headers.origin && !OWN.some((own) => headers.origin === `http://${own}`))) return say(403, { message: "The page is of another origin." });
  const input = { "POST /respond": "responded", "PUT /walk": "saved" }[`${method} ${url}`];
  if (input) {
    if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) return say(415, { message: "Send application/json." });
    let text = "";
    for await (const piece of request.setEncoding("utf8")) if ((text += piece).length > LARGEST) return say(413, { message: "The body is too large." });
    let reply;
    try {
      const body = Object(JSON.parse(text));
      reply = bring({ type: input, key: headers["idempotency-key"], response: body, walk: body.walk ?? null, replaces: headers["if-match"] });
    } catch (error) {
      // What JSON cannot say, such as a number that is too large, is a TypeError.
      if (error instanceof SyntaxError || error instanceof TypeError) return say(422, { message: "The body is not JSON, or no answer." });
      throw error;
    }
    const { code, status, version, message, problems, walk } = reply;
    return say(status, status === 204 ? undefined : status === 200 ? { accepted: true } : { error: code, message, problems, walk }, version && { ETag: version });
  }
  if (url === "/") return response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
  if (url === "/events") {
    streams.add(response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" }));
    response.once("close", () => streams.delete(response));
    return tell(response);
  }
  const [, file, type] = /^\/ask-user\/([\w.-]+\.(js|wasm))$/.exec(url) ?? [];
  const bytes = file && (await readFile(new URL(file, import.meta.resolve("ask-user"))).catch(() => undefined));
  return bytes ? response.writeHead(200, { "Content-Type": TYPES[type] }).end(bytes) : say(404, { message: "There is nothing here." });
}

try {
  stored = readFileSync(data, "utf8");
  bring({ type: "restored" });
} catch (error) {
  if (error.code !== "ENOENT") throw error;
  const request = JSON.parse(readFileSync(new URL("request.json", import.meta.url), "utf8"));
  // The nonce tells this question from another one of the same call.
  store(Desk.ask(request, { toolCallId: "call_1", nonce: randomUUID(), label: "Deploy agent" }));
}
createServer((request, response) => serve(request, response).catch((error) => (console.error(error), response.headersSent ? response.destroy() : response.writeHead(500).end()))).listen(Number(port), "127.0.0.1", () => console.log(`http://localhost:${port}`));
