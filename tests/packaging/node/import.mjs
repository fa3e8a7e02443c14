// The headless package by `import`; the element too, which a server may import and not use.
import { AskUser } from "ask-user";
import { load } from "ask-user/core/load";
import { open, RefusalError } from "ask-user/core";
import tools from "ask-user/tools.json" with { type: "json" };
import "ask-user/inline";

if (typeof AskUser !== "function" || !Array.isArray(tools.ask_user) || typeof load !== "function") throw new Error("an entry is empty");
const walk = open({ questions: [
  { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
  { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"] },
  { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] } },
] });
walk.answer(true);
walk.answer("staging");
try {
  walk.answer({});
} catch (error) {
  if (!(error instanceof RefusalError) || error.code !== "schema_mismatch") throw error;
}
walk.answer({ cpu: 2 });
console.log(walk.resultText);
