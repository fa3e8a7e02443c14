// All questions of all agents, over one inbox of `ask-user/host`: each question is a conversation of its own, so that no agent can see what another one asks. Knows no HTTP.
import { homedir } from "node:os";
import { unguessable } from "./folder.js";
import { grantsIn, keepersOf } from "./grants.js";
import { Questions } from "./questions.js";
import { sha256, shownIn } from "./receipts.js";
import { TEXTS } from "./texts.js";

/** How many questions may be open. An agent that asks without end is told so. */
const MOST_OPEN = 500;
/** How many receipts are found at once, and how many grants are listed. */
const [RECEIPTS, GRANTS] = [50, 200];
/** The call of a question in its conversation. */
const CALL = "question";
/** After how long the end of a question is noted again that could not be stored, in milliseconds. */
const AGAIN = 5_000;
/** How long a text in the list may be, and the sentence of a grant. */
const [LONGEST, SENTENCE] = [300, 2_000];

/** Why a program's question was not taken: an error with a status and a code. */
export class BoardError extends Error {
  constructor(status, code, message, more = {}) {
    super(message);
    Object.assign(this, { status, code, more });
  }
}

export class Board {
  #core;
  #inbox;
  #questions;
  #asked;
  #listeners = new Set();
  /** What notes the ends of questions, by question. */
  #watching = new Map();
  #instance = unguessable();
  #changes = 0;
  #sign;
  #onError;
  /** What devices do with a question just now, and the device whose answer counts, until that is stored; by the question. */
  #acts = new Map();
  #counts = new Map();

  /** `asked` is called with each new question. `sign` makes a receipt of what it says. */
  constructor({ core, inbox, store, asked = () => undefined, sign, onError }) {
    this.#core = core;
    this.#inbox = inbox;
    this.#questions = new Questions(store);
    this.#asked = asked;
    this.#sign = sign;
    this.#onError = onError;
  }

  /** Reads what was asked before, and goes on waiting for the answers. */
  async resume() {
    await this.#questions.read();
    for (const entry of this.#questions.all) if (!entry.how) this.#watch(entry);
    return this;
  }

  // The program's side.

  /** Stores a question. The same id with the same request is the same question. Gives its id, and whether it is new. */
  async put({ id = unguessable(), request, dialect, who, folder, owner, expires_in: seconds, approval }) {
    if (typeof id !== "string" || !/^[\w-]{16,64}$/.test(id)) throw bad('"id" must have 16 to 64 letters, digits, "_" and "-".');
    if (request === undefined) throw bad('"request" is missing.');
    for (const [name, value] of Object.entries({ dialect, who, folder, owner })) {
      if (value !== undefined && (typeof value !== "string" || !value.trim() || value.length > 1_000)) throw bad(`"${name}" must be a text of 1 to 1,000 characters.`);
    }
    if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0 && seconds <= 366 * 86_400)) throw bad('"expires_in" must be a number of seconds, at most a year.');
    if (approval !== undefined && typeof approval !== "boolean") throw bad('"approval" must be true or false.');
    const known = this.#questions.get(id);
    if (!known && this.open.length >= MOST_OPEN) throw new BoardError(429, "too_many", `${MOST_OPEN} questions are open. Wait until some are answered.`);
    // When it expires was said when it was asked first.
    const expiresIn = known || seconds === undefined ? undefined : seconds * 1_000;
    // Questions of one turn do not know each other here: no answer can be remembered for the next.
    const options = { reuse: "none", ...(who !== undefined && { label: who }) };
    let summary;
    try {
      summary = this.#summary(request, dialect);
      await this.#inbox.put({ conversation: id, callId: CALL, request, dialect, options, expiresIn });
    } catch (error) {
      if (error instanceof this.#core.RejectionError) throw new BoardError(422, "rejected", error.message, { tool_result: error.toolResult });
      if (error.name === "OtherQuestionError") throw new BoardError(409, "other_question", "Another question was asked under this id. Give each question an id of its own.");
      if (error instanceof TypeError) throw bad(error.message);
      throw error;
    }
    if (known) return { id, isNew: false };
    const expires = expiresIn && Date.now() + expiresIn;
    const entry = { id, who, folder, at: Date.now(), expires, owner: owner && sha256(owner), ...summary, approval: summary.approval || approval === true };
    await this.#questions.change(entry);
    this.#watch(entry);
    this.#changed();
    this.#asked({ who, folder: shortened(folder), question: entry.text, open: this.open.length });
    return { id, isNew: true };
  }

  /** Where a question stands: an object with `state`, and with `result_text` where there is a result. */
  async state(id) {
    this.#known(id);
    return this.#told(id, () => this.#inbox.answered(id, CALL));
  }

  /** The same once the question is closed. Rejects if `signal` is aborted before. */
  async closed(id, signal) {
    this.#known(id);
    return this.#told(id, () => this.#inbox.wait(id, CALL, { signal }));
  }

  /** The program does not need a question any more: it is closed if it is open, and not listed to its owner again. */
  async drop(id) {
    this.#known(id);
    await this.#inbox.close(id, CALL);
    await this.#questions.change({ id, dropped: true });
    return this.state(id);
  }

  /** The questions of an owner that are open, or whose answers the owner has not taken. */
  async of(owner) {
    const own = this.#questions.all.filter((entry) => entry.owner === sha256(owner) && !entry.dropped);
    return Promise.all(own.map(async ({ id, text, at }) => ({ question: text, asked_at: new Date(at).toISOString(), ...(await this.state(id)) })));
  }

  // The person's side.

  /** The questions that are open, the oldest first, as the page shows them. */
  get open() {
    return this.#questions.all.filter(({ how }) => !how).map(({ id, who, folder, at, expires, text, count, danger }) => ({ id, who, folder: shortened(folder), at, expires, text, count, danger, approval: this.isApproval(id) }));
  }

  /** Receipts of closed questions that have all these words, the newest first; and how many there are. */
  receipts(words = "") {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const closed = this.#questions.all.filter(({ how }) => how).sort((one, other) => other.closed - one.closed);
    const shown = closed.map(({ id, who, folder, closed: at, how, by, text, answers }) => ({ id, who, folder: shortened(folder), at, how, by, text, answers }));
    const found = wanted.length ? shown.filter((one) => hasAll(one, wanted)) : shown;
    return { receipts: found.slice(0, RECEIPTS), found: found.length };
  }

  /** What was granted beyond one call, the newest first, and who keeps it; and how many grants there are. */
  grants() {
    const all = this.#questions.all.filter(({ grants }) => grants).sort((one, other) => other.closed - one.closed);
    const shown = all.flatMap(({ id, who, folder, closed: at, dropped = false, grants }) => grants.map((grant) => ({ id, who, folder: shortened(folder), at, is_taken: dropped, ...grant })));
    return { grants: shown.slice(0, GRANTS), found: shown.length };
  }

  /** The signed receipt of a closed question. */
  async receipt(id) {
    const { who, folder, at, text, how: state, closed, by, device, answers } = await this.#noted(id);
    const records = await this.#inbox.records(id);
    const { result_text: result } = await this.state(id);
    const plain = (value) => value?.toWellFormed();
    return this.#sign({
      question: id,
      who: plain(who),
      folder: plain(folder),
      text: plain(text),
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

  /** What was shown of a closed question: the JSON text whose hash the receipt has. */
  async shown(id) {
    await this.#noted(id);
    return shownIn(await this.#inbox.records(id));
  }

  /** The entry of a question whose end is noted. A question that was closed a moment ago is waited for. */
  async #noted(id) {
    if ((await this.state(id)).state === "open") throw new BoardError(409, "open", "The question is open. It has a receipt once it is closed.");
    await this.#watching.get(id);
    return this.#questions.get(id);
  }

  /** A device does something with a question. `act` promises the response. If that is one of success, the answer of this device counts. */
  async act(id, device, act) {
    const acts = this.#acts.get(id) ?? new Set();
    this.#acts.set(id, acts);
    const done = act().then((response) => {
      // The same answer may come from another device, too. The first one counts.
      if (response.ok && !this.#counts.has(id)) this.#counts.set(id, noteOf(device));
      return response;
    });
    acts.add(done);
    try {
      const response = await done;
      // The end was noted by a process that could not know the device, which has sent its answer again.
      const { how, by } = this.#questions.get(id);
      if (response.ok && how && by === undefined && !this.#watching.has(id)) await this.#change({ id, ...noteOf(device) }).catch(this.#onError);
      return response;
    } finally {
      acts.delete(done);
      if (!acts.size) this.#acts.delete(id);
      if (!this.#watching.has(id)) this.#counts.delete(id);
    }
  }

  async #change(entry) {
    await this.#questions.change(entry);
    this.#changed();
  }

  /** Names the list as it is now. It differs from every other name that a list had or will have. */
  get version() {
    return `${this.#instance}-${this.#changes}`;
  }

  /** Whether an answer lets an agent do something, or could: see `put`. One that was stored without saying so counts as one. */
  isApproval(id) {
    return this.#questions.get(id)?.approval !== false;
  }

  has(id) {
    return this.#questions.get(id) !== undefined;
  }

  /** Calls `hear` whenever the list has changed, until the function that this gives is called. */
  listen(hear) {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  #changed() {
    this.#changes += 1;
    for (const hear of [...this.#listeners]) hear();
  }

  /** Notes how a question ends. */
  #watch({ id }) {
    this.#watching.set(id, this.#note(id).finally(() => this.#watching.delete(id)));
  }

  /** If the store fails, it tries again. */
  async #note(id) {
    for (;;) {
      try {
        const { state } = await this.closed(id);
        // Who has answered is known when the response is.
        await Promise.allSettled(this.#acts.get(id) ?? []);
        const records = await this.#inbox.records(id);
        const grants = grantsIn(records).map(({ decision, scope, shown, rule }) => ({ decision, scope, shown: cut(shown, SENTENCE), kept: keepersOf({ scope, rule }, this.#questions.get(id).dialect) }));
        await this.#change({ id, how: state, closed: Date.now(), answers: answersOf(records), ...this.#counts.get(id), ...(grants.length && { grants }) });
        this.#counts.delete(id);
        return;
      } catch (error) {
        // The process is about to end: the next one looks again.
        if (error.name === "AbortError") return;
        this.#onError(error);
        await new Promise((resolve) => setTimeout(resolve, AGAIN).unref());
      }
    }
  }

  /** Where a question stands, by how its answer comes. */
  async #told(id, answering) {
    try {
      const answer = await answering();
      if (!answer) return { id, state: "open" };
      const { ends, reply, explanation } = answer.outcome;
      return { id, state: STATES[ends] ?? ends, result_text: answer.resultText ?? undefined, reply, explanation, secrets: answer.secrets };
    } catch (error) {
      if (error.name !== "QuestionClosedError") throw error;
      return { id, state: STATES[error.how] ?? error.how, result_text: error.resultText ?? undefined };
    }
  }

  #known(id) {
    if (!this.has(id)) throw new BoardError(404, "no_question", "There is no such question.");
  }

  /** What the list says of a request: the first line, how many questions it has, and whether its first cannot be undone. */
  #summary(request, dialect) {
    const walk = this.#core.open(request, { dialect, toolCallId: CALL });
    const { question, questions, message } = walk.step;
    const first = question ?? questions?.[0];
    const text = [message, first?.text].find((one) => one?.trim()) ?? "";
    // Only the first question is known here. What may come after it counts as one that approves something, unless that cannot be.
    const said = typeof request === "string" ? request : JSON.stringify(request);
    const isPlain = PLAIN.includes(walk.form.dialect) || walk.form.questions === 1;
    const approval = !isPlain || first?.type === "approval" || first?.danger === true || DANGER.test(said);
    return { text: firstLine(text), count: walk.form.questions, danger: first?.danger === true, approval, dialect: walk.form.dialect };
  }
}

/** The dialects whose lists of questions have no approval of a call in them. */
const PLAIN = ["ask_user", "ask_user_question", "claude", "mcp"];
/** What a request says in some way that says that an answer cannot be undone. */
const DANGER = /danger|destructive|irreversible|undo/i;

/** How a question ended, in the words of this program's addresses. */
const STATES = { completed: "answered", overtaken: "closed" };

const bad = (message) => new BoardError(422, "bad_request", message);

/** What is noted of a device that has answered. */
const noteOf = ({ id, name, isShared }) => ({ by: name, device: { id, ...(isShared && { is_shared: true }) } });

const hasAll = (receipt, words) => {
  const text = JSON.stringify([receipt.who, receipt.folder, receipt.text, receipt.answers, receipt.by]).toLowerCase();
  return words.every((word) => text.includes(word) || receipt.id.toLowerCase() === word);
};

/** A path with `~` for the user's own folder. */
function shortened(folder) {
  const home = homedir();
  return folder === home || folder?.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

/** The first line of a text that has one, not longer than the list shows. */
function firstLine(text) {
  const line = text.split("\n").map((one) => one.trim()).find(Boolean) ?? "";
  return cut(line);
}

/** What was asked and answered, for people to read. No record has a secret. */
function answersOf(records) {
  const asked = new Map(records.filter(({ type }) => type === "inquiry_request").map((record) => [record.id, record.question]));
  const given = records.filter(({ type }) => type === "inquiry_response");
  return given.map(({ id, outcome, answer, answer_text: digits, note }) => {
    const question = asked.get(id);
    return { text: askedOf(question), outcome, answer: outcome === "answered" ? (digits ?? shown(answer, question)) : undefined, note };
  });
}

/** What was asked, as text: of a tool call, also what would run. */
function askedOf({ text = "", answer_type: { arguments: given } = {} } = {}) {
  const line = firstLine(text);
  return given === undefined ? line : cut(`${line} ${JSON.stringify(given)}`);
}

/** An answer as text. */
function shown(answer, question) {
  if (question?.answer_type?.type === "approval" && TEXTS.decisions[answer?.type]) {
    return cut([TEXTS.decisions[answer.type], answer.grant?.scope !== "once" && answer.grant?.shown, answer.message, answer.arguments && JSON.stringify(answer.arguments)].filter(Boolean).join(" · "));
  }
  const label = (value) => question?.answer_type?.options?.find((option) => option.value === value)?.label ?? value;
  if (typeof answer === "boolean") return answer ? TEXTS.yes : TEXTS.no;
  const text = Array.isArray(answer) ? answer.map((one) => shown(one, question)).join(", ") : answer === null || typeof answer === "object" ? JSON.stringify(answer) : String(label(answer));
  return cut(text);
}

/** A text that is not longer than the list shows. */
const cut = (text, longest = LONGEST) => (text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…` : text);
