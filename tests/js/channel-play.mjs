// Plays one end of the channel against another end that sends anything, and holds it to `docs/messages.md`. Bytes decide what happens, so that a
// fuzzer can search among them.
import assert from "node:assert/strict";
import { connect, serve } from "../../pkg/src/channel.js";
import { Dice, hostileText, SECRET } from "./hostile-dice.mjs";
import { FakePort, FakeWindow, withPage } from "./fake-page.mjs";
import { playRpc } from "./rpc-play.mjs";

const FROM_HOST = { request: true, close: true, taken: true, not_taken: true };
const FROM_PAGE = {
  connected: false, size: false, error: false,
  ready: true, step: true, walk: true, record: true, rejected: true, misuse: true, result: true, end_turn: true,
};
const CODES = ["wrong_origin", "malformed", "too_large", "repeated", "out_of_order", "too_many"];
/** Characters of a message of either end, unless it says otherwise. */
const LARGEST = 8 * 1024 * 1024;
/** Ports that a host offers to a page that has taken none yet. */
const MOST_OFFERS = 100;
/** What an end says of a refused message stays short, whatever the message was. */
const LONGEST_REASON = 500;
const HERE = "https://chat.example";
const THERE = "https://forms.example";

const turn = globalThis.setImmediate;
/**
 * What nobody caught.
 * @type {any[]}
 */
const uncaught = [];
process.on("unhandledRejection", (error) => uncaught.push(error));

/** Plays what the bytes say; throws where a promise is broken. */
export async function play(/** @type {Uint8Array} */ bytes) {
  const dice = new Dice(bytes);
  const plays = [playHost, playHost, playPage, playPage, playRpc];
  await withPage((/** @type {any} */ page) => plays[dice.below(plays.length)](dice, page));
  await new Promise((resolve) => turn(resolve));
  assert.deepEqual(uncaught.splice(0), [], "nobody caught this");
  assert.deepEqual(Reflect.ownKeys(Object.prototype).filter((key) => !KNOWN.has(key)), [], "every object has a new property");
}
const KNOWN = new Set(Reflect.ownKeys(Object.prototype));

/** The end of a line that sends anything: its number, what was taken of it, and what came to it. */
class Other {
  /**
   * Where it is an end of a port.
   * @type {FakePort | undefined}
   */
  port;
  taken = 0;
  /** @type {any[]} */
  sent = [];
  /** How many messages came since both ends count from 1. */
  counted = 0;
  /** @type {any[]} */
  said = [];
  listening = false;
  /** Whether what is posted throws, as over a bridge that is torn down. */
  gone = false;
  transport = {
    post: (/** @type {any} */ text) => {
      if (this.gone) throw new Error("the other end is gone");
      const message = JSON.parse(text);
      assert.equal(message.n, (this.counted += 1), "messages are counted from 1");
      this.sent.push(message);
      this.longest = Math.max(this.longest ?? 0, text.length);
    },
    listen: (/** @type {any} */ heard) => {
      this.heard = heard;
      this.listening = true;
      return () => (this.listening = false);
    },
  };

  /** Says something to the end that is tried, and gives what the protocol makes of it: a code, or a message that is taken. */
  say(/** @type {Dice} */ dice, /** @type {any} */ types, /** @type {any} */ ids, /** @type {any} */ limit, /** @type {any} */ begins = undefined) {
    const text = hostileText(dice, { n: this.taken + 1, types: Object.keys(types), ids, earlier: this.said, limit });
    if (typeof text === "string" && text.length < 10_000) this.said.push(text);
    const judged = judge(text, types, this.taken, limit, begins);
    // A page that was loaded anew counts from 1, and is counted for from 1.
    if (judged.anew) this.taken = this.counted = 0;
    if (judged.message) this.taken += 1;
    this.heard(text);
    return judged;
  }
}

/** What `docs/messages.md` says of a text. */
function judge(/** @type {any} */ text, /** @type {any} */ types, /** @type {any} */ taken, /** @type {any} */ limit, /** @type {any} */ begins) {
  if (typeof text !== "string") return { code: "malformed" };
  if (text.length > limit) return { code: "too_large" };
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return { code: "malformed" };
  }
  const isObject = (/** @type {any} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(message) || message.ask_user !== 1 || !isObject(message.detail)) return { code: "malformed" };
  const { n, type, id } = message;
  if (typeof type !== "string" || !Object.hasOwn(types, type)) return { code: "malformed" };
  if (types[type] && !(typeof id === "string" && id.length > 0 && id.length <= 200)) return { code: "malformed" };
  if (!Number.isSafeInteger(n)) return { code: "malformed" };
  if (n === 1 && type === begins) return { message, anew: true };
  if (n <= taken) return { code: "repeated" };
  if (n > taken + 1) return { code: "out_of_order" };
  return { message };
}

/** The host's end, and a page that sends anything. */
async function playHost(/** @type {Dice} */ dice, /** @type {any} */ page) {
  const limit = dice.pick([LARGEST, 5_000, 300, 100]);
  const seen = { faults: /** @type {any[]} */ ([]), sizes: 0, events: 0 };
  const options = {
    limit,
    size: (/** @type {number} */ height) => (assert.ok(height >= 0 && Number.isFinite(height)), (seen.sizes += 1)),
    refused: (/** @type {any} */ fault) => seen.faults.push(reason(fault)),
  };
  const framed = dice.flag();
  const lines = framed ? [] : [new Other()];
  const frame = new FakeWindow((/** @type {any} */ data, /** @type {any} */ _, /** @type {any[]} */ [port] = []) => {
    assert.equal(data, "ask-user:port");
    const other = new Other();
    Object.assign(other, { port, heard: (/** @type {any} */ text) => port.peer.hear(text) });
    port.received = (/** @type {any} */ text) => other.transport.post(text);
    lines.push(other);
  });
  const channel = framed ? connect(/** @type {any} */ (frame), { origin: THERE, ...options }) : connect(lines[0].transport, options);
  /** @type {any[]} */
  const asks = [];
  let [live, closed] = [undefined, false];
  const isOpen = (/** @type {any} */ ask) => ask.fate === undefined;
  const refuses = async () => {
    throw new Error("It could not be stored.");
  };
  const acts = [
    () => {
      const stop = new AbortController();
      const ask = /** @type {any} */ ({ stop, id: `q${asks.length + 1}`, events: 0 });
      asks.push(ask);
      const on = () => (assert.ok(isOpen(ask), "something comes of a question that has ended"), (ask.events += 1), (seen.events += 1));
      const request = { question: "x".repeat(dice.pick([5, 100, 400])), answer_type: "boolean" };
      const take = dice.pick([undefined, undefined, async () => {}, refuses]);
      channel.ask(request, { signal: stop.signal, on, take, options: dice.flag() ? { label: "A" } : undefined }).then(
        (end) => ((ask.fate ??= "end"), (ask.settled = "end"), assert.equal(Object.getPrototypeOf(end), null)),
        (error) => ((ask.fate ??= error.name), (ask.settled = error.name), assert.ok(error.name)),
      );
      ask.takes = take !== undefined;
      ask.refuses = take === refuses;
      if (closed) ask.fate = "AbortError";
    },
    () => dice.pick(asks.filter(isOpen))?.stop.abort(),
    () => {
      const [source, origin] = [dice.pick([frame, new FakeWindow()]), dice.pick([THERE, HERE])];
      const said = { source, origin, data: dice.pick(["ask-user:hello", "ask-user:port", 5]), ports: [] };
      for (let times = framed ? dice.pick([1, 1, 1, 2 * MOST_OFFERS]) : 0; times > 0; times -= 1) page.hear(said);
    },
    () => dice.below(8) || ((closed = true), channel.close()),
    () => lines.length > 0 && dice.below(8) === 0 && (dice.pick(lines).gone = true),
  ];
  const seenSoFar = () => ({ ...seen, faults: seen.faults.length, sent: lines.map(({ sent }) => sent.length).join() });
  const speak = () => {
    const other = dice.pick(lines.filter((line) => (line.port ? line.port.peer.open : line.listening)));
    if (!other) return;
    const before = seenSoFar();
    const ids = asks.map(({ id }) => id);
    const { code, message } = other.say(dice, FROM_PAGE, ids, limit, framed ? undefined : "connected");
    const wanted = code ?? answered(message, other);
    const after = seenSoFar();
    if (wanted === "heard") return assert.equal(after.faults, before.faults, "a message that is taken is refused");
    assert.deepEqual(after, { ...before, faults: before.faults + 1 }, `what is refused has no effect: ${wanted}`);
    if (wanted === "said") return;
    assert.equal(seen.faults.at(-1).code, wanted);
    ours(seen.faults.at(-1));
  };
  /** What becomes of a message that is well formed. */
  const answered = (/** @type {{ type: any, id: any, detail: any }} */ { type, id, detail }, /** @type {any} */ other) => {
    if (type === "connected") {
      live = other;
      for (const other of lines) assert.ok(other === live || !other.port?.peer.open, "another port stays open");
      return "heard";
    }
    if (other !== live) return "out_of_order";
    const { height, code, message, toolResult } = detail;
    const whole = {
      size: () => Number.isFinite(height) && height >= 0,
      error: () => CODES.includes(code) && typeof message === "string",
      misuse: () => typeof message === "string",
      rejected: () => typeof toolResult?.message === "string" && Array.isArray(toolResult.problems),
    };
    if (Object.hasOwn(whole, type) && !/** @type {{ [type: string]: () => boolean }} */ (whole)[type]()) return "malformed";
    if (type === "size") return "heard";
    if (type === "error") return "said";
    const ends = type === "result" || type === "end_turn";
    const ask = asks.find((ask) => ask.id === id);
    // An end that was taken may come again.
    if (ask?.settled === "end" && ask.takes && ends) return "heard";
    if (!ask || !isOpen(ask)) return "out_of_order";
    if (ends && ask.refuses) return "heard";
    ask.fate = /** @type {{ [type: string]: string }} */ ({ rejected: "RejectionError", misuse: "TypeError", result: "end", end_turn: "end" })[type];
    return "heard";
  };
  for (let steps = 0; steps < 60 && dice.left; steps += 1) {
    if (dice.below(3) === 0) dice.pick(acts)();
    else speak();
    for (let turns = 0; turns < 8; turns += 1) await null;
    for (const ask of asks) {
      // A request that cannot be sent fails at once, whenever the page came.
      const unsent = ask.settled === "RangeError" || (ask.settled === "Error" && lines.some(({ gone }) => gone));
      if (unsent || ask.settled === "AbortError") ask.fate = ask.settled;
      assert.equal(ask.settled, ask.fate, `${ask.id} ended otherwise than its messages say`);
    }
    // And the one that the page has taken.
    if (framed) assert.ok(FakePort.opened(lines) <= MOST_OFFERS + 1, "ports are kept without a limit");
    assert.ok(lines.every(({ longest = 0 }) => longest <= limit), "a message is larger than the page takes");
  }
  channel.close();
  await null;
  await null;
  for (const ask of asks) assert.ok(ask.settled, `${ask.id} never ends`);
  assert.equal(page.listeners.size, 0, "the window is still listened to");
}

/** The page's end, and a host that sends anything. */
async function playPage(/** @type {Dice} */ dice, /** @type {any} */ page) {
  const limit = dice.pick([LARGEST, 5_000, 300, 100]);
  /** @type {any[]} */
  const faults = [];
  const other = new Other();
  const served = serve({ transport: other.transport, parent: page.parent, limit, refused: (fault) => faults.push(reason(fault)) });
  assert.deepEqual(other.sent.map(({ type }) => type), ["connected"]);
  const [ids, ended] = [new Set(), new Set()];
  const there = () => page.parent.children.length;
  /**
   * The questions that wait for the one before.
   * @type {any[]}
   */
  let waiting = [];
  /** Gives each element that was made the id of its question: they come in the order in which they were asked. */
  const named = () => {
    for (const element of page.made.splice(0)) element.id = waiting.shift();
  };
  /** Whether the host may hear nothing: the smallest limit leaves no room for words. */
  const unheard = () => limit < 1_000 || other.gone;
  const speak = () => {
    if (!other.listening) return;
    const before = { faults: faults.length, there: there() };
    const open = page.parent.children.map((/** @type {any} */ element) => element.id);
    const judged = other.say(dice, FROM_HOST, [...ids, "q1", "q2"], limit);
    let { code } = judged;
    if (!code) {
      const { type, id, detail } = judged.message;
      const isWaiting = waiting.includes(id);
      if (type === "not_taken" && typeof detail.message !== "string") code = "malformed";
      else if (type !== "request") code = open.includes(id) || (type === "close" && isWaiting) ? undefined : "out_of_order";
      else code = ids.has(id) ? "repeated" : undefined;
      if (!code && type === "request") ids.add(id);
      const more = /** @type {{ [type: string]: number }} */ ({ close: isWaiting ? 0 : -1, taken: 0, not_taken: 0 })[type];
      if (type === "close" && isWaiting) waiting = waiting.filter((one) => one !== id);
      if (!code) assert.ok(more === undefined ? there() - before.there <= 1 : there() - before.there === more);
      if (!code && type === "request") waiting.push(id);
      const isFirst = waiting.length === 1 && !page.parent.children.some((/** @type {any} */ element) => element.id && !element.ended);
      named();
      // What the element does not take is the host's fault, and the host hears of it. The others wait for their turn.
      if (!code && type === "request" && isFirst && there() === before.there) assert.ok(other.sent.at(-1).type === "misuse" || unheard(), "a request is not shown, and nobody is told");
    }
    if (!code) return assert.equal(faults.length, before.faults);
    assert.deepEqual({ faults: faults.length, there: there() }, { faults: before.faults + 1, there: before.there }, `what is refused has no effect: ${code}`);
    assert.equal(faults.at(-1).code, code);
    ours(faults.at(-1));
    const last = other.sent.at(-1);
    assert.ok(last.type === "error" && !unheard() ? last.detail.code === code : unheard(), "the host is not told");
  };
  const acts = [
    () => page.parent.resize(dice.below(3)),
    () => {
      const sent = other.sent.length;
      const before = [...waiting];
      page.later();
      named();
      assert.ok(other.sent.slice(sent).every(({ type, id }) => type === "walk" || (type === "misuse" && before.includes(id))), "a walk that cannot be sent ends a question");
    },
    () => dice.below(8) || served.close(),
    () => dice.below(8) || (other.gone = true),
    () => {
      const element = dice.pick(page.parent.children.filter((/** @type {any} */ element) => !element.ended));
      if (!element) return;
      const name = dice.pick(["ready", "step", "record", "draft", "result", "end-turn", "rejected", "error"]);
      element.weight = dice.pick([1, 4_000]);
      element.ended = ["result", "end-turn", "rejected", "error"].includes(name);
      if (element.ended) ended.add(element.id);
      element.tell(name);
    },
  ];
  for (let steps = 0; steps < 60 && dice.left; steps += 1) {
    const sent = other.sent.length;
    if (dice.below(3) === 0) dice.pick(acts)();
    else speak();
    await null;
    for (const { type, id, detail } of other.sent.slice(sent)) {
      if (ended.has(id)) assert.ok(["result", "end_turn", "rejected", "misuse", "error"].includes(type), `"${type}" comes after the end`);
      if (type !== "result" && type !== "end_turn") assert.ok(!JSON.stringify(detail).includes(SECRET), `a secret is in "${type}"`);
    }
    assert.ok((other.longest ?? 0) <= limit, "a message is larger than the host takes");
  }
  served.close();
  assert.equal(there(), 0);
  assert.equal(other.listening, false);
  const sent = other.sent.length;
  page.later();
  assert.equal(other.sent.length, sent, "something is said after the end");
  const ends = other.sent.filter(({ type }) => ["result", "end_turn", "rejected", "misuse"].includes(type)).map(({ id }) => id);
  assert.equal(new Set(ends).size, ends.length, "a question ends twice");
}

/** A fault as it is told: a code that is documented, and words. */
function reason(/** @type {any} */ fault) {
  assert.ok(CODES.includes(fault.code), `the code ${String(fault.code)}`);
  assert.ok(typeof fault.message === "string");
  return fault;
}

/** Words of an end's own are short, and hold no secret of the other end. */
function ours(/** @type {{ message: any }} */ { message }) {
  assert.ok(message.length > 0 && message.length < LONGEST_REASON, "a refusal grows with what is refused");
  assert.ok(!message.includes(SECRET.slice(0, 4)), "a refusal repeats a secret");
}
