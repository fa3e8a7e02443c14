// The form view of a flat schema: fields in step with the text, what they say, and when there are none.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ELSEWHERE, ENGINE } from "./browser.mjs";
import { arrived, Person } from "./person.mjs";

const SCHEMA = {
  type: "object",
  properties: {
    host: { type: "string", minLength: 1, title: "Host", description: "Where the cache listens." },
    port: { $ref: "#/$defs/port" },
    mode: { enum: ["fast", "safe", 3] },
    tls: { type: "boolean" },
    contact: { type: "string", format: "email" },
    tags: { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, minItems: 1 },
  },
  required: ["host", "port", "mode"],
  additionalProperties: false,
  $defs: { port: { type: "integer", minimum: 1, maximum: 65535, default: 6379 } },
};

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const ask = (schema = SCHEMA) => person.askJson(schema);
const text = () => person.find("textarea.json").inputValue();
const field = (role, name) => page.getByRole(role, { name, exact: true });
/** What is said at the fields, once what was typed has been looked at. */
const errors = async (count) => {
  await page.waitForFunction((count) => [...window.form().shadowRoot.querySelectorAll(".property .error")].filter(({ textContent }) => textContent).length === count, count);
  return (await person.find(".property .error").allTextContents()).filter(Boolean);
};

test("each property has a field of its kind, by role and name, and what the schema says of it", async () => {
  await ask();
  assert.equal(await field("textbox", "Host").count(), 1);
  assert.equal(await field("textbox", "port").inputValue(), "6379");
  assert.deepEqual(await field("group", "mode").getByRole("radio").evaluateAll((radios) => radios.map(({ labels }) => labels[0].innerText.trim())), ["fast", "safe", "3"]);
  assert.deepEqual(await field("group", "tls (optional)").getByRole("radio").evaluateAll((radios) => radios.map(({ labels }) => labels[0].innerText.trim())), ["Yes", "No", "No answer"]);
  assert.equal(await field("group", "tags (optional)").getByRole("checkbox").count(), 3);
  assert.equal(await field("textbox", "contact (optional)").getAttribute("inputmode"), "email");
  assert.equal(await person.find("#property-0-about").innerText(), "Where the cache listens. · characters: at least 1");
  assert.deepEqual(await person.barriers(), []);
});

test("what is filled in stands in the text, and is sent", async () => {
  await ask();
  await field("textbox", "Host").fill('a "b"\nc');
  await field("textbox", "port").fill("1");
  await field("radio", "3").check();
  await field("radio", "Yes").check();
  await field("checkbox", "c").check();
  await field("checkbox", "a").check();
  assert.deepEqual(JSON.parse(await text()), { host: 'a "b"\nc', port: 1, mode: 3, tls: true, tags: ["a", "c"] });
  await field("radio", "No answer").check();
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await person.result(), { q: { host: 'a "b"\nc', port: 1, mode: 3, tags: ["a", "c"] } });
});

test("what is wrong is said at its field, once the person has been there; a refusal leads to the first", async () => {
  await ask();
  assert.deepEqual(await errors(0), []);
  await field("textbox", "port").fill("70000");
  assert.deepEqual(await errors(1), ["port must be at most 65535."]);
  await field("textbox", "port").fill("many");
  await page.waitForTimeout(400);
  assert.deepEqual(await errors(1), ["port must be a whole number, not text."]);
  assert.equal(await field("textbox", "port").inputValue(), "many");
  assert.equal(JSON.parse(await text()).port, "many");
  await field("textbox", "contact (optional)").fill("nobody");
  await person.click("[type=submit]");
  const lacks = (name) => `The value lacks the property "${name}".`;
  assert.deepEqual(await errors(4), [lacks("host"), "port must be a whole number, not text.", lacks("mode"), "contact must be an email address."]);
  assert.equal(await person.focused(), "property-0:textarea");
  assert.equal(await field("textbox", "Host").getAttribute("aria-invalid"), "true");
  assert.equal(await field("textbox", "Host").getAttribute("aria-describedby"), "property-0-about property-0-error");
  assert.equal(await person.find("#error ul").isVisible(), false);
  assert.deepEqual(await person.barriers(), []);
  await field("textbox", "Host").fill("db");
  await field("radio", "fast").check();
  await field("textbox", "port").fill("");
  await field("textbox", "contact (optional)").fill("");
  assert.deepEqual(await errors(1), ['The value lacks the property "port".']);
  await field("textbox", "port").fill("8080");
  await page.keyboard.press("Enter");
  assert.deepEqual(await person.result(), { q: { host: "db", port: 8080, mode: "fast" } });
});

test("the text is one click away and stays the truth: what no field says is kept, every digit too", { skip: ENGINE === "webkit" && "its driver cannot paste: a text of several lines gets one more" }, async () => {
  const open = { ...SCHEMA, additionalProperties: true };
  await ask(open);
  await person.find(".views button").click();
  await person.find(".cm-content").fill('{ "host": "a",\n  "extra": [1.10, {"host": 2}], "port": 123456789012345678901234567890, "mode": "safe" }');
  await person.find(".views button").click();
  assert.equal(await field("textbox", "Host").inputValue(), "a");
  assert.equal(await field("textbox", "port").inputValue(), "123456789012345678901234567890");
  await field("textbox", "Host").fill("b");
  await field("radio", "No", { exact: true }).check();
  const kept = '{ "host": "b",\n  "extra": [1.10, {"host": 2}], "port": 123456789012345678901234567890, "mode": "safe", "tls": false }';
  assert.equal(await text(), kept);
  await person.find(".views button").click();
  assert.equal(await person.find(".cm-content").innerText(), kept);
  await person.find(".cm-content").focus();
  await page.keyboard.press("Control+Z");
  await page.waitForTimeout(150);
  assert.match(await text(), /"host": "a"/);

  await person.find(".cm-content").fill("{ not json");
  await person.find(".views button").click();
  assert.equal(await person.find(".views [role=status]").innerText(), "The text is no JSON object: mend it first.");
  assert.equal(await text(), "{ not json");
  assert.equal(await person.find(".cm-content").isVisible(), true);
  // Whoever wanted the text begins with it.
  await ask();
  assert.equal(await person.find(".cm-content").isVisible(), true);
  await person.find(".views button").click();
  assert.equal(await field("textbox", "Host").isVisible(), true);
});

test("what is more than flat is text alone", async () => {
  for (const schema of [
    true,
    { type: "object" },
    { type: "object", properties: { a: { type: "object" } } },
    { type: "object", properties: { a: { type: ["string", "null"] } } },
    { type: "object", properties: { a: { anyOf: [{ type: "string" }] } } },
    { type: "object", properties: { a: { type: "array", items: { type: "string" } } } },
    { type: "object", properties: { a: { type: "string" } }, patternProperties: { b: {} } },
    { type: "object", properties: { a: { type: "string" } }, if: {}, then: {} },
    { type: "object", properties: { a: { $ref: "#/$defs/none" } }, $defs: { none: {} } },
    { type: "array", items: { enum: ["a"] } },
    { properties: Object.fromEntries(Array.from({ length: 61 }, (_, place) => [`p${place}`, { type: "string" }])) },
  ]) {
    await ask(schema);
    assert.equal(await person.find(".properties").count(), 0, JSON.stringify(schema));
  }
});

test("text and script in a schema are text", async () => {
  const evil = '<img src=x onerror="document.title = 1">';
  await ask({ properties: { [evil]: { title: evil, description: evil, enum: [evil, "a\0\x1bb"] } }, required: [evil] });
  // Nothing is selected for the person.
  assert.equal(await person.find("input:checked").count(), 0);
  await person.find("#property-0-0").check();
  assert.equal(await person.find("img").count(), 0);
  assert.equal((await person.find("label[for=property-0-1]").innerText()).trim(), "a\u2400\u241bb");
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: { [evil]: evil } });
});

test("a finger fills in the fields, the plain text area one tap away", { skip: ELSEWHERE }, async () => {
  const touch = await browser.page("/blank", { hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });
  const finger = new Person(touch);
  await finger.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA });
  await finger.find("#property-0").fill("db");
  await finger.find("label[for=property-2-1]").tap();
  await finger.find(".views button").tap();
  assert.match(await finger.find("textarea.json").inputValue(), /"mode": "safe"/);
  assert.equal(await finger.find(".cm-content").count(), 0);
  await finger.find("[type=submit]").tap();
  assert.deepEqual((await finger.result()).answer, { host: "db", port: 6379, mode: "safe" });
  assert.deepEqual(touch.faults, []);
});

test("it is accessible in light and dark, and no wider than a page of 320 pixels", async () => {
  for (const scheme of ["light", "dark"]) {
    const narrow = await browser.page("/blank", { viewport: { width: 320, height: 640 } });
    const there = new Person(narrow);
    await narrow.evaluate((scheme) => void (document.documentElement.style.colorScheme = scheme), scheme);
    await there.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA });
    await there.find("#property-1").fill("0");
    await there.find("[type=submit]").click();
    await narrow.waitForTimeout(400);
    assert.deepEqual(await there.barriers(), [], scheme);
    assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    if (process.env.SCREENSHOTS) await narrow.screenshot({ path: `${process.env.SCREENSHOTS}/fields-${scheme}.png`, fullPage: true });
    assert.deepEqual(narrow.faults, []);
  }
});

test("nothing that was done breaks the content security policy", () => {
  assert.deepEqual(page.faults, []);
});

test("the rows of a choice stand apart from its name", async () => {
  await ask();
  const gaps = await page.evaluate(() =>
    [...window.form().shadowRoot.querySelectorAll("fieldset.property")].map((body) => {
      const [name, rows] = ["legend", ".options"].map((selector) => body.querySelector(selector).getBoundingClientRect());
      return rows.top - name.bottom;
    }),
  );
  assert.ok(gaps.length > 1);
  for (const gap of gaps) assert.ok(gap >= 4, `${gap}`);
});
