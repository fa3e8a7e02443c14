// The fields of one answer on the page: what is shown of the text, kept in step with it; where the focus goes; what is wrong, and where.
import { FIELDS_ADDED, FIELDS_COPIED, FIELDS_MISSING, FIELDS_MOVED, FIELDS_NAMED, FIELDS_REDONE, FIELDS_REMOVED, FIELDS_UNDONE, FIELDS_UNFILLED, FIELDS_VALUE } from "../../build/words.js";
import { element, follows } from "../json/dom.js";
import { visible } from "../json/schema.js";
import { itemName } from "./brief.js";
import { Changes } from "./changes.js";
import { Crumbs } from "./crumbs.js";
import { Group } from "./group.js";
import { isLeaf, Leaf } from "./leaf.js";
import { PAGE } from "./parts.js";
import { around, below, isWithin, partsOf, pointerOf } from "./pointer.js";
import { Problems } from "./problems.js";
import { Unseen } from "./unseen.js";

/**
 * @import { Document } from "../json/document.js"
 * @import { Path, Source } from "../json/source.js"
 * @import { Word, Words } from "../words.js"
 * @import { Checking } from "./checking.js"
 * @import { How } from "./changes.js"
 * @import { Entry } from "./entries.js"
 * @import { Items } from "./items.js"
 * @import { Options } from "./leaf.js"
 * @import { Members } from "./members.js"
 * @import { Field, FieldGroup, Member, Model, Wrong } from "./model.js"
 * @import { Listed } from "./problems.js"
 * @import { State } from "./state.js"
 */

/**
 * A place that is shown. `say` shows what is wrong with it; a place that folds has `toggle`, a row of a table `cells`.
 * @typedef {{ path: Path, pointer: string, name: string, control?: HTMLElement | null, focus(): void, element?: HTMLElement, field?: Field, isFixed?: boolean, isOpen?: boolean, isDeep?: boolean,
 *   problem?: string, cells?: Leaf[], say?(text: string): void, toggle?(isOpen?: boolean): void, showBrief?(): void }} View
 */

/** How long nothing is typed before the fields follow and what is there is checked, in milliseconds; and the longest, where that takes long. */
const IDLE = 300;
const LONGEST = 3_000;

export class Form {
  element = element("div", { className: "properties" });
  /**
   * Where a page's own words are.
   * @type {Words}
   */
  words;
  /** @type {Document} */
  document;
  /** @type {Model} */
  model;
  /** @type {State} */
  state;
  /** @type {Changes} */
  #changes;
  /** @type {Checking} */
  #checking;
  /** @type {string} */
  #prefix;
  #ids = 0;
  /** @type {Map<string, View>} */
  #views = new Map();
  /** @type {Set<Entry>} */
  #keys = new Set();
  /**
   * The place that is shown as the whole.
   * @type {Path}
   */
  #base = [];
  /** @type {Group | undefined} */
  #root;
  /** @type {Crumbs} */
  #crumbs;
  /** @type {Problems} */
  #problems;
  /** @type {Unseen} */
  #unseen;
  /** @type {Wrong[]} */
  #violations = [];
  #isSent = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;
  #cost = 0;
  /** @type {(text: string) => void} */
  #announce;

  /**
   * `announce(text)` says something that is not seen; `checking.check()` promises what is wrong, `checking.checkNow()` gives it.
   * @param {{ document: Document, model: Model, state: State, checking: Checking, words: Words, prefix: string, announce: (text: string) => void }} given
   */
  constructor({ document, model, state, checking, words, prefix, announce }) {
    this.document = document;
    this.model = model;
    this.state = state;
    this.words = words;
    this.#checking = checking;
    this.#prefix = prefix;
    this.#announce = announce;
    this.#changes = new Changes(document, model, state);
    this.#crumbs = new Crumbs(this);
    this.#problems = new Problems(this);
    this.#unseen = new Unseen(this);
    this.element.append(this.#problems.element, this.#crumbs.element);
    this.element.addEventListener("keydown", (event) => this.#press(event));
  }

  destroy() {
    clearTimeout(this.#waiting);
    this.#root?.destroy();
  }

  // What views ask for.

  id() {
    this.#ids += 1;
    return `${this.#prefix}-${this.#ids}`;
  }

  /** @param {View} view */
  add(view) {
    this.#views.set(view.pointer, view);
  }

  /** @param {View} view */
  remove(view) {
    if (this.#views.get(view.pointer) === view) this.#views.delete(view.pointer);
  }

  /** @param {Entry} entry */
  addKey(entry) {
    this.#keys.add(entry);
  }

  /** @param {Entry} entry */
  removeKey(entry) {
    this.#keys.delete(entry);
  }

  /** @param {string} pointer */
  view(pointer) {
    return this.#views.get(pointer);
  }

  /**
   * The text of a value; nothing while it only keeps the place of an item.
   * @param {Path} path
   */
  rawAt(path) {
    if (this.state.unfilled.has(pointerOf(path))) return undefined;
    const { source } = this.document;
    const node = source?.find(path);
    return node && /** @type {Source} */ (source).raw(node);
  }

  /**
   * @param {Field} field
   * @param {Path} path
   * @param {number} depth
   * @param {Options} [options]
   */
  make(field, path, depth, options) {
    return isLeaf(field) && !field.groups ? this.makeLeaf(field, path, options) : new Group(this, field, path, depth, options);
  }

  /**
   * @param {Field} field
   * @param {Path} path
   * @param {Options} [options]
   */
  makeLeaf(field, path, options) {
    return new Leaf(this, field, path, options);
  }

  /** @param {string} pointer */
  countAt(pointer) {
    return this.state.counts.get(pointer) ?? PAGE;
  }

  /**
   * What the value of a row of key and value is called.
   * @param {Field} field
   */
  valueName({ title }) {
    return title ?? this.words.say(FIELDS_VALUE);
  }

  get heading() {
    return this.#crumbs.heading;
  }

  get labelId() {
    return this.#crumbs.labelId;
  }

  // What is shown.

  /**
   * Shows the text as it is now.
   * @param {[from: string, to: string]} [moved]
   */
  refresh(moved) {
    this.#keepFocus(() => {
      // What was shown as the whole may be gone.
      while (this.#base.length && this.#isGone(this.#base)) this.#base = this.#base.slice(0, -1);
      const pointer = pointerOf(this.#base);
      const field = this.model.open(pointer, 0, this.countAt(pointer));
      if (!this.#root || this.#root.pointer !== pointer) {
        this.#root?.destroy();
        this.#root?.element.remove();
        this.#root = new Group(this, field, this.#base, 0, { name: field.title ?? field.key });
        this.element.append(this.#root.element, this.#unseen.element);
      } else this.#root.update(field);
      this.#crumbs.update(this.#base);
      for (const view of this.#views.values()) view.showBrief?.();
    }, moved);
    this.mark();
  }

  /** Makes everything anew, in another language. */
  rebuild() {
    this.#keepFocus(() => {
      this.#root?.destroy();
      this.#root?.element.remove();
      this.#root = undefined;
      this.refresh();
    });
  }

  /**
   * Shows another place as the whole.
   * @param {Path} path
   */
  go(path) {
    const from = this.#base;
    this.#base = path;
    this.refresh();
    this.check();
    // The way up leads to what was open.
    const opened = from.length > path.length ? around(pointerOf(from)).map((pointer) => this.view(pointer)).findLast((view) => view && view.path.length > path.length) : undefined;
    if (opened) opened.focus();
    else (this.heading ?? /** @type {Group} */ (this.#root).control)?.focus();
  }

  /** @param {string} pointer */
  showMore(pointer) {
    const before = this.countAt(pointer);
    this.state.counts.set(pointer, before + PAGE);
    this.refresh();
    const view = [...this.#views.values()].find(({ path }) => path.length && pointerOf(path.slice(0, -1)) === pointer && path.at(-1) === before);
    view?.focus();
  }

  /**
   * Brings a place into sight, whatever it is folded in, and gives it the focus.
   * @param {string} pointer
   */
  reveal(pointer) {
    const places = around(pointer);
    if (!places.includes(pointerOf(this.#base))) this.#base = [];
    this.refresh();
    for (const place of places) {
      let view = this.view(place);
      if (!view) {
        // It is in a long list, or not there and can be added.
        const part = partsOf(place).at(-1);
        const parent = place.slice(0, place.lastIndexOf("/"));
        if (/^\d+$/.test(part ?? "")) this.state.counts.set(parent, Math.max(this.countAt(parent), Number(part) + 1));
        else this.state.counts.set(parent, 500);
        this.state.added.set(place, true);
        this.refresh();
        view = this.view(place);
      }
      if (!view) break;
      if (place !== pointer && view.isDeep) this.go(view.path);
      else if (place !== pointer && view.toggle && !view.isOpen) view.toggle(true);
    }
    const nearest = places.map((place) => this.view(place)).findLast(Boolean);
    nearest?.focus();
    nearest?.control?.scrollIntoView?.({ block: "nearest" });
    return nearest;
  }

  focus() {
    (this.#root?.control ?? this.heading)?.focus();
  }

  // What the person does.

  /**
   * @param {Path} path
   * @param {string | undefined} raw
   * @param {How} how
   */
  write(path, raw, how) {
    this.#changes.write(path, raw, how);
    this.soon();
  }

  /**
   * @param {Member} field
   * @param {Path} path
   * @param {string[]} before
   */
  addMember(field, path, before) {
    this.#changes.addMember(field, path, before);
    this.#did(() => this.view(field.pointer)?.focus(), FIELDS_ADDED, field.title ?? field.key);
  }

  /**
   * @param {Member} field
   * @param {Path} path
   * @param {string} name
   * @param {Members} members
   */
  removeMember(field, path, name, members) {
    const focus = members.focusBeside(/** @type {string} */ (path.at(-1)));
    this.#changes.removeMember(path);
    this.#did(focus, FIELDS_REMOVED, name);
  }

  /**
   * @param {Path} path
   * @param {string} key
   */
  addKeyed(path, key) {
    this.#changes.addKeyed(path, key);
    const pointer = below(pointerOf(path), key);
    this.#did(() => this.view(pointer)?.focus(), FIELDS_ADDED, key);
  }

  /**
   * @param {Path} path
   * @param {string} from
   * @param {string} to
   */
  renameMember(path, from, to) {
    const pointer = pointerOf(path);
    this.#changes.renameMember(path, from, to);
    this.refresh([below(pointer, from), below(pointer, to)]);
    this.soon();
  }

  /**
   * @param {Path} path
   * @param {Field} field
   */
  addItem(path, field) {
    const { source } = this.document;
    const node = source?.find(path);
    const index = node ? /** @type {Source} */ (source).parts(node).length : 0;
    const pointer = pointerOf(path);
    this.#changes.addItem(path, index);
    this.state.counts.set(pointer, Math.max(this.countAt(pointer), index + 1));
    this.#did(() => this.view(below(pointer, index))?.focus(), FIELDS_ADDED, field.add?.title ?? this.#itemName(path, index));
  }

  /**
   * @param {Path} path
   * @param {number} index
   * @param {string} name
   * @param {Items} items
   */
  removeItem(path, index, name, items) {
    const focus = items.focusBeside(index);
    this.#changes.removeItem(path, index);
    this.#did(focus, FIELDS_REMOVED, name);
  }

  /**
   * @param {Path} path
   * @param {number} index
   */
  copyItem(path, index) {
    const name = this.#itemName(path, index);
    this.#changes.copyItem(path, index);
    const pointer = pointerOf(path);
    this.state.counts.set(pointer, Math.max(this.countAt(pointer), index + 2));
    this.#did(() => this.view(below(pointer, index + 1))?.focus(), FIELDS_COPIED, name);
  }

  /**
   * @param {Path} path
   * @param {number} index
   * @param {number} to
   */
  moveItem(path, index, to) {
    const pointer = pointerOf(path);
    this.#changes.moveItem(path, index, to);
    /** @type {(kind: "up" | "down") => HTMLButtonElement | undefined} */
    const at = (kind) => [.../** @type {NodeListOf<HTMLButtonElement>} */ (this.element.querySelectorAll("[data-at]"))].find(({ dataset, disabled }) => dataset.at === `${below(pointer, to)}|${kind}` && !disabled);
    this.#did(() => (at(to < index ? "up" : "down") ?? at(to < index ? "down" : "up"))?.focus(), FIELDS_MOVED, this.#itemName(path, to));
  }

  /**
   * @param {View} view
   * @param {FieldGroup} group
   * @param {number} index
   */
  choose(view, group, index) {
    this.#changes.choose(view.path, group, index, typeof view.path.at(-1) === "number");
    this.state.touched.set(view.pointer, true);
    this.refresh();
    this.soon();
  }

  undo() {
    if (!this.document.canUndo) return;
    this.document.undo();
    this.#announce(this.words.say(FIELDS_UNDONE));
  }

  redo() {
    if (!this.document.canRedo) return;
    this.document.redo();
    this.#announce(this.words.say(FIELDS_REDONE));
  }

  /** The text was changed elsewhere: what was chosen and left open counts no more. */
  changed() {
    this.state.unfilled.clear();
    this.state.choices.clear();
    for (const [pointer, keys] of this.state.keys) this.state.keys.set(pointer, keys.filter((key) => !this.document.source?.find([...partsOf(pointer), key])));
    this.refresh();
    this.soon();
  }

  /** @param {View} view */
  visited(view) {
    this.state.touched.set(view.pointer, true);
    this.soon();
  }

  // What is wrong.

  /** Soon, once nothing is typed: what appears would move what the person is about to press. */
  soon() {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      const began = performance.now();
      follows(this.element);
      this.refresh();
      this.#cost = performance.now() - began;
      this.check();
    }, Math.min(LONGEST, Math.max(IDLE, (this.#cost + this.#checking.cost) * 10)));
  }

  async check() {
    const found = await this.#checking.check();
    if (!found) return;
    this.#violations = found;
    follows(this.element);
    this.mark();
  }

  /** Makes ready what is sent: nothing that is shown is left out. Says whether it can be sent, and shows what is wrong. */
  send() {
    for (const entry of this.#keys) entry.rename();
    clearTimeout(this.#waiting);
    this.#isSent = true;
    // An empty list that is the whole answer takes an act of its own.
    /** @type {(view: View) => boolean | undefined} */
    const isCompleted = ({ path, field, isFixed }) => field && !field.present && (path.length ? field.required : field.kind !== "array" || isFixed) && (isFixed || ["object", "array"].includes(field.kind));
    const unseen = this.#unseen.count;
    this.#changes.complete([...this.#views.values()].filter(isCompleted).map(({ path, field }) => ({ path, field: /** @type {Field} */ (field) })));
    this.document.flush();
    this.refresh();
    this.#violations = this.#checking.checkNow();
    this.mark();
    const blocked = this.#blocked();
    if (blocked) /** @type {View} */ (this.reveal(blocked.pointer)).focus();
    else if (this.#violations.length) this.reveal(this.#violations[0].pointer);
    // What was added just now, and is shown nowhere else, is listed before it is sent.
    else if (this.#unseen.count > unseen) {
      this.#unseen.open();
      return false;
    }
    return !blocked;
  }

  /** What cannot be written as it stands, or is there and was never filled in. */
  #blocked() {
    const problem = [...this.#keys, ...this.#views.values()].find(({ problem }) => problem !== undefined);
    const [unfilled] = this.#unfilled();
    return problem ?? (unfilled === undefined ? undefined : { pointer: unfilled });
  }

  #unfilled() {
    const keys = [...this.state.keys].flatMap(([pointer, keys]) => keys.map((key) => below(pointer, key)));
    return [...this.state.unfilled.keys(), ...keys.filter((pointer) => this.view(pointer) && this.rawAt(/** @type {View} */ (this.view(pointer)).path) === undefined)];
  }

  /**
   * Says at each field what is wrong with it, once the person has been there; and above all, once it was sent, what is wrong at all.
   * @returns {void}
   */
  mark() {
    /** @type {Map<string, string[]>} */
    const said = new Map();
    /** @type {Listed[]} */
    const listed = [];
    /** @type {(pointer: string, text: string) => void} */
    const note = (pointer, text) => said.set(pointer, [...(said.get(pointer) ?? []), text]);
    for (const { pointer, keyword, message } of this.#violations) {
      if (this.state.unfilled.has(pointer)) continue;
      const nearest = around(pointer).map((place) => this.view(place)).findLast((view) => view?.say);
      const isHere = nearest?.pointer === pointer;
      const text = visible(keyword === "required" && isHere ? this.words.say(FIELDS_MISSING) : message);
      if (nearest && (this.#isSent || this.state.touched.has(pointer))) note(nearest.pointer, isHere ? text : `${this.called(pointer)}: ${text}`);
      listed.push({ pointer, text, name: this.called(pointer) });
    }
    if (this.#isSent) {
      for (const pointer of this.#unfilled()) {
        note(pointer, this.words.say(FIELDS_UNFILLED));
        listed.push({ pointer, text: this.words.say(FIELDS_UNFILLED), name: this.called(pointer) });
      }
      for (const { pointer, problem } of this.#views.values()) if (problem !== undefined) listed.push({ pointer, text: problem, name: this.called(pointer) });
    }
    for (const [pointer, view] of this.#views) view.say?.((said.get(pointer) ?? []).join(" "));
    this.#problems.show(this.#isSent ? listed : []);
    this.#unseen.update(this.#views.values());
    this.#point(listed[0]?.pointer);
  }

  /**
   * Where the form puts the focus.
   * @param {string} [pointer]
   */
  #point(pointer) {
    for (const marked of this.element.querySelectorAll("[data-field]")) marked.removeAttribute("data-field");
    if (this.element.hidden) return;
    const wrong = pointer === undefined ? undefined : around(pointer).map((place) => this.view(place)).findLast((view) => view?.control);
    (wrong ?? this.#root)?.control?.setAttribute("data-field", "");
  }

  /**
   * What a place is called, and what it is in.
   * @param {string} pointer
   */
  called(pointer) {
    const base = isWithin(pointer, pointerOf(this.#base)) ? this.#base.length : 0;
    const names = around(pointer).slice(1 + base).map((place) => {
      const view = this.view(place);
      return visible(view?.name || /** @type {string} */ (partsOf(place).at(-1)));
    });
    return names.reduce((all, name) => (all ? this.words.say(FIELDS_NAMED, { place: all, name }) : name), "");
  }

  /** @param {Path} path */
  #isGone(path) {
    const isThere = this.document.source?.find(path) !== undefined;
    return !isThere && (typeof path.at(-1) === "number" || this.model.open(pointerOf(path), 0, 0).kind === "nothing");
  }

  /**
   * @param {Path} path
   * @param {number} index
   */
  #itemName(path, index) {
    return itemName(this.document, [...path, index], this.words);
  }

  /**
   * @param {() => void} focus
   * @param {Word} word
   * @param {string} name
   */
  #did(focus, word, name) {
    this.refresh();
    focus();
    this.#announce(this.words.say(word, { name: visible(name) }));
    this.soon();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    // A letter that chooses in a list is no key of the form.
    if (/** @type {Element} */ (event.target).localName === "select" && event.key.length === 1) event.stopPropagation();
    const isUndo = event.key.toLowerCase() === "z" && !event.shiftKey;
    const isRedo = (event.key.toLowerCase() === "z" && event.shiftKey) || event.key.toLowerCase() === "y";
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !(isUndo || isRedo)) return;
    // A text has its own, for what was typed since the focus came.
    if (event.target === this.#typing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isUndo) this.undo();
    else this.redo();
  }

  /**
   * The text that is being typed, which takes its own changes back.
   * @type {EventTarget | null | undefined}
   */
  #typing;
  listen() {
    this.element.addEventListener("input", ({ target }) => (this.#typing = typeof /** @type {HTMLInputElement} */ (target).selectionStart === "number" ? target : undefined));
    this.element.addEventListener("focusout", () => (this.#typing = undefined));
  }

  /**
   * Does something that may make fields anew: what had the focus has it after that. `moved` are the places of what had it, before and after.
   * @param {() => void} act
   * @param {[from: string, to: string]} [moved]
   */
  #keepFocus(act, moved) {
    const root = /** @type {ShadowRoot} */ (this.element.getRootNode());
    const active = /** @type {HTMLInputElement} */ (root.activeElement);
    const at = active && this.element.contains(active) ? active.dataset.at : undefined;
    const selection = at && active.selectionStart !== null ? /** @type {[number, number]} */ ([active.selectionStart, active.selectionEnd]) : undefined;
    act();
    if (!at || (active.isConnected && root.activeElement === active)) return;
    const now = moved && at.startsWith(`${moved[0]}|`) ? moved[1] + at.slice(moved[0].length) : moved && at.startsWith(`${moved[0]}/`) ? moved[1] + at.slice(moved[0].length) : at;
    const found = [.../** @type {NodeListOf<HTMLInputElement>} */ (this.element.querySelectorAll("[data-at]"))].find(({ dataset }) => dataset.at === now);
    found?.focus();
    if (found && selection && "setSelectionRange" in found && found.localName !== "select" && !["radio", "checkbox", "date"].includes(found.type)) found.setSelectionRange(...selection);
  }
}
