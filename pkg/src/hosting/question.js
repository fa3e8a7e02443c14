// A question that a tool asks the person.

/** @import { Dialect } from "../../types/core.js" */

/** @typedef {{ dialect?: Dialect, [name: string]: any }} Options */

/** What a tool gives in place of a result if it asks the person: a request, and the options of the form. */
export class Ask {
  /**
   * @param {unknown} request
   * @param {Options} options
   */
  constructor(request, { dialect, ...options } = {}) {
    if (request === undefined) throw new TypeError("Give `ask` a request: what the person is asked.");
    this.request = request;
    this.dialect = dialect;
    this.options = checkedOptions(options, ["turn"]);
  }
}

/**
 * Options of a question, without those that are not a program's: `more` names further ones.
 * @param {{ [name: string]: any }} options
 * @param {string[]} more
 * @returns {{ [name: string]: any }}
 */
export function checkedOptions(options, more = []) {
  for (const name of ["secretAnswers", "secret_answers"]) {
    // The options go to the page with the question.
    if (name in options) throw new TypeError(`The option "${name}" cannot be used here: clients get the options of a question.`);
  }
  for (const name of ["nonce", "toolCallId", "tool_call_id", ...more]) {
    if (name in options) throw new TypeError(`The option "${name}" is set by the host.`);
  }
  return options;
}
