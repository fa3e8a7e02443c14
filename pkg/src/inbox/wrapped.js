// Between an agent that speaks the Agent Client Protocol (ACP), or the app server of Codex, and its client, such as an editor: everything passes through as it is, but what the agent asks is asked in the inbox. What is not
// answered there, for whatever reason, passes through, too, and the client asks as it always did.
import { isRounded } from "./digits.js";
import { askedThere, isDecided } from "./door.js";
import { unguessable } from "./folder.js";
import { lines, messageOf } from "./piped.js";
import { sha256 } from "./receipts.js";
import { Work } from "./work.js";

/**
 * @import { Readable } from "node:stream"
 * @import { Dialect } from "../../types/core.js"
 * @import { State } from "./board.js"
 * @import { Client } from "./client.js"
 * @import { Pipe } from "./piped.js"
 * @import { Message } from "./work.js"
 */

/**
 * A request of the agent that is asked in the inbox: as it came, as it is asked, and what stops that. Once it is over, it has no answer any more.
 * @typedef {{ message: Message, bytes: Buffer, asked: string, stop: AbortController, isOver: boolean }} Held
 */

/**
 * What the agent asks its client, by the method: the dialect, and whether an answer allows something.
 * @type {Map<unknown, [dialect: Dialect, approval: boolean]>}
 */
const ASKED = new Map([
  ["session/request_permission", ["acp", true]],
  ["elicitation/create", ["mcp", false]],
  ["item/commandExecution/requestApproval", ["codex", true]],
  ["item/fileChange/requestApproval", ["codex", true]],
  ["item/permissions/requestApproval", ["codex", true]],
  ["item/tool/requestUserInput", ["codex", false]],
  ["mcpServer/elicitation/request", ["codex", true]],
]);
const PERMISSION = "session/request_permission";
/** The code of the error that ends a cancelled request. */
const CANCELLED = -32_800;
/** How many requests are remembered that the client has got. */
const MOST = 1_000;

export class Wrapped {
  #client;
  #toAgent;
  #toClient;
  #wait;
  #work;
  /** Whether nothing is asked any more: the client or the agent is gone. */
  #isOver = false;
  /** @type {Map<string, Held>} */
  #held = new Map();
  /** What the inbox is still asked. @type {Set<Promise<void>>} */
  #asking = new Set();
  /** The requests that the client has got, by their id, with a hash. @type {Map<string, string>} */
  #passed = new Map();
  /** The requests to the agent that are not the client's. @type {Set<string>} */
  #own = new Set();

  /** @param {{ client: Client, command: string, toAgent: Pipe, toClient: Pipe, wait?: number, who?: string, folder: string }} options */
  constructor({ client, command, toAgent, toClient, wait, who, folder }) {
    this.#client = client;
    this.#toAgent = toAgent;
    this.#toClient = toClient;
    this.#wait = wait;
    this.#work = new Work({ command, who, folder });
  }

  /**
   * Passes on what the client says. Once it is gone, nothing is asked any more.
   * @param {Readable} input
   */
  async hearClient(input) {
    try {
      for await (const { bytes, isEnd, isWhole } of lines(input)) {
        await this.#toAgent.write(bytes, isEnd);
        const message = isWhole && messageOf(bytes);
        if (message) tried(() => this.#clientSaid(message));
      }
    } finally {
      await this.end();
    }
  }

  /**
   * Passes on what the agent says, but its questions.
   * @param {Readable} output
   */
  async hearAgent(output) {
    for await (const { bytes, isEnd, isWhole } of lines(output)) {
      const message = isWhole && messageOf(bytes);
      const isTaken = message && tried(() => this.#takes(message, bytes));
      if (!isTaken) await this.#toClient.write(bytes, isEnd);
    }
  }

  /** Closes what is still asked in the inbox, and asks nothing more. */
  async end() {
    this.#isOver = true;
    for (const held of this.#held.values()) this.#drop(held);
    await Promise.all(this.#asking);
  }

  /** @param {Message} message */
  #clientSaid(message) {
    const { id, method, params } = message;
    if (method === undefined) return void this.#passed.delete(JSON.stringify(id));
    this.#work.clientSaid(message);
    if (method === "session/cancel") this.#cancelled(params?.sessionId);
  }

  /**
   * The turn of a session was cancelled: the agent waits for an answer to what it has asked in it. In version 2, work in the background goes on, and the agent says itself what it takes back.
   * @param {unknown} session
   */
  #cancelled(session) {
    if (typeof session !== "string" || this.#work.version > 1) return;
    for (const held of this.#held.values()) if (held.message.params?.sessionId === session) this.#answer(held, cancellation(held.message));
  }

  /**
   * Whether a message of the agent is not passed on.
   * @param {Message} message
   * @param {Buffer} bytes
   */
  #takes(message, bytes) {
    const { id, method, params } = message;
    if (method === undefined) {
      if (this.#own.delete(JSON.stringify(id))) return true;
      const ended = this.#work.agentReplied(message);
      // A turn that has ended waits for nothing.
      if (ended !== undefined && this.#work.version === 1) this.#dropAll((held) => held.params?.sessionId === ended);
      return false;
    }
    if (id === undefined) return this.#noted(message), false;
    if (this.#isOver || !ASKED.has(method) || !(typeof id === "string" || Number.isSafeInteger(id)) || isRounded(String(bytes))) return false;
    // A secret stays with the client: the inbox keeps none for an agent.
    if (Array.isArray(params?.questions) && params.questions.some((/** @type {any} */ question) => question?.isSecret)) return false;
    // Where none runs, the order of the messages stays as it was.
    if (!this.#client.folder.running) return false;
    const name = JSON.stringify(id);
    // Codex says again what it still waits for when a thread is resumed.
    if (this.#passed.get(name) === sha256(String(bytes))) return false;
    const before = this.#held.get(name);
    if (before?.bytes.equals(bytes)) return true;
    if (before) this.#drop(before);
    const asked = this.#work.asked(message);
    if (asked === undefined) return false;
    this.#ask(message, bytes, asked);
    return true;
  }

  /**
   * Hears a notification of the agent.
   * @param {Message} message
   */
  #noted({ method, params }) {
    const held = this.#held.get(JSON.stringify(params?.requestId));
    if (held && method === "serverRequest/resolved") this.#drop(held);
    if (held && method === "$/cancel_request") this.#answer(held, this.#work.version > 1 ? cancellation(held.message) : responseTo(held.message, { error: { code: CANCELLED, message: "The request was cancelled." } }));
    const turn = params?.turn?.id;
    if (method === "turn/completed" && turn !== undefined) this.#dropAll((held) => held.params?.threadId === params.threadId && held.params.turnId === turn);
    if (!this.#work.agentSaid({ method, params })) return;
    // What would be done has changed: the person is asked about what it is now.
    for (const held of this.#held.values()) {
      const asked = this.#work.asked(held.message);
      if (asked !== undefined && JSON.stringify(asked) === held.asked) continue;
      this.#drop(held);
      if (asked === undefined) this.#pass(held);
      else this.#ask(held.message, held.bytes, asked);
    }
  }

  /**
   * Asks in the inbox. What is not decided there is passed on.
   * @param {Message} message
   * @param {Buffer} bytes
   * @param {Message} request
   */
  #ask(message, bytes, request) {
    /** @type {Held} */
    const held = { message, bytes, asked: JSON.stringify(request), stop: new AbortController(), isOver: false };
    this.#held.set(JSON.stringify(message.id), held);
    const [dialect, approval] = /** @type {[Dialect, boolean]} */ (ASKED.get(message.method));
    const question = { request, dialect, who: this.#work.who, folder: this.#work.folderOf(message.params), approval };
    const asking = askedThere({ client: this.#client, question, wait: this.#wait, signal: held.stop.signal, take: (state) => this.#decided(held, state) })
      .then((isTaken) => {
        if (isTaken || held.isOver) return;
        this.#over(held);
        this.#pass(held);
      })
      .finally(() => this.#asking.delete(asking));
    this.#asking.add(asking);
  }

  /** @param {Held} held */
  #pass({ message, bytes }) {
    this.#passed.set(JSON.stringify(message.id), sha256(String(bytes)));
    for (const [oldest] of this.#passed) if (this.#passed.size > MOST) this.#passed.delete(oldest);
    this.#toClient.insert(bytes);
  }

  /**
   * Gives the agent what the person has decided; says whether there was anything.
   * @param {Held} held
   * @param {State} state
   */
  #decided(held, state) {
    if (held.isOver) return true;
    const { result_text: text } = state;
    if (!isDecided(state) || text === undefined) return false;
    // The text is the whole message: an answer to a message of JSON-RPC is one.
    const said = JSON.parse(text);
    if (said?.id !== held.message.id || said.result === undefined || !this.#answer(held, text)) return false;
    if (state.state === "turn_ended") this.#endTurn(held.message, said.result);
    return true;
  }

  /**
   * Answers the agent; says whether that was possible.
   * @param {Held} held
   * @param {string} text
   */
  #answer(held, text) {
    this.#drop(held);
    return this.#toAgent.insert(Buffer.from(`${text}\n`));
  }

  /**
   * The person has ended the turn: a refusal alone would let the agent go on.
   * @param {Message} request
   * @param {any} result
   */
  #endTurn({ params: { sessionId: session, threadId: thread, turnId: turn } }, result) {
    if (typeof session === "string") {
      this.#say({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: session } });
      this.#cancelled(session);
    }
    if (typeof thread !== "string" || typeof turn !== "string" || result.decision === "cancel") return;
    const id = `ask-user ${unguessable()}`;
    this.#own.add(JSON.stringify(id));
    this.#say({ id, method: "turn/interrupt", params: { threadId: thread, turnId: turn } });
  }

  /** @param {Message} message */
  #say(message) {
    this.#toAgent.insert(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  /** @param {(request: Message) => boolean} isMeant */
  #dropAll(isMeant) {
    for (const held of this.#held.values()) if (isMeant(held.message)) this.#drop(held);
  }

  /**
   * The inbox need not ask any more.
   * @param {Held} held
   */
  #drop(held) {
    this.#over(held);
    held.stop.abort();
  }

  /** @param {Held} held */
  #over(held) {
    held.isOver = true;
    const id = JSON.stringify(held.message.id);
    if (this.#held.get(id) === held) this.#held.delete(id);
  }
}

/**
 * A response, as text. Codex leaves out the version of JSON-RPC.
 * @param {Message} request
 * @param {{ result?: object, error?: object }} said
 */
const responseTo = ({ id, jsonrpc }, said) => JSON.stringify({ jsonrpc, id, ...said });

/**
 * The response to a request whose turn was cancelled.
 * @param {Message} request
 */
const cancellation = (request) => responseTo(request, { result: request.method === PERMISSION ? { outcome: { outcome: "cancelled" } } : { action: "cancel" } });

/**
 * What a function gives; undefined if it throws. A message that nobody has foreseen passes through.
 * @template T
 * @param {() => T} act
 */
function tried(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}
