// Tests that the agents' own npm packages take our results, and that our examples of requests are what they send. `npm ci` in this folder, then `node --test packages.test.mjs`.
import assert from "node:assert/strict";
import { takes, typed } from "./check.mjs";

const inside = (path) => import(new URL(`./node_modules/${path}`, import.meta.url).href);
const params = (value) => value.params ?? value;
const result = (value) => value.result ?? value;

// Why the packages of MCP refuse requests of ours.
const NESTED = "A nested object is no property that MCP has for elicitations. The case is about a server that sends one all the same.";
const NULL = "`null` is no value of the protocol in this place. The case is about servers that send it all the same.";
const NO_PROPERTIES = "`properties` is required. The case is about servers that leave it out.";
const REFERENCE = "A `$ref` is no property that MCP has for elicitations. The case is about servers whose library writes one.";
const WORDS = "Its properties have the words of other tools. The case is about servers that send them all the same.";
const URL_ID = 'This version of the package requires `elicitationId` with mode "url". The newest version of the protocol has none.';
const FORMS = {
  "agents#acp-null-is-absent-in-an-elicitation": NULL,
  "agents#acp-an-elicitation-without-properties": NO_PROPERTIES,
  "agents#mcp-a-reference-to-an-enum": REFERENCE,
  "agents#mcp-the-values-of-a-choice-under-another-name": WORDS,
  "agents#mcp-what-the-form-does-not-check-is-named": WORDS,
  "mcp#a-nested-property-is-a-schema-question": NESTED,
  "truth#null-is-absent-in-a-schema": NULL,
  "truth#a-schema-without-properties": NO_PROPERTIES,
};

// @agentclientprotocol/sdk: its zod schemas of versions 1 and 2.
{
  const [v1, v2] = [await inside("@agentclientprotocol/sdk/dist/v1/schema/zod.gen.js"), await inside("@agentclientprotocol/sdk/dist/v2/schema/zod.gen.js")];
  const version = ({ request }) => (params(request).subject ? v2 : v1);
  takes("@agentclientprotocol/sdk", {
    dialect: "acp",
    accept: (entry) => version(entry).zRequestPermissionResponse.parse(result(entry.result)),
    atLeast: 7,
    broken: { result: { outcome: { outcome: "selected" } } },
  });
  takes("@agentclientprotocol/sdk", {
    dialect: "acp",
    part: "request",
    accept: (entry) => version(entry).zRequestPermissionRequest.parse(params(entry.request)),
    atLeast: 4,
    broken: { request: { sessionId: "s", options: [] } },
    known: {
      "agents#acp-two-options-of-one-name": "The request lacks its `sessionId`: it is shortened.",
      "agents#acp-two-rules-of-one-name": "The request lacks its `sessionId`: it is shortened.",
    },
  });
  takes("@agentclientprotocol/sdk (elicitations)", {
    dialect: "mcp",
    where: ({ result }) => result.action !== undefined,
    accept: (entry) => {
      const taken = v1.zCreateElicitationResponse.parse(entry.result);
      assert.deepEqual(taken, entry.result);
    },
    atLeast: 15,
    broken: { result: { action: "accept", content: { a: { b: 1 } } } },
    known: { "mcp#a-nested-property-is-a-schema-question": NESTED },
  });
}

// @modelcontextprotocol/sdk: a real server asks, a real client answers with our result, and the server checks it against the schema that it asked with.
{
  const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
  const { ElicitRequestSchema, ElicitResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const form = ({ request }) => params(request).requestedSchema && !request.inputRequests;
  takes("@modelcontextprotocol/sdk", {
    dialect: "mcp",
    where: form,
    accept: async ({ request, result: sent }) => {
      const server = new Server({ name: "server", version: "1.0.0" }, { capabilities: {} });
      const client = new Client({ name: "client", version: "1.0.0" }, { capabilities: { elicitation: { form: {}, url: {} } } });
      client.setRequestHandler(ElicitRequestSchema, () => result(sent));
      const [one, other] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(one), client.connect(other)]);
      try {
        assert.deepEqual(await server.elicitInput(params(request)), result(sent));
      } finally {
        await client.close();
      }
    },
    atLeast: 10,
    broken: { result: { action: "yes" } },
    known: FORMS,
  });
  takes("@modelcontextprotocol/sdk (the result alone)", {
    dialect: "mcp",
    where: ({ result: sent }) => result(sent).action !== undefined,
    accept: (entry) => ElicitResultSchema.parse(result(entry.result)),
    atLeast: 15,
    broken: { result: { action: "yes" } },
    known: { "mcp#a-nested-property-is-a-schema-question": NESTED },
  });
  takes("@modelcontextprotocol/sdk", {
    dialect: "mcp",
    part: "request",
    where: (entry) => form(entry) || entry.request.mode === "url",
    accept: (entry) => ElicitRequestSchema.parse({ method: "elicitation/create", params: params(entry.request) }),
    atLeast: 10,
    broken: { request: { requestedSchema: {} } },
    known: { ...FORMS, "mcp#url-mode": URL_ID, "mcp#url-mode-declined": URL_ID },
  });
}

// @ag-ui/core: its zod schemas.
{
  const { RunAgentInputSchema, RunFinishedEventSchema, InterruptSchema } = await import("@ag-ui/core/schemas");
  takes("@ag-ui/core", {
    dialect: "ag_ui",
    accept: (entry) => {
      const input = { threadId: "t", runId: "r", state: {}, messages: [], tools: [], context: [], forwardedProps: {}, resume: entry.result };
      assert.deepEqual(RunAgentInputSchema.parse(input).resume, entry.result);
    },
    atLeast: 15,
    broken: { result: [{ interruptId: "i", status: "answered" }] },
  });
  takes("@ag-ui/core", {
    dialect: "ag_ui",
    part: "request",
    accept: ({ request }) => {
      if (request.type) RunFinishedEventSchema.parse(request);
      else for (const interrupt of request.interrupts ?? request.outcome.interrupts) InterruptSchema.parse(interrupt);
    },
    atLeast: 12,
    broken: { request: { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "interrupt", interrupts: [{ id: 1 }] } } },
  });
}

// Why the package `ai` refuses requests of ours.
const OUTPUT = "A part with `toolCall` is one of `result.content` (ToolApprovalRequestOutput). The part of a model message has `toolCallId` alone.";

// ai: a real chat that holds the request takes our result with addToolApprovalResponse; results for model messages are parsed.
{
  const { AbstractChat, modelMessageSchema, safeValidateUIMessages } = await import("ai");
  const NOTATION = { "agents#ai-sdk-a-part-in-another-notation-is-asked-about": "The package knows no part with `State`. The case is about a program that writes it all the same." };
  const message = (request) => (request.parts ? { id: "m", role: "assistant", ...request } : { id: "m", role: "assistant", parts: [request] });
  class State {
    status = "ready";
    error;
    constructor(messages) {
      this.messages = messages;
    }
    pushMessage = (added) => this.messages.push(added);
    popMessage = () => this.messages.pop();
    replaceMessage = (at, value) => (this.messages[at] = value);
    snapshot = (value) => structuredClone(value);
  }
  class Chat extends AbstractChat {
    constructor(messages) {
      super({ state: new State(messages), transport: {} });
    }
  }
  takes("ai", {
    dialect: "ai_sdk",
    accept: async ({ request, result }) => {
      if (request.content) {
        modelMessageSchema.parse({ role: "tool", content: result });
        return;
      }
      const chat = new Chat([message(request)]);
      for (const { id, approved, reason, ...rest } of [result].flat()) {
        assert.deepEqual(rest, {});
        assert.equal(typeof approved, "boolean");
        await chat.addToolApprovalResponse({ id, approved, reason });
        const part = chat.messages[0].parts.find(({ approval }) => approval?.id === id);
        assert.equal(part?.state, "approval-responded");
        assert.deepEqual(JSON.parse(JSON.stringify(part.approval)), JSON.parse(JSON.stringify({ id, approved, reason })));
      }
      assert.equal(chat.messages[0].parts.filter(({ state }) => state === "approval-requested").length, 0);
      const read = await safeValidateUIMessages({ messages: JSON.parse(JSON.stringify(chat.messages)) });
      if (!read.success) throw read.error;
    },
    atLeast: 6,
    broken: { result: [{ id: "another", approved: true }, { type: "tool-approval-response", approved: 1 }] },
    known: NOTATION,
  });
  takes("ai", {
    dialect: "ai_sdk",
    part: "request",
    accept: async ({ request }) => {
      if (request.content) return modelMessageSchema.parse(request);
      const read = await safeValidateUIMessages({ messages: [message(request)] });
      if (!read.success) throw read.error;
    },
    atLeast: 4,
    broken: { request: { role: "assistant", parts: [{ type: "tool-x", state: "approval-requested" }] } },
    known: {
      "approvals#ai-sdk-answers-a-model-message": OUTPUT,
      ...NOTATION,
    },
  });
}

// ai: the types of the parts that ask, with no field besides.
{
  const part = 'ToolApprovalRequest | ToolApprovalRequestOutput<ToolSet>';
  const asks = ({ type }) => type === "tool-approval-request";
  takes("ai (types of the parts that ask)", {
    dialect: "ai_sdk",
    part: "request",
    where: ({ request }) => request.content,
    // The call of an output has a `type`, which the form does not read.
    accept: await typed('import type { ToolApprovalRequest, ToolApprovalRequestOutput, ToolSet } from "ai";', ({ request }) =>
      request.content.filter(asks).map(({ toolCall, ...rest }) => [part, toolCall ? { ...rest, toolCall: { type: "tool-call", toolCallId: "c", dynamic: true, ...toolCall } } : rest]),
    ),
    atLeast: 2,
    broken: { request: { content: [{ type: "tool-approval-request", approvalId: 1, toolCallId: "c" }] } },
  });
}

// @openai/agents-core: a real run with a scripted model is interrupted by the calls of the request, and goes on with our decisions.
{
  const { Agent, Runner, tool } = await import("@openai/agents-core");
  const { ScriptedModel, assistantMessage, functionCall, modelResponse } = await import("@openai/agents-core/testing");
  const items = (request) => request.interruptions ?? [request];
  takes("@openai/agents-core", {
    dialect: "openai_agents",
    where: ({ request }) => items(request).every((item) => (item.rawItem ?? item.raw_item).type === "function_call"),
    accept: async ({ request, result }) => {
      const calls = items(request).map((item) => item.rawItem ?? item.raw_item).map(({ name, callId, call_id, arguments: args }) => ({ name, callId: callId ?? call_id, arguments: args }));
      const ran = [];
      const tools = calls.map(({ name, callId }) =>
        tool({
          name,
          description: name,
          parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
          strict: false,
          needsApproval: true,
          execute: () => {
            ran.push(callId);
            return "done";
          },
        }),
      );
      const model = new ScriptedModel([modelResponse(calls.map(({ name, callId, arguments: args }) => functionCall(name, JSON.parse(args), { callId }))), modelResponse([assistantMessage("Done.")])]);
      const agent = new Agent({ name: "Assistant", model, tools });
      const runner = new Runner({ tracingDisabled: true });
      const first = await runner.run(agent, "Go on.");
      assert.equal(first.interruptions.length, calls.length);
      const decisions = result.decisions ?? [{ callId: calls[0].callId, ...result }];
      for (const { callId, approved, message, ...rest } of decisions) {
        assert.deepEqual(rest, {});
        const item = first.interruptions.find(({ rawItem }) => rawItem.callId === callId);
        if (approved) first.state.approve(item);
        else first.state.reject(item, { message });
      }
      const last = await runner.run(agent, first.state);
      assert.equal(last.interruptions.length, 0);
      assert.deepEqual(ran, decisions.filter(({ approved }) => approved).map(({ callId }) => callId));
      const outputs = last.history.filter(({ type }) => type === "function_call_result").map(({ output }) => output.text ?? output);
      for (const { message } of decisions) if (message) assert.ok(outputs.includes(message), `the model is told: ${JSON.stringify(outputs)}`);
    },
    atLeast: 2,
    broken: { result: { decisions: [{ callId: "another", approved: true }] } },
  });
}

// openai: types only.
takes("openai (types)", {
  dialect: "openai_responses",
  accept: await typed('import type { ResponseInputItem } from "openai/resources/responses/responses";', ({ result }) => [["ResponseInputItem.McpApprovalResponse", result], ["ResponseInputItem", result]]),
  atLeast: 2,
  broken: { result: { type: "mcp_approval_response", approval_request_id: "a", approved: true } },
});
takes("openai (types)", {
  dialect: "openai_responses",
  part: "request",
  accept: await typed('import type { ResponseOutputItem } from "openai/resources/responses/responses";', ({ request }) => [["ResponseOutputItem.McpApprovalRequest", request]]),
  atLeast: 2,
  broken: { request: { type: "mcp_approval_request" } },
});

// @github/copilot-sdk: types only. The client passes what its handler gives on as it is.
{
  const accept = await typed('import type { CopilotClientOptions, SessionConfig } from "@github/copilot-sdk";\ntype Handler = NonNullable<SessionConfig["onUserInputRequest"]>;', ({ request, result }) => [
    ...(result ? [["Awaited<ReturnType<Handler>>", result]] : []),
    ["Parameters<Handler>[0]", request],
  ]);
  takes("@github/copilot-sdk (types)", {
    dialect: "copilot",
    accept,
    atLeast: 3,
    broken: { result: { answer: "x" } },
    known: { "agents#copilot-choices-with-labels": "The type of `choices` is string[]. The case is about choices in the words of another tool." },
  });
}

// @anthropic-ai/claude-agent-sdk: types only. Its runtime passes the result of canUseTool on to the program of Claude Code.
{
  const importing =
    'import type { ElicitationResult, PermissionResult } from "@anthropic-ai/claude-agent-sdk";\nimport type { AskUserQuestionInput, AskUserQuestionOutput } from "@anthropic-ai/claude-agent-sdk/sdk-tools";';
  const unwrapped = (value) => value.response?.response ?? value;
  const accept = await typed(importing, ({ result: sent }) => {
    const value = unwrapped(sent);
    const input = value.updatedInput;
    return [["PermissionResult", value], ...(input?.questions ? [["AskUserQuestionInput", input]] : [])];
  });
  takes("@anthropic-ai/claude-agent-sdk (types)", {
    dialect: "claude",
    accept,
    atLeast: 10,
    broken: { result: { behavior: "deny" } },
    known: { "ask_user_question#claude-allows-with-answers": "The options of the request lack their `description`, which the package requires: it is shortened." },
  });
  takes("@anthropic-ai/claude-agent-sdk (types, the output of AskUserQuestion)", {
    dialect: "ask_user_question",
    where: ({ result }) => !result.declined,
    accept: await typed(importing, ({ request, result }) => [['Pick<AskUserQuestionOutput, "answers" | "annotations">', result]]),
    atLeast: 8,
    broken: { result: { answers: { a: ["x"] } } },
  });
  takes("@anthropic-ai/claude-agent-sdk (types, elicitations)", {
    dialect: "mcp",
    where: ({ request }) => (request.request ?? request).subtype === "elicitation",
    accept: await typed(importing, ({ result }) => [["ElicitationResult", unwrapped(result)]]),
    atLeast: 2,
    broken: { result: { action: "yes" } },
  });
}

// @anthropic-ai/sdk: types only.
{
  const importing =
    'import type { BetaManagedAgentsAgentMCPToolUseEvent, BetaManagedAgentsAgentToolUseEvent, BetaManagedAgentsEventParams, BetaManagedAgentsUserToolConfirmationEventParams } from "@anthropic-ai/sdk/resources/beta/sessions/events";';
  takes("@anthropic-ai/sdk (types)", {
    dialect: "managed_agents",
    accept: await typed(importing, ({ result }) => [["BetaManagedAgentsUserToolConfirmationEventParams", result], ["BetaManagedAgentsEventParams", result]]),
    atLeast: 2,
    broken: { result: { type: "user.tool_confirmation", tool_use_id: "a", result: "maybe" } },
  });
  takes("@anthropic-ai/sdk (types)", {
    dialect: "managed_agents",
    part: "request",
    // `processed_at` says when the event was processed, and the form does not read it: the cases leave it out.
    accept: await typed(importing, ({ request }) => [['Omit<BetaManagedAgentsAgentMCPToolUseEvent, "processed_at"> | Omit<BetaManagedAgentsAgentToolUseEvent, "processed_at">', request]]),
    atLeast: 2,
    broken: { request: { type: "agent.tool_use" } },
  });
}

// @opencode-ai/sdk: its real client sends our result, and what arrives at the server is compared with it.
{
  const { createOpencodeClient } = await import("@opencode-ai/sdk/v2/client");
  const send = async (act) => {
    let arrived;
    const client = createOpencodeClient({
      baseUrl: "http://127.0.0.1:1",
      fetch: async (request) => {
        arrived = { path: new URL(request.url).pathname, body: await request.text() };
        return new Response("true", { headers: { "content-type": "application/json" } });
      },
    });
    await act(client);
    return arrived;
  };
  const types = await typed('import type { PermissionReplyData, QuestionReplyData } from "@opencode-ai/sdk/v2/types";', ({ result }) => [
    [result.reply ? 'NonNullable<PermissionReplyData["body"]>' : 'NonNullable<QuestionReplyData["body"]>', result],
  ]);
  takes("@opencode-ai/sdk", {
    dialect: "opencode",
    accept: async (entry) => {
      const { result } = entry;
      if (result.rejected) {
        assert.deepEqual(result, { rejected: true });
        assert.deepEqual(await send((client) => client.question.reject({ requestID: "que_1" })), { path: "/question/que_1/reject", body: "" });
        return;
      }
      types(entry);
      const part = result.reply ? "permission" : "question";
      const { path, body } = await send((client) => client[part].reply({ requestID: "id_1", ...result }));
      assert.equal(path, `/${part}/id_1/reply`);
      assert.deepEqual(JSON.parse(body), result);
    },
    atLeast: 12,
    broken: { result: { answers: ["x"] } },
  });
  takes("@opencode-ai/sdk (types)", {
    dialect: "opencode",
    part: "request",
    where: ({ request }) => request.sessionID || request.properties,
    accept: await typed('import type { EventPermissionAsked, EventPermissionV2Asked, EventQuestionAsked, PermissionRequest, QuestionRequest } from "@opencode-ai/sdk/v2/types";', ({ request }) => {
      if (request.type === "permission.v2.asked") return [["EventPermissionV2Asked", request]];
      if (request.type) return [['Omit<EventQuestionAsked, "id">', request]];
      return [[request.permission ? "PermissionRequest" : "QuestionRequest", request]];
    }),
    atLeast: 4,
    broken: { request: { sessionID: "s", questions: [] } },
  });
}

// @mastra/core: the schemas of its tool `ask_user`, and the tool itself, resumed with our result.
{
  const { askUserTool } = await import("@mastra/core/tools");
  const asks = ({ request }) => request.question;
  const read = async (schema, value) => {
    const standard = schema["~standard"] ?? schema.schema?.["~standard"];
    const { issues } = await standard.validate(value);
    if (issues) throw new Error(JSON.stringify(issues));
  };
  takes("@mastra/core", {
    dialect: "mastra",
    where: asks,
    accept: async ({ request, result }) => {
      await read(askUserTool.inputSchema, request);
      await read(askUserTool.resumeSchema, result);
      const output = await askUserTool.execute(request, { agent: { resumeData: result, suspend: () => assert.fail("it asks again") } });
      assert.equal(output.content, `User answered: ${[result].flat().join(", ")}`);
    },
    atLeast: 2,
    broken: { result: { answer: "a" } },
  });
}

// @mastra/core: a real agent with a scripted model asks for the approval of the request's call, and is resumed with our result.
{
  const { Mastra } = await import("@mastra/core");
  const { Agent } = await import("@mastra/core/agent");
  const { InMemoryStore } = await import("@mastra/core/storage");
  const { createTool } = await import("@mastra/core/tools");
  const { MockLanguageModelV3, convertArrayToReadableStream } = await import("ai/test");
  const { z } = await import("zod");
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const turn = (parts, reason) => ({ stream: convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason: { unified: reason, raw: reason }, usage }]) });
  const all = async (stream) => {
    const parts = [];
    for await (const part of stream.fullStream) parts.push(part);
    return parts;
  };
  takes("@mastra/core (approvals)", {
    dialect: "mastra",
    where: ({ request }) => request.type === "tool-call-approval",
    accept: async ({ request, result }) => {
      const { toolCallId, toolName, args } = request.payload;
      const turns = [
        turn([{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(args) }], "tool-calls"),
        turn([{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "Done." }, { type: "text-end", id: "1" }], "stop"),
      ];
      const ran = [];
      const model = new MockLanguageModelV3({ doStream: async () => turns.shift() });
      const execute = async (input) => {
        ran.push(input);
        return "done";
      };
      const tools = { [toolName]: createTool({ id: toolName, description: toolName, inputSchema: z.record(z.string(), z.unknown()), requireApproval: true, execute }) };
      const agent = new Agent({ id: "agent", name: "agent", instructions: "Go on.", model, tools });
      new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
      const first = await agent.stream("Go on.");
      const asked = (await all(first)).find(({ type }) => type === "tool-call-approval");
      // The package also says what the call is resumed with.
      const { resumeSchema, ...payload } = asked.payload;
      assert.deepEqual({ ...asked, runId: request.runId, payload }, request);
      z.fromJSONSchema(JSON.parse(resumeSchema)).parse(result);
      const parts = await all(await agent.resumeStream(result, { runId: first.runId, toolCallId }));
      assert.deepEqual(ran, result.approved ? [args] : []);
      assert.equal(parts.filter(({ type }) => type === (result.approved ? "tool-result" : "tool-output-denied")).length, 1);
    },
    atLeast: 2,
    broken: { result: { approve: true } },
  });
}

// langchain: a real agent with a fake model and HumanInTheLoopMiddleware is interrupted by the calls of the request, and resumed with our result.
{
  const { createAgent, fakeModel, humanInTheLoopMiddleware, tool, AIMessage } = await import("langchain");
  const { Command, MemorySaver } = await import("@langchain/langgraph");
  const list = (request) => request.actionRequests ?? request.action_requests ?? [];
  const camel = (request) => request.actionRequests !== undefined;
  const decisions = (value) => value.decisions.map(({ edited_action, ...rest }) => (edited_action ? { ...rest, editedAction: edited_action } : rest));
  takes("langchain", {
    dialect: "langchain",
    // `respond` and one interrupt for each call are of the Python package: test_packages.py has them.
    where: ({ request, result }) => list(request).length && !result.decisions?.some(({ type }) => type === "respond"),
    accept: async ({ request, result }) => {
      const review = request.reviewConfigs ?? request.review_configs;
      const allowed = Object.fromEntries(
        review.map((config) => [config.actionName ?? config.action_name, { allowedDecisions: (config.allowedDecisions ?? config.allowed_decisions).filter((decision) => decision !== "respond") }]),
      );
      const ran = [];
      const tools = Object.keys(allowed).map((name) => tool((args) => (ran.push({ name, args }), "done"), { name, description: name, schema: { type: "object", properties: {}, additionalProperties: true } }));
      const calls = list(request).map(({ name, args }, at) => ({ name, args, id: `call_${at}`, type: "tool_call" }));
      const model = fakeModel().respondWithTools(calls).respond(new AIMessage("Done."));
      const agent = createAgent({ model, tools, middleware: [humanInTheLoopMiddleware({ interruptOn: allowed })], checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: "t" } };
      const first = await agent.invoke({ messages: [{ role: "user", content: "Go on." }] }, config);
      assert.equal(first.__interrupt__?.[0].value.actionRequests.length, calls.length);
      const sent = camel(request) ? result : { ...result, decisions: decisions(result) };
      await agent.invoke(new Command({ resume: sent }), config);
      // Where one call is rejected, this package runs none of them, and the model decides again.
      const rejected = sent.decisions.some(({ type }) => type === "reject");
      const expected = sent.decisions.flatMap(({ type, editedAction }, at) => (type === "edit" ? [editedAction] : type === "approve" ? [{ name: calls[at].name, args: calls[at].args }] : []));
      assert.deepEqual(ran, rejected ? [] : expected);
    },
    atLeast: 12,
    broken: { result: { decisions: [{ type: "ignore" }] } },
  });
}

// @langchain/langgraph: types only.
takes("@langchain/langgraph (types)", {
  dialect: "langgraph",
  accept: await typed('import type { HumanInterrupt, HumanResponse } from "@langchain/langgraph/prebuilt";', ({ request, result }) => [["HumanInterrupt", request], ["HumanResponse[]", result]]),
  atLeast: 4,
  broken: { result: [{ type: "approve", args: null }] },
});
