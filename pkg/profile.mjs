// Shows the first questions of many requests in a DOM without a page, and prints the places of the functions that ran. Run by `split.mjs`:
// `node profile.mjs MODULE BINDINGS SEEN COUNT CASES...`, where function N of the module, of COUNT, leaves a byte at SEEN + N once it runs.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import FakeTimers from "@sinonjs/fake-timers";
import { Window } from "happy-dom";
import { isPlain } from "./src/rest.form.js";
import { Words } from "./src/words.js";

/**
 * A request of a vector.
 * @typedef {{ request: unknown, dialect?: string }} Case
 */

/** Milliseconds in which what comes after a form is shown has come: what is painted, and what is spoken. */
const SHOWN = 40;
/** How often all requests are shown. */
const ROUNDS = 4;
/** The options of the host: how questions are laid out, who asks, and for which call. `src/rest.form.js` knows them. The first is taken out of the others, alone and where others follow it. */
const OPTIONS = ["{}", '{"layout":"page"}', '{"label":"Agent","tool_call_id":"call_1"}', '{"layout":"steps","label":"Agent","tool_call_id":"call_1"}'];

const [module, bindings, seen, count, ...files] = process.argv.slice(2);
inPage(new Window({ url: "https://localhost/" }));
// The same functions run in each build: time passes as this says, and nothing is collected.
const clock = FakeTimers.withGlobal(globalThis).install({ now: 1_000, toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame", "performance", "Date"] });
globalThis.FinalizationRegistry = /** @type {any} */ (class {
  register() {}
  unregister() {}
});
const { default: init, mount } = await import(pathToFileURL(bindings).href);
const { memory } = await init({ module_or_path: await readFile(module) });
const ran = new Set();
const cases = [...plainOnes(), ...(await Promise.all(files.map(casesOf))).flat().filter(({ request }) => request !== undefined)];
const bytes = () => new Uint8Array(memory.buffer, Number(seen), Number(count));
// Where something is in memory decides how it is hashed and found: some functions run only if two hashes are alike, or where something was freed.
for (let round = 0; round < ROUNDS; round += 1) {
  const shown = [];
  for (const [{ request, dialect }, options] of cases.flatMap((one) => OPTIONS.map((options) => /** @type {[one: Case, options: string]} */ ([one, options])))) {
    const text = typeof request === "string" ? request : JSON.stringify(request);
    const { label, ...host } = JSON.parse(options);
    if (!isPlain(text, dialect, host)) continue;
    const parent = document.body.appendChild(document.createElement("div"));
    // As the element shows it before the rest is there.
    parent.setAttribute("inert", "");
    const words = new Words();
    shown.push(mount(parent, text, dialect, options, undefined, undefined, (/** @type {[] | [node: Node, place: string, said: string]} */ ...said) => said.length && words.speak(...said), false));
    await clock.tickAsync(SHOWN);
    // A request that is rejected asks nothing. What ran before the first one did so for all.
    if (parent.querySelector(".step") && !parent.querySelector(".step > [role=alert]")) bytes().forEach((byte, place) => byte && ran.add(place));
    bytes().fill(0);
  }
  for (const handle of shown.filter((_, place) => place % (round + 2))) handle.free();
  document.body.replaceChildren();
  bytes().fill(0);
}
process.stdout.write(JSON.stringify([...ran]), () => process.exit());

/**
 * Questions of each type: alone, as the first of two, with a default, and with all that may stand around them.
 * @returns {Case[]}
 */
function plainOnes() {
  const options = ["one", "two", { value: "three", label: "Three", description: "With a description." }];
  const kinds = [["text", "a"], ["number", 1.5], ["number", 2], ["boolean", true], ["boolean", false], ["select", "two", options], ["multi_select", ["one", "three"], options], ["secret"]];
  const asked = kinds.flatMap(([answer_type, given, options]) => {
    const bare = { id: "q", text: "Which?", answer_type, options };
    const all = { ...bare, default: given, header: "Which", context: "A **text** before it.", text: "Which?\n\nIn *two* paragraphs." };
    const next = { id: "next", text: "And then?", answer_type: "boolean", when: given === undefined ? undefined : { question_id: "q", equals: given } };
    return [[bare], [bare, { ...next, when: undefined }], [{ ...bare, default: given }], [all], [all, next]];
  });
  // Its fields come with the validator.
  const schema = { id: "q", text: "Which?", answer_type: "schema", schema: { type: "object", properties: { a: { type: "string" } } } };
  const next = { id: "next", text: "And then?", answer_type: "boolean" };
  return [...asked, [schema], [schema, next], [next, schema]].map((questions) => ({ request: { questions } }));
}

/**
 * @param {string} file
 * @returns {Promise<Case[]>}
 */
async function casesOf(file) {
  return JSON.parse(await readFile(file, "utf8"));
}

/**
 * Lets the form find a page: what is global there is global here.
 * @param {Window} window
 */
function inPage(window) {
  for (const name of Object.getOwnPropertyNames(window)) {
    if (name in globalThis && !["Event", "CustomEvent", "EventTarget", "navigator"].includes(name)) continue;
    Object.defineProperty(globalThis, name, { value: /** @type {any} */ (window)[name], configurable: true, writable: true });
  }
  const page = /** @type {any} */ (globalThis);
  page.window = page.self = page;
  page.document = window.document;
  // The form asks whether it is in a page by asking whether what is global is a window.
  page.Window = class {
    static [Symbol.hasInstance]() {
      return true;
    }
  };
}
