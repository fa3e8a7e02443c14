// `ask-user mcp`, with the client of the protocol's own library: the tools, progress, cancelled calls, and questions that outlive a call.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, test } from "node:test";
import { toolDefinitions } from "../../pkg/dist/core.node.js";
import { serveMcp } from "../../pkg/src/inbox/mcp-stdio.js";
import { COMMAND, Home } from "./inbox-app.mjs";
import { pause, tasks, until, within } from "./wait.mjs";

const from = createRequire(new URL("../../examples/package.json", import.meta.url));
const { Client } = from("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = from("@modelcontextprotocol/sdk/client/stdio.js");
const { CallToolResultSchema, ElicitRequestSchema } = from("@modelcontextprotocol/sdk/types.js");

const GO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };

let home;
let clients;
beforeEach(() => {
  home = new Home();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await home.end();
});

/** A client that has met the server, as an agent in a folder. */
async function meet(/** @type {{ name?: any, words?: any, cwd?: any, elicit?: any }} */ { name = "claude-code", words = [], cwd = home.path, elicit } = {}) {
  const client = new Client({ name, version: "1.0.0" }, { capabilities: elicit ? { elicitation: { form: {} } } : {} });
  clients.push(client);
  if (elicit) client.setRequestHandler(ElicitRequestSchema, elicit);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, "mcp", ...words], env: home.environment, cwd }));
  return client;
}

const call = (client, name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options);
const textOf = ({ content }) => content.map(({ text }) => text).join("\n");
const valueOf = (result) => JSON.parse(textOf(result));

/** The person, once the inbox runs. */
const arrives = () => until(() => home.person().catch(() => undefined), "the inbox");

test("the tools have their definitions, and the server says how to use them", async () => {
  const client = await meet();
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ["ask_user", "confirm_action", "answers"]);
  const size = ({ tools: [{ inputSchema }] }) => JSON.stringify(inputSchema).length;
  assert.ok(size({ tools }) > 2 * size(await (await meet({ words: ["--simple"] })).listTools()));
  assert.match(client.getInstructions(), /ask_user/);
  assert.equal(client.getServerVersion().name, "ask-user");
  await assert.rejects(call(client, "none"), /There is no tool none/);
  await client.ping();
});

test("a call waits with progress, and gives the agent's result", async () => {
  const client = await meet();
  const progress = [];
  const waiting = call(client, "ask_user", GO, { onprogress: (told) => progress.push(told) });
  await until(() => progress, "progress", ({ length }) => length > 0);
  assert.match(progress[0].message, new RegExp(`waits in the inbox at ${home.address}`));
  const person = await arrives();
  const [{ id, who, folder, text }] = await person.sees(1);
  assert.deepEqual([who, folder, text], ["Claude Code", "~", "Go on?"]);
  await person.answer(id, { go: true });
  assert.deepEqual(valueOf(await waiting), { go: true });
  assert.deepEqual(valueOf(await call(client, "answers")), { answers: [], open: [] });
});

test("a client that wants progress hears it again and again", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let answered;
  const client = /** @type {any} */ ({ token: "token", of: async () => [], put: async () => undefined, address: async () => "http://127.0.0.1:1", closed: () => new Promise((resolve) => (answered = resolve)), drop: async () => undefined });
  const [definition] = toolDefinitions("ask_user");
  const served = serveMcp({ client, definition, input, output, folder: "/work", version: "1", every: 1 });
  let said = "";
  output.setEncoding("utf8").on("data", (text) => (said += text));
  const heard = () => said.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ask_user", arguments: GO, _meta: { progressToken: 0 } } })}\n`);
  const told = await until(heard, "three notifications", ({ length }) => length >= 3);
  assert.deepEqual(told.slice(0, 3).map(({ method, params }) => [method, params.progressToken, params.progress]), [1, 2, 3].map((progress) => ["notifications/progress", 0, progress]));
  answered({ state: "answered", result_text: '{"go":12345678901234567890}' });
  const last = await until(() => heard().at(-1), "the result", ({ result }) => result);
  assert.deepEqual([last.id, last.result.content[0].text], [1, '{"go":12345678901234567890}']);
  input.end();
  await served;
});

test("several calls wait at once, and each gets its own answer", async () => {
  const client = await meet();
  const asked = ["a", "b", "c"].map((name) => call(client, "ask_user", { questions: [{ id: name, text: `${name}?`, answer_type: "boolean" }] }));
  const person = await arrives();
  for (const { id, text } of (await person.sees(3)).reverse()) await person.answer(id, { [text[0]]: text[0] === "b" });
  assert.deepEqual((await Promise.all(asked)).map(valueOf), [{ a: false }, { b: true }, { c: false }]);
});

test("a wrong call is a result that says what to correct, and nobody is asked", async () => {
  const client = await meet();
  const wrong = await call(client, "ask_user", { questions: [{ id: "x", text: "X?", answer_type: "choice" }] });
  assert.equal(wrong.isError, true);
  assert.equal(valueOf(wrong).problems[0].code, "unknown_answer_type");
  for (const args of [{}, { action: " " }, { action: "x", danger: "yes" }, { action: "x", details: 1 }, { action: "x", more: 1 }]) assert.equal((await call(client, "confirm_action", args)).isError, true, JSON.stringify(args));
  assert.deepEqual(await (await arrives()).open(), []);
});

test("only yes confirms an action", async () => {
  const client = await meet();
  const confirm = async (act) => {
    const waiting = call(client, "confirm_action", { action: "Delete the 14 merged branches?", details: "`git branch -d …`", danger: true });
    const person = await arrives();
    const [{ id, danger }] = await person.sees(1);
    assert.equal(danger, true);
    await act(person, id);
    const result = await waiting;
    await person.sees(0);
    return valueOf(result);
  };
  assert.deepEqual(await confirm((person, id) => person.answer(id, { confirmed: true })), { confirmed: true });
  assert.deepEqual(await confirm((person, id) => person.answer(id, { confirmed: false })), { confirmed: false });
  assert.equal((await confirm((person, id) => person.stop(id))).cancelled, true);
  assert.equal((await confirm((person, id) => home.program("DELETE", `/questions/${id}`))).cancelled, true);
});

test("a cancelled call closes its question", async () => {
  const client = await meet();
  const stop = new AbortController();
  const waiting = call(client, "ask_user", GO, { signal: stop.signal });
  const person = await arrives();
  await person.sees(1);
  stop.abort("The person has pressed Escape.");
  await assert.rejects(waiting);
  await person.sees(0);
  assert.deepEqual(valueOf(await call(client, "answers")), { answers: [], open: [] });
});

test("a call whose client has run out of time leaves its question open, and the answer comes later, once", async () => {
  const client = await meet();
  await call(client, "answers");
  await assert.rejects(call(client, "ask_user", GO, { timeout: 1_000 }), /timed out/);
  const person = await arrives();
  const [{ id }] = await person.sees(1);
  const { open } = valueOf(await call(client, "answers"));
  assert.deepEqual(open.map(({ id, question }) => [id, question]), [[id, "Go on?"]]);
  await person.answer(id, { go: true });
  assert.deepEqual(valueOf(await call(client, "answers")).answers, [{ id, question: "Go on?", state: "answered", result: { go: true } }]);
  assert.deepEqual(valueOf(await call(client, "answers")), { answers: [], open: [] });
});

test("with --wait, a call says that its question stays open, and how to get the answer", async () => {
  const client = await meet({ words: ["--wait", "1"] });
  const { state, id, message } = valueOf(await call(client, "ask_user", GO));
  assert.equal(state, "open");
  assert.match(message, /`answers`/);
  const person = await arrives();
  assert.deepEqual((await person.sees(1)).map((one) => one.id), [id]);
});

test("a client that comes back finds its questions, and another agent or folder does not", async () => {
  const client = await meet();
  call(client, "ask_user", GO).catch(() => undefined);
  const person = await arrives();
  const [{ id }] = await person.sees(1);
  await client.close();
  await person.answer(id, { go: false });
  const answers = async (more) => valueOf(await call(await meet(more), "answers"));
  const none = { answers: [], open: [] };
  assert.deepEqual(await answers({ name: "codex-mcp-client" }), none);
  assert.deepEqual(await answers({ cwd: join(home.path, "data") }), none);
  assert.deepEqual((await answers()).answers, [{ id, question: "Go on?", state: "answered", result: { go: false } }]);
});

test("two clients of one name in one folder do not get each other's answers while both live", async () => {
  const [one, other] = [await meet({ words: ["--wait", "1"] }), await meet()];
  const { id } = valueOf(await call(one, "ask_user", GO));
  const person = await arrives();
  const none = { answers: [], open: [] };
  assert.deepEqual(valueOf(await call(other, "answers")), none);
  await person.answer(id, { go: true });
  assert.deepEqual(valueOf(await call(other, "answers")), none);
  // One that was killed has left its answer to the other one.
  process.kill(one.transport.pid, "SIGKILL");
  const answers = () => call(other, "answers").then((result) => valueOf(result).answers);
  assert.deepEqual(await until(answers, "the answer", ({ length }) => length > 0), [{ id, question: "Go on?", state: "answered", result: { go: true } }]);
  // A client without a name has nobody who could come back as it.
  const unnamed = [await meet({ name: " ", words: ["--wait", "1"] }), await meet({ name: " " })];
  const second = valueOf(await call(unnamed[0], "ask_user", GO)).id;
  await person.answer(second, { go: true });
  await unnamed[0].close();
  assert.deepEqual(valueOf(await call(unnamed[1], "answers")), none);
  // Names and folders are told apart.
  assert.deepEqual(valueOf(await call(await meet({ name: "claude-code\n/tmp" }), "answers")), none);
});

/** Calls a tool as a task, and gives what the client hears of it. */
async function* runs(client, name, args) {
  for await (const message of client.experimental.tasks.callToolStream({ name, arguments: args }, undefined, { task: {} })) yield message;
}

test("a task gives its id at once, and the result when the person has answered", async () => {
  const client = await meet();
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ execution }) => execution?.taskSupport), ["optional", "optional", undefined]);
  const heard = runs(client, "ask_user", GO);
  const { value: { type, task } } = await heard.next();
  assert.deepEqual([type, task.status, task.ttl], ["taskCreated", "working", null]);
  assert.match(task.statusMessage, /waits in the inbox at http/);
  const person = await arrives();
  const [{ id }] = await person.sees(1);
  assert.equal(id, task.taskId);
  assert.equal((await client.experimental.tasks.getTask(id)).status, "working");
  await person.answer(id, { go: true });
  let last;
  for await (const message of heard) last = message;
  assert.deepEqual([last.type, valueOf(last.result)], ["result", { go: true }]);
  const { tasks } = await client.experimental.tasks.listTasks();
  assert.deepEqual(tasks.map(({ taskId, status }) => [taskId, status]), [[id, "completed"]]);
  // It can be read again, and is not given by `answers`, too.
  assert.deepEqual(valueOf(await client.experimental.tasks.getTaskResult(id, CallToolResultSchema)), { go: true });
  assert.deepEqual(valueOf(await call(client, "answers")), { answers: [], open: [] });
});

test("a task that is cancelled closes its question, a request for its result that is cancelled does not, and a wrong call fails", async () => {
  const client = await meet();
  const begin = async (name, args) => (await runs(client, name, args).next()).value.task;
  const { taskId } = await begin("confirm_action", { action: "Delete it?" });
  const person = await arrives();
  await person.sees(1);
  const stop = new AbortController();
  const waiting = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { signal: stop.signal });
  await client.ping();
  stop.abort("Escape");
  await assert.rejects(waiting);
  await client.ping();
  assert.equal((await person.open()).length, 1);
  assert.equal((await client.experimental.tasks.cancelTask(taskId)).status, "cancelled");
  await person.sees(0);
  assert.equal(valueOf(await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).cancelled, true);
  await assert.rejects(client.experimental.tasks.cancelTask(taskId), /cancelled already/);
  await assert.rejects(client.experimental.tasks.getTask("none"), /There is no task/);
  const wrong = await begin("ask_user", { questions: [{ id: "x", text: "X?", answer_type: "choice" }] });
  assert.deepEqual([wrong.status, JSON.parse(wrong.statusMessage).problems[0].code], ["failed", "unknown_answer_type"]);
  assert.equal((await client.experimental.tasks.getTaskResult(wrong.taskId, CallToolResultSchema)).isError, true);
  const { value: refused } = await runs(client, "answers", {}).next();
  assert.equal(refused.type, "error");
  assert.match(refused.error.message, /does not wait/);
});

test("with --elicit, a client that can ask the person is asked to, and the first answer counts", async () => {
  const asked = [];
  let reply;
  const elicit = ({ params }, { signal }) => new Promise((resolve, reject) => {
    asked.push(params);
    reply = resolve;
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const client = await meet({ words: ["--elicit"], elicit });
  const request = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean", default: true }, { id: "env", text: "Where?", answer_type: "select", options: ["staging", { value: "p", label: "Production" }] }] };
  const waiting = call(client, "ask_user", request);
  const person = await arrives();
  await person.sees(1);
  await until(() => reply, "the elicitation");
  assert.deepEqual(asked[0].requestedSchema.properties, { go: { type: "boolean", title: "Go on?" }, env: { type: "string", title: "Where?", oneOf: [{ const: "staging", title: "staging" }, { const: "p", title: "Production" }] } });
  reply({ action: "accept", content: { go: false, env: "p" } });
  assert.deepEqual(valueOf(await waiting), { go: false, env: "p" });
  await person.sees(0);
  // A dialog that is dismissed, and an answer that the form does not take, are none: the inbox has the question.
  for (const wrong of [{ action: "cancel" }, { action: "accept", content: { go: true } }, { action: "accept", content: {} }]) {
    reply = undefined;
    const other = call(client, "ask_user", request);
    const [{ id }] = await person.sees(1);
    await until(() => reply, "the elicitation");
    reply(wrong);
    await client.ping();
    await person.answer(id, { go: true, env: "staging" });
    assert.deepEqual(valueOf(await other), { go: true, env: "staging" });
    await person.sees(0);
  }
  // An answer in the inbox closes the client's dialog.
  reply = undefined;
  const last = call(client, "confirm_action", { action: "Delete it?" });
  const [{ id }] = await person.sees(1);
  await until(() => reply, "the elicitation");
  await person.answer(id, { confirmed: true });
  assert.deepEqual(valueOf(await last), { confirmed: true });
  reply = undefined;
  const declined = call(client, "confirm_action", { action: "Delete it?" });
  await until(() => reply, "the elicitation");
  reply({ action: "decline" });
  assert.equal(valueOf(await declined).cancelled, true);
  await person.sees(0);
});

test("no client is asked for what cannot be undone, for what is no flat form, without --elicit, or without the capability", async () => {
  let count = 0;
  const elicit = () => (count += 1, { action: "accept", content: { go: true, confirmed: true } });
  const clients = [await meet({ words: ["--elicit"], elicit }), await meet({ elicit }), await meet({ words: ["--elicit"] })];
  const dangerous = { questions: [{ ...GO.questions[0], danger: true }] };
  const risky = { questions: [{ id: "go", text: "Go on?", answer_type: "select", options: ["no", { label: "yes", danger: true }] }] };
  const conditional = { questions: [GO.questions[0], { id: "x", text: "X?", answer_type: "text", when: { question_id: "go", equals: true } }] };
  const calls = [[0, "confirm_action", { action: "Delete it?", danger: true }], [0, "ask_user", dangerous], [0, "ask_user", risky], [0, "ask_user", conditional], [1, "ask_user", GO], [2, "ask_user", GO]];
  const waiting = /** @type {any} */ (calls).map(([place, name, args]) => call(clients[place], name, args));
  const person = await arrives();
  for (const { id } of await person.sees(calls.length)) await person.stop(id);
  await Promise.all(waiting);
  assert.equal(count, 0);
});

/** A server over pipes, and a client of the inbox that notes what is asked of it. */
function piped(/** @type {{ wait?: number, [of: string]: any }} */ { wait, ...more }) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const dropped = [];
  const client = /** @type {any} */ ({ token: "token", of: async () => [], put: async () => undefined, address: async () => "http://127.0.0.1:1", drop: async (id) => void dropped.push(id), ...more });
  const [definition] = toolDefinitions("ask_user");
  const served = serveMcp({ client, definition, input, output, folder: "/work", version: "1", wait });
  const says = (message) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let said = "";
  const hears = () => output.setEncoding("utf8").on("data", (text) => (said += text));
  return { input, output, served, dropped, says, hears, heard: () => said.split("\n").slice(0, -1).map((line) => JSON.parse(line)) };
}

test("a question that was stored is waited for, also if the inbox is killed before it says where it is", async () => {
  const gone = () => Promise.reject(new TypeError("fetch failed"));
  const { input, served, says, hears, heard } = piped({ address: gone, closed: async () => ({ state: "answered", result_text: '{"go":true}' }) });
  hears();
  says({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } } });
  says({ id: 1, method: "tools/call", params: { name: "ask_user", arguments: GO, _meta: { progressToken: 7 } } });
  const { result } = await until(() => heard().find(({ id }) => id === 1), "the answer");
  assert.deepEqual([result.content[0].text, result.isError], ['{"go":true}', false]);
  says({ id: 2, method: "tools/call", params: { name: "ask_user", arguments: GO, task: {} } });
  const { result: { task } } = await until(() => heard().find(({ id }) => id === 2), "the task");
  says({ id: 3, method: "tasks/result", params: { taskId: task.taskId } });
  const done = await until(() => heard().find(({ id }) => id === 3), "its result");
  assert.equal(done.result.content[0].text, '{"go":true}');
  input.end();
  await served;
});

const CALL = { id: 1, method: "tools/call", params: { name: "answers" } };

test("an answer is taken when the client's pipe has it, and not before", async () => {
  let id;
  const closed = async (of) => ((id = of), { state: "answered", result_text: '{"go":true}' });
  const { input, output, served, dropped, says, hears, heard } = piped({ closed });
  let taken;
  const write = output.write.bind(output);
  // A pipe that takes its time.
  output.write = (text, done) => ((taken = () => write(text, done)), false);
  says({ id: 1, method: "tools/call", params: { name: "ask_user", arguments: GO } });
  await until(() => taken, "the result");
  await tasks();
  assert.deepEqual(dropped, []);
  hears();
  taken();
  await until(() => dropped, "that it was taken", ({ length }) => length === 1);
  assert.deepEqual([dropped, heard().length], [[id], 1]);
  input.end();
  await served;
});

test("a call that is cancelled while it is being asked closes its question, which may be stored already", async () => {
  let id;
  const put = (question, signal) => new Promise((_, reject) => ((id = question.id), signal.addEventListener("abort", () => reject(signal.reason))));
  const { input, served, dropped, says, hears, heard } = piped({ put });
  hears();
  says({ id: 1, method: "tools/call", params: { name: "ask_user", arguments: GO } });
  await until(() => id, "the question");
  says({ method: "notifications/cancelled", params: { requestId: 1, reason: "Escape" } });
  await until(() => dropped, "the end of the question", ({ length }) => length === 1);
  assert.deepEqual([dropped, heard()], [[id], []]);
  input.end();
  await served;
});

test("--wait counts from when the question was asked, and may be longer than a timer", async () => {
  let isAsked = false;
  const put = () => pause(50).then(() => (isAsked = true));
  const { input, served, says, hears, heard } = piped({ put, closed: (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))), wait: 0.001 });
  hears();
  says({ id: 1, method: "tools/call", params: { name: "ask_user", arguments: GO } });
  await until(heard, "the end of the wait", ({ length }) => length > 0);
  assert.ok(isAsked);
  input.end();
  await served;
  const server = home.begin(["mcp", "--wait", "9999999999"]);
  server.process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ask_user", arguments: GO } })}\n`);
  await (await arrives()).sees(1);
  server.process.stdin.end();
  assert.equal(await server.ended, 0);
  assert.deepEqual([server.out, server.err], ["", ""]);
});

test("answers whose call is cancelled, or of which one cannot be taken, are given again", async () => {
  let give;
  let mine;
  const of = async () => mine === undefined ? [] : new Promise((resolve) => (give = () => resolve(["a", "b"].map((end) => ({ id: `${mine}-${end}`, question: "Go on?", state: "answered", result_text: '{"go":12345678901234567890}' })))));
  const put = async ({ id }) => void ([mine] = id.split("-"));
  let broken = true;
  const tried = [];
  const drop = async (id) => {
    tried.push(id);
    if (broken && id.endsWith("-a")) throw new Error("The inbox has ended.");
  };
  const { input, served, says, hears, heard } = piped({ of, put, drop, closed: async () => ({ state: "answered", result_text: "{}" }) });
  hears();
  says({ id: 0, method: "tools/call", params: { name: "ask_user", arguments: GO } });
  await until(() => tried, "the first one", ({ length }) => length === 1);
  tried.length = 0;
  says(CALL);
  await until(() => give, "the list that is asked for");
  says({ method: "notifications/cancelled", params: { requestId: 1, reason: "Timed out" } });
  await tasks();
  give();
  await tasks();
  assert.deepEqual([tried, heard().length], [[], 1]);
  give = undefined;
  says({ ...CALL, id: 2 });
  await until(() => give, "the list that is asked for");
  give();
  const [, last] = await until(heard, "the answers", ({ length }) => length === 2);
  assert.equal(JSON.parse(last.result.content[0].text).answers.length, 2);
  assert.ok(last.result.content[0].text.includes('"result":{"go":12345678901234567890}'), last.result.content[0].text);
  // One that the inbox has not heard of does not keep the others.
  await until(() => tried, "that both were tried", ({ length }) => length === 2);
  broken = false;
  input.end();
  await served;
});

test("what is no message of the protocol gets an error, and the server goes on", async () => {
  const server = home.begin(["mcp"]);
  const says = (text) => server.process.stdin.write(`${text}\n`);
  const heard = (count) => until(() => server.out.trim().split("\n"), `${count} messages`, ({ length }) => length >= count && server.out.endsWith("\n"));
  says("no JSON");
  assert.equal(JSON.parse((await heard(1))[0]).error.code, -32700);
  says('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}');
  assert.equal(JSON.parse((await heard(2))[1]).result.protocolVersion, "2025-11-25");
  says('{"jsonrpc":"2.0","id":2,"method":"resources/list"}');
  assert.equal(JSON.parse((await heard(3))[2]).error.code, -32601);
  says('[{"jsonrpc":"2.0","id":3,"method":"ping"},null,7,{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}]');
  assert.deepEqual(JSON.parse((await heard(4))[3]), { jsonrpc: "2.0", id: 3, result: {} });
  // What is no object where there has to be one.
  says('{"jsonrpc":"2.0","method":"notifications/cancelled","params":null}');
  const wrong = [["tools/call", null], ["tools/call", []], ["tools/call", { name: "answers", _meta: null }], ["tools/call", { name: "ask_user", arguments: null }], ["initialize", { clientInfo: null }], ["initialize", null], ["ping", 1]];
  for (const [place, [method, params]] of wrong.entries()) {
    says(JSON.stringify({ jsonrpc: "2.0", id: 10 + place, method, params }));
    const { id, error } = JSON.parse((await heard(5 + place)).at(-1));
    assert.deepEqual([id, error.code], [10 + place, -32602], JSON.stringify(params));
  }
  server.process.stdin.end();
  assert.equal(await within(10_000, server.ended, "the end of the server"), 0);
  assert.equal(server.err, "");
});
