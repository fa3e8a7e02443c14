// The fields beside react-jsonschema-form with its Ajv 8 validator, on ten real schemas: how long from the navigation, with nothing cached, until the first field
// is painted; what is fetched, gzipped; and at how many places of a wrong value an error is found, by each and by Ajv alone. Asserts nothing.
// `node fields-rjsf.mjs [ROUNDS] [--markdown FILE]`, after `npm ci` in rjsf/.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { compileSchema, initSync } from "../../pkg/build/published/validator/ask_user_validator.js";
import { launch } from "../js/browser.mjs";
import { cases } from "./fields-cases.mjs";

const ROUNDS = Number(process.argv[2] ?? 7);
const file = process.argv.includes("--markdown") ? process.argv.at(-1) : undefined;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const require = createRequire(path("../../pkg/package.json"));
const { default: Ajv } = require("ajv");
const { default: addFormats } = require("ajv-formats");
const version = (name) => JSON.parse(readFileSync(path(`rjsf/node_modules/${name}/package.json`), "utf8")).version;
initSync({ module: readFileSync(path("../../pkg/dist/validator.wasm")) });

const { outputFiles: [theirs] } = await require("esbuild").build({
  entryPoints: [path("rjsf/page.jsx")], bundle: true, write: false, format: "esm", target: "es2022", minify: true, jsx: "automatic", legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' }, nodePaths: [path("rjsf/node_modules")], logLevel: "error",
});
const all = await cases();
const head = '<!doctype html><html lang="en"><title>fields</title><meta name="viewport" content="width=device-width"><main></main>';
const pages = { "/rjsf.js": theirs.text };
for (const { name, schema, value } of all) {
  const request = { questions: [{ id: "q", text: "Which?", answer_type: "schema", schema }] };
  pages[`/ask-user/${name}`] = `${head}<script type="module" src="/pkg/dist/ask-user.js"></script><script type="module" src="/ask-user/${name}.js"></script>`;
  pages[`/ask-user/${name}.js`] = `const form = document.createElement("ask-user"); form.request = ${JSON.stringify(request)}; document.querySelector("main").append(form);`;
  pages[`/rjsf/${name}`] = `${head}<script type="module" src="/rjsf.js"></script><script type="module" src="/rjsf/${name}.js"></script>`;
  pages[`/rjsf/${name}.js`] = `window.show(${JSON.stringify({ schema })});`;
}
const browser = await launch({ pages });
const KINDS = ["ask-user", "rjsf"];
const rows = [];
let bytes;
for (const { name, schema, value } of all) {
  const times = { "ask-user": [], rjsf: [] };
  let wrong;
  // The first round warms the machine, and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of KINDS) {
      const page = await browser.page(`/${kind}/${name}`, { bypassCSP: true }, watch);
      const taken = await page.waitForFunction(() => window.shownAt, undefined, { timeout: 60_000 });
      if (round) times[kind].push(await taken.jsonValue());
      else {
        // All that a form fetches by itself.
        await page.waitForTimeout(2_000);
        bytes ??= {};
        bytes[kind] ??= packed(page.fetched);
        if (kind === "rjsf") {
          await page.evaluate(({ schema, value }) => window.show({ schema, value }), { schema, value });
          await page.waitForTimeout(500);
          wrong = await page.evaluate(() => window.wrong().then(({ length }) => length));
        }
      }
      await page.context().close();
    }
  }
  const [ours, others] = KINDS.map((kind) => median(times[kind]));
  rows.push({ name, ours, others, wrong: { ours: found(schema, value), theirs: wrong, ajv: byAjv(schema, value) } });
  console.log(`${name}: first field after ${ours.toFixed(0)} ms, rjsf ${others.toFixed(0)} ms (${(others / ours).toFixed(2)} times ours); places with errors: ${rows.at(-1).wrong.ours}, rjsf ${wrong}, Ajv alone ${rows.at(-1).wrong.ajv}`);
}
await browser.close();
const kilobytes = (count) => `${(count / 1_000).toFixed(0)} kB`;
const first = packed(["/pkg/dist/ask-user.js", "/pkg/dist/form.first.wasm"]);
const sizes = `Gzipped, ask-user fetches ${kilobytes(first)} to show a question, and ${kilobytes(bytes["ask-user"])} in all for one with a schema: with the validator and the JSON editor. rjsf is one file of ${kilobytes(bytes.rjsf)}.`;
console.log(sizes);
if (file) {
  const table = rows.map(({ name, ours, others, wrong }) => `| \`${name}\` | ${ours.toFixed(0)} | ${others.toFixed(0)} | ${(others / ours).toFixed(2)} | ${wrong.ours} | ${wrong.theirs} | ${wrong.ajv} |\n`).join("");
  const about = `Measured in headless Chromium on two cores, in one run, with \`@rjsf/core\` ${version("@rjsf/core")} and \`@rjsf/validator-ajv8\` ${version("@rjsf/validator-ajv8")} in React ${version("react")}, built by esbuild for production. ${sizes}\n`;
  writeFileSync(file, `${about}\n| schema | first field, ms | rjsf, ms | rjsf beside ask-user | places with errors | rjsf | Ajv alone |\n| --- | --- | --- | --- | --- | --- | --- |\n${table}`);
}

/** At how many places of a value the fields find an error. */
function found(schema, value) {
  const fields = compileSchema(JSON.stringify(schema)).fields();
  fields.setText(JSON.stringify(value));
  return new Set(JSON.parse(fields.violations()).map(({ instance_path: place }) => place)).size;
}

function byAjv(schema, value) {
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return validate(value) ? 0 : new Set(validate.errors.map(({ instancePath }) => instancePath)).size;
}

/** What these paths are, gzipped. */
function packed(paths) {
  const sizes = [...new Set(paths)].map((path) => (path === "/rjsf.js" ? theirs.contents : path.startsWith("/pkg/dist/") ? readFileSync(new URL(`../..${path}`, import.meta.url)) : ""));
  return sizes.reduce((sum, content) => sum + (content.length ? gzipSync(content, { level: 9 }).length : 0), 0);
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

/** Notes, in the page, the first frame in which there is a field, or what adds or unfolds one: milliseconds since the navigation began. */
function watch() {
  const seen = "input, select, textarea, .fold, .add, button:not([type=submit])";
  requestAnimationFrame(function look() {
    const ours = document.querySelector("ask-user")?.shadowRoot?.querySelector(".properties");
    const form = ours ?? document.querySelector("form.rjsf");
    if (![...(form?.querySelectorAll(seen) ?? [])].some((control) => control.checkVisibility())) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (window.shownAt = performance.now());
    port2.postMessage(undefined);
  });
}
