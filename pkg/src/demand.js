// What is fetched only when a form needs it, once for all elements of a page, and again where that failed.

/** What is fetched once, and again only where that failed. */
export const once = (fetch) => {
  let there;
  return () =>
    (there ??= fetch().catch((error) => {
      there = undefined;
      throw error;
    }));
};

/** The same where it can be done without: nothing where it cannot be had. */
export const optional = (fetch) => {
  const load = once(fetch);
  return () => load().catch(() => undefined);
};

let again = 0;
/**
 * A module. As the HTML standard says ("fetch a single module script"), Firefox keeps that an address could not be fetched, for as long as the
 * page is there, and names it in the error: the same file has to be fetched from another address then.
 */
export const part = (load) =>
  load().catch((error) => {
    const [, address] = /^error loading dynamically imported module: (.+)$/.exec(error.message) ?? [];
    if (!address) throw error;
    return import(`${address}${address.includes("?") ? "&" : "?"}again=${(again += 1)}`);
  });
