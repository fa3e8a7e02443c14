// Questions of a program that keeps the control of its agent (`createInbox`), with a store in memory: docs/delivery.md, and what its `ask` gives. On SQLite, with
// processes that are killed: tests/servers/inbox.test.mjs.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, mock, test } from "node:test";
import { RejectionError, resume } from "../../pkg/dist/core.node.js";
import { listener } from "../../pkg/dist/host.listener.js";
import { OtherQuestionError, QuestionClosedError, createHost, createInbox, memory } from "../../pkg/dist/host.node.js";
import { conformsOverHttp, keepsVersions, overHttp } from "./conformance.mjs";
import { Dice } from "./dice.mjs";
import { unreliable } from "./js-host-faults.mjs";
import { QUESTIONS, read } from "./js-host.mjs";
import { stoppedTime, tasks, until } from "./wait.mjs";

const SURE = { questions: [{ id: "sure", text: "Sure?", answer_type: "boolean" }] };
const KEY = { questions: [...SURE.questions, { id: "key", text: "Which key?", answer_type: "secret" }] };
const SECRET = "correct horse";
const OPENS = { Authorization: "Bearer of the session" };
const isAsked = ({ data }) => data.type === "awaiting_user_response";

const ends = [];
after(() => ends.forEach((end) => end()));

/** @import { InboxOptions, Store } from "../../pkg/types/host.js" */

/** An inbox, and one of its conversations as clients see it. */
function begin(/** @type {Partial<InboxOptions>} */ { store = memory(), ...options } = {}) {
  const authorize = ({ headers }) => headers.get("authorization") === OPENS.Authorization;
  const inbox = createInbox({ store, authorize, ...options });
  ends.push(() => inbox.shutdown());
  const conversation = crypto.randomUUID();
  const request = (path, init) => inbox.handle(new Request(`http://localhost/conversations/${conversation}${path}`, init));
  const post = async (path, body, headers, method = "POST") => {
    const response = await request(path, { method, headers: { "Content-Type": "application/json", ...OPENS, ...headers }, body: JSON.stringify(body) });
    return { status: response.status, body: response.status === 204 ? undefined : await response.json() };
  };
  const respond = (callId, answers, headers) => post("/respond", { tool_call_id: callId, answers }, headers);
  const ask = (callId, request, more) => inbox.ask({ conversation, callId, request, ...more });
  const put = (callId, request, more) => inbox.put({ conversation, callId, request, ...more });
  return { inbox, store, conversation, request, post, respond, ask, put };
}

/** A server for an inbox; gives its address. */
async function serve(inbox) {
  const server = createServer(listener(inbox));
  ends.push(() => (server.closeAllConnections(), server.close()));
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/conversations`;
}

/** What clients of a conversation hear until one of their events is so. */
const hear = (at, until, after = "0") => read(`${at}/events`, { ...OPENS, "Last-Event-ID": after }, (found) => found.some(until));

/** A store that throws at the calls that `faults` has: `[name, whether it was stored all the same]`, each once. */
const failing = (store, faults) =>
  /** @type {any} */ (Object.fromEntries(
    Object.entries(store).map(([name, act]) => [name, async (...given) => {
      const fault = faults.find(([of]) => of === name);
      if (!fault) return act(...given);
      faults.splice(faults.indexOf(fault), 1);
      if (fault[1]) await act(...given);
      throw new Error("The store failed.");
    }]),
  ));

/** All that a store was given, as text. */
function watched(store) {
  const given = [];
  const watching = Object.entries(store).map(([name, act]) => [name, (...values) => (given.push(JSON.stringify([name, ...values])), act(...values))]);
  return { given, ...Object.fromEntries(watching) };
}

const due = async () => {
  const { inbox, conversation } = begin();
  const at = `${await serve(inbox)}/${conversation}`;
  const got = inbox.ask({ conversation, callId: "call_1", request: QUESTIONS });
  // Who still waits when the suite ends hears that the inbox has shut down.
  got.catch(() => undefined);
  const { tool_call_id: toolCallId, request, walk, version, dialect, options } = (await hear(at, isAsked)).find(isAsked).data.requests[0];
  const body = (response) => (response && typeof response === "object" && !Array.isArray(response) ? { tool_call_id: toolCallId, ...response } : response);
  const over = overHttp({ url: `${at}/respond`, saveUrl: `${at}/walk`, headers: OPENS, body });
  const taken = async () => ((await inbox.answered(conversation, "call_1")) ? [(await got).result] : []);
  return { ...over, request, walk, version, options: { ...options, tool_call_id: undefined, toolCallId, dialect }, taken };
};
conformsOverHttp("an inbox", { due });
keepsVersions("an inbox", { due });

test("a program gets the answer, and gets it again for the same call, also in another process", async () => {
  const { inbox, store, conversation, respond, ask, put } = begin({ label: "Deploy agent" });
  const asked = put("call_1", SURE);
  await asked;
  const answer = ask("call_1", { questions: [{ answer_type: "boolean", text: "Sure?", id: "sure" }] });
  const [due] = await inbox.waiting(conversation);
  assert.deepEqual([due.tool_call_id, due.request, /** @type {any} */ (due.options).label], ["call_1", SURE, "Deploy agent"]);
  assert.equal(await inbox.answered(conversation, "call_1"), undefined);
  assert.deepEqual(await respond("call_1", { sure: true }), { status: 200, body: { accepted: true, again: false } });
  const { id, result, resultText, outcome, records, isTurnEnded } = await answer;
  assert.deepEqual([result, resultText, outcome, isTurnEnded], [{ sure: true }, '{"sure":true}', { ends: "completed", result: { sure: true } }, false]);
  assert.deepEqual(await inbox.records(conversation), records);
  const other = createInbox({ store, authorize: () => true });
  assert.equal((await other.ask({ conversation, callId: "call_1", request: SURE })).id, id);
  assert.deepEqual([(await other.answered(conversation, "call_1")).result, await other.waiting(conversation)], [{ sure: true }, []]);
  other.shutdown();
});

test("a program waits for a question that is stored, until it is closed or the program waits no more", async () => {
  const { inbox, conversation, put, respond } = begin();
  const refused = (error) => error.code === "no_question";
  await assert.rejects(inbox.wait(conversation, "call_1"), refused);
  await put("call_1", SURE);
  const stop = new AbortController();
  const stopped = assert.rejects(inbox.wait(conversation, "call_1", { signal: stop.signal }), { message: "Enough." });
  const waiting = [inbox.wait(conversation, "call_1"), inbox.wait(conversation, "call_1")];
  stop.abort(new Error("Enough."));
  await stopped;
  assert.equal((await respond("call_1", { sure: true })).status, 200);
  assert.deepEqual((await Promise.all(waiting)).map(({ result }) => result), [{ sure: true }, { sure: true }]);
  assert.deepEqual((await inbox.wait(conversation, "call_1")).result, { sure: true });
  await put("call_2", SURE);
  await inbox.close(conversation, "call_2");
  await assert.rejects(inbox.wait(conversation, "call_2"), QuestionClosedError);
});

test("a call that asks another question is refused, while it is open and after it", async () => {
  const { ask, put, respond } = begin();
  await put("call_1", SURE);
  await assert.rejects(ask("call_1", KEY), OtherQuestionError);
  assert.equal((await respond("call_1", { sure: true })).status, 200);
  await assert.rejects(ask("call_1", KEY), OtherQuestionError);
  assert.deepEqual((await ask("call_1", SURE)).result, { sure: true });
});

test("a request that is no form is rejected, and wrong names and options are, before anything is stored", async () => {
  const store = watched(memory());
  const { inbox, ask } = begin({ store });
  await assert.rejects(ask("call_1", { questions: [] }, { dialect: "ask_user" }), (error) => error instanceof RejectionError && error.toolResult.error === "invalid_request");
  for (const callId of ["", "\0", "\ud800", undefined]) await assert.rejects(ask(callId, SURE), TypeError);
  for (const conversation of /** @type {any[]} */ (["", ".", "..", "\0", 7])) await assert.rejects(inbox.ask({ conversation, callId: "call_1", request: SURE }), TypeError);
  for (const expiresIn of [0, -1, NaN, Infinity, "1"]) await assert.rejects(ask("call_1", SURE, { expiresIn }), TypeError);
  for (const options of [{ nonce: "n" }, { toolCallId: "c" }, { secretAnswers: {} }]) await assert.rejects(ask("call_1", SURE, { options }), TypeError);
  await assert.rejects(ask("call_1", KEY, { options: { staticAnswers: { key: SECRET } } }));
  await assert.rejects(ask("call_1", SURE, { signal: AbortSignal.abort(new Error("Too late.")) }), { message: "Too late." });
  assert.deepEqual(store.given.filter((text) => !/^\["(load|lines|open)"/.test(text)), []);
  assert.throws(() => createInbox(/** @type {any} */ ({ store: memory() })), /authorize/);
  assert.throws(() => createInbox(/** @type {any} */ ({ store: memory(), authorize: () => true, tools: {} })), /There is no option "tools"/);
});

test("questions of one conversation are open together, and each answer is for its own", async () => {
  const { inbox, conversation, post, respond, ask } = begin();
  const at = `${await serve(inbox)}/${conversation}`;
  const calls = ["10", "2", "__proto__"];
  const answers = {};
  for (const callId of calls) {
    answers[`of ${callId}`] = ask(callId, SURE);
    await until(() => inbox.waiting(conversation), `the question ${callId}`, (open) => open.some(({ tool_call_id: call }) => call === callId));
  }
  const first = await hear(at, isAsked);
  assert.deepEqual(first.map(({ data }) => data.requests.map(({ tool_call_id: call }) => call)), [calls]);
  const unnamed = await post("/respond", { answers: { sure: true } });
  assert.deepEqual([unnamed.status, unnamed.body.error], [409, "not_open"]);
  assert.equal((await respond("2", { sure: false }, { "Idempotency-Key": "k" })).status, 200);
  assert.equal((await respond("10", { sure: true })).status, 200);
  assert.deepEqual([(await answers["of 2"]).result, (await answers["of 10"]).result], [{ sure: false }, { sure: true }]);
  // A client that has heard the first event hears how questions were closed, and what is due still.
  const [next] = await hear(at, isAsked, first[0].id);
  assert.deepEqual(next.data.closed.map(({ tool_call_id: call, how }) => [call, how]), [["2", "answered"], ["10", "answered"]]);
  assert.equal(next.data.closed[0].key, "k");
  assert.deepEqual(next.data.requests.map(({ tool_call_id: call }) => call), ["__proto__"]);
  // Where one is open, plain answers need not name it.
  assert.equal((await post("/respond", { answers: { sure: true } })).status, 200);
  assert.deepEqual((await answers["of __proto__"]).result, { sure: true });
  assert.deepEqual((await hear(at, ({ data }) => data.type === "idle")).map(({ data }) => data), [{ type: "idle" }]);
});

test("what comes twice is acknowledged, and what is another answer, late or of another question is refused", async () => {
  const { post, respond, put, inbox, conversation } = begin();
  for (const call of ["call_1", "call_2"]) await put(call, SURE);
  const key = { "Idempotency-Key": "k" };
  assert.deepEqual((await respond("call_1", { sure: true }, key)).body, { accepted: true, again: false });
  assert.deepEqual((await respond("call_1", { sure: true }, key)).body, { accepted: true, again: true });
  assert.deepEqual((await post("/respond", { answers: { sure: true } }, key)).body, { accepted: true, again: true });
  assert.deepEqual((await respond("call_1", { sure: false }, key)).body.error, "sent_differently");
  assert.deepEqual((await respond("call_1", { sure: false }, { "Idempotency-Key": "l" })).status, 409);
  assert.deepEqual((await respond("call_2", { sure: true }, key)).status, 409);
  assert.deepEqual((await post("/walk", { tool_call_id: "call_1", walk: {} }, {}, "PUT")).status, 409);
  assert.deepEqual([(await respond("call_9", { sure: true })).body.error, (await respond("call_2", { sure: "perhaps" })).status], ["not_open", 422]);
  assert.deepEqual((await inbox.waiting(conversation)).map(({ tool_call_id: call }) => call), ["call_2"]);
  assert.deepEqual((await inbox.answered(conversation, "call_1")).result, { sure: true });
});

test("a walk is kept, and whoever opens the question goes on from there", async () => {
  const { post, put, inbox, conversation } = begin();
  await put("call_1", KEY);
  const [{ request, walk, options, version }] = await inbox.waiting(conversation);
  const person = resume(request, walk, { ...options, dialect: "ask_user" });
  person.answer(false);
  const saved = await post("/walk", { tool_call_id: "call_1", walk: person.save() }, { "If-Match": version }, "PUT");
  assert.equal(saved.status, 204);
  assert.equal((await post("/walk", { tool_call_id: "call_1", walk }, { "If-Match": '"other"' }, "PUT")).status, 412);
  assert.equal((await inbox.waiting(conversation))[0].walk.log.length, 1);
});

test("a program that waits no more leaves its question open", async () => {
  const { ask, put, respond } = begin();
  await put("call_1", SURE);
  const stop = new AbortController();
  const waiting = ask("call_1", SURE, { signal: stop.signal });
  const other = ask("call_1", SURE);
  stop.abort(new Error("The program goes on."));
  await assert.rejects(waiting, { message: "The program goes on." });
  assert.equal((await respond("call_1", { sure: true })).status, 200);
  assert.deepEqual([(await other).result, (await ask("call_1", SURE)).result], [{ sure: true }, { sure: true }]);
});

test("a question that the program closes is overtaken: nobody answers it any more", async () => {
  const { inbox, conversation, respond, ask, put } = begin();
  await put("call_1", SURE);
  const waiting = ask("call_1", SURE);
  const closed = assert.rejects(waiting, (error) => error instanceof QuestionClosedError && error.how === "overtaken");
  assert.deepEqual([await inbox.close(conversation, "call_1"), await inbox.close(conversation, "call_1"), await inbox.close(conversation, "call_2")], [true, false, false]);
  await closed;
  assert.equal((await respond("call_1", { sure: true })).status, 409);
  await assert.rejects(inbox.answered(conversation, "call_1"), QuestionClosedError);
  await assert.rejects(inbox.answered(conversation, "call_2"), { code: "no_question" });
});

test("a question expires by the host's clock, and never answers", async () => {
  const { inbox, store, conversation, respond, ask, put } = begin();
  const at = `${await serve(inbox)}/${conversation}`;
  await assert.rejects(ask("call_1", SURE, { expiresIn: 1 }), (error) => error instanceof QuestionClosedError && error.how === "expired");
  assert.equal((await respond("call_1", { sure: true })).status, 409);
  await assert.rejects(ask("call_1", SURE), { how: "expired" });
  // The request itself may say when, and what was entered is handed out.
  const interrupts = (expiresAt) => ({ interrupts: [{ id: "i", reason: "input", message: "Name?", expiresAt }] });
  await assert.rejects(ask("call_4", interrupts("2020-01-01T00:00:00Z"), { dialect: "ag_ui" }), { how: "expired", result: null, drafts: {} });
  const elicitation = { message: "?", requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } };
  await assert.rejects(ask("call_5", elicitation, { dialect: "mcp", options: { expiresAt: new Date(Date.now() + 5).toISOString() } }), { how: "expired", result: { action: "cancel" } });
  await assert.rejects(ask("call_6", SURE, { expiresIn: 1, options: { expiresAt: "2020-01-01T00:00:00Z" } }), TypeError);
  for (const expiresIn of [1e300, 1e15, NaN]) await assert.rejects(ask("call_6", SURE, { expiresIn }), { name: "TypeError", message: /`expiresIn`/ });
  await assert.rejects(ask("call_7", SURE, { expiresIn: 1, options: { expires_at: null } }), { how: "expired" });
  // It expires also while no process runs.
  await put("call_2", SURE, { expiresIn: 60_000 });
  await put("call_3", SURE, { expiresIn: 120_000 });
  const [{ id }] = await hear(at, isAsked);
  inbox.shutdown();
  const later = Date.now() + 60_000;
  const clock = mock.method(Date, "now", () => later);
  const next = createInbox({ store, authorize: () => true });
  const body = JSON.stringify({ tool_call_id: "call_2", answers: { sure: true } });
  const answered = await next.handle(new Request(`http://localhost/conversations/${conversation}/respond`, { method: "POST", headers: { "Content-Type": "application/json" }, body }));
  clock.mock.restore();
  assert.equal(answered.status, 409);
  const [heard] = await hear(`${await serve(next)}/${conversation}`, isAsked, id);
  assert.deepEqual([heard.data.closed, heard.data.requests.map(({ tool_call_id: call }) => call)], [[{ tool_call_id: "call_2", how: "expired" }], ["call_3"]]);
  next.shutdown();
});

test("an answer that comes after the question has expired counts for nothing, and whoever asked gets it as a draft", async () => {
  const { inbox, conversation, respond, put } = begin();
  for (const call of ["call_1", "call_2"]) await put(call, { questions: [{ id: "name", text: "Which name?", answer_type: "text" }] }, { expiresIn: 60_000 });
  const later = Date.now() + 60_000;
  const clock = mock.method(Date, "now", () => later);
  assert.equal((await respond("call_1", { name: "Ada" })).status, 409);
  clock.mock.restore();
  await assert.rejects(inbox.answered(conversation, "call_1"), ({ how, result, drafts }) => how === "expired" && result === null && JSON.stringify(drafts).includes("Ada"));
  // The other one of the conversation has expired with it.
  await assert.rejects(inbox.answered(conversation, "call_2"), { how: "expired" });
});

test("an answer that came in time and could not be stored counts when it comes again, and holds its question open for a minute", async () => {
  for (const fails of ["load", "commit"]) {
    const faults = [];
    const { inbox, conversation, respond, put } = begin({ store: failing(memory(), faults), poll: 0, onError: () => undefined });
    for (const call of ["call_1", "call_2"]) await put(call, SURE, { expiresIn: 30_000 });
    faults.push([fails]);
    assert.equal((await respond("call_1", { sure: true }, { "Idempotency-Key": "k" })).status, 503);
    await inbox.settled();
    const begun = Date.now();
    const at = async (later, act) => {
      const clock = mock.method(Date, "now", () => begun + later);
      try {
        return await act();
      } finally {
        clock.mock.restore();
      }
    };
    // Its own question alone, and nothing else that comes lets the time go on.
    assert.deepEqual((await at(20_000, () => respond("call_1", { sure: "no" }, { "Idempotency-Key": "other" }))).status, 422);
    assert.deepEqual((await at(40_000, () => inbox.waiting(conversation))).map(({ tool_call_id: call }) => call), ["call_1"]);
    assert.equal((await at(41_000, () => respond("call_1", { sure: true }, { "Idempotency-Key": "k" }))).status, 200);
    assert.deepEqual((await inbox.answered(conversation, "call_1")).result, { sure: true });
    // Nothing held the other one open.
    await assert.rejects(at(42_000, () => inbox.answered(conversation, "call_2")), { how: "expired" });
    await put("call_3", SURE, { expiresIn: 30_000 });
    faults.push([fails]);
    assert.equal((await respond("call_3", { sure: true })).status, 503);
    await inbox.settled();
    await assert.rejects(at(100_000, () => inbox.answered(conversation, "call_3")), { how: "expired" });
  }
});

test("what expires while no process runs is closed when the next one begins", async () => {
  const { inbox, store, conversation, put } = begin();
  await put("call_1", SURE, { expiresIn: 20 });
  inbox.shutdown();
  const rest = begin({ store });
  await until(async () => (await store.lines(conversation, ["response"])).length, "the end of the question", (count) => count > 0);
  await assert.rejects(rest.inbox.answered(conversation, "call_1"), { how: "expired" });
});

test("an inbox that shuts down ends the pauses of whoever tries again", async () => {
  const failed = [];
  const { inbox } = begin({ store: { ...memory(), open: () => Promise.reject(new Error("The store failed.")) }, onError: (error) => void failed.push(error) });
  // Time stands still from here, so no pause ends by itself.
  const { restore } = stoppedTime();
  try {
    while (failed.length === 0) await Promise.resolve();
    inbox.shutdown();
    await inbox.settled();
  } finally {
    restore();
  }
});

test("the second of a leap second counts as the core counts it", async () => {
  const { inbox, conversation, put } = begin();
  await put("call_1", SURE, { options: { expiresAt: "2016-12-31T23:59:60Z" } }).catch(() => undefined);
  const times = [Date.UTC(2017, 0, 1) - 1, Date.UTC(2017, 0, 1)];
  const { Desk } = await import("../../pkg/dist/core.node.js");
  const closes = times.map((now) => Desk.ask(SURE, { toolCallId: "c", expiresAt: "2016-12-31T23:59:60Z", nonce: "n" }).on({ type: "expired", now }).closed);
  assert.deepEqual(closes, [undefined, "expired"]);
  const { momentOf } = await import("../../pkg/src/moment.js");
  assert.deepEqual(["2016-12-31T23:59:60Z", "2016-12-31t23:59:60.5z", "2017-01-01T00:59:60+01:00"].map(momentOf), [times[1], times[1] + 500, times[1]]);
  await assert.rejects(inbox.answered(conversation, "call_1"), { how: "expired" });
});

test("a person who ends the turn ends it at one question, or at all that are open", async () => {
  const { inbox, conversation, post, ask, put } = begin();
  for (const call of ["call_1", "call_2", "call_3"]) await put(call, SURE);
  const answers = ["call_1", "call_2", "call_3"].map((call) => ask(call, SURE));
  assert.equal((await post("/cancel", { tool_call_id: "call_2" })).status, 200);
  assert.equal((await answers[1]).isTurnEnded, true);
  assert.deepEqual((await inbox.waiting(conversation)).map(({ tool_call_id: call }) => call), ["call_1", "call_3"]);
  assert.equal((await post("/cancel", {})).status, 200);
  assert.deepEqual((await Promise.all(answers)).map(({ isTurnEnded, outcome }) => [isTurnEnded, outcome.ends]), Array(3).fill([true, "turn_ended"]));
  assert.equal((await post("/cancel", {})).status, 409);
});

test("secrets reach whoever waits, and are in no store and in no event", async () => {
  const store = watched(memory());
  const kept = [];
  const { inbox, conversation, respond, ask, put } = begin({ store, key: "k".repeat(32), onSecrets: async (given) => void kept.push(given) });
  const at = `${await serve(inbox)}/${conversation}`;
  await put("call_1", KEY);
  const asked = await hear(at, isAsked);
  const waiting = ask("call_1", KEY);
  assert.equal((await respond("call_1", { sure: true, key: SECRET })).status, 200);
  const { id, secrets, outcome, result, records } = await waiting;
  assert.deepEqual([secrets, outcome.secrets, result], [{ key: SECRET }, { key: SECRET }, { sure: true, key: "[redacted]" }]);
  assert.deepEqual(kept, [{ conversation, callId: "call_1", id, secrets: { key: SECRET } }]);
  assert.deepEqual([(await respond("call_1", { sure: true, key: "another" })).status, (await respond("call_1", { sure: true, key: SECRET })).body.again], [409, true]);
  const heard = await hear(at, ({ data }) => data.type === "idle", asked[0].id);
  assert.equal(JSON.stringify([store.given, heard, records, await inbox.records(conversation)]).includes(SECRET), false);
  // Another process knows none, and says so.
  const other = createInbox({ store, authorize: () => true });
  const known = await other.ask({ conversation, callId: "call_1", request: KEY });
  assert.deepEqual([known.id, known.secrets, known.outcome, known.result], [id, undefined, { ends: "completed", result }, result]);
  other.shutdown();
});

test("an answer whose secrets cannot be kept is not taken", async () => {
  const errors = [];
  let isBroken = true;
  const onSecrets = () => (isBroken ? Promise.reject(new Error("The vault is closed.")) : undefined);
  const { respond, ask, put, inbox, conversation } = begin({ onSecrets, onError: (/** @type {any} */ error) => void errors.push(error.message) });
  await put("call_1", KEY);
  assert.equal((await respond("call_1", { sure: true, key: SECRET })).status, 500);
  assert.deepEqual([errors, (await inbox.waiting(conversation)).length], [["The vault is closed."], 1]);
  isBroken = false;
  assert.equal((await respond("call_1", { sure: true, key: SECRET })).status, 200);
  assert.deepEqual((await ask("call_1", KEY)).secrets, { key: SECRET });
});

test("a store that fails is 503, and what it stored all the same counts once", async () => {
  for (const isStored of [false, true]) {
    const faults = [];
    const { inbox, conversation, respond, ask, put } = begin({ store: failing(memory(), faults), poll: 5, onError: () => undefined });
    faults.push(["commit", isStored]);
    await assert.rejects(put("call_1", KEY), { code: "store", status: 503 });
    await put("call_1", KEY);
    const waiting = ask("call_1", KEY);
    await until(() => inbox.waiting(conversation), "the question", ({ length }) => length === 1);
    faults.push(["commit", isStored]);
    assert.deepEqual((await respond("call_1", { sure: true, key: SECRET }, { "Idempotency-Key": "k" })).status, 503);
    assert.deepEqual((await respond("call_1", { sure: true, key: SECRET }, { "Idempotency-Key": "k" })).body, { accepted: true, again: isStored });
    assert.deepEqual((await waiting).secrets, { key: SECRET });
    // Who waits tries again.
    const next = ask("call_2", SURE);
    await until(() => inbox.waiting(conversation), "the next question", ({ length }) => length === 1);
    faults.push(["load"]);
    await until(() => faults.length, "the failure", (count) => count === 0);
    assert.equal((await respond("call_2", { sure: false })).status, 200);
    assert.deepEqual((await next).result, { sure: false });
    faults.push(["lines"]);
    assert.equal((await respond("call_1", { sure: true }, { "Idempotency-Key": "k" })).status, 503);
    await inbox.settled();
  }
});

test("two inboxes on one store begin one conversation, and of two answers one is taken", async () => {
  const store = memory();
  const [one, other] = [begin({ store, poll: 5 }), begin({ store, poll: 5 })];
  const { conversation } = one;
  const inboxes = [one.inbox, other.inbox];
  const answers = inboxes.flatMap((inbox) => ["call_1", "call_2"].map((callId) => inbox.ask({ conversation, callId, request: SURE })));
  await until(() => one.inbox.waiting(conversation), "two questions", ({ length }) => length === 2);
  const sent = inboxes.map(async (inbox, place) => {
    const headers = { "Content-Type": "application/json", ...OPENS };
    const responses = ["call_1", "call_2"].map((tool_call_id) =>
      inbox.handle(new Request(`http://localhost/conversations/${conversation}/respond`, { method: "POST", headers, body: JSON.stringify({ tool_call_id, answers: { sure: place === 0 } }) })),
    );
    return (await Promise.all(responses)).map(({ status }) => status);
  });
  const [first, second] = await Promise.all(sent);
  assert.deepEqual(first.map((status, place) => [status, second[place]].sort()), Array(2).fill([200, 409]));
  const [a, b, c, d] = (await Promise.all(answers)).map(({ result }) => /** @type {any} */ (result).sure);
  assert.deepEqual([c, d], [a, b]);
  assert.deepEqual([a, b], first.map((status) => status === 200));
});

test("no event closes a question that it still lists, also where another process answers while one reads", async () => {
  const store = memory();
  const { conversation, put, respond, inbox } = begin({ store });
  await put("call_1", SURE);
  const [{ id }] = await hear(`${await serve(inbox)}/${conversation}`, isAsked);
  await put("call_2", SURE);
  let [answered, looks] = [undefined, 0];
  const lines = async (...given) => {
    // The first look is whether there is anything new; with the second, it reads what is due.
    if (given[1].includes("state") && (looks += 1) > 1) await (answered ??= respond("call_1", { sure: true }));
    return store.lines(.../** @type {Parameters<Store["lines"]>} */ (given));
  };
  const { inbox: other } = begin({ store: { ...store, lines }, poll: 5 });
  const events = await hear(`${await serve(other)}/${conversation}`, ({ data }) => data.closed, id);
  const told = events.map(({ data }) => [data.requests.map(({ tool_call_id: call }) => call), data.closed?.map(({ tool_call_id: call }) => call)]);
  assert.deepEqual(told, [[["call_1", "call_2"], undefined], [["call_2"], ["call_1"]]]);
});

test("an assistant gets a signal, also where the program has given none", async () => {
  const heard = [];
  const assistant = (_, { signal }) => (heard.push(signal.aborted), { reason: "It is safe.", answer: true });
  const { ask, put } = begin({ assistant });
  assert.deepEqual((await ask("call_1", SURE, { options: { target: "assistant" } })).result, { sure: true });
  await put("call_2", SURE, { options: { target: "assistant" }, signal: new AbortController().signal });
  assert.deepEqual(heard, [false, false]);
});

test("an answer that no person has to give is there at once, and no page hears of its question", async () => {
  const asked = [];
  const assistant = async ({ prompt }) => (asked.push(prompt), asked.length === 1 ? { reason: "It is safe.", answer: false } : undefined);
  const { inbox, conversation, ask, put } = begin({ assistant });
  const at = `${await serve(inbox)}/${conversation}`;
  await put("call_1", SURE);
  const [{ id }] = await hear(at, isAsked);
  const fixed = await ask("call_2", SURE, { options: { staticAnswers: { sure: true } } });
  const advised = await ask("call_3", SURE, { options: { target: "assistant" } });
  assert.deepEqual([fixed.result, advised.result, asked.length], [{ sure: true }, { sure: false }, 1]);
  assert.deepEqual([(await ask("call_2", SURE)).id, (await ask("call_3", SURE)).id, asked.length], [fixed.id, advised.id, 1]);
  // Without a verdict, the person is asked.
  await put("call_4", SURE, { options: { target: "assistant" } });
  const [next] = await hear(at, isAsked, id);
  assert.deepEqual([next.data.closed, next.data.requests.map(({ tool_call_id: call }) => call), asked.length], [undefined, ["call_1", "call_4"], 2]);
});

test("the addresses of an inbox are those of its questions, for whom the application lets in", async () => {
  const { inbox, conversation, post, put } = begin();
  await put("call_1", SURE);
  for (const path of ["/messages", "/retry", "", "/nothing"]) assert.equal((await post(path, { text: "Hello." })).status, 404, path);
  const ask = async (url, init) => (await inbox.handle(new Request(url, init))).status;
  const at = `http://localhost/conversations/${conversation}`;
  const json = { method: "POST", headers: { "Content-Type": "application/json", ...OPENS }, body: "{}" };
  assert.deepEqual([await ask("http://localhost/conversations", json), await ask("http://localhost/conversations//events", { headers: OPENS })], [404, 404]);
  assert.deepEqual([await ask(`${at}/records`), await ask(`${at}/records`, { headers: OPENS }), await ask(`${at.replace("localhost", "evil.example")}/records`, { headers: OPENS })], [401, 200, 403]);
  // A name with what an address cannot have as it is.
  await inbox.put({ conversation: "team/7 ?", callId: "call_1", request: SURE });
  assert.equal(await ask("http://localhost/conversations/team%2F7%20%3F/cancel", json), 200);
  assert.deepEqual(await inbox.waiting("team/7 ?"), []);
  assert.deepEqual([await ask("http://localhost/conversations/%/records", { headers: OPENS }), await ask("http://localhost/conversations/%00/records", { headers: OPENS })], [404, 404]);
});

test("an inbox and a host with an agent share a store, and neither opens what is the other's", async () => {
  const store = memory();
  const { inbox, conversation, put } = begin({ store });
  const host = createHost({ store, agent: () => "Hello." });
  await put("call_1", SURE);
  const { id, token } = await host.create();
  await assert.rejects(inbox.put({ conversation: id, callId: "call_1", request: SURE }), { code: "no_conversation" });
  await host.resume();
  await host.message(id, "Hello?");
  await host.settled();
  assert.equal(/** @type {any} */ ((await host.messages(id)).at(-1)).text, "Hello.");
  const opened = await host.handle(new Request(`http://localhost/conversations/${conversation.replaceAll("-", "")}/records`, { headers: { Authorization: `Bearer ${token}` } }));
  assert.equal(opened.status, 404);
  assert.equal((await inbox.waiting(conversation)).length, 1);
});

test("an inbox that shuts down ends its streams and whoever waits, and leaves memory", async () => {
  const { inbox, conversation, ask, put } = begin();
  const at = `${await serve(inbox)}/${conversation}`;
  await put("call_1", SURE, { expiresIn: 60_000 });
  const waiting = assert.rejects(ask("call_1", SURE), { name: "AbortError" });
  const stream = await fetch(`${at}/events`, { headers: OPENS });
  const text = stream.text();
  await until(() => inbox.inMemory, "a conversation in memory", (count) => count === 1);
  inbox.shutdown();
  await waiting;
  assert.match(await text, /^retry: \d+\n\n/);
  await until(() => inbox.inMemory, "an empty memory", (count) => count === 0);
});

test("each acknowledged answer arrives once, whatever the store does and whenever the process ends", async () => {
  const seeds = process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: process.env.SOAK ? 2_000 : 40 }, (_, seed) => seed);
  while (seeds.length) await Promise.all(seeds.splice(0, 40).map((seed) => played(seed).catch((error) => assert.fail(`SEED=${seed}: ${error.stack}`))));
});

/** Three questions to their answers, through inboxes that end and a store that fails. */
async function played(seed) {
  const dice = new Dice(seed);
  const store = memory();
  const conversation = `of ${seed}`;
  const [calls, acknowledged, got] = [["call_1", "call_2", "call_3"], new Map(), new Map()];
  let [alive, inbox] = /** @type {any[]} */ ([{ isDead: true }]);
  const start = () => {
    inbox?.shutdown();
    const begun = (alive = /** @type {any} */ ({ isDead: false, isArmed: true, died: () => undefined }));
    const died = new Promise((resolve) => (begun.died = resolve));
    begun.died$ = died;
    inbox = createInbox({ store: unreliable(store, dice, begun, { crash: 30, fault: 10 }), authorize: () => true, onError: () => undefined });
    // The program asks for all that it has no answer to, as often as it takes.
    for (const callId of calls.filter((call) => !got.has(call))) {
      const asks = () => inbox.ask({ conversation, callId, request: SURE }).then(({ result }) => begun.isDead || got.set(callId, result.sure), (error) => (error.code === "store" && begun === alive ? asks() : undefined));
      asks();
    }
  };
  while (got.size < calls.length) {
    // Timers of the inbox come in between.
    await tasks();
    if (alive.isDead) start();
    const [current, callId] = [inbox, dice.pick(calls)];
    const answers = { sure: dice.below(2) === 0 };
    const body = JSON.stringify({ tool_call_id: callId, answers });
    const request = new Request(`http://localhost/conversations/${encodeURIComponent(conversation)}/respond`, { method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": `${callId} ${answers.sure}` }, body });
    const response = await Promise.race([current.handle(request), alive.died$]);
    if (response?.status !== 200) continue;
    const before = acknowledged.get(callId) ?? answers.sure;
    assert.equal(before, answers.sure, `two answers to ${callId} were acknowledged`);
    acknowledged.set(callId, answers.sure);
  }
  inbox.shutdown();
  for (const [callId, sure] of acknowledged) assert.equal(got.get(callId), sure, callId);
}
