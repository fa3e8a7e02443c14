// A client of the Codex app server, which asks by the request `item/tool/requestUserInput` over JSON-RPC: `npm run codex`.
// The server is a program of its own; the lines at the end are of the kind that it sends.
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

/** The answers to each item, or the words of a Reply. */
const ANSWERS = { item_1: "Show me the failing test first.", item_2: { scope: "The module" } };

/** Takes a line of the server's output; gives the lines to write to its input, if it asks. */
export function respond(line) {
  const { id, method, params } = JSON.parse(line);
  if (method !== "item/tool/requestUserInput") return [];
  const { threadId, turnId, itemId } = params;
  const walk = open(params, { dialect: "codex", toolCallId: itemId, replies: "message" });
  const lines = /** @type {object[]} */ ([{ id, result: answer(walk, ANSWERS[itemId]) }]);
  // The response has no place for the words of a Reply: they are a message in the same turn.
  const { reply } = walk.outcome;
  if (reply) lines.push({ id: `reply to ${itemId}`, method: "turn/steer", params: { threadId, expectedTurnId: turnId, input: [{ type: "text", text: reply }] } });
  return lines.map((line) => JSON.stringify(line));
}

const params = {
  threadId: "thread_1",
  turnId: "turn_1",
  isBlocking: true,
  questions: [{ id: "scope", header: "Scope", question: "How much should I rewrite?", options: [{ label: "The module", description: "300 lines" }, { label: "The function", description: "20 lines" }], isOther: true, isSecret: false }],
};
for (const [id, itemId] of [[6, "item_1"], [7, "item_2"]]) {
  for (const line of respond(JSON.stringify({ id, method: "item/tool/requestUserInput", params: { ...params, itemId } }))) console.log(line);
}
