// The host for JavaScript: what comes twice, late or for another question, and errors in the application's own code.
import assert from "node:assert/strict";
import { createServer, request as httpRequest } from "node:http";
import { after, test } from "node:test";
import { resume } from "../../pkg/dist/core.node.js";
import { ask, createHost, memory } from "../../pkg/dist/host.node.js";
import { JsHost, begin, read } from "./js-host.mjs";
import { until } from "./wait.mjs";

const JSON_TYPE = { "Content-Type": "application/json" };
const SURE = { question: "Sure?", answer_type: "boolean" };
const isAsked = ({ data }) => data.type === "awaiting_user_response";
const isIdle = ({ data }) => data.type === "idle";

/** @import { HostOptions } from "../../pkg/types/host.js" */

const hosts = [];
after(() => hosts.forEach((host) => host.close()));

/** A conversation whose agent asks for each message, under these call ids; what the agent got is in `got`. */
async function conversation(/** @type {Partial<HostOptions> & { ids?: (count: number) => string, question?: object, said?: string }} */ { ids = () => crypto.randomUUID(), question = SURE, said = "I am done.", ...options } = {}) {
  const got = [];
  const agent = async ({ results, messages }) => {
    if (results.length) return (got.push(results[0].contentText), said);
    return { calls: [{ id: ids(messages.filter(({ role }) => role === "user").length), name: "ask_user", input: question }] };
  };
  const own = await JsHost.start({ store: memory(), agent, ...options });
  hosts.push(own);
  const { at, opens, id } = await begin(own.url, "Go on.");
  const send = async (method, path, body, headers) => {
    const response = await fetch(`${at}/${path}`, { method, headers: { ...JSON_TYPE, ...opens, ...headers }, body: typeof body === "string" ? body : JSON.stringify(body) });
    return { status: response.status, body: response.status === 204 ? undefined : await response.json() };
  };
  const hear = (until) => read(`${at}/events`, opens, (found) => found.some(until));
  const due = async () => (await hear(isAsked)).findLast(isAsked).data;
  return { ...own, url: own.url, host: own.host, at, opens, id, got, send, hear, due, state: async () => (await own.host.state(id)).type };
}

/** The walk of a page at the open question. */
const walkOf = (/** @type {any} */ { request, walk, options, dialect }) => resume(request, walk, { ...options, dialect });

test("an answer belongs to its question, also where the agent uses the id of a call again", async () => {
  const { send, due, host, id, got, state } = await conversation({ ids: () => "call_1" });
  await due();
  const answer = { tool_call_id: "call_1", answers: { answer: true } };
  assert.deepEqual((await send("POST", "respond", answer)).body, { accepted: true, again: false });
  await host.settled();
  assert.deepEqual((await send("POST", "respond", answer)).body, { accepted: true, again: true });
  await host.message(id, "Again.");
  await host.settled();
  assert.equal(await state(), "awaiting_user_response");
  // Whether this is the first answer once more, nobody can tell.
  const unclear = await send("POST", "respond", answer);
  assert.deepEqual([unclear.status, unclear.body.error], [409, "needs_key"]);
  assert.equal(await state(), "awaiting_user_response");
  assert.deepEqual((await send("POST", "respond", answer, { "Idempotency-Key": "second" })).body, { accepted: true, again: false });
  await host.settled();
  await host.message(id, "And again.");
  await host.settled();
  // Another answer is for the question that is open.
  assert.deepEqual((await send("POST", "respond", { answers: { answer: false } })).body, { accepted: true, again: false });
  await host.settled();
  assert.deepEqual(got.map((text) => JSON.parse(text).answer), [true, true, false]);
});

test("a walk that was taken is known again while its call is open for another question", async () => {
  const { send, due, host, id, state } = await conversation({ ids: () => "call_1" });
  const walk = walkOf(await due());
  walk.answer(true);
  const answer = () => send("POST", "respond", { tool_call_id: "call_1", ...walk.response });
  assert.deepEqual((await answer()).body, { accepted: true, again: false });
  await host.settled();
  await host.message(id, "Again.");
  await host.settled();
  assert.deepEqual((await answer()).body, { accepted: true, again: true });
  assert.equal(await state(), "awaiting_user_response");
});

test("a key that was used for another question acknowledges nothing", async () => {
  const { send, due, host, id, state } = await conversation({ ids: (count) => `call_${count}` });
  await due();
  const key = { "Idempotency-Key": "k" };
  assert.equal((await send("POST", "respond", { tool_call_id: "call_1", answers: { answer: true } }, key)).status, 200);
  await host.settled();
  await host.message(id, "Again.");
  await host.settled();
  const walk = walkOf(await due());
  walk.answer(true);
  for (const body of [{ tool_call_id: "call_2", answers: { answer: true } }, { tool_call_id: "call_2", ...walk.response }]) assert.equal((await send("POST", "respond", body, key)).status, 409);
  assert.equal(await state(), "awaiting_user_response");
  // The answer that the key belongs to is still known.
  assert.deepEqual((await send("POST", "respond", { tool_call_id: "call_1", answers: { answer: true } }, key)).body, { accepted: true, again: true });
});

test("who stops the agent stops it, also after an answer that was saved and not sent", async () => {
  const { send, due, host, got, id, hear } = await conversation({ said: "" });
  const question = await due();
  const walk = walkOf(question);
  walk.answer(true);
  assert.equal((await send("PUT", "walk", { tool_call_id: question.tool_call_id, walk: walk.save() })).status, 204);
  assert.equal((await send("POST", "cancel", {})).status, 200);
  await host.settled();
  assert.equal((await host.state(id)).type, "idle");
  const messages = await host.messages(id);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool"], "the agent said nothing after that");
  assert.doesNotMatch(/** @type {any} */ (messages.at(-1)).contentText, /true/);
  assert.equal((await hear(isIdle)).find(({ data }) => data.closed)?.data.closed.how, "turn_ended");
  // The page that sends the answer now hears that it does not count.
  assert.equal((await send("POST", "respond", { tool_call_id: question.tool_call_id, ...walk.response }, { "Idempotency-Key": walk.idempotencyKey })).status, 409);
  assert.deepEqual(got, []);
});

test("a question that no version can read any more can be stopped", async () => {
  const store = memory();
  const { send, due, id, host } = await conversation({ store, onError: () => undefined });
  await due();
  const { revision, state } = await store.load(id);
  const old = JSON.parse(state);
  old.desks[0].handed_out.ask_user_walk = 1;
  assert.equal(await store.commit(id, revision, { state: JSON.stringify(old), isOpen: true, lines: [] }), true);
  assert.equal((await send("POST", "cancel", {})).status, 200);
  await host.settled();
  assert.equal((await host.state(id)).type, "idle");
});

test("a tool makes its result of one answer only, whichever process is faster and whatever fails", async () => {
  const store = memory();
  const made = [];
  let [reached, letGo] = /** @type {any[]} */ ([]);
  const begun = new Promise((resolve) => (reached = resolve));
  const held = new Promise((resolve) => (letGo = resolve));
  const tools = (slow) => ({
    migrate: {
      run: () => ask({ question: "Which database?", answer_type: "text" }),
      async answered(/** @type {any} */ { result }, { key }) {
        made.push([result.answer, key]);
        if (slow) (reached(), await held);
        return { migrated: result.answer };
      },
    },
  });
  const agent = async ({ results }) => (results.length ? "I am done." : { calls: [{ id: "a", name: "migrate" }] });
  const onError = () => undefined;
  const one = createHost({ store, agent, tools: tools(true), onError });
  const other = createHost({ store, agent, tools: tools(false), onError });
  const { id, token } = await one.create();
  await one.message(id, "Go on.");
  await one.settled();
  const post = async (host, answer, key) => {
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}`, "Idempotency-Key": key };
    const response = await host.handle(new Request(`http://localhost/conversations/${id}/respond`, { method: "POST", headers, body: JSON.stringify({ answers: { answer } }) }));
    return response.status;
  };
  // The first process is at its tool, and ends there.
  const first = post(one, "staging", "k1");
  await begun;
  assert.equal(await post(other, "production", "k2"), 409);
  // Nothing more is kept of a question that was answered.
  const { handed_out: walk } = JSON.parse((await store.load(id)).state).desks[0];
  const saved = await other.handle(new Request(`http://localhost/conversations/${id}/walk`, { method: "PUT", headers: { ...JSON_TYPE, Authorization: `Bearer ${token}` }, body: JSON.stringify({ tool_call_id: "a", walk }) }));
  assert.equal(saved.status, 409);
  assert.equal(await post(other, "production", "k1"), 409);
  // The page sends the first answer again, to the process that is left.
  assert.equal(await post(other, "staging", "k1"), 200);
  letGo();
  assert.equal(await first, 200);
  await other.settled();
  assert.deepEqual([...new Set(made.map(([answer]) => answer))], ["staging"]);
  assert.equal(new Set(made.map(([, key]) => key)).size, 1);
  const messages = await other.messages(id);
  assert.deepEqual(messages.filter(({ role }) => role === "tool").map((/** @type {any} */ { content }) => content), [{ migrated: "staging" }]);
});

/** A host whose tool makes its result of an answer and never comes to its end, and what a client and the next process do then. */
async function interrupted(question, options = {}) {
  const store = memory();
  const made = [];
  let reached;
  const begun = new Promise((resolve) => (reached = resolve));
  const tools = (ends) => ({
    migrate: {
      run: () => ask(question),
      answered(/** @type {any} */ { result, secrets }, { key }) {
        made.push([secrets?.key ?? result.answer, key]);
        return ends ? { migrated: true } : (reached(), new Promise(() => undefined));
      },
    },
  });
  const agent = async ({ results }) => (results.length ? "I am done." : { calls: [{ id: "a", name: "migrate" }] });
  const hosts = [false, true].map((ends) => createHost({ store, agent, tools: tools(ends), onError: () => undefined, ...options }));
  const { id, token } = await hosts[0].create();
  await hosts[0].message(id, "Go on.");
  await hosts[0].settled();
  const post = async (host, path, body, key) => {
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}`, ...(key && { "Idempotency-Key": key }) };
    return (await host.handle(new Request(`http://localhost/conversations/${id}/${path}`, { method: "POST", headers, body: JSON.stringify(body) }))).status;
  };
  const results = async () => (await hosts[1].messages(id)).filter(({ role }) => role === "tool").map((/** @type {any} */ { content }) => content);
  return { first: hosts[0], next: hosts[1], id, post, begun, made, results, store };
}

test("the next process goes on with the answer that a tool was called for, and with no other", async () => {
  const { first, next, id, post, begun, made, results } = await interrupted(SURE);
  post(first, "respond", { answers: { answer: true } }, "k1");
  await begun;
  await next.resume();
  await next.settled();
  assert.deepEqual(made.map(([answer]) => answer), [true, true]);
  assert.equal(new Set(made.map(([, key]) => key)).size, 1);
  assert.equal((await next.state(id)).type, "idle");
  assert.equal(await post(next, "respond", { answers: { answer: false } }, "k2"), 409);
  assert.equal(await post(next, "respond", { answers: { answer: true } }, "k1"), 200);
  assert.deepEqual(await results(), [{ migrated: true }]);
});

test("an answer that was taken stays the only one while its tool is interrupted, and reaches the agent also where the person stops it", async () => {
  for (const stops of [true, false]) {
    const { first, next, id, post, begun, made, results, store } = await interrupted(SURE);
    post(first, "respond", { tool_call_id: "a", answers: { answer: true } }, "k1");
    await begun;
    const { request, options, handed_out: walk } = JSON.parse((await store.load(id)).state).desks[0];
    for (const way of ["answer", "endTurn"]) {
      const other = walkOf({ request, walk, options });
      other[way](true);
      assert.equal(await post(next, way === "answer" ? "respond" : "cancel", { tool_call_id: "a", ...other.response }, "k2"), 409);
    }
    assert.equal(await post(next, ...(stops ? ["cancel", {}] : ["respond", { answers: { answer: true } }, "k1"])), 200);
    await next.settled();
    assert.equal((await next.state(id)).type, "idle");
    assert.deepEqual([made.map(([answer]) => answer), new Set(made.map(([, key]) => key)).size], [[true, true], 1]);
    assert.deepEqual(await results(), [{ migrated: true }]);
    assert.equal((await next.messages(id)).some((/** @type {any} */ { text }) => text === "I am done."), !stops);
    assert.equal(await post(next, "respond", { tool_call_id: "a", answers: { answer: true } }, "k1"), 200);
  }
});

test("with a key for all processes, an answer is known by its secrets in each of them", async () => {
  const question = { questions: [{ id: "key", text: "Key?", answer_type: "secret" }] };
  const { first, next, post, begun, made, store, id } = await interrupted(question, { key: "k".repeat(32) });
  post(first, "respond", { answers: { key: "hunter-1" } }, "k1");
  await begun;
  await next.resume();
  assert.equal(await post(next, "respond", { answers: { key: "hunter-2" } }, "k1"), 409);
  assert.equal(await post(next, "respond", { answers: { key: "hunter-1" } }, "k1"), 200);
  assert.equal(await post(next, "respond", { answers: { key: "hunter-2" } }, "k1"), 409);
  assert.deepEqual(made.map(([secret]) => secret), ["hunter-1", "hunter-1"]);
  assert.doesNotMatch(JSON.stringify([await store.load(id), await store.lines(id, ["message", "response", "record", "state"])]), /hunter/);
  assert.throws(() => createHost({ store, agent: async () => "", key: "short" }), /32 characters/);
});

test("a secret that an agent's own format has in the result reaches the agent, and is neither stored nor told", async () => {
  const store = memory();
  const got = [];
  const input = { questions: [{ id: "token", header: "Token", question: "Which token?", isSecret: true }] };
  const agent = async ({ results, messages }) => {
    if (results.length) got.push(results[0].content, messages.findLast(({ role }) => role === "tool").contentText);
    return got.length ? "I have it." : { calls: [{ id: "a", name: "request_user_input", input }] };
  };
  const { send, due, host, id, hear } = await conversation({ store, agent, dialects: ["codex"] });
  await due();
  assert.equal((await send("POST", "respond", { answers: { token: "hunter-22" } })).status, 200);
  await host.settled();
  const answer = { answers: { token: { answers: ["hunter-22"] } } };
  assert.deepEqual(got, [answer, JSON.stringify(answer)]);
  assert.deepEqual(/** @type {any} */ ((await host.messages(id)).find(({ role }) => role === "tool")).content, { answers: { token: { answers: ["[redacted]"] } } });
  const everything = [await store.load(id), await store.lines(id, ["message", "response", "record", "state"]), await hear(isIdle)];
  assert.doesNotMatch(JSON.stringify(everything), /hunter/);
});

test("a closed question that another version has stored keeps nobody from asking again", async () => {
  const store = memory();
  const lines = async (...given) => (await store.lines(.../** @type {Parameters<import("../../pkg/types/host.js").Store["lines"]>} */ (given))).map((line) => ({ ...line, text: line.text.replace('"ask_user_desk":1', '"ask_user_desk":2') }));
  const { send, due, host, id, state } = await conversation({ store: { ...store, lines }, ids: () => "call_1" });
  await due();
  const key = { "Idempotency-Key": "k" };
  assert.equal((await send("POST", "respond", { answers: { answer: true } }, key)).status, 200);
  await host.settled();
  await host.message(id, "Again.");
  await host.settled();
  assert.equal(await state(), "awaiting_user_response");
  assert.equal((await send("POST", "respond", { answers: { answer: true } }, key)).status, 409);
  assert.equal((await send("POST", "respond", { answers: { answer: false } }, { "Idempotency-Key": "l" })).status, 200);
});

const CODEX = { questions: [{ id: "token", header: "Token", question: "Which token?", isSecret: true }] };
const TOKEN = (token) => ({ answers: { token: { answers: [token] } } });

test("a secret reaches the agent each time that it is called in the turn, and no other result takes its place", async () => {
  const got = [];
  let fails = false;
  const agent = async ({ messages, results }) => {
    if (fails) throw ((fails = false), new Error("The model is down."));
    got.push(results[0]?.content);
    const asked = messages.filter(({ role }) => role === "tool").length;
    if (asked === 0) return { calls: [{ id: "a", name: "request_user_input", input: CODEX }] };
    return asked === 1 ? { calls: [{ id: "a", name: "add", input: { a: 1, b: 2 } }] } : "I am done.";
  };
  const { send, due, host } = await conversation({ agent, dialects: ["codex"], onError: () => undefined });
  await due();
  fails = true;
  assert.equal((await send("POST", "respond", { answers: { token: "hunter-22" } })).status, 200);
  await host.settled();
  assert.equal((await send("POST", "retry", {})).status, 202);
  await host.settled();
  // The same id of a call, with another result.
  assert.deepEqual(got, [undefined, TOKEN("hunter-22"), 3]);
});

test("a secret that was not stored as the answer is not the agent's", async () => {
  const store = memory();
  let fails = false;
  const commit = async (...given) => {
    if (fails) throw ((fails = false), new Error("The connection was refused."));
    return store.commit(.../** @type {Parameters<import("../../pkg/types/host.js").Store["commit"]>} */ (given));
  };
  const got = [];
  const agent = async ({ results }) => (results.length ? (got.push(results[0].content), "I am done.") : { calls: [{ id: "a", name: "request_user_input", input: CODEX }] });
  const { send, due, host } = await conversation({ store: { ...store, commit }, agent, dialects: ["codex"], onError: () => undefined });
  await due();
  fails = true;
  assert.equal((await send("POST", "respond", { answers: { token: "hunter-22" } }, { "Idempotency-Key": "k1" })).status, 503);
  assert.equal((await send("POST", "respond", { answers: { token: "other-33" } }, { "Idempotency-Key": "k2" })).status, 200);
  await host.settled();
  assert.deepEqual(got, [TOKEN("other-33")]);
});

test("a tool has the secrets apart from the result", async () => {
  const store = memory();
  const seen = [];
  const tools = { post: { run: () => ask(CODEX, { dialect: "codex" }), answered: (outcome) => (seen.push(outcome), outcome.result) } };
  const agent = async ({ results }) => (results.length ? "I am done." : { calls: [{ id: "a", name: "post" }] });
  const { send, due, host, id } = await conversation({ store, agent, tools });
  await due();
  assert.equal((await send("POST", "respond", { answers: { token: "hunter-22" } })).status, 200);
  await host.settled();
  assert.deepEqual([seen[0].secrets, seen[0].result], [{ token: "hunter-22" }, TOKEN("[redacted]")]);
  assert.doesNotMatch(JSON.stringify([await store.load(id), await store.lines(id, ["message", "response", "record", "state"])]), /hunter/);
});

test("plain answers that name no question are for the one that was open when they came, whichever process is faster", async () => {
  for (const next of ["c2", "c1"]) {
    const store = memory();
    const agent = async ({ results, messages }) => {
      const asked = messages.filter(({ role }) => role === "tool").length;
      return asked > 1 ? "I am done." : { calls: [{ id: results.length ? next : "c1", name: "ask_user", input: { question: asked ? "Delete the database?" : "Delete the logs?", answer_type: "boolean" } }] };
    };
    let other;
    const commit = async (...given) => {
      const act = other;
      other = undefined;
      await act?.();
      return store.commit(.../** @type {Parameters<import("../../pkg/types/host.js").Store["commit"]>} */ (given));
    };
    const [one, two] = [createHost({ store: { ...store, commit }, agent }), createHost({ store, agent })];
    const { id, token } = await two.create();
    await two.message(id, "Go on.");
    await two.settled();
    const post = async (host, answer) => {
      const request = new Request(`http://localhost/conversations/${id}/respond`, { method: "POST", headers: { ...JSON_TYPE, Authorization: `Bearer ${token}` }, body: JSON.stringify({ answers: { answer } }) });
      return (await host.handle(request)).status;
    };
    other = async () => {
      assert.equal(await post(two, false), 200);
      await two.settled();
    };
    assert.equal(await post(one, true), 409, next);
    assert.deepEqual([(await two.state(id)).type, /** @type {any} */ ((await two.state(id)).request).question], ["awaiting_user_response", "Delete the database?"]);
  }
});

test("a key of long ago takes no answer, and nothing is stuck", async () => {
  for (const between of ["call_1", undefined]) {
    const { send, due, host, id, state } = await conversation({ ids: (count) => (count === 1 || count === 26 ? "call_1" : between ?? `call_${count}`) });
    for (let count = 1; count <= 26; count += 1) {
      await due();
      if (count === 26) break;
      assert.equal((await send("POST", "respond", { answers: { answer: true } }, { "Idempotency-Key": `k${count}` })).status, 200);
      await host.settled();
      await host.message(id, "Again.");
      await host.settled();
    }
    const refused = await send("POST", "respond", { tool_call_id: "call_1", answers: { answer: true } }, { "Idempotency-Key": "k1" });
    assert.deepEqual([refused.status, await state()], [409, "awaiting_user_response"]);
    assert.equal((await send("POST", "respond", { tool_call_id: "call_1", answers: { answer: true } }, { "Idempotency-Key": "new" })).status, 200);
    await host.settled();
    assert.equal(await state(), "idle");
  }
});

test("an answer that is stored reaches the agent, also where the store failed then and its client has gone", async () => {
  for (const [fault, after] of /** @type {any[][]} */ ([[1, true], [2, false], [2, true]])) {
    const store = memory();
    let commits = Infinity;
    const commit = async (...given) => {
      commits -= 1;
      if (commits === 0 && !after) throw new Error("The connection was refused.");
      const done = await store.commit(.../** @type {Parameters<import("../../pkg/types/host.js").Store["commit"]>} */ (given));
      if (commits === 0) throw new Error("The connection was reset.");
      return done;
    };
    const made = [];
    const tools = { migrate: { run: () => ask(SURE), answered: (/** @type {any} */ { result }) => (made.push(result.answer), { migrated: true }) } };
    const agent = async ({ results }) => (results.length ? "I am done." : { calls: [{ id: "a", name: "migrate" }] });
    const { send, due, host, id, state } = await conversation({ store: { ...store, commit }, agent, tools, onError: () => undefined });
    await due();
    commits = fault;
    assert.equal((await send("POST", "respond", { answers: { answer: true } })).status, 503);
    await host.settled();
    assert.equal(await state(), "idle", `${fault}, ${after}`);
    assert.deepEqual(/** @type {any} */ ((await host.messages(id)).find(({ role }) => role === "tool")).content, { migrated: true });
    assert.ok(made.every((answer) => answer === true));
  }
});

test("a walk that names another call, or no question, is taken for none", async () => {
  const { send, due, host, id, state } = await conversation({ ids: (count) => `c${count}` });
  const walk = walkOf(await due());
  walk.answer(true);
  const key = { "Idempotency-Key": "k" };
  assert.equal((await send("POST", "respond", { tool_call_id: "c1", ...walk.response }, key)).status, 200);
  await host.settled();
  await host.message(id, "Again.");
  await host.settled();
  const { nonce: _, ...nameless } = walk.response.walk;
  for (const body of [walk.response, { ...walk.response, walk: nameless }, { walk: { log: walk.response.walk.log }, secrets: {} }]) {
    assert.equal((await send("POST", "respond", { tool_call_id: "c2", ...body }, key)).status, 409);
  }
  assert.equal(await state(), "awaiting_user_response");
  assert.equal((await send("POST", "respond", { tool_call_id: "c1", ...walk.response }, key)).status, 200);
});

test("after the person has stopped it, a tool is not told of an answer that an assistant gave", async () => {
  let [reached, letGo] = /** @type {any[]} */ ([]);
  const begun = new Promise((resolve) => (reached = resolve));
  const held = new Promise((resolve) => (letGo = resolve));
  const made = [];
  const tools = { migrate: { run: () => ask({ questions: [{ id: "go", text: "Go?", answer_type: "boolean" }] }, { target: "assistant" }), answered: () => made.push("migrated") } };
  const agent = async ({ results }) => (results.length ? "I am done." : { calls: [{ id: "a", name: "migrate" }] });
  const own = createHost({ store: memory(), agent, tools, assistant: async () => (reached(), await held, { reason: "It is safe.", answer: true }) });
  const { id } = await own.create();
  await own.message(id, "Go on.");
  await begun;
  await own.stop(id);
  letGo();
  await own.settled();
  assert.deepEqual([made, (await own.state(id)).type], [[], "idle"]);
});

test("a question of another version is told as unreadable, and can be stopped", async () => {
  for (const spoil of [(desk) => (desk.ask_user_desk = 2), (desk) => delete desk.options, (desk) => delete desk.call]) {
    const store = memory();
    const { send, due, id, host } = await conversation({ store, onError: () => undefined });
    await due();
    const { revision, state } = await store.load(id);
    const other = JSON.parse(state);
    spoil(other.desks[0]);
    assert.equal(await store.commit(id, revision, { state: JSON.stringify(other), isOpen: true, lines: [] }), true);
    if (other.desks[0].ask_user_desk === 2) {
      const { status, body } = await send("POST", "respond", { answers: { answer: true } });
      assert.deepEqual([status, body.error], [500, "unreadable"]);
    }
    assert.equal((await send("POST", "cancel", {})).status, 200);
    await host.settled();
    assert.equal((await host.state(id)).type, "idle");
  }
});

test("a body that a middleware has read is refused where a number has lost digits", async () => {
  const { host } = await conversation();
  const { listener } = await import("../../pkg/dist/host.listener.js");
  const listen = listener(host);
  const server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (piece) => (text += piece)).on("end", () => {
      /** @type {any} */ (incoming).body = JSON.parse(text);
      listen(incoming, outgoing);
    });
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  const post = (body) => fetch(`http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/conversations`, { method: "POST", headers: JSON_TYPE, body });
  assert.equal((await post('{"n":12345678901234567890}')).status, 422);
  assert.equal((await post('{"n":[9007199254740991,0.1]}')).status, 201);
  server.close();
});

test("a conversation that the store cannot give holds up no other one", async () => {
  const store = memory();
  const first = createHost({ store, agent: () => new Promise(() => undefined) });
  const ids = [];
  for (const _ of [1, 2]) {
    const { id } = await first.create();
    ids.push(id);
    await first.message(id, "Go on.");
  }
  const load = async (id, options) => {
    if (id === ids[0]) throw new Error("This row cannot be read.");
    return store.load(id, options);
  };
  const errors = [];
  const second = createHost({ store: { ...store, load }, agent: async () => "I am here.", onError: (/** @type {any} */ error) => void errors.push(error.message) });
  await second.resume();
  await until(() => store.lines(ids[1], ["message"]), "two messages", ({ length }) => length >= 2);
  assert.deepEqual([...new Set(errors)], ["This row cannot be read."]);
  second.close();
  await second.settled();
});

test("a message under a key is sent once, and stopping a call stops no other one", async () => {
  const { send, due, host, id, state } = await conversation({ ids: (count) => `call_${count}` });
  await due();
  assert.deepEqual([(await send("POST", "cancel", { tool_call_id: "call_0" })).status, await state()], [409, "awaiting_user_response"]);
  assert.equal((await send("POST", "cancel", { tool_call_id: "call_1" })).status, 200);
  await host.settled();
  const key = { "Idempotency-Key": "m" };
  for (let time = 0; time < 2; time += 1) assert.equal((await send("POST", "messages", { text: "Once." }, key)).status, 202);
  assert.equal((await send("POST", "messages", { text: "Other." }, key)).status, 409);
  await host.settled();
  assert.equal((await host.messages(id)).filter((/** @type {any} */ { text }) => text === "Once.").length, 1);
  assert.equal(await state(), "awaiting_user_response");
});

test("no number loses a digit on its way to the agent, and the same one is known again", async () => {
  const { send, due, got, host, id } = await conversation({ question: { question: "How many?", answer_type: "number" } });
  await due();
  for (const number of [`1${"0".repeat(4_000_000)}1`, `1e${"9".repeat(4_000_000)}`, "123456789012345678901", "0.1000000000000000055511151231257827", "1e400", "-1.00000000000000000001"]) {
    const { status, body } = await send("POST", "respond", `{"answers":{"answer":${number}}}`);
    assert.equal(status, 422, number.slice(0, 30));
    assert.match(body.message, /more digits than are kept|too large/);
  }
  // Digits in texts are not numbers, and numbers that are kept are taken however they are written.
  for (const [number, kept = number] of [["12345678901234567891"], ["9007199254740993"], ["1200e-2", "12.0"]]) {
    const call = (await due()).tool_call_id;
    const body = `{"tool_call_id":${JSON.stringify(call)},"more":"123456789012345678901","and":[1e3,0.10,-0,5e-324,1.7976931348623157e308],"answers":{"answer":${number}}}`;
    const again = [];
    for (let time = 0; time < 2; time += 1) {
      again.push((await send("POST", "respond", body)).body);
      await host.settled();
    }
    assert.deepEqual(again, [{ accepted: true, again: false }, { accepted: true, again: true }], number);
    assert.equal(got.at(-1), `{"answer_type":"number","answer":${kept}}`);
    assert.equal((await send("POST", "respond", { tool_call_id: call, answers: { answer: 1 } })).status, 409);
    await host.message(id, "Again.");
    await host.settled();
  }
});

test("a store that fails while conversations are resumed leaves none behind", async () => {
  const store = memory();
  const first = createHost({ store, agent: () => new Promise(() => undefined) });
  const { id } = await first.create();
  await first.message(id, "Go on.");
  let fails = 2;
  const failing = (act) => async (...given) => {
    if (fails-- > 0) throw new Error("The connection was reset.");
    return act(...given);
  };
  const second = createHost({ store: { ...store, open: failing(store.open), load: failing(store.load) }, agent: async () => "I am here.", onError: () => undefined });
  await second.resume();
  await second.settled();
  assert.equal(/** @type {any} */ ((await second.messages(id)).at(-1)).text, "I am here.");
});

test("another secret under the key of an answer is refused where the store failed after it had stored that", async () => {
  const store = memory();
  let fails = false;
  const commit = async (...given) => {
    const done = await store.commit(.../** @type {Parameters<import("../../pkg/types/host.js").Store["commit"]>} */ (given));
    if (fails) throw ((fails = false), new Error("The connection was reset."));
    return done;
  };
  const { send, due } = await conversation({ store: { ...store, commit }, question: { questions: [{ id: "key", text: "Key?", answer_type: "secret" }] }, onError: () => undefined });
  await due();
  fails = true;
  const answer = (key) => send("POST", "respond", { answers: { key } }, { "Idempotency-Key": "k" });
  assert.equal((await answer("one")).status, 503);
  assert.equal((await answer("two")).status, 409);
  assert.deepEqual((await answer("one")).body, { accepted: true, again: true });
});

test("what an agent, a tool, an assistant and onError throw ends neither the conversation nor the process", { timeout: 60_000 }, async () => {
  let deep = /** @type {any} */ (1);
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  const replies = { raw: { text: "x", raw: deep }, input: { calls: [{ id: "a", name: "odd", input: deep }] }, odd: { calls: [{ id: "a", name: "odd" }] }, symbol: { calls: [{ id: "a", name: "symbol" }] }, deep: { calls: [{ id: "a", name: "deep" }] } };
  const fail = (value) => () => {
    throw value;
  };
  const tools = { odd: fail(Object.create(null)), symbol: fail(Symbol("x")), deep: () => deep };
  const onError = async () => {
    throw new Error("The logger failed.");
  };
  const agent = async ({ messages, results }) => (results.length ? "I got it." : replies[messages.at(-1).text] ?? fail(new Error("No."))());
  const said = console.error;
  console.error = () => undefined;
  try {
    const own = createHost({ store: memory(), agent, tools, onError });
    for (const text of [...Object.keys(replies), "fails"]) {
      const { id } = await own.create();
      await own.message(id, text);
      await own.settled();
      assert.equal((await own.state(id)).type, "idle", text);
    }
    await assert.rejects(own.message("0".repeat(32), ""), /missing or empty/);
  } finally {
    console.error = said;
  }
});

test("an assistant that fails leaves the question to the person", async () => {
  const question = { questions: [{ id: "go", text: "Go?", answer_type: "boolean" }] };
  const agent = async ({ results }) => (results.length ? "I am done." : { calls: [{ id: "a", name: "deploy" }] });
  const errors = [];
  const assistant = async () => {
    throw new Error("The model is down.");
  };
  const tools = { deploy: () => ask(question, { target: "assistant" }) };
  const own = createHost({ store: memory(), agent, tools, assistant, onError: (/** @type {any} */ error) => void errors.push(error.message) });
  const { id } = await own.create();
  await own.message(id, "Go on.");
  await own.settled();
  assert.equal((await own.state(id)).type, "awaiting_user_response");
  assert.deepEqual(errors, ["The model is down."]);
});

test("a connection can be used again after a request that was refused before its body was read", async () => {
  const { url } = await conversation();
  const { Agent } = await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (headers, body) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${url}/conversations`, { agent, method: "POST", headers, timeout: 5_000 }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      });
      request.on("error", reject).on("timeout", () => request.destroy(new Error("no response")));
      request.end(body);
    });
  const large = "x".repeat(1 << 20);
  const statuses = [];
  for (const [headers, body] of [[{ "Content-Type": "text/plain" }, large], [JSON_TYPE, "{}"], [{ ...JSON_TYPE, "Content-Length": String(9 << 20) }, "x".repeat(9 << 20)], [JSON_TYPE, "{}"], [{ ...JSON_TYPE, "Transfer-Encoding": "chunked" }, "x".repeat(9 << 20)], [JSON_TYPE, "{}"]]) {
    statuses.push(await post(headers, body));
  }
  agent.destroy();
  assert.deepEqual(statuses, [415, 201, 413, 201, 413, 201]);
});
