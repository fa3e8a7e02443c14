// One conversation with the agent host, as its own events tell it: begun, brought to its next question, and heard of, whenever the host is killed.
import { get } from "node:http";

const PAUSE = 30;
/** How long a change may take before the host is asked again, in milliseconds. */
const SLOW = 1_000;

export class Conversation {
  /** The state that was told last. */
  state;
  #url;
  #id;
  #headers;
  #last = 0;
  #request;
  #over = false;
  /** @type {(value?: unknown) => void} */
  #wake = () => {};
  /** @type {string | undefined} */
  token;
  #pause;

  /** Begins one at the host itself, without any fault of the network. `pause(milliseconds)` waits. */
  static async begin(url, pause) {
    const conversation = new Conversation();
    conversation.#url = url;
    conversation.#pause = pause;
    for (;;) {
      const { id, token } = (await post(`${url}/conversations`, {})) ?? {};
      if (!id) {
        await pause(PAUSE);
        continue;
      }
      conversation.#id = id;
      conversation.token = token;
      conversation.#headers = { Authorization: `Bearer ${token}` };
      conversation.#hear();
      return conversation;
    }
  }

  get id() {
    return this.#id;
  }

  /** The question that is open, once there is one; the agent is given a message where it waits for that. */
  async question() {
    for (;;) {
      if (this.state?.type === "awaiting_user_response" && this.state.options) return this.state;
      if (!this.state || this.state.type === "idle") await post(`${this.#url}/conversations/${this.#id}/messages`, { text: "Go on." }, this.#headers);
      await this.changes(SLOW);
    }
  }

  /** Whether the question of this call is open, as far as it was heard. */
  asks(call) {
    return this.state?.type === "awaiting_user_response" && this.state.tool_call_id === call;
  }

  /** Waits for what is told next, or for some time. */
  changes(milliseconds) {
    return Promise.race([new Promise((resolve) => (this.#wake = resolve)), this.#pause(milliseconds)]);
  }

  end() {
    this.#over = true;
    this.#request?.destroy();
  }

  #hear() {
    if (this.#over) return;
    const again = once(() => this.#pause(PAUSE).then(() => this.#hear()));
    const headers = { ...this.#headers, "Last-Event-ID": String(this.#last) };
    this.#request = get(`${this.#url}/conversations/${this.#id}/events`, { agent: false, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more) => {
        const events = (text + more).split("\n\n");
        text = events.pop();
        for (const event of events) this.#take(event);
      });
      response.on("close", again).on("error", () => {});
    }).on("error", again);
  }

  #take(event) {
    const { id, event: kind, data } = Object.fromEntries([...event.matchAll(/^(id|event|data): (.*)$/gm)].map(([, name, value]) => [name, value]));
    if (id) this.#last = id;
    if (kind !== "state_change") return;
    this.state = JSON.parse(data);
    this.#wake();
  }
}

/** Posts JSON, and gives the body of the response; nothing where the host is down. */
async function post(url, body, headers = {}) {
  try {
    const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

function once(call) {
  let called = false;
  return () => called || ((called = true), void call());
}
