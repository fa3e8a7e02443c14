// The `webhook` of a question: what is sent once the question is closed, how it is signed, when it is sent again, and that a kill of the inbox loses no call.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { afterEach, beforeEach, test } from "node:test";
import { Webhooks, pauseAfter, webhookOf } from "../../pkg/src/inbox/webhook.js";
import { freePort } from "./free-port.mjs";
import { Home } from "./inbox-app.mjs";
import { until } from "./wait.mjs";

const { default: Ajv2020 } = createRequire(new URL("../../pkg/package.json", import.meta.url))("ajv/dist/2020.js");

const GO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };

let home;
let receivers;
beforeEach(async () => {
  receivers = [];
  home = new Home();
  await home.start();
});
afterEach(async () => {
  for (const server of receivers) {
    server.closeAllConnections();
    server.close();
  }
  await home.end();
});

/** A server that notes what it gets, and answers with these statuses in turn, the last one always. */
async function receiver(statuses = [200], port = 0, headers = {}) {
  const calls = [];
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const piece of incoming.setEncoding("utf8")) body += piece;
    const status = statuses[Math.min(calls.length, statuses.length - 1)];
    calls.push({ method: incoming.method, url: incoming.url, headers: incoming.headers, body });
    outgoing.writeHead(status, headers).end("What a receiver says counts for nothing.");
  });
  receivers.push(server);
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  return { calls, address: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/answers?to=1`, comes: (count = 1) => until(() => calls, `${count} calls`, ({ length }) => length >= count) };
}

const put = async (webhook, more) => (await home.program("POST", "/questions", { request: GO, webhook, ...more })).body;
const answered = async (id, /** @type {object} */ value = { go: true }) => (await home.person()).answer(id, value);

/** Whether a call is signed with the secret of the inbox, by what the specification says. */
function isSigned({ headers, body }) {
  const key = Buffer.from(home.read("webhook.json").secret.slice("whsec_".length), "base64");
  const signed = createHmac("sha256", key).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`).digest("base64");
  assert.ok(Math.abs(Date.now() / 1_000 - Number(headers["webhook-timestamp"])) < 120);
  return headers["webhook-signature"] === `v1,${signed}`;
}

test("a webhook gets the result of its question once it is closed, signed, and says that the program has it", async () => {
  const { address, comes, calls } = await receiver();
  const owner = "an owner that nobody else can guess";
  const { id } = await put(address, { owner, request: { questions: [{ id: "n", text: "How many?", answer_type: "number" }] } });
  assert.equal(calls.length, 0);
  await answered(id, { n: 1234567890123456 });
  const [call] = await comes();
  assert.deepEqual([call.method, call.url, call.headers["content-type"], isSigned(call)], ["POST", "/answers?to=1", "application/json", true]);
  const { type, timestamp, data } = JSON.parse(call.body);
  assert.deepEqual([type, data.id, data.state, data.result], ["question.answered", id, "answered", { n: 1234567890123456 }]);
  assert.ok(call.body.includes('"result":{"n":1234567890123456}'), call.body);
  assert.match(timestamp, /^\d{4}-.*Z$/);
  const { components, webhooks } = await (await fetch(`${home.address}/openapi.json`)).json();
  const check = new Ajv2020({ strict: false, formats: { "date-time": true, uri: true } }).compile({ ...components.schemas.Closed, components });
  assert.ok(check(JSON.parse(call.body)), JSON.stringify(check.errors));
  assert.deepEqual(webhooks.closed.post.parameters.map(({ name }) => name).filter((name) => !call.headers[name]), []);
  const listed = async () => (await home.program("GET", `/questions?owner=${encodeURIComponent(owner)}`)).body.questions;
  await until(listed, "that it was taken", ({ length }) => length === 0);
  // The next inbox has nothing to call.
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await home.start();
  const other = await put(address);
  await answered(other.id);
  await comes(2);
  assert.deepEqual(calls.map(({ body }) => JSON.parse(body).data.id), [id, other.id]);
});

test("a webhook hears of every end, and of no secret", async () => {
  const { address, comes, calls } = await receiver();
  const secret = { questions: [{ id: "key", text: "Which key?", answer_type: "secret" }] };
  const [stopped, late, hidden] = [await put(address), await put(address, { expires_in: 0.2 }), await put(address, { request: secret })];
  const person = await home.person();
  await person.stop(stopped.id);
  await person.answer(hidden.id, { key: "correct horse" });
  await comes(3);
  const types = new Map(calls.map(({ body }) => [JSON.parse(body).data.id, JSON.parse(body).type]));
  assert.deepEqual([stopped, late, hidden].map(({ id }) => types.get(id)), ["question.turn_ended", "question.expired", "question.answered"]);
  assert.ok(calls.every(({ body }) => !body.includes("correct horse") && !body.includes("secrets")));
});

test("a webhook is called again until its status is 2xx: the same message, under the same id", async () => {
  const { address, comes, calls } = await receiver([500, 302, 204], 0, { Location: "/elsewhere" });
  const { id } = await put(address);
  await answered(id);
  const [first, second] = await comes(2);
  assert.deepEqual([first.body, first.headers["webhook-id"]], [second.body, second.headers["webhook-id"]]);
  assert.ok(isSigned(first) && isSigned(second));
  // A redirect is not followed.
  assert.ok(calls.every(({ url }) => url === "/answers?to=1"));
});

test("a webhook that the inbox could not reach is called by the next one, also after a kill", async () => {
  const port = await freePort();
  const { id } = await put(`http://127.0.0.1:${port}/answers?to=1`);
  const open = await put(`http://127.0.0.1:${port}/answers?to=1`);
  await answered(id);
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  const { comes } = await receiver([200], port);
  await home.start();
  const [call] = await comes();
  assert.deepEqual([JSON.parse(call.body).data.id, isSigned(call)], [id, true]);
  await answered(open.id);
  const [, next] = await comes(2);
  assert.equal(JSON.parse(next.body).data.id, open.id);
});

test("what the program has closed or taken is not called for, and the first webhook of a question counts", async () => {
  const [{ address, comes, calls }, other] = [await receiver(), await receiver()];
  const { id: closed } = await put(address);
  await home.program("DELETE", `/questions/${closed}`);
  const { id } = await put(address);
  assert.equal((await put(other.address, { id })).state, "open");
  await answered(id);
  await comes();
  assert.deepEqual([calls.map(({ body }) => JSON.parse(body).data.id), other.calls.length], [[id], 0]);
});

test("an address that cannot be a webhook is refused, and any of http and https is taken", async () => {
  for (const webhook of ["", "x", 7, null, {}, "ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://name:word@127.0.0.1/", "http://name@127.0.0.1/", "http://127.0.0.1/#x", `http://127.0.0.1/${"x".repeat(2_000)}`]) {
    const { status, body } = await home.program("POST", "/questions", { request: GO, webhook });
    assert.deepEqual([status, body.error], [422, "bad_request"], String(webhook));
  }
  for (const webhook of ["http://127.0.0.1:1/", "http://localhost/", "http://10.0.0.7/x", "http://[::1]:8080/", "https://agent.example/hook?a=1"]) assert.equal(webhookOf(webhook), webhook);
  assert.deepEqual(await (await home.person()).open(), []);
});

test("the pauses between calls grow, and a call that nobody takes ends after a day; 410 ends it at once", async () => {
  const { address, comes } = await receiver([500]);
  const begun = Date.now();
  let now = begun;
  const pauses = [];
  const ended = [];
  const said = [];
  let next;
  const options = (told) => ({ secret: () => `whsec_${Buffer.alloc(32).toString("base64")}`, told, done: async (...given) => void ended.push(given), onError: (error) => said.push(String(error)), now: () => now, later: (act, pause) => (pauses.push(pause), (next = act)) });
  const webhooks = new Webhooks(options(async () => '{"id":"q"}'));
  webhooks.call({ id: "q", webhook: address, how: "answered", closed: begun });
  webhooks.call({ id: "q", webhook: address, how: "answered", closed: begun });
  for (let count = 1; ended.length === 0; count += 1) {
    await comes(count);
    await until(() => next ?? ended.length, "what follows");
    now += pauses.at(-1) ?? 0;
    const act = next;
    next = undefined;
    act?.();
  }
  assert.deepEqual(pauses.slice(0, 8), [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 3_600_000]);
  assert.deepEqual([pauses.length, pauses.every((pause, place) => pause === pauseAfter(place + 1))], [6 + 23, true]);
  assert.deepEqual([ended, said.length], [[["q", false]], 1]);
  assert.match(said[0], /^ask-user: The webhook http:\/\/127\.0\.0\.1:\d+ has not taken the result of a question: its status is 500\. It is not called again\.$/);
  const gone = await receiver([410]);
  webhooks.call({ id: "g", webhook: gone.address, how: "answered", closed: now });
  await until(() => ended, "the end", ({ length }) => length === 2);
  assert.equal(gone.calls.length, 1);
  // What nobody wants any more is not sent.
  let isAsked = false;
  const other = new Webhooks(options(async () => void (isAsked = true)));
  other.call({ id: "n", webhook: gone.address, how: "answered", closed: now });
  await until(() => isAsked, "the question");
  assert.equal(gone.calls.length, 1);
  webhooks.close();
});
