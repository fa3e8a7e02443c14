// The conversation of the playground: with its own agent host, in a process that is stopped and started again, and what its store keeps.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { open as openForm } from "../../pkg/dist/core.node.js";
import { memory } from "../../pkg/dist/host.node.js";
import { agentWith } from "../../playground/agent.mjs";
import { journal } from "../../playground/journal.mjs";
import { POLICY } from "../../playground/server.mjs";
import { launch } from "./browser.mjs";
import { freePort } from "./free-port.mjs";
import { keepsStore } from "./js-host-store.mjs";
import { DIST as FILES } from "./package-files.mjs";
import { takesAnswers } from "./wait.mjs";

const DIST = fileURLToPath(FILES);
const SERVER = fileURLToPath(new URL("../../playground/server.mjs", import.meta.url));
const SECRET = "correct-horse-battery-staple";

const folder = mkdtempSync(join(tmpdir(), "ask-user-playground-"));
const running = [];
let browser;
before(async () => (browser = await launch()));
const open = [];
afterEach(async () => {
  for (const page of open.splice(0)) await page.context().close();
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

keepsStore("the playground's journal", async () => journal(join(folder, "store", `${crypto.randomUUID()}.jsonl`), memory()));

/** The server as a process, with its address, and how it ends. */
async function serve(port, environment = {}) {
  const child = spawn("node", [SERVER, String(port)], { env: { ...process.env, ASK_USER_DATA: folder, ...environment }, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const server = { child, ended, url: `http://127.0.0.1:${port}` };
  running.push(server);
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    ended.then((how) => reject(new Error(`the server ended: ${how}`)));
  });
  return server;
}

/** The conversation of the playground at `url`, and the person in it. */
async function converse(url = browser.url, hash = "#example=conversation") {
  const page = await browser.page();
  open.push(page);
  await page.goto(`${url}/${hash}`);
  const form = (selector) => page.locator("ask-user").locator(selector).first();
  const shows = (selector) => form(selector).waitFor();
  // As a program does it, which counts as soon as the question is there.
  const press = async (selector) => {
    await shows(selector);
    await form(selector).evaluate((element) => element.click());
  };
  const begin = async () => {
    await page.getByText("The agent is waiting for a message.").waitFor();
    await page.locator("#talk button").first().click();
    await shows("[data-question=apply]");
  };
  const says = (text) => page.locator(".said.assistant", { hasText: text }).waitFor();
  const id = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("id"));
  return { page, form, shows, press, begin, says, id };
}

test("a whole conversation: questions, an approval, and a secret that nobody gets", async () => {
  const port = await freePort();
  const { page, form, shows, press, begin, says } = await converse((await serve(port)).url);
  await begin();
  await press("[data-answer=yes]");
  await press("#option-1");
  await press("[type=submit]");
  await shows("[data-type=approval]");
  assert.match(await form(".base").textContent(), /production.*10000/s);
  await takesAnswers(page, "[data-decision=approve]");
  await form("[data-decision=approve]").click();
  await shows("[data-question=token]");
  await form("[data-field]").fill(SECRET);
  await press("[type=submit]");
  await says("Done: migrated, and posted in #deploys.");
  assert.equal(await page.locator("#result").textContent(), '{"posted":true}');
  assert.ok(!(await page.content()).includes(SECRET));
  const stored = readFileSync(join(folder, `${port}.jsonl`), "utf8");
  assert.deepEqual([stored.includes("posted"), stored.includes(SECRET)], [true, false]);
  await page.getByText("The agent is waiting for a message.").waitFor();
});

test("the migration runs as it was approved or edited, and not otherwise", () => {
  const { run, answered } = agentWith((request) => request).tools.run_migration;
  const input = { environment: "staging", batch: 10000 };
  const results = [{ type: "approve" }, { type: "edit", arguments: { ...input, batch: 5 } }, { type: "reject", message: "No." }].map((decision) => {
    const walk = openForm(run(input));
    walk.answer(decision);
    return answered(/** @type {any} */ (walk.outcome), { input });
  });
  assert.deepEqual(results, [{ ran: true, ...input }, { ran: true, ...input, batch: 5 }, { ran: false, reason: "No." }]);
});

test("a reply, a rejection and the end of the turn are heard by the agent", async () => {
  const { page, form, press, shows, begin, says } = await converse();
  await begin();
  await press("[data-way=reply]");
  await form("textarea").fill("Only at night.");
  await press("[data-send-reply]");
  await says("You said: Only at night.");
  await press("[data-answer=yes]");
  await press("#option-0");
  await press("[type=submit]");
  await shows("[data-type=approval]");
  await press("[data-decision=reject]");
  await press("[type=submit]");
  await says("The migration has not run.");
  await page.locator("#words").fill("Again.");
  await page.keyboard.press("Enter");
  await shows("[data-question=apply]");
  await press("[data-way=end-turn]");
  await press("[data-end-turn]");
  await page.getByText("The agent is waiting for a message.").waitFor();
});

test("the conversation is the same after a reload, and stays in its own browser", async () => {
  const { page, shows, press, begin, id } = await converse();
  await begin();
  await press("[data-answer=yes]");
  await shows("[data-question=environment]");
  const saved = page.waitForResponse((response) => response.url().endsWith("/walk") && response.status() === 204);
  await press("#option-1");
  await saved;
  const [before, address] = [await id(), await page.evaluate(() => location.hash)];
  await page.reload();
  await shows("[data-question=environment]");
  await page.waitForFunction(() => document.querySelector("ask-user")?.shadowRoot?.querySelector("#option-1")?.checked);
  assert.equal(await id(), before);
  // The cookie that opens it is not there.
  const other = await converse(browser.url, address);
  await other.page.getByText("cannot be opened in this browser").waitFor();
  await other.page.getByText("The agent is waiting for a message.").waitFor();
  assert.notEqual(await other.id(), before);
  await page.locator("#anew").click();
  await page.getByText("The agent is waiting for a message.").waitFor();
  await page.waitForFunction((before) => !location.hash.includes(before), before);
  assert.equal(await page.locator("#chat li").count(), 0);
});

for (const signal of /** @type {any[]} */ (["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])) {
  test(`${signal} ends the server at once, with open pages, and the conversation goes on when it is there again`, async () => {
    const port = await freePort();
    const { child, ended, url } = await serve(port);
    const { page, shows, press, begin, says, form } = await converse(url);
    await begin();
    child.kill(signal);
    assert.equal(await ended, signal === "SIGKILL" ? signal : 0);
    await assert.rejects(fetch(url));
    await serve(port);
    // The page was not loaded again.
    await press("[data-answer=no]");
    await shows("[data-question=reason]");
    await form("[data-field]").fill("Smaller batches");
    await press("[type=submit]");
    await says("I leave the database as it is.");
    page.faults.length = 0;
  });
}

test("another folder with the package is served, and its host runs", async () => {
  const dist = join(folder, "dist");
  mkdirSync(dist);
  for (const name of readdirSync(DIST)) symlinkSync(join(DIST, name), join(dist, name));
  writeFileSync(join(dist, "own.js"), "// Its own.");
  const { url } = await serve(await freePort(), { ASK_USER_DIST: dist });
  assert.equal(await (await fetch(`${url}/pkg/dist/own.js`)).text(), "// Its own.");
  const begun = await fetch(`${url}/conversations`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  assert.deepEqual([begun.status, begun.headers.get("Content-Security-Policy")], [201, POLICY]);
});

test("a page of another origin gets nothing of the conversations", async () => {
  const response = await fetch(`${browser.url}/conversations`, { method: "POST", headers: { "Content-Type": "application/json", Origin: "https://evil.example" }, body: "{}" });
  assert.equal(response.status, 403);
});

test("the journal has everything after a start, without a line that was cut off, and keeps what went on last", async () => {
  const path = join(folder, "journal.jsonl");
  const begin = async () => journal(path, memory());
  const first = await begin();
  for (let place = 0; place < 120; place += 1) await first.create(`c${place}`, { token: "t", state: "{}" });
  await first.commit("c0", 0, { state: '{"a":1}', isOpen: true, lines: [{ kind: "message", key: "k", text: "one" }] });
  assert.equal(await first.commit("c0", 0, { state: "{}", isOpen: false, lines: [] }), false);
  first.close();
  appendFileSync(path, '["commit","c0",1,{"state":"cut');
  const second = await begin();
  assert.deepEqual(await second.load("c0"), { token: "t", revision: 1, state: '{"a":1}' });
  assert.deepEqual((await second.lines("c0", ["message"])).map(({ text }) => text), ["one"]);
  assert.deepEqual([await second.open(), await second.load("c1"), (await second.load("c119")).revision], [["c0"], undefined, 0]);
  assert.equal(await second.commit("c0", 1, { state: "{}", isOpen: false, lines: [] }), true);
  second.close();
  const third = await begin();
  assert.deepEqual([(await third.load("c0")).revision, await third.open()], [2, []]);
  third.close();
  writeFileSync(path, "nonsense\n");
  await assert.rejects(begin(), /cannot be read/);
});
