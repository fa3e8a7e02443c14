// What a field or a place with parts is called.
import { FIELDS_DEPRECATED, FIELDS_READ_ONLY, OPTIONAL } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";

/**
 * @import { Words } from "../words.js"
 * @import { Field } from "./model.js"
 */

/**
 * A name, and beside it what the schema says of what it names.
 * @param {string} name
 * @param {Pick<Field, "readOnly" | "deprecated">} field
 * @param {boolean} isOptional
 * @param {Words} words
 */
export function titled(name, { readOnly, deprecated }, isOptional, words) {
  /** @type {[holds: boolean | undefined, word: import("../words.js").Word][]} */
  const beside = [[isOptional, OPTIONAL], [readOnly, FIELDS_READ_ONLY], [deprecated, FIELDS_DEPRECATED]];
  const said = beside.filter(([holds]) => holds).map(([, word]) => element("span", { className: "optional", textContent: ` ${words.say(word)}` }));
  return [element("span", { className: "isolated", textContent: visible(name) }), ...said];
}
