// Markdown of agents as nodes, which the element fetches when a text that is shown has some. Nodes are made by calls alone, never of markup; raw HTML is
// shown as text, and no image is fetched. Knows no form: it gets the elements that hold a text of an agent.
import style from "../build/markdown-style.js";
import { MARKDOWN_COPIED, MARKDOWN_COPY, MARKDOWN_DONE, MARKDOWN_TABLE, MARKDOWN_TO_DO } from "../build/words.js";
import { addStyles } from "./json/dom.js";
import { visible } from "./json/schema.js";
import { copies } from "./markdown/copied.js";
import { parse } from "./markdown/parse.js";

/**
 * @import Token from "markdown-it/lib/token.mjs"
 * @import { Words } from "./words.js"
 */

/** How many nodes a text may become; one of more stays as it is. */
const MOST = 4_000;
/** For how long a button says that it has copied, in milliseconds. */
const SAID = 2_000;

/**
 * What an opening token becomes. The others have a function of their own.
 * @type {{ [type: string]: keyof HTMLElementTagNameMap }}
 */
const TAGS = {
  paragraph_open: "p", heading_open: "p", blockquote_open: "blockquote", bullet_list_open: "ul", ordered_list_open: "ol", list_item_open: "li",
  table_open: "table", thead_open: "thead", tbody_open: "tbody", tr_open: "tr", th_open: "th", td_open: "td",
  em_open: "em", strong_open: "strong", s_open: "s",
};
/** Art of lines and boxes, which keeps its blanks. */
const ART = /[\u2500-\u259f]|[+*][-=]{2}|\S {3,}\S/;

/**
 * Renders the Markdown of an element, in `words`, that is marked with `data-md`: "block"; "inline"; "question", which names what is asked about and so has few marks; "spoken", a question of
 * which the words are left; or "preview", whose text is one of fixed width, and stays so unless it has code, a table or a heading. What is too deep stays as it is. Says whether it
 * looks other than before.
 * @param {HTMLElement} element
 * @param {Words} words
 */
export function render(element, words) {
  const kind = /** @type {string} */ (element.dataset.md);
  delete element.dataset.md;
  const text = element.textContent;
  /** @type {ChildNode[]} */
  let nodes;
  try {
    const tokens = parse(text, kind);
    if (kind === "preview" && !isDocument(tokens)) return false;
    // An address that asks for consent is the only one that can be opened beside it. In a server's form nothing is a link.
    nodes = new Nodes(element.ownerDocument, words, kind, !element.closest("[data-type=url], [data-server]")).of(tokens);
  } catch {
    return false;
  }
  const [first, second] = /** @type {HTMLElement[]} */ (nodes);
  const only = second ? undefined : first?.nodeName === "P" && first.className === "" ? first.firstChild : first;
  // Several lines become a paragraph.
  if (only?.nodeName === "#text" && /** @type {Text} */ (only).data === text && !only.nextSibling && !text.includes("\n")) return false;
  if (kind === "spoken") {
    element.textContent = heard(nodes);
    return false;
  }
  // A question of one paragraph is a line.
  if (kind === "question" && first?.nodeName === "P" && !second) nodes = [...first.childNodes];
  addStyles(/** @type {ShadowRoot} */ (element.getRootNode()), style);
  element.classList.add("md");
  // Lists and code stand in no paragraph.
  if (kind !== "inline" && !element.hasAttribute("role")) element.setAttribute("role", "none");
  element.replaceChildren(...nodes);
  copies(element, text);
  return true;
}

/**
 * What is heard of the nodes of a question: its words, in lines as they are seen.
 * @param {ChildNode[]} nodes
 */
function heard(nodes) {
  const root = /** @type {Document} */ (nodes[0].ownerDocument).createElement("div");
  root.append(...nodes);
  for (const bar of root.querySelectorAll(".md-code > p")) bar.remove();
  for (const line of root.querySelectorAll("p, li, pre, br")) line.after("\n");
  return root.textContent.replace(/\n+/g, "\n").trim();
}

/**
 * Whether a preview is Markdown, and not a drawing.
 * @param {Token[]} tokens
 */
function isDocument(tokens) {
  /** @type {(token: Token) => boolean} */
  const isBlock = ({ type, markup }) => type === "fence" || type === "table_open" || (type === "heading_open" && markup.startsWith("#"));
  return tokens.some(isBlock) && !tokens.some(({ type, content }) => type === "inline" && ART.test(content));
}

/** The nodes of one text. */
class Nodes {
  /** @type {Document} */
  #document;
  /** @type {Words} */
  #words;
  /**
   * Whether it is a question: it has no links and no tasks, which would hide what it names.
   * @type {boolean}
   */
  #isQuestion;
  /** @type {boolean} */
  #links;
  #left = MOST;

  /**
   * @param {Document} document
   * @param {Words} words
   * @param {string} kind
   * @param {boolean} links
   */
  constructor(document, words, kind, links) {
    this.#document = document;
    this.#words = words;
    this.#isQuestion = kind === "question" || kind === "spoken";
    this.#links = links;
  }

  /**
   * @param {Token[]} tokens
   * @returns {ChildNode[]}
   */
  of(tokens) {
    const root = this.#document.createDocumentFragment();
    this.#blocks(tokens, root);
    return [...root.childNodes];
  }

  /**
   * @param {Token[]} tokens
   * @param {DocumentFragment} root
   */
  #blocks(tokens, root) {
    /** @type {(HTMLElement | DocumentFragment)[]} */
    const open = [root];
    for (const token of tokens) {
      const { type, nesting, content } = token;
      let parent = /** @type {HTMLElement} */ (open.at(-1));
      if (type === "inline") {
        this.#inline(token.children, parent);
        const item = parent.nodeName === "P" && parent === /** @type {HTMLElement} */ (parent.parentNode).firstChild ? /** @type {HTMLElement} */ (parent.parentNode) : parent;
        if (item.nodeName === "LI" && !this.#isQuestion) this.#task(item, parent);
      } else if (token.hidden) continue;
      else if (nesting < 0) open.pop();
      else if (TAGS[type]) {
        if (type === "table_open") parent = parent.appendChild(this.#table());
        const made = /** @type {HTMLElement & { start?: unknown }} */ (parent.appendChild(this.#element(TAGS[type])));
        made.dir = "auto";
        const { start, style: align } = Object.fromEntries(token.attrs ?? []);
        if (start !== undefined) made.start = start;
        if (type === "heading_open") made.className = "md-heading";
        if (align) made.className = `md-${align.slice(11)}`;
        open.push(made);
      } else if (type === "hr") parent.append(this.#element("hr"));
      else if (type === "fence" || type === "code_block") parent.append(this.#code(content.replace(/\n$/, ""), token.info));
      else {
        const made = parent.appendChild(this.#element("p", content.trimEnd()));
        if (type === "reference_definition") made.className = "md-definition";
      }
    }
  }

  /**
   * @param {Token[]} tokens
   * @param {HTMLElement} root
   */
  #inline(tokens, root) {
    /** @type {HTMLElement[]} */
    const open = [root];
    /**
     * The address of the link that is open, if one is.
     * @type {string | undefined}
     */
    let address;
    /** @type {string | undefined} */
    let title;
    for (const token of tokens) {
      const { type, nesting, content } = token;
      const parent = /** @type {HTMLElement} */ (open.at(-1));
      const { href, src, title: said } = Object.fromEntries(token.attrs ?? []);
      if (type === "link_open") {
        [address, title] = [href, said];
        open.push(this.#element("span"));
      } else if (type === "link_close") {
        const held = /** @type {HTMLElement} */ (open.pop());
        /** @type {HTMLElement} */ (open.at(-1)).append(this.#link(/** @type {string} */ (address), title, held.childNodes));
        address = undefined;
      } else if (nesting < 0) open.pop();
      else if (TAGS[type]) open.push(parent.appendChild(this.#element(TAGS[type])));
      else if (type === "code_inline") parent.append(this.#element("code", content));
      else if (type === "hardbreak") parent.append(this.#element("br"));
      else if (type === "image") {
        const alt = [this.#text(plain(token.children) || src)];
        parent.append(...(address === undefined ? [this.#link(src, said, alt)] : alt));
      } else if (type === "text" && address === undefined && !this.#isQuestion) parent.append(...this.#addresses(content));
      else parent.append(this.#text(content));
    }
  }

  /**
   * The box of a task, in place of its marks. It is no control: nothing here answers.
   * @param {HTMLElement} item
   * @param {HTMLElement} holder
   */
  #task(item, holder) {
    const first = /** @type {Text} */ (holder.firstChild);
    const [marks, state] = (first?.nodeName === "#text" && /^\[([ xX])\][ \n]/.exec(first.data)) || [];
    if (!marks) return;
    first.data = first.data.slice(marks.length - 1);
    const isDone = state !== " ";
    const box = this.#element("span", isDone ? "☑" : "☐");
    box.setAttribute("role", "img");
    this.#words.follow(box, () => box.setAttribute("aria-label", this.#words.say(isDone ? MARKDOWN_DONE : MARKDOWN_TO_DO)));
    first.before(box);
    item.className = "md-task";
  }

  /** What a table stands in: it scrolls where it is wide. */
  #table() {
    const made = this.#element("div");
    made.className = "md-table";
    made.tabIndex = 0;
    made.setAttribute("role", "group");
    this.#words.follow(made, () => made.setAttribute("aria-label", this.#words.say(MARKDOWN_TABLE)));
    return made;
  }

  /**
   * @param {string} text
   * @param {string} info
   */
  #code(text, info) {
    const made = this.#element("div");
    const bar = this.#element("p", info);
    const button = this.#element("button");
    /** @type {import("./words.js").Word} */
    let said = MARKDOWN_COPY;
    const say = () => (button.textContent = this.#words.say(said));
    this.#words.follow(button, say);
    const pre = this.#element("pre");
    const code = this.#element("code", text);
    made.className = "md-code";
    made.dir = "ltr";
    button.type = "button";
    button.setAttribute("part", "button");
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        said = MARKDOWN_COPIED;
        say();
        setTimeout(() => ((said = MARKDOWN_COPY), say()), SAID);
      } catch {
        // Where a page may not write to the clipboard, the person can: the text is selected.
        /** @type {Selection} */ (getSelection()).selectAllChildren(code);
      }
    });
    bar.append(button);
    pre.append(code);
    made.append(bar, pre);
    return made;
  }

  /**
   * A text, whose addresses are links.
   * @param {string} text
   */
  #addresses(text) {
    /** @type {(Text | HTMLElement)[]} */
    const found = [];
    let end = 0;
    for (const { 0: match, index } of text.matchAll(/https?:\/\/[^\s<>"`]+/g)) {
      if (/\w/.test(text[index - 1] ?? "")) continue;
      const address = trimmed(match);
      found.push(this.#text(text.slice(end, index)), this.#link(address, undefined, [this.#text(address)]));
      end = index + address.length;
    }
    return [...found, this.#text(text.slice(end))].filter((node) => /** @type {Partial<Text>} */ (node).data !== "");
  }

  /**
   * A link to an address that may be opened, with its host where the text does not say it; else the text, and the address as a text.
   * @param {string} address
   * @param {string | undefined} title
   * @param {Iterable<Node>} nodes
   */
  #link(address, title, nodes) {
    const url = target(address);
    const opens = url && this.#links;
    const made = this.#element(opens ? "a" : "span");
    made.append(...nodes);
    if (opens) Object.assign(made, { href: url.href, target: "_blank", rel: "noopener noreferrer", referrerPolicy: "no-referrer" });
    made.title = visible([title, opens && url.href].filter(Boolean).join("\n"));
    const place = opens ? url.host || url.pathname : address;
    if (!says(made.textContent, place)) {
      const told = this.#element("span", ` (${place})`);
      told.className = "md-to";
      told.dir = "ltr";
      made.append(told);
    }
    return made;
  }

  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {string} [text]
   * @returns {HTMLElementTagNameMap[Tag]}
   */
  #element(tag, text) {
    if (--this.#left < 0) throw new RangeError("too many nodes");
    const made = this.#document.createElement(tag);
    if (text) made.textContent = visible(text);
    return made;
  }

  /** @param {string} text */
  #text(text) {
    return this.#document.createTextNode(visible(text));
  }
}

/**
 * The text of an image: its words without marks.
 * @type {(tokens: Token[]) => string}
 */
const plain = (tokens) => tokens.map(({ type, content, children }) => (children ? plain(children) : type === "softbreak" ? "\n" : content)).join("");

/**
 * An address that a person may open from here; nothing for any other, such as one with a name before its host.
 * @param {string} written
 */
function target(written) {
  // A backslash is one, as CommonMark has it. The URL standard takes it for a slash.
  const address = written.replaceAll("\\", "%5C");
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.username || url.password ? undefined : url;
}

/**
 * Whether a text says by itself where a link leads: it begins with the very place.
 * @param {string} text
 * @param {string} place
 */
function says(text, place) {
  if (text === place) return true;
  const shown = text.trim().toLowerCase().replace(/^https?:\/\//, "");
  return shown.startsWith(place.toLowerCase()) && /^([/?#]|$)/.test(shown.slice(place.length));
}

/**
 * An address without what ends the sentence around it.
 * @param {string} address
 */
function trimmed(address) {
  for (;;) {
    const [last] = address.slice(-1);
    const isOpen = last === ")" && address.split(")").length > address.split("(").length;
    if (!isOpen && !/[?!.,:;*_~'|]/.test(last)) return address;
    address = address.slice(0, -1);
  }
}
