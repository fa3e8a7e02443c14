// The addresses of a host, in terms of Request and Response (Fetch standard): conversations, messages, answers, records and events, as
// docs/delivery.md of the project describes them. `conversations` is what drives them: `Conversations` or `Inbox`. A request must come from the host's own pages, and a conversation opens with its token alone.
import { events } from "./events.js";
import { Refused, bad } from "./refused.js";

/**
 * @import { ConversationNotice, DeskReply, AuditRecord } from "../../types/core.js"
 * @import { HostOptions } from "../../types/host.js"
 * @import { Input } from "./desks.js"
 * @import { Found } from "./ledger.js"
 */

/**
 * What drives conversations: `Conversations` or `Inbox`. Only a host with an agent takes messages.
 * @typedef {{ named(part: string): string | undefined, opens(id: string, tokens: string[]): Promise<void>, create(...given: any[]): Promise<any>, stop(id: string, call?: string): Promise<void>, bring(id: string, call: string | undefined, input: Input & { key?: string }, body?: string): Promise<DeskReply>,
 *   records(id: string): Promise<AuditRecord[]>, recordsMarkdown(id: string): Promise<string>, heard(id: string, after: number): Promise<{ lines: Found[], now: ConversationNotice | undefined }>,
 *   asOfNow(state: ConversationNotice, now: ConversationNotice | undefined): ConversationNotice, listen(id: string, wake: () => void): () => void, readonly isClosing: boolean,
 *   message?(id: string, text: unknown, key?: string): Promise<void>, retry?(id: string): Promise<void> }} Served
 */

/** @typedef {{ base?: string, origins?: string[], cookie?: string, largestBody?: number, authorize?: (request: Request, context: any) => boolean | Response | Promise<boolean | Response>, poll?: number, onError: (error: unknown, context: { id?: string }) => void }} Options */

/**
 * The JSON object of a request, and its text.
 * @typedef {{ body: { [name: string]: any }, text: string }} Body
 */

/** The names that this machine has for itself: by default, a host is for its own user. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
/** Levels of a body: more than any answer may have. What nests deeper cannot be written as text again. */
const DEEPEST = 256;
/** Values of a body: more than the answers to any form. To read so many takes less than a tenth of a second. */
const MOST_VALUES = 250_000;

export class Routes {
  /** @type {Served} */
  #conversations;
  /** @type {string} */
  #base;
  /** @type {{ origin: string, host: string }[] | undefined} */
  #origins;
  /** @type {string} */
  #cookie;
  /** @type {number} */
  #largest;
  /** @type {NonNullable<Options["authorize"]>} */
  #authorize;
  /** @type {number} */
  #poll;
  /** @type {Options["onError"]} */
  #onError;

  /**
   * @param {Served} conversations
   * @param {Options} options
   */
  constructor(conversations, { base = "/conversations", origins, cookie = "ask_user_conversation", largestBody = 8 * 1024 * 1024, authorize = () => true, poll = 0, onError }) {
    if (!/^(\/[\w.~-]+)+$/.test(base)) throw new TypeError('The option `base` must be a path such as "/conversations", without a slash at its end.');
    if (!/^[\w-]+$/.test(cookie)) throw new TypeError("The option `cookie` must be a name of letters, digits, `_` and `-`.");
    this.#conversations = conversations;
    this.#base = base;
    this.#origins = origins?.map(originOf);
    this.#cookie = cookie;
    this.#largest = largestBody;
    this.#authorize = authorize;
    this.#poll = poll;
    this.#onError = onError;
  }

  /** The path that all addresses begin with. */
  get base() {
    return this.#base;
  }

  /**
   * Whether an address belongs to this host.
   * @param {string} url
   */
  matches(url) {
    const path = pathOf(url);
    return path === this.#base || path?.startsWith(`${this.#base}/`) === true;
  }

  /**
   * The response to a request. It never fails.
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async handle(request) {
    try {
      return await this.#respond(request);
    } catch (error) {
      if (error instanceof Refused) {
        if (error.status >= 500) this.#onError(error.cause ?? error, {});
        return json(error.status, error.body, error.headers);
      }
      this.#onError(error, {});
      return json(500, { error: "internal", message: "The host failed. Try again.", problems: [] });
    }
  }

  /**
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async #respond(request) {
    const path = pathOf(request.url);
    if (path === undefined || !this.matches(request.url)) throw nothing();
    if (!this.#isOurs(request)) {
      throw new Refused(403, "not_this_host", "The request names another host, or comes from a page of another origin. The option `origins` names more.");
    }
    const [part, what, ...more] = path.slice(this.#base.length + 1).split("/");
    const id = part && this.#conversations.named(part);
    const route = part === "" ? { POST: this.#create } : id && more.length === 0 && Object.hasOwn(ROUTES, what ?? "") ? ROUTES[what] : undefined;
    if (!route || ((part === "" || TALK.includes(what)) && !this.#conversations.message)) throw nothing();
    const allowed = await this.#authorize(request, { id: id || undefined });
    if (allowed instanceof Response) return allowed;
    if (allowed !== true) throw new Refused(401, "not_signed_in", "Sign in first.");
    const act = Object.hasOwn(route, request.method) ? route[request.method] : undefined;
    if (!act) throw new Refused(405, "method", `Use ${Object.keys(route).join(" or ")} here.`, { headers: { Allow: Object.keys(route).join(", ") } });
    if (id) await this.#conversations.opens(id, this.#tokens(request));
    return act.call(this, request, /** @type {string} */ (id));
  }

  /**
   * Whether a request names this host, and no page of another origin has made it: another's DNS may lead here.
   * @param {Request} request
   */
  #isOurs({ url, headers }) {
    const host = (headers.get("host") ?? hostOf(url)).toLowerCase();
    const origin = headers.get("origin")?.toLowerCase();
    if (this.#origins) return this.#origins.some((own) => own.host === host) && (origin === undefined || this.#origins.some((own) => own.origin === origin));
    return LOOPBACK.includes(host.replace(/:\d+$/, "")) && (origin === undefined || origin === `http://${host}` || origin === `https://${host}`);
  }

  /** @param {Request} request */
  #tokens({ headers }) {
    const cookies = (headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
    const own = cookies.filter((cookie) => cookie.startsWith(`${this.#cookie}=`)).map((cookie) => cookie.slice(this.#cookie.length + 1));
    const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "");
    return bearer ? [bearer[1], ...own] : own;
  }

  /** @param {Request} request */
  async #create(request) {
    await this.#body(request);
    const { id, token } = await this.#conversations.create();
    const isSecure = new URL(request.url).protocol === "https:" || this.#origins?.every(({ origin }) => origin.startsWith("https:"));
    const cookie = `${this.#cookie}=${token}; Path=${this.#base}/${id}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
    return json(201, { id, token }, { "Set-Cookie": cookie });
  }

  /**
   * @param {Request} request
   * @param {string} id
   */
  async message(request, id) {
    const { body } = await this.#body(request);
    await /** @type {Required<Served>} */ (this.#conversations).message(id, body.text, keyOf(request));
    return json(202, { accepted: true });
  }

  /**
   * @param {Request} request
   * @param {string} id
   */
  async retry(request, id) {
    await this.#body(request);
    await /** @type {Required<Served>} */ (this.#conversations).retry(id);
    return json(202, { accepted: true });
  }

  /**
   * @param {Request} request
   * @param {string} id
   */
  async respond(request, id) {
    return this.#answer(id, keyOf(request), await this.#body(request));
  }

  /**
   * Ends the turn: at a form, with the walk that says so, or else whatever the agent does.
   * @param {Request} request
   * @param {string} id
   */
  async cancel(request, id) {
    const read = await this.#body(request);
    if (read.body.walk !== undefined) return this.#answer(id, keyOf(request), read);
    await this.#conversations.stop(id, callOf(read.body, true));
    return json(200, { accepted: true });
  }

  /**
   * @param {string} id
   * @param {string | undefined} key
   * @param {Body} read
   */
  async #answer(id, key, { body, text }) {
    const { answers, walk, rejected } = body;
    if (answers !== undefined && walk !== undefined) throw bad('Send either "answers" or "walk"');
    const call = callOf(body, answers !== undefined);
    /** @type {(input: Input, text?: string) => Promise<DeskReply>} */
    const bring = (input, text) => this.#conversations.bring(id, call, { .../** @type {Input & { key: string | undefined }} */ ({ key, ...input }) }, text);
    let reply;
    if (answers !== undefined) reply = await bring({ type: "answered", nonce: body.nonce }, text);
    else if (rejected !== undefined) reply = await bring({ type: "rejected" });
    else reply = await bring({ type: "responded" }, `{"response":${text}}`);
    return json(200, { accepted: true, again: reply.code === "taken_before" });
  }

  /**
   * @param {Request} request
   * @param {string} id
   */
  async save(request, id) {
    const { body, text } = await this.#body(request);
    const replaces = request.headers.get("if-match");
    const { version } = await this.#conversations.bring(id, callOf(body), { type: "saved", replaces }, text);
    return new Response(null, { status: 204, headers: { ETag: /** @type {string} */ (version), "Cache-Control": "no-store" } });
  }

  /**
   * @param {Request} request
   * @param {string} id
   */
  async records(request, id) {
    if (new URL(request.url).searchParams.get("format") !== "markdown") return json(200, await this.#conversations.records(id));
    const text = await this.#conversations.recordsMarkdown(id);
    return new Response(text, { headers: { "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "no-store" } });
  }

  /**
   * @param {Request} request
   * @param {string} id
   */
  events(request, id) {
    const named = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("last-event-id") ?? "0";
    const after = /^\d{1,15}$/.test(named) ? Number(named) : 0;
    // Who has signed out meanwhile hears nothing more.
    const isAllowed = async () => (await this.#authorize(request, { id })) === true;
    const stream = events(this.#conversations, id, after, { signal: request.signal, poll: this.#poll, isAllowed });
    // The last two are for proxies that would hold events back.
    const headers = { "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" };
    return new Response(stream, { headers });
  }

  /**
   * The JSON object that a request has as its body, and its text with every digit of its numbers.
   * @param {Request} request
   * @returns {Promise<Body>}
   */
  async #body(request) {
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) throw new Refused(415, "content_type", "Send application/json.");
    const tooLarge = new Refused(413, "too_large", `A body may have at most ${this.#largest} bytes.`);
    if (Number(request.headers.get("content-length")) > this.#largest) throw tooLarge;
    const decoder = new TextDecoder();
    let [text, size] = ["", 0];
    for (const reader = request.body?.getReader(); reader; ) {
      const { value, done } = await reader.read().catch(() => {
        throw new Refused(400, "unreadable", "The body was cut off.");
      });
      if (done) break;
      size += value.byteLength;
      if (size > this.#largest) {
        reader.cancel().catch(() => undefined);
        throw tooLarge;
      }
      text += decoder.decode(value, { stream: true });
    }
    text += decoder.decode();
    const excess = excessOf(text);
    if (excess) throw bad(`The body ${excess}`);
    let body;
    try {
      body = JSON.parse(text);
    } catch (error) {
      throw new Refused(400, "unreadable", `The body is not JSON: ${/** @type {Error} */ (error).message}`);
    }
    if (!isObject(body)) throw bad("The body must be a JSON object");
    return { body, text };
  }
}

/**
 * What a conversation has below its address.
 * @type {{ [what: string]: { [method: string]: (this: Routes, request: Request, id: string) => Response | Promise<Response> } }}
 */
const ROUTES = Object.fromEntries(
  Object.entries({
    messages: { POST: "message" },
    retry: { POST: "retry" },
    events: { GET: "events" },
    walk: { PUT: "save" },
    respond: { POST: "respond" },
    cancel: { POST: "cancel" },
    records: { GET: "records" },
  }).map(([name, methods]) => [name, Object.fromEntries(Object.entries(methods).map(([method, act]) => [method, /** @type {any} */ (Routes.prototype)[act]]))]),
);

/** What only a host with an agent has, besides the address where its conversations begin. */
const TALK = ["messages", "retry"];

const nothing = () => new Refused(404, "not_found", "There is nothing at this address.");

/** @type {(value: unknown) => boolean} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * What a JSON text has too much of, if it does. It is read before it is parsed.
 * @param {string} text
 */
function excessOf(text) {
  let [level, values, isString] = [0, 0, false];
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place];
    if (isString && letter === "\\") place += 1;
    else if (letter === '"') isString = !isString;
    else if (isString) continue;
    else if (letter === ",") values += 1;
    else if (letter === "[" || letter === "{") [level, values] = [level + 1, values + 1];
    else if (letter === "]" || letter === "}") level -= 1;
    if (level > DEEPEST) return `nests deeper than ${DEEPEST} levels`;
    if (values > MOST_VALUES) return `has more than ${MOST_VALUES} values`;
  }
  return undefined;
}

/** @type {(request: Request) => string | undefined} */
const keyOf = (request) => request.headers.get("idempotency-key") || undefined;

/**
 * The call that a body names.
 * @param {{ [name: string]: any }} body
 * @param {boolean} isOptional
 * @returns {string | undefined}
 */
function callOf({ tool_call_id: call = undefined }, isOptional = false) {
  if (typeof call === "string" || (isOptional && call == null)) return call ?? undefined;
  throw bad(call === undefined ? '"tool_call_id" is missing' : '"tool_call_id" must be a string');
}

/**
 * @param {number} status
 * @param {unknown} body
 * @param {{ [name: string]: string }} headers
 */
function json(status, body, headers = {}) {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers } });
}

/**
 * The path of an address as it stands there; undefined where it is none.
 * @param {string} url
 */
function pathOf(url) {
  try {
    return new URL(url).pathname;
  } catch {
    return undefined;
  }
}

/** @param {string} url */
function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

/**
 * An origin of the host's own pages.
 * @param {string} text
 */
function originOf(text) {
  /** @type {URL | undefined} */
  let url;
  try {
    url = new URL(text);
  } catch {
    url = undefined;
  }
  if (url?.origin !== text) throw new TypeError(`The option \`origins\` has ${JSON.stringify(text)}. Give origins such as "https://app.example" or "http://localhost:3000".`);
  return { origin: url.origin, host: url.host };
}
