// What every prompt keeps: it is accessible, answered and left by the keyboard alone, and gone when it is removed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENGINE } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { CASES } from "./prompts.mjs";
import { keepsStill } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

/** Puts the form on the page, and goes to the prompt by the keyboard, from the form's first heading. */
async function arrive({ request, first = [], later }) {
  await person.ask(request, { attributes: { label: "Tester" } });
  await person.find("legend, h2").first().focus();
  await person.press(...first);
  if (later) await person.find(later).waitFor();
  // What has come has moved what was there.
  await keepsStill(page);
}

for (const [name, case_] of /** @type {[string, any][]} */ (Object.entries(CASES))) {
  test(`${name}: is accessible, and is answered by the keyboard alone`, async () => {
    await arrive(case_);
    assert.deepEqual(await person.barriers(), []);
    // To WebKit a driver's key is no person's, and opens nothing; its click does, in the vectors.
    const opened = case_.opens && ENGINE !== "webkit" ? page.context().waitForEvent("page") : undefined;
    await person.press(...case_.keys);
    await (await opened)?.close();
    assert.deepEqual(await person.result(), case_.result);
    assert.deepEqual(await person.barriers(), [], "the receipt");
    assert.deepEqual(page.faults, []);
  });

  test(`${name}: has its ways out by the keyboard alone`, async () => {
    await arrive(case_);
    await person.press("Escape");
    assert.equal(await person.focused(), "reply:button");
    // A second one leads back to the question.
    await person.press("Escape");
    assert.equal(await person.find(":focus").evaluate((focused) => focused.closest("fieldset, h2, [data-submit]") !== null), true);
    await person.press("Escape", "r", "h", "i", "Control+Enter");
    assert.equal((await person.end()).outcome.ends, "replied");
    await arrive(case_);
    await person.press("Escape", "s", "Enter");
    assert.equal((await person.end()).outcome.ends, "turn_ended");
  });

  test(`${name}: is shown and removed a hundred times, and leaves nothing of itself`, async () => {
    const shown = await page.evaluate(async (request) => {
      const once = (element, name) => new Promise((resolve) => element.addEventListener(name, resolve, { once: true }));
      let count = 0;
      for (let time = 0; time < 100; time += 1) {
        const element = document.createElement("ask-user");
        element.request = request;
        const ready = once(element, "ask-user-ready");
        document.querySelector("main").replaceChildren(element);
        await ready;
        const removed = once(element, "ask-user-removed");
        if (element.shadowRoot.querySelector("[data-question-text]")) count += 1;
        element.remove();
        await removed;
        if (element.shadowRoot.childElementCount) throw new Error(`${element.shadowRoot.innerHTML.slice(0, 100)} stays`);
      }
      return count;
    }, case_.request);
    assert.equal(shown, 100);
    assert.deepEqual(page.faults, []);
  });
}
