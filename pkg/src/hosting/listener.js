// A host for servers that have no Request and Response of the Fetch standard: Node's own, Express and Fastify.
import { Readable, pipeline } from "node:stream";
import { ReadableStream } from "node:stream/web";

/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @import { Host, Inbox } from "../../types/host.js"
 */

/**
 * What Node has, and what Express and middlewares add to it.
 * @typedef {IncomingMessage & { originalUrl?: string, body?: unknown, socket: { encrypted?: boolean } }} Incoming
 */

/**
 * A listener for `createServer` of node:http, which is a middleware of Express too: what is none of the host's goes to `next`, or is answered with 404.
 * @param {Host | Inbox} host
 */
export function listener(host) {
  /** @type {(incoming: Incoming, outgoing: ServerResponse, next?: (error?: unknown) => void) => Promise<void>} */
  return async (incoming, outgoing, next) => {
    const path = incoming.originalUrl ?? incoming.url;
    const url = addressOf(incoming, path);
    // A path such as `//` or `*` is no address.
    if (next && !(url && host.matches(url.href))) return next();
    if (!url) return refused(outgoing, 400, "This is no address.");
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    let request;
    try {
      request = requestOf(incoming, url, gone.signal);
    } catch (error) {
      if (error instanceof LostDigits) return refused(outgoing, 422, "A middleware has read the body, and a number has lost digits. Mount this host before it.");
      return refused(outgoing, 400, "This is no request that a page sends.");
    }
    write(await host.handle(request), outgoing);
  };
}

/**
 * A plugin for Fastify: `app.register(plugin(host))`.
 * @param {Host | Inbox} host
 */
export function plugin(host) {
  /** @type {(app: any) => Promise<void>} */
  return async (app) => {
    // The host reads the bodies itself.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (/** @type {unknown} */ request, /** @type {unknown} */ payload, /** @type {(error: null) => void} */ done) => done(null));
    const listen = listener(host);
    /** @type {(request: { raw: Incoming }, reply: { raw: ServerResponse, hijack(): void }) => Promise<void>} */
    const handler = async (request, reply) => {
      reply.hijack();
      await listen(request.raw, reply.raw);
    };
    for (const url of [host.base, `${host.base}/*`]) app.route({ method: ["GET", "POST", "PUT"], url, handler });
  };
}

/**
 * The address of a request, if it is one.
 * @param {Incoming} incoming
 * @param {string | undefined} path
 */
function addressOf({ headers, socket }, path) {
  if (!path?.startsWith("/") || path.startsWith("//")) return undefined;
  try {
    return new URL(`${socket.encrypted ? "https" : "http"}://${headers.host ?? "localhost"}${path}`);
  } catch {
    return undefined;
  }
}

/**
 * @param {Incoming} incoming
 * @param {URL} url
 * @param {AbortSignal} signal
 */
function requestOf(incoming, url, signal) {
  const { method, headers, body } = incoming;
  /** @type {RequestInit} */
  const init = { method, signal, headers: Object.entries(headers).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => /** @type {[string, string]} */ ([name, one]))) };
  if (method === "GET" || method === "HEAD") return new Request(url, init);
  // A middleware before this one may have read the body already.
  if (!incoming.readableEnded) return new Request(url, { ...init, body: bodyOf(incoming), duplex: "half" });
  if (body === undefined) throw new TypeError("The body was read before.");
  return new Request(url, { ...init, body: typeof body === "string" || ArrayBuffer.isView(body) ? /** @type {string} */ (body) : JSON.stringify(body, whole) });
}

/** A whole number that may have been another one before it was read. */
class LostDigits extends Error {}

/**
 * Passes what was read as JSON on, unless it has such a number.
 * @param {string} _
 * @param {unknown} value
 */
function whole(_, value) {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new LostDigits();
  return value;
}

/**
 * The body of a request, read as far as it is asked for. Node drops the rest once there is a response, so that the connection can be used again.
 * @param {Incoming} incoming
 */
function bodyOf(incoming) {
  /** @type {AsyncIterator<Uint8Array> | undefined} */
  let pieces;
  /** @type {(controller: import("node:stream/web").ReadableStreamDefaultController) => Promise<void>} */
  const pull = async (controller) => {
    pieces ??= incoming.iterator({ destroyOnReturn: false });
    const { value, done } = await pieces.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const cancel = async () => {
    await pieces?.return?.();
    incoming.resume();
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/**
 * @param {Response} response
 * @param {ServerResponse} outgoing
 */
function write({ status, headers, body }, outgoing) {
  if (outgoing.destroyed) return void body?.cancel().catch(() => undefined);
  outgoing.writeHead(status, [...headers].flat());
  if (!body) return void outgoing.end();
  // Events go out as they come, and the stream ends with the connection.
  outgoing.flushHeaders();
  pipeline(Readable.fromWeb(body), outgoing, () => undefined);
}

/**
 * @param {ServerResponse} outgoing
 * @param {number} status
 * @param {string} message
 */
function refused(outgoing, status, message) {
  outgoing.writeHead(status, { "Content-Type": "application/json" });
  outgoing.end(JSON.stringify({ error: "bad_request", message, problems: [] }));
}
