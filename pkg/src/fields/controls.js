// What a person types into: texts, numbers, dates, and JSON. A control shows JSON text by `load`, and gives it by `read`: `{ raw }`, nothing in it
// where nothing is there, or `{ problem }`, where what stands in it cannot be written.
import { FIELDS_BAD_DATE, FIELDS_BAD_JSON, JSON_HIDDEN } from "../../build/words.js";
import { picker } from "../date-time.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { pretty } from "../json/source.js";
import { Origin, written } from "./exact.js";

/**
 * @import { Words } from "../words.js"
 * @import { Field, FieldLimits } from "./model.js"
 */

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Input */

/**
 * What stands in a control: JSON text, or why it cannot be written. `isBack`: it is what the control found in the text.
 * @typedef {{ raw?: string, problem?: string, isBack?: boolean }} Read
 */

/**
 * What a control is made with, besides its field.
 * @typedef {{ words: Words, raw?: string, isCell?: boolean, id(): string, changed(): void }} About
 */

/**
 * A control. `load` gives false where it cannot show the text.
 * @typedef {{ nodes: HTMLElement[], controls: Input[], isGroup?: boolean, isTyped?: boolean, isFixed?: boolean, load(raw?: string): boolean | void, read(): Read }} Control
 */

/** @type {{ [format: string]: string }} */
const MODES = { email: "email", "idn-email": "email", uri: "url", iri: "url", "uri-reference": "url", "iri-reference": "url" };
/** Formats of one line. */
const LINES = new Set(["date-time", "time", "duration", "uuid", "hostname", "idn-hostname", "ipv4", "ipv6", "regex", "json-pointer", ...Object.keys(MODES)]);
/**
 * What a browser may know of the person, by the format of a field or else by its key without case and signs: the tokens of HTML's autofill (WCAG 2.2, 1.3.5). A key that may as well be of something
 * else, such as `name` or `address`, is not in it.
 * @type {Map<string, string>}
 */
const AUTOFILL = new Map(
  Object.entries({
    email: "email", emailaddress: "email", fullname: "name", firstname: "given-name", givenname: "given-name", lastname: "family-name", familyname: "family-name", surname: "family-name", nickname: "nickname",
    birthday: "bday", birthdate: "bday", dateofbirth: "bday", phone: "tel", phonenumber: "tel", telephone: "tel", streetaddress: "street-address", postalcode: "postal-code", zipcode: "postal-code",
    jobtitle: "organization-title",
  }),
);
const DATE = /^\d{4}-\d\d-\d\d$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A field that is typed into. What is no number stays in the text as it was typed, so that it can be said what is wrong.
 * @param {Field} field
 * @param {About} about
 * @returns {Control}
 */
export function typed(field, { words, changed, raw, isCell }) {
  const { kind, format, examples = [], limits = {} } = field;
  const isNumber = kind === "number" || kind === "integer";
  const isDate = format === "date" && (raw === undefined || DATE.test(shown(raw)));
  const isLine = isNumber || isDate || LINES.has(/** @type {string} */ (format));
  const control = isLine
    ? element("input", { type: isDate ? "date" : "text" }, { dir: "ltr", inputmode: isNumber ? (kind === "integer" && !(/** @type {number} */ (limits.minimum) < 0) ? "numeric" : "decimal") : (MODES[/** @type {string} */ (format)] ?? "text"), spellcheck: "false", autocapitalize: "off" })
    : element("textarea", { rows: 1 }, { dir: "auto" });
  control.setAttribute("part", "input");
  const dates = format === "date-time" && !field.readOnly && !isCell ? picker(/** @type {HTMLInputElement} */ (control), words) : undefined;
  if (examples.length && !isDate) control.placeholder = visible(String(shown(written(examples[0])))).replace(/\s+/g, " ");
  if (field.readOnly) control.readOnly = true;
  // A field has the text as it is sent.
  const marked = element("p", { className: "hint marked" }, { "data-marked": "", dir: "auto" });
  const mark = () => {
    const text = visible(control.value);
    marked.textContent = text === control.value ? "" : words.say(JSON_HIDDEN, { text });
  };
  /**
   * What stood in the text, and what that is in the control: to be written just so again.
   * @type {{ raw: string, text: string } | undefined}
   */
  let origin;
  control.addEventListener("input", () => {
    mark();
    changed();
  });
  if (isNumber) control.addEventListener("keydown", (event) => count(/** @type {KeyboardEvent} */ (event), control, limits));
  return {
    nodes: [...(dates ? [dates.node] : []), control, marked],
    controls: [control],
    isTyped: true,
    /** @param {string} [raw] */
    load(raw) {
      origin = raw === undefined ? undefined : { raw, text: shown(raw) };
      const text = origin?.text ?? "";
      // What is being typed keeps its caret, and white space around a number.
      if (read(control.value, isNumber) !== read(text, isNumber) || control.value.trim() !== text.trim()) control.value = text;
      dates?.follow();
      mark();
    },
    read() {
      if (control.validity.badInput) return { problem: words.say(FIELDS_BAD_DATE) };
      const text = control.value;
      // A number that stood there as a text is a number once it is typed.
      const isSame = origin && text === origin.text && !(isNumber && origin.raw.startsWith('"'));
      return { raw: isSame ? /** @type {{ raw: string }} */ (origin).raw : read(text, isNumber) };
    },
  };
}

/**
 * Says of a control whether it must be filled in, and what a browser may know of it.
 * @param {Input} control
 * @param {Field} field
 */
export function known(control, { required, format = "", key = "" }) {
  if (required) control.setAttribute("aria-required", "true");
  const token = AUTOFILL.get(format) ?? AUTOFILL.get(key.replace(/[^a-z]/gi, "").toLowerCase());
  if (token) control.setAttribute("autocomplete", token);
}

/**
 * JSON text for what was typed; nothing for an empty field.
 * @param {string} text
 * @param {boolean} isNumber
 * @returns {string | undefined}
 */
function read(text, isNumber) {
  if (isNumber ? text.trim() === "" : text === "") return undefined;
  return isNumber && NUMBER.test(text.trim()) ? text.trim() : JSON.stringify(text);
}

/**
 * What stands in a field for JSON text: a string as it is, all else as it is written, with every digit.
 * @param {string} json
 * @returns {string}
 */
export function shown(json) {
  return json.startsWith('"') ? JSON.parse(json) : json;
}

/**
 * Arrow keys count up and down within the limits, by the steps that are asked for. A text that is no whole number stays as it is.
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement | HTMLTextAreaElement} control
 * @param {FieldLimits} limits
 */
function count(event, control, { minimum, maximum, multipleOf }) {
  const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!by || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || control.readOnly) return;
  const [least, most, step] = [minimum, maximum, multipleOf].map((limit) => (Number.isSafeInteger(limit) ? limit : undefined));
  const each = step ?? 1;
  const text = control.value.trim();
  const whole = /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (text !== "" && whole === undefined) return;
  const next = whole === undefined ? Math.ceil((least ?? 0) / each) * each : whole % each ? (by > 0 ? Math.ceil(whole / each) : Math.floor(whole / each)) * each : whole + by * each;
  if (next < (least ?? next) || next > (most ?? next)) return;
  event.preventDefault();
  control.value = String(next);
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * The JSON of a place, where there are no fields for it.
 * @param {Field} field
 * @param {About} about
 * @returns {Control}
 */
export function json(field, { words, changed }) {
  const control = element("textarea", { rows: 1, className: "raw" }, { part: "input", dir: "ltr", spellcheck: "false", autocapitalize: "off", "data-lines": "" });
  if (field.readOnly) control.readOnly = true;
  /**
   * What stands in the text, and how the control shows it.
   * @type {{ raw: string | undefined, text: string } | undefined}
   */
  let there;
  const origin = new Origin();
  /** @type {(one: string, other: string) => boolean} */
  const isSame = (one, other) => pretty(one) === pretty(other);
  control.addEventListener("input", changed);
  return {
    nodes: [control],
    controls: [control],
    isTyped: true,
    /** @param {string} [raw] */
    load(raw) {
      origin.load(raw);
      if (there && raw === there.raw) return;
      const text = raw === undefined ? "" : pretty(raw);
      there = raw === undefined ? undefined : { raw, text };
      if (control.value !== text) control.value = text;
    },
    read() {
      const text = control.value;
      if (text.trim() === "") return origin.back(undefined, isSame);
      try {
        JSON.parse(text);
      } catch {
        return { problem: words.say(FIELDS_BAD_JSON) };
      }
      const found = origin.back(text.trim(), isSame);
      there = { raw: found.raw, text };
      return found;
    },
  };
}
