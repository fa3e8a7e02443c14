// Plays files or folders of vectors: `node vectors.mjs --node | --browser | --script [--every N] [PATH ...]`. In Node the request of each case is also cut at each byte. In Chromium the
// ending of each case is shown again as an old receipt, which must look the same, and each case whose questions come before its end is played once more while it is written;
// several pages play at once. Prints a line for each case that fails, then a count. Without a path, all of tests/vectors and tests/cases but the files that are listed as
// pending. With `--every`, it plays only the first of each N cases. With `--script` it is in a page that may run no wasm: no answer is checked by a JSON Schema or a pattern there, and no assistant is asked.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as core from "../../pkg/dist/core.node.js";
import { asked, play } from "./case.mjs";
import { cut } from "./cut.mjs";

const [build, ...given] = process.argv.slice(2);
const [every, paths] = given[0] === "--every" ? [Number(given[1]), given.slice(2)] : [1, given];
const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const PENDING = readFileSync(here("../vectors.pending"), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split(": ")[0]);

/** How many pages play at once: a form is waited for more than it works. Drivers of other engines have one page. */
const IS_CHROMIUM = (process.env.ENGINE ?? "chromium") === "chromium";
const PAGES = build === "--node" || !IS_CHROMIUM ? 1 : 4;
const { players, close } = await builds();
let [passed, failed, absent, cuts] = [0, 0, 0, 0];
const left = (paths.length ? paths : [here("../vectors"), here("../cases")]).flatMap(files).flatMap(casesOf).filter((_, place) => place % every === 0);
/** The pending files of which a case has failed. */
const stillPending = new Set();
await Promise.all(players.map(async (player) => {
  for (let next; (next = left.shift()); ) await playOne(next, /** @type {any} */ (player));
}));
for (const file of PENDING) {
  if (paths.length || stillPending.has(file)) continue;
  console.log(`FAILED ${file}: passes whole: remove it from tests/vectors.pending`);
  failed += 1;
}
await close();
const unoffered = absent ? ` (${absent} steps cannot be done in the form, and it does not offer them)` : "";
const early = cuts ? `; cut at ${cuts} places a request had a question already` : "";
console.log(`${build.slice(2)}: ${passed} passed, ${failed} failed${unoffered}${early}`);
process.exitCode = failed ? 1 : 0;

/** Gives the players of a build, each `{ driver, written, faults, growing }`, and `close`. */
async function builds() {
  if (build === "--node") {
    const { Headless } = await import("./headless.mjs");
    return { players: [{ driver: new Headless(), faults: () => [], growing: (/** @type {any} */ asked) => cut(core, asked) }], close: () => undefined };
  }
  if (!["--browser", "--script"].includes(build)) throw new Error("say --node, --browser or --script");
  const [{ launch }, { Rendered }, { Compared }] = await Promise.all([import("./browser.mjs"), import("./rendered.mjs"), import("./receipts.mjs")]);
  const browser = await launch({ pages: build === "--script" ? await withoutWasm() : {} });
  const player = async () => {
    const page = await browser.page();
    // That wasm was tried is told to the page.
    const faults = () => page.faults.splice(0).filter((/** @type {any} */ fault) => build === "--browser" || !/wasm-eval/.test(fault));
    if (build === "--script") return { driver: new Rendered(page), faults };
    return { driver: IS_CHROMIUM ? new Compared(page) : new Rendered(page), faults, written: new Rendered(page, { comesInPieces: true }) };
  };
  return { players: await Promise.all(Array.from({ length: PAGES }, player)), close: browser.close };
}

/** A page that may run no wasm, and the form for it. */
async function withoutWasm() {
  const [{ ANYWHERE }, { bindings }, { BLANK }, { POLICY }] = await Promise.all([import("../../pkg/anywhere.mjs"), import("../../pkg/bindings.mjs"), import("./browser.mjs"), import("../../playground/server.mjs")]);
  const { build } = createRequire(here("../../pkg/package.json"))("esbuild");
  const external = ["./validator.js", "./core.load.js", "./markdown.js"];
  const { outputFiles: [file] } = await build({ entryPoints: [here("../../pkg/src/ask-user.js")], bundle: true, format: "esm", plugins: [ANYWHERE, bindings("build/published")], external, write: false });
  const content = BLANK.replace("/pkg/dist/ask-user.js", "/anywhere.js");
  return { "/blank": { content, policy: POLICY.replace(" 'wasm-unsafe-eval'", "") }, "/anywhere.js": file.text, "/markdown.js": readFileSync(here("../../pkg/dist/markdown.js"), "utf8") };
}

function needsWasm(/** @type {any} */ case_) {
  return build === "--script" && /"(schema|pattern)"|assistant/.test(JSON.stringify(case_));
}

/** The cases of a file that the build can play, each with the name of the file. */
function casesOf(/** @type {string} */ file) {
  const cases = JSON.parse(readFileSync(file, "utf8")).filter((/** @type {any} */ case_) => !needsWasm(case_));
  return cases.map((/** @type {any} */ case_) => ({ file: basename(file), case_ }));
}

async function playOne(/** @type {{ file: string, case_: any }} */ { file, case_ }, /** @type {{ driver: any, written: any, faults: any, growing: any }} */ { driver, written, faults, growing }) {
  const isListed = !paths.length && PENDING.includes(file);
  // One failure is enough to know that a pending file does not pass whole.
  if (isListed && stillPending.has(file)) return;
  try {
    const unoffered = await play(case_, driver);
    cuts += (await growing?.(headless(asked(case_)))) ?? 0;
    if (written && beginsEarly(case_)) await play(case_, written);
    const found = faults();
    if (found.length) throw new Error(`the page has faults: ${found.join("; ")}`);
    absent += isListed ? 0 : unoffered;
    passed += isListed ? 0 : 1;
  } catch (/** @type {any} */ error) {
    faults();
    if (isListed) return void stillPending.add(file);
    failed += 1;
    console.log(`FAILED ${file}#${case_.name}: ${error.message.split("\n")[0]}`);
  }
}

/** Whether a question of a case is there before the last byte of its request. */
function beginsEarly(/** @type {any} */ case_) {
  const { text, request, options } = headless(asked(case_));
  try {
    const stream = core.openStream(options);
    stream.write(new TextEncoder().encode(text ?? JSON.stringify(request)).subarray(0, -1));
    return stream.walk.step.state === "asking";
  } catch (error) {
    // Some requests are rejected before their end.
    if (error instanceof core.RejectionError) return false;
    throw error;
  }
}

/**
 * What a case asks, as the headless package takes it.
 * @param {any} asked
 * @returns {{ text?: string, request?: unknown, options: any }}
 */
function headless({ dialect, options, ...asked }) {
  return { ...asked, options: { ...options, dialect } };
}

function files(/** @type {string} */ path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).filter((name) => name.endsWith(".json") && name !== "desk.json").sort().map((name) => join(path, name));
}
