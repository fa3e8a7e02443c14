// The small buttons of an item, each with a name that says what it acts on.
import { element } from "../json/dom.js";

/** @typedef {keyof typeof LINES} Icon */

const SVG = "http://www.w3.org/2000/svg";
/** Lines in a square of 16. */
const LINES = { up: "M8 13V3M4 7l4-4 4 4", down: "M8 3v10M4 9l4 4 4-4", copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z", remove: "M4 4l8 8M12 4l-8 8", fold: "M6 4l4 4-4 4" };

/**
 * A picture of lines in the colour of the text.
 * @param {Icon} name
 */
export function icon(name) {
  const [picture, line] = ["svg", "path"].map((tag) => document.createElementNS(SVG, tag));
  for (const [key, value] of [["viewBox", "0 0 16 16"], ["aria-hidden", "true"], ["class", `icon icon-${name}`]]) picture.setAttribute(key, value);
  line.setAttribute("d", LINES[name]);
  picture.append(line);
  return picture;
}

/**
 * A small button with a picture; `name` is said, and shown while the pointer is over it.
 * @param {Icon} kind
 * @param {string} name
 * @param {string} at
 * @param {() => void} act
 */
export function tool(kind, name, at, act) {
  const made = element("button", { type: "button", className: "tool", title: name }, { part: "button", "aria-label": name, "data-at": at, "data-tool": kind });
  made.append(icon(kind));
  made.addEventListener("click", act);
  return made;
}
