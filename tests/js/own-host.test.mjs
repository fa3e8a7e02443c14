// Hosts of one's own in JavaScript and in Rust: examples/own-host. That in Python is in tests/python/host.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ownHost } from "./own-host.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = fileURLToPath(new URL("../../pkg/dist", import.meta.url));
const rust = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug", process.platform === "win32" ? "own-host.exe" : "own-host");

// A project of somebody else, with the package installed.
const folder = mkdtempSync(join(tmpdir(), "own-host-"));
after(() => rmSync(folder, { recursive: true, force: true }));
for (const file of ["host.mjs", "request.json"]) cpSync(join(root, "examples/own-host", file), join(folder, file));
mkdirSync(join(folder, "node_modules"));
symlinkSync(join(root, "pkg"), join(folder, "node_modules/ask-user"), "junction");

ownHost("the host in JavaScript", (port, data) => [process.execPath, join(folder, "host.mjs"), "--port", String(port), "--data", data]);
ownHost("the host in Rust", (port, data) => [rust, String(port), data, dist]);

test("each host of one's own has fewer than a hundred lines of code, and is the first example of the page about desks", () => {
  const page = readFileSync(join(root, "docs/desk.md"), "utf8");
  const beginning = page.slice(0, page.indexOf("```"));
  for (const file of ["host.mjs", "host.py", "src/main.rs"]) {
    const lines = readFileSync(join(root, "examples/own-host", file), "utf8").split("\n");
    const code = lines.filter((line) => !/^\s*($|\/\/|#|""")/.test(line));
    assert.ok(code.length < 100, `${file} has ${code.length}`);
    assert.ok(beginning.includes(`(../examples/own-host/${file})`), file);
  }
});
