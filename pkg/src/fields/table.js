// A list of flat objects as a table: a row for each item, a column for each property.
import { FIELDS_ACTIONS } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { pointerOf } from "./pointer.js";

/**
 * @import { Path } from "../json/source.js"
 * @import { Form, View } from "./form.js"
 * @import { Leaf } from "./leaf.js"
 * @import { Field, Item, Member } from "./model.js"
 */

/** @typedef {{ key: string, title: string, required: boolean }} Column */

/** @typedef {{ view: View, cells: Leaf[], number: HTMLElement, spoken(): string }} Row */

/** As many columns as have room, and as many rows as are opened at once. */
const MOST = 6;
const KINDS = new Set(["text", "number", "integer", "boolean", "choice"]);

/**
 * The properties of the items of a list, where all that are shown are flat and alike.
 * @param {Form} form
 * @param {string} pointer
 * @param {Field} field
 * @returns {Column[] | undefined}
 */
export function columnsOf(form, pointer, { children = [], add, total }) {
  if (!total || (add && add.kind !== "object") || children.some(({ kind, groups, source, mismatch, present }) => kind !== "object" || groups || mismatch || !present || source !== "items")) return undefined;
  /** @type {Column[] | undefined} */
  let columns;
  for (const { index } of children) {
    const { children: parts = [], add: free, total: count } = form.model.open(`${pointer}/${index}`);
    const isFlat = parts.length > 0 && parts.length <= MOST && parts.length === count && !free?.stated && parts.every(({ kind, groups, mismatch, const: only, source }) => KINDS.has(kind) && !groups && !mismatch && only === undefined && source === "properties");
    const names = parts.map(({ key, title, required }) => ({ key, title: title ?? key, required: required === true }));
    if (!isFlat || (columns && JSON.stringify(columns) !== JSON.stringify(names))) return undefined;
    columns = /** @type {Column[]} */ (names);
  }
  return columns;
}

export class Table {
  element = element("div", { className: "table" });
  /** @type {Form} */
  #form;
  /** @type {Path} */
  #path;
  /** @type {string} */
  #pointer;
  /** @type {Column[]} */
  #columns;
  /** @type {Row[]} */
  #rows = [];
  /** @type {string[]} */
  #ids;

  /**
   * `tools(index)` makes the buttons of an item, `spoken(index)` says what it is called.
   * @param {Form} form
   * @param {Path} path
   * @param {Column[]} columns
   * @param {Item[]} children
   * @param {(index: number) => HTMLElement[]} tools
   * @param {(index: number) => string} spoken
   */
  constructor(form, path, columns, children, tools, spoken) {
    this.#form = form;
    this.#path = path;
    this.#pointer = pointerOf(path);
    this.#columns = columns;
    const table = element("table");
    const head = element("tr");
    this.#ids = columns.map(() => form.id());
    head.append(element("td", { className: "number" }));
    for (const [place, { title, required }] of columns.entries()) {
      const cell = element("th", { id: this.#ids[place] }, { scope: "col" });
      cell.append(element("span", { className: "isolated", textContent: visible(title) }));
      if (required) cell.dataset.required = "";
      head.append(cell);
    }
    head.append(element("td", { className: "tools" }));
    /** @type {Element} */ (head.lastChild).append(element("span", { className: "spoken", textContent: form.words.say(FIELDS_ACTIONS) }));
    const [top, body] = [element("thead"), element("tbody")];
    top.append(head);
    for (const { index } of children) {
      const row = element("tr");
      const id = form.id();
      const number = element("th", { id, className: "number", textContent: form.words.text(index + 1) }, { scope: "row", "aria-label": spoken(index) });
      row.append(number);
      const cells = this.#fields(index).map((field, place) => {
        const cell = element("td");
        const leaf = form.makeLeaf(field, [...path, index, field.key], { layout: "cell", labelledBy: `${this.#ids[place]} ${id}`, spoken: `${columns[place].title}, ${spoken(index)}`, before: columns.slice(0, place).map(({ key }) => key) });
        cell.append(leaf.element);
        row.append(cell);
        return leaf;
      });
      const last = element("td");
      const span = element("span", { className: "tools" });
      span.append(...tools(index));
      last.append(span);
      row.append(last);
      body.append(row);
      /** @type {View} */
      const view = { path: [...path, index], pointer: `${this.#pointer}/${index}`, cells, name: spoken(index), say: (text) => this.#say(index, text), get control() { return cells[0].control; }, focus: () => cells[0].focus() };
      form.add(view);
      this.#rows.push({ view, cells, number, spoken: () => spoken(index) });
    }
    table.append(top, body);
    this.#error = element("p", { className: "error" });
    this.element.append(table, this.#error);
  }

  /** @type {HTMLElement} */
  #error;
  /** @type {Map<number, string>} */
  #said = new Map();

  /**
   * @param {Field[]} children
   * @param {Column[]} columns
   */
  update(children, columns) {
    if (children.length !== this.#rows.length || JSON.stringify(columns) !== JSON.stringify(this.#columns)) return false;
    return this.#rows.every(({ cells, number, spoken }, index) => {
      const fields = this.#fields(index);
      number.setAttribute("aria-label", spoken());
      return cells.every((cell, place) => cell.update(fields[place]) !== false);
    });
  }

  /** @returns {HTMLElement | undefined} */
  get control() {
    return this.#rows[0]?.cells[0].control;
  }

  destroy() {
    for (const { view, cells } of this.#rows) {
      this.#form.remove(view);
      for (const cell of cells) cell.destroy();
    }
  }

  /**
   * @param {number} index
   * @returns {Member[]}
   */
  #fields(index) {
    return /** @type {Member[]} */ (this.#form.model.open(`${this.#pointer}/${index}`).children);
  }

  /**
   * What is wrong with a whole item stands below the table.
   * @param {number} index
   * @param {string} text
   */
  #say(index, text) {
    this.#said.set(index, text ? `${this.#rows[index].view.name}: ${text}` : "");
    const said = [...this.#said.values()].filter(Boolean).join(" ");
    if (this.#error.textContent !== said) this.#error.textContent = said;
  }
}
