// The addresses of the inbox: the page and its files, what the page may do, and what programs may do. Each request must name this machine, come from the inbox's own page if it comes from
// a page, and have the token or the key that its address asks for.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { listener } from "../hosting/listener.js";
import { BoardError } from "./board.js";
import { LARGEST, bearer, events, json, jsonOf, send, valueText } from "./exchange.js";
import { isSame, proof, unguessable } from "./folder.js";
import { McpOverHttp } from "./mcp-http.js";
import { openapi } from "./openapi.js";
import { Connection } from "./received.js";
import { inNetwork, isPassedOn } from "./share.js";
import { appIcon, icon, manifest, page, worker } from "./shell.js";
import { TEXTS } from "./texts.js";

/**
 * @import { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http"
 * @import { AddressInfo } from "node:net"
 * @import { Inbox } from "../../types/host.js"
 * @import { Core } from "../hosting/desks.js"
 * @import { Board, Put, State } from "./board.js"
 * @import { Folder } from "./folder.js"
 */

/** How long a request waits for an answer at most, in seconds. */
const LONGEST_WAIT = 60;
/** How many browsers are remembered. */
const DEVICES = 100;
/** How long a code opens the page that was not used, in milliseconds, and how many there are at once. */
const [CODE_LIVES, CODES] = [600_000, 40];
/** How many connections there are at most. How long a client may take to send the head of a request, and a whole one; and how often that is looked at, in milliseconds. */
const CONNECTIONS = 2_000;
const TIMES = { headersTimeout: 5_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 };

const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self'", "img-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
  "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types ask-user-inbox",
].join("; ");
/** What each response says: the page loads nothing of others, is in no frame, and tells no address of its own to anybody. */
const SAFE = {
  "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
};
/** What browsers do not take from an address of another machine that is not encrypted is left out there. */
const { "Cross-Origin-Opener-Policy": _, ...OPEN } = SAFE;
/**
 * What makes the page an app, and the types of that.
 * @type {{ [name: string]: (version: string) => string }}
 */
const APP = { "manifest.webmanifest": () => JSON.stringify(manifest()), "app.svg": appIcon, "inbox.worker.js": worker };
/** @type {{ [kind: string]: string }} */
const APP_TYPES = { webmanifest: "application/manifest+json", svg: "image/svg+xml", js: "text/javascript; charset=utf-8" };
/** @type {{ [kind: string]: string }} */
const TYPES = { js: "text/javascript; charset=utf-8", wasm: "application/wasm" };

export class Server {
  /** @type {Board} */
  #board = /** @type {Board} */ (/** @type {unknown} */ (undefined));
  /** @type {Inbox} */
  #inbox = /** @type {Inbox} */ (/** @type {unknown} */ (undefined));
  /** @type {Folder} */
  #folder;
  /** @type {URL} */
  #files;
  /** @type {string} */
  #version;
  /** @type {(error: unknown) => void} */
  #onError;
  /** @type {HttpServer} */
  #server;
  #ready = false;
  /** @type {McpOverHttp | undefined} */
  #mcp;
  /**
   * Whether other machines reach the inbox at the addresses of this one; the address of a reverse proxy, if there is one; and whether approvals can be answered on this machine alone.
   * @type {boolean}
   */
  #isShared;
  /** @type {URL | undefined} */
  #public;
  /** @type {boolean} */
  #keepsApprovals;
  /**
   * The servers at the addresses of this machine in its networks: each with its `host`.
   * @type {(HttpServer & { host?: string })[]}
   */
  #others = [];
  /** Names this run of the inbox: what a browser sends is of no use in another one. */
  #run = unguessable();
  /**
   * The codes that open the page once: `{ until, isShared }`, by each.
   * @type {Map<string, { until: number, isShared: boolean }>}
   */
  #codes = new Map();

  /**
   * `files` is the folder with the files of the package, as a URL, and `version` that of the package.
   * @param {{ folder: Folder, files: URL, version: string, onError: (error: unknown) => void, isShared?: boolean, publicly?: URL, keepsApprovals?: boolean }} options
   */
  constructor({ folder, files, version, onError, isShared = false, publicly, keepsApprovals = false }) {
    this.#isShared = isShared;
    this.#public = publicly;
    this.#keepsApprovals = keepsApprovals;
    this.#version = version;
    this.#folder = folder;
    this.#files = files;
    this.#onError = onError;
    this.#server = createServer(TIMES, (incoming, outgoing) => this.#handle(incoming, outgoing));
    this.#server.maxConnections = CONNECTIONS;
  }

  /**
   * Listens at a port of this machine, or at any that is free if another program has it. Gives the address.
   * @param {number} port
   * @returns {Promise<string>}
   */
  async listen(port) {
    /** @type {(server: HttpServer, address: string, at: number) => Promise<void>} */
    const begin = (server, address, at) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(at, address, () => (server.off("error", reject), resolve()));
      });
    /** @type {(server: HttpServer, address: string, at: number) => Promise<void>} */
    const free = (server, address, at) => begin(server, address, at).catch((error) => (error.code === "EADDRINUSE" ? begin(server, address, 0) : Promise.reject(error)));
    await free(this.#server, "127.0.0.1", port);
    for (const address of this.#isShared ? inNetwork() : []) {
      /** @type {HttpServer & { host?: string }} */
      const server = createServer(TIMES, (incoming, outgoing) => this.#handle(incoming, outgoing, OPEN));
      server.maxConnections = CONNECTIONS;
      await free(server, address, /** @type {AddressInfo} */ (this.#server.address()).port);
      server.host = `${address}:${/** @type {AddressInfo} */ (server.address()).port}`;
      this.#others.push(server);
    }
    if (this.#isShared && !this.#others.length) throw new Error("This machine has no address in a network (IPv4), so the inbox cannot be shared there.");
    return `http://${this.#host}`;
  }

  /** The addresses of the page for other devices, each with a code that opens it once. That of the proxy stands first. */
  get shared() {
    const addresses = [...(this.#public ? [this.#public.href] : []), ...this.#others.map(({ host }) => `http://${host}/`)];
    return addresses.map((address) => `${address}#code=${this.code(true)}`);
  }

  /**
   * From now on, requests are answered. `core` is the headless package.
   * @param {Board} board
   * @param {Inbox} inbox
   * @param {Core} core
   */
  serve(board, inbox, core) {
    this.#board = board;
    this.#inbox = inbox;
    this.#mcp = new McpOverHttp({ core, board, folder: this.#folder, address: `http://${this.#host}`, version: this.#version });
    this.#ready = true;
  }

  async close() {
    for (const server of [this.#server, ...this.#others]) {
      server.close();
      server.closeAllConnections();
    }
    await this.#mcp?.close();
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   * @param {{ [name: string]: string }} safe
   */
  async #handle(incoming, outgoing, safe = SAFE) {
    for (const [name, value] of Object.entries(safe)) outgoing.setHeader(name, value);
    Connection.goesOn(incoming.socket);
    try {
      await this.#route(/** @type {IncomingMessage & { url: string }} */ (incoming), outgoing);
    } catch (/** @type {any} */ error) {
      if (outgoing.headersSent) return void outgoing.destroy();
      if (error instanceof BoardError) return json(outgoing, error.status, { error: error.code, message: error.message, ...error.more });
      this.#onError(error);
      json(outgoing, error.status ?? 500, { error: error.code ?? "internal", message: "The inbox failed. Try again." });
    }
  }

  /**
   * @param {IncomingMessage & { url: string }} incoming
   * @param {ServerResponse} outgoing
   */
  async #route(incoming, outgoing) {
    const { method } = incoming;
    const isOwn = this.#admit(incoming);
    // A proxy may leave the path of the page's address in its requests, or take it off.
    const { pathname = "/" } = this.#public ?? {};
    if (pathname !== "/" && incoming.url.startsWith(pathname)) incoming.url = incoming.url.slice(pathname.length - 1);
    if (!/^\/(?!\/)/.test(incoming.url)) throw new BoardError(400, "bad_request", "This is no address.");
    const url = new URL(incoming.url, `http://${this.#host}`);
    const [first = "", ...rest] = url.pathname.slice(1).split("/");
    /** @type {(...allowed: string[]) => void} */
    const is = (...allowed) => {
      if (!allowed.includes(/** @type {string} */ (method))) throw new BoardError(405, "method", `Use ${allowed.join(" or ")} here.`);
    };
    if (first === "health") return is("GET"), this.#health(url, outgoing, isOwn);
    if (!this.#ready) throw new BoardError(503, "begins", "The inbox begins. Send the request again.");
    if (first === "s") return this.#person(incoming, outgoing, url, rest);
    if (!isOwn && ["codes", "mcp", "questions", "receipts", "openapi.json"].includes(first)) throw new BoardError(403, "only_here", "Programs use this address on the machine of the inbox alone.");
    if (first === "codes" && rest.length === 0) return is("POST"), this.#makeCode(incoming, outgoing);
    if (first === "session" && rest.length === 0) return is("POST", "DELETE"), this.#begin(incoming, outgoing);
    if (first === "mcp" && rest.length === 0) return is("GET", "POST", "DELETE"), this.#asks(incoming, outgoing), /** @type {McpOverHttp} */ (this.#mcp).handle(incoming, outgoing, url);
    if (first === "receipts") return is("GET"), this.#receipt(incoming, outgoing, rest);
    if (first === "questions") return this.#program(incoming, outgoing, url, rest, is);
    is("GET");
    if (first === "" && rest.length === 0) return send(outgoing, 200, page(), "text/html; charset=utf-8");
    if (first === "openapi.json" && rest.length === 0) return json(outgoing, 200, openapi({ version: this.#version, limits: { wait: LONGEST_WAIT } }));
    if (first === "icon.svg") return send(outgoing, 200, icon(Number(url.searchParams.get("open")) || 0), "image/svg+xml");
    if (rest.length === 0 && Object.hasOwn(APP, first)) return send(outgoing, 200, APP[first](this.#version), APP_TYPES[/** @type {string} */ (first.split(".").at(-1))]);
    return this.#file(outgoing, [first, ...rest].join("/"));
  }

  /** The address as the page on this machine sees it. No other name leads here: that of this machine may lead to another address of it. */
  get #host() {
    return `127.0.0.1:${/** @type {AddressInfo} */ (this.#server.address()).port}`;
  }

  /** The addresses as pages see them. */
  get #hosts() {
    return [this.#host, ...this.#others.map(({ host }) => host), ...(this.#public ? [this.#public.host] : [])];
  }

  /**
   * Refuses what names another host, which may lead here by somebody else's DNS, and what comes from a page of another origin. Gives whether the request came to this machine's own address, and as far as can be seen, from
   * this machine.
   * @param {IncomingMessage} incoming
   */
  #admit(incoming) {
    const { headers, socket } = incoming;
    const [host, origin] = [headers.host ?? "", headers.origin].map((text) => text?.toLowerCase());
    const isPublic = this.#public !== undefined && host === this.#public.host;
    const at = `${socket.localAddress?.replace(/^::ffff:/, "")}:${socket.localPort}`;
    const isDirect = host === at && this.#hosts.includes(host);
    if (!isPublic && !isDirect) throw new BoardError(403, "not_this_host", "The request names another host.");
    // A proxy may name this machine as the host. The page says where it comes from, all the same.
    const isOfPublic = origin !== undefined && origin === this.#public?.origin && (isPublic || host === this.#host);
    if (origin !== undefined && !isOfPublic && (isPublic || origin !== `http://${host}`)) throw new BoardError(403, "not_this_host", "The request comes from a page of another origin.");
    return host === this.#host && !isOfPublic && !isPassedOn(incoming);
  }

  /**
   * Says that this is the inbox, by what only a holder of the token can make of a text; and to a browser, by what only it and the inbox can make.
   * @param {URL} url
   * @param {ServerResponse} outgoing
   * @param {boolean} isOwn
   */
  #health(url, outgoing, isOwn) {
    const [asked, id, host] = ["nonce", "device", "host"].map((name) => url.searchParams.get(name) ?? "");
    const device = id && this.#folder.devices.find((one) => one.id === id);
    const at = this.#hosts.find((one) => one === host.toLowerCase()) ?? this.#host;
    // The address is in it: another program cannot pass on what the inbox says at another one.
    const more = device && { device_proof: proof(device.key, `inbox ${asked} ${this.#run} ${at}`) };
    json(outgoing, this.#ready ? 200 : 503, { ask_user: "inbox", ...(isOwn && { proof: proof(this.#folder.tokens.ask, `health ${asked}`) }), run: this.#run, ...more });
  }

  /**
   * @param {ServerResponse} outgoing
   * @param {string} name
   */
  async #file(outgoing, name) {
    const [, kind] = /^(?:locales\/)?[\w-]+(?:\.[\w-]+)*\.(js|wasm|css)$/.exec(name) ?? [];
    const bytes = kind && (await readFile(new URL(name, this.#files)).catch(() => undefined));
    if (!bytes) throw new BoardError(404, "not_found", "There is nothing at this address.");
    send(outgoing, 200, bytes, TYPES[kind] ?? "text/css; charset=utf-8");
  }

  // The person's side.

  /** A code that opens the page once, for a while: on this machine, or on another device. */
  code(isShared = false) {
    const code = unguessable();
    this.#codes = new Map([...this.#codes, /** @type {[string, { until: number, isShared: boolean }]} */ ([code, { until: Date.now() + CODE_LIVES, isShared }])].slice(-CODES));
    return code;
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   */
  #makeCode(incoming, outgoing) {
    if (!isSame(bearer(incoming), this.#folder.tokens.page)) throw new BoardError(401, "wrong_token", TEXTS.locked);
    json(outgoing, 201, { code: this.code(), shared: this.shared });
  }

  /**
   * Gives a browser a secret of its own for a code. A browser that has one already only has the code taken back (`DELETE`).
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   */
  #begin(incoming, outgoing) {
    const code = bearer(incoming);
    const { until, isShared } = this.#codes.get(code) ?? { until: 0 };
    this.#codes.delete(code);
    if (incoming.method === "DELETE") return json(outgoing, 200, {});
    if (until < Date.now()) throw new BoardError(401, "wrong_code", TEXTS.locked);
    const [id, key] = [unguessable(), unguessable()];
    const device = { id, key, name: deviceOf(incoming.headers["user-agent"] ?? ""), since: new Date().toISOString(), ...((isShared || isPassedOn(incoming)) && { isShared: /** @type {const} */ (true) }) };
    this.#folder.devices = [...this.#folder.devices, device].slice(-DEVICES);
    json(outgoing, 201, { device: id, key });
  }

  /**
   * What the page does. What it makes of its secret for this run stands in the path, because event streams take no headers; no other program of this machine gets it, as a cookie would be.
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   * @param {URL} url
   * @param {string[]} path
   */
  async #person(incoming, outgoing, url, [key = "", what, ...more]) {
    const device = this.#folder.devices.find((one) => this.#hosts.some((host) => isSame(proof(one.key, `run ${this.#run} ${host}`), key)));
    if (!device) throw new BoardError(401, "wrong_key", TEXTS.locked);
    const isKept = this.#keepsApprovals && (device.isShared || isPassedOn(incoming));
    if (what === "events" && incoming.method === "GET") return this.#events(outgoing, isKept);
    const [id, act, ...none] = more;
    if (what === "receipts" && incoming.method === "GET" && id === undefined) return json(outgoing, 200, this.#board.receipts(url.searchParams.get("search") ?? ""));
    if (what === "receipts" && incoming.method === "GET" && act === undefined) return json(outgoing, 200, await this.#board.receipt(id));
    if (what === "grants" && incoming.method === "GET" && id === undefined) return json(outgoing, 200, this.#board.grants());
    if (what !== "conversations" || !this.#board.has(id) || none.length) throw new BoardError(404, "not_found", "There is nothing at this address.");
    if (isKept && this.#board.isApproval(id) && incoming.method !== "GET") throw new BoardError(403, "only_here", TEXTS.only_here);
    // Who may send the request was looked at: for what follows, it came to this machine's own address.
    incoming.headers.host = this.#host;
    delete incoming.headers.origin;
    incoming.url = `/conversations/${id}/${act}${url.search}`;
    /** @type {(request: Request) => Promise<Response>} */
    const pass = (request) => this.#inbox.handle(request);
    // What changes the question is noted with its device.
    const does = act === "walk" ? "keep" : ["respond", "cancel"].includes(act) ? "act" : undefined;
    const handle = does ? async (/** @type {Request} */ request) => this.#board[does](id, device, await walkIn(request), () => pass(request)) : pass;
    return listener(/** @type {Inbox} */ ({ handle }))(incoming, outgoing);
  }

  /**
   * Tells the page the open questions, now and whenever they change.
   * @param {ServerResponse} outgoing
   * @param {boolean} isKept
   */
  #events(outgoing, isKept) {
    let isDue = false;
    const tell = () => {
      isDue = false;
      outgoing.write(`id: ${this.#board.version}\nevent: state_change\ndata: ${JSON.stringify({ open: this.#board.open.map(({ approval, ...one }) => (isKept && approval ? { ...one, only_here: true } : one)) })}\n\n`);
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

  /**
   * Refuses who does not have the token to ask.
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   */
  #asks(incoming, outgoing) {
    if (isSame(bearer(incoming), this.#folder.tokens.ask)) return;
    outgoing.setHeader("WWW-Authenticate", "Bearer");
    throw new BoardError(401, "wrong_token", "Send the token of the inbox as `Authorization: Bearer …`.");
  }

  /**
   * The receipt of a question, or what was shown of it, for whoever has its id.
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   * @param {string[]} path
   */
  async #receipt(incoming, outgoing, [id, what, ...none]) {
    if (id === undefined || none.length || ![undefined, "shown"].includes(what)) throw new BoardError(404, "not_found", "There is nothing at this address.");
    this.#asks(incoming, outgoing);
    send(outgoing, 200, what ? await this.#board.shown(id) : JSON.stringify(await this.#board.receipt(id)), "application/json");
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   * @param {URL} url
   * @param {string[]} path
   * @param {(...allowed: string[]) => void} is
   */
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
    if (incoming.method === "DELETE") {
      const only = url.searchParams.get("if");
      if (!(/** @type {(string | null)[]} */ ([null, "open"]).includes(only))) throw new BoardError(422, "bad_request", '"if" must be "open".');
      return answer(outgoing, 200, await this.#board.drop(id, { ifOpen: only === "open" }));
    }
    const wait = Number(url.searchParams.get("wait") ?? 0);
    if (!(wait >= 0 && wait <= LONGEST_WAIT)) throw new BoardError(422, "bad_request", `"wait" must be a number of seconds from 0 to ${LONGEST_WAIT}.`);
    const state = await this.#board.state(id);
    if (state.state !== "open" || !wait) return answer(outgoing, 200, state);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), wait * 1_000);
    outgoing.once("close", () => over.abort());
    try {
      return answer(outgoing, 200, await /** @type {Promise<State>} */ (this.#board.closed(id, over.signal).catch((error) => (error.name === "AbortError" ? state : Promise.reject(error)))));
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   */
  async #ask(incoming, outgoing) {
    const { id, isNew } = await this.#board.put(await bodyOf(incoming));
    answer(outgoing, isNew ? 201 : 200, await this.#board.state(id));
  }
}

/**
 * The JSON that a page sends with a walk; undefined if it is none. The request can still be read.
 * @param {Request} request
 * @returns {Promise<any>}
 */
async function walkIn(request) {
  if (!(Number(request.headers.get("content-length")) <= LARGEST)) return undefined;
  return request.clone().json().catch(() => undefined);
}

/**
 * The JSON object that a program sends.
 * @param {IncomingMessage} incoming
 * @returns {Promise<Put>}
 */
async function bodyOf(incoming) {
  const body = await jsonOf(incoming);
  if (body === null || typeof body !== "object" || Array.isArray(body)) throw new BoardError(422, "bad_request", "The body must be a JSON object.");
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new BoardError(422, "bad_request", `There is no field "${unknown}". The fields are: ${FIELDS.join(", ")}.`);
  return body;
}

const FIELDS = ["id", "request", "dialect", "who", "folder", "owner", "expires_in", "approval", "webhook"];

/**
 * Answers a program. A result stands there as JSON text, so that its numbers keep every digit, and as a value.
 * @param {ServerResponse} outgoing
 * @param {number} status
 * @param {State | { questions: State[] }} value
 */
function answer(outgoing, status, value) {
  send(outgoing, status, valueText(value), "application/json");
}

/**
 * What people call a browser, by what it says of itself.
 * @param {string} agent
 */
function deviceOf(agent) {
  /** @type {(names: [pattern: RegExp, name: string][]) => string | undefined} */
  const find = (names) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = find([[/Edg\//, "Edge"], [/Firefox\//, "Firefox"], [/Chrom(e|ium)\//, "Chrome"], [/Safari\//, "Safari"]]) ?? TEXTS.browser;
  const system = find([[/iPhone|iPad/, "iOS"], [/Android/, "Android"], [/Windows/, "Windows"], [/Mac OS X/, "macOS"], [/Linux/, "Linux"]]);
  return TEXTS.device(browser, system);
}
