// The languages besides English: what a host has handed in, and the files of the package, each fetched when it is needed.
import { once, part } from "./demand.js";
import { FILES } from "./files.js";

/**
 * @import { LocaleSource } from "../types/ask-user.js"
 * @import { Words } from "../types/words.js"
 */

/**
 * What gives the words of a language, by its tag; and those that are there.
 * @type {Map<string, () => Promise<LocaleSource>>}
 */
const sources = new Map(Object.entries(FILES).map(([name, fetch]) => [name, once(part(`locales/${name}.js`, fetch))]));
/** @type {Map<string, Words>} */
const there = new Map();

/**
 * Hands in the words of languages, by tag: objects of texts by key, modules with one as their default export, or functions that give (a promise of) one.
 * @param {NonNullable<import("../types/ask-user.js").WasmSources["locales"]>} locales
 */
export function offer(locales) {
  for (const [name, given] of Object.entries(locales)) {
    const tag = Intl.getCanonicalLocales(name)[0];
    there.delete(tag);
    if (typeof given === "function") sources.set(tag, once(async () => given()));
    else there.set(tag, /** @type {{ default: Words }} */ (given).default ?? given);
  }
}

/**
 * The words for a tag (BCP 47), as the tag of the locale: the longest prefix that there is one of. Nothing where English is all there is.
 * @param {string} tag
 * @returns {string | undefined}
 */
export function find(tag) {
  /** @type {(name: string | undefined) => boolean} */
  const known = (name) => there.has(/** @type {string} */ (name)) || sources.has(/** @type {string} */ (name));
  // The first use of `Intl` in a page takes milliseconds, which most pages in English can do without.
  if (/^en(-us)?$/i.test(tag) && !["en", "en-US", "en-Latn"].some(known)) return undefined;
  /** @type {Intl.Locale} */
  let locale;
  try {
    locale = new Intl.Locale(tag);
  } catch {
    return undefined;
  }
  const { language, script } = locale.maximize();
  const parts = locale.baseName.split("-");
  const prefixes = parts.map((_, end) => parts.slice(0, parts.length - end).join("-"));
  // Of languages with several scripts or countries, the one of the package.
  return [...prefixes, `${language}-${script}`, language === "pt" ? "pt-BR" : undefined].find(known);
}

/**
 * The words of a locale, if they are there already.
 * @type {(name: string) => Words | undefined}
 */
export const ready = (name) => there.get(name);

/**
 * Fetches the words of a locale; nothing where they cannot be had.
 * @param {string} name
 */
export async function load(name) {
  try {
    const module = await /** @type {() => Promise<LocaleSource>} */ (sources.get(name))();
    there.set(name, /** @type {{ default: Words }} */ (module).default ?? module);
  } catch {
    // English stays.
  }
  return there.get(name);
}

/**
 * The element that has the shadow root that a node is in. A node that is off the page may be its own root, and `host` something else there.
 * @type {(node: Node) => Element | undefined}
 */
const outside = (node) => {
  const root = node.getRootNode();
  return root === node ? undefined : /** @type {ShadowRoot} */ (root).host;
};

/**
 * The language of a node, and whether a direction is set for it: the page says so at the node or around it, through shadow roots.
 * @param {Element} node
 */
export function spoken(node) {
  /** @type {[lang: string | undefined, isDirected: boolean]} */
  let [lang, isDirected] = [undefined, false];
  for (let at = /** @type {Element | undefined} */ (node); at; at = at.parentElement ?? outside(at)) {
    lang ??= at.getAttribute("lang") ?? undefined;
    isDirected ||= Boolean(at.getAttribute("dir"));
  }
  return { lang: lang ?? "", isDirected };
}
