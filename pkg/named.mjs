// The form's module as it is downloaded, but whole and with the names of its functions: for tools that say where bytes and time go.
import { fileURLToPath } from "node:url";
import { FEATURES, madeAll, NAMED_PASSES, tool } from "./optimise.mjs";

/** @type {(name: string) => string} */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Makes the module of what wasm-bindgen has written, unless it is there, and gives its path. */
export async function named() {
  const [module, made] = ["build/published/web/ask_user_web_bg.wasm", "build/form.named.wasm"].map(path);
  await madeAll(module, [made], path("build"), NAMED_PASSES, async (file) => tool("wasm-opt", module, ...NAMED_PASSES, "-g", ...FEATURES, "-o", file));
  return made;
}

/**
 * The name of a function in the source, without the hash of its build.
 * @type {(name: string) => string}
 */
export const sourceName = (name) => name.replace(/::h[0-9a-f]{16}/g, "").replace(/\[[0-9a-f]{16}\]/g, "");
