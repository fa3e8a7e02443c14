// What is fetched only when a form needs it, once for all elements of a page, and anew where that failed or takes too long.

/** What is on its way can be given up by this. */
let fetching = new AbortController();

/** Fetches anew whatever is on its way. Whoever waits for it goes on waiting, for the new one. */
export function fetchAnew() {
  const slow = fetching;
  fetching = new AbortController();
  slow.abort();
}

/**
 * What is fetched once, and again only where that failed.
 * @template T
 * @param {() => Promise<T>} fetch
 * @returns {() => Promise<T>}
 */
export const once = (fetch) => {
  /** @type {Promise<T> | undefined} */
  let there;
  /** @type {() => Promise<T>} */
  const get = () => {
    const begun = fetching;
    return (there ??= fetch().catch((error) => {
      there = undefined;
      if (begun !== fetching) return get();
      throw error;
    }));
  };
  return get;
};

/**
 * The same where it can be done without: nothing where it cannot be had.
 * @template T
 * @param {() => Promise<T>} fetch
 */
export const optional = (fetch) => {
  const load = once(fetch);
  return () => load().catch(() => undefined);
};

/** @type {Set<string>} */
const fetched = new Set();
/**
 * Fetches a file of the package. One that was fetched before was of no use: no cache has a better one.
 * @type {(address: string | URL, init?: RequestInit) => Promise<Response>}
 */
export const file = (address, init) => {
  const name = String(address);
  const cache = fetched.has(name) ? "reload" : "default";
  fetched.add(name);
  return fetch(address, { cache, signal: fetching.signal, ...init });
};

let again = 0;
/**
 * What fetches a module of the package: `load` imports it, and `name` is its file. A browser keeps what it got from an address for as long as the page is there: half a script, or nothing yet; Firefox also that it
 * got nothing, and names the address in the error (HTML, "fetch a single module script"). The same file is then fetched from another address, in turn with the first: a bundler may have given it another name.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} load
 */
export const part = (name, load) => {
  /** @type {URL | undefined} */
  let address;
  /** @type {() => Promise<T>} */
  return async () => {
    const begun = fetching;
    /** @type {Promise<never>} */
    const givenUp = new Promise((_, reject) => begun.signal.addEventListener("abort", reject, { once: true }));
    try {
      address?.searchParams.set("again", (/** @type {string} */ (/** @type {unknown} */ (again += 1))));
      return await Promise.race([address ? import(`${address}`) : load(), givenUp]);
    } catch (error) {
      const [, named] = /^error loading dynamically imported module: (.+)$/.exec(/** @type {Error} */ (error).message) ?? [];
      const isKept = named !== undefined || (!address && (begun !== fetching || error instanceof SyntaxError));
      // Not as bundlers know the address of a file.
      address = isKept ? new URL(named ?? import.meta.url.replace(/[^/]*$/, name)) : undefined;
      throw error;
    }
  };
};
