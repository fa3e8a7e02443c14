// The one rule of sight: an answer counts only if the person could have seen the question, in that place, painted, in a window in front, before the key or the press went down.
// Pages do without warning whatever pages do; people are as quick as people are.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { ELSEWHERE } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { keepsStill, painted, passed, stopEvents } from "./wait.mjs";

const DELETE = { questions: [{ id: "q", text: "Delete the production database?", answer_type: "boolean" }] };
const WHERE = { questions: [{ id: "q", text: "Where?", answer_type: "select", options: ["production", "staging", "test"] }, { id: "r", text: "Why?", answer_type: "text" }] };

let browser;
let page;
let person;
/** Lets the clock of events go on. */
let goOn;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());
beforeEach(async () => {
  await page.setViewportSize?.({ width: 900, height: 700 });
  await page.evaluate(() => {
    window.isHasty = true;
    document.querySelector("main").replaceChildren();
  });
  // However slow the machine is, time passes as a test says.
  goOn = await stopEvents(page);
});
afterEach(() => goOn());
afterEach(() => page.evaluate(() => document.querySelectorAll(".beside, dialog").forEach((one) => one.remove())));

/** Puts a form on the page, and does not wait until the person has looked at it. */
const put = (request, more = {}) => page.evaluate((asked) => window.ask(asked), { request, ...more });
const shows = async (request, more) => {
  await put(request, more);
  await keepsStill(page);
};
/** Where something is, from its left and its top. */
const place = async (selector) => {
  const { x, y, width, height } = await person.find(selector).first().boundingBox();
  return [x + Math.min(width / 2, 20), y + height / 2];
};
const presses = (...at) => page.mouse.click(...at);
/** Nothing was answered, and after half a second the same would answer. */
const nothing = async (why) => {
  await painted(page);
  assert.equal(await person.end(), undefined, why);
};
const counts = async (selector, why) => {
  await keepsStill(page);
  await presses(...(await place(selector)));
  await painted(page);
  assert.notEqual(await person.end(), undefined, why);
};

test("a form that begins takes neither a key nor a press before the person has been still", async () => {
  for (const act of [() => page.keyboard.press("y"), async () => presses(...(await place("[data-answer=yes]")))]) {
    await put(DELETE);
    await page.evaluate(() => window.form().shadowRoot.querySelector("legend").focus());
    await act();
    await nothing("at once");
    await keepsStill(page, 100);
    await act();
    await nothing("a moment later");
    await counts("[data-answer=yes]", "after that");
  }
});

test("what is typed in the chat answers nothing, where a page gives the form the focus meanwhile", async () => {
  const give = {
    focus: () => void window.form().focus(),
    "a dialog": () => {
      const dialog = document.body.appendChild(document.createElement("dialog"));
      dialog.append(window.form());
      dialog.showModal();
      window.form().focus();
    },
  };
  for (const [how, act] of Object.entries(give)) {
    for (const words of ["think", "maybe", "yes⏎"]) {
      await shows(DELETE);
      await page.evaluate(() => {
        const chat = Object.assign(document.createElement("textarea"), { className: "beside" });
        document.body.append(chat);
        chat.focus();
      });
      await page.keyboard.type("so ");
      await page.evaluate(act);
      for (const key of words) {
        await keepsStill(page, 90);
        await page.keyboard.press(key === "⏎" ? "Enter" : key);
      }
      await nothing(`${how}, ${words}`);
      assert.equal(await page.evaluate(() => window.form().shadowRoot.querySelector("[data-question]") !== null), true, `${how}, ${words}`);
      await page.evaluate(() => {
        document.querySelector("main").append(window.form());
        document.querySelectorAll(".beside, dialog").forEach((one) => one.remove());
      });
    }
  }
});

test("a second press that comes after the step is not meant for what has come since, beside it or after a moment", async () => {
  const twice = { questions: [{ id: "a", text: "Stop the server?", answer_type: "boolean" }, { id: "b", text: "Delete the disk?", answer_type: "boolean" }] };
  await shows(twice);
  const [x, y] = await place("[data-answer=yes]");
  await presses(x, y);
  await person.find("[data-question=b]").waitFor();
  await painted(page);
  await keepsStill(page, 150);
  await presses(x + 7, y);
  await nothing("beside it");
  await counts("[data-answer=yes]", "once it was aimed at");
  // Another element in the place of the one that was answered.
  await shows(DELETE);
  await presses(...(await place("[data-answer=yes]")));
  await put({ ...DELETE, questions: [{ ...DELETE.questions[0], text: "Delete the backup, too?" }] });
  await keepsStill(page, 300);
  await presses(x + 7, y);
  await nothing("in its place");
});

test("Enter takes no suggestion that has just come, and a letter is as quick as ever", async () => {
  const suggested = (id) => ({ id, text: `${id}?`, answer_type: "boolean", default: true });
  await shows({ questions: ["a", "b", "c"].map(suggested) });
  await page.evaluate(() => window.form().shadowRoot.querySelector("[data-suggested]").focus());
  await keepsStill(page);
  await page.keyboard.press("Enter");
  await person.find("[data-question=b]").waitFor();
  await painted(page);
  await keepsStill(page, 100);
  await page.keyboard.press("Enter");
  await painted(page);
  assert.equal(await person.find("[data-question=b]").count(), 1);
  await page.keyboard.press("y");
  await person.find("[data-question=c]").waitFor();
  await painted(page);
  await keepsStill(page, 125);
  await page.keyboard.press("n");
  await painted(page);
  assert.deepEqual(await person.result(), { a: true, b: true, c: false });
});

test("Enter takes no suggested text or number that has just come, and goes on from what is typed as quickly as ever", async () => {
  for (const [answer_type, suggested, typed] of /** @type {any[][]} */ ([["text", "production", "x"], ["number", 7, "5"]])) {
    await shows({ questions: [{ id: "a", text: "a?", answer_type: "text" }, { id: "b", text: "b?", answer_type, default: suggested }, { id: "c", text: "c?", answer_type, default: suggested }] });
    await person.find("[data-field]").focus();
    await keepsStill(page);
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await person.find("[data-question=b]").waitFor();
    await painted(page);
    await keepsStill(page, 100);
    await page.keyboard.press("Enter");
    await painted(page);
    assert.equal(await person.find("[data-question=b]").count(), 1, answer_type);
    await keepsStill(page);
    await page.keyboard.press("Enter");
    await person.find("[data-question=c]").waitFor();
    await painted(page);
    await keepsStill(page, 50);
    await page.keyboard.press("End");
    await page.keyboard.type(typed);
    await keepsStill(page, 50);
    await page.keyboard.press("Enter");
    await painted(page);
    assert.deepEqual(await person.result(), { a: "x", b: suggested, c: answer_type === "text" ? "productionx" : 75 });
  }
});

test("who scrolls the chat has not asked for the focus", { skip: ELSEWHERE }, async () => {
  await shows(DELETE);
  await page.evaluate(() => {
    const chat = Object.assign(document.createElement("textarea"), { className: "beside" });
    document.body.append(chat, Object.assign(document.createElement("div"), { className: "beside", style: "height: 3000px" }));
    chat.focus();
    window.wheel = new Promise((resolve) => addEventListener("wheel", resolve, { once: true }));
  });
  await painted(page);
  await keepsStill(page);
  await page.mouse.move(500, 600);
  await page.mouse.wheel(0, 1);
  await page.evaluate(() => window.wheel.then(() => window.form().focus()));
  await keepsStill(page, 90);
  await page.keyboard.press("y");
  await nothing("within a moment of the wheel");
});

test("what moves an answer, whoever moves it, makes a press wait", async () => {
  const moves = {
    "a line above": () => void document.querySelector("main").prepend(Object.assign(document.createElement("p"), { className: "beside", textContent: "A message", style: "margin: 0; block-size: 54px" })),
    "a line of the element's": () => void window.form().shadowRoot.prepend(Object.assign(document.createElement("p"), { textContent: "Request 1 of 2", style: "margin: 0; block-size: 54px" })),
    "another direction": () => void (document.documentElement.dir = "rtl"),
    "a narrower column": () => void (document.querySelector("main").style.paddingInlineStart = "300px"),
    "a page that scrolls": () => {
      document.body.style.minBlockSize = "3000px";
      scrollBy(0, 30);
    },
  };
  for (const [how, act] of Object.entries(moves)) {
    for (const request of [DELETE, WHERE]) {
      await shows(request);
      const [x, y] = await place(request === DELETE ? "[data-answer=no]" : "[for=option-1]");
      await page.mouse.move(x, y);
      await page.evaluate(act);
      await painted(page);
      await presses(x, y);
      await nothing(how);
      assert.equal(await person.find(":checked").count(), 0, how);
      await page.evaluate(() => {
        document.documentElement.dir = "";
        document.body.style.minBlockSize = document.querySelector("main").style.paddingInlineStart = "";
        scrollTo(0, 0);
      });
    }
  }
});

test("what appears or is uncovered makes a press wait, however it was hidden", async () => {
  const hides = {
    "display: none": [() => void (window.form().style.display = "none"), () => void (window.form().style.display = "")],
    inert: [() => void (document.querySelector("main").inert = true), () => void (document.querySelector("main").inert = false)],
    "an overlay": [() => void document.body.append(Object.assign(document.createElement("div"), { className: "beside", style: "position: fixed; inset: 0; background: white" })), () => void document.querySelector(".beside").remove()],
    "out of sight": [() => void (document.querySelector("main").style.marginBlockStart = "2000px"), () => void (document.querySelector("main").style.marginBlockStart = "")],
    opacity: [() => void (document.querySelector("main").style.opacity = "0"), () => void (document.querySelector("main").style.opacity = "")],
    "another window in front": [() => void (document.hasFocus = () => false), () => void delete document.hasFocus],
  };
  for (const [how, [hide, show]] of Object.entries(hides)) {
    await shows(DELETE);
    const at = await place("[data-answer=yes]");
    await page.evaluate(() => window.form().shadowRoot.querySelector("legend").focus());
    await page.evaluate(hide);
    await passed(page, 450);
    if (how !== "inert" && how !== "display: none") {
      await page.keyboard.press("y");
      await nothing(`${how}, hidden`);
    }
    await painted(page);
    await keepsStill(page);
    await page.evaluate(show);
    await presses(...at);
    await nothing(how);
    await page.keyboard.press("y");
    await nothing(`${how}, by key`);
    await counts("[data-answer=yes]", how);
  }
});

test("a form of thousands of controls can be answered at its end, and takes nothing where none of it is in the window", { skip: ELSEWHERE }, async () => {
  const options = (count) => Array.from({ length: count }, (_, place) => `option ${place}`);
  const questions = Array.from({ length: 60 }, (_, place) => ({ id: `q${place}`, text: `Which ${place}?`, answer_type: "multi_select", options: options(20), optional: true }));
  await put({ questions }, { host: { layout: "page" } });
  await person.find("[data-page]").waitFor();
  assert.ok((await person.find("input").count()) > 1_000);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await painted(page);
  await keepsStill(page);
  for (const at of [30, 59]) {
    const option = person.find("label", { hasText: /^option 0$/ }).nth(at);
    await option.scrollIntoViewIfNeeded();
    await painted(page);
    await keepsStill(page);
    await option.click();
    assert.equal(await person.find(":checked").count(), at === 30 ? 1 : 2, `question ${at}`);
  }
  await person.find(".actions [type=submit]").first().scrollIntoViewIfNeeded();
  await painted(page);
  await keepsStill(page);
  await page.mouse.click(...(await place(".actions [type=submit]")));
  await painted(page);
  assert.notEqual(await person.end(), undefined);
});

test("an answer does not count before the question was in sight, though its buttons are: a press leads there", { skip: ELSEWHERE }, async () => {
  // As in a chat that stands at its end.
  const scrolls = { overflow: "auto", height: "90px", display: "flex", flexDirection: "column-reverse" };
  await page.evaluate((style) => Object.assign(document.querySelector("main").style, style), scrolls);
  try {
    await shows({ questions: [{ ...DELETE.questions[0], context: "It is the only copy.\n".repeat(20) }] });
    await person.find("[data-answer=yes]").evaluate((button) => button.scrollIntoView({ block: "end" }));
    await painted(page);
    await keepsStill(page);
    const was = await person.find("legend").evaluate((legend) => legend.getBoundingClientRect().bottom - document.querySelector("main").getBoundingClientRect().top);
    assert.ok(was <= 0, "the question is out of sight");
    await presses(...(await place("[data-answer=yes]")));
    await nothing("unread");
    await painted(page);
    await person.find("[data-answer=yes]").scrollIntoViewIfNeeded();
    await painted(page);
    await counts("[data-answer=yes]", "once it was read");
  } finally {
    await page.evaluate(() => document.querySelector("main").removeAttribute("style"));
  }
});

test("a page that paints nothing has shown nothing", { skip: ELSEWHERE }, async () => {
  await page.evaluate(() => {
    window.held = new Promise((resolve) => (window.letGo = resolve));
    window.transition = document.startViewTransition(() => window.held);
  });
  await put(DELETE);
  await keepsStill(page);
  await page.evaluate(() => window.form().shadowRoot.querySelector("legend").focus());
  await keepsStill(page);
  await page.keyboard.press("y");
  await passed(page, 150);
  assert.equal(await person.end(), undefined);
  await page.evaluate(() => (window.letGo(), window.transition.finished));
  await counts("[data-answer=yes]", "once it is painted");
});

test("in another window, its own clock counts", { skip: ELSEWHERE }, async () => {
  await shows(DELETE);
  await goOn();
  await page.evaluate(async () => {
    const frame = Object.assign(document.createElement("iframe"), { className: "beside", width: 600, height: 400 });
    document.body.append(frame);
    await window.passed(100);
    frame.contentWindow.isHasty = true;
    frame.contentWindow.eventClock.ahead = window.eventClock.ahead;
    frame.contentDocument.body.append(window.moved = window.form());
  });
  const [frame] = page.frames().slice(1);
  const press = () => frame.locator("ask-user").locator("[data-answer=yes]").click();
  const ended = () => page.evaluate(() => window.moved.shadowRoot.querySelector("[data-ends]") !== null);
  await painted(page);
  await press();
  await passed(page, 300);
  assert.equal(await ended(), false, "at once");
  await passed(page, 800);
  await press();
  await passed(page, 300);
  assert.equal(await ended(), true, "after a moment");
});

test("marking text with the mouse chooses nothing", { skip: ELSEWHERE }, async () => {
  await shows(WHERE);
  const { x, y, height } = await person.find("[for=option-1]").boundingBox();
  await page.mouse.move(x + 45, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + height / 2);
  await page.mouse.move(x + 95, y + height / 2);
  await page.mouse.up();
  await painted(page);
  assert.equal(await person.find("[data-question=q]").count(), 1);
  assert.equal(await person.find(":checked").count(), 0);
  await keepsStill(page);
  await presses(...(await place("[for=option-1]")));
  await person.find("[data-question=r]").waitFor();
});
