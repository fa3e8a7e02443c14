// Stands in for the person at the form: steps through a walk with answers by question id, and submits the review. A host
// with a page puts <ask-user> here and waits for its `ask-user-result`.

/** Answers every question; one without an answer here is left empty. A text in place of the answers is a Reply. Gives what goes back to the agent. */
export function answer(walk, answers) {
  if (typeof answers === "string") walk.reply(answers);
  for (let step = walk.step; step.state !== "done"; step = walk.step) {
    if (step.state === "review") {
      walk.submit();
    } else {
      console.log(`  ${step.message ? `${step.message} ` : ""}${step.question.text}`);
      walk.answer(answers[step.question.id] ?? null);
    }
  }
  return walk.outcome.result;
}
