// The cases of this project with the dialect of each: what the tests of this folder pass to the packages of agents. `node cases.mjs` prints them as JSON.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILES = [
  "cases/agents.json",
  "cases/approvals.json",
  "cases/dialects.json",
  ...["ask_user_question", "consent", "deepagents", "mcp", "other_dialects", "seeds", "truth"].map((name) => `vectors/${name}.json`),
];

const has = (value, ...keys) => value !== null && typeof value === "object" && keys.every((key) => key in value);

// The dialect that a request gives evidence of. It is written here a second time, so that a fault of the detection in the core is not repeated.
const dialectOf = ({ dialect, request }) => {
  if (dialect) return dialect;
  if (!has(request)) return undefined;
  const params = request.params ?? request.properties ?? request.request ?? request.data ?? request;
  const questions = Array.isArray(params.questions) ? params.questions : [];
  const some = (...keys) => questions.some((question) => keys.some((key) => has(question, key)));
  if (request.type === "CUSTOM") return "ag_ui_bridge";
  if (request.type === "RUN_FINISHED" || request.outcome?.interrupts || request.interrupts?.[0]?.reason) return "ag_ui";
  if (params.requestedSchema || params.requested_schema || params.mode || request.inputRequests || request.error) return "mcp";
  if (request.type === "mcp_elicitation") return "mcp";
  if (request.type === "actionRequired") return "goose";
  if (request.method?.startsWith("item/") || request.type === "agentMessage") return "codex";
  if (has(params, "toolCall", "options") || has(params, "subject", "options")) return "acp";
  if (/^(question|exec\.approval|plugin\.approval)\.requested$/.test(request.event) || has(request, "request", "expiresAtMs") || some("questionId")) return "openclaw";
  if (has(request, "action_request")) return "langgraph";
  if (request.action_requests || request.actionRequests || request.type === "tool_approval") return "langchain";
  if (request.name === "adk_request_confirmation") return "adk";
  if (request.type === "function_approval_request") return "agent_framework";
  if (/^agent\.(mcp_)?tool_use$/.test(request.type)) return "managed_agents";
  if (request.type === "mcp_approval_request") return "openai_responses";
  if (request.type === "tool-call-approval") return "mastra";
  if (request.type === "tool_approval_item" || request.interruptions) return "openai_agents";
  if (has(request, "approvals")) return "pydantic_ai";
  if (has(params, "tool_name")) return "claude";
  if (has(params, "sessionID")) return "opencode";
  if (request.parts || request.content || request.approval || request.type === "tool-approval-request") return "ai_sdk";
  if (/^(user_question|confirm_action|ask_user)$/.test(request.type) || has(request, "action")) return "deepagents";
  if (some("multi_select")) return "kimi";
  if (some("isOther", "isSecret", "is_secret")) return "codex";
  if (some("type")) return "gemini";
  if (some("allowFreeformInput")) return "vscode";
  if (some("custom", "multiple") || questions.some(({ options }) => options?.length > 4)) return "opencode";
  if (some("text")) return "ask_user";
  if (questions.length) return "ask_user_question";
  if (has(request, "follow_up")) return "roo";
  if (has(request, "choices") || has(request, "allowFreeform")) return "copilot";
  if (has(request, "allow_free_text")) return "zed";
  if (has(request, "selectionMode") || has(request.options?.[0], "label")) return "mastra";
  return "deepagents";
};

export const cases = FILES.flatMap((file) =>
  JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"))
    .filter((test) => has(test, "request"))
    .map(({ name, dialect, request, result, rejected }) => ({
      name: `${file.replace(/^.*\/|\.json$/g, "")}#${name}`,
      dialect: dialectOf({ dialect, request }),
      request,
      ...(result === undefined || result === null ? {} : { result }),
      rejected: rejected !== undefined,
    })),
);

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(JSON.stringify(cases));
