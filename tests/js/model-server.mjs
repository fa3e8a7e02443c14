// A server that speaks OpenAI's chat completions protocol, for tests: it answers each request with the next of the replies that a test
// has given it, and can fail in every way that a server or a network does. Whether it speaks the protocol is checked with OpenAI's own client.
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { setImmediate as soon } from "node:timers/promises";

/**
 * @import { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http"
 * @import { AddressInfo, Socket } from "node:net"
 */

/**
 * What the server does with a request.
 * @typedef {(response: ServerResponse & { socket: Socket }, request: IncomingMessage) => unknown} Answer
 */

/**
 * A piece of a streamed reply, as OpenAI documents it.
 * @type {(delta: object, finish?: string | null) => object}
 */
export const piece = (delta, finish = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "test-model",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
});

/**
 * The pieces of a reply with text, cut into words, and calls `[id, name, arguments]`, whose arguments are cut into pieces of a few letters.
 * @param {string} text
 * @param {[id: string, name: string, input: unknown][]} calls
 * @param {string} finish
 */
export function pieces(text, calls = [], finish = calls.length ? "tool_calls" : "stop") {
  const fragments = calls.flatMap(([id, name, input], index) => {
    const written = typeof input === "string" ? input : JSON.stringify(input);
    const head = { index, id, type: "function", function: { name, arguments: "" } };
    return [head, ...(written.match(/.{1,5}/gsu) ?? []).map((part) => ({ index, function: { arguments: part } }))];
  });
  return [
    piece({ role: "assistant", content: "", refusal: null }),
    ...(text.match(/\S+\s*/g) ?? []).map((word) => piece({ content: word })),
    ...fragments.map((fragment) => piece({ tool_calls: [fragment] })),
    piece({}, finish),
    { ...piece({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  ];
}

/**
 * The bytes of a stream: its events, with these line ends and with something between them.
 * @type {(list: object[], options?: { newline?: string, between?: string }) => Buffer}
 */
export const events = (list, { newline = "\n", between = "" } = {}) =>
  Buffer.from([...list.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `${between}data: ${data}${newline}${newline}`).join(""));

const HEADERS = { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache" };

/**
 * A reply that streams bytes, so many at a time.
 * @type {(bytes: Buffer, size?: number) => Answer}
 */
export const stream = (bytes, size = Infinity) => async (response) => {
  response.writeHead(200, HEADERS);
  response.socket.setNoDelay(true);
  for (let place = 0; place < bytes.length; place += size) {
    response.write(bytes.subarray(place, Math.min(place + size, bytes.length)));
    // What is written in one turn of the loop is sent in one packet.
    if (size !== Infinity) await soon();
  }
  response.end();
};

/**
 * A streamed reply with text and calls.
 * @type {(text: string, calls?: [id: string, name: string, input: unknown][], finish?: string) => Answer}
 */
export const reply = (text, calls, finish) => stream(events(pieces(text, calls, finish)));

/**
 * A reply that begins and never ends. `began` is called once the beginning is written.
 * @type {(text: string, began?: () => void) => Answer}
 */
export const endless = (text, began = () => {}) => (response) => {
  response.writeHead(200, HEADERS);
  response.write(events(pieces(text)).subarray(0, -200), began);
};

/**
 * A reply whose connection is reset in the middle.
 * @type {(text: string, calls?: [id: string, name: string, input: unknown][]) => Answer}
 */
export const reset = (text, calls) => (response) => {
  response.writeHead(200, HEADERS);
  const bytes = events(pieces(text, calls));
  response.write(bytes.subarray(0, bytes.length - 200), () => response.socket.resetAndDestroy());
};

/**
 * A reply of JSON.
 * @type {(body: unknown, status?: number, headers?: { [name: string]: string | number }) => Answer}
 */
export const json = (body, status = 200, headers = {}) => (response) => {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
};

/**
 * An error, as OpenAI writes it.
 * @type {(status: number, message: string, more?: object, headers?: { [name: string]: string | number }) => Answer}
 */
export const failure = (status, message, more = {}, headers = {}) =>
  json({ error: { message, type: "invalid_request_error", param: null, code: null, ...more } }, status, headers);

export class ModelServer {
  /** @type {Server} */
  #server = /** @type {any} */ (undefined);
  url = "";
  /**
   * Every request: its path, headers and body, and a promise for the end of its connection.
   * @type {{ method: string | undefined, path: string | undefined, headers: IncomingHttpHeaders, body: any, closed: Promise<unknown> }[]}
   */
  requests = [];
  /**
   * The replies to come. A function takes the response and the request.
   * @type {Answer[]}
   */
  replies = [];

  /** @param {{ key: string, cert: string }} [secure] */
  static async start(secure) {
    const server = new ModelServer();
    /** @type {(request: IncomingMessage, response: ServerResponse) => void} */
    const answer = (request, response) => void server.#answer(request, response);
    server.#server = secure ? createSecureServer(secure, answer) : createServer(answer);
    await /** @type {Promise<void>} */ (new Promise((resolve) => server.#server.listen(0, "127.0.0.1", resolve)));
    server.url = `${secure ? "https" : "http"}://127.0.0.1:${/** @type {AddressInfo} */ (server.#server.address()).port}/v1`;
    return server;
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  async #answer(request, response) {
    /** @type {Buffer[]} */
    const parts = [];
    for await (const part of request) parts.push(part);
    const closed = new Promise((resolve) => request.socket.once("close", resolve));
    const text = Buffer.concat(parts).toString();
    this.requests.push({ method: request.method, path: request.url, headers: request.headers, body: text && JSON.parse(text), closed });
    const next = this.replies.shift() ?? failure(400, "The test has no reply for this.");
    await next(/** @type {any} */ (response), request);
  }

  /**
   * Forgets what was, and gives these replies to the requests to come.
   * @param {Answer[]} replies
   */
  gives(...replies) {
    this.requests = [];
    this.replies = replies;
  }

  /**
   * The messages of a request, without the instructions.
   * @param {number} place
   * @returns {any[]}
   */
  messages(place) {
    return this.requests.at(place)?.body.messages.slice(1);
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
