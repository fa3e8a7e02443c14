// Calls the address that a program has given with its question, once that is closed: signed as Standard Webhooks says, and again until it was taken or a day is over.
import { createHmac } from "node:crypto";
import { sha256 } from "./receipts.js";

/**
 * @import { Ended } from "./board.js"
 */

/**
 * A question that is closed and has a webhook.
 * @typedef {Pick<Ended, "id" | "how" | "closed"> & { webhook: string }} Called
 */

/**
 * What is to be called, and how often that has failed.
 * @typedef {Pick<Called, "id" | "webhook" | "how" | "closed"> & { fails: number }} Job
 */

/**
 * What the calls need: see the constructor.
 * @typedef {object} Options
 * @property {() => string} secret
 * @property {(id: string) => Promise<string | undefined>} told
 * @property {(id: string, isTaken: boolean) => Promise<unknown>} done
 * @property {(error: unknown) => void} onError
 * @property {() => number} [now]
 * @property {(act: () => void, milliseconds: number) => unknown} [later]
 */

/** How long an address may be. */
const LONGEST = 2_000;
/** After how many seconds a call is made again, and then always. */
const [AGAIN, THEN] = /** @type {[number[], number]} */ ([[1, 5, 30, 120, 600, 1_800], 3_600]);
/** How long after the end of the question it is given up, and how long a response may take, in milliseconds. */
const [DAY, PATIENCE] = [86_400_000, 15_000];
/** How many calls are made at once. */
const MOST = 10;
/** The receiver wants no such call any more. */
const GONE = 410;

/**
 * The address of a webhook, as it may be: any of http and https. Who has the token may call those of this machine anyway. Undefined if it is none.
 * @param {unknown} text
 */
export function webhookOf(text) {
  const url = typeof text === "string" && text.length <= LONGEST && URL.canParse(text) ? new URL(text) : undefined;
  return url && ["http:", "https:"].includes(url.protocol) && !url.username && !url.password && !url.hash ? url.href : undefined;
}

/**
 * The headers of a call: `id` names the message, `at` is when it is sent, in milliseconds.
 * @param {string} secret
 * @param {string} id
 * @param {number} at
 * @param {string} body
 */
export function signedHeaders(secret, id, at, body) {
  const timestamp = Math.floor(at / 1_000);
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}

/**
 * After how many milliseconds a call is made again that has failed so often.
 * @type {(fails: number) => number}
 */
export const pauseAfter = (fails) => (AGAIN[fails - 1] ?? THEN) * 1_000;

export class Webhooks {
  /** @type {Options["secret"]} */
  #secret;
  /** @type {Options["told"]} */
  #told;
  /** @type {Options["done"]} */
  #done;
  /** @type {Options["onError"]} */
  #onError;
  /** @type {NonNullable<Options["now"]>} */
  #now;
  /** @type {NonNullable<Options["later"]>} */
  #later;
  /**
   * What is to be called, by question.
   * @type {Map<string, Job>}
   */
  #jobs = new Map();
  /** @type {Job[]} */
  #queue = [];
  #busy = 0;
  #isClosed = false;
  /**
   * What ends each call that is under way.
   * @type {Set<AbortController>}
   */
  #calls = new Set();

  /**
   * `secret()` is what signs. `told(id)` promises the JSON text of where a question stands, or undefined if nobody wants it any more. `done(id, isTaken)` notes
   * that there is nothing more to call. `now` and `later(act, milliseconds)` are the clock.
   * @param {Options} options
   */
  constructor({ secret, told, done, onError, now = Date.now, later = (act, milliseconds) => setTimeout(act, milliseconds).unref() }) {
    [this.#secret, this.#told, this.#done, this.#onError, this.#now, this.#later] = [secret, told, done, onError, now, later];
  }

  /**
   * A question is closed: `how`, and when.
   * @param {Called} question
   */
  call({ id, webhook, how, closed }) {
    if (this.#jobs.has(id)) return;
    const job = { id, webhook, how, closed, fails: 0 };
    this.#jobs.set(id, job);
    this.#due(job);
  }

  close() {
    this.#isClosed = true;
    for (const one of this.#calls) one.abort();
  }

  /** @param {Job} job */
  #due(job) {
    if (this.#isClosed) return;
    if (this.#busy >= MOST) return void this.#queue.push(job);
    this.#busy += 1;
    this.#try(job)
      .catch((error) => this.#isClosed || this.#onError(error))
      .finally(() => {
        this.#busy -= 1;
        const next = this.#queue.shift();
        if (next) this.#due(next);
      });
  }

  /** @param {Job} job */
  async #try(job) {
    const { id, webhook, closed } = job;
    const data = await this.#told(id);
    if (data === undefined) return void this.#jobs.delete(id);
    const status = await this.#sent(job, `{"type":"question.${job.how}","timestamp":${JSON.stringify(new Date(closed).toISOString())},"data":${data}}`);
    if (this.#isClosed) return;
    const isTaken = /** @type {number} */ (status) >= 200 && /** @type {number} */ (status) < 300;
    job.fails += 1;
    const pause = pauseAfter(job.fails);
    if (!isTaken && status !== GONE && this.#now() + pause <= closed + DAY) return void this.#later(() => this.#due(job), pause);
    this.#jobs.delete(id);
    if (!isTaken) this.#onError(`ask-user: The webhook ${new URL(webhook).origin} has not taken the result of a question: ${typeof status === "number" ? `its status is ${status}` : status}. It is not called again.`);
    await this.#done(id, isTaken);
  }

  /**
   * The status of the response, or why there is none.
   * @param {Job} job
   * @param {string} body
   * @returns {Promise<number | string>}
   */
  async #sent({ id, webhook }, body) {
    const headers = { "Content-Type": "application/json", "User-Agent": "ask-user", ...signedHeaders(this.#secret(), `msg_${sha256(`webhook ${id}`).slice(0, 32)}`, this.#now(), body) };
    const end = new AbortController();
    this.#calls.add(end);
    let isLate = false;
    const timer = setTimeout(() => ((isLate = true), end.abort()), PATIENCE);
    try {
      const response = await fetch(webhook, { method: "POST", headers, body, redirect: "manual", signal: end.signal });
      // What it says counts for nothing.
      await response.body?.cancel();
      return response.status;
    } catch (/** @type {any} */ error) {
      return isLate ? "it does not answer" : (error.cause?.code ?? error.message);
    } finally {
      clearTimeout(timer);
      this.#calls.delete(end);
    }
  }
}
