// Validating JSON in a page: ours beside Ajv 8, which compiles a schema to code (and so needs `unsafe-eval`), and beside the
// interpreter of @cfworker/json-schema. A first validation each time in a fresh page, as a form does it, and repeated checks. Prints
// medians and ratios, and asserts nothing but that all agree. `node schema.mjs [ROUNDS]`.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { launch } from "../js/browser.mjs";
import { cases } from "./schema-cases.mjs";

const ROUNDS = Number(process.argv[2] ?? 15);
const pkg = new URL("../../pkg/package.json", import.meta.url);
const { build } = createRequire(pkg)("esbuild");
const bundled = await build({
  entryPoints: [fileURLToPath(new URL("schema-page.js", import.meta.url))],
  nodePaths: [fileURLToPath(new URL("node_modules", pkg))],
  bundle: true, format: "esm", target: "es2022", minify: true, write: false, logLevel: "error",
});
const pages = { "/schema": `<!doctype html><title>validators</title><script type="module" src="/schema.js"></script>`, "/schema.js": bundled.outputFiles[0].text };
const browser = await launch({ pages });
const validators = ["ask-user", "Ajv", "interpreter"];
const fresh = async () => {
  const page = await browser.page("/schema", { bypassCSP: true });
  await page.waitForFunction(() => window.ready);
  return page;
};

for (const name of Object.keys(cases())) {
  const first = Object.fromEntries(validators.map((validator) => [validator, []]));
  // Round 0 warms the machine, and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const validator of validators) {
      const page = await fresh();
      const taken = await page.evaluate(([name, validator]) => window.first(name, validator), [name, validator]);
      if (round) first[validator].push(taken);
      await page.context().close();
    }
  }
  print(name, "first validation", validators.map((validator) => first[validator].sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]));
  const page = await fresh();
  const again = [];
  for (const validator of validators) again.push(await page.evaluate(([name, validator, rounds]) => window.again(name, validator, rounds), [name, validator, ROUNDS]));
  print(name, "each check after", again);
  await page.context().close();
}
await browser.close();

function print(name, what, [ours, ajv, interpreter]) {
  const shown = (taken) => `${taken.toPrecision(3)} ms`;
  console.log(`${name}, ${what}: ${shown(ours)}; Ajv ${shown(ajv)} (${(ajv / ours).toFixed(2)} times ours), interpreter ${shown(interpreter)} (${(interpreter / ours).toFixed(2)} times ours)`);
}
