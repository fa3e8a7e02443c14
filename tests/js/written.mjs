// A request that is written piece by piece to the element of a page, and what comes of it: for the tests of `element.write`.
import { keepsStill } from "./wait.mjs";

export const QUESTIONS = [
  { id: "name", text: "Name – “it”? 😀", answer_type: "text" },
  { id: "go", text: "Go?", answer_type: "boolean" },
  { id: "why", text: "Why?", answer_type: "text" },
];
export const PARTS = QUESTIONS.map((question, place) => `${place ? "," : '{"questions":['}${JSON.stringify(question)}`);
export const END = "]}";
export const TEXT = PARTS.join("") + END;

/**
 * What can be done with a page, for one of its tests.
 * @param {import("./browser.mjs").Page} page
 */
export function written(page) {
  /** @type {(selector: string) => import("playwright-core").Locator} */
  const find = (selector) => page.locator("ask-user").locator(selector);
  /** Until keys and clicks count: what has changed by itself has to be seen first. */
  const settled = async () => {
    await page.evaluate(() => window.settled());
    await keepsStill(page);
  };
  /** @type {(name: string) => Promise<any[]>} */
  const seen = (name) => page.evaluate((name) => window.seen.filter((/** @type {any[]} */ [one]) => one === name).map((/** @type {any[]} */ [, detail]) => JSON.parse(JSON.stringify(detail))), name);
  /** Puts an element on the page to which a request is written. */
  const begin = (setting = {}) =>
    page.evaluate(async (/** @type {any} */ { host, attributes = {} }) => {
      await customElements.whenDefined("ask-user");
      window.seen.length = 0;
      const element = document.createElement("ask-user");
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.host = { layout: "steps", ...host };
      document.querySelector("main")?.replaceChildren(element);
    }, setting);
  /** @type {(text: unknown) => Promise<void>} */
  const write = (text) => page.evaluate((text) => window.form().write(text), text);
  const end = () => page.evaluate(() => window.form().end());
  const shown = async () => ({ question: await find("[data-question]").getAttribute("data-question"), progress: await find("[part=progress]").textContent() });
  const waits = () => find("[data-waiting]").waitFor();
  /** @type {(text: string) => Promise<void>} */
  const answerText = async (text) => {
    await settled();
    await find("[data-field]").fill(text);
    await find("[type=submit]").click();
  };
  const answers = async () => (await seen("result")).map(({ result }) => result);
  return { find, settled, seen, begin, write, end, shown, waits, answerText, answers };
}
