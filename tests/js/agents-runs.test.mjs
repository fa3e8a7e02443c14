// What each agent's own package makes of an answer, a Reply and the end of the turn, up to the next prompt of its model. tests/js/agents.test.mjs has one call and its result; here are several
// calls at once, words that the host delivers as a message (`replies: "message"`), a page's chat, a stored run, and the requests to servers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../pkg/dist/core.node.js";
import { ended, of, WORDS, z } from "./agents.mjs";

const STOPPED = "The user ended the turn.";

test("Model Context Protocol: a server hears of its page whether the person went there, and of its form nothing but a decline", async () => {
  const { Client } = of("@modelcontextprotocol/sdk/client/index.js");
  const { InMemoryTransport } = of("@modelcontextprotocol/sdk/inMemory.js");
  const { Server } = of("@modelcontextprotocol/sdk/server/index.js");
  const { ElicitRequestSchema, ElicitResultSchema } = of("@modelcontextprotocol/sdk/types.js");
  const FORM = { mode: "form", message: "Whom?", requestedSchema: { type: "object", properties: { topics: { type: "array", items: { type: "string", enum: ["news", "security"] }, minItems: 1 } }, required: ["topics"] } };
  const PAGE = { mode: "url", message: "Confirm the address.", url: "https://accounts.example/confirm", elicitationId: "confirm-1" };
  const server = new Server({ name: "accounts", version: "1.0.0" });
  const client = new Client({ name: "chat", version: "1.0.0" }, { capabilities: { elicitation: { form: {}, url: {} } } });
  let way;
  let outcome;
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    outcome = ended(open(params, { replies: "message" }), way);
    return ElicitResultSchema.strict().parse(outcome.result);
  });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(other), client.connect(one)]);
  const hears = (asked, next) => ((way = next), server.elicitInput(asked));
  assert.deepEqual(await hears(FORM, [["security"]]), { action: "accept", content: { topics: ["security"] } });
  assert.deepEqual(await hears(PAGE, [true]), { action: "accept" });
  for (const asked of [FORM, PAGE]) {
    assert.deepEqual(await hears(asked, "reply"), { action: "decline" });
    assert.deepEqual(outcome.reply, WORDS);
    assert.deepEqual(await hears(asked, "endTurn"), { action: "cancel" });
    assert.equal(outcome.reply, undefined);
  }
  await client.close();
});

test("LangGraph: the words are in the result of the tool that interrupts, or else in a message of the user", async () => {
  const { AIMessage } = of("@langchain/core/messages");
  const { Command, interrupt, MemorySaver } = of("@langchain/langgraph");
  const { createAgent, fakeModel, tool } = of("langchain");
  /** What the model is given behind its call, at the end. */
  const hears = async (request, way, replies) => {
    const model = fakeModel().respondWithTools([{ name: "ask_user", args: {}, id: "1" }]).respond(new AIMessage("I see.")).respond(new AIMessage("I wait."));
    const asks = tool(() => JSON.stringify(interrupt(request)), { name: "ask_user", description: "Asks the user.", schema: z.object({}) });
    const agent = createAgent({ model, tools: [asks], checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: "1" } };
    const [{ id, value }] = (await agent.invoke({ messages: [{ role: "user", content: "Paint it." }] }, thread)).__interrupt__;
    const { result, reply } = ended(open(value, { toolCallId: id, replies }), way);
    const state = await agent.invoke(new Command({ resume: { [id]: result } }), thread);
    assert.equal(state.__interrupt__, undefined);
    if (replies === "message" && reply) await agent.invoke({ messages: [{ role: "user", content: reply }] }, thread);
    return model.calls.at(-1).messages.slice(2).map(({ type, content }) => (type === "tool" ? JSON.parse(content) : `${type}: ${content}`));
  };
  const one = { type: "user_question", question: "Which color?", options: ["blue", "red"] };
  assert.deepEqual(await hears(one, ["blue"]), [{ type: "user_response", response: "blue" }]);
  assert.deepEqual(await hears(one, "reply"), [{ type: "user_response", response: null, cancelled: true, reply: WORDS }]);
  assert.deepEqual(await hears(one, "endTurn"), [{ type: "user_response", response: null, cancelled: true }]);
  const list = { type: "ask_user", questions: [{ question: "Which color?", type: "multiple_choice", choices: [{ value: "blue" }, { value: "red" }] }, { question: "Why?", type: "text" }] };
  assert.deepEqual(await hears(list, ["blue", "calm"]), [{ status: "answered", answers: ["blue", "calm"] }]);
  for (const way of ["reply", "endTurn"]) assert.deepEqual(await hears(list, way), [{ status: "cancelled" }]);
  assert.deepEqual(await hears(list, "reply", "message"), [{ status: "cancelled" }, "ai: I see.", `human: ${WORDS}`]);
});

test("LangChain: every call of an interrupt gets a decision, and a call that can only be approved or edited stays open at the end of the turn", async () => {
  const { AIMessage } = of("@langchain/core/messages");
  const { Command, MemorySaver } = of("@langchain/langgraph");
  const { createAgent, fakeModel, humanInTheLoopMiddleware, tool } = of("langchain");
  const begin = async (allowedDecisions) => {
    const ran = [];
    const calls = ["ada", "bob"].map((to) => ({ name: "send_email", args: { to }, id: to }));
    const model = fakeModel().respondWithTools(calls).respond(new AIMessage("Done."));
    const sends = tool(({ to }) => (ran.push(to), `Sent to ${to}.`), { name: "send_email", description: "Sends a mail.", schema: z.object({ to: z.string() }) });
    const agent = createAgent({ model, tools: [sends], middleware: [humanInTheLoopMiddleware({ interruptOn: { send_email: { allowedDecisions } } })], checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: "1" } };
    const [{ id, value }] = (await agent.invoke({ messages: [{ role: "user", content: "Tell them." }] }, thread)).__interrupt__;
    const resume = async (way) => {
      await agent.invoke(new Command({ resume: { [id]: ended(open(value, { toolCallId: id }), way).result } }), thread);
      return [ran, model.calls.at(-1).messages.filter(({ type }) => type === "tool").map(({ tool_call_id, content }) => `${tool_call_id}: ${content}`).sort()];
    };
    return { agent, thread, value, resume };
  };
  const hears = async (way) => (await begin(["approve", "edit", "reject"])).resume(way);
  const rejects = { type: "reject", message: WORDS };
  assert.deepEqual(await hears([{ type: "edit", arguments: { to: "eve" } }, { type: "approve" }]), [["eve", "bob"], ["ada: Sent to eve.", "bob: Sent to bob."]]);
  // The middleware takes every other call out of the turn where one is rejected, and asks the model again.
  assert.deepEqual(await hears([{ type: "approve" }, rejects]), [[], [`bob: ${WORDS}`]]);
  assert.deepEqual(await hears("reply"), [[], [`ada: ${WORDS}`, `bob: ${WORDS}`]]);
  assert.deepEqual(await hears("endTurn"), [[], [`ada: ${STOPPED}`, `bob: ${STOPPED}`]]);
  const { agent, thread, value, resume } = await begin(["approve", "edit"]);
  const walk = open(value);
  assert.equal(walk.form.reply, "no");
  assert.equal(ended(walk, "endTurn").result, undefined);
  assert.deepEqual((await agent.getState(thread)).tasks.flatMap(({ interrupts }) => interrupts.map((one) => one.value)), [value]);
  assert.deepEqual(await resume([{ type: "approve" }, { type: "approve" }]), [["ada", "bob"], ["ada: Sent to ada.", "bob: Sent to bob."]]);
});

test("AI SDK: a page's chat takes each response of a message, and goes on once all are there", async () => {
  const { AbstractChat, DirectChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, tool, ToolLoopAgent } = of("ai");
  const { convertArrayToReadableStream, MockLanguageModelV3 } = of("ai/test");
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const hears = async (way) => {
    const ran = [];
    const streamed = (parts, unified) => ({ stream: convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason: { unified }, usage }]) });
    const calls = ["staging", "production"].map((to) => ({ type: "tool-call", toolCallId: to, toolName: "deploy", input: JSON.stringify({ to }) }));
    const text = [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "Done." }, { type: "text-end", id: "1" }];
    const model = new MockLanguageModelV3({ doStream: ({ prompt }) => (prompt.length === 1 ? streamed(calls, "tool-calls") : streamed(text, "stop")) });
    const deploy = tool({ description: "Deploys.", inputSchema: z.object({ to: z.string() }), needsApproval: true, execute: ({ to }) => (ran.push(to), `Deployed to ${to}.`) });
    const state = {
      status: "ready",
      messages: [],
      pushMessage: (message) => state.messages.push(message),
      popMessage: () => state.messages.pop(),
      replaceMessage: (place, message) => void (state.messages[place] = message),
      snapshot: structuredClone,
    };
    let finished = () => {};
    const chat = new AbstractChat({
      state,
      transport: new DirectChatTransport({ agent: new ToolLoopAgent({ model, tools: { deploy } }) }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      onFinish: () => finished(),
    });
    await chat.sendMessage({ text: "Deploy." });
    const responses = ended(open(chat.lastMessage), way).result;
    const goesOn = new Promise((/** @type {any} */ resolve) => (finished = resolve));
    for (const response of responses) await chat.addToolApprovalResponse(response);
    await goesOn;
    assert.equal(chat.lastMessage.parts.at(-1).text, "Done.");
    const results = model.doStreamCalls.at(-1).prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    return [ran, results.map(({ output }) => output.reason ?? output.value)];
  };
  assert.deepEqual(await hears([{ type: "approve" }, { type: "reject", message: WORDS }]), [["staging"], ["Deployed to staging.", WORDS]]);
  assert.deepEqual(await hears("reply"), [[], [WORDS, WORDS]]);
  assert.deepEqual(await hears("endTurn"), [[], [STOPPED, STOPPED]]);
});

test("OpenAI Agents SDK: a run that was stored as text goes on with the decision of each interruption", async () => {
  const { Agent, Runner, RunState, Usage, tool } = of("@openai/agents-core");
  const hears = async (way) => {
    const ran = [];
    const orders = [41, 42].map((order) => ({ type: "function_call", callId: `call_${order}`, name: "cancel_order", arguments: JSON.stringify({ order }), status: "completed" }));
    const results = (input) => (Array.isArray(input) ? input.filter(({ type }) => type === "function_call_result") : []);
    const said = (input) => [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: results(input).map(({ callId, output }) => `${callId}: ${output.text}`).join("\n") }] }];
    const getResponse = async ({ input }) => ({ usage: new Usage(), output: results(input).length ? said(input) : orders });
    const cancels = tool({ name: "cancel_order", description: "Cancels.", parameters: z.object({ order: z.number() }), needsApproval: true, execute: ({ order }) => (ran.push(order), `Cancelled ${order}.`) });
    const agent = new Agent({ name: "Shop", model: { getResponse }, tools: [cancels] });
    const runner = new Runner({ tracingDisabled: true });
    const state = await RunState.fromString(agent, (await runner.run(agent, "Cancel my orders.")).state.toString());
    for (const item of state.getInterruptions()) {
      const { approved, message } = ended(open(JSON.parse(JSON.stringify(item))), way).result;
      if (approved) state.approve(item);
      else state.reject(item, { message });
    }
    return [ran, (await runner.run(agent, state)).finalOutput.split("\n")];
  };
  assert.deepEqual(await hears([{ type: "approve" }]), [[41, 42], ["call_41: Cancelled 41.", "call_42: Cancelled 42."]]);
  for (const way of [[{ type: "reject", message: WORDS }], "reply"]) assert.deepEqual(await hears(way), [[], [`call_41: ${WORDS}`, `call_42: ${WORDS}`]]);
  assert.deepEqual(await hears("endTurn"), [[], [`call_41: ${STOPPED}`, `call_42: ${STOPPED}`]]);
});

test("AG-UI: an agent behind HTTP gets an entry of each interrupt, and the words as a message of the user", async () => {
  const { EventType, HttpAgent } = of("@ag-ui/client");
  const { RunAgentInputSchema } = of("@ag-ui/core/schemas");
  const interrupts = [
    { id: "a", reason: "confirmation", message: "Go on?" },
    { id: "b", reason: "input_required", message: "Which seat?", responseSchema: { type: "object", properties: { seat: { type: "integer" } }, required: ["seat"] } },
  ];
  const hears = async (way) => {
    const inputs = [];
    const serve = async (_, { body }) => {
      const { threadId, runId, resume } = inputs[inputs.push(RunAgentInputSchema.strict().parse(JSON.parse(body))) - 1];
      const ends = inputs.length === 1 ? { type: "interrupt", interrupts } : { type: "success" };
      assert.equal(resume !== undefined, inputs.length === 2);
      const events = [{ type: EventType.RUN_STARTED, threadId, runId }, { type: EventType.RUN_FINISHED, threadId, runId, outcome: ends }];
      return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), { headers: { "Content-Type": "text/event-stream" } });
    };
    const agent = new HttpAgent({ url: "http://agent.example/", threadId: "1", fetch: serve });
    let outcome;
    await agent.runAgent({}, { onRunFinishedEvent: ({ event }) => void (outcome = event.outcome) });
    const { result: resume, reply } = ended(open({ outcome, messages: agent.messages }, { replies: "message" }), way);
    await agent.runAgent({ resume });
    if (!reply) return inputs.at(-1).resume;
    agent.addMessage({ id: "1", role: "user", content: reply });
    await agent.runAgent({});
    return [...inputs[1].resume, ...inputs.at(-1).messages];
  };
  const cancelled = interrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" }));
  const resolved = (interruptId, payload) => ({ interruptId, status: "resolved", payload });
  const [confirmed, ...others] = await hears([true, { seat: 7 }]);
  assert.equal(confirmed.status, "resolved");
  assert.deepEqual(others, [resolved("b", { seat: 7 })]);
  assert.deepEqual(await hears("reply"), [...cancelled, { id: "1", role: "user", content: WORDS }]);
  assert.deepEqual(await hears("endTurn"), cancelled);
});

test("opencode: the SDK sends an answer and a rejection to the server as they are, and the words as the next message", async () => {
  const { createOpencodeClient } = await import(new URL("../../examples/node_modules/@opencode-ai/sdk/dist/v2/client.js", import.meta.url).href);
  const asked = { id: "que_1", sessionID: "ses_1", questions: [{ question: "Which checks?", header: "Checks", options: [{ label: "format", description: "" }, { label: "lint", description: "" }], multiple: true }, { question: "When?", header: "When", options: [] }] };
  const hears = async (way) => {
    const requests = [];
    const serve = async (request) => (requests.push([`${request.method} ${new URL(request.url).pathname}`, await request.text()]), Response.json(true));
    const client = createOpencodeClient({ baseUrl: "http://opencode.example", fetch: serve, throwOnError: true });
    const { result, reply } = ended(open(asked, { dialect: "opencode", replies: "message" }), way);
    if (result?.answers) await client.question.reply({ requestID: asked.id, ...result });
    else await client.question.reject({ requestID: asked.id });
    if (reply) await client.session.promptAsync({ sessionID: asked.sessionID, parts: [{ type: "text", text: reply }] });
    return requests;
  };
  assert.deepEqual(await hears([["format", "lint"], "today"]), [["POST /question/que_1/reply", '{"answers":[["format","lint"],["today"]]}']]);
  const rejected = ["POST /question/que_1/reject", ""];
  assert.deepEqual(await hears("reply"), [rejected, ["POST /session/ses_1/prompt_async", JSON.stringify({ parts: [{ type: "text", text: WORDS }] })]]);
  assert.deepEqual(await hears("endTurn"), [rejected]);
});
