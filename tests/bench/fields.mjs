// The fields of a schema question: how long until the first screen of a large schema is painted once the modules are there, and how much of that the main thread
// works (the CPU time of its tasks: other programs on the machine add nothing to it), beside a schema of one property;
// and what a key costs the main thread while a value of some size is in the form, beside a frame and beside a page of one bare text area.
// Asserts nothing. `node fields.mjs [ROUNDS] [KEYS]`.
import { launch } from "../js/browser.mjs";
import { tracer } from "./trace.mjs";

const [ROUNDS, KEYS] = [Number(process.argv[2] ?? 15), Number(process.argv[3] ?? 60)];
const FRAME = 1_000 / 60;
/** Between two keys, in milliseconds: the form's text area, which is a tenth of a second behind, follows each. */
const APART = 150;
const KINDS = [{ type: "string", minLength: 1, description: "What it is called." }, { type: "integer", minimum: 0, maximum: 65_535, default: 80 }, { type: "boolean" }, { enum: ["off", "low", "high"] }, { type: "string", format: "email" }];
const properties = (count) => Object.fromEntries(Array.from({ length: count }, (_, place) => [`setting_${place}`, KINDS[place % KINDS.length]]));
const object = (inner, isRequired) => ({ type: "object", properties: inner, required: isRequired ? Object.keys(inner) : [] });
const SCHEMAS = {
  "one property": object(properties(1), true),
  "500 properties": object(properties(500), true),
  "500 optional properties": object(properties(500), false),
  "500 properties in 50 objects": object(Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`group_${place}`, object(properties(10), true)])), true),
};
const browser = await launch();
await firstScreens();
await typing();
await browser.close();

async function firstScreens() {
  const taken = Object.fromEntries(Object.keys(SCHEMAS).map((name) => [name, { first: [], again: [], works: { first: [], again: [] } }]));
  // The first round warms the machine, and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, schema] of Object.entries(SCHEMAS)) {
      const page = await browser.page();
      await page.evaluate(prepare);
      const traced = await tracer(page);
      for (const kind of ["first", "again"]) {
        const { trace, result } = await traced(() => page.evaluate(show, schema));
        if (!round) continue;
        taken[name][kind].push(result.time);
        taken[name].works[kind].push(trace.work(trace.marks("begun")[0], trace.marks("shown")[0]));
      }
      await page.context().close();
    }
  }
  for (const kind of ["first", "again"]) {
    const base = sorted(taken["one property"][kind], 0.5);
    for (const name of Object.keys(SCHEMAS)) {
      const list = taken[name][kind];
      console.log(`${name}, ${kind === "first" ? "the first form of a page" : "the next form of that page"}: first screen after ${sorted(list, 0.5).toFixed(0)} ms (median of ${ROUNDS}; ${sorted(list, 0).toFixed(0)} to ${sorted(list, 1).toFixed(0)}), of which the main thread works ${sorted(taken[name].works[kind], 0.5).toFixed(0)} ms; ${(sorted(list, 0.5) / base).toFixed(1)} times that of one property`);
    }
  }
}

async function typing() {
  for (const size of [10_000, 1_000_000, 2_000_000]) {
    const page = await browser.page("/blank", { viewport: { width: 900, height: 700 } });
    await page.evaluate(prepare);
    const { schema, text } = large(size);
    await page.evaluate(show, schema);
    await page.evaluate((text) => {
      const area = window.form().shadowRoot.querySelector("textarea.json");
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }, text);
    // What a first check compiles is none of a key's.
    await page.waitForTimeout(3_000);
    const ours = await pressed(page, page.locator("ask-user").locator(".properties textarea").first());
    await page.evaluate(() => document.querySelector("main").replaceChildren(Object.assign(document.createElement("textarea"), { id: "bare" })));
    const bare = await pressed(page, page.locator("#bare"));
    console.log(`a key typed into one field of a value of ${(text.length / 1_000).toFixed(0)} kB: until its handlers are done ${spread(ours.handled)}; the longest task ${spread(ours.longest)}; all tasks until the next key ${spread(ours.work)}, ${(sorted(ours.work, 0.5) / sorted(bare.work, 0.5)).toFixed(1)} times those of a bare text area (${spread(bare.work)}); the longest task after a pause ${ours.pause.toFixed(1)} ms`);
    await page.context().close();
  }
  console.log(`a frame has ${FRAME.toFixed(1)} ms; each of these is the median and the 95th percentile of ${KEYS} keys`);
}

/** Types into a field, and pauses. */
async function pressed(page, field) {
  const traced = await tracer(page);
  await field.focus();
  await field.evaluate((field) => {
    window.handled = [];
    field.addEventListener("keydown", () => {
      performance.mark("key");
      const begun = performance.now();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.handled.push(performance.now() - begun);
      channel.port2.postMessage(undefined);
    }, { capture: true });
  });
  const { trace } = await traced(async () => {
    for (let key = 0; key < KEYS; key += 1) {
      await page.keyboard.press(key % 2 ? "Backspace" : "x");
      await page.waitForTimeout(APART);
    }
    await page.evaluate(() => performance.mark("key"));
    await page.waitForTimeout(3_500);
    await page.evaluate(() => performance.mark("end"));
  });
  const marks = trace.marks("key");
  const [end] = trace.marks("end");
  return {
    handled: await page.evaluate(() => window.handled),
    work: marks.slice(1).map((mark, place) => trace.work(marks[place], mark)),
    longest: marks.slice(1).map((mark, place) => Math.max(0, ...trace.tasks(marks[place], mark))),
    pause: Math.max(0, ...trace.tasks(marks.at(-1), end)),
  };
}

/** A list of records beside two fields, as JSON text of about so many characters. */
function large(size) {
  const record = object({ id: { type: "integer" }, name: { type: "string", minLength: 1 }, port: { type: "integer", maximum: 65_535 }, tags: { type: "array", items: { type: "string" } } }, true);
  const records = [];
  for (let length = 60; length < size; records.push(JSON.stringify({ id: records.length, name: `service ${records.length}`, port: 8_080, tags: ["a", "b"] }))) length += records.at(-1)?.length + 6 || 0;
  return {
    schema: object({ title: { type: "string" }, records: { type: "array", items: record } }, true),
    text: `{\n  "title": "all",\n  "records": [\n    ${records.join(",\n    ")}\n  ]\n}`,
  };
}

/** Runs in the page: everything that a form may need is there. */
async function prepare() {
  await customElements.whenDefined("ask-user");
  const { preload } = await import("/pkg/dist/ask-user.js");
  await preload();
  // The parts of the form itself come with a first form.
  await window.ask({ request: { question: "Which?", answer_type: "boolean" } });
  document.querySelector("main").replaceChildren();
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** Runs in the page: asks for JSON, and gives the milliseconds until the frame that has the fields is painted. */
async function show(schema) {
  const form = document.createElement("ask-user");
  performance.mark("begun");
  const begun = performance.now();
  form.request = { questions: [{ id: "q", text: "Which?", answer_type: "schema", schema }] };
  document.querySelector("main").replaceChildren(form);
  const time = await new Promise((resolve) =>
    requestAnimationFrame(function look() {
      const shown = [...(form.shadowRoot?.querySelectorAll(".properties :is(.property, .fold, .add)") ?? [])];
      if (!shown.some((part) => part.checkVisibility())) return requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        performance.mark("shown");
        resolve(performance.now() - begun);
      };
      port2.postMessage(undefined);
    }),
  );
  return { time };
}

function sorted(list, share) {
  const ordered = list.toSorted((a, b) => a - b);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))];
}

function spread(list) {
  return `${sorted(list, 0.5).toFixed(1)} and ${sorted(list, 0.95).toFixed(1)} ms`;
}
