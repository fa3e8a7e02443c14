// The time for an answer: how much is left, and what happens when it is over. The page's clock begins one second after the beginning of 1970, and passes only where a test says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onStoppedPages } from "./browser.mjs";
import { arrived, Person } from "./person.mjs";
import { becomes, keepsStill, takesAnswers } from "./wait.mjs";

const MINUTE = 60_000;
let page;
let person;
/** Lets time pass on the page's clock. */
let pass;
onStoppedPages((there) => {
  ({ page, pass } = there);
  person = new Person(page);
});

const NAME = { questions: [{ id: "name", text: "Which name?", answer_type: "text" }, { id: "go", text: "Go on?", answer_type: "boolean" }] };
const GO = { question: "Go on?", answer_type: "boolean" };
/** A moment so many milliseconds after the beginning of the test. */
const after = (milliseconds) => new Date(1_000 + milliseconds).toISOString();
const ask = async (request, left = undefined, /** @type {{ [option: string]: any }} */ { host, ...more } = {}) => {
  await page.evaluate(() => {
    window.closings = [];
    document.addEventListener("ask-user-closed", ({ detail }) => window.closings.push(detail));
  });
  await person.ask(request, { host: { ...(left !== undefined && { expiresAt: after(left) }), ...host }, ...more });
};
const closings = () => page.evaluate(() => window.closings);
const line = () => person.find("[part=deadline]");
const says = (text) => becomes(() => line().textContent(), text);
const results = () => page.evaluate(() => window.seen.filter(([name]) => name === "result").length);

test("a form that cannot load its countdown expires all the same, and sends nothing after that", async () => {
  await page.route("**/deadline.js*", (route) => route.fulfill({ status: 404, body: "" }));
  const answered = page.waitForResponse(/deadline\.js/);
  await ask(NAME, 5 * MINUTE);
  await answered;
  await person.find("[data-field]").fill("Ada");
  await keepsStill(page);
  await pass(5 * MINUTE - 1);
  assert.deepEqual([await line().count(), await closings()], [0, []]);
  await pass(1);
  await becomes(async () => (await closings()).map(({ how, drafts }) => [how, Object.keys(drafts)]), [["expired", ["name"]]]);
  assert.deepEqual([await person.find("[data-field]").count(), await results()], [0, 0]);
  assert.deepEqual(page.faults.splice(0).map((fault) => /404.*deadline/.test(fault)), [true]);
  await page.unroute("**/deadline.js*");
  await page.reload();
});

test("the form says how much time is left: in days, in hours, in minutes, and then that it is less than one", async () => {
  await ask(GO, 49 * 60 * MINUTE);
  await says("Time left to answer: 2 days");
  await pass(2 * 60 * MINUTE);
  await says("Time left to answer: 47 hours");
  await pass(45 * 60 * MINUTE);
  await says("Time left to answer: 2 hours");
  await pass(1);
  await says("Time left to answer: 119 minutes");
  await pass(118 * MINUTE);
  await says("Time left to answer: 1 minute");
  assert.equal(await line().getAttribute("role"), "status");
  await pass(MINUTE);
  await says("Less than a minute left to answer.");
  assert.deepEqual([await line().getAttribute("class"), await closings()], ["notice", []]);
});

test("a form without an end of its time says nothing of it", async () => {
  await ask(GO);
  assert.equal(await line().count(), 0);
});

test("when the time is over, the form is closed, sends nothing, and keeps what was entered", async () => {
  await ask(NAME, 5 * MINUTE);
  await person.find("[data-field]").fill("Ada");
  await person.settled();
  await pass(5 * MINUTE - 1);
  assert.deepEqual(await closings(), []);
  await pass(1);
  await becomes(async () => (await closings()).map(({ how, toolCallId, drafts }) => [how, toolCallId, Object.keys(drafts), drafts.name.typed]), [["expired", "call_1", ["name"], { "": "Ada" }]]);
  assert.match(await person.find("[data-closed]").textContent(), /^This question has expired\.$/);
  assert.match(await person.find("[data-closed] ~ *, .closed").last().textContent(), /Ada/);
  assert.deepEqual([await line().count(), await person.find("[data-field]").count(), await results()], [0, 0, 0]);
  // The same question in the same element begins with it.
  await page.evaluate(() => {
    window.form().host = { layout: "steps" };
    window.form().setAttribute("tool-call-id", "call_2");
  });
  await becomes(() => person.find("[data-field]").inputValue(), "Ada");
});

test("what was answered in time is sent, and does not expire any more", async () => {
  await ask(GO, MINUTE);
  await takesAnswers(page);
  await person.click("[data-answer=yes]");
  assert.deepEqual([await results(), await line().count()], [1, 0]);
  await pass(2 * MINUTE);
  assert.deepEqual([await closings(), await person.find(".receipt").count()], [[], 1]);
});

test("an answer that could still be undone when the time is over was given in time", async () => {
  await ask(GO, 10_000, { host: { undo: 30 } });
  await takesAnswers(page);
  await person.click("[data-answer=yes]");
  assert.equal(await results(), 0);
  await pass(10_000);
  await becomes(results, 1);
  assert.deepEqual(await closings(), []);
});

test("a question whose time is over before it is shown is closed at once", async () => {
  await ask(GO, -1);
  await becomes(async () => (await closings()).map(({ how }) => how), ["expired"]);
});

test("an interrupt of AG-UI expires when its agent says so, and the host can shorten that", async () => {
  const interrupt = { interrupts: [{ id: "i", reason: "input", message: "Name?", expiresAt: after(10 * MINUTE) }] };
  await ask(interrupt);
  await says("Time left to answer: 10 minutes");
  await ask(interrupt, 3 * MINUTE);
  await says("Time left to answer: 3 minutes");
});

test("the host's clock counts, where the page has it", async () => {
  await page.evaluate((request) => {
    window.closings = [];
    document.addEventListener("ask-user-closed", ({ detail }) => window.closings.push(detail));
    // The page's clock is an hour late.
    return window.ask({ request, host: { expiresAt: new Date(1_000 + 3_600_000 + 120_000).toISOString(), now: () => Date.now() + 3_600_000 } });
  }, GO);
  await says("Time left to answer: 2 minutes");
  await pass(2 * MINUTE);
  await becomes(async () => (await closings()).map(({ how }) => how), ["expired"]);
});

test("the time left is said in the language of the form", async () => {
  await ask(GO, 5 * MINUTE, { attributes: { lang: "de" } });
  await says("Verbleibende Zeit für die Antwort: 5 Minuten");
  await page.evaluate(() => (window.form().lang = "fr"));
  await says("Temps restant pour répondre : 5 minutes");
});

test("the next request is shown after one that has expired", async () => {
  await page.evaluate(
    ([request, expiresAt]) => {
      const element = document.createElement("ask-user");
      element.host = { layout: "steps" };
      element.requests = [
        { toolCallId: "a", request, options: { expiresAt } },
        { toolCallId: "b", request: { ...request, question: "And then?" } },
      ];
      document.querySelector("main").replaceChildren(element);
    },
    [GO, after(MINUTE)],
  );
  await becomes(() => person.find("[data-question] h2, [data-question] legend").first().textContent(), "Go on?");
  await pass(MINUTE);
  await becomes(() => person.find("[data-closed]").textContent(), "The previous question has expired.");
  await keepsStill(page);
  assert.equal(await line().count(), 0);
});

test("the time left fits a narrow window, and every part of it can be read", async () => {
  // What looks for barriers has pauses, so the time passes here.
  const { browser, page, person } = await arrived();
  try {
    await page.setViewportSize({ width: 320, height: 600 });
    await person.ask(GO, { host: { expiresAt: new Date(Date.now() + 50_000).toISOString() } });
    await becomes(() => person.find("[part=deadline]").textContent(), "Less than a minute left to answer.");
    assert.deepEqual(await person.barriers(), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  } finally {
    await browser.close();
  }
});
