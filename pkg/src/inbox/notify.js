// Runs the user's own command when an agent asks. What the agent says goes into the environment, never into the command line, where a shell would read it.
import { spawn } from "node:child_process";

/**
 * What the command is told of a question.
 * @typedef {{ who?: string, folder?: string, question: string, open: number }} Asked
 */

/** How many of these commands run at once. For what comes meanwhile, none is run. */
const MOST = 5;
/** What a terminal would take for a command. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Gives a function that runs the command for a question.
 * @param {string} command
 * @param {{ address: string, onError?: (error: unknown) => void, environment?: NodeJS.ProcessEnv }} options
 * @returns {(asked: Asked) => void}
 */
export function notifier(command, { address, onError = console.error, environment = process.env }) {
  let running = 0;
  return ({ who = "", folder = "", question, open }) => {
    if (running >= MOST) return;
    running += 1;
    const said = { ASK_USER_QUESTION: question, ASK_USER_WHO: who, ASK_USER_FOLDER: folder, ASK_USER_OPEN: String(open), ASK_USER_ADDRESS: address };
    const plain = Object.fromEntries(Object.entries(said).map(([name, text]) => [name, text.replaceAll(CONTROLS, "")]));
    const child = spawn(command, { shell: true, stdio: "ignore", env: { ...environment, ...plain } });
    /** @type {(fault: string | undefined) => void} */
    const end = (fault) => {
      running -= 1;
      if (fault) onError(`ask-user: the command of --notify failed: ${fault}`);
    };
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(code === 0 ? undefined : `it ended with ${signal ?? `the exit code ${code}`}`));
    child.unref();
  };
}
