// A client of an opencode server, which asks by the event `question.asked` and is answered over HTTP: `npm run opencode`.
// The server is a program of its own; a small one that asks the same way is started here.
import { createServer } from "node:http";
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

/** Takes an event of `GET /event`, and answers it where it asks. */
export async function respond(server, { type, properties }) {
  if (type !== "question.asked") return;
  const walk = open(properties, { dialect: "opencode", toolCallId: properties.id });
  const result = answer(walk, { q1: ["format", "lint"] });
  const rejected = !result || result.rejected;
  await fetch(`${server}/question/${properties.id}/${rejected ? "reject" : "reply"}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(rejected ? {} : result),
  });
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  console.log(`${request.method} ${request.url} ${body}`);
  response.end("true");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
await respond(`http://127.0.0.1:${server.address().port}`, {
  type: "question.asked",
  properties: {
    id: "que_1",
    sessionID: "ses_1",
    questions: [{ question: "Which checks?", header: "Checks", options: [{ label: "format" }, { label: "lint" }], multiple: true }],
  },
});
server.closeAllConnections();
server.close();
