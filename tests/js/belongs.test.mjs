// A form belongs to what it was begun with: its call, its addresses, its host and what was typed in it, whatever the page sets meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onPages } from "./browser.mjs";
import { Person } from "./person.mjs";
import { allDone, delivered, keepsStill, painted } from "./wait.mjs";

let browser;
let page;
let person;
onPages((there) => {
  ({ browser, page } = there);
  person = new Person(page);
});

const DELETE = (what) => ({ question: `Delete ${what}?`, answer_type: "boolean" });
const sent = () => browser.deliveries.map(({ path, body }) => [path, JSON.parse(body)]);
/** The page sets another request in another call, with addresses of its own. */
const another = (more = {}) =>
  page.evaluate(([request, more]) => {
    const form = window.form();
    form.setAttribute("tool-call-id", "b");
    form.setAttribute("respond-url", "/cancel");
    if (more.host) form.host = { layout: "steps", ...more.host };
    if (more.slow) form.host = { layout: "steps", storage: { get: () => new Promise((resolve) => (window.found = resolve)), set() {} } };
    form[more.several ? "requests" : "request"] = more.several ? [{ toolCallId: "b", request }] : request;
  }, [DELETE("the production database"), more]);

test("while another request is on its way, the form of the one before takes nothing", async () => {
  for (const several of [false, true]) {
    await person.ask(DELETE("the temporary files"), { attributes: { "tool-call-id": "a", "respond-url": "/respond" } });
    await another({ slow: true, several });
    await person.find("[data-answer=yes]").click();
    await page.evaluate(() => window.form().shadowRoot.querySelector("legend").focus());
    await person.press("y");
    await allDone(page);
    assert.deepEqual(sent(), []);
    assert.equal(await person.end(), undefined);
    await page.evaluate(() => window.found(null));
    await person.find("legend").filter({ hasText: "production" }).waitFor();
    await keepsStill(page);
    await person.click("[data-answer=no]");
    await delivered(browser.deliveries, 1);
    assert.deepEqual(sent(), [["/cancel", { answer_type: "boolean", answer: false }]]);
    browser.deliveries.length = 0;
  }
});

test("an answer that can still be undone goes where its own form was to send it", async () => {
  await person.ask(DELETE("the temporary files"), { attributes: { "tool-call-id": "a", "respond-url": "/respond" }, host: { undo: 30 } });
  await person.click("[data-answer=yes]");
  await another({ host: { undo: 0 } });
  await delivered(browser.deliveries, 1);
  assert.deepEqual(sent(), [["/respond", { answer_type: "boolean", answer: true }]]);
  assert.equal((await person.end()).toolCallId, "a");
});

test("a host that takes the answer itself is the one of the form, and a person who leaves before it has it is asked", async () => {
  await page.evaluate(async (request) => {
    window.took = [];
    await window.ask({ request, host: { undo: 30, deliver: ({ toolCallId }) => void window.took.push(["a", toolCallId]) }, attributes: { "tool-call-id": "a" } });
  }, DELETE("the temporary files"));
  const asks = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  await keepsStill(page);
  assert.equal(await asks(), false);
  await person.click("[data-answer=yes]");
  assert.equal(await asks(), true);
  await page.evaluate((request) => {
    const form = window.form();
    form.host = { deliver: ({ toolCallId }) => void window.took.push(["b", toolCallId]) };
    form.setAttribute("tool-call-id", "b");
    form.request = request;
  }, DELETE("the production database"));
  await person.find("legend").filter({ hasText: "production" }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.took), [["a", "a"]]);
  await allDone(page);
  assert.equal(await asks(), false);
  await keepsStill(page);
  await person.click("[data-answer=no]");
  await allDone(page);
  assert.deepEqual(await page.evaluate(() => window.took), [["a", "a"], ["b", "b"]]);
});

test("an address that comes after the form still takes its answer", async () => {
  await person.ask(DELETE("the temporary files"));
  await page.evaluate(() => window.form().setAttribute("respond-url", "/respond"));
  await person.click("[data-answer=yes]");
  await delivered(browser.deliveries, 1);
  assert.deepEqual(sent(), [["/respond", { answer_type: "boolean", answer: true }]]);
});

test("another call for the same request keeps what was typed", async () => {
  await person.ask({ questions: [{ id: "why", text: "Why?", answer_type: "text" }, { id: "more", text: "More?", answer_type: "text" }] }, { attributes: { "tool-call-id": "local-1" } });
  await person.find("[data-field]").fill("Because");
  await page.evaluate(() => window.form().setAttribute("tool-call-id", "call_abc"));
  await allDone(page);
  assert.equal(await person.find("[data-field]").inputValue(), "Because");
  await keepsStill(page);
  await person.click("[type=submit]");
  await person.find("[data-question=more]").waitFor();
  await person.find("[data-field]").fill("No");
  await page.evaluate(() => window.form().setAttribute("tool-call-id", "call_def"));
  await allDone(page);
  assert.equal(await person.find("[data-field]").inputValue(), "Because");
});

test("a walk that the page hands back late takes nothing away", async () => {
  await person.ask({ questions: [{ id: "a", text: "A?", answer_type: "text" }, { id: "b", text: "B?", answer_type: "text" }] });
  const late = [];
  for (const text of ["o", "on", "one"]) {
    await person.find("[data-field]").fill(text);
    late.push(await page.evaluate(() => JSON.stringify(window.form().walk)));
  }
  for (const walk of late) await page.evaluate((walk) => (window.form().walk = walk), walk);
  await allDone(page);
  assert.equal(await person.find("[data-field]").inputValue(), "one");
  await person.click("[type=submit]");
  await person.find("[data-question=b]").waitFor();
  await person.find("[data-field]").fill("two");
  await page.evaluate((walk) => (window.form().walk = walk), late[1]);
  await allDone(page);
  assert.equal(await person.find("[data-field]").inputValue(), "two");
});

test("no request is none, however it is said", async () => {
  for (const none of ["null", "undefined"]) {
    await person.ask(DELETE("the temporary files"), { attributes: { "respond-url": "/respond" } });
    await page.evaluate(`window.form().request = ${none}`);
    await allDone(page);
    assert.equal(await person.find("[part=base]").count(), 0);
    assert.deepEqual((await person.names()).filter((name) => name === "rejected"), []);
  }
  await painted(page);
  assert.deepEqual(sent(), []);
});

test("who asks with one call hears when another request takes the place of theirs", async () => {
  const how = (act) =>
    page.evaluate(async ([act, first]) => {
      const { ask } = await import("/pkg/dist/ask-user.js");
      const main = document.querySelector("main");
      main.replaceChildren();
      const asked = ask(first, { parent: main }).then(() => "answered", ({ name, message }) => `${name}: ${message}`);
      await new Promise((resolve) => main.firstElementChild.addEventListener("ask-user-ready", resolve, { once: true }));
      const acts = { another: { question: "Another?", answer_type: "boolean" }, none: undefined, text: "not JSON" };
      /** @type {any} */ (main.firstElementChild).request = acts[act];
      return asked;
    }, [act, DELETE("the temporary files")]);
  const replaced = "AbortError: Another request was set on the element.";
  assert.equal(await how("another"), replaced);
  assert.equal(await how("none"), replaced);
  assert.equal(await how("text"), replaced);
});
