// A question that a tool asks the person.

/** What a tool gives in place of a result if it asks the person: a request, and the options of the form. */
export class Ask {
  constructor(request, { dialect, ...options } = {}) {
    if (request === undefined) throw new TypeError("Give `ask` a request: what the person is asked.");
    for (const name of ["secretAnswers", "secret_answers"]) {
      // The options go to the page with the question.
      if (name in options) throw new TypeError(`The option "${name}" cannot be used here: clients get the options of a question.`);
    }
    for (const name of ["nonce", "toolCallId", "tool_call_id", "turn"]) {
      if (name in options) throw new TypeError(`The option "${name}" is set by the host.`);
    }
    this.request = request;
    this.dialect = dialect;
    this.options = options;
  }
}
