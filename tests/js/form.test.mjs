// The form in a browser: focus, keys, errors, and what stays. What every prompt keeps is in prompts.test.mjs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrived } from "./person.mjs";
import { PROMPTS, questions } from "./prompts.mjs";
import { keepsStill, stands, until } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

test("the form takes no focus by itself, and moves it with each step once it is inside", async () => {
  await person.ask(questions("boolean", "text", "select", "secret"));
  assert.equal(await person.focused(), null);
  await person.click("[data-answer=yes]");
  assert.equal(await person.focused(), ":textarea");
  await person.press("Control+Enter");
  assert.equal(await person.focused(), "option-0:input");
  await person.press("1", "Enter");
  assert.equal(await person.focused(), ":input");
});

test("plain letters act where no text field has the focus, and are typed where one has", async () => {
  await person.ask(questions("boolean", "text"));
  await person.click("[data-answer=yes]");
  await person.press("Control+A", "y", "n", "b", "r", "s");
  assert.equal(await person.find("[data-field]").inputValue(), "ynbrs");
  await person.press("Escape", "b");
  assert.equal(await person.find("[data-question]").getAttribute("data-question"), "q0");
  await person.press("s", "Enter");
  assert.equal((await person.names()).at(-1), "end-turn");
});

test("keys with Ctrl, Alt or Meta are the browser's", async () => {
  await person.ask(questions("boolean"));
  await person.find("legend").focus();
  await person.press("Alt+y", "Control+y", "Meta+s");
  assert.deepEqual(await person.names(), ["ready", "record", "step"]);
});

test("Ctrl+Enter sends nothing while an input method composes; the same key sends when it composes no more", async () => {
  for (const [way, ends] of [[undefined, "completed"], ["reply", "replied"]]) {
    await person.ask(questions("text"));
    if (way) await person.click(`[data-way=${way}]`);
    if (way) await keepsStill(page);
    else await person.find("[data-field]").focus();
    const enter = async (isComposing) => {
      await page.evaluate((isComposing) => {
        const field = window.form().shadowRoot.activeElement;
        const key = { key: "Enter", code: "Enter", ctrlKey: true, isComposing, bubbles: true, cancelable: true, composed: true };
        for (const type of ["keydown", "keyup"]) field.dispatchEvent(new KeyboardEvent(type, key));
      }, isComposing);
      await person.settled();
    };
    await enter(true);
    assert.equal(await person.end(), undefined);
    await enter(false);
    assert.equal((await person.end()).outcome.ends, ends);
  }
});

test("Y and N are offered only where an answer can be remembered, and are remembered for the turn", async () => {
  await person.ask(questions("boolean"));
  await person.find("legend").focus();
  await person.press("Y");
  const turn = await page.evaluate(() => window.form().turn);
  assert.equal(turn.remembered["ask_user.q0"].answer, true);
  await person.ask(questions("boolean"), { host: { turn } });
  assert.deepEqual(await person.result(), { q0: true });
  await person.ask(questions("boolean"), { host: { reuse: "none" } });
  assert.equal(await person.find("[data-answer]").count(), 2);
});

test("a refused answer stays as typed, and says why at its field", async () => {
  await person.ask(questions("flat schema"));
  await person.asText();
  await person.find(".cm-content").fill('{ "port": "x" }');
  await person.click("[type=submit]");
  const field = person.find("[data-field]");
  assert.equal(await person.find("textarea.json").inputValue(), '{ "port": "x" }');
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.match(await field.getAttribute("aria-describedby"), /\berror\b/);
  assert.equal(await person.find("#error li").getAttribute("data-path"), "/port");
  assert.match(await person.find("#error").textContent(), /\/port/);
  assert.equal(await person.focused(), ":div");
});

test("what was typed and not sent is there again after Back", async () => {
  await person.ask(questions("text", "number"));
  await person.find("[data-field]").fill("one");
  await person.press("Control+Enter");
  await person.find("[data-field]").fill("12 apples");
  await person.click("[data-way=back]");
  assert.equal(await person.find("[data-field]").inputValue(), "one");
  await person.press("Control+Enter");
  assert.equal(await person.find("[data-field]").inputValue(), "12 apples");
});

test("Esc out of a reply keeps its words", async () => {
  await person.ask(questions("boolean"));
  await person.click("[data-way=reply]");
  await person.find("#reply").fill("not yet");
  await person.press("Escape");
  assert.equal(await person.focused(), "reply:button");
  await person.press("Enter");
  assert.equal(await person.find("#reply").inputValue(), "not yet");
});

test("the review changes an answer, and sends nothing before it is told to", async () => {
  await person.ask(questions("boolean", "text"), { host: { review: true } });
  await person.click("[data-answer=yes]");
  await person.press("Control+Enter");
  assert.equal(await person.result(), undefined);
  await person.click("[data-change=q0]");
  await person.press("n");
  await person.press("Control+Enter");
  await person.click("[data-submit]");
  assert.deepEqual(await person.result(), { q0: false, q1: "x" });
});

test("a secret is never on the page", async () => {
  await person.ask(questions("secret", "boolean"));
  await person.find("[data-field]").fill("hunter2");
  await person.press("Enter");
  const html = await page.evaluate(() => window.form().shadowRoot.innerHTML + JSON.stringify(window.form().walk));
  assert.doesNotMatch(html, /hunter2/);
  await person.press("y");
  assert.doesNotMatch(await page.evaluate(() => window.form().shadowRoot.innerHTML), /hunter2/);
  const detail = await person.end();
  assert.deepEqual(detail.secrets, { q0: "hunter2" });
  assert.deepEqual(detail.result, { q0: "[redacted]", q1: true });
});

test("a browser fills no saved password into a secret, and password managers know it for none of theirs", async () => {
  await person.ask(questions("secret"));
  const marks = ["autocomplete", "data-1p-ignore", "data-bwignore", "data-lpignore", "data-form-type"];
  const found = await person.find("[type=password]").evaluate((field, marks) => [field.form.getAttribute("autocomplete"), ...marks.map((name) => field.getAttribute(name))], marks);
  assert.deepEqual(found, ["off", "new-password", "", "", "true", "other"]);
});

test("the receipt shows what was asked and answered, and takes no more", async () => {
  await person.ask(questions("select", "secret"));
  await person.find("legend").focus();
  await person.press("2", "Enter");
  await person.find("[data-field]").fill("pw");
  await person.press("Enter");
  assert.equal(await person.find("[data-ends]").getAttribute("data-ends"), "completed");
  assert.deepEqual(await person.find("dd").allTextContents(), ["b", "••••••"]);
  assert.equal(await person.find("button, input, textarea").count(), 0);
});

test("nothing is wider than a page of 320 pixels, whatever the texts", async () => {
  const narrow = await browser.page("/blank", { viewport: { width: 320, height: 640 } });
  const long = "Donaudampfschifffahrtsgesellschaft".repeat(10);
  for (const type of Object.keys(PROMPTS)) {
    const [question] = questions(type).questions;
    const wide = await narrow.evaluate(async (request) => {
      await window.ask({ request });
      // A window may be no narrower than some width: then the form's place is.
      const main = document.querySelector("main");
      if (innerWidth > 320) main.style.width = "320px";
      return (innerWidth > 320 ? main : document.documentElement).scrollWidth;
    }, { questions: [{ ...question, text: long, context: long, header: long }, question].map((one, place) => ({ ...one, id: `q${place}` })) });
    assert.ok(wide <= 320, `${type} is ${wide} pixels wide`);
  }
  // A page behind another takes no answer.
  await narrow.context().close();
});

test("ten thousand options can be chosen from", async () => {
  const options = Array.from({ length: 10_000 }, (_, place) => `option ${place}`);
  await person.ask({ questions: [{ id: "q", text: "Which?", answer_type: "multi_select", options, default: options }] });
  await person.find("#filter").fill("option 9999");
  await person.find("label[for=option-9999]").click();
  // So long a list takes its time.
  await stands(page);
  await keepsStill(page);
  await person.click("[type=submit]");
  await until(() => person.end(), "the end of the form");
  assert.equal((await person.result()).q.length, 9_999);
});
