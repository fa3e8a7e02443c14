// What a field or a place with parts is called.
import { FIELDS_DEPRECATED, FIELDS_READ_ONLY, OPTIONAL } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";

/** A name, and beside it what the schema says of what it names. */
export function titled(name, { readOnly, deprecated }, isOptional, words) {
  const beside = [[isOptional, OPTIONAL], [readOnly, FIELDS_READ_ONLY], [deprecated, FIELDS_DEPRECATED]];
  const said = beside.filter(([holds]) => holds).map(([, word]) => element("span", { className: "optional", textContent: ` ${words.say(word)}` }));
  return [element("span", { className: "isolated", textContent: visible(name) }), ...said];
}
