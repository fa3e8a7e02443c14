// The playground: a whole conversation with the agent host behind the page, or single requests, put into a chat. A page that
// embeds <ask-user> needs no more than `ask` below, or `follow` in conversation.js.
import { begin, follow } from "./conversation.js";
import { EXAMPLES } from "./examples.js";

const CONVERSATION = "A conversation with an agent";
/** What the agent does, by the type of its state. */
const STATES = {
  idle: "The agent is waiting for a message.",
  requesting_model: "The agent is thinking…",
  executing: "The agent is working…",
  awaiting_user_response: "The agent is waiting for your answer.",
};

const $ = (id) => document.getElementById(id);
let calls = 0;
let conversation;

const id = await begin(location.hash.slice(1));
const names = Object.keys(EXAMPLES);
for (const name of id ? [CONVERSATION, ...names] : names) $("example").append(new Option(name));
$("talk").addEventListener("submit", (event) => {
  event.preventDefault();
  conversation.send($("words").value);
  $("words").value = "";
});
$("stop").addEventListener("click", () => conversation.stop());
$("example").addEventListener("change", choose);
$("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
new EventSource("/deliveries").addEventListener("message", ({ data }) => {
  const { path, status, key, again, body } = JSON.parse(data);
  log("arrived", `POST ${path} → ${status}${again ? " (repeated; stored once)" : ""}\n${key}\n${body}`);
});
choose();

function choose() {
  conversation?.close();
  conversation = undefined;
  const whole = $("example").value === CONVERSATION;
  for (const part of ["single", "ask", "deliveries"]) $(part).hidden = whole;
  for (const part of ["about", "talk"]) $(part).hidden = !whole;
  if (whole) return converse();
  $("request").value = JSON.stringify(EXAMPLES[$("example").value], undefined, 2);
  ask();
}

function converse() {
  location.hash = id;
  $("chat").replaceChildren();
  $("result").textContent = "No result yet.";
  const form = entry("");
  conversation = follow(id, {
    say(role, text, action) {
      const bubble = said(text, role);
      const settled = action ? press(bubble, action) : () => {};
      // The form is the last of the chat, and is not moved: a focus in it stays.
      if (form.isConnected) form.before(entry(bubble));
      else $("chat").append(entry(bubble));
      if (role === "tool") $("result").textContent = text;
      return settled;
    },
    place(element) {
      if (!form.isConnected) {
        form.append(element);
        $("chat").append(form);
      }
    },
    state: (type) => ($("state").textContent = STATES[type]),
    records(lines) {
      $("records").replaceChildren();
      for (const line of lines) log("records", JSON.stringify(line));
    },
  });
}

function ask() {
  calls += 1;
  const element = document.createElement("ask-user");
  element.setAttribute("tool-call-id", `call_${calls}`);
  element.setAttribute("label", $("label").value);
  const endpoint = $("endpoint").value;
  if (endpoint !== "none") {
    element.setAttribute("respond-url", `/respond${endpoint}`);
    element.setAttribute("cancel-url", `/cancel${endpoint}`);
  }
  element.host = { review: $("review").checked };
  element.request = $("request").value;

  $("records").replaceChildren();
  $("result").textContent = "No result yet.";
  const show = (value) => ($("result").textContent = typeof value === "string" ? value : JSON.stringify(value, undefined, 2));
  element.addEventListener("ask-user-record", ({ detail }) => log("records", JSON.stringify(detail.record)));
  element.addEventListener("ask-user-result", ({ detail }) => show(detail.result));
  element.addEventListener("ask-user-end-turn", () => show("The person ended the turn. There is no result."));
  element.addEventListener("ask-user-rejected", ({ detail }) => show(detail.toolResult));

  $("chat").replaceChildren(entry(said("I have some questions before I go on.")), entry(element));
}

function said(text, role = "assistant") {
  const bubble = document.createElement("p");
  bubble.className = `said ${role}`;
  bubble.textContent = text;
  return bubble;
}

/** Adds a button to a text of the chat, and gives a function that removes it. */
function press(bubble, { label, press }) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  let isPressed = false;
  button.addEventListener("click", async () => {
    if (isPressed) return;
    isPressed = true;
    await press();
    isPressed = false;
  });
  bubble.append(" ", button);
  return () => {
    // Whoever pressed it with the keyboard goes on at the message.
    if (document.activeElement === button) $("words").focus();
    button.remove();
  };
}

function entry(node) {
  const item = document.createElement("li");
  item.append(node);
  return item;
}

function log(id, text) {
  const item = document.createElement("li");
  item.textContent = text;
  $(id).append(item);
}
