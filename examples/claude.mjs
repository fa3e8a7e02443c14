// The Claude Agent SDK asks through `canUseTool`; this is the one to give it: `npm run claude`. The SDK's licence does not
// let it be a dependency here, so the call at the end is written by hand, in the SDK's shape.
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

const ANSWERS = { toolu_1: "Sidebar", toolu_2: { type: "reject", message: "Use `cargo clean`." } };

/**
 * For `query({ prompt, options: { canUseTool } })`. `AskUserQuestion` becomes its questions, and any other tool an approval.
 * @param {string} tool_name
 * @param {object} input
 * @param {{ toolUseID: string, title?: string, description?: string, decisionReason?: string, blockedPath?: string }} more
 */
export async function canUseTool(tool_name, input, { toolUseID, title, description, decisionReason: decision_reason, blockedPath: blocked_path }) {
  const request = { tool_name, input, title, description, decision_reason, blocked_path };
  const walk = open(request, { dialect: "claude", toolCallId: toolUseID });
  // Where the person ends the turn, questions have no result, and the SDK needs one.
  return answer(walk, { q1: ANSWERS[toolUseID] }) ?? { behavior: "deny", message: "The user ended the turn.", interrupt: true };
}

const input = {
  questions: [
    {
      question: "Where should the filters go?",
      header: "Filters",
      options: [{ label: "Sidebar", description: "Always in view" }, { label: "Above", description: "Leaves the table its width" }],
      multiSelect: false,
    },
  ],
};
console.log(JSON.stringify(await canUseTool("Bash", { command: "rm -rf target" }, { toolUseID: "toolu_2", decisionReason: "It deletes files." })));
console.log(JSON.stringify(await canUseTool("AskUserQuestion", input, { toolUseID: "toolu_1" })));
