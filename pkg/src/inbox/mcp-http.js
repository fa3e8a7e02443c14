// MCP over streamable HTTP, at the address /mcp of the inbox: sessions, and the streams on which a client gets what comes of its calls. What a client has missed when its connection was cut
// is sent again when it comes back. Who may use the address is checked before.
import { BoardError } from "./board.js";
import { events, json, jsonOf } from "./exchange.js";
import { unguessable } from "./folder.js";
import { Mcp, VERSIONS } from "./mcp.js";
import { Connection, Delivery } from "./received.js";

/**
 * @import { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
 * @import { ToolDefinition } from "../../types/core.js"
 * @import { Core } from "../hosting/desks.js"
 * @import { Board, Put } from "./board.js"
 * @import { Folder } from "./folder.js"
 * @import { Inbox, Send } from "./mcp.js"
 * @import { Came, Message } from "./mcp-tools.js"
 */

/**
 * What a client takes.
 * @typedef {{ json: boolean, events: boolean }} Takes
 */

/**
 * A response: its place in the stream, its event, and what becomes of it.
 * @typedef {{ place: number, text: string, delivery: Delivery }} Said
 */

/** How many sessions there are at once, and after how long without a request or an open connection one has ended, in milliseconds. How often that is looked at. */
const [SESSIONS, IDLE, LOOKS] = [100, 86_400_000, 600_000];
/** How many calls of a session can be under way, and how many streams are kept whose client has everything. */
const [CALLS, DONE] = [100, 10];
/** How many connections of a session wait for what the server says by itself. */
const LISTENING = 5;
/** How long a client may have no connection, in milliseconds, until another one of its name in its folder is taken for the same, which has come back. */
const AWAY = 5_000;
/** How many messages may come as a list. */
const MOST = 100;
/** The version that a client speaks which does not name one. */
const UNNAMED = "2025-03-26";
/** Since this version, an event may have an id and no data. */
const PRIMED = "2025-11-25";

export class McpOverHttp {
  /** @type {Inbox} */
  #client;
  /** @type {Core} */
  #core;
  /** @type {ToolDefinition[]} */
  #tools;
  /** @type {string} */
  #version;
  /**
   * By their ids, the one that was used last at the end.
   * @type {Map<string, Session>}
   */
  #sessions = new Map();
  #looking;

  /**
   * `core` is the headless package, and `address` that of the inbox.
   * @param {{ core: Core, board: Board, folder: Folder, address: string, version: string }} options
   */
  constructor({ core, board, folder, address, version }) {
    this.#client = new Local(board, folder, address);
    this.#core = core;
    // The long definition and the short one.
    this.#tools = core.toolDefinitions("ask_user");
    this.#version = version;
    this.#looking = setInterval(() => this.#endIdle(), LOOKS).unref();
  }

  async close() {
    clearInterval(this.#looking);
    await Promise.all([...this.#sessions.values()].map((session) => session.end()));
    this.#sessions.clear();
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   * @param {URL} url
   */
  async handle(incoming, outgoing, url) {
    const { method, headers } = incoming;
    const version = /** @type {string | undefined} */ (headers["mcp-protocol-version"]) ?? UNNAMED;
    if (!VERSIONS.includes(version)) throw new BoardError(400, "version", `"MCP-Protocol-Version" must be one of ${VERSIONS.join(", ")}.`);
    const connection = Connection.of(incoming.socket);
    if (method === "DELETE") {
      const session = this.#session(headers);
      this.#sessions.delete(session.id);
      await session.end(true);
      return json(outgoing, 200, {});
    }
    const takes = takenBy(headers);
    if (method === "GET") {
      if (!takes.events) throw new BoardError(406, "not_acceptable", "Send `Accept: text/event-stream`.");
      return this.#session(headers).listen(outgoing, connection, /** @type {string | undefined} */ (headers["last-event-id"]), version);
    }
    if (!takes.json && !takes.events) throw new BoardError(406, "not_acceptable", "Send `Accept: application/json, text/event-stream`.");
    const body = await jsonOf(incoming);
    const messages = Array.isArray(body) ? body : [body];
    if (!messages.length || messages.length > MOST || !messages.every(isMessage)) throw new BoardError(400, "bad_request", `The body must be a message of JSON-RPC 2.0, or a list of 1 to ${MOST}.`);
    const begins = messages.some(({ method }) => method === "initialize");
    if (begins && (messages.length > 1 || headers["mcp-session-id"] !== undefined)) throw new BoardError(400, "bad_request", "A session begins with `initialize` alone.");
    const session = begins ? this.#begin(url) : this.#session(headers);
    if (begins) outgoing.setHeader("Mcp-Session-Id", session.id);
    return session.post(messages, Array.isArray(body), takes, outgoing, connection, version);
  }

  /**
   * The session that a request names.
   * @param {IncomingHttpHeaders} headers
   */
  #session(headers) {
    const id = /** @type {string | undefined} */ (headers["mcp-session-id"]);
    if (id === undefined) throw new BoardError(400, "no_session", "Name the session: send the header `Mcp-Session-Id` of the response to `initialize`.");
    const session = this.#sessions.get(id);
    if (!session) throw new BoardError(404, "no_session", "There is no such session any more. Begin a new one with `initialize`; the tool `answers` has the answers to the questions of this one.");
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.touch();
    return session;
  }

  /**
   * The session that has asked a question; undefined if it has ended, or the question came in another way.
   * @param {string} instance
   */
  #peer(instance) {
    return [...this.#sessions.values()].find(({ mcp }) => mcp.instance === instance)?.mcp;
  }

  /** @param {URL} url */
  #begin(url) {
    const given = Object.fromEntries(url.searchParams);
    const { folder, wait, simple, elicit, ...more } = given;
    const isRight = (folder === undefined || (folder.trim() && folder.length <= 1_000)) && (wait === undefined || /^[1-9]\d*$/.test(wait)) && [simple, elicit].every((flag) => flag === undefined || ["", "1", "true"].includes(flag));
    if (!isRight || Object.keys(more).length) throw new BoardError(422, "bad_request", 'The address takes "folder", a path, "wait", a whole number of seconds, "simple" and "elicit".');
    this.#endIdle();
    // One whose client is away gives way: first one that waits for nothing.
    const away = [...this.#sessions.values()].filter((session) => !session.isConnected);
    if (this.#sessions.size >= SESSIONS) this.#end(away.find((session) => !session.isWaiting) ?? away[0]);
    if (this.#sessions.size >= SESSIONS) throw new BoardError(429, "too_many", `${SESSIONS} sessions are open. End some that are not needed.`);
    const mcp = new Mcp({ client: this.#client, definition: this.#tools[simple === undefined ? 0 : 1], folder, wait: /** @type {number | undefined} */ (wait && Number(wait)), version: this.#version, elicits: elicit === undefined ? undefined : this.#core, peer: (instance) => this.#peer(instance) });
    const session = new Session(mcp);
    this.#sessions.set(session.id, session);
    return session;
  }

  #endIdle() {
    for (const session of [...this.#sessions.values()]) if (!session.isConnected && !session.isWaiting && Date.now() - session.touched > IDLE) this.#end(session);
  }

  /**
   * Ends a session. Its questions stay open.
   * @param {Session | undefined} session
   */
  #end(session) {
    if (!session) return;
    this.#sessions.delete(session.id);
    session.end();
  }
}

/** One client. */
class Session {
  id = unguessable();
  touched = Date.now();
  /** @type {Mcp} */
  mcp;
  /**
   * The streams by their ids, the oldest first.
   * @type {Map<string, Stream>}
   */
  #streams = new Map();
  #last = 0;
  /**
   * The connections that are open, and those of them that wait for what the server says by itself.
   * @type {Set<ServerResponse>}
   */
  #connections = new Set();
  /** @type {ServerResponse[]} */
  #listening = [];
  /** How many requests are under way. */
  #calls = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #leaving;
  #isEnded = false;
  /**
   * Answers on their way to the client.
   * @type {Set<Delivery>}
   */
  #deliveries = new Set();

  /** @param {Mcp} mcp */
  constructor(mcp) {
    this.mcp = mcp;
  }

  touch() {
    this.touched = Date.now();
  }

  get isConnected() {
    return this.#connections.size > 0;
  }

  /** Whether a person is being asked. What was answered and not received does not count: the inbox has the answer. */
  get isWaiting() {
    return this.#calls > this.#lost.reduce((sum, { left }) => sum + left, 0);
  }

  /**
   * Takes what the client has sent. A call is answered on a stream of its own, which can be taken up again; what is answered at once, and a client that takes no events, gets JSON.
   * @param {Came[]} messages
   * @param {boolean} isList
   * @param {Takes} takes
   * @param {ServerResponse} outgoing
   * @param {Connection} connection
   * @param {string} version
   */
  async post(messages, isList, takes, outgoing, connection, version) {
    const requests = messages.filter(isRequest);
    /** @type {(message: Came) => boolean} */
    const isCall = ({ method }) => method === "tools/call" || method === "tasks/result";
    this.#makeRoom(requests.filter(isCall).length);
    // Who asks for answers again may not have got them.
    if (messages.some((message) => !asksAgain(message))) for (const one of this.#deliveries) one.later();
    this.#connects(outgoing);
    for (const message of messages) if (!isRequest(message)) this.mcp.take(message, () => new Delivery());
    if (!requests.length) return void outgoing.writeHead(202).end();
    if (takes.events && requests.some(isCall)) {
      const stream = new Stream(`${(this.#last += 1)}`, requests.length);
      this.#streams.set(stream.id, stream);
      stream.attach(outgoing, connection, 0, version);
      /** @type {(said: Message) => Delivery} */
      const send = (said) => (said.method ? stream.send(said) : this.#notes(stream.send(said)));
      for (const message of requests) this.#take(message, Object.assign(send, { isThere: () => stream.isConnected })).then(() => (stream.less(), this.#tidy()));
      return;
    }
    /** @type {object[]} */
    const said = [];
    /** @type {Delivery[]} */
    const deliveries = [];
    /** @type {(message: Came) => Promise<void>} */
    const answered = (message) =>
      new Promise((resolve) => {
        /** @type {(one: Message) => Delivery} */
        const send = (one) => {
          const delivery = new Delivery();
          // Only responses can stand here.
          if (one.method) return delivery;
          said.push({ jsonrpc: "2.0", ...one });
          deliveries.push(delivery);
          resolve();
          return this.#notes(delivery);
        };
        this.#take(message, Object.assign(send, { isThere: () => !outgoing.destroyed })).then(resolve);
      });
    await Promise.all(requests.map(answered));
    // What was not written by then never is.
    const over = () => deliveries.forEach((one) => one.dies());
    if (outgoing.destroyed) return over();
    outgoing.once("finish", () => deliveries.forEach((one) => connection.carries(one))).once("close", over);
    if (said.length) return json(outgoing, 200, isList ? said : said[0]);
    // Every request was cancelled.
    outgoing.writeHead(204).end();
  }

  /**
   * Keeps an answer in mind until the client has it.
   * @param {Delivery} delivery
   */
  #notes(delivery) {
    for (const one of this.#deliveries) if (one.isOver) this.#deliveries.delete(one);
    this.#deliveries.add(delivery);
    return delivery;
  }

  /**
   * @param {Came} message
   * @param {Send} send
   */
  async #take(message, send) {
    this.#calls += 1;
    await this.mcp.take(message, send);
    this.#calls -= 1;
    this.touch();
  }

  /** The streams whose answers were not received, the oldest first. */
  get #lost() {
    return [...this.#streams.values()].filter(({ isLost }) => isLost);
  }

  /**
   * Makes sure that so many calls more can be under way. Answers that were not received give way: the inbox has them.
   * @param {number} more
   */
  #makeRoom(more) {
    if (!more) return;
    let over = this.#calls + more - CALLS;
    for (const stream of this.#lost) {
      if (over <= 0) break;
      over -= stream.left;
      this.#streams.delete(stream.id);
      stream.end();
    }
    if (over > 0) throw new BoardError(429, "too_many", `${CALLS} calls of this session are under way. Wait until some are answered.`);
  }

  /** @param {ServerResponse} outgoing */
  #connects(outgoing) {
    clearTimeout(this.#leaving);
    this.mcp.comes();
    this.#connections.add(outgoing);
    outgoing.once("close", () => {
      this.#connections.delete(outgoing);
      this.touch();
      if (!this.isConnected && !this.#isEnded) this.#leaving = setTimeout(() => this.mcp.leaves(), AWAY).unref();
    });
  }

  /**
   * Opens a stream of what the server says by itself, or takes up one that was cut off after an event.
   * @param {ServerResponse} outgoing
   * @param {Connection} connection
   * @param {string | undefined} after
   * @param {string} version
   */
  listen(outgoing, connection, after, version) {
    if (after !== undefined) {
      const [, id, place] = /^(\w{1,20})\.(\d{1,9})$/.exec(after) ?? [];
      const stream = this.#streams.get(id);
      if (id !== "0") {
        if (!stream) throw new BoardError(400, "no_stream", "There is no such stream any more. The tool `answers` has the answers to questions that were not received.");
        this.#connects(outgoing);
        return stream.attach(outgoing, connection, Number(place), version);
      }
    }
    this.#connects(outgoing);
    if (this.#listening.length >= LISTENING) this.#listening[0].end();
    this.#listening.push(outgoing);
    outgoing.once("close", () => (this.#listening = this.#listening.filter((one) => one !== outgoing)));
    begins(outgoing, "0.0", version);
  }

  /** Of the streams that are done, the last ones are kept: what was written to a connection may not have come through it. */
  #tidy() {
    const done = [...this.#streams.values()].filter(({ isDone }) => isDone);
    for (const { id } of done.slice(0, Math.max(0, done.length - DONE))) this.#streams.delete(id);
  }

  /** Ends the session. If its client has said that, it has what came through to it. */
  async end(isSaid = false) {
    this.#isEnded = true;
    clearTimeout(this.#leaving);
    if (isSaid) for (const one of this.#deliveries) one.closes();
    for (const stream of this.#streams.values()) stream.end();
    for (const outgoing of this.#listening) outgoing.end();
    await this.mcp.end();
  }
}

/** What comes of the requests that were sent together. It outlives its connection. */
class Stream {
  /** @type {ServerResponse | undefined} */
  #outgoing;
  /** @type {Connection | undefined} */
  #connection;
  /**
   * Responses. Progress is not sent again.
   * @type {Said[]}
   */
  #said = [];
  #last = 0;
  /** How many requests are not done: not answered, or the answer was not written. */
  left;
  /** @type {number} */
  #requests;
  #isEnded = false;

  /**
   * @param {string} id
   * @param {number} requests
   */
  constructor(id, requests) {
    this.id = id;
    this.#requests = this.left = requests;
  }

  /** Whether all that comes was written. */
  get isDone() {
    return this.left === 0;
  }

  get isConnected() {
    return this.#outgoing !== undefined;
  }

  /** Whether all is answered, and the client is not there to get it. */
  get isLost() {
    return this.left > 0 && !this.isConnected && this.#said.length >= this.#requests;
  }

  /**
   * Writes on a connection from now on: first what came after a place.
   * @param {ServerResponse} outgoing
   * @param {Connection} connection
   * @param {number} after
   * @param {string} version
   */
  attach(outgoing, connection, after, version) {
    this.#outgoing?.destroy();
    [this.#outgoing, this.#connection] = [outgoing, connection];
    outgoing.once("close", () => {
      if (this.#outgoing === outgoing) this.#outgoing = undefined;
    });
    begins(outgoing, `${this.id}.0`, version, this.#last === 0);
    for (const one of this.#said) {
      if (one.place > after) this.#write(one);
      else one.delivery.has();
    }
    this.#endIfDone();
  }

  /**
   * Sends a message. Gives the delivery of a response: it may be written on another connection later.
   * @param {Message} message
   * @returns {Delivery}
   */
  send(message) {
    const delivery = new Delivery();
    const place = (this.#last += 1);
    const text = `id: ${this.id}.${place}\nevent: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
    if (message.method) {
      // A client that does not read gets no more of what it can do without.
      if (this.#outgoing && !this.#outgoing.writableLength) this.#outgoing.write(text);
    } else if (this.#isEnded) {
      delivery.dies();
    } else {
      const one = { place, text, delivery };
      this.#said.push(one);
      this.#write(one);
    }
    return delivery;
  }

  /** @param {Said} said */
  #write({ text, delivery }) {
    const connection = /** @type {Connection} */ (this.#connection);
    this.#outgoing?.write(text, (error) => error || connection.carries(delivery));
  }

  /** A request is done. */
  less() {
    this.left -= 1;
    this.#endIfDone();
  }

  #endIfDone() {
    if (this.left === 0) this.#outgoing?.end();
  }

  /** The session has ended: what the client does not have yet, it does not get here. */
  end() {
    this.#isEnded = true;
    for (const { delivery } of this.#said) delivery.dies();
    this.#outgoing?.end();
  }
}

/**
 * Begins a stream of events. Its first one has nothing but an id, from which a client can take it up again.
 * @param {ServerResponse} outgoing
 * @param {string} id
 * @param {string} version
 */
function begins(outgoing, id, version, isNew = true) {
  events(outgoing);
  outgoing.write(version >= PRIMED && isNew ? `id: ${id}\nretry: 1000\ndata: \n\n` : ": open\n\n");
}

/** The inbox of this process, as `Client` of client.js has it for others. */
class Local {
  /** @type {Board} */
  #board;
  /** @type {string} */
  #address;
  /** @type {Map<string, number>} */
  #doubts = new Map();

  /**
   * @param {Board} board
   * @param {Folder} folder
   * @param {string} address
   */
  constructor(board, folder, address) {
    this.#board = board;
    this.folder = folder;
    this.#address = address;
  }

  get token() {
    return this.folder.tokens.ask;
  }

  async address() {
    return this.#address;
  }

  /** @param {Put} question */
  async put(question) {
    try {
      return await this.#board.put(question);
    } catch (/** @type {any} */ error) {
      throw Object.assign(error, { body: error.more });
    }
  }

  /**
   * @param {string} id
   * @param {AbortSignal} [signal]
   */
  closed(id, signal) {
    return this.#board.closed(id, signal);
  }

  /**
   * @param {string} id
   * @param {{ ifOpen?: boolean }} options
   */
  drop(id, { ifOpen } = {}) {
    return this.#board.drop(id, { ifOpen });
  }

  /**
   * Answers are written to the client next.
   * @param {string[]} ids
   */
  gives(ids) {
    return this.#board.gives(ids);
  }

  /**
   * The client has not got an answer. `isListed` is whether it seemed to.
   * @param {string} id
   * @param {boolean} isListed
   */
  keeps(id, isListed) {
    return this.#board.keeps(id, isListed);
  }

  /**
   * Nobody can say whether the client has an answer. Gives how often that was so.
   * @param {string} id
   */
  doubts(id) {
    const times = (this.#doubts.get(id) ?? 0) + 1;
    this.#doubts.set(id, times);
    return times;
  }

  /** @param {string} owner */
  of(owner) {
    return this.#board.of(owner);
  }
}

/** @type {(message: any) => boolean} */
const isMessage = (message) => message !== null && typeof message === "object" && !Array.isArray(message) && message.jsonrpc === "2.0" && (typeof message.method === "string" || "result" in message || "error" in message) && (message.id === undefined || message.id === null || ["string", "number"].includes(typeof message.id));

/**
 * Whether a message asks for answers that were given before.
 * @type {(message: Came) => boolean}
 */
const asksAgain = ({ method, params }) => method === "tools/call" && params?.name === "answers";

/** @type {(message: Came) => boolean} */
const isRequest = ({ method, id }) => method !== undefined && id !== undefined;

/**
 * What a client takes: JSON, events, or both.
 * @param {IncomingHttpHeaders} headers
 * @returns {Takes}
 */
function takenBy({ accept = "*/*" }) {
  const kinds = accept.toLowerCase().split(",").map((kind) => kind.split(";")[0].trim());
  const has = (/** @type {string} */ type) => kinds.some((kind) => kind === type || kind === "*/*" || kind === `${type.split("/")[0]}/*`);
  return { json: has("application/json"), events: has("text/event-stream") };
}
