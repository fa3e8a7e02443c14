// The JSON Schema validator of a form in a browser.
import { file } from "./demand.js";
import init, { compileSchema } from "../build/validator/ask_user_validator.js";
import { begin, compiled, isUsual, isWhole, load as loadRest } from "./rest.validator.js";

/**
 * @import { WasmSource } from "../types/ask-user.js"
 * @import { SaidViolation, Words } from "./words.js"
 */

/**
 * What compiles schemas; `rest()` promises the second part of its module, if there is one.
 * @typedef {typeof compileSchema & { rest: typeof compiled }} Checker
 */

/**
 * Loads the module, by default the first of the two files that lie beside this one, and gives its `compileSchema`. The rest follows. `compileSchema.rest()` promises it,
 * compiled, and nothing for a module that is whole.
 * @param {WasmSource} [source]
 * @returns {Promise<Checker>}
 */
export async function load(source) {
  // The person may be busy with another question: nothing else should wait for this.
  const exports = await init({ module_or_path: source ?? file(new URL("validator.first.wasm", import.meta.url), { priority: "low" }) });
  begin(exports);
  return Object.assign(compileSchema, { rest: compiled });
}

/**
 * Waits until what compiles the schemas in a text is there: the rest of the module, if one of them looks unusual.
 * @param {string} text
 */
export async function readyFor(text) {
  if (!isWhole() && !isUsual(text)) await loadRest();
}

/** A schema and a value that take the same paths as most: what a browser compiles at the first use of a module is then compiled. */
const USUAL = JSON.stringify({ type: "object", properties: { text: { type: "string", minLength: 1, pattern: "^a", format: "email" }, number: { type: "integer", minimum: 0, default: 1 }, list: { type: "array", items: { enum: ["a", "b"] } } }, required: ["text", "is"] });
const VALUE = '{"text":"b","number":-1,"list":["c"]}';

/**
 * Compiles and checks a small schema once the page is idle, so that the first form with a schema takes less time: about 30 of 130 ms where it has 500 properties.
 * @param {Checker} compileSchema
 */
export async function warm(compileSchema) {
  await new Promise((resolve) => (/** @type {Partial<typeof globalThis>} */ (globalThis).requestIdleCallback ? requestIdleCallback(resolve, { timeout: 1_000 }) : setTimeout(resolve)));
  const schema = compileSchema(USUAL);
  schema.check(VALUE);
  const fields = schema.fields();
  fields.setText(VALUE);
  fields.open("");
  fields.violations();
  fields.free();
  schema.free();
}

/**
 * What is wrong by the schema of a question, in `words`: `[keyword, schema_path, message, id]` of a violation. Nothing where English is spoken, or where what stands in the
 * schema does not say it.
 * @param {Words} words
 * @param {SaidViolation} violation
 * @param {(id: string) => any} schemaOf
 * @returns {string | undefined}
 */
export function violated(words, [keyword, path, message, id], schemaOf) {
  const key = `schema.${keyword}`;
  if (words.given(key) === undefined) return undefined;
  if (keyword === "required" || keyword === "additionalProperties") {
    // The property is named in the message alone.
    const [, and, name] = / (and )?("(?:[^"\\]|\\.)*")\.$/.exec(message) ?? [];
    return name && !and ? words.say([key, ""], { limit: name }) : undefined;
  }
  const limit = path.split("/").slice(1).reduce((value, part) => (value !== null && typeof value === "object" ? value[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined), schemaOf(id));
  if (limit === undefined || !path.endsWith(`/${keyword}`)) return undefined;
  /** @type {(value: unknown) => string} */
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  /** @type {(name: string) => string} */
  const said = (name) => words.given(`type.${name}`) ?? name;
  const values = keyword === "type" ? words.list([limit].flat().map(said), "disjunction") : keyword === "enum" ? limit.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(", ") : keyword === "const" ? JSON.stringify(limit) : text(limit);
  return words.say([key, ""], { limit: values, count: limit });
}
