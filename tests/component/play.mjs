// The vectors in a runtime of the component, whole and while their requests are being written; and what they do not reach.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { optionsText } from "../../pkg/src/core/values.js";
import { play } from "../js/case.mjs";
import { root } from "./runtimes.mjs";

/** Acts on the component in the way of `tests/js/headless.mjs`. With `piece`, a request arrives in pieces of so many characters. */
class Driver {
  constructor(call, piece) {
    this.call = call;
    this.piece = piece;
  }
  async get(name, ...rest) {
    return (await this.call(name, ...rest)).ok ?? undefined;
  }
  async open(/** @type {import("../js/case.mjs").Asked} */ { request, text, dialect, options }) {
    this.arguments = [text ?? request, dialect ?? null, JSON.parse(optionsText(options))];
    const said = this.piece ? await this.written() : await this.call("open", ...this.arguments);
    return said.rejected ? said : { warnings: said.ok.warnings };
  }
  async written() {
    const [request, ...asked] = this.arguments;
    const begun = await this.call("stream", ...asked);
    if (!begun.ok) return begun;
    const text = [...(typeof request === "string" ? request : JSON.stringify(request))];
    for (let start = 0; start < text.length; start += this.piece) await this.call("write", text.slice(start, start + this.piece).join(""));
    const said = await this.call("end");
    return said.rejected ? said : { ok: await this.get("form") };
  }
  async see() {
    const step = await this.get("step");
    const question = step.question ?? {};
    const { header = null, context = null, options } = question;
    const [review, back] = [step.state === "review", step.back ?? false];
    return { ...step, ...question, review, back, question: question.id ?? null, options: options?.map(({ value }) => value) ?? null, header, context };
  }
  async act(action) {
    const record = action.do === "assistant" ? ((await this.get("consultation"))?.record ?? "") : undefined;
    const [name, ...rest] = {
      answer: () => ["answer", ...ownWords(action), action.note ?? null, action.remember],
      editor: () => ["typed", action.text],
      reply: () => ["reply", action.text ?? null],
      assistant: () => ["assistant", action.verdict, record],
      change: () => ["change", action.id],
      endTurn: () => ["end_turn"],
    }[action.do]?.() ?? [action.do];
    return (await this.call(name, ...rest)).refused;
  }
  async resume() {
    const [request, ...more] = this.arguments;
    const said = await this.call("resume", request, await this.get("save"), ...more, null);
    if (!said.ok) throw new Error(JSON.stringify(said));
  }
  async saved() {
    return JSON.stringify(await this.get("save"));
  }
  async ending() {
    return { outcome: await this.get("outcome"), records: await this.get("records") };
  }
  async shown() {
    return "";
  }
}

/** The answer without the text in one's own words, and that text. */
function ownWords({ value, other }) {
  if (!other) return [value, null];
  return Array.isArray(value) ? [value.slice(0, -1), value.at(-1) ?? ""] : [null, value];
}

const PENDING = readFileSync(join(root, "tests/vectors.pending"), "utf8").split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split(": ")[0]);
const VECTORS = ["tests/vectors", "tests/cases"].flatMap((folder) =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith(".json") && name !== "desk.json" && !PENDING.includes(name)).map((name) => join(root, folder, name)),
);

/** Plays every vector. Gives how many there are. */
export async function playAll(call, piece) {
  const driver = new Driver(call, piece);
  const failures = [];
  let passed = 0;
  for (const file of VECTORS) {
    for (const case_ of JSON.parse(readFileSync(file, "utf8"))) {
      try {
        await play(case_, driver);
        passed += 1;
      } catch (error) {
        failures.push(`${file.slice(root.length)}#${case_.name}: ${error.message}`);
      }
    }
  }
  assert.deepEqual(failures, []);
  return passed;
}

const TWO = { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "text" }] };
const NUMBER = { question: "Which?", answer_type: "schema", schema: { type: "integer" } };

/** What the vectors do not reach. */
export async function more(call) {
  await functions(call);
  await severalAnswers(call);
  await elsewhere(call);
  await pieces(call);
}

async function functions(call) {
  assert.match((await call("open", {}, null, { labell: "x" })).misuse, /labell/);
  const { ok: definitions } = await call("tool_definitions", "ask_user");
  assert.deepEqual(definitions, JSON.parse(readFileSync(join(root, "pkg/dist/tools.json"), "utf8")).ask_user);
  assert.deepEqual((await call("tool_definitions", "ask_user", true)).ok, []);
  assert.ok((await call("dialects")).ok.includes("mcp"));
  const acme = { name: "acme", question: { text: "acmePrompt" }, answer: "$text" };
  assert.equal((await call("register_dialect", acme)).ok, "acme");
  assert.ok((await call("dialects")).ok.includes("acme"));
  assert.match((await call("register_dialect", { ...acme, answer: "$note" })).misuse, /would be lost/);
  assert.equal((await call("detect_dialect", { message: "Name?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } }, {})).ok, "mcp");
  assert.ok((await call("detect_dialect", "{", {})).rejected);
  const may = async (options) => (await call("permission", "deploy", "run", options)).ok;
  assert.deepEqual([await may({}), await may({ turn: { permissions: { deploy: true } } }), await may({ attached: false })], ["ask", "granted", "denied"]);
  assert.match((await call("permission", "deploy", "run", { attacked: false })).misuse, /attacked/);
  const { ok: stream } = await call("read_records", [{ type: "turn" }, { id: "a", answer: 1 }, { type: "inquiry_response" }], [0]);
  assert.deepEqual([stream.turns, stream.unreadable.map(({ index }) => index)], [[], [2]]);
  assert.ok((await call("read_records", {}, [])).misuse);
  await call("open", TWO, null, {});
  await call("answer", true, null, null, false);
  const { ok: records } = await call("records");
  const { ok: mended } = await call("mend_records", records);
  assert.deepEqual(mended.map(({ type }) => type), ["inquiry_request", "inquiry_response", "inquiry_request", "inquiry_response"]);
  assert.match((await call("records_markdown", mended)).ok, /A\?/);
  assert.ok((await call("mend_records", [1])).misuse);
}

async function severalAnswers(call) {
  await call("open", TWO, null, {});
  assert.deepEqual((await call("answers", { b: 1 })).refused.details.map(({ question, code }) => [question, code]), [["a", "required"], ["b", "wrong_type"]]);
  assert.deepEqual((await call("page", { a: false })).ok.map(({ question }) => question.id), ["a", "b"]);
  assert.equal((await call("check", 1, null)).refused.code, "wrong_type");
  assert.equal((await call("check", true, null)).refused, undefined);
  assert.equal((await call("is_over")).ok, false);
  assert.equal((await call("answer_all", { b: "x", a: true })).refused, undefined);
  assert.deepEqual((await call("outcome")).ok.result, { a: true, b: "x" });
  assert.equal((await call("is_over")).ok, true);
  assert.ok((await call("idempotency_key")).ok.length > 8);
  await call("open", TWO, null, {});
  await call("answers", { b: "x", a: true });
  assert.deepEqual((await call("outcome")).ok.result, { a: true, b: "x" });
  await call("open", { question: "Drop the table?", answer_type: "boolean", danger: true }, null, {});
  assert.deepEqual([(await call("to_confirm", { answer: true })).ok, (await call("to_confirm", { answer: false })).ok], [["answer"], []]);
  await call("open", TWO, null, {});
  await call("answer", true, null, null, false);
  await call("answer", "typed", null, null, false);
  await call("open", TWO, null, {});
  await call("answer", false, null, null, false);
  await call("reply", "Later");
  assert.deepEqual(Object.keys((await call("drafts")).ok), []);
  assert.equal((await call("turn")).ok.constructor, Object);
}

async function elsewhere(call) {
  await call("open", { ...NUMBER, schema: { type: "integer", default: 3 } }, null, {});
  assert.equal((await call("template")).ok, 3);
  await call("open", NUMBER, null, {});
  assert.equal((await call("template")).ok, null);
  assert.deepEqual((await call("typed", "1.5")).refused.details.map(({ keyword }) => keyword), ["type"]);
  const { ok: saved } = await call("save");
  await call("typed", "12345678901234567890123");
  assert.match((await call("result_text")).ok, /12345678901234567890123/);
  const { ok: response } = await call("response");
  await call("resume", NUMBER, saved, null, {}, null);
  await call("continued", response);
  assert.equal((await call("is_over")).ok, true);
  assert.equal((await call("resume", NUMBER, { ...saved, checksum: "0" }, null, {}, null)).refused.code, "tampered");
  const secret = { questions: [{ id: "token", text: "Token?", answer_type: "secret" }, { id: "b", text: "B?", answer_type: "text" }] };
  await call("open", secret, null, {});
  await call("typed", "s3cret");
  const { ok: half } = await call("save");
  await call("resume", secret, half, null, {}, null);
  assert.equal((await call("step")).ok.question.id, "token");
  await call("resume", secret, half, null, {}, { token: "s3cret" });
  assert.equal((await call("step")).ok.question.id, "b");
}

/** A question is answered while the next is still being written; an end that contradicts its beginning begins anew. */
async function pieces(call) {
  const [first, second] = TWO.questions.map((question) => JSON.stringify(question));
  await call("stream", "ask_user", {});
  assert.equal((await call("step")).ok.state, "waiting");
  await call("write", `{"questions": [${first}, {"id": "b", "te`);
  await call("answer", true, null, null, false);
  assert.equal((await call("step")).ok.state, "waiting");
  await call("write", `xt": "B?", "answer_type": "text"}]}`);
  assert.equal((await call("end")).ok, false);
  assert.match((await call("write", " ")).misuse, /ended/);
  assert.equal((await call("end")).ok, false);
  await call("typed", "x");
  assert.deepEqual((await call("outcome")).ok.result, { a: true, b: "x" });
  await call("stream", "ask_user", {});
  await call("write", `{"questions": [${first}], "questions": [${second}]}`);
  assert.equal((await call("end")).ok, true);
  assert.equal((await call("step")).ok.question.id, "b");
  await call("stream", null, {});
  await call("write", `{"questions": [{"id": "a"}`);
  const { rejected } = await call("end");
  assert.deepEqual([rejected.map(({ code }) => code), (await call("end")).rejected], [["invalid_json"], rejected]);
}
