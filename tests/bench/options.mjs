// How long until a choice of very many options is painted, and how many elements it is made of, beside a page that is written by hand with every row in the
// document: `node options.mjs [ROUNDS]`. The clock runs from the request as an object to the frame after it is shown; the two take turns in one page.
import { launch } from "../js/browser.mjs";

const ROUNDS = Number(process.argv[2] ?? 10);
const COUNT = 10_000;
const browser = await launch();
const page = await browser.page();
await page.waitForFunction(() => customElements.get("ask-user"));
const taken = await page.evaluate(measure, [ROUNDS, COUNT]);
await browser.close();

const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
for (const [name, { times, nodes }] of Object.entries(taken)) {
  console.log(`${COUNT} options, ${name}: ${middle(times).toFixed(0)} ms (median of ${ROUNDS}; ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}), ${nodes} elements`);
}
const [byHand, element] = [taken["by hand"], taken["<ask-user>"]].map(({ times }) => middle(times));
console.log(`${COUNT} options: ${(element / byHand).toFixed(2)} times the page that is written by hand`);

/** Runs in the page: shows the options by turns, by hand and in the element. */
async function measure([rounds, count]) {
  const options = Array.from({ length: count }, (_, place) => ({ value: `v${place}`, label: `Option number ${place}`, description: place % 3 ? undefined : "Some words about it" }));
  const main = document.querySelector("main");
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const made = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const byHand = async () => {
    const rows = options.map(({ value, label, description }) => made("p", {}, made("label", {}, made("input", { type: "radio", name: "q", value }), label, ...(description ? [made("small", {}, description)] : []))));
    main.append(made("form", {}, made("fieldset", { style: "max-height: 32em; overflow: auto" }, made("legend", {}, "Which?"), ...rows)));
    await painted();
    return main.querySelectorAll("*").length;
  };
  const element = async () => {
    const form = document.createElement("ask-user");
    form.request = { questions: [{ id: "q", text: "Which?", answer_type: "select", options }] };
    main.append(form);
    while (!form.shadowRoot?.querySelector("[data-question]")) await new Promise((resolve) => setTimeout(resolve));
    await painted();
    return form.shadowRoot.querySelectorAll("*").length;
  };
  const taken = { "by hand": { times: [] }, "<ask-user>": { times: [] } };
  // The first round warms the machine, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, show] of [["by hand", byHand], ["<ask-user>", element]]) {
      main.replaceChildren();
      await new Promise((resolve) => setTimeout(resolve, 200));
      const begun = performance.now();
      taken[name].nodes = await show();
      if (round) taken[name].times.push(performance.now() - begun);
    }
  }
  return taken;
}
