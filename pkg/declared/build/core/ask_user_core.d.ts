// What wasm-bindgen writes for `core/src/wasm.rs`, as far as our scripts use it.
import type { WasmSource } from "../../../types/ask-user.js";

export class Conversation {
  free(): void;
  static begin(attended: boolean, several_open: boolean): Conversation;
  endedBy(event: string): string;
  notice(): string;
  on(event: string): string;
  open(): string;
  static read(stored: string): Conversation;
  save(): string;
  state(): string;
}

export class Desk {
  free(): void;
  answer(): string | undefined;
  static ask(call: string, request: string, dialect: string | null | undefined, options: string, earlier?: string | null): Desk;
  begun(saved: string): Desk;
  closed(): string | undefined;
  on(input: string, now?: number | null): string;
  static read(stored: string): Desk;
  request(): string;
  save(): string;
  secretsIn(input: string): string | undefined;
}

export class Walk {
  free(): void;
  answerAll(answers: string): void;
  answer(value: string, other: string | null | undefined, note: string | null | undefined, remember: boolean): void;
  answers(answers: string): void;
  approvals(): string;
  assistant(verdict: string, record: string): void;
  back(): void;
  change(id: string): void;
  check(value: string, other?: string | null, id?: string | null): void;
  consultation(): string | undefined;
  continued(response: string): Walk;
  drafts(): string;
  endTurn(): void;
  end(): boolean;
  expire(now: number): boolean;
  form(): string;
  idempotencyKey(): string;
  isOver(): boolean;
  outcome(): string | undefined;
  page(answers: string): string;
  records(from: number): string;
  reply(text?: string | null): void;
  response(): string;
  result(): string | undefined;
  save(): string;
  step(): string;
  submit(): void;
  template(): string | undefined;
  toConfirm(answers: string): string;
  turn(): string;
  typed(text: string): void;
  write(text: string): void;
}

export function detectDialect(request: string, options: string): string;
export function dialects(): string;
export function mendRecords(records: string): string;
export function open(request: string, dialect: string | null | undefined, options: string): Walk;
export function permission(tool: string, kind: string, options: string): string;
export function readRecords(lines: string, turns: string): string;
export function recordsMarkdown(records: string): string;
export function registerDialect(declaration: string): string;
export function resume(request: string, saved: string, dialect: string | null | undefined, options: string, secrets: string): Walk;
export function stream(dialect: string | null | undefined, options: string): Walk;
export function toolDefinitions(dialect: string, sub_agent: boolean): string;
export function unreadable(reason: string): string;

/** Where the module comes from. A string is an address. */
export default function init(given?: { module_or_path?: WasmSource }): Promise<WebAssembly.Exports>;
export function initSync(given: { module: BufferSource | WebAssembly.Module }): WebAssembly.Exports;
