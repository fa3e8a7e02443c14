// Plays files or folders of vectors: `node vectors.mjs --node | --browser | --script [PATH ...]`. In Node and in the browser the request of each case is also
// cut at each byte; in the browser each case whose questions come before its end is played once more while it is written. Prints a line for each case that fails,
// then a count. Without a path, all of tests/vectors and tests/cases but the files that are listed as pending. With `--script` it is in a page
// that may run no wasm: no answer is checked by a JSON Schema or a pattern there, and no assistant is asked.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asked, play } from "./case.mjs";
import { cut } from "./cut.mjs";

const [build, ...paths] = process.argv.slice(2);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const PENDING = readFileSync(here("../vectors.pending"), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split(": ")[0]);

const { driver, written, faults, close, growing } = await builds();
let [passed, failed, absent, cuts] = [0, 0, 0, 0];
for (const path of paths.length ? paths : [here("../vectors"), here("../cases")]) {
  for (const file of files(path)) {
    const failures = await playFile(file);
    if (paths.length || !PENDING.includes(basename(file))) {
      for (const failure of failures) console.log(failure);
      failed += failures.length;
    } else if (failures.length === 0) {
      console.log(`FAILED ${basename(file)}: passes whole: remove it from tests/vectors.pending`);
      failed += 1;
    }
  }
}
await close();
const unoffered = absent ? ` (${absent} steps cannot be done in the form, and it does not offer them)` : "";
const early = cuts ? `; cut at ${cuts} places a request had a question already` : "";
console.log(`${build.slice(2)}: ${passed} passed, ${failed} failed${unoffered}${early}`);
process.exitCode = failed ? 1 : 0;

async function builds() {
  if (build === "--node") {
    const [{ Headless }, core] = await Promise.all([import("./headless.mjs"), import("../../pkg/dist/core.node.js")]);
    return { driver: new Headless(), faults: () => [], close: () => undefined, growing: (asked) => cut(core, asked) };
  }
  if (!["--browser", "--script"].includes(build)) throw new Error("say --node, --browser or --script");
  const [{ launch }, { Rendered }] = await Promise.all([import("./browser.mjs"), import("./rendered.mjs")]);
  const browser = await launch({ pages: build === "--script" ? await withoutWasm() : { "/cut.js": readFileSync(here("cut.mjs"), "utf8") } });
  const page = await browser.page();
  // That wasm was tried is told to the page.
  const found = () => page.faults.splice(0).filter((fault) => build === "--browser" || !/wasm-eval/.test(fault));
  const cutInPage = (asked) =>
    page.evaluate(async (asked) => {
      const [{ cut }, { load }] = await Promise.all([import("/cut.js"), import("/pkg/dist/core.load.js")]);
      return cut(await load(), asked);
    }, asked);
  const playing = { driver: new Rendered(page), faults: found, close: browser.close };
  // Without wasm there is no headless package.
  return build === "--script" ? playing : { ...playing, written: new Rendered(page, { comesInPieces: true }), growing: cutInPage };
}

/** A page that may run no wasm, and the form for it. */
async function withoutWasm() {
  const [{ ANYWHERE }, { BLANK }, { POLICY }, { MARKDOWN }] = await Promise.all([import("../../pkg/anywhere.mjs"), import("./browser.mjs"), import("../../playground/server.mjs"), import("../../pkg/markdown.mjs")]);
  const { build } = createRequire(here("../../pkg/package.json"))("esbuild");
  const external = ["./validator.js", "./core.load.js"];
  const { outputFiles: [file] } = await build({ entryPoints: [here("../../pkg/src/ask-user.js")], bundle: true, format: "esm", plugins: [MARKDOWN, ANYWHERE], external, write: false });
  const content = BLANK.replace("/pkg/dist/ask-user.js", "/anywhere.js");
  return { "/blank": { content, policy: POLICY.replace(" 'wasm-unsafe-eval'", "") }, "/anywhere.js": file.text };
}

function needsWasm(case_) {
  return build === "--script" && /"(schema|pattern)"|assistant/.test(JSON.stringify(case_));
}

async function playFile(file) {
  const cases = JSON.parse(readFileSync(file, "utf8")).filter((case_) => !needsWasm(case_));
  const failures = [];
  const listed = !paths.length && PENDING.includes(basename(file));
  for (const case_ of cases) {
    try {
      const unoffered = await play(case_, driver);
      const grown = (await growing?.(headless(asked(case_)))) ?? 0;
      cuts += grown;
      if (grown && written) await play(case_, written);
      const found = faults();
      if (found.length) throw new Error(`the page has faults: ${found.join("; ")}`);
      absent += listed ? 0 : unoffered;
      passed += listed ? 0 : 1;
    } catch (error) {
      faults();
      failures.push(`FAILED ${basename(file)}#${case_.name}: ${error.message.split("\n")[0]}`);
      // One failure is enough to know that a pending file does not pass whole.
      if (listed) break;
    }
  }
  return failures;
}

/** What a case asks, as the headless package takes it. */
function headless({ dialect, options, ...asked }) {
  return { ...asked, options: { ...options, dialect } };
}

function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).filter((name) => name.endsWith(".json")).sort().map((name) => join(path, name));
}
