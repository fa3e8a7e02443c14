// A loop that offers a Gemini model the tool `ask_user`, and answers its function calls: `npm run gemini`. The turn of the
// model is written by hand; a real one comes from `generateContent`.
import { open, RejectionError, toolDefinition } from "ask-user/core";
import { answer } from "./person.mjs";

/** The answers to each call, or the words of a Reply. */
const ANSWERS = { 1: "Wait for the review.", 2: { q1: "Yes", q2: "Friday" } };

const { name, description, parameters } = toolDefinition("gemini");

/** For `config.tools` of `generateContent`. */
export const tools = [{ functionDeclarations: [{ name, description, parameters }] }];

/** The parts to send back for a turn of the model. */
export function respond(/** @type {{ role: string, parts: any[] }} */ { parts }) {
  // The output has no place for the words of a Reply: they are texts behind it.
  const replies = [];
  const responses = parts.flatMap(({ functionCall }) => {
    if (functionCall?.name !== name) return [];
    return [{ functionResponse: { id: functionCall.id, name, response: { output: output(functionCall, replies) } } }];
  });
  return [...responses, ...replies.map((text) => ({ text }))];
}

function output({ id, args }, replies) {
  try {
    const walk = open(args, { dialect: "gemini", toolCallId: id, replies: "message" });
    const result = answer(walk, ANSWERS[id]);
    if (walk.outcome.reply) replies.push(walk.outcome.reply);
    return result;
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    return error.toolResult;
  }
}

const questions = [
  { question: "Release it?", header: "Release", type: "yesno" },
  { question: "When?", header: "When", type: "text", placeholder: "a day" },
];
for (const id of ["1", "2"]) console.log(JSON.stringify(respond({ role: "model", parts: [{ functionCall: { id, name, args: { questions } } }] })));
