// Scenes in Svelte 5.
import { flushSync, mount, unmount } from "svelte";
import Busy from "./Busy.svelte";
import List from "./List.svelte";

const SCENES = { busy: Busy, list: List };
const state = $state({});
let app;

window.mount = (name, first = {}) => {
  Object.assign(state, first);
  app = mount(SCENES[name], { target: document.querySelector("#app"), props: { scene: state } });
};
window.change = (more) => flushSync(() => Object.assign(state, more));
window.unmount = () => unmount(app);
