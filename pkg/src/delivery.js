// Delivery of a result, once, however often it must be sent: by HTTP, or as a host has it. Knows no form; the element shows its state.

import { ELEMENT_NO_REPLY, ELEMENT_SIGN_IN } from "../build/words.js";
import { isPassing, isRedirected, outlives, request, retryAfter } from "./request.js";

/** @import { Host } from "../types/ask-user.js" */

/**
 * What came of a try: it was `sent`, or is `final`, or is to be made again, perhaps after a `pause` in milliseconds. `closed`: no other ending is taken either, `refused`: another one would be.
 * @typedef {{ sent?: true, final?: true, pause?: number, message?: string, closed?: true, refused?: boolean }} Tried
 */

/**
 * One try. `late` is called where it was sent after all. `keepalive` says whether a page that is closed still sends it.
 * @typedef {{ (stop: AbortSignal, late: () => void): Promise<Tried>, keepalive?: () => boolean }} Attempt
 */

/** @typedef {(state: import("../types/ask-user.js").DeliveryDetail["state"], message?: string, isRefused?: boolean) => void} Show */

/** Pauses before each further try, in milliseconds; a `Retry-After` of the server counts instead. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/** How long a function of the host may take, in milliseconds. */
const HOST_TRY = 60_000;
/** What a server says where the question is closed: no other answer is taken either. */
const CLOSED = [409, 410];
/** How many characters of a server's words are shown. */
const WORDS = 300;
/** How many characters of a body are read. */
const READ = 65_536;
/** The English of what the form says in its language. */
const [[, signIn], [, noReply]] = [ELEMENT_SIGN_IN, ELEMENT_NO_REPLY];

/**
 * One try by HTTP. Only a response of 2xx from the address that was asked is an acknowledgement. Network errors, no response in time, 408, 425, 429 and
 * 5xx are to be tried again; a redirect and 401 ask the person to sign in; any other status is final, with the server's words. The body, the key and the other `headers` never change.
 * @type {(given: { url: string, body: string, key: string, headers: { [name: string]: string }, call?: typeof fetch, credentials?: RequestCredentials }) => Attempt}
 */
export const byHttp = ({ url, body, key, headers: more, call = fetch, credentials = "same-origin" }) => {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key, ...more };
  /** @type {(stop: AbortSignal) => Promise<Tried>} */
  const attempt = async (stop) => {
    const init = { method: "POST", headers, body, keepalive: outlives(body), credentials };
    return (await request(call, url, init, came, stop)) ?? {};
  };
  /** @type {(response: Response) => Promise<Tried>} */
  const came = async (response) => {
    if (isRedirected(response)) return { final: true, message: signIn };
    if (response.ok) return { sent: true };
    const message = await words(response);
    if (isPassing(response)) return { pause: retryAfter(response), message };
    if (response.status === 401) return { final: true, message: message || signIn };
    return { final: true, closed: true, refused: !CLOSED.includes(response.status), message: message || status(response) };
  };
  // A page that is closed right after the answer still sends it.
  return Object.assign(attempt, { keepalive: () => outlives(body) });
};

/**
 * One try by a function of the host. An error is final, and so is a promise that is not settled within `HOST_TRY`; if it is fulfilled later, that still counts.
 * @type {(deliver: NonNullable<Host["deliver"]>, end: Parameters<NonNullable<Host["deliver"]>>[0]) => Attempt}
 */
export const byHost = (deliver, end) => async (stop, late) => {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Promise<Tried>} */
  const over = new Promise((resolve) => (timer = setTimeout(resolve, HOST_TRY, { final: true, message: noReply })));
  /** @type {Promise<Tried>} */
  const done = (async () => {
    try {
      await deliver(end, { signal: stop });
      late();
      return { sent: true };
    } catch (error) {
      return { final: true, message: String(/** @type {Error} */ (error)?.message ?? error).slice(0, WORDS) };
    }
  })();
  return Promise.race([done, over]).finally(() => clearTimeout(timer));
};

/**
 * What would be lost if the person left the page now.
 * @type {Set<object>}
 */
const unsafe = new Set();
/** @type {(event: Event) => void} */
const warn = (event) => event.preventDefault();

/**
 * Whether the browser is to ask the person who leaves the page, because of something that would be lost.
 * @param {object} one
 * @param {boolean} on
 */
export function stay(one, on) {
  if (on) unsafe.add(one);
  else unsafe.delete(one);
  globalThis[unsafe.size ? "addEventListener" : "removeEventListener"]?.("beforeunload", warn);
}

/**
 * One delivery by tries, each `{ sent }`, or `{ final }`, with a `message`, or to be made again, perhaps after a `pause`. `show(state, message, refused)` is
 * called with `sending`, `retrying`, `sent` or `failed`; `refused` where the server would take another ending. What is final stays so until `again()`. It goes on when the form that it came from is gone, and
 * the browser asks the person who leaves the page before it ends.
 */
export class Delivery {
  /** @type {Attempt} */
  #try;
  /** @type {Show} */
  #show;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #tries = 0;
  #run = 0;
  #over = false;
  /** @type {AbortController | undefined} */
  #stop;
  /** @type {Parameters<Show> | []} */
  #last = [];

  /**
   * @param {Attempt} attempt
   * @param {Show} show
   */
  constructor(attempt, show) {
    this.#try = attempt;
    this.#show = show;
    globalThis.addEventListener?.("online", this.#online);
    this.#send();
  }

  /** Tries at once, from the first pause on again; what is on its way is given up. */
  again() {
    if (this.#over) return;
    this.#tries = 0;
    this.#send();
  }

  /** Ends it, and gives up what is on its way. */
  stop() {
    this.#end();
    this.#stop?.abort();
  }

  /** Its state and the message that belongs to it, as `show` was told last. */
  get state() {
    return this.#last;
  }

  #online = () => this.#last[0] === "retrying" && this.again();

  async #send() {
    clearTimeout(this.#timer);
    const run = ++this.#run;
    this.#stop?.abort();
    this.#stop = new AbortController();
    this.#say("sending");
    const outcome = await this.#try(this.#stop.signal, () => this.#sent());
    if (run !== this.#run || this.#over) return;
    if (outcome.sent) return this.#sent();
    if (outcome.final || this.#tries >= PAUSES.length) {
      this.#say("failed", outcome.message, outcome.refused);
      if (outcome.closed) stay(this, false);
      return;
    }
    const pause = outcome.pause ?? PAUSES[this.#tries];
    this.#tries += 1;
    this.#say("retrying");
    this.#timer = setTimeout(() => this.#send(), pause);
  }

  #sent() {
    if (this.#over) return;
    this.#end();
    this.#say("sent");
  }

  #end() {
    this.#over = true;
    clearTimeout(this.#timer);
    globalThis.removeEventListener?.("online", this.#online);
    stay(this, false);
  }

  /** @param {Parameters<Show>} state */
  #say(...state) {
    this.#last = state;
    if (!this.#over) stay(this, state[0] !== "sending" || !this.#try.keepalive?.());
    this.#show(...state);
  }
}

/**
 * The beginning of a body, as text.
 * @param {Response} response
 */
async function beginning(response) {
  let text = "";
  try {
    const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
    for (let part; text.length < READ && (part = await reader.read()).value !== undefined; ) text += part.value;
    reader.cancel().catch(() => {});
  } catch {
    // It was cut off: what came counts.
  }
  return text;
}

/** @type {(response: Response) => string} */
const status = (response) => `${response.status} ${response.statusText}`.trim();

/**
 * What a server says of a refusal: the message of a JSON body (RFC 9457 names among others), or a plain text; nothing where it says nothing.
 * @param {Response} response
 */
async function words(response) {
  const text = await beginning(response);
  const type = response.headers.get("Content-Type") ?? "";
  let said = type.includes("html") ? "" : text;
  if (type.includes("json")) {
    try {
      const body = JSON.parse(text);
      said = [body.message, body.detail, body.error?.message, body.error, body.title].find((one) => typeof one === "string") ?? "";
    } catch {
      // Not the JSON that it claims to be: its text is shown.
    }
  }
  return said.trim().slice(0, WORDS);
}
