// A run of an AG-UI agent that ends with an interrupt, because a tool call waits for an approval; the next run goes on with the answer:
// `npm run ag-ui-interrupts`. The agent is scripted here; an HttpAgent in its place is all that a real one takes.
import { AbstractAgent, EventType } from "@ag-ui/client";
import { open } from "ask-user/core";
import { from } from "rxjs";
import { answer } from "./person.mjs";

/** Its arguments may be edited: the schema of the response says so. */
const responseSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, editedArgs: { type: "object", properties: { to: { type: "string" } }, required: ["to"] } },
  required: ["approved"],
};
const interrupt = { id: "int-1", reason: "tool_call", message: "Send the mail?", toolCallId: "tc-1", responseSchema };

class Scripted extends AbstractAgent {
  run({ threadId, runId, resume }) {
    const [given] = resume ?? [];
    const events = given
      ? [
          { type: EventType.TOOL_CALL_RESULT, messageId: "m2", toolCallId: "tc-1", content: `Sent to ${given.payload.editedArgs.to}.` },
          { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "success" } },
        ]
      : [
          { type: EventType.TOOL_CALL_START, toolCallId: "tc-1", toolCallName: "send_email" },
          { type: EventType.TOOL_CALL_ARGS, toolCallId: "tc-1", delta: '{"to":"all@example.com"}' },
          { type: EventType.TOOL_CALL_END, toolCallId: "tc-1" },
          { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "interrupt", interrupts: [interrupt] } },
        ];
    return from([{ type: EventType.RUN_STARTED, threadId, runId }, ...events]);
  }
}

const agent = new Scripted({ threadId: "1" });
let outcome;
const subscriber = { onRunFinishedEvent: ({ event }) => void (outcome = event.outcome) };
await agent.runAgent({}, subscriber);
while (outcome.type === "interrupt") {
  // The messages of the thread have the tool call, which the form shows.
  const walk = open({ outcome, messages: agent.messages }, { dialect: "ag_ui" });
  const resume = answer(walk, { q1: { type: "edit", arguments: { to: "team@example.com" } } });
  await agent.runAgent({ resume }, subscriber);
}
console.log(agent.messages.at(-1).content);
