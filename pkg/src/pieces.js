// Text that comes in pieces: strings, which may be cut within a character, or bytes of UTF-8. Knows nothing of what the text says.

const MISUSE = "Write a piece of the request: a string, or bytes of UTF-8.";

/**
 * Throws a TypeError where something is no piece of a text.
 * @param {unknown} piece
 */
export function checkPiece(piece) {
  if (typeof piece !== "string" && !(piece instanceof ArrayBuffer) && !ArrayBuffer.isView(piece)) throw new TypeError(MISUSE);
}

/** Puts pieces together so that no character is cut. */
export class Pieces {
  /** The first half of a character whose other half has not come yet. */
  #half = "";
  /** @type {InstanceType<typeof TextDecoder> | undefined} */
  #decoder;
  /**
   * Why it is no text, once it is none.
   * @type {string | undefined}
   */
  #fault;

  /**
   * What a piece adds to the text; nothing once there is a fault.
   * @param {string | ArrayBuffer | ArrayBufferView} piece
   * @returns {string}
   */
  add(piece) {
    checkPiece(piece);
    const text = typeof piece === "string" ? this.#whole(piece) : this.#decoded(piece);
    if (this.#fault === undefined && !(text.isWellFormed?.() ?? true)) this.#fault = "the text has a lone surrogate";
    return this.#fault === undefined ? text : "";
  }

  /** Why what has come is no text, now that nothing more comes; undefined where it is one. */
  end() {
    this.#decoded(undefined);
    if (this.#half) this.#fault ??= "the text has a lone surrogate";
    return this.#fault;
  }

  /** @param {string} piece */
  #whole(piece) {
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    return text.slice(0, text.length - this.#half.length);
  }

  /** @param {ArrayBuffer | ArrayBufferView} [piece] */
  #decoded(piece) {
    if (piece === undefined && !this.#decoder) return "";
    this.#decoder ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    try {
      return this.#decoder.decode(/** @type {ArrayBuffer} */ (piece), { stream: piece !== undefined });
    } catch {
      this.#fault ??= "it is not UTF-8";
      return "";
    }
  }
}

/**
 * What comes of an async iterable, or of a ReadableStream, which is no iterable in every browser.
 * @template T
 * @param {AsyncIterable<T> | ReadableStream<T>} stream
 * @returns {AsyncGenerator<T, void, undefined>}
 */
export async function* chunks(stream) {
  if (!/** @type {ReadableStream<T>} */ (stream).getReader) return yield* /** @type {AsyncIterable<T>} */ (stream);
  const reader = /** @type {ReadableStream<T>} */ (stream).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // One that has ended or failed has nothing to cancel.
    reader.cancel().catch(() => {});
  }
}
