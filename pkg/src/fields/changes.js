// What a person's actions in the fields change in the text, and in what goes along with its places. Knows no page.
import { Source } from "../json/source.js";
import { written } from "./exact.js";
import { below, pointerOf } from "./pointer.js";

/**
 * @import { Document } from "../json/document.js"
 * @import { Path, Place, Seat } from "../json/source.js"
 * @import { Field, FieldGroup, FieldKind, Model } from "./model.js"
 * @import { State } from "./state.js"
 */

/**
 * How a value is written.
 * @typedef {{ seat?: Seat, before?: string[], isItem?: boolean, isTyped?: boolean, isBack?: boolean }} How
 */

/** @type {{ [kind in FieldKind]?: string }} */
const EMPTY = { object: "{}", array: "[]" };

export class Changes {
  /** @type {Document} */
  #document;
  /** @type {Model} */
  #model;
  /** @type {State} */
  #state;

  /**
   * @param {Document} document
   * @param {Model} model
   * @param {State} state
   */
  constructor(document, model, state) {
    this.#document = document;
    this.#model = model;
    this.#state = state;
  }

  /**
   * Writes a value, JSON text, or takes it out. `seat` is where it stood before; `before` are the keys that it comes after. What stood there before (`isBack`) is written as it was. An item stays, empty. What is typed is taken back together.
   * @param {Path} path
   * @param {string | undefined} raw
   * @param {How} how
   */
  write(path, raw, { seat, before, isItem, isTyped, isBack }) {
    const pointer = pointerOf(path);
    this.#document.edit((source) => {
      if (raw !== undefined && source.find(path)) return isBack ? source.put(path, raw) : source.set(path, raw);
      if (raw !== undefined) return (seat && source.restore(path, seat, raw)) || this.#begin(source, path, raw, before);
      if (!source.find(path)) return undefined;
      if (!isItem) return source.remove(path);
      this.#state.unfilled.set(pointer, true);
      return source.set(path, this.#model.start(pointer).text ?? "null");
    }, isTyped ? pointer : undefined);
  }

  /**
   * Begins an optional property: with what the schema states, else empty where it has parts, else not yet.
   * @param {Field} field
   * @param {Path} path
   * @param {string[]} [before]
   */
  addMember(field, path, before) {
    const { pointer } = field;
    this.#state.added.set(pointer, true);
    this.#state.open.set(pointer, true);
    const raw = startOf(field, this.#model);
    if (raw !== undefined) this.#document.edit((source) => this.#begin(source, path, raw, before));
  }

  /** @param {Path} path */
  removeMember(path) {
    this.#state.forget(pointerOf(path));
    const parent = pointerOf(path.slice(0, -1));
    const keys = this.#state.keys.get(parent);
    if (keys) this.#state.keys.set(parent, keys.filter((key) => key !== path.at(-1)));
    this.#document.edit((source) => (source.find(path) ? source.remove(path) : undefined));
  }

  /**
   * Begins a member with a key of the person's.
   * @param {Path} path
   * @param {string} key
   */
  addKeyed(path, key) {
    const pointer = pointerOf(path);
    const field = this.#model.open(below(pointer, key));
    this.#state.open.set(field.pointer, true);
    const raw = startOf(field, this.#model);
    if (raw !== undefined) this.#document.edit((source) => this.#begin(source, [...path, key], raw));
    else this.#state.keys.set(pointer, [...(this.#state.keys.get(pointer) ?? []), key]);
  }

  /**
   * @param {Path} path
   * @param {string} from
   * @param {string} to
   */
  renameMember(path, from, to) {
    const pointer = pointerOf(path);
    const keys = this.#state.keys.get(pointer);
    if (keys) this.#state.keys.set(pointer, keys.map((key) => (key === from ? to : key)));
    this.#state.rename(below(pointer, from), below(pointer, to));
    this.#document.edit((source) => (source.find([...path, from]) ? source.rename([...path, from], to) : undefined));
  }

  /**
   * Adds an item, as the schema begins it.
   * @param {Path} path
   * @param {number} index
   */
  addItem(path, index) {
    const pointer = below(pointerOf(path), index);
    const { text = "null", empty } = this.#model.start(pointer);
    const { kind } = this.#model.open(pointer);
    this.#state.open.set(pointer, true);
    if (empty && !(kind in EMPTY)) this.#state.unfilled.set(pointer, true);
    this.#document.edit((source) => (source.find(path) ? source.insert(path, index, text) : this.#begin(source, path, `[${text}]`)));
  }

  /**
   * @param {Path} path
   * @param {number} index
   */
  removeItem(path, index) {
    const pointer = pointerOf(path);
    this.#state.forget(below(pointer, index));
    this.#state.move(pointer, (place) => (place < index ? place : place - 1));
    this.#document.edit((source) => source.remove([...path, index]));
  }

  /**
   * @param {Path} path
   * @param {number} index
   */
  copyItem(path, index) {
    const pointer = pointerOf(path);
    this.#state.move(pointer, (place) => (place <= index ? place : place + 1));
    this.#state.open.set(below(pointer, index + 1), true);
    this.#document.edit((source) => source.insert(path, index + 1, source.raw(/** @type {Place} */ (source.find([...path, index])))));
  }

  /**
   * Lets an item change places with the one beside it.
   * @param {Path} path
   * @param {number} index
   * @param {number} to
   */
  moveItem(path, index, to) {
    this.#state.move(pointerOf(path), (place) => (place === index ? to : place === to ? index : place));
    this.#document.edit((source) => source.swap(path, Math.min(index, to)));
  }

  /**
   * Makes a value what another option of a group says. What the option before had comes back with it.
   * @param {Path} path
   * @param {FieldGroup} group
   * @param {number} index
   * @param {boolean} isItem
   */
  choose(path, { id, current, options }, index, isItem) {
    const pointer = pointerOf(path);
    const there = /** @type {Source} */ (this.#document.source).find(path);
    const kept = { ...this.#state.kept.get(pointer) };
    if (there && current !== undefined) kept[`${id}:${current}`] = /** @type {Source} */ (this.#document.source).raw(there);
    const { same, drop, set = [], text = EMPTY[options[index].kind] } = this.#model.switch(pointer, id, index);
    const choices = { ...this.#state.choices.get(pointer), [id]: index };
    this.#state.forget(pointer);
    this.#state.kept.set(pointer, kept);
    this.#state.choices.set(pointer, choices);
    for (const map of [this.#state.open, this.#state.added]) map.set(pointer, true);
    const back = kept[`${id}:${index}`];
    this.#document.editAll([
      (source) => {
        if (same) return;
        if (drop) {
          for (const key of drop) if (source.find([...path, key])) source.remove([...path, key]);
          for (const { key, text } of set) source.set([...path, key], text);
          if (back !== undefined) this.#bringBack(source, path, back);
        } else if (back !== undefined) this.#put(source, path, back);
        else if (text !== undefined) this.#put(source, path, text);
        else if (isItem) this.#put(source, path, "null");
        else if (source.find(path)) source.remove(path);
      },
    ]);
    if (!same && back === undefined && isItem && !drop && text === undefined) this.#state.unfilled.set(pointer, true);
  }

  /**
   * Writes what has to be there and is shown: what is fixed, and places with parts, which may be empty.
   * @param {{ path: Path, field: Field }[]} places
   */
  complete(places) {
    const { source } = /** @type {{ source: Source }} */ (this.#document);
    const missing = places.filter(({ path }) => !source.find(path)).sort((a, b) => a.path.length - b.path.length);
    if (!missing.length) return;
    const texts = missing.map(({ field, path }) => ({ path, raw: startOf(field, this.#model) }));
    this.#document.editAll(texts.map(({ path, raw }) => (source) => {
      if (raw !== undefined && !source.find(path) && (!path.length || source.find(path.slice(0, -1)))) source.set(path, raw);
    }));
  }

  /**
   * What an option had, and the value has not got now.
   * @param {Source} source
   * @param {Path} path
   * @param {string} back
   */
  #bringBack(source, path, back) {
    const before = new Source(back);
    if (before.root?.kind !== "object") return;
    for (const part of before.parts(before.root)) if (!source.find([...path, part.name])) source.set([...path, part.name], before.raw(part));
  }

  /**
   * @param {Source} source
   * @param {Path} path
   * @param {string} raw
   */
  #put(source, path, raw) {
    if (source.find(path)) source.set(path, raw);
    else this.#begin(source, path, raw);
  }

  /**
   * Writes a value where what it is in may not be there yet: that begins with what the schema states.
   * @param {Source} source
   * @param {Path} path
   * @param {string} raw
   * @param {string[]} [before]
   */
  #begin(source, path, raw, before) {
    let depth = path.length - 1;
    while (depth >= 0 && !source.find(path.slice(0, depth))) depth -= 1;
    let inner = raw;
    for (let length = path.length - 1; length > depth; length -= 1) {
      const around = new Source(this.#model.start(pointerOf(path.slice(0, length))).text ?? (typeof path[length] === "number" ? "[]" : "{}"));
      this.#place(around, [path[length]], inner);
      inner = around.text;
    }
    if (depth < 0) return source.set([], inner);
    return this.#place(source, path.slice(0, depth + 1), inner, before);
  }

  /**
   * An item of a tuple may be the first that is there: those before it are empty.
   * @param {Source} source
   * @param {Path} path
   * @param {string} raw
   * @param {string[]} [before]
   */
  #place(source, path, raw, before) {
    const [list, index] = [path.slice(0, -1), path.at(-1)];
    const node = source.find(list);
    const count = node?.kind === "array" ? source.parts(node).length : 0;
    if (typeof index !== "number" || index <= count) return source.set(path, raw, before);
    const items = source.parts(/** @type {Place} */ (node)).map((part) => source.raw(part));
    for (let place = count; place < index; place += 1) {
      const pointer = below(pointerOf(list), place);
      this.#state.unfilled.set(pointer, true);
      items.push(this.#model.start(pointer).text ?? "null");
    }
    return source.set(list, `[${[...items, raw].join(", ")}]`);
  }
}

/**
 * What a place begins with: what is fixed or stated, or nothing in it; nothing where the person says it.
 * @param {Field} field
 * @param {Model} model
 * @returns {string | undefined}
 */
function startOf({ kind, const: only, pointer }, model) {
  if (only !== undefined) return written(only);
  if (kind === "null") return "null";
  return model.start(pointer).text ?? EMPTY[kind];
}
