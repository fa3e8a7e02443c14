// Asks and answers with Adaptive Cards.
import { enter } from "../enter.js";

const inCard = ({ id }, selector) => [...document.querySelectorAll(`#${id} ${selector}`)];
const control = (question) => inCard(question, question.answer_type === "boolean" ? "button" : ":is(select, input)")[0];
const submit = (title, data) => ({ type: "Action.Submit", title, data });

function card({ id, text, answer_type, options }) {
  const about = { id, label: text, isRequired: true, errorMessage: "This is required." };
  const choices = options?.map((option) => ({ title: option, value: option }));
  const body = {
    boolean: { type: "TextBlock", text, wrap: true },
    select: { ...about, type: "Input.ChoiceSet", style: "compact", placeholder: "Choose", choices },
    text: { ...about, type: "Input.Text" },
  }[answer_type];
  const actions = answer_type === "boolean" ? [submit("Yes", { [id]: true }), submit("No", { [id]: false })] : [submit("Next")];
  return { type: "AdaptiveCard", version: "1.5", body: [body], actions };
}

export default {
  form: (questions) => questions.map((question) => ({ question, card: card(question) })),
  control,
  put: (question, answer) => question.answer_type === "boolean" || enter(control(question), answer),
  commit(question, answer) {
    const label = question.answer_type !== "boolean" ? "Next" : answer ? "Yes" : "No";
    inCard(question, "button").find(({ textContent }) => textContent.trim() === label).click();
  },
};
