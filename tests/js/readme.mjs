// Runs the code of a document: `node readme.mjs FILE`. Its JavaScript runs in Node, where the package has its name; its HTML
// is put beside the built package as it stands, and must show a form.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const document = readFileSync(process.argv[2], "utf8");
const blocks = (language) => [...document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);

// A project of its own that has the package installed.
const project = path("../../target/readme-js/");
rmSync(project, { recursive: true, force: true });
mkdirSync(`${project}node_modules`, { recursive: true });
symlinkSync(path("../../pkg"), `${project}node_modules/ask-user`, "junction");
for (const [index, code] of blocks("js").entries()) {
  writeFileSync(`${project}${index}.mjs`, code);
  await import(pathToFileURL(`${project}${index}.mjs`));
}

const pages = Object.fromEntries(blocks("html").map((code, index) => [`/pkg/dist/readme-${index}`, `<!doctype html>\n${code}`]));
if (Object.keys(pages).length) {
  const { launch } = await import("./browser.mjs");
  const browser = await launch({ pages });
  for (const page of Object.keys(pages)) {
    // The example has its script in the page, as one who tries it would.
    const shown = await browser.page(page, { bypassCSP: true });
    await shown.locator("ask-user").locator("[data-question]").waitFor({ timeout: 10_000 });
    if (shown.faults.length) throw new Error(shown.faults.join("; "));
  }
  await browser.close();
}
