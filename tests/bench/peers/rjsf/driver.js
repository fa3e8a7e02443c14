// Asks and answers with react-jsonschema-form.
import { enter, isLast } from "../enter.js";
import { schemaOf } from "../questions.mjs";

const control = ({ id, answer_type }) => document.querySelector(answer_type === "boolean" ? `#root_${id}-0` : `#root_${id}`);
const conditional = (part, { question_id, equals }) => ({ if: { properties: { [question_id]: { const: equals } }, required: [question_id] }, then: part });

export default {
  isWhole: true,
  form: (questions) => {
    const radios = questions.filter(({ answer_type }) => answer_type === "boolean").map(({ id }) => [id, { "ui:widget": "radio" }]);
    return { schema: schemaOf(questions, conditional), uiSchema: Object.fromEntries(radios) };
  },
  control,
  put: (question, answer) => question.answer_type !== "text" || enter(control(question), answer),
  commit(question, answer) {
    // The first of two radio buttons is Yes.
    if (question.answer_type === "boolean") document.querySelector(`#root_${question.id}-${answer ? 0 : 1}`).click();
    if (question.answer_type === "select") enter(control(question), answer);
    if (isLast(question)) document.querySelector("button[type=submit]").click();
  },
};
