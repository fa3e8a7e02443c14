// A place with parts, or with a choice of what it is: its name, which folds it, what the schema says of it, the choice, and its parts. Deep in the
// form it is a button that opens it in place of what is shown.
import { FIELDS_NONE, FIELDS_OPEN } from "../../build/words.js";
import { element } from "../json/dom.js";
import { facts, visible } from "../json/schema.js";
import { brief } from "./brief.js";
import { icon } from "./icons.js";
import { Items } from "./items.js";
import { isLeaf, Leaf } from "./leaf.js";
import { Members } from "./members.js";
import { pointerOf } from "./pointer.js";
import { titled } from "./title.js";
import { Variants } from "./variants.js";

/**
 * @import { Path, Source } from "../json/source.js"
 * @import { Form } from "./form.js"
 * @import { Options } from "./leaf.js"
 * @import { Field, FieldGroup } from "./model.js"
 */

/** From this level on, a place opens in place of what is shown. */
const DEEP = 3;
/** A choice of so many types is one of all types that there are. */
const ANY = 6;

export class Group {
  /** @type {Form} */
  #form;
  /** @type {Options} */
  #options;
  /** @type {string} */
  #signature;
  /** @type {number} */
  #depth;
  /** @type {Field} */
  #field;
  /** @type {string | undefined} */
  #id;
  /** @type {HTMLElement | undefined} */
  #head;
  /** @type {boolean | undefined} */
  #wasFoldable;
  /** @type {HTMLButtonElement | undefined} */
  #fold;
  /** @type {HTMLElement | undefined} */
  #brief;
  /** @type {HTMLElement} */
  #body;
  /** @type {HTMLElement} */
  #error;
  /** @type {Variants | undefined} */
  #variants;
  /** @type {HTMLElement | undefined} */
  #about;
  /**
   * What shows the parts, or the value; and its kind.
   * @type {Members | Items | Leaf | undefined}
   */
  #content;
  /** @type {string | undefined} */
  #kind;

  /**
   * @param {Form} form
   * @param {Field} field
   * @param {Path} path
   * @param {number} depth
   * @param {Options} options
   */
  constructor(form, field, path, depth, options = {}) {
    this.path = path;
    this.pointer = pointerOf(path);
    this.#form = form;
    this.#depth = depth;
    this.#options = options;
    this.#field = field;
    this.#signature = signatureOf(field);
    const id = form.id();
    this.element = element("div", { className: depth ? "group" : "whole" });
    this.#body = element("div", { className: "body", id: `${id}-body` });
    this.#error = element("p", { className: "error", id: `${id}-error` });
    if (depth) {
      this.#id = id;
      this.#brief = element("p", { className: "brief isolated" });
      this.element.append(this.#brief);
      this.element.setAttribute("role", "group");
      this.element.setAttribute("aria-labelledby", id);
      this.element.setAttribute("aria-describedby", `${id}-error`);
    }
    this.element.append(this.#error, this.#body);
    form.add(this);
    this.update(field);
  }

  /** @returns {string} */
  get name() {
    const { spoken, name = "" } = this.#options;
    return typeof spoken === "function" ? spoken() : (spoken ?? name);
  }

  get field() {
    return this.#field;
  }

  get isOpen() {
    return !this.#isFoldable || (!this.isDeep && (this.#form.state.open.get(this.pointer) ?? this.#options.isOpen ?? true));
  }

  get isDeep() {
    return this.#depth >= DEEP && this.#isFoldable;
  }

  get #isFoldable() {
    return this.#depth > 0 && !isLeaf(this.#field) && this.#field.kind !== "options";
  }

  /** @param {Field} field */
  update(field) {
    if (this.#depth && signatureOf(field) !== this.#signature) return false;
    this.#field = field;
    if (this.#depth && this.#isFoldable !== this.#wasFoldable) this.#showHead();
    this.#showFold();
    if (this.isOpen) this.#fill();
    return true;
  }

  /** Shows the parts, or hides them. */
  toggle(isOpen = !this.isOpen) {
    this.#form.state.open.set(this.pointer, isOpen);
    this.update(this.#field);
    this.#form.mark();
  }

  /** @param {string} text */
  say(text) {
    if (this.#error.textContent !== text) this.#error.textContent = text;
    this.element.classList.toggle("wrong", text !== "");
  }

  /**
   * What has the focus where the place has it: its first control, or what unfolds it.
   * @returns {HTMLElement | null | undefined}
   */
  get control() {
    return (this.isOpen ? (this.#variants?.control ?? this.#content?.control) : undefined) ?? this.#fold;
  }

  focus() {
    this.control?.focus();
  }

  /** What the place says when it is folded. */
  showBrief() {
    if (!this.#brief) return;
    const { source } = this.#form.document;
    const node = source?.find(this.path);
    this.#brief.textContent = this.isOpen || !this.#isFoldable ? "" : node ? brief(/** @type {Source} */ (source), node, this.#form.words) || this.#form.words.say(FIELDS_NONE) : this.#form.words.say(FIELDS_NONE);
  }

  destroy() {
    this.#content?.destroy();
    this.#form.remove(this);
  }

  /** The name, which is a button where the place folds. Its options may change that. */
  #showHead() {
    const { words } = this.#form;
    const { name, isItem, tools = [] } = this.#options;
    const [field, id, isFoldable] = [this.#field, this.#id, this.#isFoldable];
    this.#wasFoldable = isFoldable;
    this.#fold = undefined;
    const head = element("div", { className: "head" });
    // What can be removed is optional.
    const title = titled(name ?? "", field, !field.required && !isItem && !tools.length, words);
    if (isFoldable) {
      this.#fold = element("button", { type: "button", className: "fold", id }, { part: "button", "data-at": `${this.pointer}|fold` });
      this.#fold.append(...(this.#depth < DEEP ? [icon("fold")] : []), ...title);
      this.#fold.addEventListener("click", () => (this.isDeep ? this.#form.go(this.path) : this.toggle()));
      head.append(this.#fold);
      if (this.#depth >= DEEP) this.#fold.append(icon("fold"));
    } else {
      const label = element("p", { className: "property-name", id });
      label.append(...title);
      head.append(label);
    }
    if (tools.length) {
      const beside = element("span", { className: "tools" });
      beside.append(...tools);
      head.append(beside);
    }
    this.#head?.remove();
    this.#head = head;
    this.element.prepend(head);
  }

  #showFold() {
    const isOpen = this.isOpen;
    this.#body.hidden = !isOpen;
    this.element.classList.toggle("is-open", isOpen && this.#isFoldable);
    if (this.#fold && this.isDeep) this.#fold.setAttribute("aria-label", this.#form.words.say(FIELDS_OPEN, { name: visible(this.name) }));
    else if (this.#fold) {
      this.#fold.setAttribute("aria-expanded", String(isOpen));
      this.#fold.setAttribute("aria-controls", this.#body.id);
    }
    this.showBrief();
  }

  #fill() {
    const form = this.#form;
    const isPlain = isLeaf(this.#field);
    const field = isPlain ? this.#field : form.model.open(this.pointer, 0, form.countAt(this.pointer));
    this.#field = { ...field, required: this.#field.required };
    const choices = field.groups?.filter((group) => !isFree(group, field)) ?? [];
    if (choices.length && !this.#variants) {
      this.#variants = new Variants(form, this.pointer, (group, index) => form.choose(this, group, index));
      this.#body.prepend(this.#variants.element);
    }
    this.#variants?.update(choices);
    const kind = isPlain ? "leaf" : field.kind;
    if (this.#content && kind === this.#kind && this.#content.update(field) !== false) return;
    this.#content?.destroy();
    this.#content?.element.remove();
    this.#kind = kind;
    this.#content = this.#make(kind, field);
    this.#showAbout(field, isPlain);
    if (this.#content) this.#body.append(this.#content.element);
  }

  /**
   * @param {string} kind
   * @param {Field} field
   */
  #make(kind, field) {
    const form = this.#form;
    const { before, isItem } = this.#options;
    if (kind === "object") return new Members(form, field, this.path, this.#depth);
    if (kind === "array") return new Items(form, field, this.path, this.#depth);
    if (kind === "options") return undefined;
    // A control says the description itself.
    return new Leaf(form, field, this.path, { labelledBy: this.#depth ? /** @type {string} */ (this.element.getAttribute("aria-labelledby")) : form.labelId, before, isItem, spoken: this.name });
  }

  /**
   * What the schema says of a place with parts.
   * @param {Field} field
   * @param {boolean} isPlain
   */
  #showAbout(field, isPlain) {
    this.#about?.remove();
    this.#about = undefined;
    if (isPlain || !this.#depth) return;
    const { words } = this.#form;
    const { minItems, maxItems, minProperties, maxProperties } = field.limits ?? {};
    const told = facts([{ minItems, maxItems, minProperties, maxProperties }], words, []).join(", ");
    this.#about = element("div", { className: "about-group" });
    if (field.description) this.#about.append(element("p", { className: "hint", textContent: visible(field.description) }, { dir: "auto", "data-md": "block" }));
    if (told) this.#about.append(element("p", { className: "hint", textContent: told }));
    if (this.#about.childElementCount) this.#body.prepend(this.#about);
  }
}

/**
 * Whether a group is no choice to make: a value is there, of any type, and shows what it is.
 * @param {FieldGroup} group
 * @param {Field} field
 */
function isFree({ by, chosen, options }, { present }) {
  return by === "type" && options.length >= ANY && present === true && !chosen;
}

/**
 * What of a place makes it another one: not its kind, which its options may change while it is shown.
 * @param {Field} field
 */
function signatureOf({ title, required, readOnly, deprecated, source }) {
  return JSON.stringify([title, required, readOnly, deprecated, source]);
}
