// Several processes over one store, of which one loses its connection: what is stored happens once, and what is not stored does not. And what comes while the store is slow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { resume } from "../../pkg/dist/core.node.js";
import { ask, createHost, createInbox, memory } from "../../pkg/dist/host.node.js";
import { becomes, until } from "./wait.mjs";

const SURE = { question: "Sure?", answer_type: "boolean" };
const COLOR = { questions: [{ id: "color", text: "Which color?", answer_type: "text" }] };
const onError = () => undefined;

/** A promise, and what keeps it. */
function later() {
  let keep;
  const promise = new Promise((resolve) => (keep = resolve));
  return { promise, keep };
}

/** A store whose connection can be lost: before a commit is stored (`before`), or before it is acknowledged (`after`). */
function connection(store) {
  const line = { isDown: false, losesCommit: undefined };
  const through = (name, act) => async (...given) => {
    const loses = name === "commit" ? line.losesCommit : undefined;
    if (loses) [line.losesCommit, line.isDown] = [undefined, true];
    if (loses !== "after" && line.isDown) throw new Error("The connection was lost.");
    const done = await act(...given);
    if (loses) throw new Error("The connection was lost.");
    return done;
  };
  return [Object.fromEntries(Object.entries(store).map(([name, act]) => [name, through(name, act)])), line];
}

/** Posts to a conversation of a host, or of an inbox. Gives the status and the body. */
async function post(host, id, path, body, /** @type {{ token?: any, key?: any }} */ { token = "", key } = {}) {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...(key && { "Idempotency-Key": key }) };
  const response = await host.handle(new Request(`http://localhost/conversations/${id}/${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  return [response.status, await response.json()];
}

const statusOf = async (...given) => (await post(.../** @type {Parameters<typeof post>} */ (given)))[0];

/** Two hosts over one store: the connection of the first can be lost. */
function two(options) {
  const store = memory();
  const [lossy, line] = connection(store);
  const [one, other] = /** @type {any[]} */ ([lossy, store]).map((store, place) => createHost({ store, onError, ...options(place) }));
  return { one, other, line, settled: () => Promise.all([one.settled(), other.settled()]) };
}

test("a change that another process has made is not taken for one's own", async () => {
  for (const said of [true, false]) {
    const ran = [];
    const paid = later();
    const { one, other, line, settled } = two((place) => ({
      tools: { sure: () => ask(SURE), pay: async () => (ran.push(place), await paid.promise, "paid") },
      agent: async ({ results }) => (results.length ? "Done." : { calls: ["sure", "pay"].map((name) => ({ id: name, name })) }),
    }));
    const { id, token } = await one.create();
    await one.message(id, "Go on.");
    await becomes(async () => (await one.state(id)).type, "awaiting_user_response");
    line.losesCommit = "before";
    assert.equal(await statusOf(one, id, "respond", { answers: { answer: said } }, { token, key: "k" }), 503);
    assert.equal(await statusOf(other, id, "respond", { answers: { answer: true } }, { token, key: "k" }), 200);
    line.isDown = false;
    await until(() => one.state(id), "the state", ({ type }) => type === "executing");
    paid.keep();
    await settled();
    assert.deepEqual(ran, [1], "the tool ran once, where the answer was stored");
  }
});

test("secrets of an answer that was not stored are not given to the agent", async () => {
  const secret = { id: 1, method: "item/tool/requestUserInput", params: { threadId: "t", turnId: "u", itemId: "i", questions: [{ id: "key", header: "K", question: "Which key?", isOther: false, isSecret: true, options: null }] } };
  const got = [];
  const { one, other, line, settled } = two(() => ({
    tools: { key: () => ask(secret, { dialect: "codex" }) },
    agent: async ({ results }) => (results.length ? (got.push(results[0].contentText), "Done.") : { calls: [{ id: "a", name: "key" }] }),
  }));
  const { id, token } = await one.create();
  await one.message(id, "Go on.");
  await becomes(async () => (await one.state(id)).type, "awaiting_user_response");
  line.losesCommit = "before";
  assert.equal(await statusOf(one, id, "respond", { answers: { key: "not stored" } }, { token, key: "k1" }), 503);
  assert.equal(await statusOf(other, id, "respond", { answers: { key: "stored" } }, { token, key: "k2" }), 200);
  line.isDown = false;
  await settled();
  assert.equal(got.length, 1);
  assert.match(got[0], /"stored"|: stored/);
});

test("what one process has stored is done, also where another one has changed the conversation before that was known", async () => {
  const { one, other, line, settled } = two(() => ({
    tools: { color: () => ask(COLOR, { blocking: false }) },
    agent: async ({ messages, results }) => (results.length ? "I go on." : messages.length === 1 ? { calls: [{ id: "a", name: "color" }] } : `Reply to ${messages.at(-1).text}`),
  }));
  const { id, token } = await one.create();
  await one.message(id, "Go on.");
  await one.settled();
  line.losesCommit = "after";
  assert.equal(await statusOf(one, id, "messages", { text: "Hello?" }, { token, key: "m" }), 503);
  assert.equal(await statusOf(other, id, "messages", { text: "Hello?" }, { token, key: "m" }), 202);
  assert.equal(await statusOf(other, id, "respond", { tool_call_id: "a", answers: { color: "red" } }, { token, key: "k" }), 200);
  line.isDown = false;
  await settled();
  assert.equal((await other.state(id)).type, "idle");
  const said = (await other.messages(id)).filter(({ role }) => role === "assistant").map((/** @type {any} */ { text }) => text);
  assert.match(said.at(-1), /red/);
});

test("an inbox gives a secret to whoever waits in the process that took it, also where another one has changed the conversation meanwhile", async () => {
  const store = memory();
  const [lossy, line] = connection(store);
  const [one, other] = /** @type {any[]} */ ([lossy, store]).map((store) => createInbox({ store, authorize: () => true, onError, poll: 20 }));
  const answer = one.ask({ conversation: "1", callId: "a", request: { questions: [{ id: "key", text: "Which key?", answer_type: "secret" }] } });
  await until(() => one.waiting("1"), "a question", ({ length }) => length === 1);
  const send = () => post(one, "1", "respond", { tool_call_id: "a", answers: { key: "correct horse" } }, { key: "k" });
  line.losesCommit = "after";
  assert.equal((await send())[0], 503);
  await other.put({ conversation: "1", callId: "b", request: SURE });
  line.isDown = false;
  const [status, body] = await until(send, "an acknowledgement", ([status]) => status === 200);
  assert.deepEqual([status, body], [200, { accepted: true, again: true }]);
  assert.deepEqual((await answer).secrets, { key: "correct horse" });
  one.shutdown();
  other.shutdown();
});

/** A host whose store waits for `go` before it gives the transcript, once `slow` says so. */
function slowHost(options) {
  const store = memory();
  const [begun, go] = [later(), later()];
  const slow = { is: false, begun: begun.promise, go: go.keep };
  const lines = async (id, kinds, more) => {
    if (slow.is && kinds.length === 1 && kinds[0] === "message" && !more?.key) {
      slow.is = false;
      begun.keep();
      await go.promise;
    }
    return store.lines(id, kinds, more);
  };
  return [createHost({ store: { ...store, lines }, onError, ...options }), slow];
}

test("an answer that comes while the transcript is read is told to the agent once", async () => {
  const seen = [];
  const [host, slow] = slowHost({
    tools: { color: () => ask(COLOR, { blocking: false }) },
    agent: async ({ messages }) => {
      seen.push(messages.filter(({ contentText }) => contentText?.includes("red")).length);
      return seen.length === 1 ? { calls: [{ id: "a", name: "color" }] } : `Reply ${seen.length}`;
    },
  });
  const { id, token } = await /** @type {any} */ (host).create();
  await /** @type {any} */ (host).message(id, "Go on.");
  await /** @type {any} */ (host).settled();
  /** @type {any} */ (slow).is = true;
  await /** @type {any} */ (host).message(id, "What is the color?");
  await /** @type {any} */ (slow).begun;
  const answered = statusOf(host, id, "respond", { answers: { color: "red" } }, { token, key: "k" });
  /** @type {any} */ (slow).go();
  assert.equal(await answered, 200);
  await /** @type {any} */ (host).settled();
  // In the request that was under way, or else in the next one; never as new in both.
  const last = seen.at(-1);
  assert.equal(last, 1);
  const order = (await /** @type {any} */ (host).messages(id)).map(({ role, callId }) => (role === "user" && callId ? "answer" : role));
  assert.deepEqual(order.slice(-3), seen.length === 4 ? ["assistant", "answer", "assistant"] : ["user", "answer", "assistant"]);
});

test("an answer reaches the agent although its response to the request before was refused, or failed", async () => {
  for (const fails of [false, true]) {
    const [begun, go] = [later(), later()];
    let calls = 0;
    const host = createHost({
      store: memory(),
      onError,
      tools: { color: () => ask(COLOR, { blocking: false }) },
      agent: async () => {
        calls += 1;
        if (calls === 1) return { calls: [{ id: "a", name: "color" }] };
        if (calls > 2) return "Done.";
        begun.keep();
        await go.promise;
        if (fails) throw new Error("The agent failed.");
        return { text: "", calls: [1, 2].map(() => ({ id: "b", name: "color" })) };
      },
    });
    const { id, token } = await host.create();
    await host.message(id, "Go on.");
    await begun.promise;
    assert.equal(await statusOf(host, id, "respond", { answers: { color: "red" } }, { token, key: "k" }), 200);
    go.keep();
    await host.settled();
    assert.deepEqual([calls, (await host.state(id)).type], [3, "idle"]);
  }
});

test("a request keeps its digits on the way to a page, and is no other request", async () => {
  const inbox = createInbox({ store: memory(), authorize: () => true, onError });
  const request = '{"message":"M","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}}';
  await inbox.put({ conversation: "1", callId: "c", request });
  const [one] = await inbox.waiting("1");
  assert.equal(resume(one.request, one.walk, one.options).step.state, "asking");
  const pays = (number) => `{"question":"Pay?","answer_type":"select","options":[{"value":${number},"label":"pay"},{"value":1,"label":"no"}]}`;
  await inbox.put({ conversation: "1", callId: "d", request: pays("9007199254740992") });
  await assert.rejects(inbox.put({ conversation: "1", callId: "d", request: pays("9007199254740993") }), { name: "OtherQuestionError" });
  inbox.shutdown();
});

test("an inbox does not open what is a host's", async () => {
  const store = memory();
  const host = createHost({ store, onError, agent: async () => "Done." });
  const { id } = await host.create();
  await host.message(id, "Go on.");
  await host.settled();
  const inbox = createInbox({ store, authorize: () => true, onError });
  const response = await inbox.handle(new Request(`http://localhost/conversations/${id}/records`));
  assert.equal(response.status, 404);
  await assert.rejects(inbox.put({ conversation: "1", callId: "c", request: SURE, options: { dialect: "mcp" } }), TypeError);
  inbox.shutdown();
});

test("a stream of events ends once its reader has signed out", async () => {
  let isSignedIn = true;
  const inbox = createInbox({ store: memory(), authorize: () => isSignedIn, onError, poll: 20 });
  const reader = (await inbox.handle(new Request("http://localhost/conversations/1/events"))).body.getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /^retry/);
  isSignedIn = false;
  await inbox.put({ conversation: "1", callId: "a", request: SURE });
  assert.deepEqual(await reader.read(), { done: true, value: undefined });
  inbox.shutdown();
});

test("a question that nobody can be asked does not count as open", async () => {
  const results = [];
  const host = createHost({
    store: memory(),
    onError,
    attended: false,
    tools: { sure: () => ask(SURE, { limits: { questionsPerTurn: 2 } }) },
    agent: async ({ results: last }) => {
      results.push(...last.map(({ contentText }) => contentText));
      return results.length < 4 ? { calls: [{ id: `c${results.length}`, name: "sure" }] } : "Done.";
    },
  });
  const { id } = await host.create();
  await host.message(id, "Go on.");
  await host.settled();
  assert.equal(results.length, 4);
  assert.ok(results.every((result) => result.includes("not available to sub-agents")), results.join("\n"));
});
