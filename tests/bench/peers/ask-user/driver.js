// Asks and answers with ask-user.
import { enter } from "../enter.js";

const inside = ({ id }, selector) => document.querySelector("ask-user")?.shadowRoot?.querySelector(`[data-question="${id}"] :is(${selector})`);

export default {
  form: (questions) => ({ questions }),
  control: (question) => inside(question, "[data-answer], [data-option], [data-field]"),
  put(question, answer) {
    if (question.answer_type === "select") inside(question, `[data-option='${JSON.stringify(answer)}']`).click();
    if (question.answer_type === "text") enter(inside(question, "[data-field]"), answer);
  },
  commit: (question, answer) => inside(question, question.answer_type === "boolean" ? `[data-answer=${answer ? "yes" : "no"}]` : "[type=submit]").click(),
};
