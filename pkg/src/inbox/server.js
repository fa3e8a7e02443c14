// The addresses of the inbox: the page and its files, what the page may do, and what programs may do. Each request must name this machine, come from the inbox's own page if it comes from
// a page, and have the token or the key that its address asks for.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { listener } from "../hosting/listener.js";
import { BoardError } from "./board.js";
import { bearer, events, json, jsonOf, send } from "./exchange.js";
import { isSame, proof, unguessable } from "./folder.js";
import { McpOverHttp } from "./mcp-http.js";
import { openapi } from "./openapi.js";
import { icon, page } from "./shell.js";
import { TEXTS } from "./texts.js";

/** How long a request waits for an answer at most, in seconds. */
const LONGEST_WAIT = 60;
/** How many browsers are remembered. */
const DEVICES = 100;
/** How long a code opens the page that was not used, in milliseconds, and how many there are at once. */
const [CODE_LIVES, CODES] = [600_000, 20];
/** How many connections there are at most. How long a client may take to send the head of a request, and a whole one; and how often that is looked at, in milliseconds. */
const CONNECTIONS = 2_000;
const TIMES = { headersTimeout: 5_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 };

const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self'", "img-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
  "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
].join("; ");
/** What each response says: the page loads nothing of others, is in no frame, and tells no address of its own to anybody. */
const SAFE = {
  "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
};
const TYPES = { js: "text/javascript; charset=utf-8", wasm: "application/wasm" };

export class Server {
  #board;
  #inbox;
  #folder;
  #files;
  #version;
  #onError;
  #server;
  #ready = false;
  #mcp;
  /** Names this run of the inbox: what a browser sends is of no use in another one. */
  #run = unguessable();
  /** The codes that open the page once: until when, by each. */
  #codes = new Map();

  /** `files` is the folder with the files of the package, as a URL, and `version` that of the package. */
  constructor({ folder, files, version, onError }) {
    this.#version = version;
    this.#folder = folder;
    this.#files = files;
    this.#onError = onError;
    this.#server = createServer(TIMES, (incoming, outgoing) => this.#handle(incoming, outgoing));
    this.#server.maxConnections = CONNECTIONS;
  }

  /** Listens at a port of this machine, or at any that is free if another program has it. Gives the address. */
  async listen(port) {
    const begin = (at) =>
      new Promise((resolve, reject) => {
        this.#server.once("error", reject);
        this.#server.listen(at, "127.0.0.1", () => (this.#server.off("error", reject), resolve()));
      });
    await begin(port).catch((error) => (error.code === "EADDRINUSE" ? begin(0) : Promise.reject(error)));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** From now on, requests are answered. `core` is the headless package. */
  serve(board, inbox, core) {
    this.#board = board;
    this.#inbox = inbox;
    this.#mcp = new McpOverHttp({ core, board, folder: this.#folder, address: `http://${this.#host}`, version: this.#version });
    this.#ready = true;
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#mcp?.close();
  }

  async #handle(incoming, outgoing) {
    for (const [name, value] of Object.entries(SAFE)) outgoing.setHeader(name, value);
    try {
      await this.#route(incoming, outgoing);
    } catch (error) {
      if (outgoing.headersSent) return void outgoing.destroy();
      if (error instanceof BoardError) return json(outgoing, error.status, { error: error.code, message: error.message, ...error.more });
      this.#onError(error);
      json(outgoing, error.status ?? 500, { error: error.code ?? "internal", message: "The inbox failed. Try again." });
    }
  }

  async #route(incoming, outgoing) {
    const { method, headers } = incoming;
    const host = (headers.host ?? "").toLowerCase();
    // Another name may lead here by somebody else's DNS, and a page of another origin may send requests here.
    if (host !== this.#host) throw new BoardError(403, "not_this_host", "The request names another host.");
    if (headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${host}`) throw new BoardError(403, "not_this_host", "The request comes from a page of another origin.");
    if (!/^\/(?!\/)/.test(incoming.url)) throw new BoardError(400, "bad_request", "This is no address.");
    const url = new URL(incoming.url, `http://${host}`);
    const [first = "", ...rest] = url.pathname.slice(1).split("/");
    const is = (...allowed) => {
      if (!allowed.includes(method)) throw new BoardError(405, "method", `Use ${allowed.join(" or ")} here.`);
    };
    if (first === "health") return is("GET"), this.#health(url, outgoing);
    if (!this.#ready) throw new BoardError(503, "begins", "The inbox begins. Send the request again.");
    if (first === "s") return this.#person(incoming, outgoing, url, rest);
    if (first === "codes" && rest.length === 0) return is("POST"), this.#makeCode(incoming, outgoing);
    if (first === "session" && rest.length === 0) return is("POST", "DELETE"), this.#begin(incoming, outgoing);
    if (first === "mcp" && rest.length === 0) return is("GET", "POST", "DELETE"), this.#asks(incoming, outgoing), this.#mcp.handle(incoming, outgoing, url);
    if (first === "questions") return this.#program(incoming, outgoing, url, rest, is);
    is("GET");
    if (first === "" && rest.length === 0) return send(outgoing, 200, page(), "text/html; charset=utf-8");
    if (first === "openapi.json" && rest.length === 0) return json(outgoing, 200, openapi({ version: this.#version, limits: { wait: LONGEST_WAIT } }));
    if (first === "icon.svg") return send(outgoing, 200, icon(Number(url.searchParams.get("open")) || 0), "image/svg+xml");
    return this.#file(outgoing, [first, ...rest].join("/"));
  }

  /** The address as the page sees it. No other name leads here: that of this machine may lead to another address of it. */
  get #host() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  /** Says that this is the inbox, by what only a holder of the token can make of a text; and to a browser, by what only it and the inbox can make. */
  #health(url, outgoing) {
    const [asked, id] = ["nonce", "device"].map((name) => url.searchParams.get(name) ?? "");
    const device = id && this.#folder.devices.find((one) => one.id === id);
    // The address is in it: another program cannot pass on what the inbox says at another port.
    const more = device && { device_proof: proof(device.key, `inbox ${asked} ${this.#run} ${this.#host}`) };
    json(outgoing, this.#ready ? 200 : 503, { ask_user: "inbox", proof: proof(this.#folder.tokens.ask, `health ${asked}`), run: this.#run, ...more });
  }

  async #file(outgoing, name) {
    const [, kind] = /^(?:locales\/)?[\w-]+(?:\.[\w-]+)*\.(js|wasm|css)$/.exec(name) ?? [];
    const bytes = kind && (await readFile(new URL(name, this.#files)).catch(() => undefined));
    if (!bytes) throw new BoardError(404, "not_found", "There is nothing at this address.");
    send(outgoing, 200, bytes, TYPES[kind] ?? "text/css; charset=utf-8");
  }

  // The person's side.

  /** A code that opens the page once, for a while. */
  code() {
    const code = unguessable();
    this.#codes = new Map([...this.#codes, [code, Date.now() + CODE_LIVES]].slice(-CODES));
    return code;
  }

  #makeCode(incoming, outgoing) {
    if (!isSame(bearer(incoming), this.#folder.tokens.page)) throw new BoardError(401, "wrong_token", TEXTS.locked);
    json(outgoing, 201, { code: this.code() });
  }

  /** Gives a browser a secret of its own for a code. A browser that has one already only has the code taken back (`DELETE`). */
  #begin(incoming, outgoing) {
    const code = bearer(incoming);
    const until = this.#codes.get(code) ?? 0;
    this.#codes.delete(code);
    if (incoming.method === "DELETE") return json(outgoing, 200, {});
    if (until < Date.now()) throw new BoardError(401, "wrong_code", TEXTS.locked);
    const [id, key] = [unguessable(), unguessable()];
    const device = { id, key, name: deviceOf(incoming.headers["user-agent"] ?? ""), since: new Date().toISOString() };
    this.#folder.devices = [...this.#folder.devices, device].slice(-DEVICES);
    json(outgoing, 201, { device: id, key });
  }

  /**
   * What the page does. What it makes of its secret for this run stands in the path, because event streams take no headers; no other program of this machine gets it, as a cookie would be.
   */
  async #person(incoming, outgoing, url, [key = "", what, ...more]) {
    const device = this.#folder.devices.find((one) => isSame(proof(one.key, `run ${this.#run} ${this.#host}`), key));
    if (!device) throw new BoardError(401, "wrong_key", TEXTS.locked);
    if (what === "events" && incoming.method === "GET") return this.#events(outgoing);
    if (what === "receipts" && incoming.method === "GET") return json(outgoing, 200, this.#board.receipts(url.searchParams.get("search") ?? ""));
    const [id, act, ...none] = more;
    if (what !== "conversations" || !this.#board.has(id) || none.length) throw new BoardError(404, "not_found", "There is nothing at this address.");
    incoming.url = `/conversations/${id}/${act}${url.search}`;
    const handle = async (request) => {
      const response = await this.#inbox.handle(request);
      if (response.ok && ["respond", "cancel"].includes(act)) await this.#board.answeredBy(id, device.name).catch(this.#onError);
      return response;
    };
    return listener({ handle })(incoming, outgoing);
  }

  /** Tells the page the open questions, now and whenever they change. */
  #events(outgoing) {
    let isDue = false;
    const tell = () => {
      isDue = false;
      outgoing.write(`id: ${this.#board.version}\nevent: state_change\ndata: ${JSON.stringify({ open: this.#board.open })}\n\n`);
    };
    const unlisten = this.#board.listen(() => {
      if (!isDue) setImmediate(tell);
      isDue = true;
    });
    outgoing.once("close", unlisten);
    events(outgoing);
    outgoing.write("retry: 1000\n\n");
    tell();
  }

  // The program's side.

  /** Refuses who does not have the token to ask. */
  #asks(incoming, outgoing) {
    if (isSame(bearer(incoming), this.#folder.tokens.ask)) return;
    outgoing.setHeader("WWW-Authenticate", "Bearer");
    throw new BoardError(401, "wrong_token", "Send the token of the inbox as `Authorization: Bearer …`.");
  }

  async #program(incoming, outgoing, url, [id, ...none], is) {
    if (none.length) throw new BoardError(404, "not_found", "There is nothing at this address.");
    this.#asks(incoming, outgoing);
    if (id === undefined) {
      is("GET", "POST");
      if (incoming.method === "POST") return this.#ask(incoming, outgoing);
      const owner = url.searchParams.get("owner");
      if (!owner) throw new BoardError(422, "bad_request", 'Name the "owner" of the questions.');
      return answer(outgoing, 200, { questions: await this.#board.of(owner) });
    }
    is("GET", "DELETE");
    if (incoming.method === "DELETE") return answer(outgoing, 200, await this.#board.drop(id));
    const wait = Number(url.searchParams.get("wait") ?? 0);
    if (!(wait >= 0 && wait <= LONGEST_WAIT)) throw new BoardError(422, "bad_request", `"wait" must be a number of seconds from 0 to ${LONGEST_WAIT}.`);
    const state = await this.#board.state(id);
    if (state.state !== "open" || !wait) return answer(outgoing, 200, state);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), wait * 1_000);
    outgoing.once("close", () => over.abort());
    try {
      return answer(outgoing, 200, await this.#board.closed(id, over.signal).catch((error) => (error.name === "AbortError" ? state : Promise.reject(error))));
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask(incoming, outgoing) {
    const { id, isNew } = await this.#board.put(await bodyOf(incoming));
    answer(outgoing, isNew ? 201 : 200, await this.#board.state(id));
  }
}

/** The JSON object that a program sends. */
async function bodyOf(incoming) {
  const body = await jsonOf(incoming);
  if (body === null || typeof body !== "object" || Array.isArray(body)) throw new BoardError(422, "bad_request", "The body must be a JSON object.");
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new BoardError(422, "bad_request", `There is no field "${unknown}". The fields are: ${FIELDS.join(", ")}.`);
  return body;
}

const FIELDS = ["id", "request", "dialect", "who", "folder", "owner", "expires_in"];

/** Answers a program. A result stands there as JSON text, so that its numbers keep every digit, and as a value. */
function answer(outgoing, status, value) {
  send(outgoing, status, valueText(value), "application/json");
}

const valueText = (value) => {
  if (Array.isArray(value?.questions)) return `{"questions":[${value.questions.map(valueText).join(",")}]}`;
  const text = JSON.stringify(value);
  return value.result_text === undefined ? text : `${text.slice(0, -1)},"result":${value.result_text}}`;
};

/** What people call a browser, by what it says of itself. */
function deviceOf(agent) {
  const find = (names) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = find([[/Edg\//, "Edge"], [/Firefox\//, "Firefox"], [/Chrom(e|ium)\//, "Chrome"], [/Safari\//, "Safari"]]) ?? TEXTS.browser;
  const system = find([[/iPhone|iPad/, "iOS"], [/Android/, "Android"], [/Windows/, "Windows"], [/Mac OS X/, "macOS"], [/Linux/, "Linux"]]);
  return TEXTS.device(browser, system);
}
