// Nothing that a person, a model or a client says leaves the host by its log, its traces or its metrics. Marked texts go in by every way that there is, and then
// everything that was logged and exported is searched for them, byte for byte.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { hiddenIn } from "../js/plain-form.mjs";
import { ModelServer, failure, reply } from "../js/model-server.mjs";
import { PASSWORD } from "../js/postgres.mjs";
import { Collector } from "./collector.mjs";
import { answer, asked, exporting, formed, idle, send, within } from "./hosts.mjs";

const KEY = "sk-mark-of-the-key";
const COLLECTOR_KEY = "mark-of-the-collector-key";

let collector;
let model;
before(async () => {
  collector = await Collector.start();
  model = await ModelServer.start();
});
afterEach(() => (collector.requests = []));
after(async () => {
  await collector.close();
  await model.close();
});

/** Texts that must not be found, each one of its own. */
const marks = [];
const mark = (what) => {
  const text = `mark-${what}-${marks.length}q`;
  marks.push(text);
  return text;
};

/** A request that `fetch` would not send. */
const raw = (host, method, path, headers = {}, body = "") =>
  new Promise((resolve, reject) => {
    const sent = request(host.url + path, { method, headers }, (response) => (response.resume(), resolve(response.statusCode)));
    sent.on("error", reject).end(body);
  });

/** A host with a model whose log is as long as it can be, and everything exported. */
const settings = () => ({
  options: ["--model", model.url, "--model-name", "test-model", "--retry-pause", 1, "--retries", 1],
  environment: exporting(collector, {
    RUST_LOG: "trace",
    OPENAI_API_KEY: KEY,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${COLLECTOR_KEY}`,
  }),
});

/** Ends the host, so that everything is exported, and searches. */
async function findsNothing(host, ...found) {
  await host.stop();
  const places = { log: host.log, export: collector.requests.map(({ bytes }) => bytes.toString("latin1")).join("\n") };
  assert.ok(places.log.includes("a lease begins") && places.export.includes("/conversations/{id}/respond"), "the search finds what is there");
  for (const id of found) assert.ok(places.export.includes(id), "the search finds what is there");
  for (const [place, written] of Object.entries(places)) {
    for (const text of [...marks, KEY, COLLECTOR_KEY, PASSWORD, ...found.map((id) => host.token(id))]) {
      assert.ok(!written.includes(text), `${text} is in the ${place}: ${written.split("\n").find((line) => line.includes(text))?.slice(0, 600)}`);
    }
  }
}

const question = (more = {}) => ({ id: mark("name"), text: mark("question"), context: mark("context"), answer_type: "text", ...more });

test("nothing that the person answers by a script, a plain client or a form without a script is logged or exported", () =>
  within(settings(), async (host) => {
    const [plain, walked, replied, ended, posted] = Array.from({ length: 5 }, () => ({ questions: [question({ notes: true }), question({ answer_type: "secret" }), question({ answer_type: "select", options: [mark("option"), "other"] })] }));
    const begin = async (request) => {
      model.gives(reply(mark("said"), [[mark("call"), "ask_user", request]]), reply(mark("thanks")), reply(mark("thanks")));
      const id = await host.begin(mark("message"));
      return { id, state: await asked(host, id) };
    };
    const ids = [];
    {
      const { id } = await begin(plain);
      const [text, secret, choice] = plain.questions.map(({ id }) => id);
      const values = { [text]: mark("answer"), [secret]: mark("secret"), [choice]: /** @type {any} */ (plain.questions[2]).options[0] };
      assert.equal((await answer(host, id, { ...values, [choice]: mark("wrong") })).status, 422);
      assert.equal((await answer(host, id, { ...values, [mark("unknown")]: mark("value") })).status, 422);
      assert.equal((await answer(host, id, values, { "Idempotency-Key": mark("idempotency") })).status, 200);
      assert.equal((await answer(host, id, { ...values, [secret]: mark("secret") }, { "Idempotency-Key": marks.at(-2) })).status, 409);
      await idle(host, id);
      ids.push(id);
    }
    {
      const { id, state } = await begin(walked);
      const walk = formed(state);
      walk.answer(mark("answer"), { note: mark("note") });
      assert.equal((await host.ask("PUT", `/conversations/${id}/walk`, { tool_call_id: state.tool_call_id, walk: { ...walk.save(), typed: { x: mark("typed") } } })).status, 204);
      const other = formed(state);
      other.answer(mark("answer"), { note: mark("note") });
      assert.equal((await host.ask("PUT", `/conversations/${id}/walk`, { tool_call_id: state.tool_call_id, walk: other.save() }, { "If-Match": `"${mark("version")}"` })).status, 412);
      walk.answer(mark("secret"));
      walk.answer("other");
      if (!walk.outcome) walk.submit();
      assert.equal((await host.ask("POST", `/conversations/${id}/respond`, { tool_call_id: state.tool_call_id, walk: { log: [[mark("forged")]] }, secrets: { x: mark("secret") } })).status, 422);
      assert.equal((await send(host, id, state, walk, mark("key"))).status, 200);
      await idle(host, id);
      ids.push(id);
    }
    {
      const { id, state } = await begin(replied);
      const walk = formed(state);
      walk.answer(mark("answer"));
      walk.reply(mark("reply"));
      assert.equal((await send(host, id, state, walk, "r")).status, 200);
      await idle(host, id);
      ids.push(id);
    }
    {
      const { id, state } = await begin(ended);
      const walk = formed(state);
      walk.answer(mark("answer"));
      walk.endTurn();
      assert.equal((await host.ask("POST", `/conversations/${id}/cancel`, { tool_call_id: state.tool_call_id, ...walk.response })).status, 200);
      ids.push(id);
    }
    {
      const { id } = await begin(posted);
      const form = `${host.url}/conversations/${id}/form`;
      const cookie = { Cookie: `conversation=${host.token(id)}` };
      assert.equal((await fetch(`${form}?token=${host.token(id)}`)).status, 200);
      assert.equal((await fetch(`${form}?token=${mark("token")}`)).status, 403);
      const html = await (await fetch(form, { headers: cookie })).text();
      const fields = [...hiddenIn(html), ...[...html.matchAll(/<(?:input|textarea)[^>]* name="([^"]*)"/g)].map(([, name]) => [name, mark("posted")])];
      const body = new URLSearchParams(fields);
      assert.ok((await fetch(form, { method: "POST", headers: cookie, body, redirect: "manual" })).status < 500);
      ids.push(id);
    }
    await findsNothing(host, ...ids);
  }));

test("nothing of a request that is refused is logged or exported, wherever it stands", () =>
  within(settings(), async (host) => {
    model.gives(reply("", [["call_1", "ask_user", { questions: [question()] }]]), reply("Done."));
    const id = await host.begin("Go on.");
    await asked(host, id);
    const own = { Authorization: `Bearer ${host.token(id)}` };
    const json = { ...own, "Content-Type": "application/json" };
    const at = (path = "respond") => `/conversations/${id}/${path}`;
    assert.equal(await raw(host, "POST", at(), json, `{"${mark("invalid")}`), 400);
    assert.equal(await raw(host, "POST", at(), { ...own, "Content-Type": mark("type") }, mark("body")), 415);
    assert.equal(await raw(host, "POST", at(), json, JSON.stringify({ tool_call_id: mark("call"), walk: mark("walk") })), 409);
    assert.equal(await raw(host, "POST", at(), { Authorization: `Bearer ${mark("token")}` }, mark("body")), 403);
    assert.equal(await raw(host, "GET", `${at("events")}?token=${mark("query")}`, { Cookie: `conversation=${mark("cookie")}` }), 403);
    assert.equal(await raw(host, "GET", `/conversations/${mark("id")}/events`, own), 404);
    assert.equal(await raw(host, "GET", `/${mark("path")}?${mark("query")}`, own), 404);
    assert.equal(await raw(host, "POST", "/conversations", { Host: mark("host") }), 403);
    assert.equal(await raw(host, "POST", "/conversations", { Origin: `https://${mark("origin")}` }), 403);
    assert.equal(await raw(host, "PROPFIND", `/conversations?${mark("query")}`), 405);
    const trace = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const headers = { ...json, traceparent: trace, tracestate: `${mark("vendor")}=${mark("state")}`, baggage: `${mark("baggage")}=${mark("value")}`, "User-Agent": mark("agent"), "Last-Event-ID": mark("event") };
    assert.equal(await raw(host, "POST", at("messages"), headers, JSON.stringify({ text: mark("message") })), 409);
    assert.equal(await raw(host, "POST", at(), { ...json, traceparent: mark("traceparent") }, JSON.stringify({ answers: { [mark("name")]: mark("value") } })), 422);
    await findsNothing(host, id);
  }));

test("nothing that a model or its server says is logged or exported, however wrong it is", () =>
  within(settings(), async (host) => {
    const talk = async (...replies) => {
      model.gives(...replies);
      const id = await host.begin(mark("message"));
      await idle(host, id);
      return id;
    };
    const call = (name, input) => /** @type {[string, string, unknown][]} */ ([[mark("call"), name, input]]);
    const ids = [
      await talk(reply(mark("said"), call("read_migration", { note: mark("argument") })), reply(mark("done"))),
      await talk(reply(mark("said"), call(mark("tool"), { x: mark("argument") })), reply("Done.")),
      await talk(reply("", call("ask_user", `{"questions": [{"${mark("half")}`)), reply("Done.")),
      await talk(reply("", call("ask_user", { questions: [{ text: mark("question"), answer_type: mark("type") }] })), reply("Done.")),
      await talk(reply("", call("run_migration", { environment: mark("environment") })), reply("Done.")),
      await talk(failure(500, mark("server")), failure(500, mark("server"), { code: mark("code") })),
      await talk(failure(401, mark("server"), { code: mark("code") })),
      await talk((response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).end(`data: {"${mark("broken")}"\n\n`), failure(400, mark("server"))),
    ];
    const id = await (async () => {
      model.gives(reply("", [["call_1", "announce", {}]]), reply("Posted."));
      const id = await host.begin("Go on.");
      await asked(host, id);
      assert.equal((await answer(host, id, { token: mark("secret") })).status, 200);
      await idle(host, id);
      return id;
    })();
    await findsNothing(host, ...ids, id);
  }));
