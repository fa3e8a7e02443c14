// One end of a channel: texts in, texts out, each numbered, checked and bounded. Knows no form.

/** @import { Refused, Transport } from "../../types/channel.js" */

/**
 * A message that was taken: `id` names its question, if it is about one.
 * @typedef {{ n: number, type: string, id: string, detail: { [name: string]: any } }} Message
 */

/** @typedef {{ message: Message, fault?: undefined } | { fault: Refused, message?: undefined }} Read */

/** The version of the messages. */
const VERSION = 1;
/** Characters of a message, unless a host says otherwise: a request and a saved walk of the largest size, and what is around them. */
const LARGEST = 8 * 1024 * 1024;
const LONGEST_ID = 200;

/**
 * The messages of a host and of a page; `true` where one is about a question, and says which by its `id`.
 * @type {{ [type: string]: boolean }}
 */
export const FROM_HOST = { request: true, close: true, taken: true, not_taken: true };
/** @type {{ [type: string]: boolean }} */
export const FROM_PAGE = {
  connected: false, size: false, error: false,
  ready: true, step: true, walk: true, record: true, rejected: true, misuse: true, result: true, end_turn: true,
};

/**
 * What comes over `transport` (`{ post(text), listen(heard) }`, where `listen` gives a function that ends it) goes to the `heard` of `listen`, if it is one
 * of `types`, well formed, of a size that may be, and the next in its order; everything else to `refused`, and has no effect. A refusal holds
 * nothing of the message: there may be secrets in it. A first message of the type `begins` is that of a page that was loaded anew: both ends count from 1 again.
 */
export class Line {
  /** @type {Transport} */
  #transport;
  /** @type {number} */
  #limit;
  /** @type {string | undefined} */
  #begins;
  #sent = 0;
  #taken = 0;
  /** @type {{ [type: string]: boolean }} */
  #types;
  /** @type {() => void} */
  #end = () => {};

  /**
   * @param {Transport} transport
   * @param {{ types: { [type: string]: boolean }, begins?: string, limit?: number }} given
   */
  constructor(transport, { types, begins, limit = LARGEST }) {
    this.#transport = transport;
    this.#types = types;
    this.#limit = limit;
    this.#begins = begins;
  }

  /**
   * Begins to listen. A transport may deliver at once what has waited.
   * @param {(message: Message) => void} heard
   * @param {(fault: Refused) => void} refused
   */
  listen(heard, refused) {
    this.#end = this.#transport.listen((text) => {
      const { message, fault } = this.#read(text);
      if (fault) return refused(fault);
      this.#taken = message.n;
      heard(message);
    });
  }

  /**
   * Sends a message; one that the other end would refuse for its size throws a RangeError, and is not sent.
   * @param {string} type
   * @param {string} [id]
   * @param {object} [detail]
   */
  send(type, id, detail = {}) {
    const text = JSON.stringify({ ask_user: VERSION, n: this.#sent + 1, type, id, detail });
    if (text.length > this.#limit) throw new RangeError(tooLarge(text, this.#limit));
    this.#sent += 1;
    this.#transport.post(text);
  }

  end() {
    this.#end();
  }

  /**
   * @param {unknown} text
   * @returns {Read}
   */
  #read(text) {
    /** @type {(code: Refused["code"], message: string) => { fault: Refused }} */
    const not = (code, message) => ({ fault: { code, message } });
    if (typeof text !== "string") return not("malformed", "A message is a JSON text.");
    if (text.length > this.#limit) return not("too_large", tooLarge(text, this.#limit));
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return not("malformed", "A message is a JSON text.");
    }
    if (!plain(message) || message.ask_user !== VERSION || !plain(message.detail)) {
      return not("malformed", `A message is an object with "ask_user": ${VERSION}, "n", "type" and "detail".`);
    }
    const { n, type, id } = message;
    if (typeof type !== "string" || !Object.hasOwn(this.#types, type)) {
      return not("malformed", `The "type" of a message here is one of ${Object.keys(this.#types).join(", ")}.`);
    }
    if (this.#types[type] && !(typeof id === "string" && id && id.length <= LONGEST_ID)) {
      return not("malformed", `A message "${type}" has an "id", a text of 1 to ${LONGEST_ID} characters.`);
    }
    if (!Number.isSafeInteger(n)) return not("malformed", 'The "n" of a message counts from 1.');
    if (n === 1 && type === this.#begins) this.#sent = this.#taken = 0;
    if (n <= this.#taken) return not("repeated", `The message ${n} was heard before.`);
    if (n > this.#taken + 1) return not("out_of_order", `The message ${this.#taken + 1} comes before the message ${n}.`);
    // What a page may have put on every object is none of the message's.
    return { message: { n, type, id, detail: Object.assign(Object.create(null), message.detail) } };
  }
}

/** @type {(text: string, limit: number) => string} */
const tooLarge = (text, limit) => `A message may have ${limit} characters, not ${text.length}.`;
/** @type {(value: any) => boolean} */
const plain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
