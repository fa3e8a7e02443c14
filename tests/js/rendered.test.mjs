// A page that comes with the form as HTML: the question is there before any script, and the element takes it over.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { post, render } from "../../pkg/dist/html.node.js";
import { WATCH, launch } from "./browser.mjs";
import { hiddenIn } from "./plain-form.mjs";
import { allDone, painted, preloaded, takesAnswers, until } from "./wait.mjs";

const REQUEST = { questions: [{ id: "apply", text: "Apply it?", answer_type: "boolean" }, { id: "why", text: "Why?", answer_type: "text", when: { question_id: "apply", equals: true } }] };
const TEXT = { questions: [{ id: "why", text: "Why?", answer_type: "text" }] };
const CHOICE = { questions: [{ id: "which", text: "Which?", answer_type: "select", options: ["a", "b", "c"] }] };
const JSON_ANSWER = { questions: [{ id: "config", text: "Which configuration?", answer_type: "schema", schema: { type: "object", properties: { name: { type: "string" } } } }] };
const OPTIONS = Array.from({ length: 300 }, (_, place) => `option ${place}`);
const LONG = { questions: [{ id: "which", text: "Which?", answer_type: "select", options: OPTIONS }] };
const SEVERAL = { questions: [{ id: "which", text: "Which?", answer_type: "multi_select", options: OPTIONS, other: true }] };
const PAGE = { questions: [{ id: "name", text: "Your name?", answer_type: "text" }, { id: "sure", text: "Sure?", answer_type: "boolean" }, { id: "code", text: "Code?", answer_type: "secret" }] };

const HEADED = { questions: ["One", "Two"].map((header) => ({ id: header, header, text: `${header}?`, answer_type: "select", options: ["a", "b"] })) };

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'nonce-n0nce'; form-action 'self'; base-uri 'none'";

const pages = {};
/** A page with the form of a request, whose script comes when the test lets it: `window.begin()`. */
const page = (name, request, options = {}) => {
  pages[`/${name}`] = `<!doctype html><html lang="en"><title>${name}</title>${WATCH}<meta name="viewport" content="width=device-width"><script src="/${name}.js"></script><main><ask-user>${render(request, { styleNonce: "n0nce", ...options })}</ask-user></main></html>`;
  pages[`/${name}.js`] = `
window.ends = [];
window.begin = async () => {
  const element = document.querySelector("ask-user");
  element.request = ${JSON.stringify(request)};
  addEventListener("ask-user-result", ({ detail }) => window.ends.push(detail.result));
  window.shifts = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifts += value; }).observe({ type: "layout-shift" });
  const ready = new Promise((resolve) => addEventListener("ask-user-ready", resolve, { once: true }));
  await import("/pkg/dist/ask-user.js");
  await ready;
};`;
};
page("headed", HEADED);
page("boolean", REQUEST);
page("text", TEXT);
page("choice", CHOICE);
page("several", PAGE);
page("json", JSON_ANSWER);
page("long", LONG);
page("longer", SEVERAL);
page("posted", TEXT, { action: "/respond" });

let browser;
before(async () => (browser = await launch({ pages: Object.fromEntries(Object.entries(pages).map(([path, content]) => [path, path.endsWith(".js") ? content : { content, policy: POLICY }])) })));
after(() => browser.close());

const within = (page, selector) => page.locator("ask-user").locator(selector);
const focused = (page) => page.evaluate(() => document.querySelector("ask-user").shadowRoot.activeElement?.dataset.field !== undefined);

test("the question is there before any script, and is taken over without a change in looks", async () => {
  const page = await browser.page("/boolean");
  await within(page, "legend").waitFor();
  assert.equal(await within(page, "legend").textContent(), "Apply it?");
  const look = () => page.evaluate(() => {
    const root = document.querySelector("ask-user").shadowRoot;
    const boxes = [...root.querySelectorAll("fieldset, legend, [data-answer], .actions, [data-way=reply]")].map((node) => node.getBoundingClientRect());
    return boxes.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round));
  });
  const before = await look();
  await page.evaluate(() => window.begin());
  assert.equal(await within(page, "[data-rendered]").count(), 0, "the form took its place");
  assert.deepEqual(await look(), before);
  assert.equal(await page.evaluate(() => window.shifts), 0);
  await within(page, "[data-answer=yes]").click();
  await within(page, "[data-field]").fill("because");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.ends.length);
  assert.deepEqual(await page.evaluate(() => window.ends), [{ apply: true, why: "because" }]);
  await page.context().close();
});

test("a page of choices stays a page: it has no tabs while a person has it before them", async () => {
  const page = await browser.page("/headed");
  await within(page, "legend").first().waitFor();
  await page.evaluate(() => window.begin());
  assert.equal(await within(page, "[data-rendered]").count(), 0, "the form took its place");
  assert.equal(await within(page, "[data-page]:not([data-tabs])").count(), 1);
  assert.equal(await page.evaluate(() => window.shifts), 0);
  await page.context().close();
});

test("what was typed, the focus and the caret stay", async () => {
  const page = await browser.page("/text");
  await within(page, "textarea").click();
  await page.keyboard.type("Because of it");
  await page.keyboard.press("ArrowLeft");
  await page.evaluate(() => window.begin());
  assert.ok(await focused(page));
  await page.keyboard.type("!");
  assert.equal(await within(page, "textarea").inputValue(), "Because of i!t");
  // It is kept as what the person typed, also when the page is loaded again.
  const walk = await page.evaluate(() => document.querySelector("ask-user").walk);
  assert.deepEqual(walk.typed, { why: "Because of i!t" });
  await page.context().close();
});

test("what is being composed is finished first", async () => {
  const page = await browser.page("/text");
  await within(page, "textarea").click();
  const session = await page.context().newCDPSession(page);
  let arrive;
  const arrives = new Promise((resolve) => (arrive = resolve));
  await page.route(/form.first/, async (route) => {
    await arrives;
    await route.continue();
  });
  const begun = page.evaluate(() => window.begin());
  // What watches the composition is there: the element has waited for it too, and before.
  await page.evaluate(async () => {
    await customElements.whenDefined("ask-user");
    await import("/pkg/dist/rendered.js");
  });
  await painted(page);
  await session.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
  arrive();
  await preloaded(page);
  assert.equal(await within(page, "[data-rendered]").count(), 1, "the field with the composition is still there");
  await session.send("Input.insertText", { text: "日本" });
  await begun;
  assert.equal(await within(page, "textarea").inputValue(), "日本");
  await page.context().close();
});

test("a choice stays, and is not sent", async () => {
  const page = await browser.page("/choice");
  await within(page, "[data-option='\"b\"']").check();
  await page.evaluate(() => window.begin());
  assert.ok(await within(page, "[data-option='\"b\"']").isChecked());
  assert.deepEqual(await page.evaluate(() => window.ends), []);
  await within(page, ".actions .primary").click();
  await page.waitForFunction(() => window.ends.length);
  assert.deepEqual(await page.evaluate(() => window.ends), [{ which: "b" }]);
  await page.context().close();
});

test("a choice in a long list stays, though its row is not in the document of the form", async () => {
  for (const [name, kind, picked, result] of [["long", "radio", [250], "option 250"], ["longer", "checkbox", [3, 250, 299], ["option 3", "option 250", "option 299"]]]) {
    const page = await browser.page(`/${name}`);
    for (const place of picked) await within(page, `[type=${kind}][data-option='"option ${place}"']`).check();
    await page.evaluate(() => window.begin());
    await within(page, "[data-rendered]").waitFor({ state: "detached" });
    await within(page, `.options.long [data-option='"${[result].flat()[0]}"']:checked`).waitFor();
    // The form was made anew: it takes no click before the person has been still.
    await takesAnswers(page, ".actions .primary");
    await within(page, ".actions .primary").click();
    await page.waitForFunction(() => window.ends.length);
    assert.deepEqual(await page.evaluate(() => window.ends), [{ which: result }]);
    await page.context().close();
  }
});

test("JSON that was typed stays, though its editor comes later", async () => {
  const page = await browser.page("/json");
  await within(page, "textarea").fill('{ "name": "Ada" }');
  await page.evaluate(() => window.begin());
  await within(page, "[data-rendered]").waitFor({ state: "detached" });
  await until(() => page.evaluate(() => document.querySelector("ask-user").shadowRoot.querySelector("textarea.json")?.value), "what was typed", (text) => text?.includes("Ada"));
  await within(page, ".cm-content").waitFor({ state: "attached" });
  await takesAnswers(page, ".actions .primary");
  await within(page, ".actions .primary").click();
  await page.waitForFunction(() => window.ends.length);
  assert.deepEqual(await page.evaluate(() => window.ends), [{ config: { name: "Ada" } }]);
  await page.context().close();
});

test("fields of a page stay, a secret among them", async () => {
  const page = await browser.page("/several");
  await within(page, "textarea, input[type=text]").first().fill("Ada");
  await within(page, "[id^='no']").check();
  await within(page, "input[type=password]").fill("hunter2");
  await page.evaluate(() => window.begin());
  await within(page, ".actions .primary").click();
  await page.waitForFunction(() => window.ends.length);
  assert.deepEqual(await page.evaluate(() => window.ends), [{ name: "Ada", sure: false, code: "[redacted]" }]);
  await page.context().close();
});

test("a form that is posted goes on without the script that does not come", async () => {
  const page = await browser.page("/posted");
  await page.route(/form.*wasm/, (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (request) => /form.*wasm/.test(request.url()));
  await page.evaluate(() => void window.begin());
  await failed;
  await allDone(page);
  assert.equal(await within(page, "form[action] textarea").count(), 1);
  page.faults.length = 0;
  await page.context().close();
});

test("a posted form is taken in JavaScript as in Rust", () => {
  const shadow = render(REQUEST, { action: "form" });
  const hidden = hiddenIn(shadow);
  const posted = post(new URLSearchParams([...hidden, [".press", "data-answer=no"]]), REQUEST, { action: "form" });
  assert.deepEqual([posted.outcome.ends, posted.outcome.result], ["completed", { apply: false, why: null }]);
  // Another tab has gone on.
  const behind = post(new URLSearchParams([...hidden, [".press", "data-answer=no"]]), REQUEST, { action: "form", walk: posted.walk });
  assert.ok(behind.isBehind && behind.outcome.ends === "completed");
  assert.throws(() => render(REQUEST, { target: /** @type {any} */ (7) }), TypeError);
});
