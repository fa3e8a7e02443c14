// The server of the MCP App, by the messages of its protocol: what a view may send, how often, and to which call.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { makeServer } from "../../examples/mcp-app/server.mjs";
import { open } from "../../pkg/dist/core.node.js";

const from = createRequire(new URL("../../examples/package.json", import.meta.url));
const { InMemoryTransport } = from("@modelcontextprotocol/sdk/inMemory.js");
const REQUEST = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }, { id: "key", text: "Which key?", answer_type: "secret" }] };

/** A client of a server: `calls(id, name, arguments)` promises the reply to a call; `ended` is what the server itself heard. */
async function met() {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const ended = [];
  await makeServer((end) => ended.push(end)).connect(theirs);
  const waiting = [];
  ours.onmessage = (message) => {
    const place = waiting.findIndex(({ id }) => id === message.id);
    if (place >= 0) waiting.splice(place, 1)[0].resolve(message.result ?? message.error);
  };
  await ours.start();
  const sent = (id, method, params) => new Promise((resolve) => (waiting.push({ id, resolve }), ours.send({ jsonrpc: "2.0", id, method, params })));
  await sent("init", "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test host", version: "1" } });
  await ours.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  let answers = 0;
  const calls = (id, name, args) => sent(id, "tools/call", { name, arguments: args });
  const sends = (args) => calls(`answer-${(answers += 1)}`, "ask_user_answer", args);
  return { ended, asks: (id) => calls(id, "ask_user", REQUEST), answers: sends, cancels: (id) => ours.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }) };
}

/** What a view sends that has answered. */
function answer(id, go = true) {
  const walk = open(REQUEST, { dialect: "ask_user", toolCallId: id });
  walk.answer(go);
  walk.answer("hunter2");
  return { tool_call_id: id, ...walk.response };
}
const words = ({ content, isError = false }) => [content[0].text, isError];

test("the same answer is acknowledged each time and taken once, and another one is refused, before and after the call has its result", async () => {
  const { ended, asks, answers } = await met();
  const result = asks(1);
  const replies = await Promise.all([answers(answer("1")), answers(answer("1")), answers(answer("1", false))]);
  assert.deepEqual(JSON.parse((await result).content[0].text), { go: true, key: "[redacted]" });
  replies.push(await answers(answer("1")), await answers(answer("1", false)));
  const [taken, refused] = [["Thank you.", false], ["Another answer was taken already. This one was not.", true]];
  assert.deepEqual(replies.map(words), [taken, taken, refused, taken, refused]);
  assert.equal(ended.length, 1);
});

test("two answers that differ in a secret alone are two answers", async () => {
  const { asks, answers } = await met();
  asks(1);
  assert.deepEqual(words(await answers(answer("1"))), ["Thank you.", false]);
  const other = { ...answer("1"), secrets: { key: "hunter3" } };
  assert.deepEqual(words(await answers(other)), ["Another answer was taken already. This one was not.", true]);
});

test("what is no whole answer is refused with words, and the call waits on", async () => {
  const { asks, answers, ended } = await met();
  const result = asks(1);
  const whole = answer("1");
  const empty = open(REQUEST, { dialect: "ask_user", toolCallId: "1" }).response;
  for (const args of [undefined, {}, { tool_call_id: "2", ...empty }, { tool_call_id: "1" }, { ...whole, walk: null }, { ...whole, secrets: null }, { ...whole, secrets: {} }, { tool_call_id: "1", ...empty }]) {
    const [text, isError] = words(await answers(args));
    assert.ok(text && isError, JSON.stringify(args));
  }
  assert.deepEqual(ended, []);
  await answers(whole);
  assert.equal((await result).isError ?? false, false);
});

test("a call with the id of one that is open is refused, and the first one keeps its question", async () => {
  const { asks, answers } = await met();
  const result = asks(1);
  // The protocol tells 1 from "1"; a view names both "1".
  assert.deepEqual(words(await asks("1")), ['A call with the id "1" is open.', true]);
  await answers(answer("1"));
  assert.deepEqual(JSON.parse((await result).content[0].text), { go: true, key: "[redacted]" });
});

test("a call that is withdrawn takes no answer", async () => {
  const { asks, answers, cancels, ended } = await met();
  asks(1);
  await cancels(1);
  assert.deepEqual([words(await answers(answer("1"))), ended], [["This question is not open any more.", true], []]);
});
