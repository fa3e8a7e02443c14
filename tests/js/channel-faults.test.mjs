// What the fuzzer of the channel found, each as the shortest sequence that shows it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, serve } from "../../pkg/src/channel.js";
import { Rpc } from "../../pkg/src/rpc.js";
import { FakeWindow, withPage } from "./fake-page.mjs";

const REQUEST = { question: "Go on?", answer_type: "boolean" };
const NO_TEXT = '{"toString":null,"valueOf":null}';
const DEEP = "[".repeat(30_000) + "]".repeat(30_000);

/** A transport whose other end is the test: `say` without a number counts for itself. */
function line() {
  const posted = [];
  let [hear, n] = [undefined, 0];
  const say = (type, id, detail = "{}") => hear(`{"ask_user":1,"n":${(n += 1)},"type":${type},"id":"${id}","detail":${detail}}`);
  return {
    posted,
    transport: { post: (text) => posted.push(JSON.parse(text)), listen: (heard) => ((hear = heard), () => (hear = () => {})) },
    right: (type, id, detail) => say(JSON.stringify(type), id, detail),
    wrong: (type, id, detail) => (say(type, id, detail), (n -= 1)),
    raw: (text) => hear(text),
  };
}

/** A host that has asked `requests` of a page that is the test. */
function hosting(requests = /** @type {object[]} */ ([REQUEST]), options = {}) {
  const [other, faults, fates] = [line(), [], []];
  const channel = connect(other.transport, { refused: (fault) => faults.push(fault), ...options });
  for (const [place, request] of requests.entries()) {
    channel.ask(request).then((end) => (fates[place] = end), (error) => (fates[place] = error));
  }
  const settled = async () => (await new Promise((resolve) => setImmediate(resolve)), fates);
  return { ...other, channel, codes: () => faults.splice(0).map(({ code }) => code), faults, settled };
}

/** A page, and a host that is the test. */
function serving(page, options = {}) {
  const [other, faults] = [line(), []];
  const served = serve({ transport: other.transport, parent: page.parent, refused: (fault) => faults.push(fault), ...options });
  return { ...other, served, faults, told: () => other.posted.splice(0).map(({ type, id, detail }) => [type, id, detail.code]) };
}

test("a type that is no text is malformed, at both ends", async () => {
  const { wrong, right, codes, settled } = hosting();
  right("connected");
  for (const type of [NO_TEXT, '["result"]', '["connected"]', DEEP, "null"]) {
    wrong(type, "q1");
    assert.deepEqual(codes(), ["malformed"], type.slice(0, 40));
  }
  assert.deepEqual(await settled(), []);
  await withPage((page) => {
    const { wrong, told } = serving(page);
    assert.deepEqual(told(), [["connected", undefined, undefined]]);
    for (const type of [NO_TEXT, '["request"]', DEEP]) {
      wrong(type, "q1");
      assert.deepEqual(told(), [["error", undefined, "malformed"]]);
    }
    assert.equal(page.parent.children.length, 0);
  });
});

test("an end without words is malformed, and ends nothing", async () => {
  const { right, codes, settled } = hosting();
  right("connected");
  for (const [type, detail] of [
    ["misuse", "{}"], ["misuse", `{"message":${NO_TEXT}}`], ["misuse", `{"message":${DEEP}}`],
    ["rejected", "{}"], ["rejected", '{"toolResult":null}'], ["rejected", '{"toolResult":{"message":"No."}}'],
    ["rejected", `{"toolResult":{"message":${NO_TEXT},"problems":[]}}`],
    ["error", "{}"], ["error", `{"code":${NO_TEXT},"message":"x"}`], ["error", '{"code":"perhaps","message":"x"}'], ["error", '{"code":"malformed"}'],
    ["size", "{}"], ["size", '{"height":-1}'], ["size", '{"height":"5"}'],
  ]) {
    right(type, "q1", detail);
    assert.deepEqual(codes(), ["malformed"], `${type} ${detail.slice(0, 60)}`);
  }
  assert.deepEqual(await settled(), []);
  right("misuse", "q1", '{"message":"No."}');
  assert.match(String((await settled())[0]), /^TypeError: No\.$/);
});

test("a channel takes 10,000 questions, whether they are closed or not, and refuses the next", async () => {
  await withPage((page) => {
    const { right, told, faults } = serving(page);
    for (let count = 0; count < 10_000; count += 1) {
      right("request", `q${count}`, '{"request":{}}');
      right("close", `q${count}`);
    }
    assert.deepEqual([told(), faults], [[["connected", undefined, undefined]], []]);
    right("request", "one more", '{"request":{}}');
    assert.deepEqual(told(), [["error", "one more", "too_many"]]);
    assert.match(faults[0].message, /10000 questions/);
    assert.equal(page.parent.children.length, 0);
  });
});

test("no refusal repeats what a message holds", () => {
  const { raw, faults } = hosting();
  for (const text of ['{"secrets":{"key":"hunter2"x', '{"key":hunter2}', "hunter2", '{"ask_user":1,"n":1,"type":"hunter2","detail":{}}']) raw(text);
  raw(`{"ask_user":1,"n":1,"type":"${"x".repeat(100_000)}","detail":{}}`);
  assert.equal(faults.length, 5);
  for (const { code, message } of faults) {
    assert.equal(code, "malformed");
    assert.ok(!message.includes("hunter") && message.length < 200, message.slice(0, 200));
  }
});

test("a request that is too large for the page that comes later fails alone", async () => {
  const { right, posted, settled } = hosting([{ question: "x".repeat(400) }, REQUEST], { limit: 300 });
  right("connected");
  assert.deepEqual(posted.map(({ id }) => id), ["q2"]);
  // What the page says of the walk is the page's own: on its next load, the question fails, and the host goes on.
  right("walk", "q2", `{"walk":"${"x".repeat(180)}"}`);
  right("connected");
  assert.deepEqual((await settled()).map(({ name }) => name), ["RangeError", "RangeError"]);
});

test("a transport that fails makes the question fail", async () => {
  const transport = { post: () => assert.fail("it is gone"), listen: (heard) => ((transport.hear = heard), () => {}) };
  const channel = connect(transport);
  const stop = new AbortController();
  const asked = [channel.ask(REQUEST), channel.ask(REQUEST, { signal: stop.signal })];
  stop.abort();
  await assert.rejects(asked[1], { name: "AbortError" });
  transport.hear('{"ask_user":1,"n":1,"type":"connected","detail":{}}');
  await assert.rejects(asked[0], /it is gone/);
});

test("a page that says hello without an end has a hundred ports", async () => {
  await withPage((page) => {
    const ports = [];
    const frame = new FakeWindow((_, __, [port]) => ports.push(port.peer));
    const channel = connect(/** @type {any} */ (frame), { origin: "https://forms.example" });
    for (let count = 0; count < 1_000; count += 1) page.hear({ source: frame, origin: "https://forms.example", data: "ask-user:hello" });
    assert.deepEqual([ports.length, ports.filter(({ open }) => open).length, ports.at(-1).open], [1_000, 100, true]);
    channel.close();
    assert.equal(ports.filter(({ open }) => open).length, 0);
  });
});

test("who asks after the channel was closed is told", async () => {
  const { channel } = hosting([]);
  channel.close();
  await assert.rejects(channel.ask(REQUEST), { name: "AbortError" });
});

test("a transport may deliver what waited as soon as it is listened to", async () => {
  const faults = [];
  const waiting = '{"ask_user":1,"n":1,"type":"connected","detail":{}}';
  const posted = [];
  const channel = connect({ post: (text) => posted.push(text), listen: (heard) => (heard(waiting), () => {}) }, { refused: (fault) => faults.push(fault) });
  channel.ask(REQUEST).catch(() => {});
  assert.deepEqual([posted.length, faults], [1, []]);
  channel.close();
  await withPage((page) => {
    const request = JSON.stringify({ ask_user: 1, n: 1, type: "request", id: "a", detail: { request: REQUEST } });
    const types = [];
    serve({ transport: { post: (text) => types.push(JSON.parse(text).type), listen: (heard) => (heard("{"), heard(request), () => {}) }, parent: page.parent });
    assert.equal(page.parent.children.length, 1);
    assert.deepEqual(types, ["connected", "error"]);
  });
});

test("a request that the element does not take is the host's fault, and the host is told", async () => {
  await withPage((page) => {
    const { right, told } = serving(page);
    told();
    right("request", "a", '{"request":{},"walk":"\\ud800"}');
    right("request", "b", `{"request":{},"walk":${DEEP}}`);
    assert.deepEqual([told().map(([type, id]) => [type, id]), page.parent.children.length], [[["misuse", "a"], ["misuse", "b"]], 0]);
    right("request", "a", '{"request":{}}');
    right("request", "c", '{"request":{}}');
    assert.deepEqual([told(), page.parent.children.length], [[["error", "a", "repeated"]], 1]);
  });
});

test("an unsent walk ends no question; an unsent record ends it, once", async () => {
  await withPage((page) => {
    const { right, told } = serving(page, { limit: 500 });
    right("request", "a", '{"request":{}}');
    right("request", "b", '{"request":{}}');
    told();
    const [first] = page.parent.children;
    first.weight = 1_000;
    first.tell("draft");
    page.later();
    assert.deepEqual(told(), []);
    first.weight = 1;
    first.tell("result");
    assert.deepEqual([told(), page.parent.children.length], [[["result", "a", undefined]], 1]);
    page.later();
    const second = page.parent.children[1];
    second.weight = 1_000;
    second.tell("result");
    second.tell("end-turn");
    second.tell("step");
    assert.deepEqual([told(), page.parent.children.length], [[["misuse", "b", undefined]], 1]);
  });
});

test("JSON-RPC answers a request whose method fails, and hears nobody whose message has another shape", async () => {
  await withPage(async (page) => {
    const posted = [];
    const host = new FakeWindow((message) => posted.push(structuredClone(message)));
    const rpc = new Rpc(/** @type {any} */ (host), { fails: () => assert.fail("hunter2"), later: async () => assert.fail(), unclonable: () => ({ act() {} }), right: () => ({}) });
    const hear = async (data) => {
      page.hear({ source: host, origin: "https://chat.example", data: { jsonrpc: "2.0", ...data } });
      await new Promise((resolve) => setImmediate(resolve));
      return posted.splice(0);
    };
    for (const method of ["fails", "later", "unclonable"]) {
      assert.deepEqual(await hear({ id: 1, method }), [{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "The method failed." } }], method);
      assert.deepEqual(await hear({ method }), []);
    }
    const noText = JSON.parse(NO_TEXT);
    for (const method of [noText, ["right"], 5n, null]) assert.deepEqual(await hear({ id: 1, method }), [], String(typeof method));
    for (const id of [noText, 5n, null, [1]]) assert.deepEqual(await hear({ id, method: "right" }), []);
    assert.equal((await hear({ id: 1, method: "x".repeat(100_000) }))[0].error.message, "There is no such method here.");
    const refused = assert.rejects(rpc.request("ui/message"), { message: "The host says no." });
    posted.length = 0;
    await hear({ id: 1, error: { message: noText } });
    await refused;
  });
});

test("a refusal whose message is no text is malformed, and the page goes on", () => withPage((page) => {
  const { right, told } = serving(page);
  right("request", "q1", JSON.stringify({ request: REQUEST, acknowledges: true }));
  told();
  for (const message of [DEEP, NO_TEXT, "5", '["No."]', "null"]) {
    right("not_taken", "q1", `{"message":${message}}`);
    assert.deepEqual(told(), [["error", "q1", "malformed"]], message.slice(0, 40));
  }
}));
