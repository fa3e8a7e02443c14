// What a schema says of a place in a value: the subschemas that may apply there, what can be written, and how to say it. It
// proposes; whether a value fits is for the validator alone. Knows no text and no editor.

import {
  JSON_DEFAULT, JSON_EXAMPLE, JSON_ONLY, LIMIT_DEFAULT, LIMIT_EXCLUSIVEMAXIMUM, LIMIT_EXCLUSIVEMINIMUM, LIMIT_FORMAT, LIMIT_MAXIMUM, LIMIT_MAXITEMS,
  LIMIT_MAXLENGTH, LIMIT_MINIMUM, LIMIT_MINITEMS, LIMIT_MINLENGTH, LIMIT_MULTIPLEOF, LIMIT_PATTERN, TYPE_ARRAY, TYPE_BOOLEAN, TYPE_INTEGER, TYPE_NULL,
  TYPE_NUMBER, TYPE_OBJECT, TYPE_STRING,
} from "../../build/words.js";

/** @import { Word, Words } from "../words.js" */

/**
 * A JSON Schema that is an object. What a keyword has may be anything: a schema is the agent's.
 * @typedef {{ [keyword: string]: any }} Schema
 */

/**
 * Keys of objects, and places of items.
 * @typedef {(string | number)[]} Path
 */

/** How many subschemas are looked at for one place, and how deep they may refer to each other. */
const MOST = 200;
const DEEP = 20;
const COMBINED = ["allOf", "anyOf", "oneOf"];
const CONDITIONAL = ["then", "else"];

/**
 * All subschemas that may apply to the value at a path.
 * @param {unknown} root
 * @param {Path} path
 */
export function schemasAt(root, path) {
  let found = spread(root, [root]);
  for (const part of path) found = spread(root, found.flatMap((schema) => inner(schema, part)));
  return found;
}

/**
 * The subschemas for a member or an item.
 * @param {Schema} schema
 * @param {string | number} part
 * @returns {Schema[]}
 */
function inner(schema, part) {
  if (typeof part === "number") {
    const { prefixItems, items } = schema;
    const tuple = prefixItems ?? (Array.isArray(items) ? items : []);
    const rest = prefixItems || !Array.isArray(items) ? items : schema.additionalItems;
    return [tuple[part] ?? rest].filter(isSchema);
  }
  const own = Object.hasOwn(schema.properties ?? {}, part) ? [schema.properties[part]] : [];
  // Patterns are not tried here: one that goes back over its text could hang the page. Each may apply.
  const patterned = Object.values(schema.patternProperties ?? {});
  return (own.length || patterned.length ? [...own, ...patterned] : [schema.additionalProperties]).filter(isSchema);
}

/**
 * With what they refer to and combine: each once.
 * @param {unknown} root
 * @param {unknown[]} schemas
 * @returns {Schema[]}
 */
function spread(root, schemas) {
  /** @type {Set<Schema>} */
  const found = new Set();
  /** @type {(schema: unknown, depth: number) => void} */
  const visit = (schema, depth) => {
    if (!isSchema(schema) || found.has(schema) || found.size >= MOST || depth > DEEP) return;
    found.add(schema);
    for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
      if (typeof schema[keyword] === "string") visit(target(root, schema[keyword]), depth + 1);
    }
    for (const keyword of COMBINED) for (const one of list(schema[keyword])) visit(one, depth + 1);
    for (const keyword of CONDITIONAL) visit(schema[keyword], depth + 1);
    for (const one of Object.values(schema.dependentSchemas ?? {})) visit(one, depth + 1);
  };
  for (const schema of schemas) visit(schema, 0);
  return [...found];
}

/**
 * What a local reference leads to: by a pointer, or by an anchor at the places where definitions stand.
 * @param {any} root
 * @param {string} reference
 * @returns {unknown}
 */
function target(root, reference) {
  if (!reference.startsWith("#")) return undefined;
  const pointer = decode(reference.slice(1));
  if (pointer === "") return root;
  if (pointer.startsWith("/")) {
    const parts = pointer.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    return parts.reduce((value, part) => (value !== null && typeof value === "object" && Object.hasOwn(value, part) ? value[part] : undefined), root);
  }
  const defined = Object.values({ ...root.$defs, ...root.definitions });
  return defined.find((schema) => isSchema(schema) && [schema.$anchor, schema.$dynamicAnchor, schema.$id].some((name) => name === pointer || name === `#${pointer}`));
}

/**
 * The properties that may be written into an object: `{ name, schemas, required }`, required ones first, then in their order.
 * @param {unknown} root
 * @param {Path} path
 */
export function properties(root, path) {
  const schemas = schemasAt(root, path);
  const required = new Set(schemas.flatMap(({ required }) => list(required)));
  /** @type {Map<string, undefined>} */
  const found = new Map();
  for (const schema of schemas) for (const name of Object.keys(schema.properties ?? {})) found.set(name, undefined);
  for (const name of required) if (typeof name === "string") found.set(name, undefined);
  return [...found.keys()]
    .map((name) => ({ name, required: required.has(name), schemas: schemasAt(root, [...path, name]) }))
    .sort((a, b) => Number(b.required) - Number(a.required));
}

/**
 * The values that may stand at a place: constants, choices, `true` and `false`, the default, examples; each once, with the word for what it is.
 * @param {Schema[]} schemas
 * @returns {{ value: unknown, detail?: Word }[]}
 */
export function values(schemas) {
  /** @type {Map<string, { value: unknown, detail?: Word }>} */
  const found = new Map();
  /** @type {(value: unknown, detail?: Word) => void} */
  const add = (value, detail) => {
    const text = JSON.stringify(value);
    if (!found.has(text)) found.set(text, { value, detail });
  };
  for (const schema of schemas) {
    if ("const" in schema) add(schema.const, JSON_ONLY);
    for (const value of list(schema.enum)) add(value);
    if ("default" in schema) add(schema.default, JSON_DEFAULT);
    if (types(schema).includes("boolean")) [true, false].forEach((value) => add(value));
    if (types(schema).includes("null")) add(null);
    for (const value of list(schema.examples)) add(value, JSON_EXAMPLE);
  }
  return [...found.values()];
}

/**
 * A value to begin with: the first that the schemas name, or else an empty one of their type.
 * @param {Schema[]} schemas
 * @returns {string}
 */
export function start(schemas) {
  const [first] = schemas.flatMap((schema) =>
    "default" in schema ? [schema.default] : "const" in schema ? [schema.const] : list(schema.enum).slice(0, 1),
  );
  if (first !== undefined) return JSON.stringify(first);
  const type = schemas.flatMap(types)[0] ?? (schemas.some(({ properties }) => properties) ? "object" : undefined);
  return { object: "{}", array: "[]", string: '""', boolean: "false", null: "null", integer: "0", number: "0" }[type] ?? "";
}

/**
 * The words for types, and for what a value must keep to.
 * @type {{ [type: string]: Word | undefined }}
 */
export const TYPES = { string: TYPE_STRING, integer: TYPE_INTEGER, number: TYPE_NUMBER, boolean: TYPE_BOOLEAN, array: TYPE_ARRAY, object: TYPE_OBJECT, null: TYPE_NULL };
/** @type {{ [keyword: string]: Word }} */
const LIMITS = {
  minimum: LIMIT_MINIMUM,
  maximum: LIMIT_MAXIMUM,
  exclusiveMinimum: LIMIT_EXCLUSIVEMINIMUM,
  exclusiveMaximum: LIMIT_EXCLUSIVEMAXIMUM,
  multipleOf: LIMIT_MULTIPLEOF,
  minLength: LIMIT_MINLENGTH,
  maxLength: LIMIT_MAXLENGTH,
  minItems: LIMIT_MINITEMS,
  maxItems: LIMIT_MAXITEMS,
  format: LIMIT_FORMAT,
  pattern: LIMIT_PATTERN,
  default: LIMIT_DEFAULT,
};

/**
 * What the schemas say of a value: its title and its description.
 * @param {Schema[]} schemas
 */
export function describe(schemas) {
  /** @type {(keyword: string) => string | undefined} */
  const said = (keyword) => schemas.map((schema) => schema[keyword]).find((text) => typeof text === "string");
  return { title: said("title"), description: said("description") };
}

/**
 * What a value must be and keep to, in words. Limits stay as they are written. Of types, only those that are `named` are said.
 * @param {Schema[]} schemas
 * @param {Words} words
 * @param {string[]} named
 */
export function facts(schemas, words, named = Object.keys(TYPES)) {
  const limits = schemas.flatMap((schema) =>
    Object.entries(LIMITS).flatMap(([keyword, word]) => (schema[keyword] === undefined || typeof schema[keyword] === "object" ? [] : [words.say(word, { limit: `${schema[keyword]}` })])),
  );
  const kinds = [...new Set(schemas.flatMap(types))].filter((type) => named.includes(type) || !TYPES[type]);
  const said = words.list(kinds.map((type) => (TYPES[type] ? words.say(TYPES[type]) : type)), "disjunction");
  return [said, ...new Set(limits)].filter(Boolean);
}

/** Signs that join, without selectors after them; signs that have variants, and what selects one. */
const JOINING = String.raw`(?![\p{DI}\u061c\u070f\u{110bd}\u{110cd}])[\u0600-\u109f\u1700-\u18af\u1900-\u1cff\u2190-\u27ff\u2900-\u2bff\ua800-\uabff\ufb50-\ufeff\u{10a00}-\u{11fff}\u{1e900}-\u{1faff}]`;
const VARIED = String.raw`(?!\p{DI})[\xa9\xae\u1820-\u18aa\u203c-\u27ff\u2900-\u2bff\u3000-\u303f\u3200-\u9fff\uf900-\ufaff\u{1f000}-\u{3ffff}]`;
const SELECTOR = String.raw`[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
/** A hidden character, where nothing that is seen needs it; of the tags of flags and of blanks among Braille that is not looked at. */
export const HIDDEN = new RegExp(
  String.raw`(?!(?<=${JOINING}|${VARIED}${SELECTOR})[\u200c\u200d](?=(?!\p{Cf})${JOINING})|(?<=${VARIED})${SELECTOR}|${SELECTOR}(?=\u20e3)|[\t\n\u0600-\u0605\u06dd\u0890\u0891\u08e2])` +
    String.raw`[\p{Cc}\p{Cf}\p{DI}\u2028\u2029\u2800]`,
  "gu",
);
/** What is passed over: the flags of England, Scotland and Wales, and a line break of two characters. Then, in a group, what is hidden. */
const MARKED = new RegExp(
  String.raw`(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|\r\n|(${HIDDEN.source})`,
  "gu",
);

/**
 * A text of an agent as it is shown: control characters other than tab and line breaks as their pictures, other invisible characters as
 * their code points. `shown` of the form does the same.
 * @param {string} text
 */
export function visible(text) {
  const braille = /[\u2801-\u28ff]/.test(text);
  return text.replace(MARKED, (all, hidden) => {
    if (!hidden || (braille && hidden === "\u2800")) return all;
    const code = hidden.codePointAt(0);
    if (code < 0x20 || code === 0x7f) return String.fromCharCode(code < 0x20 ? 0x2400 + code : 0x2421);
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/**
 * @param {Schema} schema
 * @returns {string[]}
 */
function types({ type }) {
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Schema}
 */
function isSchema(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {any[]}
 */
function list(value) {
  return Array.isArray(value) ? value : [];
}
