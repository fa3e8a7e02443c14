// Everything that the form shows can be read, wherever the element is put: in small windows, with large text, in places that are as wide as
// their content, in frames that are as high as theirs, in long lists, and on paper. The pages stand in a frame, whose size any engine can set.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { POLICY } from "../../playground/server.mjs";
import { BLANK, ELSEWHERE, launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { painted, until } from "./wait.mjs";

const OUTER = `<!doctype html><html lang="en"><title>outer</title><script src="/outer.js"></script><body>`;
/** Makes the frame as large as a test says, and as high as the page in it says. */
const OUTER_JS = `
  addEventListener("DOMContentLoaded", () => {
    const frame = document.createElement("iframe");
    frame.style.border = "0";
    frame.src = "/inner";
    document.body.append(frame);
    window.size = (width, height) => Object.assign(frame.style, { width: width + "px", height: height + "px" });
    window.heights = [];
    addEventListener("message", ({ data }) => (window.heights.push(data), (frame.style.height = data + "px")));
  });`;

let browser;
let page;
let frame;
let person;
before(async () => {
  const inner = { content: BLANK, policy: POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'") };
  browser = await launch({ pages: { "/outer": { content: OUTER, policy: `${POLICY}; frame-src 'self'` }, "/outer.js": OUTER_JS, "/inner": inner } });
  page = await browser.page("/outer", { viewport: { width: 1300, height: 900 } });
  frame = page.frames()[1];
  await frame.waitForFunction(() => window.ask);
  person = new Person(frame);
  await frame.evaluate(lookers);
});
after(() => browser.close());

/** Makes the frame so large, and the reader's text. */
async function sized(width, height, text = 100) {
  await page.evaluate(([width, height]) => void window.size(width, height), [width, height]);
  // The form's text has the size that the reader has set in the browser, which no page can set: the property stands in for it. To enlarge a
  // page by zoom is to make its window smaller.
  await frame.evaluate((text) => document.documentElement.style.setProperty("--ask-user-font-size", `${(16 * text) / 100}px`), text);
  await drawn();
}
const drawn = () => painted(frame);
const press = (selector) =>
  frame.evaluate(async (selector) => {
    window.form().shadowRoot.querySelector(selector).click();
    await window.settled();
  }, selector);
const unread = (way = {}) => frame.evaluate((way) => window.unread(way), way);

/** In the page: what looks for texts that cannot be read. */
function lookers() {
  const SIDES = [["left", "right", "clientLeft", "Width", "overflowX"], ["top", "bottom", "clientTop", "Height", "overflowY"]];

  /** The texts of the form, or within one of its elements, that are outside a box around them which cannot be scrolled to them. */
  window.unread = ({ within, scrolls = true }) => {
    const faults = new Set();
    const root = window.form().shadowRoot;
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) faults.add(`the page is ${page.scrollWidth} wide, in ${page.clientWidth}`);
    const texts = document.createTreeWalker(within ? root.querySelector(within) : root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      const seen = /** @type {any} */ (text).data.trim() !== "" && !text.parentElement.closest("style, .spoken, .cm-announced");
      if (seen && text.parentElement.checkVisibility({ visibilityProperty: true })) for (const fault of outside(text, scrolls)) faults.add(fault);
    }
    return [...faults].slice(0, 5);
  };

  function outside(text, scrolls) {
    // Word by word: a space at the end of a line hangs over. (WebKit gives the word after it an empty box there.)
    const words = [...text.data.matchAll(/\S+/g)].flatMap(({ 0: { length }, index }) => {
      const word = document.createRange();
      word.setStart(text, index);
      word.setEnd(text, index + length);
      return [...word.getClientRects()];
    });
    const name = JSON.stringify(text.data.slice(0, 20));
    const boxes = words.filter(({ width, height }) => width && height);
    if (!boxes.length) return [`${name} is nowhere`];
    const faults = [];
    for (const [start, end, border, size, overflow] of SIDES) {
      let [from, to] = [Math.min(...boxes.map((box) => box[start])), Math.max(...boxes.map((box) => box[end]))];
      for (let box = text.parentElement; box !== document.body; box = box.parentElement ?? box.getRootNode().host) {
        const style = getComputedStyle(box);
        // What hangs over within the form lies over something else; a page may let hang what it wants.
        const holds = box.getRootNode() === document ? style[overflow] !== "visible" : !/^(inline|contents)$/.test(style.display);
        const [outer, cuts] = [box.getBoundingClientRect(), style[overflow] !== "visible"];
        const first = cuts ? outer[start] + box[border] : outer[start];
        const last = cuts ? first + box[`client${size}`] : outer[end];
        if (!holds || (from >= first - 1.5 && to <= last + 1.5)) continue;
        const [at, until, ...around] = [from, to, first, last].map(Math.round);
        const place = `${name} from ${at} to ${until}, in ${box.localName}.${box.className} ${around.join(" to ")}`;
        if (!scrolls) faults.push(`${place}, is cut or to be scrolled to`);
        else if (!/auto|scroll/.test(style[overflow]) || box[`scroll${size}`] <= box[`client${size}`]) faults.push(`${place}, is cut`);
        [from, to] = [Math.max(from, first), Math.min(to, last)];
      }
    }
    return faults;
  }
}

const SHORT = "Grid";
const LONG =
  "All rows are kept in one table and joined by the key of the customer, which is the simplest way, but locks the whole table for an hour; see " +
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.\n\nNobody can write in the meantime.";
const ask = (say, more) => ({ questions: [{ id: "q", text: say, context: say, ...more }] });
const labelled = (options, more) => ({ questions: [{ question: "How?", header: "Layout", options, ...more }] });
const four = (make) => ["a", "b", "c", "d"].map((letter) => make(letter));
const list = (say, count) => Array.from({ length: count }, (_, place) => `${place} ${say}`);
const fields = (say) => ({
  type: "object",
  properties: {
    host: { type: "string", title: say, description: say },
    port: { type: "integer", description: say },
    mode: { enum: ["fast", "safe", say] },
    tls: { type: "boolean", title: say },
  },
  required: ["host"],
});
const agree = (say) => ({
  message: say,
  requestedSchema: {
    type: "object",
    properties: { agree: { type: "boolean", title: say }, name: { type: "string", title: say } },
    required: ["agree"],
  },
});
const named = async () => {
  await press("[data-answer=yes]");
  await frame.evaluate((text) => {
    const field = window.form().shadowRoot.querySelector("[data-field]");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, LONG);
  await press("[type=submit]");
};
const loaded = (selector) => () => person.find(selector).waitFor({ state: "attached" });

/** By name: what asks it, of a text; and what leads to what is looked at. */
const SHOWN = {
  "yes or no": [(say) => ask(say, { answer_type: "boolean", default: true }), undefined, { reuse: "none" }],
  "yes or no, remembered": [(say) => ask(say, { answer_type: "boolean" })],
  "a choice": [(say) => ask(say, { answer_type: "select", options: list(say, 3) })],
  "a choice with descriptions": [(say) => labelled(four((label) => ({ label: `${label} ${say}`, description: say })))],
  "a choice with previews": [(say) => labelled(four((label) => ({ label: `${label} ${say}`, preview: `${label} ${say}` })))],
  "several of a choice": [(say) => ask(say, { answer_type: "multi_select", options: list(say, 40), default: [`39 ${say}`] })],
  "a text": [(say) => ask(say, { answer_type: "text", default: say })],
  "a number": [(say) => ask(say, { answer_type: "number" })],
  "a secret": [(say) => ask(say, { answer_type: "secret" })],
  "an optional text": [(say) => agree(say), () => press("[data-answer=yes]")],
  "JSON as fields": [(say) => ask(say, { answer_type: "schema", schema: fields(say) }), loaded(".properties")],
  "JSON as text": [
    (say) => ask(say, { answer_type: "schema", schema: { type: "array", items: { type: "string" } }, default: [say] }),
    loaded(".cm-content"),
  ],
  "consent to a URL": [
    (say) => ({ mode: "url", message: say, url: `http://localhost:1/${encodeURIComponent(say)}`, elicitationId: "1" }),
  ],
  "a refusal": [(say) => ask(say, { answer_type: "select", options: list(say, 3) }), () => press("[type=submit]")],
  "the reply": [(say) => ask(say, { answer_type: "boolean" }), () => press("[data-way=reply]")],
  "all answers": [(say) => agree(say), named],
  "the receipt": [(say) => agree(say), async () => (await named(), press("[data-submit]"))],
  "what is no form": [(say) => ({ question: say, answer_type: say })],
};
/** Asks it, and leads to what is looked at. */
async function shown(kind, say) {
  const [request, lead, host] = SHOWN[kind];
  await person.ask(request(say), { host });
  await lead?.();
}

test("every text can be read in every size of the window and of the text", async () => {
  const faults = [];
  for (const kind of Object.keys(SHOWN)) {
    for (const say of [SHORT, LONG]) {
      for (const text of [100, 200, 400]) {
        await sized(1280, 800, text);
        await shown(kind, say);
        for (const [width, height] of [[320, 256], [375, 667], [1280, 800]]) {
          await sized(width, height, text);
          // The editor draws its lines once they are in view.
          await frame.evaluate(() => window.form().shadowRoot.querySelector(".cm-editor")?.scrollIntoView());
          await drawn();
          const where = `${kind}, ${say === LONG ? "long" : "short"}, ${width} x ${height} at ${text} %`;
          faults.push(...(await unread()).map((fault) => `${where}: ${fault}`));
        }
      }
    }
  }
  assert.deepEqual(faults, []);
});

test("with the space between letters, words, lines and paragraphs that a reader has set, every text can be read", async () => {
  // What WCAG 2.2 names in 1.4.12, set as a reader's own style does.
  const style = "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }";
  for (const width of [320, 900]) {
    await sized(width, 900);
    for (const kind of Object.keys(SHOWN)) {
      await shown(kind, LONG);
      await frame.evaluate((style) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        const root = window.form().shadowRoot;
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
      }, style);
      await drawn();
      assert.deepEqual(await unread(), [], `${kind} in ${width}`);
    }
  }
});

test("in a very long list every row that is scrolled to is whole", async () => {
  const options = list("and a name of several words", 1_000).map((value) => ({ value, description: LONG }));
  await person.ask(ask("Which?", { answer_type: "select", options }));
  for (const [width, text] of [[375, 100], [320, 400], [1280, 100]]) {
    await sized(width, 667, text);
    for (const part of [0, 0.15, 1]) {
      // What is not in sight is not in the document: the row is the first one that is seen there.
      await frame.evaluate((part) => {
        const list = window.form().shadowRoot.querySelector(".options");
        list.scrollTop = part * list.scrollHeight;
      }, part);
      await drawn();
      const place = await frame.evaluate(() => {
        const list = window.form().shadowRoot.querySelector(".options");
        const { top } = list.getBoundingClientRect();
        const option = [...list.querySelectorAll(".option")].find((option) => option.getBoundingClientRect().bottom > top + 8);
        option.scrollIntoView();
        return option.querySelector("input").id.slice(7);
      });
      const row = `.option:has(#option-${place})`;
      if (part) assert.ok(place > 50, `${place} at ${part}`);
      await drawn();
      assert.deepEqual(await unread({ within: row }), [], `${row} at ${width} and ${text} %`);
    }
  }
});

/** Places for the form, by name: an element's tag and styles for it, and what stands beside it. */
const PLACES = {
  "a dialog": { tag: "dialog" },
  "a popover": { popover: "auto" },
  "a row": { style: { display: "flex" } },
  "a row beside a long text": { style: { display: "flex", overflowWrap: "anywhere" }, beside: LONG },
  "a column of bubbles": { style: { display: "flex", flexDirection: "column", alignItems: "flex-start" } },
  "a cell of a table": { style: { display: "table-cell" } },
  "a bubble": { style: { display: "inline-block" } },
  "a float": { style: { float: "left" } },
  "a place of its own": { style: { position: "absolute" } },
  "a column of a grid": { style: { display: "grid", gridTemplateColumns: "fit-content(30rem) 1fr" } },
  "a column as wide as its content": { style: { display: "grid", gridTemplateColumns: "max-content" } },
};

for (const [name, place] of Object.entries(PLACES)) {
  test(`in ${name} the form is as wide as it needs to be, and no wider than the page`, async () => {
    const widths = [];
    for (const say of [SHORT, LONG]) {
      await sized(1280, 800);
      await person.ask(ask(say, { answer_type: "select", options: list(say, 3) }));
      await frame.evaluate(({ tag = "div", popover, style, beside }) => {
        const place = Object.assign(document.createElement(tag), { id: "place" });
        Object.assign(place.style, style);
        place.append(window.form());
        if (beside) place.append(Object.assign(document.createElement("p"), { textContent: beside }));
        document.querySelector("main").replaceChildren(place);
        if (tag === "dialog") /** @type {any} */ (place).showModal();
        if (popover) ((place.popover = popover), place.showPopover());
      }, place);
      await drawn();
      widths.push(await frame.evaluate(() => window.form().getBoundingClientRect().width));
      for (const [width, text] of [[320, 100], [320, 200], [1280, 100], [1280, 400]]) {
        await sized(width, 600, text);
        if (!place.beside || text === 100) assert.deepEqual(await unread(), [], `${width} wide at ${text} %`);
      }
    }
    assert.ok(widths[0] >= 280, `${widths[0]} wide`);
    // A dialog may have a scroll bar.
    assert.ok(place.beside || Math.abs(widths[0] - widths[1]) < 20, `as wide at every step: ${widths}`);
  });
}

test("a frame that is as high as its content has its height at once", async () => {
  await frame.evaluate(() => {
    const html = document.documentElement;
    window.watch = new ResizeObserver(() => parent.postMessage(html.scrollHeight, "*"));
    window.watch.observe(document.body);
  });
  const longer = Array.from({ length: 9 }, () => LONG).join("\n");
  for (const [name, request] of Object.entries({
    "a long question": ask(longer, { answer_type: "boolean" }),
    "many options": ask("Which?", { answer_type: "select", options: list(SHORT, 60) }),
    "long options": ask("Which?", { answer_type: "select", options: list(LONG, 9) }),
    "a long text": ask("What?", { answer_type: "text", default: longer }),
  })) {
    await sized(400, 150);
    await page.evaluate(() => void window.heights.splice(0));
    await person.ask(request);
    const measured = () => frame.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
    const [whole, high] = await until(measured, `${name}: a frame as high as its form`, ([whole, high]) => Math.abs(whole - high) <= 1 && high > 200);
    // What the frame says after that comes with the frames that follow.
    for (const there of [frame, page, frame, page]) await painted(there);
    const heights = await page.evaluate(() => window.heights);
    assert.ok(heights.length >= 1 && heights.length <= 2, `${name}: ${heights}`);
    assert.ok(Math.abs(whole - high) <= 1 && high > 200, `${name}: ${whole} in ${high}`);
  }
  await frame.evaluate(() => window.watch.disconnect());
});

test("on paper everything is there in full", { skip: ELSEWHERE && "its driver does not print" }, async () => {
  const longer = Array.from({ length: 9 }, () => LONG).join("\n");
  const faults = [];
  for (const kind of Object.keys(SHOWN)) {
    await sized(700, 900);
    await shown(kind, longer.slice(0, kind === "several of a choice" ? 200 : undefined));
    await page.emulateMedia({ media: "print" });
    await drawn();
    faults.push(...(await unread({ scrolls: false })).map((fault) => `${kind}: ${fault}`));
    const cut = await frame.evaluate(() =>
      [...window.form().shadowRoot.querySelectorAll("textarea")].some((area) => area.checkVisibility() && area.scrollHeight > area.clientHeight + 1),
    );
    if (cut) faults.push(`${kind}: a text is cut`);
    assert.equal(await person.find("[data-way]").evaluateAll((ways) => ways.some((way) => way.checkVisibility())), false, kind);
    await page.emulateMedia({ media: "screen" });
  }
  assert.deepEqual(faults, []);
});

test("nothing that was done breaks the content security policy", () => {
  assert.deepEqual(page.faults, []);
});

test("with large text in a narrow place of a wide page, the content is no wider than the form", async () => {
  const page = await browser.page("/blank", { viewport: { width: 1280, height: 800 } });
  for (const width of [300, 500, 800]) {
    const over = await page.evaluate(async (width) => {
      await window.ask({ request: { question: "Which of them?", answer_type: "select", options: ["a", "b"] } });
      const form = window.form();
      form.style.width = `${width}px`;
      form.style.setProperty("--ask-user-font-size", "32px");
      await window.settled();
      const base = form.shadowRoot.querySelector(".base");
      return base.scrollWidth - base.clientWidth;
    }, width);
    assert.equal(over, 0, `${width}`);
  }
  await page.context().close();
});
