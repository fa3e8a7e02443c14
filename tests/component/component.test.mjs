// The component in two runtimes, wasmtime from Python and jco in Node: every vector, no imports, and the example host in a terminal.
// It is called by `cargo xtask hosts component`, which builds the component and installs wasmtime.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { componentWit } from "@bytecodealliance/jco-transpile/wasm-tools";
import { transpile } from "@bytecodealliance/jco-transpile";
import { optionsText } from "../../pkg/src/core.js";
import { play } from "../js/case.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const component = join(root, "target/component/ask-user.wasm");
const python = join(root, "target/component/python");
const interfaceName = "ask-user:core/forms@0.1.0";

let forms;
before(async () => {
  const { files } = await transpile(component, { name: "ask-user", noComponentErrorWrapping: true });
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(root, "target/component/js", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  writeFileSync(join(root, "target/component/js/package.json"), '{"type": "module"}');
  forms = (await import(pathToFileURL(join(root, "target/component/js/ask-user.js")).href))[interfaceName];
});

test("the component imports nothing, and exports the interface", async () => {
  const wit = await componentWit(readFileSync(component));
  assert.doesNotMatch(wit, /import/);
  assert.match(wit, /export ask-user:core\/forms@0\.1\.0;/);
});

/** What both builds are asked for, in the way of `tests/js/headless.mjs`: `call(name, ...arguments)` gives `{ ok }`, `{ rejected }` or `{ refused }`. */
class Driver {
  constructor(call) {
    this.call = call;
  }
  async get(name, ...rest) {
    return (await this.call(name, ...rest)).ok ?? undefined;
  }
  async open({ request, text, dialect, options }) {
    this.arguments = [text ?? request, dialect ?? null, JSON.parse(optionsText(options))];
    const said = await this.call("open", ...this.arguments);
    return said.rejected ? said : { warnings: said.ok.warnings };
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
    const said = await this.call("resume", request, await this.get("save"), ...more);
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

/** The component as jco makes it a module of JavaScript. */
function inNode() {
  let walk;
  const json = (text) => (text === undefined ? null : JSON.parse(text));
  const kebab = {
    answer: (value, other, note, remember) => ({ value: JSON.stringify(value), other: other ?? undefined, note: note ?? undefined, remember }),
    assistant: (verdict, id) => ({ id, said: JSON.stringify(verdict) }),
  };
  const said = (act) => {
    try {
      return { ok: act() };
    } catch (error) {
      if (typeof error === "string") return { misuse: error };
      if (error?.tag === "rejection") return { rejected: JSON.parse(error.val).problems };
      if (error?.tag === "misuse") return { misuse: error.val };
      if (error?.tag === "unresumable") return { refused: error.val };
      if (typeof error?.code !== "string" || error instanceof Error) throw error;
      return { refused: { ...error, details: json(error.details) ?? undefined } };
    }
  };
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  return async (name, ...rest) =>
    said(() => {
      if (name === "open") walk = forms.open(text(rest[0]), rest[1] ?? undefined, JSON.stringify(rest[2]));
      else if (name === "resume") walk = forms.resume(text(rest[0]), text(rest[1]), rest[2] ?? undefined, JSON.stringify(rest[3]));
      if (name === "open" || name === "resume") return json(walk.form());
      if (name === "records") return json(walk.records(0));
      if (["step", "save", "outcome", "consultation", "template", "response"].includes(name)) return json(walk[name]());
      if (name === "tool_definitions") return json(forms.toolDefinitions(rest[0], rest[1] ?? false));
      if (name === "answers") return void walk.answers(JSON.stringify(rest[0]));
      if (name === "read_records") return json(forms.readRecords(JSON.stringify(rest[0]), rest[1]));
      if (name === "continued") return void (walk = walk.continued(text(rest[0])));
      walk.act({ tag: name.replace("_", "-"), val: kebab[name] ? kebab[name](...rest) : (rest[0] ?? undefined) });
      return null;
    });
}

/** The component in wasmtime, in a process of Python. */
function inPython() {
  const child = spawn("python3", [join(root, "tests/component/driver.py"), component, python, join(root, "examples/python")], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (...line) => {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error("Python has ended.");
    const said = JSON.parse(value);
    if (said.refused?.details === null) delete said.refused.details;
    return said;
  };
  return { call, end: () => child.stdin.end() };
}

const PENDING = readFileSync(join(root, "tests/vectors.pending"), "utf8").split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split(": ")[0]);
const VECTORS = ["tests/vectors", "tests/cases"].flatMap((folder) =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith(".json") && !PENDING.includes(name)).map((name) => join(root, folder, name)),
);

async function playAll(call) {
  const driver = new Driver(call);
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

/** What the vectors do not come to. */
async function more(call) {
  assert.match((await call("open", {}, null, { labell: "x" })).misuse, /labell/);
  const { ok: definitions } = await call("tool_definitions", "ask_user");
  assert.deepEqual(definitions, JSON.parse(readFileSync(join(root, "pkg/dist/tools.json"), "utf8")).ask_user);
  assert.deepEqual((await call("tool_definitions", "ask_user", true)).ok, []);
  const { ok: stream } = await call("read_records", [{ type: "turn" }, { id: "a", answer: 1 }, { type: "inquiry_response" }], [0]);
  assert.deepEqual([stream.turns, stream.unreadable.map(({ index }) => index)], [[], [2]]);
  assert.ok((await call("read_records", {}, [])).misuse);
  await call("open", { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "text" }] }, null, {});
  assert.deepEqual((await call("answers", { b: 1 })).refused.details.map(({ question, code }) => [question, code]), [["a", "required"], ["b", "wrong_type"]]);
  await call("answers", { b: "x", a: true });
  assert.deepEqual((await call("outcome")).ok.result, { a: true, b: "x" });
  const request = { question: "Which?", answer_type: "schema", schema: { type: "integer" } };
  await call("open", { ...request, schema: { type: "integer", default: 3 } }, null, {});
  assert.equal((await call("template")).ok, 3);
  await call("open", request, null, {});
  assert.equal((await call("template")).ok, null);
  assert.deepEqual((await call("typed", "1.5")).refused.details.map(({ keyword }) => keyword), ["type"]);
  const { ok: saved } = await call("save");
  await call("typed", "7");
  const { ok: response } = await call("response");
  await call("resume", request, saved, null, {});
  await call("continued", response);
  assert.equal((await call("outcome")).ok.result.answer, 7);
  assert.equal((await call("resume", request, { ...saved, checksum: "0" }, null, {})).refused.code, "tampered");
}

test("every vector passes through jco in Node, and the rest of the interface answers", async () => {
  const passed = await playAll(inNode());
  assert.ok(passed > 180, `${passed} cases`);
  await more(inNode());
});

test("every vector passes through wasmtime in Python, and the rest of the interface answers", async () => {
  const { call, end } = inPython();
  after(end);
  const passed = await playAll(call);
  assert.ok(passed > 180, `${passed} cases`);
  await more(call);
  end();
});

test("the example host in a terminal asks, refuses, goes back, and prints the result", () => {
  const input = ["y", "3", "2", "b", "1", '{"cpu": "two"}', '{"cpu": 2}', ""].join("\n");
  const env = { ...process.env, PYTHONPATH: python };
  const said = execFileSync("python3", [join(root, "examples/python/ask.py")], { input, env, encoding: "utf8" });
  assert.match(said, /cpu must be/);
  assert.equal(said.trim().split("\n").at(-1).replace(/^(> )+/, ""), '{"apply":true,"environment":"staging","limits":{"cpu":2}}');
});
