// Checks values by many schemas, as a form does, and prints the places of the functions that ran. Run by `split.mjs`:
// `node profile.validator.mjs MODULE BINDINGS SEEN COUNT SCHEMAS`, where function N of the module, of COUNT, leaves a byte at SEEN + N once it runs.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** @import { Fields, Schema } from "./declared/build/validator/ask_user_validator.d.ts" */

/** The drafts: each schema is one of each, as far as its keywords are known there. */
const DRAFTS = [undefined, "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-04/schema#"];
/** What a person may have typed anywhere. */
const VALUES = [null, true, 0, -1.5, 70_000, 1e21, "", "a", "some text", "ä", [], [1, 1, "a"], {}, { a: 1, "b c": { d: [null] } }];

const [module, bindings, seen, count, file] = process.argv.slice(2);
globalThis.FinalizationRegistry = /** @type {any} */ (class {
  register() {}
  unregister() {}
});
const { initSync, compileSchema } = await import(pathToFileURL(bindings).href);
const { memory } = initSync({ module: await readFile(module) });
const cases = JSON.parse(await readFile(file, "utf8"));
// Where something is in memory decides how it is hashed and found: so all is done more than once, with other things in memory.
const kept = [];
for (let round = 0; round < 3; round += 1) {
  for (const { schema, drafts = DRAFTS.length, values } of cases) {
    for (const $schema of DRAFTS.slice(0, drafts)) {
      const text = JSON.stringify($schema && typeof schema === "object" ? { $schema, ...schema } : schema);
      const compiled = compileSchema(round % 2 ? JSON.stringify(JSON.parse(text), undefined, 2) : text);
      used(compiled, values);
      if (kept.push(compiled) > 5 + round) kept.shift().free();
    }
  }
}
const ran = new Uint8Array(memory.buffer, Number(seen), Number(count));
process.stdout.write(JSON.stringify([...ran.keys()].filter((place) => ran[place])), () => process.exit());

/**
 * Does with a schema what a form does.
 * @param {Schema} compiled
 * @param {unknown[]} values
 */
function used(compiled, values) {
  compiled.template();
  compiled.module;
  const fields = compiled.fields();
  fields.setText("");
  open(fields, "", 3);
  fields.violations();
  JSON.parse(fields.start("") ?? "null");
  for (const value of [...values, ...VALUES]) {
    const text = JSON.stringify(value);
    compiled.check(text);
    if (fields.setText(text) !== undefined) continue;
    open(fields, "", 3);
    fields.violations();
  }
  compiled.check("{");
  fields.setText("{");
  fields.setText(JSON.stringify(values[0], undefined, 2));
  fields.violations(JSON.stringify({ within: "" }));
  fields.left;
  compiled.left;
  fields.free();
}

/**
 * Opens a place, and those below it.
 * @param {Fields} fields
 * @param {string} pointer
 * @param {number} levels
 */
function open(fields, pointer, levels) {
  const field = JSON.parse(fields.open(pointer));
  for (const { pointer: inner } of field.children ?? []) {
    fields.start(inner);
    if (levels) open(fields, inner, levels - 1);
  }
}
