// What the list of all questions says of one, as text: its folder, its first line, and what was answered.
import { homedir } from "node:os";
import { TEXTS } from "./texts.js";

/**
 * @import { AuditRecord, Json, RecordedQuestion } from "../../types/core.js"
 * @import { Answered } from "./receipts.js"
 */

/** How long a text in the list may be. */
const LONGEST = 300;

/**
 * A path with `~` for the user's own folder.
 * @param {string | undefined} folder
 */
export function shortened(folder) {
  const home = homedir();
  return folder === home || folder?.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

/**
 * The first line of a text that has one, not longer than the list shows.
 * @param {string} text
 */
export function firstLine(text) {
  const line = text.split("\n").map((one) => one.trim()).find(Boolean) ?? "";
  return cut(line);
}

/**
 * What was asked and answered, for people to read. No record has a secret.
 * @param {AuditRecord[]} records
 * @returns {Answered[]}
 */
export function answersOf(records) {
  const asked = new Map(/** @type {Extract<AuditRecord, { type: "inquiry_request" }>[]} */ (records.filter(({ type }) => type === "inquiry_request")).map((record) => [record.id, record.question]));
  const given = /** @type {{ id: string, outcome: Answered["outcome"], answer?: Json, answer_text?: string, note?: string }[]} */ (records.filter(({ type }) => type === "inquiry_response"));
  return given.map(({ id, outcome, answer, answer_text: digits, note }) => {
    const question = asked.get(id);
    return { text: askedOf(question), outcome, answer: outcome === "answered" ? (digits ?? shown(answer, question)) : undefined, note };
  });
}

/**
 * What was asked, as text: of a tool call, also what would run.
 * @param {{ text?: string, answer_type?: Partial<RecordedQuestion["answer_type"]> }} [question]
 */
function askedOf({ text = "", answer_type: { arguments: given } = {} } = {}) {
  const line = firstLine(text);
  return given === undefined ? line : cut(`${line} ${JSON.stringify(given)}`);
}

/**
 * An answer as text.
 * @param {any} answer
 * @param {RecordedQuestion | undefined} question
 * @returns {string}
 */
function shown(answer, question) {
  if (question?.answer_type?.type === "approval" && /** @type {{ [type: string]: string }} */ (TEXTS.decisions)[answer?.type]) {
    return cut([/** @type {{ [type: string]: string }} */ (TEXTS.decisions)[answer.type], answer.grant?.scope !== "once" && answer.grant?.shown, answer.message, answer.arguments && JSON.stringify(answer.arguments)].filter(Boolean).join(" · "));
  }
  /** @type {(value: unknown) => unknown} */
  const label = (value) => question?.answer_type?.options?.find((option) => option.value === value)?.label ?? value;
  if (typeof answer === "boolean") return answer ? TEXTS.yes : TEXTS.no;
  const text = Array.isArray(answer) ? answer.map((one) => shown(one, question)).join(", ") : answer === null || typeof answer === "object" ? JSON.stringify(answer) : String(label(answer));
  return cut(text);
}

/**
 * A text that is not longer than the list shows.
 * @type {(text: string, longest?: number) => string}
 */
export const cut = (text, longest = LONGEST) => (text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…` : text);
