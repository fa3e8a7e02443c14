// The tool calls in the streams of model providers, as they are written: the text of each call's arguments is a stream of its own. Knows no form.
import { chunks } from "./pieces.js";

/** @import { Provider, StreamedCall } from "../types/streams.js" */

/**
 * An event of a provider.
 * @typedef {{ [name: string]: any }} Event
 */

/**
 * What an event names its call by.
 * @typedef {string | number} Key
 */

/** What a call that is not whole ends with. */
const CUT = "The model's stream ended before the call was complete.";

/**
 * The calls in a stream, each as soon as it begins: `{ id, name, text }`, where `text` is a ReadableStream of the arguments' text. It fails where the call is not whole.
 * `source` is what the provider sends: the bytes or the text of server-sent events, or the events as objects, as SDKs give them. `tools` names the calls that are wanted;
 * all by default.
 * @param {ReadableStream<unknown> | AsyncIterable<unknown>} source
 * @param {{ provider: Provider, tools?: readonly string[] }} options
 * @returns {AsyncGenerator<StreamedCall, void, undefined>}
 */
export async function* toolCalls(source, { provider, tools } = /** @type {{ provider: Provider }} */ ({})) {
  if (!Object.hasOwn(PROVIDERS, provider)) throw new TypeError(`\`provider\` must be one of: ${Object.keys(PROVIDERS).join(", ")}.`);
  /** @type {ReadableStreamDefaultController<StreamedCall>} */
  let begun;
  /** @type {ReadableStream<StreamedCall>} */
  const calls = new ReadableStream({ start: (controller) => (begun = controller) });
  const open = new Calls((name) => tools === undefined || tools.includes(name), (call) => attempt(() => begun.enqueue(call)));
  // It goes on whether the calls are taken or not: a text that is read must not wait for that.
  pump(source, PROVIDERS[provider](open), open).then(() => attempt(() => begun.close()), (error) => begun.error(error));
  yield* chunks(calls);
}

/**
 * @param {ReadableStream<unknown> | AsyncIterable<unknown>} source
 * @param {(event: Event) => void} take
 * @param {Calls} open
 */
async function pump(source, take, open) {
  try {
    for await (const event of events(source)) take(event);
  } catch (error) {
    open.fail(error);
    throw error;
  }
  open.fail(new Error(CUT));
}

/** The calls that are being written, by a key that the provider's events have. */
class Calls {
  /** @type {Map<Key, { writer: ReadableStreamDefaultController<string>, id: string | undefined, isEmpty: boolean }>} */
  #open = new Map();
  /** @type {(name: string) => boolean} */
  #isWanted;
  /** @type {(call: StreamedCall) => void} */
  #told;

  /**
   * @param {(name: string) => boolean} isWanted
   * @param {(call: StreamedCall) => void} told
   */
  constructor(isWanted, told) {
    this.#isWanted = isWanted;
    this.#told = told;
  }

  /**
   * A call begins.
   * @param {Key} key
   * @param {string | undefined} id
   * @param {string} name
   */
  begin(key, id, name) {
    if (!this.#isWanted(name)) return;
    /** @type {ReadableStreamDefaultController<string> | undefined} */
    let writer;
    const text = new ReadableStream({ start: (controller) => (writer = controller) });
    this.#open.set(key, { writer: /** @type {ReadableStreamDefaultController<string>} */ (/** @type {unknown} */ (writer)), id, isEmpty: true });
    this.#told({ id, name, text });
  }

  /**
   * The id of the call that is open under a key.
   * @param {Key} key
   */
  id(key) {
    return this.#open.get(key)?.id;
  }

  /** @param {Key} key */
  has(key) {
    return this.#open.has(key);
  }

  /**
   * @param {Key} key
   * @param {string} [text]
   */
  add(key, text) {
    const call = this.#open.get(key);
    if (!call || !text) return;
    call.isEmpty = false;
    attempt(() => call.writer.enqueue(text));
  }

  /**
   * A call is whole. `text` is all of it, where nothing of it has come before.
   * @param {Key} key
   * @param {string} [text]
   */
  end(key, text = "") {
    const call = this.#open.get(key);
    if (!call) return;
    if (call.isEmpty) this.add(key, text);
    this.#open.delete(key);
    attempt(() => call.writer.close());
  }

  /** @param {(key: any) => boolean} isMeant */
  endAll(isMeant = () => true) {
    for (const key of [...this.#open.keys()]) if (isMeant(key)) this.end(key);
  }

  /**
   * The calls that are open will not be whole.
   * @param {unknown} error
   */
  fail(error) {
    for (const { writer } of this.#open.values()) writer.error(error);
    this.#open.clear();
  }
}

/**
 * Does something to a stream, which takes nothing any more once who reads it has cancelled it.
 * @param {() => void} act
 */
function attempt(act) {
  try {
    act();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/**
 * What each provider's events say, as functions that take them one by one.
 * @type {{ [name in Provider]: (calls: Calls) => (event: Event) => void }}
 */
const PROVIDERS = {
  // https://platform.openai.com/docs/api-reference/chat-streaming
  "openai-chat": (calls) => ({ choices = [], error }) => {
    if (error) throw failure(error);
    for (const { index: choice = 0, delta, finish_reason: reason } of choices) {
      for (const [place, { index = place, id, function: { name, arguments: text } = {} }] of (delta?.tool_calls ?? []).entries()) {
        const key = `${choice}.${index}`;
        // Some servers give every call the same index.
        if (id && calls.has(key) && calls.id(key) !== id) calls.end(key);
        if (!calls.has(key) && name) calls.begin(key, id, name);
        calls.add(key, typeof text === "object" ? JSON.stringify(text) : text);
      }
      if (reason === "length" || reason === "content_filter") throw new Error(`${CUT} The reason is "${reason}".`);
      if (reason) calls.endAll((key) => key.startsWith(`${choice}.`));
    }
  },
  // https://platform.openai.com/docs/api-reference/responses-streaming
  "openai-responses": (calls) => ({ type, item, item_id: key, delta, arguments: text, response, ...more }) => {
    if (type === "error" || type === "response.failed" || type === "response.incomplete") throw failure(response?.error ?? response?.incomplete_details ?? more);
    if (type === "response.output_item.added" && item.type === "function_call") {
      calls.begin(item.id, item.call_id, item.name);
      calls.add(item.id, item.arguments);
    }
    if (type === "response.function_call_arguments.delta") calls.add(key, delta);
    if (type === "response.function_call_arguments.done") calls.end(key, text);
  },
  // https://docs.anthropic.com/en/docs/build-with-claude/streaming
  anthropic: (calls) => ({ type, index, content_block: block, delta, error }) => {
    if (type === "error") throw failure(error);
    if (type === "content_block_start" && block.type === "tool_use") calls.begin(index, block.id, block.name);
    if (type === "content_block_delta" && delta.type === "input_json_delta") calls.add(index, delta.partial_json);
    if (type === "content_block_stop") calls.end(index, "{}");
  },
  // https://ai.google.dev/api/generate-content: a call comes whole, in one part.
  gemini: (calls) => {
    let count = 0;
    return ({ candidates = [], error }) => {
      if (error) throw failure(error);
      for (const { functionCall: call } of candidates.flatMap((/** @type {Event} */ { content }) => content?.parts ?? [])) {
        if (!call) continue;
        if (call.partialArgs || call.willContinue) throw new Error("The arguments of a function call come in parts. Leave `streamFunctionCallArguments` off.");
        const key = (count += 1);
        calls.begin(key, call.id, call.name);
        calls.end(key, JSON.stringify(call.args ?? {}));
      }
    };
  },
  // https://docs.ag-ui.com/concepts/events
  "ag-ui": (calls) => {
    /** @type {string | undefined} */
    let chunked;
    return ({ type, toolCallId: id, toolCallName: name, delta, message }) => {
      if (type === "RUN_ERROR") throw failure({ message });
      if (chunked !== undefined && (type !== "TOOL_CALL_CHUNK" || (id !== undefined && id !== chunked))) {
        calls.end(chunked);
        chunked = undefined;
      }
      if (type === "TOOL_CALL_START") calls.begin(id, id, name);
      if (type === "TOOL_CALL_ARGS") calls.add(id, delta);
      if (type === "TOOL_CALL_END") calls.end(id, "{}");
      if (type !== "TOOL_CALL_CHUNK") return;
      if (chunked === undefined) calls.begin((chunked = id), id, name);
      calls.add(/** @type {string} */ (chunked), delta);
    };
  },
  // https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol, and the parts of `fullStream`.
  "ai-sdk": (calls) => {
    const done = new Set();
    /** @type {(key: Key, input?: unknown) => void} */
    const end = (key, input) => {
      done.add(key);
      calls.end(key, input === undefined ? "" : JSON.stringify(input));
    };
    return ({ type, id, toolCallId: key = id, toolName: name, inputTextDelta, delta = inputTextDelta, input, errorText, error = errorText }) => {
      if (type === "error" || type === "abort") throw failure(error?.message ? error : { message: error });
      if (type === "tool-input-start") calls.begin(key, key, name);
      if (type === "tool-input-delta") calls.add(key, delta);
      if (type === "tool-input-end") end(key);
      if ((type !== "tool-input-available" && type !== "tool-call") || done.has(key)) return;
      if (!calls.has(key)) calls.begin(key, key, name);
      end(key, input);
    };
  },
};

/** @type {(error: any) => Error} */
const failure = (error) => new Error(`The model's stream failed. ${error?.message ?? error?.reason ?? error?.code ?? ""}`.trim());

/**
 * The events of a source, as objects.
 * @param {ReadableStream<unknown> | AsyncIterable<unknown>} source
 * @returns {AsyncGenerator<Event, void, undefined>}
 */
async function* events(source) {
  const decoder = new TextDecoder();
  const sent = new Sent();
  for await (const piece of chunks(source)) {
    if (typeof piece === "string") yield* sent.add(piece);
    else if (ArrayBuffer.isView(piece) || piece instanceof ArrayBuffer) yield* sent.add(decoder.decode(piece, { stream: true }));
    else yield /** @type {Event} */ (piece);
  }
  yield* sent.end();
}

/** Server-sent events (HTML standard, section 9.2.6), of which only the data counts. */
class Sent {
  #rest = "";
  /** @type {string[]} */
  #data = [];

  /**
   * The events that a piece completes.
   * @param {string} text
   * @returns {Generator<Event, void, undefined>}
   */
  *add(text) {
    const mayEnd = this.#rest.endsWith("\r") || /[\r\n]/.test(text);
    this.#rest += text;
    // A CR at the end may be the first half of CR LF.
    for (let line; mayEnd && (line = /^(.*?)(?:\r\n|\n|\r(?!$))/.exec(this.#rest)); ) {
      this.#rest = this.#rest.slice(line[0].length);
      if (line[1].startsWith("data:")) this.#data.push(line[1].slice(5).replace(/^ /, ""));
      if (line[1] === "") yield* this.#event();
    }
  }

  /** The event that the last CR completes, now that nothing more comes. */
  *end() {
    if (this.#rest.endsWith("\r")) yield* this.add("\n");
  }

  /** @returns {Generator<Event, void, undefined>} */
  *#event() {
    const event = this.#data.join("\n");
    this.#data = [];
    if (event && event !== "[DONE]") yield JSON.parse(event);
  }
}
