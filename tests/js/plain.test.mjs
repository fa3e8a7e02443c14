// The headless package beside a walk: plain answers of a client, the stored records of many turns, the tools for an agent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mendRecords, open, readRecords, RefusalError, RejectionError, toolDefinition, toolDefinitions } from "../../pkg/dist/core.node.js";

const QUESTIONS = [
  { id: "apply", text: "Apply?", answer_type: "boolean" },
  { id: "1", text: "How many?", answer_type: "number", when: { question_id: "apply", equals: true } },
  { id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"] },
];

/** What is refused of plain answers. The walk is as it was. */
function refused(walk, answers) {
  const before = JSON.stringify([walk.save(), walk.step]);
  let found;
  assert.throws(() => walk.answers(answers), (error) => {
    assert.ok(error instanceof RefusalError && error.code === "refused_answers", String(error));
    assert.ok(error.refused.every(({ message }) => message));
    assert.equal(error.total, error.refused.length);
    found = error.refused.map(({ question, code }) => [question, code]);
    return true;
  });
  assert.equal(JSON.stringify([walk.save(), walk.step]), before);
  return found;
}

test("plain answers in any order are taken as if given one by one", () => {
  const walk = open({ questions: QUESTIONS });
  walk.answers({ env: "staging", 1: 3, apply: true });
  const one = open({ questions: QUESTIONS });
  for (const answer of [true, 3, "staging"]) one.answer(answer);
  assert.deepEqual([walk.save(), walk.outcome, walk.records], [one.save(), one.outcome, one.records]);
  assert.equal(walk.idempotencyKey, one.idempotencyKey);
  assert.throws(() => walk.answers({}), (/** @type {any} */ error) => error.code === "finished");
});

test("everything that is wrong with plain answers comes back at once", () => {
  const walk = open({ questions: QUESTIONS });
  assert.deepEqual(refused(walk, {}), [["apply", "required"], ["env", "required"]]);
  assert.deepEqual(refused(walk, { apply: true, env: "moon", nobody: 1 }), [["nobody", "not_allowed"], ["1", "required"], ["env", "not_an_option"]]);
  assert.deepEqual(refused(walk, { apply: false, 1: 3, env: "staging" }), [["1", "not_allowed"]]);
  for (const none of /** @type {any[]} */ ([null, undefined, [true], "apply", 1])) assert.throws(() => walk.answers(none), (/** @type {any} */ error) => error.code === "not_allowed");
  assert.throws(() => walk.answers({ apply: NaN }), (/** @type {any} */ error) => error.code === "wrong_type");
  const odd = open({ questions: [{ id: "__proto__", text: "?", answer_type: "boolean" }] });
  odd.answers(JSON.parse('{"__proto__":true}'));
  assert.equal(odd.resultText, '{"__proto__":true}');
  const many = open({ questions: Array.from({ length: 1000 }, (_, place) => ({ id: `q${place}`, text: "?", answer_type: "boolean" })) });
  assert.throws(() => many.answers({}), ({ refused, total }) => {
    assert.equal(total, 1000);
    return refused.length < 1000 && JSON.stringify(refused).length < 64_000;
  });
});

test("labelled questions are answered by their text, and a review is submitted", () => {
  const questions = [{ question: "Which?", header: "H", options: [{ label: "a" }, { label: "b" }] }];
  for (const answers of [{ "Which?": "neither" }, { q1: "neither" }]) {
    const walk = open({ questions });
    walk.answers(answers);
    assert.deepEqual(walk.outcome.result, { answers: { "Which?": "neither" } });
  }
  const requestedSchema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
  const walk = open({ message: "Two.", requestedSchema });
  assert.deepEqual(refused(walk, { b: "x" }), [["a", "required"]]);
  walk.answers({ b: "x", a: null });
  assert.deepEqual(walk.outcome.result, { action: "accept", content: { b: "x" } });
});

const asked = (id) => ({ type: "inquiry_request", id, source: { source: "assistant" }, question: { text: "?", answer_type: { type: "boolean" } } });

test("a stream of records of many turns is read and mended turn by turn", () => {
  const lines = [
    { type: "turn_start" },
    asked("call_1.a.1"),
    { type: "message", id: "call_1.a.1", text: "no record" },
    { type: "inquiry_response", outcome: "answered", id: "call_1.a.1", answer: true },
    asked("call_1.b.1"),
    { type: "turn_start" },
    // Its request is in the turn before: no pair is made across turns.
    { type: "inquiry_response", outcome: "answered", id: "call_1.b.1", answer: true },
    // Two-part ids of older versions repeat, and pair in their order.
    asked("call_1.a"),
    asked("call_1.a"),
    { id: "call_1.a", answer: 1 },
    { id: "call_1.a", answer: 2 },
    { type: "inquiry_response", outcome: "lost", id: "x" },
    { type: "turn_start" },
    asked("call_2.c.1"),
    { type: "inquiry_response", outcome: "cancelled", id: "call_2.c.1" },
    { id: "orphan", answer: 1 },
  ];
  const begins = (line) => line.type === "turn_start";
  const { turns, unreadable } = readRecords(lines, begins);
  assert.deepEqual(
    turns.map((turn) => turn.map((/** @type {any} */ { id, outcome, answer, reason }) => [id, outcome ?? "asked", answer ?? reason ?? null])),
    [
      [["call_1.a.1", "asked", null], ["call_1.a.1", "answered", true], ["call_1.b.1", "asked", null], ["call_1.b.1", "cancelled", "user"]],
      [["call_1.a", "asked", null], ["call_1.a", "asked", null], ["call_1.a", "answered", 1], ["call_1.a", "answered", 2]],
      [["call_2.c.1", "asked", null], ["call_2.c.1", "cancelled", "user"]],
    ],
  );
  assert.deepEqual(unreadable.map(({ index }) => index), [11]);
  assert.match(unreadable[0].reason, /lost/);
  assert.deepEqual(readRecords(JSON.stringify(lines), begins), { turns, unreadable });
  for (const turn of turns) assert.deepEqual(mendRecords(turn), turn);
  // Without turns, all lines are one.
  assert.deepEqual(readRecords([asked("a"), { type: "turn_start" }, { id: "a", answer: 1 }]).turns.map((turn) => turn.length), [2]);
  assert.deepEqual(readRecords([]), { turns: [], unreadable: [] });
  for (const none of /** @type {any[]} */ ([{}, "{}", "[", null])) assert.throws(() => readRecords(none), TypeError);
  // Numbers keep their digits.
  const digits = `[${JSON.stringify(asked("a"))},{"id":"a","answer":12345678901234567890}]`;
  assert.equal(/** @type {any} */ (readRecords(digits).turns[0][1]).answer, 12345678901234567890);
});

test("an agent without a user gets no tool, and hears that before its request is looked at", () => {
  assert.deepEqual(toolDefinitions("ask_user").map(({ name }) => name), ["ask_user", "ask_user_simple"]);
  assert.deepEqual(toolDefinitions("ask_user", { subAgent: false }), toolDefinitions("ask_user"));
  assert.deepEqual(toolDefinitions("ask_user", { subAgent: true }), []);
  assert.equal(toolDefinition("ask_user").name, "ask_user");
  const cycle = {};
  cycle.self = cycle;
  for (const request of ["{", undefined, cycle, 10n, "x\ud800", [1], { questions: [{ id: "a", text: "", answer_type: "slider" }] }]) {
    const walk = open(request, { subAgent: true });
    assert.deepEqual([walk.outcome.ends, walk.outcome.error], ["failed", "sub_agent"]);
    assert.throws(() => open(request), RejectionError);
  }
});
