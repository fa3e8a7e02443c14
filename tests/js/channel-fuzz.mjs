// Fuzzes both ends of the channel, guided by what V8 says was run: `cargo xtask fuzz channel`. Takes folders and options as libFuzzer does, and says
// the same of its progress: node channel-fuzz.mjs CORPUS SEEDS -artifact_prefix=FOLDER/ [-runs=N | -max_total_time=SECONDS], or one FILE to play again.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { play } from "./channel-play.mjs";
import { generator } from "./hostile-dice.mjs";

/** What is searched through. */
const SOURCES = /\/pkg\/src\/(channel|rpc|core)/;
/** Bytes of a play, at most; seconds that one may take; bytes of memory. */
const LONGEST = 1_024;
const TIMEOUT = 10;
const MEMORY = 2 * 1024 ** 3;
/** Seeds that are made where there are none, and tries to make a find shorter. */
const SEEDS = 64;
const SHORTER = 2_000;

const given = process.argv.slice(2);
const option = (/** @type {string} */ name) => given.find((word) => word.startsWith(`-${name}=`))?.slice(name.length + 2);
const paths = given.filter((word) => !word.startsWith("-"));
const artifacts = option("artifact_prefix") ?? "";
const state = generator(Number(option("seed") ?? Date.now() % 2 ** 32));
const random = () => state() >>> 8;
const begun = Date.now();
const stopped = new AbortController();

/** Plays variations of what reached something new, until the time is over. */
async function search(/** @type {string} */ folder, /** @type {any} */ seeds) {
  if (readdirSync(seeds).length === 0) for (let place = 0; place < SEEDS; place += 1) writeFileSync(join(seeds, `seed-${place}`), bytesOf(random() % 256));
  process.once("SIGINT", () => (console.error("libFuzzer: run interrupted; exiting"), stopped.abort()));
  watch();
  const [corpus, reached] = [/** @type {Buffer[]} */ ([]), new Reached()];
  let [count, features] = [0, 0];
  const attempt = async (/** @type {Buffer} */ bytes, /** @type {any} */ keep) => {
    try {
      await watched(bytes);
    } catch (error) {
      await found(bytes, error, count);
    }
    count += 1;
    const fresh = reached.take();
    features += fresh;
    if (fresh === 0) return;
    corpus.push(bytes);
    if (keep) writeFileSync(join(folder, digest(bytes)), bytes);
  };
  for (const from of [folder, seeds]) {
    const names = readdirSync(from);
    console.error(`INFO: ${names.length} files found in ${from}`);
    for (const name of names) await attempt(readFileSync(join(from, name)), false);
  }
  const [runs, seconds] = [Number(option("runs") ?? Infinity), Number(option("max_total_time") ?? Infinity)];
  // On a slow machine, what was learned before would take all of the time.
  const searching = Date.now();
  while (count < runs && Date.now() - searching < seconds * 1_000 && !stopped.signal.aborted) {
    if (process.memoryUsage.rss() > MEMORY) await found(/** @type {Buffer} */ (corpus.at(-1)), new Error("more than 2 GiB of memory"), count);
    await attempt(varied(corpus), true);
  }
  console.error(`#${count} DONE cov: ${reached.ranges.size} ft: ${features} corp: ${corpus.length}/`);
  console.error(`Done ${count} runs in ${Math.round((Date.now() - begun) / 1_000)} second(s)`);
  figures(count);
  process.exit(0);
}

/** The parts of the sources that have run, and how often: once, twice, four times and so on each count as something new. */
class Reached {
  ranges = new Set();
  #features = new Set();
  #session = new Session();

  constructor() {
    this.#session.connect();
    this.#ask("Profiler.enable");
    this.#ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** How much of what ran since the last call is new. */
  take() {
    const before = this.#features.size;
    for (const { url, functions } of /** @type {any} */ (this.#ask("Profiler.takePreciseCoverage")).result) {
      if (!SOURCES.test(url)) continue;
      for (const { startOffset, endOffset, count } of functions.flatMap((/** @type {{ ranges: any }} */ { ranges }) => ranges)) {
        if (count === 0) continue;
        const range = `${url}:${startOffset}-${endOffset}`;
        this.ranges.add(range);
        this.#features.add(`${range}:${Math.floor(Math.log2(count))}`);
      }
    }
    return this.#features.size - before;
  }

  #ask(/** @type {string} */ method, /** @type {any} */ given = undefined) {
    let answer;
    this.#session.post(method, given, (error, said) => (answer = error ? Promise.reject(new Error(error.message)) : said));
    return answer;
  }
}

/** A play that reached something, with changes. */
function varied(/** @type {Buffer[]} */ corpus) {
  let bytes = corpus.length > 0 ? corpus[random() % corpus.length] : bytesOf(64);
  for (let changes = 1 + (random() % 4); changes > 0; changes -= 1) {
    const [at, length] = [random() % (bytes.length + 1), 1 + (random() % 16)];
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const other = corpus[random() % corpus.length] ?? bytes;
    bytes = [
      () => Buffer.concat([before, bytesOf(1), after.subarray(1)]),
      () => Buffer.concat([before, bytesOf(length), after]),
      () => Buffer.concat([before, after.subarray(length)]),
      () => Buffer.concat([before, after.subarray(0, length), after]),
      () => Buffer.concat([before, other.subarray(random() % (other.length + 1))]),
    ][random() % 5]();
  }
  return bytes.subarray(0, LONGEST);
}

/** Keeps what broke a promise, as short as it can be made, and ends. */
async function found(/** @type {Buffer} */ bytes, /** @type {any} */ error, /** @type {number} */ count) {
  console.error(error.stack ?? error);
  let shortest = Buffer.from(bytes);
  for (let tries = 0, length = shortest.length; tries < SHORTER && length > 0; tries += 1) {
    const at = random() % shortest.length;
    const less = Buffer.concat([shortest.subarray(0, at), shortest.subarray(at + length)]);
    const same = less.length < shortest.length && (await watched(less).then(() => false, (other) => other.message === error.message));
    if (same) shortest = less;
    else length = Math.max(1, Math.min(length, shortest.length) >> (tries % 4 === 3 ? 1 : 0));
  }
  writeFileSync(`${artifacts}crash-${digest(shortest)}`, shortest);
  figures(count);
  process.exit(77);
}

/** What the thread sees: the bytes, and how often and how many. */
const shared = { kept: new Uint8Array(new SharedArrayBuffer(0)), state: new Int32Array(new SharedArrayBuffer(0)) };

/** Plays, and lets a thread of its own know what, which keeps the bytes and ends everything if that takes too long. */
function watched(/** @type {Buffer} */ bytes) {
  shared.kept.set(bytes);
  shared.state[1] = bytes.length;
  Atomics.add(shared.state, 0, 1);
  return play(bytes);
}

function watch() {
  const memory = new SharedArrayBuffer(LONGEST + 8);
  shared.state = new Int32Array(memory, 0, 2);
  shared.kept = new Uint8Array(memory, 8);
  const code = `
    const { workerData: [shared, prefix, timeout] } = require("node:worker_threads");
    const state = new Int32Array(shared, 0, 2);
    let last = -1;
    setInterval(() => {
      if (state[0] !== last) return (last = state[0]);
      require("node:fs").writeFileSync(prefix + "timeout-" + last, new Uint8Array(shared, 8, state[1]));
      process.kill(process.pid, "SIGKILL");
    }, timeout * 1000);`;
  new Worker(code, { eval: true, workerData: [memory, artifacts, TIMEOUT] }).unref();
}

function figures(/** @type {number} */ count) {
  console.error(`stat::number_of_executed_units: ${count}`);
  console.error(`stat::peak_rss_mb: ${Math.round(process.resourceUsage().maxRSS / 1_024)}`);
}

function bytesOf(/** @type {number} */ length) {
  return Buffer.from(Array.from({ length }, () => random() & 255));
}

const digest = (/** @type {Buffer} */ bytes) => createHash("sha1").update(bytes).digest("hex");

// The class above is there from here on.
if (statSync(paths[0]).isFile()) await play(readFileSync(paths[0]));
else await search(.../** @type {[string, string]} */ (paths));
