// A graph of LangGraph.js that stops at an interrupt, and goes on with what the person answered: `npm run langgraph`.
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

const State = Annotation.Root({ method: Annotation(), proceed: Annotation() });
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
  .addNode("confirm", ({ method }) => {
    const { response } = interrupt({
      type: "confirm_action",
      question: `Confirm: rewrite the sign-in with ${method}`,
      options: ["Yes, proceed", "No, cancel"],
      default: 1,
    });
    return { proceed: response === "Yes, proceed" };
  })
  .addEdge(START, "choose")
  .addEdge("choose", "confirm")
  .addEdge("confirm", END)
  .compile({ checkpointer: new MemorySaver() });

const thread = { configurable: { thread_id: "1" } };
const answers = [{ q1: "Magic link" }, { q1: "Yes, proceed" }];
let state = await graph.invoke({}, thread);
while (state.__interrupt__?.length) {
  const walk = open(state.__interrupt__[0].value, { toolCallId: state.__interrupt__[0].id });
  const resume = answer(walk, answers.shift());
  state = await graph.invoke(new Command({ resume }), thread);
}
console.log(JSON.stringify(state));
