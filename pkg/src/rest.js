// A module in two parts: `pkg/split.mjs` makes both of one. The rest is linked to the first part over the same memory and the same table.
import { file, once } from "./demand.js";

/**
 * What the first part exports. `there` is 1 once the rest is linked; a whole module has none.
 * @typedef {WebAssembly.Exports & { there?: WebAssembly.Global }} Exports
 */

/**
 * The link of a module to its rest, which is at the address that `address()` gives.
 * @param {() => URL} address
 */
export function restOf(address) {
  /**
   * What the first part exports, and the rest once it is compiled.
   * @type {Exports | undefined}
   */
  let first;
  /** @type {WebAssembly.Module | undefined} */
  let compiled;

  /** Whether all of the module is there. It is where a host has handed in the whole module. */
  const isWhole = () => !first?.there || first.there.value === 1;

  /** Fetches and links the rest. A cache may have kept that of another build. */
  const load = once(async () => {
    if (isWhole()) return;
    compiled ??= await fetched();
    if (!fits()) compiled = await fetched();
    link();
  });

  async function fetched() {
    const response = await file(address());
    if (!response.ok) throw new TypeError(`${response.url}: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  }

  /** The name of the build of the rest: the module that it imports from. */
  const build = () => WebAssembly.Module.imports(/** @type {WebAssembly.Module} */ (compiled))[0].module;
  const fits = () => build() in /** @type {Exports} */ (first);

  function link() {
    if (isWhole()) return;
    const name = build();
    if (!fits()) {
      compiled = undefined;
      throw new TypeError(`${address()} and the part before it are of two builds: serve the files of one version.`);
    }
    new WebAssembly.Instance(/** @type {WebAssembly.Module} */ (compiled), { [name]: /** @type {Exports} */ (first) });
    /** @type {Required<Exports>} */ (first).there.value = 1;
  }

  return {
    isWhole,
    load,

    /**
     * Takes note of the first part, or of the whole: the rest is fetched from now on, unless it is `there`.
     * @param {WebAssembly.Exports} exports
     * @param {WebAssembly.Module} [there]
     */
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
