// What a host does around a question: it asks in the window, and stores what a desk takes before the person sees "Sent".
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { Desk } from "ask-user/core";

const request = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] }, when: { question_id: "apply", equals: true } },
  ],
};

/** Asks, or goes on with the question that was open when the last process ended. Gives the result for the agent, as text; none where the turn is ended.
 *  @param {import("ask-user/channel").Channel} channel
 *  @param {import("./store.js").Store} store */
export async function asks(channel, store) {
  // With a nonce, the same answer to the same question in another turn has another key.
  const kept = store.read() ?? Desk.ask(request, { toolCallId: "call_1", label: "Deploy agent", nonce: randomUUID() }).toJSON();
  const question = questionOf(kept, store);
  const { isOpen, options, walk } = question;
  // The last process may have ended before the agent had the answer.
  if (isOpen) await channel.ask(request, { options, walk, take: question.take, on: (name, detail) => name === "walk" && "walk" in detail && question.save(detail.walk) });
  return question.result();
}

/** @param {object} kept
 *  @param {import("./store.js").Store} store */
function questionOf(kept, store) {
  const key = randomBytes(32);
  /** What came in is decided by the desk, and stored before anything else. What is thrown is shown to the person.
   *  @param {import("ask-user/core").DeskInput} input */
  const bring = (input) => {
    const desk = Desk.fromJSON(kept);
    const secrets = desk.secretsIn(input);
    const seal = secrets === undefined ? undefined : { by: "this process", digest: createHmac("sha256", key).update(secrets).digest("hex") };
    const { store: isChanged, reply } = desk.on({ ...input, ...(seal && { seal }) });
    try {
      if (isChanged) store.write(desk.toJSON());
    } catch (error) {
      console.error(error);
      throw new Error("The answer could not be stored.");
    }
    kept = desk.toJSON();
    if (reply && reply.status >= 300) throw new Error(reply.message);
  };
  /** @param {import("ask-user/core").SavedWalk} walk */
  const save = (walk) => {
    try {
      bring({ type: "saved", walk });
    } catch (error) {
      // The walk stays as it was kept last; the next change is kept again.
      console.warn("The answers so far could not be kept:", error);
    }
  };
  /** Takes an answer once, and acknowledges it as often as it comes.
   *  @param {import("ask-user/channel").ChannelEnd} end */
  const take = ({ walk, secrets }) => bring({ type: "responded", response: { walk, secrets } });
  const { isOpen, request: { options, walk } } = Desk.fromJSON(kept);
  return { isOpen, options, walk, save, take, result: () => Desk.fromJSON(kept).answer?.result ?? undefined };
}
