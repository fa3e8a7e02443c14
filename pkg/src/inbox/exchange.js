// What requests and responses of the inbox's addresses have in common: the token, JSON bodies, and event streams.
import { BoardError } from "./board.js";

/** How large a body may be, in bytes. */
const LARGEST = 8 * 1024 * 1024;
/** How often an event stream shows that it is open, in milliseconds. */
const ALIVE = 15_000;

/** The token that a request has. */
export const bearer = ({ headers }) => /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

/** The JSON that a request sends. */
export async function jsonOf(incoming) {
  if (!/^application\/json\s*(;|$)/i.test(incoming.headers["content-type"] ?? "")) throw new BoardError(415, "content_type", "Send application/json.");
  const pieces = [];
  let size = 0;
  for await (const piece of incoming) {
    size += piece.length;
    if (size > LARGEST) throw new BoardError(413, "too_large", `A body may have at most ${LARGEST} bytes.`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch (error) {
    throw new BoardError(400, "unreadable", `The body is not JSON: ${error.message}`);
  }
}

export const json = (outgoing, status, value) => send(outgoing, status, JSON.stringify(value), "application/json");

export function send(outgoing, status, content, type) {
  outgoing.writeHead(status, { "Content-Type": type });
  outgoing.end(content);
}

/** Begins an event stream, which shows that it is open until it ends. A client that has read nothing between two signs of life is cut off: what it does not read would pile up here. */
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
