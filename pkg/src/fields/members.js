// The parts of an object: the properties that the schema names, in its order; rows of key and value; what is sent besides; and what can be added.
import { FIELDS_ALSO_SENT, FIELDS_ALSO_SENT_HINT, FIELDS_REMOVE } from "../../build/words.js";
import { element } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { Add } from "./add.js";
import { Entry, NewEntry } from "./entries.js";
import { tool } from "./icons.js";
import { isLeaf } from "./leaf.js";
import { List, More } from "./parts.js";
import { below, pointerOf } from "./pointer.js";

/**
 * @import { Path } from "../json/source.js"
 * @import { Form } from "./form.js"
 * @import { Field, FieldAdd, Member } from "./model.js"
 * @import { Shown } from "./parts.js"
 */

/** Up to so many optional properties with a control of their own stand there empty; more are listed under "Add". */
const INLINE = 12;
/** More parts that fold than this are folded to begin with. */
const UNFOLDED = 3;
const NAMED = new Set(["properties", undefined]);

/**
 * Adds the key to each title that several members have, or that another one has with its key.
 * @param {Member[]} named
 * @returns {Member[]}
 */
function toldApart(named) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {(child: Member) => string} */
  const withKey = ({ title, key }) => `${title} (${key})`;
  /** @type {(child: Member) => boolean} */
  const hasTitle = ({ title }) => title !== undefined;
  const names = [...named.map(({ title, key }) => title ?? key), ...named.filter(hasTitle).map(withKey)];
  for (const name of names.map((name) => name.trim())) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map((child) => (hasTitle(child) && /** @type {number} */ (counts.get(/** @type {string} */ (child.title).trim())) > 1 ? { ...child, title: withKey(child) } : child));
}

export class Members {
  element = element("div", { className: "members" });
  /** @type {Form} */
  #form;
  /** @type {Path} */
  #path;
  /** @type {string} */
  #pointer;
  /** @type {number} */
  #depth;
  #named = new List();
  #entries = new List();
  #others = new List();
  /** @type {HTMLElement} */
  #othersBox;
  /** @type {Add} */
  #add;
  /** @type {NewEntry | undefined} */
  #newEntry;
  /** @type {More} */
  #more;
  /**
   * The keys that the schema names, in its order.
   * @type {string[]}
   */
  #keys = [];

  /**
   * @param {Form} form
   * @param {Field} field
   * @param {Path} path
   * @param {number} depth
   */
  constructor(form, field, path, depth) {
    this.#form = form;
    this.#path = path;
    this.#pointer = pointerOf(path);
    this.#depth = depth;
    this.#more = new More(form, this.#pointer);
    this.#othersBox = element("div", { className: "also", hidden: true }, { role: "group", "aria-label": form.words.say(FIELDS_ALSO_SENT) });
    this.#othersBox.append(element("p", { className: "property-name", textContent: form.words.say(FIELDS_ALSO_SENT) }), element("p", { className: "hint", textContent: form.words.say(FIELDS_ALSO_SENT_HINT) }), this.#others.element);
    this.#add = new Add(form, this.#pointer, (child) => form.addMember(child, [...path, child.key], this.#before(child.key)));
    this.element.append(this.#named.element, this.#more.element, this.#entries.element, this.#othersBox, this.#add.element);
    this.update(field);
  }

  /** @param {Field} field */
  update(field) {
    const { state } = this.#form;
    const children = /** @type {Member[]} */ (field.children ?? []);
    const named = toldApart(children.filter(({ source }) => NAMED.has(source)));
    const optional = named.filter((child) => !child.required && isLeaf(child) && child.kind !== "json" && child.kind !== "null" && child.const === undefined && !child.groups);
    const isInline = optional.length <= INLINE;
    /** @type {(child: Member) => boolean | undefined} */
    const isShown = (child) => child.required || child.present || state.added.has(child.pointer) || (isInline && optional.includes(child) && !child.readOnly && !child.deprecated);
    const shown = named.filter((child) => isShown(child) && child.kind !== "nothing");
    const folding = shown.filter((child) => !isLeaf(child)).length;
    this.#keys = named.map(({ key }) => key);
    this.#named.update(shown, (child) => this.#part(child, folding, isInline && optional.includes(child)));
    const pending = (state.keys.get(this.#pointer) ?? []).filter((key) => !children.some((child) => child.key === key));
    const free = children.filter(({ source }) => !NAMED.has(source));
    /** @type {(child: Member) => boolean | undefined} */
    const isEntry = (child) => field.add?.stated && ["additional", "pattern"].includes(/** @type {string} */ (child.source)) && child.kind !== "nothing";
    const entries = [...free.filter((child) => isEntry(child)), ...pending.map((key) => /** @type {Member} */ (this.#form.model.open(below(this.#pointer, key))))];
    this.#entries.update(entries, (child) => new Entry(this.#form, child, [...this.#path, child.key], this.#depth, this));
    const others = free.filter((child) => !isEntry(child));
    this.#others.update(others.map((child) => ({ ...child, kind: /** @type {const} */ ("json"), groups: undefined, required: true })), (child) => this.#other(child));
    this.#othersBox.hidden = others.length === 0;
    const absent = named.filter((child) => !isShown(child) && child.kind !== "nothing" && !child.readOnly);
    this.#add.update(absent, field.add?.stated ? field.add : undefined, () => this.#addEntry(/** @type {FieldAdd} */ (field.add)));
    this.#more.update(children.length, field.total ?? children.length);
    return true;
  }

  /** @returns {HTMLElement | null | undefined} */
  get control() {
    return this.#views.find(({ control }) => control)?.control ?? this.#add.control;
  }

  destroy() {
    for (const view of this.#views) view.destroy();
  }

  /** @returns {Shown[]} */
  get #views() {
    return [this.#named, this.#entries, this.#others].flatMap(({ views }) => views);
  }

  /**
   * @param {Member} child
   * @param {number} folding
   * @param {boolean} isInline
   */
  #part(child, folding, isInline) {
    const name = child.title ?? child.key;
    // What was added can be taken out again. A field that stands there empty is emptied.
    const isRemovable = !child.required && !isInline && !child.readOnly;
    const tools = isRemovable ? [this.#remover(child, name)] : [];
    return this.#form.make(child, [...this.#path, child.key], this.#depth + 1, { name, tools, before: this.#before(child.key), isOpen: folding <= UNFOLDED });
  }

  /**
   * What the form has no field for, and is sent: its JSON.
   * @param {Member} child
   */
  #other(child) {
    const name = child.key;
    return this.#form.makeLeaf(child, [...this.#path, name], { name, tools: [this.#remover(child, name)] });
  }

  /**
   * The button that takes a member out.
   * @param {Member} child
   * @param {string} name
   */
  #remover(child, name) {
    const { words } = this.#form;
    return tool("remove", words.say(FIELDS_REMOVE, { name: visible(name) }), `${child.pointer}|remove`, () => this.#form.removeMember(child, [...this.#path, child.key], name, this));
  }

  /**
   * The keys that a property comes after.
   * @param {string} key
   */
  #before(key) {
    return this.#keys.slice(0, this.#keys.indexOf(key));
  }

  /** @param {FieldAdd} add */
  #addEntry(add) {
    this.#newEntry?.element.remove();
    this.#newEntry = new NewEntry(this.#form, this.#pointer, this.#path, add, () => {
      /** @type {NewEntry} */ (this.#newEntry).element.remove();
      this.#newEntry = undefined;
      this.#add.control?.focus();
    });
    this.#entries.element.after(this.#newEntry.element);
    this.#newEntry.focus();
  }

  /**
   * What has the focus once a part is gone: the one after it, the one before it, or what adds.
   * @param {string} key
   */
  focusBeside(key) {
    const views = this.#views;
    const place = views.findIndex(({ path }) => path.at(-1) === key);
    const beside = [...views.slice(place + 1), ...views.slice(0, Math.max(place, 0)).reverse()].map(({ pointer }) => pointer);
    return () => {
      const next = beside.map((pointer) => this.#form.view(pointer)).find((view) => view?.control);
      (this.#add.has(key) ?? next?.control ?? this.#add.control ?? this.#form.heading)?.focus();
    };
  }
}
