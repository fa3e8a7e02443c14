// Finds the texts of agents in a form that have Markdown, and has them rendered by what is fetched then. They stay as they are where that cannot be had.
import { optional, part } from "./demand.js";

/** @import { Words } from "./words.js" */

/** Fetches what renders Markdown; nothing where it cannot be had. */
export const load = optional(part("markdown.js", () => import("./markdown.js")));
/** @type {typeof import("./markdown.js") | undefined} */
let markdown;

/** A longer text stays as it is. */
const LONGEST = 20_000;
/** For how long a page may be kept at a time, in milliseconds. */
const BUSY = 30;

/** Marks that open, and marks that close: a name with underscores has neither. */
const OPENS = /(?:^|\W)_+[^\s_]|[*~][^\s*~]/;
const CLOSES = /[^\s_]_+(?!\w)|[^\s*~][*~]/;
/** Code, a link or its definition, an address, a character by name, an escape. */
const MARKS = /`[^]*`|\][([:]|<[\w.+-]+[:@]|https?:\/\/|&#?\w+;|\\[!-/:-@[-`{-~\n]/;
/** A heading, a quote, a list, a fence, a rule or what underlines a heading, the line below the head of a table, code. */
const BLOCKS = /^ {0,3}(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|~~~|(?:[*_] *){3,}$|=+ *$|(?=.*-)[|:\- ]+$)|^(?: {4}| {0,3}\t).*\S/m;

/** What a question has of it: code, bold words, a list or a fence. */
const QUESTION = /`[^]*`|\*\*\S|^ {0,3}(?:[-+*]\s|\d{1,9}[.)]\s|~~~)/m;

/**
 * Whether a text of a kind may have Markdown, in time linear in its length.
 * @param {string} text
 * @param {string} kind
 */
export function isMarked(text, kind) {
  if (text.length > LONGEST) return false;
  if (kind === "question" || kind === "spoken") return QUESTION.test(text);
  return (OPENS.test(text) && CLOSES.test(text)) || MARKS.test(text) || (kind !== "inline" && BLOCKS.test(text));
}

/**
 * Renders the Markdown within a node, now and whenever it changes; `words` are the words of the element. Gives what stops it.
 * @param {HTMLElement} root
 * @param {Words} words
 * @returns {() => void}
 */
export function rich(root, words) {
  let stopped = false;
  // What is spoken waits for nothing: rendered later, it would be spoken twice.
  /** @type {(element: HTMLElement) => boolean | string | undefined} */
  const isNeeded = ({ dataset: { md }, textContent }) => md && (markdown || md !== "spoken") && isMarked(textContent, md);
  /** @type {(node: HTMLElement) => HTMLElement[]} */
  const find = (node) => [node, .../** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll("[data-md]"))].filter(isNeeded);
  /** @type {(found: HTMLElement[]) => Promise<void>} */
  const show = async (found) => {
    markdown ??= await load();
    let until = performance.now() + BUSY;
    for (const element of found) {
      if (performance.now() > until) {
        await new Promise((resolve) => setTimeout(resolve));
        until = performance.now() + BUSY;
      }
      // One that came with its parent and by itself is there twice.
      if (!stopped && element.isConnected && element.dataset.md) markdown?.render(element, words);
    }
  };
  /** @type {(nodes: HTMLElement[]) => void} */
  const look = (nodes) => {
    const found = nodes.flatMap((node) => (/** @type {Partial<HTMLElement>} */ (node).querySelectorAll ? find(node) : []));
    if (found.length) show(found);
  };
  const observer = new MutationObserver((records) => look(records.flatMap(({ addedNodes }) => [.../** @type {NodeListOf<HTMLElement>} */ (addedNodes)])));
  observer.observe(root, { childList: true, subtree: true });
  look([root]);
  return () => {
    stopped = true;
    observer.disconnect();
  };
}
