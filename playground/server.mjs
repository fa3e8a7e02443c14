// A small server for the playground and for the browser tests: the page, the built package, an endpoint that takes results and
// shows what arrived, and an agent host. Every answer carries the content security policy that the form works under.
import { createServer, request as ask } from "node:http";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { extname, resolve } from "node:path";
import { DIST, startHost } from "./host.mjs";

/**
 * @import { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
 * @import { AddressInfo } from "node:net"
 */

/**
 * A further file: as it is, or with a policy of its own.
 * @typedef {string | Buffer | { content: string | Buffer, policy?: string }} File
 */

/**
 * What the server is started with.
 * @typedef {object} StartOptions
 * @property {number} [port]
 * @property {{ [path: string]: File }} [pages]
 * @property {string} [host]
 * @property {(port: number) => string} [data]
 * @property {(request: IncomingMessage, response: ServerResponse, forward: () => Promise<void>) => unknown} [meddle]
 */

/**
 * What has arrived at the server.
 * @typedef {object} Delivery
 * @property {string} path
 * @property {string} key
 * @property {number} status
 * @property {boolean} again
 * @property {string} body
 * @property {string | undefined} outcome
 * @property {string | undefined} explanation
 */

export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
export const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
const root = new URL("../", import.meta.url);
/** Where the files are that may be fetched, by the start of their paths. */
const FOLDERS = { "/playground/": new URL("playground/", root), "/pkg/dist/": DIST, "/pkg/themes/": new URL("pkg/themes/", root) };
const LARGEST_BODY = 8 * 1024 * 1024;

/**
 * Starts the server. `pages` are further files by path, for tests, as they are or as `{ content, policy }`. What is asked of `/conversations` goes to the agent host at the
 * address `host`, or else to the server's own, which keeps its conversations in the file `data(port)`, or in memory. `meddle(request, response, forward)` may come between any
 * request and its answer, for tests of what can go wrong.
 * `POST /respond` and `POST /cancel` take what the form delivers; the query says how they behave: `status` (200), `times`
 * (how often that status is given before 200; for ever, if absent), `message`, `retry-after`.
 * `GET /deliveries` is a stream of events of what arrived. Gives `{ url, deliveries, close }`.
 * @param {StartOptions} options
 */
export async function start({ port = 0, pages = {}, host, data, meddle = (_request, _response, forward) => forward() } = {}) {
  /** @type {Delivery[]} */
  const deliveries = [];
  const watchers = new Set();
  const refused = new Map();
  const answered = new Set();
  /**
   * The server's own agent host: started when it is needed, unless it has something to go on with.
   * @type {any}
   */
  let own;
  const ownHost = () =>
    (own ??= startHost({ data: data?.(/** @type {AddressInfo} */ (server.address()).port) }).catch((error) => {
      own = undefined;
      throw error;
    }));

  const deliver = async (/** @type {import("node:http").IncomingMessage} */ request, /** @type {import("node:http").ServerResponse} */ response, /** @type {URL} */ url) => {
    const key = request.headers["idempotency-key"] ?? "";
    const settings = Object.fromEntries(url.searchParams);
    const status = Number(settings.status ?? 200);
    if (!(status >= 200 && status <= 599) || /[^ -~]/.test(settings["retry-after"] ?? "")) return said(response, 400, "There is no such status.");
    const text = await body(request);
    if (text === undefined) return said(response, 413, "This is too large.");
    const before = refused.get(`${key}${url}`) ?? 0;
    const refuses = status >= 400 && before < Number(settings.times ?? Infinity);
    if (refuses) refused.set(`${key}${url}`, before + 1);
    const [outcome, explanation] = ["outcome", "explanation"].map((name) => request.headers[`ask-user-${name}`]);
    const delivery = { path: url.pathname, key, status: refuses ? status : 200, again: answered.has(key), body: text, outcome, explanation };
    if (!refuses) answered.add(key);
    deliveries.push(/** @type {Delivery} */ (delivery));
    for (const watcher of watchers) watcher.write(`data: ${JSON.stringify(delivery)}\n\n`);
    if (refuses && settings["retry-after"]) response.setHeader("Retry-After", settings["retry-after"]);
    const reply = refuses ? { message: settings.message ?? "" } : { accepted: true };
    send(response, delivery.status, ".json", JSON.stringify(reply));
  };

  const answer = async (/** @type {import("node:http").IncomingMessage} */ request, /** @type {import("node:http").ServerResponse} */ response) => {
    try {
      // A path such as `//` is no address.
      if (!URL.canParse(request.url ?? "", "http://localhost")) return said(response, 400, "This is no address.");
      const url = new URL(request.url ?? "", "http://localhost");
      // What people answer is sent by our own pages, and told to them alone: another's DNS may lead here.
      const isPrivate = /^\/(respond|cancel|deliveries|conversations)(\/|$)/.test(url.pathname);
      if (isPrivate && !isOurs(request.headers)) return said(response, 403, "The page is of another origin.");
      if (request.method === "POST" && ["/respond", "/cancel"].includes(url.pathname)) {
        await deliver(request, response, url);
      } else if (/^\/conversations(\/|$)/.test(url.pathname)) {
        if (host) return await forward(host, request, response);
        response.setHeader("Content-Security-Policy", POLICY);
        await (await ownHost()).listen(request, response);
      } else if (request.method !== "GET") {
        said(response, 405, "Only GET is answered here.");
      } else if (url.pathname === "/deliveries") {
        response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
        for (const delivery of deliveries) response.write(`data: ${JSON.stringify(delivery)}\n\n`);
        watchers.add(response);
        request.on("close", () => watchers.delete(response));
      } else if (url.pathname === "/favicon.ico") {
        response.writeHead(204).end();
      } else if (url.pathname in pages) {
        const page = /** @type {any} */ (pages[url.pathname]);
        send(response, 200, extname(url.pathname) || ".html", page.content ?? page, page.policy);
      } else {
        await file(response, url.pathname === "/" ? "/index.html" : url.pathname);
      }
    } catch (error) {
      if (response.headersSent) response.destroy();
      else said(response, 500, String(error));
    }
  };
  const server = createServer((request, response) => void meddle(request, response, () => answer(request, response)));
  await /** @type {Promise<void>} */ (new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve)));
  if (data && !host) await ownHost();
  const close = async () => {
    await own?.then((/** @type {any} */ started) => started.close(), () => undefined);
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`, deliveries, close };
}

/** Passes a request on to the agent host, and its answer back as it comes. */
function forward(/** @type {any} */ host, /** @type {import("node:http").IncomingMessage} */ request, /** @type {import("node:http").ServerResponse} */ response) {
  return new Promise((/** @type {(value?: any) => void} */ resolve) => {
    const { method, headers, url } = request;
    const { host: name, origin } = new URL(host);
    // The host knows its own names alone; whether the page is ours is known here.
    const own = headers.origin === undefined ? {} : { origin: isOurs(headers) ? origin : "null" };
    const passed = ask(host + url, { method, headers: { ...headers, host: name, ...own } }, (answer) => {
      response.writeHead(Number(answer.statusCode), { ...answer.headers, "Content-Security-Policy": POLICY });
      response.flushHeaders();
      answer.pipe(response);
      answer.on("close", resolve);
      answer.on("error", () => response.destroy());
    });
    passed.on("error", () => {
      if (response.headersSent) response.destroy();
      else said(response, 502, "The agent host does not answer.");
      resolve();
    });
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  });
}

/** Whether a request names this machine, and its page is of the same origin. */
const isOurs = (/** @type {IncomingHttpHeaders} */ { host, origin }) => /^(127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(host ?? "") && (origin === undefined || origin === `http://${host}`);

async function file(/** @type {import("node:http").ServerResponse} */ response, /** @type {string} */ path) {
  const plain = /^\/[\w/-]*[\w-]+(\.[\w-]+)*$/.test(path);
  const folder = Object.keys(FOLDERS).find((start) => path.startsWith(start));
  const url = path === "/index.html" ? new URL("index.html", root) : folder && new URL(`./${path.slice(folder.length)}`, /** @type {{ [start: string]: URL }} */ (FOLDERS)[folder]);
  const bytes = plain && url ? await readFile(fileURLToPath(url)).catch(() => undefined) : undefined;
  if (bytes) send(response, 200, extname(path), bytes);
  else said(response, 404, "There is nothing here.");
}

const said = (/** @type {import("node:http").ServerResponse} */ response, /** @type {any} */ status, /** @type {any} */ message) => send(response, status, ".json", JSON.stringify({ message }));

function send(/** @type {import("node:http").ServerResponse} */ response, /** @type {any} */ status, /** @type {any} */ extension, /** @type {any} */ content, policy = POLICY) {
  response.writeHead(status, {
    "Content-Type": /** @type {{ [extension: string]: string }} */ (TYPES)[extension] ?? "application/octet-stream",
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  });
  response.end(content);
}

/** The body as text; undefined where it is too large. All of it is read: who has not sent all hears no reply. */
async function body(/** @type {import("node:http").IncomingMessage} */ request) {
  let text = /** @type {any} */ ("");
  for await (const chunk of request.setEncoding("utf8")) {
    if (text !== undefined) text += chunk;
    if (text?.length > LARGEST_BODY) text = undefined;
  }
  return text;
}

// Started by hand or by `cargo xtask serve`: `node playground/server.mjs [PORT [HOST]]`, where HOST is the address of an agent host to use in place of the server's own. Of the
// environment, ASK_USER_DIST is the folder with the built package, and ASK_USER_DATA the one in which conversations are kept, in a file for each port.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Everything that was acknowledged is stored: nothing has to be waited for.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit());
  const folder = process.env.ASK_USER_DATA ?? fileURLToPath(new URL("target/playground", root));
  const first = Number(process.argv[2] ?? 8080);
  for (let port = first; ; port += 1) {
    try {
      const { url } = await start({ port, host: process.argv[3], data: (taken) => resolve(folder, `${taken}.jsonl`) });
      console.log(`The playground is at ${url}`);
      break;
    } catch (/** @type {any} */ error) {
      if (error.code !== "EADDRINUSE" || port >= first + 20) throw error;
    }
  }
}
