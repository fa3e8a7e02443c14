// The Rust host as a process of its own, for tests: started, killed, started again on the same data; and a page that listens
// to a conversation of it. With `DATABASE=postgres` in the environment, each keeps its conversations in PostgreSQL.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WATCH } from "./browser.mjs";
import { freePort } from "./free-port.mjs";
import { Postgres } from "./postgres.mjs";
import { deadline, pause } from "./wait.mjs";

/** @import { ChildProcessByStdio, ChildProcessWithoutNullStreams } from "node:child_process" */

const TARGET = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
/** @type {(name: string) => string} */
const built = (name) => join(TARGET, "debug", process.platform === "win32" ? `${name}.exe` : name);
const PROGRAM = process.env.AGENT_HOST ?? built("ask-user-host");
/** The example with an agent of its own. */
export const OWN_AGENT = built("agent-host");

/**
 * A page whose script has the element: `element`, with the addresses of the conversation of its query, which `query` holds.
 * @type {(name: string, script: string, more?: string) => { [path: string]: string }}
 */
export const pageOf = (name, script, more = "") => ({
  [`/${name}`]: `<!doctype html>
<html lang="en">
<title>${name}</title>
${WATCH}
<script type="module" src="/${name}.js"></script>
<script type="module" src="/pkg/dist/ask-user.js"></script>
${more}<main></main>
</html>`,
  [`/${name}.js`]: `
const query = Object.fromEntries(new URLSearchParams(location.search));
const base = "/conversations/" + query.id;
document.cookie = "conversation=" + query.token + "; path=" + base;
const element = document.createElement("ask-user");
for (const [name, path] of [["events-url", "events"], ["respond-url", "respond"], ["cancel-url", "cancel"], ["save-url", "walk"]]) {
  element.setAttribute(name, base + "/" + path);
}
${script}`,
});

/** A page with one element that listens to the conversation of its query. */
export const CHAT = pageOf(
  "chat",
  `// Another device hears nothing of the tabs of this browser.
if (query.device !== undefined) delete window.BroadcastChannel;
document.querySelector("main").append(element);
window.form = () => element;
window.closings = [];
element.addEventListener("ask-user-closed", ({ detail }) => window.closings.push(detail));
`,
  '<script type="module" src="/probe.js"></script>\n',
);

/**
 * The text of a stream of events up to where it is quiet.
 * @param {string} url
 * @param {{ [name: string]: string }} headers
 */
export async function heard(url, headers = {}) {
  const response = await fetch(url, { headers });
  const reader = /** @type {ReadableStream<any>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    // The first may be late where much else runs.
    const more = await Promise.race([reader.read(), pause(text ? 200 : 5_000)]);
    if (!more || more.done) break;
    text += more.value;
  }
  await reader.cancel();
  return text;
}

/**
 * The PostgreSQL server of this file of tests, started when it is needed first.
 * @type {Promise<Postgres> | undefined}
 */
let server;
let users = 0;
async function serverForTests() {
  users += 1;
  return (await (server ??= Postgres.start()));
}
async function leaveServer() {
  users -= 1;
  if (users > 0) return;
  const left = await server;
  server = undefined;
  await /** @type {Postgres} */ (left).close();
}

/**
 * Runs the program until it ends, and gives its exit code and everything that it wrote. `until`: once it has written this, `then` is called with its process.
 * @param {(string | number)[]} options
 * @param {{ environment?: { [name: string]: string }, until?: RegExp, then?: (process: ChildProcessWithoutNullStreams, log: string) => void, program?: string }} given
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, log: string }>}
 */
export function ran(options, { environment = {}, until, then, program = PROGRAM } = {}) {
  const process_ = spawn(program, options.map(String), { env: { ...process.env, ...environment } });
  const inTime = deadline(30_000, () => process_.kill("SIGKILL"));
  let log = "";
  for (const stream of [process_.stdout, process_.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      log += text;
      if (until?.test(log)) {
        until = undefined;
        then?.(process_, log);
      }
    });
  }
  return new Promise((resolve, reject) => {
    process_.on("error", reject).on("close", (code, signal) => (inTime(), resolve({ code, signal, log })));
  });
}

/** How long a lease lasts, in milliseconds: the next process waits so long for what one that was killed was doing. */
const LEASE = 3_000;

export class AgentHost {
  #folder = mkdtempSync(join(tmpdir(), "agent-host-"));
  /** @type {ChildProcessWithoutNullStreams} */
  #process = /** @type {any} */ (undefined);
  /** @type {number} */
  #port = 0;
  /**
   * The tokens that open the conversations, by their ids.
   * @type {Map<string, string>}
   */
  #tokens = /** @type {any} */ (undefined);
  /** @type {ReturnType<Postgres["database"]> | undefined} */
  #database;
  pace = 0;
  /** @type {(string | number)[]} */
  options = [];
  /** @type {{ [name: string]: string }} */
  environment = {};
  lease = LEASE;
  program = PROGRAM;
  #ownsDatabase = false;
  /** Everything that it wrote to its output. */
  log = "";

  /**
   * `options` are further words of its command line, `environment` further variables. `database` is one of PostgreSQL that is there already, and `tokens` are
   * those of its conversations, for hosts that share it.
   * @param {{ pace?: number, options?: (string | number)[], environment?: { [name: string]: string }, database?: ReturnType<Postgres["database"]>, tokens?: Map<string, string>, lease?: number, program?: string }} options
   */
  static async start({ pace = 5, options = [], environment = {}, database, tokens = new Map(), lease = LEASE, program = PROGRAM } = {}) {
    const host = new AgentHost();
    Object.assign(host, { pace, options, environment, lease, program });
    host.#tokens = tokens;
    host.#database = database;
    if (!database && process.env.DATABASE === "postgres") {
      host.#database = (await serverForTests()).database();
      host.#ownsDatabase = true;
    }
    host.#port = await freePort();
    try {
      await host.start();
    } catch (error) {
      // One that does not start keeps no server of PostgreSQL, and no folder.
      await host.close();
      throw error;
    }
    return host;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /**
   * Starts it (again), on the same port and the same data.
   * @returns {Promise<void>}
   */
  start() {
    const store = this.#database ? ["--database", this.#database.url, "--lease", this.lease] : ["--data", this.data];
    const settings = ["--port", this.#port, ...store, "--pace", this.pace, ...this.options].map(String);
    this.#process = spawn(this.program, settings, { env: { ...process.env, ...this.environment } });
    return new Promise((resolve, reject) => {
      /** @type {(text: string) => void} */
      const note = (text) => {
        this.log += text;
        if (/Listening on/.test(text)) resolve();
      };
      for (const stream of [this.#process.stdout, this.#process.stderr]) stream.setEncoding("utf8").on("data", note);
      this.#process.on("error", reject).on("exit", (code) => reject(new Error(`the host ended with ${code}: ${this.log}`)));
    });
  }

  /** Starts it again. A connection may have its port for a moment: one to a port where nobody listens may be given that port itself. */
  async restart() {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.start();
      } catch (error) {
        if (tries === 20) throw error;
        await pause(100);
      }
    }
  }

  /** The file that has all that it keeps. */
  get data() {
    return join(this.#folder, "data.sqlite");
  }

  /** The id of its process. */
  get pid() {
    return this.#process.pid;
  }

  /** Ends it as a crash would, if it runs. */
  async kill() {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.removeAllListeners("exit").once("exit", resolve));
    this.#process.kill("SIGKILL");
    await ended;
  }

  /**
   * Sends a signal to its process, if it runs.
   * @param {NodeJS.Signals} name
   */
  signal(name) {
    this.#process.kill(name);
  }

  /** Asks it to end, and gives its exit code once it has. */
  async stop() {
    const ended = new Promise((resolve) => this.#process.removeAllListeners("exit").once("exit", resolve));
    this.#process.kill("SIGTERM");
    return ended;
  }

  /** All that it has stored, byte for byte. */
  stored() {
    if (this.#database) return this.#database.dump();
    return readdirSync(this.#folder).map((name) => readFileSync(join(this.#folder, name), "latin1")).join("\n");
  }

  async close() {
    await this.kill();
    if (this.#ownsDatabase) await leaveServer();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {{ [name: string]: string }} headers
   */
  async ask(method, path, body, headers = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: { "Content-Type": "application/json", ...this.opens(path), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  }

  /**
   * The address of a page on a conversation.
   * @param {string} id
   */
  page(id) {
    return `/chat?id=${id}&token=${this.#tokens.get(id)}`;
  }

  /**
   * The token that opens a conversation.
   * @param {string} id
   */
  token(id) {
    return this.#tokens.get(id);
  }

  /**
   * The headers that open the conversation of a path.
   * @param {string} path
   * @returns {{ [name: string]: string }}
   */
  opens(path) {
    const token = this.#tokens.get(path.split("/")[2]);
    return token ? { Authorization: `Bearer ${token}` } : {};
  }

  /**
   * The audit trail as Markdown.
   * @param {string} id
   */
  async markdown(id) {
    const path = `/conversations/${id}/records?format=markdown`;
    return (await fetch(this.url + path, { headers: this.opens(path) })).text();
  }

  /**
   * Begins a conversation with a message, and gives its id.
   * @param {string} text
   * @param {{ [name: string]: string }} headers
   * @returns {Promise<string>}
   */
  async begin(text = "Go on with the migration.", headers = {}) {
    const { body } = await this.ask("POST", "/conversations", {}, headers);
    this.#tokens.set(body.id, body.token);
    await this.ask("POST", `/conversations/${body.id}/messages`, { text }, headers);
    return body.id;
  }

  /**
   * The records as ids and what became of them.
   * @param {string} id
   */
  async records(id) {
    const { body } = await this.ask("GET", `/conversations/${id}/records`);
    return body;
  }

  /**
   * All events so far: `[kind, data]`.
   * @param {string} id
   * @returns {Promise<[kind: string, data: any][]>}
   */
  async events(id) {
    const path = `/conversations/${id}/events`;
    const text = await heard(this.url + path, this.opens(path));
    return [...text.matchAll(/event: (.*)\ndata: (.*)/g)].map(([, kind, data]) => [kind, JSON.parse(data)]);
  }

  /**
   * The results that the model got, by the id of the call: lists, for a call has one alone.
   * @param {string} id
   */
  async results(id) {
    /** @type {{ [call: string]: any[] }} */
    const found = {};
    for (const [kind, data] of await this.events(id)) {
      if (kind === "message" && data.role === "tool") (found[data.call_id] ??= []).push(data.content);
    }
    return found;
  }
}
