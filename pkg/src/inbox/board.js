// All questions of all agents, over one inbox of `ask-user/host`: each question is a conversation of its own, so that no agent can see what another one asks. Knows no HTTP.
import { doneIn, giverOf, noteOf } from "./devices.js";
import { unguessable } from "./folder.js";
import { grantsIn, keepersOf } from "./grants.js";
import { answersOf, cut, firstLine, shortened } from "./listed.js";
import { Questions } from "./questions.js";
import { sha256, shownIn } from "./receipts.js";
import { webhookOf } from "./webhook.js";

/**
 * @import { Dialect, Question } from "../../types/core.js"
 * @import { Inbox, InboxAnswer, Store } from "../../types/host.js"
 * @import { Core } from "../hosting/desks.js"
 * @import { Kept } from "./devices.js"
 * @import { Device } from "./folder.js"
 * @import { Granted, Keeper } from "./grants.js"
 * @import { Asked } from "./notify.js"
 * @import { Answered, Receipt, Said } from "./receipts.js"
 * @import { Called } from "./webhook.js"
 */

/**
 * What of the headless package the board needs.
 * @typedef {Pick<Core, "open" | "RejectionError">} Opening
 */

/**
 * How a question that is closed ended.
 * @typedef {"answered" | "replied" | "declined" | "turn_ended" | "expired" | "closed" | "failed"} How
 */

/**
 * A question in the list: what is known since it was asked; and once it is closed, how it ended.
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} [who]
 * @property {string} [folder]
 * @property {number} at
 * @property {number} [expires]
 * @property {string} [owner] A hash.
 * @property {string} text
 * @property {number} count
 * @property {boolean} danger
 * @property {boolean} approval
 * @property {Dialect} [dialect]
 * @property {string} [webhook]
 * @property {boolean} [called] Its webhook is not called any more.
 * @property {boolean} [given] Its answer was written to its program, which may not have read it.
 * @property {Kept | null} [kept] Who has kept its walk.
 * @property {boolean} [dropped]
 * @property {How} [how]
 * @property {number} [closed]
 * @property {Answered[]} [answers]
 * @property {string} [by]
 * @property {{ id: string, is_shared?: true }} [device]
 * @property {(Omit<Granted, "rule"> & { kept: Keeper[] })[]} [grants]
 */

/**
 * An entry that has ended.
 * @typedef {Entry & { how: How, closed: number, answers: Answered[] }} Ended
 */

/**
 * A question as a program asks it.
 * @typedef {{ id?: string, request?: unknown, dialect?: Dialect, who?: string, folder?: string, owner?: string, expires_in?: number, approval?: boolean, webhook?: string }} Put
 */

/**
 * Where a question stands.
 * @typedef {{ id: string, state: "open" | How, result_text?: string, reply?: string, explanation?: string, secrets?: { [question: string]: string } }} State
 */

/**
 * The same in a list.
 * @typedef {State & { question: string, asked_at: string, approval?: boolean, given?: boolean }} Listed
 */

/**
 * What the board needs.
 * @typedef {object} Options
 * @property {Opening} core
 * @property {Inbox} inbox
 * @property {Store} store
 * @property {(asked: Asked) => void} [asked]
 * @property {(entry: Called) => void} [ended]
 * @property {(said: Said) => Receipt} sign
 * @property {(error: unknown) => void} onError
 */

/** How many questions may be open. An agent that asks without end is told so. */
const MOST_OPEN = 500;
/** How many receipts are found at once, and how many grants are listed. */
const [RECEIPTS, GRANTS] = [50, 200];
/** The call of a question in its conversation. */
const CALL = "question";
/** After how long the end of a question is noted again that could not be stored, in milliseconds. */
const AGAIN = 5_000;
/** How long the sentence of a grant may be in the list. */
const SENTENCE = 2_000;

/** Why a program's question was not taken: an error with a status and a code. */
export class BoardError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {{ tool_result?: unknown }} more
   */
  constructor(status, code, message, more = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

export class Board {
  /** @type {Opening} */
  #core;
  /** @type {Inbox} */
  #inbox;
  /** @type {Questions} */
  #questions;
  /** @type {(asked: Asked) => void} */
  #asked;
  /** @type {(entry: Called) => void} */
  #ended;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /**
   * What notes the ends of questions, by question.
   * @type {Map<string, Promise<void>>}
   */
  #watching = new Map();
  #instance = unguessable();
  #changes = 0;
  /** @type {(said: Said) => Receipt} */
  #sign;
  /** @type {(error: unknown) => void} */
  #onError;
  /**
   * What devices do with a question just now, and the device whose answer counts, until that is stored; by the question.
   * @type {Map<string, Set<Promise<Response>>>}
   */
  #acts = new Map();
  /** @type {Map<string, Pick<Entry, "by" | "device">>} */
  #counts = new Map();
  /**
   * Questions that their program just closes.
   * @type {Set<string>}
   */
  #dropping = new Set();
  /**
   * What is being kept of a walk, by the question.
   * @type {Map<string, Promise<void>>}
   */
  #keeping = new Map();

  /**
   * `asked` is called with each new question, and `ended` with each that is closed and has a webhook. `sign` makes a receipt of what it says.
   * @param {Options} options
   */
  constructor({ core, inbox, store, asked = () => undefined, ended = () => undefined, sign, onError }) {
    this.#core = core;
    this.#inbox = inbox;
    this.#questions = new Questions(store);
    this.#asked = asked;
    this.#ended = ended;
    this.#sign = sign;
    this.#onError = onError;
  }

  /** Reads what was asked before, and goes on waiting for the answers. */
  async resume() {
    await this.#questions.read();
    for (const entry of this.#questions.all) {
      if (!entry.how) this.#watch(entry);
      else if (wantsCall(entry)) this.#ended(/** @type {Entry & Called} */ (entry));
    }
    return this;
  }

  // The program's side.

  /**
   * Stores a question. The same id with the same request is the same question. Gives its id, and whether it is new.
   * @param {Put} question
   * @returns {Promise<{ id: string, isNew: boolean }>}
   */
  async put({ id = unguessable(), request, dialect, who, folder, owner, expires_in: seconds, approval, webhook }) {
    if (typeof id !== "string" || !/^[\w-]{16,64}$/.test(id)) throw bad('"id" must have 16 to 64 letters, digits, "_" and "-".');
    if (request === undefined) throw bad('"request" is missing.');
    for (const [name, value] of Object.entries({ dialect, who, folder, owner })) {
      if (value !== undefined && (typeof value !== "string" || !value.trim() || value.length > 1_000)) throw bad(`"${name}" must be a text of 1 to 1,000 characters.`);
    }
    if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0 && seconds <= 366 * 86_400)) throw bad('"expires_in" must be a number of seconds, at most a year.');
    if (approval !== undefined && typeof approval !== "boolean") throw bad('"approval" must be true or false.');
    const address = webhook === undefined ? undefined : webhookOf(webhook);
    if (webhook !== undefined && address === undefined) throw bad('"webhook" must be an address of http or https, of at most 2,000 characters, without a name, a password or "#".');
    const known = this.#questions.get(id);
    if (!known && this.open.length >= MOST_OPEN) throw new BoardError(429, "too_many", `${MOST_OPEN} questions are open. Wait until some are answered.`);
    // When it expires, and what is called then, was said when it was asked first.
    const expiresIn = known || seconds === undefined ? undefined : seconds * 1_000;
    // Questions of one turn do not know each other here: no answer can be remembered for the next.
    const options = { reuse: /** @type {const} */ ("none"), ...(who !== undefined && { label: who }) };
    let summary;
    try {
      summary = this.#summary(request, dialect);
      await this.#inbox.put({ conversation: id, callId: CALL, request, dialect, options, expiresIn });
    } catch (/** @type {any} */ error) {
      if (error instanceof this.#core.RejectionError) throw new BoardError(422, "rejected", error.message, { tool_result: error.toolResult });
      if (error.name === "OtherQuestionError") throw new BoardError(409, "other_question", "Another question was asked under this id. Give each question an id of its own.");
      if (error instanceof TypeError) throw bad(error.message);
      throw error;
    }
    if (known) return { id, isNew: false };
    const expires = expiresIn && Date.now() + expiresIn;
    const entry = { id, who, folder, at: Date.now(), expires, owner: owner && sha256(owner), ...summary, approval: summary.approval || approval === true, webhook: address };
    await this.#questions.change(entry);
    this.#watch(entry);
    this.#changed();
    this.#asked({ who, folder: shortened(folder), question: entry.text, open: this.open.length });
    return { id, isNew: true };
  }

  /**
   * Where a question stands: an object with `state`, and with `result_text` where there is a result.
   * @param {string} id
   * @returns {Promise<State>}
   */
  async state(id) {
    this.#known(id);
    return this.#told(id, () => this.#inbox.answered(id, CALL));
  }

  /**
   * The same once the question is closed. Rejects if `signal` is aborted before.
   * @param {string} id
   * @param {AbortSignal} [signal]
   * @returns {Promise<State>}
   */
  async closed(id, signal) {
    this.#known(id);
    return this.#told(id, () => this.#inbox.wait(id, CALL, { signal }));
  }

  /**
   * The program does not need a question any more: it is closed if it is open, and not listed to its owner again. With `ifOpen`, one that is closed already stays listed: its answer was not taken.
   * @param {string} id
   */
  async drop(id, { ifOpen = false } = {}) {
    this.#known(id);
    this.#dropping.add(id);
    try {
      const isClosed = await this.#inbox.close(id, CALL);
      if (isClosed || !ifOpen) await this.#questions.change({ id, dropped: true });
    } finally {
      this.#dropping.delete(id);
    }
    return this.state(id);
  }

  /**
   * The answers to these questions are written to their program next. It may not read them.
   * @param {string[]} ids
   */
  async gives(ids) {
    for (const id of ids) if (!/** @type {Entry} */ (this.#questions.get(id)).given) await this.#questions.change({ id, given: true });
  }

  /**
   * An answer has not come to its program. If it is listed no more, because it seemed to have come, it is listed again.
   * @param {string} id
   * @param {boolean} isListed
   */
  async keeps(id, isListed) {
    if (/** @type {Entry} */ (this.#questions.get(id)).given) await this.#questions.change({ id, given: false, ...(isListed && { dropped: false }) });
  }

  /**
   * The questions of an owner that are open, or whose answers the owner has not taken.
   * @param {string} owner
   * @returns {Promise<Listed[]>}
   */
  async of(owner) {
    const own = this.#questions.all.filter((entry) => entry.owner === sha256(owner) && !entry.dropped);
    /** @type {(entry: Entry) => Omit<Listed, keyof State>} */
    const told = ({ id, text, at, given }) => ({ question: text, asked_at: new Date(at).toISOString(), approval: this.isApproval(id), ...(given && { given }) });
    return Promise.all(own.map(async (entry) => ({ ...told(entry), ...(await this.state(entry.id)) })));
  }

  /**
   * Where a question stands, for its webhook; undefined if the program has its answer, or needs none. No secret is sent.
   * @param {string} id
   */
  async toCall(id) {
    const { secrets: _, ...state } = await this.state(id);
    return wantsCall(/** @type {Entry} */ (this.#questions.get(id))) ? state : undefined;
  }

  /**
   * The webhook of a question is not called any more. `isTaken` is whether the program has the answer.
   * @param {string} id
   * @param {boolean} isTaken
   */
  async hasCalled(id, isTaken) {
    await this.#questions.change({ id, called: true, ...(isTaken && { dropped: true }) });
  }

  // The person's side.

  /** The questions that are open, the oldest first, as the page shows them. */
  get open() {
    return this.#questions.all.filter(({ how }) => !how).map(({ id, who, folder, at, expires, text, count, danger }) => ({ id, who, folder: shortened(folder), at, expires, text, count, danger, approval: this.isApproval(id) }));
  }

  /**
   * Receipts of closed questions that have all these words, the newest first; and how many there are.
   * @param {string} words
   */
  receipts(words = "") {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const closed = /** @type {Ended[]} */ (this.#questions.all.filter(({ how }) => how)).sort((one, other) => other.closed - one.closed);
    const shown = closed.map(({ id, who, folder, closed: at, how, by, text, answers }) => ({ id, who, folder: shortened(folder), at, how, by, text, answers }));
    const found = wanted.length ? shown.filter((one) => hasAll(one, wanted)) : shown;
    return { receipts: found.slice(0, RECEIPTS), found: found.length };
  }

  /** What was granted beyond one call, the newest first, and who keeps it; and how many grants there are. */
  grants() {
    const all = /** @type {(Ended & Required<Pick<Entry, "grants">>)[]} */ (this.#questions.all.filter(({ grants }) => grants)).sort((one, other) => other.closed - one.closed);
    const shown = all.flatMap(({ id, who, folder, closed: at, dropped = false, grants }) => grants.map((grant) => ({ id, who, folder: shortened(folder), at, is_taken: dropped, ...grant })));
    return { grants: shown.slice(0, GRANTS), found: shown.length };
  }

  /**
   * The signed receipt of a closed question.
   * @param {string} id
   */
  async receipt(id) {
    const { who, folder, at, text, how: state, closed, by, device, answers } = await this.#noted(id);
    const records = await this.#inbox.records(id);
    const { result_text: result } = await this.state(id);
    /** @type {(value: string | undefined) => string | undefined} */
    const plain = (value) => value?.toWellFormed();
    return this.#sign({
      question: id,
      who: plain(who),
      folder: plain(folder),
      text: /** @type {string} */ (plain(text)),
      asked_at: new Date(at).toISOString(),
      closed_at: new Date(closed).toISOString(),
      state,
      device: by === undefined ? undefined : { name: by, ...device },
      shown_sha256: sha256(shownIn(records)),
      result_sha256: result === undefined ? undefined : sha256(result),
      answers,
      grants: grantsIn(records),
    });
  }

  /**
   * What was shown of a closed question: the JSON text whose hash the receipt has.
   * @param {string} id
   */
  async shown(id) {
    await this.#noted(id);
    return shownIn(await this.#inbox.records(id));
  }

  /**
   * The entry of a question whose end is noted. A question that was closed a moment ago is waited for.
   * @param {string} id
   * @returns {Promise<Ended>}
   */
  async #noted(id) {
    if ((await this.state(id)).state === "open") throw new BoardError(409, "open", "The question is open. It has a receipt once it is closed.");
    await this.#watching.get(id);
    return /** @type {Ended} */ (this.#questions.get(id));
  }

  /**
   * A device keeps how far it has come: `body` has its walk. `keep` promises the response. Whose walk it is, is noted before, so that no other device is taken for the one that has answered, whenever the inbox is killed.
   * @param {string} id
   * @param {Device} device
   * @param {any} body
   * @param {() => Promise<Response>} keep
   * @returns {Promise<Response>}
   */
  async keep(id, device, body, keep) {
    const turn = (this.#keeping.get(id) ?? Promise.resolve()).then(async () => {
      const { how, kept = null } = /** @type {Entry} */ (this.#questions.get(id));
      const done = doneIn(body);
      // The device that kept it first has done it.
      if (how || done === undefined || done === kept?.done) return keep();
      await this.#questions.change({ id, kept: { done, ...noteOf(device) } });
      const response = await keep();
      if (!response.ok) await this.#questions.change({ id, kept });
      return response;
    });
    const ended = turn.then(() => undefined, () => undefined);
    this.#keeping.set(id, ended);
    ended.then(() => this.#keeping.get(id) === ended && this.#keeping.delete(id));
    return turn;
  }

  /**
   * A device does something with a question. `act` promises the response. If that is one of success, this answer counts: that of this device, or of the one that has kept it.
   * @param {string} id
   * @param {Device} device
   * @param {any} body
   * @param {() => Promise<Response>} act
   */
  async act(id, device, body, act) {
    const acts = this.#acts.get(id) ?? new Set();
    this.#acts.set(id, acts);
    const giver = () => giverOf(device, body, /** @type {Entry} */ (this.#questions.get(id)).kept);
    const done = act().then((response) => {
      // The same answer may come from another device, too. The first one counts.
      if (response.ok && !this.#counts.has(id)) this.#counts.set(id, giver());
      return response;
    });
    acts.add(done);
    try {
      const response = await done;
      // The end was noted by a process that could not know the device, which has sent its answer again.
      const { how, by } = /** @type {Entry} */ (this.#questions.get(id));
      if (response.ok && how && by === undefined && !this.#watching.has(id)) await this.#change({ id, ...giver() }).catch(this.#onError);
      return response;
    } finally {
      acts.delete(done);
      if (!acts.size) this.#acts.delete(id);
      if (!this.#watching.has(id)) this.#counts.delete(id);
    }
  }

  /** @param {Partial<Entry> & { id: string }} entry */
  async #change(entry) {
    await this.#questions.change(entry);
    this.#changed();
  }

  /** Names the list as it is now. It differs from every other name that a list had or will have. */
  get version() {
    return `${this.#instance}-${this.#changes}`;
  }

  /**
   * Whether an answer lets an agent do something, or could: see `put`. One that was stored without saying so counts as one.
   * @param {string} id
   */
  isApproval(id) {
    return this.#questions.get(id)?.approval !== false;
  }

  /** @param {string} id */
  has(id) {
    return this.#questions.get(id) !== undefined;
  }

  /**
   * Calls `hear` whenever the list has changed, until the function that this gives is called.
   * @param {() => void} hear
   */
  listen(hear) {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  #changed() {
    this.#changes += 1;
    for (const hear of [...this.#listeners]) hear();
  }

  /**
   * Notes how a question ends.
   * @param {{ id: string }} entry
   */
  #watch({ id }) {
    this.#watching.set(id, this.#note(id).finally(() => this.#watching.delete(id)));
  }

  /**
   * If the store fails, it tries again.
   * @param {string} id
   */
  async #note(id) {
    for (;;) {
      try {
        const { state } = await this.closed(id);
        // Who has answered is known when the response is.
        await Promise.allSettled(this.#acts.get(id) ?? []);
        const records = await this.#inbox.records(id);
        const grants = grantsIn(records).map(({ decision, scope, shown, rule }) => ({ decision, scope, shown: cut(shown, SENTENCE), kept: keepersOf({ scope, rule }, /** @type {Entry} */ (this.#questions.get(id)).dialect) }));
        await this.#change({ id, how: /** @type {How} */ (state), closed: Date.now(), answers: answersOf(records), ...this.#counts.get(id), ...(grants.length && { grants }) });
        this.#counts.delete(id);
        const entry = /** @type {Entry} */ (this.#questions.get(id));
        if (wantsCall(entry) && !this.#dropping.has(id)) this.#ended(/** @type {Entry & Called} */ (entry));
        return;
      } catch (/** @type {any} */ error) {
        // The process is about to end: the next one looks again.
        if (error.name === "AbortError") return;
        this.#onError(error);
        await new Promise((resolve) => setTimeout(resolve, AGAIN).unref());
      }
    }
  }

  /**
   * Where a question stands, by how its answer comes.
   * @param {string} id
   * @param {() => Promise<InboxAnswer | undefined>} answering
   * @returns {Promise<State>}
   */
  async #told(id, answering) {
    try {
      const answer = await answering();
      if (!answer) return { id, state: "open" };
      const { ends, reply, explanation } = answer.outcome;
      return { id, state: STATES[ends] ?? /** @type {How} */ (ends), result_text: answer.resultText ?? undefined, reply, explanation, secrets: answer.secrets };
    } catch (/** @type {any} */ error) {
      if (error.name !== "QuestionClosedError") throw error;
      return { id, state: STATES[error.how] ?? error.how, result_text: error.resultText ?? undefined };
    }
  }

  /** @param {string} id */
  #known(id) {
    if (!this.has(id)) throw new BoardError(404, "no_question", "There is no such question.");
  }

  /**
   * What the list says of a request: the first line, how many questions it has, and whether its first cannot be undone.
   * @param {unknown} request
   * @param {Dialect | undefined} dialect
   */
  #summary(request, dialect) {
    const walk = this.#core.open(request, { dialect, toolCallId: CALL });
    const { question, questions, message } = /** @type {{ question?: Question, questions?: Question[], message?: string }} */ (walk.step);
    const first = question ?? questions?.[0];
    const text = [message, first?.text].find((one) => one?.trim()) ?? "";
    // Only the first question is known here. What may come after it counts as one that approves something, unless that cannot be.
    const said = typeof request === "string" ? request : JSON.stringify(request);
    const isPlain = PLAIN.includes(walk.form.dialect) || walk.form.questions === 1;
    const approval = !isPlain || first?.type === "approval" || first?.danger === true || DANGER.test(said);
    return { text: firstLine(text), count: walk.form.questions, danger: first?.danger === true, approval, dialect: walk.form.dialect };
  }
}

/**
 * Whether a question has a webhook that is to be called.
 * @type {(entry: Entry) => boolean}
 */
const wantsCall = ({ webhook, how, called, dropped }) => webhook !== undefined && how !== undefined && !called && !dropped;

/** The dialects whose lists of questions have no approval of a call in them. */
const PLAIN = ["ask_user", "ask_user_question", "claude", "mcp"];
/** What a request says in some way that says that an answer cannot be undone. */
const DANGER = /danger|destructive|irreversible|undo/i;

/**
 * How a question ended, in the words of this program's addresses.
 * @type {{ [how: string]: How }}
 */
const STATES = { completed: "answered", overtaken: "closed" };

/** @type {(message: string) => BoardError} */
const bad = (message) => new BoardError(422, "bad_request", message);

/** @type {(receipt: { id: string, who?: string, folder?: string, by?: string, text: string, answers: Answered[] }, words: string[]) => boolean} */
const hasAll = (receipt, words) => {
  const text = JSON.stringify([receipt.who, receipt.folder, receipt.text, receipt.answers, receipt.by]).toLowerCase();
  return words.every((word) => text.includes(word) || receipt.id.toLowerCase() === word);
};
