// ask-user beside other form renderers and a page that is written by hand, in one run: downloads, the first question, steps, large forms, memory;
// and its validator beside two others. The renderers take turns in each round, so that all meet the same machine. Fails where an answer is wrong.
// `node peers.mjs [--quick] [--markdown FILE]`, after `npm ci` in peers/.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { launch } from "../js/browser.mjs";
import { memoryOf } from "./peers/memory.mjs";
import { choice, many, THREE } from "./peers/questions.mjs";
import { ofRenderers, ofValidators } from "./peers/report.mjs";
import { bundled, files, fromPackage, harness, packed } from "./peers/served.mjs";
import { validators } from "./schema.mjs";

const isQuick = process.argv.includes("--quick");
const file = process.argv.includes("--markdown") ? process.argv[process.argv.indexOf("--markdown") + 1] : undefined;
/** How often each is measured. */
const ROUNDS = isQuick
  ? { first: 2, slow: 1, steps: 2, many: 1, choice: 1, memory: 1, validators: 2 }
  : { first: 16, slow: 3, steps: 10, many: 2, choice: 5, memory: 3, validators: 15 };
const [COUNT, OPTIONS] = [1_000, 10_000];
/** How long a renderer may take to have all questions answered, in milliseconds. */
const BUDGET = isQuick ? 3_000 : 20_000;
/** 1.6 Mbit/s down and 0.75 up, in bytes per second. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const RENDERERS = [
  { name: "by-hand", title: "handwritten page" },
  { name: "adaptive-cards", title: "Adaptive Cards", version: "adaptivecards" },
  { name: "json-forms", title: "JSON Forms", version: "@jsonforms/core" },
  { name: "rjsf", title: "rjsf", version: "@rjsf/core" },
  { name: "survey-js", title: "SurveyJS", version: "survey-core" },
  { name: "ask-user", title: "ask-user" },
  // The same, on a page with the links of `ask-user/preload`; and on one that comes with its first question.
  { name: "ask-user-preloaded", folder: "ask-user", title: "ask-user, preloaded", only: ["first", "slow"] },
  { name: "ask-user-html", folder: "ask-user", title: "ask-user, as HTML", only: ["first", "slow", "memory"] },
];
const version = (folder, name) => JSON.parse(readFileSync(new URL(`${folder}/node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

for (const renderer of RENDERERS) {
  const { default: driver } = await import(`./peers/${renderer.folder ?? renderer.name}/driver.js`);
  Object.assign(renderer, { driver, isWhole: driver.isWhole, harness: await harness(renderer.folder ?? renderer.name) });
  for (const figure of ["visible", "ready", "slowlyVisible", "slowlyReady", "steps", "many", "all", "choice", "memory"]) renderer[figure] = [];
  if (renderer.version) renderer.title += ` ${version("peers", renderer.version)}`;
}
const { answer, sizes } = await files(RENDERERS.map(({ name, folder = name }) => ({ name, folder })));
const open = async () => Object.assign(await launch({ pages: { "/empty": "<!doctype html><title>empty</title>" } }), { meddle: answer });
let browser = await open();

/** Opens a renderer's page with a form, and gives it to `act` together with what is known of its first question. */
async function visit(renderer, form, act, network) {
  const bench = { ...form, form: renderer.driver.form(form.questions) };
  const content = `window.bench = ${JSON.stringify(bench)}; ${renderer.harness}`;
  const address = `/${renderer.name}/`;
  const page = await browser.page(network ? "/empty" : address, {}, { content });
  try {
    if (network) {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Network.enable");
      await devtools.send("Network.emulateNetworkConditions", network);
      await page.goto(browser.url + address);
    }
    await act(page, await page.evaluate(() => window.bench.first));
  } catch (error) {
    throw new Error(`${renderer.title}: ${error.message}`, { cause: error });
  } finally {
    await page.context().close();
  }
}

/** Measures each renderer in turn, in an order that moves on from round to round. */
async function rounds(what, act) {
  console.log(`· ${what}`);
  const taking = RENDERERS.filter(({ only }) => only?.includes(what) ?? true);
  for (let round = 0; round < ROUNDS[what]; round += 1) {
    for (let place = 0; place < taking.length; place += 1) await act(taking[(round + place) % taking.length]);
  }
}

/** Answers all three questions: gives how long the steps took. */
async function answered(page, pause = 0) {
  const { taken, answers } = await page.evaluate((pause) => window.bench.steps(pause), pause);
  assert.deepEqual(answers, THREE.answers);
  return taken;
}

// The first visits warm the machine, and do not count.
for (const renderer of RENDERERS) await visit(renderer, THREE, answered);
await rounds("first", (renderer) =>
  visit(renderer, THREE, async (page, { visibleAt, readyAt }) => {
    await answered(page);
    renderer.visible.push(visibleAt);
    renderer.ready.push(readyAt);
  }));
await rounds("slow", (renderer) =>
  visit(renderer, THREE, async (page, { visibleAt, readyAt }) => {
    await answered(page);
    renderer.slowlyVisible.push(visibleAt);
    renderer.slowlyReady.push(readyAt);
    const fetched = await page.evaluate(() => window.bench.fetched());
    const until = (time) => sizes(fetched.filter(({ at }) => at <= time).map(({ path }) => path));
    Object.assign(renderer, { untilVisible: until(visibleAt), untilReady: until(readyAt) });
  }, SLOW));
await rounds("steps", (renderer) => visit(renderer, THREE, async (page) => renderer.steps.push(...(await answered(page, 40)))));
const large = { ...many(COUNT), isLoaded: true };
await rounds("many", (renderer) =>
  visit(renderer, large, async (page, { sinceHandedOver }) => {
    const { taken, count, answers } = await page.evaluate((budget) => window.bench.all(budget), BUDGET);
    if (count === COUNT) assert.deepEqual(answers, large.answers);
    renderer.many.push(sinceHandedOver);
    renderer.all.push({ isWhole: count === COUNT, seconds: ((taken / count) * COUNT) / 1_000 });
  }));
const long = { ...choice(OPTIONS), isLoaded: true };
await rounds("choice", (renderer) =>
  visit(renderer, long, async (page, { sinceHandedOver }) => {
    const { answers } = await page.evaluate((budget) => window.bench.all(budget), BUDGET);
    assert.deepEqual(answers, long.answers);
    renderer.choice.push(sinceHandedOver);
  }));
await browser.close();
await rounds("memory", async (renderer) => {
  browser = await open();
  await visit(renderer, THREE, async (page) => {
    await page.waitForTimeout(500);
    renderer.memory.push(await memoryOf(page, () => page.evaluate(() => window.bench.work())));
  });
  await browser.close();
});

console.log("· validators");
const taken = await validators("configuration", ROUNDS.validators);
const packages = {
  Ajv: { title: "Ajv", from: "ajv", parts: [await bundled('export { default } from "ajv/dist/2020.js"; export { default as addFormats } from "ajv-formats"')] },
  interpreter: { title: "@cfworker/json-schema", from: "@cfworker/json-schema", parts: [await bundled('export { Validator } from "@cfworker/json-schema"')] },
  "ask-user": { title: "ask-user", parts: ["validator.js", "validator.first.wasm"].map(fromPackage), later: [fromPackage("validator.rest.wasm")] },
};
const brotli = (parts) => parts.reduce((sum, part) => sum + packed(part).brotli, 0);
const checks = Object.entries(packages).map(([name, { title, from, parts, later = [] }]) => ({
  title: from ? `${title} ${version("../../pkg", from)}` : title,
  brotli: brotli(parts),
  later: brotli(later),
  ...taken[name],
}));
const tables = [ofRenderers(RENDERERS, COUNT, OPTIONS), ofValidators(checks)].join("\n");
console.log(tables);
if (file) writeFileSync(file, tables);
