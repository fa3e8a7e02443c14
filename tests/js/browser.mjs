// A headless Chromium, or the engine that the environment names (ENGINE: firefox, webkit), and a page of the playground's server in it. What a
// page does against its content security policy, any error that nobody catches, and what is written to the console as an error or a warning is a
// fault: it fails the test that it happened in. A test that provokes faults takes them out of `page.faults`.
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { start } from "../../playground/server.mjs";
import { openChromium, ownChromium } from "./chromium.mjs";
import { keepFailure } from "./failures.mjs";
import { AIMS } from "./wait.mjs";

export { openChromium };

/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @import { BrowserContextOptions, Page as PlaywrightPage } from "playwright-core"
 */

/**
 * A page whose faults are noted, and what it has fetched and written to its console.
 * @typedef {PlaywrightPage & { faults: string[], said: string[], readonly fetched: string[] }} Page
 */

/** @typedef {Awaited<ReturnType<typeof launch>>} Browser */

/**
 * Comes between a request and its answer.
 * @typedef {(request: IncomingMessage, response: ServerResponse, forward: () => void) => unknown} Meddle
 */

const require = createRequire(new URL("../../pkg/package.json", import.meta.url));
const resolveDir = fileURLToPath(new URL("../../pkg/", import.meta.url));
const { buildSync } = require("esbuild");
const PROBE = readFileSync(new URL("probe.js", import.meta.url), "utf8");

/** What finds barriers in a page. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const ENGINE = process.env.ENGINE ?? "chromium";
/** Why a test is for Chromium alone. */
export const ELSEWHERE = ENGINE !== "chromium" && "its driver has no fingers";

/** What notes in a page what goes wrong there, for engines that do not tell it to their driver. */
const TROUBLES = `
  window.troubles = [];
  const note = (what, event) => window.troubles.push({ text: String(what), event });
  addEventListener("error", (event) => note(event.message, event));
  addEventListener("unhandledrejection", ({ reason }) => note(reason));
  addEventListener("securitypolicyviolation", (event) => event.blockedURI.endsWith("/favicon.ico") || note("violates " + event.violatedDirective + ": " + event.blockedURI + " " + event.sample));
  for (const name of ["error", "warn"]) console[name] = (...said) => note(said.join(" "));`;
/** The first element of a page whose faults are noted. */
export const WATCH = '<script src="/troubles.js"></script>';

/** A page that loads the element and notes its events: `window.seen` is a list of `[name, detail]`. */
export const BLANK = `<!doctype html>
<html lang="en">
<title>ask-user</title>
<meta name="viewport" content="width=device-width">
${WATCH}
<script type="module" src="/pkg/dist/ask-user.js"></script>
<script type="module" src="/probe.js"></script>
<main></main>
</html>`;

/** The playground's page, watched. */
const PLAYGROUND = readFileSync(new URL("../../index.html", import.meta.url), "utf8").replace("<head>", `<head>${WATCH}`);

/** What a page loads to stop its time. Parts of Node's that it asks for are missing in a page, and it does without them. */
const clock = () => {
  const stdin = { contents: 'export { install } from "@sinonjs/fake-timers";', resolveDir };
  const { outputFiles: [file] } = buildSync({ stdin, bundle: true, format: "esm", external: ["util", "timers", "timers/promises"], write: false });
  return file.text;
};

/**
 * The pages that were opened, each with the number of its faults that a test has failed for.
 * @type {Map<Page, number>}
 */
const watched = new Map();

/** Fails for each fault that no test has failed for yet. */
async function checkFaults() {
  /** @type {string[]} */
  const found = [];
  for (const [page, told] of watched) {
    // What the page has said comes before what it is asked. A page that is gone has said all.
    await page.evaluate(() => undefined).catch(() => page.isClosed?.() === false || watched.delete(page));
    found.push(...page.faults.slice(told));
    if (watched.has(page)) watched.set(page, page.faults.length);
  }
  assert.deepEqual(found, [], "faults of the page");
}

/** Whether this is a suite, and no other program. */
const IS_SUITE = process.argv[1]?.endsWith(".test.mjs");
/** Whether the people in the pages take their time (wait.mjs): in suites and for vectors. A benchmark has a clock of its own. */
const TAKE_TIME = IS_SUITE || process.argv[1]?.endsWith("vectors.mjs");

// Before the hooks of the test file itself, which may close its pages.
if (IS_SUITE) {
  afterEach(async (test) => {
    if (!(/** @type {{ passed: boolean }} */ (/** @type {unknown} */ (test)).passed)) await keepFailure(test, watched.keys());
  });
  afterEach(checkFaults);
}

/**
 * Starts the server and the browser, which draws as people's does if `draws` is set. Gives `{ url, deliveries, requests, page(path, options, script), stopped(page), close }`; the script
 * runs in the page before any of its own. `requests` are the paths of all that was asked of the server; `page.fetched` those since the page
 * was opened. Of what is given, `meddle(request, response, forward)` can be set, and comes between any request and its answer; and `cut`,
 * a pattern: requests whose address matches it find the connection closed.
 * @param {{ pages?: { [path: string]: unknown }, draws?: boolean } & { [option: string]: unknown }} options
 */
export async function launch({ pages = {}, draws = false, ...more } = {}) {
  const troubles = ENGINE === "chromium" ? "" : TROUBLES + (TAKE_TIME ? AIMS : "");
  const served = /** @type {{ [path: string]: any }} */ ({ "/": PLAYGROUND, "/blank": BLANK, "/probe.js": PROBE, "/troubles.js": troubles, "/axe.js": AXE, ...pages });
  /** @type {string[]} */
  const requests = [];
  const launched = {
    requests,
    /** @type {RegExp | undefined} */
    cut: undefined,
    /** @type {Meddle | undefined} */
    meddle: undefined,
    /**
     * Stops the time in a page: gives what lets milliseconds pass.
     * @param {Page} page
     */
    async stopped(page) {
      served["/clock.js"] ??= clock();
      await page.evaluate(async () => {
        const { install } = await import("/clock.js");
        window.later = window.setTimeout.bind(window);
        window.clock = install({ now: 1_000, toFake: ["setTimeout", "clearTimeout", "Date"], shouldClearNativeTimers: true });
      });
      /** @type {(milliseconds: number) => Promise<void>} */
      return (milliseconds) => page.evaluate((passed) => window.clock.tickAsync(passed).then(() => undefined), milliseconds);
    },
  };
  /** @type {Meddle} */
  const meddle = (request, response, forward) => {
    requests.push(new URL(/** @type {string} */ (request.url), "http://localhost").pathname);
    if (launched.cut?.test(/** @type {string} */ (request.url))) return request.socket.destroy();
    return launched.meddle ? launched.meddle(request, response, forward) : forward();
  };
  const server = await start({ pages: served, meddle, ...more });
  const { open, close } = await (ENGINE === "chromium" ? chromiumPages(draws) : otherPages());
  return Object.assign(launched, {
    url: server.url,
    deliveries: server.deliveries,
    async page(path = "/blank", options = {}, script = undefined) {
      const page = await open(options, script);
      watched.set(page, 0);
      const before = requests.length;
      Object.defineProperty(page, "fetched", { get: () => requests.slice(before) });
      await page.goto(server.url + path);
      return page;
    },
    async close() {
      await close();
      await server.close();
    },
  });
}

/**
 * A browser for a suite, and a page for each of its tests: `take({ browser, page })`.
 * @param {(given: { browser: Browser, page: Page }) => unknown} take
 */
export function onPages(take) {
  /** @type {Browser} */
  let browser;
  /** @type {Page} */
  let page;
  before(async () => (browser = await launch()));
  beforeEach(async () => {
    browser.deliveries.length = 0;
    page = await browser.page();
    await take({ browser, page });
  });
  afterEach(() => page.context().close());
  after(() => browser.close());
}

/**
 * The same, with pages whose time stands still and passes only as the test says: `take({ browser, page, pass })`.
 * @type {(take: (given: { browser: Browser, page: Page, pass: (milliseconds: number) => Promise<void> }) => unknown) => void}
 */
export const onStoppedPages = (take) => onPages(async ({ browser, page }) => take({ browser, page, pass: await browser.stopped(page) }));

/** @param {boolean} draws */
async function chromiumPages(draws) {
  const browser = await (draws ? ownChromium() : openChromium());
  /** @type {(options: BrowserContextOptions, script: string | undefined) => Promise<any>} */
  const open = async (options, script) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.faults = [];
    page.said = [];
    page.on("pageerror", (/** @type {any} */ error) => page.faults.push(String(error)));
    page.on("console", (/** @type {import("playwright-core").ConsoleMessage} */ message) => {
      page.said.push(`${message.type()}: ${message.text()}`);
      // A refused delivery is the business of the test that asks for it.
      const failed = /Failed to load resource|net::ERR|MIME type/.test(message.text());
      const delivery = failed && /\/(respond|cancel|conversations|walk)/.test(message.location().url + message.text());
      // Chromium asks for it now and then.
      const icon = message.location().url.endsWith("/favicon.ico");
      if (["error", "warning"].includes(message.type()) && !delivery && !icon) page.faults.push(failed ? `${message.text()} ${message.location().url}` : message.text());
    });
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) =>
        console.error(`violates ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
      );
    });
    if (TAKE_TIME) await page.addInitScript(AIMS);
    if (script) await page.addInitScript(script);
    return page;
  };
  return { open, close: () => browser.close() };
}

/** The same in another engine: pages of another make, by tests/engines. */
async function otherPages() {
  const [{ [ENGINE]: start }, { Page }] = await Promise.all([import(`../engines/${ENGINE}.mjs`), import("../engines/page.mjs")]);
  const engine = await start();
  /** @type {(options: { viewport?: { width: number, height: number } }, script?: string) => Promise<any>} */
  const open = async ({ viewport, ...more }, script) => {
    if (script || Object.keys(more).length) throw new Error(`${engine.name} is not driven with ${Object.keys(more)} and a script here`);
    const page = await Page.open(engine);
    if (viewport) await page.setViewport(viewport);
    return page;
  };
  return { open, close: () => engine.close() };
}
