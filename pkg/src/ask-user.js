/**
 * The custom element <ask-user>: adapts the form in wasm to the page. It renders and reports, and nothing else.
 *
 * Properties: `request` (object or JSON text), `host` (the host's options; `assistant(step, consultation)` among them
 * gives, or promises, the verdict of an assistant that is asked in the person's place), `walk` (the saved walk; set it to resume),
 * `turn` (what the next form of the turn begins with).
 * Attributes: `dialect`, `tool-call-id`, `label`, `respond-url`, `cancel-url`.
 * Events, all bubbling and composed, their details typed in `types/ask-user.d.ts`: `ask-user-ready`, `ask-user-step`,
 * `ask-user-record`, `ask-user-result`, `ask-user-end-turn`, `ask-user-rejected`.
 * Parts: `base`, `notice`, `label`, `progress`, `question`, `header`, `context`, `option`, `radio`, `checkbox`, `preview`,
 * `input`, `editor`, `error`, `button`, `primary`, `reply`, `keys`, `receipt`, `delivery`.
 */
import init, { mount } from "../build/web/ask_user_web.js";
import style from "../build/style.js";
import { optionsText, requestText, verdictText } from "./core.js";
import { Delivery } from "./delivery.js";

/** What the element says of its own while there is no form that could say it. */
const WORDS = { unloaded: "The form could not be loaded. ", again: "Try again" };

let loaded;
/** Fetches the form's wasm, once for all elements of a page. */
const load = () =>
  (loaded ??= init({ module_or_path: new URL("ask_user_web_bg.wasm", import.meta.url) }).catch((error) => {
    loaded = undefined;
    throw error;
  }));

let sheet;
/** The style sheet that all elements of a page share. */
const styles = () => {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
  }
  return sheet;
};

// A server has no elements: the module can be imported there all the same.
const Base = globalThis.HTMLElement ?? class {};

export class AskUser extends Base {
  static observedAttributes = ["dialect", "tool-call-id", "label"];

  #request;
  #host = {};
  #saved;
  #handle;
  #parent;
  #delivery;
  #turn;
  #starting = 0;
  #consulting = 0;

  get request() {
    return this.#request;
  }
  set request(request) {
    this.#request = request;
    this.#saved = undefined;
    this.#restart();
  }

  get host() {
    return this.#host;
  }
  set host(host) {
    this.#host = host ?? {};
    this.#restart();
  }

  get walk() {
    const saved = this.#handle?.save() ?? this.#saved;
    return saved === undefined ? undefined : JSON.parse(saved);
  }
  set walk(saved) {
    this.#saved = saved == null ? undefined : requestText(saved);
    this.#restart();
  }

  get turn() {
    const turn = this.#handle?.turn();
    return turn === undefined ? this.#turn : JSON.parse(turn);
  }

  connectedCallback() {
    // Properties that were set before the element was defined.
    for (const name of ["host", "request", "walk"]) {
      if (Object.hasOwn(this, name)) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }
    if (!this.shadowRoot) {
      this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles()];
    }
    if (!this.#handle) this.#restart();
  }

  disconnectedCallback() {
    // Moving an element disconnects and connects it at once: only one that stays away is taken down.
    queueMicrotask(() => {
      if (!this.isConnected) this.#stop();
    });
  }

  attributeChangedCallback(_name, before, after) {
    if (before !== after) this.#restart();
  }

  /** Moves the focus to the open question. */
  focus() {
    this.#handle?.focus();
  }

  /** Starts anew at the end of the current task, so that several settings make one start. */
  #restart() {
    if (!this.isConnected || this.#request === undefined) return;
    const start = ++this.#starting;
    queueMicrotask(async () => {
      if (start !== this.#starting) return;
      try {
        await load();
      } catch (error) {
        reportError(error);
        if (start === this.#starting && this.isConnected) this.#showUnloaded();
        return;
      }
      if (start === this.#starting && this.isConnected) this.#start();
    });
  }

  #start() {
    const saved = this.#handle ? undefined : this.#saved;
    this.#stop();
    this.#saved = saved ?? this.#saved;
    let request;
    try {
      request = requestText(this.#request);
    } catch (error) {
      request = `not JSON: ${error.message}`;
    }
    this.shadowRoot.replaceChildren();
    this.#parent = this.shadowRoot.appendChild(document.createElement("div"));
    try {
      this.#handle = mount(
        this.#parent,
        request,
        this.getAttribute("dialect") ?? undefined,
        optionsText(this.#options()),
        this.#saved,
        () => this.#pull(),
      );
    } catch (error) {
      this.#parent.remove();
      reportError(new TypeError(String(error)));
      return;
    }
    if (this.#handle.needsSchemas()) this.#fetchChecker();
    this.#pull();
  }

  /** Says that the module could not be fetched, and offers to try again. */
  #showUnloaded() {
    this.#stop();
    this.shadowRoot.replaceChildren();
    const notice = this.shadowRoot.appendChild(document.createElement("p"));
    notice.className = "notice";
    notice.setAttribute("role", "alert");
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = WORDS.again;
    again.addEventListener("click", () => this.#restart());
    notice.append(WORDS.unloaded, again);
  }

  #options() {
    const { assistant: _, ...options } = this.#host;
    const id = this.getAttribute("tool-call-id");
    const label = this.getAttribute("label");
    if (id !== null) options.toolCallId = id;
    if (label !== null) options.label = label;
    return options;
  }

  #stop() {
    this.#delivery?.stop();
    this.#delivery = undefined;
    if (!this.#handle) return;
    this.#saved = this.#handle.save();
    this.#turn = this.turn;
    this.#handle.free();
    this.#handle = undefined;
    this.#parent.remove();
  }

  async #fetchChecker() {
    const handle = this.#handle;
    try {
      const { compileSchema } = await import("./core.js");
      if (handle === this.#handle) handle.checkSchemas(compileSchema);
    } catch {
      if (handle === this.#handle) handle.schemasFailed();
    }
  }

  /** Takes what is new from the form, and reports it. */
  #pull() {
    const handle = this.#handle;
    if (!handle) return;
    const { rejected, ready, records = [], step, outcome, again } = JSON.parse(handle.changes());
    if (again === "delivery") this.#delivery?.again();
    if (again === "schemas") this.#fetchChecker();
    if (rejected) {
      const { problems, message } = rejected;
      this.#tell("rejected", { problems, message, toolResult: rejected });
    }
    if (ready) this.#tell("ready", ready);
    for (const record of records) this.#tell("record", { record });
    if (step) this.#tell("step", { step });
    if (step && handle === this.#handle) this.#consult(handle, step);
    if (outcome && handle === this.#handle) this.#end(handle, outcome);
  }

  /** Asks the host's assistant where a question is put to one. Without one, or when it fails, the person is next. */
  async #consult(handle, step) {
    const turn = ++this.#consulting;
    if (step.asks !== "assistant") return;
    let verdict;
    const { assistant } = this.#host;
    try {
      if (assistant) verdict = await assistant(step, await this.#consultation(handle));
    } catch (error) {
      reportError(error);
    }
    if (handle === this.#handle && turn === this.#consulting) handle.assistant(verdictText(verdict));
  }

  /** How to ask the assistant: the headless package knows it, and is fetched for that. */
  async #consultation(handle) {
    const [saved, options] = [handle.save(), { ...this.#options(), dialect: this.getAttribute("dialect") ?? undefined }];
    const { resume } = await import("./core.js");
    return resume(this.#request, saved, options).consultation;
  }

  #end(handle, outcome) {
    const idempotencyKey = handle.idempotencyKey();
    const resultText = handle.result();
    const ended = outcome.ends === "turn_ended";
    const url = this.getAttribute(ended ? "cancel-url" : "respond-url");
    if (url !== null) {
      // Characters that no header may hold are percent-encoded.
      const key = idempotencyKey.replace(/[^!-~]/gu, (character) => encodeURIComponent(character));
      const body = resultText ?? JSON.stringify({ tool_call_id: this.#options().toolCallId ?? "call_1" });
      this.#delivery = new Delivery({ url, body, key }, (state, message) => {
        if (handle === this.#handle) handle.showDelivery(state, message);
      });
    }
    const detail = { outcome, result: outcome.result, resultText, secrets: outcome.secrets ?? {}, idempotencyKey };
    this.#tell(ended ? "end-turn" : "result", detail);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(`ask-user-${name}`, { detail, bubbles: true, composed: true }));
  }
}

if (globalThis.customElements && !customElements.get("ask-user")) {
  customElements.define("ask-user", AskUser);
}
