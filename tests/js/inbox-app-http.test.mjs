// The address /mcp of the inbox, with the client of the protocol's own library: the tools, connections that are cut while a call waits, sessions, and who is refused.
import assert from "node:assert/strict";
import { request as ask } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, test } from "node:test";
import { events } from "../../pkg/src/inbox/exchange.js";
import { Home } from "./inbox-app.mjs";
import { becomes, until } from "./wait.mjs";

const from = createRequire(new URL("../../examples/package.json", import.meta.url));
const { Client } = from("@modelcontextprotocol/sdk/client/index.js");
const { CallToolResultSchema, ElicitRequestSchema } = from("@modelcontextprotocol/sdk/types.js");
const { StreamableHTTPClientTransport } = from("@modelcontextprotocol/sdk/client/streamableHttp.js");

const GO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };
const NONE = { answers: [], open: [] };
const VERSION = "2025-11-25";

let home;
let clients;
beforeEach(async () => {
  home = new Home();
  clients = [];
  await home.start();
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await home.end();
});

const token = () => home.read("tokens.json").ask;

/** A client that has begun a session, and its transport. `fetch` stands in for that of Node. */
async function meet(/** @type {{ name?: any, query?: any, fetch?: any, elicit?: any }} */ { name = "claude-code", query = "?folder=/work/shop", fetch, elicit } = {}) {
  const client = new Client({ name, version: "1.0.0" }, { capabilities: elicit ? { elicitation: {} } : {} });
  clients.push(client);
  if (elicit) client.setRequestHandler(ElicitRequestSchema, elicit);
  const transport = new StreamableHTTPClientTransport(new URL(`${home.address}/mcp${query}`), { fetch, requestInit: { headers: { Authorization: `Bearer ${token()}` } } });
  client.onerror = () => undefined;
  await client.connect(transport);
  return client;
}

const call = (client, name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options);
const valueOf = ({ content }) => JSON.parse(content.map(({ text }) => text).join("\n"));

/** A request of which every header is said: `{ status, headers, text }`. */
const raw = (method, path, /** @type {{ headers?: any, body?: any }} */ { headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(home.address);
    const given = { Host: host, Authorization: `Bearer ${token()}`, ...(body !== undefined && { "Content-Type": "application/json" }), Accept: "application/json, text/event-stream", ...headers };
    const sent = ask({ hostname, port, path, method, headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece)).on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on("error", reject).end(typeof body === "string" ? body : body && JSON.stringify(body));
  });

const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: "raw", version: "1" } } };
const asks = (id, args = GO) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "ask_user", arguments: args } });

/** A session of one's own: what sends messages to it. */
async function session(query = "") {
  const { headers, status } = await raw("POST", `/mcp${query}`, { body: INITIALIZE });
  assert.equal(status, 200);
  const own = { "Mcp-Session-Id": headers["mcp-session-id"], "MCP-Protocol-Version": VERSION };
  return { own, post: (body, more) => raw("POST", "/mcp", { body, headers: { ...own, ...more } }) };
}

/** A connection whose events are read as they come: `text`, and `cut()`. */
function stream(method, headers, body) {
  const { hostname, port } = new URL(home.address);
  const one = { text: "", isClosed: false };
  const sent = ask({ hostname, port, path: "/mcp", method, headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers } }, (response) => {
    one.status = response.statusCode;
    response.setEncoding("utf8").on("data", (piece) => (one.text += piece)).on("error", () => undefined).once("close", () => (one.isClosed = true));
  });
  sent.on("error", () => undefined).end(body && JSON.stringify(body));
  one.cut = () => sent.destroy();
  one.events = () => one.text.split("\n\n").flatMap((event) => /^data: (.+)$/m.exec(event)?.[1] ?? []).map((text) => JSON.parse(text));
  one.last = () => [...one.text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1];
  return one;
}

test("the tools are those of `ask-user mcp`, and the address says which definition, folder and wait a client has", async () => {
  const client = await meet();
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ["ask_user", "confirm_action", "answers"]);
  const size = ({ tools: [{ inputSchema }] }) => JSON.stringify(inputSchema).length;
  assert.ok(size({ tools }) > 2 * size(await (await meet({ query: "?simple" })).listTools()));
  assert.match(client.getInstructions(), /ask_user/);
  await client.ping();
  await assert.rejects(call(client, "none"), /There is no tool none/);
  const { state, id } = valueOf(await call(await meet({ query: "?folder=/work/shop&wait=1" }), "ask_user", GO));
  assert.equal(state, "open");
  const person = await home.person();
  const [one] = await person.sees(1);
  assert.deepEqual([one.id, one.who, one.folder], [id, "Claude Code", "/work/shop"]);
  for (const query of /** @type {any[]} */ (["?folder=", "?wait=0", "?wait=x", "?simple=no", "?more=1", `?folder=${"x".repeat(1_001)}`])) assert.equal((await raw("POST", `/mcp${query}`, { body: INITIALIZE })).status, 422, query);
});

test("over HTTP, a call waits with progress, and gives the agent's result with every digit", async () => {
  const client = await meet();
  const progress = [];
  const waiting = call(client, "ask_user", { questions: [{ id: "n", text: "How many?", answer_type: "number" }] }, { onprogress: (told) => progress.push(told) });
  await until(() => progress, "progress", ({ length }) => length > 0);
  assert.match(progress[0].message, new RegExp(`waits in the inbox at ${home.address}`));
  const person = await home.person();
  const [{ id }] = await person.sees(1);
  await person.answer(id, { n: 1234567890123456 });
  assert.equal((await waiting).content[0].text, '{"n":1234567890123456}');
  assert.deepEqual(valueOf(await call(client, "answers")), NONE);
});

test("over HTTP, a cancelled call closes its question, and one that has run out of time does not", async () => {
  const client = await meet();
  const person = await home.person();
  const stop = new AbortController();
  const waiting = call(client, "confirm_action", { action: "Delete it?" }, { signal: stop.signal });
  await person.sees(1);
  stop.abort("The person has pressed Escape.");
  await assert.rejects(waiting);
  await person.sees(0);
  await assert.rejects(call(client, "ask_user", GO, { timeout: 500 }), /timed out/);
  const [{ id }] = await person.sees(1);
  await person.answer(id, { go: false });
  await becomes(async () => valueOf(await call(client, "answers")).answers, [{ id, question: "Go on?", state: "answered", result: { go: false } }]);
  assert.deepEqual(valueOf(await call(client, "answers")), NONE);
});

test("a connection that is cut while a call waits loses no answer: the client takes its stream up again", async () => {
  let cut;
  // The connection of the first call is cut after its first event.
  const cutting = async (url, init) => {
    const response = await fetch(url, init);
    if (cut || !/tools\/call/.test(init?.body ?? "")) return response;
    const reader = response.body.getReader();
    const first = await reader.read();
    return new Response(new ReadableStream({
      start(controller) {
        controller.enqueue(first.value);
        cut = () => (controller.error(new Error("cut")), reader.cancel());
      },
    }), { status: response.status, headers: response.headers });
  };
  const client = await meet({ fetch: cutting });
  const waiting = call(client, "ask_user", GO);
  const person = await home.person();
  const [{ id }] = await person.sees(1);
  await until(() => cut, "the first event");
  cut();
  await person.answer(id, { go: true });
  assert.deepEqual(valueOf(await waiting), { go: true });
  // It was received, so it is not given again.
  await becomes(async () => valueOf(await call(client, "answers")), NONE);
});

test("an answer that nobody has received is given by its stream, again until the client says that it has it, and by `answers`", async () => {
  const { own, post } = await session();
  const person = await home.person();
  const first = stream("POST", own, asks(1));
  const [{ id }] = await person.sees(1);
  await until(() => first.last(), "the first event");
  assert.deepEqual([first.status, first.last(), /^retry: 1000$/m.test(first.text)], [200, "1.0", true]);
  first.cut();
  await until(() => first.isClosed, "the end of the connection");
  await person.answer(id, { go: true });
  await person.sees(0);
  const given = async () => JSON.parse(JSON.parse((await post({ jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "answers" } }, { Accept: "application/json" })).text).result.content[0].text);
  // Nobody has said that it was taken.
  assert.deepEqual((await home.program("GET", `/questions/${id}`)).body.state, "answered");
  const again = stream("GET", { ...own, "Last-Event-ID": "1.0" });
  await until(() => again.isClosed, "the end of the stream");
  assert.deepEqual(again.events().map(({ id, result }) => [id, result.content[0].text]), [[1, '{"go":true}']]);
  // What was written to a connection may not have come through it.
  const third = stream("GET", { ...own, "Last-Event-ID": "1.0" });
  await until(() => third.isClosed, "the end of the stream");
  assert.equal(third.events().length, 1);
  await becomes(given, NONE);
  const unknown = await raw("GET", "/mcp", { headers: { ...own, "Last-Event-ID": "7.1" } });
  assert.deepEqual([unknown.status, JSON.parse(unknown.text).error], [400, "no_stream"]);
  // One whose stream is not taken up again.
  const other = stream("POST", own, asks(2, { questions: [{ id: "n", text: "How many?", answer_type: "number" }] }));
  const [second] = await person.sees(1);
  await until(() => other.last(), "the first event");
  other.cut();
  await until(() => other.isClosed, "the end of the connection");
  await person.answer(second.id, { n: 1234567890123456 });
  const text = await until(async () => (await post({ jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "answers" } }, { Accept: "application/json" })).text, "the answer", (said) => said.includes(second.id));
  assert.ok(text.includes('\\"result\\":{\\"n\\":1234567890123456}'), text);
});

test("over HTTP, a client that comes back finds its questions, and no other client does while it is connected", async () => {
  const [one, other] = [await meet(), await meet()];
  call(one, "ask_user", GO).catch(() => undefined);
  const person = await home.person();
  const [{ id }] = await person.sees(1);
  assert.deepEqual(valueOf(await call(other, "answers")), NONE);
  // It goes without a word.
  await one.close();
  await until(async () => valueOf(await call(other, "answers")).open, "the question", ({ length }) => length === 1);
  for (const more of [{ name: "codex" }, { query: "?folder=/work/other" }, { query: "" }]) assert.deepEqual(valueOf(await call(await meet(more), "answers")), NONE);
  // The inbox is killed, and so are its sessions.
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await home.start();
  await assert.rejects(call(other, "answers"));
  await (await home.person()).answer(id, { go: true });
  const [answer] = await until(async () => valueOf(await call(await meet(), "answers")).answers, "the answer", ({ length }) => length === 1);
  assert.deepEqual([answer.id, answer.result], [id, { go: true }]);
});

test("a session ends when its client says so, and its questions stay open", async () => {
  const client = await meet();
  const { transport } = client;
  call(client, "ask_user", GO).catch(() => undefined);
  const person = await home.person();
  await person.sees(1);
  const own = { "Mcp-Session-Id": transport.sessionId, "MCP-Protocol-Version": VERSION };
  await transport.terminateSession();
  for (const [method, body] of /** @type {any[][]} */ ([["POST", asks(2)], ["GET"], ["DELETE"]])) assert.equal((await raw(method, "/mcp", { body, headers: own })).status, 404, method);
  assert.equal((await person.open()).length, 1);
  assert.equal(valueOf(await call(await meet(), "answers")).open.length, 1);
});

test("a client that takes no events gets its answers as JSON, and messages can come as a list", async () => {
  const { post } = await session();
  const person = await home.person();
  const waiting = post(asks("a"), { Accept: "application/json" });
  const [{ id }] = await person.sees(1);
  await person.answer(id, { go: true });
  const { status, headers, text } = await waiting;
  assert.deepEqual([status, headers["content-type"], JSON.parse(text).id, JSON.parse(text).result.content[0].text], [200, "application/json", "a", '{"go":true}']);
  const pings = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
  assert.deepEqual(JSON.parse((await post([...pings, { jsonrpc: "2.0", method: "notifications/initialized" }])).text), pings.map(({ id }) => ({ jsonrpc: "2.0", id, result: {} })));
  assert.equal((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status, 202);
  // A cancelled request has no response.
  const cancelled = post(asks("b"), { Accept: "application/json" });
  await person.sees(1);
  await post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "b", reason: "Escape" } });
  assert.equal((await cancelled).status, 204);
  await person.sees(0);
});

test("over HTTP, a task waits, and a client that can ask the person is asked to", async () => {
  const client = await meet({ query: "?elicit", elicit: () => ({ action: "accept", content: { go: true } }) });
  assert.deepEqual(valueOf(await call(client, "ask_user", GO)), { go: true });
  const heard = client.experimental.tasks.callToolStream({ name: "ask_user", arguments: GO }, undefined, { task: {} });
  const { value: { task } } = await heard.next();
  const person = await home.person();
  assert.deepEqual((await person.sees(1)).map(({ id }) => id), [task.taskId]);
  const result = client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
  await person.answer(task.taskId, { go: false });
  assert.deepEqual(valueOf(await result), { go: false });
  assert.deepEqual(valueOf(await call(client, "answers")), NONE);
});

test("what is no request of the protocol is refused", async () => {
  const { own, post } = await session();
  const unnamed = { "MCP-Protocol-Version": VERSION };
  for (const [name, status, sent] of /** @type {any[][]} */ ([
    ["no JSON", 400, post("no JSON")], ["a number", 400, post("7")], ["an empty list", 400, post([])], ["no version", 400, post({ id: 1, method: "ping" })], ["an id that is none", 400, post({ jsonrpc: "2.0", id: {}, method: "ping" })],
    ["too many messages", 400, post(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })))], ["a second beginning", 400, post(INITIALIZE)], ["a beginning in a list", 400, raw("POST", "/mcp", { body: [INITIALIZE, INITIALIZE] })],
    ["another type", 415, post("{}", { "Content-Type": "text/plain" })], ["another answer", 406, post(asks(1), { Accept: "text/html" })], ["a stream of another type", 406, raw("GET", "/mcp", { headers: { ...own, Accept: "application/json" } })],
    ["an unknown version", 400, post(asks(1), { "MCP-Protocol-Version": "1999-01-01" })], ["no session", 400, raw("POST", "/mcp", { body: asks(1), headers: unnamed })], ["an unknown session", 404, post(asks(1), { "Mcp-Session-Id": "0".repeat(32) })],
    ["another method", 405, raw("PUT", "/mcp", { headers: own, body: {} })], ["another address", 404, raw("GET", "/mcp/x", { headers: own })], ["too large", 413, post(`"${"x".repeat(8 * 1024 * 1024)}"`)],
  ])) {
    assert.equal((await sent).status, status, name);
  }
  assert.deepEqual(await (await home.person()).open(), []);
  assert.equal(home.inbox.err, "");
});

test("/mcp refuses other hosts, pages of other origins, and who does not have the token, and asks nothing", async () => {
  const { own } = await session();
  const { page } = home.read("tokens.json");
  const { port } = new URL(home.address);
  for (const [wrong, status] of [
    [{ Host: "evil.example" }, 403], [{ Host: `evil.example:${port}` }, 403], [{ Host: `localhost:${port}` }, 403], [{ Origin: "http://evil.example" }, 403], [{ Origin: "null" }, 403], [{ Origin: `https://127.0.0.1:${port}` }, 403],
    [{ Authorization: undefined }, 401], [{ Authorization: "Bearer " }, 401], [{ Authorization: `Bearer ${page}` }, 401], [{ Authorization: `Bearer ${token()}0` }, 401], [{ Authorization: token() }, 401],
  ]) {
    for (const [method, body] of /** @type {any[][]} */ ([["POST", INITIALIZE], ["POST", asks(1)], ["GET"], ["DELETE"]])) {
      const { status: found, headers } = await raw(method, "/mcp", { body, headers: { ...own, .../** @type {any} */ (wrong) } });
      assert.equal(found, status, `${method} ${JSON.stringify(wrong)}`);
      if (status === 401) assert.equal(headers["www-authenticate"], "Bearer");
      for (const name of ["mcp-session-id", "access-control-allow-origin"]) assert.equal(headers[name], undefined);
    }
  }
  // A page can send neither the token nor JSON without asking first, and gets no permission for that.
  assert.equal((await raw("OPTIONS", "/mcp", { headers: { Origin: "http://evil.example", "Access-Control-Request-Method": "POST" } })).status, 403);
  // A token in the address counts for nothing: it would stand in logs.
  assert.equal((await raw("POST", `/mcp?token=${token()}`, { body: INITIALIZE, headers: { Authorization: undefined } })).status, 401);
  assert.deepEqual(await (await home.person()).open(), []);
});

test("no more than 100 sessions and 100 requests of a session are there at once, and those that are needed stay", async () => {
  const { own, post } = await session();
  const listening = stream("GET", own);
  await until(() => listening.text, "the stream");
  const others = [];
  for (let count = 0; count < 100; count += 1) others.push(await session());
  assert.deepEqual([(await post({ jsonrpc: "2.0", id: 1, method: "ping" })).status, (await others[0].post({ jsonrpc: "2.0", id: 1, method: "ping" })).status, (await others[99].post({ jsonrpc: "2.0", id: 1, method: "ping" })).status], [200, 404, 200]);
  const waiting = Array.from({ length: 100 }, (_, id) => stream("POST", own, asks(id)));
  const person = await home.person();
  const asked = await person.sees(100);
  const { status, text } = await post(asks("more"));
  assert.deepEqual([status, JSON.parse(text).error], [429, "too_many"]);
  // Answers that are not received give way to new calls, and are not lost.
  for (const one of waiting) one.cut();
  await until(() => waiting, "the end of the connections", (all) => all.every(({ isClosed }) => isClosed));
  await person.answer(asked[0].id, { go: true });
  const last = await until(async () => stream("POST", own, asks("last", { questions: [{ id: "last", text: "The last?", answer_type: "boolean" }] })), "the call", async (one) => (await until(() => one.status, "a status")) === 200);
  await person.sees(100);
  last.cut();
  listening.cut();
  const { text: answers } = await post({ jsonrpc: "2.0", id: "answers", method: "ping" });
  assert.equal(JSON.parse(answers).id, "answers");
});

test("an event stream shows that it is open, and is cut off where its client reads nothing", async () => {
  /** A response of which so many bytes wait for its client, before each sign of life and after it. */
  const stream = async (...waiting) => {
    let looks = 0;
    const outgoing = /** @type {any} */ (Object.assign(new EventEmitter(), { written: 0, writeHead: () => undefined, write: () => (outgoing.written += 1) < 10 || outgoing.emit("close"), destroy: () => (outgoing.isDestroyed = true) }));
    Object.defineProperty(outgoing, "writableLength", { get: () => waiting[Math.min((looks += 1), waiting.length) - 1] });
    events(outgoing, 1);
    await until(() => outgoing.isDestroyed || outgoing.written === 10, "an end, or many signs of life");
    outgoing.emit("close");
    return [outgoing.isDestroyed, outgoing.written];
  };
  assert.deepEqual(await stream(0), [undefined, 10]);
  assert.deepEqual(await stream(900, 910, 800, 810, 700, 710, 0), [undefined, 10]);
  assert.deepEqual(await stream(0, 910, 910), [true, 1]);
  assert.deepEqual(await stream(900, 910, 800, 810, 810), [true, 2]);
});

test("a connection that sends a body slowly, or none, is closed", async () => {
  const { port, host } = new URL(home.address);
  const socket = connect(Number(port), "127.0.0.1");
  let said = "";
  let isClosed = false;
  socket.setEncoding("utf8").on("error", () => undefined).on("data", (text) => (said += text)).once("close", () => (isClosed = true));
  socket.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\n`);
  await until(() => isClosed, "the end of the connection");
  assert.match(said, /408/);
});
