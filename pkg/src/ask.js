// One question call, one promise: puts an <ask-user> on the page and waits for how it ends.

import { RejectionError } from "./core.js";

/**
 * Asks: appends an element to `parent` and gives its end (the detail of `ask-user-result` or `ask-user-end-turn`). Fails with a
 * RejectionError when the request becomes no form, with a TypeError for an option that does not exist, and with an AbortError when the element is removed before the end, or the signal
 * is aborted, which removes it. The element stays with its receipt; whoever gave the parent takes it away.
 */
export function ask(request, { parent = document.body, signal, host, walk, attributes = {} } = {}) {
  return new Promise((resolve, reject) => {
    const element = document.createElement("ask-user");
    const aborted = () => reject(signal?.reason ?? new DOMException("The question was taken off the page.", "AbortError"));
    const done = new AbortController();
    const on = (name, act) =>
      element.addEventListener(`ask-user-${name}`, (event) => (done.abort(), act(event)), { signal: done.signal });
    on("result", ({ detail }) => resolve(detail));
    on("end-turn", ({ detail }) => resolve(detail));
    on("rejected", ({ detail }) => reject(new RejectionError(detail.toolResult)));
    on("error", ({ detail }) => reject(detail.error));
    on("removed", aborted);
    if (signal?.aborted) return aborted();
    // An answer that could still be undone was given: it is heard before the element is gone.
    signal?.addEventListener("abort", () => (element.isConnected ? element.remove() : aborted()), { signal: done.signal });
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (host) element.host = host;
    element.request = request;
    if (walk) element.walk = walk;
    parent.append(element);
  });
}
