// The second part of the form's module, which is linked to the first: `pkg/split.mjs` makes both of one. The first shows a question; the rest is
// fetched once the first is there. It is there before the form takes an answer.
import { once } from "./demand.js";

const address = () => new URL("form.rest.wasm", import.meta.url);
/** What the first part exports, and the rest once it is compiled. */
let first;
let compiled;

/** Whether all of the form is there. It is where a host has handed in the whole module. */
export const isWhole = () => !first?.there || first.there.value === 1;

/** A request of this many characters or more is large. */
const LARGE = 100_000;

/** Whether a request is large: it is shown once, and not before the rest is there. */
export const isLarge = (request) => request.length >= LARGE;

/** Whether a request looks as if the first part shows it by itself. If it does not, the page waits (`need`). */
export const isPlain = (request, dialect = "") =>
  !isLarge(request) && /"(?:answer_type|questions?|requestedSchema)"/.test(request) && !/approv|interrupt|permission|action_?requests|tool_?(?:call|name|input)|\$defs|\$ref/i.test(request + dialect);

/** Takes note of the first part: the rest is fetched from now on. */
export function begin(exports) {
  first = exports;
  load().catch(() => {});
}

/** Fetches and links the rest. */
export const load = once(async () => {
  if (isWhole()) return;
  const response = await fetch(address());
  if (!response.ok) throw new TypeError(`${response.url}: ${response.status}`);
  compiled = await WebAssembly.compile(await response.arrayBuffer());
  link();
});

/**
 * What the first part calls if it needs the rest and that is not there: it cannot wait, so the page does. A form of an unusual request does, while it
 * is shown for the first time.
 */
export function need() {
  if (!compiled) {
    const request = new XMLHttpRequest();
    request.open("GET", address(), false);
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw new TypeError(`${address()}: ${request.status}`);
    compiled = new WebAssembly.Module(Uint8Array.from(request.response, (character) => character.charCodeAt(0)));
  }
  link();
}

function link() {
  if (isWhole()) return;
  new WebAssembly.Instance(compiled, { first });
  first.there.value = 1;
}
