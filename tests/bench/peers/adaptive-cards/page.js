// Adaptive Cards: one card for each question. The format has no conditions on answers, so the page chooses the next card, as a bot does.
import "adaptivecards/lib/adaptivecards.css";
import { AdaptiveCard } from "adaptivecards";
import { isAsked } from "../questions.mjs";

const { form } = window.bench;
const answers = {};

function ask(from) {
  const place = form.findIndex(({ question }, place) => place >= from && isAsked(question, answers));
  if (place < 0) return (window.answered = answers);
  const card = new AdaptiveCard();
  card.onExecuteAction = ({ data }) => {
    Object.assign(answers, data);
    ask(place + 1);
  };
  card.parse(form[place].card);
  document.querySelector("main").replaceChildren(Object.assign(card.render(), { id: form[place].question.id }));
}

performance.mark("handed over");
ask(0);
