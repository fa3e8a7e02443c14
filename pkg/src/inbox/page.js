// The page of the inbox: the open questions of every agent, the form for the one that is chosen, and receipts below. The form decides everything about an answer; the page only says which
// question it shows.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { Events } from "../announced.js";
import { Away, choices } from "./away.js";
import { arrange, clock, grant, make, putAway, receipt, show, since } from "./lines.js";
import { Notices } from "./notices.js";
import { TEXTS } from "./texts.js";

/**
 * @import { AskUser } from "../../types/ask-user.js"
 * @import { Choice } from "./away.js"
 * @import { Receipt } from "./lines.js"
 * @import { Open } from "./notices.js"
 */

/**
 * The secret of this browser for the inbox, and what the inbox calls the browser.
 * @typedef {{ device: string, key: string }} Own
 */

/**
 * An item of the list of open questions.
 * @typedef {HTMLLIElement & { firstChild: HTMLButtonElement }} Item
 */

/** Where the browser keeps its secret for this inbox. */
const KEY = "ask-user inbox secret";
/** What keeps the page for while no inbox runs. */
const WORKER = "inbox.worker.js";
/** Where the page shows what was granted. */
const GRANTS = "#grants";
/** How often times are written anew, in milliseconds, and how long a search waits for the next letter. */
const [MINUTE, TYPING] = [30_000, 150];
/** How long after an answer was sent the next question comes, in milliseconds: the person sees that it was sent. */
const NEXT = 900;
/** How often it is looked whether the inbox is back, in milliseconds. */
const LOOKS = 1_000;

class Page {
  /** @type {Own} */
  #own;
  /** @type {string | undefined} */
  #base;
  /** @type {Events | undefined} */
  #events;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #looks;
  /** Whether the form that is shown still has addresses of the inbox before. */
  #hasMoved = false;
  /** All open questions, and those of them that are not put away. */
  /** @type {Open[]} */
  #all = [];
  /** @type {Open[]} */
  #open = [];
  #away = new Away(() => this.#sort());
  /** @type {string | undefined} */
  #chosen;
  /** @type {HTMLElement | undefined} */
  #form;
  /** How far the person has come with each form that was shown, by its key: while no inbox runs, nothing else keeps that. @type {Map<string, string>} */
  #kept = new Map();
  #count = make("h1", { ariaLive: "polite" });
  #cut = make("p.cut", { hidden: true, textContent: TEXTS.cut });
  #notices = new Notices((id) => this.#choose(id));
  #list = make("ul.open", { ariaLabel: TEXTS.heading });
  #empty = make("div.empty", {}, make("p", { textContent: TEXTS.none }), make("small", { textContent: TEXTS.none_more }));
  #put = make("ul.put");
  #puts = make("section", { hidden: true, ariaLabel: TEXTS.away.heading }, make("h2", { textContent: TEXTS.away.heading }), this.#put);
  #place = make("section.form", { ariaLabel: TEXTS.choose });
  #receipts = make("ul.closed");
  #expired = make("ul.closed");
  #late = make("div.late", { hidden: true }, make("h3", { textContent: TEXTS.expired }), this.#expired);
  #search = make("input", { type: "search", placeholder: TEXTS.search, ariaLabel: TEXTS.search });
  #none = make("p.none");
  /**
   * The parts of the page with the questions, and the one with what was granted.
   * @type {HTMLElement[]}
   */
  #questions;
  #granted = make("section.granted", { hidden: true, ariaLabel: TEXTS.grants.heading });

  /**
   * `own` is the browser's secret, and `base` where requests go.
   * @param {Own} own
   * @param {string} base
   */
  constructor(own, base) {
    this.#own = own;
    const below = make("section.receipts", {}, make("header", {}, make("h2", { textContent: TEXTS.receipts }), this.#search), this.#late, this.#receipts, this.#none, make("a", { href: GRANTS, textContent: TEXTS.grants.heading }));
    const keys = make("p.keys", { textContent: TEXTS.keys });
    this.#questions = [make("div.side", {}, make("header", {}, this.#count, ...this.#notices.buttons), this.#cut, this.#list, this.#empty, this.#puts, keys), this.#place, below];
    document.body.replaceChildren(make("main", {}, ...this.#questions, this.#granted));
    for (const list of [this.#expired, this.#receipts]) list.addEventListener("click", ({ target }) => /** @type {HTMLElement} */ (target).matches("button") && this.#copy(/** @type {HTMLElement} */ (target)));
    this.#put.addEventListener("click", ({ target }) => this.#back(/** @type {HTMLElement} */ (target).closest("button")?.dataset.id));
    this.#list.addEventListener("click", ({ target }) => this.#choose(/** @type {HTMLElement} */ (target).closest("button")?.dataset.id));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("ask-user-delivery", (event) => this.#delivered(/** @type {CustomEvent} */ (event)));
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let typing;
    this.#search.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.#showReceipts(), TYPING);
    });
    setInterval(() => this.#showTimes(), MINUTE);
    addEventListener("hashchange", () => this.#turn(true));
    this.#use(base);
    this.#turn();
  }

  /** Shows the part of the page that the address names: the questions, what was granted, or a receipt among the others. */
  async #turn(isMove = false) {
    const isGrants = location.hash === GRANTS;
    for (const part of this.#questions) part.hidden = isGrants;
    this.#granted.hidden = !isGrants;
    const [, id] = /^#receipt=([\w-]+)$/.exec(location.hash) ?? [];
    if (id !== undefined) this.#search.value = id;
    await (isGrants ? this.#showGrants() : this.#showReceipts());
    if (id !== undefined) {
      const line = [this.#expired, this.#receipts].map((list) => list.querySelector("summary")).find(Boolean);
      if (line) /** @type {HTMLDetailsElement} */ (line.parentElement).open = true;
      line?.focus();
    } else if (isMove) {
      const heading = isGrants ? this.#granted.querySelector("h1") : this.#count;
      /** @type {Partial<HTMLElement>} */ (Object.assign(heading ?? {}, { tabIndex: -1 })).focus?.();
    }
  }

  async #showGrants() {
    const found = await this.#fetched("grants");
    if (!found) return;
    const said = JSON.stringify(found);
    // What has not changed stays: it may have the focus.
    if (said === this.#granted.dataset.said) return this.#showTimes();
    this.#granted.dataset.said = said;
    const { length } = found.grants;
    const more = length === 0 ? TEXTS.grants.none : found.found > length ? TEXTS.grants.more(found.found - length) : undefined;
    const header = make("header", {}, make("h1", { textContent: TEXTS.grants.heading }), make("a", { href: "#", textContent: TEXTS.grants.back }));
    this.#granted.replaceChildren(header, make("p.keeps", { textContent: TEXTS.grants.keeps }), make("ul", {}, ...found.grants.map(grant)), more === undefined ? "" : make("p.none", { textContent: more }));
    this.#showTimes();
  }

  /**
   * What the inbox has at an address; undefined if it does not answer.
   * @param {string} path
   * @returns {Promise<any>}
   */
  async #fetched(path) {
    try {
      const response = await fetch(`${this.#base}${path}`);
      return response.ok ? await response.json() : undefined;
    } catch {
      // The event stream says that the inbox is gone, and comes back with it.
      return undefined;
    }
  }

  /**
   * Puts the signed receipt of a question into the clipboard. Where the browser does not let a page do that, the receipt is shown instead, chosen for copying.
   * @param {HTMLElement} button
   */
  async #copy(button) {
    const { id } = button.dataset;
    const found = await this.#fetched(`receipts/${id}`);
    if (!found) return void (button.textContent = TEXTS.no_copy);
    const text = `${JSON.stringify(found, undefined, 2)}\n`;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = TEXTS.copied;
    } catch {
      const field = make("textarea", { readOnly: true, rows: 6, value: text, ariaLabel: TEXTS.copy_this });
      button.replaceWith(field);
      field.focus();
      field.select();
    }
  }

  /**
   * From now on, requests go to this address.
   * @param {string} base
   */
  #use(base) {
    this.#base = base;
    this.#events?.stop();
    // All tabs of a browser share one connection: it opens six at most to an inbox.
    this.#events = new Events(`${base}events`, (list) => this.#heard(/** @type {{ open: Open[] }} */ (/** @type {unknown} */ (list))), (isOpen) => this.#connected(isOpen));
    this.#hasMoved = this.#form !== undefined;
  }

  /** @param {boolean} isOpen */
  #connected(isOpen) {
    this.#cut.hidden = isOpen;
    clearTimeout(this.#looks);
    if (!isOpen) this.#look();
  }

  /** Looks whether an inbox has been started anew, in which the browser's requests have another address. */
  async #look() {
    const base = await baseFor(this.#own).catch(() => undefined);
    if (this.#cut.hidden) return;
    if (base && base !== this.#base) this.#use(base);
    clearTimeout(this.#looks);
    this.#looks = setTimeout(() => this.#look(), LOOKS);
  }

  /** @param {{ open: Open[] }} list */
  #heard({ open }) {
    this.#all = open;
    this.#away.keep(open.map(({ id }) => id));
    this.#sort();
    this.#showReceipts();
    if (!this.#granted.hidden) this.#showGrants();
    // A form keeps the addresses that it has begun with: another one takes its place, with what the inbox has kept.
    const moved = this.#hasMoved && open.find(({ id }) => id === this.#chosen);
    this.#hasMoved = false;
    if (moved) this.#show(moved.id);
    if (this.#isEmpty()) this.#later(() => this.#isEmpty());
  }

  /** Shows what is open, and apart from it what is put away. */
  #sort() {
    const open = this.#all.filter(({ id }) => this.#away.until(id) === undefined);
    this.#open = open;
    this.#notices.heard(open);
    this.#showList();
    // The first question that comes is shown. What the person looks at stays, also when it is closed elsewhere.
    if (!this.#chosen && open.length) this.#choose(open[0].id);
    document.body.classList.toggle("idle", open.length === 0 && !this.#form);
  }

  /**
   * Puts the question that is chosen away, and goes on to the next one.
   * @param {string} id
   * @param {Choice["name"]} name
   */
  #putAway(id, name) {
    const { until } = /** @type {Choice} */ (choices(Date.now()).find((one) => one.name === name));
    const next = this.#open.find((one) => one.id !== id);
    this.#away.put(id, until);
    if (next) this.#choose(next.id);
    else this.#leave();
    (next ? this.#itemOf(next.id) : this.#put.querySelector("button"))?.focus();
  }

  /**
   * Takes a question back that was put away, and shows it.
   * @param {string | undefined} id
   */
  #back(id) {
    if (id === undefined) return;
    this.#away.back(id);
    this.#choose(id);
    this.#itemOf(id)?.focus();
  }

  /** @param {string} id */
  #itemOf(id) {
    return /** @type {Item[]} */ ([...this.#list.children]).map(({ firstChild }) => firstChild).find(({ dataset }) => dataset.id === id);
  }

  /** Whether the question that is chosen was closed before its form could show it. */
  #isEmpty() {
    return this.#form && !this.#all.some(({ id }) => id === this.#chosen) && /** @type {AskUser} */ (this.#form).walk === undefined;
  }

  /** Goes on to the next question after a moment, if that is still to be, and the person has not gone on by then. */
  #later(isDue = /** @type {() => unknown} */ (() => true)) {
    const chosen = this.#chosen;
    setTimeout(() => {
      if (this.#chosen !== chosen || !isDue()) return;
      const next = this.#open.find(({ id }) => id !== chosen);
      if (next) this.#choose(next.id);
      else this.#leave();
    }, NEXT);
  }

  #showList() {
    const { length } = this.#open;
    document.title = length ? `(${length}) ${TEXTS.title}` : TEXTS.title;
    /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]")).href = `icon.svg?open=${length}`;
    this.#count.textContent = length ? TEXTS.open(length) : TEXTS.heading;
    this.#empty.hidden = length > 0;
    /** @type {Node} */ (this.#empty.firstChild).textContent = this.#all.length ? TEXTS.away.all : TEXTS.none;
    this.#puts.hidden = this.#all.length === length;
    const away = this.#all.filter((one) => !this.#open.includes(one)).map(({ id, text }) => ({ id, text, until: /** @type {number} */ (this.#away.until(id)) }));
    arrange(this.#put, away.map((one) => [`${one.id} ${one.until}`, () => putAway(one)]));
    this.#list.hidden = length === 0;
    const before = new Map(/** @type {Item[]} */ ([...this.#list.children]).map((item) => [item.firstChild.dataset.id, item]));
    show(this.#list, this.#open.map((one) => before.get(one.id) ?? this.#item(one)));
    this.#mark();
    this.#showTimes();
  }

  /** @param {Open} question */
  #item({ id, who, folder, text, count, danger, expires }) {
    const facts = [who ?? TEXTS.someone, folder, count > 1 && TEXTS.several(count), expires && TEXTS.until(clock(expires))].filter(Boolean).join(" · ");
    const small = make("small", {}, make("bdi", { textContent: facts }), danger ? make("em", { textContent: TEXTS.danger }) : undefined);
    const button = make("button", { type: "button" }, make(danger ? "span.dot.hot" : "span.dot"), make("b", { textContent: text, dir: "auto" }), make("time"), small);
    button.dataset.id = id;
    return make("li", {}, button);
  }

  #showTimes() {
    for (const item of /** @type {Iterable<Item>} */ (this.#list.children)) {
      const one = this.#open.find(({ id }) => id === item.firstChild.dataset.id);
      if (one) /** @type {HTMLTimeElement} */ (item.querySelector("time")).textContent = since(one.at);
    }
    for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-at]"))) time.textContent = since(Number(time.dataset.at));
  }

  #mark() {
    for (const { firstChild: button } of /** @type {Iterable<Item>} */ (this.#list.children)) {
      if (button.dataset.id === this.#chosen) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /**
   * Shows the form of a question. The one that is shown already gets the focus.
   * @param {string | undefined} id
   */
  #choose(id) {
    if (id === undefined) return;
    if (id === this.#chosen) return /** @type {HTMLElement} */ (this.#form).focus();
    this.#show(id);
  }

  /** @param {string} id */
  #show(id) {
    // If the focus was in the form before, it moves to this one. A form takes no key in the first half second.
    const wasInside = this.#form?.matches(":focus-within");
    this.#chosen = id;
    // What cannot be answered here is not shown as a form.
    const one = this.#all.find((question) => question.id === id);
    const isKept = one?.only_here === true;
    const form = isKept ? make("p.empty", { textContent: TEXTS.only_here, tabIndex: -1 }) : document.createElement("ask-user");
    if (!isKept) /** @type {AskUser} */ (form).host = { storage: this.#kept };
    if (wasInside) form.addEventListener("ask-user-ready", () => document.activeElement === document.body && form.focus(), { once: true });
    const at = `${this.#base}conversations/${id}`;
    if (!isKept) for (const [name, path] of Object.entries({ "events-url": "events", "respond-url": "respond", "cancel-url": "cancel", "save-url": "walk" })) form.setAttribute(name, `${at}/${path}`);
    this.#form = form;
    this.#place.replaceChildren(this.#puttingAway(one), form);
    this.#place.setAttribute("aria-label", one?.text ?? TEXTS.choose);
    document.body.classList.remove("idle");
    this.#mark();
  }

  /**
   * What puts a question away.
   * @param {Partial<Open>} question
   */
  #puttingAway({ id, expires } = {}) {
    const found = id === undefined ? [] : choices(Date.now(), expires);
    const buttons = found.map(({ name }) => Object.assign(make("button", { type: "button", textContent: TEXTS.away.choices[name] }), { onclick: () => this.#putAway(/** @type {string} */ (id), name) }));
    return make("div.away", { role: "group", ariaLabel: TEXTS.away.put, hidden: !found.length }, make("span", { textContent: TEXTS.away.put, ariaHidden: "true" }), ...buttons);
  }

  #leave() {
    [this.#chosen, this.#form] = [undefined, undefined];
    this.#place.replaceChildren();
    document.body.classList.toggle("idle", this.#open.length === 0);
  }

  /**
   * An answer of this page was sent: the next question comes, unless the person has gone on by then.
   * @param {CustomEvent<{ state: string }>} event
   */
  #delivered({ target, detail }) {
    if (detail.state === "sent" && target === this.#form) this.#later();
  }

  /**
   * J and K lead from question to question, and S to what puts one away. In a field and in the form, letters are not the page's.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const { key, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || event.defaultPrevented || !["j", "k", "s"].includes(key.toLowerCase())) return;
    if (/** @type {Element[]} */ (event.composedPath()).some((one) => one.localName === "ask-user" || one.localName === "input")) return;
    if (!this.#open.length || !this.#granted.hidden) return;
    event.preventDefault();
    if (key.toLowerCase() === "s") return void /** @type {HTMLElement | null} */ (this.#place.querySelector(".away button"))?.focus();
    const place = this.#open.findIndex(({ id }) => id === this.#chosen);
    const step = key.toLowerCase() === "j" ? 1 : -1;
    const next = place < 0 ? 0 : Math.min(Math.max(place + step, 0), this.#open.length - 1);
    if (next !== place) this.#choose(this.#open[next].id);
    const button = /** @type {Item} */ (this.#list.children[next]).firstChild;
    button.focus();
    button.scrollIntoView({ block: "nearest" });
  }

  async #showReceipts() {
    const search = this.#search.value.trim();
    const found = await this.#fetched(`receipts?search=${encodeURIComponent(search)}`);
    if (!found || search !== this.#search.value.trim()) return;
    /** @type {(receipt: Receipt) => boolean} */
    const isLate = ({ how }) => how === "expired";
    /** @type {Receipt[]} */
    const all = found.receipts;
    for (const [list, receipts] of /** @type {[HTMLElement, Receipt[]][]} */ ([[this.#expired, all.filter(isLate)], [this.#receipts, all.filter((one) => !isLate(one))]])) {
      arrange(list, receipts.map((one) => [JSON.stringify(one), () => receipt(one)]));
    }
    this.#late.hidden = this.#expired.children.length === 0;
    const { length } = found.receipts;
    this.#none.textContent = length === 0 ? (search ? TEXTS.not_found : TEXTS.no_receipts) : found.found > length ? TEXTS.more(found.found - length) : "";
    this.#showTimes();
  }
}

/**
 * What only a holder of a secret can make of a text. At http addresses of other machines, browsers have no such function of their own.
 * @type {(secret: string, text: string) => string}
 */
const proof = (secret, text) => bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text)));

/**
 * Where the requests of this browser go in this run of the inbox. Undefined if what answers here does not know the browser: another program may have the port, and gets nothing.
 * @param {Own} own
 * @returns {Promise<string | undefined>}
 */
async function baseFor({ device, key }) {
  const nonce = bytesToHex(randomBytes(16));
  const { run, device_proof: said } = await (await fetch(`health?nonce=${nonce}&device=${device}&host=${encodeURIComponent(location.host)}`)).json();
  if (said !== proof(key, `inbox ${nonce} ${run} ${location.host}`)) return undefined;
  return `s/${proof(key, `run ${run} ${location.host}`)}/`;
}

/**
 * The same as soon as the inbox answers: the browser may have shown what it keeps of the page.
 * @param {Own} own
 */
async function reached(own) {
  for (;;) {
    try {
      return await baseFor(own);
    } catch (error) {
      // What answers there is no inbox.
      if (!(error instanceof TypeError)) return undefined;
      document.body.replaceChildren(make("main.locked", {}, make("p", { textContent: TEXTS.cut })));
      await new Promise((resolve) => setTimeout(resolve, LOOKS));
    }
  }
}

/** Lets the browser keep the page, where it can. The page's policy allows a script's address that is made by this alone. */
async function keepShell() {
  /** @type {{ createPolicy(name: string, rules: object): { createScriptURL(address: string): string } } | undefined} */
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const policy = types?.createPolicy("ask-user-inbox", { createScriptURL: () => WORKER });
  // Without it, everything works while an inbox runs.
  await navigator.serviceWorker?.register(policy?.createScriptURL(WORKER) ?? WORKER).catch(() => undefined);
}

/** Shows the page: with the secret that the browser has, or one for the code in the address. */
async function begin() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  // A reload needs it no more. The browser's history may have it: it opens nothing again.
  if (code) history.replaceState(null, "", location.pathname);
  /** @type {(method: string) => Promise<Response>} */
  const session = (method) => fetch("session", { method, headers: { Authorization: `Bearer ${code}` } });
  let own = JSON.parse(localStorage.getItem(KEY) ?? "null");
  let base = own && (await reached(own));
  if (base && code) await session("DELETE");
  if (!base && code) {
    const response = await session("POST");
    if (!response.ok) return false;
    own = await response.json();
    localStorage.setItem(KEY, JSON.stringify(own));
    base = await baseFor(own);
  }
  if (base) new Page(own, base);
  if (base) keepShell();
  return Boolean(base);
}

if (!(await begin())) document.body.replaceChildren(make("main.locked", {}, make("p", { textContent: TEXTS.locked }), make("small", { textContent: TEXTS.locked_more })));
