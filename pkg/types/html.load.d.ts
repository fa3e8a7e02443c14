// A form as HTML where the host says from where its wasm is loaded.
import type { WasmSource } from "./ask-user.js";
import type { post, render } from "./html.js";

/** Loads the module: from an address, bytes, a response, a compiled module, or a promise of one of the last three; by default from `html.wasm` beside the script. */
export function load(source?: WasmSource): Promise<{ render: typeof render; post: typeof post }>;
