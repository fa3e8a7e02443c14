// Places in a JSON text, by its syntax tree: from a JSON Pointer (RFC 6901) to a range, and from a position to the path of the
// value there. Knows no schema.
import { syntaxTree } from "@codemirror/language";

/**
 * @import { EditorState } from "@codemirror/state"
 * @import { SyntaxNode } from "@lezer/common"
 * @import { Violation } from "../../types/core.js"
 */

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

/**
 * The value that is the whole text.
 * @param {EditorState} state
 * @returns {SyntaxNode | undefined}
 */
export function root(state) {
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) if (VALUES.has(node.name)) return node;
  return undefined;
}

/**
 * The members of an object: `{ name, key, value, node }`; those without a value yet have none.
 * @param {EditorState} state
 * @param {SyntaxNode} object
 */
export function members(state, object) {
  return object.getChildren("Property").map((node) => {
    const key = node.getChild("PropertyName");
    /** @type {SyntaxNode | null | undefined} */
    let value = node.lastChild;
    if (!value || !VALUES.has(value.name)) value = undefined;
    return { name: key && text(state, key), key, value, node };
  });
}

/**
 * The items of an array.
 * @param {SyntaxNode} array
 */
export function items(array) {
  /** @type {SyntaxNode[]} */
  const found = [];
  for (let node = array.firstChild; node; node = node.nextSibling) if (VALUES.has(node.name)) found.push(node);
  return found;
}

/**
 * The text of a string; as it stands, where it is not closed or badly escaped.
 * @param {EditorState} state
 * @param {SyntaxNode} node
 * @returns {string}
 */
export function text(state, node) {
  const written = state.sliceDoc(node.from, node.to);
  try {
    return JSON.parse(written);
  } catch {
    return written.replace(/^"|"$/g, "");
  }
}

/**
 * The parts of a pointer.
 * @param {string} pointer
 */
export function parts(pointer) {
  return pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The range that a violation concerns: the value at the pointer, or the key of a property that should not be there; of what is
 * missing, the key (or the opening brace) of the object that lacks it. Where the text has changed: the nearest value around.
 * @param {EditorState} state
 * @param {Pick<Violation, "instance_path" | "keyword" | "message">} violation
 * @returns {{ from: number, to: number }}
 */
export function range(state, { instance_path: pointer, keyword, message }) {
  let node = root(state);
  /** @type {SyntaxNode | null | undefined} */
  let key;
  if (!node) return { from: 0, to: state.doc.length };
  for (const part of parts(pointer)) {
    /** @type {SyntaxNode | undefined} */
    let next;
    if (node.name === "Object") {
      // Of a key that is there twice, the last counts.
      /** @type {ReturnType<typeof members>[number] | undefined} */
      const member = members(state, node).findLast(({ name }) => name === part);
      [next, key] = [member?.value, member?.key];
    } else if (node.name === "Array") {
      [next, key] = [items(node)[Number(part)], undefined];
    }
    if (!next) break;
    node = next;
  }
  if (node.name === "Object" && /^(additional|unevaluated)Properties$/.test(keyword)) {
    const named = members(state, node).find(({ name }) => message.includes(JSON.stringify(name)));
    if (named?.key) return { from: named.key.from, to: named.key.to };
  }
  if (node.name !== "Object" && node.name !== "Array") return { from: node.from, to: node.to };
  return key ? { from: key.from, to: key.to } : { from: node.from, to: node.from + 1 };
}

/**
 * The path of the value at a position: `{ path, node }`, where a number is the place of an item.
 * @param {EditorState} state
 * @param {number} position
 * @param {-1 | 0 | 1} [side=0]
 */
export function pathAt(state, position, side = 0) {
  /** @type {(string | number)[]} */
  const path = [];
  /** @type {SyntaxNode | null} */
  let inner = syntaxTree(state).resolveInner(position, side);
  const found = inner;
  for (; inner; inner = inner.parent) {
    const parent = inner.parent;
    if (parent?.name === "Array" && VALUES.has(inner.name)) path.unshift(items(parent).findIndex(({ from }) => from === /** @type {SyntaxNode} */ (inner).from));
    if (inner.name === "Property") {
      const key = inner.getChild("PropertyName");
      if (key) path.unshift(text(state, key));
    }
  }
  return { path, node: found };
}

/**
 * Keys that stand twice in one object: the ranges of all but the last, which counts.
 * @param {EditorState} state
 */
export function duplicates(state) {
  /** @type {{ name: string, from: number, to: number }[]} */
  const found = [];
  syntaxTree(state).iterate({
    enter(reference) {
      if (reference.name !== "Object") return;
      /** @type {Map<string | null, SyntaxNode>} */
      const last = new Map();
      for (const { name, key } of members(state, reference.node)) {
        if (key && last.has(name)) found.push({ name: /** @type {string} */ (name), from: /** @type {SyntaxNode} */ (last.get(name)).from, to: /** @type {SyntaxNode} */ (last.get(name)).to });
        if (key) last.set(name, key);
      }
    },
  });
  return found;
}
