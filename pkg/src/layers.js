// What comes over the text area of a question for JSON: fields for a flat schema, and the JSON editor. Knows no form.

import { optional, part } from "./demand.js";

const fields = optional(() => part(() => import("./fields.js")));
const editor = optional(() => part(() => import("./editor.js")));

/** Each layer as a function that fetches it. The editor is no help to a finger. */
export const layers = () => (matchMedia("(pointer: coarse)").matches ? [fields] : [fields, editor]);

/** The layers over one text area. `check(text)` gives what is wrong with a text, if anything is; `missing()` hears that the editor could not be had; `words` are those of the element. */
export class Layers {
  area;
  #over = [];
  #isGone = false;

  constructor(area, { schema, check, missing, words }) {
    this.area = area;
    this.#attach(schema, check, missing, words);
  }

  destroy() {
    this.#isGone = true;
    for (const layer of this.#over) layer.destroy();
  }

  async #attach(schema, check, missing, words) {
    const { area } = this;
    let attached;
    const submit = () => [...area.form.elements].find(({ type }) => type === "submit").click();
    for (const layer of layers()) {
      const { attach } = (await layer()) ?? {};
      if (this.#isGone || !area.isConnected) return;
      const made = attach?.(area, { schema, check, submit, words, editor: () => attached });
      if (made) this.#over.push(made);
      if (layer === editor) attached = made;
      if (layer === editor && !made) missing();
    }
  }
}
