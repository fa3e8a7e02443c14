// Edits TOML settings: adds or removes one table. Only where the file is plain: otherwise an error says what to change by hand.

/** @typedef {{ [key: string]: string | number | string[] }} Values */

/**
 * The lines of a table, as they are added.
 * @type {(group: string, name: string, values: Values) => string[]}
 */
const lines = (group, name, values) => {
  const body = Object.entries(values).map(([key, value]) => `${key} = ${Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]` : JSON.stringify(value)}`);
  return [`[${group}.${name}]`, ...body];
};

/** A line that has a key and a value that ends in it. */
const PLAIN = /^[ \t]*[\w-]+[ \t]*=[ \t]*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w.+-]+|\[[ \t]*(?:"(?:[^"\\]|\\.)*"[ \t]*,?[ \t]*)*\])[ \t]*$/;

/**
 * The keys of a table's header, without quotes; undefined of any other line.
 * @param {string} line
 */
function header(line) {
  const found = /^[ \t]*\[[ \t]*((?:[\w-]+|"[\w-]+"|'[\w-]+')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[\w-]+"|'[\w-]+'))*)[ \t]*\][ \t]*(?:#.*)?$/.exec(line)?.[1];
  return found?.split(".").map((one) => one.trim().replace(/^["']|["']$/g, ""));
}

/**
 * The lines of a file and the keys of the group's tables in it; throws if the group could stand there in another way.
 * @param {string} text
 * @param {string} group
 */
function plain(text, group) {
  const all = text.split("\n");
  /** @type {(line: string) => boolean} */
  const other = (line) => line.includes(group) && !/^[ \t]*#/.test(line) && !(header(line)?.[0] === group && /** @type {string[]} */ (header(line)).length > 1);
  if (/"""|'''|\\u[\da-f]{4}/i.test(text) || all.some(other)) throw new Error(`"${group}" may be written there in a way that is not read here.`);
  return all;
}

/** @type {(why: string, what: string, given: string[]) => Error} */
const byHand = (why, what, given) => new Error(`${why} ${what}\n\n${given.join("\n")}\n`);

/**
 * Adds a table at the end.
 * @param {string} text
 * @param {string} group
 * @param {string} name
 * @param {Values} values
 * @returns {string}
 */
export function added(text, group, name, values) {
  const own = lines(group, name, values);
  let all;
  try {
    all = plain(text, group);
  } catch (/** @type {any} */ error) {
    throw byHand(error.message, "Add these lines by hand:", own);
  }
  if (all.some((line) => header(line)?.[0] === group && /** @type {string[]} */ (header(line))[1] === name)) throw new Error(`There is [${group}.${name}] already.`);
  const before = text.trim() ? `${text.replace(/\n*$/, "")}\n\n` : "";
  return `${before}${own.join("\n")}\n`;
}

/**
 * Removes a table and the tables below it. Undefined if there is none.
 * @param {string} text
 * @param {string} group
 * @param {string} name
 * @returns {string | undefined}
 */
export function removed(text, group, name) {
  if (!text.includes(name)) return undefined;
  /** @type {(why: string) => Error} */
  const fail = (why) => byHand(why, "Remove by hand:", [`[${group}.${name}]`]);
  let all;
  try {
    all = plain(text, group);
  } catch (/** @type {any} */ error) {
    throw fail(error.message);
  }
  /** @type {(line: string) => boolean} */
  const isOwn = (line) => header(line)?.[0] === group && /** @type {string[]} */ (header(line))[1] === name;
  const first = all.findIndex(isOwn);
  if (first < 0) return undefined;
  let end = first;
  let place = first;
  for (; place < all.length && (isOwn(all[place]) || !/^[ \t]*\[/.test(all[place])); place += 1) {
    const line = all[place];
    // What is said behind the table stays: it is about what follows.
    if (!line.trim() || /^[ \t]*#/.test(line)) continue;
    const isPlain = isOwn(line) ? /\][ \t]*$/.test(line) : PLAIN.test(line);
    if (!isPlain || all.slice(end, place).some((one) => /^[ \t]*#/.test(one))) throw fail("There is more in the table than was added.");
    end = place + 1;
  }
  if (all.slice(place).some(isOwn)) throw fail("The table is in several places.");
  const before = all.slice(0, first).join("\n").replace(/\n*$/, "");
  const after = all.slice(end).join("\n").replace(/^\n+/, "");
  if (!after.trim()) return before ? `${before}\n` : "";
  return before ? `${before}\n\n${after}` : after;
}
