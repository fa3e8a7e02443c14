// The model of fields in the wasm module: what docs/fields-model.md says of its functions, over schemas and values that others wrote.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileSchema } from "../../pkg/build/development/validator/ask_user_validator.js";
import { schemas } from "./schemas.mjs";
import { compiledGroups } from "./suite.mjs";

/** The units of a whole call. */
const WORK = 20_000_000;

/** The fields of a schema and a text. */
function fieldsOf(schema, text) {
  const compiled = compileSchema(JSON.stringify(schema));
  const fields = compiled.fields();
  // The fields hold the schema.
  compiled.free();
  assert.equal(fields.setText(text), undefined);
  return fields;
}

const open = (fields, pointer, options) => JSON.parse(fields.open(pointer, options && JSON.stringify(options)));

/** Every field of the value, by opening each level. */
function present(fields, pointer = "") {
  const field = open(fields, pointer);
  return [field, ...(field.children ?? []).filter((child) => child.present).flatMap((child) => present(fields, child.pointer))];
}

test("every valid value of the JSON Schema test suite is shown wholly by fields, and has no violations", async () => {
  let shown = 0;
  const hidden = [];
  for await (const { draft, file, group, compiled, tests } of compiledGroups()) {
    const fields = compiled.fields();
    for (const { description, data } of tests) {
      const text = JSON.stringify(data);
      const valid = compiled.check(text) === undefined;
      if (fields.setText(text) !== undefined) continue;
      const violations = JSON.parse(fields.violations());
      const all = present(fields);
      const bad = all.find(({ mismatch, reason, source }) => mismatch || reason || source === "unknown");
      if (valid !== (violations.length === 0) || (valid && bad)) hidden.push({ draft, file, group, description, bad, violations });
      if (valid) shown += 1;
    }
    fields.free();
  }
  assert.deepEqual(hidden, []);
  assert.ok(shown > 4_000, `${shown} values`);
});

test("real schemas open as fields, without any JSON, and each level takes little of the work", async () => {
  const all = await schemas();
  const shown = all.map(({ name, schema }) => {
    const fields = fieldsOf(schema, "");
    const open = [["", 0]];
    const faults = [];
    let most = 0;
    for (let opened = 0; open.length > 0 && opened < 500; opened += 1) {
      const [pointer, depth] = /** @type {[string, number]} */ (open.pop());
      const field = JSON.parse(fields.open(pointer));
      most = Math.max(most, WORK - fields.left);
      for (const { reason, pointer } of [field, ...(field.children ?? [])]) if (reason) faults.push([pointer, reason]);
      if (depth === 3) continue;
      for (const child of field.children ?? []) if (child.open) open.push([child.pointer, depth + 1]);
      if (field.add?.index !== undefined) open.push([`${pointer}/-`, depth + 1]);
    }
    fields.free();
    return { name, faults, most: most < WORK / 10 ? "little" : most };
  });
  assert.deepEqual(shown, all.map(({ name }) => ({ name, faults: [], most: "little" })));
  assert.ok(all.length > 50);
});

test("a text is parsed once; what is no JSON is refused and changes nothing", () => {
  const fields = fieldsOf({ properties: { a: { type: "string" } } }, '{"a":"x"}');
  assert.equal(open(fields, "/a").present, true);
  const fault = JSON.parse(fields.setText('{"a":'));
  assert.equal(fault.code, "invalid_json");
  assert.equal(open(fields, "/a").present, true);
  assert.equal(JSON.parse(fields.setText("{}", 1)).code, "too_large");
  assert.equal(fields.setText(" \n"), undefined);
  assert.equal(open(fields, "/a").present, undefined);
  fields.free();
});

test("every function says how much work is left, and goes no further", () => {
  const fields = fieldsOf({ oneOf: [{ properties: { kind: { const: 1 } }, required: ["kind"] }, { type: "string" }] }, "{}");
  for (const call of [(work) => fields.open("", undefined, work), (work) => fields.start("", undefined, work), (work) => fields.switch("", "oneOf", 0, undefined, work), (work) => fields.violations(undefined, work)]) {
    JSON.parse(call(100_000));
    assert.ok(fields.left > 0 && fields.left < 100_000, `${call}: ${fields.left}`);
    JSON.parse(call(10));
    assert.equal(fields.left, 0, `${call}`);
  }
  assert.deepEqual(JSON.parse(fields.open("", undefined, 10)), { pointer: "", kind: "json", reason: "too_much_work", present: true });
  fields.free();
});

test("a choice, a switch and its start, as the page of the model says", () => {
  const shape = { oneOf: [{ properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind"] }, { properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind"] }] };
  const fields = fieldsOf({ properties: { shape } }, '{"shape":{"kind":"circle","radius":1}}');
  assert.equal(open(fields, "/shape").groups[0].current, 0);
  assert.equal(open(fields, "/shape", { choices: { "/shape": { oneOf: 1 } } }).groups[0].current, 1);
  assert.deepEqual(JSON.parse(fields.switch("/shape", "oneOf", 1)), { keep: [], drop: ["radius"], set: [{ key: "kind", text: '"square"' }] });
  assert.deepEqual(JSON.parse(fields.start("/shape", JSON.stringify({ choices: { "/shape": { oneOf: 1 } } }))), { text: '{"kind":"square"}' });
  assert.equal(fields.setText('{"shape":{"kind":"circle","radius":"x"}}'), undefined);
  assert.deepEqual(
    JSON.parse(fields.violations()).map(({ pointer, keyword }) => [pointer, keyword]),
    [["/shape/radius", "type"]],
  );
  fields.free();
});
