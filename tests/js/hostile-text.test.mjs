// Every text that an agent can set, set to every hostile text: nothing runs, nothing looks like something else, nothing around it moves, and
// what is sent is what was offered. tests/js/hostile-texts.mjs says where the texts are from.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENGINE, launch } from "./browser.mjs";
import { ARABIC, FAMILIES, HEBREW, HOSTILE, LONE } from "./hostile-texts.mjs";
import { Person } from "./person.mjs";
import { keepsStill, painted } from "./wait.mjs";

let browser;
let page;
let person;
before(async () => {
  browser = await launch();
  page = await browser.page();
  person = new Person(page);
  await page.evaluate(watching);
});
after(() => browser.close());

/** Texts that no two look alike, and none looks empty. */
const numbered = (texts) => texts.map((text, place) => `${place}. ${text} end`);
// The first of every four texts of each family are tried, and all of them with SOAK=1 in the environment. WebKitGTK takes ten times as long for each step: there it is the first of every eight.
const PART = process.env.SOAK ? 1 : ENGINE === "webkit" ? 8 : 4;
const TRIED = [...new Set(FAMILIES.flatMap(({ texts }) => texts.filter((_, place) => place % PART === 0)))];
const TEXTS = numbered(TRIED);
const PLAIN = numbered(TRIED.map(() => "plain"));
/** Groups of texts whose length in all is bounded. */
const groups = (texts, most, length) => {
  const found = [];
  let size = length;
  for (const text of texts) {
    size += text.length;
    if (size > length || found.at(-1).length === most) {
      found.push([]);
      size = text.length;
    }
    found.at(-1).push(text);
  }
  return found;
};
/** Several at once, where every text makes a step. */
const TOGETHER = [TEXTS, PLAIN].map((texts) => Array.from({ length: Math.ceil(texts.length / 6) }, (_, place) => texts.slice(place * 6, place * 6 + 6).join("\n")));
/** Goes through a form and looks at every step; gives what is wrong, and the result. */
const through = async (request, more = {}) => page.evaluate((asked) => window.through(asked), { request: JSON.stringify(request), ...more });
/** The same for hostile and for plain texts: the shape of the form is that of the plain one. Gives what comes of the hostile. */
const alike = async (made, more = (texts) => ({}), [hostile, plain] = /** @type {any[]} */ ([TEXTS, PLAIN])) => {
  const { shapes } = await through(made(plain), more(plain));
  const { faults, result, shapes: others } = await through(made(hostile), more(hostile));
  assert.deepEqual(faults.slice(0, 20), []);
  for (const [place, shape] of others.entries()) assert.equal(shape, shapes[place], `step ${place}`);
  assert.equal(others.length, shapes.length);
  return result;
};

/** In the page: what is looked at after each step. */
function watching() {
  // Pages that open in front of this one would slow it.
  document.addEventListener("click", (event) => event.composedPath()[0].localName === "a" && event.preventDefault());
  const EMOJI = new RegExp("\\p{RGI_Emoji}|\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}?", "gv");
  const scripts = ["Arabic", "Syriac", "Devanagari", "Bengali", "Malayalam", "Sinhala", "Khmer", "Mongolian"].map((script) => `\\p{scx=${script}}`).join("");
  // No lookbehind: in WebKit it goes wrong over signs beyond U+FFFF.
  const JOINERS = new RegExp(`([${scripts}])[\\u200c\\u200d](?=[${scripts}]|$)`, "gu");
  // Between emoji a joiner makes one sign of them, whether fonts have it or not (UAX #29, GB11).
  const JOINED = /(\p{Extended_Pictographic})\u200d(?=\p{Extended_Pictographic})/gu;
  // One selector after a sign that may have some.
  const SELECTED = /([\p{Ideographic}\p{So}\p{Sm}\p{Po}\u3040-\u30ff\uac00-\ud7af\u10d0-\u10ff])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(\p{scx=Mongolian})[\u180b-\u180d\u180f]/gu;
  const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;
  const SEEN = /[\t\n\u0600-\u0605\u06dd\u0890\u0891\u08e2]|\r\n/g;

  /** The hidden characters of a text. */
  window.hidden = (text) => {
    const braille = /[\u2801-\u28ff]/.test(text);
    const rest = [JOINED, JOINERS, SELECTED].reduce((left, seen) => left.replace(seen, ([sign]) => sign), text.replace(EMOJI, "\u{1f600}").replace(SEEN, ""));
    return (rest.match(HIDDEN) ?? []).filter((character) => !(braille && character === "\u2800"));
  };
  /** How a hidden character is marked. */
  window.mark = (character) => {
    const code = character.codePointAt(0);
    if (code < 0x20 || code === 0x7f) return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  };
  const named = (text) => [...new Set(window.hidden(text))].map(window.mark).join(" ");

  const ACTIVE = "script, style, link, meta, base, iframe, object, embed, svg, math, template, slot, video, audio, img:not(.cm-widgetBuffer), ask-user *";
  const SPOKEN = ["aria-label", "aria-description", "aria-valuetext", "aria-roledescription", "title", "placeholder", "alt"];
  /** What is wrong with the form as it stands. */
  window.faults = () => {
    const root = window.form().shadowRoot;
    const found = [];
    const nodes = document.createNodeIterator(root, NodeFilter.SHOW_TEXT);
    for (let node; (node = nodes.nextNode()); ) {
      const at = node.parentElement;
      const said = named(node.data);
      if (said) found.push(`${at.localName}.${at.className}: ${said} in ${JSON.stringify(node.data.slice(0, 60))}`);
    }
    for (const element of root.querySelectorAll("*")) {
      // Pictures of buttons are the form's own.
      if (element.matches(ACTIVE) && !element.matches("button > svg.icon")) found.push(`there is a ${element.localName}`);
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on") || (name === "style" && !element.closest(".editor"))) found.push(`${element.localName} has ${name}`);
        // Markdown has links of its own, which say where they lead: tests/js/markdown.test.mjs.
        const leads = element.matches(".md a") ? /^(https?:\/\/|mailto:)/ : /^https:\/\/good\.example\//;
        if (["href", "src", "action", "formaction"].includes(name) && !leads.test(value)) found.push(`${name} is ${value}`);
        const said = SPOKEN.includes(name) && named(value);
        if (said) found.push(`${name} of ${element.localName}: ${said}`);
      }
      if (element.matches("textarea, input:not([type=radio], [type=checkbox])") && element.checkVisibility()) {
        const marked = element.parentElement.querySelector(":scope > [data-marked]")?.textContent ?? "";
        const bare = [...new Set(window.hidden(element.value))].map(window.mark).filter((mark) => !marked.includes(mark));
        if (bare.length) found.push(`the value of ${element.localName}#${element.id}: ${bare.join(" ")}`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push("it is wider than the page");
    if (window.pwned !== undefined || {}.pwned !== undefined) found.push("it ran");
    if (document.title !== "ask-user") found.push("the title is another");
    return found;
  };

  /** The form as it would be without its texts, and what Markdown makes of them. What marks the hidden characters of a field is left out. */
  window.shape = () => {
    const drawn = (shown) => {
      const isMarked = shown.matches(".md, [data-md]");
      const element = isMarked ? shown.cloneNode() : shown;
      if (isMarked) {
        element.classList.remove("md");
        delete element.dataset.md;
        if (!element.className) element.removeAttribute("class");
        if (element.role === "none") element.removeAttribute("role");
      }
      const inner = [...element.children].filter((child) => !child.matches("[data-marked], .cm-editor")).map(drawn).join("");
      if (element.querySelector(":scope > p[data-marked]") && element.matches("div.field")) return inner;
      const names = [...element.attributes].map(({ name, value }) => (["class", "part", "type", "id", "dir"].includes(name) ? `${name}=${value}` : name));
      return `<${element.localName} ${names.sort().join(" ")}>${inner}</>`;
    };
    return [...window.form().shadowRoot.children].map(drawn).join("\n");
  };

  /** Answers whatever is asked, as it is offered, and looks at every step. */
  window.through = async (asked) => {
    const faults = [];
    const shapes = [];
    const { fail, reply, assistant } = asked;
    if (fail !== undefined) asked.host = { ...asked.host, deliver: () => Promise.reject(new Error(fail)) };
    if (assistant) asked.host = { ...asked.host, target: { model: { id: "small" }, escalation: true }, assistant: () => Promise.resolve(assistant) };
    await window.ask(asked);
    const root = window.form().shadowRoot;
    const find = (selector) => root.querySelector(selector);
    // What is opened is not: the form hears of the click all the same.
    root.addEventListener("click", (event) => event.target.closest("a") && event.preventDefault(), { capture: true });
    for (let at = 0; ; at += 1) {
      while (find("[data-consulting]") || (fail !== undefined && find("[data-ends]") && !find("[data-delivery=failed]"))) await window.settled();
      faults.push(...window.faults().map((fault) => `step ${at}: ${fault}`));
      shapes.push(window.shape());
      if (find("[data-ends]") || window.seen.some(([name]) => name === "rejected")) break;
      const before = find(".step");
      for (const field of root.querySelectorAll("#note, #other")) {
        field.value = reply[at % reply.length];
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      for (const control of root.querySelectorAll(".step [data-option]")) if (!control.checked && control.type === "checkbox") control.click();
      if (!root.querySelector(".step [data-option]:checked, [data-other]:checked")) find(".step [data-option]")?.click();
      (find("[data-submit]") ?? find("[data-answer=yes]") ?? find("[data-open]") ?? find(".step [type=submit]")).click();
      await window.settled();
      find("[data-opened]")?.click();
      await window.settled();
      if (find(".step") === before) {
        faults.push(`step ${at} goes no further: ${find("#error")?.textContent}`);
        break;
      }
    }
    const end = window.seen.find(([name]) => name === "result")?.[1];
    return { faults, shapes, result: end?.result };
  };
}

test("there are hundreds of texts, each family names its source, and the oracle sees what is hidden", async () => {
  assert.ok(HOSTILE.length >= 500);
  for (const { family, source, texts } of FAMILIES) assert.ok(source && texts.length >= 10, family);
  const harmless = FAMILIES.find(({ family }) => family === "harmless").texts;
  assert.deepEqual(await page.evaluate((texts) => texts.map((text) => window.hidden(text).length), harmless), harmless.map(() => 0));
  const hidden = ["a\u202eb", "\u{1f600}\ufe0f\ufe0f", "\u3164", "a\rb", "a\u2028b", "\u{1f3f4}\u{e0061}", "\u0436\u200d\u0436"];
  assert.deepEqual(await page.evaluate((texts) => texts.map((text) => window.hidden(text).length), hidden), hidden.map(() => 1));
});

test("options: label, description and preview; each is sent as it was offered", async () => {
  const options = (texts) => texts.map((text) => ({ value: text, label: text, description: text, preview: text }));
  // As many at a time as have all of their rows in the document.
  const questions = (texts) => groups(texts, 100, 1e9).map((group, place) => ({ id: `q${place}`, text: `Which of ${place}?`, answer_type: "multi_select", options: options(group) }));
  const result = await alike((texts) => ({ questions: questions(texts) }), () => ({ host: { review: true } }));
  assert.deepEqual(Object.values(result).flat(), TEXTS);
});

test("questions: text, header, context and a default; in the review and the receipt too", async () => {
  const result = await alike(
    (texts) => ({ questions: texts.map((text, place) => ({ id: `q${place}`, header: text, text, context: text, answer_type: "text", default: text })) }),
    () => ({ host: { review: true } }),
    TOGETHER,
  );
  // A text area has one kind of line break.
  assert.deepEqual(Object.values(result), TOGETHER[0].map((text) => text.replace(/\r\n?/g, "\n")));
});

test("notes and own words, in the review and the receipt", async () => {
  const made = (texts) => ({
    questions: texts.map((text, place) => ({ id: `q${place}`, header: text, question: text, isOther: true, options: [{ label: text, description: text }, { label: `other ${place}`, description: text }] })),
  });
  await alike(made, (texts) => ({ attributes: { dialect: "codex" }, host: { review: true }, reply: texts }), TOGETHER);
});

test("placeholders", async () => {
  const faults = await page.evaluate(async (texts) => {
    const found = [];
    for (const text of texts) {
      await window.ask({ request: JSON.stringify({ questions: [{ header: "q", question: "Which?", type: "text", placeholder: text }] }), attributes: { dialect: "gemini" } });
      const field = window.form().shadowRoot.querySelector("textarea");
      if (!field?.placeholder.endsWith("end")) found.push(`no placeholder: ${text.slice(0, 60)}`);
      found.push(...window.faults());
    }
    return found;
  }, TOGETHER[0]);
  assert.deepEqual(faults.slice(0, 20), []);
});

test("a server's message, the names, titles and descriptions of its properties, and its names for values", async () => {
  const made = (texts) => {
    const asked = texts.map((text, place) => {
      const property = { type: "string", title: text, description: text, oneOf: [{ const: text, title: text }, { const: "other", title: "other" }] };
      const properties = JSON.parse(`{${JSON.stringify(text)}: ${JSON.stringify(property)}}`);
      return [`r${place}`, { method: "elicitation/create", params: { message: text, requestedSchema: { type: "object", properties, required: [text] } } }];
    });
    return { resultType: "input_required", inputRequests: Object.fromEntries(asked) };
  };
  const result = await alike(made, undefined, TOGETHER);
  for (const [place, text] of TOGETHER[0].entries()) assert.equal(result.inputResponses[`r${place}`].content[text], text);
});

/** What may be put into an address. */
const ODD = FAMILIES.filter(({ family }) => /addresses|breaks|terminal|lookalikes/.test(family)).flatMap(({ texts }) => texts);

test("an address that could mislead is refused; beside one that is opened a message stays a text", async () => {
  const elicit = (message, url) => ({ method: "elicitation/create", params: { mode: "url", message, url, elicitationId: "e" } });
  const made = (texts) => ({ inputRequests: Object.fromEntries(texts.map((text, place) => [`r${place}`, elicit(text, "https://good.example/x?y=<".replace("<", "%3C"))])) });
  await alike(made, undefined, TOGETHER);
  const refused = await page.evaluate(async (urls) => {
    const found = [];
    for (const url of urls) {
      const [name] = await window.ask({ request: JSON.stringify({ mode: "url", message: "Open?", url }) });
      const link = window.form().shadowRoot.querySelector("a");
      const [shown, goes] = link ? [window.form().shadowRoot.querySelector("[part=host]").textContent, link.hostname] : [];
      if (name !== "rejected" && (shown.toLowerCase() !== goes || link.protocol !== "https:")) found.push(url);
      found.push(...window.faults().filter((fault) => !fault.startsWith("href")));
    }
    return found;
  }, [...HOSTILE, ...ODD.map((text) => `https://good.example/${text}`), ...ODD.map((text) => `https://${text}/`)].filter((url) => url.length < 400));
  assert.deepEqual(refused, []);
});

test("who asks, what an assistant advises and how its model is called", async () => {
  const request = { question: "Go on?", answer_type: "boolean" };
  for (const texts of groups(TEXTS, 40, 20_100)) {
    const text = texts.join("\n");
    const more = (said) => ({ attributes: { label: said }, assistant: { reason: said, answer: false, model: said } });
    await alike(() => request, ([said]) => more(said), [[text], ["plain"]]);
    await page.evaluate(([request, more]) => window.ask({ request, host: { ...more.host }, ...more }), [request, more(text)]);
  }
});

test("what a host says of a delivery that failed", async () => {
  for (const texts of groups(TEXTS.map((text) => text.slice(0, 250)), 10, 290)) {
    const { faults } = await through({ question: "Go on?", answer_type: "boolean" }, { fail: texts.join("\n") });
    assert.deepEqual(faults, []);
  }
});

test("a request that is rejected shows no text but that of its first question", async () => {
  for (const texts of groups(TEXTS, 60, 20_100)) {
    const questions = texts.map((text) => ({ id: `${text}.`, text, answer_type: text, header: [text], [text]: text, when: { question_id: text } }));
    const { faults } = await through({ questions });
    assert.deepEqual(faults, []);
    assert.equal(await person.find(".notice").textContent(), "This question couldn't be displayed. The agent has been told what to fix.");
    assert.ok((await person.find(".step > .context").count()) <= 1);
  }
});

/** An object with these names, as JSON text. */
const object = (names, value) => `{${names.map((name, place) => `${JSON.stringify(name)}: ${JSON.stringify(value(name, place))}`).join(", ")}}`;
const SMALL = TEXTS.filter((text) => text.length < 600);

test("the fields of a schema: names, titles, descriptions, values and defaults; each is sent as it was offered", async () => {
  for (const texts of groups(SMALL, 58, 60_000)) {
    const half = Math.ceil(texts.length / 2);
    const property = (text, place) => (place < half ? { title: text, description: text, enum: [text, `${text}?`] } : { type: "string", description: text, minLength: 1, pattern: "..", default: text });
    const schema = JSON.parse(`{"type": "object", "properties": ${object(texts, property)}, "required": ${JSON.stringify(texts)}}`);
    const value = JSON.parse(object(texts, (text) => text));
    await page.evaluate((request) => window.ask({ request, host: { review: true } }), JSON.stringify({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema, default: value }] }));
    await person.find(".property input:checked").first().waitFor({ state: "attached" });
    if (await person.find(".more:visible").count()) await person.find(".more:visible").click();
    assert.deepEqual(await page.evaluate(() => window.faults()), []);
    // Each is wrong now, and says so.
    await page.evaluate((half) => {
      const { shadowRoot: root } = window.form();
      for (const area of root.querySelectorAll(".property textarea")) {
        area.value = "";
        area.dispatchEvent(new Event("input", { bubbles: true }));
      }
      root.querySelector("[type=submit]").click();
    }, half);
    await page.waitForFunction(() => [...window.form().shadowRoot.querySelectorAll(".property .error")].some(({ textContent }) => textContent));
    assert.deepEqual(await page.evaluate(() => window.faults()), []);
    await page.evaluate((texts) => {
      for (const [place, area] of window.form().shadowRoot.querySelectorAll(".property textarea").entries()) {
        area.value = texts[place];
        area.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }, texts.slice(half));
    assert.deepEqual(await page.evaluate(() => window.faults()), []);
    await page.evaluate(async () => {
      for (const selector of ["[type=submit]", "[data-submit]"]) {
        window.form().shadowRoot.querySelector(selector).click();
        await window.settled();
      }
    });
    assert.deepEqual(await page.evaluate(() => window.faults()), []);
    const sent = await page.evaluate(() => window.seen.find(([name]) => name === "result")[1].resultText);
    const wanted = (text, place) => (place < half ? text : text.replace(/\r\n?/g, "\n"));
    assert.deepEqual(JSON.parse(sent).q, JSON.parse(object(texts, wanted)));
  }
});

test("the editor: the text itself, its proposals, descriptions and problems", async () => {
  for (const texts of groups(SMALL, 60, 12_000)) {
    const items = { enum: texts, title: texts.join(" "), description: texts.join(" ") };
    const properties = JSON.parse(object(texts, (text) => ({ title: text, description: text, type: "array", items: { enum: [text] } })));
    const schema = { anyOf: [{ type: "object", properties, additionalProperties: false }, { type: "array", items }], title: texts[0], description: texts[1] };
    await page.evaluate((request) => window.ask({ request, host: { review: true } }), JSON.stringify({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema, default: texts }] }));
    const editor = person.find(".cm-content");
    await person.asText();
    const faults = () => page.evaluate(() => window.faults());
    assert.deepEqual(await faults(), []);
    await editor.focus();
    const write = (text) =>
      page.evaluate((text) => {
        const content = window.form().shadowRoot.querySelector(".cm-content");
        const view = content.cmTile?.view ?? content.cmView?.view;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: text.length - 2 }, scrollIntoView: true });
      }, text);
    for (const text of ["[ ]", "{ }"]) {
      await write(text);
      await page.keyboard.press("Control+Space");
      await person.find("[role=listbox]").waitFor();
      await person.find("[role=listbox] [aria-selected=true]").waitFor();
      assert.deepEqual(await faults(), []);
      await page.keyboard.press("Escape");
    }
    // Names that may not be there, and stand there twice; values that are none of the list.
    await write(`{${texts.map((text) => `${JSON.stringify(`${text}!`)}: [${JSON.stringify(text)}], ${JSON.stringify(text)}: [${JSON.stringify(`x${text}`)}], ${JSON.stringify(text)}: 1`).join(",\n")} }`);
    await page.waitForFunction((least) => window.form().shadowRoot.querySelectorAll(".editor .problems li").length >= least, texts.length);
    assert.deepEqual(await faults(), []);
    await page.keyboard.press("F1");
    await page.keyboard.press("F8");
    assert.deepEqual(await faults(), []);
    await write(JSON.stringify(texts, undefined, 1));
    // The problems of the text before go first: they move the form.
    await page.waitForFunction(() => !window.form().shadowRoot.querySelector(".editor .problems li"));
    await painted(page);
    await keepsStill(page);
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction(() => window.form().shadowRoot.querySelector("[data-submit]"));
    assert.deepEqual(await faults(), []);
    await person.click("[data-submit]");
    assert.deepEqual((await person.result()).q, texts);
  }
});

/** Texts of one line that have a direction of their own, or would give one. */
const TURNING = FAMILIES.filter(({ family }) => /direction|right/.test(family)).flatMap(({ texts }) => texts).filter((text) => text.length < 30 && /^\P{Cf}.*\w|\p{L}/su.test(text) && !text.includes("\n"));

test("a text of another direction leaves the words beside it where they are, and the way round they are", async () => {
  const moved = await page.evaluate(async (texts) => {
    const found = [];
    const box = (node, from = 0, to = node.data.length) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return range.getBoundingClientRect();
    };
    const within = (element, text) => {
      const nodes = document.createNodeIterator(element, NodeFilter.SHOW_TEXT);
      for (let node; (node = nodes.nextNode()); ) if (node.data.includes(text)) return [node, node.data.indexOf(text)];
      return [];
    };
    /** Words of ours stand after a text (or before it), from left to right, all of them outside of it. */
    const check = (where, holder, isolated, words, side) => {
      const [node, from] = within(holder, words);
      if (!node) return found.push(`${where}: no ${words}`);
      const [first, last, whole] = [box(node, from, from + 1), box(node, from + words.length - 1, from + words.length), box(node, from, from + words.length)];
      const theirs = isolated.getBoundingClientRect();
      if (first.left >= last.left) found.push(`${where}: ${words} is turned`);
      const same = Math.abs(whole.top - theirs.top) < theirs.height / 2;
      const beside = side === "after" ? whole.left >= theirs.right - 1 : side === "before" ? whole.right <= theirs.left + 1 : whole.left >= theirs.right - 1 || whole.right <= theirs.left + 1;
      if (same && !beside) found.push(`${where}: ${words} is not ${side}`);
    };
    const root = () => window.form().shadowRoot;
    const assistant = (said) => ({ target: { model: { id: "small" }, escalation: true }, assistant: () => Promise.resolve({ reason: said, answer: false, model: said }) });
    for (const text of texts) {
      const at = JSON.stringify(text);
      const turns = /[\u0590-\u08ff\u{10800}-\u{10fff}]/u.test(text);
      await window.ask({ request: { question: text, answer_type: "boolean" }, attributes: { label: text }, host: assistant(text) });
      while (root().querySelector("[data-consulting]")) await window.settled();
      const label = root().querySelector("[part=label]");
      check(`label ${at}`, label, label.firstElementChild, "Question from", "before");
      const name = root().querySelector("[part=advice] .name");
      check(`advice ${at}`, name, name.firstElementChild, "recommends No:", "after");
      if (!turns) for (const element of root().querySelectorAll("[dir=auto]")) if (getComputedStyle(element).direction === "rtl") found.push(`${element.localName} is turned by ${at}`);

      const property = { type: "string", title: text, description: text, enum: [text, "x"] };
      const request = { message: text, requestedSchema: { type: "object", properties: { a: property, b: { ...property, title: "Second?" } } } };
      await window.ask({ request });
      const legend = root().querySelector("legend");
      check(`legend ${at}`, legend, legend.querySelector(".text"), "optional", turns ? "beside" : "after");
      for (let step = 0; step < 2; step += 1) {
        root().querySelector("[data-option]").click();
        root().querySelector("[type=submit]").click();
        await window.settled();
      }
      // The button to change an answer stands on the same side, whatever was answered.
      const row = root().querySelector("dd");
      if (row.querySelector("button").getBoundingClientRect().left < row.querySelector(".answer").getBoundingClientRect().left) found.push(`the button of ${at} is on the other side`);
    }
    return found;
  }, TURNING);
  assert.deepEqual(moved.slice(0, 20), []);
  assert.ok(TURNING.includes(HEBREW) && TURNING.includes(ARABIC));
});

test("marks that are piled on a letter are cut off at the edge of their own text", async () => {
  const pile = `a${"\u0301\u0489".repeat(2_500)}`;
  const open = () =>
    page.evaluate(() => {
      const nodes = document.createNodeIterator(window.form().shadowRoot, NodeFilter.SHOW_TEXT);
      const cut = ({ parentElement: at }) => {
        for (; at && !at.matches(".base"); at = at.parentElement) {
          const { overflowX, overflowY, contain, contentVisibility } = getComputedStyle(at);
          if (contentVisibility === "auto" || contain.includes("paint") || (overflowX !== "visible" && overflowY !== "visible")) return !at.matches("form, fieldset, .step");
        }
      };
      const found = [];
      for (let node; (node = nodes.nextNode()); ) if (node.data.includes("\u0489\u0301") && !cut(node)) found.push(`${node.parentElement.localName}.${node.parentElement.className}`);
      return found;
    });
  const option = { value: pile, label: pile, description: pile, preview: pile };
  const questions = [
    { id: "a", header: pile, text: pile, context: pile, answer_type: "select", options: [option, "x"] },
    { id: "b", text: pile, answer_type: "schema", schema: { properties: { [pile]: { title: pile, description: pile, enum: [pile] } }, required: [pile] } },
  ];
  await page.evaluate(async ([questions, pile]) => {
    const assistant = () => Promise.resolve({ reason: pile, answer: null, model: pile });
    await window.ask({ request: { questions }, attributes: { label: pile }, host: { review: true, deliver: () => Promise.reject(pile), assistant } });
  }, [questions, pile]);
  assert.deepEqual(await open(), []);
  await person.find("#option-0").evaluate((option) => option.click());
  await person.click("[type=submit]");
  await person.find(".tab").first().click();
  await person.find(".property .fixed").waitFor();
  assert.deepEqual(await open(), []);
  await person.find("[type=submit]").evaluate((button) => button.click());
  await person.settled();
  assert.deepEqual(await open(), []);
  await person.find("[data-submit]").evaluate((button) => button.click());
  await person.find("[data-delivery=failed]").waitFor();
  assert.deepEqual(await open(), []);
});

test("half a character is refused in a request, and costs a host none of its options", async () => {
  for (const text of LONE) {
    const [name, detail] = await page.evaluate((text) => window.ask({ request: { question: text, answer_type: "text" } }), text);
    assert.deepEqual([name, detail.problems.map(({ code }) => code)], ["rejected", ["invalid_json"]]);
    await page.evaluate((text) => {
      const deliver = () => Promise.reject(new Error(text));
      return window.ask({ request: { questions: [{ id: "a", text: "Go on?", answer_type: "boolean" }] }, attributes: { label: text, "tool-call-id": "call_9" }, host: { review: true, deliver } });
    }, text);
    assert.equal(await person.find("[part=label]").textContent(), `Question from ${text.replace(/[\ud800-\udfff]/g, "\ufffd")}`);
    await person.click("[data-answer=yes]");
    await person.click("[data-submit]");
    await person.find("[data-delivery=failed]").waitFor();
    assert.deepEqual((await person.end()).result, { a: true });
  }
});

test("nothing ran, and nothing broke the content security policy", async () => {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.evaluate(() => ({}).pwned), undefined);
  assert.deepEqual(page.faults, []);
});
