// The headless package: plain values and errors over the bindings of the core, which speak JSON text alone.
// Every entry point calls `bind` with the bindings of its environment.

import { Pieces } from "./pieces.js";

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
  name = "UnresumableError";
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** An event cannot happen in this state of a conversation, which is as it was. */
export class UnexpectedEventError extends Error {
  name = "UnexpectedEventError";
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** A stored conversation could not be read. */
export class UnreadableStateError extends Error {
  name = "UnreadableStateError";
  constructor({ message }) {
    super(message);
  }
}

const OPTIONS = {
  toolCallId: "tool_call_id",
  label: "label",
  source: "source",
  staticAnswers: "static_answers",
  secretAnswers: "secret_answers",
  reuse: "reuse",
  approveAll: "approve_all",
  calls: "calls",
  grants: "grants",
  review: "review",
  turn: "turn",
  drafts: "drafts",
  attached: "attached",
  detached: "detached",
  target: "target",
  targets: "targets",
  nonce: "nonce",
  exclusive: "exclusive",
  detect: "detect",
  replies: "replies",
  expiresAt: "expires_at",
  blocking: "blocking",
  subAgent: "sub_agent",
  limits: "limits",
};

/** The host's options as the core names them, as JSON text. A value that JSON cannot say is the host's own error. */
export function optionsText(options) {
  const named = {};
  for (const [name, value] of Object.entries(options)) {
    if (name === "dialect" || value === undefined || typeof value === "function") continue;
    try {
      named[OPTIONS[name] ?? name] = JSON.parse(strictText(value));
    } catch (error) {
      throw new TypeError(`The option "${name}" must be JSON: ${error.message}.`);
    }
  }
  // Half a character, which JSON.stringify writes as its number, is no JSON text: a name from elsewhere costs nothing else.
  return JSON.stringify(named).replace(/\\(?:(ud[89a-f]..)|.)/g, (all, half) => (half ? "\ufffd" : all));
}

/**
 * A value as JSON text. JSON.stringify writes null for what JSON cannot say (NaN, Infinity, an undefined item, a date that is none), and
 * leaves functions out: this throws instead. A property that is undefined is left out.
 */
function strictText(value) {
  let outermost = true;
  return JSON.stringify(value, function (key, said) {
    const whole = outermost;
    outermost = false;
    const named = whole ? "" : ` at ${JSON.stringify(key)}`;
    if (typeof said === "function" || typeof said === "symbol") throw new NotJson(`a ${typeof said}${named}`);
    if (said === undefined && (whole || Array.isArray(this))) throw new NotJson(`undefined${named}`);
    if ((typeof said === "number" || said instanceof Number) && !Number.isFinite(+said)) throw new NotJson(`${said}${named}`);
    if (said === null && this[key] !== null) throw new NotJson(`an invalid ${this[key]?.constructor?.name ?? "value"}${named}`);
    return said;
  });
}

/** What JSON has no value for. */
class NotJson extends TypeError {
  constructor(found) {
    super(`JSON has no value for ${found}`);
  }
}

/**
 * A value as JSON text. Text stays as it is; what JSON cannot say (a cycle, a BigInt, what nests too deeply, a lone surrogate in a text) throws
 * a TypeError.
 */
export function requestText(request) {
  if (typeof request !== "string") {
    try {
      return JSON.stringify(request) ?? "null";
    } catch (error) {
      // The engines have an error each where the stack ends.
      throw /^(Range|Internal)Error$/.test(error?.name) ? new TypeError("it is too large, or nests too deeply, to be written as JSON") : error;
    }
  }
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
  const read = (request, { subAgent, sub_agent = subAgent } = {}) => {
    try {
      return requestText(request);
    } catch (error) {
      // The form of an agent without a user fails, whatever the request is.
      if (sub_agent === true) return "null";
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
    get drafts() {
      return JSON.parse(this.#raw.drafts());
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
    answer(value, more = {}) {
      if (more.other !== true) return this.answerText(answerText(value), more);
      const list = Array.isArray(value);
      const text = list ? value.at(-1) : value;
      return this.answerText(answerText(list ? value.slice(0, -1) : null), { ...more, other: text ?? "" });
    }
    answerText(text, { other, note, remember = false } = {}) {
      const value = other === true ? jsonOf(text) : undefined;
      if (value !== undefined) return this.answer(value, { other, note, remember });
      // Where the text is no JSON, the core says why.
      const written = other === true ? undefined : otherText(other);
      guarded(() => this.#raw.answer(text, written, note, remember));
    }
    answerAll(answers) {
      const text = answersText(answers);
      guarded(() => this.#raw.answerAll(text));
    }
    answers(answers) {
      const text = answersText(answers);
      guarded(() => this.#raw.answers(text));
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
    expire(now) {
      if (!Number.isFinite(now)) throw new TypeError("`now` must be a number of milliseconds since the beginning of 1970, such as `Date.now()`.");
      return this.#raw.expire(now);
    }
    submit() {
      guarded(() => this.#raw.submit());
    }
    change(id) {
      guarded(() => this.#raw.change(id));
    }
    assistant(verdict, record = verdict?.record) {
      const text = verdictText(verdict);
      // Only what is a verdict answers a record; anything else says that there is none.
      if (text !== "null" && typeof record !== "string") {
        throw new RefusalError({ code: "not_allowed", message: "Give the verdict with the record that it answers: the `record` of the consultation." });
      }
      guarded(() => this.#raw.assistant(text, record ?? ""));
    }
    save() {
      return JSON.parse(this.#raw.save());
    }
  }

  class RequestStream {
    #raw;
    #pieces = new Pieces();
    #isEnded = false;
    #isAnew = false;
    /** Why the request was rejected at its end. */
    #rejection;
    #walk;
    /** Whether the form fails whatever the request is, as that of an agent without a user does. */
    #fails;
    constructor(rawWalk, fails) {
      this.#raw = rawWalk;
      this.#walk = new Walk(rawWalk);
      this.#fails = fails;
    }
    get walk() {
      return this.#walk;
    }
    get isAnew() {
      return this.#isAnew;
    }
    write(piece) {
      if (this.#isEnded) throw new TypeError("The request has ended: nothing more can be written.");
      const text = this.#pieces.add(piece);
      if (text) this.#raw.write(text);
    }
    end() {
      if (this.#rejection) throw this.#rejection;
      if (this.#isEnded) return this.#walk;
      this.#isEnded = true;
      try {
        const fault = this.#pieces.end();
        if (fault !== undefined && !this.#fails) throw new RejectionError(JSON.parse(raw.unreadable(fault)));
        this.#isAnew = guarded(() => this.#raw.end());
      } catch (error) {
        this.#rejection = error;
        throw error;
      }
      return this.#walk;
    }
  }

  class Conversation {
    #raw;
    constructor(options = {}) {
      const unknown = Object(options) === options ? Object.keys(options).find((name) => !["attended", "severalOpen"].includes(name)) : undefined;
      if (Object(options) !== options || unknown !== undefined) {
        throw new TypeError(unknown === undefined ? "The options of a conversation must be an object, such as `{ attended: false }`." : `There is no option \`${unknown}\`: a conversation has \`attended\` and \`severalOpen\`.`);
      }
      const { attended = true, severalOpen = false } = options;
      for (const [name, value] of Object.entries({ attended, severalOpen })) {
        if (typeof value !== "boolean") throw new TypeError(`The option \`${name}\` must be true or false.`);
      }
      this.#raw = raw.Conversation.begin(attended, severalOpen);
    }
    static fromJSON(stored) {
      const conversation = new Conversation();
      conversation.#raw.free();
      conversation.#raw = guarded(() => raw.Conversation.read(requestText(stored)));
      return conversation;
    }
    get state() {
      return JSON.parse(this.#raw.state());
    }
    get open() {
      return JSON.parse(this.#raw.open());
    }
    get notice() {
      return JSON.parse(this.#raw.notice());
    }
    endedBy(event) {
      return JSON.parse(guarded(() => this.#raw.endedBy(eventText(event))));
    }
    on(event) {
      return JSON.parse(guarded(() => this.#raw.on(eventText(event))));
    }
    toJSON() {
      return JSON.parse(this.#raw.save());
    }
  }

  class Desk {
    #raw;
    constructor(made) {
      if (!(made instanceof raw.Desk)) throw new TypeError("Make a desk with `Desk.ask` or `Desk.fromJSON`.");
      this.#raw = made;
    }
    static ask(request, { dialect, earlier, ...options } = {}) {
      const call = options.toolCallId ?? options.tool_call_id;
      if (typeof call !== "string" || !call) throw new TypeError("The option `toolCallId` must be a text that is not empty: the id of the call that asks.");
      const before = earlier == null ? undefined : requestText(earlier);
      return guarded(() => new Desk(raw.Desk.ask(call, read(request, options), dialect, optionsText(options), before)));
    }
    static fromJSON(stored) {
      return guarded(() => new Desk(raw.Desk.read(requestText(stored))));
    }
    begun(walk) {
      return guarded(() => new Desk(this.#raw.begun(requestText(walk))));
    }
    get isOpen() {
      return this.#raw.closed() === undefined;
    }
    get closed() {
      return jsonOf(this.#raw.closed() ?? "null") ?? undefined;
    }
    get answer() {
      return jsonOf(this.#raw.answer() ?? "null") ?? undefined;
    }
    get request() {
      const text = this.#raw.request();
      const asked = JSON.parse(text);
      // A number of JavaScript may not hold all digits: the request is its text then.
      const request = MANY_DIGITS.test(text) ? this.toJSON().request : "";
      return MANY_DIGITS.test(request) ? { ...asked, request } : asked;
    }
    secretsIn(input) {
      return guarded(() => this.#raw.secretsIn(eventText(input, "an input of a desk")));
    }
    on(input, now) {
      if (now !== undefined && !Number.isFinite(now)) throw new TypeError("`now` must be a number of milliseconds since the beginning of 1970, such as `Date.now()`.");
      return JSON.parse(guarded(() => this.#raw.on(eventText(input, "an input of a desk"), now)));
    }
    toJSON() {
      return JSON.parse(this.#raw.save());
    }
  }

  const toolDefinitions = (dialect, { subAgent = false } = {}) => JSON.parse(raw.toolDefinitions(dialect, subAgent === true));

  return {
    open: (request, options = {}) =>
      guarded(() => new Walk(raw.open(read(request, options), options.dialect, optionsText(options)))),
    openStream: (options = {}) =>
      guarded(() => new RequestStream(raw.stream(options.dialect, optionsText(options)), (options.sub_agent ?? options.subAgent) === true)),
    resume: (request, saved, options = {}, secrets = {}) =>
      guarded(() => new Walk(raw.resume(read(request, options), requestText(saved), options.dialect, optionsText(options), requestText(secrets)))),
    toolDefinitions,
    toolDefinition: (dialect, name) => toolDefinitions(dialect).find((one) => name === undefined || one.name === name),
    dialects: () => JSON.parse(raw.dialects()),
    registerDialect: (declaration) => guarded(() => raw.registerDialect(requestText(declaration))),
    permission: (tool, kind, options = {}) => guarded(() => JSON.parse(raw.permission(String(tool), String(kind), optionsText(options)))),
    mendRecords: (records) => guarded(() => JSON.parse(raw.mendRecords(requestText(records)))),
    readRecords(lines, beginsTurn = () => false) {
      const text = requestText(lines);
      const list = typeof lines === "string" ? jsonOf(lines) : lines;
      const turns = Array.isArray(list) ? list.flatMap((line, place) => (beginsTurn(line) ? [place] : [])) : [];
      return guarded(() => JSON.parse(raw.readRecords(text, JSON.stringify(turns))));
    },
    recordsMarkdown: (records) => guarded(() => raw.recordsMarkdown(requestText(records))),
    Conversation,
    Desk,
  };
}

/** An event, or an input of a desk, as JSON text. As text it is one already, with every digit of its numbers. */
function eventText(event, what = "an event") {
  try {
    return typeof event === "string" ? event : strictText(event);
  } catch (error) {
    throw new TypeError(`This is not ${what}: ${error.message}.`);
  }
}

function answerText(value) {
  try {
    return strictText(value);
  } catch (error) {
    if (error instanceof NotJson) {
      throw new RefusalError({ code: "wrong_type", message: `${error.message}. Give the answer as a JSON value, or null to leave an optional question empty.` });
    }
    throw new RefusalError({ code: "invalid_json", message: `This answer has no JSON form: ${error.message}.` });
  }
}

/** Answers by question as JSON text; anything but an object is none. */
function answersText(answers) {
  const object = answers !== null && typeof answers === "object" && !Array.isArray(answers);
  const written = ([name, value]) => `${JSON.stringify(name)}:${answerText(value)}`;
  return object ? `{${Object.entries(answers).map(written).join(",")}}` : "null";
}

/** The text in place of an option. */
function otherText(other) {
  if (other === undefined || other === false) return undefined;
  if (typeof other === "string" && (other.isWellFormed?.() ?? true)) return other;
  throw new RefusalError({ code: "wrong_type", message: "Give the text in place of an option as a string, without lone surrogates." });
}

/** A verdict as JSON text. What JSON cannot say is none. */
export function verdictText(verdict) {
  try {
    return strictText(verdict);
  } catch {
    return "null";
  }
}

/** What a JSON text says; undefined where it is none. */
/** So many digits a number of JavaScript may not hold. */
const MANY_DIGITS = /[\d.]{16}/;

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
    case "unexpected":
      return new UnexpectedEventError(error);
    case "unreadable":
      return new UnreadableStateError(error);
    default:
      return new TypeError(error.message);
  }
}
