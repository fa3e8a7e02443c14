// What all requests of the element have in common: a limit of time, no redirects, and what a response says of another try.

/** How long a request may take, in milliseconds. */
const TRY = 30_000;
/** How many bytes a page that is left may still send: the Fetch standard allows 64 KiB for all of a page's requests (HTTP-network-or-cache fetch, step 8.10). */
const KEPT_ALIVE = 60_000;
/**
 * Whether this page's requests may outlive it. Not once one of them has failed without a response: a browser has little room for such requests, and refuses them at once where none is left. Chromium 156 takes
 * 256 of a page, and counts one that was given up until its connection ends.
 */
let hasRoom = true;

/**
 * Whether a page that is left still sends a request with this body, which may have a part of the room that there is.
 * @param {string} body
 * @param {number} part
 */
export const outlives = (body, part = 1) => hasRoom && new Blob([body]).size <= KEPT_ALIVE * part;

/**
 * Whether a response came from another address than the one that was asked. A browser does not say which.
 * @type {(response: Response) => boolean}
 */
export const isRedirected = (response) => response.redirected || response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);

/**
 * Whether a request with this response may be sent again as it is.
 * @type {(response: { status: number }) => boolean}
 */
export const isPassing = ({ status }) => status === 408 || status === 425 || status === 429 || status >= 500;

/**
 * What `read` makes of a response; undefined where there was none, and `TRY` milliseconds are the limit for both. `call` has the signature of fetch.
 * @template T
 * @param {typeof fetch} call
 * @param {string} url
 * @param {RequestInit} init
 * @param {(response: Response) => T | Promise<T>} read
 * @param {AbortSignal} [stop]
 * @returns {Promise<T | undefined>}
 */
export async function request(call, url, init, read, stop) {
  const late = new AbortController();
  const abort = () => late.abort();
  const timer = setTimeout(abort, TRY);
  stop?.addEventListener("abort", abort);
  try {
    // A redirect is not followed: it would turn a POST into a GET, and the answer would be lost.
    return await read(await call(url, { redirect: "manual", ...init, signal: late.signal }));
  } catch {
    if (init.keepalive && !late.signal.aborted) hasRoom = false;
    return undefined;
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener("abort", abort);
  }
}

/** The shortest and the longest pause that a host can ask for, in milliseconds. A timer of more than 24.8 days would end at once. */
const [SHORTEST, LONGEST] = [1_000, 60_000];

/**
 * The pause that `Retry-After` asks for (RFC 9110, section 10.2.3: seconds or a date), in milliseconds, from a second to a minute. Undefined where it is neither.
 * @param {Response} response
 */
export function retryAfter(response) {
  const value = response.headers.get("Retry-After")?.trim() ?? "";
  let pause = NaN;
  if (/^\d+$/.test(value)) pause = Number(value) * 1_000;
  // All three forms of a date begin with the day of the week. The oldest one has no zone, and means GMT.
  else if (/^[A-Z][a-z]{2}/.test(value)) pause = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`) - Date.now();
  return Number.isNaN(pause) ? undefined : Math.min(Math.max(pause, SHORTEST), LONGEST);
}
