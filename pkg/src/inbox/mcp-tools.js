// The tools of the MCP server: their definitions, what they are given, and what they give. And what stands in messages.

/**
 * @import { State } from "./board.js"
 */

/** The members of an object that somebody else has written as JSON. @typedef {{ [name: string]: any }} Given */

/** The name of a request. @typedef {string | number | null} Id */

/** A message that is to be sent, without the version of JSON-RPC. @typedef {{ id?: Id, method?: string, params?: object, result?: object, error?: { code: number, message: string } }} Message */

/** A message as it comes. @typedef {{ id?: Id, method?: unknown, params?: any, result?: any, error?: unknown }} Came */

/**
 * What a tool gives.
 * @typedef {{ content: { type: string, text: string }[], isError: boolean, _meta?: object }} ToolResult
 */

/**
 * What a call gets: its result, if the client still wants one, and the questions whose answers it has.
 * @typedef {{ result?: ToolResult, taken?: string[] }} Called
 */

/** @typedef {{ end: AbortController, status: "working" | "completed" | "failed" | "cancelled", createdAt: string, lastUpdatedAt: string, statusMessage?: string, done?: Promise<Called> }} Task */

/** A question that was asked before. @typedef {{ id: string, asked_at: string, closed: boolean }} Before */

/** The errors of JSON-RPC. */
export const [UNREADABLE, NO_REQUEST, NO_METHOD, WRONG, INTERNAL] = [-32700, -32600, -32601, -32602, -32603];
/** How long a client should wait before it asks again how a task stands, in milliseconds. */
const POLL = 2_000;

export const INSTRUCTIONS =
  "Use ask_user when you need a decision or a fact that only the person has, and confirm_action before you do something that cannot be undone. The person answers in the ask-user inbox. " +
  "If a result says that a question is still open, go on with what does not depend on it, and call answers later.";

export const CONFIRM = {
  name: "confirm_action",
  description:
    'Ask the person whether you may do one thing. Say exactly what you will do, and what it changes. The result is {"confirmed": true} or {"confirmed": false}. If it has "cancelled": true, the ' +
    'person has not agreed: read "reply". Never take anything but {"confirmed": true} as consent.',
  inputSchema: {
    type: "object",
    properties: {
      action: { type: "string", minLength: 1, description: 'What you will do, as a question that yes agrees to, such as "Delete the 14 merged branches?"' },
      details: { type: "string", description: "What the person should know before: the exact command, the files, the consequences. Markdown." },
      danger: { type: "boolean", description: "Whether it cannot be undone. The person is asked once more then." },
    },
    required: ["action"],
    additionalProperties: false,
  },
};
export const ANSWERS = {
  name: "answers",
  description:
    "Get the answers to questions that you asked before and did not wait for, and the list of those that are still open. An answer is given until you have received it, so one may come twice, under the same id. Call it after a result that says that a question is still open.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true },
};

/**
 * A task, as the client reads it.
 * @type {(taskId: string, task: Task) => object}
 */
export const shown = (taskId, { status, statusMessage, createdAt, lastUpdatedAt }) => ({ taskId, status, ...(statusMessage && { statusMessage }), createdAt, lastUpdatedAt, ttl: null, pollInterval: POLL });

/** The request of `confirm_action`, or `WRONGLY` if its arguments are not right. */
export const WRONGLY = Symbol("wrong arguments");
/**
 * @param {Given} given
 * @returns {typeof WRONGLY | { questions: object[] }}
 */
export function confirmation({ action, details, danger, ...more }) {
  const isRight = typeof action === "string" && action.trim() && ["undefined", "string"].includes(typeof details) && ["undefined", "boolean"].includes(typeof danger);
  if (!isRight || Object.keys(more).length) return WRONGLY;
  return { questions: [{ id: "confirmed", text: action, answer_type: "boolean", ...(details?.trim() && { context: details }), ...(danger && { danger }) }] };
}

/**
 * A result that was given when the question was asked before.
 * @type {(result: ToolResult, before: Before) => ToolResult}
 */
export const earlier = (result, { asked_at: at }) => ({ ...result, content: [...result.content, { type: "text", text: `The person has answered this already: you have asked it before, at ${at}.` }] });

/**
 * What the agent gets of a closed question.
 * @param {Omit<State, "id">} state
 * @returns {ToolResult}
 */
export function resultOf({ state, result_text: result, explanation }) {
  if (state === "closed" || state === "expired") return said(result ?? JSON.stringify({ cancelled: true, reason: state }));
  if (state === "turn_ended") return said(result ?? JSON.stringify({ cancelled: true, reason: "The person has ended the turn. Stop, and wait for the next message." }));
  const text = result ?? JSON.stringify({ cancelled: true, reason: state });
  return { content: /** @type {string[]} */ ([text, explanation].filter(Boolean)).map((one) => ({ type: "text", text: one })), isError: state === "failed" };
}

/** @type {(id: string) => string} */
export const stillOpen = (id) =>
  JSON.stringify({ state: "open", id, message: "The person has not answered yet. The question stays open. Go on with what does not depend on it, and call the tool `answers` later to get the answer." });

/** @type {(text: string, isError?: boolean) => ToolResult} */
export const said = (text, isError = false) => ({ content: [{ type: "text", text }], isError });

/** @type {(value: unknown) => boolean} */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * A part of a message that is an object, or is not there.
 * @param {unknown} value
 * @param {string} name
 * @returns {Given}
 */
export function object(value, name) {
  if (value === undefined) return {};
  if (!isObject(value)) throw fault(WRONG, `"${name}" must be an object.`);
  return /** @type {Given} */ (value);
}

/** @type {(code: number, message: string) => Error & { code: number }} */
export const fault = (code, message) => Object.assign(new Error(message), { code });

/**
 * Whether a client has cancelled a call because its own time was over.
 * @type {(reason: unknown) => boolean}
 */
export const isLate = (reason) => /tim(e|ed)[ -]?out/i.test(String(reason ?? ""));

/**
 * What people call an agent, by what its client says of itself.
 * @param {Given} client
 */
export function nameOf(client) {
  const [title, name] = [client.title, client.name].map((one) => (typeof one === "string" ? one.trim() : ""));
  if (title) return title.slice(0, 100);
  const known = [["claude-code", "Claude Code"], ["claude-ai", "Claude"], ["codex", "Codex"], ["gemini-cli", "Gemini CLI"], ["cursor", "Cursor"], ["zed", "Zed"]];
  return known.find(([begins]) => name.toLowerCase().startsWith(begins))?.[1] ?? (name.slice(0, 100) || undefined);
}
