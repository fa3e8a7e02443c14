// What tests of a module in two parts do with the rest: keep it from a page, and count how often the page had to wait for it.

/**
 * Keeps a file from the pages of a browser until the function that it gives is called.
 * @param {import("./browser.mjs").Browser} browser
 * @param {string} name
 * @returns {() => void}
 */
export function held(browser, name) {
  /** @type {any} */
  let release;
  const free = new Promise((resolve) => (release = resolve));
  browser.meddle = async (request, _response, forward) => {
    if (request.url?.endsWith(name)) await free;
    return forward();
  };
  return release;
}

/**
 * How often a page had to wait for the rest.
 * @type {(page: import("./browser.mjs").Page) => Promise<number>}
 */
export const waits = (page) => page.evaluate(() => /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource")).filter(({ initiatorType }) => initiatorType === "xmlhttprequest").length);
