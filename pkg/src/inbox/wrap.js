// The command `ask-user wrap`: runs an agent for its client, with the inbox between them.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Pipe } from "./piped.js";
import { Wrapped } from "./wrapped.js";

/**
 * @import { Readable, Writable } from "node:stream"
 * @import { Client } from "./client.js"
 */

/** How long what an agent has said may take to be passed on once it has ended, in milliseconds. */
const ENDS = 5_000;
/** @type {NodeJS.Signals[]} */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** The exit code of a shell for a command that is not there, and what it adds to the number of a signal. */
const [ABSENT, SIGNALLED] = [127, 128];

/**
 * Runs the agent, whose command is `words`, until it ends; gives its exit code. `input` and `output` are those of the client.
 * @param {{ client: Client, words: string[], input: Readable, output: Writable, wait?: number, who?: string, folder: string, say: (message: string) => void }} options
 * @returns {Promise<number>}
 */
export async function wrap({ words: [command, ...words], input, output, say, ...options }) {
  const agent = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"], windowsHide: true });
  const failed = (/** @type {unknown} */ error) => say(`ask-user wrap: ${/** @type {Error} */ (error).message}`);
  let isOver = false;
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    agent.once("error", (error) => (say(`ask-user wrap: ${command} cannot be started: ${error.message}`), resolve(ABSENT)));
    agent.once("exit", (code, signal) => resolve(code ?? SIGNALLED + (signal ? constants.signals[signal] : 0)));
  });
  // The agent decides what a signal does. If it is gone, nothing is left to wait for.
  for (const signal of SIGNALS) process.on(signal, () => (isOver ? process.exit(SIGNALLED + constants.signals[signal]) : agent.kill(signal)));
  const wrapped = new Wrapped({ ...options, command, toAgent: new Pipe(agent.stdin), toClient: new Pipe(output) });
  const heard = wrapped.hearAgent(agent.stdout).catch((error) => (failed(error), void agent.kill()));
  wrapped.hearClient(input).catch(failed).finally(() => agent.stdin.end());
  // A client that reads no more: what the agent writes fails then, as if nothing were between them.
  output.once("error", () => agent.stdout.destroy());
  const code = await ended;
  isOver = true;
  // What the agent has started may still have its output.
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ENDS)));
  await Promise.all([wrapped.end(), Promise.race([heard, late])]);
  clearTimeout(timer);
  return code;
}
