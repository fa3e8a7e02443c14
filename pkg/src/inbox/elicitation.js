// Which requests an MCP client can put to the person by itself, as an elicitation, and what its answer comes to. The form decides whether it is one.

/**
 * @import { Json, Question } from "../../types/core.js"
 * @import { Core } from "../hosting/desks.js"
 */

/** The version of the protocol that has titles of choices and lists of them. */
const TITLED = "2025-11-25";

/**
 * The parameters of `elicitation/create` for a request of `ask_user`; undefined if its questions are no flat form, or one of them cannot be undone.
 * @param {{ [name: string]: any }} request
 * @param {string} version
 * @returns {{ message: string, requestedSchema: object } | undefined}
 */
export function elicitation(request, version) {
  const { questions } = request;
  if (!Array.isArray(questions) || !questions.length) return undefined;
  const fields = questions.map((question) => fieldOf(question, version));
  if (!fields.every(Boolean)) return undefined;
  const properties = Object.fromEntries(questions.map(({ id }, place) => [id, fields[place]]));
  if (Object.keys(properties).length !== questions.length) return undefined;
  const required = questions.filter(({ optional }) => !optional).map(({ id }) => id);
  return { message: questions.map(messageOf).join("\n\n"), requestedSchema: { type: "object", properties, ...(required.length && { required }) } };
}

/** What a question has that stands in the form as well. A question with anything else is none for an elicitation. */
const PLAIN = ["id", "text", "header", "context", "answer_type", "options", "optional", "default", "min_selections", "max_selections", "minimum", "maximum"];

/**
 * @param {{ [name: string]: any } | null} question
 * @param {string} version
 */
function fieldOf(question, version) {
  if (question === null || typeof question !== "object" || Object.keys(question).some((name) => !PLAIN.includes(name))) return undefined;
  const { id, text, answer_type: type, options = [], minimum, maximum, min_selections: fewest, max_selections: most } = question;
  if (typeof id !== "string" || typeof text !== "string" || !Array.isArray(options)) return undefined;
  // Without a suggested answer: a client may send that although nobody has seen it.
  const field = { title: text };
  if (type === "boolean") return { type: "boolean", ...field };
  if (type === "text") return { type: "string", ...field };
  if (type === "number") return { type: "number", ...field, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  const choices = /** @type {{ const: string, title: string }[]} */ (options.map(choiceOf));
  if (!choices.length || !choices.every(Boolean)) return undefined;
  if (type === "select" && version >= TITLED) return { type: "string", ...field, oneOf: choices };
  if (type === "select") return { type: "string", ...field, enum: choices.map((one) => one.const), enumNames: choices.map(({ title }) => title) };
  if (type !== "multi_select" || version < TITLED) return undefined;
  return { type: "array", ...field, items: { anyOf: choices }, ...(fewest !== undefined && { minItems: fewest }), ...(most !== undefined && { maxItems: most }) };
}

/**
 * An option; undefined if it has a value that is no text, or needs to be confirmed.
 * @param {any} option
 */
function choiceOf(option) {
  const { label, value = label, danger, preview } = typeof option === "string" ? { label: option } : (option ?? {});
  if (typeof label !== "string" || typeof value !== "string" || danger || preview) return undefined;
  return { const: value, title: label };
}

/**
 * What the person reads above the fields: a question, its context, and what its options mean.
 * @param {{ [name: string]: any }} question
 */
function messageOf({ header, text, context, options = [] }) {
  const meanings = /** @type {{ label?: string, description?: string }[]} */ (options).filter((option) => option.description).map(({ label, description }) => `${label}: ${description}`);
  return [header, text, context, ...meanings].filter(Boolean).join("\n");
}

/**
 * The agent's result for what a client has answered to an elicitation, as JSON text; undefined if it is no answer.
 * @param {Pick<Core, "open">} core
 * @param {object} request
 * @param {{ action?: unknown, content?: { [id: string]: Json } | null } | undefined} result
 */
export function resultFor(core, request, result) {
  if (result?.action === "decline") return JSON.stringify({ cancelled: true, reason: "The person has declined to answer." });
  if (result?.action !== "accept" || result.content === null || typeof result.content !== "object") return undefined;
  try {
    const walk = core.open(request, { dialect: "ask_user", toolCallId: "question" });
    for (let question; (question = /** @type {{ question?: Question }} */ (walk.step).question); ) walk.answer(result.content[question.id] ?? null);
    const { ends, result: text } = walk.outcome ?? {};
    return ends === "completed" ? JSON.stringify(text) : undefined;
  } catch {
    // The form takes no such answer.
    return undefined;
  }
}
