// What the playground remembers in its address, after the `#`: the example, how it looks, and what is asked. The address has only what differs from the defaults, so it stays
// short and can be shared. Browsers do not send this part to the server.
import { EXAMPLES } from "./examples.js";
import { DIRECTIONS, LANGUAGES, SCHEMES, THEMES } from "./looks.js";

/** The example that is no request, but a conversation with the agent host behind the page. */
export const CONVERSATION = "conversation";
export const LAYOUTS = { auto: "Automatic", steps: "Steps", page: "One page", tabs: "Tabs" };
/** What the server does with the result: a name, and the query of the address that it is sent to. */
export const ENDPOINTS = {
  accepts: ["Accepts the result", ""],
  fails: ["Fails twice, then accepts the result", "?status=503&times=2"],
  refuses: ["Refuses the result", "?status=422&message=This+conversation+has+ended."],
  none: ["Has no URL; only the page gets the result", undefined],
};
export const CODES = { html: "HTML", react: "React", js: "JavaScript" };

const [first, ...others] = Object.entries(EXAMPLES).map(([id, { name }]) => [id, name]);
/** The choices of each setting that has some, as a list of their values and names. */
export const CHOICES = {
  example: [first, [CONVERSATION, "A conversation with an agent"], ...others],
  theme: Object.entries(THEMES),
  scheme: Object.entries(SCHEMES),
  lang: Object.entries(LANGUAGES),
  dir: Object.entries(DIRECTIONS),
  layout: Object.entries(LAYOUTS),
  endpoint: Object.entries(ENDPOINTS).map(([value, [name]]) => [value, name]),
  code: Object.entries(CODES),
};

/** `request` is the text of a request that differs from its example; `id` is the id of a conversation. */
const DEFAULTS = { example: first[0], theme: "", scheme: "", lang: "", dir: "", layout: "auto", label: "Deploy agent", endpoint: "accepts", review: "", request: "", id: "", code: "html" };

/** The settings of an address. A value that is none becomes the default. */
export function read(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const isValid = (name, value) => {
    if (name in CHOICES) return CHOICES[name].some(([choice]) => choice === value);
    // It becomes a part of an address.
    return name !== "id" || /^[\w-]*$/.test(value);
  };
  return Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, given.has(name) && isValid(name, given.get(name)) ? given.get(name) : value]),
  );
}

/** The part of an address that has these settings. */
export function written(settings) {
  const changed = Object.entries(settings).filter(([name, value]) => value !== DEFAULTS[name]);
  return changed.length ? `#${new URLSearchParams(changed)}` : "";
}
