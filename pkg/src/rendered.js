// Takes over a form that the page came with as HTML: what was typed and chosen there, and the focus, go into the form that takes its place. Fetched only where
// there is one.

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/**
 * What a saved walk has under `typed`.
 * @typedef {{ [key: string]: string }} Left
 */

/**
 * What a field is known by in both forms: its id, or else its part in its question.
 * @type {(field: Field) => string}
 */
const nameOf = (field) => field.id || `${/** @type {HTMLElement | null} */ (field.closest("[data-on-page]"))?.dataset.onPage ?? ""} ${"remember" in field.dataset ? "remember" : "answer"}`;
/** @type {(root: ParentNode) => Field[]} */
const fieldsOf = (root) => [.../** @type {NodeListOf<Field>} */ (root.querySelectorAll("input:not([type=hidden]), textarea"))];
/** @type {(field: Field) => boolean} */
const isChanged = (field) => (isBox(field) ? /** @type {HTMLInputElement} */ (field).checked !== /** @type {HTMLInputElement} */ (field).defaultChecked : field.value !== field.defaultValue);
/**
 * The choices of a form: the question of each, and its options and "Other" in their order.
 * @type {(root: ParentNode) => { question: string, boxes: HTMLInputElement[] }[]}
 */
const choicesOf = (root) => [...root.querySelectorAll(".options")].map((list) => ({ question: questionOf(list), boxes: [.../** @type {NodeListOf<HTMLInputElement>} */ (list.querySelectorAll("[data-option], [data-other]"))] }));
/**
 * The question that an element belongs to.
 * @type {(element: Element) => string}
 */
const questionOf = (element) => /** @type {string} */ (/** @type {HTMLElement | null} */ (element.closest("[data-on-page]"))?.dataset.onPage ?? /** @type {HTMLElement} */ (element.closest("[data-question]")).dataset.question);
/**
 * The key under which a saved walk has what is typed into a field; none for a secret, which it never has.
 * @type {(field: Field) => string | undefined}
 */
const keyOf = (field) => {
  if (field.type === "password") return undefined;
  if (field.id === "reply") return "";
  return questionOf(field) + ("own" in field.dataset ? ".other" : field.closest(".note") ? ".note" : "");
};
/** @type {(field: Field) => boolean} */
const isBox = ({ type }) => type === "radio" || type === "checkbox";
/** @type {(root: ParentNode) => string} */
const questionsOf = (root) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-question], [data-on-page]"))].map(({ dataset }) => dataset.onPage ?? dataset.question).join();
/** @type {(field: Field, ...names: string[]) => void} */
const tell = (field, ...names) => names.forEach((name) => field.dispatchEvent(new Event(name, { bubbles: true })));

/**
 * Watches a form that the page came with. Gives what waits until nothing is being composed there, and promises what then takes it over.
 * @param {ShadowRoot} root
 * @returns {() => Promise<(() => (place: HTMLElement) => Left | undefined) | undefined>}
 */
export function watch(root) {
  const form = /** @type {HTMLElement | null} */ (root.querySelector("[data-rendered]"));
  if (!form) return async () => undefined;
  /** @type {Promise<void> | undefined} */
  let composed;
  // One that had begun before goes on.
  const composes = () => (composed ??= new Promise((resolve) => form.addEventListener("compositionend", resolve, { once: true })).then(() => (composed = undefined)));
  for (const name of ["compositionstart", "compositionupdate"]) form.addEventListener(name, composes);
  return async () => {
    await composed;
    return () => leftIn(root, form);
  };
}

/**
 * What the person has left in a form, as a function that puts it into another one. Nothing is put into a form of another question. It gives what could
 * not be put there, as a saved walk has it under `typed`: the choice in a long list, of which not all rows are in the document, and a text whose field comes
 * later.
 * @param {ShadowRoot} root
 * @param {HTMLElement} form
 * @returns {(place: HTMLElement) => Left | undefined}
 */
function leftIn(root, form) {
  const asked = questionsOf(form);
  const fields = fieldsOf(form);
  const typed = fields.filter((field) => !isBox(field) && isChanged(field)).map((field) => /** @type {[name: string, value: string, key: string | undefined]} */ ([nameOf(field), field.value, keyOf(field)]));
  // A choice among several is known by what is chosen.
  const ticks = fields.filter(isBox);
  const boxes = ticks.some(isChanged) ? ticks.map((field) => /** @type {[name: string, checked: boolean]} */ ([nameOf(field), /** @type {HTMLInputElement} */ (field).checked])) : [];
  const chosen = choicesOf(form)
    .filter(({ boxes }) => boxes.some(isChanged))
    .map(({ question, boxes }) => /** @type {[question: string, marks: string]} */ ([question, boxes.map(({ checked }) => Number(checked)).join("")]));
  const active = root.activeElement;
  const focused = active && form.contains(active) ? { selector: selectorOf(active), start: rangeOf(active, "selectionStart"), end: rangeOf(active, "selectionEnd") } : undefined;
  const notes = [...form.querySelectorAll("details[open]")].map(({ className }) => className);
  return (place) => {
    if (questionsOf(place) !== asked) return;
    const there = new Map(fieldsOf(place).map((field) => [nameOf(field), field]));
    /** @type {(name: string) => Field | undefined} */
    const find = (name) => there.get(name);
    for (const name of notes) place.querySelector(`details[class="${name}"]`)?.setAttribute("open", "");
    /** @type {Left} */
    const left = {};
    for (const [name, value, key] of typed) {
      const field = find(name);
      if (!field) {
        if (key !== undefined) left[key] = value;
        continue;
      }
      field.value = value;
      tell(field, "input");
    }
    for (const [name, checked] of boxes) {
      const field = /** @type {HTMLInputElement | undefined} */ (find(name));
      if (!field || field.checked === checked) continue;
      field.checked = checked;
      tell(field, "input", "change");
    }
    const field = focused && /** @type {HTMLInputElement | null} */ (place.querySelector(focused.selector));
    field?.focus({ preventScroll: true });
    if (field && typeof focused.start === "number") field.setSelectionRange(focused.start, /** @type {number} */ (focused.end));
    const rows = new Map(choicesOf(place).map(({ question, boxes }) => [question, boxes.length]));
    for (const [question, marks] of chosen) if (/** @type {number} */ (rows.get(question)) < marks.length) left[`${question}.chosen`] = marks;
    return Object.keys(left).length ? left : undefined;
  };
}

/**
 * Where the caret is; nothing where a field has none.
 * @param {Element} field
 * @param {"selectionStart" | "selectionEnd"} name
 * @returns {number | null | undefined}
 */
function rangeOf(field, name) {
  try {
    return /** @type {HTMLInputElement} */ (field)[name];
  } catch {
    return undefined;
  }
}

/**
 * A selector for what has the focus: what it is marked with, in its question.
 * @param {Element} element
 */
function selectorOf(element) {
  const page = /** @type {HTMLElement | null} */ (element.closest("[data-on-page]"));
  const within = page ? `[data-on-page="${CSS.escape(/** @type {string} */ (page.dataset.onPage))}"] ` : "";
  if (element.id) return `${within}[id="${CSS.escape(element.id)}"]`;
  const mark = [...element.attributes].find(({ name }) => name.startsWith("data-") && !["data-suggested", "data-danger"].includes(name));
  return within + element.localName + (mark ? `[${mark.name}="${CSS.escape(mark.value)}"]` : "");
}
