// Drives conversations: brings what happens to the two state machines of the core, stores what follows in one transaction, and then carries it out. The
// conversation says what runs next, and the desk of a question whether an answer counts. Knows no HTTP.
import { AgentError, jsonText, logged, replied } from "./agent.js";
import { Ask } from "./question.js";
import { answeredBefore, closedBefore, openedBefore } from "./before.js";
import { checkedKey, consult, reactionOf, readDesk, remember } from "./desks.js";
import { digest, unguessable } from "./digests.js";
import { Ledger, Stale } from "./ledger.js";
import { Refused, StoreFailure, bad, heard, notOpen } from "./refused.js";
import { failed, isLate, late, responded, resulted, said, transcript, withoutLast } from "./transcript.js";

/** The desks of how many closed questions are found by the ids of their calls. Each knows the earlier ones of its call. */
const ASKED = 100;
/** What a conversation refuses a model's response for. */
const CALLS = ["duplicate_call", "open_call", "too_many_calls", "unfit_call_id"];

/** What is said to the state machine if the person stops the agent. */
const STOPPED = { type: "stopped" };

/** The result of a tool that fails once its question is answered. */
const TOOL_FAILED = JSON.stringify({ error: "tool_failed", message: "The person answered, and the tool failed after that." });

export class Conversations extends Ledger {
  #core;
  #agent;
  #tools;
  #assistant;
  #label;
  #attended;
  #severalOpen;
  #onError;
  #key;
  #asking;
  /** Results with secrets in them, as JSON text, by the nonces of their questions. They are not stored, and the agent gets them in this turn. */
  #secrets = new Map();

  constructor(core, { store, agent, tools = {}, dialects = ["ask_user"], assistant, label, attended = true, severalOpen = false, onError = logged, key }) {
    super(core, store, onError);
    if (typeof agent !== "function") throw new TypeError("The option `agent` must be a function.");
    if (typeof severalOpen !== "boolean") throw new TypeError("The option `severalOpen` must be true or false.");
    for (const [name, tool] of Object.entries(tools)) {
      if (typeof tool !== "function" && typeof tool?.run !== "function") throw new TypeError(`The tool "${name}" must be a function, or an object with a function \`run\`.`);
    }
    const known = core.dialects();
    const unknown = dialects.find((dialect) => !known.includes(dialect));
    if (unknown !== undefined) throw new TypeError(`There is no dialect "${unknown}". The dialects are: ${known.join(", ")}.`);
    // The tools that ask the person what their arguments say.
    this.#asking = new Map();
    for (const dialect of new Set(dialects)) {
      const definitions = core.toolDefinitions(dialect);
      if (!definitions.length) throw new TypeError(`The dialect "${dialect}" has no tool that a model could call here. Take one with a definition, or ask with \`ask\` and its name.`);
      for (const { name } of definitions) {
        const other = this.#asking.get(name) ?? dialect;
        if (other !== dialect) throw new TypeError(`The tool "${name}" is one of the dialects "${other}" and "${dialect}". Name one of them.`);
        this.#asking.set(name, dialect);
      }
    }
    this.#core = core;
    this.#agent = agent;
    this.#tools = new Map(Object.entries(tools));
    this.#assistant = assistant;
    this.#label = label;
    this.#attended = attended;
    this.#severalOpen = severalOpen;
    this.#onError = onError;
    this.#key = checkedKey(key);
  }

  /** Begins a conversation, and gives its id and the token that opens it. */
  async create() {
    const [id, token] = [unguessable(), unguessable()];
    const conversation = new this.#core.Conversation({ attended: this.#attended, severalOpen: this.#severalOpen });
    await super.create(id, { token: await digest(token), state: { conversation, turn: {}, desks: [] } });
    return { id, token };
  }

  /** The id that a part of an address has; undefined if it has none. */
  named(part) {
    return /^[0-9a-f]{32}$/.test(part) ? part : undefined;
  }

  /** Whether one of these tokens opens a conversation. */
  async opens(id, tokens) {
    const found = await this.find(id);
    if (!found) throw NONE();
    // Digests are compared: how long that takes says nothing of the token.
    const given = await Promise.all(tokens.slice(0, 10).map(digest));
    if (!given.includes(found.token)) throw new Refused(403, "not_yours", "This conversation is opened by the token that it was created with.");
  }

  /** Goes on with every conversation that was open when the last process ended. Those for which the store fails are tried again beside all else. */
  resume() {
    return this.resumeEach((id) => this.#restarted(id));
  }

  async #restarted(id) {
    await this.alone(id, async (held) => {
      if (!this.works(id, sinceOf(held))) await this.#advance(id, held, { type: "restarted" });
    });
    // The process ended while a tool made its result of an answer.
    await this.alone(id, (held) => this.#handsOver(id, held));
  }

  /** Hands over what questions were answered with, if that is stored and the agent does not have it yet. The events `then` come with the last, if the agent waits for no other. */
  async #handsOver(id, held, ...then) {
    for (const stored of held.saved.desks) {
      const isLast = held.saved.desks.filter((one) => one.closed || isWaitedFor(one)).length === 1;
      const desk = stored.closed && this.#readable(held, stored);
      const { hand } = desk?.on({ type: "restored" }) ?? {};
      if (hand) await this.#hand(id, held, stored.call, desk, hand, { then: isLast ? then : [] });
    }
  }

  /** The person sends a message. Under a key, it counts once. */
  async message(id, text, key) {
    if (typeof text !== "string" || !text.trim()) throw bad('"text" is missing or empty');
    const own = key === undefined ? undefined : JSON.stringify(["message", key]);
    const seal = JSON.stringify(await digest(text));
    return this.alone(id, async (held) => {
      const before = own && (await this.lines(id, ["response"], { key: own }))[0];
      if (before?.text === seal) return;
      if (before) throw new Refused(409, "sent_differently", "Another message was sent under this key. This one was not sent.");
      const lines = own ? [said(text), { kind: "response", key: own, text: seal }] : [said(text)];
      await this.#advance(id, held, { type: "message" }, { lines });
    });
  }

  /** The person tries the last request to the agent again, which failed. */
  retry(id) {
    return this.alone(id, async (held) => {
      if (held.conversation.state.state === "idle") {
        const last = (await this.lines(id, ["message"])).at(-1);
        if (!last || JSON.parse(last.text).try_again !== true) throw new Refused(409, "nothing_to_retry", "The last request to the agent did not fail. Send a message.");
      }
      await this.#advance(id, held, { type: "message" });
    });
  }

  /**
   * Brings what a client does to the desk of its question: `input` has the `type` of the input (docs/desk.md) and what is no part of the body, `body` is JSON text. Gives what the
   * client hears. Without `call`, it is about the question that is open, if one is.
   */
  bring(id, call, input, body) {
    let first;
    return this.alone(id, async (held) => {
      const { desks } = held.saved;
      // What another process has done meanwhile does not change which question it is for.
      first ??= namesOf(call === undefined && desks.length === 1 ? desks[0] : (desks.find((one) => one.call === call) ?? { call }));
      const { desk, call: own, isOfKey } = await this.#deskOf(id, held, input.key, first.call);
      if (!desk) throw notOpen(call, desks.length);
      const open = namesOf(desks.find((one) => one.call === first.call));
      const isOther = open.call !== undefined && (isOfKey || open.nonce !== first.nonce);
      const nonce = input.nonce ?? (isOther ? first.nonce : null) ?? null;
      const given = { ...input, key: input.key ?? null, nonce, tool_call_id: first.call ?? null };
      const reaction = await reactionOf(desk, given, body, this.#key, this.clock(id, first.call));
      await this.#follow(id, held, own, desk, reaction);
      return heard(reaction.reply);
    }, { comes: { call, type: input.type, key: input.key } });
  }

  /**
   * The person stops the agent, whatever it does. Open questions are ended as if that was said at a form, also after an answer that was saved and has not been
   * sent: to stop is what the person did last. With `callId`, only if this call is open; if the agent does not wait for it, its question ends, and the agent goes on.
   */
  stop(id, callId) {
    return this.alone(id, async (held) => {
      const isOpen = ({ call }) => call === callId;
      const named = held.saved.desks.find(isOpen);
      if (callId !== undefined && !named) throw notOpen(callId);
      // A question that the agent does not wait for ends alone, and the agent goes on.
      if (named && !isWaitedFor(named)) return this.#endsAlone(id, held, named);
      // An answer was taken, and its tool was interrupted: the agent gets that, and is stopped.
      const { desks: before } = held.saved;
      await this.#handsOver(id, held, STOPPED);
      if (before.length > held.saved.desks.length && !held.saved.desks.some(isOpen) && this.#isIdle(held)) return;
      // The others that the agent waits for end with it. One that another version has stored is none of them: the person must get out of it all the same.
      const readable = held.saved.desks.filter((one) => isWaitedFor(one) && this.#readable(held, one));
      const one = readable.find(isOpen) ?? readable[0];
      const desk = one && this.#readable(held, one);
      const reaction = desk?.on(STOPPED);
      if (reaction?.store) await this.#follow(id, held, one.call, desk, reaction);
      else await this.#advance(id, held, STOPPED);
    });
  }

  /** The person ends a question that the agent does not wait for. If its answer is stored already, the agent gets that. */
  async #endsAlone(id, held, stored) {
    const desk = this.#readable(held, stored);
    const hand = stored.closed && desk?.on({ type: "restored" }).hand;
    if (hand) return this.#hand(id, held, stored.call, desk, hand);
    const reaction = desk?.on(STOPPED);
    if (reaction?.store) return this.#follow(id, held, stored.call, desk, reaction);
    return this.#advance(id, held, { type: "closed", call_id: stored.call, how: "turn_ended" });
  }

  /** What to tell a page of the questions that wait for the person, as they stand now; undefined where none waits. */
  notice(id) {
    return this.alone(id, ({ conversation: { notice }, saved: { desks } }) => {
      if (!desks.length) return undefined;
      const told = (one) => ({ ...one, version: desks.find(({ call }) => call === one.tool_call_id)?.version });
      return notice.requests ? { ...notice, requests: notice.requests.map(told) } : told(notice);
    });
  }

  /** The state of a conversation, without what is only for the host. */
  state(id) {
    return this.alone(id, ({ conversation }) => conversation.notice);
  }

  /** The transcript, as the agent sees it. */
  async messages(id) {
    return transcript(await this.lines(id, ["message"]));
  }

  /** The stored lines that clients hear, after a place, and what the conversation tells of its question now. */
  async heard(id, after) {
    const lines = await this.lines(id, ["message", "state"], { after });
    return { lines, now: lines.length ? await this.notice(id) : undefined };
  }

  /** Questions that are still open as the conversation tells them now: the person may have come further. */
  asOfNow(state, now) {
    const open = new Map(requestsOf(now ?? {}).map((one) => [one.tool_call_id, one]));
    const fresh = (one) => open.get(one.tool_call_id) ?? one;
    if (state.requests) return { ...state, requests: state.requests.map(fresh) };
    return requestsOf(state).length ? { type: state.type, ...fresh(state), closed: state.closed, agent: state.agent } : state;
  }

  /** The desk of a call whose question waits for the person, or whose answer the agent does not have yet. */
  #open(held, call) {
    const stored = held.saved.desks.find((one) => one.call === call);
    const desk = stored && this.#readable(held, stored);
    if (stored && !desk) throw new Refused(500, "unreadable", "This question was stored by another version, which asked it. Stop the agent to go on.");
    return desk;
  }

  /** A stored desk, if this version can read it. */
  #readable(held, stored) {
    held.desks ??= new Map();
    if (!held.desks.has(stored.call)) held.desks.set(stored.call, readDesk(this.#core, stored));
    return held.desks.get(stored.call);
  }

  /** The desk that something is for, and its call: the one that took an answer under this key (`isOfKey`), or else that of the call. */
  async #deskOf(id, held, key, call) {
    const [before] = key === undefined ? [] : await this.#answered(id, key);
    const line = before && JSON.parse(before.text);
    if (line) return { desk: (await this.#stored(id, line)) ?? this.#core.Desk.fromJSON(answeredBefore(line, key)), call: line.call, isOfKey: true };
    // The agent does not have that answer yet.
    const taken = key === undefined ? undefined : held.saved.desks.find((one) => one.closed?.taken?.key === key);
    if (taken) return { desk: this.#open(held, taken.call), call: taken.call, isOfKey: taken.call !== call };
    return { desk: this.#open(held, call) ?? (await this.#closed(id, held, call)), call };
  }

  /** The desk of the last closed question of a call. */
  async #closed(id, { saved }, call) {
    const [, nonce] = saved.asked?.findLast(([one]) => one === call) ?? [];
    if (nonce === undefined) return undefined;
    const desk = await this.#stored(id, { call, nonce });
    if (desk) return desk;
    const before = await closedBefore(saved, call, (key) => this.#answered(id, key));
    return before && this.#core.Desk.fromJSON(before);
  }

  /** The line of the answer that was taken under a key. */
  #answered(id, key) {
    return this.lines(id, ["response"], { key: JSON.stringify(key) });
  }

  /** The desk of a closed question. */
  async #stored(id, { call, nonce }) {
    const [line] = await this.lines(id, ["response"], { key: deskKey(call, nonce) });
    return line && readDesk(this.#core, line.text);
  }

  /** Does what follows from an input to the desk of a call. */
  async #follow(id, held, call, desk, { store, closed, hand }) {
    // The turn ends with the other questions, too: an answer to one of them that is stored is handed over before.
    if (store && closed === "turn_ended" && isWaitedFor(desk.toJSON())) await this.#handsOver(id, held);
    if (hand) return this.#hand(id, held, call, desk, hand, { isNew: store });
    if (!store) return;
    if (closed) return this.#advance(id, held, { type: "closed", call_id: call, how: closed }, { desk });
    // The person has come further. Nobody is told: the page that saves knows, and others take it up when they come or save.
    held.conversation.on({ type: "walk_saved", call_id: call, walk: desk.request.walk });
    await this.#keep(id, held, desk);
  }

  /** Stores the desk of an open question. */
  #keep(id, held, desk) {
    return this.#commit(id, held, { ...held.saved, conversation: held.conversation, desks: replaced(held.saved.desks, desk.toJSON()) }, []);
  }

  /** Hands the answer to a question to the agent. If a tool makes its result of it, it is stored before that which answer this is. */
  async #hand(id, held, callId, desk, hand, { isNew = false, then = [] } = {}) {
    const { call, options } = held.conversation.open.find((one) => one.call.id === callId);
    const { ends } = hand.outcome;
    const isLeft = ends === "turn_ended" || ends === "expired";
    const makesResult = !isLeft && Boolean(this.#tools.get(call.name)?.answered);
    if (isNew && makesResult) await this.#keep(id, held, desk);
    // What is stored and told has no secret, also where the agent's own format has it in the result. Secrets are in `outcome.secrets` alone.
    const redacted = desk.answer;
    const secret = hand.result !== redacted.result && !makesResult ? { nonce: options.nonce, text: hand.result } : undefined;
    const outcome = { ...redacted.outcome, ...(Object.keys(hand.secrets).length && { secrets: hand.secrets }) };
    const content = isLeft ? redacted.result : await this.#content(id, call, { ...hand, outcome, result: redacted.result });
    desk.on({ type: "handed" });
    const ended = (content) => {
      const result = content === null ? "" : `,"result":${content}`;
      return this.#advance(id, held, [`{"type":"closed","how":"${desk.closed.how}","call_id":${JSON.stringify(call.id)}${result}}`, ...then], { ...ofHand(hand, isWaitedFor({ options }) ? hand.turn : askedIn(held.saved.turn, call.id, options, hand)), desk, content, secret });
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

  /** The result of a tool whose questions are answered, as JSON text. */
  async #content(id, call, { outcome, result, key }) {
    const { answered } = this.#tools.get(call.name) ?? {};
    if (answered) {
      try {
        return jsonText(await answered(outcome, { id, callId: call.id, input: call.input, key }));
      } catch (error) {
        this.#onError(error, { id });
        return TOOL_FAILED;
      }
    }
    const text = result ?? "null";
    return outcome.explanation ? `{"result":${text},"message":${JSON.stringify(outcome.explanation)}}` : text;
  }

  /**
   * Takes an event, or several: the state machine says what follows, the store keeps it, then it is done. `desk` is the one that they change, `content` the text of the result of its call, or
   * else of the call that runs, with every digit.
   */
  async #advance(id, held, event, { lines = [], records = [], turn, drafts = held.saved.drafts, desk, content, secret } = {}) {
    const { conversation, saved } = held;
    const stored = [...lines, ...recorded(records)];
    const changed = desk?.toJSON();
    const own = changed?.call ?? conversation.state.call?.id;
    let lasting = joined(saved.turn, turn);
    let then;
    const left = new Map();
    for (const one of [event].flat()) {
      // What follows from an event that another one comes after is not done.
      then = undefined;
      for (const call of conversation.endedBy(one)) left.set(call, this.#left(held, saved.desks.find((desk) => desk.call === call)));
      for (const { type, value } of conversation.on(withResults(one, left))) {
        if (type === "persist_results") {
          const isOwn = ({ call_id: id }) => id === own && typeof content === "string";
          const textOf = (result) => left.get(result.call_id)?.result ?? JSON.stringify(result.content);
          stored.push(...value.map((result) => (isOwn(result) ? resulted(result, content, secret?.nonce) : resulted(result, textOf(result)))));
        } else if (type === "persist_messages") {
          stored.push(...value.map((answer) => late(answer, answer.call_id === own && typeof content === "string" ? content : JSON.stringify(answer.content))));
        } else if (type === "notify") {
          const closed = [value.closed ?? []].flat().find(({ tool_call_id: call }) => call === own);
          if (closed && desk?.closed?.key) closed.key = desk.closed.key;
          stored.push({ kind: "state", text: JSON.stringify(value) });
        } else if (type === "done") {
          [lasting, drafts] = [{}, undefined];
        } else if (type !== "persist_state") {
          then = { type, value };
        }
      }
    }
    const open = new Set(conversation.open.map(({ call }) => call.id));
    const all = changed ? replaced(saved.desks, changed) : saved.desks;
    const wasOpen = ({ call }) => saved.desks.some((one) => one.call === call);
    const closed = all.filter((one) => !open.has(one.call) && wasOpen(one)).map((one) => (one === changed ? one : (left.get(one.call)?.desk ?? one)));
    stored.push(...recorded([...left.values()].flatMap(({ records }) => records)), ...closed.flatMap(closedLines));
    const calls = closed.map(({ call }) => call);
    const asked = [...(saved.asked ?? []).filter(([call]) => !calls.includes(call)), ...closed.map(namesOf).map(({ call, nonce }) => [call, nonce])].slice(-ASKED);
    // A question that the conversation has not taken is not open either.
    const ended = changed && !open.has(changed.call) ? [...calls, changed.call] : calls;
    await this.#commit(id, held, { conversation, turn: closedIn(lasting, ended), drafts, asked, desks: all.filter(({ call }) => open.has(call)) }, stored, then, secret);
  }

  /** The desk of a question that ends because the turn ends elsewhere, its records, and its result as JSON text. One that this version cannot read is left as it is. */
  #left(held, stored) {
    const desk = stored && this.#readable(held, stored);
    if (!desk) return { desk: stored, records: [] };
    const { hand } = desk.on(STOPPED);
    desk.on({ type: "handed" });
    return { desk: desk.toJSON(), records: hand?.records ?? [], result: desk.answer?.result };
  }

  /** Stores a state and lines, all or nothing, and then does what follows. What runs goes on, unless something else begins or nothing runs any more. */
  async #commit(id, held, next, lines, then, secret) {
    const { state } = next.conversation.state;
    const since = then || !WORKING.includes(state) ? undefined : sinceOf(held);
    await this.commit(id, held, { state: { ...next, since }, isOpen: state !== "idle" || next.desks.length > 0, lines, since }, (revision, later) => {
      if (secret) remember(this.#secrets, secret.nonce, secret.text);
      // What another process has changed since may have ended it.
      if (then && (!later || sinceOf(later) === revision)) this.#start(id, revision, then);
    });
    held.saved = { ...next, since };
  }

  /**
   * Does something with a conversation as it is stored, while nothing else does. Before, questions that have expired are closed; where an answer comes (`comes`), the desk of its
   * question does that.
   */
  async alone(id, act, { comes } = {}) {
    const run = () =>
      super.alone(id, async (held) => {
        const isMeant = ({ call }) => comes && (comes.call ?? call) === call;
        for (const one of held.saved.desks) {
          const now = this.clock(id, one.call);
          if (one.expires <= now && !isMeant(one)) await this.#expires(id, held, one, now);
        }
        try {
          return await act(held);
        } finally {
          // One that this version cannot read expires for another one.
          const waiting = held.saved.desks.filter((one) => one.expires !== undefined && this.#readable(held, one)?.isOpen);
          this.wakes(id, Math.min(...waiting.map(({ expires }) => expires)));
        }
      });
    try {
      return await this.keepingTime(id, comes, run);
    } catch (error) {
      if (error instanceof this.#core.UnexpectedEventError) throw new Refused(409, error.code, error.message);
      throw error;
    }
  }

  #isIdle({ conversation }) {
    return conversation.state.state === "idle";
  }

  /** Closes an open question, whose time is over. */
  async #expires(id, held, stored, now) {
    const desk = this.#readable(held, stored);
    const reaction = desk?.isOpen ? desk.on({ type: "expired", now }) : undefined;
    if (reaction?.store) await this.#follow(id, held, stored.call, desk, reaction);
  }

  async read(id, state) {
    // It may be one of an inbox.
    if (!state?.conversation) throw NONE();
    const saved = await openedBefore(this.#core, state, (key) => this.#answered(id, key));
    return { saved, conversation: this.#core.Conversation.fromJSON(saved.conversation) };
  }

  /** An answer that is stored is handed over, also where its client has gone. */
  recover(id, held) {
    return this.#handsOver(id, held);
  }

  #start(id, since, { type, value }) {
    this.run(id, since, type === "execute" ? (signal) => this.#execute(id, since, value, signal) : (signal) => this.#request(id, since, signal));
  }

  /** Reports what came of a request to the agent or of a tool, unless the conversation has gone another way since. */
  #comes(id, since, event, change) {
    return this.persistently(() =>
      this.alone(id, async (held) => {
        if (sinceOf(held) === since) await this.#advance(id, held, event, typeof change === "function" ? change(held) : change);
      }),
    );
  }

  async #request(id, since, signal) {
    const read = (held) => (sinceOf(held) === since ? this.lines(id, ["message"]).then((lines) => ({ lines, unheard: held.conversation.state.unheard })) : undefined);
    const told = await this.persistently(() => this.alone(id, read));
    if (signal.aborted || !told) return;
    // An answer that has come since is in the next request.
    const messages = transcript(withoutLast(told.lines, told.unheard), this.#secrets);
    const last = messages.slice(messages.findLastIndex((one) => one.role !== "tool" && !isLate(one)) + 1);
    const results = last.filter(({ role }) => role === "tool");
    let reply;
    try {
      reply = replied(await this.#agent({ id, messages, results, signal }));
    } catch (error) {
      if (signal.aborted) return;
      this.#onError(error, { id });
      const line = error instanceof AgentError ? failed(error.message, error.mayTryAgain) : failed("The agent failed. Try again.", true);
      return this.#comes(id, since, { type: "model_failed" }, { lines: [line] });
    }
    try {
      await this.#comes(id, since, { type: "model_responded", calls: reply.calls }, (held) => ({ lines: [responded(reply, held.conversation.state.unheard)] }));
    } catch (error) {
      // The model is told why none of its calls ran: they are no calls that a conversation takes, or cannot be stored.
      const fault = CALLS.includes(error.code) ? `${error.message} None was run.` : isUnstorable(error) ? `The calls were not run. ${error.message}` : undefined;
      if (fault === undefined) throw error;
      const said = { text: `${reply.text}\n\n${fault}`.trim(), calls: [] };
      await this.#comes(id, since, { type: "model_failed" }, (held) => ({ lines: [responded(said, held.conversation.state.unheard)] }));
    }
  }

  async #execute(id, since, call, signal) {
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
      await this.#comes(id, since, event, change);
    } catch (error) {
      if (!isUnstorable(error)) throw error;
      this.#onError(error, { id });
      const content = JSON.stringify(`The result of ${call.name} cannot be stored. ${error.message}`);
      await this.#comes(id, since, completed({ content, isError: true }));
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
    signal.throwIfAborted();
    const source = tool ? { source: "tool", name: call.name } : { source: "assistant" };
    const earlier = await this.persistently(() => this.alone(id, async (held) => ({ ...held.saved, desk: await this.#closed(id, held, call.id) })));
    const options = { label: this.#label, source, turn: earlier.turn, drafts: earlier.drafts, ...came.options, dialect: came.dialect, toolCallId: call.id, nonce: unguessable() };
    const asked = this.#core.Desk.ask(came.request, { ...options, earlier: earlier.desk });
    const walk = this.#core.open(came.request, options);
    await consult(walk, this.#assistant, signal, (error) => this.#onError(error, { id }));
    // Nobody hears of an answer after the person has stopped the agent.
    signal.throwIfAborted();
    const desk = asked.begun(walk.save());
    if (desk.isOpen) return { event: { type: "question_pending", call_id: call.id, ...desk.request }, desk, turn: { open: { [call.id]: walk.form.questions } } };
    // Nobody has to be asked: remembered, answered by the assistant, or failed.
    const { hand } = desk.on({ type: "restored" });
    return { content: await this.#content(id, call, hand), isError: hand.outcome.ends === "failed", ...ofHand(hand) };
  }
}

const NONE = () => new Refused(404, "no_conversation", "There is no such conversation.");

/** Under which key the desk of a closed question is stored: no key of a client is a list. */
const deskKey = (call, nonce) => JSON.stringify(["desk", call, nonce]);

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

/** The states in which the agent or a tool works. */
const WORKING = ["requesting_model", "executing"];

/** At which revision that began which runs. A state does not say it where nothing was stored since. */
const sinceOf = ({ saved, revision }) => saved.since ?? revision;

/** An event with the results of the questions that end with it, as JSON text with every digit. */
function withResults(event, left) {
  const results = [...left].filter(([, { result }]) => typeof result === "string").map(([call, { result }]) => `${JSON.stringify(call)}:${result}`);
  if (!results.length) return event;
  const text = typeof event === "string" ? event : JSON.stringify(event);
  return `${text.slice(0, -1)},"results":{${results}}}`;
}

/** Whether the agent waits for the answer to a question, by its stored desk. */
const isWaitedFor = ({ options }) => options?.blocking !== false;

/** The call and the nonce of a stored desk. */
const namesOf = ({ call, options } = {}) => ({ call, nonce: options?.nonce });

/** Stored desks, with this one in its place, or behind the others. */
const replaced = (desks, desk) => (desks.some(({ call }) => call === desk.call) ? desks.map((one) => (one.call === desk.call ? desk : one)) : [...desks, desk]);

/** The lines by which a closed question is found: by its call, and by the key of its answer. */
function closedLines(desk) {
  const { call, nonce } = namesOf(desk);
  const line = { kind: "response", key: deskKey(call, nonce), text: JSON.stringify(desk) };
  const key = desk.closed?.taken?.key;
  return key === undefined ? [line] : [line, { kind: "response", key: JSON.stringify(key), text: JSON.stringify({ call, nonce }) }];
}

const recorded = (records) => records.map((record) => ({ kind: "record", text: JSON.stringify(record) }));

/** The questions that a state tells of. */
const requestsOf = ({ requests, ...state }) => requests ?? (state.type === "awaiting_user_response" ? [state] : []);

/** What lasts for a turn, with what came to it: other questions may have brought more since it was handed to this one. */
function joined(turn, more = {}) {
  const names = [...new Set([...Object.keys(turn), ...Object.keys(more)])];
  return Object.fromEntries(names.map((name) => [name, { ...turn[name], ...more[name] }]));
}

/** What is stored of an answer besides its result. */
const ofHand = ({ records, turn, drafts }, lasting = turn) => ({ records, turn: lasting, drafts });

/** What a question that the agent does not wait for adds to the turn: how often it was asked, if the turn in which that was is not over. */
function askedIn({ open = {} }, call, { turn: before }, { turn: { attempts } }) {
  const asked = Object.entries(attempts).filter(([key, count]) => before?.attempts?.[key] !== count);
  return Object.hasOwn(open, call) ? { attempts: Object.fromEntries(asked) } : {};
}

/** What lasts for a turn once these forms are closed: how often their questions were asked is known. */
function closedIn(turn, calls) {
  if (!turn.open) return turn;
  const open = Object.entries(turn.open).filter(([call]) => !calls.includes(call));
  return { ...turn, open: Object.fromEntries(open) };
}
