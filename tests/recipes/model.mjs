// A model that follows a script, behind two HTTP interfaces: chat completions (`/v1/chat/completions`) and responses (`/v1/responses`), each streamed or
// whole. It refuses a history that the real servers refuse: a tool call without its result, a result without its call, a call or a result twice.
import { createServer } from "node:http";
import { pause } from "../js/wait.mjs";

/** How many characters of a text or of a call's arguments are in one event, and the milliseconds before each. */
const PIECE = 7;
const PAUSE = 2;

/** A place in a text or in arguments where the model waits until the test calls `open()`. `reached` is fulfilled when it has come that far. */
export function gate() {
  let [open, reach] = /** @type {any[]} */ ([]);
  const [passed, reached] = [new Promise((/** @type {any} */ resolve) => (open = resolve)), new Promise((/** @type {any} */ resolve) => (reach = resolve))];
  return { passed, reached, open, reach };
}

/** A place in a text or in arguments where the connection breaks off. */
export const CUT = Symbol("cut");

/** Starts the server. `play(...turns)` sets the script; `requests` are the histories that it was sent, `faults` what it has refused. */
export async function startModel() {
  const model = { requests: [], faults: [], instructions: [], tools: [], left: [], calls: 0, items: new Map() };
  const server = createServer((request, response) => {
    serve(model, request, response).catch((error) => {
      if (error !== CUT) model.faults.push(error.message);
      if (response.headersSent) return response.destroy();
      response.writeHead(error.status ?? 500, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: { message: error.message, type: "invalid_request_error", param: null, code: null } }));
    });
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  return Object.assign(model, {
    url: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/v1`,
    /**
     * What the model does with the next requests: `{ text }`, `{ calls: [{ name, arguments }] }` (with a `text` before them, or not), or `{ status }` for a failure. A text, or the
     * arguments as JSON text, can be a list of texts, gates and `CUT`. After the script it quotes the results that it was given.
     */
    play(...turns) {
      Object.assign(model, { requests: [], faults: [], instructions: [], tools: [], left: turns });
    },
    /** What came after the last message of the person, in the last request. */
    heard() {
      const messages = model.requests.at(-1) ?? [];
      return messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
    },
    close: () => (server.closeAllConnections(), server.close()),
  });
}

/** A fault of the client's, as the server reports it. */
const fault = (message, status = 400) => Object.assign(new Error(message), { status });

async function serve(model, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname } = new URL(request.url, "http://localhost");
  const protocol = { "/v1/chat/completions": COMPLETIONS, "/v1/responses": RESPONSES }[pathname];
  if (!protocol || request.method !== "POST") throw fault(`${request.method} ${pathname} is not part of this server`, 404);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const { messages, instructions } = protocol.read(body, model);
  check(messages);
  model.instructions.push(instructions);
  model.tools.push(protocol.tools(body));
  model.requests.push(messages);
  const turn = model.left.shift() ?? quote(messages);
  // As a server that is overloaded: no fault of the client's.
  if (turn.status) return void response.writeHead(turn.status, { "Content-Type": "application/json" }).end('{"error":{"message":"The model is overloaded.","type":"server_error"}}');
  const reply = { text: turn.text, calls: (turn.calls ?? []).map((call) => ({ id: `call_${(model.calls += 1)}`, ...call })) };
  if (!body.stream) return void response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(await protocol.whole(reply, model, body)));
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  // Events of a stream that nobody reads any more are dropped.
  await protocol.stream(reply, (text) => response.destroyed || response.write(text), model, body);
  response.end();
}

/** What the model says without a script: a greeting, or the results of its latest calls. */
function quote(messages) {
  const results = messages.slice(messages.findLastIndex(({ role }) => role !== "tool") + 1);
  return { text: results.length ? `I heard: ${results.map(({ result }) => result).join(" and ")}` : "Hello." };
}

/** A history as the real servers accept it: each call is followed by its one result, and each result follows its call. */
function check(messages) {
  const seen = new Set();
  let due = new Set();
  for (const { role, calls = [], call } of messages) {
    if (role === "tool") {
      if (!due.delete(call)) throw fault(`The result of ${call} follows no call, or is its second.`);
      continue;
    }
    if (due.size) throw fault(`Each tool call must be followed by its result. Missing: ${[...due].join(", ")}`);
    due = new Set(calls.map(({ id }) => id));
    for (const id of due) if (seen.has(id) || !seen.add(id)) throw fault(`The call ${id} is there twice.`);
    if (due.size !== calls.length) throw fault("Two calls have one id.");
  }
  if (due.size) throw fault(`Each tool call must be followed by its result. Missing: ${[...due].join(", ")}`);
}

const textOf = (content) => (typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join(""));

/** The pieces of a text, in the model's own time. */
async function* pieces(text) {
  for (const part of [text].flat()) {
    if (typeof part === "string") {
      for (let at = 0; at < part.length; at += PIECE) {
        await pause(PAUSE);
        yield part.slice(at, at + PIECE);
      }
    } else if (part === CUT) {
      throw CUT;
    } else {
      part.reach();
      await part.passed;
    }
  }
}

const joined = async (text) => {
  let all = "";
  for await (const piece of pieces(text ?? "")) all += piece;
  return all;
};

const COMPLETIONS = {
  tools: ({ tools = [] }) => tools.map(({ function: { name, description, parameters } }) => ({ name, description, parameters })),
  read({ messages }) {
    const instructions = messages.filter(({ role }) => role === "system" || role === "developer").map(({ content }) => textOf(content)).join("\n");
    const said = messages.filter(({ role }) => role !== "system" && role !== "developer").map(({ role, content, tool_calls, tool_call_id }) => {
      if (role === "tool") return { role, call: tool_call_id, result: textOf(content) };
      const calls = tool_calls?.map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text }));
      return { role, ...(textOf(content) && { text: textOf(content) }), ...(calls?.length && { calls }) };
    });
    return { messages: said, instructions };
  },
  async whole({ text, calls }) {
    const tool_calls = await Promise.all(calls.map(async ({ id, name, arguments: args }) => ({ id, type: "function", function: { name, arguments: await joined(args) } })));
    const message = { role: "assistant", content: text === undefined ? null : await joined(text), ...(calls.length && { tool_calls }) };
    return { ...ENVELOPE, object: "chat.completion", choices: [{ index: 0, message, finish_reason: calls.length ? "tool_calls" : "stop" }], usage: USED };
  },
  async stream({ text, calls }, write) {
    const send = (delta, finish_reason = null) => write(`data: ${JSON.stringify({ ...ENVELOPE, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    send({ role: "assistant", content: text === undefined ? null : "" });
    for await (const content of pieces(text ?? "")) send({ content });
    for (const [index, { id, name, arguments: args }] of calls.entries()) {
      send({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
      for await (const piece of pieces(args)) send({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
    send({}, calls.length ? "tool_calls" : "stop");
    write(`data: ${JSON.stringify({ ...ENVELOPE, object: "chat.completion.chunk", choices: [], usage: USED })}\n\ndata: [DONE]\n\n`);
  },
};
const ENVELOPE = { id: "chatcmpl_1", created: 1, model: "scripted" };
const USED = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const RESPONSES = {
  tools: ({ tools = [] }) => tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  read({ input, instructions = "" }, { items }) {
    const messages = [];
    const system = [instructions].filter(Boolean);
    for (let item of typeof input === "string" ? [{ role: "user", content: input }] : input) {
      // With storage on, a client names what the server has sent.
      if (item.type === "item_reference") {
        if (!items.has(item.id)) throw fault(`Item with id '${item.id}' not found.`, 404);
        item = items.get(item.id);
      }
      if (item.type === "function_call_output") {
        messages.push({ role: "tool", call: item.call_id, result: textOf(item.output) });
      } else if (item.type === "function_call") {
        const call = { id: item.call_id, name: item.name, arguments: item.arguments };
        const last = messages.at(-1);
        // The calls of one reply are items side by side.
        if (last?.role === "assistant" && last.calls) last.calls.push(call);
        else if (last?.role === "assistant") last.calls = [call];
        else messages.push({ role: "assistant", calls: [call] });
      } else if (item.role === "system" || item.role === "developer") {
        system.push(textOf(item.content));
      } else {
        messages.push({ role: item.role, text: textOf(item.content) });
      }
    }
    return { messages, instructions: system.join("\n") };
  },
  async whole(reply, model) {
    const output = [];
    for (const item of itemsOf(reply, model)) output.push(kept(model, await done(item)));
    return responded("completed", output);
  },
  async stream(reply, write, model) {
    let sequence_number = 0;
    const send = (type, more) => write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...more })}\n\n`);
    send("response.created", { response: responded("in_progress", []) });
    const output = [];
    for (const [output_index, { said, ...item }] of itemsOf(reply, model).entries()) {
      const [at, isText] = [{ item_id: item.id, output_index, content_index: 0 }, item.type === "message"];
      send("response.output_item.added", { output_index, item: { ...item, status: "in_progress", ...(isText ? { content: [] } : { arguments: "" }) } });
      if (isText) send("response.content_part.added", { ...at, part: { type: "output_text", text: "", annotations: [] } });
      let all = "";
      for await (const delta of pieces(said)) {
        all += delta;
        send(isText ? "response.output_text.delta" : "response.function_call_arguments.delta", { ...at, delta });
      }
      const whole = kept(model, await done({ ...item, said: all }));
      if (isText) {
        send("response.output_text.done", { ...at, text: all });
        send("response.content_part.done", { ...at, part: whole.content[0] });
      } else {
        send("response.function_call_arguments.done", { ...at, arguments: all, name: item.name });
      }
      send("response.output_item.done", { output_index, item: whole });
      output.push(whole);
    }
    send("response.completed", { response: responded("completed", output) });
  },
};

/** The items of a reply. What each says is in `said`. */
function itemsOf({ text, calls }, model) {
  const id = (kind) => `${kind}_${(model.calls += 1)}`;
  const message = text === undefined ? [] : [{ id: id("msg"), type: "message", role: "assistant", said: text }];
  return [...message, ...calls.map(({ id: call_id, name, arguments: said }) => ({ id: id("fc"), type: "function_call", call_id, name, said }))];
}

/** An item whose text or arguments are whole. */
async function done({ said, ...item }) {
  const all = await joined(said);
  return { ...item, status: "completed", ...(item.type === "message" ? { content: [{ type: "output_text", text: all, annotations: [] }] } : { arguments: all }) };
}
const kept = (model, item) => (model.items.set(item.id, item), item);
const responded = (status, output) => ({
  id: "resp_1", object: "response", created_at: 1, model: "scripted", status, output, error: null, incomplete_details: null, instructions: null, metadata: {}, tools: [],
  tool_choice: "auto", parallel_tool_calls: true, temperature: 1, top_p: 1,
  usage: { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 },
});
