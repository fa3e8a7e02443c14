// What a stranger does with docs/python-host.md: the wheel in a new environment, an example copied into an empty folder, a question answered in Chromium, and the result seen in the agent,
// also if the server is killed while the question is open. PYTHON is an interpreter, WHEEL the wheel; by default those of `cargo xtask hosts python`.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openChromium } from "../../js/browser.mjs";
import { freePort } from "../../js/free-port.mjs";
import { takesAnswers, until } from "../../js/wait.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const WHEELS = join(ROOT, "target/python/wheels");
const WHEEL = process.env.WHEEL ?? join(WHEELS, readdirSync(WHEELS).find((name) => name.endsWith(".whl")));
const [BIN, SUFFIX] = process.platform === "win32" ? ["Scripts", ".exe"] : ["bin", ""];
const PAGE = readFileSync(join(ROOT, "docs/python-host.md"), "utf8");
/** What the examples need besides the wheel, and how each is started. */
const EXAMPLES = {
  FastAPI: { needs: ["fastapi", "uvicorn"], code: /^from fastapi import/m, start: (port) => ["uvicorn", "app:app", "--timeout-graceful-shutdown", "1", "--port", port] },
  Flask: { needs: ["flask"], code: /^from flask import/m, start: (port) => ["flask", "run", "--port", port] },
};
const folder = mkdtempSync(join(tmpdir(), "ask-user-stranger-"));
const program = (name) => join(folder, "venv", BIN, name + SUFFIX);
let browser;

before(async () => {
  execFileSync(process.env.PYTHON ?? "python3", ["-m", "venv", join(folder, "venv")]);
  execFileSync(program("python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", WHEEL, ...Object.values(EXAMPLES).flatMap(({ needs }) => needs)]);
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const [name, { code, start }] of Object.entries(EXAMPLES)) {
  for (const isKilled of [false, true]) {
    test(`the example with ${name}: a person answers, and the agent gets it${isKilled ? ", although the server was killed while the question was open" : ""}`, async () => {
      const own = join(folder, `${name}-${isKilled}`);
      const port = String(await freePort());
      mkdirSync(own);
      cpSync(join(ROOT, "pkg/dist"), join(own, "static"), { recursive: true });
      const blocks = [...PAGE.matchAll(/^```python\n(.*?)^```/gms)].map(([, block]) => block).filter((block) => code.test(block));
      assert.equal(blocks.length, 1);
      // Another port, where the usual one may be taken.
      writeFileSync(join(own, "app.py"), blocks[0].replaceAll("8000", port));
      const server = new Server(own, start(port), `http://127.0.0.1:${port}/`);
      try {
        await server.start();
        const page = await browser.newPage();
        const faults = [];
        page.on("pageerror", (error) => faults.push(error.message));
        await page.goto(server.url);
        const yes = page.locator("ask-user").locator("[data-answer=yes]");
        await yes.waitFor();
        if (isKilled) {
          await server.kill();
          await server.start();
        }
        // A click counts once the question has been there for a moment.
        await takesAnswers(page, "[data-answer=yes]");
        await yes.click();
        await page.locator("ask-user").locator("[data-delivery=sent]").waitFor();
        await server.says("The agent got {'answer_type': 'boolean', 'answer': True}");
        assert.deepEqual(faults, []);
        // As Ctrl+C does, while the page is open.
        await server.kill("SIGINT");
        await page.close();
      } finally {
        await server.kill();
      }
    });
  }
}

class Server {
  #process;
  #said = "";

  constructor(folder, /** @type {any} */ [name, ...words], url) {
    this.folder = folder;
    this.name = name;
    this.words = words;
    this.url = url;
  }

  async start() {
    this.#said = "";
    this.#process = spawn(program(this.name), this.words, { cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#process.stdout, this.#process.stderr]) stream.on("data", (text) => (this.#said += text));
    await this.#until(() => fetch(this.url).then(({ ok }) => ok, () => false), "it listens");
  }

  says(text) {
    return this.#until(() => this.#said.includes(text), text);
  }

  async #until(isSo, what) {
    const look = async () => ({ isSo: await isSo(), code: this.#process.exitCode, said: this.#said });
    const { isSo: is } = await until(look, what, ({ isSo, code }) => isSo || code !== null);
    assert.ok(is, this.#said);
  }

  async kill(signal = "SIGKILL") {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill(signal);
    await gone;
  }
}
