// A question as the host puts it to the person: what is stored of it, so that this process or the next can read an answer again.
import { optionsText } from "../core.js";

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

/** Reads the question of a tool, and stands before its first question. Throws what `open` of the headless package throws. */
export function begun(core, { request, dialect, options }, own) {
  // The same answer to a question that is asked again is another one, by the nonce.
  const wire = JSON.parse(optionsText({ ...own, ...options }));
  const walk = core.open(request, { ...wire, dialect });
  return { walk, question: { request, dialect: walk.form.dialect, options: wire } };
}

/** The walk of a stored question as it was handed out. */
export const handedOut = (core, { request, dialect, options, walk }) => core.resume(request, walk, { ...options, dialect });

/** The walk of a stored question as it went on in a client. */
export const continued = (core, question, response) => handedOut(core, question).continued(response);
