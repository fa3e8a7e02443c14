// The custom element <ask-user>, and the details of its events.
import type { AuditRecord, Consultation, Dialect, DialectDeclaration, Drafts, Json, Options, Outcome, Problem, SavedWalk, Step, ToolResult, Turn, UnresumableCode, Verdict, WalkResponse, WarningCode } from "./core.js";
import type { PluralForms, Words } from "./words.js";

export type { PluralForms, Words };

export type * from "./core.js";

/** `ask-user-ready`: the request is accepted. */
export interface ReadyDetail {
  dialect: Dialect;
  /** How many questions there are, skipped ones included. */
  questions: number;
  warnings: Problem<WarningCode>[];
  /** Whether a walk was taken up. Its past is in `records`, and is not told again. */
  resumed: boolean;
  /** When the time for an answer is over, if it ends. */
  expiresAt?: string;
  /** Why the saved walk was not taken up, if it was not. */
  unresumable?: { code: UnresumableCode; message: string };
}

/** `ask-user-step`: something new is shown. */
export interface StepDetail {
  step: Step;
}

/** `ask-user-record`: a line of the audit trail. */
export interface RecordDetail {
  record: AuditRecord;
}

/** `ask-user-result` and `ask-user-end-turn`: the walk has ended. */
export interface EndDetail {
  outcome: Outcome;
  /** For the agent; undefined where it gets none. */
  result: Json | undefined;
  /** The result as JSON text, with every digit. */
  resultText: string | undefined;
  /** The secrets, by question id: for the host alone. */
  secrets: { [id: string]: string };
  /** The same however often this ending is sent. */
  idempotencyKey: string;
  /** The call that was asked. */
  toolCallId: string;
}

/**
 * `ask-user-rejected`: the request became no form. With `respond-url` or `deliver` the host gets the rejection half a second later, as the end of the call; a page that
 * tells the agent itself calls `preventDefault()`.
 */
export interface RejectedDetail {
  problems: Problem[];
  message: string;
  /** What to hand back to the model. */
  toolResult: ToolResult;
}

/** `ask-user-error`: the host's own fault, such as an option or a request that cannot be; nothing is shown. It is reported to the page too. */
export interface ErrorDetail {
  error: TypeError;
}

/**
 * `ask-user-closed`: the question was closed elsewhere. The host says so by `events-url`, or by `409` or `410` at `save-url` (`closed`), or another tab has ended it. Or it waited behind
 * another one whose turn the person has ended, and was never shown. Or the time for an answer was over (`expired`).
 */
export interface ClosedDetail {
  how: "answered" | "replied" | "declined" | "turn_ended" | "overtaken" | "expired" | "failed" | "closed";
  toolCallId: string;
  /** For `expired`: what the person had entered, for the option `drafts` of a later form. */
  drafts?: Drafts;
}

/** One of several requests that are due at once. */
export interface DueRequest {
  /** The call that asks. No other request of the list has it; ends and records name it. */
  toolCallId: string;
  /** What the agent sent: a value, or JSON text. */
  request: unknown;
  /** Detected from the shape without it. */
  dialect?: Dialect;
  /** Options of this request alone, over those of `host`. */
  options?: Omit<Options, "dialect" | "toolCallId">;
  /** A walk to resume. */
  walk?: SavedWalk | string;
  /** The ETag of that walk. */
  version?: string;
}

/** How the delivery of an end goes. */
export interface DeliveryDetail {
  /** `failed`: not without the person, who can try again, or go Back where the host has refused the ending with a 4xx; or never, where the question is closed. After Back, another ending is told, under a key of its own. */
  state: "sending" | "retrying" | "sent" | "failed";
  /** Why it failed: the host's words, or the form's. */
  message?: string;
  /** The key of the end, as its event had it. */
  idempotencyKey: string;
}

/** Keeps texts, as `localStorage` does; it may take its time. */
export interface WalkStorage {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, text: string): unknown;
}

/** The events of the element; all bubble and are composed. */
/** Whether the form is put away now. */
export interface FoldDetail {
  folded: boolean;
}

export interface AskUserEventMap {
  "ask-user-ready": CustomEvent<ReadyDetail>;
  "ask-user-step": CustomEvent<StepDetail>;
  /** Something was typed and not answered yet: `walk` has it. */
  "ask-user-draft": CustomEvent<Record<string, never>>;
  "ask-user-closed": CustomEvent<ClosedDetail>;
  /** How the delivery goes. It goes on when the element is off the page, and is told at the document then. */
  "ask-user-delivery": CustomEvent<DeliveryDetail>;
  "ask-user-record": CustomEvent<RecordDetail>;
  "ask-user-result": CustomEvent<EndDetail>;
  "ask-user-end-turn": CustomEvent<EndDetail>;
  "ask-user-rejected": CustomEvent<RejectedDetail>;
  "ask-user-error": CustomEvent<ErrorDetail>;
  /** The form was put away, or came back: by the person or by the page. */
  "ask-user-fold": CustomEvent<FoldDetail>;
  /** The element was taken off the page; does not bubble. */
  "ask-user-removed": CustomEvent<null>;
}

/** The options of a page. */
export interface Host extends Omit<Options, "dialect"> {
  /**
   * For how many seconds the person can undo the end of the form, from 0 (the default) to 60. Meanwhile the host is told nothing: no event, no
   * record, no delivery, and `walk` is as it was before. The end is told at once when the element or the page goes away, or when other settings
   * make the form anew; it is dropped when the question is closed elsewhere. A secret that was the last answer has to be typed again.
   */
  undo?: number;
  /**
   * Whether the Markdown of agents is rendered (true, the default) or shown as it is written. It covers the message, contexts, questions, options, previews and advice.
   */
  markdown?: boolean;
  /**
   * Whether questions are asked one by one ("steps"), together ("page"), or two to four of them under tabs ("tabs"): docs/layout.md. "auto", the default, makes tabs of two to four short
   * choices with headers, a page of two to eight other short questions without conditions, and steps of all others.
   */
  layout?: "steps" | "page" | "tabs" | "auto";
  /** What the form says in place of its own words, in any language, by the keys of docs/words.md. Changes in place. */
  words?: Words;
  /** Asks an assistant where a question is put to one. Without it, or where it gives none, the person is next. */
  assistant?(step: Step, consultation: Consultation): Verdict | undefined | Promise<Verdict | undefined>;
  /**
   * The host's clock, in milliseconds since the beginning of 1970: `Date.now` by default. A question that expires (`expiresAt`) is closed by it, unless the host is heard at
   * `events-url`, which closes the question itself.
   */
  now?(): number;
  /**
   * Takes the end to the agent, in place of `respond-url` and `cancel-url`. The form says that it is sent once the promise is fulfilled; where it is
   * rejected, or not settled within a minute, the person reads the error's message and can send it again; `signal` is aborted then.
   */
  deliver?(
    end: DeliveredEnd | DeliveredRejection,
    options: { signal: AbortSignal },
  ): void | Promise<void>;
  /** Makes the requests to `respond-url`, `cancel-url` and `save-url` in place of fetch: for headers, tokens, another transport. */
  fetch?: typeof fetch;
  /** The credentials of these requests (Fetch standard, "credentials mode"); "same-origin" by default. */
  credentials?: RequestCredentials;
  /**
   * Keeps the walk in the browser, without secrets: what was answered or typed before a reload is there again, what was not sent is sent then, and what was
   * sent is shown as a receipt. One text for each question, which stays until the page takes it away.
   */
  storage?: WalkStorage;
}

/** An ending as `deliver` takes it. */
export interface DeliveredEnd extends EndDetail {
  /** What the host reads again by `continued`. */
  response: WalkResponse & { rejected?: undefined };
}

/** The rejection of a request that became no form, as `deliver` takes it. */
export interface DeliveredRejection extends Omit<EndDetail, "outcome" | "result"> {
  outcome: { ends: "failed"; error: "invalid_request"; result: ToolResult; reply?: undefined; explanation?: undefined; secrets?: undefined };
  result: ToolResult;
  response: { rejected: ToolResult; walk?: undefined; secrets?: undefined };
}

/** An old walk to show. */
export interface Receipt {
  /** The request as it was asked: a value, or JSON text. */
  request: unknown;
  /** The walk as the element saved it (`walk`). */
  walk: SavedWalk | string;
  /** The dialect of the request; that of the element by default. */
  dialect?: Dialect;
  /** The id of the tool call that asked; that of the element by default. */
  toolCallId?: string;
  /** The options of the host that the form had; those of the element by default. */
  options?: Options;
}

/** `<ask-user>`. Attributes: `request` (JSON text), `dialect`, `tool-call-id`, `label`, `respond-url`, `cancel-url`, `events-url`, `save-url`, `save-version` (the ETag of the walk that was set), `shortcuts` ("off"), `density` ("compact" or "spacious"), `foldable` (offers to put the form away), `folded`, `keep-receipts`. */
export class AskUser extends HTMLElement {
  /**
   * The request: a value, or JSON text; or, while a model still writes it, a stream of its text as strings or bytes of UTF-8 (a ReadableStream, or an async iterable), which its whole text
   * takes the place of at its end. Setting an equal one does nothing. Another request, `dialect` or `tool-call-id` asks anew: to ask the same
   * once more, give it another `tool-call-id`. What no agent can have asked (a value that is no JSON, the text "[object Object]") is an `ask-user-error`.
   */
  request: unknown;
  /**
   * Several requests that are due at once, as of a graph with several interrupts. They are shown one after the other, in this order; the next one comes once the end of
   * the one before is told, and sent where it is to be sent. Each end has the `toolCallId` and an idempotency key of its own. Gives those that are still open.
   *
   * Setting a list again asks nothing twice: what is shown stays while it is in the list, and what has ended here is not asked again until a list comes without it. What the list
   * lacks is taken away. The requests of a list are of one turn: the next form begins with the `turn` of the one before, unless its own options have one. When the person ends the turn,
   * those that wait are closed (`ask-user-closed`, "turn_ended"). A list with two equal calls, or a request without one, is an `ask-user-error`, and nothing changes.
   */
  get requests(): DueRequest[];
  set requests(requests: readonly DueRequest[] | null | undefined);
  /**
   * The host's options; the attributes of the same meaning come first. Setting equal ones does nothing. `label`, `undo`, `fetch`,
   * `credentials`, `storage`, `assistant` and `deliver` change in place. After any other change the request is read again and the walk goes on; what stands in a secret's field is gone then.
   */
  get host(): Host;
  set host(host: Host | null | undefined);
  /** The audit trail so far, with what a resumed walk had before. */
  readonly records: AuditRecord[];
  /** The walk so far, to be stored anywhere; undefined where there is none. Set it to resume, before or after `request`. */
  get walk(): SavedWalk | undefined;
  set walk(saved: SavedWalk | string | null | undefined);
  /** What the next form of the same turn begins with. Set it on that form, as the option `turn` of `host`. */
  get turn(): Partial<Turn> | undefined;
  set turn(turn: Partial<Turn> | null | undefined);
  /**
   * What the person answered or typed in forms that they left with Reply, or whose request was rejected. The element keeps it by itself for its next request: a question with the same id, text,
   * type and options starts from it. Never a yes or no, a tool call, a URL or a secret. Set it to pass it on to another element, or after a reload; set undefined to forget it.
   */
  get drafts(): Drafts | undefined;
  set drafts(drafts: Drafts | null | undefined);
  /**
   * Shows a saved walk read-only, as the history of a chat needs: no buttons, no events but `ask-user-error`, nothing is sent or kept. A walk that had not ended says so. What is not
   * a walk of this request is an `ask-user-error`, and the person reads that it cannot be shown. Setting it takes away a `request`, and a `request` takes it away.
   */
  get receipt(): Receipt | undefined;
  set receipt(receipt: Receipt | null | undefined);
  /**
   * Whether the form is put away: it folds to one line, which stays at the edge of what scrolls, and keeps everything. The attribute `folded` says the same. With the attribute `foldable` the person can put it
   * away and bring it back; without it, only the page puts it away. Nothing is answered while it is away, and a question that expires does so all the same.
   */
  folded: boolean;
  /**
   * Adds a piece to the text of a request that is still being written. The first piece begins another request, also after `end` and after `request` was set. A character may be cut anywhere.
   * @throws {TypeError} for anything but a string or bytes of UTF-8
   */
  write(piece: string | ArrayBuffer | ArrayBufferView): void;
  /** The request that was written is whole: it is read as any other. Nothing was answered for the agent before. */
  end(): void;
  /** Moves the focus to the open question. */
  focus(): void;
  /** Takes no key and no press before half a second has passed without one. A form does so by itself when it begins, moves, appears or gets the focus from a script. */
  settle(): void;
  addEventListener<Name extends keyof AskUserEventMap>(
    name: Name,
    listener: (this: AskUser, event: AskUserEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(name: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** Where the wasm of a module comes from: an address, the bytes, a compiled module, a response, or a promise of one of the last three. */
export type WasmSource =
  | string | URL | Request | BufferSource | WebAssembly.Module | Response
  | Promise<BufferSource | WebAssembly.Module | Response>;

/** The wasm modules of a form: each a source, or a function that gives one when the module is needed. */
export interface WasmSources {
  /** The form itself. */
  form?: WasmSource | (() => WasmSource);
  /** Checks answers by their JSON Schema; loaded when a form has a `schema` question. */
  validator?: WasmSource | (() => WasmSource);
  /** Says how an assistant is asked; loaded when one is. */
  core?: WasmSource | (() => WasmSource);
  /** Languages by tag (BCP 47): their words, a module that has them as its default export, or a function that gives one. */
  locales?: Record<string, LocaleSource | (() => LocaleSource | Promise<LocaleSource>)>;
}

/** The words of a language, or a module that has them as its default export. */
export type LocaleSource = Words | { default: Words };

/**
 * Hands in the wasm and languages, for a host that serves no files beside the scripts; without it, they are fetched from there. To be called before
 * the first form, as a module that is loaded stays.
 * @throws {TypeError} for a module that does not exist
 */
export function initialize(sources: WasmSources): void;

/**
 * Declares a dialect of your own for the forms of this page, and promises its name: the value for the attribute `dialect`. Wait for it before a form names the dialect.
 * [`registerDialect` of ask-user/core](./core.d.ts) does the same for a host.
 * @throws {TypeError} for what is no declaration
 */
export function registerDialect(declaration: DialectDeclaration | string): Promise<Dialect>;

/**
 * Fetches ahead what a form may need, once for a page: the form's own module; for a `schema` question the validator, the fields and, where the pointer is fine, the editor; Markdown;
 * and the language of the page. Once the page is idle, it also checks a small schema and takes two steps in a form that is not on the page, so that the browser compiles what forms need; it resolves after that. Without `preload`, an element
 * on the page fetches the form's module, and a form fetches the rest when its first question is on the screen. Rejects where a module cannot be fetched.
 */
export function preload(): Promise<void>;

/** What to ask with. */
export interface AskOptions {
  /** Where the element is put, at the end; the body by default. */
  parent?: ParentNode;
  /** Takes the question off the page when it is aborted. */
  signal?: AbortSignal;
  host?: Host;
  /** A walk to resume. */
  walk?: SavedWalk | string;
  /** Attributes of the element: `dialect`, `tool-call-id`, `label`, `respond-url`, … */
  attributes?: { [name: string]: string };
}

/**
 * Puts an `<ask-user>` on the page and gives how it ends, the end of the turn included. Fails with an error named `RejectionError`, with
 * `problems` and `toolResult`, when the request becomes no form; with a TypeError for an option of `host` that does not exist; with the signal's reason when it is aborted; and with an `AbortError`
 * when the element is removed before the end, another request is set on it, or the question is closed elsewhere. The element stays where it is with its receipt.
 *
 * Calls with one `parent` wait for each other: one form is open at a time, in the order of the calls, and each promise gets its own answer. One that is aborted while it waits is never shown.
 */
export function ask(request: unknown, options?: AskOptions): Promise<EndDetail>;

declare global {
  interface HTMLElementTagNameMap {
    "ask-user": AskUser;
  }
}
