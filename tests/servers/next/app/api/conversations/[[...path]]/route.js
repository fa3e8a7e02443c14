// The host for JavaScript in a route handler of Next.js.
import { createHost, memory } from "ask-user/host";

const host = createHost({
  base: "/api/conversations",
  store: memory(),
  async agent({ results }) {
    if (results.length) return `I got ${results[0].contentText}.`;
    const request = { questions: [
      { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
      { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    ] };
    return { calls: [{ id: crypto.randomUUID(), name: "ask_user", input: request }] };
  },
});
const handle = (request) => host.handle(request);

export const dynamic = "force-dynamic";
export { handle as GET, handle as POST, handle as PUT };
