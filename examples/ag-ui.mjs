// An AG-UI agent that calls a tool of the front end, `ask_user`, and a front end that answers with ask-user: `npm run ag-ui`.
// The agent is scripted here; an HttpAgent in its place is all that a real one takes.
import { AbstractAgent, EventType } from "@ag-ui/client";
import { open, RejectionError, toolDefinition } from "ask-user/core";
import { from } from "rxjs";
import { answer } from "./person.mjs";

const { name, description, parameters } = toolDefinition("ask_user");

/** What the model says: first a call that is wrong, then the mended one, then the end. */
const CALLS = [
  { questions: [{ id: "apply", text: "Apply the migration?", answer_type: "yes_no" }] },
  {
    questions: [
      { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
      { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    ],
  },
];

class Scripted extends AbstractAgent {
  run({ threadId, runId, messages }) {
    const call = CALLS[messages.filter(({ role }) => role === "tool").length];
    const toolCallId = `call_${messages.length}`;
    const said = call
      ? [
          { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: name },
          { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: JSON.stringify(call) },
          { type: EventType.TOOL_CALL_END, toolCallId },
        ]
      : [
          { type: EventType.TEXT_MESSAGE_START, messageId: "done", role: "assistant" },
          { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "done", delta: `I go on with ${messages.at(-1).content}.` },
          { type: EventType.TEXT_MESSAGE_END, messageId: "done" },
        ];
    return from([{ type: EventType.RUN_STARTED, threadId, runId }, ...said, { type: EventType.RUN_FINISHED, threadId, runId }]);
  }
}

/** What the tool gives: the person's answers, or what the model has to mend. */
function use({ id, function: { arguments: text } }) {
  try {
    return answer(open(text, { toolCallId: id, dialect: "ask_user" }), { apply: true, environment: "staging" });
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    return error.toolResult;
  }
}

const agent = new Scripted({ threadId: "1" });
for (;;) {
  await agent.runAgent({ tools: [{ name, description, parameters }] });
  const calls = agent.messages.at(-1).toolCalls ?? [];
  if (!calls.length) break;
  for (const call of calls) {
    const content = JSON.stringify(use(call));
    console.log(content);
    agent.addMessage({ id: `result of ${call.id}`, role: "tool", toolCallId: call.id, content });
  }
}
console.log(agent.messages.at(-1).content);
