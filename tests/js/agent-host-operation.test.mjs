// What whoever operates the agent host relies on: its log, its checks, its settings, and the deletion of old conversations.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { AgentHost, OWN_AGENT, ran } from "./agent-host.mjs";
import { PASSWORD } from "./postgres.mjs";
import { pause, until } from "./wait.mjs";

const SECRET = "correct-horse-battery-staple";

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
    await within({ environment: { ASK_USER_HOST_CONFIG: file, ASK_USER_HOST_LEASE: "4000" } }, async (host) => {
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
    await until(() => host.ask("GET", `/conversations/${done}/records`), "the end of the conversation", ({ status }) => status === 404);
    assert.ok(!host.stored().includes(done) || !process.env.DATABASE, "something of it is left");
    assert.equal((await host.ask("POST", `/conversations/${done}/messages`, { text: "Again." })).status, 404);
    assert.equal((await answer(host, open, { apply: false, reason: "No" })).status, 200);
  }));

const status = async (host, method, path) => (await fetch(host.url + path, { method })).status;
const file = { skip: process.env.DATABASE === "postgres" && "it is about a file" };

test("a second start on the same file and port ends, and the first host goes on", file, () =>
  within({}, async (host) => {
    const id = await host.begin();
    await asked(host, id);
    const { code, log } = await ran(["--port", new URL(host.url).port, "--data", host.data]);
    assert.equal(code, 1);
    assert.match(log, /^error: port \d+: /m);
    assert.equal(await status(host, "GET", "/ready"), 200);
    assert.equal((await answer(host, id, { apply: false, reason: "No" })).status, 200);
    assert.equal(await status(host, "POST", "/conversations"), 201);
  }));

test("a host whose file another one has opened says that it is not ready, and begins no conversation", file, () =>
  within({}, async (host) => {
    const other = ran(["--port", 0, "--data", host.data], {
      until: /Listening on/,
      then: async (process_) => {
        try {
          assert.deepEqual(await Promise.all([status(host, "GET", "/health"), status(host, "GET", "/ready"), status(host, "POST", "/conversations")]), [200, 503, 503]);
        } finally {
          process_.kill("SIGTERM");
        }
      },
    });
    assert.equal((await other).code, 0);
    assert.match(host.log, /another process has opened the same file/);
    // That one has given it back.
    assert.deepEqual([await status(host, "GET", "/ready"), await status(host, "POST", "/conversations")], [200, 201]);
    await asked(host, await host.begin());
  }));

/** Opens a connection, sends a text, and gives the socket. Nothing is read from it until somebody does. */
async function sends(host, text) {
  const socket = connect(Number(new URL(host.url).port), "127.0.0.1").on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.pause();
  await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

/** A request of which half the body comes. */
function half(host, id, path = "messages") {
  const at = `/conversations/${id}/${path}`;
  const headers = { Host: new URL(host.url).host, "Content-Type": "application/json", "Content-Length": 100, ...host.opens(at) };
  return `POST ${at} HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n{"text": "`;
}

test("a host ends within its time, whatever its clients do: half a body, and a stream that nobody reads", { timeout: 60_000 }, () =>
  within({}, async (host) => {
    const id = await host.begin("x".repeat(6_000_000));
    await asked(host, id);
    const path = `/conversations/${id}/events`;
    const sockets = [await sends(host, half(host, id)), await sends(host, `GET ${path} HTTP/1.1\r\nHost: ${new URL(host.url).host}\r\nAuthorization: ${host.opens(path).Authorization}\r\n\r\n`)];
    await pause(300);
    const began = performance.now();
    assert.equal(await host.stop(), 0);
    const took = performance.now() - began;
    assert.ok(took > 8_000 && took < 14_000, `it took ${took} ms`);
    for (const socket of sockets) socket.destroy();
    // Its lease was given back: the next one begins at once.
    await host.restart();
    assert.equal((await answer(host, id, { apply: false, reason: "No" })).status, 200);
  }));

test("a second signal ends a host at once", () =>
  within({}, async (host) => {
    const id = await host.begin();
    const socket = await sends(host, half(host, id));
    await pause(200);
    const ended = host.stop();
    await pause(300);
    const began = performance.now();
    host.signal("SIGTERM");
    assert.equal(await ended, 1);
    assert.ok(performance.now() - began < 2_000);
    socket.destroy();
  }));

test("a body that does not come is waited for 30 seconds", { timeout: 60_000 }, () =>
  within({}, async (host) => {
    const id = await host.begin();
    const socket = await sends(host, half(host, id));
    const began = performance.now();
    let text = "";
    for await (const more of socket.setEncoding("utf8")) {
      text += more;
      if (text.includes("unreadable")) break;
    }
    assert.match(text, /^HTTP\/1.1 408 /);
    assert.ok(performance.now() - began < 35_000);
    assert.equal(await status(host, "GET", "/ready"), 200);
  }));

test("a host that waits for its database ends when it is told to", async () => {
  // Nothing listens there.
  const began = performance.now();
  const { code, signal } = await ran(["--port", 0, "--database", "postgres://a:b@127.0.0.1:9/c?sslmode=disable"], {
    environment: { RUST_LOG: "info" },
    until: /database/,
    then: (process_) => process_.kill("SIGTERM"),
  });
  assert.deepEqual([code, signal], [0, null]);
  assert.ok(performance.now() - began < 10_000);
});

test("the log says where conversations are kept, and a variable that is wrong is named", async () => {
  await within({ environment: { RUST_LOG: "" } }, (host) => {
    assert.match(host.log, process.env.DATABASE === "postgres" ? /conversations are kept in a PostgreSQL database/ : /conversations are kept in the SQLite file .*data\.sqlite/);
  });
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  for (const [environment, words] of /** @type {any[][]} */ ([
    [{ RUST_LOG: "ask_user_host=loud" }, /^error: RUST_LOG: /],
    [{ ASK_USER_HOST_DATABSE: "postgres://a/secret" }, /^error: there is no environment variable ASK_USER_HOST_DATABSE: there are .*ASK_USER_HOST_DATABASE/],
    [{ ASK_USER_HOST_DATABASE: "" }, /^error: the environment variable ASK_USER_HOST_DATABASE is empty/],
    [{ ...collector, OTEL_BSP_SCHEDULE_DELAY: "soon" }, /^error: OTEL_BSP_SCHEDULE_DELAY needs a whole number/],
    [{ ...collector, OTEL_TRACES_SAMPLER: "some" }, /^error: OTEL_TRACES_SAMPLER is one of/],
  ])) {
    const { code, log } = await ran(["--port", 0, "--data", ":memory:"], { environment, until: /Listening on/, then: (process_) => process_.kill() });
    assert.equal(code, 1, log);
    assert.match(log, words);
    assert.ok(!log.includes("secret"));
  }
});

test("an agent of one's own asks, waits over a crash, and gets the answer", async () => {
  await within({ program: OWN_AGENT }, async (host) => {
    const id = await host.begin("Make room.");
    const call = await asked(host, id);
    await host.kill();
    await host.restart();
    assert.equal(await asked(host, id), call);
    assert.equal((await answer(host, id, { delete: true })).status, 200);
    const said = async () => (await host.events(id)).some(([kind, data]) => kind === "message" && data.text === 'It said {"deleted":7}.');
    await until(said, "what the agent says of the answer");
    assert.deepEqual(await host.results(id), { [call]: [{ deleted: 7 }] });
  });
});

test("a program with an agent of its own refuses the options of a model", async () => {
  const { code, log } = await ran(["--port", 0, "--data", ":memory:", "--model", "http://127.0.0.1:9/v1", "--model-name", "m"], { program: OWN_AGENT });
  assert.equal(code, 1, log);
  assert.match(log, /^error: --model: this program has an agent of its own/);
});
