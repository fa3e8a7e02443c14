// A tool of the AI SDK that needs an approval: `npm run ai-sdk`. The model is scripted here; any model takes its place. In a page, give the form the
// message of `useChat`, and each item of the result to `addToolApprovalResponse`.
import { generateText, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { open } from "ask-user/core";
import { z } from "zod";
import { answer } from "./person.mjs";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const said = (content, reason) => ({ content, finishReason: { unified: reason }, usage, warnings: [] });
const model = new MockLanguageModelV3({
  doGenerate: ({ prompt }) =>
    prompt.some(({ role }) => role === "tool")
      ? said([{ type: "text", text: "The deployment is done." }], "stop")
      : said([{ type: "tool-call", toolCallId: "call_1", toolName: "deploy", input: '{"to":"production"}' }], "tool-calls"),
});
const deploy = tool({
  description: "Deploys the application.",
  inputSchema: z.object({ to: z.string() }),
  needsApproval: true,
  execute: ({ to }) => `Deployed to ${to}.`,
});

const messages = [{ role: "user", content: "Deploy." }];
for (;;) {
  const { content, response, text } = await generateText({ model, tools: { deploy }, messages, stopWhen: stepCountIs(3) });
  messages.push(...response.messages);
  if (!content.some(({ type }) => type === "tool-approval-request")) {
    console.log(text);
    break;
  }
  const approvals = answer(open({ content }), { q1: { type: "approve" } });
  console.log(JSON.stringify(approvals.map(({ approved }) => approved)));
  messages.push({ role: "tool", content: approvals });
}
