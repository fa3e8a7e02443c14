// Takes over a form that the page came with as HTML: what was typed and chosen there, and the focus, go into the form that takes its place. Fetched only where
// there is one.

/** What a field is known by in both forms: its id, or else its part in its question. */
const nameOf = (field) => field.id || `${field.closest("[data-on-page]")?.dataset.onPage ?? ""} ${"remember" in field.dataset ? "remember" : "answer"}`;
const fieldsOf = (root) => [...root.querySelectorAll("input:not([type=hidden]), textarea, summary")];
const isBox = ({ type }) => type === "radio" || type === "checkbox";
const questionsOf = (root) => [...root.querySelectorAll("[data-question], [data-on-page]")].map(({ dataset }) => dataset.onPage ?? dataset.question).join();
const tell = (field, ...names) => names.forEach((name) => field.dispatchEvent(new Event(name, { bubbles: true })));

/** Watches a form that the page came with. Gives what waits until nothing is being composed there, and promises what then takes it over. */
export function watch(root) {
  const form = root.querySelector("[data-rendered]");
  if (!form) return async () => undefined;
  let composed;
  // One that had begun before goes on.
  const composes = () => (composed ??= new Promise((resolve) => form.addEventListener("compositionend", resolve, { once: true })).then(() => (composed = undefined)));
  for (const name of ["compositionstart", "compositionupdate"]) form.addEventListener(name, composes);
  return async () => {
    await composed;
    return () => left(root, form);
  };
}

/** What the person has left in a form, as a function that puts it into another one. Nothing is put into a form of another question. */
function left(root, form) {
  const asked = questionsOf(form);
  const isTyped = (field) => (isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
  const fields = fieldsOf(form).filter(({ localName }) => localName !== "summary");
  const typed = fields.filter((field) => !isBox(field) && isTyped(field)).map((field) => [nameOf(field), field.value]);
  // A choice among several is known by what is chosen.
  const isChanged = fields.some((field) => isBox(field) && isTyped(field));
  const boxes = isChanged ? fields.filter(isBox).map((field) => [nameOf(field), field.checked]) : [];
  const active = root.activeElement;
  const focused = active && form.contains(active) ? { selector: selectorOf(active), start: rangeOf(active, "selectionStart"), end: rangeOf(active, "selectionEnd") } : undefined;
  const notes = [...form.querySelectorAll("details[open]")].map(({ className }) => className);
  return (place) => {
    if (questionsOf(place) !== asked) return;
    const find = (name) => fieldsOf(place).find((field) => nameOf(field) === name);
    for (const name of notes) place.querySelector(`details[class="${name}"]`)?.setAttribute("open", "");
    for (const [name, value] of typed) {
      const field = find(name);
      if (!field) continue;
      field.value = value;
      tell(field, "input");
    }
    for (const [name, checked] of boxes) {
      const field = find(name);
      if (!field || field.checked === checked) continue;
      field.checked = checked;
      tell(field, "input", "change");
    }
    const field = focused && place.querySelector(focused.selector);
    if (!field) return;
    field.focus({ preventScroll: true });
    if (typeof focused.start === "number") field.setSelectionRange(focused.start, focused.end);
  };
}

/** Where the caret is; nothing where a field has none. */
function rangeOf(field, name) {
  try {
    return field[name];
  } catch {
    return undefined;
  }
}

/** A selector for what has the focus: what it is marked with, in its question. */
function selectorOf(element) {
  const page = element.closest("[data-on-page]");
  const within = page ? `[data-on-page="${CSS.escape(page.dataset.onPage)}"] ` : "";
  if (element.id) return `${within}[id="${CSS.escape(element.id)}"]`;
  const mark = [...element.attributes].find(({ name }) => name.startsWith("data-") && !["data-suggested", "data-danger"].includes(name));
  return within + element.localName + (mark ? `[${mark.name}="${CSS.escape(mark.value)}"]` : "");
}
