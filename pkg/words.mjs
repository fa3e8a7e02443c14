// Reads web/words.txt, the one source of keys and of English, for the build and the tests.
import { readFile } from "node:fs/promises";

/** @typedef {{ key: string, name: string, english: string | { one: string, other: string }, about: string, section: string | undefined, kind: string | undefined, placeholders: string[] }} Word */

const SOURCE = new URL("../web/words.txt", import.meta.url);

/**
 * Every word: `{ key, name, english, about, section, kind, placeholders }`, where `english` is a text, or `{ one, other }`; `kind` is "form", "scripts" or "core".
 * @returns {Promise<Word[]>}
 */
export async function words() {
  /** @type {string | undefined} */
  let section;
  /** @type {string | undefined} */
  let kind;
  /** @type {Word[]} */
  const found = [];
  for (const line of (await readFile(SOURCE, "utf8")).split("\n")) {
    const [, heading, said] = /^\[(.+?)(?: \((scripts|said by the core|sentences of the core)\))?\]$/.exec(line) ?? [];
    if (heading) [section, kind] = [heading, { scripts: "scripts", "said by the core": "core", "sentences of the core": "core" }[said] ?? "form"];
    const [, key, text, about] = /^([\w.]+) = (.+) \/\/ (.+)$/.exec(line) ?? [];
    if (!key) continue;
    const [one, other] = text.split(" | ");
    const name = key.replaceAll(".", "_").toUpperCase();
    found.push({ key, name, english: other ? { one, other } : text, about, section, kind, placeholders: placeholders(text) });
  }
  return found;
}

/**
 * The names of the values in a text, each once, sorted.
 * @param {string} text
 */
export function placeholders(text) {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
}

/** A module with every key: the values that its text may have, and whether it has plural forms. */
export async function keys() {
  const all = (await words()).map(({ key, english, placeholders }) => [key, { placeholders, isPlural: typeof english === "object" }]);
  return `export const KEYS = ${JSON.stringify(Object.fromEntries(all))};\n`;
}

/** A module with a constant for each word that scripts say: its key and its English text. What a bundle does not use, it does not get. */
export async function script() {
  const plain = (await words()).filter(({ english }) => typeof english === "string");
  return plain.map(({ key, name, english }) => `export const ${name} = /** @type {const} */ (${JSON.stringify([key, english])});\n`).join("");
}
