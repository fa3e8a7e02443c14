// A host for JavaScript: what drives conversations, and its addresses, over one build of the headless package.
import { AgentError, logged } from "./agent.js";
import { Conversations } from "./conversations.js";
import { memory } from "./memory.js";
import { Ask } from "./question.js";
import { Routes } from "./routes.js";

const OPTIONS = ["store", "agent", "tools", "dialects", "assistant", "label", "attended", "onError", "key", "base", "origins", "cookie", "largestBody", "authorize", "poll"];

/** A handler of errors whose own errors are logged: they must end neither a request nor the process. */
const safe = (act) => async (error, context) => {
  try {
    await act(error, context);
  } catch (fault) {
    logged(fault, context);
  }
};

/** Makes the host's functions over the headless package. */
export function bindHost(core) {
  const createHost = (options = {}) => {
    const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
    if (unknown !== undefined) throw new TypeError(`There is no option "${unknown}". The options are: ${OPTIONS.join(", ")}.`);
    const onError = safe(options.onError ?? logged);
    const conversations = new Conversations(core, { ...options, onError });
    const routes = new Routes(conversations, { ...options, onError });
    return {
      base: routes.base,
      handle: (request) => routes.handle(request),
      matches: (url) => routes.matches(url),
      create: () => conversations.create(),
      message: (id, text, { key } = {}) => conversations.message(id, text, key),
      stop: (id) => conversations.stop(id),
      state: (id) => conversations.state(id),
      messages: (id) => conversations.messages(id),
      records: (id) => conversations.records(id),
      resume: () => conversations.resume(),
      settled: () => conversations.settled(),
      close: () => conversations.close(),
      get inMemory() {
        return conversations.inMemory;
      },
    };
  };
  return { createHost, ask: (request, options) => new Ask(request, options), memory, AgentError };
}
