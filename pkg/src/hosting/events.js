// The events of a conversation as a stream of server-sent events (HTML standard, section 9.2): what is stored already, and then what happens.
import { told } from "./transcript.js";

/**
 * @import { ConversationNotice } from "../../types/core.js"
 * @import { Served } from "./routes.js"
 */

/** How often a stream that says nothing else shows that it is open, in milliseconds. Bun's server ends a connection that is quiet for 10 seconds. */
const ALIVE = 8_000;
/** How long a client waits before it opens a stream again that was cut, in milliseconds. */
const AGAIN = 500;

/**
 * Everything that happened after the place `after`, and then what happens, until `signal` is aborted. Of the states of the past, only the last is told. `isAllowed` is asked before anything is
 * sent: the stream ends once it says no.
 * @param {Served} conversations
 * @param {string} id
 * @param {number} after
 * @param {{ signal?: AbortSignal, poll?: number, isAllowed?: () => Promise<boolean> }} options
 */
export function events(conversations, id, after, { signal, poll, isAllowed = async () => true }) {
  const encoder = new TextEncoder();
  const stop = new AbortController();
  const stopped = () => stop.signal.aborted || conversations.isClosing;
  let last = after;
  /** @type {(() => void) | undefined} */
  let wake;
  let isDue = true;
  const due = () => {
    isDue = true;
    wake?.();
  };
  const unlisten = conversations.listen(id, due);
  const polling = poll && setInterval(due, poll);
  const end = () => {
    clearInterval(polling);
    unlisten();
    stop.abort();
    wake?.();
  };
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();

  /**
   * New events as text, once there are some; "" if the stream is to show that it is open, undefined if it ends.
   * @type {() => Promise<string | undefined>}
   */
  const next = async () => {
    while (!stopped()) {
      if (isDue) {
        isDue = false;
        const text = await since(conversations, id, last);
        if (!text) continue;
        if (!(await isAllowed())) return undefined;
        last = text.last;
        return text.events;
      }
      const isQuiet = await new Promise((resolve) => {
        const timer = setTimeout(resolve, ALIVE, true);
        wake = () => (clearTimeout(timer), resolve(false));
      });
      if (isQuiet) return (await isAllowed()) ? ": open\n\n" : undefined;
    }
    return undefined;
  };

  let isBegun = false;
  const stream = new ReadableStream({
    async pull(controller) {
      // Headers go out with the first bytes.
      if (!isBegun) return (isBegun = true), controller.enqueue(encoder.encode(`retry: ${AGAIN}\n\n`));
      let text;
      try {
        text = await next();
      } catch {
        // The store failed: the client opens the stream again, after the event that it heard last.
      }
      if (text !== undefined) return controller.enqueue(encoder.encode(text));
      end();
      controller.close();
    },
    cancel: end,
  });
  return stream;
}

/**
 * @param {Served} conversations
 * @param {string} id
 * @param {number} last
 */
async function since(conversations, id, last) {
  const { lines, now } = await conversations.heard(id, last);
  if (!lines.length) return undefined;
  const parsed = lines.map(({ kind, text, place }) => ({ kind, place, text, state: kind === "state" ? JSON.parse(text) : undefined }));
  const latest = parsed.findLast(({ state }) => state)?.place;
  const events = parsed
    // One that closes a question is heard in any case, others only until the next.
    .filter(({ state, place }) => !state || state.closed || place === latest)
    .map(({ kind, place, text, state }) => `id: ${place}\nevent: ${kind === "state" ? "state_change" : "message"}\ndata: ${state ? JSON.stringify(conversations.asOfNow(state, now)) : told(text)}\n\n`);
  return { last: /** @type {import("./ledger.js").Found} */ (lines.at(-1)).place, events: events.join("") };
}
