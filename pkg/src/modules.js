// What a form is made of, each part fetched once, when a form needs it: its wasm, the checker of schemas, and what sends and keeps answers.
import init, { mount, registerDialect as register } from "../build/web/ask_user_web.js";
import { requestText } from "./core/values.js";
import { file, once, optional, part } from "./demand.js";
import { layers } from "./layers.js";
import { find, load as loadLocale, spoken } from "./locales.js";
import { begin, load as loadRest } from "./rest.form.js";
import { load as loadMarkdown } from "./rich.js";
import { warm as warmUp } from "./warm.js";
import { source } from "./wasm.js";

/**
 * @import { DialectDeclaration } from "../types/core.js"
 * @import { Checker } from "./validator.js"
 */

export { mount };

/** The form's wasm: the whole that a host has handed in, or its first part. */
export const load = once(async () => {
  const whole = source("form");
  const exports = await init({ module_or_path: whole ?? file(new URL("form.first.wasm", import.meta.url)) });
  if (whole === undefined) begin(exports);
});

/** The checker of schemas, in a module of its own. */
export const validator = once(part("validator.js", () => import("./validator.js")));
export const checker = once(async () => (await validator()).load(source("validator")));
const warm = once(async () => (await validator()).warm(await checker()));
/**
 * The checker, once it is ready for the schemas in a text.
 * @type {(text: string) => Promise<Checker>}
 */
export const checkerFor = async (text) => {
  const compileSchema = await checker();
  await (await validator()).readyFor(text);
  return compileSchema;
};

/** Lets the browser compile what the next steps need. Nothing depends on it. */
export const steps = optional(() => warmUp(mount));
/** What reads a request that is still being written. */
export const writing = once(part("writing.js", () => import("./writing.js")));
/** What takes over a form that the page came with. */
export const rendered = optional(part("rendered.js", () => import("./rendered.js")));
/** The headless package, for an assistant that is asked. */
export const headless = once(part("core.load.js", () => import("./core.load.js")));
/** What counts down the time for an answer. */
export const deadline = optional(part("deadline.js", () => import("./deadline.js")));
/** What picks a date with a time. */
export const dates = optional(part("date-time.js", () => import("./date-time.js")));
const fold = optional(part("fold.js", () => import("./fold.js")));
const history = optional(part("history.js", () => import("./history.js")));
/** What puts a form away, and what keeps receipts, by the attributes that ask for it. */
export const EXTRAS = { foldable: fold, folded: fold, "keep-receipts": history };
/** What checks the words of a host. */
export const overrides = optional(part("overrides.js", () => import("./overrides.js")));

/**
 * What sends and keeps answers, and hears what is due, once it is there. A form whose answers go anywhere takes none before.
 * @type {typeof import("./hosted.js") | undefined}
 */
export let hosted;
const fetchHosted = part("hosted.js", () => import("./hosted.js"));
/** Fetches that. */
export const hosting = once(async () => (hosted = await fetchHosted()));

/**
 * Declares a dialect of the page's own for its forms, and promises its name.
 * @type {(declaration: DialectDeclaration | string) => Promise<import("../types/core.js").Dialect>}
 */
export const registerDialect = async (declaration) => {
  const text = requestText(declaration);
  await load();
  await loadRest();
  try {
    return /** @type {import("../types/core.js").Dialect} */ (register(text));
  } catch (error) {
    throw typeof error === "string" ? new TypeError(error) : error;
  }
};

/**
 * Fetches ahead what a form may need: its own module, the validator, the fields and the editor for a schema, Markdown, and the language of the page. A form fetches them by itself otherwise. The validator is tried once the page is idle, which lets the browser compile it.
 * @type {() => Promise<void>}
 */
export const preload = async () => {
  const name = find(spoken(document.documentElement).lang);
  const form = load().then(loadRest).then(steps);
  const whole = checker().then((compileSchema) => compileSchema.rest());
  await Promise.all([form, whole, warm(), hosting(), loadMarkdown(), ...(name ? [loadLocale(name)] : []), ...layers().map((layer) => layer())]);
};
