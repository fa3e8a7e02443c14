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

class Scripted extends AbstractAgent {
  run({ threadId, runId, messages, resume }) {
    const [given] = resume ?? [];
    const toolCallId = given ? messages.at(-1).toolCalls[0].id : `tc-${messages.length}`;
    const interrupt = { id: `int-${messages.length}`, reason: "tool_call", message: "Send the mail?", toolCallId, responseSchema };
    const events = given
      ? [
          { type: EventType.TOOL_CALL_RESULT, messageId: `m-${messages.length}`, toolCallId, content: given.payload ? `Sent to ${given.payload.editedArgs.to}.` : "Not sent." },
          { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "success" } },
        ]
      : [
          { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: "send_email" },
          { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: '{"to":"all@example.com"}' },
          { type: EventType.TOOL_CALL_END, toolCallId },
          { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "interrupt", interrupts: [interrupt] } },
        ];
    return from([{ type: EventType.RUN_STARTED, threadId, runId }, ...events]);
  }
}

const agent = new Scripted({ threadId: "1" });
let outcome;
const subscriber = { onRunFinishedEvent: ({ event }) => void (outcome = event.outcome) };
/** For each form: answers, or the words of a Reply. */
const answers = ["Only to my team.", { q1: { type: "edit", arguments: { to: "team@example.com" } } }];
/** The words of Replies: `resume` has no place for them. */
const replies = [];
await agent.runAgent({}, subscriber);
while (outcome.type === "interrupt" || replies.length) {
  if (outcome.type === "interrupt") {
    // The messages of the thread have the tool call, which the form shows.
    const walk = open({ outcome, messages: agent.messages }, { dialect: "ag_ui", replies: "message" });
    const resume = answer(walk, answers.shift());
    if (walk.outcome.reply) replies.push(walk.outcome.reply);
    await agent.runAgent({ resume }, subscriber);
  } else {
    agent.addMessage({ id: `reply-${agent.messages.length}`, role: "user", content: replies.shift() });
    await agent.runAgent({}, subscriber);
  }
}
for (const { role, content } of agent.messages) if (role !== "assistant") console.log(content);
