// Dialects that a host or a page declares while it runs: docs/own-dialect.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Desk, dialects, open, registerDialect } from "../../pkg/dist/core.node.js";
import { onPages } from "./browser.mjs";
import { Person } from "./person.mjs";
import { takesAnswers } from "./wait.mjs";

let page;
let person;
onPages(async (there) => {
  ({ page } = there);
  person = new Person(page);
});

const DOCS = readFileSync(new URL("../../docs/own-dialect.md", import.meta.url), "utf8");
/** The declaration of the documentation, and the request after it. */
const [, declared] = /registerDialect\((\{[\s\S]*?\n\})\);/.exec(DOCS);
const [, asked] = /= open\((\{.*\}), \{ dialect \}\);/.exec(DOCS);
const [ACME, REQUEST] = [declared, asked].map((text) => new Function(`return (${text});`)());
/** An answer in so many lists. */
const deep = (levels) => Array.from({ length: levels }).reduce((inner) => [inner], "$text");
const RESULT = { answers: { where: { picked: ["s"], said: null } } };

test("the dialect of the documentation is declared, and gives what it says", () => {
  assert.equal(registerDialect(ACME), "acme");
  assert.equal(dialects().filter((name) => /** @type {string} */ (name) === "acme").length, 1);
  for (const options of /** @type {any[]} */ ([{ dialect: "acme" }, {}])) {
    const walk = open(REQUEST, options);
    walk.answer("s");
    assert.deepEqual(walk.outcome.result, RESULT);
  }
  assert.ok(DOCS.includes('{ answers: { where: { picked: ["s"], said: null } } }'));
});

test("a desk of a declared dialect is stored and read by its name", () => {
  registerDialect(ACME);
  const desk = Desk.ask(REQUEST, { toolCallId: "c", nonce: "n", dialect: /** @type {any} */ ("acme") });
  const again = Desk.fromJSON(JSON.stringify(desk));
  assert.equal(again.request.dialect, "acme");
  assert.deepEqual(JSON.parse(again.on({ type: "answered", answers: { q1: "s" } }).hand.result), RESULT);
});

test("what is no declaration is a TypeError that says what to change", () => {
  for (const [declaration, says] of [
    [{ ...ACME, name: "codex" }, /dialect of this package/],
    [{ ...ACME, name: "other", answer: "$chosen" }, /answer would be lost/],
    [{ ...ACME, name: "other", answers: "$text" }, /answers/],
    ["{", /not JSON/],
    [{ ...ACME, name: "other", answer: JSON.parse(`${"[".repeat(200)}"$text"${"]".repeat(200)}`) }, /nests deeper/],
    [{ ...ACME, name: "other", answer: deep(100_000) }, /nests too deeply/],
    [{ ...ACME, tool: "another" }, /declared otherwise/],
  ]) {
    assert.throws(() => registerDialect(declaration), { name: "TypeError", message: says });
  }
});

test("a page declares a dialect for its forms", async () => {
  const name = await page.evaluate(async (declaration) => (await import("/pkg/dist/ask-user.js")).registerDialect(declaration), ACME);
  assert.equal(name, "acme");
  await person.ask(REQUEST, { attributes: { dialect: "acme" } });
  await takesAnswers(page);
  assert.equal(await person.find("[data-question-text]").textContent(), "Deploy where?");
  await person.find("[part=option] label").first().click();
  await person.settled();
  if (await person.find("[type=submit]").count()) await person.click("[type=submit]");
  assert.deepEqual(await person.result(), RESULT);
  const error = await page.evaluate(async (declaration) => {
    const { registerDialect } = await import("/pkg/dist/ask-user.js");
    return registerDialect(declaration).then(String, ({ name, message }) => `${name}: ${message}`);
  }, { ...ACME, name: "Acme" });
  assert.match(error, /^TypeError: .*lower case/);
});
