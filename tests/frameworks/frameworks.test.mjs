// The element in real frameworks, whose parents make everything anew and render all the time: what a person has typed, where the caret is
// and how far it has come outlast it, and each record and each result is told once. Ends are looked at too: hidden, moved, removed.
// `npm ci` in this folder first.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";
import { launch, WATCH } from "../js/browser.mjs";
import { POLICY } from "../../playground/server.mjs";
import { allDone, equip, passed, until } from "../js/wait.mjs";
import { bundle } from "./bundle.mjs";

/** The policy of all pages, with one name for trusted types. */
const trusting = (name) => POLICY.replace("trusted-types 'none'", `trusted-types ${name}`);

/** The apps: their sources, the version of React, and what their page must allow beside what all allow. */
const APPS = {
  react18: { name: "React 18", entry: "apps/react.js", react: 18 },
  react19: { name: "React 19", entry: "apps/react.js" },
  jsx19: { name: "React 19, the element itself", entry: "apps/react-jsx.js" },
  // These make a policy for markup when they are loaded, whether it is used or not.
  vue: { name: "Vue 3", entry: "apps/vue.js", policy: trusting("vue") },
  svelte: { name: "Svelte 5", entry: "apps/svelte.svelte.js", policy: trusting("svelte-trusted-html") },
  solid: { name: "Solid", entry: "apps/solid.js" },
};
const REACTS = ["react18", "react19"];
const WITH_SCENES = [...REACTS, "vue", "svelte", "solid"];
const page = (app, content = "") => `<!doctype html>
<html lang="en"><title>${app}</title>${WATCH}<div id="app">${content}</div><script type="module" src="/${app}.js"></script></html>`;

let browser;
before(async () => {
  const pages = {};
  for (const [app, { entry, react, policy }] of Object.entries(APPS)) {
    pages[`/${app}`] = { content: page(app), policy };
    pages[`/${app}.js`] = await bundle(entry, { react });
  }
  for (const app of REACTS) pages[`/${app}/rendered`] = page(app, await rendered(APPS[app].react));
  browser = await launch({ pages });
});
const opens = [];
afterEach(async () => {
  browser.meddle = undefined;
  // Its parent would render on.
  for (const page of opens.splice(0)) await page.close();
});
after(() => browser?.close());

/** What a server makes of the page with a form. What it warns of is an error. */
async function rendered(react) {
  const module = { exports: {} };
  const script = await bundle("apps/server.js", { react, server: true });
  const element = createRequire(import.meta.url).resolve("../../pkg/dist/ask-user.js");
  await import(element);
  const require = (name) => (name === "/pkg/dist/ask-user.js" ? {} : createRequire(import.meta.url)(name));
  new Function("module", "exports", "require", script)(module, module.exports, require);
  const warn = console.error;
  console.error = (...said) => {
    throw new Error(said.join(" "));
  };
  try {
    return module.exports.html();
  } finally {
    console.error = warn;
  }
}

/** A person at one form of a page, who acts on what is painted. */
class Person {
  constructor(page, form = page.locator("ask-user")) {
    this.page = page;
    this.form = form;
  }

  find(selector) {
    return this.form.locator(selector);
  }

  painted() {
    return this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  async click(selector) {
    await this.find(selector).waitFor();
    await this.painted();
    await this.find(selector).click();
    await this.painted();
  }

  async at(question) {
    await this.find(`[data-question=${question}]:not([inert] *)`).waitFor();
    await this.painted();
  }

  async type(text) {
    await this.page.keyboard.type(text, { delay: 15 });
    await this.painted();
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key, { delay: 15 });
    await this.painted();
  }

  /** The field of the question: what it holds, where the caret is, and whether it has the focus. */
  field() {
    return this.find("[data-field]").first().evaluate((field) => ({
      value: field.value,
      caret: field.selectionStart,
      focused: field.getRootNode().activeElement === field && document.activeElement === field.getRootNode().host,
    }));
  }

  /** Answers all questions of a whole form that is at its first. */
  async finish(text, token = "s3cret") {
    await this.at("log");
    await this.find("[data-field]").fill(text);
    await this.click("[type=submit]");
    await this.secret(token);
    await this.choices();
  }

  async secret(token) {
    await this.at("token");
    await this.find("[data-field]").fill(token);
    await this.click("[type=submit]");
  }

  async choices() {
    await this.at("parts");
    await this.click("label[for=option-1]");
    await this.click("[type=submit]");
    await this.at("go");
    await this.click("[data-answer=yes]");
  }
}

/** The page of an app; it is closed after its test. */
const opened = async (app, path = `/${app}`) => {
  const page = await browser.page(path);
  opens.push(page);
  page.setDefaultTimeout(10_000);
  await page.waitForFunction(() => window.mount && customElements.get("ask-user"));
  return page;
};
const mount = (page, scene, state = {}) => page.evaluate(([scene, state]) => window.mount(scene, state), [scene, state]);
const change = (page, state) => page.evaluate((state) => window.change(state), state);
const told = (page, name, form = undefined) =>
  page.evaluate(
    ([name, form]) => window.told.filter((one) => one[0] === name && (!form || one[2] === form)).map(([, detail]) => detail),
    [name, form],
  );
/** Waits until a page has done what it had begun, and what its framework had put off for less than so many milliseconds. */
async function settles(page, milliseconds) {
  await passed(page, milliseconds);
  await allDone(page);
}
/** Waits until the parent that renders all the time has done so again, so often. */
async function renders(page, times) {
  const renders = () => page.evaluate(() => window.renders);
  const before = await renders();
  await until(renders, `${times} more renders`, (now) => now >= before + times);
}

/** Each record once, and one result, which also was delivered once. */
async function onceEach(page, form = undefined, deliveries = 1) {
  const records = (await told(page, "record", form)).map(({ record }) => JSON.stringify(record));
  assert.deepEqual(records, [...new Set(records)], "a record is told again");
  assert.equal((await told(page, "result", form)).length, 1, "there is one result");
  assert.equal(await page.evaluate(() => window.delivered.length), deliveries, "it is delivered once");
  assert.equal((await told(page, "ready", form)).length, 1, "the form has begun once");
}
const named = (app, what) => `${APPS[app].name}: ${what}`;

for (const app of Object.keys(APPS)) {
  test(named(app, "a parent that renders all the time, with everything made anew, disturbs nobody"), async () => {
    const page = await opened(app);
    await mount(page, "busy", { label: "Deploy agent" });
    const person = new Person(page);
    await person.at("log");
    await person.click("[data-field]");
    await person.type("Moved the cache to the region");
    await person.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
    await person.type("new ");
    await renders(page, 4);
    assert.deepEqual(await person.field(), { value: "Moved the cache to the regnew ion", caret: 30, focused: true });
    await change(page, { label: "Another agent" });
    await renders(page, 2);
    assert.deepEqual(await person.field(), { value: "Moved the cache to the regnew ion", caret: 30, focused: true });
    await person.click("[type=submit]");

    await person.at("token");
    await person.find("[data-field]").click();
    await person.type("s3c");
    await person.click("[data-way=back]");
    await person.at("log");
    assert.equal((await person.field()).value, "Moved the cache to the regnew ion");
    await person.click("[type=submit]");
    await person.at("token");
    await person.find("[data-field]").fill("");
    await person.type("s3c");
    await renders(page, 3);
    await person.type("ret");
    assert.deepEqual(await person.field(), { value: "s3cret", caret: 6, focused: true });
    await person.press("Enter");

    await person.at("parts");
    await person.click("label[for=option-0]");
    await person.click("label[for=option-2]");
    await renders(page, 3);
    const options = person.find("#option-0, #option-1, #option-2");
    assert.deepEqual(await options.evaluateAll((inputs) => inputs.map(({ checked }) => checked)), [true, false, true]);
    await person.click("[type=submit]");
    await person.at("go");
    await person.click("[data-answer=yes]");
    await person.find("[part=receipt]").waitFor();
    await renders(page, 4);
    const [end] = await told(page, "result");
    assert.deepEqual(end.result, { log: "Moved the cache to the regnew ion", token: "[redacted]", parts: ["web", "docs"], go: true });
    assert.deepEqual(end.secrets, { token: "s3cret" });
    assert.ok(await page.evaluate(() => window.renders) > 60, "the parent has rendered all the time");
    await onceEach(page);
    assert.deepEqual(await told(page, "error"), []);
    assert.deepEqual(page.faults, []);
  });
}

for (const app of WITH_SCENES) {
  test(named(app, "forms in a list that is put in another order keep what was typed, and their walks"), async () => {
    const page = await opened(app);
    await mount(page, "list", { order: ["one", "two", "three"] });
    for (const name of ["one", "two", "three"]) {
      const person = new Person(page, page.locator("ask-user", { hasText: `${name}?` }));
      await person.at("log");
      await person.find("[data-field]").fill(`text of ${name}`);
    }
    await page.evaluate(() => void (window.forms = [...document.querySelectorAll("ask-user")]));
    const second = new Person(page, page.locator("ask-user").nth(1));
    await second.click("[type=submit]");
    await second.at("token");
    await second.find("[data-field]").fill("s3c");
    for (const order of [["three", "two", "one"], ["two", "one", "three"], ["three", "one", "two"]]) {
      await change(page, { order });
      await settles(page, 50);
    }
    assert.deepEqual(await page.locator("ask-user").evaluateAll((forms) => forms.map((form) => window.forms.indexOf(form))), [2, 0, 1]);
    const [third, first, moved] = [0, 1, 2].map((place) => new Person(page, page.locator("ask-user").nth(place)));
    assert.equal((await third.field()).value, "text of three");
    assert.equal((await first.field()).value, "text of one");
    await moved.at("token");
    assert.equal((await moved.field()).value, "s3c");
    await moved.click("[type=submit]");
    await moved.choices();
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    assert.equal((await told(page, "result", "two"))[0].secrets.token, "s3c");
    await onceEach(page, "two");
    assert.deepEqual(await told(page, "result", "one"), []);
    await first.finish("first", "a");
    await third.finish("third", "b");
    await page.waitForFunction(() => window.delivered.length === 3);
    assert.deepEqual((await told(page, "result", "one"))[0].result.log, "first");
    assert.deepEqual((await told(page, "result", "three"))[0].secrets.token, "b");
    await onceEach(page, "three", 3);
    assert.deepEqual(page.faults, []);
  });
}

for (const app of WITH_SCENES) {
  test(named(app, "in a dialog and in a popover a form is what it is elsewhere"), async () => {
    const page = await opened(app);
    await mount(page, "above", { open: "dialog" });
    const [first, second] = ["first", "second"].map((id) => new Person(page, page.locator(`#${id}`)));
    await first.at("log");
    await first.click("[data-field]");
    await first.type("in a dialog");
    await change(page, { open: "popover" });
    await second.at("log");
    await second.click("[data-field]");
    await second.type("in a popover");
    await change(page, { open: "dialog" });
    assert.equal((await first.field()).value, "in a dialog");
    await first.click("[data-field]");
    await first.press("Control+Enter");
    await first.secret("s3cret");
    await first.choices();
    await page.waitForFunction(() => window.delivered.length === 1);
    await onceEach(page, "first");
    await change(page, { open: "popover" });
    assert.equal((await second.field()).value, "in a popover");
    assert.deepEqual(await told(page, "result", "second"), []);
    assert.deepEqual(page.faults, []);
  });

  for (const how of ["in time", "at once"]) {
    test(named(app, `a form may be taken off the page by its own result, ${how}`), async () => {
      const page = await opened(app);
      await mount(page, "leaving", { how });
      const person = new Person(page);
      await person.at("go");
      await person.click("[data-answer=yes]");
      await person.form.waitFor({ state: "detached" });
      await settles(page, 100);
      await onceEach(page);
      assert.deepEqual(page.faults, []);
    });
  }

  test(named(app, "a form that is taken off the page while its wasm loads leaves nothing behind"), async () => {
    const page = await opened(app);
    let release;
    const held = new Promise((/** @type {any} */ resolve) => (release = resolve));
    const asked = new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      browser.meddle = async (request, _response, forward) => {
        if (request.url.endsWith("form.first.wasm")) await (resolve(), held);
        return forward();
      };
    });
    await mount(page, "shown", { shown: true });
    await asked;
    await change(page, { shown: false });
    release();
    await settles(page, 300);
    assert.deepEqual(await page.evaluate(() => window.told), []);
    await change(page, { shown: true });
    await new Person(page).finish("after all");
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    await onceEach(page);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "a form that is taken off the page at any moment tells nothing more, and breaks nothing"), async () => {
    const page = await opened(app);
    await mount(page, "shown", { shown: false });
    await equip(page);
    for (const wait of [0, 1, 2, 4, 8, 16, 32]) {
      await page.evaluate(async (wait) => {
        window.change({ shown: true });
        await window.passed(wait);
        window.change({ shown: false });
        await window.passed(20);
        window.told.length = 0;
        await window.passed(50);
      }, wait);
      assert.deepEqual(await page.evaluate(() => window.told), []);
      assert.equal(await page.locator("ask-user").count(), 0);
    }
    await page.evaluate(() => window.unmount());
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "a form that is made again with its saved walk, as by a hot reload, goes on where it was"), async () => {
    const page = await opened(app);
    await mount(page, "shown", { shown: true });
    const person = new Person(page);
    await person.at("log");
    await person.find("[data-field]").fill("kept");
    await person.click("[type=submit]");
    await person.secret("s3cret");
    await person.at("parts");
    await person.click("[data-way=back]");
    await person.click("[data-way=back]");
    await person.at("log");
    await person.find("[data-field]").fill("kept, and more");
    const walk = await page.evaluate(() => JSON.stringify(document.querySelector("ask-user").walk));
    assert.doesNotMatch(walk, /s3cret/);
    await change(page, { shown: false });
    await person.form.waitFor({ state: "detached" });
    await change(page, { shown: true, walk: JSON.parse(walk) });
    await person.at("log");
    assert.equal((await person.field()).value, "kept, and more");
    assert.equal((await told(page, "ready")).at(-1).unresumable, undefined);
    await person.finish("kept, and more");
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    assert.deepEqual((await told(page, "result")).map(({ result }) => result.log), ["kept, and more"]);
    // A result that has been told is none that is told again.
    const [before, ended] = [await told(page, "result"), await page.evaluate(() => JSON.stringify(document.querySelector("ask-user").walk))];
    await change(page, { walk: JSON.parse(ended) });
    await settles(page, 100);
    assert.deepEqual(await told(page, "result"), before);
    assert.deepEqual(page.faults, []);
  });
}

for (const app of REACTS) {
  test(named(app, "a page may keep every walk that the form gives, and pass it back"), async () => {
    const page = await opened(app);
    await mount(page, "feeding");
    const person = new Person(page);
    await person.at("log");
    await person.click("[data-field]");
    await person.type("one two three four five");
    assert.deepEqual(await person.field(), { value: "one two three four five", caret: 23, focused: true });
    await person.click("[type=submit]");
    await person.secret("s3cret");
    await person.choices();
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    assert.deepEqual((await told(page, "result"))[0].secrets, { token: "s3cret" });
    await settles(page, 100);
    await onceEach(page, undefined, 0);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "what Suspense hides and shows again is as it was, and tells what happened meanwhile"), async () => {
    const page = await opened(app);
    await mount(page, "suspended", { waiting: false });
    const person = new Person(page);
    await person.at("log");
    await person.find("[data-field]").fill("half a ");
    await change(page, { waiting: true });
    await page.getByText("waiting").waitFor();
    assert.equal(await person.form.isVisible(), false);
    await change(page, { waiting: false });
    await page.evaluate(() => window.release());
    await page.getByText("here").waitFor();
    assert.equal((await person.field()).value, "half a ");
    await person.click("[type=submit]");
    await page.waitForFunction(() => window.conclude);
    await change(page, { waiting: true });
    await page.getByText("waiting").waitFor();
    await page.evaluate(() => window.conclude());
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    await change(page, { waiting: false });
    await page.evaluate(() => window.release());
    await page.getByText("here").waitFor();
    await settles(page, 100);
    await person.find("[part=receipt]").waitFor();
    await onceEach(page);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "a portal to another place begins another element, which goes on with the walk"), async () => {
    const page = await opened(app);
    await mount(page, "moved", { place: "left" });
    const person = new Person(page);
    await person.at("log");
    await person.click("[data-field]");
    await person.type("half a text");
    await change(page, { place: "right" });
    await page.locator("#right ask-user").waitFor();
    await person.at("log");
    assert.equal((await person.field()).value, "half a text");
    await person.click("[type=submit]");
    await person.at("token");
    await change(page, { place: "left" });
    await page.locator("#left ask-user").waitFor();
    await person.secret("s3cret");
    await person.choices();
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    const ends = await told(page, "result");
    assert.deepEqual(ends.map(({ result }) => result.log), ["half a text"]);
    assert.deepEqual((await told(page, "ready")).map(({ unresumable }) => unresumable), [undefined, undefined, undefined]);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "a walk that comes after the request is taken up"), async () => {
    const page = await opened(app);
    await mount(page, "shown", { shown: true });
    const person = new Person(page);
    await person.at("log");
    await person.find("[data-field]").fill("from before");
    await person.click("[type=submit]");
    await person.at("token");
    const walk = await page.evaluate(() => document.querySelector("ask-user").walk);
    await page.evaluate(() => window.unmount());
    await mount(page, "shown", { shown: true });
    await person.at("log");
    await change(page, { walk });
    await person.at("token");
    assert.equal((await told(page, "ready")).at(-1).unresumable, undefined);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "a render that is given up asks nothing and hears nothing"), async () => {
    const page = await opened(app);
    await mount(page, "given", { version: 1 });
    const person = new Person(page);
    await person.at("go");
    await page.evaluate(() => window.transition({ version: 2 }));
    await settles(page, 100);
    assert.equal(await person.find("legend").textContent(), "Version 1?");
    await person.click("[data-answer=yes]");
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    assert.deepEqual(await page.evaluate(() => [...new Set(window.told.map(([, , form]) => form))]), [1]);
    await onceEach(page, 1, 0);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "the callback of the latest render is called, by the listeners of the first"), async () => {
    const page = await opened(app);
    await page.evaluate(() => {
      window.listeners = 0;
      const { addEventListener } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (name, ...more) {
        if (name.startsWith("ask-user-")) window.listeners += 1;
        return addEventListener.call(this, name, ...more);
      };
    });
    const request = { question: "Go on?", answer_type: "boolean" };
    await mount(page, "props", { request, version: "first" });
    const person = new Person(page);
    await person.at("answer");
    const listeners = await page.evaluate(() => window.listeners);
    // One for each event, and one that hears when the element has begun.
    assert.equal(listeners, 12);
    for (const version of ["second", "third"]) await change(page, { request, version });
    await person.click("[data-answer=yes]");
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    assert.equal((await told(page, "result", "third")).length, 1);
    assert.equal((await told(page, "result")).length, 1);
    assert.equal(await page.evaluate(() => window.listeners), listeners);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "an answer that can still be undone goes to the callback that its question was asked with, though the props are another question's by then"), async () => {
    const page = await opened(app);
    const ask = (question) => ({ request: { question, answer_type: "boolean" }, host: { undo: 30 } });
    await mount(page, "props", { ...ask("Go on?"), toolCallId: "a", version: "first" });
    const person = new Person(page);
    await person.at("answer");
    await person.click("[data-answer=yes]");
    await person.find("[data-undo]").waitFor();
    await change(page, { ...ask("Delete it?"), toolCallId: "b", version: "second" });
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    assert.deepEqual((await told(page, "result")).length, 1);
    assert.equal((await told(page, "result", "first")).length, 1);
    await person.at("answer");
    await person.click("[data-answer=no]");
    await person.find("[data-undo]").waitFor();
    await change(page, { request: undefined, version: "third" });
    await page.waitForFunction(() => window.told.filter(([name]) => name === "result").length === 2);
    assert.equal((await told(page, "result", "second")).length, 1);
  });

  test(named(app, "props are attributes and properties of the element; its ref is the element"), async () => {
    const page = await opened(app);
    const urls = { respondUrl: "/respond", cancelUrl: "/cancel", saveUrl: "/conversations/7/walk", eventsUrl: undefined };
    const request = { question: "Go on?", answer_type: "boolean" };
    const said = { label: "Deploy agent", dialect: "ask_user", toolCallId: "call_7", className: "wide", style: { color: "red" }, id: "form" };
    await mount(page, "props", { request, host: { review: false }, ...said, ...urls });
    await new Person(page).at("answer");
    const attributes = () => page.locator("ask-user").evaluate((form) =>
      Object.fromEntries([...form.attributes].map(({ name, value }) => [name, value])));
    const all = {
      class: "wide", style: "color: red;", id: "form", label: "Deploy agent", dialect: "ask_user", "tool-call-id": "call_7",
      "respond-url": "/respond", "cancel-url": "/cancel", "save-url": "/conversations/7/walk",
    };
    assert.deepEqual(await attributes(), all);
    const properties = await page.evaluate(() => {
      const form = window.formRef.current;
      return [form === document.querySelector("ask-user"), form.request, form.host];
    });
    assert.deepEqual(properties, [true, request, { review: false }]);
    assert.equal(await page.locator("ask-user").locator("[part=label]").textContent(), "Question from Deploy agent");
    await change(page, { label: "Another agent", saveUrl: null });
    const { "save-url": _, ...less } = all;
    assert.deepEqual(await attributes(), { ...less, label: "Another agent" });
    await change(page, { gone: true });
    assert.equal(await page.evaluate(() => window.formRef.current), null);
    await change(page, { gone: false, calls: true });
    assert.equal(await page.evaluate(() => window.called.at(-1)), "ask-user");
    await change(page, { gone: true });
    assert.equal(await page.evaluate(() => window.called.at(-1)), null);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "drafts and a receipt are props: the one begins a form with what was typed, the other shows an old ending and tells nothing"), async () => {
    const page = await opened(app);
    const request = { question: "Why?", answer_type: "text" };
    await mount(page, "props", { request });
    const person = new Person(page);
    await person.at("answer");
    await person.click("[data-field]");
    await person.type("half a text");
    await person.click("[data-way=reply]");
    await person.click("[data-send-reply]");
    await page.waitForFunction(() => window.formRef.current.drafts);
    const drafts = await page.evaluate(() => window.formRef.current.drafts);
    await change(page, { gone: true });
    await change(page, { gone: false, request, drafts });
    await person.at("answer");
    assert.equal((await person.field()).value, "half a text");
    await person.click("[type=submit]");
    await page.waitForFunction(() => window.told.filter(([name]) => name === "result").length === 2);
    const walk = await page.evaluate(() => window.formRef.current.walk);
    await change(page, { request: null, drafts: null, receipt: { request, walk } });
    await person.find("[data-ends] .answer").getByText("half a text").waitFor();
    assert.equal((await told(page, "result")).length, 2);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "a form without a request shows nothing, and one whose request is taken away neither"), async () => {
    const page = await opened(app);
    await mount(page, "props", {});
    await settles(page, 100);
    assert.deepEqual(await page.evaluate(() => window.told), []);
    await change(page, { request: { question: "Go on?", answer_type: "boolean" } });
    await new Person(page).at("answer");
    await change(page, { request: null });
    await settles(page, 100);
    assert.equal(await page.locator("ask-user").locator("[data-question]").count(), 0);
    assert.deepEqual(await told(page, "rejected"), []);
    assert.deepEqual(page.faults, []);
  });

  test(named(app, "what the agent and the host do wrong is told to their callbacks"), async () => {
    const page = await opened(app);
    await mount(page, "props", { request: { questions: [] }, dialect: "ask_user" });
    await page.waitForFunction(() => window.told.some(([name]) => name === "rejected"));
    assert.equal((await told(page, "rejected"))[0].problems[0].code, "empty_questions");
    await change(page, { request: { question: "Go on?", answer_type: "boolean" }, host: { labell: "x" } });
    await page.waitForFunction(() => window.told.some(([name]) => name === "error"));
    assert.match(page.faults.splice(0).join(), /labell/);
  });

  test(named(app, "what a server has rendered is taken over without a mismatch, and works"), async () => {
    const page = await opened(app, `/${app}/rendered`);
    assert.equal(await page.locator("#app").innerHTML(), '<main><ask-user id="form" class="wide"></ask-user></main>');
    await page.evaluate(() => void (window.rendered = document.querySelector("ask-user")));
    await page.evaluate(() => void window.hydrate());
    const person = new Person(page);
    await person.at("go");
    assert.equal(await page.evaluate(() => window.rendered === document.querySelector("ask-user")), true);
    assert.equal(await person.find("[part=label]").textContent(), "Question from Deploy agent");
    await person.click("[data-answer=yes]");
    await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
    await onceEach(page, undefined, 0);
    assert.deepEqual(page.faults, []);
  });
}

test("React 18: an object in plain JSX is the host's error, and no rejection of the agent's", async () => {
  const page = await opened("react18");
  await page.evaluate(() => {
    for (const name of ["error", "rejected", "ready"]) {
      document.addEventListener(`ask-user-${name}`, ({ detail }) => window.told.push([name, detail.error?.message]));
    }
  });
  await mount(page, "plain");
  await page.waitForFunction(() => window.told.length);
  await settles(page, 50);
  const seen = await page.evaluate(() => window.told);
  assert.deepEqual(seen.map(([name]) => name), ["error"]);
  assert.equal(await page.locator("ask-user").getAttribute("request"), "[object Object]");
  assert.equal(page.faults.splice(0).length, 1);
});

test("React 19: what an Activity hides and shows again is as it was, and tells what happened meanwhile", async () => {
  const page = await opened("react19");
  await mount(page, "active", { mode: "visible", words: "shown" });
  const person = new Person(page);
  await person.at("log");
  await person.find("[data-field]").fill("half a ");
  await change(page, { mode: "hidden" });
  await person.form.waitFor({ state: "hidden" });
  await settles(page, 100);
  await change(page, { mode: "visible" });
  await person.form.waitFor();
  assert.equal((await person.field()).value, "half a ");
  await person.click("[type=submit]");
  await page.waitForFunction(() => window.conclude);
  await change(page, { mode: "hidden", words: "hidden" });
  await person.form.waitFor({ state: "hidden" });
  // What is hidden is rendered when there is time.
  await settles(page, 200);
  await page.evaluate(() => window.conclude());
  await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
  assert.equal((await told(page, "result", "hidden")).length, 1);
  await change(page, { mode: "visible", words: "shown again" });
  await person.find("[part=receipt]").waitFor();
  await settles(page, 100);
  await onceEach(page);
  assert.deepEqual(page.faults, []);
});

test("React 19: an Activity that is hidden from the beginning begins when it is shown", async () => {
  const page = await opened("react19");
  await mount(page, "active", { mode: "hidden", words: "first" });
  await settles(page, 200);
  assert.deepEqual(await page.evaluate(() => window.told), []);
  await change(page, { mode: "visible" });
  await new Person(page).at("log");
  assert.equal((await told(page, "ready")).length, 1);
  assert.deepEqual(page.faults, []);
});

test("Vue 3: what KeepAlive puts away and back has its draft, and its end is told once", async () => {
  const page = await opened("vue");
  await mount(page, "kept", { shown: true });
  const person = new Person(page);
  await person.at("log");
  await person.find("[data-field]").fill("half a ");
  const away = async () => {
    await change(page, { shown: false });
    await person.form.waitFor({ state: "detached" });
    await settles(page, 50);
    await change(page, { shown: true });
    await person.form.waitFor();
  };
  await away();
  await person.at("log");
  assert.equal((await person.field()).value, "half a ");
  await person.find("[data-field]").fill("half a text");
  await person.click("[type=submit]");
  await person.secret("s3cret");
  await person.choices();
  await person.find("[part=receipt]").waitFor();
  const before = await page.evaluate(() => window.told.length);
  for (let turn = 0; turn < 2; turn += 1) {
    await away();
    await person.find("[part=receipt]").waitFor();
    await settles(page, 50);
  }
  const since = await page.evaluate((before) => window.told.slice(before).map(([name]) => name), before);
  assert.deepEqual(since, [], "a form that is put back after its end tells nothing");
  assert.equal((await told(page, "result"))[0].result.log, "half a text");
  assert.equal(await page.evaluate(() => window.delivered.length), 1);
  const records = (await told(page, "record")).map(({ record }) => JSON.stringify(record));
  assert.deepEqual(records, [...new Set(records)], "a record is told again");
  assert.deepEqual(page.faults, []);
});

test("Vue 3: a form that Teleport moves is the same, with what was typed", async () => {
  const page = await opened("vue");
  await mount(page, "moved", { then: { place: "left" } });
  const person = new Person(page);
  await person.at("log");
  await person.click("[data-field]");
  await person.type("half a text");
  for (const [place, parent] of [["right", "#right"], ["none", "main"], ["right", "#right"]]) {
    await change(page, { place });
    await page.locator(`${parent} > ask-user`).waitFor();
    await settles(page, 50);
    assert.equal((await person.field()).value, "half a text");
  }
  await person.click("[type=submit]");
  await person.at("token");
  await person.find("[data-field]").fill("s3c");
  await change(page, { place: "left" });
  await page.locator("#left > ask-user").waitFor();
  assert.equal((await person.field()).value, "s3c");
  await person.click("[type=submit]");
  await person.choices();
  await person.find("[part=receipt]").waitFor();
  await onceEach(page);
  assert.deepEqual(page.faults, []);
});

test("Vue 3: a form that Suspense keeps back begins when it is shown", async () => {
  const page = await opened("vue");
  await mount(page, "suspended");
  await page.getByText("waiting").waitFor();
  await settles(page, 100);
  assert.deepEqual(await page.evaluate(() => window.told), []);
  await page.evaluate(() => window.release());
  await new Person(page).finish("after all");
  await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
  await onceEach(page);
  assert.deepEqual(page.faults, []);
});

test("Solid: a form in a Portal is what it is elsewhere", async () => {
  const page = await opened("solid");
  await mount(page, "away");
  await page.locator("body > div > ask-user").waitFor();
  await new Person(page).finish("far away");
  await page.waitForFunction(() => window.told.some(([name]) => name === "result"));
  await onceEach(page);
  assert.deepEqual(page.faults, []);
});
