// The agent host on one, two and three processes: how many conversations a second, how long answers take, and what becomes of them when hosts are killed, the
// database crashes and the network to it is held. Fails where an answer is lost, a result comes twice, or a conversation is stuck.
// `AGENT_HOST=PROGRAM node scale.mjs [--conversations N] [--faulty N] [--most N] [--kills N] [--markdown FILE]`. With `--most` there are so many conversations with faults in the
// last row, of three hosts, and as many more kills.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { AgentHost } from "../js/agent-host.mjs";
import { Postgres, startWire } from "../js/postgres.mjs";
import { converse, judge, quantile } from "./scale/clients.mjs";

const option = (name, otherwise) => {
  const place = process.argv.indexOf(`--${name}`);
  return place < 0 ? otherwise : process.argv[place + 1];
};
const count = Number(option("conversations", 200));
const few = Number(option("faulty", 200));
const most = Number(option("most", few));
const kills = Number(option("kills", 10));
/** How many persons there are at once. */
const AT_ONCE = 24;
const LEASE = 2_000;
const WARM = 24;
/** How long everything may take, and how long a conversation may go on after the last fault. */
const LONGEST = 60_000 + (count + most) * 200;
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const between = (least, most) => least + Math.random() * (most - least);

const kinds = [
  { name: "SQLite, 1 host", hosts: 1, faulty: few },
  ...[1, 2, 3].map((hosts) => ({ name: `PostgreSQL, ${hosts} host${hosts > 1 ? "s" : ""}`, hosts, shared: true, faulty: hosts === 3 ? most : few })),
];
const rows = [];
let failed = false;
for (const kind of kinds) rows.push(await measure(kind));
const table = [
  "| | conversations a second | an answer is acknowledged (p50, p95) | the first question is heard (p50, p95) | with faults: conversations, kills, crashes of the database, cuts | lost | doubled | stuck |",
  "| --- | --- | --- | --- | --- | --- | --- | --- |",
  ...rows.map((row) => `| ${row.join(" | ")} |`),
].join("\n");
const costs = await cost(Math.min(count, 1_000));
console.log(`\n${table}\n\n${costs}\n`);
const file = option("markdown");
if (file) writeFileSync(file, `${table}\n\n${count} conversations without faults in each row, ${AT_ONCE} at once; hosts, database and clients on one machine with ${cpus().length} cores.\n\n${costs}\n`);
process.exit(failed ? 1 : 0);

async function measure(/** @type {{ name: string, hosts: number, shared?: boolean, faulty: number }} */ { name, hosts: number, shared, faulty }) {
  const server = shared ? await Postgres.start({ safe: true }) : undefined;
  const wires = [];
  const hosts = [];
  const tokens = new Map();
  const database = server?.database();
  try {
    for (let index = 0; index < number; index += 1) {
      const wire = server ? await startWire(server.port) : undefined;
      wires.push(wire);
      const own = wire ? { ...database, url: server.url(database.name, wire.port) } : undefined;
      hosts.push(await AgentHost.start({ pace: 0, database: own, tokens, lease: LEASE }));
    }
    const urls = () => hosts.map(({ url }) => url);
    const until = performance.now() + LONGEST;
    await converse({ hosts: urls, count: WARM, atOnce: AT_ONCE, until });
    const began = performance.now();
    const calm = await converse({ hosts: urls, count, atOnce: AT_ONCE, until });
    const seconds = (performance.now() - began) / 1_000;
    const faults = { killed: 0, crashes: 0, cuts: 0 };
    const progress = { done: 0 };
    const [rough] = await Promise.all([
      converse({ hosts: urls, count: faulty, atOnce: AT_ONCE, until: performance.now() + LONGEST, progress }),
      harm({ server, hosts, wires, faults, progress, faulty }),
    ]);
    const { lines, states } = shared ? read(database) : await readFile(hosts[0]);
    const whole = { conversations: [...calm.conversations, ...rough.conversations] };
    const verdict = judge(whole, lines, states);
    for (const strange of [calm, rough].flatMap(({ strange, unfinished }) => [...strange, ...unfinished])) verdict.stuck.push(strange);
    for (const [kind, list] of Object.entries(verdict)) for (const says of list.slice(0, 10)) console.log(`${name}: ${kind}: ${says}`);
    if (hosts.some(({ log }) => /panicked/.test(log))) verdict.stuck.push("a host has panicked");
    failed ||= Object.values(verdict).some((list) => list.length > 0);
    const times = (values) => `${quantile(values, 0.5).toFixed(0)} ms, ${quantile(values, 0.95).toFixed(0)} ms`;
    const row = [name, (count / seconds).toFixed(0), times(calm.answers), times(calm.questions), `${faulty}, ${faults.killed}, ${faults.crashes}, ${faults.cuts}`, verdict.lost.length, verdict.doubled.length, verdict.stuck.length];
    console.log(row.join("; "));
    return row;
  } finally {
    for (const host of hosts) await host.close();
    for (const wire of wires) await wire?.close();
    await server?.close();
  }
}

/** What an open question and its answer cost the database. */
async function cost(number) {
  const server = await Postgres.start({ safe: true });
  const database = server.database();
  const host = await AgentHost.start({ pace: 0, database, lease: 600_000 });
  const figures = async () => {
    // A connection that is idle tells the server what it has done after ten seconds.
    await pause(12_000);
    const sql = `SELECT pg_database_size(current_database()), xact_commit, pg_current_wal_lsn() - '0/0'::pg_lsn FROM pg_stat_database WHERE datname = current_database()`;
    return (await database.rows(sql))[0].split("|").map(Number);
  };
  const until = async (phase) => {
    while (Number((await database.rows(`SELECT count(*) FROM agent_host.conversations WHERE phase = '${phase}'`))[0]) < number) await pause(200);
  };
  const each = async (work) => {
    for (let first = 0; first < number; first += AT_ONCE) await Promise.all(Array.from({ length: Math.min(AT_ONCE, number - first) }, (_, index) => work(first + index)));
  };
  try {
    const ids = [];
    const empty = await figures();
    await each(async (index) => (ids[index] = await host.begin()));
    await until("asking");
    const open = await figures();
    await each((index) => host.ask("POST", `/conversations/${ids[index]}/respond`, { answers: { apply: false, reason: "Smaller batches" } }));
    await until("idle");
    const done = await figures();
    const rows = [["a question, from the message until it is open", empty, open], ["its answer, until the agent is done", open, done]].map((/** @type {any} */ [name, before, after]) => {
      const [size, transactions, wal] = after.map((value, index) => (value - before[index]) / number);
      return `| ${name} | ${(size / 1_024).toFixed(1)} KiB | ${transactions.toFixed(1)} | ${(wal / 1_024).toFixed(1)} KiB |`;
    });
    return ["| PostgreSQL, for each conversation | space | transactions, with those that only read | log (WAL) |", "| --- | --- | --- | --- |", ...rows].join("\n");
  } finally {
    await host.close();
    await server.close();
  }
}

/** Kills hosts at random places of the run; halfway the database crashes; at a quarter and at three quarters a host is cut off for longer than its lease lasts. */
async function harm({ server, hosts, wires, faults, progress, faulty }) {
  const times = Math.round((kills * faulty) / few);
  const steps = Array.from({ length: times }, (_, number) => ({ place: ((number + Math.random()) / times) * 0.95, act: kill }));
  if (server) steps.push({ place: 0.5, act: crash }, { place: 0.25, act: () => cutOff("hold") }, { place: 0.75, act: () => cutOff("cut") });
  const until = performance.now() + LONGEST;
  for (const { place, act } of steps.sort((one, other) => one.place - other.place)) {
    while (progress.done < place * faulty && performance.now() < until) await pause(10);
    await act();
  }

  async function kill() {
    const host = hosts[Math.floor(Math.random() * hosts.length)];
    await host.kill();
    faults.killed += 1;
    await pause(between(0, 300));
    await host.restart();
  }

  async function crash() {
    await server.end("immediate");
    faults.crashes += 1;
    await pause(between(100, 500));
    await server.begin();
  }

  async function cutOff(how) {
    const wire = wires[Math.floor(Math.random() * wires.length)];
    wire[how]();
    faults.cuts += 1;
    await pause(LEASE * 1.5);
    wire.open();
  }
}

function read(database) {
  const rows = (sql) => database.sql(sql).split("\n").filter(Boolean);
  const lines = rows("SELECT json_build_object('conversation', conversation, 'line', line)::text FROM agent_host.messages ORDER BY place");
  const states = rows("SELECT id || ' ' || (state::json->>'state') FROM agent_host.conversations");
  return {
    lines: lines.map((text) => JSON.parse(text)).map(({ conversation, line }) => ({ conversation, ...JSON.parse(line) })),
    states: new Map(states.map((text) => text.split(" "))),
  };
}

/** The same from the file of a host, which is ended for it. */
async function readFile(host) {
  await host.stop();
  const program = `
import json, sqlite3, sys
tables = sqlite3.connect(sys.argv[1])
print(json.dumps({"lines": list(tables.execute("SELECT conversation, line FROM messages ORDER BY place")),
                  "states": list(tables.execute("SELECT id, json_extract(state, '$.state') FROM conversations"))}))`;
  const { stdout, stderr, status } = spawnSync("python3", ["-c", program, host.data], { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(stderr);
  const { lines, states } = JSON.parse(stdout);
  return { lines: lines.map(([conversation, line]) => ({ conversation, ...JSON.parse(line) })), states: new Map(states) };
}
