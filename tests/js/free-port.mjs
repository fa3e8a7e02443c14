// Finds a port that nothing listens on.
import { createServer } from "node:net";

/** Where ports are looked for: below those that systems give to connections, so that no connection takes one before it is used. */
const [FIRST, COUNT] = [10_000, 22_000];

/** A port of this machine that was free a moment ago. */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

/**
 * Whether a port can be listened on.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
