// `ask-user hook claude`: the questions and the approvals of Claude Code in the inbox, and that nothing but an answer there decides anything.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Folder } from "../../pkg/src/inbox/folder.js";
import { decisionOf, hook } from "../../pkg/src/inbox/hook.js";
import { Home } from "./inbox-app.mjs";
import { until } from "./wait.mjs";

const QUESTIONS = { questions: [{ question: "Which library?", header: "Library", multiSelect: false, options: [{ label: "A", description: "The old one" }, { label: "B", description: "The new one" }] }] };
const COMMON = { session_id: "s", transcript_path: "/t.jsonl", cwd: "/work/shop", permission_mode: "default" };
const QUESTION = { ...COMMON, hook_event_name: "PreToolUse", tool_name: "AskUserQuestion", tool_input: QUESTIONS, tool_use_id: "toolu_1" };
const COMMAND = { command: "rm -rf build", description: "Removes what was built" };
const APPROVAL = { ...COMMON, hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: COMMAND, permission_suggestions: [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "rm:*" }], behavior: "allow", destination: "localSettings" }] };

let home;
beforeEach(() => (home = new Home({ CLAUDE_CONFIG_DIR: "" })));
afterEach(() => home.end());

const begin = (given, words = [], more) => home.begin(["hook", "claude", ...words], { input: typeof given === "string" ? given : JSON.stringify(given), ...more });
const run = async (...given) => {
  const one = begin(...given);
  return { code: await one.ended, out: one.out, err: one.err };
};
const NOTHING = { code: 0, out: "", err: "" };

/** What the hook prints when the person does something with its question. */
async function decides(given, act) {
  const person = await home.person();
  const hook = begin(given);
  const [one] = await person.sees(1);
  await act(person, one);
  assert.deepEqual([await hook.ended, hook.err], [0, ""]);
  await person.sees(0);
  return hook.out === "" ? undefined : JSON.parse(hook.out);
}

test("a question is answered, replied to, or ends the turn, as Claude Code expects it", async () => {
  await home.start();
  const answered = await decides(QUESTION, async (person, { id, who, folder, text }) => {
    assert.deepEqual([who, folder, text], ["Claude Code", "/work/shop", "Which library?"]);
    assert.equal((await person.answer(id, { q1: "B" })).status, 200);
  });
  assert.deepEqual(answered, { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: { ...QUESTIONS, answers: { "Which library?": "B" } } } });
  const ended = await decides(QUESTION, (person, { id }) => person.stop(id));
  assert.deepEqual([ended.continue, ended.hookSpecificOutput.permissionDecision, ended.hookSpecificOutput.updatedInput], [false, "deny", undefined]);
});

test("a call is approved as it came, edited, or rejected", async () => {
  await home.start();
  const of = async (answer) => (await decides(APPROVAL, async (person, { id, text }) => {
    assert.equal(text, "Run Bash?");
    assert.equal((await person.answer(id, { q1: answer })).status, 200);
  })).hookSpecificOutput;
  assert.deepEqual(await of({ type: "approve" }), { hookEventName: "PermissionRequest", decision: { behavior: "allow" } });
  assert.deepEqual((await of({ type: "edit", arguments: { ...COMMAND, command: "ls build" } })).decision, { behavior: "allow", updatedInput: { ...COMMAND, command: "ls build" } });
  assert.deepEqual((await of({ type: "reject", message: "Not on a Friday." })).decision, { behavior: "deny", message: "Not on a Friday." });
  const ended = await decides(APPROVAL, (person, { id }) => person.stop(id));
  assert.deepEqual([ended.hookSpecificOutput.decision.behavior, ended.hookSpecificOutput.decision.interrupt], ["deny", true]);
});

test("where no inbox runs, nothing is printed, and none is started", async () => {
  assert.deepEqual(await run(QUESTION), NOTHING);
  assert.deepEqual(await run(APPROVAL), NOTHING);
  assert.throws(() => home.read("running.json"), /ENOENT/);
});

test("a question that is not answered in time is closed, and nothing is printed", async () => {
  await home.start();
  const person = await home.person();
  assert.deepEqual(await run(QUESTION, ["--wait", "1"]), NOTHING);
  await person.sees(0);
  // Nobody answers it: the program takes it back, and it expires.
  for (const act of [({ id }) => home.program("DELETE", `/questions/${id}`), () => home.run(["stop"])]) {
    const hook = begin(APPROVAL);
    await act((await person.sees(1))[0]);
    assert.deepEqual([await hook.ended, hook.out, hook.err], [0, "", ""]);
  }
});

test("an answer that comes just when the time of the hook is over still decides; one that comes when Claude Code has ended the hook does not", async () => {
  await home.start();
  const answer = { state: "answered", result_text: JSON.stringify({ behavior: "allow", updatedInput: COMMAND }) };
  const waits = (signal) => (signal.throwIfAborted(), new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
  const decided = async (given, state) => {
    const said = [];
    const client = { folder: new Folder(home.environment.ASK_USER_HOME), put: async () => undefined, closed: async (id, signal) => (given.asked?.(), waits(signal)), drop: async () => state };
    await hook({ client, input: [Buffer.from(JSON.stringify(APPROVAL))], print: (text) => said.push(text), ...given });
    return said.join("");
  };
  assert.equal(JSON.parse(await decided({ wait: 0.2, signals: [] }, answer)).hookSpecificOutput.decision.behavior, "allow");
  for (const state of [{ state: "closed" }, { state: "expired" }, { state: "answered", result_text: "no JSON" }, undefined]) assert.equal(await decided({ wait: 0.2, signals: [] }, state), "");
  assert.equal(await decided({ wait: 60, signals: ["SIGUSR2"], asked: () => process.emit("SIGUSR2") }, answer), "");
});

test("a hook that is ended closes its question, and one that is killed leaves it no longer than it would have waited", async () => {
  await home.start();
  const person = await home.person();
  const ended = begin(APPROVAL);
  await person.sees(1);
  ended.process.kill("SIGTERM");
  assert.deepEqual([await ended.ended, ended.out], [0, ""]);
  await person.sees(0);
  const killed = begin(APPROVAL, ["--wait", "2"]);
  const [{ expires }] = await person.sees(1);
  assert.ok(expires - Date.now() <= 2_000);
  killed.process.kill("SIGKILL");
  await person.sees(0);
});

test("other events, other tools and what cannot be read ask nothing and decide nothing", async () => {
  await home.start();
  const person = await home.person();
  const long = JSON.stringify({ ...APPROVAL, tool_input: { id: 1 } }).replace('"id":1', '"id":12345678901234567890');
  for (const given of [
    "", "no JSON", "null", "[]", "7", "{}", { ...QUESTION, hook_event_name: "PostToolUse" }, { ...APPROVAL, hook_event_name: "PreToolUse" }, { ...QUESTION, hook_event_name: "PermissionRequest" },
    { ...APPROVAL, tool_name: "ExitPlanMode", tool_input: { plan: "# Plan" } }, { ...APPROVAL, tool_input: "rm" }, { ...APPROVAL, tool_input: null }, { ...APPROVAL, tool_name: 7 }, { ...QUESTION, tool_input: {} },
    { ...QUESTION, tool_input: { questions: [] } }, { ...APPROVAL, permission_suggestions: "all" }, long, " ".repeat(9_000_000),
  ]) {
    assert.deepEqual(await run(given), NOTHING, String(JSON.stringify(given)).slice(0, 100));
  }
  assert.deepEqual([await person.open(), (await person.receipts()).found], [[], 0]);
});

test("no failure is an allow, and none has the exit code 2, which Claude Code takes for a no", async () => {
  for (const words of [["hook"], ["hook", "cursor"], ["hook", "claude", "x"], ["hook", "claude", "--more"], ["hook", "claude", "--wait", "0"]]) {
    const { code, out } = await home.run(words, { input: JSON.stringify(APPROVAL) });
    assert.deepEqual([code, out], [1, ""], words.join(" "));
  }
  await home.start();
  // A folder whose tokens are broken.
  const data = home.environment.ASK_USER_HOME;
  const tokens = readFileSync(join(data, "tokens.json"));
  writeFileSync(join(data, "tokens.json"), "{}");
  assert.deepEqual(await run(APPROVAL), NOTHING);
  writeFileSync(join(data, "tokens.json"), tokens);
  const file = join(home.path, "file");
  writeFileSync(file, "");
  const { code, out } = await run(APPROVAL, [], { environment: { ASK_USER_HOME: file } });
  assert.deepEqual([code, out], [1, ""]);
  // What an inbox could say that is no answer.
  const allow = JSON.stringify({ behavior: "allow", updatedInput: COMMAND });
  for (const state of /** @type {any[]} */ (["open", "closed", "expired", "failed", "replied", "declined", "turn_ended", undefined, "constructor"])) assert.equal(decisionOf(APPROVAL, { state, result_text: allow }), undefined, state);
  for (const result_text of ["null", "{}", '{"behavior":"ask"}', '"allow"', "[]", '{"behavior":true}']) assert.equal(decisionOf(APPROVAL, { state: "answered", result_text }), undefined, result_text);
  for (const result_text of [allow, '{"behavior":"allow"}', '{"behavior":"allow","updatedInput":null}']) assert.equal(decisionOf(QUESTION, { state: "answered", result_text }), undefined, result_text);
  assert.ok(!decisionOf(APPROVAL, { state: "turn_ended" }).includes("allow"));
  // A Reply without words is the person's as well: Claude Code must not ask again.
  const declined = decisionOf(APPROVAL, { state: "declined", result_text: '{"behavior":"deny","message":"No answer."}' });
  assert.deepEqual(JSON.parse(declined).hookSpecificOutput.decision, { behavior: "deny", message: "No answer." });
  const granted = JSON.stringify({ behavior: "allow", updatedInput: COMMAND, updatedPermissions: APPROVAL.permission_suggestions });
  assert.deepEqual(JSON.parse(decisionOf(APPROVAL, { state: "answered", result_text: granted })).hookSpecificOutput.decision, { behavior: "allow", updatedPermissions: APPROVAL.permission_suggestions });
});

const COMMENTED = `{
    // Mine.
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "check.sh" }] } // first
        ],
        "PermissionRequest": [/* none */],
    }, // last
}
`;

test("the hook is added where the person wants it, beside those that are there, and taken out again", async () => {
  const file = join(home.path, ".claude", "settings.json");
  const write = (text) => (mkdirSync(dirname(file), { recursive: true }), writeFileSync(file, text));
  const read = () => readFileSync(file, "utf8");
  const own = (matcher) => ({ matcher, hooks: [{ type: "command", command: "npx -y ask-user hook claude", timeout: 600 }] });
  const asked = await home.run(["install", "claude", "--hook"], { input: "" });
  assert.deepEqual([asked.code, /\+ .*ask-user hook claude/.test(asked.out)], [2, true]);
  assert.equal((await home.run(["install", "claude", "--hook", "--yes"])).code, 0);
  assert.deepEqual(JSON.parse(read()), { hooks: { PreToolUse: [own("AskUserQuestion")], PermissionRequest: [own("*")] } });
  assert.match((await home.run(["install", "claude", "--hook", "--yes"])).err, /already/);
  assert.equal((await home.run(["uninstall", "claude", "--yes"])).code, 0);
  assert.deepEqual(JSON.parse(read()), {});
  for (const before of [COMMENTED, '{"hooks":{"PreToolUse":[]}}', '{ "hooks": {} }\n', '{\n\t"hooks": {\n\t\t"Stop": [1]\n\t}\n}\n']) {
    write(before);
    assert.equal((await home.run(["install", "claude", "--hook", "--yes"])).code, 0);
    for (const comment of before.match(/\/\/.*|\/\*.*?\*\//g) ?? []) assert.ok(read().includes(comment), read());
    const { hooks } = JSON.parse(read().replace(/\/\/.*|\/\*.*?\*\//g, "").replace(/,(\s*[}\]])/g, "$1"));
    assert.deepEqual([hooks.PreToolUse.at(-1), hooks.PermissionRequest], [own("AskUserQuestion"), [own("*")]]);
    assert.equal((await home.run(["uninstall", "claude", "--hook", "--yes"])).code, 0);
    const squeezed = (text) => text.replaceAll(/\s/g, "").replace(/,?"(PreToolUse|PermissionRequest)":\[\],?/g, "");
    assert.equal(squeezed(read()).replace('"hooks":{}', ""), squeezed(before).replace('"hooks":{}', ""));
  }
  // Both parts go, and what was changed by hand stays.
  write("{}");
  for (const words of [["install", "claude", "--yes"], ["install", "claude", "--hook", "--yes"], ["uninstall", "claude", "--yes"]]) assert.equal((await home.run(words)).code, 0);
  assert.deepEqual([JSON.parse(read()), JSON.parse(readFileSync(join(home.path, ".claude.json"), "utf8"))], [{}, {}]);
  const changed = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: "npx -y ask-user hook claude" }, { type: "command", command: "mine.sh" }] }] } });
  write(changed);
  const { code, err } = await home.run(["uninstall", "claude", "--yes"]);
  assert.deepEqual([code, read()], [1, changed]);
  assert.match(err, /by hand/);
  for (const [text, why] of /** @type {any[][]} */ ([['{"hooks": []}', /"hooks" is not a JSON object/], ['{"hooks": {"PreToolUse": {}}}', /"hooks\.PreToolUse" is not a JSON list/]])) {
    write(text);
    const wrong = await home.run(["install", "claude", "--hook", "--yes"]);
    assert.deepEqual([wrong.code, read()], [1, text]);
    assert.match(wrong.err, why);
  }
  assert.equal((await home.run(["install", "codex", "--hook", "--yes"])).code, 2);
});
