// What every recipe must do, as one suite that each of them runs: `asks("ai-sdk", …)`. The model is scripted and refuses what real servers refuse; the framework,
// the page and the form are real.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { toolDefinitions } from "../../pkg/dist/core.node.js";
import { CUT, gate, startModel } from "./model.mjs";
import { Chat, build, launch, left, start } from "./recipe.mjs";

const [definition] = toolDefinitions("ask_user");
/** Two short questions, which share a page. */
const DEPLOY = {
  questions: [
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"] },
    { id: "why", text: "Why now?", answer_type: "text" },
  ],
};
/** Finds its form: on a page of both questions, or in steps, where the model was still writing. */
const ENVIRONMENT = /Which environment\?|Why now\?/;
/** Questions one by one. */
const STEPS = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "note", text: "What should the log say?", answer_type: "text", when: { question_id: "apply", equals: true } },
  ],
};
const REGION = { questions: [{ id: "region", text: "Which region?", answer_type: "text" }] };
const WRONG = { questions: [{ id: "environment", text: "Which environment?", answer_type: "selct", options: ["staging", "production"] }] };
/** What `answer` says to `DEPLOY`: the call with its result, and the words of the scripted model about it. */
const ANSWERED = [DEPLOY, { environment: "production", why: "A fix" }];
const HEARD = 'I heard: {"environment":"production","why":"A fix"}';
/** Matches no text. */
const NOTHING = /(?!)/;
const call = (request) => ({ name: definition.name, arguments: typeof request === "string" || Array.isArray(request) ? request : JSON.stringify(request) });

/**
 * Registers the suite for a recipe. What differs between frameworks:
 * - `lacks` names what a framework cannot do, with the reason: `early` (a form is shown while another call of the reply is still being written), `json` (arguments that
 *   are not JSON go back to the model), `reload` (a reload brings the chat back), `resume` (also while the model writes).
 * - `parameters(sent, ours)` checks the schema that the model is given, `wrong(result)` what it hears of a wrong call; `broken` matches what it hears of arguments that are
 *   not JSON.
 * - `logs` match what the page logs when the model fails (`failure`), when a turn is ended (`stopped`) and of arguments that are not JSON (`noJson`). All else is a fault.
 * - `more` registers tests of the recipe's own. `at()` gives the model, the browser, the server and the chat of the test that runs.
 */
export function asks(name, /** @type {{ env?: any, lacks?: any, parameters?: any, wrong?: any, broken?: any, logs?: any, more?: any }} */ { env, lacks = {}, parameters = assert.deepEqual, wrong = isRejection, broken = /JSON/, logs = {}, more = () => {} } = {}) {
  const { failure = /status of (400|500)|ERR_INCOMPLETE_CHUNKED_ENCODING/, stopped = NOTHING, noJson = NOTHING } = logs;
  let [model, folder, server, browser, chat] = /** @type {any[]} */ ([]);
  before(async () => {
    model = await startModel();
    [folder, browser] = await Promise.all([build(name), launch()]);
    server = await start(folder, { model, env });
  });
  beforeEach(async () => {
    model.play();
    chat = await Chat.open(browser, server.url);
  });
  afterEach(async () => {
    await chat.close();
    assert.deepEqual(chat.faults, [], "faults of the page");
    assert.deepEqual(model.faults, [], "what the model's server has refused");
    assert.deepEqual(left(server.said()), [], "nothing leaves this machine");
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    model?.close();
  });

  /** Has the model play replies to a message, and gives the form of `DEPLOY` once it is shown. */
  const asked = async (...replies) => {
    model.play(...replies);
    await chat.say("Deploy.");
    const form = chat.form(ENVIRONMENT);
    await form.shown();
    return form;
  };

  test(`${name}: a question is a form in the chat, and the model gets the answer once and goes on`, async () => {
    const form = await asked({ text: "Let me ask.", calls: [call(DEPLOY)] });
    assert.equal(model.requests.length, 1);
    const [tool] = model.tools[0].filter(({ name }) => name === definition.name);
    assert.equal(tool.description, definition.description, "the model is given the tool's definition");
    parameters(tool.parameters, definition.parameters);
    assert.ok(model.instructions[0].includes(definition.instructions), "the model is told when to ask");
    await answer(form);
    await chat.hears(HEARD);
    assert.equal(model.requests.length, 2);
    assert.deepEqual(exchanges(model), [ANSWERED]);
    await form.find("[part=receipt]").waitFor();
    assert.equal(await chat.page.locator("ask-user [type=submit]").count(), 0, "nothing is left to be sent");
    // The history that the model gets next is the same.
    await chat.say("Thanks.");
    await chat.hears("Hello.");
    assert.deepEqual(exchanges(model, 2), [ANSWERED]);
    assert.equal(model.requests.length, 3);
  });

  test(`${name}: the first question can be answered while the model is still writing`, { skip: lacks.writing }, async () => {
    const [rest, text] = [gate(), JSON.stringify(STEPS)];
    const cut = text.indexOf('{"id":"note"') + 20;
    model.play({ text: "Let me ask.", calls: [call([text.slice(0, cut), rest, text.slice(cut)])] });
    await chat.say("Deploy.");
    await rest.reached;
    const form = chat.form("Apply the migration?");
    await form.shown();
    await form.click("[data-answer=yes]");
    await chat.page.locator("ask-user [data-waiting]").waitFor();
    rest.open();
    const note = chat.form("What should the log say?");
    await note.type("note", "Moved the cache");
    await note.find("[type=submit]").filter({ hasText: "Send" }).waitFor();
    await note.seen();
    await note.submit();
    await chat.hears('I heard: {"apply":true,"note":"Moved the cache"}');
    assert.equal(model.requests.length, 2);
    assert.deepEqual(exchanges(model), [[STEPS, { apply: true, note: "Moved the cache" }]]);
  });

  test(`${name}: what is typed stays while the model writes on and the page renders again`, { skip: lacks.early }, async () => {
    const rest = gate();
    const [begin, end] = [JSON.stringify(REGION).slice(0, 30), JSON.stringify(REGION).slice(30)];
    const form = await asked({ text: "Two things.", calls: [call(DEPLOY), call([begin, rest, end])] });
    await form.choose("staging");
    await form.type("why", "A fix for ");
    rest.open();
    // It is written on while the model streams.
    await form.more("the login");
    await chat.form("Which region?").shown();
    assert.deepEqual(await form.field("why"), { value: "A fix for the login", focused: true });
    await form.submit();
    await chat.form("Which region?").type("region", "eu-central");
    await chat.form("Which region?").submit();
    await chat.hears('I heard: {"environment":"staging","why":"A fix for the login"} and {"region":"eu-central"}');
    assert.equal(model.requests.length, 2);
  });

  test(`${name}: a page that renders at every key disturbs no form`, async () => {
    const form = await asked({ calls: [call(DEPLOY)] });
    await form.choose("production");
    await form.type("why", "A fix");
    await chat.page.getByRole("textbox", { name: "Message" }).pressSequentially("Something else", { delay: 5 });
    assert.equal((await form.field("why")).value, "A fix");
    await form.submit();
    await chat.hears(HEARD);
    assert.equal(model.requests.length, 2);
  });

  test(`${name}: two calls in one reply are two forms, and the model gets both answers at once`, async () => {
    model.play({ calls: [call(DEPLOY), call(REGION)] });
    await chat.say("Deploy.");
    const region = chat.form("Which region?");
    await region.shown();
    await region.type("region", "eu-central");
    await region.submit();
    await region.find("[part=receipt]").waitFor();
    assert.equal(model.requests.length, 1, "the other call has no result yet");
    await answer(chat.form(ENVIRONMENT));
    await chat.hears(`${HEARD} and {"region":"eu-central"}`);
    assert.equal(model.requests.length, 2);
    assert.deepEqual(exchanges(model), [ANSWERED, [REGION, { region: "eu-central" }]]);
  });

  test(`${name}: Reply goes to the model as the result, with what was answered`, async () => {
    model.play({ calls: [call(STEPS)] });
    await chat.say("Deploy.");
    const form = chat.form("Apply the migration?");
    await form.shown();
    await form.click("[data-answer=yes]");
    await chat.form("What should the log say?").shown();
    await chat.form("What should the log say?").reply("Which log?");
    await chat.hears("I heard:");
    assert.deepEqual(exchanges(model), [[STEPS, { cancelled: true, answered: { apply: true }, reply: "Which log?" }]]);
    assert.equal(model.requests.length, 2);
  });

  test(`${name}: End turn stops the turn without a result, and the next message goes on`, async () => {
    const form = await asked({ calls: [call(DEPLOY), call(REGION)] });
    await chat.form("Which region?").shown();
    await form.click("[data-way=end-turn]");
    await form.click("[data-end-turn]");
    await chat.composed();
    assert.equal(model.requests.length, 1, "the model does not go on");
    assert.equal(await chat.page.locator("ask-user [type=submit]").count(), 0, "no question of the turn is open");
    await chat.say("Something else.");
    await chat.hears("Hello.");
    assert.equal(model.requests.length, 2);
    assert.deepEqual(model.requests[1].filter(({ role }) => role === "tool"), [], "no result is invented");
    chat.expect(stopped);
    assert.deepEqual(model.requests[1].filter(({ role }) => role === "user").map(({ text }) => text), ["Deploy.", "Something else."]);
  });

  test(`${name}: a wrong call goes back to the model with what to fix, and the corrected one is shown`, async () => {
    const form = await asked({ calls: [call(WRONG)] }, { calls: [call(DEPLOY)] });
    assert.equal(model.requests.length, 2);
    const [[request, result]] = exchanges(model);
    assert.deepEqual(request, WRONG);
    wrong(result);
    await answer(form);
    await chat.hears(HEARD);
    assert.equal(model.requests.length, 3);
  });

  test(`${name}: arguments that are not JSON go back to the model, and the corrected call is shown`, { skip: lacks.json }, async () => {
    const form = await asked({ calls: [call('{"questions": [{"id": "environment", ')] }, { calls: [call(DEPLOY)] });
    assert.equal(model.requests.length, 2);
    assert.match(model.heard().at(-1).result, broken);
    chat.expect(noJson);
    await answer(form);
    await chat.hears(HEARD);
  });

  test(`${name}: a reload brings the open question back, with what was answered and typed`, { skip: lacks.reload }, async () => {
    model.play({ text: "Let me ask.", calls: [call(STEPS)] });
    await chat.say("Deploy.");
    await chat.form("Apply the migration?").shown();
    await chat.form("Apply the migration?").click("[data-answer=yes]");
    const form = chat.form("What should the log say?");
    await form.shown();
    await form.type("note", "Moved the ca");
    await chat.kept("Moved the ca");
    await chat.page.reload();
    await form.shown();
    assert.equal((await form.field("note")).value, "Moved the ca");
    await form.more("che", "note");
    await form.submit();
    await chat.hears('I heard: {"apply":true,"note":"Moved the cache"}');
    assert.equal(model.requests.length, 2);
    assert.deepEqual(exchanges(model), [[STEPS, { apply: true, note: "Moved the cache" }]]);
    // The chat is there with its answer, and asks nothing.
    await chat.page.reload();
    await chat.hears("I heard:");
    await chat.page.locator("ask-user [part=receipt]").waitFor();
    assert.equal(await chat.page.locator("ask-user [type=submit]").count(), 0);
    await chat.say("Thanks.");
    await chat.hears("Hello.");
    assert.deepEqual(exchanges(model, 2), [[STEPS, { apply: true, note: "Moved the cache" }]]);
  });

  test(`${name}: a reload between two answers of one reply loses neither`, { skip: lacks.reload }, async () => {
    model.play({ calls: [call(DEPLOY), call(REGION)] });
    await chat.say("Deploy.");
    await chat.form("Which region?").shown();
    await answer(chat.form(ENVIRONMENT));
    await chat.form("A fix").find("[part=receipt]").waitFor();
    await chat.page.reload();
    const region = chat.form("Which region?");
    await region.shown();
    assert.equal(await chat.page.locator("ask-user [type=submit]").count(), 1);
    await region.type("region", "eu-central");
    await region.submit();
    await chat.hears(`${HEARD} and {"region":"eu-central"}`);
    assert.equal(model.requests.length, 2);
  });

  test(`${name}: a reload while the model writes loses neither its question nor the answer`, { skip: lacks.resume }, async () => {
    const [asking, going] = [gate(), gate()];
    model.play({ text: ["Let me ", asking, "ask."], calls: [call(DEPLOY)] }, { text: ["I go ", going, "on."] });
    await chat.say("Deploy.");
    await chat.hears("Let me");
    await chat.page.reload();
    await chat.hears("Let me");
    asking.open();
    const form = chat.form(ENVIRONMENT);
    await form.shown();
    await chat.hears("Let me ask.");
    await answer(form);
    await chat.hears("I go");
    await chat.page.reload();
    await chat.hears("I go");
    going.open();
    await chat.hears("I go on.");
    await chat.page.locator("ask-user [part=receipt]").waitFor();
    assert.deepEqual(await chat.texts(), ["Deploy.", "Let me ask.", "I go on."]);
    assert.equal(model.requests.length, 2);
    assert.deepEqual(exchanges(model), [ANSWERED]);
  });

  test(`${name}: a reply that breaks off within a call is asked for again, and keeps what was answered`, async () => {
    const [rest, text] = [gate(), JSON.stringify(DEPLOY)];
    model.play({ text: "Let me ask.", calls: [call([text.slice(0, -20), rest, CUT])] }, { calls: [call(DEPLOY)] });
    await chat.say("Deploy.");
    await rest.reached;
    const form = chat.form(ENVIRONMENT);
    if (!lacks.writing) {
      await form.shown();
      await form.choose("production");
      await chat.page.locator("ask-user [data-waiting]").waitFor();
    }
    rest.open();
    await chat.page.getByRole("button", { name: "Try again" }).click();
    await form.shown();
    assert.equal(await chat.page.locator("ask-user").count(), 1);
    if (!lacks.writing) assert.equal(await form.find("input:checked").count(), 1, "what was answered before is a draft");
    await form.seen();
    await answer(form);
    await chat.hears(HEARD);
    assert.deepEqual(exchanges(model), [ANSWERED]);
    chat.expect(failure);
    chat.expect(noJson);
  });

  test(`${name}: an answer is not lost when the model fails`, async () => {
    const form = await asked({ calls: [call(DEPLOY)] }, { status: 400 });
    await answer(form);
    await chat.page.getByRole("button", { name: "Try again" }).click();
    await chat.hears(HEARD);
    assert.deepEqual(exchanges(model), [ANSWERED]);
    chat.expect(failure);
  });

  test(`${name}: an answer is not lost when the model fails and the page is reloaded`, { skip: lacks.reload }, async () => {
    const form = await asked({ calls: [call(DEPLOY)] }, { status: 400 });
    await answer(form);
    await chat.page.getByRole("button", { name: "Try again" }).waitFor();
    await chat.page.reload();
    // A page may do so by itself.
    const [heard, button] = ["I heard:", { name: "Try again" }];
    await chat.page.getByText(heard).or(chat.page.getByRole("button", button)).first().waitFor();
    if (await chat.page.getByRole("button", button).count()) await chat.page.getByRole("button", button).click();
    await chat.hears(HEARD);
    assert.deepEqual(exchanges(model), [ANSWERED]);
    chat.expect(failure);
  });

  more({ at: () => ({ model, browser, server, chat }), call, definition, DEPLOY, ENVIRONMENT, REGION, answer, exchanges });
}

/** The form's own words for the model about a wrong type. */
function isRejection({ error, problems }) {
  assert.equal(error, "invalid_request");
  assert.deepEqual(problems.map(({ code, path }) => [code, path]), [["unknown_answer_type", "/questions/0/answer_type"]]);
  assert.match(problems[0].hint, /select/);
}

/** Answers the questions of a deployment. */
async function answer(form) {
  await form.choose("production");
  await form.type("why", "A fix");
  await form.submit();
}

/** The calls of a request with their results, each as JSON: of the latest request, or of one with this index. Each call has one result. */
function exchanges({ requests }, index = requests.length - 1) {
  const messages = requests[index];
  const calls = messages.flatMap(({ calls = [] }) => calls);
  return calls.map(({ id, arguments: text }) => {
    const results = messages.filter(({ role, call }) => role === "tool" && call === id);
    assert.equal(results.length, 1, `the model has ${results.length} results of ${id}`);
    return [JSON.parse(text), JSON.parse(results[0].result)];
  });
}
