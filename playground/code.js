// Writes what the playground shows as code to paste: a page in HTML, a React component, or a script for Node without any form.
import { source } from "./source.js";

/** Where a page finds the package that npm has installed next to it. */
const PACKAGE = "./node_modules/ask-user";

/** The code of a kind (`html`, `react` or `js`) for a request, given as text, and the settings of the playground. */
export function codeOf(kind, request, settings) {
  return { html, react, js }[kind](request, settings);
}

function html(request, { label, theme, scheme, lang, dir, layout, review }) {
  const host = hostOf({ layout, review });
  const root = attributes({ lang: lang || "en", dir, class: theme === "shadcn" && scheme === "dark" ? "dark" : "" });
  return lines(
    "<!-- Save this next to node_modules, and serve the folder with any web server. -->",
    "<!doctype html>",
    `<html${root}>`,
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<meta name="color-scheme" content="${scheme || "light dark"}">`,
    "<title>A question</title>",
    theme ? `<link rel="stylesheet" href="${PACKAGE}/themes/${theme}.css">` : undefined,
    `<script type="module" src="${PACKAGE}/dist/ask-user.js"></script>`,
    "",
    `<ask-user${attributes({ label })}></ask-user>`,
    "",
    '<script type="module">',
    '  const form = document.querySelector("ask-user");',
    '  form.addEventListener("ask-user-result", ({ detail }) => console.log(detail.result));',
    '  form.addEventListener("ask-user-end-turn", () => console.log("The person ended the turn."));',
    host && `  form.host = ${inScript(source(host, 2))};`,
    `  form.request = ${inScript(literal(request, 2))};`,
    "</script>",
    "</html>",
  );
}

function react(request, { label, theme, scheme, lang, dir, layout, review }) {
  const host = hostOf({ layout, review });
  const around = attributes({ lang, dir });
  const indent = around ? "      " : "    ";
  const element = [
    `${indent}<AskUser`,
    label ? `${indent}  label=${jsx(label)}` : undefined,
    host && `${indent}  host={host}`,
    `${indent}  request={request}`,
    scheme ? `${indent}  style={{ colorScheme: "${scheme}" }}` : undefined,
    `${indent}  onResult={({ result }) => onAnswer(result)}`,
    `${indent}  onEndTurn={() => onAnswer(undefined)}`,
    `${indent}/>`,
  ];
  return lines(
    'import { AskUser } from "ask-user/react";',
    theme ? `import "ask-user/themes/${theme}.css";` : undefined,
    "",
    `const request = ${literal(request)};`,
    host && `const host = ${source(host)};`,
    "",
    "export function Question({ onAnswer }) {",
    "  return (",
    ...(around ? [`    <div${around}>`, ...element, "    </div>"] : element),
    "  );",
    "}",
  );
}

function js(request, { label, review }) {
  const options = { ...(label ? { label } : {}), ...(review ? { review: true } : {}) };
  return lines(
    "// Save this as question.mjs next to node_modules, and run: node question.mjs",
    'import { createInterface } from "node:readline";',
    'import { open } from "ask-user/core";',
    "",
    `const walk = open(${literal(request)}${Object.keys(options).length ? `, ${source(options)}` : ""});`,
    "",
    "// Each line of the input answers one question, as JSON: true, 2, \"staging\", [\"lint\"].",
    "const terminal = createInterface({ input: process.stdin });",
    "const input = terminal[Symbol.asyncIterator]();",
    "while (!walk.outcome) {",
    "  const { state, question } = walk.step;",
    "  try {",
    '    if (state === "review") walk.submit();',
    "    else {",
    "      console.log(`${question.text} (${question.type})`);",
    "      const { value, done } = await input.next();",
    "      if (done) walk.endTurn();",
    "      else walk.answerText(value);",
    "    }",
    "  } catch (refused) {",
    "    console.log(refused.message);",
    "  }",
    "}",
    "terminal.close();",
    "console.log(walk.outcome.ends, walk.resultText);",
  );
}

/** The options of the host that differ from the defaults; undefined if none does. */
export function hostOf(/** @type {{ layout?: string, review?: string }} */ { layout, review }) {
  const host = { ...(layout === "auto" ? {} : { layout }), ...(review ? { review: true } : {}) };
  return Object.keys(host).length ? host : undefined;
}

/** A request as it stands in a script: as a value, or as its text where a script would read another value out of it, or none. */
function literal(text, indent = 0) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return JSON.stringify(text);
  }
  // Numbers with many digits, keys that come twice, and keys that a script puts into another order.
  const compact = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string) => (string ? JSON.stringify(JSON.parse(string)) : ""));
  const isExact = compact === JSON.stringify(value) && !compact.includes('"__proto__":');
  return isExact ? source(value, indent) : JSON.stringify(text);
}

/** JavaScript that ends no `<script>` and begins no comment of HTML. */
const inScript = (code) => code.replaceAll(/<(?=[!/s])/gi, "\\u003c");

/** The lines that are there, `undefined` left out. */
const lines = (...all) => `${all.filter((line) => line !== undefined).join("\n")}\n`;

const attributes = (all) => Object.entries(all).filter(([, value]) => value).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);

/** A text as the value of an attribute in JSX. */
const jsx = (text) => (/^[^"\\{}<>&\n\r]*$/.test(text) ? `"${text}"` : `{${JSON.stringify(text)}}`);
