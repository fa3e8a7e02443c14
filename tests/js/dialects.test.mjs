// What the dialects brought to the form: "Other", notes, previews, optional questions, messages, URLs, who asks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENGINE } from "./browser.mjs";
import { arrived, Person } from "./person.mjs";
import { CASES } from "./prompts.mjs";

let browser;
let page;
let person;
/** A page that says how it was come to. */
const THERE = {
  "/there": '<!doctype html><html lang=en><title>there</title><script src="/there.js"></script>',
  "/there.js": 'fetch("/came?" + encodeURIComponent(JSON.stringify([location.href, opener, document.referrer])));',
};
before(async () => ({ browser, page, person } = await arrived({ pages: THERE })));
after(() => browser.close());

const OPTIONS = [{ label: "Grid", preview: "[][]" }, { label: "List", preview: "---\n---" }, { label: "Plain" }];
const layout = { questions: [{ question: "Which layout?", header: "Layout", options: OPTIONS }] };
const twice = { questions: [...layout.questions, { question: "And then?", options: [{ label: "a" }, { label: "b" }], multiSelect: true }] };
const ways = async () => person.find("[data-way]").evaluateAll((ways) => ways.map((way) => way.dataset.way));
/** The texts of the previews that can be seen. */
const previews = async () => person.find(".preview").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent));

test("typing into the field of \"Other\" chooses it, and an empty one is no answer", async () => {
  await person.ask(layout);
  await person.click("[for=option-other]");
  await person.find("#other").pressSequentially("Columns");
  assert.equal(await person.find("[data-other]").isChecked(), true);
  await person.find("#other").fill("");
  await person.click("[type=submit]");
  assert.equal(await person.find("[data-code]").getAttribute("data-code"), "required");
  assert.equal(await person.result(), undefined);
});

test("an option chosen after something was written in \"Other\" counts, and what was written stays", async () => {
  await person.ask(layout);
  await person.click("[for=option-other]");
  await person.find("#other").fill("Columns");
  await person.click("label[for=option-1]");
  assert.equal(await person.find("#other").inputValue(), "Columns");
  await person.click("[type=submit]");
  assert.deepEqual((await person.result()).answers, { "Which layout?": "List" });
});

test("Back restores \"Other\" and the note", async () => {
  await person.ask(twice);
  await person.click("[for=option-other]");
  await person.find("#other").fill("Columns");
  await person.click(".note summary");
  await person.find("#note").fill("three of them");
  await person.click("[type=submit]");
  await person.click("label[for=option-1]");
  await person.click("[for=option-other]");
  await person.find("#other").fill("c, d");
  await person.click("[data-way=back]");
  assert.equal(await person.find("[data-other]").isChecked(), true);
  assert.equal(await person.find("#other").inputValue(), "Columns");
  assert.equal(await person.find("#note").inputValue(), "three of them");
  assert.equal(await person.focused(), "other:textarea");
  await person.click("[type=submit]");
  // What was chosen and typed and not sent is there again too.
  assert.equal(await person.find("#other").inputValue(), "c, d");
  await person.click("[type=submit]");
  const { answers, annotations } = await person.result();
  assert.deepEqual(answers, { "Which layout?": "Columns", "And then?": "b, c, d" });
  assert.deepEqual(annotations, { "Which layout?": { notes: "three of them" } });
});

test("the preview beside the options is that of the option with the focus or the pointer", async () => {
  await person.ask(layout);
  assert.deepEqual(await previews(), ["[][]"]);
  await person.find("label[for=option-1]").hover();
  assert.deepEqual(await previews(), ["---\n---"]);
  await person.find("#option-0").focus();
  assert.deepEqual(await previews(), ["[][]"]);
  await person.press("ArrowDown");
  assert.deepEqual(await previews(), ["---\n---"]);
  await person.press("ArrowDown");
  assert.deepEqual(await previews(), []);
});

test("previews stand beside the options where there is room, and below them where there is none", async () => {
  for (const [width, beside] of [[1000, true], [320, false]]) {
    const sized = await browser.page("/blank", { viewport: { width, height: 700 } });
    const there = new Person(sized);
    await there.ask(layout);
    const [options, preview] = await Promise.all([".options", ".previews"].map((part) => there.find(part).boundingBox()));
    const besideThem = preview.x >= options.x + options.width - 1 && preview.y < options.y + options.height;
    const belowThem = preview.y >= options.y + options.height - 1 && preview.x < options.x + options.width;
    assert.deepEqual([besideThem, belowThem], [beside, !beside], `at ${width} pixels`);
  }
});

test("an address is shown whole, its host apart, and nothing is fetched or opened before the person opens it", async () => {
  const url = `${browser.url}/there?a=1#part`;
  await person.ask({ mode: "url", message: "Sign in.", url, elicitationId: "1" }, { attributes: { label: "Files" } });
  assert.equal(await person.find("[part=address]").textContent(), url);
  assert.equal(await person.find("[part=host]").textContent(), new URL(url).hostname);
  assert.match(await person.find("fieldset").textContent(), /Not secure \(http\)/);
  const referrers = [];
  const came = new Promise((resolve) => {
    browser.meddle = (request, _response, forward) => {
      if (request.url.startsWith("/there?")) referrers.push(request.headers.referer);
      if (request.url.startsWith("/came?")) resolve(JSON.parse(decodeURIComponent(request.url.slice(6))));
      return forward();
    };
  });
  assert.ok(!page.fetched.includes("/there"), "the address was fetched");
  const opened = page.context().waitForEvent("page");
  await person.find("[data-open]").click();
  assert.deepEqual(await came, [url, null, ""]);
  assert.deepEqual(referrers, [undefined]);
  browser.meddle = undefined;
  // In Chromium a driver's page keeps the focus whatever is opened, so the person says that it opened. Elsewhere the page may see it by itself.
  if (ENGINE === "chromium") assert.equal(await person.result(), undefined);
  await page.evaluate(() => window.form().shadowRoot.querySelector("[data-opened]")?.click());
  await (await opened).close();
  await page.waitForFunction(() => window.seen.some(([name]) => name === "result"));
  assert.deepEqual(await person.result(), { action: "accept" });
});

test("a host in Punycode is called out, and an unsafe address is never a link", async () => {
  await person.ask({ mode: "url", message: "Sign in.", url: "https://xn--pple-43d.example/", elicitationId: "1" });
  assert.match(await person.find("fieldset").textContent(), /may imitate another/);
  for (const url of ["javascript:alert(1)", "http://example.com/", "https://a:b@example.com/", "data:text/html,x"]) {
    const [verdict, detail] = await person.ask({ mode: "url", message: "Sign in.", url, elicitationId: "1" });
    assert.equal(verdict, "rejected");
    assert.equal(detail.problems[0].code, "unsafe_url", url);
    assert.equal(await person.find("a").count(), 0);
  }
});

test("who asks stands on every step where the protocol demands it, even where the server has no name", async () => {
  for (const [attributes, said] of [[{ label: "Files" }, "Question from Files"], [{}, "Question from an unknown server"]]) {
    await person.ask(CASES["an optional text"].request, { attributes });
    for (const selector of ["[data-answer=yes]", "[data-skip]"]) {
      assert.equal(await person.find(".label").textContent(), said);
      await person.click(selector);
    }
    assert.equal(await person.find("[data-review]").count(), 1);
    assert.equal(await person.find(".label").textContent(), said);
    assert.equal(await person.find(".message").textContent(), "Tell us about yourself.");
  }
});

test("the ways to decline and to cancel are on every step, that of consent and the review included", async () => {
  const { request } = CASES["an optional text"];
  const url = CASES["consent to a URL"].request;
  const [decline, cancel] = [{ action: "decline" }, { action: "cancel" }];
  for (const [asked, clicks] of /** @type {any[][]} */ ([[request, []], [request, ["[data-answer=yes]"]], [request, ["[data-answer=yes]", "[data-skip]"]], [url, []]])) {
    for (const end of [["[data-way=reply]", "[data-send-reply]"], ["[data-way=end-turn]", "[data-end-turn]"]]) {
      await person.ask(asked);
      for (const click of clicks) await person.click(click);
      assert.deepEqual((await ways()).slice(-3), ["reply", "end-turn", "keys"]);
      for (const click of end) await person.click(click);
      assert.deepEqual(await person.result(), end[0].includes("reply") ? decline : cancel);
    }
  }
});

test("any answer can be changed from the review, and those after it are asked again with what was said", async () => {
  await person.ask(CASES["an optional text"].request);
  await person.click("[data-answer=yes]");
  await person.find("[data-field]").fill("Ada");
  await person.click("[type=submit]");
  await person.click("[data-change=agree]");
  await person.click("[data-answer=no]");
  assert.equal(await person.find("[data-field]").inputValue(), "Ada");
  await person.click("[type=submit]");
  assert.deepEqual(await person.find("dd").allTextContents(), ["NoChange", "AdaChange"]);
  await person.click("[data-submit]");
  assert.deepEqual(await person.result(), { action: "accept", content: { agree: false, name: "Ada" } });
});

test("a text that breaks its rules says which, and stays as typed", async () => {
  for (const [property, typed, code] of [
    [{ type: "string", format: "email" }, "ada", "bad_format"],
    [{ type: "string", minLength: 3 }, "ab", "too_short"],
    [{ type: "integer", maximum: 9 }, "10", "out_of_range"],
    [{ type: "integer" }, "1.5", "not_an_integer"],
  ]) {
    await person.ask({ message: "Say.", requestedSchema: { type: "object", properties: { x: property }, required: ["x"] } });
    await person.find("[data-field]").fill(typed);
    await person.click("[type=submit]");
    assert.equal(await person.find("[data-code]").getAttribute("data-code"), code);
    assert.equal(await person.find("[data-field]").inputValue(), typed);
    assert.equal(await person.find("[data-field]").getAttribute("aria-invalid"), "true");
  }
});

test("a header that is too long is cut, and the host is warned", async () => {
  const [, { warnings }] = await person.ask({ questions: [{ ...layout.questions[0], header: "A header that is too long" }] });
  assert.deepEqual(warnings.map(({ code, path }) => [code, path]), [["header_truncated", "/questions/0/header"]]);
  assert.equal([...(await person.find(".header").textContent())].length, 12);
});

test("an empty \"Something else\" is asked for its text, and gets the focus; nothing chosen is asked for a choice", async () => {
  for (const request of [layout, { questions: [{ ...layout.questions[0], multiSelect: true }] }]) {
    await person.ask(request);
    await person.click("[for=option-other]");
    await person.find("legend").focus();
    await person.click("[type=submit]");
    assert.equal(await person.find("#error").textContent(), "Enter an answer.");
    assert.equal(await person.focused(), "other:textarea");
  }
  await person.ask(layout);
  await person.click("[type=submit]");
  assert.equal(await person.find("#error").textContent(), "Choose an option.");
});
