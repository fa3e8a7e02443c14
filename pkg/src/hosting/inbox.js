// Questions of a program that keeps the control of its agent: it asks, and awaits the answer. Each question has a desk, which decides whether an answer counts. What is
// here stores the desks, tells pages which questions are due, and wakes whoever waits. Knows no HTTP.
import { logged } from "./agent.js";
import { checkedKey, consult, reactionOf, readDesk, remember } from "./desks.js";
import { unguessable } from "./digests.js";
import { Ledger, Stale } from "./ledger.js";
import { checkedOptions } from "./question.js";
import { Refused, StoreFailure, heard, notOpen } from "./refused.js";

/**
 * @import { Closing, ConversationNotice, Desk, DeskReaction, Handing } from "../../types/core.js"
 * @import { InboxAnswer, InboxOptions, InboxQuestion } from "../../types/host.js"
 * @import { Core, Input } from "./desks.js"
 * @import { Found, Kept, NewLine } from "./ledger.js"
 */

/**
 * A question that is open: its desk, as it is stored or in memory.
 * @typedef {{ call: string, expires?: number, desk: any }} Question
 */

/** @typedef {Kept & { questions: Question[] }} Held */

/**
 * What is stored of a closed question.
 * @typedef {{ how: Closing, answer: string, desk: unknown }} Line
 */

/**
 * A question that closes.
 * @typedef {{ call: string, desk: any } & Partial<DeskReaction>} Ending
 */

/** How often the store is asked for what another process has changed, in milliseconds. */
export const POLL = 1_000;

/** The end of the years that a moment can have (RFC 3339). */
const LATEST = Date.UTC(10_000, 0);

/**
 * How a question is closed that this version cannot read.
 * @type {{ [type: string]: Closing }}
 */
const CLOSINGS = { stopped: "turn_ended", overtaken: "overtaken", expired: "expired" };

/** The question was closed before anybody answered it. */
export class QuestionClosedError extends Error {
  /** @type {"QuestionClosedError"} */
  name = "QuestionClosedError";

  /**
   * @param {string} callId
   * @param {Closing} how
   * @param {Handing} [hand]
   */
  constructor(callId, how, hand) {
    super(`The question ${JSON.stringify(callId)} was closed before anybody answered it (${how}).`);
    this.how = how;
    this.resultText = hand?.result ?? null;
    this.result = hand?.result == null ? null : JSON.parse(hand.result);
    this.drafts = hand?.drafts ?? {};
    this.late = hand?.late;
  }
}

/** The call has asked another question. */
export class OtherQuestionError extends Error {
  /** @type {"OtherQuestionError"} */
  name = "OtherQuestionError";

  /** @param {string} callId */
  constructor(callId) {
    super(`The call ${JSON.stringify(callId)} of this conversation has asked another question. Give each question a call id of its own.`);
  }
}

/** @extends {Ledger<{ questions: Question[] }>} */
export class Inbox extends Ledger {
  /** @type {Core} */
  #core;
  /** @type {InboxOptions["assistant"]} */
  #assistant;
  /** @type {string | undefined} */
  #label;
  /** @type {string | undefined} */
  #key;
  /** @type {number} */
  #poll;
  /** @type {InboxOptions["onSecrets"]} */
  #onSecrets;
  /** @type {(error: unknown, context: { id?: string }) => void} */
  #onError;
  /**
   * What was handed over with secrets, by the ids of the answers. It is in no store.
   * @type {Map<string, Handing>}
   */
  #secrets = new Map();

  /**
   * @param {Core} core
   * @param {InboxOptions} options
   */
  constructor(core, { store, assistant, label, key, poll = POLL, onSecrets, onError = logged }) {
    super(core, store, onError);
    this.#core = core;
    this.#assistant = assistant;
    this.#label = label;
    this.#key = checkedKey(key);
    this.#poll = poll;
    this.#onSecrets = onSecrets;
    this.#onError = onError;
  }

  // The program's side.

  /**
   * Asks a question, and promises its answer.
   * @param {InboxQuestion & { signal?: AbortSignal }} question
   * @returns {Promise<InboxAnswer>}
   */
  async ask(question) {
    await this.put(question);
    return this.wait(question.conversation, question.callId, question);
  }

  /**
   * Stores a question. Nothing happens if the same call has asked the same before.
   * @param {InboxQuestion & { signal?: AbortSignal }} question
   * @returns {Promise<void>}
   */
  async put({ conversation: id, callId: call, request, dialect, options = {}, expiresIn, signal }) {
    signal?.throwIfAborted();
    if (!isName(id) || id === "." || id === "..") throw new TypeError("`conversation` must be a text that is not empty and no path, without U+0000 and without half of a surrogate pair.");
    if (!isName(call)) throw new TypeError("`callId` must be a text that is not empty, without U+0000 and without half of a surrogate pair.");
    if (options?.dialect !== undefined) throw new TypeError("Give `dialect` beside `options`, not in it.");
    if (expiresIn !== undefined && !(typeof expiresIn === "number" && expiresIn > 0 && Date.now() + expiresIn < LATEST)) throw new TypeError("`expiresIn` must be a number of milliseconds that is greater than 0 and ends before the year 10000.");
    const all = /** @type {import("../../types/core.js").Options & { toolCallId: string, nonce: string, expires_at?: string }} */ ({ label: this.#label, ...checkedOptions(options), dialect, toolCallId: call, nonce: unguessable() });
    if (expiresIn !== undefined) {
      if ((all.expiresAt ?? all.expires_at ?? undefined) !== undefined) throw new TypeError("Give `expiresIn` or the option `expiresAt`, not both.");
      delete all.expires_at;
      all.expiresAt = new Date(Date.now() + expiresIn).toISOString();
    }
    const asked = this.#core.Desk.ask(request, all);
    if (await this.alone(id, (held) => this.#isThere(id, held, call, asked))) return;
    const walk = this.#core.open(request, all);
    await consult(walk, this.#assistant, signal, (error) => this.#onError(error, { id }));
    signal?.throwIfAborted();
    const desk = asked.begun(walk.save());
    await this.alone(id, async (held) => {
      if (await this.#isThere(id, held, call, desk)) return;
      if (held.revision === undefined) await this.#begin(id, held);
      // Nobody has to be asked: remembered, answered by the assistant, failed, or expired before it was asked.
      const follows = desk.on(desk.isOpen ? { type: "expired", now: Date.now() } : { type: "restored" });
      if (!desk.isOpen) return this.#closes(id, held, [{ call, desk, ...follows }]);
      const question = { call, expires: /** @type {{ expires?: number }} */ (desk.toJSON()).expires, desk };
      return this.#commit(id, held, [...held.questions, question], [{ kind: "state", text: JSON.stringify({ revision: /** @type {number} */ (held.revision) + 1 }) }]);
    });
  }

  /**
   * The answer to a question; undefined while it is open.
   * @param {string} id
   * @param {string} call
   * @returns {Promise<InboxAnswer | undefined>}
   */
  answered(id, call) {
    return this.alone(id, async (held) => {
      if (held.questions.some((one) => one.call === call)) return undefined;
      const line = await this.#closed(id, call);
      if (!line) throw new Refused(404, "no_question", "There is no such question.");
      return this.#answerOf(call, line);
    });
  }

  /**
   * The questions that are open, the oldest first, as pages hear of them.
   * @param {string} id
   */
  waiting(id) {
    return this.alone(id, (held) => this.#due(held));
  }

  /**
   * Closes a question that is not needed any more. False if it is not open.
   * @param {string} id
   * @param {string} call
   * @returns {Promise<boolean>}
   */
  overtake(id, call) {
    return this.alone(id, async (held) => {
      const open = held.questions.filter((one) => one.call === call);
      await this.#ends(id, held, open, "overtaken");
      return open.length > 0;
    });
  }

  // The side of its addresses.

  /**
   * The conversation that a part of an address names; undefined if it names none.
   * @param {string} part
   */
  named(part) {
    try {
      const id = decodeURIComponent(part);
      return isName(id) ? id : undefined;
    } catch {
      return undefined;
    }
  }

  /** Opens to everybody whom the option `authorize` lets in. */
  async opens() {}

  /**
   * Brings what a client does to the desk of its question, and gives what the client hears. Without `call`, it is about the one whose answer has this key, or the only one that is open.
   * @param {string} id
   * @param {string | undefined} call
   * @param {Input & { key?: string }} input
   * @param {string} [body]
   */
  bring(id, call, input, body) {
    let named = call;
    return this.alone(id, async (held) => {
      // What another process has done meanwhile does not change which question it is for.
      const [before] = input.key === undefined ? [] : await this.lines(id, ["response"], { key: JSON.stringify(input.key) });
      const taken = before && JSON.parse(before.text).call;
      named ??= taken ?? (held.questions.length === 1 ? held.questions[0].call : undefined);
      // An answer under a key that was used is compared with the one that was taken under it.
      const question = await this.#question(id, held, taken ?? named);
      if (!question) throw notOpen(named, held.questions.length);
      const desk = readDesk(this.#core, question.desk);
      if (!desk) throw new Refused(500, "unreadable", "This question was stored by another version, which asked it.");
      const given = { ...input, key: input.key ?? null, nonce: input.nonce ?? null, tool_call_id: named ?? null };
      const { reply, ...follows } = await reactionOf(desk, given, body, this.#key, this.clock(id, question.call));
      if (follows.closed) await this.#closes(id, held, [{ ...question, desk, ...follows }]);
      // The person has come further. Nobody is told: the page that saves knows, and others take it up when they come or save.
      else if (follows.store) await this.#commit(id, held, held.questions.map((one) => (one === question ? { ...one, desk } : one)), []);
      return heard(reply);
    }, { comes: { call, type: input.type, key: input.key } });
  }

  /**
   * The person ends the turn at the question of a call, or at all that are open.
   * @param {string} id
   * @param {string} [call]
   * @returns {Promise<void>}
   */
  stop(id, call) {
    return this.alone(id, async (held) => {
      const open = held.questions.filter((one) => call === undefined || one.call === call);
      if (open.length === 0) throw notOpen(call);
      await this.#ends(id, held, open, "stopped");
    });
  }

  /**
   * What happened after a place, as one line: how questions were closed. And what is due now.
   * @param {string} id
   * @param {number} after
   * @returns {Promise<{ lines: Found[], now: ConversationNotice | undefined }>}
   */
  async heard(id, after) {
    // Most looks find nothing new: what is due is not read for them.
    if (after !== 0 && (await this.lines(id, ["state"], { after })).length === 0) return { lines: [], now: undefined };
    return this.alone(id, async (held) => {
      // Another process may have gone on since this one has read what is due.
      const known = (await this.lines(id, ["state"], { after })).filter(({ text }) => JSON.parse(text).revision <= /** @type {number} */ (held.revision));
      // A client that begins knows no question that could be closed.
      const closed = after === 0 ? [] : known.map(({ text }) => JSON.parse(text).closed).filter(Boolean);
      const requests = this.#due(held);
      const now = /** @type {ConversationNotice} */ (requests.length ? { type: "awaiting_user_response", requests } : { type: "idle" });
      return { lines: known.slice(-1).map((line) => ({ ...line, text: JSON.stringify(closed.length ? { closed } : {}) })), now };
    });
  }

  /**
   * @param {ConversationNotice} state
   * @param {ConversationNotice | undefined} now
   * @returns {ConversationNotice}
   */
  asOfNow(state, now) {
    return { ...now, ...state };
  }

  // What both sides share.

  /**
   * Does something with a conversation while nothing else does. Before, what has expired is closed; after it where an answer comes (`comes`), which its desk then keeps as a draft.
   * @template T
   * @param {string} id
   * @param {(held: Held) => T | Promise<T>} act
   * @param {{ comes?: import("./ledger.js").Comes }} [more]
   * @returns {Promise<T>}
   */
  alone(id, act, { comes } = {}) {
    const run = () =>
      super.alone(id, async (held) => {
        const expire = () => this.#ends(id, held, held.questions.filter(({ call, expires }) => /** @type {number} */ (expires) <= this.clock(id, call)), "expired");
        let isFailed = false;
        if (!comes) await expire();
        try {
          return await act(held);
        } catch (error) {
          isFailed = error instanceof StoreFailure;
          throw error;
        } finally {
          // Who has answered hears what came of it, whatever comes of the others. They are looked at again.
          if (comes && !isFailed) await expire().catch((error) => error instanceof Stale || this.#onError(error.cause ?? error, { id }));
          this.wakes(id, Math.min(...held.questions.map(({ expires }) => expires ?? Infinity)));
        }
      });
    return this.keepingTime(id, comes, run);
  }

  /** Closes what has expired since the last process ended, and goes on looking when the others do. */
  resume() {
    return this.resumeEach((id) => this.alone(id, () => undefined));
  }

  /**
   * @param {string} id
   * @param {{ inbox?: 1, questions?: Question[] } | undefined} state
   */
  read(id, state) {
    if (state && !state.inbox) throw new Refused(404, "no_conversation", "This conversation is not one of an inbox.");
    return { questions: state?.questions ?? [] };
  }

  /** Whoever waits looks by itself. */
  async recover() {}

  /**
   * Adds a conversation. Another process may do so at the same time.
   * @param {string} id
   * @param {Held} held
   */
  async #begin(id, held) {
    try {
      await this.create(id, { token: "", state: { inbox: 1, questions: [] } });
    } catch (error) {
      if (!(await this.find(id))) throw error;
    }
    held.revision = 0;
  }

  /**
   * Whether a call has asked this question before.
   * @param {string} id
   * @param {Held} held
   * @param {string} call
   * @param {Desk} asked
   */
  async #isThere(id, held, call, asked) {
    const there = await this.#question(id, held, call);
    if (!there) return false;
    const desk = readDesk(this.#core, there.desk);
    if (desk && sorted(desk.request.request) !== sorted(asked.request.request)) throw new OtherQuestionError(call);
    return true;
  }

  /**
   * What is stored of a closed question.
   * @param {string} id
   * @param {string} call
   * @returns {Promise<Line | undefined>}
   */
  async #closed(id, call) {
    const [line] = await this.lines(id, ["response"], { key: questionKey(call) });
    return line && JSON.parse(line.text);
  }

  /**
   * What is stored of a question, open or closed.
   * @param {string} id
   * @param {Held} held
   * @param {string} [call]
   * @returns {Promise<any>}
   */
  async #question(id, held, call) {
    return held.questions.find((one) => one.call === call) ?? (call === undefined ? undefined : this.#closed(id, call));
  }

  /**
   * What a page needs to show the questions that are open. One that this version cannot read is none of them.
   * @param {Held} held
   * @returns {Desk["request"][]}
   */
  #due(held) {
    return /** @type {Desk["request"][]} */ (held.questions.map(({ desk }) => readDesk(this.#core, desk)?.request).filter(Boolean));
  }

  /**
   * Closes questions with an input that has no further fields.
   * @param {string} id
   * @param {Held} held
   * @param {Question[]} questions
   * @param {"stopped" | "overtaken" | "expired"} type
   */
  async #ends(id, held, questions, type) {
    if (questions.length === 0) return;
    const closing = questions.map(({ call, desk: stored }) => {
      const desk = readDesk(this.#core, stored);
      return { call, desk: desk ?? stored, closed: CLOSINGS[type], ...desk?.on({ type }) };
    });
    await this.#closes(id, held, closing);
  }

  /**
   * Stores how questions were closed, for whoever waits and for pages.
   * @param {string} id
   * @param {Held} held
   * @param {Ending[]} closing
   */
  async #closes(id, held, closing) {
    /** @type {NewLine[]} */
    const lines = [];
    /** @type {[answer: string, hand: Handing][]} */
    const handed = [];
    for (const { call, desk, closed: how = desk.closed.how, hand } of closing) {
      const answer = unguessable();
      if (hand) {
        // Handing over is storing it: whoever waits looks there.
        desk.on({ type: "handed" });
        lines.push(...hand.records.map((record) => ({ kind: /** @type {const} */ ("record"), text: JSON.stringify(record) })));
        if (Object.keys(hand.secrets).length) {
          await this.#onSecrets?.({ conversation: id, callId: call, id: answer, secrets: hand.secrets });
          handed.push([answer, hand]);
        }
      }
      const key = desk.closed?.key ?? undefined;
      lines.push({ kind: "response", key: questionKey(call), text: JSON.stringify({ how, answer, desk }) });
      if (key !== undefined) lines.push({ kind: "response", key: JSON.stringify(key), text: JSON.stringify({ call }) });
      // Nobody has heard of a question that was answered without a person.
      const wasOpen = held.questions.some((one) => one.call === call);
      if (wasOpen) lines.push({ kind: "state", text: JSON.stringify({ revision: /** @type {number} */ (held.revision) + 1, closed: { tool_call_id: call, how, key } }) });
    }
    const others = held.questions.filter(({ call }) => !closing.some((one) => one.call === call));
    await this.#commit(id, held, others, lines, () => handed.forEach(([answer, hand]) => remember(this.#secrets, answer, hand)));
  }

  /**
   * @param {string} id
   * @param {Held} held
   * @param {Question[]} questions
   * @param {NewLine[]} lines
   * @param {() => void} [then]
   */
  async #commit(id, held, questions, lines, then) {
    // What does not expire needs nobody who looks.
    const isOpen = questions.some(({ expires }) => expires !== undefined);
    await this.commit(id, held, { state: { inbox: 1, questions }, isOpen, lines }, then);
    held.questions = questions;
  }

  /**
   * @param {string} call
   * @param {Line} line
   * @returns {InboxAnswer}
   */
  #answerOf(call, { how, answer: id, desk: stored }) {
    const known = this.#secrets.get(id);
    const hand = known ?? readDesk(this.#core, stored)?.answer;
    if (!hand || hand.outcome.ends === "expired") throw new QuestionClosedError(call, how, hand);
    const { outcome: whole, result, records, turn, drafts } = hand;
    const { secrets: _, ...redacted } = whole;
    const value = result === null ? null : JSON.parse(result);
    return { id, result: value, resultText: result, outcome: known ? whole : redacted, records, turn, drafts, secrets: known?.secrets, isTurnEnded: whole.ends === "turn_ended" };
  }

  /**
   * Waits for the answer to a question that was stored.
   * @param {string} id
   * @param {string} call
   * @param {{ signal?: AbortSignal }} options
   * @returns {Promise<InboxAnswer>}
   */
  async wait(id, call, { signal } = {}) {
    /** @type {(() => void) | undefined} */
    let wake;
    let isDue = true;
    const due = () => {
      isDue = true;
      wake?.();
    };
    const unlisten = this.listen(id, due);
    signal?.addEventListener("abort", due);
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (this.isClosing) throw new DOMException("The inbox was shut down. The question is stored: ask again with the same call id.", "AbortError");
        isDue = false;
        const answer = await this.persistently(() => this.answered(id, call), signal).catch((error) => {
          if (!(this.isClosing && error instanceof StoreFailure)) throw error;
          isDue = true;
        });
        if (answer) return answer;
        if (isDue) continue;
        const polling = this.#poll && setTimeout(due, this.#poll);
        await new Promise((resolve) => (wake = /** @type {() => void} */ (resolve)));
        clearTimeout(polling);
      }
    } finally {
      signal?.removeEventListener("abort", due);
      unlisten();
    }
  }
}

/**
 * Whether a text can name a conversation or a call: databases store no U+0000 and no half of a surrogate pair.
 * @type {(text: unknown) => boolean}
 */
const isName = (text) => typeof text === "string" && /^[^\0\ud800-\udfff]+$/u.test(text);

/**
 * Under which key a closed question is stored: no key of a client is a list.
 * @type {(call: string) => string}
 */
const questionKey = (call) => JSON.stringify(["question", call]);

/**
 * A request as JSON text, whatever the order of its keys.
 * @param {unknown} value
 */
function sorted(value) {
  const isObject = (/** @type {unknown} */ one) => one !== null && typeof one === "object" && !Array.isArray(one);
  return JSON.stringify(value, (_, one) => (isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one));
}
