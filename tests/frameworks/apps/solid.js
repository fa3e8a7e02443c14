// Scenes in Solid, by hyperscript: a strict policy lets no template be compiled in a page.
import "ask-user";
import { createComponent, createSignal, For } from "solid-js";
import h from "solid-js/h";
import { render } from "solid-js/web";
import { always, NAMES, tell } from "./parent.js";
import { host, request } from "./requests.js";

const [state, set] = createSignal({});
const listeners = (name, more = () => {}) =>
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

const SCENES = { busy: Busy, list: List };
let dispose;
window.mount = (name, first = {}) => {
  set(first);
  dispose = render(() => createComponent(SCENES[name], {}), document.querySelector("#app"));
};
window.change = (more) => set({ ...state(), ...more });
window.unmount = () => dispose();
