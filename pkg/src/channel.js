/**
 * A channel between a host and the page that shows its questions: a frame, a webview, another window. `connect` is the host's end,
 * `serve` the page's. Between windows the origin of the other one is required; elsewhere a transport carries texts.
 * The messages: `docs/messages.md`.
 */
import { accept, offer, overPort } from "./channel/ports.js";
import { FROM_HOST, FROM_PAGE, Line } from "./channel/line.js";
import { RejectionError } from "./core/errors.js";
import { requestText } from "./core/values.js";
import { inTurn } from "./waiting.js";

/**
 * @import { AskUser, Host } from "../types/ask-user.js"
 * @import { Channel, ChannelAskOptions, ChannelEnd, ChannelOptions, Refused, Transport } from "../types/channel.js"
 * @import { Message } from "./channel/line.js"
 */

/**
 * The detail of a message, whose parts `isWhole` has looked at.
 * @typedef {{ [name: string]: any }} Detail
 */

/**
 * What is asked.
 * @typedef {{ request: string, options?: object, dialect?: string, walk?: object, acknowledges?: boolean, fail(error: unknown): void, heard(type: string, detail: Detail): void }} Asked
 */

/**
 * A question in the page.
 * @typedef {{ element?: AskUser, told?(fault: string | undefined): boolean, over(): void }} Put
 */

export { RejectionError };

/** The messages that end a question with an answer, or the turn. */
const ENDS = ["result", "end_turn"];
/** Questions of one channel, ended ones included. */
const MOST = 10_000;
/** Ports that wait for a page to take one. A page that says hello more often loses the first ones. */
const MOST_OFFERS = 100;
/** Milliseconds after which the walk so far is sent. */
const PAUSE = 250;
/** Characters of the host's words to an answer that it does not take. */
const WORDS = 300;
const CLOSED = "The channel was closed.";
/** Why a message has no effect. */
const CODES = ["wrong_origin", "malformed", "too_large", "repeated", "out_of_order", "too_many"];

/**
 * The host's end. `to` is the window of the page (`frame.contentWindow`), with its `origin`; or a MessagePort; or a transport. Gives
 * `{ ask(request, options), close() }`.
 * @param {Window | MessagePort | Transport} to
 * @param {ChannelOptions & { origin?: string, size?(height: number): void }} options
 * @returns {Channel}
 */
export function connect(to, { origin, limit, size = () => {}, refused = () => {} } = {}) {
  /**
   * What is asked, by id, in its order: a page that is loaded anew is asked again, from where it was.
   * @type {Map<string, Asked>}
   */
  const open = new Map();
  /**
   * Hears what comes again of a question whose end was taken, by id.
   * @type {Map<string, (detail: Detail) => void>}
   */
  const taken = new Map();
  /** @type {Line | undefined} */
  let line;
  let asked = 0;
  /** @type {Line[]} */
  let offers = [];
  let closed = false;

  /** @type {(id: string) => void} */
  const send = (id) => {
    const { request, options, dialect, walk, acknowledges, fail } = /** @type {Asked} */ (open.get(id));
    try {
      /** @type {Line} */ (line).send("request", id, { request, options, dialect, walk, acknowledges });
    } catch (error) {
      fail(error);
    }
  };
  /** @type {(own: Line, message: Message) => void} */
  const heard = (own, { type, id, detail }) => {
    if (type === "connected") {
      for (const other of [...offers, line]) if (other !== own) other?.end();
      offers = [];
      line = own;
      for (const id of [...open.keys()]) send(id);
    } else if (own !== line) {
      refused({ code: "out_of_order", message: `"${type}" comes after "connected".` });
    } else if (!isWhole(type, detail)) {
      refused({ code: "malformed", message: malformed(type) });
    } else if (type === "size") {
      size(detail.height);
    } else if (type === "error") {
      refused({ code: detail.code, message: detail.message });
    } else if (open.has(id)) {
      /** @type {Asked} */ (open.get(id)).heard(type, detail);
    } else if (taken.has(id) && ENDS.includes(type)) {
      /** @type {(detail: Detail) => void} */ (taken.get(id))(detail);
    } else {
      refused({ code: "out_of_order", message: `Nothing is asked with the id ${JSON.stringify(id)}.` });
    }
  };
  /** @type {(transport: Transport, begins?: string) => void} */
  const meet = (transport, begins) => {
    const own = new Line(transport, { types: FROM_PAGE, begins, limit });
    offers.push(own);
    if (offers.length > MOST_OFFERS) /** @type {Line} */ (offers.shift()).end();
    own.listen((message) => heard(own, message), refused);
  };

  const transport = transported(to);
  const end = transport ? () => {} : offer(/** @type {Window} */ (to), origin, meet, refused);
  // A window that is loaded anew gets a port of its own. Elsewhere the transport stays, and the page says that it is there.
  if (transport) meet(transport, "connected");

  /** @type {Channel["ask"]} */
  const ask = (request, { options, dialect, walk, signal, take, on = () => {} } = {}) => {
    const id = `q${++asked}`;
    return new Promise((resolve, reject) => {
      /** @type {(settle: (value: any) => void, value: unknown) => void} */
      const ended = (settle, value) => (open.delete(id), settle(value));
      const aborted = () => {
        ended(reject, /** @type {AbortSignal} */ (signal).reason);
        // Without a page that hears it there is nothing to take away.
        attempt(() => line?.send("close", id));
      };
      if (closed) return reject(new DOMException(CLOSED, "AbortError"));
      if (signal?.aborted) return reject(signal.reason);
      const text = requestText(request);
      // After the end this takes the receipt off the page.
      signal?.addEventListener("abort", aborted, { once: true });
      /**
       * Hands an end to the host, as often as it comes, and tells the page what came of it.
       * @type {(detail: Detail) => Promise<void>}
       */
      const taking = async (detail) => {
        /** @type {string | undefined} */
        let message;
        try {
          await /** @type {NonNullable<ChannelAskOptions["take"]>} */ (take)(/** @type {ChannelEnd} */ (detail));
          taken.set(id, taking);
          ended(resolve, detail);
        } catch (error) {
          message = String(/** @type {Error} */ (error)?.message ?? error).slice(0, WORDS);
        }
        attempt(() => line?.send(message === undefined ? "taken" : "not_taken", id, { message }));
      };
      /** @type {(detail: Detail) => void} */
      const end = take ? taking : (detail) => ended(resolve, detail);
      /** @type {{ [type: string]: (detail: Detail) => void }} */
      const endings = {
        result: end,
        end_turn: end,
        rejected: (detail) => ended(reject, new RejectionError(detail.toolResult)),
        misuse: (detail) => ended(reject, new TypeError(detail.message)),
      };
      open.set(id, {
        request: text, options, dialect, walk, acknowledges: take && true,
        fail: (error) => ended(reject, error),
        heard(type, detail) {
          // A page that is loaded anew goes on from here, also with an end that is not taken yet.
          if (type === "walk" || ENDS.includes(type)) this.walk = detail.walk;
          if (Object.hasOwn(endings, type)) endings[type](detail);
          else /** @type {(type: string, detail: Detail) => void} */ (on)(type, detail);
        },
      });
      if (line) send(id);
    });
  };
  const close = () => {
    closed = true;
    end();
    for (const one of [...offers, line]) one?.end();
    for (const { fail } of [...open.values()]) fail(new DOMException(CLOSED, "AbortError"));
    line = undefined;
    offers = [];
  };
  return { ask, close };
}

/**
 * The page's end: puts an element for each question into `parent`. The host is the window that holds this one (or `host`), of that
 * `origin`; or what is at the other end of `transport`, a MessagePort or a transport. Gives `{ close() }`. The page has loaded <ask-user>.
 * @param {ChannelOptions & { origin?: string, host?: Window, transport?: MessagePort | Transport, parent?: Element }} options
 * @returns {{ close(): void }}
 */
export function serve({ origin, host = globalThis.parent, transport, parent = document.body, limit, refused = () => {} }) {
  if (!customElements.get("ask-user")) throw new TypeError("Load ask-user before serve(): the page has no <ask-user> yet.");
  /**
   * What is on the page or waits for the one before, by id; undefined once it is taken off.
   * @type {Map<string, Put | undefined>}
   */
  const shown = new Map();
  /** @type {Line | undefined} */
  let line;

  /** @type {(transport: Transport) => void} */
  const meet = (transport) => {
    line = new Line(transport, { types: FROM_HOST, limit });
    line.send("connected");
    line.listen(({ type, id, detail }) => {
      const unknown = () => no(id, "out_of_order", `Nothing is asked with the id ${JSON.stringify(id)}.`);
      if (!isWhole(type, detail)) return no(id, "malformed", malformed(type));
      if (type === "close") return closed(id) || unknown();
      if (type !== "request") return shown.get(id)?.told?.(type === "taken" ? undefined : detail.message) ?? unknown();
      if (shown.has(id)) return no(id, "repeated", `The id ${JSON.stringify(id)} was used before.`);
      if (shown.size >= MOST) return no(id, "too_many", `A channel takes ${MOST} questions.`);
      /** @type {Put} */
      const one = { over: () => {} };
      shown.set(id, one);
      /** @type {(made: Omit<Put, "over"> & { element: AskUser }) => void} */
      const put = (made) => (Object.assign(one, made), parent.append(made.element));
      one.over = inTurn(parent, (waited) => {
        show(/** @type {Line} */ (line), id, detail, put, () => closed(id), () => one.over());
        if (!one.element) shown.set(id, undefined);
        else waited?.(one.element);
      });
      if (!shown.get(id)) one.over();
    }, (fault) => no(undefined, fault.code, fault.message));
    watch.observe(parent);
  };
  /** @type {(id: string | undefined, code: Refused["code"], message: string) => void} */
  const no = (id, code, message) => {
    refused({ code, message });
    attempt(() => /** @type {Line} */ (line).send("error", id, { code, message }));
  };
  /** @type {(id: string) => boolean} */
  const closed = (id) => {
    if (!shown.get(id)) return false;
    const { element, over } = /** @type {Put} */ (shown.get(id));
    shown.set(id, undefined);
    element?.remove();
    over();
    return true;
  };
  /** @type {number | undefined} */
  let height;
  const watch = new ResizeObserver(() => {
    const now = Math.ceil(parent.getBoundingClientRect().height);
    if (now !== height) attempt(() => /** @type {Line} */ (line).send("size", undefined, { height: (height = now) }));
  });

  const there = transported(transport);
  const end = there ? () => {} : accept(host, origin, meet, refused);
  if (there) meet(there);
  return {
    close() {
      end();
      watch.disconnect();
      for (const id of shown.keys()) closed(id);
      line?.end();
    },
  };
}

/**
 * Makes an element, gives it to `put`, and tells the host what becomes of it. `put` also gets `told(fault)`, which hears whether the host has taken the end. `away` takes
 * off the page what can say no more, `done` hears that the next one may come.
 * @param {Line} line
 * @param {string} id
 * @param {Detail} detail
 * @param {(made: Omit<Put, "over"> & { element: AskUser }) => void} put
 * @param {() => void} away
 * @param {() => void} done
 */
function show(line, id, { request, options, dialect, walk, acknowledges }, put, away, done) {
  const element = document.createElement("ask-user");
  /** @type {[later: ReturnType<typeof setTimeout> | undefined, over: boolean]} */
  let [later, over] = [undefined, false];
  const stop = () => (clearTimeout(later), (later = undefined));
  /**
   * The host's own fault ends the question.
   * @type {(error: any) => void}
   */
  const misuse = ({ message }) => {
    stop();
    if (!over) attempt(() => line.send("misuse", id, { message }));
    over = true;
    done();
  };
  /** @type {(type: string, detail: object) => void} */
  const send = (type, detail) => {
    if (over) return;
    try {
      line.send(type, id, detail);
    } catch (error) {
      misuse(error);
      away();
    }
  };
  // What is too large to be kept is not kept; the question goes on.
  const tellWalk = () => (stop(), over || attempt(() => line.send("walk", id, { walk: element.walk })));
  const keep = () => (later ??= setTimeout(tellWalk, PAUSE));
  /** @type {(name: string, act: (detail: any) => void) => void} */
  const on = (name, act) => element.addEventListener(`ask-user-${name}`, (event) => act(/** @type {CustomEvent} */ (event).detail));
  /** @type {(type: string) => (detail: object) => void} */
  const pass = (type) => (detail) => send(type, detail);
  /** @type {(type: string) => (detail: object) => void} */
  const end = (type) => (detail) => (stop(), acknowledges || send(type, { ...detail, walk: element.walk }), done());
  /** @type {(fault: string | undefined) => void} */
  let told = () => {};
  /** @type {NonNullable<Host["deliver"]> & { again?: boolean }} */
  const deliver = ({ response, ...detail }) => new Promise((resolve, reject) => {
    told = (fault) => (fault === undefined ? resolve() : reject(new Error(fault)));
    line.send(detail.outcome.ends === "turn_ended" ? "end_turn" : "result", id, { ...detail, walk: response.walk });
  });
  // The page around the frame keeps the walk: an end that it has not got is in there.
  deliver.again = true;
  on("ready", pass("ready"));
  on("record", pass("record"));
  on("step", (detail) => (pass("step")(detail), keep()));
  on("draft", keep);
  on("result", end("result"));
  on("end-turn", end("end_turn"));
  // The host hears of it by this message, and not by `deliver`.
  element.addEventListener("ask-user-rejected", (event) => event.preventDefault?.());
  on("rejected", (detail) => (stop(), pass("rejected")(detail), done()));
  on("error", ({ error }) => misuse(error));
  on("closed", done);
  on("removed", () => (stop(), done()));
  try {
    if (typeof dialect === "string") element.setAttribute("dialect", dialect);
    if (options || acknowledges) element.host = acknowledges ? { ...options, deliver } : options;
    element.request = request ?? null;
    if (walk) element.walk = walk;
  } catch (error) {
    return misuse(error);
  }
  put({ element, told: (fault) => (told(fault), true) });
}

/**
 * Says what the other end can do without.
 * @param {() => void} say
 */
function attempt(say) {
  try {
    say();
  } catch {
    // The other end takes no such size, or is gone.
  }
}

/** @type {(type: string) => string} */
const malformed = (type) => `The "detail" of "${type}" lacks something, or has it of another type.`;

/**
 * Whether the detail of a message has what the channel itself reads of it, each of its type.
 * @param {string} type
 * @param {Detail} detail
 * @returns {boolean}
 */
function isWhole(type, { height, code, message, toolResult }) {
  switch (type) {
    case "size": return Number.isFinite(height) && height >= 0;
    case "error": return CODES.includes(code) && typeof message === "string";
    case "misuse":
    case "not_taken": return typeof message === "string";
    case "rejected": return typeof toolResult?.message === "string" && Array.isArray(toolResult.problems);
    default: return true;
  }
}

/**
 * The transport that a port is, or that was given; none for a window.
 * @param {Window | MessagePort | Transport | undefined} to
 * @returns {Transport | undefined}
 */
function transported(to) {
  // Of a window of another origin little more than this may be asked.
  if (!to || /** @type {Window} */ (to).window === to) return undefined;
  return to instanceof MessagePort ? overPort(to) : /** @type {Transport} */ (to);
}
