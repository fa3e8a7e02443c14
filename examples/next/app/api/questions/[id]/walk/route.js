// Keeps how far the person has come, so that a reload and another device go on from there. Secrets are not in it. A walk that replaces another version than
// the one that is kept is refused with that one.
import { Refused, save } from "../../../../questions.js";
import { handled, text } from "../../../../received.js";

export const PUT = handled(async ({ request, question }) => {
  const version = save(question, walkOf(await text(request)), request.headers.get("if-match"));
  return new Response(null, { status: 204, headers: { ETag: version } });
});

function walkOf(text) {
  try {
    return JSON.parse(text).walk;
  } catch {
    throw new Refused(400, "This is no JSON.");
  }
}
