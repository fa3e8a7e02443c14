// Keeps how far the person has come, so that a reload and another device go on from there. Secrets are not in it. A walk that replaces another version than
// the one that is kept is refused with that one.
import { bring } from "../../../../questions.js";
import { handled, json } from "../../../../received.js";

export const PUT = handled(async ({ request, question }) => {
  const { walk = null } = await json(request);
  const { version } = bring(question, { type: "saved", walk, replaces: request.headers.get("if-match") });
  return new Response(null, { status: 204, headers: { ETag: version } });
});
