// A chat with CopilotKit's runtime. The runtime keeps the chats in memory. The tool `ask_user` has no `execute`, because the page answers it.
import "./no-telemetry.mjs";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { BuiltInAgent, CopilotRuntime, InMemoryAgentRunner, convertMessagesToVercelAISDKMessages, createCopilotRuntimeHandler } from "@copilotkit/runtime/v2";
import { jsonSchema, streamText, tool } from "ai";
import { definition } from "../parts/answers.mjs";
import { files, listen, localApp } from "../parts/local.mjs";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY, MODEL = "gpt-5-mini" } = process.env;
const model = createOpenAICompatible({ name: "openai", baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY })(MODEL);
const ask_user = tool({ description: definition.description, inputSchema: jsonSchema(definition.parameters) });

/** The messages without calls that have no result: the person has ended that turn. */
function complete(messages) {
  const results = new Set(messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId));
  return messages
    .map((message) => (message.toolCalls ? { ...message, toolCalls: message.toolCalls.filter(({ id }) => results.has(id)) } : message))
    .filter(({ role, content, toolCalls }) => role !== "assistant" || content || toolCalls?.length);
}

/** The stream with unique ids of texts. With chat completions, the first text of every run is "txt-0", and CopilotKit would append it to the one before. */
async function* unique(stream, runId) {
  for await (const part of stream) yield part.type.startsWith("text-") ? { ...part, id: `${runId} ${part.id}` } : part;
}

const agent = new BuiltInAgent({
  type: "aisdk",
  factory({ input, abortSignal }) {
    const { fullStream } = streamText({
      model,
      abortSignal,
      system: definition.instructions,
      tools: { ask_user },
      messages: convertMessagesToVercelAISDKMessages(complete(input.messages)),
      onError: ({ error }) => console.error(error),
    });
    return { fullStream: unique(fullStream, input.runId) };
  },
});
const basePath = "/api/copilotkit";
const runtime = new CopilotRuntime({ agents: { default: agent }, runner: new InMemoryAgentRunner() });
const handler = createCopilotRuntimeHandler({ runtime, basePath, cors: false });

const app = localApp();
app.all(`${basePath}/*`, (c) => handler(c.req.raw));
files(app, new URL("dist/", import.meta.url));
listen(app);
