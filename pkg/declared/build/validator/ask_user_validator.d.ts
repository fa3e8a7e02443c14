// What wasm-bindgen writes for the crate in `validator/`, as far as our scripts use it.
import type { WasmSource } from "../../../types/ask-user.js";

export class Fields {
  free(): void;
  get left(): number;
  open(pointer: string, options?: string | null, work?: number | null): string;
  setText(text: string, work?: number | null): string | undefined;
  start(pointer: string, options?: string | null, work?: number | null): string;
  switch(pointer: string, group: string, index: number, options?: string | null, work?: number | null): string;
  violations(options?: string | null, work?: number | null): string;
}

export class Schema {
  free(): void;
  check(value: string, work?: number | null): string | undefined;
  fields(): Fields;
  get left(): number;
  get module(): WebAssembly.Module;
  template(): string | undefined;
}

export function compileSchema(schema: string, documents?: string | null, work?: number | null): Schema;

/** Where the module comes from. A string is an address. */
export default function init(given?: { module_or_path?: WasmSource }): Promise<WebAssembly.Exports>;
export function initSync(given: { module: BufferSource | WebAssembly.Module }): WebAssembly.Exports;
