// The memory of the process that a page is in, which includes WebAssembly's memory and compiled code: what it shares with no other process.
import { readFileSync } from "node:fs";

/** The private memory of a process, in megabytes. */
function ofProcess(id) {
  const lines = readFileSync(`/proc/${id}/smaps_rollup`, "utf8").matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1_000;
}

/** That of a page. The page's process is the one that works while the page does. */
export async function memoryOf(page, work) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const browser = await page.context().browser().newBrowserCDPSession();
  const processes = async () => (await browser.send("SystemInfo.getProcessInfo")).processInfo.filter(({ type }) => type === "renderer");
  const before = new Map((await processes()).map(({ id, cpuTime }) => [id, { cpuTime, memory: ofProcess(id) }]));
  await work();
  const worked = ({ id, cpuTime }) => cpuTime - (before.get(id)?.cpuTime ?? cpuTime);
  const [{ id }] = (await processes()).sort((a, b) => worked(b) - worked(a));
  return before.get(id).memory;
}
