// The host for JavaScript with its store in memory: docs/delivery.md, and what a host does with what an agent, a tool and a person give it. With SQLite, PostgreSQL
// and the servers of others: tests/servers.
import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { Conversation, resume } from "../../pkg/dist/core.node.js";
import { ask, createHost, memory } from "../../pkg/dist/host.node.js";
import { conformsOverHttp, keepsVersions } from "./conformance.mjs";
import { Dice } from "./dice.mjs";
import { check, unreliable } from "./js-host-faults.mjs";
import { keepsStore } from "./js-host-store.mjs";
import { JsHost, TOOLS, begin, due, read, scripted } from "./js-host.mjs";
import { pause, tasks, until } from "./wait.mjs";

/** What comes in place of a response if the host ends. */
const DEAD = Symbol("the host ended");

let host;
before(async () => (host = await JsHost.start({ store: memory() })));
after(() => host.close());
const target = { due: () => due(host.url) };
conformsOverHttp("the host in memory", target);
keepsVersions("the host in memory", target);
keepsStore("memory", async () => memory());

const JSON_TYPE = { "Content-Type": "application/json" };
const isAsked = ({ data }) => data.type === "awaiting_user_response";
const isOver = ({ data }) => data.role === "assistant" && data.text.startsWith("I got");

/** What a conversation whose message names these calls comes to. */
const heardOf = async (calls, until = isOver) => {
  const { at, opens } = await begin(host.url, JSON.stringify(calls));
  const post = async (path, body, headers) => {
    const response = await fetch(`${at}/${path}`, { method: "POST", headers: { ...JSON_TYPE, ...opens, ...headers }, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  const hear = (until) => read(`${at}/events`, opens, (found) => found.some(until));
  return { at, opens, post, hear, events: await hear(until) };
};
const results = (events) => events.filter(({ data }) => data.role === "tool").map(({ data }) => [data.content, data.is_error]);

test("each tool gives the agent its result, and what fails says so", async () => {
  const { events } = await heardOf([{ name: "add", input: { a: 1, b: 2 } }, { name: "fail", input: {} }, { name: "constructor", input: {} }, { name: "ask_user", input: { questions: [] } }]);
  const [sum, failure, unknown, rejected] = results(events);
  assert.deepEqual([sum, failure], [[3, false], ["The tool fail failed: Nothing works.", true]]);
  assert.deepEqual([unknown[1], /no tool "constructor".*add, fail, deploy, key, ask_user/.test(unknown[0])], [true, true]);
  assert.deepEqual([rejected[0].error, rejected[0].problems.map(({ code }) => code), rejected[1]], ["invalid_request", ["empty_questions"], true]);
});

test("a tool that asks first gives what it makes of the answer", async () => {
  const { post, hear, events } = await heardOf([{ name: "deploy", input: { to: "staging" } }], isAsked);
  assert.deepEqual(events.find(isAsked).data.request, { question: "Deploy to staging?", answer_type: "boolean" });
  const refused = await post("respond", { answers: { answer: "perhaps" } });
  assert.deepEqual([refused.status, refused.body.problems.map(({ code }) => code)], [422, ["wrong_type"]]);
  assert.equal((await post("respond", { answers: { answer: true } })).status, 200);
  assert.deepEqual(results(await hear(isOver)), [[{ deployed: "staging" }, false]]);
});

test("an answer counts, and the agent is told, if the tool fails with it", async () => {
  let deep = /** @type {any} */ (1);
  for (let level = 0; level < 200; level += 1) deep = [deep];
  const made = { throws: () => assert.fail("No."), deep: () => deep, bigint: () => 1n, function: () => () => 1 };
  const tools = Object.fromEntries(Object.entries(made).map(([name, answered]) => [name, { run: () => ask({ question: "Sure?", answer_type: "boolean" }), answered }]));
  const errors = [];
  const own = await JsHost.start({ store: memory(), tools, onError: (error) => void errors.push(error) });
  for (const name of Object.keys(made)) {
    const { at, opens } = await begin(own.url, JSON.stringify([{ name }]));
    await read(`${at}/events`, opens, (found) => found.some(isAsked));
    const response = await fetch(`${at}/respond`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: JSON.stringify({ answers: { answer: true } }) });
    assert.equal(response.status, 200, name);
    const [[content]] = results(await read(`${at}/events`, opens, (found) => found.some(isOver)));
    assert.equal(content.error, "tool_failed", name);
  }
  own.close();
  assert.equal(errors.length, 4);
});

test("an answer that comes after the question has expired counts for nothing, and the agent is told so", async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const answered = mock.fn(() => "answered");
  const own = await JsHost.start({ store: memory(), tools: { go: { run: () => ask({ question: "Go?", answer_type: "boolean" }, { expiresAt }), answered } } });
  const asked = async () => {
    const { at, opens } = await begin(own.url, JSON.stringify([{ name: "go" }]));
    await read(`${at}/events`, opens, (found) => found.some(isAsked));
    const respond = () => fetch(`${at}/respond`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: JSON.stringify({ answers: { answer: true } }) });
    return { respond, results: async () => results(await read(`${at}/events`, opens, (found) => found.some(isOver))) };
  };
  const [inTime, late] = [await asked(), await asked()];
  assert.equal((await inTime.respond()).status, 200);
  const later = Date.now() + 61_000;
  const clock = mock.method(Date, "now", () => later);
  assert.deepEqual([(await late.respond()).status, (await late.respond()).status], [409, 409]);
  clock.mock.restore();
  assert.deepEqual(await inTime.results(), [["answered", false]]);
  assert.match((await late.results())[0][0], /expired/);
  assert.equal(answered.mock.callCount(), 1);
  own.close();
});

test("a question expires though nothing comes", async () => {
  const soon = () => new Date(Date.now() + 300).toISOString();
  const own = await JsHost.start({ store: memory(), tools: { go: () => ask({ question: "Go?", answer_type: "boolean" }, { expiresAt: soon() }) } });
  const { at, opens } = await begin(own.url, JSON.stringify([{ name: "go" }]));
  const events = await read(`${at}/events`, opens, (found) => found.some(isOver));
  assert.match(results(events)[0][0], /expired/);
  assert.deepEqual(events.flatMap(({ data }) => data.closed?.how ?? []), ["expired"]);
  // Nothing keeps the process alive for a question that nobody waits for.
  await own.host.settled();
  own.close();
});

test("whatever comes first after its time has come finds the question expired", async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const own = await JsHost.start({ store: memory(), tools: { go: () => ask({ question: "Go?", answer_type: "boolean" }, { expiresAt }) } });
  const { at, opens } = await begin(own.url, JSON.stringify([{ name: "go" }]));
  await read(`${at}/events`, opens, (found) => found.some(isAsked));
  const later = Date.now() + 61_000;
  const clock = mock.method(Date, "now", () => later);
  const events = await read(`${at}/events`, opens, (found) => found.some(isOver));
  clock.mock.restore();
  assert.deepEqual(events.flatMap(({ data }) => data.closed?.how ?? []), ["expired"]);
  own.close();
});

test("no digit of an answer is lost on the way to the agent", async () => {
  let seen;
  const own = await JsHost.start({
    store: memory(),
    agent: async ({ results }) => (results.length ? ((seen = results[0].contentText), "I got it.") : { calls: [{ id: "c", name: "ask_user", input: { question: "How many?", answer_type: "number" } }] }),
  });
  const { at, opens } = await begin(own.url, "Go.");
  const { data } = (await read(`${at}/events`, opens, (found) => found.some(isAsked))).findLast(isAsked);
  const walk = resume(data.request, data.walk, { ...data.options, dialect: data.dialect });
  walk.answerText("123456789012345678901");
  const body = JSON.stringify({ tool_call_id: "c", ...walk.response });
  assert.equal((await fetch(`${at}/respond`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body })).status, 200);
  await own.host.settled();
  own.close();
  assert.equal(seen, '{"answer_type":"number","answer":123456789012345678901}');
});

test("the person stops the agent: its work is aborted, and every open call gets a result that says so", async () => {
  const aborted = [];
  const wait = ({ signal }) => new Promise((_, fail) => signal.addEventListener("abort", () => (aborted.push(signal.reason.name), fail(signal.reason))));
  const own = await JsHost.start({ store: memory(), tools: { wait: (input, { signal }) => wait({ signal }) }, agent: async ({ messages, signal }) => (/** @type {any} */ (messages.at(-1)).text === "think" ? wait({ signal }) : { calls: [{ id: "a", name: "wait" }, { id: "b", name: "wait" }] }) });
  for (const text of ["think", "work"]) {
    const { at, opens } = await begin(own.url, text);
    const busy = text === "think" ? "requesting_model" : "executing";
    await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.type === busy));
    const post = (path, body) => fetch(`${at}/${path}`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: JSON.stringify(body) });
    assert.equal((await post("messages", { text: "More." })).status, 409);
    assert.equal((await post("cancel", {})).status, 200);
    const events = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.type === "idle"));
    assert.deepEqual(results(events).map(([content, isError]) => [/ended the turn/.test(content), isError]), text === "think" ? [] : [[true, true], [true, true]]);
  }
  await own.host.settled();
  own.close();
  assert.deepEqual(aborted, ["AbortError", "AbortError"]);
});

test("what comes late, after the person stopped it, does not count", { timeout: 60_000 }, async () => {
  const late = [];
  const slowly = () => new Promise((resolve) => late.push(resolve));
  // The same id again: nothing but the moment tells the two calls apart.
  const agent = async ({ messages, results }) => (messages.at(-1).text === "think" ? slowly() : results.length ? `I got ${results[0].content}.` : { calls: [{ id: "a", name: "wait" }] });
  const own = await JsHost.start({ store: memory(), agent, tools: { wait: slowly } });
  for (const [text, first, second] of [["think", "The first.", "The second."], ["work", 1, 2]]) {
    const { at, opens } = await begin(own.url);
    const post = (path, body) => fetch(`${at}/${path}`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: JSON.stringify(body) });
    const begun = (count) => until(() => late, `${count} calls`, ({ length }) => length >= count);
    late.length = 0;
    await post("messages", { text });
    await begun(1);
    await post("cancel", {});
    await post("messages", { text });
    await begun(2);
    late[0](first);
    await tasks(50);
    late[1](second);
    const events = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.role === "assistant" && /second|I got/.test(data.text)));
    const said = events.filter(({ data }) => data.role === "assistant").map(({ data }) => data.text).filter(Boolean);
    assert.deepEqual(said, text === "think" ? ["The second."] : ["I got 2."]);
  }
  await own.host.settled();
  own.close();
});

test("a store that fails once, before or after it has stored, stops nothing", async () => {
  const calls = [{ name: "add", input: { a: 1, b: 2 } }, { name: "deploy", input: { to: "x" } }];
  for (const fails of ["before", "after"]) {
    for (let moment = 1; ; moment += 1) {
      const store = memory();
      let [count, isArmed] = [0, false];
      const failing = Object.fromEntries(
        Object.entries(store).map(([name, act]) => [name, async (...given) => {
          const isNow = isArmed && (count += 1) === moment;
          if (isNow && fails === "before") throw new Error("It failed before.");
          const result = await act(...given);
          if (isNow) throw new Error("It failed after.");
          return result;
        }]),
      );
      const own = createHost({ store: /** @type {any} */ (failing), agent: scripted, tools: TOOLS, onError: () => undefined });
      const { id } = await own.create();
      const stored = async () => JSON.parse((await store.load(id)).state).conversation;
      const comesTo = (wanted) => until(async () => (await stored()).state, `${fails}, ${moment}: the state ${wanted}`, (state) => state === wanted);
      isArmed = true;
      // A client sends its request once more, and no more than that.
      const twice = (act) => act().catch((error) => (error.status === 503 ? act() : Promise.reject(error))).catch((error) => assert.equal(error.status, 409));
      await twice(() => own.message(id, JSON.stringify(calls)));
      await comesTo("awaiting_user_response");
      await twice(() => own.stop(id));
      await comesTo("idle");
      await own.settled();
      const lines = (await store.lines(id, ["message"])).map(({ text }) => JSON.parse(text));
      check(lines, new Map(), true);
      assert.equal(lines.filter(({ role }) => role === "user").length, 1);
      if (count < moment) break;
    }
  }
});

test("an agent that fails is reported, the person reads a sentence, and can try again", async () => {
  const errors = [];
  let fails = 1;
  const agent = async () => {
    if (fails-- > 0) throw new Error("The key sk-1234 is wrong.");
    return "I got it.";
  };
  const own = await JsHost.start({ store: memory(), agent, onError: (/** @type {any} */ error) => void errors.push(error.message) });
  const { at, opens } = await begin(own.url, "Go.");
  const events = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.role === "error"));
  assert.deepEqual(events.find(({ data }) => data.role === "error").data, { role: "error", text: "The agent failed. Try again.", try_again: true });
  const retry = () => fetch(`${at}/retry`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: "{}" });
  assert.equal((await retry()).status, 202);
  await read(`${at}/events`, opens, (found) => found.some(isOver));
  assert.equal((await retry()).status, 409);
  own.close();
  assert.deepEqual(errors, ["The key sk-1234 is wrong."]);
});

test("what an agent gives that is no response is told to the person or the model, and nothing hangs", async () => {
  const circle = {};
  circle.circle = circle;
  let deep = /** @type {any} */ (1);
  for (let level = 0; level < 200; level += 1) deep = [deep];
  const replies = {
    text: { text: 1 }, calls: { calls: {} }, id: { calls: [{ name: "add" }] },
    twice: { calls: [{ id: "a", name: "add" }, { id: "a", name: "add" }] }, deep: { calls: [{ id: "a", name: "add", input: deep }] },
    circle: { calls: [{ id: "a", name: "add", input: circle }] }, function: { calls: [{ id: "a", name: "add", input: { f() {} } }] },
  };
  const tools = { deep: () => deep, circle: () => circle, function: () => () => 1, big: () => 1n };
  const agent = async ({ messages, results }) => (results.length ? "I got it." : replies[messages.at(-1).text] ?? { calls: [{ id: "a", name: messages.at(-1).text }] });
  const own = await JsHost.start({ store: memory(), agent, tools, onError: () => undefined });
  for (const text of [...Object.keys(replies), "big", "function"]) {
    const { at, opens } = await begin(own.url, text);
    const events = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.type === "idle"));
    assert.equal(events.filter(({ data }) => data.role === "assistant" || data.role === "error").length > 0, true, text);
    if (text === "big") assert.equal(results(events)[0][1], true);
  }
  for (const name of Object.keys(tools)) {
    const { id } = await own.host.create();
    await own.host.message(id, `run ${name}`);
  }
  await own.host.settled();
  own.close();
});

test("a conversation opens with its token alone, and with the cookie that has it", async () => {
  const { at, token } = await begin(host.url);
  const status = async (headers) => (await fetch(`${at}/records`, { headers })).status;
  assert.deepEqual(await Promise.all([{}, { Authorization: "Bearer x" }, { Authorization: `Bearer ${token}x` }, { Authorization: `Bearer ${token}` }, { Cookie: `a=b; ask_user_conversation=${token}` }].map(status)), [403, 403, 403, 200, 200]);
  const created = await fetch(`${host.url}/conversations`, { method: "POST", headers: JSON_TYPE, body: "{}" });
  assert.match(created.headers.get("set-cookie"), /^ask_user_conversation=[0-9a-f]{32}; Path=\/conversations\/[0-9a-f]{32}; HttpOnly; SameSite=Strict$/);
  const missing = await fetch(`${host.url}/conversations/${"0".repeat(32)}/records`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(missing.status, 404);
});

test("a body that nests without end is refused, and the question stays open", async () => {
  const { at, opens, call } = await due(host.url);
  const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  const bodies = { respond: [`{"tool_call_id":${JSON.stringify(call)},"walk":{"log":${deep}},"secrets":{}}`, `{"tool_call_id":${JSON.stringify(call)},"answers":{"apply":${deep}}}`, `{"tool_call_id":${JSON.stringify(call)},"walk":{"log":[]},"secrets":${deep}}`], walk: [`{"tool_call_id":${JSON.stringify(call)},"walk":${deep}}`], messages: [`{"text":${deep}}`] };
  for (const [path, texts] of Object.entries(bodies)) {
    for (const body of texts) {
      const response = await fetch(`${at}/${path}`, { method: path === "walk" ? "PUT" : "POST", headers: { ...JSON_TYPE, ...opens }, body });
      assert.equal(response.status, 422, path);
      assert.match((await response.json()).message, /nests deeper/);
    }
  }
  const brackets = `{"text":${JSON.stringify(`${"[".repeat(1_000)}\"`)}}`;
  assert.equal((await fetch(`${at}/messages`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: brackets })).status, 409, "brackets in a text do not nest");
});

test("a body with more values than any answer is refused before it is parsed", async () => {
  const { at, opens, call } = await due(host.url);
  for (const answers of [`[${"1,".repeat(3_900_000)}1]`, `{"a":[${"{},".repeat(2_600_000)}{}]}`, `{${Array.from({ length: 300_000 }, (_, name) => `"${name}":1`).join()}}`]) {
    const response = await fetch(`${at}/respond`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: `{"tool_call_id":${JSON.stringify(call)},"answers":${answers}}` });
    assert.equal(response.status, 422);
    assert.match((await response.json()).message, /more than 250000 values/);
  }
});

test("the calls of a response are bounded, and each has an id of its own", async () => {
  const agent = async ({ messages, results }) => {
    const { text } = messages.findLast(({ role }) => role === "user");
    return results.length || text === "Hello." ? "I see." : { text: "Look.", calls: JSON.parse(text).map((id) => ({ id, name: "add", input: { a: 1, b: 1 } })) };
  };
  const own = createHost({ store: memory(), agent, tools: TOOLS });
  for (const [ids, said] of /** @type {any[][]} */ ([[Array.from({ length: 129 }, (_, id) => `c${id}`), /129 tool calls.*None was run/], [[""], /empty/], [["x".repeat(257)], /256 bytes/], [["a", "a"], /"a"/]])) {
    const { id } = await own.create();
    await own.message(id, JSON.stringify(ids));
    await own.settled();
    const messages = await own.messages(id);
    assert.match(/** @type {any} */ (messages.at(-1)).text, said);
    assert.deepEqual([(await own.state(id)).type, messages.filter(({ role }) => role === "tool").length], ["idle", 0]);
  }
  const { id } = await own.create();
  await own.message(id, JSON.stringify(Array.from({ length: 128 }, (_, call) => `c${call}`)));
  await own.settled();
  assert.equal((await own.messages(id)).filter(({ role }) => role === "tool").length, 128);
});

test("the token opens a conversation beside any number of old cookies", async () => {
  const { at, token } = await begin(host.url);
  const cookies = Array.from({ length: 50 }, (_, place) => `ask_user_conversation=${place}`).join("; ");
  assert.equal((await fetch(`${at}/records`, { headers: { Cookie: cookies, Authorization: `Bearer ${token}` } })).status, 200);
});

test("an application decides who is signed in, and from which origins pages come", async () => {
  const own = createHost({ store: memory(), agent: async () => "So.", origins: ["https://app.example"], authorize: (request) => request.headers.get("x-user") === "ada" });
  const status = async (headers, url = "https://app.example/conversations") => (await own.handle(new Request(url, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: "{}" }))).status;
  assert.deepEqual(await Promise.all([status({ "X-User": "ada" }), status({}), status({ "X-User": "ada", Origin: "https://app.example" }), status({ "X-User": "ada", Origin: "http://app.example" }), status({ "X-User": "ada" }, "https://other.example/conversations")]), [201, 401, 201, 403, 403]);
  const created = await own.handle(new Request("https://app.example/conversations", { method: "POST", headers: { ...JSON_TYPE, "X-User": "ada" }, body: "{}" }));
  assert.match(created.headers.get("set-cookie"), /; Secure$/);
});

test("the options of a host are checked", () => {
  const given = { store: memory(), agent: async () => "So." };
  for (const wrong of /** @type {any[]} */ ([{}, { ...given, store: {} }, { ...given, agent: 1 }, { ...given, tolls: {} }, { ...given, tools: { a: {} } }, { ...given, dialects: ["x"] }, { ...given, dialects: ["copilot"] }, { ...given, dialects: ["ask_user", "gemini"] }, { ...given, severalOpen: "yes" }, { ...given, base: "/a/" }, { ...given, origins: ["app.example"] }, { ...given, store: Promise.resolve(memory()) }])) {
    assert.throws(() => createHost(wrong), TypeError);
  }
  assert.throws(() => /** @type {any} */ (ask)(), TypeError);
  assert.throws(() => ask({ question: "Sure?" }, /** @type {any} */ ({ secretAnswers: {} })), /clients get/);
});

test("a host that closes ends its streams, and a conversation that nobody uses leaves memory", async () => {
  const own = await JsHost.start({ store: memory() });
  const { at, opens } = await begin(own.url);
  const stream = await fetch(`${at}/events`, { headers: opens });
  const text = stream.text();
  await own.host.settled();
  assert.equal(own.host.inMemory, 1);
  own.host.close();
  assert.match(await text, /^retry: \d+\n\n$/);
  await until(() => own.host.inMemory, "an empty memory", (count) => count === 0);
  assert.equal(own.host.inMemory, 0);
  own.close();
});

test("each call gets one result and each acknowledged answer arrives, whatever fails and whenever the host ends", async () => {
  const seeds = process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: process.env.SOAK ? 2_000 : 40 }, (_, seed) => seed);
  // Many at once: each waits more than it works, since a host pauses before it tries a store again.
  while (seeds.length) await Promise.all(seeds.splice(0, 40).map((seed) => played(seed).catch((error) => assert.fail(`SEED=${seed}: ${error.stack}`))));
});

/** One conversation to its end, through hosts that end and stores that fail. */
async function played(seed) {
  const dice = new Dice(seed);
  const store = memory();
  const acknowledged = new Map();
  const tools = { ...TOOLS, later: () => ask({ question: "Sure?", answer_type: "boolean" }, { blocking: false }), slow: () => pause(5).then(() => "slowly") };
  let alive;
  let own;
  const start = async () => {
    for (;;) {
      alive = { isDead: false, isArmed: true };
      const ended = new Promise((resolve) => (alive.died = () => resolve(DEAD)));
      alive.ended = ended;
      own = createHost({ store: unreliable(store, dice, alive), agent: scripted, tools, onError: () => undefined });
      // The store may fail while it is asked what is open: then the application tries again.
      const resumed = (async () => {
        for (;;) {
          try {
            return await own.resume();
          } catch {
            // Again.
          }
        }
      })();
      if ((await Promise.race([resumed, ended])) !== DEAD) return;
    }
  };
  /** What a host says; in its place, nothing if it ended meanwhile. */
  const said = async (request) => {
    if (alive.isDead) await start();
    return Promise.race([own.handle(request()), alive.ended]);
  };
  await start();
  const calm = createHost({ store, agent: scripted, tools, severalOpen: dice.below(2) > 0 });
  const { id, token } = await calm.create();
  const at = `http://localhost/conversations/${id}`;
  const post = (path, body, key = "") => () => new Request(`${at}/${path}`, { method: "POST", headers: { ...JSON_TYPE, Authorization: `Bearer ${token}`, "Idempotency-Key": key }, body: JSON.stringify(body) });
  const stored = async () => JSON.parse((await store.load(id)).state);
  const lines = async () => (await store.lines(id, ["message"])).map(({ text }) => JSON.parse(text));
  let messages = 0;
  for (let steps = 0; steps < 10_000; steps += 1) {
    const { conversation } = await stored();
    const { open } = Conversation.fromJSON(conversation);
    const isIdle = conversation.state === "idle";
    if (isIdle && messages === 3 && !open.length) break;
    const answers = open.length > 0 && (isIdle ? messages === 3 || dice.below(3) === 0 : dice.below(3) > 0);
    if (isIdle && !answers) {
      const calls = Array.from({ length: dice.below(4) }, () => dice.pick([{ name: "add", input: { a: 1, b: 1 } }, { name: "fail", input: {} }, { name: "slow", input: {} }, { name: "later", input: {} }, { name: "ask_user", input: { question: "Sure?", answer_type: "boolean" } }, { name: "deploy", input: { to: "x" } }]));
      const response = await said(post("messages", { text: JSON.stringify(calls) }));
      if (response !== DEAD && response.status === 202) messages += 1;
      // A message without a reply may have been stored.
      else messages = (await lines()).filter(({ role, call_id: call }) => role === "user" && call === undefined).length;
    } else if (answers) {
      const { call: { id: call, name }, request, walk: kept, options, dialect } = dice.pick(open);
      const walk = resume(request, kept, { ...options, dialect });
      const way = dice.below(4);
      if (way === 0) walk.reply("Not now.");
      else walk.answer(way === 1);
      const response = await said(post("respond", { tool_call_id: call, ...walk.response }, walk.idempotencyKey));
      if (response === DEAD || response.status !== 200) continue;
      const { result, explanation } = walk.outcome;
      const content = name === "later" && explanation ? { result, message: explanation } : result;
      acknowledged.set(call, name !== "deploy" ? content : way === 0 ? { deployed: null, ends: "replied" } : { deployed: way === 1 ? "x" : null });
    } else if (dice.below(40) === 0) {
      await said(post("cancel", {}));
    } else {
      if (alive.isDead) await start();
      await pause(5);
    }
    check(await lines(), acknowledged, false);
  }
  assert.equal((await stored()).conversation.state, "idle", "the conversation went on to its end");
  check(await lines(), acknowledged, true);
  alive.isDead = true;
}
