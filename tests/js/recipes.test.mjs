// The recipes run, with the real packages of the frameworks that they are for.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
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

test("a graph of LangGraph.js goes on after its interrupts", () => {
  assert.deepEqual(JSON.parse(last("langgraph")), { method: "Magic link", proceed: true });
});

test("an AG-UI agent mends its call, and gets the answers", () => {
  assert.equal(last("ag-ui"), 'I go on with {"apply":true,"environment":"staging"}.');
});
