// Several questions on one page: where the focus goes by Esc, by focus() and after a refusal, and what is empty.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrived } from "./person.mjs";
import { keepsStill, painted, takesAnswers } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const ask = async (request, layout = "page", more = {}) => {
  await person.ask(request, { ...more, host: { layout } });
  // The form has taken the focus by then, and does not take it again.
  await takesAnswers(page, "[data-question], [data-page], [data-approval]");
};
const on = (id) => person.find(`[data-on-page="${id}"]`);
const send = () => person.click(".actions [type=submit]");
const refused = () => person.find("[data-refused=true]").evaluateAll((all) => all.map((one) => one.dataset.onPage));
/** The question with the focus, and what has it. */
const focused = () =>
  page.evaluate(() => {
    const active = window.form().shadowRoot.activeElement;
    return active && [active.closest("[data-on-page], [data-approval], [data-question]")?.dataset.onPage, active.dataset.way ?? active.dataset.option ?? (active.id || active.localName)];
  });
/** Moves the focus by script, and waits until what that has scrolled is painted, and for the moment after it in which no key counts. */
const leadTo = async (locator) => {
  await locator.focus();
  await painted(page);
  await keepsStill(page);
};
const focus = async () => {
  await page.evaluate(() => (/** @type {any} */ (document.activeElement).blur?.(), window.form().focus()));
  await person.settled();
};

const text = (id) => ({ id, text: `${id}?`, answer_type: "text" });
const options = ["one", "two"].map((label) => ({ label, description: "" }));
const MIXED = { questions: [text("a"), { id: "b", text: "B?", answer_type: "select", options: ["one", "two"] }, { id: "c", text: "C?", answer_type: "multi_select", options: ["three", "four", "five"] }, { id: "d", text: "D?", answer_type: "boolean" }, { id: "e", text: "E?", answer_type: "secret" }] };

test("Esc leads to the other ways to go on, and the next one back to where the first was pressed", async () => {
  await ask(MIXED);
  for (const [id, selector] of [["b", "input >> nth=1"], ["c", "input >> nth=1"], ["d", "input >> nth=1"], ["e", "input"], ["a", "textarea"]]) {
    await leadTo(on(id).locator(selector));
    const before = await focused();
    await person.press("Escape");
    assert.deepEqual((await focused())[1], "reply");
    await person.press("Escape");
    assert.deepEqual(await focused(), before);
  }
  assert.equal(await person.find(":checked").count(), 0);
});

test("Esc leads back to the question that was left last, however the person came to the other ways", async () => {
  await ask(MIXED);
  await leadTo(on("b").locator("input").first());
  await person.press("Escape", "Escape");
  await leadTo(on("e").locator("input"));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.deepEqual((await focused())[1], "reply");
  await person.press("Escape");
  assert.deepEqual((await focused())[0], "e");
});

test("Esc leads to the first question where the one that was left is gone", async () => {
  await ask({ questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, { id: "why", text: "Why?", answer_type: "text", when: { question_id: "go", equals: true } }, text("z")] });
  await on("go").locator("label").first().click();
  await leadTo(on("why").locator("textarea"));
  await person.press("Escape");
  // A script's click moves no focus.
  await on("go").locator("input").nth(1).evaluate((radio) => radio.click());
  await person.settled();
  assert.equal(await on("why").count(), 0);
  await person.press("Escape");
  assert.deepEqual((await focused())[0], "go");
});

test("Esc leads back in a step and among tool calls as well", async () => {
  await ask({ questions: [{ id: "m", text: "M?", answer_type: "multi_select", options: ["three", "four", "five"] }, text("z")] }, "steps");
  await leadTo(person.find("#option-1"));
  await person.press("Escape", "Escape");
  assert.equal((await focused())[1], '"four"');
  const names = ["send", "drop"];
  await ask({ action_requests: names.map((name) => ({ name, args: {} })), review_configs: names.map((name) => ({ action_name: name, allowed_decisions: ["approve", "reject"] })) });
  await leadTo(person.find("#reject-q2"));
  await person.press("Escape", "Escape");
  assert.equal((await focused())[1], "reject-q2");
});

test("focus() leads to the first question, to what is chosen or typed there", async () => {
  await ask({ questions: ["A?", "B?", "C?"].map((question) => ({ question, header: question, options })) });
  const [a, b, c] = await person.find("[data-on-page]").evaluateAll((all) => all.map((one) => one.dataset.onPage));
  await on(b).locator("[data-other]").click();
  await focus();
  assert.deepEqual(await focused(), [a, '"one"']);
  await on(a).locator("[data-option] ~ label").nth(1).click();
  await on(c).locator("[data-other]").click();
  await focus();
  assert.deepEqual(await focused(), [a, '"two"']);
  await on(a).locator("[data-other]").click();
  await focus();
  assert.deepEqual(await focused(), [a, "other.1"]);
  await ask({ questions: [{ id: "v", text: "V?", answer_type: "select", options: Array.from({ length: 12 }, (_, place) => `v${place}`), default: "v3" }, text("z")] });
  await focus();
  assert.deepEqual(await focused(), ["v", '"v3"']);
});

test("a secret of blanks is an answer on a page and in steps, and an empty one is none", async () => {
  const request = { questions: [{ id: "key", text: "Key?", answer_type: "secret" }, text("z")] };
  await ask(request);
  await on("z").locator("textarea").fill("z");
  await send();
  assert.deepEqual(await refused(), ["key"]);
  await on("key").locator("input").fill("  ");
  await send();
  assert.deepEqual((await person.end()).secrets, { key: "  " });
  await ask(request, "steps");
  await person.find("[data-field]").fill("  ");
  await send();
  await person.find("[data-question=z] [data-field]").fill("z");
  await send();
  assert.deepEqual((await person.end()).secrets, { key: "  " });
});

test("an email address, a link and a number of blanks are empty where they may be, and refused where not, on a page as in steps", async () => {
  const properties = { mail: { type: "string", format: "email" }, link: { type: "string", format: "uri" }, n: { type: "number" }, a: { type: "string" } };
  for (const required of [["a"], ["a", "mail", "link", "n"]]) {
    const outcomes = [];
    for (const layout of ["page", "steps"]) {
      await ask({ mode: "form", message: "m", requestedSchema: { type: "object", properties, required } }, layout);
      const said = [];
      if (layout === "page") {
        for (const id of ["mail", "link", "n"]) await on(id).locator("input").fill("  ");
        await on("a").locator("textarea").fill("A");
        await send();
        said.push(...(await refused()));
      } else {
        for (const id of ["mail", "link", "n"]) {
          await person.find(`[data-question=${id}] [data-field]`).fill("  ");
          await send();
          if (!(await person.find(`[data-question=${id}] .error`).count())) continue;
          said.push(id);
          await person.find(`[data-question=${id}] [data-field]`).fill(id === "n" ? "1" : id === "mail" ? "a@b.example" : "https://a.example");
          await send();
        }
      }
      outcomes.push(said);
    }
    assert.deepEqual(outcomes[0], outcomes[1], JSON.stringify(required));
  }
});
