// Markdown as tokens: CommonMark with the tables and the strikethrough of GFM, or the little that a question has, by the parsers of markdown-it, without the rest of it. Knows no page. Time is
// bounded: a text has a greatest length, and containers and marks a greatest depth.
import { unescapeAll } from "markdown-it/lib/common/utils.mjs";
import { parseLinkDestination, parseLinkLabel, parseLinkTitle } from "markdown-it/lib/helpers/index.mjs";
import ParserBlock from "markdown-it/lib/parser_block.mjs";
import ParserInline from "markdown-it/lib/parser_inline.mjs";
import reference from "markdown-it/lib/rules_block/reference.mjs";
import backticks from "markdown-it/lib/rules_inline/backticks.mjs";
import join from "markdown-it/lib/rules_core/text_join.mjs";

/**
 * @import Token from "markdown-it/lib/token.mjs"
 * @import { BlockState, InlineState, Parts } from "markdown-it/lib/parser_block.mjs"
 */

/**
 * What a text is, as `render` knows it.
 * @typedef {"block" | "inline" | "question" | "spoken" | "preview"} Kind
 */

/** How deep quotes, lists and marks may stand in each other. */
const DEPTH = 40;

const common = {
  // Raw HTML is a token of its own, and so is never taken for Markdown.
  options: { html: true, maxNesting: DEPTH },
  helpers: { parseLinkDestination, parseLinkLabel, parseLinkTitle },
  block: new ParserBlock(),
  // Which addresses may be opened is decided where links are made.
  validateLink: () => true,
  normalizeLink: (/** @type {string} */ address) => address,
  normalizeLinkText: (/** @type {string} */ address) => address,
};
common.block.ruler.at("reference", define);
const page = { ...common, inline: new ParserInline() };
const line = { ...common, inline: new ParserInline() };
for (const { inline } of [page, line]) inline.ruler.at("backticks", code);
// All line breaks of one line count.
line.inline.ruler.disable("newline");

// The text of a question names what is asked about. Paths, patterns and names have underscores, single asterisks, tildes, backslashes and entities: none of them is a mark.
const question = { ...common, block: new ParserBlock(), inline: new ParserInline() };
question.block.ruler.enableOnly(["fence", "list", "paragraph"]);
question.inline.ruler.at("backticks", code);
question.inline.ruler.at("emphasis", bold);
question.inline.ruler.enableOnly(["text", "newline", "backticks", "emphasis"]);
question.inline.ruler2.enableOnly([]);
/** @type {{ [kind: string]: Parts }} */
const KINDS = { block: page, preview: page, question, spoken: question };

/**
 * The tokens of a text of one of the kinds that `render` knows. Throws where it is nested too deeply: what is left out there would be lost.
 * @param {string} source
 * @param {string} kind
 * @returns {Token[]}
 */
export function parse(source, kind) {
  const text = source.replace(/\r\n?/g, "\n");
  const md = KINDS[kind] ?? line;
  /** @type {Token[]} */
  const tokens = [];
  /** @type {{ [name: string]: any }} */
  const env = {};
  if (md !== line) md.block.parse(text, md, env, tokens);
  else tokens.push(/** @type {Token} */ ({ type: "inline", content: text, children: /** @type {Token[]} */ ([]) }));
  for (const token of tokens) {
    if (token.nesting === 1 && token.level >= DEPTH - 1) throw new RangeError("nested too deeply");
    if (token.type !== "inline") continue;
    md.inline.parse(token.content, md, env, token.children);
    // A line break is a text like any other, and is joined to those around it.
    for (const child of token.children) if (child.type === "softbreak") Object.assign(child, { type: "text", content: "\n" });
    lead(token.children);
  }
  join({ tokens });
  const lines = text.split("\n");
  for (const token of tokens) {
    if (token.type === "reference_definition") token.content = lines.slice(.../** @type {[number, number]} */ (token.map)).join("\n");
    token.info &&= unescapeAll(token.info).trim();
  }
  return tokens;
}

/**
 * markdown-it's rule for definitions, which leaves nothing of them. This one leaves a token, which stands in place of the address until a link has it.
 * @param {BlockState} state
 * @param {number} first
 * @param {number} last
 * @returns {boolean}
 */
function define(state, first, last) {
  const { env } = state;
  /** @type {{ [label: string]: { href: any, title: string } }} */
  const references = {};
  state.env = { references };
  const isDefinition = reference(state, first, last);
  state.env = env;
  for (const [label, { href, title }] of Object.entries(references)) {
    const token = Object.assign(state.push("reference_definition", "", 0), { map: [first, state.line], meta: { href } });
    env.references ??= {};
    env.references[label] ??= { href: token, title };
  }
  return isDefinition;
}

/**
 * markdown-it's rule for code, which forgets marks once it has passed them. This one knows the last of each length beforehand.
 * @param {InlineState} state
 * @param {boolean} isSilent
 * @returns {boolean}
 */
function code(state, isSilent) {
  state.marks ??= Object.fromEntries(Array.from(state.src.matchAll(/`+/g), ({ 0: { length }, index }) => [length, index]));
  state.backticks = Object.create(state.marks);
  state.backticksScanned = true;
  return backticks(state, isSilent);
}

/** Text between double asterisks at the edges of words: a glob has them elsewhere. */
const BOLD = /(?<![^\s("'[])\*\*(?=[\p{L}\p{N}`"'(])((?:(?!\*\*)[^\n])*[^\s*])\*\*(?![^\s.,:;!?)"'\]])/uy;
/**
 * @param {InlineState} state
 * @param {boolean} isSilent
 * @returns {boolean}
 */
function bold(state, isSilent) {
  BOLD.lastIndex = state.pos;
  const [whole, content] = state.src[state.pos] === "*" ? (BOLD.exec(state.src) ?? []) : [];
  if (!whole) return false;
  if (!isSilent) {
    const { pos, posMax } = state;
    state.push("strong_open", "strong", 1);
    Object.assign(state, { pos: pos + 2, posMax: pos + 2 + content.length });
    state.md.inline.tokenize(state);
    state.push("strong_close", "strong", -1);
    Object.assign(state, { pos, posMax });
  }
  state.pos += whole.length;
  return true;
}

/**
 * Gives links the address of their definition. One that no link uses is not hidden: it would be a text that nobody sees.
 * @param {Token[]} tokens
 */
function lead(tokens) {
  for (const { attrs, children } of tokens) {
    for (const attr of attrs ?? []) {
      const [, definition] = /** @type {[string, string | (Token & { meta: { href: string } })]} */ (attr);
      if (typeof definition === "string") continue;
      definition.hidden = true;
      attr[1] = definition.meta.href;
    }
    if (children) lead(children);
  }
}
