// What a page sets on the element, again and again, as frameworks do: what is equal changes nothing, and nothing is told twice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ELSEWHERE } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { keepsStill, passed, until } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const ASKED = {
  questions: [
    { id: "go", text: "Go on?", answer_type: "boolean" },
    { id: "why", text: "Why?", answer_type: "text" },
    { id: "key", text: "Which key?", answer_type: "secret" },
    { id: "where", text: "Where?", answer_type: "select", options: ["here", "there"] },
  ],
};
const open = () => page.evaluate(() => window.form().shadowRoot.querySelector("[data-question], [data-ends]")?.dataset.question ?? "the end");
/** Sets everything once more, to equal values in new objects. */
const again = () =>
  page.evaluate(async (request) => {
    const form = window.form();
    form.request = structuredClone(request);
    form.host = { ...form.host, reuse: "turn", deliver: window.deliver && ((end) => window.deliver(end)) };
    form.walk = form.walk;
    form.turn = undefined;
    for (const name of ["label", "dialect", "tool-call-id"]) if (form.hasAttribute(name)) form.setAttribute(name, form.getAttribute(name));
    await window.settled();
  }, ASKED);
const ask = (more = {}) => person.ask(ASKED, { host: { reuse: "turn" }, attributes: { label: "Deploy agent", "tool-call-id": "call_7" }, ...more });

test("setting equal values keeps text, caret, focus, a secret, and tells nothing", async () => {
  await ask();
  await person.click("[data-answer=yes]");
  await person.find("[data-field]").fill("because");
  await page.evaluate(() => window.form().shadowRoot.querySelector("[data-field]").setSelectionRange(2, 4));
  const before = await person.names();
  await again();
  const field = () =>
    page.evaluate(() => {
      const active = window.form().shadowRoot.activeElement;
      return [active.value, active.selectionStart, active.selectionEnd];
    });
  assert.deepEqual([await field(), await person.names()], [["because", 2, 4], before]);
  await person.press("Control+Enter");
  await person.find("[data-field]").fill("hunter2");
  await again();
  assert.equal(await person.find("[data-field]").inputValue(), "hunter2");
  await person.press("Enter");
  await again();
  await person.find("[data-option]").last().click();
  await again();
  assert.equal(await person.find("[data-option]").last().isChecked(), true);
  await person.click("[type=submit]");
  await again();
  assert.deepEqual(await person.result(), { go: true, why: "because", key: "[redacted]", where: "there" });
  const names = await person.names();
  assert.deepEqual([names.filter((name) => name === "ready").length, names.filter((name) => name === "result").length], [1, 1]);
  assert.equal(names.filter((name) => name === "record").length, 8);
});

test("another label is shown in place; another delivery takes the result", async () => {
  await ask();
  await person.click("[data-answer=yes]");
  await person.find("[data-field]").fill("half");
  await page.evaluate(async () => {
    window.form().setAttribute("label", "Release agent");
    window.form().host = { layout: "steps", reuse: "turn", deliver: (end) => void (window.delivered = end.result) };
    await window.settled();
  });
  // The part of the form that delivers results is fetched first.
  await until(() => person.find("[part=label]").textContent(), "the other label", (text) => text.startsWith("Question from Release agent"));
  assert.equal(await person.find("[data-field]").inputValue(), "half");
  await person.press("Control+Enter");
  await person.find("[data-field]").fill("k");
  await person.press("Enter", "1", "Enter");
  assert.deepEqual(await page.evaluate(() => window.delivered), { go: true, why: "half", key: "[redacted]", where: "here" });
});

test("another option reads the request again, and goes on with the walk and what was typed", async () => {
  await ask();
  await person.click("[data-answer=yes]");
  await person.find("[data-field]").fill("half");
  await page.evaluate(async () => {
    window.form().host = { layout: "steps", reuse: "turn", review: true };
    await window.settled();
  });
  assert.deepEqual([await open(), await person.find("[data-field]").inputValue()], ["why", "half"]);
  assert.equal((await person.focused())?.split(":")[1], "textarea");
  assert.equal((await person.names()).filter((name) => name === "record").length, 3);
  const [first, second] = (await person.seen()).filter(([name]) => name === "ready").map(([, detail]) => detail.resumed);
  assert.deepEqual([first, second], [false, true]);
  assert.equal((await page.evaluate(() => window.form().records)).length, 3);
});

test("another request asks anew, with the focus where it was", async () => {
  await ask();
  await person.click("[data-answer=yes]");
  assert.equal(await open(), "why");
  await page.evaluate(async () => {
    window.form().request = { questions: [{ id: "new", text: "New?", answer_type: "text" }] };
    await window.settled();
  });
  assert.deepEqual([await open(), await page.evaluate(() => document.activeElement === window.form())], ["new", true]);
});

test("a form that is put back after its end shows its receipt, and tells and delivers nothing", async () => {
  await page.evaluate(() => (window.deliveries = []));
  await page.evaluate(() => (window.deliver = (end) => void window.deliveries.push(end.idempotencyKey)));
  await person.ask({ question: "Go?", answer_type: "boolean" });
  await again();
  await page.evaluate(async () => {
    window.form().request = { question: "Go?", answer_type: "boolean" };
    window.form().host = { layout: "steps", deliver: (end) => window.deliver(end) };
    await window.settled();
  });
  // A question in the place of another takes nothing before the person has been still.
  await keepsStill(page);
  await person.click("[data-answer=yes]");
  const before = await person.names();
  for (let time = 0; time < 2; time += 1) {
    await page.evaluate(async () => {
      const [form, main] = [window.form(), document.querySelector("main")];
      form.remove();
      await window.settled();
      main.append(form);
      await window.settled();
    });
    await person.find(".receipt").waitFor();
  }
  const after = (await person.names()).slice(before.length);
  assert.deepEqual([after, await page.evaluate(() => window.deliveries.length)], [[], 1]);
  await page.evaluate(() => (window.deliver = undefined));
});

test("a form that is put back has the secret that was given to it, and gives none away meanwhile", async () => {
  await ask();
  await person.click("[data-answer=yes]");
  await person.find("[data-field]").fill("so");
  await person.press("Control+Enter");
  await person.find("[data-field]").fill("hunter2");
  await person.press("Enter");
  const kept = await page.evaluate(async () => {
    const [form, main] = [window.form(), document.querySelector("main")];
    form.remove();
    await window.settled();
    const kept = JSON.stringify([form.walk, form.records, form.turn]);
    main.append(form);
    await window.settled();
    return kept;
  });
  assert.doesNotMatch(kept, /hunter2/);
  assert.equal(await open(), "where");
  await person.find("[data-option]").first().click();
  await person.click("[type=submit]");
  assert.deepEqual((await person.end()).secrets, { key: "hunter2" });
});

test("a walk is taken up whenever it is set", async () => {
  await ask();
  await person.click("[data-answer=yes]");
  const walk = await page.evaluate(() => window.form().walk);
  for (const order of [["request", "walk"], ["walk", "request"], ["request", "", "walk"]]) {
    await page.evaluate(
      async ([order, values]) => {
        const form = document.createElement("ask-user");
        form.setAttribute("tool-call-id", "call_7");
        form.host = { reuse: "turn" };
        document.querySelector("main").replaceChildren(form);
        for (const name of order) {
          if (name) form[name] = values[name];
          else await window.settled();
        }
        await window.settled();
        await window.settled();
      },
      [order, { request: ASKED, walk }],
    );
    assert.equal(await open(), "why", order.join());
  }
});

test("what cannot be a request is the host's error, and no answer for the agent", async () => {
  const told = await page.evaluate(async () => {
    const circle = {};
    circle.self = circle;
    const report = window.reportError;
    window.reportError = () => {};
    const all = [];
    for (const set of [
      (form) => form.setAttribute("request", String({})),
      (form) => (form.request = String({})),
      (form) => (form.request = 1n),
      (form) => (form.request = circle),
    ]) {
      const form = document.createElement("ask-user");
      const told = [];
      for (const name of ["error", "rejected", "ready"]) form.addEventListener(`ask-user-${name}`, ({ detail }) => told.push([name, detail.error?.message.length > 10]));
      set(form);
      document.querySelector("main").replaceChildren(form);
      await window.settled();
      all.push(told);
    }
    window.reportError = report;
    return all;
  });
  assert.deepEqual(told, Array(4).fill([["error", true]]));
});

test("a form can be put into the document of a frame", { skip: ELSEWHERE }, async () => {
  const other = await browser.page();
  await other.evaluate(async () => {
    const { ask } = await import("/pkg/dist/ask-user.js");
    const frame = document.querySelector("main").appendChild(document.createElement("iframe"));
    frame.style.cssText = "width: 600px; height: 400px";
    window.end = ask({ questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, { id: "why", text: "Why?", answer_type: "text", when: { question_id: "go", equals: true } }] }, { parent: frame.contentDocument.body });
  });
  const form = other.frameLocator("iframe").locator("ask-user");
  await form.locator("[data-answer=yes]").waitFor();
  assert.notEqual(await form.locator(".base").evaluate((base) => getComputedStyle(base).borderTopStyle), "none");
  await form.locator("legend").focus();
  // The clock that tests put forward is that of the page, and the events are those of the frame.
  await passed(other, 600);
  await other.keyboard.press("y");
  await form.locator("[data-field]").fill("so");
  await form.locator("[data-field]").press("Control+Enter");
  assert.deepEqual((await other.evaluate(() => window.end)).result, { go: true, why: "so" });
  assert.deepEqual(other.faults, []);
});

test("trying again keeps the focus in the form, and says how the delivery goes", async () => {
  await page.evaluate(() => (window.fail = true));
  await person.ask({ question: "Go?", answer_type: "boolean" });
  await page.evaluate(() => {
    window.form().host = { layout: "steps", deliver: () => (window.fail ? Promise.reject(new Error("No.")) : undefined) };
  });
  await person.settled();
  await person.click("[data-answer=yes]");
  await person.find("[data-delivery=failed]").waitFor();
  assert.match(await person.find(".spoken").textContent(), /Couldn't send/);
  await page.evaluate(() => (window.fail = false));
  await person.find("[data-again]").focus();
  await person.press("Enter");
  await person.find("[data-delivery=sent]").waitFor();
  assert.match(await person.find(".spoken").textContent(), /Sent/);
  assert.equal(await page.evaluate(() => document.activeElement === window.form()), true);
});

test("the first question is spoken", async () => {
  await ask();
  assert.match(await person.find(".spoken").textContent(), /^Question 1 of 4: Question from Deploy agent: Go on\?$/);
});

test("an element that is moved keeps the focus and the caret, unless something else has taken the focus", async () => {
  await person.ask({ question: "Why?", answer_type: "text" });
  await person.find("[data-field]").fill("half a text");
  const moved = (steal = false) =>
    page.evaluate(async (steal) => {
      const [form, main] = [window.form(), document.querySelector("main")];
      const field = form.shadowRoot.querySelector("[data-field]");
      field.focus();
      field.setSelectionRange(2, 4);
      const other = main.appendChild(document.createElement("input"));
      const away = main.appendChild(document.createElement("section"));
      if (steal) other.focus();
      away.append(form);
      main.prepend(form);
      away.remove();
      await window.settled();
      const seen = [form.shadowRoot.activeElement === field, document.activeElement === other, field.selectionStart, field.selectionEnd, field.value];
      other.remove();
      return seen;
    }, steal);
  assert.deepEqual(await moved(), [true, false, 2, 4, "half a text"]);
  assert.deepEqual(await moved(true), [false, true, 2, 4, "half a text"]);
});

test("the same turn set again changes nothing, and a removal is told once", async () => {
  await person.ask(ASKED);
  await person.click("[data-answer=yes]");
  const before = await person.names();
  const removed = await page.evaluate(async () => {
    const [form, main] = [window.form(), document.querySelector("main")];
    form.turn = form.turn;
    await window.settled();
    let removed = 0;
    form.addEventListener("ask-user-removed", () => (removed += 1));
    form.remove();
    main.append(form);
    form.remove();
    await window.settled();
    return removed;
  });
  assert.deepEqual([await person.names(), removed], [before, 1]);
});

test("nothing that was done breaks the content security policy", () => assert.deepEqual(page.faults, []));
