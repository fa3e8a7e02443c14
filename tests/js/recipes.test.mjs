// The recipes run, with the real packages of the frameworks that they are for.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));
/** The last line that a recipe prints. */
const last = (recipe) => execFileSync(process.execPath, [`${recipe}.mjs`], { cwd: folder, encoding: "utf8" }).trim().split("\n").at(-1);

test("a client of the Model Context Protocol answers what a server elicits", () => {
  assert.deepEqual(JSON.parse(last("mcp")), {
    contact: { action: "accept", content: { email: "ada@example.com", plan: "team", topics: ["security"], newsletter: true } },
    page: { action: "accept" },
  });
});

test("a graph of LangGraph.js goes on after its interrupts, and those that came together get each its own answer", () => {
  assert.deepEqual(JSON.parse(last("langgraph")), { method: "Magic link", hours: "8", proceed: true });
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

test("an AG-UI agent is resumed with the arguments that were edited", () => {
  assert.equal(last("ag-ui-interrupts"), "Sent to team@example.com.");
});

test("an AG-UI agent mends its call, and gets the answers", () => {
  assert.equal(last("ag-ui"), 'I go on with {"apply":true,"environment":"staging"}.');
});

test("the Claude Agent SDK is allowed its tool, with the answers", () => {
  const { behavior, updatedInput } = JSON.parse(last("claude"));
  assert.deepEqual([behavior, updatedInput.answers], ["allow", { "Where should the filters go?": "Sidebar" }]);
});

test("a Codex app server gets the answers by id", () => {
  assert.deepEqual(JSON.parse(last("codex")), { id: 7, result: { answers: { scope: { answers: ["The module"] } } } });
});

test("a Gemini model gets the answers by position", () => {
  const output = { answers: { 0: "Yes", 1: "Friday" } };
  assert.deepEqual(JSON.parse(last("gemini")), [{ functionResponse: { id: "1", name: "ask_user", response: { output } } }]);
});

test("an opencode server gets the labels by position", () => {
  assert.equal(last("opencode"), 'POST /question/que_1/reply {"answers":[["format","lint"]]}');
});

test("every dialect has a recipe", async () => {
  const { dialects } = await import("../../pkg/dist/core.node.js");
  const table = readFileSync(`${folder}README.md`, "utf8");
  for (const dialect of dialects()) assert.ok(table.includes(`\`${dialect}\``), dialect);
});
