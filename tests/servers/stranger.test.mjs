// What a stranger does with docs/host.md: the packed package in an empty folder, the example copied, a question answered in Chromium, and the result seen in the agent,
// also if the server is killed while the question is open.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "../js/free-port.mjs";
import { takesAnswers } from "../js/wait.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const { chromium } = createRequire(path("../../pkg/package.json"))("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "ask-user-stranger-"));
let browser;
let port;
before(async () => {
  const pack = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: path("../../pkg"), encoding: "utf8" });
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", JSON.parse(pack)[0].filename], { cwd: folder });
  // The driver is built already: building it takes minutes.
  for (const name of ["better-sqlite3", "bindings", "file-uri-to-path"]) cpSync(join(path("node_modules"), name), join(folder, "node_modules", name), { recursive: true });
  const [, server] = /```js\n(import \{ createServer \}.*?)^```/ms.exec(readFileSync(path("../../docs/host.md"), "utf8"));
  const [, page] = /```html\n(<!doctype html>.*?)^```/ms.exec(readFileSync(path("../../docs/host.md"), "utf8"));
  writeFileSync(join(folder, "server.mjs"), server);
  writeFileSync(join(folder, "page.html"), page);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", chromiumSandbox: false, args: ["--disable-gpu", "--disable-background-networking"] });
  port = await freePort();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function started() {
  const server = spawn(process.execPath, ["server.mjs"], { cwd: folder, env: { ...process.env, PORT: String(port) }, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    server.stdout.once("data", () => resolve(server));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

const kill = (server) => new Promise((resolve) => (server.removeAllListeners("exit").once("exit", resolve), server.kill("SIGKILL")));

test("the example of docs/host.md: a person answers, and the agent gets it", () => answered({ isKilled: false }));

test("the example of docs/host.md: the server is killed while the question is open, and the agent gets the answer", () => answered({ isKilled: true }));

async function answered({ isKilled }) {
  let server = await started();
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`http://localhost:${port}/`);
    const yes = page.locator("ask-user").locator("[data-answer=yes]");
    await yes.waitFor();
    await page.getByText("I have looked at it.").waitFor();
    if (isKilled) {
      await kill(server);
      server = await started();
    }
    // A click counts once the question has been there for a moment.
    await takesAnswers(page, "[data-answer=yes]");
    await yes.click();
    const said = page.getByText('assistant: I got {"answer_type":"boolean","answer":true}.');
    await said.waitFor({ timeout: 20_000 });
    assert.equal(await said.count(), 1);
    assert.deepEqual(faults, []);
    await page.close();
  } finally {
    await kill(server);
  }
}
