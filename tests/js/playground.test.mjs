// The playground: it opens on a form, remembers what is chosen in its address, shows the form in each look, and gives code that works when it is pasted.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { codeOf } from "../../playground/code.js";
import { EXAMPLES } from "../../playground/examples.js";
import { launch } from "./browser.mjs";
import { DIST } from "./package-files.mjs";

const PACKAGE = fileURLToPath(new URL("../../pkg/", import.meta.url));
const { build } = createRequire(new URL("../../pkg/package.json", import.meta.url))("esbuild");
const DEFAULTS = { label: "Deploy agent", theme: "", scheme: "", lang: "", dir: "", layout: "auto", review: "" };

let browser;
let folder;
before(async () => {
  browser = await launch();
  // A project that has the package installed.
  folder = mkdtempSync(join(tmpdir(), "ask-user-playground-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules", "ask-user"), "junction");
});
const open = [];
afterEach(async () => {
  browser.meddle = undefined;
  for (const page of open.splice(0)) await page.context().close();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The playground at an address, and what is in it. */
async function visit(hash = "", options = {}) {
  const page = await browser.page(`/${hash}`, options);
  open.push(page);
  const form = (selector) => page.locator("ask-user").locator(selector);
  const shows = (selector) => form(selector).first().waitFor();
  /** The settings in the address. */
  const address = () => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  return { page, form, shows, address };
}

/** Presses something as a program does, which counts as soon as it is there. */
const press = (locator) => locator.evaluate((element) => element.click());

test("it opens on a form that can be answered at once", async () => {
  const { page, form, shows } = await visit();
  await shows("[data-question=apply]");
  await press(form("[data-answer=yes]"));
  await shows("[data-question=environment]");
  await press(form("#option-0"));
  await press(form("[type=submit]"));
  await page.locator("#arrived li").first().waitFor();
  assert.deepEqual(JSON.parse(await page.locator("#result").textContent()), { apply: true, environment: "staging", reason: null });
  assert.equal(await page.evaluate(() => location.hash), "");
});

test("what is chosen is in the address: it is the same after a reload, and for whoever gets the address", async () => {
  const { page, shows, address } = await visit();
  const chosen = { example: "secret", theme: "primer", scheme: "dark", lang: "de", dir: "rtl", layout: "page", endpoint: "none", code: "react", review: "on", label: "Another agent" };
  for (const name of ["example", "theme", "scheme", "lang", "dir", "layout", "endpoint"]) await page.locator(`#${name}`).selectOption(chosen[name]);
  await page.locator("#code-choice input[value=react]").check();
  await page.locator("#review").check();
  await page.locator("#label").fill(chosen.label);
  const request = '{ "question": "Is this mine?", "answer_type": "boolean" }';
  await page.locator("#request").fill(request);
  assert.deepEqual(await address(), { ...chosen, request });
  const isSame = async ({ page, shows }) => {
    await shows("[data-question]");
    await page.locator("ask-user").locator("[data-question-text]", { hasText: "Is this mine?" }).waitFor();
    for (const name of Object.keys(chosen).filter((name) => name !== "code" && name !== "review")) assert.equal(await page.locator(`#${name}`).inputValue(), chosen[name], name);
    assert.deepEqual([await page.locator("#request").inputValue(), await page.locator("#review").isChecked()], [request, true]);
    assert.equal(await page.locator("#code-choice input:checked").inputValue(), "react");
  };
  await page.reload();
  await isSame({ page, shows });
  await isSame(await visit(await page.evaluate(() => location.hash)));
  // Another example begins with its own request.
  await page.locator("#example").selectOption("boolean");
  await page.locator("ask-user").locator("[data-question-text]", { hasText: "Delete the 14 merged branches?" }).waitFor();
  assert.equal((await address()).request, undefined);
});

test("an address with settings that do not exist shows the defaults, and one that changes is followed", async () => {
  const { page, shows } = await visit("#example=nothing&theme=../x&scheme=purple&lang=x&layout=&code=y&id=../../x&other=1");
  await shows("[data-question=apply]");
  await page.evaluate(() => (location.hash = "#example=boolean&lang=fr"));
  await page.locator("ask-user").locator("[data-question-text]", { hasText: "Delete the 14 merged branches?" }).waitFor();
  await page.locator("ask-user").getByText("Oui").waitFor();
  assert.equal(await page.locator("#lang").inputValue(), "fr");
});

test("theme, colours, language, direction and layout change in place, and what was typed stays", async () => {
  const { page, form, shows } = await visit("#example=text&layout=steps");
  await shows("[data-question=name]");
  assert.equal(await form("input, textarea").first().inputValue(), "billing-worker");
  await form("[data-field]").fill("invoices");
  const style = (selector, name) => page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);
  await page.locator("#theme").selectOption("primer");
  await page.waitForFunction(() => getComputedStyle(document.querySelector("ask-user")).getPropertyValue("--ask-user-text") !== "");
  await page.locator("#theme").selectOption("");
  assert.equal(await style("ask-user", "--ask-user-text"), "");
  for (const scheme of ["dark", "light"]) {
    await page.locator("#scheme").selectOption(scheme);
    assert.equal(await style("ask-user", "color-scheme"), scheme);
  }
  await page.locator("#lang").selectOption("ar");
  await page.waitForFunction(() => getComputedStyle(document.querySelector("ask-user").shadowRoot.querySelector(".base")).direction === "rtl");
  await page.locator("#dir").selectOption("ltr");
  await page.waitForFunction(() => getComputedStyle(document.querySelector("ask-user").shadowRoot.querySelector(".base")).direction === "ltr");
  await page.locator("#lang").selectOption("de");
  await form("button").getByText("Weiter").waitFor();
  assert.equal(await form("[data-field]").inputValue(), "invoices");
  await page.locator("#layout").selectOption("page");
  await shows("[data-page]");
  assert.deepEqual(await page.evaluate(() => [...document.querySelector("ask-user").shadowRoot.querySelectorAll("[data-page] [data-field]")].map(({ value }) => value)), ["invoices", "2"]);
});

test("an answer to a question that the agent did not wait for is shown as that, and not as what the person has typed", async () => {
  const { page } = await visit();
  const said = await page.evaluate(async () => {
    let source;
    /** @type {any} */ (window).EventSource = class extends EventTarget {
      constructor() {
        super();
        source = this;
      }
      close() {}
    };
    const { src } = /** @type {any} */ (document.querySelector("script[src*='playground.js']"));
    const { follow } = await import(new URL("conversation.js", src).href);
    const said = [];
    const talk = follow("x", { say: (role, text) => said.push([role, text]), place: () => {}, state: () => {}, records: () => {} });
    const hear = (line) => source.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(line) }));
    hear({ role: "user", text: "Hello." });
    hear({ role: "user", call_id: "c", content: { color: "red" }, is_error: false });
    hear({ role: "user", call_id: "d", content: "User cancelled the question", is_error: true });
    talk.close();
    return said;
  });
  assert.deepEqual(said, [["user", "Hello."], ["tool", 'Answer to an earlier question: {"color":"red"}'], ["error", 'Answer to an earlier question: "User cancelled the question"']]);
});

test("the code that is shown is copied", async () => {
  const { page } = await visit("#code=js", { permissions: ["clipboard-read", "clipboard-write"] });
  for (const [kind, begins] of [["html", "<!--"], ["react", "import { AskUser }"], ["js", "// Save this"]]) {
    await page.locator(`#code-choice input[value=${kind}]`).check();
    const shown = await page.locator("#code").textContent();
    assert.ok(shown.startsWith(begins), shown);
    await page.locator("#copy").click();
    await page.getByText("Copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  }
});

test("the HTML works when it is pasted, with the request and the settings that are shown", async () => {
  const { page: from } = await visit();
  await from.locator("#theme").selectOption("primer");
  for (const [name, value] of [["scheme", "dark"], ["lang", "de"], ["dir", "rtl"], ["layout", "page"]]) await from.locator(`#${name}`).selectOption(value);
  await from.locator("#label").fill('The "agent" <b>&amp; more');
  const request = { questions: [{ id: "name", text: "</script><!-- Which <script> name?", answer_type: "text" }, { id: "n", text: "How many?", answer_type: "number" }] };
  await from.locator("#request").fill(JSON.stringify(request, undefined, 2));
  const html = await from.locator("#code").textContent();
  browser.meddle = (asked, response, forward) => {
    if (asked.url === "/pasted/") return response.writeHead(200, { "Content-Type": "text/html" }).end(html);
    asked.url = asked.url.replace("/pasted/node_modules/ask-user/", "/pkg/");
    forward();
  };
  const page = await browser.page("/pasted/");
  open.push(page);
  await page.locator("ask-user").locator("[data-page]").waitFor();
  assert.match(await page.locator("ask-user").locator("[part=label]").textContent(), /The "agent" <b>&amp; more/);
  const said = page.waitForEvent("console");
  await page.evaluate(() => {
    const root = document.querySelector("ask-user").shadowRoot;
    for (const [place, text] of ["invoices", "3"].entries()) {
      const field = root.querySelectorAll("[data-field]")[place];
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  await press(page.locator("ask-user").locator("[type=submit]").first());
  assert.deepEqual(await (await said).args()[0].jsonValue(), { name: "invoices", n: 3 });
  const looks = await page.evaluate(() => {
    const { direction } = getComputedStyle(document.querySelector("ask-user"));
    return { direction, lang: document.documentElement.lang, surface: getComputedStyle(document.querySelector("ask-user").shadowRoot.querySelector(".base")).backgroundColor };
  });
  assert.deepEqual([looks.direction, looks.lang], ["rtl", "de"]);
  // The surface of Primer's dark theme, #0d1117.
  assert.deepEqual(looks.surface.match(/0\.\d+/g).map((part) => Math.round(part * 255)), [13, 17, 23], looks.surface);
  assert.deepEqual(page.faults, []);
});

/** Runs the script in a project that has the package, with these lines as its input, each after a line of its output that matches. */
async function run(code, answers) {
  writeFileSync(join(folder, "question.mjs"), code);
  const child = spawn("node", [join(folder, "question.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    output += text;
    while (answers.length && answers[0][0].test(output)) child.stdin.write(`${answers.shift()[1]}\n`);
    if (!answers.length) child.stdin.end();
  }
  return output;
}

test("the JavaScript works when it is pasted: each line answers a question", async () => {
  const { page } = await visit("#code=js&review=on");
  const output = await run(await page.locator("#code").textContent(), [[/Apply the migration/, "maybe"], [/JSON/, "true"], [/Which environment/, '"staging"']]);
  assert.match(output, /completed \{"apply":true,"environment":"staging","reason":null\}\n$/);
});

test("the JavaScript asks every example as it is, and ends with its input", async () => {
  for (const [id, { request }] of Object.entries(EXAMPLES)) {
    if (id === "invalid") continue;
    assert.match(await run(codeOf("js", JSON.stringify(request), DEFAULTS), []), /turn_ended/, id);
  }
});

test("the React code bundles, and renders the form with its settings", async () => {
  const { page } = await visit("#code=react&theme=vscode&scheme=dark&lang=he&dir=ltr&layout=steps");
  const code = await page.locator("#code").textContent();
  writeFileSync(join(folder, "question.jsx"), code);
  // React is the app's own. In its place stands what gives the elements as they are made.
  const hooks = ["useEffect", "useImperativeHandle", "useInsertionEffect", "useLayoutEffect", "useRef"].map((name) => `export const ${name} = () => ({});`);
  const react = ["export const createElement = (type, props) => ({ type, props });", "export const forwardRef = (render) => render;", "export const jsx = createElement, jsxs = createElement;", ...hooks];
  writeFileSync(join(folder, "react.mjs"), react.join("\n"));
  const alias = { "ask-user/react": fileURLToPath(new URL("react.js", DIST)), react: join(folder, "react.mjs"), "react/jsx-runtime": join(folder, "react.mjs") };
  const { outputFiles } = await build({ entryPoints: [join(folder, "question.jsx")], bundle: true, format: "esm", jsx: "automatic", write: false, outdir: folder, alias, logLevel: "silent" });
  assert.deepEqual(outputFiles.map(({ path }) => path.split(".").pop()).toSorted(), ["css", "js"]);
  writeFileSync(join(folder, "bundle.mjs"), outputFiles.find(({ path }) => path.endsWith("js")).text);
  const { Question } = await import(join(folder, "bundle.mjs"));
  const answers = [];
  const { type, props: { lang, dir, children: { props } } } = Question({ onAnswer: (answer) => answers.push(answer) });
  assert.deepEqual([type, lang, dir, props.label, props.host, props.style], ["div", "he", "ltr", "Deploy agent", { layout: "steps" }, { colorScheme: "dark" }]);
  assert.deepEqual(props.request, EXAMPLES.migration.request);
  props.onResult({ result: { apply: true } });
  props.onEndTurn({});
  assert.deepEqual(answers, [{ apply: true }, undefined]);
});

test("code has the request as it is, whatever is in it", async () => {
  const value = (request) => {
    const code = codeOf("html", request, DEFAULTS);
    const literal = code.slice(code.indexOf("form.request = ") + 15, code.indexOf(";\n</script>"));
    return { code, value: new Function(`return ${literal}`)() };
  };
  for (const exact of [{ a: [1, -2.5, null, true, []], "b-c": {}, d: "\u2028</script><!--" }, "text", [], { nested: { list: Array.from({ length: 40 }, (_, n) => `item ${n}`) } }]) {
    const { code, value: read } = value(JSON.stringify(exact));
    assert.deepEqual(read, exact);
    assert.equal(code.split(/<\/script/i).length, 3);
    assert.ok(!code.slice(code.indexOf("form.request")).includes("<!--"));
  }
  // What a script would change, or cannot read, stays a text.
  for (const text of ['{"n": 12345678901234567890}', '{"n": 1.0}', '{"__proto__": {}}', '{"b": 1, "1": 2}', '{"a": 1, "a": 2}', "{", "", '{"n": 1e999}']) assert.equal(value(text).value, text);
});

test("it is no barrier, in light and dark, wide and narrow, and nothing is wider than the window", async () => {
  for (const [width, colorScheme] of [[1280, "light"], [360, "dark"]]) {
    for (const hash of ["", "#example=conversation", "#example=invalid&code=react"]) {
      const { page } = await visit(hash, { viewport: { width, height: 800 }, colorScheme });
      if (hash.includes("conversation")) await page.getByText("The agent is waiting for a message.").waitFor();
      else await page.locator("ask-user").locator("[data-question], .notice").first().waitFor();
      await page.evaluate(() => import("/axe.js"));
      const { violations, overflow } = await page.evaluate(async () => ({ violations: (await window.axe.run()).violations, overflow: document.documentElement.scrollWidth - innerWidth }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`), [], `${width} ${colorScheme} ${hash}`);
      assert.ok(overflow <= 0, `${overflow} pixels too wide: ${hash} ${width}`);
    }
  }
});

test("everything can be reached and used with the keyboard", async () => {
  const { page, shows } = await visit();
  await shows("[data-question=apply]");
  const reached = [];
  for (let tabs = 0; tabs < 40; tabs += 1) {
    await page.keyboard.press("Tab");
    const id = await page.evaluate(() => document.activeElement?.id || document.activeElement?.localName);
    if (id === "body") break;
    reached.push(id);
  }
  for (const id of ["example", "ask-user", "result", "theme", "scheme", "lang", "dir", "layout", "request", "label", "endpoint", "review", "ask", "copy", "code"]) assert.ok(reached.includes(id), `${id}: ${reached}`);
  await page.locator("#scheme").focus();
  await page.keyboard.press("d");
  await page.waitForFunction(() => document.documentElement.dataset.scheme === "dark");
});
