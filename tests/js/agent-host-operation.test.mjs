// What whoever operates the agent host relies on: its log, its checks, its settings, and the deletion of old conversations.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { AgentHost } from "./agent-host.mjs";
import { PASSWORD } from "./postgres.mjs";

const SECRET = "correct-horse-battery-staple";
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function within(settings, run) {
  const host = await AgentHost.start(settings);
  try {
    await run(host);
  } finally {
    await host.close();
  }
}

/** The id of the call that is open, once one is that is not among these. */
async function asked(host, id, before = []) {
  for (let tries = 0; tries < 100; tries += 1) {
    const [, state] = (await host.events(id)).findLast(([kind]) => kind === "state_change") ?? [];
    if (state?.type === "awaiting_user_response" && !before.includes(state.tool_call_id)) return state.tool_call_id;
  }
  throw new Error("nothing is asked");
}

const answer = (host, id, answers) => host.ask("POST", `/conversations/${id}/respond`, { answers });

test("the log is JSON, a line for each event, and never has an answer, a secret, a token or a password", () =>
  within({ options: ["--log", "json"], environment: { RUST_LOG: "trace" } }, async (host) => {
    const id = await host.begin("A message of the person.");
    const form = await asked(host, id);
    assert.equal((await answer(host, id, { apply: true, environment: "staging", note: 7 })).status, 422);
    assert.equal((await answer(host, id, { apply: true, environment: "staging", note: "An answer of the person" })).status, 200);
    await asked(host, id, [form]);
    assert.equal((await answer(host, id, { token: SECRET })).status, 200);
    // What goes wrong is in the log as well.
    assert.equal((await answer(host, id, { token: `${SECRET}, another` })).status, 409);
    assert.equal((await host.ask("POST", `/conversations/${id}/respond`, { tool_call_id: SECRET, walk: { log: [SECRET] } })).status, 409);
    assert.equal((await fetch(`${host.url}/conversations/${id}/records?${SECRET}`, { headers: { Authorization: `Bearer ${SECRET}` } })).status, 403);
    await host.kill();
    await host.start();
    const lines = host.log.split("\n").filter((line) => line && !line.startsWith("Listening on "));
    assert.ok(host.log.includes("a lease begins"), "the search finds what is there");
    for (const line of lines) {
      const { timestamp, level, target, message } = JSON.parse(line);
      assert.ok(timestamp && level && target && message !== undefined, line);
    }
    for (const text of ["A message of the person", "An answer of the person", "staging", SECRET, host.token(id), PASSWORD]) {
      assert.ok(!host.log.includes(text), `the log has ${text}:\n${host.log.split("\n").find((line) => line.includes(text))}`);
    }
  }));

test("health and readiness need no token and no name, and tell nothing", () =>
  within({}, async (host) => {
    for (const [path, body] of [["/health", { ok: true }], ["/ready", { ready: true }]]) {
      const response = await fetch(host.url + path, { headers: { Host: "10.0.0.1:3000" } });
      assert.deepEqual([response.status, await response.json()], [200, body]);
    }
  }));

test("settings come from the environment and from a file, and the command line counts first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "settings-"));
  const file = join(folder, "agent-host.toml");
  writeFileSync(file, 'log = "json"\nhost = ["example.org:1"]\nport = 1\nlisten = "127.0.0.1"\n');
  try {
    await within({ environment: { AGENT_HOST_CONFIG: file, AGENT_HOST_LEASE: "4000" } }, async (host) => {
      const { port } = new URL(host.url);
      assert.notEqual(port, "1");
      assert.match(host.log, /^\{/m);
      const { request } = await import("node:http");
      const status = await new Promise((resolve, reject) => {
        const sent = request(`${host.url}/conversations`, { method: "POST", headers: { Host: "example.org:1" } }, (response) => resolve(response.statusCode));
        sent.on("error", reject).end();
      });
      assert.equal(status, 201);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an idle conversation is deleted after its time, and one with an open question is not", () =>
  within({ options: ["--keep", "1"] }, async (host) => {
    const [done, open] = [await host.begin(), await host.begin()];
    await asked(host, done);
    await asked(host, open);
    assert.equal((await answer(host, done, { apply: false, reason: "No" })).status, 200);
    for (let tries = 0; ; tries += 1) {
      const { status } = await host.ask("GET", `/conversations/${done}/records`);
      if (status === 404) break;
      assert.ok(tries < 100, "it is still there");
      await pause(100);
    }
    assert.ok(!host.stored().includes(done) || !process.env.DATABASE, "something of it is left");
    assert.equal((await host.ask("POST", `/conversations/${done}/messages`, { text: "Again." })).status, 404);
    assert.equal((await answer(host, open, { apply: false, reason: "No" })).status, 200);
  }));
