// A store in one file, for a Node that has no SQLite (before 22.13): every change is a line. A start reads them all, and writes what they come to. One process has the file at a time.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import { inMemory } from "../hosting/memory.js";

/**
 * @import { Store } from "../../types/host.js"
 * @import { Changing, Kept } from "../hosting/memory.js"
 */

/**
 * A line of the file: a change, or a conversation as it was when the file was begun.
 * @typedef {Parameters<Changing> | ["kept", string, Kept]} Line
 */

/**
 * Opens the store in a file, or makes it.
 * @param {string} path
 * @returns {Promise<Store & { close(): void }>}
 */
export async function journal(path) {
  const conversations = await readAll(path);
  const begun = `${path}.new`;
  let file = openSync(begun, "w", 0o600);
  let size = 0;
  /** @type {(change: Line) => void} */
  const write = (change) => {
    const bytes = Buffer.from(`${JSON.stringify(change)}\n`);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done);
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, size);
      throw error;
    }
    size += bytes.length;
  };
  for (const kept of conversations) write(["kept", ...kept]);
  closeSync(file);
  renameSync(begun, path);
  file = openSync(path, "r+");
  const store = inMemory(conversations, (...change) => {
    // What is written to a file that was moved or deleted would be lost.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(file).ino) throw new Error(`The file ${path} was moved or deleted.`);
    write(change);
  });
  return { ...store, close: () => closeSync(file) };
}

/**
 * The conversations that the changes in a file come to. Whole ones stand first.
 * @param {string} path
 * @returns {Promise<Map<string, Kept>>}
 */
async function readAll(path) {
  const changes = read(path);
  const isWhole = /** @type {(change: Line) => change is ["kept", string, Kept]} */ (([name]) => name === "kept");
  const conversations = new Map(changes.filter(isWhole).map(([, id, whole]) => [id, whole]));
  const store = inMemory(conversations);
  for (const [name, ...given] of changes.filter((change) => !isWhole(change))) {
    if ((await /** @type {{ [name: string]: (...given: any[]) => Promise<unknown> }} */ (/** @type {unknown} */ (store))[name](...given)) === false) throw new Error(`A change is missing in ${path}. Move the file away to begin without its questions.`);
  }
  return conversations;
}

/**
 * The changes in a file. The last line may have been cut off when the process ended: then it was not acknowledged.
 * @param {string} path
 * @returns {Line[]}
 */
function read(path) {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch (/** @type {any} */ error) {
    if (error.code !== "ENOENT") throw error;
  }
  try {
    return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  } catch (error) {
    throw new Error(`The questions in ${path} cannot be read. Move the file away to begin without them.`, { cause: error });
  }
}
