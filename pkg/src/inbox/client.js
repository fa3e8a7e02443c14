// How a command of this package talks to the inbox: it starts one to ask if none runs, and goes on waiting when another one is started meanwhile.
import { spawn } from "node:child_process";
import { found } from "./found.js";

/** How long one request waits for the answer, in seconds. */
const WAIT = 50;
/** How long a new inbox may take until it can be found, in milliseconds, how often it is looked for, and the pause before a request is sent again. */
const [BEGINS, AGAIN, PAUSE] = [20_000, 50, 1_000];

/** How often a request is sent again that got no answer. */
const TRIES = 5;

/** What the inbox has refused. */
export class RefusedError extends Error {
  constructor(status, body) {
    super(body.message ?? `The inbox answered with the status ${status}.`);
    Object.assign(this, { status, code: body.error, body });
  }
}

export class Client {
  #folder;
  #command;
  #say;
  #starting;

  /** `command` is the file of the command `ask-user`, which starts an inbox. `say` tells the person what a command waits for. */
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

  /** The address of the inbox, which runs now. */
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

  /** Asks a question. Its `id` makes it the same question if the request is sent again. */
  put(question, signal) {
    return this.#send("POST", "/questions", question, signal);
  }

  /**
   * Where a question stands once it is closed, however long that takes. An inbox that has crashed is started again. One that was stopped is not: whoever stopped it starts it again. Without `isPatient`, it rejects then.
   */
  async closed(id, signal, { isPatient = true } = {}) {
    let told;
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
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof RefusedError && error.status < 500 && error.status !== 401) throw error;
        // A connection is cut whenever the inbox ends.
        if (!(error instanceof TypeError)) tell(error.message);
      }
      await pause(PAUSE, signal);
    }
  }

  /** The question is not needed any more, or its answer was taken. No inbox is started for that. Gives where the question stands then; undefined if no inbox runs. */
  async drop(id, signal) {
    const there = await found(this.#folder, signal);
    if (there) return this.#once(there.address, "DELETE", `/questions/${id}`, undefined, signal);
  }

  /** The questions of an owner that are open, or whose answers were not taken. */
  async of(owner, signal) {
    return (await this.#send("GET", `/questions?owner=${encodeURIComponent(owner)}`, undefined, signal)).questions;
  }

  async #send(method, path, body, signal) {
    for (let fails = 0; ; fails += 1) {
      const address = await this.address(signal);
      try {
        return await this.#once(address, method, path, body, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if ((error instanceof RefusedError && error.status < 500) || fails >= TRIES) throw error;
      }
      await pause(PAUSE, signal);
    }
  }

  async #once(address, method, path, body, signal) {
    const headers = { Authorization: `Bearer ${this.token}`, ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(address + path, { method, headers, body: body && JSON.stringify(body), signal, redirect: "error" });
    const said = await response.json();
    if (!response.ok) throw new RefusedError(response.status, said);
    return said;
  }
}

/** Lets a time pass, unless `signal` is aborted before. */
function pause(milliseconds, signal) {
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
