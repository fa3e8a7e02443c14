// Lets a person pick a date with a time and a zone. The text field that takes a moment (RFC 3339, `date-time`) stays: it has what is sent, can be typed into, and is what the form reads.
// Fetched where a form has such a field.
import style from "../build/date-time-style.js";
import { DATE_TIME_PICK, DATE_TIME_ZONE } from "../build/words.js";
import { addStyles, element } from "./json/dom.js";

/** @import { Words } from "./words.js" */

/** The date, the time to the millisecond, what is finer, and the offset. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d{1,3})?)(\d*)([Zz]|[+-]\d\d:\d\d)$/;
/** The value of the person's own zone among the zones. */
const HERE = "here";
const UTC = "UTC";
/** The fields that have it. */
const picked = new WeakSet();

/**
 * Puts it above the text fields of a form that have none yet.
 * @param {Iterable<HTMLInputElement>} fields
 * @param {Words} words
 */
export function pick(fields, words) {
  for (const field of fields) {
    if (picked.has(field)) continue;
    picked.add(field);
    const { node } = picker(field, words);
    const root = field.getRootNode();
    field.before(node);
    if (!(root instanceof ShadowRoot)) continue;
    addStyles(root, style);
    // Whoever has come to the text begins at the date.
    if (root.activeElement === field) /** @type {HTMLElement} */ (node.firstElementChild).focus();
  }
}

/**
 * A field for a date with a time and a list of zones, which write into a text field and follow it.
 * @param {HTMLInputElement} field
 * @param {Words} words
 */
export function picker(field, words) {
  const local = element("input", { type: "datetime-local" }, { part: "input", max: "9999-12-31T23:59" });
  const zones = element("select", {}, { part: "input" });
  const node = element("div", { className: "date-time" });
  words.follow(node, () => {
    local.setAttribute("aria-label", words.say(DATE_TIME_PICK));
    zones.setAttribute("aria-label", words.say(DATE_TIME_ZONE));
  });
  /** @type {(zone: string, name: string) => void} */
  const offer = (zone, name) => void ([...zones.options].some(({ value }) => value === zone) || zones.add(new Option(name, zone)));
  const here = hereName();
  if (here !== UTC) offer(HERE, here);
  offer("Z", UTC);
  field.placeholder ||= "YYYY-MM-DDThh:mm:ss±hh:mm";
  node.append(local, zones);

  const follow = () => {
    const [, date, time, , offset] = MOMENT.exec(field.value) ?? [];
    if (date === undefined) return;
    // The list shows the zone that the text has: the person's own where that has this offset then.
    const zone = /z/i.test(offset) ? "Z" : offset;
    const isHere = here !== UTC && offsetHere(`${date}T${time}`) === (zone === "Z" ? "+00:00" : zone);
    if (zones.value !== zone && !(zones.value === HERE && isHere)) {
      if (!isHere) offer(zone, zone);
      zones.value = isHere ? HERE : zone;
    }
    local.value = `${date}T${time}`;
  };
  const write = () => {
    // What is there in part is not empty, and no date yet: the text stays.
    if (local.validity.badInput) return;
    const text = local.value && `${local.value}${/T\d\d:\d\d$/.test(local.value) ? ":00" : ""}`;
    field.value = text && text + (zones.value === HERE ? offsetHere(text) : zones.value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  for (const part of [local, zones])
    part.addEventListener("input", (event) => {
      // The text tells the form.
      event.stopPropagation();
      if (part === local || local.value) write();
    });
  field.addEventListener("input", follow);
  follow();
  return { node, follow };
}

/** What the person's own zone is called: `Europe/Berlin`. */
function hereName() {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  return name.replaceAll("_", " ") || offsetHere("");
}

/**
 * The offset of the person's own zone at a local time, such as `+01:00`; now where that is none.
 * @param {string} local
 */
function offsetHere(local) {
  const at = new Date(local);
  const minutes = -(Number.isNaN(at.getTime()) ? new Date() : at).getTimezoneOffset();
  const two = (/** @type {number} */ number) => String(Math.trunc(Math.abs(number))).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}
