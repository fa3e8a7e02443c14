// Tests that Codex, the Gemini CLI and OpenClaw take our results: the schemas that Codex's own program writes of its app server, Gemini's own tool, and the gateway of OpenClaw. `npm ci` in this folder, then `node --test large.test.mjs`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { takes } from "../check.mjs";

// @openai/codex: `codex app-server generate-json-schema`.
{
  const Ajv = createRequire(import.meta.url)("ajv");
  const folder = mkdtempSync(join(tmpdir(), "codex-schemas-"));
  const schemas = {};
  try {
    const program = join(dirname(createRequire(import.meta.url).resolve("@openai/codex/package.json")), "bin", "codex.js");
    execFileSync(process.execPath, [program, "app-server", "generate-json-schema", "--experimental", "--out", folder]);
    const names = ["ToolRequestUserInput", "CommandExecutionRequestApproval", "PermissionsRequestApproval", "FileChangeRequestApproval"].flatMap((name) => [`${name}Params`, `${name}Response`]);
    for (const name of [...names, "v2/ItemCompletedNotification", "v2/TurnSteerParams"]) schemas[name] = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // A schema of Codex lets unknown fields pass: here they are refused, as far as the fields of an object are named.
  const strict = (schema) => {
    if (Array.isArray(schema)) return schema.map(strict);
    if (schema === null || typeof schema !== "object") return schema;
    const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
    return inner.type === "object" && inner.properties && !inner.oneOf && inner.additionalProperties === undefined ? { ...inner, additionalProperties: false } : inner;
  };
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const checks = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(strict(schema))]));
  const method = ({ method }) => ({ "item/commandExecution/requestApproval": "CommandExecutionRequestApproval", "item/permissions/requestApproval": "PermissionsRequestApproval", "item/fileChange/requestApproval": "FileChangeRequestApproval" })[method] ?? "ToolRequestUserInput";
  const check = (name, value) => {
    if (!checks[name](value)) throw new Error(ajv.errorsText(checks[name].errors));
  };
  // Questions that it does not wait for: an item of the thread, answered by a message of the user.
  const itemOf = (request) => [request, request.params?.item].find((item) => item?.type === "agentMessage");
  takes("@openai/codex", {
    dialect: "codex",
    accept: ({ request, result }) => {
      if (itemOf(request)) return check("v2/TurnSteerParams", { threadId: "t", expectedTurnId: "u", ...result });
      if (request.method) assert.equal(result.id, request.id);
      check(`${method(request)}Response`, request.method ? result.result : result);
    },
    atLeast: 20,
    broken: { result: { answers: { a: "x" } } },
  });
  takes("@openai/codex", {
    dialect: "codex",
    part: "request",
    where: ({ request }) => request.params || request.threadId || itemOf(request),
    accept: ({ request }) => {
      if (itemOf(request)) return check("v2/ItemCompletedNotification", request.params ?? { threadId: "t", turnId: "u", completedAtMs: 1, item: request });
      check(`${method(request)}Params`, request.params ?? request);
    },
    atLeast: 1,
    broken: { request: { questions: [] } },
    known: {
      "agents#codex-with-its-turn-around": "`isBlocking` is required since a newer version.",
      "agents#codex-as-a-request-of-its-app-server": "`isBlocking` is required since a newer version.",
      "agents#codex-a-request-without-the-name-of-its-protocol": "The request is shortened: the ids of the thread, turn and item, and `isBlocking`, are required.",
      "agents#codex-grants-permissions-for-the-turn": "`cwd` is required.",
      "agents#codex-grants-nothing": "`cwd` is required.",
    },
  });
}

// @google/gemini-cli-core: its tool `ask_user`, built from the request and confirmed with the answers, gives our result.
{
  const inside = (path) => import(new URL(`./node_modules/@google/gemini-cli-core/dist/src/${path}`, import.meta.url).href);
  const { AskUserTool } = await inside("tools/ask-user.js");
  const { ToolConfirmationOutcome } = await inside("tools/tools.js");
  const bus = { publish() {}, subscribe() {}, unsubscribe() {} };
  takes("@google/gemini-cli-core", {
    dialect: "gemini",
    accept: async ({ request, result }) => {
      const invocation = new AskUserTool(bus).build(request);
      const { onConfirm } = await invocation.shouldConfirmExecute(new AbortController().signal);
      if (typeof result === "string") await onConfirm(ToolConfirmationOutcome.Cancel);
      else {
        for (const [index, answer] of Object.entries(result.answers)) {
          assert.ok(request.questions[index]);
          assert.equal(typeof answer, "string");
        }
        await onConfirm(ToolConfirmationOutcome.ProceedOnce, { answers: result.answers });
      }
      const { llmContent } = await invocation.execute({ abortSignal: new AbortController().signal });
      assert.deepEqual(typeof result === "string" ? llmContent : JSON.parse(llmContent), result);
    },
    atLeast: 4,
    broken: { result: "Dismissed." },
    known: { "dialects#gemini-several-and-other": "The options of the request lack their `description`, which the tool requires: it is shortened." },
  });
}

// openclaw: the gateway's manager of questions, asked each request and given each result; its check of an approval's parameters, and of the decisions that it allows. They are in no public entry
// of the package: a chunk is found by what it exports.
{
  const dist = new URL("./node_modules/openclaw/dist/", import.meta.url);
  const exported = async (chunk, name) => {
    const files = readdirSync(dist).filter((file) => file.startsWith(chunk) && file.endsWith(".mjs"));
    for (const file of files) {
      const [, alias] = readFileSync(new URL(file, dist), "utf8").match(new RegExp(`export \\{[^}]*\\b${name} as (\\w+)`)) ?? [];
      if (alias) return (await import(new URL(file, dist).href))[alias];
    }
    throw new Error(`no chunk ${chunk} exports ${name}`);
  };
  const QuestionManager = await exported("question-manager-", "QuestionManager");
  const shapeError = await exported("question-validation-", "questionShapeError");
  const allowed = await exported("exec-approvals-authorization.kernel-", "resolveExecApprovalRequestAllowedDecisions");
  const names = ["validateQuestionRequestParams", "validateQuestionResolveParams", "validateExecApprovalResolveParams", "validatePluginApprovalResolveParams"];
  const [asked, question, exec, plugin] = await Promise.all(names.map((name) => exported("src-", name)));
  const record = (request) => request.payload ?? request;
  takes("openclaw", {
    dialect: "openclaw",
    where: ({ request }) => record(request).questions,
    accept: ({ request, result }) => {
      assert.ok(question(result), JSON.stringify(question.errors));
      const { questions, agentId, sessionKey, id } = record(request);
      const manager = new QuestionManager();
      try {
        manager.request({ id, questions, agentId, sessionKey, timeoutMs: 60_000 });
        if (result.cancel) assert.deepEqual(manager.cancel(result.id), { status: "cancelled" });
        // The records of our cases have their secrets blanked.
        else assert.deepEqual(manager.resolve(result.id, result.answers), { status: "answered", answers: result.answers });
      } finally {
        manager.close();
      }
    },
    atLeast: 5,
    broken: { result: { id: "q_1", answers: { answers: { db: [] } } } },
    skip: "withResolvers" in Promise ? false : "OpenClaw needs Node 24",
  });
  takes("openclaw", {
    dialect: "openclaw",
    where: ({ request }) => record(request).request,
    accept: ({ request, result }) => {
      const { request: approval } = record(request);
      const validate = approval.title ? plugin : exec;
      assert.ok(validate(result), JSON.stringify(validate.errors));
      const decisions = approval.title ? (approval.allowedDecisions ?? ["allow-once", "allow-always", "deny"]) : allowed(approval);
      assert.ok(decisions.includes(result.decision), result.decision);
    },
    atLeast: 7,
    broken: { result: { id: "a_1", decision: "accept" } },
  });
  takes("openclaw", {
    dialect: "openclaw",
    part: "request",
    where: ({ request }) => record(request).questions,
    accept: ({ request }) => {
      const { id, questions } = record(request);
      assert.ok(asked({ id, questions }), JSON.stringify(asked.errors));
      const error = shapeError(questions, { allowPlainSecretQuestions: false, validateUrls: true });
      assert.equal(error, undefined);
    },
    atLeast: 5,
    broken: { request: { questions: [{ questionId: "db", header: "Database", question: "Which database?", options: [{ label: "Postgres" }] }] } },
  });
}
