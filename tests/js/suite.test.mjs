// Every required test of the JSON Schema project's own suite, in the wasm build, and the report of it in the docs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assertsFormat, page, PAGE, passed, report, required, results } from "./suite.mjs";

const all = await results();

for (const draft of new Set(all.map(({ draft }) => draft))) {
  test(`draft ${draft}: every required test is passed, but that formats are asserted`, () => {
    const tests = all.filter((test) => test.draft === draft && required(test));
    assert.ok(tests.length > 600, `only ${tests.length} tests`);
    assert.deepEqual(tests.filter((test) => !passed(test) && !assertsFormat(test)), []);
  });
}

test("the report in docs/json-schema.md is what this run gives", () => {
  const text = readFileSync(PAGE, "utf8");
  assert.equal(page(text, report(all)), text, "the page is old: say `cargo xtask suite`");
});
