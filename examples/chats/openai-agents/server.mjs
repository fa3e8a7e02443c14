// A chat with the OpenAI Agents SDK. The tool `ask_user` needs an approval for each call, so a question interrupts the run. The answer is checked on this server and
// becomes the tool's result. The run continues from its saved state.
import { Agent, OpenAIChatCompletionsModel, RunState, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { definition, rejection } from "../parts/answers.mjs";
import { ask, serveChats, tell } from "../parts/runs.mjs";

// The client reads OPENAI_BASE_URL and OPENAI_API_KEY.
const model = new OpenAIChatCompletionsModel(new OpenAI(), process.env.MODEL ?? "gpt-5-mini");
const runner = new Runner({ tracingDisabled: true });

/** The agent of a chat: its tool returns the answers of that chat. */
const agentOf = (chat) =>
  new Agent({
    name: "Assistant",
    instructions: definition.instructions,
    model,
    tools: [
      tool({
        ...definition,
        strict: false,
        needsApproval: async (_, request, callId) => !rejection(request, callId),
        execute: (request, _, { toolCall: { callId } }) => chat.ends.get(callId)?.output ?? rejection(request, callId),
      }),
    ],
  });

/** Runs the agent until it has ended or is interrupted: from the history, or from the state in which it was interrupted. */
async function run(chat) {
  const agent = agentOf(chat);
  let from = chat.history;
  if (chat.state) {
    from = await RunState.fromString(agent, chat.state);
    for (const item of from.getInterruptions()) from.approve(item);
  }
  const stream = await runner.run(agent, from, { stream: true });
  for await (const { type, data } of stream) {
    if (type === "raw_model_stream_event" && data.type === "output_text_delta") tell(chat, "text", { delta: data.delta });
  }
  await stream.completed;
  Object.assign(chat, { history: stream.history, state: stream.interruptions.length ? stream.state.toString() : undefined });
  for (const { rawItem } of stream.interruptions) {
    // Arguments that are not JSON interrupt the run too. The SDK tells the model what is wrong with them.
    if (!rejection(rawItem.arguments, rawItem.callId)) ask(chat, rawItem.callId, rawItem.arguments);
  }
  if (chat.state && !chat.open.size) await run(chat);
}

serveChats({
  say(chat, text) {
    chat.history = [...(chat.history ?? []), { role: "user", content: text }];
    return run(chat);
  },
  resume: run,
  retry: run,
  /** The model is not told of calls without a result. */
  stop(chat) {
    const results = new Set(chat.history.filter(({ type }) => type === "function_call_result").map(({ callId }) => callId));
    Object.assign(chat, { state: undefined, history: chat.history.filter(({ type, callId }) => type !== "function_call" || results.has(callId)) });
  },
});
