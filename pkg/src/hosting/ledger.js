// What a host keeps of its conversations in a store: one change at a time for each, also where several processes share the store, and a commit that the store has
// not acknowledged, and when an answer came that could not be stored. Knows neither what a conversation is nor HTTP. A subclass says with `read` what is stored, and with `recover` what to do after a doubt.
import { unguessable } from "./digests.js";
import { Live } from "./live.js";
import { Refused, StoreFailure } from "./refused.js";

/**
 * @import { AuditRecord } from "../../types/core.js"
 * @import { Change, Store } from "../../types/host.js"
 * @import { Core } from "./desks.js"
 * @import { Entry } from "./live.js"
 */

/**
 * A stored line.
 * @typedef {{ place: number, kind: string, text: string }} Found
 */

/**
 * A line that is to be stored.
 * @typedef {Change["lines"][number]} NewLine
 */

/**
 * A conversation as it is stored: its revision, none where it is not stored yet, and which process has made which one.
 * @typedef {{ entry: Entry, revision: number | undefined, by: { [name: string]: number } }} Kept
 */

/**
 * What a subclass says: what is stored, and what to do after a doubt.
 * @template R
 * @typedef {{ read(id: string, state: any): R | Promise<R>, recover(id: string, held: Kept & R): Promise<void> }} Kind
 */

/**
 * When an answer came that could not be stored, its key, and until when it may come again.
 * @typedef {{ at: number, key: string | null | undefined, until: number }} Missed
 */

/**
 * An input that comes.
 * @typedef {{ call: string | undefined, type: string, key: string | null | undefined }} Comes
 */

/** Pauses before the store is tried again, in milliseconds. */
const PAUSES = [100, 500, 2_000, 5_000, 15_000];
/** How long an answer that could not be stored may come again, in milliseconds: what time it is for its question stands still. */
const AGAIN = 60_000;
/** The inputs of a desk that end a question. What a page saves is saved again by itself. */
const ANSWERS = ["responded", "answered"];
/** Of how many conversations is known what could not be stored, of how many calls of each, and how long the names of those may be. */
const MISSED = 10_000;
const MISSED_CALLS = 100;
const LONGEST = 1_000;
/** How many processes are known that have changed a conversation: those that did so last. */
const PROCESSES = 32;
/** How long a timer runs at most, in milliseconds: the clock may be put forward meanwhile. */
const LOOK = 60_000;
/** How often something is done again because another process has changed the conversation meanwhile. */
const TRIES = 10;

/** @template R */
export class Ledger {
  /** @type {Core} */
  #core;
  /** @type {Store} */
  #store;
  /** @type {(error: unknown, context: { id?: string }) => void} */
  #onError;
  #live = new Live();
  /** @type {Set<Promise<void>>} */
  #running = new Set();
  /**
   * When the next question of a conversation expires, as timers.
   * @type {Map<string, ReturnType<typeof setTimeout>>}
   */
  #timers = new Map();
  /**
   * The answers that could not be stored, by conversation and call: when each came, and until when it may come again under its key, in milliseconds since the beginning of 1970.
   * @type {Map<string, Map<string | undefined, Missed>>}
   */
  #missed = new Map();
  /**
   * What ends the pauses of those who try again.
   * @type {Set<() => void>}
   */
  #pauses = new Set();
  /** This process, as the conversations know it that it has changed. */
  #name = unguessable();

  /**
   * @param {Core} core
   * @param {Store} store
   * @param {(error: unknown, context: { id?: string }) => void} onError
   */
  constructor(core, store, onError) {
    for (const name of ["create", "load", "commit", "lines", "open"]) {
      if (typeof /** @type {{ [name: string]: unknown } | undefined} */ (/** @type {unknown} */ (store))?.[name] !== "function") throw new TypeError(`The option \`store\` must have the function \`${name}\`. Await sqlite(…) and postgres(…).`);
    }
    this.#core = core;
    this.#store = store;
    this.#onError = onError;
  }

  /**
   * Calls `wake` whenever there may be new lines, until the function that this gives is called.
   * @param {string} id
   * @param {() => void} wake
   */
  listen(id, wake) {
    return this.#live.listen(id, wake);
  }

  /** Promises that nothing runs any more. */
  async settled() {
    while (this.#running.size) await Promise.all(this.#running);
  }

  /** Ends all streams of events, and whoever waits, because the process is about to end. What is open stays open. */
  close() {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    for (const end of [...this.#pauses]) end();
    this.#live.close();
  }

  get isClosing() {
    return this.#live.isClosing;
  }

  /** How many conversations are in memory. */
  get inMemory() {
    return this.#live.size;
  }

  /**
   * Adds a conversation.
   * @param {string} id
   * @param {{ token: string, state: unknown }} conversation
   * @returns {Promise<any>}
   */
  async create(id, { token, state }) {
    await this.#asked(() => this.#store.create(id, { token, state: JSON.stringify(state) }));
  }

  /**
   * A conversation as it is stored; undefined if there is none.
   * @param {string} id
   */
  find(id) {
    return this.#asked(() => this.#store.load(id));
  }

  /** The ids of the conversations that are open. */
  unfinished() {
    return this.#asked(() => this.#store.open());
  }

  /**
   * @param {string} id
   * @param {string[]} kinds
   * @param {{ after?: number, key?: string }} [options]
   * @returns {Promise<Found[]>}
   */
  async lines(id, kinds, options) {
    return this.#asked(() => this.#store.lines(id, kinds, options));
  }

  /**
   * The audit trail.
   * @param {string} id
   * @returns {Promise<AuditRecord[]>}
   */
  async records(id) {
    const found = await this.find(id);
    // It may be one of another kind of host.
    await /** @type {Kind<R>} */ (/** @type {unknown} */ (this)).read(id, found && JSON.parse(found.state));
    const stored = await this.lines(id, ["record"]);
    return this.#core.readRecords(`[${stored.map(({ text }) => text).join(",")}]`).turns.flat();
  }

  /**
   * The audit trail for people to read, in Markdown.
   * @param {string} id
   */
  async recordsMarkdown(id) {
    return this.#core.recordsMarkdown(await this.records(id));
  }

  /**
   * Does something with a conversation as it is stored, while nothing else does. `act` gets what `read` gives of it, with its `revision`; again, if another process has changed the
   * conversation before `act` committed.
   * @template T
   * @param {string} id
   * @param {(held: Kept & R) => T | Promise<T>} act
   * @returns {Promise<T>}
   */
  alone(id, act) {
    return this.#live.alone(id, async (entry) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await act(await this.#load(id, entry));
        } catch (error) {
          if (!(error instanceof Stale) || tries === TRIES) throw error;
        }
      }
    });
  }

  /**
   * What time it is for the question of a call, in milliseconds since the beginning of 1970. Where an answer to it could not be stored, it is the moment at which that came, for a minute.
   * @param {string} id
   * @param {string} [call]
   */
  clock(id, call) {
    const now = Date.now();
    const missed = this.#missed.get(id);
    const { at } = [missed?.get(call), missed?.get(undefined)].find((one) => now < /** @type {Missed} */ (one)?.until) ?? { at: now };
    return at;
  }

  /**
   * Does what an input brings, if one comes: `comes` has its `type`, `key` and `call`. If the store fails for an answer, the answer may come again, and has come now.
   * @template T
   * @param {string} id
   * @param {Comes | undefined} comes
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  async keepingTime(id, comes, act) {
    if (!comes || !ANSWERS.includes(comes.type)) return act();
    const { call, key } = comes;
    const at = this.clock(id, call);
    const heard = () => {
      const missed = this.#missed.get(id);
      const one = missed?.get(call);
      if (!one || one.key !== key) return;
      missed?.delete(call);
      if (missed?.size === 0) this.#missed.delete(id);
    };
    try {
      const done = await act();
      heard();
      return done;
    } catch (error) {
      if (error instanceof StoreFailure) this.#misses(id, call, key, at);
      else heard();
      throw error;
    }
  }

  /**
   * @param {string} id
   * @param {string | undefined} call
   * @param {string | null | undefined} key
   * @param {number} at
   */
  #misses(id, call, key, at) {
    const missed = this.#missed.get(id) ?? new Map();
    const now = Date.now();
    if (now < /** @type {Missed} */ (missed.get(call))?.until || [call, key].some((name) => /** @type {string} */ (name)?.length > LONGEST)) return;
    for (const [other, { until }] of missed) if (until <= now) missed.delete(other);
    if (missed.size >= MISSED_CALLS) missed.delete(missed.keys().next().value);
    // The newest stand last.
    this.#missed.delete(id);
    this.#missed.set(id, missed.set(call, { at, key, until: now + AGAIN }));
    if (this.#missed.size > MISSED) this.#missed.delete(/** @type {string} */ (this.#missed.keys().next().value));
  }

  /**
   * Does something with each conversation that was open when the last process ended. Those for which the store fails are tried again beside all else; those of another kind of host are left
   * alone.
   * @param {(id: string) => Promise<unknown>} act
   */
  async resumeEach(act) {
    for (const id of await this.persistently(() => this.unfinished())) {
      if (this.isClosing) return;
      try {
        await act(id);
      } catch (error) {
        if (error instanceof StoreFailure) this.later(this.persistently(() => act(id)), id);
        else if (/** @type {Refused} */ (error).code !== "no_conversation") this.#onError(error, { id });
      }
    }
  }

  /**
   * Stores a state and lines, all or nothing, and then calls `then` with the new revision. What works on the conversation since the revision `since` goes on. If the store has not acknowledged
   * it, `then` is called once it is known to be stored, with the conversation as it is by then: another process may have changed it since.
   * @param {string} id
   * @param {Kept} held
   * @param {{ state: object, isOpen: boolean, lines: NewLine[], since?: number }} change
   * @param {(revision: number, later?: Kept & R) => void} then
   */
  async commit(id, held, { isOpen, lines, since, ...next }, then = () => undefined) {
    const revision = /** @type {number} */ (held.revision) + 1;
    // Who has made which revision: two processes may make the same change.
    const others = Object.entries(held.by).filter(([name]) => name !== this.#name);
    const last = others.sort(([, one], [, other]) => other - one).slice(0, PROCESSES - 1);
    const by = { [this.#name]: revision, ...Object.fromEntries(last) };
    const state = JSON.stringify({ ...next.state, by });
    /** @type {(later?: any) => void} */
    const finish = (later) => {
      if (!later || later.revision === revision) this.#live.moved(id, since);
      then(revision, later);
    };
    let isDone;
    try {
      isDone = await this.#store.commit(id, /** @type {number} */ (held.revision), { state, isOpen, lines });
    } catch (error) {
      // It may be stored all the same. Whoever loads the conversation next finds out.
      held.entry.doubt = { revision, finish };
      this.later(this.#settle(id));
      throw new StoreFailure(error);
    }
    if (!isDone) throw new Stale();
    Object.assign(held, { revision, by });
    finish();
  }

  /**
   * Does something again until the store does not fail, the process is about to end, or `signal` is aborted.
   * @template T
   * @param {() => Promise<T>} act
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  async persistently(act, signal) {
    for (let fails = 0; ; fails += 1) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof StoreFailure) || this.isClosing) throw error;
        if (fails === 0) this.#onError(error.cause, {});
        // Before the process ends, it is tried once more.
        await this.#pause(PAUSES[Math.min(fails, PAUSES.length - 1)], signal);
        signal?.throwIfAborted();
      }
    }
  }

  /**
   * Looks at a conversation when its next question expires: `moment` is in milliseconds since the beginning of 1970. That keeps no process alive.
   * @param {string} id
   * @param {number} [moment]
   */
  wakes(id, moment = Infinity) {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    if (moment === Infinity || this.isClosing) return;
    const held = [...(this.#missed.get(id)?.values() ?? [])].map(({ until }) => until);
    const left = Math.max(moment, ...held) - Date.now();
    const look = () => {
      if (left > LOOK) this.wakes(id, moment);
      else this.later(this.persistently(() => this.alone(id, () => undefined)), id);
    };
    const timer = setTimeout(look, Math.min(left, LOOK));
    timer.unref?.();
    this.#timers.set(id, timer);
  }

  /**
   * Runs something beside all else.
   * @param {Promise<unknown>} promise
   * @param {string} [id]
   */
  later(promise, id) {
    /** @type {Promise<void>} */
    const running = /** @type {Promise<void>} */ (promise)
      .catch((error) => {
        // The conversation went on without it: nobody waits for this.
        if (!(error instanceof Refused && error.status === 409)) this.#onError(error, { id });
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /**
   * Runs something that begins at a revision of a conversation, with a signal that is aborted when the conversation goes on without it.
   * @param {string} id
   * @param {number} since
   * @param {(signal: AbortSignal) => Promise<void>} act
   */
  run(id, since, act) {
    this.later(this.#live.run(id, since, act), id);
  }

  /**
   * Whether something runs that has begun at this revision.
   * @param {string} id
   * @param {number} since
   */
  works(id, since) {
    return this.#live.work(id, since) !== undefined;
  }

  /**
   * @param {string} id
   * @param {Entry} entry
   * @returns {Promise<Kept & R>}
   */
  async #load(id, entry) {
    const { doubt } = entry;
    const found = await this.#asked(() => this.#store.load(id, { isSettled: Boolean(doubt) }));
    const state = found && JSON.parse(found.state);
    const held = { entry, revision: found?.revision, by: state?.by ?? {}, ...(await /** @type {Kind<R>} */ (/** @type {unknown} */ (this)).read(id, state)) };
    entry.doubt = undefined;
    if (doubt && held.by[this.#name] === doubt.revision) doubt.finish(held);
    return held;
  }

  /**
   * Looks until it is known whether what the store failed to acknowledge is stored.
   * @param {string} id
   */
  async #settle(id) {
    await this.persistently(() => this.alone(id, (held) => /** @type {Kind<R>} */ (/** @type {unknown} */ (this)).recover(id, held)));
  }

  /**
   * Lets a time pass, unless the process is about to end or `signal` is aborted.
   * @param {number} time
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   */
  #pause(time, signal) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, time);
      this.#pauses.add(end);
      signal?.addEventListener("abort", end);
      if (signal?.aborted || this.isClosing) end();
    });
  }

  /**
   * @template T
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  async #asked(act) {
    try {
      return await act();
    } catch (error) {
      throw new StoreFailure(error);
    }
  }
}

/** The conversation has changed meanwhile: it is loaded again, and the same is done again. */
export class Stale extends Error {}
