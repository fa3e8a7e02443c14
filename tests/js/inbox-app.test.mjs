// The inbox of `npx ask-user`: its process and its data folder, the command `ask`, the addresses for programs, who is let in, and the command of `--notify`.
import assert from "node:assert/strict";
import { request as ask } from "node:http";
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer as listens } from "node:net";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { asking } from "../../pkg/src/inbox/asking.js";
import { Folder } from "../../pkg/src/inbox/folder.js";
import { announce, isHeld, lives } from "../../pkg/src/inbox/lock.js";
import { COMMAND, Home } from "./inbox-app.mjs";
import { until } from "./wait.mjs";

const { default: Ajv2020 } = createRequire(new URL("../../pkg/package.json", import.meta.url))("ajv/dist/2020.js");

const GO = { questions: [{ id: "go", text: "Go on?\nWith all of it.", answer_type: "boolean" }] };
const ID = "0123456789abcdef";

/** Makes a home keep its questions in a file, as on a Node without SQLite. */
const writeJournal = (home) => {
  mkdirSync(home.environment.ASK_USER_HOME, { recursive: true });
  writeFileSync(join(home.environment.ASK_USER_HOME, "questions.jsonl"), "");
};

const homes = [];
const begin = (environment) => {
  const home = new Home(environment);
  homes.push(home);
  return home;
};
afterEach(async () => {
  while (homes.length) await homes.pop().end();
});

/** A request whose every header is said, which no browser and no `fetch` would send. */
const raw = (address, path, /** @type {{ method?: any, headers?: any, body?: any }} */ { method = "GET", headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const sent = ask({ hostname, port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece)).on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on("error", reject).end(body);
  });

test("one inbox runs for a data folder, and only its user can read what is in it", async () => {
  const home = begin();
  const address = await home.start();
  assert.match(home.inbox.out, new RegExp(`${address}/#code=[0-9a-f]{32}\n`));
  const again = await home.run([]);
  assert.equal(again.code, 0);
  assert.ok(again.out.includes(`${address}/#code=`), again.out);
  // Options that come too late are not lost silently.
  assert.equal((await home.run(["--notify", "true"])).code, 1);
  const folder = home.environment.ASK_USER_HOME;
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  assert.equal((await home.run(["stop"])).code, 0);
  assert.equal(await home.inbox.ended, 0);
  assert.ok(!existsSync(join(folder, "running.json")));
  assert.match((await home.run(["stop"])).err, /No inbox runs/);
});

test("where there is no SQLite, questions are kept in a file, whose last line may have been cut off", async () => {
  const home = begin();
  const file = join(home.environment.ASK_USER_HOME, "questions.jsonl");
  mkdirSync(home.environment.ASK_USER_HOME);
  // One that is there is kept to, also by a Node with SQLite.
  writeFileSync(file, "");
  await home.start();
  const other = "fedcba9876543210";
  for (const id of [ID, other]) await home.program("POST", "/questions", { id, request: GO });
  await (await home.person()).answer(ID, { go: true });
  await until(async () => (await home.person()).open(), "the end of one", ({ length }) => length === 1);
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  const whole = readFileSync(file, "utf8");
  appendFileSync(file, whole.split("\n").at(-2).slice(0, -9));
  await home.start();
  assert.deepEqual([(await home.program("GET", `/questions/${ID}`)).body.result, (await home.program("GET", `/questions/${other}`)).body.state], [{ go: true }, "open"]);
  assert.ok(!existsSync(`${file}.new`));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal((await (await home.person()).answer(other, { go: false })).status, 200);
  await home.run(["stop"]);
  writeFileSync(file, "no JSON\n");
  const { code, err } = await home.run([]);
  assert.equal(code, 1);
  assert.match(err, /questions\.jsonl cannot be read/);
  assert.ok(!existsSync(join(home.environment.ASK_USER_HOME, "running.json")));
});

test("two inboxes that start at the same moment become one", async () => {
  const home = begin();
  const both = [home.begin([]), home.begin([])];
  await until(() => both.map(({ out }) => out), "both addresses", (said) => said.every((out) => out.includes("#code=")));
  assert.equal(new Set(both.map(({ out }) => /http:[^#]+/.exec(out)[0])).size, 1);
  assert.equal(both.filter(({ out }) => out.includes("already")).length, 1);
});

test("a question outlives the inbox, which is killed, and what it has left behind is no inbox", async () => {
  const home = begin();
  await home.start();
  assert.equal((await home.program("POST", "/questions", { id: ID, request: GO, who: "Git agent", folder: "/work/shop" })).status, 201);
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await home.start();
  const person = await home.person();
  const [one, ...more] = await person.open();
  assert.deepEqual([one.who, one.folder, one.text, more.length], ["Git agent", "/work/shop", "Go on?", 0]);
  assert.equal((await person.answer(ID, { go: true })).status, 200);
  assert.deepEqual((await home.program("GET", `/questions/${ID}?wait=10`)).body, { id: ID, state: "answered", result_text: '{"go":true}', result: { go: true } });
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await home.start();
  const { receipts } = await (await home.person()).receipts();
  assert.deepEqual(receipts.map(({ how, by, who, answers }) => [how, by, who, answers]), [["answered", "Firefox on Linux", "Git agent", [{ text: "Go on?", outcome: "answered", answer: "Yes" }]]]);
});

/** The processes of an inbox that were started by commands of a home, and live. */
const sockets = (home) => readdirSync(home.environment.ASK_USER_HOME).filter((name) => name.startsWith("lock."));

test("the tokens can be made anew while the inbox runs, and nothing of it is lost", async () => {
  const home = begin();
  await home.start();
  const { ask: old } = home.read("tokens.json");
  const asked = home.begin(["ask", "-"], { input: JSON.stringify(GO) });
  const [{ id }] = await (await home.person()).sees(1);
  rmSync(join(home.environment.ASK_USER_HOME, "tokens.json"));
  // The same inbox, with new tokens.
  const again = await home.run([]);
  assert.match(again.out, /runs already/);
  assert.notEqual(home.read("tokens.json").ask, old);
  assert.equal((await home.program("GET", `/questions/${id}`, undefined, { Authorization: `Bearer ${old}` })).status, 401);
  rmSync(join(home.environment.ASK_USER_HOME, "tokens.json"));
  assert.match((await home.run(["stop"])).err, /was stopped/);
  assert.equal(await home.inbox.ended, 0);
  await home.start();
  assert.equal(sockets(home).length, 1);
  assert.equal((await (await home.person()).answer(id, { go: true })).status, 200);
  assert.deepEqual([await asked.ended, asked.out], [0, '{"go":true}\n']);
});

test("a process that cannot reach a living inbox says so, and starts no other one", async () => {
  const home = begin();
  const address = await home.start();
  const before = home.read("running.json");
  const file = join(home.environment.ASK_USER_HOME, "running.json");
  // As from a sandbox without network: nothing answers at the address; and as from another one: the process id is not known.
  writeFileSync(file, JSON.stringify({ ...before, address: "http://127.0.0.1:1", pid: 2 ** 22 - 1 }));
  const tried = await Promise.all([home.run(["ask", "-"], { input: JSON.stringify(GO) }), home.run([])]);
  for (const { code, err } of tried) {
    assert.equal(code, 1, err);
    assert.match(err, /An inbox runs at http:\/\/127\.0\.0\.1:1, but it cannot be reached from here/);
  }
  writeFileSync(file, JSON.stringify({ ...before, pid: 2 ** 22 - 1 }));
  assert.match((await home.run([])).out, new RegExp(`runs already[^]*${address}`));
  assert.equal(sockets(home).length, 1);
});

test("an inbox that takes connections and never answers is told", async () => {
  const home = begin();
  await home.start();
  const silent = listens();
  await /** @type {Promise<void>} */ (new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve)));
  try {
    const running = { ...home.read("running.json"), address: `http://127.0.0.1:${/** @type {any} */ (silent.address()).port}` };
    writeFileSync(join(home.environment.ASK_USER_HOME, "running.json"), JSON.stringify(running));
    const { code, err } = await home.run(["ask", "-"], { input: JSON.stringify(GO) });
    assert.equal(code, 1, err);
    assert.match(err, /It does not answer/);
  } finally {
    silent.close();
  }
});

test("an inbox whose place was taken away ends, and takes no answer into a file that is gone", async () => {
  const home = begin();
  writeJournal(home);
  await home.start();
  await home.program("POST", "/questions", { id: ID, request: GO });
  const person = await home.person();
  const file = join(home.environment.ASK_USER_HOME, "questions.jsonl");
  renameSync(file, `${file}.old`);
  assert.equal((await person.answer(ID, { go: true })).status, 503);
  rmSync(join(home.environment.ASK_USER_HOME, "running.json"));
  assert.equal(await home.inbox.ended, 0);
  assert.match(home.inbox.err, /is not of this inbox any more/);
});

test("many inboxes that start at the same moment after one that was killed become one", async () => {
  const home = begin();
  for (let round = 0; round < 3; round += 1) {
    const all = Array.from({ length: 5 }, () => home.begin([]));
    await until(() => all.map(({ out, err }) => out + err), "all addresses", (said) => said.every((out) => /http:/.test(out)));
    assert.equal(new Set(all.map(({ out }) => /http:[^#]+/.exec(out)[0])).size, 1);
    assert.equal(all.filter(({ out }) => !out.includes("already")).length, 1);
    assert.equal(sockets(home).length, 1);
    process.kill(home.read("running.json").pid, "SIGKILL");
    await all.find(({ out }) => !out.includes("already")).ended;
  }
});

test("a process that ends while another one connects to it counts as ended", async () => {
  const home = begin();
  const folder = new Folder(home.environment.ASK_USER_HOME);
  // Each look has connected by the time the socket closes, but nothing has accepted the connection yet.
  for (const [name, look] of /** @type {const} */ ([["lock.one", () => isHeld(folder)], ["agent.one", () => lives(folder, "agent.one")]])) {
    const one = await announce(folder, name);
    const looked = look();
    one.close();
    assert.equal(await looked, false);
  }
  assert.deepEqual(readdirSync(folder.file("")), []);
});

test("a file of a running inbox that is empty or cut does not block the next one", async () => {
  const home = begin();
  mkdirSync(home.environment.ASK_USER_HOME);
  for (const text of ["", '{"addr', "null"]) {
    writeFileSync(join(home.environment.ASK_USER_HOME, "running.json"), text);
    assert.match((await home.run(["stop"])).err, /No inbox runs/);
    await home.start();
    assert.match((await home.run(["stop"])).err, /was stopped/);
  }
  writeFileSync(join(home.environment.ASK_USER_HOME, "tokens.json"), "{}");
  const { code, err } = await home.run([]);
  assert.equal(code, 1);
  assert.match(err, /tokens\.json has no tokens\. Delete it/);
  assert.deepEqual(sockets(home), []);
});

test("a folder that is named relative to the working directory is one and the same", async () => {
  const home = begin({ ASK_USER_HOME: "data" });
  const asked = home.begin(["ask", "-"], { input: JSON.stringify(GO) });
  home.environment.ASK_USER_HOME = join(home.path, "data");
  await until(() => asked.err, "the address of the question", (said) => said.includes("waits in the inbox at"));
  const person = await home.person();
  await person.answer((await person.sees(1))[0].id, { go: true });
  assert.deepEqual([await asked.ended, sockets(home).length], [0, 1]);
});

test("`ask` starts the inbox, waits, and prints the result and nothing else", async () => {
  const home = begin();
  const file = join(home.path, "request.json");
  writeFileSync(file, '{"questions":[{"id":"n","text":"How many?","answer_type":"number"},{"id":"key","text":"Which key?","answer_type":"secret"}]}');
  const asked = home.begin(["ask", file, "--who", "nightly.sh"]);
  await until(() => asked.err, "the address of the question", (said) => said.includes("waits in the inbox at"));
  const person = await home.person();
  const [{ id, who, folder, count }] = await person.sees(1);
  assert.deepEqual([who, folder, count], ["nightly.sh", "~", 2]);
  assert.equal((await person.answer(id, { n: 3, key: "correct horse" })).status, 200);
  assert.equal(await asked.ended, 0);
  assert.equal(asked.out, '{"n":3,"key":"[redacted]"}\n');
  // Nothing on the disk has it.
  const data = home.environment.ASK_USER_HOME;
  for (const name of readdirSync(data)) if (!name.startsWith("lock.")) assert.ok(!readFileSync(join(data, name), "utf8").includes("correct horse"), name);
});

test("the exit code of `ask` says how the question ended", async () => {
  const home = begin();
  await home.start();
  const person = await home.person();
  const text = JSON.stringify(GO);
  const wrong = await home.run(["ask", "-"], { input: '{"questions":[]}' });
  assert.deepEqual([wrong.code, JSON.parse(wrong.out).error], [3, "invalid_request"]);
  for (const [words, input] of /** @type {any[][]} */ ([[["ask", join(home.path, "none.json")]], [["ask", "-"], "{"], [["ask"], ""], [["ask", "-", "--expires", "soon"], text]])) {
    const { code, out } = await home.run(words, { input });
    assert.deepEqual([code, out], [2, ""], words.join(" "));
  }
  const ends = async (words, act) => {
    const asked = home.begin(["ask", "-", ...words], { input: text });
    const [{ id }] = await person.sees(1);
    await act(id, asked);
    const code = await asked.ended;
    await person.sees(0);
    return [code, asked.out];
  };
  assert.deepEqual(await ends([], (id) => person.stop(id)), [5, ""]);
  assert.deepEqual(await ends([], (id) => home.program("DELETE", `/questions/${id}`)), [6, ""]);
  assert.equal((await ends(["--expires", "1"], () => undefined))[0], 6);
  // Who has interrupted it does not want the answer any more.
  assert.deepEqual(await ends([], (id, asked) => asked.process.kill("SIGINT")), [130, ""]);
  assert.deepEqual((await person.receipts()).receipts.map(({ how }) => how), ["closed", "expired", "closed", "turn_ended"]);
});

test("`ask` goes on waiting while the inbox is killed and started anew", async () => {
  const home = begin();
  await home.start();
  const asked = home.begin(["ask", "-"], { input: JSON.stringify(GO) });
  const [{ id }] = await (await home.person()).sees(1);
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await home.start();
  const person = await home.person();
  assert.equal((await person.answer(id, { go: false })).status, 200);
  assert.deepEqual([await asked.ended, asked.out], [0, '{"go":false}\n']);
});

test("`ask` starts an inbox again that has crashed, and none that was stopped", async () => {
  const home = begin();
  await home.start();
  const asked = home.begin(["ask", "-"], { input: JSON.stringify(GO) });
  const [{ id }] = await (await home.person()).sees(1);
  const { nonce, pid } = home.read("running.json");
  process.kill(pid, "SIGKILL");
  await until(() => home.read("running.json"), "another inbox", (running) => running.nonce !== nonce);
  await home.run(["stop"]);
  await until(() => asked.err, "that it waits", (said) => said.includes("The inbox was stopped. The question waits."));
  // Nor does one that is interrupted start it.
  asked.process.kill("SIGINT");
  assert.equal(await asked.ended, 130);
  assert.deepEqual([existsSync(join(home.environment.ASK_USER_HOME, "running.json")), sockets(home)], [false, []]);
  await home.start();
  assert.equal((await (await home.person()).answer(id, { go: true })).status, 200);
});

test("programs ask once for each id, wait, and get every digit", async () => {
  const home = begin();
  await home.start();
  const person = await home.person();
  const request = '{"questions":[{"id":"n","text":"Which?","answer_type":"integer"}]}'.replace("integer", "number");
  assert.equal((await home.program("POST", "/questions", { id: ID, request })).status, 201);
  assert.deepEqual(await home.program("POST", "/questions", { id: ID, request }), { status: 200, body: { id: ID, state: "open" } });
  assert.deepEqual((await home.program("POST", "/questions", { id: ID, request: GO })).body.error, "other_question");
  assert.deepEqual((await home.program("GET", `/questions/${ID}?wait=0.01`)).body, { id: ID, state: "open" });
  const waiting = home.program("GET", `/questions/${ID}?wait=60`);
  await person.answer(ID, { n: 1234567890123456 });
  assert.equal((await waiting).body.result_text, '{"n":1234567890123456}');
  // Of two answers, one counts.
  assert.equal((await person.answer(ID, { n: 7 }, { nonce: "other" })).status, 409);
  assert.deepEqual((await home.program("DELETE", `/questions/${ID}`)).body.result, { n: 1234567890123456 });
  for (const [body, status, code] of [
    [{}, 422, "bad_request"], [{ request: GO, whom: "x" }, 422, "bad_request"], [{ request: GO, id: "short" }, 422, "bad_request"], [{ request: GO, id: "../../../../../etc" }, 422, "bad_request"],
    [{ request: GO, who: "" }, 422, "bad_request"], [{ request: GO, expires_in: -1 }, 422, "bad_request"], [{ request: { questions: [] }, dialect: "ask_user" }, 422, "rejected"], [[], 422, "bad_request"],
  ]) {
    const refused = await home.program("POST", "/questions", body);
    assert.deepEqual([refused.status, refused.body.error], [status, code], JSON.stringify(body));
  }
  assert.equal((await home.program("POST", "/questions", { request: GO }, { "Content-Type": "text/plain" })).status, 415);
  for (const [path, method, status] of /** @type {any[][]} */ ([["/questions/fedcba9876543210", "GET", 404], ["/questions", "GET", 422], [`/questions/${ID}?wait=61`, "GET", 422], [`/questions/${ID}`, "PUT", 405], [`/questions/${ID}/x`, "GET", 404]])) {
    assert.equal((await home.program(method, path)).status, status, path);
  }
  assert.deepEqual(await person.open(), []);
});

test("the OpenAPI document says what the addresses take and give", async () => {
  const home = begin();
  const address = await home.start();
  const document = await (await fetch(`${address}/openapi.json`)).json();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "api");
  const fits = (pointer, value) => ajv.validate({ $ref: `api#${pointer}` }, value) || assert.fail(`${pointer}: ${ajv.errorsText()} ${JSON.stringify(value)}`);
  const { paths } = document;
  /** Sends a request, and holds what comes to the document. */
  const holds = async (path, method, given, body, headers) => {
    const at = path.replace("{id}", given.id ?? "");
    const { status, body: came } = await home.program(method, at + (given.query ?? ""), body, headers);
    const pointer = `/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/${method.toLowerCase()}`;
    assert.ok(paths[path][method.toLowerCase()].responses[status], `${method} ${path}: ${status}`);
    fits(`${pointer}/responses/${status}/content/application~1json/schema`, came);
    return { status, body: came };
  };
  const person = await home.person();
  const asked = { id: ID, request: GO, who: "x", folder: "/x", owner: "owner-0123456789", expires_in: 60 };
  fits("/components/schemas/Ask", asked);
  const statuses = [];
  const say = async (...given) => statuses.push((await holds(...given)).status);
  await say("/questions", "POST", {}, asked);
  await say("/questions", "POST", {}, asked);
  await say("/questions", "POST", {}, { ...asked, request: { question: "Other?", answer_type: "boolean" } });
  await say("/questions", "POST", {}, { request: { questions: [] }, dialect: "ask_user" });
  await say("/questions", "POST", {}, {}, { "Content-Type": "text/plain" });
  await say("/questions", "GET", { query: "?owner=owner-0123456789" });
  await say("/questions", "GET", {});
  await say("/questions/{id}", "GET", { id: ID, query: "?wait=61" });
  await say("/questions/{id}", "GET", { id: "none-0123456789ab" });
  await say("/questions/{id}", "GET", { id: ID }, undefined, { Authorization: "Bearer wrong" });
  await say("/questions/{id}", "GET", { id: ID }, undefined, { Origin: "http://evil.example" });
  await person.answer(ID, { go: true });
  await say("/questions/{id}", "GET", { id: ID, query: "?wait=10" });
  await say("/questions/{id}", "DELETE", { id: ID });
  assert.deepEqual(statuses, [201, 200, 409, 422, 415, 200, 422, 422, 404, 401, 403, 200, 200]);
  // Every field is one that the inbox takes.
  const { body } = await home.program("POST", "/questions", { request: GO, more: 1 });
  for (const name of Object.keys(document.components.schemas.Ask.properties)) assert.ok(body.message.includes(name), name);
});

test("a secret reaches the program that asked, and no receipt", async () => {
  const home = begin();
  await home.start();
  const person = await home.person();
  await home.program("POST", "/questions", { id: ID, request: { questions: [{ id: "key", text: "Which key?", answer_type: "secret" }] } });
  await person.answer(ID, { key: "correct horse" });
  const { body } = await home.program("GET", `/questions/${ID}?wait=10`);
  assert.deepEqual([body.result, body.secrets], [{ key: "[redacted]" }, { key: "correct horse" }]);
  const { receipts } = await until(() => person.receipts(), "the receipt", ({ found }) => found === 1);
  assert.deepEqual(receipts[0].answers, [{ text: "Which key?", outcome: "redacted" }]);
});

test("an owner finds its own questions, and no other's", async () => {
  const home = begin();
  await home.start();
  const [one, other] = ["owner-one-0123456789", "owner-other-012345"];
  await home.program("POST", "/questions", { id: ID, request: GO, owner: one });
  await home.program("POST", "/questions", { id: "fedcba9876543210", request: GO, owner: other });
  const of = async (owner) => (await home.program("GET", `/questions?owner=${owner}`)).body.questions.map(({ id, state }) => [id, state]);
  assert.deepEqual(await of(one), [[ID, "open"]]);
  await (await home.person()).answer(ID, { go: true });
  assert.deepEqual(await of(one), [[ID, "answered"]]);
  await home.program("DELETE", `/questions/${ID}`);
  assert.deepEqual(await of(one), []);
  assert.deepEqual(await of(other), [["fedcba9876543210", "open"]]);
});

test("the receipt of an approval says what would run, and what was decided", async () => {
  const home = begin();
  await home.start();
  const person = await home.person();
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm -rf build" } };
  for (const q1 of [{ type: "approve" }, { type: "reject", message: "Not on a Friday." }, { type: "edit", arguments: { command: "ls build" } }]) {
    const { body: { id } } = await home.program("POST", "/questions", { request, dialect: "claude" });
    assert.deepEqual((await person.sees(1))[0].text, "Run Bash?");
    assert.equal((await person.answer(id, { q1 })).status, 200);
    await person.sees(0);
  }
  const asked = 'Run Bash? {"command":"rm -rf build"}';
  const { receipts } = await person.receipts();
  assert.deepEqual(receipts.map(({ answers }) => answers[0]).map(({ text, answer }) => [text, answer]), [
    [asked, 'Changed and approved · {"command":"ls build"}'], [asked, "Rejected · Not on a Friday."], [asked, "Approved"],
  ]);
  assert.equal((await person.receipts("friday")).found, 1);
});

test("receipts are found by every word in them", async () => {
  const home = begin();
  await home.start();
  const person = await home.person();
  for (const [place, who] of ["Claude Code", "Codex"].entries()) {
    const { body: { id } } = await home.program("POST", "/questions", { request: { questions: [{ id: "env", text: `Which environment ${place}?`, answer_type: "select", options: [{ value: "p", label: "Production" }, "staging"] }] }, who });
    await person.answer(id, { env: place ? "staging" : "p" });
  }
  await until(() => person.receipts(), "both receipts", ({ found }) => found === 2);
  const found = async (words) => (await person.receipts(words)).receipts.map(({ who }) => who);
  assert.deepEqual(await found("production claude"), ["Claude Code"]);
  assert.deepEqual(await found("ENVIRONMENT"), ["Codex", "Claude Code"]);
  assert.deepEqual(await found("production codex"), []);
});

test("requests that name another host, or come from a page of another origin, are refused everywhere", async () => {
  const home = begin();
  const address = await home.start();
  const { ask: token, page } = home.read("tokens.json");
  const { key } = await home.person();
  const { host } = new URL(address);
  const places = [["/", "GET"], ["/health", "GET"], ["/codes", "POST", page], ["/questions", "POST", token], [`/s/${key}/receipts`, "GET"], ["/ask-user.js", "GET"]];
  for (const [path, method, bearer] of places) {
    const headers = { "Content-Type": "application/json", ...(bearer && { Authorization: `Bearer ${bearer}` }) };
    const body = method === "POST" ? JSON.stringify({ request: GO }) : undefined;
    for (const wrong of /** @type {any[]} */ ([{ Host: "evil.example" }, { Host: `localhost:${new URL(address).port}` }, { Host: `evil.example:${new URL(address).port}` }, { Host: host, Origin: "http://evil.example" }, { Host: host, Origin: "null" }, { Host: host, Origin: `https://${host}` }])) {
      assert.equal((await raw(address, path, { method, body, headers: { ...headers, ...wrong } })).status, 403, `${path} ${JSON.stringify(wrong)}`);
    }
    assert.ok((await raw(address, path, { method, body, headers: { ...headers, Host: host, Origin: address } })).status < 300, path);
  }
});

test("each address takes its own token, and no other", async () => {
  const home = begin();
  const address = await home.start();
  const { ask: token, page } = home.read("tokens.json");
  const { key } = await home.person();
  const status = async (path, bearer, method = "POST") => (await fetch(address + path, { method, headers: { "Content-Type": "application/json", ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }) }, body: method === "POST" ? JSON.stringify({ request: GO }) : undefined })).status;
  for (const wrong of [undefined, "", page, key, `${token}0`, token.slice(1)]) assert.equal(await status("/questions", wrong), 401, wrong);
  for (const wrong of [undefined, token, page, key]) assert.equal(await status("/session", wrong), 401, wrong);
  for (const wrong of [undefined, token, key]) assert.equal(await status("/codes", wrong), 401, wrong);
  // A code opens the page once.
  const [code, other] = [await home.code(), await home.code()];
  assert.deepEqual([await status("/session", code), await status("/session", code)], [201, 401]);
  assert.deepEqual([await status("/session", other, "DELETE"), await status("/session", other)], [200, 401]);
  for (const wrong of ["", "x", page, token]) assert.equal(await status(`/s/${wrong}/receipts`, undefined, "GET"), 401, wrong);
  // What is asked of a page shows nothing of the disk.
  for (const path of ["/../package.json", "/%2e%2e/package.json", "/cli.js/../../package.json", "/locales/%2e%2e/%2e%2e/package.json", "/tools.json", "/.env"]) assert.equal((await raw(address, path, { headers: { Host: new URL(address).host } })).status, 404, path);
  for (const path of ["//evil.example/", "*"]) assert.equal((await raw(address, path, { headers: { Host: new URL(address).host } })).status, 400, path);
  // What a page sends is of no use when the inbox runs anew; what it keeps is.
  const person = await home.person();
  await home.run(["stop"]);
  await home.inbox.ended;
  await home.start();
  const receipts = async (one) => (await fetch(`${home.address}/s/${one}/receipts`)).status;
  assert.deepEqual([await receipts(person.key), await receipts(await home.key(person.own))], [401, 200]);
  assert.equal(home.inbox.err, "");
});

test("a connection that sends no request is closed", async () => {
  const home = begin();
  const { port } = new URL(await home.start());
  const socket = connect(Number(port), "127.0.0.1");
  let isClosed = false;
  socket.on("error", () => undefined).resume().once("close", () => (isClosed = true));
  await until(() => isClosed, "the end of the connection");
});

test("another program that has the port of an inbox which has ended gets no token", async () => {
  const home = begin();
  await home.start();
  const running = home.read("running.json");
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  const heard = [];
  const { createServer } = await import("node:http");
  const other = createServer((request, response) => (heard.push(request.headers), response.end("{}")));
  await /** @type {Promise<void>} */ (new Promise((resolve) => other.listen(Number(new URL(running.address).port), "127.0.0.1", resolve)));
  try {
    // It is even said to run.
    writeFileSync(join(home.environment.ASK_USER_HOME, "running.json"), JSON.stringify({ ...running, pid: process.pid }));
    await home.start();
    assert.notEqual(home.address, running.address);
    assert.deepEqual(heard.map(({ authorization }) => authorization), [undefined]);
  } finally {
    other.close();
  }
});

test("the command of --notify runs for each question, and no word of an agent is read by the shell", async () => {
  const home = begin();
  const file = join(home.path, "notified");
  const script = join(home.path, "notify.mjs");
  writeFileSync(script, `import { appendFileSync } from "node:fs";
const { ASK_USER_QUESTION, ASK_USER_WHO, ASK_USER_FOLDER, ASK_USER_OPEN, ASK_USER_ADDRESS } = process.env;
appendFileSync(${JSON.stringify(file)}, JSON.stringify([ASK_USER_QUESTION, ASK_USER_WHO, ASK_USER_FOLDER, ASK_USER_OPEN, ASK_USER_ADDRESS]) + "\\n");`);
  const address = await home.start("--notify", `"${process.execPath}" "${script}"`);
  const text = '"; touch stolen; $(touch stolen) `touch stolen`';
  await home.program("POST", "/questions", { request: { questions: [{ id: "go", text, answer_type: "boolean" }] }, who: "x'; \u001b[2Jtouch \u009bstolen", folder: join(home.path, "shop") });
  const said = await until(() => existsSync(file) && readFileSync(file, "utf8"), "what the command wrote", (found) => String(found).endsWith("\n"));
  assert.deepEqual(JSON.parse(said), [text, "x'; [2Jtouch stolen", join("~", "shop"), "1", address]);
  assert.ok(!existsSync(join(home.path, "stolen")));
  assert.ok(!said.includes(home.read("tokens.json").page));
});

test("a command of --notify that fails is told, and the question stays", async () => {
  const home = begin();
  await home.start("--notify", "exit 3");
  await home.program("POST", "/questions", { request: GO });
  await until(() => home.inbox.err, "the failure", (said) => said.includes("--notify failed: it ended with the exit code 3"));
  assert.equal((await (await home.person()).open()).length, 1);
});

test("no more than 500 questions are open", async () => {
  const home = begin();
  await home.start();
  for (let begun = 0; begun < 500; begun += 50) {
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await home.program("POST", "/questions", { request: GO })).status));
    assert.ok(statuses.every((status) => status === 201));
  }
  const { status, body } = await home.program("POST", "/questions", { request: GO });
  assert.deepEqual([status, body.error], [429, "too_many"]);
  // That is no fault of the command.
  assert.equal((await home.run(["ask", "-"], { input: JSON.stringify(GO) })).code, 1);
});

test("a result that was printed is a success, and a question that was stored is waited for, whatever else of the inbox is killed meanwhile", async () => {
  const home = begin();
  const file = join(home.path, "request.json");
  writeFileSync(file, JSON.stringify(GO));
  const gone = () => Promise.reject(new TypeError("fetch failed"));
  const said = [];
  const client = { put: async () => undefined, address: gone, closed: async () => ({ state: "answered", result_text: '{"go":true}' }), drop: gone };
  const code = await asking({ client: /** @type {any} */ (client), file, options: {}, print: (text) => said.push(text), say: () => undefined });
  assert.deepEqual([code, said], [0, ['{"go":true}\n']]);
});

test("the command explains itself", async () => {
  const home = begin();
  for (const words of [["--help"], ["ask", "--help"]]) assert.match((await home.run(words)).out, /^Usage:/);
  for (const words of [["mvoe"], ["--prot", "1"], ["ask", "a", "b"], ["--port", "x"], ["stop", "now"], ["mcp", "--wait", "0"], ["ask", "-", "--expires", "0"]]) assert.equal((await home.run(words)).code, 2, words.join(" "));
  assert.ok(existsSync(COMMAND));
});
