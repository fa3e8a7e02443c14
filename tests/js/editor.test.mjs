// The JSON editor: what it marks, lists, proposes and describes, by role and by the keyboard; and the form without it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ELSEWHERE, ENGINE } from "./browser.mjs";
import { arrived, Person } from "./person.mjs";
import { becomes, keepsStill, preloaded, stands, until } from "./wait.mjs";

const SCHEMA = {
  type: "object",
  properties: {
    host: { type: "string", minLength: 1, title: "Host", description: "Where the cache listens." },
    port: { type: "integer", minimum: 1, maximum: 65535, default: 6379 },
    mode: { enum: ["fast", "safe"] },
    tls: { $ref: "#/$defs/flag" },
    replicas: { type: "array", items: { type: "object", properties: { region: { const: "eu" } }, required: ["region"] } },
  },
  required: ["host", "port"],
  additionalProperties: false,
  $defs: { flag: { type: "boolean", title: "Encrypted" } },
};

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const ask = async (/** @type {any} */ schema = SCHEMA, more = {}) => {
  await person.askJson(schema, more);
  await person.asText();
};
/** Puts a text into the editor, with the cursor where `|` stands. */
const write = async (text) => {
  await person.find(".cm-content").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text.replace("|", ""));
  await page.keyboard.press("Control+Home");
  for (let left = text.indexOf("|"); left > 0; left -= 1) await page.keyboard.press("ArrowRight");
};
/** Waits until the form has heard of a text: it is a moment behind the editor. */
const reads = (text) => becomes(() => person.find("textarea.json").inputValue(), text);
const proposals = async () => {
  await page.keyboard.press("Control+Space");
  await person.find("[role=listbox]").waitFor();
  // A list that has just opened takes no Enter yet, which may have been meant for the text.
  await keepsStill(page, 100);
  return person.find("[role=listbox] [role=option]").allTextContents();
};
const problems = async (count) => {
  await page.waitForFunction((count) => window.form().shadowRoot.querySelectorAll(".problems li").length === count, count);
  return person.find(".problems li").allTextContents();
};

test("the editor begins with what the schema states, and sends what stands in it", async () => {
  await ask();
  await becomes(async () => JSON.parse(await person.find("textarea.json").inputValue()), { port: 6379 });
  await write('{ "host": "db", "port": 1 }|');
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await person.result(), { q: { host: "db", port: 1 } });
});

test("what the schema does not accept is marked and listed while typing, and the list leads to it", async () => {
  await ask();
  await write('{ "host": "", "port": 70000, "x": 1 }|');
  assert.deepEqual(await problems(3), [
    "/host host must not be empty.",
    "/port port must be at most 65535.",
    'The value must not have the property "x".',
  ]);
  assert.equal(await person.find(".cm-lintRange-error").count(), 3);
  assert.deepEqual(await person.find(".cm-lintRange-error").allTextContents(), ['""', "70000", '"x"']);
  await person.find(".problems button").nth(1).click();
  await page.keyboard.insertText("6380");
  await reads('{ "host": "", "port": 6380, "x": 1 }');
  assert.deepEqual(await person.barriers(), []);
  assert.equal(await person.result(), undefined);
});

test("a text that is no JSON says where, and a key that stands twice is called out", async () => {
  await ask({ type: "object" });
  await write('{ "a": 1, "a": 2, "b": }|');
  const [twice, broken] = await problems(2);
  assert.match(twice, /"a" stands here and again below; only the last one counts/);
  assert.match(broken, /Invalid JSON, line 1/);
  await write('{ "a": 1, "a": 2 }|');
  await problems(1);
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await person.result(), { q: { a: 2 } });
});

test("keys are proposed, required ones first, those that are there not, with a value to fill in", async () => {
  await ask();
  await write('{ "mode": "fast", | }');
  assert.deepEqual(await proposals(), ['"host"required', '"port"required', '"tls"', '"replicas"']);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await reads('{ "mode": "fast", "port": 6379 }');
});

test("values are proposed through references, choices and items", async () => {
  await ask();
  for (const [text, expected] of /** @type {any[][]} */ ([
    ['{ "mode": | }', ['"fast"', '"safe"']],
    ['{ "mode": "s|" }', ['"safe"']],
    ['{ "tls": | }', ["true", "false"]],
    ['{ "port": | }', ["6379default"]],
    ['{ "replicas": [{ | }] }', ['"region"required']],
    ['{ "replicas": [{ "region": | }] }', ['"eu"the only one']],
  ])) {
    await write(text);
    assert.deepEqual(await proposals(), expected, text);
    await page.keyboard.press("Escape");
  }
});

test("the schema's words for a key are there on hover and by the keyboard", async () => {
  await ask();
  await write('{ "ho|st": "db", "port": 1 }');
  await page.keyboard.press("F1");
  const about = person.find(".about");
  await about.waitFor();
  assert.deepEqual(await about.locator("*").allTextContents(), ["Host", "Where the cache listens.", "text, minimum length 1"]);
  await page.keyboard.press("ArrowRight");
  await about.waitFor({ state: "detached" });
  await person.find(".json-key").nth(1).hover();
  await about.waitFor();
  assert.match(await about.innerText(), /a whole number, at least 1, at most 65535/);
});

test("Tab leads on; Escape and then Tab indents; a second Escape leads out", async () => {
  await ask({ type: "object" });
  await write("{}|");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => window.form().shadowRoot.activeElement.textContent), "Format");
  await write("|{}");
  await person.press("Escape", "Tab");
  await reads("  {}");
  await person.press("ArrowLeft", "Escape", "Escape");
  assert.equal(await person.focused(), "reply:button");
});

test("the editor closes brackets, indents a new line, matches, folds, counts lines and searches, all by the keyboard", { skip: ENGINE === "webkit" && "its driver knows no key for a bracket with a modifier" }, async () => {
  await ask({ type: ["object", "array"] });
  await write("|");
  await person.find(".cm-content").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type("{");
  await reads("{}");
  await page.keyboard.press("Enter");
  await page.keyboard.type('"a');
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type(": [1, 2");
  await reads('{\n  "a": [1, 2]\n}');
  await page.keyboard.press("ArrowRight");
  assert.equal(await person.find(".cm-matchingBracket").count(), 2);
  assert.deepEqual((await person.find(".cm-lineNumbers .cm-gutterElement").allTextContents()).slice(1), ["1", "2", "3"]);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+Shift+BracketLeft");
  assert.equal(await person.find(".cm-foldPlaceholder").count(), 1);
  await page.keyboard.press("Control+Shift+BracketRight");
  assert.equal(await person.find(".cm-foldPlaceholder").count(), 0);
  await page.keyboard.press("Control+F");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  assert.equal(await person.find(".cm-search").count(), 0);
  await page.keyboard.type("3");
  await reads('{\n  "a": [1, 3]\n}');
  await page.keyboard.press("Control+Z");
  await reads('{\n  "a": [1, 2]\n}');
  assert.deepEqual(await person.barriers(), []);
});

test("the text is formatted with every digit, and a change can be taken back", async () => {
  await ask(true);
  const text = '{"n":123456789012345678901234567890,"f":1.10,"l":[1,{}],"d":1,"d":2}';
  await write(`${text}|`);
  await person.find("button", { hasText: "Format" }).filter({ hasText: "Format" }).click();
  await reads('{\n  "n": 123456789012345678901234567890,\n  "f": 1.10,\n  "l": [\n    1,\n    {}\n  ],\n  "d": 1,\n  "d": 2\n}');
  await page.keyboard.press("Control+Z");
  await reads(text);
  await write("{ not json|");
  await person.find(".tools button").first().click();
  await reads("{ not json");
});

test("digits beyond 64 bits stay: in the result's text, in the review, and after Back", async () => {
  const exact = '{"n":123456789012345678901234567890}';
  const indented = '{\n  "n": 123456789012345678901234567890\n}';
  await person.ask({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema: { required: ["n"] } }, { id: "sure", text: "Sure?", answer_type: "boolean" }] }, { host: { review: true } });
  await person.asText();
  await write(`${exact}|`);
  await person.press("Control+Enter");
  await person.find("[data-way=back]").click();
  await person.asText();
  await reads(indented);
  await person.press("Control+Enter");
  await person.click("[data-answer=yes]");
  assert.equal(await person.find("dd pre").innerText(), indented);
  await person.click("[data-submit]");
  assert.equal((await person.end()).resultText, `{"q":${exact},"sure":true}`);
});

test("a plain text area does the whole job, for those who choose it, and where the editor cannot be had", async () => {
  await ask();
  await person.find(".tools button").nth(1).click();
  assert.equal(await person.find(".cm-content").isVisible(), false);
  await person.find("textarea.json").fill('{ "host": "db", "port": 0 }');
  await page.keyboard.press("Control+Enter");
  await person.settled();
  assert.match(await person.find("#error").textContent(), /port must be at least 1/);
  await person.find(".tools button").nth(1).click();
  assert.match(await person.find(".cm-content").innerText(), /"port": 0/);

  const other = await browser.page("/blank");
  browser.cut = /\/editor\.js/;
  const without = new Person(other);
  await without.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA, default: { host: "db", port: 1 } });
  await without.find(".tab").last().click();
  await without.find("textarea.json").focus();
  await other.keyboard.press("Control+Enter");
  assert.deepEqual((await without.result()).answer, { host: "db", port: 1 });
  // The editor is said to be missing, and can be had again with nothing lost.
  await without.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA, default: { host: "db", port: 1 } });
  await without.find("[role=status]").filter({ hasText: "Couldn't load the editor" }).waitFor();
  browser.cut = undefined;
  await without.find("textarea.json").fill('{ "host": "other", "port": 2 }');
  assert.deepEqual(await without.barriers(), []);
  await without.find("button").filter({ hasText: "Try again" }).click();
  await without.find(".cm-content").waitFor();
  assert.equal((await without.find(".cm-content").innerText()).trimEnd(), '{ "host": "other", "port": 2 }');
  assert.equal(await without.find("p").filter({ hasText: "Couldn't load" }).count(), 0);
  for (const fault of other.faults.splice(0)) assert.match(fault, /editor\.js/);
});

test("the fields and the editor wait until nobody types in the text area that they come over", async () => {
  const other = await browser.page("/blank");
  const late = [];
  browser.meddle = (request, _response, forward) => (/\/(fields|editor)\.js/.test(request.url) ? new Promise((resolve) => late.push(resolve)).then(forward) : forward());
  const someone = new Person(other);
  await someone.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA });
  await someone.find("textarea.json").focus();
  await other.keyboard.press("Control+A");
  await other.keyboard.type('{"host": "d');
  browser.meddle = undefined;
  for (const go of late) go();
  await preloaded(other);
  await other.keyboard.type('b",');
  await other.keyboard.press("Enter");
  await other.keyboard.type('"port": 1}');
  assert.equal(await someone.find("textarea.json").inputValue(), '{"host": "db",\n"port": 1}');
  assert.equal(await someone.find(".tab, .cm-content").count(), 0);
  assert.equal(await someone.end(), undefined);
  // Elsewhere, they come with what was typed.
  await someone.find("legend").focus();
  await someone.find(".tab").first().waitFor();
  await someone.find(".cm-content").waitFor({ state: "attached" });
  await keepsStill(other);
  await someone.click("[type=submit]");
  assert.deepEqual((await someone.result()).answer, { host: "db", port: 1 });
  await other.context().close();
});

test("a finger gets the plain text area", { skip: ELSEWHERE }, async () => {
  const touch = await browser.page("/blank", { hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 } });
  const finger = new Person(touch);
  await finger.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA, default: { host: "db", port: 1 } });
  await finger.find(".tab").last().tap();
  await finger.find("textarea.json").waitFor();
  // Also where the editor is there.
  await preloaded(touch);
  assert.equal(await finger.find(".cm-content").count(), 0);
  await finger.find("[type=submit]").tap();
  assert.deepEqual((await finger.result()).answer, { host: "db", port: 1 });
});

test("a schema of a megabyte, and one that never ends, are proposed from", async () => {
  const properties = Object.fromEntries(Array.from({ length: 2_500 }, (_, place) => [`property_${place}`, { description: "x".repeat(400) }]));
  await ask({ properties });
  await write("{ | }");
  assert.equal((await proposals())[0], '"property_0"');
  await ask({ $ref: "#/$defs/node", $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } } });
  await write('{ "next": { "next": { | } } }');
  assert.deepEqual(await proposals(), ['"next"']);
});

test("five megabytes that are pasted in, and what is no JSON in any way, are said and keep the page alive", { skip: ENGINE === "firefox" && "a driver pastes there by a command that takes long" }, async () => {
  await ask(true);
  await person.find(".cm-content").focus();
  const paste = (text) =>
    page.evaluate((text) => {
      const root = window.form().shadowRoot;
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      root.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await page.keyboard.press("Control+A");
  await paste(JSON.stringify(Array.from({ length: 700_000 }, (_, place) => place)));
  await page.waitForFunction(() => /too large/.test(window.form().shadowRoot.querySelector(".editor .problems").textContent), undefined, { timeout: 20_000 });
  for (const text of ["", "{", "[1,]", "nul", "01", '"\\x"', '"a\u0000b"', '"\\ud800"', "1 2", "// no", "NaN"]) {
    await page.keyboard.press("Control+A");
    if (text) await paste(text);
    else await page.keyboard.press("Delete");
    await page.waitForFunction((said) => new RegExp(said).test(window.form().shadowRoot.querySelector(".editor .problems").textContent), text ? "Invalid JSON" : "Enter an answer");
    await page.keyboard.press("Control+Enter");
    assert.equal(await person.result(), undefined, text);
  }
});

test("the editor is accessible in light and dark, and no wider than a page of 320 pixels", async () => {
  for (const scheme of ["light", "dark"]) {
    const narrow = await browser.page("/blank", { viewport: { width: 320, height: 640 } });
    const there = new Person(narrow);
    await narrow.evaluate((scheme) => void (document.documentElement.style.colorScheme = scheme), scheme);
    await there.ask({ question: "Which?", answer_type: "schema", schema: SCHEMA });
    await there.asText();
    await stands(narrow);
    assert.deepEqual(await there.barriers(), [], scheme);
    assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(narrow.faults, []);
  }
});

test("nothing that was done in it breaks the content security policy", () => {
  assert.deepEqual(page.faults, []);
});

test("in a receipt, strings written from right to left stay where they are in the JSON", async () => {
  await person.askJson({ type: "object" });
  await person.asText();
  await person.find(".cm-content").fill('{"אחת": "שתיים", "three": "שלוש \\" ארבע"}');
  await person.click("[type=submit]");
  await person.find("[part=receipt] pre").waitFor();
  const places = await page.evaluate(() => {
    const pre = window.form().shadowRoot.querySelector("[part=receipt] pre");
    const nodes = document.createNodeIterator(pre, NodeFilter.SHOW_TEXT);
    const found = {};
    for (let node; (node = nodes.nextNode()); ) {
      for (const word of ["אחת", "שתיים", "three", "שלוש", "ארבע"]) {
        const at = node.data.indexOf(word);
        if (at < 0) continue;
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        found[word] = range.getBoundingClientRect().left;
      }
    }
    return [pre.textContent.replaceAll(/\s+/g, ""), found["אחת"] < found["שתיים"], found.three < found["ארבע"], found["ארבע"] < found["שלוש"]];
  });
  assert.deepEqual(places, ['{"אחת":"שתיים","three":"שלוש\\"ארבע"}', true, true, true]);
});

test("an error is said once while the editor lists it, and again where it lists nothing", async () => {
  const seen = () =>
    page.evaluate(() => [...window.form().shadowRoot.querySelectorAll("#error p, #error li, .editor .problems li")].filter((node) => node.parentElement.getBoundingClientRect().width > 1).length);
  for (const text of ['{ "host": "", "port": 1 }', "{ nope"]) {
    await ask();
    await person.find(".cm-content").fill(text);
    await problems(1);
    await reads(text);
    await person.click("[type=submit]");
    assert.equal(await seen(), 1, text);
    assert.equal(await person.find("#error .error").count(), 1, "it is announced and describes the field");
    await person.click(".tools button:last-child");
    // It is there once the plain text is.
    await until(seen, "the error in plain text", (count) => count >= 1);
  }
});

test("on a page from right to left, code runs from left to right", { skip: ELSEWHERE }, async () => {
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  try {
    await ask();
    const [gutter, line] = await page.evaluate(() => [".cm-gutters", ".cm-line"].map((selector) => window.form().shadowRoot.querySelector(selector).getBoundingClientRect().left));
    assert.ok(gutter < line, `${gutter} ${line}`);
    assert.equal(await person.find(".cm-content").evaluate((node) => getComputedStyle(node).direction), "ltr");
    assert.equal(await person.find("textarea.json").evaluate((node) => getComputedStyle(node).direction), "ltr");
  } finally {
    await page.evaluate(() => (document.documentElement.dir = ""));
  }
});
