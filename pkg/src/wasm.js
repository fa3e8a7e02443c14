// Where the wasm modules come from: what a host has handed in; else the files beside the scripts.
import { offer } from "./locales.js";

/** @import { WasmSource, WasmSources } from "../types/ask-user.js" */

/**
 * A module of the element.
 * @typedef {"form" | "validator" | "core"} Name
 */

const NAMES = ["form", "validator", "core"];
/** @type {{ [name in Name]?: WasmSources[name] }} */
const given = {};

/**
 * Hands in the wasm: of the `form`, of the `validator` for questions with a JSON Schema, and of the headless `core` for an assistant that is
 * asked. Each is a URL, the bytes, a compiled module, a response, a promise of one, or a function that gives one when it is needed.
 * `locales` are languages besides English, by tag: objects of texts by key, or functions that give one or import one.
 * For hosts that serve no files beside the scripts; to be called before the first form.
 * @param {WasmSources} sources
 */
export function initialize({ locales = {}, ...sources }) {
  offer(locales);
  for (const name of Object.keys(sources)) {
    if (!NAMES.includes(name)) throw new TypeError(`There is no wasm module "${name}": hand in ${NAMES.join(", ")}.`);
  }
  Object.assign(given, sources);
}

/**
 * Whether a host has handed in a module.
 * @type {(name: Name) => boolean}
 */
export const isGiven = (name) => name in given;

/**
 * The source of a module: what was handed in, or what lies `beside`.
 * @type {(name: Name, beside?: () => WasmSource | undefined) => WasmSource | undefined}
 */
export const source = (name, beside = () => undefined) => {
  const from = given[name] ?? beside;
  return typeof from === "function" ? from() : from;
};
