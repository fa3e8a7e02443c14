// The inbox as one process: finds the one that runs, or becomes it.
import { bindHost } from "../hosting/hosting.js";
import { Board } from "./board.js";
import { unguessable } from "./folder.js";
import { found } from "./found.js";
import { notifier } from "./notify.js";
import { Server } from "./server.js";
import { stored } from "./stored.js";

/** Where the page is, unless another program has this port. */
export const PORT = 7345;

/**
 * Starts the inbox of a data folder. Gives `{ address, close }`, or `{ address }` alone if one runs already. `core` is the headless package, and `files` the folder with the files of the
 * package, as a URL.
 */
export async function start({ core, files, version, folder, port = PORT, notify, database, onError = console.error }) {
  const there = await found(folder);
  if (there) return { address: there.address };
  if (process.platform !== "win32") process.umask(0o077);
  const server = new Server({ folder, files, version, onError });
  const running = { address: await server.listen(port), pid: process.pid, nonce: unguessable() };
  try {
    if (!folder.claim(running)) {
      // Another one has begun at the same moment.
      server.close();
      const { address } = await found(folder);
      return { address };
    }
    const store = await stored(folder, database);
    const inbox = bindHost(core).createInbox({ store, authorize: () => true, poll: 0, onError });
    const asked = notify ? notifier(notify, { address: running.address, onError }) : undefined;
    const board = await new Board({ core, inbox, store, asked, onError }).resume();
    server.serve(board, inbox);
    const close = async () => {
      folder.release(running);
      inbox.shutdown();
      server.close();
      await inbox.settled();
      store.close?.();
    };
    return { address: running.address, close };
  } catch (error) {
    server.close();
    folder.release(running);
    throw error;
  }
}
