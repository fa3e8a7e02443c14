// The wasm as files, which esbuild copies where it is told that they are: it knows no `new URL(…, import.meta.url)`.
import { initialize } from "ask-user";
import page from "ask-user/form.wasm";
import checker from "ask-user/validator.wasm";

const at = (path) => new URL(path, import.meta.url);
initialize({ form: at(page), validator: () => fetch(at(checker)) });

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
