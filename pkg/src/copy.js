// Copies the files that a page fetches, under names with a hash of their content: a server can then let caches keep them for ever.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A file: its content, and the names that stand in it.
 * @typedef {{ bytes: Buffer, text: string | undefined, uses: string[] }} File
 */

const DIST = fileURLToPath(new URL(".", import.meta.url));
/** A text in a script that may be the name of a file beside it. */
const QUOTED = /(["'`])((?:\.{0,2}\/)?[\w./-]+\.(?:js|wasm))\1/g;

/**
 * Copies `entries` and every file that they fetch, now or later, into `folder`, and writes `manifest.json` there: the name of each file in `dist`, and its name in the
 * folder. The name of a file changes only if the file or one that it fetches changes. Files that are in the folder already stay.
 * @param {string} folder
 * @param {{ entries?: readonly string[] }} options
 * @returns {Promise<Record<string, string>>}
 */
export async function copy(folder, { entries = ["ask-user.js"] } = {}) {
  if (typeof folder !== "string" || folder === "") throw new TypeError('Name the folder to copy the files to, such as "public/ask-user".');
  const files = await reached(entries);
  const names = new Map([...files.keys()].map((name) => [name, named(name, digest(name, files))]));
  for (const [name, { bytes, text }] of files) {
    const target = join(folder, /** @type {string} */ (names.get(name)));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text === undefined ? bytes : renamed(name, text, names));
  }
  const manifest = Object.fromEntries([...names].sort(([one], [other]) => (one < other ? -1 : 1)));
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return manifest;
}

/**
 * The files that the entries lead to, by name: their content, and the names that stand in them.
 * @param {readonly string[]} entries
 */
async function reached(entries) {
  const there = new Set((await readdir(DIST, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).map(({ parentPath, path, name }) => posix.relative(slashed(DIST), posix.join(slashed(parentPath ?? path), name))));
  /** @type {Map<string, File>} */
  const files = new Map();
  const open = [...entries];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (files.has(name)) continue;
    if (!there.has(name)) throw new RangeError(`The package has no file "${name}" in its folder dist. An entry is a name such as "ask-user.js" or "element.js".`);
    const bytes = await readFile(join(DIST, name));
    const text = name.endsWith(".js") ? bytes.toString("utf8") : undefined;
    const uses = text === undefined ? [] : [...text.matchAll(QUOTED)].map(([, , quoted]) => beside(name, quoted)).filter((used) => used !== name && there.has(used));
    files.set(name, { bytes, text, uses: [...new Set(uses)] });
    open.push(...uses);
  }
  return files;
}

/** @type {(path: string) => string} */
const slashed = (path) => path.replaceAll("\\", "/");

/**
 * The name of a file that another one names.
 * @type {(name: string, quoted: string) => string}
 */
const beside = (name, quoted) => posix.join(posix.dirname(name), quoted);

/**
 * A hash of a file and of all that it leads to, so that two files may name each other.
 * @param {string} name
 * @param {Map<string, File>} files
 */
function digest(name, files) {
  const seen = new Set();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(.../** @type {File} */ (files.get(next)).uses);
  }
  const hash = createHash("sha256").update(name);
  for (const one of [...seen].sort()) hash.update(`\0${one}\0${/** @type {File} */ (files.get(one)).bytes.length}\0`).update(/** @type {File} */ (files.get(one)).bytes);
  return hash.digest("hex").slice(0, 12);
}

/** @type {(name: string, hash: string) => string} */
const named = (name, hash) => name.replace(/(?=\.\w+$)/, `.${hash}`);

/**
 * A script in which the names of files are those that they have in the folder.
 * @param {string} name
 * @param {string} text
 * @param {Map<string, string>} names
 */
function renamed(name, text, names) {
  return text.replace(QUOTED, (whole, quote, quoted) => {
    const target = names.get(beside(name, quoted));
    if (target === undefined || beside(name, quoted) === name) return whole;
    const relative = posix.relative(posix.dirname(name), target);
    return `${quote}${quoted.startsWith(".") && !relative.startsWith(".") ? "./" : ""}${relative}${quote}`;
  });
}
