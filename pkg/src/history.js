// Keeps the receipts of what has ended above what comes next, each folded to one line. Fetched where a page sets `keep-receipts`.
import style from "../build/history-style.js";
import { addStyles } from "./json/dom.js";

/** @import { AskUser, Host, Receipt } from "../types/ask-user.js" */

/** So many receipts are kept; the oldest goes first. */
const MOST = 50;

/** @type {WeakMap<HTMLElement, History>} */
const histories = new WeakMap();

/**
 * Brings an element in line with its attribute `keep-receipts`. `asked()` gives what its form is made of.
 * @param {HTMLElement} element
 * @param {{ asked(): Receipt }} given
 */
export function update(element, { asked }) {
  if (!element.shadowRoot) return;
  if (!histories.has(element)) histories.set(element, new History(/** @type {AskUser} */ (element), element.shadowRoot, asked));
  /** @type {History} */ (histories.get(element)).update();
}

class History {
  /** @type {AskUser} */
  #element;
  /** @type {ShadowRoot} */
  #root;
  #list = Object.assign(document.createElement("div"), { className: "history" });
  /**
   * What has ended and is shown still: its receipt, its key, and whether its end could not be sent.
   * @type {{ receipt: Receipt, nonce: string | undefined, key: string, isUnsent: boolean } | undefined}
   */
  #ended;

  /**
   * @param {AskUser} element
   * @param {ShadowRoot} root
   * @param {() => Receipt} asked
   */
  constructor(element, root, asked) {
    [this.#element, this.#root] = [element, root];
    this.#list.dataset.stays = "";
    for (const name of /** @type {const} */ (["ask-user-result", "ask-user-end-turn"])) {
      element.addEventListener(name, ({ target, detail: { idempotencyKey: key, toolCallId } }) => {
        const { walk } = element;
        if (target === element && walk) this.#ended = { receipt: { ...asked(), walk, toolCallId }, nonce: walk.nonce, key, isUnsent: false };
      });
    }
    element.addEventListener("ask-user-delivery", ({ detail: { idempotencyKey: key, state } }) => {
      if (this.#ended?.key === key) this.#ended.isUnsent = state !== "sent";
    });
    // Another form takes the place of all that is there.
    new MutationObserver(() => this.update()).observe(root, { childList: true });
  }

  update() {
    const ended = this.#ended;
    // The walk is read as JSON each time: only where something has ended.
    const walk = ended && this.#element.walk;
    if (walk && walk.nonce !== ended.nonce) {
      this.#ended = undefined;
      // What could not be sent comes again, and is no answer yet.
      if (!ended.isUnsent) this.#add(ended.receipt);
    }
    const isWanted = this.#element.hasAttribute("keep-receipts");
    if (!isWanted || !this.#list.childElementCount) this.#list.remove();
    else if (this.#list.parentNode !== this.#root) this.#root.insertBefore(this.#list, this.#root.querySelector(".fold-away")?.nextSibling ?? this.#root.firstChild);
    addStyles(this.#root, style);
  }

  /** @param {Receipt} receipt */
  #add(receipt) {
    const { words, markdown } = this.#element.host;
    const shown = /** @type {AskUser} */ (document.createElement("ask-user"));
    shown.host = /** @type {Host} */ ({ ...(words && { words }), ...(markdown !== undefined && { markdown }) });
    shown.receipt = receipt;
    this.#list.append(shown);
    if (this.#list.childElementCount > MOST) this.#list.firstElementChild?.remove();
    // It has a shadow root once it is on the page. One line is enough of it at first.
    queueMicrotask(() => {
      const root = /** @type {ShadowRoot} */ (shown.shadowRoot);
      const folding = new MutationObserver(() => {
        const details = root?.querySelector("details");
        if (!details) return;
        details.open = false;
        folding.disconnect();
      });
      if (root) folding.observe(root, { childList: true, subtree: true });
    });
  }
}
