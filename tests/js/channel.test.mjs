// The channel between a host and a page in a frame of another origin: a whole conversation, and what is refused.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { POLICY } from "../../playground/server.mjs";
import { launch, WATCH } from "./browser.mjs";
import { reloads, tasks } from "./wait.mjs";
import { connect, RejectionError } from "../../pkg/dist/channel.js";

const framed = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
const framing = `${POLICY}; frame-src *`;
/** The page in the frame: it serves the origin that its address names. */
const FRAME = `<!doctype html><html lang="en"><title>frame</title>${WATCH}<script type="module" src="/frame.js"></script><main></main>`;
const FRAME_JS = `
  import "/pkg/dist/ask-user.js";
  import { serve } from "/pkg/dist/channel.js";
  window.faults = [];
  const origin = new URLSearchParams(location.search).get("host");
  window.channel = serve({ origin, parent: document.querySelector("main"), refused: (fault) => window.faults.push(fault.code) });`;
/** The same of one file, by a classic script: to a sandboxed frame every module is one of another origin. */
const ALONE = `<!doctype html><html lang="en"><title>alone</title><script src="/pkg/dist/inline.js"></script><main></main><script src="/alone.js"></script>`;
const ALONE_JS = `
  window.faults = [];
  const origin = new URLSearchParams(location.search).get("host");
  customElements.get("ask-user").serve({ origin, parent: document.querySelector("main"), refused: ({ code }) => window.faults.push(code) });`;
const HOST = `<!doctype html><html lang="en"><title>host</title>${WATCH}<script type="module" src="/host.js"></script>`;
const HOST_JS = `
  import { connect } from "/pkg/dist/channel.js";
  window.faults = [];
  window.seen = [];
  window.framed = (address, { origin = new URL(address).origin, sandbox } = {}) => {
    const frame = Object.assign(document.createElement("iframe"), { height: 400 });
    if (sandbox) frame.setAttribute("sandbox", sandbox);
    frame.src = address;
    document.body.append(frame);
    window.frame = frame;
    window.channel = connect(frame.contentWindow, { origin, size: (height) => (window.height = height), refused: (fault) => window.faults.push(fault.code) });
  };
  window.ask = (request, { words, ...more } = {}) => {
    window.fate = undefined;
    // Takes no end while there are words to say to it.
    window.words = words;
    if (words) more.take = async (end) => ((window.takes ??= []).push(end), window.words && Promise.reject(new Error(window.words)));
    window.stop = new AbortController();
    const on = (name, detail) => window.seen.push([name, detail]);
    window.channel.ask(request, { ...more, signal: window.stop.signal, on }).then(
      (end) => (window.fate = end), ({ name, message, problems }) => (window.fate = { name, message, problems: problems?.length }));
  };`;
const QUESTIONS = {
  questions: [
    { id: "go", text: "Go on?", answer_type: "boolean" },
    { id: "key", text: "Which key?", answer_type: "secret", when: { question_id: "go", equals: true } },
  ],
};

let browser;
let there;
before(async () => {
  const pages = {
    "/frame": { content: FRAME, policy: framed }, "/frame.js": FRAME_JS,
    // In WebKit 'self' is nobody in a frame that has no origin, and a host without its scheme neither.
    "/alone": { content: ALONE, policy: framed.replaceAll("'self'", "'self' http://localhost:*") }, "/alone.js": ALONE_JS,
    "/host": { content: HOST, policy: framing }, "/host.js": HOST_JS,
  };
  browser = await launch({ pages });
  // Another origin: the same server by its other name.
  there = browser.url.replace("127.0.0.1", "localhost");
});
after(() => browser.close());

/** A host with a frame of the other origin; the page in the frame serves `host`. */
async function met(/** @type {{ host?: any, path?: any, origin?: any, sandbox?: any }} */ { host = browser.url, path = "/frame", origin, sandbox } = {}) {
  const page = await browser.page("/host");
  await page.waitForFunction(() => window.framed);
  await page.evaluate(([address, options]) => window.framed(address, options), [`${there}${path}?host=${encodeURIComponent(host)}`, { origin, sandbox }]);
  const form = page.frameLocator("iframe").locator("ask-user");
  return { page, form, find: (selector) => form.locator(selector), frame: () => page.frames()[1] };
}
const fate = async (page) => (await page.waitForFunction(() => window.fate)).jsonValue();
const faults = (page) => page.evaluate(() => window.faults);

test("a host asks in a frame of another origin, hears the steps, and gets the end", async () => {
  const { page, find } = await met();
  await page.evaluate((request) => window.ask(request, { options: { toolCallId: "call_7", label: "Deploy agent" } }), QUESTIONS);
  await find("[data-answer=yes]").click();
  // How far the person has come is told after a pause; who is done before then is not worth it.
  await page.waitForFunction(() => window.seen.some(([name]) => name === "walk"));
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  const { result, outcome, secrets, walk, idempotencyKey } = await fate(page);
  assert.deepEqual([result, secrets, outcome.ends], [{ go: true, key: "[redacted]" }, { key: "hunter2" }, "completed"]);
  assert.match(idempotencyKey, /^[0-9a-f]{32}$/);
  assert.equal(walk.ask_user_walk, 2);
  const names = await page.evaluate(() => window.seen.map(([name]) => name));
  assert.deepEqual([...new Set(names)].sort(), ["ready", "record", "step", "walk"]);
  assert.doesNotMatch(JSON.stringify(await page.evaluate(() => window.seen)), /hunter2/);
  assert.ok((await page.evaluate(() => window.height)) > 50);
  assert.deepEqual([await faults(page), page.faults], [[], []]);
});

test("the end of the turn, a request that is no form, a host's own fault, and what was aborted are told apart", async () => {
  const { page, find, form } = await met();
  await page.evaluate((request) => window.ask(request), QUESTIONS);
  await find("[data-way=end-turn]").click();
  await find("[data-end-turn]").click();
  const ended = await fate(page);
  assert.deepEqual([ended.outcome.ends, ended.result], ["turn_ended", undefined]);
  // After the end, the signal takes the receipt away.
  await page.evaluate(() => /** @type {any} */ (window.stop).abort());
  await form.first().waitFor({ state: "detached" });
  await page.evaluate(() => window.ask({ question: "Go?", answer_type: "perhaps" }));
  assert.deepEqual([(await fate(page)).name, (await fate(page)).problems], ["RejectionError", 1]);
  await page.evaluate((request) => window.ask(request, { options: { labell: "x" } }), QUESTIONS);
  const fault = await fate(page);
  assert.equal(fault.name, "TypeError");
  assert.match(fault.message, /labell/);
  await page.evaluate((request) => window.ask(request), QUESTIONS);
  await find("[data-answer=yes]").waitFor();
  await page.evaluate(() => /** @type {any} */ (window.stop).abort());
  assert.equal((await fate(page)).name, "AbortError");
  await find("[data-answer=yes]").waitFor({ state: "detached" });
  await page.evaluate(() => window.ask({ question: "x".repeat(9_000_000), answer_type: "boolean" }));
  assert.equal((await fate(page)).name, "RangeError");
  await page.evaluate((request) => (window.ask(request), window.channel.close()), QUESTIONS);
  assert.equal((await fate(page)).name, "AbortError");
  // What the page reports comes before what it is asked; in Firefox it may be late.
  await page.evaluate(() => undefined);
  for (const reported of page.faults.splice(0)) assert.match(reported, /labell/);
});

test("a frame that is loaded anew is asked again, from where the person was", async () => {
  const { page, find, frame } = await met();
  await page.evaluate((request) => window.ask(request), QUESTIONS);
  await find("[data-answer=yes]").click();
  await find("[data-field]").waitFor();
  await page.waitForFunction(() => window.seen.some(([name, { walk }]) => name === "walk" && walk.log.length === 1));
  await reloads(frame());
  // The form before the reload has a field too: only the second `ready` is the new page's.
  await page.waitForFunction(() => window.seen.filter(([name]) => name === "ready").length === 2);
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  assert.deepEqual((await fate(page)).result, { go: true, key: "[redacted]" });
});

test("an end that the host does not take is said and sent again, and counts once it is taken", async () => {
  const { page, find } = await met();
  await page.evaluate((request) => window.ask(request, { words: "The disk is full." }), QUESTIONS);
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  await find("[data-delivery=failed]").waitFor();
  assert.match(await find("[data-delivery=failed]").textContent(), /The disk is full\./);
  assert.equal(await page.evaluate(() => window.fate), undefined);
  await page.evaluate(() => (window.words = undefined));
  await find("[data-delivery=failed] [data-again]").click();
  await find("[data-delivery=sent]").waitFor();
  assert.deepEqual((await fate(page)).result, { go: true, key: "[redacted]" });
  const takes = await page.evaluate(() => window.takes.map(({ secrets, idempotencyKey }) => [secrets.key, idempotencyKey]));
  assert.deepEqual(takes, [takes[0], takes[0]]);
  assert.deepEqual([await faults(page), page.faults], [[], []]);
});

test("an end that was not taken before the frame is loaded anew is sent by the new page", async () => {
  const { page, find, frame } = await met();
  const request = { questions: [QUESTIONS.questions[0]] };
  await page.evaluate((request) => window.ask(request, { words: "Not now." }), request);
  await find("[data-answer=yes]").click();
  await find("[data-delivery=failed]").waitFor();
  await page.evaluate(() => (window.words = undefined));
  await reloads(frame());
  await find("[data-delivery=sent]").waitFor();
  assert.deepEqual((await fate(page)).result, { go: true });
});

test("a host that begins to listen after the page said hello is still heard", async () => {
  const { page, find, frame } = await met({ origin: "https://later.example" });
  await frame().waitForFunction(() => window.channel);
  await page.evaluate(([origin, request]) => {
    window.channel.close();
    return import("/pkg/dist/channel.js").then(({ connect }) => {
      window.channel = connect(window.frame.contentWindow, { origin });
      window.ask(request);
    });
  }, [there, QUESTIONS]);
  await find("[data-answer=yes]").waitFor();
});

test("a sandboxed frame has no origin to name, and sends no forms, and is still one", async () => {
  const { page, find } = await met({ path: "/alone", origin: "null", sandbox: "allow-scripts" });
  const [first, ...others] = ["a", "b", "c"].map((id) => ({ id, text: "What?", answer_type: "text" }));
  await page.evaluate((request) => window.ask(request), { questions: [first, ...others.map((question) => ({ ...question, when: { question_id: "a", equals: "by the button" } }))] });
  await find("[data-field]").fill("by the button");
  await find("[type=submit]").click();
  await find("[data-question=b] [data-field]").fill("by the keys");
  await find("[data-question=b] [data-field]").press("Control+Enter");
  await find("[data-way=reply]").click();
  await find("#reply").fill("Rather not");
  await find("[data-send-reply]").click();
  const { outcome, result } = await fate(page);
  assert.deepEqual([outcome.ends, result.reply, result.answered], ["replied", "Rather not", { a: "by the button", b: "by the keys" }]);
  await page.close();
  const other = await met({ path: "/alone", origin: "null", sandbox: "allow-scripts" });
  await other.page.evaluate((request) => window.ask(request), { questions: [first, others[0]] });
  for (const id of ["a", "b"]) await other.find(`[data-on-page=${id}] textarea`).fill(id);
  await other.find("[type=submit]").click();
  assert.deepEqual((await fate(other.page)).result, { a: "a", b: "b" });
});

test("neither end hears a window of another origin than the one that was named", async () => {
  // The page in the frame serves somebody else.
  const other = await met({ host: "https://evil.example" });
  await other.page.evaluate((request) => window.ask(request), QUESTIONS);
  await other.frame().waitForFunction(() => window.channel);
  await other.page.evaluate(() => window.frame.contentWindow.postMessage("ask-user:port", "*", [new MessageChannel().port1]));
  await other.frame().waitForFunction(() => window.faults.length > 0);
  assert.deepEqual(await other.frame().evaluate(() => [...new Set(window.faults)]), ["wrong_origin"]);
  assert.equal(await other.form.count(), 0);
  // Some browsers tell the console that a message for another origin was not delivered.
  const refused = (page) => assert.ok(page.faults.splice(0).every((fault) => /does not match the recipient window's origin/.test(fault)));
  refused(other.page);
  await other.page.close();
  // The host means another page than the one that is there.
  const wrong = await met({ origin: "https://forms.example" });
  await wrong.page.evaluate((request) => window.ask(request), QUESTIONS);
  await wrong.page.waitForFunction(() => window.faults?.length > 0);
  assert.deepEqual(await wrong.page.evaluate(() => [...new Set(window.faults)]), ["wrong_origin"]);
  assert.equal(await wrong.form.count(), 0);
  refused(wrong.page);
  for (const origin of ["*", "", undefined, "chat.example", "https://chat.example/path"]) {
    assert.throws(() => connect(/** @type {any} */ ({ postMessage() {} }), { origin }), TypeError, String(origin));
  }
});

test("another frame of the right origin is not the host; nor is a second port taken", async () => {
  const { page, find, frame, form } = await met();
  await page.evaluate((request) => window.ask(request), QUESTIONS);
  await find("[data-answer=yes]").waitFor();
  await frame().evaluate(() => {
    // The page itself speaks to itself: its own window is not its host's.
    window.postMessage("ask-user:port", location.origin, [new MessageChannel().port1]);
  });
  await page.evaluate(() => {
    const port = new MessageChannel();
    window.frame.contentWindow.postMessage("ask-user:port", "*", [port.port2]);
    port.port1.postMessage('{"ask_user":1,"n":1,"type":"request","id":"x","detail":{"request":{"question":"Evil?","answer_type":"boolean"}}}');
    window.frame.contentWindow.postMessage("ask-user:port", "*");
  });
  await frame().waitForFunction(() => window.faults.length >= 3);
  assert.deepEqual((await frame().evaluate(() => window.faults)).sort(), ["malformed", "repeated", "wrong_origin"]);
  assert.equal(await form.count(), 1);
});

test("what is malformed, huge, repeated or out of order is refused by the page, said, and changes nothing", async () => {
  const page = await browser.page("/blank");
  const said = await page.evaluate(async () => {
    const { serve } = await import("/pkg/dist/channel.js");
    const { port1, port2 } = new MessageChannel();
    const heard = [];
    port1.onmessage = ({ data }) => heard.push(JSON.parse(data));
    serve({ transport: port2, parent: document.querySelector("main"), limit: 5000 });
    const message = (n, type, id, detail = {}) => JSON.stringify({ ask_user: 1, n, type, id, detail });
    const request = { question: "Go on?", answer_type: "boolean" };
    const cases = {
      "no text": { ask_user: 1 },
      "no JSON": "{",
      "no object": "[1]",
      "another protocol": '{"ask_user":2,"n":1,"type":"request","id":"a","detail":{}}',
      "no detail": '{"ask_user":1,"n":1,"type":"request","id":"a"}',
      "an unknown type": message(1, "result", "a"),
      "a type of every object": message(1, "constructor", "a"),
      "no id": message(1, "request", undefined, { request }),
      "an id that is too long": message(1, "request", "a".repeat(201), { request }),
      "no number": message("1", "request", "a", { request }),
      "huge": message(1, "request", "a", { request: { question: "x".repeat(6000) } }),
      "out of order": message(2, "request", "a", { request }),
      "taken": message(1, "request", "a", { request }),
      "repeated": message(1, "request", "b", { request }),
      "an id again": message(2, "request", "a", { request }),
      "nothing to close": message(3, "close", "c"),
      "closed": message(4, "close", "a"),
      "closed again": message(5, "close", "a"),
    };
    const until = async (holds) => {
      while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    await until(() => heard.length === 2);
    const said = { connected: heard.map(({ type }) => type) };
    const codes = () => heard.filter(({ type }) => type === "error").map(({ detail }) => detail.code);
    for (const [name, text] of Object.entries(cases)) {
      heard.length = 0;
      port1.postMessage(text);
      // Messages come in their order: once this one is refused, the one before has had its effect.
      port1.postMessage("the end");
      await until(() => codes().length === (["taken", "closed"].includes(name) ? 1 : 2));
      await window.settled();
      said[name] = [codes().slice(0, -1).join(), document.querySelectorAll("ask-user").length];
    }
    return said;
  });
  assert.deepEqual(said, {
    connected: ["connected", "size"],
    "no text": ["malformed", 0],
    "no JSON": ["malformed", 0],
    "no object": ["malformed", 0],
    "another protocol": ["malformed", 0],
    "no detail": ["malformed", 0],
    "an unknown type": ["malformed", 0],
    "a type of every object": ["malformed", 0],
    "no id": ["malformed", 0],
    "an id that is too long": ["malformed", 0],
    "no number": ["malformed", 0],
    huge: ["too_large", 0],
    "out of order": ["out_of_order", 0],
    taken: ["", 1],
    repeated: ["repeated", 1],
    "an id again": ["repeated", 1],
    "nothing to close": ["out_of_order", 1],
    closed: ["", 0],
    "closed again": ["out_of_order", 0],
  });
  assert.deepEqual(page.faults, []);
});

test("the same is refused by a host, in any environment, and no answer is made of it", async () => {
  let hear;
  const posted = [];
  const codes = [];
  const transport = { post: (text) => posted.push(JSON.parse(text)), listen: (heard) => ((hear = heard), () => (hear = undefined)) };
  const channel = connect(transport, { refused: ({ code }) => codes.push(code), limit: 5000 });
  const message = (n, type, id, detail = {}) => hear(JSON.stringify({ ask_user: 1, n, type, id, detail }));
  let fate;
  const asked = channel.ask({ question: "Go on?", answer_type: "boolean" });
  asked.then((end) => (fate = end));
  const end = { result: { answer: true }, outcome: { ends: "completed" } };
  message(1, "result", "q1", end); // before "connected"
  assert.deepEqual([codes.splice(0), posted], [["out_of_order"], []]);
  message(2, "connected");
  assert.deepEqual(posted.map(({ type, id }) => [type, id]), [["request", "q1"]]);
  message(2, "result", "q1", end);
  message(4, "result", "q1", end);
  message(3, "result", "q2", end);
  message(4, "request", "q1", {});
  hear('{"ask_user":1,"n":4,"type":"result","id":"q1","detail":[]}');
  hear("x".repeat(5001));
  hear(undefined);
  await Promise.resolve();
  assert.deepEqual([codes.splice(0), fate], [["repeated", "out_of_order", "out_of_order", "malformed", "malformed", "too_large", "malformed"], undefined]);
  message(4, "result", "q1", end);
  assert.deepEqual({ ...(await asked) }, end);
  message(5, "result", "q1", end);
  assert.deepEqual(codes, ["out_of_order"]);
  const rejected = channel.ask({});
  message(6, "rejected", "q2", { toolResult: { message: "No.", problems: [] } });
  await assert.rejects(rejected, RejectionError);
  const never = channel.ask({});
  channel.close();
  await assert.rejects(never, { name: "AbortError" });
  assert.equal(hear, undefined);
});

test("a host that takes ends answers each, in any environment, and is asked once; a page that is loaded anew is asked what is open", async () => {
  let hear;
  let posted = [];
  const codes = [];
  const transport = { post: (text) => posted.push(JSON.parse(text)), listen: (heard) => ((hear = heard), () => {}) };
  const channel = connect(transport, { refused: ({ code }) => codes.push(code) });
  const message = (n, type, id, detail = {}) => hear(JSON.stringify({ ask_user: 1, n, type, id, detail }));
  const settled = async () => (await tasks(), posted.splice(0).map(({ n, type, detail }) => [n, type, detail.message ?? detail.walk]));
  const taken = [];
  const take = ({ walk }) => {
    if (walk === "late") throw new Error("No.");
    taken.push(walk);
  };
  let fate;
  channel.ask({ question: "Go on?", answer_type: "boolean" }, { take }).then((end) => (fate = end.walk));
  message(1, "connected");
  assert.equal(posted[0].detail.acknowledges, true);
  assert.deepEqual(await settled(), [[1, "request", undefined]]);
  message(2, "result", "q1", { walk: "late" });
  assert.deepEqual([await settled(), fate], [[[2, "not_taken", "No."]], undefined]);
  // The page is loaded anew: both ends count from 1.
  message(1, "connected");
  assert.deepEqual(await settled(), [[1, "request", "late"]]);
  message(2, "result", "q1", { walk: "one" });
  message(3, "result", "q1", { walk: "one" });
  assert.deepEqual([await settled(), fate], [[[2, "taken", undefined], [3, "taken", undefined]], "one"]);
  message(4, "result", "q1", { walk: "late" });
  assert.deepEqual([await settled(), fate], [[[4, "not_taken", "No."]], "one"]);
  message(1, "connected");
  message(2, "step", "q1");
  assert.deepEqual([await settled(), codes], [[], ["out_of_order"]]);
  channel.close();
});

test("a page without the element says so", async () => {
  const page = await browser.page("/host");
  const fault = await page.evaluate(async () => {
    const { serve } = await import("/pkg/dist/channel.js");
    try {
      serve({ origin: "https://chat.example" });
    } catch (error) {
      return [error.name, error.message];
    }
  });
  assert.equal(fault[0], "TypeError");
  assert.match(fault[1], /Load ask-user/);
});
