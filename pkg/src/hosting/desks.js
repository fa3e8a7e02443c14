// What comes to the desk of a question, whatever keeps the desk: inputs of clients, and verdicts of an assistant. And what a process remembers of secrets.
import { seal } from "./digests.js";
import { bad } from "./refused.js";

/**
 * @import * as Package from "../../types/core.js"
 * @import { ServingOptions } from "../../types/host.js"
 */

/**
 * The headless package.
 * @typedef {Awaited<ReturnType<typeof import("../core.load.js").load>>} Core
 */

/** @typedef {Package.Desk} Desk */

/**
 * A desk as it is stored, as far as a host reads it.
 * @typedef {{ call: string, options?: { nonce?: string, blocking?: boolean }, expires?: number, version?: string, closed?: { how: Package.Closing, key?: string, taken?: { key?: string, nonce?: string, sent?: unknown } } }} StoredDesk
 */

/**
 * An input of a desk without its body.
 * @typedef {{ type: string, key?: string | null, nonce?: string | null, tool_call_id?: string | null, replaces?: string | null, seal?: Package.Seal | null }} Input
 */

/** How many answers with secrets in them are kept in memory. */
const SECRETS = 100;

/**
 * A stored desk; undefined if this version cannot read it.
 * @param {Core} core
 * @param {unknown} stored
 * @returns {Desk | undefined}
 */
export function readDesk({ Desk, UnreadableStateError }, stored) {
  try {
    return Desk.fromJSON(stored);
  } catch (error) {
    if (error instanceof UnreadableStateError) return undefined;
    throw error;
  }
}

/**
 * Brings an input to a desk: the members of `body`, which is JSON text, and those of `input`. Secrets are sealed under `key`; `now` is in milliseconds since the beginning of 1970. Gives what follows.
 * @param {Desk} desk
 * @param {Input} input
 * @param {string | undefined} body
 * @param {string | undefined} key
 * @param {number} [now]
 */
export async function reactionOf(desk, input, body, key, now) {
  try {
    const secrets = desk.secretsIn(textOf(input, body));
    return desk.on(textOf({ ...input, seal: secrets === undefined ? null : await seal(secrets, key) }, body), now);
  } catch (error) {
    if (error instanceof TypeError) throw bad(error.message);
    throw error;
  }
}

/**
 * Asks the assistant as long as the walk wants one. One that fails gives no verdict, and the person is asked.
 * @param {Package.Walk} walk
 * @param {ServingOptions["assistant"]} assistant
 * @param {AbortSignal | undefined} signal
 * @param {(error: unknown) => void} onError
 */
export async function consult(walk, assistant, signal = new AbortController().signal, onError) {
  for (let asked; (asked = walk.consultation); ) {
    let given;
    try {
      given = await assistant?.(asked, { signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      onError(error);
    }
    const { record: _, ...verdict } = given ?? /** @type {Partial<Package.Verdict>} */ ({});
    walk.assistant(Object.keys(verdict).length ? /** @type {Package.Verdict} */ (verdict) : null, asked.record);
  }
}

/**
 * Remembers what has secrets in it under an id, and forgets the oldest.
 * @template V
 * @param {Map<string, V>} secrets
 * @param {string} id
 * @param {V} value
 */
export function remember(secrets, id, value) {
  secrets.set(id, value);
  if (secrets.size > SECRETS) secrets.delete(/** @type {string} */ (secrets.keys().next().value));
}

/**
 * An input of a desk as JSON text: the members of a body, given as JSON text with every digit of its numbers, and then these, which count.
 * @param {object} input
 * @param {string} body
 */
function textOf(input, body = "{}") {
  const members = body.trimEnd().slice(0, -1);
  const more = JSON.stringify(input).slice(1);
  return /^\s*\{\s*$/.test(members) ? `{${more}` : `${members},${more}`;
}

/**
 * The option `key` of a host.
 * @param {unknown} key
 * @returns {string | undefined}
 */
export function checkedKey(key) {
  if (key !== undefined && (typeof key !== "string" || key.length < 32)) throw new TypeError("The option `key` must be a random string of 32 characters or more.");
  return /** @type {string | undefined} */ (key);
}
