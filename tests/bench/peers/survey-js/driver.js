// Asks and answers with SurveyJS. Choices are the browser's own lists, as the other libraries have them.
import { enter } from "../enter.js";

const inside = ({ id }, selector) => document.querySelector(`[data-name="${id}"] ${selector}`);
const field = (question) => inside(question, ":is(select, input)");
const kinds = {
  boolean: () => ({ type: "boolean" }),
  select: ({ options }) => ({ type: "dropdown", renderAs: "select", choices: options, isRequired: true }),
  text: () => ({ type: "text", isRequired: true }),
};

export default {
  form: (questions) => ({
    showQuestionNumbers: false,
    pages: questions.map((question) => {
      const { id, text, answer_type, when } = question;
      const shows = when && { visibleIf: `{${when.question_id}} = ${when.equals}` };
      return { name: `page-${id}`, ...shows, elements: [{ name: id, title: text, ...kinds[answer_type](question) }] };
    }),
  }),
  control: (question) => (question.answer_type === "boolean" ? inside(question, ".sd-boolean") : field(question)),
  put: (question, answer) => (question.answer_type === "boolean" ? field(question).click() : enter(field(question), answer)),
  commit: () => document.querySelector(".sd-navigation__next-btn, .sd-navigation__complete-btn").click(),
};
