// A parent in React 19 with the element itself, as JSX has it: React sets properties, and listens.
import "ask-user";
import { createElement as h, StrictMode, useEffect, useReducer } from "react";
import { createRoot } from "react-dom/client";
import { always, NAMES, tell } from "./parent.js";
import { host, request } from "./requests.js";

function Busy({ label }) {
  const [, render] = useReducer((count) => count + 1, 0);
  useEffect(() => void (window.again ??= always(render)), []);
  const events = Object.fromEntries(NAMES.map((name) => [`onask-user-${name}`, ({ detail }) => {
    tell(name, detail);
    if (name === "step" || name === "draft") window.again();
  }]));
  return h("ask-user", { request: request(), host: host(), label, ...events });
}

let root;
window.mount = (_scene, props) => {
  root = createRoot(document.querySelector("#app"));
  root.render(h(StrictMode, null, h(Busy, props)));
};
window.change = (props) => root.render(h(StrictMode, null, h(Busy, props)));
