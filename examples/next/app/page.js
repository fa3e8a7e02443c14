// Rendered on the server, which knows what is asked and what was answered: a reload shows it again.
import { cookies } from "next/headers";
import { Question } from "./question.js";
import { latest } from "./questions.js";
import { SESSION } from "./received.js";

export default async function Page() {
  const question = latest((await cookies()).get(SESSION)?.value);
  return (
    <main>
      <h1>Deployment</h1>
      {question && !question.taken ? <Question id={question.id} /> : <Start />}
      {question?.taken && <output>{question.taken.result ?? "The turn is ended."}</output>}
    </main>
  );
}

function Start() {
  return (
    <form method="post" action="/api/questions">
      <button>Start the agent</button>
    </form>
  );
}
