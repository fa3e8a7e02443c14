// Where a deep place is: the places around it, each a button that leads there, and its own name.
import { FIELDS_PATH, FIELDS_WHOLE } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { itemName } from "./brief.js";
import { pointerOf } from "./pointer.js";

/**
 * @import { Path } from "../json/source.js"
 * @import { Form } from "./form.js"
 */

export class Crumbs {
  element;
  /** @type {HTMLElement | undefined} */
  heading;
  labelId;
  /** @type {Form} */
  #form;
  #list = element("ol");

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
    this.labelId = form.id();
    this.element = element("nav", { className: "crumbs", hidden: true });
    this.element.append(this.#list);
  }

  /** @param {Path} path */
  update(path) {
    const { words } = this.#form;
    this.element.hidden = path.length === 0;
    this.element.setAttribute("aria-label", words.say(FIELDS_PATH));
    if (!path.length) {
      this.heading = undefined;
      return this.#list.replaceChildren();
    }
    const names = [words.say(FIELDS_WHOLE), ...path.map((_, place) => this.#nameOf(path.slice(0, place + 1)))];
    const isKnown = this.#list.childElementCount === names.length;
    this.#list.replaceChildren(
      ...names.map((name, place) => {
        const item = element("li");
        if (place < path.length) {
          const button = element("button", { type: "button", className: "link isolated", textContent: visible(name) }, { part: "button", "data-at": `|crumb ${place}` });
          button.addEventListener("click", () => this.#form.go(path.slice(0, place)));
          item.append(button);
          return item;
        }
        this.heading = isKnown && this.heading ? this.heading : element("h3", { id: this.labelId, className: "isolated", tabIndex: -1 }, { "aria-current": "location", "data-at": "|here" });
        this.heading.textContent = visible(name);
        item.append(this.heading);
        return item;
      }),
    );
  }

  /**
   * @param {Path} path
   * @returns {string}
   */
  #nameOf(path) {
    const part = path.at(-1);
    if (typeof part === "number") return itemName(this.#form.document, path, this.#form.words);
    return this.#form.model.open(pointerOf(path), 0, 0).title ?? /** @type {string} */ (part);
  }
}
