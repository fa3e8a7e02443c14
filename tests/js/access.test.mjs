// What people set for themselves, or need: dark and forced colours, less motion, a page from right to left, a focus that is seen, targets that are hit,
// progress that is spoken. Every kind of prompt, with its ways out, a refused answer and its end.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENGINE, launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { until } from "./wait.mjs";
import { CASES, questions } from "./prompts.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());
/** Why a test is for Chromium alone. */
const skip = ENGINE !== "chromium" && "its driver sets no media features";

/** A page with these media features, and the person at it. */
async function visit(/** @type {{ [option: string]: any }} */ { direction, ...options } = {}) {
  const page = await browser.page("/blank", options);
  await page.evaluate(([scheme, direction]) => {
    document.documentElement.style.colorScheme = scheme;
    document.documentElement.dir = direction;
  }, [options.colorScheme ?? "light", direction ?? "ltr"]);
  return { page, person: new Person(page) };
}

/**
 * Shows every prompt, and calls `look(where)` in each of its states: when it is shown, with the two ways out open, after an empty answer was refused, and at
 * its end. `look` gives what is wrong.
 */
async function everywhere({ page, person }, look) {
  const wrong = [];
  for (const [name, { request, first = [], keys, later, opens }] of Object.entries(CASES)) {
    const at = async (state) => wrong.push(...(await look(`${name}, ${state}`)).map((fault) => `${name}, ${state}: ${fault}`));
    const show = async () => {
      await person.ask(request, { attributes: { label: "Tester" } });
      await person.find("legend, h2").first().focus();
      await person.press(...first);
      if (later) await person.find(later).waitFor();
    };
    await show();
    await at("shown");
    for (const way of ["reply", "end-turn"]) {
      await person.click(`[data-way=${way}]`);
      await at(way);
    }
    await show();
    if (await person.find(".actions [type=submit]").count()) {
      await person.find(".actions [type=submit]").first().click();
      await person.settled();
      await at("sent as it was");
    }
    await show();
    const opened = opens ? page.context().waitForEvent("page") : undefined;
    await person.press(...keys);
    await (await opened)?.close();
    await at("answered");
  }
  return wrong;
}

/**
 * What is looked at in each state: the rules of axe that depend on these settings, and what axe does not know. Each gives what is wrong. prompts.test.mjs runs all rules of axe,
 * and gallery.test.mjs runs them in each of these settings.
 */
const LOOKS = {
  "faint texts": ({ person }) => person.barriers({ runOnly: ["color-contrast"] }),
  "small targets": ({ person }) => person.barriers({ runOnly: ["target-size"] }),
  "targets, that of a choice with its label": ({ page }) => page.evaluate(smallTargets),
  "controls without a border": ({ page }) => page.evaluate(unseenBorders),
  motion: ({ page }) => page.evaluate(movements),
  "what leaves its place": ({ page }) => page.evaluate(outside),
};

/** The ways to look: the settings of a page, and what is looked at. Each shows every prompt in every state once. */
const WAYS = {
  "light, every target is at least 24 by 24 CSS pixels": [{}, ["targets, that of a choice with its label", "small targets"]],
  "in dark colours every text can be read, and for who wants less motion nothing moves": [{ colorScheme: "dark", reducedMotion: "reduce" }, ["faint texts", "motion"]],
  "in forced colours every control has a border or a text that is seen": [{ forcedColors: "active" }, ["controls without a border"]],
  "in a page from right to left nothing leaves its place": [{ direction: "rtl" }, ["what leaves its place"]],
  // In a narrower place plain letters are off, and the prompts are not come to by them.
  "in a narrow page from right to left nothing leaves its place": [{ direction: "rtl", viewport: { width: 520, height: 640 } }, ["what leaves its place"]],
};

test("every prompt and state", { concurrency: true }, async (context) => {
  const ways = /** @type {[string, any[]][]} */ (Object.entries(WAYS)).map(([name, [options, looks]]) =>
    context.test(name, { skip: name.startsWith("light") ? false : skip }, async () => {
      const there = await visit(options);
      if (/** @type {any} */ (options).colorScheme) {
        await there.person.ask(questions("boolean"));
        const surface = await there.person.find(".base").evaluate((base) => getComputedStyle(base).backgroundColor);
        // A mixed colour, `color(srgb 0.08 0.09 0.1)`, has parts of at most 1.
        const most = surface.startsWith("color(srgb ") ? 0.25 : 64;
        assert.ok(surface.match(/[\d.]+/g).slice(0, 3).every((part) => Number(part) < most), `${surface} is not dark`);
      }
      const wrong = async () => {
        const found = [];
        for (const look of looks) found.push(...(await LOOKS[look](there)).map((fault) => `${look}: ${fault}`));
        return found;
      };
      assert.deepEqual(await everywhere(there, wrong), []);
      await there.page.context().close();
    }),
  );
  await Promise.all(ways);
});

/** In a page: the targets of a form that are smaller than 24 by 24 pixels, that of a choice with its label. */
function smallTargets() {
  const root = window.form().shadowRoot;
  const boxes = (element) => [element, ...(element.matches("[type=radio], [type=checkbox]") ? element.labels : [])].map((one) => one.getBoundingClientRect());
  const found = [...root.querySelectorAll("button, a, input, textarea, select, summary, [role=button], [role=checkbox], [contenteditable=true]")].filter((one) => one.checkVisibility({ visibilityProperty: true }));
  return found.flatMap((element) => {
    const all = boxes(element);
    const size = (from, to) => Math.max(...all.map((box) => box[to])) - Math.min(...all.map((box) => box[from]));
    const [width, height] = [size("left", "right"), size("top", "bottom")];
    return width >= 24 && height >= 24 ? [] : [`${element.outerHTML.slice(0, 80)} is ${width} by ${height}`];
  });
}

/** In a page: the controls of a form whose border is not seen. */
function unseenBorders() {
  const probe = document.body.appendChild(document.createElement("p"));
  Object.assign(probe.style, { color: "Canvas", forcedColorAdjust: "none" });
  const canvas = getComputedStyle(probe).color;
  probe.remove();
  const root = window.form().shadowRoot;
  return [...root.querySelectorAll("button, a.button, input:not([type=radio], [type=checkbox]), textarea, .base, .preview, .address")].flatMap((element) => {
    if (!element.checkVisibility()) return [];
    const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
    const is = borderTopStyle !== "none" && parseFloat(borderTopWidth) >= 1 && borderTopColor !== canvas && !/^rgba.*, 0\)$/.test(borderTopColor);
    return is ? [] : [`${element.outerHTML.slice(0, 80)} has the border ${borderTopWidth} ${borderTopStyle} ${borderTopColor}`];
  });
}

/** In a page: what moves in a form, or would. */
function movements() {
  const root = window.form().shadowRoot;
  const running = root.getAnimations().map(({ effect, animationName }) => `${animationName} runs on ${effect.target.className}`);
  const declared = [...root.querySelectorAll("*")].flatMap((element) => {
    const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element);
    const still = animationName === "none" && transitionDuration.split(", ").every((time) => time === "0s") && scrollBehavior === "auto";
    return still ? [] : [`${element.className}: ${animationName} ${transitionDuration} ${scrollBehavior}`];
  });
  return [...running, ...declared];
}

/** In a page: what of a form lies outside it. */
function outside() {
  const root = window.form().shadowRoot;
  const base = root.querySelector(".base").getBoundingClientRect();
  return [...root.querySelectorAll(".base *")].flatMap((element) => {
    if (element.closest(".spoken, .editor, pre, [class*=cm-]") || !element.checkVisibility()) return [];
    const box = element.getBoundingClientRect();
    return box.width && (box.left < base.left - 1 || box.right > base.right + 1) ? [`${element.outerHTML.slice(0, 80)} from ${box.left} to ${box.right} in ${base.left} to ${base.right}`] : [];
  });
}

test("in forced colours what is chosen is told from what is not", { skip }, async () => {
  const there = await visit({ forcedColors: "active" });
  // Y and N, where they are remembered, and yes and no, where one is suggested.
  await there.person.ask(questions("boolean"));
  const border = (selector) => there.person.find(selector).evaluate((button) => getComputedStyle(button).borderTopWidth);
  assert.equal(await there.person.find("[data-suggested]").getAttribute("data-answer"), "yes");
  assert.notEqual(await border("[data-answer=yes]"), await border("[data-answer=no]"));
  await there.page.context().close();
});

test("in a page from right to left everything is mirrored, wide and narrow", { skip }, async () => {
  for (const options of [{}, { viewport: { width: 520, height: 640 } }]) {
    const there = await visit({ direction: "rtl", ...options });
    const box = (selector) => there.person.find(selector).first().boundingBox();
    await there.person.ask(questions("select", "multi_select"));
    const [control, label, progress, base] = [await box("#option-0"), await box("[for=option-0]"), await box("[part=progress]"), await box(".base")];
    assert.ok(control.x >= label.x + label.width - 1, "an option's button is at the right of its words");
    assert.ok(progress.x - base.x < base.width / 2, "the progress is at the left");
    await there.person.find("#option-0").focus();
    await there.person.press("2", "Enter", "3", "Enter");
    assert.deepEqual(await there.person.result(), { q0: "b", q1: ["c"] });
    await there.page.context().close();
  }
});

test("whatever has the focus by the keyboard shows it, whole, and nothing covers it", async () => {
  for (const options of [{}, ...(skip ? [] : [{ forcedColors: "active" }, { colorScheme: "dark" }])]) {
    const there = await visit(options);
    const { page, person } = there;
    /** What is wrong with how the focus is shown. */
    const shown = () =>
      page.evaluate(() => {
        const root = window.form().shadowRoot;
        const active = root.activeElement;
        if (!active) return { over: true };
        const name = active.outerHTML.slice(0, 80);
        // The editor shows it around all of itself, and a row around all of the row.
        const ring = (active.matches(".cm-content") && active.closest(".editor")) || (active.matches("[type=radio], [type=checkbox]") && active.closest(".option")) || active;
        const style = getComputedStyle(ring);
        const [width, offset] = [parseFloat(style.outlineWidth), parseFloat(style.outlineOffset)];
        if (style.outlineStyle === "none" || width < 2) return { name, faults: [`${name} has the outline ${style.outlineStyle} ${style.outlineWidth}`] };
        const rgb = (colour) => colour.match(/[\d.]+/g).map((part) => (colour.startsWith("color(srgb ") ? 255 * Number(part) : Number(part)));
        const light = (colour) => {
          const [r, g, b] = rgb(colour).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const [one, other] = [light(style.outlineColor), light(getComputedStyle(root.querySelector(".base")).backgroundColor)].sort();
        const faults = [];
        if ((other + 0.05) / (one + 0.05) < 3) faults.push(`${name}: the outline ${style.outlineColor} is hardly seen`);
        const box = ring.getBoundingClientRect();
        const out = { left: box.left - offset - width, right: box.right + offset + width, top: box.top - offset - width, bottom: box.bottom + offset + width };
        if (out.left < 0 || out.right > document.documentElement.clientWidth || box.bottom < 0 || box.top > innerHeight) faults.push(`${name} is not in the window`);
        for (let place = ring.parentElement; place; place = place.parentElement) {
          const { overflowX, overflowY, overflowClipMargin } = getComputedStyle(place);
          const clip = place.getBoundingClientRect();
          const margin = overflowX === "clip" ? parseFloat(overflowClipMargin) || 0 : 0;
          if (overflowX !== "visible" && (out.left < clip.left - margin - 0.5 || out.right > clip.right + margin + 0.5)) faults.push(`${name}: its outline is cut at the side by ${place.className || place.localName}`);
          if (overflowY !== "visible" && (out.top < clip.top - margin - 0.5 || out.bottom > clip.bottom + margin + 0.5)) faults.push(`${name}: its outline is cut by ${place.className || place.localName}`);
        }
        const at = root.elementFromPoint((box.left + box.right) / 2, (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2);
        if (at && !ring.contains(at) && !at.contains(ring)) faults.push(`${name} is covered by ${at.outerHTML.slice(0, 80)}`);
        return { name, faults };
      });
    const wrong = [];
    for (const [name, { request, first = [], later }] of Object.entries(CASES)) {
      await person.ask(request, { attributes: { label: "Tester" } });
      await person.find("legend, h2").first().focus();
      await person.press(...first);
      if (later) await person.find(later).waitFor();
      // From the step's own focus on, to the end of the form.
      const seen = new Set();
      for (let stops = 0; stops < 30; stops += 1) {
        const { over, name: at, faults } = await shown();
        if (over) break;
        seen.add(at);
        wrong.push(...faults.map((fault) => `${name}: ${fault}`));
        // To the editor Tab is Tab after Esc alone.
        await page.keyboard.press("Tab");
      }
      assert.ok(seen.size >= 3, `${name}: only ${[...seen]}`);
    }
    assert.deepEqual([...new Set(wrong)], [], JSON.stringify(options));
    await page.context().close();
  }
});

test("the progress is spoken after each step, once, and the question is not spoken twice where the focus goes to it", async () => {
  const { page, person } = await visit();
  await page.evaluate(() => (window.spoken = []));
  await person.ask(questions("boolean", "boolean", "text", "select"));
  await page.evaluate(() => {
    const region = window.form().shadowRoot.querySelector(".spoken");
    window.spoken.push(region.textContent);
    new MutationObserver(() => region.textContent && window.spoken.push(region.textContent)).observe(region, { childList: true, subtree: true, characterData: true });
  });
  const spoken = () => page.evaluate(() => window.spoken.splice(0));
  assert.deepEqual(await spoken(), ["Question 1 of 4: Question 0?"]);
  await person.click("[data-answer=yes]");
  assert.deepEqual(await spoken(), ["Question 2 of 4"]);
  await person.press("n");
  assert.deepEqual(await spoken(), ["Question 3 of 4"]);
  await person.press("Control+Enter");
  assert.deepEqual(await spoken(), ["Question 4 of 4"]);
  await person.click("[data-way=back]");
  assert.deepEqual(await spoken(), ["Question 3 of 4"]);
  // The region is polite, and the progress on the page is not read as well.
  assert.equal(await person.find(".spoken").getAttribute("role"), "status");
  assert.equal(await person.find("[part=progress]").getAttribute("aria-hidden"), "true");
  await page.context().close();
});

test("a screen reader finds the open question as a heading, and hears who asks", async () => {
  const { page, person } = await visit();
  const label = { attributes: { label: "Deploy agent" } };
  const heading = (name) => page.getByRole("heading", { name, level: 2 }).count();
  const says = (words) => until(async () => (await person.find(".spoken").textContent()) === words, words);
  await person.ask(questions("boolean", "text"), label);
  await says("Question 1 of 2: Question from Deploy agent: Question 0?");
  assert.equal(await heading("Question 0?"), 1);
  assert.deepEqual(await person.barriers(), []);
  // A call names its agent itself.
  const call = { action_requests: [{ name: "bash", args: { command: "npm ci" } }], review_configs: [{ action_name: "bash", allowed_decisions: ["approve", "reject"] }] };
  await person.ask(call, label);
  await says("Allow Deploy agent to run this command?");
  assert.equal(await heading("Allow Deploy agent to run this command?"), 1);
  await page.context().close();
});

test("a question that scrolls is reached by Tab and scrolled by keys; one that does not is passed over", { skip }, async () => {
  const { page, person } = await visit({ viewport: { width: 500, height: 900 } });
  const text = Array.from({ length: 60 }, (_, place) => `Line ${place}`).join("\n");
  await person.ask({ questions: [{ id: "a", text, answer_type: "boolean" }, { id: "b", text: "Short?", answer_type: "text", context: text }] });
  await person.settled();
  assert.deepEqual(await person.barriers(), []);
  await page.evaluate(() => document.body.focus());
  await person.press("Tab");
  assert.match(await person.focused(), /legend/);
  await person.press("ArrowDown", "ArrowDown");
  assert.ok((await person.find("legend").evaluate((legend) => legend.scrollTop)) > 0);
  await person.click("[data-answer=yes]");
  assert.equal(await person.find("legend").getAttribute("tabindex"), "-1");
  assert.equal(await person.find(".context").getAttribute("tabindex"), "0");
  assert.deepEqual(await person.barriers(), []);
  await page.context().close();
});
