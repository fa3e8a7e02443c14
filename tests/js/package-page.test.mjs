// The headless package as a page of one's own needs it: the questions of a page, what must be confirmed, whether an answer would be taken, and what its errors say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Conversation, Desk, detectDialect as detectDialectTyped, dialects, open as openTyped, openStream, RejectionError, UnexpectedEventError, UnreadableStateError } from "../../pkg/dist/core.node.js";

// What is wrong on purpose is given, too.
const detectDialect = /** @type {(...given: any[]) => any} */ (detectDialectTyped);
const open = /** @type {(...given: any[]) => any} */ (openTyped);

const REQUEST = {
  questions: [
    { id: "apply", text: "Apply?", answer_type: "boolean" },
    { id: "env", text: "Where?", answer_type: "select", options: ["staging", { value: "production", danger: true }], other: true, when: { question_id: "apply", equals: true } },
    { id: "many", text: "How many?", answer_type: "number", maximum: 9 },
  ],
};
const APPROVALS = {
  action_requests: [
    { name: "delete", args: { path: "/a" } },
    { name: "write", args: { path: "/b" } },
  ],
  review_configs: [
    { action_name: "delete", allowed_decisions: ["approve", "reject"] },
    { action_name: "write", allowed_decisions: ["approve", "edit", "reject"] },
  ],
};

/** What is asked on a page, by the ids of the questions. */
const ids = (asked) => asked.map(({ question }) => question.id);

/** What the walk is, to see that nothing has changed. */
const all = (walk) => JSON.stringify([walk.save(), walk.step, walk.records]);

test("a page has the questions that a walk with its answers asks", () => {
  const walk = open(REQUEST);
  const before = all(walk);
  assert.deepEqual(ids(walk.page()), ["apply", "many"]);
  assert.deepEqual(ids(walk.page({ apply: true })), ["apply", "env", "many"]);
  assert.deepEqual(ids(walk.page({ apply: false, env: "staging", nobody: 1 })), ["apply", "many"]);
  assert.deepEqual(walk.page()[0], walk.step);
  assert.equal(all(walk), before);
  walk.answerAll({ many: 3, env: "staging", apply: true });
  assert.deepEqual(walk.page(), []);
});

test("an answer of a page that would be refused counts as none, also one that JSON cannot say", () => {
  const walk = open(REQUEST);
  for (const apply of ["yes", NaN, undefined, () => true, 1n, "\ud800"]) assert.deepEqual(ids(walk.page({ apply, many: 1 })), ["apply", "many"]);
  const deep = JSON.parse("[".repeat(500) + "]".repeat(500));
  assert.deepEqual(ids(walk.page({ apply: true, env: deep, many: "x".repeat(3_000_000), "\ud800": 1 })), ["apply", "env", "many"]);
  assert.deepEqual(ids(walk.page(JSON.parse('{"__proto__":true,"apply":true}'))), ["apply", "env", "many"]);
  for (const none of [null, [true], "apply", 1]) assert.throws(() => walk.page(none), (/** @type {any} */ error) => error.code === "not_allowed");
});

test("the questions whose answers cannot be undone are named before they are given", () => {
  const walk = open(REQUEST);
  const before = all(walk);
  assert.deepEqual(walk.toConfirm({ apply: true, env: "production", many: 1 }), ["env"]);
  assert.deepEqual(walk.toConfirm({ apply: true, env: "staging", many: 1 }), []);
  // Refused: nothing would be given.
  assert.deepEqual(walk.toConfirm({ apply: true, env: "production", many: 10 }), []);
  for (const many of [NaN, undefined, "\ud800"]) assert.deepEqual(walk.toConfirm({ apply: true, env: "production", many }), []);
  assert.throws(() => walk.toConfirm(null), (/** @type {any} */ error) => error.code === "not_allowed");
  assert.equal(all(walk), before);
  const one = open({ question: "Drop it?", answer_type: "boolean", danger: true });
  assert.deepEqual([true, false].map((answer) => one.toConfirm({ [one.step.question.id]: answer })), [[one.step.question.id], []]);
});

test("whether an answer would be taken is data, and changes nothing", () => {
  const walk = open(REQUEST);
  const before = all(walk);
  assert.equal(walk.check(true), undefined);
  assert.deepEqual(walk.check("yes"), { code: "wrong_type", message: "This question takes yes or no (a boolean), not a string." });
  assert.equal(walk.check(10, { id: "many" }).code, "out_of_range");
  assert.equal(walk.check(9, { id: "many" }), undefined);
  assert.equal(walk.check("moon", { id: "env" }).code, "not_an_option");
  assert.equal(walk.check("moon", { id: "env", other: true }), undefined);
  assert.equal(walk.check(null, { id: "env", other: "moon" }), undefined);
  assert.equal(walk.check(true, { id: "nobody" }).code, "not_allowed");
  for (const value of [NaN, undefined, () => true]) assert.equal(walk.check(value).code, "wrong_type");
  for (const value of [1n, "\ud800"]) assert.equal(typeof walk.check(value).code, "string");
  assert.equal(walk.check(true, { other: 3 }).code, "wrong_type");
  assert.equal(all(walk), before);
  walk.endTurn();
  assert.equal(walk.check(true).code, "finished");
});

test("what is checked is what an answer would hear", () => {
  const values = [true, "moon", null, 3, [], {}, "", ["moon"], ["staging", "moon"], ["staging", false], ["staging", null], ["staging", 1]];
  const questions = [REQUEST.questions[0], { ...REQUEST.questions[1], when: null }, { ...REQUEST.questions[1], when: null, answer_type: "multi_select" }, { id: "x", text: "?", answer_type: "schema", schema: { type: "object" } }];
  for (const question of questions) {
    for (const value of values) {
      for (const other of [undefined, false, true, "mars"]) {
        const walk = open({ questions: [question] });
        const found = walk.check(value, { other });
        let heard;
        try {
          walk.answer(value, { other });
        } catch ({ code, message, details }) {
          heard = { code, message, ...(details && { details }) };
        }
        assert.deepEqual(found, heard, JSON.stringify([question.answer_type, value, other]));
        assert.deepEqual(open({ questions: [question] }).checkText(JSON.stringify(value), { other }), heard);
      }
    }
  }
});

test("the text of an answer is checked with every digit", () => {
  const walk = open({ question: "Which number?", answer_type: "schema", schema: { const: 1 } });
  assert.equal(walk.checkText("1"), undefined);
  assert.equal(walk.checkText("1.00000000000000000000001").code, "schema_mismatch");
  assert.equal(walk.checkText("1.00000000000000000000001").details.length, 1);
  assert.equal(walk.checkText("{").code, "invalid_json");
});

test("a text in place of an option is a text", () => {
  const walk = open({ questions: [{ id: "x", text: "?", answer_type: "multi_select", options: ["a"], other: true }] });
  for (const value of [["a", false], ["a", true], ["a", 1], false, {}]) assert.throws(() => walk.answer(value, { other: true }), (/** @type {any} */ error) => error.code === "wrong_type", JSON.stringify(value));
  walk.answer(["a", "b"], { other: true });
  assert.deepEqual(walk.outcome.result, { x: ["a", "b"] });
});

test("the tool calls that wait for approval can be decided together", () => {
  const walk = open(APPROVALS);
  const asked = walk.approvals;
  assert.deepEqual(asked.map(({ question }) => question.tool), ["delete", "write"]);
  assert.deepEqual(walk.page(), []);
  walk.answerAll(Object.fromEntries(asked.map(({ question }) => [question.id, { type: "approve" }])));
  assert.deepEqual([walk.approvals, walk.step.ends], [[], "completed"]);
  assert.deepEqual(open(REQUEST).approvals, []);
});

test("a walk says whether it is over", () => {
  for (const end of ["endTurn", "reply"]) {
    const walk = open(REQUEST);
    assert.equal(walk.isOver, false);
    walk[end]();
    assert.equal(walk.isOver, true);
  }
});

test("a page grows while the request is being written", () => {
  const text = JSON.stringify(REQUEST);
  const stream = openStream();
  stream.write(text.slice(0, text.indexOf('{"id":"many"')));
  assert.deepEqual(ids(stream.walk.page({ apply: true })), ["apply", "env"]);
  stream.write(text.slice(text.indexOf('{"id":"many"')));
  assert.deepEqual(ids(stream.end().page({ apply: true })), ["apply", "env", "many"]);
});

test("the dialect of a request is told without reading the rest of it", () => {
  assert.equal(detectDialect(REQUEST), "ask_user");
  assert.equal(detectDialect(JSON.stringify({ question: "", answer_type: "none" })), "ask_user");
  assert.equal(detectDialect(APPROVALS), open(APPROVALS).form.dialect);
  assert.ok(dialects().includes(detectDialect(APPROVALS)));
  for (const request of [{}, "{", NaN, undefined, "\ud800"]) assert.throws(() => detectDialect(request), RejectionError);
  assert.throws(() => detectDialect(REQUEST, { limits: { bytes: 3 } }), ({ problems }) => problems[0].code === "too_large");
  assert.throws(() => detectDialect(REQUEST, { lable: "x" }), TypeError);
});

test("what was typed is one word in all languages, and the old one still works", () => {
  for (const name of ["typed", "editor"]) {
    const walk = open({ question: "How many?", answer_type: "number" });
    assert.throws(() => walk[name]("two"), (/** @type {any} */ error) => error.code === "wrong_type");
    walk[name]("2");
    assert.equal(walk.isOver, true);
  }
});

test("an option within the limits is named like all options, and as the core names it", () => {
  const turn = { ...open(REQUEST).turn, open: { other: 2 } };
  for (const limits of [{ questionsPerTurn: 4 }, { questions_per_turn: 4 }]) {
    assert.throws(() => open(REQUEST, { limits, turn }), ({ problems }) => problems[0].code === "too_many_questions", JSON.stringify(limits));
    assert.equal(open(REQUEST, { limits }).form.questions, 3);
  }
  assert.equal(open(REQUEST, { limits: { questionsPerTurn: undefined } }).form.questions, 3);
  assert.throws(() => open(REQUEST, { limits: { questionsPerForm: 3 } }), /limits\.questionsPerForm/);
  for (const limits of [null, 3, []]) assert.throws(() => open(REQUEST, { limits }), TypeError);
});

test("an event that cannot happen names its call, and what cannot be read says why", () => {
  const conversation = new Conversation();
  const thrown = (act) => {
    try {
      act();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const strange = thrown(() => conversation.on({ type: "closed", call_id: "call_9", how: "answered" }));
  assert.ok(strange instanceof UnexpectedEventError);
  assert.deepEqual([strange.code, strange.callId], ["not_open", "call_9"]);
  const misplaced = thrown(() => conversation.on({ type: "model_responded", calls: [] }));
  assert.deepEqual([misplaced.code, "callId" in misplaced], ["out_of_place", false]);
  for (const read of [Conversation.fromJSON, Desk.fromJSON]) {
    for (const stored of [{}, "{", 3]) {
      const error = thrown(() => read(stored));
      assert.ok(error instanceof UnreadableStateError, String(error));
      assert.ok(error.reason && error.message.includes(error.reason), `${error.message} / ${error.reason}`);
    }
  }
});
