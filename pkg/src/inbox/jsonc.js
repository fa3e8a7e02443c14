// Edits JSON settings with comments and trailing commas: adds or removes one member, and leaves every other character as it is.

/** Adds a member at a path of keys, and the objects that lead to it. */
export function added(text, path, value) {
  const source = text.trim() ? text : "{}\n";
  let node = object(read(source), []);
  let depth = 0;
  for (; depth < path.length - 1; depth += 1) {
    const member = find(node, path[depth]);
    if (!member) break;
    node = object(member.value, path.slice(0, depth + 1));
  }
  if (depth === path.length - 1 && find(node, path[depth])) throw new Error(`There is "${path.join(".")}" already.`);
  const unit = unitOf(source, read(source));
  const within = path.slice(depth + 1).reduceRight((inner, key) => ({ [key]: inner }), value);
  const indent = unit.repeat(depth + 1);
  const member = `${JSON.stringify(path[depth])}: ${JSON.stringify(within, undefined, unit).replaceAll("\n", `\n${indent}`)}`;
  const last = node.members.at(-1);
  if (!last) return `${source.slice(0, node.start + 1)}\n${indent}${member}\n${unit.repeat(depth)}${source.slice(node.end - 1)}`;
  // A comma at the end stays the style of the file.
  if (node.comma !== undefined) return `${source.slice(0, node.comma + 1)}\n${indent}${member},${source.slice(node.comma + 1)}`;
  return `${source.slice(0, last.end)},\n${indent}${member}${source.slice(last.end)}`;
}

/** Removes the member at a path of keys, and objects that are empty then. Undefined if there is none. */
export function removed(text, path) {
  if (!text.trim()) return undefined;
  const nodes = [read(text)];
  for (const key of path.slice(0, -1)) {
    const member = nodes[0].members && find(nodes[0], key);
    if (!member) return undefined;
    nodes.unshift(member.value);
  }
  const names = [...path];
  let node = nodes.shift();
  let name = names.pop();
  if (!node.members || !find(node, name)) return undefined;
  while (node.members.length === 1 && nodes.length) [node, name] = [nodes.shift(), names.pop()];
  const place = node.members.findIndex(({ key }) => key === name);
  const { start, end } = node.members[place];
  if (place > 0) return text.slice(0, node.members[place - 1].end) + text.slice(end);
  if (node.members.length > 1) return text.slice(0, start) + text.slice(node.members[1].start);
  return `${text.slice(0, node.start)}{}${text.slice(node.end)}`;
}

/** Whether there is something at a path of keys. */
export function has(text, path) {
  let node = text.trim() ? read(text) : undefined;
  for (const key of path) {
    if (!node?.members) return false;
    node = find(node, key)?.value;
  }
  return node !== undefined;
}

const find = (node, name) => node.members.find(({ key }) => key === name);

function object(node, path) {
  if (!node.members) throw new Error(`${path.length ? `"${path.join(".")}"` : "The file"} is not a JSON object.`);
  return node;
}

/** What one level is indented by: as its first member is. */
function unitOf(text, root) {
  const first = root.members?.[0];
  const before = first && /\n([ \t]+)$/.exec(text.slice(0, first.start));
  return before?.[1] ?? "  ";
}

/** The places of a JSON text: `start` and `end`, and of an object its `members`, and the `comma` after the last one. */
function read(text) {
  let place = 0;
  const fail = () => {
    throw new Error(`The settings cannot be read: there is a mistake in line ${text.slice(0, place).split("\n").length}.`);
  };
  const skip = () => {
    const blank = /(?:\s|\uFEFF|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
    blank.lastIndex = place;
    place += blank.exec(text)[0].length;
  };
  const match = (pattern) => {
    pattern.lastIndex = place;
    const found = pattern.exec(text)?.[0] ?? fail();
    place += found.length;
    return found;
  };
  const string = () => JSON.parse(match(/"(?:[^"\\\n]|\\.)*"/y));
  /** What stands between brackets, separated by commas. */
  const list = (close, item) => {
    let comma;
    place += 1;
    for (skip(); text[place] !== close; skip()) {
      comma = undefined;
      item();
      skip();
      if (text[place] === ",") [comma, place] = [place, place + 1];
      else if (text[place] !== close) fail();
    }
    place += 1;
    return comma;
  };
  const value = () => {
    const start = place;
    if (text[place] === "{") {
      const members = [];
      const member = () => {
        const begins = place;
        const key = string();
        skip();
        if (text[place] !== ":") fail();
        place += 1;
        skip();
        const inner = value();
        members.push({ key, value: inner, start: begins, end: inner.end });
      };
      const comma = list("}", member);
      return { start, end: place, members, comma };
    }
    if (text[place] === "[") list("]", value);
    else if (text[place] === '"') string();
    else match(/-?[\d.]+(?:[eE][+-]?\d+)?|true|false|null/y);
    return { start, end: place };
  };
  skip();
  const root = value();
  skip();
  if (place !== text.length) fail();
  return root;
}
