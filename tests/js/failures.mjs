// What is kept of a browser test that fails: for each of its pages a picture, and as JSON its address, its console, and what its forms show and have told. In target/failures.
import { mkdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { within } from "./wait.mjs";

/** @import { Page } from "./browser.mjs" */

const FOLDER = new URL("../../target/failures/", import.meta.url);
/** How long a page may take to tell of itself, in milliseconds: it may be the page that hangs. */
const PATIENCE = 5_000;

/**
 * Keeps what pages are like at the end of a test, and prints where.
 * @param {{ name: string }} test
 * @param {Iterable<Page>} pages
 */
export async function keepFailure({ name }, pages) {
  /** @type {(text: string) => string} */
  const plain = (text) => text.replaceAll(/[^\w-]+/g, "-").slice(0, 80);
  const folder = new URL(`${plain(basename(process.argv[1] ?? "", ".test.mjs"))}/${plain(name)}/`, FOLDER);
  await mkdir(folder, { recursive: true });
  for (const [place, page] of [...pages].entries()) {
    const told = await within(PATIENCE, page.evaluate(ofPage), "what the page tells").catch((error) => ({ error: String(error) }));
    await writeFile(new URL(`${place}.json`, folder), `${JSON.stringify({ faults: page.faults, console: page.said, ...told }, undefined, 2)}\n`);
    const picture = await within(PATIENCE, page.screenshot({ fullPage: true }), "a picture").catch(() => undefined);
    if (picture) await writeFile(new URL(`${place}.png`, folder), picture);
  }
  console.error(`The pages of "${name}" are kept in ${folder.pathname}`);
}

/** In a page: what it says of itself. */
function ofPage() {
  const forms = [...document.querySelectorAll("ask-user")].map((form) => ({
    attributes: Object.fromEntries([...form.attributes].map(({ name, value }) => [name, value])),
    walk: form.walk,
    focus: form.shadowRoot?.activeElement?.outerHTML.slice(0, 200),
    html: form.shadowRoot?.innerHTML,
  }));
  return { address: location.href, title: document.title, hasFocus: document.hasFocus(), events: window.seen, forms };
}
