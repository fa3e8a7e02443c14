// Drives conversations: brings what happens as events to the state machine of the core, stores what follows in one transaction, and then carries it
// out. Knows no HTTP. One file of more than 500 lines, because what is stored and what is carried out must be read together.
import { AgentError, jsonText, logged, replied } from "./agent.js";
import { canonical, compared, digest, isOlder, kept, sealed, unguessable, version } from "./answers.js";
import { Live } from "./live.js";
import { Ask, begun, continued, handedOut } from "./question.js";
import { Refused, StoreFailure, bad, unfit } from "./refused.js";
import { entry, failed, responded, resulted, said } from "./transcript.js";

/** Pauses before the store is tried again, in milliseconds. */
const PAUSES = [100, 500, 2_000, 5_000, 15_000];
/** How often something is done again because another process has changed the conversation meanwhile. */
const TRIES = 10;
/** Of how many questions it is known which answers without a key belong to them. */
const ASKED = 20;

/** The result of a tool that fails once its question is answered. */
const TOOL_FAILED = JSON.stringify({ error: "tool_failed", message: "The person answered, and the tool failed after that." });

export class Conversations {
  #core;
  #store;
  #agent;
  #tools;
  #assistant;
  #label;
  #attended;
  #onError;
  #key;
  #asking;
  #live = new Live();
  #running = new Set();

  constructor(core, { store, agent, tools = {}, dialects = ["ask_user"], assistant, label, attended = true, onError = logged, key }) {
    for (const name of ["create", "load", "commit", "lines", "open"]) {
      if (typeof store?.[name] !== "function") throw new TypeError(`The option \`store\` must have the function \`${name}\`. Await sqlite(…) and postgres(…).`);
    }
    if (typeof agent !== "function") throw new TypeError("The option `agent` must be a function.");
    for (const [name, tool] of Object.entries(tools)) {
      if (typeof tool !== "function" && typeof tool?.run !== "function") throw new TypeError(`The tool "${name}" must be a function, or an object with a function \`run\`.`);
    }
    const known = core.dialects();
    const unknown = dialects.find((dialect) => !known.includes(dialect));
    if (unknown !== undefined) throw new TypeError(`There is no dialect "${unknown}". The dialects are: ${known.join(", ")}.`);
    if (key !== undefined && (typeof key !== "string" || key.length < 32)) throw new TypeError("The option `key` must be a random string of 32 characters or more.");
    // The tools that ask the person what their arguments say.
    this.#asking = new Map();
    for (const dialect of new Set(dialects)) {
      for (const { name } of core.toolDefinitions(dialect)) {
        const other = this.#asking.get(name) ?? dialect;
        if (other !== dialect) throw new TypeError(`The tool "${name}" is one of the dialects "${other}" and "${dialect}". Name one of them.`);
        this.#asking.set(name, dialect);
      }
    }
    this.#core = core;
    this.#store = store;
    this.#agent = agent;
    this.#tools = new Map(Object.entries(tools));
    this.#assistant = assistant;
    this.#label = label;
    this.#attended = attended;
    this.#onError = onError;
    this.#key = key;
  }

  /** Begins a conversation, and gives its id and the token that opens it. */
  async create() {
    const [id, token] = [unguessable(), unguessable()];
    const conversation = new this.#core.Conversation({ attended: this.#attended });
    await this.#asked(this.#store.create(id, { token: await digest(token), state: JSON.stringify({ conversation, turn: {} }) }));
    return { id, token };
  }

  /** Whether one of these tokens opens a conversation. */
  async opens(id, tokens) {
    const found = await this.#asked(this.#store.load(id));
    if (!found) throw new Refused(404, "no_conversation", "There is no such conversation.");
    // Digests are compared: how long that takes says nothing of the token.
    const given = await Promise.all(tokens.slice(0, 10).map(digest));
    if (!given.includes(found.token)) throw new Refused(403, "not_yours", "This conversation is opened by the token that it was created with.");
  }

  /** Goes on with every conversation that was open when the last process ended. Those for which the store fails are tried again beside all else. */
  async resume() {
    for (const id of await this.#persistently(() => this.#asked(this.#store.open()))) {
      try {
        await this.#restarted(id);
      } catch (error) {
        if (error instanceof StoreFailure) this.#later(this.#persistently(() => this.#restarted(id)), id);
        else this.#onError(error, { id });
      }
    }
  }

  async #restarted(id) {
    await this.#alone(id, async (held) => {
      if (!this.#live.work(id, held.revision)) await this.#advance(id, held, { type: "restarted" });
    });
    // The process ended while a tool made its result of an answer.
    await this.#alone(id, async (held) => {
      const { claim, question } = held.saved;
      if (!claim || !question) return;
      let walk;
      try {
        walk = continued(this.#core, question, { walk: claim.walk, secrets: {} });
      } catch (error) {
        // Its secrets are not stored: the page sends them again.
        if (error instanceof this.#core.UnresumableError) return;
        throw error;
      }
      if (walk.outcome) await this.#finish(id, held, walk, { key: claim.key, ...claim.given });
    });
  }

  /** The person sends a message. Under a key, it counts once. */
  async message(id, text, key) {
    if (typeof text !== "string" || !text.trim()) throw bad('"text" is missing or empty');
    const own = key === undefined ? undefined : JSON.stringify(["message", key]);
    const seal = JSON.stringify(await digest(text));
    return this.#alone(id, async (held) => {
      const before = own && (await this.#lines(id, ["response"], { key: own }))[0];
      if (before?.text === seal) return;
      if (before) throw new Refused(409, "sent_differently", "Another message was sent under this key. This one was not sent.");
      const lines = own ? [said(text), { kind: "response", key: own, text: seal }] : [said(text)];
      await this.#advance(id, held, { type: "message" }, { lines });
    });
  }

  /** The person tries the last request to the agent again, which failed. */
  retry(id) {
    return this.#alone(id, async (held) => {
      if (held.conversation.state.state === "idle") {
        const last = (await this.#lines(id, ["message"])).at(-1);
        if (!last || JSON.parse(last.text).try_again !== true) throw new Refused(409, "nothing_to_retry", "The last request to the agent did not fail. Send a message.");
      }
      await this.#advance(id, held, { type: "message" });
    });
  }

  /**
   * The person has come further in a form. `replaces` is what `If-Match` says: the versions that the walk may take the place of, and any without it. Gives
   * the new version.
   */
  save(id, callId, walk, replaces) {
    return this.#alone(id, async (held) => {
      const { question } = this.#open(held, callId);
      const before = held.conversation.state.walk;
      const own = await version(before);
      if (replaces !== undefined && replaces !== "*" && !replaces.split(",").some((one) => one.trim() === own)) {
        const message = "The answers were changed in another tab or on another device.";
        throw new Refused(412, "behind", message, { walk: before, headers: { ETag: own } });
      }
      // A walk that was tampered with is not kept.
      this.#continued(question, { walk, secrets: {} });
      // One that comes late has been overtaken by the kept one, which has all that is in it.
      if (replaces === undefined && before && isOlder(walk, before)) return own;
      held.conversation.on({ type: "walk_saved", call_id: callId, walk });
      // Nobody is told: the page that saves knows, and others take it up when they come or save.
      await this.#commit(id, held, { ...held.saved, conversation: held.conversation }, []);
      return version(held.conversation.state.walk);
    });
  }

  /** The person has come to the end of a form. The response is read again before it is believed. Gives whether it was taken before, under the same key. */
  respond(id, key, callId, response) {
    return this.#alone(id, async (held) => {
      const log = JSON.stringify(response.walk?.log) ?? "null";
      const secrets = await sealed(response.secrets, this.#key);
      const own = key ?? `${callId} ${JSON.stringify(response.walk?.nonce)}`;
      const before = await this.#taken(id, own);
      if (before) return this.#again(before, callId, response.walk?.nonce, before.log === log, secrets);
      const { question } = this.#open(held, callId);
      const walk = this.#continued(question, response);
      await this.#finish(id, held, walk, { key: own, log }, secrets);
      return false;
    });
  }

  /**
   * A client answers the open question with plain values, by the names of the questions. Without `callId` they are for the question that is open; without
   * `key`, the question is answered so once. Gives whether the answers were taken before, under the same key.
   */
  answer(id, key, callId, answers) {
    return this.#alone(id, async (held) => {
      const { state, call } = held.conversation.state;
      const asked = callId ?? (state === "awaiting_user_response" ? call.id : undefined);
      // An agent may use the id of a call again in another response.
      const past = (held.saved.asked ?? []).filter(([id]) => id === asked).map(([, nonce]) => nonce);
      const open = openNonce(held, asked);
      const keyOf = (nonce) => `${asked} answers ${nonce}`;
      const own = key ?? (asked === undefined ? undefined : keyOf(open ?? past.at(-1)));
      if (own === undefined) throw new Refused(409, "nothing_open", "No question is open, so there is nothing to answer.");
      const comparedTo = (before) => (before?.answers && compared(before.answers, answers)) ?? { same: false };
      const before = await this.#taken(id, own);
      if (before) {
        const { same, secrets } = comparedTo(before);
        return this.#again(before, asked ?? before.call, open, same, await sealed(secrets, this.#key));
      }
      // The answer to an earlier question may have come twice.
      if (key === undefined && open !== undefined) {
        for (const nonce of past) {
          if (!comparedTo(await this.#taken(id, keyOf(nonce))).same) continue;
          throw new Refused(409, "needs_key", "The same answer was taken for an earlier question with the same call id. Send it with an Idempotency-Key.");
        }
      }
      if (asked === undefined) throw new Refused(409, "nothing_open", "No question is open, so there is nothing to answer.");
      const { question } = this.#open(held, asked);
      let walk;
      try {
        walk = handedOut(this.#core, question);
        walk.answers(answers);
      } catch (error) {
        if (error instanceof this.#core.UnresumableError) throw unfit(error.code, error.message);
        if (!(error instanceof this.#core.RefusalError)) throw error;
        throw new Refused(422, error.code, error.message, { problems: error.refused ?? [{ code: error.code, message: error.message, question: null }] });
      }
      const { text, secrets } = kept(walk, answers);
      await this.#finish(id, held, walk, { key: own, answers: text }, await sealed(secrets, this.#key));
      return false;
    });
  }

  /**
   * The person stops the agent, whatever it does. An open question is ended as if that was said at the form, also after an answer that was saved and has not been
   * sent: to stop is what the person did last. With `callId`, only if this call is open.
   */
  stop(id, callId) {
    return this.#alone(id, async (held) => {
      const { state, call, walk: saved } = held.conversation.state;
      if (callId !== undefined) this.#open(held, callId);
      if (state !== "awaiting_user_response") return this.#advance(id, held, { type: "stopped" });
      const { question } = this.#open(held, call.id);
      let walk;
      try {
        walk = handedOut(this.#core, question);
      } catch (error) {
        // A version of this package that is gone has stored it.
        if (!(error instanceof this.#core.UnresumableError)) throw error;
        return this.#advance(id, held, { type: "cancelled", call_id: call.id });
      }
      try {
        const own = walk.continued({ walk: saved, secrets: {} });
        own.endTurn();
        walk = own;
      } catch {
        walk.endTurn();
      }
      await this.#finish(id, held, walk);
    });
  }

  /** What to tell a page of the question that waits for the person, as it stands now; undefined where none waits. */
  notice(id) {
    return this.#alone(id, async ({ conversation }) => {
      if (conversation.state.state !== "awaiting_user_response") return undefined;
      return { ...conversation.notice, version: await version(conversation.state.walk) };
    });
  }

  /** The state of a conversation, without what is only for the host. */
  state(id) {
    return this.#alone(id, ({ conversation }) => conversation.notice);
  }

  /** The transcript, as the agent sees it. */
  async messages(id) {
    return (await this.#lines(id, ["message"])).map(({ text }) => entry(text)).filter(Boolean);
  }

  /** The audit trail. */
  async records(id) {
    const stored = await this.#lines(id, ["record"]);
    return this.#core.readRecords(`[${stored.map(({ text }) => text).join(",")}]`).turns.flat();
  }

  /** The audit trail for people to read, in Markdown. */
  async recordsMarkdown(id) {
    return this.#core.recordsMarkdown(await this.records(id));
  }

  /** The stored lines that clients hear, after a place. */
  heard(id, after) {
    return this.#lines(id, ["message", "state"], { after });
  }

  /** Calls `wake` whenever there may be new lines, until the function that this gives is called. */
  listen(id, wake) {
    return this.#live.listen(id, wake);
  }

  /** Promises that nothing runs any more: each conversation is idle, or waits for the person. */
  async settled() {
    while (this.#running.size) await Promise.all(this.#running);
  }

  /** Ends all streams of events, because the process is about to end. */
  close() {
    this.#live.close();
  }

  get isClosing() {
    return this.#live.isClosing;
  }

  /** How many conversations are in memory. */
  get inMemory() {
    return this.#live.size;
  }

  /** The open question of a call. */
  #open({ conversation, saved: { question } }, callId) {
    const { state, call } = conversation.state;
    if (state === "awaiting_user_response" && call.id === callId && question) return { call, question };
    const message = `The call ${JSON.stringify(callId)} is not open. It may have been answered, cancelled or overtaken. Nothing was changed.`;
    throw new Refused(409, "not_open", message);
  }

  #continued(question, response) {
    try {
      return continued(this.#core, question, response);
    } catch (error) {
      if (!(error instanceof this.#core.UnresumableError)) throw error;
      throw unfit(error.code, error.message);
    }
  }

  /** What is stored of the answer that was taken under a key: `call`, the question's `nonce`, its own `id`, and the `log` of its walk or its `answers`. */
  async #taken(id, key) {
    const [line] = await this.#lines(id, ["response"], { key: JSON.stringify(key) });
    return line && JSON.parse(line.text);
  }

  /** An answer to a question (its call, and its nonce if that is known) came under a key that was used before. */
  #again(before, callId, nonce, isSame, secrets) {
    const isThis = before.call === callId && (nonce ?? before.nonce) === before.nonce;
    if (isThis && isSame && this.#hasSecrets(before, secrets)) return true;
    throw new Refused(409, "answered_differently", "Another answer to this question was taken, or the key was used for another question. This answer does not count.");
  }

  /** Whether an answer that is stored had secrets with this digest. Without a key for all processes, only the process that took it knows. */
  #hasSecrets({ id, sealed }, secrets) {
    const known = (this.#key && sealed) ?? this.#live.digest(id);
    return known === undefined || known === secrets;
  }

  /** Takes a walk that has ended: the tool that asked gets its answers, and the audit trail its records. `secrets` is their digest. */
  async #finish(id, held, walk, given, secrets) {
    const { outcome } = walk;
    if (!outcome) {
      const { state, question } = walk.step;
      if (state !== "asking") throw unfit("not_submitted", "The answers were not submitted on the review.");
      throw unfit("required", `The question ${JSON.stringify(question.id)} is not answered.`, question.id);
    }
    const { call } = held.conversation.state;
    const { ends } = outcome;
    const nonce = openNonce(held, call.id);
    const response = given && (await this.#claimed(id, held, walk, { call, nonce, ...given }, secrets));
    const content = ends === "turn_ended" ? walk.resultText : await this.#content(id, call, walk);
    const type = { completed: "responded", failed: "responded", replied: "declined", turn_ended: "cancelled" }[ends];
    const ended = (content) => {
      const result = content === undefined ? "" : `,"result":${content}`;
      const event = `{"type":"${type}","call_id":${JSON.stringify(call.id)}${result}}`;
      const asked = [...(held.saved.asked ?? []), [call.id, nonce]].slice(-ASKED);
      return this.#advance(id, held, event, { ...ofWalk(walk), response, content, asked });
    };
    try {
      await ended(content);
    } catch (error) {
      // The tool made something that cannot be stored. Nothing has happened yet.
      if (!isUnstorable(error)) throw error;
      this.#onError(error, { id });
      await ended(TOOL_FAILED);
    }
  }

  /**
   * What is stored of an answer: its key, and lines. If the tool makes its result of the answer, it is stored before that which answer it is made of (a claim), so that
   * a tool is never called with two different answers to one question, whatever fails and however many processes there are. Whoever ends the turn may always.
   */
  async #claimed(id, held, walk, { key, call, nonce, ...given }, secrets) {
    const { ends } = walk.outcome;
    const result = canonical([ends, walk.resultText === undefined ? null : JSON.parse(walk.resultText)]);
    const claim = held.saved.claim?.nonce === nonce && ends !== "turn_ended" ? held.saved.claim : undefined;
    if (claim && !(claim.result === result && (secrets === undefined || this.#hasSecrets(claim, secrets)))) {
      throw new Refused(409, "answered_differently", "Another answer to this question is being taken. This one does not count.");
    }
    const own = claim?.id ?? unguessable();
    const seal = this.#key && secrets ? { sealed: secrets } : {};
    // An answer that is not stored in the end has an id that nobody asks for.
    if (secrets !== undefined) this.#live.keepDigest(own, secrets);
    if (!claim && ends !== "turn_ended" && this.#tools.get(call.name)?.answered) {
      held.saved.claim = { id: own, nonce, key, given, result, walk: walk.save(), ...seal };
      await this.#commit(id, held, { ...held.saved, conversation: held.conversation }, []);
      held.revision += 1;
    }
    const line = (key, given) => ({ kind: "response", key: JSON.stringify(key), text: JSON.stringify({ call: call.id, nonce, id: own, ...given, ...seal }) });
    // Whoever sent it first sends it again under that key.
    return { key, lines: [line(key, given), ...(claim && claim.key !== key ? [line(claim.key, claim.given)] : [])] };
  }

  /** The result of a tool whose questions are answered, as JSON text. */
  async #content(id, call, walk) {
    const { outcome } = walk;
    const { answered } = this.#tools.get(call.name) ?? {};
    if (answered) {
      try {
        return jsonText(await answered(outcome, { id, callId: call.id, input: call.input, key: walk.idempotencyKey }));
      } catch (error) {
        this.#onError(error, { id });
        return TOOL_FAILED;
      }
    }
    const text = walk.resultText ?? "null";
    return outcome.explanation ? `{"result":${text},"message":${JSON.stringify(outcome.explanation)}}` : text;
  }

  /** Takes an event: the state machine says what follows, the store keeps it, then it is done. `content` is the text of the result, with every digit. */
  async #advance(id, held, event, { lines = [], records = [], turn = held.saved.turn, drafts = held.saved.drafts, asked = held.saved.asked, question, response, content } = {}) {
    const { conversation } = held;
    const stored = [...lines, ...records.map((record) => ({ kind: "record", text: JSON.stringify(record) }))];
    if (response) stored.push(...response.lines);
    let then;
    const closing = conversation.state.call?.id;
    for (const { type, value } of conversation.on(event)) {
      if (type === "persist_results") {
        stored.push(...value.map((result) => resulted(result, result.call_id === closing && content !== undefined ? content : JSON.stringify(result.content))));
      } else if (type === "notify") {
        if (value.closed && response) value.closed.key = response.key;
        stored.push({ kind: "state", text: JSON.stringify(value) });
      } else if (type === "done") {
        [turn, drafts] = [{}, undefined];
      } else if (type !== "persist_state") {
        then = { type, value };
      }
    }
    const isAsking = conversation.state.state === "awaiting_user_response";
    await this.#commit(id, held, { conversation, turn, drafts, asked, ...(isAsking ? { question: question ?? held.saved.question, claim: question ? undefined : held.saved.claim } : {}) }, stored, then);
  }

  /** Stores a state and lines, all or nothing, and then does what follows. */
  async #commit(id, held, next, lines, then) {
    const state = JSON.stringify(next);
    const isOpen = next.conversation.state.state !== "idle";
    const revision = held.revision + 1;
    const finish = () => {
      this.#live.moved(id);
      if (then) this.#start(id, revision, then);
    };
    let isDone;
    try {
      isDone = await this.#store.commit(id, held.revision, { state, isOpen, lines });
    } catch (error) {
      // It may be stored all the same. Whoever loads the conversation next finds out.
      held.entry.doubt = { revision, state, finish };
      this.#later(this.#settle(id));
      throw new StoreFailure(error);
    }
    if (!isDone) throw new Stale();
    finish();
  }

  /** Does something with a conversation as it is stored, while nothing else does. */
  #alone(id, act) {
    return this.#live.alone(id, async (entry) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await act(await this.#load(id, entry));
        } catch (error) {
          if (error instanceof this.#core.UnexpectedEventError) throw new Refused(409, error.code, error.message);
          if (!(error instanceof Stale) || tries === TRIES) throw error;
        }
      }
    });
  }

  async #load(id, entry) {
    const { doubt } = entry;
    const found = await this.#asked(this.#store.load(id, { isSettled: Boolean(doubt) }));
    entry.doubt = undefined;
    if (!found) throw new Refused(404, "no_conversation", "There is no such conversation.");
    if (doubt && doubt.revision === found.revision && doubt.state === found.state) doubt.finish();
    const saved = JSON.parse(found.state);
    return { entry, revision: found.revision, saved, conversation: this.#core.Conversation.fromJSON(saved.conversation) };
  }

  /** Looks until it is known whether what the store failed to acknowledge is stored. */
  async #settle(id) {
    await this.#persistently(() => this.#alone(id, () => undefined));
  }

  async #lines(id, kinds, options) {
    return this.#asked(this.#store.lines(id, kinds, options));
  }

  async #asked(promise) {
    try {
      return await promise;
    } catch (error) {
      throw new StoreFailure(error);
    }
  }

  /** Does something again until the store does not fail, or the process is about to end. */
  async #persistently(act) {
    for (let fails = 0; ; fails += 1) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof StoreFailure) || this.#live.isClosing) throw error;
        if (fails === 0) this.#onError(error.cause, {});
        await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(fails, PAUSES.length - 1)]));
      }
    }
  }

  /** Runs something beside all else. */
  #later(promise, id) {
    const running = promise
      .catch((error) => {
        // The conversation went on without it: nobody waits for this.
        if (!(error instanceof Refused && error.status === 409)) this.#onError(error, { id });
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #start(id, revision, { type, value }) {
    const act = type === "execute" ? (signal) => this.#execute(id, revision, value, signal) : (signal) => this.#request(id, revision, signal);
    this.#later(this.#live.run(id, revision, act), id);
  }

  /** Reports what came of a request to the agent or of a tool, unless the conversation has gone another way since. */
  #comes(id, revision, event, change) {
    return this.#persistently(() =>
      this.#alone(id, async (held) => {
        if (held.revision === revision) await this.#advance(id, held, event, change);
      }),
    );
  }

  async #request(id, revision, signal) {
    const messages = await this.#persistently(() => this.messages(id));
    const results = messages.slice(messages.findLastIndex(({ role }) => role !== "tool") + 1);
    let reply;
    try {
      reply = replied(await this.#agent({ id, messages, results, signal }));
    } catch (error) {
      if (signal.aborted) return;
      this.#onError(error, { id });
      const line = error instanceof AgentError ? failed(error.message, error.mayTryAgain) : failed("The agent failed. Try again.", true);
      return this.#comes(id, revision, { type: "model_failed" }, { lines: [line] });
    }
    try {
      await this.#comes(id, revision, { type: "model_responded", calls: reply.calls }, { lines: [responded(reply)] });
    } catch (error) {
      // The model is told why none of its calls ran: nobody could say which call a result belongs to, or the call could not be stored.
      const fault = error.code === "duplicate_call" ? `${error.message} None was run.` : isUnstorable(error) ? `The calls were not run. ${error.message}` : undefined;
      if (fault === undefined) throw error;
      const line = responded({ text: `${reply.text}\n\n${fault}`.trim(), calls: [] });
      await this.#comes(id, revision, { type: "model_failed" }, { lines: [line] });
    }
  }

  async #execute(id, revision, call, signal) {
    let ended;
    try {
      ended = await this.#ran(id, call, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StoreFailure) throw error;
      // The model made a mistake in its question: it is told what to mend.
      const isRejection = error instanceof this.#core.RejectionError;
      if (!isRejection) this.#onError(error, { id });
      ended = { content: JSON.stringify(isRejection ? error.toolResult : `The tool ${call.name} failed: ${messageOf(error)}`), isError: true };
    }
    const completed = ({ content, isError }) => `{"type":"tool_completed","call_id":${JSON.stringify(call.id)},"content":${content},"is_error":${isError}}`;
    const { event = completed(ended), ...change } = ended;
    try {
      await this.#comes(id, revision, event, change);
    } catch (error) {
      if (!isUnstorable(error)) throw error;
      this.#onError(error, { id });
      const content = JSON.stringify(`The result of ${call.name} cannot be stored. ${error.message}`);
      await this.#comes(id, revision, completed({ content, isError: true }));
    }
  }

  /** Runs a tool: its result, or the question that it asks. */
  async #ran(id, call, signal) {
    const tool = this.#tools.get(call.name);
    const dialect = this.#asking.get(call.name);
    if (!tool && !dialect) {
      const names = [...new Set([...this.#tools.keys(), ...this.#asking.keys()])];
      return { content: JSON.stringify(`There is no tool ${JSON.stringify(call.name)}. The tools are: ${names.join(", ")}.`), isError: true };
    }
    const run = typeof tool === "function" ? tool : tool?.run;
    const came = tool ? await run.call(tool, call.input, { id, callId: call.id, signal }) : new Ask(call.input, { dialect });
    if (!(came instanceof Ask)) return { content: jsonText(came), isError: false };
    const { turn, drafts } = await this.#persistently(() => this.#alone(id, ({ saved }) => saved));
    const source = tool ? { source: "tool", name: call.name } : { source: "assistant" };
    const own = { label: this.#label, source, turn, drafts, toolCallId: call.id, nonce: unguessable() };
    const { walk, question } = begun(this.#core, came, own);
    await this.#consult(id, walk, signal);
    const { outcome } = walk;
    // Nobody has to be asked: remembered, answered by the assistant, or failed.
    if (outcome) return { content: await this.#content(id, call, walk), isError: outcome.ends === "failed", ...ofWalk(walk) };
    question.walk = walk.save();
    return { event: { type: "question_pending", call_id: call.id, ...question }, question };
  }

  /** Asks the assistant as long as the walk wants one. One that fails gives no verdict, and the person is asked. */
  async #consult(id, walk, signal) {
    for (let asked; (asked = walk.consultation); ) {
      let given;
      try {
        given = await this.#assistant?.(asked, { signal });
      } catch (error) {
        if (signal.aborted) throw error;
        this.#onError(error, { id });
      }
      const { record: _, ...verdict } = given ?? {};
      walk.assistant(Object.keys(verdict).length ? verdict : null, asked.record);
    }
  }
}

/** Another process has changed the conversation meanwhile. */
class Stale extends Error {}

/** The nonce of the question of a call, while it is open. */
function openNonce({ conversation, saved: { question } }, callId) {
  const { state, call } = conversation.state;
  return state === "awaiting_user_response" && call.id === callId ? question?.options.nonce : undefined;
}

/** Whether an error says that a value cannot be written as JSON: it has a circle or a BigInt, or nests too deeply. */
const isUnstorable = (error) => error instanceof TypeError || error instanceof RangeError;

/** What an error says, whatever was thrown. */
function messageOf(error) {
  try {
    return String(error?.message ?? error);
  } catch {
    return "It threw a value without a text.";
  }
}

/** What is stored of a walk that has ended. */
const ofWalk = (walk) => ({ records: walk.records, turn: walk.turn, drafts: walk.drafts });
