// What a page does before its first question is on the screen, and what it leaves for later.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { Words } from "../../pkg/src/words.js";
import { launch, WATCH } from "./browser.mjs";
import { DIST, file } from "./package-files.mjs";
import { allDone, passed } from "./wait.mjs";

const REQUEST = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }, { id: "note", text: "Why?", answer_type: "text", when: { question_id: "go", equals: true } }] };
/** A page with an element and a script of its own. */
const page = (script) => `<!doctype html><html lang="en"><title>first question</title>${WATCH}<script type="module" src="/pkg/dist/ask-user.js"></script><script type="module" src="${script}"></script><main><ask-user></ask-user></main></html>`;
/** Notes which constructors of `Intl` are used before the form takes answers. */
function watch() {
  window.used = [];
  for (const name of ["DateTimeFormat", "ListFormat", "Locale", "NumberFormat", "PluralRules"]) {
    Intl[name] = new Proxy(Intl[name], { construct: (target, given) => (window.used.push(name), Reflect.construct(target, given)) });
  }
  document.addEventListener("ask-user-ready", () => (window.isReady = true));
}
/** Holds frames and what may be done in place of one, and notes whether the form took answers as soon as all of its wasm was there. */
function hold() {
  document.addEventListener("ask-user-ready", () => (window.isReady = true));
  const frames = [];
  window.requestAnimationFrame = (act) => frames.push(act);
  const later = window.setTimeout;
  /** @type {any} */ (window).setTimeout = (act, delay = 0, ...given) => (delay === 100 ? frames.push(act) : later(act, delay, ...given));
  window.paint = () => frames.splice(0).forEach((act) => act(performance.now()));
  const { compile } = WebAssembly;
  WebAssembly.compile = async (bytes) => {
    later(() => (window.wasReady = window.isReady === true), 50);
    return compile.call(WebAssembly, bytes);
  };
}

/** What servers print, and answer with. */
const { header, links, tags } = await import("../../pkg/dist/preload.js");
const BASE = "/pkg/dist";
const BASES = ["/a/", "https://cdn.example/a@1/dist", '"><script>alert(1)</script>', "a b\nSet-Cookie: c=d", "/ü>, <b", "/%20?a=1&amp;b=2", "\ud800", "'"];

let browser;
before(async () => {
  const pages = {
    "/asks": page("/asks.js"),
    "/asks.js": `document.querySelector("ask-user").request = ${JSON.stringify(REQUEST)};`,
    ...Object.fromEntries(BASES.map((base, place) => [`/based-${place}`, `<!doctype html><title>links</title><template>${tags(base)}</template>`])),
    "/tagged": page("/asks.js").replace("<title>", `${tags(BASE)}<title>`),
    "/asks-much": page("/asks-much.js"),
    "/asks-much.js": `const options = Array.from({ length: 10_000 }, (_, place) => "Option number " + place);
      document.querySelector("ask-user").request = { questions: [{ id: "one", text: "Which?", answer_type: "select", options }] };`,
    "/asks-many": page("/asks-many.js"),
    "/asks-many.js": `const questions = Array.from({ length: 1_000 }, (_, place) => ({ id: "q" + place, text: "Question " + place, answer_type: "boolean" }));
      document.querySelector("ask-user").request = { questions };`,
    "/waits": page("/waits.js"),
    "/waits.js": "",
    "/hands.js": `import { initialize } from "/pkg/dist/ask-user.js"; initialize({ form: "/pkg/dist/form.wasm" });`,
    "/hands-first": `<!doctype html><html lang="en"><title>first question</title>${WATCH}<script type="module" src="/hands.js"></script><main><ask-user></ask-user></main></html>`,
  };
  browser = await launch({ pages });
});
after(() => browser.close());

const files = (page) => page.fetched.filter((path) => path.startsWith("/pkg/dist/")).map((path) => path.slice("/pkg/dist/".length));

test("a plain question fetches the script and the two parts of the form, and nothing else", async () => {
  const page = await browser.page("/asks", {}, watch);
  await page.waitForFunction(() => window.isReady);
  assert.deepEqual(files(page), ["ask-user.js", "form.first.wasm", "form.rest.wasm"]);
});

test("with the links of a server, the script and the form are fetched at the same time, each once", async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  browser.meddle = async (request, _response, forward) => {
    if (request.url.endsWith("/form.first.wasm")) release();
    if (request.url.endsWith("/ask-user.js")) await held;
    return forward();
  };
  const page = await browser.page("/tagged", {}, watch);
  await page.waitForFunction(() => window.isReady);
  browser.meddle = undefined;
  assert.deepEqual(files(page).sort(), ["ask-user.js", "form.first.wasm", "form.rest.wasm"]);
  assert.deepEqual(page.faults, []);
});

test("the links stand in HTML and in a header whatever the base is, and name files that are there", async () => {
  const named = JSON.parse(file("preload.json", "utf8"));
  assert.deepEqual(links("/a").map(({ href }) => href), named.map(({ href }) => `/a/${href}`));
  for (const { href } of named) assert.ok(existsSync(new URL(href, DIST)), href);
  for (const [place, base] of BASES.entries()) {
    const blank = await browser.page(`/based-${place}`);
    const parsed = await blank.evaluate(() => [...document.querySelector("template").content.querySelectorAll("*")].map(({ localName, attributes }) => [localName, ...[...attributes].map(({ name, value }) => [name, value])]));
    await blank.context().close();
    assert.deepEqual(parsed, links(base).map((link) => ["link", ...Object.entries(link)]), base);
    const [script, form] = links(base).map(({ href }) => href);
    assert.equal(header(base), `<${script}>; rel=modulepreload, <${form}>; rel=preload; as=fetch; crossorigin=anonymous`);
    assert.doesNotThrow(() => new Headers({ link: header(base) }));
    assert.doesNotMatch(script + form, /[<>"'\s]/);
  }
  for (const base of /** @type {any[]} */ (["", undefined, 1])) assert.throws(() => tags(base), TypeError);
});

test("a question in English is shown without Intl, whose first use takes milliseconds", async () => {
  const page = await browser.page("/asks", {}, watch);
  await page.waitForFunction(() => window.isReady);
  assert.deepEqual(await page.evaluate(() => window.used), []);
});

test("the question is painted before the form is made once more, to take answers", async () => {
  const page = await browser.page("/asks", {}, hold);
  const shown = () => page.evaluate(() => document.querySelector("ask-user").shadowRoot.querySelector("[data-question]") !== null);
  await page.waitForFunction(() => window.wasReady !== undefined, undefined, { polling: 25 });
  assert.deepEqual([await shown(), await page.evaluate(() => window.wasReady)], [true, false]);
  await page.evaluate(() => window.paint());
  await page.waitForFunction(() => window.isReady, undefined, { polling: 25 });
});

test("large numbers in English are written without Intl, as Intl writes them", async () => {
  const page = await browser.page("/asks-many", {}, watch);
  await page.waitForFunction(() => window.isReady);
  assert.match(await page.locator("ask-user").locator(".progress, [part=progress]").first().textContent(), /1,000/);
  assert.deepEqual(await page.evaluate(() => window.used), []);
  const english = new Intl.NumberFormat("en");
  const words = new Words();
  const numbers = Array.from({ length: 46 }, (_, power) => [3 ** power, -(2 ** power), 2 ** power - 1]).flat();
  for (const number of [...numbers, 0, 999, 1_000, 999_999, 1e6, 0.5, -1234.5, Number.MAX_SAFE_INTEGER, 1e21]) assert.equal(words.text(number), english.format(number));
});

test("ten thousand options are painted before the events that list them are made", async () => {
  const page = await browser.page("/asks-much", {}, hold);
  await page.waitForFunction(() => document.querySelector("ask-user").shadowRoot?.querySelector("[data-question]"), undefined, { polling: 25 });
  await passed(page, 50);
  assert.notEqual(await page.evaluate(() => window.isReady), true);
  await page.evaluate(() => {
    document.addEventListener("ask-user-step", ({ detail }) => (window.listed = detail.step.question.options.length));
    window.paint();
  });
  await page.waitForFunction(() => window.isReady, undefined, { polling: 25 });
  assert.equal(await page.evaluate(() => window.listed), 10_000);
});

test("an element fetches the form before it has a request", async () => {
  const page = await browser.page("/waits");
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("form.rest.wasm")));
  assert.deepEqual(files(page), ["ask-user.js", "form.first.wasm", "form.rest.wasm"]);
});

test("nothing is fetched where the script that defines the element hands in the form", async () => {
  const page = await browser.page("/hands-first");
  await page.waitForFunction(() => customElements.get("ask-user"));
  await allDone(page);
  assert.deepEqual(files(page), ["ask-user.js"]);
});
