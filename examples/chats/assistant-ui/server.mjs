// The server of a chat that the page keeps: it passes the messages to the model, with the Responses API, and streams the reply. The tool `ask_user` has no `execute`,
// because the page answers it.
import { createOpenAI } from "@ai-sdk/openai";
import { convertToModelMessages, jsonSchema, streamText, tool } from "ai";
import { errorText } from "../parts/ai-sdk.mjs";
import { definition } from "../parts/answers.mjs";
import { files, listen, localApp } from "../parts/local.mjs";

const { OPENAI_BASE_URL, OPENAI_API_KEY, MODEL = "gpt-5-mini" } = process.env;
const model = createOpenAI({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY }).responses(MODEL);
const ask_user = tool({ description: definition.description, inputSchema: jsonSchema(definition.parameters) });

// assistant-ui sets styles of its elements.
const app = localApp({ styleSrcAttr: ["'unsafe-inline'"] });
app.post("/api/chat", async (c) => {
  const { messages } = await c.req.json();
  const result = streamText({
    model,
    system: definition.instructions,
    tools: { ask_user },
    // The model is not told of calls without a result: the person has ended that turn.
    messages: await convertToModelMessages(messages, { ignoreIncompleteToolCalls: true }),
    // The whole history is sent each time. The provider stores nothing.
    providerOptions: { openai: { store: false, strictJsonSchema: false } },
    onError: ({ error }) => console.error(error),
  });
  return result.toUIMessageStreamResponse({ onError: errorText });
});
files(app, new URL("dist/", import.meta.url));
listen(app);
