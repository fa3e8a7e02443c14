// Something that is done later, once: the end of a form that can be undone, a rejection that waits.

/** It is done after a time, or sooner by `now`, unless it is called off. */
export class Delayed {
  /** @type {(() => void) | undefined} */
  #act;
  /** @type {ReturnType<typeof setTimeout>} */
  #timer;

  /**
   * @param {() => void} act
   * @param {number} wait in milliseconds
   */
  constructor(act, wait) {
    this.#act = act;
    this.#timer = setTimeout(() => this.now(), wait);
  }

  /** Does it at once, if it was not done yet. */
  now() {
    const act = this.#act;
    this.cancel();
    act?.();
  }

  /** Calls it off. */
  cancel() {
    clearTimeout(this.#timer);
    this.#act = undefined;
  }
}
