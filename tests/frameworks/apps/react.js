// Scenes in React 18 and 19, with the component of the package.
import { AskUser } from "ask-user/react";
import * as React from "react";
import { createPortal, flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { always, tell } from "./parent.js";
import { Asked } from "./rendered.js";
import { consulted, consulting, host, request, short } from "./requests.js";

const h = /** @type {any} */ (React.createElement);
const { StrictMode, Suspense, useEffect, useReducer, useRef, useState } = React;

/** The callbacks of a form, made anew. */
const heard = (form) => ({
  onReady: (detail) => tell("ready", detail, form),
  onStep: (detail) => tell("step", detail, form),
  onDraft: (detail) => tell("draft", detail, form),
  onRecord: (detail) => tell("record", detail, form),
  onResult: (detail) => tell("result", detail, form),
  onEndTurn: (detail) => tell("end-turn", detail, form),
  onRejected: (detail) => tell("rejected", detail, form),
  onError: (detail) => tell("error", detail, form),
  onClosed: (detail) => tell("closed", detail, form),
});

/** Renders again all the time, and at every step and draft. */
function Busy({ label }) {
  const [count, render] = useReducer((count) => count + 1, 0);
  const again = useRef(/** @type {any} */ (undefined));
  useEffect(() => {
    again.current ??= always(render);
  }, []);
  const events = heard();
  const both = (name) => (detail) => (events[name](detail), again.current?.());
  const props = { request: request(), host: host(), label, style: { display: "block" } };
  return h("main", { "data-count": count }, h(AskUser, { ...props, ...events, onStep: both("onStep"), onDraft: both("onDraft") }));
}

/** Renders again all the time, and passes back the walk of every step and draft. */
function Feeding({ walk }) {
  const [kept, keep] = useState(walk);
  const [, render] = useReducer((count) => count + 1, 0);
  useEffect(() => void always(render), []);
  const keeps = (_, { target }) => keep(target.walk);
  return h(AskUser, { request: request(), host: { layout: "steps" }, walk: kept, ...heard(), onStep: keeps, onDraft: keeps });
}

/** Forms in a list with keys, in the order of the state. */
const List = ({ order }) => order.map((name) => h("div", { key: name }, h(AskUser, { request: request(`${name}?`), host: host(), ...heard(name) })));

let released;
let pending;
/** Waits while the state says so. */
function Waiting({ waiting }) {
  if (!waiting) return h("p", null, "here");
  pending ??= new Promise((/** @type {any} */ resolve) => (released = resolve)).then(() => (pending = undefined));
  throw pending;
}
window.release = () => released();

const Suspended = ({ waiting }) => h(Suspense, { fallback: h("p", null, "waiting") },
  h(AskUser, { request: consulted(), host: consulting(), ...heard() }), h(Waiting, { waiting }));

const Active = ({ mode, words }) => h(React.Activity, { mode }, h(AskUser, { request: consulted(), host: consulting(), ...heard(words) }));

/** A form in another part of the page, which the state names. */
function Moved({ place }) {
  const [walk, keep] = useState();
  const [, render] = useReducer((count) => count + 1, 0);
  const places = useRef({});
  useEffect(render, []);
  const keeps = (_, { target }) => keep(target.walk);
  const form = h(AskUser, { request: request(), host: { layout: "steps" }, walk, ...heard(), onStep: keeps, onDraft: keeps });
  const at = (name) => h("section", { id: name, ref: (node) => (places.current[name] = node) });
  return h("main", null, at("left"), at("right"), places.current[place] && createPortal(form, places.current[place]));
}

/** A form in a dialog and one in a popover, which the state opens. */
function Above({ open }) {
  const dialog = useRef(/** @type {any} */ (undefined));
  const popover = useRef(/** @type {any} */ (undefined));
  useEffect(() => {
    if (open === "dialog") dialog.current.showModal();
    else if (dialog.current.open) dialog.current.close();
    popover.current.togglePopover(open === "popover");
  }, [open]);
  const form = (name) => h(AskUser, { id: name, request: request(`${name}?`), host: host(), ...heard(name) });
  return h("main", null, h("dialog", { ref: dialog }, form("first")), h("div", { ref: popover, popover: "manual" }, form("second")));
}

/** A form that its own end takes off the page: as React does by itself, or at once. */
function Leaving({ how }) {
  const [there, set] = useState(true);
  const leave = () => (how === "at once" ? flushSync(() => set(false)) : set(false));
  return there && h(AskUser, { request: short(), host: host(), ...heard(), onResult: (detail) => (tell("result", detail), leave()) });
}

/** A form that is there or not. */
const Shown = ({ shown, walk, ...more }) => shown && h(AskUser, { request: request(), host: host(), walk, ...more, ...heard() });

/** Renders that React gives up: they ask something else, and would hear by another name. */
function Given({ version }) {
  return h(Suspense, { fallback: h("p", null, "waiting") },
    h(AskUser, { request: short(`Version ${version}?`), ...heard(version) }), h(Waiting, { waiting: version > 1 }));
}

/** The props of the state, and a ref. */
function Props(props) {
  const ref = useRef(/** @type {any} */ (undefined));
  window.formRef = ref;
  const { gone, calls, version, ...more } = props;
  const called = (node) => void (window.called ??= []).push(node && node.localName);
  return gone ? null : h(AskUser, { ref: calls ? called : ref, ...more, ...heard(version) });
}

/** What JSX makes of `<ask-user request={…}>`, without the component. */
const Plain = () => h("ask-user", { request: short() });

const SCENES = {
  above: Above, active: Active, busy: Busy, feeding: Feeding, given: Given, leaving: Leaving, list: List, moved: Moved, plain: Plain,
  props: Props, shown: Shown, suspended: Suspended,
};

let root;
let scene;
let state = {};
const render = () => root.render(h(StrictMode, null, h(SCENES[scene], state)));

window.mount = (name, first = {}) => {
  [scene, state] = [name, first];
  root = createRoot(document.querySelector("#app"));
  render();
};
window.change = (more) => {
  state = { ...state, ...more };
  render();
};
/** Changes the state as something that may wait. */
window.transition = (more) => React.startTransition(() => window.change(more));
window.unmount = () => root.unmount();
window.hydrate = () => hydrateRoot(document.querySelector("#app"), h(Asked, heard()));
window.version = React.version;
