// What nobody has done is not sent: an untouched field is no answer, in steps and on a page; an empty answer has an act of its own; a line break is no answer; an ending is told once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ELSEWHERE } from "./browser.mjs";
import { arrived, Person } from "./person.mjs";
import { CASES } from "./prompts.mjs";
import { keepsStill } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const LIST = { id: "q", text: "Which?", answer_type: "multi_select", options: ["a", "b"] };
const TEXT = { id: "q", text: "Why?", answer_type: "text" };
const YES = { id: "y", text: "Go on?", answer_type: "boolean" };
const ask = (layout, ...questions) => person.ask({ questions }, { host: { layout } });
const send = () => person.click(".actions [type=submit]");
const code = () => person.find(".error[data-code]").first().getAttribute("data-code");

for (const layout of ["steps", "page"]) {
  for (const [question, empty, said] of /** @type {any[][]} */ ([[TEXT, "", /Enter an answer/], [LIST, [], /Choose an option/]])) {
    const name = `${question.answer_type}, ${layout}`;

    test(`an untouched field is refused by Send, Enter and Ctrl+Enter, and the empty answer is given by its own checkbox: ${name}`, async () => {
      await ask(layout, question, { ...TEXT, id: "z", optional: true });
      // Beside other questions, Enter breaks the line of a text.
      for (const act of [send, () => person.press("Control+Enter"), ...(layout === "steps" ? [() => person.press("Enter")] : [])]) {
        await act();
        assert.equal(await code(), "required");
        assert.match(await person.find(".error[data-code]").first().textContent(), said);
        assert.deepEqual((await person.names()).filter((one) => one === "record"), ["record"].slice(0, layout === "steps" ? 1 : undefined));
      }
      await person.find("[data-empty]").first().check();
      await send();
      if (layout === "steps") await person.click("[data-skip]");
      assert.deepEqual(await person.result(), { q: empty, z: null });
    });

    test(`what is put into the field takes the place of an empty answer: ${name}`, async () => {
      await ask(layout, question);
      await send();
      await person.find("[data-empty]").check();
      if (question === LIST) await person.find("label[for^=option-0]").click();
      else await person.find("[data-field]").fill("x");
      assert.equal(await person.find("[data-empty]").isChecked(), false);
      await send();
      assert.deepEqual(await person.result(), { q: question === LIST ? ["a"] : "x" });
    });
  }
}

/** Prompts whose one button is the answer, or that may be left empty. */
const GIVEN = /^(an optional|consent|a tool call|a yes or no by)/;

for (const [way, options] of [["Enter, Space or click", {}], ["tap", { hasTouch: true }]]) {
  test(`no ${way} alone answers a prompt of any type that nobody has touched`, { skip: ELSEWHERE }, async () => {
    const at = await browser.page("/blank", options);
    const tester = new Person(at);
    const records = async () => (await tester.names()).filter((one) => one === "record").length;
    for (const [name, { request, first = [], later }] of /** @type {[string, any][]} */ (Object.entries(CASES))) {
      // A suggestion is accepted by one key.
      await tester.ask({ ...request, questions: request.questions?.map(({ default: _, ...question }) => question) });
      await tester.find("legend, h2").first().focus();
      await keepsStill(at);
      if (/** @type {any} */ (options).hasTouch && first.length > 1) {
        await tester.find("label[for=option-0]").tap();
        await tester.find(".actions [type=submit]").tap();
      } else if (/** @type {any} */ (options).hasTouch && first.length) await tester.find(`[data-answer=${first[0] === "y" ? "yes" : "no"}]`).tap();
      else await tester.press(...first);
      if (later) await tester.find(later).waitFor();
      await keepsStill(at);
      const before = await records();
      const submit = tester.find(".actions [type=submit]");
      const hasButton = !GIVEN.test(name) && (await submit.count());
      if (/** @type {any} */ (options).hasTouch) {
        if (hasButton) await submit.tap();
        await tester.find("[data-question-text]").last().tap();
      } else {
        await tester.press("Enter", "Control+Enter");
        if (hasButton) await submit.click();
        await tester.find("[data-question-text]").last().click();
        await tester.press("Space");
      }
      await tester.settled();
      assert.equal(await tester.end(), undefined, name);
      if (!GIVEN.test(name)) assert.equal(await records(), before, name);
    }
    await at.context().close();
  });
}

test("a list of a schema that nobody touched is missing; one that was added to and emptied is an answer", { skip: ELSEWHERE }, async () => {
  await ask("steps", { id: "q", text: "Which ports?", answer_type: "schema", schema: { type: "array", items: { type: "integer" } } });
  await person.find(".properties").waitFor();
  await send();
  assert.equal(await code(), "required");
  await person.find(".properties .add").click();
  await person.find("[data-at$='|remove']").click();
  await send();
  assert.deepEqual(await person.result(), { q: [] });
});

test("an empty answer is kept in a saved walk, and after Back", async () => {
  await ask("steps", TEXT, YES);
  assert.equal(await person.find("[data-empty]").isVisible(), false, "it is offered once a text is missing");
  await send();
  await person.find("[data-empty]").check();
  const saved = await page.evaluate(() => JSON.stringify(window.form().walk));
  await person.ask({ questions: [TEXT, YES] }, { saved, host: { layout: "steps" } });
  assert.ok(await person.find("[data-empty]").isChecked());
  await send();
  await person.click("[data-way=back]");
  assert.ok(await person.find("[data-empty]").isChecked());
  await send();
  await person.click("[data-answer=no]");
  assert.deepEqual(await person.result(), { q: "", y: false });
});

test("an optional question that is left blank is null, and a question that takes no empty answer offers none", async () => {
  await ask("steps", { ...TEXT, optional: true });
  assert.equal(await person.find("[data-empty]").count(), 0);
  await send();
  assert.deepEqual(await person.result(), { q: null });
  await ask("steps", { ...TEXT, min_length: 3 });
  assert.equal(await person.find("[data-empty]").count(), 0);
  await send();
  assert.equal(await code(), "too_short");
});

test("Something else takes several lines, typed or pasted; Enter sends it, and Shift+Enter does not", async () => {
  await ask("steps", { id: "q", text: "Which?", answer_type: "select", options: ["us", "eu"], other: true }, { id: "next", text: "And?", answer_type: "select", options: ["us", "uk"] });
  await person.find("label[for=option-other]").click();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.insertText("two\nthree");
  assert.equal(await person.find("[data-own]").inputValue(), "one\ntwo\nthree");
  await person.press("ArrowUp");
  assert.ok(await person.find("[data-own]").evaluate((field) => field.getRootNode().activeElement === field), "Arrow Up moves in the text");
  await person.press("Enter");
  await person.find("[data-question=next]").waitFor();
  await person.click("label[for=option-1]");
  await send();
  assert.deepEqual(await person.result(), { q: "one\ntwo\nthree", next: "uk" });
});

test("Shift+Enter in a field of one line sends nothing", async () => {
  await ask("steps", { ...TEXT, max_length: 20 });
  await person.find("[data-field]").fill("Ada");
  await person.press("Shift+Enter");
  assert.equal(await person.result(), undefined);
  await person.press("Enter");
  assert.deepEqual(await person.result(), { q: "Ada" });
});

test("a walk that had ended tells its ending to nobody, however often it is set and put on the page, and shows its receipt", async () => {
  await person.ask({ questions: [YES] });
  await person.click("[data-answer=yes]");
  const saved = await page.evaluate(() => JSON.stringify(window.form().walk));
  for (let mounts = 0; mounts < 3; mounts += 1) {
    await person.ask({ questions: [YES] }, { saved });
    await person.find(".receipt").waitFor();
    await page.evaluate(() => {
      const form = window.form();
      const parent = form.parentNode;
      form.remove();
      parent.append(form);
      form.walk = JSON.parse(JSON.stringify(form.walk));
    });
    await person.find(".receipt").waitFor();
    await person.settled();
    assert.deepEqual((await person.names()).filter((name) => ["result", "record", "end-turn"].includes(name)), []);
  }
});

test("a walk that had ended is delivered to no function of the host again", async () => {
  await person.ask({ questions: [YES] });
  await person.click("[data-answer=yes]");
  const saved = await page.evaluate(() => JSON.stringify(window.form().walk));
  for (let mounts = 0; mounts < 2; mounts += 1) {
    await page.evaluate(([request, walk]) => {
      window.taken ??= [];
      const element = document.createElement("ask-user");
      element.setAttribute("respond-url", "/respond");
      element.host = { deliver: (end) => void window.taken.push(end) };
      Object.assign(element, { request, walk: JSON.parse(walk) });
      document.querySelector("main").replaceChildren(element);
    }, [{ questions: [YES] }, saved]);
    await person.find(".receipt").waitFor();
    await person.settled();
  }
  assert.deepEqual(await page.evaluate(() => window.taken), []);
  assert.deepEqual(browser.deliveries, []);
});

test("the button says what happens next, whatever conditions follow", async () => {
  const WHERE = { id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"], other: true };
  const WHY = { id: "why", text: "Why?", answer_type: "schema", schema: { type: "array" }, when: { question_id: "env", equals: "production" } };
  const label = () => person.find(".actions [type=submit]").textContent();
  for (const layout of ["steps", "page"]) {
    await ask(layout, WHERE, WHY);
    await person.find("label[for^=option-1]").click();
    assert.equal(await label(), "Continue", layout);
    await person.find("label[for^=option-0]").click();
    assert.equal(await label(), "Send", layout);
    await send();
    assert.deepEqual(await person.result(), { env: "staging", why: null });
  }
  await ask("steps", WHERE, { ...WHY, when: undefined });
  await person.find("label[for=option-0]").click();
  assert.equal(await label(), "Continue");
  await ask("steps", TEXT);
  assert.equal(await label(), "Send");
});

test("a server's default for a yes or no is selected on a page and sent; at a step, and of an agent, it is a suggestion", async () => {
  const requestedSchema = { type: "object", properties: { news: { type: "boolean", default: true }, name: { type: "string", default: "Ada" } }, required: ["news", "name"] };
  const request = { mode: "form", message: "Who?", requestedSchema };
  await person.ask(request, { host: { layout: "page" }, attributes: { dialect: "mcp" } });
  assert.equal(await person.find("[data-on-page=news] #suggestion").count(), 0);
  assert.ok(await person.find("[data-on-page=news] input").first().isChecked());
  await send();
  assert.deepEqual((await person.result()).content, { news: true, name: "Ada" });
  await person.ask(request, { host: { layout: "steps" }, attributes: { dialect: "mcp" } });
  assert.match(await person.find("#suggestion").textContent(), /Suggested: Yes/);
  await ask("page", { ...YES, default: true }, TEXT);
  assert.equal(await person.find("[data-on-page=y] :checked").count(), 0);
});
