// Keeps the latest of many versions of something, one at a time. Knows no form.

/**
 * What came of keeping a version: it is kept, or is not to be tried again, or how long to wait, in milliseconds.
 * @typedef {"kept" | "never" | number | undefined} Came
 */

/** How long the person may go on typing before it is kept. */
const SOON = 300;
/** Pauses before what could not be kept is kept again, in milliseconds. */
const BACKOFF = [1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Keeps the latest of many versions, one at a time, by `put(value, isLeaving)`: "kept", "never" (this version is not to be tried again), or how long to wait before
 * the next try, in milliseconds; undefined stands for a pause that grows.
 * @template V
 */
export class Keeper {
  /** @type {(value: V, isLeaving: boolean) => Promise<Came>} */
  #put;
  /** @type {(() => V | undefined) | undefined} */
  #latest;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #busy = false;
  #fails = 0;
  #isOver = false;

  /** @param {(value: V, isLeaving: boolean) => Promise<Came>} put */
  constructor(put) {
    this.#put = put;
  }

  /** Whether something is not kept yet. */
  get isWaiting() {
    return this.#busy || this.#latest !== undefined;
  }

  /**
   * Keeps what `latest()` gives, if it gives anything by then: soon, or now.
   * @param {() => V | undefined} latest
   * @param {boolean} [now]
   */
  keep(latest, now = false) {
    if (this.#isOver) return;
    this.#latest = latest;
    // What waits for a host that is down waits on.
    if (this.#fails && !now) return;
    this.#later(now ? 0 : SOON);
  }

  /** Forgets what is not kept yet. */
  stop() {
    clearTimeout(this.#timer);
    this.#latest = undefined;
    this.#fails = 0;
  }

  /** Forgets what is not kept yet, and keeps nothing more. */
  end() {
    this.#isOver = true;
    this.stop();
  }

  /** Keeps at once what waits, as when the page goes away, beside what is on its way. */
  flush() {
    clearTimeout(this.#timer);
    this.#send(true);
  }

  /** @param {number} pause */
  #later(pause) {
    clearTimeout(this.#timer);
    if (pause) this.#timer = setTimeout(() => this.#send(), pause);
    else this.#send();
  }

  async #send(leaving = false) {
    if (!this.#latest || (this.#busy && !leaving)) return;
    const latest = this.#latest;
    this.#latest = undefined;
    const value = latest();
    if (value === undefined) return void (this.#fails = 0);
    this.#busy = true;
    const came = await this.#put(value, leaving);
    this.#busy = false;
    if (this.#isOver) return;
    if (came === "kept" || came === "never") {
      this.#fails = 0;
      if (this.#latest) this.#later(0);
      return;
    }
    const pause = came ?? BACKOFF[Math.min(this.#fails, BACKOFF.length - 1)];
    this.#fails += 1;
    this.#latest ??= latest;
    this.#later(pause);
  }
}
