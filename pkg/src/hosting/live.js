// What a process holds of the conversations that it works on: one event at a time for each, who listens, and what runs. Nothing is lost with it.

/**
 * A conversation in memory: the end of what was begun with it last, how many hold it, who listens, what works on it, and what may have been stored.
 * @typedef {{ last: Promise<void>, waiting: number, listeners: Set<() => void>, work?: { since: number, controller: AbortController }, doubt?: { revision: number, finish(later: unknown): void } }} Entry
 */

export class Live {
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  #closing = false;

  /** Whether no stream goes on and nothing is tried again, because the process is about to end. */
  get isClosing() {
    return this.#closing;
  }

  close() {
    this.#closing = true;
    for (const entry of this.#entries.values()) wake(entry);
  }

  /**
   * Does something with a conversation while nothing else in this process does.
   * @template T
   * @param {string} id
   * @param {(entry: Entry) => Promise<T>} act
   * @returns {Promise<T>}
   */
  async alone(id, act) {
    const entry = this.#entry(id);
    const before = entry.last;
    /** @type {(() => void) | undefined} */
    let done;
    entry.last = new Promise((resolve) => (done = resolve));
    try {
      await before;
      return await act(entry);
    } finally {
      /** @type {() => void} */ (/** @type {unknown} */ (done))();
      entry.waiting -= 1;
      this.#forget(id, entry);
    }
  }

  /**
   * What works on a conversation: `{ since, controller }`. Nothing if it ended, or has begun at another revision.
   * @param {string} id
   * @param {number} since
   */
  work(id, since) {
    const { work } = this.#entries.get(id) ?? {};
    return work?.since === since ? work : undefined;
  }

  /**
   * Runs something that begins at a revision of a conversation, with a signal that is aborted when the conversation goes on without it.
   * @param {string} id
   * @param {number} since
   * @param {(signal: AbortSignal) => Promise<void>} act
   */
  async run(id, since, act) {
    const entry = this.#entry(id);
    const work = (entry.work = { since, controller: new AbortController() });
    try {
      await act(work.controller.signal);
    } finally {
      if (entry.work === work) entry.work = undefined;
      entry.waiting -= 1;
      this.#forget(id, entry);
    }
  }

  /**
   * The conversation went on, with what works on it since this revision: anything else is stopped. Streams look for new lines.
   * @param {string} id
   * @param {number} [since]
   */
  moved(id, since) {
    const entry = this.#entries.get(id);
    if (!entry) return;
    if (entry.work?.since !== since) {
      entry.work?.controller.abort(new DOMException("The conversation went on without this.", "AbortError"));
      entry.work = undefined;
    }
    wake(entry);
  }

  /**
   * Calls `wake` whenever there may be new lines, until the function that this gives is called.
   * @param {string} id
   * @param {() => void} wake
   */
  listen(id, wake) {
    const entry = this.#entry(id);
    entry.listeners.add(wake);
    return () => {
      if (!entry.listeners.delete(wake)) return;
      entry.waiting -= 1;
      this.#forget(id, entry);
    };
  }

  /** How many conversations are in memory. */
  get size() {
    return this.#entries.size;
  }

  /**
   * A conversation in memory; whoever takes it counts in `waiting`.
   * @param {string} id
   * @returns {Entry}
   */
  #entry(id) {
    let entry = this.#entries.get(id);
    if (!entry) this.#entries.set(id, (entry = { last: Promise.resolve(), waiting: 0, listeners: new Set(), work: undefined, doubt: undefined }));
    entry.waiting += 1;
    return entry;
  }

  /**
   * @param {string} id
   * @param {Entry} entry
   */
  #forget(id, entry) {
    if (entry.waiting === 0 && !entry.doubt) this.#entries.delete(id);
  }
}

/** @type {(entry: Entry) => void} */
const wake = ({ listeners }) => {
  for (const listener of [...listeners]) listener();
};
