// Keeps how far the person has come, so that a reload and another device go on from there. Secrets are not in it. A walk that replaces another version than
// the one that is kept is refused with that one.
import { Refused, save, versionOf } from "../../../../questions.js";
import { handled, text } from "../../../../received.js";

export const PUT = handled(async ({ request, question }) => {
  const walk = walkOf(await text(request));
  const replaces = request.headers.get("if-match");
  if (!question.taken && replaces !== null && replaces !== versionOf(question)) {
    const message = "The answers were changed in another tab or on another device.";
    return Response.json({ message, walk: question.saved }, { status: 412, headers: { ETag: versionOf(question) } });
  }
  save(question, walk);
  return new Response(null, { status: 204, headers: { ETag: versionOf(question) } });
});

function walkOf(text) {
  try {
    return JSON.parse(text).walk;
  } catch {
    throw new Refused(400, "This is no JSON.");
  }
}
