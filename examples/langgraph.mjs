// A graph of LangGraph.js that stops at interrupts, two of them at the same time, and goes on with what the person answered: `npm run langgraph`.
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

const State = Annotation.Root({ method: Annotation(), hours: Annotation(), proceed: Annotation() });
const graph = new StateGraph(State)
  .addNode("choose", () => {
    const { response } = interrupt({
      type: "user_question",
      question: "How should people sign in?",
      options: ["Passkeys", "Password", "Magic link"],
      descriptions: ["Nothing to remember", null, "Needs email"],
      default: 0,
    });
    return { method: response };
  })
  .addNode("limit", () => {
    const { response } = interrupt({
      type: "user_question",
      question: "How many hours does a session last?",
      options: ["1", "8", "24"],
      descriptions: [null, null, null],
      default: 1,
    });
    return { hours: response };
  })
  .addNode("confirm", ({ method, hours }) => {
    const { response } = interrupt({
      type: "confirm_action",
      question: `Confirm: rewrite the sign-in with ${method}, for ${hours} hours`,
      options: ["Yes, proceed", "No, cancel"],
      default: 1,
    });
    return { proceed: response === "Yes, proceed" };
  })
  .addEdge(START, "choose")
  .addEdge(START, "limit")
  .addEdge(["choose", "limit"], "confirm")
  .addEdge("confirm", END)
  .compile({ checkpointer: new MemorySaver() });

const thread = { configurable: { thread_id: "1" } };
const answers = ["Magic link", "8", "Yes, proceed"];
let state = await graph.invoke({}, thread);
while (state.__interrupt__?.length) {
  // Each answer goes to its own interrupt. A value without an id would go to all of them.
  const resume = {};
  for (const { id, value } of state.__interrupt__) resume[id] = answer(open(value, { toolCallId: id }), { q1: answers.shift() });
  state = await graph.invoke(new Command({ resume }), thread);
}
console.log(JSON.stringify(state));
