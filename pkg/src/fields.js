// The form view of a question for JSON, over the form's text area, which stays the truth: a field for each place of the value, and the JSON one click away. Whether
// an answer fits, the form itself says.
import style from "../build/fields-style.js";
import { FIELDS_REDO, FIELDS_UNDO, FIELDS_VIEW, JSON_AS_FORM, JSON_AS_TEXT, JSON_BROKEN } from "../build/words.js";
import { Checking } from "./fields/checking.js";
import { Form } from "./fields/form.js";
import { Model } from "./fields/model.js";
import { State } from "./fields/state.js";
import { addStyles, element } from "./json/dom.js";
import { Document } from "./json/document.js";

/**
 * @import { Checker } from "./validator.js"
 * @import { SaidViolation, Words } from "./words.js"
 * @import { Field, Wrong } from "./fields/model.js"
 */

/** Whether the person wants the text, once one has been asked for. */
let prefersText = false;
/** How many forms have fields: their ids differ. */
let count = 0;

/**
 * Puts fields over the text area of a `schema` question; nothing where its schema says nothing to fill in. `compile()` promises what compiles the `schema`, as
 * the validator's module does; `id` is that of the question, by which `words` say what is wrong. Gives `{ document, isShown(), destroy() }`: `document` has the text,
 * which an editor over the same text area changes, too.
 * @param {HTMLTextAreaElement} area
 * @param {{ schema: string, compile: () => Promise<Checker>, id: string, words: Words }} given
 */
export async function attach(area, { schema, compile, id, words }) {
  const compileSchema = await compile();
  // The form may have gone on meanwhile.
  if (!area.isConnected) return undefined;
  /** @type {ReturnType<Checker> | undefined} */
  let compiled;
  /** @type {Model | undefined} */
  let model;
  const state = new State();
  const document = new Document(area);
  try {
    compiled = compileSchema(schema);
    model = new Model(compiled.fields(), document, state);
  } catch {
    // The form says what is wrong with a schema.
    document.destroy();
    return undefined;
  }
  const first = model.sync() ? /** @type {Partial<Field>} */ ({}) : model.open("", 0, 0);
  if (["json", "nothing"].includes(/** @type {string} */ (first.kind)) && !first.mismatch) {
    model.destroy();
    return { document, destroy: () => document.destroy() };
  }
  addStyles(/** @type {ShadowRoot} */ (area.getRootNode()), style);
  const { form, parentElement: parent } = /** @type {{ form: HTMLFormElement, parentElement: HTMLElement }} */ (area);
  count += 1;
  const said = element("p", { className: "spoken" }, { role: "status" });
  const shownSaid = element("p", { className: "error" }, { role: "status" });
  /** @type {(violation: Wrong) => string} */
  const say = ({ keyword, schema_path: path, message }) => (keyword ? words.text({ violation: [keyword, path, message, id] }) : message);
  const checking = new Checking(model, say, { module: compiled.module, rest: compileSchema.rest, schema });
  const fields = new Form({ document, model, state, words, prefix: `field-${count}`, checking, announce: (text) => (said.textContent = text) });
  fields.listen();
  const views = element("div", { className: "views" });
  const tabs = element("div", { className: "tabs" }, { role: "group" });
  const [asForm, asText] = [JSON_AS_FORM, JSON_AS_TEXT].map(() => element("button", { type: "button", className: "tab" }, { part: "button" }));
  const [undo, redo] = /** @type {[kind: string, act: () => void][]} */ ([["undo", () => fields.undo()], ["redo", () => fields.redo()]]).map(([kind, act]) => {
    const button = element("button", { type: "button", className: "quiet", hidden: true }, { part: "button", "data-history": kind });
    button.addEventListener("click", act);
    return button;
  });
  tabs.append(asForm, asText);
  views.append(tabs, undo, redo, shownSaid, said);
  let isShown = false;
  /** Whether the text was changed while the fields were not shown. */
  let isOld = true;

  document.follow(({ by }) => {
    if (!isShown) isOld = true;
    else if (by !== "fields") fields.changed();
    follow();
  });
  /** @type {(event: Event) => void} */
  const sent = (event) => {
    if (!isShown || fields.send()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  form.addEventListener("submit", sent, { capture: true });
  asForm.addEventListener("click", () => choose(true));
  asText.addEventListener("click", () => choose(false));

  /** @param {boolean} wanted */
  function choose(wanted) {
    if (wanted === isShown) return;
    show(wanted);
    prefersText = !isShown;
    if (isShown) fields.focus();
    else (/** @type {HTMLElement | null} */ (parent.querySelector("[data-field]")) ?? area).focus();
  }

  /** @param {boolean} wanted */
  function show(wanted) {
    shownSaid.textContent = "";
    document.flush();
    if (wanted && (document.source === null || /** @type {Model} */ (model).sync())) {
      shownSaid.textContent = words.say(JSON_BROKEN);
      wanted = false;
    }
    isShown = wanted;
    parent.classList.toggle("as-form", isShown);
    fields.element.hidden = !isShown;
    asForm.setAttribute("aria-pressed", String(isShown));
    asText.setAttribute("aria-pressed", String(!isShown));
    if (isShown) {
      if (isOld) fields.changed();
      isOld = false;
    } else document.show();
    fields.mark();
    follow();
  }

  function follow() {
    undo.hidden = !isShown || (!document.canUndo && !document.canRedo);
    redo.hidden = undo.hidden;
    undo.disabled = !document.canUndo;
    redo.disabled = !document.canRedo;
  }

  words.follow(views, () => {
    tabs.setAttribute("aria-label", words.say(FIELDS_VIEW));
    asForm.textContent = words.say(JSON_AS_FORM);
    asText.textContent = words.say(JSON_AS_TEXT);
    undo.textContent = words.say(FIELDS_UNDO);
    redo.textContent = words.say(FIELDS_REDO);
    if (shownSaid.textContent) shownSaid.textContent = words.say(JSON_BROKEN);
    if (isShown) fields.rebuild();
    else isOld = true;
  });
  const focused = /** @type {ShadowRoot} */ (area.getRootNode()).activeElement === area;
  area.before(views, fields.element);
  show(!prefersText);
  shownSaid.textContent = "";
  if (focused && isShown) fields.focus();
  return {
    document,
    isShown: () => isShown,
    destroy() {
      form.removeEventListener("submit", sent, { capture: true });
      parent.classList.remove("as-form");
      views.remove();
      fields.element.remove();
      fields.destroy();
      checking.destroy();
      document.destroy();
      model.destroy();
    },
  };
}
