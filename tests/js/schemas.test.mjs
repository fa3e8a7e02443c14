// Schemas that others wrote, each filled in through the fields alone: what is sent fits by Ajv as well as by ask-user.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { schemas } from "./schemas.mjs";

const require = createRequire(new URL("../../pkg/package.json", import.meta.url));
const { default: addFormats } = require("ajv-formats");
const FILLER = readFileSync(new URL("filler.js", import.meta.url), "utf8");
const PAGE = `<!doctype html><html lang="en"><title>ask-user</title><script type="module" src="/pkg/dist/ask-user.js"></script>
<script type="module" src="/probe.js"></script><script type="module" src="/filler.js"></script><main></main></html>`;

/** What Ajv says is wrong with a value; nothing where it fits. It reads no draft 4, whose bounds and names are written as those of draft 6 before. */
function wrong(schema, value) {
  const draft = String(schema.$schema);
  const { default: Ajv } = require(draft.includes("2020-12") ? "ajv/dist/2020.js" : draft.includes("2019-09") ? "ajv/dist/2019.js" : "ajv");
  const ajv = new Ajv({ strict: false, validateSchema: false, meta: !/json-schema\.org/.test(schema.$id), allErrors: true, logger: false });
  addFormats(ajv);
  const { $schema: _, ...rest } = schema;
  const validate = ajv.compile(draft.includes("draft-04") || "id" in rest ? modern(rest) : rest);
  return validate(value) ? undefined : validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The same; and why Ajv compiles a schema not at all. */
function checked(schema, value) {
  try {
    return wrong(schema, value);
  } catch (error) {
    return [`no schema for Ajv: ${error.message}`];
  }
}

function modern(schema) {
  if (Array.isArray(schema)) return schema.map(modern);
  if (schema === null || typeof schema !== "object") return schema;
  const { $schema: _, ...made } = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, key === "enum" || key === "default" ? value : modern(value)]));
  if (typeof made.id === "string") [made.$id, made.id] = [made.id, undefined];
  for (const [limit, without] of [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]]) {
    if (typeof made[without] !== "boolean") continue;
    made[without] = made[without] ? made[limit] : undefined;
    if (made[without] !== undefined) delete made[limit];
  }
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
}

let browser;
before(async () => (browser = await launch({ pages: { "/filled": PAGE, "/filler.js": FILLER } })));
after(() => browser.close());

const all = (await schemas()).filter(({ name }) => !process.env.ONLY || name.includes(process.env.ONLY));
test(`${all.length} schemas that others wrote are filled in through the fields alone`, { timeout: 600_000 }, async () => {
  const page = await browser.page("/filled");
  const person = new Person(page);
  const faults = [];
  const asJson = [];
  for (const { name, schema } of all) {
    const [verdict, detail] = await person.ask({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema }] });
    if (verdict === "rejected") {
      faults.push(`${name}: ${detail.problems[0].message}`);
      continue;
    }
    await person.find(".properties").waitFor({ timeout: 10_000 }).catch(() => {});
    const filled = await page.evaluate(() => window.fill());
    if (filled.stuck !== undefined) faults.push(`${name}: ${filled.stuck.slice(0, 500)}`);
    else {
      const said = checked(schema, JSON.parse(filled.text).q);
      if (said) faults.push(`${name}: Ajv: ${said.join("; ")} in ${filled.text.slice(0, 500)}`);
      asJson.push(...filled.asJson.map((place) => `${name} ${place}`));
    }
  }
  assert.deepEqual(faults, []);
  console.log(`· ${asJson.length} places were filled in as JSON: ${asJson.join(", ")}`);
});
