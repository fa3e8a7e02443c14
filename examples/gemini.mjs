// A loop that offers a Gemini model the tool `ask_user`, and answers its function calls: `npm run gemini`. The turn of the
// model is written by hand; a real one comes from `generateContent`.
import { open, RejectionError, toolDefinition } from "ask-user/core";
import { answer } from "./person.mjs";

const { name, description, parameters } = toolDefinition("gemini");

/** For `config.tools` of `generateContent`. */
export const tools = [{ functionDeclarations: [{ name, description, parameters }] }];

/** The parts to send back for a turn of the model. */
export function respond({ parts }) {
  return parts.flatMap(({ functionCall }) => {
    if (functionCall?.name !== name) return [];
    return [{ functionResponse: { id: functionCall.id, name, response: { output: output(functionCall) } } }];
  });
}

function output({ id, args }) {
  try {
    return answer(open(args, { dialect: "gemini", toolCallId: id }), { q1: "Yes", q2: "Friday" });
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    return error.toolResult;
  }
}

const questions = [
  { question: "Release it?", header: "Release", type: "yesno" },
  { question: "When?", header: "When", type: "text", placeholder: "a day" },
];
console.log(JSON.stringify(respond({ role: "model", parts: [{ functionCall: { id: "1", name, args: { questions } } }] })));
