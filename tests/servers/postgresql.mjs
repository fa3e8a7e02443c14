// A PostgreSQL server of its own, in a folder that is removed afterwards. It refuses to run as root, so it runs as another user then.
import { execFile, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where Debian keeps the programs, of the newest version. */
function programs() {
  const home = "/usr/lib/postgresql";
  const versions = existsSync(home) ? readdirSync(home).sort((one, other) => Number(other) - Number(one)) : [];
  if (!versions.length) throw new Error("PostgreSQL is missing: install Debian's postgresql.");
  return join(home, versions[0], "bin");
}

export class PostgreSql {
  #folder = mkdtempSync("/tmp/ask-user-pg-");
  #process;
  #user = userInfo().uid === 0 ? { uid: 65534, gid: 65534 } : {};

  static async start() {
    const server = new PostgreSql();
    if (server.#user.uid) chownSync(server.#folder, server.#user.uid, server.#user.gid);
    await promisify(execFile)(join(programs(), "initdb"), ["-D", join(server.#folder, "data"), "-U", "tester", "-A", "trust", "-E", "UTF8"], { ...server.#user, cwd: server.#folder, env: { LC_ALL: "C.UTF-8" } });
    await server.start();
    return server;
  }

  /** Starts it (again), on the same data. */
  async start() {
    const settings = ["-D", join(this.#folder, "data"), "-k", this.#folder, "-c", "listen_addresses=", "-c", "max_connections=50"];
    this.#process = spawn(join(programs(), "postgres"), settings, { ...this.#user, cwd: this.#folder, stdio: "ignore", env: { LC_ALL: "C.UTF-8" } });
    for (let tries = 0; ; tries += 1) {
      try {
        await promisify(execFile)(join(programs(), "pg_isready"), ["-h", this.#folder, "-U", "tester", "-d", "postgres"]);
        return;
      } catch (error) {
        if (tries === 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** The string that `pg` connects with. */
  get address() {
    return `postgresql:///postgres?host=${encodeURIComponent(this.#folder)}&user=tester`;
  }

  /** Ends it at once, as a crash would: its children see that it is gone. */
  async kill() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGQUIT");
    await ended;
  }

  async close() {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
