// The code of README.md and of the guides runs as it stands: JavaScript in Node, where the package has its name; HTML beside the built package, where it
// must show a form.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const DOCUMENTS = ["README.md", "docs/putting-ask-user-into-your-agent.md", "docs/desk.md", "docs/headless.md"].map((name) => [name, readFileSync(path(`../../${name}`), "utf8")]);
const blocks = (document, language) => [...document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);
const pages = Object.fromEntries(DOCUMENTS.flatMap(([name, document]) => blocks(document, "html").map((code, place) => [`/pkg/dist/${name.replaceAll(/\W/g, "-")}-${place}`, `<!doctype html>\n${code}`])));

/** A project of its own that has the package installed. */
const PROJECT = path(`../../target/documents-${process.pid}/`);
let browser;
before(async () => {
  mkdirSync(`${PROJECT}node_modules`, { recursive: true });
  symlinkSync(path("../../pkg"), `${PROJECT}node_modules/ask-user`, "junction");
  browser = await launch({ pages });
});
after(async () => {
  rmSync(PROJECT, { recursive: true, force: true });
  await browser.close();
});

let files = 0;
/** Runs a piece of JavaScript in the project. */
async function run(code) {
  const file = `${PROJECT}${(files += 1)}.mjs`;
  writeFileSync(file, code);
  await import(pathToFileURL(file).href);
}

for (const [name, document] of DOCUMENTS) {
  test(`the JavaScript of ${name} runs`, async () => {
    const found = blocks(document, "js");
    assert.ok(found.length > 0);
    for (const code of found) await run(code);
  });
}

test("code that does not run is a fault", async () => {
  await run('import { open } from "ask-user/core";\nopen({ question: "x" });');
  await assert.rejects(run('import { open } from "ask-user/core";\nopen({});'));
  await assert.rejects(run('import { shut } from "ask-user/core";'));
});

test("the HTML of the documents shows a form, and the page has no fault", async () => {
  assert.ok(Object.keys(pages).length > 0);
  for (const page of Object.keys(pages)) {
    // The example has its script in the page, as one who tries it would.
    const shown = await browser.page(page, { bypassCSP: true });
    await shown.locator("ask-user").locator("[data-question]").waitFor();
    assert.deepEqual(shown.faults, [], page);
    await shown.context().close();
  }
});
