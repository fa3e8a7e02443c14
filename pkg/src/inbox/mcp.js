// A server of the Model Context Protocol whose tools ask the person in the inbox: what it does with messages. mcp-stdio.js has them over standard input and output, and mcp-http.js over HTTP.
// Without the protocol's own library, which has ninety dependencies: the server needs six messages of it.
import { createHmac } from "node:crypto";
import { elicitation, resultFor } from "./elicitation.js";
import { unguessable } from "./folder.js";
import { announce, lives } from "./lock.js";
import { ANSWERS, CONFIRM, INSTRUCTIONS, INTERNAL, NO_METHOD, NO_REQUEST, WRONG, WRONGLY, confirmation, earlier, fault, isLate, isObject, nameOf, object, resultOf, said, shown, stillOpen } from "./mcp-tools.js";

/**
 * @import { ToolDefinition } from "../../types/core.js"
 * @import { Core } from "../hosting/desks.js"
 * @import { Listed, Put, State } from "./board.js"
 * @import { Folder } from "./folder.js"
 * @import { Before, Called, Came, Given, Id, Message, Task, ToolResult } from "./mcp-tools.js"
 * @import { Delivery, What } from "./received.js"
 */

/**
 * The inbox, as the server needs it: `Client` of client.js, or what stands in its place in the inbox's own process.
 * @typedef {object} Inbox
 * @property {Folder} folder
 * @property {string} token
 * @property {(signal?: AbortSignal) => Promise<string>} address
 * @property {(question: Put, signal?: AbortSignal) => Promise<unknown>} put
 * @property {(id: string, signal?: AbortSignal) => Promise<State>} closed
 * @property {(id: string, options?: { ifOpen?: boolean }) => Promise<State | undefined>} drop
 * @property {(owner: string, signal?: AbortSignal) => Promise<Listed[]>} of
 * @property {(ids: string[]) => Promise<void>} [gives] What is noted of answers that are written: the inbox's own process alone does that.
 * @property {(id: string, isListed: boolean) => Promise<void>} [keeps]
 * @property {(id: string) => number} [doubts]
 */

/** Sends a message. `isThere` is whether the client still waits. @typedef {((message: Message) => Delivery) & { isThere?: () => boolean }} Send */

/**
 * What a server is made of.
 * @typedef {object} Options
 * @property {Inbox} client
 * @property {Pick<ToolDefinition, "description" | "parameters">} definition
 * @property {string} [folder]
 * @property {number} [wait]
 * @property {string} version
 * @property {Pick<Core, "open">} [elicits]
 * @property {number} [every]
 * @property {(instance: string) => Mcp | undefined} [peer]
 */

/** The versions of the protocol that the server speaks, the newest first. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/** The version that has tasks, and the capability of a server that does. */
const WITH_TASKS = "2025-11-25";
const TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
/** How many tasks a client has at once. */
const MOST_TASKS = 200;
/** How often a client that wants progress hears that the question still waits, in milliseconds. */
const EVERY = 10_000;
/** How often an answer is written of which nobody can say whether the client has it, and after how long an answer is none for the same question any more, in milliseconds. */
const [TIMES, OLD] = [3, 86_400_000];
/** How long a timer can be set for, in seconds. */
const LONGEST_WAIT = 2_147_483;

/** One client of the server. */
export class Mcp {
  /** @type {Inbox} */
  #client;
  /** @type {object[]} */
  #tools;
  /** @type {string | undefined} */
  #folder;
  /** @type {number | undefined} */
  #wait;
  /** @type {string} */
  #version;
  /** @type {Pick<Core, "open"> | undefined} */
  #elicits;
  /** @type {number} */
  #every;
  /**
   * What was agreed with the client: the version of the protocol, and whether it can ask the person.
   * @type {string | undefined}
   */
  #spoken;
  #canElicit = false;
  /** @type {string | undefined} */
  #who;
  #name = "";
  /**
   * What tells the inbox that answers were taken.
   * @type {Set<Promise<unknown>>}
   */
  #dropping = new Set();
  /**
   * Answers on their way to the client, by the ids of their questions.
   * @type {Map<string, Delivery>}
   */
  #giving = new Map();
  /**
   * Questions of another session of this process: those whose answers this client has, and those of this session that another client has got.
   * @type {Set<string>}
   */
  #had = new Set();
  /** @type {Set<string>} */
  #elsewhere = new Set();
  /** @type {NonNullable<Options["peer"]>} */
  #peer;
  /**
   * What writes to the client, by the ids of the questions that are waited for.
   * @type {Map<string, Send>}
   */
  #waiting = new Map();
  /** Names this process or session: the ids of its questions begin with it. */
  instance = unguessable().slice(0, 16);
  /**
   * Shows other processes that this one lives; the owner of its questions.
   * @type {Promise<{ owner: string, close?: () => void }> | undefined}
   */
  #presence;
  #isAway = false;
  /**
   * The calls that wait: what ends each, by the id of its request.
   * @type {Map<unknown, AbortController>}
   */
  #calls = new Map();
  /**
   * The tasks by their ids, the oldest first: those are the ids of their questions.
   * @type {Map<string, Task>}
   */
  #tasks = new Map();
  /**
   * What hears the response to each request to the client.
   * @type {Map<unknown, (message: Came) => void>}
   */
  #asked = new Map();

  /**
   * The options are those of `serveMcp` in mcp-stdio.js. `every` is how often a client hears that its question waits, in milliseconds. `peer(instance)` finds another session of this process.
   * @param {Options} options
   */
  constructor({ client, definition, folder, wait, version, elicits, every = EVERY, peer = () => undefined }) {
    this.#peer = peer;
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
    // What another client has got of them, nobody waits for now.
    for (const id of this.#elsewhere) this.#drops(id);
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

  /**
   * Takes a message. `send` writes what comes of it, and gives a `Delivery`. `send.isThere()` says whether the client still waits. Resolves when everything that comes of the message was written.
   * @param {Came | null} message
   * @param {Send} send
   */
  async take(message, send) {
    const { id, method, params } = message ?? /** @type {Came} */ ({});
    if (typeof method !== "string") {
      this.#asked.get(id)?.(/** @type {Came} */ (message));
      if (id !== undefined && !("result" in /** @type {Came} */ (message)) && !("error" in /** @type {Came} */ (message))) await send({ id, error: { code: NO_REQUEST, message: "This is no request." } }).written;
      return;
    }
    if (id === undefined) {
      if (method === "notifications/cancelled" && isObject(params)) this.#calls.get(params.requestId)?.abort(isLate(params.reason) ? "late" : "cancelled");
      return;
    }
    try {
      const { result, taken = [] } = await this.#respond(id, method, object(params, "params"), send);
      if (result === undefined) return;
      // What is written nowhere is not given.
      if (taken.length && send.isThere?.() !== false) await this.#client.gives?.(taken).catch(() => undefined);
      const delivery = send({ id, result });
      for (const one of taken) this.#giving.set(one, delivery);
      delivery.heard((what) => taken.forEach((one) => this.#hears(one, what, delivery)));
      await delivery.written;
    } catch (/** @type {any} */ error) {
      const code = Number.isInteger(error.code) ? error.code : INTERNAL;
      await send({ id, error: { code, message: error.message } }).written;
    }
  }

  /**
   * What became of an answer that was written. Until the client has it, it is given again.
   * @param {string} id
   * @param {What} what
   * @param {Delivery} delivery
   */
  #hears(id, what, delivery) {
    if (what === "has" || (what === "unsure" && /** @type {number} */ (this.#client.doubts?.(id)) >= TIMES)) {
      if (this.#giving.get(id) === delivery) this.#giving.delete(id);
      const peer = this.#peer(id.split("-")[0]);
      if (!peer || peer === this) return this.#drops(id);
      // The session that asked may be there still: it gets its answer, too.
      this.#had.add(id);
      peer.#elsewhere.add(id);
    } else if (what === "lost" ? !this.#giving.has(id) : what === "cut" && this.#giving.get(id) === delivery) {
      this.#giving.delete(id);
      this.#had.delete(id);
      // What was noted before comes first.
      const noted = Promise.all(this.#dropping);
      this.#dropping.add(noted.then(() => this.#client.keeps?.(id, what === "lost")).catch(() => undefined));
    } else if (what === "unsure") {
      this.#dropping.add(/** @type {Promise<unknown>} */ (this.#client.gives?.([id]).catch(() => undefined)));
    }
  }

  /**
   * The client has the answer. If the inbox does not hear that, it is given again.
   * @param {string} id
   */
  #drops(id) {
    this.#dropping.add(this.#client.drop(id).catch(() => undefined));
  }

  /**
   * What a request gets: `result`, undefined if nobody wants it any more, and the questions whose answers it has, `taken`.
   * @param {Id} id
   * @param {string} method
   * @param {Given} params
   * @param {Send} send
   * @returns {Promise<{ result?: object, taken?: string[] }>}
   */
  async #respond(id, method, params, send) {
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
    return isTask ? this.#begin(request, more) : this.#ask(id, request, more, meta, send);
  }

  get #hasTasks() {
    return this.#spoken === WITH_TASKS;
  }

  /** @param {Given} params */
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
      const shown = /** @type {Awaited<ReturnType<typeof announce>>} */ (this.#name && (await announce(this.#client.folder, `agent.${this.instance}`).catch(() => undefined)));
      const whose = JSON.stringify([this.#name, this.#folder, ...(shown ? [] : [this.instance])]);
      return { owner: createHmac("sha256", this.#client.token).update(`owner ${whose}`).digest("hex"), close: shown?.close };
    })().catch((error) => {
      this.#presence = undefined;
      throw error;
    });
    return (await this.#presence).owner;
  }

  /**
   * Whether a question is one of this process, or of one that has ended. A process of which nobody can say that it has ended has its own answers.
   * @param {{ id: string }} question
   */
  async #isMine({ id }) {
    const [instance] = id.split("-");
    return instance === this.instance || !(await lives(this.#client.folder, `agent.${instance}`).catch(() => true));
  }

  /**
   * Asks, and waits for the answer. Nothing is sent for a call that the client has cancelled.
   * @param {Id} call
   * @param {Given} request
   * @param {{ approval?: boolean }} more
   * @param {Given} meta
   * @param {Send} send
   * @returns {Promise<Called>}
   */
  async #ask(call, request, more, { progressToken }, send) {
    if (this.#calls.has(call)) throw fault(NO_REQUEST, `A request with the id ${JSON.stringify(call)} is under way.`);
    const end = new AbortController();
    this.#calls.set(call, end);
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {NodeJS.Timeout | undefined} */
    let telling;
    let id = this.#unused();
    try {
      const before = await this.#before(request, more, end.signal);
      id = before?.id ?? id;
      this.#waiting.set(id, send);
      if (!before) await this.#put(id, request, more, end.signal);
      if (this.#wait !== undefined) timer = setTimeout(() => end.abort("waited"), this.#wait * 1_000);
      if (progressToken !== undefined) {
        let progress = 0;
        const message = await this.#waits(end.signal);
        const tell = () => send({ method: "notifications/progress", params: { progressToken, progress: (progress += 1), message } });
        tell();
        telling = setInterval(tell, this.#every);
      }
      const { result, taken } = await this.#answer(id, request, end, send);
      return { result: before?.closed ? earlier(/** @type {ToolResult} */ (result), before) : result, taken };
    } catch (error) {
      return this.#failed(id, error, end);
    } finally {
      if (this.#waiting.get(id) === send) this.#waiting.delete(id);
      clearTimeout(timer);
      clearInterval(telling);
      this.#calls.delete(call);
    }
  }

  /** An id for a question. */
  #unused() {
    return `${this.instance}-${unguessable()}`;
  }

  /**
   * Puts a question into the inbox.
   * @param {string} id
   * @param {Given} request
   * @param {{ approval?: boolean }} more
   * @param {AbortSignal} signal
   */
  async #put(id, request, more, signal) {
    await this.#client.put({ id, request, dialect: "ask_user", who: this.#who, folder: this.#folder, owner: await this.#owner(), ...more }, signal);
    return id;
  }

  /**
   * The same question, where the client was cut off from its answer: `{ id, asked_at, closed }`. One that is open is gone on with if nobody waits for it. One that is answered counts if its answer was written to nobody, is not old,
   * and allows nothing: for that, the person is asked again.
   * @param {Given} request
   * @param {{ approval?: boolean }} more
   * @param {AbortSignal} signal
   * @returns {Promise<Before | undefined>}
   */
  async #before(request, more, signal) {
    await this.#settled();
    const all = await this.#client.of(await this.#owner(), signal);
    for (const one of [...all].reverse()) {
      const { id, state, asked_at: at, approval, given } = one;
      const isOpen = state === "open";
      const isFit = isOpen ? approval || !more.approval : state === "answered" && !approval && !given && !more.approval && Date.now() - Date.parse(at) < OLD;
      if (!isFit || this.#giving.has(id) || !this.#isLeft(id, isOpen) || !(await this.#isMine(one))) continue;
      // Under one id, there is one question.
      const isSame = await this.#put(id, request, more, signal).then(() => true, (error) => error.code !== "other_question" && Promise.reject(error));
      if (isSame) return { id, asked_at: at, closed: !isOpen };
    }
    return undefined;
  }

  /**
   * Whether nobody waits for a question: its session has ended, or was cut off while it waited.
   * @param {string} id
   * @param {boolean} isOpen
   */
  #isLeft(id, isOpen) {
    const asking = this.#peer(id.split("-")[0]) ?? (id.startsWith(`${this.instance}-`) ? this : undefined);
    if (!asking) return true;
    if (asking.#tasks.has(id)) return false;
    const send = asking.#waiting.get(id);
    if (send) return send.isThere?.() === false;
    return asking === this || !isOpen;
  }

  /**
   * Says where a question waits. It is stored: it is waited for, also if the inbox was killed since.
   * @param {AbortSignal} signal
   */
  async #waits(signal) {
    const address = await this.#client.address(signal).catch(() => undefined);
    return `The question waits in the inbox${address === undefined ? "" : ` at ${address}`}. Run npx ask-user to open it.`;
  }

  /**
   * Waits for the answer to a question.
   * @param {string} id
   * @param {Given} request
   * @param {AbortController} end
   * @param {Send} [send]
   * @returns {Promise<Called>}
   */
  async #answer(id, request, end, send) {
    const over = new AbortController();
    const elsewhere = send && this.#elicit(request, send, over.signal);
    try {
      const first = await Promise.race([this.#client.closed(id, end.signal), ...(elsewhere ? [elsewhere] : [])]);
      if (first.state !== undefined) return { result: resultOf(/** @type {State} */ (first)), taken: [id] };
      // The answer of the client's own window counts if the inbox has none yet.
      const { state, ...more } = (await this.#client.drop(id, { ifOpen: true }).catch(() => undefined)) ?? {};
      return { result: state === undefined || state === "closed" ? said(/** @type {{ text: string }} */ (first).text) : resultOf({ state, ...more }), taken: [id] };
    } finally {
      over.abort();
    }
  }

  /**
   * What a call gets whose question could not be asked, or is not waited for any more.
   * @param {string} id
   * @param {any} error
   * @param {AbortController} end
   * @returns {Promise<Called>}
   */
  async #failed(id, error, end) {
    if (error.code === "rejected") return { result: said(JSON.stringify(error.body.tool_result), true) };
    if (!end.signal.aborted) return { result: said(`The question could not be asked: ${error.message}`, true) };
    if (end.signal.reason === "waited") return { result: said(stillOpen(id)) };
    // A client that has run out of time may still want the answer, and one that is gone may come back.
    if (end.signal.reason === "cancelled") await this.#client.drop(id, { ifOpen: true }).catch(() => undefined);
    return {};
  }

  /**
   * Lets the client ask the person, if that is wanted, and it can ask that. Promises the result as `{ text }` if somebody answers there; undefined if the client is not asked.
   * @param {Given} request
   * @param {Send} send
   * @param {AbortSignal} signal
   * @returns {Promise<{ text: string, state?: undefined }> | undefined}
   */
  #elicit(request, send, signal) {
    const form = this.#elicits && this.#canElicit && elicitation(request, /** @type {string} */ (this.#spoken));
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
        const text = resultFor(/** @type {Pick<Core, "open">} */ (this.#elicits), request, result);
        // What is no answer closes nothing: the question waits in the inbox.
        if (text !== undefined) resolve({ text });
      });
      send({ id, method: "elicitation/create", params: form });
    });
  }

  /**
   * Begins a task: its question waits, and the call does not.
   * @param {Given} request
   * @param {{ approval?: boolean }} more
   */
  async #begin(request, more) {
    for (const [id, { status }] of this.#tasks) if (this.#tasks.size >= MOST_TASKS && status !== "working") this.#tasks.delete(id);
    if (this.#tasks.size >= MOST_TASKS) throw fault(INTERNAL, `${MOST_TASKS} tasks wait. Wait until some are done.`);
    const end = new AbortController();
    const now = new Date().toISOString();
    /** @type {Task} */
    const task = { end, status: "working", createdAt: now, lastUpdatedAt: now };
    /** @type {(called: Called) => Called} */
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

  /**
   * What a client wants of its tasks.
   * @param {Id} call
   * @param {string} method
   * @param {Given} params
   * @returns {Promise<{ result?: object, taken?: string[] }>}
   */
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
      /** @type {Promise<never>} */
      const gone = new Promise((_, reject) => end.signal.addEventListener("abort", () => reject(end.signal.reason), { once: true }));
      const { result, taken } = await Promise.race([/** @type {Promise<Called>} */ (task.done), gone]);
      return { result: { ...result, _meta: { "io.modelcontextprotocol/related-task": { taskId } } }, taken };
    } catch {
      return {};
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Until the inbox knows what has become of the answers that were written: a connection may have been cut just before. */
  async #settled() {
    await new Promise((resolve) => setImmediate(resolve));
    const all = [...this.#dropping];
    await Promise.all(all);
    for (const one of all) this.#dropping.delete(one);
  }

  /**
   * @param {Id} call
   * @returns {Promise<Called>}
   */
  async #answers(call) {
    const end = new AbortController();
    this.#calls.set(call, end);
    try {
      // No answer that was taken just now, or that the client is just reading, is given again.
      await this.#settled();
      /** @type {Listed[]} */
      const all = [];
      for (const one of await this.#client.of(await this.#owner(), end.signal)) if (!this.#had.has(one.id) && !this.#giving.get(one.id)?.isUnderWay && (await this.#isMine(one))) all.push(one);
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
