// A server of the Model Context Protocol whose tools ask the person in the inbox: what it does with messages, and the command `ask-user mcp`, which has them over standard input and output.
// mcp-http.js has them over HTTP. Without the protocol's own library, which has ninety dependencies: the server needs six messages of it.
import { createHmac } from "node:crypto";
import { createInterface } from "node:readline";
import { elicitation, resultFor } from "./elicitation.js";
import { unguessable } from "./folder.js";
import { announce, lives } from "./lock.js";

/** The versions of the protocol that the server speaks, the newest first. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/** The version that has tasks, and the capability of a server that does. */
const WITH_TASKS = "2025-11-25";
const TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
/** How many tasks a client has at once, and how long it should wait before it asks again how one stands, in milliseconds. */
const [MOST_TASKS, POLL] = [200, 2_000];
/** How often a client that wants progress hears that the question still waits, in milliseconds. */
const EVERY = 10_000;
/** The errors of JSON-RPC. */
const [UNREADABLE, NO_REQUEST, NO_METHOD, WRONG, INTERNAL] = [-32700, -32600, -32601, -32602, -32603];
/** How long a timer can be set for, in seconds. */
const LONGEST_WAIT = 2_147_483;

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
 * Serves until the input ends. `definition` is that of `ask_user`. `wait` is after how many seconds a call stops waiting; undefined is never. `folder` is where the agent works. With `elicits`, the headless package, a client that
 * can ask the person is asked to, beside the inbox.
 */
export async function serveMcp({ client, definition, input, output, folder, wait, version, elicits, every = EVERY }) {
  /** Resolves once the client's pipe has the message. */
  const send = (message) => new Promise((resolve, reject) => output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, (error) => (error ? reject(error) : resolve())));
  const server = new Mcp({ client, definition, folder, wait, version, elicits, every });
  // The client may be gone before it says so.
  output.on("error", () => server.end());
  for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line.trim()) hear(line, server, send);
  await server.end();
}

/** Takes what stands in a line. */
function hear(line, server, send) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return void send({ id: null, error: { code: UNREADABLE, message: "This is not JSON." } }).catch(() => undefined);
  }
  // Up to the version 2025-03-26, several messages could come as a list.
  for (const one of Array.isArray(message) ? message : [message]) server.take(one, send);
}

/** One client of the server. */
export class Mcp {
  #client;
  #tools;
  #folder;
  #wait;
  #version;
  #elicits;
  #every;
  /** What was agreed with the client: the version of the protocol, and whether it can ask the person. */
  #spoken;
  #canElicit = false;
  #who;
  #name = "";
  /** What tells the inbox that answers were taken. */
  #dropping = new Set();
  /** Names this process: the ids of its questions begin with it. */
  #instance = unguessable().slice(0, 16);
  /** Shows other processes that this one lives; the owner of its questions. */
  #presence;
  #isAway = false;
  /** The calls that wait: what ends each, by the id of its request. */
  #calls = new Map();
  /** The tasks by their ids, the oldest first: those are the ids of their questions. */
  #tasks = new Map();
  /** What hears the response to each request to the client. */
  #asked = new Map();

  /** The options are those of `serveMcp`. `every` is how often a client hears that its question waits, in milliseconds. */
  constructor({ client, definition, folder, wait, version, elicits, every = EVERY }) {
    this.#client = client;
    this.#tools = [{ name: "ask_user", description: definition.description, inputSchema: definition.parameters }, CONFIRM, ANSWERS];
    this.#folder = folder;
    this.#wait = wait === undefined ? undefined : Math.min(wait, LONGEST_WAIT);
    this.#version = version;
    this.#elicits = elicits;
    this.#every = every;
  }

  /** The client has gone. Its questions stay open: it finds them when it comes back. */
  async end() {
    for (const end of this.#calls.values()) end.abort("gone");
    for (const { end } of this.#tasks.values()) end.abort("gone");
    await Promise.all(this.#dropping);
    (await this.#presence?.catch(() => undefined))?.close?.();
  }

  /** The client is away. Its calls go on, and the same client that comes back in another way finds their questions. */
  async leaves() {
    const before = this.#presence;
    [this.#presence, this.#isAway] = [undefined, before !== undefined];
    (await before?.catch(() => undefined))?.close?.();
  }

  /** The client is there again. */
  comes() {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#owner().catch(() => undefined);
  }

  /** Takes a message. `send` writes what comes of it, and resolves once the client has that. Resolves when nothing more comes of the message. */
  async take(message, send) {
    // A client that is gone hears nothing. That is no fault of the server.
    const tell = (more) => send(more).then(() => true, () => false);
    const { id, method, params } = message ?? {};
    if (typeof method !== "string") {
      this.#asked.get(id)?.(message);
      if (id !== undefined && !("result" in message) && !("error" in message)) await tell({ id, error: { code: NO_REQUEST, message: "This is no request." } });
      return;
    }
    if (id === undefined) {
      if (method === "notifications/cancelled" && isObject(params)) this.#calls.get(params.requestId)?.abort(isLate(params.reason) ? "late" : "cancelled");
      return;
    }
    try {
      const { result, taken = [] } = await this.#respond(id, method, object(params, "params"), tell);
      if (result === undefined || !(await tell({ id, result }))) return;
      // The client has the answers. Those of which the inbox does not hear that are given again.
      for (const one of taken) this.#dropping.add(this.#client.drop(one).catch(() => undefined));
    } catch (error) {
      const code = Number.isInteger(error.code) ? error.code : INTERNAL;
      await tell({ id, error: { code, message: error.message } });
    }
  }

  /** What a request gets: `result`, undefined if nobody wants it any more, and the questions whose answers it has, `taken`. */
  async #respond(id, method, params, tell) {
    if (method === "initialize") return { result: this.#initialize(params) };
    if (method === "ping") return { result: {} };
    if (method === "tools/list") return { result: { tools: this.#tools.map((tool) => (this.#hasTasks && tool !== ANSWERS ? { ...tool, execution: { taskSupport: "optional" } } : tool)) } };
    if (this.#hasTasks && method.startsWith("tasks/")) return this.#task(id, method, params);
    if (method !== "tools/call") throw fault(NO_METHOD, `There is no method ${method}.`);
    const { name } = params;
    const [given, meta] = [object(params.arguments, "arguments"), object(params._meta, "_meta")];
    const isTask = this.#hasTasks && params.task !== undefined;
    if (isTask) object(params.task, "task");
    if (name === "answers" && !isTask) return this.#answers(id);
    if (name === "answers") throw fault(NO_METHOD, "The tool answers is none for tasks: it does not wait.");
    const more = name === "confirm_action" ? { approval: true } : {};
    const request = name === "confirm_action" ? confirmation(given) : name === "ask_user" ? given : undefined;
    if (request === undefined) throw fault(WRONG, `There is no tool ${name}.`);
    if (request === WRONGLY) return { result: said('Give "action", a text, and if you want "details", a text, and "danger", true or false. Nothing else.', true) };
    return isTask ? this.#begin(request, more) : this.#ask(id, request, more, meta, tell);
  }

  get #hasTasks() {
    return this.#spoken === WITH_TASKS;
  }

  #initialize({ protocolVersion, clientInfo, capabilities }) {
    this.#spoken = VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0];
    const { elicitation: elicits } = object(capabilities, "capabilities");
    // A capability that names no mode is that of forms.
    this.#canElicit = isObject(elicits) && (isObject(elicits.form) || !Object.keys(elicits).length);
    const client = object(clientInfo, "clientInfo");
    this.#name = typeof client.name === "string" ? client.name.trim() : "";
    this.#who = nameOf(client);
    return {
      protocolVersion: this.#spoken,
      capabilities: { tools: {}, ...(this.#hasTasks && { tasks: TASKS }) },
      serverInfo: { name: "ask-user", version: this.#version },
      instructions: INSTRUCTIONS,
    };
  }

  /**
   * Who asks, as only a holder of the token can name it: the same client in the same folder finds the questions of a process that has ended. A client without a name, and a process that cannot
   * show that it lives, keep theirs to themselves.
   */
  async #owner() {
    this.#presence ??= (async () => {
      const shown = this.#name && (await announce(this.#client.folder, `agent.${this.#instance}`).catch(() => undefined));
      const whose = JSON.stringify([this.#name, this.#folder, ...(shown ? [] : [this.#instance])]);
      return { owner: createHmac("sha256", this.#client.token).update(`owner ${whose}`).digest("hex"), close: shown?.close };
    })().catch((error) => {
      this.#presence = undefined;
      throw error;
    });
    return (await this.#presence).owner;
  }

  /** Whether a question is one of this process, or of one that has ended. A process of which nobody can say that it has ended has its own answers. */
  async #isMine({ id }) {
    const [instance] = id.split("-");
    return instance === this.#instance || !(await lives(this.#client.folder, `agent.${instance}`).catch(() => true));
  }

  /** Asks, and waits for the answer. Nothing is sent for a call that the client has cancelled. */
  async #ask(call, request, more, { progressToken }, send) {
    if (this.#calls.has(call)) throw fault(NO_REQUEST, `A request with the id ${JSON.stringify(call)} is under way.`);
    const end = new AbortController();
    this.#calls.set(call, end);
    let timer;
    let telling;
    const id = this.#unused();
    try {
      await this.#put(id, request, more, end.signal);
      if (this.#wait !== undefined) timer = setTimeout(() => end.abort("waited"), this.#wait * 1_000);
      if (progressToken !== undefined) {
        let progress = 0;
        const message = await this.#waits(end.signal);
        const tell = () => send({ method: "notifications/progress", params: { progressToken, progress: (progress += 1), message } });
        tell();
        telling = setInterval(tell, this.#every);
      }
      return await this.#answer(id, request, end, send);
    } catch (error) {
      return this.#failed(id, error, end);
    } finally {
      clearTimeout(timer);
      clearInterval(telling);
      this.#calls.delete(call);
    }
  }

  /** An id for a question. */
  #unused() {
    return `${this.#instance}-${unguessable()}`;
  }

  /** Puts a question into the inbox. */
  async #put(id, request, more, signal) {
    await this.#client.put({ id, request, dialect: "ask_user", who: this.#who, folder: this.#folder, owner: await this.#owner(), ...more }, signal);
    return id;
  }

  /** Says where a question waits. It is stored: it is waited for, also if the inbox was killed since. */
  async #waits(signal) {
    const address = await this.#client.address(signal).catch(() => undefined);
    return `The question waits in the inbox${address === undefined ? "" : ` at ${address}`}. Run npx ask-user to open it.`;
  }

  /** Waits for the answer to a question. */
  async #answer(id, request, end, send) {
    const over = new AbortController();
    const elsewhere = send && this.#elicit(request, send, over.signal);
    try {
      const first = await Promise.race([this.#client.closed(id, end.signal), ...(elsewhere ? [elsewhere] : [])]);
      if (first.state !== undefined) return { result: resultOf(first), taken: [id] };
      // The answer of the client's own window counts if the inbox has none yet.
      const { state, ...more } = (await this.#client.drop(id).catch(() => undefined)) ?? {};
      return { result: state === undefined || state === "closed" ? said(first.text) : resultOf({ state, ...more }), taken: [id] };
    } finally {
      over.abort();
    }
  }

  /** What a call gets whose question could not be asked, or is not waited for any more. */
  async #failed(id, error, end) {
    if (error.code === "rejected") return { result: said(JSON.stringify(error.body.tool_result), true) };
    if (!end.signal.aborted) return { result: said(`The question could not be asked: ${error.message}`, true) };
    if (end.signal.reason === "waited") return { result: said(stillOpen(id)) };
    // A client that has run out of time may still want the answer, and one that is gone may come back.
    if (end.signal.reason === "cancelled") await this.#client.drop(id).catch(() => undefined);
    return {};
  }

  /** Lets the client ask the person, if that is wanted, and it can ask that. Promises the result as `{ text }` if somebody answers there; undefined if the client is not asked. */
  #elicit(request, send, signal) {
    const form = this.#elicits && this.#canElicit && elicitation(request, this.#spoken);
    if (!form) return undefined;
    const id = `ask-${unguessable()}`;
    return new Promise((resolve) => {
      const end = () => {
        // The client may still show what was answered elsewhere.
        if (this.#asked.delete(id)) send({ method: "notifications/cancelled", params: { requestId: id, reason: "The question was closed." } });
      };
      signal.addEventListener("abort", end, { once: true });
      this.#asked.set(id, ({ result }) => {
        this.#asked.delete(id);
        const text = resultFor(this.#elicits, request, result);
        // What is no answer closes nothing: the question waits in the inbox.
        if (text !== undefined) resolve({ text });
      });
      send({ id, method: "elicitation/create", params: form });
    });
  }

  /** Begins a task: its question waits, and the call does not. */
  async #begin(request, more) {
    for (const [id, { status }] of this.#tasks) if (this.#tasks.size >= MOST_TASKS && status !== "working") this.#tasks.delete(id);
    if (this.#tasks.size >= MOST_TASKS) throw fault(INTERNAL, `${MOST_TASKS} tasks wait. Wait until some are done.`);
    const end = new AbortController();
    const now = new Date().toISOString();
    const task = { end, status: "working", createdAt: now, lastUpdatedAt: now };
    const ends = ({ result = said(JSON.stringify({ cancelled: true, reason: "The task was cancelled." })), taken = [] }) => {
      task.status = end.signal.aborted ? "cancelled" : result.isError ? "failed" : "completed";
      task.statusMessage = result.isError ? result.content[0].text : undefined;
      task.lastUpdatedAt = new Date().toISOString();
      return { result, taken };
    };
    const id = this.#unused();
    try {
      await this.#put(id, request, more, end.signal);
      task.statusMessage = await this.#waits(end.signal);
      task.done = this.#answer(id, request, end).catch((error) => this.#failed(id, error, end)).then(ends);
    } catch (error) {
      task.done = Promise.resolve(ends(await this.#failed(id, error, end)));
    }
    this.#tasks.set(id, task);
    return { result: { task: shown(id, task) } };
  }

  /** What a client wants of its tasks. */
  async #task(call, method, { taskId }) {
    if (method === "tasks/list") return { result: { tasks: [...this.#tasks].map((one) => shown(...one)) } };
    const task = this.#tasks.get(taskId);
    if (!["tasks/get", "tasks/result", "tasks/cancel"].includes(method)) throw fault(NO_METHOD, `There is no method ${method}.`);
    if (!task) throw fault(WRONG, `There is no task ${JSON.stringify(taskId)}.`);
    if (method === "tasks/cancel") {
      if (task.status !== "working") throw fault(WRONG, `The task is ${task.status} already.`);
      task.end.abort("cancelled");
      await task.done;
    }
    if (method !== "tasks/result") return { result: shown(taskId, task) };
    if (this.#calls.has(call)) throw fault(NO_REQUEST, `A request with the id ${JSON.stringify(call)} is under way.`);
    const end = new AbortController();
    this.#calls.set(call, end);
    try {
      // Who cancels this request does not cancel the task.
      const gone = new Promise((_, reject) => end.signal.addEventListener("abort", () => reject(end.signal.reason), { once: true }));
      const { result, taken } = await Promise.race([task.done, gone]);
      return { result: { ...result, _meta: { "io.modelcontextprotocol/related-task": { taskId } } }, taken };
    } catch {
      return {};
    } finally {
      this.#calls.delete(call);
    }
  }

  async #answers(call) {
    const end = new AbortController();
    this.#calls.set(call, end);
    try {
      // No answer that was taken just now is given again.
      await Promise.all(this.#dropping);
      this.#dropping.clear();
      const all = [];
      for (const one of await this.#client.of(await this.#owner(), end.signal)) if (await this.#isMine(one)) all.push(one);
      // Who has cancelled the call does not read the answers: they stay for the next one.
      end.signal.throwIfAborted();
      const closed = all.filter(({ state }) => state !== "open");
      const open = all.filter(({ state }) => state === "open").map(({ id, question, asked_at }) => ({ id, question, asked_at }));
      // Results stand there as JSON text, so that their numbers keep every digit.
      const answers = closed.map(({ id, question, state, result_text: result = null, explanation }) => `${JSON.stringify({ id, question, state, explanation }).slice(0, -1)},"result":${result}}`);
      return { result: said(`{"answers":[${answers}],"open":${JSON.stringify(open)}}`), taken: closed.map(({ id }) => id) };
    } catch (error) {
      if (end.signal.aborted) return {};
      throw error;
    } finally {
      this.#calls.delete(call);
    }
  }
}

/** A task, as the client reads it. */
const shown = (taskId, { status, statusMessage, createdAt, lastUpdatedAt }) => ({ taskId, status, ...(statusMessage && { statusMessage }), createdAt, lastUpdatedAt, ttl: null, pollInterval: POLL });

/** The request of `confirm_action`, or `WRONGLY` if its arguments are not right. */
const WRONGLY = Symbol("wrong arguments");
function confirmation({ action, details, danger, ...more }) {
  const isRight = typeof action === "string" && action.trim() && ["undefined", "string"].includes(typeof details) && ["undefined", "boolean"].includes(typeof danger);
  if (!isRight || Object.keys(more).length) return WRONGLY;
  return { questions: [{ id: "confirmed", text: action, answer_type: "boolean", ...(details?.trim() && { context: details }), ...(danger && { danger }) }] };
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

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A part of a message that is an object, or is not there. */
function object(value, name) {
  if (value === undefined) return {};
  if (!isObject(value)) throw fault(WRONG, `"${name}" must be an object.`);
  return value;
}

const fault = (code, message) => Object.assign(new Error(message), { code });

/** Whether a client has cancelled a call because its own time was over. */
const isLate = (reason) => /tim(e|ed)[ -]?out/i.test(String(reason ?? ""));

/** What people call an agent, by what its client says of itself. */
function nameOf(client) {
  const [title, name] = [client.title, client.name].map((one) => (typeof one === "string" ? one.trim() : ""));
  if (title) return title.slice(0, 100);
  const known = [["claude-code", "Claude Code"], ["claude-ai", "Claude"], ["codex", "Codex"], ["gemini-cli", "Gemini CLI"], ["cursor", "Cursor"], ["zed", "Zed"]];
  return known.find(([begins]) => name.toLowerCase().startsWith(begins))?.[1] ?? (name.slice(0, 100) || undefined);
}
