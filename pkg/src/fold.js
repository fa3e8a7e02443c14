// Puts a form away: it folds to one line, which stays at the edge of what scrolls and says what is asked. The form keeps everything. Fetched where a page sets `foldable` or `folded`.
import style from "../build/fold-style.js";
import { FOLD_ASKS, FOLD_AWAY } from "../build/words.js";
import { addStyles } from "./json/dom.js";

/** @import { Speech } from "./speech.js" */

/** What says in a form what has come of it, or what is asked: the first of these that is there. */
const HEADINGS = [".base [data-delivery=failed]", ".base [part=closed] [data-closed]", ".base [data-question-text]:not([data-away] *)", ".base [role=alert]", ".notice"];
/** So much of a text is said. */
const MOST = 300;
/** After how long, in milliseconds, a change is spoken: the text may still be rendered, or change again. */
const SPOKEN = 300;

/** @type {WeakMap<HTMLElement, Fold>} */
const folds = new WeakMap();

/**
 * Brings an element in line with its attributes `foldable` and `folded`.
 * @param {HTMLElement} element
 * @param {{ speech: Speech }} given
 */
export function update(element, { speech }) {
  if (!element.shadowRoot) return;
  if (!folds.has(element)) folds.set(element, new Fold(element, element.shadowRoot, speech));
  /** @type {Fold} */ (folds.get(element)).update();
}

class Fold {
  /** @type {HTMLElement} */
  #element;
  /** @type {ShadowRoot} */
  #root;
  /** @type {Speech} */
  #speech;
  #isFolded = false;
  /** The button above the form, and the line in place of it: who asks and what, how far it is, and what is spoken when that changes. */
  #away = button("fold-away", "put-away");
  #line = document.createElement("div");
  #open = button("fold-open", "folded");
  #what = document.createElement("span");
  #progress = document.createElement("span");
  #spoken = document.createElement("span");
  /** What the line says, and what was known of that when it was said last; nothing where the form was put away just now. */
  #now = "";
  /** @type {string | undefined} */
  #known;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} element
   * @param {ShadowRoot} root
   * @param {Speech} speech
   */
  constructor(element, root, speech) {
    [this.#element, this.#root, this.#speech] = [element, root, speech];
    const { words } = speech;
    words.follow(this.#away, () => (this.#away.textContent = words.say(FOLD_AWAY)));
    this.#away.addEventListener("click", () => element.toggleAttribute("folded", true));
    this.#open.addEventListener("click", () => element.toggleAttribute("folded", false));
    this.#open.setAttribute("aria-expanded", "false");
    this.#what.className = "what";
    this.#progress.className = "at";
    this.#spoken.className = "spoken";
    this.#spoken.setAttribute("role", "status");
    this.#open.append(this.#what, this.#progress);
    this.#line.className = "fold-line";
    this.#line.append(this.#open, this.#spoken);
    for (const part of [this.#away, this.#line]) part.dataset.stays = "";
    // In another language it is no other question.
    words.follow(this.#line, () => this.#begin());
    // Another form takes the place of all that is there.
    new MutationObserver(() => this.#place()).observe(root, { childList: true });
    new MutationObserver(() => this.#say()).observe(root, { childList: true, subtree: true, characterData: true });
  }

  update() {
    addStyles(this.#root, style);
    const isFolded = this.#element.hasAttribute("folded");
    const hadFocus = this.#root.activeElement !== null;
    const isNew = isFolded !== this.#isFolded;
    this.#isFolded = isFolded;
    this.#place();
    if (!isNew) return;
    // What is modal and not shown would keep the whole page.
    if (isFolded) for (const dialog of this.#root.querySelectorAll("dialog")) dialog.close();
    this.#begin();
    if (hadFocus) (isFolded ? this.#open : this.#element).focus();
    this.#element.dispatchEvent(new CustomEvent("ask-user-fold", { detail: { folded: isFolded }, bubbles: true, composed: true }));
  }

  /** Puts the button or the line where it belongs. */
  #place() {
    const isOffered = !this.#isFolded && this.#element.hasAttribute("foldable");
    for (const [part, is] of /** @type {[HTMLElement, boolean][]} */ ([[this.#away, isOffered], [this.#line, this.#isFolded]])) {
      if (!is) part.remove();
      else if (part.parentNode !== this.#root) this.#root.prepend(this.#speech.direct(part));
    }
  }

  /** What is asked now is known to the person. */
  #begin() {
    this.#known = undefined;
    this.#spoken.textContent = "";
    this.#line.removeAttribute("data-changed");
    this.#say();
  }

  /** Says what is asked, or what has come of it, in the form's own words. */
  #say() {
    clearTimeout(this.#timer);
    if (!this.#isFolded) return;
    const { words } = this.#speech;
    /** @type {(...selectors: string[]) => string} */
    const text = (...selectors) => selectors.map((selector) => read(this.#root.querySelector(selector))).find(Boolean) ?? "";
    const [question, name] = [text(...HEADINGS), text(".base .who")];
    this.#now = name && question ? words.say(FOLD_ASKS, { name, question }) : question;
    put(this.#what, this.#now);
    put(this.#progress, text(".base .progress"));
    this.#line.hidden = this.#now === "";
    this.#timer = setTimeout(() => this.#speak(), SPOKEN);
  }

  /** Speaks what has changed since: another request or another step, which nobody in the form has made. */
  #speak() {
    const isChange = this.#known !== undefined && this.#now !== this.#known;
    this.#known = this.#now;
    if (!isChange) return;
    put(this.#spoken, this.#now);
    this.#line.toggleAttribute("data-changed", true);
  }
}

/**
 * Sets a text that is another.
 * @param {HTMLElement} element
 * @param {string} text
 */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * The text of an element as it is seen: without what is only spoken and without buttons, and of a receipt's line each part by itself.
 * @param {Element | null} element
 */
function read(element) {
  const copy = /** @type {Element | undefined} */ (element?.cloneNode(true));
  for (const spoken of copy?.querySelectorAll(".spoken, button") ?? []) spoken.remove();
  const parts = copy?.localName === "summary" ? [...copy.children].map(({ textContent }) => textContent) : [copy?.textContent ?? ""];
  const text = parts.join(" ").replace(/\s+/g, " ").trim();
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

/**
 * @param {string} name
 * @param {string} part
 */
function button(name, part) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: name });
  made.setAttribute("part", `button ${part}`);
  return made;
}
