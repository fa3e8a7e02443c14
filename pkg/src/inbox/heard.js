// Reads an event stream that another program sends: the data of each event, as text. What is too large is left out.
import { lines } from "./piped.js";

const RETURN = 0x0d;

/**
 * The data of the events of a stream. An event with more than `largest` bytes is left out, and no more than that is kept of it.
 * @param {AsyncIterable<Uint8Array>} stream
 * @param {number} largest
 * @returns {AsyncGenerator<string>}
 */
export async function* heard(stream, largest) {
  /** @type {Buffer[]} */
  let data = [];
  let size = 0;
  // The newline does not count.
  for await (const { bytes, isWhole } of lines(stream, largest + 1)) {
    const line = bytes.subarray(0, bytes.at(-2) === RETURN ? -2 : -1);
    if (!isWhole) size = Infinity;
    else if (line.length) {
      const value = dataOf(line);
      if (!value) continue;
      size += value.length + 1;
      if (size <= largest) data.push(value);
      else data = [];
    } else {
      if (data.length && size <= largest) yield data.map((one) => one.toString("utf8")).join("\n");
      [data, size] = [[], 0];
    }
  }
}

/**
 * What a line of an event has as data; undefined if it has another field, or is a comment.
 * @param {Buffer} line
 */
function dataOf(line) {
  if (line.toString("latin1", 0, 5) !== "data:") return undefined;
  return line.subarray(line[5] === 0x20 ? 6 : 5);
}
