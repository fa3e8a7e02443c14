// The command `ask-user hook claude`: a hook of Claude Code, which puts its own questions into the inbox. What is not answered there, for whatever reason, Claude Code asks as it always did: then nothing is printed. Only
// an answer of the person allows anything.
import { isDeepStrictEqual } from "node:util";
import { unguessable } from "./folder.js";
import { found } from "./found.js";

/** How large the input may be, in bytes. */
const LARGEST = 8 * 1024 * 1024;
/** How long a question waits in the inbox, in seconds: Claude Code ends a hook after 600. */
export const WAIT = 540;
/** How long the inbox may take to close a question that nobody needs any more, in milliseconds. */
const CLOSES = 3_000;
/** The tool that asks questions, and the one whose approval belongs to the terminal: it changes the mode in which Claude Code goes on. */
const [QUESTIONS, PLAN] = ["AskUserQuestion", "ExitPlanMode"];
/** A number that JavaScript may not have with every digit. */
const LONG = /\d{16}/;
/** What the hook's input says of a call beside its name and its arguments. */
const SAID = ["permission_suggestions", "mcp_server"];

/** Reads the hook's input, asks, and prints the decision. `print` writes to the standard output. Nothing else may be written there. */
export async function hook({ client, input, print, wait = WAIT, signals = ["SIGINT", "SIGTERM", "SIGHUP"] }) {
  const stop = new AbortController();
  for (const signal of signals) process.once(signal, () => stop.abort());
  let isLate = false;
  const timer = setTimeout(() => ((isLate = true), stop.abort()), wait * 1_000);
  const over = new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(stop.signal.reason)));
  let id;
  let given;
  let isDecided = false;
  try {
    const text = await Promise.race([read(input), over]);
    given = JSON.parse(text);
    const request = requestOf(given);
    // A call is shown as it is, or not at all.
    if (!request || LONG.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ""))) return;
    // No inbox is started: where none runs, nobody looks there.
    if (!(await found(client.folder, stop.signal))) return;
    id = unguessable();
    // If this process is killed, the question goes when its time is over.
    await client.put({ id, request, dialect: "claude", who: "Claude Code", folder: textOf(given.cwd), expires_in: wait, approval: request.tool_name !== QUESTIONS }, stop.signal);
    const answer = await client.closed(id, stop.signal, { isPatient: false });
    const decision = decisionOf(given, answer);
    isDecided = true;
    if (decision) print(`${decision}\n`);
  } catch {
    // Claude Code asks.
  } finally {
    clearTimeout(timer);
    over.catch(() => undefined);
    const state = id && (await client.drop(id, AbortSignal.timeout(CLOSES)).catch(() => undefined));
    // The person has answered just when the time was over, and has seen that it was sent.
    if (state && isLate && !isDecided) tell(given, state, print);
  }
}

/** Prints what an answer that came late decides, if it decides anything. */
function tell(given, state, print) {
  try {
    const decision = decisionOf(given, state);
    if (decision) print(`${decision}\n`);
  } catch {
    // Claude Code asks.
  }
}

async function read(input) {
  const pieces = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size > LARGEST) throw new Error("The input is too large.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const textOf = (value) => (typeof value === "string" && value.trim() ? value.slice(0, 1_000) : undefined);

/** What the inbox is asked: the questions before their tool runs, and approvals when Claude Code would show its dialog. Undefined if it is not asked. */
function requestOf({ hook_event_name: event, tool_name: tool, tool_input: input, ...more }) {
  if (typeof tool !== "string" || input === null || typeof input !== "object" || Array.isArray(input)) return undefined;
  const isAsked = event === "PreToolUse" ? tool === QUESTIONS : event === "PermissionRequest" && ![QUESTIONS, PLAN].includes(tool);
  if (!isAsked) return undefined;
  return { tool_name: tool, input, ...Object.fromEntries(SAID.filter((name) => more[name] !== undefined).map((name) => [name, more[name]])) };
}

/** The hook's output, as JSON text; undefined if there is no decision. The result of the dialect is what Claude Code's own callback for permissions returns. */
export function decisionOf({ hook_event_name: event, tool_input: input }, { state, result_text: text }) {
  if (!["answered", "replied", "turn_ended"].includes(state)) return undefined;
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
