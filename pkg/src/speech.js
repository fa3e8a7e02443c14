// The language of one element: which it is, the words in it, its direction, and the lines that the element itself says. Knows no form.
import { find, load, ready, spoken } from "./locales.js";
import { overrides } from "./modules.js";
import { Words } from "./words.js";

/**
 * @import { Word } from "./words.js"
 * @import { Script } from "../build/web/ask_user_web.js"
 */

/**
 * What is told the element: `changed()` that something else is said now, `fault(why)` what is wrong with the words of the host. `given()` are those.
 * @typedef {{ given(): { [key: string]: any } | undefined, changed(): void, fault(why: string): void }} Heard
 */

export class Speech {
  words = new Words();
  /** @type {HTMLElement} */
  #element;
  /** @type {Heard} */
  #heard;
  /** What the words were made of: the language, and the words of the host. */
  #language = "";
  #said = "";
  #turn = 0;
  /**
   * The direction of the language, where it is from right to left and the page sets none.
   * @type {"rtl" | undefined}
   */
  #dir;
  /** Sees what changes the language or the direction of the page. */
  #watching = new MutationObserver(() => this.speak());

  /**
   * @param {HTMLElement} element
   * @param {Heard} heard
   */
  constructor(element, heard) {
    this.#element = element;
    this.#heard = heard;
  }

  /**
   * What a form that reports nothing says its words with.
   * @type {Script}
   */
  script = (...said) => said.length && this.words.speak(...said);

  /** Follows the language and the direction of the page, which are set at the element or around it, outside of shadow roots that it may be in, too. */
  watch() {
    this.unwatch();
    const watched = { attributes: true, attributeFilter: ["lang", "dir"], subtree: true };
    for (let root = /** @type {Node | undefined} */ (this.#element.getRootNode()); root; root = /** @type {Partial<ShadowRoot>} */ (root).host?.getRootNode()) this.#watching.observe(root, watched);
  }

  unwatch() {
    this.#watching.disconnect();
  }

  /** Brings the words in line with the language of the page and with the host. Until a locale is there, the words stay as they are. */
  async speak() {
    const turn = ++this.#turn;
    const { lang, isDirected } = spoken(this.#element);
    const name = find(lang);
    if (name && !ready(name)) {
      // Nothing waits for it.
      if (!this.#language) this.#say("en", {});
      await load(name);
      if (turn !== this.#turn || !this.#element.isConnected) return;
    }
    const locale = name && ready(name);
    if (locale) this.#say(Intl.getCanonicalLocales(lang)[0], locale);
    else this.#say("en", {});
    const isRtl = { ...locale, ...this.#heard.given() }.direction === "rtl";
    this.#dir = isRtl && !isDirected ? "rtl" : undefined;
    for (const child of /** @type {ShadowRoot} */ (this.#element.shadowRoot).children) this.direct(/** @type {HTMLElement} */ (child));
  }

  /**
   * Says everything in a language, with the words of the host in place of its own.
   * @param {string} tag
   * @param {import("../types/words.js").Words} locale
   */
  #say(tag, locale) {
    const words = this.#heard.given() ?? {};
    const said = JSON.stringify(words);
    if (said !== this.#said && said !== "{}") this.#check(words);
    if (tag === this.#language && said === this.#said) return;
    [this.#language, this.#said] = [tag, said];
    this.words.set(tag, { ...locale, ...words });
    this.#heard.changed();
  }

  /** @param {{ [key: string]: unknown }} words */
  async #check(words) {
    const fault = (await overrides())?.fault(words);
    if (fault) this.#heard.fault(fault);
  }

  /**
   * Gives a part of the element its direction.
   * @template {HTMLElement} Part
   * @param {Part} part
   */
  direct(part) {
    if (this.#dir) part.dir = this.#dir;
    else part.removeAttribute("dir");
    return part;
  }

  /**
   * A line of the element's own, perhaps with a button.
   * @param {"alert" | "status"} role
   * @param {Word} word
   * @param {Word} [label]
   * @param {() => void} [act]
   */
  notify(role, word, label, act) {
    const notice = this.direct(document.createElement("p"));
    const text = notice.appendChild(document.createTextNode(""));
    notice.className = "notice";
    notice.setAttribute("role", role);
    this.words.follow(notice, () => (text.data = this.words.say(word)));
    if (!label) return notice;
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.setAttribute("part", "button");
    button.addEventListener("click", /** @type {() => void} */ (act));
    this.words.follow(button, () => (button.textContent = this.words.say(label)));
    notice.append(" ", button);
    return notice;
  }
}
