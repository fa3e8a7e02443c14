// The headless package by `require`.
const { open, RefusalError } = require("ask-user/core");

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
