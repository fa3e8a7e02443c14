// One form at a time in one place of a page: what comes while another form is open there waits until that one is done.

/** @typedef {HTMLElement & { settle?(): void }} Form */
/** @typedef {(waited?: (element: Form) => void) => void} Start */

/**
 * Who waits, by place; the first is the one that is there.
 * @type {WeakMap<object, Start[]>}
 */
const lines = new WeakMap();

/**
 * Calls `start()` at once, or, when all that came before it in the same `parent` is done, `start(waited)`, where `waited(element)` is to hear of the form that takes the
 * place of the one before. Gives what says that this one is done; one that still waits is never started then. The next one starts in a task of its own, after those who
 * wait for the end have done what they do.
 * @param {ParentNode} parent
 * @param {Start} start
 * @returns {() => void}
 */
export function inTurn(parent, start) {
  const line = lines.get(parent) ?? [];
  lines.set(parent, line);
  line.push(start);
  if (line.length === 1) start();
  return () => {
    const at = line.indexOf(start);
    if (at === -1) return;
    line.splice(at, 1);
    const [next] = line;
    if (at === 0 && next) setTimeout(() => line[0] === next && next((element) => follow(element, parent)));
  };
}

/**
 * The person was busy with the form before: no key or click meant for that counts in this one, and the focus moves on.
 * @param {Form} element
 * @param {ParentNode} parent
 */
function follow(element, parent) {
  element.settle?.();
  const { activeElement } = /** @type {Partial<DocumentOrShadowRoot>} */ (parent.getRootNode?.() ?? {});
  if (activeElement?.localName === "ask-user" && parent.contains(activeElement)) element.addEventListener("ask-user-ready", () => element.focus(), { once: true });
}
