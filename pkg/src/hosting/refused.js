// Why a host did not do something, as an error with the status and the body that an HTTP client gets.

/** @import { DeskReply } from "../../types/core.js" */

/**
 * Further fields of the body, and headers.
 * @typedef {{ problems?: unknown[], headers?: { [name: string]: string }, [name: string]: unknown }} More
 */

export class Refused extends Error {
  name = "Refused";

  /**
   * `more` has further fields of the body, `headers` those of the response.
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {More} more
   */
  constructor(status, code, message, { problems = [], headers = {}, ...more } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.body = { error: code, message, problems, ...more };
  }
}

/**
 * A body that is not what this address takes.
 * @type {(message: string) => Refused}
 */
export const bad = (message) => new Refused(422, "bad_request", message, { problems: [{ code: "bad_request", message, question: null }] });

/**
 * No question is open that a client could mean, of so many that are.
 * @param {string | undefined} call
 * @param {number} open
 */
export function notOpen(call, open = 0) {
  const none = open > 1 ? `${open} questions are open. Name the call of one in "tool_call_id".` : "No question is open.";
  const what = call === undefined ? none : `The call ${JSON.stringify(call)} is not open. It may have been answered, stopped or overtaken, or it has expired.`;
  return new Refused(409, "not_open", `${what} Nothing was changed.`);
}

/**
 * What a desk replied. Throws it, if it is a refusal.
 * @param {DeskReply | undefined} reply
 * @returns {DeskReply}
 */
export function heard(reply) {
  const { code, status, message, problems, version, walk } = /** @type {DeskReply} */ (reply);
  if (status < 300) return /** @type {DeskReply} */ (reply);
  throw new Refused(status, code, message, { problems, walk, headers: version === undefined ? {} : { ETag: version } });
}

/** The store failed. What was to be stored may or may not be there; the host finds out by itself. */
export class StoreFailure extends Refused {
  /** @override */
  name = "StoreFailure";

  /** @param {unknown} cause */
  constructor(cause) {
    super(503, "store", "The host could not store this. Try again.");
    this.cause = cause;
  }
}
