// Why a host did not do something, as an error with the status and the body that an HTTP client gets.

export class Refused extends Error {
  name = "Refused";

  /** `more` has further fields of the body, `headers` those of the response. */
  constructor(status, code, message, { problems = [], headers = {}, ...more } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.body = { error: code, message, problems, ...more };
  }
}

/** An answer or a walk that does not fit: one problem, perhaps with the question that it is about. */
export const unfit = (code, message, question = null) => new Refused(422, code, message, { problems: [{ code, message, question }] });

/** A body that is not what this address takes. */
export const bad = (message) => unfit("bad_request", message);

/** The store failed. What was to be stored may or may not be there; the host finds out by itself. */
export class StoreFailure extends Refused {
  name = "StoreFailure";

  constructor(cause) {
    super(500, "store", "The host could not store this. Try again.");
    this.cause = cause;
  }
}
