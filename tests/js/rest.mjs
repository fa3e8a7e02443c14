// What tests of a module in two parts do with the rest: keep it from a page, and count how often the page had to wait for it.

/** Keeps a file from the pages of a browser until the function that it gives is called. */
export function held(browser, name) {
  let release;
  const free = new Promise((resolve) => (release = resolve));
  browser.meddle = async (request, _response, forward) => {
    if (request.url.endsWith(name)) await free;
    return forward();
  };
  return release;
}

/** How often a page had to wait for the rest. */
export const waits = (page) => page.evaluate(() => performance.getEntriesByType("resource").filter(({ initiatorType }) => initiatorType === "xmlhttprequest").length);
