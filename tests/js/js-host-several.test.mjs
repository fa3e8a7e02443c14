// The host for JavaScript with several open questions: the calls of one response run on while questions wait, and each question is answered on its own.
import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { readRecords, resume } from "../../pkg/dist/core.node.js";
import { ask, memory } from "../../pkg/dist/host.node.js";
import { conformsOverHttp, keepsVersions, overHttp } from "./conformance.mjs";
import { JsHost, QUESTIONS, TOOLS, begin, read } from "./js-host.mjs";
import { until } from "./wait.mjs";

const JSON_TYPE = { "Content-Type": "application/json" };
const SURE = { question: "Sure?", answer_type: "boolean" };
const ASKS = { name: "ask_user", input: SURE };
const isOver = ({ data }) => data.role === "assistant" && data.text.startsWith("I got");

const hosts = [];
after(() => hosts.forEach((host) => host.close()));

async function started(options) {
  const own = await JsHost.start({ store: memory(), severalOpen: true, ...options });
  hosts.push(own);
  return own;
}

/** The questions that a state tells of. */
const requestsOf = ({ requests, ...state }) => requests ?? (state.type === "awaiting_user_response" ? [state] : []);

/** A conversation whose message names these calls, once so many questions are open. */
async function conversation(calls, count, /** @type {{ [option: string]: any }} */ { own, ...options } = {}) {
  const { host, url } = own ?? (await started(options));
  const { at, opens, id } = await begin(url, JSON.stringify(calls));
  const send = async (method, path, body, headers) => {
    const response = await fetch(`${at}/${path}`, { method, headers: { ...JSON_TYPE, ...opens, ...headers }, body: JSON.stringify(body) });
    return { status: response.status, etag: response.headers.get("etag"), body: response.status === 204 ? undefined : await response.json() };
  };
  const hear = (until) => read(`${at}/events`, opens, until);
  const due = async (count) => requestsOf((await hear((found) => found.some(({ data }) => requestsOf(data).length === count))).findLast(({ data }) => data.type).data);
  const answer = (call, value = true, headers) => send("POST", "respond", { tool_call_id: call, answers: { answer: value } }, headers);
  const results = async () => Object.fromEntries((await hear((found) => found.some(isOver))).filter(({ data }) => data.role === "tool").map(({ data }) => [data.call_id, data.content]));
  return { host, at, opens, id, send, hear, due, answer, results, requests: await due(count) };
}

/** A tool that ends when a test says so. */
function slow() {
  const runs = [];
  const run = (_, { signal }) => new Promise((resolve, reject) => {
    runs.push({ resolve, signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  return { runs, tools: { ...TOOLS, slow: run } };
}

const walkOf = ({ request, walk, options, dialect }) => resume(request, walk, { ...options, dialect });

for (const place of [0, 1]) {
  let own;
  before(async () => (own = await started()));
  const target = {
    async due() {
      const { at, opens, requests, hear } = await conversation([{ name: "ask_user", input: QUESTIONS }, { name: "ask_user", input: QUESTIONS }], 2, { own });
      const { tool_call_id: call, request, walk, version, dialect, options } = requests[place];
      const body = (response) => (response && typeof response === "object" && !Array.isArray(response) ? { tool_call_id: call, ...response } : response);
      const over = overHttp({ url: `${at}/respond`, saveUrl: `${at}/walk`, headers: opens, body });
      // The other question stays open, so the stream ends with it.
      const taken = async () => (await hear((found) => found.some(({ data }) => requestsOf(data).length))).filter(({ data }) => data.role === "tool" && data.call_id === call).map(({ data }) => data.content);
      return { ...over, request, walk, version, options: { ...options, tool_call_id: undefined, toolCallId: call, dialect }, taken };
    },
  };
  conformsOverHttp(`the host with two open questions, at question ${place + 1}`, target);
  keepsVersions(`the host with two open questions, at question ${place + 1}`, target);
}

test("a tool runs on while questions are answered, saved and asked beside it", async () => {
  const { runs, tools } = slow();
  const { requests, send, answer, results, host, id } = await conversation([ASKS, ASKS, { name: "slow" }], 2, { tools });
  const [first, second] = requests;
  await until(() => runs, "the tool runs", ({ length }) => length === 1);
  const walk = walkOf(second);
  walk.answer(false);
  const saved = await send("PUT", "walk", { tool_call_id: second.tool_call_id, walk: walk.save() }, { "If-Match": second.version });
  assert.equal(saved.status, 204, JSON.stringify(saved.body));
  assert.equal((await answer(first.tool_call_id)).status, 200);
  const told = await host.state(id);
  // One alone is told as ever, with what was saved.
  assert.deepEqual([told.type, told.tool_call_id, told.walk], ["awaiting_user_response", second.tool_call_id, walk.save()]);
  assert.equal((await send("POST", "respond", { tool_call_id: second.tool_call_id, ...walk.response })).status, 200);
  assert.equal((await host.state(id)).type, "executing");
  assert.equal(runs[0].signal.aborted, false);
  runs[0].resolve("slowly");
  assert.deepEqual(await results(), { call_1_0: { answer_type: "boolean", answer: true }, call_1_1: { answer_type: "boolean", answer: false }, call_1_2: "slowly" });
  assert.equal(runs.length, 1);
});

test("the agent gets the results in the order of its calls, whichever came first", async () => {
  const seen = [];
  const agent = async ({ results, messages }) => {
    if (results.length) return (seen.push(results.map(({ callId }) => callId), messages.filter(({ role }) => role === "tool").map(({ callId }) => callId)), "I got it.");
    return { calls: ["a", "b", "c"].map((id) => ({ id, ...ASKS })) };
  };
  const { answer, results, host, id } = await conversation([], 3, { agent });
  for (const call of ["c", "a", "b"]) assert.equal((await answer(call)).status, 200);
  await results();
  assert.deepEqual(seen, [["a", "b", "c"], ["a", "b", "c"]]);
  assert.deepEqual((await host.messages(id)).map(({ role, callId }) => callId ?? role), ["user", "assistant", "a", "b", "c", "assistant"]);
});

test("the person stops the agent: every open question is closed, the tool that runs is aborted, and each call gets its result", async () => {
  for (const way of ["stop", "stop at the second", "end the turn in the second form"]) {
    const { runs, tools } = slow();
    const { requests, send, answer, host, id, hear, at, opens } = await conversation([ASKS, ASKS, { name: "slow" }, ASKS], 2, { tools });
    await until(() => runs, "the tool runs", ({ length }) => length === 1);
    const [, { tool_call_id: second }] = requests;
    const walk = walkOf(requests[1]);
    walk.endTurn();
    const body = { stop: {}, "stop at the second": { tool_call_id: second } }[way] ?? { tool_call_id: second, ...walk.response };
    const stopped = await send("POST", "cancel", body);
    assert.equal(stopped.status, 200, `${way}: ${JSON.stringify(stopped.body)}`);
    const events = await hear((found) => found.some(({ data }) => data.type === "idle"));
    const { closed } = events.findLast(({ data }) => data.type === "idle").data;
    assert.deepEqual(closed.map(({ tool_call_id, how }) => `${tool_call_id} ${how}`).sort(), ["call_1_0 turn_ended", "call_1_1 turn_ended"], way);
    await host.settled();
    assert.equal(runs[0].signal.aborted, true);
    assert.deepEqual((await host.messages(id)).filter(({ role }) => role === "tool").map(({ callId }) => callId), [0, 1, 2, 3].map((place) => `call_1_${place}`), way);
    const records = await (await fetch(`${at}/records`, { headers: opens })).json();
    assert.deepEqual(records.map(({ type, outcome, id }) => [id, outcome ?? type]).sort(), ["call_1_0", "call_1_1"].flatMap((call) => [[`${call}.answer.1`, "cancelled"], [`${call}.answer.1`, "inquiry_request"]]), way);
    assert.deepEqual(readRecords(records).turns.flat().length, 4);
    for (const call of ["call_1_0", "call_1_1"]) assert.equal((await answer(call)).status, 409, way);
    assert.equal((await send("POST", "cancel", { tool_call_id: second })).status, 409);
  }
});

test("plain answers name their question while several are open", async () => {
  const { requests, send, answer, results } = await conversation([ASKS, ASKS], 2);
  const nameless = await send("POST", "respond", { answers: { answer: true } });
  assert.deepEqual([nameless.status, nameless.body.error], [409, "not_open"]);
  assert.match(nameless.body.message, /2 questions are open\. Name the call of one in "tool_call_id"/);
  assert.equal((await answer(requests[1].tool_call_id, false, { "Idempotency-Key": "k" })).status, 200);
  // The key of one is not that of another.
  assert.equal((await answer(requests[0].tool_call_id, false, { "Idempotency-Key": "k" })).status, 409);
  assert.equal((await send("POST", "respond", { answers: { answer: true } })).status, 200);
  assert.deepEqual(Object.values(await results()).map(({ answer }) => answer), [false, true]);
});

test("an answer goes to no other question, whatever names it", async () => {
  const { requests, send, host, id } = await conversation([ASKS, ASKS], 2);
  const [first, second] = requests;
  const walk = walkOf(first);
  walk.answer(true);
  assert.equal((await send("POST", "respond", { tool_call_id: second.tool_call_id, ...walk.response })).status, 409);
  assert.equal((await send("PUT", "walk", { tool_call_id: second.tool_call_id, walk: walk.save() })).status, 409);
  assert.equal((await send("POST", "respond", { tool_call_id: second.tool_call_id, answers: { answer: true }, nonce: first.options.nonce })).status, 409);
  assert.deepEqual((await host.state(id)).requests.map(({ walk }) => walk), [first.walk, second.walk]);
});

test("one of several questions expires, and the others and the tool that runs go on", async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const { runs, tools } = slow();
  const late = { run: () => ask(SURE, { expiresAt }) };
  const { requests, answer, hear, results, host, id } = await conversation([{ name: "late" }, { name: "late" }, ASKS, { name: "slow" }], 3, { tools: { ...tools, late } });
  await until(() => runs, "the tool runs", ({ length }) => length === 1);
  const later = Date.now() + 61_000;
  const clock = mock.method(Date, "now", () => later);
  // Whatever comes first finds both expired.
  assert.equal((await host.state(id)).tool_call_id, requests[2].tool_call_id);
  clock.mock.restore();
  const closed = (await hear((found) => found.some(({ data }) => data.tool_call_id === "call_1_2"))).flatMap(({ data }) => data.closed ?? []);
  assert.deepEqual(closed.map(({ tool_call_id, how }) => [tool_call_id, how]), [["call_1_0", "expired"], ["call_1_1", "expired"]]);
  assert.equal(runs[0].signal.aborted, false);
  assert.equal((await answer("call_1_2")).status, 200);
  runs[0].resolve("slowly");
  const got = await results();
  assert.match(got.call_1_0, /expired/);
  assert.deepEqual([got.call_1_2.answer, got.call_1_3], [true, "slowly"]);
});

test("after a restart the questions are open, the tool that ran is interrupted, and the calls after it run", async () => {
  const store = memory();
  const { runs, tools } = slow();
  const options = { store, tools };
  const { requests, at, opens, id } = await conversation([ASKS, ASKS, { name: "slow" }, { name: "add", input: { a: 1, b: 2 } }], 2, options);
  await until(() => runs, "the tool runs", ({ length }) => length === 1);
  const other = await started(options);
  await other.host.resume();
  const address = at.replace(/^http:..[^/]+/, other.url);
  const respond = (call) => fetch(`${address}/respond`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: JSON.stringify({ tool_call_id: call, answers: { answer: true } }) });
  await until(() => other.host.state(id), "the calls after it have run", ({ requests }) => requests?.length === 2);
  // What comes of the tool in the process that has ended counts no more.
  runs[0].resolve("slowly");
  for (const { tool_call_id: call } of requests) assert.equal((await respond(call)).status, 200);
  const events = await read(`${address}/events`, opens, (found) => found.some(isOver));
  const got = events.filter(({ data }) => data.role === "tool").map(({ data }) => [data.call_id, data.content]).sort();
  assert.deepEqual(got.map(([call]) => call), [0, 1, 2, 3].map((place) => `call_1_${place}`));
  assert.match(got[2][1], /restarted/);
  assert.equal(got[3][1], 3);
});

test("another process takes an answer while a tool runs in this one, and what the tool gives counts", async () => {
  const store = memory();
  const { runs, tools } = slow();
  const { requests, at, opens, results } = await conversation([ASKS, { name: "slow" }], 1, { store, tools });
  await until(() => runs, "the tool runs", ({ length }) => length === 1);
  const other = await started({ store, tools });
  const response = await fetch(`${at.replace(/^http:..[^/]+/, other.url)}/respond`, { method: "POST", headers: { ...JSON_TYPE, ...opens }, body: JSON.stringify({ tool_call_id: requests[0].tool_call_id, answers: { answer: true } }) });
  assert.equal(response.status, 200);
  runs[0].resolve("slowly");
  assert.deepEqual(await results(), { call_1_0: { answer_type: "boolean", answer: true }, call_1_1: "slowly" });
});

test("what each of several answers is remembered for is kept for the turn", async () => {
  const remembers = (name) => ({ run: () => ask({ questions: [{ id: name, text: `${name}?`, answer_type: "boolean" }] }), answered: ({ result }) => result });
  let round = 0;
  const names = ["one", "two"];
  const agent = async ({ results }) => (results.length && (round += 1) > 1 ? `I got ${JSON.stringify(results.map(({ content }) => content))}.` : { calls: names.map((name) => ({ id: `${name}_${round}`, name })) });
  const { requests, send, hear } = await conversation([], 2, { agent, tools: Object.fromEntries(names.map((name) => [name, remembers(name)])) });
  for (const request of requests) {
    const walk = walkOf(request);
    walk.answer(true, { remember: true });
    assert.equal((await send("POST", "respond", { tool_call_id: request.tool_call_id, ...walk.response })).status, 200);
  }
  const events = await hear((found) => found.some(isOver));
  assert.equal(events.findLast(isOver).data.text, 'I got [{"one":true},{"two":true}].');
});

test("each question that ends with the turn has the result that its own dialect gives", async () => {
  const elicit = { run: () => ask({ message: "Which name?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } }, { dialect: "mcp" }) };
  for (const way of ["stop", "end the turn in the first form"]) {
    const { runs, tools } = slow();
    const { requests, send, host, id, hear } = await conversation([{ name: "elicit" }, { name: "elicit" }, ASKS, { name: "slow" }], 3, { tools: { ...tools, elicit } });
    await until(() => runs, "the tool runs", ({ length }) => length === 1);
    const walk = walkOf(requests[0]);
    walk.endTurn();
    const body = way === "stop" ? {} : { tool_call_id: requests[0].tool_call_id, ...walk.response };
    assert.equal((await send("POST", "cancel", body)).status, 200);
    await hear((found) => found.some(({ data }) => data.type === "idle"));
    const results = (await host.messages(id)).filter(({ role }) => role === "tool").map(({ content, isError }) => [content, isError]);
    assert.deepEqual(results.slice(0, 3), [[{ action: "cancel" }, false], [{ action: "cancel" }, false], ["User cancelled the question", true]], way);
    assert.match(results[3][0], /ended the turn while this tool ran/);
  }
});

test("no more questions of a turn are open at once than its limit, and a question counts however it ended", async () => {
  const limited = { run: ({ count = 1 }) => ask({ questions: Array.from({ length: count }, (_, place) => ({ id: `q${place}`, text: "Sure?", answer_type: "boolean" })) }, { limits: { questionsPerTurn: 3 } }) };
  const later = () => ask(SURE, { limits: { questionsPerTurn: 3 }, blocking: false });
  let round = 0;
  const rounds = [[["a", 1], ["b", 1], ["c", 2], ["d", 1, "later"], ["e", 1]], [["f", 1]]];
  const seen = [];
  const agent = async ({ results }) => {
    seen.push(...results.map(({ callId, isError, content }) => [callId, isError ? content.problems?.[0].code : content]));
    const calls = rounds[round++];
    return calls ? { calls: calls.map(([id, count, name = "limited"]) => ({ id, name, input: { count } })) } : `I got ${round}.`;
  };
  const { requests, answer, send, hear } = await conversation([], 3, { agent, tools: { limited, later } });
  // Two wait, and the third is not waited for; what came after them was refused.
  assert.deepEqual(requests.map(({ tool_call_id: call }) => call), ["a", "b", "d"]);
  const reply = walkOf(requests[0]);
  reply.reply("Wait.");
  assert.equal((await send("POST", "respond", { tool_call_id: "a", ...reply.response })).status, 200);
  const refused = walkOf(requests[1]);
  refused.reply();
  assert.equal((await send("POST", "respond", { tool_call_id: "b", ...refused.response })).status, 200);
  assert.equal((await answer("d")).status, 200);
  await hear((found) => found.some(isOver));
  const codes = new Map(seen);
  assert.deepEqual([codes.get("c"), codes.get("e"), codes.get("f")], ["too_many_questions", "too_many_questions", "too_many_questions"]);
});

test("a stream that is opened again tells each question as far as it has come", async () => {
  const { requests, send, answer, hear } = await conversation([ASKS, ASKS, ASKS], 3);
  const walk = walkOf(requests[1]);
  walk.answer(false);
  assert.equal((await send("PUT", "walk", { tool_call_id: requests[1].tool_call_id, walk: walk.save() })).status, 204);
  assert.equal((await answer(requests[0].tool_call_id)).status, 200);
  const told = (await hear((found) => found.some(({ data }) => requestsOf(data).length === 2))).findLast(({ data }) => data.type).data;
  assert.deepEqual(told.closed.tool_call_id, requests[0].tool_call_id);
  assert.deepEqual(told.requests.map(({ tool_call_id, walk }) => [tool_call_id, walk]), [[requests[1].tool_call_id, walk.save()], [requests[2].tool_call_id, requests[2].walk]]);
  assert.ok(told.requests.every(({ version }) => /^"/.test(version)));
});
