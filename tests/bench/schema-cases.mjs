// What the benchmark of schemas checks: a configuration of 30 properties, a tree that is deep, a list of one megabyte. All as JSON text.

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

export function cases() {
  return Object.fromEntries(
    Object.entries({ configuration: configuration(), tree: tree(), megabyte: megabyte() }).map(([name, parts]) => [
      name,
      Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, JSON.stringify(value)])),
    ]),
  );
}

/** 30 properties of the kinds that configurations have. */
function configuration() {
  const kinds = [
    [(index) => ({ type: "string", minLength: 1, maxLength: 60, pattern: `^[a-z]+-${index}$` }), (index) => `name-${index}`],
    [() => ({ type: "integer", minimum: 1, maximum: 65_535 }), () => 8_080],
    [() => ({ enum: ["off", "low", "high"] }), () => "low"],
    [() => ({ type: "string", format: "email" }), () => "ops@example.com"],
    [() => ({ type: "array", items: { $ref: "#/$defs/host" }, uniqueItems: true, maxItems: 9 }), () => [{ name: "a.example", port: 1 }, { name: "b.example", port: 2 }]],
    [() => ({ anyOf: [{ type: "null" }, { type: "string", format: "date-time" }] }), () => "2026-11-21T14:21:00Z"],
  ];
  const each = Array.from({ length: 30 }, (_, index) => [`setting_${index}`, ...kinds[index % kinds.length]]);
  const made = (part) => Object.fromEntries(each.map(([name, ...parts], index) => [name, /** @type {any} */ (parts[part])(index)]));
  const properties = made(0);
  const valid = made(1);
  return {
    schema: {
      $schema: DRAFT,
      $defs: { host: { type: "object", properties: { name: { type: "string", format: "hostname" }, port: { type: "integer" } }, required: ["name", "port"] } },
      type: "object",
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    valid,
    invalid: { ...valid, setting_1: 70_000, setting_3: "nobody" },
  };
}

/** A binary tree of some levels, on a branch of many. */
function tree() {
  const node = (value, children) => ({ value, children });
  const bushy = (depth) => node(depth, depth ? [bushy(depth - 1), bushy(depth - 1)] : []);
  const deep = (levels, end) => Array.from({ length: levels }).reduce((inner, _, level) => node(level, [inner]), end);
  return {
    schema: {
      $schema: DRAFT,
      $defs: { node: { type: "object", properties: { value: { type: "integer" }, children: { type: "array", items: { $ref: "#/$defs/node" } } }, required: ["value", "children"], additionalProperties: false } },
      $ref: "#/$defs/node",
    },
    valid: deep(40, bushy(8)),
    invalid: deep(40, node("root", [])),
  };
}

/** A list of records, one megabyte long. */
function megabyte() {
  const schema = {
    $schema: DRAFT,
    type: "array",
    items: {
      type: "object",
      properties: {
        id: { type: "integer", minimum: 0 },
        name: { type: "string", minLength: 1, maxLength: 80 },
        kind: { enum: ["file", "folder", "link"] },
        size: { type: "number", minimum: 0 },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["id", "name", "kind"],
      additionalProperties: false,
    },
  };
  const record = (id) => ({ id, name: `a thing of a name, number ${id}`, kind: "file", size: id * 1.5, tags: ["one", "two"] });
  const valid = [];
  for (let length = 0; length < 1_000_000; length += JSON.stringify(valid.at(-1)).length + 1) valid.push(record(valid.length));
  return { schema, valid, invalid: [...valid.slice(0, -1), { ...valid.at(-1), kind: "pipe" }] };
}
