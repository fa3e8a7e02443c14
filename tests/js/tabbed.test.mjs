// Two to four questions under tabs: one is in sight, the last tab has all answers and alone sends them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrived } from "./person.mjs";
import { becomes, keepsStill, painted, takesAnswers } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const option = (label, description = "") => ({ label, description });
const CLAUDE = {
  questions: [
    { question: "Which library should dates use?", header: "Library", multiSelect: false, options: [option("Day.js", "2 kB"), option("Temporal", "Built in")] },
    { question: "How should people sign in?", header: "Auth", multiSelect: false, options: [option("OAuth", "Google and GitHub"), option("Passkeys", "No passwords at all")] },
    { question: "Which features?", header: "Features", multiSelect: true, options: [option("Search"), option("Export")] },
    { question: "Which database?", header: "Database", multiSelect: false, options: [option("PostgreSQL"), option("SQLite")] },
  ],
};
const BRANCHES = {
  questions: [
    { id: "apply", header: "Apply", text: "Apply it?", answer_type: "boolean" },
    { id: "env", header: "Where", text: "Where?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "why", text: "Why should it be applied now, and not on Monday?", answer_type: "text" },
  ],
};
const ask = async (request, more = {}) => {
  const said = await person.ask(request, { ...more, host: { layout: "tabs", ...more.host } });
  await takesAnswers(page, "[data-tabs]");
  await page.evaluate(() => window.form().focus());
  await painted(page);
  await keepsStill(page);
  return said;
};
const tab = (name) => person.find("[role=tab]", { hasText: name });
/** The question in sight, or the heading of the review. */
const shown = () => person.find("[role=tabpanel]:not([data-away])").evaluateAll((all) => all.map((one) => one.querySelector("[data-on-page]")?.dataset.onPage ?? one.querySelector("h2")?.textContent));
const chosenTab = () => person.find("[role=tab][aria-selected=true]").evaluateAll((all) => all.map((one) => one.querySelector(".isolated")?.textContent ?? one.textContent));
const given = () => person.find("[role=tab]:not([hidden])").evaluateAll((all) => all.map((one) => one.querySelector("[data-given]")?.textContent ?? null));
const button = () => person.find(".actions [type=submit]").textContent();
const hasFocus = () => page.evaluate(() => window.form().shadowRoot.activeElement?.closest("[data-on-page]")?.dataset.onPage ?? window.form().shadowRoot.activeElement?.textContent);
const height = () => page.evaluate(() => window.form().getBoundingClientRect().height);
const [LIBRARY, AUTH, FEATURES, DATABASE] = CLAUDE.questions.map(({ question }) => question);

test("a digit chooses and leads to the next question; the review sends everything by Enter", async () => {
  await ask(CLAUDE);
  assert.deepEqual(await person.find("[role=tab] .isolated").allTextContents(), ["Library", "Auth", "Features", "Database"]);
  assert.equal(await button(), "Next: Auth");
  await person.press("1");
  assert.deepEqual(await chosenTab(), ["Auth"]);
  await person.press("2");
  // Where several may be chosen, a digit ticks one.
  await person.press("1", "2");
  assert.deepEqual(await chosenTab(), ["Features"]);
  await person.press("Enter", "2");
  assert.deepEqual(await shown(), ["Check your answers"]);
  assert.deepEqual(await given(), ["Day.js", "Passkeys", "Search, Export", "SQLite", null]);
  assert.equal(await button(), "Send answers");
  assert.deepEqual(await person.find("[role=tabpanel] dt").allTextContents(), [LIBRARY, AUTH, FEATURES, DATABASE]);
  assert.equal(await person.result(), undefined);
  await person.press("Enter");
  const { answers } = await person.result();
  assert.deepEqual(answers, { [LIBRARY]: "Day.js", [AUTH]: "Passkeys", [FEATURES]: "Search, Export", [DATABASE]: "SQLite" });
});

test("four choices take four digits and Enter, or five clicks", async () => {
  const four = { questions: CLAUDE.questions.map((question) => ({ ...question, multiSelect: false })) };
  const wanted = { [LIBRARY]: "Day.js", [AUTH]: "Passkeys", [FEATURES]: "Search", [DATABASE]: "SQLite" };
  await ask(four);
  await person.press("1", "2", "1", "2", "Enter");
  assert.deepEqual((await person.result()).answers, wanted);
  await ask(four);
  for (const label of Object.values(wanted)) {
    await person.find("[role=tabpanel]:not([data-away]) .option", { hasText: label }).click();
    await person.settled();
    await keepsStill(page);
  }
  await person.click("[data-submit]");
  assert.deepEqual((await person.result()).answers, wanted);
});

test("a click on an option leads on, and the form keeps its height", async () => {
  await ask(CLAUDE);
  const before = await height();
  for (const label of ["Temporal", "OAuth"]) {
    await keepsStill(page);
    await person.find("[role=tabpanel]:not([data-away]) .option", { hasText: label }).click();
    await person.settled();
    assert.equal(await height(), before);
  }
  assert.deepEqual(await chosenTab(), ["Features"]);
  await keepsStill(page);
  await tab("Review").click();
  assert.equal(await height(), before);
});

test("arrows lead to the tab before and after, and choose nothing", async () => {
  await ask(CLAUDE);
  await person.press("ArrowRight", "ArrowRight");
  assert.deepEqual(await chosenTab(), ["Features"]);
  assert.equal(await hasFocus(), "q3");
  await person.press("ArrowLeft");
  assert.equal(await hasFocus(), "q2");
  assert.equal(await person.find(":checked").count(), 0);
  // In the list of tabs, the focus stays there.
  await tab("Auth").focus();
  await keepsStill(page);
  await person.press("End");
  assert.deepEqual(await chosenTab(), ["Review"]);
  assert.equal(await hasFocus(), "Review");
  await person.press("Home");
  assert.deepEqual(await chosenTab(), ["Library"]);
  await person.press("ArrowLeft");
  assert.deepEqual(await chosenTab(), ["Library"]);
});

test("an arrow that is held leads to one tab and chooses nothing", async () => {
  await ask(CLAUDE);
  await page.keyboard.down("ArrowRight");
  await person.settled();
  for (let times = 0; times < 4; times += 1) {
    await keepsStill(page);
    // Down again without up is a key that repeats.
    await page.keyboard.down("ArrowRight");
    await person.settled();
  }
  await page.keyboard.up("ArrowRight");
  assert.deepEqual(await chosenTab(), ["Auth"]);
  assert.equal(await person.find(":checked").count(), 0);
});

test("from right to left, the arrows lead the other way", async () => {
  await ask(CLAUDE);
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await painted(page);
  await keepsStill(page);
  await person.press("ArrowLeft");
  assert.deepEqual(await chosenTab(), ["Auth"]);
  await person.press("ArrowRight");
  assert.deepEqual(await chosenTab(), ["Library"]);
  await page.evaluate(() => document.documentElement.removeAttribute("dir"));
});

test("a question is skipped and stays open; the review says so, and nothing is sent", async () => {
  await ask(CLAUDE);
  await person.click("[data-skip]");
  assert.deepEqual(await chosenTab(), ["Auth"]);
  await person.press("1");
  await person.click("[data-skip]");
  await person.press("1");
  assert.deepEqual(await shown(), ["Check your answers"]);
  assert.deepEqual(await person.find("[data-missing] dt").allTextContents(), [LIBRARY, FEATURES]);
  assert.deepEqual(await person.barriers(), []);
  await person.press("Enter");
  assert.equal(await person.result(), undefined);
  assert.deepEqual(await shown(), ["q1"]);
  assert.equal(await hasFocus(), "q1");
  assert.equal(await person.find("[data-refused=true] [role=alert]").first().textContent(), "Choose an option.");
  // An answered question is not skipped: there is nothing to leave open.
  await person.press("2");
  assert.deepEqual(await chosenTab(), ["Features"]);
  await tab("Library").click();
  assert.equal(await person.find("[data-skip]").isVisible(), false);
});

test("going on without an answer says what is missing, and stays", async () => {
  await ask(CLAUDE);
  await person.press("Enter");
  assert.deepEqual(await chosenTab(), ["Library"]);
  assert.deepEqual(await person.find("[data-refused=true]").evaluateAll((all) => all.map((one) => one.dataset.onPage)), ["q1"]);
});

test("Change leads from the review to a question, and from there back to the review", async () => {
  await ask(CLAUDE);
  await person.press("1", "1", "1", "Enter", "1");
  await person.click("[data-change=q2]");
  assert.equal(await hasFocus(), "q2");
  assert.equal(await button(), "Next: Review");
  await person.press("2");
  assert.deepEqual(await shown(), ["Check your answers"]);
  assert.equal((await given())[1], "Passkeys");
});

test("a condition brings a tab and takes it away; its answer is not sent then", async () => {
  await ask(BRANCHES);
  const tabs = () => person.find("[role=tab]:not([hidden]) .isolated").allTextContents();
  assert.deepEqual(await tabs(), ["Apply", "Why should it be applied…"]);
  await person.find("[role=tabpanel]:not([data-away]) .option").first().click();
  await person.settled();
  await person.press("Enter");
  assert.deepEqual(await tabs(), ["Apply", "Where", "Why should it be applied…"]);
  await person.press("2");
  await page.keyboard.type("It is tested.");
  await person.press("Enter");
  assert.deepEqual(await shown(), ["Check your answers"]);
  await person.click("[data-change=apply]");
  await person.find("[role=tabpanel]:not([data-away]) .option").nth(1).click();
  await person.settled();
  assert.equal(await button(), "Next: Review");
  await person.press("Enter", "Enter");
  assert.deepEqual(await person.result(), { apply: false, env: null, why: "It is tested." });
});

test("the digit of \"Something else\" leads to its text, and the review has the focus on its button after own words, too", async () => {
  await ask(CLAUDE);
  await person.press("3");
  assert.deepEqual(await chosenTab(), ["Library"]);
  assert.equal(await person.find("[data-refused=true]").count(), 0);
  await page.keyboard.type("Luxon");
  await person.press("Enter", "1", "1", "Enter", "1");
  assert.equal(await hasFocus(), "Send answers");
  await page.evaluate(() => (/** @type {any} */ (document.activeElement).blur?.(), window.form().focus()));
  await painted(page);
  // By a script as in a review of its own: to what is asked, where Enter sends nothing.
  assert.equal(await hasFocus(), "Check your answers");
  await keepsStill(page);
  await person.click("[data-submit]");
  assert.equal((await person.result()).answers[LIBRARY], "Luxon");
});

test("an error goes once the answer is accepted", async () => {
  await ask(CLAUDE);
  await person.press("Enter");
  assert.equal(await person.find("[data-refused=true]").count(), 1);
  await person.press("1");
  assert.equal(await person.find("[data-refused=true]").count(), 0);
  await tab("Library").click();
  assert.equal(await person.find("[role=alert]:not(:empty)").count(), 0);
});

test("the review is spoken, with how many answers are missing", async () => {
  const spoken = () => person.find("[data-tabs] > .spoken").textContent();
  await ask({ questions: CLAUDE.questions.slice(0, 2) });
  assert.equal(await spoken(), "");
  await person.click("[data-skip]");
  await person.press("1");
  assert.equal(await spoken(), "1 answer needs a change:");
  await person.click("[data-change=q1]");
  assert.equal(await spoken(), "");
  await person.press("1");
  assert.equal(await spoken(), "Check your answers");
});

test("where the host answers a question, its review comes after the tabs, and shows that answer", async () => {
  const three = { questions: ["a", "b", "c"].map((id) => ({ id, header: id.toUpperCase(), text: `${id}?`, answer_type: "select", options: ["x", "y"] })) };
  await ask(three, { host: { review: true, staticAnswers: { c: "y" } } });
  await person.press("1", "1");
  assert.equal(await button(), "Continue");
  await person.press("Enter");
  assert.equal(await person.result(), undefined);
  assert.deepEqual(await person.find("[data-review] dt").allTextContents(), ["a?", "b?", "c?"]);
});

test("the review says which answer is remembered", async () => {
  await ask({ questions: [{ id: "go", header: "Go", text: "Go?", answer_type: "boolean" }, { id: "x", header: "X", text: "X?", answer_type: "select", options: ["a", "b"] }] });
  await person.find("[role=tabpanel]:not([data-away]) .option").first().click();
  await person.find("[data-remember]").first().click();
  await person.settled();
  await person.click(".actions [type=submit]");
  await person.press("1");
  assert.deepEqual(await person.find("[role=tabpanel] .row").allTextContents(), ["Go?YesChangeDon't ask this again this turn", "X?aChange"]);
});

test("on paper, every question is there", async () => {
  await ask(CLAUDE);
  await page.emulateMedia({ media: "print" });
  assert.equal(await person.find("[data-on-page=q4] .option").first().isVisible(), true);
  await page.emulateMedia({ media: "screen" });
});

test("own words are an answer, and lead on by Enter", async () => {
  await ask(CLAUDE);
  await person.find("[role=tabpanel]:not([data-away]) .option", { hasText: "Something else" }).locator("label").click();
  await page.keyboard.type("Luxon");
  await person.press("Enter");
  assert.deepEqual(await chosenTab(), ["Auth"]);
  assert.equal((await given())[0], "Luxon");
});

test("what cannot be undone is confirmed before it is sent", async () => {
  await ask({ questions: [{ id: "drop", header: "Drop", text: "Drop the table?", answer_type: "boolean", danger: true }, { id: "env", header: "Where", text: "Where?", answer_type: "select", options: ["a", "b"] }] });
  await person.find("[role=tabpanel]:not([data-away]) .option").first().click();
  await person.settled();
  await person.press("Enter", "1", "Enter");
  assert.equal(await person.find("[data-confirming]").isVisible(), true);
  assert.equal(await person.result(), undefined);
  // Another tab takes the question back.
  await tab("Drop").click();
  assert.equal(await person.find("[data-confirming]").count(), 0);
  await keepsStill(page);
  await tab("Review").click();
  await person.settled();
  await keepsStill(page);
  await person.click("[data-submit]");
  await keepsStill(page);
  await person.click("[data-confirm]");
  assert.deepEqual(await person.result(), { drop: true, env: "a" });
});

test("a review of answers that were given before comes after the tabs", async () => {
  const three = { questions: ["a", "b", "c"].map((id) => ({ id, header: id.toUpperCase(), text: `${id}?`, answer_type: "select", options: ["x", "y"] })) };
  await person.ask(three, { host: { layout: "steps", review: true } });
  await takesAnswers(page, "[data-question]");
  await person.find("[data-option]").first().focus();
  await keepsStill(page);
  await person.press("1", "1", "1");
  if (!(await person.find("[data-review]").count())) await person.press("Enter");
  const walk = await page.evaluate(() => window.form().walk);
  await person.ask(three, { host: { layout: "tabs", review: true }, saved: walk });
  await takesAnswers(page, "[data-review]");
  await person.click("[data-change=b]");
  await keepsStill(page);
  await tab("Review").click();
  await keepsStill(page);
  assert.equal(await button(), "Continue");
  await person.click(".actions [type=submit]");
  assert.equal(await person.result(), undefined);
  assert.equal(await person.find("[data-review]").count(), 1);
  await keepsStill(page);
  await person.click("[data-submit]");
  assert.deepEqual(await person.result(), { a: "x", b: "x", c: "x" });
});

test("in a narrow form, the list of tabs scrolls to the one that is shown", async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await ask(CLAUDE);
  const isSeen = (name) => tab(name).evaluate((one) => {
    const [own, list] = [one, one.parentElement].map((node) => node.getBoundingClientRect());
    return own.left >= list.left - 1 && own.right <= list.right + 1;
  });
  assert.equal(await isSeen("Review"), false);
  await person.press("ArrowLeft", "1", "1");
  await tab("Library").focus();
  await keepsStill(page);
  await person.press("End");
  await becomes(() => isSeen("Review"), true);
  await person.press("Home");
  await becomes(() => isSeen("Library"), true);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("what was chosen and typed is kept in a saved walk; Undo leads back to the tabs", async () => {
  await ask(CLAUDE);
  await person.press("1", "2");
  const walk = await page.evaluate(() => window.form().walk);
  await ask(CLAUDE, { saved: walk });
  assert.deepEqual(await given(), ["Day.js", "Passkeys", null, null, null]);
  assert.deepEqual(await chosenTab(), ["Library"]);
});

test("every reference is to an id that is there once, and nothing is wrong for axe at any tab", async () => {
  await ask(CLAUDE);
  for (const name of ["Library", "Auth", "Features", "Database", "Review"]) {
    await keepsStill(page);
    await tab(name).click();
    await person.settled();
    assert.deepEqual(await person.barriers(), [], name);
  }
  const twice = await page.evaluate(() => {
    const ids = [...window.form().shadowRoot.querySelectorAll("[id]")].map(({ id }) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at);
  });
  assert.deepEqual(twice, []);
});

test("by itself, the form makes tabs of two to four short choices with headers, and of nothing else", async () => {
  const [first, second] = CLAUDE.questions;
  const plain = { question: "Why?", header: "Why", multiSelect: false, options: [option("Because"), option("No reason")] };
  const { header, ...unnamed } = plain;
  for (const [what, request, isTabbed] of /** @type {any[][]} */ ([
    ["four", CLAUDE, true],
    ["two", { questions: [first, second] }, true],
    ["one without a header", { questions: [{ ...unnamed, header: "" }, first] }, false],
    ["a text", { questions: [{ id: "a", header: "A", text: "A?", answer_type: "text" }, { id: "b", header: "B", text: "B?", answer_type: "select", options: ["c", "d"] }] }, false],
    ["a long question", { questions: [{ ...plain, question: `${"Why ".repeat(80)}?` }, first] }, false],
  ])) {
    await person.ask(request, { host: { layout: "auto" } });
    await takesAnswers(page, "[data-question], [data-page]");
    assert.equal((await person.find("[data-tabs]").count()) === 1, isTabbed, what);
  }
});

test("forms that do not fit under tabs are asked as ever", async () => {
  const several = (count) => ({ questions: Array.from({ length: count }, (_, at) => ({ id: `q${at}`, text: `Q${at}?`, answer_type: "text" })) });
  for (const [what, request, selector] of /** @type {any[][]} */ ([
    ["one question", several(1), "[data-question]:not([data-page])"],
    ["five", several(5), "[data-page]:not([data-tabs])"],
    ["nine", several(9), "[data-question]:not([data-page])"],
    ["JSON", { questions: [{ id: "a", text: "A?", answer_type: "text" }, { id: "b", text: "B?", answer_type: "schema", schema: { type: "object" } }] }, "[data-question]:not([data-page])"],
  ])) {
    await person.ask(request, { host: { layout: "tabs" } });
    await takesAnswers(page, selector);
    assert.equal(await person.find("[data-tabs]").count(), 0, what);
  }
});
