// What the parents of all frameworks ask, made anew in every render.

/** The request of a whole form, made anew. */
export const request = (text = "What should the log say?") => ({
  questions: [
    { id: "log", text, answer_type: "text" },
    { id: "token", text: "Which token may I use?", answer_type: "secret" },
    { id: "parts", text: "Which parts?", answer_type: "multi_select", options: ["web", "core", "docs"] },
    { id: "go", text: "Go on?", answer_type: "boolean" },
  ],
});

/** A request whose second question is for an assistant, whom `consulting` asks; `window.conclude` is what it says. */
export const consulted = () => ({
  questions: [
    { id: "log", text: "What should the log say?", answer_type: "text" },
    { id: "go", text: "Go on?", answer_type: "boolean" },
  ],
});

export const consulting = () => ({
  ...host(),
  targets: { go: "assistant" },
  assistant: () => new Promise((resolve) => (window.conclude = () => resolve({ reason: "It is fine.", answer: true }))),
});

/** A request of one question, made anew. */
export const short = (text = "Go on?") => ({ questions: [{ id: "go", text, answer_type: "boolean" }] });

/** The host's options, made anew: a function among them is another one each time. */
export const host = () => ({
  layout: "steps",
  source: { source: "tool", name: "deploy" },
  review: false,
  deliver: (end) => void window.delivered.push(end.result),
});
