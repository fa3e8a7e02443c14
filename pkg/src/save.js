// Keeping a walk at `save-url`, so that no tab or device overwrites what another one has kept. Knows no form.

import { isPassing, isRedirected, outlives, request, retryAfter } from "./request.js";

/**
 * @import { Host } from "../types/ask-user.js"
 * @import { SavedWalk } from "../types/core.js"
 */

/**
 * What is sent.
 * @typedef {{ walk: SavedWalk, tool_call_id: string }} Body
 */

/**
 * Whoever is told what the host says.
 * @typedef {{ kept(): void, failed(message: string): void, closed(): void, behind(walk: SavedWalk): boolean }} Heard
 */

/** How often in a row a walk is sent again at once because the host has another version. */
const AT_ONCE = 5;
/** How many walks are remembered that the present one comes from. */
const REMEMBERED = 8;

/**
 * A text that two walks share if they are equal, in whatever order a host stores the members of an object.
 * @type {(walk: unknown) => string}
 */
export const fingerprint = (walk) => JSON.stringify(walk, (_key, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value));

/**
 * A hash of a text: FNV-1a over UTF-16 units, 32 bits.
 * @param {string} text
 * @param {number} from
 */
export function hash(text, from = 0x811c9dc5) {
  let hash = from;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Whether two walks are of one form, so that each can be shown in the other's place.
 * @type {(walk: unknown, other: unknown) => boolean}
 */
export const areOfOneForm = (walk, other) => isObject(walk) && isObject(other) && walk.form === other.form && walk.ask_user_walk === other.ask_user_walk;

/**
 * @param {unknown} value
 * @returns {value is { [name: string]: any }}
 */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether a saved walk is the same one as another, and has come further. Only a nonce tells a question from the same one in another turn.
 * @param {any} walk
 * @param {any} before
 * @returns {boolean}
 */
export function goesOn(walk, before) {
  if (typeof before?.nonce !== "string" || walk?.nonce !== before.nonce || walk.form !== before.form) return false;
  const [log, earlier] = [walk.log, before.log].map((log) => (Array.isArray(log) ? log.map((line) => JSON.stringify(line)) : []));
  return earlier.every((line, at) => line === log[at]) && (log.length > earlier.length || before.typed === undefined);
}

/**
 * Whether a walk, as text, is an earlier state of the one that is `now` open: somebody has done something there since.
 * @param {string} given
 * @param {SavedWalk | undefined} now
 */
export function isBehind(given, now) {
  if (!now?.nonce || !(now.log.length || now.typed)) return false;
  let walk;
  try {
    walk = JSON.parse(given);
  } catch {
    return false;
  }
  return goesOn(now, { ...walk, typed: undefined }) && given !== JSON.stringify(now);
}

/**
 * The version that a response names. A weak ETag never matches in `If-Match` (RFC 9110, section 13.1.1), and so names none.
 * @type {(response: Response) => string | undefined}
 */
const versionOf = (response) => {
  const etag = response.headers.get("ETag");
  return etag?.startsWith('"') ? etag : undefined;
};

/**
 * A walk at a URL. Where the host names versions (`ETag`), each `PUT` says which one it replaces (`If-Match`). If the host refuses it with 412 and the
 * walk that it has, and the present walk does not come from that one, `behind(walk)` is called and says whether this page shows that walk now. `kept()` hears of each
 * walk that the host has taken, `failed(message)` of a status that no further try would change, `closed()` of one that says that the question is closed.
 */
export class Saved {
  /**
   * The version that the host has.
   * @type {string | undefined}
   */
  version;
  /** @type {string} */
  #url;
  /** @type {() => Host} */
  #host;
  /** @type {Heard["kept"]} */
  #done;
  /** @type {Heard["failed"]} */
  #failed;
  /** @type {Heard["closed"]} */
  #closed;
  /** @type {Heard["behind"]} */
  #behind;
  /**
   * What the host has, as far as this page knows.
   * @type {string | undefined}
   */
  #kept;
  /**
   * The walks that the present one comes from, the latest last.
   * @type {string[]}
   */
  #known = [];
  /** Whether a walk was sent, and no response has come. */
  #unsure = false;
  /** How often in a row the host had another version. */
  #refusals = 0;

  /**
   * `known` are the walks that the present one comes from, of the form before.
   * @param {string} url
   * @param {string | undefined} version
   * @param {() => Host} host
   * @param {Heard} heard
   * @param {string[]} known
   */
  constructor(url, version, host, { kept, failed, closed, behind }, known = []) {
    this.#url = url;
    this.version = version;
    this.#host = host;
    this.#done = kept;
    this.#failed = failed;
    this.#closed = closed;
    this.#behind = behind;
    this.#known = known;
  }

  get known() {
    return this.#known;
  }

  /**
   * Takes a walk for what the host has: it is not sent.
   * @param {SavedWalk | undefined} walk
   * @param {string} [version]
   */
  base(walk, version = this.version) {
    this.version = version;
    this.#kept = this.#remember(walk);
  }

  /**
   * Whether the present walk comes from this one.
   * @param {SavedWalk} walk
   */
  knows(walk) {
    return this.#known.includes(fingerprint(walk));
  }

  /**
   * Sends a walk, as a `Keeper` asks for it.
   * @type {(body: Body, isLeaving: boolean) => Promise<import("./keeper.js").Came>}
   */
  put = async (body, isLeaving) => {
    const sent = this.#remember(body.walk);
    if (sent === this.#kept) return "kept";
    // A page that goes away cannot hear a 412, so this PUT must not depend on the one before it.
    const version = isLeaving && this.#unsure ? undefined : this.version;
    this.#unsure = true;
    const [response, theirs] = (await this.#send(JSON.stringify(body), version)) ?? [];
    if (!response || isRedirected(response) || response.status === 401 || isPassing(response)) return response && retryAfter(response);
    this.#unsure = false;
    if (response.ok) {
      this.version = versionOf(response);
      this.#kept = sent;
      this.#refusals = 0;
      this.#done();
      return "kept";
    }
    if (theirs) return this.#refused(theirs, versionOf(response), version, body.walk);
    if ([409, 410].includes(response.status)) this.#closed();
    else this.#fail(response);
    return "never";
  };

  /**
   * @param {string} body
   * @param {string} [version]
   * @returns {Promise<[response: Response, theirs: SavedWalk | undefined] | undefined>}
   */
  #send(body, version) {
    const { fetch: call = fetch, credentials = "same-origin" } = this.#host();
    // A page that goes away may still send a little.
    const keepalive = outlives(body, 1 / 2);
    const headers = { "Content-Type": "application/json", ...(version && { "If-Match": version }) };
    return request(call, this.#url, { method: "PUT", headers, body, keepalive, credentials }, async (response) => [response, response.status === 412 ? await walkIn(response) : undefined]);
  }

  /**
   * The host has another version than this page thought.
   * @param {SavedWalk} theirs
   * @param {string | undefined} version
   * @param {string | undefined} sent
   * @param {SavedWalk} own
   * @returns {"never" | 0}
   */
  #refused(theirs, version, sent, own) {
    this.#refusals += 1;
    // A host that names the same version, or none, would refuse the next try, too.
    if (!version || version === sent || this.#refusals > AT_ONCE) {
      this.#fail({ status: 412, statusText: "Precondition Failed" });
      return "never";
    }
    this.version = version;
    // Send again if the walk came from here (its acknowledgement was lost), from a tab that this one follows, or from another form, which cannot be shown.
    if (this.knows(theirs) || !areOfOneForm(theirs, own)) return 0;
    // This page has ended the question. Keep the end, so that a page that is loaded later finds and sends it.
    if (!this.#behind(theirs)) return 0;
    this.#refusals = 0;
    this.base(theirs);
    return "never";
  }

  /** @param {{ status: number, statusText: string }} response */
  #fail({ status, statusText }) {
    this.#failed(`The answers so far could not be kept at ${this.#url}: ${status} ${statusText}`.trim());
  }

  /** @param {SavedWalk | undefined} walk */
  #remember(walk) {
    const print = fingerprint(walk);
    this.#known = [...this.#known.filter((one) => one !== print), print].slice(-REMEMBERED);
    return print;
  }
}

/**
 * The walk in the body of a refusal, if there is one.
 * @param {Response} response
 * @returns {Promise<SavedWalk | undefined>}
 */
async function walkIn(response) {
  try {
    const { walk } = await response.json();
    return isObject(walk) ? /** @type {SavedWalk} */ (walk) : undefined;
  } catch {
    return undefined;
  }
}
