// `element.receipt`: an old ending, read-only. It shows what the live receipt shows (`vectors.mjs` compares them for every vector), and does nothing.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { receiptsIn } from "./receipts.mjs";
import { allDone } from "./wait.mjs";

let browser;
let page;
before(async () => (browser = await launch()));
beforeEach(async () => (page = await browser.page()));
afterEach(() => page.context().close());
after(() => browser.close());

let find;
let show;
let told;
let rows;
beforeEach(() => ({ find, show, told, rows } = receiptsIn(page)));

const TWO = { questions: [{ id: "name", text: "Name?", answer_type: "text" }, { id: "key", text: "Key?", answer_type: "secret" }, { id: "last", text: "Last?", answer_type: "text" }] };
/** The walk after these answers, and perhaps a way out. */
const walked = async (request, answers, way) => {
  await page.evaluate((request) => window.ask({ request, attributes: { "tool-call-id": "call_9" } }), request);
  const live = page.locator("main ask-user");
  for (const words of answers) {
    await live.locator("[data-field]").fill(words);
    await live.locator("[type=submit]").click();
    await page.evaluate(() => window.settled());
  }
  if (way) await live.locator(`[data-way=${way}]`).click();
  if (way === "reply") await live.locator("#reply, textarea").last().press("Enter");
  await page.evaluate(() => window.settled());
  return page.evaluate(() => window.form().walk);
};

test("a secret stays dots, and is not asked for again", async () => {
  const walk = await walked(TWO, ["Ada", "hunter2", "x"]);
  await show({ request: TWO, walk, toolCallId: "call_9" });
  assert.deepEqual(await rows("#old"), ["completed", "Answered", "Name?", "Ada", "Key?", "••••••", "Last?", "x"]);
  assert.ok(!(await page.content()).includes("hunter2"));
});

test("a walk that has not ended shows what was answered as not finished", async () => {
  const walk = await walked(TWO, ["Ada"]);
  await show({ request: TWO, walk, toolCallId: "call_9" });
  assert.deepEqual(await rows("#old"), ["unfinished", "Not finished", "Name?", "Ada"]);
  assert.equal(await find("button").count(), 0);
});

test("nothing is told, sent or kept, whatever the element is given beside it", async () => {
  const walk = await walked(TWO, ["Ada", "hunter2", "x"]);
  browser.deliveries.length = 0;
  const before = page.fetched.length;
  await page.evaluate(() => (window.stored = []));
  const pass = await browser.stopped(page);
  await show({ request: TWO, walk, toolCallId: "call_9" }, { attributes: { "respond-url": "/respond", "cancel-url": "/cancel", "save-url": "/walk" }, host: { undo: 5 } });
  await find(".heading").click();
  await find(".heading").press("y");
  await pass(60_000);
  await allDone(page);
  const fetched = page.fetched.slice(before).filter((path) => !["/clock.js", "/blank"].includes(path));
  assert.deepEqual([await told(), browser.deliveries.length, fetched], [[], 0, []]);
});

test("a walk of another request is said to be none, and reported to the host", async () => {
  const walk = await walked(TWO, ["Ada"], "reply");
  const other = { questions: [{ ...TWO.questions[0], text: "Another?" }] };
  for (const [receipt, why] of /** @type {any[][]} */ ([
    [{ request: other, walk, toolCallId: "call_9" }, /another form|other/i],
    [{ request: TWO, walk, toolCallId: "call_8" }, /another form|other/i],
    [{ request: TWO, walk: { ...walk, log: [] }, toolCallId: "call_9" }, /checksum/],
    [{ request: { questions: [] }, walk, toolCallId: "call_9" }, /problem/],
    [{ request: TWO }, /`receipt` needs/],
    [{ request: TWO, walk: "not JSON", toolCallId: "call_9" }, /./],
  ])) {
    await show(receipt);
    assert.match(await find("[role=alert]").textContent(), /can't be displayed/, JSON.stringify(receipt));
    const [[name, message], ...more] = await told();
    assert.equal(name, "error");
    assert.match(message, why);
    assert.deepEqual(more, []);
    assert.equal(await find("button").count(), 0);
  }
});

test("a request after a receipt asks, and a receipt after a request takes the form away", async () => {
  const walk = await walked(TWO, ["Ada"], "end-turn");
  await show({ request: TWO, walk, toolCallId: "call_9" });
  await page.evaluate(() => (/** @type {any} */ (document.querySelector("#old")).request = { question: "Really?", answer_type: "boolean" }));
  await find("[data-answer=yes]").waitFor();
  await page.evaluate((receipt) => (/** @type {any} */ (document.querySelector("#old")).receipt = receipt), { request: TWO, walk, toolCallId: "call_9" });
  await find("[part=receipt]").waitFor();
  assert.equal(await find("[data-answer]").count(), 0);
  await page.evaluate(() => (/** @type {any} */ (document.querySelector("#old")).receipt = undefined));
  await page.evaluate(() => window.settled());
  assert.equal(await find("*").count(), 0);
});

test("a receipt has no barriers, and fits 320 pixels in both schemes", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 600 });
    const walk = await walked(TWO, ["Ada", "hunter2", "x"]);
    await show({ request: TWO, walk, toolCallId: "call_9" });
    const found = await page.evaluate(async () => {
      if (!window.axe) await import("/axe.js");
      return [(await window.axe.run(document.querySelector("#old"))).violations.map(({ id }) => id), document.documentElement.scrollWidth];
    });
    assert.deepEqual(found, [[], 320]);
  }
});
