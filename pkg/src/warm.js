// Lets the browser compile what the next steps of a form need while a person reads the first question. A browser compiles a function of a module when it is called for the first time, so
// the first steps take three times as long as later ones.
import { Words } from "./words.js";

/** @import { mount as Mount } from "../build/web/ask_user_web.js" */

/** One question of each of the usual types. */
const REQUEST = JSON.stringify({ questions: [{ answer_type: "boolean" }, { answer_type: "select", options: ["1", "2"] }, { answer_type: "text" }].map((question, place) => ({ id: `q${place}`, text: "?", ...question })) });
/** How often something is answered: the last question is only shown. */
const STEPS = 2;
/** Milliseconds between two steps, in a browser that does not say when it is idle; and the longest pause in one that does. */
const [PAUSE, LONGEST] = [50, 1_000];

const idle = () => new Promise((resolve) => (globalThis.requestIdleCallback ?? ((act) => setTimeout(act, PAUSE)))(resolve, { timeout: LONGEST }));

/**
 * Answers a form of its own, a step each time the browser is idle. The form is not on the page, and nobody is told of its answers.
 * @param {typeof Mount} mount
 */
export async function warm(mount) {
  await idle();
  const parent = document.createElement("div");
  const words = new Words();
  const handle = mount(parent, REQUEST, undefined, '{"layout":"steps"}', undefined, undefined, (...said) => said.length && words.speak(...said), false);
  /** @type {(selector: string) => HTMLInputElement | null} */
  const found = (selector) => parent.querySelector(selector);
  const told = () => [handle.changes(), handle.save()].map((text) => JSON.parse(/** @type {string} */ (text)));
  try {
    for (let step = 0; step < STEPS; step += 1) {
      told();
      await idle();
      found("[data-answer=yes]")?.click();
      const field = found("[data-option]");
      if (field) {
        // Off the page, a click changes no field, and no button has a form.
        field.checked = true;
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
      }
      found("form")?.dispatchEvent(new Event("submit"));
      await idle();
    }
    told();
  } finally {
    handle.free();
  }
}
