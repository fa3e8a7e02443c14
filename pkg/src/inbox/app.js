// The inbox as one process: finds the one that runs, or becomes it.
import { bindHost } from "../hosting/hosting.js";
import { Board } from "./board.js";
import { valueText } from "./exchange.js";
import { unguessable } from "./folder.js";
import { found } from "./found.js";
import { lock } from "./lock.js";
import { notifier } from "./notify.js";
import { signed } from "./receipts.js";
import { Server } from "./server.js";
import { stored } from "./stored.js";
import { Webhooks } from "./webhook.js";

/**
 * @import { Core } from "../hosting/desks.js"
 * @import { Folder, Running } from "./folder.js"
 */

/**
 * An inbox: where its page is, what opens it once, and its addresses for other devices. One that this process has begun also ends.
 * @typedef {{ address: string, code: string, shared: string[], close?: () => Promise<void>, ends?: Promise<void> }} Begun
 */

/** Where the page is, unless another program has this port. */
export const PORT = 7345;
/** How long another inbox may take to begin, and how often this one looks whether it is still the one of its folder, in milliseconds. */
const [BEGINS, LOOKS] = [15_000, 1_000];

/**
 * Starts the inbox of a data folder. Gives `{ address, code, shared, close, ends }`, or `{ address, code, shared }` alone if one runs already. `code` opens the page once, and `shared` has its addresses for other devices. `ends` resolves when the inbox is to end: when `ask-user stop` asks for it,
 * or the folder is not its own any more. `core` is the headless package, and `files` the folder with the files of the package, as a URL.
 * @param {{ core: Core, files: URL, version: string, folder: Folder, port?: number, notify?: string, database?: string, isShared?: boolean, publicly?: URL, keepsApprovals?: boolean, onError?: (error: unknown) => void }} options
 * @returns {Promise<Begun>}
 */
export async function start({ core, files, version, folder, port = PORT, notify, database, isShared, publicly, keepsApprovals, onError = console.error }) {
  if (process.platform !== "win32") process.umask(0o077);
  // All are made if they are not there. Says what is wrong with them.
  folder.tokens;
  folder.signingKey;
  folder.webhookSecret;
  let held;
  for (const begun = Date.now(); ; ) {
    const there = await found(folder);
    if (there) return { address: there.address, ...(await codesOf(there, folder)) };
    held = await lock(folder);
    if (held) break;
    if (Date.now() - begun > BEGINS) throw new Error("Another inbox begins, but does not run. Stop it with `ask-user stop`.");
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
  }
  const server = new Server({ folder, files, version, onError, isShared, publicly, keepsApprovals });
  try {
    const running = { address: await server.listen(port), pid: process.pid, nonce: unguessable() };
    folder.running = running;
    const store = await stored(folder, database);
    const inbox = bindHost(core).createInbox({ store, authorize: () => true, poll: 0, onError });
    const asked = notify ? notifier(notify, { address: running.address, onError }) : undefined;
    const webhooks = new Webhooks({
      secret: () => folder.webhookSecret,
      told: async (id) => valueText(await board.toCall(id)),
      done: (id, isTaken) => board.hasCalled(id, isTaken),
      onError,
    });
    const board = new Board({ core, inbox, store, asked, ended: (entry) => webhooks.call(entry), sign: (receipt) => signed(receipt, folder.signingKey), onError });
    await board.resume();
    server.serve(board, inbox, core);
    const isOwn = () => {
      try {
        return folder.running?.nonce === running.nonce;
      } catch {
        // That it cannot be read now, for want of files, says nothing.
        return true;
      }
    };
    /** @type {NodeJS.Timeout | undefined} */
    let watch;
    const lost = /** @type {Promise<void>} */ (new Promise((resolve) => (watch = setInterval(() => isOwn() || resolve(), LOOKS))));
    lost.then(() => onError(`ask-user: ${folder.file("running.json")} is not of this inbox any more, so it ends.`));
    const close = async () => {
      clearInterval(watch);
      if (isOwn()) folder.running = undefined;
      webhooks.close();
      inbox.shutdown();
      await server.close();
      await inbox.settled();
      store.close?.();
      held.release();
    };
    return { address: running.address, code: server.code(), shared: server.shared, close, ends: Promise.race([held.stopped, lost]) };
  } catch (error) {
    await server.close();
    folder.running = undefined;
    held.release();
    throw error;
  }
}

/**
 * A code for the page of an inbox that runs, and its addresses for other devices.
 * @param {Running} running
 * @param {Folder} folder
 * @returns {Promise<{ code: string, shared: string[] }>}
 */
async function codesOf({ address }, folder) {
  const response = await fetch(`${address}/codes`, { method: "POST", headers: { Authorization: `Bearer ${folder.tokens.page}` }, redirect: "error" });
  const { code, shared = [], message } = /** @type {{ code: string, shared?: string[], message?: string }} */ (await response.json());
  if (!response.ok) throw new Error(message);
  return { code, shared };
}
