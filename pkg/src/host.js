// The side of a page to a host that keeps conversations: hears by server-sent events what is due, and keeps at the host how far
// the person has come. Knows no form; the element says what to do with what is heard.

/** Pauses before the stream is opened again, in milliseconds, where the browser does not do so by itself. */
const PAUSES = [500, 1_000, 2_000, 5_000, 10_000];
/** How long a stream may be cut before the person is told. */
const NOTICED = 2_000;
/** How long the person may go on typing before it is kept. */
const SOON = 300;

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

/** Keeps the latest of many versions at a URL (`PUT`), one at a time. What could not be kept is kept with the next, or soon. */
export class Keeper {
  #url;
  #latest;
  #timer;
  #busy = false;

  constructor(url) {
    this.#url = url;
  }

  /** Keeps what `latest()` gives, if it gives anything by then: soon, or now. */
  keep(latest, now = false) {
    this.#latest = latest;
    clearTimeout(this.#timer);
    if (now) this.#put();
    else this.#timer = setTimeout(() => this.#put(), SOON);
  }

  /** Forgets what is not kept yet. */
  stop() {
    clearTimeout(this.#timer);
    this.#latest = undefined;
  }

  /** Keeps at once what waits, as when the page goes away. */
  flush() {
    if (this.#latest) this.keep(this.#latest, true);
  }

  async #put() {
    if (this.#busy || !this.#latest) return;
    const latest = this.#latest;
    this.#latest = undefined;
    const value = latest();
    if (value === undefined) return;
    this.#busy = true;
    const body = JSON.stringify(value);
    const init = { method: "PUT", headers: { "Content-Type": "application/json" }, body, credentials: "same-origin" };
    // A page that goes away may still send a little (64 KiB, by the Fetch standard).
    if (body.length < 32_768) init.keepalive = true;
    const kept = await fetch(this.#url, init).then(({ status }) => status < 500, () => false);
    this.#busy = false;
    if (this.#latest) this.keep(this.#latest, true);
    else if (!kept) this.keep(latest);
  }
}
