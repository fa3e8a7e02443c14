/**
 * The class of the custom element <ask-user>, in one file because all of it shares one private state. Adapts the form in wasm to the page: it renders and reports, and nothing else.
 *
 * Properties: `request` (object or JSON text; or a stream of its text while an agent still writes it: a ReadableStream, an async iterable, or by hand `write(piece)` and `end()`), or `requests` (several that are due at once: one form after the other, each end with its own tool call id), `host` (the host's options; `assistant(step, consultation)` among them
 * gives, or promises, the verdict of an assistant that is asked in the person's place, and `deliver(end, { signal })` takes the result, or throws), `walk` (the saved walk; set it to resume),
 * `turn` (what the next form of the turn begins with; set it to begin with that), `records` (the audit trail so far), `drafts` (what the same questions of the next request start from, after a Reply or a rejection), `receipt` (`{ request, walk }`: a saved walk,
 * shown read-only).
 * `host.fetch` (with the signature of fetch) and `host.credentials` are for what the element sends by itself; `host.storage` (`get(key)`, `set(key, text)`) keeps
 * in the browser how far the person has come, without secrets.
 * The form speaks the language of `lang`, at the element or around it; `host.words` (texts by key, listed in docs/words.md) are said instead.
 * `host.layout`: "auto" (the default), "steps" or "page" (docs/layout.md).
 * `host.markdown: false` leaves the Markdown of agents as the text it is.
 * With `host.undo` (seconds, at most 60) the end of the form waits that long before it is told or sent, and the person can undo it; it is told at once when
 * the element or the page goes away.
 * Setting a property or attribute to an equal value does nothing. Of `host`, `label`, `words`, `undo`, `fetch`, `credentials`, `storage`, `assistant` and `deliver` change in place. Another request,
 * dialect or tool call id asks anew; any other option reads the request again and goes on with the same walk, without what stands in a secret's field.
 * Attributes: `request` (JSON text), `dialect`, `tool-call-id`, `label`; `respond-url` and `cancel-url`, to which the result is sent; `events-url`, from
 * which the element hears of questions by itself (it then sends its whole walk instead of the result, for the host to read
 * again); `save-url`, where it keeps how far the person has come, and `save-version`, the ETag of the walk that was set; `shortcuts`: "off" leaves plain letters and digits without a meaning; `density`: "compact" or "spacious".
 * Events, all bubbling and composed, their details typed in `types/ask-user.d.ts`: `ask-user-ready`, `ask-user-step`,
 * `ask-user-draft`, `ask-user-record`, `ask-user-result`, `ask-user-end-turn`, `ask-user-rejected`, `ask-user-error`, `ask-user-closed`,
 * `ask-user-delivery` (at the document, too, where the element is off the page); and
 * `ask-user-removed`, which does not bubble, once it has been taken off the page.
 * Custom properties: `--ask-user-accent`, `--ask-user-on-accent`, `--ask-user-text`, `--ask-user-muted`, `--ask-user-surface`, `--ask-user-line`, `--ask-user-control`,
 * `--ask-user-error`, `--ask-user-warning`, `--ask-user-success`, `--ask-user-space`, `--ask-user-radius`, `--ask-user-font`, `--ask-user-font-size`, `--ask-user-mono`.
 * Parts: `base`, `notice`, `label`, `progress`, `question`, `header`, `context`, `option`, `radio`, `checkbox`, `preview`,
 * `input`, `editor`, `problems`, `error`, `button`, `primary`, `reply`, `keys`, `receipt`, `delivery`, `count`,
 * `deadline`, `message`, `address`, `host`, `warning`, `advice`, `closed`, `actions`, `bar`, `dialog`, `note`, `arguments`.
 */
import init, { mount, registerDialect as register } from "../build/web/ask_user_web.js";
import style from "../build/style.js";
import { ELEMENT_ELSEWHERE, ELEMENT_MINE, ELEMENT_NEXT, ELEMENT_NO_REPLY, ELEMENT_PLAIN, ELEMENT_REQUEST, ELEMENT_SIGN_IN, ELEMENT_SLOW, ELEMENT_UNKEPT, ELEMENT_UNLOADED, ELEMENT_WAITS, NO_RECEIPT, TRY_AGAIN } from "../build/words.js";
import { optionsText, requestText, verdictText } from "./core.js";
import { fetchAnew, file, once, optional, part } from "./demand.js";
import { Layers, layers } from "./layers.js";
import { find, load as loadLocale, ready, spoken } from "./locales.js";
import { LONGEST, momentOf } from "./moment.js";
import { past } from "./past.js";
import { checkPiece } from "./pieces.js";
import { due, given, Queue } from "./queue.js";
import { painted } from "./painted.js";
import { begin, isLarge, isPlain, isWhole, load as loadRest } from "./rest.form.js";
import { load as loadMarkdown, rich } from "./rich.js";
import { isBehind } from "./save.js";
import { warm as warmUp } from "./warm.js";
import { isGiven, source } from "./wasm.js";
import { Words } from "./words.js";

/**
 * @import { AuditRecord, Consultation, DialectDeclaration, Drafts, Outcome, SavedWalk, Step, Turn } from "../types/core.js"
 * @import { AskUserEventMap, DeliveredEnd, DueRequest, EndDetail, Host, Receipt } from "../types/ask-user.js"
 * @import { Handle, Script } from "../build/web/ask_user_web.js"
 * @import { Checker } from "./validator.js"
 * @import { Stored } from "./keeping.js"
 * @import { Entry } from "./queue.js"
 * @import { Attempt } from "./delivery.js"
 * @import { SaidViolation, Word } from "./words.js"
 */

/**
 * What a form is to be made of: the request as text, if it is not still being written; the call that is asked, and all that the form is made of, as text.
 * @typedef {{ request: string | undefined, options: object, label?: string, undo: number, isRich: boolean, asked: string, made: string }} Wanted
 */

/**
 * What a form was begun with: its call, its host and its addresses.
 * @typedef {{ call: string, host: Host & { deliver?: { again?: boolean } }, respondUrl: string | null, cancelUrl: string | null, saveUrl: string | null, eventsUrl: string | null }} Begun
 */

/**
 * Where what the person does goes to.
 * @typedef {Begun & { isHeard: boolean }} Here
 */

/**
 * A walk and its secrets, as texts.
 * @typedef {[walk: string | undefined, secrets: string | undefined]} Mine
 */

/** @typedef {import("./delivery.js").Show} Show */

/** @typedef {Extract<Step, { state: "asking" }>} Asking */

export { initialize } from "./wasm.js";

/**
 * Does something that fails where it comes too late.
 * @type {<T>(act: () => T) => T | undefined}
 */
const tried = (act) => {
  try {
    return act();
  } catch {}
  return undefined;
};

/**
 * Declares a dialect of the page's own for its forms, and promises its name.
 * @type {(declaration: DialectDeclaration | string) => Promise<import("../types/core.js").Dialect>}
 */
export const registerDialect = async (declaration) => {
  const text = requestText(declaration);
  await load();
  await loadRest();
  try {
    return /** @type {import("../types/core.js").Dialect} */ (register(text));
  } catch (error) {
    throw typeof error === "string" ? new TypeError(error) : error;
  }
};

/**
 * Whether a request is still being written: a ReadableStream, or an async iterable.
 * @type {(request: any) => boolean}
 */
const isStream = (request) => Boolean(request?.getReader ?? request?.[Symbol.asyncIterator]);

/**
 * Whether two forms are of the same request and dialect, in different calls. Each is as `asked` has it.
 * @type {(one: string | undefined, other: string) => boolean}
 */
const isSameBut = (one, other) => {
  const [[request, dialect, call], [again, same, another]] = [one, other].map((asked) => JSON.parse(asked ?? "[]"));
  return request !== undefined && request === again && dialect === same && call !== another;
};

/**
 * What each option of the host that is one of a few can be.
 * @type {{ [name: string]: unknown[] }}
 */
const CHOICES = { credentials: ["same-origin", "omit", "include"], markdown: [true, false], layout: ["auto", "steps", "page"] };

/** How long, in milliseconds, a rejection waits before it is sent: a page may still be setting what the request needs. */
const REJECTED = 500;
/** After how long, in milliseconds, a person hears that the form is still loading. */
const LATE = 3_000;
/**
 * The attributes that name an address of the host.
 * @type {{ respondUrl: "respond-url", cancelUrl: "cancel-url", saveUrl: "save-url", eventsUrl: "events-url" }}
 */
const ADDRESSES = { respondUrl: "respond-url", cancelUrl: "cancel-url", saveUrl: "save-url", eventsUrl: "events-url" };
/** For how many seconds an ending can be held. */
const LONGEST_UNDO = 60;

/** The form's wasm: the whole that a host has handed in, or its first part. */
const load = once(async () => {
  const whole = source("form");
  const exports = await init({ module_or_path: whole ?? file(new URL("form.first.wasm", import.meta.url)) });
  if (whole === undefined) begin(exports);
});
/**
 * Forms that were shown before all of the wasm was there. Each is freed when it is.
 * @type {Set<Handle>}
 */
const previews = new Set();
/** The checker of schemas, in a module of its own. */
const validator = once(part("validator.js", () => import("./validator.js")));
const checker = once(async () => (await validator()).load(source("validator")));
const warm = once(async () => (await validator()).warm(await checker()));
/**
 * The same, once it is ready for the schemas in a text.
 * @type {(text: string) => Promise<Checker>}
 */
const checkerFor = async (text) => {
  const compileSchema = await checker();
  await (await validator()).readyFor(text);
  return compileSchema;
};
/** Lets the browser compile what the next steps need. Nothing depends on it. */
const steps = optional(() => warmUp(mount));
/** What reads a request that is still being written. */
const writing = once(part("writing.js", () => import("./writing.js")));
/** What takes over a form that the page came with. */
const rendered = optional(part("rendered.js", () => import("./rendered.js")));
/** The headless package, for an assistant that is asked. */
const headless = once(part("core.load.js", () => import("./core.load.js")));
/** What sends and keeps answers, and hears what is due; and the same once it is there: before a form takes an answer that goes anywhere. */
const hosting = once(part("hosted.js", () => import("./hosted.js")));
/** @type {typeof import("./hosted.js") | undefined} */
let hosted;
/** What counts down the time for an answer. */
const deadline = optional(part("deadline.js", () => import("./deadline.js")));
/** What checks the words of a host. */
const overrides = optional(part("overrides.js", () => import("./overrides.js")));
/**
 * What a delivery says of its own, in English.
 * @type {Map<string | undefined, Word>}
 */
const OWN = new Map([ELEMENT_NO_REPLY, ELEMENT_SIGN_IN].map((word) => [word[1], word]));
/**
 * Fetches ahead what a form may need: its own module, the validator, the fields and the editor for a schema, Markdown, and the language of the page. A form fetches them by itself otherwise. The validator is tried once the page is idle, which lets the browser compile it.
 * @type {() => Promise<void>}
 */
export const preload = async () => {
  const name = find(spoken(document.documentElement).lang);
  const form = load().then(loadRest).then(steps);
  const whole = checker().then((compileSchema) => compileSchema.rest());
  await Promise.all([form, whole, warm(), hosting(), loadMarkdown(), ...(name ? [loadLocale(name)] : []), ...layers().map((layer) => layer())]);
};

/**
 * The style sheet that all elements of a document share. A sheet of one document cannot be used in another.
 * @type {WeakMap<Document, CSSStyleSheet>}
 */
const sheets = new WeakMap();
/** @type {(document: Document) => CSSStyleSheet} */
const styles = (document) => {
  if (!sheets.has(document)) {
    const sheet = new (document.defaultView ?? globalThis).CSSStyleSheet();
    sheet.replaceSync(style);
    sheets.set(document, sheet);
  }
  return /** @type {CSSStyleSheet} */ (sheets.get(document));
};

// A server has no elements: the module can be imported there all the same.
const Base = /** @type {new () => HTMLElement & { readonly shadowRoot: ShadowRoot }} */ (globalThis.HTMLElement ?? class {});

export class AskUser extends Base {
  /** @type {string[]} */
  static observedAttributes = ["request", "dialect", "tool-call-id", "label", ...Object.values(ADDRESSES)];

  /** @type {unknown} */
  #request;
  /** Counts the requests that were set while they were still being written; and takes what `write` adds to the last one. */
  #streams = 0;
  /** @type {ReadableStreamDefaultController<string | ArrayBuffer | ArrayBufferView> | undefined} */
  #writer;
  /**
   * What the form that is shown is still made of.
   * @type {ReadableStream | AsyncIterable<unknown> | undefined}
   */
  #source;
  /** @type {Host} */
  #host = {};
  /**
   * The walk of the form that was shown last, as text.
   * @type {string | undefined}
   */
  #saved;
  /**
   * Its secrets, as text. They are in no walk that a host gets.
   * @type {string | undefined}
   */
  #secrets;
  /**
   * The walk that a host has set, as text, until a form takes it up.
   * @type {string | undefined}
   */
  #given;
  /** Whether the form that is shown began with a walk that the host had set. */
  #isGiven = false;
  /** @type {Partial<Turn> | undefined} */
  #givenTurn;
  /**
   * What a form that was left with Reply, or rejected, has left for the next one.
   * @type {Drafts | undefined}
   */
  #drafts;
  /**
   * A walk that is shown, read-only, in place of a form; and all that it is made of, as text.
   * @type {Receipt | undefined}
   */
  #receipt;
  /**
   * The call that is asked, and all that its form is made of, as text.
   * @type {string | undefined}
   */
  #asked;
  /** @type {string | undefined} */
  #made;
  /**
   * The one before, unless it was answered here, where the next one is chosen but not shown yet.
   * @type {string | undefined}
   */
  #before;
  /** @type {string | undefined} */
  #nonce;
  /** @type {Handle | undefined} */
  #handle;
  /**
   * The place of the form.
   * @type {HTMLElement}
   */
  // @ts-expect-error It is there once something is shown, and nothing asks for it before.
  #parent;
  /**
   * What shows the question before there is a form.
   * @type {HTMLElement | undefined}
   */
  #ahead;
  /**
   * What takes over the form that the page came with (a declarative shadow root), until a form has taken its place.
   * @type {Promise<ReturnType<typeof import("./rendered.js").watch> | undefined> | undefined}
   */
  #rendered;
  /** @type {import("./delivery.js").Delivery | undefined} */
  #delivery;
  /** @type {Partial<Turn> | undefined} */
  #turn;
  /** Whether it is about to be seen whether the element stays off the page. */
  #removing = false;
  #starting = 0;
  #consulting = 0;
  /** @type {{ stop(): void } | undefined} */
  #events;
  /**
   * What is kept of the question, and where; and the same of each that a host has said is due, by its id.
   * @type {import("./keeping.js").Keeping | undefined}
   */
  #keeping;
  /** @type {Map<string, import("./keeping.js").Keeping[]>} */
  #kept = new Map();
  /** Whether the next step is a change, and not what the form begins with. */
  #isBased = false;
  /**
   * This page's walk and secrets before it followed another tab or device, and whether the person wants them back.
   * @type {Mine | undefined}
   */
  #mine;
  #insists = false;
  /**
   * The line that says that it was changed elsewhere, and the one that says that nothing is kept.
   * @type {HTMLElement | undefined}
   */
  #notice;
  /** @type {HTMLElement | undefined} */
  #unkept;
  /** @type {Step | undefined} */
  #step;
  /**
   * The last step that was told, as text.
   * @type {string | undefined}
   */
  #told;
  /**
   * What lies over each text area for JSON.
   * @type {Map<HTMLTextAreaElement, Layers>}
   */
  #editors = new Map();
  /** What is said, of the form's own and of the element's; and what it was made of: the language, and the words of the host. */
  #words = new Words();
  #language = "";
  #said = "";
  #speaking = 0;
  /**
   * The direction of the language, where it is from right to left and the page sets none.
   * @type {"rtl" | undefined}
   */
  #dir;
  /**
   * Sees what changes the language or the direction of the page.
   * @type {MutationObserver | undefined}
   */
  #watching;
  /**
   * Stops what renders Markdown.
   * @type {(() => void) | undefined}
   */
  #plain;
  /** What is due, where the host that is heard says so or the page has set several requests; and whether it was heard. */
  #queue = new Queue();
  #isHeard = false;
  /**
   * The one of these that is shown, and whether it is due still.
   * @type {Entry | undefined}
   */
  #entry;
  #isDue = false;
  /**
   * What is kept of those that could not be sent and wait again: their walk and secrets, their key and delivery.
   * @type {WeakMap<Entry, [mine: Mine, ended: string | undefined, delivery: import("./delivery.js").Delivery]>}
   */
  #putOff = new WeakMap();
  /**
   * What the next request in the queue begins with, of the one before it.
   * @type {Partial<Turn> | undefined}
   */
  #passed;
  /**
   * The line that says how many requests are due, and the one that offers the next.
   * @type {HTMLElement | undefined}
   */
  #count;
  /**
   * Until when the question can be answered, and what stops the countdown to it.
   * @type {string | undefined}
   */
  #expiresAt;
  /** @type {(() => void) | undefined} */
  #countdown;
  /** @type {HTMLElement | undefined} */
  #offered;
  /**
   * Sends the rejection of the request, while that waits; and its key, once it is sent.
   * @type {{ send(): void, timer: ReturnType<typeof setTimeout> } | undefined}
   */
  #rejecting;
  /** @type {string | undefined} */
  #rejected;
  /**
   * The idempotency key of the ending that was told, once there is one.
   * @type {string | undefined}
   */
  #ended;
  /**
   * What in the form has the focus, and keeps it when the element is moved.
   * @type {HTMLElement | undefined}
   */
  #focused;
  /**
   * Counts down to the moment when an ending can be undone no more.
   * @type {ReturnType<typeof setTimeout> | undefined}
   */
  #undoing;
  /**
   * What the form that is shown was begun with: its call, its addresses and its host. They stay its own until its last delivery.
   * @type {Begun | undefined}
   */
  #begun;
  /**
   * What an assistant said while an end is held.
   * @type {[verdict: string, record: string] | undefined}
   */
  #verdict;
  /**
   * Why the question that was shown is open no more, until the next one says so.
   * @type {string | undefined}
   */
  #closed;

  /** @returns {unknown} */
  get request() {
    return this.#request;
  }
  /** @param {unknown} given */
  set request(given) {
    const request = given ?? undefined;
    this.#queue = new Queue();
    this.#isHeard = false;
    this.#entry = this.#passed = this.#receipt = this.#writer = undefined;
    if (request !== this.#request) this.#streams += 1;
    this.#request = request;
    this.#settle();
  }

  /**
   * Adds a piece to the text of a request that is still being written. The first piece begins another request, also after `end` and after `request` was set.
   * @param {string | ArrayBuffer | ArrayBufferView} piece
   */
  write(piece) {
    checkPiece(piece);
    let writer = this.#writer;
    if (!writer) this.request = new ReadableStream({ start: (made) => (writer = made) });
    this.#writer = writer;
    // Nobody reads it any more where something else has taken its place.
    tried(() => /** @type {ReadableStreamDefaultController} */ (writer).enqueue(piece));
  }

  /** The request that was written is whole. */
  end() {
    tried(() => this.#writer?.close());
    this.#writer = undefined;
  }

  /** @returns {Receipt | undefined} */
  get receipt() {
    return this.#receipt;
  }
  /** @param {Receipt | null | undefined} receipt */
  set receipt(receipt) {
    if (receipt != null) this.request = undefined;
    else if (!this.#receipt) return;
    this.#receipt = receipt ?? undefined;
    this.#settle();
  }

  /** @returns {Drafts | undefined} */
  get drafts() {
    return this.#drafts;
  }
  /** @param {Drafts | null | undefined} drafts */
  set drafts(drafts) {
    this.#drafts = drafts ?? undefined;
  }

  /** @returns {DueRequest[]} */
  get requests() {
    return /** @type {DueRequest[]} */ (this.#queue.open.map(({ id, call, ...more }) => ({ toolCallId: call, ...more })));
  }
  /** @param {readonly DueRequest[] | null | undefined} requests */
  set requests(requests) {
    let entries;
    try {
      entries = given(requests ?? []);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#isHeard) this.request = undefined;
    // Another list is of another turn.
    if (!entries.some(({ id }) => this.#queue.knows(id))) this.#passed = undefined;
    this.#queue.take(entries);
    // A receipt stays, and so does what is not sent yet.
    const isUnsent = this.#delivery && this.#delivery.state[0] !== "sent";
    const stays = this.#entry && (this.#ended === undefined ? this.#queue.knows(this.#entry.id) && !this.#queue.open.length : isUnsent || !this.#queue.open.length);
    if (stays || this.#queue.open.includes(/** @type {Entry} */ (this.#entry))) {
      this.#showQueue();
      this.#tellBegun();
      return;
    }
    if (!this.#next()) this.request = undefined;
  }

  /** @returns {Host} */
  get host() {
    return this.#host;
  }
  /** @param {Host | null | undefined} host */
  set host(host) {
    this.#host = host ?? {};
    this.#settle();
  }

  /** @returns {SavedWalk | undefined} */
  get walk() {
    const saved = this.#given ?? this.#handle?.save() ?? this.#saved;
    return saved === undefined ? undefined : JSON.parse(saved);
  }
  /** @param {SavedWalk | string | null | undefined} saved */
  set walk(saved) {
    // A page that keeps the walk gives it back later than the next key is pressed: what is shown has come further.
    if (saved != null && this.#given === undefined && isBehind(requestText(saved), this.walk)) return;
    this.#takeUp(saved);
  }

  /** @param {SavedWalk | string | null | undefined} saved */
  #takeUp(saved) {
    this.#given = saved == null ? undefined : requestText(saved);
    this.#settle();
  }

  /** @returns {Partial<Turn> | undefined} */
  get turn() {
    const turn = this.#handle?.turn();
    return turn === undefined ? this.#turn ?? this.#givenTurn : JSON.parse(turn);
  }
  /** @param {Partial<Turn> | null | undefined} turn */
  set turn(turn) {
    if (turn != null && JSON.stringify(turn) === JSON.stringify(this.turn)) return;
    this.#givenTurn = turn ?? undefined;
    this.#passed = undefined;
    this.#settle();
  }

  /** @returns {AuditRecord[]} */
  get records() {
    return JSON.parse(this.#handle?.records() ?? "[]");
  }

  connectedCallback() {
    // The form is loaded before there is a request, unless the host hands it in: the script that defines the element may do so after this. It is the first thing that the
    // page does next, so that the download begins as soon as it can.
    queueMicrotask(() => isGiven("form") || load().catch(() => {}));
    // Properties that were set before the element was defined.
    for (const name of ["host", "request", "requests", "walk", "turn", "drafts", "receipt"]) {
      if (Object.hasOwn(this, name)) {
        const value = /** @type {any} */ (this)[name];
        delete /** @type {any} */ (this)[name];
        /** @type {any} */ (this)[name] = value;
      }
    }
    if (!this.#watching) {
      if (this.shadowRoot) this.#rendered = rendered().then((module) => module?.watch(this.shadowRoot));
      else this.attachShadow({ mode: "open" });
      this.shadowRoot.addEventListener("focusin", ({ target }) => (this.#focused = /** @type {HTMLElement} */ (target)));
      // Where the browser tells of the focus that a move takes away, it does so before the element is elsewhere.
      this.shadowRoot.addEventListener("focusout", () => queueMicrotask(() => this.shadowRoot.activeElement ?? (this.#focused = undefined)));
    }
    // Also after a move to another document, which drops them. What the editor and others brought stays otherwise.
    const own = styles(this.ownerDocument);
    const sheets = this.shadowRoot.adoptedStyleSheets;
    if (!sheets.includes(own)) this.shadowRoot.adoptedStyleSheets = [own, ...sheets];
    this.#watch();
    this.#settle();
    this.#listen();
    globalThis.addEventListener("pagehide", this.#leave);
    this.#refocus();
  }

  /** Follows the language and the direction of the page, which are set at the element or around it, outside of shadow roots that it may be in, too. */
  #watch() {
    this.#watching?.disconnect();
    this.#watching = new MutationObserver(() => this.#speak());
    const watched = { attributes: true, attributeFilter: ["lang", "dir"], subtree: true };
    for (let root = /** @type {Node | undefined} */ (this.getRootNode()); root; root = /** @type {Partial<ShadowRoot>} */ (root).host?.getRootNode()) this.#watching.observe(root, watched);
  }

  /** Brings the words in line with the language of the page and with the host. Until a locale is there, the words stay as they are. */
  async #speak() {
    const turn = ++this.#speaking;
    const { lang, isDirected } = spoken(this);
    const name = find(lang);
    if (name && !ready(name)) {
      // Nothing waits for it.
      if (!this.#language) this.#say("en", {});
      await loadLocale(name);
      if (turn !== this.#speaking || !this.isConnected) return;
    }
    const locale = name && ready(name);
    if (locale) this.#say(Intl.getCanonicalLocales(lang)[0], locale);
    else this.#say("en", {});
    const isRtl = { ...locale, ...this.#host.words }.direction === "rtl";
    this.#dir = isRtl && !isDirected ? "rtl" : undefined;
    for (const child of this.shadowRoot.children) this.#direct(/** @type {HTMLElement} */ (child));
  }

  /**
   * What a form that reports nothing says its words with.
   * @type {Script}
   */
  #speaker = (...said) => said.length && this.#words.speak(...said);

  /**
   * Says everything in a language, with the words of the host in place of its own.
   * @param {string} tag
   * @param {import("../types/words.js").Words} locale
   */
  #say(tag, locale) {
    const { words = {} } = this.#host;
    const said = JSON.stringify(words);
    if (said !== this.#said && said !== "{}") this.#checkWords(words);
    if (tag === this.#language && said === this.#said) return;
    [this.#language, this.#said] = [tag, said];
    this.#words.set(tag, { ...locale, ...words });
    // Keys mean something else now.
    this.#handle?.settle();
  }

  /** @param {{ [key: string]: unknown }} words */
  async #checkWords(words) {
    const fault = (await overrides())?.fault(words);
    if (fault) this.#fail(fault);
  }

  /**
   * Gives a part of the element its direction.
   * @param {HTMLElement} part
   */
  #direct(part) {
    if (this.#dir) part.dir = this.#dir;
    else part.removeAttribute("dir");
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
      /** @type {MutationObserver} */ (this.#watching).disconnect();
      this.#stop();
      this.#forget();
      this.#events?.stop();
      this.#events = undefined;
      globalThis.removeEventListener("pagehide", this.#leave);
      this.dispatchEvent(new CustomEvent("ask-user-removed"));
    });
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "request") return void (this.request = after ?? undefined);
    if (name !== "events-url") return this.#settle();
    this.#events?.stop();
    this.#events = undefined;
    if (this.isConnected) this.#listen();
  }

  /** Hands over what waits: an ending that could still be undone, a rejection, and what is not kept yet. */
  #leave = () => {
    this.#release();
    this.#rejecting?.send();
    this.#keeping?.flush();
  };

  /** Tells and delivers an ending that could still be undone. */
  #release() {
    this.#holdNoMore();
    this.#handle?.release();
  }

  #holdNoMore() {
    clearTimeout(this.#undoing);
    this.#undoing = undefined;
    hosted?.stay(this, false);
  }

  #listen() {
    const url = this.getAttribute("events-url");
    if (url === null || this.#events) return;
    const events = (this.#events = { stop() {} });
    /** @type {(module: typeof import("./hosted.js")) => void} */
    const begins = ({ Events }) => {
      if (events !== this.#events) return;
      this.#events = new Events(
        url,
        (state) => this.#hear(state),
        (open) => this.#handle?.showConnection(open),
      );
    };
    hosting().then(begins, (error) => {
      reportError(error);
      // As a stream that cannot be opened.
      setTimeout(() => {
        if (events !== this.#events) return;
        this.#events = undefined;
        this.#listen();
      }, LATE);
    });
  }

  /** Whether anything of this form is sent, kept, or heard. */
  #isHosted() {
    const { storage, deliver } = this.#host;
    return [storage, deliver, this.#begun?.saveUrl, ...Object.values(ADDRESSES).map((name) => this.getAttribute(name))].some((one) => one != null);
  }

  /**
   * Takes what a host says is due: shows the first of it, unless one that is due is shown; and closes what is due no more.
   * @param {import("../types/core.js").ConversationNotice} event
   */
  #hear(event) {
    /** @type {Entry[]} */
    let entries;
    try {
      entries = due(event);
    } catch (error) {
      return this.#fail(error);
    }
    // What the page itself has set is none of the host's.
    if (!this.#isHeard) {
      if (!entries.length) return;
      this.request = undefined;
      this.#isHeard = true;
    }
    const shown = this.#isDue ? this.#entry : undefined;
    /** @type {(call: string | undefined) => { how: string, key?: string }} */
    const closed = (call) => [event.closed ?? []].flat().find((one) => one?.tool_call_id === call) ?? { how: "closed" };
    for (const { id, call } of this.#queue.take(entries)) if (id !== shown?.id) this.#tell("closed", { how: closed(call).how, toolCallId: call });
    const now = entries.find(({ id }) => id === shown?.id);
    if (shown && !now) {
      this.#isDue = false;
      const { how, key } = closed(shown.call);
      // A host that says whose answer it took lets a page know that its own came too late.
      const ours = this.#ended !== undefined && (key === undefined || key === this.#ended);
      if (!ours) this.#close(how, shown.call);
    }
    // Shown or not: what the storage has of it would answer, or show a receipt, if it were due again.
    for (const [id, all] of this.#kept) if (!entries.some((entry) => entry.id === id) && this.#kept.delete(id)) for (const keeping of all) keeping.drop();
    // The stream was cut, and another device has gone on meanwhile.
    if (now?.walk) this.#keeping?.hears(/** @type {SavedWalk} */ (now.walk), now.version);
    if (now && this.#queue.open.includes(/** @type {Entry} */ (shown))) this.#showQueue();
    else this.#next();
  }

  /** Shows the first of what is due, and says whether there is one. */
  #next() {
    const [entry] = this.#queue.open;
    if (!entry) return false;
    const { request, walk } = entry;
    [this.#entry, this.#isDue, this.#request, this.#receipt] = [entry, true, request, undefined];
    this.#given = walk && requestText(walk);
    // What is due again after it was closed is asked anew, with what was typed; after it was answered, from its beginning.
    if (this.#asked !== undefined) this.#before = this.#ended === undefined ? this.#asked : undefined;
    // What is still on its way of the one before is none of this one's.
    this.#asked = this.#ended = this.#delivery = undefined;
    this.#settle();
    return true;
  }

  /** What is shown has come to its end here: the next one is shown, if one waits. */
  #over() {
    // The end of the one before may come when the next one is chosen already.
    if (!this.#entry || this.#asked === undefined) return;
    this.#queue.ends(this.#entry);
    this.#showQueue();
    if (!this.#queue.open.length) return;
    // A host that is heard reads each answer again, and says itself what its form begins with.
    if (!this.#isHeard) this.#passed = this.turn;
    this.#next();
  }

  /** The turn is over, and with it what waits. A host that is heard says itself what is still due. */
  #endTurn() {
    if (!this.#entry || this.#isHeard || this.#asked === undefined) return;
    for (const entry of this.#queue.open) {
      this.#queue.ends(entry);
      if (entry !== this.#entry) this.#tell("closed", { how: "turn_ended", toolCallId: entry.call });
    }
    this.#showQueue();
  }

  /** What is shown cannot be asked: that was reported. */
  #skip() {
    this.#asked ??= "";
    this.#over();
  }

  /** Says how many requests are due, where there are several, and offers the next one where the end of this one cannot be sent. */
  #showQueue() {
    this.#count?.remove();
    this.#offered?.remove();
    if (!this.#handle || this.#asked === undefined) return;
    const place = this.#isDue && this.#queue.place;
    if (place) {
      const [at, of] = place;
      const count = Object.assign(document.createElement("p"), { className: "hint" });
      count.setAttribute("part", "count");
      this.#direct(count);
      this.#parent.before(count);
      this.#words.follow(count, () => (count.textContent = this.#words.say(ELEMENT_REQUEST, { at, of })));
      this.#count = count;
    }
    if (this.#delivery?.state[0] !== "failed" || !this.#queue.open.some((entry) => entry !== this.#entry)) return;
    this.#offered = this.#notify("status", ELEMENT_WAITS, ELEMENT_NEXT, () => {
      // It comes again after the others, as it was.
      this.#putOff.set(/** @type {Entry} */ (this.#entry), [this.#own(), this.#ended, /** @type {import("./delivery.js").Delivery} */ (this.#delivery)]);
      this.#queue.putOff(/** @type {Entry} */ (this.#entry));
      this.#next();
    });
    this.#parent.after(this.#offered);
  }

  /** Says how much time is left for an answer. When none is, the form is closed, unless its host is heard: that closes the question by its own clock. */
  async #countDown() {
    const [handle, moment] = /** @type {[handle: Handle, moment: string]} */ ([this.#handle, this.#expiresAt]);
    const part = await deadline();
    if (handle !== this.#handle || moment !== this.#expiresAt || this.#ended !== undefined) return;
    this.#countdown?.();
    /** @type {() => number} */
    const now = () => (/** @type {Begun} */ (this.#begun).host.now ?? Date.now)();
    const over = () => {
      if (this.#isHeard) return;
      // It was given in time.
      if (handle.isHeld()) return this.#release();
      this.#close("expired", this.#call());
      this.#over();
    };
    if (!part) {
      // Without what says it, the time is over all the same. One that is longer than a timer can have is left to the host.
      const left = momentOf(moment) - now();
      const timer = left <= LONGEST ? setTimeout(over, left) : undefined;
      this.#countdown = () => clearTimeout(timer);
      return;
    }
    const line = document.createElement("p");
    line.setAttribute("part", "deadline");
    this.#direct(line);
    this.#parent.before(line);
    this.#countdown = part.countDown(moment, line, { words: this.#words, now, over });
  }

  /**
   * Closes the form, for the question was ended elsewhere, or has expired. One that is not shown yet is not shown at all.
   * @param {string} how
   * @param {string | undefined} call
   */
  #close(how, call) {
    /** @type {Drafts} */
    let left = {};
    this.#expiresAt = undefined;
    this.#countdown?.();
    this.#delivery?.stop();
    this.#delivery = undefined;
    clearTimeout(this.#rejecting?.timer);
    this.#rejecting = undefined;
    this.#unkept?.remove();
    this.#forget();
    if (this.#handle && this.#asked !== undefined) {
      if (how === "expired") {
        left = JSON.parse(this.#handle.drafts() ?? "{}");
        this.#drafts = left;
      }
      this.#closed = how;
      this.#handle.close(how);
      this.#release();
    } else {
      this.#request = undefined;
      this.#settle();
    }
    this.#count?.remove();
    this.#offered?.remove();
    this.#tell("closed", { how, toolCallId: call, ...(how === "expired" && { drafts: left }) });
  }

  /** Keeps nothing more of this question. */
  #forget() {
    this.#keeping?.stop();
    this.#keeping = undefined;
  }

  /**
   * Shows how far the person has come in another tab or on another device. What was done here since, if anything, can be had back.
   * @param {SavedWalk} walk
   * @param {boolean} isClean
   */
  #follow(walk, isClean) {
    // After an end, only the host decides what counts.
    if (!this.#handle || this.#ended !== undefined || this.#handle.isHeld()) return false;
    this.#mine = isClean ? undefined : this.#own();
    this.#given = JSON.stringify(walk);
    this.#settle();
    return true;
  }

  /**
   * The walk and its secrets, as texts.
   * @returns {Mine}
   */
  #own() {
    const handle = /** @type {Handle} */ (this.#handle);
    return [handle.save(), JSON.stringify(JSON.parse(handle.response() ?? "{}").secrets)];
  }

  /** Moves the focus to the open question. */
  focus() {
    this.#handle?.focus();
  }

  /** Takes no key and no press before half a second has passed without one, as after anything that moves the form. */
  settle() {
    this.#handle?.settle();
  }

  /** Brings the form in line with what was set, at the end of the current task, so that several settings make one change. */
  #settle() {
    const start = ++this.#starting;
    // What is set before is read when the element is put on the page.
    if (!this.isConnected) return;
    queueMicrotask(async () => {
      if (start !== this.#starting || !this.isConnected || !this.shadowRoot) return;
      if (this.#receipt) return this.#showReceipt(start);
      if (this.#request === undefined) {
        this.#stop();
        return this.#tellBegun();
      }
      const wanted = this.#wanted();
      if (!wanted) return;
      // Fetched at the same time as the form.
      this.#speak();
      const source = isStream(this.#request) ? /** @type {ReadableStream | AsyncIterable<unknown>} */ (this.#request) : undefined;
      const more = async () => {
        const [kept] = await Promise.all([this.#isHosted() && hosting(), source && writing()]);
        hosted ??= kept || undefined;
      };
      const isSame = this.#handle && this.#asked !== undefined && wanted.made === this.#made && !this.#isAnother(this.#given);
      if (isSame && (hosted || !this.#isHosted())) {
        this.#given = this.#mine = undefined;
        /** @type {Handle} */ (this.#handle).freeze(false);
        this.#begins(this.#begun);
        /** @type {Handle} */ (this.#handle).hold(wanted.undo > 0);
        return /** @type {Handle} */ (this.#handle).setLabel(wanted.label ?? undefined);
      }
      // Another form is on its way, or what takes the answers of this one: it takes nothing more.
      this.#handle?.freeze(true);
      await this.#waiting(start, async () => {
        if (!(await this.#loaded(start, () => !source && this.#preview(wanted), more))) return;
        if (start !== this.#starting) return;
        if (isSame) return this.#settle();
        const stored = source ? undefined : await this.#stored(wanted.asked);
        const restore = await (await this.#rendered)?.();
        if (start === this.#starting && this.isConnected) this.#start(wanted, stored, source, restore);
      });
    });
  }

  /**
   * Waits for something without which there is no form. If that takes long, the person is told, and can have it fetched anew.
   * @template T
   * @param {number} start
   * @param {() => Promise<T>} wait
   */
  async #waiting(start, wait) {
    /** @type {HTMLElement | undefined} */
    let notice;
    const timer = setInterval(() => {
      if (start !== this.#starting || !this.isConnected || notice?.isConnected) return;
      notice = this.#notify("status", ELEMENT_SLOW, TRY_AGAIN, () => {
        fetchAnew();
        this.#settle();
      });
      this.shadowRoot.append(notice);
    }, LATE);
    try {
      return await wait();
    } finally {
      clearInterval(timer);
      notice?.remove();
    }
  }

  /**
   * Loads all of the form's wasm, and says whether it is there. If it cannot be loaded, the person is told. `preview` shows what the first part can show, and says whether it did; `more` is loaded as well.
   * @param {number} start
   * @param {() => boolean} [preview]
   * @param {() => Promise<void>} [more]
   */
  async #loaded(start, preview, more) {
    try {
      await Promise.all([load(), more?.()]);
      if (!isWhole()) {
        const isSeen = start === this.#starting && this.isConnected && preview?.();
        await Promise.all([loadRest(), isSeen && painted()]);
      }
      return true;
    } catch (error) {
      reportError(error);
      if (start === this.#starting && this.isConnected) this.#showUnloaded();
      return false;
    }
  }

  /**
   * Shows a walk read-only: nothing is told, sent or kept.
   * @param {number} start
   */
  async #showReceipt(start) {
    // Fetched at the same time as the form.
    this.#speak();
    /** @type {ReturnType<typeof past>} */
    let shown;
    try {
      shown = past(/** @type {Receipt} */ (this.#receipt), this.#options(), this.#dialect());
    } catch (error) {
      return this.#showUnshown(/** @type {Error} */ (error).message);
    }
    if (shown.made === this.#made && this.#handle) return;
    if (!(await this.#waiting(start, () => this.#loaded(start)))) return;
    if (start !== this.#starting || !this.isConnected) return;
    this.#clear();
    this.#made = shown.made;
    const check = () => {
      const { rejected, unresumable = rejected?.message } = JSON.parse(/** @type {Handle} */ (this.#handle).changes());
      if (unresumable) this.#fail(unresumable);
    };
    try {
      this.#handle = mount(this.#parent, shown.request, shown.dialect, shown.options, shown.walk, undefined, this.#speaker, true);
    } catch (error) {
      return this.#showUnshown(/** @type {Error} */ (error).message);
    }
    const handle = this.#handle;
    this.#direct(this.#parent);
    if (this.#host.markdown !== false) this.#plain = rich(this.#parent, this.#words);
    check();
    if (!handle.needsSchemas()) return;
    try {
      const compileSchema = await checkerFor(shown.request);
      if (handle !== this.#handle) return;
      handle.checkSchemas(compileSchema);
      check();
    } catch (error) {
      reportError(error);
      if (handle === this.#handle) this.#showUnloaded();
    }
  }

  /** Takes away what is shown and all that is known of it, and makes a place for something else. */
  #clear() {
    this.#stop();
    this.#forget();
    this.#asked = this.#made = this.#ended = this.#rejected = this.#told = this.#delivery = this.#saved = this.#secrets = undefined;
    this.#makePlace();
  }

  /** Makes an empty place for a form, and frees the previews once all of the wasm is there. */
  #makePlace() {
    this.shadowRoot.replaceChildren();
    this.#rendered = undefined;
    if (isWhole()) {
      for (const preview of previews) preview.free();
      previews.clear();
    }
    this.#parent = this.shadowRoot.appendChild(document.createElement("div"));
  }

  /**
   * Says that what the host has set is no receipt.
   * @param {string} why
   */
  #showUnshown(why) {
    this.#clear();
    this.#fail(why);
    this.shadowRoot.replaceChildren(this.#notify("alert", NO_RECEIPT));
  }

  /**
   * What the form is to be made of; nothing where the host has set what no agent can have asked.
   * @returns {Wanted | undefined}
   */
  #wanted() {
    try {
      const request = this.#text();
      if (/^\s*\[object \w+\]\s*$/.test(/** @type {string} */ (request))) throw new TypeError('The request is the text "[object Object]": set the property `request`, or the attribute to JSON text. In React 18, use ask-user/react.');
      const options = JSON.parse(optionsText({ layout: this.#host.layout, ...this.#options() }));
      // Its own: a page may have extended the prototype of all objects.
      const label = Object.hasOwn(options, "label") ? options.label : undefined;
      delete options.label;
      for (const [name, all] of Object.entries(CHOICES)) {
        const { [name]: given = all[0] } = /** @type {{ [name: string]: unknown }} */ (/** @type {unknown} */ (this.#host));
        if (!all.includes(given)) throw new TypeError(`\`${name}\` must be ${all.map((one) => JSON.stringify(one)).join(" or ")}.`);
      }
      const { undo = 0, markdown: isRich = true, words = {} } = this.#host;
      if (typeof undo !== "number" || !(undo >= 0 && undo <= LONGEST_UNDO)) throw new TypeError(`\`undo\` must be a number of seconds from 0 to ${LONGEST_UNDO}.`);
      if (typeof words !== "object" || words === null || Array.isArray(words)) throw new TypeError("`words` must be an object of texts by key.");
      const asked = JSON.stringify([request ?? this.#streams, this.#dialect(), this.#call()]);
      return { request, options, label, undo, isRich, asked, made: asked + JSON.stringify(options) + (isRich ? "" : "plain") };
    } catch (error) {
      this.#stop();
      this.#tellBegun();
      this.#fail(error);
      this.#skip();
    }
  }

  /**
   * The request as text; nothing while it is being written. A text that is no JSON is the agent's, and becomes a rejection.
   * @returns {string | undefined}
   */
  #text() {
    if (isStream(this.#request)) return undefined;
    try {
      return requestText(this.#request);
    } catch (error) {
      if (typeof this.#request !== "string") throw error;
      return `not JSON: ${/** @type {Error} */ (error).message}`;
    }
  }

  /**
   * Whether a saved walk is another than the one on the page.
   * @param {string | undefined} saved
   */
  #isAnother(saved) {
    if (saved === undefined) return false;
    try {
      return JSON.stringify(JSON.parse(saved)) !== JSON.stringify(JSON.parse(/** @type {string} */ (/** @type {Handle} */ (this.#handle).save() ?? null)));
    } catch {
      return true;
    }
  }

  /**
   * Shows the question while the rest of the wasm is on its way. Nothing can be done with it; the form takes its place, and looks the same.
   * @param {Wanted} wanted
   */
  #preview({ request, options, label, asked }) {
    const isResumed = this.#given !== undefined || this.#drafts !== undefined || (this.#saved !== undefined && asked === this.#asked) || this.#host.storage;
    if (this.#handle || this.#entry || this.#rendered || isResumed || !isPlain(/** @type {string} */ (request), this.#dialect(), options)) return false;
    const parent = document.createElement("div");
    parent.inert = true;
    this.#direct(parent);
    this.shadowRoot.replaceChildren(parent);
    this.#ahead = parent;
    try {
      previews.add(mount(parent, request, this.#dialect(), JSON.stringify({ ...options, label }), undefined, undefined, this.#speaker, false));
    } catch {
      // The form says what is wrong.
      parent.remove();
    }
    return parent.isConnected;
  }

  /**
   * @param {Wanted} wanted
   * @param {Stored | undefined} stored
   * @param {ReadableStream | AsyncIterable<unknown> | undefined} source
   * @param {(() => ((place: HTMLElement) => { [key: string]: string } | undefined) | undefined) | undefined} restore
   */
  #start({ request, options, label, undo, isRich, asked, made }, stored, source, restore) {
    // What the page came with stands where the form will stand.
    const put = restore?.();
    const focused = !put && this.shadowRoot.activeElement !== null;
    // The same request in another call is answered anew, from what was answered and typed before; and so is one that is due again.
    const isAgain = this.#handle !== undefined && this.#ended === undefined && request !== undefined && (asked === this.#before || isSameBut(this.#asked, asked));
    this.#before = undefined;
    const drafts = isAgain ? JSON.parse(/** @type {Handle} */ (this.#handle).drafts() ?? "null") ?? undefined : this.#drafts;
    this.#stop();
    if (asked !== this.#asked || this.#given !== undefined) this.#saved = this.#secrets = undefined;
    // A delivery goes on by itself.
    if (asked !== this.#asked) {
      this.#forget();
      this.#ended = this.#rejected = this.#told = this.#delivery = undefined;
    }
    if (stored) [this.#saved, this.#ended, this.#secrets] = [stored.walk, stored.ended, stored.secrets];
    [this.#asked, this.#made, this.#source] = [asked, made, source];
    if (!stored) this.#saved = this.#given ?? this.#saved;
    const [mine, insists] = [this.#mine, this.#insists];
    if (insists) [this.#saved, this.#secrets] = /** @type {Mine} */ (mine);
    // Restored answers have to be sent, and so has a stored walk that the host lacks.
    this.#isBased = insists || (stored !== undefined && this.#given !== undefined);
    this.#insists = false;
    this.#isGiven = !stored && this.#given !== undefined;
    this.#given = this.#mine = undefined;
    const putOff = this.#putOff.get(/** @type {Entry} */ (this.#entry));
    if (putOff) [[this.#saved, this.#secrets], this.#ended, this.#delivery] = putOff;
    this.#putOff.delete(/** @type {Entry} */ (this.#entry));
    this.#makePlace();
    const all = { nonce: nonce(), drafts, ...options, label };
    this.#begins();
    this.#nonce = all.nonce;
    try {
      /** @type {Script} */
      const script = (...said) => (said.length ? this.#words.speak(...said) : this.#pull());
      this.#handle = mount(this.#parent, request, this.#dialect(), JSON.stringify(all), this.#saved, this.#secrets, script, false);
    } catch (error) {
      this.#parent.remove();
      this.#fail(error);
      return this.#skip();
    }
    const handle = this.#handle;
    this.#direct(this.#parent);
    if (isRich) this.#plain = rich(this.#parent, this.#words);
    handle.hold(undo > 0);
    if (this.#closed) this.#handle.showBefore(this.#closed);
    this.#closed = undefined;
    this.#showQueue();
    if (this.#handle.needsSchemas()) this.#fetchChecker();
    // For a large request, making its events takes as long as showing its question: the question is painted first.
    if (isLarge(request ?? "")) painted().then(() => handle === this.#handle && this.#pull());
    else this.#pull();
    if (source) this.#followSource(source, handle);
    if (this.#delivery) this.#showDelivery(.../** @type {Parameters<Show>} */ (this.#delivery.state));
    if (focused) this.#handle?.focus();
    // What could not be put into the fields is taken up with the walk, by another form.
    const typed = put?.(this.#parent);
    if (typed) this.#takeUp(/** @type {SavedWalk} */ ({ ...this.walk, typed: { .../** @type {SavedWalk} */ (this.walk).typed, ...typed } }));
    if (mine && !insists) this.#offer(mine);
    // It was handed over before the page was loaded.
    if (stored?.ended !== undefined) this.#over();
  }

  /**
   * Lets a form grow with its request. At the end, the text takes the place of the stream.
   * @param {ReadableStream | AsyncIterable<unknown>} source
   * @param {Handle} handle
   */
  async #followSource(source, handle) {
    const { follow } = await writing();
    follow(source, (piece, whole, fault) => {
      // Another form may follow it by now, and none may while the element is not on a page.
      const isHere = handle === this.#handle;
      if (source !== this.#request || (this.#handle && !isHere)) return false;
      if (whole !== undefined) {
        if (fault) this.#fail(fault);
        this.#request = fault ? `not JSON: ${fault.message}` : whole;
        this.#writer = this.#source = undefined;
        const wanted = isHere && this.#wanted();
        if (!wanted) return false;
        [this.#asked, this.#made, this.#isBased] = [wanted.asked, wanted.made, true];
      }
      if (!isHere) return true;
      const isEnough = fault ? handle.fail(fault.message) : !handle.write(piece);
      if (handle.needsSchemas()) this.#fetchChecker();
      if (whole !== undefined && this.#ended === undefined) this.#keep(this.#here());
      return !isEnough || "enough";
    });
  }

  /**
   * Says that the form shows what was done elsewhere, and offers what was done here.
   * @param {Mine} mine
   */
  #offer(mine) {
    this.#notice = this.#notify("alert", ELEMENT_ELSEWHERE, ELEMENT_MINE, () => {
      [this.#mine, this.#given, this.#insists] = [mine, mine[0], true];
      this.#settle();
    });
    this.#parent.before(this.#notice);
  }

  /**
   * A line of the element's own, perhaps with a button.
   * @param {"alert" | "status"} role
   * @param {Word} word
   * @param {Word} [label]
   * @param {() => void} [act]
   */
  #notify(role, word, label, act) {
    const notice = document.createElement("p");
    const text = notice.appendChild(document.createTextNode(""));
    notice.className = "notice";
    notice.setAttribute("role", role);
    this.#direct(notice);
    this.#words.follow(notice, () => (text.data = this.#words.say(word)));
    if (!label) return notice;
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.setAttribute("part", "button");
    button.addEventListener("click", /** @type {() => void} */ (act));
    this.#words.follow(button, () => (button.textContent = this.#words.say(label)));
    notice.append(" ", button);
    return notice;
  }

  /**
   * Reports what the host has done wrong.
   * @param {any} error
   */
  #fail(error) {
    const fault = new TypeError(typeof error === "string" ? error : error.message);
    reportError(fault);
    this.#tell("error", { error: fault });
  }

  /**
   * Reports that answers could not be kept, and lets the person know while they can still send them.
   * @param {unknown} error
   */
  #warn(error) {
    this.#fail(error);
    if (!this.#handle || this.#ended !== undefined || this.#unkept?.isConnected) return;
    this.#unkept = this.#notify("alert", ELEMENT_UNKEPT);
    this.#parent.before(this.#unkept);
  }

  /** Says that the module could not be fetched, and offers to try again. */
  #showUnloaded() {
    // A form that is posted needs no script.
    if (this.#rendered && this.shadowRoot.querySelector("form[action]")) return;
    this.#stop();
    this.shadowRoot.replaceChildren(this.#notify("alert", ELEMENT_UNLOADED, TRY_AGAIN, () => this.#settle()));
  }

  /** @returns {{ [name: string]: any }} */
  #options() {
    // What the core knows nothing of.
    const { assistant, deliver, undo, markdown, layout, words, fetch, credentials, storage, now, ...options } = /** @type {Host & { [name: string]: any }} */ (this.#host);
    const id = this.getAttribute("tool-call-id");
    const label = this.getAttribute("label");
    const turn = this.#passed ?? this.#givenTurn;
    if (id !== null) options.toolCallId = id;
    if (label !== null) options.label = label;
    if (turn !== undefined) options.turn = turn;
    if (!this.#entry) return options;
    // The call of what is due is the one that is answered, whatever else names one.
    const { call } = this.#entry;
    if (call === undefined) return { ...options, ...this.#entry.options };
    const { tool_call_id, ...due } = /** @type {{ [name: string]: any }} */ ({ ...options, ...this.#entry.options, toolCallId: call });
    return due;
  }

  /** @returns {string | undefined} */
  #dialect() {
    return this.#entry?.dialect ?? this.getAttribute("dialect") ?? undefined;
  }

  /**
   * Keeps how far the person has come. What a form begins with is kept already.
   * @param {Here} here
   * @param {boolean} [now]
   */
  #keep(here, now) {
    const { call, saveUrl: url } = here;
    // What begins to keep it later has not got it.
    if (!hosted) return void (this.#isBased = true);
    if (!this.#keeping?.is(this.#made, url)) {
      const before = this.#keeping;
      const version = before?.version ?? this.#entry?.version ?? this.getAttribute("save-version") ?? undefined;
      // What was not kept yet, is kept of the form as it is now.
      if (before?.stop()) this.#isBased = true;
      const question = /** @type {import("./keeping.js").Question} */ ({ asked: this.#asked, made: this.#made, url, version, events: here.eventsUrl, ended: this.#ended });
      // What is said of a question comes late where another one is shown.
      /** @type {import("./keeping.js").Keeping | undefined} */
      let keeping;
      const isShown = () => !keeping || this.#keeping === keeping;
      const { host } = /** @type {Begun} */ (this.#begun);
      keeping = this.#keeping = new hosted.Keeping(question, {
        // The walk that was set last may be for the question that comes next.
        walk: () => (this.#handle && isShown() ? (this.#isAsked() ? this.walk : JSON.parse(this.#handle.save() ?? "null") ?? undefined) : undefined),
        host: () => (isShown() ? /** @type {Begun} */ (this.#begun).host : host),
        follow: (walk, isClean) => isShown() && this.#follow(walk, isClean),
        close: (how) => {
          if (this.#ended !== undefined || !this.#handle || !isShown()) return;
          this.#close(how, this.#call());
          this.#over();
        },
        kept: () => isShown() && this.#unkept?.remove(),
        unkept: (error) => isShown() && this.#warn(error),
      }, before);
      if (this.#isHeard && this.#asked !== undefined) this.#kept.set(/** @type {Entry} */ (this.#entry).id, [...(this.#kept.get(/** @type {Entry} */ (this.#entry).id) ?? []), keeping]);
    }
    const kept = /** @type {import("./keeping.js").Keeping} */ (this.#keeping);
    if (this.#isBased) return kept.changed(call, now);
    this.#isBased = true;
    kept.began(/** @type {SavedWalk | undefined} */ (this.#entry?.walk));
  }

  /** Whether what is set is what is shown. */
  #isAsked() {
    return tried(() => JSON.stringify([this.#text() ?? this.#streams, this.#dialect(), this.#call()])) === this.#asked;
  }

  /**
   * What the host's storage has of this question, where the walk that a host has set, if any, has not come further.
   * @param {string} asked
   */
  async #stored(asked) {
    const { storage } = this.#host;
    if (!storage || asked === this.#asked) return undefined;
    try {
      return await /** @type {typeof import("./hosted.js")} */ (hosted).stored(storage, asked, this.#given);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Takes note of what the form is begun with, or what it still lacked, and of the host as it is now.
   * @param {Partial<Begun>} before
   */
  #begins(before = {}) {
    const begun = /** @type {Begun} */ ({ call: this.#call(), host: this.#host });
    for (const [name, attribute] of /** @type {[keyof typeof ADDRESSES, string][]} */ (Object.entries(ADDRESSES))) begun[name] = before[name] ?? this.getAttribute(attribute);
    this.#begun = begun;
    this.#tellBegun();
  }

  /** Lets whoever has put the element on the page know that what was set holds from now on. Internal. */
  #tellBegun() {
    this.dispatchEvent(new CustomEvent("ask-user-begun"));
  }

  /**
   * Where what the person does goes to.
   * @returns {Here}
   */
  #here() {
    const begun = /** @type {Begun} */ (this.#begun);
    return { ...begun, isHeard: begun.eventsUrl !== null };
  }

  /** @returns {string} */
  #call() {
    const { tool_call_id, toolCallId } = this.#options();
    return tool_call_id ?? toolCallId ?? "call_1";
  }

  #stop() {
    this.#countdown?.();
    this.#expiresAt = undefined;
    this.#ahead?.remove();
    this.#ahead = undefined;
    clearTimeout(this.#rejecting?.timer);
    this.#rejecting = undefined;
    this.#leave();
    for (const layers of this.#editors.values()) layers.destroy();
    this.#editors.clear();
    this.#plain?.();
    this.#plain = undefined;
    this.#step = undefined;
    const handle = this.#handle;
    if (!handle) return;
    [this.#saved, this.#secrets] = this.#own();
    // A walk whose request is still being written cannot be taken up: what was answered is in the fields again.
    if (this.#source && this.#source === this.#request) {
      const drafts = handle.drafts();
      this.#saved = undefined;
      // One that was rejected before its first question leaves none.
      if (drafts !== undefined) this.#drafts = JSON.parse(drafts);
    }
    this.#turn = this.turn;
    // Freed once nothing of it is under way: it may be the form's own listener or effect that led here.
    setTimeout(() => handle.free());
    this.#handle = this.#verdict = undefined;
    this.#parent.remove();
  }

  async #fetchChecker() {
    const handle = /** @type {Handle} */ (this.#handle);
    try {
      // On their way with it; without them, the text area does the whole job.
      for (const layer of layers()) layer();
      const compileSchema = await checkerFor(/** @type {string} */ (this.#asked));
      if (handle !== this.#handle) return;
      const { violated } = await validator();
      /** @type {(id: string) => any} */
      const schema = (id) => JSON.parse(this.#handle?.schemaOf(id) ?? "true");
      this.#words.violated = (violation) => violated(this.#words, violation, schema);
      handle.checkSchemas(compileSchema);
    } catch {
      if (handle === this.#handle) handle.schemasFailed();
    }
  }

  /** Takes what is new from the form, and reports it. */
  #pull() {
    const handle = this.#handle;
    if (!handle) return;
    // A host that was changed in place needs it from now on. Nothing is told, and so nothing is lost, before it is there.
    if (!hosted && this.#isHosted()) {
      /** @type {(there: typeof import("./hosted.js")) => void} */
      const pull = (there) => ((hosted = there), handle === this.#handle && this.#pull());
      return void hosting().then(pull, (error) => (reportError(error), handle === this.#handle && this.#showUnloaded()));
    }
    if (!handle.isHeld()) {
      this.#holdNoMore();
      const verdict = this.#verdict;
      this.#verdict = undefined;
      if (verdict) queueMicrotask(() => handle === this.#handle && handle.assistant(...verdict));
    } else {
      const { undo, deliver } = /** @type {Begun} */ (this.#begun).host;
      this.#undoing ??= setTimeout(() => this.#release(), /** @type {number} */ (undo) * 1_000);
      // A page that is closed waits for no function of the host.
      if (deliver) /** @type {typeof import("./hosted.js")} */ (hosted).stay(this, true);
    }
    const { rejected, ready, records = [], step, typed, outcome, again } = JSON.parse(handle.changes());
    if (again === "delivery") this.#delivery?.again();
    if (again === "schemas") this.#fetchChecker();
    if (again === "ending") this.#reopens();
    const drafts = rejected || outcome ? handle.drafts() : undefined;
    if (drafts !== undefined) this.#drafts = JSON.parse(drafts);
    if (rejected) {
      const { problems, message } = rejected;
      const isTold = !this.#tell("rejected", { problems, message, toolResult: rejected });
      if (handle === this.#handle) this.#reject(isTold, rejected);
    }
    // What was set since makes a form of what was rejected.
    if (ready && this.#rejected !== undefined) this.#ended = this.#rejected = this.#delivery = undefined;
    // A form that is put back after its end has nothing more to say.
    if (ready) steps();
    if (ready) this.#expiresAt = ready.expiresAt;
    if (this.#expiresAt && ready) this.#countDown();
    if (ready && this.#ended === undefined) this.#tell("ready", ready);
    for (const record of records) this.#tell("record", { record });
    if (step) this.#notice?.remove();
    // A form that was taken off the page and put back is at a step that was told before.
    const said = step && JSON.stringify(step);
    if (step && said !== this.#told) this.#tell("step", { step });
    this.#told = said ?? this.#told;
    if (typed) this.#tell("draft", {});
    if (handle !== this.#handle) return;
    const here = this.#here();
    if ((step || typed) && !this.#source) this.#keep(here, outcome !== undefined);
    if (step) this.#consult(handle, step);
    this.#step = step ?? this.#step;
    // The view follows in microtasks.
    if (["schema", "approval"].includes(/** @type {string} */ (/** @type {Partial<Asking> | undefined} */ (this.#step)?.question?.type))) setTimeout(() => handle === this.#handle && this.#edit(handle));
    // A walk that had ended before it was set was told when it ended.
    if (outcome) this.#end(handle, outcome, here, Boolean(ready) && this.#isGiven);
  }

  /**
   * Puts the fields and the editor over each text area for JSON: that of a question, and those of tool calls.
   * @param {Handle} handle
   */
  #edit(handle) {
    for (const [area, layers] of this.#editors) {
      if (area.isConnected) continue;
      layers.destroy();
      this.#editors.delete(area);
    }
    for (const area of /** @type {NodeListOf<HTMLTextAreaElement>} */ (this.shadowRoot.querySelectorAll("textarea.json"))) if (!this.#editors.has(area)) this.#cover(handle, area);
  }

  /**
   * @param {Handle} handle
   * @param {HTMLTextAreaElement} area
   */
  #cover(handle, area) {
    const { call } = area.dataset;
    /** @type {(text: string) => import("./layers.js").Refusal | undefined} */
    const check = (text) => {
      const refusal = handle === this.#handle ? handle.check(text, call) : undefined;
      if (!refusal) return undefined;
      const said = JSON.parse(refusal);
      for (const one of [said, ...(said.details ?? [])]) one.message = this.#words.text(JSON.parse(one.message));
      return said;
    };
    // Where the editor could not be had, the person can have it fetched again. The text area does the whole job meanwhile.
    /** @type {(again: () => void) => void} */
    const missing = (again) => {
      const said = this.#notify("status", ELEMENT_PLAIN, TRY_AGAIN, () => {
        said.remove();
        again();
      });
      area.after(said);
    };
    const id = call ?? /** @type {Asking} */ (this.#step).question.id;
    const schema = handle.schemaOf(id) ?? "true";
    this.#editors.set(area, new Layers(area, { id, schema, compile: checker, check, missing, words: this.#words }));
  }

  /**
   * Asks the host's assistant where a question is put to one. Without one, or when it fails, the person is next.
   * @param {Handle} handle
   * @param {Step} step
   */
  async #consult(handle, step) {
    const turn = ++this.#consulting;
    if (/** @type {Partial<Asking>} */ (step).asks !== "assistant") return;
    let [verdict, record] = /** @type {[import("../types/core.js").Verdict | undefined, string]} */ ([undefined, ""]);
    const { assistant } = /** @type {Begun} */ (this.#begun).host;
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

  /**
   * How to ask the assistant: the headless package knows it, and is fetched for that.
   * @param {Handle} handle
   * @returns {Promise<Consultation>}
   */
  async #consultation(handle) {
    const { layout, ...options } = /** @type {{ [name: string]: any }} */ ({ ...this.#options(), dialect: this.#dialect() });
    const saved = handle.save();
    const { secrets } = JSON.parse(/** @type {string} */ (handle.response()));
    const { load } = await headless();
    const { resume } = await load(source("core"));
    return /** @type {Consultation} */ (resume(this.#request, /** @type {string} */ (saved), options, secrets).consultation);
  }

  /**
   * Tells and delivers an ending. One that was `told` before is told to nobody. It is only sent, with its own key: the server may not have got it. A function of the page hears it again where the element
   * itself may have kept it.
   * @param {Handle} handle
   * @param {Outcome} outcome
   * @param {Here} here
   * @param {boolean} told
   */
  #end(handle, outcome, here, told) {
    const idempotencyKey = /** @type {string} */ (handle.idempotencyKey());
    if (idempotencyKey === this.#ended) return;
    const { result, secrets = {} } = outcome;
    const detail = { outcome, result, resultText: handle.result(), secrets, idempotencyKey, toolCallId: here.call };
    const { deliver } = here.host;
    const isKept = !told || !deliver || deliver.again || here.saveUrl !== null || here.isHeard;
    const sends = isKept ? hosted?.attempt(detail, () => JSON.parse(/** @type {string} */ (handle.response())), here) : undefined;
    this.#ended = idempotencyKey;
    this.#countdown?.();
    this.#unkept?.remove();
    const done = this.#keeping?.ends(outcome, idempotencyKey, Object.keys(secrets));
    const isEndOfTurn = outcome.ends === "turn_ended";
    if (sends) this.#deliver(sends, idempotencyKey, done);
    if (!told) this.#tell(isEndOfTurn ? "end-turn" : "result", detail);
    if (!sends) done?.();
    if (idempotencyKey !== this.#ended) return;
    // A question that the agent does not wait for ends alone.
    if (isEndOfTurn && this.#options().blocking !== false) this.#endTurn();
    else if (!sends) this.#over();
  }

  /**
   * Takes the rejection of a request to the host once, where the page has not said that it `isTold`. It waits a moment: what is set meanwhile may make a form of the request.
   * @param {boolean} isTold
   * @param {import("../types/core.js").ToolResult} rejected
   */
  #reject(isTold, rejected) {
    if (this.#ended !== undefined) return;
    const here = this.#here();
    const detail = !isTold && hosted?.rejection(rejected, [this.#asked, this.#nonce], here.call);
    const sends = detail && /** @type {typeof import("./hosted.js")} */ (hosted).attempt(detail, () => ({ rejected }), here);
    if (!sends) return this.#over();
    const { idempotencyKey } = detail;
    const send = () => {
      clearTimeout(/** @type {{ timer: ReturnType<typeof setTimeout> }} */ (this.#rejecting).timer);
      this.#rejecting = undefined;
      this.#ended = this.#rejected = idempotencyKey;
      this.#deliver(sends, idempotencyKey);
    };
    this.#rejecting = { send, timer: setTimeout(send, REJECTED) };
  }

  /**
   * Takes the end to the host, whether the form stays on the page or not.
   * @param {Attempt} sends
   * @param {string} idempotencyKey
   * @param {() => void} [done]
   */
  #deliver(sends, idempotencyKey, done) {
    this.#delivery = new /** @type {typeof import("./hosted.js")} */ (hosted).Delivery(sends, (state, message, isRefused) => {
      const isShown = idempotencyKey === this.#ended;
      if (isShown) this.#showDelivery(state, message, isRefused);
      if (isShown) queueMicrotask(() => this.#showQueue());
      if (state === "sent") done?.();
      const detail = { state, message, idempotencyKey };
      this.#tell("delivery", detail);
      if (isShown && state === "sent" && idempotencyKey === this.#ended) this.#over();
      if (this.isConnected) return;
      // Whoever has taken the form off the page may listen there.
      this.ownerDocument.dispatchEvent(new CustomEvent("ask-user-delivery", { detail }));
      if (state === "failed") reportError(new Error(`An answer could not be sent. ${message ?? ""}`.trim()));
    });
  }

  /** The host has refused the ending, and the person goes on from the step before it. */
  #reopens() {
    this.#delivery?.stop();
    this.#keeping?.reopens();
    this.#ended = this.#told = this.#delivery = undefined;
    if (this.#expiresAt) this.#countDown();
  }

  /** @type {Show} */
  #showDelivery(state, message, isRefused) {
    this.#handle?.showDelivery(isRefused ? "refused" : state, OWN.has(message) ? this.#words.say(/** @type {Word} */ (OWN.get(message))) : message);
  }

  /**
   * Whether nobody has prevented what follows.
   * @param {string} name
   * @param {object} detail
   * @returns {boolean}
   */
  #tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(`ask-user-${name}`, { detail, bubbles: true, composed: true, cancelable: name === "rejected" }));
  }
}

/** A text that no other form has, in this tab or another. It makes idempotency keys unique; a saved walk keeps its own. */
function nonce() {
  // Pages that are not secure (http) have no randomUUID.
  return crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
}
