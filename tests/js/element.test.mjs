// The custom element on its page: what it loads, reports, shows as text, and leaves behind.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { launch, WATCH } from "./browser.mjs";
import { painted, takesAnswers, until } from "./wait.mjs";
import { partsOf } from "./package-files.mjs";

const BOOLEAN = { question: "Go on?", answer_type: "boolean" };
const THEN_SCHEMA = {
  questions: [
    { id: "a", text: "First?", answer_type: "boolean" },
    { id: "b", text: "Then?", answer_type: "schema", schema: { type: "integer" }, default: 7 },
  ],
};

let browser;
before(async () => (browser = await launch({ pages: { "/late": `<!doctype html>${WATCH}<main></main>` } })));
afterEach(() => {
  browser.cut = browser.meddle = undefined;
});
after(() => browser.close());

const settled = (page) => page.evaluate(() => window.settled());
const ask = (page, request, more = {}) => page.evaluate((asked) => window.ask(asked), { request, ...more });
const seen = (page, wanted) =>
  page.evaluate((wanted) => window.seen.filter(([name]) => name === wanted).map(([, detail]) => detail), wanted);

test("the playground works under the content security policy, every example of it", async () => {
  const page = await browser.page("/");
  await page.locator("#example option").first().waitFor({ state: "attached" });
  const examples = await page.locator("#example option").allTextContents();
  assert.ok(examples.length >= 8);
  for (const example of examples) {
    await page.locator("#example").selectOption(example);
    if (example.startsWith("A conversation")) await page.getByText("The agent is waiting for a message.").waitFor();
    else await page.locator("ask-user").locator("[data-question], [data-page], .notice").first().waitFor();
  }
  await page.locator("#example").selectOption(examples[0]);
  // What is pressed before a step is painted does not count.
  await painted(page);
  await page.locator("ask-user").locator("[data-answer=no]").click();
  await page.locator("ask-user").locator("[data-field]").fill("Smaller batches");
  await painted(page);
  await page.keyboard.press("Control+Enter");
  await page.locator("#arrived li").first().waitFor();
  assert.match(await page.locator("#result").textContent(), /"reason": "Smaller batches"/);
  assert.equal(await page.locator("#records li").count(), 4);
  assert.deepEqual(page.faults, []);
});

test("a form that is taken off the page while the page's language changes is no fault", async () => {
  const page = await browser.page();
  await ask(page, BOOLEAN);
  await page.evaluate(() => {
    document.querySelector("ask-user").host = { layout: "steps" };
    document.documentElement.lang = "de";
    document.querySelector("ask-user").remove();
  });
  await settled(page);
  assert.deepEqual(page.faults, []);
});

test("a violation of the policy is a fault: the watch is awake", async () => {
  const page = await browser.page();
  await page.evaluate(() => document.querySelector("main").setAttribute("style", "color: red"));
  await settled(page);
  assert.match(page.faults.splice(0).join(), /style-src/);
});

test("the schema checker is fetched for a schema only, while the first question is on the page", async () => {
  const page = await browser.page();
  await ask(page, BOOLEAN);
  const fetched = () => page.fetched.filter((path) => /core|validator/.test(path));
  assert.deepEqual(fetched(), []);

  let release;
  const held = new Promise((resolve) => (release = resolve));
  browser.meddle = async (request, _response, forward) => {
    if (request.url.endsWith("/validator.js")) await held;
    return forward();
  };
  const asked = ask(page, THEN_SCHEMA);
  await page.locator("ask-user").locator("[data-answer=yes]").click();
  await page.locator("ask-user").getByText("Loading the editor").waitFor();
  assert.deepEqual(await seen(page, "ready"), []);
  release();
  await asked;
  await page.locator("ask-user").locator(".properties").waitFor();
  assert.equal(fetched().length, 1 + partsOf("validator").length);
  assert.equal((await seen(page, "ready")).length, 1);
  await page.locator("ask-user").locator("[type=submit]").click();
  await settled(page);
  assert.deepEqual((await seen(page, "result"))[0].result, { a: true, b: 7 });
});

test("a host can fetch ahead all of the form: the first question can be answered at once", async () => {
  const page = await browser.page();
  await page.evaluate(async () => (await import("/pkg/dist/ask-user.js")).preload());
  const fetched = [...page.fetched];
  for (const part of partsOf("form")) assert.equal(fetched.filter((path) => path.endsWith(part)).length, 1, part);
  // A question that waits for the rest of the form is shown, but cannot be answered yet.
  await page.evaluate(() => {
    const note = () => (window.waited = Boolean(document.querySelector("ask-user")?.shadowRoot?.querySelector("[inert] [data-question]")) || window.waited);
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (...given) {
      const root = attach.apply(this, given);
      new MutationObserver(note).observe(root, { childList: true, subtree: true, attributes: true });
      return root;
    };
  });
  await ask(page, THEN_SCHEMA);
  await page.locator("ask-user").locator("[data-question]").waitFor();
  assert.ok(!(await page.evaluate(() => window.waited)));
  assert.deepEqual(page.fetched.slice(fetched.length).filter((path) => path.endsWith(".wasm")), []);
});

test("once a question is shown, a form that is not on the page takes two steps, and nobody hears of it", async () => {
  const page = await browser.page();
  await page.evaluate(() => {
    window.unseen = [];
    // The form is removed soon after its last question is shown, so what it shows is noted at once: as soon as what led there has returned, and in the microtask
    // after any other change. An engine may drop an observer that only a node off the page refers to: the page keeps it.
    window.watched = new Map();
    const note = (root) => {
      for (const { dataset } of root.querySelectorAll("[data-question]")) if (!window.unseen.includes(dataset.question)) window.unseen.push(dataset.question);
    };
    const watch = (root) => {
      if (window.watched.has(root)) return;
      const observer = new MutationObserver(() => note(root));
      observer.observe(root, { childList: true, subtree: true });
      window.watched.set(root, observer);
    };
    const { dispatchEvent } = EventTarget.prototype;
    EventTarget.prototype.dispatchEvent = function (event) {
      if (event.type !== "submit" || this.isConnected) return dispatchEvent.call(this, event);
      const root = this.getRootNode();
      watch(root);
      const isTaken = dispatchEvent.call(this, event);
      note(root);
      return isTaken;
    };
  });
  await ask(page, { question: "Delete the database?", answer_type: "boolean" });
  await page.waitForFunction(() => window.unseen.includes("q2"));
  await settled(page);
  assert.deepEqual(await page.evaluate(() => [document.activeElement.localName, localStorage.length, document.querySelectorAll("ask-user").length]), ["body", 0, 1]);
  for (const name of ["result", "error", "draft"]) assert.deepEqual(await seen(page, name), [], name);
  assert.deepEqual((await seen(page, "record")).map(({ record }) => record), await page.evaluate(() => document.querySelector("ask-user").records));
  assert.deepEqual((await seen(page, "step")).length, 1);
  // The form on the page asks as before.
  await page.locator("ask-user").locator("[data-answer=no]").click();
  await settled(page);
  assert.deepEqual((await seen(page, "result")).map(({ result }) => result.answer), [false]);
});

test("a host can fetch ahead what a schema needs", async () => {
  const page = await browser.page();
  await page.evaluate(async () => (await import("/pkg/dist/ask-user.js")).preload());
  const fetched = [...page.fetched];
  for (const part of ["validator.js", ...partsOf("validator"), "editor.js"]) assert.ok(fetched.some((path) => path.endsWith(part)), part);
  await ask(page, { questions: [THEN_SCHEMA.questions[1]] });
  await page.locator("ask-user").locator(".properties").waitFor();
  assert.deepEqual(page.fetched.slice(fetched.length).filter((path) => /validator|editor/.test(path)), []);
});

test("a checker that cannot be fetched is said, and fetched again", async () => {
  const page = await browser.page();
  browser.cut = /\/validator\.js/;
  const asked = ask(page, { questions: [THEN_SCHEMA.questions[1]] });
  await page.locator("ask-user").getByText("Couldn't load").waitFor();
  assert.deepEqual(await seen(page, "ready"), []);
  browser.cut = undefined;
  await page.locator("ask-user").locator("[data-again]").click();
  await asked;
  await page.locator("ask-user").locator(".properties").waitFor();
  for (const fault of page.faults.splice(0)) assert.match(fault, /validator\.js/);
});

test("a schema that proves invalid rejects the form that was already on the page", async () => {
  const page = await browser.page();
  const request = structuredClone(THEN_SCHEMA);
  request.questions[1].schema = { type: "whole number" };
  const [name, detail] = await ask(page, request);
  assert.equal(name, "rejected");
  assert.deepEqual(detail.problems.map(({ code, path }) => [code, path]), [["invalid_schema", "/questions/1/schema/type"]]);
  assert.equal(await page.locator("ask-user").locator("button").count(), 0);
  assert.deepEqual(await seen(page, "result"), []);
});

test("a module that cannot be fetched is said, and fetched again", async () => {
  const page = await browser.page();
  browser.cut = /\.wasm/;
  await page.evaluate(() => {
    document.querySelector("main").innerText = "";
    const element = document.createElement("ask-user");
    element.request = { question: "Go on?", answer_type: "boolean" };
    document.querySelector("main").append(element);
  });
  await page.locator("ask-user").getByText("Couldn't load").waitFor();
  browser.cut = undefined;
  await page.locator("ask-user").getByText("Try again").click();
  await page.locator("ask-user").locator("[data-answer=yes]").waitFor();
  for (const fault of page.faults.splice(0)) assert.match(fault, /\.wasm|Failed to fetch|NetworkError|Load failed/);
});

test("a request that cannot be shown is two sentences for the person, and every problem for the host", async () => {
  const page = await browser.page();
  const [name, detail] = await ask(page, { questions: [{ id: "a.b", text: " ", answer_type: "choice" }] });
  assert.equal(name, "rejected");
  assert.deepEqual(detail.problems.map(({ code }) => code).sort(), ["empty_text", "invalid_id", "unknown_answer_type"]);
  assert.equal(detail.toolResult.error, "invalid_request");
  assert.deepEqual(detail.toolResult.problems, detail.problems);
  const notice = page.locator("ask-user").locator(".notice");
  assert.equal((await notice.textContent()).match(/[.!?]/g).length, 2);
});

test("a text that is no JSON, and one that JSON cannot say, are rejections", async () => {
  const page = await browser.page();
  const outcomes = await page.evaluate(async () => {
    const requests = ['{"question": "\\ud800"}', "\ud800", "{", "", { question: "\udc00", answer_type: "boolean" }];
    const found = [];
    for (const request of requests) found.push(await window.ask({ request }));
    return found.map(([name, detail]) => [name, detail.problems.map(({ code }) => code).join()]);
  });
  assert.deepEqual(outcomes, Array(5).fill(["rejected", "invalid_json"]));
  assert.deepEqual(page.faults, []);
});

test("markup and script in every text are shown as text", async () => {
  const page = await browser.page();
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>\u0000\u0007\u202e';
  const request = {
    questions: [
      { id: "a", header: evil, text: evil, context: evil, answer_type: "select", options: [{ value: evil, label: evil, description: evil, preview: evil }] },
      { id: "b", text: evil, answer_type: "text", default: evil },
      { id: "c", text: evil, answer_type: "schema", schema: { title: evil, enum: [evil] }, default: evil },
    ],
  };
  await ask(page, request, { attributes: { label: evil }, host: { review: true } });
  const form = page.locator("ask-user");
  const next = async () => {
    // A press counts once the form has been still, and the editor has taken up what was typed.
    await settled(page);
    await takesAnswers(page, "[type=submit]");
    await form.locator("[type=submit]").first().click();
    await settled(page);
  };
  await form.locator("label[for=option-0]").click();
  await next();
  await next();
  await form.locator(".tab").nth(1).click();
  await form.locator(".cm-content").fill('"<b>x</b>"');
  await next();
  await until(() => form.locator("#error").textContent(), "what is wrong with the text", (said) => /must be "<img src=x/.test(said));
  await form.locator(".cm-content").fill(JSON.stringify(evil));
  await next();
  await form.locator("[data-submit]").click();
  await settled(page);
  assert.equal((await seen(page, "result"))[0].result.a, evil);
  assert.equal(await form.locator("img, script, b").count(), 0);
  assert.equal(await page.title(), "ask-user");
  assert.deepEqual(page.faults, []);
});

test("every event bubbles out of other shadow trees", async () => {
  const page = await browser.page();
  const path = await page.evaluate(async () => {
    const host = document.createElement("div");
    document.querySelector("main").append(host);
    const element = document.createElement("ask-user");
    element.request = { question: "Go on?", answer_type: "boolean" };
    host.attachShadow({ mode: "closed" }).append(element);
    return new Promise((resolve) => document.addEventListener("ask-user-ready", (event) => resolve(event.target === host), { once: true }));
  });
  assert.equal(path, true);
});

test("a hundred forms on one page do not know of each other", async () => {
  const page = await browser.page();
  const results = await page.evaluate(async () => {
    await customElements.whenDefined("ask-user");
    const elements = Array.from({ length: 100 }, (_, place) => {
      const element = document.createElement("ask-user");
      element.setAttribute("tool-call-id", `call_${place}`);
      element.request = { question: `Number ${place}?`, answer_type: "boolean" };
      return element;
    });
    document.querySelector("main").append(...elements);
    while (elements.some((element) => !element.shadowRoot?.querySelector("[data-answer]:not([inert] *)"))) await window.settled();
    elements.forEach((element, place) => element.shadowRoot.querySelector(`[data-answer=${place % 2 ? "yes" : "no"}]`).click());
    await window.settled();
    return window.seen.filter(([name]) => name === "result").map(([, detail]) => detail.result.answer);
  });
  assert.deepEqual(results, Array.from({ length: 100 }, (_, place) => place % 2 === 1));
});

test("an element that is moved goes on where it stood; one that is put back resumes", async () => {
  const page = await browser.page();
  const request = { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "text" }] };
  await ask(page, request);
  const form = page.locator("ask-user");
  await form.locator("[data-answer=yes]").click();
  await form.locator("textarea").fill("half");
  await page.evaluate(() => document.body.append(window.form()));
  await settled(page);
  assert.equal(await form.locator("textarea").inputValue(), "half");
  await page.evaluate(async () => {
    const element = window.form();
    element.remove();
    await window.settled();
    document.body.append(element);
    await window.settled();
  });
  assert.equal(await form.locator("[data-question]").getAttribute("data-question"), "b");
});

test("a saved walk is resumed after a reload; one that was tampered with is not, and says so", async () => {
  const page = await browser.page();
  const request = { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "text" }] };
  await ask(page, request);
  await page.locator("ask-user").locator("[data-answer=yes]").click();
  await settled(page);
  const saved = await page.evaluate(() => JSON.stringify(window.form().walk));
  await page.reload();
  const [, ready] = await ask(page, request, { saved });
  assert.equal(ready.unresumable, undefined);
  assert.equal(await page.locator("ask-user").locator("[data-question]").getAttribute("data-question"), "b");

  const [, tampered] = await ask(page, request, { saved: saved.replace("true", "false") });
  assert.equal(tampered.unresumable.code, "tampered");
  assert.match(tampered.unresumable.message, /./);
  assert.equal(await page.locator("ask-user").locator(".notice").textContent(), "Your earlier answers couldn't be restored. Please answer again.");
  assert.equal(await page.locator("ask-user").locator("[data-question]").getAttribute("data-question"), "a");
});

test("properties that were set before the element was defined count", async () => {
  const page = await browser.page("/late");
  await page.evaluate(async () => {
    const element = document.createElement("ask-user");
    element.request = { question: "Early?", answer_type: "boolean" };
    document.querySelector("main").append(element);
    await import("/pkg/dist/ask-user.js");
  });
  assert.equal(await page.locator("ask-user").locator("legend").textContent(), "Early?");
});

test("the page keeps its globals", async () => {
  const page = await browser.page();
  const before = await page.evaluate(() => Object.keys(window));
  await ask(page, THEN_SCHEMA);
  assert.deepEqual(await page.evaluate(() => Object.keys(window)), before);
});

test("the host's assistant is asked in the person's place, and told how", async () => {
  const page = await browser.page();
  await page.evaluate(async (request) => {
    const assistant = (step, consultation) => {
      window.asked = { step, consultation };
      return new Promise((resolve) => (window.conclude = resolve));
    };
    await window.ask({ request, host: { target: { model: { id: "small" }, escalation: true }, source: { source: "tool", name: "git" }, assistant } });
  }, BOOLEAN);
  await page.waitForFunction(() => window.asked);
  const { step, consultation } = await page.evaluate(() => window.asked);
  assert.equal(step.asks, "assistant");
  assert.deepEqual(consultation.model, { id: "small" });
  assert.equal(consultation.record, "call_1.answer.1");
  assert.match(consultation.prompt, /The tool "git" asks: Go on\?/);
  assert.deepEqual(Object.keys(consultation.schema.properties), ["reason", "answer"]);
  await page.evaluate(() => window.conclude({ reason: "<b>It</b> is risky.", answer: false, model: "small-1" }));
  await settled(page);
  const form = page.locator("ask-user");
  assert.equal(await form.locator("[part=advice]").textContent(), "small-1 recommends No:<b>It</b> is risky.");
  assert.equal(await page.evaluate(() => window.form().shadowRoot.activeElement), null);
  await form.locator("[data-answer=no]").click();
  const [{ outcome }] = await seen(page, "result");
  assert.match(outcome.explanation, /user answered no.*small-1.*risky.*not applied/);
  assert.deepEqual(page.faults, []);
});

test("the host's assistant is asked after a secret too, and is told none", async () => {
  const page = await browser.page();
  const request = { questions: [{ id: "key", text: "Which key?", answer_type: "secret" }, { id: "go", ...BOOLEAN, question: undefined, text: "Go on?" }] };
  await page.evaluate(async (request) => {
    const assistant = (step, consultation) => {
      window.asked = { step, consultation };
      return { reason: "It is harmless.", answer: true };
    };
    await window.ask({ request, host: { targets: { go: { model: { id: "small" }, escalation: true } }, source: { source: "tool", name: "git" }, assistant } });
  }, request);
  const form = page.locator("ask-user");
  await form.locator("[data-field]").fill("hunter2");
  await form.locator("[type=submit]").click();
  await page.waitForFunction(() => window.seen.some(([name]) => name === "result"));
  const { step, consultation } = await page.evaluate(() => window.asked);
  assert.deepEqual([step.asks, consultation.record], ["assistant", "call_1.go.1"]);
  assert.ok(!JSON.stringify([step, consultation]).includes("hunter2"));
  assert.deepEqual((await seen(page, "result"))[0].result, { key: "[redacted]", go: true });
  assert.deepEqual(page.faults, []);
});

test("hidden characters are shown, and a text changes the direction of nothing around it", async () => {
  const page = await browser.page();
  const shown = (text) => text.replace("\u202e", "[U+202E]").replace("\u200b", "[U+200B]");
  const deceives = ["Keep\u202e lla eteleD", "Keep\u200b all"];
  const whole = ["\u{1f468}\u200d\u{1f469}\u200d\u{1f467} family", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Scotland", "می\u200cخواهم", "العربية"];
  const texts = [...deceives, ...whole];
  const options = texts.map((label, place) => ({ value: place, label, description: label, preview: label }));
  const questions = [{ id: "a", text: deceives[0], header: deceives[1], context: deceives[1], answer_type: "multi_select", options }, { id: "b", text: whole[3], answer_type: "boolean" }];
  await ask(page, { questions }, { attributes: { label: deceives[0] }, host: { review: true } });
  const form = page.locator("ask-user");
  assert.deepEqual(await form.locator("label .name").allTextContents(), texts.map(shown));
  assert.deepEqual(await form.locator("label .description").allTextContents(), texts.map(shown));
  assert.deepEqual(await form.locator(".preview").allTextContents(), texts.map(shown));
  assert.equal(await form.locator("[part=label]").textContent(), `Question from ${shown(deceives[0])}`);
  assert.equal(await form.locator("legend").textContent(), shown(deceives[1]) + shown(deceives[0]));
  assert.equal(new Set(texts.map(shown)).size, texts.length);
  for (const place of texts.keys()) await form.locator(`label[for=option-${place}]`).click();
  // Whatever element has a text of the agent of its own, it or one around it keeps its direction from the text around.
  const loose = () => page.evaluate(() => {
    const nodes = document.createNodeIterator(window.form().shadowRoot, NodeFilter.SHOW_TEXT);
    const isolated = ({ parentElement: at }) => {
      for (; at; at = at.parentElement) if (!["normal", "embed"].includes(getComputedStyle(at).unicodeBidi)) return !at.matches(".base, form, fieldset");
    };
    const found = [];
    for (let node; (node = nodes.nextNode()); ) if (/[\[\u0600-\u06ff\u{1f000}-\u{1ffff}]/u.test(node.data) && !isolated(node)) found.push(node.data);
    return found.filter((text) => !/^\[\d+\/\d+\]$/.test(text));
  });
  assert.deepEqual(await loose(), []);
  await form.locator("[type=submit]").click();
  await settled(page);
  // A question in Arabic stands on the right.
  assert.equal(await form.locator("legend").evaluate((legend) => getComputedStyle(legend).direction), "rtl");
  await form.locator("[data-answer=yes]").click();
  await settled(page);
  assert.equal(await form.locator("dd .answer").first().textContent(), texts.map(shown).join(", "));
  assert.equal(await form.locator("[data-change]").first().getAttribute("aria-label"), `Change the answer to: ${shown(deceives[0])}`);
  assert.deepEqual(await loose(), []);
  assert.deepEqual(page.faults, []);
});

test("every form has idempotency keys of its own, unless the host gives a nonce; a resumed one keeps its key", async () => {
  const page = await browser.page();
  const form = page.locator("ask-user");
  const key = async (more = {}) => {
    const saved = await page.evaluate(async (asked) => {
      await window.ask(asked);
      return window.form().walk;
    }, { request: BOOLEAN, ...more });
    await form.locator("[data-answer=yes]").click();
    const [{ idempotencyKey }] = await seen(page, "result");
    return [idempotencyKey, saved];
  };
  const [[first, saved], [second], [third]] = [await key(), await key(), await key({ host: { nonce: "n" } })];
  assert.equal(new Set([first, second, third]).size, 3);
  assert.match(saved.nonce, /^[0-9a-f-]{36}$/);
  assert.equal((await key({ saved: JSON.stringify(saved) }))[0], first);
  assert.equal((await key({ host: { nonce: "n" } }))[0], third);
  // Pages that are not secure have no randomUUID.
  await page.evaluate(() => delete Crypto.prototype.randomUUID);
  const [fourth, { nonce }] = await key();
  assert.notEqual(fourth, first);
  assert.match(nonce, /^(\d+-){3}\d+$/);
});

test("an assistant that fails, or comes too late, costs the person nothing", async () => {
  const page = await browser.page();
  const ask = (failing) =>
    page.evaluate(([request, failing]) => {
      const assistant = () => (failing ? Promise.reject("down") : new Promise((resolve) => (window.conclude = resolve)));
      return window.ask({ request, host: { target: "assistant", assistant } });
    }, [BOOLEAN, failing]);
  const form = page.locator("ask-user");
  await ask(true);
  await form.locator("[data-answer=yes]").click();
  assert.deepEqual((await seen(page, "result"))[0].result, { answer_type: "boolean", answer: true });
  assert.deepEqual(page.faults.splice(0).map((fault) => fault.split(": ").at(-1)), ["down"]);
  await ask(false);
  await page.waitForFunction(() => window.conclude);
  await form.locator("[data-way=reply]").click();
  await form.locator("[data-send-reply]").click();
  await page.evaluate(() => window.conclude({ reason: "late", answer: true }));
  await settled(page);
  assert.equal((await seen(page, "result")).length, 1);
  assert.deepEqual(page.faults, []);
});
