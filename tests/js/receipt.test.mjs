// `element.receipt`: an old ending, read-only. It shows what the live receipt shows, and does nothing.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { play } from "./case.mjs";
import { Rendered } from "./rendered.mjs";
import { allDone } from "./wait.mjs";

const VECTORS = fileURLToPath(new URL("../vectors/", import.meta.url));
const PENDING = readFileSync(new URL("../vectors.pending", import.meta.url), "utf8");

let browser;
let page;
before(async () => (browser = await launch()));
beforeEach(async () => (page = await browser.page()));
afterEach(() => page.context().close());
after(() => browser.close());

const find = (selector) => page.locator("#old").locator(selector);
/** Puts a receipt on the page, and notes every event that it fires, and every request that leaves the page. */
const show = async (receipt, { attributes = {}, host = {} } = {}) => {
  await page.evaluate(
    async ({ receipt, attributes, host }) => {
      await customElements.whenDefined("ask-user");
      addEventListener("error", (event) => event.error instanceof TypeError && event.preventDefault());
      document.querySelector("#old")?.remove();
      const element = Object.assign(document.createElement("ask-user"), { id: "old" });
      window.told = [];
      for (const name of ["ready", "step", "draft", "record", "result", "end-turn", "rejected", "error", "closed", "delivery"]) {
        element.addEventListener(`ask-user-${name}`, ({ detail }) => window.told.push([name, detail.error?.message]));
      }
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.host = { layout: "steps", ...host };
      element.receipt = receipt;
      document.body.append(element);
    },
    { receipt, attributes, host },
  );
  await find(".receipt, [role=alert]").first().waitFor({ state: "attached" });
  await page.evaluate(() => window.settled());
};
const told = () => page.evaluate(() => window.told);
/** The content of a receipt, without what Markdown and folding make of it. */
const rows = (selector) =>
  page.evaluate((selector) => {
    const receipt = document.querySelector(selector).shadowRoot.querySelector("[part=receipt]");
    return receipt && [receipt.dataset.ends, ...[...receipt.querySelectorAll(".ends, blockquote, dt, dd")].map((node) => node.textContent)];
  }, selector);

const TWO = { questions: [{ id: "name", text: "Name?", answer_type: "text" }, { id: "key", text: "Key?", answer_type: "secret" }, { id: "last", text: "Last?", answer_type: "text" }] };
/** The walk after these answers, and perhaps a way out. */
const walked = async (request, answers, way) => {
  await page.evaluate((request) => window.ask({ request, attributes: { "tool-call-id": "call_9" } }), request);
  const live = page.locator("main ask-user");
  for (const words of answers) {
    await live.locator("[data-field]").fill(words);
    await live.locator("[type=submit]").click();
    await page.evaluate(() => window.settled());
  }
  if (way) await live.locator(`[data-way=${way}]`).click();
  if (way === "reply") await live.locator("#reply, textarea").last().press("Enter");
  await page.evaluate(() => window.settled());
  return page.evaluate(() => window.form().walk);
};

class Compared extends Rendered {
  ends = {};
  #case;

  open(given) {
    this.#case = given;
    return super.open(given);
  }

  async ending() {
    const ending = await super.ending();
    const { request, text, dialect, options } = this.#case;
    const walk = await page.evaluate(() => window.form().walk);
    if (!walk) return ending;
    await show({ request: text ?? request, walk, dialect, options });
    const [live, old] = [await rows("main ask-user"), await rows("#old")];
    assert.deepEqual(await told(), []);
    assert.equal(await find("button, input, textarea, [tabindex='0']:not(pre)").count(), 0, "something to act with");
    if (live) assert.deepEqual(old, live);
    else assert.equal(old?.[0], "unfinished");
    this.ends[old[0]] = (this.ends[old[0]] ?? 0) + 1;
    await page.evaluate(() => document.querySelector("#old").remove());
    return ending;
  }
}

for (const file of readdirSync(VECTORS).filter((name) => !PENDING.includes(name))) {
  test(`the endings of ${file} look as they did`, async () => {
    const driver = new Compared(page);
    for (const case_ of JSON.parse(readFileSync(VECTORS + file, "utf8"))) {
      try {
        await play(case_, driver);
      } catch (error) {
        throw new Error(`${case_.name}: ${error.message}`);
      }
    }
  });
}

test("a secret stays dots, and is not asked for again", async () => {
  const walk = await walked(TWO, ["Ada", "hunter2", "x"]);
  await show({ request: TWO, walk, toolCallId: "call_9" });
  assert.deepEqual(await rows("#old"), ["completed", "Answered", "Name?", "Ada", "Key?", "••••••", "Last?", "x"]);
  assert.ok(!(await page.content()).includes("hunter2"));
});

test("a walk that has not ended shows what was answered as not finished", async () => {
  const walk = await walked(TWO, ["Ada"]);
  await show({ request: TWO, walk, toolCallId: "call_9" });
  assert.deepEqual(await rows("#old"), ["unfinished", "Not finished", "Name?", "Ada"]);
  assert.equal(await find("button").count(), 0);
});

test("nothing is told, sent or kept, whatever the element is given beside it", async () => {
  const walk = await walked(TWO, ["Ada", "hunter2", "x"]);
  browser.deliveries.length = 0;
  const before = page.fetched.length;
  await page.evaluate(() => (window.stored = []));
  const pass = await browser.stopped(page);
  await show({ request: TWO, walk, toolCallId: "call_9" }, { attributes: { "respond-url": "/respond", "cancel-url": "/cancel", "save-url": "/walk" }, host: { undo: 5 } });
  await find(".heading").click();
  await find(".heading").press("y");
  await pass(60_000);
  await allDone(page);
  const fetched = page.fetched.slice(before).filter((path) => !["/clock.js", "/blank"].includes(path));
  assert.deepEqual([await told(), browser.deliveries.length, fetched], [[], 0, []]);
});

test("a walk of another request is said to be none, and reported to the host", async () => {
  const walk = await walked(TWO, ["Ada"], "reply");
  const other = { questions: [{ ...TWO.questions[0], text: "Another?" }] };
  for (const [receipt, why] of [
    [{ request: other, walk, toolCallId: "call_9" }, /another form|other/i],
    [{ request: TWO, walk, toolCallId: "call_8" }, /another form|other/i],
    [{ request: TWO, walk: { ...walk, log: [] }, toolCallId: "call_9" }, /checksum/],
    [{ request: { questions: [] }, walk, toolCallId: "call_9" }, /problem/],
    [{ request: TWO }, /`receipt` needs/],
    [{ request: TWO, walk: "not JSON", toolCallId: "call_9" }, /./],
  ]) {
    await show(receipt);
    assert.match(await find("[role=alert]").textContent(), /can't be displayed/, JSON.stringify(receipt));
    const [[name, message], ...more] = await told();
    assert.equal(name, "error");
    assert.match(message, why);
    assert.deepEqual(more, []);
    assert.equal(await find("button").count(), 0);
  }
});

test("a request after a receipt asks, and a receipt after a request takes the form away", async () => {
  const walk = await walked(TWO, ["Ada"], "end-turn");
  await show({ request: TWO, walk, toolCallId: "call_9" });
  await page.evaluate(() => (document.querySelector("#old").request = { question: "Really?", answer_type: "boolean" }));
  await find("[data-answer=yes]").waitFor();
  await page.evaluate((receipt) => (document.querySelector("#old").receipt = receipt), { request: TWO, walk, toolCallId: "call_9" });
  await find("[part=receipt]").waitFor();
  assert.equal(await find("[data-answer]").count(), 0);
  await page.evaluate(() => (document.querySelector("#old").receipt = undefined));
  await page.evaluate(() => window.settled());
  assert.equal(await find("*").count(), 0);
});

test("a receipt has no barriers, and fits 320 pixels in both schemes", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 600 });
    const walk = await walked(TWO, ["Ada", "hunter2", "x"]);
    await show({ request: TWO, walk, toolCallId: "call_9" });
    const found = await page.evaluate(async () => {
      if (!window.axe) await import("/axe.js");
      return [(await window.axe.run(document.querySelector("#old"))).violations.map(({ id }) => id), document.documentElement.scrollWidth];
    });
    assert.deepEqual(found, [[], 320]);
  }
});
