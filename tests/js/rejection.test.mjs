// What a page without code tells its host besides results: that a request became no form, and the explanation of a "no". Against a real server.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { Stream } from "./stream.mjs";
import { allDone, delivered, takesAnswers, until } from "./wait.mjs";

let browser;
let page;
before(async () => (browser = await launch()));
beforeEach(async () => {
  browser.deliveries.length = 0;
  browser.meddle = browser.cut = undefined;
  page = await browser.page();
  await page.evaluate(async () => {
    await customElements.whenDefined("ask-user");
    window.states = [];
    document.addEventListener("ask-user-delivery", ({ detail }) => window.states.push(detail.state));
    window.put = ({ attributes = {}, host, request }) => {
      const element = document.createElement("ask-user");
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.host = { layout: "steps", ...host };
      if (request) element.request = request;
      document.querySelector("main").replaceChildren(element);
    };
  });
});
afterEach(() => page.context().close());
after(() => browser.close());

const BAD = { question: "Go on?", answer_type: "perhaps" };
const GOOD = { question: "Go on?", answer_type: "boolean" };
const put = (options) => page.evaluate((options) => window.put(options), options);
const find = (selector) => page.locator("ask-user").locator(selector);
const sent = () => find("[data-delivery=sent]").waitFor();
const rejections = () => page.evaluate(() => window.seen.filter(([name]) => name === "rejected").map(([, { toolResult }]) => toolResult));

/** Waits until so many rejections were told. */
const rejected = (count) => until(rejections, `${count} rejections`, ({ length }) => length === count);

test("a request that is no form is posted in place of a result, once, and says so in a header", async () => {
  const pass = await browser.stopped(page);
  await put({ attributes: { "respond-url": "/respond", "tool-call-id": "call_7" }, request: BAD });
  await rejected(1);
  await pass(500);
  await sent();
  const [{ key, outcome, body }, ...more] = browser.deliveries;
  assert.deepEqual([JSON.parse(body), outcome, more], [(await rejections())[0], "rejected", []]);
  assert.equal(JSON.parse(body).error, "invalid_request");
  assert.match(key, /^[0-9a-f]{32}$/);
  // A page that renders, and options that make the form anew, send nothing more.
  await page.evaluate((request) => {
    window.form().request = { ...request };
    window.form().host = { reuse: "none" };
  }, BAD);
  await rejected(2);
  await pass(60_000);
  await allDone(page);
  await page.evaluate(() => document.querySelector("main").append(window.form()));
  await pass(60_000);
  await allDone(page);
  assert.equal(browser.deliveries.length, 1);
  assert.equal((await rejections()).length, 2);
  await page.evaluate((request) => (window.form().request = request), { ...BAD, question: "And now?" });
  await rejected(3);
  await pass(500);
  await page.waitForFunction(() => window.states.filter((state) => state === "sent").length === 2);
  assert.notEqual(browser.deliveries[1].key, key);
});

test("with a nonce of the host, the same rejection has the same key in another page", async () => {
  for (const nonce of ["n1", "n1", "n2"]) {
    await put({ attributes: { "respond-url": "/respond" }, host: { nonce }, request: BAD });
    await page.waitForFunction(() => window.states.at(-1) === "sent");
    await page.evaluate(() => window.states.splice(0));
  }
  const [one, again, other] = browser.deliveries.map(({ key }) => key);
  assert.deepEqual([one === again, one === other], [true, false]);
});

test("a rejection is tried again like any end, under one key, and the person can send it", async () => {
  await put({ attributes: { "respond-url": "/respond?status=503&times=1&retry-after=1" }, request: BAD });
  await sent();
  assert.deepEqual(browser.deliveries.map(({ status }) => status), [503, 200]);
  assert.equal(new Set(browser.deliveries.map(({ key }) => key)).size, 1);
  await put({ attributes: { "respond-url": "/respond?status=422&times=1&message=It+is+a+form+here." }, request: BAD });
  await find("[data-delivery=failed]").waitFor();
  assert.match(await find("[data-delivery=failed]").textContent(), /It is a form here\./);
  await find("[data-again]").click();
  await sent();
});

test("what is replaced at once is not sent; what is taken off the page or left is sent before", async () => {
  const pass = await browser.stopped(page);
  await put({ attributes: { "respond-url": "/respond" }, request: BAD });
  await page.waitForFunction(() => window.seen.some(([name]) => name === "rejected"));
  await page.evaluate((request) => (window.form().request = request), GOOD);
  await find("[data-answer=yes]").waitFor();
  await pass(60_000);
  await allDone(page);
  assert.equal(browser.deliveries.length, 0);
  await find("[data-answer=yes]").click();
  await sent();
  await page.evaluate(() => window.seen.splice(0));
  await put({ attributes: { "respond-url": "/respond" }, request: { ...BAD, question: "Off?" } });
  await page.waitForFunction(() => window.seen.some(([name]) => name === "rejected"));
  await page.evaluate(() => window.form().remove());
  await page.waitForFunction(() => window.states.at(-1) === "sent");
  assert.deepEqual(browser.deliveries.map(({ outcome }) => outcome), [undefined, "rejected"]);
  await put({ attributes: { "respond-url": "/respond" }, request: { ...BAD, question: "Left?" } });
  await page.waitForFunction(() => window.seen.filter(([name]) => name === "rejected").length === 2);
  await page.goto("about:blank");
  await delivered(browser.deliveries, 3);
});

test("options that make a form of what was rejected give a form that is answered", async () => {
  const long = { questions: ["a", "b"].map((id) => ({ id, text: "Go on?", answer_type: "boolean" })) };
  await put({ attributes: { "respond-url": "/respond" }, host: { limits: { questions: 1 } }, request: long });
  await sent();
  await page.evaluate(() => (window.form().host = {}));
  await find("[data-question=a]").waitFor();
  assert.equal(await find("[data-delivery]").count(), 0);
  await page.waitForFunction(() => window.seen.at(-1)[0] === "step" && window.seen.some(([name]) => name === "ready"));
});

test("a page that tells the agent itself prevents the event's default", async () => {
  const pass = await browser.stopped(page);
  await page.evaluate(() => document.addEventListener("ask-user-rejected", (event) => event.preventDefault()));
  await put({ attributes: { "respond-url": "/respond" }, request: BAD });
  await rejected(1);
  await pass(60_000);
  await allDone(page);
  assert.deepEqual([browser.deliveries.length, (await rejections()).length], [0, 1]);
});

test("a host that is heard is told which call's request was rejected", async () => {
  const stream = new Stream();
  browser.meddle = stream.meddle;
  stream.say({ type: "awaiting_user_response", requests: [{ tool_call_id: "a", request: BAD }, { tool_call_id: "b", request: GOOD }] });
  await put({ attributes: { "events-url": "/events", "respond-url": "/answers/respond" } });
  // Once that is taken, the next one is asked.
  await takesAnswers(page, "[data-answer=yes]");
  await find("[data-answer=yes]").click();
  await sent();
  const [rejected, answered] = stream.posted;
  assert.deepEqual([rejected.body, rejected.outcome], [{ tool_call_id: "a", rejected: (await rejections())[0] }, undefined]);
  assert.deepEqual([answered.body.tool_call_id, answered.body.rejected], ["b", undefined]);
  stream.close();
});

test("a host's own `deliver` gets the rejection as an end that failed", async () => {
  await page.evaluate((request) => {
    window.ends = [];
    window.put({ request, host: { toolCallId: "call_7", deliver: async (end) => void window.ends.push(end) } });
  }, BAD);
  await sent();
  const [{ outcome, result, response, toolCallId, secrets }, ...more] = await page.evaluate(() => window.ends);
  const [toolResult] = await rejections();
  assert.deepEqual([result, response, toolCallId, secrets, more], [toolResult, { rejected: toolResult }, "call_7", {}, []]);
  assert.deepEqual(outcome, { ends: "failed", error: "invalid_request", result: toolResult });
});

const ASKED_BY_A_TOOL = { source: { source: "tool", name: "rm" } };

test("the explanation of a no comes beside the result, whatever it is written in", async () => {
  await put({ attributes: { "respond-url": "/respond" }, host: ASKED_BY_A_TOOL, request: { question: "Löschen? 删除 🗑 100%", answer_type: "boolean" } });
  await find("[data-answer=no]").click();
  await sent();
  const [{ body, explanation, outcome }] = browser.deliveries;
  const [, detail] = await page.evaluate(() => window.seen.find(([name]) => name === "result"));
  assert.deepEqual([JSON.parse(body), outcome], [{ answer_type: "boolean", answer: false }, undefined]);
  assert.match(explanation, /^[\x21-\x7e]+$/);
  assert.equal(decodeURIComponent(explanation), detail.outcome.explanation);
  assert.match(detail.outcome.explanation, /user answered no/);
  await put({ attributes: { "respond-url": "/respond" }, host: ASKED_BY_A_TOOL, request: GOOD });
  await find("[data-answer=yes]").click();
  await page.waitForFunction(() => window.states.filter((state) => state === "sent").length === 2);
  assert.equal(browser.deliveries[1].explanation, undefined, "a yes needs none");
});

test("a long explanation is cut between characters, and its end says so", async () => {
  const questions = Array.from({ length: 20 }, (_, at) => ({ id: `q${at}`, text: `Löschen ${"🗑".repeat(30)} ${at}?`, answer_type: "boolean" }));
  await put({ attributes: { "respond-url": "/respond" }, host: ASKED_BY_A_TOOL, request: { questions } });
  for (const { id } of questions) {
    await find(`[data-question=${id}]`).waitFor();
    await find("[data-answer=no]").click();
  }
  await sent();
  const [{ explanation }] = browser.deliveries;
  assert.ok(explanation.length > 3_000 && explanation.length <= 4_200, String(explanation.length));
  assert.match(decodeURIComponent(explanation), /^[^\ufffd]*…$/);
});

test("to another origin go no headers that it might not allow: it gets the result as ever, and knows a rejection by its body", async () => {
  const post = (request, host) =>
    page.evaluate(
      ([request, host]) => {
        const fetch = async (_, { headers, body }) => ((window.posts ??= []).push([Object.keys(headers), JSON.parse(body)]), new Response("{}"));
        window.put({ attributes: { "respond-url": "https://host.example/respond" }, request, host: { ...host, fetch } });
      },
      [request, host],
    );
  await post(GOOD, ASKED_BY_A_TOOL);
  await find("[data-answer=no]").click();
  await page.waitForFunction(() => window.posts?.length === 1);
  await post(BAD, {});
  await page.waitForFunction(() => window.posts?.length === 2);
  const names = ["Content-Type", "Idempotency-Key"];
  assert.deepEqual(await page.evaluate(() => window.posts), [[names, { answer_type: "boolean", answer: false }], [names, (await rejections())[0]]]);
});
