// The host for JavaScript: it stores conversations with an agent, and waits for the person when the agent asks.
import type { AuditRecord, Closing, Consultation, ConversationNotice, Desk, Dialect, Drafts, Handing, Json, Options, Outcome, Verdict } from "./core.js";

export type * from "./core.js";

/** A tool call of the agent. */
export interface Call {
  /** Differs from those of the other calls of the same response. */
  id: string;
  name: string;
  /** The arguments: a JSON value. Default: `{}`. */
  input?: unknown;
}

/** What a tool call gave. */
export interface ToolMessage {
  role: "tool";
  callId: string;
  content: Json;
  /** The content as JSON text, in which numbers have every digit. */
  contentText: string;
  /** Whether the content says why the call failed. */
  isError: boolean;
}

/** The answer to a question that the agent did not wait for (`blocking: false`). */
export interface AnswerMessage {
  role: "user";
  /** The call that asked. */
  callId: string;
  /** The answer in a sentence, for a model. */
  text: string;
  /** What the result of the call would have been. */
  content: Json;
  /** The content as JSON text, in which numbers have every digit. */
  contentText: string;
  /** Whether the content says why there is no answer. */
  isError: boolean;
}

/** A line of the transcript, as the agent sees it. */
export type Message =
  | { role: "user"; text: string; callId?: undefined }
  | AnswerMessage
  | { role: "assistant"; text: string; calls: { id: string; name: string; input: Json }[]; raw?: Json }
  | ToolMessage;

/** What the agent is called with. */
export interface Turn {
  /** The id of the conversation. */
  id: string;
  /** The transcript so far. It ends with the person's message or with results. */
  messages: Message[];
  /** The results of the calls of its last response, in their order; empty after a message. */
  results: ToolMessage[];
  /** Aborted when the person stops the agent. What it gives after that is dropped. */
  signal: AbortSignal;
}

/** What the agent gives. Without calls, the turn is over. A string stands for a text without calls. */
export interface Reply {
  /** What the person reads. Default: "". */
  text?: string;
  /** The tools to call, in this order. Default: none. */
  calls?: Call[];
  /** Kept with the response and given back in `messages`: what a provider wants to see again. Clients do not get it. A JSON value. */
  raw?: unknown;
}

/** Responds to a message or to results, for example with a request to a model. */
export type Agent = (turn: Turn) => Reply | string | Promise<Reply | string>;

/** What a tool is called with, beside its input. */
export interface ToolContext {
  /** The id of the conversation. */
  id: string;
  callId: string;
  /** Aborted when the person stops the agent. */
  signal: AbortSignal;
}

/** What `answered` is called with, beside the outcome. */
export interface AnsweredContext {
  /** The id of the conversation. */
  id: string;
  callId: string;
  /** The arguments of the call. */
  input: any;
  /** Differs from that of every other answer: the same if the same answer comes twice. */
  key: string;
}

/** A question that a tool asks in place of a result. */
export interface Ask {
  readonly request: unknown;
}

/** Runs a tool: gives its result, a JSON value, or `ask(…)`. An error that it throws is a result, too: its message goes to the agent. */
export type Run = (input: any, context: ToolContext) => unknown;

/** A tool that may ask. */
export interface Tool {
  run: Run;
  /**
   * Makes the tool's result of an answer. Default: the result of the form. It is called for one answer to a question only (without the host's option `key`, apart from
   * secrets). If the process ends before its result is stored, it is called again with the same `key`. Secrets are in `outcome.secrets` and nowhere else.
   */
  answered?(outcome: Outcome, context: AnsweredContext): unknown;
}

/** A conversation as it is stored. */
export interface StoredConversation {
  /** The digest of its token. */
  token: string;
  /** JSON text. */
  state: string;
}

/** What is stored in one transaction. */
export interface Change {
  /** JSON text. */
  state: string;
  /** Whether the host has something to do: `open` names such conversations. */
  isOpen: boolean;
  /** New lines, in their order. `key` is unique for the conversation and the kind. */
  lines: { kind: "message" | "state" | "record" | "response"; key?: string; text: string }[];
}

/** Where a host stores conversations. It knows nothing of what it stores: all texts are JSON texts. */
export interface Store {
  /** Adds a conversation with the revision 0. Fails, and changes nothing, if there is one with this id. */
  create(id: string, conversation: StoredConversation): Promise<void>;
  /**
   * The conversation as it was stored last; undefined if there is none. `isSettled`: a commit of this conversation has failed, and may be stored all the same. Wait until nothing of it
   * can be stored later, and give the conversation as it is then: in SQL, lock its row.
   */
  load(id: string, options?: { isSettled?: boolean }): Promise<(StoredConversation & { revision: number }) | undefined>;
  /**
   * Stores a change, all of it or nothing, and adds 1 to the revision. Gives false, and stores nothing, if the conversation has another revision. What is
   * stored when this ends must outlive the process.
   */
  commit(id: string, revision: number, change: Change): Promise<boolean>;
  /** The lines of these kinds after a place, and with this key if one is given, in the order in which they were stored. Later lines have a larger `place`. */
  lines(id: string, kinds: string[], options?: { after?: number; key?: string }): Promise<{ place: number; kind: string; text: string }[]>;
  /** The ids of the conversations that are open. */
  open(): Promise<string[]>;
}

/** What a host with an agent and an inbox have in common. */
export interface ServingOptions {
  store: Store;
  /** Answers in the person's place where a question has the target `assistant` and no person has to answer before. Without a verdict, or if it fails, the person is asked. */
  assistant?(consultation: Consultation, context: { signal: AbortSignal }): Verdict | undefined | Promise<Verdict | undefined>;
  /** Who asks, as the person reads it. */
  label?: string;
  /** Hears of errors that no client is told. Default: `console.error`. */
  onError?(error: unknown, context: { id?: string }): void | Promise<void>;
  /** The path of all addresses, as the browser sees it. Default: `/conversations`. */
  base?: string;
  /** The origins of the pages that may use this host, such as `https://app.example`. Default: the machine's own, under the port that they ask for. */
  origins?: string[];
  /** Bytes of a request's body. Default: 8,388,608. */
  largestBody?: number;
  /**
   * A random string of 32 characters or more that is not in the store, the same for all processes. With it, each of them recognises an answer that comes again with another secret; a
   * digest of the secrets under this key is stored for that. Default: only the process that took the answer does.
   */
  key?: string;
}

export interface HostOptions extends ServingOptions {
  agent: Agent;
  /** The tools of the agent, by name. */
  tools?: { [name: string]: Tool | Run };
  /** The tools of these dialects ask the person what their arguments say. Default: `["ask_user"]`. */
  dialects?: Dialect[];
  /** Whether a person can be asked. Without one, a tool that asks gets an error. Default: true. */
  attended?: boolean;
  /**
   * Whether the later calls of a response run while the question of an earlier one is open, so that several can be open at once. Holds for the conversations that begin from now on.
   * Default: false.
   */
  severalOpen?: boolean;
  /** The name of the cookie that has a conversation's token. Default: `ask_user_conversation`. */
  cookie?: string;
  /** Whether a request may be answered: true, or false for the status 401, or a response of your own. Default: true. The token is needed in any case. */
  authorize?(request: Request, context: { id?: string }): boolean | Response | Promise<boolean | Response>;
  /** How often event streams look for what other processes have stored, in milliseconds. Default: 0, which is never. */
  poll?: number;
}

export interface Host {
  /** The option `base`. */
  readonly base: string;
  /** The response to a request. It never fails. */
  handle(request: Request): Promise<Response>;
  /** Whether an address belongs to this host. */
  matches(url: string): boolean;
  /** Begins a conversation, and gives its id and the token that opens it. */
  create(): Promise<{ id: string; token: string }>;
  /** The person sends a message. Under a `key`, the same message counts once. */
  message(id: string, text: string, options?: { key?: string }): Promise<void>;
  /** The person stops the agent, whatever it does. An open question is ended with the turn, also after an answer that was saved and has not been sent. */
  stop(id: string): Promise<void>;
  /** What the conversation does now. */
  state(id: string): Promise<ConversationNotice>;
  /** The transcript, as the agent sees it. */
  messages(id: string): Promise<Message[]>;
  /** The audit trail. */
  records(id: string): Promise<AuditRecord[]>;
  /** Goes on with every conversation that was open when the last process ended. Call it once, before the first request. Conversations for which the store fails are tried again. */
  resume(): Promise<void>;
  /** Promises that nothing runs: each conversation is idle, or waits for the person. */
  settled(): Promise<void>;
  /** Ends all event streams, because the process is about to end. */
  close(): void;
  /** How many conversations are in memory. */
  readonly inMemory: number;
}

/** @throws {TypeError} for an option that does not exist or cannot have its value */
export function createHost(options: HostOptions): Host;

export interface InboxOptions extends ServingOptions {
  /** Whether a request may see and answer the questions of the conversation `id`: true, or false for the status 401, or a response of your own. Nothing else protects them. */
  authorize(request: Request, context: { id: string }): boolean | Response | Promise<boolean | Response>;
  /** How often event streams and `ask` look for what other processes have stored, in milliseconds. Default: 1,000. 0 is never. */
  poll?: number;
  /**
   * Gets the secrets of an answer before the answer is stored: keep them under `id`, which is the `id` of the `InboxAnswer`. If it throws, nothing is stored, and the page sends its answer
   * again. It can also be called for an answer that is not stored in the end; no `InboxAnswer` has its `id`.
   */
  onSecrets?(given: { conversation: string; callId: string; id: string; secrets: { [question: string]: string } }): void | Promise<void>;
}

/** A question that a program asks. */
export interface InboxQuestion {
  /** The name of the conversation: your own. It is part of its addresses. */
  conversation: string;
  /** The id of the call that asks. A call asks one question: the same call again gets the same answer. */
  callId: string;
  /** What to ask: a request in any dialect. */
  request: unknown;
  /** Default: detected. */
  dialect?: Dialect;
  options?: InboxAskOptions;
  /**
   * After how many milliseconds the question is closed without an answer. The page says how much time is left. Default: at the option `expiresAt`, at the end that the request
   * has, or never.
   */
  expiresIn?: number;
}

/** Options of the form, without those that the inbox sets. Clients get them. */
export type InboxAskOptions = Omit<Options, "nonce" | "toolCallId" | "secretAnswers">;

/** How a question ended. */
export interface InboxAnswer extends Pick<Handing, "outcome" | "records" | "turn" | "drafts"> {
  /** Differs from that of every other answer. */
  id: string;
  /** The result for the agent. Null if the person ended the turn, and the dialect has no result for that. */
  result: Json;
  /** The result as JSON text, in which numbers have every digit. */
  resultText: string | null;
  /** The secrets that were given, by question id, in the process that heard them: the last 100 answers with secrets. Undefined otherwise, and where none were given. */
  secrets: { [question: string]: string } | undefined;
  /** Whether the person ended the turn: the agent must stop. */
  isTurnEnded: boolean;
}

/** Asks people the questions of a program, and keeps what they answer. */
export interface Inbox {
  /** The option `base`. */
  readonly base: string;
  /** The response to a request. It never fails. */
  handle(request: Request): Promise<Response>;
  /** Whether an address belongs to this inbox. */
  matches(url: string): boolean;
  /**
   * Asks a question, and promises its answer, however long that takes. If `signal` is aborted, the program waits no more, and the question stays open: ask again with the same call.
   * Rejects with a `RejectionError` (`ask-user/core`) for a request that is no form, an `OtherQuestionError` if the call has asked another question, a `QuestionClosedError` if the
   * question is closed without an answer, and an error with the code "store" if the question could not be stored.
   */
  ask(question: InboxQuestion & { signal?: AbortSignal }): Promise<InboxAnswer>;
  /** Asks a question, and does not wait for its answer. Rejects as `ask` does. */
  put(question: InboxQuestion & { signal?: AbortSignal }): Promise<void>;
  /** Promises the answer to a question that was stored, as `ask` does. Rejects with an error with the code "no_question" if there is none. */
  wait(conversation: string, callId: string, options?: { signal?: AbortSignal }): Promise<InboxAnswer>;
  /** The answer to a question; undefined while it is open. Rejects with a `QuestionClosedError`, or with an error with the code "no_question". */
  answered(conversation: string, callId: string): Promise<InboxAnswer | undefined>;
  /** The questions that are open, the oldest first, as pages hear of them. */
  waiting(conversation: string): Promise<Desk["request"][]>;
  /** The audit trail of the questions that are closed. */
  records(conversation: string): Promise<AuditRecord[]>;
  /** Closes a question, because the agent goes on without an answer. False if it is not open. */
  close(conversation: string, callId: string): Promise<boolean>;
  /** The person ends the turn, at all questions that are open. Rejects with an error with the code "not_open" if none is. */
  stop(conversation: string): Promise<void>;
  /** Promises that nothing is tried again: what the store has not acknowledged is known. */
  settled(): Promise<void>;
  /** Ends all event streams, and rejects every `ask` that waits, because the process is about to end. The questions stay open. */
  shutdown(): void;
  /** How many conversations are in memory. */
  readonly inMemory: number;
}

/** @throws {TypeError} for an option that does not exist or cannot have its value */
export function createInbox(options: InboxOptions): Inbox;

/** The question was closed before anybody answered it. */
export class QuestionClosedError extends Error {
  private constructor();
  readonly name: "QuestionClosedError";
  readonly how: Closing;
  /** For `expired`, what the agent gets where its protocol waits for a result, such as `{ action: "cancel" }`; null otherwise. */
  readonly result: Json;
  /** The same as JSON text, with every digit. */
  readonly resultText: string | null;
  /** For `expired`, what the person had entered: the option `drafts` of a later question. */
  readonly drafts: Drafts;
  /** For `expired`, what the person had answered, as a message that may be given to the agent: it is no answer. Undefined if they had answered nothing. */
  readonly late: string | undefined;
}

/** The call has asked another question. */
export class OtherQuestionError extends Error {
  private constructor();
  readonly name: "OtherQuestionError";
}

/** Options of the form, without those that the host sets. Clients get them. */
export type AskOptions = Omit<Options, "nonce" | "toolCallId" | "turn" | "secretAnswers">;

/** A tool gives this to ask the person: a request in any dialect. */
export function ask(request: unknown, options?: AskOptions): Ask;

/** A store in memory, for tests, and for hosts that may forget everything when they end. */
export function memory(): Store;

/** An error of an agent whose message the person may read. `mayTryAgain` (default: true) says whether the same request makes sense again. */
export class AgentError extends Error {
  constructor(message: string, options?: { mayTryAgain?: boolean; cause?: unknown });
  readonly name: "AgentError";
  readonly mayTryAgain: boolean;
}
