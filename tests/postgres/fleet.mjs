// Several agent hosts over one PostgreSQL database, for tests: any of them is asked, each can be killed, paused or cut off; and what the database has,
// read past the hosts.
import { AgentHost } from "../js/agent-host.mjs";
import { startWire } from "../js/postgres.mjs";
import { until } from "../js/wait.mjs";

/** @import { Postgres } from "../js/postgres.mjs" */

/** What the agent did and got in one conversation in which the person says no, in order. */
export const NO = { apply: false, reason: "Smaller batches" };

export class Fleet {
  hosts = [];
  wires = [];
  tokens = new Map();
  /** @type {Postgres} */
  server = /** @type {any} */ (undefined);
  /** @type {ReturnType<Postgres["database"]>} */
  database = /** @type {any} */ (undefined);

  /** `wired`: each host reaches the database by a wire of its own. */
  static async start(server, { count = 3, pace = 5, lease = 3_000, options = [], wired = false, program = {} } = {}) {
    const fleet = new Fleet();
    fleet.server = server;
    fleet.database = server.database();
    for (let number = 0; number < count; number += 1) {
      const wire = wired ? await startWire(server.port) : undefined;
      const database = wire ? { ...fleet.database, url: server.url(fleet.database.name, wire.port) } : fleet.database;
      fleet.wires.push(wire);
      fleet.hosts.push(await AgentHost.start({ pace, options: ["--connections", 4, ...options], lease, database, tokens: fleet.tokens, ...program }));
    }
    return fleet;
  }

  async close() {
    for (const wire of this.wires) wire?.open();
    for (const host of this.hosts) host.signal("SIGCONT");
    await Promise.all(this.hosts.map((host) => host.close()));
    await Promise.all(this.wires.map((wire) => wire?.close()));
  }

  rows(sql) {
    return this.database.rows(sql);
  }

  /** The state of a conversation, as the database has it. */
  async state(id) {
    return JSON.parse((await this.rows(`SELECT state FROM agent_host.conversations WHERE id = '${id}'`))[0]);
  }

  /** The transcript of a conversation, as the database has it. */
  async messages(id) {
    return (await this.rows(`SELECT line FROM agent_host.messages WHERE conversation = '${id}' ORDER BY place`)).map((line) => JSON.parse(line));
  }

  /** The results by the ids of their calls, and which calls have none or several. */
  async results(id) {
    const messages = await this.messages(id);
    const calls = messages.flatMap(({ role, calls }) => (role === "assistant" ? calls.map((call) => call.id) : []));
    const results = Object.fromEntries(calls.map((call) => [call, []]));
    for (const line of messages) if (line.role === "tool") (results[line.call_id] ??= []).push(line.content);
    return { results, wrong: Object.keys(results).filter((call) => results[call].length !== 1) };
  }

  /** Waits until the database says that a conversation is in one of these states. */
  async comes(id, ...states) {
    const look = async () => (await this.state(id)).state;
    return until(look, `${id} as ${states.join(" or ")}`, (state) => states.includes(state)).catch((error) => {
      throw new Error(`${error.message}:\n${this.hosts.map(({ log }) => log).join("\n---\n")}`);
    });
  }
}
