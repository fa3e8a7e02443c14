// Scenes in Svelte 5.
import { flushSync, mount, unmount } from "svelte";
import Above from "./Above.svelte";
import Busy from "./Busy.svelte";
import Leaving from "./Leaving.svelte";
import List from "./List.svelte";
import Shown from "./Shown.svelte";

const SCENES = { above: Above, busy: Busy, leaving: Leaving, list: List, shown: Shown };
const state = $state({});
let app;

window.mount = (name, first = {}) => {
  Object.assign(state, first);
  app = mount(SCENES[name], { target: document.querySelector("#app"), props: { scene: state } });
};
window.change = (more) => flushSync(() => Object.assign(state, more));
window.unmount = () => unmount(app);
