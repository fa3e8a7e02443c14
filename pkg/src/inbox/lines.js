// What stands on the page of the inbox: elements, and the items of its lists.
import { TEXTS } from "./texts.js";

/**
 * What was asked and answered, as the inbox has it in its list of receipts.
 * @typedef {object} Receipt
 * @property {string} id
 * @property {string} [who]
 * @property {string} [folder]
 * @property {number} at
 * @property {string} how
 * @property {string} [by]
 * @property {string} text
 * @property {{ text: string, outcome: "answered" | "cancelled" | "redacted", answer?: string, note?: string }[]} [answers]
 */

/**
 * What was granted beyond one call, as the inbox has it in its list.
 * @typedef {object} Granted
 * @property {string} id
 * @property {string} [who]
 * @property {string} [folder]
 * @property {number} at
 * @property {"approve" | "reject"} decision
 * @property {string} scope
 * @property {string} shown
 * @property {{ by: string, place: string }[]} kept
 * @property {boolean} is_taken
 */

/** @typedef {{ [name: string]: string }} Texts */

/**
 * An element's name without its classes.
 * @template {string} N
 * @typedef {N extends `${infer T extends keyof HTMLElementTagNameMap}.${string}` ? T : N extends keyof HTMLElementTagNameMap ? N : never} Tag
 */

/**
 * An element: its name and classes, its properties, and what is in it.
 * @template {string} N
 * @param {N} name
 * @param {{ [name: string]: unknown }} properties
 * @param {(Node | string | undefined)[]} inside
 * @returns {HTMLElementTagNameMap[Tag<N>]}
 */
export function make(name, properties = {}, ...inside) {
  const [tag, ...classes] = name.split(".");
  const element = Object.assign(document.createElement(tag), properties);
  if (classes.length) element.className = classes.join(" ");
  element.append(.../** @type {(Node | string)[]} */ (inside.filter((one) => one !== undefined && one !== "")));
  return /** @type {HTMLElementTagNameMap[Tag<N>]} */ (/** @type {unknown} */ (element));
}

/**
 * Shows these items in a list. One that stays is not moved: it may be open, or have the focus.
 * @param {HTMLElement} list
 * @param {Element[]} items
 */
export function show(list, items) {
  for (const item of [...list.children]) if (!items.includes(item)) item.remove();
  for (const [place, item] of items.entries()) if (list.children[place] !== item) list.insertBefore(item, list.children[place] ?? null);
}

/**
 * Shows what `[said, make]` stand for. An item that says the same as one before stays.
 * @param {HTMLElement} list
 * @param {[said: string, make: () => HTMLElement][]} wanted
 */
export function arrange(list, wanted) {
  const before = SAID.get(list) ?? new Map();
  const items = new Map(wanted.map(([said, made]) => [said, before.get(said) ?? made()]));
  SAID.set(list, items);
  show(list, [...items.values()]);
}
/** @type {WeakMap<HTMLElement, Map<string, HTMLElement>>} */
const SAID = new WeakMap();

/**
 * A question that is put away.
 * @param {{ id: string, text: string, until: number }} question
 */
export function putAway({ id, text, until }) {
  const button = make("button", { type: "button" }, make("b", { textContent: text, dir: "auto" }), make("small", { textContent: TEXTS.away.back(clock(until)) }));
  button.dataset.id = id;
  return make("li", {}, button);
}

/**
 * A grant: how long it holds, its sentence, who has it, who keeps it, and in which answer it was given.
 * @param {Granted} grant
 */
export function grant({ id, who, folder, at, decision, scope, shown, kept, is_taken: isTaken }) {
  const time = make("time");
  time.dataset.at = /** @type {any} */ (at);
  const line = make("header", {}, make(`b.${decision}`, { textContent: `${TEXTS.grants.decisions[decision] ?? decision}, ${/** @type {Texts} */ (TEXTS.grants.scopes)[scope] ?? scope}` }), time);
  const facts = [who ?? TEXTS.someone, folder].filter(Boolean).join(" · ");
  const said = kept.map(({ by, place }) => /** @type {{ [by: string]: Texts }} */ (TEXTS.grants.kept)[by][place]).concat(isTaken ? [] : TEXTS.grants.untold).join(" ");
  return make("li", {}, line, make("p.rule", { textContent: shown, dir: "auto" }), make("small", {}, make("bdi", { textContent: facts })), make("p", { textContent: said }), make("a", { href: `#receipt=${id}`, textContent: TEXTS.grants.receipt }));
}

/** @param {Receipt} receipt */
export function receipt({ id, who, folder, at, how, by, text, answers }) {
  const given = (answers ?? []).map(({ text, outcome, answer, note }) => {
    const said = outcome === "answered" ? answer : TEXTS.outcomes[outcome];
    return [make("dt", { textContent: text, dir: "auto" }), make("dd", { textContent: [said, note].filter(Boolean).join(" · "), dir: "auto" })];
  });
  const facts = [who ?? TEXTS.someone, folder, by && TEXTS.from(by)].filter(Boolean).join(" · ");
  const first = given.length === 1 ? given[0][1].textContent : "";
  const time = make("time");
  time.dataset.at = /** @type {any} */ (at);
  const line = make("summary", {}, make(`b.${how}`, { textContent: /** @type {Texts} */ (TEXTS.states)[how] ?? how }), make("span", { textContent: text, dir: "auto" }), first && how === "answered" ? make("i", { textContent: first, dir: "auto" }) : undefined, time);
  const copy = make("button", { type: "button", textContent: TEXTS.copy });
  copy.dataset.id = id;
  return make("li", {}, make("details", {}, line, make("small", { textContent: facts }), make("dl", {}, ...given.flat()), copy));
}

/**
 * How long ago a moment was.
 * @param {number} at
 */
export function since(at) {
  const minutes = Math.max(0, Math.floor((Date.now() - at) / 60_000));
  if (minutes < 1) return TEXTS.ago.now;
  if (minutes < 60) return TEXTS.ago.minutes(minutes);
  if (minutes < 1_440) return TEXTS.ago.hours(Math.floor(minutes / 60));
  return TEXTS.ago.days(Math.floor(minutes / 1_440));
}

/**
 * A moment of today as a time, another one with its day.
 * @param {number} at
 */
export function clock(at) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(undefined, { ...(isToday ? {} : { weekday: "short", day: "numeric", month: "short" }), hour: "2-digit", minute: "2-digit" });
}
