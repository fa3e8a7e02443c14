// What is copied of a text that is shown as Markdown: the characters as they were written. Knows no form.

/**
 * What each element was rendered from.
 * @type {WeakMap<Node, string>}
 */
const written = new WeakMap();
/**
 * The trees whose copies are heard.
 * @type {WeakSet<Node>}
 */
const heard = new WeakSet();

/**
 * What is copied of an element from now on is `text`, or the part of it that is selected.
 * @param {Element} element
 * @param {string} text
 */
export function copies(element, text) {
  written.set(element, text);
  const root = element.getRootNode();
  if (heard.has(root)) return;
  heard.add(root);
  root.addEventListener("copy", (event) => {
    // A field has a selection of its own.
    if (event.defaultPrevented || /** @type {Element} */ (event.target).closest?.("input, textarea, [contenteditable]")) return;
    const range = selected(/** @type {ShadowRoot} */ (root));
    const copied = range && copy(range);
    if (!copied) return;
    /** @type {DataTransfer} */ (/** @type {ClipboardEvent} */ (event).clipboardData).setData("text/plain", copied);
    event.preventDefault();
  });
}

/**
 * What is selected in a tree. Each browser tells that of a shadow tree in its own way.
 * @param {ShadowRoot | Document} root
 * @returns {Range | undefined}
 */
function selected(root) {
  const of = /** @type {Document} */ (/** @type {Document} */ (root).getSelection ? root : root.ownerDocument);
  const selection = of.getSelection();
  if (!selection?.rangeCount) return undefined;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getComposedRanges?.({ shadowRoots: [/** @type {ShadowRoot} */ (root)] })[0] ?? selection.getRangeAt(0);
  if (!root.contains(startContainer) || !root.contains(endContainer)) return undefined;
  const range = /** @type {Document} */ (root.ownerDocument).createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range;
}

/**
 * The text of a range; nothing where no Markdown is in it: the browser knows better what to copy then.
 * @param {Range} range
 */
function copy(range) {
  let isRendered = false;
  let text = "";
  let breaks = false;
  /** @type {(piece: string) => void} */
  const add = (piece) => {
    if (piece && breaks && text) text += "\n";
    if (piece) breaks = false;
    text += piece;
  };
  /** @type {(node: Node) => void} */
  const take = (node) => {
    if (!range.intersectsNode(node)) return;
    if (node.nodeType === Node.TEXT_NODE) return add(part(/** @type {Text} */ (node), range));
    if (node.nodeType !== Node.ELEMENT_NODE || !/** @type {Element} */ (node).checkVisibility()) return;
    const isLine = !getComputedStyle(/** @type {Element} */ (node)).display.startsWith("inline");
    breaks ||= isLine;
    if (/** @type {Element} */ (node).classList.contains("md") && written.has(node)) {
      isRendered = true;
      add(source(/** @type {Element} */ (node), range));
    } else node.childNodes.forEach(take);
    breaks ||= isLine || node.nodeName === "BR";
  };
  const { commonAncestorContainer: common } = range;
  const host = /** @type {Element} */ (common.nodeType === Node.TEXT_NODE ? common.parentNode : common).closest?.(".md");
  (host ? [host] : [...common.childNodes]).forEach(take);
  return isRendered ? text : undefined;
}

/**
 * What of a text is in a range.
 * @type {(node: Text, range: Range) => string}
 */
const part = (node, range) => node.data.slice(...within(node, range));
/** @type {(node: Text, range: Range) => [from: number, to: number]} */
const within = (node, { startContainer, startOffset, endContainer, endOffset }) => [node === startContainer ? startOffset : 0, node === endContainer ? endOffset : node.data.length];

/**
 * What an element was rendered from, as far as it is in a range: from where its first character can stand in the source at the earliest, to where its last one can at the latest. All of it, where what is shown
 * has characters that were not written, such as those that stand for invisible ones.
 * @param {Element} element
 * @param {Range} range
 * @returns {string}
 */
function source(element, range) {
  const text = /** @type {string} */ (written.get(element));
  /** @type {[character: string, isIn: boolean][]} */
  const shown = [];
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let isWhole = true;
  while (texts.nextNode()) {
    const { currentNode: node } = /** @type {{ currentNode: Text }} */ (/** @type {unknown} */ (texts));
    if (/** @type {Element} */ (node.parentNode).closest("button, .md-to, .md-code > p")) continue;
    const [from, to] = range.intersectsNode(node) ? within(node, range) : [0, 0];
    for (let at = 0; at < node.data.length; at += 1) {
      if (/\s/.test(node.data[at])) continue;
      const isIn = at >= from && at < to;
      isWhole &&= isIn;
      shown.push([node.data[at], isIn]);
    }
  }
  if (isWhole) return text;
  const first = shown.findIndex(([, isIn]) => isIn);
  const last = shown.findLastIndex(([, isIn]) => isIn);
  if (first < 0) return "";
  let from = -1;
  for (const [character] of shown.slice(0, first + 1)) if ((from = text.indexOf(character, from + 1)) < 0) return text;
  let to = text.length;
  for (const [character] of shown.slice(last).reverse()) if (to <= 0 || (to = text.lastIndexOf(character, to - 1)) < 0) return text;
  if (to < from) return text;
  // An escape has its backslash, and a character by name its name.
  if (text[from - 1] === "\\") from -= 1;
  const [named] = /^&#?\w+;/.exec(text.slice(to)) ?? [];
  return text.slice(from, to + (named ?? " ").length);
}
