// Scenes in Solid, by hyperscript: a strict policy lets no template be compiled in a page.
import "ask-user";
import { batch, createComponent, createEffect, createSignal, For, Show } from "solid-js";
import h from "solid-js/h";
import { Portal, render } from "solid-js/web";
import { always, NAMES, tell } from "./parent.js";
import { host, request, short } from "./requests.js";

const [state, set] = createSignal({});
const listeners = (name, more = /** @type {any} */ (() => {})) =>
  Object.fromEntries(NAMES.map((event) => [`on:ask-user-${event}`, ({ detail }) => (tell(event, detail, name), more(event))]));

/** Sets everything again all the time, and at every step and draft. */
function Busy() {
  const [count, setCount] = createSignal(0);
  const again = always(() => setCount((count) => count + 1));
  const anew = (make) => () => (count(), make());
  const events = listeners(undefined, (event) => (event === "step" || event === "draft") && again());
  const props = { label: () => state().label, "prop:request": anew(request), "prop:host": anew(host) };
  return h("main", { "data-count": count }, h("ask-user", { ...props, ...events }));
}

/** Forms in a list, in the order of the state. */
const List = () => createComponent(For, {
  get each() {
    return state().order;
  },
  children: (name) => h("div", h("ask-user", { "prop:request": request(`${name}?`), "prop:host": host(), ...listeners(name) }))(),
});

/** One form; `more` comes beside its request and options. */
const form = (more = {}, name = undefined, then = undefined) =>
  h("ask-user", { "prop:request": request(name && `${name}?`), "prop:host": host(), ...more, ...listeners(name, then) })();

/** A form in a dialog and one in a popover, which the state opens. */
function Above() {
  const dialog = h("dialog", form({ id: "first" }, "first"))();
  const popover = h("div", { popover: "manual" }, form({ id: "second" }, "second"))();
  createEffect(() => {
    const { open } = state();
    // An effect comes before the page has what it is about.
    queueMicrotask(() => {
      if (open === "dialog") dialog.showModal();
      else if (dialog.open) dialog.close();
      popover.togglePopover(open === "popover");
    });
  });
  return h("main", dialog, popover);
}

/** What is there while `when` says so. */
const shown = (when, children) => createComponent(Show, {
  get when() {
    return when();
  },
  get children() {
    return children();
  },
});

/** A form that its own end takes off the page: by itself, or while others hear of the end. */
function Leaving() {
  const [there, setThere] = createSignal(true);
  const leave = (event) => event === "result" && (state().how === "at once" ? setThere(false) : queueMicrotask(() => batch(() => setThere(false))));
  return shown(there, () => form({ "prop:request": short() }, undefined, leave));
}
/** A form that is there or not. */
const Shown = () => shown(() => state().shown, () => form({ "prop:walk": state().walk }));
/** A form at the end of the page. */
const Away = () => createComponent(Portal, { children: form() });

const SCENES = { above: Above, away: Away, busy: Busy, leaving: Leaving, list: List, shown: Shown };
let dispose;
window.mount = (name, first = {}) => {
  set(first);
  dispose = render(() => createComponent(SCENES[name], {}), document.querySelector("#app"));
};
window.change = (more) => set({ ...state(), ...more });
window.unmount = () => dispose();
