// A headless Chromium, or the engine that the environment names (ENGINE: firefox, webkit), and a page of the playground's server in it. What a page does against its content security policy,
// and any error that nobody catches, is an error here.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { start } from "../../playground/server.mjs";

const require = createRequire(new URL("../../pkg/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const FLAGS = [
  "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];

const PROBE = readFileSync(new URL("probe.js", import.meta.url), "utf8");

/** What finds barriers in a page. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** A page that loads the element and notes its events: `window.seen` is a list of `[name, detail]`. */
export const BLANK = `<!doctype html>
<html lang="en">
<title>ask-user</title>
<meta name="viewport" content="width=device-width">
<script src="/troubles.js"></script>
<script type="module" src="/pkg/dist/ask-user.js"></script>
<script type="module" src="/probe.js"></script>
<main></main>
</html>`;
/** What goes wrong in a page, for engines that do not tell it to their driver. */
const TROUBLES = `
  window.troubles = [];
  const note = (what) => window.troubles.push(String(what));
  addEventListener("error", ({ message }) => note(message));
  addEventListener("unhandledrejection", ({ reason }) => note(reason));
  addEventListener("securitypolicyviolation", (event) => event.blockedURI.endsWith("/favicon.ico") || note("violates " + event.violatedDirective + ": " + event.blockedURI + " " + event.sample));
  for (const name of ["error", "warn"]) console[name] = (...said) => note(said.join(" "));`;
export const ENGINE = process.env.ENGINE ?? "chromium";
/** Why a test is for Chromium alone: there Playwright blocks requests, has fingers, turns the light off and stops the clock. */
export const ELSEWHERE = ENGINE !== "chromium" && "needs what only Playwright does to a page";

/**
 * Starts the server and the browser. Gives `{ url, deliveries, page(path, options, script), close }`;
 * the script runs in the page before any of its own.
 */
export async function launch({ pages = {}, ...more } = {}) {
  const server = await start({ pages: { "/blank": BLANK, "/probe.js": PROBE, "/troubles.js": TROUBLES, "/axe.js": AXE, ...pages }, ...more });
  if (ENGINE !== "chromium") return elsewhere(server);
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: FLAGS });
  return {
    url: server.url,
    deliveries: server.deliveries,
    async page(path = "/blank", options = {}, script = undefined) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.faults = [];
      page.fetched = [];
      page.on("pageerror", (error) => page.faults.push(String(error)));
      page.on("request", (request) => page.fetched.push(new URL(request.url()).pathname));
      page.on("console", (message) => {
        // A refused delivery is the business of the test that asks for it.
        const failed = /Failed to load resource|net::ERR|MIME type/.test(message.text());
        const delivery = failed && /\/(respond|cancel|conversations)/.test(message.location().url + message.text());
        if (["error", "warning"].includes(message.type()) && !delivery) page.faults.push(message.text());
      });
      await page.addInitScript(() => {
        addEventListener("securitypolicyviolation", (event) =>
          console.error(`violates ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
        );
      });
      if (script) await page.addInitScript(script);
      await page.goto(server.url + path);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** The same in another engine: pages of another make, by tests/engines. */
async function elsewhere(server) {
  const [{ [ENGINE]: start }, { Page }] = await Promise.all([import(`../engines/${ENGINE}.mjs`), import("../engines/page.mjs")]);
  const engine = await start();
  return {
    url: server.url,
    deliveries: server.deliveries,
    async page(path = "/blank", { viewport, ...more } = {}, script = undefined) {
      if (script || Object.keys(more).length) throw new Error(`${engine.name} is not driven with ${Object.keys(more)} and a script here`);
      const page = await Page.open(engine);
      if (viewport) await page.setViewport(viewport);
      await page.goto(server.url + path);
      return page;
    },
    async close() {
      await engine.close();
      await server.close();
    },
  };
}
