// The form in a browser: what every prompt keeps, keys, focus, errors, and the ways out.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";

const require = createRequire(new URL("../../pkg/package.json", import.meta.url));
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const SCHEMA = { type: "object", properties: { port: { type: "integer" } }, required: ["port"] };

/** Every prompt: the question, and an answer that a person can give it by the keyboard alone. */
const PROMPTS = {
  boolean: [{ answer_type: "boolean", default: true }, ["y"], true],
  select: [{ answer_type: "select", options: [{ value: "a", description: "The first", preview: "a a a" }, "b"] }, ["2", "Enter"], "b"],
  multi_select: [{ answer_type: "multi_select", options: ["a", "b", "c"] }, ["3", "1", "Enter"], ["a", "c"]],
  text: [{ answer_type: "text", default: "x" }, ["End", "y", "Enter", "z", "Control+Enter"], "xy\nz"],
  number: [{ answer_type: "number" }, ["4", "2", "Enter"], 42],
  secret: [{ answer_type: "secret" }, ["p", "w", "Enter"], "[redacted]"],
  schema: [{ answer_type: "schema", schema: SCHEMA, default: { port: 1 } }, ["Control+Enter"], { port: 1 }],
};

let browser;
let page;
before(async () => {
  browser = await launch();
  page = await browser.page();
});
after(() => browser.close());

const ask = (request, more = {}) => page.evaluate((asked) => window.ask(asked), { request, ...more });
const settled = () => page.evaluate(() => window.settled());
const seen = () => page.evaluate(() => window.seen);
const find = (selector) => page.locator("ask-user").locator(selector);
const names = async () => (await seen()).map(([name]) => name);
const result = async () => (await seen()).find(([name]) => name === "result")?.[1].result;
const focused = () =>
  page.evaluate(() => {
    const active = window.form().shadowRoot.activeElement;
    return active && (active.dataset.way ?? active.dataset.question ?? active.id) + ":" + active.localName;
  });
const press = async (...keys) => {
  for (const key of keys) {
    await page.keyboard.press(key);
    await settled();
  }
};
const questions = (...types) => ({
  questions: types.map((type, place) => ({ id: `q${place}`, text: `Question ${place}?`, context: "Because.", ...PROMPTS[type][0] })),
});

for (const [type, [, keys, answer]] of Object.entries(PROMPTS)) {
  test(`${type}: is accessible, and is answered by the keyboard alone`, async () => {
    await ask(questions("boolean", type), { attributes: { label: "Tester" } });
    await find("[data-answer=no]").click();
    await settled();
    const faults = await page.evaluate(async (axe) => {
      // A page with Trusted Types takes no script from text; the tests' own world does.
      if (!window.axe) new Function(axe)();
      const { violations } = await window.axe.run(document.querySelector("ask-user"));
      const root = window.form().shadowRoot;
      const dangling = [...root.querySelectorAll("[aria-describedby], [for]")].flatMap((element) =>
        (element.getAttribute("aria-describedby") ?? element.getAttribute("for")).split(" ").filter((id) => !root.getElementById(id)),
      );
      return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), ...dangling.map((id) => `no element has the id ${id}`)];
    }, AXE);
    assert.deepEqual(faults, []);
    await press(...keys);
    assert.deepEqual(await result(), { q0: false, q1: answer });
    assert.deepEqual(page.faults, []);
  });

  test(`${type}: has its ways out by the keyboard alone`, async () => {
    await ask(questions("boolean", type));
    await find("[data-answer=no]").click();
    await settled();
    await press("Escape");
    assert.equal(await focused(), "back:button");
    await press("Escape");
    assert.notEqual(await focused(), "back:button");
    await press("Escape", "r", "h", "i", "Control+Enter");
    const [, detail] = (await seen()).find(([name]) => name === "result");
    assert.deepEqual(detail.result, { cancelled: true, answered: { q0: false }, reply: "hi" });
  });

  test(`${type}: is mounted and removed a hundred times`, async () => {
    const left = await page.evaluate(async (request) => {
      for (let time = 0; time < 100; time += 1) {
        const element = document.createElement("ask-user");
        element.request = request;
        document.querySelector("main").replaceChildren(element);
        await window.settled();
        element.remove();
        await window.settled();
      }
      return document.querySelectorAll("ask-user").length;
    }, questions(type));
    assert.equal(left, 0);
    assert.deepEqual(page.faults, []);
  });
}

test("the form takes no focus by itself, and moves it with each step once it is inside", async () => {
  await ask(questions("boolean", "text", "select", "secret"));
  assert.equal(await focused(), null);
  await find("[data-answer=yes]").click();
  await settled();
  assert.equal(await focused(), ":textarea");
  await press("Control+Enter");
  assert.equal(await focused(), "option-0:input");
  await press("1", "Enter");
  assert.equal(await focused(), ":input");
});

test("plain letters act where no text field has the focus, and are typed where one has", async () => {
  await ask(questions("boolean", "text"));
  await find("[data-answer=yes]").click();
  await settled();
  await press("Control+A", "y", "n", "b", "r", "s");
  assert.equal(await find("[data-field]").inputValue(), "ynbrs");
  await press("Escape", "b");
  assert.equal(await find("[data-question]").getAttribute("data-question"), "q0");
  await press("s");
  assert.equal((await names()).at(-1), "end-turn");
});

test("keys with Ctrl, Alt or Meta are the browser's", async () => {
  await ask(questions("boolean"));
  await find("legend").focus();
  await press("Alt+y", "Control+y", "Meta+s");
  assert.deepEqual(await names(), ["ready", "record", "step"]);
});

test("Enter sends nothing while an input method composes", async () => {
  await ask(questions("text"));
  await page.evaluate(() => {
    const field = window.form().shadowRoot.querySelector("[data-field]");
    field.focus();
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, isComposing: true, bubbles: true }));
  });
  await settled();
  assert.equal(await result(), undefined);
});

test("Y and N are offered only where an answer can be remembered, and are remembered for the turn", async () => {
  await ask(questions("boolean"));
  await find("legend").focus();
  await press("Y");
  const turn = await page.evaluate(() => window.form().turn);
  assert.deepEqual(turn.remembered, { "ask_user.q0": true });
  await ask(questions("boolean"), { host: { turn } });
  assert.deepEqual(await result(), { q0: true });
  await ask(questions("boolean"), { host: { reuse: "none" } });
  assert.equal(await find("[data-answer]").count(), 2);
});

test("a refused answer stays as typed, and says why at its field", async () => {
  await ask(questions("schema"));
  await find("[data-field]").fill('{ "port": "x" }');
  await find("[type=submit]").click();
  await settled();
  const field = find("[data-field]");
  assert.equal(await field.inputValue(), '{ "port": "x" }');
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.match(await field.getAttribute("aria-describedby"), /\berror\b/);
  assert.equal(await find("#error li").getAttribute("data-path"), "/port");
  assert.match(await find("#error").textContent(), /\/port/);
  assert.equal(await focused(), ":textarea");
});

test("what was typed and not sent is there again after Back", async () => {
  await ask(questions("text", "number"));
  await find("[data-field]").fill("one");
  await press("Control+Enter");
  await find("[data-field]").fill("12 apples");
  await find("[data-way=back]").click();
  await settled();
  assert.equal(await find("[data-field]").inputValue(), "one");
  await press("Control+Enter");
  assert.equal(await find("[data-field]").inputValue(), "12 apples");
});

test("Esc out of a reply keeps its words", async () => {
  await ask(questions("boolean"));
  await find("[data-way=reply]").click();
  await settled();
  await find("#reply").fill("not yet");
  await press("Escape");
  assert.equal(await focused(), "reply:button");
  await press("Enter");
  assert.equal(await find("#reply").inputValue(), "not yet");
});

test("the review changes an answer, and sends nothing before it is told to", async () => {
  await ask(questions("boolean", "text"), { host: { review: true } });
  await find("[data-answer=yes]").click();
  await settled();
  await press("Control+Enter");
  assert.equal(await result(), undefined);
  await find("[data-change=q0]").click();
  await settled();
  await press("n");
  await press("Control+Enter");
  await find("[data-submit]").click();
  await settled();
  assert.deepEqual(await result(), { q0: false, q1: "x" });
});

test("a secret is never on the page", async () => {
  await ask(questions("secret", "boolean"));
  await find("[data-field]").fill("hunter2");
  await press("Enter");
  const html = await page.evaluate(() => window.form().shadowRoot.innerHTML + JSON.stringify(window.form().walk));
  assert.doesNotMatch(html, /hunter2/);
  await press("y");
  assert.doesNotMatch(await page.evaluate(() => window.form().shadowRoot.innerHTML), /hunter2/);
  const [, detail] = (await seen()).find(([name]) => name === "result");
  assert.deepEqual(detail.secrets, { q0: "hunter2" });
  assert.deepEqual(detail.result, { q0: "[redacted]", q1: true });
});

test("the receipt shows what was asked and answered, and takes no more", async () => {
  await ask(questions("select", "secret"));
  await find("legend").focus();
  await press("2", "Enter");
  await find("[data-field]").fill("pw");
  await press("Enter");
  assert.equal(await find("[data-ends]").getAttribute("data-ends"), "completed");
  assert.deepEqual(await find("dd").allTextContents(), ["b", "••••••"]);
  assert.equal(await find("button, input, textarea").count(), 0);
});

test("nothing is wider than a page of 320 pixels, whatever the texts", async () => {
  const narrow = await browser.page("/blank", { viewport: { width: 320, height: 640 } });
  const long = "Donaudampfschifffahrtsgesellschaft".repeat(10);
  for (const type of Object.keys(PROMPTS)) {
    const [question] = questions(type).questions;
    const wide = await narrow.evaluate(async (request) => {
      await window.ask({ request });
      return document.documentElement.scrollWidth;
    }, { questions: [{ ...question, text: long, context: long, header: long }, question].map((one, place) => ({ ...one, id: `q${place}` })) });
    assert.ok(wide <= 320, `${type} is ${wide} pixels wide`);
  }
});

test("ten thousand options can be chosen from", async () => {
  const options = Array.from({ length: 10_000 }, (_, place) => `option ${place}`);
  await ask({ questions: [{ id: "q", text: "Which?", answer_type: "multi_select", options, default: options }] });
  await find("label[for=option-9999]").click();
  await find("[type=submit]").click();
  await settled();
  assert.equal((await result()).q.length, 9_999);
});
