// What the parents of all frameworks share: they render all the time, and note what they are told.

/** What was told, as `[name, detail]`; what was delivered; and how often a parent has rendered. */
window.told = [];
window.delivered = [];
window.renders = 0;

export const NAMES = ["ready", "step", "draft", "record", "result", "end-turn", "rejected", "error", "closed"];

/** Notes one event that a framework has brought. */
export const tell = (name, detail, form = undefined) => void window.told.push(form === undefined ? [name, detail] : [name, detail, form]);

/** Calls a parent's `render` every 50 ms, at every key and at every input, as long as the page is there. */
export function always(render) {
  const again = () => {
    window.renders += 1;
    render();
  };
  setInterval(again, 50);
  for (const name of ["keydown", "keyup", "input"]) document.addEventListener(name, again, true);
  return again;
}
