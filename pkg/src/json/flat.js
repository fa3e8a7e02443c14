// Which schemas are flat enough for fields: an object whose properties are texts, numbers, yes or no, and choices. Knows no page.
import { describe, facts, properties, schemasAt } from "./schema.js";

/** What may be said of the object, of a property, and of what a choice of several chooses from. */
const OF_OBJECT = words("$schema $id $ref $comment $defs definitions title description type properties required additionalProperties default examples minProperties maxProperties");
const OF_PROPERTY = words("$ref $comment title description type default examples enum const deprecated readOnly writeOnly minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems items");
/** How many fields a form may have, and how many choices stand as rows. */
const MOST = 60;
const CHOICES = 100;
/** Of types, only that of a number needs saying: the others show. */
const NUMBERS = ["integer", "number"];
const LINES = new Set(["email", "idn-email", "uri", "iri", "date", "date-time", "time", "uuid", "hostname", "ipv4", "ipv6"]);

/**
 * The fields of a schema, in its order: `{ name, title, description, facts(words), required, kind, values, format }`, where `kind` is `text`,
 * `line`, `number`, `one` or `several`. Nothing where there is more to it.
 */
export function fieldsOf(schema) {
  const objects = schemasAt(schema, []);
  if (!objects.length || !objects.every((object) => only(object, OF_OBJECT) && plainObject(object))) return undefined;
  const order = Object.keys(Object.assign({}, ...objects.map(({ properties }) => properties)));
  const found = properties(schema, [])
    .map(({ name, required, schemas }) => ({ name, required, ...describe(schemas), facts: (words) => facts(schemas, words, NUMBERS), ...kindOf(schemas) }))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return found.length && found.length <= MOST && found.every(({ kind }) => kind) ? found : undefined;
}

function plainObject({ type, additionalProperties = true, required = [] }) {
  return [undefined, "object"].includes(type) && typeof additionalProperties === "boolean" && Array.isArray(required);
}

function kindOf(schemas) {
  if (!schemas.length || !schemas.every((schema) => only(schema, OF_PROPERTY))) return {};
  const values = choices(schemas);
  const [type, ...more] = new Set(schemas.flatMap(({ type }) => type ?? []));
  const format = schemas.map(({ format }) => format).find(Boolean);
  const items = schemas.map(({ items }) => items).find(Boolean);
  if (more.length) return {};
  if (values) return values.length <= CHOICES && values.every(isScalar) && type !== "array" ? { kind: "one", values } : {};
  if (type === "boolean") return { kind: "one", values: [true, false] };
  if (type === "integer" || type === "number") return { kind: "number" };
  if (type === "string") return { kind: LINES.has(format) ? "line" : "text", format };
  if (type !== "array" || items === null || typeof items !== "object" || !only(items, OF_PROPERTY) || "$ref" in items) return {};
  const several = choices([items]);
  return several?.length <= CHOICES && several.every(isScalar) ? { kind: "several", values: several } : {};
}

function choices(schemas) {
  const [found] = schemas.flatMap((schema) => ("const" in schema ? [[schema.const]] : Array.isArray(schema.enum) ? [schema.enum] : []));
  return found;
}

function only(schema, keywords) {
  return Object.keys(schema).every((keyword) => keywords.has(keyword));
}

function isScalar(value) {
  return value === null || typeof value !== "object";
}

function words(text) {
  return new Set(text.split(" "));
}
