// Vectors on the form, in the engine that the environment names. `cargo xtask test` has played all of them in Chromium, so the short pass plays every fourth of the contract in wasm, and every sixteenth as a
// script for pages that may run no wasm, which takes several times as long. With SOAK=1, both builds play every vector.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../js/vectors.mjs", import.meta.url));

const folder = fileURLToPath(new URL("../vectors/", import.meta.url));
const pending = readFileSync(new URL("../vectors.pending", import.meta.url), "utf8");
const contract = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "desk.json" && !pending.includes(name)).map((name) => folder + name);

function passes(build, ...given) {
  const { stdout, stderr } = spawnSync(process.execPath, [script, `--${build}`, ...(process.env.SOAK ? [] : given)], { encoding: "utf8" });
  assert.match(stdout, new RegExp(`${build}: [1-9]\\d* passed, 0 failed`), stdout + stderr);
}

test("the vectors pass on the form", () => passes("browser", "--every", "4", ...contract));
test("the vectors that need no wasm pass on the form as a script", () => passes("script", "--every", "16", ...contract));
