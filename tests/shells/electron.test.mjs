// The Electron example: its types; its main process, whole and in a process of its own, held to docs/delivery.md; and its page in Chromium from
// file://, under its own policy, with its own preload script. Only the module `electron` is a stand-in. It is called by `cargo xtask hosts electron`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { conforms } from "../js/conformance.mjs";
import { AIMS, becomes, pause, until } from "../js/wait.mjs";
import { speaks, start, userData } from "./electron-app.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "target/electron");
const { chromium } = createRequire(join(root, "pkg/package.json"))("playwright-core");
const RESULT = '{"apply":true,"environment":"staging","limits":{"cpu":2}}';

let browser;
before(async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name !== "node_modules" && !name.startsWith("package")) rmSync(join(folder, name), { recursive: true });
  cpSync(join(root, "examples/electron"), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  // Without its scripts, Electron is its types alone.
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", `ask-user@file:${join(root, "pkg")}`], { cwd: folder, stdio: "ignore" });
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-gpu", "--disable-background-networking"] });
});
after(() => browser.close());
const running = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.kill();
});

/** The app, started; ended after the test. */
async function app(options) {
  const started = await start(folder, options);
  running.push(started);
  return started;
}

test("the example fits Electron's types", () => {
  execFileSync("npm", ["run", "types", "--silent"], { cwd: folder, stdio: "inherit" });
});

conforms("Electron's main process", {
  async due() {
    const running = await app();
    const { connected, ...page } = speaks(running);
    const { request, options, walk } = (await connected()).detail;
    const taken = async () => {
      await pause(100);
      return running.said.out.split("\n").filter(Boolean);
    };
    return { ...page, request: JSON.parse(request), options, walk, taken };
  },
});

/** A window of the app: its page, and what went wrong there. It shows the page of `running`, which hears it and is heard by it. */
async function opened(running) {
  const page = await browser.newPage();
  await page.addInitScript(AIMS);
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  await page.exposeFunction("leaves", (text) => running.happens("ipc", { text }));
  // The preload script in a world where `require("electron")` gives the stand-in; what it exposes is all that the page has.
  await page.addInitScript(`(() => {
    const heard = new Map();
    const ipcRenderer = {
      send: (name, text) => window.leaves(text),
      on: (name, listener) => heard.set(listener, name),
      off: (name, listener) => heard.delete(listener),
    };
    window.arrives = (name, text) => { for (const [listener, own] of heard) if (own === name) listener({}, text); };
    const exposed = [];
    const contextBridge = { exposeInMainWorld: (name, api) => { exposed.push(name + ":" + Object.keys(api)); window[name] = api; } };
    const require = (name) => { if (name !== "electron") throw new Error(name); return { contextBridge, ipcRenderer }; };
    (() => { ${readFileSync(join(folder, "preload.cjs"), "utf8")} })();
    window.exposed = exposed;
  })()`);
  running.messages.on("sent", ({ name, text }) => page.evaluate(([name, text]) => window.arrives(name, text), [name, text]).catch(() => {}));
  running.messages.on("reload", () => page.reload());
  await page.goto(running.page);
  return { page, faults, find: (selector) => page.locator("ask-user").locator(selector) };
}
/** Answers from the second question on. */
async function finishes(find) {
  await find("label[for=option-0]").click();
  await find(".views .tab").last().click();
  await find(".cm-content").fill('{"cpu": 2}');
  await find("[type=submit]").click();
}
/** Waits until the app keeps that the first question is answered. */
const keeps = ({ data }) =>
  until(
    () => existsSync(join(data, "question.json")) && JSON.parse(readFileSync(join(data, "question.json"), "utf8")),
    "an answer in what the app keeps",
    // The form itself accepts its schemas once they are checked.
    ({ kept }) => kept?.log.some(([what]) => what !== "accept"),
  );

test("the main process asks, the person answers in the window, and sees that it is sent once it is stored", async () => {
  const running = await app();
  const { page, faults, find } = await opened(running);
  await find("[data-answer=yes]").click();
  await finishes(find);
  await find("[data-delivery=sent]").waitFor();
  await becomes(() => running.said.out.trim(), RESULT);
  assert.deepEqual(await page.evaluate(() => window.exposed), ["host:post,listen"]);
  assert.deepEqual([faults, running.said.err], [[], ""]);
  running.happens("close");
  assert.equal(await running.ended, 0);
  assert.deepEqual(readdirSync(running.data), [], "the agent has it");
  await page.close();
});

test("an answer that cannot be stored is not sent: the person reads why, and sends it again", async () => {
  const running = await app({ data: join(userData(), "own") });
  const { page, find } = await opened(running);
  await find("[data-answer=yes]").click();
  await keeps(running);
  // There is a file where the folder was.
  rmSync(running.data, { recursive: true });
  cpSync(join(folder, "package.json"), running.data);
  await finishes(find);
  await find("[data-delivery=failed]").waitFor();
  assert.match(await find("[data-delivery=failed]").textContent(), /The answer could not be stored\./);
  assert.equal(running.said.out, "");
  rmSync(running.data);
  await find("[data-delivery=failed] [data-again]").click();
  await find("[data-delivery=sent]").waitFor();
  await becomes(() => running.said.out.trim(), RESULT);
  await page.close();
});

for (const [name, again] of Object.entries({
  "a page that is loaded anew": ({ page }) => page.reload(),
  "a page that has crashed": ({ running }) => running.happens("crash"),
})) {
  test(`${name} is asked again, from where the person was`, async () => {
    const running = await app();
    const { page, find } = await opened(running);
    await find("[data-answer=yes]").click();
    await keeps(running);
    await again({ page, running });
    await finishes(find);
    await find("[data-delivery=sent]").waitFor();
    await becomes(() => running.said.out.trim(), RESULT);
    await page.close();
  });
}

for (const [name, end] of Object.entries({
  "a closed window": (running) => (running.happens("close"), running.ended),
  "the end of the process": (running) => running.kill(),
})) {
  test(`${name} is no answer, and the next start goes on from where the person was`, async () => {
    const running = await app();
    const { page, find } = await opened(running);
    await find("[data-answer=yes]").click();
    await keeps(running);
    await end(running);
    await page.close();
    assert.doesNotMatch(running.said.out, /apply/);
    const next = await app({ data: running.data });
    const window = await opened(next);
    await finishes(window.find);
    await window.find("[data-delivery=sent]").waitFor();
    await becomes(() => next.said.out.trim(), RESULT);
    await window.page.close();
  });
}

test("an answer that was stored before the process ended is the agent's at the next start, and nobody is asked again", async () => {
  const data = userData();
  const { storeAt } = await import(join(folder, "store.js"));
  const { Desk } = await import(join(root, "pkg/dist/core.node.js"));
  const request = { questions: [{ id: "apply", text: "Apply?", answer_type: "boolean" }] };
  const desk = Desk.ask(request, { toolCallId: "call_1", nonce: "n" });
  assert.equal(desk.on({ type: "answered", answers: { apply: true } }).reply.code, "taken");
  storeAt(join(data, "question.json")).write(desk.toJSON());
  const running = await app({ data });
  const { says } = speaks(running);
  says("connected", undefined, {});
  await until(() => running.said.out.trim(), "the result");
  // What the app would say to the page comes after.
  await pause(300);
  assert.equal(running.said.out.trim(), '{"apply":true}');
  assert.deepEqual(running.did("sent"), []);
});

for (const pressed of ["Stay", "Leave"]) {
  test(`whoever leaves while an answer is not sent is asked: ${pressed}`, async () => {
    const running = await app({ pressed });
    running.happens("leave");
    const left = await new Promise((resolve) => running.messages.once("left", resolve));
    assert.equal(running.did("dialog").length, 1);
    // Whoever prevents the prevention leaves.
    assert.equal(left.prevented, pressed === "Leave");
  });
}

test("the window may do nothing but show the form", async () => {
  const running = await app();
  const [{ preferences }] = running.did("window");
  const { preload, ...rights } = preferences;
  assert.equal(preload, join(folder, "preload.cjs"));
  assert.deepEqual(rights, { contextIsolation: true, sandbox: true, nodeIntegration: false });
  assert.deepEqual(running.did("permission"), [{ is: "permission", permitted: false }]);
  const next = (is) => new Promise((resolve) => running.messages.once(is, resolve));
  running.happens("navigate");
  assert.equal((await next("stayed")).prevented, true);
  for (const url of ["https://example.org/", "file:///etc/passwd", "javascript:alert(1)"]) {
    running.happens("open", { url });
    assert.equal((await next("opened")).action, "deny");
  }
  assert.deepEqual(running.did("external"), [{ is: "external", url: "https://example.org/" }]);
  assert.match(readFileSync(join(folder, "renderer/index.html"), "utf8"), /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/);
});

test("what a page says that is refused is logged without its words", async () => {
  const running = await app();
  const { connected, raw } = speaks(running);
  await connected();
  await raw('{"secrets":{"token":"hunter2"');
  assert.match(running.said.err, /malformed/);
  assert.doesNotMatch(running.said.err, /hunter2/);
});
