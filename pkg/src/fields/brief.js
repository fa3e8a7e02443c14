// A value in one line: what is folded says so, and items are named by it.
import { FIELDS_ITEM } from "../../build/words.js";
import { visible } from "../json/schema.js";

/**
 * @import { Document } from "../json/document.js"
 * @import { Part, Path, Place, Source } from "../json/source.js"
 * @import { Words } from "../words.js"
 */

/** How long a text in a line is, how many of them, and how many parts are looked at. */
const LONG = 40;
const MANY = 3;
const SEEN = 20;

/**
 * The first plain values in a place, as one line; the count of a list.
 * @param {Source} source
 * @param {Place | undefined} node
 * @param {Words} words
 */
export function brief(source, node, words) {
  if (!node) return "";
  if (node.kind !== "object" && node.kind !== "array") return plain(source, node);
  const parts = source.parts(node);
  /** @type {(part: Part) => string} */
  const one = (part) => (part.kind === "array" || (part.kind === "object" && node.kind === "object") ? "" : nameOf(source, part));
  const said = parts.slice(0, SEEN).map(one).filter(Boolean);
  const line = said.slice(0, MANY).join(" · ") + (said.length > MANY ? " …" : "");
  if (node.kind === "object") return line;
  return [words.text(parts.length), line].filter(Boolean).join(": ");
}

/**
 * What an item is called besides its number: its first text, or its first plain value.
 * @param {Source} source
 * @param {Place | undefined} node
 * @returns {string}
 */
export function nameOf(source, node) {
  if (!node || node.kind === "array") return "";
  if (node.kind !== "object") return plain(source, node);
  const parts = source.parts(node).slice(0, SEEN);
  const first = parts.find(({ kind }) => kind === "string") ?? parts.find(({ kind }) => kind === "number");
  return first ? plain(source, first) : "";
}

/**
 * What the item at a path is called: its number, and its first text.
 * @param {Document} document
 * @param {Path} path
 * @param {Words} words
 */
export function itemName({ source }, path, words) {
  const number = words.say(FIELDS_ITEM, { number: /** @type {number} */ (path.at(-1)) + 1 });
  const name = nameOf(/** @type {Source} */ (source), source?.find(path));
  return name ? `${number}: ${name}` : number;
}

/**
 * @param {Source} source
 * @param {Place} node
 */
function plain(source, node) {
  const raw = source.raw(node);
  const text = (node.kind === "string" ? JSON.parse(raw) : raw).replace(/\s+/g, " ").trim();
  const letters = [...text.slice(0, LONG * 2)];
  return visible(letters.length > LONG ? `${letters.slice(0, LONG).join("")}…` : text);
}
