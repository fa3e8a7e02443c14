/**
 * The class of the custom element <ask-user>. It adapts the form in wasm to the page: its properties and attributes, what is due, and what is shown. `shown.js` is one form, `asked.js` what is known of its answer, `speech.js` the language.
 *
 * Properties: `request` (object or JSON text; or a stream of its text while an agent still writes it: a ReadableStream, an async iterable, or by hand `write(piece)` and `end()`), or `requests` (several that are due at once: one form after the other, each end with its own tool call id), `host` (the host's options; `assistant(step, consultation)` among them
 * gives, or promises, the verdict of an assistant that is asked in the person's place, and `deliver(end, { signal })` takes the result, or throws), `walk` (the saved walk; set it to resume),
 * `turn` (what the next form of the turn begins with; set it to begin with that), `records` (the audit trail so far), `drafts` (what the same questions of the next request start from, after a Reply or a rejection), `receipt` (`{ request, walk }`: a saved walk,
 * shown read-only).
 * `host.fetch` (with the signature of fetch) and `host.credentials` are for what the element sends by itself; `host.storage` (`get(key)`, `set(key, text)`) keeps
 * in the browser how far the person has come, without secrets.
 * The form speaks the language of `lang`, at the element or around it; `host.words` (texts by key, listed in docs/words.md) are said instead.
 * `host.layout`: "auto" (the default), "steps", "page" or "tabs" (docs/layout.md).
 * `host.markdown: false` leaves the Markdown of agents as the text it is.
 * With `host.undo` (seconds, at most 60) the end of the form waits that long before it is told or sent, and the person can undo it; it is told at once when
 * the element or the page goes away.
 * Setting a property or attribute to an equal value does nothing. Of `host`, `label`, `words`, `undo`, `fetch`, `credentials`, `storage`, `assistant` and `deliver` change in place. Another request,
 * dialect or tool call id asks anew; any other option reads the request again and goes on with the same walk, without what stands in a secret's field.
 * Attributes: `request` (JSON text), `dialect`, `tool-call-id`, `label`; `respond-url` and `cancel-url`, to which the result is sent; `events-url`, from
 * which the element hears of questions by itself (it then sends its whole walk instead of the result, for the host to read
 * again); `save-url`, where it keeps how far the person has come, and `save-version`, the ETag of the walk that was set; `shortcuts`: "off" leaves plain letters and digits without a meaning; `density`: "compact" or "spacious";
 * `foldable`, which offers to put the form away, and `folded`, which does, as the property of that name; `keep-receipts`, which leaves the receipts of what has ended above what comes next.
 * Events, all bubbling and composed, their details typed in `types/ask-user.d.ts`: `ask-user-ready`, `ask-user-step`,
 * `ask-user-draft`, `ask-user-record`, `ask-user-result`, `ask-user-end-turn`, `ask-user-rejected`, `ask-user-error`, `ask-user-closed`,
 * `ask-user-delivery` (at the document, too, where the element is off the page), `ask-user-fold`; and
 * `ask-user-removed`, which does not bubble, once it has been taken off the page.
 * Custom properties: `--ask-user-accent`, `--ask-user-on-accent`, `--ask-user-text`, `--ask-user-muted`, `--ask-user-surface`, `--ask-user-line`, `--ask-user-control`,
 * `--ask-user-error`, `--ask-user-warning`, `--ask-user-success`, `--ask-user-space`, `--ask-user-radius`, `--ask-user-font`, `--ask-user-font-size`, `--ask-user-mono`.
 * Parts: `base`, `notice`, `label`, `progress`, `question`, `header`, `context`, `option`, `radio`, `checkbox`, `preview`,
 * `input`, `editor`, `problems`, `error`, `button`, `primary`, `reply`, `keys`, `receipt`, `delivery`, `count`,
 * `deadline`, `message`, `address`, `host`, `warning`, `advice`, `closed`, `actions`, `bar`, `dialog`, `note`, `arguments`, `put-away`, `folded`, `question-tabs`, `question-tab`.
 */
import style from "../build/style.js";
import { ELEMENT_REQUEST, ELEMENT_SLOW, ELEMENT_UNLOADED, NO_RECEIPT, TRY_AGAIN } from "../build/words.js";
import { ADDRESSES, Asked } from "./asked.js";
import { optionsText, requestText } from "./core/values.js";
import { fetchAnew } from "./demand.js";
import { EXTRAS, checkerFor, hosted, hosting, load, mount, rendered, writing } from "./modules.js";
import { painted } from "./painted.js";
import { past } from "./past.js";
import { checkPiece } from "./pieces.js";
import { due, given, Queue } from "./queue.js";
import { isPlain, isWhole, load as loadRest } from "./rest.form.js";
import { isBehind } from "./save.js";
import { Mounted, Shown } from "./shown.js";
import { Speech } from "./speech.js";
import { isGiven } from "./wasm.js";

/**
 * @import { AuditRecord, Drafts, SavedWalk, Turn } from "../types/core.js"
 * @import { DueRequest, Host, Receipt } from "../types/ask-user.js"
 * @import { Handle } from "../build/web/ask_user_web.js"
 * @import { Begun, Mine } from "./asked.js"
 * @import { Show } from "./delivery.js"
 * @import { Keeping, Stored } from "./keeping.js"
 * @import { Entry } from "./queue.js"
 * @import { Owner } from "./shown.js"
 */

/**
 * What a form is to be made of: the request as text, if it is not still being written; the call that is asked, and all that the form is made of, as text.
 * @typedef {{ request: string | undefined, options: object, label?: string, undo: number, isRich: boolean, asked: string, made: string }} Wanted
 */

export { initialize } from "./wasm.js";
export { preload, registerDialect } from "./modules.js";

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
const CHOICES = { credentials: ["same-origin", "omit", "include"], markdown: [true, false], layout: ["auto", "steps", "page", "tabs"] };

/** After how long, in milliseconds, a person hears that the form is still loading. */
const LATE = 3_000;
/** For how many seconds an ending can be held. */
const LONGEST_UNDO = 60;

/**
 * Forms that were shown before all of the wasm was there. Each is freed when it is.
 * @type {Set<Handle>}
 */
const previews = new Set();
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
  static observedAttributes = ["request", "dialect", "tool-call-id", "label", ...Object.keys(EXTRAS), ...Object.values(ADDRESSES)];

  /** @type {unknown} */
  #request;
  /** Counts the requests that were set while they were still being written; and takes what `write` adds to the last one. */
  #streams = 0;
  /** @type {ReadableStreamDefaultController<string | ArrayBuffer | ArrayBufferView> | undefined} */
  #writer;
  /** @type {Host} */
  #host = {};
  /**
   * The walk that a host has set, as text, until a form takes it up.
   * @type {string | undefined}
   */
  #given;
  /**
   * The turn that a host has set, and that of the form that was shown last.
   * @type {Partial<Turn> | undefined}
   */
  #givenTurn;
  /** @type {Partial<Turn> | undefined} */
  #turn;
  /**
   * What the next form starts from: what was in one that ended with Reply, was rejected or has expired.
   * @type {Drafts | undefined}
   */
  #drafts;
  /**
   * A walk that is shown, read-only, in place of a form.
   * @type {Receipt | undefined}
   */
  #receipt;

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
   * Those that could not be sent and wait again.
   * @type {WeakMap<Entry, Asked>}
   */
  #putOff = new WeakMap();
  /**
   * What the next request in the queue begins with, of the one before it.
   * @type {Partial<Turn> | undefined}
   */
  #passed;
  /**
   * What is kept of each question that a host has said is due, by its id.
   * @type {Map<string, Keeping[]>}
   */
  #kept = new Map();
  /** @type {{ stop(): void } | undefined} */
  #events;
  /**
   * The line that says how many requests are due, and the one that offers the next.
   * @type {HTMLElement | undefined}
   */
  #count;
  /** @type {HTMLElement | undefined} */
  #offered;

  /**
   * The form or the receipt that is shown, and the question that was shown last.
   * @type {Mounted | undefined}
   */
  #mounted;
  /** @type {Asked | undefined} */
  #asked;
  /** Whether the next request is chosen, but not shown yet. */
  #isNext = false;
  /**
   * This page's walk and secrets before it followed another tab or device, and whether the person wants them back.
   * @type {Mine | undefined}
   */
  #mine;
  #insists = false;
  /**
   * Why the question that was shown is open no more, until the next one says so.
   * @type {string | undefined}
   */
  #closed;
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
  /** Counts what was begun to bring the form in line with what was set: only the last counts. */
  #starting = 0;

  #speech = new Speech(this, { given: () => this.#host.words, changed: () => this.#mounted?.handle.settle(), fault: (why) => this.#fail(why) });
  /**
   * What was fetched for attributes that few pages set.
   * @type {Set<(typeof EXTRAS)[keyof typeof EXTRAS]>}
   */
  #extras = new Set();
  /** Whether it was on a page before, and whether it is about to be seen whether it stays off it. */
  #isSetUp = false;
  #removing = false;
  /**
   * What in the form has the focus, and keeps it when the element is moved.
   * @type {HTMLElement | undefined}
   */
  #focused;

  /** @type {Owner} */
  #owner = {
    element: this,
    speech: this.#speech,
    shown: () => this.#shown,
    walk: () => this.walk,
    request: () => this.#request,
    dialect: () => this.#dialect(),
    options: () => this.#options(),
    isHosted: () => this.#isHosted(),
    isHeard: () => this.#isHeard,
    isSet: (text) => tried(() => JSON.stringify([this.#text() ?? this.#streams, this.#dialect(), this.#call()])) === text,
    isCurrent: (asked) => asked === this.#current,
    ending: () => this.#current?.ending,
    version: () => this.#entry?.version ?? this.getAttribute("save-version") ?? undefined,
    given: () => /** @type {SavedWalk | undefined} */ (this.#entry?.walk),
    tell: (name, detail) => this.#tell(name, detail),
    fail: (error) => this.#fail(error),
    leave: (drafts) => (this.#drafts = drafts),
    delivers: (...state) => {
      this.#showDelivery(...state);
      queueMicrotask(() => this.#showQueue());
    },
    over: () => this.#over(),
    endTurn: () => this.#endTurn(),
    unload: () => this.#showUnloaded(),
    follow: (walk, isClean) => this.#follow(walk, isClean),
    close: (how) => {
      this.#close(how, this.#call());
      this.#over();
    },
    keeps: (keeping) => {
      const id = this.#isHeard ? this.#entry?.id : undefined;
      if (id !== undefined) this.#kept.set(id, [...(this.#kept.get(id) ?? []), keeping]);
    },
    takeUp: (mine) => {
      [this.#mine, this.#given, this.#insists] = [mine, mine[0], true];
      this.#settle();
    },
    written: (request, form) => {
      this.#request = request;
      this.#writer = undefined;
      return form === this.#mounted ? this.#wanted() : undefined;
    },
  };

  /** The form that is shown; nothing where a receipt is. */
  get #shown() {
    return this.#mounted instanceof Shown ? this.#mounted : undefined;
  }

  /** The question that is asked, once it is shown: not the one before it. */
  get #current() {
    return this.#isNext ? undefined : this.#asked;
  }

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
    const ending = this.#current?.ending;
    const isUnsent = ending?.delivery && ending.delivery.state[0] !== "sent";
    const stays = this.#entry && (ending === undefined ? this.#queue.knows(this.#entry.id) && !this.#queue.open.length : isUnsent || !this.#queue.open.length);
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
    const saved = this.#given ?? this.#mounted?.handle.save() ?? this.#asked?.own[0];
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
    const turn = this.#mounted?.handle.turn();
    return turn === undefined ? this.#turn ?? this.#givenTurn : JSON.parse(turn);
  }
  /** @param {Partial<Turn> | null | undefined} turn */
  set turn(turn) {
    if (turn != null && JSON.stringify(turn) === JSON.stringify(this.turn)) return;
    this.#givenTurn = turn ?? undefined;
    this.#passed = undefined;
    this.#settle();
  }

  /** Whether the form is put away. */
  get folded() {
    return this.hasAttribute("folded");
  }
  /** @param {boolean} folded */
  set folded(folded) {
    this.toggleAttribute("folded", Boolean(folded));
  }

  /** Lets those parts know of the attributes that were ever set. */
  async #extend() {
    for (const [name, load] of Object.entries(EXTRAS)) if (this.hasAttribute(name)) this.#extras.add(load);
    const given = { speech: this.#speech, asked: () => /** @type {Receipt} */ ({ request: this.#request, dialect: this.#dialect(), options: this.#options() }) };
    for (const load of this.#extras) (await load())?.update(this, given);
  }

  /** @returns {AuditRecord[]} */
  get records() {
    return JSON.parse(this.#mounted?.handle.records() ?? "[]");
  }

  connectedCallback() {
    // The form is loaded before there is a request, unless the host hands it in: the script that defines the element may do so after this. It is the first thing that the
    // page does next, so that the download begins as soon as it can.
    queueMicrotask(() => isGiven("form") || load().catch(() => {}));
    // Properties that were set before the element was defined.
    for (const name of ["folded", "host", "request", "requests", "walk", "turn", "drafts", "receipt"]) {
      if (Object.hasOwn(this, name)) {
        const value = /** @type {any} */ (this)[name];
        delete /** @type {any} */ (this)[name];
        /** @type {any} */ (this)[name] = value;
      }
    }
    if (!this.#isSetUp) {
      this.#isSetUp = true;
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
    this.#speech.watch();
    this.#extend();
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
      this.#speech.unwatch();
      this.#stop();
      this.#asked?.forget();
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
    if (name in EXTRAS) return void this.#extend();
    if (name !== "events-url") return this.#settle();
    this.#events?.stop();
    this.#events = undefined;
    if (this.isConnected) this.#listen();
  }

  /** Hands over what waits. */
  #leave = () => this.#shown?.leave();

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
        (open) => this.#mounted?.handle.showConnection(open),
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
    return [storage, deliver, this.#asked?.begun?.saveUrl, ...Object.values(ADDRESSES).map((name) => this.getAttribute(name))].some((one) => one != null);
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
      const own = this.#current?.ending?.key;
      const ours = own !== undefined && (key === undefined || key === own);
      if (!ours) this.#close(how, shown.call);
    }
    // Shown or not: what the storage has of it would answer, or show a receipt, if it were due again.
    for (const [id, all] of this.#kept) if (!entries.some((entry) => entry.id === id) && this.#kept.delete(id)) for (const keeping of all) keeping.drop();
    // The stream was cut, and another device has gone on meanwhile.
    if (now?.walk) this.#current?.keeping?.hears(/** @type {SavedWalk} */ (now.walk), now.version);
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
    this.#isNext = true;
    this.#settle();
    return true;
  }

  /** What is shown has come to its end here: the next one is shown, if one waits. */
  #over() {
    // The end of the one before may come when the next one is chosen already.
    if (!this.#entry || this.#isNext) return;
    this.#queue.ends(this.#entry);
    this.#showQueue();
    if (!this.#queue.open.length) return;
    // A host that is heard reads each answer again, and says itself what its form begins with.
    if (!this.#isHeard) this.#passed = this.turn;
    this.#next();
  }

  /** The turn is over, and with it what waits. A host that is heard says itself what is still due. */
  #endTurn() {
    if (!this.#entry || this.#isHeard || this.#isNext) return;
    for (const entry of this.#queue.open) {
      this.#queue.ends(entry);
      if (entry !== this.#entry) this.#tell("closed", { how: "turn_ended", toolCallId: entry.call });
    }
    this.#showQueue();
  }

  /** What is shown cannot be asked: that was reported. */
  #skip() {
    // What is known is of the question before it.
    if (this.#isNext) this.#forget();
    this.#isNext = false;
    this.#over();
  }

  /** Says how many requests are due, where there are several, and offers the next one where the end of this one cannot be sent. */
  #showQueue() {
    this.#count?.remove();
    this.#offered?.remove();
    if (!this.#shown || this.#isNext) return;
    const place = this.#isDue && this.#queue.place;
    if (place) {
      const [at, of] = place;
      const { words } = this.#speech;
      const count = (this.#count = this.#speech.direct(document.createElement("p")));
      count.className = "hint";
      count.setAttribute("part", "count");
      this.#shown.place.before(count);
      words.follow(count, () => (count.textContent = words.say(ELEMENT_REQUEST, { at, of })));
    }
    if (this.#asked?.ending?.delivery?.state[0] !== "failed" || !this.#queue.open.some((entry) => entry !== this.#entry)) return;
    this.#offered = hosted?.waits(this.#speech, () => {
      // It comes again after the others, as it was.
      this.#putOff.set(/** @type {Entry} */ (this.#entry), /** @type {Asked} */ (this.#asked));
      this.#queue.putOff(/** @type {Entry} */ (this.#entry));
      this.#next();
    });
    this.#shown.place.after(/** @type {HTMLElement} */ (this.#offered));
  }

  /**
   * Closes the form, for the question was ended elsewhere, or has expired. One that is not shown yet is not shown at all.
   * @param {string} how
   * @param {string | undefined} call
   */
  #close(how, call) {
    /** @type {Drafts} */
    let left = {};
    this.#current?.close();
    if (this.#shown && !this.#isNext) {
      this.#closed = how;
      left = this.#shown.close(how);
    } else {
      this.#request = undefined;
      this.#settle();
    }
    this.#count?.remove();
    this.#offered?.remove();
    this.#tell("closed", { how, toolCallId: call, ...(how === "expired" && { drafts: left }) });
  }

  /**
   * Shows how far the person has come in another tab or on another device. What was done here since, if anything, can be had back.
   * @param {SavedWalk} walk
   * @param {boolean} isClean
   */
  #follow(walk, isClean) {
    // After an end, only the host decides what counts.
    if (!this.#shown || this.#asked?.ending !== undefined || this.#shown.handle.isHeld()) return false;
    this.#mine = isClean ? undefined : this.#shown.own;
    this.#given = JSON.stringify(walk);
    this.#settle();
    return true;
  }

  /** Moves the focus to the open question. */
  focus() {
    const line = this.folded && /** @type {HTMLElement | null} */ (this.shadowRoot?.querySelector(".fold-open"));
    if (line) line.focus();
    else this.#mounted?.handle.focus();
  }

  /** Takes no key and no press before half a second has passed without one, as after anything that moves the form. */
  settle() {
    this.#mounted?.handle.settle();
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
      this.#speech.speak();
      const source = isStream(this.#request) ? /** @type {ReadableStream | AsyncIterable<unknown>} */ (this.#request) : undefined;
      const more = async () => void (await Promise.all([this.#isHosted() && hosting(), source && writing()]));
      const shown = this.#shown;
      const isSame = shown && !this.#isNext && wanted.made === shown.made && !isAnother(this.#given, shown);
      if (isSame && (hosted || !this.#isHosted())) {
        this.#given = this.#mine = undefined;
        shown.handle.freeze(false);
        this.#begins(shown.asked, shown.asked.begun);
        shown.handle.hold(wanted.undo > 0);
        return shown.handle.setLabel(wanted.label ?? undefined);
      }
      // Another form is on its way, or what takes the answers of this one: it takes nothing more.
      this.#mounted?.handle.freeze(true);
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
      notice = this.#speech.notify("status", ELEMENT_SLOW, TRY_AGAIN, () => {
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
    this.#speech.speak();
    /** @type {ReturnType<typeof past>} */
    let shown;
    try {
      shown = past(/** @type {Receipt} */ (this.#receipt), this.#options(), this.#dialect());
    } catch (error) {
      return this.#showUnshown(/** @type {Error} */ (error).message);
    }
    if (shown.made === this.#mounted?.made) return;
    if (!(await this.#waiting(start, () => this.#loaded(start)))) return;
    if (start !== this.#starting || !this.isConnected) return;
    this.#stop();
    this.#forget();
    /** @type {Mounted} */
    let mounted;
    try {
      mounted = this.#mounted = new Mounted(this.#speech, this.#makePlace(), { ...shown, own: [shown.walk, undefined], isRich: this.#host.markdown !== false, past: true });
    } catch (error) {
      return this.#showUnshown(/** @type {Error} */ (error).message);
    }
    const { handle } = mounted;
    const check = () => {
      const { rejected, unresumable = rejected?.message } = JSON.parse(handle.changes());
      if (unresumable) this.#fail(unresumable);
    };
    check();
    if (!handle.needsSchemas()) return;
    try {
      const compileSchema = await checkerFor(shown.request);
      if (mounted.isGone) return;
      handle.checkSchemas(compileSchema);
      check();
    } catch (error) {
      reportError(error);
      if (!mounted.isGone) this.#showUnloaded();
    }
  }

  /** Nothing is known of the question any more. */
  #forget() {
    this.#asked?.forget();
    this.#asked = undefined;
  }

  /** Makes an empty place for a form, and frees the previews once all of the wasm is there. */
  #makePlace() {
    this.#rendered = undefined;
    if (isWhole()) {
      for (const preview of previews) preview.free();
      previews.clear();
    }
    return this.#put(document.createElement("div"));
  }

  /**
   * Puts this in place of all that is there, but for what puts a form away and what keeps receipts.
   * @template {HTMLElement} Part
   * @param {Part} part
   */
  #put(part) {
    for (const child of [...this.shadowRoot.childNodes]) if (/** @type {Partial<HTMLElement>} */ (child).dataset?.stays === undefined) child.remove();
    return this.shadowRoot.appendChild(part);
  }

  /**
   * Says that what the host has set is no receipt.
   * @param {string} why
   */
  #showUnshown(why) {
    this.#stop();
    this.#forget();
    this.#fail(why);
    this.#put(this.#speech.notify("alert", NO_RECEIPT));
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
   * Shows the question while the rest of the wasm is on its way. Nothing can be done with it; the form takes its place, and looks the same.
   * @param {Wanted} wanted
   */
  #preview({ request, options, label, asked }) {
    const isResumed = this.#given !== undefined || this.#drafts !== undefined || (this.#asked?.own[0] !== undefined && asked === this.#asked.text) || this.#host.storage;
    if (this.#mounted || this.#entry || this.#rendered || isResumed || !isPlain(/** @type {string} */ (request), this.#dialect(), options)) return false;
    const parent = (this.#ahead = this.#put(this.#speech.direct(document.createElement("div"))));
    parent.inert = true;
    try {
      previews.add(mount(parent, request, this.#dialect(), JSON.stringify({ ...options, label }), undefined, undefined, this.#speech.script, false));
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
  #start({ request, options, label, undo, isRich, asked: text, made }, stored, source, restore) {
    // What the page came with stands where the form will stand, which looks the same.
    const isPage = this.shadowRoot.querySelector("[data-rendered] [data-page]") !== null;
    const put = restore?.();
    const focused = !put && this.shadowRoot.activeElement !== null;
    const [last, current, shown] = [this.#asked, this.#current, this.#shown];
    // The same request in another call is answered anew, from what was answered and typed before. What is due again after it was closed is, too; after it was answered, it begins from nothing.
    const isAgain = shown && shown.asked.ending === undefined && request !== undefined && (current ? isSameBut(current.text, text) : shown.asked.text === text);
    const drafts = isAgain ? JSON.parse(shown.handle.drafts() ?? "null") ?? undefined : this.#drafts;
    this.#stop();
    // An end that was held was told, and the next question is chosen.
    if (current && this.#isNext) return;
    const [entry, mine, given, insists] = [/** @type {Entry} */ (this.#entry), this.#mine, this.#given, this.#insists];
    const putOff = this.#putOff.get(entry);
    this.#putOff.delete(entry);
    const isSame = current?.text === text;
    /** @type {Mine} */
    let own = given === undefined ? [undefined, undefined] : [given, undefined];
    if (stored) own = [stored.walk, stored.secrets];
    else if (given === undefined && isSame) own = current.own;
    if (insists) own = /** @type {Mine} */ (mine);
    if (putOff) own = putOff.own;
    if (!isSame) last?.forget();
    const asked = isSame ? current : new Asked(text, putOff?.ending ?? (stored?.ended === undefined ? undefined : { key: stored.ended }));
    asked.own = own;
    asked.isPage ||= isPage;
    this.#asked = asked;
    this.#isNext = this.#insists = false;
    this.#given = this.#mine = undefined;
    const place = this.#makePlace();
    const all = { nonce: nonce(), drafts, ...options, label, ...(asked.isPage && { layout: "page" }) };
    this.#begins(asked);
    try {
      const making = { request, dialect: this.#dialect(), options: JSON.stringify(all), own, made, isRich };
      // Restored answers have to be sent, and so has a stored walk that the host lacks.
      const isBased = insists || (stored !== undefined && given !== undefined);
      this.#mounted = new Shown(this.#owner, asked, place, making, { source, isBased, isGiven: !stored && given !== undefined, nonce: all.nonce });
    } catch (error) {
      place.remove();
      this.#fail(error);
      return this.#skip();
    }
    const form = /** @type {Shown} */ (this.#mounted);
    form.handle.hold(undo > 0);
    if (this.#closed) form.handle.showBefore(this.#closed);
    this.#closed = undefined;
    this.#showQueue();
    form.begin(request);
    const { delivery } = asked.ending ?? {};
    if (delivery && asked === this.#current) this.#showDelivery(.../** @type {Parameters<Show>} */ (delivery.state));
    if (focused) this.#mounted?.handle.focus();
    // What could not be put into the fields is taken up with the walk, by another form.
    const typed = put?.(place);
    if (typed) this.#takeUp(/** @type {SavedWalk} */ ({ ...this.walk, typed: { .../** @type {SavedWalk} */ (this.walk).typed, ...typed } }));
    if (mine && !insists) hosted?.offer(this.#owner, form, mine);
    // It was handed over before the page was loaded.
    if (stored?.ended !== undefined) this.#over();
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

  /** Says that the module could not be fetched, and offers to try again. */
  #showUnloaded() {
    // A form that is posted needs no script.
    if (this.#rendered && this.shadowRoot.querySelector("form[action]")) return;
    this.#stop();
    this.#put(this.#speech.notify("alert", ELEMENT_UNLOADED, TRY_AGAIN, () => this.#settle()));
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
   * What the host's storage has of this question, where the walk that a host has set, if any, has not come further.
   * @param {string} asked
   */
  async #stored(asked) {
    const { storage } = this.#host;
    if (!storage || asked === this.#current?.text) return undefined;
    try {
      return await /** @type {typeof import("./hosted.js")} */ (hosted).stored(storage, asked, this.#given);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Takes note of what the form is begun with, or what it still lacked, and of the host as it is now.
   * @param {Asked} asked
   * @param {Partial<Begun>} [before]
   */
  #begins(asked, before = {}) {
    const begun = /** @type {Begun} */ ({ call: this.#call(), host: this.#host });
    for (const [name, attribute] of /** @type {[keyof typeof ADDRESSES, string][]} */ (Object.entries(ADDRESSES))) begun[name] = before[name] ?? this.getAttribute(attribute);
    asked.begun = begun;
    this.#tellBegun();
  }

  /** Lets whoever has put the element on the page know that what was set holds from now on. Internal. */
  #tellBegun() {
    this.dispatchEvent(new CustomEvent("ask-user-begun"));
  }

  /** @returns {string} */
  #call() {
    const { tool_call_id, toolCallId } = this.#options();
    return tool_call_id ?? toolCallId ?? "call_1";
  }

  /** Takes away what is shown. */
  #stop() {
    this.#ahead?.remove();
    this.#ahead = undefined;
    const mounted = this.#mounted;
    if (!mounted) return;
    mounted.dispose();
    this.#turn = this.turn;
    this.#mounted = undefined;
  }

  /** @type {Show} */
  #showDelivery(...state) {
    hosted?.showDelivery(this.#shown?.handle, this.#speech.words, state);
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

/**
 * Whether a saved walk is another than the one on the page.
 * @param {string | undefined} saved
 * @param {Shown} shown
 */
function isAnother(saved, { handle }) {
  if (saved === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(saved)) !== JSON.stringify(JSON.parse(handle.save() ?? "null"));
  } catch {
    return true;
  }
}

/** A text that no other form has, in this tab or another. It makes idempotency keys unique; a saved walk keeps its own. */
function nonce() {
  // Pages that are not secure (http) have no randomUUID.
  return crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
}
