// What comes over the text area of a question for JSON: fields, and the JSON editor. Knows no form.

import { optional, part } from "./demand.js";

/**
 * @import { Checker } from "./validator.js"
 * @import { Words } from "./words.js"
 * @import { RefusalError } from "../types/core.js"
 */

/**
 * Why the form does not take a text.
 * @typedef {Pick<RefusalError, "message" | "details">} Refusal
 */

/**
 * What the layers are made with.
 * @typedef {{ id: string, schema: string, compile: () => Promise<Checker>, check: (text: string) => Refusal | undefined, missing: (again: () => void) => void, words: Words }} Given
 */

/**
 * What lies over a text area.
 * @typedef {{ document: import("./json/document.js").Document, isShown?(): boolean, destroy(): void } | { destroy(): void, document?: undefined, isShown?: undefined }} Layer
 */

/**
 * A module that makes one.
 * @typedef {{ attach(area: HTMLTextAreaElement, given: any): Promise<Layer | undefined> }} Part
 */

/** How long a press may take from the button to the click, in milliseconds. */
const AIMED = 500;

const fields = optional(part("fields.js", () => import("./fields.js")));
const editor = optional(part("editor.js", () => import("./editor.js")));

/**
 * Each layer as a function that fetches it. The editor is no help to a finger.
 * @type {() => (() => Promise<Part | undefined>)[]}
 */
export const layers = () => (matchMedia("(pointer: coarse)").matches ? [fields] : [fields, editor]);

/** The layers over one text area. `schema` is its text, compiled by `compile`, and `id` that of the question; `check(text)` gives what is wrong with a text, if anything is; `missing(again)` hears that the editor could not be had, and can have it fetched again; `words` are those of the element. */
export class Layers {
  /** @type {HTMLTextAreaElement} */
  area;
  /** @type {Layer[]} */
  #over = [];
  #isGone = false;
  /** Whether the person has typed in the text area. */
  #isTyped = false;

  /**
   * @param {HTMLTextAreaElement} area
   * @param {Given} given
   */
  constructor(area, given) {
    this.area = area;
    for (const name of ["keydown", "input"]) area.addEventListener(name, () => (this.#isTyped = true), { once: true });
    this.#attach(given);
  }

  destroy() {
    this.#isGone = true;
    for (const layer of this.#over) layer.destroy();
  }

  /**
   * @param {Given} given
   * @param {(() => Promise<Part | undefined>)[]} missing
   * @param {Layer} [before]
   */
  async #attach(given, missing = layers(), before = undefined) {
    const { area } = this;
    const submit = () => /** @type {HTMLButtonElement} */ ([.../** @type {Iterable<HTMLButtonElement>} */ (/** @type {HTMLFormElement} */ (area.form).elements)].find(({ type }) => type === "submit")).click();
    for (const layer of missing) {
      const { attach } = (await layer()) ?? {};
      await given.compile().catch(() => {});
      await this.#left();
      if (this.#isGone || !area.isConnected) return;
      const made = await attach?.(area, { ...given, submit, before });
      if (made) this.#over.push(made);
      if (this.#isGone) return made?.destroy();
      if (layer === editor && !made && area.isConnected) given.missing(() => this.#attach(given, [editor], before));
      before = made;
    }
  }

  /** Waits until nobody types in the text area: what comes over it would take the next key, and the caret. A press that has taken the focus away hits what it was aimed at. */
  async #left() {
    const { area } = this;
    const isBusy = () => this.#isTyped && !this.#isGone && /** @type {ShadowRoot} */ (area.getRootNode()).activeElement === area;
    while (isBusy()) {
      await new Promise((resolve) => area.addEventListener("blur", resolve, { once: true }));
      await new Promise((resolve) => setTimeout(resolve, AIMED));
    }
  }
}
