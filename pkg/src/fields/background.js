// Checks that run in a worker. Where none can be had, or it ends, that is for the whole page, which then checks by itself.
import { spawn } from "./spawn.js";

/** How long an answer may take, in milliseconds. A worker may end, or never begin, without a word. */
const LONGEST = 20_000;

/** Whether there is no worker on this page. It is tried once: a policy that forbids workers reports each try. */
let isMissing = !spawn;

export class Background {
  #worker;
  /** Settled once the worker has the module. */
  #begun;
  #number = 0;
  /** What is waited for: `resolve` and the time that it has. */
  #waiting;

  /** Whether checks can run here. */
  static get isMissing() {
    return isMissing;
  }

  /** `module` is the compiled module of the validator, `rest()` promises its second part, if there is one, `schema` is the text of the schema. Nothing is fetched but the script. */
  constructor({ module, rest, schema }) {
    try {
      this.#worker = spawn();
      this.#worker.addEventListener("message", ({ data }) => this.#take(data));
      for (const name of ["error", "messageerror"]) this.#worker.addEventListener(name, (event) => this.#lose(event));
      this.#begun = this.#begin(module, rest, schema);
    } catch {
      this.#lose();
    }
  }

  /** Promises what the model says is wrong with a text, as JSON text. Nothing where a later text is asked for meanwhile, or the worker is lost. */
  violations(asked) {
    this.#settle();
    if (isMissing) return undefined;
    this.#number += 1;
    return new Promise((resolve) => {
      this.#waiting = { resolve, late: setTimeout(() => this.#lose(), LONGEST) };
      const message = { ...asked, number: this.#number };
      this.#begun.then(() => this.#worker?.postMessage(message));
    });
  }

  destroy() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#settle();
  }

  async #begin(module, rest, schema) {
    try {
      const second = await rest?.();
      this.#worker?.postMessage({ module, rest: second, schema });
    } catch {
      this.#lose();
    }
  }

  #take({ number, violations }) {
    if (violations === undefined) this.#lose();
    else if (number === this.#number) this.#settle(violations);
  }

  #lose(event) {
    // Nobody has to hear of it.
    event?.preventDefault();
    isMissing = true;
    this.destroy();
  }

  #settle(violations) {
    clearTimeout(this.#waiting?.late);
    this.#waiting?.resolve(violations);
    this.#waiting = undefined;
  }
}
