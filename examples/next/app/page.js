// Rendered on the server, which reads the request first: what is no form does not reach the page.
import { open } from "ask-user/core";
import { Question } from "./question.js";
import { request } from "./request.js";

export default function Page() {
  const { questions } = open(request).form;
  return (
    <main>
      <h1>Deployment</h1>
      <p>The agent has up to {questions} questions.</p>
      <Question request={request} />
    </main>
  );
}
