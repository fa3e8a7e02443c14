// Answers the page that is written by hand.
import { enter } from "../enter.js";

const control = ({ id }) => document.querySelector(`#${id} :is(button, select, input)`);

export default {
  form: (questions) => questions,
  control,
  put: (question, answer) => question.answer_type === "boolean" || enter(control(question), answer),
  commit: ({ id, answer_type }, answer) => document.querySelector(answer_type === "boolean" ? `#${id} [value=${answer}]` : `#${id} button`).click(),
};
