// Several tabs and devices on one question: none overwrites what another has kept, the tabs of a browser follow each other, and what was done is never lost.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { allDone, keepsStill, painted, until } from "./wait.mjs";

/** A host that keeps one walk under versions, as docs/delivery.md has it. */
class Shelf {
  walk;
  version = 0;
  puts = [];
  /** What comes in the place of an answer, once. */
  fault;

  async take(request, response) {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { walk } = JSON.parse(text);
    const held = request.headers["if-match"];
    const put = { held, typed: walk.typed };
    this.puts.push(put);
    if (held !== undefined && held !== this.etag) {
      put.status = 412;
      response.writeHead(412, { "Content-Type": "application/json", ETag: this.etag });
      return response.end(JSON.stringify({ message: "Behind.", walk: sorted(this.walk) }));
    }
    this.walk = walk;
    this.version += 1;
    const { fault } = this;
    this.fault = undefined;
    if (fault) return fault(request, response);
    put.status = 204;
    response.writeHead(204, { ETag: this.etag }).end();
  }

  get etag() {
    return `"${this.version}"`;
  }
}

/** As a host gives it back that keeps no order of members. */
const sorted = (value) =>
  Array.isArray(value) ? value.map(sorted)
  : typeof value === "object" && value !== null ? Object.fromEntries(Object.keys(value).sort().reverse().map((key) => [key, sorted(value[key])]))
  : value;

const REQUEST = {
  questions: [
    { id: "name", text: "Name?", answer_type: "text" },
    { id: "color", text: "Color?", answer_type: "text" },
    { id: "go", text: "Go?", answer_type: "boolean" },
  ],
};

let browser;
let shelf;
/** How many tests there were. What a page sends as it goes away comes to an address of its own test, and is no request of the next one's. */
let tests = 0;
const own = (url) => (url === undefined ? undefined : `/${tests}${url}`);
const isWalk = (request) => request.url === own("/walk");
const pages = [];
before(async () => (browser = await launch()));
after(() => browser.close());
afterEach(async () => {
  browser.meddle = undefined;
  tests += 1;
  for (const page of pages.splice(0)) {
    const faults = page.faults.splice(0);
    await page.context().close();
    // A browser notes each refusal of a host.
    assert.deepEqual(faults.filter((fault) => !/ 412 /.test(fault)), []);
  }
});

/** A form on a page of its own, which shares nothing with another but the host: a device. Its time may stand still, and then passes as the test says. */
async function form(/** @type {{ attributes?: any, request?: any, walk?: any, host?: any, isDevice?: any, stands?: any, before?: any }} */ { attributes = { "save-url": "/walk" }, request = REQUEST, walk, host = {}, isDevice = true, stands = false, before = () => {} } = {}) {
  const page = await browser.page();
  pages.push(page);
  await page.evaluate(before);
  if (isDevice) await page.evaluate(() => delete window.BroadcastChannel);
  const pass = stands ? await browser.stopped(page) : undefined;
  return { ...(await shown(page, { attributes, request, walk, host })), pass };
}

/** Another form on a page. */
async function shown(page, /** @type {{ attributes?: any, request?: any, walk?: any, host?: any }} */ { attributes = { "save-url": "/walk" }, request = REQUEST, walk, host = {} } = {}) {
  const name = await page.evaluate(
    ({ attributes, request, walk, host }) => {
      window.steps ??= {};
      const element = document.createElement("ask-user");
      const id = `form-${document.querySelectorAll("ask-user").length}`;
      element.id = id;
      for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
      if (host.storage) host.storage = { get: (key) => localStorage.getItem(key), set: (key, text) => localStorage.setItem(key, text) };
      element.host = { layout: "steps", ...host };
      element.walk = walk;
      element.request = request;
      document.querySelector("main").append(element);
      return id;
    },
    { attributes: { ...attributes, "save-url": own(attributes["save-url"]) }, request, walk, host },
  );
  const find = (selector) => page.locator(`#${name}`).locator(selector);
  return {
    page, find,
    // Until the rest of the wasm is there, a question is only shown.
    asked: (id) => find(`[data-question=${id}]:not([inert] *)`).waitFor(),
    walk: () => page.evaluate((name) => /** @type {any} */ (document.getElementById(name)).walk, name),
    async answers(text) {
      await find("[data-field]").fill(text);
      await find("[type=submit]").click();
    },
    told: () => find(".notice").getByText("another tab or on another device"),
  };
}

/** Waits until the host has a walk with so many answers. */
const kept = (count) => until(() => shelf.walk?.log.length, `a walk with ${count} answers`, (answers) => answers === count);

/** After a form has changed by itself, what is done to it at once does not count. */
const still = async ({ page }) => {
  await painted(page);
  await keepsStill(page);
};

function keeps() {
  shelf = new Shelf();
  browser.meddle = (request, response, forward) => (isWalk(request) ? shelf.take(request, response) : forward());
}

test("a form that nobody has touched keeps nothing", async () => {
  keeps();
  const one = await form({ stands: true });
  await one.asked("name");
  await one.pass(60_000);
  await allDone(one.page);
  assert.deepEqual(shelf.puts, []);
});

test("each walk that is kept names the version that it replaces", async () => {
  keeps();
  const one = await form({ attributes: { "save-url": "/walk", "save-version": '"0"' } });
  await one.answers("Ada");
  await kept(1);
  await one.answers("blue");
  await kept(2);
  assert.deepEqual(shelf.puts.map(({ held, status }) => [held, status]), shelf.puts.map((_, place) => [`"${place}"`, 204]));
});

test("a device that falls behind is told, shows what the other one did, and can have its own answers back", async () => {
  keeps();
  const version = { attributes: { "save-url": "/walk", "save-version": '"0"' } };
  const [one, other] = [await form(version), await form(version)];
  await one.answers("Ada");
  await one.answers("blue");
  await one.asked("go");
  await kept(2);
  await other.find("[data-field]").fill("Grace");
  await other.asked("go");
  await other.told().waitFor();
  assert.deepEqual((await other.walk()).log, (await one.walk()).log);
  assert.deepEqual(shelf.walk.log, (await one.walk()).log, "nothing of the first was overwritten");

  await other.find(".notice button").click();
  await other.asked("name");
  assert.equal(await other.find("[data-field]").inputValue(), "Grace");
  assert.equal(await other.find(".notice").count(), 0);
  await until(() => shelf.walk.typed?.name, "the typed name", (name) => name === "Grace");
  assert.deepEqual(shelf.walk.log, (await other.walk()).log);

  await one.find("[data-way=back]").click();
  await one.told().waitFor();
  await one.asked("name");
  assert.deepEqual(sorted(await one.walk()), sorted(shelf.walk));
});

test("a secret that was typed comes back with the answers of its page", async () => {
  keeps();
  const request = { questions: [{ id: "key", text: "Key?", answer_type: "secret" }, ...REQUEST.questions] };
  const version = { request, attributes: { "save-url": "/walk", "save-version": '"0"' } };
  const [one, other] = [await form(version), await form(version)];
  await one.answers("hunter2");
  await kept(1);
  await other.answers("correct horse");
  await other.told().waitFor();
  await other.asked("key");
  await other.find(".notice button").click();
  await other.asked("name");
  assert.ok(!JSON.stringify(shelf.puts).includes("horse"));
});

test("a walk whose acknowledgement was lost is no walk of another page", async () => {
  keeps();
  const one = await form({ attributes: { "save-url": "/walk", "save-version": '"0"' } });
  await one.asked("name");
  shelf.fault = (request) => request.socket.destroy();
  await one.answers("Ada");
  // A browser asks again by itself where a connection was cut before anything came.
  await until(() => shelf.puts, "a refusal", (puts) => puts.some(({ status }) => status === 412));
  await one.answers("blue");
  await kept(2);
  assert.deepEqual(shelf.puts[0].status, undefined);
  assert.equal(await one.find(".notice").count(), 0);
  await one.asked("go");
});

test("what is typed while a page goes away is kept, though the walk before it is on its way", async () => {
  keeps();
  const one = await form({ attributes: { "save-url": "/walk", "save-version": '"0"' } });
  await one.asked("name");
  shelf.fault = () => {};
  await one.find("[data-field]").fill("Ad");
  await until(() => shelf.version, "a walk");
  await one.find("[data-field]").fill("Ada");
  await one.page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await until(() => shelf.walk.typed.name, "the typed name", (name) => name === "Ada");
  assert.equal(shelf.puts.at(-1).held, undefined);
});

test("a host that refuses every version is told of, and not asked for ever", async () => {
  let puts = 0;
  browser.meddle = (request, response, forward) => {
    if (!isWalk(request)) return forward();
    puts += 1;
    response.writeHead(412, { ETag: '"1"', "Content-Type": "application/json" }).end(JSON.stringify({ walk: { log: [] } }));
  };
  const one = await form({ attributes: { "save-url": "/walk", "save-version": '"1"' }, stands: true });
  await one.page.evaluate(() => {
    addEventListener("error", (event) => event.preventDefault());
    document.addEventListener("ask-user-error", ({ detail }) => (window.told = detail.error.message));
  });
  await one.answers("Ada");
  await one.pass(300);
  await one.page.waitForFunction(() => window.told);
  assert.match(await one.page.evaluate(() => window.told), new RegExp(`could not be kept at ${own("/walk")}: 412`));
  await one.asked("color");
  await one.pass(500);
  await allDone(one.page);
  const before = puts;
  await one.pass(60_000);
  await allDone(one.page);
  assert.equal(puts, before);
  one.page.faults.length = 0;
});

test("a host that has another version each time is not asked without end", async () => {
  let puts = 0;
  browser.meddle = async (request, response, forward) => {
    if (!isWalk(request)) return forward();
    let text = "";
    for await (const chunk of request) text += chunk;
    puts += 1;
    response.writeHead(412, { ETag: `"${puts}"`, "Content-Type": "application/json" }).end(text);
  };
  const one = await form({ attributes: { "save-url": "/walk", "save-version": '"0"' }, stands: true });
  await one.page.evaluate(() => {
    addEventListener("error", (event) => event.preventDefault());
    document.addEventListener("ask-user-error", ({ detail }) => (window.told = detail.error.message));
  });
  await one.find("[data-field]").fill("Ada");
  await one.pass(300);
  await one.page.waitForFunction(() => window.told);
  const before = puts;
  await one.pass(60_000);
  await allDone(one.page);
  assert.equal(puts, before);
  assert.ok(puts < 20, String(puts));
  one.page.faults.length = 0;
});

test("a walk of another form that a host has is replaced, and not shown", async () => {
  keeps();
  shelf.walk = { ask_user_walk: 1, form: "another", log: [] };
  shelf.version = 5;
  const one = await form({ attributes: { "save-url": "/walk", "save-version": '"0"' } });
  await one.answers("Ada");
  await one.asked("color");
  await kept(1);
  assert.equal(await one.find(".notice").count(), 0);
});

test("an end is kept, whatever another device has kept meanwhile", async () => {
  keeps();
  const version = { attributes: { "save-url": "/walk", "save-version": '"0"', "respond-url": "/respond?status=503" } };
  const request = { questions: [REQUEST.questions[2]] };
  const [one, other] = [await form({ ...version, request }), await form({ ...version, request })];
  await Promise.all([one.asked("go"), other.asked("go")]);
  await one.find("[data-way=reply]").click();
  await one.find("#reply").fill("Wait");
  await until(() => shelf.version, "a walk");
  await other.find("[data-answer=yes]").click();
  await other.find("[data-delivery=retrying]").waitFor();
  // Whoever comes back finds the end, and its page sends it.
  await kept((await other.walk()).log.length);
  for (const page of [one.page, other.page]) page.faults.length = 0;
});

test("a host without versions, or with weak ones, is sent what it always was", async () => {
  const headers = [];
  browser.meddle = (request, response, forward) => {
    if (!isWalk(request)) return forward();
    headers.push(request.headers["if-match"]);
    request.resume();
    response.writeHead(200, { ETag: 'W/"1"' }).end();
  };
  const one = await form();
  await one.answers("Ada");
  await until(() => headers.length, "a walk");
  const before = headers.length;
  await one.answers("blue");
  await until(() => headers.length, "another walk", (count) => count > before);
  assert.deepEqual(new Set(headers), new Set([undefined]));
});

for (const [what, settings] of /** @type {any[][]} */ ([["a save-url", {}], ["a storage", { attributes: {}, host: { storage: true } }]])) {
  test(`tabs with ${what} follow each other at once, typed text included, and one that is opened later too`, async () => {
    keeps();
    const one = await form({ ...settings, isDevice: false });
    const other = await shown(one.page, settings);
    await Promise.all([one.asked("name"), other.asked("name")]);
    await one.answers("Ada");
    await other.asked("color");
    await other.find("[data-field]").fill("blu");
    await until(() => one.find("[data-field]").inputValue(), "what was typed in the other tab", (text) => text === "blu");
    await still(one);
    await one.answers("blue");
    await other.asked("go");
    await still(other);
    await other.find("[data-way=back]").click();
    await one.asked("color");
    const third = await shown(one.page, settings);
    await third.asked("color");
    for (const tab of [one, other, third]) {
      assert.equal(await tab.find("[data-field]").inputValue(), "blue");
      assert.equal(await tab.find(".notice").count(), 0, "nothing was lost: nothing is said");
    }
    assert.deepEqual(await one.walk(), await other.walk());
    assert.deepEqual(await one.walk(), await third.walk());
  });
}

test("a storage that a host gives later keeps what comes after", async () => {
  keeps();
  const one = await form({ attributes: {}, isDevice: false });
  await one.answers("Ada");
  await one.asked("color");
  await one.page.evaluate(() => {
    window.kept = [];
    const element = document.querySelector("ask-user");
    // What keeps it is fetched first.
    const begun = new Promise((resolve) => element.addEventListener("ask-user-begun", resolve, { once: true }));
    element.host = { layout: "steps", storage: { get: () => null, set: (_key, text) => void window.kept.push(JSON.parse(text)) } };
    return begun;
  });
  await one.answers("blue");
  await one.page.waitForFunction(() => window.kept.at(-1)?.walk.log.length === 2);
});

test("what is no message of a tab does nothing", async () => {
  keeps();
  const before = () => {
    window.BroadcastChannel = class extends BroadcastChannel {
      constructor(name) {
        super(name);
        window.channelName = name;
      }
    };
  };
  const one = await form({ isDevice: false, before });
  const other = await shown(one.page);
  await Promise.all([one.asked("name"), other.asked("name")]);
  await one.page.evaluate(() => {
    const { walk } = document.querySelector("ask-user");
    const channel = new BroadcastChannel(window.channelName);
    window.heard = 0;
    channel.addEventListener("message", () => (window.heard += 1));
    const odd = [null, undefined, 5, "x", [], {}, { walk }, { walk, at: 5 }, { walk: 5, at: [9, "z"], base: [0, ""] }, { walk: {}, at: [9, "z"] }, { walk: null, at: [10, "z"] }, { walk: { ...walk, form: "another" }, at: [10, "z"], base: [0, ""] }, { at: [11, "z"], version: 5 }, { how: 5 }];
    for (const message of odd) channel.postMessage(message);
    window.hello = () => channel.postMessage({ hello: true });
  });
  await one.page.waitForFunction(() => (window.hello(), window.heard >= 2));
  await one.asked("name");
  await still(one);
  await one.answers("Ada");
  await one.asked("color");
});

test("tabs keep their walk one after the other, and only the one in which something was done", async () => {
  keeps();
  const settings = { attributes: { "save-url": "/walk", "save-version": '"0"' } };
  const one = await form({ ...settings, isDevice: false, stands: true });
  const other = await shown(one.page, settings);
  await Promise.all([one.asked("name"), other.asked("name")]);
  await one.answers("Ada");
  await one.pass(100);
  await other.asked("color");
  await one.pass(200);
  await kept(1);
  await still(other);
  await other.answers("blue");
  await one.pass(100);
  await one.asked("go");
  await one.pass(200);
  await kept(2);
  const { version } = shelf;
  await one.pass(60_000);
  await allDone(one.page);
  assert.equal(shelf.version, version);
  assert.equal(await other.find(".notice").count() + (await one.find(".notice").count()), 0);
  // A tab that has not heard yet which version the other's walk has is told by the server, and keeps its own again.
  // What is typed is kept too where the answer comes later than the pause after typing.
  assert.equal(shelf.puts.filter(({ status, typed }) => status === 204 && !typed).length, 2, JSON.stringify(shelf.puts));
  assert.equal(shelf.puts.at(-1).status, 204);
});

test("forms that ask something else, or belong to another address, do not follow", async () => {
  keeps();
  const one = await form({ isDevice: false, stands: true });
  const follower = await shown(one.page);
  const others = [
    await shown(one.page, { attributes: { "save-url": "/walk?other" } }),
    await shown(one.page, { attributes: { "save-url": "/walk", "tool-call-id": "call_2" } }),
    await shown(one.page, { attributes: {} }),
    await shown(one.page, { host: { nonce: "another" } }),
  ];
  for (const { asked } of [follower, ...others]) await asked("name");
  await one.answers("Ada");
  await one.asked("color");
  await one.pass(1_000);
  await follower.asked("color");
  await allDone(one.page);
  for (const other of others) assert.equal(await other.find("[data-question=name]").count(), 1);
});

test("an end counts in the other tabs once the host has it, and not before", async () => {
  keeps();
  const request = { questions: [REQUEST.questions[2]] };
  for (const [clicks, how, said] of /** @type {any[][]} */ ([
    [["[data-answer=yes]"], "answered", /[Aa]nswered elsewhere/],
    [["[data-way=reply]", "[data-send-reply]"], "declined", /[Dd]eclined elsewhere/],
    [["[data-way=end-turn]", "[data-end-turn]"], "turn_ended", /turn was ended elsewhere/],
  ])) {
    const settings = { request, attributes: { "save-url": "/walk", "respond-url": "/respond?status=503&times=1&retry-after=30", "cancel-url": "/respond?status=503&times=1&retry-after=30" } };
    const one = await form({ ...settings, isDevice: false });
    const other = await shown(one.page, settings);
    await Promise.all([one.asked("go"), other.asked("go")]);
    await one.page.evaluate(() => {
      window.closings = [];
      document.addEventListener("ask-user-closed", ({ detail, target }) => window.closings.push([/** @type {any} */ (target).id, detail.how]));
    });
    for (const selector of clicks) await one.find(selector).click();
    await one.find("[data-delivery=retrying]").waitFor();
    await other.asked("go");
    await one.find("[data-delivery=retrying] [data-again]").click();
    await one.find("[data-delivery=sent]").waitFor();
    await other.find("[data-closed]").waitFor();
    assert.match(await other.find("[data-closed]").textContent(), said);
    assert.deepEqual(await one.page.evaluate(() => window.closings), [["form-1", how]]);
    one.page.faults.length = 0;
    await pages.pop().context().close();
  }
});

test("a page of several questions that is ended in another tab names them, and what was typed can be copied", async () => {
  keeps();
  const settings = { host: { layout: "page" }, attributes: { "save-url": "/walk", "respond-url": "/respond" } };
  const one = await form({ ...settings, isDevice: false });
  const other = await shown(one.page, settings);
  await Promise.all([one.asked("name"), other.asked("name")]);
  await one.find("[data-on-page=color] textarea").fill("green");
  await until(() => other.find("[data-on-page=color] textarea").inputValue(), "what was typed in the other tab", (text) => text === "green");
  await one.find("[data-way=reply]").click();
  await one.find("[data-send-reply]").click();
  await other.find("[data-closed]").waitFor();
  assert.deepEqual(await other.find(".closed dt").allTextContents(), ["Name?", "Color?", "Go?"]);
  assert.deepEqual(await other.find(".closed dd").allTextContents(), ["Not answered", "green", "Not answered"]);
});

test("a tab in which something was typed at the same moment can have it back", async () => {
  keeps();
  const before = () => {
    window.heard = 0;
    window.BroadcastChannel = class extends BroadcastChannel {
      constructor(name) {
        super(name);
        this.addEventListener("message", () => (window.heard += 1));
      }
    };
  };
  const one = await form({ isDevice: false, stands: true, before });
  const other = await shown(one.page);
  await Promise.all([one.asked("name"), other.asked("name")]);
  // Each knows of the other: one has said that it is there, and was answered.
  await one.page.waitForFunction(() => window.heard >= 2);
  // Both change in one task: neither has heard of the other.
  await one.page.evaluate(() => {
    for (const id of ["form-0", "form-1"]) {
      const { shadowRoot } = document.getElementById(id);
      const field = shadowRoot.querySelector("[data-field]");
      field.value = `typed in ${id}`;
      field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    }
  });
  await one.pass(100);
  const tabs = [one, other];
  const told = () => Promise.all(tabs.map((tab) => tab.told().count()));
  const texts = () => Promise.all(tabs.map(({ find }) => find("[data-field]").inputValue()));
  const [first] = await until(told, "one tab that says so", (counts) => counts[0] + counts[1] === 1);
  const theirs = await texts();
  assert.equal(theirs[0], theirs[1]);
  await tabs[first ? 0 : 1].find(".notice button").click();
  const again = await until(texts, "the other text", (now) => now.every((text) => text !== theirs[0]));
  assert.equal(again[0], again[1]);
});
