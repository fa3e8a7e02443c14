// The package as a host meets it: one call and a promise, the class without its name, a server, the manifest.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { WATCH } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { file } from "./package-files.mjs";

const text = (path) => readFileSync(new URL(`../../pkg/${path}`, import.meta.url), "utf8");
const QUESTION = { question: "Go on?", answer_type: "boolean" };

const WRITTEN = `<!doctype html><title>written</title>${WATCH}<script type="module" src="/pkg/dist/ask-user.js"></script>
<ask-user request='${JSON.stringify(QUESTION)}' respond-url="/respond"></ask-user>`;

let browser;
let page;
let person;
before(async () => {
  const pages = { "/bare": `<!doctype html><title>bare</title>${WATCH}<body>`, "/written": WRITTEN };
  for (const name of ["form", "validator"]) pages[`/handed/${name}.wasm`] = file(`${name}.wasm`);
  ({ browser, page, person } = await arrived({ pages }));
});
after(() => browser.close());

/** Asks in the page; the promise's fate will be `window.fate`, once it is settled. */
const asked = (request, options = {}) =>
  page.evaluate(
    async ([request, options]) => {
      const { ask } = await import("/pkg/dist/ask-user.js");
      document.querySelector("main").replaceChildren();
      window.fate = undefined;
      /** @type {any} */ (window).stop = new AbortController();
      if (options.aborted) /** @type {any} */ (window.stop).abort();
      const parent = document.querySelector("main");
      ask(request, { parent, signal: /** @type {any} */ (window.stop).signal, ...options }).then(
        ({ result, outcome }) => (window.fate = { result, ends: outcome.ends }),
        ({ name, problems, toolResult }) => (window.fate = { name, problems: problems?.length, told: toolResult?.error }),
      );
    },
    [request, options],
  );
const fate = async () => JSON.parse(await (await page.waitForFunction(() => window.fate && JSON.stringify(window.fate))).jsonValue());

test("one call gives a promise of the end, with the host's options and attributes", async () => {
  await asked(QUESTION, { attributes: { label: "Deploy agent" }, host: { toolCallId: "call_9" } });
  await person.find("[data-answer=yes]").waitFor();
  assert.match(await person.find("[part~=base]").innerText(), /Deploy agent/);
  await person.find("[data-answer=yes]").click();
  assert.deepEqual(await fate(), { result: { answer_type: "boolean", answer: true }, ends: "completed" });
  assert.equal(await page.locator("main ask-user").count(), 1);
  await asked(QUESTION);
  await person.find("[data-way=end-turn]").click();
  await person.find("[data-end-turn]").click();
  assert.deepEqual(await fate(), { ends: "turn_ended" });
});

test("the promise is settled when the request is no form, when the element is removed, and when the signal is aborted", async () => {
  await asked({ question: "Go on?", answer_type: "perhaps" });
  assert.deepEqual(await fate(), { name: "RejectionError", problems: 1, told: "invalid_request" });
  await asked(QUESTION);
  await person.find("[data-answer=yes]").waitFor();
  await page.evaluate(() => document.querySelector("main").replaceChildren());
  assert.deepEqual(await fate(), { name: "AbortError" });
  await asked(QUESTION);
  await person.find("[data-answer=yes]").waitFor();
  await page.evaluate(() => /** @type {any} */ (window.stop).abort());
  assert.deepEqual(await fate(), { name: "AbortError" });
  assert.equal(await page.locator("ask-user").count(), 0);
  await asked(QUESTION, { aborted: true });
  assert.deepEqual(await fate(), { name: "AbortError" });
  assert.equal(await page.locator("ask-user").count(), 0);
  // Whoever moves the element does not end it.
  await asked(QUESTION);
  await person.find("[data-answer=yes]").waitFor();
  await page.evaluate(() => document.body.append(document.querySelector("ask-user")));
  await person.find("[data-answer=no]").click();
  assert.equal((await fate()).ends, "completed");
  await page.evaluate(() => document.querySelector("ask-user").remove());
});

test("an option that does not exist fails the promise, and is reported to the page", async () => {
  const other = await browser.page("/bare");
  const failed = await other.evaluate(async (request) => {
    const { ask } = await import("/pkg/dist/ask-user.js");
    return ask(request, { host: /** @type {any} */ ({ labell: "x" }) }).catch(({ name, message }) => [name, message]);
  }, QUESTION);
  assert.equal(failed[0], "TypeError");
  assert.match(failed[1], /labell/);
  assert.match(other.faults.splice(0).join(), /labell/);
});

test("the class is to be had without its name", async () => {
  const other = await browser.page("/bare");
  const names = await other.evaluate(async () => {
    const { AskUser } = await import("/pkg/dist/element.js");
    const before = customElements.get("ask-user") === undefined;
    customElements.define("my-question", class extends AskUser {});
    const element = document.createElement("my-question");
    /** @type {any} */ (element).request = { question: "Go on?", answer_type: "boolean" };
    document.body.append(element);
    return [before, element instanceof AskUser];
  });
  assert.deepEqual(names, [true, true]);
  await other.locator("my-question").locator("[data-answer=yes]").waitFor();
  assert.deepEqual(other.faults, []);
});

test("a server imports both entries of the element without a browser", async () => {
  const defined = await import("../../pkg/dist/ask-user.js");
  assert.deepEqual(Object.keys(defined).sort(), ["AskUser", "ask", "initialize", "preload", "registerDialect"]);
  assert.deepEqual(Object.keys(await import("../../pkg/dist/element.js")).sort(), ["AskUser", "initialize", "preload", "registerDialect"]);
});

test("a host hands in the wasm: an address, bytes, a module, a response, or a function that is called when it is needed", async () => {
  for (const kind of ["address", "bytes", "module", "response"]) {
    const other = await browser.page("/bare");
    await other.evaluate(async (kind) => {
      const { initialize } = await import("/pkg/dist/ask-user.js");
      const made = {
        address: (url) => new URL(url, /** @type {any} */ (location)),
        bytes: async (url) => (await fetch(url)).arrayBuffer(),
        module: (url) => WebAssembly.compileStreaming(fetch(url)),
        response: (url) => fetch(url),
      };
      window.called = [];
      const from = (name) => (window.called.push(name), made[kind](`/handed/${name}.wasm`));
      initialize({ form: from("form"), validator: () => from("validator") });
      document.body.innerText = "";
      const element = document.createElement("ask-user");
      element.request = { questions: [{ id: "a", text: "Go?", answer_type: "boolean" }, { id: "b", text: "Which?", answer_type: "schema", schema: { type: "integer" } }] };
      document.body.append(element);
    }, kind);
    await other.locator("ask-user").locator("[data-answer=yes]").click();
    await other.locator("ask-user").locator(".properties").waitFor();
    assert.deepEqual(await other.evaluate(() => window.called), ["form", "validator"]);
    assert.deepEqual(other.fetched.filter((path) => path.endsWith(".wasm")).sort(), ["/handed/form.wasm", "/handed/validator.wasm"], kind);
    assert.deepEqual(other.faults, []);
  }
});

test("handing in what there is not is the host's fault, and said", async () => {
  const { initialize } = await import("../../pkg/dist/ask-user.js");
  assert.throws(() => initialize(/** @type {any} */ ({ forms: "x" })), (error) => error instanceof TypeError && /no wasm module "forms".*form, validator, core/.test(error.message));
});

test("the headless package is loaded when a host says so, from bytes", async () => {
  const { load } = await import("../../pkg/dist/core.load.js");
  await assert.rejects(load(new Uint8Array([0, 1])), WebAssembly.CompileError);
  const { open, RejectionError } = await load(file("core.wasm"));
  assert.equal(/** @type {any} */ (open(QUESTION).step).question.text, "Go on?");
  assert.throws(() => open({}), RejectionError);
});

test("an element that a server wrote needs no script: its request is an attribute", async () => {
  const other = await browser.page("/written");
  await other.locator("ask-user").locator("[data-answer=yes]").click();
  await other.locator("ask-user").locator("[data-delivery=sent]").waitFor();
  assert.deepEqual(JSON.parse(browser.deliveries.at(-1).body), { answer_type: "boolean", answer: true });
  assert.deepEqual(other.faults, []);
});

test("the manifest says what the sources say", () => {
  const [{ declarations: [element] }] = JSON.parse(text("custom-elements.json")).modules;
  const names = (list) => list.map(({ name }) => name).sort();
  const header = text("src/element.js").split("*/")[0];
  const quoted = (from, to) => [...header.slice(header.indexOf(from), to ? header.indexOf(to) : undefined).matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  assert.deepEqual(names(element.attributes), quoted("Attributes:", "Events,").sort());
  assert.deepEqual(names(element.cssParts), quoted("Parts:").sort());
  const types = text("types/ask-user.d.ts");
  const events = types.slice(types.indexOf("interface AskUserEventMap"), types.indexOf("/** The options of a page"));
  assert.deepEqual(names(element.events), [...events.matchAll(/"(ask-user-[a-z-]+)"/g)].map(([, name]) => name).sort());
  const sheets = ["ask-user", "editor", "fields", "markdown"].map((name) => text(`src/${name}.css`)).join("");
  assert.deepEqual(names(element.cssProperties), quoted("Custom properties:", "Parts:").sort());
  assert.deepEqual(names(element.cssProperties), [...new Set(sheets.match(/--ask-user-[a-z-]+/g))].sort());
  for (const list of [element.attributes, element.members, element.events, element.cssParts, element.cssProperties]) {
    for (const { name, description } of list) assert.ok(description?.endsWith("."), name);
  }
});

test("the package's page says what the manifest says", () => {
  const [{ declarations: [element] }] = JSON.parse(text("custom-elements.json")).modules;
  const table = (title, list) => [`## ${title}`, "", "| | |", "| --- | --- |", ...list.map(({ name, default: value, description }) => `| \`${name}\` | ${description}${value ? ` By default ${value}.` : ""} |`), ""];
  const made = [
    ...table("Properties", element.members), ...table("Attributes", element.attributes), ...table("Events", element.events),
    ...table("Parts", element.cssParts), ...table("Custom properties", element.cssProperties),
  ].join("\n");
  const readme = text("README.md");
  const [begin, end] = ["<!-- the element: made of custom-elements.json -->\n", "<!-- the end of the element -->"];
  const now = readme.slice(readme.indexOf(begin) + begin.length, readme.indexOf(end));
  if (process.env.WRITE === "1") writeFileSync(new URL("../../pkg/README.md", import.meta.url), readme.replace(begin + now, () => begin + made));
  else assert.equal(now, made, "say WRITE=1 node --test tests/js/embedding.test.mjs");
});

test("nothing that was done breaks the content security policy", () => {
  assert.deepEqual(page.faults, []);
});
