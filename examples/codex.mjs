// A client of the Codex app server, which asks by the request `item/tool/requestUserInput` over JSON-RPC: `npm run codex`.
// The server is a program of its own; the line at the end is one that it sends.
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

/** Takes a line of the server's output; gives the line to write to its input, if it asks. */
export function respond(line) {
  const { id, method, params } = JSON.parse(line);
  if (method !== "item/tool/requestUserInput") return undefined;
  const walk = open(params, { dialect: "codex", toolCallId: params.itemId });
  return JSON.stringify({ id, result: answer(walk, { scope: "The module" }) });
}

const params = {
  threadId: "thread_1",
  turnId: "turn_1",
  itemId: "item_1",
  questions: [{ id: "scope", header: "Scope", question: "How much should I rewrite?", options: [{ label: "The module", description: "300 lines" }, { label: "The function", description: "20 lines" }], isOther: true, isSecret: false }],
};
console.log(respond(JSON.stringify({ id: 7, method: "item/tool/requestUserInput", params })));
