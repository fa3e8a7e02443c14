// The page of the inbox: the open questions of every agent, the form for the one that is chosen, and receipts below. The form decides everything about an answer; the page only says which
// question it shows.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { Events } from "../announced.js";
import { Notices } from "./notices.js";
import { TEXTS } from "./texts.js";

/** Where the browser keeps its secret for this inbox. */
const KEY = "ask-user inbox secret";
/** Where the page shows what was granted. */
const GRANTS = "#grants";
/** How often times are written anew, in milliseconds, and how long a search waits for the next letter. */
const [MINUTE, TYPING] = [30_000, 150];
/** How long after an answer was sent the next question comes, in milliseconds: the person sees that it was sent. */
const NEXT = 900;
/** How often it is looked whether the inbox is back, in milliseconds. */
const LOOKS = 1_000;

/** An element: its name and classes, its properties, and what is in it. */
function make(name, properties = {}, ...inside) {
  const [tag, ...classes] = name.split(".");
  const element = Object.assign(document.createElement(tag), properties);
  if (classes.length) element.className = classes.join(" ");
  element.append(...inside.filter((one) => one !== undefined && one !== ""));
  return element;
}

class Page {
  #own;
  #base;
  #events;
  #looks;
  /** Whether the form that is shown still has addresses of the inbox before. */
  #hasMoved = false;
  #open = [];
  #chosen;
  #form;
  #count = make("h1", { ariaLive: "polite" });
  #cut = make("p.cut", { hidden: true, textContent: TEXTS.cut });
  #notices = new Notices((id) => this.#choose(id));
  #list = make("ul.open", { ariaLabel: TEXTS.heading });
  #empty = make("div.empty", {}, make("p", { textContent: TEXTS.none }), make("small", { textContent: TEXTS.none_more }));
  #place = make("section.form", { ariaLabel: TEXTS.choose });
  #receipts = make("ul.closed");
  /** The receipts that are shown, by what they say. */
  #shown = new Map();
  #search = make("input", { type: "search", placeholder: TEXTS.search, ariaLabel: TEXTS.search });
  #none = make("p.none");
  /** The parts of the page with the questions, and the one with what was granted. */
  #questions;
  #granted = make("section.granted", { hidden: true, ariaLabel: TEXTS.grants.heading });

  /** `own` is the browser's secret, and `base` where requests go. */
  constructor(own, base) {
    this.#own = own;
    const below = make("section.receipts", {}, make("header", {}, make("h2", { textContent: TEXTS.receipts }), this.#search), this.#receipts, this.#none, make("a", { href: GRANTS, textContent: TEXTS.grants.heading }));
    const keys = make("p.keys", { textContent: TEXTS.keys });
    this.#questions = [make("div.side", {}, make("header", {}, this.#count, this.#notices.button), this.#cut, this.#list, this.#empty, keys), this.#place, below];
    document.body.replaceChildren(make("main", {}, ...this.#questions, this.#granted));
    this.#receipts.addEventListener("click", ({ target }) => target.matches("button") && this.#copy(target));
    this.#list.addEventListener("click", ({ target }) => this.#choose(target.closest("button")?.dataset.id));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("ask-user-delivery", (event) => this.#delivered(event));
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
      const line = this.#receipts.querySelector("summary");
      if (line) line.parentElement.open = true;
      line?.focus();
    } else if (isMove) {
      const heading = isGrants ? this.#granted.querySelector("h1") : this.#count;
      Object.assign(heading ?? {}, { tabIndex: -1 }).focus?.();
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

  /** What the inbox has at an address; undefined if it does not answer. */
  async #fetched(path) {
    try {
      const response = await fetch(`${this.#base}${path}`);
      return response.ok ? await response.json() : undefined;
    } catch {
      // The event stream says that the inbox is gone, and comes back with it.
      return undefined;
    }
  }

  /** Puts the signed receipt of a question into the clipboard. Where the browser does not let a page do that, the receipt is shown instead, chosen for copying. */
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

  /** From now on, requests go to this address. */
  #use(base) {
    this.#base = base;
    this.#events?.stop();
    // All tabs of a browser share one connection: it opens six at most to an inbox.
    this.#events = new Events(`${base}events`, (list) => this.#heard(list), (isOpen) => this.#connected(isOpen));
    this.#hasMoved = this.#form !== undefined;
  }

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

  #heard({ open }) {
    this.#open = open;
    this.#notices.heard(open);
    this.#showList();
    this.#showReceipts();
    if (!this.#granted.hidden) this.#showGrants();
    // A form keeps the addresses that it has begun with: another one takes its place, with what the inbox has kept.
    const moved = this.#hasMoved && open.find(({ id }) => id === this.#chosen);
    this.#hasMoved = false;
    if (moved) this.#show(moved.id);
    // The first question that comes is shown. What the person looks at stays, also when it is closed elsewhere.
    if (!this.#chosen && open.length) this.#choose(open[0].id);
    if (this.#isEmpty()) this.#later(() => this.#isEmpty());
    document.body.classList.toggle("idle", open.length === 0 && !this.#form);
  }

  /** Whether the question that is chosen was closed before its form could show it. */
  #isEmpty() {
    return this.#form && !this.#open.some(({ id }) => id === this.#chosen) && this.#form.walk === undefined;
  }

  /** Goes on to the next question after a moment, if that is still to be, and the person has not gone on by then. */
  #later(isDue = () => true) {
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
    document.querySelector("link[rel=icon]").href = `icon.svg?open=${length}`;
    this.#count.textContent = length ? TEXTS.open(length) : TEXTS.heading;
    this.#empty.hidden = length > 0;
    this.#list.hidden = length === 0;
    const before = new Map([...this.#list.children].map((item) => [item.firstChild.dataset.id, item]));
    const wanted = this.#open.map((one) => before.get(one.id) ?? this.#item(one));
    // An item that stays is not moved: it may have the focus.
    for (const item of [...this.#list.children]) if (!wanted.includes(item)) item.remove();
    for (const [place, item] of wanted.entries()) if (this.#list.children[place] !== item) this.#list.insertBefore(item, this.#list.children[place] ?? null);
    this.#mark();
    this.#showTimes();
  }

  #item({ id, who, folder, text, count, danger, expires }) {
    const facts = [who ?? TEXTS.someone, folder, count > 1 && TEXTS.several(count), expires && TEXTS.until(clock(expires))].filter(Boolean).join(" · ");
    const small = make("small", {}, make("bdi", { textContent: facts }), danger ? make("em", { textContent: TEXTS.danger }) : undefined);
    const button = make("button", { type: "button" }, make(danger ? "span.dot.hot" : "span.dot"), make("b", { textContent: text, dir: "auto" }), make("time"), small);
    button.dataset.id = id;
    return make("li", {}, button);
  }

  #showTimes() {
    for (const item of this.#list.children) {
      const one = this.#open.find(({ id }) => id === item.firstChild.dataset.id);
      if (one) item.querySelector("time").textContent = since(one.at);
    }
    for (const time of document.querySelectorAll("time[data-at]")) time.textContent = since(Number(time.dataset.at));
  }

  #mark() {
    for (const { firstChild: button } of this.#list.children) {
      if (button.dataset.id === this.#chosen) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Shows the form of a question. The one that is shown already gets the focus. */
  #choose(id) {
    if (id === undefined) return;
    if (id === this.#chosen) return this.#form.focus();
    this.#show(id);
  }

  #show(id) {
    // If the focus was in the form before, it moves to this one. A form takes no key in the first half second.
    const wasInside = this.#form?.matches(":focus-within");
    this.#chosen = id;
    // What cannot be answered here is not shown as a form.
    const isKept = this.#open.find((one) => one.id === id)?.only_here === true;
    const form = isKept ? make("p.empty", { textContent: TEXTS.only_here, tabIndex: -1 }) : document.createElement("ask-user");
    if (wasInside) form.addEventListener("ask-user-ready", () => document.activeElement === document.body && form.focus(), { once: true });
    const at = `${this.#base}conversations/${id}`;
    if (!isKept) for (const [name, path] of Object.entries({ "events-url": "events", "respond-url": "respond", "cancel-url": "cancel", "save-url": "walk" })) form.setAttribute(name, `${at}/${path}`);
    this.#form = form;
    this.#place.replaceChildren(form);
    this.#place.setAttribute("aria-label", this.#open.find((one) => one.id === id)?.text ?? TEXTS.choose);
    document.body.classList.remove("idle");
    this.#mark();
  }

  #leave() {
    [this.#chosen, this.#form] = [undefined, undefined];
    this.#place.replaceChildren();
    document.body.classList.toggle("idle", this.#open.length === 0);
  }

  /** An answer of this page was sent: the next question comes, unless the person has gone on by then. */
  #delivered({ target, detail }) {
    if (detail.state === "sent" && target === this.#form) this.#later();
  }

  /** J and K lead from question to question. In a field and in the form, letters are not the page's. */
  #key(event) {
    const { key, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || event.defaultPrevented || !["j", "k"].includes(key.toLowerCase())) return;
    if (event.composedPath().some((one) => one.localName === "ask-user" || one.localName === "input")) return;
    if (!this.#open.length || !this.#granted.hidden) return;
    event.preventDefault();
    const place = this.#open.findIndex(({ id }) => id === this.#chosen);
    const step = key.toLowerCase() === "j" ? 1 : -1;
    const next = place < 0 ? 0 : Math.min(Math.max(place + step, 0), this.#open.length - 1);
    if (next !== place) this.#choose(this.#open[next].id);
    const button = this.#list.children[next].firstChild;
    button.focus();
    button.scrollIntoView({ block: "nearest" });
  }

  async #showReceipts() {
    const search = this.#search.value.trim();
    const found = await this.#fetched(`receipts?search=${encodeURIComponent(search)}`);
    if (!found || search !== this.#search.value.trim()) return;
    const before = this.#shown;
    // A receipt that has not changed stays in place: it may be open, or have the focus.
    this.#shown = new Map(found.receipts.map((one) => [JSON.stringify(one), before.get(JSON.stringify(one)) ?? receipt(one)]));
    for (const [text, item] of before) if (!this.#shown.has(text)) item.remove();
    for (const [place, item] of [...this.#shown.values()].entries()) if (this.#receipts.children[place] !== item) this.#receipts.insertBefore(item, this.#receipts.children[place] ?? null);
    const { length } = found.receipts;
    this.#none.textContent = length === 0 ? (search ? TEXTS.not_found : TEXTS.no_receipts) : found.found > length ? TEXTS.more(found.found - length) : "";
    this.#showTimes();
  }
}

/** A grant: how long it holds, its sentence, who has it, who keeps it, and in which answer it was given. */
function grant({ id, who, folder, at, decision, scope, shown, kept, is_taken: isTaken }) {
  const time = make("time");
  time.dataset.at = at;
  const line = make("header", {}, make(`b.${decision}`, { textContent: `${TEXTS.grants.decisions[decision] ?? decision}, ${TEXTS.grants.scopes[scope] ?? scope}` }), time);
  const facts = [who ?? TEXTS.someone, folder].filter(Boolean).join(" · ");
  const said = kept.map(({ by, place }) => TEXTS.grants.kept[by][place]).concat(isTaken ? [] : TEXTS.grants.untold).join(" ");
  return make("li", {}, line, make("p.rule", { textContent: shown, dir: "auto" }), make("small", {}, make("bdi", { textContent: facts })), make("p", { textContent: said }), make("a", { href: `#receipt=${id}`, textContent: TEXTS.grants.receipt }));
}

function receipt({ id, who, folder, at, how, by, text, answers }) {
  const given = (answers ?? []).map(({ text, outcome, answer, note }) => {
    const said = outcome === "answered" ? answer : TEXTS.outcomes[outcome];
    return [make("dt", { textContent: text, dir: "auto" }), make("dd", { textContent: [said, note].filter(Boolean).join(" · "), dir: "auto" })];
  });
  const facts = [who ?? TEXTS.someone, folder, by && TEXTS.from(by)].filter(Boolean).join(" · ");
  const first = given.length === 1 ? given[0][1].textContent : "";
  const time = make("time");
  time.dataset.at = at;
  const line = make("summary", {}, make(`b.${how}`, { textContent: TEXTS.states[how] ?? how }), make("span", { textContent: text, dir: "auto" }), first && how === "answered" ? make("i", { textContent: first, dir: "auto" }) : undefined, time);
  const copy = make("button", { type: "button", textContent: TEXTS.copy });
  copy.dataset.id = id;
  return make("li", {}, make("details", {}, line, make("small", { textContent: facts }), make("dl", {}, ...given.flat()), copy));
}

/** How long ago a moment was. */
function since(at) {
  const minutes = Math.max(0, Math.floor((Date.now() - at) / 60_000));
  if (minutes < 1) return TEXTS.ago.now;
  if (minutes < 60) return TEXTS.ago.minutes(minutes);
  if (minutes < 1_440) return TEXTS.ago.hours(Math.floor(minutes / 60));
  return TEXTS.ago.days(Math.floor(minutes / 1_440));
}

/** A moment of today as a time, another one with its day. */
function clock(at) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(undefined, { ...(isToday ? {} : { weekday: "short", day: "numeric", month: "short" }), hour: "2-digit", minute: "2-digit" });
}

/** What only a holder of a secret can make of a text. At http addresses of other machines, browsers have no such function of their own. */
const proof = (secret, text) => bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text)));

/** Where the requests of this browser go in this run of the inbox. Undefined if what answers here does not know the browser: another program may have the port, and gets nothing. */
async function baseFor({ device, key }) {
  const nonce = bytesToHex(randomBytes(16));
  const { run, device_proof: said } = await (await fetch(`health?nonce=${nonce}&device=${device}&host=${encodeURIComponent(location.host)}`)).json();
  if (said !== proof(key, `inbox ${nonce} ${run} ${location.host}`)) return undefined;
  return `s/${proof(key, `run ${run} ${location.host}`)}/`;
}

/** Shows the page: with the secret that the browser has, or one for the code in the address. */
async function begin() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  // A reload needs it no more. The browser's history may have it: it opens nothing again.
  if (code) history.replaceState(null, "", location.pathname);
  const session = (method) => fetch("session", { method, headers: { Authorization: `Bearer ${code}` } });
  let own = JSON.parse(localStorage.getItem(KEY) ?? "null");
  let base = own && (await baseFor(own).catch(() => undefined));
  if (base && code) await session("DELETE");
  if (!base && code) {
    const response = await session("POST");
    if (!response.ok) return false;
    own = await response.json();
    localStorage.setItem(KEY, JSON.stringify(own));
    base = await baseFor(own);
  }
  if (base) new Page(own, base);
  return Boolean(base);
}

if (!(await begin())) document.body.replaceChildren(make("main.locked", {}, make("p", { textContent: TEXTS.locked }), make("small", { textContent: TEXTS.locked_more })));
