// What is wrong with an answer, in the words of the form: on the page, or in a worker where a check takes longer than a frame.
import { Background } from "./background.js";

/**
 * @import { Compiled } from "./background.js"
 * @import { Model, Wrong } from "./model.js"
 */

/** A check that takes longer than this, in milliseconds, may hold up a frame. */
const FRAME = 16;
/** One of less work than this, in units of the work budget, takes long only where the machine is busy. */
const LITTLE = 200_000;

export class Checking {
  /** How long the page was held up by the last check, in milliseconds. */
  cost = 0;
  /** @type {Model} */
  #model;
  /** @type {(violation: Wrong) => string} */
  #say;
  /** @type {Compiled | undefined} */
  #compiled;
  /** @type {Background | undefined} */
  #background;

  /**
   * `say(violation)` gives the sentence of a violation in the language of the form. `compiled` is the schema, `{ module, rest, schema }`, as `Background` takes it.
   * @param {Model} model
   * @param {(violation: Wrong) => string} say
   * @param {Compiled} compiled
   */
  constructor(model, say, compiled) {
    this.#model = model;
    this.#say = say;
    this.#compiled = compiled;
  }

  /**
   * Promises what is wrong; nothing where the text is another by then.
   * @returns {Promise<Wrong[] | undefined>}
   */
  async check() {
    if (!this.#isElsewhere) return this.checkNow();
    this.#background ??= new Background(/** @type {Compiled} */ (this.#compiled));
    const asked = this.#model.asked();
    this.cost = 0;
    const found = await this.#background.violations(asked);
    if (!this.#compiled || !this.#model.isStill(asked)) return undefined;
    if (found !== undefined) return this.#said(JSON.parse(found));
    return Background.isMissing ? this.checkNow() : undefined;
  }

  checkNow() {
    const began = performance.now();
    const found = this.#model.violations();
    this.cost = performance.now() - began;
    return this.#said(found);
  }

  destroy() {
    this.#background?.destroy();
    this.#compiled = undefined;
  }

  get #isElsewhere() {
    return !Background.isMissing && this.#compiled && (this.#background !== undefined || (this.cost > FRAME && this.#model.work > LITTLE));
  }

  /** @param {Wrong[]} found */
  #said(found) {
    return found.map((violation) => ({ ...violation, message: this.#say(violation) }));
  }
}
