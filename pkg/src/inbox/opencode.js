// The command `ask-user opencode`: puts the permissions and the questions that a running opencode asks for into the inbox, and tells opencode what the person has decided there. opencode's own window goes on asking:
// the first answer counts. Only an answer of the person is sent.
import { RefusedError, pause } from "./client.js";
import { isExact, isRounded } from "./digits.js";
import { isDecided } from "./door.js";
import { LARGEST, wholeText } from "./exchange.js";
import { proof } from "./folder.js";
import { found } from "./found.js";
import { heard } from "./heard.js";

/**
 * @import { State } from "./board.js"
 * @import { Client } from "./client.js"
 */

/**
 * What opencode says: JSON that somebody else has written.
 * @typedef {{ [name: string]: any }} Given
 */

/**
 * What opencode asks: the field of its list that has the requests, and where it is answered.
 * @typedef {object} Kind
 * @property {boolean} isPermission
 * @property {boolean} isNew Whether it belongs to opencode's second version, whose sessions stand at other addresses.
 * @property {string} list
 */

/**
 * Where opencode works: each folder has requests of its own.
 * @typedef {{ directory?: string, workspace?: string }} Place
 */

/**
 * A folder that is known. `ended` has what has ended while it is looked at, and `again` says that it is looked at once more.
 * @typedef {Place & { ended?: Set<string>, again?: boolean }} Known
 */

/**
 * A request that opencode waits for, and its question in the inbox. `gone` is aborted once opencode waits no longer, and with the command.
 * @typedef {{ id: string, session: string, kind: Kind, place: Known, question: string, gone: AbortController }} Entry
 */

/**
 * What the command is given. `say` writes to the standard error.
 * @typedef {{ client: Client, server: string, name?: string, password?: string, wait?: number, say: (message: string) => void, signal: AbortSignal }} Options
 */

/** Where opencode listens. */
export const SERVER = "http://127.0.0.1:4096";
/** The first pause before something is tried again, and the longest one, in milliseconds. */
const [AGAIN, LATEST] = [500, 30_000];
/** How long opencode may take for a response, and how long its stream may be silent, in milliseconds: it shows every 10 seconds that it is open. */
const [PATIENCE, SILENT] = [30_000, 60_000];
/** How many requests are followed, and how many folders are known. */
const MOST = 1_000;
/** How an id of opencode may look. */
const ID = /^[\w.:-]{1,200}$/;

/**
 * What opencode asks, by the event.
 * @type {{ [event: string]: Kind }}
 */
const KINDS = {
  "permission.asked": { isPermission: true, isNew: false, list: "/permission" },
  "question.asked": { isPermission: false, isNew: false, list: "/question" },
  "permission.v2.asked": { isPermission: true, isNew: true, list: "/api/permission/request" },
  "question.v2.asked": { isPermission: false, isNew: true, list: "/api/question/request" },
};
/** The events that end a request. */
const ENDED = /^(permission|question)\.(v2\.)?(replied|rejected)$/;
/** The events after which a request of opencode's second version may be over. */
const MOVED = /^session\.next\.(tool|step)\.(success|failed|ended)$/;

/**
 * The address of a server, without "/" at its end; undefined if it is none.
 * @param {string} text
 */
export function serverOf(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || url.hash || url.search) return undefined;
  return url.href.replace(/\/+$/, "");
}

/**
 * What opencode is told of the person's decision: a path below that of the request, and a body. Undefined if there is none. The result of the dialect is what opencode takes.
 * @param {{ isPermission: boolean }} kind
 * @param {Pick<State, "state" | "result_text">} answer
 * @returns {{ verb: "reply" | "reject", body?: string } | undefined}
 */
export function replyOf({ isPermission }, { state, result_text: text }) {
  if (!isDecided({ state })) return undefined;
  const result = text === undefined ? undefined : JSON.parse(text);
  const isAnswered = state === "answered";
  if (isPermission) {
    if (result?.reply === "reject") return { verb: "reply", body: text };
    if (isAnswered) return ["once", "always"].includes(result?.reply) ? { verb: "reply", body: text } : undefined;
    return { verb: "reply", body: JSON.stringify({ reply: "reject" }) };
  }
  if (isAnswered && Array.isArray(result?.answers)) return { verb: "reply", body: text };
  return isAnswered && result?.rejected !== true ? undefined : { verb: "reject" };
}

/**
 * Follows what an opencode asks until `signal` is aborted. Rejects if opencode refuses the password.
 * @param {Options} options
 */
export async function opencode(options) {
  await new Door(options).run();
}

/** What has refused a request, with its status. */
class StatusError extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`its status is ${status}`);
    this.status = status;
  }
}

class Door {
  /** @type {Options["client"]} */
  #client;
  /** @type {Options["server"]} */
  #server;
  /** @type {{ [name: string]: string }} */
  #headers;
  /** @type {Options["wait"]} */
  #wait;
  /** @type {Options["say"]} */
  #say;
  /** @type {Options["signal"]} */
  #signal;
  /**
   * What opencode waits for, by its id.
   * @type {Map<string, Entry>}
   */
  #entries = new Map();
  /**
   * The folders that were seen.
   * @type {Map<string, Known>}
   */
  #places = new Map();

  /** @param {Options} options */
  constructor({ client, server, name = "opencode", password, wait, say, signal }) {
    [this.#client, this.#server, this.#wait, this.#say, this.#signal] = [client, server, wait, say, signal];
    this.#headers = password ? { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}` } : {};
  }

  async run() {
    /** @type {string | undefined} */
    let told;
    /** @type {(message: string) => void} */
    const tell = (message) => message !== told && this.#say(`ask-user: ${(told = message)}`);
    const address = await this.#client.address(this.#signal);
    for (let fails = 0; !this.#signal.aborted; fails += 1) {
      let why = "its event stream has ended";
      try {
        await this.#connection(() => {
          tell(`opencode at ${this.#server} is connected. What it asks comes to the inbox at ${address} too. Run \`npx ask-user\` to open it.`);
          fails = 0;
        });
      } catch (/** @type {any} */ error) {
        if (this.#signal.aborted) break;
        if ([401, 403].includes(error.status)) throw new Error(`opencode at ${this.#server} asks for another password. Set OPENCODE_SERVER_PASSWORD.`, { cause: error });
        why = reasonOf(error);
      }
      tell(`opencode at ${this.#server} cannot be reached: ${why}. The command tries it again.`);
      await this.#pause(fails).catch(() => undefined);
    }
    const open = this.#entries.size;
    for (const { gone } of this.#entries.values()) gone.abort();
    if (open) this.#say(`ask-user: ${open === 1 ? "One request of opencode stays" : `${open} requests of opencode stay`} in the inbox. An answer reaches opencode when this command runs again.`);
  }

  /**
   * Hears what opencode says until its stream ends. `begun` is called once it has begun.
   * @param {() => void} begun
   */
  async #connection(begun) {
    const over = this.#until("it is silent", SILENT);
    try {
      const response = await this.#fetch("/global/event", { headers: { Accept: "text/event-stream" }, signal: over.signal });
      if (!/^text\/event-stream/i.test(response.headers.get("content-type") ?? "") || !response.body) throw new Error("another program answers there, or an opencode that is too old");
      let isBegun = false;
      for await (const text of heard(piecesOf(response.body, over.signal, () => over.timer.refresh()), LARGEST)) {
        // From here on, no event is missed: what waited before is in the lists.
        if (!isBegun) {
          isBegun = true;
          begun();
          this.#catchUp().catch(() => undefined);
        }
        this.#hear(text);
      }
    } finally {
      over.end();
    }
  }

  /** Looks at the folder of the server, and at those with requests that are followed. */
  async #catchUp() {
    for (const place of new Set([...this.#entries.values()].map((entry) => entry.place))) this.#look(place);
    for (let fails = 0; ; fails += 1) {
      try {
        const { directory } = (await this.#json("/path")) ?? {};
        if (typeof directory === "string") this.#look(this.#place({ directory }));
        return;
      } catch {
        await this.#pause(fails);
      }
    }
  }

  /**
   * A folder; one that was not seen before is looked at.
   * @param {Place} place
   * @returns {Known}
   */
  #place({ directory, workspace }) {
    const key = JSON.stringify([directory, workspace]);
    const known = this.#places.get(key);
    if (known) return known;
    const place = { directory, workspace };
    if (this.#places.size < MOST) {
      this.#places.set(key, place);
      this.#look(place);
    }
    return place;
  }

  /**
   * An event, as its JSON text.
   * @param {string} text
   */
  #hear(text) {
    /** @type {Given} */
    let given;
    try {
      given = JSON.parse(text);
    } catch {
      return;
    }
    const { directory, workspace, payload } = given ?? {};
    const { type, properties } = payload ?? {};
    if (typeof type !== "string" || properties === null || typeof properties !== "object") return;
    if (type === "global.disposed") for (const entry of this.#entries.values()) this.#end(entry);
    if (type === "server.instance.disposed") for (const entry of this.#entries.values()) if (entry.place.directory === properties.directory) this.#end(entry);
    if (typeof directory !== "string" || directory === "global") return;
    const place = this.#place({ directory, workspace: typeof workspace === "string" ? workspace : undefined });
    const session = properties.sessionID ?? properties.info?.id;
    if (Object.hasOwn(KINDS, type)) this.#ask(KINDS[type], place, properties, isExact(text, given));
    else if (ENDED.test(type)) this.#ends(place, properties.requestID);
    // Nothing waits in a session that rests: opencode keeps the requests of a turn that was interrupted, and nobody reads their answers.
    else if (type === "session.idle" || type === "session.deleted" || (type === "session.status" && properties.status?.type === "idle")) this.#rests(place, session);
    else if (MOVED.test(type) && [...this.#entries.values()].some((entry) => entry.session === session && entry.kind.isNew)) this.#look(place);
  }

  /**
   * A request of opencode that waits. `isExact` is whether it has no number that JavaScript would change.
   * @param {Kind} kind
   * @param {Known} place
   * @param {Given} request
   * @param {boolean} isExact
   */
  #ask(kind, place, request, isExact) {
    const { id, sessionID: session } = request ?? {};
    if (!isId(id) || !isId(session) || this.#entries.has(id) || this.#signal.aborted) return;
    if (this.#entries.size >= MOST) return this.#say(`ask-user: More than ${MOST} requests wait. Only opencode asks ${id}.`);
    const question = proof(this.#client.token, `opencode ${this.#server} ${id}`);
    /** @type {Entry} */
    const entry = { id, session, kind, place, question, gone: new AbortController() };
    this.#entries.set(id, entry);
    // A request is shown as it is, or not at all.
    if (!isExact || isRounded(JSON.stringify(request))) return this.#say(`ask-user: ${id} has a number with more than 15 digits. Only opencode asks it.`);
    this.#follow(entry, request).catch((error) => this.#signal.aborted || this.#say(`ask-user: ${id} is not in the inbox: ${error.message} Only opencode asks it.`));
  }

  /**
   * Asks in the inbox, and tells opencode what the person decides.
   * @param {Entry} entry
   * @param {Given} request
   */
  async #follow(entry, request) {
    const { question, gone } = entry;
    /** @type {State | undefined} */
    let answer;
    try {
      answer = await this.#answer(entry, request);
    } catch (error) {
      if (!gone.signal.aborted || this.#signal.aborted) throw error;
      // opencode waits no longer.
      answer = await this.#drop(question);
    }
    const reply = answer && replyOf(entry.kind, answer);
    if (!reply) return;
    await this.#send(entry, reply);
    await this.#drop(question);
  }

  /**
   * Where the question stands once it is closed.
   * @param {Entry} entry
   * @param {Given} request
   */
  async #answer({ kind, place, question, gone }, request) {
    const { signal } = gone;
    const put = { id: question, request, dialect: /** @type {const} */ ("opencode"), who: "opencode", folder: place.directory?.slice(0, 1_000) || undefined, owner: this.#owner(place), expires_in: this.#wait, approval: kind.isPermission };
    for (let fails = 0; ; fails += 1) {
      try {
        await this.#client.put(put, signal);
        return await this.#client.closed(question, signal);
      } catch (error) {
        signal.throwIfAborted();
        // Too many questions may be open, the token may be an old one, and the data folder may have been deleted.
        if (error instanceof RefusedError && error.status < 500 && ![401, 404, 429].includes(error.status)) throw error;
      }
      await this.#pause(fails, signal);
    }
  }

  /**
   * Tells opencode what the person has decided, again and again until opencode has heard it or does not wait for it.
   * @param {Entry} entry
   * @param {{ verb: string, body?: string }} reply
   */
  async #send({ id, session, kind, place, gone }, { verb, body }) {
    const at = `${kind.isPermission ? "permission" : "question"}/${id}/${verb}`;
    const path = kind.isNew ? `/api/session/${encodeURIComponent(session)}/${at}` : `/${at}${queryOf(place)}`;
    for (let fails = 0; ; fails += 1) {
      this.#signal.throwIfAborted();
      if (gone.signal.aborted) return this.#say(`ask-user: opencode does not wait for the answer to ${id} any more.`);
      try {
        return await this.#timed(async (signal) => {
          const response = await this.#fetch(path, { method: "POST", body, headers: body === undefined ? {} : { "Content-Type": "application/json" }, signal });
          await response.body?.cancel();
        });
      } catch (/** @type {any} */ error) {
        const { status } = error;
        if (status === 404) return this.#say(`ask-user: opencode has not taken the answer to ${id}: it had one already, or does not ask it any more.`);
        if (status < 500 && status !== 429) return this.#say(`ask-user: opencode has not taken the answer to ${id}: ${error.message}.`);
      }
      await this.#pause(fails, gone.signal).catch(() => undefined);
    }
  }

  /**
   * The program needs the question no more. Waits for the inbox if none runs.
   * @param {string} question
   * @returns {Promise<State | undefined>}
   */
  async #drop(question) {
    for (let fails = 0; ; fails += 1) {
      try {
        const state = await this.#client.drop(question, { signal: this.#signal });
        if (state) return state;
      } catch (error) {
        if (error instanceof RefusedError && error.status === 404) return undefined;
      }
      await this.#pause(fails);
    }
  }

  /**
   * opencode has an answer, or does not ask any more.
   * @param {Known} place
   * @param {unknown} id
   */
  #ends(place, id) {
    if (!isId(id)) return;
    place.ended?.add(id);
    const entry = this.#entries.get(id);
    if (entry) this.#end(entry);
  }

  /**
   * No turn of this session runs.
   * @param {Known} place
   * @param {unknown} session
   */
  #rests(place, session) {
    if (!isId(session)) return;
    place.ended?.add(session);
    for (const entry of this.#entries.values()) if (entry.session === session && !entry.kind.isNew) this.#end(entry);
  }

  /** @param {Entry} entry */
  #end(entry) {
    this.#entries.delete(entry.id);
    entry.gone.abort();
  }

  /**
   * Looks what opencode waits for in a folder, as soon as that is known.
   * @param {Known} place
   */
  #look(place) {
    if (place.ended) return void (place.again = true);
    const look = async () => {
      for (let fails = 0; ; ) {
        place.again = false;
        place.ended = new Set();
        try {
          await this.#looked(place, place.ended);
          if (!place.again) return;
        } catch {
          await this.#pause((fails += 1));
        }
      }
    };
    look()
      .catch(() => undefined)
      .finally(() => (place.ended = undefined));
  }

  /**
   * Asks what waits in a folder, and ends what does not wait any more. `ended` gets what ends meanwhile.
   * @param {Known} place
   * @param {Set<string>} ended
   */
  async #looked(place, ended) {
    const before = [...this.#entries.values()].filter((entry) => entry.place === place);
    const lists = await Promise.all(Object.values(KINDS).map(async (kind) => ({ kind, ...(await this.#list(kind, place)) })));
    const busy = await this.#busy(place);
    const waiting = new Set();
    for (const { kind, requests, isExact } of lists) {
      for (const request of requests) {
        const { id, sessionID: session } = request ?? {};
        if (!isId(id) || ended.has(id) || (!kind.isNew && (ended.has(session) || busy?.(session) === false))) continue;
        waiting.add(id);
        this.#ask(kind, place, request, isExact);
      }
    }
    for (const entry of before) if (!waiting.has(entry.id)) this.#ends(place, entry.id);
    await this.#sweep(place);
  }

  /**
   * The requests of a folder that wait, and whether none has a number that JavaScript would change.
   * @param {Kind} kind
   * @param {Place} place
   * @returns {Promise<{ requests: Given[], isExact: boolean }>}
   */
  async #list({ list, isNew }, place) {
    const text = await this.#text(`${list}${queryOf(place, isNew)}`);
    const given = text && JSON.parse(text);
    const requests = isNew ? given?.data : given;
    return { requests: Array.isArray(requests) ? requests : [], isExact: !text || isExact(text, given) };
  }

  /**
   * Tells of a session whether a turn of it runs; undefined if opencode does not say that.
   * @param {Place} place
   * @returns {Promise<((session: string) => boolean) | undefined>}
   */
  async #busy(place) {
    const all = await this.#json(`/session/status${queryOf(place)}`);
    if (all === null || typeof all !== "object" || Array.isArray(all)) return undefined;
    return (session) => Object.hasOwn(all, session) && all[session]?.type !== "idle";
  }

  /**
   * Closes what an earlier run of this command has left in the inbox, where opencode does not wait any more.
   * @param {Known} place
   */
  async #sweep(place) {
    // No inbox is started for that.
    if (!(await found(this.#client.folder, this.#signal))) return;
    const left = await this.#client.of(this.#owner(place), this.#signal);
    const known = new Set([...this.#entries.values()].map(({ question }) => question));
    for (const { id } of left) if (!known.has(id)) this.#drop(id).catch(() => undefined);
  }

  /**
   * Whose questions those of a folder are.
   * @param {Place} place
   */
  #owner({ directory, workspace }) {
    return proof(this.#client.token, JSON.stringify(["opencode", this.#server, directory, workspace]));
  }

  /**
   * What opencode says at an address, as JSON; undefined if it has no such address.
   * @param {string} path
   * @returns {Promise<any>}
   */
  async #json(path) {
    const text = await this.#text(path);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /**
   * The same, as text.
   * @param {string} path
   * @returns {Promise<string | undefined>}
   */
  async #text(path) {
    try {
      return await this.#timed(async (signal) => {
        const response = await this.#fetch(path, { signal });
        // An opencode that does not know an address may answer with its page.
        if (/^application\/json\s*(;|$)/i.test(response.headers.get("content-type") ?? "")) return response.body ? wholeText(piecesOf(response.body, signal)) : "";
        await response.body?.cancel();
        return undefined;
      });
    } catch (error) {
      if (error instanceof StatusError && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * What `act` promises, unless that takes too long.
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} act
   */
  async #timed(act) {
    const late = this.#until("it does not answer", PATIENCE);
    try {
      return await act(late.signal);
    } finally {
      late.end();
    }
  }

  /**
   * A signal that is aborted after a time, or with the command. `end` aborts it at once. (`AbortSignal.any` gives signals that Node 20 may collect before they are aborted.)
   * @param {string} why
   * @param {number} milliseconds
   */
  #until(why, milliseconds) {
    const over = new AbortController();
    const abort = () => over.abort(this.#signal.reason);
    const timer = setTimeout(() => over.abort(new Error(why)), milliseconds);
    this.#signal.addEventListener("abort", abort);
    if (this.#signal.aborted) abort();
    const end = () => {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", abort);
      over.abort();
    };
    return { signal: over.signal, timer, end };
  }

  /**
   * @param {string} path
   * @param {{ method?: string, headers?: { [name: string]: string }, body?: string, signal: AbortSignal }} init
   */
  async #fetch(path, init) {
    const response = await fetch(this.#server + path, { ...init, headers: { ...init.headers, ...this.#headers }, redirect: "error" });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new StatusError(response.status);
  }

  /**
   * Waits the longer, the more often something has failed.
   * @param {number} fails
   * @param {AbortSignal} signal
   */
  #pause(fails, signal = this.#signal) {
    return pause(Math.min(AGAIN * 2 ** fails, LATEST), signal);
  }
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
function isId(value) {
  return typeof value === "string" && ID.test(value);
}

/**
 * The query that names a folder.
 * @param {Place} place
 * @param {boolean} [isNew]
 */
function queryOf(place, isNew = false) {
  const query = new URLSearchParams();
  for (const name of /** @type {const} */ (["directory", "workspace"])) if (place[name] !== undefined) query.set(isNew ? `location[${name}]` : name, place[name]);
  return `?${query}`;
}

/**
 * The pieces of a body, until `signal` is aborted: then it rejects. (The signal of `fetch` alone does not end a body once its response was collected.) `came` is called with each.
 * @param {ReadableStream<Uint8Array>} body
 * @param {AbortSignal} signal
 * @param {() => unknown} [came]
 */
async function* piecesOf(body, signal, came = () => undefined) {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      came();
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** @param {any} error */
const reasonOf = (error) => error.cause?.code || error.cause?.message || error.message;
