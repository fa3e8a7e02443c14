// Defines the custom element <ask-user>. `pkg/src/element.js` is the class.
import { AskUser } from "./element.js";

export { ask } from "./ask.js";
export { AskUser, initialize, preload, registerDialect } from "./element.js";

// The first that is loaded defines it; a server has no elements.
if (globalThis.customElements && !customElements.get("ask-user")) {
  customElements.define("ask-user", AskUser);
}
