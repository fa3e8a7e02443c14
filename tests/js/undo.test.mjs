// Undo: for some seconds after the last answer nothing is told and nothing is sent, and the person can take it back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onStoppedPages } from "./browser.mjs";
import { delivered, hasFocus, painted, until } from "./wait.mjs";

let browser;
let page;
let pass;
onStoppedPages((there) => ({ browser, page, pass } = there));

const TWO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }, { id: "why", text: "Why?", answer_type: "text" }] };
const find = (selector) => page.locator("ask-user").locator(selector);
const ask = (/** @type {{ request?: object | null, host?: { undo?: number }, attributes?: { [name: string]: string } }} */ { request = TWO, host = { undo: 5 }, attributes = { "respond-url": "/respond", "cancel-url": "/cancel" } } = {}) =>
  page.evaluate(
    async ({ request, host, attributes }) => {
      const form = document.createElement("ask-user");
      for (const name of ["error", "removed"]) form.addEventListener(`ask-user-${name}`, ({ detail }) => window.seen.push([name, detail?.error?.message]));
      for (const name of ["record", "result"]) form.addEventListener(`ask-user-${name}`, () => form.isConnected || window.seen.push([name, "off the page"]));
      for (const [name, value] of Object.entries(attributes)) form.setAttribute(name, value);
      form.host = { layout: "steps", ...host };
      if (request) form.request = request;
      document.querySelector("main").replaceChildren(form);
    },
    { request, host, attributes },
  );
/** Answers both questions. */
const answer = async () => {
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("It is late.");
  await find("[type=submit]").click();
};
const told = () => page.evaluate(() => window.seen.map(([name]) => name).filter((name) => name === "record" || name === "result" || name === "end-turn"));
const walk = () => page.evaluate(() => window.form().walk.actions?.length ?? JSON.stringify(window.form().walk).length);

test("nothing is told or sent while the end can be undone; then it is, once", async () => {
  await ask();
  await find("[data-answer=yes]").click();
  const before = await told();
  await find("[data-field]").fill("It is late.");
  const walked = await walk();
  await find("[type=submit]").click();
  await find("[data-undo]").waitFor();
  assert.match(await find("[part=delivery]").textContent(), /Not sent yet/);
  await pass(4_900);
  assert.deepEqual([await told(), browser.deliveries.length], [before, 0]);
  assert.ok((await walk()) >= walked);
  await pass(200);
  await find("[data-delivery=sent]").waitFor();
  assert.equal(await find("[data-undo]").count(), 0);
  await pass(60_000);
  assert.equal((await told()).filter((name) => name === "result").length, 1);
  assert.equal(browser.deliveries.length, 1);
});

test("an end that is undone was never there; what was typed is back", async () => {
  const one = { question: "Why?", answer_type: "text" };
  await ask({ request: one });
  await find("[data-field]").fill("A slip.");
  await find("[type=submit]").click();
  await find("[data-undo]").click();
  assert.equal(await find("[data-field]").inputValue(), "A slip.");
  await hasFocus(page, "[data-field]");
  await pass(60_000);
  assert.deepEqual([await told(), browser.deliveries.length], [["record"], 0]);
  await find("[data-field]").fill("A reason.");
  await find("[type=submit]").click();
  await pass(5_100);
  await find("[data-delivery=sent]").waitFor();
  assert.deepEqual(await told(), ["record", "record", "result"]);
  assert.match(browser.deliveries.map(({ body }) => body).join(), /^(?!.*slip).*A reason\..*$/);
});

test("the end of the turn can be undone too", async () => {
  await ask();
  await find("[data-way=end-turn]").click();
  await find("[data-end-turn]").click();
  await find("[data-undo]").click();
  await find("[data-answer=yes]").waitFor();
  await pass(60_000);
  assert.equal(browser.deliveries.length, 0);
});

test("a form that is taken off the page sends what the person had answered", async () => {
  await ask();
  await answer();
  await find("[data-undo]").waitFor();
  await page.evaluate(() => window.form().remove());
  await page.waitForFunction(() => window.seen.some(([name]) => name === "removed"));
  assert.ok(await page.evaluate(() => window.seen.some(([name, at]) => name === "result" && at === "off the page")));
  await delivered(browser.deliveries, 1);
  await pass(60_000);
  assert.equal(browser.deliveries.length, 1);
});

test("a page that is left sends what the person had answered", async () => {
  await ask();
  await answer();
  await find("[data-undo]").waitFor();
  assert.equal(browser.deliveries.length, 0);
  await page.goto(`${browser.url}/probe.js`);
  await delivered(browser.deliveries, 1);
  assert.equal(browser.deliveries.length, 1);
});

test("the seconds can be set at any time; without them an answer is told at once", async () => {
  await ask({ host: {} });
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("It is la");
  await page.evaluate(() => (window.form().host = { layout: "steps", undo: 5 }));
  await page.evaluate(() => (window.form().host = { layout: "steps" }));
  assert.equal(await find("[data-field]").inputValue(), "It is la");
  await find("[type=submit]").click();
  await find("[data-delivery=sent]").waitFor();
});

test("an end that is held is dropped where the question is closed elsewhere", async () => {
  const request = { question: "Go on?", answer_type: "boolean" };
  const due = { type: "awaiting_user_response", tool_call_id: "call_7", request };
  const events = [due, { type: "idle", closed: { tool_call_id: "call_7", how: "answered" } }];
  let stream;
  browser.meddle = (asked, response, forward) => {
    if (asked.url !== "/events") return forward();
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    stream = response;
    response.write(`event: state_change\ndata: ${JSON.stringify(events[0])}\n\n`);
  };
  await ask({ request: null, attributes: { "events-url": "/events", "respond-url": "/respond" } });
  await find("[data-answer=yes]").click();
  await find("[data-undo]").waitFor();
  stream.write(`event: state_change\ndata: ${JSON.stringify(events[1])}\n\n`);
  await find("[data-closed]").waitFor();
  assert.equal(await find("[data-undo]").count(), 0);
  await pass(60_000);
  assert.deepEqual([browser.deliveries.length, (await told()).includes("result")], [0, false]);
  browser.meddle = undefined;
  stream.end();
});

test("what the page sets while an end is held changes nothing about where it goes", async () => {
  const paths = [];
  browser.meddle = (asked, response, forward) => (asked.method === "POST" ? (paths.push(asked.url), response.writeHead(204).end()) : forward());
  await ask({ request: { question: "A?", answer_type: "boolean" }, attributes: { "respond-url": "/calls/A", "tool-call-id": "A" } });
  await find("[data-answer=yes]").click();
  await find("[data-undo]").waitFor();
  await page.evaluate(() => {
    const form = window.form();
    window.late = [];
    form.addEventListener("ask-user-result", ({ detail }) => window.late.push([detail.toolCallId, detail.result.answer]));
    form.setAttribute("tool-call-id", "B");
    form.setAttribute("respond-url", "/calls/B");
    form.request = { question: "B?", answer_type: "text" };
  });
  await find("[data-type=text]").waitFor();
  assert.deepEqual(await page.evaluate(() => window.late), [["A", true]]);
  await until(() => paths, "the answer", ({ length }) => length > 0);
  assert.deepEqual(paths, ["/calls/A"]);
  browser.meddle = undefined;
});

test("an end that is held is told when the page takes the request away, or sets what is wrong", async () => {
  for (const act of [() => (window.form().request = undefined), () => (window.form().host = { undo: 5, unknown: 1 })]) {
    await page.evaluate(() => (addEventListener("error", (event) => event.preventDefault()), (window.seen.length = 0)));
    await ask({ request: { question: "Go on?", answer_type: "boolean" }, attributes: {} });
    await find("[data-answer=yes]").click();
    await find("[data-undo]").waitFor();
    await page.evaluate(act);
    await page.waitForFunction(() => window.seen.some(([name]) => name === "result"));
  }
});

test("after the end of the turn is undone, an assistant's verdict that came meanwhile counts, and a validator that came meanwhile works", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } } };
  const request = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }, { id: "n", text: "Which?", answer_type: "schema", schema }] };
  let load;
  const held = new Promise((resolve) => (load = resolve));
  browser.meddle = async (asked, _response, forward) => {
    if (asked.url.endsWith("validator.first.wasm")) await held;
    return forward();
  };
  await ask({ request });
  for (const selector of ["[data-way=end-turn]", "[data-end-turn]"]) await find(selector).click();
  await find("[data-undo]").waitFor();
  load();
  await page.waitForFunction(() => window.seen.some(([name]) => name === "ready") || performance.getEntriesByType("resource").some((/** @type {any} */ { name, responseEnd }) => name.endsWith("validator.first.wasm") && responseEnd));
  // What another form has waited for, too, has come to this one before.
  await page.evaluate((asked) => {
    const other = Object.assign(document.createElement("ask-user"), { id: "other", request: asked });
    other.addEventListener("ask-user-ready", () => (window.isOtherReady = true));
    document.querySelector("main").append(other);
  }, { questions: [request.questions[1]] });
  await page.waitForFunction(() => window.isOtherReady);
  await page.evaluate(() => document.querySelector("#other").remove());
  await find("[data-undo]").click();
  await find("[data-answer=yes]").click();
  await find("[data-question=n] textarea.json").waitFor({ state: "attached" });
  browser.meddle = undefined;
  await page.evaluate((request) => {
    const form = document.createElement("ask-user");
    const assistant = () => new Promise((resolve) => (window.conclude = () => resolve({ reason: "Fine.", answer: true })));
    form.host = { layout: "steps", undo: 5, targets: { go: "assistant" }, assistant };
    form.request = request;
    document.querySelector("main").replaceChildren(form);
  }, { questions: [request.questions[0], { id: "why", text: "Why?", answer_type: "text" }] });
  await page.waitForFunction(() => window.conclude);
  for (const selector of ["[data-way=end-turn]", "[data-end-turn]"]) await find(selector).click();
  await find("[data-undo]").waitFor();
  await page.evaluate(() => window.conclude());
  await painted(page);
  await find("[data-undo]").click();
  await find("[data-question=why]").waitFor();
});

test("the focus stays in the form when the time to undo is over", async () => {
  await ask({ request: { question: "Go on?", answer_type: "boolean" } });
  await find("[data-answer=yes]").click();
  await find("[data-undo]").focus();
  await pass(5_100);
  await find("[data-delivery=sent]").waitFor();
  assert.ok(await page.evaluate(() => window.form().shadowRoot.activeElement !== null));
});

for (const undo of /** @type {any[]} */ ([-1, 61, "5", null, true])) {
  test(`${JSON.stringify(undo)} is no number of seconds, and the host is told`, async () => {
    // It is reported as an uncaught error too.
    await page.evaluate(() => addEventListener("error", (event) => event.preventDefault()));
    await ask({ host: { undo } });
    await page.waitForFunction(() => window.seen.some(([name]) => name === "error"));
    assert.match(await page.evaluate(() => window.seen.find(([name]) => name === "error")[1]), /`undo` must be a number of seconds from 0 to 60/);
  });
}
