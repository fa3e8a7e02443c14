// An inbox of its own for a test: a data folder, the command `ask-user`, and what a page and programs ask of it.
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DIST } from "./package-files.mjs";
import { until } from "./wait.mjs";

/**
 * @import { ChildProcessWithoutNullStreams } from "node:child_process"
 */

/**
 * A command that runs.
 * @typedef {{ process: ChildProcessWithoutNullStreams, out: string, err: string, ended: Promise<number | NodeJS.Signals | null> }} Running
 */

/**
 * The secret of a browser.
 * @typedef {{ device: string, key: string }} Own
 */

/** The file of the command. */
export const COMMAND = fileURLToPath(new URL("cli.js", DIST));

/** A home for an inbox, which has none yet. */
export class Home {
  /** @type {ChildProcessWithoutNullStreams[]} */
  #processes = [];

  /**
   * The inbox, once it was started.
   * @type {Running | undefined}
   */
  inbox;
  /** @param {{ [name: string]: string | undefined }} environment */
  constructor(environment = {}) {
    this.path = mkdtempSync(join(tmpdir(), "ask-user-app-"));
    this.environment = { ...process.env, NODE_OPTIONS: "", ASK_USER_HOME: join(this.path, "data"), ASK_USER_PORT: "0", HOME: this.path, ...environment };
  }

  /**
   * Begins a command: `{ process, out, err, ended }`; `ended` promises its exit code.
   * @param {string[]} words
   * @param {{ input?: string | Buffer, node?: string[], cwd?: string, environment?: { [name: string]: string | undefined } }} options
   * @returns {Running}
   */
  begin(words, { input, node = [], cwd = this.path, environment } = {}) {
    const child = spawn(process.execPath, [...node, COMMAND, ...words], { env: { ...this.environment, ...environment }, cwd });
    const one = /** @type {Running} */ ({ process: child, out: "", err: "" });
    child.stdout.setEncoding("utf8").on("data", (text) => (one.out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (one.err += text));
    one.ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
    // A command may end before it has read all.
    if (input !== undefined) child.stdin.on("error", () => undefined).end(input);
    this.#processes.push(child);
    return one;
  }

  /**
   * Runs a command to its end.
   * @param {Parameters<Home["begin"]>} given
   */
  async run(...given) {
    const one = this.begin(...given);
    return { code: await one.ended, out: one.out, err: one.err };
  }

  /**
   * Starts the inbox; gives its address.
   * @param {string[]} words
   * @returns {Promise<string>}
   */
  async start(...words) {
    this.inbox = this.begin(words);
    await until(() => /** @type {Running} */ (this.inbox).out, "the address of the inbox", (out) => /#code=/.test(out) && out.endsWith("\n"));
    return this.address;
  }

  /** @param {string} name */
  read(name) {
    return JSON.parse(readFileSync(join(this.environment.ASK_USER_HOME, name), "utf8"));
  }

  get address() {
    return this.read("running.json").address;
  }

  /** The address of the page, with a code that opens it once. */
  async page() {
    return `${this.address}/#code=${await this.code()}`;
  }

  async code() {
    const response = await fetch(`${this.address}/codes`, { method: "POST", headers: { Authorization: `Bearer ${this.read("tokens.json").page}` } });
    return (await response.json()).code;
  }

  /**
   * What a browser makes of its secret for the inbox that runs now.
   * @param {Own} own
   */
  async key({ device, key }) {
    const { host } = new URL(this.address);
    const { run, device_proof: said } = await (await fetch(`${this.address}/health?nonce=x&device=${device}`)).json();
    /** @type {(text: string) => string} */
    const proof = (text) => createHmac("sha256", key).update(text).digest("hex");
    if (said !== proof(`inbox x ${run} ${host}`)) throw new Error("This is not the inbox.");
    return proof(`run ${run} ${host}`);
  }

  /**
   * What a program asks of the inbox: `{ status, body }`.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {{ [name: string]: string }} headers
   */
  async program(method, path, body, headers = {}) {
    const token = this.read("tokens.json").ask;
    const response = await fetch(this.address + path, { method, body: /** @type {string | undefined} */ (body && JSON.stringify(body)), headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers } });
    return { status: response.status, body: await response.json() };
  }

  /**
   * A person who has opened the page, without a browser: `open()`, `answer(id, answers)`, `receipts(search)`. With the secret of a browser, `own`, it is that one again.
   * @param {Own} [known]
   */
  async person(known) {
    const headers = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0" };
    const own = known ?? await (await fetch(`${this.address}/session`, { method: "POST", headers: { ...headers, Authorization: `Bearer ${await this.code()}` } })).json();
    const key = await this.key(own);
    const at = `${this.address}/s/${key}`;
    /** @type {(path: string, body: object, more?: { headers?: { [name: string]: string } }) => Promise<{ status: number, body: any }>} */
    const post = async (path, body, more) => {
      const response = await fetch(at + path, { method: "POST", headers: { ...headers, "Content-Type": "application/json", ...more?.headers }, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    };
    /** @type {(path: string) => Promise<any>} */
    const get = async (path) => (await fetch(at + path)).json();
    /** @type {(path: string) => Promise<any>} */
    const said = async (path) => {
      const stop = new AbortController();
      const reader = /** @type {ReadableStream<any>} */ ((await fetch(at + path, { signal: stop.signal })).body).pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!/data: .*\n\n/.test(text)) text += (await reader.read()).value;
      stop.abort();
      return JSON.parse(/** @type {RegExpExecArray} */ (/data: (.*)\n\n/.exec(text))[1]);
    };
    /** @type {() => Promise<any[]>} */
    const open = async () => (await said("/events")).open;
    return {
      own,
      key,
      open,
      /** Waits until so many questions are open; gives them. */
      sees: (/** @type {number} */ count) => until(open, `${count} open questions`, ({ length }) => length === count),
      answer: (/** @type {string} */ id, /** @type {object} */ answers, /** @type {object | undefined} */ more = undefined, /** @type {{ headers?: { [name: string]: string } } | undefined} */ given = undefined) => post(`/conversations/${id}/respond`, { answers, ...more }, given),
      /** What the form of a question begins with. */
      begins: (/** @type {string} */ id) => said(`/conversations/${id}/events`),
      stop: (/** @type {string} */ id) => post(`/conversations/${id}/cancel`, {}),
      receipts: (search = "") => get(`/receipts?search=${encodeURIComponent(search)}`),
      grants: () => get("/grants"),
      receipt: (/** @type {string} */ id) => get(`/receipts/${id}`),
    };
  }

  /** Ends everything that was started. */
  async end() {
    for (const one of this.#processes) if (one.exitCode === null && one.signalCode === null) one.kill("SIGKILL");
    let running;
    try {
      running = this.read("running.json");
      process.kill(running.pid, "SIGKILL");
    } catch {
      // None runs.
    }
    if (running) await until(() => isGone(running.pid), "the end of the inbox");
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
