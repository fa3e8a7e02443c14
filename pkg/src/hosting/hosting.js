// A host for JavaScript: what drives conversations, and its addresses, over one build of the headless package.
import { AgentError, logged } from "./agent.js";
import { Conversations } from "./conversations.js";
import { Inbox, POLL, OtherQuestionError, QuestionClosedError } from "./inbox.js";
import { memory } from "./memory.js";
import { Ask } from "./question.js";
import { Routes } from "./routes.js";

/**
 * @import { HostOptions, InboxOptions } from "../../types/host.js"
 * @import * as Declared from "../../types/host.js"
 * @import { Core } from "./desks.js"
 */

/** @typedef {(error: unknown, context: { id?: string }) => void | Promise<void>} OnError */

const SHARED = ["store", "assistant", "label", "onError", "key", "base", "origins", "largestBody", "authorize", "poll"];
const OPTIONS = [...SHARED, "agent", "tools", "dialects", "attended", "severalOpen", "cookie"];
const INBOX = [...SHARED, "onSecrets"];

/**
 * A handler of errors whose own errors are logged: they must end neither a request nor the process.
 * @type {(act: OnError) => OnError}
 */
const safe = (act) => async (error, context) => {
  try {
    await act(error, context);
  } catch (fault) {
    logged(fault, context);
  }
};

/**
 * @param {object} options
 * @param {string[]} names
 */
function check(options, names) {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`There is no option "${unknown}". The options are: ${names.join(", ")}.`);
}

/**
 * Makes the host's functions over the headless package.
 * @param {Core} core
 */
export function bindHost(core) {
  /** @type {typeof Declared.createHost} */
  const createHost = (options = /** @type {HostOptions} */ ({})) => {
    check(options, OPTIONS);
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
  /** @type {typeof Declared.createInbox} */
  const createInbox = (options = /** @type {InboxOptions} */ ({})) => {
    check(options, INBOX);
    const onError = safe(options.onError ?? logged);
    const inbox = new Inbox(core, { ...options, onError });
    if (typeof options.authorize !== "function") throw new TypeError("The option `authorize` must be a function: the name of a conversation alone opens it.");
    const routes = new Routes(inbox, { poll: POLL, ...options, onError });
    inbox.later(inbox.resume());
    return {
      base: routes.base,
      handle: (request) => routes.handle(request),
      matches: (url) => routes.matches(url),
      ask: (question) => inbox.ask(question),
      put: (question) => inbox.put(question),
      wait: (conversation, callId, { signal } = {}) => inbox.wait(conversation, callId, { signal }),
      answered: (conversation, callId) => inbox.answered(conversation, callId),
      waiting: (conversation) => inbox.waiting(conversation),
      records: (conversation) => inbox.records(conversation),
      close: (conversation, callId) => inbox.overtake(conversation, callId),
      stop: (conversation) => inbox.stop(conversation),
      settled: () => inbox.settled(),
      shutdown: () => inbox.close(),
      get inMemory() {
        return inbox.inMemory;
      },
    };
  };
  return { createHost, createInbox, OtherQuestionError, QuestionClosedError, ask: /** @type {typeof Declared.ask} */ ((request, options) => new Ask(request, options)), memory, AgentError };
}
