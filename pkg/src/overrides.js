// Checks the words that a host says in place of the form's, fetched where a host has some: that each key exists, and that its text has no other values.
import { KEYS } from "../build/keys.js";

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/**
 * What is wrong with the words of a host, for its developer; nothing where they are right.
 * @param {{ [key: string]: unknown }} words
 * @returns {string | undefined}
 */
export function fault(words) {
  for (const [key, value] of Object.entries(words)) {
    if (!Object.hasOwn(KEYS, key)) return `\`words\` has "${key}", which is no key of docs/words.md.`;
    const { placeholders, isPlural } = /** @type {{ [key: string]: { placeholders: string[], isPlural: boolean } }} */ (KEYS)[key];
    const isForms = isPlural && value !== null && typeof value === "object" && "other" in value && Object.keys(value).every((category) => CATEGORIES.includes(category));
    for (const text of isForms ? Object.values(value) : [value]) {
      if (typeof text !== "string") return `\`words\` has no text for "${key}".`;
      const [, wrong] = [...text.matchAll(/\{(\w*)\}/g)].find(([, name]) => !placeholders.includes(name)) ?? [];
      if (wrong !== undefined) return `\`words\` has the placeholder {${wrong}} in "${key}", which has no such value.`;
    }
  }
}
