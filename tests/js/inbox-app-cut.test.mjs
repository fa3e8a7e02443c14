// An answer that was written to a connection which is cut: it comes again by `answers` and by the same question asked again, until the client has received it. And by what the inbox knows that.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import { Connection, Delivery, SETTLES } from "../../pkg/src/inbox/received.js";
import { Home } from "./inbox-app.mjs";
import { becomes, stoppedTime, until } from "./wait.mjs";

const GO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };
const NONE = { answers: [], open: [] };
const VERSION = "2025-11-25";
const [JSON_ALONE, EVENTS] = ["application/json", "application/json, text/event-stream"];

let home;
beforeEach(async () => {
  home = new Home();
  await home.start();
});
afterEach(() => home.end());

/** A session: `call(name, args)` is a request on a connection that is kept, and `begins(message)` one whose connection the test ends. */
async function session(name = "raw", query = "?folder=/work/shop") {
  const headers = { Authorization: `Bearer ${home.read("tokens.json").ask}`, "Content-Type": "application/json", Accept: JSON_ALONE, "MCP-Protocol-Version": VERSION };
  let last = 0;
  const send = async (method, params) => {
    const response = await fetch(`${home.address}/mcp${query}`, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: `k${(last += 1)}`, method, params }) });
    headers["Mcp-Session-Id"] ??= response.headers.get("mcp-session-id");
    return (await response.json()).result;
  };
  await send("initialize", { protocolVersion: VERSION, capabilities: {}, clientInfo: { name, version: "1" } });
  const call = async (tool, args = {}) => (await send("tools/call", { name: tool, arguments: args })).content;
  return {
    send,
    call,
    answers: async () => JSON.parse((await call("answers"))[0].text),
    /** Resolves to what has come once the response has `until` in it. */
    begins(method, params, accept = JSON_ALONE) {
      const { hostname, port, host } = new URL(home.address);
      const socket = connect(Number(port), hostname);
      const body = JSON.stringify({ jsonrpc: "2.0", id: `c${(last += 1)}`, method, params });
      const own = { ...headers, Accept: accept, Host: host, "Content-Length": Buffer.byteLength(body) };
      const one = { text: "", socket };
      socket.setEncoding("utf8").on("error", () => undefined).on("data", (text) => (one.text += text));
      socket.write(`POST /mcp HTTP/1.1\r\n${Object.entries(own).map(([header, value]) => `${header}: ${value}\r\n`).join("")}\r\n${body}`);
      one.has = (said) => until(() => one.text, said, (text) => text.includes(said));
      one.reset = () => new Promise((resolve) => socket.once("close", resolve).resetAndDestroy());
      one.close = () => new Promise((resolve) => socket.once("close", resolve).destroy());
      return one;
    },
    ask(/** @type {object} */ args = GO, accept = JSON_ALONE, tool = "ask_user") {
      return this.begins("tools/call", { name: tool, arguments: args }, accept);
    },
  };
}

/** A call whose answer is written to a connection that ends then, `how`. */
async function lost(client, how, accept = JSON_ALONE) {
  const one = client.ask(GO, accept);
  const person = await home.person();
  const [{ id }] = await person.sees(1);
  await person.answer(id, { go: true });
  await one.has('{\\"go\\":true}');
  await one[how]();
  return id;
}

for (const [accept, kind] of [[JSON_ALONE, "JSON"], [EVENTS, "an event"]]) {
  for (const how of ["reset", "close"]) {
    test(`an answer that was written as ${kind} to a connection that is cut (${how}) is given by \`answers\` of the same session, and once`, async () => {
      const client = await session();
      const id = await lost(client, how, accept);
      await becomes(async () => (await client.answers()).answers.map((one) => [one.id, one.result]), [[id, { go: true }]]);
      await becomes(() => client.answers(), NONE);
    });
  }
}

test("an answer that was written to a connection that is cut is given to the client that comes back with another session, and to no other client", async () => {
  const id = await lost(await session(), "reset");
  const [other, back] = [await session("other"), await session()];
  await becomes(async () => (await back.answers()).answers.map((one) => one.id), [id]);
  assert.deepEqual(await other.answers(), NONE);
});

test("an answer that `answers` has written to a connection that is cut is given again", async () => {
  const client = await session();
  const id = await lost(client, "reset");
  const one = client.begins("tools/call", { name: "answers", arguments: {} });
  await one.has(id);
  await one.reset();
  await becomes(async () => (await client.answers()).answers.map((found) => found.id), [id]);
});

test("the result of a task that was written to a connection that is cut is given again", async () => {
  const client = await session();
  const { task } = await client.send("tools/call", { name: "ask_user", arguments: GO, task: {} });
  const person = await home.person();
  await person.sees(1);
  await person.answer(task.taskId, { go: true });
  const one = client.begins("tasks/result", { taskId: task.taskId });
  await one.has('{\\"go\\":true}');
  await one.reset();
  assert.equal((await client.send("tasks/result", { taskId: task.taskId })).content[0].text, '{"go":true}');
  await becomes(() => client.answers(), NONE);
});

test("an answer that was written just before the inbox was killed is given by the next one", async () => {
  const client = await session();
  const one = client.ask();
  const person = await home.person();
  const [{ id }] = await person.sees(1);
  await person.answer(id, { go: true });
  await one.has('{\\"go\\":true}');
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await home.start();
  const back = await session();
  await becomes(async () => (await back.answers()).answers.map((found) => found.id), [id]);
});

test("the same question asked again after its answer was cut off gives that answer, and says so; what allows something is asked anew", async () => {
  const client = await session();
  await lost(client, "reset");
  const [answer, more] = await until(() => client.call("ask_user", GO), "the answer");
  assert.equal(answer.text, '{"go":true}');
  assert.match(more.text, /^The person has answered this already: you have asked it before, at \d{4}-/);
  assert.deepEqual(await (await home.person()).open(), []);
  // It was received: the next one is another question.
  await becomes(() => client.answers(), NONE);
  const person = await home.person();
  const next = client.ask();
  const [{ id }] = await person.sees(1);
  await person.answer(id, { go: false });
  await next.has('{\\"go\\":false}');
  await next.reset();
  await becomes(async () => (await client.answers()).answers.length, 1);
  const confirms = { action: "Delete it?" };
  const before = client.ask(confirms, JSON_ALONE, "confirm_action");
  const [first] = await person.sees(1);
  await person.answer(first.id, { confirmed: true });
  await before.has('{\\"confirmed\\":true}');
  await before.reset();
  const anew = client.ask(confirms, JSON_ALONE, "confirm_action");
  const [second] = await person.sees(1);
  assert.notEqual(second.id, first.id);
  await anew.reset();
});

test("the same question asked again by a client that was cut off while it waited is one question", async () => {
  const client = await session();
  const person = await home.person();
  for (const [tool, args] of /** @type {[string, object][]} */ ([["ask_user", GO], ["confirm_action", { action: "Delete it?" }]])) {
    const before = client.ask(args, EVENTS, tool);
    const [{ id }] = await person.sees(1);
    await before.has(": ");
    await before.reset();
    await until(() => home.program("GET", `/questions/${id}`), "an open question", ({ body }) => body.state === "open");
    const again = client.begins("tools/call", { name: tool, arguments: args, _meta: { progressToken: 1 } }, EVENTS);
    await again.has("notifications/progress");
    assert.deepEqual((await person.open()).map((one) => one.id), [id]);
    await person.answer(id, tool === "ask_user" ? { go: true } : { confirmed: true });
    await again.has(":true}");
    await again.close();
  }
});

test("two calls that ask the same at once are two questions, and each gets its own answer", async () => {
  const client = await session();
  const calls = [client.ask(GO, EVENTS), client.ask()];
  const person = await home.person();
  const [first, second] = await person.sees(2);
  await person.answer(first.id, { go: true });
  await person.answer(second.id, { go: false });
  await until(() => calls.map(({ text }) => text), "both answers", (texts) => ["true", "false"].every((value) => texts.some((text) => text.includes(`{\\"go\\":${value}}`))));
  for (const one of calls) await one.close();
});

test("two sessions of one name in one folder: none takes the answer of the other from it", async () => {
  const client = await session("raw", "?folder=/work/shop&wait=1");
  assert.equal(JSON.parse((await client.call("ask_user", GO))[0].text).state, "open");
  const person = await home.person();
  const [{ id }] = await person.sees(1);
  await person.answer(id, { go: true });
  const other = await session();
  await becomes(async () => (await other.answers()).answers.map((one) => one.id), [id]);
  await becomes(() => other.answers(), NONE);
  assert.deepEqual((await client.answers()).answers.map((one) => one.id), [id]);
  await becomes(() => client.answers(), NONE);
});

test("`DELETE` with `?if=open` closes an open question, and takes no answer", async () => {
  const owner = "an owner that nobody else can guess";
  const put = async () => (await home.program("POST", "/questions", { request: GO, owner })).body.id;
  const listed = async () => (await home.program("GET", `/questions?owner=${encodeURIComponent(owner)}`)).body.questions.map(({ id, state, approval }) => [id, state, approval]);
  const [open, answered] = [await put(), await put()];
  await (await home.person()).answer(answered, { go: true });
  assert.equal((await home.program("DELETE", `/questions/${open}?if=open`)).body.state, "closed");
  assert.equal((await home.program("DELETE", `/questions/${answered}?if=open`)).body.state, "answered");
  assert.deepEqual(await listed(), [[answered, "answered", false]]);
  assert.equal((await home.program("DELETE", `/questions/${answered}?if=closed`)).status, 422);
  await home.program("DELETE", `/questions/${answered}`);
  assert.deepEqual(await listed(), []);
});

test("an answer that a process of `ask-user mcp` has written to a client that ended at once is given to the next one", async () => {
  const begin = () => {
    const one = home.begin(["mcp", "--folder", "/work/shop"]);
    const send = (id, method, params) => one.process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    send(0, "initialize", { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: "raw", version: "1" } });
    return { ...one, one, call: (id, name, args = {}) => send(id, "tools/call", { name, arguments: args }) };
  };
  const first = begin();
  first.call(1, "ask_user", GO);
  const person = await home.person();
  const [{ id }] = await person.sees(1);
  await person.answer(id, { go: true });
  await until(() => first.one.out, "the answer", (out) => out.includes('{\\"go\\":true}'));
  first.process.stdin.end();
  await first.one.ended;
  const next = begin();
  next.call(1, "answers");
  await until(() => next.one.out, "the answer", (out) => out.includes(id));
  next.process.stdin.end();
  await next.one.ended;
});

test("an answer counts as received by the next request on its connection, after a second on a connection that is whole, or by what comes later; not if the connection is reset", () => {
  const time = stoppedTime({ withDate: true });
  try {
    const begin = () => {
      const socket = Object.assign(new EventEmitter(), { destroyed: false, errored: null });
      const delivery = new Delivery();
      const heard = [];
      delivery.heard((what) => heard.push(what));
      const connection = Connection.of(socket);
      assert.equal(Connection.of(socket), connection);
      connection.carries(delivery);
      return { socket, delivery, heard, connection };
    };
    const whole = begin();
    time.tick(SETTLES - 1);
    assert.deepEqual([whole.heard, whole.delivery.isUnderWay], [[], true]);
    time.tick(1);
    assert.deepEqual([whole.heard, whole.delivery.isUnderWay, whole.delivery.isOver], [["has"], false, true]);
    // What was unread all the time.
    whole.socket.emit("error", new Error("ECONNRESET"));
    whole.socket.emit("close", true);
    assert.deepEqual(whole.heard, ["has", "lost"]);
    const next = begin();
    Connection.goesOn(new EventEmitter());
    assert.deepEqual(next.heard, []);
    Connection.goesOn(next.socket);
    next.socket.emit("close", true);
    assert.deepEqual(next.heard, ["has"]);
    const reset = begin();
    reset.socket.emit("close", true);
    time.tick(SETTLES);
    reset.delivery.later();
    reset.delivery.closes();
    assert.deepEqual([reset.heard, reset.delivery.isUnderWay], [["cut"], false]);
    const closed = begin();
    closed.socket.emit("close", false);
    closed.delivery.later();
    assert.deepEqual([closed.heard, closed.delivery.isUnderWay], [["unsure"], false]);
    time.tick(SETTLES);
    assert.deepEqual(closed.heard, ["unsure"]);
    closed.delivery.later();
    assert.deepEqual(closed.heard, ["unsure", "has"]);
    const said = begin();
    said.socket.emit("close", false);
    said.delivery.closes();
    assert.deepEqual(said.heard, ["unsure", "has"]);
    const gone = new Delivery();
    const heard = [];
    gone.heard((what) => heard.push(what));
    Connection.of(Object.assign(new EventEmitter(), { destroyed: true })).carries(gone);
    gone.dies();
    assert.deepEqual([heard, gone.isOver], [["cut"], true]);
  } finally {
    time.restore();
  }
});
