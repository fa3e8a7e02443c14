// Tells the page what is asked, and when the question is closed, as server-sent events. Where the platform ends long responses, the page connects again.
import { state } from "../../../../questions.js";
import { handled } from "../../../../received.js";

/** Milliseconds between two signs of life, which keep proxies from closing the stream. */
const ALIVE = 15_000;

export const GET = handled(async ({ request, question }) => {
  let end;
  const stream = new ReadableStream({
    start(controller) {
      const write = (text) => controller.enqueue(new TextEncoder().encode(text));
      const tell = () => write(`event: state_change\ndata: ${JSON.stringify(state(question))}\n\n`);
      const alive = setInterval(() => write(": alive\n\n"), ALIVE);
      end = () => (clearInterval(alive), question.listeners.delete(tell));
      request.signal.addEventListener("abort", end);
      // With several processes, the database tells of changes, such as by LISTEN in PostgreSQL.
      question.listeners.add(tell);
      tell();
    },
    cancel: () => end(),
  });
  return new Response(stream, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } });
});
