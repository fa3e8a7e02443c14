// Scenes in Vue 3, by render functions: a strict policy lets no template be compiled in a page.
import "ask-user";
import { createApp, h, KeepAlive, nextTick, onMounted, reactive, ref, shallowRef, Suspense, Teleport, watch } from "vue";
import { always, tell } from "./parent.js";
import { host, request, short } from "./requests.js";

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

/** A form in a dialog and one in a popover, which the state opens. */
const Above = {
  setup() {
    const [dialog, popover] = [ref(), ref()];
    const open = () => {
      if (state.open === "dialog") dialog.value.showModal();
      else if (dialog.value.open) dialog.value.close();
      popover.value.togglePopover(state.open === "popover");
    };
    onMounted(open);
    watch(() => state.open, open, { flush: "post" });
    return () => h("main", null, [
      h("dialog", { ref: dialog }, [form({ id: "first" }, "first", "first?")]),
      h("div", { ref: popover, popover: "manual" }, [form({ id: "second" }, "second", "second?")]),
    ]);
  },
};
/** A form that its own end takes off the page: as Vue does by itself, or at once. */
const Leaving = {
  setup() {
    const there = ref(true);
    const end = ({ detail }) => {
      tell("result", detail);
      if (state.how === "at once") app.unmount();
      else there.value = false;
    };
    return () => (there.value ? form({ ".request": short(), onAskUserResult: end }) : undefined);
  },
};
let release;
/** Something that is not there yet, beside a form that is. */
const Late = { async setup() {
  await new Promise((resolve) => (release = resolve));
  return () => h("p", null, "here");
} };
window.release = () => release();
const Suspended = () => h(Suspense, null, { default: () => h("div", [form(), h(Late)]), fallback: () => h("p", null, "waiting") });

const SCENES = { above: Above, busy: Busy, kept: Kept, leaving: Leaving, list: List, moved: Moved, shown: Shown, suspended: Suspended };

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
