// The command `ask-user mcp`: a server of the Model Context Protocol over standard input and output, whose tools ask the person in the inbox. Without the protocol's own library, which has
// ninety dependencies: the server needs six messages of it.
import { createHmac } from "node:crypto";
import { createInterface } from "node:readline";
import { RefusedError } from "./client.js";
import { unguessable } from "./folder.js";

/** The versions of the protocol that the server speaks, the newest first. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/** How often a client that wants progress hears that the question still waits, in milliseconds. */
const EVERY = 10_000;
/** The errors of JSON-RPC. */
const [UNREADABLE, NO_REQUEST, NO_METHOD, WRONG] = [-32700, -32600, -32601, -32602];

const INSTRUCTIONS =
  "Use ask_user when you need a decision or a fact that only the person has, and confirm_action before you do something that cannot be undone. The person answers in the ask-user inbox. " +
  "If a result says that a question is still open, go on with what does not depend on it, and call answers later.";

const CONFIRM = {
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
const ANSWERS = {
  name: "answers",
  description:
    "Get the answers to questions that you asked before and did not wait for, and the list of those that are still open. Each answer is given once. Call it after a result that says that a question is still open.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true },
};

/**
 * Serves until the input ends. `definition` is that of `ask_user`. `wait` is after how many seconds a call stops waiting; undefined is never. `folder` is where the agent works.
 */
export async function serveMcp({ client, definition, input, output, folder, wait, version, every = EVERY }) {
  const server = new Mcp({ client, definition, send: (message) => output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`), folder, wait, version, every });
  // The client may be gone before it says so.
  output.on("error", () => server.end());
  for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line.trim()) server.hear(line);
  server.end();
}

class Mcp {
  #client;
  #tools;
  #send;
  #folder;
  #wait;
  #version;
  #every;
  #who;
  #name = "";
  /** The calls that wait: what ends each, by the id of its request. */
  #calls = new Map();

  constructor({ client, definition, send, folder, wait, version, every }) {
    this.#client = client;
    this.#tools = [{ name: "ask_user", description: definition.description, inputSchema: definition.parameters }, CONFIRM, ANSWERS];
    this.#send = send;
    this.#folder = folder;
    this.#wait = wait;
    this.#version = version;
    this.#every = every;
  }

  /** The client has gone. Its questions stay open: it finds them when it comes back. */
  end() {
    for (const end of this.#calls.values()) end.abort("gone");
  }

  hear(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#send({ id: null, error: { code: UNREADABLE, message: "This is not JSON." } });
    }
    // Up to the version 2025-03-26, several messages could come as a list.
    for (const one of Array.isArray(message) ? message : [message]) this.#take(one);
  }

  async #take(message) {
    const { id, method, params = {} } = message ?? {};
    if (typeof method !== "string") {
      if (id !== undefined && !("result" in message) && !("error" in message)) this.#send({ id, error: { code: NO_REQUEST, message: "This is no request." } });
      return;
    }
    if (id === undefined) {
      if (method === "notifications/cancelled") this.#calls.get(params.requestId)?.abort(isLate(params.reason) ? "late" : "cancelled");
      return;
    }
    try {
      const result = await this.#respond(id, method, params);
      if (result !== undefined) this.#send({ id, result });
    } catch (error) {
      this.#send({ id, error: { code: error.code ?? -32603, message: error.message } });
    }
  }

  async #respond(id, method, params) {
    if (method === "initialize") return this.#initialize(params);
    if (method === "ping") return {};
    if (method === "tools/list") return { tools: this.#tools };
    if (method !== "tools/call") throw fault(NO_METHOD, `There is no method ${method}.`);
    const { name, arguments: given = {}, _meta: meta = {} } = params;
    if (name === "answers") return said(JSON.stringify(await this.#answers()));
    if (name === "confirm_action") return this.#confirm(id, given, meta);
    if (name === "ask_user") return this.#ask(id, given, meta);
    throw fault(WRONG, `There is no tool ${name}.`);
  }

  #initialize({ protocolVersion, clientInfo = {} }) {
    this.#name = String(clientInfo.name ?? "");
    this.#who = nameOf(clientInfo);
    return {
      protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo: { name: "ask-user", version: this.#version },
      instructions: INSTRUCTIONS,
    };
  }

  /** Who asks, as only a holder of the token can name it: the same agent in the same folder finds its questions again. */
  get #owner() {
    return createHmac("sha256", this.#client.token).update(`owner ${this.#name}\n${this.#folder}`).digest("hex");
  }

  async #confirm(id, given, meta) {
    const { action, details, danger, ...more } = given;
    const isRight = typeof action === "string" && action.trim() && ["undefined", "string"].includes(typeof details) && ["undefined", "boolean"].includes(typeof danger);
    if (!isRight || Object.keys(more).length) return said('Give "action", a text, and if you want "details", a text, and "danger", true or false. Nothing else.', true);
    const question = { id: "confirmed", text: action, answer_type: "boolean", ...(details?.trim() && { context: details }), ...(danger && { danger }) };
    return this.#ask(id, { questions: [question] }, meta);
  }

  /** Asks, and waits for the answer. Nothing is sent for a call that the client has cancelled. */
  async #ask(call, request, { progressToken }) {
    if (this.#calls.has(call)) throw fault(NO_REQUEST, `A request with the id ${JSON.stringify(call)} is under way.`);
    const end = new AbortController();
    this.#calls.set(call, end);
    const id = unguessable();
    const timer = this.#wait === undefined ? undefined : setTimeout(() => end.abort("waited"), this.#wait * 1_000);
    let telling;
    try {
      await this.#client.put({ id, request, dialect: "ask_user", who: this.#who, folder: this.#folder, owner: this.#owner }, end.signal);
      if (progressToken !== undefined) {
        let progress = 0;
        const message = `The question waits in the inbox at ${await this.#client.address(end.signal)}. Run npx ask-user to open it.`;
        const tell = () => this.#send({ method: "notifications/progress", params: { progressToken, progress: (progress += 1), message } });
        tell();
        telling = setInterval(tell, this.#every);
      }
      const state = await this.#client.closed(id, end.signal);
      await this.#client.drop(id).catch(() => undefined);
      return resultOf(state);
    } catch (error) {
      if (error instanceof RefusedError && error.code === "rejected") return said(JSON.stringify(error.body.tool_result), true);
      if (!end.signal.aborted) return said(`The question could not be asked: ${error.message}`, true);
      if (end.signal.reason === "waited") return said(stillOpen(id));
      // A client that has run out of time may still want the answer, and one that is gone may come back.
      if (end.signal.reason === "cancelled") await this.#client.drop(id).catch(() => undefined);
      return undefined;
    } finally {
      clearTimeout(timer);
      clearInterval(telling);
      this.#calls.delete(call);
    }
  }

  async #answers() {
    const all = await this.#client.of(this.#owner);
    const closed = all.filter(({ state }) => state !== "open");
    for (const { id } of closed) await this.#client.drop(id);
    const open = all.filter(({ state }) => state === "open").map(({ id, question, asked_at }) => ({ id, question, asked_at }));
    return { answers: closed.map(({ id, question, state, result = null, explanation }) => ({ id, question, state, result, explanation })), open };
  }
}

/** What the agent gets of a closed question. */
function resultOf({ state, result_text: result, explanation }) {
  if (state === "closed" || state === "expired") return said(result ?? JSON.stringify({ cancelled: true, reason: state }));
  if (state === "turn_ended") return said(result ?? JSON.stringify({ cancelled: true, reason: "The person has ended the turn. Stop, and wait for the next message." }));
  const text = result ?? JSON.stringify({ cancelled: true, reason: state });
  return { content: [text, explanation].filter(Boolean).map((one) => ({ type: "text", text: one })), isError: state === "failed" };
}

const stillOpen = (id) =>
  JSON.stringify({ state: "open", id, message: "The person has not answered yet. The question stays open. Go on with what does not depend on it, and call the tool `answers` later to get the answer." });

const said = (text, isError = false) => ({ content: [{ type: "text", text }], isError });

const fault = (code, message) => Object.assign(new Error(message), { code });

/** Whether a client has cancelled a call because its own time was over. */
const isLate = (reason) => /tim(e|ed)[ -]?out/i.test(String(reason ?? ""));

/** What people call an agent, by what its client says of itself. */
function nameOf({ title, name }) {
  if (title) return String(title).slice(0, 100);
  const known = [["claude-code", "Claude Code"], ["claude-ai", "Claude"], ["codex", "Codex"], ["gemini-cli", "Gemini CLI"], ["cursor", "Cursor"], ["zed", "Zed"]];
  return known.find(([begins]) => String(name).toLowerCase().startsWith(begins))?.[1] ?? (String(name ?? "").slice(0, 100) || undefined);
}
