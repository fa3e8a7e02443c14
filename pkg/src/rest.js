// A module in two parts: `pkg/split.mjs` makes both of one. The rest is linked to the first part over the same memory and the same table.
import { once } from "./demand.js";

/** The link of a module to its rest, which is at the address that `address()` gives. */
export function restOf(address) {
  /** What the first part exports, and the rest once it is compiled. */
  let first;
  let compiled;

  /** Whether all of the module is there. It is where a host has handed in the whole module. */
  const isWhole = () => !first?.there || first.there.value === 1;

  /** Fetches and links the rest. */
  const load = once(async () => {
    if (isWhole()) return;
    const response = await fetch(address());
    if (!response.ok) throw new TypeError(`${response.url}: ${response.status}`);
    compiled ??= await WebAssembly.compile(await response.arrayBuffer());
    link();
  });

  function link() {
    if (isWhole()) return;
    new WebAssembly.Instance(compiled, { first });
    first.there.value = 1;
  }

  return {
    isWhole,
    load,

    /** Takes note of the first part, or of the whole: the rest is fetched from now on, unless it is `there`. */
    begin(exports, there) {
      first = exports;
      compiled = there;
      if (there) link();
      else load().catch(() => {});
    },

    /** What the first part calls if it needs the rest and that is not there: it cannot wait, so the page does. */
    need() {
      if (!compiled) {
        const request = new XMLHttpRequest();
        request.open("GET", address(), false);
        request.overrideMimeType("text/plain; charset=x-user-defined");
        request.send();
        if (request.status !== 200) throw new TypeError(`${address()}: ${request.status}`);
        compiled = new WebAssembly.Module(Uint8Array.from(request.response, (character) => character.charCodeAt(0)));
      }
      link();
    },

    /** Promises the rest, compiled; nothing where the module is not in parts. */
    async compiled() {
      await load();
      return compiled;
    },
  };
}
