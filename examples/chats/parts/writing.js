// The calls of `ask_user` that a model is still writing. The framework and the forms read the same stream: a form is shown before its call is complete.
import { toolCalls } from "ask-user/streams";

const texts = new Map();

/** The arguments of a call as a stream of text, for a form; undefined if the model did not write the call while this page was open. */
export const textOf = (toolCallId) => texts.get(toolCallId);

/** Reads the calls in what a model sends. `provider` is the format of the stream. */
export async function readCalls(source, provider) {
  try {
    for await (const { id, text } of toolCalls(source, { provider, tools: ["ask_user"] })) texts.set(id, unfailing(text));
  } catch {
    // The framework reports that the stream has failed.
  }
}

/** A text that stays open if the stream breaks off. The page then takes the form away, and nothing is sent of a call that the model did not complete. */
function unfailing(text) {
  const reader = text.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => new Promise(() => {}));
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** A message of the AI SDK without the parts that were still being written. */
export function complete({ parts, ...message }) {
  const written = parts.filter(({ state }) => state !== "input-streaming" && state !== "streaming");
  while (written.at(-1)?.type === "step-start") written.pop();
  return { ...message, parts: written };
}

/** `fetch` for the AI SDK, whose response is read here as well. */
export async function fetchCalls(resource, options) {
  const response = await fetch(resource, options);
  if (!response.ok || !response.body) return response;
  const [own, given] = response.body.tee();
  readCalls(own, "ai-sdk");
  return new Response(given, response);
}
