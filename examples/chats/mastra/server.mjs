// A chat with Mastra. The tool `ask_user` suspends the run. The answer is checked on this server, and the run is resumed with it as the tool's result.
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { Memory } from "@mastra/memory";
import { definition, rejection } from "../parts/answers.mjs";
import { ask, serveChats, tell } from "../parts/runs.mjs";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY, MODEL = "gpt-5-mini" } = process.env;
const ask_user = createTool({
  id: "ask_user",
  description: definition.description,
  inputSchema: definition.parameters,
  execute: (request, { agent: { toolCallId, resumeData, suspend } }) => rejection(request, toolCallId) ?? resumeData?.output ?? suspend({}),
});
const storage = new InMemoryStore();
const assistant = new Agent({
  id: "assistant",
  name: "Assistant",
  instructions: definition.instructions,
  model: { providerId: "openai", modelId: MODEL, url: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY },
  tools: { ask_user },
  memory: new Memory({ storage, options: { lastMessages: 100 } }),
});
// The storage keeps suspended runs too.
const agent = new Mastra({ agents: { assistant }, storage, logger: false }).getAgent("assistant");

/** Runs the agent until it has ended or is suspended. `start` gives its stream. */
async function run(chat, start) {
  const stream = await start({ memory: { thread: chat.id, resource: "person" } });
  for await (const { type, payload } of stream.fullStream) {
    if (type === "error") throw payload.error;
    if (type === "text-delta") tell(chat, "text", { delta: payload.text });
    if (type === "tool-call-suspended" && !chat.ends.has(payload.toolCallId)) {
      chat.suspended = { runId: stream.runId, calls: [...(chat.suspended?.calls ?? []), payload.toolCallId] };
      ask(chat, payload.toolCallId, payload.args);
    }
  }
}

/** Resumes the run with the answers. It stays suspended until its last call is resumed. */
async function resume(chat) {
  const { runId, calls } = chat.suspended;
  chat.suspended = undefined;
  const output = (id) => ({ output: chat.ends.get(id).output });
  for (const id of calls.slice(0, -1)) await (await agent.resumeStream(output(id), { runId, toolCallId: id })).consumeStream();
  await run(chat, (options) => agent.resumeStream(output(calls.at(-1)), { ...options, runId, toolCallId: calls.at(-1) }));
}

serveChats({
  say: (chat, text) => run(chat, (options) => agent.stream(text, options)),
  resume,
  retry: (chat) => run(chat, (options) => agent.stream([], options)),
  // Mastra does not tell the model of a call without a result.
  stop: (chat) => (chat.suspended = undefined),
});
