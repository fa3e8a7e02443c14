// The same three questions as an Adaptive Card and in the element, side by side.
import "ask-user";
import { AdaptiveCard } from "adaptivecards";

const TEXTS = { environment: "Where should **2.0** go?", copies: "How many copies?", notify: "Tell the team?" };
const PLACES = ["staging", "production"];
/** What the element hands over, and what the card does at each click. */
window.results = [];
window.submitted = [];

const column = (name) => {
  const place = document.createElement("div");
  place.id = name;
  document.querySelector("#app").append(place);
  return place;
};

const form = document.createElement("ask-user");
form.request = {
  questions: [
    { id: "environment", text: TEXTS.environment, answer_type: "select", options: PLACES },
    { id: "copies", text: TEXTS.copies, answer_type: "number" },
    { id: "notify", text: TEXTS.notify, answer_type: "boolean" },
  ],
};
form.addEventListener("ask-user-result", ({ detail }) => window.results.push(detail.result));
column("ours").append(form);

const card = new AdaptiveCard();
card.onExecuteAction = ({ data }) => window.submitted.push({ ...data });
card.parse({
  type: "AdaptiveCard",
  version: "1.5",
  body: [
    { type: "TextBlock", text: TEXTS.environment, wrap: true },
    { type: "Input.ChoiceSet", id: "environment", style: "expanded", isRequired: true, choices: PLACES.map((value) => ({ title: value, value })) },
    { type: "Input.Number", id: "copies", label: TEXTS.copies, isRequired: true },
    { type: "Input.Toggle", id: "notify", title: TEXTS.notify },
  ],
  actions: [{ type: "Action.Submit", title: "Send" }],
});
column("theirs").append(card.render());
