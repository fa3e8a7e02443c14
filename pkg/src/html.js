// A form as HTML, for hosts in JavaScript: over the module that has the view without a page.
import { optionsText, requestText } from "./core/values.js";

/**
 * @import * as Raw from "../build/html/ask_user_html.js"
 * @import { HtmlOptions, Posted } from "../types/html.js"
 */

/** What is said of the form itself, and is no option of the core. */
const OWN = ["dialect", "walk", "secrets", "layout", "lang", "words", "action", "styleNonce", "now"];

/**
 * Makes the functions over the bindings of one environment.
 * @param {typeof Raw} raw
 */
export function bind(raw) {
  /** @type {(request: unknown, options: HtmlOptions) => string} */
  const asked = (request, options) => {
    const { dialect, walk, secrets, layout, lang, words, action, styleNonce, now = Date.now() } = options;
    if (!Number.isFinite(now)) throw new TypeError('"now" must be a number of milliseconds since the beginning of 1970, such as `Date.now()`.');
    const host = Object.fromEntries(Object.entries(options).filter(([name]) => !OWN.includes(name)));
    const texts = Object.entries({ dialect, layout, lang, action, styleNonce }).filter(([, value]) => value !== undefined);
    for (const [name, value] of texts) if (typeof value !== "string") throw new TypeError(`"${name}" must be a string.`);
    const text = { ...Object.fromEntries(texts), request: requestText(request), words, now, saved: walk, secrets: walk && (secrets ?? {}) };
    return `${JSON.stringify(text).slice(0, -1)},"host":${optionsText(host)}}`;
  };
  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  const called = (call) => {
    try {
      return call();
    } catch (error) {
      throw typeof error === "string" ? new TypeError(error) : error;
    }
  };
  return {
    /** @type {(request: unknown, options?: HtmlOptions) => string} */
    render: (request, options = {}) => called(() => raw.shadow(asked(request, options))),
    /** @type {(fields: Iterable<[string, unknown]>, request: unknown, options?: HtmlOptions) => Posted} */
    post: (fields, request, options = {}) => {
      // A file is no text, and no field of the form has one.
      const pairs = [...fields].map(([name, value]) => [String(name), typeof value === "string" ? value : ""]);
      return called(() => JSON.parse(raw.post(asked(request, options), JSON.stringify(pairs))));
    },
  };
}
