// What comes over the text area of a question for JSON: fields, and the JSON editor. Knows no form.

import { optional, part } from "./demand.js";

const fields = optional(() => part(() => import("./fields.js")));
const editor = optional(() => part(() => import("./editor.js")));

/** Each layer as a function that fetches it. The editor is no help to a finger. */
export const layers = () => (matchMedia("(pointer: coarse)").matches ? [fields] : [fields, editor]);

/** The layers over one text area. `schema` is its text, compiled by `compile`, and `id` that of the question; `check(text)` gives what is wrong with a text, if anything is; `missing(again)` hears that the editor could not be had, and can have it fetched again; `words` are those of the element. */
export class Layers {
  area;
  #over = [];
  #isGone = false;

  constructor(area, given) {
    this.area = area;
    this.#attach(given);
  }

  destroy() {
    this.#isGone = true;
    for (const layer of this.#over) layer.destroy();
  }

  async #attach(given, missing = layers(), before = undefined) {
    const { area } = this;
    const submit = () => [...area.form.elements].find(({ type }) => type === "submit").click();
    for (const layer of missing) {
      const { attach } = (await layer()) ?? {};
      if (this.#isGone || !area.isConnected) return;
      const made = await attach?.(area, { ...given, submit, before });
      if (made) this.#over.push(made);
      if (this.#isGone) return made?.destroy();
      if (layer === editor && !made && area.isConnected) given.missing(() => this.#attach(given, [editor], before));
      before = made;
    }
  }
}
