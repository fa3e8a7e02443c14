// What is wrong, above the fields, once the answer was sent: each a button that leads to its field.
import { FIELDS_PROBLEMS } from "../../build/words.js";
import { element } from "../json/dom.js";

/** @import { Form } from "./form.js" */

/**
 * What is wrong, the place of its field, and what that is called.
 * @typedef {{ pointer: string, text: string, name: string }} Listed
 */

export class Problems {
  element;
  #list = element("ul", { className: "problems" }, { part: "problems" });
  /** @type {Form} */
  #form;
  #signature = "";
  #title = element("p", { className: "error" });

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
    this.element = element("div", { className: "wrong-list", hidden: true }, { role: "group" });
    this.element.append(this.#title, this.#list);
  }

  /** @param {Listed[]} listed */
  show(listed) {
    this.#title.textContent = this.#form.words.say(FIELDS_PROBLEMS);
    this.element.setAttribute("aria-label", this.#title.textContent);
    this.element.hidden = listed.length === 0;
    const signature = JSON.stringify(listed);
    if (signature === this.#signature) return;
    this.#signature = signature;
    this.#list.replaceChildren(
      ...listed.map(({ pointer, text, name }) => {
        const item = element("li");
        const link = element("button", { type: "button", className: "link" }, { part: "button" });
        // Many a sentence begins with the name.
        if (name && !text.startsWith(`${name} `)) link.append(element("strong", { className: "isolated", textContent: name }), " ");
        link.append(element("span", { className: "isolated", textContent: text }));
        link.addEventListener("click", () => this.#form.reveal(pointer));
        item.append(link);
        return item;
      }),
    );
  }
}
