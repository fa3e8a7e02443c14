// A page that means no good, or knows no better: its styles, prototypes and other copies of the package do not reach the form.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { Person } from "./person.mjs";

const STYLES = `
  html { font-size: 5px !important; }
  body, body * { color: rgb(255, 0, 0) !important; font: 40px serif !important; line-height: 5 !important; letter-spacing: 9px !important;
    text-transform: uppercase !important; text-align: right !important; cursor: none !important; white-space: nowrap !important;
    visibility: visible !important; box-sizing: content-box !important; margin: 7px !important; word-spacing: 9px !important; }
  body * { --accent: lime; --on-accent: lime; --text: lime; --muted: lime; --surface: lime; --line: lime; --error: lime; --radius: 9em; --space: 9em; }
  button, input, textarea { display: none !important; }
  .base, .step, .option { display: none !important; }`;
const PAGE = `<!doctype html><html lang="en"><title>a hostile page</title><link rel="stylesheet" href="/hostile.css">
<script src="/hostile.js"></script><script type="module" src="/pkg/dist/ask-user.js"></script>
<script type="module" src="/probe.js"></script><main></main>`;
const POLLUTION = `
  Object.prototype.polluted = "yes"; Object.prototype.label = "Evil"; Object.prototype.dialect = "claude"; Object.prototype.toJSON = undefined;
  Array.prototype.extra = () => {}; Array.prototype.last = 1; String.prototype.shout = 1;`;
const QUESTIONS = {
  questions: [
    { id: "a", text: "Go on?", answer_type: "boolean" },
    { id: "b", text: "Which?", answer_type: "select", options: ["x", "y"] },
    { id: "c", text: "What?", answer_type: "schema", schema: { type: "object", properties: { n: { type: "integer" } } } },
  ],
};

let browser;
let page;
let person;
before(async () => {
  browser = await launch({ pages: { "/hostile": PAGE, "/hostile.css": STYLES, "/hostile.js": POLLUTION } });
  page = await browser.page("/hostile");
  person = new Person(page);
});
after(() => browser.close());

test("no style of the page reaches in", async () => {
  const looks = (page) =>
    page.evaluate(() => {
      const root = window.form().shadowRoot;
      const of = (element) => {
        const { color, backgroundColor, borderRadius, gap, fontSize, lineHeight, letterSpacing, textTransform, textAlign, whiteSpace, wordSpacing, display } = getComputedStyle(element);
        return { color, backgroundColor, borderRadius, gap, fontSize, lineHeight, letterSpacing, textTransform, textAlign, whiteSpace, wordSpacing, display };
      };
      return [...root.querySelectorAll("*")].map((element) => [element.localName, of(element)]);
    });
  await person.ask(QUESTIONS);
  const kind = await browser.page();
  await new Person(kind).ask(QUESTIONS);
  assert.deepEqual(await looks(page), await looks(kind));
});

test("no style of the form reaches out: elements of the page with its names and classes look as before", async () => {
  const kind = await browser.page();
  await kind.evaluate(() => {
    const place = document.body.appendChild(document.createElement("div"));
    place.id = "beside";
    // As tall and as wide as it is, whatever else is on the page.
    Object.assign(place.style, { position: "fixed", inset: "0 auto auto 0", width: "300px" });
    for (const name of ["p", "button", "a", "input", "textarea", "fieldset", "legend", "form", "h2", "dl", "dt", "dd", "pre", "blockquote", "code"]) {
      const one = place.appendChild(document.createElement(name));
      one.className = "base step option options primary notice error closed editor properties property cm-editor";
      one.setAttribute("part", "base");
    }
  });
  const looks = () =>
    kind.evaluate(() => {
      const beside = ["html", "body", "#beside", "#beside *"].flatMap((selector) => [...document.querySelectorAll(selector)]);
      const sized = /(^|-)(width|height|size)$|origin$|^inset|^bottom$|^right$/;
      const of = (element) => Object.fromEntries([...getComputedStyle(element)].filter((name) => element.closest("#beside") || !sized.test(name)).map((name) => [name, getComputedStyle(element).getPropertyValue(name)]));
      return { sheets: document.styleSheets.length + document.adoptedStyleSheets.length, looks: beside.map(of) };
    });
  const before = await looks();
  const there = new Person(kind);
  await there.ask(QUESTIONS);
  assert.deepEqual(await looks(), before);
  // The editor and the fields bring styles of their own, later.
  await there.askJson({ type: "object", properties: { n: { type: "integer" } } });
  assert.deepEqual(await looks(), before);
});

test("prototypes that were extended change nothing", async () => {
  await person.ask(QUESTIONS);
  await person.click("[data-answer=yes]");
  await person.click("label[for=option-1]");
  await person.find(".property input").fill("5");
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { a: true, b: "y", c: { n: 5 } });
  assert.equal((await person.end()).outcome.ends, "completed");
});

test("a second copy of the package leaves the first alone", async () => {
  await page.evaluate(async () => {
    await import("/pkg/dist/ask-user.js?again");
    const { AskUser } = await import("/pkg/dist/element.js");
    if (!customElements.get("other-question")) customElements.define("other-question", class extends AskUser {});
    const other = document.createElement("other-question");
    /** @type {any} */ (other).request = { question: "And you?", answer_type: "boolean" };
    document.body.append(other);
  });
  await person.ask(QUESTIONS);
  await page.locator("other-question").locator("[data-answer=no]").click();
  await person.click("[data-answer=yes]");
  assert.match(await person.find("legend").first().innerText(), /Which/);
  assert.equal(await page.locator("other-question").locator("[data-answer]").count(), 0);
});

test("nothing that was done breaks the content security policy", () => {
  assert.deepEqual(page.faults, []);
});
