// For esbuild: the sources import what wasm-bindgen writes from build/core, build/web and so on. This takes it from the folder of one build: build/published or
// build/development.
import { fileURLToPath } from "node:url";

/** @type {(name: string) => string} */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {(folder: string) => import("esbuild").Plugin} */
export const bindings = (folder) => ({
  name: "bindings",
  setup(builder) {
    const filter = /\/build\/(?:(?:core|html|script|validator|web)\/|\w+\.packed\.js$)/;
    builder.onResolve({ filter }, ({ path: named }) => ({ path: path(named.replace(/^.*\/build\//, `${folder}/`)) }));
  },
});
