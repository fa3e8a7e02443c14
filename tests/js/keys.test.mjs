// Answering by keys: arrows, letters and digits in lists of options, the way into the text of "Other" and out again, and Enter in texts and on
// suggested answers. What must not happen by accident is in accident.test.mjs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ELSEWHERE, ENGINE } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { questions } from "./prompts.mjs";
import { keepsStill, until } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const named = (labels) => labels.map((label) => ({ label }));
/** A question of the dialect `opencode`, which offers "Other" and has any number of options. */
const choice = (labels, { several = false, other = true } = {}) => ({
  questions: [{ question: "Which?", options: named(labels), multiple: several, custom: other }],
});
const DATABASES = ["Postgres", "MySQL"];
const TWELVE = ["red", "orange", "yellow", "green", "blue", "indigo", "violet", "black", "white", "grey", "brown", "pink"];

/** Asks with a choice, and goes to its first option, or to what is named. */
async function choose(request, /** @type {{ on?: any, attributes?: any }} */ { on = "[data-option]", attributes } = {}) {
  await person.ask(request, { attributes });
  await person.find(on).first().focus();
  await person.settled();
}
/** The labels of what is chosen: "Other" with its text. */
const chosen = () =>
  page.evaluate(() =>
    [...window.form().shadowRoot.querySelectorAll(".options :checked")].map((input) =>
      input.matches("[data-other]") ? `Other: ${input.parentElement.querySelector("#other").value}` : JSON.parse(input.dataset.option),
    ),
  );
/** The label of the option that has the focus, or its id. */
const at = () =>
  page.evaluate(() => {
    const active = window.form().shadowRoot.activeElement;
    return active?.dataset.option ? JSON.parse(active.dataset.option) : (active?.id || active?.localName) ?? null;
  });
/** Presses a key that a driver has not, with the fields of its event, at what has the focus. */
const dispatch = async (fields) => {
  await page.evaluate((fields) => {
    const event = new KeyboardEvent("keydown", { bubbles: true, composed: true, cancelable: true, ...fields });
    window.form().shadowRoot.activeElement.dispatchEvent(event);
  }, fields);
  await person.settled();
};
const open = () => page.evaluate(() => window.form().shadowRoot.querySelector("[data-question]")?.dataset.question ?? "the end");
/** Waits until keys no longer belong to those before them. */
const pause = () => keepsStill(page, 1_100);
/** What the question was answered with. */
const answer = async () => (await person.result())?.answers?.[0];

test("Other leads to its field, whether a digit, an arrow, Space or End chooses it", async () => {
  for (const several of [false, true]) {
    for (const keys of [["3"], ["End", ...(several ? ["Space"] : [])], ["ArrowUp", ...(several ? ["Space"] : [])]]) {
      await choose(choice(DATABASES, { several }));
      await person.press(...keys);
      assert.equal(await at(), "other", `${keys} ${several}`);
      await person.press(..."sqlite");
      assert.deepEqual(await chosen(), ["Other: sqlite"], `${keys} ${several}`);
      await person.press("Enter");
      assert.deepEqual(await answer(), ["sqlite"]);
    }
  }
});

test("typing an option's digit and then words writes the words, wherever the focus was in the question", async () => {
  for (const on of ["legend", "[type=submit]", "[data-option]"]) {
    await choose(choice(DATABASES), { on });
    await person.press("3", ..."sqlite");
    assert.deepEqual(await chosen(), ["Other: sqlite"], on);
    assert.equal(await person.end(), undefined);
  }
});

test("Arrow Up leads out of the field of Other: to the option above it, or to its checkbox; what was written stays", async () => {
  await choose(choice(DATABASES));
  await person.press("ArrowDown", "ArrowDown", "x", "y");
  assert.deepEqual([await at(), await chosen()], ["other", ["Other: xy"]]);
  assert.match(await person.find("#other").evaluate((field) => field.getAttribute("aria-describedby").split(" ").map((id) => field.getRootNode().getElementById(id).textContent).join(" ")), /Arrow Up/);
  // Down is the field's.
  await person.press("ArrowDown");
  assert.equal(await at(), "other");
  await person.press("ArrowUp");
  assert.deepEqual([await at(), await chosen()], ["MySQL", ["MySQL"]]);
  assert.equal(await person.find("#other").inputValue(), "xy");
  await person.press("ArrowDown", "z");
  assert.deepEqual(await chosen(), ["Other: xyz"]);
  // Tab leads backwards to the radio itself and stays there.
  await person.press("Shift+Tab");
  assert.equal(await at(), "option-other");

  await choose(choice(DATABASES, { several: true }));
  await person.press("3", "x", "ArrowUp");
  assert.deepEqual([await at(), await chosen()], ["option-other", ["Other: x"]]);
  await person.press("Space");
  assert.deepEqual([await at(), await chosen()], ["option-other", []]);
  await person.press("Space");
  assert.deepEqual([await at(), await chosen()], ["other", ["Other: x"]]);
});

test("a click that unticks Other leaves the focus there, and one that ticks it leads to the field", async () => {
  await choose(choice(DATABASES, { several: true }));
  await person.click("[for=option-other]");
  assert.equal(await at(), "other");
  await person.click("[for=option-other]");
  assert.deepEqual([await at(), await chosen()], ["option-other", []]);
  await person.press("3", "ArrowUp", "3");
  assert.deepEqual([await at(), await chosen()], ["option-other", []]);
});

test("the text of Other is sent without the white space around it, and an empty one beside options is left out", async () => {
  await choose(choice(DATABASES));
  await person.press("3");
  await person.find("#other").fill("\u2003 SQLite 3 ");
  await person.press("Enter");
  assert.deepEqual(await answer(), ["SQLite 3"]);
  assert.deepEqual(await person.find("dd").allTextContents(), ["SQLite 3"]);
  await choose(choice(DATABASES, { several: true }));
  await person.press("3", "ArrowUp", "1", "Enter");
  assert.deepEqual(await answer(), ["Postgres"]);
});

test("a refused empty Other leads to its field, which says so", async () => {
  for (const several of [false, true]) {
    await choose(choice(DATABASES, { several }));
    await person.press("3", "ArrowUp");
    await person.find("[for=option-other]").click();
    if (several) await person.find("[for=option-other]").click();
    await person.click("[type=submit]");
    assert.equal(await at(), "other");
    assert.equal(await person.find("#error [data-code]").getAttribute("data-code"), "required");
    assert.equal(await person.find("#other").getAttribute("aria-invalid"), "true");
  }
});

test("an earlier answer in one's own words is taken with Enter after Back", async () => {
  const request = { questions: [choice(DATABASES).questions[0], { question: "And?", options: named(["a", "b"]) }] };
  await choose(request);
  await person.press("3", ..."sql", "Enter", "Escape", "b");
  assert.deepEqual([await at(), await chosen()], ["other", ["Other: sql"]]);
  await person.press("Enter", "1", "Enter");
  assert.deepEqual((await person.result()).answers, [["sql"], ["a"]]);
});

test("arrows, Home and End choose in a choice of one, and move the focus in one of several", async () => {
  for (const several of [false, true]) {
    await choose(choice(["a", "b", "c"], { several, other: false }));
    const places = [];
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Home", "End", "ArrowUp"]) {
      await person.press(key);
      places.push(await at());
      assert.deepEqual(await chosen(), several ? [] : [places.at(-1)], key);
    }
    assert.equal(places.join(""), "bcacacb");
    if (several) await person.press("Space", "Home", "Space");
    await person.press("Enter");
    assert.deepEqual(await answer(), several ? ["a", "b"] : ["b"]);
  }
});

test("a held arrow moves on through a list of checkboxes", { skip: ELSEWHERE }, async () => {
  await choose(choice(TWELVE, { several: true }));
  for (let time = 0; time < 4; time += 1) await page.keyboard.down("ArrowDown");
  await page.keyboard.up("ArrowDown");
  assert.deepEqual([await at(), await chosen()], ["blue", []]);
});

test("letters find options by how their labels begin", async () => {
  const labels = ["Banana", "Élan", "Blueberry", "İzmir", "new york", "New Jersey", "s3", "rds", "Bilberry"];
  for (const several of [false, true]) {
    await choose(choice(labels, { several, other: false }));
    const type = async (...keys) => {
      await pause();
      await person.press(...keys);
      return at();
    };
    assert.equal(await type("b"), "Blueberry");
    assert.equal(await type("b"), "Bilberry");
    assert.equal(await type("b"), "Banana");
    assert.equal(await type("b", "b"), "Bilberry", "the same letter again goes on to the next");
    assert.equal(await type("b", "L", "u"), "Blueberry");
    await pause();
    await dispatch({ key: "é" });
    assert.equal(await at(), "Élan");
    assert.equal(await type("i"), "İzmir");
    assert.deepEqual(await chosen(), several ? [] : ["İzmir"]);
    assert.equal(await type("n", "e", "w", "Space", "j"), "New Jersey");
    assert.equal(await type("s", "3"), "s3", "a digit goes on with a label");
    assert.equal(await type("z", "x"), "s3", "a letter that begins no label moves nothing");
    assert.deepEqual(await chosen(), several ? [] : ["s3"]);
    assert.equal(await open(), "q1");
    // Space ticks what no label goes on with.
    await pause();
    await person.press("r", "Space");
    assert.deepEqual(await chosen(), ["rds"]);
  }
});

test("a letter at a list ends nothing, answers nothing and leads nowhere, also after a digit and in its field", async () => {
  for (const several of [false, true]) {
    for (const first of [[], ["1"], ["7"], ["ArrowDown"]]) {
      const request = { questions: [{ question: "Zero?", options: named(["x"]) }, choice(["alpha", "beta"], { several }).questions[0]] };
      await choose(request);
      await person.press("1", "Enter", ...first);
      await person.press(..."synrbYN");
      assert.deepEqual([await open(), await person.end(), await person.find("[data-send-reply], [data-end-turn]").count()], ["q2", undefined, 0]);
    }
  }
  // From the ways to go on they act.
  await person.press("Escape", "b");
  assert.equal(await open(), "q1");
});

test("Alt with a letter leads on from a list, and not from a text", async () => {
  for (const fields of [{ key: "r", code: "KeyR", altKey: true }, { key: "\u00ae", code: "KeyR", altKey: true }]) {
    await choose(choice(["a", "b"]));
    await dispatch(fields);
    assert.equal(await person.find("[data-send-reply]").count(), 1, JSON.stringify(fields));
    assert.equal(await person.end(), undefined);
  }
  await choose(choice(["a", "b"]));
  await dispatch({ key: "s", code: "KeyS", altKey: true });
  assert.deepEqual([await person.find("[data-end-turn]").count(), await person.end()], [1, undefined], "it asks once more");
  await person.ask(questions("text"));
  await person.find("[data-field]").focus();
  await dispatch({ key: "\u00ae", code: "KeyR", altKey: true });
  assert.equal(await person.find("[data-send-reply]").count(), 0);
});

test("letters follow the language, and are those of the keys where a keyboard writes no Latin", async () => {
  const asked = { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "boolean" }] };
  await person.ask(asked, { attributes: { lang: "es" } });
  await until(() => person.find("kbd").allTextContents(), "letters of Spanish", (letters) => letters.join("") === "SN");
  await keepsStill(page);
  await page.evaluate(() => window.form().focus());
  await person.press("y");
  assert.equal(await open(), "a", "y means nothing in Spanish");
  await person.press("s");
  assert.equal(await open(), "b", "s is yes");
  await person.press("t");
  assert.equal(await person.find("[data-end-turn]").count(), 1);
  await person.click("[data-cancel]");
  await dispatch({ key: "A", code: "KeyA", shiftKey: true });
  assert.equal(await open(), "b", "no letter with Shift leads back");
  await person.press("a");
  assert.equal(await open(), "a");
  await person.ask(asked);
  await page.evaluate(() => window.form().focus());
  await keepsStill(page);
  await dispatch({ key: "\u05d8", code: "KeyY" });
  assert.equal(await open(), "b");
});

test("letters find options and digits find labels where shortcuts are off", async () => {
  await choose(choice(["1x", "2x", "y"], { several: true }), { attributes: { shortcuts: "off" } });
  await person.press("2");
  assert.deepEqual([await at(), await chosen()], ["2x", []]);
  await pause();
  await person.press("y", "ArrowUp");
  assert.deepEqual([await at(), await chosen()], ["2x", []]);
});

test("keys of an input method, and those with Ctrl, Alt or Meta, move nothing in a list", async () => {
  await choose(choice(["a", "b", "b2"], { several: true }));
  for (const fields of [{ key: "b", isComposing: true }, { key: "2", isComposing: true }, { key: "b", keyCode: 229 }, { key: "b", altKey: true }, { key: "2", metaKey: true }, { key: "End", ctrlKey: true }, { key: "ArrowDown", altKey: true }]) {
    await dispatch(fields);
    assert.deepEqual([await at(), await chosen()], ["a", []], JSON.stringify(fields));
  }
  await person.press("4", "x");
  for (const fields of [{ key: "ArrowUp", isComposing: true }, { key: "ArrowUp", keyCode: 229 }, { key: "ArrowUp", shiftKey: true }]) {
    await dispatch(fields);
    assert.equal(await at(), "other", JSON.stringify(fields));
  }
});

test("in a choice of more than nine, digits that follow one another make one number", async () => {
  await choose(choice(TWELVE), { on: "legend" });
  for (const [keys, label] of [["1", "red"], ["12", "pink"], ["10", "grey"], ["19", "white"], ["5", "blue"], ["25", "blue"], ["0", "blue"]]) {
    await pause();
    await person.press(...keys);
    assert.deepEqual([await at(), await chosen()], [label, [label]], keys);
  }
  await pause();
  await person.press("1");
  await pause();
  await person.press("2");
  assert.deepEqual(await chosen(), ["orange"]);
  await pause();
  await person.press("1", "3", ..."teal", "Enter");
  assert.deepEqual(await answer(), ["teal"]);
});

test("in a choice of several with more than nine, digits lead to an option and tick nothing", async () => {
  await choose(choice(TWELVE, { several: true }), { on: "legend" });
  await person.press("1", "2");
  assert.deepEqual([await at(), await chosen()], ["pink", []]);
  await person.press("Space");
  await pause();
  await person.press("3", "Space");
  await pause();
  await person.press("1", "3");
  assert.deepEqual([await at(), await chosen()], ["option-other", ["yellow", "pink"]]);
  await person.press("Space", "x", "Enter");
  assert.deepEqual(await answer(), ["yellow", "pink", "x"]);
});

test("the list of keys says what acts where, and leads back when it is closed", async () => {
  const list = async (request) => {
    await person.ask(request);
    await person.click("[data-way=keys]");
    const rows = await person.find("dialog dl > div").evaluateAll((rows) => rows.map((row) => `${[...row.querySelectorAll("kbd")].map((key) => key.textContent).join(" ")}: ${row.querySelector("dd").textContent}`));
    return rows.join("\n");
  };
  const plain = await list(choice(["a", "b"]));
  for (const row of ["1–9: Choose an option by its number", "A–Z: Choose an option by its first letters", "Enter: Continue", "R: Decline", "S: End turn", "?: Keyboard shortcuts"]) assert.ok(plain.split("\n").includes(row), row);
  assert.equal(await person.find("dialog p").textContent(), "After Esc:");
  assert.match(await list(choice(["a", "b"], { several: true })), /1–9: Tick an option.*\nSpace: Tick/);
  assert.match(await list(choice(TWELVE)), /1 2: Choose an option by its number, such as 12/);
  assert.match(await list(choice(TWELVE, { several: true })), /1 2: Go to an option by its number, such as 12/);
  assert.match(await list(questions("text")), /\nR: Write back\n/);
  assert.match(await list(questions("text")), /Enter: Continue\nShift Enter: New line/);
  assert.match(await list(questions("number")), /^↑ ↓: One more, one less\nEnter: Continue/);
  // Each key stands there once.
  assert.deepEqual((await list(questions("schema"))).match(/^Ctrl Enter: .*$/gm), ["Ctrl Enter: Continue"]);
  assert.match(await list({ questions: [{ id: "a", text: "A?", answer_type: "boolean" }] }), /^Y: Yes\nN: No/);
  assert.equal(await person.find("dialog p").count(), 0);
  assert.deepEqual(await person.barriers(), []);
  // Nothing behind it takes a key.
  await person.press("y", "n");
  assert.equal(await person.end(), undefined);
  await person.press("Escape");
  assert.deepEqual([await person.find("dialog").count(), await person.focused()], [0, "keys:button"]);
  await person.find("legend").focus();
  await person.press("?");
  assert.equal(await person.find("dialog:modal").count(), 1);
  await person.click("dialog button");
  assert.equal(await person.find("dialog").count(), 0);
});

test("an option that a pointer or a digit chooses answers, where nothing else is asked and a step follows that leads back", async () => {
  const two = (more = {}, last = { id: "b", text: "B?", answer_type: "boolean" }) => ({ questions: [{ id: "a", text: "A?", answer_type: "select", options: ["x", "y", "z"], ...more }, last] });
  const open = () => person.find(".step").getAttribute("data-question");
  for (const act of [() => person.click("label[for=option-1]"), () => person.click("#option-1"), async () => (await person.find("legend").focus(), person.press("2"))]) {
    await person.ask(two());
    await act();
    assert.equal(await open(), "b");
    await person.click("[data-way=back]");
    assert.equal(await person.find("#option-1").isChecked(), true);
    // The same again answers again.
    await act();
    assert.equal(await open(), "b");
  }
  // The space around the label belongs to the row.
  if (ENGINE === "chromium") {
    await person.ask(two());
    const { x, y, width, height } = await person.find(".option").nth(2).boundingBox();
    await page.mouse.click(x + width - 4, y + height / 2);
    await person.settled();
    assert.equal(await open(), "b");
  }
  // Arrows and letters only choose; so does Space.
  await person.ask(two());
  await person.find("legend").focus();
  await person.press("Tab", "ArrowDown", "z", "Space");
  assert.equal(await open(), "a");
  // The last question, one after which the form may end, one with a text of one's own, or one of many options waits for its button.
  const skipped = { id: "b", text: "B?", answer_type: "boolean", when: { question_id: "a", equals: "x" } };
  for (const request of [{ questions: two().questions.slice(0, 1) }, two({}, skipped), { questions: [choice(["x", "y", "z"]).questions[0], two().questions[1]].slice(0, 1) }]) {
    await person.ask(request);
    await person.click("label[for=option-1]");
    assert.equal(await person.end(), undefined);
    assert.equal(await person.find("#option-1").isChecked(), true);
  }
});

test("previews follow the keys", async () => {
  const options = ["a", "b", "c"].map((label) => ({ label, preview: `[${label}]` }));
  await choose({ questions: [{ question: "Which?", header: "W", options }] });
  const shown = () => person.find(".preview:not([hidden])").textContent();
  await person.press("End", "ArrowUp");
  assert.equal(await shown(), "[c]");
  await person.press("Home");
  assert.equal(await shown(), "[a]");
  await person.press("b");
  assert.equal(await shown(), "[b]");
});

test("arrow keys count whole numbers within their limits, and leave any other text", async () => {
  const field = () => person.find("[data-field]").inputValue();
  await choose({ message: "M", requestedSchema: { type: "object", properties: { n: { type: "integer", minimum: 2, maximum: 4 } }, required: ["n"] } }, { on: "[data-field]" });
  await person.press("ArrowDown");
  assert.equal(await field(), "2");
  await person.press("ArrowUp", "ArrowUp", "ArrowUp");
  assert.equal(await field(), "4");
  for (const [typed, after] of [["1.5", "1.5"], ["many", "many"], ["9223372036854775807", "9223372036854775807"]]) {
    await person.find("[data-field]").fill(typed);
    await person.press("ArrowUp");
    assert.equal(await field(), after);
  }
  await person.find("[data-field]").fill("3");
  await person.press("ArrowUp", "Enter", "Enter");
  assert.deepEqual((await person.result()).content, { n: 4 });
});

test("a date has the browser's field, and its value is as the contract has it", async () => {
  await choose({ message: "M", requestedSchema: { type: "object", properties: { d: { type: "string", format: "date" } }, required: ["d"] } }, { on: "[data-field]" });
  assert.equal(await person.find("[data-field]").getAttribute("type"), "date");
  await person.press("Enter");
  assert.equal(await person.find("[data-code]").count(), 1);
  await person.find("[data-field]").fill("2026-11-21");
  await person.press("Enter", "Enter");
  assert.deepEqual((await person.result()).content, { d: "2026-11-21" });
});

const text = (more = {}) => ({ questions: [{ id: "q0", text: "Say?", answer_type: "text", ...more }] });

test("Enter continues from a text, Shift+Enter breaks the line, and no line break is left at the end", async () => {
  for (const [keys, answer] of /** @type {any[][]} */ ([
    [["a", "Enter"], "a"],
    [["a", "Shift+Enter", "b", "Enter"], "a\nb"],
    [["a", "Shift+Enter", "Shift+Enter", "Control+Enter"], "a"],
    [["Shift+Enter", "a", " ", "Enter"], "\na "],
    [["Enter"], undefined],
  ])) {
    await choose(text(), { on: "[data-field]" });
    await person.press(...keys);
    assert.deepEqual(await person.result(), answer === undefined ? undefined : { q0: answer }, keys.join());
  }
});

test("a suggested text that nobody touched is sent as it was suggested", async () => {
  for (const draft of ["one\ntwo\n\n", "one\r\ntwo\r\n", "\n"]) {
    await choose(text({ default: draft }), { on: "[data-field]" });
    await person.press("Enter");
    assert.deepEqual(await person.result(), { q0: draft }, JSON.stringify(draft));
  }
  // A hidden character that only looks like a line break becomes one.
  await choose(text({ default: "one\rtwo\n" }), { on: "[data-field]" });
  await person.press("Enter");
  assert.deepEqual(await person.result(), { q0: "one\ntwo\n" });
  await choose(text({ default: "one\n" }), { on: "[data-field]" });
  await person.press("End", "x", "Control+Enter");
  assert.equal((await person.result()).q0.endsWith("\n"), false);
});

test("Enter that belongs to an input method sends nothing", async () => {
  await choose(text(), { on: "[data-field]" });
  for (const fields of [{ isComposing: true }, { keyCode: 229 }]) {
    await dispatch({ key: "Enter", ...fields });
    assert.equal(await open(), "q0", JSON.stringify(fields));
  }
});

test("a held Enter sends one text, and neither answers the next question nor breaks a line in it", { skip: ELSEWHERE }, async () => {
  const held = async () => {
    for (let time = 0; time < 8; time += 1) {
      await page.keyboard.down("Enter");
      await person.settled();
    }
    await page.keyboard.up("Enter");
    await person.settled();
  };
  await choose(questions("text", "boolean", "text", "select"), { on: "[data-field]" });
  await held();
  assert.equal(await open(), "q1");
  // The suggested answer has the focus; Enter takes it once it is pressed for it.
  await keepsStill(page);
  await held();
  assert.equal(await open(), "q2");
  assert.equal(await person.find("[data-field]").inputValue(), "x");
  await keepsStill(page);
  await held();
  assert.equal(await open(), "q3");
});

test("a finger's keyboard breaks lines with Enter", { skip: ELSEWHERE }, async () => {
  const touch = await browser.page("/blank", { hasTouch: true, isMobile: true });
  await touch.evaluate((request) => window.ask({ request }), text());
  const field = touch.locator("ask-user").locator("[data-field]");
  assert.equal(await field.getAttribute("enterkeyhint"), "enter");
  await field.focus();
  for (const key of ["a", "Enter", "b"]) await touch.keyboard.press(key);
  assert.equal(await field.inputValue(), "a\nb");
  await touch.context().close();
});

test("a reply and a note are sent with Enter as well", async () => {
  await choose(questions("text"), { on: "[data-field]" });
  await person.press("Escape", "r", "w", "Shift+Enter", "y", "Shift+Enter", "Enter");
  assert.equal((await person.end()).result.reply, "w\ny");
  await choose({ questions: [{ question: "Which?", header: "W", options: [{ label: "Grid", preview: "[]" }, { label: "List" }] }] });
  await person.press("2", "Tab", "Enter", "Tab", "w", "Shift+Enter", "Enter");
  const { annotations } = await person.result();
  assert.equal(annotations["Which?"].notes, "w");
});

test("the suggested answer to a yes or no has the focus once a person steps there, and Enter takes it", async () => {
  for (const suggested of [true, false]) {
    const request = { questions: [...questions("text").questions, { id: "go", text: "Go?", answer_type: "boolean", default: suggested }] };
    await choose(request, { on: "[data-field]" });
    await person.press("Enter");
    assert.equal(await page.evaluate(() => window.form().shadowRoot.activeElement.dataset.answer), suggested ? "yes" : "no");
    await person.press("Enter");
    assert.equal((await person.result()).go, suggested);
  }
});

test("an earlier answer has the focus after Back, and Esc leads back to it", async () => {
  const request = { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "boolean" }] };
  await person.ask(request);
  await person.click("[data-answer=no]");
  // Without a suggestion the question has the focus.
  assert.equal(await at(), "legend");
  await person.press("b");
  const focused = () => page.evaluate(() => window.form().shadowRoot.activeElement.dataset.answer);
  assert.equal(await focused(), "no");
  await person.press("Escape", "Escape");
  assert.equal(await focused(), "no");
  await person.press("Enter", "y");
  assert.deepEqual(await person.result(), { a: false, b: true });
});

test("a suggested answer has no focus that the person did not take there", async () => {
  const request = { questions: [{ id: "go", text: "Go?", answer_type: "boolean", default: true }] };
  await person.ask(request);
  await page.evaluate(() => window.form().focus());
  assert.equal(await at(), "legend");
  await person.press("Enter");
  assert.equal(await open(), "go");
});

test("a suggested option has the focus, and Enter takes it", async () => {
  const request = { questions: [...questions("text").questions, { id: "pick", text: "Pick?", answer_type: "select", options: ["a", "b", "c"], default: "b" }] };
  await choose(request, { on: "[data-field]" });
  await person.press("Enter");
  assert.equal(await at(), "b");
  await person.press("Enter");
  assert.equal((await person.result()).pick, "b");
});

test("nothing that was done breaks the content security policy", () => assert.deepEqual(page.faults, []));

const last = (more) => ({ questions: [{ id: "a", text: "A?", ...more }] });
const three = { answer_type: "select", options: ["x", "y", "z"] };
/** The answers that people give most: the keys, the clicks, and the result. */
const FREQUENT = [
  ["yes", last({ answer_type: "boolean" }), ["y"], ["[data-answer=yes]"], { a: true }],
  ["no", last({ answer_type: "boolean" }), ["n"], ["[data-answer=no]"], { a: false }],
  ["the suggested yes", last({ answer_type: "boolean", default: true }), ["y"], ["[data-answer=yes]"], { a: true }],
  ["a choice", last(three), ["2", "Enter"], ['[data-option=\'"y"\']', "[type=submit]"], { a: "y" }],
  ["a choice before another question", { questions: [{ id: "a", text: "A?", ...three }, { id: "b", text: "B?", answer_type: "boolean" }] }, ["2", "y"], ['[data-option=\'"y"\']', "[data-answer=yes]"], { a: "y", b: true }],
  ["the suggested choice", last({ ...three, default: "y" }), ["Enter"], ["[type=submit]"], { a: "y" }],
  ["two of three", last({ ...three, answer_type: "multi_select" }), ["1", "3", "Enter"], ['[data-option=\'"x"\']', '[data-option=\'"z"\']', "[type=submit]"], { a: ["x", "z"] }],
  ["own words", last({ ...three, other: true }), ["4", ..."w", "Enter"], undefined, { a: "w" }],
  ["a text", last({ answer_type: "text" }), [..."ok", "Enter"], undefined, { a: "ok" }],
  ["an approval", { action_requests: [{ name: "ls", args: {} }], review_configs: [{ action_name: "ls", allowed_decisions: ["approve", "reject"] }] }, undefined, ["[data-decision=approve]"], { decisions: [{ type: "approve" }] }],
];

test("the ten most frequent answers take no key and no click that they could do without", async () => {
  for (const [name, request, keys, clicks, result] of FREQUENT) {
    for (const [act, all] of /** @type {any[][]} */ ([[(key) => person.press(key), keys], [(target) => person.click(target), clicks]])) {
      if (!all) continue;
      await person.ask(request);
      await page.evaluate(() => window.form().focus());
      await keepsStill(page);
      for (const one of all) {
        assert.equal(await person.result(), undefined, `${name}: ${all} before ${one}`);
        await act(one);
      }
      assert.deepEqual(await person.result(), result, `${name}: ${all}; ${await person.focused()}`);
    }
  }
});
