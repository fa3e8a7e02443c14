// A field with a control: its name, what the schema says of it, the control, and what is wrong with it. `layout` is "block"; "row", beside its name; or "cell" of a table, which names it.
import { FIELDS_EXAMPLES, FIELDS_FIXED, FIELDS_MISMATCH, FIELDS_TOO_COMPLEX, LIMIT_DEFAULT } from "../../build/words.js";
import { element } from "../json/dom.js";
import { facts, TYPES, visible } from "../json/schema.js";
import { fixed, one, several } from "./choices.js";
import { json, known, shown, typed } from "./controls.js";
import { written } from "./exact.js";
import { pointerOf } from "./pointer.js";
import { titled } from "./title.js";

/**
 * @import { Path, Seat, Source } from "../json/source.js"
 * @import { Words } from "../words.js"
 * @import { About, Control } from "./controls.js"
 * @import { Form } from "./form.js"
 * @import { Field } from "./model.js"
 */

/**
 * How a place is shown: what it is called, as it is read and as it is spoken; its buttons; the keys that it comes after.
 * @typedef {{ name?: string, spoken?: string | (() => string), tools?: HTMLElement[], layout?: "block" | "row" | "cell", labelledBy?: string, isItem?: boolean, isOpen?: boolean, before?: string[] }} Options
 */

/** Of types, only that of a number needs saying: the others show. */
const NUMBERS = ["integer", "number"];
/** What a field says that changes with its value, and does not make it another field. */
const VOLATILE = new Set(["present", "selected", "unlisted", "children", "from", "total", "groups", "open", "add"]);
const COMPLEX = new Set(["too_many_parts", "too_large", "too_much_work"]);

/**
 * Whether a place has a control of its own, and no parts.
 * @type {(field: Pick<Field, "kind">) => boolean}
 */
export const isLeaf = ({ kind }) => !["object", "array", "options"].includes(kind);

/**
 * What of a field makes it another field.
 * @type {(field: Field) => string}
 */
export const signature = (field) => JSON.stringify(field, (name, value) => (VOLATILE.has(name) ? undefined : value));

export class Leaf {
  /**
   * What stands in the control and cannot be written, said.
   * @type {string | undefined}
   */
  problem;
  /** @type {Form} */
  #form;
  /** @type {Field} */
  #field;
  /** @type {string} */
  #signature;
  /** @type {Control} */
  #control;
  /** @type {HTMLElement} */
  #error;
  /** @type {Options} */
  #options;
  /**
   * Where the value stood before it was taken out.
   * @type {Seat | undefined}
   */
  #seat;

  /**
   * @param {Form} form
   * @param {Field} given
   * @param {Path} path
   * @param {Options} options
   */
  constructor(form, given, path, options = {}) {
    const { words } = form;
    const field = asTyped(given);
    const { name, layout = "block", tools = [], labelledBy, isItem } = options;
    this.path = path;
    this.pointer = pointerOf(path);
    this.#form = form;
    this.#field = field;
    this.#options = options;
    this.#signature = signature(field);
    const raw = form.rawAt(path);
    const shownField = isItem ? { ...field, required: true } : field;
    const control = make(field)(shownField, { words, raw, isCell: layout === "cell", id: () => form.id(), changed: () => this.#changed() });
    this.#control = control;
    const id = form.id();
    const [first] = control.controls;
    if (first && !control.isGroup) first.id = id;
    if (control.isTyped) for (const one of control.controls) known(one, field);
    this.#error = element("p", { className: "error", id: `${id}-error` });
    const described = [`${id}-error`];
    if (layout === "cell") {
      this.element = element("div", { className: "cell" });
      for (const one of control.controls) one.setAttribute("aria-labelledby", /** @type {string} */ (labelledBy));
      this.element.append(...control.nodes, this.#error);
    } else {
      const isGroup = control.isGroup === true;
      this.element = element(isGroup && control.controls.length ? "fieldset" : "div", { className: `property${layout === "row" ? " row" : ""}` });
      if (name !== undefined) {
        const title = element(isGroup && control.controls.length ? "legend" : isGroup ? "p" : "label", { className: "property-name" }, isGroup ? {} : { for: id });
        title.append(...this.#title(name));
        const head = tools.length && !(isGroup && control.controls.length) ? element("div", { className: "head" }) : undefined;
        if (head) {
          head.append(title, element("span", { className: "tools" }));
          /** @type {Element} */ (head.lastChild).append(...tools);
        }
        this.element.append(head ?? title);
        if (tools.length && !head) {
          const beside = element("span", { className: "tools" });
          beside.append(...tools);
          this.element.append(beside);
        }
      } else for (const one of control.controls) one.setAttribute("aria-labelledby", /** @type {string} */ (labelledBy));
      const about = this.#about(id);
      if (about) {
        this.element.append(...about);
        described.unshift(...about.map(({ id }) => id));
      }
      this.element.append(...control.nodes, this.#error);
      if (isGroup && control.controls.length) this.element.setAttribute("aria-describedby", described.join(" "));
    }
    for (const [place, one] of control.controls.entries()) {
      one.setAttribute("aria-describedby", described.join(" "));
      one.dataset.at = `${this.pointer}|${place}`;
      one.addEventListener("focusout", () => form.visited(this));
    }
    control.load(raw);
    form.add(this);
  }

  get field() {
    return this.#field;
  }

  /**
   * What a person calls the place.
   * @returns {string}
   */
  get name() {
    const { spoken, name = "" } = this.#options;
    return typeof spoken === "function" ? spoken() : (spoken ?? name);
  }

  /** @param {Field} given */
  update(given) {
    const field = asTyped(given);
    if (signature(field) !== this.#signature) return false;
    this.#field = field;
    if (this.problem !== undefined) return true;
    return this.#control.load(this.#form.rawAt(this.path)) !== false;
  }

  /**
   * Says what is wrong.
   * @param {string} text
   */
  say(text) {
    const said = this.problem ?? text;
    if (this.#error.textContent !== said) this.#error.textContent = said;
    for (const control of this.#control.controls) control.setAttribute("aria-invalid", String(said !== ""));
  }

  /** @returns {HTMLElement | undefined} */
  get control() {
    return /** @type {HTMLInputElement[]} */ (this.#control.controls).find(({ checked }) => checked) ?? this.#control.controls[0];
  }

  focus() {
    const { control } = this;
    if (control) control.focus();
    else /** @type {HTMLElement | null} */ (this.element.querySelector(".tool"))?.focus();
  }

  /** Writes a fixed value that is not in the text, where it has to be there. */
  get isFixed() {
    return this.#control.isFixed === true;
  }

  destroy() {
    this.#form.remove(this);
  }

  #changed() {
    const { raw, problem, isBack } = this.#control.read();
    this.problem = problem;
    const form = this.#form;
    form.state.touched.set(this.pointer, true);
    form.state.unfilled.delete(this.pointer);
    if (problem !== undefined) return form.soon();
    if (raw === undefined && !this.#options.isItem && /** @type {Source} */ (form.document.source).find(this.path)) this.#seat = /** @type {Source} */ (form.document.source).seat(this.path);
    form.write(this.path, raw, { seat: this.#seat, before: this.#options.before, isItem: this.#options.isItem, isTyped: this.#control.isTyped, isBack });
  }

  /** @param {string} name */
  #title(name) {
    const { words } = this.#form;
    const field = this.#field;
    const { isItem, tools = [] } = this.#options;
    // What can be removed is optional.
    return titled(name, field, !field.required && !isItem && !field.readOnly && !tools.length, words);
  }

  /**
   * What the schema says of the value.
   * @param {string} id
   */
  #about(id) {
    const { words } = this.#form;
    const { description, kind } = this.#field;
    const told = said(this.#field, words);
    const found = [];
    if (description) found.push(element("p", { id: `${id}-about`, className: "hint", textContent: visible(description) }, { dir: "auto", "data-md": "block" }));
    if (told) found.push(element("p", { id: `${id}-facts`, className: "hint", textContent: visible(told) }));
    return found.length && kind ? found : undefined;
  }
}

/**
 * What was typed in place of a number stays in the field of the number.
 * @param {Field} field
 * @returns {Field}
 */
function asTyped(field) {
  return NUMBERS.includes(field.kind) && field.mismatch === "string" ? { ...field, mismatch: undefined } : field;
}

/**
 * @param {Field} field
 * @returns {(field: Field, about: About) => Control}
 */
function make({ kind, mismatch, const: only }) {
  if (mismatch) return json;
  if (kind === "null" || (kind === "choice" && only !== undefined)) return fixed;
  return /** @type {{ [kind: string]: (field: Field, about: About) => Control }} */ ({ text: typed, number: typed, integer: typed, boolean: one, choice: one, choices: several })[kind] ?? json;
}

/**
 * What a value must keep to, its default, and examples, in words. The control for a date shows its format itself.
 * @param {Field} field
 * @param {Words} words
 */
function said(field, words) {
  const { kind, limits = {}, format, default: stated, examples = [], mismatch, reason } = field;
  const { patterns = [], uniqueItems, ...more } = limits;
  const isFixed = kind === "null" || field.const !== undefined;
  const kinds = facts([{ type: NUMBERS.includes(kind) ? kind : undefined, format: format === "date" && !mismatch ? undefined : format, ...more }, ...patterns.map((pattern) => ({ pattern }))], words, NUMBERS);
  /** @type {(one: unknown) => string} */
  const value = (one) => shown(written(one)).replace(/\s+/g, " ");
  return [
    ...(isFixed && !mismatch ? [words.say(FIELDS_FIXED)] : kinds),
    ...(stated === undefined || isFixed ? [] : [words.say(LIMIT_DEFAULT, { limit: value(stated) })]),
    ...(examples.length > 1 || (examples.length && typeof examples[0] === "object") ? [words.say(FIELDS_EXAMPLES, { values: examples.slice(0, 5).map(value).join(", ") })] : []),
    ...(mismatch && TYPES[mismatch] ? [words.say(FIELDS_MISMATCH, { type: words.say(TYPES[mismatch]) })] : []),
    ...(COMPLEX.has(/** @type {string} */ (reason)) ? [words.say(FIELDS_TOO_COMPLEX)] : []),
  ].join(", ");
}
