// The page that is written by hand: one question at a time, with the browser's own controls and no library.
import { isAsked } from "../questions.mjs";

const { form } = window.bench;
const main = document.querySelector("main");
const answers = {};

function made(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function ask(from) {
  const place = form.findIndex((question, place) => place >= from && isAsked(question, answers));
  if (place < 0) return (window.answered = answers);
  const { id, text, answer_type, options } = form[place];
  const take = (answer) => {
    answers[id] = answer;
    ask(place + 1);
  };
  const button = (label, value) => made("button", { type: "button", value, onclick: () => take(value) }, label);
  const about = { name: "answer", required: true, ariaLabel: text };
  const controls = {
    boolean: () => [button("Yes", true), button("No", false)],
    select: () => [made("select", about, made("option", { value: "" }, "Choose"), ...options.map((option) => made("option", {}, option))), made("button", {}, "Next")],
    text: () => [made("input", about), made("button", {}, "Next")],
  }[answer_type]();
  const fieldset = made("fieldset", { id }, made("legend", {}, text), ...controls);
  const submit = (event) => {
    event.preventDefault();
    take(event.target.elements.answer.value);
  };
  main.replaceChildren(made("form", { onsubmit: submit }, fieldset));
  controls[0].focus();
}

performance.mark("handed over");
ask(0);
