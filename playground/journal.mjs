// A store for `ask-user/host` in one file, without a database: every change is a line, and a start reads them all again. One process may have the file at a time.
import { appendFileSync, closeSync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** How many conversations a start keeps: those that went on last. */
const KEPT = 100;

/** Opens the file at `path`, or makes it. `memory` is a store of `memory()`, which has everything that the file has. */
export async function journal(/** @type {string} */ path, /** @type {any} */ memory) {
  mkdirSync(dirname(path), { recursive: true });
  const { lines, isWhole } = read(path);
  const kept = new Set();
  for (const [, id] of lines.toReversed()) if (kept.size < KEPT) kept.add(id);
  const own = lines.filter(([, id]) => kept.has(id));
  if (!isWhole || own.length < lines.length) {
    writeFileSync(`${path}.new`, own.map(textOf).join(""));
    renameSync(`${path}.new`, path);
  }
  // A change that was refused then is refused again.
  for (const [name, ...given] of own) await memory[name](...given).catch(() => undefined);

  const file = openSync(path, "a");
  let size = own.reduce((sum, line) => sum + Buffer.byteLength(textOf(line)), 0);
  /** Writes a line before the change is made in memory, or nothing of it. */
  const changed = (/** @type {any[]} */ ...line) => {
    const text = textOf(line);
    try {
      appendFileSync(file, text);
      fdatasyncSync(file);
    } catch (/** @type {any} */ error) {
      ftruncateSync(file, size);
      throw error;
    }
    size += Buffer.byteLength(text);
  };
  return {
    ...memory,
    async create(/** @type {any[]} */ ...given) {
      changed("create", ...given);
      return memory.create(...given);
    },
    async commit(/** @type {any[]} */ ...given) {
      changed("commit", ...given);
      return memory.commit(...given);
    },
    close: () => closeSync(file),
  };
}

const textOf = (/** @type {any} */ line) => `${JSON.stringify(line)}\n`;

/** The lines of a file. The last one may have been cut off when the process ended: then it was not acknowledged. */
function read(/** @type {string} */ path) {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch (/** @type {any} */ error) {
    if (error.code !== "ENOENT") throw error;
  }
  const all = text.split("\n");
  const isWhole = all.pop() === "";
  try {
    return { lines: all.map((line) => JSON.parse(line)), isWhole };
  } catch (/** @type {any} */ error) {
    throw new Error(`The conversations in ${path} cannot be read. Delete the file to begin without them.`, { cause: error });
  }
}
