// The headless package: plain values and errors over the bindings of the core, which speak JSON text alone.
// Every entry point calls `bind` with the bindings of its environment.

import { Pieces } from "./pieces.js";

/**
 * @import * as Raw from "../build/core/ask_user_core.js"
 * @import * as Core from "../types/core.js"
 */

/**
 * The options of a host. They may be named as the core names them.
 * @typedef {Core.Options & { sub_agent?: boolean, tool_call_id?: string }} Options
 */

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
  /** @param {{ code: Core.UnexpectedEventCode, message: string }} fault */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** A stored conversation could not be read. */
export class UnreadableStateError extends Error {
  /** @type {"UnreadableStateError"} */
  name = "UnreadableStateError";
  /** @param {{ message: string }} fault */
  constructor({ message }) {
    super(message);
  }
}

/** @type {{ [name: string]: string }} */
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

/**
 * The host's options as the core names them, as JSON text. A value that JSON cannot say is the host's own error.
 * @param {object} options
 * @returns {string}
 */
export function optionsText(options) {
  /** @type {{ [name: string]: unknown }} */
  const named = {};
  for (const [name, value] of Object.entries(options)) {
    if (name === "dialect" || value === undefined || typeof value === "function") continue;
    try {
      named[OPTIONS[name] ?? name] = JSON.parse(strictText(value));
    } catch (error) {
      throw new TypeError(`The option "${name}" must be JSON: ${/** @type {Error} */ (error).message}.`);
    }
  }
  // Half a character, which JSON.stringify writes as its number, is no JSON text: a name from elsewhere costs nothing else.
  return JSON.stringify(named).replace(/\\(?:(ud[89a-f]..)|.)/g, (all, half) => (half ? "\ufffd" : all));
}

/**
 * A value as JSON text. JSON.stringify writes null for what JSON cannot say (NaN, Infinity, an undefined item, a date that is none), and
 * leaves functions out: this throws instead. A property that is undefined is left out.
 * @param {unknown} value
 * @returns {string}
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
  /** @param {string} found */
  constructor(found) {
    super(`JSON has no value for ${found}`);
  }
}

/**
 * A value as JSON text. Text stays as it is; what JSON cannot say (a cycle, a BigInt, what nests too deeply, a lone surrogate in a text) throws
 * a TypeError.
 * @param {unknown} request
 * @returns {string}
 */
export function requestText(request) {
  if (typeof request !== "string") {
    try {
      return JSON.stringify(request) ?? "null";
    } catch (error) {
      // The engines have an error each where the stack ends.
      throw /^(Range|Internal)Error$/.test(/** @type {Error} */ (error)?.name) ? new TypeError("it is too large, or nests too deeply, to be written as JSON") : error;
    }
  }
  if (!(request.isWellFormed?.() ?? true)) throw new TypeError("the text has a lone surrogate");
  return request;
}

/**
 * Makes the package over the bindings of one environment.
 * @param {typeof Raw} raw
 */
export function bind(raw) {
  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  const guarded = (call) => {
    try {
      return call();
    } catch (error) {
      throw typeof error === "string" ? named(JSON.parse(error)) : error;
    }
  };
  /** @type {(request: unknown, options?: Pick<Options, "subAgent" | "sub_agent">) => string} */
  const read = (request, { subAgent, sub_agent = subAgent } = {}) => {
    try {
      return requestText(request);
    } catch (error) {
      // The form of an agent without a user fails, whatever the request is.
      if (sub_agent === true) return "null";
      throw new RejectionError(JSON.parse(raw.unreadable(String(/** @type {Error} */ (error).message ?? error))));
    }
  };

  class Walk {
    /** @type {Raw.Walk} */
    #raw;
    /** @param {Raw.Walk} rawWalk */
    constructor(rawWalk) {
      this.#raw = rawWalk;
    }
    /** @returns {Core.Walk["form"]} */
    get form() {
      return JSON.parse(this.#raw.form());
    }
    /** @returns {Core.Step} */
    get step() {
      return JSON.parse(this.#raw.step());
    }
    /** @returns {Core.Outcome | undefined} */
    get outcome() {
      return parsed(this.#raw.outcome());
    }
    get resultText() {
      return this.#raw.result();
    }
    /** @returns {Core.AuditRecord[]} */
    get records() {
      return this.recordsFrom(0);
    }
    /**
     * @param {number} index
     * @returns {Core.AuditRecord[]}
     */
    recordsFrom(index) {
      return JSON.parse(this.#raw.records(index));
    }
    /** @returns {Core.WalkResponse} */
    get response() {
      return JSON.parse(this.#raw.response());
    }
    /**
     * @param {Core.WalkResponse | string} response
     * @returns {Walk}
     */
    continued(response) {
      return guarded(() => new Walk(this.#raw.continued(requestText(response))));
    }
    /** @returns {Core.Turn} */
    get turn() {
      return JSON.parse(this.#raw.turn());
    }
    /** @returns {Core.Drafts} */
    get drafts() {
      return JSON.parse(this.#raw.drafts());
    }
    get idempotencyKey() {
      return this.#raw.idempotencyKey();
    }
    /** @returns {Core.Consultation | undefined} */
    get consultation() {
      return parsed(this.#raw.consultation());
    }
    /** @returns {Core.Json | undefined} */
    get template() {
      return parsed(this.#raw.template());
    }
    /**
     * @param {Core.Json} value
     * @param {Core.Beside} more
     * @returns {void}
     */
    answer(value, more = {}) {
      if (more.other !== true) return this.answerText(answerText(value), more);
      const list = Array.isArray(value);
      const text = list ? value.at(-1) : value;
      return this.answerText(answerText(list ? value.slice(0, -1) : null), { ...more, other: /** @type {string} */ (text ?? "") });
    }
    /**
     * @param {string} text
     * @param {Core.Beside} more
     * @returns {void}
     */
    answerText(text, { other, note, remember = false } = {}) {
      const value = other === true ? jsonOf(text) : undefined;
      if (value !== undefined) return this.answer(value, { other, note, remember });
      // Where the text is no JSON, the core says why.
      const written = other === true ? undefined : otherText(other);
      guarded(() => this.#raw.answer(text, written, note, remember));
    }
    /** @param {{ [id: string]: Core.Json }} answers */
    answerAll(answers) {
      const text = answersText(answers);
      guarded(() => this.#raw.answerAll(text));
    }
    /** @param {Core.PlainAnswers} answers */
    answers(answers) {
      const text = answersText(answers);
      guarded(() => this.#raw.answers(text));
    }
    /** @param {string} text */
    editor(text) {
      guarded(() => this.#raw.typed(text));
    }
    back() {
      guarded(() => this.#raw.back());
    }
    /** @param {string} [text] */
    reply(text) {
      guarded(() => this.#raw.reply(text));
    }
    endTurn() {
      guarded(() => this.#raw.endTurn());
    }
    /**
     * @param {number} now
     * @returns {boolean}
     */
    expire(now) {
      if (!Number.isFinite(now)) throw new TypeError("`now` must be a number of milliseconds since the beginning of 1970, such as `Date.now()`.");
      return this.#raw.expire(now);
    }
    submit() {
      guarded(() => this.#raw.submit());
    }
    /** @param {string} id */
    change(id) {
      guarded(() => this.#raw.change(id));
    }
    /**
     * @param {Core.Verdict | null | undefined} verdict
     * @param {string} [record]
     */
    assistant(verdict, record = verdict?.record) {
      const text = verdictText(verdict);
      // Only what is a verdict answers a record; anything else says that there is none.
      if (text !== "null" && typeof record !== "string") {
        throw new RefusalError({ code: "not_allowed", message: "Give the verdict with the record that it answers: the `record` of the consultation." });
      }
      guarded(() => this.#raw.assistant(text, record ?? ""));
    }
    /** @returns {Core.SavedWalk} */
    save() {
      return JSON.parse(this.#raw.save());
    }
  }

  class RequestStream {
    /** @type {Raw.Walk} */
    #raw;
    #pieces = new Pieces();
    #isEnded = false;
    #isAnew = false;
    /**
     * Why the request was rejected at its end.
     * @type {unknown}
     */
    #rejection;
    /** @type {Walk} */
    #walk;
    /**
     * Whether the form fails whatever the request is, as that of an agent without a user does.
     * @type {boolean}
     */
    #fails;
    /**
     * @param {Raw.Walk} rawWalk
     * @param {boolean} fails
     */
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
    /** @param {string | ArrayBuffer | ArrayBufferView} piece */
    write(piece) {
      if (this.#isEnded) throw new TypeError("The request has ended: nothing more can be written.");
      const text = this.#pieces.add(piece);
      if (text) this.#raw.write(text);
    }
    /** @returns {Walk} */
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
    /** @type {Raw.Conversation} */
    #raw;
    /** @param {{ attended?: boolean, severalOpen?: boolean }} options */
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
    /**
     * @param {unknown} stored
     * @returns {Conversation}
     */
    static fromJSON(stored) {
      const conversation = new Conversation();
      conversation.#raw.free();
      conversation.#raw = guarded(() => raw.Conversation.read(requestText(stored)));
      return conversation;
    }
    /** @returns {Core.ConversationState} */
    get state() {
      return JSON.parse(this.#raw.state());
    }
    /** @returns {Core.ConversationOpen[]} */
    get open() {
      return JSON.parse(this.#raw.open());
    }
    /** @returns {Core.ConversationNotice} */
    get notice() {
      return JSON.parse(this.#raw.notice());
    }
    /**
     * @param {Core.ConversationEvent | string} event
     * @returns {string[]}
     */
    endedBy(event) {
      return JSON.parse(guarded(() => this.#raw.endedBy(eventText(event))));
    }
    /**
     * @param {Core.ConversationEvent | string} event
     * @returns {Core.ConversationEffect[]}
     */
    on(event) {
      return JSON.parse(guarded(() => this.#raw.on(eventText(event))));
    }
    /** @returns {ReturnType<Core.Conversation["toJSON"]>} */
    toJSON() {
      return JSON.parse(this.#raw.save());
    }
  }

  class Desk {
    /** @type {Raw.Desk} */
    #raw;
    /** @param {Raw.Desk} made */
    constructor(made) {
      if (!(made instanceof raw.Desk)) throw new TypeError("Make a desk with `Desk.ask` or `Desk.fromJSON`.");
      this.#raw = made;
    }
    /**
     * @param {unknown} request
     * @param {Options & { earlier?: Desk | object | null }} options
     * @returns {Desk}
     */
    static ask(request, { dialect, earlier, ...options } = {}) {
      const call = options.toolCallId ?? options.tool_call_id;
      if (typeof call !== "string" || !call) throw new TypeError("The option `toolCallId` must be a text that is not empty: the id of the call that asks.");
      const before = earlier == null ? undefined : requestText(earlier);
      return guarded(() => new Desk(raw.Desk.ask(call, read(request, options), dialect, optionsText(options), before)));
    }
    /**
     * @param {unknown} stored
     * @returns {Desk}
     */
    static fromJSON(stored) {
      return guarded(() => new Desk(raw.Desk.read(requestText(stored))));
    }
    /**
     * @param {Core.SavedWalk} walk
     * @returns {Desk}
     */
    begun(walk) {
      return guarded(() => new Desk(this.#raw.begun(requestText(walk))));
    }
    get isOpen() {
      return this.#raw.closed() === undefined;
    }
    /** @returns {Core.Desk["closed"]} */
    get closed() {
      return jsonOf(this.#raw.closed() ?? "null") ?? undefined;
    }
    /** @returns {Core.Handing | undefined} */
    get answer() {
      return jsonOf(this.#raw.answer() ?? "null") ?? undefined;
    }
    /** @returns {Core.Desk["request"]} */
    get request() {
      const text = this.#raw.request();
      const asked = JSON.parse(text);
      // A number of JavaScript may not hold all digits: the request is its text then.
      const request = MANY_DIGITS.test(text) ? /** @type {{ request: string }} */ (this.toJSON()).request : "";
      return MANY_DIGITS.test(request) ? { ...asked, request } : asked;
    }
    /**
     * @param {Core.DeskInput | string} input
     * @returns {string | undefined}
     */
    secretsIn(input) {
      return guarded(() => this.#raw.secretsIn(eventText(input, "an input of a desk")));
    }
    /**
     * @param {Core.DeskInput | string} input
     * @param {number} [now]
     * @returns {Core.DeskReaction}
     */
    on(input, now) {
      if (now !== undefined && !Number.isFinite(now)) throw new TypeError("`now` must be a number of milliseconds since the beginning of 1970, such as `Date.now()`.");
      return JSON.parse(guarded(() => this.#raw.on(eventText(input, "an input of a desk"), now)));
    }
    /** @returns {object} */
    toJSON() {
      return JSON.parse(this.#raw.save());
    }
  }

  /** @type {(dialect: string, options?: Core.AgentOptions) => Core.ToolDefinition[]} */
  const toolDefinitions = (dialect, { subAgent = false } = {}) => JSON.parse(raw.toolDefinitions(dialect, subAgent === true));

  return {
    /**
     * @param {unknown} request
     * @param {Options} options
     */
    open: (request, options = {}) =>
      guarded(() => new Walk(raw.open(read(request, options), options.dialect, optionsText(options)))),
    /** @param {Options} options */
    openStream: (options = {}) =>
      guarded(() => new RequestStream(raw.stream(options.dialect, optionsText(options)), (options.sub_agent ?? options.subAgent) === true)),
    /**
     * @param {unknown} request
     * @param {Core.SavedWalk | string} saved
     * @param {Options} options
     * @param {Readonly<Record<string, string>>} secrets
     */
    resume: (request, saved, options = {}, secrets = {}) =>
      guarded(() => new Walk(raw.resume(read(request, options), requestText(saved), options.dialect, optionsText(options), requestText(secrets)))),
    toolDefinitions,
    toolDefinition: /** @type {typeof Core.toolDefinition} */ ((/** @type {string} */ dialect, /** @type {string | undefined} */ name) => toolDefinitions(dialect).find((one) => name === undefined || one.name === name)),
    /** @type {() => Core.Dialect[]} */
    dialects: () => JSON.parse(raw.dialects()),
    /** @param {Core.DialectDeclaration | string} declaration */
    registerDialect: (declaration) => guarded(() => /** @type {Core.Dialect} */ (raw.registerDialect(requestText(declaration)))),
    /**
     * @param {string} tool
     * @param {"run" | "deliver" | "tool"} kind
     * @param {Options} options
     * @returns {"granted" | "refused" | "ask" | "denied"}
     */
    permission: (tool, kind, options = {}) => guarded(() => JSON.parse(raw.permission(String(tool), String(kind), optionsText(options)))),
    /**
     * @param {Core.AuditRecord[] | string} records
     * @returns {Core.AuditRecord[]}
     */
    mendRecords: (records) => guarded(() => JSON.parse(raw.mendRecords(requestText(records)))),
    /**
     * @param {readonly unknown[] | string} lines
     * @param {(line: any) => boolean} beginsTurn
     * @returns {Core.RecordStream}
     */
    readRecords(lines, beginsTurn = () => false) {
      const text = requestText(lines);
      const list = typeof lines === "string" ? jsonOf(lines) : lines;
      const turns = Array.isArray(list) ? list.flatMap((line, place) => (beginsTurn(line) ? [place] : [])) : [];
      return guarded(() => JSON.parse(raw.readRecords(text, JSON.stringify(turns))));
    },
    /** @param {Core.AuditRecord[] | string} records */
    recordsMarkdown: (records) => guarded(() => raw.recordsMarkdown(requestText(records))),
    Conversation,
    Desk,
  };
}

/**
 * An event, or an input of a desk, as JSON text. As text it is one already, with every digit of its numbers.
 * @param {unknown} event
 * @param {string} what
 */
function eventText(event, what = "an event") {
  try {
    return typeof event === "string" ? event : strictText(event);
  } catch (error) {
    throw new TypeError(`This is not ${what}: ${/** @type {Error} */ (error).message}.`);
  }
}

/** @param {unknown} value */
function answerText(value) {
  try {
    return strictText(value);
  } catch (error) {
    if (error instanceof NotJson) {
      throw new RefusalError({ code: "wrong_type", message: `${error.message}. Give the answer as a JSON value, or null to leave an optional question empty.` });
    }
    throw new RefusalError({ code: "invalid_json", message: `This answer has no JSON form: ${/** @type {Error} */ (error).message}.` });
  }
}

/**
 * Answers by question as JSON text; anything but an object is none.
 * @param {{ [id: string]: Core.Json }} answers
 */
function answersText(answers) {
  const object = answers !== null && typeof answers === "object" && !Array.isArray(answers);
  /** @type {(entry: [name: string, value: unknown]) => string} */
  const written = ([name, value]) => `${JSON.stringify(name)}:${answerText(value)}`;
  return object ? `{${Object.entries(answers).map(written).join(",")}}` : "null";
}

/**
 * The text in place of an option.
 * @param {unknown} other
 */
function otherText(other) {
  if (other === undefined || other === false) return undefined;
  if (typeof other === "string" && (other.isWellFormed?.() ?? true)) return other;
  throw new RefusalError({ code: "wrong_type", message: "Give the text in place of an option as a string, without lone surrogates." });
}

/**
 * A verdict as JSON text. What JSON cannot say is none.
 * @param {unknown} verdict
 */
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

/**
 * @param {string} text
 * @returns {any}
 */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} [text] */
function parsed(text) {
  return text === undefined ? undefined : JSON.parse(text);
}

/** @param {any} error */
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
