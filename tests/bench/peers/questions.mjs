// The forms that every renderer of the comparison shows, with the right answers. Questions are written as ask-user's requests have them;
// the driver of each renderer translates them.

/** Three questions; two of them depend on the answer to the first. */
export const THREE = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "note", text: "What should be noted?", answer_type: "text", when: { question_id: "apply", equals: true } },
  ],
  answers: { apply: true, environment: "production", note: "after the backup" },
};

/** Yes or no, a choice, a text, and so on. No answer is what a control has by itself. */
export function many(count) {
  const options = ["north", "east", "south", "west"];
  const kinds = ["boolean", "select", "text"];
  const questions = Array.from({ length: count }, (_, place) => {
    const answer_type = kinds[place % 3];
    return { id: `setting${place}`, text: `What is setting ${place + 1} of ${count}?`, answer_type, ...(answer_type === "select" && { options }) };
  });
  const right = { boolean: () => true, select: (place) => options[(place + 1) % 4], text: (place) => `value ${place}` };
  return { questions, answers: Object.fromEntries(questions.map(({ id, answer_type }, place) => [id, right[answer_type](place)])) };
}

/** One question with many options. */
export function choice(count) {
  const options = Array.from({ length: count }, (_, place) => `Option number ${place}`);
  return { questions: [{ id: "choice", text: "Which one?", answer_type: "select", options }], answers: { choice: options[2] } };
}

/** Whether a question is asked, after these answers. */
export const isAsked = ({ when }, answers) => !when || answers[when.question_id] === when.equals;

/** The questions as a JSON Schema; those that depend on an answer are left to `conditional`. */
export function schemaOf(questions, conditional = /** @type {(part: any, when: any) => object} */ (() => ({}))) {
  const property = ({ id, text, answer_type, options }) => [id, { title: text, type: answer_type === "boolean" ? "boolean" : "string", enum: options }];
  const part = (some) => ({ properties: Object.fromEntries(some.map(property)), required: some.map(({ id }) => id) });
  const depending = questions.filter(({ when }) => when);
  return { type: "object", ...part(questions.filter(({ when }) => !when)), ...(depending.length && conditional(part(depending), depending[0].when)) };
}
