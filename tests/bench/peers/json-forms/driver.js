// Asks and answers with JSON Forms. It tells the page of a change after a pause: the last answer has to be known before it is submitted.
import { enter, isLast } from "../enter.js";
import { schemaOf } from "../questions.mjs";

const control = ({ id }) => document.getElementById(`#/properties/${id}-input`);
const rule = ({ question_id, equals }) => ({ effect: "SHOW", condition: { scope: `#/properties/${question_id}`, schema: { const: equals }, failWhenUndefined: true } });

async function known({ id }, answer) {
  while (window.data[id] !== answer) await new Promise((resolve) => setTimeout(resolve, 1));
}

export default {
  isWhole: true,
  form: (questions) => {
    const elements = questions.map(({ id, when }) => ({ type: "Control", scope: `#/properties/${id}`, ...(when && { rule: rule(when) }) }));
    const schema = schemaOf(questions.map(({ when, ...question }) => question));
    return { schema: { ...schema, required: schema.required.filter((_, place) => !questions[place].when) }, uischema: { type: "VerticalLayout", elements } };
  },
  control,
  async put(question, answer) {
    if (question.answer_type !== "text") return;
    enter(control(question), answer);
    if (isLast(question)) await known(question, answer);
  },
  async commit(question, answer) {
    if (question.answer_type === "boolean") control(question).click();
    if (question.answer_type === "select") enter(control(question), answer);
    if (!isLast(question)) return;
    await known(question, answer);
    document.querySelector("#submit").click();
  },
};
