// The command `ask-user ask`: asks what a file says, waits, and prints the agent's result and nothing else.
import { readFileSync } from "node:fs";
import { RefusedError } from "./client.js";
import { unguessable } from "./folder.js";

/**
 * @import { Dialect } from "../../types/core.js"
 * @import { Client } from "./client.js"
 */

/**
 * The exit codes, by how a question ended.
 * @type {{ [state: string]: number }}
 */
export const CODES = { answered: 0, failed: 6, rejected: 3, replied: 4, turn_ended: 5, expired: 6, closed: 6 };
/** What a shell expects of a program that a signal has ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Asks, and gives the exit code. `print` writes to the standard output, and `say` to the standard error.
 * @param {{ client: Client, file: string, options: { id?: string, expires?: string, dialect?: Dialect, who?: string, folder?: string }, print: (text: string) => void, say: (message: string) => void, stdin?: number | string }} given
 */
export async function asking({ client, file, options, print, say, stdin = 0 }) {
  let request;
  try {
    request = readFileSync(file === "-" ? stdin : file, "utf8");
    JSON.parse(request);
  } catch (/** @type {any} */ error) {
    say(`ask-user ask: ${file === "-" ? "The standard input" : file} cannot be read as JSON: ${error.message}`);
    return 2;
  }
  const id = options.id ?? unguessable();
  const stop = new AbortController();
  /** @type {number | undefined} */
  let code;
  for (const [signal, of] of Object.entries(SIGNALS)) process.once(signal, () => ((code = of), stop.abort()));
  try {
    const expires = options.expires === undefined ? undefined : Number(options.expires);
    const { dialect, who, folder = process.cwd() } = options;
    // As JSON text, so that numbers keep every digit.
    await client.put({ id, request, dialect, who, folder, expires_in: expires }, stop.signal);
    // What is stored is waited for, also if the inbox was killed since.
    const address = await client.address(stop.signal).catch(() => undefined);
    say(`ask-user: The question waits in the inbox${address === undefined ? "" : ` at ${address}`}. Run \`npx ask-user\` to open it.`);
    const { state, result_text: result } = await client.closed(id, stop.signal);
    if (result !== undefined) print(`${result}\n`);
    // An inbox that does not hear that the answer was taken keeps it.
    await client.drop(id).catch(() => undefined);
    return CODES[state] ?? 1;
  } catch (/** @type {any} */ error) {
    if (code !== undefined) {
      // Nobody waits for the answer now.
      await client.drop(id).catch(() => undefined);
      return code;
    }
    if (error instanceof RefusedError && error.code === "rejected") {
      print(`${JSON.stringify(error.body.tool_result)}\n`);
      return CODES.rejected;
    }
    say(`ask-user ask: ${error.message}`);
    // What is wrong with the request. That too many questions are open, or the token is an old one, is no fault of the command.
    return error instanceof RefusedError && [400, 404, 409, 413, 422].includes(error.status) ? 2 : 1;
  }
}
