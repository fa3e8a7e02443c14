// Every vector on the form, in the engine that the environment names: in wasm, and those of the contract as a script for pages that may run no
// wasm, which takes several times as long. With SOAK=1 the project's own cases as well.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../js/vectors.mjs", import.meta.url));

const folder = fileURLToPath(new URL("../vectors/", import.meta.url));
const pending = readFileSync(new URL("../vectors.pending", import.meta.url), "utf8");
const contract = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "desk.json" && !pending.includes(name)).map((name) => folder + name);

function passes(build, files) {
  const { stdout, stderr } = spawnSync(process.execPath, [script, `--${build}`, ...files], { encoding: "utf8" });
  assert.match(stdout, new RegExp(`${build}: [1-9]\\d* passed, 0 failed`), stdout + stderr);
}

test("every vector passes on the form", () => passes("browser", []));
test("every vector that needs no wasm passes on the form as a script", () => passes("script", process.env.SOAK ? [] : contract));
