// For esbuild: a bundle whose form is a script where a page lets no wasm run.
import { fileURLToPath } from "node:url";

/** @type {(name: string) => string} */
const path = (name) => fileURLToPath(new URL(`src/${name}`, import.meta.url));

/** @type {import("esbuild").Plugin} */
export const ANYWHERE = {
  name: "anywhere",
  setup(builder) {
    builder.onResolve({ filter: /ask_user_web\.js$/ }, ({ importer }) => (importer.endsWith("modules.js") ? { path: path("anywhere.js") } : undefined));
    builder.onResolve({ filter: /^__wbindgen_externref_xform__$/ }, () => ({ path: path("script.js") }));
  },
};
