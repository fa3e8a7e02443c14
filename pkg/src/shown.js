// One form on the page, from the moment it is mounted until another takes its place: what it tells, how long its end can be undone, what lies over its fields. What is known of the answer is in `asked.js`.
import { ELEMENT_PLAIN, TRY_AGAIN } from "../build/words.js";
import { verdictText } from "./core/values.js";
import { Delayed } from "./delayed.js";
import { Layers, layers } from "./layers.js";
import { checker, checkerFor, dates, deadline, headless, hosted, hosting, mount, steps, validator, writing } from "./modules.js";
import { LONGEST, momentOf } from "./moment.js";
import { painted } from "./painted.js";
import { isLarge } from "./rest.form.js";
import { rich } from "./rich.js";
import { source as wasm } from "./wasm.js";

/**
 * @import { Asked, Ending, Mine } from "./asked.js"
 * @import { Around } from "./kept.js"
 * @import { Speech } from "./speech.js"
 * @import { Handle } from "../build/web/ask_user_web.js"
 * @import { Consultation, Drafts, Outcome, Step, ToolResult } from "../types/core.js"
 */

/** @typedef {Extract<Step, { state: "asking" }>} Asking */

/**
 * What a form needs of its element. `leave(drafts)` what the next form
 * begins with. `endTurn()` says that the turn has come to its end here, `close(how)` that its time has, and `unload()` that a part cannot be fetched.
 * @typedef {Around & {
 *   speech: Speech, request(): unknown, dialect(): string | undefined, options(): { [name: string]: any }, isHosted(): boolean, isHeard(): boolean,
 *   leave(drafts: Drafts): void,
 *   endTurn(): void, unload(): void, written(request: string, form: Shown): { asked: string, made: string } | undefined }} Owner
 */

/**
 * What a form is mounted with: its request, if that is not still being written, its dialect and options, all as text, and the walk that it goes on with. `made` is all that it is made of. `past`: the walk is only shown.
 * @typedef {{ request: string | undefined, dialect: string | undefined, options: string, own: Mine, made: string, isRich: boolean, past?: boolean }} Making
 */

/**
 * What a form begins with besides: the stream of its request, whether its walk has to be kept or sent, whether the host had set that, and the nonce of its keys.
 * @typedef {{ source?: ReadableStream | AsyncIterable<unknown>, isBased: boolean, isGiven: boolean, nonce: string }} Beginning
 */

/** A form in its place, or a walk that is only shown. */
export class Mounted {
  /** @type {HTMLElement} */
  place;
  /**
   * There once it is mounted.
   * @type {Handle}
   */
  handle;
  made;
  /** @type {Speech} */
  speech;
  isGone = false;
  /**
   * Stops what renders Markdown.
   * @type {(() => void) | undefined}
   */
  #plain;

  /**
   * Throws where the host's options are wrong.
   * @param {Speech} speech
   * @param {HTMLElement} place
   * @param {Making} making
   */
  constructor(speech, place, { request, dialect, options, own: [walk, secrets], made, isRich, past = false }) {
    this.made = made;
    this.speech = speech;
    this.place = place;
    this.handle = mount(place, request, dialect, options, walk, secrets, (...said) => (said.length ? speech.words.speak(...said) : this.handle && this.pull()), past);
    speech.direct(place);
    if (isRich) this.#plain = rich(place, speech.words);
  }

  /** Takes what is new from the form. */
  pull() {}

  /** Takes it off the page. */
  dispose() {
    this.isGone = true;
    this.#plain?.();
    // Freed once nothing of it is under way: it may be the form's own listener or effect that led here.
    setTimeout(() => this.handle.free());
    this.place.remove();
  }
}

export class Shown extends Mounted {
  /** @type {Asked} */
  asked;
  /** Whether the next step is a change, and not what the form begins with. */
  isBased;
  /** Whether it begins with a walk that the host has set. */
  #isGiven;
  #nonce;
  /**
   * What the request is still read from.
   * @type {ReadableStream | AsyncIterable<unknown> | undefined}
   */
  #source;
  /** @type {Owner} */
  #owner;
  /** @type {Step | undefined} */
  #step;
  /**
   * What lies over each text area for JSON.
   * @type {Map<HTMLTextAreaElement, Layers>}
   */
  #editors = new Map();
  /**
   * Until when the question can be answered, and what stops the countdown to it.
   * @type {string | undefined}
   */
  #expiresAt;
  /** @type {(() => void) | undefined} */
  #countdown;
  /**
   * Tells an end that can still be undone, and what an assistant has said meanwhile.
   * @type {Delayed | undefined}
   */
  #undo;
  /** @type {[verdict: string, record: string] | undefined} */
  #verdict;
  /**
   * Sends the rejection of the request.
   * @type {Delayed | undefined}
   */
  #rejecting;
  /** Counts the questions that were put to an assistant. */
  #consulting = 0;
  /**
   * The line that says that it was changed elsewhere, until the next step, and the one that says that nothing is kept, until the end.
   * @type {HTMLElement | undefined}
   */
  elsewhere;
  /** @type {HTMLElement | undefined} */
  unkept;

  /**
   * @param {Owner} owner
   * @param {Asked} asked
   * @param {HTMLElement} place
   * @param {Making} making
   * @param {Beginning} beginning
   */
  constructor(owner, asked, place, making, { source, isBased, isGiven, nonce }) {
    super(owner.speech, place, making);
    this.#owner = owner;
    this.asked = asked;
    this.isBased = isBased;
    this.#isGiven = isGiven;
    this.#nonce = nonce;
    this.#source = source;
  }

  /** @param {string | undefined} request */
  begin(request) {
    if (this.handle.needsSchemas()) this.#fetchChecker();
    // For a large request, making its events takes as long as showing its question: the question is painted first.
    if (isLarge(request ?? "")) painted().then(() => this.pull());
    else this.pull();
    if (this.#source) this.#follow(this.#source);
  }

  /** The walk and its secrets, as texts. @returns {Mine} */
  get own() {
    return [this.handle.save(), JSON.stringify(JSON.parse(this.handle.response() ?? "{}").secrets)];
  }

  /** Hands over what waits: an ending that could still be undone, a rejection, and what is not kept yet. */
  leave() {
    this.release();
    this.#rejecting?.now();
    this.asked.keeping?.flush();
  }

  /** Tells and delivers an ending that could still be undone. */
  release() {
    this.#holdNoMore();
    this.handle.release();
  }

  #holdNoMore() {
    this.#undo?.cancel();
    this.#undo = undefined;
    hosted?.stay(this, false);
  }

  /** Another form takes its place, or none. What was done in it is in `asked` then. */
  dispose() {
    this.#countdown?.();
    this.#rejecting?.cancel();
    this.leave();
    for (const layers of this.#editors.values()) layers.destroy();
    this.asked.own = this.own;
    // A walk whose request is still being written cannot be taken up: what was answered is in the fields again.
    if (this.#source && this.#source === this.#owner.request()) {
      const drafts = this.handle.drafts();
      this.asked.own = [undefined, undefined];
      // One that was rejected before its first question leaves none.
      if (drafts !== undefined) this.#owner.leave(JSON.parse(drafts));
    }
    super.dispose();
  }

  /**
   * Closes the form, for the question was ended elsewhere, or has expired. Gives what the next form begins with, if it has expired.
   * @param {string} how
   * @returns {Drafts}
   */
  close(how) {
    this.#expiresAt = undefined;
    this.#countdown?.();
    this.#rejecting?.cancel();
    this.unkept?.remove();
    const drafts = how === "expired" ? JSON.parse(this.handle.drafts() ?? "{}") : {};
    if (how === "expired") this.#owner.leave(drafts);
    this.handle.close(how);
    this.release();
    return drafts;
  }

  /**
   * Lets a form grow with its request. At the end, the text takes the place of the stream.
   * @param {ReadableStream | AsyncIterable<unknown>} source
   */
  async #follow(source) {
    const { follow } = await writing();
    const owner = this.#owner;
    follow(source, (piece, whole, fault) => {
      // Another form may follow it by now, and none may while the element is not on a page.
      if (source !== owner.request() || (this.isGone && owner.shown())) return false;
      if (whole !== undefined) {
        if (fault) owner.fail(fault);
        const written = owner.written(fault ? `not JSON: ${fault.message}` : whole, this);
        this.#source = undefined;
        if (!written) return false;
        [this.asked.text, this.made, this.isBased] = [written.asked, written.made, true];
      }
      if (this.isGone) return true;
      const isEnough = fault ? this.handle.fail(fault.message) : !this.handle.write(piece);
      if (this.handle.needsSchemas()) this.#fetchChecker();
      if (whole !== undefined && this.asked.ending === undefined) this.#keep();
      return !isEnough || "enough";
    });
  }

  async #fetchChecker() {
    try {
      // On their way with it; without them, the text area does the whole job.
      for (const layer of layers()) layer();
      const compileSchema = await checkerFor(this.asked.text);
      if (this.isGone) return;
      const { violated } = await validator();
      const { words } = this.speech;
      /** @type {(id: string) => any} */
      const schema = (id) => JSON.parse(this.#owner.shown()?.handle.schemaOf(id) ?? "true");
      words.violated = (violation) => violated(words, violation, schema);
      this.handle.checkSchemas(compileSchema);
    } catch {
      if (!this.isGone) this.handle.schemasFailed();
    }
  }

  /** Says how much time is left for an answer. When none is, the form is closed, unless its host is heard: that closes the question by its own clock. */
  async #countDown() {
    const { asked } = this;
    const moment = /** @type {string} */ (this.#expiresAt);
    const part = await deadline();
    if (this.isGone || moment !== this.#expiresAt || asked.ending !== undefined) return;
    this.#countdown?.();
    /** @type {() => number} */
    const now = () => (asked.begun.host.now ?? Date.now)();
    const over = () => {
      // The next question is chosen already, or the host closes this one.
      if (this.#owner.isHeard() || !this.#owner.isCurrent(asked)) return;
      // It was given in time.
      if (this.handle.isHeld()) return this.release();
      this.#owner.close("expired");
    };
    if (!part) {
      // Without what says it, the time is over all the same. One that is longer than a timer can have is left to the host.
      const left = momentOf(moment) - now();
      const timer = left <= LONGEST ? new Delayed(over, left) : undefined;
      this.#countdown = () => timer?.cancel();
      return;
    }
    const line = this.speech.direct(document.createElement("p"));
    line.setAttribute("part", "deadline");
    this.place.before(line);
    this.#countdown = part.countDown(moment, line, { words: this.speech.words, now, over });
  }

  /** Takes what is new from the form, and reports it. */
  pull() {
    if (this.isGone) return;
    const { asked } = this;
    const owner = this.#owner;
    // A host that was changed in place needs it from now on. Nothing is told, and so nothing is lost, before it is there.
    if (!hosted && owner.isHosted()) return void hosting().then(() => this.pull(), (error) => (reportError(error), this.isGone || owner.unload()));
    if (!this.handle.isHeld()) {
      this.#holdNoMore();
      const verdict = this.#verdict;
      this.#verdict = undefined;
      if (verdict) queueMicrotask(() => this.isGone || this.handle.assistant(...verdict));
    } else {
      const { undo, deliver } = asked.begun.host;
      this.#undo ??= new Delayed(() => this.release(), /** @type {number} */ (undo) * 1_000);
      // A page that is closed waits for no function of the host.
      if (deliver) /** @type {typeof import("./hosted.js")} */ (hosted).stay(this, true);
    }
    const { rejected, ready, records = [], step, typed, ended, drafts, again } = JSON.parse(this.handle.changes());
    if (again === "delivery") asked.ending?.delivery?.again();
    if (again === "schemas") this.#fetchChecker();
    if (again === "ending") this.#reopen();
    if (drafts !== undefined) owner.leave(drafts);
    if (rejected) {
      const { problems, message } = rejected;
      const isTold = !owner.tell("rejected", { problems, message, toolResult: rejected });
      if (!this.isGone) this.#reject(isTold, rejected);
    }
    // What was set since makes a form of what was rejected.
    if (ready && asked.ending?.isRejection) asked.ending = undefined;
    // A form that is put back after its end has nothing more to say.
    if (ready) steps();
    if (ready) this.#expiresAt = ready.expiresAt;
    if (this.#expiresAt && ready) this.#countDown();
    if (ready && asked.ending === undefined) owner.tell("ready", ready);
    for (const record of records) owner.tell("record", { record });
    if (step) this.elsewhere?.remove();
    // A form that was taken off the page and put back is at a step that was told before.
    const said = step && JSON.stringify(step);
    if (step && said !== asked.told) owner.tell("step", { step });
    asked.told = said ?? asked.told;
    if (typed) owner.tell("draft", {});
    if (this.isGone) return;
    if ((step || typed) && !this.#source) this.#keep(ended !== undefined);
    if (step) this.#consult(step);
    this.#step = step ?? this.#step;
    // The view follows in microtasks. What lies over fields that are gone goes, too.
    if (step || typed) setTimeout(() => this.#pick());
    if (this.#editors.size || ["schema", "approval"].includes(/** @type {string} */ (/** @type {Partial<Asking> | undefined} */ (this.#step)?.question?.type))) setTimeout(() => this.isGone || this.#edit());
    // A walk that had ended before it was set was told when it ended.
    if (ended) this.#end(ended, Boolean(ready) && this.#isGiven);
  }

  /**
   * Keeps how far the person has come.
   * @param {boolean} [now]
   */
  #keep(now) {
    // What begins to keep it later has not got what is there now.
    if (hosted) hosted.keep(this.asked, this.#owner, this, now);
    else this.isBased = true;
  }

  /** Puts above each text field for a date with a time what picks one. */
  async #pick() {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (this.place.querySelectorAll("[data-moment]"));
    if (fields.length) (await dates())?.pick(fields, this.speech.words);
  }

  /** Puts the fields and the editor over each text area for JSON: that of a question, and those of tool calls. */
  #edit() {
    for (const [area, layers] of this.#editors) {
      if (area.isConnected) continue;
      layers.destroy();
      this.#editors.delete(area);
    }
    for (const area of /** @type {NodeListOf<HTMLTextAreaElement>} */ (this.place.querySelectorAll("textarea.json"))) if (!this.#editors.has(area)) this.#cover(area);
  }

  /** @param {HTMLTextAreaElement} area */
  #cover(area) {
    const { words } = this.speech;
    const { call } = area.dataset;
    /** @type {(text: string) => import("./layers.js").Refusal | undefined} */
    const check = (text) => {
      const refusal = this.isGone ? undefined : this.handle.check(text, call);
      if (!refusal) return undefined;
      const said = JSON.parse(refusal);
      for (const one of [said, ...(said.details ?? [])]) one.message = words.text(JSON.parse(one.message));
      return said;
    };
    // Where the editor could not be had, the person can have it fetched again. The text area does the whole job meanwhile.
    /** @type {(again: () => void) => void} */
    const missing = (again) => {
      const said = this.speech.notify("status", ELEMENT_PLAIN, TRY_AGAIN, () => {
        said.remove();
        again();
      });
      area.after(said);
    };
    const id = call ?? /** @type {Asking} */ (this.#step).question.id;
    const schema = this.handle.schemaOf(id) ?? "true";
    this.#editors.set(area, new Layers(area, { id, schema, compile: checker, check, missing, words }));
  }

  /**
   * Asks the host's assistant where a question is put to one. Without one, or when it fails, the person is next.
   * @param {Step} step
   */
  async #consult(step) {
    const turn = ++this.#consulting;
    if (/** @type {Partial<Asking>} */ (step).asks !== "assistant") return;
    let [verdict, record] = /** @type {[import("../types/core.js").Verdict | undefined, string]} */ ([undefined, ""]);
    const { assistant } = this.asked.begun.host;
    try {
      if (assistant) {
        const consultation = await this.#consultation();
        record = consultation.record;
        verdict = await assistant(step, consultation);
      }
    } catch (error) {
      reportError(error);
    }
    // Without a verdict there is nothing to check against the record.
    if (this.isGone || turn !== this.#consulting) return;
    if (this.handle.isHeld()) this.#verdict = [verdictText(verdict), record];
    else this.handle.assistant(verdictText(verdict), record);
  }

  /**
   * How to ask the assistant: the headless package knows it, and is fetched for that.
   * @returns {Promise<Consultation>}
   */
  async #consultation() {
    const owner = this.#owner;
    const { layout, ...options } = /** @type {{ [name: string]: any }} */ ({ ...owner.options(), dialect: owner.dialect() });
    const [walk, secrets] = this.own;
    const { load } = await headless();
    const { resume } = await load(wasm("core"));
    return /** @type {Consultation} */ (resume(owner.request(), /** @type {string} */ (walk), options, JSON.parse(secrets ?? "{}")).consultation);
  }

  /**
   * Tells and delivers an ending. One that was `told` before is told to nobody. It is only sent, with its own key: the server may not have got it. A function of the page hears it again where the element
   * itself may have kept it.
   * @param {{ outcome: Outcome, key: string, result?: string, response: object }} ended
   * @param {boolean} told
   */
  #end({ outcome, key, result: resultText, response }, told) {
    const { asked } = this;
    const owner = this.#owner;
    if (key === asked.ending?.key) return;
    const { result, secrets = {} } = outcome;
    const { call: toolCallId, host: { deliver }, saveUrl } = asked.begun;
    const detail = { outcome, result, resultText, secrets, idempotencyKey: key, toolCallId };
    const isKept = !told || !deliver || deliver.again || saveUrl !== null || asked.isHeard;
    const sends = isKept ? hosted?.attempt(detail, () => /** @type {any} */ (response), { ...asked.begun, isHeard: asked.isHeard }) : undefined;
    /** @type {Ending} */
    const ending = { key };
    asked.ending = ending;
    this.#countdown?.();
    this.unkept?.remove();
    const done = asked.keeping?.ends(outcome, key, Object.keys(secrets));
    const isEndOfTurn = outcome.ends === "turn_ended";
    if (sends) hosted?.deliver(owner, asked, sends, done);
    if (!told) owner.tell(isEndOfTurn ? "end-turn" : "result", detail);
    if (!sends) done?.();
    if (asked.ending !== ending || !owner.isCurrent(asked)) return;
    // A question that the agent does not wait for ends alone.
    if (isEndOfTurn && owner.options().blocking !== false) owner.endTurn();
    else if (!sends) owner.over();
  }

  /**
   * Takes the rejection of a request to the host once, where the page has not said that it `isTold`.
   * @param {boolean} isTold
   * @param {ToolResult} rejected
   */
  #reject(isTold, rejected) {
    if (this.asked.ending !== undefined) return;
    this.#rejecting = isTold ? undefined : hosted?.reject(this.#owner, this.asked, this.#nonce, rejected);
    if (!this.#rejecting) this.#owner.over();
  }

  /** The host has refused the ending, and the person goes on from the step before it. */
  #reopen() {
    this.asked.reopen();
    if (this.#expiresAt) this.#countDown();
  }
}
