// What `ask-user hook claude` prints is what the types of the Claude Agent SDK say of hooks. `npm ci` in this folder, then `node --test claude-hook.test.mjs`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decisionOf } from "../../pkg/src/inbox/hook.js";
import { typed } from "./check.mjs";

const COMMON = { session_id: "s", transcript_path: "/t.jsonl", cwd: "/work" };
const suggestions = [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "rm:*" }], behavior: "allow", destination: "localSettings" }];
const QUESTION = { ...COMMON, hook_event_name: "PreToolUse", tool_name: "AskUserQuestion", tool_input: { questions: [] }, tool_use_id: "t" };
const APPROVAL = { ...COMMON, hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" }, permission_suggestions: suggestions, mcp_server: { name: "x", source: "user" } };
const answered = (result) => ({ state: "answered", result_text: JSON.stringify(result) });

const fits = await typed(
  'import type { PermissionRequestHookInput, PreToolUseHookInput, SyncHookJSONOutput } from "@anthropic-ai/claude-agent-sdk";',
  (given) => [["PreToolUseHookInput", QUESTION], ["PermissionRequestHookInput", APPROVAL], ["SyncHookJSONOutput", given]],
);

test("every decision has the type of a hook's output, and the inputs that are read have theirs", () => {
  for (const [given, answer] of /** @type {any[][]} */ ([
    [QUESTION, answered({ behavior: "allow", updatedInput: { questions: [], answers: { a: "b" } } })], [QUESTION, { ...answered({ behavior: "deny", message: "Why?" }), state: "replied" }], [QUESTION, { state: "turn_ended" }],
    [APPROVAL, answered({ behavior: "allow", updatedInput: { command: "ls" }, updatedPermissions: suggestions })], [APPROVAL, answered({ behavior: "allow", updatedInput: { command: "ls -l" } })],
    [APPROVAL, answered({ behavior: "deny", message: "No." })], [APPROVAL, { state: "turn_ended" }],
  ])) {
    fits(JSON.parse(decisionOf(given, answer)));
  }
  assert.throws(() => fits({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "ask" } } }));
  assert.throws(() => fits({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "yes" } }));
});
