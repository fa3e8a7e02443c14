// How long until a choice of very many options is painted, how much of that the page's main thread works, and how many elements it is made of, beside a page
// that is written by hand with every row in the document: `node options.mjs [ROUNDS]`. The clock runs from the request as an object to the frame after it is
// shown; the two take turns in one page. The work is the CPU time of the main thread's tasks, up to and with that frame, as Chromium's tracing gives it.
// The element makes its events after that frame: the work up to these is printed as well.
import { launch } from "../js/browser.mjs";
import { tracer } from "./trace.mjs";

const ROUNDS = Number(process.argv[2] ?? 10);
const COUNT = 10_000;
const browser = await launch();
const page = await browser.page();
await page.waitForFunction(() => customElements.get("ask-user"));
const traced = await tracer(page);
/** The work from the mark `begun` to another. */
const work = (trace, until) => trace.work(trace.marks("begun")[0], trace.marks(until)[0]);
const taken = {};
// The first round warms the machine, and does not count.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const name of ["by hand", "<ask-user>"]) {
    await page.evaluate(() => document.querySelector("main").replaceChildren());
    await page.waitForTimeout(200);
    const { trace, result } = await traced(() => page.evaluate(measure, [name, COUNT]));
    taken[name] ??= { times: [], works: [], all: [] };
    taken[name].nodes = result.nodes;
    if (round) taken[name].times.push(result.time), taken[name].works.push(work(trace, "framed")), taken[name].all.push(work(trace, "told"));
  }
}
await browser.close();

const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
for (const [name, { times, works, all, nodes }] of Object.entries(taken)) {
  console.log(`${COUNT} options, ${name}: ${middle(times).toFixed(0)} ms (median of ${ROUNDS}; ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}), of which the main thread works ${middle(works).toFixed(0)} ms, and ${middle(all).toFixed(0)} ms with its events; ${nodes} elements`);
}
const [byHand, element] = [taken["by hand"], taken["<ask-user>"]].map(({ times }) => middle(times));
console.log(`${COUNT} options: ${(element / byHand).toFixed(2)} times the page that is written by hand`);

/** Runs in the page: shows the options, by hand or in the element. */
async function measure([name, count]) {
  const options = Array.from({ length: count }, (_, place) => ({ value: `v${place}`, label: `Option number ${place}`, description: place % 3 ? undefined : "Some words about it" }));
  const main = document.querySelector("main");
  // The first frame that has the options. Its task goes on to paint them, and is counted whole.
  const painted = (isThere) =>
    new Promise((resolve) =>
      requestAnimationFrame(function look() {
        if (!isThere()) return requestAnimationFrame(look);
        performance.mark("framed");
        setTimeout(resolve);
      }),
    );
  const made = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const shows = {
    "by hand": async () => {
      const rows = options.map(({ value, label, description }) => made("p", {}, made("label", {}, made("input", { type: "radio", name: "q", value }), label, ...(description ? [made("small", {}, description)] : []))));
      main.append(made("form", {}, made("fieldset", { style: "max-height: 32em; overflow: auto" }, made("legend", {}, "Which?"), ...rows)));
      await painted(() => true);
      return main.querySelectorAll("*").length;
    },
    "<ask-user>": async () => {
      const form = document.createElement("ask-user");
      const told = new Promise((resolve) => form.addEventListener("ask-user-step", resolve, { once: true }));
      form.request = { questions: [{ id: "q", text: "Which?", answer_type: "select", options }] };
      main.append(form);
      await painted(() => form.shadowRoot?.querySelector("[data-question]"));
      const nodes = form.shadowRoot.querySelectorAll("*").length;
      await told;
      return nodes;
    },
  };
  performance.mark("begun");
  const begun = performance.now();
  const nodes = await shows[name]();
  performance.mark("told");
  return { nodes, time: performance.getEntriesByName("framed").at(-1).startTime - begun };
}
