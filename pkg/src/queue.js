// The requests that are due at one element. One is shown, the others wait, each with its own tool call id. Knows no form and no page.

/**
 * @import { DueRequest } from "../types/ask-user.js"
 * @import { ConversationNotice, SavedWalk } from "../types/core.js"
 */

/**
 * A request: `id` is one that only the same request has.
 * @typedef {{ id: string, call?: string, request: unknown, dialect?: string, options?: DueRequest["options"], walk?: SavedWalk | string, version?: string }} Entry
 */

/**
 * A request as a page or a host has written it.
 * @typedef {{ [name: string]: any }} Written
 */

/** The type of the event that says what is due. */
const DUE = "awaiting_user_response";

/**
 * What a host's event says is due, in order: its `requests`, or the one request that the event itself has. Nothing where it is another event.
 * Throws a TypeError where the event does not say which call an answer belongs to, or what is asked.
 * @param {ConversationNotice & { toolCallId?: string }} event
 * @returns {Entry[]}
 */
export function due(event) {
  if (event.type !== DUE) return [];
  // A host with one question at a time needs no ids: the call is that of the element.
  if (event.requests === undefined && event.tool_call_id === undefined && event.toolCallId === undefined) {
    const entry = read(event, { isAlone: true });
    return [{ ...entry, id: JSON.stringify([null, entry.request]) }];
  }
  const { requests = [event] } = event;
  return listed(requests, ({ call }) => /** @type {string} */ (call));
}

/**
 * What a page sets as `requests`. A call that asks something else is another request there: who writes an event may write the same request in another order of its keys.
 * @type {(requests: unknown) => Entry[]}
 */
export const given = (requests) => listed(requests, ({ call, dialect, request }) => JSON.stringify([call, dialect, request]));

/**
 * The entries of a list of requests, each with an id that only the same request has. Throws a TypeError where it is no list, or two of them share a call.
 * @param {unknown} requests
 * @param {(entry: Omit<Entry, "id">) => string} idOf
 * @returns {Entry[]}
 */
function listed(requests, idOf) {
  if (!Array.isArray(requests)) throw new TypeError("`requests` must be a list.");
  const calls = new Set();
  return requests.map((given) => {
    const entry = read(given);
    if (calls.has(entry.call)) throw new TypeError(`Two requests have the tool call id ${JSON.stringify(entry.call)}. Give each its own.`);
    calls.add(entry.call);
    return { ...entry, id: idOf(entry) };
  });
}

/**
 * One request, and what is needed to ask it.
 * @param {Written | null | undefined} given
 * @param {{ isAlone?: boolean }} [options]
 * @returns {Omit<Entry, "id">}
 */
function read(given, { isAlone = false } = {}) {
  const { tool_call_id, toolCallId, request, questions, dialect, options, walk, version } = given ?? {};
  const call = tool_call_id ?? toolCallId;
  if (!(isAlone && call === undefined) && (typeof call !== "string" || !call)) throw new TypeError("A request lacks its tool call id: set `tool_call_id`, a text that is not empty.");
  if (request === undefined && questions === undefined) throw new TypeError(`The ${call === undefined ? "event" : `call ${JSON.stringify(call)}`} asks nothing: it has neither \`request\` nor \`questions\`.`);
  return { call, request: request === undefined ? { questions } : request, dialect, options, walk, version };
}

export class Queue {
  /**
   * What is open, in order.
   * @type {Entry[]}
   */
  #open = [];
  /**
   * What has ended here, by id, as long as it stays in the list. A list that is set again asks nothing twice.
   * @type {Set<string>}
   */
  #over = new Set();

  /**
   * Replaces the list. Gives what was open and is due no more.
   * @param {Entry[]} entries
   */
  take(entries) {
    const before = new Map(this.#open.map((entry) => [entry.id, entry]));
    const ids = new Set(entries.map(({ id }) => id));
    this.#over = new Set([...this.#over].filter((id) => ids.has(id)));
    // One that is known stays the same object.
    this.#open = entries.filter(({ id }) => !this.#over.has(id)).map((entry) => before.get(entry.id) ?? entry);
    return [...before.values()].filter(({ id }) => !ids.has(id));
  }

  /** What is open, in order. */
  get open() {
    return this.#open;
  }

  /**
   * Whether this is in the list.
   * @param {string} id
   */
  knows(id) {
    return this.#over.has(id) || this.#open.some((entry) => entry.id === id);
  }

  /**
   * The place of what is shown, and how many there are in all; nothing where there are not several.
   * @returns {[at: number, of: number] | undefined}
   */
  get place() {
    const all = this.#over.size + this.#open.length;
    return all > 1 && this.#open.length ? [this.#over.size + 1, all] : undefined;
  }

  /**
   * This one has ended, and is asked no more.
   * @param {Entry} entry
   */
  ends(entry) {
    if (!this.#open.includes(entry)) return;
    this.#open = this.#open.filter((other) => other !== entry);
    this.#over.add(entry.id);
  }

  /**
   * Puts one behind all others.
   * @param {Entry} entry
   */
  putOff(entry) {
    this.#open = [...this.#open.filter((other) => other !== entry), entry];
  }
}
