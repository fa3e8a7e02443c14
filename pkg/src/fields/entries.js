// Rows of key and value, where an object takes any keys. A key that is there already, or that the schema does not allow, is refused, and stays as it was typed.
import { CANCEL, FIELDS_ADD_THIS, FIELDS_CHOOSE, FIELDS_KEY, FIELDS_KEY_MISSING, FIELDS_KEY_REFUSED, FIELDS_KEY_TAKEN, FIELDS_REMOVE } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { tool } from "./icons.js";
import { below, pointerOf } from "./pointer.js";

/**
 * @import { Path } from "../json/source.js"
 * @import { Form, View } from "./form.js"
 * @import { Members } from "./members.js"
 * @import { FieldAdd, Member, Field } from "./model.js"
 */

/**
 * Why a key cannot be that of a new member; nothing where it can.
 * @param {Form} form
 * @param {string} pointer
 * @param {Path} path
 * @param {string} key
 * @returns {string | undefined}
 */
function refusedKey(form, pointer, path, key) {
  const { words } = form;
  if (key === "") return words.say(FIELDS_KEY_MISSING);
  const isThere = form.document.source?.find([...path, key]) || form.state.keys.get(pointer)?.includes(key);
  if (isThere) return words.say(FIELDS_KEY_TAKEN, { key: visible(key) });
  const field = form.model.open(below(pointer, key));
  return field.reason === "not_allowed" || field.kind === "nothing" ? words.say(FIELDS_KEY_REFUSED) : undefined;
}

/** A member with its key. */
export class Entry {
  /**
   * Why the key that is typed cannot be written.
   * @type {string | undefined}
   */
  problem;
  /** @type {Form} */
  #form;
  /** @type {Members} */
  #parent;
  /** @type {HTMLInputElement} */
  #key;
  /** @type {HTMLElement} */
  #error;
  /** @type {ReturnType<Form["make"]>} */
  #value;
  #said = "";

  /**
   * @param {Form} form
   * @param {Member} field
   * @param {Path} path
   * @param {number} depth
   * @param {Members} parent
   */
  constructor(form, field, path, depth, parent) {
    const { words } = form;
    this.path = path;
    this.pointer = pointerOf(path);
    this.#form = form;
    this.#parent = parent;
    const id = form.id();
    const name = field.key;
    this.element = element("div", { className: "entry" }, { role: "group", "aria-label": visible(name) });
    this.#key = element("input", { type: "text", id, value: name }, { part: "input", dir: "auto", spellcheck: "false", autocapitalize: "off", "aria-describedby": `${id}-error`, "data-at": `${this.pointer}|key` });
    this.#error = element("p", { className: "error", id: `${id}-error` });
    const key = element("div", { className: "property key" });
    key.append(element("label", { className: "property-name", textContent: words.say(FIELDS_KEY) }, { for: id }), this.#key, this.#error);
    const remove = tool("remove", words.say(FIELDS_REMOVE, { name: visible(name) }), `${this.pointer}|remove`, () => form.removeMember(field, path, name, parent));
    const tools = element("span", { className: "tools" });
    tools.append(remove);
    this.#value = form.make({ ...field, required: true }, path, depth + 1, { name: form.valueName(field), spoken: name });
    this.element.append(key, this.#value.element, tools);
    this.#key.addEventListener("change", () => this.rename());
    this.#key.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.rename();
    });
    form.addKey(this);
  }

  get control() {
    return this.#key;
  }

  /** @returns {string} */
  get name() {
    return /** @type {string} */ (this.path.at(-1));
  }

  /** @param {Field} field */
  update(field) {
    return this.#value.update({ ...field, required: true });
  }

  /** Writes the key that is typed. */
  rename() {
    const form = this.#form;
    const [key, to] = [/** @type {string} */ (this.path.at(-1)), this.#key.value];
    const parent = this.path.slice(0, -1);
    this.problem = to === key ? undefined : refusedKey(form, pointerOf(parent), parent, to);
    this.say(this.#said);
    if (this.problem === undefined && to !== key) form.renameMember(parent, key, to);
  }

  /** @param {string} text */
  say(text) {
    this.#said = text;
    const said = this.problem ?? "";
    if (this.#error.textContent !== said) this.#error.textContent = said;
    this.#key.setAttribute("aria-invalid", String(said !== ""));
  }

  focus() {
    this.#key.focus();
  }

  focusValue() {
    this.#value.focus();
  }

  destroy() {
    this.#value.destroy();
    this.#form.removeKey(this);
  }
}

/** Asks for the key of a new member. */
export class NewEntry {
  element;
  /** @type {HTMLInputElement | HTMLSelectElement} */
  #field;

  /**
   * @param {Form} form
   * @param {string} pointer
   * @param {Path} path
   * @param {FieldAdd} add
   * @param {() => void} close
   */
  constructor(form, pointer, path, { names }, close) {
    const { words } = form;
    const id = form.id();
    const isList = names?.values !== undefined;
    this.element = element("div", { className: "entry new" });
    this.#field = isList ? element("select", { id }) : element("input", { type: "text", id }, { dir: "auto", spellcheck: "false", autocapitalize: "off" });
    this.#field.setAttribute("part", "input");
    this.#field.setAttribute("aria-describedby", `${id}-error`);
    if (isList) this.#field.append(element("option", { value: "", textContent: words.say(FIELDS_CHOOSE) }), ... /** @type {string[]} */ (names.values).map((value) => element("option", { value, textContent: visible(value) })));
    const error = element("p", { className: "error", id: `${id}-error` });
    const add = element("button", { type: "button", className: "button", textContent: words.say(FIELDS_ADD_THIS) }, { part: "button" });
    const cancel = element("button", { type: "button", className: "button", textContent: words.say(CANCEL) }, { part: "button" });
    const act = () => {
      const problem = refusedKey(form, pointer, path, this.#field.value);
      error.textContent = problem ?? "";
      this.#field.setAttribute("aria-invalid", String(problem !== undefined));
      if (problem !== undefined) return this.#field.focus();
      close();
      form.addKeyed(path, this.#field.value);
    };
    add.addEventListener("click", act);
    cancel.addEventListener("click", close);
    this.element.addEventListener("keydown", (event) => {
      const isEnter = event.key === "Enter" && event.target === this.#field && !event.isComposing && !event.ctrlKey && !event.metaKey;
      if (event.key !== "Escape" && !isEnter) return;
      event.preventDefault();
      event.stopPropagation();
      if (isEnter) act();
      else close();
    });
    const key = element("div", { className: "property key" });
    key.append(element("label", { className: "property-name", textContent: words.say(FIELDS_KEY) }, { for: id }), this.#field, error);
    const buttons = element("div", { className: "buttons" });
    buttons.append(add, cancel);
    this.element.append(key, buttons);
  }

  focus() {
    this.#field.focus();
  }
}
