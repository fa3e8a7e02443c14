// The component in two runtimes, wasmtime in Go and jco in Node: every vector, random conversations, no imports, hostile texts, memory, and
// the example host in a terminal. It is called by `cargo xtask hosts component`, which builds the component and installs what it needs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { componentWit } from "@bytecodealliance/jco-transpile/wasm-tools";
import { converse, refuse } from "./conversation.mjs";
import { playDesks } from "./desk.mjs";
import { attack } from "./hostile.mjs";
import { more, playAll } from "./play.mjs";
import { component, go, inGo, inNode, root, transpiled } from "./runtimes.mjs";

const RUNTIMES = { "jco in Node": inNode, "wasmtime in Go": inGo };
/** How many random conversations a runtime gets. */
const SEEDS = process.env.SOAK ? 2_000 : 100;

test("the component imports nothing, and exports the interfaces", async () => {
  const wit = await componentWit(readFileSync(component));
  assert.doesNotMatch(wit, /import/);
  assert.match(wit, /export ask-user:core\/forms@0\.1\.0;/);
  assert.match(wit, /export ask-user:core\/conversations@0\.1\.0;/);
  assert.match(wit, /export ask-user:core\/desks@0\.1\.0;/);
});

for (const [name, begin] of Object.entries(RUNTIMES)) {
  test(`${name}: every vector passes, and the rest of the interface answers`, async () => {
    const { call, end } = await begin();
    const passed = await playAll(call);
    assert.ok(passed > 180, `${passed} cases`);
    await more(call);
    end();
  });

  test(`${name}: every vector passes while its request is being written`, async () => {
    const { call, end } = await begin();
    for (const piece of [7, 1_000]) assert.ok((await playAll(call, piece)) > 180);
    end();
  });

  test(`${name}: every case of a desk plays`, async () => {
    const { call, end } = await begin();
    assert.ok((await playDesks(call)) > 90);
    end();
  });

  test(`${name}: no result is lost or doubled, whatever happens, and a crash at any time loses nothing`, async () => {
    const { call, end } = await begin();
    const results = await converse(call, SEEDS);
    assert.ok(results > SEEDS, `${results} results`);
    await refuse(call);
    end();
  });
}

test("hostile texts never trap", async () => {
  const { taken, refused } = attack(await transpiled(), process.env.SOAK ? 5_000 : 60);
  assert.ok(taken > 30 && refused > 300, `${taken} taken, ${refused} refused`);
});

test("Go says which text is not UTF-8, and joins a character that comes in two pieces", async () => {
  const { call, end } = await inGo();
  assert.ok((await call("open", { question: "Why?", answer_type: "text" }, null, {})).ok);
  const invalid = "A text is not valid UTF-8.";
  assert.deepEqual((await call("broken")).ok, [invalid, invalid, invalid, invalid, "", "", invalid, "", "The text ends within a character."]);
  assert.ok((await call("step")).ok);
  end();
});

/** A form of some size. */
const LARGE = { questions: Array.from({ length: 200 }, (_, number) => ({ id: `q${number}`, text: "Why? ".repeat(40), answer_type: "text" })) };

test("a walk that Go frees is freed in the component", async () => {
  const { call, end } = await inGo(48 * 1024 * 1024);
  for (let left = 400; left > 0; left -= 1) {
    assert.ok((await call("open", LARGE, null, {})).ok);
    if (left % 20 === 0) await call("collect");
  }
  // Those that are kept fill the memory.
  let said = { ok: true };
  for (let left = 400; left > 0 && said.ok; left -= 1) {
    said = await call("open", LARGE, null, {});
    await call("keep");
  }
  assert.ok(said.trap, JSON.stringify(said));
  end();
});

test("the largest texts that are read fit into the memory of the component, and larger ones are refused", { skip: !process.env.SOAK && "takes a minute: SOAK=1" }, async () => {
  const { call, end } = await inGo();
  const text = (bytes) => `"${"x".repeat(bytes - 2)}"`;
  // An event of 32 MiB is the largest. A conversation holds three of them, and is read again.
  const large = "x".repeat(31 << 20);
  await call("conversation", true);
  await call("on", { type: "message" });
  assert.ok((await call("on", { type: "model_responded", calls: [{ id: "a", name: large, input: null }] })).ok);
  assert.ok((await call("on", { type: "question_pending", call_id: "a", request: large })).ok);
  assert.ok((await call("on", { type: "walk_saved", call_id: "a", walk: large })).ok);
  const { ok: stored } = await call("stored");
  assert.ok((await call("stored_conversation", stored)).ok);
  assert.match((await call("on", `{"type":"walk_saved","call_id":"a","walk":${text(33 << 20)}}`)).misuse, /more memory/);
  // Many small values take more memory than their text.
  const lines = Array.from({ length: 800_000 }, () => ({ id: "a", answer: 1 }));
  assert.ok((await call("read_records", lines, [])).ok);
  assert.match((await call("read_records", [...lines, ...lines], [])).misuse, /more memory/);
  end();
});

test("the example host in Go asks in a terminal, refuses, goes back, and prints the result", () => {
  // An answer that is refused, a step back, and the answers.
  const input = ["y", "3", "2", "b", "1", '{"cpu": "two"}', '{"cpu": 2}', ""].join("\n");
  const said = execFileSync(join(go, "ask"), [component], { input, encoding: "utf8" });
  assert.match(said, /cpu must be/);
  assert.equal(said.trim().split("\n").at(-1).replace(/^(> )+/, ""), '{"apply":true,"environment":"staging","limits":{"cpu":2}}');
});
