// Checks that run in a worker. Where none can be had, or it ends, that is for the whole page, which then checks by itself.
import { spawn } from "./spawn.js";

/** @import { Asked } from "./model.js" */

/**
 * The compiled module of the validator, what promises its second part, and the text of a schema.
 * @typedef {{ module: WebAssembly.Module, rest?: () => Promise<WebAssembly.Module | undefined>, schema: string }} Compiled
 */

/** How long an answer may take, in milliseconds. A worker may end, or never begin, without a word. */
const LONGEST = 20_000;

/** Whether there is no worker on this page. It is tried once: a policy that forbids workers reports each try. */
let isMissing = !spawn;

export class Background {
  /** @type {Worker | undefined} */
  #worker;
  /**
   * Settled once the worker has the module.
   * @type {Promise<void> | undefined}
   */
  #begun;
  #number = 0;
  /**
   * What is waited for: `resolve` and the time that it has.
   * @type {{ resolve: (violations?: string) => void, late: ReturnType<typeof setTimeout> } | undefined}
   */
  #waiting;

  /** Whether checks can run here. */
  static get isMissing() {
    return isMissing;
  }

  /**
   * `module` is the compiled module of the validator, `rest()` promises its second part, if there is one, `schema` is the text of the schema. Nothing is fetched but the script.
   * @param {Compiled} compiled
   */
  constructor({ module, rest, schema }) {
    try {
      this.#worker = /** @type {() => Worker} */ (spawn)();
      this.#worker.addEventListener("message", ({ data }) => this.#take(data));
      for (const name of ["error", "messageerror"]) this.#worker.addEventListener(name, (event) => this.#lose(event));
      this.#begun = this.#begin(module, rest, schema);
    } catch {
      this.#lose();
    }
  }

  /**
   * Promises what the model says is wrong with a text, as JSON text. Nothing where a later text is asked for meanwhile, or the worker is lost.
   * @param {Asked} asked
   * @returns {Promise<string | undefined> | undefined}
   */
  violations(asked) {
    this.#settle();
    if (isMissing) return undefined;
    this.#number += 1;
    return new Promise((resolve) => {
      this.#waiting = { resolve, late: setTimeout(() => this.#lose(), LONGEST) };
      const message = { ...asked, number: this.#number };
      /** @type {Promise<void>} */ (this.#begun).then(() => this.#worker?.postMessage(message));
    });
  }

  destroy() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#settle();
  }

  /**
   * @param {Compiled["module"]} module
   * @param {Compiled["rest"]} rest
   * @param {string} schema
   */
  async #begin(module, rest, schema) {
    try {
      const second = await rest?.();
      this.#worker?.postMessage({ module, rest: second, schema });
    } catch {
      this.#lose();
    }
  }

  /** @param {{ number: number, violations?: string }} told */
  #take({ number, violations }) {
    if (violations === undefined) this.#lose();
    else if (number === this.#number) this.#settle(violations);
  }

  /** @param {Event} [event] */
  #lose(event) {
    // Nobody has to hear of it.
    event?.preventDefault();
    isMissing = true;
    this.destroy();
  }

  /** @param {string} [violations] */
  #settle(violations) {
    clearTimeout(this.#waiting?.late);
    this.#waiting?.resolve(violations);
    this.#waiting = undefined;
  }
}
