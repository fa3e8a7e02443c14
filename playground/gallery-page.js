// The gallery: shows every state of `gallery.js`, each in a real <ask-user>. The address says how: `theme` (a file of pkg/themes), `scheme` (light, dark), `dir`
// (ltr, rtl), `lang` (a language of pkg/src/locales), `text` (the size of text in percent), `width` (of each form, in pixels), `density` (a part of the usual space), `state` (one name alone, or several),
// `bare` (the forms and nothing else), `font` (the fonts of the tests). `data-ready` on the root says that all states are reached.
import { attributesOf, STATES } from "./gallery.js";
import { DIRECTIONS, LANGUAGES, SCHEMES, THEMES, offer, useLanguage, useScheme, useTheme } from "./looks.js";

const CHOICES = {
  theme: Object.entries(THEMES), scheme: Object.entries(SCHEMES), dir: Object.entries(DIRECTIONS), lang: Object.entries(LANGUAGES),
  text: [["", "100 %"], ["150", "150 %"], ["200", "200 %"]], width: [["", "480"], ["320", "320"], ["640", "640"]], density: [["", "1"], ["0.66", "0.66"], ["1.33", "1.33"]],
};
/** How long a state may take, in milliseconds. */
const PATIENCE = 20_000;
const asked = new URLSearchParams(location.search);
const root = document.documentElement;
const main = document.querySelector("main");

/** What ends after half a minute or more does not end here: the gallery stands still. */
const later = globalThis.setTimeout;
/** @type {any} */ (globalThis).setTimeout = (act, time, ...more) => (time >= 30_000 ? 0 : later(act, time, ...more));

/** The streams of the elements that hear a host: the test's hands are at the other end. */
const streams = new Map();
class Stream extends EventTarget {
  static CLOSED = 2;
  readyState = 1;
  constructor(url) {
    super();
    streams.set(new URL(url).searchParams.get("of"), this);
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }
  close() {}
  hear = (event) => this.dispatchEvent(new MessageEvent("state_change", { data: JSON.stringify(event) }));
}
/** @type {any} */ (globalThis).EventSource = Stream;

const { AskUser } = await import("/pkg/dist/ask-user.js");

/** Elements for which a part of the package never arrives, or cannot be fetched: each has its own copy of the script. */
const WITHHELD = { form: { form: () => new Promise(() => {}) }, failed: { form: () => Promise.reject(new Error("withheld")) } };
async function elementOf({ withheld }) {
  if (!withheld) return document.createElement("ask-user");
  const name = `ask-user-${withheld}`;
  if (!customElements.get(name)) {
    const copy = await import(`/pkg/dist/element.js?${withheld}`);
    copy.initialize(WITHHELD[withheld]);
    customElements.define(name, class extends copy.AskUser {});
  }
  return document.createElement(name);
}

await settings();
const wanted = STATES.filter(({ name }) => !asked.has("state") || asked.getAll("state").includes(name));
const shown = wanted.map((state, place) => [state, place, frame(state)]);
await Promise.all(shown.map(([state, place, section]) => show(state, place, section)));
/** @type {any} */ (document.activeElement)?.blur();
scrollTo(0, 0);
root.dataset.ready = AskUser.name;

async function settings() {
  if (Object.hasOwn(THEMES, asked.get("theme"))) await useTheme(asked.get("theme"));
  useScheme(asked.get("scheme"));
  useLanguage(root, asked.get("lang"), asked.get("dir"));
  root.toggleAttribute("data-bare", asked.has("bare"));
  if (asked.has("width")) main.style.setProperty("--width", `${Number(asked.get("width"))}px`);
  if (asked.has("text")) main.style.setProperty("--ask-user-font-size", `${(16 * Number(asked.get("text"))) / 100}px`);
  if (asked.has("density")) main.style.setProperty("--ask-user-space", `${0.75 * Number(asked.get("density"))}em`);
  if (asked.has("font")) await fonts(asked.get("font"));
  for (const [name, choices] of Object.entries(CHOICES)) {
    const label = document.createElement("label");
    const select = Object.assign(document.createElement("select"), { name });
    offer(select, choices, asked.get(name) ?? "");
    select.addEventListener("change", () => /** @type {any} */ (document.getElementById("settings")).requestSubmit());
    label.append(`${name} `, select);
    document.getElementById("settings").append(label);
  }
}

/** Fonts that are the same on every machine, from a folder that the tests serve. */
async function fonts(folder) {
  for (const [family, file, weight] of [["Gallery", "sans-400", "400"], ["Gallery", "sans-700", "700"], ["Gallery Mono", "mono-400", "400"]]) {
    const bytes = await (await fetch(`${folder}/${file}.woff2`)).arrayBuffer();
    document.fonts.add(await new FontFace(family, bytes, { weight: weight === "400" ? "100 500" : "501 900" }).load());
  }
  main.style.setProperty("--ask-user-font", "Gallery");
  main.style.setProperty("--ask-user-mono", "Gallery Mono");
}

function frame({ name }) {
  const section = document.createElement("section");
  section.dataset.state = name;
  const heading = document.createElement("h2");
  heading.append(Object.assign(document.createElement("a"), { href: `?${new URLSearchParams([...asked].filter(([key]) => key !== "state").concat([["state", name]]))}`, textContent: name }));
  section.append(heading);
  main.append(section);
  return section;
}

async function show(state, place, section) {
  const { request, options = {}, act, until } = state;
  const element = await elementOf(options);
  for (const [name, value] of Object.entries(attributesOf(state))) if (value !== null) element.setAttribute(name, name === "events-url" ? `/events?of=${place}` : value);
  // A theme's own font would be the machine's.
  if (asked.has("font")) for (const name of ["font", "mono"]) element.style.setProperty(`--ask-user-${name}`, main.style.getPropertyValue(`--ask-user-${name}`));
  // The same keys and ids each time.
  /** @type {any} */ (element).host = { nonce: String(place), ...options.host };
  if (options.requests) /** @type {any} */ (element).requests = options.requests;
  else if (request) /** @type {any} */ (element).request = request;
  if (options.walk) /** @type {any} */ (element).walk = options.walk;
  section.append(element);
  const person = at(element, String(place));
  try {
    for (const event of options.events ?? []) await person.hear(event);
    if (options.withheld !== "form") await person.sees(".base, .notice");
    await act?.(person);
    if (until) await person.sees(until);
  } catch (error) {
    section.dataset.failed = error.message;
    section.append(Object.assign(document.createElement("p"), { className: "failed", textContent: error.message }));
  }
}

/** A person at one form, and the host that it hears. */
function at(element, stream) {
  const until = async (look, what) => {
    for (const start = performance.now(); performance.now() - start < PATIENCE; await new Promise((resolve) => setTimeout(resolve, 10))) {
      const found = look();
      if (found) return found;
    }
    throw new Error(`${what} did not come`);
  };
  const sees = (selector) => until(() => element.shadowRoot?.querySelector(selector), selector);
  /** What an act leads to is there after a frame. */
  const next = () => new Promise((resolve) => setTimeout(resolve, 30));
  return {
    sees,
    async click(selector) {
      (await sees(selector)).click();
      await next();
    },
    async type(selector, text) {
      const field = await sees(selector);
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await next();
    },
    async hear(event) {
      (await until(() => streams.get(stream), "a stream")).hear(event);
      await next();
    },
    cut: () => void streams.get(stream).dispatchEvent(new Event("error")),
  };
}
