// Finds the inbox that runs for a data folder, and makes sure that it is that one: another program may have its port since.
import { isSame, proof, unguessable } from "./folder.js";

/** How long an inbox may take to begin, in milliseconds, and how often it is asked meanwhile. */
const [BEGINS, AGAIN] = [15_000, 50];
/** How long one request may take, in milliseconds. */
const PATIENCE = 5_000;

/** The inbox that runs, `{ address, pid }`; undefined if none does. What is left of one that has ended is removed. */
export async function found(folder, signal) {
  for (const begun = Date.now(); ; ) {
    const running = folder.running;
    if (!running) return undefined;
    const how = isAlive(running.pid) ? await asked(running, folder.tokens.ask) : "gone";
    if (how === "there") return running;
    if (how === "gone") {
      folder.release(running);
      return undefined;
    }
    if (Date.now() - begun > BEGINS) throw new Error(`The inbox at ${running.address} does not answer. End the process ${running.pid}, and try again.`);
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    signal?.throwIfAborted();
  }
}

/** Whether a process runs. */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Whether an inbox is "there", "begins", or is "gone". */
async function asked({ address }, token) {
  const nonce = unguessable();
  try {
    const response = await fetch(`${address}/health?nonce=${nonce}`, { signal: AbortSignal.timeout(PATIENCE), redirect: "error" });
    const said = await response.json();
    if (!isSame(said.proof, proof(token, `health ${nonce}`))) return "gone";
    return response.ok ? "there" : "begins";
  } catch (error) {
    if (error.name === "TimeoutError") return "begins";
    return "gone";
  }
}
