// What a value is: a choice of the options of a place, by their titles. What another option had is kept, and comes back with it.
import { FIELDS_CHOOSE } from "../../build/words.js";
import { element } from "../json/dom.js";
import { TYPES, visible } from "../json/schema.js";

/**
 * @import { Words } from "../words.js"
 * @import { Form } from "./form.js"
 * @import { FieldGroup, FieldOption } from "./model.js"
 */

/**
 * The control of a group.
 * @typedef {{ body: HTMLElement, first: HTMLElement, set(current: number | undefined): void }} Variant
 */

/** More options than this stand in a list that opens. */
const ROWS = 4;
/** @type {{ [kind: string]: import("../words.js").Word | undefined }} */
const KINDS = { text: TYPES.string, integer: TYPES.integer, number: TYPES.number, boolean: TYPES.boolean, array: TYPES.array, choices: TYPES.array, object: TYPES.object, null: TYPES.null };

export class Variants {
  element = element("div", { className: "variants" });
  /** @type {Form} */
  #form;
  /** @type {string} */
  #pointer;
  /** @type {(group: FieldGroup, index: number) => void} */
  #choose;
  /** @type {string | undefined} */
  #signature;
  /** @type {Variant[]} */
  #controls = [];
  /** @type {FieldGroup[]} */
  #groups = [];

  /**
   * `choose(group, index)` is called with what is chosen.
   * @param {Form} form
   * @param {string} pointer
   * @param {(group: FieldGroup, index: number) => void} choose
   */
  constructor(form, pointer, choose) {
    this.#form = form;
    this.#pointer = pointer;
    this.#choose = choose;
  }

  /** @param {FieldGroup[]} groups */
  update(groups = []) {
    const signature = JSON.stringify(groups.map(({ id, options }) => [id, options]));
    if (signature !== this.#signature) this.#make(groups);
    this.#signature = signature;
    this.#groups = groups;
    for (const [place, { current }] of groups.entries()) this.#controls[place].set(current);
  }

  get control() {
    return this.#controls[0]?.first;
  }

  /** @param {FieldGroup[]} groups */
  #make(groups) {
    this.#controls = groups.map((group) => (group.options.length > ROWS ? this.#list(group) : this.#rows(group)));
    this.element.replaceChildren(...this.#controls.map(({ body }) => body));
  }

  /**
   * A group as it is now: which of its options holds changes.
   * @param {FieldGroup} group
   * @returns {FieldGroup}
   */
  #now({ id }) {
    return /** @type {FieldGroup} */ (this.#groups.find((group) => group.id === id));
  }

  /**
   * @param {FieldGroup} group
   * @returns {Variant}
   */
  #rows(group) {
    const { words } = this.#form;
    const name = this.#form.id();
    const body = element("fieldset", { className: "property variant" });
    body.append(element("legend", { className: "property-name", textContent: words.say(FIELDS_CHOOSE) }));
    const row = element("div", { className: "segments" });
    const radios = group.options.map((option, place) => {
      const radio = element("input", { type: "radio", name, id: this.#form.id() }, { part: "radio", "data-at": `${this.#pointer}#${group.id}|${place}` });
      const label = element("label", { textContent: visible(called(option, words)), title: option.description ? visible(option.description) : "" }, { for: radio.id });
      const segment = element("div", { className: "option" }, { part: "option" });
      segment.append(radio, label);
      row.append(segment);
      radio.addEventListener("change", () => this.#choose(this.#now(group), place));
      return radio;
    });
    body.append(row);
    return { body, first: radios[0], set: (current) => radios.forEach((radio, place) => (radio.checked = place === current)) };
  }

  /**
   * @param {FieldGroup} group
   * @returns {Variant}
   */
  #list(group) {
    const { words } = this.#form;
    const id = this.#form.id();
    const body = element("div", { className: "property variant" });
    const select = element("select", { id }, { part: "input", "data-at": `${this.#pointer}#${group.id}` });
    select.append(element("option", { value: "", textContent: "–", disabled: true, hidden: true }));
    select.append(...group.options.map((option, place) => element("option", { value: String(place), textContent: visible(called(option, words)) })));
    select.addEventListener("change", () => this.#choose(this.#now(group), Number(select.value)));
    body.append(element("label", { className: "property-name", textContent: words.say(FIELDS_CHOOSE) }, { for: id }), select);
    return { body, first: select, set: (current) => (select.value = current === undefined ? "" : String(current)) };
  }
}

/**
 * How an option is called.
 * @type {(option: FieldOption, words: Words) => string}
 */
export const called = ({ title, name, kind }, words) => title ?? name ?? (KINDS[kind] ? words.say(KINDS[kind]) : kind);
