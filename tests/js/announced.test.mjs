// One stream of a host's events for all tabs: over HTTP/1.1 a browser opens six connections to a host, for all of its tabs. Each tab here is a frame.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { POLICY } from "../../playground/server.mjs";
import { BLANK, launch } from "./browser.mjs";
import { allDone, becomes, keepsStill, until } from "./wait.mjs";

const asks = (call) => ({ questions: [{ id: "go", text: call, answer_type: "boolean" }] });
/** What a tab is without: a browser's locks; locks that are quick to come (the first one is asked for when the next one is); or, where the browser has stopped it, all that tells it something. */
const TAB_JS = `
if (location.hash === "#locks") delete Navigator.prototype.locks;
if (location.hash === "#life") for (const { prototype } of [EventSource, BroadcastChannel]) prototype.addEventListener = () => {};
if (location.hash === "#slow") {
  const { request } = LockManager.prototype;
  const held = [];
  LockManager.prototype.request = function (...given) {
    return new Promise((resolve, reject) => {
      held.push(() => request.apply(this, given).then(resolve, reject));
      if (held.length > 1) window.isAsked = held.splice(0).map((ask) => ask()).length > 0;
    });
  };
}
`;
/** More than a browser opens connections. */
const TABS = 8;

let browser;
let page;
/** The streams that are open, each `{ last, say(state) }`, and the answers. */
let streams;
let answers;
/** What is due now, with the id of its event. */
let now;
/** What a host says first to whoever has heard nothing yet: each question that was closed. */
let earlier;
let count = 0;
const FRAMED = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'");
const TAB = BLANK.replace("<title>", '<script src="/tab.js"></script><title>');
before(async () => (browser = await launch({ pages: { "/tab": { content: TAB, policy: FRAMED }, "/window": { content: BLANK, policy: FRAMED }, "/tab.js": TAB_JS } })));
after(() => browser.close());
beforeEach(async () => {
  [streams, answers, now, earlier] = [new Set(), [], undefined, []];
  announce("one");
  browser.meddle = async (request, response, forward) => {
    const url = new URL(request.url, "http://localhost");
    if (url.pathname === "/answer") {
      answers.push(request.headers["idempotency-key"]);
      return response.writeHead(204).end();
    }
    if (url.pathname !== "/due") return forward();
    const last = request.headers["last-event-id"] ?? url.searchParams.get("last-event-id") ?? undefined;
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const stream = { last, say: (text) => response.write(text) };
    response.on("close", () => streams.delete(stream));
    streams.add(stream);
    for (const before of last === undefined ? earlier : []) stream.say(before);
    stream.say(last === now.id ? ": \n\n" : now.text);
  };
  page = await browser.page("/window");
});
afterEach(async () => {
  browser.meddle = undefined;
  const faults = page.faults.splice(0);
  await page.context().close();
  assert.deepEqual(faults, []);
});

/** A call is due, or none. */
function announce(call) {
  const id = String((count += 1));
  const state = call ? { type: "awaiting_user_response", tool_call_id: call, request: asks(call) } : { type: "idle" };
  now = { id, text: `id: ${id}\nevent: state_change\ndata: ${JSON.stringify(state)}\n\n` };
  for (const stream of streams) stream.say(now.text);
}

/** Opens a tab, which hears of what is due and sends what it is answered. */
const opens = (without = "") =>
  page.evaluate(async (without) => {
    const frame = Object.assign(document.createElement("iframe"), { src: `/tab#${without}`, className: "tab", width: 500, height: 300 });
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    const { contentDocument: inside } = frame;
    const element = inside.createElement("ask-user");
    element.setAttribute("respond-url", "/answer");
    element.setAttribute("events-url", "/due");
    inside.querySelector("main").append(element);
  }, without);
/** The call that each tab shows a question of. */
const shown = () =>
  page.evaluate(() =>
    [...document.querySelectorAll(".tab")].map(({ contentDocument }) => {
      const { shadowRoot } = contentDocument.querySelector("ask-user");
      return shadowRoot?.querySelector("[data-question]:not([inert] *) legend")?.textContent;
    }),
  );
const closes = (place) => page.evaluate((place) => document.querySelectorAll(".tab")[place].remove(), place);
const all = (call, many) => Array(many).fill(call);

test("many tabs hear of a question over one connection, and each can answer it", async () => {
  for (let tab = 0; tab < TABS; tab += 1) await opens();
  await becomes(shown, all("one", TABS));
  await until(() => streams.size, "one stream", (size) => size === 1);
  announce("two");
  await becomes(shown, all("two", TABS));
  await page.evaluate(() => document.querySelectorAll(".tab")[7].scrollIntoView());
  await keepsStill(page);
  await page.evaluate(() => document.querySelectorAll(".tab")[7].contentDocument.querySelector("ask-user").shadowRoot.querySelector("[data-answer=yes]").click());
  await until(() => answers, "the answer", ({ length }) => length === 1);
  assert.equal(streams.size, 1);
});

test("a tab that comes later hears all that a host says first, and what is due after that", async () => {
  earlier = [1, 2, 3].map((number) => `id: e${number}\nevent: state_change\ndata: {"type":"idle","closed":{"tool_call_id":"before ${number}","how":"answered"}}\n\n`);
  for (let tab = 0; tab < 3; tab += 1) await opens();
  await becomes(shown, all("one", 3));
  await until(() => streams.size, "one stream", (size) => size === 1);
  announce("two");
  await becomes(shown, all("two", 3));
});

test("what a tab heard before does not take the place of what its own stream says: an event is told as of now", async () => {
  await opens();
  await becomes(shown, ["one"]);
  await until(() => streams.size, "one stream", (size) => size === 1);
  now.text = now.text.replaceAll("one", "one, further");
  await opens();
  await until(() => streams.size, "two streams", (size) => size === 2);
  await until(() => streams.size, "one stream", (size) => size === 1);
  await allDone(page);
  assert.deepEqual(await shown(), ["one", "one, further"]);
});

test("a tab whose own stream does not open hears what the tab with the stream hears", async () => {
  await opens();
  await becomes(shown, ["one"]);
  const { meddle } = browser;
  let isHeld = false;
  browser.meddle = (request, response, forward) => (request.url.startsWith("/due") ? void (isHeld = true) : meddle(request, response, forward));
  await opens();
  await until(() => isHeld, "the second stream");
  await becomes(shown, all("one", 2));
  announce("two");
  await becomes(shown, all("two", 2));
});

test("events that share an id, as those without one of their own do, are heard", async () => {
  await opens();
  await becomes(shown, ["one"]);
  for (const stream of streams) stream.say(now.text.replaceAll("one", "again"));
  await becomes(shown, ["again"]);
});

test("when the tab with the stream is closed, another goes on after the last event", async () => {
  for (let tab = 0; tab < 3; tab += 1) await opens();
  await becomes(shown, all("one", 3));
  await until(() => streams.size, "one stream", (size) => size === 1);
  await closes(0);
  announce("two");
  await becomes(shown, all("two", 2));
  await until(() => streams.size, "one stream", (size) => size === 1);
});

test("a tab whose stream is with a tab that the browser has stopped takes it over", async () => {
  // It holds the lock, hears nothing, and says nothing.
  await opens("life");
  await until(() => streams.size, "a stream", (size) => size === 1);
  await opens();
  await until(shown, "the question", ([, other]) => other === "one");
  // Of its own stream the stopped one hears nothing, not even that it is open, and so keeps it.
  announce("two");
  await until(shown, "the next question", ([, other]) => other === "two");
});

test("where there are no locks, each tab has a stream of its own", async () => {
  for (let tab = 0; tab < 2; tab += 1) await opens("locks");
  await becomes(shown, all("one", 2));
  assert.equal(streams.size, 2);
  announce("two");
  await becomes(shown, all("two", 2));
});

test("a tab that waits long for its lock, and asks again, keeps its stream", async () => {
  await opens("slow");
  await until(() => page.evaluate(() => document.querySelector(".tab").contentWindow.isAsked), "the second request for the lock");
  await allDone(page);
  assert.equal(streams.size, 1);
  announce("two");
  await becomes(shown, ["two"]);
});
