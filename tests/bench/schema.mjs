// Validating JSON in a page: ours beside Ajv 8, which compiles a schema to code (and so needs `unsafe-eval`), and beside the
// interpreter of @cfworker/json-schema. A first validation each time in a fresh page, as a form does it, one with a new schema where others
// have been checked before, and repeated checks. Prints medians and ratios, and asserts nothing but that all agree. `node schema.mjs [ROUNDS]`.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { launch } from "../js/browser.mjs";
import { cases } from "./schema-cases.mjs";

const MEASURED = { first: "first validation", anew: "first validation in a warm engine", again: "each check after" };
const NAMES = ["ask-user", "Ajv", "interpreter"];

/** What each validator takes for a case, in milliseconds: a `first` check in a fresh page, a first check `anew` by a schema, and each check `again`. */
export async function validators(name, rounds) {
  const { browser, fresh } = await opened();
  const first = Object.fromEntries(NAMES.map((validator) => [validator, []]));
  // Round 0 warms the machine, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const validator of NAMES) {
      const page = await fresh();
      const taken = await page.evaluate(([name, validator]) => window.first(name, validator), [name, validator]);
      if (round) first[validator].push(taken);
      await page.context().close();
    }
  }
  const page = await fresh();
  const found = {};
  for (const validator of NAMES) {
    const [again, anew] = await page.evaluate((given) => [window.again(...given), window.anew(...given)], [name, validator, rounds]);
    found[validator] = { first: first[validator].sort((a, b) => a - b)[Math.floor(rounds / 2)], anew, again };
  }
  await browser.close();
  return found;
}

/** A browser, and what opens a page of it that has all validators. */
async function opened() {
  const pkg = new URL("../../pkg/package.json", import.meta.url);
  const { build } = createRequire(pkg)("esbuild");
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL("schema-page.js", import.meta.url))],
    nodePaths: [fileURLToPath(new URL("node_modules", pkg))],
    bundle: true, format: "esm", target: "es2022", minify: true, write: false, logLevel: "error",
  });
  const pages = { "/schema": `<!doctype html><title>validators</title><script type="module" src="/schema.js"></script>`, "/schema.js": bundled.outputFiles[0].text };
  const browser = await launch({ pages });
  const fresh = async () => {
    const page = await browser.page("/schema", { bypassCSP: true });
    await page.waitForFunction(() => window.ready);
    return page;
  };
  return { browser, fresh };
}

function print(name, what, [ours, ajv, interpreter]) {
  const shown = (taken) => `${taken.toPrecision(3)} ms`;
  const beside = (taken) => `${shown(taken)} (${(taken / ours).toFixed(2)} times ours)`;
  console.log(`${name}, ${what}: ${shown(ours)}; Ajv ${beside(ajv)}, interpreter ${beside(interpreter)}`);
}

if (process.argv[1]?.endsWith("schema.mjs")) {
  for (const name of Object.keys(cases())) {
    const found = await validators(name, Number(process.argv[2] ?? 15));
    for (const [key, what] of /** @type {[string, any][]} */ (Object.entries(MEASURED))) print(name, what, /** @type {any} */ (NAMES.map((validator) => found[validator][key])));
  }
}
