// The list of all questions: who asked each, where, since when, and how it ended. It stands as lines of one conversation in the store, so it needs no table of its own.

/**
 * @import { Store } from "../../types/host.js"
 * @import { Entry } from "./board.js"
 */

/** The conversation of the list. No question has an id that is so short. */
const LIST = "questions";

export class Questions {
  /** @type {Store} */
  #store;
  /** @type {Map<string, Entry>} */
  #all = new Map();
  /** @type {Promise<void>} */
  #last = Promise.resolve();

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** Reads the list. */
  async read() {
    if (!(await this.#store.load(LIST))) await this.#store.create(LIST, { token: "", state: JSON.stringify({ ask_user_questions: 1 }) });
    for (const { text } of await this.#store.lines(LIST, ["entry"])) this.#apply(JSON.parse(text));
    return this;
  }

  /**
   * A question; undefined if there is none with this id.
   * @param {string} id
   */
  get(id) {
    return this.#all.get(id);
  }

  /** All questions, the oldest first. */
  get all() {
    return [...this.#all.values()];
  }

  /**
   * Adds a question, or what is new about one: stored first.
   * @param {Partial<Entry> & { id: string }} entry
   */
  change(entry) {
    const stored = this.#last.catch(() => undefined).then(async () => {
      for (let tries = 10; ; tries -= 1) {
        const { revision, state } = /** @type {NonNullable<Awaited<ReturnType<Store["load"]>>>} */ (await this.#store.load(LIST));
        if (await this.#store.commit(LIST, revision, { state, isOpen: false, lines: [{ kind: /** @type {any} A kind of its own: hosts have no such lines. */ ("entry"), text: JSON.stringify(entry) }] })) break;
        if (!tries) throw new Error("The list of questions changes too fast.");
      }
      this.#apply(entry);
    });
    this.#last = stored;
    return stored;
  }

  /** @param {Partial<Entry> & { id: string }} entry */
  #apply(entry) {
    this.#all.set(entry.id, /** @type {Entry} */ ({ ...this.#all.get(entry.id), ...entry }));
  }
}
