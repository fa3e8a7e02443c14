// What an agent and its client say to each other of their work, as far as a question of the agent does not repeat it: who the agent is, the folders of sessions, what tool calls do, and which files change.
import { basename } from "node:path";

/**
 * A message of JSON-RPC, which somebody else has written.
 * @typedef {{ [name: string]: any }} Message
 */

/** How many sessions and tool calls are remembered, and how much of calls in all, in characters of JSON. */
const [MOST, LARGEST] = [1_000, 32 * 1024 * 1024];
/** What of a tool call a person sees. */
const SHOWN = ["title", "kind", "name", "rawInput", "content", "locations"];
/** The updates of a session that are about a tool call: a new one, and what changes. */
const UPDATES = ["tool_call", "tool_call_update"];
/** How a tool call has ended. */
const ENDED = ["completed", "failed", "cancelled"];

export class Work {
  #command;
  #folder;
  /** @type {string | undefined} */
  #given;
  /** @type {string | undefined} */
  #name;
  /** The version of the Agent Client Protocol. */
  version = 1;
  /** The folders of sessions. @type {Map<string, string>} */
  #folders = new Map();
  /** The client's requests that are about a session or a turn: the folder, and whose turn it is. @type {Map<string, { cwd?: string, turn?: string }>} */
  #requests = new Map();
  /** What is known of tool calls and of changes of files, as JSON. @type {Map<string, string>} */
  #calls = new Map();
  #size = 0;

  /** @param {{ command: string, who?: string, folder: string }} options */
  constructor({ command, who, folder }) {
    this.#command = basename(command);
    this.#given = textOf(who);
    this.#folder = folder;
  }

  /** Who asks: what was given, or what the agent calls itself. */
  get who() {
    return (this.#given ?? this.#name ?? this.#command).slice(0, 200);
  }

  /**
   * The folder in which a question is asked.
   * @param {any} params
   */
  folderOf(params) {
    const known = this.#folders.get(params?.sessionId) ?? this.#folders.get(params?.threadId);
    return (textOf(params?.cwd) ?? known ?? this.#folder).slice(0, 1_000);
  }

  /**
   * Learns from a request or a notification of the client.
   * @param {Message} message
   */
  clientSaid({ id, method, params }) {
    const cwd = textOf(params?.cwd);
    const session = params?.sessionId ?? params?.threadId;
    if (cwd !== undefined && typeof session === "string" && ["session/load", "session/resume", "turn/start"].includes(method)) remember(this.#folders, session, cwd);
    const turn = method === "session/prompt" && typeof session === "string" ? session : undefined;
    if (id !== undefined && (cwd !== undefined || turn !== undefined)) remember(this.#requests, JSON.stringify(id), { cwd, turn });
  }

  /**
   * Learns from what the agent replies to the client; gives the session whose turn has ended with it.
   * @param {Message} message
   * @returns {string | undefined}
   */
  agentReplied({ id, result }) {
    const name = JSON.stringify(id);
    const { cwd, turn } = this.#requests.get(name) ?? {};
    this.#requests.delete(name);
    this.#name ??= textOf(result?.agentInfo?.title) ?? textOf(result?.agentInfo?.name);
    if (Number.isSafeInteger(result?.protocolVersion)) this.version = result.protocolVersion;
    const session = result?.sessionId ?? result?.thread?.id;
    const folder = textOf(result?.cwd) ?? textOf(result?.thread?.cwd) ?? cwd;
    if (folder !== undefined && typeof session === "string") remember(this.#folders, session, folder);
    return turn;
  }

  /**
   * Learns from a notification of the agent; says whether that is about a call.
   * @param {Message} message
   */
  agentSaid({ method, params }) {
    const item = params?.item;
    if (method === "session/update" && UPDATES.includes(params?.update?.sessionUpdate)) this.#updated(params.sessionId, params.update);
    else if (method === "item/fileChange/patchUpdated") this.#keep([params?.threadId, params?.itemId], { changes: params?.changes });
    else if (item?.type === "fileChange" && method === "item/started") this.#keep([params.threadId, item.id], { changes: item.changes });
    else if (item?.type === "fileChange" && method === "item/completed") this.#forget([params.threadId, item.id]);
    else return false;
    return true;
  }

  /**
   * A request as the person is asked, with what was said before of its call. Undefined if that is not known any more.
   * @param {Message} message
   * @returns {Message | undefined}
   */
  asked(message) {
    const { method, params } = message;
    if (method === "item/fileChange/requestApproval") {
      const known = this.#known([params?.threadId, params?.itemId]);
      return known === null ? undefined : { ...message, params: { ...known, ...params } };
    }
    const call = params?.toolCall ?? params?.subject?.toolCall;
    if (method !== "session/request_permission" || call === null || typeof call !== "object") return message;
    const known = this.#known([params.sessionId, call.toolCallId]);
    if (known === null) return undefined;
    const whole = { ...known, ...said(call) };
    return { ...message, params: params.toolCall ? { ...params, toolCall: whole } : { ...params, subject: { ...params.subject, toolCall: whole } } };
  }

  /**
   * @param {unknown} session
   * @param {Message} update
   */
  #updated(session, update) {
    const of = [session, update.toolCallId];
    if (ENDED.includes(update.status)) return this.#forget(of);
    const shown = Object.fromEntries(Object.entries(said(update)).filter(([name]) => SHOWN.includes(name)));
    const known = this.#known(of);
    if (known !== null) this.#keep(of, update.sessionUpdate === "tool_call" ? shown : { ...known, ...shown });
  }

  /**
   * What is known of a call; null if it is too large to be remembered.
   * @param {unknown[]} of
   * @returns {Message | null | undefined}
   */
  #known(of) {
    const text = this.#calls.get(JSON.stringify(of));
    return text === undefined ? undefined : JSON.parse(text);
  }

  /**
   * @param {unknown[]} of
   * @param {Message} known
   */
  #keep(of, known) {
    this.#forget(of);
    const text = JSON.stringify(known);
    const kept = text.length > LARGEST / 4 ? "null" : text;
    this.#calls.set(JSON.stringify(of), kept);
    this.#size += kept.length;
    for (const [oldest, { length }] of this.#calls) {
      if (this.#calls.size <= MOST && this.#size <= LARGEST) break;
      if (length > 4) this.#replace(oldest);
      else this.#calls.delete(oldest);
    }
  }

  /**
   * Of a call that is too old only that is known.
   * @param {string} name
   */
  #replace(name) {
    this.#size -= /** @type {string} */ (this.#calls.get(name)).length - 4;
    this.#calls.delete(name);
    this.#calls.set(name, "null");
  }

  /** @param {unknown[]} of */
  #forget(of) {
    const name = JSON.stringify(of);
    this.#size -= this.#calls.get(name)?.length ?? 0;
    this.#calls.delete(name);
  }
}

/** @type {(value: unknown) => string | undefined} */
const textOf = (value) => (typeof value === "string" && value.trim() ? value : undefined);

/**
 * What an update says: it leaves out what has not changed.
 * @param {Message} update
 * @returns {Message}
 */
const said = (update) => Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined && value !== null));

/**
 * Remembers a value; the oldest one goes if there are too many.
 * @template T
 * @param {Map<string, T>} values
 * @param {string} name
 * @param {T} value
 */
function remember(values, name, value) {
  values.delete(name);
  values.set(name, value);
  for (const [oldest] of values) if (values.size > MOST) values.delete(oldest);
}
