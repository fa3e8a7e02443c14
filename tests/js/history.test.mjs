// The receipts of what has ended stay above what comes next, where a page wants them to.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrived } from "./person.mjs";
import { becomes, keepsStill } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const NAMES = ["Delete the 14 branches?", "Publish it?", "Which port?"];
const REQUESTS = NAMES.map((question, place) => ({ toolCallId: `call_${place}`, request: { question, answer_type: "boolean" } }));
/** Puts an element there with these requests. */
const ask = async (/** @type {{ [name: string]: string }} */ attributes = { "keep-receipts": "", label: "Deploy agent" }, more = {}) => {
  await page.evaluate(async ([attributes, requests, more]) => {
    const element = document.createElement("ask-user");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    Object.assign(element, { host: more.host ?? {}, requests });
    if (more.refuses) element.host = { ...element.host, deliver: () => Promise.reject(new Error("No network.")) };
    document.querySelector("main").replaceChildren(element);
    window.form = () => element;
    await window.settled();
  }, [attributes, REQUESTS, more]);
  await asked(NAMES[0]);
};
const asked = (text) => becomes(() => page.evaluate(() => [...window.form().shadowRoot.children].find((child) => child.matches("div:not([data-stays])"))?.querySelector("legend")?.textContent.replace(/^Question .*?: /, "")), text);
/** The lines of the receipts that stay, and which of them are open. */
const kept = () =>
  page.evaluate(() => [...window.form().shadowRoot.querySelectorAll(".history > ask-user")].map(({ shadowRoot }) => {
    const details = shadowRoot?.querySelector("details");
    return details && `${details.open ? "open " : ""}${[...details.querySelector("summary").children].map(({ textContent }) => textContent).join(" ")}`;
  }));
const answer = async (which) => {
  await keepsStill(page);
  await page.locator("main > ask-user").locator(`[data-answer=${which}]`).click();
};

test("each request that has ended stays as one line above the next; the last is its own receipt", async () => {
  await ask();
  await answer("no");
  await asked(NAMES[1]);
  await becomes(kept, [`✓Answered No · ${NAMES[0]}`]);
  await answer("yes");
  await asked(NAMES[2]);
  await becomes(kept, [`✓Answered No · ${NAMES[0]}`, `✓Answered Yes · ${NAMES[1]}`]);
  assert.deepEqual(await person.barriers(), []);
  await answer("yes");
  await page.locator("main > ask-user").locator(".base > .receipt, .receipt").last().waitFor();
  assert.equal((await kept()).length, 2);
});

test("without the attribute nothing stays, and it can be taken away and set again", async () => {
  await ask({ label: "Deploy agent" });
  await answer("no");
  await asked(NAMES[1]);
  assert.deepEqual(await kept(), []);
  await ask();
  await answer("no");
  await asked(NAMES[1]);
  await becomes(async () => (await kept()).length, 1);
  await page.evaluate(() => window.form().removeAttribute("keep-receipts"));
  await becomes(kept, []);
  await page.evaluate(() => window.form().setAttribute("keep-receipts", ""));
  await becomes(async () => (await kept()).length, 1);
});

test("what could not be sent is not shown as answered above the next request", async () => {
  await ask(undefined, { refuses: true });
  await answer("no");
  const next = page.locator("main > ask-user").getByRole("button", { name: "Show the next request" });
  await next.waitFor();
  await keepsStill(page);
  await next.click();
  await asked(NAMES[1]);
  assert.deepEqual(await kept(), []);
  page.faults.length = 0;
});

test("a receipt tells the page nothing, and opens by a press", async () => {
  await ask();
  await page.evaluate(() => {
    window.told = [];
    for (const name of ["ready", "step", "result", "record", "error"]) window.form().addEventListener(`ask-user-${name}`, ({ target }) => window.told.push([name, target === window.form()]));
  });
  await answer("no");
  await asked(NAMES[1]);
  await becomes(async () => (await kept()).length, 1);
  assert.deepEqual([...new Set((await page.evaluate(() => window.told)).map(([, own]) => own))], [true]);
  await page.locator("main > ask-user").locator(".history summary").click();
  await becomes(async () => (await kept())[0].startsWith("open"), true);
});
