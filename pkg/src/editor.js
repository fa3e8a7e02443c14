// The JSON editor, which the element fetches when a form has a schema: CodeMirror over the form's own text area, which keeps the
// text. It knows the schema for its proposals; whether a value fits, it asks the form.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bidiIsolates, bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { forceLinting, lintGutter, linter, lintKeymap } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Prec, StateEffect, StateField, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, showTooltip, tooltips } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import style from "../build/editor-style.js";
import { JSON_ANSWER, JSON_DUPLICATE, JSON_EDITOR, JSON_FORMAT, JSON_KEYS, JSON_PLAIN, JSON_REQUIRED } from "../build/words.js";
import { Document } from "./json/document.js";
import { addStyles, element, follows } from "./json/dom.js";
import { duplicates, members, pathAt, range, root } from "./json/places.js";
import { describe, facts, HIDDEN, properties, schemasAt, start, values, visible } from "./json/schema.js";
import { phrases } from "./json/phrases.js";
import { pretty } from "./json/source.js";
import { painted } from "./painted.js";

/**
 * @import { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
 * @import { Diagnostic } from "@codemirror/lint"
 * @import { Tooltip } from "@codemirror/view"
 * @import { SyntaxNode } from "@lezer/common"
 * @import { Word, Words } from "./words.js"
 * @import { Layer, Refusal } from "./layers.js"
 */

/** @typedef {(string | number)[]} Path */

/**
 * What is wrong, and at which JSON Pointer.
 * @typedef {Diagnostic & { path: string }} Found
 */

/**
 * What is wrong with a text, if anything is.
 * @typedef {(text: string) => Refusal | undefined} Check
 */

/** @typedef {import("./json/schema.js").Schema} Schema */

/** How long nothing is typed before the text is checked, in milliseconds. */
const IDLE = 300;
/** Above this many characters the text is checked after a longer pause. */
const LARGE = 200_000;

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, class: "json-key" },
  { tag: tags.string, class: "json-string" },
  { tag: tags.number, class: "json-number" },
  { tag: [tags.bool, tags.null], class: "json-word" },
]);

/**
 * Puts an editor over the text area of a `schema` question. `check(text)` gives nothing, or the refusal that the form would give, in `words`;
 * `submit()` sends the answer; `before` are the fields over the same text area, if there are any: both change one document. The fields are painted first. Promises `{ destroy() }`.
 * @param {HTMLTextAreaElement} area
 * @param {{ schema: string, check: Check, submit: () => void, words: Words, before?: Layer }} given
 * @returns {Promise<{ destroy(): void } | undefined>}
 */
export async function attach(area, { schema: written, check, submit, words, before }) {
  if (before?.isShown?.()) await painted();
  // The form may have gone on meanwhile.
  if (!area.isConnected) return undefined;
  const schema = JSON.parse(written);
  const document = before?.document ?? new Document(area);
  addStyles(/** @type {ShadowRoot} */ (area.getRootNode()), style);
  const focused = /** @type {ShadowRoot} */ (area.getRootNode()).activeElement === area;
  const place = element("div", { className: "editor" });
  const problems = element("ul", { className: "problems" }, { part: "problems", "aria-live": "polite" });
  const tools = element("div", { className: "buttons tools" });
  const keys = element("p", { className: "hint editor-keys" });
  const language = new Compartment();
  let tabIndents = false;

  const view = new EditorView({
    root: /** @type {ShadowRoot} */ (area.getRootNode()),
    state: EditorState.create({
      doc: document.base,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: "Mod-Enter", run: () => (document.flush(), submit(), true) },
            { key: "F1", run: (view) => describeAt(view, schema, words) },
          ]),
        ),
        // Tab leads on, unless Escape was pressed right before: then it indents. A second Escape is the form's.
        Prec.lowest(
          EditorView.domEventHandlers({
            keydown(event) {
              // Reached only by what the editor itself has no use for.
              if (event.key === "Escape" && !tabIndents) event.stopPropagation();
              if (event.key === "Escape") tabIndents = !tabIndents;
              return false;
            },
          }),
        ),
        EditorView.domEventHandlers({ beforeinput: replaceSelected }),
        lineNumbers(),
        foldGutter(),
        highlightSpecialChars({ specialChars: HIDDEN, render: marked }),
        bidiIsolates(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        EditorState.tabSize.of(2),
        indentUnit.of("  "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        search({ top: true }),
        json(),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [(context) => propose(context, schema, words)], activateOnTyping: true }),
        tooltips({ position: "absolute", parent: place }),
        lintGutter(),
        linter((view) => (isSeen() ? diagnose(view, check, show, words) : []), { delay: area.value.length > LARGE ? IDLE * 4 : IDLE }),
        hoverTooltip((view, position) => tip(view, position, schema, words)),
        described,
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
        EditorView.lineWrapping,
        language.of(spoken()),
        EditorView.contentAttributes.of({
          "aria-describedby": area.getAttribute("aria-describedby") ?? "",
          "data-field": "",
          spellcheck: "false",
          autocapitalize: "off",
        }),
        EditorView.updateListener.of(({ docChanged, changes, transactions }) => {
          if (!docChanged) return;
          let at = 0;
          changes.iterChangedRanges((from, to, fromNow) => (at ||= fromNow));
          document.changed(at, transactions.some((one) => one.isUserEvent("undo") || one.isUserEvent("redo")));
        }),
      ],
    }),
    parent: place,
  });

  // The editor itself lets every Tab pass after Escape: it is caught before.
  view.contentDOM.addEventListener(
    "keydown",
    (event) => {
      if (!["Tab", "Shift", "Escape"].includes(event.key)) tabIndents = false;
      if (event.key !== "Tab" || !tabIndents) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      (event.shiftKey ? indentLess : indentMore)(view);
    },
    { capture: true },
  );

  const invalid = () => view.contentDOM.setAttribute("aria-invalid", area.getAttribute("aria-invalid") ?? "false");
  const watch = new MutationObserver(invalid);
  watch.observe(area, { attributes: true, attributeFilter: ["aria-invalid"] });
  invalid();

  document.bind({
    text: () => view.state.doc.toString(),
    apply: (changes) => view.dispatch({ changes, annotations: [isolateHistory.of("full"), Transaction.userEvent.of("input.fields")] }),
    undo: () => undo(view),
    redo: () => redo(view),
    depth: () => [undoDepth(view.state), redoDepth(view.state)],
    look: () => forceLinting(view),
  });
  button(() => JSON_FORMAT, () => format(view));
  const toggle = button(() => (place.hidden ? JSON_EDITOR : JSON_PLAIN), () => showPlain(!place.hidden));
  place.append(problems);
  area.after(place, tools, keys);
  mark();
  area.removeAttribute("data-field");
  area.hidden = true;
  // A focus that the form gave is the editor's.
  if (focused) view.focus();

  /** What CodeMirror says, and the name of the editor. */
  function spoken() {
    return [EditorState.phrases.of(phrases(words)), EditorView.contentAttributes.of({ "aria-label": words.say(JSON_ANSWER) })];
  }

  /**
   * @param {() => Word} word
   * @param {() => void} run
   */
  function button(word, run) {
    const made = element("button", { type: "button", className: "button" }, { part: "button" });
    words.follow(made, () => (made.textContent = words.say(word())));
    made.addEventListener("click", run);
    tools.append(made);
    return made;
  }

  /**
   * The plain text area does the whole job, for those who want it.
   * @param {boolean} plain
   */
  function showPlain(plain) {
    document.flush();
    place.hidden = plain;
    mark();
    area.hidden = !plain;
    keys.hidden = plain;
    toggle.textContent = words.say(plain ? JSON_EDITOR : JSON_PLAIN);
    const field = plain ? area : view.contentDOM;
    (plain ? view.contentDOM : area).removeAttribute("data-field");
    field.setAttribute("data-field", "");
    if (!plain) document.show();
    field.focus();
  }

  /** Says at the form whether the editor is shown and lists errors, for the style sheet. WebKit does not notice with `:has()` that the editor is hidden. */
  function mark() {
    const form = place.closest("form");
    if (place.hidden) form?.removeAttribute("data-editor");
    else form?.setAttribute("data-editor", problems.childElementCount ? "lists" : "");
  }

  /** Whether a person sees the editor: what is wrong is looked for then alone. */
  function isSeen() {
    return !place.hidden && before?.isShown?.() !== true;
  }

  /**
   * Lists what is wrong, each with a link to its place.
   * @param {Found[]} diagnostics
   */
  function show(diagnostics) {
    follows(problems);
    problems.replaceChildren(
      ...diagnostics.map(({ from, to, message, path }) => {
        const item = element("li");
        const link = element("button", { type: "button", className: "link" });
        const code = element("code", { className: "isolated", textContent: visible(path) });
        link.append(...(path ? [code, " "] : []), element("span", { className: "isolated", textContent: message }));
        link.addEventListener("click", () => select(from, to));
        item.append(link);
        return item;
      }),
    );
    mark();
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  function select(from, to) {
    const end = Math.min(to, view.state.doc.length);
    view.dispatch({ selection: { anchor: Math.min(from, end), head: end }, scrollIntoView: true });
    view.focus();
  }

  words.follow(keys, () => {
    keys.textContent = words.say(JSON_KEYS);
    view.dispatch({ effects: language.reconfigure(spoken()) });
    forceLinting(view);
  });
  return {
    destroy() {
      if (!before) document.destroy();
      watch.disconnect();
      view.destroy();
    },
  };
}

/**
 * Text typed over a selection. Left to the browser, it would write inline styles into the page on the way, which a content
 * security policy refuses and reports.
 * @param {InputEvent} event
 * @param {EditorView} view
 */
function replaceSelected(event, view) {
  const { data } = event;
  if (event.inputType !== "insertText" || event.isComposing || !data || view.state.selection.ranges.length > 1) return false;
  const [from, to] = selected(view);
  if (from === to) return false;
  const text = view.state.toText(data);
  const insert = () =>
    view.state.update({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, userEvent: "input.type", scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/**
 * The selection as the page has it, of which the editor may not have heard yet.
 * @param {EditorView} view
 * @returns {[from: number, to: number]}
 */
function selected(view) {
  const { main } = view.state.selection;
  const there = /** @type {globalThis.Document} */ (/** @type {unknown} */ (view.root)).getSelection?.();
  if (!there || there.isCollapsed || !view.contentDOM.contains(there.anchorNode)) return [main.from, main.to];
  /** @type {[from: number, to: number]} */
  const ends = [view.posAtDOM(/** @type {Node} */ (there.anchorNode), there.anchorOffset), view.posAtDOM(/** @type {Node} */ (there.focusNode), there.focusOffset)];
  return ends.sort((a, b) => a - b);
}

/**
 * What is wrong with the text: that it is no JSON, or what its schema does not accept; and keys that stand twice.
 * @param {EditorView} view
 * @param {Check} check
 * @param {(found: Found[]) => void} show
 * @param {Words} words
 * @returns {Found[]}
 */
function diagnose(view, check, show, words) {
  const { state } = view;
  const refusal = check(state.doc.toString());
  /** @type {Found[]} */
  const found = duplicates(state).map(({ name, from, to }) => ({ from, to, severity: "warning", message: words.say(JSON_DUPLICATE, { key: JSON.stringify(name) }), path: "" }));
  if (refusal?.details) {
    for (const violation of refusal.details) {
      found.push({ ...range(state, violation), severity: "error", message: violation.message, path: violation.instance_path });
    }
  } else if (refusal) {
    found.push({ ...(fault(state) ?? { from: 0, to: state.doc.length }), severity: "error", message: refusal.message, path: "" });
  }
  for (const one of found) one.message = visible(one.message);
  found.sort((a, b) => a.from - b.from);
  show(found);
  return found;
}

/**
 * Where the text stops being JSON.
 * @param {EditorState} state
 * @returns {{ from: number, to: number } | undefined}
 */
function fault(state) {
  /** @type {{ from: number, to: number } | undefined} */
  let at;
  syntaxTree(state).iterate({
    enter({ type, from, to }) {
      if (at === undefined && type.isError) at = { from, to: Math.max(to, Math.min(from + 1, state.doc.length)) };
    },
  });
  return at;
}

/**
 * Property names where a key can stand, values where a value can.
 * @param {CompletionContext} context
 * @param {unknown} schema
 * @param {Words} words
 * @returns {CompletionResult | null}
 */
function propose(context, schema, words) {
  const { state, pos } = context;
  const inner = syntaxTree(state).resolveInner(pos, -1);
  const quoted = ["String", "PropertyName"].includes(inner.name) && inner.from < pos;
  const word = quoted ? inner : context.matchBefore(/[\w.+-]+/);
  if (!context.explicit && !word) return null;
  const from = word?.from ?? pos;
  const here = standing(state, from);
  const to = quoted ? inner.to : pos;
  const options = here.object ? keys(state, schema, /** @type {Required<typeof here>} */ (here), from, to, words) : valuesAt(schema, here.path, words);
  // What is typed may have a closing quote already, which the editor's own filter would look for.
  const typed = state.sliceDoc(from, pos).replace(/^"/, "").toLowerCase();
  const fitting = options.filter(({ label }) => label.toLowerCase().replace(/^"/, "").startsWith(typed));
  return fitting.length ? { from, to, options: fitting, filter: false } : null;
}

/**
 * A hidden character as it is shown.
 * @param {number} code
 * @param {string | null} title
 */
function marked(code, title) {
  return element("span", { className: "cm-specialChar", textContent: visible(String.fromCodePoint(code)), title: /** @type {string} */ (title) }, { "aria-label": /** @type {string} */ (title) });
}

/**
 * The values that the schema names for a place, or else one to begin with.
 * @param {unknown} schema
 * @param {Path} path
 * @param {Words} words
 * @returns {Completion[]}
 */
function valuesAt(schema, path, words) {
  const schemas = schemasAt(schema, path);
  const named = values(schemas).map(({ value, detail }) => ({ ...labelled(JSON.stringify(value)), type: "enum", detail: detail && words.say(detail) }));
  const first = start(schemas);
  return named.length || !first ? named : [{ ...labelled(first), type: "constant" }];
}

/**
 * What is proposed, and how it is shown.
 * @param {string} label
 */
function labelled(label) {
  return { label, displayLabel: visible(label) };
}

/**
 * The keys that an object has not got yet, with a value to begin with where none follows.
 * @param {EditorState} state
 * @param {unknown} schema
 * @param {{ object: SyntaxNode, path: Path }} here
 * @param {number} from
 * @param {number} to
 * @param {Words} words
 * @returns {Completion[]}
 */
function keys(state, schema, { object, path }, from, to, words) {
  const there = members(state, object).filter(({ key }) => key && key.from !== from);
  const names = new Set(there.map(({ name }) => name));
  const follows = /^\s*:/.test(state.sliceDoc(to, to + 50));
  return properties(schema, path)
    .filter(({ name }) => !names.has(name))
    .map(({ name, required, schemas }) => ({
      ...labelled(JSON.stringify(name)),
      type: "property",
      detail: required ? words.say(JSON_REQUIRED) : undefined,
      info: info(schemas, words),
      boost: required ? 1 : 0,
      apply: JSON.stringify(name) + (follows ? "" : `: ${start(schemas)}`),
    }));
}

/**
 * What stands at a position: a key of `object`, whose path is given, or else a value with the path.
 * @param {EditorState} state
 * @param {number} position
 * @returns {{ path: Path, object?: SyntaxNode }}
 */
function standing(state, position) {
  let node = syntaxTree(state).resolveInner(position, -1);
  while (node && !["Object", "Array", "Property", "JsonText"].includes(node.name)) node = /** @type {SyntaxNode} */ (node.parent);
  if (node?.name === "Property" && position <= (node.getChild("PropertyName")?.from ?? node.from)) node = /** @type {SyntaxNode} */ (node.parent);
  if (node?.name === "Property") return { path: pathAt(state, position, -1).path };
  const { path } = pathAt(state, node?.name === "Object" ? node.from : position, 1);
  if (node?.name !== "Object" || position <= node.from) return { path };
  // After a colon without a value the tree has none either.
  const before = state.sliceDoc(Math.max(node.from, position - 200), position);
  const [, key] = /("(?:[^"\\]|\\.)*")\s*:\s*$/.exec(before) ?? [];
  return key ? { path: [...path, JSON.parse(key)] } : { path, object: node };
}

/** @type {import("@codemirror/state").StateEffectType<Tooltip | null>} */
const describing = StateEffect.define();
/**
 * The description that was asked for by a key; it goes with the next change.
 * @type {StateField<Tooltip | null>}
 */
const described = StateField.define({
  create: () => /** @type {Tooltip | null} */ (null),
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(describing)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/**
 * @param {EditorView} view
 * @param {unknown} schema
 * @param {Words} words
 */
function describeAt(view, schema, words) {
  const shown = tip(view, view.state.selection.main.head, schema, words);
  view.dispatch({ effects: describing.of(shown) });
  return true;
}

/**
 * What the schema says of the value or the key at a position.
 * @param {EditorView} view
 * @param {number} position
 * @param {unknown} schema
 * @param {Words} words
 * @returns {Tooltip | null}
 */
function tip(view, position, schema, words) {
  const { path, node } = pathAt(view.state, position, 1);
  const dom = info(schemasAt(schema, path), words)?.();
  return dom ? { pos: node.from, end: node.to, above: true, create: () => ({ dom }) } : null;
}

/**
 * Makes the words of a schema for a place; nothing where it has none.
 * @param {Schema[]} schemas
 * @param {Words} words
 */
function info(schemas, words) {
  const { title, description } = describe(schemas);
  const told = facts(schemas, words);
  if (!title && !description && !told.length) return undefined;
  return () => {
    const dom = element("div", { className: "about" });
    for (const [tag, text] of /** @type {[tag: "strong" | "p", text: string | undefined][]} */ ([["strong", title], ["p", description], ["p", told.join(", ")]])) {
      if (text) dom.append(element(tag, { textContent: visible(text) }));
    }
    return dom;
  };
}

/**
 * Writes the text anew with line breaks and indentation; one that is no JSON stays as it is. Every digit and every key stays.
 * @param {EditorView} view
 */
function format(view) {
  const { state } = view;
  if (!root(state) || fault(state)) return;
  const insert = pretty(state.doc.toString());
  view.dispatch({ changes: { from: 0, to: state.doc.length, insert } });
  view.focus();
}

