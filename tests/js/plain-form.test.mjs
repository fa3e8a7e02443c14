// The form without a script: the agent host writes it as HTML and takes what a browser posts whose scripts are switched off.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { AgentHost } from "./agent-host.mjs";
import { ENGINE, openChromium } from "./browser.mjs";
import { play } from "./case.mjs";
import { ModelServer } from "./model-server.mjs";
import { PlainForm, hiddenIn } from "./plain-form.mjs";

const options = { skip: ENGINE !== "chromium" && "scripts are switched off in Chromium alone" };
const CASES = JSON.parse(readFileSync(new URL("../vectors/walk.json", import.meta.url), "utf8"));

let server;
let host;
let browser;
let form;
before(async () => {
  server = await ModelServer.start();
  host = await AgentHost.start({ options: ["--model", server.url, "--model-name", "test-model"], environment: { OPENAI_API_KEY: "" } });
  browser = await openChromium();
});
beforeEach(async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 700, height: 700 } });
  form = new PlainForm(host, server, context);
});
after(async () => {
  await browser?.close();
  await host?.close();
  await server?.close();
});

for (const case_ of CASES) {
  test(`walk.json without a script: ${case_.name}`, options, async () => {
    await play(case_, form);
  });
}

const ask = (...questions) => ({ questions });
const danger = { id: "drop", text: "Delete the production database?", answer_type: "boolean", danger: true };

test("an answer that cannot be undone is confirmed once more, and only the one that was asked", options, async () => {
  await form.open({ request: ask({ ...danger, id: "which", answer_type: "select", danger: undefined, options: ["keep", { value: "drop", danger: true }, { value: "wipe", danger: true }] }) });
  await form.find("[data-option='\"drop\"']").check();
  await form.press(".actions .primary");
  assert.match(await form.find("[data-confirming]").textContent(), /drop/);
  assert.equal((await form.saved()).includes('"answer"'), false, "nothing was answered yet");
  // Another option is chosen while the form asks: that is none that was asked about.
  await form.find("[data-option='\"wipe\"']").check();
  await form.press("[data-confirm]");
  assert.equal((await form.saved()).includes('"answer"'), false, "nothing was answered yet");
  assert.ok(await form.find("[data-option='\"wipe\"']").isChecked());
  await form.press(".actions .primary");
  assert.match(await form.find("[data-confirming]").textContent(), /wipe/);
  await form.press("[data-confirm]");
  assert.deepEqual((await form.ending()).outcome, { ends: "completed", result: { which: "wipe" } });
});

test("cancelling and Back lead away from it", options, async () => {
  await form.open({ request: ask({ id: "first", text: "First?", answer_type: "text" }, danger) });
  await form.find("[data-field]").fill("a");
  await form.press(".actions .primary");
  await form.press("[data-answer=yes]");
  await form.press("[data-cancel]");
  assert.equal(await form.find("[data-confirming]").count(), 0);
  await form.press("[data-answer=yes]");
  await form.press("[data-way=back]");
  assert.equal(await form.find("[data-question]").getAttribute("data-question"), "first");
});

test("Enter in a field sends it, and never presses another button", options, async () => {
  await form.open({ request: ask({ id: "name", text: "Name?", answer_type: "text", max_length: 20, notes: true }, danger), layout: "page" });
  const field = form.find("[data-on-page=name] input").first();
  await field.fill("Ada");
  await Promise.all([form.page.waitForEvent("load"), field.press("Enter")]);
  // The required yes or no beside it was not chosen.
  assert.equal(await form.find(".error[data-code=required]").count(), 1);
  assert.equal(await field.inputValue(), "Ada", "what was typed is still there");
});

test("a link from another site opens the form", options, async () => {
  await form.open({ request: ask({ id: "a", text: "A?", answer_type: "boolean" }) });
  const other = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  const link = `${host.url}/conversations/${form.id}/form?token=${host.token(form.id)}`;
  await other.goto(`data:text/html,<a href="${link}">open</a>`);
  await other.click("a");
  await other.locator("ask-user").locator("[data-answer=yes]").waitFor();
  assert.equal(other.url().includes("token"), false);
});

test("the focus goes where it goes with a script: to a panel that was opened, and to the field of a refused answer", options, async () => {
  const focused = () => form.page.evaluate(() => document.querySelector("ask-user").shadowRoot.activeElement?.outerHTML ?? "");
  await form.open({ request: ask({ id: "name", text: "Name?", answer_type: "text", pattern: "[a-z]+" }) });
  await form.press("[data-way=reply]");
  assert.match(await focused(), /^<textarea id="reply"/);
  await form.press("[data-cancel]");
  await form.find("[data-field]").fill("A1");
  await form.press(".actions .primary");
  assert.match(await focused(), /data-field/);
});

test("a question that was answered in another tab takes nothing more", options, async () => {
  await form.open({ request: ask({ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "boolean" }) });
  const other = await form.page.context().newPage();
  await other.goto(form.page.url());
  await form.press("[data-answer=yes]");
  // Its answer to A would be one to B.
  await Promise.all([other.waitForEvent("load"), other.locator("ask-user").locator("[data-answer=no]").click()]);
  assert.match(await other.locator("[role=alert]").first().textContent(), /has changed/);
  assert.equal(await other.locator("ask-user").locator("[data-question]").getAttribute("data-question"), "b");
  await form.press("[data-answer=yes]");
  assert.deepEqual((await form.ending()).outcome.result, { a: true, b: true });
});

test("a page that was loaded again, or gone back to, sends nothing twice", options, async () => {
  await form.open({ request: ask({ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "boolean" }) });
  await form.press("[data-answer=yes]");
  await form.page.goBack();
  if ((await form.find("[data-question]").getAttribute("data-question")) === "a") await form.press("[data-answer=no]");
  await form.page.reload();
  assert.equal(await form.find("[data-question]").getAttribute("data-question"), "b");
  await form.press("[data-answer=no]");
  assert.deepEqual((await form.ending()).outcome.result, { a: true, b: false });
});

test("a secret is in no page, no saved walk and no record", options, async () => {
  const secret = "hunter2-hunter2";
  await form.open({ request: ask({ id: "key", text: "Key?", answer_type: "secret" }, { id: "b", text: "B?", answer_type: "boolean" }) });
  await form.find("input[type=password]").fill(secret);
  await form.press(".actions .primary");
  assert.equal((await form.shown()).includes(secret), false);
  await form.press("[data-way=back]");
  assert.equal((await form.shown()).includes(secret), false);
  await form.find("input[type=password]").fill(secret);
  await form.press(".actions .primary");
  await form.press("[data-answer=yes]");
  const { outcome } = await form.ending();
  assert.equal(outcome.ends, "completed");
  assert.equal(host.stored().includes(secret), false);
});

test("an answer that does not fit stays as it was typed", options, async () => {
  await form.open({ request: ask({ id: "name", text: "Name?", answer_type: "text", pattern: "[a-z]+" }) });
  await form.find("[data-field]").fill("A1");
  await form.press(".actions .primary");
  assert.equal(await form.find(".error[data-code]").getAttribute("data-code"), "pattern_mismatch");
  assert.equal(await form.find("[data-field]").inputValue(), "A1");
  await form.find("[data-field]").fill("ada");
  await form.press(".actions .primary");
  assert.deepEqual((await form.ending()).outcome.result, { name: "ada" });
});

test("a panel that is closed again loses nothing", options, async () => {
  const request = ask({ id: "env", text: "Where?", answer_type: "boolean", optional: true }, { id: "n", text: "How many?", answer_type: "number", minimum: 2 });
  await form.open({ request });
  await form.press("[data-answer=no]");
  await form.find("[data-field]").fill("1");
  await form.press(".actions .primary");
  assert.equal(await form.find(".error[data-code]").count(), 1);
  await form.press("[data-way=end-turn]");
  await form.press("[data-cancel]");
  assert.equal(await form.find("[data-field]").inputValue(), "1");
  await form.find("[data-field]").fill("7");
  await form.press(".actions .primary");
  assert.deepEqual((await form.ending()).outcome.result, { env: false, n: 7 });
});

test("a follow-up is seen before anything is sent", options, async () => {
  const request = ask({ id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"] }, { id: "why", text: "Why?", answer_type: "text", when: { question_id: "env", equals: "production" } });
  await form.open({ request, layout: "page" });
  await form.find("[data-option='\"production\"']").check();
  await form.press(".actions .primary");
  await form.find("[data-on-page=why] [data-field]").fill("because");
  await form.press(".actions .primary");
  assert.deepEqual((await form.ending()).outcome.result, { env: "production", why: "because" });
});

test("what nobody could have posted changes nothing", options, async () => {
  await form.open({ request: ask(danger, { id: "b", text: "B?", answer_type: "multi_select", options: ["x", "y"] }) });
  const hidden = hiddenIn(await form.shown());
  assert.equal(hidden.length, 5);
  const url = `${host.url}/conversations/${form.id}/form`;
  const cookie = { Cookie: `conversation=${host.token(form.id)}` };
  const post = (pairs, headers = cookie) => fetch(url, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(pairs) });
  const before = await form.saved();
  const without = (name) => hidden.filter(([known]) => known !== name);
  const tries = [
    [], [[".press", "data-answer=yes"]], [...without(".at"), [".press", "data-answer=yes"]], [...hidden, [".press", "data-confirm"]], [...hidden, [".press", "data-confirm="], [".panel", "confirm"]],
    [...without(".led"), [".led", "data-answer=yes"], [".press", "data-confirm="]], [...hidden, [".press", "data-submit="]], [...hidden, [".press", "x".repeat(100_000)]],
    [...without(".panel"), [".panel", "confirm"], [".led", "data-answer=yes"], [".meant", "0"], [".press", "data-confirm="]], ...Array.from({ length: 40 }, (_, place) => [...hidden, [`f${place}`, "\u0000\u{1f980}"], ["option", `option-${place}`], [".press", ["data-way=keys", "", "data-way=reply", "data-undo="][place % 4]]]),
  ];
  for (const pairs of tries) {
    const { status } = await post(pairs);
    assert.ok([200, 303, 409].includes(status), `${status} for ${JSON.stringify(pairs).slice(0, 200)}`);
    assert.equal(await form.saved(), before, JSON.stringify(pairs).slice(0, 200));
  }
  assert.equal((await post(hidden, /** @type {any} */ ({}))).status, 403, "without the cookie");
  for (const token of ["", "x", "x; Path=/", "x\r\nSet-Cookie: a=b"]) {
    const linked = await fetch(`${url}?${new URLSearchParams({ token })}`, { redirect: "manual", headers: cookie });
    assert.deepEqual([linked.status, linked.headers.get("set-cookie")], [403, null], `${token} takes the place of no cookie`);
  }
  assert.equal((await post(hidden, { ...cookie, Origin: "https://example.com" })).status, 403, "from another origin");
  const [large, json] = await Promise.all([fetch(url, { method: "POST", headers: { ...cookie, "Content-Type": "application/x-www-form-urlencoded" }, body: `a=${"b".repeat(9_000_000)}` }), fetch(url, { method: "POST", headers: { ...cookie, "Content-Type": "application/json" }, body: "{}" })]);
  assert.deepEqual([large.status, json.status], [413, 415]);
});
