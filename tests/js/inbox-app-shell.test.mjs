// The page of the inbox as an app: its manifest, and its service worker, which keeps the shell and nothing of what is asked.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { runInNewContext } from "node:vm";
import { SHELL, worker } from "../../pkg/src/inbox/shell.js";
import { launch } from "./browser.mjs";
import { freePort } from "./free-port.mjs";
import { Home } from "./inbox-app.mjs";
import { Person } from "./person.mjs";
import { becomes, takesAnswers, until } from "./wait.mjs";

let browser;
let home;
const contexts = [];
before(async () => (browser = await launch()));
after(() => browser.close());
beforeEach(async () => {
  // The next inbox has the same address.
  home = new Home({ ASK_USER_PORT: String(await freePort()) });
  await home.start();
});
afterEach(async () => {
  while (contexts.length) await contexts.pop().close();
  await home.end();
});

async function visit() {
  const page = await browser.page("/blank");
  contexts.push(page.context());
  await page.goto(await home.page());
  await page.locator("main").waitFor();
  return page;
}

const put = async (text) => (await home.program("POST", "/questions", { request: { questions: [{ id: "go", text, answer_type: "boolean" }] } })).body.id;
const listed = (page) => page.locator(".open button b").allTextContents();
/** The page is that of its service worker. */
const controls = (page) => until(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL), "the service worker");
/** What the browser keeps: the paths, and all of it as text. */
const kept = (page) =>
  page.evaluate(async () => {
    const [paths, texts] = [[], []];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        paths.push(new URL(request.url).pathname + new URL(request.url).search);
        texts.push(request.url, await (await cache.match(request)).text());
      }
    }
    return { paths: paths.sort(), text: texts.join("\n") };
  });

test("the page has a manifest and icons, whose addresses are relative", async () => {
  const page = await (await fetch(`${home.address}/`)).text();
  assert.match(page, /<link rel="manifest" href="manifest.webmanifest">/);
  const response = await fetch(`${home.address}/manifest.webmanifest`);
  assert.equal(response.headers.get("content-type"), "application/manifest+json");
  const { name, start_url: start, scope, display, icons } = await response.json();
  assert.deepEqual([name, start, scope, display], ["ask-user inbox", "./", "./", "standalone"]);
  assert.deepEqual(icons.map(({ purpose }) => purpose), ["any", "maskable"]);
  for (const { src, type } of icons) {
    const icon = await fetch(new URL(src, `${home.address}/`));
    assert.deepEqual([icon.status, icon.headers.get("content-type")], [200, type]);
    assert.match(await icon.text(), /^<svg /);
  }
  const script = await fetch(`${home.address}/inbox.worker.js`);
  assert.deepEqual([script.status, script.headers.get("content-type")], [200, "text/javascript; charset=utf-8"]);
});

test("the browser keeps the shell, and no question, answer, receipt or key, whatever is done on the page", async () => {
  const page = await visit();
  await controls(page);
  const id = await put("Deploy with s3cret?");
  await becomes(() => listed(page), ["Deploy with s3cret?"]);
  await takesAnswers(page, "[data-question=go]");
  await new Person(page).find("[data-answer=yes]").click();
  await becomes(() => page.locator(".closed summary span").allTextContents(), ["Deploy with s3cret?"]);
  await page.reload();
  await page.locator(".closed summary").click();
  const { paths, text } = await kept(page);
  assert.deepEqual(paths, SHELL.map((name) => `/${name}`).sort());
  const own = await page.evaluate(() => JSON.parse(localStorage.getItem("ask-user inbox secret")));
  for (const hidden of ["s3cret", id, own.key, own.device, await home.key(own), home.read("tokens.json").ask, home.read("tokens.json").page, home.read("webhook.json").secret]) assert.ok(!text.includes(hidden), hidden);
});

test("the page opens while the inbox is stopped, says so, and goes on when one runs", async () => {
  const page = await visit();
  await controls(page);
  await put("Deploy now?");
  await becomes(() => listed(page), ["Deploy now?"]);
  await home.run(["stop"]);
  await page.reload();
  await becomes(() => page.locator("main.locked p").allTextContents(), ["The inbox does not answer. Is it running? Trying again…"]);
  await home.start();
  await becomes(() => listed(page), ["Deploy now?"]);
  // That no connection was made is no fault of the page.
  page.faults.length = 0;
});

test("the service worker answers nothing but requests for the shell, and only where the inbox does not", async () => {
  const heard = new Map();
  const store = new Map();
  const cache = { addAll: async (requests) => requests.forEach(({ url }) => store.set(url, `kept ${url}`)), match: async (name) => store.get(name) };
  const deleted = [];
  let isUp = true;
  const sandbox = {
    addEventListener: (name, hear) => heard.set(name, hear),
    registration: { scope: "https://home.example/inbox/" },
    caches: { open: async () => cache, keys: async () => ["ask-user inbox 0.0.1", "ask-user inbox 7", "of another"], delete: async (name) => deleted.push(name) },
    clients: { claim: async () => undefined },
    skipWaiting: async () => undefined,
    Request: class { constructor(url) { this.url = url; } },
    Response: { error: () => "error" },
    URL,
    fetch: async ({ url }) => (isUp ? `fetched ${url}` : Promise.reject(new TypeError("cut"))),
  };
  runInNewContext(worker("7"), sandbox);
  const waits = async (name) => {
    let done;
    heard.get(name)({ waitUntil: (promise) => (done = promise) });
    await done;
  };
  await waits("install");
  await waits("activate");
  assert.deepEqual([[...store.keys()], deleted], [SHELL.map((name) => name || "./"), ["ask-user inbox 0.0.1"]]);
  const answer = async (url, method = "GET") => {
    let given;
    heard.get("fetch")({ request: { url, method }, respondWith: (promise) => (given = promise) });
    return given;
  };
  const at = "https://home.example/inbox/";
  assert.equal(await answer(at), `fetched ${at}`);
  isUp = false;
  assert.deepEqual([await answer(at), await answer(`${at}icon.svg?open=3`), await answer(`${at}inbox.page.js`)], ["kept ./", "kept icon.svg", "kept inbox.page.js"]);
  for (const [url, method] of [
    [`${at}s/key/events`], [`${at}s/key/receipts?search=`], [`${at}s/key/conversations/id/walk`, "PUT"], [`${at}questions/id`], [`${at}receipts/id`], [`${at}health?nonce=x`], [`${at}session`, "POST"], [at, "POST"],
    [`${at}form.first.wasm`], ["https://home.example/"], ["https://other.example/inbox/"], ["https://home.example/inbox"],
  ]) assert.equal(await answer(url, method), undefined, url);
  assert.equal(store.size, SHELL.length);
});
