// A request that is still being written: `element.write` and `element.end`, or `request` set to a stream. The form grows, and what the person is at stays as it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onPages } from "./browser.mjs";
import { END, PARTS, QUESTIONS, TEXT, written } from "./written.mjs";

let page;
let find, settled, seen, begin, write, end, shown, waits, answerText, answers;
onPages((at) => {
  ({ page } = at);
  ({ find, settled, seen, begin, write, end, shown, waits, answerText, answers } = written(page));
});

test("the form can be answered to its end before the request is whole, and its result leaves at the end", async () => {
  await begin();
  await write(PARTS[0].slice(0, 30));
  await waits();
  assert.equal(await find("[data-waiting] h2").textContent(), "Waiting for the next question…");
  await write(PARTS[0].slice(30));
  await find("[data-question=name]").waitFor();
  assert.deepEqual(await shown(), { question: "name", progress: "1 of …" });
  assert.equal(await find("[type=submit]").textContent(), "Continue");
  await answerText("Ada");
  await waits();
  await write(PARTS[1] + PARTS[2]);
  await find("[data-question=go]").waitFor();
  assert.deepEqual(await shown(), { question: "go", progress: "2 of …" });
  await settled();
  await find("[data-answer=yes], [value=yes], .answers button").first().click();
  await answerText("It is ready");
  await waits();
  assert.deepEqual(await seen("result"), []);
  assert.deepEqual(await seen("ready"), []);
  await write(END);
  await settled();
  assert.deepEqual(await seen("result"), []);
  await end();
  await find("[part=receipt]").waitFor();
  assert.deepEqual(await answers(), [{ name: "Ada", go: true, why: "It is ready" }]);
  const [{ questions, dialect }] = await seen("ready");
  assert.deepEqual([questions, dialect], [3, "ask_user"]);
  assert.equal(await page.evaluate(() => window.form().request), TEXT);
});

test("what is typed, the focus and the place of every element stay while questions arrive", async () => {
  await begin();
  await write(PARTS[0]);
  await find("[data-question=name]").waitFor();
  await settled();
  await find("[data-field]").pressSequentially("Ad");
  const places = () =>
    page.evaluate(() => {
      const root = window.form().shadowRoot;
      window.nodes ??= [...root.querySelectorAll("[part]")];
      const field = root.querySelector("[data-field]");
      return { boxes: window.nodes.map((node) => [node.isConnected, node.getBoundingClientRect().top, node.getBoundingClientRect().left]), typed: field.value, focus: root.activeElement === field, at: [field.selectionStart, field.selectionEnd] };
    });
  const first = await places();
  assert.deepEqual([first.typed, first.focus], ["Ad", true]);
  for (const piece of [PARTS[1], PARTS[2].slice(0, 9), PARTS[2].slice(9), END]) {
    await write(piece);
    assert.deepEqual(await places(), first);
  }
  await find("[data-field]").pressSequentially("a");
  const steps = (await seen("step")).length;
  await end();
  await settled();
  const now = await places();
  assert.deepEqual([now.typed, now.focus, now.at], ["Ada", true, [3, 3]]);
  assert.deepEqual(now.boxes.map(([there, top]) => [there, top]), first.boxes.map(([there, top]) => [there, top]));
  assert.deepEqual(await shown(), { question: "name", progress: "1 of 3" });
  assert.equal((await seen("step")).length, steps, "the same question is told of once");
  await find("[type=submit]").click();
  await find("[data-question=go]").waitFor();
});

test("nothing shifts and nothing is spoken while questions arrive", async () => {
  await begin();
  await write(PARTS[0]);
  await find("[data-question=name]").waitFor();
  await settled();
  await page.evaluate(() => {
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((/** @type {any} */ { value }) => value))).observe({ type: "layout-shift" });
    window.spoken = [];
    const live = window.form().shadowRoot.querySelectorAll("[role=status], [role=alert], [aria-live]");
    for (const node of live) new MutationObserver(() => window.spoken.push(node.textContent)).observe(node, { subtree: true, childList: true, characterData: true });
    window.watched = live.length;
  });
  for (const piece of `${PARTS[1]}${PARTS[2]}${END}`.match(/.{1,7}/gsu)) await write(piece);
  await end();
  await settled();
  const { shifts, spoken, watched } = await page.evaluate(() => ({ shifts: window.shifts, spoken: window.spoken, watched: window.watched }));
  assert(watched > 0);
  // The number of questions takes the place of "…".
  assert(shifts.reduce((sum, value) => sum + value, 0) < 0.0001, String(shifts));
  assert.deepEqual(spoken, []);
  // What follows is spoken once.
  await answerText("Ada");
  await find("[data-question=go]").waitFor();
  await settled();
  assert.equal(await page.evaluate(() => window.spoken.filter((text) => /2 of 3/.test(text)).length), 1);
});

test("a form that waits is no barrier", async () => {
  await begin();
  const barriers = () => page.evaluate(async () => {
      if (!window.axe) await import("/axe.js");
      return (await window.axe.run(document.querySelector("ask-user"))).violations.map(({ id }) => id);
    });
  await write(PARTS[0].slice(0, 30));
  await waits();
  assert.deepEqual(await barriers(), []);
  await write(PARTS[0].slice(30));
  await find("[data-question=name]").waitFor();
  await answerText("Ada");
  await waits();
  await settled();
  assert.deepEqual(await barriers(), []);
  // The focus is where the question was.
  assert.equal(await page.evaluate(() => window.form().shadowRoot.activeElement !== null), true);
});

test("the last question says Send once it is known to be the last", async () => {
  await begin();
  await write(`{"questions":[${JSON.stringify(QUESTIONS[0])}`);
  await find("[data-question=name]").waitFor();
  assert.deepEqual([(await shown()).progress, await find("[type=submit]").textContent()], ["1 of …", "Continue"]);
  await write(END);
  await end();
  await settled();
  assert.deepEqual([(await shown()).progress, await find("[type=submit]").textContent()], ["1 of 1", "Send"]);
  await answerText("Ada");
  await find("[part=receipt]").waitFor();
  assert.deepEqual(await answers(), [{ name: "Ada" }]);
});

test("`request` can be a ReadableStream of bytes or an async iterable of text, cut within a character", async () => {
  for (const kind of ["bytes", "text"]) {
    await begin();
    await page.evaluate(
      async ({ text, kind }) => {
        const bytes = new TextEncoder().encode(text);
        const pieces = kind === "bytes" ? [...bytes].map((byte) => Uint8Array.of(byte)) : text.split("");
        async function* coming() {
          for (const piece of pieces) yield piece;
        }
        const stream = () => new ReadableStream({ start: (it) => (pieces.forEach((piece) => it.enqueue(piece)), it.close()) });
        window.form().request = kind === "bytes" ? stream() : coming();
      },
      { text: TEXT, kind },
    );
    await find("[data-question=name]").waitFor();
    await settled();
    assert.deepEqual(await shown(), { question: "name", progress: "1 of 3" });
    assert.match(await find("[part=question]").textContent(), /Name – “it”\? 😀/);
    assert.equal(await page.evaluate(() => window.form().request), TEXT);
  }
});

test("a request that is rejected at its end leaves what was answered to the next one", async () => {
  await begin();
  await write(PARTS[0]);
  await find("[data-question=name]").waitFor();
  await answerText("Ada");
  await waits();
  await write(',{"id":"go","text":"Go?","answer_type":"no such"}]}');
  await end();
  await find("[role=alert], [data-rejected], .notice").first().waitFor();
  const [{ problems }] = await seen("rejected");
  assert.equal(problems[0].path, "/questions/1/answer_type");
  assert.deepEqual(await answers(), []);
  await page.evaluate((text) => (window.form().request = text), TEXT);
  await find("[data-question=name]").waitFor();
  assert.equal(await find("[data-field]").inputValue(), "Ada");
});

test("a stream that fails is no request, though its text may look whole", async () => {
  await begin();
  await page.evaluate((text) => {
    addEventListener("error", (event) => event.preventDefault());
    document.addEventListener("ask-user-error", ({ detail }) => (window.failed = detail.error.message));
    async function* coming() {
      yield text;
      await new Promise((resolve) => (window.fail = resolve));
      throw new Error("The line went dead.");
    }
    window.form().request = coming();
  }, TEXT);
  await find("[data-question=name]").waitFor();
  await answerText("Ada");
  await find("[data-question=go]").waitFor();
  await page.evaluate(() => window.fail());
  await page.waitForFunction(() => window.seen.some(([name]) => name === "rejected"));
  assert.equal(await page.evaluate(() => window.failed), "The line went dead.");
  assert.equal((await seen("rejected"))[0].problems[0].code, "invalid_json");
  page.faults.length = 0;
  await page.evaluate((text) => (window.form().request = text), TEXT);
  await find("[data-question=name]").waitFor();
  assert.equal(await find("[data-field]").inputValue(), "Ada");
});

test("another request takes the place of one that is still being written", async () => {
  await begin();
  await page.evaluate((text) => {
    window.form().request = new ReadableStream({ start: (it) => ((window.it = it), it.enqueue(text)), cancel: () => void (window.isCancelled = true) });
  }, PARTS[0]);
  await find("[data-question=name]").waitFor();
  await page.evaluate(() => {
    const [first, second] = ['{"questions":[{"id":"other","text":"Other?","answer_type":"text"}', "]}"];
    window.form().write(first);
    window.it.enqueue(",");
    window.form().write(second);
    window.form().end();
  });
  await find("[data-question=other]").waitFor();
  await settled();
  assert.deepEqual(await shown().then(({ question }) => question), "other");
  assert.equal(await page.evaluate(() => window.isCancelled), true);
});

test("a form that is taken off the page and put back has what was answered, and grows on", async () => {
  await begin();
  await write(PARTS[0]);
  await find("[data-question=name]").waitFor();
  await answerText("Ada");
  await waits();
  await page.evaluate(async () => {
    const element = (window.kept = window.form());
    element.remove();
    await new Promise((resolve) => element.addEventListener("ask-user-removed", resolve, { once: true }));
    element.write(',');
  });
  await page.evaluate((text) => (window.kept.write(text.slice(1)), document.querySelector("main").append(window.kept)), PARTS[1]);
  await find("[data-question=name]").waitFor();
  assert.equal(await find("[data-field]").inputValue(), "Ada");
  await settled();
  await find("[type=submit]").click();
  await find("[data-question=go]").waitFor();
  await write(PARTS[2] + END);
  await end();
  await settled();
  assert.deepEqual(await shown(), { question: "go", progress: "2 of 3" });
});

test("the end can be undone, though it was given before the request was whole", async () => {
  await begin({ host: { undo: 30 } });
  await write(`{"questions":[${JSON.stringify(QUESTIONS[0])}`);
  await find("[data-question=name]").waitFor();
  await answerText("Ada");
  await waits();
  await write(END);
  await end();
  await find("[data-undo]").waitFor();
  assert.deepEqual(await answers(), []);
  await settled();
  await find("[data-undo]").click();
  await find("[data-question=name]").waitFor();
  await answerText("Grace");
  await find("[data-undo]").waitFor();
  const result = page.evaluate(() => new Promise((resolve) => {
    window.form().addEventListener("ask-user-result", ({ detail }) => resolve(detail.result));
    window.form().remove();
  }));
  assert.deepEqual(await result, { name: "Grace" });
});

test("a question with a schema waits for its checker, and later ones for it", async () => {
  await begin();
  await write(`{"questions":[${JSON.stringify({ id: "port", text: "Port?", answer_type: "schema", schema: { type: "integer" } })},`);
  await find("[data-question=port]").waitFor();
  await write(`${JSON.stringify(QUESTIONS[2])}]}`);
  await end();
  await page.waitForFunction(() => window.seen.some(([name]) => name === "ready"));
  await settled();
  assert.deepEqual(await shown(), { question: "port", progress: "1 of 2" });
});
