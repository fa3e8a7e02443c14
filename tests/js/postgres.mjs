// A PostgreSQL server of its own for tests, in a temporary folder, as a user that is not root; and a proxy to it that can be cut or held.
import { execFile, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.mjs";
import { pause } from "./wait.mjs";

/**
 * @import { ChildProcess, ExecFileSyncOptions } from "node:child_process"
 * @import { AddressInfo, Socket } from "node:net"
 */

/** The password of the database. No log may have it. */
export const PASSWORD = "a-password-of-the-database";

/** The folder with PostgreSQL's programs: that of `PG_BIN`, or the newest of Debian's. */
function programs() {
  const root = "/usr/lib/postgresql";
  const newest = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  return [process.env.PG_BIN, ...newest.map((version) => join(root, version, "bin"))].find((folder) => folder && existsSync(join(folder, "initdb")));
}

/** Whether PostgreSQL is installed. */
export const isInstalled = () => programs() !== undefined;

/**
 * PostgreSQL refuses to run as root: the user that it runs as then.
 * @returns {{ uid?: number, gid?: number }}
 */
function user() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] })));
      return { uid, gid };
    } catch {
      // The next one.
    }
  }
  throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody");
}

export class Postgres {
  /** @type {string} */
  #folder = "";
  /** @type {ChildProcess} */
  #process = /** @type {any} */ (undefined);
  #bin = programs();
  #user = user();
  #count = 0;
  port = 0;
  /** @type {string[]} */
  settings = [];
  /** What the server said. */
  log = "";

  /**
   * `safe`: what is committed survives a loss of power, as in use; tests need not wait for the disk. It survives the end of the server in any case.
   * @param {{ safe?: boolean, settings?: string[] }} options
   */
  static async start({ safe = false, settings = [] } = {}) {
    const server = new Postgres();
    if (!server.#bin) throw new Error("PostgreSQL is not installed: apt-get install postgresql, or name the folder of its programs with PG_BIN");
    server.#folder = mkdtempSync(join(tmpdir(), "postgres-"));
    server.settings = [...(safe ? [] : ["fsync=off"]), "max_connections=100", ...settings];
    const { uid, gid } = server.#user;
    const secret = join(server.#folder, "password");
    writeFileSync(secret, PASSWORD);
    if (uid !== undefined) for (const path of [server.#folder, secret]) chownSync(path, uid, /** @type {number} */ (gid));
    const options = ["--username=host", `--pwfile=${secret}`, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"];
    server.#run("initdb", ["--pgdata", server.#data, ...options]);
    server.port = await freePort();
    await server.begin();
    return server;
  }

  get #data() {
    return join(this.#folder, "data");
  }

  /**
   * @param {string} name
   * @param {string[]} words
   * @param {ExecFileSyncOptions} more
   * @returns {string}
   */
  #run(name, words, more = {}) {
    const environment = { ...process.env, PGPASSWORD: PASSWORD };
    return /** @type {string} */ (execFileSync(join(/** @type {string} */ (this.#bin), name), words, { cwd: this.#folder, env: environment, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", maxBuffer: 2 ** 30, ...this.#user, ...more }));
  }

  /** Starts the server (again), and waits until it takes connections. */
  async begin() {
    const settings = [...this.settings, `unix_socket_directories=${this.#folder}`, "listen_addresses=127.0.0.1"].flatMap((setting) => ["-c", setting]);
    this.#process = spawn(join(/** @type {string} */ (this.#bin), "postgres"), ["-D", this.#data, "-p", String(this.port), ...settings], { cwd: this.#folder, stdio: ["ignore", "ignore", "pipe"], ...this.#user });
    /** @type {import("node:stream").Readable} */ (this.#process.stderr).setEncoding("utf8").on("data", (text) => (this.log += text));
    for (let tries = 0; ; tries += 1) {
      try {
        return void this.#run("pg_isready", ["-h", "127.0.0.1", "-p", String(this.port), "-U", "host", "-d", "postgres", "-t", "1"]);
      } catch {
        if (tries === 300 || this.#process.exitCode !== null) throw new Error(`PostgreSQL does not start:\n${this.log}`);
        await pause(50);
      }
    }
  }

  /** Ends the server: "fast" tells its clients, "immediate" is a crash. */
  async end(how = "immediate") {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  /**
   * An empty database, and its address.
   * @returns {{ name: string, url: string, dump: () => string, sql: (text: string) => string, rows: (text: string) => Promise<string[]> }}
   */
  database() {
    this.#count += 1;
    const name = `test_${this.#count}`;
    this.sql(`CREATE DATABASE ${name}`);
    return { name, url: this.url(name), dump: () => this.dump(name), sql: (text) => this.sql(text, name), rows: (text) => this.rows(text, name) };
  }

  /**
   * @param {string} name
   * @param {number} port
   */
  url(name, port = this.port) {
    return `postgres://host:${PASSWORD}@127.0.0.1:${port}/${name}?sslmode=disable`;
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  #psql(text, name) {
    return ["-h", "127.0.0.1", "-p", String(this.port), "-U", "host", "-d", name, "-v", "ON_ERROR_STOP=1", "-qAtc", text];
  }

  /**
   * What a statement gives, a line for each row.
   * @param {string} text
   * @param {string} name
   */
  sql(text, name = "postgres") {
    return this.#run("psql", this.#psql(text, name)).trim();
  }

  /**
   * The same as a list, while everything else goes on: a wire of this process, too.
   * @param {string} text
   * @param {string} name
   */
  async rows(text, name) {
    const settings = { cwd: this.#folder, env: { ...process.env, PGPASSWORD: PASSWORD }, maxBuffer: 2 ** 30, ...this.#user };
    const { stdout } = await promisify(execFile)(join(/** @type {string} */ (this.#bin), "psql"), this.#psql(text, name), settings);
    return stdout.split("\n").filter(Boolean);
  }

  /**
   * Everything that a database has.
   * @param {string} name
   */
  dump(name) {
    return this.#run("pg_dump", ["-h", "127.0.0.1", "-p", String(this.port), "-U", "host", "--inserts", name]);
  }

  async close() {
    await this.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * A way to a port of this machine that can be cut (connections end, new ones too) or held (nothing comes through, and nobody is told).
 * @param {number} port
 */
export async function startWire(port) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  /** @type {string | undefined} */
  let mark;
  /** @type {string | undefined} */
  let late;
  /** @type {(go?: any) => void} */
  let marked;
  let state = "open";
  const server = createServer((from) => {
    if (state === "cut") return void from.destroy();
    const to = connect(port, "127.0.0.1");
    for (const [one, other] of [[from, to], [to, from]]) {
      sockets.add(one);
      let isLate = false;
      one.on("error", () => {}).on("close", () => {
        sockets.delete(one);
        // What is late comes also where nobody waits for it any more.
        if (!isLate) other.destroy();
      });
      one.on("data", (data) => {
        if (one === from && late && data.includes(late)) {
          late = undefined;
          isLate = true;
          one.pause();
          return void marked(() => {
            isLate = false;
            if (one.destroyed) return void other.end(data);
            other.write(data);
            one.resume();
          });
        }
        other.write(data);
        if (one === from && mark && data.includes(mark)) {
          mark = undefined;
          to.pause();
          marked();
        }
      });
      if (state === "held") one.pause();
    }
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  return {
    port: /** @type {AddressInfo} */ (server.address()).port,
    open() {
      state = "open";
      // What was held is late by more than anybody waits: as in a network, it is repeated or lost.
      for (const socket of sockets) socket.resume();
    },
    cut() {
      state = "cut";
      for (const socket of sockets) socket.destroy();
    },
    /**
     * Once the database is told this text, what it replies on that connection is held. Promises that this has happened.
     * @param {string} text
     * @returns {Promise<void>}
     */
    holdReplyTo(text) {
      mark = text;
      return new Promise((resolve) => (marked = resolve));
    },
    /**
     * What the database is told with this text in it is held. Promises a function that lets it through.
     * @param {string} text
     * @returns {Promise<() => void>}
     */
    delay(text) {
      late = text;
      return new Promise((resolve) => (marked = resolve));
    },
    hold() {
      state = "held";
      for (const socket of sockets) socket.pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
