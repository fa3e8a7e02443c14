// MCP over streamable HTTP, at the address /mcp of the inbox: sessions, and the streams on which a client gets what comes of its calls. What a client has missed when its connection was cut
// is sent again when it comes back. Who may use the address is checked before.
import { BoardError } from "./board.js";
import { events, json, jsonOf } from "./exchange.js";
import { unguessable } from "./folder.js";
import { Mcp, VERSIONS } from "./mcp.js";

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
  #client;
  #core;
  #tools;
  #version;
  /** By their ids, the one that was used last at the end. */
  #sessions = new Map();
  #looking;

  /** `core` is the headless package, and `address` that of the inbox. */
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

  async handle(incoming, outgoing, url) {
    const { method, headers } = incoming;
    const version = headers["mcp-protocol-version"] ?? UNNAMED;
    if (!VERSIONS.includes(version)) throw new BoardError(400, "version", `"MCP-Protocol-Version" must be one of ${VERSIONS.join(", ")}.`);
    if (method === "DELETE") {
      const session = this.#session(headers);
      this.#sessions.delete(session.id);
      await session.end();
      return json(outgoing, 200, {});
    }
    const takes = takenBy(headers);
    if (method === "GET") {
      if (!takes.events) throw new BoardError(406, "not_acceptable", "Send `Accept: text/event-stream`.");
      return this.#session(headers).listen(outgoing, headers["last-event-id"], version);
    }
    if (!takes.json && !takes.events) throw new BoardError(406, "not_acceptable", "Send `Accept: application/json, text/event-stream`.");
    const body = await jsonOf(incoming);
    const messages = Array.isArray(body) ? body : [body];
    if (!messages.length || messages.length > MOST || !messages.every(isMessage)) throw new BoardError(400, "bad_request", `The body must be a message of JSON-RPC 2.0, or a list of 1 to ${MOST}.`);
    const begins = messages.some(({ method }) => method === "initialize");
    if (begins && (messages.length > 1 || headers["mcp-session-id"] !== undefined)) throw new BoardError(400, "bad_request", "A session begins with `initialize` alone.");
    const session = begins ? this.#begin(url) : this.#session(headers);
    if (begins) outgoing.setHeader("Mcp-Session-Id", session.id);
    return session.post(messages, Array.isArray(body), takes, outgoing, version);
  }

  /** The session that a request names. */
  #session(headers) {
    const id = headers["mcp-session-id"];
    if (id === undefined) throw new BoardError(400, "no_session", "Name the session: send the header `Mcp-Session-Id` of the response to `initialize`.");
    const session = this.#sessions.get(id);
    if (!session) throw new BoardError(404, "no_session", "There is no such session any more. Begin a new one with `initialize`; the tool `answers` has the answers to the questions of this one.");
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.touch();
    return session;
  }

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
    const mcp = new Mcp({ client: this.#client, definition: this.#tools[simple === undefined ? 0 : 1], folder, wait: wait && Number(wait), version: this.#version, elicits: elicit === undefined ? undefined : this.#core });
    const session = new Session(mcp);
    this.#sessions.set(session.id, session);
    return session;
  }

  #endIdle() {
    for (const session of [...this.#sessions.values()]) if (!session.isConnected && !session.isWaiting && Date.now() - session.touched > IDLE) this.#end(session);
  }

  /** Ends a session. Its questions stay open. */
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
  #mcp;
  /** The streams by their ids, the oldest first. */
  #streams = new Map();
  #last = 0;
  /** The connections that are open, and those of them that wait for what the server says by itself. */
  #connections = new Set();
  #listening = [];
  /** How many requests are under way. */
  #calls = 0;
  #leaving;
  #isEnded = false;

  constructor(mcp) {
    this.#mcp = mcp;
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

  /** Takes what the client has sent. A call is answered on a stream of its own, which can be taken up again; what is answered at once, and a client that takes no events, gets JSON. */
  async post(messages, isList, takes, outgoing, version) {
    const requests = messages.filter(isRequest);
    const isCall = ({ method }) => method === "tools/call" || method === "tasks/result";
    this.#makeRoom(requests.filter(isCall).length);
    this.#connects(outgoing);
    for (const message of messages) if (!isRequest(message)) this.#mcp.take(message, async () => undefined);
    if (!requests.length) return void outgoing.writeHead(202).end();
    if (takes.events && requests.some(isCall)) {
      const stream = new Stream(`${(this.#last += 1)}`, requests.length);
      this.#streams.set(stream.id, stream);
      stream.attach(outgoing, 0, version);
      for (const message of requests) this.#take(message, (said) => stream.send(said)).then(() => (stream.less(), this.#tidy()));
      return;
    }
    const written = new Promise((resolve) => outgoing.once("close", () => resolve(outgoing.writableFinished)));
    const said = [];
    const answered = (message) =>
      new Promise((resolve) => {
        const send = async (one) => {
          // Only responses can stand here.
          if (one.method) return;
          said.push({ jsonrpc: "2.0", ...one });
          resolve();
          // The client has an answer when the whole response was written.
          if (!(await written)) throw new Error("The client is gone.");
        };
        this.#take(message, send).then(resolve);
      });
    await Promise.all(requests.map(answered));
    if (outgoing.destroyed) return;
    if (said.length) return json(outgoing, 200, isList ? said : said[0]);
    // Every request was cancelled.
    outgoing.writeHead(204).end();
  }

  async #take(message, send) {
    this.#calls += 1;
    await this.#mcp.take(message, send);
    this.#calls -= 1;
    this.touch();
  }

  /** The streams whose answers were not received, the oldest first. */
  get #lost() {
    return [...this.#streams.values()].filter(({ isLost }) => isLost);
  }

  /** Makes sure that so many calls more can be under way. Answers that were not received give way: the inbox has them. */
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

  #connects(outgoing) {
    clearTimeout(this.#leaving);
    this.#mcp.comes();
    this.#connections.add(outgoing);
    outgoing.once("close", () => {
      this.#connections.delete(outgoing);
      this.touch();
      if (!this.isConnected && !this.#isEnded) this.#leaving = setTimeout(() => this.#mcp.leaves(), AWAY).unref();
    });
  }

  /** Opens a stream of what the server says by itself, or takes up one that was cut off after an event. */
  listen(outgoing, after, version) {
    if (after !== undefined) {
      const [, id, place] = /^(\w{1,20})\.(\d{1,9})$/.exec(after) ?? [];
      const stream = this.#streams.get(id);
      if (id !== "0") {
        if (!stream) throw new BoardError(400, "no_stream", "There is no such stream any more. The tool `answers` has the answers to questions that were not received.");
        this.#connects(outgoing);
        return stream.attach(outgoing, Number(place), version);
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

  async end() {
    this.#isEnded = true;
    clearTimeout(this.#leaving);
    for (const stream of this.#streams.values()) stream.end();
    for (const outgoing of this.#listening) outgoing.end();
    await this.#mcp.end();
  }
}

/** What comes of the requests that were sent together. It outlives its connection. */
class Stream {
  #outgoing;
  /** Responses: `{ place, text, resolve, reject }`. Progress is not sent again. */
  #said = [];
  #last = 0;
  /** How many requests are not done: not answered, or the client does not have the answer. */
  left;
  #requests;
  #isEnded = false;

  constructor(id, requests) {
    this.id = id;
    this.#requests = this.left = requests;
  }

  /** Whether the client has all that comes. */
  get isDone() {
    return this.left === 0;
  }

  /** Whether all is answered, and the client is not there to get it. */
  get isLost() {
    return this.left > 0 && !this.#outgoing && this.#said.length >= this.#requests;
  }

  /** Writes on a connection from now on: first what came after a place. */
  attach(outgoing, after, version) {
    this.#outgoing?.destroy();
    this.#outgoing = outgoing;
    outgoing.once("close", () => {
      if (this.#outgoing === outgoing) this.#outgoing = undefined;
    });
    begins(outgoing, `${this.id}.0`, version, this.#last === 0);
    for (const one of this.#said) {
      if (one.place > after) this.#write(one);
      else one.resolve();
    }
    this.#endIfDone();
  }

  /** Sends a message. Resolves when the client has it: of a response, that may be on another connection. */
  send(message) {
    const place = (this.#last += 1);
    const text = `id: ${this.id}.${place}\nevent: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
    if (message.method) {
      // A client that does not read gets no more of what it can do without.
      if (this.#outgoing && !this.#outgoing.writableLength) this.#outgoing.write(text);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      if (this.#isEnded) return reject(new Error("The session has ended."));
      const one = { place, text, resolve, reject };
      this.#said.push(one);
      this.#write(one);
    });
  }

  #write({ text, resolve }) {
    this.#outgoing?.write(text, (error) => error || resolve());
  }

  /** A request is done. */
  less() {
    this.left -= 1;
    this.#endIfDone();
  }

  #endIfDone() {
    if (this.left === 0) this.#outgoing?.end();
  }

  /** The session has ended: what the client does not have yet, it does not get. */
  end() {
    this.#isEnded = true;
    for (const { reject } of this.#said) reject(new Error("The session has ended."));
    this.#outgoing?.end();
  }
}

/** Begins a stream of events. Its first one has nothing but an id, from which a client can take it up again. */
function begins(outgoing, id, version, isNew = true) {
  events(outgoing);
  outgoing.write(version >= PRIMED && isNew ? `id: ${id}\nretry: 1000\ndata: \n\n` : ": open\n\n");
}

/** The inbox of this process, as `Client` of client.js has it for others. */
class Local {
  #board;
  #address;

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

  async put(question) {
    try {
      return await this.#board.put(question);
    } catch (error) {
      throw Object.assign(error, { body: error.more });
    }
  }

  closed(id, signal) {
    return this.#board.closed(id, signal);
  }

  drop(id) {
    return this.#board.drop(id);
  }

  of(owner) {
    return this.#board.of(owner);
  }
}

const isMessage = (message) => message !== null && typeof message === "object" && !Array.isArray(message) && message.jsonrpc === "2.0" && (typeof message.method === "string" || "result" in message || "error" in message) && (message.id === undefined || message.id === null || ["string", "number"].includes(typeof message.id));

const isRequest = ({ method, id }) => method !== undefined && id !== undefined;

/** What a client takes: JSON, events, or both. */
function takenBy({ accept = "*/*" }) {
  const kinds = accept.toLowerCase().split(",").map((kind) => kind.split(";")[0].trim());
  const has = (type) => kinds.some((kind) => kind === type || kind === "*/*" || kind === `${type.split("/")[0]}/*`);
  return { json: has("application/json"), events: has("text/event-stream") };
}
