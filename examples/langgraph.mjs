// A graph of LangGraph.js that stops at interrupts, two of them at the same time, and goes on with what the person answered: `npm run langgraph`.
import { HumanMessage } from "@langchain/core/messages";
import { Annotation, Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

const State = Annotation.Root({ ...MessagesAnnotation.spec, method: Annotation(), hours: Annotation(), proceed: Annotation() });
const graph = new StateGraph(State)
  .addNode("choose", ({ messages }) => {
    const { response } = interrupt({
      type: "user_question",
      question: `How should people sign in?${messages.map(({ text }) => ` (You wrote: ${text})`).join("")}`,
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
    if (!method || !hours) return {};
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
/** For each interrupt: answers, or the words of a Reply. */
const answers = ["What is the safest way?", { q1: "8" }, { q1: "Magic link" }, { q1: "8" }, { q1: "Yes, proceed" }];

/** Runs the graph, and puts its interrupts to the person. */
async function run(input) {
  let state = await graph.invoke(input, thread);
  const messages = [];
  while (state.__interrupt__?.length) {
    // Each answer goes to its own interrupt. A value without an id would go to all of them.
    const resume = {};
    for (const { id, value } of state.__interrupt__) {
      const walk = open(value, { toolCallId: id, replies: "message" });
      resume[id] = answer(walk, answers.shift());
      if (walk.outcome.reply) messages.push(new HumanMessage(walk.outcome.reply));
    }
    state = await graph.invoke(new Command({ resume }), thread);
  }
  // The nodes take answers alone: the words of a Reply are messages of the user, for the graph's next run.
  return messages.length ? run({ messages }) : state;
}

const { method, hours, proceed } = await run({});
console.log(JSON.stringify({ method, hours, proceed }));
