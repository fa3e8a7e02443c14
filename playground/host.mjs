// The agent host behind the playground: `ask-user/host` of the built package, the agent of agent.mjs, and conversations in memory or in a file.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { agentWith } from "./agent.mjs";
import { journal } from "./journal.mjs";

const { ASK_USER_DIST } = process.env;

/** The folder that has the built package. */
export const DIST = ASK_USER_DIST ? pathToFileURL(`${resolve(ASK_USER_DIST)}/`) : new URL("../pkg/dist/", import.meta.url);

/**
 * Starts the host. Conversations are kept in the file `data`; without one, they end with the process. Gives `{ listen, close }`: `listen(request, response)` answers a request of
 * node:http.
 * @param {{ data?: string }} options
 */
export async function startHost({ data } = {}) {
  const [{ ask, createHost, memory }, { listener }] = await Promise.all(["host.node.js", "host.listener.js"].map((name) => import(new URL(name, DIST).href))).catch((error) => {
    throw new Error(`The built package is not in ${DIST.pathname}. Run cargo xtask build.`, { cause: error });
  });
  const store = data ? await journal(data, memory()) : memory();
  const host = createHost({ store, ...agentWith(ask) });
  await host.resume();
  const close = () => {
    host.close();
    store.close?.();
  };
  return { listen: listener(host), close };
}
