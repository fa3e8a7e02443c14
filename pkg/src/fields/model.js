// The model of fields in the validator's module, over the text of an answer: docs/fields-model.md. Knows no page.
import { parse } from "./exact.js";

/**
 * @import { Fields } from "../../build/validator/ask_user_validator.js"
 * @import { Violation } from "../../types/core.js"
 * @import { Document } from "../json/document.js"
 * @import { State } from "./state.js"
 */

/** @typedef {"text" | "number" | "integer" | "boolean" | "null" | "choice" | "choices" | "object" | "array" | "options" | "nothing" | "json"} FieldKind */

/** @typedef {{ value: unknown, title?: string, description?: string, deprecated?: true }} FieldChoice */

/** @typedef {{ kind: FieldKind, title?: string, name?: string, property?: string, description?: string }} FieldOption */

/**
 * A choice of what a place is.
 * @typedef {{ id: string, by: "oneOf" | "anyOf" | "type", current?: number, chosen?: true, options: FieldOption[] }} FieldGroup
 */

/**
 * What a key must be.
 * @typedef {{ values?: string[], patterns?: string[], minLength?: number, maxLength?: number, format?: string }} FieldNames
 */

/**
 * What can be added: to an object by `names` and `of`, to a list at `index`.
 * @typedef {{ stated?: true, names?: FieldNames, of?: { kind: FieldKind, title?: string, pattern?: string }[], index?: number, kind?: FieldKind, title?: string }} FieldAdd
 */

/**
 * @typedef {{ minimum?: number, maximum?: number, exclusiveMinimum?: number, exclusiveMaximum?: number, multipleOf?: number, minLength?: number, maxLength?: number, minItems?: number,
 *   maxItems?: number, uniqueItems?: true, minProperties?: number, maxProperties?: number, minContains?: number, maxContains?: number, patterns?: string[] }} FieldLimits
 */

/**
 * A field, as docs/fields-model.md describes it.
 * @typedef {{ pointer: string, key?: string, index?: number, kind: FieldKind, title?: string, description?: string, format?: string, contentEncoding?: string, contentMediaType?: string,
 *   examples?: unknown[], default?: unknown, const?: unknown, deprecated?: true, readOnly?: true, writeOnly?: true, required?: boolean, present?: true, mismatch?: string,
 *   source?: "properties" | "pattern" | "additional" | "items" | "prefix" | "unknown", limits?: FieldLimits, groups?: FieldGroup[], values?: FieldChoice[], selected?: number | number[],
 *   unlisted?: number, children?: Field[], from?: number, total?: number, open?: true, add?: FieldAdd, reason?: string }} Field
 */

/**
 * A member of an object.
 * @typedef {Field & { key: string }} Member
 */

/**
 * An item of a list.
 * @typedef {Field & { index: number }} Item
 */

/**
 * What to write where a place is begun.
 * @typedef {{ text?: string, empty?: true }} Start
 */

/**
 * What another option of a group keeps of a value.
 * @typedef {{ same?: true, drop?: string[], set?: { key: string, text: string }[], text?: string }} Switch
 */

/**
 * What is wrong, with the place of its field.
 * @typedef {Violation & { pointer: string }} Wrong
 */

/**
 * What a check is asked with.
 * @typedef {{ text: string, options: string, work: number }} Asked
 */

/** The units of the work budget that a check has. */
const WORK = 20_000_000;

export class Model {
  /** How many of them the last check took. */
  work = 0;
  /** @type {Fields} */
  #fields;
  /** @type {Document} */
  #document;
  /** @type {State} */
  #state;
  /**
   * The text that the module has, and what it has said of it.
   * @type {string | undefined}
   */
  #text;
  /** @type {Map<string, Field>} */
  #opened = new Map();

  /**
   * @param {Fields} fields
   * @param {Document} document
   * @param {State} state
   */
  constructor(fields, document, state) {
    this.#fields = fields;
    this.#document = document;
    this.#state = state;
  }

  destroy() {
    this.#fields.free();
  }

  /**
   * Gives the module the text, where it is another. Nothing, or why it cannot be shown: `{ code, message }`.
   * @returns {{ code: string, message: string } | undefined}
   */
  sync() {
    const { text } = this.#document;
    if (text === this.#text) return undefined;
    const refusal = this.#fields.setText(text);
    if (refusal !== undefined) return JSON.parse(refusal);
    this.#text = text;
    this.#opened.clear();
    return undefined;
  }

  /**
   * The field at a place, with its parts from one on.
   * @param {string} pointer
   * @param {number} [from]
   * @param {number} [count]
   * @returns {Field}
   */
  open(pointer, from, count) {
    this.sync();
    const options = this.options({ from, count });
    const key = JSON.stringify([pointer, options]);
    if (!this.#opened.has(key)) this.#opened.set(key, parse(this.#fields.open(pointer, options)));
    return /** @type {Field} */ (this.#opened.get(key));
  }

  /**
   * What to write where a place is begun: `{ text, empty }`.
   * @param {string} pointer
   * @returns {Start}
   */
  start(pointer) {
    this.sync();
    return parse(this.#fields.start(pointer, this.options()));
  }

  /**
   * What another option of a group keeps.
   * @param {string} pointer
   * @param {string} group
   * @param {number} index
   * @returns {Switch}
   */
  switch(pointer, group, index) {
    this.sync();
    return parse(this.#fields.switch(pointer, group, index, this.options()));
  }

  /**
   * What is wrong, each with the place of its field; nothing where the text cannot be shown.
   * @returns {Wrong[]}
   */
  violations() {
    if (this.sync()) return [];
    const { options, work } = this.asked();
    const found = JSON.parse(this.#fields.violations(options, work));
    this.work = work - this.#fields.left;
    return found;
  }

  /**
   * What a check is asked with, wherever it runs.
   * @returns {Asked}
   */
  asked() {
    return { text: this.#document.text, options: this.options(), work: WORK };
  }

  /**
   * Whether a check would be asked with the same now.
   * @param {Asked} asked
   */
  isStill({ text, options }) {
    return text === this.#document.text && options === this.options();
  }

  options(more = {}) {
    return JSON.stringify({ choices: Object.fromEntries(this.#state.choices), ...more });
  }
}
