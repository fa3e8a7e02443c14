// The host for JavaScript on SQLite, killed with SIGKILL at every moment of a conversation: each tool call gets one result, and no acknowledged answer is lost.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { resume } from "../../pkg/dist/core.node.js";
import { freePort } from "../js/free-port.mjs";
import { check } from "../js/js-host-faults.mjs";
import { pause } from "../js/wait.mjs";

const PROGRAM = fileURLToPath(new URL("mortal.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ask-user-crashes-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const CALLS = [{ name: "add", input: { a: 1, b: 2 } }, { name: "ask_user", input: { question: "Sure?", answer_type: "boolean" } }, { name: "deploy", input: { to: "x" } }];

class Mortal {
  /** @type {number | undefined} */
  port;

  constructor(name) {
    this.file = join(folder, name);
    this.kills = 0;
  }

  /** Starts a host that ends at this moment; 0 for one that goes on. */
  async start(moment) {
    this.port ??= await freePort();
    this.process = spawn(process.execPath, [PROGRAM, this.file, String(this.port), String(moment)], { stdio: ["ignore", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.once("exit", (code, signal) => resolve(signal)));
    const ready = new Promise((resolve) => this.process.stdout.once("data", () => resolve("ready")));
    return (await Promise.race([ready, this.ended])) === "ready";
  }

  get isRunning() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  /** One request; undefined if the host ended meanwhile. */
  async post(path, body, headers) {
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}/conversations${path}`, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }
}

/** Plays a conversation through hosts of which the first ends at this moment, and the ones after it at `later` moments each. Gives whether the first one ended. */
async function played(name, moment, later = []) {
  const mortal = new Mortal(name);
  const database = () => new Database(mortal.file, { readonly: true });
  await mortal.start(0);
  const { body: { id, token } } = await mortal.post("", {});
  await mortal.kill();
  const headers = { Authorization: `Bearer ${token}` };
  const moments = [moment, ...later];
  const again = async () => {
    while (!(await mortal.start(moments.shift() ?? 0))) mortal.kills += 1;
  };
  await again();
  const acknowledged = new Map();
  const look = () => {
    const open = database();
    const state = JSON.parse(open.prepare("SELECT state FROM ask_user_conversations WHERE id = ?").get(id).state).conversation;
    const lines = open.prepare("SELECT text FROM ask_user_lines WHERE conversation = ? AND kind = 'message' ORDER BY place").all(id).map(({ text }) => JSON.parse(text));
    open.close();
    return { state, lines };
  };
  for (let steps = 0; ; steps += 1) {
    assert.ok(steps < 2_000, "the conversation hangs");
    if (!mortal.isRunning) {
      mortal.kills += 1;
      await again();
    }
    const { state, lines } = look();
    check(lines, acknowledged, false);
    if (state.state === "idle" && lines.length) break;
    if (state.state === "idle") await mortal.post(`/${id}/messages`, { text: JSON.stringify(CALLS) }, headers);
    else if (state.state === "awaiting_user_response") {
      const walk = resume(state.request, state.walk, { ...state.options, dialect: state.dialect });
      walk.answer(true);
      const said = await mortal.post(`/${id}/respond`, { tool_call_id: state.call.id, ...walk.response }, { ...headers, "Idempotency-Key": walk.idempotencyKey });
      if (said?.status === 200) acknowledged.set(state.call.id, state.call.name === "deploy" ? { deployed: "x" } : walk.outcome.result);
    } else await pause(10);
  }
  const { lines } = look();
  check(lines, acknowledged, true);
  assert.equal(lines.filter(({ role }) => role === "tool").length, CALLS.length);
  const done = existsSync(`${mortal.file}.done`) ? readFileSync(`${mortal.file}.done`, "utf8").trim().split("\n") : [];
  assert.ok(done.length <= 1, `a tool ran twice: ${done}`);
  const isKilled = mortal.kills > 0;
  await mortal.kill();
  return isKilled;
}

test("killed at every moment, the host gives each call one result and loses no acknowledged answer", { timeout: 900_000 }, async () => {
  let moment = 1;
  for (; await played(`every-${moment}.db`, moment); moment += 1);
  assert.ok(moment > 30, `only ${moment} moments were tried`);
});

test("killed again and again, it comes to the end all the same", { timeout: 300_000 }, async () => {
  assert.ok(await played("again.db", 5, [3, 9, 2, 7, 11, 4, 6, 13, 8]));
});
