// JSON with numbers as they are written, where JavaScript's would lose digits.
import { pretty, Source } from "../json/source.js";

/** @import { Part, Place } from "../json/source.js" */

/** What a control found in the text: where that is chosen again, it is written just as it was. */
export class Origin {
  /** @type {string | undefined} */
  #first;
  /** @type {string | undefined} */
  #last;

  /**
   * The text has this value. It is another origin unless the control has written it.
   * @param {string} [raw]
   */
  load(raw) {
    // A value may be written on several lines where its text is.
    const isOwn = raw === this.#last || (raw !== undefined && this.#last !== undefined && pretty(raw) === pretty(this.#last));
    if (!isOwn) this.#first = raw;
    this.#last = raw;
  }

  /**
   * What to write for a value, `{ raw, isBack }`: `same` says whether two JSON texts say the same.
   * @param {string | undefined} raw
   * @param {(one: string, other: string) => boolean} same
   * @returns {{ raw: string | undefined, isBack: boolean }}
   */
  back(raw, same) {
    const isBack = raw !== undefined && this.#first !== undefined && same(raw, this.#first);
    this.#last = isBack ? this.#first : raw;
    return { raw: this.#last, isBack };
  }
}

/** A number that JavaScript would change. */
export class Digits {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/**
 * Reads JSON text; numbers that JavaScript would change are `Digits`.
 * @param {string} text
 * @returns {any}
 */
export function parse(text) {
  if (!/\d{16}|\d[eE]|\.\d{16}/.test(text)) return JSON.parse(text);
  const source = new Source(text);
  /** @type {(node: Place) => unknown} */
  const read = (node) => {
    if (node.kind === "object") return Object.fromEntries(source.parts(node).map((part) => [part.name, read(part)]));
    if (node.kind === "array") return source.parts(node).map(read);
    const raw = source.raw(node);
    const value = JSON.parse(raw);
    return node.kind === "number" && JSON.stringify(value) !== raw ? new Digits(raw) : value;
  };
  return read(/** @type {Place} */ (source.root));
}

/**
 * Writes a value as JSON text.
 * @param {unknown} value
 * @returns {string}
 */
export function written(value) {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value !== null && typeof value === "object") return `{${Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${written(inner)}`).join(",")}}`;
  return JSON.stringify(value);
}
