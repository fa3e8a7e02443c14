// What a request costs in the form while it is being written: `node stream.mjs ROUNDS`. For each length the fastest of some rounds: written in pieces of 4 characters, as a model's
// tokens come, without and with the end; and set at once.
import { launch } from "../js/browser.mjs";

const rounds = Number(process.argv[2] ?? 5);
const SIZES = rounds > 1 ? [250_000, 500_000, 1_000_000] : [16_000];

const browser = await launch();
const page = await browser.page();
await page.evaluate(() => customElements.whenDefined("ask-user"));

/** Puts a form on the page, and gives how long its request takes, in milliseconds: until all pieces are taken, and until it is ready. */
const measure = (length, isWritten) =>
  page.evaluate(
    async ([length, isWritten]) => {
      const question = (place) => `{"id":"q${place}","text":"Where should the new version be deployed to? ${"x".repeat(400)}","answer_type":"text"}`;
      let list = question(0);
      for (let place = 1; list.length < length; place += 1) list += `,${question(place)}`;
      const text = `{"questions":[${list}]}`;
      const element = document.createElement("ask-user");
      element.host = { layout: "steps", limits: { bytes: 4_000_000, questions: 10_000, work: 4_000_000_000 } };
      document.querySelector("main").replaceChildren(element);
      const ready = new Promise((resolve) => element.addEventListener("ask-user-ready", resolve));
      const rejected = new Promise((_, reject) => element.addEventListener("ask-user-rejected", ({ detail }) => reject(new Error(detail.problems[0].message))));
      await new Promise((resolve) => setTimeout(resolve, 100));
      let taken;
      async function* pieces() {
        for (let at = 0; at < text.length; at += 4) yield text.slice(at, at + 4);
        taken = performance.now();
      }
      const begun = performance.now();
      element.request = isWritten ? pieces() : text;
      await Promise.race([ready, rejected]);
      const done = performance.now();
      return [(taken ?? done) - begun, done - begun];
    },
    [length, isWritten],
  );
const fastest = async (length, isWritten) => {
  const all = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measure(length, isWritten));
  return [0, 1].map((which) => Math.min(...all.map((one) => one[which])));
};

await measure(SIZES[0], true);
console.log("| in Chromium, in pieces of 4 characters | written | for each piece | with the end | set at once |\n| --- | --- | --- | --- | --- |");
for (const length of SIZES) {
  const [[written, whole], [, atOnce]] = [await fastest(length, true), await fastest(length, false)];
  console.log(`| ${length / 1_000} kB | ${written.toFixed(0)} ms | ${((written * 1_000) / (length / 4)).toFixed(1)} µs | ${whole.toFixed(0)} ms | ${atOnce.toFixed(0)} ms |`);
}
await browser.close();
if (page.faults.length) throw new Error(page.faults.join("; "));
