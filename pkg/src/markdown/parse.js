// Markdown as tokens: CommonMark with the tables and the strikethrough of GFM, by the parsers of markdown-it. `pkg/markdown.mjs` brings them into the
// bundle. Knows no page. Time is bounded: a text has a greatest length, and containers and marks a greatest depth.
import { unescapeAll } from "markdown-it/src/common/utils.ts";
import * as helpers from "markdown-it/src/helpers/index.ts";
import ParserBlock from "markdown-it/src/parser_block.ts";
import ParserInline from "markdown-it/src/parser_inline.ts";
import newline from "markdown-it/src/rules_inline/newline.ts";
import join from "markdown-it/src/rules_core/text_join.ts";
import Token from "markdown-it/src/token.ts";

/** How deep quotes, lists and marks may stand in each other. */
const DEPTH = 40;

/** The rules for marks within a text whose line breaks all count. */
class Line extends ParserInline {
  constructor() {
    super();
    const rules = this.ruler.getRules("").filter((rule) => rule !== newline);
    this.ruler = { getRules: () => rules };
  }
}

const common = {
  // Raw HTML is a token of its own, and so is never taken for Markdown.
  options: { html: true, maxNesting: DEPTH },
  helpers,
  block: new ParserBlock(),
  // Which addresses may be opened is decided where links are made.
  validateLink: () => true,
  normalizeLink: (address) => address,
  normalizeLinkText: (address) => address,
};
const page = { ...common, inline: new ParserInline() };
const line = { ...common, inline: new Line() };

/** The tokens of a text: of blocks, or of one line whose breaks stay. Throws where it is nested too deeply: what is left out there would be lost. */
export function parse(source, isBlock) {
  const text = source.replace(/\r\n?/g, "\n");
  const md = isBlock ? page : line;
  const tokens = [];
  const env = {};
  if (isBlock) md.block.parse(text, md, env, tokens);
  else tokens.push(Object.assign(new Token("inline", "", 0), { content: text, children: [] }));
  const used = new Set();
  for (const token of tokens) {
    if (token.nesting === 1 && token.level >= DEPTH - 1) throw new RangeError("nested too deeply");
    if (token.type !== "inline") continue;
    md.inline.parse(token.content, md, env, token.children);
    note(token.children, used);
  }
  join({ tokens });
  const lines = text.split("\n");
  const seen = new Set();
  for (const token of tokens) {
    if (token.type !== "reference_definition") continue;
    // A definition that no link uses would be a text that nobody sees.
    const { label } = token.meta;
    token.hidden = used.has(label) && !seen.has(label);
    seen.add(label);
    token.content = lines.slice(...token.map).join("\n");
  }
  for (const token of tokens) token.info &&= unescapeAll(token.info).trim();
  return tokens;
}

/** Notes the definitions that links use. */
function note(tokens, used) {
  for (const { meta, children } of tokens) {
    if (meta?.label) used.add(meta.label);
    if (children) note(children, used);
  }
}
