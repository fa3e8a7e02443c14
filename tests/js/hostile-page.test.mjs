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

test("no style of the page reaches in, and none of ours out", async () => {
  const looks = (page) =>
    page.evaluate(() => {
      const root = window.form().shadowRoot;
      const of = (element) => {
        const { color, fontSize, lineHeight, letterSpacing, textTransform, textAlign, whiteSpace, wordSpacing, display } = getComputedStyle(element);
        return { color, fontSize, lineHeight, letterSpacing, textTransform, textAlign, whiteSpace, wordSpacing, display };
      };
      return [...root.querySelectorAll("*")].map((element) => [element.localName, of(element)]);
    });
  await person.ask(QUESTIONS);
  const kind = await browser.page();
  await new Person(kind).ask(QUESTIONS);
  assert.deepEqual(await looks(page), await looks(kind));
});

test("prototypes that were extended change nothing", async () => {
  await person.ask(QUESTIONS);
  await person.click("[data-answer=yes]");
  await person.find("label[for=option-1]").click();
  await person.click("[type=submit]");
  await person.find("#property-0").fill("5");
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
    other.request = { question: "And you?", answer_type: "boolean" };
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
