// What is kept of one question while a person answers it: at `save-url`, in the host's storage, and in the other tabs that show it. Knows no form; the element
// says what to do with a walk from elsewhere.

import { Keeper } from "./keeper.js";
import { goesOn, hash, Saved } from "./save.js";
import { Tabs } from "./tabs.js";

/**
 * @import { Host, WalkStorage } from "../types/ask-user.js"
 * @import { Outcome, SavedWalk } from "../types/core.js"
 * @import { Body } from "./save.js"
 */

/**
 * A question, as the constructor describes it.
 * @typedef {{ asked: string, made: string, url: string | null, version: string | undefined, events: string | null, ended: string | undefined }} Question
 */

/**
 * The form of the question.
 * @typedef {{ walk(): SavedWalk | undefined, host(): Host, follow(walk: SavedWalk, isClean: boolean): boolean, close(how: string): void, kept(): void, unkept(error: unknown): void }} Shown
 */

/**
 * What a storage has of a question, as texts; `ended` is the key of its ending.
 * @typedef {{ walk: string, ended?: string, secrets: string }} Stored
 */

/**
 * What a host that closes a question calls an outcome; undefined for one that failed.
 * @type {(outcome: Outcome) => string | undefined}
 */
const closing = ({ ends, reply }) => /** @type {{ [ends: string]: string | undefined }} */ ({ completed: "answered", replied: reply === undefined ? "declined" : "replied", turn_ended: ends })[ends];

/**
 * One question is `asked`; `made` is that and the options of its form, each as text. `url` is where walks go, and `version` what it has; `events` is where the host is heard, `ended`
 * the key of its ending, once it has one.
 * `walk()` gives that of the form, `host()` the host's options. `follow(walk, isClean)` takes a walk from elsewhere, and says whether it does; `close(how)` hears that the question was
 * ended elsewhere, `unkept(error)` that something could not be kept, `kept()` that it was.
 */
export class Keeping {
  /** @type {Question} */
  #question;
  /** @type {Shown} */
  #form;
  /** @type {Saved | undefined} */
  #saved;
  /** @type {Keeper<Body> | undefined} */
  #keeper;
  /** @type {Keeper<object> | undefined} */
  #storer;
  /** @type {Tabs | undefined} */
  #tabs;
  #isDropped = false;

  /**
   * `before` is that of the same question, if its form was made otherwise.
   * @param {Question} question
   * @param {Shown} form
   * @param {Keeping} [before]
   */
  constructor(question, form, before) {
    const { asked, made, url, version, events, ended } = question;
    const { storage } = form.host();
    this.#question = question;
    this.#form = form;
    if (url !== null) {
      const kept = () => {
        form.kept();
        this.#tabs?.kept();
      };
      // A host that is heard says itself that the question is closed, and how.
      const closed = () => events === null && form.close("closed");
      const heard = { kept, failed: form.unkept, closed, behind: (/** @type {SavedWalk} */ theirs) => this.#follow(theirs, false) };
      this.#saved = new Saved(url, version, form.host, heard, before?.known);
      this.#keeper = new Keeper(this.#saved.put);
    }
    if (storage) this.#storer = new Keeper((value) => this.#store(asked, value));
    const urls = [url, events].map((url) => url && new URL(url, document.baseURI).href);
    // Only an address or the storage says that another tab asks the same question.
    if (!globalThis.BroadcastChannel || ended !== undefined || !(storage || urls.some(Boolean))) return;
    this.#tabs = new Tabs(JSON.stringify(["ask-user 1", ...urls, made]), {
      now: () => ({ walk: form.walk(), version: this.version }),
      follow: (...change) => this.#follow(...change),
      // What another tab has kept, this one shows.
      kept: (version) => this.#saved && (this.#saved.version = version),
      close: form.close,
    });
  }

  /**
   * Whether it keeps this.
   * @param {string | undefined} made
   * @param {string | null} url
   */
  is(made, url) {
    const keepsHere = this.#storer !== undefined;
    return made === this.#question.made && url === this.#question.url && keepsHere === Boolean(this.#form.host().storage);
  }

  /** The walks that the present one comes from. */
  get known() {
    return this.#saved?.known;
  }

  /** The version that the host has. */
  get version() {
    return this.#saved?.version;
  }

  /**
   * The form has begun: with what the host `given` has, or what it follows. That is no change.
   * @param {SavedWalk} [given]
   */
  began(given) {
    if (given) this.#saved?.base(given);
    this.#saved?.base(this.#form.walk());
    this.#tabs?.began();
  }

  /**
   * Keeps a change of the form: soon, or `now` because the form has ended. The other tabs hear of an end by `ends`.
   * @param {string} call
   * @param {boolean} [now]
   */
  changed(call, now) {
    /** @type {<More extends object>(more: More) => () => (More & { walk: SavedWalk }) | undefined} */
    const latest = (more) => () => {
      const walk = this.#form.walk();
      return walk && { ...more, walk };
    };
    this.#keeper?.keep(latest({ tool_call_id: call }), now);
    this.#storer?.keep(latest({}), now);
    if (!now) this.#tabs?.changed();
  }

  /**
   * Follows the walk that the host has when its stream opens again. A walk that is still to be kept here gets a 412 instead.
   * @param {SavedWalk} walk
   * @param {string} [version]
   */
  hears(walk, version) {
    if (this.#saved && version !== this.version && !this.#saved.knows(walk) && !/** @type {Keeper<Body>} */ (this.#keeper).isWaiting) this.#follow(walk, true, version);
  }

  /**
   * The person has ended the question: gives what is to be called once the host has that. The next form of this question then shows the receipt and sends nothing.
   * @param {Outcome} outcome
   * @param {string} ended
   * @param {string[]} secrets
   */
  ends(outcome, ended, secrets) {
    const { asked, events } = this.#question;
    const [tabs, storer] = [this.#tabs, this.#storer];
    const walk = storer && this.#form.walk();
    tabs?.over();
    return () => {
      storer?.end();
      if (storer && !this.#isDropped) this.#store(asked, { walk, ended, secrets });
      // A host that is heard tells them itself.
      const how = closing(outcome);
      if (events === null && how) tabs?.end(how);
    };
  }

  /** The ending was refused: the question is open again. */
  reopens() {
    this.#tabs?.over(false);
  }

  /** Hands over at once what waits. */
  flush() {
    for (const one of [this.#keeper, this.#storer, this.#tabs]) one?.flush();
  }

  /** Forgets what waits, and keeps nothing more. Gives whether anything waited. */
  stop() {
    const keepers = [this.#keeper, this.#storer];
    const waits = keepers.some((one) => one?.isWaiting);
    for (const one of keepers) one?.end();
    this.#tabs?.stop();
    return waits;
  }

  /** The host says that the question is closed: the storage forgets it. */
  drop() {
    if (!this.#storer || this.#isDropped) return;
    this.#isDropped = true;
    this.#storer.end();
    this.#store(this.#question.asked, {});
  }

  /**
   * @param {SavedWalk} walk
   * @param {boolean} isClean
   * @param {string} [version]
   */
  #follow(walk, isClean, version) {
    if (!this.#form.follow(walk, isClean)) return false;
    this.#keeper?.stop();
    this.#saved?.base(walk, version);
    return true;
  }

  /**
   * @param {string} asked
   * @param {object} value
   * @returns {Promise<"never">}
   */
  async #store(asked, value) {
    try {
      await this.#form.host().storage?.set(keyOf(asked), JSON.stringify(value));
    } catch (error) {
      this.#form.unkept(error);
    }
    return "never";
  }
}

/** How long a storage may take to answer, in milliseconds. */
const LONGEST = 10_000;

/**
 * What a storage has of a question: `{ walk, ended, secrets }`, texts; nothing where the walk that a host has `given`, as text, has come as far.
 * @param {WalkStorage} storage
 * @param {string} asked
 * @param {string} [given]
 * @returns {Promise<Stored | undefined>}
 */
export async function stored(storage, asked, given) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => (timer = setTimeout(reject, LONGEST, new Error("`host.storage.get` has not answered within 10 seconds: the form begins without what it has."))));
  const { walk, ended, secrets = [] } = JSON.parse((await Promise.race([storage.get(keyOf(asked)), late]).finally(() => clearTimeout(timer))) ?? "{}");
  // A host that asks still has no end of it, whatever was noted.
  if (given !== undefined && (ended || !goesOn(walk, JSON.parse(given)))) return undefined;
  // What was handed over is only shown: anything stands for a secret there.
  return walk && { walk: JSON.stringify(walk), ended, secrets: JSON.stringify(Object.fromEntries(secrets.map((/** @type {string} */ id) => [id, "?"]))) };
}

/**
 * The key of a question in a storage: its call, and a hash of what is asked. If two questions share a key, the walk of one does not fit the form of the other, and is refused.
 * @type {(asked: string) => string}
 */
const keyOf = (asked) => `ask-user ${hash(asked).toString(36)} ${JSON.parse(asked)[2]}`;
