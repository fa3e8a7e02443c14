// What comes late: the person is told, can have it fetched anew, and loses nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { DIST } from "./package-files.mjs";
import { keepsStill, painted, until } from "./wait.mjs";

const GO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };
const SCHEMA = { questions: [{ id: "n", text: "How many?", answer_type: "schema", schema: { type: "object", properties: { n: { type: "integer" } } } }] };
const LATE = "The form is still loading.";

let browser;
let page;
before(async () => (browser = await launch()));
after(() => browser.close());
beforeEach(async () => (page = await browser.page()));
afterEach(async () => {
  browser.meddle = undefined;
  const faults = page.faults.splice(0);
  await page.context().close();
  assert.deepEqual(faults, []);
});

const find = (selector) => page.locator("ask-user").locator(selector);
const put = (request, host = {}) =>
  page.evaluate(
    ([request, host]) => {
      const element = document.createElement("ask-user");
      element.host = host.storage ? { ...host, storage: window.storage } : host;
      window.told = [];
      for (const name of ["ready", "error"]) element.addEventListener(`ask-user-${name}`, ({ detail }) => window.told.push(detail.error?.message ?? name));
      element.request = request;
      document.querySelector("main").replaceChildren(element);
    },
    [request, host],
  );
const again = () => find("[role=status]").getByText("Try again").click();
const told = () => page.evaluate(() => window.told);

/** Lets a file that a page asks for go no further, so many times. Gives how often that has happened. */
function stall(name, times = 1) {
  const stalled = [];
  browser.meddle = (request, response, forward) => {
    if (!new URL(request.url, "http://localhost").pathname.endsWith(name) || stalled.length >= times) return forward();
    // Its beginning has come.
    response.writeHead(200, { "Content-Type": name.endsWith("wasm") ? "application/wasm" : "text/javascript" }).write(readFileSync(new URL(name, DIST)).subarray(0, 2_000));
    stalled.push(request.url);
  };
  return stalled;
}

test("a form whose module does not come says so, and comes with another try", async () => {
  const stalled = stall("form.first.wasm");
  await put(GO);
  await find(`text=${LATE}`).waitFor();
  await again();
  await find("[data-answer=yes]").waitFor();
  await until(told, "a form", (names) => names.includes("ready"));
  assert.deepEqual([stalled.length, await find(`text=${LATE}`).count()], [1, 0]);
});

test("all forms of a page come with one try", async () => {
  stall("form.first.wasm");
  await put(GO);
  await page.evaluate((request) => {
    const other = document.createElement("ask-user");
    other.id = "other";
    other.request = request;
    document.querySelector("main").append(other);
  }, GO);
  await page.locator("#other").locator(`text=${LATE}`).waitFor();
  await page.locator("#other").getByText("Try again").click();
  for (const form of [page.locator("ask-user").first(), page.locator("#other")]) await form.locator("[data-answer=yes]").waitFor();
});

test("a module that reads a request as it is written comes with another try", async () => {
  const stalled = stall("writing.js");
  await page.evaluate(() => {
    const element = document.createElement("ask-user");
    document.querySelector("main").replaceChildren(element);
    element.request = new ReadableStream({
      start(controller) {
        controller.enqueue('{"questions":[{"id":"go","text":"Go on?","answer_type":"boolean"}]}');
        controller.close();
      },
    });
  });
  await find(`text=${LATE}`).waitFor();
  await again();
  await find("[data-answer=yes]").waitFor();
  assert.equal(stalled.length, 1);
});

test("a storage that does not answer is said, asked again, and in the end done without", async () => {
  await page.evaluate(() => {
    window.asked = 0;
    window.storage = { get: () => ((window.asked += 1), new Promise(() => {})), set: async () => {} };
  });
  await put(GO, { storage: true });
  await find(`text=${LATE}`).waitFor();
  await again();
  await until(() => page.evaluate(() => window.asked), "another try", (asked) => asked === 2);
  await until(told, "a form", (names) => names.includes("ready"));
  assert.match((await told())[0], /host\.storage\.get/);
  await find("[data-answer=yes]").waitFor();
  page.faults.splice(0);
});

for (const name of ["validator.js", "validator.first.wasm"]) {
  test(`${name} that was cut short, and is kept so by a cache, comes whole with another try`, async () => {
    let whole = 0;
    browser.meddle = (request, response, forward) => {
      const { pathname, search } = new URL(request.url, "http://localhost");
      if (!pathname.endsWith(name)) return forward();
      // A cache keeps it under its address, unless it is told to look again.
      if (search || /no-cache/.test(`${request.headers["cache-control"]} ${request.headers.pragma}`)) return (whole += 1), forward();
      const bytes = readFileSync(new URL(name, DIST));
      response.writeHead(200, { "Content-Type": name.endsWith("wasm") ? "application/wasm" : "text/javascript", "Cache-Control": "max-age=3600" }).end(bytes.subarray(0, bytes.length / 2));
    };
    await put(SCHEMA);
    await page.locator("ask-user").getByText("Couldn't load").waitFor();
    page.faults.splice(0);
    await painted(page);
    await keepsStill(page);
    await find("[data-again]").click();
    await find(".properties").waitFor();
    assert.equal(whole, 1, name);
  });
}
