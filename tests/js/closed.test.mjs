// A form that is closed elsewhere, because the question was answered or the host has gone on: what the person had entered and not sent is there, beside its question.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { arrived } from "./person.mjs";
import { takesAnswers } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const ask = (request, layout) => person.ask(request, { host: { layout }, attributes: { "save-url": "/walk" } });
const on = (id) => person.find(`[data-on-page="${id}"]`);
const send = () => person.click(".actions [type=submit]");
const entered = async (id, text) => on(id).locator("[data-field]").fill(text);
const choose = (within, ...places) => places.reduce(async (before, place) => (await before, within.locator("[data-option] ~ label, .option label").nth(place).click()), undefined);

/** What the host answers to a walk that it is to keep, and the walks that wait for it. */
let kept;
let waiting;
beforeEach(() => {
  [kept, waiting] = [204, undefined];
  browser.meddle = (request, response, forward) => {
    if (request.url !== "/walk") return forward();
    if (waiting) waiting.push(response);
    else response.writeHead(kept).end();
  };
});

/** Closes the form: the host refuses to keep what is changed now. A walk from before the change gets no answer until it is made. */
async function closed(change) {
  waiting = [];
  await change();
  const before = waiting;
  [kept, waiting] = [409, undefined];
  for (const response of before) response.writeHead(kept).end();
  await person.find("[data-closed]").waitFor();
  kept = 204;
}

/** What was not sent: each question with what was entered. */
const unsent = () => person.find(".closed dl > .row").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("dt, dd > *, dd:not(:has(*))")].map((one) => one.textContent)));

test("a page has all that was typed or selected", async () => {
  const options = ["one", "two", "three"].map((label) => ({ label: `Option ${label}`, description: "" }));
  await ask({ questions: ["A?", "B?", "C?"].map((question, place) => ({ question, header: question, options, multiSelect: place > 0 })) }, "page");
  const [a, b] = await person.find("[data-on-page]").evaluateAll((all) => all.map((one) => one.dataset.onPage));
  await choose(on(a), 1);
  await choose(on(b), 2, 0);
  await on(b).locator("[data-other]").click();
  await closed(() => on(b).locator("[data-own]").fill("mine & yours"));
  assert.deepEqual(await unsent(), [["A?", "Option two"], ["B?", "Option one, Option three", "mine & yours"], ["C?", "Not answered"]]);
  assert.deepEqual(await person.barriers(), []);
  assert.equal(await person.find("button, input, textarea, a").count(), 0);
});

test("yes or no, None of these, a note and what is no number are among it; a secret is not", async () => {
  const preview = { label: "one", description: "", preview: "1" };
  await ask({ questions: ["A?", "B?"].map((question) => ({ question, header: question, options: [preview, { ...preview, label: "two" }] })) }, "page");
  const [a] = await person.find("[data-on-page]").evaluateAll((all) => all.map((one) => one.dataset.onPage));
  await choose(on(a), 1);
  await on(a).locator("summary").click();
  await closed(() => on(a).locator("details textarea").fill("For now."));
  assert.deepEqual(await unsent(), [["A?", "two", "Note: For now."], ["B?", "Not answered"]]);
  const questions = [
    { id: "apply", text: "Apply it?", answer_type: "boolean" },
    { id: "none", text: "None?", answer_type: "multi_select", options: ["x", "y"] },
    { id: "key", text: "Key?", answer_type: "secret" },
    { id: "count", text: "How many?", answer_type: "number" },
  ];
  await ask({ questions }, "page");
  await choose(on("apply"), 1);
  await on("none").getByText("None of these").click();
  await entered("key", "s3cret");
  await closed(() => entered("count", "4 or 5"));
  assert.deepEqual(await unsent(), [["Apply it?", "No"], ["None?", "None"], ["Key?", "Not answered"], ["How many?", "4 or 5"]]);
  assert.ok(!(await person.find(".closed").textContent()).includes("s3cret"));
});

test("a text that was to be left empty is told from a list of which none was selected", async () => {
  await ask({ questions: [{ id: "why", text: "Why?", answer_type: "text" }, { id: "none", text: "None?", answer_type: "multi_select", options: ["x", "y"] }] }, "page");
  await send();
  await on("why").locator("[data-empty]").check();
  await closed(() => on("none").locator("[data-empty]").check());
  assert.deepEqual(await unsent(), [["Why?", "(empty)"], ["None?", "None"]]);
});

const BRANCHES = {
  questions: [
    { id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"] },
    { id: "why", text: "Why?", answer_type: "text", when: { question_id: "env", equals: "production" } },
    { id: "count", text: "How many?", answer_type: "number" },
    { id: "j", text: "J?", answer_type: "schema", schema: { type: "array" } },
  ],
};

test("what was answered before Back, and what went out of sight, are among it; so is a reply that was begun", async () => {
  await ask(BRANCHES, "page");
  await choose(on("env"), 1);
  await entered("why", "It is tested.");
  await entered("count", "3");
  await send();
  await person.find("[data-question=j]").waitFor();
  await person.click("[data-way=back]");
  await choose(on("env"), 0);
  // The question below has gone: nothing is pressed before the form stands still.
  await takesAnswers(page, "[data-page]");
  await person.click("[data-way=reply]");
  await closed(() => person.find("#reply").fill("Wait for me"));
  assert.deepEqual(await unsent(), [["Where?", "staging"], ["Why?", "It is tested."], ["How many?", "3"]]);
  assert.deepEqual(await person.find(".closed blockquote").allTextContents(), ["Wait for me"]);
});

test("a field that was emptied is not answered, whatever stood in it before", async () => {
  await ask(BRANCHES, "page");
  await choose(on("env"), 0);
  await entered("count", "3");
  await send();
  await person.find("[data-question=j]").waitFor();
  await person.click("[data-way=back]");
  await closed(() => entered("count", ""));
  assert.deepEqual(await unsent(), [["Where?", "staging"], ["How many?", "Not answered"]]);
});

test("a step has what was selected in it and answered before it", async () => {
  await ask({ questions: [{ id: "a", text: "A?", answer_type: "select", options: ["one", "two"] }, { id: "b", text: "B?", answer_type: "multi_select", options: ["three", "four"] }] }, "steps");
  await choose(person.find(".options"), 0);
  await person.find("[data-question=b]").waitFor();
  await person.settled();
  await closed(() => choose(person.find(".options"), 1));
  assert.deepEqual(await unsent(), [["A?", "one"], ["B?", "four"]]);
});

test("tool calls have the decisions and their words", async () => {
  const names = ["send", "drop", "keep", "look"];
  await ask({ action_requests: names.map((name) => ({ name, args: {} })), review_configs: names.map((name) => ({ action_name: name, allowed_decisions: ["approve", "edit", "reject"] })) });
  const decide = (place, decision) => person.find(`[data-approval=q${place}] [data-decision=${decision}] ~ label`).click();
  await decide(1, "approve");
  await decide(2, "edit");
  await person.find("[data-approval=q2] .properties").waitFor();
  await decide(3, "reject");
  await closed(() => person.find("[data-approval=q3] [data-words]").fill("Never."));
  assert.deepEqual((await unsent()).map((row) => row.slice(1)), [["Approve"], ["Edit"], ["Reject", "Never."], ["Not answered"]]);
});
