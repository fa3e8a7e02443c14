// `ask-user wrap`: what an agent asks its client is asked in the inbox, everything else passes through as it is, and nothing but an answer of the person decides anything.
import assert from "node:assert/strict";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { Pipe, lines } from "../../pkg/src/inbox/piped.js";
import { Home } from "./inbox-app.mjs";
import { until } from "./wait.mjs";

/** An agent that says what the client tells it to say, and repeats to the client whatever it hears else. */
const AGENT = `
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { say, end } = line.startsWith("{") ? JSON.parse(line) : {};
  if (end !== undefined) process.exit(end);
  process.stdout.write(say ?? JSON.stringify({ heard: line }) + "\\n");
}`;

const OPTIONS = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
const PERMISSION = { jsonrpc: "2.0", id: 7, method: "session/request_permission", params: { sessionId: "s1", toolCall: { toolCallId: "c1", title: "rm -rf build", kind: "execute", rawInput: { command: "rm -rf build" } }, options: OPTIONS } };
const IDS = { threadId: "t", turnId: "u", itemId: "i" };
const INPUT = { id: "r1", method: "item/tool/requestUserInput", params: { ...IDS, isBlocking: true, questions: [{ id: "lib", header: "Library", question: "Which library?", isOther: false, isSecret: false, options: [{ label: "A", description: "The old one" }, { label: "B", description: "The new one" }] }] } };

let home;
beforeEach(() => (home = new Home()));
afterEach(() => home.end());

/** A client of the wrapped agent. */
class Editor {
  constructor(words = [], more = {}) {
    const agent = join(home.path, "agent.mjs");
    writeFileSync(agent, AGENT);
    this.one = home.begin(["wrap", ...words, "--", process.execPath, agent], more);
    this.one.process.stdin.on("error", () => undefined);
  }

  /** What came from the agent. */
  get lines() {
    return this.one.out.split("\n").slice(0, -1);
  }

  /** What the agent has heard. */
  get heard() {
    return this.lines.map((line) => JSON.parse(line).heard).filter(Boolean);
  }

  send(text) {
    this.one.process.stdin.write(`${text}\n`);
  }

  /** Makes the agent say something. */
  says(message) {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    this.send(JSON.stringify({ say: `${text}\n` }));
  }

  sees(wanted) {
    return until(() => this.lines, `the client sees ${JSON.stringify(wanted)}`, (lines) => lines.includes(typeof wanted === "string" ? wanted : JSON.stringify(wanted)));
  }

  hears(count) {
    return until(() => this.heard, `the agent hears ${count} messages`, ({ length }) => length === count);
  }

  async end() {
    this.send('{"end":0}');
    assert.deepEqual([await this.one.ended, this.one.err], [0, ""]);
  }
}

/** An inbox that runs, a person at it, and a client of an agent whose questions it gets. */
const begun = async (words = []) => {
  await home.start();
  return { person: await home.person(), editor: new Editor(words) };
};

test("a permission is decided in the inbox, and the client does not hear of it", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  const [{ id, text, folder }] = await person.sees(1);
  assert.deepEqual([text, folder], ["rm -rf build", "~"]);
  assert.equal((await person.answer(id, { q1: { type: "approve" } })).status, 200);
  assert.deepEqual(await editor.hears(1), ['{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"once"}}}']);
  await person.sees(0);
  assert.deepEqual(editor.lines.length, 1);
  await editor.end();
});

test("who asks and in which folder are what the agent and its session say", async () => {
  const { person, editor } = await begun();
  editor.says({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, agentInfo: { name: "gem", title: "Gemini CLI" } } });
  editor.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/work/shop", mcpServers: [] } }));
  await editor.hears(1);
  editor.says({ jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } });
  editor.says(PERMISSION);
  const [{ who, folder }] = await person.sees(1);
  assert.deepEqual([who, folder], ["Gemini CLI", "/work/shop"]);
  await editor.end();
  // With the agent, its questions go.
  await person.sees(0);
  const named = new Editor(["--who", "My agent"]);
  named.says({ jsonrpc: "2.0", id: 0, result: { agentInfo: { name: "gem" } } });
  named.says(PERMISSION);
  assert.equal((await person.sees(1))[0].who, "My agent");
  await named.end();
});

test("the end of the turn refuses the call, and cancels the turn", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  const [{ id }] = await person.sees(1);
  await person.stop(id);
  const [answer, cancel] = await editor.hears(2);
  assert.deepEqual(JSON.parse(answer).result, { outcome: { outcome: "cancelled" } });
  assert.deepEqual(JSON.parse(cancel), { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s1" } });
  await editor.end();
});

test("where no inbox runs, the client is asked, and no inbox is started", async () => {
  const editor = new Editor();
  editor.says(PERMISSION);
  await editor.sees(PERMISSION);
  editor.send('{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}');
  assert.equal((await editor.hears(1))[0], '{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"no"}}}');
  assert.throws(() => home.read("running.json"), /ENOENT/);
  await editor.end();
});

test("what is not answered in time, or cannot be read by the inbox, the client is asked", async () => {
  const { person, editor } = await begun(["--wait", "1"]);
  const text = JSON.stringify(PERMISSION);
  editor.says(text);
  await editor.sees(text);
  await person.sees(0);
  const unread = { ...PERMISSION, id: 8, params: { sessionId: "s1", toolCall: { toolCallId: "c2" }, options: OPTIONS } };
  editor.says(unread);
  await editor.sees(unread);
  // JavaScript would show other digits.
  const long = `{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c","title":"pay","rawInput":{"to":12345678901234567890}},"options":[]}}`;
  editor.says(long);
  await editor.sees(long);
  const secret = structuredClone(INPUT);
  secret.params.questions[0].isSecret = true;
  editor.says(secret);
  await editor.sees(secret);
  assert.deepEqual(editor.heard, []);
  await editor.end();
});

test("an inbox that is stopped meanwhile leaves the question to the client", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  await person.sees(1);
  await home.run(["stop"]);
  await editor.sees(PERMISSION);
  await editor.end();
});

test("a turn that the client cancels ends its questions, and those of no other session", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  editor.says({ ...PERMISSION, id: 8, params: { ...PERMISSION.params, sessionId: "s2" } });
  const both = await person.sees(2);
  editor.send('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}');
  const [cancel, answer] = await editor.hears(2);
  assert.match(cancel, /session\/cancel/);
  assert.deepEqual(JSON.parse(answer), { jsonrpc: "2.0", id: 7, result: { outcome: { outcome: "cancelled" } } });
  const [left] = await person.sees(1);
  // An answer to a question that has ended counts for nothing.
  const gone = both.find(({ id }) => id !== left.id);
  assert.notEqual((await person.answer(gone.id, { q1: { type: "approve" } })).status, 200);
  await person.answer(left.id, { q1: { type: "reject" } });
  assert.deepEqual(JSON.parse((await editor.hears(3))[2]), { jsonrpc: "2.0", id: 8, result: { outcome: { outcome: "selected", optionId: "no" } } });
  await editor.end();
});

test("a request that the agent cancels is answered with the error for that", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  await person.sees(1);
  editor.says({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 7 } });
  assert.deepEqual(JSON.parse((await editor.hears(1))[0]), { jsonrpc: "2.0", id: 7, error: { code: -32800, message: "The request was cancelled." } });
  await person.sees(0);
  await editor.end();
});

test("Codex gets its answers in its own shape, and the end of the turn interrupts it", async () => {
  const { person, editor } = await begun(["--who", "Codex"]);
  editor.says(INPUT);
  const [{ id, text, who }] = await person.sees(1);
  assert.deepEqual([text, who], ["Which library?", "Codex"]);
  await person.answer(id, { lib: "B" });
  assert.deepEqual(JSON.parse((await editor.hears(1))[0]), { id: "r1", result: { answers: { lib: { answers: ["B"] } } } });
  editor.says({ ...INPUT, id: "r2" });
  await person.stop((await person.sees(1))[0].id);
  const [, answer, interrupt] = await editor.hears(3);
  assert.deepEqual(JSON.parse(answer).id, "r2");
  const { id: own, ...rest } = JSON.parse(interrupt);
  assert.deepEqual(rest, { method: "turn/interrupt", params: { threadId: "t", turnId: "u" } });
  // The result of what the client has not asked is not the client's.
  editor.says({ id: own, result: {} });
  editor.says({ method: "turn/completed", params: {} });
  const lines = await editor.sees({ method: "turn/completed", params: {} });
  assert.ok(!lines.some((line) => JSON.parse(line).id === own));
  await editor.end();
});

test("a change of files is shown with what Codex has said of it before, and goes when Codex takes it back", async () => {
  const { person, editor } = await begun();
  const started = { method: "item/started", params: { threadId: "t", turnId: "u", item: { type: "fileChange", id: "i", changes: [{ path: "/work/a.txt", kind: { type: "add" }, diff: "hello\n" }], status: "inProgress" } } };
  editor.says(started);
  await editor.sees(started);
  const request = { id: 3, method: "item/fileChange/requestApproval", params: { ...IDS, reason: null, grantRoot: null } };
  editor.says(request);
  await person.sees(1);
  editor.says({ method: "serverRequest/resolved", params: { threadId: "t", requestId: 3 } });
  await person.sees(0);
  editor.says({ ...request, id: 4 });
  await person.answer((await person.sees(1))[0].id, { q1: { type: "approve" } });
  assert.deepEqual((await editor.hears(1)).map((line) => JSON.parse(line)), [{ id: 4, result: { decision: "accept" } }]);
  // Without them nobody knows what would be changed.
  const unknown = { ...request, id: 5, params: { ...request.params, itemId: "j" } };
  editor.says(unknown);
  await editor.sees(unknown);
  await editor.end();
});

test("a request that comes again is one question, and another one under its id takes its place", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  editor.says(PERMISSION);
  const [first] = await person.sees(1);
  const other = structuredClone(PERMISSION);
  other.params.toolCall.title = "ls";
  editor.says(other);
  const [second] = await until(() => person.open(), "the other question", ([one, ...more]) => one?.text === "ls" && more.length === 0);
  assert.notEqual((await person.answer(first.id, { q1: { type: "approve" } })).status, 200);
  await person.answer(second.id, { q1: { type: "approve" } });
  await editor.hears(1);
  editor.says({ done: true });
  await editor.sees({ done: true });
  assert.equal(editor.heard.length, 1);
  await editor.end();
});

test("a request that the client has got is the client's, also when the agent says it again", async () => {
  const editor = new Editor();
  await home.start();
  const person = await home.person();
  const late = new Editor(["--wait", "1"]);
  late.says(PERMISSION);
  await late.sees(PERMISSION);
  late.says(PERMISSION);
  await until(() => late.lines, "the request again", ({ length }) => length === 2);
  await person.sees(0);
  // Once the client has answered it, the id is free.
  late.send('{"jsonrpc":"2.0","id":7,"result":{}}');
  await late.hears(1);
  late.says(PERMISSION);
  await person.sees(1);
  await late.end();
  await editor.end();
});

test("a call is shown with all that its updates have said, and asked about anew if that changes", async () => {
  const { person, editor } = await begun();
  const update = (more) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update: { toolCallId: "c1", ...more } } });
  const diff = (newText) => [{ type: "diff", path: "/work/a.txt", oldText: "one\n", newText }];
  const text = async () => {
    const [{ id }] = await person.sees(1);
    return { id, shown: JSON.stringify(await person.begins(id)) };
  };
  editor.says(update({ sessionUpdate: "tool_call", title: "Edit a.txt", kind: "edit", status: "pending", content: diff("two\n") }));
  editor.says({ ...PERMISSION, params: { ...PERMISSION.params, toolCall: { toolCallId: "c1", title: "Edit a.txt" } } });
  const { id, shown } = await text();
  assert.match(shown, /two/);
  editor.says(update({ sessionUpdate: "tool_call_update", status: "in_progress" }));
  editor.says(update({ sessionUpdate: "tool_call_update", content: diff("three\n") }));
  const [changed] = await until(() => person.open(), "the question about the change", ([one, ...more]) => one && one.id !== id && more.length === 0);
  assert.match(JSON.stringify(await person.begins(changed.id)), /three/);
  await person.answer(changed.id, { q1: { type: "approve" } });
  assert.match((await editor.hears(1))[0], /"optionId":"once"/);
  await editor.end();
});

test("the end of the turn ends it whatever was asked, and leaves no question of its session", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  editor.says({ ...PERMISSION, id: 8, params: { ...PERMISSION.params, toolCall: { ...PERMISSION.params.toolCall, title: "ls" } } });
  editor.says({ jsonrpc: "2.0", id: 9, method: "elicitation/create", params: { sessionId: "s1", mode: "form", message: "Which?", requestedSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } } });
  const open = await person.sees(3);
  await person.stop(open.find(({ text }) => text === "ls").id);
  const heard = (await editor.hears(4)).map((line) => JSON.parse(line));
  assert.deepEqual(heard.find(({ id }) => id === 7).result, { outcome: { outcome: "cancelled" } });
  assert.deepEqual(heard.find(({ id }) => id === 9).result, { action: "cancel" });
  await person.sees(0);
  const permissions = { id: 1, method: "item/permissions/requestApproval", params: { ...IDS, cwd: "/work", startedAtMs: 1, reason: null, permissions: { network: { enabled: true } } } };
  editor.says(permissions);
  await person.stop((await person.sees(1))[0].id);
  const [refused, interrupt] = (await editor.hears(6)).slice(4).map((line) => JSON.parse(line));
  assert.deepEqual([refused.result.permissions, interrupt.method], [{}, "turn/interrupt"]);
  await editor.end();
});

test("in version 2 of the protocol, the work of a session goes on when its turn is cancelled", async () => {
  const { person, editor } = await begun();
  editor.says({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 2 } });
  editor.says(PERMISSION);
  await person.sees(1);
  editor.send('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}');
  await editor.hears(1);
  editor.says({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 7 } });
  assert.deepEqual(JSON.parse((await editor.hears(2))[1]).result, { outcome: { outcome: "cancelled" } });
  await person.sees(0);
  await editor.end();
});

test("a turn that has ended leaves no question", async () => {
  const { person, editor } = await begun();
  editor.send(JSON.stringify({ jsonrpc: "2.0", id: 5, method: "session/prompt", params: { sessionId: "s1", prompt: [] } }));
  await editor.hears(1);
  editor.says(PERMISSION);
  editor.says({ ...INPUT, params: { ...INPUT.params, threadId: "t2" } });
  await person.sees(2);
  editor.says({ jsonrpc: "2.0", id: 5, result: { stopReason: "end_turn" } });
  await person.sees(1);
  editor.says({ method: "turn/completed", params: { threadId: "t2", turn: { id: "u" } } });
  await person.sees(0);
  assert.equal(editor.heard.length, 1);
  await editor.end();
});

test("a message that nobody has foreseen passes through", async () => {
  await home.start();
  const editor = new Editor();
  for (const odd of [{ id: 1, method: "item/tool/requestUserInput", params: { questions: { some: 1 } } }, { ...PERMISSION, id: null }, { ...PERMISSION, id: { a: 1 } }, { ...PERMISSION, params: null }, { method: "session/update", params: { update: { sessionUpdate: "tool_call" } } }, { method: "item/started", params: { item: null } }]) {
    editor.says(odd);
    await editor.sees(odd);
  }
  await editor.end();
});

test("what an agent leaves behind does not keep the command, and a signal has its exit code", async () => {
  await home.start();
  const person = await home.person();
  const asking = `printf '%s\\n' '${JSON.stringify(PERMISSION)}'; sleep 60 & sleep 1; exit 3`;
  const left = home.begin(["wrap", "--", "sh", "-c", asking]);
  await person.sees(1);
  await person.sees(0);
  assert.equal(await left.ended, 3);
  const killed = home.begin(["wrap", "--", "sh", "-c", "kill -TERM $$"]);
  assert.equal(await killed.ended, 143);
});

test("a question is gone from an inbox that was stopped meanwhile and runs again", async () => {
  await home.start();
  const editor = new Editor();
  editor.says(PERMISSION);
  await (await home.person()).sees(1);
  await home.run(["stop"]);
  await editor.sees(PERMISSION);
  await home.start();
  await (await home.person()).sees(0);
  await editor.end();
});

test("everything else passes through byte by byte, in both directions, and so does the exit code", async () => {
  const editor = new Editor();
  const odd = ["no JSON", '{"a": 1,  "b":[ 2 ]}', "[1]", "", '{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"path":"/é\u{1f600}"}}'];
  for (const line of odd) editor.says(line);
  const large = JSON.stringify({ text: "x".repeat(9 * 1024 * 1024) });
  editor.says(large);
  editor.send("to the agent, as it is ");
  await until(() => editor.one.out.length, "what the agent heard", () => editor.one.out.endsWith('as it is "}\n'));
  assert.equal(editor.one.out, `${odd.join("\n")}\n${large}\n{"heard":"to the agent, as it is "}\n`);
  editor.send('{"end":3}');
  assert.equal(await editor.one.ended, 3);
});

test("a client that is gone ends the agent and its questions", async () => {
  const { person, editor } = await begun();
  editor.says(PERMISSION);
  await person.sees(1);
  editor.one.process.stdin.end();
  assert.equal(await editor.one.ended, 0);
  await person.sees(0);
});

test("a program that cannot be started is named, and a command is required", async () => {
  const { code, out, err } = await home.run(["wrap", "--", "/no/such/agent"]);
  assert.deepEqual([code, out], [127, ""]);
  assert.match(err, /\/no\/such\/agent cannot be started/);
  const none = await home.run(["wrap", "--wait", "5"]);
  assert.equal(none.code, 2);
  assert.match(none.err, /Give a command after `--`/);
});

test("a question may wait longer than a timer", async () => {
  const { person, editor } = await begun(["--wait", "9999999999"]);
  editor.says(PERMISSION);
  await person.answer((await person.sees(1))[0].id, { q1: { type: "approve" } });
  assert.match((await editor.hears(1))[0], /"optionId":"once"/);
  await editor.end();
});

test("a line of our own stands between two lines, never in one", async () => {
  /** @type {string[]} */
  const out = [];
  const output = /** @type {any} */ ({ on: () => output, once: () => output, write: (/** @type {Buffer} */ bytes) => (out.push(String(bytes)), true) });
  const pipe = new Pipe(output);
  async function* pieces() {
    for (const text of ["one\ntw", "o, which is long", " and ends\nthree"]) yield Buffer.from(text);
  }
  const seen = [];
  for await (const piece of lines(pieces(), 8)) {
    seen.push([String(piece.bytes), piece.isEnd]);
    await pipe.write(piece.bytes, piece.isEnd);
    pipe.insert(Buffer.from("own\n"));
  }
  assert.deepEqual(seen, [["one\n", true], ["two, which is long", false], [" and ends\n", true], ["three", true]]);
  assert.equal(out.join(""), "one\nown\ntwo, which is long and ends\nown\nown\nthreeown\n");
});
