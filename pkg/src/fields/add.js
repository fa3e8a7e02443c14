// What can be added to an object: a button for each property where there are few, a list with a filter where there are many.
import { FIELDS_ADD, FIELDS_ADD_ENTRY, FIELDS_ADD_PROPERTY, FIELDS_DEPRECATED, FIELDS_FILTER, FIELDS_NO_MATCH } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";

/**
 * @import { Form } from "./form.js"
 * @import { FieldAdd, Member } from "./model.js"
 */

/** More properties than this stand in a list with a filter. */
const FEW = 6;
/** So many of those that match are shown. */
const MOST = 50;

export class Add {
  element = element("div", { className: "adds", hidden: true });
  /** @type {Form} */
  #form;
  /** @type {string} */
  #pointer;
  /** @type {(child: Member) => void} */
  #act;
  /** @type {string | undefined} */
  #signature;
  /** @type {Member[]} */
  #absent = [];
  /** @type {HTMLElement | undefined} */
  #list;

  /**
   * `act(child)` adds a property.
   * @param {Form} form
   * @param {string} pointer
   * @param {(child: Member) => void} act
   */
  constructor(form, pointer, act) {
    this.#form = form;
    this.#pointer = pointer;
    this.#act = act;
  }

  /**
   * @param {Member[]} absent
   * @param {FieldAdd | undefined} add
   * @param {() => void} addEntry
   */
  update(absent, add, addEntry) {
    this.#absent = absent;
    this.#addEntry = addEntry;
    const signature = JSON.stringify([absent.map(({ key, title, description, deprecated }) => [key, title, description, deprecated]), add]);
    if (signature === this.#signature) return;
    this.#signature = signature;
    const { words } = this.#form;
    const row = element("div", { className: "buttons" });
    const isFew = absent.length <= FEW;
    if (isFew) row.append(...absent.map((child) => this.#button(child, words.say(FIELDS_ADD, { name: visible(nameOf(child)) }))));
    else row.append(this.#opener(absent.length));
    if (add) {
      const [{ title } = /** @type {FieldAdd} */ ({})] = /** @type {FieldAdd[]} */ (add.of).slice(-1);
      const button = element("button", { type: "button", className: "button add", textContent: title ? words.say(FIELDS_ADD, { name: visible(title) }) : words.say(FIELDS_ADD_ENTRY) }, { part: "button", "data-at": `${this.#pointer}|entry` });
      button.addEventListener("click", () => this.#addEntry());
      row.append(button);
    }
    this.#list?.remove();
    this.#list = undefined;
    this.element.replaceChildren(row);
    this.element.hidden = !row.childElementCount;
  }

  /** @returns {HTMLElement | null} */
  get control() {
    return this.element.querySelector("button");
  }

  /**
   * The button that adds a property, if it is shown.
   * @param {string} key
   */
  has(key) {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll("[data-add]"))].find(({ dataset }) => dataset.add === key);
  }

  #addEntry = () => {};

  /**
   * @param {Member} child
   * @param {string} text
   */
  #button(child, text) {
    const made = element("button", { type: "button", className: "button add", textContent: text }, { part: "button", "data-add": child.key });
    made.addEventListener("click", () => this.#act(this.#absent.find(({ key }) => key === child.key) ?? child));
    return made;
  }

  /** @param {number} count */
  #opener(count) {
    const { words } = this.#form;
    const made = element("button", { type: "button", className: "button add", textContent: `${words.say(FIELDS_ADD_PROPERTY)} (${words.text(count)})` }, { part: "button", "aria-expanded": "false", "data-at": `${this.#pointer}|properties` });
    made.addEventListener("click", () => {
      if (this.#list) return this.#close(made);
      this.#list = this.#panel(made);
      this.element.append(this.#list);
      made.setAttribute("aria-expanded", "true");
      /** @type {HTMLElement} */ (this.#list.querySelector("input")).focus();
    });
    return made;
  }

  /** @param {HTMLElement} opener */
  #close(opener) {
    /** @type {HTMLElement} */ (this.#list).remove();
    this.#list = undefined;
    opener.setAttribute("aria-expanded", "false");
    opener.focus();
  }

  /**
   * The properties that match a filter, each a button.
   * @param {HTMLElement} opener
   */
  #panel(opener) {
    const { words } = this.#form;
    const panel = element("div", { className: "panel" }, { role: "group", "aria-label": words.say(FIELDS_ADD_PROPERTY) });
    const filter = element("input", { type: "text", placeholder: words.say(FIELDS_FILTER) }, { part: "input", "aria-label": words.say(FIELDS_FILTER), dir: "auto", spellcheck: "false", autocapitalize: "off" });
    const list = element("ul", { className: "found-properties" });
    const status = element("p", { className: "hint" }, { role: "status" });
    /** @type {(text: string) => string} */
    const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    const show = () => {
      const wanted = fold(filter.value.trim());
      const matching = this.#absent.filter((child) => fold(`${child.key} ${child.title ?? ""}`).includes(wanted));
      list.replaceChildren(
        ...matching.slice(0, MOST).map((child) => {
          const item = element("li");
          const button = this.#button(child, "");
          button.append(element("span", { className: "name isolated", textContent: visible(nameOf(child)) }));
          if (child.deprecated) button.append(element("span", { className: "optional", textContent: ` ${words.say(FIELDS_DEPRECATED)}` }));
          if (child.description) button.append(element("span", { className: "description", textContent: visible(child.description.replace(/\s+/g, " ").slice(0, 200)) }, { dir: "auto", "data-md": "inline" }));
          item.append(button);
          return item;
        }),
      );
      status.textContent = matching.length ? "" : words.say(FIELDS_NO_MATCH);
    };
    filter.addEventListener("input", show);
    panel.addEventListener("keydown", (event) => {
      const isEnter = event.key === "Enter" && event.target === filter && !event.isComposing;
      if (event.key !== "Escape" && !isEnter) return;
      event.preventDefault();
      event.stopPropagation();
      if (isEnter) list.querySelector("button")?.click();
      else this.#close(opener);
    });
    show();
    panel.append(filter, list, status);
    return panel;
  }
}

/** @type {(child: Member) => string} */
const nameOf = ({ title, key }) => title ?? key;
