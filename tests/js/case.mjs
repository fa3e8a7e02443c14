// One vector: a request, what a person does, and what comes of it. `tests/src/case.rs` does the same for the native build.
// A driver acts on one build; here is what must be so, whatever the build.

/**
 * What JSON says: a case, a step of it, or a part of these.
 * @typedef {{ [name: string]: any }} Given
 */

/**
 * What a case asks, and how.
 * @typedef {{ request?: any, text?: string, dialect?: any, options: any }} Asked
 */

/**
 * Acts on one build.
 * @typedef {object} Driver
 * @property {(asked: Asked) => Promise<{ rejected?: any[], warnings?: any[] }>} open
 * @property {(keys: Given) => Promise<any>} see
 * @property {(action: Given) => Promise<any>} act What refuses it, or `NOT_OFFERED`.
 * @property {() => Promise<void>} resume
 * @property {() => Promise<string>} saved
 * @property {() => Promise<{ outcome: any, records: any }>} ending
 * @property {() => Promise<string>} shown
 */

const CASE_KEYS = [
  "name", "dialect", "tool_call_id", "host", "request", "text", "rejected", "warnings", "steps", "ends", "error", "secrets",
  "explains", "result", "records",
];
const STEP_KEYS = [
  "sees", "answer", "note", "remember", "other", "editor", "back", "submit", "end_turn", "reply", "change",
  "save_and_resume", "assistant", "refused", "details",
];
const SEES_KEYS = [
  "question", "type", "text", "header", "context", "progress", "back", "draft", "options", "optional", "other", "advice",
  "review", "asks",
];

/** A driver gives this instead of a refusal where the form does not offer what a step asks for. */
export const NOT_OFFERED = Symbol("not offered");

/**
 * Plays a case with a driver; throws what is not as it should be. Gives how many steps the form did not offer.
 * The driver: `open({ request, text, dialect, options })` gives `{ rejected }` or `{ warnings }`; `see(keys)`; `act(action)`
 * gives `undefined`, `{ code, details }` or `NOT_OFFERED`; `resume()`; `saved()` as text; `ending()` gives `{ outcome,
 * records }`; `shown()` gives everything that can be seen, as text.
 * @param {Given} case_
 * @param {Driver} driver
 */
export async function play(case_, driver) {
  known(case_, CASE_KEYS);
  if (case_.request === undefined && case_.text === undefined) throw new Error("the case has no request");
  const opened = await driver.open(asked(case_));
  if (opened.rejected || case_.rejected) {
    if (!case_.rejected) throw new Error(`was rejected: ${JSON.stringify(places(opened.rejected))}`);
    if (!opened.rejected) throw new Error("was read, but must be rejected");
    sameSet("problems", places(opened.rejected), case_.rejected);
    return 0;
  }
  sameSet("warnings", places(opened.warnings), case_.warnings ?? []);
  let absent = 0;
  for (const [index, step] of (case_.steps ?? []).entries()) {
    try {
      absent += await doStep(step, driver);
    } catch (/** @type {any} */ error) {
      throw new Error(`step ${index + 1}: ${error.message}`);
    }
  }
  await checkEnding(case_, driver);
  return absent;
}

/**
 * What a case asks, and how.
 * @param {Given} case_
 * @returns {Asked}
 */
export function asked({ request, text, dialect, host = {}, tool_call_id: toolCallId }) {
  return { request, text, dialect, options: { ...camel(host), ...(toolCallId !== undefined && { toolCallId }) } };
}

/**
 * @param {Given} step
 * @param {Driver} driver
 * @returns {Promise<number>}
 */
async function doStep(step, driver) {
  known(step, STEP_KEYS);
  if (step.sees) {
    known(step.sees, SEES_KEYS);
    const seen = await driver.see(step.sees);
    for (const [key, expected] of Object.entries(step.sees)) same(key, seen[key] ?? null, expected);
  }
  const before = await driver.saved();
  let outcome;
  for (const action of actions(step)) outcome = (await driver.act(action)) ?? outcome;
  if ("save_and_resume" in step) await driver.resume();
  if (outcome === NOT_OFFERED) {
    if (!step.refused) throw new Error("the form does not offer this");
    return 1;
  }
  if (outcome?.code !== step.refused) {
    throw new Error(`refused with ${outcome?.code} where ${step.refused} is expected. ${outcome?.message ?? ""}`);
  }
  if (step.details) {
    const found = outcome.details.map((/** @type {any} */ { instance_path, keyword }) => ({ instance_path, keyword }));
    sameSet("details", found, step.details);
  }
  if (outcome) same("the walk after a refused action", await driver.saved(), before);
  return 0;
}

/**
 * @param {Given} step
 * @returns {Given[]}
 */
function actions(step) {
  /** @type {Given[]} */
  const found = [];
  if ("answer" in step) {
    const { answer: value, note, other = false, remember = false } = step;
    found.push({ do: "answer", value, note, other, remember });
  }
  if ("editor" in step) found.push({ do: "editor", text: step.editor });
  if ("back" in step) found.push({ do: "back" });
  if ("submit" in step) found.push({ do: "submit" });
  if ("end_turn" in step) found.push({ do: "endTurn" });
  if ("reply" in step) found.push({ do: "reply", text: typeof step.reply === "string" ? step.reply : undefined });
  if ("change" in step) found.push({ do: "change", id: step.change });
  if ("assistant" in step) found.push({ do: "assistant", verdict: step.assistant });
  return found;
}

/**
 * @param {Given} case_
 * @param {Driver} driver
 */
async function checkEnding(case_, driver) {
  const { outcome, records } = await driver.ending();
  same("ends", outcome?.ends, case_.ends);
  same("error", outcome?.error, case_.error);
  same("secrets", outcome?.secrets, case_.secrets);
  const written = outcome && "result" in outcome;
  if (!(written && case_.ends === "failed" && !("result" in case_))) same("result", outcome?.result, case_.result);
  for (const word of case_.explains ?? []) {
    if (!outcome?.explanation?.includes(word)) throw new Error(`the explanation lacks "${word}": ${outcome?.explanation}`);
  }
  if (case_.records) same("records", records, case_.records);
  const shown = JSON.stringify(records) + (await driver.saved()) + (await driver.shown());
  for (const secret of Object.values(outcome?.secrets ?? {})) {
    // A secret of a letter or two stands in many words: it leaks where it stands as a value.
    if (secret && shown.includes(secret.length < 4 ? JSON.stringify(secret) : secret)) throw new Error("a secret is in the records, in the saved walk or on the page");
  }
}

/** @param {Given} options @returns {Given} */
function camel(options) {
  const named = (/** @type {string} */ name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [named(name), name === "limits" ? camel(value) : value]));
}

/** @param {any[] | undefined} problems */
function places(problems) {
  return /** @type {any[]} */ (problems).map(({ code, path }) => ({ code, path }));
}

/**
 * @param {Given} fields
 * @param {string[]} keys
 */
function known(fields, keys) {
  for (const key of Object.keys(fields)) if (!keys.includes(key)) throw new Error(`nobody knows the key "${key}"`);
}

/**
 * @param {string} what
 * @param {unknown} found
 * @param {unknown} expected
 */
function same(what, found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what} is ${a} where ${b} is expected`);
}

/**
 * @param {string} what
 * @param {unknown[]} found
 * @param {unknown[]} expected
 */
function sameSet(what, found, expected) {
  /** @type {(list: unknown[]) => string[]} */
  const texts = (list) => list.map((one) => JSON.stringify(one)).sort();
  same(what, texts(found), texts(expected));
}
