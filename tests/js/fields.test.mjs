// The form view of a question for JSON, as a person uses it: by labels, by what is said, by the keyboard. What is filled in stands in the text, and nothing else does.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { ELSEWHERE, ENGINE } from "./browser.mjs";
import { arrived, Person } from "./person.mjs";
import { becomes, keepsStill, passed as passedOn, stands, until } from "./wait.mjs";

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
const PEOPLE = { type: "array", items: { type: "object", properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } }, required: ["name"] } };

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());
beforeEach(() => page.setViewportSize?.({ width: 1000, height: 800 }));

const ask = async (/** @type {any} */ schema = SCHEMA, /** @type {any} */ value = undefined) => {
  await person.askJson(schema, value === undefined ? {} : { default: value });
  if (await person.find(".tab").count()) await person.find(".tab").first().click();
};
/** So many milliseconds on the page's own clock: whatever the page had put off for less has been done, however busy the machine is. */
const passed = (milliseconds) => passedOn(page, milliseconds);
/** What the form has heard of the text; it may be a moment behind. */
const text = async () => {
  await passed(150);
  return person.find("textarea.json").inputValue();
};
const value = async () => JSON.parse(await text());
const field = (role, name) => page.getByRole(role, { name, exact: true });
const button = (name) => field("button", name);
/** What is said at the fields, once what was typed has been looked at. */
const errors = async (count) => {
  const said = (count) => {
    const shown = [...window.form().shadowRoot.querySelectorAll(".properties .error")].filter((error) => error.checkVisibility() && !error.closest(".wrong-list"));
    const texts = shown.map(({ textContent }) => textContent).filter(Boolean);
    return count === undefined ? texts : texts.length === count;
  };
  await page.waitForFunction(said, count).catch(() => {});
  const texts = await page.evaluate(said);
  assert.equal(texts.length, count, texts.join("\n"));
  return texts;
};
const listed = () => person.find(".wrong-list li").allTextContents();
const spoken = () => person.find(".views .spoken").textContent();
/** The name of what has the focus, as a screen reader would say it. */
const focused = () =>
  page.evaluate(() => {
    const active = window.form().shadowRoot.activeElement;
    return active?.ariaLabel ?? active?.labels?.[0]?.innerText.trim() ?? active?.textContent;
  });

test("each property has a field of its kind, by role and name, and what the schema says of it", async () => {
  await ask();
  assert.equal(await field("textbox", "Host").count(), 1);
  assert.equal(await field("textbox", "port").inputValue(), "6379");
  assert.deepEqual(await field("group", "mode").getByRole("radio").evaluateAll((radios) => radios.map(({ labels, checked }) => labels[0].innerText.trim() + checked)), ["fastfalse", "safefalse", "3false"]);
  assert.deepEqual(await field("group", "tls (optional)").getByRole("radio").evaluateAll((radios) => radios.map(({ labels }) => labels[0].innerText.trim())), ["Yes", "No", "No answer"]);
  assert.equal(await field("group", "tags (optional)").getByRole("checkbox").count(), 3);
  assert.equal(await field("textbox", "contact (optional)").getAttribute("inputmode"), "email");
  const about = await field("textbox", "Host").evaluate((control) => control.getAttribute("aria-describedby").split(" ").map((id) => control.getRootNode().getElementById(id).textContent));
  assert.deepEqual(about, ["Where the cache listens.", "minimum length 1", ""]);
  assert.match(await person.find(".property").nth(1).innerText(), /a whole number, at least 1, at most 65535, default 6379/);
  // A stated default is there; nothing else is.
  assert.deepEqual(await value(), { port: 6379 });
  assert.deepEqual(await person.barriers(), []);
});

test("a field says whether it is required, and what the browser may know of the person", async () => {
  const text = { type: "string" };
  await person.askJson({ type: "object", properties: { email: { type: "string", format: "email" }, contact: { type: "string", format: "email" }, first_name: text, dateOfBirth: { type: "string", format: "date" }, name: text, constructor: text }, required: ["email", "name"] });
  const said = await page.evaluate(() => [...window.form().shadowRoot.querySelectorAll(".property [part=input]")].map((one) => [one.getAttribute("aria-required"), one.getAttribute("autocomplete")]));
  assert.deepEqual(said, [["true", "email"], [null, "email"], [null, "given-name"], [null, "bday"], ["true", null], [null, null]]);
});

test("what is filled in stands in the text, and is sent", async () => {
  await ask();
  await field("textbox", "Host").fill('a "b"\nc');
  await field("textbox", "port").fill("1");
  await field("radio", "3").check();
  await field("radio", "Yes").check();
  await field("checkbox", "c").check();
  await field("checkbox", "a").check();
  assert.deepEqual(await value(), { host: 'a "b"\nc', port: 1, mode: 3, tls: true, tags: ["a", "c"] });
  assert.deepEqual(Object.keys(await value()), ["host", "port", "mode", "tls", "tags"]);
  await field("radio", "No answer").check();
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await person.result(), { q: { host: 'a "b"\nc', port: 1, mode: 3, tags: ["a", "c"] } });
});

test("required fields start empty, and say so once they are sent, at the field and in a list that leads there", async () => {
  await ask();
  assert.deepEqual(await errors(0), []);
  await person.click("[type=submit]");
  assert.equal(await person.result(), undefined);
  assert.deepEqual(await errors(2), ["This is required.", "This is required."]);
  assert.deepEqual(await listed(), ["Host This is required.", "mode This is required."]);
  assert.equal(await focused(), "Host");
  await button("mode This is required.").click();
  assert.equal(await focused(), "fast");
  assert.equal(await field("textbox", "Host").getAttribute("aria-invalid"), "true");
  assert.deepEqual(await person.barriers(), []);
  await field("radio", "fast").check();
  await field("textbox", "Host").fill("db");
  await errors(0);
  assert.equal(await person.find(".wrong-list").isVisible(), false);
});

test("what is wrong is said at its field, once the person has been there; a refusal leads to the first", async () => {
  await ask();
  await field("textbox", "port").fill("70000");
  assert.deepEqual(await errors(1), ["port must be at most 65535."]);
  await field("textbox", "port").fill("many");
  await passed(500);
  assert.deepEqual(await errors(1), ["port must be a whole number, not text."]);
  assert.equal(await field("textbox", "port").inputValue(), "many");
  assert.equal((await value()).port, "many");
  await field("radio", "fast").check();
  await field("textbox", "contact (optional)").fill("nobody");
  await person.click("[type=submit]");
  assert.deepEqual(await errors(3), ["This is required.", "port must be a whole number, not text.", "contact must be an email address."]);
  assert.equal(await person.find("#error ul").isVisible(), false);
  await field("textbox", "Host").fill("db");
  await field("radio", "fast").check();
  await field("textbox", "port").fill("");
  await field("textbox", "contact (optional)").fill("");
  assert.deepEqual(await errors(1), ["This is required."]);
  await field("textbox", "port").fill("8080");
  await page.keyboard.press("Enter");
  assert.deepEqual(await person.result(), { q: { host: "db", port: 8080, mode: "fast" } });
});

test("the JSON is one click away and stays the truth: what no field says is kept, every digit too", { skip: ENGINE === "webkit" && "its driver cannot paste: a text of several lines gets one more" }, async () => {
  const open = { ...SCHEMA, additionalProperties: true };
  await ask(open);
  await button("JSON").click();
  await person.find(".cm-content").fill('{ "host": "a",\n  "extra": [1.10, {"host": 2}], "port": 123456789012345678901234567890, "mode": "safe" }');
  await button("Form").click();
  assert.equal(await field("textbox", "Host").inputValue(), "a");
  assert.equal(await field("textbox", "port").inputValue(), "123456789012345678901234567890");
  await field("textbox", "Host").fill("b");
  await field("radio", "No").check();
  const kept = '{ "host": "b",\n  "extra": [1.10, {"host": 2}], "port": 123456789012345678901234567890, "mode": "safe", "tls": false }';
  assert.equal(await text(), kept);
  await button("JSON").click();
  assert.equal(await person.find(".cm-content").innerText(), kept);
  // One history: each change of the fields is taken back in the editor, and the rest in the fields.
  await page.keyboard.press("Control+Z");
  await page.keyboard.press("Control+Z");
  await passed(150);
  assert.match(await text(), /"host": "a"/);
  await button("Form").click();
  assert.equal(await field("textbox", "Host").inputValue(), "a");
  await button("Redo").click();
  assert.equal(await field("textbox", "Host").inputValue(), "b");
  await button("Redo").click();
  assert.equal(await text(), kept);
  for (let left = 0; left < 3; left += 1) await button("Undo").click();
  assert.equal(await field("textbox", "port").inputValue(), "6379");
  assert.deepEqual(await value(), { port: 6379 });

  await button("JSON").click();
  await person.find(".cm-content").fill("{ not json");
  await button("Form").click();
  assert.equal(await person.find(".views .error").innerText(), "This isn't JSON yet. Fix it first.");
  assert.equal(await text(), "{ not json");
  assert.equal(await person.find(".cm-content").isVisible(), true);
  // Whoever wanted the text begins with it.
  await person.askJson(open);
  assert.equal(await person.find(".cm-content").isVisible(), true);
  await button("Form").click();
  assert.equal(await field("textbox", "Host").isVisible(), true);
});

test("what is chosen or typed again is written as it stood there", async () => {
  await ask({ type: "object", properties: { size: { enum: [0, { w: 1, h: 2 }, "x"] }, more: { enum: ["a", "b", "c", "d", "e", "f", "g", 1] }, bag: { allOf: Array.from({ length: 201 }, () => ({ type: "object" })) } }, required: ["size", "more", "bag"] });
  const texts = ['{\n  "size": {"w": 1.0,  "h":2},\n  "more": 1.00,\n  "bag": {"z": [1,  2]}\n}', '{\n\t"size": 0.0, "more":1e0, "bag": { }\n}'];
  for (const written of texts) {
    await page.evaluate((text) => {
      const area = window.form().shadowRoot.querySelector("textarea.json");
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }, written);
    await passed(500);
    const before = await page.getByRole("radio").evaluateAll((radios) => radios.findIndex(({ checked }) => checked));
    await field("radio", "x").check();
    await field("combobox", "more").selectOption("b");
    const bag = await field("textbox", "bag").inputValue();
    await field("textbox", "bag").fill('{"other": true}');
    assert.deepEqual(await value(), { size: "x", more: "b", bag: { other: true } });
    await passed(500);
    await page.getByRole("radio").nth(before).check();
    await field("combobox", "more").selectOption({ label: "1" });
    await field("textbox", "bag").fill(bag);
    assert.equal(await text(), written);
  }
});

test("the fields are painted before the editor is made", async () => {
  const fresh = await browser.page();
  await new Person(fresh).ask({ question: "Which?", answer_type: "boolean" });
  const seen = await fresh.evaluate(async (schema) => {
    const { preload } = await import("/pkg/dist/ask-user.js");
    await preload();
    const form = document.createElement("ask-user");
    form.request = { question: "Which?", answer_type: "schema", schema };
    document.querySelector("main").replaceChildren(form);
    const there = (selector) => form.shadowRoot?.querySelector(selector)?.isConnected === true;
    const frames = [];
    while (!there(".cm-content")) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      frames.push([there(".property"), there(".cm-content")]);
    }
    return frames.find(([fields]) => fields);
  }, SCHEMA);
  assert.deepEqual(seen, [true, false]);
  assert.deepEqual(fresh.faults, []);
  await fresh.context?.().close();
});

test("where there is nothing to fill in, there is the JSON alone", async () => {
  for (const schema of [false, { enum: Array.from({ length: 60_000 }, (_, place) => `a value with a long name ${place}`) }]) {
    await person.ask({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema }] });
    if (await person.find("textarea.json").count()) {
      await person.find(".cm-content").waitFor();
      assert.equal(await person.find(".properties").count(), 0);
    }
  }
});

test("items are added, duplicated, moved and removed by buttons with names; the focus follows, and it is said", async () => {
  await ask({ type: "object", properties: { people: { ...PEOPLE, title: "People" } }, required: ["people"] });
  await button("Add an item").click();
  assert.equal(await focused(), "name");
  assert.equal(await spoken(), "Item 1 added.");
  await page.keyboard.type("Ada");
  await field("group", "People").getByRole("button", { name: "Add an item" }).last().click();
  await page.keyboard.type("Bob");
  await passed(500);
  assert.deepEqual(await value(), { people: [{ name: "Ada" }, { name: "Bob" }] });
  await button("Move item 2 up: Bob").click();
  assert.deepEqual(await value(), { people: [{ name: "Bob" }, { name: "Ada" }] });
  assert.equal(await spoken(), "Moved: Item 1: Bob.");
  // At the top it cannot be moved up again: the focus is on what moves it down.
  assert.equal(await focused(), "Move item 1 down: Bob");
  await button("Duplicate item 1: Bob").click();
  assert.equal(await spoken(), "Item 1: Bob duplicated.");
  assert.deepEqual(await value(), { people: [{ name: "Bob" }, { name: "Bob" }, { name: "Ada" }] });
  await button("Remove item 1: Bob").click();
  assert.equal(await spoken(), "Item 1: Bob removed.");
  await button("Remove item 1: Bob").click();
  await button("Remove item 1: Ada").click();
  assert.equal(await focused(), "Add an item");
  assert.deepEqual(await value(), { people: [] });
  assert.deepEqual(await person.barriers(), []);
  await button("Undo").click();
  assert.deepEqual(await value(), { people: [{ name: "Ada" }] });
});

test("an item that was added and not filled in is not sent", async () => {
  await ask({ type: "object", properties: { tags: { type: "array", items: { type: "string" } } }, required: ["tags"] });
  await button("Add an item").click();
  await person.click("[type=submit]");
  assert.equal(await person.result(), undefined);
  assert.deepEqual(await errors(1), ["Enter a value, or remove this."]);
  await page.keyboard.type("x");
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: { tags: ["x"] } });
});

test("a list of flat objects is a table where there is room, and folded items where there is not", { skip: ELSEWHERE }, async () => {
  const users = { type: "array", items: { type: "object", properties: { name: { type: "string" }, role: { enum: ["admin", "user"] } }, required: ["name"] } };
  await ask({ type: "object", properties: { users } }, { users: [{ name: "Ada", role: "admin" }, { name: "Bob" }] });
  assert.deepEqual(await page.getByRole("columnheader").allTextContents(), ["name", "role"]);
  await page.getByRole("row").nth(2).getByRole("combobox").selectOption("user");
  assert.deepEqual(await value(), { users: [{ name: "Ada", role: "admin" }, { name: "Bob", role: "user" }] });
  assert.equal(await field("textbox", "name Item 2: Bob").inputValue(), "Bob");
  assert.deepEqual(await person.barriers(), []);
  await page.setViewportSize({ width: 320, height: 700 });
  await person.find(".table").waitFor({ state: "detached" });
  assert.equal(await person.find(".brief").nth(1).innerText(), "Ada · admin");
  await button("Item 1").click();
  await page.getByRole("textbox", { name: "name" }).fill("Eve");
  assert.equal((await value()).users[0].name, "Eve");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("deep places open in place of what is shown, with the way back above", async () => {
  let schema = /** @type {any} */ ({ type: "object", properties: { leaf: { type: "string" } } });
  for (const name of ["e", "d", "c", "b", "a"]) schema = { type: "object", required: [name], properties: { [name]: schema } };
  await ask(schema);
  assert.equal(await field("textbox", "leaf (optional)").count(), 0);
  await button("Open c").click();
  assert.equal(await focused(), "c");
  // What makes the fields anew leaves the focus where it is.
  await page.evaluate(() => (window.form().lang = "de"));
  await field("navigation", "Pfad").waitFor();
  assert.equal(await focused(), "c");
  await page.evaluate(() => (window.form().lang = "en"));
  await field("navigation", "Path").waitFor();
  assert.equal(await focused(), "c");
  await field("textbox", "leaf (optional)").fill("x");
  assert.deepEqual(await value(), { a: { b: { c: { d: { e: { leaf: "x" } } } } } });
  assert.deepEqual(await person.barriers(), []);
  await keepsStill(page);
  await field("navigation", "Path").getByRole("button", { name: "All" }).click();
  assert.equal(await field("textbox", "leaf (optional)").count(), 0);
  assert.equal(await focused(), "Open c");
});

test("rows of key and value take any key once; a key that is there already is refused, and nothing is lost", async () => {
  await ask({ type: "object", properties: { env: { type: "object", additionalProperties: { type: "string" } } }, required: ["env"] }, { env: { A: "1", B: "2" } });
  const keys = page.getByRole("textbox", { name: "Name", exact: true });
  await keys.nth(1).fill("A");
  await keys.nth(1).press("Enter");
  assert.deepEqual(await errors(1), ["A is already there."]);
  assert.deepEqual(await value(), { env: { A: "1", B: "2" } });
  await person.click("[type=submit]");
  assert.equal(await person.result(), undefined);
  assert.equal(await keys.nth(1).inputValue(), "A");
  await keys.nth(1).fill("C");
  await keys.nth(1).press("Enter");
  assert.deepEqual(await errors(0), []);
  assert.equal(JSON.stringify(await value()), '{"env":{"A":"1","C":"2"}}');
  await button("Add an entry").click();
  await page.keyboard.type("C");
  await page.keyboard.press("Enter");
  assert.deepEqual(await errors(1), ["C is already there."]);
  await page.keyboard.type("D");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "Value");
  await page.keyboard.type("4");
  assert.equal(JSON.stringify(await value()), '{"env":{"A":"1","C":"2","CD":"4"}}');
  await button("Remove C").click();
  assert.equal(JSON.stringify(await value()), '{"env":{"A":"1","CD":"4"}}');
  assert.deepEqual(await person.barriers(), []);
});

test("another option keeps what fits, and what did not fit comes back with the option it was typed in", async () => {
  const pay = {
    title: "Payment",
    oneOf: [
      { title: "Card", type: "object", properties: { kind: { const: "card" }, note: { type: "string" }, number: { type: "string" } }, required: ["kind", "number"], additionalProperties: false },
      { title: "Invoice", type: "object", properties: { kind: { const: "invoice" }, note: { type: "string" }, vat: { type: "string" } }, required: ["kind", "vat"], additionalProperties: false },
    ],
  };
  await ask({ type: "object", properties: { pay }, required: ["pay"] });
  assert.equal(await page.getByRole("radio", { checked: true }).count(), 0);
  await field("radio", "Card").click();
  await field("textbox", "number").fill("4111");
  await field("textbox", "note (optional)").fill("hi");
  assert.deepEqual(await value(), { pay: { kind: "card", note: "hi", number: "4111" } });
  await field("radio", "Invoice").click();
  assert.deepEqual(await value(), { pay: { kind: "invoice", note: "hi" } });
  assert.equal(await focused(), "Invoice");
  await field("textbox", "vat").fill("DE1");
  await field("radio", "Card").click();
  assert.deepEqual(await value(), { pay: { kind: "card", note: "hi", number: "4111" } });
  await field("radio", "Invoice").click();
  assert.deepEqual(await value(), { pay: { kind: "invoice", note: "hi", vat: "DE1" } });
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: { pay: { kind: "invoice", note: "hi", vat: "DE1" } } });
});

test("a type union and null are a choice of what the value is", async () => {
  await ask({ type: "object", properties: { limit: { type: ["integer", "null"], title: "Limit" }, id: { anyOf: [{ type: "string", title: "By name" }, { type: "integer", title: "By number" }] } }, required: ["limit", "id"] });
  await field("group", "Limit").getByRole("radio", { name: "null" }).click();
  await field("radio", "By number").click();
  await page.getByRole("group", { name: "id" }).getByRole("textbox").fill("7");
  assert.deepEqual(await value(), { limit: null, id: 7 });
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: { limit: null, id: 7 } });
});

test("what no field shows is listed as also sent, and can be edited as JSON or taken out", async () => {
  await ask({ type: "object", properties: { host: { type: "string" } } }, { host: "a", other: [1], more: { x: 1 } });
  const also = field("group", "Also sent");
  assert.equal(await also.getByRole("textbox").count(), 2);
  await also.getByRole("textbox", { name: "other" }).fill("[1, ");
  await passed(450);
  assert.deepEqual(await errors(1), ["This isn't JSON. Fix it first."]);
  await person.click("[type=submit]");
  assert.equal(await person.result(), undefined);
  assert.equal(await focused(), "other");
  await also.getByRole("textbox", { name: "other" }).fill("[1, 12345678901234567890.0]");
  await button("Remove more").click();
  await person.click("[type=submit]");
  assert.match((await person.end()).resultText, /"other":\[1,12345678901234567890\.0\]/);
  assert.match((await person.end()).resultText, /^\{"q":\{"host":"a","other"/);
});

test("what is sent and was never shown is counted, and listed on request", async () => {
  const unshown = () => person.find(".unshown");
  const said = async (count) => {
    await until(() => unshown().evaluate(({ hidden, firstChild }) => (hidden ? "" : firstChild.textContent)), `${count} values`, (text) => text === (count ? `Also sent, and not shown above: ${count}` : ""));
  };
  // Sixty properties with a default: fifty stand there.
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, place) => [`p${place}`, { type: "string", default: `v${place}` }]));
  await ask({ type: "object", properties: many, required: Object.keys(many) }, Object.fromEntries(Object.entries(many).map(([key, { default: value }]) => [key, value])));
  await said(10);
  await unshown().locator("summary").click();
  await becomes(() => unshown().locator("li").allTextContents(), Array.from({ length: 10 }, (_, place) => `p${50 + place}: v${50 + place}`));
  await button("Show 10 more").click();
  await said(0);
  // Places that are folded, or deep.
  const group = (name) => ({ type: "object", properties: { [name]: { type: "string" }, on: { type: "boolean" }, list: { type: "array", items: { type: "integer" } } } });
  const names = ["a", "b", "c", "d", "e"];
  const settings = Object.fromEntries(names.map((name) => [name, { [name]: name.toUpperCase(), on: true, list: [1, 2] }]));
  await ask({ type: "object", properties: Object.fromEntries(names.map((name) => [name, group(name)])) }, settings);
  await said(20);
  await unshown().locator("summary").click();
  await becomes(async () => (await unshown().locator("li").allTextContents())[3], "a › list › 1: 2");
  assert.deepEqual(await person.barriers(), []);
  await button("a").click();
  await said(16);
  // What was shown counts when it is folded again, until it changes.
  await button("a").click();
  await said(16);
  await person.find(".tab").nth(1).click();
  await person.find("textarea.json").evaluate((area, text) => {
    area.value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }, JSON.stringify({ ...settings, a: { a: "other" } }));
  await person.find(".tab").first().click();
  await said(17);
});

test("properties that are not there are added by a button, or found in a list where there are many", async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, place) => [`option${place}`, { type: "string", description: `Number ${place}` }]));
  await ask({ type: "object", properties: { geo: { type: "object", properties: { lat: { type: "number" } } }, more: { type: "object", properties: many } } });
  await button("Add geo").click();
  assert.equal(await focused(), "lat (optional)");
  await page.keyboard.type("1.50");
  assert.equal(await text(), '{\n  "geo": {\n    "lat": 1.50\n  }\n}');
  await button("Add more").click();
  await button("Add a property (40)").click();
  await page.keyboard.type("zzz");
  assert.equal(await page.getByText("No property matches.").count(), 1);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("ON39");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "option39");
  await page.keyboard.type("x");
  assert.deepEqual((await value()).more, { option39: "x" });
  await button("Remove option39").click();
  assert.deepEqual((await value()).more, {});
  await button("Remove geo").click();
  assert.equal(await focused(), "Add geo");
  assert.deepEqual(await value(), { more: {} });
});

test("what is fixed, read-only or deprecated says so; a fixed value that has to be there is sent", async () => {
  await ask({ type: "object", properties: { version: { const: 2 }, id: { type: "string", readOnly: true }, old: { type: "string", deprecated: true }, size: { type: "integer" } }, required: ["old"] }, { id: "x", old: "y" });
  await button("Add version").click();
  assert.match(await person.find(".properties").innerText(), /version\s+fixed\s+2/);
  assert.equal(await field("textbox", "id (read-only)").getAttribute("readonly"), "");
  assert.equal(await field("textbox", "old (deprecated)").inputValue(), "y");
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: { version: 2, id: "x", old: "y" } });
});

test("what is fixed and has to be there is sent, and so are places that are required and empty", async () => {
  await ask({ type: "object", properties: { apiVersion: { const: "v1" }, meta: { type: "object", properties: { note: { type: "string" } } }, items: { type: "array", items: {} } }, required: ["apiVersion", "meta", "items"] });
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: { apiVersion: "v1", meta: {}, items: [] } });
});

test("text and script in a schema are text", async () => {
  const evil = '<img src=x onerror="document.title = 1">';
  await ask({ properties: { [evil]: { title: evil, description: evil, enum: [evil, "a\0\x1bb"] } }, required: [evil] });
  // Nothing is selected for the person.
  assert.equal(await person.find("input:checked").count(), 0);
  await field("radio", evil).check();
  assert.equal(await person.find("img").count(), 0);
  assert.equal((await person.find(".property label").nth(1).innerText()).trim(), "a\u2400\u241bb");
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: { [evil]: evil } });
});

test("a change is taken back by the keyboard, outside of a text that has its own", async () => {
  await ask();
  await field("radio", "safe").check();
  await field("radio", "fast").check();
  await page.keyboard.press("Control+Z");
  assert.equal((await value()).mode, "safe");
  assert.equal(await field("radio", "safe").isChecked(), true);
  assert.equal(await spoken(), "Undone.");
  await page.keyboard.press("Control+Shift+Z");
  assert.equal((await value()).mode, "fast");
});

test("by the keyboard alone: items are added, moved and removed, options switched, places folded and opened, a table filled in", async () => {
  const users = { type: "array", title: "Users", items: { type: "object", properties: { name: { type: "string" }, role: { enum: ["admin", "user"] } }, required: ["name"] } };
  const shape = { title: "Shape", oneOf: [{ title: "Circle", type: "object", properties: { radius: { type: "number" } }, required: ["radius"] }, { title: "Square", type: "object", properties: { size: { type: "number" } }, required: ["size"] }] };
  const deep = { type: "object", required: ["b"], properties: { b: { type: "object", required: ["c"], properties: { c: { type: "object", properties: { leaf: { type: "string" } } } } } } };
  await ask({ type: "object", properties: { users, shape, a: { ...deep, properties: { b: { ...deep.properties.b } } } }, required: ["users", "shape", "a"] });
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  /** Tab, or back, until what is called so has the focus. */
  const reach = async (name, key = "Tab") => {
    for (let step = 0; step < 60; step += 1) {
      if ((await focused())?.trim() === name) return;
      await press(key);
    }
    assert.fail(`${name} is not reached: the focus is at ${await focused()}`);
  };
  await page.evaluate(() => window.form().focus());
  await reach("Add an item");
  await press("Enter");
  await page.keyboard.type("Ada");
  await reach("Add an item");
  await press("Enter");
  await page.keyboard.type("Bob");
  await passed(500);
  if (ENGINE === "chromium") assert.equal(await page.getByRole("columnheader").count(), 2);
  await reach("Move item 2 up: Bob");
  await press("Space");
  assert.deepEqual((await value()).users.map(({ name }) => name), ["Bob", "Ada"]);
  await reach("Remove item 2: Ada");
  await press("Enter");
  assert.deepEqual((await value()).users.map(({ name }) => name), ["Bob"]);
  await reach("Circle");
  await press("Space");
  await reach("radius");
  await page.keyboard.type("1");
  await passed(500);
  await reach("Shape", "Shift+Tab");
  await press("Enter");
  assert.equal(await button("Shape").getAttribute("aria-expanded"), "false");
  await press("Enter");
  assert.equal(await button("Shape").getAttribute("aria-expanded"), "true");
  await reach("Circle");
  await press("ArrowDown");
  await reach("size");
  await page.keyboard.type("2");
  assert.deepEqual((await value()).shape, { size: 2 });
  await reach("Open c");
  await press("Enter");
  assert.equal(await focused(), "c");
  await reach("leaf (optional)");
  await page.keyboard.type("x");
  await reach("All", "Shift+Tab");
  await press("Enter");
  assert.equal(await focused(), "Open c");
  assert.deepEqual((await value()).a, { b: { c: { leaf: "x" } } });
  assert.deepEqual(await person.barriers(), []);
  await press("Control+Enter");
  assert.deepEqual(await person.result(), { q: { users: [{ name: "Bob" }], shape: { size: 2 }, a: { b: { c: { leaf: "x" } } } } });
});

test("a finger fills in the fields, the plain text area one tap away", { skip: ELSEWHERE }, async () => {
  const touch = await browser.page("/blank", { hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });
  const finger = new Person(touch);
  await finger.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA });
  await touch.getByRole("textbox", { name: "Host" }).fill("db");
  await finger.find(".option label", { hasText: "safe" }).tap();
  await finger.find(".tab").nth(1).tap();
  assert.match(await finger.find("textarea.json").inputValue(), /"mode": "safe"/);
  assert.equal(await finger.find(".cm-content").count(), 0);
  await finger.find("[type=submit]").tap();
  assert.deepEqual((await finger.result()).answer, { host: "db", port: 6379, mode: "safe" });
  assert.deepEqual(touch.faults, []);
});

test("the form view is accessible in light and dark, and no wider than a page of 320 pixels", async () => {
  for (const scheme of ["light", "dark"]) {
    const narrow = await browser.page("/blank", { viewport: { width: 320, height: 640 } });
    const there = new Person(narrow);
    await narrow.evaluate((scheme) => void (document.documentElement.style.colorScheme = scheme), scheme);
    await there.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA });
    await narrow.getByRole("textbox", { name: "port" }).fill("0");
    await there.find("[type=submit]").click();
    await passedOn(narrow, 400);
    await stands(narrow);
    assert.deepEqual(await there.barriers(), [], scheme);
    assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    if (process.env.SCREENSHOTS) await narrow.screenshot({ path: `${process.env.SCREENSHOTS}/fields-${scheme}.png`, fullPage: true });
    assert.deepEqual(narrow.faults, []);
  }
});

test("nothing that was done breaks the content security policy", () => {
  assert.deepEqual(page.faults, []);
});
