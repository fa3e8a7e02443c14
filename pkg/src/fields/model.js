// The model of fields in the validator's module, over the text of an answer: docs/fields-model.md. Knows no page.
import { parse } from "./exact.js";

/** The units of the work budget that a check has. */
const WORK = 20_000_000;

export class Model {
  /** How many of them the last check took. */
  work = 0;
  #fields;
  #document;
  #state;
  /** The text that the module has, and what it has said of it. */
  #text;
  #opened = new Map();

  constructor(fields, document, state) {
    this.#fields = fields;
    this.#document = document;
    this.#state = state;
  }

  destroy() {
    this.#fields.free();
  }

  /** Gives the module the text, where it is another. Nothing, or why it cannot be shown: `{ code, message }`. */
  sync() {
    const { text } = this.#document;
    if (text === this.#text) return undefined;
    const refusal = this.#fields.setText(text);
    if (refusal !== undefined) return JSON.parse(refusal);
    this.#text = text;
    this.#opened.clear();
    return undefined;
  }

  /** The field at a place, with its parts from one on. */
  open(pointer, from, count) {
    this.sync();
    const options = this.options({ from, count });
    const key = JSON.stringify([pointer, options]);
    if (!this.#opened.has(key)) this.#opened.set(key, parse(this.#fields.open(pointer, options)));
    return this.#opened.get(key);
  }

  /** What to write where a place is begun: `{ text, empty }`. */
  start(pointer) {
    this.sync();
    return parse(this.#fields.start(pointer, this.options()));
  }

  /** What another option of a group keeps. */
  switch(pointer, group, index) {
    this.sync();
    return parse(this.#fields.switch(pointer, group, index, this.options()));
  }

  /** What is wrong, each with the place of its field; nothing where the text cannot be shown. */
  violations() {
    if (this.sync()) return [];
    const { options, work } = this.asked();
    const found = JSON.parse(this.#fields.violations(options, work));
    this.work = work - this.#fields.left;
    return found;
  }

  /** What a check is asked with, wherever it runs. */
  asked() {
    return { text: this.#document.text, options: this.options(), work: WORK };
  }

  /** Whether a check would be asked with the same now. */
  isStill({ text, options }) {
    return text === this.#document.text && options === this.options();
  }

  options(more = {}) {
    return JSON.stringify({ choices: Object.fromEntries(this.#state.choices), ...more });
  }
}
