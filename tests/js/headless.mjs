// Plays vectors against the headless package, as a host without a form would.
import { open, resume, RefusalError, RejectionError } from "../../pkg/dist/core.node.js";

/** @import { Options, Walk } from "../../pkg/types/core.js" */

/**
 * What a call gives, or its refusal.
 * @param {() => any} call
 */
function refused(call) {
  try {
    return call();
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
}

export class Headless {
  /** @type {[request: any, options: Options]} */
  arguments = /** @type {any} */ (undefined);
  /** @type {Walk} */
  walk = /** @type {any} */ (undefined);

  /**
   * @param {{ request?: any, text?: string, dialect?: any, options?: any }} asked
   * @returns {Promise<{ rejected?: any[], warnings?: any[] }>}
   */
  async open({ request, text, dialect, options }) {
    this.arguments = [text ?? request, { ...options, dialect }];
    try {
      this.walk = open(...this.arguments);
    } catch (error) {
      if (error instanceof RejectionError) return { rejected: error.problems };
      throw error;
    }
    return { warnings: this.walk.form.warnings };
  }

  /** @returns {Promise<any>} */
  async see() {
    const step = /** @type {any} */ (this.walk.step);
    const question = step.question ?? {};
    return {
      ...step,
      ...question,
      question: question.id ?? null,
      review: step.state === "review",
      back: step.back ?? false,
      options: question.options?.map((/** @type {any} */ { value }) => value) ?? null,
      header: question.header ?? null,
      context: question.context ?? null,
    };
  }

  /**
   * @param {{ [name: string]: any }} action
   * @returns {Promise<any>}
   */
  async act(action) {
    return refused(() => {
      switch (action.do) {
        case "answer": {
          const found = this.walk.check(action.value, action);
          const refusal = refused(() => this.walk.answer(action.value, action));
          // A note that is not taken, or an answer that is not remembered, has reasons of its own.
          if (found?.message !== refusal?.message && !action.note && !action.remember) throw new Error(`\`check\` says ${found?.message}, and the answer hears ${refusal?.message}`);
          return refusal;
        }
        case "editor":
          return this.walk.typed(action.text);
        case "reply":
          return this.walk.reply(action.text);
        case "assistant":
          return this.walk.assistant(action.verdict, this.walk.consultation?.record ?? "");
        case "change":
          return this.walk.change(action.id);
        default:
          return /** @type {any} */ (this.walk)[action.do]();
      }
    });
  }

  async resume() {
    const [request, options] = this.arguments;
    this.walk = resume(request, JSON.stringify(this.walk.save()), options);
  }

  async saved() {
    return JSON.stringify(this.walk.save());
  }

  async ending() {
    const outcome = this.walk.outcome;
    return { outcome, records: this.walk.records };
  }

  async shown() {
    return "";
  }
}
