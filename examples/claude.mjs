// The Claude Agent SDK asks through `canUseTool`; this is the one to give it: `npm run claude`. The SDK's licence does not
// let it be a dependency here, so the call at the end is written by hand, in the SDK's shape.
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

/** For `query({ prompt, options: { canUseTool } })`. Other tools are for the host to allow or deny. */
export async function canUseTool(tool, input, { toolUseID }) {
  if (tool !== "AskUserQuestion") return { behavior: "allow", updatedInput: input };
  const walk = open(input, { dialect: "claude", toolCallId: toolUseID });
  return answer(walk, { q1: "Sidebar" });
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
console.log(JSON.stringify(await canUseTool("AskUserQuestion", input, { toolUseID: "toolu_1" })));
