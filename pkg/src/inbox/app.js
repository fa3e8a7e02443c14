// The inbox as one process: finds the one that runs, or becomes it.
import { bindHost } from "../hosting/hosting.js";
import { Board } from "./board.js";
import { unguessable } from "./folder.js";
import { found } from "./found.js";
import { lock } from "./lock.js";
import { notifier } from "./notify.js";
import { signed } from "./receipts.js";
import { Server } from "./server.js";
import { stored } from "./stored.js";

/** Where the page is, unless another program has this port. */
export const PORT = 7345;
/** How long another inbox may take to begin, and how often this one looks whether it is still the one of its folder, in milliseconds. */
const [BEGINS, LOOKS] = [15_000, 1_000];

/**
 * Starts the inbox of a data folder. Gives `{ address, code, shared, close, ends }`, or `{ address, code, shared }` alone if one runs already. `code` opens the page once, and `shared` has its addresses for other devices. `ends` resolves when the inbox is to end: when `ask-user stop` asks for it,
 * or the folder is not its own any more. `core` is the headless package, and `files` the folder with the files of the package, as a URL.
 */
export async function start({ core, files, version, folder, port = PORT, notify, database, isShared, publicly, keepsApprovals, onError = console.error }) {
  if (process.platform !== "win32") process.umask(0o077);
  // Both are made if they are not there. Says what is wrong with them.
  folder.tokens;
  folder.signingKey;
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
    const board = await new Board({ core, inbox, store, asked, sign: (receipt) => signed(receipt, folder.signingKey), onError }).resume();
    server.serve(board, inbox, core);
    const isOwn = () => {
      try {
        return folder.running?.nonce === running.nonce;
      } catch {
        // That it cannot be read now, for want of files, says nothing.
        return true;
      }
    };
    let watch;
    const lost = new Promise((resolve) => (watch = setInterval(() => isOwn() || resolve(), LOOKS)));
    lost.then(() => onError(`ask-user: ${folder.file("running.json")} is not of this inbox any more, so it ends.`));
    const close = async () => {
      clearInterval(watch);
      if (isOwn()) folder.running = undefined;
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

/** A code for the page of an inbox that runs, and its addresses for other devices. */
async function codesOf({ address }, folder) {
  const response = await fetch(`${address}/codes`, { method: "POST", headers: { Authorization: `Bearer ${folder.tokens.page}` }, redirect: "error" });
  const { code, shared = [], message } = await response.json();
  if (!response.ok) throw new Error(message);
  return { code, shared };
}
