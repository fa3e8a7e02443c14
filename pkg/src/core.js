// The headless package: plain values and errors over the bindings of the core, which speak JSON text alone.
// Every entry point calls `bind` with the bindings of its environment.

import { named, RefusalError, RejectionError } from "./core/errors.js";
import { answersText, content, contentOf, eventText, jsonOf, MANY_DIGITS, optionsText, requestText, textsOf, verdictText } from "./core/values.js";
import { Pieces } from "./pieces.js";

/**
 * @import * as Raw from "../build/core/ask_user_core.js"
 * @import * as Core from "../types/core.js"
 * @import { Options } from "./core/values.js"
 */

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
  /**
   * What is refused, as data.
   * @param {() => void} call
   * @returns {Core.Refusal | undefined}
   */
  const refused = (call) => {
    try {
      return void guarded(call);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const { code, message, details } = error;
      return { code, message, ...(details && { details }) };
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
    get isOver() {
      return this.#raw.isOver();
    }
    /** @returns {Core.Asking[]} */
    get approvals() {
      return JSON.parse(this.#raw.approvals());
    }
    /**
     * @param {{ [id: string]: Core.Json }} answers
     * @returns {Core.Asking[]}
     */
    page(answers = {}) {
      // What JSON cannot say would be refused, so it counts as no answer.
      return JSON.parse(guarded(() => this.#raw.page(textsOf(answers).texts)));
    }
    /**
     * @param {{ [id: string]: Core.Json }} answers
     * @returns {string[]}
     */
    toConfirm(answers) {
      const { texts, areAll } = textsOf(answers);
      // What JSON cannot say would be refused, and all answers with it.
      return areAll ? JSON.parse(guarded(() => this.#raw.toConfirm(texts))) : [];
    }
    /**
     * @param {Core.Json} value
     * @param {{ other?: string | boolean, id?: string }} more
     * @returns {Core.Refusal | undefined}
     */
    check(value, { other, id } = {}) {
      return refused(() => this.#raw.check(...content(value, other), id));
    }
    /**
     * @param {string} text
     * @param {{ other?: string | boolean, id?: string }} more
     * @returns {Core.Refusal | undefined}
     */
    checkText(text, { other, id } = {}) {
      return refused(() => this.#raw.check(...contentOf(text, other), id));
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
    answer(value, { other, note, remember = false } = {}) {
      const [text, written] = content(value, other);
      guarded(() => this.#raw.answer(text, written, note, remember));
    }
    /**
     * @param {string} text
     * @param {Core.Beside} more
     * @returns {void}
     */
    answerText(text, { other, note, remember = false } = {}) {
      const [value, written] = contentOf(text, other);
      guarded(() => this.#raw.answer(value, written, note, remember));
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
    typed(text) {
      guarded(() => this.#raw.typed(text));
    }
    /** @param {string} text */
    editor(text) {
      this.typed(text);
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
    /**
     * @param {unknown} request
     * @param {Options} options
     */
    detectDialect: (request, options = {}) => guarded(() => /** @type {Core.Dialect} */ (raw.detectDialect(read(request, options), optionsText(options)))),
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

/** @param {string} [text] */
function parsed(text) {
  return text === undefined ? undefined : JSON.parse(text);
}
