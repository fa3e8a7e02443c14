// The host for JavaScript with questions that the agent does not wait for: it goes on at once, and the answer is a message to it later.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { resume } from "../../pkg/dist/core.node.js";
import { ask, memory } from "../../pkg/dist/host.node.js";
import { JsHost, begin, read } from "./js-host.mjs";
import { until } from "./wait.mjs";

const COLOR = { questions: [{ id: "color", text: "Which color?", answer_type: "text" }] };
const hosts = [];
after(() => hosts.forEach((host) => host.close()));

/** Tools that ask and do not wait. */
const TOOLS = {
  later: () => ask(COLOR, { blocking: false }),
  secret: () => ask({ question: "Which token?", answer_type: "secret" }, { blocking: false }),
  number: () => ask({ question: "How many?", answer_type: "number" }, { blocking: false }),
  made: { run: () => ask(COLOR, { blocking: false }), answered: ({ ends, result }) => ({ made: ends === "completed" ? result.color : ends }) },
  waits: () => ask({ question: "Sure?", answer_type: "boolean" }),
};

/** An agent that says what a test wants, and what it was called with. */
function puppet() {
  const [seen, replies] = [[], []];
  const agent = async ({ messages, results, signal }) => {
    seen.push({ messages, results });
    const reply = replies.shift() ?? "So.";
    return typeof reply === "function" ? reply(signal) : reply;
  };
  return { seen, replies, agent };
}

const calls = (...names) => ({ text: "I ask.", calls: names.map((name) => ({ id: name, name })) });

/** A conversation whose agent replies this, one after the other. */
async function conversation(replies, /** @type {Partial<import("../../pkg/types/host.js").HostOptions>} */ { store = memory(), ...options } = {}) {
  const own = puppet();
  own.replies.push(...replies);
  const started = await JsHost.start({ store, agent: own.agent, tools: TOOLS, ...options });
  hosts.push(started);
  const { at, opens, id } = await begin(started.url, "Go on.");
  const send = async (path, body, headers) => {
    const response = await fetch(`${at}/${path}`, { method: "POST", headers: { "Content-Type": "application/json", ...opens, ...headers }, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };
  const idle = () => until(() => started.host.state(id), "the agent is done", ({ type, agent = type }) => agent === "idle");
  const shapes = async () => (await started.host.messages(id)).map((/** @type {any} */ { role, callId, text, content }) => (callId ? `${role} ${callId} ${JSON.stringify(content)}` : `${role} ${text}`));
  return { ...own, store, host: started.host, id, at, opens, send, idle, shapes };
}

const answer = (call, color = "red") => ({ tool_call_id: call, answers: { color } });

test("the agent goes on at once, and the answer reaches it as a message that calls it again", async () => {
  const { seen, host, id, idle, send, shapes, at, opens } = await conversation([calls("later"), "I have gone on.", "Thanks."]);
  const told = await idle();
  assert.deepEqual([told.type, told.agent, told.tool_call_id, told.options.blocking], ["awaiting_user_response", "idle", "later", false]);
  const [{ content, isError }] = seen[1].results;
  assert.match(content, /The question is open\. The user's answer will come later, as a message\./);
  assert.equal(isError, false);
  // A message does not wait for it.
  assert.equal((await send("messages", { text: "Hello." })).status, 202);
  await idle();
  assert.equal((await send("respond", answer("later"))).status, 200);
  await idle();
  const { messages, results } = seen[3];
  assert.deepEqual(messages.at(-1), { role: "user", callId: "later", text: 'The answer to the question that you asked with the call later: {"color":"red"}', content: { color: "red" }, contentText: '{"color":"red"}', isError: false });
  assert.deepEqual(results, []);
  assert.deepEqual((await shapes()).slice(-2), ['user later {"color":"red"}', "assistant So."]);
  assert.equal((await host.state(id)).type, "idle");
  // It comes once, and what clients hear is not the person's own text.
  assert.equal((await send("respond", answer("later"))).status, 200);
  const heard = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.text === "So." && data.role === "assistant"));
  assert.deepEqual(heard.filter(({ data }) => data.role === "user" && data.call_id).map(({ data }) => data), [{ role: "user", call_id: "later", content: { color: "red" }, is_error: false }]);
});

test("an answer that comes while the agent works stands where the agent came to know it, and it is called again", async () => {
  let ends;
  const working = new Promise((resolve) => (ends = resolve));
  const { seen, idle, send, shapes } = await conversation([calls("later"), () => working, "Thanks."]);
  await until(() => seen, "the agent works", ({ length }) => length === 2);
  assert.equal((await send("respond", answer("later"))).status, 200);
  ends("I did not know.");
  await until(() => seen, "it is called again", ({ length }) => length === 3);
  await idle();
  assert.deepEqual((await shapes()).slice(3), ["assistant I did not know.", 'user later {"color":"red"}', "assistant Thanks."]);
  assert.equal(seen[2].messages.at(-1).callId, "later");
});

test("results stay together where an answer comes between them", async () => {
  const { seen, idle, send, host, id, shapes } = await conversation([calls("later", "waits"), "Thanks."]);
  await until(() => host.state(id), "two questions are open", ({ requests }) => requests?.length === 2);
  assert.deepEqual((await host.state(id)).requests.map(({ tool_call_id: call }) => call), ["waits", "later"]);
  assert.equal((await send("messages", { text: "Hello." })).status, 409);
  assert.equal((await send("respond", answer("later"))).status, 200);
  assert.equal((await send("respond", { tool_call_id: "waits", answers: { answer: true } })).status, 200);
  await idle();
  assert.deepEqual(seen[1].results.map(({ callId }) => callId), ["later", "waits"]);
  assert.deepEqual((await shapes()).slice(2).map((shape) => shape.split(" ").slice(0, 2).join(" ")), ["tool later", "tool waits", "user later", "assistant Thanks."]);
});

test("a stop leaves the question open, unless it is the one that is named", async () => {
  const { idle, send, host, id, shapes, seen } = await conversation([calls("later", "waits")]);
  await until(() => host.state(id), "two questions are open", ({ requests }) => requests?.length === 2);
  assert.equal((await send("cancel", {})).status, 200);
  const told = await idle();
  assert.equal(told.tool_call_id, "later");
  // Nothing is stopped where nothing runs.
  assert.equal((await send("cancel", {})).status, 409);
  assert.equal((await send("cancel", { tool_call_id: "later" })).status, 200);
  assert.equal((await host.state(id)).type, "idle");
  assert.deepEqual((await shapes()).at(-1), 'user later "User cancelled the question"');
  await host.settled();
  assert.equal(seen.length, 1, "the person has stopped the agent, which is not called again");
});

test("the end of the turn at the question closes it alone, with its dialect's own result, and the turn that runs goes on", async () => {
  const elicit = () => ask({ message: "Which name?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } }, { dialect: "mcp", blocking: false });
  for (const way of ["a form", "a stop"]) {
    let ends;
    const run = () => new Promise((resolve) => (ends = resolve));
    const { seen, send, host, id, shapes, idle } = await conversation([calls("elicit", "run", "waits"), "Thanks."], { tools: { ...TOOLS, elicit, run } });
    const told = await until(() => host.state(id), "the agent works", ({ agent }) => agent === "executing");
    const walk = resume(told.request, told.walk, { ...told.options, dialect: told.dialect });
    walk.endTurn();
    assert.equal((await send("cancel", { tool_call_id: "elicit", ...(way === "a form" && walk.response) })).status, 200);
    assert.equal((await host.state(id)).type, "executing", "what runs is not stopped");
    ends("done");
    await until(() => host.state(id), "the next call asks", ({ type }) => type === "awaiting_user_response");
    assert.equal((await send("respond", { tool_call_id: "waits", answers: { answer: true } })).status, 200);
    await idle();
    assert.deepEqual((await shapes()).slice(2).map((shape) => shape.replace(/^tool elicit.*/, "tool elicit")), ["tool elicit", 'tool run "done"', 'tool waits {"answer_type":"boolean","answer":true}', 'user elicit {"action":"cancel"}', "assistant Thanks."], way);
    assert.equal(seen.length, 2);
  }
});

test("the question is open and the answer counts after the process has ended", async () => {
  const { idle, store, id, host, at, opens } = await conversation([calls("made"), "I have gone on."]);
  await idle();
  host.close();
  const own = puppet();
  const next = await JsHost.start({ store, agent: own.agent, tools: TOOLS });
  hosts.push(next);
  await next.host.resume();
  const { options, request, walk: kept, dialect } = await next.host.state(id);
  const walk = resume(request, kept, { ...options, dialect });
  walk.answer("blue");
  const url = at.replace(/^http:\/\/[^/]+/, next.url);
  const response = await fetch(`${url}/respond`, { method: "POST", headers: { "Content-Type": "application/json", ...opens }, body: JSON.stringify({ tool_call_id: "made", ...walk.response }) });
  assert.equal(response.status, 200);
  await until(() => own.seen, "the agent is called", ({ length }) => length === 1);
  assert.deepEqual(own.seen[0].messages.at(-1).content, { made: "blue" });
});

test("numbers of an answer keep every digit", async () => {
  const { seen, idle, host, id, at, opens } = await conversation([calls("number"), "I have gone on."]);
  await idle();
  const { options, request, walk: kept, dialect } = await host.state(id);
  const walk = resume(request, kept, { ...options, dialect });
  walk.answerText("1234567890123456789");
  await fetch(`${at}/respond`, { method: "POST", headers: { "Content-Type": "application/json", ...opens }, body: JSON.stringify({ tool_call_id: "number", ...walk.response }) });
  await until(() => seen, "the agent is called again", ({ length }) => length === 3);
  assert.match(seen[2].messages.at(-1).contentText, /1234567890123456789/);
});

test("an agent waits for a secret, and a call id whose question is open is refused", async () => {
  const { seen, idle, host, id } = await conversation([calls("secret", "later"), { calls: [{ id: "later", name: "waits" }] }], { onError: () => undefined });
  await idle();
  const [secret, later] = seen[1].results;
  assert.match(secret.content, /The option "blocking" must be true: an agent waits for an approval, a secret/);
  assert.deepEqual([secret.isError, later.isError], [true, false]);
  assert.match(/** @type {any} */ ((await host.messages(id)).at(-1)).text, /The question of an earlier call with the id "later" is still open\. Give each call its own id\. None was run\./);
});
