// Drives conversations: brings what happens to the two state machines of the core, stores what follows in one transaction, and then carries it out. The
// conversation says what runs next, and the desk of a question whether an answer counts. Knows no HTTP.
import { AgentError, jsonText, logged, replied } from "./agent.js";
import { Ask } from "./question.js";
import { answeredBefore, closedBefore, openedBefore } from "./before.js";
import { checkedKey, consult, reactionOf, readDesk, remember } from "./desks.js";
import { digest, unguessable } from "./digests.js";
import { Ledger, Stale } from "./ledger.js";
import { Refused, StoreFailure, bad, heard, notOpen } from "./refused.js";
import { failed, isLate, late, responded, resulted, said, transcript, withoutLast } from "./transcript.js";

/**
 * @import * as Package from "../../types/core.js"
 * @import { HostOptions, Message, Run, Tool } from "../../types/host.js"
 * @import { Core, Desk, Input, StoredDesk } from "./desks.js"
 * @import { Found, Kept, NewLine } from "./ledger.js"
 */

/**
 * What is stored of a conversation: what lasts for the turn, the last closed questions, and the desks of those that are open.
 * @typedef {{ conversation: Package.Conversation, turn: { [name: string]: any }, drafts?: Package.Drafts, asked?: [call: string, nonce: string][], desks: StoredDesk[], since?: number }} State
 */

/** @typedef {{ saved: State, conversation: Package.Conversation, desks?: Map<string, Desk | undefined> }} Read */

/** @typedef {Kept & Read} Held */

/** @typedef {Package.ConversationEvent | string} Event */

/**
 * A result with secrets in it, as JSON text, and the nonce of its question.
 * @typedef {{ nonce: string, text: string }} Secret
 */

/**
 * What follows from an event.
 * @typedef {{ type: "execute", value: Package.ConversationCall } | { type: "request_model", value?: undefined }} Then
 */

/**
 * What is stored with an event.
 * @typedef {{ lines?: NewLine[], records?: Package.AuditRecord[], turn?: object, drafts?: Package.Drafts, desk?: Desk, content?: string | null, secret?: Secret }} More
 */

/**
 * A question that ends because the turn ends elsewhere.
 * @typedef {{ desk: StoredDesk | undefined, records: Package.AuditRecord[], result?: string | null }} Left
 */

/**
 * What came of a tool.
 * @typedef {{ content: string, isError: boolean, event?: undefined } & More | ({ event: Package.ConversationEvent, content?: undefined, isError?: undefined } & Omit<More, "content">)} Ran
 */

/** The desks of how many closed questions are found by the ids of their calls. Each knows the earlier ones of its call. */
const ASKED = 100;
/** What a conversation refuses a model's response for. */
const CALLS = ["duplicate_call", "open_call", "too_many_calls", "unfit_call_id"];

/** What is said to the state machine if the person stops the agent. */
const STOPPED = /** @type {const} */ ({ type: "stopped" });

/** The result of a tool that fails once its question is answered. */
const TOOL_FAILED = JSON.stringify({ error: "tool_failed", message: "The person answered, and the tool failed after that." });

/** @extends {Ledger<Read>} */
export class Conversations extends Ledger {
  /** @type {Core} */
  #core;
  /** @type {HostOptions["agent"]} */
  #agent;
  /** @type {Map<string, Tool | Run>} */
  #tools;
  /** @type {HostOptions["assistant"]} */
  #assistant;
  /** @type {string | undefined} */
  #label;
  /** @type {boolean} */
  #attended;
  /** @type {boolean} */
  #severalOpen;
  /** @type {(error: unknown, context: { id?: string }) => void} */
  #onError;
  /** @type {string | undefined} */
  #key;
  /** @type {Map<string, Package.Dialect>} */
  #asking;
  /**
   * Results with secrets in them, as JSON text, by the nonces of their questions. They are not stored, and the agent gets them in this turn.
   * @type {Map<string, string>}
   */
  #secrets = new Map();

  /**
   * @param {Core} core
   * @param {HostOptions} options
   */
  constructor(core, { store, agent, tools = {}, dialects = ["ask_user"], assistant, label, attended = true, severalOpen = false, onError = logged, key }) {
    super(core, store, onError);
    if (typeof agent !== "function") throw new TypeError("The option `agent` must be a function.");
    if (typeof severalOpen !== "boolean") throw new TypeError("The option `severalOpen` must be true or false.");
    for (const [name, tool] of Object.entries(tools)) {
      if (typeof tool !== "function" && typeof tool?.run !== "function") throw new TypeError(`The tool "${name}" must be a function, or an object with a function \`run\`.`);
    }
    const known = core.dialects();
    const unknown = dialects.find((dialect) => !known.includes(dialect));
    if (unknown !== undefined) throw new TypeError(`There is no dialect "${unknown}". The dialects are: ${known.join(", ")}.`);
    // The tools that ask the person what their arguments say.
    this.#asking = new Map();
    for (const dialect of new Set(dialects)) {
      const definitions = core.toolDefinitions(dialect);
      if (!definitions.length) throw new TypeError(`The dialect "${dialect}" has no tool that a model could call here. Take one with a definition, or ask with \`ask\` and its name.`);
      for (const { name } of definitions) {
        const other = this.#asking.get(name) ?? dialect;
        if (other !== dialect) throw new TypeError(`The tool "${name}" is one of the dialects "${other}" and "${dialect}". Name one of them.`);
        this.#asking.set(name, dialect);
      }
    }
    this.#core = core;
    this.#agent = agent;
    this.#tools = new Map(Object.entries(tools));
    this.#assistant = assistant;
    this.#label = label;
    this.#attended = attended;
    this.#severalOpen = severalOpen;
    this.#onError = onError;
    this.#key = checkedKey(key);
  }

  /**
   * Begins a conversation, and gives its id and the token that opens it.
   * @returns {Promise<{ id: string, token: string }>}
   */
  async create() {
    const [id, token] = [unguessable(), unguessable()];
    const conversation = new this.#core.Conversation({ attended: this.#attended, severalOpen: this.#severalOpen });
    await super.create(id, { token: await digest(token), state: { conversation, turn: {}, desks: [] } });
    return { id, token };
  }

  /**
   * The id that a part of an address has; undefined if it has none.
   * @param {string} part
   */
  named(part) {
    return /^[0-9a-f]{32}$/.test(part) ? part : undefined;
  }

  /**
   * Whether one of these tokens opens a conversation.
   * @param {string} id
   * @param {string[]} tokens
   */
  async opens(id, tokens) {
    const found = await this.find(id);
    if (!found) throw NONE();
    // Digests are compared: how long that takes says nothing of the token.
    const given = await Promise.all(tokens.slice(0, 10).map(digest));
    if (!given.includes(found.token)) throw new Refused(403, "not_yours", "This conversation is opened by the token that it was created with.");
  }

  /** Goes on with every conversation that was open when the last process ended. Those for which the store fails are tried again beside all else. */
  resume() {
    return this.resumeEach((id) => this.#restarted(id));
  }

  /** @param {string} id */
  async #restarted(id) {
    await this.alone(id, async (held) => {
      if (!this.works(id, sinceOf(held))) await this.#advance(id, held, { type: "restarted" });
    });
    // The process ended while a tool made its result of an answer.
    await this.alone(id, (held) => this.#handsOver(id, held));
  }

  /**
   * Hands over what questions were answered with, if that is stored and the agent does not have it yet. The events `then` come with the last, if the agent waits for no other.
   * @param {string} id
   * @param {Held} held
   * @param {Event[]} then
   */
  async #handsOver(id, held, ...then) {
    for (const stored of held.saved.desks) {
      const isLast = held.saved.desks.filter((one) => one.closed || isWaitedFor(one)).length === 1;
      const desk = stored.closed && this.#readable(held, stored);
      const { hand } = desk?.on({ type: "restored" }) ?? {};
      if (hand) await this.#hand(id, held, stored.call, /** @type {Desk} */ (desk), hand, { then: isLast ? then : [] });
    }
  }

  /**
   * The person sends a message. Under a key, it counts once.
   * @param {string} id
   * @param {unknown} text
   * @param {string} [key]
   */
  async message(id, text, key) {
    if (typeof text !== "string" || !text.trim()) throw bad('"text" is missing or empty');
    const own = key === undefined ? undefined : JSON.stringify(["message", key]);
    const seal = JSON.stringify(await digest(text));
    return this.alone(id, async (held) => {
      const before = own === undefined ? undefined : (await this.lines(id, ["response"], { key: own }))[0];
      if (before?.text === seal) return;
      if (before) throw new Refused(409, "sent_differently", "Another message was sent under this key. This one was not sent.");
      /** @type {NewLine[]} */
      const lines = own ? [said(text), { kind: "response", key: own, text: seal }] : [said(text)];
      await this.#advance(id, held, { type: "message" }, { lines });
    });
  }

  /**
   * The person tries the last request to the agent again, which failed.
   * @param {string} id
   * @returns {Promise<void>}
   */
  retry(id) {
    return this.alone(id, async (held) => {
      if (held.conversation.state.state === "idle") {
        const last = (await this.lines(id, ["message"])).at(-1);
        if (!last || JSON.parse(last.text).try_again !== true) throw new Refused(409, "nothing_to_retry", "The last request to the agent did not fail. Send a message.");
      }
      await this.#advance(id, held, { type: "message" });
    });
  }

  /**
   * Brings what a client does to the desk of its question: `input` has the `type` of the input (docs/desk.md) and what is no part of the body, `body` is JSON text. Gives what the
   * client hears. Without `call`, it is about the question that is open, if one is.
   * @param {string} id
   * @param {string | undefined} call
   * @param {Input & { key?: string }} input
   * @param {string} [body]
   * @returns {Promise<Package.DeskReply>}
   */
  bring(id, call, input, body) {
    /** @type {{ call: string | undefined, nonce: string | undefined } | undefined} */
    let first;
    return this.alone(id, async (held) => {
      const { desks } = held.saved;
      // What another process has done meanwhile does not change which question it is for.
      first ??= namesOf(call === undefined && desks.length === 1 ? desks[0] : (desks.find((one) => one.call === call) ?? /** @type {StoredDesk} */ ({ call })));
      const { desk, call: own, isOfKey } = await this.#deskOf(id, held, input.key, first.call);
      if (!desk) throw notOpen(call, desks.length);
      const { call: named, nonce: known } = first;
      const open = namesOf(desks.find((one) => one.call === named));
      const isOther = open.call !== undefined && (isOfKey || open.nonce !== known);
      const nonce = input.nonce ?? (isOther ? first.nonce : null) ?? null;
      const given = { ...input, key: input.key ?? null, nonce, tool_call_id: first.call ?? null };
      const reaction = await reactionOf(desk, given, body, this.#key, this.clock(id, first.call));
      await this.#follow(id, held, /** @type {string} */ (own), desk, reaction);
      return heard(reaction.reply);
    }, { comes: { call, type: input.type, key: input.key } });
  }

  /**
   * The person stops the agent, whatever it does. Open questions are ended as if that was said at a form, also after an answer that was saved and has not been
   * sent: to stop is what the person did last. With `callId`, only if this call is open; if the agent does not wait for it, its question ends, and the agent goes on.
   * @param {string} id
   * @param {string} [callId]
   * @returns {Promise<void>}
   */
  stop(id, callId) {
    return this.alone(id, async (held) => {
      /** @type {(desk: StoredDesk) => boolean} */
      const isOpen = ({ call }) => call === callId;
      const named = held.saved.desks.find(isOpen);
      if (callId !== undefined && !named) throw notOpen(callId);
      // A question that the agent does not wait for ends alone, and the agent goes on.
      if (named && !isWaitedFor(named)) return this.#endsAlone(id, held, named);
      // An answer was taken, and its tool was interrupted: the agent gets that, and is stopped.
      const { desks: before } = held.saved;
      await this.#handsOver(id, held, STOPPED);
      if (before.length > held.saved.desks.length && !held.saved.desks.some(isOpen) && this.#isIdle(held)) return;
      // The others that the agent waits for end with it. One that another version has stored is none of them: the person must get out of it all the same.
      const readable = held.saved.desks.filter((one) => isWaitedFor(one) && this.#readable(held, one));
      const one = readable.find(isOpen) ?? readable[0];
      const desk = one && this.#readable(held, one);
      const reaction = desk?.on(STOPPED);
      if (reaction?.store) await this.#follow(id, held, one.call, /** @type {Desk} */ (desk), reaction);
      else await this.#advance(id, held, STOPPED);
    });
  }

  /**
   * The person ends a question that the agent does not wait for. If its answer is stored already, the agent gets that.
   * @param {string} id
   * @param {Held} held
   * @param {StoredDesk} stored
   */
  async #endsAlone(id, held, stored) {
    const desk = this.#readable(held, stored);
    const hand = stored.closed && desk?.on({ type: "restored" }).hand;
    if (hand) return this.#hand(id, held, stored.call, /** @type {Desk} */ (desk), hand);
    const reaction = desk?.on(STOPPED);
    if (reaction?.store) return this.#follow(id, held, stored.call, /** @type {Desk} */ (desk), reaction);
    return this.#advance(id, held, { type: "closed", call_id: stored.call, how: "turn_ended" });
  }

  /**
   * What to tell a page of the questions that wait for the person, as they stand now; undefined where none waits.
   * @param {string} id
   * @returns {Promise<Package.ConversationNotice | undefined>}
   */
  notice(id) {
    return this.alone(id, ({ conversation: { notice }, saved: { desks } }) => {
      if (!desks.length) return undefined;
      /** @type {<R extends Partial<Package.ConversationRequest>>(one: R) => R} */
      const told = (one) => ({ ...one, version: desks.find(({ call }) => call === one.tool_call_id)?.version });
      return notice.requests ? { ...notice, requests: notice.requests.map(told) } : told(notice);
    });
  }

  /**
   * The state of a conversation, without what is only for the host.
   * @param {string} id
   * @returns {Promise<Package.ConversationNotice>}
   */
  state(id) {
    return this.alone(id, ({ conversation }) => conversation.notice);
  }

  /**
   * The transcript, as the agent sees it.
   * @param {string} id
   * @returns {Promise<Message[]>}
   */
  async messages(id) {
    return transcript(await this.lines(id, ["message"]));
  }

  /**
   * The stored lines that clients hear, after a place, and what the conversation tells of its question now.
   * @param {string} id
   * @param {number} after
   * @returns {Promise<{ lines: Found[], now: Package.ConversationNotice | undefined }>}
   */
  async heard(id, after) {
    const lines = await this.lines(id, ["message", "state"], { after });
    return { lines, now: lines.length ? await this.notice(id) : undefined };
  }

  /**
   * Questions that are still open as the conversation tells them now: the person may have come further.
   * @param {Package.ConversationNotice} state
   * @param {Package.ConversationNotice | undefined} now
   * @returns {Package.ConversationNotice}
   */
  asOfNow(state, now) {
    const open = new Map(requestsOf(now ?? {}).map((one) => [one.tool_call_id, one]));
    /** @type {(one: any) => any} */
    const fresh = (one) => open.get(one.tool_call_id) ?? one;
    if (state.requests) return { ...state, requests: state.requests.map(fresh) };
    return requestsOf(state).length ? { type: state.type, ...fresh(state), closed: state.closed, agent: state.agent } : state;
  }

  /**
   * The desk of a call whose question waits for the person, or whose answer the agent does not have yet.
   * @param {Held} held
   * @param {string | undefined} call
   */
  #open(held, call) {
    const stored = held.saved.desks.find((one) => one.call === call);
    const desk = stored && this.#readable(held, stored);
    if (stored && !desk) throw new Refused(500, "unreadable", "This question was stored by another version, which asked it. Stop the agent to go on.");
    return desk;
  }

  /**
   * A stored desk, if this version can read it.
   * @param {Held} held
   * @param {StoredDesk} stored
   * @returns {Desk | undefined}
   */
  #readable(held, stored) {
    held.desks ??= new Map();
    if (!held.desks.has(stored.call)) held.desks.set(stored.call, readDesk(this.#core, stored));
    return held.desks.get(stored.call);
  }

  /**
   * The desk that something is for, and its call: the one that took an answer under this key (`isOfKey`), or else that of the call.
   * @param {string} id
   * @param {Held} held
   * @param {string | undefined} key
   * @param {string | undefined} call
   * @returns {Promise<{ desk: Desk | undefined, call: string | undefined, isOfKey?: boolean }>}
   */
  async #deskOf(id, held, key, call) {
    const [before] = key === undefined ? [] : await this.#answered(id, key);
    const line = before && JSON.parse(before.text);
    if (line) return { desk: (await this.#stored(id, line)) ?? this.#core.Desk.fromJSON(answeredBefore(line, /** @type {string} */ (key))), call: line.call, isOfKey: true };
    // The agent does not have that answer yet.
    const taken = key === undefined ? undefined : held.saved.desks.find((one) => one.closed?.taken?.key === key);
    if (taken) return { desk: this.#open(held, taken.call), call: taken.call, isOfKey: taken.call !== call };
    return { desk: this.#open(held, call) ?? (await this.#closed(id, held, call)), call };
  }

  /**
   * The desk of the last closed question of a call.
   * @param {string} id
   * @param {Held} held
   * @param {string | undefined} call
   * @returns {Promise<Desk | undefined>}
   */
  async #closed(id, { saved }, call) {
    const [, nonce] = saved.asked?.findLast(([one]) => one === call) ?? [];
    if (nonce === undefined) return undefined;
    const desk = await this.#stored(id, { call, nonce });
    if (desk) return desk;
    const before = await closedBefore(saved, /** @type {string} */ (call), (key) => this.#answered(id, key));
    return before && this.#core.Desk.fromJSON(before);
  }

  /**
   * The line of the answer that was taken under a key.
   * @param {string} id
   * @param {string} key
   */
  #answered(id, key) {
    return this.lines(id, ["response"], { key: JSON.stringify(key) });
  }

  /**
   * The desk of a closed question.
   * @param {string} id
   * @param {{ call: string | undefined, nonce: string | undefined }} names
   */
  async #stored(id, { call, nonce }) {
    const [line] = await this.lines(id, ["response"], { key: deskKey(call, nonce) });
    return line && readDesk(this.#core, line.text);
  }

  /**
   * Does what follows from an input to the desk of a call.
   * @param {string} id
   * @param {Held} held
   * @param {string} call
   * @param {Desk} desk
   * @param {Package.DeskReaction} reaction
   * @returns {Promise<void>}
   */
  async #follow(id, held, call, desk, { store, closed, hand }) {
    // The turn ends with the other questions, too: an answer to one of them that is stored is handed over before.
    if (store && closed === "turn_ended" && isWaitedFor(desk.toJSON())) await this.#handsOver(id, held);
    if (hand) return this.#hand(id, held, call, desk, hand, { isNew: store });
    if (!store) return;
    if (closed) return this.#advance(id, held, { type: "closed", call_id: call, how: closed }, { desk });
    // The person has come further. Nobody is told: the page that saves knows, and others take it up when they come or save.
    held.conversation.on({ type: "walk_saved", call_id: call, walk: /** @type {Package.SavedWalk} */ (desk.request.walk) });
    await this.#keep(id, held, desk);
  }

  /**
   * Stores the desk of an open question.
   * @param {string} id
   * @param {Held} held
   * @param {Desk} desk
   */
  #keep(id, held, desk) {
    return this.#commit(id, held, { ...held.saved, conversation: held.conversation, desks: replaced(held.saved.desks, /** @type {StoredDesk} */ (desk.toJSON())) }, []);
  }

  /**
   * Hands the answer to a question to the agent. If a tool makes its result of it, it is stored before that which answer this is.
   * @param {string} id
   * @param {Held} held
   * @param {string} callId
   * @param {Desk} desk
   * @param {Package.Handing} hand
   * @param {{ isNew?: boolean, then?: Event[] }} more
   */
  async #hand(id, held, callId, desk, hand, { isNew = false, then = [] } = {}) {
    const { call, options } = /** @type {Package.ConversationOpen & { options: { [name: string]: any } }} */ (held.conversation.open.find((one) => one.call.id === callId));
    const { ends } = hand.outcome;
    const isLeft = ends === "turn_ended" || ends === "expired";
    const makesResult = !isLeft && Boolean(/** @type {Partial<Tool> | undefined} */ (this.#tools.get(call.name))?.answered);
    if (isNew && makesResult) await this.#keep(id, held, desk);
    // What is stored and told has no secret, also where the agent's own format has it in the result. Secrets are in `outcome.secrets` alone.
    const redacted = /** @type {Package.Handing} */ (desk.answer);
    const secret = hand.result !== redacted.result && !makesResult ? { nonce: options.nonce, text: /** @type {string} */ (hand.result) } : undefined;
    const outcome = { ...redacted.outcome, ...(Object.keys(hand.secrets).length && { secrets: hand.secrets }) };
    const content = isLeft ? redacted.result : await this.#content(id, call, { ...hand, outcome, result: redacted.result });
    desk.on({ type: "handed" });
    /** @type {(content: string | null) => Promise<void>} */
    const ended = (content) => {
      const result = content === null ? "" : `,"result":${content}`;
      return this.#advance(id, held, [`{"type":"closed","how":"${/** @type {{ how: Package.Closing }} */ (desk.closed).how}","call_id":${JSON.stringify(call.id)}${result}}`, ...then], { ...ofHand(hand, isWaitedFor({ options }) ? hand.turn : askedIn(held.saved.turn, call.id, options, hand)), desk, content, secret });
    };
    try {
      await ended(content);
    } catch (error) {
      // The tool made something that cannot be stored. Nothing has happened yet.
      if (!isUnstorable(error)) throw error;
      this.#onError(error, { id });
      await ended(TOOL_FAILED);
    }
  }

  /**
   * The result of a tool whose questions are answered, as JSON text.
   * @param {string} id
   * @param {Package.ConversationCall} call
   * @param {Pick<Package.Handing, "outcome" | "result" | "key">} hand
   * @returns {Promise<string>}
   */
  async #content(id, call, { outcome, result, key }) {
    const { answered } = /** @type {Partial<Tool>} */ (this.#tools.get(call.name) ?? {});
    if (answered) {
      try {
        return jsonText(await answered(outcome, { id, callId: call.id, input: call.input, key }));
      } catch (error) {
        this.#onError(error, { id });
        return TOOL_FAILED;
      }
    }
    const text = result ?? "null";
    return outcome.explanation ? `{"result":${text},"message":${JSON.stringify(outcome.explanation)}}` : text;
  }

  /**
   * Takes an event, or several: the state machine says what follows, the store keeps it, then it is done. `desk` is the one that they change, `content` the text of the result of its call, or
   * else of the call that runs, with every digit.
   * @param {string} id
   * @param {Held} held
   * @param {Event | Event[]} event
   * @param {More} more
   * @returns {Promise<void>}
   */
  async #advance(id, held, event, { lines = [], records = [], turn, drafts = held.saved.drafts, desk, content, secret } = {}) {
    const { conversation, saved } = held;
    /** @type {NewLine[]} */
    const stored = [...lines, ...recorded(records)];
    const changed = /** @type {StoredDesk | undefined} */ (desk?.toJSON());
    const own = changed?.call ?? /** @type {{ call?: Package.ConversationCall }} */ (conversation.state).call?.id;
    let lasting = joined(saved.turn, turn);
    /** @type {Then | undefined} */
    let then;
    /** @type {Map<string, Left>} */
    const left = new Map();
    for (const one of [event].flat()) {
      // What follows from an event that another one comes after is not done.
      then = undefined;
      for (const call of conversation.endedBy(one)) left.set(call, this.#left(held, saved.desks.find((desk) => desk.call === call)));
      for (const { type, value } of /** @type {{ type: Package.ConversationEffect["type"], value: any }[]} */ (conversation.on(withResults(one, left)))) {
        if (type === "persist_results") {
          /** @type {(result: { call_id: string }) => boolean} */
          const isOwn = ({ call_id: id }) => id === own && typeof content === "string";
          /** @type {(result: Package.ConversationResult) => string} */
          const textOf = (result) => left.get(result.call_id)?.result ?? JSON.stringify(result.content);
          stored.push(...value.map((/** @type {Package.ConversationResult} */ result) => (isOwn(result) ? resulted(result, /** @type {string} */ (content), secret?.nonce) : resulted(result, textOf(result)))));
        } else if (type === "persist_messages") {
          stored.push(...value.map((/** @type {Package.ConversationAnswer} */ answer) => late(answer, answer.call_id === own && typeof content === "string" ? content : JSON.stringify(answer.content))));
        } else if (type === "notify") {
          const closed = [value.closed ?? []].flat().find(({ tool_call_id: call }) => call === own);
          if (closed && desk?.closed?.key) closed.key = desk.closed.key;
          stored.push({ kind: "state", text: JSON.stringify(value) });
        } else if (type === "done") {
          [lasting, drafts] = [{}, undefined];
        } else if (type !== "persist_state") {
          then = { type, value };
        }
      }
    }
    const open = new Set(conversation.open.map(({ call }) => call.id));
    const all = changed ? replaced(saved.desks, changed) : saved.desks;
    /** @type {(desk: StoredDesk) => boolean} */
    const wasOpen = ({ call }) => saved.desks.some((one) => one.call === call);
    const closed = all.filter((one) => !open.has(one.call) && wasOpen(one)).map((one) => (one === changed ? one : (left.get(one.call)?.desk ?? one)));
    stored.push(...recorded([...left.values()].flatMap(({ records }) => records)), ...closed.flatMap(closedLines));
    const calls = closed.map(({ call }) => call);
    const asked = /** @type {[call: string, nonce: string][]} */ ([...(saved.asked ?? []).filter(([call]) => !calls.includes(call)), ...closed.map(namesOf).map(({ call, nonce }) => [call, nonce])].slice(-ASKED));
    // A question that the conversation has not taken is not open either.
    const ended = changed && !open.has(changed.call) ? [...calls, changed.call] : calls;
    await this.#commit(id, held, { conversation, turn: closedIn(lasting, ended), drafts, asked, desks: all.filter(({ call }) => open.has(call)) }, stored, then, secret);
  }

  /**
   * The desk of a question that ends because the turn ends elsewhere, its records, and its result as JSON text. One that this version cannot read is left as it is.
   * @param {Held} held
   * @param {StoredDesk} [stored]
   * @returns {Left}
   */
  #left(held, stored) {
    const desk = stored && this.#readable(held, stored);
    if (!desk) return { desk: stored, records: [] };
    const { hand } = desk.on(STOPPED);
    desk.on({ type: "handed" });
    return { desk: /** @type {StoredDesk} */ (desk.toJSON()), records: hand?.records ?? [], result: desk.answer?.result };
  }

  /**
   * Stores a state and lines, all or nothing, and then does what follows. What runs goes on, unless something else begins or nothing runs any more.
   * @param {string} id
   * @param {Held} held
   * @param {State} next
   * @param {NewLine[]} lines
   * @param {Then} [then]
   * @param {Secret} [secret]
   */
  async #commit(id, held, next, lines, then, secret) {
    const { state } = next.conversation.state;
    const since = then || !WORKING.includes(state) ? undefined : sinceOf(held);
    await this.commit(id, held, { state: { ...next, since }, isOpen: state !== "idle" || next.desks.length > 0, lines, since }, (revision, later) => {
      if (secret) remember(this.#secrets, secret.nonce, secret.text);
      // What another process has changed since may have ended it.
      if (then && (!later || sinceOf(later) === revision)) this.#start(id, revision, then);
    });
    held.saved = { ...next, since };
  }

  /**
   * Does something with a conversation as it is stored, while nothing else does. Before, questions that have expired are closed; where an answer comes (`comes`), the desk of its
   * question does that.
   * @template T
   * @param {string} id
   * @param {(held: Held) => T | Promise<T>} act
   * @param {{ comes?: import("./ledger.js").Comes }} [more]
   * @returns {Promise<T>}
   */
  async alone(id, act, { comes } = {}) {
    const run = () =>
      super.alone(id, async (held) => {
        /** @type {(desk: StoredDesk) => boolean | undefined} */
        const isMeant = ({ call }) => comes && (comes.call ?? call) === call;
        for (const one of held.saved.desks) {
          const now = this.clock(id, one.call);
          if (/** @type {number} */ (one.expires) <= now && !isMeant(one)) await this.#expires(id, held, one, now);
        }
        try {
          return await act(held);
        } finally {
          // One that this version cannot read expires for another one.
          const waiting = held.saved.desks.filter((one) => one.expires !== undefined && this.#readable(held, one)?.isOpen);
          this.wakes(id, Math.min(...waiting.map(({ expires }) => /** @type {number} */ (expires))));
        }
      });
    try {
      return await this.keepingTime(id, comes, run);
    } catch (error) {
      if (error instanceof this.#core.UnexpectedEventError) throw new Refused(409, error.code, error.message);
      throw error;
    }
  }

  /** @param {Held} held */
  #isIdle({ conversation }) {
    return conversation.state.state === "idle";
  }

  /**
   * Closes an open question, whose time is over.
   * @param {string} id
   * @param {Held} held
   * @param {StoredDesk} stored
   * @param {number} now
   */
  async #expires(id, held, stored, now) {
    const desk = this.#readable(held, stored);
    const reaction = desk?.isOpen ? desk.on({ type: "expired", now }) : undefined;
    if (reaction?.store) await this.#follow(id, held, stored.call, /** @type {Desk} */ (desk), reaction);
  }

  /**
   * @param {string} id
   * @param {any} state
   * @returns {Promise<Read>}
   */
  async read(id, state) {
    // It may be one of an inbox.
    if (!state?.conversation) throw NONE();
    const saved = await openedBefore(this.#core, state, (key) => this.#answered(id, key));
    return { saved: /** @type {State} */ (saved), conversation: this.#core.Conversation.fromJSON(saved.conversation) };
  }

  /**
   * An answer that is stored is handed over, also where its client has gone.
   * @param {string} id
   * @param {Held} held
   */
  recover(id, held) {
    return this.#handsOver(id, held);
  }

  /**
   * @param {string} id
   * @param {number} since
   * @param {Then} then
   */
  #start(id, since, { type, value }) {
    this.run(id, since, type === "execute" ? (signal) => this.#execute(id, since, value, signal) : (signal) => this.#request(id, since, signal));
  }

  /**
   * Reports what came of a request to the agent or of a tool, unless the conversation has gone another way since.
   * @param {string} id
   * @param {number} since
   * @param {Event} event
   * @param {More | ((held: Held) => More)} change
   */
  #comes(id, since, event, change) {
    return this.persistently(() =>
      this.alone(id, async (held) => {
        if (sinceOf(held) === since) await this.#advance(id, held, event, typeof change === "function" ? change(held) : change);
      }),
    );
  }

  /**
   * @param {string} id
   * @param {number} since
   * @param {AbortSignal} signal
   */
  async #request(id, since, signal) {
    /** @type {(held: Held) => Promise<{ lines: Found[], unheard: number | undefined }> | undefined} */
    const read = (held) => (sinceOf(held) === since ? this.lines(id, ["message"]).then((lines) => ({ lines, unheard: unheardIn(held) })) : undefined);
    const told = await this.persistently(() => this.alone(id, read));
    if (signal.aborted || !told) return;
    // An answer that has come since is in the next request.
    const messages = transcript(withoutLast(told.lines, told.unheard), this.#secrets);
    const last = messages.slice(messages.findLastIndex((one) => one.role !== "tool" && !isLate(one)) + 1);
    const results = /** @type {import("../../types/host.js").ToolMessage[]} */ (last.filter(({ role }) => role === "tool"));
    /** @type {import("./agent.js").Replied} */
    let reply;
    try {
      reply = replied(await this.#agent({ id, messages, results, signal }));
    } catch (error) {
      if (signal.aborted) return;
      this.#onError(error, { id });
      const line = error instanceof AgentError ? failed(error.message, error.mayTryAgain) : failed("The agent failed. Try again.", true);
      return this.#comes(id, since, { type: "model_failed" }, { lines: [line] });
    }
    try {
      await this.#comes(id, since, { type: "model_responded", calls: /** @type {Package.ConversationCall[]} */ (reply.calls) }, (held) => ({ lines: [responded(reply, unheardIn(held))] }));
    } catch (error) {
      // The model is told why none of its calls ran: they are no calls that a conversation takes, or cannot be stored.
      const fault = CALLS.includes(/** @type {Package.UnexpectedEventError} */ (error).code) ? `${/** @type {Error} */ (error).message} None was run.` : isUnstorable(error) ? `The calls were not run. ${error.message}` : undefined;
      if (fault === undefined) throw error;
      const said = { text: `${reply.text}\n\n${fault}`.trim(), calls: [] };
      await this.#comes(id, since, { type: "model_failed" }, (held) => ({ lines: [responded(said, unheardIn(held))] }));
    }
  }

  /**
   * @param {string} id
   * @param {number} since
   * @param {Package.ConversationCall} call
   * @param {AbortSignal} signal
   */
  async #execute(id, since, call, signal) {
    /** @type {Ran} */
    let ended;
    try {
      ended = await this.#ran(id, call, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StoreFailure) throw error;
      // The model made a mistake in its question: it is told what to mend.
      const isRejection = error instanceof this.#core.RejectionError;
      if (!isRejection) this.#onError(error, { id });
      ended = { content: JSON.stringify(isRejection ? error.toolResult : `The tool ${call.name} failed: ${messageOf(error)}`), isError: true };
    }
    /** @type {(ran: { content?: string, isError?: boolean }) => string} */
    const completed = ({ content, isError }) => `{"type":"tool_completed","call_id":${JSON.stringify(call.id)},"content":${content},"is_error":${isError}}`;
    const { event = completed(ended), ...change } = ended;
    try {
      await this.#comes(id, since, event, change);
    } catch (error) {
      if (!isUnstorable(error)) throw error;
      this.#onError(error, { id });
      const content = JSON.stringify(`The result of ${call.name} cannot be stored. ${error.message}`);
      await this.#comes(id, since, completed({ content, isError: true }), {});
    }
  }

  /**
   * Runs a tool: its result, or the question that it asks.
   * @param {string} id
   * @param {Package.ConversationCall} call
   * @param {AbortSignal} signal
   * @returns {Promise<Ran>}
   */
  async #ran(id, call, signal) {
    const tool = this.#tools.get(call.name);
    const dialect = this.#asking.get(call.name);
    if (!tool && !dialect) {
      const names = [...new Set([...this.#tools.keys(), ...this.#asking.keys()])];
      return { content: JSON.stringify(`There is no tool ${JSON.stringify(call.name)}. The tools are: ${names.join(", ")}.`), isError: true };
    }
    const run = typeof tool === "function" ? tool : tool?.run;
    const came = tool ? await /** @type {Run} */ (run).call(tool, call.input, { id, callId: call.id, signal }) : new Ask(call.input, { dialect });
    if (!(came instanceof Ask)) return { content: jsonText(came), isError: false };
    signal.throwIfAborted();
    const source = tool ? { source: "tool", name: call.name } : { source: "assistant" };
    const earlier = await this.persistently(() => this.alone(id, async (held) => ({ ...held.saved, desk: await this.#closed(id, held, call.id) })));
    const options = /** @type {Package.Options & { toolCallId: string, nonce: string }} */ ({ label: this.#label, source, turn: earlier.turn, drafts: earlier.drafts, ...came.options, dialect: came.dialect, toolCallId: call.id, nonce: unguessable() });
    const asked = this.#core.Desk.ask(came.request, { ...options, earlier: earlier.desk });
    const walk = this.#core.open(came.request, options);
    await consult(walk, this.#assistant, signal, (error) => this.#onError(error, { id }));
    // Nobody hears of an answer after the person has stopped the agent.
    signal.throwIfAborted();
    const desk = asked.begun(walk.save());
    if (desk.isOpen) return { event: /** @type {Package.ConversationEvent} */ ({ type: "question_pending", call_id: call.id, ...desk.request }), desk, turn: { open: { [call.id]: walk.form.questions } } };
    // Nobody has to be asked: remembered, answered by the assistant, or failed.
    const { hand } = /** @type {{ hand: Package.Handing }} */ (desk.on({ type: "restored" }));
    return { content: await this.#content(id, call, hand), isError: hand.outcome.ends === "failed", ...ofHand(hand) };
  }
}

const NONE = () => new Refused(404, "no_conversation", "There is no such conversation.");

/**
 * Under which key the desk of a closed question is stored: no key of a client is a list.
 * @type {(call: string | undefined, nonce: string | undefined) => string}
 */
const deskKey = (call, nonce) => JSON.stringify(["desk", call, nonce]);

/**
 * Whether an error says that a value cannot be written as JSON: it has a circle or a BigInt, or nests too deeply.
 * @type {(error: unknown) => error is Error}
 */
const isUnstorable = (error) => error instanceof TypeError || error instanceof RangeError;

/**
 * What an error says, whatever was thrown.
 * @param {any} error
 */
function messageOf(error) {
  try {
    return String(error?.message ?? error);
  } catch {
    return "It threw a value without a text.";
  }
}

/**
 * How many answers have come as messages since the request to the model.
 * @type {(held: Held) => number | undefined}
 */
const unheardIn = ({ conversation: { state } }) => /** @type {{ unheard?: number }} */ (state).unheard;

/** The states in which the agent or a tool works. */
const WORKING = ["requesting_model", "executing"];

/**
 * At which revision that began which runs. A state does not say it where nothing was stored since.
 * @type {(held: any) => number}
 */
const sinceOf = ({ saved, revision }) => saved.since ?? revision;

/**
 * An event with the results of the questions that end with it, as JSON text with every digit.
 * @param {Event} event
 * @param {Map<string, Left>} left
 * @returns {Event}
 */
function withResults(event, left) {
  const results = [...left].filter(([, { result }]) => typeof result === "string").map(([call, { result }]) => `${JSON.stringify(call)}:${result}`);
  if (!results.length) return event;
  const text = typeof event === "string" ? event : JSON.stringify(event);
  return `${text.slice(0, -1)},"results":{${results}}}`;
}

/**
 * Whether the agent waits for the answer to a question, by its stored desk.
 * @type {(desk: Pick<StoredDesk, "options">) => boolean}
 */
const isWaitedFor = ({ options }) => options?.blocking !== false;

/**
 * The call and the nonce of a stored desk.
 * @type {(desk?: StoredDesk) => { call: string | undefined, nonce: string | undefined }}
 */
const namesOf = ({ call, options } = /** @type {StoredDesk} */ ({})) => ({ call, nonce: options?.nonce });

/**
 * Stored desks, with this one in its place, or behind the others.
 * @type {(desks: StoredDesk[], desk: StoredDesk) => StoredDesk[]}
 */
const replaced = (desks, desk) => (desks.some(({ call }) => call === desk.call) ? desks.map((one) => (one.call === desk.call ? desk : one)) : [...desks, desk]);

/**
 * The lines by which a closed question is found: by its call, and by the key of its answer.
 * @param {StoredDesk} desk
 * @returns {NewLine[]}
 */
function closedLines(desk) {
  const { call, nonce } = namesOf(desk);
  /** @type {NewLine} */
  const line = { kind: "response", key: deskKey(call, nonce), text: JSON.stringify(desk) };
  const key = desk.closed?.taken?.key;
  return key === undefined ? [line] : [line, { kind: "response", key: JSON.stringify(key), text: JSON.stringify({ call, nonce }) }];
}

/** @type {(records: Package.AuditRecord[]) => NewLine[]} */
const recorded = (records) => records.map((record) => ({ kind: "record", text: JSON.stringify(record) }));

/**
 * The questions that a state tells of.
 * @type {(notice: Partial<Package.ConversationNotice>) => any[]}
 */
const requestsOf = ({ requests, ...state }) => requests ?? (state.type === "awaiting_user_response" ? [state] : []);

/**
 * What lasts for a turn, with what came to it: other questions may have brought more since it was handed to this one.
 * @param {{ [name: string]: any }} turn
 * @param {{ [name: string]: any }} [more]
 */
function joined(turn, more = {}) {
  const names = [...new Set([...Object.keys(turn), ...Object.keys(more)])];
  return Object.fromEntries(names.map((name) => [name, { ...turn[name], ...more[name] }]));
}

/**
 * What is stored of an answer besides its result.
 * @type {(hand: Package.Handing, lasting?: object) => Pick<More, "records" | "turn" | "drafts">}
 */
const ofHand = ({ records, turn, drafts }, lasting = turn) => ({ records, turn: lasting, drafts });

/**
 * What a question that the agent does not wait for adds to the turn: how often it was asked, if the turn in which that was is not over.
 * @param {{ [name: string]: any }} lasting
 * @param {string} call
 * @param {{ [name: string]: any } | undefined} options
 * @param {Package.Handing} hand
 */
function askedIn({ open = {} }, call, { turn: before } = {}, { turn: { attempts } }) {
  const asked = Object.entries(attempts).filter(([key, count]) => before?.attempts?.[key] !== count);
  return Object.hasOwn(open, call) ? { attempts: Object.fromEntries(asked) } : {};
}

/**
 * What lasts for a turn once these forms are closed: how often their questions were asked is known.
 * @param {{ [name: string]: any }} turn
 * @param {string[]} calls
 */
function closedIn(turn, calls) {
  if (!turn.open) return turn;
  const open = Object.entries(turn.open).filter(([call]) => !calls.includes(call));
  return { ...turn, open: Object.fromEntries(open) };
}
