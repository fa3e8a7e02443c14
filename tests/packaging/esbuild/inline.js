// The single file, with nothing told to esbuild.
import "ask-user/inline";

const form = document.querySelector("ask-user");
form.addEventListener("ask-user-result", ({ detail }) => {
  document.querySelector("output").textContent = JSON.stringify(detail.result);
});
form.request = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"] },
    { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] } },
  ],
};
