// Reads calls of the tool `ask_user` and takes the answers of a page. A server checks both itself: the page is not trusted.
import { RejectionError, UnresumableError, open, toolDefinitions } from "ask-user/core";

/** The tool's name, description, parameters, and instructions for the system prompt. */
export const [definition] = toolDefinitions("ask_user");

/** What is wrong with a call, for the model; undefined for a call that can be asked. */
export function rejection(request, toolCallId) {
  try {
    open(request, { toolCallId });
  } catch (error) {
    if (error instanceof RejectionError) return error.toolResult;
    throw error;
  }
}

/** How a call ended, decided again from the walk that the page has sent; undefined while the form is not filled in. */
function endOf(request, toolCallId, response) {
  const rejected = rejection(request, toolCallId);
  if (rejected) return { output: rejected };
  const { outcome } = open(request, { toolCallId }).continued(response);
  // `outcome.secrets` is for your tools. Secrets are not stored, and the model does not get them.
  return outcome && { output: outcome.result, isTurnEnded: outcome.ends === "turn_ended", walk: JSON.parse(response).walk };
}

/**
 * Adds `POST /api/chat/:id/answers/:call`. A chat has the `requests` of the model and their `ends`, two maps by tool call id. Each call ends once: the same answer
 * sent again gets the same reply, and another answer is refused. `take(chat, call, end)` is told of a new end.
 */
export function takeAnswers(app, chatOf, take) {
  app.post("/api/chat/:id/answers/:call", async (c) => {
    const { id, call } = c.req.param();
    const chat = chatOf(id);
    const key = c.req.header("idempotency-key");
    const response = await c.req.text();
    if (!chat.requests.has(call)) return c.json({ message: "There is no such question." }, 404);
    if (!chat.ends.has(call)) {
      try {
        const end = endOf(chat.requests.get(call), call, response);
        if (!end) return c.json({ message: "The form is not filled in yet." }, 422);
        take(chat, call, { ...end, key });
      } catch (error) {
        if (error instanceof UnresumableError) return c.json({ message: error.message }, 422);
        throw error;
      }
    }
    const end = chat.ends.get(call);
    return end.key === key ? c.json(end) : c.json({ message: "This question has been answered already." }, 409);
  });
}
