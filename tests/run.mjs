// Runs suites on a snapshot of the package, in one browser that all of them share: `node tests/run.mjs [OPTION ...] FILE ...`. Prints what fails, and how long each suite took.
// --dist FOLDER     the package that is tested; by default pkg/dist
// --at-once N       how many suites run at once; by default one more than there are processors, because a suite waits for a third of its time
// --times N         how often each suite runs; with a load on every processor if N is more than 1
// --only PATTERN    runs the tests whose names match
// --note FILE       also writes the results to a file, in the TAP format
// --passed FILE     writes the suites of which no test failed to a file, one in each line
import { execFileSync, spawn } from "node:child_process";
import { setMaxListeners } from "node:events";
import { cpSync, createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { tap } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { serveChromium } from "./js/chromium.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const text = /** @type {{ type: "string" }} */ ({ type: "string" });
const { values: options, positionals: files } = parseArgs({ allowPositionals: true, options: { dist: text, "at-once": text, times: text, only: text, note: text, passed: text } });
const times = Number(options.times ?? 1);
/** How long one suite may take, in milliseconds: one that hangs is a failure. Other engines than Chromium take several times as long. */
const PATIENCE = process.env.ENGINE || process.env.ACTS ? 2_400_000 : 600_000;

const snapshots = path("../pkg/build/snapshots/");
mkdirSync(snapshots, { recursive: true });
// What a run has left that was killed.
for (const name of readdirSync(snapshots)) if (!isAlive(Number.parseInt(name))) rmSync(snapshots + name, { recursive: true, force: true });
const snapshot = mkdtempSync(`${snapshots}${process.pid}-`);
cpSync(options.dist ?? path("../pkg/dist"), snapshot, { recursive: true });
process.env.ASK_USER_DIST = snapshot;
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--import=${pathToFileURL(path("dist.mjs")).href}`].filter(Boolean).join(" ");

const browser = process.env.ENGINE ? undefined : await serveChromium();
if (browser) process.env.CHROMIUM_ENDPOINT = browser.endpoint;
const load = times > 1 ? Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ["-e", "for (;;);"])) : [];
const seconds = new Map();
/** The suites with tests that passed, and those with tests that failed. */
const [fine, faulty] = [new Set(), new Set()];
let [passed, failed, skipped] = [0, 0, 0];
const stop = new AbortController();
// Each suite listens to it.
setMaxListeners(0, stop.signal);
const end = async () => {
  // Ends the suites that run, and so what they have started.
  stop.abort();
  for (const one of load) one.kill();
  await browser?.close();
  endSuites();
  rmSync(snapshot, { recursive: true, force: true });
};
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) process.once(signal, () => end().finally(() => process.exit(code)));
try {
  for (let time = 1; time <= times; time += 1) await once();
} finally {
  await end();
}
for (const [name, time] of [...seconds].sort(([, one], [, other]) => other - one)) console.log(`${time.toFixed(1).padStart(7)} s  ${name}`);
if (options.passed) writeFileSync(options.passed, [...fine].filter((suite) => !faulty.has(suite)).join("\n"));
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed || !passed ? 1 : 0;

/** Ends suites that still run: one that took too long may go on, and this process would wait for it. */
function endSuites() {
  if (process.platform === "win32") return;
  const all = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n");
  for (const [pid, parent, ...words] of all.map((line) => line.trim().split(/\s+/))) {
    if (Number(parent) === process.pid && words.some((word) => word.endsWith(".test.mjs"))) process.kill(Number(pid), "SIGKILL");
  }
}

/** Whether a process runs. */
function isAlive(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Runs each suite once. */
async function once() {
  const concurrency = Number(options["at-once"] ?? availableParallelism() + 1);
  const only = options.only && [new RegExp(options.only)];
  const tests = run({ files: files.map((file) => resolve(file)), concurrency, timeout: PATIENCE, testNamePatterns: only, signal: stop.signal });
  const name = (file) => relative(process.cwd(), file ?? "");
  const ended = (/** @type {any} */ { file, nesting, details }) => nesting === 0 && seconds.set(name(file), (seconds.get(name(file)) ?? 0) + details.duration_ms / 1_000);
  tests.on("test:pass", (test) => {
    if (test.details.type === "suite") return;
    if (test.skip === undefined) passed += 1;
    else skipped += 1;
    fine.add(name(test.file));
    ended(test);
  });
  tests.on("test:fail", (test) => {
    faulty.add(name(test.file));
    if (stop.signal.aborted) return;
    const { error } = test.details;
    // What a suite says of its failed tests was said for each.
    if (/** @type {any} */ (error).failureType === "subtestsFailed") return;
    failed += 1;
    ended(test);
    const why = String(error.cause?.stack ?? error.cause ?? error.stack ?? error);
    console.log(`✖ ${name(test.file)}: ${test.name}\n${why.replace(/^/gm, "    ")}\n`);
  });
  for (const kind of ["test:stderr", "test:stdout"]) tests.on(kind, ({ message }) => process.stderr.write(message));
  const end = new Promise((done, reject) => tests.once("end", done).once("error", reject));
  if (options.note) await pipeline(tests.compose(tap), createWriteStream(options.note));
  else tests.resume();
  await end;
}
