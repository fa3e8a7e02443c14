// A request that a model is still writing: read once, whatever becomes of the forms that grow with it. Knows no form.
import { Pieces, chunks } from "./pieces.js";

/**
 * A stream of a request's text.
 * @typedef {ReadableStream<any> | AsyncIterable<any>} Source
 */

/**
 * Hears what comes of it.
 * @typedef {(piece?: string, whole?: string, fault?: Error) => boolean | "enough" | void} Tell
 */

/**
 * What was read of a stream, and who is told of more.
 * @typedef {{ text: string, tells: Set<Tell>, end?: () => void }} Entry
 */

/**
 * What was read of each stream so far, and who is told of more.
 * @type {WeakMap<Source, Entry>}
 */
const read = new WeakMap();

/** No request is this long, whatever the host allows. */
const LONGEST = 2 ** 26;

/** Why a stream that was given up cannot be set again. */
const GIVEN_UP = "This stream was given up for another request. Read the model's text again to show it.";

/**
 * Tells what comes of a stream: `tell(text)` for each piece, at first for all that has come by now; `tell(undefined, whole)` at the end, with the whole text; and
 * `tell(undefined, text, error)` where it failed. A `tell` that gives false is told nothing more, and where all have, nothing more is read. Where one gives "enough", the text
 * ends there.
 * @param {Source} source
 * @param {Tell} tell
 */
export function follow(source, tell) {
  const known = read.get(source);
  const entry = known ?? { text: "", tells: new Set() };
  entry.tells.add(tell);
  if (!known) {
    read.set(source, entry);
    return void pump(source, entry);
  }
  if (entry.text) say(entry, tell, entry.text);
  entry.end?.();
}

/**
 * @param {Source} source
 * @param {Entry} entry
 */
async function pump(source, entry) {
  const pieces = new Pieces();
  /** @type {Error | undefined} */
  let fault;
  try {
    for await (const piece of chunks(source)) {
      const text = pieces.add(piece);
      entry.text += text;
      let isEnough = entry.text.length > LONGEST;
      for (const tell of text ? entry.tells : []) isEnough = say(entry, tell, text) || isEnough;
      if (isEnough) break;
      if (!entry.tells.size) throw new TypeError(GIVEN_UP);
    }
    const why = pieces.end();
    if (why !== undefined) fault = new TypeError(`The request cannot be read: ${why}.`);
  } catch (error) {
    fault = error instanceof Error ? error : new TypeError(String(error));
  }
  entry.end = () => {
    const tells = [...entry.tells];
    entry.tells.clear();
    for (const tell of tells) tell(undefined, entry.text, fault);
  };
  entry.end();
}

/**
 * Tells one of a text, and says whether that is enough.
 * @param {Entry} entry
 * @param {Tell} tell
 * @param {string} text
 */
function say(entry, tell, text) {
  const said = tell(text);
  if (said === false) entry.tells.delete(tell);
  return said === "enough";
}
