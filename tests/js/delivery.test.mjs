// Delivery by HTTP: once under one key, however often it must be sent; its state is on the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onStoppedPages } from "./browser.mjs";
import { open } from "../../pkg/dist/core.node.js";
import { Keeper } from "../../pkg/src/keeper.js";
import { retryAfter } from "../../pkg/src/request.js";
import { allDone, delivered, painted, stoppedTime, tasks, until } from "./wait.mjs";

let browser;
let page;
let pass;
onStoppedPages((there) => ({ browser, page, pass } = there));

const state = (wanted) => page.locator("ask-user").locator(`[data-delivery=${wanted}]`);
const ask = async (attributes, answer = "yes") => {
  await page.evaluate(async (attributes) => {
    const element = document.createElement("ask-user");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.request = { question: "Go on?", answer_type: "boolean" };
    document.querySelector("main").replaceChildren(element);
  }, attributes);
  if (answer === "none") return;
  for (const selector of answer === "end" ? ["[data-way=end-turn]", "[data-end-turn]"] : [`[data-answer=${answer}]`]) {
    await page.locator("ask-user").locator(selector).click();
  }
};
const arrived = () => browser.deliveries.map(({ path, key, status, body }) => [path, key, status, JSON.parse(body)]);
const RESULT = { answer_type: "boolean", answer: true };

test("a result is posted as JSON, under a key of its own", async () => {
  await ask({ "respond-url": "/respond", "cancel-url": "/cancel", "tool-call-id": "call_7" });
  await state("sent").waitFor();
  const [[url, key, ...rest], ...more] = arrived();
  assert.deepEqual([url, rest, more], ["/respond", [200, RESULT], []]);
  assert.match(key, /^[0-9a-f]{32}$/);
});

test("the end of the turn goes to its own address", async () => {
  await ask({ "respond-url": "/respond", "cancel-url": "/cancel" }, "end");
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([path, , , body]) => [path, body]), [["/cancel", { tool_call_id: "call_1" }]]);
});

test("a host that is down is tried again with growing pauses, under one key", async () => {
  await listen();
  await ask({ "respond-url": "/respond?status=503&times=3" });
  for (const [place, pause] of [1_000, 2_000, 4_000].entries()) {
    // The state of the try before this one looks the same.
    await told("retrying", place + 1);
    await state("retrying").waitFor();
    const before = browser.deliveries.length;
    await pass(pause - 100);
    assert.equal(browser.deliveries.length, before);
    // No more than it takes: the next pause begins while this time passes.
    await pass(101);
    await state(pause === 4_000 ? "sent" : "retrying").waitFor();
    await delivered(browser.deliveries, before + 1);
  }
  assert.deepEqual(arrived().map(([, , status]) => status), [503, 503, 503, 200]);
  assert.equal(new Set(arrived().map(([, key]) => key)).size, 1);
});

test("an answer is sent by a browser that has no room for requests that outlive their page", async () => {
  await page.evaluate(() => {
    const { fetch } = window;
    window.asked = [];
    window.fetch = (url, init) => {
      if (String(url).endsWith("/respond")) window.asked.push(init?.keepalive);
      return init?.keepalive ? Promise.reject(new TypeError("Failed to fetch")) : fetch(url, init);
    };
  });
  await ask({ "respond-url": "/respond" });
  await state("retrying").waitFor();
  await pass(1_001);
  await state("sent").waitFor();
  assert.deepEqual(await page.evaluate(() => window.asked), [true, false]);
  // The next one knows it from the beginning.
  await ask({ "respond-url": "/respond", "tool-call-id": "call_2" });
  await state("sent").waitFor();
  assert.deepEqual((await page.evaluate(() => window.asked)).at(-1), false);
});

test("a host that asks for a pause gets it", async () => {
  await ask({ "respond-url": "/respond?status=429&times=1&retry-after=7" });
  await state("retrying").waitFor();
  await pass(6_900);
  assert.equal(browser.deliveries.length, 1);
  await pass(200);
  await state("sent").waitFor();
});

test("a pause is asked for in seconds or as a date, and is never shorter than a second or longer than a minute", () => {
  const now = Date.parse("2026-11-23T10:00:00Z");
  const real = Date.now;
  Date.now = () => now;
  try {
    for (const [value, pause] of /** @type {any[][]} */ ([
      ["7", 7_000],
      ["0", 1_000],
      ["60", 60_000],
      ["61", 60_000],
      // A timer of more than 2³¹ milliseconds ends at once.
      ["2147484", 60_000],
      ["9".repeat(400), 60_000],
      ["Mon, 23 Nov 2026 10:00:09 GMT", 9_000],
      ["Monday, 23-Nov-26 10:00:09 GMT", 9_000],
      ["Mon Nov 23 10:00:09 2026", 9_000],
      ["Mon, 23 Nov 2026 09:00:00 GMT", 1_000],
      ["Fri, 31 Dec 9999 23:59:59 GMT", 60_000],
      ["", undefined],
      ["-5", undefined],
      ["1.5", undefined],
      ["soon", undefined],
      ["Someday", undefined],
    ])) {
      assert.equal(retryAfter(/** @type {any} */ ({ headers: new Headers({ "Retry-After": value }) })), pause, value);
    }
    assert.equal(retryAfter(/** @type {any} */ ({ headers: new Headers() })), undefined);
  } finally {
    Date.now = real;
  }
});

test("a pause of many days at the respond-url is a minute, and a date is a pause", async () => {
  // The page's clock stands at one second after the beginning of 1970.
  const asked = ["2592000", "Thu, 01 Jan 1970 00:01:11 GMT"];
  browser.meddle = (request, response, forward) => {
    const [pause] = asked;
    if (request.url !== "/respond" || !pause) return forward();
    asked.shift();
    response.writeHead(503, { "Retry-After": pause }).end();
  };
  await listen();
  await ask({ "respond-url": "/respond" });
  await last("retrying");
  await pass(59_900);
  assert.equal(asked.length, 1);
  await pass(101);
  await told("retrying", 2);
  // It is 00:01:01 now.
  await pass(9_800);
  assert.equal(browser.deliveries.length, 0);
  await pass(200);
  await state("sent").waitFor();
  browser.meddle = undefined;
});

test("a lost network is waited for, and nothing is lost", async () => {
  browser.cut = /\/respond/;
  await ask({ "respond-url": "/respond" });
  await state("retrying").waitFor();
  browser.cut = undefined;
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([, , , body]) => body), [RESULT]);
});

test("after the last try a person can send again by hand", async () => {
  await ask({ "respond-url": "/respond?status=500&times=7" });
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]) {
    await state("retrying").waitFor();
    const before = browser.deliveries.length;
    await pass(pause);
    await delivered(browser.deliveries, before + 1);
  }
  await state("failed").waitFor();
  await page.locator("ask-user").locator("[data-again]").click();
  await state("sent").waitFor();
  assert.equal(browser.deliveries.length, 8);
});

test("a refusal is shown with the host's words, as text, and is not tried again by itself", async () => {
  await ask({ "respond-url": `/respond?status=409&message=${encodeURIComponent("<b>Answered</b> elsewhere.")}&times=1` });
  await state("failed").waitFor();
  assert.match(await state("failed").textContent(), /<b>Answered<\/b> elsewhere\./);
  await pass(120_000);
  assert.equal(browser.deliveries.length, 1);
  await page.locator("ask-user").locator("[data-again]").click();
  await state("sent").waitFor();
});

test("without an address nothing is sent, and the event has it all", async () => {
  await ask({});
  await page.locator("ask-user").locator("[data-ends]").waitFor();
  const [, detail] = await page.evaluate(() => window.seen.find(([name]) => name === "result"));
  assert.deepEqual(detail.result, RESULT);
  assert.deepEqual(JSON.parse(detail.resultText), RESULT);
  assert.equal(await page.locator("ask-user").locator("[data-delivery]").count(), 0);
  assert.equal(browser.deliveries.length, 0);
});

/** Notes what is told of deliveries, at the document: there it comes from elements on and off the page. */
const listen = () =>
  page.evaluate(() => {
    window.states = [];
    document.addEventListener("ask-user-delivery", ({ detail, target }) => window.states.push([detail.state, target.localName ?? "document"]));
  });
const states = () => page.evaluate(() => window.states);
/** Waits until this was told so often. */
const told = (name, times = 1) => until(states, `${times} times "${name}"`, (all) => all.filter(([one]) => one === name).length >= times);
/** Waits until this was told last. */
const last = (name) => until(states, `"${name}" as the last state`, (all) => all.at(-1)?.[0] === name);

test("a form that is taken off the page still sends its answer, and the document hears how that goes", async () => {
  await listen();
  await ask({ "respond-url": "/respond?status=503&times=3" });
  await state("retrying").waitFor();
  await page.evaluate(() => document.querySelector("ask-user").remove());
  for (const pause of [1_000, 2_000, 4_000]) {
    await last("retrying");
    const before = browser.deliveries.length;
    await pass(pause);
    await delivered(browser.deliveries, before + 1);
  }
  await last("sent");
  assert.deepEqual((await states()).map((one) => one.join(" ")), [
    "sending ask-user", "retrying ask-user", "sending document", "retrying document", "sending document", "retrying document", "sending document", "sent document",
  ]);
  assert.deepEqual(new Set(arrived().map(([, key]) => key)).size, 1);
});

test("a form that is put back shows how its delivery goes, and so does one whose settings change", async () => {
  await ask({ "respond-url": "/respond?status=503&times=2" });
  await state("retrying").waitFor();
  await page.evaluate(async () => {
    const form = document.querySelector("ask-user");
    form.remove();
    await new Promise((resolve) => queueMicrotask(() => queueMicrotask(/** @type {any} */ (resolve))));
    document.querySelector("main").append(form);
  });
  await state("retrying").waitFor();
  await pass(1_000);
  await delivered(browser.deliveries, 2);
  await page.evaluate(() => (document.querySelector("ask-user").host = { reuse: "turn" }));
  await state("retrying").waitFor();
  await pass(2_000);
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([, , status]) => status), [503, 503, 200]);
});

test("a form that is taken off the page by its own result sends it", async () => {
  await listen();
  await page.evaluate(() => document.addEventListener("ask-user-result", ({ target }) => target.remove()));
  await ask({ "respond-url": "/respond?status=503&times=1" });
  await last("retrying");
  await pass(1_000);
  await last("sent");
  assert.deepEqual(arrived().map(([, , status]) => status), [503, 200]);
});

test("what cannot be delivered after the form is gone is an error that nobody has caught", async () => {
  await page.evaluate(() => {
    window.errors = [];
    addEventListener("error", (event) => (event.preventDefault(), window.errors.push(event.message)));
    document.addEventListener("ask-user-result", ({ target }) => target.remove());
  });
  await listen();
  await ask({ "respond-url": "/respond?status=422&message=No." });
  await last("failed");
  assert.match((await page.evaluate(() => window.errors)).join(), /An answer could not be sent\. No\./);
  for (const fault of page.faults.splice(0)) assert.match(fault, /An answer could not be sent/);
});

test("an ending that the host refuses for good can be taken back, and another one is sent under a key of its own", async () => {
  const { form } = await refusing("reply");
  await form("[data-delivery=failed] [data-reopen]").waitFor();
  assert.match(await state("failed").textContent(), /Couldn't send.*No replies here\. *Try again *Back/);
  await form("[data-reopen]").click();
  // The person is at the question again, and nothing of the ending is left.
  await form("[data-question]").waitFor();
  assert.equal(await page.locator("ask-user").locator("[data-delivery]").count(), 0);
  assert.equal(await page.evaluate(() => window.form().walk.log.length), 0);
  await pass(1_000);
  await form("[data-answer=yes]").click();
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([, , status, body]) => [status, body]), [[200, RESULT]]);
  const told = await page.evaluate(() => window.told);
  assert.deepEqual(told.map(([ends]) => ends), ["replied", "completed"]);
  assert.notEqual(told[0][1], told[1][1]);
  browser.meddle = undefined;
});

test("an ending that is refused can be taken back by the keyboard, and from a page that was loaded anew", async () => {
  const { form } = await refusing("reply");
  await form("[data-reopen]").waitFor();
  const saved = await page.evaluate(() => window.form().walk);
  browser.meddle = undefined;
  await page.evaluate((walk) => {
    const element = document.createElement("ask-user");
    element.setAttribute("respond-url", "/respond?status=422&message=No.&times=2");
    element.request = { question: "Go on?", answer_type: "boolean" };
    element.walk = walk;
    document.querySelector("main").replaceChildren(element);
  }, saved);
  await form("[data-reopen]").waitFor();
  await pass(1_000);
  await form("[data-reopen]").focus();
  await page.keyboard.press("Enter");
  await form("[data-answer=no]").waitFor();
  assert.ok(await page.evaluate(() => window.form().shadowRoot.activeElement !== null));
});

test("where the question is closed, an ending cannot be taken back, nor where nobody has refused it", async () => {
  for (const status of [409, 410, 401]) {
    await ask({ "respond-url": `/respond?status=${status}&message=No.` });
    await state("failed").waitFor();
    assert.equal(await page.locator("ask-user").locator("[data-reopen]").count(), 0, String(status));
  }
});

/** A form whose host has refused its first ending. */
async function refusing(way) {
  await page.evaluate(() => {
    window.told = [];
    document.addEventListener("ask-user-result", ({ detail }) => window.told.push([detail.outcome.ends, detail.idempotencyKey]));
    window.form = () => document.querySelector("ask-user");
  });
  const form = (selector) => page.locator("ask-user").locator(selector);
  let refusals = 1;
  browser.meddle = (request, response, forward) => {
    if (!request.url.startsWith("/respond") || refusals-- <= 0) return forward();
    response.writeHead(422, { "Content-Type": "application/json" }).end(JSON.stringify({ message: "No replies here." }));
  };
  await ask({ "respond-url": "/respond" }, "none");
  await form(`[data-way=${way}]`).click();
  await pass(1_000);
  await form(`[data-send-${way}]`).click();
  return { form };
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect (${status}) is no acknowledgement: the answer stays, to be sent again`, async () => {
    let redirects = 1;
    const asked = [];
    browser.meddle = (request, response, forward) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.url === "/login") return response.writeHead(200, { "Content-Type": "text/html" }).end("Sign in");
      if (request.url !== "/respond" || redirects-- <= 0) return forward();
      response.writeHead(status, { Location: "/login" }).end();
    };
    await ask({ "respond-url": "/respond" });
    await state("failed").waitFor();
    assert.match(await state("failed").textContent(), /Sign in again, then send\./);
    assert.deepEqual(asked.filter((one) => /login/.test(one)), []);
    await page.locator("ask-user").locator("[data-again]").click();
    await state("sent").waitFor();
    assert.deepEqual(arrived().map(([, , , body]) => body), [RESULT]);
    browser.meddle = undefined;
  });
}

test("a host's own fetch that has followed a redirect has delivered nothing", async () => {
  await page.evaluate(async () => {
    const element = document.createElement("ask-user");
    element.setAttribute("respond-url", "/respond");
    element.host = { fetch: (url, init) => fetch("/redirected", { ...init, redirect: "follow" }) };
    element.request = { question: "Go on?", answer_type: "boolean" };
    document.querySelector("main").replaceChildren(element);
  });
  browser.meddle = (request, response, forward) => (request.url === "/redirected" ? response.writeHead(303, { Location: "/" }).end() : forward());
  await page.locator("ask-user").locator("[data-answer=yes]").click();
  await state("failed").waitFor();
  browser.meddle = undefined;
});

test("a server that never replies is given up after 30 seconds, and asked again", async () => {
  let silent = 1;
  browser.meddle = (request, _response, forward) => (request.url === "/respond" && silent-- > 0 ? undefined : forward());
  await ask({ "respond-url": "/respond" });
  await state("sending").waitFor();
  await pass(29_000);
  assert.equal(await state("sending").count(), 1);
  await pass(1_100);
  await state("retrying").waitFor();
  await page.locator("ask-user").locator("[data-again]").click();
  await state("sent").waitFor();
  assert.equal(browser.deliveries.length, 1);
  browser.meddle = undefined;
});

test("a refusal whose body never ends, or is very large, is still a refusal", async () => {
  for (const endless of [true, false]) {
    browser.meddle = (request, response, forward) => {
      if (!request.url.startsWith("/respond")) return forward();
      response.writeHead(409, { "Content-Type": "text/plain" });
      if (endless) response.write("Answered elsewhere.");
      else response.end("x".repeat(3_000_000));
    };
    const begun = page.waitForResponse(/\/respond\?/);
    await ask({ "respond-url": `/respond?${endless}` });
    await begun;
    if (endless) await pass(31_000);
    await state("failed").waitFor();
    assert.match(await state("failed").textContent(), endless ? /Couldn't send|Answered elsewhere/ : /x{300}/);
  }
  browser.meddle = undefined;
});

test("a host's function that never ends is given up after a minute; an end that comes later counts", async () => {
  await page.evaluate(() => {
    const element = document.createElement("ask-user");
    element.host = { deliver: (_, { signal }) => new Promise((resolve) => Object.assign(window, { deliver: resolve, signal })) };
    element.request = { question: "Go on?", answer_type: "boolean" };
    document.querySelector("main").replaceChildren(element);
  });
  await page.locator("ask-user").locator("[data-answer=yes]").click();
  await state("sending").waitFor();
  await pass(61_000);
  await state("failed").waitFor();
  assert.match(await state("failed").textContent(), /No reply came in time/);
  await page.evaluate(() => window.deliver());
  await state("sent").waitFor();
});

test("a host gives the fetch and the credentials that everything is sent with", async () => {
  const seen = [];
  browser.meddle = (request, response, forward) => {
    if (["/respond", "/walk"].includes(request.url)) seen.push([request.method, request.headers["x-csrf-token"], request.headers.cookie]);
    return request.url === "/walk" ? response.writeHead(204).end() : forward();
  };
  await page.evaluate(() => {
    document.cookie = "session=7";
    const element = document.createElement("ask-user");
    for (const [name, value] of [["respond-url", "/respond"], ["save-url", "/walk"]]) element.setAttribute(name, value);
    element.host = { fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, "X-CSRF-Token": "t" } }), credentials: "omit" };
    element.request = { question: "Go on?", answer_type: "boolean" };
    document.querySelector("main").replaceChildren(element);
  });
  await page.locator("ask-user").locator("[data-answer=yes]").click();
  await state("sent").waitFor();
  await until(() => seen, "two requests", ({ length }) => length === 2);
  assert.deepEqual(seen.map(([method]) => method).sort(), ["POST", "PUT"]);
  for (const [, token, cookie] of seen) assert.deepEqual([token, cookie], ["t", undefined]);
  browser.meddle = undefined;
});

test("the browser asks whoever leaves the page before an answer is sent, and only then", async () => {
  const asks = () =>
    page.evaluate(() => {
      const event = new Event("beforeunload", { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    });
  await ask({ "respond-url": "/respond?status=503&times=1" });
  await state("retrying").waitFor();
  assert.equal(await asks(), true);
  await page.evaluate(() => document.querySelector("ask-user").remove());
  assert.equal(await asks(), true);
  await pass(1_000);
  await delivered(browser.deliveries, 2);
  await until(asks, "a page that may be left", (asked) => !asked);
  await ask({ "respond-url": "/respond?status=409&message=Closed." });
  await state("failed").waitFor();
  assert.equal(await asks(), false);
});

test("a host's storage keeps the answers over a reload, without secrets; what was not sent is sent then, and nothing twice", async () => {
  const request = { questions: [{ id: "key", text: "Key?", answer_type: "secret" }, { id: "why", text: "Why?", answer_type: "text" }, { id: "go", text: "Go on?", answer_type: "boolean" }] };
  const shown = async (url = "/respond") => {
    await page.evaluate(
      ([request, url]) => {
        const element = document.createElement("ask-user");
        element.setAttribute("respond-url", url);
        element.host = { layout: "steps", review: false, storage: { get: (key) => localStorage.getItem(key), set: async (key, text) => localStorage.setItem(key, text) } };
        element.request = request;
        document.querySelector("main").replaceChildren(element);
      },
      [request, url],
    );
    return (selector) => page.locator("ask-user").locator(selector);
  };
  const reloaded = async () => {
    await page.goto(`${browser.url}/blank`);
    pass = await browser.stopped(page);
  };
  let find = await shown();
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  await find("[data-question=why] [data-field]").fill("half a text");
  await reloaded();
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /hunter2/);
  find = await shown();
  await find("[data-question=key] [data-field]").fill("hunter3");
  await find("[type=submit]").click();
  assert.equal(await find("[data-question=why] [data-field]").inputValue(), "half a text");
  await find("[type=submit]").click();
  browser.cut = /\/respond/;
  await find("[data-question=go] [data-answer=yes]").click();
  await state("retrying").waitFor();
  await reloaded();
  browser.cut = undefined;
  find = await shown();
  // The secret is nowhere but in the page that is gone.
  await find("[data-question=key] [data-field]").fill("hunter4");
  await find("[type=submit]").click();
  await find("[data-question=why] [type=submit]").click();
  await find("[data-question=go] [data-answer=yes]").click();
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([, , , body]) => body), [{ key: "[redacted]", why: "half a text", go: true }]);
  await reloaded();
  find = await shown();
  await find("[data-ends]").waitFor();
  await pass(5_000);
  assert.equal(browser.deliveries.length, 1);
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /hunter/);
  await page.evaluate(() => localStorage.clear());
});

test("an answer without a secret that was not sent before a reload is sent after it, under the same key", async () => {
  const shown = () =>
    page.evaluate(() => {
      const element = document.createElement("ask-user");
      element.setAttribute("respond-url", "/respond");
      element.host = { layout: "steps", storage: { get: (key) => localStorage.getItem(key), set: (key, text) => localStorage.setItem(key, text) } };
      element.request = { question: "Go on?", answer_type: "boolean" };
      element.addEventListener("ask-user-result", ({ detail }) => (window.key = detail.idempotencyKey));
      document.querySelector("main").replaceChildren(element);
    });
  await shown();
  browser.cut = /\/respond/;
  await page.locator("ask-user").locator("[data-answer=yes]").click();
  await state("retrying").waitFor();
  const key = await page.evaluate(() => window.key);
  await page.goto(`${browser.url}/blank`);
  pass = await browser.stopped(page);
  browser.cut = undefined;
  await shown();
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([, sent]) => sent), [key]);
  await page.evaluate(() => localStorage.clear());
});

test("a host that keeps how far it knows the person to have come does not hide an answer that the browser's storage has, and that was not sent", async () => {
  const request = { questions: [{ id: "why", text: "Why?", answer_type: "text" }, { id: "go", text: "Go on?", answer_type: "boolean" }] };
  const options = { tool_call_id: "call_1", nonce: "n" };
  /** The page as it is opened while the host asks, and knows of these answers. */
  const opened = async (known, nonce = "n") => {
    const walk = open(request, { toolCallId: "call_1", nonce });
    for (const answer of known) walk.answer(answer);
    const state = { type: "awaiting_user_response", tool_call_id: "call_1", request, dialect: "ask_user", options: { ...options, nonce }, walk: walk.save() };
    browser.meddle = (asked, response, forward) => {
      if (asked.url !== "/events") return forward();
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(`event: state_change\ndata: ${JSON.stringify(state)}\n\n`);
    };
    await page.goto(`${browser.url}/blank`);
    pass = await browser.stopped(page);
    await page.evaluate(() => {
      const element = document.createElement("ask-user");
      for (const [name, url] of [["events-url", "/events"], ["respond-url", "/respond"]]) element.setAttribute(name, url);
      element.host = { layout: "steps", storage: { get: (key) => localStorage.getItem(key), set: (key, text) => localStorage.setItem(key, text) } };
      element.addEventListener("ask-user-result", ({ detail }) => (window.key = detail.idempotencyKey));
      document.querySelector("main").replaceChildren(element);
    });
  };
  const find = (selector) => page.locator("ask-user").locator(selector);
  await opened([]);
  await find("[data-field]").fill("because");
  await find("[type=submit]").click();
  browser.cut = /\/respond/;
  await find("[data-answer=yes]").click();
  await state("retrying").waitFor();
  const key = await page.evaluate(() => window.key);
  browser.cut = undefined;

  // Another answer than the one that the storage has, or the same question in another turn: what the host knows counts.
  await opened(["from elsewhere"]);
  await find("[data-question=go]:not([inert] *)").waitFor();
  await opened([], "another turn");
  await find("[data-question=why]").waitFor();
  assert.equal(browser.deliveries.length, 0);
  await page.evaluate(() => localStorage.clear());

  await opened([]);
  await find("[data-field]").fill("because");
  await find("[type=submit]").click();
  browser.cut = /\/respond/;
  await find("[data-answer=yes]").click();
  await state("retrying").waitFor();
  browser.cut = undefined;
  await opened(["because"]);
  await state("sent").waitFor();
  assert.deepEqual(arrived().map(([, sent]) => sent), [key]);

  // The host has not taken what it acknowledged: it is asked again, for nothing is known of that answer any more.
  await opened([]);
  await find("[data-question=why]").waitFor();
  await page.evaluate(() => localStorage.clear());
  browser.meddle = undefined;
});

/** How often a form has asked its save-url. Chromium sends some requests once more by itself: those of the form are counted. */
const puts = () => page.evaluate(() => window.puts);
/** Waits until the form has an answer to each of so many requests, or knows that there is none, and has done with it. */
const answered = async (count) => {
  await until(() => page.evaluate(() => window.answers), `${count} answers of the save-url`, (answers) => answers === count);
  await painted(page);
};

for (const status of [408, 429, 500, 503, 0, 302]) {
  test(`a save-url that answers ${status || "nothing"} has kept nothing: it is asked again, after longer and longer pauses`, async () => {
    let down = true;
    browser.meddle = (request, response, forward) => {
      if (request.url !== "/walk") return forward();
      if (!down) return response.writeHead(204).end();
      if (status === 0) return request.socket.destroy();
      response.writeHead(status, { Location: "/login" }).end();
    };
    await page.evaluate(() => {
      const element = document.createElement("ask-user");
      element.setAttribute("save-url", "/walk");
      Object.assign(window, { puts: 0, answers: 0 });
      element.host = { layout: "steps", fetch: (url, init) => ((window.puts += 1), fetch(url, init).finally(() => (window.answers += 1))) };
      element.request = { questions: [{ id: "why", text: "Why?", answer_type: "text" }, { id: "go", text: "Go on?", answer_type: "boolean" }] };
      document.querySelector("main").replaceChildren(element);
    });
    const field = page.locator("ask-user").locator("[data-field]");
    await field.fill("a");
    await pass(300);
    // The pause begins once the response is there.
    await answered(1);
    await field.fill("ab");
    await pass(900);
    await painted(page);
    assert.equal(await puts(), 1);
    // No more than it takes: the next pause begins while this time passes.
    await pass(101);
    await answered(2);
    await pass(1_900);
    await painted(page);
    assert.equal(await puts(), 2);
    down = false;
    await pass(200);
    await answered(3);
    await pass(60_000);
    assert.equal(await puts(), 3);
    browser.meddle = undefined;
  });
}

/** A form on the page whose walk is kept at `/walk`. `window.puts` counts what it sends there, and `window.told` has what the page hears of it. */
const kept = (host = {}) =>
  page.evaluate((host) => {
    addEventListener("error", (event) => event.preventDefault());
    Object.assign(window, { puts: 0, answers: 0, told: [] });
    document.addEventListener("ask-user-error", ({ detail }) => window.told.push(detail.error.message));
    document.addEventListener("ask-user-closed", ({ detail }) => window.told.push(detail));
    const element = document.createElement("ask-user");
    for (const [name, value] of [["save-url", "/walk"], ["respond-url", "/respond"]]) element.setAttribute(name, value);
    // Chromium sends some requests once more by itself: those of the form are counted.
    const isWalk = (url) => url.endsWith("/walk");
    element.host = { layout: "steps", ...host, fetch: (url, init) => ((window.puts += isWalk(url)), fetch(url, init).finally(() => (window.answers += isWalk(url)))) };
    element.request = { questions: [{ id: "name", text: "Name?", answer_type: "text" }, { id: "why", text: "Why?", answer_type: "text" }] };
    document.querySelector("main").replaceChildren(element);
  }, host);
const find = (selector) => page.locator("ask-user").locator(selector);
const ofWalks = (status, headers) => {
  browser.meddle = (request, response, forward) => (request.url === "/walk" ? response.writeHead(status, headers).end() : forward());
};

for (const [value, pause] of /** @type {[string, number][]} */ ([["0", 1_000], ["2592000", 60_000], ["Thu, 01 Jan 1970 00:00:00 GMT", 1_000]])) {
  test(`a save-url that asks for a pause of "${value}" is asked again after ${pause / 1_000} s, and not before`, async () => {
    ofWalks(503, { "Retry-After": value });
    await kept();
    await find("[data-field]").fill("a");
    await pass(300);
    // The pause begins once the response is there.
    await answered(1);
    await pass(pause - 100);
    await painted(page);
    assert.equal(await puts(), 1);
    await pass(101);
    await answered(2);
    browser.meddle = undefined;
  });
}

for (const status of [409, 410]) {
  test(`a save-url that answers ${status} closes the form: the page hears it, and what was entered can be read`, async () => {
    ofWalks(204);
    await kept({ toolCallId: "call_7" });
    await find("[data-field]").fill("Ada");
    await find("[type=submit]").click();
    ofWalks(status);
    await find("[data-question=why] [data-field]").fill("because of it");
    await pass(300);
    await find("[data-closed]").waitFor();
    assert.equal(await find("[data-closed]").textContent(), "This question is no longer open.");
    assert.equal(await find("button, input, textarea, a").count(), 0);
    const shown = await find(".closed").textContent();
    for (const text of ["Name?", "Ada", "because of it", "Not sent:"]) assert.ok(shown.includes(text), shown);
    assert.deepEqual(await page.evaluate(() => window.told), [{ how: "closed", toolCallId: "call_7" }]);
    assert.deepEqual(await page.evaluate(() => document.querySelector("ask-user").walk.typed), { why: "because of it" });
    const sent = await puts();
    await pass(120_000);
    assert.deepEqual([await puts(), browser.deliveries.length], [sent, 0]);
    browser.meddle = undefined;
  });
}

test("a save-url that answers 409 to a walk that has ended closes nothing: the respond-url says what becomes of the answer", async () => {
  ofWalks(409);
  await kept({ review: false });
  await find("[data-field]").fill("Ada");
  await find("[type=submit]").click();
  await find("[data-question=why] [data-field]").fill("so");
  await find("[type=submit]").click();
  await state("sent").waitFor();
  await until(() => page.evaluate(() => window.answers), "an answer of the save-url");
  await allDone(page);
  assert.deepEqual([await find("[data-closed]").count(), await page.evaluate(() => window.told)], [0, []]);
  assert.equal(browser.deliveries.length, 1);
  browser.meddle = undefined;
});

test("a stream that closes the question says how, in words for each way, and the page hears it once, whatever the save-url says", async () => {
  for (const [how, said] of [
    ["answered", "Answered elsewhere."],
    ["declined", "Declined elsewhere."],
    ["turn_ended", "The turn was ended elsewhere."],
    ["overtaken", "The agent moved on."],
    ["another word", "This question is no longer open."],
  ]) {
    let stream;
    let walks = 0;
    const tell = (state) => stream.write(`event: state_change\ndata: ${JSON.stringify(state)}\n\n`);
    browser.meddle = (request, response, forward) => {
      if (request.url === "/walk") return (walks += 1), response.writeHead(409).end();
      if (request.url !== "/events") return forward();
      stream = response.writeHead(200, { "Content-Type": "text/event-stream" });
      tell({ type: "awaiting_user_response", tool_call_id: "call_7", request: { question: "Why?", answer_type: "text" } });
    };
    await page.evaluate(() => {
      window.told = [];
      const element = document.createElement("ask-user");
      for (const [name, url] of [["events-url", "/events"], ["save-url", "/walk"]]) element.setAttribute(name, url);
      for (const name of ["closed", "error"]) element.addEventListener(`ask-user-${name}`, ({ detail }) => window.told.push(detail));
      document.querySelector("main").replaceChildren(element);
    });
    await find("[data-field]").fill("because of it");
    await pass(300);
    await until(() => walks, "the walk");
    await allDone(page);
    assert.equal(await find("[data-closed]").count(), 0);
    tell({ type: "idle", closed: { tool_call_id: "call_7", how } });
    await find("[data-closed]").waitFor();
    assert.equal(await find("[data-closed]").textContent(), said);
    assert.match(await find(".closed").textContent(), /because of it/);
    assert.deepEqual(await page.evaluate(() => window.told), [{ how, toolCallId: "call_7" }]);
    await page.evaluate(() => document.querySelector("ask-user").remove());
    stream.end();
  }
  browser.meddle = undefined;
});

test("a save-url that is not there, or takes no walk, is told; the person reads that nothing is saved, and can still send", async () => {
  const line = () => find(".notice").getByText("is not being saved");
  for (const status of [404, 413]) {
    ofWalks(status);
    await kept();
    await find("[data-field]").fill("Ada");
    await pass(300);
    await line().waitFor();
    assert.match((await page.evaluate(() => window.told)).join(), new RegExp(`could not be kept at /walk: ${status}`));
    ofWalks(204);
    await find("[data-field]").fill("Ada L");
    await pass(300);
    await line().waitFor({ state: "detached" });
    ofWalks(status);
    await find("[type=submit]").click();
    await pass(300);
    await line().waitFor();
    await find("[data-question=why] [data-field]").fill("so");
    await find("[type=submit]").click();
    await state("sent").waitFor();
    assert.equal(await line().count(), 0);
    page.faults.splice(0).forEach((fault) => assert.match(fault, /could not be kept|404|413/));
  }
  assert.equal(browser.deliveries.length, 2);
  browser.meddle = undefined;
});

test("after a host was down for one question, what is typed at the next is kept as soon as ever", async () => {
  const { pass, restore } = stoppedTime();
  try {
    for (const over of ["the question was closed", "its form is gone"]) {
      const puts = [];
      let came = /** @type {any} */ (over === "its form is gone" ? 20 : 60_000);
      const keeper = new Keeper(async (value) => (puts.push(value), came));
      let isThere = true;
      keeper.keep(() => (isThere ? "first" : undefined), true);
      await tasks();
      isThere = false;
      came = "kept";
      if (over === "the question was closed") keeper.stop();
      await pass(400);
      keeper.keep(() => "second");
      await pass(400);
      assert.deepEqual(puts, ["first", "second"], over);
    }
  } finally {
    restore();
  }
});

test("what a save-url will never take is told, and not sent again until something changes", async () => {
  const puts = [];
  browser.meddle = (request, response, forward) => {
    if (request.url !== "/walk") return forward();
    puts.push(request.method);
    response.writeHead(413).end();
  };
  await page.evaluate(() => {
    addEventListener("error", (event) => event.preventDefault());
    window.errors = [];
    document.addEventListener("ask-user-error", ({ detail }) => window.errors.push(detail.error.message));
    const element = document.createElement("ask-user");
    element.setAttribute("save-url", "/walk");
    element.request = { question: "Why?", answer_type: "text" };
    document.querySelector("main").replaceChildren(element);
  });
  const errors = (count) => until(() => page.evaluate(() => window.errors), `${count} errors`, ({ length }) => length === count);
  const field = page.locator("ask-user").locator("[data-field]");
  await field.fill("a");
  await pass(300);
  await errors(1);
  assert.match((await page.evaluate(() => window.errors))[0], /could not be kept at \/walk: 413/);
  await pass(60_000);
  assert.equal(puts.length, 1);
  await field.fill("ab");
  await pass(300);
  await until(() => puts, "two walks", ({ length }) => length === 2);
  // What the page reports comes before what it is asked.
  await errors(2);
  for (const fault of page.faults.splice(0)) assert.match(fault, /413|could not be kept/);
  browser.meddle = undefined;
});

test("what a save-url did not take yet is kept after the host has changed the form", async () => {
  const bodies = [];
  let status = 503;
  browser.meddle = async (request, response, forward) => {
    if (request.url !== "/walk") return forward();
    let text = "";
    for await (const chunk of request) text += chunk;
    bodies.push(JSON.parse(text).walk.typed);
    response.writeHead(status).end();
  };
  await page.evaluate(() => {
    const element = document.createElement("ask-user");
    element.setAttribute("save-url", "/walk");
    element.request = { questions: [{ id: "why", text: "Why?", answer_type: "text" }] };
    document.querySelector("main").replaceChildren(element);
  });
  await page.locator("ask-user").locator("[data-field]").fill("because");
  await pass(300);
  await until(() => bodies, "the first walk", ({ length }) => length === 1);
  await page.evaluate(() => (window.form().host = { markdown: false }));
  await allDone(page);
  bodies.length = 0;
  status = 204;
  await pass(300);
  await until(() => bodies, "the walk once more", ({ length }) => length === 1);
  assert.deepEqual(bodies, [{ why: "because" }]);
  for (const fault of page.faults.splice(0)) assert.match(fault, /503/);
  browser.meddle = undefined;
});

test("what is typed while the walk is being kept is not lost when the page goes away", async () => {
  const bodies = [];
  browser.meddle = async (request, response, forward) => {
    if (request.url !== "/walk") return forward();
    let text = "";
    for await (const chunk of request) text += chunk;
    // The first is never answered.
    if (bodies.push(JSON.parse(text).walk.typed) > 1) response.writeHead(204).end();
  };
  await page.evaluate(() => {
    const element = document.createElement("ask-user");
    element.setAttribute("save-url", "/walk");
    element.request = { questions: [{ id: "why", text: "Why?", answer_type: "text" }] };
    document.querySelector("main").replaceChildren(element);
  });
  const field = page.locator("ask-user").locator("[data-field]");
  await field.fill("first");
  await pass(300);
  await until(() => bodies, "the first walk", ({ length }) => length === 1);
  await field.fill("second");
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await until(() => bodies, "the second walk", ({ length }) => length === 2);
  assert.deepEqual(bodies, [{ why: "first" }, { why: "second" }]);
  browser.meddle = undefined;
});

test("a host that delivers by itself is given the end, and says whether it has it", async () => {
  await page.evaluate(() => {
    window.ends = [];
    const element = document.createElement("ask-user");
    element.host = {
      layout: "steps",
      toolCallId: "call_7",
      async deliver(end) {
        window.ends.push(end);
        if (window.ends.length === 1) throw new Error("The agent is gone.");
      },
    };
    element.request = { questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, { id: "key", text: "Key?", answer_type: "secret" }] };
    document.querySelector("main").replaceChildren(element);
  });
  const find = (selector) => page.locator("ask-user").locator(selector);
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  await state("failed").getByText("The agent is gone.").waitFor();
  await pass(60_000);
  assert.equal(await page.evaluate(() => window.ends.length), 1);
  await find("[data-again]").click();
  await state("sent").waitFor();
  const ends = await page.evaluate(() => window.ends);
  assert.equal(ends.length, 2);
  for (const { result, idempotencyKey, response } of ends) {
    assert.deepEqual(result, { go: true, key: "[redacted]" });
    assert.equal(idempotencyKey, ends[0].idempotencyKey);
    assert.deepEqual([response.secrets, response.walk.ask_user_walk], [{ key: "hunter2" }, 2]);
  }
});
