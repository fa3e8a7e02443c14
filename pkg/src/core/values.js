// Values of JavaScript as the core takes them: as JSON text, or refused where JSON cannot say them.

import { RefusalError } from "./errors.js";

/** @import * as Core from "../../types/core.js" */

/**
 * The options of a host. They may be named as the core names them.
 * @typedef {Core.Options & { sub_agent?: boolean, tool_call_id?: string }} Options
 */

/** @type {{ [name: string]: string }} */
const OPTIONS = {
  toolCallId: "tool_call_id",
  label: "label",
  source: "source",
  staticAnswers: "static_answers",
  secretAnswers: "secret_answers",
  reuse: "reuse",
  approveAll: "approve_all",
  calls: "calls",
  grants: "grants",
  risks: "risks",
  approveByKey: "approve_by_key",
  review: "review",
  turn: "turn",
  drafts: "drafts",
  attached: "attached",
  detached: "detached",
  target: "target",
  targets: "targets",
  nonce: "nonce",
  exclusive: "exclusive",
  detect: "detect",
  replies: "replies",
  expiresAt: "expires_at",
  blocking: "blocking",
  subAgent: "sub_agent",
  limits: "limits",
};

/**
 * The host's options as the core names them, as JSON text. A value that JSON cannot say is the host's own error.
 * @param {object} options
 * @returns {string}
 */
export function optionsText(options) {
  /** @type {{ [name: string]: unknown }} */
  const named = {};
  for (const [name, value] of Object.entries(options)) {
    if (name === "dialect" || value === undefined || typeof value === "function") continue;
    try {
      const said = JSON.parse(strictText(value));
      named[OPTIONS[name] ?? name] = said;
      if (name === "limits" && said?.questionsPerTurn !== undefined) {
        said.questions_per_turn = said.questionsPerTurn;
        delete said.questionsPerTurn;
      }
    } catch (error) {
      throw new TypeError(`The option "${name}" must be JSON: ${/** @type {Error} */ (error).message}.`);
    }
  }
  // Half a character, which JSON.stringify writes as its number, is no JSON text: a name from elsewhere costs nothing else.
  return JSON.stringify(named).replace(/\\(?:(ud[89a-f]..)|.)/g, (all, half) => (half ? "\ufffd" : all));
}

/**
 * A value as JSON text. JSON.stringify writes null for what JSON cannot say (NaN, Infinity, an undefined item, a date that is none), and
 * leaves functions out: this throws instead. A property that is undefined is left out.
 * @param {unknown} value
 * @returns {string}
 */
function strictText(value) {
  let outermost = true;
  return JSON.stringify(value, function (key, said) {
    const whole = outermost;
    outermost = false;
    const named = whole ? "" : ` at ${JSON.stringify(key)}`;
    if (typeof said === "function" || typeof said === "symbol") throw new NotJson(`a ${typeof said}${named}`);
    if (said === undefined && (whole || Array.isArray(this))) throw new NotJson(`undefined${named}`);
    if ((typeof said === "number" || said instanceof Number) && !Number.isFinite(+said)) throw new NotJson(`${said}${named}`);
    if (said === null && this[key] !== null) throw new NotJson(`an invalid ${this[key]?.constructor?.name ?? "value"}${named}`);
    return said;
  });
}

/** What JSON has no value for. */
class NotJson extends TypeError {
  /** @param {string} found */
  constructor(found) {
    super(`JSON has no value for ${found}`);
  }
}

/**
 * A value as JSON text. Text stays as it is; what JSON cannot say (a cycle, a BigInt, what nests too deeply, a lone surrogate in a text) throws
 * a TypeError.
 * @param {unknown} request
 * @returns {string}
 */
export function requestText(request) {
  if (typeof request !== "string") {
    try {
      return JSON.stringify(request) ?? "null";
    } catch (error) {
      // The engines have an error each where the stack ends.
      throw /^(Range|Internal)Error$/.test(/** @type {Error} */ (error)?.name) ? new TypeError("it is too large, or nests too deeply, to be written as JSON") : error;
    }
  }
  if (!(request.isWellFormed?.() ?? true)) throw new TypeError("the text has a lone surrogate");
  return request;
}

/**
 * An event, or an input of a desk, as JSON text. As text it is one already, with every digit of its numbers.
 * @param {unknown} event
 * @param {string} what
 */
export function eventText(event, what = "an event") {
  try {
    return typeof event === "string" ? event : strictText(event);
  } catch (error) {
    throw new TypeError(`This is not ${what}: ${/** @type {Error} */ (error).message}.`);
  }
}

/** @param {unknown} value */
function answerText(value) {
  try {
    return strictText(value);
  } catch (error) {
    if (error instanceof NotJson) {
      throw new RefusalError({ code: "wrong_type", message: `${error.message}. Give the answer as a JSON value, or null to leave an optional question empty.` });
    }
    throw new RefusalError({ code: "invalid_json", message: `This answer has no JSON form: ${/** @type {Error} */ (error).message}.` });
  }
}

/**
 * Answers by question as JSON text; anything but an object is none.
 * @param {{ [id: string]: Core.Json }} answers
 */
export function answersText(answers) {
  /** @type {(entry: [name: string, value: unknown]) => string} */
  const written = ([name, value]) => `${JSON.stringify(name)}:${answerText(value)}`;
  return isObject(answers) ? `{${Object.entries(answers).map(written).join(",")}}` : "null";
}

/**
 * Answers by question as JSON text, each as JSON text within it, and whether these are all: what JSON cannot say is left out.
 * @param {{ [id: string]: Core.Json }} answers
 * @returns {{ texts: string, areAll: boolean }}
 */
export function textsOf(answers) {
  if (!isObject(answers)) return { texts: "null", areAll: true };
  const all = Object.entries(answers);
  const texts = all.flatMap(([id, value]) => {
    try {
      return id.isWellFormed?.() ?? true ? [`${JSON.stringify(id)}:${JSON.stringify(answerText(value))}`] : [];
    } catch {
      return [];
    }
  });
  return { texts: `{${texts.join(",")}}`, areAll: texts.length === all.length };
}

/** @param {unknown} value */
function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * An answer as the core takes it: its JSON text, and the text in place of an option. With `true`, that is the answer itself, or the last item of the list.
 * @param {unknown} value
 * @param {string | boolean | undefined} other
 * @returns {[text: string, other: string | undefined]}
 */
export function content(value, other) {
  if (other !== true) return [answerText(value), otherText(other)];
  const list = Array.isArray(value);
  return [answerText(list ? value.slice(0, -1) : null), wholeText((list ? value.at(-1) : value) ?? "")];
}

/**
 * The same for an answer as JSON text. Where the text is no JSON, the core says why.
 * @param {string} text
 * @param {string | boolean | undefined} other
 * @returns {[text: string, other: string | undefined]}
 */
export function contentOf(text, other) {
  const value = other === true ? jsonOf(text) : undefined;
  return value === undefined ? [text, other === true ? undefined : otherText(other)] : content(value, other);
}

/**
 * The text in place of an option.
 * @param {unknown} other
 */
function otherText(other) {
  return other === undefined || other === false ? undefined : wholeText(other);
}

/** @param {unknown} other */
function wholeText(other) {
  if (typeof other === "string" && (other.isWellFormed?.() ?? true)) return other;
  throw new RefusalError({ code: "wrong_type", message: "Give the text in place of an option as a string, without lone surrogates." });
}

/**
 * A verdict as JSON text. What JSON cannot say is none.
 * @param {unknown} verdict
 */
export function verdictText(verdict) {
  try {
    return strictText(verdict);
  } catch {
    return "null";
  }
}

/** So many digits a number of JavaScript may not hold. */
export const MANY_DIGITS = /[\d.]{16}/;

/**
 * What a JSON text says; undefined where it is none.
 * @param {string} text
 * @returns {any}
 */
export function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
