// A chat with the AI SDK. The tool `ask_user` has no `execute`, because the page answers it. The answer is checked on this server before the model gets it. The chats
// are in memory.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { UI_MESSAGE_STREAM_HEADERS, convertToModelMessages, createIdGenerator, jsonSchema, streamText, tool } from "ai";
import { definition, takeAnswers } from "../parts/answers.mjs";
import { files, listen, localApp } from "../parts/local.mjs";
import { errorText } from "../parts/ai-sdk.mjs";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY, MODEL = "gpt-5-mini" } = process.env;
const model = createOpenAICompatible({ name: "openai", baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY })(MODEL);

/** The chats by id: `messages`, the stream of the latest `reply`, and by tool call id the `requests` of the model and their `ends`. */
const chats = new Map();
const chatOf = (id) => chats.get(id) ?? chats.set(id, { messages: [], isStreaming: false, requests: new Map(), ends: new Map() }).get(id);

/** The messages with the answers that came since. A call whose turn the person has ended stays without a result. */
function current({ messages, ends }) {
  const answered = (part) => {
    const { output } = ends.get(part.toolCallId) ?? {};
    return output === undefined ? part : { ...part, state: "output-available", output };
  };
  return messages.map((message) => ({ ...message, parts: message.parts.map(answered) }));
}

/** Runs the model and streams its reply. The reply is kept for a page that is reloaded, and is read to its end even if the page has gone. */
async function run(chat) {
  const messages = current(chat);
  const ask_user = tool({
    description: definition.description,
    inputSchema: jsonSchema(definition.parameters),
    onInputAvailable: ({ toolCallId, input }) => void chat.requests.set(toolCallId, input),
  });
  let hasFailed = false;
  const finish = (kept) => Object.assign(chat, { messages: kept, isStreaming: false });
  const result = streamText({
    model,
    system: definition.instructions,
    tools: { ask_user },
    // The model is not told of calls without a result: the person has ended that turn.
    messages: await convertToModelMessages(messages, { ignoreIncompleteToolCalls: true }),
    onError({ error }) {
      console.error(error);
      hasFailed = true;
    },
  });
  chat.isStreaming = true;
  return result.toUIMessageStreamResponse({
    originalMessages: messages,
    generateMessageId: createIdGenerator({ prefix: "msg" }),
    // A reply that has failed is not kept: the model is asked again.
    onFinish: (reply) => finish(hasFailed ? messages : reply.messages),
    onError: errorText,
    async consumeSseStream({ stream }) {
      const [running, kept] = stream.tee();
      chat.reply = kept;
      try {
        for await (const _ of running);
      } catch {
        // The connection to the model broke off. The page sees that its own stream fails.
        finish(messages);
      }
    },
  });
}

const app = localApp();
takeAnswers(app, chatOf, (chat, call, end) => chat.ends.set(call, end));
app.get("/api/chat/:id", (c) => {
  const chat = chatOf(c.req.param("id"));
  return c.json({ messages: current(chat), isStreaming: chat.isStreaming, ends: Object.fromEntries(chat.ends) });
});
app.get("/api/chat/:id/stream", (c) => {
  const chat = chatOf(c.req.param("id"));
  const [now, kept] = chat.reply.tee();
  chat.reply = kept;
  return new Response(now.pipeThrough(new TextEncoderStream()), { headers: UI_MESSAGE_STREAM_HEADERS });
});
app.post("/api/chat/:id", async (c) => {
  const chat = chatOf(c.req.param("id"));
  const { message } = await c.req.json();
  if (chat.isStreaming) return c.json({ message: "The model is still replying." }, 409);
  if (message && !chat.messages.some(({ id }) => id === message.id)) chat.messages.push(message);
  return run(chat);
});
files(app, new URL("dist/", import.meta.url));
listen(app);
