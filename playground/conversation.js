// A whole conversation with the agent host behind the page. The element listens to it by itself; what else is said and done is
// shown here, from the same stream of events.

/**
 * Begins a conversation, or goes on with the one that has this id, if this browser may open it. Gives its id. Fails with a message for the person if the host does not respond.
 */
export async function begin(id) {
  const known = id && (await fetch(`/conversations/${id}/records`).catch(() => undefined));
  if (known?.ok) return id;
  const begun = await fetch("/conversations", { method: "POST", headers: JSON_TYPE, body: "{}" }).catch(() => undefined);
  if (!begun?.ok) throw new Error("The agent host does not respond.");
  return (await begun.json()).id;
}

const JSON_TYPE = { "Content-Type": "application/json" };

/**
 * Shows a conversation: `say(role, text, action)` adds to the chat, with a button if there is an action (`label`, `press`), and gives a function
 * that removes the button. `place(element)` puts the form into the chat, `state(type)` tells what the agent does, `records(lines)` shows the
 * audit trail. Gives `{ element, send(text), stop(), close() }`.
 */
export function follow(id, { say, place, state, records }) {
  const base = `/conversations/${id}`;
  const element = document.createElement("ask-user");
  for (const [name, path] of [["events-url", "events"], ["respond-url", "respond"], ["cancel-url", "cancel"], ["save-url", "walk"]]) {
    element.setAttribute(name, `${base}/${path}`);
  }
  const source = new EventSource(`${base}/events`);
  /** Removes the button of the last error. */
  let settled = () => {};
  source.addEventListener("message", ({ data }) => {
    const { role, text, call_id, content, is_error, try_again } = JSON.parse(data);
    settled();
    settled = () => {};
    if (try_again) settled = say(role, text, { label: "Try again", press: () => post("/retry", {}) });
    // An answer to a question that the agent did not wait for: the person has not typed it.
    else if (role === "user" && call_id !== undefined) say(is_error ? "error" : "tool", `Answer to an earlier question: ${JSON.stringify(content)}`);
    else if (role === "tool") say(is_error ? "error" : "tool", JSON.stringify(content));
    else if (text) say(role, text);
    place(element);
  });
  source.addEventListener("state_change", async ({ data }) => {
    const { type, agent = type } = JSON.parse(data);
    // It is being tried again, perhaps in another tab.
    if (agent !== "idle") settled();
    state(agent);
    const answer = await fetch(`${base}/records`).catch(() => undefined);
    if (answer?.ok && source.readyState !== EventSource.CLOSED) records(await answer.json());
  });
  const post = async (path, body) => {
    const answer = await fetch(base + path, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) }).catch(() => undefined);
    if (!answer?.ok) say("error", (await answer?.json().catch(() => undefined))?.message ?? "The agent host does not respond.");
    return Boolean(answer?.ok);
  };
  return {
    element,
    send: (text) => post("/messages", { text }),
    stop: () => post("/cancel", {}),
    close() {
      source.close();
      element.remove();
    },
  };
}
