// The gallery: every prompt in every state looks as its reference picture, light, dark, narrow, from right to left and with large text; is no barrier, can be
// read and hit. `WRITE=1 node --test tests/js/gallery.test.mjs` writes the references; what differs is put into target/gallery.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { STATES } from "../../playground/gallery.js";
import { BLANK, launch } from "./browser.mjs";
import { lookers } from "./contrast.mjs";
import { compare, cut, inColours, palettePng, plainColours, read, readPalettePng, sheet, write } from "./pictures.mjs";
import { allDone, equip, passed } from "./wait.mjs";

const REFERENCES = new URL("../gallery/", import.meta.url);
const DIFFERENCES = new URL("../../target/gallery/", import.meta.url);
const INDEX = new URL("index.json", REFERENCES);
const WRITES = process.env.WRITE === "1";
/** How many pixels of a state may differ. */
const TOLERATED = 16;
/** How high the window is in which the pictures are taken, in pixels of the picture. */
const HEIGHT = 3_000;

/**
 * How the gallery is looked at: the width of the window and of a form in it, the scheme, the direction, the size of text in pixels; and the scale
 * of the pictures.
 */
const VARIANTS = {
  light: { window: 1580, width: 500, columns: 3 },
  dark: { window: 1580, width: 500, columns: 3, scheme: "dark", scale: 0.5 },
  narrow: { window: 320, columns: 5 },
  rtl: { window: 1580, width: 500, columns: 3, direction: "rtl", scale: 0.5 },
  large: { window: 1580, width: 500, columns: 3, text: 32, scale: 0.5 },
};
const THEMES = ["shadcn", "vscode", "material", "primer", "system"];

/** What docs/themes.md shows of each theme, and how many bytes a picture there may have. */
const PORTRAITS = ["one of several, chosen", "number, refused"];
const LARGEST_PORTRAIT = 60_000;

const require = createRequire(new URL("../../pkg/package.json", import.meta.url));
const font = (family, weight) => readFileSync(require.resolve(`@fontsource/dejavu-${family}/files/dejavu-${family}-latin-${weight}-normal.woff2`));
const FONTS = { "/fonts/sans-400.woff2": font("sans", 400), "/fonts/sans-700.woff2": font("sans", 700), "/fonts/mono-400.woff2": font("mono", 400) };

/** Custom properties that a page may set by mistake, or one without the other. */
const ODD = {
  "a surface that is no colour": { surface: "white-ish" },
  "a surface of three numbers": { surface: "0 0% 100%", text: "240 10% 4%", accent: "240 5% 10%" },
  "an empty surface": { surface: " " },
  "a text that is a length": { text: "12px" },
  "an accent that is no colour": { accent: "rgb(oops)" },
  "a text on the accent that is no colour": { "on-accent": "1" },
  "other colours that are none": { muted: "x", line: "x", error: "x" },
  "a white surface alone": { surface: "#fff" },
  "a black surface alone": { surface: "#000" },
  "a white text alone": { text: "#fff" },
  "a black text alone": { text: "#000" },
  "a light accent alone": { accent: "#ffd400" },
  "a dark accent alone": { accent: "#000080" },
  "a surface that is not painted": { surface: "transparent" },
};

/** A page with a form and a text below it, whose shifts are noted from its beginning. */
const COLD = BLANK.replace("<main></main>", `<script src="/cold.js"></script><main><h1>A page</h1><ask-user label="Deploy agent"
  request='{"questions": [{"id": "q", "text": "Delete the 14 merged branches?", "context": "All of them are merged.", "answer_type": "boolean"}]}'></ask-user><p>A text below the form.</p></main>`);
/** The same, where the page keeps the place of the form free. */
const RESERVED = COLD.replace('<script src="/cold.js">', '<link rel="stylesheet" href="/reserved.css">$&');
const RESERVED_CSS = "ask-user { display: block; min-block-size: 18em }";
const COLD_JS = `window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true });`;

let browser;
let page;
let driver;
before(async () => {
  browser = await launch({ draws: true, pages: { ...FONTS, "/cold": COLD, "/cold.js": COLD_JS, "/reserved": RESERVED, "/reserved.css": RESERVED_CSS } });
  page = await browser.page("/playground/gallery.html?bare&font=/fonts&scheme=light", { viewport: { width: 1580, height: HEIGHT } }, "window.isHasty = true");
  await page.waitForSelector("html[data-ready]");
  await equip(page);
  // The form that cannot be fetched is an error that the page hears of.
  assert.deepEqual(page.faults.splice(0), ["Error: withheld"]);
  await page.evaluate(lookers);
  driver = await page.context().newCDPSession(page);
});
after(() => browser.close());

/** Looks at the gallery in one way. */
async function look(/** @type {{ window: number, columns?: number, width?: number, scheme?: any, direction?: string, text?: number, scale?: number }} */ { window: width, width: form, scheme = "light", direction = "ltr", text = 16, scale = 1 }) {
  await driver.send("Emulation.setDeviceMetricsOverride", { width, height: HEIGHT / scale, deviceScaleFactor: scale, mobile: false });
  await page.evaluate(
    async ([form, scheme, direction, text]) => {
      const root = document.documentElement;
      const main = document.querySelector("main");
      const { useScheme } = await import("/playground/looks.js");
      useScheme(scheme);
      root.dir = direction;
      main.style.setProperty("--ask-user-font-size", `${text}px`);
      main.style.setProperty("--width", form ? `${form}px` : "100%");
      const sections = [...document.querySelectorAll("[data-state]")];
      for (const section of sections) section.style.blockSize = "";
      const drawn = (pause) => window.painted().then(() => window.passed(pause));
      await drawn(100);
      // The code editor measures its lines while it is in sight.
      for (const section of sections) {
        const editor = section.querySelector("ask-user")?.shadowRoot?.querySelector(".cm-editor");
        editor?.scrollIntoView();
        if (editor) await drawn(30);
      }
      // Each begins at a whole pixel, in half the size too, whatever those before it have become.
      const heights = sections.map((section) => 2 * Math.ceil(section.getBoundingClientRect().height / 2));
      for (const [place, section] of sections.entries()) section.style.blockSize = `${heights[place]}px`;
    },
    [form, scheme, direction, text],
  );
}

/** The picture of each state by its name. */
async function pictures(scale = 1) {
  const boxes = await page.evaluate(() =>
    [...document.querySelectorAll("[data-state]")].map((section) => {
      const { left, top, right, bottom } = section.getBoundingClientRect();
      return [section.dataset.state, left, top + scrollY, right - left, bottom - top].map((one) => (typeof one === "number" ? Math.round(one) : one));
    }),
  );
  const taken = {};
  let [from, to, shot] = [0, 0, undefined];
  for (const [name, x, y, width, height] of boxes.toSorted((one, other) => one[2] + one[4] - other[2] - other[4])) {
    if (!shot || y < from || y + height > to) {
      // As far as the window reaches; the end of the page stands at its bottom.
      const scrolled = await page.evaluate((y) => (scrollTo(0, y), scrollY), Math.min(...boxes.filter((box) => !taken[box[0]]).map((box) => box[2])));
      [from, to, shot] = [scrolled, scrolled + HEIGHT / scale, read(Buffer.from((await driver.send("Page.captureScreenshot", { format: "png" })).data, "base64"))];
    }
    taken[name] = cut(shot, /** @type {any} */ ([x, y - from, Math.min(width, shot.width / scale - x), height].map((length) => length * scale)));
  }
  return Object.fromEntries(STATES.map(({ name }) => [name, taken[name]]));
}

test("every state of the gallery is reached", async () => {
  const failed = await page.evaluate(() => [...document.querySelectorAll("[data-failed]")].map(({ dataset }) => `${dataset.state}: ${dataset.failed}`));
  assert.deepEqual(failed, []);
  assert.equal(await page.locator("[data-state]").count(), STATES.length);
  assert.equal(new Set(STATES.map(({ name }) => name)).size, STATES.length, "each state has a name of its own");
});

/** What axe finds wrong with any state. With `colours: false`, without its rule about colours. */
function barriers(colours = true) {
  return page.evaluate(async (colours) => {
    if (!window.axe) await import("/axe.js");
    const include = [...document.querySelectorAll("[data-state] > :last-child")];
    const { violations } = await window.axe.run({ include }, { resultTypes: ["violations"], rules: { "color-contrast": { enabled: colours } } });
    const state = ([first]) => /data-state="(.*?)"/.exec(first)?.[1] ?? first;
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${state(target.flat())}: ${target.flat().at(-1)}`));
  }, colours);
}

for (const [name, { forced, ...options }] of Object.entries({
  light: {},
  dark: { scheme: "dark" },
  "from right to left": { direction: "rtl" },
  "in forced colours": { forced: true },
  "in forced dark colours": { forced: true, scheme: "dark" },
})) {
  test(`no state is a barrier: ${name}`, async () => {
    if (forced) await page.emulateMedia({ forcedColors: "active" });
    await look({ ...VARIANTS.light, ...options });
    // Forced colours are the browser's own: axe reads those of the style sheet beside them.
    const found = await barriers(!forced);
    if (forced) await page.emulateMedia({ forcedColors: "none" });
    assert.deepEqual(found, []);
  });
}

for (const [variant, options] of /** @type {[string, any][]} */ (Object.entries(VARIANTS))) {
  test(`every state looks as its reference: ${variant}`, async () => {
    await look(options);
    const now = await pictures(options.scale);
    const file = new URL(`${variant}.png`, REFERENCES);
    if (WRITES) {
      mkdirSync(REFERENCES, { recursive: true });
      const { sheet: all, places } = sheet(now, options.columns);
      writeFileSync(file, palettePng(all));
      const colours = [...new Set(Object.values(now).flatMap(plainColours))].sort();
      writeFileSync(INDEX, written({ ...index(), [variant]: { colours, places } }));
      return;
    }
    const { colours: plain, places } = index()[variant] ?? {};
    assert.ok(places, `there is no reference for ${variant}: say WRITE=1 node --test tests/js/gallery.test.mjs`);
    const { picture: references, colours } = readPalettePng(readFileSync(file));
    const differs = [];
    rmSync(new URL(`${variant}/`, DIFFERENCES), { recursive: true, force: true });
    for (const [name, picture] of Object.entries(now)) {
      if (!places[name]) {
        differs.push(`${name}: it has no reference`);
        continue;
      }
      const before = cut(references, places[name]);
      const difference = compare(inColours(picture, colours).mapped, before);
      // A sheet has few colours: what is plain is compared by itself.
      const unknown = plainColours(picture).filter((colour) => !plain.some((known) => near(known, colour)));
      if (difference && difference.count <= TOLERATED && !unknown.length) continue;
      const size = ({ width, height }) => `${width} by ${height}`;
      const what = difference ? `${difference.count} pixels differ` : `it is ${size(picture)}, and was ${size(before)}`;
      differs.push([`${name}: ${what}`, ...unknown.map((colour) => `${colour} is new`)].join(", "));
      const folder = new URL(`${variant}/`, DIFFERENCES);
      mkdirSync(folder, { recursive: true });
      const { sheet: both } = sheet({ before, now: picture, ...(difference && { difference: difference.diff }) }, difference ? 3 : 2);
      writeFileSync(new URL(`${name.replaceAll(/\W+/g, "-")}.png`, folder), write(both));
    }
    differs.push(...Object.keys(places).filter((name) => !now[name]).map((name) => `${name}: the gallery has no such state`));
    assert.deepEqual(differs, [], `see target/gallery/${variant} (before, now, difference); where the looks are meant, say WRITE=1 node --test tests/js/gallery.test.mjs`);
  });
}

for (const lang of ["ar", "de", "es", "fr", "he", "ja", "pt-BR", "zh-Hans"]) {
  test(`every state speaks ${lang}, is no barrier and fits into 320 pixels`, async () => {
    await page.evaluate(() => document.documentElement.removeAttribute("dir"));
    await look(VARIANTS.narrow);
    const spoken = await page.evaluate(async (lang) => {
      document.documentElement.lang = lang;
      return (await import(`/pkg/dist/locales/${lang}.js`)).default;
    }, lang);
    const first = page.locator("[data-state] > :last-child [data-way=reply]").first();
    await page.waitForFunction(([element, text]) => element.textContent === text, [await first.elementHandle(), spoken.reply]);
    const wide = await page.evaluate(() => {
      const forms = [...document.querySelectorAll("[data-state] > :last-child")];
      // At Tab a form sees what scrolls since it has become narrower.
      for (const form of forms) form.shadowRoot?.querySelector(".base")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
      const wide = forms.filter((form) => {
        const base = form.shadowRoot?.querySelector(".base");
        return base && (base.scrollWidth > base.clientWidth + 1 || base.getBoundingClientRect().width > 320);
      });
      return wide.map((form) => form.closest("[data-state]").dataset.state);
    });
    // Colours are the same in every language.
    const found = await barriers(false);
    await page.evaluate(() => (document.documentElement.lang = "en"));
    await page.waitForFunction((element) => element.textContent === "Write back", await first.elementHandle());
    assert.deepEqual([found, wide], [[], []]);
  });
}

test("every target of every state is at least 24 by 24 pixels, wide and narrow", async () => {
  for (const options of [VARIANTS.light, VARIANTS.narrow]) {
    await look(options);
    assert.deepEqual(await page.evaluate(() => window.smallTargets()), []);
  }
});

test("nothing of any state reaches out of its form: wide, narrow, from right to left, and with text at 200 % in 320 pixels", async () => {
  const large = { ...VARIANTS.large, width: 320 };
  for (const [variant, options] of /** @type {[string, any][]} */ (Object.entries({ light: VARIANTS.light, narrow: VARIANTS.narrow, rtl: VARIANTS.rtl, large: VARIANTS.large, "large and narrow": large }))) {
    await look({ ...options, scale: 1 });
    assert.deepEqual(await page.evaluate(() => window.outside()), [], variant);
  }
});

test("every text of every state has a contrast of at least 4.5 to what is behind it, light and dark", async () => {
  for (const scheme of ["light", "dark"]) {
    await look({ ...VARIANTS.light, scheme });
    const { texts, faint } = await page.evaluate(() => window.faintTexts());
    assert.ok(texts > 500, `only ${texts} texts were looked at`);
    assert.deepEqual(faint, [], scheme);
  }
});

test("a custom property that is no colour, or one of a pair alone, leaves every text readable, light and dark", async () => {
  await look(VARIANTS.light);
  const wrong = [];
  for (const scheme of ["light", "dark"]) {
    for (const [name, odd] of Object.entries(ODD)) {
      const { faint } = await page.evaluate(
        async ([scheme, odd]) => {
          (await import("/playground/looks.js")).useScheme(scheme);
          const main = document.querySelector("main");
          for (const [name, value] of Object.entries(odd)) main.style.setProperty(`--ask-user-${name}`, value);
          const found = window.faintTexts();
          for (const name of Object.keys(odd)) main.style.removeProperty(`--ask-user-${name}`);
          return found;
        },
        [scheme, odd],
      );
      wrong.push(...faint.map((fault) => `${name}, ${scheme}: ${fault}`));
    }
  }
  assert.deepEqual(wrong, []);
});

test("in every theme, light and dark, every text has a contrast of at least 4.5, and the form looks as in docs/themes.md", async () => {
  const query = new URLSearchParams([["bare", ""], ["font", "/fonts"], ["width", "352"], ...PORTRAITS.map((name) => ["state", name])]);
  const sitter = await browser.page(`/playground/gallery.html?${query}`, { viewport: { width: 768, height: 480 } });
  await sitter.waitForSelector("html[data-ready]");
  const dressed = (page, theme, scheme) =>
    page.evaluate(
      async ([theme, scheme]) => {
        const { useScheme, useTheme } = await import("/playground/looks.js");
        useScheme(scheme);
        await useTheme(theme);
      },
      [theme, scheme],
    );
  await look(VARIANTS.light);
  const wrong = [];
  for (const theme of ["", ...THEMES]) {
    for (const scheme of ["light", "dark"]) {
      const name = `${theme || "default"}-${scheme}`;
      await dressed(page, theme, scheme);
      const { faint } = await page.evaluate(() => window.faintTexts());
      wrong.push(...faint.map((fault) => `${name}: ${fault}`));
      await dressed(sitter, theme, scheme);
      const portrait = read(await sitter.screenshot());
      const file = new URL(`../../docs/themes/${name}.png`, import.meta.url);
      if (WRITES) {
        mkdirSync(new URL(".", file), { recursive: true });
        writeFileSync(file, palettePng(portrait));
        continue;
      }
      const bytes = readFileSync(file);
      const { picture, colours } = readPalettePng(bytes);
      const difference = compare(inColours(portrait, colours).mapped, picture);
      if (bytes.length > LARGEST_PORTRAIT) wrong.push(`docs/themes/${name}.png has ${bytes.length} bytes`);
      if (!(difference?.count <= TOLERATED)) wrong.push(`docs/themes/${name}.png is another picture: say WRITE=1 node --test tests/js/gallery.test.mjs`);
    }
  }
  await sitter.context().close();
  await dressed(page, "", "light");
  assert.deepEqual(wrong, []);
});

/** What has moved on a page from its cold start to the first question, by the browser's own measure of layout shift. */
async function shifted(path) {
  const cold = await browser.page(path, { viewport: { width: 800, height: 600 } });
  await cold.locator("ask-user [data-answer=yes]:not([inert] *)").waitFor();
  await allDone(cold);
  await passed(cold, 300);
  const [shifts, heights] = await cold.evaluate(() => {
    const form = document.querySelector("ask-user");
    return [window.shifts, [form, form.shadowRoot.querySelector(".base")].map((one) => one.getBoundingClientRect().height)];
  });
  await cold.context().close();
  return { shifts, heights };
}

test("what stands below a form moves once at most while the first question comes", async (context) => {
  const { shifts, heights } = await shifted("/cold");
  context.diagnostic(`layout shift from cold start to the first question: ${shifts.reduce((sum, one) => sum + one, 0).toFixed(4)} in ${shifts.length} shifts`);
  assert.ok(shifts.length <= 1);
  assert.equal(heights[0], heights[1]);
});

test("where a page keeps the place of the form free, nothing moves, and the form fills the place", async () => {
  assert.deepEqual(await shifted("/reserved"), { shifts: [], heights: [288, 288] });
});

/** Whether two colours are the same but for what machines round. */
const near = (one, other) => [1, 3, 5].every((at) => Math.abs(parseInt(one.slice(at, at + 2), 16) - parseInt(other.slice(at, at + 2), 16)) <= 3);

function index() {
  try {
    return JSON.parse(readFileSync(INDEX, "utf8"));
  } catch {
    return {};
  }
}

/** The list of all places and plain colours: a line for each state. */
function written(all) {
  const line = ([name, place]) => `    ${JSON.stringify(name)}: [${place.join(", ")}]`;
  const variants = Object.entries(all).map(([variant, { colours, places }]) => `  ${JSON.stringify(variant)}: { "colours": ${JSON.stringify(colours)}, "places": {\n${Object.entries(places).map(line).join(",\n")}\n  } }`);
  return `{\n${variants.join(",\n")}\n}\n`;
}
