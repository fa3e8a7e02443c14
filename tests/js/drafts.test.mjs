// When the agent asks again after a Reply or a rejection, the same questions start from what was answered or typed. Nothing is answered by it.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { takesAnswers, until } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => (browser = await launch()));
beforeEach(async () => {
  page = await browser.page();
  person = new Person(page);
});
afterEach(() => page.context().close());
after(() => browser.close());

const question = (id, answer_type, more = {}) => ({ id, text: `${id}?`, answer_type, ...more });
const NAME = question("name", "text");
const COUNT = question("count", "number");
const PLACE = question("place", "select", { options: ["here", "there"] });
const SOME = question("some", "multi_select", { options: ["x", "y", "z"] });
const SURE = question("sure", "boolean");
const KEY = question("key", "secret");
const LAST = question("last", "text");
const asking = (...questions) => ({ questions });
const find = (selector) => person.find(selector);
let calls = 1;
/** Sets another call's request on the same element, and waits for a question of it. */
const again = async (request, id) => {
  calls += 1;
  await page.evaluate(([request, call]) => (window.form().setAttribute("tool-call-id", call), (window.form().request = request)), [request, `call_${calls}`]);
  await takesAnswers(page, id ? `[data-question="${id}"]` : "[data-approval]");
};
const send = () => person.click("[type=submit]");
const fill = (words) => find("[data-field]").fill(words);
const reply = async (words = "Why?") => {
  await person.click("[data-way=reply]");
  await find(".reply textarea, #reply").first().fill(words);
  await page.keyboard.press("Enter");
  await person.settled();
};
const open = () => find("[data-question]").getAttribute("data-question");
const hint = () => find("[data-draft]").count();

test("after a Reply, the same questions start from the answers, one step at a time", async () => {
  const request = asking(NAME, COUNT, PLACE, SOME, LAST);
  await person.ask(request);
  await fill("Ada");
  await send();
  await fill("4");
  await send();
  await person.click("label[for=option-1]");
  await find("#option-0").check();
  await find("#option-2").check();
  await send();
  await fill("half a thou");
  await reply();
  assert.equal((await person.result()).cancelled, true);
  await page.evaluate(() => (window.seen.length = 0));

  await again(asking(...request.questions.map((one) => ({ ...one, context: "It is for the form." }))), "name");
  assert.equal(await find("[data-field]").inputValue(), "Ada");
  assert.equal(await hint(), 1);
  assert.match(await find("[data-draft]").textContent(), /Not sent/);
  assert.deepEqual(await person.barriers(), []);
  assert.deepEqual((await person.names()).filter((name) => name === "result"), [], "nothing is answered by itself");
  await send();
  assert.equal(await find("[data-field]").inputValue(), "4");
  await send();
  assert.equal(await find("#option-1").isChecked(), true);
  await send();
  assert.deepEqual(await find("[data-option]").evaluateAll((all) => all.map(({ checked }) => checked)), [true, false, true]);
  await send();
  assert.equal(await find("[data-field]").inputValue(), "half a thou", "typed and never sent");
  await fill("a thought");
  await send();
  assert.deepEqual(await person.result(), { name: "Ada", count: 4, place: "there", some: ["x", "z"], last: "a thought" });
  // What was answered is no draft any more.
  await again(asking(NAME, LAST), "name");
  assert.equal(await find("[data-field]").inputValue(), "");
});

test("a question with another text, type or options starts empty", async () => {
  await person.ask(asking(NAME, PLACE, LAST));
  await fill("Ada");
  await send();
  await person.click("label[for=option-1]");
  await reply();
  await again(asking({ ...NAME, text: "Whose?" }, { ...PLACE, options: ["here", "there", "nowhere"] }), "name");
  assert.deepEqual([await find("[data-field]").inputValue(), await hint()], ["", 0]);
  await fill("x");
  await send();
  assert.equal(await find(":checked").count(), 0);
});

test("a yes, a secret and a tool call never start from anything", async () => {
  await person.ask(asking(SURE, KEY, NAME));
  await person.click("[data-answer=yes]");
  await fill("hunter2");
  await send();
  await fill("Ada");
  await reply();
  const drafts = await page.evaluate(() => JSON.stringify(window.form().drafts));
  assert.ok(!/hunter2|sure|key/.test(drafts), drafts);
  await again(asking(SURE, KEY, NAME), "sure");
  assert.equal(await find("[data-suggested]").count() + (await find("#suggestion").count()), 0);
  await person.click("[data-answer=no]");
  assert.equal(await find("[data-field]").inputValue(), "");
  const approvals = { action_requests: [{ name: "rm", args: { path: "/" } }, { name: "ls", args: {} }], review_configs: [{ action_name: "rm", allowed_decisions: ["approve", "reject"] }, { action_name: "ls", allowed_decisions: ["approve", "reject"] }] };
  await again(approvals);
  await find("[data-decision=approve]").first().check();
  await reply();
  await again(approvals);
  await find("[data-decision]").first().waitFor();
  assert.equal(await find(":checked").count(), 0);
});

test("what was typed before a request is rejected is there in the next one", async () => {
  const broken = question("config", "schema", { schema: { type: "nonsense" } });
  let release;
  browser.meddle = (request, response, forward) => (/validator\.first\.wasm/.test(request.url) && !release ? void (release = forward) : forward());
  await page.evaluate((request) => {
    const element = Object.assign(document.createElement("ask-user"), { host: { layout: "steps" } });
    element.request = request;
    document.querySelector("main").replaceChildren(element);
  }, asking(NAME, LAST, broken));
  await takesAnswers(page, "[data-question=name]");
  await fill("Ada");
  await send();
  await fill("typed");
  await until(() => release, "the request for the validator");
  release();
  browser.meddle = undefined;
  await find("[role=alert]").waitFor();
  await again(asking(NAME, LAST), "name");
  assert.equal(await find("[data-field]").inputValue(), "Ada");
  await send();
  assert.equal(await find("[data-field]").inputValue(), "typed");
});

test("a request that becomes no form at all takes no drafts away", async () => {
  await person.ask(asking(NAME, LAST));
  await fill("Ada");
  await send();
  await reply();
  await page.evaluate(() => (window.form().request = { questions: [] }));
  await find("[role=alert]").waitFor();
  await again(asking(NAME, LAST), "name");
  assert.equal(await find("[data-field]").inputValue(), "Ada");
});

test("in a queue, the drafts of one call wait over the others for the call that asks again", async () => {
  const set = (requests) => page.evaluate((requests) => (window.form().requests = requests), requests);
  await page.evaluate(() => document.querySelector("main").replaceChildren(Object.assign(document.createElement("ask-user"), { host: { layout: "steps" } })));
  const first = { toolCallId: "a", request: asking(NAME, LAST) };
  const second = { toolCallId: "b", request: asking(COUNT) };
  await set([first, second]);
  await takesAnswers(page, "[data-question=name]");
  await fill("Ada");
  await send();
  await reply();
  await takesAnswers(page, "[data-question=count]");
  await fill("4");
  await send();
  await set([{ toolCallId: "c", request: asking(NAME) }]);
  await find("[data-question=name]").waitFor();
  assert.equal(await find("[data-field]").inputValue(), "Ada");
});

test("drafts can be kept by the page and given to another element; a reload keeps them with the walk", async () => {
  await person.ask(asking(NAME, LAST));
  await fill("Ada");
  await send();
  await fill("typed");
  await reply();
  const drafts = await page.evaluate(() => window.form().drafts);
  const given = async (drafts, saved) => {
    await page.evaluate(
      ({ drafts, saved, request }) => {
        const element = document.createElement("ask-user");
        Object.assign(element, { host: { layout: "steps" }, drafts, request, walk: saved });
        document.querySelector("main").replaceChildren(element);
      },
      { drafts, saved, request: asking(NAME, LAST) },
    );
    await takesAnswers(page, "[data-question]");
  };
  await given(drafts);
  assert.equal(await find("[data-field]").inputValue(), "Ada");
  await fill("Ida");
  const saved = await page.evaluate(() => window.form().walk);
  await page.reload();
  await page.evaluate(() => customElements.whenDefined("ask-user"));
  await given(undefined, saved);
  assert.equal(await find("[data-field]").inputValue(), "Ida");
  await send();
  assert.equal(await find("[data-field]").inputValue(), "typed");
  await person.click("[data-way=back]");
  assert.equal(await find("[data-field]").inputValue(), "Ida", "Back gives the answer, not the older draft");
});

test("the end of the turn leaves no drafts", async () => {
  await person.ask(asking(NAME, LAST));
  await fill("Ada");
  await send();
  await person.click("[data-way=end-turn]");
  await person.click(".ways .primary, [data-end-turn]").catch(() => person.press("Enter"));
  assert.deepEqual(await page.evaluate(() => window.form().drafts), {});
});
