// The agent host with a model behind the chat completions protocol: the real process against a server that streams, fails, stalls and lies.
// What the host makes of a stream is compared with what OpenAI's own client makes of it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { AgentHost } from "./agent-host.mjs";
import { launch } from "./browser.mjs";
import { ModelServer, endless, events, failure, json, piece, pieces, reply, reset, stream } from "./model-server.mjs";
import { CERTIFICATE, KEY } from "./model-server-certificate.mjs";
import { every, within } from "./wait.mjs";

const OpenAI = createRequire(new URL("../../examples/package.json", import.meta.url))("openai").default;
const SECRET = "sk-test-0123456789abcdef";
/** Text of every length that UTF-8 has. */
const TEXT = "Größe: 3 € — 日本語 🦀 done.";

let server;
let host;
/** What is closed after a test. */
const open = [];
before(async () => {
  server = await ModelServer.start();
  host = await started();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
after(async () => {
  await host.close();
  await server.close();
});

/** A host that asks the server, or another one. */
function started({ url = server.url, options = [], environment = {} } = {}) {
  const model = ["--model", url, "--model-name", "test-model", "--retry-pause", 1, ...options];
  return AgentHost.start({ options: model, environment: { OPENAI_API_KEY: SECRET, ...environment } });
}

async function another(settings) {
  const host = await started(settings);
  open.push(host);
  return host;
}

/** Waits for a state of a conversation, and gives it. */
async function reaches(host, id, type = "idle") {
  for (let tries = 0; tries < 300; tries += 1) {
    const states = (await host.events(id)).filter(([kind]) => kind === "state_change");
    if (states.at(-1)?.[1].type === type) return states.at(-1)[1];
  }
  throw new Error(`the agent is not ${type}`);
}

/** The lines of the transcript: what is said by whom. */
async function lines(host, id) {
  const messages = (await host.events(id)).filter(([kind]) => kind === "message").map(([, line]) => line);
  return messages.map(({ role, text, content }) => [role, text ?? content]);
}

/** Waits until the connection of a request is closed. */
const closes = ({ closed }) => within(20_000, closed, "the end of the connection");

/** A conversation up to where the agent is idle again: its lines after the person's message. */
async function talk(host) {
  const id = await host.begin("Go on.");
  await reaches(host, id);
  return (await lines(host, id)).slice(1);
}

/** A conversation that ends with an error: what the person reads, and whether it can be tried again. */
async function fails(host, words) {
  const id = await host.begin("Go on.");
  await reaches(host, id);
  const all = (await host.events(id)).filter(([kind]) => kind === "message").map(([, line]) => line);
  assert.deepEqual(all.map(({ role }) => role), ["user", "error"]);
  assert.match(all[1].text, words);
  return { id, again: all[1].try_again };
}

/** Neither the key nor a text of the server is anywhere. */
function leaksNothing(host, ...texts) {
  // What `ps` shows, where it can be read like this.
  const words = process.platform === "linux" ? readFileSync(`/proc/${host.pid}/cmdline`, "latin1") : "--model";
  const places = { log: host.log, stored: host.stored(), arguments: words };
  assert.ok(places.stored.includes("Go on.") && words.includes("--model") && host.log.includes("with the key in OPENAI_API_KEY"), "the search finds what is there");
  for (const [place, written] of Object.entries(places)) {
    for (const text of [SECRET, ...texts]) assert.ok(!written.includes(text), `${text} is in ${place}`);
  }
}

/** What OpenAI's own client reads from a reply: its text and calls. */
async function officially(one) {
  server.gives(one);
  const client = new OpenAI({ apiKey: SECRET, baseURL: server.url, maxRetries: 0 });
  const message = await client.chat.completions.stream({ model: "test-model", messages: [{ role: "user", content: "Go on." }] }).finalMessage();
  return { text: message.content.trim(), calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({ id, name, input: JSON.parse(text) })) };
}

const CALLS = /** @type {[id: string, name: string, input: unknown][]} */ ([["call_b", "read_migration", {}], ["call_a", "list_backups", { note: TEXT }]]);
const whole = pieces(TEXT, CALLS);
const STREAMS = {
  "in one piece": stream(events(whole)),
  "byte by byte": stream(events(whole), 1),
  "in pieces of three bytes": stream(events(whole), 3),
  "with CRLF, byte by byte": stream(events(whole, { newline: "\r\n" }), 1),
  "with comments, ids and names": stream(events(whole, { between: ": keep-alive\n\nid: 7\n" }), 50),
};

for (const [how, one] of Object.entries(STREAMS)) {
  test(`a stream ${how} is read as OpenAI's own client reads it, and parallel calls run one after the other`, async () => {
    const expected = await officially(one);
    assert.deepEqual(expected, { text: TEXT, calls: CALLS.map(([id, name, input]) => ({ id, name, input })) });
    server.gives(one, reply("Done."));
    const id = await host.begin("Go on.");
    await reaches(host, id);
    const said = (await host.events(id)).find(([, { role }]) => role === "assistant")[1];
    assert.deepEqual({ text: said.text, calls: said.calls }, expected);
    assert.deepEqual((await lines(host, id)).slice(2), [["tool", { statements: 2, rows: 1_200_000 }], ["tool", ["last night"]], ["assistant", "Done."]]);
    assert.deepEqual(server.messages(1).slice(1), [
      { role: "assistant", content: TEXT, tool_calls: CALLS.map(([id, name, input]) => ({ id, type: "function", function: { name, arguments: JSON.stringify(input) } })) },
      { role: "tool", tool_call_id: "call_b", content: '{"statements":2,"rows":1200000}' },
      { role: "tool", tool_call_id: "call_a", content: '["last night"]' },
    ]);
  });
}

test("OpenAI's own client understands the errors of the server as they are meant", async () => {
  const client = new OpenAI({ apiKey: SECRET, baseURL: server.url, maxRetries: 0 });
  const asked = () => client.chat.completions.stream({ model: "test-model", messages: [{ role: "user", content: "Go on." }] }).finalMessage();
  for (const [one, error] of [
    [failure(401, "no"), OpenAI.AuthenticationError],
    [failure(429, "busy"), OpenAI.RateLimitError],
    [failure(503, "down"), OpenAI.InternalServerError],
    [stream(Buffer.from('data: {"error":{"message":"down","type":"server_error"}}\n\n')), OpenAI.APIError],
    [reset(TEXT), Error],
  ]) {
    server.gives(one);
    await assert.rejects(asked, error);
  }
});

test("the model gets the tools, the instructions and the key, and nothing else", async () => {
  server.gives(reply("Hello."));
  assert.deepEqual(await talk(host), [["assistant", "Hello."]]);
  const [{ method, path, headers, body }] = server.requests;
  assert.deepEqual([method, path, headers.authorization], ["POST", "/v1/chat/completions", `Bearer ${SECRET}`]);
  assert.deepEqual(Object.keys(headers).sort(), ["accept", "authorization", "content-length", "content-type", "host", "user-agent"]);
  assert.deepEqual(Object.keys(body), ["model", "messages", "tools", "stream"]);
  assert.deepEqual(body.tools.map(({ function: { name } }) => name), ["ask_user", "read_migration", "list_backups", "run_migration", "announce"]);
  const { default: definitions } = await import("../../pkg/dist/tools.json", { with: { type: "json" } });
  const [{ name, description, parameters, instructions }] = definitions.ask_user;
  assert.deepEqual(body.tools[0], { type: "function", function: { name, description, parameters } });
  assert.ok(body.messages[0].content.includes(instructions));
  leaksNothing(host);
});

test("a call with invalid JSON, an unknown tool and a wrong argument are corrected by the model, and the person is asked once", async () => {
  const question = { questions: [{ id: "apply", text: "Apply it?", answer_type: "boolean" }] };
  server.gives(
    reply("", [["c1", "ask_user", '{"questions": [{"id": "apply"'], ["c2", "drop_table", {}], ["c3", "run_migration", { environment: "prod" }]]),
    reply("", [["c4", "ask_user", { questions: [{ id: "apply", text: "Apply it?", answer_type: "bool" }] }]]),
    reply("I ask again.", [["c5", "ask_user", question]]),
    reply("As you like."),
  );
  const id = await host.begin("Go on.");
  const state = await reaches(host, id, "awaiting_user_response");
  assert.equal(state.tool_call_id, "c5");
  await host.ask("POST", `/conversations/${id}/respond`, { answers: { apply: false } });
  await reaches(host, id);
  const { c1: [first], c2: [second], c3: [third], c4: [fourth], c5: [fifth] } = await host.results(id);
  assert.deepEqual([first.problems[0].code, first.problems[0].hint], ["invalid_json", "Send one complete JSON object."]);
  assert.deepEqual([second.error, third.error, fourth.problems[0].path], ["unknown_tool", "invalid_arguments", "/questions/0/answer_type"]);
  assert.deepEqual(fifth, { apply: false });
  const flags = (await host.events(id)).filter(([, { role }]) => role === "tool").map(([, line]) => line.is_error);
  assert.deepEqual(flags, [true, true, true, true, false]);
  // What the model is shown of its broken call is JSON, or the server would refuse the conversation for ever.
  assert.deepEqual(JSON.parse(server.messages(1)[1].tool_calls[0].function.arguments), { not_json: '{"questions": [{"id": "apply"' });
});

test("what fails on the way is tried again, and no tool runs twice", async () => {
  const call = /** @type {[id: string, name: string, input: unknown][]} */ ([["c1", "read_migration", {}]]);
  const error = Buffer.from('data: {"error":{"message":"overloaded","type":"server_error","code":null}}\n\n');
  const beginning = events(pieces("Let me see.", call)).subarray(0, -200);
  for (const [what, bad] of /** @type {[string, any][]} */ (Object.entries({
    "429 with Retry-After": failure(429, "busy", {}, { "Retry-After": "0" }),
    "429 with retry-after-ms": failure(429, "busy", {}, { "retry-after-ms": "5" }),
    "500": failure(500, "broken"),
    "503 without JSON": (response) => response.writeHead(503, { "Content-Type": "text/html" }).end("<h1>down</h1>"),
    "408": failure(408, "slow"),
    "409": failure(409, "locked"),
    "a connection that is closed without an answer": (response) => response.socket.destroy(),
    "a connection that is reset in the middle": reset("Let me see.", call),
    "a stream that ends in the middle of an event": stream(beginning),
    "a stream that ends before the reply says so": stream(Buffer.from(pieces("Let me see.", call).slice(0, -2).map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))),
    "an error in the middle": stream(Buffer.concat([beginning, Buffer.from("\n\n"), error]), 40),
    "an event named error": stream(Buffer.from('event: error\ndata: {"message":"overloaded"}\n\n')),
    "events that are no JSON": stream(Buffer.from("data: <html>\n\n")),
  }))) {
    server.gives(bad, reply("Let me see.", call), reply("Done."));
    assert.deepEqual(await talk(host), [["assistant", "Let me see."], ["tool", { statements: 2, rows: 1_200_000 }], ["assistant", "Done."]], what);
    assert.equal(server.requests.length, 3, what);
    assert.deepEqual(server.requests[0].body, server.requests[1].body, what);
  }
  leaksNothing(host, "overloaded");
});

test("what does not pass by itself is not tried again; the person reads why, and never the key or the server's words", async () => {
  const leak = `Incorrect API key provided: ${SECRET}, the raw body`;
  for (const [what, bad, words, again] of /** @type {any[][]} */ ([
    ["401", failure(401, leak, { code: "invalid_api_key" }), /refused the key \(401\).*OPENAI_API_KEY/, true],
    ["403", failure(403, leak), /refused the key \(403\)/, true],
    ["404", failure(404, leak, { code: "model_not_found" }), /does not know the model "test-model".*\(404\)/, true],
    ["400", failure(400, leak), /refused the request \(400\)/, true],
    ["a conversation that is too long", failure(400, leak, { code: "context_length_exceeded" }), /too long for the model.*new one/, false],
    ["no credit", failure(429, leak, { code: "insufficient_quota" }), /no credit left \(429\)/, true],
    ["a wait of an hour", failure(429, leak, {}, { "Retry-After": "3600" }), /asks to wait 60 minutes/, true],
    ["a web page", (response) => response.writeHead(200, { "Content-Type": "text/html" }).end(leak), /not as a model does.*--model/, true],
    ["no content type", (response) => response.writeHead(200).end(leak), /not as a model does/, true],
    ["other JSON", json({ models: [leak] }), /not as a model does/, true],
    ["an error as the body", json({ error: { message: leak, code: "context_length_exceeded" } }), /too long for the model/, false],
    ["a content filter", reply("I may not", [], "content_filter"), /content filter/, true],
  ])) {
    server.gives(bad);
    assert.equal((await fails(host, words)).again, again, what);
    assert.equal(server.requests.length, 1, what);
  }
  leaksNothing(host, "Incorrect API key", "the raw body", "I may not");
});

test("after the last attempt the person is told, and can try again", async () => {
  server.gives(...Array.from({ length: 4 }, () => failure(503, "down")), reply("Here I am."));
  const { id, again } = await fails(host, /has a problem \(503\)/);
  assert.equal(again, true);
  assert.equal(server.requests.length, 4);
  assert.equal((await host.ask("POST", `/conversations/${id}/retry`)).status, 202);
  await reaches(host, id);
  assert.deepEqual((await lines(host, id)).map(([role]) => role), ["user", "error", "assistant"]);
  // The model does not see the error.
  assert.deepEqual(server.messages(4), [{ role: "user", content: "Go on." }]);
  const { status, body } = await host.ask("POST", `/conversations/${id}/retry`);
  assert.deepEqual([status, body.error], [409, "nothing_to_retry"]);
  assert.equal(server.requests.length, 5);
});

test("a server that is not there is said to be not there", async () => {
  const gone = await ModelServer.start();
  await gone.close();
  const host = await another({ url: gone.url, options: ["--retries", 1] });
  const { again } = await fails(host, new RegExp(`${new URL(gone.url).host} could not be reached`));
  assert.equal(again, true);
});

test("a redirect is not followed, and its target sees neither the key nor the conversation", async () => {
  let seen = 0;
  const other = createServer((_, response) => ((seen += 1), response.end()));
  await /** @type {Promise<void>} */ (new Promise((resolve) => other.listen(0, "127.0.0.1", resolve)));
  for (const status of [301, 302, 307, 308]) {
    server.gives((response) => response.writeHead(status, { Location: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (other.address()).port}/v1/chat/completions` }).end());
    await fails(host, /another address.*does not follow/);
    assert.equal(server.requests.length, 1);
  }
  assert.equal(seen, 0);
  await new Promise((resolve) => other.close(resolve));
});

test("a certificate that is not trusted ends the connection before the key is sent; one that is trusted works", async () => {
  const secure = await ModelServer.start({ cert: CERTIFICATE, key: KEY });
  open.push(secure);
  // With other certificates to trust, whatever the machine has.
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const [own, others] = ["own.pem", "others.pem"].map((name) => join(folder, name));
  writeFileSync(own, CERTIFICATE);
  const { rootCertificates } = await import("node:tls");
  writeFileSync(others, rootCertificates[0]);
  const refusing = await another({ url: secure.url, environment: { SSL_CERT_FILE: others, SSL_CERT_DIR: "" } });
  await fails(refusing, /certificate of 127\.0\.0\.1:\d+ is not trusted/);
  assert.deepEqual(secure.requests, []);
  const trusting = await another({ url: secure.url, environment: { SSL_CERT_FILE: own, SSL_CERT_DIR: "" } });
  secure.gives(reply(TEXT));
  assert.deepEqual(await talk(trusting), [["assistant", TEXT]]);
  assert.equal(secure.requests[0].headers.authorization, `Bearer ${SECRET}`);
  rmSync(folder, { recursive: true });
});

test("a server that is slow to begin, or silent in the middle, is given up after the limit, and its connection is closed", async () => {
  const limits = ["--first-byte-limit", 300, "--chunk-limit", 300, "--retries", 0];
  const host = await another({ options: limits });
  const head = (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
  for (const [what, bad, words] of /** @type {any[][]} */ ([
    ["no answer", () => {}, /did not begin to reply within 300 milliseconds/],
    ["the head alone", head, /did not begin to reply within 300 milliseconds/],
    ["the beginning alone", endless("One two three four five six."), /nothing more came for 300 milliseconds/],
    ["the beginning of a reply in one piece", (response) => response.writeHead(200, { "Content-Type": "application/json" }).write("{"), /nothing more came/],
  ])) {
    server.gives(bad);
    assert.equal((await fails(host, words)).again, true, what);
    await closes(server.requests[0]);
  }
  // A connection that drips for ever without a word is ended by the limit for everything.
  const dripping = await another({ options: ["--whole-limit", 1000] });
  server.gives((response) => {
    head(response);
    response.on("close", every(20, () => response.write(": keep-alive\n\n")));
  });
  await fails(dripping, /did not finish its reply within 1 second/);
  await closes(server.requests[0]);
});

test("when the person stops the agent, the request to the model is dropped, and the next message works", async () => {
  for (const where of ["before the reply", "in the middle of it", "between two attempts"]) {
    let began;
    const beginning = new Promise((resolve) => (began = resolve));
    const waiting = { "before the reply": () => began(), "in the middle of it": endless("One two three four five six.", () => began()), "between two attempts": (response) => (failure(503, "down", {}, { "Retry-After": "20" })(response, undefined), began()) }[where];
    server.gives(waiting, reply("Now."));
    const id = await host.begin("Go on.");
    await beginning;
    await host.ask("POST", `/conversations/${id}/cancel`, {});
    await closes(server.requests[0]);
    await reaches(host, id);
    assert.deepEqual(await lines(host, id), [["user", "Go on."]], where);
    await host.ask("POST", `/conversations/${id}/messages`, { text: "And now?" });
    await reaches(host, id);
    assert.deepEqual(await lines(host, id), [["user", "Go on."], ["user", "And now?"], ["assistant", "Now."]], where);
    assert.deepEqual(server.messages(1), [{ role: "user", content: "Go on.\n\nAnd now?" }], where);
  }
});

test("a host that is killed while the model streams asks it again after its restart, and runs the tool once", async () => {
  const host = await another();
  let began;
  const beginning = new Promise((resolve) => (began = resolve));
  const call = /** @type {[id: string, name: string, input: unknown][]} */ ([["c1", "read_migration", {}]]);
  // All of the call has arrived, but not the end of the reply.
  const bytes = events(pieces("Let me see.", call));
  const almost = (response) => (response.writeHead(200, { "Content-Type": "text/event-stream" }), response.write(bytes.subarray(0, bytes.indexOf('"finish_reason":"tool_calls"')), began));
  server.gives(almost, reply("Let me see.", call), reply("Done."));
  const id = await host.begin("Go on.");
  await beginning;
  await host.kill();
  await closes(server.requests[0]);
  assert.deepEqual(server.requests.length, 1);
  await host.start();
  await reaches(host, id);
  assert.deepEqual(await lines(host, id), [["user", "Go on."], ["assistant", "Let me see."], ["tool", { statements: 2, rows: 1_200_000 }], ["assistant", "Done."]]);
  assert.deepEqual(server.requests[0].body, server.requests[1].body);
  assert.equal(server.requests.length, 3);
});

test("a server that does not stream, and one that gives its calls no ids, are understood", async () => {
  const message = (message, finish_reason) => json({ id: "x", object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }], usage: {} });
  const bare = (name, input) => ({ function: { name, arguments: input } });
  server.gives(
    message({ content: null, tool_calls: [bare("read_migration", "{}"), bare("list_backups", {})] }, "stop"),
    stream(events([piece({ tool_calls: [bare("read_migration", "{}")] }), piece({}, "stop")])),
    message({ content: TEXT }, "stop"),
  );
  const id = await host.begin("Go on.");
  await reaches(host, id);
  assert.deepEqual(await host.results(id), { call_1: [{ statements: 2, rows: 1_200_000 }], call_2: [["last night"]], call_3: [{ statements: 2, rows: 1_200_000 }] });
  assert.deepEqual((await lines(host, id)).at(-1), ["assistant", TEXT]);
});

test("two calls with one id run nothing, and the model is told", async () => {
  server.gives(reply("Both.", [["same", "read_migration", {}], ["same", "list_backups", {}]]), reply("Sorry."));
  const id = await host.begin("Go on.");
  await reaches(host, id);
  assert.deepEqual(await host.results(id), {});
  await host.ask("POST", `/conversations/${id}/messages`, { text: "Again." });
  await reaches(host, id);
  assert.match(server.messages(1)[1].content, /Two calls of one response have the id "same"/);
});

test("a reply that is cut off by its length is shown and said to be cut off; a call that is cut off does not run", async () => {
  server.gives(reply("On and", [], "length"));
  assert.deepEqual(await talk(host), [["assistant", "On and"], ["error", "The reply was cut off at the length that the model's server allows."]]);
  server.gives(reply("", [["c1", "read_migration", {}], ["c2", "run_migration", '{"environment": "stag']], "length"), reply("Sorry."));
  const id = await host.begin("Go on.");
  await reaches(host, id);
  const { c1: [first], c2: [second] } = await host.results(id);
  assert.deepEqual([first.rows, second.error], [1_200_000, "invalid_arguments"]);
});

test("a reply without end is dropped, and its connection closed", async () => {
  const flood = (bytes) => async (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (let written = 0; written < 256 && !response.destroyed; written += 1) {
      if (!response.write(bytes)) await new Promise((resolve) => (response.once("drain", resolve), response.once("close", resolve)));
      response.removeAllListeners("close");
    }
    response.end();
  };
  const long = "x".repeat(1024 * 1024 - 200);
  for (const [bad, words] of [
    [flood(`data: ${JSON.stringify(piece({ content: long }))}\n\n`), /its text has more than 1 MiB/],
    [flood(`data: ${JSON.stringify(piece({ tool_calls: [{ index: 0, id: "a", function: { name: "x", arguments: long } }] }))}\n\n`), /tool calls have more than 1 MiB/],
    [flood(long), /a part of it has more than 4 MiB/],
    [flood(`: ${long}\n\n`), /more than 64 MiB/],
    [stream(events(Array.from({ length: 129 }, (_, index) => piece({ tool_calls: [{ index, id: `c${index}`, function: { name: "x", arguments: "{}" } }] })))), /more than 128 tool calls/],
  ]) {
    server.gives(bad);
    await fails(host, words);
    await closes(server.requests[0]);
    assert.equal(server.requests.length, 1);
  }
  server.gives((response) => (response.writeHead(200, { "Content-Type": "application/json" }), response.end(`"${long.repeat(5)}"`)));
  await fails(host, /it has more than 4 MiB/);
});

test("an agent that never comes to an end stops after 25 requests, and goes on when the person says so", async () => {
  const again = (_, index) => reply("", [[`c${index}`, "read_migration", {}]]);
  server.gives(...Array.from({ length: 30 }, again));
  const id = await host.begin("Go on.");
  await reaches(host, id);
  assert.equal(server.requests.length, 25);
  const last = (await host.events(id)).filter(([kind]) => kind === "message").at(-1)[1];
  assert.match(last.text, /made 25 requests.*Send a message/);
  assert.deepEqual([last.role, last.try_again], ["error", false]);
  server.gives(reply("Done."));
  await host.ask("POST", `/conversations/${id}/messages`, { text: "Go on." });
  await reaches(host, id);
  assert.deepEqual((await lines(host, id)).at(-1), ["assistant", "Done."]);
});

const run = reply("", [["c1", "run_migration", { environment: "production" }]]);

test("without an assistant the person decides, and no model is asked in the person's place", async () => {
  server.gives(run, reply("It has run."));
  const id = await host.begin("Go on.");
  await reaches(host, id, "awaiting_user_response");
  assert.equal(server.requests.length, 1);
  await host.ask("POST", `/conversations/${id}/respond`, { answers: { run: true } });
  await reaches(host, id);
  assert.deepEqual(await host.results(id), { c1: [{ ran: true, rows: 1_200_000 }] });
});

test("an assistant is asked with the schema; its no goes to the person, and so does everything that is no verdict", async () => {
  const host = await another({ options: ["--assistant", "reviewer", "--retries", 0] });
  const verdict = (reason, answer) => reply(JSON.stringify({ reason, answer }));
  const decided = async (verdict) => {
    server.gives(run, verdict, reply("Well."));
    const id = await host.begin("Go on.");
    const advised = await reaches(host, id, "awaiting_user_response");
    await host.ask("POST", `/conversations/${id}/respond`, { answers: { run: true } });
    await reaches(host, id);
    return (await host.records(id)).filter(({ type }) => type === "inquiry_response").map(({ answer, reason }) => [answer ?? null, reason ?? null]);
  };
  assert.deepEqual(await decided(verdict("There is no backup.", false)), [[false, "There is no backup."], [true, null]]);
  const { body } = server.requests[1];
  assert.deepEqual([body.model, body.tools], ["reviewer", undefined]);
  assert.deepEqual(body.response_format.json_schema.schema.required, ["reason", "answer"]);
  assert.match(body.messages[0].content, /Run the migration on production now\?.*JSON Schema/s);
  for (const none of [failure(400, "response_format is not supported"), reply("I would not."), reply('{"reason": "No answer."}'), reply('{"answer": "maybe"}'), reply('{"answer": true', [], "length")]) {
    const records = await decided(none);
    assert.deepEqual(records.at(-1), [true, null]);
  }
  server.gives(run, verdict("There is a backup.", true), reply("It has run."));
  const id = await host.begin("Go on.");
  await reaches(host, id);
  assert.deepEqual(await host.results(id), { c1: [{ ran: true, rows: 1_200_000 }] });
  const [{ answer, reason }] = (await host.records(id)).filter(({ type }) => type === "inquiry_response");
  assert.deepEqual([answer, reason], [true, "There is a backup."]);
});

test("when the person stops the agent while the assistant thinks, that request is dropped, too", async () => {
  const host = await another({ options: ["--assistant", "reviewer"] });
  let began;
  const beginning = new Promise((resolve) => (began = resolve));
  server.gives(run, () => began());
  const id = await host.begin("Go on.");
  await beginning;
  await host.ask("POST", `/conversations/${id}/cancel`, {});
  await closes(server.requests[1]);
  await reaches(host, id);
  assert.match((await host.results(id)).c1[0], /ended the turn while this tool ran/);
});

test("a secret that a tool asks for is never sent to the model", async () => {
  server.gives(reply("", [["c1", "announce", {}]]), reply("Posted."));
  const id = await host.begin("Go on.");
  await reaches(host, id, "awaiting_user_response");
  await host.ask("POST", `/conversations/${id}/respond`, { answers: { token: "correct-horse" } });
  await reaches(host, id);
  assert.deepEqual(await host.results(id), { c1: [{ posted: true }] });
  assert.ok(!JSON.stringify(server.requests.map(({ body }) => body)).includes("correct-horse"));
  leaksNothing(host, "correct-horse");
});

test("the playground shows why the model gave no reply, and tries again at the press of a button", async () => {
  server.gives(...Array.from({ length: 4 }, () => failure(503, `down, with ${SECRET}`)), failure(401, "no"), reply("Here I am."));
  const browser = await launch({ host: host.url });
  open.push(browser);
  const page = await browser.page("/#example=conversation");
  await page.getByText("The agent is waiting for a message.").waitFor();
  await page.locator("#talk button").first().click();
  const failed = page.locator(".said.error");
  await failed.filter({ hasText: "has a problem (503)" }).waitFor();
  const button = page.getByRole("button", { name: "Try again" });
  await button.click();
  await failed.filter({ hasText: "refused the key" }).waitFor();
  // Only the last error can be tried again, also after a reload.
  await page.reload();
  await failed.filter({ hasText: "refused the key" }).waitFor();
  await page.getByText("The agent is waiting for a message.").waitFor();
  assert.equal(await button.count(), 1);
  await button.focus();
  await page.keyboard.press("Enter");
  await page.locator(".said.assistant").filter({ hasText: "Here I am." }).waitFor();
  assert.equal(await button.count(), 0);
  assert.ok(!(await page.content()).includes(SECRET));
  assert.deepEqual(page.faults, []);
});
