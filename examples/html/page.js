// One element, one property, one event: nothing is built, the browser loads the package as it is.
import "./node_modules/ask-user/dist/ask-user.js";

const form = document.querySelector("ask-user");
form.addEventListener("ask-user-result", ({ detail }) => {
  document.querySelector("output").textContent = JSON.stringify(detail.result);
});
form.request = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] }, when: { question_id: "apply", equals: true } },
  ],
};
