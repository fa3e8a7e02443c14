// The state machine of a conversation in JavaScript: what goes in and comes out at the border to the core. Its rules are tested in tests/native/conversation.rs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Conversation, UnexpectedEventError, UnreadableStateError, open, permission } from "../../pkg/dist/core.node.js";

const REQUEST = { question: "Sure?", answer_type: "boolean" };
const call = { id: "c", name: "ask_user", input: REQUEST };

test("a conversation goes from a message to a question to its answer, and is stored and read again", () => {
  let conversation = new Conversation();
  const types = (/** @type {any} */ event) => {
    // What is stored is read again before each event.
    conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    return conversation.on(event).map(({ type }) => type);
  };
  assert.deepEqual(types({ type: "message" }), ["persist_state", "notify", "request_model"]);
  assert.deepEqual(types({ type: "model_responded", calls: [call] }), ["persist_state", "notify", "execute"]);
  const walk = open(REQUEST, { toolCallId: "c" });
  assert.deepEqual(types({ type: "question_pending", call_id: "c", request: REQUEST, dialect: "ask_user", walk: walk.save() }), ["persist_state", "notify"]);
  assert.deepEqual(conversation.notice, { type: "awaiting_user_response", tool_call_id: "c", tool: "ask_user", request: REQUEST, dialect: "ask_user", walk: walk.save() });
  assert.equal(conversation.state.state, "awaiting_user_response");
  walk.answer(true);
  conversation = Conversation.fromJSON(JSON.stringify(conversation));
  const [results, ...more] = conversation.on(JSON.stringify({ type: "closed", call_id: "c", how: "answered", result: walk.outcome.result }));
  assert.deepEqual(results, { type: "persist_results", value: [{ call_id: "c", content: { answer_type: "boolean", answer: true }, is_error: false }] });
  assert.deepEqual(more.map(({ type }) => type), ["persist_state", "notify", "request_model"]);
});

test("what is no event, cannot happen, or is no stored conversation is refused", () => {
  const conversation = new Conversation();
  const before = JSON.stringify(conversation);
  const refused = (event, code) => assert.throws(() => conversation.on(event), (error) => error instanceof UnexpectedEventError && error.code === code && error.message.length > 0);
  refused({ type: "stopped" }, "out_of_place");
  refused({ type: "closed", call_id: "c", how: "answered", result: 1 }, "not_open");
  let deep = /** @type {any} */ (1);
  for (let level = 0; level < 200; level += 1) deep = [deep];
  const circle = {};
  circle.circle = circle;
  for (const wrong of /** @type {any[]} */ ([undefined, null, 1, "x", "{", [], {}, { type: "x" }, { type: "closed" }, { type: "model_responded", calls: [{ ...call, input: deep }] }, { type: "model_responded", calls: [{ ...call, input: circle }] }, { type: "model_responded", calls: [{ ...call, input: NaN }] }])) {
    assert.throws(() => conversation.on(wrong), (error) => error instanceof TypeError && error.message.length > 0, String(wrong));
  }
  assert.equal(JSON.stringify(conversation), before);
  for (const wrong of [undefined, null, 1, "x", [], {}, { ask_user_conversation: 2, attended: true, state: "idle" }, { ...conversation.toJSON(), state: "x" }]) {
    assert.throws(() => Conversation.fromJSON(wrong), (error) => error instanceof UnreadableStateError && error.message.length > 0);
  }
  for (const options of /** @type {any[]} */ ([{ attended: "yes" }, { severalOpen: 1 }, false, null, "x", { atended: false }])) assert.throws(() => new Conversation(options), TypeError, JSON.stringify(options));
});

test("several questions are open at once if the host wants that", () => {
  for (const severalOpen of [false, true]) {
    let conversation = new Conversation({ severalOpen });
    conversation.on({ type: "message" });
    conversation.on({ type: "model_responded", calls: ["a", "b"].map((id) => ({ ...call, id })) });
    const asks = (id) => conversation.on({ type: "question_pending", call_id: id, request: REQUEST });
    assert.deepEqual(asks("a").at(-1).type, severalOpen ? "execute" : "notify");
    if (severalOpen) asks("b");
    conversation = Conversation.fromJSON(JSON.stringify(conversation));
    assert.deepEqual(conversation.open.map(({ call: { id }, request }) => [id, request]), (severalOpen ? ["a", "b"] : ["a"]).map((id) => [id, REQUEST]));
    const { requests = [conversation.notice] } = conversation.notice;
    assert.deepEqual(/** @type {any} */ (requests).map(({ tool_call_id }) => tool_call_id), conversation.open.map(({ call: { id } }) => id));
    const { closed } = /** @type {any} */ (conversation.on({ type: "stopped" }).find(({ type }) => type === "notify")).value;
    assert.equal(Array.isArray(closed), severalOpen);
    assert.deepEqual([closed].flat().map(({ how }) => how), severalOpen ? ["turn_ended", "turn_ended"] : ["turn_ended"]);
  }
});

test("an agent goes on without an answer, which is a message to it later", () => {
  let conversation = new Conversation();
  const types = (/** @type {any} */ event) => {
    conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    return conversation.on(event);
  };
  types({ type: "message" });
  types({ type: "model_responded", calls: [call] });
  const walk = open(REQUEST, { toolCallId: "c", blocking: false });
  assert.equal(walk.form.blocking, false);
  const [{ type, value }, ...more] = /** @type {any[]} */ (types({ type: "question_pending", call_id: "c", request: REQUEST, options: { blocking: false } }));
  assert.deepEqual([type, value[0].call_id, value[0].is_error, more.at(-1).type], ["persist_results", "c", false, "request_model"]);
  assert.equal(conversation.notice.agent, "requesting_model");
  assert.throws(() => types({ type: "model_responded", calls: [call] }), { code: "open_call" });
  const [late, ...rest] = types({ type: "closed", call_id: "c", how: "answered", result: true });
  assert.deepEqual([late, ...rest.map(({ type }) => type)], [{ type: "persist_messages", value: [{ call_id: "c", content: true, is_error: false }] }, "persist_state", "notify"]);
  assert.deepEqual(conversation.state, { state: "requesting_model", unheard: 1 });
  assert.equal(types({ type: "model_responded", calls: [] }).at(-1).type, "request_model");
});

test("each question that ends with the turn has the result that the host gives, and one that the agent does not wait for ends alone", () => {
  for (const event of /** @type {any[]} */ ([{ type: "stopped" }, { type: "closed", call_id: "a", how: "turn_ended", result: { ended: "a" } }])) {
    const conversation = new Conversation({ severalOpen: true });
    const on = (/** @type {any} */ event) => /** @type {any[]} */ (conversation.on(event));
    on({ type: "message" });
    on({ type: "model_responded", calls: ["later", "a", "b", "c"].map((id) => ({ ...call, id })) });
    on({ type: "question_pending", call_id: "later", request: REQUEST, options: { blocking: false } });
    for (const id of ["a", "b", "c"]) on({ type: "question_pending", call_id: id, request: REQUEST });
    const alone = on({ type: "closed", call_id: "later", how: "turn_ended", result: { ended: "later" } });
    assert.deepEqual(alone.map(({ type }) => type), ["persist_messages", "persist_state", "notify"]);
    assert.deepEqual(alone[0].value, [{ call_id: "later", content: { ended: "later" }, is_error: false }]);
    assert.deepEqual(conversation.endedBy(event), ["a", "b", "c"].filter((id) => id !== event.call_id));
    assert.deepEqual(conversation.endedBy({ type: "closed", call_id: "a", how: "answered" }), []);
    assert.throws(() => conversation.endedBy(/** @type {any} */ ({ type: "x" })), TypeError);
    const [{ value }] = on({ ...event, results: { a: { ended: "a" }, b: { ended: "b" } } });
    const results = Object.fromEntries(value.map(({ call_id: id, content, is_error: isError }) => [id, [content, isError]]));
    assert.deepEqual(results, { a: [{ ended: "a" }, false], b: [{ ended: "b" }, false], c: ["User cancelled the question", true] });
  }
});

test("an agent without a user gets an error in place of the person's answer", () => {
  const conversation = new Conversation({ attended: false });
  conversation.on({ type: "message" });
  conversation.on({ type: "model_responded", calls: [call] });
  const [{ value }] = /** @type {any[]} */ (conversation.on({ type: "question_pending", call_id: "c", request: REQUEST }));
  assert.deepEqual(value, [{ call_id: "c", content: "ask_user is not available to sub-agents", is_error: true }]);
});

test("whether a tool may run is remembered, asked, or decided by what holds while nobody is there", () => {
  const may = (options) => permission("deploy", "run", options);
  assert.deepEqual([may(), may({ turn: { permissions: { deploy: true } } }), may({ turn: { permissions: { deploy: false } } }), may({ attached: false }), may({ attached: false, detached: "auto" })], ["ask", "granted", "refused", "denied", "granted"]);
  assert.throws(() => permission("deploy", /** @type {any} */ ("walk")), TypeError);
  assert.throws(() => may({ attacked: false }), TypeError);
});
