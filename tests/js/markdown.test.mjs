// The Markdown of agents: CommonMark's own examples and GFM's additions as nodes, links that show where they lead, copies, bounds, and nothing fetched or
// answered by any of it. WRITE=1 writes the table of conformance into docs/markdown.md.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { BLANK, ELSEWHERE, launch } from "./browser.mjs";
import { isMarked } from "../../pkg/src/rich.js";
import { HOSTILE } from "./hostile-texts.mjs";
import { Person } from "./person.mjs";
import { keepsStill, painted, stopEvents, until } from "./wait.mjs";

const require = createRequire(new URL("../../pkg/package.json", import.meta.url));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const { default: SPECIFICATION } = await load("commonmark-spec");
const { micromark } = await load("micromark");

/** Where what is shown is meant to be other than what the specification's examples have, by the number of the example. */
const NAMED = "of the 2,125 names of characters in HTML, 125 are known; others stay as they are written";
const BLOCK = "each block of raw HTML is a paragraph of its own";
const BARE = "a bare address is a link, as GFM has it";
const DIFFERENT = { 25: NAMED, 175: BLOCK, 190: BLOCK, 191: BLOCK, 602: BARE, 608: BARE, 611: BARE };

let browser;
let page;
let person;
before(async () => {
  // A page that may parse markup, for what is expected.
  const inline = BLANK.replace('type="module" src="/pkg/dist/ask-user.js"', 'src="/pkg/dist/inline.js"');
  browser = await launch({ pages: { "/inline": inline, "/parse": { content: "<!doctype html><title>parse</title>", policy: "default-src 'none'; script-src 'unsafe-eval'" } } });
  page = await browser.page();
  person = new Person(page);
  await page.evaluate(async () => {
    const { render } = await import("/pkg/dist/markdown.js");
    const ENGLISH = { say: ([, english]) => english, follow: (node, act) => act() };
    const host = document.body.appendChild(document.createElement("div"));
    const root = host.attachShadow({ mode: "open" });
    /** A text as it is rendered. */
    window.rendered = (text, kind = "block", tag = "div") => {
      const element = document.createElement(tag);
      element.dataset.md = kind;
      element.textContent = text;
      root.replaceChildren(element);
      render(element, /** @type {any} */ (ENGLISH));
      return element;
    };
  });
});
after(() => browser.close());

/** In a page: draws nodes as a text of one shape, whether they are ours or were made of markup. */
const drawing = () => {
  const loose = (written) => {
    const address = written.replaceAll("\\", "%5C");
    let whole = address;
    try {
      whole = new URL(address, "https://relative.example/").href;
    } catch {
      // As it is.
    }
    try {
      return decodeURIComponent(whole);
    } catch {
      return whole;
    }
  };
  const opens = (address) => {
    if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return false;
    const url = new URL(address);
    return !url.username && !url.password;
  };
  const text = (data) => data.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const link = (address, title, inner) => `<${opens(address) ? "a" : "span"} ${loose(address)}${title ? ` ${text(title)}` : ""}>${inner}</>`;
  const code = (info, content) => `<code-block ${info.split(/\s/)[0]}>${text(content).replaceAll("\n", "⏎").replaceAll(" ", "␣")}</code-block>`;
  const children = (node) => [...node.childNodes].map(draw).join("");
  const draw = (node) => {
    if (node.nodeType === 3) return text(node.data);
    if (node.nodeType !== 1) return "";
    const { localName: name, className } = node;
    const isOurs = node.closest(".md");
    if (className === "md-definition") return "";
    if (className === "md-code") return code(node.querySelector("p").firstChild.nodeType === 3 ? node.querySelector("p").firstChild.data : "", node.querySelector("code").textContent);
    if (name === "pre") return code(node.firstChild.className.replace("language-", ""), node.textContent.replace(/\n$/, ""));
    if (className === "md-table") return children(node);
    if (isOurs && (name === "a" || name === "span")) {
      const copy = node.cloneNode(true);
      const told = copy.querySelector(":scope > .md-to");
      told?.remove();
      const address = name === "a" ? node.getAttribute("href") : told ? told.textContent.slice(2, -1) : node.textContent;
      const title = name === "a" ? node.title.split("\n").slice(0, -1).join("\n") : node.title;
      return link(address, title, copy.querySelector("img, .md-to") ? children(copy) : [...copy.childNodes].map(draw).join(""));
    }
    if (name === "a") return link(node.getAttribute("href"), node.title, children(node));
    if (name === "img") return node.closest("a") ? text(node.alt) : link(node.getAttribute("src"), node.title, text(node.alt || node.getAttribute("src")));
    if (/^h\d$/.test(name) || className === "md-heading") return `<heading>${children(node)}</heading>`;
    if (["br", "hr"].includes(name)) return `<${name}>`;
    const start = name === "ol" && node.start !== 1 ? ` ${node.start}` : "";
    const align = /^md-(left|right|center)$/.exec(className)?.[1] ?? node.getAttribute("align");
    return `<${name}${start}${align ? ` ${align}` : ""}>${children(node)}</${name}>`;
  };
  window.draw = (node) => {
    for (const holder of [node, ...node.querySelectorAll("blockquote")]) {
      for (const child of [...holder.childNodes]) {
        if (holder.closest(".md") || child.nodeType !== 3 || !child.data.trim()) continue;
        const p = document.createElement("p");
        child.replaceWith(p);
        p.append(child);
      }
    }
    const tidy = children(node).replace(/\s*(<\/?(?:p|ul|ol|li|blockquote|heading|code-block|hr|table|thead|tbody|tr|th|td)\b[^>]*>)\s*/g, "$1");
    return tidy.replace(/<br>\n?/g, "<br>").replaceAll("<p></p>", "").trim();
  };
};

/** What Markdown becomes, and what it is expected to become by its markup. */
const drawn = async (texts, kind) => {
  await page.evaluate(drawing);
  return page.evaluate(([texts, kind]) => texts.map((text) => {
    const element = window.rendered(text, kind);
    element.classList.add("md");
    return window.draw(element);
  }), [texts, kind]);
};
const wanted = async (markups) => {
  const parser = await browser.page("/parse");
  await parser.evaluate(drawing);
  const found = await parser.evaluate((markups) => markups.map((markup) => window.draw(new DOMParser().parseFromString(markup, "text/html").body)), markups);
  await parser.context().close();
  return found;
};

test("the examples of CommonMark: as specified, with raw HTML as text, images as links and headings as paragraphs", async (context) => {
  const examples = SPECIFICATION.tests.map(({ markdown, html, ...more }) => ({ ...more, markdown: markdown.replaceAll("→", "\t"), html: html.replaceAll("→", "\t") }));
  assert.equal(examples.length, 652);
  // What shows raw HTML as text is right where it shows it as HTML, too.
  const markups = examples.map(({ markdown, html, number }) => {
    assert.equal(micromark(markdown, { allowDangerousHtml: true, allowDangerousProtocol: true }), html, `example ${number}`);
    return micromark(markdown, { allowDangerousProtocol: true });
  });
  const [found, expected] = [await drawn(examples.map(({ markdown }) => markdown)), await wanted(markups)];
  const sections = new Map();
  const others = [];
  for (const [place, { section, number, markdown }] of examples.entries()) {
    const counts = sections.get(section) ?? [0, 0];
    const isSame = found[place] === expected[place];
    sections.set(section, [counts[0] + isSame, counts[1] + 1]);
    if (!isSame) others.push({ number, markdown, found: found[place], expected: expected[place] });
  }
  if (process.env.SHOW) for (const other of others) console.log(other);
  const rows = [...sections].map(([section, [same, all]]) => `| ${section} | ${same} of ${all} |`);
  const table = ["| section | as specified |", "| --- | --- |", ...rows, `| all | ${652 - others.length} of 652 |`].join("\n");
  context.diagnostic(`${652 - others.length} of 652 examples`);
  assert.deepEqual(others.map(({ number }) => String(number)), Object.keys(DIFFERENT));
  const reasons = [...new Set(Object.values(DIFFERENT))].map((reason) => `- ${Object.keys(DIFFERENT).filter((number) => DIFFERENT[number] === reason).join(", ")}: ${reason}.`);
  const report = `${table}\n\nThe others, by their numbers:\n\n${reasons.join("\n")}\n`;
  const file = new URL("../../docs/markdown.md", import.meta.url);
  const document = readFileSync(file, "utf8");
  const [begin, end] = ["<!-- made by tests/js/markdown.test.mjs -->\n", "<!-- the end of it -->"];
  const now = document.slice(document.indexOf(begin) + begin.length, document.indexOf(end));
  if (process.env.WRITE === "1") writeFileSync(file, document.replace(begin + now, () => begin + report));
  else assert.equal(now, report, "say WRITE=1 node --test tests/js/markdown.test.mjs");
});

test("GFM: tables, strikethrough and tasks; a bare address is a link", async () => {
  const cases = {
    "a | b\n--|:-:\n**1** | `x\\|y`\n2": "<table><thead><tr><th>a</th><th center>b</th></tr></thead><tbody><tr><td><strong>1</strong></td><td center><code>x|y</code></td></tr><tr><td>2</td><td center></td></tr></tbody></table>",
    "| a |\n| - |\n\nafter": "<table><thead><tr><th>a</th></tr></thead></table><p>after</p>",
    "| a | b |\n| - |": "<p>| a | b |\n| - |</p>",
    "~~gone~~ ~stays~": "<p><s>gone</s> ~stays~</p>",
    "- [ ] one\n- [x] **two**\n- [X] three\n- [y] four\n- [x]five": "<ul><li>[ ]one</li><li>[x]<strong>two</strong></li><li>[x]three</li><li>[y] four</li><li>[x]five</li></ul>",
    "1. [ ] a\n\n   b\n2. c": "<ol><li><p>[ ]a</p><p>b</p></li><li><p>c</p></li></ol>",
    "See (https://example.com/a_b_(c)), or www.x.com.": "<p>See (<a https://example.com/a_b_(c)>https://example.com/a_b_(c)</>), or www.x.com.</p>",
    "xhttps://a.example *b*": "<p>xhttps://a.example <em>b</em></p>",
    "[https://a.example](https://b.example/)": "<p><a https://b.example/>https://a.example</></p>",
  };
  // A task has no shape of its own: it is a mark, and no control.
  const found = await drawn(Object.keys(cases));
  const plain = found.map((text) => text.replaceAll(/<span [^>]*☐[^>]*>☐<\/>\s*/g, "[ ]").replaceAll(/<span [^>]*☑[^>]*>☑<\/>\s*/g, "[x]"));
  assert.deepEqual(plain, Object.values(cases));
  const tasks = await page.evaluate(() => {
    const element = window.rendered("- [ ] one\n- [x] two");
    return [element.querySelectorAll("input, button").length, ...[...element.querySelectorAll("[role=img]")].map((box) => box.ariaLabel + box.nextSibling.data)];
  });
  assert.deepEqual(tasks, [0, "To do one", "Done two"]);
});

test("one line keeps its breaks and its blocks as they are", async () => {
  const cases = {
    "- a\n  - **b**\n\n# c": "- a\n  - <strong>b</strong>\n\n# c",
    "> `x`\n1. _y_": "> <code>x</code>\n1. <em>y</em>",
    "[a](https://a.example/ 'T') <b>&lt;": "<a https://a.example/ T>a</> &lt;b>&lt;",
  };
  assert.deepEqual(await drawn(Object.keys(cases), "inline"), Object.values(cases));
});

test("what has Markdown is known beforehand, in time linear in the text; what has none fetches nothing", async () => {
  const plain = ["Delete the table?", "Which file: src/a_b_c.rs or __init__.py?".replace("__init__", "init_"), "2 * 3 * 4 = 24", "a_b and c_d", "Yes, for 5 - 3 days", "$HOME/.config", "a > b, c < d & e", "Line one\nLine two\n\nLine three", "[1/3] done", "(see below) [optional]", "50 ~ 60", "#hashtag", "-5 degrees", "3.14"];
  assert.deepEqual(plain.filter((text) => isMarked(text, "block")), []);
  const texts = SPECIFICATION.tests.map(({ markdown }) => markdown.replaceAll("→", "\t").trimEnd());
  const changed = await page.evaluate((texts) => texts.map((text) => {
    const element = window.rendered(text);
    return element.querySelector(":not(p)") !== null;
  }), texts);
  // Two blanks at the end of a line break it, which the text does anyway.
  assert.deepEqual(texts.filter((text, place) => changed[place] && !isMarked(text, "block") && !/ {2}\n/.test(text)), []);
  assert.ok(texts.filter((text) => !isMarked(text, "block")).length > 30);
  for (const sign of ["*", "_", "~", "`", "[", "]", "<", "&", "-", "|", "=", "#", " ", "\n", "\t", "\\", ">", "a", "1", "_a", "*a", "&a", "<a", "-|", "- ", " -", "=x", "* ", "_ "]) {
    for (const text of [sign.repeat(20_000 / sign.length), `${sign.repeat(19_998 / sign.length)}x`, `x${sign.repeat(19_998 / sign.length)}`]) {
      // The least of several: what else the machine does takes time, too. A quadratic test takes half a second.
      const times = Array.from({ length: 5 }, () => {
        const began = performance.now();
        for (const kind of ["block", "question"]) isMarked(text, kind);
        return performance.now() - began;
      });
      assert.ok(Math.min(...times) < 50, `${JSON.stringify(text.slice(0, 9))}: ${times} ms`);
    }
  }
});

/** Made of 20,000 characters each: what is known to make parsers slow, deep or large. */
const HEAVY = [
  "[", "![", "[a](", "[[a]](", "[a][", "*", "**a ", "*a**", "a**b", "_a__ ", "~~a", "`", "`a``", ">", "> ", "> - ", "- ", "1. ", "* a\n  ", "<", "<a ", '<a b="', "<!--", "<?", "</", "<a@", "<http:", "https://", "|", "a|", "-|", "&", "&#", "\\",
  "[a]: b\n", "[a]: b 'c\n", "# a #", "a\n=\n", "---\n", "```\n", "~~~\n", "    a\n", "\t", "\n", "- a\n\n", "*_`[<>~!|", "a*_", "![a](b)", "\u0301", "a  \n", "<div>\n", "(", "[a](<", '[a](b "', "x@", "&amp;", "\u202e",
].map((piece) => piece.repeat(Math.ceil(20_000 / piece.length)).slice(0, 20_000));
HEAVY.push(`a|\n-|\n${"a|\n".repeat(6_000)}`, `${"|a".repeat(3_000)}\n${"|-".repeat(3_000)}\n`, Array.from({ length: 190 }, (_, place) => `${" ".repeat(place)}- a`).join("\n"), Array.from({ length: 190 }, (_, place) => "`".repeat(place + 1)).join(" "));

test("hostile texts: nothing hangs, runs or is hidden; every node is one of those that Markdown has", async () => {
  const { slowest, faults } = await page.evaluate(([heavy, hostile]) => {
    const ELEMENTS = "a, span, p, blockquote, ul, ol, li, table, thead, tbody, tr, th, td, em, strong, s, code, pre, br, hr, div.md-code, div.md-table, .md-code button[type=button]";
    const ATTRIBUTES = ["class", "dir", "href", "target", "rel", "referrerpolicy", "title", "role", "aria-label", "aria-live", "start", "tabindex", "type", "part"];
    const faults = [];
    let slowest = [0];
    for (const text of [...heavy, ...hostile]) {
      for (const kind of ["block", "inline", "question", "preview"]) {
        let element;
        let took = Infinity;
        for (let tries = 0; tries < 4 && took > 250; tries += 1) {
          const began = performance.now();
          element = window.rendered(text, kind);
          took = Math.min(took, performance.now() - began);
        }
        if (took > slowest[0]) slowest = [took, kind, text.slice(0, 9)];
        const at = JSON.stringify(text.slice(0, 40));
        const all = element.querySelectorAll("*");
        if (all.length > 4_000) faults.push(`${at}: ${all.length} elements`);
        for (const one of all) {
          if (!one.matches(ELEMENTS)) faults.push(`${at}: ${one.outerHTML.slice(0, 80)}`);
          for (const { name } of one.attributes) if (!ATTRIBUTES.includes(name)) faults.push(`${at}: ${one.localName} has ${name}`);
          if (one.matches("a") && (!/^(https?:|mailto:)/.test(one.href) || one.target !== "_blank" || one.rel !== "noopener noreferrer" || one.referrerPolicy !== "no-referrer")) faults.push(`${at}: ${one.outerHTML}`);
          if (one.matches("a a, a button, button button, label button")) faults.push(`${at}: one in another`);
        }
        if (kind === "block" && element.querySelectorAll("a, p").length === 0 && !element.querySelector("hr, blockquote, li") && !element.textContent.trim() && text.trim()) faults.push(`${at}: nothing is left`);
      }
    }
    if (window.pwned !== undefined) faults.push("it ran");
    return { slowest, faults };
  }, [HEAVY, HOSTILE]);
  assert.deepEqual(faults.slice(0, 20), []);
  assert.ok(slowest[0] < 1_000, String(slowest));
});

test("characters by name or number are marked where they are hidden, as in any text", async () => {
  const found = await page.evaluate(() => ["a&#x202e;b", "`&shy;` &shy;", "[a](https://a.example/ '&#x202e;')"].map((text) => {
    const element = window.rendered(text);
    return element.textContent + (element.querySelector("a")?.title.split("\n")[0] ?? "");
  }));
  assert.deepEqual(found, ["a[U+202E]b", "&shy; [U+00AD]", "a (a.example)[U+202E]"]);
});

test("links: only to http, https and mail, and always seen to lead where they lead", async () => {
  const cases = {
    "[docs](https://docs.example/a?b#c)": ["https://docs.example/a?b#c", "docs (docs.example)"],
    "[docs.example](https://docs.example/a)": ["https://docs.example/a", "docs.example"],
    "[docs.example/x](https://docs.example/a)": ["https://docs.example/a", "docs.example/x"],
    "<https://docs.example/a>": ["https://docs.example/a", "https://docs.example/a"],
    "[https://good.example/](https://evil.example/)": ["https://evil.example/", "https://good.example/ (evil.example)"],
    "[good.example](https://good.example.evil.example/)": ["https://good.example.evil.example/", "good.example (good.example.evil.example)"],
    "[good.example.evil.example](https://good.example/)": ["https://good.example/", "good.example.evil.example (good.example)"],
    // The first letter of the second word is Cyrillic.
    "<https://\u0430pple.example/>": ["https://xn--pple-43d.example/", "https://\u0430pple.example/ (xn--pple-43d.example)"],
    "[a](//evil.example/x)": [undefined, "a (//evil.example/x)"],
    "[a](https://good.example@evil.example/)": [undefined, "a (https://good.example@evil.example/)"],
    "<https://good.example\\@evil.example/>": [undefined, "https://good.example\\@evil.example/"],
    "[a](javascript:window.pwned=1)": [undefined, "a (javascript:window.pwned=1)"],
    "[a](JaVaScRiPt&colon;window.pwned=1)": [undefined, "a (JaVaScRiPt&colon;window.pwned=1)"],
    "[a](data:text/html,x) [b](file:///etc/passwd)": [undefined, "a (data:text/html,x) b (file:///etc/passwd)"],
    "[main.rs](src/main.rs:12)": [undefined, "main.rs (src/main.rs:12)"],
    "<me@mail.example>": ["mailto:me@mail.example", "me@mail.example"],
    "[write](mailto:me@mail.example?body=x)": ["mailto:me@mail.example?body=x", "write (me@mail.example)"],
    "![a diagram](https://evil.example/x.png)": ["https://evil.example/x.png", "a diagram (evil.example)"],
    "![](https://evil.example/x.png)": ["https://evil.example/x.png", "https://evil.example/x.png (evil.example)"],
    "[![badge](https://evil.example/x.png)](https://docs.example/)": ["https://docs.example/", "badge (docs.example)"],
    "[a][b]\n\n[b]: https://docs.example/": ["https://docs.example/", "a (docs.example)"],
  };
  cases["![](https://evil.example/x.png)"][1] = "https://evil.example/x.png";
  const found = await page.evaluate((texts) => texts.map((text) => {
    const element = window.rendered(text);
    return [element.querySelector("a")?.href, element.textContent];
  }), Object.keys(cases));
  assert.deepEqual(Object.fromEntries(Object.keys(cases).map((text, place) => [text, found[place].map((one) => one ?? undefined)])), cases);
  // A definition that nothing uses would be a hidden text.
  assert.equal(await page.evaluate(() => window.rendered("[//]: # (I will delete it all)\n\n**Go on?**").textContent), "[//]: # (I will delete it all)Go on?");
});

test("definitions: hidden where a link or an image uses them; others, and a second one of the same name, are shown", async () => {
  const cases = {
    "[x][a]\n\n[a]: https://a.example/": [],
    "![x][a]\n\n[A]: https://a.example/": [],
    "[a]\n\n[a]: https://a.example/\n[a]: https://b.example/\n[b]: https://c.example/ 'T'": ["[a]: https://b.example/", "[b]: https://c.example/ 'T'"],
    "> [a]:\n> https://a.example/\n\nb": ["> [a]:\n> https://a.example/"],
    // Within another link no link is one.
    "[[a](https://b.example/)\n\n[a]: https://a.example/": ["[a]: https://a.example/"],
    "- [a]: https://a.example/\n\n[__proto__] [a]": [],
  };
  const found = await page.evaluate((texts) => texts.map((text) => [...window.rendered(text).querySelectorAll(".md-definition")].map(({ textContent }) => textContent)), Object.keys(cases));
  assert.deepEqual(found, Object.values(cases));
});

test("code is found wherever marks stand that nothing closes", async () => {
  const cases = {
    "[a `b` ```": "<p>[a <code>b</code> ```</p>",
    "``a [b `c` `d`": "<p>``a [b <code>c</code> <code>d</code></p>",
    "[`a`](/b `c` ``": "<p>[<code>a</code>](/b <code>c</code> ``</p>",
    "\\``a` `b`": "<p>`<code>a</code> <code>b</code></p>",
  };
  assert.deepEqual(await drawn(Object.keys(cases)), Object.values(cases));
});

const CONTEXT = "# Plan\n\nSee [docs](https://docs.example/a).\n\n- [ ] one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\necho 1\necho 2\n```\n\n![x](https://evil.example/x.png)";
const CHOICE = {
  message: "Hello **you**",
  questions: [{
    id: "a", text: "Which `one`? See [this](https://docs.example/q)", header: "**H**", context: CONTEXT, answer_type: "select",
    options: [{ value: "x", label: "**Bold** [more](https://docs.example/o)", description: "_slow_, see <https://docs.example/d>", preview: "## X\n\n```\nx\n```" }, { value: "y", label: "*Plain", description: "2 * 3", preview: "+--+\n|db|\n+--+\n\n# no" }],
  }],
};

test("in a form: no heading breaks the outline, no image is fetched, nothing has a barrier, and the answer is what was offered", async () => {
  const asked = [];
  const note = (request) => asked.push(request.url());
  page.on("request", note);
  await person.ask(CHOICE, { host: { review: true } });
  await person.find("legend code").waitFor();
  const found = await page.evaluate(() => {
    const root = window.form().shadowRoot;
    const text = (selector) => root.querySelector(selector).textContent;
    return [text("legend .header"), text("legend .text"), text("#option-0 ~ label .name"), text("#described-0"), root.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]:not(.text), img").length, text("#preview-1"), root.querySelector("#preview-1").matches(".md"), root.querySelector("#preview-0").matches(".md"), getComputedStyle(root.querySelector("legend strong, legend code")).fontFamily !== ""];
  });
  assert.deepEqual(found, ["**H**", "Which one? See [this](https://docs.example/q)", "**Bold** [more](https://docs.example/o)", "slow, see https://docs.example/d", 0, "+--+\n|db|\n+--+\n\n# no", false, true, true]);
  assert.deepEqual(await person.barriers(), []);
  assert.equal(await person.find("#context .md-heading").textContent(), "Plan");
  assert.deepEqual(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await person.click("#option-0");
  await person.click("[type=submit]");
  assert.deepEqual(await person.find("dt, dd .answer").allTextContents(), ["Which one? See [this](https://docs.example/q)", "**Bold** [more](https://docs.example/o)"]);
  await person.click("[data-submit]");
  assert.deepEqual(await person.result(), { a: "x" });
  assert.deepEqual(asked.filter((url) => !url.startsWith(browser.url)), []);
  page.off("request", note);
});

test("a text is rendered once", async () => {
  await person.ask({ question: "Keep it?", context: "Keep \\*this\\* &amp;lt; **now**?", answer_type: "boolean" });
  await person.find("#context strong").waitFor();
  assert.equal(await person.find("#context p p").evaluate(({ innerHTML }) => innerHTML), "Keep *this* &amp;lt; <strong>now</strong>?");
});

test("what is spoken has no marks", async () => {
  // Rendered at once, since Markdown is there: what is spoken late would be spoken twice.
  await person.ask({ question: "Drop **`users`**? See [docs](https://docs.example/)", answer_type: "boolean" });
  assert.equal(await person.find(".spoken").textContent(), "Drop users? See [docs](https://docs.example/)");
  assert.equal(await person.find(".spoken a").count(), 0);
  await person.ask({ questions: [{ id: "q", text: "Which?\n- prod\n- uction\n\n```sh\nrm -r build\n```", answer_type: "boolean" }] });
  const spoken = await until(() => person.find(".spoken").textContent(), "what is spoken");
  assert.equal(spoken, "Which?\nprod\nuction\nrm -r build");
});

test("a page that has everything in one file fetches nothing for it", async () => {
  const other = await browser.page("/inline");
  const someone = new Person(other);
  await someone.ask(CHOICE);
  await someone.find("legend code").waitFor();
  assert.deepEqual(other.fetched.filter((path) => path.includes("/dist/")), ["/pkg/dist/inline.js"]);
  await other.context().close();
});

test("a link in an option or a context opens what it says, and chooses nothing", async () => {
  await person.ask(CHOICE);
  await person.find("legend code").waitFor();
  await person.settled();
  await page.context().route(/docs\.example/, (route) => route.fulfill({ body: "there" }));
  for (const selector of ["#described-0 a", "#context a >> nth=0"]) {
    const [opened] = await Promise.all([page.context().waitForEvent("page"), person.find(selector).click()]);
    assert.match(opened.url(), /^https:\/\/docs\.example\//);
    assert.equal(await opened.evaluate(() => window.opener), null);
    await opened.close();
    assert.equal(await person.find(":checked").count(), 0, selector);
  }
  // By the keyboard, too.
  await person.find("#described-0 a").focus();
  const [opened] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("Enter")]);
  await opened.close();
  assert.equal(await person.find(":checked").count(), 0);
  assert.deepEqual(await person.names(), ["ready", "record", "step"]);
  await page.context().unroute(/docs\.example/);
  await page.bringToFront();
});

test("beside an address that asks for consent no other one opens", async () => {
  await person.ask({ mode: "url", message: "Open? Or [here](https://evil.example/)", url: "https://good.example/", elicitationId: "e" }, { attributes: { dialect: "mcp" } });
  assert.deepEqual(await person.find("a").evaluateAll((links) => links.map(({ href }) => href)), ["https://good.example/"]);
  assert.ok((await person.find(".step").textContent()).includes("[here](https://evil.example/)"));
});

test("what is copied are the characters that were written, marks and all", async () => {
  /** What a copy gives of a text that is rendered: all of it, or a part of what is shown. */
  const copied = (text, part, kind = "block") =>
    page.evaluate(
      ([text, part, kind]) => {
        const element = window.rendered(text, kind);
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const nodes = [];
        while (texts.nextNode()) nodes.push(texts.currentNode);
        const shown = nodes.map(({ data }) => data).join("");
        if (!shown) return "";
        const [from, to] = part === undefined ? [0, shown.length] : [shown.indexOf(part), shown.indexOf(part) + part.length];
        const place = (at, isEnd) => {
          for (const node of nodes) {
            if (at < node.data.length || (isEnd && at === node.data.length)) return [node, at];
            at -= node.data.length;
          }
        };
        getSelection().setBaseAndExtent(.../** @type {[Node, number]} */ (place(from)), .../** @type {[Node, number]} */ (place(to, true)));
        const data = new DataTransfer();
        element.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, composed: true, cancelable: true }));
        return data.getData("text/plain");
      },
      [text, part, kind],
    );
  const CASES = [
    ["Delete **all** of `a  b`?", "all of a", "all** of `a"],
    ["Delete **all** of `a  b`?", "all", "all"],
    ["See [the page](https://example.com/for) for more", "page (example.com) for", "page](https://example.com/for) for"],
    ["A \\*star\\* &amp; more", "* &", "\\* &amp;"],
    ["# Head\n\n- one\n- [x] two\n\n> three", "onetwo", undefined],
    ["**a\u200bb** c", "c", "**a\u200bb** c"],
    ["```sh\nrm -r x\n```\n\nand *more*", "and more", "and *more"],
  ];
  for (const [text, part, expected] of CASES) {
    if (expected !== undefined) assert.equal(await copied(text, part), expected, part);
    assert.equal(await copied(text), text);
  }
  for (const text of HOSTILE.filter(({ length }) => length && length < 5_000)) {
    const all = await copied(text);
    if (all !== "") assert.equal(all, text);
  }
});

test("a copy across several texts has each as it was written, on lines of its own", { skip: ELSEWHERE }, async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.ask({ questions: [{ id: "q", text: "Delete **all** of it?", context: "- `x`\n- __y__", answer_type: "boolean" }] });
  await person.find("strong").first().waitFor();
  await page.evaluate(() => {
    const { shadowRoot } = window.form();
    getSelection().setBaseAndExtent(shadowRoot.querySelector("legend"), 0, shadowRoot.querySelector("#context"), shadowRoot.querySelector("#context").childNodes.length);
  });
  await page.keyboard.press("Control+C");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "Delete **all** of it?\n- `x`\n- __y__");
  await page.context().clearPermissions();
});

test("code is copied by its button; where a page may not, it is selected", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.ask(CHOICE);
  const button = person.find("#context .md-code button");
  await button.click();
  await person.find("#context .md-code button:text('Copied')").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "echo 1\necho 2");
  assert.deepEqual(await person.names(), ["ready", "record", "step"]);
  await person.find("#context .md-code button:text-is('Copy')").waitFor();
  await page.context().clearPermissions();
  const selected = await page.evaluate(async () => {
    const real = navigator.clipboard.writeText;
    navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
    const code = window.form().shadowRoot.querySelector("#context .md-code");
    code.querySelector("button").click();
    await window.settled();
    navigator.clipboard.writeText = real;
    const selection = window.form().shadowRoot.getSelection?.() ?? getSelection();
    return [selection.toString(), code.querySelector("button").textContent];
  });
  assert.deepEqual(selected, ["echo 1\necho 2", "Copy"]);
});

test("markdown: false leaves the text as it is; it can be set any time, and anything but a boolean is the host's error", async () => {
  await person.ask(CHOICE, { host: { markdown: false } });
  assert.equal(await person.find(".md").count(), 0);
  assert.equal(await person.find("#context").textContent(), CONTEXT);
  await page.evaluate(() => (window.form().host = {}));
  await person.find("legend code").waitFor();
  await page.evaluate(() => (window.form().host = { markdown: false }));
  await page.waitForFunction(() => !window.form().shadowRoot.querySelector(".md"));
  assert.equal(await person.find("legend .text").textContent(), CHOICE.questions[0].text);
  const message = await page.evaluate(() => new Promise((resolve) => {
    window.form().addEventListener("ask-user-error", ({ detail }) => resolve(detail.error.message), { once: true });
    window.addEventListener("error", (event) => event.preventDefault(), { once: true });
    window.form().host = { markdown: "no" };
  }));
  assert.equal(message, "`markdown` must be true or false.");
  page.faults.length = 0;
});

test("the renderer is fetched once a text needs it; the text stands until then, and stays where it cannot be had", async () => {
  const other = await browser.page();
  const someone = new Person(other);
  const count = () => other.fetched.filter((path) => path.endsWith("markdown.js")).length;
  await someone.ask({ question: "Delete the table?", answer_type: "boolean" });
  assert.equal(count(), 0);
  browser.meddle = (request, response, forward) => (request.url.includes("markdown.js") ? response.writeHead(503).end() : forward());
  await someone.ask({ question: "Delete **the** table?", answer_type: "boolean" });
  assert.equal(count(), 1);
  assert.equal(await someone.find("legend .text").textContent(), "Delete **the** table?");
  assert.deepEqual(other.faults.filter((fault) => !/markdown\.js/.test(fault)), []);
  other.faults.length = 0;
  let go;
  browser.meddle = (request, _response, forward) => (request.url.includes("markdown.js") ? new Promise((resolve) => (go = resolve)).then(forward) : forward());
  await someone.ask({ question: "Delete **that** table?", answer_type: "boolean" });
  assert.equal(await someone.find("legend .text").textContent(), "Delete **that** table?");
  go();
  await someone.find("legend strong").waitFor();
  browser.meddle = undefined;
  // The next one is rendered before it is painted.
  const shown = await other.evaluate(async () => {
    const seen = [];
    const watch = new MutationObserver(() => requestAnimationFrame(() => seen.push(window.form().shadowRoot.querySelector("legend .text")?.textContent)));
    watch.observe(document.querySelector("main"), { childList: true });
    await window.ask({ request: { question: "Delete `the` table?", answer_type: "boolean" } });
    watch.disconnect();
    return [seen.filter((text) => text?.includes("`")), window.form().shadowRoot.querySelectorAll("legend code").length];
  });
  assert.deepEqual(shown, [[], 1]);
  assert.equal(count(), 2);
  await other.context().close();
});

test("what was painted already takes no click while it moves under the pointer", async () => {
  const other = await browser.page();
  const someone = new Person(other);
  let go;
  browser.meddle = (request, _response, forward) => (request.url.includes("markdown.js") ? new Promise((resolve) => (go = resolve)).then(forward) : forward());
  await someone.ask({ questions: [{ id: "a", text: "Go on?", context: "**a**\n\n- b", answer_type: "boolean" }] });
  await someone.find("[data-answer=yes]").hover();
  await other.evaluate(() => (window.isHasty = true));
  const goOn = await stopEvents(other);
  go();
  await someone.find(".context strong").waitFor();
  browser.meddle = undefined;
  await someone.find("[data-answer=yes]").click();
  assert.deepEqual(await someone.names(), ["ready", "record", "step"]);
  await goOn();
  await painted(other);
  await keepsStill(other);
  await someone.click("[data-answer=yes]");
  assert.deepEqual((await someone.names()).at(-1), "result");
  await other.context().close();
});

test("ten thousand options with Markdown do not keep the page", async () => {
  const options = Array.from({ length: 10_000 }, (_, place) => ({ value: place, label: `**Option** ${place}`, description: "_some_ `code`" }));
  const longest = await page.evaluate(async (options) => {
    await window.ask({ request: { questions: [{ id: "a", text: "Which?", answer_type: "select", options }] } });
    let longest = 0;
    const root = window.form().shadowRoot;
    const list = root.querySelector(".options");
    const isRendered = () => [...root.querySelectorAll(".description")].every((description) => description.matches(".md"));
    for (let last = performance.now(), rounds = 0; rounds < 40 || !isRendered(); rounds += 1) {
      if (rounds < 40) list.scrollBy(0, 900);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    return longest;
  }, options);
  assert.ok(longest < 1_000, `${longest} ms`);
});

test("its looks stay when the element is moved", async () => {
  await person.ask(CHOICE);
  await person.find("legend code").waitFor();
  const sheets = await page.evaluate(async () => {
    const before = window.form().shadowRoot.adoptedStyleSheets.length;
    document.querySelector("main").append(window.form());
    await window.settled();
    return [before, window.form().shadowRoot.adoptedStyleSheets.length];
  });
  assert.deepEqual(sheets, [2, 2]);
  // A sheet of one document cannot be used in another: the next text there brings its own.
  const elsewhere = await page.evaluate(async () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.contentDocument.body.append(window.form());
    const form = frame.contentDocument.querySelector("ask-user");
    form.request = { question: "And **now**?", answer_type: "boolean" };
    await window.settled();
    const found = [form.shadowRoot.querySelectorAll("legend strong").length, form.shadowRoot.adoptedStyleSheets.length];
    frame.remove();
    return found;
  });
  assert.deepEqual(elsewhere, [1, 2]);
});
