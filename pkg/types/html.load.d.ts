// A form as HTML where the host says from where its wasm is loaded.
import type { post, render } from "./html.js";

/** Loads the module: from a URL, bytes, a response or a compiled module; by default from `html.wasm` beside the script. */
export function load(source?: URL | RequestInfo | BufferSource | WebAssembly.Module | Response | Promise<Response>): Promise<{ render: typeof render; post: typeof post }>;
