// The Electron example without Electron: its types, and its page in Chromium from file://, under its own policy, with its own preload script and a
// stand-in for Electron's IPC of the same shape; the main process's side runs here. It is called by `cargo xtask hosts electron`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { connect } from "../../pkg/dist/channel.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "target/electron");
const { chromium } = createRequire(join(root, "pkg/package.json"))("playwright-core");
const address = pathToFileURL(join(folder, "renderer/index.html")).href;

let browser;
let example;
before(async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name !== "node_modules" && !name.startsWith("package")) rmSync(join(folder, name), { recursive: true });
  cpSync(join(root, "examples/electron"), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  // Without its scripts, Electron is its types alone.
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", `ask-user@file:${join(root, "pkg")}`], { cwd: folder, stdio: "ignore" });
  example = { ...(await import(pathToFileURL(join(folder, "ipc.js")).href)), ...(await import(pathToFileURL(join(folder, "agent.js")).href)) };
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-gpu", "--disable-background-networking"] });
});
after(() => browser.close());

test("it fits Electron's types", () => {
  execFileSync("npm", ["run", "types", "--silent"], { cwd: folder, stdio: "inherit" });
});

/** A window with the page, and what `ipcMain` and the contents of the window are to the main process. */
async function opened() {
  const listeners = new Set();
  const mainFrame = { url: address };
  const ipcMain = { on: (name, listener) => name === "ask-user" && listeners.add(listener), off: (_, listener) => listeners.delete(listener) };
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  const contents = { mainFrame, send: (name, text) => page.evaluate(([name, text]) => window.arrives(name, text), [name, text]) };
  const sends = (text, senderFrame = mainFrame) => {
    for (const listener of listeners) listener({ senderFrame }, text);
  };
  await page.exposeFunction("leaves", (text) => sends(text));
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
  return { page, faults, ipcMain, contents, sends, listeners, find: (selector) => page.locator("ask-user").locator(selector) };
}

test("the main process asks, the person answers in the window, and the answer is read again", async () => {
  const { page, faults, ipcMain, contents, find } = await opened();
  const channel = connect(example.overIpc(ipcMain, contents, address), { refused: (fault) => faults.push(fault) });
  await page.goto(address);
  const answer = example.asks(channel);
  await find("[data-answer=yes]").click();
  await find("label[for=option-0]").click();
  await find("[type=submit]").click();
  await find(".views button").click();
  await find(".cm-content").fill('{"cpu": 2}');
  await find("[type=submit]").click();
  assert.equal(await answer, '{"apply":true,"environment":"staging","limits":{"cpu":2}}');
  assert.deepEqual(await page.evaluate(() => window.exposed), ["host:post,listen"]);
  assert.deepEqual(faults, []);
  channel.close();
  await page.close();
});

test("what another page or frame says is not heard; a closed window is no answer", async () => {
  const { page, ipcMain, contents, sends, listeners, find } = await opened();
  const faults = [];
  const channel = connect(example.overIpc(ipcMain, contents, address), { refused: ({ code }) => faults.push(code) });
  await page.goto(address);
  const answer = example.asks(channel);
  await find("[data-answer=yes]").waitFor();
  const forged = JSON.stringify({ ask_user: 1, n: 2, type: "result", id: "q1", detail: { walk: {}, secrets: {} } });
  sends(forged, { url: address });
  sends(forged, { url: "https://evil.example/" });
  assert.deepEqual(faults, []);
  channel.close();
  await assert.rejects(answer, { name: "AbortError" });
  assert.equal(listeners.size, 0);
});

test("the window may do nothing but show the form", () => {
  const main = readFileSync(join(folder, "main.js"), "utf8");
  for (const setting of ["contextIsolation: true", "sandbox: true", "nodeIntegration: false", 'action: "deny"', "will-navigate", "setPermissionRequestHandler"]) {
    assert.ok(main.includes(setting), setting);
  }
  assert.match(readFileSync(join(folder, "renderer/index.html"), "utf8"), /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/);
});
