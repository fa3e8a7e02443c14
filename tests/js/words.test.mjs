// The words of the form: one catalogue, the same keys and values in every language, docs/words.md made of it; and how a form speaks them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { placeholders, words } from "../../pkg/words.mjs";
import { arrived } from "./person.mjs";
import { allDone } from "./wait.mjs";

const ROOT = new URL("../../", import.meta.url);
const text = (path) => readFileSync(new URL(path, ROOT), "utf8");
const LANGUAGES = ["ar", "de", "es", "fr", "he", "ja", "pt-BR", "zh-Hans"];
const locale = async (tag) => (await import(new URL(`pkg/src/locales/${tag}.js`, ROOT).href)).default;
const ALL = await words();
/** Keys that are looked up by what follows the dot, by the core, or by the language. */
const BY_NAME = /^(schema|type|ask|grant)\.|^direction$/;

test("every key is said once, in a form that hosts can write", () => {
  const keys = ALL.map(({ key }) => key);
  assert.deepEqual(keys, [...new Set(keys)]);
  assert.deepEqual(keys.filter((key) => !/^[a-z_]+(\.[a-zA-Z_]+)?$/.test(key)), []);
  assert.equal(new Set(ALL.map(({ name }) => name)).size, keys.length, "each key has a constant of its own");
  for (const { key, english, placeholders } of ALL) {
    if (typeof english === "object") assert.ok(placeholders.includes("count"), `${key} has plural forms, and no {count} to choose one`);
  }
});

test("every word is used, and what scripts use is there", () => {
  const files = (folder, ending) => readdirSync(new URL(folder, ROOT), { recursive: true }).filter((name) => /** @type {any} */ (name).endsWith(ending) && !/** @type {any} */ (name).startsWith("locales/"));
  const rust = files("web/src/", ".rs").map((name) => text(`web/src/${name}`)).join("\n");
  const scripts = files("pkg/src/", ".js").map((name) => text(`pkg/src/${name}`)).join("\n");
  const uses = (source, name) => new RegExp(`\\b${name}\\b`).test(source);
  const unused = ALL.filter(({ key, name, kind }) => !BY_NAME.test(key) && !uses(kind === "scripts" ? scripts : rust, name));
  assert.deepEqual(unused.map(({ key }) => key), []);
  const imported = [...scripts.matchAll(/import \{([^}]+)\} from "[./]+build\/words\.js"/g)].flatMap(([, names]) => names.split(",").map((name) => name.trim()).filter(Boolean));
  assert.deepEqual(imported.filter((wanted) => !ALL.some(({ name }) => name === wanted)), []);
});

for (const tag of LANGUAGES) {
  test(`${tag} has every word, with the same values and the plural forms of its language`, async () => {
    const given = await locale(tag);
    assert.deepEqual(Object.keys(given).sort(), ALL.map(({ key }) => key).sort());
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.sort();
    for (const { key, english, placeholders: wanted } of ALL) {
      const said = given[key];
      if (typeof english === "string") {
        assert.equal(typeof said, "string", key);
        assert.deepEqual(placeholders(said), wanted, key);
        assert.ok(said.trim(), key);
        continue;
      }
      assert.deepEqual(Object.keys(said).sort(), categories, key);
      for (const form of Object.values(said)) assert.deepEqual(placeholders(form).filter((name) => !wanted.includes(name)), [], key);
      assert.deepEqual(placeholders(said.other), wanted, key);
    }
    assert.equal(given.direction, ["ar", "he"].includes(tag) ? "rtl" : "ltr");
  });
}

test("in every language the letters of keys differ, and no word for yes or no begins with that of another button", async () => {
  const english = Object.fromEntries(ALL.map(({ key, english }) => [key, english]));
  for (const [tag, given] of [["en", english], ...(await Promise.all(LANGUAGES.map(async (tag) => [tag, await locale(tag)])))]) {
    const letters = ["yes", "no", "back", "reply", "end_turn"].map((name) => given[`key_${name}`]);
    assert.match(letters.join(" "), /^[A-Z]( [A-Z]){4}$/, tag);
    assert.equal(new Set(letters).size, 5, tag);
    const [yes, no] = [given.yes, given.no].map((word) => word.normalize("NFD")[0].toUpperCase());
    assert.ok(!letters.slice(1).includes(yes) && !letters.toSpliced(1, 1).includes(no), tag);
    if (/[A-Z]/.test(yes)) assert.deepEqual(letters.slice(0, 2), [yes, no], tag);
  }
});

test("every code of a refusal has a word", () => {
  const codes = [...text("core/src/problem/refusal.rs").matchAll(/Self::\w+[^=\n]*=> "(\w+)"/g)].map(([, code]) => code);
  assert.ok(codes.includes("too_long") && codes.length > 15);
  const said = ALL.filter(({ key }) => key.startsWith("error.")).map(({ about }) => about).join("\n");
  assert.deepEqual(codes.filter((code) => !said.includes(`\`${code}\``)), []);
});

test("pkg/types/words.d.ts names the keys; WRITE=1 writes them", () => {
  const plural = ALL.filter(({ english }) => typeof english === "object");
  const union = (name, keys) => `export type ${name} =\n${keys.map(({ key }) => `  | "${key}"`).join("\n")};\n`;
  const plain = ALL.filter((word) => !plural.includes(word));
  const whole = `// The keys of all words, made of web/words.txt by tests/js/words.test.mjs: docs/words.md says what each is for.

/** The forms of a text with a count, by the categories of \`Intl.PluralRules\`. */
export interface PluralForms { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string }

/** What the form says in place of its English words, by key. */
export type Words = { [key in PlainKey]?: string } & { [key in PluralKey]?: string | PluralForms };

/** The keys of texts in one form. */
${union("PlainKey", plain)}
/** The keys of texts with a count. */
${union("PluralKey", plural)}`;
  if (process.env.WRITE === "1") writeFileSync(new URL("pkg/types/words.d.ts", ROOT), whole);
  else assert.equal(text("pkg/types/words.d.ts"), whole, "say WRITE=1 node --test tests/js/words.test.mjs");
});

test("docs/words.md lists the words; WRITE=1 writes the list", () => {
  const page = text("docs/words.md");
  const shown = (english) => (typeof english === "object" ? `${english.one}<br>${english.other}` : english).replaceAll("|", "\\|");
  const sections = [...new Set(ALL.map(({ section }) => section))];
  const tables = sections.map((section) => {
    const lines = ALL.filter((word) => word.section === section).map(({ key, english, about }) => `| \`${key}\` | ${shown(english)} | ${about} |`);
    return `### ${section}\n\n| key | English | what it is for |\n| --- | --- | --- |\n${lines.join("\n")}\n`;
  });
  const [before] = page.split("## The words\n");
  const whole = `${before}## The words\n\n${tables.join("\n")}`;
  if (process.env.WRITE === "1") writeFileSync(new URL("docs/words.md", ROOT), whole);
  else assert.equal(page, whole, "say WRITE=1 node --test tests/js/words.test.mjs");
});

let browser;
let page;
let person;
before(async () => ({ browser, page, person } = await arrived()));
after(() => browser.close());

const ASKED = {
  questions: [
    { id: "why", text: "Why?", answer_type: "text" },
    { id: "where", text: "Where?", answer_type: "select", options: ["here", "there"] },
  ],
};
const speak = (lang) => page.evaluate((lang) => (document.documentElement.lang = lang), lang);
/** Waits until something in the form says a text. */
const says = (selector, wanted) => page.waitForFunction(([selector, wanted]) => window.form().shadowRoot.querySelector(selector)?.textContent === wanted, [selector, wanted]);
const REPLY = "[data-way=reply]";

test("a form speaks the language of the page, by prefix, and another when the page changes it; what was typed, the focus and the step stay", async () => {
  await speak("de-AT");
  await person.ask(ASKED);
  await says(REPLY, "Rückfrage schreiben");
  const field = person.find("[data-field]");
  await field.fill("weil");
  await page.evaluate(() => window.form().shadowRoot.querySelector("[data-field]").setSelectionRange(1, 3));
  await page.evaluate(() => (window.node = window.form().shadowRoot.querySelector("[data-field]")));
  await speak("fr");
  await says(REPLY, "Écrire à l’agent");
  const state = await page.evaluate(() => {
    const active = window.form().shadowRoot.activeElement;
    return [active === window.node, active.value, active.selectionStart, active.selectionEnd, active.getAttribute("aria-label")];
  });
  assert.deepEqual(state, [true, "weil", 1, 3, "Votre réponse"]);
  assert.deepEqual(await person.barriers(), []);
  await speak("xx");
  await says(REPLY, "Write back");
  assert.deepEqual(await page.evaluate(() => [window.node.isConnected, window.node.value]), [true, "weil"]);
});

test("`lang` at the element counts more than the page's; zh and zh-CN are simplified Chinese, zh-TW is not", async () => {
  await speak("en");
  await person.ask(ASKED, { attributes: { lang: "ja" } });
  await says(REPLY, "エージェントに書く");
  for (const [lang, word] of [["zh", "给智能体留言"], ["zh-TW", "Write back"], ["zh-CN", "给智能体留言"], ["pt", "Escrever ao agente"], ["not a tag", "Write back"]]) {
    await page.evaluate((lang) => window.form().setAttribute("lang", lang), lang);
    await says(REPLY, word);
  }
});

test("Arabic is written from right to left where the page sets no direction, and the agent's texts as they are", async () => {
  await speak("ar");
  await person.ask(ASKED);
  await says(REPLY, "الكتابة إلى الوكيل");
  const directions = () =>
    page.evaluate(() => [".base", "[data-question-text] .text"].map((selector) => getComputedStyle(window.form().shadowRoot.querySelector(selector)).direction));
  assert.equal((await directions())[0], "rtl");
  assert.equal(await page.evaluate(() => window.form().shadowRoot.querySelector("[data-question-text]").dir), "auto");
  await page.evaluate(() => (document.documentElement.dir = "ltr"));
  await page.waitForFunction(() => getComputedStyle(window.form().shadowRoot.querySelector(".base")).direction === "ltr");
  await page.evaluate(() => document.documentElement.removeAttribute("dir"));
  await speak("en");
});

test("errors, numbers, the receipt and what is spoken are in the language; what is sent is not", async () => {
  await speak("de");
  const request = {
    questions: [
      { id: "ok", text: "Ok?", answer_type: "boolean" },
      { id: "some", text: "Some?", answer_type: "multi_select", options: ["a", "b", "c"] },
      { id: "many", text: "How many?", answer_type: "number" },
    ],
  };
  await person.ask(request);
  await says(".spoken", "Frage 1 von 3: Ok?");
  await person.click("[data-answer=yes]");
  for (const place of [0, 1, 2]) await person.find("[data-option]").nth(place).click();
  await person.click("[type=submit]");
  await person.find("[data-field]").fill("viel");
  await person.click("[type=submit]");
  assert.equal(await person.find("#error p").textContent(), '"viel" ist keine Zahl. Geben Sie eine wie 42 oder -1.5 ein.');
  await person.find("[data-field]").fill("1234.5");
  await person.click("[type=submit]");
  assert.deepEqual(await person.result(), { ok: true, some: ["a", "b", "c"], many: 1234.5 });
  await says(".ends", "Beantwortet");
  assert.deepEqual(await person.find("dd").allTextContents(), ["Ja", "a, b und c", "1234,5"]);
  await speak("en");
  await says(".ends", "Answered");
  assert.deepEqual(await person.find("dd").allTextContents(), ["Yes", "a, b, c", "1234.5"]);
});

test("what a schema does not accept is said in the language, in the fields and in the editor", async () => {
  await speak("de");
  await person.askJson({ type: "object", properties: { port: { type: "integer", maximum: 10 }, name: { type: "string", minLength: 2 } }, required: ["name"], additionalProperties: false });
  await says(".tab:first-child", "Formular");
  await person.find(".property input").fill("11");
  await person.find(".property textarea").fill("x");
  await person.click("[type=submit]");
  await page.waitForFunction(() => /Darf höchstens 10 sein/.test(window.form().shadowRoot.textContent));
  await page.waitForFunction(() => /\/name Muss mindestens 2 Zeichen haben/.test(window.form().shadowRoot.textContent));
  await person.asText();
  await person.find(".cm-content").fill('{"port": 1, "host": true}');
  await page.waitForFunction(() => ['Es fehlt: "name"', 'Nicht erlaubt: "host"'].every((said) => window.form().shadowRoot.querySelector(".editor .problems").textContent.includes(said)));
  await speak("en");
  await page.waitForFunction(() => /lacks the property "name"/.test(window.form().shadowRoot.querySelector(".editor .problems").textContent));
});

test("the words of a host are said instead, in any language, and change in place", async () => {
  await speak("de");
  await person.ask(ASKED, { host: { words: { reply: "Moin" } } });
  await says(REPLY, "Moin");
  await says("[data-way=end-turn]", "Durchgang beenden");
  await person.find("[data-field]").fill("weil");
  await page.evaluate(() => (window.form().host = { layout: "steps", words: { reply: "Servus", end_turn: "Aus" } }));
  await says(REPLY, "Servus");
  await says("[data-way=end-turn]", "Aus");
  assert.equal(await person.find("[data-field]").inputValue(), "weil");
  await speak("en");
});

for (const [what, given, wanted] of [
  ["an unknown key", { sned: "Ab" }, '"sned"'],
  ["a value that the text does not have", { progress: "{at} / {all}" }, '{all} in "progress"'],
  ["what is no text", { reply: 5 }, '"reply"'],
  ["forms of what has none", { reply: { one: "a", other: "b" } }, '"reply"'],
]) {
  test(`words with ${what} are a misuse that names the key`, async () => {
    await assert.rejects(person.ask(ASKED, { host: { words: given } }), (/** @type {any} */ error) => error.message.includes(wanted));
    assert.ok(page.faults.splice(0).some((fault) => fault.includes(wanted)));
  });
}

test("a language that cannot be fetched leaves English", async () => {
  await page.route("**/locales/es.js*", (route) => route.fulfill({ status: 404, body: "" }));
  const answered = page.waitForResponse(/locales\/es\.js/);
  await speak("es");
  await person.ask(ASKED);
  await person.find("[data-field]").fill("because");
  assert.equal(await person.find(REPLY).textContent(), "Write back");
  await answered;
  await allDone(page);
  assert.equal(await person.find(REPLY).textContent(), "Write back");
  assert.equal(await person.find("[data-field]").inputValue(), "because");
  page.faults.splice(0);
  await page.unroute("**/locales/es.js*");
  await speak("en");
});

test("a host hands in languages that it serves no files of", async () => {
  await page.evaluate(async () => {
    const { initialize } = await import("/pkg/dist/ask-user.js");
    initialize({ locales: { it: { reply: "Rispondi" }, "fr-CA": () => ({ default: { reply: "Répliquer" } }) } });
  });
  await speak("it-IT");
  await person.ask(ASKED);
  await says(REPLY, "Rispondi");
  await says("[data-way=end-turn]", "End turn");
  await speak("fr-CA");
  await says(REPLY, "Répliquer");
  await speak("en");
});
