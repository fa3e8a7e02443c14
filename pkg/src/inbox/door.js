// A question that an agent would ask in its own window, asked in the inbox instead. Only an answer of the person counts: where there is none, for whatever reason, the agent asks as it always did.
import { unguessable } from "./folder.js";
import { found } from "./found.js";

/**
 * @import { Put, State } from "./board.js"
 * @import { Client } from "./client.js"
 */

/** How long a question waits in the inbox, in seconds, unless something else is said. Claude Code ends a hook after 600. */
export const WAIT = 540;
/** How many seconds a timer can wait: more than 24 days. */
export const LONGEST = 2_147_483;
/** How long the inbox may take to close a question that nobody needs any more, and how often it is asked to, in milliseconds. */
const [CLOSES, AGAIN] = [3_000, 5_000];
/** How a question ends if the person has decided something. */
const DECIDED = ["answered", "replied", "declined", "turn_ended"];

/**
 * Whether the person has decided something.
 * @param {Pick<State, "state">} answer
 */
export const isDecided = ({ state }) => DECIDED.includes(state);

/**
 * Asks in the inbox. `take` gets where the question stands once it is closed, and says whether that decided anything. It is called once more if the person answered just when the time was over, and has seen that
 * it was sent. Gives what `take` said; false if no inbox runs, or anything fails. No inbox is started: where none runs, nobody looks there.
 * @param {{ client: Client, question: Put, wait?: number, signal: AbortSignal, take: (state: State) => boolean }} options
 * @returns {Promise<boolean>}
 */
export async function askedThere({ client, question, wait: given = WAIT, signal, take }) {
  const wait = Math.min(given, LONGEST);
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  let isLate = false;
  const timer = setTimeout(() => ((isLate = true), end()), wait * 1_000);
  const until = Date.now() + wait * 1_000;
  const id = question.id ?? unguessable();
  let [isAsked, isTaken] = [false, false];
  try {
    if (await found(client.folder, stop.signal)) {
      isAsked = true;
      // If this process is killed, the question goes when its time is over.
      await client.put({ ...question, id, expires_in: wait }, stop.signal, { starts: false });
      isTaken = take(await client.closed(id, stop.signal, { isPatient: false }));
    }
  } catch {
    // The agent asks.
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
  if (!isAsked) return false;
  const last = await dropped(client, id);
  if (last === undefined) later(client, id, until);
  try {
    return isTaken || (isLate && last !== undefined && take(last));
  } catch {
    return false;
  }
}

/**
 * Closes a question; gives where it stands then. Undefined if no inbox has done that.
 * @param {Client} client
 * @param {string} id
 */
const dropped = (client, id) => client.drop(id, { signal: AbortSignal.timeout(CLOSES) }).catch(() => undefined);

/**
 * An inbox that was stopped still has the question when it runs again, and it would be answered for nobody: it is closed then. This keeps no process.
 * @param {Client} client
 * @param {string} id
 * @param {number} until
 */
function later(client, id, until) {
  const again = async () => {
    if (Date.now() < until && (await dropped(client, id)) === undefined) later(client, id, until);
  };
  setTimeout(again, AGAIN).unref();
}
