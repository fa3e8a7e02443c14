// Tabs of one browser that show the same question follow each other (BroadcastChannel). Knows no form.
//
// Each change has a place: a number that grows, and the tab that made it, which decides between two changes with one number. A tab follows a change that comes
// after its own, so all tabs come to the same walk, in whatever order they hear of the changes.

import { areOfOneForm, fingerprint } from "./save.js";

/** @import { SavedWalk } from "../types/core.js" */

/**
 * The place of a change: a number that grows, and the tab that made it.
 * @typedef {[number: number, tab: string]} At
 */

/**
 * The walk of a tab, and the version that the host has given it.
 * @typedef {{ walk?: SavedWalk, version?: string }} Now
 */

/**
 * What one tab says to the others.
 * @typedef {{ hello?: boolean, how?: string, at?: At, base?: At } & Now} Message
 */

/** How long the person may go on typing before the others hear of it, in milliseconds. */
const SOON = 100;

/**
 * @param {unknown} at
 * @returns {at is At}
 */
const isPlace = (at) => Array.isArray(at) && Number.isSafeInteger(at[0]) && typeof at[1] === "string";
/** @type {(at: At | undefined, other: At) => boolean} */
const isSame = (at, other) => isPlace(at) && at[0] === other[0] && at[1] === other[1];
/** @type {(at: At, other: At) => boolean} */
const isAfter = ([number, tab], [other, otherTab]) => number > other || (number === other && tab > otherTab);

export class Tabs {
  /** @type {BroadcastChannel} */
  #channel;
  /** @type {() => Now} */
  #now;
  /** @type {(walk: SavedWalk, isClean: boolean, version?: string) => void} */
  #follow;
  /** @type {(version: string) => void} */
  #kept;
  /** @type {(how: string) => void} */
  #close;
  #tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
  /**
   * The place of the walk that this tab shows.
   * @type {At}
   */
  #at = [0, ""];
  /**
   * The walk of that place, as a fingerprint.
   * @type {string | undefined}
   */
  #print;
  #others = false;
  /** Whether the form has still to begin anew with the walk that this tab follows. */
  #isFollowing = false;
  #isOver = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * `now()` gives `{ walk, version }` of this tab. `follow(walk, isClean, version)` takes that of another; `isClean` says that nothing done here is lost by it.
   * `kept(version)` hears which version the host has given to the walk of both. `close(how)` hears that another tab has ended the question.
   * @param {string} name
   * @param {{ now: () => Now, follow: (walk: SavedWalk, isClean: boolean, version?: string) => void, kept: (version: string) => void, close: (how: string) => void }} given
   */
  constructor(name, { now, follow, kept, close }) {
    this.#now = now;
    this.#follow = follow;
    this.#kept = kept;
    this.#close = close;
    this.#channel = new BroadcastChannel(name);
    this.#channel.addEventListener("message", ({ data }) => this.#hear(data));
    this.#print = fingerprint(this.#now().walk);
    this.#channel.postMessage({ hello: true });
  }

  /** The form has begun anew: with the walk that this tab follows, or with one that the other tabs have to hear of. */
  began() {
    if (!this.#isFollowing) return this.flush();
    this.#isFollowing = false;
    // It may be short of what it was told: a secret is in no walk.
    this.#print = fingerprint(this.#now().walk);
  }

  /** Tells the other tabs soon, if there are any, what has changed here. */
  changed() {
    if (!this.#others) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), SOON);
  }

  /** Tells them at once. */
  flush() {
    clearTimeout(this.#timer);
    const base = this.#at;
    if (this.#others && !this.#isOver && this.#isChanged()) this.#tell(base);
  }

  /** Tells them that the host has what this tab shows. */
  kept() {
    const { version } = this.#now();
    if (this.#others && !this.#isOver && version) this.#channel.postMessage({ at: this.#at, version });
  }

  /** The question was ended here, or is open again. The other tabs stay open until `end`, because the host has not acknowledged it yet. */
  over(isOver = true) {
    this.#isOver = isOver;
  }

  /**
   * Tells the others that the question was ended here, and how.
   * @param {string} how
   */
  end(how) {
    this.#channel.postMessage({ how });
    this.#channel.close();
  }

  stop() {
    clearTimeout(this.#timer);
    // What is on its way to the host outlives the form.
    if (!this.#isOver) this.#channel.close();
    this.#isOver = true;
  }

  /** @param {Message | null} data */
  #hear(data) {
    if (this.#isOver || typeof data !== "object" || data === null) return;
    const { hello, how, at, base, walk, version } = data;
    this.#others = true;
    if (hello) {
      const base = this.#at;
      this.#isChanged();
      // A tab without changes only says that it exists.
      if (this.#at[0]) this.#tell(base);
      else this.#channel.postMessage({});
    }
    if (typeof how === "string") this.#close(how);
    if (!isPlace(at)) return;
    if (areOfOneForm(walk, this.#now().walk)) this.#take(at, base, /** @type {SavedWalk} */ (walk), version);
    else if (typeof version === "string" && isSame(at, this.#at)) this.#kept(version);
  }

  /**
   * @param {At} at
   * @param {At | undefined} base
   * @param {SavedWalk} walk
   * @param {string} [version]
   */
  #take(at, base, walk, version) {
    const before = this.#at;
    const isChanged = this.#isChanged();
    const isNew = before[0] === 0;
    const own = this.#now().version;
    if (isNew && own && version && own !== version) {
      // The host gave this new tab another version, which may be newer than what the old tab shows.
      this.#at = [at[0], ""];
    } else if (isAfter(at, this.#at)) {
      clearTimeout(this.#timer);
      this.#at = at;
      this.#isFollowing = true;
      this.#print = fingerprint(walk);
      return this.#follow(walk, !isChanged && (isNew || isSame(base, before)), version);
    }
    if (isChanged) this.#tell(before);
  }

  /** Whether this tab has changed since its place; it has the next one then. */
  #isChanged() {
    const print = fingerprint(this.#now().walk);
    if (print === this.#print) return false;
    this.#print = print;
    this.#at = [this.#at[0] + 1, this.#tab];
    return true;
  }

  /** @param {At} base */
  #tell(base) {
    this.#channel.postMessage({ at: this.#at, base, ...this.#now() });
  }
}
