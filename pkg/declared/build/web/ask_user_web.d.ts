// What wasm-bindgen writes for `web/src/handle.rs`, as far as our scripts use it.
import type { WasmSource } from "../../../types/ask-user.js";

export class Handle {
  free(): void;
  assistant(verdict: string, record: string): void;
  changes(): string;
  checkSchemas(compile: (schema: string, documents?: string, work?: number) => { check(value: string): string | undefined }): void;
  check(text: string, id?: string | null): string | undefined;
  close(how: string): void;
  drafts(): string | undefined;
  fail(reason: string): void;
  focus(): void;
  freeze(frozen: boolean): void;
  hold(holds: boolean): void;
  isHeld(): boolean;
  needsSchemas(): boolean;
  records(): string;
  release(): void;
  response(): string | undefined;
  save(): string | undefined;
  schemaOf(id: string): string | undefined;
  schemasFailed(): void;
  setLabel(label?: string | null): void;
  settle(): void;
  showBefore(how: string): void;
  showConnection(open: boolean): void;
  showDelivery(state: string, message?: string | null): void;
  turn(): string | undefined;
  write(text?: string | null): boolean;
}
/** Called without arguments whenever `changes` has something new, and with a node, a place in it and a value to say the words of the form. */
export type Script = (...said: [] | [node: Node, place: string, said: string]) => void;


export function mount(parent: HTMLElement, request: string | null | undefined, dialect: string | null | undefined, options: string, saved: string | null | undefined, secrets: string | null | undefined, script: Script, past: boolean): Handle;
export function registerDialect(declaration: string): string;

/** Where the module comes from. A string is an address. */
export default function init(given?: { module_or_path?: WasmSource }): Promise<WebAssembly.Exports>;
export function initSync(given: { module: BufferSource | WebAssembly.Module }): WebAssembly.Exports;
