// The router for FastAPI keeps to docs/delivery.md, with SQLite and with PostgreSQL; and a person answers in Chromium, with the server killed in between.
// PYTHON is the interpreter of an environment with the wheel, FastAPI and uvicorn, by default that of `cargo xtask hosts python`; DATABASE, if set, is the URL of a
// PostgreSQL.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { conformsOverHttp, first, keepsVersions, overHttp } from "../../js/conformance.mjs";
import { openChromium } from "../../js/browser.mjs";
import { freePort } from "../../js/free-port.mjs";
import { AIMS, becomes, passed, pause, takesAnswers, until } from "../../js/wait.mjs";

const SERVER = fileURLToPath(new URL("server.py", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, "target/python/tools", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
const REQUEST = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
  ],
};

class Server {
  #process;
  /** @type {number | undefined} */
  port;

  constructor(database, folder) {
    this.database = database;
    this.folder = folder;
  }

  async start() {
    // It comes back at the same address.
    this.port ??= await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    const words = [SERVER, String(this.port), this.database, ...(this.folder ? [this.folder] : [])];
    this.#process = spawn(PYTHON, words, { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve, reject) => {
      this.#process.stdout.once("data", resolve);
      this.#process.once("exit", (code) => reject(new Error(`The server has stopped: ${code}`)));
    });
    // It prints before it listens.
    await until(() => fetch(`${this.url}/results/x`).then(({ ok }) => ok, () => false), "a server that listens");
    return this;
  }

  async kill() {
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await gone;
  }

  begin(request = REQUEST) {
    return fetch(`${this.url}/begin`, { method: "POST", body: JSON.stringify(request) }).then((response) => response.json());
  }

  async results(id) {
    return (await fetch(`${this.url}/results/${id}`)).json();
  }

  /** What the event stream says first is due. */
  async due(id, token) {
    const headers = { Authorization: `Bearer ${token}` };
    return (await first(`${this.url}/conversations/${id}/events`, headers, ({ type }) => type === "awaiting_user_response")).requests[0];
  }
}

for (const [name, database] of [["SQLite", undefined], ["PostgreSQL", process.env.DATABASE]]) {
  if (name === "PostgreSQL" && !database) continue;
  const folder = mkdtempSync(join(tmpdir(), "ask-user-"));
  const server = new Server(database ?? join(folder, "questions.db"));
  before(() => server.start());
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });
  const target = {
    async due() {
      const { id, token } = await server.begin();
      const { tool_call_id: call, request, dialect, options, walk, version } = await server.due(id, token);
      const over = overHttp({
        url: `${server.url}/conversations/${id}/respond`,
        saveUrl: `${server.url}/conversations/${id}/walk`,
        headers: { Authorization: `Bearer ${token}` },
        body: (response) => (response && typeof response === "object" && !Array.isArray(response) ? { tool_call_id: call, ...response } : response),
      });
      const taken = async () => {
        // The agent hears of an answer soon after it is stored.
        await pause(400);
        return server.results(id);
      };
      return { ...over, request, walk, version, options: { ...options, tool_call_id: undefined, toolCallId: call, dialect }, taken };
    },
  };
  conformsOverHttp(`FastAPI with ${name}`, target);
  keepsVersions(`FastAPI with ${name}`, target);
}

test("a person answers in a browser, the server is killed in between, and the agent gets the result once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ask-user-"));
  const pages = mkdtempSync(join(ROOT, "target", "python-page-"));
  writeFileSync(join(pages, "index.html"), '<!doctype html><title>x</title><script type="module" src="/dist/ask-user.js"></script><main></main>');
  cpSync(join(ROOT, "pkg/dist"), join(pages, "dist"), { recursive: true });
  const server = await new Server(join(folder, "questions.db"), pages).start();
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.addInitScript(AIMS);
    await page.goto(server.url);
    const show = (id) =>
      page.evaluate((id) => {
        const element = document.createElement("ask-user");
        for (const [name, route] of [["events-url", "events"], ["respond-url", "respond"], ["cancel-url", "cancel"], ["save-url", "walk"]]) element.setAttribute(name, `/conversations/${id}/${route}`);
        document.querySelector("main").append(element);
      }, id);
    // The page begins it, so that the cookie is its own.
    const { id } = await page.evaluate(async (request) => (await fetch("/begin", { method: "POST", body: JSON.stringify(request) })).json(), REQUEST);
    await show(id);
    await page.getByRole("button", { name: "Yes", exact: false }).first().click();
    await page.getByText("Which environment?", { exact: true }).waitFor();
    // Its walk is saved.
    await passed(page, 800);
    await server.kill();
    await server.start();
    await page.reload();
    await show(id);
    await page.getByText("Which environment?", { exact: true }).waitFor();
    await takesAnswers(page, "[data-option]");
    await page.locator("[data-option='\"staging\"']").check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Sent", { exact: false }).first().waitFor();
    await becomes(() => server.results(id), [{ apply: true, environment: "staging" }]);
  } finally {
    await browser.close();
    await server.kill();
    for (const one of [folder, pages]) rmSync(one, { recursive: true });
  }
});
