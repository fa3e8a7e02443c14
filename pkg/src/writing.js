// A request that a model is still writing: read once, whatever becomes of the forms that grow with it. Knows no form.
import { Pieces, chunks } from "./pieces.js";

/** What was read of each stream so far, and who is told of more. */
const read = new WeakMap();

/**
 * Tells what comes of a stream: `tell(text)` for each piece, at first for all that has come by now; `tell(undefined, whole)` at the end, with the whole text; and
 * `tell(undefined, text, error)` where it failed, with a text that is no request. Whoever follows it next takes the place. Where `tell` gives false, nothing more is read.
 */
export function follow(source, tell) {
  const known = read.get(source);
  if (!known) {
    const entry = { text: "", tell };
    read.set(source, entry);
    return void pump(source, entry);
  }
  known.tell = tell;
  if (known.text) tell(known.text);
  known.end?.();
}

async function pump(source, entry) {
  const pieces = new Pieces();
  let fault;
  try {
    for await (const piece of chunks(source)) {
      const text = pieces.add(piece);
      entry.text += text;
      if (text && entry.tell(text) === false) return;
    }
    const why = pieces.end();
    if (why !== undefined) fault = new TypeError(`The request cannot be read: ${why}.`);
  } catch (error) {
    fault = error instanceof Error ? error : new TypeError(String(error));
  }
  entry.end = () => entry.tell(undefined, fault ? `not JSON: ${fault.message}` : entry.text, fault);
  entry.end();
}
