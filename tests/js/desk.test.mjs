// Whether an answer counts at a host, by the headless package: the vectors of desks, and what JavaScript adds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as core from "../../pkg/dist/core.node.js";
import { play } from "./desk.mjs";

const { Desk, RejectionError, UnreadableStateError, open } = core;
const cases = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const REQUEST = { questions: [{ id: "apply", text: "Apply?", answer_type: "boolean" }] };
const OPTIONS = { toolCallId: "call_1", nonce: "n1" };

test("every case of a desk plays in the headless package", async () => {
  const all = [...cases("../vectors/desk.json"), ...cases("../cases/desk.json"), ...cases("../random/desk.json")];
  for (const one of all) {
    try {
      await play(core, one);
    } catch (error) {
      error.message = `${one.name}: ${error.message}`;
      throw error;
    }
  }
  assert.ok(all.length > 30);
});

test("a desk says what follows as plain values", () => {
  const desk = Desk.ask(REQUEST, OPTIONS);
  assert.deepEqual([desk.isOpen, desk.closed, desk.answer], [true, undefined, undefined]);
  const walk = open(REQUEST, OPTIONS);
  walk.answer(true);
  const { store, closed, reply, hand } = desk.on({ type: "responded", key: "k1", response: walk.response });
  assert.deepEqual([store, closed, reply.code, reply.status, hand.outcome.result, hand.result], [true, "answered", "taken", 200, { apply: true }, '{"apply":true}']);
  assert.deepEqual([desk.isOpen, desk.closed, desk.answer.outcome.result], [false, { how: "answered", key: "k1" }, { apply: true }]);
  assert.equal(Desk.fromJSON(JSON.stringify(desk)).on({ type: "restored" }).hand.key, "k1");
});

test("a walk that an assistant has begun is handed out as it stands", () => {
  const request = { questions: [...REQUEST.questions, { id: "why", text: "Why?", answer_type: "text" }] };
  const options = { ...OPTIONS, targets: { apply: /** @type {const} */ ("assistant") } };
  const walk = open(request, options);
  walk.assistant({ reason: "It is safe.", answer: true }, walk.consultation.record);
  const desk = Desk.ask(request, options).begun(walk.save());
  const { walk: handedOut } = desk.request;
  const client = core.resume(request, handedOut, options);
  client.answer("Because.");
  assert.deepEqual(desk.on({ type: "responded", response: client.response }).hand.outcome.result, { apply: true, why: "Because." });
});

test("what is no question, no desk and no input is refused with what to do", () => {
  assert.throws(() => Desk.ask({ questions: [] }, OPTIONS), RejectionError);
  assert.throws(() => Desk.ask(REQUEST, /** @type {any} */ ({ nonce: "n1" })), { name: "TypeError", message: /`toolCallId` must be a text/ });
  const secret = { questions: [{ id: "token", text: "Token?", answer_type: "secret" }] };
  assert.throws(() => Desk.ask(secret, { ...OPTIONS, secretAnswers: { token: "x" } }), { name: "TypeError", message: /secret_answers/ });
  assert.throws(() => Desk.fromJSON("{}"), UnreadableStateError);
  assert.throws(() => Desk.fromJSON({ ...Desk.ask(REQUEST, OPTIONS).toJSON(), ask_user_desk: 2 }), { name: "UnreadableStateError", message: /version 2/ });
  assert.throws(() => new (/** @type {any} */ (Desk))({}), { name: "TypeError", message: /Desk.ask/ });
  const desk = Desk.ask(REQUEST, OPTIONS);
  assert.throws(() => desk.on(/** @type {any} */ ({ type: "answer" })), { name: "TypeError", message: /not an input of a desk/ });
  assert.throws(() => desk.on(undefined), TypeError);
  assert.equal(desk.isOpen, true);
});
