// The headless package: plain values and errors over the bindings of the core, which speak JSON text alone.
// Every entry point calls `bind` with the bindings of its environment.

/** The request of an agent became no form. */
export class RejectionError extends Error {
  name = "RejectionError";
  constructor({ kind: _, ...toolResult }) {
    super(toolResult.message);
    this.toolResult = toolResult;
    this.problems = toolResult.problems;
  }
}

/** An action was not taken; the walk is as it was. */
export class RefusalError extends Error {
  name = "RefusalError";
  constructor({ code, message, details }) {
    super(message);
    this.code = code;
    if (details) this.details = details;
  }
}

/** A saved walk could not be taken up. */
export class UnresumableError extends Error {
  name = "UnresumableError";
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

const OPTIONS = {
  toolCallId: "tool_call_id",
  label: "label",
  source: "source",
  staticAnswers: "static_answers",
  reuse: "reuse",
  review: "review",
  turn: "turn",
  attached: "attached",
  detached: "detached",
  target: "target",
  exclusive: "exclusive",
  subAgent: "sub_agent",
  limits: "limits",
};

/** The host's options as the core names them, as JSON text. */
export function optionsText(options) {
  const named = {};
  for (const [name, value] of Object.entries(options)) {
    if (name === "dialect" || value === undefined) continue;
    named[OPTIONS[name] ?? name] = value;
  }
  return JSON.stringify(named);
}

/**
 * A value as JSON text. Text stays as it is; what JSON cannot say (a cycle, a BigInt, a lone surrogate in a text) throws.
 */
export function requestText(request) {
  if (typeof request !== "string") return JSON.stringify(request) ?? "null";
  if (!(request.isWellFormed?.() ?? true)) throw new TypeError("the text has a lone surrogate");
  return request;
}

/** Makes the package over the bindings of one environment. */
export function bind(raw) {
  const guarded = (call) => {
    try {
      return call();
    } catch (error) {
      throw typeof error === "string" ? named(JSON.parse(error)) : error;
    }
  };
  const read = (request) => {
    try {
      return requestText(request);
    } catch (error) {
      throw new RejectionError(JSON.parse(raw.unreadable(String(error.message ?? error))));
    }
  };

  class Walk {
    #raw;
    constructor(rawWalk) {
      this.#raw = rawWalk;
    }
    get form() {
      return JSON.parse(this.#raw.form());
    }
    get step() {
      return JSON.parse(this.#raw.step());
    }
    get outcome() {
      return parsed(this.#raw.outcome());
    }
    get resultText() {
      return this.#raw.result();
    }
    get records() {
      return this.recordsFrom(0);
    }
    recordsFrom(index) {
      return JSON.parse(this.#raw.records(index));
    }
    get response() {
      return JSON.parse(this.#raw.response());
    }
    continued(response) {
      return guarded(() => new Walk(this.#raw.continued(requestText(response))));
    }
    get turn() {
      return JSON.parse(this.#raw.turn());
    }
    get idempotencyKey() {
      return this.#raw.idempotencyKey();
    }
    get consultation() {
      return parsed(this.#raw.consultation());
    }
    get template() {
      return parsed(this.#raw.template());
    }
    answer(value, more) {
      return this.answerText(answerText(value), more);
    }
    answerText(text, { other = false, note, remember = false } = {}) {
      guarded(() => this.#raw.answer(text, other, note, remember));
    }
    editor(text) {
      guarded(() => this.#raw.typed(text));
    }
    back() {
      guarded(() => this.#raw.back());
    }
    reply(text) {
      guarded(() => this.#raw.reply(text));
    }
    endTurn() {
      guarded(() => this.#raw.endTurn());
    }
    submit() {
      guarded(() => this.#raw.submit());
    }
    change(id) {
      guarded(() => this.#raw.change(id));
    }
    assistant(verdict) {
      guarded(() => this.#raw.assistant(verdictText(verdict)));
    }
    save() {
      return JSON.parse(this.#raw.save());
    }
  }

  const toolDefinitions = (dialect) => JSON.parse(raw.toolDefinitions(dialect));

  return {
    open: (request, options = {}) =>
      guarded(() => new Walk(raw.open(read(request), options.dialect, optionsText(options)))),
    resume: (request, saved, options = {}) =>
      guarded(() => new Walk(raw.resume(read(request), requestText(saved), options.dialect, optionsText(options)))),
    toolDefinitions,
    toolDefinition: (dialect, name) => toolDefinitions(dialect).find((one) => name === undefined || one.name === name),
    dialects: () => JSON.parse(raw.dialects()),
    mendRecords: (records) => guarded(() => JSON.parse(raw.mendRecords(requestText(records)))),
    recordsMarkdown: (records) => guarded(() => raw.recordsMarkdown(requestText(records))),
  };
}

function answerText(value) {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    throw new RefusalError({ code: "invalid_json", message: `This answer has no JSON form: ${error.message}.` });
  }
}

/** A verdict as JSON text; what JSON cannot say is none. */
export function verdictText(verdict) {
  try {
    return JSON.stringify(verdict) ?? "null";
  } catch {
    return "null";
  }
}

function parsed(text) {
  return text === undefined ? undefined : JSON.parse(text);
}

function named(error) {
  switch (error.kind) {
    case "rejection":
      return new RejectionError(error);
    case "refusal":
      return new RefusalError(error);
    case "unresumable":
      return new UnresumableError(error);
    default:
      return new TypeError(error.message);
  }
}
