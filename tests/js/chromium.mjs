// A headless Chromium for tests: one of their own, or the one that `tests/run.mjs` shares between all suites.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../pkg/package.json", import.meta.url))("playwright-core");
const FLAGS = [
  "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];
/** @type {(executablePath: string) => object} */
const options = (executablePath) => ({ executablePath, headless: true, chromiumSandbox: false, args: FLAGS });
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** A browser. Closing one that is shared closes the pages that were opened here alone. */
export const openChromium = () => (process.env.CHROMIUM_ENDPOINT ? chromium.connect(process.env.CHROMIUM_ENDPOINT) : ownChromium());

/** The browser that people have, which no other suite uses: it draws as theirs does. */
export const ownChromium = () => chromium.launch(options(BROWSER));

/** Starts a browser that other processes can use, without a window where there is one. Gives `{ endpoint, close }`. */
export async function serveChromium() {
  const server = await chromium.launchServer(options(process.env.CHROMIUM_SHELL ?? BROWSER));
  return { endpoint: server.wsEndpoint(), close: () => server.close() };
}
