// Checks of an answer while it is typed: a long one runs in a worker, where the page may start one, and on the page where it may not. What is said is the same.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { POLICY } from "../../playground/server.mjs";
import { BLANK, launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { DIST, file, partsOf } from "./package-files.mjs";
import { keepsStill, painted, until } from "./wait.mjs";

/** Counts the checks on the page, each as long as on a slow machine, and knows its workers: what they are asked, what they say, whether they are gone. */
const SPY = `
window.checks = 0;
const slowly = (act) => {
  window.checks += 1;
  for (const begun = performance.now(); performance.now() - begun < 50; );
  return act();
};
window.workers = [];
for (const name of ["instantiate", "instantiateStreaming"]) {
  const own = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const made = await own.apply(WebAssembly, given);
    const { exports } = made.instance ?? made;
    if (!exports.fields_violations) return made;
    const counted = { exports: { ...exports, fields_violations: (...given) => slowly(() => exports.fields_violations(...given)) } };
    return made.instance ? { module: made.module, instance: counted } : counted;
  };
}
window.Worker = class extends Worker {
  asked = 0;
  said = 0;
  held = [];
  constructor(...given) {
    super(...given);
    window.workers.push(this);
    super.addEventListener("message", () => (this.said += 1));
  }
  postMessage(message, ...more) {
    if (message.text !== undefined) this.asked += 1;
    super.postMessage(message, ...more);
  }
  addEventListener(name, listener) {
    super.addEventListener(name, name === "message" ? (event) => (window.holds ? this.held.push(() => listener(event)) : listener(event)) : listener);
  }
  terminate() {
    this.isGone = true;
    super.terminate();
  }
};`;
const SPIED = BLANK.replace('<script type="module" src="/pkg', '<script src="/spy.js"></script>\n$&');
const OPEN = POLICY.replace(/; require-trusted.*/, "");
const PAGES = {
  "/open": { content: SPIED, policy: OPEN },
  "/no-workers": { content: SPIED, policy: `${OPEN}; worker-src 'none'` },
  "/no-scripts": { content: SPIED, policy: POLICY },
  "/one-file": { content: SPIED.replace('type="module" src="/pkg/dist/ask-user.js"', 'src="/pkg/dist/inline.js"'), policy: OPEN },
  "/spy.js": SPY,
};
const WORKER = "/pkg/dist/fields.worker.js";

/** A check of a long list is some work. */
const SLOW = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 3 },
    port: { type: "integer", maximum: 65_535 },
    list: { type: "array", items: { type: "string", minLength: 1 } },
  },
  required: ["title", "port"],
};
const VALUE = { title: "all", port: 80, list: Array.from({ length: 8_000 }, (_, place) => `name ${place}`) };

let browser;
before(async () => (browser = await launch({ pages: PAGES })));
after(() => browser.close());
afterEach(() => (browser.meddle = undefined));

/** A page with the slow question, or another, once it has been checked for the first time. */
async function opened(path, schema = SLOW, /** @type {any} */ value = VALUE) {
  const page = await browser.page(path);
  const person = new Person(page);
  await person.ask({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema, default: value }] });
  await page.getByRole("textbox", { name: "title" }).waitFor();
  const there = {
    page,
    person,
    field: (name) => page.getByRole("textbox", { name, exact: true }),
    errors: () => page.evaluate(() => [...window.form().shadowRoot.querySelectorAll(".properties .property .error")].map(({ textContent }) => textContent).filter(Boolean)),
    async said(count) {
      await page.waitForFunction((count) => [...window.form().shadowRoot.querySelectorAll(".properties .property .error")].filter(({ textContent }) => textContent).length === count, count);
      return there.errors();
    },
    /** Sends what is there. What a check says late moves the form, and a press that was meant for where it stood does nothing: it is pressed again. */
    sends: () =>
      until(async () => {
        await keepsStill(page);
        if (await person.find("[type=submit]").count()) await person.click("[type=submit]");
        return person.end();
      }, "the end of the form"),
    workers: () => page.evaluate(() => window.workers.map(({ asked, said, isGone = false }) => ({ asked, said, isGone }))),
    checks: () => page.evaluate(() => window.checks),
  };
  await page.waitForFunction(() => window.checks > 0);
  return there;
}

/** Makes two faults and mends one, and gives what is said after each. */
async function played({ field, said }) {
  const heard = [];
  await field("title").fill("ab");
  heard.push(await said(1));
  await field("port").fill("70000");
  heard.push(await said(2));
  await field("title").fill("abc");
  heard.push(await said(1));
  return heard;
}
const HEARD = [["title must have at least 3 characters."], ["title must have at least 3 characters.", "port must be at most 65535."], ["port must be at most 65535."]];

test("a long check runs in a worker, from the module that the page has, and none on the page while the person types", async () => {
  const there = await opened("/open");
  const before = await there.checks();
  assert.deepEqual(await played(there), HEARD);
  assert.equal(await there.checks(), before);
  const [worker, ...more] = await there.workers();
  assert.ok(worker.asked >= 3 && worker.said > 0 && !worker.isGone);
  assert.deepEqual(more, []);
  const { fetched } = there.page;
  for (const part of partsOf("validator")) assert.equal(fetched.filter((path) => path.endsWith(`/${part}`)).length, 1);
  assert.equal(fetched.filter((path) => path === WORKER).length, 1);
  // What is sent is checked by the form itself.
  await there.field("port").fill("8080");
  await there.sends();
  assert.equal((await there.person.result()).q.port, 8080);
  assert.ok((await there.checks()) > before);
  assert.deepEqual(there.page.faults, []);
});

test("a short check starts no worker", async () => {
  const there = await opened("/open", SLOW, { title: "all", port: 80 });
  assert.deepEqual(await played(there), HEARD);
  assert.deepEqual(await there.workers(), []);
  assert.ok(!there.page.fetched.includes(WORKER));
});

test("without a worker the page checks by itself: a policy forbids it, the file is missing or broken, the worker ends, everything is in one file", async () => {
  const served = (content, status = 200) => (request, response, forward) => {
    if (!request.url.startsWith(WORKER)) return forward();
    response.writeHead(status, { "Content-Type": "text/javascript" }).end(content);
  };
  const cases = {
    "no workers": { path: "/no-workers", faults: /worker-src/ },
    "no scripts by address": { path: "/no-scripts", faults: /TrustedScriptURL|require-trusted-types-for/ },
    "one file": { path: "/one-file" },
    missing: { path: "/open", meddle: served("", 404), faults: /404/ },
    "no script": { path: "/open", meddle: served("{"), faults: /Unexpected|SyntaxError/ },
    "ends at once": { path: "/open", meddle: served("throw new Error('the worker has ended')"), faults: /the worker has ended/ },
    "ends later": { path: "/open", meddle: served("addEventListener('message', ({ data }) => { if (data.text) throw new Error('the worker has ended'); })"), faults: /the worker has ended/ },
    "has no module": { path: "/open", meddle: served("addEventListener('message', ({ data }) => postMessage({ number: data.number }))") },
  };
  for (const [name, { path, meddle, faults = /^$/ }] of Object.entries(cases)) {
    browser.meddle = meddle;
    const there = await opened(path);
    const before = await there.checks();
    assert.deepEqual(await played(there), HEARD, name);
    assert.ok((await there.checks()) > before, name);
    assert.ok((await there.workers()).every(({ isGone }) => isGone), name);
    assert.deepEqual(there.page.faults.filter((fault) => !faults.test(fault)), [], name);
    // It is tried once on a page.
    assert.ok(there.page.fetched.filter((path) => path === WORKER).length <= 1, name);
    await there.field("port").fill("8080");
    await there.sends();
    assert.equal((await there.person.result()).q.port, 8080, name);
    there.page.faults.length = 0;
    await there.page.context().close();
  }
});

test("what a worker says of an older text is not shown", async () => {
  const there = await opened("/open");
  await there.page.evaluate(() => (window.holds = true));
  await there.field("title").fill("ab");
  await there.page.waitForFunction(() => window.workers[0]?.held.length);
  const { said } = (await there.workers())[0];
  await there.field("title").fill("abc");
  await there.page.evaluate(() => {
    window.holds = false;
    window.workers[0].held.forEach((say) => say());
  });
  await painted(there.page);
  assert.deepEqual(await there.errors(), []);
  await there.page.waitForFunction((said) => window.workers[0].said > said, said);
  assert.deepEqual(await there.errors(), []);
});

test("a worker ends with its form: when the question is sent, and when the form is taken off the page", async () => {
  for (const end of [(there) => there.sends(), ({ page }) => page.evaluate(() => window.form().remove())]) {
    const there = await opened("/open");
    await there.field("title").fill("ab");
    await there.said(1);
    await there.field("title").fill("abc");
    await end(there);
    await there.page.waitForFunction(() => window.workers.length > 0 && window.workers.every(({ isGone }) => isGone));
    assert.deepEqual(there.page.faults, []);
    await there.page.context().close();
  }
});

test("what has everything in one file names no other", () => {
  // A development build has no view for hosts that run no wasm.
  for (const name of ["inline.js", "mcp-app.html"].filter((name) => existsSync(new URL(name, DIST)))) assert.ok(!file(name, "utf8").includes("fields.worker"), name);
});
