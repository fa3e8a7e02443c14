// Several questions on one page: what is relevant is shown, nothing counts that nobody answered, and the result is that of the steps.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ELSEWHERE } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { keepsStill, painted } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const cases = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));
const BRANCHES = {
  questions: [
    { id: "apply", text: "Apply it?", answer_type: "boolean", default: true },
    { id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "why", text: "Why?", answer_type: "text", when: { question_id: "env", equals: "production" } },
    { id: "count", text: "How many?", answer_type: "number" },
  ],
};
const CONTACT = {
  mode: "form",
  message: "Please provide your contact information",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" }, email: { type: "string", format: "email" }, age: { type: "number", minimum: 18 }, news: { type: "boolean" } },
    required: ["name", "email", "news"],
  },
};
const ask = (request, layout = "page", more = {}) => person.ask(request, { ...more, host: { layout, ...more.host } });
const on = (id) => person.find(`[data-on-page="${id}"]`);
const shown = () => person.find("[data-on-page]").evaluateAll((all) => all.map((one) => one.dataset.onPage));
const send = () => person.click(".actions [type=submit]");
const refused = () => person.find("[data-refused=true]").evaluateAll((all) => all.map((one) => one.dataset.onPage));

/** Fills in a question of the page. */
async function fill(id, value) {
  const type = await on(id).locator("input, textarea").first().getAttribute("type");
  if (typeof value === "boolean") return on(id).locator(".option").nth(value ? 0 : 1).locator("label").click();
  if (type === "radio" || type === "checkbox") {
    // What is suggested and not meant goes.
    while (type === "checkbox" && (await on(id).locator(":checked").count())) await on(id).locator(":checked").first().click();
    for (const one of [value].flat()) await on(id).locator(`[data-option=${JSON.stringify(JSON.stringify(one))}] ~ label`).click();
    return;
  }
  await on(id).locator("[data-field]").fill(String(value));
}

test("what is relevant is shown, comes and goes with the answers before it, and what was typed there is kept", async () => {
  await ask(BRANCHES);
  assert.deepEqual(await shown(), ["apply", "count"]);
  await fill("apply", true);
  assert.deepEqual(await shown(), ["apply", "env", "count"]);
  await fill("env", "production");
  await fill("why", "It is tested.");
  await fill("count", 3);
  await fill("env", "staging");
  assert.deepEqual(await shown(), ["apply", "env", "count"]);
  await fill("env", "production");
  assert.equal(await on("why").locator("[data-field]").inputValue(), "It is tested.");
  await send();
  assert.deepEqual(await person.result(), { apply: true, env: "production", why: "It is tested.", count: 3 });
});

test("what is chosen by the keyboard makes questions relevant as well", async () => {
  await ask({ questions: [{ id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"] }, { id: "why", text: "Why?", answer_type: "text", when: { question_id: "env", equals: "production" } }] });
  await on("env").locator("input").first().focus();
  await person.press("2");
  assert.deepEqual(await shown(), ["env", "why"]);
  await person.press("ArrowUp");
  assert.deepEqual(await shown(), ["env"]);
  await person.press("End");
  await send();
  assert.deepEqual(await refused(), ["why"]);
});

test("an answer to a question that is not relevant any more is not sent", async () => {
  await ask(BRANCHES);
  await fill("apply", true);
  await fill("env", "production");
  await fill("why", "It is tested.");
  await fill("apply", false);
  await fill("count", 1);
  assert.deepEqual(await shown(), ["apply", "count"]);
  await send();
  assert.deepEqual(await person.result(), { apply: false, env: null, why: null, count: 1 });
});

test("nothing is chosen that the person did not choose; what is empty is not sent, and no key answers", async () => {
  await ask(CONTACT);
  assert.equal(await person.find(":checked").count(), 0);
  await person.find("[data-way=reply]").focus();
  await person.press("y", "Y", "1");
  assert.equal(await person.find(":checked").count(), 0);
  await send();
  assert.equal(await person.result(), undefined);
  assert.deepEqual(await refused(), ["name", "email", "news"]);
});

test("what is wrong is listed above, with ways to it; the first has the focus, and nothing is lost", async () => {
  await ask(CONTACT);
  await fill("name", "Ada");
  await fill("email", "nope");
  await fill("age", 17);
  await send();
  assert.deepEqual(await refused(), ["email", "age", "news"]);
  // Each field has the name of its question.
  const named = await on("age").locator("[data-field]").getAttribute("aria-labelledby");
  assert.equal(await person.find(`legend[id="${named}"] .text`).textContent(), "age");
  assert.match(await person.find(".wrong p").textContent(), /^3 answers need a change:/);
  assert.deepEqual(await person.find("[data-wrong]").allTextContents(), ["email", "age", "news"]);
  const active = () => page.evaluate(() => window.form().shadowRoot.activeElement.closest("[data-on-page]")?.dataset.onPage);
  assert.equal(await active(), "email");
  await person.click("[data-wrong=age]");
  assert.equal(await active(), "age");
  assert.equal(await on("name").locator("[data-field]").inputValue(), "Ada");
  assert.equal(await on("email").locator("[data-field]").getAttribute("aria-invalid"), "true");
  assert.equal(await on("name").locator("[data-field]").getAttribute("aria-invalid"), "false");
  assert.deepEqual(await person.barriers(), []);
  await fill("email", "ada@example.com");
  await fill("age", 36);
  await fill("news", false);
  await send();
  assert.deepEqual(await person.result(), { action: "accept", content: { name: "Ada", email: "ada@example.com", age: 36, news: false } });
});

/** Fills in what is required of a contact, and sends it: the result has that and nothing else. */
async function sendsContact(name) {
  const content = { name, email: "ada@example.com", news: true };
  await ask(CONTACT);
  for (const [id, value] of Object.entries(content)) await fill(id, value);
  await send();
  assert.deepEqual(await person.result(), { action: "accept", content });
}

test("an optional question may stay empty, and there is no review of what is in sight", () => sendsContact("Ada"));

test("a text of blanks is the core's to judge, as in steps", () => sendsContact(" "));

test("in several lines Enter breaks the line, in one line it sends", async () => {
  await ask(CONTACT);
  await on("name").locator("textarea").click();
  await page.keyboard.type("Ada");
  await page.keyboard.press("Enter");
  assert.equal(await on("name").locator("textarea").inputValue(), "Ada\n");
  assert.deepEqual(await refused(), []);
  await on("email").locator("input").focus();
  await page.keyboard.press("Enter");
  await person.settled();
  assert.deepEqual(await refused(), ["email", "news"]);
});

test("every id is there once, and each label and description belongs to its own question", async () => {
  const options = ["one", "two"].map((label) => ({ value: label, label, description: `About ${label}` }));
  await ask({ questions: [{ id: "a", text: "A?", answer_type: "select", options }, { id: "b", text: "B?", answer_type: "multi_select", options }, { id: "c", text: "C?", answer_type: "boolean" }, { id: "d", text: "D?", answer_type: "secret" }] });
  const twice = await page.evaluate(() => {
    const ids = [...window.form().shadowRoot.querySelectorAll("[id]")].map(({ id }) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at);
  });
  assert.deepEqual(twice, []);
  assert.deepEqual(await person.barriers(), []);
  await fill("a", "two");
  await fill("b", ["one", "two"]);
  await fill("c", true);
  await fill("d", "s3cret");
  assert.equal(await person.find(":checked").count(), 4);
  await send();
  assert.deepEqual(await person.result(), { a: "two", b: ["one", "two"], c: true, d: "[redacted]" });
});

test("a digit and arrows act in the list with the focus alone", async () => {
  await ask({ questions: [{ id: "a", text: "A?", answer_type: "select", options: ["one", "two"] }, { id: "b", text: "B?", answer_type: "select", options: ["three", "four"] }] });
  await on("b").locator("input").first().focus();
  await person.press("2");
  const checked = () => person.find(":checked").evaluateAll((all) => all.map((one) => one.dataset.option));
  assert.deepEqual(await checked(), ['"four"']);
  await person.press("ArrowUp");
  assert.deepEqual(await checked(), ['"three"']);
  assert.equal(await person.result(), undefined);
});

test("what was typed and chosen is kept in a saved walk; Reply and End turn are as ever", async () => {
  await ask(BRANCHES);
  await fill("apply", true);
  await fill("env", "production");
  await fill("why", "It is");
  const walk = await page.evaluate(() => window.form().walk);
  await ask(BRANCHES, "page", { saved: walk });
  assert.deepEqual(await shown(), ["apply", "env", "why", "count"]);
  assert.equal(await on("why").locator("[data-field]").inputValue(), "It is");
  await person.click("[data-way=reply]");
  await person.find("#reply").fill("Not today");
  await person.click("[data-send-reply]");
  assert.equal((await person.end()).outcome.reply, "Not today");
});

test("the layout auto makes a page of a few short questions without branches, and steps of all others", async () => {
  const text = { answer_type: "text" };
  for (const [what, request, isPage] of /** @type {any[][]} */ ([
    ["a flat form", CONTACT, true],
    ["branches", BRANCHES, false],
    ["one question", { question: "Why?", ...text }, false],
    ["nine questions", { questions: Array.from({ length: 9 }, (_, at) => ({ id: `q${at}`, text: "Why?", ...text })) }, false],
    ["a long question", { questions: [{ id: "a", text: "Why? ".repeat(100), ...text }, { id: "b", text: "Why?", ...text }] }, false],
    ["many options", { questions: [{ id: "a", text: "Which?", answer_type: "select", options: Array.from({ length: 11 }, (_, at) => `o${at}`) }, { id: "b", text: "Why?", ...text }] }, false],
    ["a schema", { questions: [{ id: "a", text: "Which?", answer_type: "schema", schema: { type: "object" } }, { id: "b", text: "Why?", ...text }] }, false],
  ])) {
    await ask(request, "auto");
    assert.equal(await person.find("[data-page]").count(), isPage ? 1 : 0, what);
  }
});

test("a page ends before a question for JSON, which is asked next; Back leads from there to the whole page, with what was answered", async () => {
  await ask({ questions: [{ id: "a", text: "A?", answer_type: "text" }, { id: "b", text: "B?", answer_type: "number" }, { id: "c", text: "C?", answer_type: "schema", schema: { type: "array" } }] });
  assert.deepEqual(await shown(), ["a", "b"]);
  await fill("a", "x");
  await fill("b", 2);
  await send();
  await person.find("[data-question=c]").waitFor();
  await person.click("[data-way=back]");
  assert.deepEqual(await shown(), ["a", "b"]);
  assert.equal(await on("a").locator("[data-field]").inputValue(), "x");
  assert.equal(await on("b").locator("[data-field]").inputValue(), "2");
  assert.equal(await person.find("[data-way=back]").count(), 0);
});

test("Back stops where an assistant was asked, and leads to the steps between pages one by one", async () => {
  const text = (id) => ({ id, text: `${id}?`, answer_type: "text" });
  const request = { questions: [text("a"), { id: "m", text: "M?", answer_type: "multi_select", options: ["x"] }, { id: "go", text: "Go?", answer_type: "boolean" }, text("b"), text("c"), { id: "j", text: "J?", answer_type: "schema", schema: { type: "array" } }, text("z")] };
  await page.evaluate((request) => window.ask({ request, host: { layout: "page", targets: { go: { model: { id: "small" } } }, assistant: async () => ({ answer: true, reason: "Yes.", model: "small" }) } }), request);
  const back = async () => {
    await person.settled();
    await person.click("[data-way=back]");
  };
  assert.deepEqual(await shown(), ["a", "m"]);
  await fill("a", "1");
  await on("m").getByText("None of these").click();
  await send();
  await on("c").waitFor();
  // What the assistant brings takes no click at once.
  await painted(page);
  await keepsStill(page);
  assert.deepEqual(await shown(), ["b", "c"]);
  await fill("b", "2");
  await fill("c", "3");
  await send();
  await person.find("[data-question=j]").waitFor();
  await back();
  assert.deepEqual(await shown(), ["b", "c"]);
  assert.equal(await on("c").locator("[data-field]").inputValue(), "3");
  await back();
  await on("m").waitFor();
  assert.deepEqual(await shown(), ["a", "m"]);
  assert.deepEqual(await checked(), ["empty.2"]);
});

test("a layout that does not exist is a misuse, and the host is told", async () => {
  await assert.rejects(ask(CONTACT, "both"), /`layout` must be/);
  assert.ok(page.faults.splice(0).some((fault) => /`layout` must be/.test(fault)));
});

test("an assistant is asked, and a receipt is shown, whatever the layout is", async () => {
  const request = { questions: [{ id: "a", text: "Go on?", answer_type: "boolean" }, { id: "b", text: "Where?", answer_type: "text" }, { id: "c", text: "Why?", answer_type: "text" }] };
  await page.evaluate(
    (request) => window.ask({ request, host: { layout: "page", targets: { a: { model: { id: "small" } } }, assistant: async () => ({ answer: true, reason: "It is small.", model: "small" }) } }),
    request,
  );
  await person.find("[data-page] [data-on-page=c]").waitFor();
  assert.equal(await person.find("[data-on-page=a]").count(), 0);
  await person.find("[data-on-page=b] textarea").fill("here");
  await person.find("[data-on-page=c] textarea").fill("now");
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { a: true, b: "here", c: "now" });
  const walk = await page.evaluate(() => window.form().walk);
  await page.evaluate(([request, walk]) => (window.form().receipt = { request, walk }), [request, walk]);
  await person.find("[data-ends] .answer").getByText("now", { exact: true }).waitFor();
});

const CHOICES = { questions: [{ id: "a", text: "A?", answer_type: "select", options: ["one", "two"] }, { id: "b", text: "B?", answer_type: "multi_select", options: ["three", "four"] }, { id: "c", text: "C?", answer_type: "boolean" }] };
const checked = () => person.find(":checked").evaluateAll((all) => all.map((one) => one.dataset.option ?? one.id));
const focused = () => page.evaluate(() => {
  const active = window.form().shadowRoot.activeElement;
  return [active.closest("[data-on-page]")?.dataset.onPage, active.dataset.option ?? active.id];
});

test("a saved walk of another request chooses nothing", async () => {
  await ask({ questions: [{ id: "go", text: "Read the log?", answer_type: "boolean" }, { id: "a", text: "A?", answer_type: "select", options: ["one", "two"] }] });
  await fill("go", true);
  await fill("a", "two");
  const walk = await page.evaluate(() => window.form().walk);
  await ask({ questions: [{ id: "go", text: "Delete production?", answer_type: "boolean" }, { id: "a", text: "A?", answer_type: "select", options: ["keep", "delete"] }] }, "page", { saved: walk });
  assert.deepEqual(await checked(), []);
});

test("a digit chooses nothing where no list has the focus", async () => {
  await ask(CHOICES);
  for (const selector of ["[data-way=reply]", ".actions [type=submit]", "[data-on-page=c] input"]) {
    await person.find(selector).first().focus();
    await person.press("2");
    assert.deepEqual(await checked(), [], selector);
  }
});

test("Shift+Y and Shift+N tick no box on a page", async () => {
  await ask({ questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "boolean" }] });
  assert.equal(await person.find("[data-remember]").count(), 2);
  await person.find("[data-way=reply]").focus();
  await person.press("Shift+Y", "Shift+N");
  assert.deepEqual(await checked(), []);
});

test("a choice of several that nobody touched is not answered; none of the options is an answer of its own", async () => {
  const request = { questions: [{ id: "b", text: "B?", answer_type: "multi_select", options: ["three", "four"] }, { id: "d", text: "None?", answer_type: "text", when: { question_id: "b", equals: [] } }] };
  await ask(request);
  assert.deepEqual(await shown(), ["b"]);
  await send();
  assert.deepEqual(await refused(), ["b"]);
  await fill("b", "four");
  await on("b").getByText("None of these").click();
  assert.deepEqual(await checked(), ["empty.1"]);
  assert.deepEqual(await shown(), ["b", "d"]);
  const walk = await page.evaluate(() => window.form().walk);
  await ask(request, "page", { saved: walk });
  assert.deepEqual(await checked(), ["empty.1"]);
  await on("b").locator("[data-option] ~ label").first().click();
  assert.deepEqual(await checked(), ['"three"']);
  assert.deepEqual(await shown(), ["b"]);
  await on("b").getByText("None of these").click();
  await fill("d", "Neither fits.");
  assert.deepEqual(await person.barriers(), []);
  await send();
  assert.deepEqual(await person.result(), { b: [], d: "Neither fits." });
});

test("a selection that the agent suggests, or that was made, can be taken back where the question is optional", async () => {
  const properties = { a: { type: "string", enum: ["one", "two"], default: "two" }, c: { type: "boolean" }, d: { type: "boolean" } };
  const request = { mode: "form", message: "Which?", requestedSchema: { type: "object", properties, required: ["d"] } };
  await ask(request);
  assert.deepEqual(await checked(), ['"two"']);
  await fill("c", true);
  await fill("d", true);
  await on("a").getByText("Clear selection").click();
  await on("c").getByText("Clear selection").click();
  assert.equal(await on("d").getByText("Clear selection").count(), 0);
  assert.deepEqual(await checked(), ["yes.3"]);
  const walk = await page.evaluate(() => window.form().walk);
  await ask(request, "page", { saved: walk });
  assert.deepEqual(await checked(), ["yes.3"]);
  await send();
  assert.deepEqual(await person.result(), { action: "accept", content: { d: true } });
});

test("the focus goes to what is to be changed: the text beside a choice, or what is chosen", async () => {
  const options = ["one", "two"].map((label) => ({ label, description: "" }));
  await ask({ questions: [{ question: "A?", header: "A", options }, { question: "B?", header: "B", options, multiSelect: true }] });
  const [first, second] = await shown();
  await on(first).locator("[data-other]").click();
  await on(second).locator("[data-option] ~ label").nth(1).click();
  await send();
  assert.deepEqual(await refused(), [first]);
  assert.deepEqual(await focused(), [first, "other.1"]);
  await on(first).locator("[data-option] ~ label").first().click();
  await on(second).locator("[data-option] ~ label").nth(1).click();
  await on(second).locator("[data-other]").click();
  await send();
  assert.deepEqual(await refused(), [second]);
  assert.deepEqual(await focused(), [second, "other.2"]);
  const several = (id, maxItems) => [id, { type: "array", items: { enum: ["three", "four", "five"], type: "string" }, maxItems }];
  await ask({ mode: "form", message: "Which?", requestedSchema: { type: "object", properties: Object.fromEntries([several("b", 1), several("c", 3)]), required: ["b"] } });
  for (const place of [1, 2]) await on("b").locator("[data-option] ~ label").nth(place).click();
  await send();
  assert.deepEqual(await focused(), ["b", '"four"']);
  await on("c").locator("input").first().focus();
  await person.click("[data-wrong=b]");
  assert.deepEqual(await focused(), ["b", '"four"']);
});

const COUNTED = { questions: [{ id: "n", text: "How many?", answer_type: "number" }, { id: "all", text: "All of them?", answer_type: "select", options: ["yes", "no"], default: "yes", when: { question_id: "n", equals: 1 } }, { id: "z", text: "Z?", answer_type: "text" }] };

test("a number that arrow keys count makes questions relevant", async () => {
  await ask(COUNTED);
  await on("n").locator("input").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await shown(), ["n", "all", "z"]);
});

test("what is pressed while questions come and go does not count", async () => {
  await ask(COUNTED);
  await on("n").locator("input").focus();
  // A page script changes the field and tells nobody, as a browser that fills in fields may.
  await on("n").locator("input").evaluate((field) => (field.value = "1"));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await person.settled();
  assert.deepEqual(await shown(), ["n", "all", "z"]);
  assert.equal(await person.result(), undefined);
  if (ELSEWHERE) return;
  // The second click of a double click would hit what has moved below the pointer.
  await ask(BRANCHES);
  await on("apply").locator("label").first().dblclick();
  await page.mouse.move(0, 0);
  assert.deepEqual(await shown(), ["apply", "env", "count"]);
});

test("the button says Send where nothing follows, and a review that the host wants is shown where anything was answered before", async () => {
  const two = [{ id: "b", text: "B?", answer_type: "text" }, { id: "c", text: "C?", answer_type: "text" }];
  const label = async () => (await person.find(".actions [type=submit]").textContent()).trim();
  await ask({ questions: two }, "page", { host: { review: true } });
  assert.equal(await label(), "Send");
  await ask({ questions: [...two, { id: "d", text: "D?", answer_type: "schema", schema: { type: "array" } }] });
  assert.equal(await label(), "Continue");
  await page.evaluate(
    (questions) => window.ask({ request: { questions: [...questions, { id: "d", text: "Go on?", answer_type: "boolean" }] }, host: { layout: "page", targets: { d: { model: { id: "small" } } }, assistant: async () => ({ answer: true, reason: "Yes.", model: "small" }) } }),
    two,
  );
  await person.find("[data-page] [data-on-page=c]").waitFor();
  assert.equal(await label(), "Continue");
  await ask({ questions: [{ id: "a", text: "A?", answer_type: "text" }, ...two] }, "page", { host: { review: true, static_answers: { a: "known" } } });
  assert.equal(await label(), "Continue");
  await fill("b", "x");
  await fill("c", "y");
  await send();
  await person.find("[data-review]").waitFor();
});

test("Enter in a note breaks the line", async () => {
  const options = ["one", "two"].map((label) => ({ label, description: "", preview: "x" }));
  await ask({ questions: [{ question: "A?", header: "A", options }, { question: "B?", header: "B", options }] });
  const note = person.find("details textarea").first();
  await person.find("details summary").first().click();
  await note.focus();
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  assert.equal(await note.inputValue(), "one\ntwo");
  assert.deepEqual(await refused(), []);
});

test("a question with a long id is listed with its error", async () => {
  const id = "long_".repeat(60);
  await ask({ questions: [{ id, text: "Long?", answer_type: "number" }, { id: "b", text: "B?", answer_type: "text" }] });
  await on(id).locator("input").fill("none");
  await fill("b", "x");
  await send();
  assert.deepEqual(await refused(), [id]);
  assert.deepEqual(await person.find("[data-wrong]").allTextContents(), ["Long?"]);
  assert.match(await on(id).locator("[data-code]").textContent(), /number/);
});

test("the marks of a question are not in the list of what is wrong", async () => {
  await ask({ questions: [{ id: "a", text: "Read `the docs` and **say** why", answer_type: "number" }, { id: "b", text: "B?", answer_type: "text" }] });
  await fill("b", "x");
  await person.find("legend code").waitFor();
  // A click right after the text has changed its look does not count.
  await painted(page);
  await keepsStill(page);
  await send();
  await person.find("[data-wrong]").waitFor();
  await person.settled();
  assert.deepEqual(await person.find("[data-wrong]").allTextContents(), ["Read the docs and say why"]);
  assert.deepEqual(await person.barriers(), []);
});

test("a tick that remembers an answer is kept while its question is hidden, and in a saved walk", async () => {
  const request = { questions: [{ id: "x", text: "X?", answer_type: "select", options: ["one", "two"] }, { id: "go", text: "Go?", answer_type: "boolean", when: { question_id: "x", equals: "one" } }] };
  await ask(request);
  await fill("x", "one");
  await fill("go", true);
  await on("go").locator("[data-remember]").click();
  await fill("x", "two");
  await fill("x", "one");
  assert.deepEqual(await checked(), ['"one"', "yes.2", ""]);
  const walk = await page.evaluate(() => window.form().walk);
  await ask(request, "page", { saved: walk });
  assert.deepEqual(await checked(), ['"one"', "yes.2", ""]);
});

test("a question that is not relevant any more is not listed as wrong", async () => {
  await ask(BRANCHES);
  await fill("apply", true);
  await send();
  assert.deepEqual(await person.find("[data-wrong]").allTextContents(), ["Where?", "How many?"]);
  await fill("apply", false);
  assert.deepEqual(await person.find("[data-wrong]").allTextContents(), ["How many?"]);
  assert.match(await person.find(".wrong p").textContent(), /^1 answer needs a change:/);
});

test("a page goes on after a question for JSON that is not relevant", async () => {
  await ask({ questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, { id: "how", text: "How?", answer_type: "schema", schema: { type: "array" }, when: { question_id: "go", equals: true } }, { id: "why", text: "Why?", answer_type: "text" }] });
  assert.deepEqual(await shown(), ["go", "why"]);
  await fill("go", true);
  assert.deepEqual(await shown(), ["go"]);
  await fill("go", false);
  assert.deepEqual(await shown(), ["go", "why"]);
  await fill("why", "No need.");
  await send();
  assert.deepEqual(await person.result(), { go: false, how: null, why: "No need." });
});

test("a screen reader hears each error with its field, and the list of errors alone by itself", async () => {
  await ask(CONTACT);
  assert.doesNotMatch(await person.find(".spoken").textContent(), /of 4/);
  await send();
  assert.equal(await person.find("[role=alert]:not(:empty)").count(), 1);
  assert.equal(await on("news").locator("input").first().getAttribute("aria-invalid"), "true");
  await fill("news", true);
  assert.equal(await on("news").locator("input").first().getAttribute("aria-describedby"), "error.4");
});

test("the vectors of MCP have the same result on a page", async () => {
  let count = 0;
  for (const { name, request, dialect, steps, ends, result, host } of cases("mcp")) {
    const answers = new Map();
    let open;
    for (const step of steps ?? []) {
      open = step.sees?.question ?? open;
      if (step.refused === undefined && "answer" in step) answers.set(answers.size, step.answer);
    }
    const odd = (steps ?? []).some((step) => step.back || step.change || step.reply !== undefined || step.end_turn || step.note);
    const ids = Object.keys(request?.requestedSchema?.properties ?? {});
    if (ends !== "completed" || odd || ids.length < 2 || answers.size !== ids.length) continue;
    await ask(request, "page", { attributes: { dialect }, host });
    for (const [at, id] of ids.entries()) if (answers.get(at) !== null) await fill(id, answers.get(at));
    await send();
    assert.deepEqual(await person.result(), result, name);
    count += 1;
  }
  assert.ok(count > 2, `${count} vectors`);
});

test("a date that is typed in part is refused, not sent as empty", async () => {
  const dates = { type: "object", properties: { a: { type: "string" }, d: { type: "string", format: "date" } }, required: ["a"] };
  await ask({ mode: "form", message: "Which?", requestedSchema: dates }, "auto");
  await fill("a", "A");
  await on("d").locator("input").focus();
  await page.keyboard.type("02302024");
  assert.equal(await on("d").locator("input").inputValue(), "");
  await send();
  assert.deepEqual(await refused(), ["d"]);
  assert.match(await on("d").locator("[data-code]").textContent(), /YYYY-MM-DD/);
  await fill("d", "2024-02-29");
  await send();
  assert.deepEqual(await person.result(), { action: "accept", content: { a: "A", d: "2024-02-29" } });
});

test("an optional yes or no that was answered is neither taken again nor dropped", async () => {
  const properties = { j: { type: "array", items: { type: "number" } }, a: { type: "string" }, news: { type: "boolean" } };
  await ask({ mode: "form", message: "m", requestedSchema: { type: "object", properties, required: ["a"] } });
  const change = async (answers) => {
    await fill("a", "A");
    await answers();
    await send();
  };
  await person.click("[data-skip]");
  await change(() => fill("news", true));
  for (const again of [() => fill("news", true), () => on("news").getByText("Clear selection").click()]) {
    await person.find("[data-review]").waitFor();
    await person.click("[data-way=back]");
    await change(() => {});
    assert.deepEqual(await refused(), ["news"]);
    await again();
    await send();
  }
  await person.click("[data-submit]");
  assert.deepEqual(await person.result(), { action: "accept", content: { a: "A" } });
});

test("Change asks a later yes or no again, out of sight meanwhile or not; what is selected then stays", async () => {
  const [x, go, z] = [{ id: "x", text: "X?", answer_type: "select", options: ["one", "two"] }, { id: "go", text: "Go?", answer_type: "boolean", when: { question_id: "x", equals: "one" } }, { id: "z", text: "Z?", answer_type: "text" }];
  await ask({ questions: [{ id: "j", text: "J?", answer_type: "boolean" }, x, go, z] }, "page", { host: { review: true, static_answers: { j: true } } });
  await fill("x", "one");
  await fill("go", true);
  await fill("z", "z");
  await send();
  for (const isOut of [false, true]) {
    await person.click("[data-change=x]");
    if (isOut) {
      await fill("x", "two");
      assert.deepEqual(await shown(), ["x", "z"]);
      await fill("x", "one");
    }
    assert.match(await on("go").textContent(), /Your earlier answer: Yes/);
    await send();
    assert.deepEqual(await refused(), ["go"]);
    await fill("go", true);
    await fill("x", "two");
    await fill("x", "one");
    await send();
    await person.find("[data-review]").waitFor();
  }
  await person.click("[data-submit]");
  assert.deepEqual(await person.result(), { j: true, x: "one", go: true, z: "z" });
});

test("digits and letters of one list do not go on in another", async () => {
  const versions = Array.from({ length: 20 }, (_, place) => `v${place}`);
  await ask({ questions: [{ id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"] }, { id: "version", text: "Which?", answer_type: "select", options: versions }] });
  await on("env").locator("input").first().focus();
  for (const key of ["1", "Tab", "Tab", "4"]) await page.keyboard.press(key);
  await send();
  assert.deepEqual(await person.result(), { env: "staging", version: "v3" });
});

test("typing in a filter does not take \"None of these\" back, and choosing does", async () => {
  const options = Array.from({ length: 12 }, (_, place) => `o${place}`);
  await ask({ questions: [{ id: "m", text: "Which?", answer_type: "multi_select", options }, { id: "b", text: "Why?", answer_type: "text" }] });
  const none = on("m").locator(".option").last().locator("input");
  await none.click();
  await on("m").locator("[type=search], [data-filter]").first().fill("o3");
  assert.equal(await none.isChecked(), true);
  await on("m").locator(".options label").first().click();
  assert.equal(await none.isChecked(), false);
  await fill("b", "so");
  await send();
  assert.deepEqual(await person.result(), { m: ["o3"], b: "so" });
});
