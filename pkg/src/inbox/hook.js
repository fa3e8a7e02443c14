// The command `ask-user hook claude`: a hook of Claude Code, which puts its own questions into the inbox. What is not answered there, for whatever reason, Claude Code asks as it always did: then nothing is printed. Only
// an answer of the person allows anything.
import { isDeepStrictEqual } from "node:util";
import { isRounded } from "./digits.js";
import { LONGEST, WAIT, askedThere, isDecided } from "./door.js";
import { wholeText } from "./exchange.js";

/**
 * @import { Readable } from "node:stream"
 * @import { State } from "./board.js"
 * @import { Client } from "./client.js"
 */

/**
 * What Claude Code says of a call: JSON that somebody else has written.
 * @typedef {{ [name: string]: any }} Given
 */

/** The tool that asks questions, and the one whose approval belongs to the terminal: it changes the mode in which Claude Code goes on. */
const [QUESTIONS, PLAN] = ["AskUserQuestion", "ExitPlanMode"];
/** What the hook's input says of a call beside its name and its arguments. */
const SAID = ["permission_suggestions", "mcp_server"];

/**
 * Reads the hook's input, asks, and prints the decision. `print` writes to the standard output. Nothing else may be written there.
 * @param {{ client: Client, input: Readable, print: (text: string) => void, wait?: number, signals?: NodeJS.Signals[] }} options
 */
export async function hook({ client, input, print, wait = WAIT, signals = ["SIGINT", "SIGTERM", "SIGHUP"] }) {
  const stop = new AbortController();
  for (const signal of signals) process.once(signal, () => stop.abort());
  /** @type {Promise<never>} */
  const over = new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(stop.signal.reason)));
  const begun = Date.now();
  const late = setTimeout(() => stop.abort(), Math.min(wait, LONGEST) * 1_000);
  try {
    const text = await Promise.race([wholeText(input), over]);
    clearTimeout(late);
    const given = /** @type {Given} */ (JSON.parse(text));
    const request = requestOf(given);
    if (!request || isRounded(text)) return;
    const question = { request, dialect: /** @type {const} */ ("claude"), who: "Claude Code", folder: textOf(given.cwd), approval: request.tool_name !== QUESTIONS };
    /** @type {(state: State) => boolean} */
    const take = (state) => {
      const decision = decisionOf(given, state);
      if (decision) print(`${decision}\n`);
      return decision !== undefined;
    };
    // Claude Code counts from the beginning.
    const left = wait - Math.floor((Date.now() - begun) / 1_000);
    if (left > 0) await askedThere({ client, question, wait: left, signal: stop.signal, take });
  } catch {
    // Claude Code asks.
  } finally {
    clearTimeout(late);
    over.catch(() => undefined);
  }
}

/** @type {(value: unknown) => string | undefined} */
const textOf = (value) => (typeof value === "string" && value.trim() ? value.slice(0, 1_000) : undefined);

/**
 * What the inbox is asked: the questions before their tool runs, and approvals when Claude Code would show its dialog. Undefined if it is not asked.
 * @param {Given} given
 */
function requestOf({ hook_event_name: event, tool_name: tool, tool_input: input, ...more }) {
  if (typeof tool !== "string" || input === null || typeof input !== "object" || Array.isArray(input)) return undefined;
  const isAsked = event === "PreToolUse" ? tool === QUESTIONS : event === "PermissionRequest" && ![QUESTIONS, PLAN].includes(tool);
  if (!isAsked) return undefined;
  return { tool_name: tool, input, ...Object.fromEntries(SAID.filter((name) => more[name] !== undefined).map((name) => [name, more[name]])) };
}

/**
 * The hook's output, as JSON text; undefined if there is no decision. The result of the dialect is what Claude Code's own callback for permissions returns.
 * @param {Given} given
 * @param {Pick<State, "state" | "result_text">} answer
 * @returns {string | undefined}
 */
export function decisionOf({ hook_event_name: event, tool_input: input }, { state, result_text: text }) {
  if (!isDecided({ state })) return undefined;
  const result = text === undefined ? { behavior: "deny", message: "The user has ended the turn.", interrupt: true } : JSON.parse(text);
  const { behavior, message, interrupt, updatedInput, ...more } = result ?? {};
  if (behavior !== "deny" && !(behavior === "allow" && state === "answered")) return undefined;
  if (event === "PermissionRequest") {
    // A call that nobody has edited runs as it came.
    const decision = behavior === "allow" && isDeepStrictEqual(updatedInput, input) ? { behavior, ...more } : result;
    return JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
  }
  if (behavior === "allow" && (updatedInput === null || typeof updatedInput !== "object" || !updatedInput.answers)) return undefined;
  const decision = behavior === "allow" ? { permissionDecision: "allow", updatedInput } : { permissionDecision: "deny", permissionDecisionReason: message };
  const ends = interrupt || state === "turn_ended" ? { continue: false, stopReason: message } : {};
  return JSON.stringify({ ...ends, hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } });
}
