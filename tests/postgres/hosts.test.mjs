// Three agent hosts over one database: any of them serves a conversation, and what happens to one of them loses, doubles and blocks nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Fleet, NO } from "./fleet.mjs";
import { ModelServer, reply } from "../js/model-server.mjs";
import { PASSWORD, Postgres } from "../js/postgres.mjs";
import { pause, until } from "../js/wait.mjs";

let server;
before(async () => (server = await Postgres.start()));
after(() => server.close());

/** Runs with a fleet, and checks at the end that each call has one result and that nothing said the password. */
async function within(settings, run) {
  const fleet = await Fleet.start(server, settings);
  try {
    await run(fleet, ...fleet.hosts);
    for (const host of fleet.hosts) {
      assert.ok(!host.log.includes(PASSWORD), "the password is in a log");
      assert.ok(!/panicked/.test(host.log), host.log);
    }
  } finally {
    await fleet.close();
  }
}

const answer = (host, id, answers = /** @type {object} */ (NO), key = "k") => host.ask("POST", `/conversations/${id}/respond`, { answers }, { "Idempotency-Key": key });

/** Waits until an event that matches comes on a stream. */
async function hears(host, id, pattern) {
  const path = `/conversations/${id}/events`;
  const response = await fetch(host.url + path, { headers: host.opens(path), signal: AbortSignal.timeout(20_000) });
  let text = "";
  for await (const more of response.body.pipeThrough(new TextDecoderStream())) {
    text += more;
    if (pattern.test(text)) return text;
  }
  throw new Error(`the stream ended without ${pattern}`);
}

test("a message, the events, the walk and the answer each go through another host, and a stream hears at once what another host does", () =>
  // Catching up by asking would take longer than this test waits.
  within({ lease: 60_000 }, async (fleet, one, two, three) => {
    const id = await one.begin();
    const text = await hears(two, id, /awaiting_user_response.*\n/);
    const state = JSON.parse(/data: (.*awaiting_user_response.*)\n/.exec(text)[1]);
    const walk = await three.ask("PUT", `/conversations/${id}/walk`, { tool_call_id: state.tool_call_id, walk: state.walk }, { "If-Match": "*" });
    assert.equal(walk.status, 204, JSON.stringify(walk.body));
    const began = performance.now();
    const heard = hears(three, id, /"how":"answered"/);
    await pause(300);
    assert.deepEqual((await answer(one, id)).body, { accepted: true, again: false });
    await heard;
    assert.ok(performance.now() - began < 10_000, "the stream of another host waited");
    await fleet.comes(id, "idle");
    for (const host of fleet.hosts) {
      assert.deepEqual((await answer(host, id)).body, { accepted: true, again: true });
      assert.equal((await answer(host, id, { apply: true, environment: "staging", note: "x" })).status, 409);
      assert.equal((await host.ask("GET", `/conversations/${id}/records`)).body.length, 4);
    }
    const { results, wrong } = await fleet.results(id);
    assert.deepEqual(wrong, []);
    assert.deepEqual(Object.keys(results), ["call_1", "call_2", "call_3"]);
  }));

test("a tool runs on in one host while others take the answers to questions beside it", async () => {
  const model = await ModelServer.start();
  const question = (id) => /** @type {[string, string, object]} */ ([id, "ask_user", { questions: [{ id: "sure", text: "Sure?", answer_type: "boolean" }] }]);
  // The tool takes as long as several leases.
  const settings = { pace: 2_500, lease: 1_000, options: ["--model", model.url, "--model-name", "test-model", "--several-open", "true"], program: { environment: { OPENAI_API_KEY: "sk-test" } } };
  await within(settings, async (fleet, one, two, three) => {
    model.gives(reply("I ask.", [question("a"), question("b"), ["c", "read_migration", {}]]), reply("The end."));
    const id = await one.begin();
    await until(async () => (await fleet.state(id)).beside?.length, "two questions are open", (count) => count === 2);
    assert.equal((await fleet.state(id)).call.id, "c");
    for (const [host, call] of [[two, "a"], [three, "b"]]) {
      const { status, body } = await host.ask("POST", `/conversations/${id}/respond`, { tool_call_id: call, answers: { sure: true } }, { "Idempotency-Key": call });
      assert.deepEqual([status, body], [200, { accepted: true, again: false }]);
    }
    assert.equal((await fleet.state(id)).state, "executing", "the tool still runs");
    await fleet.comes(id, "idle");
    const { results, wrong } = await fleet.results(id);
    assert.deepEqual([wrong, results.c], [[], [{ statements: 2, rows: 1_200_000 }]]);
    // The model gets them in the order of its calls.
    assert.deepEqual(model.messages(1).filter(({ role }) => role === "tool").map(({ tool_call_id: call }) => call), ["a", "b", "c"]);
  });
  await model.close();
});

test("of answers that come to all hosts at once, one is taken", () =>
  within({}, async (fleet) => {
    for (let round = 0; round < 5; round += 1) {
      const id = await fleet.hosts[round % 3].begin();
      await fleet.comes(id, "awaiting_user_response");
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, number) => answer(fleet.hosts[number % 3], id, { ...NO, reason: `reason ${number}` }, `key ${number}`)),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(11).fill(409)]);
      await fleet.comes(id, "idle");
      const taken = replies.findIndex(({ status }) => status === 200);
      assert.equal((await fleet.results(id)).results.call_3[0].reason, `reason ${taken}`);
      assert.deepEqual((await fleet.results(id)).wrong, []);
    }
  }));

test("a host that is killed between the question and the answer is not missed", () =>
  within({}, async (fleet, one, two) => {
    const id = await one.begin();
    await fleet.comes(id, "awaiting_user_response");
    await one.kill();
    assert.equal((await answer(two, id)).status, 200);
    await fleet.comes(id, "idle");
    assert.deepEqual((await fleet.results(id)).wrong, []);
  }));

test("a host that is killed after the answer was stored, before the agent goes on: another host goes on", () =>
  within({ wired: true }, async (fleet, one, two) => {
    const id = await one.begin();
    await fleet.comes(id, "awaiting_user_response");
    // The database stores the answer, and the host never hears that it did.
    const told = fleet.wires[0].holdReplyTo(NO.reason);
    const lost = answer(one, id).catch(() => undefined);
    await told;
    await fleet.comes(id, "requesting_model");
    await one.kill();
    await lost;
    await fleet.comes(id, "idle");
    assert.deepEqual((await answer(two, id)).body, { accepted: true, again: true });
    assert.deepEqual((await fleet.results(id)).wrong, []);
    assert.equal((await fleet.messages(id)).at(-1).text, "I leave the database as it is.");
  }));

test("a host that is killed while a tool runs: the call gets one result, which says that nobody knows", () =>
  within({ pace: 400 }, async (fleet, one) => {
    const id = await one.begin();
    await fleet.comes(id, "executing");
    await one.kill();
    await fleet.comes(id, "awaiting_user_response", "idle");
    const open = (await fleet.state(id)).call?.id;
    const { results, wrong } = await fleet.results(id);
    assert.deepEqual(wrong.filter((call) => call !== open), []);
    assert.ok(JSON.stringify(results).includes("The host was restarted while this tool ran"));
  }));

test("a host that stands still for longer than its lease lasts changes nothing when it goes on", () =>
  within({ pace: 700, lease: 2_000 }, async (fleet, one, ...others) => {
    for (const when of ["requesting_model", "executing"]) {
      const id = await one.begin();
      await fleet.comes(id, when);
      one.signal("SIGSTOP");
      await fleet.comes(id, "awaiting_user_response");
      const before = JSON.stringify([await fleet.messages(id), await fleet.state(id)]);
      one.signal("SIGCONT");
      await pause(4_000);
      assert.equal(JSON.stringify([await fleet.messages(id), await fleet.state(id)]), before, "the host that stood still has changed something");
      // It works again, under another lease.
      assert.equal((await answer(one, id)).status, 200);
      await fleet.comes(id, "idle");
      assert.deepEqual((await fleet.results(id)).wrong, []);
    }
    assert.ok(others.every(({ log }) => !/ERROR/.test(log)));
  }));

test("a change that reaches the database after the lease of its process has ended changes nothing", () =>
  within({ wired: true, pace: 50, lease: 2_000 }, async (fleet, one, two) => {
    // The reply of the model, and then the result of a tool.
    for (const late of ["I read the migration first.", "1200000"]) {
      const delayed = fleet.wires[0].delay(late);
      const id = await one.begin();
      const release = await delayed;
      one.signal("SIGSTOP");
      await fleet.comes(id, "awaiting_user_response");
      const before = JSON.stringify([await fleet.messages(id), await fleet.state(id)]);
      release();
      await pause(1_000);
      one.signal("SIGCONT");
      await pause(1_000);
      assert.equal(JSON.stringify([await fleet.messages(id), await fleet.state(id)]), before, late);
      assert.equal((await answer(two, id)).status, 200);
      await fleet.comes(id, "idle");
      assert.deepEqual((await fleet.results(id)).wrong, []);
    }
  }));

test("a host that is cut off from the database stops, another goes on, and what the first had begun counts no more", () =>
  within({ pace: 4_000, lease: 2_000, wired: true }, async (fleet, one, two) => {
    const id = await one.begin();
    await fleet.comes(id, "requesting_model");
    fleet.wires[0].hold();
    await fleet.comes(id, "awaiting_user_response");
    const before = JSON.stringify(await fleet.messages(id));
    fleet.wires[0].open();
    await pause(3_000);
    assert.equal(JSON.stringify(await fleet.messages(id)), before);
    assert.equal((await answer(two, id)).status, 200);
    await fleet.comes(id, "idle");
    assert.equal((await one.ask("GET", `/conversations/${id}/records`)).status, 200);
    assert.deepEqual((await fleet.results(id)).wrong, []);
  }));

test("a connection that is cut while an answer is stored: it is stored once, and acknowledged", () =>
  within({ wired: true, lease: 10_000 }, async (fleet, one) => {
    const id = await one.begin();
    await fleet.comes(id, "awaiting_user_response");
    const told = fleet.wires[0].holdReplyTo(NO.reason);
    const acknowledged = answer(one, id);
    await told;
    await fleet.comes(id, "requesting_model");
    fleet.wires[0].cut();
    await pause(200);
    fleet.wires[0].open();
    assert.deepEqual((await acknowledged).body, { accepted: true, again: false });
    await fleet.comes(id, "idle");
    const { results, wrong } = await fleet.results(id);
    assert.deepEqual([wrong, results.call_3.length], [[], 1]);
  }));

test("a client that goes away while its answer is stored: the answer is stored, and another secret under its key is another answer", () =>
  within({ wired: true, count: 1, lease: 10_000 }, async (fleet, one) => {
    const id = await one.begin();
    await fleet.comes(id, "awaiting_user_response");
    assert.equal((await answer(one, id, { apply: true, environment: "staging", note: "x" }, "j")).status, 200);
    await until(async () => (await fleet.state(id)).call?.name, "the next call", (name) => name === "announce");
    await fleet.comes(id, "awaiting_user_response");
    const delayed = fleet.wires[0].delay('"posted":true');
    const path = `/conversations/${id}/respond`;
    const leaves = new AbortController();
    const headers = { "Content-Type": "application/json", "Idempotency-Key": "k", ...one.opens(path) };
    const left = fetch(one.url + path, { method: "POST", headers, body: JSON.stringify({ answers: { token: "one" } }), signal: leaves.signal });
    const release = await delayed;
    leaves.abort();
    await assert.rejects(left);
    await pause(300);
    release();
    await fleet.comes(id, "idle");
    assert.equal((await answer(one, id, { token: "another" })).status, 409);
    assert.deepEqual((await answer(one, id, { token: "one" })).body, { accepted: true, again: true });
  }));

test("a host is not ready while its database can only be read", () =>
  within({ count: 1 }, async (fleet, one) => {
    const ready = async () => (await fetch(`${one.url}/ready`)).status;
    assert.equal(await ready(), 200);
    const only = (is) => fleet.database.sql(`ALTER DATABASE ${fleet.database.name} SET default_transaction_read_only = ${is}`);
    // Those that are there already keep what they began with.
    const cut = () => fleet.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");
    only("on");
    cut();
    await until(ready, "a host that is not ready", (status) => status !== 200);
    assert.equal((await one.ask("POST", "/conversations", {})).status, 503);
    assert.equal(await ready(), 503);
    server.sql(`ALTER DATABASE ${fleet.database.name} SET default_transaction_read_only = off`);
    cut();
    await until(ready, "a host that is ready", (status) => status === 200);
    assert.equal((await one.ask("POST", "/conversations", {})).status, 201);
  }));

test("a stop at one host ends what another host does, at once", () =>
  within({ pace: 5_000, lease: 60_000 }, async (fleet, one, two) => {
    const id = await one.begin();
    await fleet.comes(id, "requesting_model");
    assert.equal((await two.ask("POST", `/conversations/${id}/cancel`, {})).status, 200);
    await fleet.comes(id, "idle");
    assert.equal((await two.ask("POST", `/conversations/${id}/messages`, { text: "Again." })).status, 202);
    await one.kill();
    await fleet.comes(id, "executing");
    assert.equal((await fleet.messages(id)).filter(({ role }) => role === "assistant").length, 1);
  }));

test("the database crashes and comes back: no host ends, and every conversation goes on", () =>
  within({ lease: 3_000, pace: 100 }, async (fleet) => {
    const ids = await Promise.all(Array.from({ length: 9 }, (_, number) => fleet.hosts[number % 3].begin()));
    await server.end("immediate");
    await pause(500);
    for (const host of fleet.hosts) {
      const checks = ["/health", "/ready"].map(async (path) => (await fetch(host.url + path)).status);
      assert.deepEqual(await Promise.all(checks), [200, 503]);
    }
    await server.begin();
    for (const host of fleet.hosts) await until(async () => (await fetch(`${host.url}/ready`)).status, "a host that is ready", (status) => status === 200);
    for (const id of ids) await fleet.comes(id, "awaiting_user_response");
    await Promise.all(ids.map(async (id, number) => assert.equal((await answer(fleet.hosts[(number + 1) % 3], id)).status, 200)));
    for (const id of ids) {
      await fleet.comes(id, "idle");
      assert.deepEqual((await fleet.results(id)).wrong, []);
    }
  }));

test("a notification that is lost with its connection is made up for", () =>
  within({ lease: 2_000 }, async (fleet, one, two) => {
    const id = await one.begin();
    await fleet.comes(id, "awaiting_user_response");
    const heard = hears(two, id, /"how":"answered"/);
    await pause(300);
    fleet.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' OR query = 'SELECT 1'");
    assert.equal((await answer(one, id)).status, 200);
    await heard;
  }));

test("a host that is asked to end gives up what it does at once", () =>
  within({ pace: 1_000, lease: 60_000 }, async (fleet, one) => {
    const id = await one.begin();
    await fleet.comes(id, "requesting_model");
    assert.equal(await one.stop(), 0);
    await fleet.comes(id, "awaiting_user_response");
    assert.deepEqual(await fleet.rows("SELECT count(*) FROM agent_host.leases"), ["2"]);
  }));

test("hosts that start at once make the tables once; a database of a newer version is refused with words", () =>
  within({}, async (fleet, one) => {
    assert.deepEqual(await fleet.rows("SELECT count(*) FROM agent_host.versions"), ["3"]);
    fleet.database.sql("INSERT INTO agent_host.versions (version) VALUES (999)");
    await one.kill();
    await assert.rejects(one.start(), /version 999.*update the program/);
  }));

test("a text with U+0000, and an id that is none, do no harm", () =>
  within({ count: 1 }, async (fleet, one) => {
    const id = await one.begin("a\u0000b");
    await fleet.comes(id, "awaiting_user_response");
    assert.equal((await one.ask("PUT", `/conversations/${id}/walk`, { tool_call_id: "a\u0000", walk: {} })).status, 409);
    assert.equal((await one.ask("POST", `/conversations/${id}/respond`, { tool_call_id: "a\u0000", answers: NO })).status, 409);
    assert.equal((await fetch(`${one.url}/conversations/%00/records`)).status, 404);
    assert.equal((await answer(one, id, { apply: false, reason: "a\u0000b" })).status, 200);
    await fleet.comes(id, "idle");
  }));
