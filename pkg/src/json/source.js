// The places of a JSON text: where each value and key stands, so that one can be changed and every other character stays. Knows no schema and no page.
//
// A place is found by scanning only the levels on its path. What is known stays known after a change: places are kept relative to
// the value around them, so a change of one value moves what follows it on its path, and nothing else is read again.

/** @typedef {"object" | "array" | "string" | "number" | "boolean" | "null"} Kind */

/**
 * The place of a value: what it is, where it begins, from the beginning of the value around it, and its length.
 * @typedef {{ kind: Kind, at: number, size: number, parent?: Place, parts?: Part[], names?: Map<string, Part> }} Place
 */

/**
 * The place of a member or an item. Of a member, also the key, and where that is: items have none of these three.
 * @typedef {Place & { parent: Place, index: number, name: string, keyAt: number, keySize: number }} Part
 */

/**
 * Keys of objects, and places of items.
 * @typedef {(string | number)[]} Path
 */

/**
 * A change of a text.
 * @typedef {{ from: number, to: number, insert: string }} Change
 */

/**
 * What is needed to put a member back where it was.
 * @typedef {{ previous?: string, next?: string, head: string, tail: string }} Seat
 */

const [QUOTE, COMMA, COLON, BACKSLASH, OPEN, CLOSE, BEGIN, END] = [...'",:\\{}[]'].map((sign) => sign.charCodeAt(0));
/** @type {(code: number) => boolean} */
const isSpace = (code) => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * The text of a value with each key and item on a line of its own. Every digit and every key stays.
 * @param {string} text
 */
export function pretty(text, indent = "", unit = "  ") {
  const source = new Source(text);
  /** @type {(node: Place, indent: string) => string} */
  const write = (node, indent) => {
    const { kind } = node;
    if (kind !== "object" && kind !== "array") return source.raw(node);
    const [first, last] = kind === "object" ? "{}" : "[]";
    const parts = source.parts(node);
    if (!parts.length) return first + last;
    const deeper = indent + unit;
    const lines = parts.map((part) => deeper + (kind === "object" ? `${source.key(part)}: ` : "") + write(part, deeper));
    return `${first}\n${lines.join(",\n")}\n${indent}${last}`;
  };
  return source.root ? write(source.root, indent) : text;
}

/** A JSON text, and the tree of its places. A path is a list of keys (texts) and places of items (numbers). */
export class Source {
  /** The text. It is JSON, or blank. */
  text;
  /**
   * The value that is the whole text; nothing where the text is blank.
   * @type {Place | undefined}
   */
  root;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
    const at = spaceEnd(text, 0);
    if (at < text.length) this.root = { kind: kindAt(text, at), at, size: valueEnd(text, at) - at, parent: undefined };
  }

  /**
   * The place of a value; nothing where there is none. Of a key that is there twice, the last counts.
   * @param {Path} path
   * @returns {Place | undefined}
   */
  find(path) {
    let node = this.root;
    for (const part of path) {
      if (!node) return undefined;
      if (node.kind === "object") node = this.#names(node).get(String(part));
      else if (node.kind === "array" && /^(0|[1-9]\d*)$/.test(/** @type {string} */ (part))) node = this.parts(node)[/** @type {number} */ (part)];
      else return undefined;
    }
    return node;
  }

  /**
   * The values in an object or a list, in their order.
   * @param {Place} node
   * @returns {Part[]}
   */
  parts(node) {
    if (node.parts) return node.parts;
    const from = this.from(node);
    node.parts = node.kind === "object" || node.kind === "array" ? scan(this.text, from, node) : [];
    return node.parts;
  }

  /**
   * Where a value begins, and where it ends.
   * @param {Place} node
   * @returns {number}
   */
  from(node) {
    let at = 0;
    for (let one = /** @type {Place | undefined} */ (node); one;  one = one.parent) at += one.at;
    return at;
  }

  /** @param {Place} node */
  to(node) {
    return this.from(node) + node.size;
  }

  /**
   * What is written as a value, and as the key of a member.
   * @param {Place} node
   */
  raw(node) {
    const from = this.from(node);
    return this.text.slice(from, from + node.size);
  }

  /** @param {Part} node */
  key(node) {
    const from = this.from(node.parent) + node.keyAt;
    return this.text.slice(from, from + node.keySize);
  }

  /**
   * The path of the innermost value around a position.
   * @param {number} position
   */
  pathAt(position) {
    /** @type {Path} */
    const path = [];
    for (let node = this.root; node; ) {
      const base = this.from(node);
      const inner = this.parts(node).findLast(({ at, keyAt = at }) => base + keyAt <= position);
      if (!inner || position > base + inner.at + inner.size) return path;
      path.push(node.kind === "object" ? inner.name : inner.index);
      node = inner;
    }
    return path;
  }

  /**
   * Writes a value, JSON text, at a path: in place of what is there, or as a new member or the next item. What is missing on the way is made.
   * `before` are the keys that a new member comes after; without, it comes last. Gives the change, `{ from, to, insert }`.
   * @param {Path} path
   * @param {string} raw
   * @param {string[]} [before]
   * @returns {Change}
   */
  set(path, raw, before) {
    let depth = path.length;
    let node;
    while (depth >= 0 && !(node = this.find(path.slice(0, depth)))) depth -= 1;
    const missing = path.slice(depth + 1);
    const whole = missing.reduceRight((/** @type {string} */ inner, part) => (typeof part === "number" ? `[${inner}]` : `{${JSON.stringify(part)}: ${inner}}`), raw);
    if (!node) return this.#write(0, this.text.length, pretty(whole, "", this.#unit()));
    if (depth === path.length) return this.#replace(node, raw);
    if (node.kind !== "object" && node.kind !== "array") return this.#replace(node, wrap(path[depth], whole));
    return this.#insert(node, typeof path[depth] === "number" ? this.parts(node).length : this.#after(node, before), whole, path[depth]);
  }

  /**
   * Writes a value in place of another, on its lines as it is.
   * @param {Path} path
   * @param {string} raw
   */
  put(path, raw) {
    const node = /** @type {Place} */ (this.find(path));
    const from = this.from(node);
    return node.parent ? this.#change(node, from, from + node.size, raw) : this.#write(from, from + node.size, raw);
  }

  /**
   * Puts an item into a list.
   * @param {Path} path
   * @param {number} index
   * @param {string} raw
   */
  insert(path, index, raw) {
    return this.#insert(/** @type {Place} */ (this.find(path)), index, raw, index);
  }

  /**
   * Takes a value out.
   * @param {Path} path
   */
  remove(path) {
    const node = /** @type {Part} */ (this.find(path));
    if (!node.parent) return this.#write(0, this.text.length, "");
    const { from, to } = this.#seat(node);
    return this.#change(node.parent, from, to, "");
  }

  /**
   * What is needed to put a member back just where it is now, once it has been taken out: the keys beside it, and the text around its value.
   * @param {Path} path
   * @returns {Seat}
   */
  seat(path) {
    const node = /** @type {Part} */ (this.find(path));
    const { from, to, previous, next } = this.#seat(node);
    return { previous: previous?.name, next: next?.name, head: this.text.slice(from, this.from(node)), tail: this.text.slice(this.to(node), to) };
  }

  /**
   * Puts a member back where it was, where the keys beside it are still beside each other. Gives nothing where they are not.
   * @param {Path} path
   * @param {Seat} seat
   * @param {string} raw
   * @returns {Change | undefined}
   */
  restore(path, { previous, next, head, tail }, raw) {
    const parent = this.find(path.slice(0, -1));
    if (parent?.kind !== "object" || this.find(path)) return undefined;
    const parts = this.parts(parent);
    const place = next === undefined ? parts.length : parts.findIndex(({ name }) => name === next);
    if (place < 0 || parts[place - 1]?.name !== previous) return undefined;
    const base = this.from(parent);
    const at = next !== undefined ? base + parts[place].keyAt : previous !== undefined ? base + parts[place - 1].at + parts[place - 1].size : base + 1;
    // Of an object that was emptied, what stands between its brackets now.
    const to = next === undefined && previous === undefined ? base + parent.size - 1 : at;
    return this.#change(parent, at, to, head + raw + tail);
  }

  /**
   * Writes another key.
   * @param {Path} path
   * @param {string} name
   */
  rename(path, name) {
    const node = /** @type {Part} */ (this.find(path));
    const from = this.from(node.parent) + node.keyAt;
    return this.#change(node.parent, from, from + node.keySize, JSON.stringify(name));
  }

  /**
   * Lets an item of a list change places with the one after it. What stands between them stays.
   * @param {Path} path
   * @param {number} index
   */
  swap(path, index) {
    const list = /** @type {Place} */ (this.find(path));
    const [one, other] = this.parts(list).slice(index, index + 2);
    const [from, to] = [this.from(one), this.to(other)];
    return this.#change(list, from, to, this.raw(other) + this.text.slice(from + one.size, this.from(other)) + this.raw(one));
  }

  /**
   * What goes with a value when it is taken out, and what stands beside it.
   * @param {Part} node
   */
  #seat(node) {
    const parts = this.parts(node.parent);
    const [previous, next] = [parts[node.index - 1], parts[node.index + 1]];
    const base = this.from(node.parent);
    /** @type {(part: Part) => number} */
    const start = (part) => base + (part.keyAt ?? part.at);
    const [from, to] = next ? [start(node), start(next)] : previous ? [base + previous.at + previous.size, base + node.at + node.size] : [base + 1, base + node.parent.size - 1];
    return { from, to, previous, next };
  }

  /**
   * Takes a change in that was made elsewhere. The text is JSON after it, or blank.
   * @param {Change} change
   */
  take({ from, to, insert }) {
    Object.assign(this, new Source(this.text.slice(0, from) + insert + this.text.slice(to)));
  }

  /**
   * @param {Place} node
   * @returns {Map<string, Part>}
   */
  #names(node) {
    node.names ??= new Map(this.parts(node).map((part) => [part.name, part]));
    return node.names;
  }

  /**
   * Where a new member comes: after the last of those keys that is there, first where none is; at the end where nothing is said.
   * @param {Place} node
   * @param {string[]} [before]
   */
  #after(node, before) {
    const parts = this.parts(node);
    if (!before) return parts.length;
    return parts.findLastIndex(({ name }) => before.includes(name)) + 1;
  }

  /**
   * @param {Place} node
   * @param {string} raw
   */
  #replace(node, raw) {
    const from = this.from(node);
    const to = from + node.size;
    const isSpread = () => (this.parts(node).length ? this.raw(node).includes("\n") : this.#isSpread());
    const insert = isFlat(raw) || !isSpread() ? raw : pretty(raw, this.#indent(from), this.#unit());
    if (!node.parent) return this.#write(from, to, insert);
    return this.#change(node, from, to, insert);
  }

  /**
   * A new member or item, written as those beside it are.
   * @param {Place} node
   * @param {number} index
   * @param {string} raw
   * @param {string | number} key
   */
  #insert(node, index, raw, key) {
    const parts = this.parts(node);
    const base = this.from(node);
    /** @type {(part: Part) => number} */
    const start = (part) => base + (part.keyAt ?? part.at);
    /** @type {(value: string) => string} */
    const named = (value) => (node.kind === "object" ? `${JSON.stringify(key)}${this.#colon()}${value}` : value);
    if (!parts.length) {
      const isSpread = this.#isSpread() || this.root === node;
      const indent = this.#indent(base);
      const insert = isSpread ? `\n${indent + this.#unit()}${named(pretty(raw, indent + this.#unit(), this.#unit()))}\n${indent}` : named(raw);
      return this.#change(node, base + 1, base + node.size - 1, insert);
    }
    // What stands before a member that is there: after the comma, or the bracket.
    const beside = parts[Math.min(index, parts.length - 1)];
    const previous = parts[beside.index - 1];
    const space = /** @type {RegExpExecArray} */ (/\s*$/.exec(this.text.slice(previous ? base + previous.at + previous.size : base + 1, start(beside))))[0];
    const indent = space.slice(space.lastIndexOf("\n") + 1);
    const value = named(space.includes("\n") ? pretty(raw, indent, this.#unit()) : raw);
    const gap = previous || space ? space : this.#colon().slice(1);
    if (index < parts.length) return this.#change(node, start(beside), start(beside), `${value},${gap}`);
    const last = base + beside.at + beside.size;
    return this.#change(node, last, last, `,${gap}${value}`);
  }

  /** Whether the text is written on several lines. One that has nothing yet will be. */
  #isSpread() {
    return this.text.includes("\n") || !/[^\s{}[\]]/.test(this.text);
  }

  #unit() {
    return /\n([ \t]+)/.exec(this.text.slice(0, 10_000))?.[1] ?? "  ";
  }

  #colon() {
    return /":\S/.test(this.text.slice(0, 10_000)) ? ":" : ": ";
  }

  /**
   * How far the line of a position is indented.
   * @param {number} position
   */
  #indent(position) {
    return /** @type {RegExpExecArray} */ (/^[ \t]*/.exec(this.text.slice(this.text.lastIndexOf("\n", position - 1) + 1, position)))[0];
  }

  /**
   * Changes the text within a value, whose parts are read again when they are asked for. What follows on its path moves.
   * @param {Place} node
   * @param {number} from
   * @param {number} to
   * @param {string} insert
   * @returns {Change}
   */
  #change(node, from, to, insert) {
    const change = { from, to, insert };
    const by = insert.length - (to - from);
    this.text = this.text.slice(0, from) + insert + this.text.slice(to);
    node.parts = node.names = undefined;
    node.size += by;
    if (by) {
      for (let one = node; one.parent; one = one.parent) {
        const { parts } = /** @type {Place & { parts: Part[] }} */ (one.parent);
        one.parent.size += by;
        for (let place = /** @type {Part} */ (one).index + 1; place < parts.length; place += 1) {
          parts[place].at += by;
          if (parts[place].keyAt !== undefined) parts[place].keyAt += by;
        }
      }
    }
    node.kind = kindAt(this.text, this.from(node));
    return change;
  }

  /**
   * Changes the whole text.
   * @param {number} from
   * @param {number} to
   * @param {string} insert
   * @returns {Change}
   */
  #write(from, to, insert) {
    const change = { from, to, insert };
    this.root = undefined;
    this.take(change);
    return change;
  }
}

/**
 * @param {string | number} part
 * @param {string} inner
 */
function wrap(part, inner) {
  return typeof part === "number" ? `[${inner}]` : `{${JSON.stringify(part)}: ${inner}}`;
}

/** @param {string} raw */
function isFlat(raw) {
  return !/^\s*[{[]/.test(raw);
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {Kind}
 */
function kindAt(text, at) {
  const code = text.charCodeAt(at);
  return code === OPEN ? "object" : code === BEGIN ? "array" : code === QUOTE ? "string" : code === 116 || code === 102 ? "boolean" : code === 110 ? "null" : "number";
}

/**
 * The parts of the object or list that begins at a position.
 * @param {string} text
 * @param {number} from
 * @param {Place} parent
 */
function scan(text, from, parent) {
  /** @type {Part[]} */
  const found = [];
  const isObject = parent.kind === "object";
  for (let at = spaceEnd(text, from + 1); at < text.length; at = spaceEnd(text, at)) {
    const code = text.charCodeAt(at);
    if (code === CLOSE || code === END) break;
    if (code === COMMA) {
      at += 1;
      continue;
    }
    const part = /** @type {Part} */ (/** @type {Part} */ (/** @type {unknown} */ ({ kind: "", at: 0, size: 0, parent, index: found.length })));
    if (isObject) {
      const end = stringEnd(text, at);
      Object.assign(part, { name: JSON.parse(text.slice(at, end)), keyAt: at - from, keySize: end - at });
      at = spaceEnd(text, end);
      if (text.charCodeAt(at) === COLON) at = spaceEnd(text, at + 1);
    }
    const end = valueEnd(text, at);
    Object.assign(part, { kind: kindAt(text, at), at: at - from, size: end - at });
    found.push(part);
    at = Math.max(end, at + 1);
  }
  return found;
}

/**
 * @param {string} text
 * @param {number} at
 */
function spaceEnd(text, at) {
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/**
 * @param {string} text
 * @param {number} at
 */
function stringEnd(text, at) {
  for (at += 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/**
 * @param {string} text
 * @param {number} at
 */
function valueEnd(text, at) {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return stringEnd(text, at);
  let depth = 0;
  if (first === OPEN || first === BEGIN) {
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = stringEnd(text, at) - 1;
      else if (code === OPEN || code === BEGIN) depth += 1;
      else if ((code === CLOSE || code === END) && (depth -= 1) === 0) return at + 1;
    }
    return text.length;
  }
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === COMMA || code === CLOSE || code === END) break;
    at += 1;
  }
  return at;
}
