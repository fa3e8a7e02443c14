// JSON with numbers as they are written, where JavaScript's would lose digits.
import { Source } from "../json/source.js";

/** A number that JavaScript would change. */
export class Digits {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** Reads JSON text; numbers that JavaScript would change are `Digits`. */
export function parse(text) {
  if (!/\d{16}|\d[eE]|\.\d{16}/.test(text)) return JSON.parse(text);
  const source = new Source(text);
  const read = (node) => {
    if (node.kind === "object") return Object.fromEntries(source.parts(node).map((part) => [part.name, read(part)]));
    if (node.kind === "array") return source.parts(node).map(read);
    const raw = source.raw(node);
    const value = JSON.parse(raw);
    return node.kind === "number" && JSON.stringify(value) !== raw ? new Digits(raw) : value;
  };
  return read(source.root);
}

/** Writes a value as JSON text. */
export function written(value) {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value !== null && typeof value === "object") return `{${Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${written(inner)}`).join(",")}}`;
  return JSON.stringify(value);
}
