// What a host does around a question: it asks in the window, reads the answer again before it believes it, and stores it before the person sees "Sent".
import { randomUUID } from "node:crypto";
import { open, UnresumableError } from "ask-user/core";

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
  const { options, walk, taken } = store.read() ?? { options: { toolCallId: "call_1", label: "Deploy agent", nonce: randomUUID() } };
  // The last process ended before the agent had the answer.
  if (taken) return taken.result;
  const question = questionOf(options, store);
  await channel.ask(request, { options, walk, take: question.take, on: (name, detail) => name === "walk" && "walk" in detail && question.save(detail.walk) });
  return question.result();
}

/** @param {import("ask-user/core").Options} options
 *  @param {import("./store.js").Store} store */
function questionOf(options, store) {
  const own = open(request, options);
  /** The answer. Its secrets are compared too: they stay in memory.
   *  @type {{ log: string, secrets: string, result?: string } | undefined} */
  let taken;
  /** @param {import("ask-user/core").SavedWalk} walk */
  const save = (walk) => {
    if (taken) return;
    try {
      own.continued({ walk, secrets: {} });
      store.write({ options, walk });
    } catch (error) {
      // The walk stays as it was kept last; the next change is kept again.
      console.warn("The answers so far could not be kept:", error instanceof UnresumableError ? error.code : error);
    }
  };
  /** Takes an answer once, and acknowledges it as often as it comes. What is thrown is shown to the person.
   *  @param {import("ask-user/channel").ChannelEnd} end */
  const take = ({ walk, secrets }) => {
    const { outcome, resultText, ...given } = reread(own, { walk, secrets });
    if (!outcome) throw new Error("The form is not filled in yet.");
    const answer = { log: given.log, secrets: JSON.stringify(outcome.secrets ?? {}), result: resultText };
    if (taken) {
      if (taken.log === answer.log && taken.secrets === answer.secrets) return;
      throw new Error("This question has been answered already.");
    }
    try {
      store.write({ options, taken: { log: answer.log, result: answer.result } });
    } catch (error) {
      console.error(error);
      throw new Error("The answer could not be stored.");
    }
    taken = answer;
  };
  return { save, take, result: () => taken?.result };
}

/** Does what the person did again, through the same checks. Nothing else that the page says is believed.
 *  @param {import("ask-user/core").Walk} own
 *  @param {import("ask-user/core").WalkResponse} response */
function reread(own, response) {
  const walk = own.continued(response);
  return { outcome: walk.outcome, resultText: walk.resultText, log: JSON.stringify(walk.save().log) };
}
