// The questions that an agent has asked, and what was answered. This store is in memory and ends with the process: a real app keeps the same values in its
// database, and takes an answer in one transaction there.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { Desk } from "ask-user/core";

// Next.js loads this module more than once: for pages, for route handlers, and again after each change during development.
const store = (globalThis.askUserStore ??= { questions: new Map(), key: randomBytes(32) });

/** Why something was not done: the status to answer with, the words for the person, and what else the page needs. */
export class Refused extends Error {
  constructor(status, message, { headers, ...body } = /** @type {any} */ ({})) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Puts a request of the agent to the owner of a session. A request that is no form throws a RejectionError: its `toolResult` is for the model. */
export function ask(owner, request) {
  const id = randomUUID();
  // With a nonce, the same answer to the same question in another turn has another key.
  const options = { toolCallId: id, nonce: randomUUID(), label: "Deploy agent" };
  store.questions.set(id, { id, owner, desk: JSON.stringify(Desk.ask(request, options)), listeners: new Set() });
  return id;
}

/** The question with this id, for its owner alone: its address is not enough. */
export function find(owner, id) {
  const question = store.questions.get(id);
  if (!owner || question?.owner !== owner) throw new Refused(404, "There is no such question.");
  return question;
}

/** The question that was asked last in a session. */
export function latest(owner) {
  return owner && [...store.questions.values()].findLast((question) => question.owner === owner);
}

/** Brings what a page does to the desk of its question: a walk to keep, or an answer. Gives the reply; what is not taken is thrown. */
export function bring(question, input) {
  const desk = Desk.fromJSON(question.desk);
  const { store: isChanged, reply, closed, hand } = reacted(desk, input);
  // The agent goes on here: the model gets `hand.result`, and the tool `hand.secrets`. A database stores that it has them in the transaction of the answer.
  if (hand) desk.on({ type: "handed" });
  if (isChanged) question.desk = JSON.stringify(desk);
  if (closed) for (const tell of question.listeners) tell();
  if (reply.status >= 300) throw new Refused(reply.status, reply.message, { problems: reply.problems, walk: reply.walk, headers: reply.version && { ETag: reply.version } });
  return reply;
}

function reacted(desk, input) {
  try {
    const secrets = desk.secretsIn(input);
    // Two answers that differ only in a secret are told apart by a digest. The secret itself is not kept.
    const seal = secrets && { by: "this server", digest: createHmac("sha256", store.key).update(secrets).digest("hex") };
    return desk.on({ ...input, seal });
  } catch (error) {
    // What JSON cannot say, such as a number that is too large.
    if (error instanceof TypeError) throw new Refused(422, error.message);
    throw error;
  }
}

/** The result for the agent, once the question is closed: null where the turn is ended. */
export function result({ desk }) {
  const { isOpen, answer } = Desk.fromJSON(desk);
  return isOpen ? undefined : answer?.result ?? null;
}

/** What a page is told of a question: all that it needs to ask it, or that it is closed and whose answer was taken. */
export function state({ id, desk: stored }) {
  const desk = Desk.fromJSON(stored);
  if (desk.isOpen) return { type: "awaiting_user_response", ...desk.request };
  return { type: "idle", closed: { tool_call_id: id, ...desk.closed } };
}
