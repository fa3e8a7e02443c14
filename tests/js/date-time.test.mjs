// A date with a time is picked with its zone. The text field has what is sent, and can be typed into.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { keepsStill, painted, takesAnswers } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => {
  browser = await launch();
  page = await browser.page("/blank", { timezoneId: "Europe/Berlin" });
  person = new Person(page);
});
after(() => browser.close());

const WHEN = { questions: [{ id: "when", text: "When should it be deployed?", answer_type: "text", format: "date-time" }] };
const ask = async (request, more) => {
  await person.ask(request, more);
  await takesAnswers(page, "[data-question], [data-page]");
  await person.find(".date-time").waitFor();
};
const date = () => person.find(".date-time > input");
const zone = () => person.find(".date-time > select");
const text = () => person.find("[data-moment]");
const zones = () => zone().locator("option").allTextContents();

test("what is picked is in the text field with the offset of the zone at that time, and is sent", async () => {
  await ask(WHEN);
  assert.deepEqual(await zones(), ["Europe/Berlin", "UTC"]);
  assert.deepEqual(await person.barriers(), []);
  await date().fill("2026-07-01T13:30");
  assert.equal(await text().inputValue(), "2026-07-01T13:30:00+02:00");
  await date().fill("2026-12-01T13:30");
  assert.equal(await text().inputValue(), "2026-12-01T13:30:00+01:00");
  await zone().selectOption("UTC");
  assert.equal(await text().inputValue(), "2026-12-01T13:30:00Z");
  await zone().selectOption("Europe/Berlin");
  await person.click(".actions [type=submit]");
  assert.deepEqual(await person.result(), { when: "2026-12-01T13:30:00+01:00" });
});

test("a suggested moment is shown in its own zone, and is sent as it was written", async () => {
  const written = "2026-11-28T12:00:05.123456+05:30";
  await ask({ questions: [{ ...WHEN.questions[0], default: written }] });
  assert.equal(await date().inputValue(), "2026-11-28T12:00:05.123");
  assert.equal(await zone().inputValue(), "+05:30");
  assert.deepEqual(await zones(), ["Europe/Berlin", "UTC", "+05:30"]);
  await person.click(".actions [type=submit]");
  assert.deepEqual(await person.result(), { when: written });
});

test("the person's own zone is shown for its offset, and UTC for Z", async () => {
  for (const [written, shown] of [["2026-07-01T08:00:00+02:00", "here"], ["2026-12-01T08:00:00+02:00", "+02:00"], ["2026-12-01T08:00:00Z", "Z"], ["2026-12-01t08:00:00z", "Z"]]) {
    await ask({ questions: [{ ...WHEN.questions[0], default: written }] });
    assert.equal(await zone().inputValue(), shown, written);
    assert.equal(await text().inputValue(), written);
  }
});

test("what is typed into the text is followed; what is no moment stays there, and is refused", async () => {
  await ask(WHEN);
  await text().fill("2026-12-24T18:00:00Z");
  assert.equal(await date().inputValue(), "2026-12-24T18:00");
  assert.equal(await zone().inputValue(), "Z");
  await text().fill("tomorrow");
  await person.click(".actions [type=submit]");
  assert.equal(await person.result(), undefined);
  assert.equal(await text().inputValue(), "tomorrow");
  assert.equal(await text().getAttribute("aria-invalid"), "true");
  // A date that is removed is no answer.
  await text().fill("2026-12-24T18:00:00Z");
  await date().fill("");
  assert.equal(await text().inputValue(), "");
});

test("the focus begins at the date, Enter sends, and what was picked is kept in a saved walk", async () => {
  await person.ask({ questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, ...WHEN.questions] }, { host: { layout: "steps" } });
  await takesAnswers(page);
  await person.find("[data-answer=yes]").click();
  await person.find(".date-time").waitFor();
  await painted(page);
  assert.equal(await page.evaluate(() => window.form().shadowRoot.activeElement?.getAttribute("type")), "datetime-local");
  await date().fill("2026-12-01T13:30");
  const walk = await page.evaluate(() => window.form().walk);
  await person.ask({ questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, ...WHEN.questions] }, { host: { layout: "steps" }, saved: walk });
  await person.find(".date-time").waitFor();
  assert.equal(await date().inputValue(), "2026-12-01T13:30");
  await date().focus();
  await keepsStill(page);
  await page.keyboard.press("Enter");
  await person.settled();
  assert.deepEqual(await person.result(), { go: true, when: "2026-12-01T13:30:00+01:00" });
});

test("where the person's zone is UTC, it is there once", async () => {
  const elsewhere = await browser.page("/blank", { timezoneId: "UTC" });
  const other = new Person(elsewhere);
  await other.ask(WHEN);
  await takesAnswers(elsewhere);
  await other.find(".date-time").waitFor();
  assert.deepEqual(await other.find(".date-time option").allTextContents(), ["UTC"]);
  await other.find(".date-time > input").fill("2026-07-01T13:30");
  assert.equal(await other.find("[data-moment]").inputValue(), "2026-07-01T13:30:00Z");
  await elsewhere.context().close();
});

test("a question that comes on a page has it, too", async () => {
  await person.ask({ questions: [{ id: "later", text: "Later?", answer_type: "boolean" }, { ...WHEN.questions[0], when: { question_id: "later", equals: true } }] }, { host: { layout: "page" } });
  await takesAnswers(page, "[data-page]");
  assert.equal(await person.find(".date-time").count(), 0);
  await person.find('[data-on-page="later"] .option label').first().click();
  await person.find(".date-time").waitFor();
  await date().fill("2026-12-01T13:30");
  await person.click(".actions [type=submit]");
  assert.deepEqual(await person.result(), { later: true, when: "2026-12-01T13:30:00+01:00" });
});

test("so does a field of a schema; its text is what is written into the answer", async () => {
  await person.askJson({ type: "object", properties: { at: { type: "string", format: "date-time" }, fixed: { type: "string", format: "date-time", readOnly: true } }, required: ["at"] });
  await person.find(".date-time").waitFor();
  assert.equal(await person.find(".date-time").count(), 1);
  await date().fill("2026-07-01T13:30");
  assert.equal(await person.find(".date-time + input").inputValue(), "2026-07-01T13:30:00+02:00");
  assert.deepEqual(await person.barriers(), []);
  await person.click(".actions [type=submit]");
  assert.deepEqual(await person.result(), { q: { at: "2026-07-01T13:30:00+02:00" } });
});
