// Several requests at once: one form after the other, and each answer at its own call. With a real graph of LangGraph.js, a host that is heard, `ask`, and a channel.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { Stream } from "./stream.mjs";
import { allDone, becomes, keepsStill, painted, stopEvents, takesAnswers, until } from "./wait.mjs";

const { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } = createRequire(new URL("../../examples/package.json", import.meta.url))("@langchain/langgraph");

let browser;
let page;
let stream;
before(async () => (browser = await launch()));
beforeEach(async () => {
  stream = new Stream();
  browser.meddle = stream.meddle;
  browser.deliveries.length = 0;
  page = await browser.page();
  await page.evaluate(async () => {
    await customElements.whenDefined("ask-user");
    window.closings = [];
    window.errors = [];
    document.addEventListener("ask-user-closed", ({ detail }) => window.closings.push([detail.toolCallId, detail.how]));
    document.addEventListener("ask-user-error", ({ detail }) => window.errors.push(detail.error.message));
    // What is reported to the page as well is an error there, and expected here.
    addEventListener("error", (event) => event.error instanceof TypeError && event.preventDefault());
    window.put = ({ attributes = {}, host, ...set }) => {
      const element = document.createElement("ask-user");
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.host = { layout: "steps", ...host };
      document.querySelector("main").replaceChildren(element);
      Object.assign(element, set);
    };
  });
});
afterEach(() => {
  stream.close();
  return page.context().close();
});
after(() => browser.close());

const text = (id, words) => ({ questions: [{ id, text: words, answer_type: "text" }] });
const NAME = text("name", "Which name?");
const PLACE = text("place", "Which place?");
const TIME = text("time", "Which time?");
const put = (options) => page.evaluate((options) => window.put(options), options);
const set = (requests) => page.evaluate((requests) => (window.form().requests = requests), requests);
const find = (selector, at = 0) => page.locator("ask-user").nth(at).locator(selector);
/** Waits for a question, and until the person has been still. */
const asked = (id, at = 0) => takesAnswers(page, `[data-question=${id}]`, at);
const answer = async (id, words, at) => {
  await asked(id, at);
  await find("[data-field]", at).fill(words);
  await find("[type=submit]", at).click();
};
/** The ends that were told: `[call, result, key]`. */
const ends = () => page.evaluate(() => window.seen.filter(([name]) => ["result", "end-turn"].includes(name)).map(([, { toolCallId, result, idempotencyKey }]) => [toolCallId, result, idempotencyKey]));
const ended = (count) => until(ends, `${count} ends`, ({ length }) => length === count);
const posted = (count) => until(() => stream.posted, `${count} posted answers`, ({ length }) => length === count);
const results = async () => (await ends()).map(([call, result]) => [call, result]);
const closed = () => page.evaluate(() => window.closings);
const errors = () => page.evaluate(() => window.errors);
const count = () => find("[part=count]").allTextContents();

/** A graph whose two nodes interrupt it at the same time. */
const parallel = () => {
  const node = (name, words) => () => ({ [name]: interrupt(text(name, words))[name] });
  return new StateGraph(Annotation.Root({ name: Annotation(), place: Annotation() }))
    .addNode("askName", node("name", "Which name?"))
    .addNode("askPlace", node("place", "Which place?"))
    .addEdge(START, "askName")
    .addEdge(START, "askPlace")
    .addEdge("askName", END)
    .addEdge("askPlace", END)
    .compile({ checkpointer: new MemorySaver() });
};
const THREAD = { configurable: { thread_id: "1" } };

test("a graph that is interrupted twice at once gets each answer at its own node, by <ask-user>", async () => {
  const graph = parallel();
  const { __interrupt__: interrupts } = await graph.invoke({}, THREAD);
  assert.equal(interrupts.length, 2);
  await put({ requests: interrupts.map(({ id, value }) => ({ toolCallId: id, request: value })) });
  await answer("name", "Ada");
  await answer("place", "London");
  await ended(2);
  const resume = Object.fromEntries(await results());
  assert.deepEqual(await graph.invoke(new Command({ resume }), THREAD), { name: "Ada", place: "London" });
});

test("a graph that is interrupted twice at once gets each answer at its own node, by ask()", async () => {
  const graph = parallel();
  const { __interrupt__: interrupts } = await graph.invoke({}, THREAD);
  const resume = page.evaluate(async (interrupts) => {
    const { ask } = await import("/pkg/dist/ask-user.js");
    const parent = document.querySelector("main");
    const answers = interrupts.map(async ({ id, value }) => [id, (await ask(value, { parent, host: { toolCallId: id } })).result]);
    return Object.fromEntries(await Promise.all(answers));
  }, interrupts);
  await answer("name", "Ada");
  await answer("place", "London", 1);
  assert.deepEqual(await graph.invoke(new Command({ resume: await resume }), THREAD), { name: "Ada", place: "London" });
  assert.equal(await page.locator("main ask-user").count(), 2, "each form stays as its receipt");
});

const THREE = [{ toolCallId: "a", request: NAME }, { toolCallId: "b", request: PLACE }, { toolCallId: "c", request: TIME }];

test("requests are shown one after the other, with how many there are; each end names its call, under a key of its own", async () => {
  await put({ requests: THREE.slice(0, 2) });
  await asked("name");
  assert.deepEqual(await count(), ["Request 1 of 2"]);
  assert.deepEqual(await page.evaluate(() => window.form().requests.map(({ toolCallId }) => toolCallId)), ["a", "b"]);
  await answer("name", "Ada");
  await asked("place");
  assert.deepEqual(await count(), ["Request 2 of 2"]);
  // A page that renders sets the same again, and then one more.
  await set(THREE.slice(0, 2));
  await set(THREE);
  assert.deepEqual(await count(), ["Request 2 of 3"]);
  await answer("place", "London");
  await answer("time", "Noon");
  await ended(3);
  assert.deepEqual(await results(), [["a", { name: "Ada" }], ["b", { place: "London" }], ["c", { time: "Noon" }]]);
  assert.equal(new Set((await ends()).map(([, , key]) => key)).size, 3);
  // All of them are answered: nothing is asked again.
  await set(THREE);
  await allDone(page);
  assert.deepEqual([(await ends()).length, await find("[data-question]").count(), await count()], [3, 0, []]);
  assert.deepEqual([await closed(), await errors(), page.faults], [[], [], []]);
});

test("what is typed stays while its request is in the list; what is taken out of the list is not asked", async () => {
  await put({ requests: THREE });
  await asked("name");
  await find("[data-field]").fill("Ad");
  await set([THREE[2], THREE[0]]);
  await allDone(page);
  assert.equal(await find("[data-field]").inputValue(), "Ad");
  await find("[type=submit]").click();
  await answer("time", "Noon");
  await ended(2);
  assert.deepEqual((await results()).map(([call]) => call), ["a", "c"]);
  await set([]);
  await set([THREE[0]]);
  await asked("name");
  await set([]);
  await find("[data-question]").waitFor({ state: "detached" });
});

test("a list that is set again, and again, after its end asks nothing twice", async () => {
  await put({});
  const list = [{ toolCallId: "a", request: NAME }];
  await set(list);
  await answer("name", "Ada");
  await ended(1);
  for (let time = 0; time < 3; time += 1) {
    await set(list);
    await allDone(page);
    assert.equal(await find("[data-question]").count(), 0);
  }
  assert.equal((await ends()).length, 1);
});

test("a request that is taken out of the list is gone, also where all others have ended", async () => {
  await put({});
  await set([{ toolCallId: "a", request: NAME }, { toolCallId: "b", request: PLACE }]);
  await answer("name", "Ada");
  await asked("place");
  await set([{ toolCallId: "a", request: NAME }]);
  await allDone(page);
  assert.equal(await find("[data-question]").count(), 0);
});

test("what is kept of a question is its own walk, also where the next one is set together with its walk", async () => {
  const show = async (call, request, walk) =>
    page.evaluate(
      ([call, request, walk]) => {
        const element = window.form();
        element.setAttribute("tool-call-id", call);
        element.request = request;
        if (walk) element.walk = walk;
      },
      [call, request, walk],
    );
  await page.evaluate(() => {
    window.kept = new Map();
    const element = document.createElement("ask-user");
    element.host = { layout: "steps", storage: { get: (key) => window.kept.get(key), set: (key, text) => void window.kept.set(key, text) } };
    document.querySelector("main").replaceChildren(element);
  });
  await show("b", PLACE);
  await asked("place");
  const walk = await page.evaluate(() => window.form().walk);
  await show("a", NAME);
  await asked("name");
  await find("[data-field]").fill("Ad");
  await show("b", PLACE, walk);
  await asked("place");
  const kept = await page.evaluate(() => [...window.kept].filter(([key]) => key.endsWith(" a")).map(([, text]) => JSON.parse(text).walk.questions));
  assert.deepEqual(kept, [["name"]]);
});

test("what a host says late of a walk that it was to keep does not close the request after it", async () => {
  for (const status of /** @type {any[]} */ ([409, 412])) {
    let walk;
    browser.meddle = (request, response, forward) => (request.url.startsWith("/late") ? void (walk ??= response) : stream.meddle(request, response, forward));
    await put({ attributes: { "save-url": "/late", "respond-url": "/answers/respond" } });
    await set([{ toolCallId: `a${status}`, request: NAME }, { toolCallId: `b${status}`, request: NAME }]);
    await asked("name");
    await find("[data-field]").fill("Ada");
    await until(() => walk, "the walk");
    const saved = await page.evaluate(() => window.form().walk);
    await find("[type=submit]").click();
    await asked("name");
    walk.writeHead(status, { "Content-Type": "application/json", ETag: '"2"' }).end(JSON.stringify({ walk: saved }));
    await allDone(page);
    assert.equal(await find("[data-field]").inputValue(), "", status);
    assert.equal((await page.evaluate(() => window.form().requests)).length, 1);
    assert.deepEqual(await closed(), []);
    assert.match(page.faults.splice(0).join(), /^Failed to load resource: .* status of \d+ \([\w ]+\) \S+\/late$/);
  }
});

test("two requests with one call, or one without, are the page's fault, and nothing that was there is lost", async () => {
  await put({ requests: THREE.slice(0, 1) });
  await asked("name");
  for (const [list, said] of /** @type {any[][]} */ ([
    [[THREE[0], { toolCallId: "a", request: PLACE }], /Two requests have the tool call id "a"/],
    [[{ request: PLACE }], /lacks its tool call id/],
    [[{ toolCallId: "b" }], /asks nothing/],
    ["x", /must be a list/],
  ])) {
    await set(list);
    assert.match((await errors()).at(-1), said);
  }
  await answer("name", "Ada");
  assert.deepEqual(await results(), [["a", { name: "Ada" }]]);
});

test("the same question under two calls is asked and answered twice", async () => {
  await put({ requests: [{ toolCallId: "a", request: NAME }, { toolCallId: "b", request: NAME }] });
  await answer("name", "Ada");
  await ended(1);
  await answer("name", "Grace");
  await ended(2);
  assert.deepEqual(await results(), [["a", { name: "Ada" }], ["b", { name: "Grace" }]]);
  const [one, other] = (await ends()).map(([, , key]) => key);
  assert.notEqual(one, other);
});

test("what the person asked to remember in one request answers the next of the same list", async () => {
  const go = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };
  await put({ requests: [{ toolCallId: "a", request: go }, { toolCallId: "b", request: go }] });
  await asked("go");
  await page.evaluate(() => window.form().focus());
  await page.keyboard.press("Shift+Y");
  await ended(2);
  assert.deepEqual(await results(), [["a", { go: true }], ["b", { go: true }]]);
  // Another list is of another turn.
  await set([{ toolCallId: "c", request: go }]);
  await asked("go");
  assert.equal((await ends()).length, 2);
});

test("who ends the turn ends what waits, too", async () => {
  await put({ requests: THREE });
  await asked("name");
  await find("[data-way=end-turn]").click();
  await find("[data-end-turn]").click();
  await ended(1);
  assert.deepEqual(await closed(), [["b", "turn_ended"], ["c", "turn_ended"]]);
  await set(THREE);
  await allDone(page);
  assert.equal(await find("[data-question]").count(), 0);
});

test("who ends the turn at a question that the agent does not wait for ends that one alone", async () => {
  await put({ requests: [{ ...THREE[0], options: { blocking: false } }, ...THREE.slice(1)] });
  await asked("name");
  await find("[data-way=end-turn]").click();
  await find("[data-end-turn]").click();
  await ended(1);
  await answer("place", "Rome");
  await ended(2);
  assert.deepEqual(await closed(), []);
  await asked("time");
});

test("a request that is no form, and one whose options cannot be, do not keep the others waiting", async () => {
  await put({ requests: [{ toolCallId: "a", request: { question: "?", answer_type: "perhaps" } }, { toolCallId: "b", request: NAME, options: { labell: "x" } }, THREE[2]] });
  await answer("time", "Noon");
  await ended(1);
  assert.match((await errors()).join(), /labell/);
  assert.equal((await page.evaluate(() => window.seen.filter(([name]) => name === "rejected"))).length, 1);
});

test("while an end can be undone the next request waits, and the undone one is open again", async () => {
  const pass = await browser.stopped(page);
  await put({ host: { undo: 3 }, requests: THREE.slice(0, 2), attributes: { "respond-url": "/respond" } });
  await answer("name", "Ad");
  await find("[data-undo]").click();
  assert.equal(await find("[data-field]").inputValue(), "Ad");
  await answer("name", "Ada");
  await find("[data-undo]").waitFor();
  await pass(2_900);
  await allDone(page);
  assert.deepEqual([await results(), await find("[data-undo]").count(), browser.deliveries.length], [[], 1, 0]);
  await pass(200);
  await answer("place", "London");
  await find("[data-undo]").waitFor();
  await pass(3_100);
  await until(() => browser.deliveries, "two deliveries", ({ length }) => length === 2);
  assert.deepEqual(browser.deliveries.map(({ body }) => JSON.parse(body)), [{ name: "Ada" }, { place: "London" }]);
  assert.deepEqual((await results()).map(([call]) => call), ["a", "b"]);
});

test("an end that cannot be sent keeps its place until the person goes on, and can be sent afterwards", async () => {
  stream.status.a = 409;
  await put({ requests: THREE.slice(0, 2), attributes: { "respond-url": "/answers/respond", "events-url": "/events" } });
  await answer("name", "Ada");
  await find("[data-delivery=failed]").waitFor();
  await allDone(page);
  assert.equal(await find("[data-question=place]").count(), 0, "nothing takes the place of an answer that is not sent");
  await find("button").filter({ hasText: "Show the next request" }).click();
  await answer("place", "London");
  await until(() => find("[part=receipt]").textContent(), "the first receipt", (text) => text.includes("Ada"));
  await find("[data-delivery=failed]").waitFor();
  // Nothing that is shown by itself takes a click before the person has been still.
  await painted(page);
  await keepsStill(page);
  stream.status.a = 200;
  await find("[data-again]").click();
  await find("[data-delivery=sent]").waitFor();
  assert.deepEqual(stream.posted.map(({ body }) => body.tool_call_id), ["a", "b", "a"]);
  assert.equal(stream.posted[0].key, stream.posted[2].key);
  assert.deepEqual((await results()).map(([call]) => call), ["a", "b"], "no end is told twice");
});

// A host that is heard.

const due = (...requests) => ({ type: "awaiting_user_response", requests });
const A = { tool_call_id: "a", request: NAME };
const B = { tool_call_id: "b", request: PLACE };
/** Waits until the page has done with all that the host has said: it reports an event whose call is no text, and takes nothing from it. */
const heard = async () => {
  const before = (await errors()).length;
  stream.say({ type: "awaiting_user_response", tool_call_id: 7, ...PLACE });
  await until(errors, "the report of the last event", ({ length }) => length > before);
  await allDone(page);
};
const hears = (more = {}) => put({ attributes: { "events-url": "/events", "respond-url": "/answers/respond", "cancel-url": "/answers/respond", ...more } });

test("a host says that several are due: each is answered under its own call, also where the host says nothing more", async () => {
  stream.say(due(A, { ...B, options: { tool_call_id: "wrong", label: "Planner" } }));
  await hears({ "tool-call-id": "wrong" });
  await answer("name", "Ada");
  await asked("place");
  assert.match(await find("[part=label]").textContent(), /Planner/);
  await answer("place", "London");
  await posted(2);
  assert.deepEqual(stream.posted.map(({ body }) => body.tool_call_id), ["a", "b"]);
  assert.notEqual(stream.posted[0].key, stream.posted[1].key);
  const records = await page.evaluate(() => window.seen.filter(([name]) => name === "record").map(([, { record }]) => record.id));
  assert.deepEqual([...new Set(records)], ["a.name.1", "b.place.1"]);
  assert.deepEqual((await results()).map(([call]) => call), ["a", "b"]);
  // A list that is late asks nothing twice.
  stream.say(due(A, B));
  await heard();
  assert.equal(await find("[data-question]").count(), 0);
});

test("what is shown stays while it is due, whatever comes before it; what is due no more is closed, shown or not", async () => {
  stream.say(due(A, B));
  await hears();
  await asked("name");
  await find("[data-field]").fill("Ad");
  stream.say(due({ tool_call_id: "c", request: TIME }, B, A));
  await becomes(count, ["Request 1 of 3"]);
  assert.equal(await find("[data-field]").inputValue(), "Ad");
  stream.say({ ...due(A), closed: [{ tool_call_id: "b", how: "answered" }, { tool_call_id: "c", how: "overtaken" }] });
  await until(closed, "2 closed requests", ({ length }) => length === 2);
  assert.deepEqual((await closed()).sort(), [["b", "answered"], ["c", "overtaken"]]);
  assert.equal(await find("[data-field]").inputValue(), "Ad");
  stream.say({ ...due({ tool_call_id: "d", request: TIME }), closed: { tool_call_id: "a", how: "answered" } });
  await asked("time");
  assert.deepEqual((await closed()).at(-1), ["a", "answered"]);
  stream.say({ type: "idle", closed: { tool_call_id: "d", how: "turn_ended" } });
  await find("[part=closed], .closed").first().waitFor();
  assert.deepEqual((await closed()).at(-1), ["d", "turn_ended"]);
});

test("a request that is due again after it was closed is asked with what was typed, and after it was answered from its beginning", async () => {
  stream.say(due(A));
  await hears();
  await asked("name");
  await find("[data-field]").fill("Ad");
  const nonces = [];
  for (const pause of [true, false]) {
    nonces.push(await page.evaluate(() => window.form().walk.nonce));
    stream.say({ type: "idle", closed: { tool_call_id: "a", how: "overtaken" } });
    if (pause) await find(".closed").waitFor();
    stream.say(due(A));
    await asked("name");
    assert.equal(await find("[data-field]").inputValue(), "Ad");
  }
  // Another tab may have answered with the nonce of the first one.
  assert.ok(!nonces.slice(1).includes(nonces[0]) && !nonces.includes(await page.evaluate(() => window.form().walk.nonce)));
  await find("[data-field]").fill("Ada");
  await find("[type=submit]").click();
  await posted(1);
  stream.say({ type: "idle", closed: { tool_call_id: "a", how: "answered", key: stream.posted[0].key } });
  stream.say(due(A));
  await asked("name");
  assert.equal(await find("[data-field]").inputValue(), "");
  await answer("name", "Grace");
  await posted(2);
  assert.notEqual(stream.posted[0].key, stream.posted[1].key);
});

/** A form that hears a host, and keeps what is answered in a storage. */
const hearsAndKeeps = () =>
  page.evaluate(() => {
    const kept = new Map();
    const element = document.createElement("ask-user");
    for (const name of ["events-url", "respond-url"]) element.setAttribute(name, name === "events-url" ? "/events" : "/answers/respond");
    element.host = { layout: "steps", storage: { get: (key) => kept.get(key), set: (key, text) => void kept.set(key, text) } };
    document.querySelector("main").replaceChildren(element);
  });

test("an answer that came too late is not sent again where its request is due again, whatever the storage has", async () => {
  stream.say(due(A));
  await hearsAndKeeps();
  await answer("name", "Ada");
  await posted(1);
  stream.say({ type: "idle", closed: { tool_call_id: "a", how: "answered", key: "another" } });
  await until(closed, "the end of the request", ({ length }) => length === 1);
  stream.say(due(A));
  await asked("name");
  assert.equal(await find("[data-field]").inputValue(), "");
  await allDone(page);
  assert.equal(stream.posted.length, 1);
});

for (const [how, status] of [["that was sent", 200], ["that could not be sent and was put off", 409]]) {
  test(`an answer ${how} is gone from the storage once its request is closed, also while another is shown`, async () => {
    stream.status.a = status;
    stream.say(due(A, B));
    await hearsAndKeeps();
    await answer("name", "Ada");
    await posted(1);
    if (status !== 200) await find("button").filter({ hasText: "Show the next request" }).click();
    await asked("place");
    stream.say(due(B));
    await heard();
    stream.status.a = 200;
    stream.say(due(A, B));
    await answer("place", "London");
    await asked("name");
    assert.equal(await find("[data-field]").inputValue(), "");
    await allDone(page);
    assert.deepEqual(stream.posted.map(({ body }) => body.tool_call_id), ["a", "b"]);
  });
}

test("a request that is closed before its form is there is not shown", async () => {
  stream.say(due(A));
  let load;
  browser.meddle = (request, response, forward) => (request.url.endsWith("form.first.wasm") ? void (load = forward) : stream.meddle(request, response, forward));
  await hears();
  await until(() => load && stream.isHeard, "the request for the form, and the stream");
  await heard();
  stream.say({ type: "idle", closed: { tool_call_id: "a", how: "answered" } });
  await until(closed, "the end of the request", ({ length }) => length === 1);
  load();
  // What another form has waited for, too, has come to the first one before.
  await page.evaluate((request) => document.querySelector("main").append(Object.assign(document.createElement("ask-user"), { request })), NAME);
  await asked("name", 1);
  await allDone(page);
  assert.equal(await find("[data-question]").count(), 0);
  assert.deepEqual(await closed(), [["a", "answered"]]);
});

test("two elements that hear one host come to the same: what one has answered is closed at the other, and both go on", async () => {
  stream.say(due(A, B));
  await hears();
  await page.evaluate(() => document.querySelector("main").append(document.querySelector("ask-user").cloneNode()));
  await asked("name", 1);
  await answer("name", "Ada");
  await posted(1);
  stream.say({ ...due(B), closed: { tool_call_id: "a", how: "answered", key: stream.posted[0].key } });
  await asked("place", 1);
  await answer("place", "London", 1);
  await posted(2);
  stream.say({ type: "idle", closed: { tool_call_id: "b", how: "answered", key: stream.posted[1].key } });
  await until(closed, "2 closed requests", ({ length }) => length === 2);
  assert.deepEqual([await closed(), stream.posted.map(({ body }) => body.tool_call_id)], [[["a", "answered"], ["b", "answered"]], ["a", "b"]]);
});

test("walks that wait are kept each under its own call", async () => {
  const kept = [];
  browser.meddle = async (request, response, forward) => {
    if (request.method !== "PUT") return stream.meddle(request, response, forward);
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { tool_call_id: call, walk } = JSON.parse(body);
    kept.push([call, request.headers["if-match"], JSON.stringify(walk)]);
    response.writeHead(204, { ETag: `"${call}${kept.length}"` }).end();
  };
  stream.say(due({ ...A, version: '"a0"' }, { ...B, version: '"b0"' }));
  await hears({ "save-url": "/answers/walk", "save-version": '"wrong"' });
  await answer("name", "Ada");
  await asked("place");
  await find("[data-field]").fill("Lon");
  await until(() => kept, "the walk of the second request", (all) => all.some(([call, , walk]) => call === "b" && walk.includes("Lon")));
  assert.deepEqual([kept.find(([call]) => call === "a")[1], kept.find(([call]) => call === "b")[1]], ['"a0"', '"b0"']);
  assert.ok(kept.every(([call, , walk]) => (call === "a" ? !walk.includes("place") : !walk.includes("Ada"))));
});

test("what the browser keeps of two requests is kept apart, and both are there after a reload", async () => {
  const show = async () => {
    await page.evaluate(async (requests) => {
      await customElements.whenDefined("ask-user");
      const element = document.createElement("ask-user");
      element.host = { storage: { get: (key) => localStorage.getItem(key), set: (key, text) => localStorage.setItem(key, text) } };
      document.querySelector("main").replaceChildren(element);
      element.requests = requests;
    }, [{ toolCallId: "a", request: NAME }, { toolCallId: "b", request: NAME }]);
  };
  await show();
  await answer("name", "Ada");
  await asked("name");
  await find("[data-field]").fill("Gra");
  await until(() => page.evaluate(() => JSON.stringify(localStorage)), "the text in the storage", (text) => text.includes("Gra"));
  await page.reload();
  await show();
  await asked("name");
  assert.equal(await find("[data-field]").inputValue(), "Gra", "the answered one is not asked again, and the other goes on");
});

// A plain event.

test("an event with questions alone is enough, and its own call is the one that is answered", async () => {
  stream.say({ type: "awaiting_user_response", tool_call_id: "mine", tool: "ask", ...NAME, options: { toolCallId: "other" } });
  await put({ attributes: { "events-url": "/events", "respond-url": "/answers/respond", "tool-call-id": "third" }, host: { tool_call_id: "fourth" } });
  await answer("name", "Ada");
  await posted(1);
  assert.equal(stream.posted[0].body.tool_call_id, "mine");
  assert.deepEqual((await results())[0][0], "mine");
  assert.ok((await page.evaluate(() => window.form().records)).every(({ id }) => id.startsWith("mine.")));
});

test("the notice of a conversation in Rust is asked and answered as it stands", async () => {
  stream.say(JSON.parse(readFileSync(new URL("notice.json", import.meta.url), "utf8")));
  await hears();
  await asked("name");
  assert.match(await find("[part=label]").textContent(), /Planner/);
  await answer("name", "Ada");
  await posted(1);
  const { tool_call_id: call, walk } = stream.posted[0].body;
  assert.deepEqual([call, walk.nonce, await results()], ["call_7", "n1", [["call_7", { name: "Ada" }]]]);
});

test("the questions of an event are read as whichever dialect they are, or the one that it names", async () => {
  const questions = [{ question: "Which colour?", header: "Colour", options: [{ label: "Red", description: "" }, { label: "Blue", description: "" }], multiSelect: false }];
  stream.say({ type: "awaiting_user_response", tool_call_id: "a", questions });
  await hears();
  await page.waitForFunction(() => window.seen.some(([name]) => name === "ready"));
  assert.equal(await page.evaluate(() => window.seen.find(([name]) => name === "ready")[1].dialect), "ask_user_question");
  stream.say({ type: "awaiting_user_response", tool_call_id: "b", questions, dialect: "ask_user" });
  await page.waitForFunction(() => window.seen.some(([name]) => name === "rejected"));
});

test("an event with one question needs no call: the answer has that of the element, and the next question is another one", async () => {
  stream.say({ type: "awaiting_user_response", ...NAME });
  await hears({ "tool-call-id": "mine" });
  await answer("name", "Ada");
  await posted(1);
  assert.equal(stream.posted[0].body.tool_call_id, "mine");
  stream.say({ type: "awaiting_user_response", ...PLACE });
  await answer("place", "London");
  await posted(2);
});

test("an event with several questions of which one names no call, or that asks nothing, is reported, and what is shown stays", async () => {
  stream.say(due(A));
  await hears();
  await asked("name");
  for (const [event, said] of /** @type {any[][]} */ ([
    [{ type: "awaiting_user_response", requests: [A, { request: PLACE }] }, /lacks its tool call id/],
    [{ type: "awaiting_user_response" }, /asks nothing/],
    [{ type: "awaiting_user_response", tool_call_id: 7, ...PLACE }, /lacks its tool call id/],
    [{ type: "awaiting_user_response", tool_call_id: "b" }, /asks nothing/],
    [due(A, A), /Two requests/],
    [{ type: "awaiting_user_response", requests: {} }, /must be a list/],
  ])) {
    const before = (await errors()).length;
    stream.say(event);
    await until(errors, "the report of the event", ({ length }) => length > before);
    assert.match((await errors()).at(-1), said);
  }
  await answer("name", "Ada");
  await posted(1);
  assert.equal(stream.posted[0].body.tool_call_id, "a");
});

// ask().

const ask = (list) =>
  page.evaluate(async (list) => {
    const { ask } = await import("/pkg/dist/ask-user.js");
    const parent = document.querySelector("main");
    window.fates = list.map(() => null);
    window.stops = list.map(() => new AbortController());
    list.forEach(({ request, ...options }, at) =>
      ask(request, { parent, signal: window.stops[at].signal, ...options }).then(({ result, toolCallId }) => (window.fates[at] = [toolCallId, result]), ({ name }) => (window.fates[at] = name)),
    );
  }, list);
const fates = (wanted) => becomes(() => page.evaluate(() => window.fates), wanted);

test("questions of ask() in one place are asked one after the other, and each promise gets its own answer, under one call id, too", async () => {
  await ask([{ request: NAME }, { request: NAME }, { request: PLACE }]);
  await asked("name");
  assert.equal(await page.locator("ask-user").count(), 1);
  await answer("name", "Ada");
  await answer("name", "Grace", 1);
  await answer("place", "London", 2);
  await fates([["call_1", { name: "Ada" }], ["call_1", { name: "Grace" }], ["call_1", { place: "London" }]]);
  assert.equal(new Set((await ends()).map(([, , key]) => key)).size, 3);
  assert.match(await find("[part=receipt]").textContent(), /Ada/);
});

test("a question that waits and is aborted is never asked; one that is taken off the page, rejected or closed lets the next one come", async () => {
  await ask([{ request: NAME }, { request: PLACE }, { request: { question: "?", answer_type: "perhaps" } }, { request: TIME, host: { labell: "x" } }, { request: TIME }]);
  await asked("name");
  await page.evaluate(() => window.stops[1].abort());
  await fates([null, "AbortError", null, null, null]);
  await page.evaluate(() => document.querySelector("ask-user").remove());
  await fates(["AbortError", "AbortError", "RejectionError", "TypeError", null]);
  await answer("time", "Noon", 2);
  await fates(["AbortError", "AbortError", "RejectionError", "TypeError", ["call_1", { time: "Noon" }]]);
});

test("a parent that is emptied after an answer keeps what waited", async () => {
  await page.evaluate(async ([first, second]) => {
    const { ask } = await import("/pkg/dist/ask-user.js");
    const parent = document.querySelector("main");
    window.got = [];
    const one = async (request) => {
      const { result } = await ask(request, { parent });
      window.got.push(result);
      parent.replaceChildren();
    };
    one(first);
    one(second);
  }, [NAME, PLACE]);
  await answer("name", "Ada");
  await answer("place", "London");
  await until(() => page.evaluate(() => window.got), "two answers", ({ length }) => length === 2);
});

test("the focus moves on to the next question of ask(), and a second press of the same key does not answer it", async () => {
  const go = (id) => ({ request: { questions: [{ id, text: `Go on with ${id}?`, answer_type: "boolean" }] } });
  await ask([go("one"), go("two")]);
  await asked("one");
  await page.evaluate(() => window.form().focus());
  await stopEvents(page);
  await page.keyboard.press("y");
  for (let presses = 0; presses < 8; presses += 1) {
    await painted(page);
    await keepsStill(page, 60);
    await page.keyboard.press("y");
  }
  await asked("two", 1);
  await fates([["call_1", { one: true }], null]);
  await page.keyboard.press("n");
  await fates([["call_1", { one: true }], ["call_1", { two: false }]]);
});

test("in a frame over a channel, too, one question comes after the other, and each answer goes to its own", async () => {
  await page.evaluate(async (list) => {
    const { connect, serve } = await import("/pkg/dist/channel.js");
    const { port1, port2 } = new MessageChannel();
    window.served = serve({ transport: port2, parent: document.querySelector("main") });
    const channel = connect(port1);
    window.fates = list.map(() => null);
    window.stops = list.map(() => new AbortController());
    list.forEach((request, at) =>
      channel.ask(request, { signal: window.stops[at].signal, options: { toolCallId: `call_${at}` } }).then(({ result }) => (window.fates[at] = result), ({ name }) => (window.fates[at] = name)),
    );
  }, [NAME, TIME, PLACE]);
  await asked("name");
  assert.equal(await page.locator("ask-user").count(), 1);
  await page.evaluate(() => window.stops[1].abort());
  await answer("name", "Ada");
  await answer("place", "London", 1);
  await fates([{ name: "Ada" }, "AbortError", { place: "London" }]);
  assert.deepEqual(page.faults, []);
});
