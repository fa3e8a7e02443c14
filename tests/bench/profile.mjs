// Where the time of the form goes: the functions that the main thread of a page spends most time in, while it shows a first question, takes in 1,000 questions, answers
// some of them, and shows 10,000 options. By Chromium's sampling profiler, in milliseconds, with the names of the source. Samples make everything slower: read
// the shares. `node profile.mjs [COUNT]`.
import { named, sourceName } from "../../pkg/named.mjs";
import { launch } from "../js/browser.mjs";

const COUNT = Number(process.argv[2] ?? 25);
/** Microseconds between two samples. */
const INTERVAL = 100;
/** How many questions are answered. */
const ANSWERS = 200;
const KINDS = [{ answer_type: "boolean" }, { answer_type: "select", options: ["alpha", "beta", "gamma", "delta"] }, { answer_type: "text" }];
const QUESTIONS = Array.from({ length: 1_000 }, (_, place) => ({ id: `q${place}`, text: `Question ${place}?`, ...KINDS[place % KINDS.length] }));
const OPTIONS = [{ id: "one", text: "Which?", answer_type: "select", options: Array.from({ length: 10_000 }, (_, place) => `Option ${place}`) }];

const head = `<!doctype html><html lang="en"><title>profile</title><script type="module" src="/pkg/dist/ask-user.js"></script>`;
const pages = {
  "/empty": `${head}<main></main>`,
  "/asks": `${head}<script type="module" src="/asks.js"></script><main><ask-user></ask-user></main>`,
  "/asks.js": `document.querySelector("ask-user").request = ${JSON.stringify({ questions: QUESTIONS.slice(0, 3) })};`,
};
const browser = await launch({ pages });
const module = await named();

await scene("the first question of a page, with all that it loads", async (page) => {
  await page.goto(new URL("/asks", page.url()).href);
  await shown(page, "q0");
});
await scene("1,000 questions are handed over, until the first is shown", (page) => asked(page, QUESTIONS, "q0"), prepared);
await scene(`${ANSWERS} of 1,000 questions are answered`, (page) => page.evaluate(answered, [QUESTIONS, ANSWERS]), async (page) => {
  await prepared(page);
  await asked(page, QUESTIONS, "q0");
  await page.waitForTimeout(500);
});
await scene("10,000 options are shown", (page) => asked(page, OPTIONS, "one"), prepared);
await browser.close();

/** Profiles what is done in a page of its own, once it is prepared. */
async function scene(name, act, prepare = async (_page) => {}) {
  const page = await browser.page("/empty");
  await page.route("**/form.first.wasm", (route) => route.fulfill({ path: module, contentType: "application/wasm" }));
  await page.reload();
  await prepare(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Profiler.enable");
  await devtools.send("Profiler.setSamplingInterval", { interval: INTERVAL });
  await devtools.send("Profiler.start");
  await act(page);
  const { profile } = await devtools.send("Profiler.stop");
  await page.context().close();
  const own = new Map();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  profile.samples.forEach((id, place) => {
    const frame = framed(nodes.get(id));
    if (frame) own.set(frame, (own.get(frame) ?? 0) + profile.timeDeltas[place] / 1_000);
  });
  const all = [...own.values()].reduce((sum, time) => sum + time, 0);
  console.log(`\n${name}: ${all.toFixed(0)} ms of work\n`);
  for (const [frame, time] of [...own].sort(([, one], [, other]) => other - one).slice(0, COUNT)) console.log(`${time.toFixed(1).padStart(8)} ${((100 * time) / all).toFixed(1).padStart(5)} %  ${frame.slice(0, 140)}`);

  /** A function and its file; nothing where the thread does nothing. */
  function framed({ functionName, url }) {
    if (functionName === "(idle)") return undefined;
    const file = url.split("/").at(-1);
    return `${sourceName(functionName || "(anonymous)")}${file ? ` (${file})` : ""}`;
  }
}

/** All of the form is there, and has shown a question. */
async function prepared(page) {
  await asked(page, QUESTIONS.slice(0, 1), "q0");
  await page.waitForTimeout(300);
}

async function asked(page, questions, id) {
  await page.evaluate((questions) => {
    const form = document.createElement("ask-user");
    form.request = { questions };
    document.querySelector("main").replaceChildren(form);
  }, questions);
  await shown(page, id);
}

function shown(page, id) {
  return page.locator(`ask-user [data-question=${id}]:not([inert] *)`).waitFor();
}

/** Runs in the page: answers so many questions, each once it is shown. */
async function answered([questions, count]) {
  const root = document.querySelector("ask-user").shadowRoot;
  const step = (id) => root.querySelector(`[data-question=${id}]`);
  for (const [place, { id, answer_type: kind }] of questions.slice(0, count).entries()) {
    const now = step(id);
    if (kind === "boolean") now.querySelector("[data-answer=yes]").click();
    if (kind === "select") now.querySelector("[data-option]").click();
    if (kind === "text") {
      const field = now.querySelector("[data-field]");
      field.value = "some text";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (kind !== "boolean") now.querySelector("[type=submit]").click();
    while (!step(questions[place + 1].id)) await new Promise((resolve) => setTimeout(resolve));
  }
}
