// The playground: puts a request into a chat, and shows what comes of it. A page that embeds <ask-user> needs no more than
// `ask` below.
import { EXAMPLES } from "./examples.js";

const $ = (id) => document.getElementById(id);
let calls = 0;

for (const name of Object.keys(EXAMPLES)) $("example").append(new Option(name));
$("example").addEventListener("change", choose);
$("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
new EventSource("/deliveries").addEventListener("message", ({ data }) => {
  const { path, status, key, again, body } = JSON.parse(data);
  log("arrived", `POST ${path} → ${status}${again ? " (again: taken once)" : ""}\n${key}\n${body}`);
});
choose();

function choose() {
  $("request").value = JSON.stringify(EXAMPLES[$("example").value], undefined, 2);
  ask();
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
  $("result").textContent = "Nothing yet.";
  const show = (value) => ($("result").textContent = typeof value === "string" ? value : JSON.stringify(value, undefined, 2));
  element.addEventListener("ask-user-record", ({ detail }) => log("records", JSON.stringify(detail.record)));
  element.addEventListener("ask-user-result", ({ detail }) => show(detail.result));
  element.addEventListener("ask-user-end-turn", () => show("The turn has ended: there is no result."));
  element.addEventListener("ask-user-rejected", ({ detail }) => show(detail.toolResult));

  $("chat").replaceChildren(entry(said("I have some questions before I go on.")), entry(element));
}

function said(text) {
  const bubble = document.createElement("p");
  bubble.className = "said";
  bubble.textContent = text;
  return bubble;
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
