// The errors of the headless package, each made of what the core says as data.

/** @import * as Core from "../../types/core.js" */

/** The request of an agent became no form. */
export class RejectionError extends Error {
  /** @type {"RejectionError"} */
  name = "RejectionError";
  /** @param {Core.ToolResult & { kind?: string }} rejection */
  constructor({ kind: _, ...toolResult }) {
    super(toolResult.message);
    this.toolResult = toolResult;
    this.problems = toolResult.problems;
  }
}

/** An action was not taken; the walk is as it was. */
export class RefusalError extends Error {
  /** @type {"RefusalError"} */
  name = "RefusalError";
  /** @param {{ code: Core.RefusalCode, message: string, details?: Core.Violation[], refused?: Core.RefusedAnswer[], total?: number }} refusal */
  constructor({ code, message, details, refused, total }) {
    super(message);
    this.code = code;
    if (details) this.details = details;
    if (refused) this.refused = refused;
    if (refused) this.total = total ?? refused.length;
  }
}

/** A saved walk could not be taken up. */
export class UnresumableError extends Error {
  /** @type {"UnresumableError"} */
  name = "UnresumableError";
  /** @param {{ code: Core.UnresumableCode, message: string }} fault */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** An event cannot happen in this state of a conversation, which is as it was. */
export class UnexpectedEventError extends Error {
  /** @type {"UnexpectedEventError"} */
  name = "UnexpectedEventError";
  /** @param {{ code: Core.UnexpectedEventCode, message: string, call_id?: string }} fault */
  constructor({ code, message, call_id: callId }) {
    super(message);
    this.code = code;
    if (callId !== undefined) this.callId = callId;
  }
}

/** A stored conversation, or a stored desk, could not be read. */
export class UnreadableStateError extends Error {
  /** @type {"UnreadableStateError"} */
  name = "UnreadableStateError";
  /** @param {{ message: string, reason: string }} fault */
  constructor({ message, reason }) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The error of a kind, with its data.
 * @param {any} error
 */
export function named(error) {
  switch (error.kind) {
    case "rejection":
      return new RejectionError(error);
    case "refusal":
      return new RefusalError(error);
    case "unresumable":
      return new UnresumableError(error);
    case "unexpected":
      return new UnexpectedEventError(error);
    case "unreadable":
      return new UnreadableStateError(error);
    default:
      return new TypeError(error.message);
  }
}
