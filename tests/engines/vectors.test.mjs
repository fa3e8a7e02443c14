// Every vector on the form, in the engine that the environment names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("every vector passes on the form", () => {
  const script = fileURLToPath(new URL("../js/vectors.mjs", import.meta.url));
  const said = execFileSync(process.execPath, [script, "--browser"], { encoding: "utf8" });
  assert.match(said, /browser: [1-9]\d* passed, 0 failed/);
});
