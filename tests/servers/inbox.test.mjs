// Questions of a program (`createInbox`) on SQLite: programs that are killed at every moment, two that share a database, and the example of docs/host.md in a browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openChromium } from "../js/chromium.mjs";
import { freePort } from "../js/free-port.mjs";
import { takesAnswers, until } from "../js/wait.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const SECRET = "correct horse battery";
const REDACTED = { sure: true, key: "[redacted]" };
const folder = mkdtempSync(join(tmpdir(), "ask-user-inbox-"));
const programs = [];
after(() => {
  for (const one of programs) one.process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** A program that has begun: `said` are the lines that it has printed, `ended` promises its end, `isReady` is false if it ended before it was. */
async function start(program, given, more) {
  const one = { said: [] };
  one.process = spawn(process.execPath, [program, ...given], { stdio: ["ignore", "pipe", "inherit"], ...more });
  programs.push(one);
  one.ended = new Promise((resolve) => one.process.once("exit", () => resolve(false)));
  const begun = new Promise((resolve) => {
    one.process.stdout.setEncoding("utf8").on("data", (text) => {
      one.said.push(...text.trim().split("\n"));
      resolve(true);
    });
  });
  one.isReady = await Promise.race([begun, one.ended]);
  one.kill = () => (one.process.kill("SIGKILL"), one.ended);
  return one;
}

const asker = (file, port, moment = 0) => start(path("asker.mjs"), [join(folder, file), String(port), String(moment)]);

/** What a program says of an answer; undefined if it ended meanwhile. */
async function respond(port, answers, key = "k") {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/conversations/deploy/respond`, {
      method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": key }, body: JSON.stringify({ tool_call_id: "call_1", answers }),
    });
    return { status: response.status, ...(await response.json()) };
  } catch {
    return undefined;
  }
}

/** Waits until a program has said what it got. */
const got = async ({ said }) => JSON.parse(await until(() => said[1], "what the program got"));

/** What all files of a database have in them. */
const stored = (file) => readdirSync(folder).filter((name) => name.startsWith(file)).map((name) => readFileSync(join(folder, name), "latin1")).join("");

test("no answer that was acknowledged is lost, and none counts twice, at whatever moment the program is killed", async () => {
  let kills = 0;
  for (let moment = 1, isKilled = true; isKilled; moment += 1) {
    const [file, port] = [`moment-${moment}.db`, await freePort()];
    const first = await asker(file, port, moment);
    let running = first;
    const alive = async () => {
      while (!running.isReady || running.process.exitCode !== null || running.process.signalCode !== null) running = await asker(file, port);
    };
    await until(async () => (await alive(), respond(port, { sure: true, key: SECRET })), `moment ${moment}: an answer that was taken`, (reply) => reply?.status === 200);
    const line = await until(async () => (await alive(), running.said[1]), `moment ${moment}: what the program got`);
    assert.deepEqual(JSON.parse(line).result, REDACTED, `moment ${moment}`);
    assert.equal((await respond(port, { sure: false, key: SECRET }, "l"))?.status ?? 409, 409);
    await running.kill();
    // The next one gets the same, without secrets: they were in the memory of the one that took the answer.
    const last = await asker(file, "");
    assert.deepEqual(await got(last), { result: REDACTED });
    await last.ended;
    assert.equal(stored(file).includes(SECRET), false);
    isKilled = first.process.signalCode === "SIGKILL" && first !== running;
    kills += Number(isKilled);
  }
  assert.ok(kills > 10, `${kills} moments`);
});

test("a program gets the answer that another one took, and of two answers at once one is taken", async () => {
  const ports = [await freePort(), await freePort()];
  const alone = await asker("shared.db", "");
  const serving = [await asker("shared.db", ports[0]), await asker("shared.db", ports[1])];
  const answers = [true, false];
  const replies = await until(
    () => Promise.all(ports.map((port, place) => respond(port, { sure: answers[place], key: SECRET }, `of ${place}`))),
    "an answer that was taken",
    (replies) => replies.some(({ status }) => status === 200),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
  const winner = replies.findIndex(({ status }) => status === 200);
  const result = { ...REDACTED, sure: answers[winner] };
  assert.deepEqual(await got(alone), { result });
  assert.deepEqual(await got(serving[winner]), { result, secrets: { key: SECRET } });
  assert.deepEqual(await got(serving[1 - winner]), { result });
  assert.equal(stored("shared.db").includes(SECRET), false);
});

test("the example of docs/host.md: a person answers in a browser, after the program was killed and started again", async () => {
  const [, program] = /```js\n((?:(?!```).)*import \{ createInbox \}.*?)^```/ms.exec(readFileSync(path("../../docs/host.md"), "utf8"));
  assert.ok(program.trim().split("\n").length <= 40);
  const own = join(folder, "example");
  // A project of somebody else, with the package and the driver installed.
  mkdirSync(join(own, "node_modules"), { recursive: true });
  writeFileSync(join(own, "asks.mjs"), program);
  cpSync(process.env.ASK_USER_DIST ?? path("../../pkg/dist"), join(own, "node_modules/ask-user/dist"), { recursive: true });
  cpSync(path("../../pkg/package.json"), join(own, "node_modules/ask-user/package.json"));
  symlinkSync(path("node_modules/better-sqlite3"), join(own, "node_modules/better-sqlite3"), "junction");
  const port = await freePort();
  const run = () => start(join(own, "asks.mjs"), [], { cwd: own, env: { ...process.env, NODE_OPTIONS: "", PORT: String(port) } });
  const first = await run();
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`http://localhost:${port}/`);
    await page.locator("ask-user").locator("[data-answer=yes]").waitFor();
    await first.kill();
    const second = await run();
    await takesAnswers(page, "[data-answer=yes]");
    await page.locator("ask-user").locator("[data-answer=yes]").click();
    const agentOf = ({ said }) => until(() => said.find((line) => line.startsWith("The agent got")), "what the agent got");
    const answer = 'The agent got {"answer_type":"boolean","answer":true}';
    assert.equal(await agentOf(second), answer);
    assert.deepEqual(faults, []);
    await second.kill();
    assert.equal(await agentOf(await run()), answer);
  } finally {
    await browser.close();
  }
});
