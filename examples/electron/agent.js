// What a host does around a question: it asks in the window, and believes the answer only once it has read it again.
import { open } from "ask-user/core";

const request = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] }, when: { question_id: "apply", equals: true } },
  ],
};

/** Gives the result for the agent, as text.
 *  @param {import("ask-user/channel").Channel} channel */
export async function asks(channel) {
  const options = { toolCallId: "call_1", label: "Deploy agent" };
  const own = open(request, options);
  const { walk, secrets } = await channel.ask(request, { options });
  return own.continued({ walk, secrets }).resultText ?? "The turn is ended.";
}
