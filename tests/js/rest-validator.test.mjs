// The validator's module comes in two parts: the first checks by usual schemas alone, and the same is said of every schema as by the whole module.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { compileSchema, initSync } from "../../pkg/build/published/validator/ask_user_validator.js";
import { begin, isUsual } from "../../pkg/src/rest.validator.js";
import { launch } from "./browser.mjs";
import { held, waits } from "./rest.mjs";
import { schemas } from "./schemas.mjs";
import { file } from "./package-files.mjs";
import { allDone, pause, until } from "./wait.mjs";

const part = (name) => file(`validator${name}.wasm`);
const REST = "validator.rest.wasm";
const schema = (properties) => ({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema: { type: "object", properties } }] });
const USUAL = schema({ name: { type: "string", minLength: 2, pattern: "^[a-z]+$", title: "Name" } });
const UNUSUAL = schema({ name: { type: "string", pattern: "^(?!root$)[a-z]+$", title: "Name" } });
/** It needs the rest for its format, and is written so that it looks usual. */
const SEEMING = schema({ name: { type: "string", minLength: 1, title: "Name", format: "ipv4" } });

// What follows is in Node: the first part, and a page that waits for the rest whenever it is needed.
let waited = 0;
/** @type {any} */ (globalThis).XMLHttpRequest = class {
  status = 200;
  response = part(".rest").toString("latin1");
  open() {}
  overrideMimeType() {}
  send() {
    waited += 1;
  }
};
const fetched = globalThis.fetch;
globalThis.fetch = () => new Promise(() => {});
const first = initSync({ module: part(".first") });
begin(first);
globalThis.fetch = fetched;
const whole = await import(/** @type {string} */ ("../../pkg/build/published/validator/ask_user_validator.js?whole"));
whole.initSync({ module: part("") });

const of = (module, schema, documents) => {
  try {
    return module.compileSchema(schema, documents);
  } catch (fault) {
    return fault;
  }
};

/** The rest is linked anew for one in this many schemas. */
const EACH = 40;

/** What a module says of values by a schema: of the schema, of each value, and of its fields. */
function said(module, schema, documents, values) {
  const compiled = of(module, schema, documents);
  if (typeof compiled === "string") return compiled;
  const found = [compiled.left, compiled.template()];
  const fields = compiled.fields();
  for (const value of values) {
    found.push(compiled.check(value), compiled.left);
    found.push(fields.setText(value), fields.open(""), fields.violations(), fields.left);
  }
  fields.free();
  compiled.free();
  return found;
}

test("usual schemas that others wrote, and values by them, seldom need the rest", async () => {
  const needed = [];
  const values = ["", "{}", '{"name":"x","version":1}', "[1]", "{", '"text"', "null"];
  const all = (await schemas()).filter(({ schema }) => isUsual(JSON.stringify(schema)));
  for (const { name, schema } of all) {
    const before = waited;
    said({ compileSchema }, JSON.stringify(schema), undefined, values);
    if (waited > before) needed.push(name);
    /** @type {any} */ (first.there).value = 0;
  }
  console.log(`· ${needed.length} of ${all.length} schemas need the rest: ${needed.join(", ")}`);
  assert.ok(needed.length <= all.length / 20, needed.join());
  assert.ok(all.length > 50, `${all.length} schemas`);
});

test("of every schema of the JSON Schema test suite, both parts say what the whole says, whenever the rest comes", async () => {
  const { groups } = await import("./suite.mjs");
  const others = [];
  let count = 0;
  let place = 0;
  for (const { draft, file, group, schema, documents, tests } of await groups()) {
    const text = JSON.stringify(schema);
    const values = tests.map(({ data }) => JSON.stringify(data));
    // As where it is not there yet. Linking takes long, beside checking.
    place += 1;
    if (place % EACH === 0) /** @type {any} */ (first.there).value = 0;
    const [ours, theirs] = [{ compileSchema }, whole].map((module) => said(module, text, documents, values));
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) others.push(`${draft} ${file}: ${group}`);
    count += values.length;
  }
  assert.deepEqual(others, []);
  assert.ok(count > 5_000, `${count} values`);
  assert.ok(waited > 0);
});

// And in a page.
let browser;
before(async () => (browser = await launch()));
afterEach(() => {
  browser.cut = browser.meddle = undefined;
});
after(() => browser.close());

async function put(page, request) {
  await page.evaluate((request) => {
    const element = document.createElement("ask-user");
    window.told = [];
    for (const name of ["ready", "rejected", "result"]) element.addEventListener(`ask-user-${name}`, (event) => (event.preventDefault(), window.told.push(name)));
    element.request = request;
    document.querySelector("main").replaceChildren(element);
  }, request);
  return page.locator("ask-user");
}

/** Types a name that does not fit, and gives what is said; then one that fits, and sends it. */
async function answer(page, form, [bad, good]) {
  const field = form.locator("[data-field] input, input[data-field], textarea[data-field]").first();
  await field.fill(bad);
  await form.locator("[type=submit]").click();
  await form.getByText("Fix these first:").waitFor();
  const said = (await form.locator(".error").allTextContents()).join("\n");
  await field.fill(good);
  await form.locator("[type=submit]").click();
  await page.waitForFunction(() => window.told.includes("result"));
  return said;
}

test("a usual schema is shown and checked before the rest is there", async () => {
  const page = await browser.page();
  const release = held(browser, REST);
  const form = await put(page, USUAL);
  await form.locator(".properties").waitFor();
  assert.match(await answer(page, form, ["A", "abc"]), /name must (have at least 2 characters|match the pattern)/i);
  assert.equal(await waits(page), 0);
  release();
});

test("an unusual schema waits for the rest, and the page does not", async () => {
  const page = await browser.page();
  const release = held(browser, REST);
  const form = await put(page, UNUSUAL);
  await page.waitForFunction((rest) => performance.getEntriesByType("resource").length && document.querySelector("ask-user").shadowRoot.textContent.includes("Which?"), REST);
  await until(() => page.fetched, "a request for the rest", (paths) => paths.some((path) => path.endsWith(REST)));
  await allDone(page);
  assert.equal(await form.locator(".properties").count(), 0);
  release();
  await form.locator(".properties").waitFor();
  assert.match(await answer(page, form, ["root", "abc"]), /match the pattern/i);
  assert.equal(await waits(page), 0);
});

test("a rest that cannot be fetched is said for an unusual schema, and fetched again", async () => {
  const page = await browser.page();
  browser.cut = /validator\.rest\.wasm/;
  const form = await put(page, UNUSUAL);
  await form.getByText("Couldn't load").waitFor();
  browser.cut = undefined;
  await form.locator("[data-again]").click();
  await form.locator(".properties").waitFor();
  assert.match(await answer(page, form, ["root", "abc"]), /match the pattern/i);
  assert.equal(page.faults.splice(0).filter((fault) => !/Failed to fetch|ERR_|validator\.rest/.test(fault)).length, 0);
});

test("a schema that was taken for a usual one has the page wait", async () => {
  const page = await browser.page();
  browser.meddle = (request, response, forward) => (request.url.endsWith(REST) ? pause(200).then(forward) : forward());
  // The name of the keyword is written in another way.
  const form = await put(page, JSON.stringify(SEEMING).replace('"format"', '"form\\u0061t"').replace('"ipv4"', '"\\u0069pv4"'));
  await form.locator(".properties").waitFor();
  assert.match(await answer(page, form, ["300.0.0.1", "127.0.0.1"]), /IPv4/i);
});
