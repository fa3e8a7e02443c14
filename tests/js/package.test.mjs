// The headless package in Node: what it gives, throws, keeps exact, and does not need.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  dialects, mendRecords, open, recordsMarkdown, RefusalError, RejectionError, resume, toolDefinition, toolDefinitions, UnresumableError,
} from "../../pkg/dist/core.node.js";
import { DIST } from "./package-files.mjs";

const REQUEST = {
  questions: [
    { id: "apply", text: "Apply?", answer_type: "boolean" },
    { id: "config", text: "Which configuration?", answer_type: "schema", schema: { type: "object" }, when: { question_id: "apply", equals: true } },
  ],
};

test("a walk from its first step to its result", () => {
  const walk = open(REQUEST, { toolCallId: "call_1" });
  assert.deepEqual(walk.step, {
    state: "asking",
    asks: "person",
    question: { id: "apply", type: "boolean", text: "Apply?", optional: false, notes: false },
    progress: [1, 2],
    back: false,
    draft: null,
    remember: true,
  });
  assert.equal(walk.outcome, undefined);
  walk.answer(true);
  walk.back();
  assert.equal(walk.step.draft, true);
  walk.answer(true);
  walk.typed('{ "port": 1 }');
  assert.deepEqual(walk.step, { state: "done", ends: "completed" });
  assert.deepEqual(walk.outcome, { ends: "completed", result: { apply: true, config: { port: 1 } } });
  assert.equal(walk.records.length, 8);
});

test("Reply carries what is answered and the words; the end of the turn has no result", () => {
  const replied = open(REQUEST);
  replied.answer(true);
  replied.reply("Later.");
  assert.deepEqual(replied.outcome, { ends: "replied", result: { cancelled: true, answered: { apply: true }, reply: "Later." }, reply: "Later." });
  const ended = open(REQUEST);
  ended.answer(true);
  ended.endTurn();
  assert.deepEqual(ended.outcome, { ends: "turn_ended" });
  assert.equal(ended.resultText, undefined);
});

test("a question that is skipped is null in the result, and the form ends without it", () => {
  const walk = open(REQUEST);
  walk.answer(false, { remember: true });
  assert.deepEqual(walk.outcome, { ends: "completed", result: { apply: false, config: null } });
});

test("a rejection has every problem, and the result to hand back to the model", () => {
  assert.throws(() => open({ questions: [{ id: "", text: "", answer_type: "boolean" }] }), (error) => {
    assert.ok(error instanceof RejectionError && error instanceof Error);
    assert.deepEqual(error.problems.map(({ code }) => code), ["invalid_id", "empty_text"]);
    assert.deepEqual(Object.keys(error.toolResult), ["error", "message", "problems"]);
    assert.equal(error.message, error.toolResult.message);
    return true;
  });
});

test("a refusal names its code, and the walk is as it was", () => {
  const walk = open(REQUEST);
  const before = JSON.stringify([walk.save(), walk.step]);
  const refused = (act, code) => {
    assert.throws(act, (error) => error instanceof RefusalError && error.code === code && error.message.length > 0, code);
    assert.equal(JSON.stringify([walk.save(), walk.step]), before);
  };
  const cycle = [];
  cycle.push(cycle);
  refused(() => walk.answer("yes"), "wrong_type");
  refused(() => walk.answer(null), "required");
  refused(() => walk.answer(cycle), "invalid_json");
  refused(() => walk.answer(/** @type {any} */ (1n)), "invalid_json");
  refused(() => walk.answerText("{"), "invalid_json");
  refused(() => walk.back(), "not_allowed");
  refused(() => walk.submit(), "not_allowed");
  refused(() => walk.change("apply"), "not_allowed");
});

test("what JSON has no value for is no answer: only an explicit null leaves a question empty", () => {
  const mcp = { message: "Which?", requestedSchema: { type: "object", properties: { n: { type: "number" }, m: { type: "number" } } } };
  const walk = open(mcp, { dialect: "mcp", review: false });
  const before = JSON.stringify(walk.save());
  const none = [NaN, Infinity, -Infinity, undefined, () => 1, Symbol("s"), new Date(NaN), new Number(NaN)];
  for (const value of /** @type {any[]} */ ([...none, ...none.map((one) => [one]), { a: NaN }, { a: [1, { b: -Infinity }] }, { a() {} }, Array(2)])) {
    assert.throws(() => walk.answer(value), (error) => error instanceof RefusalError && error.code === "wrong_type" && /null/.test(error.message));
    assert.throws(() => walk.answerAll({ n: value }), (/** @type {any} */ error) => error.code === "wrong_type");
    assert.equal(JSON.stringify(walk.save()), before);
  }
  walk.answer(null);
  walk.answer(2);
  assert.deepEqual(walk.outcome.result, { action: "accept", content: { m: 2 } });
  const free = open({ question: "Value?", answer_type: "schema", schema: {} });
  free.answer(/** @type {any} */ ({ at: new Date(0), left: undefined }));
  assert.deepEqual(/** @type {any} */ (free.outcome.result).answer, { at: "1970-01-01T00:00:00.000Z" });
  assert.throws(() => open(mcp, { dialect: "mcp", staticAnswers: { n: NaN } }), TypeError);
});

test("several answers are taken at once, or none is", () => {
  const questions = [
    { id: "b", text: "B?", answer_type: "boolean" },
    { id: "1", text: "One?", answer_type: "number", when: { question_id: "b", equals: true } },
    { id: "c", text: "C?", answer_type: "text" },
  ];
  const walk = open({ questions });
  const before = JSON.stringify([walk.save(), walk.step]);
  const refused = (answers, expected) => {
    assert.throws(() => walk.answerAll(answers), (/** @type {any} */ error) => {
      assert.equal(error.code, "refused_answers");
      assert.deepEqual(error.refused.map(({ question, code }) => [question, code]), expected);
      assert.ok(error.refused.every(({ message }) => message));
      return true;
    });
    assert.equal(JSON.stringify([walk.save(), walk.step]), before);
  };
  refused({ b: true, 1: "one", c: 3 }, [["1", "wrong_type"], ["c", "wrong_type"]]);
  refused({ b: false, 1: 1 }, [["1", "not_allowed"]]);
  refused({ b: true, d: 1 }, [["d", "not_allowed"]]);
  assert.throws(() => walk.answerAll(/** @type {any} */ ([true])), (/** @type {any} */ error) => error.code === "not_allowed");
  // Objects have ids that are numbers first; the order of the questions counts.
  walk.answerAll({ b: true, 1: 1, c: "x" });
  assert.deepEqual(walk.outcome.result, { b: true, 1: 1, c: "x" });
  const one = open({ questions });
  for (const [id, value] of /** @type {[string, any][]} */ (Object.entries({ b: true })).concat([["1", 1], ["c", "x"]])) assert.equal(/** @type {any} */ (one.step).question.id, id), one.answer(value);
  assert.deepEqual(walk.save(), one.save());
});

test("a text in one's own words stands in place of an option, or beside options", () => {
  const ask = (multiSelect) => open({ questions: [{ question: "Which?", header: "Which", options: [{ label: "A" }, { label: "B" }], multiSelect }] }, { dialect: "claude" });
  const saved = (multiSelect, ...answers) => answers.map((given) => { const walk = ask(multiSelect); walk.answer(.../** @type {[any]} */ (given)); return JSON.stringify(walk.save()); });
  for (const all of [saved(false, ["C", { other: true }], [null, { other: "C" }]), saved(true, [["A", "C"], { other: true }], [["A"], { other: "C" }])]) {
    assert.equal(new Set(all).size, 1);
    assert.match(all[0], /"C"/);
  }
  const walk = ask(false);
  for (const other of /** @type {any[]} */ ([1, {}, "\ud800"])) assert.throws(() => walk.answer(null, { other }), (/** @type {any} */ error) => error.code === "wrong_type");
  assert.throws(() => walk.answer("", { other: true }), (/** @type {any} */ error) => error.code === "required");
});

test("a verdict names the record that it answers", () => {
  const options = { target: { model: { id: "m", temperature: 0 } } };
  const request = { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "boolean" }] };
  const walk = open(request, options);
  const verdict = { reason: "So.", answer: true };
  const { record, model } = walk.consultation;
  assert.deepEqual([record, model], ["call_1.a.1", { id: "m", temperature: 0 }]);
  assert.throws(() => walk.assistant(verdict), (/** @type {any} */ error) => error.code === "not_allowed" && /record/.test(error.message));
  assert.throws(() => walk.assistant(verdict, "call_1.b.1"), (/** @type {any} */ error) => error.code === "not_allowed");
  walk.assistant({ ...verdict, record });
  assert.throws(() => walk.assistant(verdict, record), (/** @type {any} */ error) => error.code === "not_allowed");
  // What is no verdict hands the question on, and so does an answer that JSON has no value for.
  walk.assistant({ reason: "So.", answer: NaN }, walk.consultation.record);
  assert.deepEqual([/** @type {any} */ (walk.step).question.id, /** @type {any} */ (walk.step).asks], ["b", "person"]);
  const failed = open(request, options);
  failed.assistant(null);
  assert.equal(/** @type {any} */ (failed.step).asks, "person");
});

test("a nonce makes an idempotency key unique, and stays with the saved walk", () => {
  const request = { question: "Sure?", answer_type: "boolean" };
  const key = (walk) => (walk.answer(true), walk.idempotencyKey);
  const keys = [{}, { nonce: "a" }, { nonce: "b" }].map((options) => key(open(request, options)));
  assert.equal(new Set(keys).size, 3);
  const saved = open(request, { nonce: "a" }).save();
  assert.equal(key(resume(request, saved, { nonce: "b" })), keys[1]);
  assert.equal(key(resume(request, open(request).save(), { nonce: "b" })), keys[2]);
});

test("a walk that other options would lead elsewhere is not resumed", () => {
  const walk = open(REQUEST, { staticAnswers: { apply: true } });
  assert.throws(() => resume(REQUEST, walk.save(), {}), (error) => error instanceof UnresumableError && error.code === "other_options");
});

test("the host's own faults are TypeErrors", () => {
  assert.throws(() => open(REQUEST, /** @type {any} */ ({ labell: "x" })), TypeError);
  assert.throws(() => open(REQUEST, /** @type {any} */ ({ reuse: "always" })), TypeError);
  assert.throws(() => open(REQUEST, { limits: { depth: 1000 } }), TypeError);
});

test("a saved walk is resumed; one of another form or one tampered with is not", () => {
  const walk = open(REQUEST);
  walk.answer(true);
  const saved = JSON.parse(JSON.stringify(walk.save()));
  assert.deepEqual(resume(REQUEST, saved).step, walk.step);
  assert.deepEqual(resume(REQUEST, JSON.stringify(saved)).records, walk.records);
  const fails = (request, saved, code) =>
    assert.throws(() => resume(request, saved), (error) => error instanceof UnresumableError && error.code === code);
  fails({ question: "Another?" }, saved, "other_form");
  fails(REQUEST, { ...saved, log: [] }, "tampered");
  fails(REQUEST, "{", "not_a_saved_walk");
  fails(REQUEST, null, "not_a_saved_walk");
});

test("no digit is lost in JSON, nor by saving, Back or a review", () => {
  const exact = '{"n":[123456789012345678901,1.10],"\\"":"18446744073709551616","\ue000":0.12345678901234567890}';
  const request = { questions: [{ id: "a", text: "Which?", answer_type: "schema", schema: {} }, { id: "b", text: "Sure?", answer_type: "boolean" }] };
  let walk = open(request, { review: true });
  walk.typed(exact);
  walk.back();
  walk.typed(exact.replace(":[", ": ["));
  walk = resume(request, walk.save(), { review: true });
  walk.answer(true);
  walk.submit();
  assert.equal(walk.resultText, `{"a":${exact.replace(":[", ": [")},"b":true}`.replace(": [", ":[").replace("1.10", "1.1"));
  assert.deepEqual(walk.outcome.result, JSON.parse(walk.resultText));
});

test("no digit is lost on the way as text", () => {
  const request = '{"question": "How many?", "answer_type": "number"}';
  for (const digits of ["18446744073709551615", "-9223372036854775808", "0.30000000000000004", "9007199254740993", "123456789012345678901234567890", "-0.1234567890123456789e5"]) {
    const walk = open(request);
    walk.answerText(digits);
    assert.equal(walk.resultText, `{"answer_type":"number","answer":${digits}}`);
  }
});

test("key order, __proto__ and surrogates are kept or refused, never changed", () => {
  const walk = open({ question: "Value?", answer_type: "schema", schema: {} });
  walk.answerText('{"b": 1, "a": {"__proto__": 2}, "1": 3}');
  assert.equal(walk.resultText, '{"answer_type":"schema","answer":{"b":1,"a":{"__proto__":2},"1":3}}');
  const text = open({ question: "Text?", answer_type: "text" });
  assert.throws(() => text.answer("\ud800"), (/** @type {any} */ error) => error.code === "invalid_json");
  text.answer("🙂\u0000");
  assert.equal(/** @type {any} */ (text.outcome.result).answer, "🙂\u0000");
});

test("the tool definitions are there for every dialect, and for no other name", () => {
  assert.equal(dialects().length, 28);
  for (const dialect of dialects()) {
    for (const { name, description, parameters } of toolDefinitions(dialect)) {
      assert.match(name, /^\w+$/);
      assert.ok(description.length > 80);
      assert.equal(parameters.type, "object");
    }
    assert.deepEqual(toolDefinition(dialect), toolDefinitions(dialect)[0]);
  }
  assert.deepEqual(toolDefinitions("deepagents").map(({ name }) => name), ["ask_user_question", "confirm_action", "ask_user"]);
  assert.equal(toolDefinition("deepagents", "confirm_action").name, "confirm_action");
  assert.equal(toolDefinition("toString"), undefined);
  const written = JSON.parse(readFileSync(new URL("tools.json", DIST), "utf8"));
  assert.deepEqual(written, Object.fromEntries(dialects().map((dialect) => [dialect, toolDefinitions(dialect)])));
});

test("the element can be imported where there is no page", async () => {
  const { AskUser } = await import(new URL("ask-user.js", DIST).href);
  assert.equal(typeof AskUser, "function");
});

test("the modules import nothing but what wasm-bindgen itself needs", async () => {
  const module = await WebAssembly.compile(readFileSync(new URL("core.wasm", DIST)));
  const imports = WebAssembly.Module.imports(module).map(({ name }) => name.replace(/_[0-9a-f]{16}$/, ""));
  assert.deepEqual(imports.sort(), ["__wbg___wbindgen_throw", "__wbindgen_generic", "__wbindgen_init_externref_table"]);
});

test("a host reads again what a page sends, and believes no more than it must", () => {
  const request = { questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, { id: "key", text: "Key?", answer_type: "secret" }] };
  const own = open(request, { toolCallId: "call_9" });
  const page = resume(request, own.save(), { toolCallId: "call_9" });
  page.answer(true);
  page.answer("hunter2");
  assert.doesNotMatch(JSON.stringify(page.response.walk), /hunter2/);
  const { outcome, records } = own.continued(page.response);
  assert.deepEqual([outcome.result, outcome.secrets], [{ go: true, key: "[redacted]" }, { key: "hunter2" }]);
  assert.deepEqual(records, page.records);
  assert.deepEqual(resume(request, page.save(), { toolCallId: "call_9" }, page.response.secrets).outcome, page.outcome);
  assert.equal(/** @type {any} */ (resume(request, page.save(), { toolCallId: "call_9" }).step).question.id, "key");
  const without = own.continued({ ...page.response, secrets: {} });
  assert.equal(/** @type {any} */ (without.step).question.id, "key");
  for (const wrong of /** @type {any[]} */ ([{}, { walk: page.save() }, { walk: {}, secrets: {} }, "x", { walk: open(request).save(), secrets: {} }])) {
    assert.throws(() => own.continued(wrong), UnresumableError);
  }
});

test("records are mended, and written for people", () => {
  const walk = open({ question: "Delete <all> of it?", answer_type: "boolean" });
  const [asked] = walk.records;
  const mended = mendRecords(/** @type {any} */ ([{ id: "orphan", answer: 1 }, asked]));
  assert.deepEqual(/** @type {any} */ (mended).map(({ outcome }) => outcome), [undefined, "cancelled"]);
  assert.equal(recordsMarkdown(mended), "**Delete \\<all\\> of it?** (asked by the assistant)\n\n*Cancelled (user)*");
  assert.throws(() => mendRecords(/** @type {any} */ ([{ type: "inquiry_response" }])), TypeError);
});
