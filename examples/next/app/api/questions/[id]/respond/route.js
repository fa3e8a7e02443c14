// Takes an answer, or the end of the turn: 200 once it is stored, 409 for another answer, 422 for one that does not fit.
import { bring } from "../../../../questions.js";
import { handled, json } from "../../../../received.js";

export const POST = handled(async ({ request, question }) => {
  bring(question, { type: "responded", key: request.headers.get("idempotency-key"), response: await json(request) });
  return Response.json({ accepted: true });
});
