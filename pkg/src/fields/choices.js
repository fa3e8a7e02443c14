// What a person chooses: one of several values as radios or in a list, several as checkboxes; and what is fixed. As in controls.js.
import { FIELDS_CHOOSE, JSON_NO_ANSWER, NO, YES } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { Source } from "../json/source.js";
import { Origin, written } from "./exact.js";

/**
 * @import { Place } from "../json/source.js"
 * @import { Words } from "../words.js"
 * @import { About, Control } from "./controls.js"
 * @import { Field, FieldChoice } from "./model.js"
 */

/**
 * What can be chosen: the JSON text of a value, none where nothing is chosen, and what it is called.
 * @typedef {{ json?: string, title: string, description?: string, isOther?: true }} Choice
 */

/** More values than this stand in a list that opens. */
const ROWS = 7;
/** Texts up to this length stand side by side. */
const SHORT = 24;

/**
 * What can be chosen: `{ json, title, description }`. What is there and is none of the choices stands among them, for it is sent.
 * @param {Field} field
 * @param {About} about
 * @returns {(Choice & { json: string })[]}
 */
function options(field, { words, raw }) {
  const values = /** @type {FieldChoice[]} */ (field.kind === "boolean" ? [true, false].map((value) => ({ value })) : field.values);
  const all = values.map((one) => ({ ...one, json: written(one.value), title: one.title ?? word(one.value, words) }));
  const there = raw === undefined ? [] : field.kind === "choices" ? itemsOf(raw) : [raw];
  const others = there.filter((json) => !all.some((one) => same(one.json, json)));
  return [...all, ...others.map((json) => ({ json, title: json, isOther: /** @type {const} */ (true) }))];
}

/**
 * The items of a list, as JSON texts.
 * @param {string} raw
 */
function itemsOf(raw) {
  const source = new Source(raw);
  return source.parts(/** @type {Place} */ (source.root)).map((node) => source.raw(node));
}

/**
 * How a value that can be chosen is called.
 * @param {unknown} value
 * @param {Words} words
 */
function word(value, words) {
  if (typeof value === "boolean") return words.say(value ? YES : NO);
  return typeof value === "string" ? value : written(value);
}

/**
 * Whether JSON texts say the same value; the order of keys does not count.
 * @type {(one: string, other: string) => boolean}
 */
export const same = (one, other) => one === other || canonical(one) === canonical(other);
/** @param {string} text */
function canonical(text) {
  const source = new Source(text);
  /** @type {(node: Place) => string} */
  const write = (node) => {
    if (node.kind === "object") return `{${source.parts(node).map((part) => `${JSON.stringify(part.name)}:${write(part)}`).sort().join()}}`;
    if (node.kind === "array") return `[${source.parts(node).map(write).join()}]`;
    const raw = source.raw(node);
    return node.kind === "string" ? JSON.stringify(JSON.parse(raw)) : node.kind === "number" && Math.abs(/** @type {any} */ (raw)) < 2 ** 53 ? String(Number(raw)) : raw;
  };
  return write(/** @type {Place} */ (source.root));
}

/**
 * One of several: radios, or a list where there are many or little room.
 * @param {Field} field
 * @param {About} about
 * @returns {Control}
 */
export function one(field, about) {
  const all = options(field, about);
  return all.length > ROWS || about.isCell ? list(field, all, about) : rows(field, all, about, "radio");
}

/**
 * Several of several.
 * @param {Field} field
 * @param {About} about
 * @returns {Control}
 */
export function several(field, about) {
  return rows(field, options(field, about), about, "checkbox");
}

/**
 * A choice with native controls, like the rows of a question.
 * @param {Field} field
 * @param {(Choice & { json: string })[]} all
 * @param {About} about
 * @param {"radio" | "checkbox"} type
 * @returns {Control}
 */
function rows({ required, readOnly }, all, { words, changed, id }, type) {
  const isOne = type === "radio";
  const name = id();
  /** @type {Choice[]} */
  const offered = isOne && !required ? [...all, { title: words.say(JSON_NO_ANSWER) }] : all;
  const isShort = offered.every(({ title, description }) => title.length <= SHORT && !description);
  const box = element("div", { className: `options${isShort ? " short" : ""}` });
  const controls = offered.map(({ title, description }) => {
    const control = element("input", { id: id(), type, name, disabled: readOnly === true }, { part: type });
    const label = element("label", {}, { for: control.id });
    label.append(element("span", { className: "name", textContent: visible(title) }, { dir: "auto" }));
    if (description) label.append(element("span", { className: "description", textContent: visible(description) }, { dir: "auto", "data-md": "inline" }));
    const row = element("div", { className: "option" }, { part: "option" });
    row.append(control, label);
    box.append(row);
    control.addEventListener("change", changed);
    return control;
  });
  /**
   * The items as they stand in the text.
   * @type {string[]}
   */
  let there = [];
  const origin = new Origin();
  /** @type {(item: string) => boolean} */
  const isOffered = (item) => offered.some(({ json }) => json !== undefined && same(item, json));
  /** @type {(item: string) => number} */
  const placeOf = (item) => all.findIndex(({ json }) => same(item, json));
  return {
    nodes: [box],
    controls,
    isGroup: true,
    load(raw) {
      there = raw === undefined ? [] : isOne ? [raw] : itemsOf(raw);
      origin.load(raw);
      for (const [place, control] of controls.entries()) {
        const { json } = offered[place];
        control.checked = json === undefined ? raw === undefined : there.some((item) => same(item, json));
      }
      return there.every(isOffered);
    },
    read() {
      const chosen = offered.filter((_, place) => controls[place].checked).map(({ json }) => /** @type {string} */ (json));
      if (isOne) return origin.back(chosen[0], same);
      // What stays keeps its order; what is added stands in that of the choices, where they all do.
      const kept = there.filter((item) => chosen.some((json) => same(item, json)));
      const added = chosen.filter((json) => !kept.some((item) => same(item, json)));
      const isSorted = kept.every((item, place) => place === 0 || placeOf(kept[place - 1]) <= placeOf(item));
      there = [...kept, ...added];
      if (isSorted) there.sort((one, other) => placeOf(one) - placeOf(other));
      return origin.back(there.length || required ? `[${there.join(", ")}]` : undefined, same);
    },
  };
}

/**
 * One of many, in a list that opens.
 * @param {Field} field
 * @param {(Choice & { json: string })[]} all
 * @param {About} about
 * @returns {Control}
 */
function list({ required, readOnly }, all, { words, changed }) {
  const control = element("select", { disabled: readOnly === true }, { part: "input" });
  control.append(element("option", { value: "", textContent: words.say(required ? FIELDS_CHOOSE : JSON_NO_ANSWER) }));
  control.append(...all.map(({ title }, place) => element("option", { value: String(place), textContent: visible(title) })));
  control.addEventListener("change", changed);
  /** @type {(raw: string) => number} */
  const placeOf = (raw) => all.findIndex(({ json }) => same(raw, json));
  const origin = new Origin();
  return {
    nodes: [control],
    controls: [control],
    load(raw) {
      origin.load(raw);
      control.value = raw === undefined ? "" : String(placeOf(raw));
      return raw === undefined || placeOf(raw) >= 0;
    },
    read: () => origin.back(control.value === "" ? undefined : all[/** @type {any} */ (control.value)].json, same),
  };
}

/**
 * What can only have one value: it is shown.
 * @param {Field} field
 * @param {Pick<About, "words">} about
 * @returns {Control}
 */
export function fixed(field, { words }) {
  const value = field.kind === "null" ? null : field.const;
  const text = element("output", { className: "fixed isolated", textContent: visible(field.kind === "choice" && field.values?.[0]?.title ? field.values[0].title : word(value, words)) });
  return { nodes: [text], controls: [], isGroup: true, isFixed: true, load() {}, read: () => ({ raw: written(value) }) };
}
