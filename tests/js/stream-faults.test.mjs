// What goes wrong with a request that is still being written: streams that fail or never end, pieces that are none, a person who leaves, an element that is taken
// away, and hostile texts. No answer is lost, and none leaves for a request that is not whole.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onPages } from "./browser.mjs";
import { END, PARTS, TEXT, written } from "./written.mjs";

const WRONG = ',{"id":"go","text":"Go?","answer_type":"no such"}]}';
const LATE = "The agent's request has an error, so nothing was sent. Your answers are kept for its next attempt.";

let page;
let find, settled, seen, begin, write, end, shown, waits, answerText, answers;
onPages(async (at) => {
  ({ page } = at);
  ({ find, settled, seen, begin, write, end, shown, waits, answerText, answers } = written(page));
  await page.evaluate(() => {
    addEventListener("error", (event) => event.preventDefault());
    window.errors = [];
    document.addEventListener("ask-user-error", ({ detail }) => window.errors.push(detail.error.message));
  });
});

const errors = () => page.evaluate(() => window.errors.splice(0));
/** Shows the first question, and answers it. */
const answerFirst = async (setting) => {
  await begin(setting);
  await write(PARTS[0]);
  await find("[data-question=name]").waitFor();
  await answerText("Ada");
  await waits();
};
/** Sets the request again, and gives what its first field begins with. */
const again = async () => {
  await page.evaluate((text) => (window.form().request = text), TEXT);
  await find("[data-question=name]").waitFor();
  return find("[data-field]").inputValue();
};
const endTurn = async () => {
  await settled();
  await find("[data-way=end-turn]").click();
  await settled();
  await find("[data-end-turn]").click();
};

test("a request that is rejected at its end tells the person that nothing was sent, and keeps what was only typed, too", async () => {
  await answerFirst();
  await write(`${PARTS[2]}`);
  await find("[data-question=why]").waitFor();
  await settled();
  await find("[data-field]").fill("half a rea");
  await write(WRONG);
  await end();
  await find("[role=alert]").waitFor();
  assert.match(await find("[role=alert]").textContent(), new RegExp(LATE));
  assert.deepEqual([await answers(), (await seen("rejected")).length], [[], 1]);
  assert.equal(await again(), "Ada");
  await settled();
  await find("[type=submit]").click();
  await find("[data-question=go]").waitFor();
  await settled();
  await find("[data-answer]").first().click();
  await find("[data-question=why]").waitFor();
  assert.equal(await find("[data-field]").inputValue(), "half a rea");
});

test("a request of which no question was shown says what any rejected request says", async () => {
  await begin();
  await write(`{"questions":[${WRONG.slice(1)}`);
  await end();
  await find("[role=alert]").waitFor();
  assert.match(await find("[role=alert]").textContent(), /couldn't be displayed/);
});

test("a stream that fails is a rejection that says why, once", async () => {
  await answerFirst();
  await page.evaluate((text) => {
    async function* coming() {
      yield text;
      throw new Error("The line went dead.");
    }
    window.form().request = coming();
  }, TEXT);
  await page.waitForFunction(() => window.seen.some(([name]) => name === "rejected"));
  await settled();
  const [{ problems, message }, ...more] = await seen("rejected");
  assert.deepEqual([problems[0].code, more.length, await answers()], ["invalid_json", 0, []]);
  assert.match(problems[0].message, /The line went dead\./, message);
  assert.deepEqual(await errors(), ["The line went dead."]);
});

test("a stream that ends early is rejected where it ends", async () => {
  await answerFirst();
  await write(PARTS[1].slice(0, 20));
  await end();
  await find("[role=alert]").waitFor();
  assert.equal((await seen("rejected"))[0].problems[0].code, "invalid_json");
  assert.equal(await again(), "Ada");
});

test("who ends the turn has ended it: nothing that comes of the request is told any more", async () => {
  for (const rest of [WRONG, PARTS[1] + END, undefined]) {
    await answerFirst();
    await endTurn();
    await page.waitForFunction(() => window.seen.some(([name]) => name === "end-turn"));
    await find("[part=receipt]").waitFor();
    if (rest) await write(rest);
    await end();
    await settled();
    assert.deepEqual([(await seen("end-turn")).length, await seen("rejected"), await answers()], [1, [], []], rest);
    await find("[part=receipt]").waitFor();
  }
});

test("the end of the turn can be undone, though the request is still being written", async () => {
  await answerFirst({ host: { undo: 30 } });
  await endTurn();
  await find("[data-undo]").waitFor();
  assert.deepEqual(await seen("end-turn"), []);
  await write(PARTS[1]);
  await settled();
  await find("[data-undo]").click();
  await find("[data-question=go]").waitFor();
  await write(END);
  await end();
  await settled();
  assert.deepEqual([(await seen("end-turn")).length, await shown()], [0, { question: "go", progress: "2 of 2" }]);
});

test("a reply waits for the whole request, and says so", async () => {
  await answerFirst();
  await settled();
  await find("[data-way=reply]").click();
  await settled();
  await find("#reply").fill("None of these.");
  await find("[data-send-reply]").click();
  await page.waitForFunction(() => /Your message will be sent once/.test(window.form().shadowRoot.querySelector("[data-waiting] h2")?.textContent));
  await settled();
  assert.deepEqual(await answers(), []);
  await write(PARTS[1] + END);
  await end();
  await find("[part=receipt]").waitFor();
  const [{ outcome }] = await seen("result");
  assert.deepEqual([outcome.ends, outcome.reply], ["replied", "None of these."]);
});

test("an assistant is asked once the request is whole", async () => {
  await begin();
  await page.evaluate(() => {
    window.consulted = [];
    const assistant = async (step) => (window.consulted.push(step.question.id), { reason: "It is.", answer: true });
    window.form().host = { layout: "steps", target: "assistant", assistant };
  });
  await write(`{"questions":[${PARTS[1].slice(1)}`);
  await settled();
  assert.deepEqual(await page.evaluate(() => window.consulted), []);
  await write(END);
  await end();
  await page.waitForFunction(() => window.seen.some(([name]) => name === "result"));
  assert.deepEqual([await page.evaluate(() => window.consulted), await answers()], [["go"], [{ go: true }]]);
});

test("an element that is off the page when the request ends has what was answered when it is put back", async () => {
  await answerFirst();
  await page.evaluate(async (rest) => {
    const element = (window.kept = window.form());
    element.remove();
    await new Promise((resolve) => element.addEventListener("ask-user-removed", resolve, { once: true }));
    element.write(rest);
    element.end();
    await window.settled();
    document.querySelector("main").append(element);
  }, PARTS[1] + END);
  await find("[data-question=name]").waitFor();
  await settled();
  assert.deepEqual([await find("[data-field]").inputValue(), (await seen("ready")).map(({ unresumable }) => unresumable)], ["Ada", [undefined]]);
});

test("what the host sets wrong meanwhile can be set right after the end", async () => {
  await answerFirst();
  await page.evaluate(() => (window.form().host = { undo: 99 }));
  await settled();
  await write(PARTS[1] + END);
  await end();
  await settled();
  assert((await errors()).every((message) => /`undo`/.test(message)));
  await page.evaluate(() => (window.form().host = { layout: "steps" }));
  await find("[data-question=name]").waitFor();
  assert.equal(await find("[data-field]").inputValue(), "Ada");
});

test("what is no piece is refused where it is written, and shows nothing", async () => {
  await begin();
  const refused = () => page.evaluate(() => [null, undefined, 7, {}, ["x"]].map((piece) => {
    try {
      window.form().write(piece);
    } catch (error) {
      return `${error.name}: ${error.message}`;
    }
  }));
  const said = "TypeError: Write a piece of the request: a string, or bytes of UTF-8.";
  assert.deepEqual(await refused(), Array(5).fill(said));
  await settled();
  assert.deepEqual(await page.evaluate(() => [window.seen.length, window.form().request === undefined]), [0, true]);
  await write(PARTS[0]);
  await find("[data-question=name]").waitFor();
  assert.deepEqual(await refused(), Array(5).fill(said));
  await write(END);
  await end();
  await settled();
  assert.equal((await shown()).progress, "1 of 1");
});

test("pieces of a request that something else has taken the place of are dropped until its end", async () => {
  await begin();
  await write(PARTS[0]);
  await find("[data-question=name]").waitFor();
  await page.evaluate((request) => (window.form().requests = [{ toolCallId: "other", request }]), '{"question":"Other?","answer_type":"text"}');
  await find("[data-question=question], [data-question]:not([data-question=name])").first().waitFor();
  for (const piece of [PARTS[1], PARTS[2], END]) {
    await write(piece);
    await settled();
  }
  await end();
  await end();
  await settled();
  assert.match(await find("[part=question]").textContent(), /Other\?/);
  assert.deepEqual(await seen("rejected"), []);
});

test("after `end` the next piece begins another request, and `end` alone does nothing", async () => {
  await begin();
  await end();
  await write(PARTS[0]);
  await write(END);
  await end();
  await find("[data-question=name]").waitFor();
  await write('{"questions":[{"id":"other","text":"Other?","answer_type":"text"}');
  await find("[data-question=other]").waitFor();
  assert.equal((await shown()).progress, "1 of …");
});

test("two elements can show one stream", async () => {
  await begin();
  await page.evaluate((text) => {
    const stream = new ReadableStream({ start: (it) => ((window.it = it), it.enqueue(text)) });
    const other = document.createElement("ask-user");
    other.id = "other";
    document.querySelector("main").append(other);
    window.form().request = other.request = stream;
  }, PARTS[0]);
  await page.waitForFunction(() => [...document.querySelectorAll("ask-user")].every((one) => one.shadowRoot.querySelector("[data-question=name]")));
  await page.evaluate((end) => (window.it.enqueue(end), window.it.close()), END);
  await page.waitForFunction((text) => [...document.querySelectorAll("ask-user")].every((one) => one.request === text), PARTS[0] + END);
  assert.equal((await seen("ready")).length, 2);
});

test("an endless text is rejected once it is longer than the host allows, and is read no further", async () => {
  for (const beginning of ['{"questions":[{"id":"', PARTS[0] + ',{"id":"go","text":"', '{"a":', ""]) {
    await begin({ host: { limits: { bytes: 10_000 } } });
    await page.evaluate((beginning) => {
      window.pulled = 0;
      let isBegun = false;
      window.isCancelled = false;
      window.form().request = new ReadableStream({
        pull: (it) => it.enqueue(isBegun ? "[".repeat(500) : ((isBegun = true), beginning)),
        cancel: () => void (window.isCancelled = true),
      });
    }, beginning);
    await page.waitForFunction(() => window.seen.some(([name]) => name === "rejected"));
    await page.waitForFunction(() => window.isCancelled);
    assert.equal((await seen("rejected"))[0].problems[0].code, "too_large", beginning);
    assert((await page.evaluate(() => window.form().request)).length < 12_000);
  }
});

test("hostile texts in pieces of one character give what they give at once, and the page stays alive", async () => {
  const question = '{"id":"a","text":"A?","answer_type":"boolean"}';
  const texts = [
    `{"questions":[${question},${question}]}`,
    `{"questions":[${question}],"questions":[{"id":"b","text":"B?","answer_type":"text"}]}`,
    '{"questions":[{"id":"a","id":"b","text":"A?","text":"B?","answer_type":"boolean"}]}',
    `{"questions":[{"id":"a","text":"\\ud83d\\ude00 \\u00e9 \\\\ \\" \\ud83d","answer_type":"boolean"},${question}]}`,
    '{"questions":[{"id":"__proto__","text":"A?","answer_type":"boolean"},{"id":"constructor","text":"B?","answer_type":"text"}]}',
    `{"questions":${"[".repeat(500)}`,
    `{"questions":[${'{"a":'.repeat(500)}`,
    `{"questions":[${question}]}}}}`,
    `\ufeff{"questions":[${question}]}`,
    `{"quest\\u0069ons":[${question}]}`,
    "",
    "   ",
    "null",
  ];
  const told = () => page.evaluate(() => window.seen.filter(([name]) => name === "ready" || name === "rejected").map(([name, { questions, problems, warnings }]) => [name, questions, problems, warnings]));
  for (const text of texts) {
    await begin();
    await page.evaluate((text) => (window.form().request = text), text);
    await page.waitForFunction(() => window.seen.some(([name]) => name === "ready" || name === "rejected"));
    const atOnce = await told();
    await begin();
    await page.evaluate((text) => {
      window.form().write("");
      for (const piece of text.split("")) window.form().write(piece);
      window.form().end();
    }, text);
    await page.waitForFunction(() => window.seen.some(([name]) => name === "ready" || name === "rejected"));
    assert.deepEqual(await told(), atOnce, text);
  }
});

test("a megabyte in pieces of one character is shown, and its first question before its end", async () => {
  await begin();
  await page.evaluate(
    async ([first, end]) => {
      const element = window.form();
      const long = JSON.stringify({ id: "long", text: "x".repeat(2_000), answer_type: "text" });
      for (const piece of first) element.write(piece);
      const rest = Array.from({ length: 500 }, (_, place) => `,${long.replace("long", `long${place}`)}`).join("");
      for (let at = 0; at < rest.length; at += 10_000) {
        for (const piece of rest.slice(at, at + 10_000)) element.write(piece);
        await window.passed();
        if (at !== 500_000) continue;
        // The form itself may still be on its way.
        while (!element.shadowRoot.querySelector("[data-question]")) await window.passed(5);
        window.early = element.shadowRoot.querySelector("[data-question]").dataset.question;
      }
      for (const piece of end) element.write(piece);
      element.end();
    },
    [PARTS[0], END],
  );
  await page.waitForFunction(() => window.seen.some(([name]) => name === "ready" || name === "rejected"), undefined, { timeout: 60_000 });
  assert.equal(await page.evaluate(() => window.early), "name");
  const [told] = await page.evaluate(() => window.seen.filter(([name]) => name === "ready" || name === "rejected").map(([name, { questions, problems }]) => [name, questions ?? problems.map(({ code }) => code)]));
  assert(told[0] === "ready" ? told[1] === 501 : told[1][0] === "too_large", JSON.stringify(told));
});

test("an element whose stream is rejected before its first question leaves the page as any other does", async () => {
  await begin({ attributes: { dialect: "no_such_dialect" } });
  await write("");
  await page.waitForFunction(() => window.seen.some(([name]) => name === "rejected"));
  const events = await page.evaluate(async () => {
    const element = window.form();
    const removed = [];
    element.addEventListener("ask-user-removed", ({ type }) => removed.push(type));
    element.remove();
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => queueMicrotask(resolve));
    return removed;
  });
  assert.deepEqual(events, ["ask-user-removed"]);
});
