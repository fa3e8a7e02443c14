// What a host says is due, as a page hears it: server-sent events, over one connection for all tabs of a browser. Knows no form.

/**
 * An event as it was said: its id, "" where the host gives none, and its data.
 * @typedef {{ id: string, data: string }} Said
 */

/**
 * What one tab says to the others.
 * @typedef {{ asks?: boolean, open?: boolean, last?: Said, event?: Said }} Message
 */

/**
 * What a host says is due.
 * @typedef {import("../types/core.js").ConversationNotice} State
 */

/** Pauses before the stream is opened again, in milliseconds, where the browser does not do so by itself. */
const PAUSES = [500, 1_000, 2_000, 5_000, 10_000];
/** How long a stream may be cut before the person is told. */
const NOTICED = 2_000;
/** How long a tab may take to answer another one, and a host to say what is due, in milliseconds. */
const ANSWERS = 1_000;
/** How often a tab in front asks whether the tab with the stream is still there, in milliseconds. */
const ASKS = 10_000;
/** How many events a tab remembers. */
const REMEMBERED = 20;

/**
 * Hears `state_change` events of a host: `hear(state)`; and tells whether the stream is open: `connected(open)`.
 *
 * Over HTTP/1.1 browsers open six connections to a host, for all their tabs. So one tab has the stream, and the others hear of it what it hears: the tab that holds the lock (Web Locks) of the address. A tab
 * that comes to the others has a stream of its own until it knows what is due. One that comes to the front, and gets no answer, takes the lock: browsers on phones stop the tabs behind.
 */
export class Events {
  /** @type {string} */
  #url;
  /** @type {(state: State) => void} */
  #hear;
  /** @type {(open: boolean) => void} */
  #connected;
  /** @type {string} */
  #name;
  /** @type {BroadcastChannel | undefined} */
  #channel;
  /** @type {Stream | undefined} */
  #stream;
  /**
   * The event that was heard last, and the ids of some that were heard.
   * @type {Said | undefined}
   */
  #last;
  /** @type {string[]} */
  #heard = [];
  /**
   * What another tab has told that the own stream has not told yet, if there is one; and the id of the last that it told.
   * @type {Said[]}
   */
  #ahead = [];
  /** @type {string | undefined} */
  #theirs;
  #isOpen = false;
  /** Whether this tab has the stream for the others, or another one has it; and what ends that, or its wait for it. */
  #leads = false;
  #isLed = false;
  /** Whether the tab with the stream has said that it is open. */
  #isHeld = false;
  /** @type {() => void} */
  #release = () => {};
  /** How often this tab has asked for it. */
  #turn = 0;
  #isOver = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #following;

  /**
   * @param {string} url
   * @param {(state: State) => void} hear
   * @param {(open: boolean) => void} connected
   */
  constructor(url, hear, connected) {
    this.#url = new URL(url, document.baseURI).href;
    this.#hear = hear;
    this.#connected = connected;
    this.#name = `ask-user events ${this.#url}`;
    this.#open();
    if (!globalThis.BroadcastChannel || !navigator.locks) return;
    try {
      this.#channel = new BroadcastChannel(this.#name);
    } catch {
      // A page without storage of its own has none.
      return;
    }
    this.#channel.addEventListener("message", ({ data }) => this.#told(data));
    document.addEventListener("visibilitychange", this.#comes);
    this.#lead({ ifAvailable: true });
    this.#comes();
  }

  stop() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#following);
    document.removeEventListener("visibilitychange", this.#comes);
    this.#channel?.close();
    this.#close();
    this.#release();
  }

  /**
   * Takes the stream: if no tab has it, from the one that has it, or else once that gives it up.
   * @param {LockOptions} [how]
   */
  async #lead(how) {
    const waiting = new AbortController();
    const turn = (this.#turn += 1);
    this.#release();
    this.#release = () => waiting.abort();
    try {
      await navigator.locks.request(this.#name, how ?? { signal: waiting.signal }, (lock) => {
        // A later request of this tab takes its place.
        if (this.#isOver || turn !== this.#turn) return undefined;
        this.#isLed = !lock;
        if (!lock) {
          this.#follows();
          return undefined;
        }
        this.#leads = true;
        this.#ahead = [];
        this.#open();
        this.#tells();
        return new Promise((resolve) => (this.#release = /** @type {() => void} */ (resolve)));
      });
    } catch {
      // Another tab has taken it over. Where the browser has no locks for this page, nothing was taken.
      if (!this.#leads || this.#isOver || turn !== this.#turn) return;
      this.#leads = false;
      this.#isLed = true;
      this.#follows();
    }
  }

  /** Another tab has the stream: waits for that to give it up. */
  #follows() {
    [this.#isHeld, this.#theirs] = [false, undefined];
    this.#lead();
    this.#comes();
  }

  /** Asks whoever has the stream. If nobody answers a tab in front, it takes the stream. */
  #comes = () => {
    clearTimeout(this.#timer);
    if (this.#leads || this.#isOver) return;
    if (document.visibilityState === "visible") this.#timer = setTimeout(() => this.#leads || this.#lead({ steal: true }), ANSWERS);
    /** @type {BroadcastChannel} */ (this.#channel).postMessage({ asks: true });
  };

  /** Says how the stream is, and what it said last. */
  #tells() {
    this.#say({ open: this.#isOpen, last: this.#last });
  }

  /**
   * Another tab says something: it `asks`; its stream is `open`, or not, and has said `last`; or says an `event` now.
   * @param {Message} message
   */
  #told({ asks, open, last, event }) {
    if (asks) return void this.#tells();
    clearTimeout(this.#timer);
    if (this.#leads) return;
    this.#timer = setTimeout(this.#comes, ASKS);
    if (!this.#stream) {
      if (open !== undefined) this.#connects(open);
      // What a tab has missed while the browser had stopped it. The other one may have been stopped as well, and say what was heard before.
      if (last && !this.#knows(last)) this.#hears(last);
      if (event) this.#hears(event);
      return;
    }
    // The own stream decides what is due, in its order.
    this.#isHeld = open ?? this.#isHeld;
    const latest = event ?? last;
    if (latest) this.#theirs = latest.id;
    if (latest && this.#knows(latest)) this.#ahead = [];
    else if (event) this.#ahead.push(event);
    this.#followsSoon();
  }

  /** @param {Message} said */
  #say(said) {
    if (this.#leads) /** @type {BroadcastChannel} */ (this.#channel).postMessage(said);
  }

  /** @param {boolean} open */
  #connects(open) {
    this.#isOpen = open;
    this.#connected(open);
    this.#say({ open });
  }

  /**
   * Whether an event was heard. Two tabs may hear the same one with another state of what is due. A host without ids says the same again and again.
   * @param {Said} event
   */
  #knows({ id, data }) {
    return id ? this.#heard.includes(id) : data === this.#last?.data;
  }

  /**
   * An event comes once, whoever tells of it.
   * @param {Said} event
   */
  #hears(event) {
    if (event.id && event.id === this.#last?.id && event.data === this.#last.data) return;
    this.#last = event;
    this.#heard = [...this.#heard, event.id].slice(-REMEMBERED);
    this.#ahead = this.#ahead.slice(this.#ahead.findIndex(({ id, data }) => (id ? id === event.id : data === event.data)) + 1);
    this.#say({ event });
    let state;
    try {
      state = JSON.parse(event.data);
    } catch (error) {
      reportError(error);
      return;
    }
    this.#hear(state);
  }

  #open() {
    this.#stream ??= new Stream(this.#url, this.#last?.id, {
      connects: (open) => {
        this.#connects(open);
        this.#followsSoon();
      },
      hears: (event) => {
        this.#hears(event);
        this.#followsSoon();
      },
    });
  }

  /**
   * Once its own stream has said nothing for a moment, this tab knows what is due: a host says several things at first, or nothing. If another tab has an open stream then that is no further behind, that is
   * enough. So it is for a tab whose own stream does not open: a browser may have no connection left for it.
   */
  #followsSoon() {
    clearTimeout(this.#following);
    this.#following = setTimeout(() => {
      if (!this.#isLed || this.#leads || !this.#stream || !this.#isHeld) return;
      // Without ids nobody can say.
      const isBehind = this.#theirs && this.#last?.id && this.#theirs !== this.#last.id && !this.#ahead.length;
      if (this.#isOpen && isBehind) return;
      this.#close();
      if (!this.#isOpen) this.#connects(true);
      for (const event of this.#ahead.splice(0)) this.#hears(event);
      // What came in between.
      this.#comes();
    }, ANSWERS);
  }

  #close() {
    this.#stream?.stop();
    this.#stream = undefined;
  }
}

/** One stream of `state_change` events, from the event after the one that is named `last`. One that was cut goes on after the last that was heard (`Last-Event-ID`, or `last-event-id` in the query). */
class Stream {
  /** @type {string} */
  #url;
  /** @type {string | undefined} */
  #last;
  /** @type {{ connects(open: boolean): void, hears(event: Said): void }} */
  #listener;
  /** @type {EventSource | undefined} */
  #source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silent;
  #tries = 0;

  /**
   * @param {string} url
   * @param {string | undefined} last
   * @param {{ connects(open: boolean): void, hears(event: Said): void }} listener
   */
  constructor(url, last, listener) {
    this.#url = url;
    this.#last = last;
    this.#listener = listener;
    this.#open();
  }

  stop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#silent);
    /** @type {EventSource} */ (this.#source).close();
  }

  #open() {
    const url = new URL(this.#url);
    if (this.#last) url.searchParams.set("last-event-id", this.#last);
    const source = (this.#source = new EventSource(url));
    source.addEventListener("open", () => {
      this.#tries = 0;
      clearTimeout(this.#silent);
      this.#silent = undefined;
      this.#listener.connects(true);
    });
    source.addEventListener("state_change", ({ data, lastEventId }) => {
      this.#last = lastEventId || this.#last;
      this.#listener.hears({ data, id: lastEventId });
    });
    source.addEventListener("error", () => {
      this.#silent ??= setTimeout(() => this.#listener.connects(false), NOTICED);
      // A browser opens a stream that was cut again by itself, but none that was answered with an error.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#timer = setTimeout(() => this.#open(), PAUSES[Math.min(this.#tries, PAUSES.length - 1)]);
      this.#tries += 1;
    });
  }
}
