// A tool of the OpenAI Agents SDK that needs an approval: `npm run openai-agents`. The model is scripted here; any model takes its place.
import { Agent, Runner, Usage, tool } from "@openai/agents-core";
import { open } from "ask-user/core";
import { z } from "zod";
import { answer } from "./person.mjs";

const call = (callId, order) => ({ type: "function_call", callId, name: "cancel_order", arguments: JSON.stringify({ order }), status: "completed" });
const message = (text) => ({ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] });
class Scripted {
  async getResponse({ input }) {
    const results = Array.isArray(input) ? input.filter(({ type }) => type === "function_call_result") : [];
    const output = results.length ? [message(results.map(({ output }) => output.text ?? output).join(" "))] : [call("call_1", 41), call("call_2", 42)];
    return { usage: new Usage(), output };
  }
}

const agent = new Agent({
  name: "Shop",
  model: new Scripted(),
  tools: [
    tool({
      name: "cancel_order",
      description: "Cancels an order.",
      parameters: z.object({ order: z.number() }),
      needsApproval: true,
      execute: ({ order }) => `Cancelled ${order}.`,
    }),
  ],
});

const runner = new Runner({ tracingDisabled: true });
let result = await runner.run(agent, "Cancel my orders.");
while (result.interruptions?.length) {
  // As JSON: what a page or a store gets.
  const request = JSON.parse(JSON.stringify({ interruptions: result.interruptions }));
  const { decisions } = answer(open(request), { q1: { type: "approve" }, q2: { type: "reject", message: "It has been shipped." } });
  result.interruptions.forEach((item, place) => {
    // `always`: the person took a grant of the host, and the SDK keeps it until the run ends.
    const { approved, always, message } = decisions[place];
    if (approved) result.state.approve(item, { alwaysApprove: always });
    else result.state.reject(item, { alwaysReject: always, message });
  });
  result = await runner.run(agent, result.state);
}
console.log(result.finalOutput);
