// Reads calls of the tool `ask_user` and takes the answers of a page. A server checks both itself: the page is not trusted.
import { Desk, RejectionError, open, toolDefinitions } from "ask-user/core";

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

/**
 * Adds `POST /api/chat/:id/answers/:call`. A chat has the `requests` of the model and their `ends`, two maps by tool call id. Each call ends once: the same answer
 * sent again gets the same reply, and another answer is refused. `take(chat, call, end)` is told of a new end.
 */
export function takeAnswers(app, chatOf, take) {
  /** The desks of the calls, by chat: each decides whether an answer counts. */
  const desks = new WeakMap();
  const deskOf = (chat, call) => {
    const own = desks.get(chat) ?? desks.set(chat, new Map()).get(chat);
    return own.get(call) ?? own.set(call, Desk.ask(chat.requests.get(call), { toolCallId: call })).get(call);
  };
  app.post("/api/chat/:id/answers/:call", async (c) => {
    const { id, call } = c.req.param();
    const chat = chatOf(id);
    if (!chat.requests.has(call)) return c.json({ message: "There is no such question." }, 404);
    const wrong = rejection(chat.requests.get(call), call);
    if (wrong) {
      if (!chat.ends.has(call)) take(chat, call, { output: wrong });
      return c.json(chat.ends.get(call));
    }
    const desk = deskOf(chat, call);
    let response, reaction;
    try {
      response = await c.req.json();
      reaction = desk.on({ type: "responded", key: c.req.header("idempotency-key"), response });
    } catch (error) {
      // What JSON cannot say, such as a number that is too large, is a TypeError.
      if (error instanceof SyntaxError || error instanceof TypeError) return c.json({ message: "The body is not JSON, or no answer." }, 422);
      throw error;
    }
    const { reply, hand } = reaction;
    if (hand) {
      desk.on({ type: "handed" });
      // `hand.secrets` is for your tools. Secrets are not stored, and the model does not get them.
      const { result: output, ends } = hand.outcome;
      take(chat, call, { output, isTurnEnded: ends === "turn_ended", walk: response.walk, key: hand.key });
    }
    return reply.status === 200 ? c.json(chat.ends.get(call)) : c.json({ message: reply.message }, reply.status);
  });
}
