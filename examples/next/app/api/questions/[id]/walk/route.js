// Keeps how far the person has come, so that a reload and another tab go on from there. Secrets are not in it.
import { Refused, save } from "../../../../questions.js";
import { handled, text } from "../../../../received.js";

export const PUT = handled(async ({ request, question }) => {
  save(question, walkOf(await text(request)));
  return new Response(null, { status: 204 });
});

function walkOf(text) {
  try {
    return JSON.parse(text).walk;
  } catch {
    throw new Refused(400, "This is no JSON.");
  }
}
