// A form as HTML where the host says from where its wasm is loaded: in a worker, in Deno or in a bundle.
import init, * as raw from "../build/html/ask_user_html.js";
import { bind } from "./html.js";

/** @import { WasmSource } from "../types/ask-user.js" */

const html = bind(raw);

/**
 * Loads the module, by default from the file that lies beside this one; the first call that succeeds decides.
 * @param {WasmSource} [source]
 */
export async function load(source = new URL("html.wasm", import.meta.url)) {
  await init({ module_or_path: source });
  return html;
}
