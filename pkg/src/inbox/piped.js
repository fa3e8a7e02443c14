// What two programs say to each other by lines, passed on between them: each line as it came, and lines of our own between two of theirs.

import { LARGEST } from "./exchange.js";

/** @import { Writable } from "node:stream" */

/**
 * A line, or a piece of one that is too long: its bytes with those that end it, whether the line ends there, and whether this is a whole line.
 * @typedef {{ bytes: Buffer, isEnd: boolean, isWhole: boolean }} Piece
 */

const NEWLINE = 10;

/**
 * The lines that come from a program. One with more than `largest` bytes comes in pieces.
 * @param {AsyncIterable<Uint8Array>} input
 * @param {number} [largest]
 * @returns {AsyncGenerator<Piece>}
 */
export async function* lines(input, largest = LARGEST) {
  /** @type {Uint8Array[]} */
  let pieces = [];
  let size = 0;
  /** Whether a part of this line was passed on already. */
  let isCut = false;
  for await (const chunk of input) {
    for (let rest = chunk; rest.length; ) {
      const at = rest.indexOf(NEWLINE);
      const piece = at < 0 ? rest : rest.subarray(0, at + 1);
      rest = rest.subarray(piece.length);
      pieces.push(piece);
      size += piece.length;
      if (at < 0 && size <= largest && !isCut) continue;
      yield { bytes: Buffer.concat(pieces), isEnd: at >= 0, isWhole: at >= 0 && !isCut && size <= largest };
      [pieces, size, isCut] = [[], 0, at < 0];
    }
  }
  // What a program says at its end may have no newline.
  if (size) yield { bytes: Buffer.concat(pieces), isEnd: true, isWhole: false };
}

/** What goes to a program. */
export class Pipe {
  #output;
  #isInLine = false;
  /** @type {Buffer[]} */
  #waiting = [];
  #isGone = false;
  /** What waits until there is room. @type {(() => void)[]} */
  #rooms = [];

  /** @param {Writable} output */
  constructor(output) {
    this.#output = output;
    const room = () => {
      for (const go of this.#rooms.splice(0)) go();
    };
    const gone = () => {
      this.#isGone = true;
      room();
    };
    output.on("error", gone).on("drain", room).once("close", gone);
  }

  /**
   * Passes bytes on, and waits until there is room for more. What goes to a program that has ended is lost, as it is without anything between.
   * @param {Buffer} bytes
   * @param {boolean} isEnd Whether a line ends with them.
   */
  async write(bytes, isEnd) {
    this.#isInLine = !isEnd;
    const hasRoom = this.#put(bytes);
    if (isEnd) for (const line of this.#waiting.splice(0)) this.#put(line);
    if (!hasRoom && !this.#isGone) await /** @type {Promise<void>} */ (new Promise((resolve) => this.#rooms.push(resolve)));
  }

  /**
   * Puts a line between two others; says whether the program is still there to get it.
   * @param {Buffer} line
   */
  insert(line) {
    if (this.#isInLine) this.#waiting.push(line);
    else this.#put(line);
    return !this.#isGone && !this.#output.writableEnded;
  }

  /** @param {Buffer} bytes */
  #put(bytes) {
    return this.#isGone || this.#output.writableEnded || this.#output.write(bytes);
  }
}

/**
 * What a line says, if it is an object of JSON.
 * @param {Buffer} bytes
 * @returns {{ [name: string]: any } | undefined}
 */
export function messageOf(bytes) {
  try {
    const said = JSON.parse(bytes.toString("utf8"));
    return said !== null && typeof said === "object" && !Array.isArray(said) ? said : undefined;
  } catch {
    return undefined;
  }
}
