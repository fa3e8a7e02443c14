// A headless Chromium for tests: one of their own, or the one that `tests/run.mjs` shares between all suites.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../pkg/package.json", import.meta.url))("playwright-core");
const FLAGS = [
  "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];
const OPTIONS = { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", headless: true, chromiumSandbox: false, args: FLAGS };

/** A browser. Closing one that is shared closes the pages that were opened here alone. */
export const openChromium = () => (process.env.CHROMIUM_ENDPOINT ? chromium.connect(process.env.CHROMIUM_ENDPOINT) : ownChromium());

/** A browser that no other suite uses: for what counts or measures its processes. */
export const ownChromium = () => chromium.launch(OPTIONS);

/** Starts a browser that other processes can use. Gives `{ endpoint, close }`. */
export async function serveChromium() {
  const server = await chromium.launchServer(OPTIONS);
  return { endpoint: server.wsEndpoint(), close: () => server.close() };
}
