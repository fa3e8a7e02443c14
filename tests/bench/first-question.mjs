// How long until the first question is on screen, beside a page that is written by hand for it:
// `node first-question.mjs [ROUNDS]`. Every load has an empty cache; the pages take turns, so that all meet the same machine.
import { render } from "../../pkg/dist/html.node.js";
import { tags } from "../../pkg/dist/preload.js";
import { launch } from "../js/browser.mjs";

const ROUNDS = Number(process.argv[2] ?? 20);
const head = `<!doctype html><html lang="en"><title>one form</title><meta name="viewport" content="width=device-width">`;
const form = `<script type="module" src="/pkg/dist/ask-user.js"></script>
    <script type="module" src="/request.js"></script><main><ask-user></ask-user></main>`;
/** Three questions, of which the first is asked alone: the second depends on its answer. */
const QUESTIONS = [
  { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
  { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
  { id: "note", text: "What should be noted?", answer_type: "text" },
];
const PAGES = {
  "by hand": `${head}<script type="module" src="/by-hand.js"></script><main></main>`,
  "<ask-user>": head + form,
  "<ask-user>, preloaded": head + tags("/pkg/dist") + form,
  "<ask-user>, as HTML": head + form.replace("</ask-user>", `${render({ questions: QUESTIONS })}</ask-user>`),
};
const REQUEST = `document.querySelector("ask-user").request = ${JSON.stringify({ questions: QUESTIONS })};`;
/** The first of the questions, as one would write it for this page alone. */
const BY_HAND = `
const form = document.createElement("form");
const text = form.appendChild(document.createElement("h2"));
text.dataset.question = "apply";
text.textContent = ${JSON.stringify(QUESTIONS[0].text)};
for (const label of ["Yes", "No", "Reply", "End Turn"]) form.appendChild(document.createElement("button")).textContent = label;
document.querySelector("main").append(form);`;

const pages = { "/request.js": REQUEST, "/by-hand.js": BY_HAND };
for (const [index, page] of Object.values(PAGES).entries()) pages[`/page-${index}`] = page;
const browser = await launch({ pages });
const times = Object.keys(PAGES).map(() => []);
// The first round warms the machine, and does not count.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [index, list] of times.entries()) {
    const page = await browser.page(`/page-${index}`, {}, watch);
    const taken = await page.waitForFunction(() => window.shownAt);
    if (round) list.push(await taken.jsonValue());
    await page.context().close();
  }
}
await browser.close();

const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
for (const [index, name] of Object.keys(PAGES).entries()) {
  const list = times[index];
  console.log(`first question, ${name}: ${medians[index].toFixed(0)} ms (median of ${ROUNDS}; ${list[0].toFixed(0)} to ${list.at(-1).toFixed(0)})`);
}
const [byHand, ...elements] = medians;
const ratios = elements.map((median) => (median / byHand).toFixed(2));
console.log(`first question: ${ratios[0]} times the page that is written by hand, ${ratios[1]} times where the page preloads the form, ${ratios[2]} times where it comes as HTML`);

/** Notes, in the page, the first frame in which a question is there: milliseconds since the navigation began. */
function watch() {
  const look = (now) => {
    const roots = [document, ...[...document.querySelectorAll("ask-user")].map((element) => element.shadowRoot)];
    if (roots.some((root) => root?.querySelector("[data-question]"))) window.shownAt = now;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
