// The side of a page to a host that keeps conversations: hears by server-sent events what is due, and keeps at the host how far
// the person has come. Knows no form; the element says what to do with what is heard.

/** Pauses before the stream is opened again, in milliseconds, where the browser does not do so by itself. */
const PAUSES = [500, 1_000, 2_000, 5_000, 10_000];
/** How long a stream may be cut before the person is told. */
const NOTICED = 2_000;
/** How long the person may go on typing before it is kept. */
const SOON = 300;
/** Pauses before what could not be kept is kept again, in milliseconds. */
const BACKOFF = [1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Hears `state_change` events of a host: `hear(state)`; and tells whether the stream is open: `connected(open)`. A stream that was
 * cut goes on after the last event that was heard (`Last-Event-ID`, or `last-event-id` in the query).
 */
export class Events {
  #url;
  #hear;
  #connected;
  #source;
  #timer;
  #last;
  #tries = 0;
  #silent;

  constructor(url, hear, connected) {
    this.#url = url;
    this.#hear = hear;
    this.#connected = connected;
    this.#open();
  }

  stop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#silent);
    this.#source.close();
  }

  #open() {
    const url = new URL(this.#url, document.baseURI);
    if (this.#last) url.searchParams.set("last-event-id", this.#last);
    const source = (this.#source = new EventSource(url));
    source.addEventListener("open", () => {
      this.#tries = 0;
      clearTimeout(this.#silent);
      this.#silent = undefined;
      this.#connected(true);
    });
    source.addEventListener("state_change", ({ data, lastEventId }) => {
      this.#last = lastEventId || this.#last;
      let state;
      try {
        state = JSON.parse(data);
      } catch (error) {
        reportError(error);
        return;
      }
      this.#hear(state);
    });
    source.addEventListener("error", () => {
      this.#silent ??= setTimeout(() => this.#connected(false), NOTICED);
      // A browser opens a stream that was cut again by itself, but none that was answered with an error.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#timer = setTimeout(() => this.#open(), PAUSES[Math.min(this.#tries, PAUSES.length - 1)]);
      this.#tries += 1;
    });
  }
}

/**
 * Keeps the latest of many versions, one at a time, by `put(value, isLeaving)`: "kept", "never" (this version is not to be tried again), or how long to wait before
 * the next try, in milliseconds; undefined stands for a pause that grows.
 */
export class Keeper {
  #put;
  #latest;
  #timer;
  #busy = false;
  #fails = 0;

  constructor(put) {
    this.#put = put;
  }

  /** Whether something is not kept yet. */
  get isWaiting() {
    return this.#busy || this.#latest !== undefined;
  }

  /** Keeps what `latest()` gives, if it gives anything by then: soon, or now. */
  keep(latest, now = false) {
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

  /** Keeps at once what waits, as when the page goes away, beside what is on its way. */
  flush() {
    clearTimeout(this.#timer);
    this.#send(true);
  }

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
