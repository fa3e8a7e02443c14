// Shows the first questions of many requests in a DOM without a page, and prints the places of the functions that ran. Run by `split.mjs`:
// `node profile.mjs MODULE BINDINGS SEEN COUNT CASES...`, where function N of the module, of COUNT, leaves a byte at SEEN + N once it runs.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import FakeTimers from "@sinonjs/fake-timers";
import { Window } from "happy-dom";
import { Words } from "./src/words.js";

/** Milliseconds in which what comes after a form is shown has come: what is painted, and what is spoken. */
const SHOWN = 40;

const [module, bindings, seen, count, ...files] = process.argv.slice(2);
inPage(new Window({ url: "https://localhost/" }));
// The same functions run in each build: time passes as this says, and nothing is collected.
const clock = FakeTimers.withGlobal(globalThis).install({ now: 1_000, toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame", "performance", "Date"] });
globalThis.FinalizationRegistry = class {
  register() {}
  unregister() {}
};
const { default: init, mount } = await import(pathToFileURL(bindings));
const { memory } = await init({ module_or_path: await readFile(module) });
const ran = new Set();
for (const { request, dialect } of (await Promise.all(files.map(casesOf))).flat()) {
  if (request === undefined) continue;
  const parent = document.body.appendChild(document.createElement("div"));
  const words = new Words();
  mount(parent, typeof request === "string" ? request : JSON.stringify(request), dialect, "{}", undefined, undefined, (...said) => said.length && words.speak(...said), false);
  await clock.tickAsync(SHOWN);
  const bytes = new Uint8Array(memory.buffer, Number(seen), Number(count));
  // A request that is rejected asks nothing. What ran before the first one did so for all.
  if (parent.querySelector(".step")) bytes.forEach((byte, place) => byte && ran.add(place));
  bytes.fill(0);
}
process.stdout.write(JSON.stringify([...ran]), () => process.exit());

async function casesOf(file) {
  return JSON.parse(await readFile(file, "utf8"));
}

/** Lets the form find a page: what is global there is global here. */
function inPage(window) {
  for (const name of Object.getOwnPropertyNames(window)) {
    if (name in globalThis && !["Event", "CustomEvent", "EventTarget", "navigator"].includes(name)) continue;
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  }
  globalThis.window = globalThis.self = globalThis;
  globalThis.document = window.document;
  // The form asks whether it is in a page by asking whether what is global is a window.
  globalThis.Window = class {
    static [Symbol.hasInstance]() {
      return true;
    }
  };
}
