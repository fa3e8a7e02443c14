// A form that is put away: it folds to one line, keeps everything, says when something changes, and comes back as it was.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrived } from "./person.mjs";
import { becomes, keepsStill, passed, takesAnswers, until } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const ASKED = {
  questions: [
    { id: "where", text: "Which environment?", answer_type: "select", options: ["staging", "production"] },
    { id: "why", text: "Why?", answer_type: "text" },
    { id: "go", text: "Go on?", answer_type: "boolean", when: { question_id: "why", answered: true } },
  ],
};
const ask = (more = {}) => person.ask(ASKED, { attributes: { label: "Deploy agent", foldable: "", "tool-call-id": `call_${Math.random()}` }, ...more });
const line = () => person.find(".fold-open");
const said = async () => (await line().innerText()).replace(/\s+/g, " ").trim();
const isFolded = () => page.evaluate(() => window.form().folded);
/** The details of the events that say whether it is put away. */
const folds = () => page.evaluate(() => window.folds);
const listen = () =>
  page.evaluate(() => {
    window.folds = [];
    window.form().addEventListener("ask-user-fold", ({ detail }) => window.folds.push(detail.folded));
  });

test("put away, the form is one line that says who asks what; it comes back with what was typed, and takes answers", async () => {
  await ask();
  await listen();
  await person.find("[data-option]").first().click();
  await person.press("Enter");
  await person.find("[data-field]").fill("the disk is full");
  await person.find(".fold-away").click();
  assert.equal(await said(), "Deploy agent: Why? 2 of 3");
  assert.deepEqual([await isFolded(), await folds()], [true, [true]]);
  assert.equal(await person.find("[data-field]").isVisible(), false);
  assert.ok((await line().boundingBox()).height < 60);
  assert.deepEqual(await person.barriers(), []);
  await line().click();
  assert.deepEqual([await isFolded(), await folds()], [false, [true, false]]);
  assert.equal(await person.find("[data-field]").inputValue(), "the disk is full");
  await keepsStill(page);
  await person.press("Enter");
  assert.equal(await person.find("[data-question]").getAttribute("data-question"), "go");
});

test("the focus goes to the line and back, and no key on the line answers the question", async () => {
  await ask();
  await person.find("[data-option]").first().focus();
  await person.find(".fold-away").focus();
  await page.keyboard.press("Enter");
  await until(() => page.evaluate(() => window.form().shadowRoot.activeElement?.className === "fold-open"), "the focus is on the line");
  for (const key of ["1", "y", "n", "s"]) await page.keyboard.press(key);
  assert.deepEqual((await person.names()).filter((name) => name === "result" || name === "end-turn"), []);
  assert.equal(await isFolded(), true);
  await page.keyboard.press("Enter");
  await until(() => page.evaluate(() => window.form().shadowRoot.activeElement?.closest("[data-question]") !== null), "the focus is in the form");
  assert.equal(await isFolded(), false);
});

test("the page puts it away and brings it back, also where it offers the person no button", async () => {
  await ask({ attributes: { label: "Deploy agent" } });
  await listen();
  assert.equal(await person.find(".fold-away").count(), 0);
  await page.evaluate(() => void (window.form().folded = true));
  await line().waitFor();
  assert.equal(await person.find("[data-question]").isVisible(), false);
  await page.evaluate(() => window.form().removeAttribute("folded"));
  await person.find("[data-question]").waitFor();
  assert.deepEqual(await folds(), [true, false]);
});

test("what changes while it is away is said, once: another request, and an end elsewhere", async () => {
  await ask();
  await person.find(".fold-away").click();
  const spoken = () => person.find(".fold-line [role=status]").textContent();
  assert.equal(await spoken(), "");
  await passed(page, 400);
  await page.evaluate(() => window.form().shadowRoot.querySelector(".fold-open").focus());
  await page.evaluate(() => void (window.form().request = { question: "Which port?", answer_type: "number" }));
  await becomes(said, "Deploy agent: Which port?");
  await becomes(spoken, "Deploy agent: Which port?");
  assert.equal(await isFolded(), true);
  assert.equal(await person.find("[data-field]").isVisible(), false);
  // The line keeps the focus, and so does what a page focuses.
  const hasFocus = () => page.evaluate(() => window.form().shadowRoot.activeElement?.className === "fold-open");
  assert.ok(await hasFocus());
  await page.evaluate(() => (/** @type {HTMLElement} */ (document.activeElement).blur(), window.form().focus()));
  assert.ok(await hasFocus());
});

test("the question after one that was closed is on the line, and so is an end that could not be sent", async () => {
  await page.evaluate(async () => {
    const element = document.createElement("ask-user");
    element.toggleAttribute("foldable", true);
    element.host = { deliver: () => Promise.reject(new Error("No network.")) };
    element.requests = ["One?", "Two?"].map((question, place) => ({ toolCallId: `c${place}`, request: { question, answer_type: "boolean" } }));
    document.querySelector("main").replaceChildren(element);
    await window.settled();
  });
  await takesAnswers(page);
  await person.find("[data-answer=yes]").click();
  await person.find("[data-delivery=failed]").waitFor();
  await person.find(".fold-away").click();
  assert.match(await said(), /^Couldn't send/);
  page.faults.length = 0;
});

test("a list of keys that is open does not keep the page when the form is put away", async () => {
  await ask();
  await person.find("[part~=keys]").click();
  await person.find("dialog[open]").waitFor();
  await page.evaluate(() => void (window.form().folded = true));
  await line().click();
  await person.find("[data-question]").waitFor();
});

test("where nothing is asked there is neither a button nor a line", async () => {
  await page.evaluate(() => {
    const element = document.createElement("ask-user");
    for (const name of ["foldable", "folded"]) element.toggleAttribute(name, true);
    document.querySelector("main").replaceChildren(element);
  });
  await person.find(".fold-line").waitFor({ state: "attached" });
  assert.equal(await line().isVisible(), false);
  await page.evaluate(() => void (window.form().folded = false));
  await person.find(".fold-away").waitFor({ state: "attached" });
  assert.equal(await person.find(".fold-away").isVisible(), false);
});

test("a question that is closed elsewhere says so on the line", async () => {
  await person.ask({ question: "Go on?", answer_type: "boolean" }, { attributes: { label: "Deploy agent", foldable: "" }, host: { expiresAt: new Date(Date.now() + 3_600_000).toISOString() } });
  await person.find("[part=deadline]").waitFor();
  await person.find(".fold-away").click();
  // How long there is to answer is in sight, too.
  assert.ok(await person.find("[part=deadline]").isVisible());
  await passed(page, 400);
  await page.evaluate(() => void (window.form().host = { ...window.form().host, now: () => Date.now() + 7_200_000 }));
  await page.evaluate(() => void (window.form().host = { ...window.form().host, expiresAt: new Date(Date.now() + 3_000_000).toISOString() }));
  await becomes(async () => /time|expired/i.test(await said()), true);
  await becomes(async () => /time|expired/i.test(await person.find(".fold-line [role=status]").textContent()), true);
});

test("a form that is sent says so on the line, and its receipt comes back", async () => {
  await person.ask({ question: "Go on?", answer_type: "boolean" }, { attributes: { label: "Deploy agent", foldable: "" } });
  await person.click("[data-answer=yes]");
  await person.find(".fold-away").click();
  assert.match(await said(), /Answered/);
  await line().click();
  await person.find(".receipt").waitFor();
});

test("a name and a question that are long or hostile stay one line and text", async () => {
  const hostile = "<img src=x onerror=alert(1)> ".repeat(40);
  await person.ask({ question: hostile, answer_type: "boolean" }, { attributes: { label: hostile, foldable: "" } });
  await person.find(".fold-away").click();
  assert.ok((await line().boundingBox()).height < 60);
  assert.equal(await person.find(".fold-line img").count(), 0);
});

test("in a chat, the line stays at the edge while the person reads above it", async () => {
  await ask();
  await page.evaluate(() => {
    const chat = document.querySelector("main");
    Object.assign(chat.style, { blockSize: "300px", overflow: "auto" });
    for (let place = 0; place < 20; place += 1) chat.prepend(Object.assign(document.createElement("p"), { textContent: `Message ${place}` }));
  });
  await person.find(".fold-away").click();
  await page.evaluate(() => void (document.querySelector("main").scrollTop = 0));
  await until(() => page.evaluate(() => {
    const [chat, form] = [document.querySelector("main"), window.form()].map((one) => one.getBoundingClientRect());
    return form.bottom <= chat.bottom + 1 && form.top >= chat.top;
  }), "the line is at the edge of the chat");
  await page.evaluate(() => document.querySelector("main").removeAttribute("style"));
});

test("in Arabic the line says it in Arabic, from right to left", async () => {
  await page.evaluate(() => void (document.documentElement.lang = "ar"));
  await ask();
  await becomes(() => person.find(".fold-away").innerText(), "وضع جانبًا");
  await person.find(".fold-away").click();
  assert.equal(await line().evaluate((one) => getComputedStyle(one).direction), "rtl");
  await page.evaluate(() => void (document.documentElement.lang = "en"));
});
