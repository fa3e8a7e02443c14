// A classic script: the class, by its name, has `ask`.
/** @type {any} */ (customElements.get("ask-user")).ask({
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"] },
    { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] } },
  ],
}).then(({ result }) => {
  document.querySelector("output").textContent = JSON.stringify(result);
});
