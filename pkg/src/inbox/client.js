// How a command of this package talks to the inbox: it starts one to ask if none runs, and goes on waiting when another one is started meanwhile.
import { spawn } from "node:child_process";
import { found } from "./found.js";

/**
 * @import { Folder } from "./folder.js"
 * @import { Listed, Put, State } from "./board.js"
 */

/** How long one request waits for the answer, in seconds. */
const WAIT = 50;
/** How long a new inbox may take until it can be found, in milliseconds, how often it is looked for, and the pause before a request is sent again. */
const [BEGINS, AGAIN, PAUSE] = [20_000, 50, 1_000];

/** How often a request is sent again that got no answer. */
const TRIES = 5;

/** What the inbox has refused. */
export class RefusedError extends Error {
  /**
   * @param {number} status
   * @param {{ message?: string, error?: string, tool_result?: unknown }} body
   */
  constructor(status, body) {
    super(body.message ?? `The inbox answered with the status ${status}.`);
    this.status = status;
    this.code = body.error;
    this.body = body;
  }
}

export class Client {
  /** @type {Folder} */
  #folder;
  /** @type {string} */
  #command;
  /** @type {(message: string) => void} */
  #say;
  /** @type {Promise<string> | undefined} */
  #starting;

  /**
   * `command` is the file of the command `ask-user`, which starts an inbox. `say` tells the person what a command waits for.
   * @param {{ folder: Folder, command: string, say?: (message: string) => void }} options
   */
  constructor({ folder, command, say = () => undefined }) {
    this.#folder = folder;
    this.#command = command;
    this.#say = say;
  }

  /** The data folder. */
  get folder() {
    return this.#folder;
  }

  get token() {
    return this.#folder.tokens.ask;
  }

  /**
   * The address of the inbox, which runs now.
   * @param {AbortSignal} [signal]
   * @returns {Promise<string>}
   */
  async address(signal) {
    const there = await found(this.#folder, signal);
    if (there) return there.address;
    // One process is started for all requests that come at once.
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start() {
    const child = spawn(process.execPath, [this.#command, "--quiet"], { detached: true, stdio: "ignore", env: { ...process.env, ASK_USER_HOME: this.#folder.file("") }, windowsHide: true, cwd: this.#folder.file("") });
    const ended = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
    child.unref();
    let isOver = false;
    ended.then(() => (isOver = true));
    for (const begun = Date.now(); Date.now() - begun < BEGINS; ) {
      const begins = await found(this.#folder);
      if (begins) return begins.address;
      if (isOver) break;
      await pause(AGAIN);
    }
    throw new Error("The inbox could not be started. Run `npx ask-user` in a terminal to see why.");
  }

  /**
   * Asks a question. Its `id` makes it the same question if the request is sent again. Unless it `starts` one, it rejects if no inbox runs.
   * @param {Put} question
   * @param {AbortSignal} [signal]
   * @param {{ starts?: boolean }} [options]
   * @returns {Promise<State>}
   */
  put(question, signal, options) {
    return this.#send("POST", "/questions", question, signal, options);
  }

  /**
   * Where a question stands once it is closed, however long that takes. An inbox that has crashed is started again. One that was stopped is not: whoever stopped it starts it again. Without `isPatient`, it rejects then.
   * @param {string} id
   * @param {AbortSignal} [signal]
   * @param {{ isPatient?: boolean }} [options]
   * @returns {Promise<State>}
   */
  async closed(id, signal, { isPatient = true } = {}) {
    /** @type {string | undefined} */
    let told;
    /** @type {(message: string) => void} */
    const tell = (message) => message !== told && this.#say(`ask-user: ${(told = message)} The question waits.`);
    for (;;) {
      try {
        // An inbox that is stopped removes what it wrote down.
        const address = (await found(this.#folder, signal))?.address ?? (this.#folder.running && (await this.address(signal)));
        const state = address && (await this.#once(address, "GET", `/questions/${id}?wait=${WAIT}`, undefined, signal));
        if (state && state.state !== "open") return state;
        if (state) {
          told = undefined;
          continue;
        }
        if (!isPatient) throw new RefusedError(410, { message: "The inbox was stopped." });
        tell("The inbox was stopped.");
      } catch (/** @type {any} */ error) {
        signal?.throwIfAborted();
        if (error instanceof RefusedError && error.status < 500 && error.status !== 401) throw error;
        // A connection is cut whenever the inbox ends.
        if (!(error instanceof TypeError)) tell(error.message);
      }
      await pause(PAUSE, signal);
    }
  }

  /**
   * The question is not needed any more, or its answer was taken; with `ifOpen`, only the first. No inbox is started for that. Gives where the question stands then; undefined if no inbox runs.
   * @param {string} id
   * @param {{ signal?: AbortSignal, ifOpen?: boolean }} options
   * @returns {Promise<State | undefined>}
   */
  async drop(id, { signal, ifOpen = false } = {}) {
    const there = await found(this.#folder, signal);
    if (there) return this.#once(there.address, "DELETE", `/questions/${id}${ifOpen ? "?if=open" : ""}`, undefined, signal);
  }

  /**
   * The questions of an owner that are open, or whose answers were not taken.
   * @param {string} owner
   * @param {AbortSignal} [signal]
   * @returns {Promise<Listed[]>}
   */
  async of(owner, signal) {
    return (await this.#send("GET", `/questions?owner=${encodeURIComponent(owner)}`, undefined, signal)).questions;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object | undefined} body
   * @param {AbortSignal} [signal]
   * @param {{ starts?: boolean }} [options]
   * @returns {Promise<any>}
   */
  async #send(method, path, body, signal, { starts = true } = {}) {
    for (let fails = 0; ; fails += 1) {
      const address = starts ? await this.address(signal) : (await found(this.#folder, signal))?.address;
      if (address === undefined) throw new Error("No inbox runs.");
      try {
        return await this.#once(address, method, path, body, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if ((error instanceof RefusedError && error.status < 500) || fails >= TRIES) throw error;
      }
      await pause(PAUSE, signal);
    }
  }

  /**
   * @param {string} address
   * @param {string} method
   * @param {string} path
   * @param {object | undefined} body
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async #once(address, method, path, body, signal) {
    const headers = { Authorization: `Bearer ${this.token}`, ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(address + path, { method, headers, body: body && JSON.stringify(body), signal, redirect: "error" });
    const said = /** @type {{ message?: string }} */ (await response.json());
    if (!response.ok) throw new RefusedError(response.status, said);
    return said;
  }
}

/**
 * Lets a time pass, unless `signal` is aborted before.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
