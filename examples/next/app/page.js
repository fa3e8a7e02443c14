// Rendered on the server, which knows what is asked and what was answered: a reload shows it again.
import { cookies } from "next/headers";
import { Question } from "./question.js";
import { latest, result } from "./questions.js";
import { SESSION } from "./received.js";

export default async function Page() {
  const question = latest((await cookies()).get(SESSION)?.value);
  const given = question && result(question);
  return (
    <main>
      <h1>Deployment</h1>
      {question && given === undefined ? <Question id={question.id} /> : <Start />}
      {given !== undefined && <output>{given ?? "The turn is ended."}</output>}
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
