// The small servers in JavaScript, of the playground and of the chat: what is malformed, too large or another page's, and how they end.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "../../playground/server.mjs";
import { send } from "./conformance.mjs";
import { freePort } from "./free-port.mjs";
import { AIMS } from "./wait.mjs";

const ODD = ["//", "///", "/%", "/%00", "/..%2f..%2fetc/passwd", "/".padEnd(6_000, "x"), "*", "http://[/", "http://evil.example/"];
const HUGE = JSON.stringify("x".repeat(9_000_000));

const { chromium } = createRequire(new URL("../../pkg/package.json", import.meta.url))("playwright-core");

let browser;
let playground;
before(async () => {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-gpu", "--disable-background-networking"] });
  playground = await start();
});
after(() => Promise.all([browser.close(), playground.close()]));
/** A page of somebody who looks before they press. */
async function opened() {
  const page = await browser.newPage();
  await page.addInitScript(AIMS);
  return page;
}
const running = [];
afterEach(() => running.splice(0).forEach((chat) => chat.kill("SIGKILL")));

/** The chat, with its address, and how it ends. */
async function chat() {
  const port = await freePort();
  const child = spawn("node", [fileURLToPath(new URL("../../examples/chat/server.js", import.meta.url)), "--port", String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const begun = new Promise((resolve) => child.stdout.once("data", resolve));
  assert.equal(await Promise.race([begun.then(() => "begun"), ended]), "begun", "the chat ended before it listened");
  return { url: `http://127.0.0.1:${port}`, child, ended };
}

for (const [name, url] of Object.entries({ playground: async () => playground.url, chat: async () => (await chat()).url })) {
  test(`the ${name}: an odd address is the client's fault, and does no harm`, async () => {
    const base = await url();
    for (const path of ODD) {
      const { status } = await send(base, { method: "GET", path });
      assert.ok(status >= 200 && status < 500, `${path.slice(0, 30)}: ${status}`);
    }
    assert.equal((await send(base, { method: "GET", path: "/" })).status, 200);
  });
}

test("the playground: a body that is too large is said to be", async () => {
  const { status, text } = await send(`${playground.url}/respond`, { body: HUGE });
  assert.deepEqual([status, JSON.parse(text).message], [413, "This is too large."]);
  assert.deepEqual(playground.deliveries, []);
});

test("the playground: what was delivered is shown to its own pages alone, and delivered by them alone", async () => {
  for (const headers of [{ Host: "evil.example" }, { Origin: "https://evil.example" }, { Origin: "null" }]) {
    assert.equal((await send(`${playground.url}/respond`, { headers, body: "{}" })).status, 403, JSON.stringify(headers));
    assert.equal((await send(`${playground.url}/deliveries`, { method: "GET", headers })).status, 403, JSON.stringify(headers));
  }
  assert.deepEqual(playground.deliveries, []);
});

test("the playground: a status that is none is the client's fault", async () => {
  for (const query of ["status=99", "status=1000", "status=x", "status=503&retry-after=%0d%0a"]) {
    assert.equal((await send(`${playground.url}/respond?${query}`, { body: "{}" })).status, 400, query);
  }
});

test("the chat: a body that is too large is said to be", async () => {
  const { url } = await chat();
  const { status, text } = await send(`${url}/answers/call_1`, { body: HUGE });
  assert.deepEqual([status, JSON.parse(text).message], [413, "This is too large."]);
});

test("the chat: who comes back after the answer is not asked again", async () => {
  const { url } = await chat();
  const page = await opened();
  await page.goto(url);
  await page.locator("ask-user [data-answer=no]").click();
  await page.locator("ask-user [data-delivery=sent]").waitFor();
  await page.locator("output").waitFor();
  await page.reload();
  await page.locator("output").waitFor();
  assert.equal(await page.locator("ask-user").count(), 0);
  assert.match(await page.locator("output").textContent(), /"apply":false/);
  await page.close();
});

test("the chat: an answer that was given in another tab closes the form in this one", async () => {
  const { url } = await chat();
  const [one, other] = [await opened(), await opened()];
  for (const page of [one, other]) {
    await page.goto(url);
    await page.locator("ask-user [data-answer=no]").waitFor();
  }
  await one.locator("ask-user [data-answer=no]").click();
  await other.locator("output").waitFor();
  assert.equal(await other.locator("ask-user").count(), 0);
  // The receipt stays with who has answered.
  assert.equal(await one.locator("ask-user").count(), 1);
  await Promise.all([one.close(), other.close()]);
});

for (const signal of /** @type {any[]} */ (["SIGTERM", "SIGINT"])) {
  test(`the chat: ${signal} ends the streams and the process, with open pages`, async () => {
    const { url, child, ended } = await chat();
    const stream = await fetch(`${url}/events`);
    child.kill(signal);
    assert.equal(await ended, 0);
    // The stream ends as a stream does, and is not cut.
    await stream.text();
  });
}
