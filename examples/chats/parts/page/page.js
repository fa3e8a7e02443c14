// The page of a chat whose agent runs on the server, without a framework: it follows the server's events, and sends messages and answers.
import { ask } from "./ask-user/ask-user.js";
import { id, storage } from "./tab.js";

const api = `/api/chat/${id}`;
const messages = document.querySelector("#messages");
const composer = document.querySelector("main > form");
/** The open questions, by tool call id: where each is, its request, what takes it away, and the key of its answer. */
const questions = new Map();
/** The message that is being written, its last paragraph, and whether the agent waits for a message. */
let message;
let paragraph;
let isIdle = true;

async function post(path, body, headers = {}, signal) {
  const sent = await fetch(`${api}/${path}`, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body), signal });
  if (!sent.ok) throw new Error((await sent.json().catch(() => ({}))).message ?? `The server answered ${sent.status}.`);
}

function add(parent, name, content = "") {
  const element = parent.appendChild(document.createElement(name));
  element.textContent = content;
  return element;
}

function begin(role) {
  message = add(messages, "article");
  message.dataset.role = role;
  paragraph = undefined;
}

function receipt(place, toolCallId, request, { walk }) {
  if (walk) Object.assign(add(place, "ask-user"), { receipt: { request, walk, toolCallId } });
}

/** What to do on each event. */
const ON = {
  user({ text }) {
    begin("user");
    add(message, "p", text);
    begin("assistant");
    isIdle = false;
  },
  text({ delta }) {
    (paragraph ??= add(message, "p")).append(delta);
  },
  question({ id, request, end }) {
    paragraph = undefined;
    const place = add(message, "div");
    if (end) return receipt(place, id, request, end);
    const removal = new AbortController();
    questions.set(id, { place, request, removal });
    const deliver = ({ response, idempotencyKey }, { signal }) => {
      questions.get(id).key = idempotencyKey;
      return post(`answers/${id}`, response, { "Idempotency-Key": idempotencyKey }, signal);
    };
    const host = { toolCallId: id, label: "Assistant", storage, deliver };
    // The result goes to the server with `deliver`, so the promise is of no use. It is rejected when the form is taken away.
    ask(request, { parent: place, signal: removal.signal, host }).catch(({ name }) => name === "AbortError" || console.error(name));
  },
  /** Answered here, answered in another tab, or closed with the turn. A form that was answered here shows its receipt itself. */
  end({ id, end }) {
    const { place, request, removal, key } = questions.get(id) ?? {};
    if (!place || (key && key === end.key)) return;
    removal.abort();
    place.replaceChildren();
    receipt(place, id, request, end);
  },
  failed({ message: text }) {
    paragraph?.remove();
    paragraph = undefined;
    const alert = add(message, "p", `${text} `);
    alert.role = "alert";
    add(alert, "button", "Try again").addEventListener("click", () => post("again", {}));
  },
  retried() {
    message.querySelector("[role=alert]").remove();
  },
  idle() {
    isIdle = true;
  },
};

function update() {
  composer.querySelector("button").disabled = !isIdle || !/** @type {any} */ (composer).message.value;
}
composer.addEventListener("input", update);
composer.addEventListener("submit", async (event) => {
  event.preventDefault();
  await post("messages", { text: /** @type {any} */ (composer).message.value });
  /** @type {any} */ (composer).reset();
  update();
});

new EventSource(`${api}/events`).addEventListener("message", ({ data }) => {
  const event = JSON.parse(data);
  ON[event.type](event);
  update();
});
