// A server of the Model Context Protocol that asks through an MCP App: `npm run mcp-app`, over standard input and output, for any host.
// The call of `ask_user` waits until the person has answered in the view, which answers by `ask_user_answer`, a tool that no model sees.
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema, ListResourcesRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { Desk, RejectionError, toolDefinition } from "ask-user/core";

const VIEW = "ui://ask-user/form.html";
const html = readFileSync(fileURLToPath(import.meta.resolve("ask-user/mcp-app.html")), "utf8");
const { name, description, parameters } = toolDefinition("ask_user");
const TOOLS = [
  { name, description, inputSchema: parameters, _meta: { ui: { resourceUri: VIEW, visibility: ["model"] }, "ask-user/answer": "ask_user_answer" } },
  {
    name: "ask_user_answer",
    description: "Takes what the person answered, from the view.",
    inputSchema: { type: "object", properties: { tool_call_id: { type: "string" }, walk: { type: "object" }, secrets: { type: "object" } }, required: ["tool_call_id", "walk"] },
    _meta: { ui: { resourceUri: VIEW, visibility: ["app"] } },
  },
];
/** How many answers that were taken are known again. */
const KNOWN = 100;
const KEY = randomBytes(32);
const said = (text, isError = false) => ({ content: [{ type: "text", text }], isError });

/**
 * The server. `ended` hears how each question ended, with the records and the secrets: for the server's own eyes.
 * @param {(end: { outcome: import("ask-user/core").Outcome, records: import("ask-user/core").AuditRecord[] }) => unknown} ended
 */
export function makeServer(ended = () => {}) {
  const server = new Server({ name: "ask-user", version: "0.1.0" }, { capabilities: { tools: {}, resources: {} } });
  /** What waits for a person, by the id that the view was given. */
  const waiting = new Map();
  /** What was answered, by the same id: a view that has heard no reply sends its answer again. */
  const taken = new Map();

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: VIEW, name: "The form", mimeType: "text/html;profile=mcp-app" }] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    if (params.uri !== VIEW) throw new Error(`There is no resource ${params.uri}.`);
    // The form is wasm. Hosts put these into the policy of the view as they are; where one does not, the form is a script, and there are no
    // questions with a JSON Schema.
    const csp = { resourceDomains: ["'wasm-unsafe-eval'"] };
    return { contents: [{ uri: VIEW, mimeType: "text/html;profile=mcp-app", text: html, _meta: { ui: { csp, prefersBorder: false } } }] };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId, signal }) => {
    if (params.name === "ask_user_answer") return answered(params.arguments);
    if (params.name !== "ask_user") return said(`There is no tool ${params.name}.`, true);
    const id = String(requestId);
    // The protocol tells 1 from "1"; a view does not.
    if (waiting.has(id)) return said(`A call with the id ${JSON.stringify(id)} is open.`, true);
    taken.delete(id);
    try {
      const desk = Desk.ask(params.arguments, { dialect: "ask_user", toolCallId: id });
      const outcome = await new Promise((resolve, reject) => {
        const cancelled = () => reject(new Error("The call was cancelled."));
        if (signal.aborted) return cancelled();
        waiting.set(id, { desk, resolve });
        signal.addEventListener("abort", cancelled);
      });
      return said(outcome.result ?? '{"cancelled": true}');
    } catch (error) {
      if (!(error instanceof RejectionError)) throw error;
      return said(JSON.stringify(error.toolResult), true);
    } finally {
      waiting.delete(id);
    }
  });

  /** Brings what the view says to the desk, which reads it again: nothing of it is believed. */
  function answered({ tool_call_id: id, walk, secrets = {} } = /** @type {any} */ ({})) {
    const asked = waiting.get(id) ?? taken.get(id);
    if (!asked) return said("This question is not open any more.", true);
    const { desk, resolve } = asked;
    const input = { type: "responded", response: { walk: walk ?? null, secrets } };
    const given = desk.secretsIn(input);
    const seal = given && { by: "this process", digest: createHmac("sha256", KEY).update(given).digest("hex") };
    const { reply, hand } = desk.on({ ...input, seal });
    if (hand) {
      desk.on({ type: "handed" });
      taken.set(id, asked);
      if (taken.size > KNOWN) taken.delete(taken.keys().next().value);
      ended({ outcome: hand.outcome, records: hand.records });
      resolve(hand);
    }
    return reply.status === 200 ? said("Thank you.") : said(reply.message, true);
  }
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeServer().connect(new StdioServerTransport());
