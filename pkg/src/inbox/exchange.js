// What requests and responses of the inbox's addresses have in common: the token, JSON bodies, and event streams.
import { BoardError } from "./board.js";

/** @import { IncomingMessage, ServerResponse } from "node:http" */

/** How large a body may be, in bytes. */
export const LARGEST = 8 * 1024 * 1024;
/** How often an event stream shows that it is open, in milliseconds. */
const ALIVE = 15_000;

/**
 * The token that a request has.
 * @type {(incoming: IncomingMessage) => string}
 */
export const bearer = ({ headers }) => /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

/**
 * The JSON that a request sends.
 * @param {IncomingMessage} incoming
 * @returns {Promise<any>}
 */
export async function jsonOf(incoming) {
  if (!/^application\/json\s*(;|$)/i.test(incoming.headers["content-type"] ?? "")) throw new BoardError(415, "content_type", "Send application/json.");
  const text = await wholeText(incoming, () => new BoardError(413, "too_large", `A body may have at most ${LARGEST} bytes.`));
  try {
    return JSON.parse(text);
  } catch (/** @type {any} */ error) {
    throw new BoardError(400, "unreadable", `The body is not JSON: ${error.message}`);
  }
}

/**
 * All that comes, as text. `refused` makes the error if it has more than `LARGEST` bytes.
 * @param {AsyncIterable<Uint8Array>} input
 * @param {() => Error} [refused]
 */
export async function wholeText(input, refused = () => new Error("The input is too large.")) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size > LARGEST) throw refused();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** @type {(outgoing: ServerResponse, status: number, value: unknown) => void} */
export const json = (outgoing, status, value) => send(outgoing, status, JSON.stringify(value), "application/json");

/**
 * @param {ServerResponse} outgoing
 * @param {number} status
 * @param {string | Uint8Array} content
 * @param {string} type
 */
export function send(outgoing, status, content, type) {
  outgoing.writeHead(status, { "Content-Type": type });
  outgoing.end(content);
}

/**
 * A value as JSON text. A result stands there as its text has it, so that its numbers keep every digit. Undefined for undefined.
 * @type {(value: any) => string}
 */
export const valueText = (value) => {
  if (Array.isArray(value?.questions)) return `{"questions":[${value.questions.map(valueText).join(",")}]}`;
  const text = JSON.stringify(value);
  return value?.result_text === undefined ? text : `${text.slice(0, -1)},"result":${value.result_text}}`;
};

/**
 * Begins an event stream, which shows that it is open until it ends. A client that has read nothing between two signs of life is cut off: what it does not read would pile up here.
 * @param {ServerResponse} outgoing
 */
export function events(outgoing, every = ALIVE) {
  outgoing.writeHead(200, { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
  let before = Infinity;
  const alive = setInterval(() => {
    const unread = outgoing.writableLength;
    if (unread > 0 && unread >= before) return outgoing.destroy();
    outgoing.write(": open\n\n");
    before = outgoing.writableLength || Infinity;
  }, every);
  outgoing.once("close", () => clearInterval(alive));
}
