// Builds a recipe of examples/chats/ as its README says, in a folder of its own, starts its server against the scripted model, and opens its page in Chromium.
// `Chat` is a person in that page.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../js/free-port.mjs";
import { AIMS, keepsStill, painted, until } from "../js/wait.mjs";
import { OUTSIDE } from "./offline.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const root = path("../../");
const { chromium } = createRequire(join(root, "pkg/package.json"))("playwright-core");
/** How long a person waits for something to appear, in milliseconds. */
const PATIENCE = 10_000;

/** The folder of a recipe, built: a copy of it and of what it shares with the others, with ask-user as it is published, and all other packages as they are installed. */
export async function build(name) {
  const [from, work] = [join(root, "examples/chats"), join(root, "target/recipes", name)];
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(from, name, "package.json"), "utf8"));
  const installed = createRequire(join(from, name, "package.json"));
  for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (dependency === "ask-user") continue;
    const places = installed.resolve.paths(dependency).map((place) => join(place, dependency, "package.json"));
    const found = JSON.parse(readFileSync(places.find(existsSync), "utf8")).version;
    assert.equal(found, version, `examples/chats/${name}/package.json names ${dependency} ${version}; installed is ${found}`);
  }
  rmSync(work, { recursive: true, force: true });
  for (const folder of ["parts", name]) cpSync(join(from, folder), join(work, folder), { recursive: true, filter: (file) => !/[/\\](node_modules|dist)$/.test(file.slice(from.length)) });
  if (existsSync(join(from, name, "node_modules"))) symlinkSync(join(from, name, "node_modules"), join(work, name, "node_modules"));
  const packages = join(work, "node_modules");
  mkdirSync(packages);
  for (const entry of readdirSync(join(from, "node_modules"))) if (entry !== "ask-user") symlinkSync(join(from, "node_modules", entry), join(packages, entry));
  const packed = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: join(root, "pkg"), encoding: "utf8" }))[0].files;
  for (const { path: file } of packed) cpSync(join(root, "pkg", file), join(packages, "ask-user", file));
  const folder = join(work, name);
  if (!devDependencies?.vite) return folder;
  const vite = join(packages, "vite/bin/vite.js");
  await promisify(execFile)(process.execPath, [vite, "build", "--config", "../parts/vite.config.mjs", "--logLevel", "warn"], { cwd: folder });
  assert.ok(existsSync(join(folder, "dist/index.html")));
  return folder;
}

/** Starts the server of a recipe. `said()` is what it has written to standard error so far. */
export async function start(folder, /** @type {{ model: any, env?: { [name: string]: string }, port?: number }} */ { model, env = {}, port }) {
  port ??= await freePort();
  const child = spawn(process.execPath, ["--import", new URL("offline.mjs", import.meta.url).href, "server.mjs", "--port", String(port)], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none", MODEL: "scripted", NODE_ENV: "production", ...env },
  });
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const url = `http://localhost:${port}`;
  const answers = () => fetch(url).then(({ ok }) => ok, () => false);
  await until(async () => ({ ok: await answers(), code: child.exitCode, said }), `a server on ${url}`, ({ ok, code }) => ok || code !== null);
  if (child.exitCode !== null) throw new Error(`the server on ${url} has ended\n${said}`);
  return { url, port, said: () => said, close: () => (child.kill(), gone) };
}

/** What a server has sent beyond this machine: lines of standard error. */
export const left = (said) => said.split("\n").filter((line) => line.startsWith(OUTSIDE));

/** A Chromium. */
export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", chromiumSandbox: false, args: ["--disable-gpu", "--disable-background-networking"] });

/** A person in a new chat. */
export class Chat {
  constructor(page, url) {
    this.page = page;
    this.url = url;
    /** @type {string[]} */
    this.faults = [];
    page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && this.faults.push(`${message.text()} ${message.location().url}`));
    page.on("request", (request) => new URL(request.url()).hostname !== "localhost" && !/^(data|blob):/.test(request.url()) && this.faults.push(`${OUTSIDE} ${request.url()}`));
  }

  /** Opens the page with a chat of its own. */
  static async open(browser, url) {
    const context = await browser.newContext();
    await context.addInitScript(AIMS);
    const chat = new Chat(await context.newPage(), url);
    await chat.page.goto(url);
    return chat;
  }

  close() {
    return this.page.context().close();
  }

  /** The field for messages, and its button. */
  get #composer() {
    const field = this.page.getByRole("textbox", { name: "Message" });
    return { field, send: this.page.locator("form", { has: field }).getByRole("button", { name: "Send", exact: true }) };
  }

  async say(text) {
    await this.#composer.field.fill(text);
    await this.#composer.send.click();
  }

  /** Takes out faults that the test has provoked. */
  expect(pattern) {
    this.faults = this.faults.filter((fault) => !pattern.test(fault));
  }

  /** The latest form that asks this question. */
  form(text) {
    return new Form(this.page, this.page.locator("[data-role=assistant] ask-user").filter({ hasText: text }).last());
  }

  /** Waits for a text of the model. */
  async hears(text) {
    await this.page.locator("[data-role=assistant]").getByText(text).first().waitFor();
  }

  /** Waits until the person can write a message. */
  async composed() {
    const { field, send } = this.#composer;
    await field.fill("Something else.");
    // It acts on what is enabled, and waits for that.
    await send.click({ trial: true });
  }

  /** Waits until a text is kept in the browser. */
  kept(text) {
    return this.page.waitForFunction((text) => JSON.stringify({ ...sessionStorage }).includes(text), text);
  }

  /** Every text of the chat, without forms. */
  texts() {
    return this.page.locator("[data-role] p").allTextContents();
  }
}

/** A form in the chat, and what a person does there: only what is painted, and no faster than a person. */
export class Form {
  constructor(page, form) {
    this.page = page;
    this.form = form;
  }

  find(selector) {
    return this.form.locator(selector);
  }

  painted() {
    return this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** Waits until the person has seen what has changed by itself. A click that comes sooner does not count. */
  async seen() {
    await painted(this.page);
    await keepsStill(this.page);
  }

  /** Waits until the form can be answered. */
  async shown() {
    await this.find(".actions").first().waitFor();
    await this.painted();
  }

  async click(selector) {
    await this.find(selector).waitFor();
    await this.painted();
    await this.find(selector).click();
  }

  async choose(option) {
    await this.painted();
    await this.find("label").filter({ hasText: option }).click();
  }

  /** The text field of a question: on a page of several, or alone. */
  #field(question) {
    return this.find(`:is([data-on-page=${question}], [data-question=${question}]) textarea`);
  }

  /** Begins to type into a question's field. */
  async type(question, text) {
    await this.#field(question).click();
    await this.more(text);
  }

  /** Types on: where the focus is, or at the end of a question's field. */
  async more(text, question) {
    if (question) {
      await this.#field(question).click();
      await this.page.keyboard.press("End");
    }
    await this.page.keyboard.type(text, { delay: 15 });
    await this.painted();
  }

  /** What a question's field has, and whether it has the focus. */
  field(question) {
    return this.#field(question).evaluate((field) => ({ value: field.value, focused: field.getRootNode().activeElement === field && document.activeElement === field.getRootNode().host }));
  }

  submit() {
    return this.click("[type=submit]");
  }

  async reply(text) {
    await this.click("[data-way=reply]");
    await this.painted();
    await this.page.keyboard.type(text, { delay: 15 });
    await this.click("[data-send-reply]");
  }
}
