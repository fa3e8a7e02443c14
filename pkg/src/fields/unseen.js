// What is sent and was never shown: values in places that are folded, deep, or further down in a long list. They are counted, and listed on request.
import { FIELDS_SHOW_MORE, FIELDS_UNSHOWN } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { below } from "./pointer.js";

/**
 * @import { Place, Source } from "../json/source.js"
 * @import { Form, View } from "./form.js"
 */

/**
 * A value that was not shown: its place, and its JSON text.
 * @typedef {{ pointer: string, raw: string }} Found
 */

/** So many are listed at first, and more each time. */
const PAGE = 200;

export class Unseen {
  element = element("details", { className: "unshown", hidden: true });
  /** @type {Form} */
  #form;
  #summary = element("summary");
  #list = element("ul");
  #more = element("button", { type: "button", className: "button more", hidden: true }, { part: "button" });
  /**
   * The values that were shown, as they are written, by their places.
   * @type {Map<string, string>}
   */
  #seen = new Map();
  /** @type {Found[]} */
  #found = [];
  #listed = PAGE;

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
    this.element.append(this.#summary, this.#list, this.#more);
    this.element.addEventListener("toggle", () => this.#show());
    this.#more.addEventListener("click", () => {
      this.#listed += PAGE;
      this.#show();
    });
  }

  /** How many values there are. */
  get count() {
    return this.#found.length;
  }

  /** Lists them. */
  open() {
    this.element.open = true;
    this.#summary.focus();
  }

  /**
   * Notes what the views show now, and says what else is sent.
   * @param {Iterable<View>} views
   */
  update(views) {
    const { source } = this.#form.document;
    for (const { path, pointer, element, toggle, cells } of views) {
      if (toggle || cells || /** @type {Element} */ (element).closest("[hidden]")) continue;
      const node = source?.find(path);
      if (node) this.#seen.set(pointer, /** @type {Source} */ (source).raw(node));
    }
    this.#found = source?.root ? [...this.#unseen(source, source.root, "")] : [];
    this.element.hidden = this.#found.length === 0;
    this.#summary.textContent = this.#form.words.say(FIELDS_UNSHOWN, { count: this.#found.length });
    this.#show();
  }

  /**
   * The values at a place, and below it, that were not shown as they are now.
   * @param {Source} source
   * @param {Place & { name?: string, index?: number }} node
   * @param {string} pointer
   * @returns {Generator<Found, void, undefined>}
   */
  *#unseen(source, node, pointer) {
    const seen = this.#seen.get(pointer);
    if (seen !== undefined && seen === source.raw(node)) return;
    const parts = node.kind === "object" || node.kind === "array" ? source.parts(node) : [];
    for (const part of parts) yield* this.#unseen(source, part, below(pointer, part.name ?? part.index));
    // A place that has nothing in it says so itself.
    if (!parts.length && pointer && !this.#form.view(pointer)?.toggle) yield { pointer, raw: source.raw(node) };
  }

  #show() {
    if (!this.element.open) return this.#list.replaceChildren();
    const shown = this.#found.slice(0, this.#listed).map(({ pointer, raw }) => {
      const line = element("li");
      const value = raw.startsWith('"') ? JSON.parse(raw) : raw;
      line.append(element("span", { className: "isolated", textContent: `${this.#form.called(pointer)}: ` }), element("span", { className: "isolated", textContent: visible(value) }));
      return line;
    });
    this.#list.replaceChildren(...shown);
    this.#more.hidden = this.#found.length <= shown.length;
    this.#more.textContent = this.#form.words.say(FIELDS_SHOW_MORE, { count: this.#found.length - shown.length });
  }
}
