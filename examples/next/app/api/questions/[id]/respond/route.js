// Takes an answer, or the end of the turn: 200 once it is stored, 409 for another answer, 422 for one that does not fit.
import { take } from "../../../../questions.js";
import { handled, text } from "../../../../received.js";

export const POST = handled(async ({ request, question }) => {
  take(question, request.headers.get("idempotency-key"), await text(request));
  return Response.json({ accepted: true });
});
