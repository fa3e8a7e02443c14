// Questions that the person has put away for a while, in this browser: until when, by the question. The inbox does not know of it, and other browsers show them.

/** Where the browser keeps it. */
const KEY = "ask-user inbox away";
const MINUTE = 60_000;
/** How long a timer can be set for, in milliseconds. */
const LONGEST = 2_147_483_647;
/** The hour of the morning. */
const MORNING = 9;

/** @typedef {{ name: "minutes" | "hour" | "morning", until: number }} Choice */

/**
 * Until when a question can be put away, at a moment. By then, it must not have expired.
 * @param {number} now
 * @returns {Choice[]}
 */
export function choices(now, expires = Infinity) {
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING, 0, 0, 0);
  /** @type {[name: Choice["name"], until: number][]} */
  const all = [["minutes", now + 10 * MINUTE], ["hour", now + 60 * MINUTE], ["morning", morning.getTime()]];
  return all.map(([name, until]) => ({ name, until })).filter(({ until }) => until < expires);
}

export class Away {
  /** @type {() => void} */
  #changed;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * `changed` hears when a question comes back, or another tab has put one away.
   * @param {() => void} changed
   */
  constructor(changed) {
    this.#changed = changed;
    addEventListener("storage", ({ key }) => key === KEY && this.#look());
    this.#wait();
  }

  /**
   * Until when a question is put away; undefined if it is not.
   * @param {string} id
   */
  until(id) {
    const until = this.#all[id];
    return until > Date.now() ? until : undefined;
  }

  /**
   * @param {string} id
   * @param {number} until
   */
  put(id, until) {
    this.#write({ ...this.#all, [id]: until });
  }

  /** @param {string} id */
  back(id) {
    const { [id]: _, ...others } = this.#all;
    this.#write(others);
  }

  /**
   * These questions are open: of others, nothing is kept.
   * @param {string[]} ids
   */
  keep(ids) {
    const all = Object.entries(this.#all);
    const kept = all.filter(([id]) => ids.includes(id));
    if (kept.length < all.length) this.#write(Object.fromEntries(kept), false);
  }

  /** @returns {{ [id: string]: number }} */
  get #all() {
    try {
      return JSON.parse(/** @type {string} */ (localStorage.getItem(KEY))) ?? {};
    } catch {
      return {};
    }
  }

  /** @param {{ [id: string]: number }} all */
  #write(all, isChange = true) {
    localStorage.setItem(KEY, JSON.stringify(all));
    if (isChange) this.#look();
  }

  #look() {
    this.#wait();
    this.#changed();
  }

  /** Looks again when the next question comes back. */
  #wait() {
    clearTimeout(this.#timer);
    const next = Math.min(...Object.values(this.#all).filter((until) => until > Date.now()));
    if (next < Infinity) this.#timer = setTimeout(() => this.#look(), Math.min(next - Date.now(), LONGEST));
  }
}
