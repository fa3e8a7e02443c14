// A host for JavaScript that is served by node:http, for tests: an agent that asks what its person writes, and how a test answers as a page does.
import { createServer } from "node:http";
import { ask, createHost } from "../../pkg/dist/host.node.js";
import { listener } from "../../pkg/dist/host.listener.js";
import { overHttp } from "./conformance.mjs";

/**
 * @import { Server } from "node:http"
 * @import { AddressInfo } from "node:net"
 * @import { Host, HostOptions, Reply, Run, Tool, Turn } from "../../pkg/types/host.js"
 */

/**
 * What an event stream has said.
 * @typedef {{ id?: string, event?: string, data: any }} Event
 */

/** What the agent asks for a message that is not JSON. */
export const QUESTIONS = {
  questions: [
    { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
    { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
    { id: "limits", text: "With which limits?", answer_type: "schema", schema: { type: "object", properties: { cpu: { type: "integer" } }, required: ["cpu"] }, when: { question_id: "apply", equals: true } },
  ],
};

/**
 * An agent that calls `ask_user` for each message, and says what it got. A message that is JSON names the calls.
 * @param {Turn} turn
 * @returns {Promise<Reply | string>}
 */
export async function scripted({ messages, results }) {
  if (results.length) return `I got ${JSON.stringify(results.map(({ content }) => content))}.`;
  const own = messages.filter((/** @type {{ role: string, callId?: string }} */ { role, callId }) => role === "user" && callId === undefined);
  if (messages.at(-1) !== own.at(-1)) return "I got it later.";
  const turns = own.length;
  const { text } = /** @type {{ text: string }} */ (own.at(-1));
  const calls = text.startsWith("[") ? JSON.parse(text) : [{ name: "ask_user", input: QUESTIONS }];
  return { text: "I look at it.", calls: calls.map((/** @type {object} */ call, /** @type {number} */ place) => ({ id: `call_${turns}_${place}`, ...call })) };
}

/**
 * Tools for tests.
 * @type {{ [name: string]: Tool | Run }}
 */
export const TOOLS = {
  add: ({ a, b }) => a + b,
  fail: () => {
    throw new Error("Nothing works.");
  },
  deploy: {
    run: ({ to }) => ask({ question: `Deploy to ${to}?`, answer_type: "boolean" }),
    answered: (/** @type {any} */ { ends, result }, { input }) => (ends === "completed" ? { deployed: result.answer ? input.to : null } : { deployed: null, ends }),
  },
  key: {
    run: () => ask({ questions: [{ id: "go", text: "Go?", answer_type: "boolean" }, { id: "key", text: "Which key?", answer_type: "secret" }] }),
    answered: ({ secrets }) => ({ length: secrets?.key?.length ?? null }),
  },
};

/** A host with a server of its own. */
export class JsHost {
  /** @type {Host} */
  host = /** @type {any} */ (undefined);
  /** @type {Server} */
  server = /** @type {any} */ (undefined);
  /** @param {Partial<HostOptions>} [options] */
  static async start(options) {
    const host = new JsHost();
    host.host = createHost(/** @type {HostOptions} */ ({ agent: scripted, tools: TOOLS, ...options }));
    host.server = createServer(listener(host.host));
    await /** @type {Promise<void>} */ (new Promise((resolve) => host.server.listen(0, "127.0.0.1", resolve)));
    return host;
  }

  get url() {
    return `http://127.0.0.1:${/** @type {AddressInfo} */ (this.server.address()).port}`;
  }

  close() {
    this.host.close();
    this.server.closeAllConnections();
    this.server.close();
  }
}

/**
 * The events of a stream so far: `{ id, event, data }`. `until` ends the reading.
 * @param {string} url
 * @param {{ [name: string]: string }} headers
 * @param {(found: Event[]) => unknown} until
 */
export async function read(url, headers, until) {
  const stop = new AbortController();
  const response = await fetch(url, { headers, signal: stop.signal });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  /** @type {Event[]} */
  const found = [];
  let rest = "";
  for await (const text of /** @type {ReadableStream<any>} */ (response.body).pipeThrough(new TextDecoderStream())) {
    rest += text;
    const whole = rest.split("\n\n");
    rest = /** @type {string} */ (whole.pop());
    for (const part of whole) {
      const fields = Object.fromEntries(part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
      if (fields.data) found.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) });
    }
    if (until(found)) break;
  }
  stop.abort();
  return found;
}

/** @type {(event: Event) => boolean} */
const isAsked = ({ data }) => data.type === "awaiting_user_response";

/**
 * Begins a conversation at a host, and gives its address and the headers that open it.
 * @param {string} url
 * @param {string} [text]
 * @param {{ base?: string, headers?: { [name: string]: string } }} options
 */
export async function begin(url, text = undefined, { base = "/conversations", headers = {} } = {}) {
  /** @type {(path: string, body: object, more?: { [name: string]: string }) => Promise<any>} */
  const post = async (path, body, more) => {
    const response = await fetch(url + path, { method: "POST", headers: { "Content-Type": "application/json", ...headers, ...more }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.json();
  };
  const { id, token } = await post(base, {});
  const opens = { ...headers, Authorization: `Bearer ${token}` };
  const at = `${url}${base}/${id}`;
  if (text !== undefined) await post(`${base}/${id}/messages`, { text }, opens);
  return { id, token, at, opens };
}

/**
 * A question that is open at a host, as tests/js/conformance.mjs wants it.
 * @param {string} url
 * @param {{ base?: string, headers?: { [name: string]: string } }} [where]
 */
export async function due(url, where) {
  const { at, opens } = await begin(url, "Go on.", where);
  const events = await read(`${at}/events`, opens, (found) => found.some(isAsked));
  const { tool_call_id: call, request, walk, version, dialect, options } = /** @type {Event} */ (events.findLast(isAsked)).data;
  /** @type {(response: any) => any} */
  const body = (response) => (response && typeof response === "object" && !Array.isArray(response) ? { tool_call_id: call, ...response } : response);
  const over = overHttp({ url: `${at}/respond`, saveUrl: `${at}/walk`, headers: opens, body });
  /** The results that the agent got: all that are there once it has said what it got, or at once if it cannot have got any. */
  const taken = async () => {
    const isOpen = (await read(`${at}/events`, opens, (found) => found.length > 0)).findLast(({ data }) => data.type)?.data.type === "awaiting_user_response";
    const heard = await read(`${at}/events`, opens, (found) => (isOpen ? found.some(isAsked) : found.some(({ data }) => data.role === "assistant" && data.text.startsWith("I got"))));
    return heard.filter(({ data }) => data.role === "tool" && data.call_id === call).map(({ data }) => data.content);
  };
  return { ...over, request, walk, version, options: { ...options, tool_call_id: undefined, toolCallId: call, dialect }, taken, at, opens, call };
}
