// What every prompt keeps: it is accessible, answered and left by the keyboard alone, and gone when it is removed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENGINE } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { CASES } from "./prompts.mjs";

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
}

for (const [name, case_] of Object.entries(CASES)) {
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
    const first = case_.first ? "back:button" : "reply:button";
    const leave = case_.leave ?? ["Escape"];
    await person.press(...leave);
    assert.equal(await person.focused(), first);
    await person.press("Escape");
    assert.notEqual(await person.focused(), first);
    await person.press(...leave, "r", "h", "i", "Control+Enter");
    assert.equal((await person.end()).outcome.ends, "replied");
    await arrive(case_);
    await person.press(...leave, "s", "Enter");
    assert.equal((await person.end()).outcome.ends, "turn_ended");
  });

  test(`${name}: is mounted and removed a hundred times`, async () => {
    const left = await page.evaluate(async (request) => {
      const soon = () => new Promise((resolve) => setTimeout(resolve));
      for (let time = 0; time < 100; time += 1) {
        const element = document.createElement("ask-user");
        element.request = request;
        document.querySelector("main").replaceChildren(element);
        await soon();
        element.remove();
        await soon();
      }
      return document.querySelectorAll("ask-user").length;
    }, case_.request);
    assert.equal(left, 0);
    assert.deepEqual(page.faults, []);
  });
}
