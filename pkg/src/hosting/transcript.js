// The lines of a conversation as they are stored and told, and as the agent sees them.

/**
 * @import { ConversationAnswer, ConversationResult } from "../../types/core.js"
 * @import { Message } from "../../types/host.js"
 * @import { Replied } from "./agent.js"
 */

/**
 * A line that is to be stored.
 * @typedef {{ kind: "message", text: string }} Line
 */

/**
 * What the person said.
 * @type {(text: string) => Line}
 */
export const said = (text) => message({ role: "user", text });

/**
 * What the model responded. `raw` is for the agent alone. `unheard` is how many of the answers before it the model did not have yet.
 * @type {(reply: Replied, unheard?: number) => Line}
 */
export const responded = ({ text, calls, raw }, unheard = 0) => message({ role: "assistant", text, calls, ...(raw === undefined ? {} : { raw }), ...(unheard ? { unheard } : {}) });

/**
 * Something went wrong, for the person alone. `try_again` says whether the same request makes sense again.
 * @type {(text: string, mayTryAgain: boolean) => Line}
 */
export const failed = (text, mayTryAgain) => message({ role: "error", text, try_again: mayTryAgain });

/**
 * What a tool gave, with the content as JSON text. `secret` is the nonce of the question whose secrets are redacted in it.
 * @param {Omit<ConversationResult, "content">} result
 * @param {string} content
 * @param {string} [secret]
 * @returns {Line}
 */
export function resulted({ call_id, is_error }, content, secret) {
  const more = secret === undefined ? "" : `,"secret":${JSON.stringify(secret)}`;
  return { kind: "message", text: `{"role":"tool","call_id":${JSON.stringify(call_id)},"content":${content},"is_error":${is_error}${more}}` };
}

/**
 * The answer to a question that the agent did not wait for, with the content as JSON text. It has no text of the person.
 * @type {(answer: Omit<ConversationAnswer, "content">, content: string) => Line}
 */
export const late = ({ call_id, is_error }, content) => ({ kind: "message", text: `{"role":"user","call_id":${JSON.stringify(call_id)},"content":${content},"is_error":${is_error}}` });

/** @type {(line: object) => Line} */
const message = (line) => ({ kind: "message", text: JSON.stringify(line) });

/**
 * A stored line as clients hear it.
 * @param {string} text
 * @returns {string}
 */
export function told(text) {
  const line = JSON.parse(text);
  if (line.raw === undefined && line.secret === undefined && line.unheard === undefined) return text;
  const { raw: _, secret: __, unheard: ___, ...public_ } = line;
  return JSON.stringify(public_);
}

/**
 * A stored line as the agent sees it. It does not see the errors that the person was told. `secrets` has results with their secrets, by the nonces of their questions.
 * @param {string} text
 * @param {Map<string, string>} secrets
 * @returns {Message | undefined}
 */
export function entry(text, secrets = new Map()) {
  const { role, text: words, calls, raw, call_id: callId, content, is_error: isError, secret } = JSON.parse(text);
  if (role === "user" && callId !== undefined) {
    const contentText = contentOf(text);
    return { role, callId, text: `The answer to the question that you asked with the call ${callId}: ${typeof content === "string" ? content : contentText}`, content, contentText, isError };
  }
  if (role === "user") return { role, text: words };
  if (role === "assistant") return { role, text: words, calls, ...(raw === undefined ? {} : { raw }) };
  // The text keeps digits that a number of JavaScript does not hold.
  const whole = secrets.get(secret);
  if (role === "tool") return { role, callId, content: whole ? JSON.parse(whole) : content, contentText: whole ?? contentOf(text), isError };
  return undefined;
}

/**
 * Whether a message is the answer to a question that the agent did not wait for.
 * @type {(line: { role: string, callId?: string }) => boolean}
 */
export const isLate = ({ role, callId }) => role === "user" && callId !== undefined;

/**
 * Stored lines without the last answers to questions that the agent did not wait for: so many of them.
 * @template {{ text: string }} L
 * @param {L[]} lines
 * @param {number} [count]
 * @returns {L[]}
 */
export function withoutLast(lines, count = 0) {
  if (!count) return lines;
  const answers = lines.filter(({ text }) => {
    const { role, call_id: callId } = JSON.parse(text);
    return isLate({ role, callId });
  });
  const last = new Set(answers.slice(-count));
  return lines.filter((line) => !last.has(line));
}

/**
 * Stored lines as the agent sees them: after each response come the results of its calls, in their order, and then the answers that have come meanwhile.
 * @param {{ text: string }[]} lines
 * @param {Map<string, string>} [secrets]
 * @returns {Message[]}
 */
export function transcript(lines, secrets) {
  /** @type {Map<string, number>} */
  const places = new Map();
  /** @type {{ place: number, message: Message }[]} */
  const placed = [];
  let end = -1;
  for (const { text } of lines) {
    const message = entry(text, secrets);
    if (!message) continue;
    const place = placed.length;
    for (const [number, { id }] of (/** @type {{ calls?: { id: string }[] }} */ (message).calls ?? []).entries()) places.set(id, place + 1 + number);
    if (message.role === "assistant") {
      end = place + message.calls.length;
      // It did not know of them.
      const { unheard = 0 } = JSON.parse(text);
      if (unheard) for (const one of placed.filter(({ message }) => isLate(message)).slice(-unheard)) one.place = end + 0.5;
    }
    if (isLate(message)) placed.push({ place: end < place ? place : end + 0.5, message });
    else placed.push({ place: message.role === "tool" ? (places.get(message.callId) ?? place) : place, message });
  }
  return placed.sort((one, other) => one.place - other.place).map(({ message }) => message);
}

/**
 * The content of a tool's line, as the JSON text that it was stored as.
 * @type {(text: string) => string}
 */
const contentOf = (text) => text.slice(text.indexOf(',"content":', text.indexOf('"call_id":')) + 11, text.lastIndexOf(',"is_error":'));
