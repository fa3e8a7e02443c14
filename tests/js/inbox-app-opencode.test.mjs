// `ask-user opencode`: what a server of opencode asks comes into the inbox, and nothing but an answer of the person goes back. The server here says what opencode 1.18.33 says; tests/packages/large/opencode.test.mjs has the real one.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { afterEach, beforeEach, test } from "node:test";
import { open } from "../../pkg/dist/core.node.js";
import { heard } from "../../pkg/src/inbox/heard.js";
import { replyOf, serverOf } from "../../pkg/src/inbox/opencode.js";
import { freePort } from "./free-port.mjs";
import { Home } from "./inbox-app.mjs";
import { becomes, until } from "./wait.mjs";

const SESSION = "ses_dd1b73430ffeDYE64QiUoffNvk";
const TOOL = { messageID: "msg_22e48d9570013pmKjV0TswwZl6", callID: "call_ld8zoqg98i" };
const PERMISSION = { id: "per_22e48e4390014kvFG2vjJvM8gL", sessionID: SESSION, permission: "bash", patterns: ["echo hi there"], metadata: { command: "echo hi there" }, always: ["echo *"], tool: TOOL };
const QUESTION = { id: "que_22e49256300142N20bw4kY53FV", sessionID: SESSION, questions: [{ question: "Which colour?", header: "Colour", options: [{ label: "Red", description: "Warm" }, { label: "Blue", description: "Cold" }] }], tool: TOOL };
const NEW_PERMISSION = { id: "per_22e4bddb6001i6BCaUOZg3SFQC", sessionID: "ses_dd1b42b01ffejW4uUFhF73Ptmh", action: "bash", resources: ["echo v2"], save: ["echo v2"], source: { type: "tool", ...TOOL } };
const NEW_QUESTION = { ...QUESTION, id: "que_22e4c4e510013g3APGQt5hqw4g", sessionID: "ses_dd1b3b775ffecZ7K4JmANvIKGJ" };
const FOLDER = "/work/shop";
const { decision: _, ...GRANT } = /** @type {any} */ (open(PERMISSION, { dialect: "opencode" }).step).question.grants.find(({ scope }) => scope === "session");

/** The lists of requests, by the event that asks. */
const LISTS = { "/permission": "permission.asked", "/question": "question.asked", "/api/permission/request": "permission.v2.asked", "/api/question/request": "question.v2.asked" };

/** What a server of opencode does. Its requests wait in the folder in which they were asked. */
class Opencode {
  port;
  /** The requests that wait: `{ event, folder, request }`. */
  waits = [];
  /** What was sent to it, as method, address and body. */
  got = [];
  /** What it was asked for. */
  asked = [];
  /** The streams that are open. */
  streams = new Set();
  /** What it answers to a reply, in place of what opencode does: the next of these. */
  fails = [];
  password;
  busy = new Set([SESSION]);
  #server;

  async start() {
    this.port ??= await freePort();
    this.#server = createServer((request, response) => this.#answer(request, response));
    await new Promise((resolve) => this.#server.listen(this.port, "127.0.0.1", resolve));
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.streams.clear();
  }

  /** Sends an event to whoever listens. */
  event(type, properties, folder = FOLDER) {
    this.write(`data: ${JSON.stringify({ directory: folder, project: "global", payload: { id: "evt_22e48e43b001B1fhB4Qnv90J3U", type, properties } })}\n\n`);
  }

  write(text) {
    for (const stream of this.streams) stream.write(text);
  }

  ask(event, request, folder = FOLDER) {
    this.waits.push({ event, folder, request });
    this.event(event, request, folder);
  }

  /** A request has an answer. */
  ends({ event, folder, request: { id, sessionID } }, how) {
    this.waits = this.waits.filter(({ request }) => request.id !== id);
    this.event(event.replace("asked", how), { sessionID, requestID: id, ...(how === "replied" && (event.startsWith("p") ? { reply: "once" } : { answers: [] })) }, folder);
  }

  async #answer(request, response) {
    let body = "";
    for await (const piece of request) body += piece;
    const { pathname, searchParams } = new URL(request.url, this.url);
    const json = (status, value) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    if (this.password && request.headers.authorization !== `Basic ${Buffer.from(`opencode:${this.password}`).toString("base64")}`) return response.writeHead(401, { "WWW-Authenticate": 'Basic realm="Secure Area"' }).end();
    if (request.method === "GET") {
      const folder = searchParams.get("directory") ?? searchParams.get("location[directory]") ?? FOLDER;
      this.asked.push(pathname);
      if (pathname === "/global/event") {
        response.writeHead(200, { "Content-Type": "text/event-stream" }).write('data: {"payload":{"id":"evt_1","type":"server.connected","properties":{}}}\n\n');
        this.streams.add(response);
        return response.once("close", () => this.streams.delete(response));
      }
      if (pathname === "/path") return json(200, { home: "/home/ada", worktree: "/", directory: FOLDER });
      if (pathname === "/session/status") return json(200, Object.fromEntries([...this.busy].map((id) => [id, { type: "busy" }])));
      const list = this.waits.filter((one) => one.event === LISTS[pathname] && one.folder === folder).map(({ request }) => request);
      return json(200, pathname.startsWith("/api") ? { location: { directory: folder, project: { id: "global", directory: "/" } }, data: list } : list);
    }
    this.got.push([pathname, searchParams.get("directory"), body && JSON.parse(body)]);
    const fail = this.fails.shift();
    if (fail === "cut") return request.socket.destroy();
    if (fail) return json(fail, { name: "BadRequest" });
    const id = pathname.split("/").at(-2);
    const waits = this.waits.find((one) => one.request.id === id && (pathname.startsWith("/api") || one.folder === searchParams.get("directory")));
    if (!waits) return json(404, { _tag: "PermissionNotFoundError", requestID: id, message: `Permission request not found: ${id}` });
    if (pathname.startsWith("/api")) response.writeHead(204).end();
    else json(200, true);
    this.ends(waits, pathname.endsWith("/reject") ? "rejected" : "replied");
  }
}

let home, opencode, person;
beforeEach(async () => {
  home = new Home({ OPENCODE_SERVER_PASSWORD: "", OPENCODE_SERVER_USERNAME: "" });
  opencode = await new Opencode().start();
  await home.start();
  person = await home.person();
});
afterEach(async () => {
  await home.end();
  await opencode.stop();
});

/** Begins the command, and waits until it has looked at everything. */
async function begin(words = [], environment = {}) {
  opencode.asked = [];
  const door = home.begin(["opencode", "--server", opencode.url, ...words], { environment });
  await connected(door);
  return door;
}
const connected = (door) => until(() => door.err + opencode.asked, "the connection", () => opencode.streams.size === 1 && opencode.asked.includes("/session/status") && door.err.includes("is connected"));
const gets = (...all) => becomes(() => opencode.got, all);

test("a permission is given, given for the session, or refused, as opencode expects it", async () => {
  const door = await begin();
  for (const [answer, body] of /** @type {any[][]} */ ([
    [{ type: "approve" }, { reply: "once" }],
    [{ type: "approve", grant: GRANT }, { reply: "always" }],
    [{ type: "reject" }, { reply: "reject" }],
    [{ type: "reject", message: "After lunch, please" }, { reply: "reject", message: "After lunch, please" }],
    [undefined, { reply: "reject" }],
  ])) {
    opencode.got = [];
    const request = { ...PERMISSION, id: `per_${JSON.stringify(answer)?.length ?? 0}` };
    opencode.ask("permission.asked", request);
    const [{ id, who, folder, text }] = await person.sees(1);
    assert.deepEqual([who, folder, text], ["opencode", FOLDER, "Allow bash?"]);
    assert.equal((answer ? await person.answer(id, { q1: answer }) : await person.stop(id)).status, 200);
    await gets([`/permission/${request.id}/reply`, FOLDER, body]);
    await person.sees(0);
  }
  door.process.kill("SIGTERM");
  assert.deepEqual([await door.ended, door.out, door.err.split("\n").length], [0, "", 2]);
});

test("a question is answered by position, and rejected where the person ends the turn", async () => {
  await begin();
  opencode.ask("question.asked", QUESTION);
  const [{ id, text }] = await person.sees(1);
  assert.equal(text, "Which colour?");
  assert.equal((await person.answer(id, { q1: "Blue" })).status, 200);
  await gets([`/question/${QUESTION.id}/reply`, FOLDER, { answers: [["Blue"]] }]);
  opencode.ask("question.asked", { ...QUESTION, id: "que_2" });
  await person.stop((await person.sees(1))[0].id);
  await becomes(() => opencode.got.at(-1), ["/question/que_2/reject", FOLDER, ""]);
});

test("opencode's second version is asked and answered at its own addresses", async () => {
  opencode.waits.push({ event: "question.v2.asked", folder: FOLDER, request: NEW_QUESTION });
  await begin();
  await person.answer((await person.sees(1))[0].id, { q1: "Red" });
  await gets([`/api/session/${NEW_QUESTION.sessionID}/question/${NEW_QUESTION.id}/reply`, null, { answers: [["Red"]] }]);
  opencode.ask("permission.v2.asked", NEW_PERMISSION);
  await person.answer((await person.sees(1))[0].id, { q1: { type: "approve" } });
  await becomes(() => opencode.got.at(-1), [`/api/session/${NEW_PERMISSION.sessionID}/permission/${NEW_PERMISSION.id}/reply`, null, { reply: "once" }]);
  // A turn that is interrupted takes its request with it, without an event of its own.
  for (const id of ["per_1", "per_2"]) opencode.ask("permission.v2.asked", { ...NEW_PERMISSION, id });
  await person.sees(2);
  opencode.waits = opencode.waits.filter(({ request }) => request.id === "per_2");
  opencode.event("session.next.tool.failed", { sessionID: NEW_PERMISSION.sessionID });
  await person.sees(1);
});

test("what waits already comes once, by the list and by its event, and again under the same id", async () => {
  opencode.waits.push({ event: "permission.asked", folder: FOLDER, request: PERMISSION });
  // Nothing waits for this one: its turn was interrupted.
  opencode.waits.push({ event: "question.asked", folder: FOLDER, request: { ...QUESTION, sessionID: "ses_2" } });
  let door = await begin();
  const [{ id }] = await person.sees(1);
  opencode.event("permission.asked", PERMISSION);
  opencode.write(`: a comment\r\nevent: x\r\ndata: no JSON\r\n\r\ndata: {"payload":7}\n\ndata: ${" ".repeat(9_000_000)}\n\n`);
  opencode.ask("permission.asked", { ...PERMISSION, id: "per_2" });
  const both = await person.sees(2);
  assert.equal(both[0].id, id);
  door.process.kill("SIGTERM");
  assert.equal(await door.ended, 0);
  assert.match(door.err, /2 requests of opencode stay in the inbox/);
  // One is answered while the command is away, and opencode has an answer to the other one.
  await person.answer(id, { q1: { type: "approve" } });
  opencode.waits = opencode.waits.filter(({ request }) => request.id !== "per_2");
  assert.deepEqual(opencode.got, []);
  door = await begin();
  await gets([`/permission/${PERMISSION.id}/reply`, FOLDER, { reply: "once" }]);
  await person.sees(0);
  assert.equal((await person.receipts()).found, 2);
});

test("what opencode has an answer to leaves the inbox", async () => {
  const door = await begin();
  for (const end of [
    (one) => opencode.ends(one, "replied"), (one) => opencode.ends(one, "rejected"),
    ({ request }) => opencode.event("session.idle", { sessionID: request.sessionID }), ({ request }) => opencode.event("session.status", { sessionID: request.sessionID, status: { type: "idle" } }),
    ({ request }) => opencode.event("session.deleted", { sessionID: request.sessionID, info: { id: request.sessionID } }), () => opencode.event("server.instance.disposed", { directory: FOLDER }), () => opencode.event("global.disposed", {}, "global"),
  ]) {
    opencode.ask("permission.asked", { ...PERMISSION, id: `per_${opencode.waits.length}${Math.random().toString(36).slice(2)}` });
    await person.sees(1);
    end(opencode.waits.at(-1));
    await person.sees(0);
  }
  assert.deepEqual([opencode.got, door.err.split("\n").length], [[], 2]);
});

test("a question that ends without an answer sends nothing, and opencode goes on asking", async () => {
  const door = await begin(["--wait", "1"]);
  opencode.ask("permission.asked", PERMISSION);
  await person.sees(1);
  await person.sees(0);
  opencode.ask("question.asked", QUESTION);
  const [{ id }] = await person.sees(1);
  await home.program("DELETE", `/questions/${id}`);
  await person.sees(0);
  // The event comes once more, and the command is started anew.
  opencode.event("permission.asked", PERMISSION);
  door.process.kill("SIGKILL");
  await door.ended;
  await begin();
  opencode.ask("permission.asked", { ...PERMISSION, id: "per_2" });
  assert.notEqual((await person.sees(1))[0].id, id);
  assert.deepEqual(opencode.got, []);
});

test("an answer that opencode refuses is told and not repeated; one that is lost on its way is sent again", async () => {
  const door = await begin();
  opencode.ask("permission.asked", PERMISSION);
  opencode.fails = ["cut", 503];
  await person.answer((await person.sees(1))[0].id, { q1: { type: "approve" } });
  await becomes(() => opencode.got.length, 3);
  await becomes(() => opencode.waits, []);
  for (const [fail, said] of /** @type {any[][]} */ ([[404, /has not taken the answer to per_404: it had one already/], [400, /has not taken the answer to per_400: its status is 400/]])) {
    opencode.got = [];
    opencode.fails = [fail];
    opencode.ask("permission.asked", { ...PERMISSION, id: `per_${fail}` });
    await person.answer((await person.sees(1))[0].id, { q1: { type: "approve" } });
    await until(() => door.err, "the message", (err) => said.test(err));
    opencode.event("permission.asked", { ...PERMISSION, id: `per_${fail}` });
    opencode.ask("permission.asked", { ...PERMISSION, id: `per_after_${fail}` });
    const [{ id }] = await person.sees(1);
    await person.answer(id, { q1: { type: "reject" } });
    await becomes(() => opencode.got.map(([path]) => path), [`/permission/per_${fail}/reply`, `/permission/per_after_${fail}/reply`]);
  }
});

test("an answer is not sent when opencode has one by then", async () => {
  const door = await begin();
  opencode.ask("permission.asked", PERMISSION);
  opencode.fails = Array(1_000).fill("cut");
  await person.answer((await person.sees(1))[0].id, { q1: { type: "approve" } });
  await until(() => opencode.got.length, "a try");
  opencode.ends(opencode.waits[0], "replied");
  await until(() => door.err, "the message", (err) => err.includes(`opencode does not wait for the answer to ${PERMISSION.id} any more.`));
});

test("opencode is started anew: the command finds it again, and what nobody waits for leaves the inbox", async () => {
  await opencode.stop();
  const door = home.begin(["opencode", "--server", opencode.url]);
  await until(() => door.err, "the message", (err) => /cannot be reached: ECONNREFUSED/.test(err));
  await opencode.start();
  await connected(door);
  opencode.ask("permission.asked", PERMISSION);
  opencode.ask("question.asked", QUESTION, "/work/other");
  await person.sees(2);
  await opencode.stop();
  await until(() => door.err.match(/cannot be reached/g)?.length, "the message", (count) => count === 2);
  opencode.waits = opencode.waits.filter(({ folder }) => folder !== FOLDER);
  opencode.asked = [];
  await opencode.start();
  const [{ id, folder }] = await person.sees(1);
  assert.equal(folder, "/work/other");
  await person.answer(id, { q1: "Red" });
  await gets([`/question/${QUESTION.id}/reply`, "/work/other", { answers: [["Red"]] }]);
  const told = /^.*cannot be reached.*\n.*is connected.*\n.*cannot be reached.*\n.*is connected.*\n$/;
  await until(() => door.err, "the messages", (err) => told.test(err));
});

test("what waits in another folder comes as soon as something happens there", async () => {
  opencode.waits.push({ event: "permission.asked", folder: "/work/other", request: PERMISSION });
  await begin();
  assert.deepEqual(await person.open(), []);
  opencode.event("session.updated", { sessionID: SESSION }, "/work/other");
  assert.equal((await person.sees(1))[0].folder, "/work/other");
});

test("a request with a number that JavaScript rounds, and what the inbox cannot show, stays with opencode", async () => {
  const door = await begin();
  const long = JSON.stringify({ directory: FOLDER, payload: { id: "evt_1", type: "permission.asked", properties: { ...PERMISSION, metadata: { n: 0 } } } });
  for (const number of ["12345678901234567890", "10000000000000000000001", "0.1000000000000000001"]) {
    const id = `per_${number.length}`;
    opencode.write(`data: ${long.replace('"n":0', `"n":${number}`).replace(PERMISSION.id, id)}\n\n`);
    await until(() => door.err, "the message", (err) => err.includes(`${id} has a number with more than 15 digits. Only opencode asks it.`));
  }
  opencode.ask("question.asked", { ...QUESTION, questions: [] });
  await until(() => door.err, "the message", (err) => err.includes(`${QUESTION.id} is not in the inbox: `));
  for (const request of [null, 7, {}, { ...PERMISSION, id: "../x" }, { ...PERMISSION, id: "per_x", sessionID: 7 }]) opencode.event("permission.asked", request);
  opencode.ask("permission.asked", PERMISSION);
  await person.sees(1);
  assert.deepEqual(opencode.got, []);
});

test("the inbox is stopped and started again: its questions go on, and what opencode has answered meanwhile is gone", async () => {
  const door = await begin();
  opencode.ask("permission.asked", PERMISSION);
  opencode.ask("question.asked", QUESTION);
  await person.sees(2);
  assert.equal((await home.run(["stop"])).code, 0);
  await until(() => door.err, "the message", (err) => err.includes("The inbox was stopped."));
  opencode.ends(opencode.waits[1], "replied");
  await home.start();
  person = await home.person();
  await person.sees(1);
  await person.answer((await person.open())[0].id, { q1: { type: "approve" } });
  await gets([`/permission/${PERMISSION.id}/reply`, FOLDER, { reply: "once" }]);
});

test("a server with a password is asked with it, and one that refuses it ends the command", async () => {
  opencode.password = "secret";
  await begin([], { OPENCODE_SERVER_PASSWORD: "secret" });
  opencode.ask("permission.asked", PERMISSION);
  await person.answer((await person.sees(1))[0].id, { q1: { type: "approve" } });
  await gets([`/permission/${PERMISSION.id}/reply`, FOLDER, { reply: "once" }]);
  const wrong = await home.run(["opencode", "--server", opencode.url]);
  assert.deepEqual([wrong.code, wrong.out], [1, ""]);
  assert.match(wrong.err, /Set OPENCODE_SERVER_PASSWORD/);
  for (const words of [["x"], ["--server", "ftp://x"], ["--server", "http://ada:secret@127.0.0.1:4096"], ["--wait", "0"]]) assert.equal((await home.run(["opencode", ...words])).code, 2, words.join(" "));
});

test("nothing but an answer of the person is a reply", () => {
  const permission = { isPermission: true };
  const question = { isPermission: false };
  const once = '{"reply":"once"}';
  for (const state of /** @type {any[]} */ (["open", "closed", "expired", "failed", undefined, "constructor"])) {
    for (const kind of [permission, question]) for (const result_text of [once, '{"reply":"reject"}', '{"answers":[["Red"]]}', '{"rejected":true}', undefined]) assert.equal(replyOf(kind, { state, result_text }), undefined, state);
  }
  for (const result_text of ["null", "{}", '{"reply":"yes"}', '{"answers":[["Red"]]}', undefined]) assert.equal(replyOf(permission, { state: "answered", result_text }), undefined, result_text);
  for (const result_text of ["null", "{}", once, '{"answers":"Red"}', undefined]) assert.equal(replyOf(question, { state: "answered", result_text }), undefined, result_text);
  for (const state of /** @type {const} */ (["replied", "declined", "turn_ended"])) {
    assert.deepEqual(replyOf(permission, { state, result_text: once }), { verb: "reply", body: '{"reply":"reject"}' });
    assert.deepEqual(replyOf(question, { state, result_text: '{"answers":[["Red"]]}' }), { verb: "reject" });
  }
  assert.deepEqual(replyOf(permission, { state: "replied", result_text: '{"reply":"reject","message":"No"}' }), { verb: "reply", body: '{"reply":"reject","message":"No"}' });
});

test("an event stream is read however it is cut, and what is too large in it is left out", async () => {
  const text = `: open\ndata: one\n\ndata:two\r\ndata: Zwölf\r\n\r\nid: 7\ndata: ${"x".repeat(40)}\n\ndata: ${"y".repeat(12)}\ndata: ${"y".repeat(12)}\n\ndata\n\nretry: ${"z".repeat(40)}\n\ndata: last\n\ndata: cut`;
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const stream = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const all = [];
    for await (const one of heard(stream(), 20)) all.push(one);
    assert.deepEqual(all, ["one", "two\nZwölf", "last"]);
  }
  assert.deepEqual([serverOf("http://127.0.0.1:4096/"), serverOf("https://home.example/opencode/"), serverOf("x"), serverOf("http://a:b@c"), serverOf("http://c/?x")], ["http://127.0.0.1:4096", "https://home.example/opencode", undefined, undefined, undefined]);
});
