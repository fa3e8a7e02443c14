// Edits TOML settings: adds or removes one table, and leaves every other character as it is.

/** The lines of a table's header, whether its last name is in quotes or not. */
const header = (group, name) => new RegExp(`^[ \\t]*\\[[ \\t]*${group}[ \\t]*\\.[ \\t]*(?:${name}|"${name}"|'${name}')[ \\t]*\\]`);

/** Adds a table at the end. */
export function added(text, group, name, values) {
  const lines = text.split("\n");
  if (lines.some((line) => header(group, name).test(line))) throw new Error(`There is [${group}.${name}] already.`);
  if (lines.some((line) => new RegExp(`^[ \\t]*${group}[ \\t]*[=.]`).test(line))) throw new Error(`"${group}" is not written as tables there. Add the server by hand.`);
  const body = Object.entries(values).map(([key, value]) => `${key} = ${Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]` : JSON.stringify(value)}`);
  const before = text.trim() ? `${text.replace(/\n*$/, "")}\n\n` : "";
  return `${before}[${group}.${name}]\n${body.join("\n")}\n`;
}

/** Removes a table and the tables below it. Undefined if there is none. */
export function removed(text, group, name) {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => header(group, name).test(line));
  if (first < 0) return undefined;
  const below = new RegExp(`^[ \\t]*\\[[ \\t]*${group}[ \\t]*\\.[ \\t]*(?:${name}|"${name}"|'${name}')[ \\t]*[.\\]]`);
  let end = first + 1;
  while (end < lines.length && !(/^[ \t]*\[/.test(lines[end]) && !below.test(lines[end]))) end += 1;
  // What is said above the next table is its own.
  while (end < lines.length && /^[ \t]*#/.test(lines[end - 1])) end -= 1;
  const [before, after] = [lines.slice(0, first).join("\n").replace(/\n*$/, ""), lines.slice(end).join("\n")];
  if (!after.trim()) return before ? `${before}\n` : "";
  return before ? `${before}\n\n${after}` : after;
}
