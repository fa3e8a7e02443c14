// Delivery by HTTP: once under one key, however often it must be sent; its state is on the page.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";

let browser;
let page;
let pass;
before(async () => (browser = await launch()));
beforeEach(async () => {
  browser.deliveries.length = 0;
  page = await browser.page();
  // Time stands still, and passes only as the test says.
  pass = await browser.stopped(page);
});
afterEach(() => page.context().close());
after(() => browser.close());

const state = (wanted) => page.locator("ask-user").locator(`[data-delivery=${wanted}]`);
const ask = async (attributes, answer = "yes") => {
  await page.evaluate(async (attributes) => {
    const element = document.createElement("ask-user");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.request = { question: "Go on?", answer_type: "boolean" };
    document.querySelector("main").replaceChildren(element);
  }, attributes);
  for (const selector of answer === "end" ? ["[data-way=end-turn]", "[data-end-turn]"] : [`[data-answer=${answer}]`]) {
    await page.locator("ask-user").locator(selector).click();
  }
};
const arrived = () => browser.deliveries.map(({ path, key, status, body }) => [path, key, status, JSON.parse(body)]);
const RESULT = { answer_type: "boolean", answer: true };

test("a result is posted as JSON, under a key of its own", async () => {
  await ask({ "respond-url": "/respond", "cancel-url": "/cancel", "tool-call-id": "call_7" });
  await state("sent").waitFor();
  const [[url, key, ...rest], ...more] = arrived();
  assert.deepEqual([url, rest, more], ["/respond", [200, RESULT], []]);
  assert.match(key, /^[0-9a-f]{32}$/);
});

test("the end of the turn goes to its own address", async () => {
  await ask({ "respond-url": "/respond", "cancel-url": "/cancel" }, "end");
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([path, , , body]) => [path, body]), [["/cancel", { tool_call_id: "call_1" }]]);
});

test("a host that is down is tried again with growing pauses, under one key", async () => {
  await ask({ "respond-url": "/respond?status=503&times=3" });
  for (const pause of [1_000, 2_000, 4_000]) {
    await state("retrying").waitFor();
    const before = browser.deliveries.length;
    await pass(pause - 100);
    assert.equal(browser.deliveries.length, before);
    await pass(200);
    await state(pause === 4_000 ? "sent" : "retrying").waitFor();
    while (browser.deliveries.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(arrived().map(([, , status]) => status), [503, 503, 503, 200]);
  assert.equal(new Set(arrived().map(([, key]) => key)).size, 1);
});

test("a host that asks for a pause gets it", async () => {
  await ask({ "respond-url": "/respond?status=429&times=1&retry-after=7" });
  await state("retrying").waitFor();
  await pass(6_900);
  assert.equal(browser.deliveries.length, 1);
  await pass(200);
  await state("sent").waitFor();
});

test("a lost network is waited for, and nothing is lost", async () => {
  browser.cut = /\/respond/;
  await ask({ "respond-url": "/respond" });
  await state("retrying").waitFor();
  browser.cut = undefined;
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([, , , body]) => body), [RESULT]);
});

test("after the last try a person can send again by hand", async () => {
  await ask({ "respond-url": "/respond?status=500&times=7" });
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]) {
    await state("retrying").waitFor();
    const before = browser.deliveries.length;
    await pass(pause);
    while (browser.deliveries.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await state("failed").waitFor();
  await page.locator("ask-user").locator("[data-again]").click();
  await state("sent").waitFor();
  assert.equal(browser.deliveries.length, 8);
});

test("a refusal is shown with the host's words, as text, and is not tried again by itself", async () => {
  await ask({ "respond-url": `/respond?status=409&message=${encodeURIComponent("<b>Answered</b> elsewhere.")}&times=1` });
  await state("failed").waitFor();
  assert.match(await state("failed").textContent(), /<b>Answered<\/b> elsewhere\./);
  await pass(120_000);
  assert.equal(browser.deliveries.length, 1);
  await page.locator("ask-user").locator("[data-again]").click();
  await state("sent").waitFor();
});

test("without an address nothing is sent, and the event has it all", async () => {
  await ask({});
  await page.locator("ask-user").locator("[data-ends]").waitFor();
  const [, detail] = await page.evaluate(() => window.seen.find(([name]) => name === "result"));
  assert.deepEqual(detail.result, RESULT);
  assert.deepEqual(JSON.parse(detail.resultText), RESULT);
  assert.equal(await page.locator("ask-user").locator("[data-delivery]").count(), 0);
  assert.equal(browser.deliveries.length, 0);
});

test("a removed element sends nothing more", async () => {
  await ask({ "respond-url": "/respond?status=503" });
  await state("retrying").waitFor();
  await page.evaluate(() => document.querySelector("ask-user").remove());
  await pass(60_000);
  assert.equal(browser.deliveries.length, 1);
});

test("a host that delivers by itself is given the end, and says whether it has it", async () => {
  await page.evaluate(() => {
    window.ends = [];
    const element = document.createElement("ask-user");
    element.host = {
      toolCallId: "call_7",
      async deliver(end) {
        window.ends.push(end);
        if (window.ends.length === 1) throw new Error("The agent is gone.");
      },
    };
    element.request = { questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, { id: "key", text: "Key?", answer_type: "secret" }] };
    document.querySelector("main").replaceChildren(element);
  });
  const find = (selector) => page.locator("ask-user").locator(selector);
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  await state("failed").getByText("The agent is gone.").waitFor();
  await pass(60_000);
  assert.equal(await page.evaluate(() => window.ends.length), 1);
  await find("[data-again]").click();
  await state("sent").waitFor();
  const ends = await page.evaluate(() => window.ends);
  assert.equal(ends.length, 2);
  for (const { result, idempotencyKey, response } of ends) {
    assert.deepEqual(result, { go: true, key: "[redacted]" });
    assert.equal(idempotencyKey, ends[0].idempotencyKey);
    assert.deepEqual([response.secrets, response.walk.ask_user_walk], [{ key: "hunter2" }, 2]);
  }
});
