// A proxy between clients and a host. It injects faults into what clients send, chosen by a seed, and counts each where it has happened.
import { createServer, request as ask } from "node:http";

/** How often each fault is chosen, beside the others and beside none. */
const WEIGHTS = {
  none: 50, drop: 6, delay: 6, duplicate: 6, reorder: 6, truncate: 5, reset: 6, redirect: 3, refuse: 6, fail: 4, failLate: 4, hang: 2, swallow: 2,
};
/** What each is, in words. */
export const FAULTS = {
  drop: "request dropped before the host sees it",
  delay: "request delayed",
  duplicate: "request sent twice",
  reorder: "request overtaken by a later one",
  truncate: "response cut short, in its head or its body",
  reset: "connection reset after the host has acted",
  redirect: "3xx instead of the host's response",
  refuse: "401, 408, 425 or 429 instead of the host's response",
  fail: "5xx, and the host sees nothing",
  failLate: "5xx after the host has acted",
  hang: "no reply, and the host sees nothing",
  swallow: "no reply after the host has acted",
  cut: "event stream cut or refused",
  down: "request that found the host down, or was cut by its end",
  lie: "2xx, and the host sees nothing (a lie)",
};
/** Faults that need no host: they are counted at once, the others when the host was there for them. */
const AT_ONCE = ["drop", "delay", "redirect", "refuse", "fail", "hang", "lie"];
/** How often a lie is told where lies are. */
const LIE = 15;
/** How long a request may wait for another to overtake it, and what never gets a reply is held, in milliseconds. */
const HELD = 400;
const SILENT = 60_000;

/**
 * Starts a proxy: what is under `/conversations` goes to `host`, with faults until `calm()`; anything else to `pages`, without. `lies` adds the one fault
 * that no client can survive. Gives `{ url, counts, kept, idle, calm, close }`: `counts` by kind, `kept` the walks that the host has kept, as
 * `{ conversation, body }`, and `idle()` waits until nothing is on its way. `forwarded()` is called whenever an ending goes to the host.
 */
export async function startProxy({ host, pages, random, lies = false, forwarded }) {
  const counts = Object.fromEntries(Object.keys(FAULTS).map((kind) => [kind, 0]));
  const weights = lies ? { ...WEIGHTS, lie: LIE } : WEIGHTS;
  const kept = [];
  const waiting = new Map();
  let isCalm = false;
  let open = 0;

  const count = (kind) => (counts[kind] += 1);
  const silent = (request) => void setTimeout(() => request.socket.destroy(), SILENT).unref();

  /** Takes a request to the host, and gives its response; undefined where the host is down. */
  const pass = async (request, body, target = host) => {
    open += 1;
    try {
      const came = await forward(target, request, body, forwarded);
      if (request.method === "PUT" && came.status < 300) kept.push({ at: performance.now(), conversation: conversationOf(request), body: body.toString() });
      return came;
    } catch {
      count("down");
    } finally {
      open -= 1;
    }
  };

  const faults = {
    none: async (request, body, reply) => reply(await pass(request, body)),
    drop: (request) => request.socket.destroy(),
    async delay(request, body, reply) {
      await pause(random.between(5, HELD));
      reply(await pass(request, body));
    },
    async duplicate(request, body, reply) {
      const second = pause(random.chance(0.5) ? 0 : random.between(5, HELD)).then(() => pass(request, body));
      const first = await pass(request, body);
      reply(random.chance(0.8) ? first : await second);
      if ((await second) && first) count("duplicate");
    },
    async reorder(request, body, reply) {
      const overtaken = await overtake(request);
      count(overtaken ? "reorder" : "delay");
      reply(await pass(request, body));
    },
    async truncate(request, body, reply) {
      const came = await pass(request, body);
      if (!came) return reply();
      count("truncate");
      const text = written(came);
      request.socket.end(text.subarray(0, random.whole(1, text.length - 1)));
    },
    async reset(request, body) {
      if (await pass(request, body)) count("reset");
      request.socket.resetAndDestroy();
    },
    redirect: (request, _body, reply) => reply(said(random.one([301, 302, 303, 307, 308]), { Location: "/" })),
    refuse(request, _body, reply) {
      const status = random.one([401, 408, 425, 429, 429]);
      reply(said(status, status === 429 ? { "Retry-After": String(random.whole(0, 2)) } : {}));
    },
    fail: (request, _body, reply) => reply(said(random.one([500, 502, 503, 504]))),
    async failLate(request, body, reply) {
      if (await pass(request, body)) count("failLate");
      reply(said(random.one([500, 502, 504])));
    },
    hang: (request) => silent(request),
    async swallow(request, body) {
      if (await pass(request, body)) count("swallow");
      silent(request);
    },
    lie: (request, _body, reply) => reply({ ...said(200), body: Buffer.from('{"accepted":true}') }),
  };

  /** Waits until a later request to the same conversation has gone; whether one has. */
  const overtake = (request) => {
    const conversation = conversationOf(request);
    return new Promise((resolve) => {
      const go = (overtaken) => (clearTimeout(timer), waiting.delete(conversation), resolve(overtaken));
      const timer = setTimeout(go, HELD, false);
      waiting.set(conversation, go);
    });
  };

  const meddled = async (request, response) => {
    const body = await read(request);
    const reply = (came) => {
      if (!came) return random.chance(0.5) ? request.socket.destroy() : reply(said(502));
      if (response.writable) response.writeHead(came.status, came.headers).end(came.body);
    };
    const conversation = conversationOf(request);
    let kind = isCalm ? "none" : random.weighted(weights);
    if (kind === "lie" && request.method !== "POST") kind = "none";
    if (kind === "reorder" && waiting.has(conversation)) kind = "none";
    if (AT_ONCE.includes(kind)) count(kind);
    const before = kind === "reorder" ? undefined : waiting.get(conversation);
    open += 1;
    try {
      await faults[kind](request, body, reply);
    } finally {
      open -= 1;
      before?.(kind === "delay" || !AT_ONCE.includes(kind));
    }
  };

  /** Passes a stream of events on as it comes, and cuts it at times. */
  const stream = (request, response) => {
    const cuts = !isCalm && random.chance(0.3);
    if (cuts) count("cut");
    if (cuts && random.chance(0.3)) return random.chance(0.5) ? request.socket.destroy() : response.writeHead(503).end();
    const passed = ask(host + request.url, { method: "GET", headers: named(request, host) }, (came) => {
      response.writeHead(came.statusCode, came.headers).flushHeaders();
      came.pipe(response);
      came.on("error", () => response.destroy());
      if (cuts) setTimeout(() => response.destroy(), random.between(100, 3_000));
    });
    passed.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end())).end();
    response.on("close", () => passed.destroy());
  };

  const page = async (request, response) => {
    const came = await forward(pages, request, await read(request));
    response.writeHead(came.status, came.headers).end(came.body);
  };

  const server = createServer((request, response) => {
    const goes = !/^\/conversations\//.test(request.url) ? page : request.method === "GET" ? stream : meddled;
    // A client that is gone while its request is read has sent nothing.
    Promise.resolve(goes(request, response)).catch(() => request.socket.destroy());
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  return {
    url: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`,
    counts,
    kept,
    calm: () => (isCalm = true),
    async idle() {
      for (let quiet = 0; quiet < 10; quiet = open ? 0 : quiet + 1) await pause(50);
    },
    close: () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))),
  };
}

/** One request to a server, and its whole response. */
function forward(target, request, body, forwarded) {
  return new Promise((resolve, reject) => {
    const passed = ask(target + request.url, { method: request.method, headers: named(request, target) }, async (came) => {
      try {
        const { "transfer-encoding": _, ...headers } = came.headers;
        resolve({ status: came.statusCode, headers, body: await read(came) });
      } catch (error) {
        reject(error);
      }
    });
    passed.on("error", reject).end(body);
    if (request.method === "POST") forwarded?.();
  });
}

/** The headers of a request, for another server: a page of this one is a page of its own. */
function named({ headers }, target) {
  const { host, origin } = new URL(target);
  const { "transfer-encoding": _, ...own } = headers;
  return { ...own, host, ...(headers.origin === `http://${headers.host}` ? { origin } : {}) };
}

async function read(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** A response of the proxy's own. */
function said(status, headers = {}) {
  const body = Buffer.from(`{"message":"The proxy says ${status}."}`);
  return { status, headers: { "Content-Type": "application/json", ...headers }, body };
}

/** A response as it stands on the wire. */
function written({ status, headers, body }) {
  const lines = Object.entries({ ...headers, "content-length": body.length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Said\r\n${lines.join("")}\r\n`), body]);
}

const conversationOf = ({ url }) => url.split("/")[2];

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
