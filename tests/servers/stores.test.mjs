// The host for JavaScript with the stores that outlive a process: SQLite and PostgreSQL keep to docs/delivery.md, and to what the host expects of a store.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import Database from "better-sqlite3";
import pg from "pg";
import { createHost } from "../../pkg/dist/host.node.js";
import { postgres } from "../../pkg/dist/host.postgres.js";
import { sqlite } from "../../pkg/dist/host.sqlite.js";
import { conformsOverHttp, keepsVersions } from "../js/conformance.mjs";
import { JsHost, begin, due, read } from "../js/js-host.mjs";
import { keepsStore } from "../js/js-host-store.mjs";
import { Postgres, startWire } from "../js/postgres.mjs";
import { pause } from "../js/wait.mjs";

const folder = mkdtempSync(join(tmpdir(), "ask-user-stores-"));
const server = await Postgres.start();
const database = server.database();
const pool = new pg.Pool({ connectionString: database.url });
pool.on("error", () => undefined);
after(async () => {
  await pool.end();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
const STORES = {
  "better-sqlite3": () => sqlite(new Database(join(folder, `${(files += 1)}.db`))),
  PostgreSQL: () => postgres(pool),
};

for (const [name, open] of Object.entries(STORES)) {
  const host = await JsHost.start({ store: await open() });
  after(() => host.close());
  const target = { due: () => due(host.url) };
  conformsOverHttp(`the host with ${name}`, target);
  keepsVersions(`the host with ${name}`, target);
  keepsStore(name, open);
}

test("PostgreSQL: two hosts on one database never both take an event", async () => {
  const [one, other] = [await JsHost.start({ store: await postgres(pool), poll: 50 }), await JsHost.start({ store: await postgres(pool), poll: 50 })];
  try {
    const { post, at, opens, taken, form = undefined } = /** @type {any} */ (await due(one.url));
    assert.equal(form, undefined);
    const elsewhere = at.replace(one.url, other.url);
    const answers = [true, false].map((apply) => ({ answers: apply ? { apply, environment: "staging", limits: { cpu: 1 } } : { apply } }));
    const said = await Promise.all(
      answers.map(({ answers: given }, place) =>
        fetch(`${place ? elsewhere : at}/respond`, { method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": String(place), ...opens }, body: JSON.stringify({ answers: given }) }),
      ),
    );
    assert.deepEqual(said.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await taken()).length, 1);
    assert.ok(post);
    // The other process hears of it, too.
    const heard = await read(`${elsewhere}/events`, opens, (found) => found.some(({ data }) => data.role === "assistant" && data.text.startsWith("I got")));
    assert.equal(heard.filter(({ data }) => data.role === "tool").length, 1);
  } finally {
    one.close();
    other.close();
  }
});

test("PostgreSQL: while the server is down nothing is acknowledged, and afterwards everything goes on", async () => {
  const errors = [];
  const host = await JsHost.start({ store: await postgres(pool), onError: (error) => void errors.push(error) });
  try {
    const { at, opens, taken } = await due(host.url);
    const answer = () => fetch(`${at}/respond`, { method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": "k", ...opens }, body: JSON.stringify({ answers: { apply: false } }) });
    await server.end();
    assert.equal((await answer()).status, 503);
    await server.begin();
    for (let status = 503; status === 503; ) ({ status } = await answer());
    assert.equal((await answer()).status, 200);
    assert.deepEqual(await taken(), [{ apply: false, environment: null, limits: null }]);
    assert.ok(errors.length);
  } finally {
    host.close();
  }
});

test("PostgreSQL: a connection that breaks during a commit ends no host, and the message is stored afterwards", async () => {
  const wire = await startWire(server.port);
  const own = new pg.Pool({ connectionString: server.url(database.name, wire.port) });
  own.on("error", () => undefined);
  const host = createHost({ store: await postgres(own), agent: async () => "I am done.", onError: () => undefined });
  try {
    const { id } = await host.create();
    const send = () => host.message(id, "Go on.", { key: "m" }).then(() => 202, ({ status }) => status);
    const held = wire.holdReplyTo("UPDATE ask_user");
    const sent = send();
    await held;
    wire.cut();
    assert.equal(await sent, 503);
    wire.open();
    for (let status = 503; status === 503; ) status = await send();
    await host.settled();
    assert.deepEqual((await host.messages(id)).map(({ role }) => role), ["user", "assistant"]);
  } finally {
    host.close();
    await own.end();
    await wire.close();
  }
});

test("PostgreSQL: what a commit stores late is carried out", async () => {
  const wire = await startWire(server.port);
  const own = new pg.Pool({ connectionString: server.url(database.name, wire.port), query_timeout: 500 });
  own.on("error", () => undefined);
  const agent = async ({ results }) => (results.length ? "I got it." : { calls: [{ id: "a", name: "ask_user", input: { question: "Sure?", answer_type: "boolean" } }] });
  const host = createHost({ store: await postgres(own), agent, onError: () => undefined });
  try {
    const { id, token } = await host.create();
    await host.message(id, "Go on.");
    await host.settled();
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}`, "Idempotency-Key": "k" };
    const post = () => host.handle(new Request(`http://localhost/conversations/${id}/respond`, { method: "POST", headers, body: '{"answers":{"answer":true}}' }));
    const delayed = wire.delay("COMMIT");
    const first = post();
    const letThrough = await delayed;
    assert.equal((await first).status, 503);
    // The host looks now whether it is stored, and has to wait.
    await pause(300);
    letThrough();
    let response;
    do response = await post();
    while (response.status === 503);
    assert.deepEqual(await response.json(), { accepted: true, again: true });
    await host.settled();
    assert.deepEqual((await host.messages(id)).map(({ role }) => role), ["user", "assistant", "tool", "assistant"]);
  } finally {
    host.close();
    await own.end();
    await wire.close();
  }
});

test("SQLite: a conversation that another program deletes takes its lines with it", async () => {
  const path = join(folder, "deleted.db");
  const store = await sqlite(new Database(path));
  await store.create("a", { token: "t", state: "{}" });
  await store.commit("a", 0, { state: "{}", isOpen: false, lines: [{ kind: "message", text: '"private"' }] });
  execFileSync("python3", ["-c", "import sqlite3, sys; file = sqlite3.connect(sys.argv[1]); file.execute('DELETE FROM ask_user_conversations'); file.commit()", path]);
  assert.deepEqual(await store.lines("a", ["message"]), []);
});

test("SQLite: tables of another version are refused, and the file is not changed", async () => {
  const database = new Database(join(folder, "old.db"));
  database.exec("CREATE TABLE ask_user_version (version INTEGER NOT NULL); INSERT INTO ask_user_version VALUES (99)");
  await assert.rejects(sqlite(database), /version 99/);
  assert.deepEqual(database.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'ask_user_%'").pluck().all(), ["ask_user_version"]);
});

test("SQLite: what is acknowledged is on the disk", async () => {
  const database = new Database(join(folder, "synchronous.db"));
  await sqlite(database);
  assert.deepEqual([database.pragma("synchronous", { simple: true }), database.pragma("journal_mode", { simple: true })], [2, "wal"]);
});

test("a secret is nowhere in the file", async () => {
  const path = join(folder, "secret.db");
  const database = new Database(path);
  const host = await JsHost.start({ store: await sqlite(database) });
  try {
    const { at, opens } = await begin(host.url, JSON.stringify([{ name: "key", input: {} }]));
    const events = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.type === "awaiting_user_response"));
    const answers = { go: true, key: "hunter2-9f" };
    const post = async (given) => {
      const body = JSON.stringify({ tool_call_id: events.at(-1).data.tool_call_id, answers: given });
      return (await fetch(`${at}/respond`, { method: "POST", headers: { "Content-Type": "application/json", ...opens }, body })).status;
    };
    assert.equal(await post(answers), 200);
    const heard = await read(`${at}/events`, opens, (found) => found.some(({ data }) => data.role === "assistant" && data.text.startsWith("I got")));
    assert.deepEqual(heard.find(({ data }) => data.role === "tool").data.content, { length: 10 });
    const stored = ["ask_user_conversations", "ask_user_lines"].flatMap((table) => database.prepare(`SELECT * FROM ${table}`).all());
    assert.doesNotMatch(JSON.stringify([stored, heard]), /hunter2/);
    // The same answer with another secret is another answer.
    assert.equal(await post({ ...answers, key: "hunter3-9f" }), 409);
    assert.equal(await post(answers), 200);
  } finally {
    host.close();
  }
});
