// One question call, one promise: puts an <ask-user> on the page and waits for how it ends.

import { RejectionError } from "./core/errors.js";
import { inTurn } from "./waiting.js";

/** @import { AskOptions, AskUser, EndDetail } from "../types/ask-user.js" */

/**
 * Asks: appends an element to `parent` and gives its end (the detail of `ask-user-result` or `ask-user-end-turn`). While another question of `ask` is open in the same
 * parent, this one waits. Fails with a RejectionError when the request becomes no form, with a TypeError for an option that does not exist, and with an AbortError when the element is
 * removed before the end, another request is set on it, the question is closed elsewhere, or the signal is aborted, which removes it. The element stays with its receipt; whoever gave the parent takes it away.
 * @param {unknown} request
 * @param {AskOptions} options
 * @returns {Promise<EndDetail>}
 */
export function ask(request, { parent = document.body, signal, host, walk, attributes = {} } = {}) {
  return new Promise((resolve, reject) => {
    /** @type {AskUser | undefined} */
    let element;
    let over = () => {};
    const done = new AbortController();
    /** @type {(settle: (value: any) => void, value: unknown) => void} */
    const settles = (settle, value) => (done.abort(), settle(value), over());
    const aborted = () => settles(reject, signal?.reason ?? new DOMException("The question was taken off the page.", "AbortError"));
    /** @type {(name: string, act: (detail: any) => void) => void} */
    const on = (name, act) => /** @type {AskUser} */ (element).addEventListener(`ask-user-${name}`, (event) => act(/** @type {CustomEvent} */ (event).detail), { signal: done.signal });
    /** @type {(waited?: (element: AskUser) => void) => void} */
    const start = (waited) => {
      element = document.createElement("ask-user");
      on("result", (detail) => settles(resolve, detail));
      on("end-turn", (detail) => settles(resolve, detail));
      on("rejected", ({ toolResult }) => settles(reject, new RejectionError(toolResult)));
      on("error", ({ error }) => settles(reject, error));
      on("closed", ({ how }) => settles(reject, new DOMException(`The question was closed elsewhere: ${how}.`, "AbortError")));
      on("removed", aborted);
      // A stream gives its place to its text.
      let own = request;
      on("ready", () => (own = /** @type {AskUser} */ (element).request));
      on("begun", () => /** @type {AskUser} */ (element).isConnected && /** @type {AskUser} */ (element).request !== own && settles(reject, new DOMException("Another request was set on the element.", "AbortError")));
      // What ended before this page came is shown as a receipt, and tells no end: the next one need not wait for it.
      on("step", ({ step }) => step.state === "done" && over());
      try {
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        if (host) element.host = host;
        element.request = request;
        if (walk) element.walk = walk;
        parent.append(element);
      } catch (error) {
        return settles(reject, error);
      }
      waited?.(element);
    };
    if (signal?.aborted) return aborted();
    // An answer that could still be undone was given: it is heard before the element is gone.
    signal?.addEventListener("abort", () => (element?.isConnected ? element.remove() : aborted()), { signal: done.signal });
    over = inTurn(parent, start);
    if (done.signal.aborted) over();
  });
}
