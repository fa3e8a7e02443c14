// Finds the inbox that runs for a data folder, and makes sure that it is that one: another program may have its port since.
import { isSame, proof, unguessable } from "./folder.js";
import { isHeld } from "./lock.js";

/**
 * @import { Folder, Running } from "./folder.js"
 */

/** How long an inbox may take to begin, and how long one that runs may refuse a connection, in milliseconds: it may just end. How often it is asked meanwhile. */
const [BEGINS, REFUSES, AGAIN] = [15_000, 5_000, 50];
/** How long one request may take, in milliseconds. */
const PATIENCE = 5_000;

/**
 * The inbox that runs, `{ address, pid }`; undefined if none does. Rejects if one runs that cannot be reached from here. Nothing is changed.
 * @param {Folder} folder
 * @param {AbortSignal} [signal]
 * @returns {Promise<Running | undefined>}
 */
export async function found(folder, signal) {
  for (const begun = Date.now(); ; ) {
    const { running } = folder;
    if (!running) return undefined;
    const fault = await asked(running, folder);
    if (!fault) return running;
    const held = await isHeld(folder).catch((error) => fail(running, error.message));
    // What is left of an inbox that has ended.
    if (!held) return undefined;
    const isOther = folder.running?.nonce !== running.nonce;
    if (!isOther && Date.now() - begun > (fault.begins ? BEGINS : REFUSES)) fail(running, fault.message);
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    signal?.throwIfAborted();
  }
}

/**
 * @param {Running} running
 * @param {string} why
 * @returns {never}
 */
function fail({ address }, why) {
  throw new Error(`An inbox runs at ${address}, but it cannot be reached from here: ${why}`);
}

/**
 * What keeps an inbox from being used: `{ message, begins }`; undefined if nothing does.
 * @param {Running} running
 * @param {Folder} folder
 * @returns {Promise<{ message: string, begins?: boolean } | undefined>}
 */
async function asked({ address }, folder) {
  const nonce = unguessable();
  const late = new AbortController();
  // A timer that keeps the process alive, unlike that of `AbortSignal.timeout`.
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    const response = await fetch(`${address}/health?nonce=${nonce}`, { signal: late.signal, redirect: "error" });
    const said = /** @type {{ proof?: unknown }} */ (await response.json());
    if (!isSame(said.proof, proof(folder.tokens.ask, `health ${nonce}`))) return { message: "Another program answers there." };
    return response.ok ? undefined : { message: "It does not begin.", begins: true };
  } catch (/** @type {any} */ error) {
    if (late.signal.aborted) return { message: "It does not answer.", begins: true };
    return { message: error.cause?.message || error.cause?.code || error.message };
  } finally {
    clearTimeout(timer);
  }
}
