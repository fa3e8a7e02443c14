// The page of the inbox: questions that are put away for a while, the sound for new ones, and questions that have expired, which stand apart.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { Away, choices } from "../../pkg/src/inbox/away.js";
import { launch } from "./browser.mjs";
import { Home } from "./inbox-app.mjs";
import { becomes, stoppedTime, until } from "./wait.mjs";

const MINUTE = 60_000;

let browser;
let home;
const contexts = [];
before(async () => (browser = await launch()));
after(() => browser.close());
beforeEach(async () => {
  home = new Home();
  await home.start();
});
afterEach(async () => {
  while (contexts.length) await contexts.pop().close();
  await home.end();
});

/** In a page: takes the place of what rings. */
const SOUND = `
  window.tones = [];
  window.AudioContext = class {
    state = "suspended";
    currentTime = 0;
    resume() { this.state = "running"; return Promise.resolve(); }
    createOscillator() { return { frequency: {}, connect: (to) => to, start: () => window.tones.push("tone"), stop: () => undefined }; }
    createGain() { return { gain: { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined }, connect: (to) => to }; }
  };`;

/** A page of the inbox. */
async function visit(/** @type {{ script?: string, context?: import("playwright-core").BrowserContext }} */ { script, context } = {}) {
  const page = context ? await context.newPage() : await browser.page("/blank", {}, script);
  if (!context) contexts.push(page.context());
  await page.goto(context ? `${home.address}/` : await home.page());
  await page.locator("main").waitFor();
  return page;
}

/** Lets time pass for what is put away, in a page. */
const pass = (page, milliseconds) =>
  page.evaluate((passed) => {
    const all = Object.entries(JSON.parse(localStorage.getItem("ask-user inbox away")));
    localStorage.setItem("ask-user inbox away", JSON.stringify(Object.fromEntries(all.map(([id, until]) => [id, until - passed]))));
    dispatchEvent(new StorageEvent("storage", { key: "ask-user inbox away" }));
  }, milliseconds);

const put = async (text, more = {}) => (await home.program("POST", "/questions", { request: { questions: [{ id: "go", text, answer_type: "boolean" }] }, who: "Claude Code", ...more })).body.id;
const listed = (page) => page.locator(".open button b").allTextContents();
const away = (page) => page.locator(".put button b").allTextContents();
const chosen = (page) => page.locator(".open [aria-current=true] b").allTextContents();
const offered = (page) => page.locator(".away button").allTextContents();

test("a question that is put away leaves the list, its count and the form, and comes back at its time", async () => {
  const page = await visit();
  await put("Deploy now?");
  await put("And then?");
  await becomes(() => listed(page), ["Deploy now?", "And then?"]);
  assert.deepEqual(await offered(page), ["in 10 min", "in 1 h", "tomorrow 9:00"]);
  await page.getByRole("button", { name: "in 10 min" }).click();
  await becomes(() => listed(page), ["And then?"]);
  assert.deepEqual([await away(page), await chosen(page), await page.title()], [["Deploy now?"], ["And then?"], "(1) ask-user"]);
  assert.match(await page.locator(".put small").textContent(), /^until .*\. Show it now$/);
  // Another tab of the browser knows, also after a reload; the inbox does not.
  const other = await visit({ context: page.context() });
  await becomes(() => away(other), ["Deploy now?"]);
  assert.equal((await (await home.person()).open()).length, 2);
  await page.reload();
  await becomes(() => away(page), ["Deploy now?"]);
  await pass(page, 9 * MINUTE);
  await becomes(() => listed(page), ["And then?"]);
  await pass(page, MINUTE);
  await becomes(() => listed(page), ["Deploy now?", "And then?"]);
  await becomes(() => away(page), []);
  assert.equal(await page.title(), "(2) ask-user");
});

test("S leads to what puts a question away, and a press brings it back; the last one that is put away leaves a sentence", async () => {
  const page = await visit();
  await put("Deploy now?");
  await becomes(() => listed(page), ["Deploy now?"]);
  await page.keyboard.press("s");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "in 10 min");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await becomes(() => away(page), ["Deploy now?"]);
  assert.deepEqual([await listed(page), await page.locator("ask-user").count(), await page.title(), await page.locator(".empty p").textContent()], [[], 0, "ask-user", "You have put every question away."]);
  // The focus is where the question went.
  await page.keyboard.press("Enter");
  await becomes(() => listed(page), ["Deploy now?"]);
  assert.deepEqual([await chosen(page), await away(page), await page.evaluate(() => document.activeElement.dataset.id !== undefined)], [["Deploy now?"], [], true]);
  // In the search field, it is a letter.
  await page.locator("input[type=search]").press("s");
  assert.equal(await page.locator("input[type=search]").inputValue(), "s");
});

test("what is closed meanwhile is not put away any more, and nothing of it is kept", async () => {
  const page = await visit();
  const id = await put("Deploy now?");
  await becomes(() => listed(page), ["Deploy now?"]);
  await page.getByRole("button", { name: "in 1 h" }).click();
  await becomes(() => away(page), ["Deploy now?"]);
  await home.program("DELETE", `/questions/${id}`);
  await becomes(() => away(page), []);
  assert.equal(await page.evaluate(() => localStorage.getItem("ask-user inbox away")), "{}");
});

test("what is put away comes back by itself when its time is over", () => {
  const kept = new Map();
  const before = [globalThis.localStorage, globalThis.addEventListener];
  Object.defineProperty(globalThis, "localStorage", { configurable: true, writable: true, value: { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) } });
  globalThis.addEventListener = () => undefined;
  const time = stoppedTime({ withDate: true });
  try {
    let changes = 0;
    const put = new Away(() => (changes += 1));
    put.put("a", Date.now() + 10 * MINUTE);
    put.put("b", Date.now() + 40 * 24 * 60 * MINUTE);
    assert.equal(changes, 2);
    time.tick(10 * MINUTE - 1);
    assert.deepEqual([changes, put.until("a") > 0], [2, true]);
    time.tick(1);
    assert.deepEqual([changes, put.until("a"), put.until("b") > 0], [3, undefined, true]);
    // Another page of the browser begins with what is kept.
    const other = new Away(() => undefined);
    assert.equal(other.until("b"), put.until("b"));
    put.back("b");
    assert.equal(other.until("b"), undefined);
    put.keep([]);
    assert.deepEqual([changes, [...kept.values()]], [4, ["{}"]]);
  } finally {
    time.restore();
    [globalThis.localStorage, globalThis.addEventListener] = /** @type {any} */ (before);
  }
});

test("a question is put away until a time before it expires, and the morning is that of the next day", () => {
  const evening = new Date(2026, 10, 30, 23, 55).getTime();
  assert.deepEqual(choices(evening), [{ name: "minutes", until: evening + 10 * MINUTE }, { name: "hour", until: evening + 60 * MINUTE }, { name: "morning", until: new Date(2026, 11, 1, 9).getTime() }]);
  assert.deepEqual(choices(new Date(2026, 10, 30, 0, 5).getTime()).at(-1).until, new Date(2026, 11, 1, 9).getTime());
  assert.deepEqual(choices(evening, evening + 30 * MINUTE).map(({ name }) => name), ["minutes"]);
  assert.deepEqual(choices(evening, evening + 10 * MINUTE), []);
});

test("a question that expires soon cannot be put away, and one that has expired stands apart", async () => {
  const page = await visit();
  const [late, other] = [await put("Too late?", { expires_in: 300 }), await put("Answered?")];
  await becomes(() => listed(page), ["Too late?", "Answered?"]);
  assert.deepEqual(await offered(page), []);
  await home.program("DELETE", `/questions/${late}`);
  const person = await home.person();
  await person.answer(other, { go: true });
  const soon = await put("Gone?", { expires_in: 0.2 });
  const lines = (list) => page.locator(`${list} summary span`).allTextContents();
  await becomes(() => lines(".late .closed"), ["Gone?"]);
  await becomes(() => lines(".receipts > .closed"), ["Answered?", "Too late?"]);
  assert.equal(await page.locator(".late h3").textContent(), "Expired without an answer");
  assert.equal((await home.program("GET", `/questions/${soon}`)).body.state, "expired");
  await page.locator("input[type=search]").fill("Answered");
  await becomes(() => page.locator(".late").isHidden(), true);
});

test("the sound rings once in a browser for new questions, if that is wanted, and the browser keeps that", async () => {
  const page = await visit({ script: SOUND });
  const tones = () => page.evaluate(() => window.tones.length);
  await put("Silent?");
  await becomes(() => listed(page), ["Silent?"]);
  assert.equal(await tones(), 0);
  const sound = page.getByRole("button", { name: "Sound for new questions" });
  assert.equal(await sound.getAttribute("aria-pressed"), "false");
  await sound.click();
  await becomes(() => sound.getAttribute("aria-pressed"), "true");
  const before = await until(tones, "what it sounds like");
  await put("Loud?");
  await becomes(tones, before + 2);
  // What comes back after it was put away is new.
  await page.getByRole("button", { name: "in 10 min" }).click();
  await becomes(() => away(page), ["Silent?"]);
  await pass(page, 10 * MINUTE);
  await becomes(tones, before + 4);
  await page.reload();
  await becomes(() => page.getByRole("button", { name: "Sound for new questions" }).getAttribute("aria-pressed"), "true");
  await page.getByRole("button", { name: "Sound for new questions" }).click();
  await put("Silent again?");
  await becomes(async () => (await listed(page)).length, 3);
  assert.equal(await tones(), 0);
});
