// The playground: single requests, or a whole conversation with the agent host behind the page, put into a chat. What is chosen stands in the address. A page that
// embeds <ask-user> needs no more than `ask` below, or `follow` in conversation.js.
import { codeOf, hostOf } from "./code.js";
import { begin, follow } from "./conversation.js";
import { EXAMPLES } from "./examples.js";
import { offer, useLanguage, useScheme, useTheme } from "./looks.js";
import { CHOICES, CONVERSATION, ENDPOINTS, read, written } from "./settings.js";

/** What the agent does, by the type of its state. */
const STATES = {
  idle: "The agent is waiting for a message.",
  requesting_model: "The agent is thinking…",
  executing: "The agent is working…",
  awaiting_user_response: "The agent is waiting for your answer.",
};
const NO_RESULT = "No result yet.";
/** What has to do with single requests alone. */
const SINGLE = ["single", "deliveries", "code-section"];

const $ = (id) => document.getElementById(id);
const settings = read(location.hash);
let calls = 0;
/** The form of a single request, or what `follow` gives; and how often one of them has begun. */
let element;
let conversation;
let turns = 0;

for (const [name, choices] of Object.entries(CHOICES)) if (name !== "code") offer($(name), choices);
for (const [value, name] of CHOICES.code) {
  const input = Object.assign(document.createElement("input"), { type: "radio", name: "code", value });
  input.addEventListener("change", () => changed("code", value));
  const label = document.createElement("label");
  label.append(input, ` ${name}`);
  $("code-choice").append(label);
}
for (const name of ["theme", "scheme", "lang", "dir", "layout", "endpoint"]) $(name).addEventListener("change", () => changed(name, $(name).value));
$("label").addEventListener("input", () => changed("label", $("label").value));
$("review").addEventListener("change", () => changed("review", $("review").checked ? "on" : ""));
$("request").addEventListener("input", () => changed("request", $("request").value === exampleText() ? "" : $("request").value));
$("example").addEventListener("change", () => {
  Object.assign(settings, { example: $("example").value, request: "" });
  show();
});
$("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
$("talk").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("words").value;
  if (text.trim() && (await conversation?.send(text)) && $("words").value === text) $("words").value = "";
});
$("stop").addEventListener("click", () => conversation?.stop());
$("anew").addEventListener("click", () => {
  settings.id = "";
  show();
});
$("copy").addEventListener("click", copy);
addEventListener("hashchange", () => {
  Object.assign(settings, read(location.hash));
  show();
});
new EventSource("/deliveries").addEventListener("message", ({ data }) => {
  const { path, status, key, again, body } = JSON.parse(data);
  log("arrived", `POST ${path} → ${status}${again ? " (repeated; stored once)" : ""}\n${key}\n${body}`);
});
show();

/** Shows the example that is chosen, from its beginning. */
function show() {
  const isConversation = settings.example === CONVERSATION;
  for (const name of Object.keys(CHOICES)) if (name !== "code") $(name).value = settings[name];
  for (const input of $("code-choice").querySelectorAll("input")) input.checked = input.value === settings.code;
  $("label").value = settings.label;
  $("review").checked = settings.review !== "";
  $("request").value = settings.request || exampleText();
  for (const part of SINGLE) $(part).hidden = isConversation;
  for (const part of ["about", "talk"]) $(part).hidden = !isConversation;
  useScheme(settings.scheme);
  useTheme(settings.theme);
  useLanguage($("chat"), settings.lang, settings.dir);
  if (isConversation) converse();
  else ask();
  remember();
}

/** The request of the example that is chosen. */
function exampleText() {
  return settings.example === CONVERSATION ? "" : JSON.stringify(EXAMPLES[settings.example].request, undefined, 2);
}

/** Takes over a setting. What is shown changes in place: nothing that the person has entered is lost. */
function changed(name, value) {
  settings[name] = value;
  if (name === "theme") useTheme(value);
  if (name === "scheme") useScheme(value);
  if (name === "lang" || name === "dir") useLanguage($("chat"), settings.lang, settings.dir);
  set();
  remember();
}

/** Sets the form's attributes and options. */
function set() {
  if (conversation) conversation.element.host = hostOf({ layout: settings.layout });
  if (!element) return;
  const [, query] = ENDPOINTS[settings.endpoint];
  const attributes = { label: settings.label, "respond-url": query === undefined ? "" : `/respond${query}`, "cancel-url": query === undefined ? "" : `/cancel${query}` };
  for (const [name, text] of Object.entries(attributes)) {
    if (text) element.setAttribute(name, text);
    else element.removeAttribute(name);
  }
  element.host = hostOf(settings);
}

/** Puts the settings into the address, and shows the code for them. */
function remember() {
  history.replaceState(null, "", location.pathname + location.search + written(settings));
  $("code").textContent = settings.example === CONVERSATION ? "" : codeOf(settings.code, $("request").value, settings);
  $("copied").textContent = "";
}

/** Takes away what was shown before, and gives a function that tells whether what follows is still wanted. */
function clear() {
  conversation?.close();
  conversation = element = undefined;
  for (const id of ["chat", "records"]) $(id).replaceChildren();
  $("result").textContent = NO_RESULT;
  $("state").textContent = "";
  const own = (turns += 1);
  return () => own === turns;
}

function ask() {
  clear();
  calls += 1;
  element = document.createElement("ask-user");
  element.setAttribute("tool-call-id", `call_${calls}`);
  set();
  element.request = $("request").value;
  const result = (value) => ($("result").textContent = typeof value === "string" ? value : JSON.stringify(value, undefined, 2));
  element.addEventListener("ask-user-record", ({ detail }) => log("records", JSON.stringify(detail.record)));
  element.addEventListener("ask-user-result", ({ detail }) => result(detail.result));
  element.addEventListener("ask-user-end-turn", () => result("The person ended the turn. There is no result."));
  element.addEventListener("ask-user-rejected", ({ detail }) => result(detail.toolResult));
  $("chat").replaceChildren(entry(said("I have some questions before I go on.")), entry(element));
}

async function converse() {
  const isWanted = clear();
  let id;
  try {
    id = await begin(settings.id);
  } catch (error) {
    const bubble = said(error.message, "error");
    press(bubble, { label: "Try again", press: converse });
    if (isWanted()) $("chat").append(entry(bubble));
    return;
  }
  if (!isWanted()) return;
  if (settings.id && settings.id !== id) $("chat").append(entry(said("The conversation of this address cannot be opened in this browser. This is a new one.", "error")));
  // A conversation that has just begun tells nothing of itself.
  if (settings.id !== id) $("state").textContent = STATES.idle;
  settings.id = id;
  remember();
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
  set();
}

async function copy() {
  try {
    await navigator.clipboard.writeText($("code").textContent);
    $("copied").textContent = "Copied.";
  } catch {
    // The browser does not let the page copy.
    getSelection().selectAllChildren($("code"));
    $("copied").textContent = "The code is selected: copy it with the keyboard.";
  }
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
