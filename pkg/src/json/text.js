// The members of an object in a JSON text, each in its place, so that one can be changed and every other character stays. Knows no schema.

/** A string, or any run of what is neither a string nor a bracket nor a comma. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * The members of the object that the text is: `{ name, key, from, to }`, where `key` is the place of the name and `from` to `to` that of
 * the value. Nothing where the text is no JSON object.
 */
export function members(text) {
  if (text.trim() === "") return [];
  try {
    const value = JSON.parse(text);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  const found = [];
  let depth = 0;
  let key;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length;
    if (depth === 1 && key === undefined && token.startsWith('"')) key = { name: JSON.parse(token), key: index };
    else if (depth === 1 && token === ",") key = undefined;
    else if (depth === 1 && key && key.from === undefined && token !== ":" && token !== "}") found.push(Object.assign(key, { from: index, to: end }));
    if ("{[".includes(token)) depth += 1;
    if ("}]".includes(token)) {
      depth -= 1;
      if (depth === 1 && key) key.to = end;
    }
  }
  return found;
}

/** What is written as the value of a member; of one that is there twice, the last counts. */
export function written(text, name) {
  const member = members(text)?.findLast((member) => member.name === name);
  return member && text.slice(member.from, member.to);
}

/** The text with another value for a member: JSON text, or nothing, which takes the member out. */
export function changed(text, name, value) {
  const all = members(text);
  if (!all) return text;
  const member = all.findLast((member) => member.name === name);
  if (value === undefined) return member ? changed(without(text, all, member), name) : text;
  if (member) return text.slice(0, member.from) + value + text.slice(member.to);
  const last = all.at(-1);
  const added = `${JSON.stringify(name)}: ${value}`;
  if (!last) return `{\n  ${added}\n}`;
  const before = all.length > 1 ? text.lastIndexOf(",", last.key) : text.indexOf("{");
  return `${text.slice(0, last.to)},${text.slice(before + 1, last.key) || " "}${added}${text.slice(last.to)}`;
}

function without(text, all, member) {
  const place = all.indexOf(member);
  const next = all[place + 1];
  if (next) return text.slice(0, member.key) + text.slice(next.key);
  const previous = all[place - 1];
  return previous ? text.slice(0, previous.to) + text.slice(member.to) : `${text.slice(0, member.key).trimEnd()}${text.slice(member.to).trimStart()}`;
}
