// Edits JSON settings with comments and trailing commas: adds or removes one member, or one item of a list. What comes of it is read again: every other value and every comment must be what it was.

/**
 * Something in a JSON text: where it stands, and its value. An object has `members`, and a list has `items`.
 * @typedef {{ start: number, end: number, value: any, members?: Member[], items?: Item[] }} Node
 */

/**
 * An item of a list, with the place of the comma behind it.
 * @typedef {{ node: Node, start: number, end: number, comma?: number }} Item
 */

/** @typedef {Item & { key: string }} Member */

/** @typedef {Node & { members: Member[] }} ObjectNode */

/** @typedef {Node & { comments: string[] }} Root */

/**
 * Adds a member at a path of keys, and the objects that lead to it.
 * @param {string} text
 * @param {string[]} path
 * @param {unknown} value
 */
export function added(text, path, value) {
  const source = text.trim() ? text : "{}\n";
  const before = read(source);
  let node = object(before, []);
  let depth = 0;
  for (; depth < path.length - 1; depth += 1) {
    const member = find(node, path[depth]);
    if (!member) break;
    node = object(member.node, path.slice(0, depth + 1));
  }
  if (depth === path.length - 1 && find(node, path[depth])) throw new Error(`There is "${path.join(".")}" already.`);
  const within = path.slice(depth + 1).reduceRight((inner, key) => ({ [key]: inner }), value);
  const after = inserted(source, before, node, depth, `${JSON.stringify(path[depth])}: `, within);
  const wanted = structuredClone(before.value);
  let place = wanted;
  for (const key of path.slice(0, depth)) place = place[key];
  place[path[depth]] = within;
  return checked(before, after, wanted);
}

/**
 * Adds an item at the end of the list at a path of keys, and makes the list if there is none.
 * @param {string} text
 * @param {string[]} path
 * @param {unknown} value
 */
export function appended(text, path, value) {
  if (!has(text, path)) return added(text, path, [value]);
  const before = read(text);
  const node = path.reduce((inner, key) => find(inner, key).node, /** @type {Node} */ (before));
  if (!node.items) throw new Error(`"${path.join(".")}" is not a JSON list.`);
  const wanted = structuredClone(before.value);
  path.reduce((inner, key) => inner[key], wanted).push(value);
  return checked(before, inserted(text, before, node, path.length, "", value), wanted);
}

/**
 * Removes the items of the list at a path of keys of which `isOne` says so, and what has nothing in it then. Undefined if there is none.
 * @param {string} text
 * @param {string[]} path
 * @param {(value: any) => boolean} isOne
 */
export function withdrawn(text, path, isOne) {
  if (!has(text, path)) return undefined;
  const at = (/** @type {string} */ source) => path.reduce((inner, key) => find(inner, key).node, /** @type {Node} */ (read(source)));
  const { value } = at(text);
  if (!Array.isArray(value) || !value.some(isOne)) return undefined;
  if (value.every(isOne) && !/\/[/*]/.test(text.slice(at(text).start, at(text).end).replace(/"(?:[^"\\]|\\.)*"/g, ""))) return removed(text, path);
  const before = read(text);
  const wanted = structuredClone(before.value);
  const list = path.reduce((inner, key) => inner[key], wanted);
  list.splice(0, Infinity, ...list.filter((/** @type {any} */ one) => !isOne(one)));
  let after = text;
  for (let node = at(after), item; (item = /** @type {Item[]} */ (node.items).find((one) => isOne(one.node.value))); node = at(after)) after = without(after, { members: node.items }, item);
  return checked(before, after, wanted);
}

/**
 * A text with a further entry at the end of an object or a list, which is so deep.
 * @param {string} source
 * @param {Node} root
 * @param {Node} node
 * @param {number} depth
 * @param {string} name
 * @param {unknown} value
 */
function inserted(source, root, node, depth, name, value) {
  const unit = unitOf(source, root);
  const indent = unit.repeat(depth + 1);
  const entry = `\n${indent}${name}${JSON.stringify(value, undefined, unit).replaceAll("\n", `\n${indent}`)}`;
  const last = /** @type {Item[]} */ (node.members ?? node.items).at(-1);
  if (!last) {
    const inside = source.slice(node.start + 1, node.end - 1);
    return `${source.slice(0, node.start + 1)}${entry}${inside.trim() ? inside : `\n${unit.repeat(depth)}`}${source.slice(node.end - 1)}`;
  }
  // A comma at the end stays the style of the file, and a comment behind a member stays in its line.
  const comma = last.comma ?? last.end;
  const [kept, rest] = [source.slice(0, comma), source.slice(last.comma === undefined ? comma : comma + 1)];
  const [beside] = /^(?:[^\S\n]|\/\/[^\n]*|\/\*(?:[^*\n]|\*(?!\/))*\*\/)*(?=\n)/.exec(rest.slice(0, 10_000)) ?? [""];
  return `${kept},${beside}${entry}${last.comma === undefined ? "" : ","}${rest.slice(beside.length)}`;
}

/**
 * Removes the member at a path of keys, and objects that have nothing in them then. Undefined if there is none.
 * @param {string} text
 * @param {string[]} path
 */
export function removed(text, path) {
  if (!text.trim()) return undefined;
  const before = read(text);
  if (!has(text, path)) return undefined;
  const wanted = structuredClone(before.value);
  let after = text;
  for (let keys = path; keys.length; keys = keys.slice(0, -1)) {
    const nodes = [/** @type {Node} */ (read(after))];
    for (const key of keys.slice(0, -1)) nodes.unshift(find(nodes[0], key).node);
    const [node] = nodes;
    after = without(after, node, find(node, /** @type {string} */ (keys.at(-1))));
    let place = wanted;
    for (const key of keys.slice(0, -1)) place = place[key];
    delete place[/** @type {string} */ (keys.at(-1))];
    // An object with a comment in it stays.
    const [left] = keys.slice(0, -1).reduce(([found], key) => [find(found, key).node], [/** @type {Node} */ (read(after))]);
    if (/** @type {Member[]} */ (left.members).length || after.slice(left.start + 1, left.end - 1).trim()) break;
    after = `${after.slice(0, left.start)}{}${after.slice(left.end)}`;
  }
  return checked(before, after, wanted);
}

/**
 * A text without a member of an object, or an item of a list, and without its comma. What else is in its lines stays.
 * @param {string} text
 * @param {Pick<Node, "members"> | { members?: Item[] }} node
 * @param {Item} member
 */
function without(text, node, member) {
  const place = /** @type {Item[]} */ (node.members).indexOf(member);
  let { start, end } = member;
  // The last one takes the comma before it with it.
  const comma = member.comma === undefined && place > 0 ? /** @type {Item[]} */ (node.members)[place - 1].comma : undefined;
  const behind = member.comma === undefined ? undefined : text.slice(end, member.comma).trim();
  if (behind === "") end = /** @type {number} */ (member.comma) + 1;
  const [blank] = /** @type {RegExpExecArray} */ (/[^\S\n]*$/.exec(text.slice(Math.max(0, start - 1_000), start)));
  const [rest] = /** @type {RegExpExecArray} */ (/^[^\S\n]*/.exec(text.slice(end, end + 1_000)));
  const isAlone = text[start - blank.length - 1] === "\n" && ["\n", undefined].includes(text[end + rest.length]);
  if (isAlone) [start, end] = [start - blank.length - 1, end + rest.length];
  else if (place > 0 || ["{", "["].includes(text[start - blank.length - 1])) start -= blank.length;
  const [head, tail] = [text.slice(0, start), text.slice(end)];
  // With a comment between a member and its comma, the comma is further behind.
  const rear = behind ? tail.slice(0, /** @type {number} */ (member.comma) - end) + tail.slice(/** @type {number} */ (member.comma) - end + 1) : tail;
  return (comma === undefined ? head : head.slice(0, comma) + head.slice(comma + 1)) + rear;
}

/**
 * An edited text, if it has the values that are wanted, and the comments that it had.
 * @param {Root} before
 * @param {string} after
 * @param {unknown} wanted
 */
function checked(before, after, wanted) {
  const now = read(after);
  const same = JSON.stringify([now.value, now.comments]) === JSON.stringify([wanted, before.comments]);
  if (!same) throw new Error("It cannot be done without changing something else.");
  return after;
}

/**
 * Whether there is something at a path of keys.
 * @param {string} text
 * @param {string[]} path
 */
export function has(text, path) {
  let node = text.trim() ? /** @type {Node} */ (read(text)) : undefined;
  for (const key of path) {
    if (!node?.members) return false;
    node = find(node, key)?.node;
  }
  return node !== undefined;
}

/** @type {(node: Node, name: string) => Member} */
const find = (node, name) => /** @type {Member} */ (/** @type {Member[]} */ (node.members).find(({ key }) => key === name));

/**
 * @param {Node} node
 * @param {string[]} path
 * @returns {ObjectNode}
 */
function object(node, path) {
  if (!node.members) throw new Error(`${path.length ? `"${path.join(".")}"` : "The file"} is not a JSON object.`);
  return /** @type {ObjectNode} */ (node);
}

/**
 * What one level is indented by: as its first member is.
 * @param {string} text
 * @param {Node} root
 */
function unitOf(text, root) {
  const first = root.members?.[0];
  const before = first && /\n([ \t]+)$/.exec(text.slice(Math.max(0, first.start - 100), first.start));
  return before?.[1] ?? "  ";
}

/**
 * What a JSON text says, and where: `start`, `end` and `value` of each node, of an object also its `members`, and of a list its `items`, with the place of the `comma` behind each; and all `comments` of the text.
 * @param {string} text
 * @returns {Root}
 */
function read(text) {
  let place = 0;
  /** @type {string[]} */
  const comments = [];
  /** @type {(why?: string) => never} */
  const fail = (why = "a mistake") => {
    throw new Error(`The settings cannot be read: there is ${why} in line ${text.slice(0, place).split("\n").length}.`);
  };
  const skip = () => {
    for (;;) {
      if (/[\s\uFEFF]/.test(text[place] ?? "x")) place += 1;
      else if (text.startsWith("//", place) || text.startsWith("/*", place)) {
        const isLine = text[place + 1] === "/";
        const found = text.indexOf(isLine ? "\n" : "*/", place + 2);
        if (found < 0 && !isLine) fail();
        const end = found < 0 ? text.length : found + (isLine ? 0 : 2);
        comments.push(text.slice(place, end));
        place = end;
      } else return;
    }
  };
  /** @type {(end: number) => any} */
  const parsed = (end) => {
    try {
      return JSON.parse(text.slice(place, end));
    } catch {
      return fail();
    }
  };
  const string = () => {
    if (text[place] !== '"') fail();
    let end = place + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    const value = parsed(end + 1);
    place = end + 1;
    return value;
  };
  /**
   * What stands between brackets, separated by commas: `item()` gives what notes the place of the comma behind it.
   * @type {(close: string, item: () => (comma: number) => void) => void}
   */
  const list = (close, item) => {
    place += 1;
    for (skip(); text[place] !== close; skip()) {
      const note = item();
      skip();
      if (text[place] === ",") note(place), (place += 1);
      else if (text[place] !== close) fail();
    }
    place += 1;
  };
  /** @type {() => Node} */
  const node = () => {
    const start = place;
    if (text[place] === "{") {
      /** @type {Member[]} */
      const members = [];
      list("}", () => {
        const begins = place;
        const key = string();
        if (members.some((one) => one.key === key)) fail(`a second "${key}"`);
        skip();
        if (text[place] !== ":") fail();
        place += 1;
        skip();
        const inner = node();
        const member = /** @type {Member} */ ({ key, node: inner, start: begins, end: inner.end });
        members.push(member);
        return (comma) => (member.comma = comma);
      });
      return { start, end: place, members, value: Object.fromEntries(members.map(({ key, node: { value } }) => [key, value])) };
    }
    if (text[place] === "[") {
      /** @type {Item[]} */
      const items = [];
      list("]", () => {
        const inner = node();
        const item = /** @type {Item} */ ({ node: inner, start: inner.start, end: inner.end });
        items.push(item);
        return (comma) => (item.comma = comma);
      });
      return { start, end: place, items, value: items.map(({ node: { value } }) => value) };
    }
    if (text[place] === '"') {
      const value = string();
      return { start, end: place, value };
    }
    const [word] = /^[\w.+-]{1,400}/.exec(text.slice(place, place + 400)) ?? [];
    if (!word) fail();
    const value = parsed(place + word.length);
    place += word.length;
    return { start, end: place, value };
  };
  skip();
  const root = node();
  skip();
  if (place !== text.length) fail();
  return { ...root, comments };
}
