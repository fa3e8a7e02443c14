// What docs/comparison.md says of Adaptive Cards and of the form, tried with the package `adaptivecards` itself. `WRITE=1` writes the pictures there.
// `npm ci` in this folder first.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { launch, WATCH } from "../js/browser.mjs";
import { palettePng, read } from "../js/pictures.mjs";
import { POLICY } from "../../playground/server.mjs";
import { keepsStill, painted } from "../js/wait.mjs";
import { bundle } from "./bundle.mjs";

const DOCS = new URL("../../docs/", import.meta.url);
const CONTENT = `<!doctype html><html lang="en"><title>Side by side</title>${WATCH}
<link rel="stylesheet" href="/cards.css"><link rel="stylesheet" href="/page.css">
<div id="app"></div><script type="module" src="/comparison.js"></script></html>`;

const PAGE = "body { margin: 0; font-family: system-ui } #app { display: grid; width: 520px } #app > div { padding: 12px }";

let browser;
let page;
before(async () => {
  const cards = readFileSync(new URL("node_modules/adaptivecards/dist/adaptivecards.css", import.meta.url), "utf8");
  const policy = POLICY.replace(/(require-)?trusted-types[^;]*;? ?/g, "");
  browser = await launch({ pages: { "/comparison": { content: CONTENT, policy }, "/strict": CONTENT, "/comparison.js": await bundle("apps/comparison.js"), "/cards.css": cards, "/page.css": PAGE } });
});
after(() => browser.close());

const ours = (selector) => page.locator("ask-user").locator(selector);
const theirs = (selector) => page.locator("#theirs").locator(selector);
const sent = () => page.evaluate(() => [window.results, window.submitted]);

async function opened() {
  page = await browser.page("/comparison", { viewport: { width: 544, height: 1000 } });
  await page.locator("ask-user [data-on-page=notify]:not([inert] *)").waitFor();
  // The module for Markdown is fetched after the first paint. For 500 ms after it has changed the text, no press counts.
  await ours("legend strong").first().waitFor();
  await painted(page);
  await keepsStill(page);
  // The card says on the console that Markdown is not rendered without a library.
  page.faults.length = 0;
}
afterEach(() => page.context().close());

/** Fills in both but for yes or no. */
async function filled() {
  await ours("[data-on-page=environment] label").first().click();
  await ours("[data-on-page=copies] input").fill("3");
  await theirs("input[type=radio]").first().click();
  await theirs("input[type=number]").fill("3");
}

test("a yes or no that nobody touched is \"false\" in a card, and a question in the form", async () => {
  await opened();
  await filled();
  await ours("[type=submit]").click();
  await theirs("button").click();
  assert.deepEqual(await sent(), [[], [{ environment: "staging", copies: "3", notify: "false" }]]);
  await ours("[data-on-page=notify] [data-code=required]").waitFor();
});

test("a number comes as text from a card, and as a number from the form; two clicks are two answers of a card, and one of the form", async () => {
  await opened();
  await filled();
  await ours("[data-on-page=notify] label").first().click();
  await ours("[type=submit]").dblclick();
  await theirs("input[type=checkbox]").click();
  await theirs("button").dblclick();
  const [results, submitted] = await sent();
  assert.deepEqual(results, [{ environment: "staging", copies: 3, notify: true }]);
  assert.deepEqual(submitted, [1, 2].map(() => ({ environment: "staging", copies: "3", notify: "true" })));
});

test("what is wrong is said in words by the form, and by a card where its author has written them", async () => {
  await opened();
  await ours("[type=submit]").click();
  assert.equal(await ours(".wrong li").count(), 3);
  assert.match(await ours("[data-on-page=copies] [data-code]").textContent(), /\w/);
  const before = await page.locator("#theirs").innerText();
  await theirs("button").click();
  assert.deepEqual((await sent())[1], []);
  assert.equal(await page.locator("#theirs").innerText(), before);
});

test("Markdown is rendered by the form, and by a card with a library of the host's", async () => {
  await opened();
  await ours("legend strong").getByText("2.0", { exact: true }).waitFor();
  assert.match(await page.locator("#theirs").innerText(), /\*\*2\.0\*\*/);
});

test("a page without policies for markup has the form, and no card", async () => {
  page = await browser.page("/strict", { viewport: { width: 544, height: 1000 } });
  await page.waitForFunction(() => customElements.get("ask-user"));
  assert.equal(await page.locator("#theirs").count(), 0);
  assert.match(page.faults.splice(0).join(), /Policy "adaptivecards[^"]*" disallowed/);
});

test("the pictures in docs/comparison.md are there; WRITE=1 writes them", async () => {
  await opened();
  await filled();
  await page.mouse.move(0, 0);
  await page.evaluate(() => /** @type {any} */ (document.activeElement).blur());
  for (const id of ["ours", "theirs"]) {
    const file = new URL(`comparison/${id}.png`, DOCS);
    const picture = read(await page.locator(`#${id}`).screenshot());
    if (process.env.WRITE === "1") {
      mkdirSync(new URL(".", file), { recursive: true });
      writeFileSync(file, palettePng(picture));
    }
    // Fonts differ from machine to machine, and so do heights by some lines.
    const { width, height } = picture;
    assert.equal(width, 520);
    assert.ok(readFileSync(file).length > 1_000 && height > 200);
    assert.ok(readFileSync(new URL("comparison.md", DOCS), "utf8").includes(`comparison/${id}.png`));
  }
});
