/**
 * The class of the custom element <ask-user>: adapts the form in wasm to the page. It renders and reports, and nothing else.
 *
 * Properties: `request` (object or JSON text), `host` (the host's options; `assistant(step, consultation)` among them
 * gives, or promises, the verdict of an assistant that is asked in the person's place, and `deliver(end, { signal })` takes the result, or throws), `walk` (the saved walk; set it to resume),
 * `turn` (what the next form of the turn begins with; set it to begin with that), `records` (the audit trail so far).
 * `host.fetch` (with the signature of fetch) and `host.credentials` are for what the element sends by itself; `host.storage` (`get(key)`, `set(key, text)`) keeps
 * in the browser how far the person has come, without secrets.
 * With `host.undo` (seconds, at most 60) the end of the form waits that long before it is told or sent, and the person can undo it; it is told at once when
 * the element or the page goes away.
 * Setting a property or attribute to an equal value does nothing. Of `host`, `label`, `undo`, `fetch`, `credentials`, `storage`, `assistant` and `deliver` change in place. Another request,
 * dialect or tool call id asks anew; any other option reads the request again and goes on with the same walk, without what stands in a secret's field.
 * Attributes: `request` (JSON text), `dialect`, `tool-call-id`, `label`; `respond-url` and `cancel-url`, to which the result is sent; `events-url`, from
 * which the element hears of questions by itself (it then sends its whole walk instead of the result, for the host to read
 * again); `save-url`, where it keeps how far the person has come, and `save-version`, the ETag of the walk that was set; `shortcuts`: "off" leaves plain letters and digits without a meaning.
 * Events, all bubbling and composed, their details typed in `types/ask-user.d.ts`: `ask-user-ready`, `ask-user-step`,
 * `ask-user-draft`, `ask-user-record`, `ask-user-result`, `ask-user-end-turn`, `ask-user-rejected`, `ask-user-error`, `ask-user-closed`,
 * `ask-user-delivery` (at the document, too, where the element is off the page); and
 * `ask-user-removed`, which does not bubble, once it has been taken off the page.
 * Custom properties: `--ask-user-accent`, `--ask-user-on-accent`, `--ask-user-text`, `--ask-user-muted`, `--ask-user-surface`, `--ask-user-line`,
 * `--ask-user-error`, `--ask-user-space`, `--ask-user-radius`, `--ask-user-font`, `--ask-user-font-size`, `--ask-user-mono`.
 * Parts: `base`, `notice`, `label`, `progress`, `question`, `header`, `context`, `option`, `radio`, `checkbox`, `preview`,
 * `input`, `editor`, `problems`, `error`, `button`, `primary`, `reply`, `keys`, `receipt`, `delivery`,
 * `message`, `address`, `host`, `warning`, `advice`, `closed`.
 */
import init, { mount } from "../build/web/ask_user_web.js";
import style from "../build/style.js";
import { optionsText, requestText, verdictText } from "./core.js";
import { byHost, byHttp, Delivery } from "./delivery.js";
import { once, optional, part } from "./demand.js";
import { Events } from "./host.js";
import { Keeping, stored } from "./keeping.js";
import { source } from "./wasm.js";

export { initialize } from "./wasm.js";

/** What the element says of its own while there is no form that could say it. */
const WORDS = { unloaded: "The form could not be loaded. ", plain: "The editor could not be loaded; this field takes the same. ", again: "Try again", elsewhere: "You changed these answers in another tab or on another device. This page shows them now. ", mine: "Use this page's answers instead", object: "The request is the text \"[object Object]\": set the property `request`, or the attribute to JSON text. React 18 sets attributes alone: use ask-user/react.", credentials: '`credentials` must be "omit", "same-origin" or "include".', undo: "`undo` must be a number of seconds from 0 to 60." };

/** For how many seconds an ending can be held. */
const LONGEST_UNDO = 60;

/** The form's wasm. */
const load = once(() => init({ module_or_path: source("form", () => new URL("form.wasm", import.meta.url)) }));
/** The checker of schemas, in a module of its own. */
const checker = once(async () => (await part(() => import("./validator.js"))).load(source("validator")));
/** The form view of flat schemas, and the JSON editor. */
const fields = optional(() => part(() => import("./fields.js")));
const editor = optional(() => part(() => import("./editor.js")));
/** What comes over the text area of a question for JSON: the editor is no help to a finger. */
const layers = () => (matchMedia("(pointer: coarse)").matches ? [fields] : [fields, editor]);

/** Fetches ahead what a form with a schema needs, the validator, the fields and the editor; a form fetches them by itself otherwise. */
export const preload = async () => void (await Promise.all([checker(), ...layers().map((layer) => layer())]));

/** The style sheet that all elements of a document share. A sheet of one document cannot be used in another. */
const sheets = new WeakMap();
const styles = (document) => {
  if (!sheets.has(document)) {
    const sheet = new (document.defaultView ?? globalThis).CSSStyleSheet();
    sheet.replaceSync(style);
    sheets.set(document, sheet);
  }
  return sheets.get(document);
};

// A server has no elements: the module can be imported there all the same.
const Base = globalThis.HTMLElement ?? class {};

export class AskUser extends Base {
  static observedAttributes = ["request", "dialect", "tool-call-id", "label", "events-url"];

  #request;
  #host = {};
  /** The walk of the form that was shown last, as text. */
  #saved;
  /** Its secrets, as text. They are in no walk that a host gets. */
  #secrets;
  /** The walk that a host has set, as text, until a form takes it up. */
  #given;
  #givenTurn;
  /** The call that is asked, and all that its form is made of, as text. */
  #asked;
  #made;
  #handle;
  #parent;
  #delivery;
  #turn;
  /** Whether it is about to be seen whether the element stays off the page. */
  #removing = false;
  #starting = 0;
  #consulting = 0;
  #events;
  /** What is kept of the question, and where. */
  #keeping;
  /** Whether the next step is a change, and not what the form begins with. */
  #isBased = false;
  /** This page's walk and secrets before it followed another tab or device, and whether the person wants them back. */
  #mine;
  #insists = false;
  /** The line that says that it was changed elsewhere. */
  #notice;
  #step;
  /** The last step that was told, as text. */
  #told;
  #editor;
  /** What the host that is heard asks: the call, its dialect and options. */
  #heard;
  /** The idempotency key of the ending that was told, once there is one. */
  #ended;
  /** What in the form has the focus, and keeps it when the element is moved. */
  #focused;
  /** Counts down to the moment when an ending can be undone no more. */
  #undoing;
  /** Where the end that is held goes to, as it was set when the person gave it. */
  #held;
  /** What an assistant said while an end is held. */
  #verdict;
  /** Why the question that was shown is open no more, until the next one says so. */
  #closed;

  get request() {
    return this.#request;
  }
  set request(request) {
    this.#heard = undefined;
    this.#request = request;
    this.#settle();
  }

  get host() {
    return this.#host;
  }
  set host(host) {
    this.#host = host ?? {};
    this.#settle();
  }

  get walk() {
    const saved = this.#given ?? this.#handle?.save() ?? this.#saved;
    return saved === undefined ? undefined : JSON.parse(saved);
  }
  set walk(saved) {
    this.#given = saved == null ? undefined : requestText(saved);
    this.#settle();
  }

  get turn() {
    const turn = this.#handle?.turn();
    return turn === undefined ? this.#turn ?? this.#givenTurn : JSON.parse(turn);
  }
  set turn(turn) {
    if (turn != null && JSON.stringify(turn) === JSON.stringify(this.turn)) return;
    this.#givenTurn = turn ?? undefined;
    this.#settle();
  }

  get records() {
    return JSON.parse(this.#handle?.records() ?? "[]");
  }

  connectedCallback() {
    // Properties that were set before the element was defined.
    for (const name of ["host", "request", "walk", "turn"]) {
      if (Object.hasOwn(this, name)) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }
    if (!this.shadowRoot) {
      this.attachShadow({ mode: "open" });
      this.shadowRoot.addEventListener("focusin", ({ target }) => (this.#focused = target));
      // Where the browser tells of the focus that a move takes away, it does so before the element is elsewhere.
      this.shadowRoot.addEventListener("focusout", () => queueMicrotask(() => this.shadowRoot.activeElement ?? (this.#focused = undefined)));
    }
    // Also after a move to another document, which drops them.
    this.shadowRoot.adoptedStyleSheets = [styles(this.ownerDocument)];
    this.#settle();
    this.#listen();
    globalThis.addEventListener("pagehide", this.#leave);
    this.#refocus();
  }

  /** Gives the focus back that a move has taken away, unless something else has it now. */
  #refocus() {
    const { activeElement, body } = this.ownerDocument;
    if (this.#focused?.isConnected && (!activeElement || activeElement === body)) this.#focused.focus({ preventScroll: true });
  }

  disconnectedCallback() {
    // Moving an element disconnects and connects it at once: only one that stays away is taken down.
    if (this.#removing) return;
    this.#removing = true;
    queueMicrotask(() => {
      this.#removing = false;
      if (this.isConnected) return;
      this.#leave();
      // Whoever heard of an end may have put it back.
      if (this.isConnected) return;
      this.#focused = undefined;
      this.#stop();
      this.#forget();
      this.#events?.stop();
      this.#events = undefined;
      globalThis.removeEventListener("pagehide", this.#leave);
      this.dispatchEvent(new CustomEvent("ask-user-removed"));
    });
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "request") return void (this.request = after ?? undefined);
    if (name !== "events-url") return this.#settle();
    this.#events?.stop();
    this.#events = undefined;
    if (this.isConnected) this.#listen();
  }

  /** Hands over what waits: an ending that could still be undone, and what is not kept yet. */
  #leave = () => {
    this.#release();
    this.#keeping?.flush();
  };

  /** Tells and delivers an ending that could still be undone. */
  #release() {
    clearTimeout(this.#undoing);
    this.#undoing = undefined;
    this.#handle?.release();
  }

  #listen() {
    const url = this.getAttribute("events-url");
    if (url === null || this.#events) return;
    this.#events = new Events(
      url,
      (state) => this.#hear(state),
      (open) => this.#handle?.showConnection(open),
    );
  }

  /** Shows the question that is due, and closes the one that is due no more. */
  #hear({ type, tool_call_id: call, request, dialect, options, walk, version, closed }) {
    const due = type === "awaiting_user_response";
    const shown = this.#heard?.call;
    if (shown !== undefined && !(due && call === shown)) {
      this.#heard = { ...this.#heard, call: undefined };
      const how = closed?.tool_call_id === shown ? closed.how : "closed";
      // A host that says whose answer it took lets a page know that its own came too late.
      const ours = this.#ended !== undefined && (closed?.key === undefined || closed.key === this.#ended);
      if (this.#handle && !ours) {
        this.#close(how, shown);
        this.#closed = how;
      }
    }
    // The stream was cut, and another device has gone on meanwhile.
    if (due && call === shown && walk) this.#keeping?.hears(walk, version);
    if (due && call !== shown) {
      this.#heard = { call, dialect, options, walk, version };
      this.#request = request;
      this.#given = walk && JSON.stringify(walk);
      this.#asked = undefined;
      this.#settle();
    }
  }

  /** Closes the form, for the question was ended elsewhere. */
  #close(how, call) {
    this.#delivery?.stop();
    this.#delivery = undefined;
    this.#forget();
    this.#handle.close(how);
    this.#release();
    this.#tell("closed", { how, toolCallId: call });
  }

  /** Keeps nothing more of this question. */
  #forget() {
    this.#keeping?.stop();
    this.#keeping = undefined;
  }

  /** Shows how far the person has come in another tab or on another device. What was done here since, if anything, can be had back. */
  #follow(walk, isClean) {
    // After an end, only the host decides what counts.
    if (!this.#handle || this.#ended !== undefined || this.#handle.isHeld()) return false;
    this.#mine = isClean ? undefined : this.#own();
    this.#given = JSON.stringify(walk);
    this.#settle();
    return true;
  }

  /** The walk and its secrets, as texts. */
  #own() {
    return [this.#handle.save(), JSON.stringify(JSON.parse(this.#handle.response() ?? "{}").secrets)];
  }

  /** Moves the focus to the open question. */
  focus() {
    this.#handle?.focus();
  }

  /** Brings the form in line with what was set, at the end of the current task, so that several settings make one change. */
  #settle() {
    const start = ++this.#starting;
    // What is set before is read when the element is put on the page.
    if (!this.isConnected) return;
    queueMicrotask(async () => {
      if (start !== this.#starting || !this.isConnected || !this.shadowRoot) return;
      if (this.#request === undefined) return this.#stop();
      const wanted = this.#wanted();
      if (!wanted) return;
      if (this.#handle && wanted.made === this.#made && !this.#isAnother(this.#given)) {
        this.#given = this.#mine = undefined;
        this.#handle.hold(wanted.undo > 0);
        return this.#handle.setLabel(wanted.label ?? undefined);
      }
      try {
        await load();
      } catch (error) {
        reportError(error);
        if (start === this.#starting && this.isConnected) this.#showUnloaded();
        return;
      }
      const stored = await this.#stored(wanted.asked);
      if (start === this.#starting && this.isConnected) this.#start(wanted, stored);
    });
  }

  /** What the form is to be made of; nothing where the host has set what no agent can have asked. */
  #wanted() {
    try {
      const request = this.#text();
      if (/^\s*\[object \w+\]\s*$/.test(request)) throw new TypeError(WORDS.object);
      const options = JSON.parse(optionsText(this.#options()));
      // Its own: a page may have extended the prototype of all objects.
      const label = Object.hasOwn(options, "label") ? options.label : undefined;
      delete options.label;
      const { undo = 0, credentials = "same-origin" } = this.#host;
      if (!["omit", "same-origin", "include"].includes(credentials)) throw new TypeError(WORDS.credentials);
      if (typeof undo !== "number" || !(undo >= 0 && undo <= LONGEST_UNDO)) throw new TypeError(WORDS.undo);
      const asked = JSON.stringify([request, this.#dialect(), this.#call()]);
      return { request, options, label, undo, asked, made: asked + JSON.stringify(options) };
    } catch (error) {
      this.#stop();
      this.#fail(error);
    }
  }

  /** The request as text. A text that is no JSON is the agent's, and becomes a rejection. */
  #text() {
    try {
      return requestText(this.#request);
    } catch (error) {
      if (typeof this.#request !== "string") throw error;
      return `not JSON: ${error.message}`;
    }
  }

  /** Whether a saved walk is another than the one on the page. */
  #isAnother(saved) {
    if (saved === undefined) return false;
    try {
      return JSON.stringify(JSON.parse(saved)) !== JSON.stringify(JSON.parse(this.#handle.save() ?? null));
    } catch {
      return true;
    }
  }

  #start({ request, options, label, undo, asked, made }, stored) {
    const focused = this.shadowRoot.activeElement !== null;
    const isBusy = focused || (this.#handle !== undefined && this.matches(":hover"));
    this.#stop();
    if (asked !== this.#asked || this.#given !== undefined) this.#saved = this.#secrets = undefined;
    // A delivery goes on by itself.
    if (asked !== this.#asked) {
      this.#forget();
      this.#ended = this.#told = this.#delivery = undefined;
    }
    if (stored) [this.#saved, this.#ended, this.#secrets] = [stored.walk, stored.ended, stored.secrets];
    [this.#asked, this.#made] = [asked, made];
    if (!stored) this.#saved = this.#given ?? this.#saved;
    const [mine, insists] = [this.#mine, this.#insists];
    if (insists) [this.#saved, this.#secrets] = mine;
    // Restored answers have to be sent, and so has a stored walk that the host lacks.
    this.#isBased = insists || (stored !== undefined && this.#given !== undefined);
    this.#insists = false;
    this.#given = this.#mine = undefined;
    this.shadowRoot.replaceChildren();
    this.#parent = this.shadowRoot.appendChild(document.createElement("div"));
    const all = JSON.stringify({ nonce: nonce(), ...options, label });
    try {
      this.#handle = mount(this.#parent, request, this.#dialect(), all, this.#saved, this.#secrets, () => this.#pull());
    } catch (error) {
      this.#parent.remove();
      return this.#fail(error);
    }
    this.#handle.hold(undo > 0);
    if (this.#closed) this.#handle.showBefore(this.#closed);
    this.#closed = undefined;
    if (this.#handle.needsSchemas()) this.#fetchChecker();
    this.#pull();
    if (this.#delivery) this.#handle?.showDelivery(...this.#delivery.state);
    // The person was busy with something else in the form: no key or click meant for that answers this.
    if (isBusy) this.#handle?.settle();
    if (focused) this.#handle?.focus();
    if (mine && !insists) this.#offer(mine);
  }

  /** Says that the form shows what was done elsewhere, and offers what was done here. */
  #offer(mine) {
    this.#notice = this.#say("alert", WORDS.elsewhere, WORDS.mine, () => {
      [this.#mine, this.#given, this.#insists] = [mine, mine[0], true];
      this.#settle();
    });
    this.#parent.before(this.#notice);
  }

  /** A line of the element's own, with a button. */
  #say(role, text, label, act) {
    const notice = document.createElement("p");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    notice.className = "notice";
    notice.setAttribute("role", role);
    button.setAttribute("part", "button");
    button.addEventListener("click", act);
    notice.append(text, button);
    return notice;
  }

  /** Reports what the host has done wrong. */
  #fail(error) {
    const fault = new TypeError(typeof error === "string" ? error : error.message);
    reportError(fault);
    this.#tell("error", { error: fault });
  }

  /** Says that the module could not be fetched, and offers to try again. */
  #showUnloaded() {
    this.#stop();
    this.shadowRoot.replaceChildren(this.#say("alert", WORDS.unloaded, WORDS.again, () => this.#settle()));
  }

  #options() {
    // What the core knows nothing of.
    const { assistant, deliver, undo, fetch, credentials, storage, ...options } = this.#host;
    const id = this.getAttribute("tool-call-id");
    const label = this.getAttribute("label");
    if (id !== null) options.toolCallId = id;
    if (label !== null) options.label = label;
    if (this.#givenTurn !== undefined) options.turn = this.#givenTurn;
    return { ...options, ...this.#heard?.options };
  }

  #dialect() {
    return this.#heard?.dialect ?? this.getAttribute("dialect") ?? undefined;
  }

  /** Keeps how far the person has come. What a form begins with is kept already. */
  #keep({ call, saveUrl: url }, now) {
    if (!this.#keeping?.is(this.#made, url)) {
      const version = this.#keeping?.version ?? this.#heard?.version ?? this.getAttribute("save-version") ?? undefined;
      this.#keeping?.stop();
      const question = { asked: this.#asked, made: this.#made, url, version, events: this.getAttribute("events-url"), ended: this.#ended };
      this.#keeping = new Keeping(question, {
        walk: () => (this.#handle ? this.walk : undefined),
        host: () => this.#host,
        follow: (walk, isClean) => this.#follow(walk, isClean),
        close: (how) => this.#ended === undefined && this.#handle && this.#close(how, this.#call()),
        fail: (error) => this.#fail(error),
      });
    }
    if (this.#isBased) return this.#keeping.changed(call, now);
    this.#isBased = true;
    this.#keeping.began(this.#heard?.walk);
  }

  /** What the host's storage has of this question, where the walk that a host has set, if any, has not come further. */
  async #stored(asked) {
    const { storage } = this.#host;
    if (!storage || asked === this.#asked) return undefined;
    try {
      return await stored(storage, asked, this.#given);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Where what the person does now goes to. */
  #here() {
    const [respondUrl, cancelUrl, saveUrl] = ["respond-url", "cancel-url", "save-url"].map((name) => this.getAttribute(name));
    return { call: this.#call(), respondUrl, cancelUrl, saveUrl, host: this.#host };
  }

  #call() {
    const { tool_call_id, toolCallId } = this.#options();
    return tool_call_id ?? toolCallId ?? "call_1";
  }

  #stop() {
    this.#leave();
    this.#editor?.destroy();
    this.#editor = undefined;
    this.#step = undefined;
    const handle = this.#handle;
    if (!handle) return;
    [this.#saved, this.#secrets] = this.#own();
    this.#turn = this.turn;
    // Freed once nothing of it is under way: it may be the form's own listener or effect that led here.
    setTimeout(() => handle.free());
    this.#handle = this.#verdict = undefined;
    this.#parent.remove();
  }

  async #fetchChecker() {
    const handle = this.#handle;
    try {
      // On their way with it; without them, the text area does the whole job.
      for (const layer of layers()) layer();
      const compileSchema = await checker();
      if (handle === this.#handle) handle.checkSchemas(compileSchema);
    } catch {
      if (handle === this.#handle) handle.schemasFailed();
    }
  }

  /** Takes what is new from the form, and reports it. */
  #pull() {
    const handle = this.#handle;
    if (!handle) return;
    if (!handle.isHeld()) {
      clearTimeout(this.#undoing);
      this.#undoing = undefined;
      const verdict = this.#verdict;
      this.#verdict = undefined;
      if (verdict) queueMicrotask(() => handle === this.#handle && handle.assistant(...verdict));
    } else {
      this.#undoing ??= setTimeout(() => this.#release(), this.#host.undo * 1_000);
      this.#held ??= this.#here();
    }
    const { rejected, ready, records = [], step, typed, outcome, again } = JSON.parse(handle.changes());
    if (again === "delivery") this.#delivery?.again();
    if (again === "schemas") this.#fetchChecker();
    if (rejected) {
      const { problems, message } = rejected;
      this.#tell("rejected", { problems, message, toolResult: rejected });
    }
    // A form that is put back after its end has nothing more to say.
    if (ready && this.#ended === undefined) this.#tell("ready", ready);
    for (const record of records) this.#tell("record", { record });
    if (step) this.#notice?.remove();
    // A form that was taken off the page and put back is at a step that was told before.
    const said = step && JSON.stringify(step);
    if (step && said !== this.#told) this.#tell("step", { step });
    this.#told = said ?? this.#told;
    if (typed) this.#tell("draft", {});
    if (handle !== this.#handle) return;
    const here = this.#held ?? this.#here();
    if (!handle.isHeld()) this.#held = undefined;
    if (step || typed) this.#keep(here, outcome !== undefined);
    if (step) this.#consult(handle, step);
    this.#step = step ?? this.#step;
    // The view follows in microtasks.
    if (this.#step?.question?.type === "schema") setTimeout(() => this.#edit(handle));
    if (outcome) this.#end(handle, outcome, here);
  }

  /** Puts fields over the text area of a question for JSON, and the editor where the pointer is fine enough for it. */
  async #edit(handle) {
    const area = this.shadowRoot.querySelector("textarea.json");
    if (!area || handle !== this.#handle || this.#editor?.area === area) return;
    this.#editor?.destroy();
    const over = [];
    const here = (this.#editor = { area, destroy: () => over.forEach(({ destroy }) => destroy()) });
    let attached;
    const options = {
      schema: this.#step.question.schema,
      check: (text) => {
        const refusal = handle === this.#handle ? handle.check(text) : undefined;
        return refusal && JSON.parse(refusal);
      },
      submit: () => area.form.querySelector("[type=submit]").click(),
      editor: () => attached,
    };
    for (const layer of layers()) {
      const { attach } = (await layer()) ?? {};
      if (this.#editor !== here || !area.isConnected) return;
      const made = attach?.(area, options);
      if (made) over.push(made);
      if (layer === editor) attached = made;
      if (layer === editor && !made) this.#withoutEditor(handle, area);
    }
  }

  /** Says that the editor could not be had, and fetches it again if the person wants it. The text area does the whole job meanwhile. */
  #withoutEditor(handle, area) {
    const said = this.#say("status", WORDS.plain, WORDS.again, () => {
      said.remove();
      this.#editor = undefined;
      this.#edit(handle);
    });
    area.after(said);
  }

  /** Asks the host's assistant where a question is put to one. Without one, or when it fails, the person is next. */
  async #consult(handle, step) {
    const turn = ++this.#consulting;
    if (step.asks !== "assistant") return;
    let [verdict, record] = [undefined, ""];
    const { assistant } = this.#host;
    try {
      if (assistant) {
        const consultation = await this.#consultation(handle);
        record = consultation.record;
        verdict = await assistant(step, consultation);
      }
    } catch (error) {
      reportError(error);
    }
    // Without a verdict there is nothing to check against the record.
    if (handle !== this.#handle || turn !== this.#consulting) return;
    if (handle.isHeld()) this.#verdict = [verdictText(verdict), record];
    else handle.assistant(verdictText(verdict), record);
  }

  /** How to ask the assistant: the headless package knows it, and is fetched for that. */
  async #consultation(handle) {
    const [saved, options] = [handle.save(), { ...this.#options(), dialect: this.#dialect() }];
    const { secrets } = JSON.parse(handle.response());
    const { load } = await part(() => import("./core.load.js"));
    const { resume } = await load(source("core"));
    return resume(this.#request, saved, options, secrets).consultation;
  }

  #end(handle, outcome, { call, respondUrl, cancelUrl, host }) {
    const idempotencyKey = handle.idempotencyKey();
    if (idempotencyKey === this.#ended) return;
    const resultText = handle.result();
    const ended = outcome.ends === "turn_ended";
    this.#ended = idempotencyKey;
    const url = ended ? cancelUrl : respondUrl;
    const { deliver, fetch, credentials } = host;
    const detail = { outcome, result: outcome.result, resultText, secrets: outcome.secrets ?? {}, idempotencyKey, toolCallId: call };
    const response = () => JSON.parse(handle.response());
    let attempt;
    if (deliver) {
      attempt = byHost(deliver, { ...detail, response: response() });
    } else if (url !== null) {
      const named = { tool_call_id: call };
      const body = this.#events ? JSON.stringify({ ...named, ...response() }) : resultText ?? JSON.stringify(named);
      attempt = byHttp({ url: new URL(url, document.baseURI).href, body, key: idempotencyKey, call: fetch, credentials });
    }
    const done = this.#keeping?.ends(outcome.ends, idempotencyKey, Object.keys(detail.secrets));
    if (attempt) this.#deliver(attempt, idempotencyKey, done);
    this.#tell(ended ? "end-turn" : "result", detail);
    if (!attempt) done?.();
  }

  /** Takes the end to the host, whether the form stays on the page or not. */
  #deliver(attempt, idempotencyKey, done) {
    this.#delivery = new Delivery(attempt, (state, message) => {
      if (idempotencyKey === this.#ended) this.#handle?.showDelivery(state, message);
      if (state === "sent") done?.();
      const detail = { state, message, idempotencyKey };
      this.#tell("delivery", detail);
      if (this.isConnected) return;
      // Whoever has taken the form off the page may listen there.
      this.ownerDocument.dispatchEvent(new CustomEvent("ask-user-delivery", { detail }));
      if (state === "failed") reportError(new Error(`An answer could not be sent. ${message ?? ""}`.trim()));
    });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(`ask-user-${name}`, { detail, bubbles: true, composed: true }));
  }
}

/** A text that no other form has, in this tab or another. It makes idempotency keys unique; a saved walk keeps its own. */
function nonce() {
  // Pages that are not secure (http) have no randomUUID.
  return crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
}
