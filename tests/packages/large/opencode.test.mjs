// `ask-user opencode` beside opencode itself: its server runs here, with a model that calls the tools that a test names. Each answer in the inbox does in opencode what it says. `npm ci` in this folder, then
// `node --test opencode.test.mjs`; OPENCODE names another program, and LONGEST how long opencode may take, in milliseconds. It needs a package that is built (`pkg/dist`, or that of ASK_USER_DIST).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "../../../pkg/dist/core.node.js";
import { freePort } from "../../js/free-port.mjs";
import { Home } from "../../js/inbox-app.mjs";
import { becomes, until } from "../../js/wait.mjs";

const PROGRAM = process.env.OPENCODE ?? fileURLToPath(new URL("node_modules/.bin/opencode", import.meta.url));
/** How long opencode may take to begin, in milliseconds. */
const LONGEST = Number(process.env.LONGEST ?? 60_000);
const QUESTIONS = { questions: [{ question: "Which colour?", header: "Colour", options: [{ label: "Red", description: "Warm" }, { label: "Blue", description: "Cold" }] }, { question: "Which sizes?", header: "Sizes", multiple: true, options: [{ label: "S", description: "Small" }, { label: "L", description: "Large" }] }] };
const bash = (command) => ({ command, description: "Does something" });

/** What the model was told of its calls, by the name of their prompt. */
const told = new Map();

/** A model that does what the last prompt says: `NAME CALL tool arguments`. */
const model = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request) text += piece;
  const { messages = [], tools = [] } = JSON.parse(text || "{}");
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => (typeof content === "string" ? content : content.map(({ text = "" }) => text).join(" ")));
  const [, name, tool, input] = /(\w+) CALL (\w+) (\{.*\})/s.exec(said.findLast((one) => / CALL /.test(one)) ?? "") ?? [];
  const last = messages.at(-1);
  if (last?.role === "tool" && name) told.set(name, typeof last.content === "string" ? last.content : JSON.stringify(last.content));
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const send = (delta, finish = null) => response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  const calls = tool && last?.role !== "tool" && tools.some((one) => one.function.name === tool);
  send(calls ? { role: "assistant", tool_calls: [{ index: 0, id: `call_${Math.random().toString(36).slice(2)}`, type: "function", function: { name: tool, arguments: input } }] } : { role: "assistant", content: "Done." });
  send({}, calls ? "tool_calls" : "stop");
  response.end("data: [DONE]\n\n");
});

let home, opencode, port, person, door;
/** The folders in which opencode works. */
let shop, other;

/** A server of opencode. */
async function serve(environment = {}) {
  const folders = Object.fromEntries(["CONFIG", "DATA", "STATE", "CACHE"].map((name) => [`XDG_${name}_HOME`, join(home.path, "opencode", name)]));
  // A group of its own: the program starts another one.
  const child = spawn(PROGRAM, ["serve", "--port", String(port)], { cwd: shop, detached: true, env: { ...process.env, NODE_OPTIONS: "", HOME: home.path, ...folders, OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1", ...environment } });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (out += text));
  const end = async () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    await ended;
  };
  const headers = environment.OPENCODE_SERVER_PASSWORD && { Authorization: `Basic ${Buffer.from(`opencode:${environment.OPENCODE_SERVER_PASSWORD}`).toString("base64")}` };
  const ask = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body), headers: { "Content-Type": "application/json", ...headers } });
    const text = await response.text();
    return text && JSON.parse(text);
  };
  await until(() => out, "the server of opencode", (text) => text.includes("listening"), LONGEST);
  return { end, ask };
}

/** Lets the model call a tool in a new session; gives the id of the session. */
async function calls(name, tool, input, directory = shop) {
  const query = `?directory=${encodeURIComponent(directory)}`;
  const { id } = await opencode.ask("POST", `/session${query}`, {});
  await opencode.ask("POST", `/session/${id}/prompt_async${query}`, { parts: [{ type: "text", text: `${name} CALL ${tool} ${JSON.stringify(input)}` }] });
  return id;
}

/** The same in a session of opencode's second version. */
async function callsNew(name, tool, input, directory = shop) {
  const { data } = await opencode.ask("POST", "/api/session", { model: { providerID: "fake", id: "m" }, location: { directory } });
  await opencode.ask("POST", `/api/session/${data.id}/prompt`, { prompt: { text: `${name} CALL ${tool} ${JSON.stringify(input)}` } });
  return data.id;
}

const begin = async (words = [], environment = {}) => {
  door = home.begin(["opencode", "--server", `http://127.0.0.1:${port}`, ...words], { environment });
  await until(() => door.err, "the connection", (err) => err.includes("is connected"));
  return door;
};
const sees = async (count) => (await until(() => person.open(), `${count} open questions`, ({ length }) => length === count, LONGEST));
const answer = async (id, given) => assert.equal((await person.answer(id, given)).status, 200);
const hears = (name, words) => until(() => told.get(name), `what the model hears of ${name}`, (text) => text?.includes(words), LONGEST);
const rests = (directory = shop) => until(() => opencode.ask("GET", `/session/status?directory=${encodeURIComponent(directory)}`), "the end of the turns", (all) => Object.keys(all).length === 0, LONGEST);
const pending = async (directory = shop) => (await Promise.all(["permission", "question"].map((list) => opencode.ask("GET", `/${list}?directory=${encodeURIComponent(directory)}`)))).flat();

before(async () => {
  await new Promise((resolve) => model.listen(0, "127.0.0.1", () => resolve(undefined)));
  home = new Home();
  [shop, other] = ["shop", "other"].map((name) => join(realpathSync(home.path), name));
  for (const folder of [shop, other]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "opencode.json"), JSON.stringify({
      model: "fake/m", small_model: "fake/m", autoupdate: false, share: "disabled", permission: { bash: "ask" },
      provider: { fake: { npm: "@ai-sdk/openai-compatible", name: "Fake", options: { baseURL: `http://127.0.0.1:${/** @type {any} */ (model.address()).port}/v1`, apiKey: "x" }, models: { m: { name: "m", tool_call: true } } } },
    }));
  }
  await home.start();
  person = await home.person();
  port = await freePort();
  opencode = await serve();
});
beforeEach(() => told.clear());
afterEach(async () => {
  door?.process.kill("SIGTERM");
  await door?.ended;
  for (const { id } of await person.open()) await home.program("DELETE", `/questions/${id}`);
});
after(async () => {
  await opencode?.end();
  model.closeAllConnections();
  model.close();
  await home.end();
});

test("a command runs once it is allowed in the inbox, and its output comes to the model", async () => {
  await begin();
  await calls("one", "bash", bash("echo hi > one.txt; cat one.txt"));
  const [{ id, who, folder, text }] = await sees(1);
  assert.deepEqual([who, folder, text], ["opencode", "~/shop", "Allow bash?"]);
  assert.ok(!existsSync(join(shop, "one.txt")));
  await answer(id, { q1: { type: "approve" } });
  await hears("one", "hi");
  assert.equal(readFileSync(join(shop, "one.txt"), "utf8"), "hi\n");
  await rests();
  assert.deepEqual([await pending(), door.err.split("\n").length], [[], 2]);
});

test("a command does not run that is rejected in the inbox, and the words come to the model", async () => {
  await begin();
  await calls("two", "bash", bash("echo hi > two.txt"));
  const [{ id }] = await sees(1);
  await answer(id, { q1: { type: "reject", message: "After lunch, please" } });
  await hears("two", "After lunch, please");
  await rests();
  assert.ok(!existsSync(join(shop, "two.txt")));
  // To end the turn rejects, too.
  await calls("three", "bash", bash("echo hi > three.txt"));
  const [ended] = await sees(1);
  await person.stop(ended.id);
  await until(pending, "that nothing waits", ({ length }) => length === 0);
  await rests();
  assert.ok(!existsSync(join(shop, "three.txt")));
});

test("what is allowed for the session is not asked again", async () => {
  await begin();
  await calls("four", "bash", bash("printf four"), other);
  const [{ id }] = await sees(1);
  const [request] = await pending(other);
  const { decision, ...grant } = /** @type {any} */ (open(request, { dialect: "opencode" }).step).question.grants.find(({ scope }) => scope === "session");
  await answer(id, { q1: { type: decision, grant } });
  await hears("four", "four");
  await calls("five", "bash", bash("printf five"), other);
  await hears("five", "five");
  assert.deepEqual(await person.open(), []);
});

test("questions are answered, or declined", async () => {
  await begin();
  await calls("six", "question", QUESTIONS);
  const [{ id, text, count }] = await sees(1);
  assert.deepEqual([text, count], ["Which colour?", 2]);
  await answer(id, { q1: "Blue", q2: ["S", "L"] });
  await hears("six", '"Which colour?"="Blue", "Which sizes?"="S, L"');
  await rests();
  await calls("seven", "question", QUESTIONS);
  const [ended] = await sees(1);
  await person.stop(ended.id);
  await until(pending, "that nothing waits", ({ length }) => length === 0);
  await rests();
});

test("what waits already is found, and found again under the same id; an answer that was given meanwhile is sent", async () => {
  await calls("eight", "bash", bash("printf eight"));
  await until(pending, "a request", ({ length }) => length === 1);
  await begin();
  const [{ id }] = await sees(1);
  door.process.kill("SIGKILL");
  await door.ended;
  await begin();
  assert.deepEqual((await sees(1)).map((one) => one.id), [id]);
  door.process.kill("SIGTERM");
  assert.equal(await door.ended, 0);
  await answer(id, { q1: { type: "approve" } });
  assert.equal((await pending()).length, 1);
  await begin();
  await hears("eight", "eight");
});

test("what is answered in opencode leaves the inbox", async () => {
  await begin();
  await calls("nine", "bash", bash("printf nine"));
  await calls("ten", "question", QUESTIONS);
  await sees(2);
  for (const { id, questions } of await pending()) await opencode.ask("POST", questions ? `/question/${id}/reject` : `/permission/${id}/reply`, questions ? undefined : { reply: "once" });
  await sees(0);
  await hears("nine", "nine");
  // And what opencode answered while the command was away.
  await calls("eleven", "bash", bash("printf eleven"));
  await sees(1);
  door.process.kill("SIGKILL");
  await door.ended;
  const [{ id }] = await pending();
  await opencode.ask("POST", `/permission/${id}/reply`, { reply: "reject" });
  await begin();
  await sees(0);
  assert.equal((await person.receipts()).receipts[0].how, "closed");
});

test("what a turn asks leaves the inbox when the turn is interrupted, and stays away", async () => {
  await begin();
  for (const [tool, input] of /** @type {any[][]} */ ([["bash", bash("printf twelve")], ["question", QUESTIONS]])) {
    const session = await calls("twelve", tool, input);
    await sees(1);
    await opencode.ask("POST", `/session/${session}/abort`);
    await sees(0);
  }
  door.process.kill("SIGTERM");
  await door.ended;
  // opencode goes on listing both.
  const left = (await pending()).length;
  await begin();
  await calls("thirteen", "bash", bash("printf thirteen"));
  const [{ id }] = await sees(1);
  await answer(id, { q1: { type: "approve" } });
  await hears("thirteen", "thirteen");
  assert.equal(left, 2);
});

test("a subagent and another folder ask in the inbox as well", async () => {
  await begin();
  await calls("fourteen", "bash", bash("ls"), other);
  const [{ folder, id }] = await sees(1);
  assert.equal(folder, "~/other");
  await answer(id, { q1: { type: "reject" } });
  await rests(other);
  await calls("fifteen", "task", { description: "Says sixteen", prompt: `sixteen CALL bash ${JSON.stringify(bash("printf sixteen"))}`, subagent_type: "general" });
  const [inner] = await sees(1);
  await answer(inner.id, { q1: { type: "approve" } });
  await hears("sixteen", "sixteen");
});

test("sessions of opencode's second version ask in the inbox as well", async () => {
  await begin();
  await callsNew("seventeen", "question", QUESTIONS);
  const [asked] = await sees(1);
  await answer(asked.id, { q1: "Red", q2: ["L"] });
  await hears("seventeen", "Red");
  await callsNew("eighteen", "bash", bash("printf eighteen"), other);
  const [{ id, folder, text }] = await sees(1);
  assert.deepEqual([folder, text], ["~/other", "Allow bash?"]);
  await answer(id, { q1: { type: "approve" } });
  await hears("eighteen", "eighteen");
  // Found where it waits already, and gone when the turn is interrupted.
  const session = await callsNew("nineteen", "bash", bash("printf nineteen"));
  await sees(1);
  await opencode.ask("POST", `/api/session/${session}/interrupt`);
  await sees(0);
  door.process.kill("SIGTERM");
  await door.ended;
  const rejected = await callsNew("twenty", "bash", bash("echo hi > twenty.txt"));
  await until(() => opencode.ask("GET", `/api/session/${rejected}/permission`), "a request", ({ data }) => data.length === 1);
  await begin();
  const [last] = await sees(1);
  await answer(last.id, { q1: { type: "reject", message: "No" } });
  await until(() => opencode.ask("GET", `/api/session/${rejected}/permission`), "that nothing waits", ({ data }) => data.length === 0);
  assert.ok(!existsSync(join(shop, "twenty.txt")));
});

test("opencode is started anew, with a password", async () => {
  await begin([], { OPENCODE_SERVER_PASSWORD: "secret" });
  await calls("twentyone", "bash", bash("printf twentyone"));
  await sees(1);
  await opencode.end();
  await until(() => door.err, "that opencode is missed", (err) => err.includes("cannot be reached"));
  opencode = await serve({ OPENCODE_SERVER_PASSWORD: "secret" });
  await sees(0);
  await calls("twentytwo", "bash", bash("printf twentytwo"));
  const [{ id }] = await sees(1);
  await answer(id, { q1: { type: "approve" } });
  await hears("twentytwo", "twentytwo");
  const wrong = await home.run(["opencode", "--server", `http://127.0.0.1:${port}`], { environment: { OPENCODE_SERVER_PASSWORD: "other" } });
  assert.deepEqual([wrong.code, wrong.out], [1, ""]);
  assert.match(wrong.err, /OPENCODE_SERVER_PASSWORD/);
  await becomes(async () => (await person.open()).length, 0);
});
