// What wasm-bindgen writes for the crate in `html/`, as far as our scripts use it.
import type { WasmSource } from "../../../types/ask-user.js";

export function post(asked: string, fields: string): string;
export function shadow(asked: string): string;

/** Where the module comes from. A string is an address. */
export default function init(given?: { module_or_path?: WasmSource }): Promise<WebAssembly.Exports>;
export function initSync(given: { module: BufferSource | WebAssembly.Module }): WebAssembly.Exports;
