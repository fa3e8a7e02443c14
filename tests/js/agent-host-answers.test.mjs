// Which answer belongs to which question: keys that come again, ids of calls that a model uses twice, and answers that meet the end of the turn.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AgentHost } from "./agent-host.mjs";
import { ModelServer, failure, reply } from "./model-server.mjs";
import { pause } from "./wait.mjs";
import { resume } from "../../pkg/dist/core.node.js";

let server;
let host;
before(async () => {
  server = await ModelServer.start();
  host = await AgentHost.start({ options: ["--model", server.url, "--model-name", "test-model", "--retries", 0], environment: { OPENAI_API_KEY: "" } });
});
after(async () => {
  await host.close();
  await server.close();
});

const question = (text, type = "boolean") => ({ questions: [{ id: "sure", text, answer_type: type }] });
const asks = (call, text, type) => reply("", [[call, "ask_user", question(text, type)]]);

/** The last state of a conversation, once it matches. */
async function comes(id, matches) {
  for (let tries = 0; tries < 100; tries += 1) {
    const [, state] = (await host.events(id)).findLast(([kind]) => kind === "state_change") ?? [];
    if (state && matches(state)) return state;
  }
  throw new Error("the state does not come");
}

/** The question with this text, once it is open. */
const asked = (id, text) => comes(id, (state) => state.type === "awaiting_user_response" && state.request.questions[0].text === text);
const idle = (id) => comes(id, (state) => state.type === "idle");
/** Waits until the agent has said this and is idle. */
async function said(id, words) {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await host.events(id)).some(([, { text }]) => text === words)) return idle(id);
  }
  throw new Error(`nobody says ${words}`);
}
const formed = (state) => resume(state.request, state.walk, { ...state.options, tool_call_id: undefined, toolCallId: state.tool_call_id, dialect: state.dialect });

/** Sends an answer, and gives what is said of it. */
async function respond(id, body, key, path = "respond") {
  const said = await host.ask("POST", `/conversations/${id}/${path}`, body, key === undefined ? {} : { "Idempotency-Key": key });
  return [said.status, said.body.again ?? said.body.error];
}

/** What the agent got from its calls, in order. */
const got = async (id) => (await host.events(id)).filter(([, { role }]) => role === "tool").map(([, { content }]) => content);

for (const [how, one, other] of [["in two calls", "call_1", "call_2"], ["in two calls with one id", "call_1", "call_1"]]) {
  test(`a key counts for its own question only: the same answers ${how}`, async () => {
    server.gives(asks(one, "One?"), asks(other, "Two?"), reply("Done."));
    const id = await host.begin("Go on.");
    await asked(id, "One?");
    assert.deepEqual(await respond(id, { answers: { sure: true } }, "k"), [200, false]);
    await asked(id, "Two?");
    for (const call of [other, undefined]) {
      assert.deepEqual(await respond(id, { tool_call_id: call, answers: { sure: true } }, "k"), [409, "sent_differently"]);
    }
    await asked(id, "Two?");
    assert.deepEqual(await respond(id, { answers: { sure: true } }, "l"), [200, false]);
    await idle(id);
    assert.deepEqual(await respond(id, { tool_call_id: other, answers: { sure: true } }, "l"), [200, true]);
    assert.deepEqual(await respond(id, { tool_call_id: one, answers: { sure: true } }, "k"), [200, true]);
    assert.deepEqual(await respond(id, { tool_call_id: "call_3", answers: { sure: true } }, "k"), [409, "sent_differently"]);
    assert.deepEqual(await got(id), [{ sure: true }, { sure: true }]);
  });

  test(`a key counts for its own question only: the same walk ${how}`, async () => {
    server.gives(asks(one, "One?"), asks(other, "Two?"), reply("Done."));
    const id = await host.begin("Go on.");
    const bodies = [];
    for (const [text, key] of [["One?", "k"], ["Two?", "l"]]) {
      const state = await asked(id, text);
      const walk = formed(state);
      walk.answer(true);
      const body = { tool_call_id: state.tool_call_id, ...walk.response };
      if (key === "l") assert.deepEqual(await respond(id, body, "k"), [409, "sent_differently"]);
      assert.deepEqual(await respond(id, body, key), [200, false]);
      bodies.push(body);
    }
    await idle(id);
    assert.deepEqual(await respond(id, bodies[0], "k"), [200, true]);
    assert.deepEqual(await respond(id, bodies[1], "l"), [200, true]);
    assert.deepEqual(await got(id), [{ sure: true }, { sure: true }]);
  });
}

test("without a key, each question is answered once, and no answer that comes twice counts for another question", async () => {
  server.gives(asks("call_1", "One?"), asks("call_1", "Two?"), asks("call_2", "Three?"), reply("Done."));
  const id = await host.begin("Go on.");
  await asked(id, "One?");
  assert.deepEqual(await respond(id, { answers: { sure: true } }), [200, false]);
  await asked(id, "Two?");
  // Whether this is the first answer once more, nobody can tell.
  for (const call of ["call_1", undefined]) assert.deepEqual(await respond(id, { tool_call_id: call, answers: { sure: true } }), [409, "needs_key"]);
  await asked(id, "Two?");
  assert.deepEqual(await respond(id, { answers: { sure: false } }), [200, false]);
  await asked(id, "Three?");
  assert.deepEqual(await respond(id, { answers: { sure: true } }), [200, false]);
  await idle(id);
  for (const [call, sure] of [["call_1", false], ["call_2", true]]) {
    assert.deepEqual(await respond(id, { tool_call_id: call, answers: { sure } }), [200, true]);
    assert.deepEqual(await respond(id, { tool_call_id: call, answers: { sure: !sure } }), [409, "sent_differently"]);
  }
  assert.deepEqual(await got(id), [{ sure: true }, { sure: false }, { sure: true }]);
});

test("a walk that was taken is known again while its call is open for another question", async () => {
  server.gives(asks("call_1", "One?"), asks("call_1", "Two?"), reply("Done."));
  const id = await host.begin("Go on.");
  const state = await asked(id, "One?");
  const walk = formed(state);
  walk.answer(true);
  const body = { tool_call_id: "call_1", ...walk.response };
  assert.deepEqual(await respond(id, body, "k"), [200, false]);
  await asked(id, "Two?");
  assert.deepEqual(await respond(id, body, "k"), [200, true]);
  await asked(id, "Two?");
  assert.equal((await host.ask("POST", `/conversations/${id}/cancel`, {})).status, 200);
  await idle(id);
});

test("a walk that names another call, or no question, is taken for none", async () => {
  server.gives(asks("call_1", "One?"), asks("call_2", "Two?"), reply("Done."));
  const id = await host.begin("Go on.");
  const walk = formed(await asked(id, "One?"));
  walk.answer(true);
  assert.deepEqual(await respond(id, { tool_call_id: "call_1", ...walk.response }, "k"), [200, false]);
  await asked(id, "Two?");
  const { nonce: _, ...nameless } = walk.response.walk;
  for (const body of [walk.response, { ...walk.response, walk: nameless }, { walk: { log: walk.response.walk.log }, secrets: {} }]) {
    assert.deepEqual(await respond(id, { tool_call_id: "call_2", ...body }, "k"), [409, "sent_differently"]);
  }
  assert.deepEqual(await respond(id, { tool_call_id: "call_1", ...walk.response }, "k"), [200, true]);
  await asked(id, "Two?");
  assert.equal((await host.ask("POST", `/conversations/${id}/cancel`, {})).status, 200);
  await idle(id);
});

test("a key of long ago takes no answer, and nothing is stuck", async () => {
  const count = 24;
  server.gives(...Array.from({ length: count }, (_, at) => asks("call_1", `${at}?`)), reply("Done."));
  const id = await host.begin("Go on.");
  for (let at = 0; at < count - 1; at += 1) {
    await asked(id, `${at}?`);
    assert.deepEqual(await respond(id, { answers: { sure: true } }, `k${at}`), [200, false]);
  }
  await asked(id, `${count - 1}?`);
  for (const body of [{ answers: { sure: true } }, { answers: { sure: false } }]) assert.equal((await respond(id, body, "k0"))[0], 409);
  assert.deepEqual(await respond(id, { answers: { sure: true } }, "new"), [200, false]);
  await idle(id);
});

test("after a restart, an answer that comes again is known by its question", async () => {
  server.gives(asks("call_1", "One?"), asks("call_1", "Two?"), reply("Done."));
  const id = await host.begin("Go on.");
  await asked(id, "One?");
  assert.deepEqual(await respond(id, { answers: { sure: true } }, "k"), [200, false]);
  await asked(id, "Two?");
  await host.kill();
  await host.restart();
  assert.deepEqual(await respond(id, { tool_call_id: "call_1", answers: { sure: true } }, "k"), [409, "sent_differently"]);
  assert.deepEqual(await respond(id, { tool_call_id: "call_1", answers: { sure: true } }, "l"), [200, false]);
  await idle(id);
});

test("a key that is too long, or no text, is refused, and an empty one is none", async () => {
  server.gives(asks("call_1", "One?"), reply("Done."));
  const id = await host.begin("Go on.");
  await asked(id, "One?");
  for (const key of ["k".repeat(257), "k".repeat(5_000), "schlüssel"]) {
    assert.deepEqual(await respond(id, { answers: { sure: true } }, key), [422, "bad_request"], key.slice(0, 20));
    assert.deepEqual(await respond(id, { tool_call_id: "call_1", walk: {} }, key), [422, "bad_request"]);
  }
  assert.deepEqual(await respond(id, { answers: { sure: true } }, ""), [200, false]);
  assert.deepEqual(await respond(id, { tool_call_id: "call_1", answers: { sure: true } }), [200, true]);
  await idle(id);

  server.gives(asks("call_2", "Two?"), reply("Done."));
  await host.ask("POST", `/conversations/${id}/messages`, { text: "Again." });
  await asked(id, "Two?");
  assert.deepEqual(await respond(id, { answers: { sure: true } }, "k".repeat(256)), [200, false]);
  await idle(id);
});

test("a call with an id that is too long does not run, nor do those beside it, and the model is told why", async () => {
  const long = "c".repeat(3_000);
  server.gives(reply("I look.", [["call_1", "read_migration", {}], [long, "list_backups", {}]]), reply("Sorry."));
  const id = await host.begin("Go on.");
  await idle(id);
  assert.deepEqual(await got(id), []);
  assert.equal((await host.ask("POST", `/conversations/${id}/messages`, { text: "Again." })).status, 202);
  await said(id, "Sorry.");
  const texts = (await host.events(id)).filter(([, { role }]) => role === "assistant").map(([, { text }]) => text);
  assert.match(texts[0], /^I look\.\n\n.*more than 256 bytes.*None was run/s);
  assert.ok(!texts[0].includes(long));
  // Letters that PostgreSQL keeps as six each.
  server.gives(asks("\u0001".repeat(256), "One?"), reply("Done."));
  const other = await host.begin("Go on.");
  await asked(other, "One?");
  assert.deepEqual(await respond(other, { answers: { sure: true } }), [200, false]);
  await idle(other);
});

test("who stops the agent stops it, also after an answer that the page has saved and not sent", async () => {
  for (const remaining of /** @type {any[]} */ ([[], [["call_2", "read_migration", {}], ["call_3", "ask_user", question("Two?")]]])) {
    server.gives(reply("", [["call_1", "ask_user", question("One?")], ...remaining]), failure(500, "The agent was not stopped."));
    const id = await host.begin("Go on.");
    const state = await asked(id, "One?");
    const walk = formed(state);
    walk.answer(true);
    const saved = await host.ask("PUT", `/conversations/${id}/walk`, { tool_call_id: state.tool_call_id, walk: walk.save() });
    assert.equal(saved.status, 204);
    assert.equal((await host.ask("POST", `/conversations/${id}/cancel`, {})).status, 200);
    const states = (await host.events(id)).filter(([kind]) => kind === "state_change").map(([, data]) => data);
    assert.equal(states.at(-1).type, "idle");
    assert.equal(states.find(({ closed }) => closed).closed.how, "turn_ended");
    assert.equal((await got(id)).length, 1 + remaining.length);
    assert.doesNotMatch(JSON.stringify((await got(id))[0]), /"sure":true/);
    // Nothing was asked of the model any more.
    await pause(100);
    assert.equal(server.requests.length, 1);
    // The page's own delivery comes now, and hears that it does not count.
    assert.deepEqual(await respond(id, { tool_call_id: state.tool_call_id, ...walk.response }, walk.idempotencyKey), [409, "not_open"]);
    server.gives(reply("Fine."));
    assert.equal((await host.ask("POST", `/conversations/${id}/messages`, { text: "Again." })).status, 202);
    await said(id, "Fine.");
  }
});

test("a stop that names a call stops that one alone", async () => {
  server.gives(asks("call_1", "One?"), asks("call_2", "Two?"), reply("Done."));
  const id = await host.begin("Go on.");
  await asked(id, "One?");
  assert.deepEqual(await respond(id, { tool_call_id: "call_2" }, undefined, "cancel"), [409, "not_open"]);
  assert.deepEqual(await respond(id, { tool_call_id: 7 }, undefined, "cancel"), [422, "bad_request"]);
  assert.deepEqual(await respond(id, { answers: { sure: true } }), [200, false]);
  await asked(id, "Two?");
  // It comes late, for the question that was open when it was pressed.
  assert.deepEqual(await respond(id, { tool_call_id: "call_1" }, undefined, "cancel"), [409, "not_open"]);
  await asked(id, "Two?");
  assert.equal((await respond(id, { tool_call_id: "call_2" }, undefined, "cancel"))[0], 200);
  await idle(id);
  assert.deepEqual(await respond(id, { tool_call_id: "call_2" }, undefined, "cancel"), [409, "not_open"]);
});
