// What places with parts share: a row of views that follow a list of fields, each of which stays while its field does; the button that shows more of a long one; and whether there is room for
// a table.
import { FIELDS_SHOW_MORE } from "../../build/words.js";
import { element } from "../json/dom.js";

/**
 * @import { Field } from "./model.js"
 * @import { Form, View } from "./form.js"
 */

/**
 * What a list shows of a field.
 * @typedef {{ pointer: string, element: HTMLElement, path: import("../json/source.js").Path, control?: HTMLElement | null, update(field: Field): boolean, destroy(): void }} Shown
 */

/** So many parts are shown at first, and more each time. */
export const PAGE = 50;

/** The least width of a table, in the height of a line of text. */
const ROOM = 24;

/**
 * Whether a table has room in an element.
 * @type {(place: Element) => boolean}
 */
export const hasRoom = (place) => place.getBoundingClientRect().width / parseFloat(getComputedStyle(place).fontSize) >= ROOM;

export class List {
  /** @type {Shown[]} */
  views = [];

  /**
   * @param {"div"} [tag]
   * @param {string} [className]
   */
  constructor(tag = "div", className = "parts") {
    this.element = element(tag, { className });
  }

  /**
   * Follows fields: `make(field)` makes the view of one that is new, or another than it was.
   * @template {Field} Of
   * @param {Of[]} fields
   * @param {(field: Of) => Shown} make
   */
  update(fields, make) {
    const before = new Map(this.views.map((view) => [view.pointer, view]));
    this.views = /** @type {Shown[]} */ (fields.map((field) => {
      const known = before.get(field.pointer);
      if (known && known.update(field) !== false) {
        before.delete(field.pointer);
        return known;
      }
      return undefined;
    }));
    // What goes first: a new one may be of the same place.
    for (const view of before.values()) {
      view.destroy();
      view.element.remove();
    }
    this.views = this.views.map((view, place) => view ?? make(fields[place]));
    for (const [place, { element }] of this.views.entries()) {
      const there = this.element.children[place];
      if (there !== element) this.element.insertBefore(element, there ?? null);
    }
  }

  destroy() {
    for (const view of this.views) view.destroy();
  }
}

/** Shows more of a long list, when it is pressed or comes into sight. */
export class More {
  element = element("button", { type: "button", className: "button more", hidden: true }, { part: "button" });

  /**
   * @param {Form} form
   * @param {string} pointer
   */
  constructor(form, pointer) {
    this.form = form;
    this.pointer = pointer;
    this.element.addEventListener("click", () => form.showMore(pointer));
  }

  /**
   * @param {number} shown
   * @param {number} total
   */
  update(shown, total) {
    this.element.hidden = shown >= total;
    this.element.textContent = this.form.words.say(FIELDS_SHOW_MORE, { count: total - shown });
  }
}
