// Scenes in Vue 3, by render functions: a strict policy lets no template be compiled in a page.
import "ask-user";
import { createApp, h, KeepAlive, nextTick, reactive, shallowRef, Teleport } from "vue";
import { always, tell } from "./parent.js";
import { host, request } from "./requests.js";

const state = reactive({});

/** An element with everything made anew; what it says is noted. */
const form = (more = {}, name = undefined, text = undefined) => {
  const told = (event) => ({ detail }) => tell(event, detail, name);
  return h("ask-user", {
    ".request": request(text), ".host": host(), onAskUserReady: told("ready"), onAskUserStep: told("step"), onAskUserDraft: told("draft"),
    onAskUserRecord: told("record"), onAskUserResult: told("result"), onAskUserEndTurn: told("end-turn"), onAskUserRejected: told("rejected"),
    onAskUserError: told("error"), ...more,
  });
};

/** Renders again all the time, and at every step and draft. */
const Busy = {
  setup() {
    const count = shallowRef(0);
    const again = always(() => (count.value += 1));
    const both = (name) => ({ detail }) => (tell(name, detail), again());
    return () => h("main", { "data-count": count.value }, form({ label: state.label, onAskUserStep: both("step"), onAskUserDraft: both("draft") }));
  },
};
const List = () => state.order.map((name) => h("div", { key: name }, form({}, name, `${name}?`)));
const Form = { name: "Form", setup: () => () => form() };
const Kept = () => h(KeepAlive, null, { default: () => (state.shown ? h(Form) : undefined) });
/** A form in another part of the page, which the state names; `none` is where it stands. */
const Moved = () => h("main", null, [
  h("section", { id: "left" }), h("section", { id: "right" }),
  state.place && h(Teleport, { to: `#${state.place === "none" ? "left" : state.place}`, disabled: state.place === "none" }, [form()]),
]);
const Shown = () => (state.shown ? form({ ".walk": state.walk }) : undefined);

const SCENES = { busy: Busy, kept: Kept, list: List, moved: Moved, shown: Shown };

let app;
window.mount = async (name, first = {}) => {
  Object.assign(state, first);
  app = createApp(SCENES[name]);
  app.mount("#app");
  // Places that are made in the same render as what is moved to them are there in the next.
  if (first.then) await nextTick().then(() => Object.assign(state, first.then));
};
window.change = (more) => {
  Object.assign(state, more);
  return nextTick();
};
window.unmount = () => app.unmount();
