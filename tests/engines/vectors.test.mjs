// Every vector on the form, in the engine that the environment names: in wasm, and as a script for pages that may run no wasm.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../js/vectors.mjs", import.meta.url));

for (const [what, build] of [["every vector passes on the form", "browser"], ["every vector that needs no wasm passes on the form as a script", "script"]]) {
  test(what, () => {
    const said = execFileSync(process.execPath, [script, `--${build}`], { encoding: "utf8" });
    assert.match(said, new RegExp(`${build}: [1-9]\\d* passed, 0 failed`));
  });
}
