// What an agent and its tools give, checked, and what is said of their errors.

/** @import { Reply } from "../../types/host.js" */

/**
 * What an agent gave, whole.
 * @typedef {{ text: string, raw?: unknown, calls: { id: string, name: string, input: unknown }[] }} Replied
 */

/** An error whose message the person may read. Every other error of an agent is shown as one sentence that says nothing of it. */
export class AgentError extends Error {
  name = /** @type {const} */ ("AgentError");

  /**
   * @param {string} message
   * @param {{ mayTryAgain?: boolean, cause?: unknown }} options
   */
  constructor(message, { mayTryAgain = true, ...options } = {}) {
    super(message, options);
    this.mayTryAgain = mayTryAgain;
  }
}

/**
 * What an agent gave, checked.
 * @param {Reply | string | undefined | null} reply
 * @returns {Replied}
 */
export function replied(reply) {
  const { text = "", calls = [], raw } = typeof reply === "string" ? { text: reply } : reply ?? {};
  if (typeof text !== "string") throw new TypeError("An agent must give its `text` as a string.");
  if (!Array.isArray(calls)) throw new TypeError("An agent must give its `calls` as an array.");
  /** @type {(call: any) => boolean} */
  const isWhole = (call) => typeof call?.id === "string" && typeof call.name === "string";
  if (!calls.every(isWhole)) throw new TypeError("Each call of an agent must have an `id` and a `name`, both strings.");
  return { text, raw, calls: calls.map(({ id, name, input = {} }) => ({ id, name, input })) };
}

/**
 * What is done with errors that nobody else hears of.
 * @param {unknown} error
 * @param {{ id?: string }} context
 */
export function logged(error, { id }) {
  console.error(id === undefined ? "ask-user host:" : `ask-user host, conversation ${id}:`, error);
}

/**
 * The result of a tool as JSON text.
 * @param {unknown} value
 */
export function jsonText(value) {
  const text = JSON.stringify(value === undefined ? null : value);
  if (text === undefined) throw new TypeError("The result of a tool must be a JSON value.");
  return text;
}
