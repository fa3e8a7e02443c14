// What the core writes on an answer, a Reply and the end of the turn, taken by each agent's own package: its code goes on with it, and the person's words reach its model where docs/dialects.md says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../pkg/dist/core.node.js";
import { ended, of, WORDS, z } from "./agents.mjs";

const APPROVES = [{ type: "approve" }];
const REJECTS = [{ type: "reject", message: WORDS }];

test("Model Context Protocol: the SDK's server takes what its client sends, and checks it by the schema", async () => {
  const { Client } = of("@modelcontextprotocol/sdk/client/index.js");
  const { InMemoryTransport } = of("@modelcontextprotocol/sdk/inMemory.js");
  const { McpServer } = of("@modelcontextprotocol/sdk/server/mcp.js");
  const { ElicitRequestSchema, ElicitResultSchema } = of("@modelcontextprotocol/sdk/types.js");
  const server = new McpServer({ name: "accounts", version: "1.0.0" });
  const properties = { email: { type: "string", format: "email" }, seats: { type: "integer", minimum: 1 } };
  const elicits = async () => ({ content: [{ type: "text", text: JSON.stringify(await server.server.elicitInput({ message: "Whom?", requestedSchema: { type: "object", properties, required: ["email"] } })) }] });
  server.registerTool("register", { description: "Registers." }, elicits);
  const client = new Client({ name: "chat", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  let way;
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const walk = open(params);
    assert.equal(walk.form.reply, "without_words");
    return ElicitResultSchema.strict().parse(ended(walk, way).result);
  });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(other), client.connect(one)]);
  const hears = async (next) => ((way = next), JSON.parse((await client.callTool({ name: "register", arguments: {} })).content[0].text));
  assert.deepEqual(await hears(["ada@example.com", 2]), { action: "accept", content: { email: "ada@example.com", seats: 2 } });
  assert.deepEqual(await hears("reply"), { action: "decline" });
  assert.deepEqual(await hears("endTurn"), { action: "cancel" });
  await client.close();
});

test("LangGraph: a graph that was interrupted goes on with the value, and the node gets the words", async () => {
  const { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } = of("@langchain/langgraph");
  const asked = { type: "user_question", question: "Which color?", options: ["blue", "red"] };
  const graph = new StateGraph(Annotation.Root({ heard: Annotation() }))
    .addNode("ask", () => ({ heard: interrupt(asked) }))
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile({ checkpointer: new MemorySaver() });
  const hears = async (thread_id, way) => {
    const thread = { configurable: { thread_id } };
    const [{ id, value }] = (await graph.invoke({}, thread)).__interrupt__;
    const { result } = ended(open(value, { toolCallId: id }), way);
    const state = await graph.invoke(new Command({ resume: { [id]: result } }), thread);
    assert.equal(state.__interrupt__, undefined);
    return state.heard;
  };
  assert.deepEqual(await hears("1", ["blue"]), { type: "user_response", response: "blue" });
  assert.deepEqual(await hears("2", "reply"), { type: "user_response", response: null, cancelled: true, reply: WORDS });
  assert.deepEqual(await hears("3", "endTurn"), { type: "user_response", response: null, cancelled: true });
});

test("LangChain: the middleware takes each decision, runs what is approved and nothing else, and tells the model the words", async () => {
  const { AIMessage } = of("@langchain/core/messages");
  const { Command, MemorySaver } = of("@langchain/langgraph");
  const { createAgent, fakeModel, humanInTheLoopMiddleware, tool } = of("langchain");
  const hears = async (way) => {
    const ran = [];
    const asks = new AIMessage({ content: "", tool_calls: [{ id: "1", name: "send_email", args: { to: "all@example.com" }, type: "tool_call" }] });
    const agent = createAgent({
      model: fakeModel().respond(asks).respond(new AIMessage("Done.")),
      tools: [tool(({ to }) => (ran.push(to), `Sent to ${to}.`), { name: "send_email", description: "Sends a mail.", schema: z.object({ to: z.string() }) })],
      middleware: [humanInTheLoopMiddleware({ interruptOn: { send_email: { allowedDecisions: ["approve", "edit", "reject"] } } })],
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "1" } };
    const [{ id, value }] = (await agent.invoke({ messages: [{ role: "user", content: "Tell everybody." }] }, thread)).__interrupt__;
    const { messages } = await agent.invoke(new Command({ resume: { [id]: ended(open(value, { toolCallId: id }), way).result } }), thread);
    return [ran, messages.filter(({ type }) => type === "tool").map(({ content }) => content)];
  };
  assert.deepEqual(await hears(APPROVES), [["all@example.com"], ["Sent to all@example.com."]]);
  assert.deepEqual(await hears([{ type: "edit", arguments: { to: "ada@example.com" } }]), [["ada@example.com"], ["Sent to ada@example.com."]]);
  for (const way of [REJECTS, "reply"]) assert.deepEqual(await hears(way), [[], [WORDS]]);
  assert.deepEqual(await hears("endTurn"), [[], ["The user ended the turn."]]);
});

test("AI SDK: a tool runs once it is approved, and the model gets the reason of a denial", async () => {
  const { generateText, stepCountIs, tool } = of("ai");
  const { MockLanguageModelV3 } = of("ai/test");
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const hears = async (way) => {
    const [ran, prompts] = [[], []];
    const said = (content, reason) => ({ content, finishReason: { unified: reason }, usage, warnings: [] });
    const model = new MockLanguageModelV3({
      doGenerate: ({ prompt }) =>
        prompt.some(({ role }) => role === "tool") ? (prompts.push(prompt), said([{ type: "text", text: "Done." }], "stop")) : said([{ type: "tool-call", toolCallId: "call_1", toolName: "deploy", input: '{"to":"production"}' }], "tool-calls"),
    });
    const deploy = tool({ description: "Deploys.", inputSchema: z.object({ to: z.string() }), needsApproval: true, execute: ({ to }) => (ran.push(to), "Deployed.") });
    const messages = [{ role: "user", content: "Deploy." }];
    const ask = () => generateText({ model, tools: { deploy }, messages, stopWhen: stepCountIs(3) });
    const { content, response } = await ask();
    messages.push(...response.messages, { role: "tool", content: ended(open({ content }), way).result });
    await ask();
    return /** @type {[string[], string]} */ ([ran, JSON.stringify(prompts.at(-1).filter(({ role }) => role === "tool"))]);
  };
  const [ran, told] = await hears(APPROVES);
  assert.deepEqual(ran, ["production"]);
  assert.match(told, /Deployed\./);
  for (const [way, words] of /** @type {any[][]} */ ([[REJECTS, WORDS], ["reply", WORDS], ["endTurn", "The user ended the turn."]])) {
    const [ran, told] = await hears(way);
    assert.deepEqual(ran, []);
    assert.ok(told.includes(words), told);
  }
});

/** A shop of the OpenAI Agents SDK whose model cancels so many orders, one after the other. `hears(way, options)` runs it: the orders that were cancelled, how often it was interrupted, and what the model heard. */
const shop = (orders) => {
  const { Agent, Runner, Usage, tool } = of("@openai/agents-core");
  return async (way, options) => {
    const ran = [];
    const call = (id) => ({ type: "function_call", callId: `call_${id}`, name: "cancel_order", arguments: `{"order":${40 + id}}`, status: "completed" });
    const message = (text) => ({ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] });
    const getResponse = async ({ input }) => {
      const results = Array.isArray(input) ? input.filter(({ type }) => type === "function_call_result") : [];
      return { usage: new Usage(), output: results.length === orders ? [message(results.map(({ output }) => output.text ?? output).join(" "))] : [call(results.length + 1)] };
    };
    const cancels = tool({ name: "cancel_order", description: "Cancels.", parameters: z.object({ order: z.number() }), needsApproval: true, execute: ({ order }) => (ran.push(order), `Cancelled ${order}.`) });
    const agent = new Agent({ name: "Shop", model: { getResponse }, tools: [cancels] });
    const runner = new Runner({ tracingDisabled: true });
    let run = await runner.run(agent, "Cancel my orders.");
    let interrupted = 0;
    for (; run.interruptions.length; interrupted += 1) {
      const { interruptions, state } = run;
      const { decisions } = ended(open(JSON.parse(JSON.stringify({ interruptions })), options), way).result;
      interruptions.forEach((item, place) => {
        const { approved, always, message } = decisions[place];
        if (approved) state.approve(item, { alwaysApprove: always });
        else state.reject(item, { alwaysReject: always, message });
      });
      run = await runner.run(agent, state);
    }
    return [ran, interrupted, run.finalOutput];
  };
};

test("OpenAI Agents SDK: the run goes on with each decision, and the model gets the words", async () => {
  const hears = shop(1);
  assert.deepEqual(await hears(APPROVES), [[41], 1, "Cancelled 41."]);
  for (const way of [REJECTS, "reply"]) assert.deepEqual(await hears(way), [[], 1, WORDS]);
  assert.deepEqual(await hears("endTurn"), [[], 1, "The user ended the turn."]);
});

test("OpenAI Agents SDK: a grant of the host holds until the run ends", async () => {
  const hears = shop(2);
  const grant = { scope: "session", rule: null, shown: "Until the run ends" };
  const options = { grants: [{ decision: "approve", ...grant }, { decision: "reject", ...grant }] };
  assert.deepEqual(await hears([{ type: "approve", grant }], options), [[41, 42], 1, "Cancelled 41. Cancelled 42."]);
  assert.deepEqual((await hears([{ type: "reject", grant, message: WORDS }], options)).slice(0, 2), [[], 1]);
  assert.deepEqual(await hears(APPROVES, options), [[41, 42], 2, "Cancelled 41. Cancelled 42."]);
});

test("AG-UI: the client resumes a run with each result", async () => {
  const { AbstractAgent, EventType } = of("@ag-ui/client");
  const { from } = of("rxjs");
  const responseSchema = { type: "object", properties: { approved: { type: "boolean" }, reason: { type: "string" } }, required: ["approved"] };
  const interrupt = { id: "int-1", reason: "tool_call", message: "Send the mail?", toolCallId: "tc-1", responseSchema };
  class Scripted extends AbstractAgent {
    run({ threadId, runId, resume }) {
      this.heard = resume;
      const call = [
        { type: EventType.TOOL_CALL_START, toolCallId: "tc-1", toolCallName: "send_email" },
        { type: EventType.TOOL_CALL_ARGS, toolCallId: "tc-1", delta: '{"to":"all@example.com"}' },
        { type: EventType.TOOL_CALL_END, toolCallId: "tc-1" },
      ];
      const ends = { type: EventType.RUN_FINISHED, threadId, runId, outcome: resume ? { type: "success" } : { type: "interrupt", interrupts: [interrupt] } };
      return from([{ type: EventType.RUN_STARTED, threadId, runId }, ...(resume ? [] : call), ends]);
    }
  }
  const hears = async (way) => {
    const agent = new (/** @type {any} */ (Scripted))({ threadId: "1" });
    let outcome;
    const subscriber = { onRunFinishedEvent: ({ event }) => void (outcome = event.outcome) };
    await agent.runAgent({}, subscriber);
    const resume = ended(open({ outcome, messages: agent.messages }, { dialect: "ag_ui" }), way).result;
    await agent.runAgent({ resume }, subscriber);
    assert.equal(outcome.type, "success");
    return agent.heard;
  };
  const resolved = (payload) => [{ interruptId: "int-1", status: "resolved", payload }];
  assert.deepEqual(await hears(APPROVES), resolved({ approved: true }));
  assert.deepEqual(await hears(REJECTS), resolved({ approved: false, reason: WORDS }));
  for (const way of ["reply", "endTurn"]) assert.deepEqual(await hears(way), [{ interruptId: "int-1", status: "cancelled" }]);
});
