// A removed form leaves nothing behind: mounting and removing a thousand times leaves the heap and the listeners where they were.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { CASES } from "./prompts.mjs";
import { painted, passed } from "./wait.mjs";

const TIMES = 1_000;
/** Bytes that an element may leave, in the noise: a listener, a node or a signal that stayed would be more. */
const NOISE = 100;

/** Keeps hold of the wasm modules' memories. */
const MEMORIES = `
  window.memories = [];
  const real = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await real(...given);
    if (made.instance.exports.memory) window.memories.push(made.instance.exports.memory);
    return made;
  };`;

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const name of ["boolean", "select", "schema"]) {
  test(`${name}: a thousand elements come and go, and nothing stays`, async (context) => {
    const page = await browser.page("/blank", {}, MEMORIES);
    const tools = await page.context().newCDPSession(page);
    const round = (times) =>
      page.evaluate(
        async ([request, times]) => {
          for (let time = 0; time < times; time += 1) {
            const element = document.createElement("ask-user");
            const shown = new Promise((resolve) => element.addEventListener("ask-user-step", resolve, { once: true }));
            element.request = request;
            document.querySelector("main").replaceChildren(element);
            await shown;
            element.remove();
            await window.passed();
            window.seen.length = 0;
          }
        },
        [CASES[name].request, times],
      );
    const measured = async () => {
      // What waits for a frame holds the last forms.
      await passed(page, 600);
      await painted(page);
      await tools.send("HeapProfiler.collectGarbage");
      const { metrics } = await tools.send("Performance.getMetrics");
      const of = (wanted) => metrics.find(({ name }) => name === wanted).value;
      const wasm = await page.evaluate(() => window.memories.map(({ buffer }) => buffer.byteLength));
      return { wasm, heap: of("JSHeapUsedSize"), listeners: of("JSEventListeners"), nodes: of("Nodes") };
    };
    await tools.send("Performance.enable");
    // What is made once is there after the first rounds: code, caches, the wasm's memory.
    await round(300);
    const before = await measured();
    await round(TIMES);
    const after = await measured();
    assert.ok(after.listeners <= before.listeners + 5, `listeners: ${before.listeners}, then ${after.listeners}`);
    assert.ok(after.nodes <= before.nodes + 20, `nodes: ${before.nodes}, then ${after.nodes}`);
    assert.ok(before.wasm.length > 0);
    assert.deepEqual(after.wasm, before.wasm, "the memories of the wasm modules");
    const left = (after.heap - before.heap) / TIMES;
    assert.ok(left <= NOISE, `${left} bytes an element`);
    context.diagnostic(`${left.toFixed(1)} bytes an element; listeners ${before.listeners} and ${after.listeners}, nodes ${before.nodes} and ${after.nodes}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}
