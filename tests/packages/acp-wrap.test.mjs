// `ask-user wrap` between an agent and a client that are both written with the SDK of the Agent Client Protocol. `npm ci` in this folder, then `node --test acp-wrap.test.mjs`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeEach, test } from "node:test";
import { COMMAND, Home } from "../js/inbox-app.mjs";

// Only this folder has the package: types are checked without it.
const SDK = "@agentclientprotocol/sdk";
const { client, methods, ndJsonStream } = await import(SDK);

/** Asks for a permission in each turn, and says what came of it. With the prompt "cancel" it takes its question back. */
const AGENT = `
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from ${JSON.stringify(import.meta.resolve("@agentclientprotocol/sdk"))};
const options = [{ optionId: "once", name: "Allow", kind: "allow_once" }, { optionId: "no", name: "Reject", kind: "reject_once" }];
agent({ name: "example" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentInfo: { name: "example", title: "Example agent", version: "1" }, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
  .onNotification(methods.agent.session.cancel, () => undefined)
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt: [{ text }] }, client }) => {
    const toolCall = { toolCallId: "c1", title: "Run the tests", kind: "execute", rawInput: { command: text } };
    const stop = new AbortController();
    const asked = client.request(methods.client.session.requestPermission, { sessionId, toolCall, options }, { cancellationSignal: stop.signal });
    if (text === "cancel") stop.abort();
    const said = await asked.then(JSON.stringify, (error) => "error " + error.code);
    await client.notify(methods.client.session.update, { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } } });
    return { stopReason: said.includes("cancelled") ? "cancelled" : "end_turn" };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
`;

let home;
beforeEach(() => (home = new Home()));
afterEach(() => home.end());

/** Runs the agent by the command for one prompt; `act` is the person in the inbox. Gives what the agent says, why its turn ended, and what the client was asked. */
async function prompted(text, act, words = []) {
  const file = join(home.path, "agent.mjs");
  writeFileSync(file, AGENT);
  const child = spawn(process.execPath, [COMMAND, "wrap", ...words, "--", process.execPath, file], { env: home.environment, cwd: home.path, stdio: ["pipe", "pipe", "inherit"] });
  const asked = [];
  let said = "";
  const app = client({ name: "editor" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => (asked.push(params), { outcome: { outcome: "selected", optionId: "no" } }))
    .onNotification(methods.client.session.update, ({ params: { update } }) => void (said += /** @type {any} */ (update).content.text));
  const stream = ndJsonStream(/** @type {any} */ (Writable.toWeb(child.stdin)), /** @type {any} */ (Readable.toWeb(child.stdout)));
  const { stopReason } = await app.connectWith(stream, async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/work/shop", mcpServers: [] });
    const turn = agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    await act?.(agent, sessionId);
    return turn;
  });
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
  return { said, stopReason, asked };
}

const outcome = (optionId) => JSON.stringify({ outcome: { outcome: "selected", optionId } });

test("the SDK's agent gets each decision of the inbox, and its client is not asked", async () => {
  await home.start();
  const person = await home.person();
  for (const [answer, optionId] of /** @type {const} */ ([["approve", "once"], ["reject", "no"]])) {
    const turn = await prompted("npm test", async () => {
      const [{ id, text, who, folder }] = await person.sees(1);
      assert.deepEqual([text, who, folder], ["Run the tests", "Example agent", "/work/shop"]);
      await person.answer(id, { q1: { type: answer } });
    });
    assert.deepEqual(turn, { said: outcome(optionId), stopReason: "end_turn", asked: [] });
  }
  const ended = await prompted("npm test", async () => person.stop((await person.sees(1))[0].id));
  assert.deepEqual(ended, { said: '{"outcome":{"outcome":"cancelled"}}', stopReason: "cancelled", asked: [] });
});

test("the SDK's client is asked where no inbox runs, or none answers in time", async () => {
  assert.equal((await prompted("npm test")).said, outcome("no"));
  await home.start();
  const { said, asked } = await prompted("npm test", undefined, ["--wait", "1"]);
  assert.deepEqual([said, asked.length], [outcome("no"), 1]);
  await (await home.person()).sees(0);
});

test("a turn that the client cancels, and a request that the agent takes back, end the question", async () => {
  await home.start();
  const person = await home.person();
  const cancelled = await prompted("npm test", async (agent, sessionId) => {
    await person.sees(1);
    await agent.notify(methods.agent.session.cancel, { sessionId });
  });
  assert.deepEqual([cancelled.said, cancelled.asked], ['{"outcome":{"outcome":"cancelled"}}', []]);
  await person.sees(0);
  assert.equal((await prompted("cancel")).said, "error -32800");
  await person.sees(0);
});
