// The questions that an agent has asked, and what was answered. This store is in memory and ends with the process: a real app keeps the same values in its
// database, and takes an answer in one transaction there.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { open, UnresumableError } from "ask-user/core";

// Next.js loads this module more than once: for pages, for route handlers, and again after each change during development.
const store = (globalThis.askUserStore ??= { questions: new Map(), key: randomBytes(32) });

/** Why something was not done: the status to answer with, the words for the person, and what else the page needs. */
export class Refused extends Error {
  constructor(status, message, { headers, ...body } = {}) {
    super(message);
    Object.assign(this, { status, headers, body });
  }
}

/** Puts a request of the agent to the owner of a session. A request that is no form throws a RejectionError: its `toolResult` is for the model. */
export function ask(owner, request) {
  const id = randomUUID();
  // With a nonce, the same answer to the same question in another turn has another key.
  const options = { toolCallId: id, nonce: randomUUID(), label: "Deploy agent" };
  open(request, options);
  store.questions.set(id, { id, owner, request, options, saved: undefined, version: 0, taken: undefined, listeners: new Set() });
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

/** Keeps how far the person has come, in the place of the version that the walk `replaces`, or of any. Gives the version of what is kept. */
export function save(question, walk, replaces) {
  if (question.taken) throw new Refused(409, "This question has been answered already.");
  const { saved } = question;
  if (replaces !== null && replaces !== versionOf(question)) {
    throw new Refused(412, "The answers were changed in another tab or on another device.", { walk: saved, headers: { ETag: versionOf(question) } });
  }
  reread(question, { walk, secrets: {} });
  // One that comes late, after one that goes on from it, is acknowledged.
  if (replaces === null && isOlder(walk, saved)) return versionOf(question);
  question.saved = walk;
  question.version += 1;
  return versionOf(question);
}

/** The version of what is kept, as an ETag. */
const versionOf = ({ version }) => `"${version}"`;

/** Whether a walk is an earlier version of the one that is kept: nothing leaves the log of a walk. */
const isOlder = ({ log }, kept) => log.length < (kept?.log.length ?? 0) && log.every((line, at) => JSON.stringify(line) === JSON.stringify(kept.log[at]));

/** Takes an answer once. The same answer is acknowledged again under the same key; any other is a conflict. */
export function take(question, key, response) {
  const walk = reread(question, response);
  const { outcome } = walk;
  if (!outcome) throw new Refused(422, "The form is not filled in yet.");
  // Two tabs may have one key where only a secret differs, so the secrets are compared too. What is kept of them is a digest.
  const given = createHmac("sha256", store.key).update(JSON.stringify([walk.save().log, outcome.secrets])).digest("hex");
  if (question.taken) {
    if (question.taken.key === key && question.taken.given === given) return;
    throw new Refused(409, "This question has been answered already.");
  }
  // The agent goes on here: the model gets the result, and the tool the secrets, which nothing stores.
  question.taken = { key, given, ends: outcome.ends, result: walk.resultText };
  question.saved = undefined;
  for (const tell of question.listeners) tell();
}

/** What a page is told of a question: all that it needs to ask it, or that it is closed and whose answer was taken. */
export function state({ id, request, options, saved, version, taken }) {
  if (!taken) return { type: "awaiting_user_response", tool_call_id: id, request, options, walk: saved, version: versionOf({ version }) };
  const how = { replied: "declined", turn_ended: "turn_ended" }[taken.ends] ?? "answered";
  return { type: "idle", closed: { tool_call_id: id, how, key: taken.key } };
}

/** Does what the person did again, through the same checks. Nothing else that a page says is believed. The work is bounded; a busy server moves it to a worker. */
function reread({ request, options }, response) {
  try {
    return open(request, options).continued(response);
  } catch (error) {
    if (!(error instanceof UnresumableError)) throw error;
    throw new Refused(422, error.message);
  }
}
