// The text of one answer, for the fields and the editor over one text area: what changes it, and one history of the changes. The text area
// gets the text a moment later, and always before the form reads it. Knows no schema.
import { Source } from "./source.js";

/** @import { Change } from "./source.js" */

/**
 * A change that can be taken back.
 * @typedef {{ from: number, removed: string, inserted: string, join?: unknown, time: number }} Step
 */

/**
 * An editor over the same text.
 * @typedef {{ text(): string, apply(change: Change): void, undo(): void, redo(): void, depth(): [undo: number, redo: number], look(): void }} Editor
 */

/**
 * A change as listeners hear of it: who has made it, and a position in what changed.
 * @typedef {{ by: "fields" | "editor" | "area" | "history", at?: number }} What
 */

/** @typedef {(source: Source) => Change | undefined} Act */

/** How long the form's text area may be behind, in milliseconds; it is never behind when the form reads it, or the page is left. */
const BEHIND = 100;
/** A long text waits until nothing is typed: a text area takes about a frame for half a megabyte. One millisecond for so many characters, and the longest. */
const EACH = 1_000;
const LONGEST = 10_000;
/** Changes of one value within this time are taken back together, in milliseconds. */
const TOGETHER = 1_000;
/** What may be the last that a page hears. */
const LEAVING = ["pagehide", "visibilitychange"];

export class Document {
  /** @type {HTMLTextAreaElement} */
  #area;
  /** @type {HTMLFormElement} */
  #form;
  /**
   * The text; nothing while only the editor has it.
   * @type {string | undefined}
   */
  #text;
  /**
   * Its places; nothing where they are not known yet, null where the text is no JSON.
   * @type {Source | null | undefined}
   */
  #source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #late;
  /**
   * How long the text was when the text area had it last.
   * @type {number}
   */
  #length;
  /**
   * Since when the text area is behind.
   * @type {number | undefined}
   */
  #since;
  /** @type {Set<(what: What) => void>} */
  #listeners = new Set();
  /**
   * What was changed and what was taken back, `{ from, removed, inserted, join, time }`. With an editor: what its history has not got yet.
   * @type {Step[]}
   */
  #done = [];
  /** @type {Step[]} */
  #undone = [];
  /**
   * The editor and its history, once it is there.
   * @type {Editor | undefined}
   */
  #editor;
  #feeding = false;

  /** @param {HTMLTextAreaElement} area */
  constructor(area) {
    this.#area = area;
    this.#text = area.value;
    this.#length = this.#text.length;
    this.#form = /** @type {HTMLFormElement} */ (area.form);
    // Whatever is pressed to send the form: it reads the text area.
    this.#form.addEventListener("submit", this.flush, { capture: true });
    area.addEventListener("input", this.take);
    for (const name of LEAVING) addEventListener(name, this.flush, { capture: true });
  }

  destroy() {
    // A question that is still there may be shown again, with what was typed. One that was answered is gone.
    if (this.#area.getRootNode() instanceof ShadowRoot) this.flush();
    clearTimeout(this.#late);
    for (const name of LEAVING) removeEventListener(name, this.flush, { capture: true });
    this.#form.removeEventListener("submit", this.flush, { capture: true });
    this.#area.removeEventListener("input", this.take);
  }

  /** @returns {string} */
  get text() {
    this.#text ??= /** @type {Editor} */ (this.#editor).text();
    return this.#text;
  }

  /**
   * The places of the text; null where the text is no JSON. A blank text has none, and is no fault.
   * @returns {Source | null}
   */
  get source() {
    if (this.#source === undefined) this.#source = isJson(this.text) ? new Source(this.text) : null;
    return this.#source;
  }

  /**
   * Hears of each change: `{ by }` is "fields", "editor", "area" or "history"; `at`, where there is one, is a position in what changed. Gives what stops it.
   * @param {(what: What) => void} listener
   */
  follow(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Changes the text: `act(source)` gives the change. Changes that `join` names alike, one soon after the other, are taken back together.
   * @param {Act} act
   * @param {unknown} [join]
   */
  edit(act, join) {
    const { source } = /** @type {{ source: Source }} */ (this);
    const before = source.text;
    const change = act(source);
    if (!change) return undefined;
    const removed = before.slice(change.from, change.to);
    if (removed === change.insert) return change;
    this.#text = source.text;
    this.#note({ from: change.from, removed, inserted: change.insert, join, time: performance.now() });
    this.#tell({ by: "fields", at: change.from });
    return change;
  }

  /**
   * Several changes that are taken back together.
   * @param {((source: Source) => void)[]} acts
   */
  editAll(acts) {
    const join = {};
    const { source } = /** @type {{ source: Source }} */ (this);
    const before = source.text;
    for (const act of acts) act(source);
    const change = difference(before, source.text);
    if (!change) return;
    this.#text = source.text;
    this.#note({ from: change.from, removed: before.slice(change.from, change.to), inserted: change.insert, join, time: 0 });
    this.#tell({ by: "fields", at: change.from });
  }

  get canUndo() {
    return this.#done.length > 0 || (this.#editor?.depth()[0] ?? 0) > 0;
  }

  get canRedo() {
    return this.#undone.length > 0 || (!this.#done.length && (this.#editor?.depth()[1] ?? 0) > 0);
  }

  undo() {
    if (this.#editor) return this.#feed(), this.#editor.undo();
    const change = this.#done.pop();
    if (!change) return;
    this.#undone.push(change);
    this.#turn(change.from, change.inserted, change.removed);
  }

  redo() {
    if (this.#editor) return this.#feed(), this.#editor.redo();
    const change = this.#undone.pop();
    if (!change) return;
    this.#done.push({ ...change, join: undefined });
    this.#turn(change.from, change.removed, change.inserted);
  }

  /** Gives the text area the text. */
  flush = () => {
    if (this.#late === undefined) return;
    clearTimeout(this.#late);
    this.#late = this.#since = undefined;
    this.#length = this.text.length;
    if (this.#area.value === this.text) return;
    this.#area.value = this.text;
    // A text area makes one kind of line break of all.
    this.#area.dispatchEvent(new Event("input", { bubbles: true }));
  };

  /** Takes what was written into the text area itself. */
  take = () => {
    if (this.#late !== undefined) return;
    const change = difference(this.text, this.#area.value);
    if (!change) return;
    const removed = this.text.slice(change.from, change.to);
    this.#text = this.#area.value;
    this.#length = this.#text.length;
    this.#source = undefined;
    this.#note({ from: change.from, removed, inserted: change.insert, join: "area", time: performance.now() });
    for (const listener of this.#listeners) listener({ by: "area", at: change.from });
  };

  /**
   * Lets an editor have the text and the history from now on: `{ text(), apply(change), undo(), redo(), depth(), look() }`, where `apply` makes a change
   * that is taken back by itself, and `look` looks for what is wrong. It says what is changed in it by `changed`. It starts with the text of `base`.
   * @param {Editor} editor
   */
  bind(editor) {
    const undone = this.#undone;
    this.#editor = editor;
    this.#undone = [];
    this.#done.push(...[...undone].reverse());
    this.#feed();
    this.#feeding = true;
    for (const _ of undone) editor.undo();
    this.#feeding = false;
  }

  /** The text from which the changes lead to what it is now. */
  get base() {
    return this.#done.reduceRight((text, { from, removed, inserted }) => text.slice(0, from) + removed + text.slice(from + inserted.length), this.text);
  }

  /** Shows the editor what it has not got yet. */
  show() {
    if (!this.#editor) return;
    this.#feed();
    this.#editor.look();
  }

  /**
   * The editor's text is another now.
   * @param {number} at
   * @param {boolean} isHistory
   */
  changed(at, isHistory) {
    if (this.#feeding) return;
    this.#text = this.#source = undefined;
    this.#tell({ by: isHistory ? "history" : "editor", at });
  }

  #feed() {
    this.#feeding = true;
    for (const change of this.#done) /** @type {Editor} */ (this.#editor).apply({ from: change.from, to: change.from + change.removed.length, insert: change.inserted });
    this.#feeding = false;
    this.#done = [];
  }

  /**
   * @param {number} from
   * @param {string} removed
   * @param {string} inserted
   */
  #turn(from, removed, inserted) {
    this.#text = this.text.slice(0, from) + inserted + this.text.slice(from + removed.length);
    this.#source = undefined;
    this.#tell({ by: "history", at: from });
  }

  /** @param {Step} change */
  #note(change) {
    const last = this.#done.at(-1);
    const goesOn = last && change.join !== undefined && last.join === change.join && change.time - last.time < TOGETHER;
    const within = /** @type {number} */ (goesOn && change.from - last.from);
    this.#undone = [];
    if (goesOn && within >= 0 && within + change.removed.length <= last.inserted.length) {
      last.inserted = last.inserted.slice(0, within) + change.inserted + last.inserted.slice(within + change.removed.length);
      last.time = change.time;
    } else this.#done.push(change);
  }

  /** @param {What} what */
  #tell(what) {
    const now = performance.now();
    this.#since ??= now;
    const behind = this.#length / EACH;
    if (behind > BEHIND) clearTimeout(this.#late);
    if (behind > BEHIND || this.#late === undefined) this.#late = setTimeout(this.flush, Math.max(BEHIND, Math.min(behind, this.#since + LONGEST - now)));
    for (const listener of this.#listeners) listener(what);
  }
}

/**
 * Whether a text is JSON, or blank.
 * @param {string} text
 */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.trim() === "";
  }
}

/**
 * What leads from one text to another; nothing where they are the same.
 * @param {string} before
 * @param {string} after
 * @returns {Change | undefined}
 */
function difference(before, after) {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let same = 0;
  while (same < most - from && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
