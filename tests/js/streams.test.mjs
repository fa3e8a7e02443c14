// The streams of model providers (`ask-user/streams`): event sequences in the shapes that the providers document, cut at every byte.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toolCalls } from "../../pkg/src/streams.js";

const REQUEST = { questions: [{ id: "go", text: "Go – “now”? 😀", answer_type: "boolean" }, { id: "why", text: "Why?", answer_type: "text" }] };
const TEXT = JSON.stringify(REQUEST);
const WEATHER = '{"city":"Köln"}';
/** A text in pieces of a few characters, as tokens come. */
const pieces = (text) => text.match(/.{1,9}/gsu);
const ASK = { id: "call_1", name: "ask_user", text: TEXT };

const chat = (delta, finish_reason = null) => ({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt", choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
const called = (index, more) => chat({ tool_calls: [{ index, ...more }] });
const delta = (index, type, more) => ({ type: "content_block_delta", index, delta: { type, ...more } });
const said = (parts, more) => ({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], modelVersion: "gemini" });

/** Each stream: the provider, its events, and the calls in it. */
const STREAMS = [
  ["openai-chat", [
    chat({ role: "assistant", content: null }),
    called(0, { id: "call_1", type: "function", function: { name: "ask_user", arguments: "" } }),
    ...pieces(TEXT).map((text) => called(0, { function: { arguments: text } })),
    called(1, { id: "call_2", type: "function", function: { name: "weather", arguments: "" } }),
    ...pieces(WEATHER).map((text) => called(1, { function: { arguments: text } })),
    chat({}, "tool_calls"),
    { id: "chatcmpl-1", object: "chat.completion.chunk", choices: [], usage: { total_tokens: 9 } },
    "[DONE]",
  ], [ASK, { id: "call_2", name: "weather", text: WEATHER }]],
  // A server that writes each call at once, and all with one index.
  ["openai-chat", [called(0, { id: "call_1", type: "function", function: { name: "ask_user", arguments: TEXT } }), called(0, { id: "call_2", function: { name: "weather", arguments: WEATHER } }), chat({}, "stop"), "[DONE]"], [ASK, { id: "call_2", name: "weather", text: WEATHER }]],
  ["openai-responses", [
    { type: "response.created", sequence_number: 0, response: { id: "resp_1", status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1", role: "assistant", content: [] } },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "I'll ask." },
    { type: "response.output_item.added", output_index: 1, item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "ask_user", arguments: "", status: "in_progress" } },
    ...pieces(TEXT).map((delta) => ({ type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta })),
    { type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 1, arguments: TEXT },
    { type: "response.output_item.done", output_index: 1, item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "ask_user", arguments: TEXT, status: "completed" } },
    { type: "response.completed", response: { id: "resp_1", status: "completed" } },
  ], [ASK]],
  ["anthropic", [
    { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [] } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    delta(0, "text_delta", { text: "I'll ask." }),
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "call_1", name: "ask_user", input: {} } },
    delta(1, "input_json_delta", { partial_json: "" }),
    ...pieces(TEXT).map((partial_json) => delta(1, "input_json_delta", { partial_json })),
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "call_2", name: "now", input: {} } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ], [ASK, { id: "call_2", name: "now", text: "{}" }]],
  ["gemini", [said([{ text: "I'll ask." }]), said([{ functionCall: { id: "call_1", name: "ask_user", args: REQUEST } }]), said([{ functionCall: { name: "now" } }], { finishReason: "STOP" })], [ASK, { id: undefined, name: "now", text: "{}" }]],
  ["ag-ui", [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TOOL_CALL_START", toolCallId: "call_1", toolCallName: "ask_user", parentMessageId: "m" },
    ...pieces(TEXT).map((delta) => ({ type: "TOOL_CALL_ARGS", toolCallId: "call_1", delta })),
    { type: "TOOL_CALL_END", toolCallId: "call_1" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ], [ASK]],
  ["ag-ui", [
    { type: "TOOL_CALL_CHUNK", toolCallId: "call_1", toolCallName: "ask_user" },
    ...pieces(TEXT).map((delta) => ({ type: "TOOL_CALL_CHUNK", delta })),
    { type: "TOOL_CALL_CHUNK", toolCallId: "call_2", toolCallName: "weather", delta: WEATHER },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ], [ASK, { id: "call_2", name: "weather", text: WEATHER }]],
  ["ai-sdk", [
    { type: "start", messageId: "m" },
    { type: "start-step" },
    { type: "tool-input-start", toolCallId: "call_1", toolName: "ask_user" },
    ...pieces(TEXT).map((inputTextDelta) => ({ type: "tool-input-delta", toolCallId: "call_1", inputTextDelta })),
    { type: "tool-input-available", toolCallId: "call_1", toolName: "ask_user", input: REQUEST },
    { type: "tool-input-available", toolCallId: "call_2", toolName: "weather", input: JSON.parse(WEATHER) },
    { type: "finish-step" },
    { type: "finish" },
    "[DONE]",
  ], [ASK, { id: "call_2", name: "weather", text: WEATHER }]],
  // The parts of `fullStream`.
  ["ai-sdk", [
    { type: "tool-input-start", id: "call_1", toolName: "ask_user" },
    ...pieces(TEXT).map((delta) => ({ type: "tool-input-delta", id: "call_1", delta })),
    { type: "tool-input-end", id: "call_1" },
    { type: "tool-call", toolCallId: "call_1", toolName: "ask_user", input: REQUEST },
  ], [ASK]],
];

/** Events as a server sends them. */
const sent = (events, end = "\n") => events.map((event) => [`event: ${event.type ?? "message"}`, `data: ${typeof event === "string" ? event : JSON.stringify(event)}`, "", ""].join(end)).join(end === "\r" ? "\r" : "");
async function* of(items) {
  yield* items;
}
async function whole(text) {
  let found = "";
  for await (const piece of text) found += piece;
  return found;
}
/** The calls in a stream, with their texts. */
async function read(source, options) {
  const found = [];
  for await (const { id, name, text } of toolCalls(source, options)) found.push({ id, name, text: await whole(text) });
  return found;
}

for (const [place, [provider, events, calls]] of /** @type {any[][]} */ (STREAMS).entries()) {
  test(`${place} ${provider}: the calls in a stream that is cut at any byte`, async () => {
    const bytes = new TextEncoder().encode(sent(events));
    for (let at = 0; at <= bytes.length; at += 1) assert.deepEqual(await read(of([bytes.subarray(0, at), bytes.subarray(at)]), { provider }), calls, `cut at ${at}`);
    assert.deepEqual(await read(of([...bytes].map((byte) => Uint8Array.of(byte))), { provider }), calls, "each byte alone");
    for (const end of ["\r\n", "\r"]) assert.deepEqual(await read(of(sent(events, end).split("")), { provider }), calls, JSON.stringify(end));
  });

  test(`${place} ${provider}: the calls in a stream of objects, and those of one tool`, async () => {
    const objects = /** @type {any} */ (events).filter((event) => typeof event === "object");
    assert.deepEqual(await read(of(objects), { provider }), calls);
    assert.deepEqual(await read(/** @type {any} */ (ReadableStream).from(objects), { provider, tools: ["ask_user"] }), [ASK]);
  });

  test(`${place} ${provider}: a call whose stream ends before it is whole fails`, async () => {
    const objects = /** @type {any} */ (events).filter((event) => typeof event === "object");
    const first = objects.findIndex((event) => JSON.stringify(event).includes("ask_user"));
    const isWhole = async (count) => {
      const texts = [];
      for await (const call of toolCalls(of(objects.slice(0, count)), { provider, tools: ["ask_user"] })) texts.push(await whole(call.text).catch((error) => error));
      return texts;
    };
    let were = false;
    for (let count = 0; count <= objects.length; count += 1) {
      const [text] = await isWhole(count);
      if (count <= first) assert.equal(text, undefined);
      else if (text instanceof Error) assert.match(text.message, /before the call was complete/);
      else [were] = [true, assert.equal(text, TEXT)];
      assert(!were || text === TEXT, "a call that is whole stays so");
    }
    assert(were);
  });
}

test("a call is there before it is whole, and its text goes on when nobody takes more calls", async () => {
  let go;
  const later = new Promise((resolve) => (go = resolve));
  async function* source() {
    yield { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "call_1", name: "ask_user", input: {} } };
    yield delta(0, "input_json_delta", { partial_json: TEXT.slice(0, 20) });
    await later;
    yield delta(0, "input_json_delta", { partial_json: TEXT.slice(20) });
    yield { type: "content_block_stop", index: 0 };
  }
  let call;
  for await (call of toolCalls(source(), { provider: "anthropic" })) break;
  const reader = call.text.getReader();
  assert.equal((await reader.read()).value, TEXT.slice(0, 20));
  go();
  assert.equal((await reader.read()).value, TEXT.slice(20));
  assert((await reader.read()).done);
});

test("what a provider says of a failure fails the call", async () => {
  const start = { anthropic: { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "1", name: "ask_user", input: {} } }, "openai-chat": called(0, { id: "1", function: { name: "ask_user", arguments: "{" } }), "ag-ui": { type: "TOOL_CALL_START", toolCallId: "1", toolCallName: "ask_user" }, "ai-sdk": { type: "tool-input-start", id: "1", toolName: "ask_user" }, "openai-responses": { type: "response.output_item.added", item: { type: "function_call", id: "1", call_id: "1", name: "ask_user", arguments: "" } } };
  const failures = [["anthropic", { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, /Overloaded/], ["openai-chat", chat({}, "length"), /length/], ["openai-chat", { error: { message: "Busy" } }, /Busy/], ["ag-ui", { type: "RUN_ERROR", message: "Lost" }, /Lost/], ["ai-sdk", { type: "error", errorText: "Gone" }, /Gone/], ["ai-sdk", { type: "error", error: new Error("Gone") }, /Gone/], ["openai-responses", { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } }, /max_output_tokens/]];
  for (const [provider, event, why] of /** @type {any[][]} */ (failures)) {
    const calls = toolCalls(of([start[provider], event]), { provider });
    const { value } = await calls.next();
    await assert.rejects(whole(/** @type {any} */ (value).text), why);
    await assert.rejects(calls.next(), why);
  }
  await assert.rejects(read(of([said([{ functionCall: { name: "ask_user", partialArgs: [], willContinue: true } }])]), { provider: "gemini" }), /streamFunctionCallArguments/);
});

test("what is no stream of a provider is refused", async () => {
  await assert.rejects(read(of([]), { provider: "toString" }), /`provider` must be one of: openai-chat/);
  await assert.rejects(read(of(["data: {nothing\n\n"]), { provider: "anthropic" }), SyntaxError);
});
