// The parts of a list: its items, each with what can be done with it, or a table where the items are flat objects and there is room; and what adds one.
import { FIELDS_ADD, FIELDS_ADD_ITEM, FIELDS_COPY, FIELDS_DOWN, FIELDS_ITEM, FIELDS_NO_ITEMS, FIELDS_REMOVE_ITEM, FIELDS_UP } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { itemName, nameOf } from "./brief.js";
import { tool } from "./icons.js";
import { hasRoom, List, More } from "./parts.js";
import { pointerOf } from "./pointer.js";
import { columnsOf, Table } from "./table.js";

/**
 * @import { Path, Place, Source } from "../json/source.js"
 * @import { Word } from "../words.js"
 * @import { Form } from "./form.js"
 * @import { Icon } from "./icons.js"
 * @import { Field, Item } from "./model.js"
 */

/**
 * A button of an item: whether it can act now, and what it is called.
 * @typedef {{ button: HTMLButtonElement, isPossible(): boolean, name(): string }} Named
 */

export class Items {
  element = element("div", { className: "items" });
  /** @type {Form} */
  #form;
  /** @type {Path} */
  #path;
  /** @type {string} */
  #pointer;
  /** @type {number} */
  #depth;
  #list = new List("div", "parts rows");
  /** @type {Table | undefined} */
  #table;
  /** @type {HTMLElement} */
  #none;
  /** @type {HTMLElement} */
  #add;
  /** @type {More} */
  #more;
  /** @type {Field} */
  #field;
  /**
   * The buttons of each item, by its place, with what they are called.
   * @type {Named[][]}
   */
  #named = [];
  #total = 0;
  /** @type {ResizeObserver} */
  #resize;
  /** @type {boolean} */
  #isWide;

  /**
   * @param {Form} form
   * @param {Field} field
   * @param {Path} path
   * @param {number} depth
   */
  constructor(form, field, path, depth) {
    this.#form = form;
    this.#field = field;
    this.#path = path;
    this.#pointer = pointerOf(path);
    this.#depth = depth;
    this.#more = new More(form, this.#pointer);
    this.#none = element("p", { className: "hint", textContent: form.words.say(FIELDS_NO_ITEMS) });
    this.#add = element("button", { type: "button", className: "button add" }, { part: "button", "data-at": `${this.#pointer}|add` });
    this.#add.addEventListener("click", () => form.addItem(this.#path, this.#field));
    const adds = element("div", { className: "buttons" });
    adds.append(this.#add);
    this.element.append(this.#none, this.#list.element, this.#more.element, adds);
    this.#resize = new ResizeObserver(() => {
      const isWide = hasRoom(this.element);
      if (isWide === this.#isWide || !this.element.isConnected) return;
      this.#isWide = isWide;
      if (this.#columns()) form.refresh();
    });
    this.#isWide = hasRoom(form.element);
    this.update(field);
    this.#resize.observe(this.element);
  }

  /** @param {Field} field */
  update(field) {
    const form = this.#form;
    this.#field = field;
    const children = /** @type {Item[]} */ (field.children ?? []);
    const count = children.filter(({ present }) => present).length;
    const columns = this.#isWide ? this.#columns() : undefined;
    this.#total = field.total ?? children.length;
    if (columns && !(this.#table && this.#table.update(children, columns))) {
      this.#list.update([], () => /** @type {never} */ (undefined));
      this.#table?.destroy();
      this.#table?.element.remove();
      this.#table = new Table(form, this.#path, columns, children, (index) => this.#tools(index), (index) => this.#spoken(index));
      this.#list.element.before(this.#table.element);
    }
    if (!columns) {
      this.#table?.destroy();
      this.#table?.element.remove();
      this.#table = undefined;
      const { unfilled } = form.state;
      this.#list.update(children.map((child) => (unfilled.has(child.pointer) ? { ...child, mismatch: undefined } : child)), (child) => this.#item(child));
    }
    // What an item is called may have changed, and which one is the last.
    for (const named of this.#named) for (const { button, name, isPossible } of named ?? []) Object.assign(button, { title: name(), ariaLabel: name(), disabled: !isPossible() });
    this.#none.hidden = count > 0;
    this.#add.hidden = field.add === undefined || field.readOnly === true;
    this.#add.textContent = field.add?.title ? form.words.say(FIELDS_ADD, { name: visible(field.add.title) }) : form.words.say(FIELDS_ADD_ITEM);
    this.#more.update(children.length, this.#total);
    return true;
  }

  /** @returns {HTMLElement | undefined} */
  get control() {
    return this.#table?.control ?? this.#list.views.find(({ control }) => control)?.control ?? (this.#add.hidden ? undefined : this.#add);
  }

  destroy() {
    this.#resize.disconnect();
    this.#list.destroy();
    this.#table?.destroy();
  }

  #columns() {
    return columnsOf(this.#form, this.#pointer, this.#field);
  }

  /** @param {Item} child */
  #item(child) {
    const { index } = child;
    const path = [...this.#path, index];
    const spoken = () => this.#spoken(index);
    const tools = child.present && !this.#field.readOnly ? this.#tools(index, child.source === "prefix") : [];
    const name = child.title && child.source === "prefix" ? child.title : this.#form.words.say(FIELDS_ITEM, { number: index + 1 });
    return this.#form.make(child, path, this.#depth + 1, { name, spoken, tools, layout: "row", isItem: true, isOpen: this.#total === 1 });
  }

  /**
   * What an item is called: its number, and its first text.
   * @param {number} index
   */
  #spoken(index) {
    return itemName(this.#form.document, [...this.#path, index], this.#form.words);
  }

  /**
   * @param {number} index
   * @param {boolean} isPrefix
   */
  #tools(index, isPrefix = false) {
    const form = this.#form;
    const { words } = form;
    const at = `${this.#pointer}/${index}`;
    const name = () => {
      const { source } = form.document;
      return nameOf(/** @type {Source} */ (source), source?.find([...this.#path, index]));
    };
    /** @type {(word: Word) => string} */
    const say = (word) => [words.say(word, { number: index + 1 }), name()].filter(Boolean).join(": ");
    /** @type {[kind: Icon, word: Word, isPossible: () => boolean, act: () => void][]} */
    const all = [
      ["up", FIELDS_UP, () => index > 0, () => form.moveItem(this.#path, index, index - 1)],
      ["down", FIELDS_DOWN, () => index + 1 < this.#total, () => form.moveItem(this.#path, index, index + 1)],
      ["copy", FIELDS_COPY, () => this.#field.add !== undefined, () => form.copyItem(this.#path, index)],
      ["remove", FIELDS_REMOVE_ITEM, () => true, () => form.removeItem(this.#path, index, this.#spoken(index), this)],
    ];
    // The places of a tuple stay as they are.
    const made = all.filter(([kind]) => !isPrefix || kind === "remove").map(([kind, word, isPossible, act]) => {
      const button = tool(kind, say(word), `${at}|${kind}`, act);
      button.disabled = !isPossible();
      return { button, isPossible, name: () => say(word) };
    });
    this.#named[index] = made;
    return made.map(({ button }) => button);
  }

  /**
   * What has the focus once an item is gone: the one after it, the one before it, or what adds.
   * @param {number} index
   */
  focusBeside(index) {
    return () => {
      const count = /** @type {Source} */ (this.#form.document.source).parts(/** @type {Place} */ (/** @type {Source} */ (this.#form.document.source).find(this.#path))).length;
      const next = count > index ? index : count - 1;
      const view = next >= 0 ? this.#form.view(`${this.#pointer}/${next}`) : undefined;
      (view?.control ?? this.control ?? this.#add).focus();
    };
  }
}
