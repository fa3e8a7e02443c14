// A client of an opencode server, which asks by the event `question.asked` and is answered with the SDK: `npm run opencode`.
// The server is a program of its own; a small one that says what it is sent is started here.
import { createServer } from "node:http";
import { createOpencodeClient } from "@opencode-ai/sdk/v2/client";
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

/** The answers to each request, or the words of a Reply. */
const ANSWERS = { que_0: "Run what the pipeline runs.", que_1: { q1: ["format", "lint"] } };

/** Takes an event of `client.event.subscribe()`, and answers it where it asks. */
export async function respond(client, { type, properties }) {
  if (type !== "question.asked") return;
  const { id: requestID, sessionID } = properties;
  const walk = open(properties, { dialect: "opencode", toolCallId: requestID, replies: "message" });
  const result = answer(walk, ANSWERS[requestID]);
  if (result?.answers) await client.question.reply({ requestID, ...result });
  else await client.question.reject({ requestID });
  // A rejection has no place for the words of a Reply: they are the next message.
  const { reply } = walk.outcome;
  if (reply) await client.session.promptAsync({ sessionID, parts: [{ type: "text", text: reply }] });
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  console.log(`${request.method} ${request.url} ${body}`);
  response.setHeader("Content-Type", "application/json").end("true");
});
await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
const client = createOpencodeClient({ baseUrl: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`, throwOnError: true });
const questions = [{ question: "Which checks?", header: "Checks", options: [{ label: "format" }, { label: "lint" }], multiple: true }];
for (const id of ["que_0", "que_1"]) await respond(client, { type: "question.asked", properties: { id, sessionID: "ses_1", questions } });
server.closeAllConnections();
server.close();
