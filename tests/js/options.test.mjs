// Many options: the filter above a list of more than ten, and lists of which only the rows in sight are in the document. What is chosen is
// sent wherever its row is, and nothing else is.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ELSEWHERE } from "./browser.mjs";
import { arrived } from "./person.mjs";
import { keepsStill, painted } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const CITIES = ["Århus", "Berlin", "Bern", "Córdoba", "Düsseldorf", "İzmir", "Łódź", "Malmö", "Nice", "São Paulo", "Straße", "Zürich"];
const many = (count) => Array.from({ length: count }, (_, place) => ({ value: `v${place}`, label: `Option ${place}`, description: place % 5 ? undefined : `Every fifth, ${place}` }));
const ask = (options, /** @type {{ [option: string]: any }} */ { several = false, more, ...rest } = {}) =>
  person.ask({ questions: [{ id: "q", text: "Which?", answer_type: several ? "multi_select" : "select", options, ...rest }] }, more);
/** The same in the dialect `opencode`, which offers "Something else"; the answer is of labels. */
const askOther = (options, { several = false } = {}) => person.ask({ questions: [{ question: "Which?", options, multiple: several, custom: true }] });
/** In the dialect `mcp`, which limits how many may be selected. */
const askMost = (count, most) => {
  const items = { anyOf: many(count).map(({ value, label }) => ({ const: value, title: label })) };
  return person.ask({ message: "Which?", requestedSchema: { type: "object", properties: { q: { type: "array", items, maxItems: most } }, required: ["q"] } });
};
const filter = async (text) => {
  await person.find("#filter").focus();
  await person.find("#filter").fill(text);
  await person.settled();
};
const status = () => person.find(".found [role=status]").textContent();
/** The labels of the rows that are listed and in the document. */
const listed = () => person.find(".option:not([hidden]) .name").allTextContents();
const nodes = () => page.evaluate(() => window.form().shadowRoot.querySelectorAll("*").length);
const frames = async () => {
  await painted(page);
  await painted(page);
};
const at = () => page.evaluate(() => window.form().shadowRoot.activeElement?.id ?? null);
/** Whether the row of what has the focus is in sight. */
const isSeen = () =>
  page.evaluate(() => {
    const root = window.form().shadowRoot;
    const [row, list] = [root.activeElement.closest(".option"), root.querySelector(".options")].map((node) => node.getBoundingClientRect());
    return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
  });

test("more than ten options have a filter, ten have none", async () => {
  await ask(CITIES.slice(0, 10));
  assert.equal(await person.find("#filter").count(), 0);
  await ask(CITIES.slice(0, 11));
  assert.equal(await person.find("#filter").count(), 1);
  assert.deepEqual(await person.barriers(), []);
});

test("the filter finds a text anywhere in a label or a description, whatever its capitals and accents", async () => {
  const options = CITIES.map((label) => ({ value: label, label, description: label === "Nice" ? "On the Côte d'Azur" : undefined }));
  await ask(options);
  for (const [text, found] of /** @type {any[][]} */ ([
    ["aRHUS", ["Århus"]],
    ["ber", ["Berlin", "Bern"]],
    ["cor", ["Córdoba"]],
    ["DÜSS", ["Düsseldorf"]],
    ["izm", ["İzmir"]],
    ["ızm", ["İzmir"]],
    ["côte  D'az", ["Nice"]],
    ["paulo", ["São Paulo"]],
    ["STRASSE", ["Straße"]],
    ["  zuri ", ["Zürich"]],
  ])) {
    await filter(text);
    assert.deepEqual(await listed(), found, text);
    assert.match(await status(), found.length === 1 ? /^1 of 12 matches$/ : /^2 of 12 match$/);
  }
  await filter("");
  assert.deepEqual([(await listed()).length, await status()], [12, ""]);
});

test("a label with the marks of Markdown is found by what was written, and letters find it", async () => {
  const options = [...CITIES.slice(0, 10), "**Bold** city", "snake_case"];
  await ask(options, { several: true });
  for (const text of ["bold** city", "**bold**", "snake_case"]) {
    await filter(text);
    assert.equal((await listed()).length, 1, text);
  }
  await filter("");
  await person.find("#option-0").focus();
  // Within a second of each other.
  await page.keyboard.type("**");
  assert.equal(await at(), "option-10");
});

test("where nothing matches, the form says so, and Esc clears the filter before it leads on", async () => {
  await ask(CITIES);
  await filter("nowhere");
  assert.deepEqual([await listed(), await status()], [[], "No option matches"]);
  assert.deepEqual(await person.barriers(), []);
  await person.press("ArrowDown", "Enter");
  assert.deepEqual([await at(), await person.end()], ["filter", undefined]);
  await person.press("Escape");
  assert.deepEqual([await person.find("#filter").inputValue(), (await listed()).length, await at()], ["", 12, "filter"]);
  await person.press("Escape");
  assert.equal(await person.focused(), "reply:button");
});

test("a refusal while nothing matches leads to the filter", async () => {
  await ask(CITIES);
  await filter("nowhere");
  await person.click("[type=submit]");
  assert.deepEqual([await at(), await person.end()], ["filter", undefined]);
});

test("a person who filters by the keyboard and sends, sends exactly that option", async () => {
  for (const count of /** @type {any[]} */ ([60, 10_000])) {
    await ask(many(count), { default: "v3" });
    await page.keyboard.press("Tab");
    assert.equal(await at(), "filter");
    await person.press(..."option 4");
    if (count === 60) assert.equal(await status(), "11 of 60 match. Also listed: 1 selected");
    await person.press(..."7");
    // The one that is selected stays listed, below those that match.
    if (count === 60) assert.deepEqual(await listed(), ["Option 47", "Option 3"]);
    await person.press("ArrowDown", "Enter");
    assert.deepEqual(await person.result(), { q: "v47" }, count);
  }
});

test("Enter in the filter sends nothing: it chooses the only match of a choice of one, and goes to that of several", async () => {
  for (const [several, count] of /** @type {any[][]} */ ([[false, 60], [true, 60], [false, 500], [true, 500]])) {
    await ask(many(count), { several, default: several ? [] : undefined });
    await filter("option");
    await person.press("Enter");
    assert.deepEqual([await at(), await person.end()], ["filter", undefined]);
    await filter("option 31");
    if (count > 60) await filter("option 317");
    const place = count > 60 ? 317 : 31;
    await page.keyboard.down("Enter");
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await person.settled();
    assert.deepEqual([await at(), await person.find(`#option-${place}`).isChecked(), await person.end()], [`option-${place}`, !several, undefined]);
    await person.press(...(several ? ["Space"] : []), "Enter");
    assert.deepEqual(await person.result(), { q: several ? [`v${place}`] : `v${place}` });
  }
});

test("what an input method writes is no key of the filter's", { skip: ELSEWHERE }, async () => {
  await ask(CITIES);
  await filter("bern");
  await page.evaluate(() => {
    for (const key of ["Enter", "Escape", "ArrowDown"]) {
      const event = new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, composed: true, cancelable: true });
      window.form().shadowRoot.activeElement.dispatchEvent(event);
    }
  });
  await person.settled();
  assert.deepEqual([await at(), await person.find("#filter").inputValue(), await person.find(":checked").count(), await person.end()], ["filter", "bern", 0, undefined]);
});

test("digits and letters lead to what is listed alone, and keep their meaning", async () => {
  for (const count of /** @type {any[]} */ ([60, 600])) {
    await ask(many(count), { several: true });
    await filter("option 1");
    await person.press("ArrowDown");
    assert.equal(await at(), "option-1");
    // The eighteenth is Option 17; the second, Option 1, is listed, and the third is not.
    await person.press("1", "8");
    assert.equal(await at(), "option-17", count);
    await keepsStill(page, 1_100);
    await person.press("3");
    assert.equal(await at(), "option-17");
    await keepsStill(page, 1_100);
    await person.press("Home");
    assert.equal(await at(), "option-1");
    await person.press("End");
    assert.equal(await at(), count === 60 ? "option-19" : "option-199");
    assert.ok(await isSeen());
  }
});

test("selected options that do not match stay listed until the filter changes, and are sent", async () => {
  for (const count of [60, 10_000]) {
    await ask(many(count), { several: true });
    await person.find("label[for=option-2]").click();
    await filter("option 55");
    assert.match(await status(), /Also listed: 1 selected$/);
    await person.find("label[for=option-55]").click();
    await person.find("label[for=option-2]").click();
    assert.equal(await person.find("label[for=option-2]").isVisible(), true);
    await person.find("label[for=option-2]").click();
    await filter("option 7");
    await person.click("[type=submit]");
    assert.deepEqual(await person.result(), { q: ["v2", "v55"] });
  }
});

test("all that match are selected at once, and never more than may be", async () => {
  for (const count of [60, 10_000]) {
    await askMost(count, 12);
    await person.click("[data-all]");
    assert.equal(await status(), `Nothing was changed: ${count.toLocaleString("en")} would be selected, and the limit is 12.`);
    assert.equal(await person.find(":checked").count(), 0);
    await person.find("label[for=option-0]").click();
    await filter("option 5");
    const text = count === 60 ? "" : "55";
    if (text) await filter(`option ${text}5`);
    await person.click("[data-all]");
    const all = count === 60 ? ["v0", "v5", ...Array.from({ length: 10 }, (_, place) => `v${50 + place}`)] : ["v0", "v555", ...Array.from({ length: 10 }, (_, place) => `v${5550 + place}`)];
    assert.equal(await status(), "12 selected");
    await person.click("[type=submit]");
    assert.deepEqual((await person.result()).content, { q: all });
  }
  await ask(many(200), { several: true, default: ["v1", "v150"] });
  await person.click("[data-none]");
  assert.equal(await status(), "0 selected");
  await person.find("[data-empty]").check();
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: [] });
});

test("of ten thousand options only those in sight are in the document, and each can be reached", async () => {
  for (const several of [false, true]) {
    await ask(many(10_000), { several });
    assert.ok((await nodes()) < 500, `${await nodes()} nodes`);
    assert.deepEqual(await person.barriers(), []);
    await person.find("#option-0").focus();
    for (const [key, place] of /** @type {any[][]} */ ([["End", 9_999], ["ArrowUp", 9_998], ["Home", 0], ["ArrowUp", 9_999], ["ArrowDown", 0]])) {
      await person.press(key);
      await frames();
      assert.deepEqual([await at(), await isSeen()], [`option-${place}`, true], key);
      assert.ok((await nodes()) < 500);
    }
    await person.press(..."7654");
    await frames();
    assert.deepEqual([await at(), await isSeen()], ["option-7653", true]);
    await person.press(...(several ? ["Space"] : []), "Enter");
    assert.deepEqual(await person.result(), { q: several ? ["v7653"] : "v7653" });
  }
});

test("the place of an option and how many there are is told, also in a filtered list", async () => {
  for (const several of [false, true]) {
    await askOther(many(1_000).map(({ label }) => ({ label })), { several });
    const told = (place) => person.find(several ? `[role=list] > [role=listitem]:has(#option-${place})` : `#option-${place}`).evaluate((node) => [node.getAttribute("aria-posinset"), node.getAttribute("aria-setsize")]);
    assert.deepEqual(await told(4), ["5", "1001"]);
    await filter("option 99");
    assert.deepEqual(await told(990), ["2", "12"]);
    assert.deepEqual(await person.barriers(), []);
    // One row takes Tab, whichever are in the document.
    assert.equal(await person.find("[data-option][tabindex='0']").count(), 1);
  }
});

test("a list that is scrolled shows every row once and in order, and no row moves below the pointer", async () => {
  const options = many(2_000).map((option, place) => ({ ...option, description: place % 7 ? undefined : "A long description that takes several lines of the list. ".repeat(1 + (place % 4)) }));
  await ask(options, { several: true });
  const seen = () =>
    page.evaluate(() => {
      const list = window.form().shadowRoot.querySelector(".long");
      const { top, bottom } = list.getBoundingClientRect();
      return [...list.querySelectorAll(".slot")].map((slot) => [Number(slot.querySelector("input").id.slice(7)), slot.getBoundingClientRect()]).filter(([, box]) => box.bottom > top && box.top < bottom).map(([place, box]) => [place, Math.round(box.top - top)]);
    });
  for (const by of [300, 300, 5_000, 40_000, -300, -300, -300, -9_000]) {
    await page.evaluate((by) => window.form().shadowRoot.querySelector(".long").scrollBy(0, by), by);
    await frames();
    await frames();
    const rows = await seen();
    assert.ok(rows.length > 1, `${by}: nothing is seen`);
    rows.forEach(([place], index) => assert.equal(place, rows[0][0] + index, `${by}`));
    assert.ok(rows[0][1] <= 4, `a gap above: ${rows[0]}`);
    assert.deepEqual(await seen(), rows);
  }
});

test("a row in sight stays where it is, though rows turn out much higher or lower than those before", async () => {
  const words = "Several words that take more than one line. ".repeat(12);
  // Each hundred has rows of another height.
  const options = Array.from({ length: 1_000 }, (_, place) => ({ value: `v${place}`, label: `Option ${place}`, description: [undefined, words, "Short."][Math.floor(place / 100) % 3] }));
  await ask(options);
  /** The first row that is in sight, and how far below the top of the list. */
  const first = () =>
    page.evaluate(() => {
      const list = window.form().shadowRoot.querySelector(".options");
      const { top } = list.getBoundingClientRect();
      const row = [...list.querySelectorAll(".option")].find((row) => row.getBoundingClientRect().bottom > top);
      return row && [row.querySelector("input").id, Math.round(row.getBoundingClientRect().top - top)];
    });
  for (const part of [0.15, 0.9, 0.35, 0.2, 0.55, 0.05, 1, 0]) {
    await page.evaluate((part) => {
      const list = window.form().shadowRoot.querySelector(".options");
      list.scrollTop = part * (list.scrollHeight - list.clientHeight);
    }, part);
    await frames();
    const [row, below] = await first();
    // The rows that came with it are measured when the list is rendered again.
    for (const by of [1, -1]) {
      await page.evaluate((by) => (window.form().shadowRoot.querySelector(".options").scrollTop += by), by);
      await frames();
    }
    const [now, after] = await first();
    assert.equal(now, row, `at ${part}`);
    assert.ok(Math.abs(after - below) <= 1, `${row} at ${part}: from ${below} to ${after}`);
  }
});

test("what is out of sight is kept in a saved walk and by Back", async () => {
  for (const several of [false, true]) {
    const request = { questions: [{ id: "q", text: "Which?", answer_type: several ? "multi_select" : "select", options: many(3_000) }, { id: "r", text: "Sure?", answer_type: "boolean" }] };
    await person.ask(request);
    await filter("option 2500");
    await person.press("ArrowDown", ...(several ? ["Space"] : []), "Escape", "Home");
    if (!several) await filter("option 2500"), await person.press("Enter");
    const walk = await page.evaluate(() => window.form().walk);
    await person.ask(request, { saved: walk });
    await frames();
    assert.equal(await person.find("#option-2500").isChecked(), true);
    await person.find("#option-2500").focus();
    await person.press("Enter", "Escape", "b");
    assert.deepEqual([await at(), await person.find("#option-2500").isChecked()], ["option-2500", true]);
    await person.press("Enter", "y");
    assert.deepEqual(await person.result(), { q: several ? ["v2500"] : "v2500", r: true });
  }
});

test("a choice of one has one answer, though the row of the one before is not in the document", async () => {
  await ask(many(1_000), { default: "v3" });
  await page.evaluate(() => window.form().shadowRoot.querySelector(".long").scrollTo(0, 20_000));
  await frames();
  const place = await page.evaluate(() => {
    const list = window.form().shadowRoot.querySelector(".long");
    const { top } = list.getBoundingClientRect();
    return [...list.querySelectorAll(".slot")].find((slot) => slot.getBoundingClientRect().top > top + 50).querySelector("input").id.slice(7);
  });
  assert.ok(Number(place) > 100);
  await person.find(`label[for=option-${place}]`).click();
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { q: `v${place}` });
  // In one's own words.
  await askOther(many(1_000).map(({ label }) => ({ label })));
  await person.find("#option-0").focus();
  await person.press("ArrowDown", "End", ..."mine", "Enter");
  assert.deepEqual((await person.result()).answers, [["mine"]]);
});

test("Ctrl+F leads from a list whose rows are not all there to its filter, and a shorter list leaves it to the browser", { skip: ELSEWHERE }, async () => {
  const find = (fields) =>
    page.evaluate((fields) => {
      const event = new KeyboardEvent("keydown", { key: "f", bubbles: true, composed: true, cancelable: true, ...fields });
      return !window.form().shadowRoot.activeElement.dispatchEvent(event);
    }, fields);
  for (const [count, taken] of [[60, false], [600, true]]) {
    await ask(many(count));
    await person.find("#option-1").focus();
    assert.equal(await find({ ctrlKey: true }), taken);
    assert.equal(await at(), taken ? "filter" : "option-1");
  }
  // The second time it is the browser's.
  assert.equal(await find({ metaKey: true }), false);
});

test("the browser's own search finds a row that is not in the document, and shows it where it is", { skip: ELSEWHERE }, async () => {
  // A link to a text searches the page as "find in page" does, and shows what is hidden until it is found.
  const search = async (text) => {
    await page.goto(`${page.url().split("#")[0]}#:~:text=${encodeURIComponent(text)}`);
    await frames();
    await frames();
  };
  /** How far the text that was found stands from the row of an option, in pixels. */
  const apart = (place) =>
    page.evaluate((place) => {
      const root = window.form().shadowRoot;
      const shown = root.querySelector(".findable > :not([hidden])");
      const [node, list] = [shown.firstChild, root.querySelector(".options").getBoundingClientRect()];
      const range = document.createRange();
      const at = node.data.indexOf(`Option ${place} `);
      range.setStart(node, at);
      range.setEnd(node, at + 5);
      const [found, row] = [range, root.querySelector(`#name-${place}`)].map((where) => where.getBoundingClientRect());
      return [found.top >= list.top && found.bottom <= list.bottom, Math.abs((found.top + found.bottom - row.top - row.bottom) / 2)];
    }, place);
  /** Waits until the texts that the browser's search finds are there: they come after the list. */
  const waits = () => page.waitForFunction(() => window.form().shadowRoot.querySelector(".findable").hasChildNodes());
  for (const several of [false, true]) {
    await ask(many(10_000), { several });
    await waits();
    assert.ok((await nodes()) < 500, `${await nodes()} nodes`);
    assert.deepEqual(await person.barriers(), []);
    for (const place of [7_777, 4_321]) {
      await search(`Option ${place}`);
      const [isInSight, distance] = await apart(place);
      assert.deepEqual([isInSight, distance < 40], [true, true], `Option ${place}: ${distance} px`);
      assert.equal(await page.evaluate(() => window.form().shadowRoot.querySelectorAll(".findable > :not([hidden])").length), 1);
    }
    // What was found is hidden again once the person goes on, and nothing is chosen by a search.
    await person.click("label[for=option-4321]");
    assert.equal(await page.evaluate(() => window.form().shadowRoot.querySelectorAll(".findable > :not([hidden])").length), 0);
    await filter("option 77");
    await waits();
    await search("Option 7777");
    assert.equal((await apart(7_777))[0], true);
    await person.click("[type=submit]");
    assert.deepEqual(await person.result(), { q: several ? ["v4321"] : "v4321" });
  }
});

test("a page that is printed has every row that is listed, and only those in sight afterwards", { skip: ELSEWHERE }, async () => {
  for (const several of [false, true]) {
    await ask(many(700), { several, default: several ? ["v650"] : "v650" });
    await page.evaluate(() => {
      window.printed = undefined;
      addEventListener("beforeprint", () => (window.printed = window.form().shadowRoot.querySelectorAll(".slot").length), { once: true });
    });
    const pages = async () => (await page.pdf()).toString("latin1").match(/\/Type \/Page\b/g).length;
    const all = await pages();
    assert.equal(await page.evaluate(() => window.printed), 700);
    assert.ok(all > 10, `${all} pages`);
    await frames();
    assert.ok((await nodes()) < 500);
    await filter("option 65");
    assert.equal(await pages(), 1);
    await person.click("[type=submit]");
    assert.deepEqual(await person.result(), { q: several ? ["v650"] : "v650" });
  }
});

test("the preview of an option is there with its row", async () => {
  const options = many(400).map((option, place) => ({ ...option, preview: `[${place}]` }));
  await ask(options);
  await person.find("#option-0").focus();
  for (const [key, text] of [["End", "[399]"], ["ArrowUp", "[398]"], ["Home", "[0]"]]) {
    await person.press(key);
    await frames();
    assert.equal(await person.find(".preview:not([hidden])").textContent(), text);
    assert.deepEqual(await person.barriers(), []);
    assert.ok((await nodes()) < 500);
  }
});

test("labels that are hostile are found by what is seen of them, and never break the list", async () => {
  const odd = ["\u202edesrever", "zero\u200bwidth", "a".repeat(3_000), "tab\tand\nline", "<b>not bold</b>", "\ud83c\udff4 flag", "ẞ", "ﬁne", "١٢٣", "한국어", "ｆｕｌｌ", "‏עברית"];
  const options = [...odd.map((label, value) => ({ value, label })), ...many(200)];
  await ask(options, { several: true });
  for (const [text, place] of /** @type {any[][]} */ ([["desrever", 0], ["u+200b", 1], ["aaaaaaa", 2], ["and line", 3], ["<b>", 4], ["flag", 5], ["ss", 6], ["fine", 7], ["١٢", 8], ["한국", 9], ["full", 10], ["עבר", 11]])) {
    await filter(text);
    assert.equal(await person.find(`#option-${place}`).isVisible(), true, text);
  }
  for (const text of ["(", "[", "\\", "*", ".", "$&", "\u0301", "\0", "  "]) await filter(text);
  await filter("");
  assert.deepEqual(page.faults, []);
});

test("a long list from right to left, narrow, without motion and in a place that is shown later is whole", async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await ask(many(1_000), { several: true });
  await filter("option 55");
  await frames();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  assert.deepEqual(await person.barriers(), []);
  const sizes = await person.find(".found button").evaluateAll((buttons) => buttons.map((button) => Math.min(button.offsetHeight, button.offsetWidth)));
  assert.ok(sizes.every((size) => size >= 24), `${sizes}`);
  await page.evaluate(() => {
    document.documentElement.dir = "ltr";
    document.querySelector("main").hidden = true;
  });
  await page.setViewportSize({ width: 1280, height: 720 });
  await ask(many(1_000), { default: "v700" });
  await page.evaluate(() => (document.querySelector("main").hidden = false));
  await frames();
  assert.equal(await person.find("#option-700").isChecked(), true);
  const seen = await person.find("#option-700").evaluate((node) => node.getBoundingClientRect().top < 720);
  assert.ok(seen);
});
