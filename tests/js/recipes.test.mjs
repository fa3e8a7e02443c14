// The recipes run, with the real packages of the frameworks that they are for.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));
/** The lines that a recipe prints. */
const printed = (recipe) => execFileSync(process.execPath, [`${recipe}.mjs`], { cwd: folder, encoding: "utf8" }).trimEnd().split("\n");
/** The last of them. */
const last = (recipe) => printed(recipe).at(-1);
/** Those without the questions, which are indented. */
const said = (recipe) => printed(recipe).filter((line) => !line.startsWith("  "));

test("a client of the Model Context Protocol answers what a server elicits, and gives the model the words of a Reply", () => {
  const [declined, words, accepted] = said("mcp");
  assert.deepEqual([JSON.parse(declined), words], [{ contact: { action: "decline" } }, "Which data do you keep?"]);
  assert.deepEqual(JSON.parse(accepted), {
    contact: { action: "accept", content: { email: "ada@example.com", plan: "team", topics: ["security"], newsletter: true } },
    page: { action: "accept" },
  });
});

test("a graph of LangGraph.js goes on after its interrupts, those that came together get each its own answer, and the words of a Reply are a message", () => {
  const lines = printed("langgraph");
  assert.ok(lines.includes("  How should people sign in? (You wrote: What is the safest way?)"));
  assert.deepEqual(JSON.parse(lines.at(-1)), { method: "Magic link", hours: "8", proceed: true });
});

test("an agent of LangChain.js runs what was edited, and hears why a call was rejected", () => {
  assert.deepEqual(JSON.parse(last("langchain")), ["Sent to team@example.com.", "Never drop a table."]);
});

test("the AI SDK runs a tool once it is approved", () => {
  assert.equal(last("ai-sdk"), "The deployment is done.");
});

test("the OpenAI Agents SDK runs the call that was approved, and tells the model of the other", () => {
  assert.equal(last("openai-agents"), "Cancelled 41. It has been shipped.");
});

test("an AG-UI agent is resumed with the arguments that were edited, and gets the words of a Reply as a message", () => {
  assert.deepEqual(said("ag-ui-interrupts"), ["Not sent.", "Only to my team.", "Sent to team@example.com."]);
});

test("an AG-UI agent mends its call, and gets the answers", () => {
  assert.equal(last("ag-ui"), 'I go on with {"apply":true,"environment":"staging"}.');
});

test("the Claude Agent SDK is allowed its tool, with the answers", () => {
  const { behavior, updatedInput } = JSON.parse(last("claude"));
  assert.deepEqual([behavior, updatedInput.answers], ["allow", { "Where should the filters go?": "Sidebar" }]);
});

test("a Codex app server gets the answers by id, and the words of a Reply in the same turn", () => {
  const input = [{ type: "text", text: "Show me the failing test first." }];
  assert.deepEqual(said("codex").map((line) => JSON.parse(line)), [
    { id: 6, result: { answers: {} } },
    { id: "reply to item_1", method: "turn/steer", params: { threadId: "thread_1", expectedTurnId: "turn_1", input } },
    { id: 7, result: { answers: { scope: { answers: ["The module"] } } } },
  ]);
});

test("a Gemini model gets the answers by position, and the words of a Reply behind the response", () => {
  const response = (id, output) => ({ functionResponse: { id, name: "ask_user", response: { output } } });
  assert.deepEqual(said("gemini").map((line) => JSON.parse(line)), [
    [response("1", "User dismissed ask_user dialog without answering."), { text: "Wait for the review." }],
    [response("2", { answers: { 0: "Yes", 1: "Friday" } })],
  ]);
});

test("an opencode server gets the labels by position, and the words of a Reply as the next message", () => {
  assert.deepEqual(said("opencode"), [
    "POST /question/que_0/reject ",
    'POST /session/ses_1/prompt_async {"parts":[{"type":"text","text":"Run what the pipeline runs."}]}',
    'POST /question/que_1/reply {"answers":[["format","lint"]]}',
  ]);
});

test("every dialect has a recipe", async () => {
  const { dialects } = await import("../../pkg/dist/core.node.js");
  const table = readFileSync(`${folder}README.md`, "utf8");
  for (const dialect of dialects()) assert.ok(table.includes(`\`${dialect}\``), dialect);
});
