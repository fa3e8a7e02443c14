// The form's module comes in two parts: the first shows a question, and nothing can be done with it before the rest is there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { DIST } from "./package-files.mjs";
import { compare, read } from "./pictures.mjs";
import { held, waits } from "./rest.mjs";
import { allDone, pause, until } from "./wait.mjs";

const REQUEST = { questions: [{ id: "env", text: "Where?", answer_type: "select", options: ["staging", "production"] }, { id: "go", text: "Go on?", answer_type: "boolean" }] };
const UNUSUAL = { questions: [{ id: "go", text: "Go on?", answer_type: "bool" }] };
const REST = "form.rest.wasm";
const GROUPS = ["walk", "mcp", "ask_user_question", "deepagents", "consent", "other_dialects"];
const cases = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));

/** A page that waits for what is held waits for ever. */
const LIMIT = { timeout: 240_000 };

let browser;
before(async () => (browser = await launch()));
afterEach(() => {
  browser.cut = browser.meddle = undefined;
});
after(() => browser.close());

/** Puts an element on the page, and notes what is told of it. */
const put = (page, request, dialect = undefined, layout = "steps", /** @type {{ [option: string]: any }} */ { label, ...host } = {}) =>
  page.evaluate(([request, dialect, layout, label, host]) => {
    const element = document.createElement("ask-user");
    if (dialect) element.setAttribute("dialect", dialect);
    if (label) element.setAttribute("label", label);
    element.host = { deliver: async () => {}, layout, ...host };
    window.told = [];
    for (const name of ["ready", "step", "rejected", "result", "error"]) element.addEventListener(`ask-user-${name}`, (event) => (event.preventDefault(), window.told.push(name)));
    element.request = request;
    document.querySelector("main").replaceChildren(element);
  }, [request, dialect, layout, label, host]);

const told = (page) => page.evaluate(() => window.told);
const shown = (page) => page.evaluate(() => [...document.querySelector("ask-user").shadowRoot.children].map(({ inert, innerHTML }) => ({ inert, html: innerHTML.replace(/ aria-hidden="true"/g, "") })));

/** The rest as another build would have it, so many times. */
function other(times) {
  browser.meddle = (request, response, forward) => {
    if (!request.url.endsWith(REST) || times <= 0) return forward();
    times -= 1;
    const bytes = readFileSync(new URL(REST, DIST));
    const module = new WebAssembly.Module(bytes);
    const [{ module: build }] = WebAssembly.Module.imports(module);
    const text = bytes.toString("latin1").replaceAll(build, "0".repeat(build.length));
    response.writeHead(200, { "Content-Type": "application/wasm", "Cache-Control": "max-age=3600" }).end(Buffer.from(text, "latin1"));
  };
}

test("a part of another build is fetched anew, and is named where there is no other", LIMIT, async () => {
  const page = await browser.page();
  other(1);
  await put(page, REQUEST);
  await until(() => told(page), "a form", (names) => names.includes("ready"));
  assert.equal(await page.locator("ask-user").locator("[data-option]").count(), 2);
  await page.context().close();
  const broken = await browser.page();
  other(Infinity);
  await put(broken, REQUEST);
  await broken.locator("ask-user").locator("[role=alert]").waitFor();
  assert.deepEqual(await told(broken), []);
  const faults = broken.faults.splice(0);
  assert.ok(faults.length && faults.every((fault) => fault.includes("of two builds: serve the files of one version")), faults.join());
  other(0);
  await broken.locator("ask-user").locator("[role=alert] button").click();
  await until(() => told(broken), "a form", (names) => names.includes("ready"));
  await broken.context().close();
});

test("a rest that does not come is said below the question, and comes with another try", LIMIT, async () => {
  const page = await browser.page();
  let stalled = 0;
  browser.meddle = (request, _response, forward) => (request.url.endsWith(REST) && (stalled += 1) === 1 ? undefined : forward());
  await put(page, REQUEST);
  const form = page.locator("ask-user");
  await form.locator("legend", { hasText: "Where?" }).waitFor();
  await form.getByText("The form is still loading.").waitFor();
  assert.deepEqual([await told(page), await form.locator("[inert] legend").count()], [[], 1]);
  await form.getByText("Try again").click();
  await until(() => told(page), "a form", (names) => names.includes("ready"));
  assert.deepEqual([stalled, await form.getByText("The form is still loading.").count()], [2, 0]);
  await page.context().close();
});

test("the question is shown before the rest is there, and takes nothing before it", LIMIT, async () => {
  const page = await browser.page();
  await page.evaluate(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((/** @type {any} */ { value }) => (window.shifts += value))).observe({ type: "layout-shift", buffered: true });
  });
  const release = held(browser, REST);
  await put(page, REQUEST);
  const form = page.locator("ask-user");
  await form.locator("legend", { hasText: "Where?" }).waitFor();
  const [before] = await shown(page);
  assert.equal(before.inert, true);
  const box = await form.boundingBox();
  const picture = read(await form.screenshot());
  await page.mouse.click(box.x + 40, box.y + box.height / 2);
  for (const key of ["Tab", "1", "Enter", "y"]) await page.keyboard.press(key);
  assert.deepEqual(await told(page), []);
  assert.equal(await form.locator("input:checked").count(), 0);
  assert.equal(await page.evaluate(() => document.querySelector("ask-user").shadowRoot.activeElement), null);
  release();
  await page.waitForFunction(() => window.told.includes("ready"));
  const after = await shown(page);
  assert.equal(after.length, 1);
  await page.mouse.move(0, 0);
  // The color of the row under the pointer fades, and may stay off by one.
  for (const end = Date.now() + 5_000; compare(read(await form.screenshot()), picture, 0.01)?.count !== 0; ) assert.ok(Date.now() < end, "the form looks otherwise than the question before it");
  assert.deepEqual({ ...after[0], html: after[0].html.replace(/<p class="spoken".*?<\/p>/, "") }, { inert: false, html: before.html.replace(/<p class="spoken".*?<\/p>/, "") });
  assert.deepEqual(await form.boundingBox(), box);
  assert.equal(await page.evaluate(() => window.shifts), 0);
  assert.equal(await waits(page), 0);
  // Tab has led out of the page: the press that comes back to it is none for the form.
  await page.mouse.click(1, 1);
  await form.locator("label", { hasText: "production" }).click();
  await form.locator("[data-answer=yes]").waitFor();
});

test("no option of a host makes the page wait for the rest, and the usual ones let the question be shown before it", LIMIT, async () => {
  const requests = [{ question: "Go on?", answer_type: "boolean" }, { questions: [{ id: "a", text: "Which?", answer_type: "select", options: ["one", "two"] }, { id: "b", text: "Why?", answer_type: "text" }] }];
  const usual = [{ label: "Deploy agent" }, { toolCallId: "call_1" }, { label: "Deploy agent", toolCallId: "call_1" }, { undo: 5, markdown: false, words: { reply: "Ask back" } }];
  const others = [
    { turn: { remembered: { "ask_user.go": { question: { text: "Go?", answer_type: { type: "boolean" } }, answer: true } } } }, { reuse: "none" }, { approveAll: true }, { review: true }, { secretAnswers: { id: "a" } },
    { source: { source: "other", name: "a test" } }, { staticAnswers: { id: "a" } }, { target: "user" }, { targets: { id: "user" } }, { limits: { work: 1_000_000 } },
  ];
  const page = await browser.page();
  for (const [host, isUsual] of /** @type {any[][]} */ ([...usual.map((host) => [host, true]), ...others.map((host) => [host, false])])) {
    for (const request of requests) {
      let release;
      browser.meddle = async (asked, _response, forward) => {
        if (asked.url.endsWith(REST)) await new Promise((resolve) => (release = resolve));
        return forward();
      };
      await page.reload();
      await page.evaluate(() => customElements.whenDefined("ask-user"));
      await put(page, request, undefined, "auto", host);
      if (isUsual) await page.waitForFunction(() => document.querySelector("ask-user").shadowRoot?.querySelector("[data-question]"));
      await until(() => release, "a request for the rest");
      assert.equal(await page.evaluate(() => window.told.length), 0);
      release();
      await page.waitForFunction(() => window.told.length > 0);
      assert.equal(await waits(page), 0, JSON.stringify(host));
    }
  }
});

test("the first question of every plain request is shown without the rest", LIMIT, async () => {
  browser.meddle = (request, response, forward) => (request.url.endsWith(REST) ? pause(200).then(forward) : forward());
  let count = 0;
  const page = await browser.page();
  const kinds = new Set();
  for (const { request, dialect, name, rejected } of GROUPS.flatMap(cases)) {
    const text = typeof request === "string" ? request : JSON.stringify(request);
    // One of each kind: they differ in what they ask, more than in words.
    const kind = [dialect, ...[...text.matchAll(/"(answer_type|type|format|multiSelect|multi_select|mode|header|context|message|notes|optional)":\s*"?(\w+)/g)].map(([, key, value]) => (/type|format|mode/.test(key) ? `${key} ${value}` : key)).slice(0, 5)].join();
    if (request === undefined || rejected || kinds.has(kind) || /\$ref|"answer_type":"(?:schema|bool)"/.test(text)) continue;
    kinds.add(kind);
    for (const layout of ["steps", "page"]) {
      await page.reload();
      await page.evaluate(() => customElements.whenDefined("ask-user"));
      await put(page, text, dialect, layout);
      await page.waitForFunction(() => window.told.length > 0);
      if ((await told(page)).includes("rejected")) break;
      assert.equal(await waits(page), 0, `${name}, ${layout}`);
      count += 1;
    }
  }
  assert.ok(count > 40, `${count} requests`);
});

test("a rest that cannot be fetched is said, and fetched again", LIMIT, async () => {
  const page = await browser.page();
  browser.cut = /form\.rest\.wasm/;
  await put(page, REQUEST);
  const form = page.locator("ask-user");
  await form.getByText("Couldn't load the form.").waitFor();
  assert.equal(await form.locator("legend").count(), 0);
  browser.cut = undefined;
  await form.getByRole("button", { name: "Try again" }).click();
  await page.waitForFunction(() => window.told.includes("ready"));
  await form.locator("legend", { hasText: "Where?" }).waitFor();
  assert.equal(page.faults.splice(0).filter((fault) => !/Failed to fetch|ERR_/.test(fault)).length, 0);
});

test("a request that the first part cannot show by itself waits for the rest", LIMIT, async () => {
  const page = await browser.page();
  browser.meddle = (request, response, forward) => (request.url.endsWith(REST) ? pause(200).then(forward) : forward());
  await put(page, UNUSUAL);
  await page.waitForFunction(() => window.told.includes("rejected"));
  await page.locator("ask-user").getByText("Go on?").waitFor();
  assert.ok((await waits(page)) <= 1);
  page.faults.splice(0).forEach((fault) => assert.match(fault, /Synchronous XMLHttpRequest/));
  const release = held(browser, REST);
  await page.reload();
  await page.evaluate(() => customElements.whenDefined("ask-user"));
  await put(page, { action_requests: [{ name: "delete", args: {} }], review_configs: [{ action_name: "delete", allowed_decisions: ["approve", "reject"] }] });
  await page.waitForFunction(() => performance.getEntriesByName(new URL("/pkg/dist/form.first.wasm", location.href).href).length > 0);
  assert.deepEqual([await waits(page), await told(page)], [0, []]);
  release();
  await page.waitForFunction(() => window.told.includes("ready"));
  assert.equal(await waits(page), 0);
});

test("another request, or none, takes the place of a question that waits for the rest", LIMIT, async () => {
  const page = await browser.page();
  const release = held(browser, REST);
  await put(page, REQUEST);
  const form = page.locator("ask-user");
  await form.locator("legend", { hasText: "Where?" }).waitFor();
  await page.evaluate(() => (document.querySelector("ask-user").request = { question: "Which?", answer_type: "text" }));
  await form.locator("legend", { hasText: "Which?" }).waitFor();
  assert.equal((await shown(page)).length, 1);
  await page.evaluate(() => (document.querySelector("ask-user").request = undefined));
  await page.waitForFunction(() => document.querySelector("ask-user").shadowRoot.textContent === "");
  await page.evaluate(() => (document.querySelector("ask-user").request = { question: "Which?", answer_type: "text" }));
  release();
  await page.waitForFunction(() => window.told.includes("ready"));
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual((await told(page)).filter((name) => name === "ready"), ["ready"]);
});

test("no request that takes the place of another makes the page wait, however many came before", LIMIT, async () => {
  const page = await browser.page();
  const release = held(browser, REST);
  await put(page, REQUEST);
  const form = page.locator("ask-user");
  const types = [{ answer_type: "text" }, { answer_type: "number" }, { answer_type: "boolean" }, { answer_type: "select", options: ["a", "b"] }, { answer_type: "multi_select", options: ["a", "b", "c"] }];
  for (let place = 0; place < 100; place += 1) {
    const text = `Question ${place}?`;
    await page.evaluate((request) => (document.querySelector("ask-user").request = request), { questions: [{ id: "q", text, ...types[place % 5] }, { id: "then", text: "Go on?", answer_type: "boolean" }] });
    await form.locator("legend", { hasText: text }).waitFor();
  }
  assert.equal(await waits(page), 0);
  release();
  await page.waitForFunction(() => window.told.includes("ready"));
  assert.equal(await form.locator("legend").textContent(), "Question 99?");
});

test("a program that fills in a form waits until it can be answered", LIMIT, async () => {
  const page = await browser.page();
  const release = held(browser, REST);
  await put(page, { question: "Which?", answer_type: "text" });
  const field = page.locator("ask-user").locator("[data-field]");
  await field.waitFor();
  let state = "waits";
  const filled = field.fill("by a program").then(() => (state = "filled"));
  await until(() => page.fetched, "a request for the rest", (paths) => paths.some((path) => path.endsWith(REST)));
  await allDone(page);
  assert.equal(state, "waits");
  release();
  await filled;
  await page.locator("ask-user").locator("[type=submit]").click();
  await page.waitForFunction(() => window.told.includes("result"));
  assert.match(await page.evaluate(() => JSON.stringify(document.querySelector("ask-user").walk)), /by a program/);
});

test("several elements of a page wait for one rest", LIMIT, async () => {
  const page = await browser.page();
  const release = held(browser, REST);
  await page.evaluate((request) => {
    window.told = [];
    for (let place = 0; place < 3; place += 1) {
      const element = document.createElement("ask-user");
      element.addEventListener("ask-user-ready", () => window.told.push("ready"));
      element.request = request;
      document.querySelector("main").append(element);
    }
  }, REQUEST);
  await page.waitForFunction(() => [...document.querySelectorAll("ask-user")].every(({ shadowRoot }) => shadowRoot.textContent.includes("Where?")));
  release();
  await page.waitForFunction(() => window.told.length === 3);
  assert.equal(page.fetched.filter((path) => path.endsWith(REST)).length, 1);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("ask-user")].map(({ shadowRoot }) => [shadowRoot.children.length, shadowRoot.firstElementChild.inert])), Array(3).fill([1, false]));
});
