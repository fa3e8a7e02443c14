// The chat: words come as they are said, a question is a form in between, and stays as its receipt.
import { ask } from "./ask-user/ask-user.js";

const main = document.querySelector("main");
let message;
const stream = new EventSource("events");
// Whoever comes back hears all of it again.
stream.addEventListener("open", () => main.replaceChildren((message = "")));
stream.addEventListener("message", ({ data }) => {
  const { type, word, id, request, options, result } = JSON.parse(data);
  if (type === "word") {
    message ||= main.appendChild(document.createElement("p"));
    message.append(`${word} `);
  } else {
    message = undefined;
  }
  if (type === "question") question(id, request, options);
  if (type === "result") main.appendChild(document.createElement("output")).textContent = JSON.stringify(result ?? null);
});

function question(id, request, options) {
  const deliver = async ({ response, idempotencyKey }, { signal }) => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
    // A redirect, such as to a page for signing in, has taken nothing.
    const sent = await fetch(`answers/${id}`, { method: "POST", headers, body: JSON.stringify(response), redirect: "error", signal });
    if (!sent.ok) throw new Error((await sent.json()).message);
  };
  ask(request, { parent: main, host: { ...options, deliver } }).catch(({ name }) => name === "AbortError" || console.error(name));
}
