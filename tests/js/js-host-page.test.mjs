// A person at a page of the host for JavaScript, in a browser and under a strict content security policy: what is answered, kept, taken over after a crash, and
// answered elsewhere.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { memory } from "../../pkg/dist/host.node.js";
import { CHAT } from "./agent-host.mjs";
import { launch } from "./browser.mjs";
import { JsHost, TOOLS, begin, read } from "./js-host.mjs";
import { Person } from "./person.mjs";
import { takesAnswers } from "./wait.mjs";

let host;
let browser;
const visits = [];
before(async () => {
  host = await JsHost.start({ store: memory(), cookie: "conversation", label: "Deploy agent" });
  browser = await launch({ pages: CHAT, host: host.url });
});
afterEach(async () => {
  for (const page of visits.splice(0)) await page.context().close();
});
after(async () => {
  await browser.close();
  host.close();
});

/** A page on a conversation, and a person at it. */
async function visit({ id, token }) {
  const page = await browser.page(`/chat?id=${id}&token=${token}&device`);
  visits.push(page);
  const person = new Person(page);
  // A question that comes by itself takes nothing before the person has been still.
  const asked = (question) => takesAnswers(page, `[data-question=${question}]`);
  return { page, asked, find: (selector) => person.find(selector) };
}

const CALLS = [
  { name: "ask_user", input: { questions: [{ id: "apply", text: "Apply the migration?", answer_type: "boolean" }, { id: "note", text: "Anything for the log?", answer_type: "text", when: { question_id: "apply", equals: true } }] } },
  { name: "deploy", input: { to: "staging" } },
];
const results = async ({ at, opens }) => {
  const events = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.role === "assistant" && data.text.startsWith("I got")));
  return events.filter(({ data }) => data.role === "tool").map(({ data }) => data.content);
};

test("a person answers, reloads in between, and the agent gets each answer", async () => {
  const conversation = await begin(host.url, JSON.stringify(CALLS));
  const { page, asked, find } = await visit(conversation);
  await asked("apply");
  const kept = page.waitForResponse((response) => response.url().endsWith("/walk") && response.status() === 204);
  await find("[data-answer=yes]").click();
  await kept;
  await page.reload();
  await asked("note");
  await find("[data-field]").fill("at night");
  await find("[type=submit]").click();
  await asked("answer");
  await find("[data-answer=yes]").click();
  assert.deepEqual(await results(conversation), [{ apply: true, note: "at night" }, { deployed: "staging" }]);
  assert.deepEqual(page.faults, []);
});

test("several open questions are shown one after the other, while a tool runs, and each answer is for its own", async () => {
  let end;
  const tools = { ...TOOLS, slow: () => new Promise((resolve) => (end = resolve)) };
  const own = await JsHost.start({ store: memory(), cookie: "conversation", tools, severalOpen: true });
  const pages = await launch({ pages: CHAT, host: own.url });
  const ask = (id) => ({ name: "ask_user", input: { questions: [{ id, text: `${id}?`, answer_type: "boolean" }] } });
  const conversation = await begin(own.url, JSON.stringify([ask("first"), ask("second"), { name: "slow" }]));
  const page = await pages.page(`/chat?id=${conversation.id}&token=${conversation.token}&device`);
  const person = new Person(page);
  await takesAnswers(page, "[data-question=first]");
  await page.getByText("Request 1 of 2").waitFor();
  await person.find("[data-answer=yes]").click();
  await takesAnswers(page, "[data-question=second]");
  // The tool goes on, and the answer is the second's alone.
  await person.find("[data-answer=no]").click();
  await page.waitForFunction(() => document.querySelector("ask-user").requests.length === 0);
  end("slowly");
  assert.deepEqual((await results(conversation)), [{ first: true }, { second: false }, "slowly"]);
  assert.deepEqual(page.faults, []);
  await pages.close();
  own.close();
});

test("of two pages on one question, the second hears that it was answered", async () => {
  const conversation = await begin(host.url, JSON.stringify([CALLS[1]]));
  const [one, other] = [await visit(conversation), await visit(conversation)];
  await one.asked("answer");
  await other.asked("answer");
  await one.find("[data-answer=no]").click();
  assert.deepEqual(await results(conversation), [{ deployed: null }]);
  await other.page.waitForFunction(() => window.closings.length > 0);
  assert.deepEqual((await other.page.evaluate(() => window.closings)).map(({ how }) => how), ["answered"]);
});

test("a person who ends the turn ends it, and the calls that are left do not run", async () => {
  const conversation = await begin(host.url, JSON.stringify([CALLS[1], { name: "add", input: { a: 1, b: 1 } }]));
  const { asked, find } = await visit(conversation);
  await asked("answer");
  await find("[data-way=end-turn]").click();
  await find("[data-end-turn]").click();
  const { at, opens } = conversation;
  const events = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.type === "idle"));
  assert.deepEqual(events.filter(({ data }) => data.role === "tool").map(({ data }) => data.is_error), [true, true]);
});
