// The parsers of markdown-it, as far as `src/markdown/parse.js` uses them. Its own package has no types.
declare module "markdown-it/lib/token.mjs" {
  export default interface Token {
    type: string;
    tag?: string;
    nesting: -1 | 0 | 1;
    level: number;
    content: string;
    markup: string;
    info: string;
    hidden?: boolean;
    attrs?: [name: string, value: string][] | null;
    children: Token[];
    map?: [first: number, end: number] | null;
    meta?: { href: string };
  }
}

declare module "markdown-it/lib/parser_block.mjs" {
  import type Token from "markdown-it/lib/token.mjs";
  import type ParserInline from "markdown-it/lib/parser_inline.mjs";

  /** What the parsers ask of the object around them. */
  export interface Parts {
    options: { html: boolean; maxNesting: number };
    helpers: object;
    block: ParserBlock;
    inline: ParserInline;
    validateLink(address: string): boolean;
    normalizeLink(address: string): string;
    normalizeLinkText(address: string): string;
  }

  /** The rules of a parser, by name. */
  export interface Ruler<Rule> {
    at(name: string, rule: Rule): void;
    disable(name: string): void;
    enableOnly(names: string[]): void;
  }

  export interface BlockState {
    env: { [name: string]: any };
    line: number;
    push(type: string, tag: string, nesting: -1 | 0 | 1): Token;
  }

  export interface InlineState {
    src: string;
    pos: number;
    posMax: number;
    md: Parts;
    backticks: object;
    backticksScanned: boolean;
    /** Where the last run of each length of backticks begins: of `src/markdown/parse.js` itself. */
    marks?: { [length: string]: number };
    push(type: string, tag: string, nesting: -1 | 0 | 1): Token;
  }

  export default class ParserBlock {
    ruler: Ruler<(state: BlockState, first: number, last: number) => boolean>;
    parse(text: string, md: Parts, env: object, tokens: Token[]): void;
  }
}

declare module "markdown-it/lib/parser_inline.mjs" {
  import type { InlineState, Parts, Ruler } from "markdown-it/lib/parser_block.mjs";
  import type Token from "markdown-it/lib/token.mjs";

  export default class ParserInline {
    ruler: Ruler<(state: InlineState, isSilent: boolean) => boolean>;
    ruler2: Ruler<(state: InlineState) => boolean>;
    parse(text: string, md: Parts, env: object, tokens: Token[]): void;
    tokenize(state: InlineState): void;
  }
}

declare module "markdown-it/lib/rules_block/reference.mjs" {
  import type { BlockState } from "markdown-it/lib/parser_block.mjs";
  export default function reference(state: BlockState, first: number, last: number, isSilent?: boolean): boolean;
}

declare module "markdown-it/lib/rules_inline/backticks.mjs" {
  import type { InlineState } from "markdown-it/lib/parser_block.mjs";
  export default function backticks(state: InlineState, isSilent: boolean): boolean;
}

declare module "markdown-it/lib/rules_core/text_join.mjs" {
  import type Token from "markdown-it/lib/token.mjs";
  export default function join(state: { tokens: Token[] }): void;
}

declare module "markdown-it/lib/common/utils.mjs" {
  export function unescapeAll(text: string): string;
}

declare module "markdown-it/lib/helpers/index.mjs" {
  export function parseLinkLabel(...given: unknown[]): number;
  export function parseLinkDestination(...given: unknown[]): object;
  export function parseLinkTitle(...given: unknown[]): object;
}
