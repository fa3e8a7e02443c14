// The form view of a flat schema, beside the text: a field for each property, in step with the form's text area, which stays the
// truth. What a field cannot say stays in the text as it is. Whether it fits, the form itself says.
import style from "../build/fields-style.js";
import { JSON_AS_FORM, JSON_AS_TEXT, JSON_HIDDEN, JSON_NO_ANSWER, JSON_NOT_AN_OBJECT, NO, OPTIONAL, YES } from "../build/words.js";
import { addStyles, element } from "./json/dom.js";
import { fieldsOf } from "./json/flat.js";
import { visible } from "./json/schema.js";
import { changed, members, written } from "./json/text.js";

/** How long nothing is typed before what is there is checked, in milliseconds. */
const IDLE = 300;
const INPUT_MODES = { email: "email", "idn-email": "email", uri: "url", iri: "url" };

/** Whether the person wants the text, once one has been asked for. */
let prefersText = false;

/**
 * Puts fields over the text area of a `schema` question, where the schema is flat; nothing otherwise. `check(text)` gives nothing, or
 * the refusal that the form would give, in `words`; `editor()` the JSON editor over the same text area, where there is one. Gives `{ destroy() }`.
 */
export function attach(area, { schema, check, words, editor }) {
  const fields = fieldsOf(schema)?.map((field, place) => make(field, place, area, words));
  if (!fields) return undefined;
  addStyles(area.getRootNode(), style);
  const { form, parentElement: parent } = area;
  const box = element("div", { className: "properties" });
  const rest = element("ul", { className: "problems" }, { part: "problems", "aria-live": "polite" });
  const said = element("p", { className: "error" }, { role: "status" });
  const views = element("div", { className: "buttons views" });
  const toggle = element("button", { type: "button", className: "button" }, { part: "button" });
  views.append(toggle, said);
  box.append(...fields.map(({ body }) => body), rest);
  let shown = false;
  let waiting;

  for (const field of fields) {
    field.body.addEventListener("input", () => {
      const text = changed(area.value, field.name, field.read());
      field.touched = true;
      if (text === area.value) return;
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      soon();
    });
    // Not at once: what appears would move what the person is about to press.
    field.body.addEventListener("focusout", () => {
      field.touched = true;
      soon();
    });
  }
  // A letter that chooses in a list is no key of the form.
  box.addEventListener("keydown", (event) => {
    if (event.target.localName === "select" && event.key.length === 1) event.stopPropagation();
  });
  // After a refusal the focus goes to the first field that is wrong.
  const sent = () => {
    if (!shown) return;
    for (const field of fields) field.touched = true;
    mark();
  };
  form.addEventListener("submit", sent, { capture: true });
  toggle.addEventListener("click", () => {
    show(!shown);
    prefersText = !shown;
    if (shown) fields[0].control.focus();
    else (parent.querySelector("[data-field]") ?? area).focus();
  });

  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(mark, IDLE);
  }

  /** Says at each field what is wrong with it, once the person has been there; and below, what is wrong with the whole. */
  function mark() {
    clearTimeout(waiting);
    const wrong = new Map();
    const whole = [];
    const refusal = check(area.value);
    for (const { instance_path: path, message } of refusal?.details ?? (refusal ? [{ instance_path: "", message: refusal.message }] : [])) {
      const name = path.split("/")[1]?.replaceAll("~1", "/").replaceAll("~0", "~");
      // A property that is missing has no path: it is named.
      const at = fields.find((field) => (path ? field.name === name : message.includes(JSON.stringify(field.name))));
      if (at) wrong.set(at, [...(wrong.get(at) ?? []), message]);
      else whole.push(message);
    }
    for (const field of fields) field.say(field.touched ? (wrong.get(field) ?? []).join(" ") : "");
    rest.replaceChildren(...whole.map((message) => element("li", { className: "isolated", textContent: visible(message) })));
    point(fields.find((field) => wrong.has(field)) ?? fields[0]);
  }

  /** Where the form puts the focus. */
  function point(to) {
    for (const { control } of fields) control.toggleAttribute("data-field", shown && control === to.control);
  }

  function show(wanted) {
    said.textContent = "";
    editor()?.tell();
    if (wanted && !members(area.value)) {
      said.textContent = words.say(JSON_NOT_AN_OBJECT);
      wanted = false;
    }
    shown = wanted;
    parent.classList.toggle("as-form", shown);
    box.hidden = !shown;
    label();
    if (shown) for (const field of fields) field.write(written(area.value, field.name));
    else editor()?.take();
    if (shown) mark();
    else point(fields[0]);
  }

  function label() {
    toggle.textContent = words.say(shown ? JSON_AS_TEXT : JSON_AS_FORM);
  }

  const focused = area.getRootNode().activeElement === area;
  area.before(box);
  parent.querySelector(".editor-keys")?.after(views) ?? area.after(views);
  show(!prefersText);
  words.follow(toggle, () => {
    label();
    if (said.textContent) said.textContent = words.say(JSON_NOT_AN_OBJECT);
    // What is wrong is said in the new language.
    if (shown) mark();
  });
  if (!members(area.value)) said.textContent = "";
  if (focused && shown) fields[0].control.focus();
  return {
    destroy() {
      clearTimeout(waiting);
      form.removeEventListener("submit", sent, { capture: true });
    },
  };
}

/** A field: `{ name, body, control, touched, read(), write(json), say(problem) }`; `read` gives JSON text, or nothing where nothing is answered. */
function make(field, place, area, words) {
  const id = `property-${place}`;
  const described = `${id}-about ${id}-error`;
  const about = () => visible([field.description, field.facts(words).join(", ")].filter(Boolean).join(" · "));
  const error = element("p", { className: "error", id: `${id}-error` });
  const made = { name: field.name, touched: area.getAttribute("aria-invalid") === "true" };
  const title = [element("span", { className: "isolated", textContent: visible(field.title ?? field.name) }), ...(field.required ? [] : [following(words, element("span", { className: "optional" }), () => ` ${words.say(OPTIONAL)}`)])];
  const choosing = field.kind === "one" || field.kind === "several";
  const body = element(choosing ? "fieldset" : "div", { className: "property" }, choosing ? { "aria-describedby": described } : {});
  const name = element(choosing ? "legend" : "label", { className: "property-name" }, choosing ? {} : { for: id });
  name.append(...title);
  body.append(name, following(words, element("p", { className: "hint", id: `${id}-about` }), about));
  const kind = (choosing ? choices : typed)(field, id, described, body, words);
  body.append(error);
  return Object.assign(made, kind, {
    body,
    say(problem) {
      error.textContent = visible(problem);
      for (const control of kind.controls) control.setAttribute("aria-invalid", String(problem !== ""));
    },
  });
}

/** A field that is typed into. What is no number stays in the text as it was typed, so that it can be said what is wrong. */
function typed({ kind, format, required }, id, described, body, words) {
  const control =
    kind === "text"
      ? element("textarea", { id, rows: 1 }, { dir: "auto" })
      : element("input", { id, type: "text" }, { dir: "ltr", inputmode: kind === "number" ? "decimal" : (INPUT_MODES[format] ?? "text"), spellcheck: "false", autocapitalize: "off" });
  control.setAttribute("part", "input");
  control.setAttribute("aria-describedby", described);
  // A field has the text as it is sent.
  const marked = element("p", { className: "hint marked" }, { "data-marked": "", dir: "auto" });
  const mark = () => {
    const text = visible(control.value);
    marked.textContent = text === control.value ? "" : words.say(JSON_HIDDEN, { text });
  };
  control.addEventListener("input", mark);
  words.follow(marked, mark);
  body.append(control, marked);
  const number = kind === "number";
  return {
    control,
    controls: [control],
    read() {
      const text = control.value;
      if (text.trim() === "" && (number || !required)) return undefined;
      return number && isNumber(text.trim()) ? text.trim() : JSON.stringify(text);
    },
    write(json) {
      control.value = json === undefined ? "" : shown(json);
      mark();
    },
  };
}

/** A choice of one or of several, with native controls, like the rows of a question. */
function choices({ kind, values, required }, id, described, body, words) {
  const one = kind === "one";
  const rows = element("div", { className: "options" });
  const all = one && !required ? [...values, undefined] : values;
  const controls = all.map((value, place) => {
    const control = element("input", { id: `${id}-${place}`, type: one ? "radio" : "checkbox", name: id }, { part: one ? "radio" : "checkbox", "aria-describedby": described });
    const label = element("label", {}, { for: control.id });
    label.append(following(words, element("span", { className: "name" }, { dir: "auto" }), () => word(value, words)));
    const row = element("div", { className: "option" }, { part: "option" });
    row.append(control, label);
    rows.append(row);
    return control;
  });
  body.append(rows);
  const chosen = () => all.filter((_, place) => controls[place].checked);
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  return {
    control: controls[0],
    controls,
    read() {
      const values = chosen();
      if (!one) return values.length || required ? JSON.stringify(values) : undefined;
      return values[0] === undefined ? undefined : JSON.stringify(values[0]);
    },
    write(json) {
      const value = json === undefined ? undefined : JSON.parse(json);
      const there = one ? [value] : Array.isArray(value) ? value : [];
      for (const [place, control] of controls.entries()) control.checked = there.some((value) => same(value, all[place]));
    },
  };
}

/** How a value that can be chosen is called. */
function word(value, words) {
  if (value === undefined) return words.say(JSON_NO_ANSWER);
  if (typeof value === "boolean") return words.say(value ? YES : NO);
  return typeof value === "string" ? visible(value) : JSON.stringify(value);
}

/** A node with a text that follows the language. */
function following(words, node, text) {
  words.follow(node, () => (node.textContent = text()));
  return node;
}

/** What stands in a field for JSON text: a string as it is, all else as it is written, with every digit. */
function shown(json) {
  return json.startsWith('"') ? JSON.parse(json) : json;
}

function isNumber(text) {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}
