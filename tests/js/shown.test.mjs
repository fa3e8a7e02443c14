// What is shown is what is meant and sent: names stand as they are written, verdicts and fields are told apart, and what was not sent says so.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrived } from "./person.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

/** Names that Markdown would change. */
const NAMES = ["__init__.py", "\\\\server\\share", "C:\\\\temp", "2*3*4", "~~x~~", "&amp;", "**/*.ts", "*.md", "_private", "[x](https://a.example)", "`code`", "https://a.example/"];

test("options, headers and what confirms or answers a question are shown as they are written", async () => {
  await person.ask({ questions: [{ id: "q", header: "__H__ *x*", text: "Which?", answer_type: "select", options: NAMES.map((value) => ({ value, danger: true })) }] });
  assert.deepEqual(await person.find(".name").allTextContents(), NAMES);
  assert.equal(await person.find(".header").textContent(), "__H__ *x*");
  for (const [place, name] of NAMES.entries()) {
    await person.find(`label[for=option-${place}]`).click({ position: { x: 5, y: 5 } });
    await person.click(".actions [type=submit]");
    assert.equal(await person.find("[data-confirming] .answer").textContent(), name);
    await person.click("[data-confirming] [data-cancel]");
  }
  await person.click(".actions [type=submit]");
  await person.click("[data-confirm]");
  assert.equal(await person.find(".receipt dd .answer").textContent(), NAMES.at(-1));
  assert.equal(await person.find(".receipt .brief").textContent(), `${NAMES.at(-1)} · Which?`);
  assert.equal(await person.find("a").count(), 0);
});

test("a question renders code, bold words, lists and fences, and nothing that a name, a path or a pattern has", async () => {
  for (const name of NAMES.filter((name) => !name.includes("`"))) {
    await person.ask({ question: `Delete \`it\`: ${name}`, answer_type: "boolean" });
    await person.find("legend code").waitFor();
    assert.equal(await person.find("legend .text").textContent(), `Delete it: ${name}`);
  }
  for (const [text, html] of [
    ["**Drop** `a__b` and **all of it**?", "<strong>Drop</strong> <code>a__b</code> and <strong>all of it</strong>?"],
    ["src/**/a and b/** **now**", "src/**/a and b/** <strong>now</strong>"],
    ["2**3 `x` 4**5 ** a ** **a", "2**3 <code>x</code> 4**5 ** a ** **a"],
    ["(**a**), \"**b**\". **`c`**", "(<strong>a</strong>), \"<strong>b</strong>\". <strong><code>c</code></strong>"],
    ["Which?\n- `a`\n- **b**", '<p dir="auto">Which?</p><ul dir="auto"><li dir="auto"><code>a</code></li><li dir="auto"><strong>b</strong></li></ul>'],
    ["One `line`\ntwo", "One <code>line</code>\ntwo"],
    ["Deploy `main` to https://prod.example/?", "Deploy <code>main</code> to https://prod.example/?"],
    ["Which?\n- [x] `a`", '<p dir="auto">Which?</p><ul dir="auto"><li dir="auto">[x] <code>a</code></li></ul>'],
  ]) {
    await person.ask({ questions: [{ id: "q", text, answer_type: "boolean" }] });
    await person.find("legend .md").waitFor();
    assert.equal(await person.find("legend .text").evaluate(({ innerHTML }) => innerHTML), html);
  }
  await person.ask({ questions: [{ id: "q", text: "```sh\nrm -r build\n```\nRun it?", answer_type: "boolean" }] });
  await person.find("legend pre").waitFor();
  assert.equal(await person.find("legend pre").textContent(), "rm -r build");
  assert.deepEqual(await person.barriers(), []);
});

test("an address is shown whole in a narrow window, and so are its host and what opens it", async () => {
  await page.setViewportSize?.({ width: 360, height: 640 });
  await page.evaluate(() => (document.querySelector("main").style.inlineSize = "344px"));
  const host = `${["bank.example.com", ..."abcdef"].map((part) => part.padEnd(30, "x")).join(".")}.evil.example`;
  for (const url of [`https://${host}/authorize`, `https://good.example/${"long/".repeat(200)}?next=${"y".repeat(500)}`]) {
    await person.ask({ mode: "url", message: "Open it?", url, elicitationId: "e" }, { attributes: { dialect: "mcp" } });
    assert.equal(await person.find("[part=address]").textContent(), url);
    for (const selector of ["[part=address]", "[data-open]"]) {
      const { is, ...place } = await person.find(selector).evaluate((node) => {
        const { left, right } = node.getBoundingClientRect();
        return { is: node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight && left >= 0 && right <= innerWidth, left, right, scroll: [node.scrollWidth, node.clientWidth, node.scrollHeight, node.clientHeight] };
      });
      assert.ok(is, `${selector} of ${url.slice(0, 40)}: ${JSON.stringify(place)}`);
    }
    // It is opened once its end was in sight.
    await page.evaluate(() => scrollTo(0, 0));
    const end = () => person.find("[part=address] [data-end]").evaluate((node) => node.getBoundingClientRect().bottom <= innerHeight + 1);
    const isSeen = await end();
    if (page.setViewportSize) assert.equal(isSeen, url.length < 400);
    await person.find("[data-open]").evaluate((link) => {
      link.removeAttribute("target");
      link.addEventListener("click", (event) => ((window.isStopped = event.defaultPrevented), event.preventDefault()));
      link.click();
    });
    assert.equal(await page.evaluate(() => window.isStopped), !isSeen);
    assert.equal(await end(), true);
    await person.find("[data-open]").evaluate((link) => link.click());
    assert.equal(await page.evaluate(() => window.isStopped), false);
  }
  await page.evaluate(() => (document.querySelector("main").style.inlineSize = ""));
});

test("in a server's form nothing is a link", async () => {
  const requestedSchema = { type: "object", properties: { a: { type: "string", description: "See [docs](https://docs.example/) **now**" } } };
  await person.ask({ mode: "form", message: "**Read** https://docs.example/", requestedSchema }, { attributes: { dialect: "mcp" } });
  await person.find(".md strong").first().waitFor();
  assert.equal(await person.find("a").count(), 0);
  assert.match(await person.find(".step").textContent(), /docs \(https:\/\/docs\.example\/\)/);
});

const calls = (...names) => ({ action_requests: names.map((name) => ({ name, args: { n: 1 } })), review_configs: names.map((action_name) => ({ action_name, allowed_decisions: ["approve", "reject"] })) });
const verdict = async () => [await person.find(".receipt .mark").textContent(), await person.find(".receipt .ends").textContent()];

test("a receipt says whether calls were approved or rejected, and how many of each", async () => {
  await person.ask(calls("deploy"));
  await person.click("[data-decision=approve]");
  assert.deepEqual(await verdict(), ["✓", "Approved"]);
  await person.ask(calls("deploy"));
  await person.click("[data-decision=reject]");
  await person.click("[type=submit]");
  assert.deepEqual(await verdict(), ["✕", "Rejected"]);
  assert.equal(await person.find("[data-done]").count(), 0);
  await person.ask(calls("deploy", "drop", "look"));
  for (const [place, decision] of ["approve", "reject", "approve"].entries()) await person.find("[data-approval]").nth(place).locator(`[data-decision=${decision}]`).click();
  await person.click(".actions [type=submit]");
  assert.deepEqual(await verdict(), ["✓✕", "2 approved, 1 rejected"]);
  await person.ask({ question: "Go on?", answer_type: "boolean" });
  await person.click("[data-answer=no]");
  assert.deepEqual(await verdict(), ["✓", "Answered"]);
  await person.ask({ question: "Go on?", answer_type: "boolean" });
  await person.click("[data-way=end-turn]");
  await person.click("[data-end-turn]");
  assert.equal(await person.find("[data-done]").count(), 0);
});

test("an answer that could not be sent is not shown as answered", async () => {
  browser.meddle = (request, response, forward) => (request.url.startsWith("/respond") ? response.writeHead(400).end() : forward());
  await person.ask({ question: "Go on?", answer_type: "boolean" }, { attributes: { "respond-url": "/respond" } });
  await person.click("[data-answer=yes]");
  await person.find("[data-delivery=failed]").waitFor();
  assert.deepEqual(await verdict(), ["!", "Not sent yet"]);
  assert.equal(await person.find("[data-done]").count(), 0);
  browser.meddle = undefined;
  await person.click("[data-again]");
  await person.find("[data-delivery=sent]").waitFor();
  assert.deepEqual(await verdict(), ["✓", "Answered"]);
});

test("all that was chosen on a page or for several calls, and not sent, stands in the receipt of a reply", async () => {
  const yes = (id) => ({ id, text: `${id}?`, answer_type: "select", options: ["one", "two"] });
  const rows = () => person.find(".receipt .row").evaluateAll((all) => all.map((row) => [...row.querySelectorAll("dt, dd")].map(({ textContent }) => textContent)));
  const reply = async () => {
    await person.click("[data-way=reply]");
    await person.find("#reply").fill("Ask Ada.");
    await person.click("[data-send-reply]");
  };
  await person.ask({ questions: ["a", "b", "c"].map(yes) }, { host: { layout: "page" } });
  for (const place of [1, 2]) await person.find("fieldset[part=question], [data-field-of], fieldset").nth(place).locator("label").first().click();
  await reply();
  assert.deepEqual(await rows(), [["a?", "Not answered"], ["b?", "one", "Not sent"], ["c?", "one", "Not sent"]]);
  await person.ask(calls("deploy", "drop"));
  for (const place of [1, 2]) await person.find(`[data-approval=q${place}] [data-decision=approve]`).click();
  await reply();
  assert.deepEqual((await rows()).map((row) => row.at(-1)), ["Not sent", "Not sent"]);
});

test("what was chosen and not sent stands in the receipt of a reply, and says so", async () => {
  await person.ask({ questions: [{ id: "env", text: "Where?", answer_type: "multi_select", options: ["staging", "production"] }, { id: "why", text: "Why?", answer_type: "text" }] }, { host: { layout: "steps" } });
  await person.find("label[for=option-1]").click();
  await person.click("[data-way=reply]");
  await person.find("#reply").fill("Ask Ada.");
  await person.click("[data-send-reply]");
  assert.deepEqual(await person.find(".receipt .row").first().locator("dd").allTextContents(), ["production", "Not sent"]);
});

test("fields with one title are told apart by their names: in the form, in the errors and in the fields of a schema", async () => {
  const properties = { first: { type: "string", title: "Name" }, second: { type: "string", title: "Name" }, third: { type: "string", title: "Name (first)" } };
  await person.ask({ mode: "form", message: "Who?", requestedSchema: { type: "object", properties, required: ["first", "second", "third"] } }, { host: { layout: "page" }, attributes: { dialect: "mcp" } });
  assert.deepEqual(await person.find("legend .text").allTextContents(), ["Name (first)", "Name (second)", "Name (first) (third)"]);
  await person.click(".actions [type=submit]");
  assert.deepEqual(await person.find("[data-wrong]").allTextContents(), ["Name (first)", "Name (second)", "Name (first) (third)"]);
  await person.askJson({ type: "object", properties, required: ["first", "second", "third"] });
  await person.find(".property-name").first().waitFor();
  assert.deepEqual(await person.find(".property-name:not(.also .property-name)").allTextContents(), ["Name (first)", "Name (second)", "Name (first) (third)"]);
});

test("a form says that its agent has gone on, in steps and on a page, where the agent does not wait", async () => {
  const request = { questions: [{ id: "a", text: "Which?", answer_type: "text" }, { id: "b", text: "Why?", answer_type: "text" }] };
  const line = () => person.find("[data-gone-on]");
  for (const layout of ["steps", "page"]) {
    await person.ask(request, { host: { layout, blocking: false } });
    assert.equal(await line().textContent(), "The agent has gone on. Your answer reaches it as a message.", layout);
    await person.ask(request, { host: { layout } });
    await person.find("[data-question-text]").first().waitFor();
    assert.equal(await line().count(), 0, layout);
  }
  // The request may say so by itself.
  const question = { id: "q", header: "H", question: "Which?", isOther: false, isSecret: false, options: null };
  await person.ask({ method: "item/tool/requestUserInput", id: 1, params: { questions: [question], isBlocking: false } });
  await line().waitFor();
});
