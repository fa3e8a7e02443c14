// Runs in the page of a browser test: does something random in the fields of the form on the page, and finds what of a value is shown nowhere.
const root = () => window.form().shadowRoot;
const shown = (selector, within = root()) => [...within.querySelectorAll(`.properties ${selector}`)].filter((element) => element.checkVisibility() && !element.disabled && !element.closest(".crumbs, .wrong-list"));
const TEXTS = ["a", "7", "1.50", "true", "", "x y", '{"k": 1}', "2024-05-06"];
const pause = () => window.passed();

/** One action. `next()` gives a random number from 0 to 1. Says what it was. */
function act(next) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const control = pick(shown(":is(button, input, select, textarea)"));
  if (!control) return "nothing";
  if (control.localName === "select") control.selectedIndex = Math.floor(next() * control.options.length);
  else if (control.localName === "button" || ["radio", "checkbox"].includes(control.type)) control.click();
  else control.value = pick(TEXTS);
  if (control.localName === "select") control.dispatchEvent(new Event("change", { bubbles: true }));
  else if (control.localName !== "button" && !["radio", "checkbox"].includes(control.type)) {
    control.dispatchEvent(new Event("input", { bubbles: true }));
    if (control.closest(".entry")) control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return `${control.localName} ${control.dataset.at ?? control.textContent}`;
}

/** What is shown, by place: the texts of what stands in its controls. Everything is unfolded, and deep places are opened in turn. */
async function gather(found, seen) {
  for (let round = 0; round < 200; round += 1) {
    const [folded] = [...shown(".fold[aria-expanded=false]"), ...shown(".more")];
    if (!folded) break;
    folded.click();
    await pause();
  }
  for (const control of shown("[data-at]:is(input, select, textarea)")) {
    const [pointer] = control.dataset.at.split(/\|(?=[^|]*$)/);
    const isChosen = ["radio", "checkbox"].includes(control.type) ? control.checked : control.value !== "";
    if (isChosen) found.set(pointer, [...(found.get(pointer) ?? []), ["radio", "checkbox", "select-one"].includes(control.type) ? undefined : control.value]);
  }
  for (const output of shown("output")) found.set("", [...(found.get("") ?? []), output.textContent]);
  /** The ways back: one for each place around what is shown as the whole. */
  const ways = () => [...root().querySelectorAll(".properties .crumbs button")].filter((way) => way.checkVisibility());
  const here = ways().length;
  for (const at of shown(".fold:not([aria-expanded])").map(({ dataset }) => dataset.at)) {
    if (seen.has(at)) continue;
    seen.add(at);
    shown(".fold:not([aria-expanded])").find(({ dataset }) => dataset.at === at).click();
    await pause();
    await gather(found, seen);
    ways()[here].click();
    await pause();
  }
}

/** The places of a value that are shown nowhere, or not as they are. */
function hidden(value, found, pointer = "") {
  const texts = found.get(pointer) ?? [];
  const said = typeof value === "string" ? value : JSON.stringify(value);
  const isJson = (text) => {
    try {
      return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
    } catch {
      return false;
    }
  };
  if (texts.some((text) => text === undefined || text === said || isJson(text))) return [];
  if (value !== null && typeof value === "object") return Object.entries(value).flatMap(([key, inner]) => hidden(inner, found, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`));
  return (found.get("") ?? []).includes(said) ? [] : [`${pointer}: ${said}`];
}

/** Acts so many times; gives what was done, the text, and what of it is shown nowhere. */
window.monkey = async (seed, times) => {
  let state = seed * 2654435761 + 1;
  const next = () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648);
  const done = [];
  for (let time = 0; time < times; time += 1) {
    done.push(act(next));
    await pause();
  }
  await window.passed(600);
  const text = root().querySelector("textarea.json").value;
  const found = new Map();
  const [up] = root().querySelectorAll(".properties .crumbs button");
  if (up?.checkVisibility()) up.click();
  await pause();
  await gather(found, new Set());
  return { done, text, hidden: text.trim() ? hidden(JSON.parse(text), found) : [] };
};

/** What of a value is shown nowhere, if nothing is shown. */
window.hiddenOfNothing = (value) => hidden(value, new Map());
