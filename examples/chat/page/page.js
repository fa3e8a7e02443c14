// The chat: words come as they are said, a question is a form in between, and stays as its receipt.
import { ask } from "./ask-user/ask-user.js";

const main = document.querySelector("main");
let message;
/** The forms that wait for an answer, by the id of their call. */
const forms = new Map();
const stream = new EventSource("events");
// Whoever comes back hears all of it again.
stream.addEventListener("open", () => (forms.clear(), main.replaceChildren((message = ""))));
stream.addEventListener("message", ({ data }) => {
  const { type, word, id, request, options, result } = JSON.parse(data);
  if (type === "word") {
    message ||= main.appendChild(document.createElement("p"));
    message.append(`${word} `);
  } else {
    message = undefined;
  }
  if (type === "question") question(id, request, options);
  // It was answered, in this tab before a reload or in another one.
  if (type === "closed") forms.get(id)?.abort();
  if (type === "result") main.appendChild(document.createElement("output")).textContent = JSON.stringify(result ?? null);
});

function question(id, request, options) {
  const deliver = async ({ response, idempotencyKey }, { signal }) => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
    // A redirect, such as to a page for signing in, has taken nothing.
    const sent = await fetch(`answers/${id}`, { method: "POST", headers, body: JSON.stringify(response), redirect: "error", signal });
    if (!sent.ok) throw new Error((await sent.json().catch(() => ({}))).message ?? `The answer was not taken: ${sent.status}`);
  };
  const form = new AbortController();
  forms.set(id, form);
  ask(request, { parent: main, signal: form.signal, host: { ...options, deliver } }).catch(({ name }) => name === "AbortError" || console.error(name));
}
