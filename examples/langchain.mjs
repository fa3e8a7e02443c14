// An agent of LangChain.js whose tools wait for a person's approval, by the human-in-the-loop middleware: `npm run langchain`. The model is
// scripted here; any chat model takes its place.
import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel, humanInTheLoopMiddleware, tool } from "langchain";
import { open } from "ask-user/core";
import { z } from "zod";
import { answer } from "./person.mjs";

const call = (id, name, args) => ({ id, name, args, type: "tool_call" });
const model = fakeModel()
  .respond(new AIMessage({ content: "", tool_calls: [call("1", "send_email", { to: "all@example.com", text: "Release at noon." })] }))
  .respond(new AIMessage({ content: "", tool_calls: [call("2", "drop_table", { table: "users" })] }))
  .respond(new AIMessage("Done."));

const mail = z.object({ to: z.string(), text: z.string() });
const agent = createAgent({
  model,
  tools: [
    tool(({ to }) => `Sent to ${to}.`, { name: "send_email", description: "Sends a mail.", schema: mail }),
    tool(() => "Dropped.", { name: "drop_table", description: "Drops a table.", schema: z.object({ table: z.string() }) }),
  ],
  middleware: [
    humanInTheLoopMiddleware({
      interruptOn: {
        // With a schema, the form holds what the person edits against it.
        send_email: { allowedDecisions: ["approve", "edit", "reject"], argsSchema: z.toJSONSchema(mail) },
        drop_table: { allowedDecisions: ["approve", "reject"] },
      },
    }),
  ],
  checkpointer: new MemorySaver(),
});

const thread = { configurable: { thread_id: "1" } };
const answers = [
  { q1: { type: "edit", arguments: { to: "team@example.com", text: "Release at noon." } } },
  { q1: { type: "reject", message: "Never drop a table." } },
];
let state = await agent.invoke({ messages: [{ role: "user", content: "Tell everybody, then clean up." }] }, thread);
while (state.__interrupt__?.length) {
  const resume = {};
  for (const { id, value } of state.__interrupt__) resume[id] = answer(open(value, { toolCallId: id }), answers.shift());
  state = await agent.invoke(new Command({ resume }), thread);
}
console.log(JSON.stringify(state.messages.filter(({ type }) => type === "tool").map(({ content }) => content)));
