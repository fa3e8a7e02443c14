// `ask-user wrap -- codex app-server`: Codex's own program, with a model that this file plays. `npm ci` in this folder, then `node --test codex-wrap.test.mjs`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, test } from "node:test";
import { COMMAND, Home } from "../../js/inbox-app.mjs";

const CODEX = join(dirname(createRequire(import.meta.url).resolve("@openai/codex/package.json")), "bin", "codex.js");

/** A model behind the Responses API: makes one call, and ends with a text once it has the call's output. */
class Model {
  /** What Codex gave the model for its call. */
  outputs = [];

  async begin(call) {
    this.server = createServer(async (request, response) => {
      const pieces = [];
      for await (const piece of request) pieces.push(piece);
      const { input } = JSON.parse(Buffer.concat(pieces).toString());
      const last = input.at(-1);
      if (last.type.endsWith("call_output")) this.outputs.push(last.output);
      const item = last.type.endsWith("call_output") ? { type: "message", role: "assistant", id: "m", content: [{ type: "output_text", text: "Done." }] } : { call_id: "c1", ...call };
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
      for (const [type, more] of /** @type {const} */ ([["response.created", { response: { id: "r" } }], ["response.output_item.done", { output_index: 0, item }], ["response.completed", { response: { id: "r", usage } }]])) {
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
      }
      response.end();
    });
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", () => resolve(undefined)));
    return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (this.server.address()).port}/v1`;
  }
}

let home;
let model;
beforeEach(() => {
  home = new Home();
  model = new Model();
});
afterEach(async () => {
  model.server.close();
  await home.end();
});

const work = () => join(home.path, "work");

/** Runs one turn of Codex by the command, in which the model makes this call; `act` is the person in the inbox. Gives how the turn ended, and the requests that the client got. It refuses them. */
async function turn(call, act, words = []) {
  const codex = join(home.path, ".codex");
  for (const folder of [codex, work()]) mkdirSync(folder, { recursive: true });
  const url = await model.begin(call);
  writeFileSync(join(codex, "config.toml"), `model = "example"\nmodel_provider = "example"\n[model_providers.example]\nname = "example"\nbase_url = "${url}"\nwire_api = "responses"\nrequires_openai_auth = false\n[features]\ndefault_mode_request_user_input = true\n`);
  const child = spawn(process.execPath, [COMMAND, "wrap", "--who", "Codex", ...words, "--", process.execPath, CODEX, "app-server"], { env: { ...home.environment, CODEX_HOME: codex }, cwd: home.path, stdio: ["pipe", "pipe", "ignore"] });
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const [waiting, asked] = [new Map(), []];
  const request = (id, method, params) => new Promise((resolve) => (waiting.set(id, resolve), send({ id, method, params })));
  const completed = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, method, params, result } = JSON.parse(line);
      if (method === undefined) waiting.get(id)(result);
      else if (method === "turn/completed") resolve(params.turn);
      else if (id !== undefined) send({ id, result: { decision: "decline" } }), asked.push(method);
    });
  });
  await request(1, "initialize", { clientInfo: { name: "editor", title: "Editor", version: "1" }, capabilities: { experimentalApi: true } });
  send({ method: "initialized" });
  const { thread } = await request(2, "thread/start", { cwd: work(), approvalPolicy: "untrusted", sandbox: "workspace-write" });
  await request(3, "turn/start", { threadId: thread.id, input: [{ type: "text", text: "Go." }] });
  await act?.();
  const { status } = await completed;
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
  return { status, asked };
}

const COMMAND_CALL = { type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd: "touch made.txt" }) };
const PATCH = { type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: made.txt\n+hello\n*** End Patch\nEOF" }) };
const QUESTION = { type: "function_call", name: "request_user_input", arguments: JSON.stringify({ questions: [{ id: "lib", header: "Library", question: "Which library?", options: [{ label: "A (Recommended)", description: "The old one" }, { label: "B", description: "The new one" }] }] }) };

const isMade = () => existsSync(join(work(), "made.txt"));

test("Codex runs a command that is approved in the inbox", async () => {
  await home.start();
  const person = await home.person();
  const ended = await turn(COMMAND_CALL, async () => {
    const [{ id, who, folder }] = await person.sees(1);
    assert.deepEqual([who, folder], ["Codex", "~/work"]);
    assert.equal(isMade(), false);
    await person.answer(id, { q1: { type: "approve" } });
  });
  assert.deepEqual([ended, isMade()], [{ status: "completed", asked: [] }, true]);
});

// Of the decisions that refuse, Codex offers only the one that ends the turn.
test("Codex does not run a command that is rejected, and the end of the turn interrupts it", async () => {
  await home.start();
  const person = await home.person();
  assert.deepEqual(await turn(COMMAND_CALL, async () => person.answer((await person.sees(1))[0].id, { q1: { type: "reject" } })), { status: "interrupted", asked: [] });
  model.server.close();
  assert.deepEqual(await turn(COMMAND_CALL, async () => person.stop((await person.sees(1))[0].id)), { status: "interrupted", asked: [] });
  assert.equal(isMade(), false);
});

test("a change of files is shown whole, and made once it is approved", async () => {
  await home.start();
  const person = await home.person();
  const ended = await turn(PATCH, async () => {
    const [{ id }] = await person.sees(1);
    await person.answer(id, { q1: { type: "approve" } });
    assert.match(JSON.stringify(await person.receipt(id)), /made\.txt/);
  });
  assert.deepEqual(ended, { status: "completed", asked: [] });
  assert.equal(readFileSync(join(work(), "made.txt"), "utf8"), "hello\n");
});

test("a question of Codex is answered in the inbox, and the end of the turn interrupts it", async () => {
  await home.start();
  const person = await home.person();
  assert.deepEqual(await turn(QUESTION, async () => person.answer((await person.sees(1))[0].id, { lib: "B" })), { status: "completed", asked: [] });
  assert.deepEqual(JSON.parse(model.outputs[0]), { answers: { lib: { answers: ["B"] } } });
  model.server.close();
  assert.equal((await turn(QUESTION, async () => person.stop((await person.sees(1))[0].id))).status, "interrupted");
});

test("where no inbox runs, or none answers in time, Codex asks its client", async () => {
  assert.deepEqual(await turn(COMMAND_CALL), { status: "completed", asked: ["item/commandExecution/requestApproval"] });
  model.server.close();
  await home.start();
  assert.deepEqual(await turn(COMMAND_CALL, undefined, ["--wait", "1"]), { status: "completed", asked: ["item/commandExecution/requestApproval"] });
  assert.equal(isMade(), false);
});
