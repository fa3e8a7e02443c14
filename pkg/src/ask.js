// One question call, one promise: puts an <ask-user> on the page and waits for how it ends.

import { RejectionError } from "./core.js";
import { inTurn } from "./waiting.js";

/**
 * Asks: appends an element to `parent` and gives its end (the detail of `ask-user-result` or `ask-user-end-turn`). While another question of `ask` is open in the same
 * parent, this one waits. Fails with a RejectionError when the request becomes no form, with a TypeError for an option that does not exist, and with an AbortError when the element is
 * removed before the end, another request is set on it, the question is closed elsewhere, or the signal is aborted, which removes it. The element stays with its receipt; whoever gave the parent takes it away.
 */
export function ask(request, { parent = document.body, signal, host, walk, attributes = {} } = {}) {
  return new Promise((resolve, reject) => {
    let element;
    let over = () => {};
    const done = new AbortController();
    const settles = (settle, value) => (done.abort(), settle(value), over());
    const aborted = () => settles(reject, signal?.reason ?? new DOMException("The question was taken off the page.", "AbortError"));
    const on = (name, act) => element.addEventListener(`ask-user-${name}`, ({ detail }) => act(detail), { signal: done.signal });
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
      on("ready", () => (own = element.request));
      on("begun", () => element.isConnected && element.request !== own && settles(reject, new DOMException("Another request was set on the element.", "AbortError")));
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
