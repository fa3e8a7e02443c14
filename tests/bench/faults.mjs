// Endings through a network and a host that fail, at random by a seed: what clients were shown beside what the agent got. Fails where an answer was lost, came twice,
// or was shown as sent and is not there. `AGENT_HOST=PROGRAM [SEED=N] node faults.mjs [ENDINGS [KILLS [TABS]]] [--lying]`: TABS of the endings are made in tabs of
// Chromium. `--lying` adds a proxy that says 2xx and sends nothing, and fails where the check does not find that.
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { AgentHost } from "../js/agent-host.mjs";
import { start as startPages } from "../../playground/server.mjs";
import { judge, readTruth, tampered } from "./faults/check.mjs";
import { FAULTS, startProxy } from "./faults/proxy.mjs";
import { random as source } from "./faults/random.mjs";
import { PAGES, visitTabs } from "./faults/tabs.mjs";

const lying = process.argv.includes("--lying");
const numbers = process.argv.slice(2).filter((word) => /^\d+$/.test(word)).map(Number);
const [count = 10_000, kills = 200, tabs = Math.ceil(count / 25)] = numbers;
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
/** How many conversations go on at once: without a page, and in tabs. */
const AT_ONCE = 24;
const VISITORS = 4;
/** How far clients without a page may be ahead of the tabs, as a share of the whole. */
const AHEAD = 0.03;
/** How long the host is down after it was killed, in milliseconds, at most. */
const DOWN = 300;
/** How many of the answers that are wrong are printed, of each kind; and how often the progress is, in milliseconds. */
const SHOWN = 20;
const PROGRESS = 60_000;

console.log(`SEED=${seed}: ${count} endings, ${tabs} of them in tabs; ${kills} kills${lying ? "; with lies" : ""}`);
const began = performance.now();
const random = source(seed, "host");
const host = await AgentHost.start({ pace: 2 });
const pages = await startPages({ pages: PAGES });
let forwarded = () => {};
const proxy = await startProxy({ host: host.url, pages: pages.url, random: source(seed, "proxy"), lies: lying, forwarded: () => forwarded() });

/** What was done so far. */
const made = { plain: 0, killed: 0 };
const visited = { endings: 0, closed: 0, reloaded: 0, doubled: 0, asked: 0 };
const seconds = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
const say = () => console.error(`${seconds()}: ${made.plain + visited.endings} endings, ${visited.endings} in tabs, ${made.killed} kills`);
const progress = setInterval(say, PROGRESS);
try {
  const inTabs = visitTabs({ proxy, host, seed, count: tabs, visitors: VISITORS, visited });
  const endings = (await Promise.all([clients(), inTabs, killer()])).slice(0, 2).flat();
  proxy.calm();
  await proxy.idle();
  // What the host holds is what it holds after a clean end, a start and another end.
  await host.stop();
  await host.start();
  await host.stop();
  const truth = readTruth(host.data);
  process.exitCode = report(endings, truth) ? 0 : 1;
} finally {
  clearInterval(progress);
  await proxy.close();
  await pages.close();
  await host.close();
}
// Connections that were cut on one side would keep the process.
process.exit();

/** Clients without a page, not far ahead of the tabs; gives what they were shown. */
async function clients() {
  const plain = count - tabs;
  const workerData = { url: proxy.url, host: host.url, seed, count: plain, atOnce: AT_ONCE };
  const worker = new Worker(new URL("faults/clients.mjs", import.meta.url), { workerData });
  const allow = () => worker.postMessage({ allowed: tabs ? Math.ceil(plain * Math.min(1, visited.endings / tabs + AHEAD)) : plain });
  const timer = setInterval(allow, 50);
  const shown = [];
  try {
    return await new Promise((resolve, reject) => {
      worker.on("error", reject).on("message", ({ ending }) => {
        if (!ending) return resolve(shown);
        made.plain = shown.push(ending);
      });
    });
  } finally {
    clearInterval(timer);
    await worker.terminate();
  }
}

/** Kills the host at random places of the run, half of the times while an ending is on its way to it, and starts it again. */
async function killer() {
  for (; made.killed < kills; made.killed += 1) {
    const place = ((made.killed + random.between(0, 1)) / kills) * count * 0.98;
    while (made.plain + visited.endings < place) await pause(10);
    if (random.chance(0.5)) await Promise.race([new Promise((/** @type {any} */ resolve) => (forwarded = resolve)), pause(1_000)]);
    await pause(random.between(0, 8));
    await host.kill();
    await pause(random.between(0, DOWN));
    await host.restart();
  }
}

/** Prints what came of it; whether it is as it must be. */
function report(endings, truth) {
  const found = judge(endings, truth);
  const faults = Object.entries(proxy.counts).filter(([kind]) => kind !== "lie" || lying);
  const kinds = [...counted(endings)].map(([kind, times]) => `${kind} ${times}`);
  const rows = [
    ["endings", `${endings.length}, ${endings.length - visited.endings} without a page and ${visited.endings} in tabs`],
    ["of these", kinds.join(", ")],
    ["host killed with SIGKILL", made.killed],
    ...faults.map(([kind, times]) => [FAULTS[kind], times]),
    ["tabs closed, reloaded, doubled", `${visited.closed}, ${visited.reloaded}, ${visited.doubled}`],
    ["times that the browser asked before it let the person leave", visited.asked],
    ["shown as sent", found.sent.length],
    ["shown as failed, or as closed by another answer, and not there", found.failed.length],
    ["shown as failed or closed, and there: an earlier try had arrived", found.failedButThere.length],
    ["left before it was shown as sent, and there", found.leftAndThere.length],
    ["left before it was shown as sent, and another answer counts", found.overtaken.length],
    ["left before it was shown as sent, and asked again on return", found.askedAgain.length],
    ["**lost**", found.lost.length],
    ["**doubled**", found.doubled.length],
    ["**shown as sent but not there**", found.notThere.length],
  ];
  console.log(`\n| | |\n| --- | --- |\n${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`);
  console.log(`in ${seconds()}`);
  const panicked = /panicked/.test(host.log);
  if (panicked) console.log(`the host has panicked:\n${host.log}`);
  if (lying) return checks(found, endings, truth) && !panicked;
  for (const kind of ["lost", "doubled", "notThere"]) for (const says of found[kind].slice(0, SHOWN)) console.log(`${kind}: ${says}`);
  return !panicked && found.lost.length + found.doubled.length + found.notThere.length === 0;
}

/** Whether the check has found the proxy's lies, and finds in a truth that was tampered with what a host could have done wrong. */
function checks(found, endings, truth) {
  const isMissed = ([kind, other]) => judge(endings, other)[kind].length <= found[kind].length;
  const misses = Object.entries(tampered(truth, endings)).filter(isMissed).map(([kind]) => kind);
  if (proxy.counts.lie > 0 && found.notThere.length === 0) misses.push("lies of the proxy");
  if (misses.length) console.log(`the check does not find: ${misses.join(", ")}`);
  else console.log(`the check finds ${found.notThere.length} answers not there, for ${proxy.counts.lie} lies; and results taken away, doubled and changed`);
  return misses.length === 0 && found.notThere.length > 0;
}

function counted(endings) {
  const kinds = new Map();
  for (const { kind } of endings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return kinds;
}
