// Whatever a person does in the fields, what is sent can be seen there: random actions on schemas of all kinds, then every value is looked for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { BLANK, launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { schemas } from "./schemas.mjs";

const PAGE = BLANK.replace("<main>", '<script type="module" src="/monkey.js"></script><main>');
const OWN = {
  name: "all kinds",
  schema: {
    type: "object",
    properties: {
      name: { type: "string" },
      kind: { const: "fixed" },
      shape: { oneOf: [{ properties: { type: { const: "circle" }, radius: { type: "number", default: 2 } }, required: ["type", "radius"] }, { properties: { type: { const: "square" }, size: { type: "number" } }, required: ["type"] }] },
      users: { type: "array", items: { type: "object", properties: { name: { type: "string" }, role: { enum: ["admin", "user"], default: "user" } }, required: ["name", "role"] } },
      env: { type: "object", additionalProperties: { type: "string" } },
      force: { type: "boolean", default: true },
      any: {},
      tree: { $ref: "#/$defs/tree" },
      pair: { prefixItems: [{ type: "integer" }, { type: "string" }] },
    },
    required: ["kind", "tree"],
    $defs: { tree: { type: "object", properties: { value: { type: "string", default: "leaf" }, next: { $ref: "#/$defs/tree" } }, required: ["value"] } },
  },
  value: { name: "a", kind: "fixed", unknown: { x: [1, 2] }, users: [{ name: "b", role: "admin", more: 1 }], tree: { value: "v", next: { value: "w", next: { value: "x", next: { value: "y", next: { value: "z" } } } } } },
};
const NAMES = ["github-workflow", "dependabot-2.0", "netlify", "taskfile", "jsonforms-arrayWithDefaults", "jsonforms-anyOf", "jsonforms-oneOfRecursive", "jsonforms-conditionalSchemaComposition"];

let browser;
before(async () => (browser = await launch({ pages: { "/monkey": PAGE, "/monkey.js": readFileSync(new URL("monkey.js", import.meta.url), "utf8") } })));
after(() => browser.close());

test("no action in the fields sends a value that is not shown", { timeout: 300_000 }, async () => {
  const page = await browser.page("/monkey");
  const person = new Person(page);
  const all = [OWN, OWN, OWN, OWN, ...(await schemas()).filter(({ name }) => NAMES.includes(name))];
  const faults = [];
  let values = 0;
  for (const [place, { name, schema, value }] of all.entries()) {
    const [verdict, detail] = await person.ask({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema, ...(value && { default: value }) }] });
    assert.equal(verdict, "ready", JSON.stringify(detail));
    await page.waitForFunction(() => [...window.form().shadowRoot.querySelectorAll(".properties :is(.property, .fold, .add)")].some((part) => part.checkVisibility()));
    const { done, text, hidden } = await page.evaluate((seed) => window.monkey(seed, 40), place + 1);
    values += JSON.stringify(text).length;
    if (hidden.length) faults.push({ name, seed: place + 1, hidden: hidden.slice(0, 5), text: text.slice(0, 600), done });
  }
  assert.deepEqual(faults, []);
  // The search finds what is not shown.
  assert.deepEqual(await page.evaluate(() => window.hiddenOfNothing({ a: { b: ["x", 1] } })), ["/a/b/0: x", "/a/b/1: 1"]);
  assert.ok(values > 1_000, "something was filled in");
  assert.deepEqual(page.faults, []);
});
