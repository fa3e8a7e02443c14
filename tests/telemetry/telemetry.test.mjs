// What the agent host exports by OpenTelemetry: traces that go on from the client's, and metrics. The collector reads with the code of OpenTelemetry's own
// package, the client traces with OpenTelemetry's own SDK, and names are compared with its package of conventions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { ROOT_CONTEXT, defaultTextMapSetter, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { AgentHost } from "../js/agent-host.mjs";
import { ModelServer, failure, reply } from "../js/model-server.mjs";
import { pause } from "../js/wait.mjs";
import { Collector } from "./collector.mjs";
import { answer, asked, exporting, formed, idle, lines, send, within } from "./hosts.mjs";

const NO = { apply: false, reason: "Smaller batches" };
/** The kinds of spans, as the protocol numbers them. */
const KINDS = { internal: 1, server: 2, client: 3 };

let collector;
before(async () => (collector = await Collector.start()));
afterEach(() => (collector.requests = []));
after(() => collector.close());

const tracer = new BasicTracerProvider().getTracer("client");

/** A span of a client, and the headers that it sends. */
function client() {
  const context = tracer.startSpan("a click").spanContext();
  const headers = {};
  new W3CTraceContextPropagator().inject(trace.setSpanContext(ROOT_CONTEXT, context), headers, defaultTextMapSetter);
  return { trace: context.traceId, id: context.spanId, headers };
}

test("a trace goes on from the client's through the model, the tools and the store, and a question lies between the two requests that open and close it", () =>
  within({ environment: exporting(collector) }, async (host) => {
    const [begins, ends] = [client(), client()];
    const id = await host.begin("Go on.", begins.headers);
    await asked(host, id);
    assert.equal((await answer(host, id, NO, ends.headers)).status, 200);
    await idle(host, id);
    const one = (name, trace) => collector.until(({ spans }) => spans.find((span) => span.name === name && span.trace === trace), name);

    const message = await one("POST /conversations/{id}/messages", begins.trace);
    assert.deepEqual([message.parent, message.kind], [begins.id, KINDS.server]);
    assert.deepEqual(message.attributes, {
      "http.request.method": "POST",
      "url.scheme": "http",
      "http.route": "/conversations/{id}/messages",
      "http.response.status_code": 202,
      "gen_ai.conversation.id": id,
    });
    const chat = await one("chat script", begins.trace);
    assert.deepEqual([chat.parent, chat.kind, chat.attributes["gen_ai.request.model"]], [message.id, KINDS.client, "script"]);
    const tool = await one("execute_tool ask_user", begins.trace);
    assert.deepEqual([tool.parent, tool.kind, tool.attributes["gen_ai.conversation.id"]], [message.id, KINDS.internal, id]);
    for (const name of ["execute_tool read_migration", "execute_tool list_backups"]) assert.equal((await one(name, begins.trace)).parent, message.id);
    const commit = await one("commit", begins.trace);
    assert.equal(commit.attributes["db.system.name"], process.env.DATABASE === "postgres" ? "postgresql" : "sqlite");

    const respond = await one("POST /conversations/{id}/respond", ends.trace);
    const question = await one("ask_user.question", begins.trace);
    assert.equal(question.parent, tool.id);
    assert.deepEqual(question.links, [{ trace: ends.trace, span: respond.id }]);
    assert.deepEqual(respond.links, [{ trace: begins.trace, span: question.id }]);
    assert.deepEqual([question.attributes["ask_user.outcome"], question.attributes["gen_ai.tool.name"]], ["completed", "ask_user"]);
    assert.ok(question.begins >= tool.begins && question.ends > question.begins && question.ends <= respond.ends, "its times");
    // What the answer sets going belongs to the trace of the answer.
    assert.equal((await one("chat script", ends.trace)).parent, respond.id);
  }));

test("what is exported is what the tables of the README name, with the names of OpenTelemetry's conventions", async () => {
  const readme = readFileSync(new URL("../../host/README.md", import.meta.url), "utf8");
  const model = await ModelServer.start();
  const options = ["--model", model.url, "--model-name", "test-model", "--retry-pause", 1, "--retries", 1];
  model.gives(failure(500, "no"), reply("Now.", [["call_1", "no_tool", {}], ["call_2", "ask_user", { questions: [{ id: "a", text: "Which?", answer_type: "text" }] }]]), reply("Done."));
  try {
    await within({ options, environment: exporting(collector) }, async (host) => {
      const id = await host.begin("Go on.");
      await asked(host, id);
      assert.equal((await answer(host, id, { a: 7 })).status, 422);
      assert.equal((await answer(host, id, { a: "This" }, { "Idempotency-Key": "k" })).status, 200);
      assert.equal((await answer(host, id, { a: "This" }, { "Idempotency-Key": "k" })).status, 200);
      await idle(host, id);
      await fetch(`${host.url}/nowhere`);
      await collector.until((all) => all.value("ask_user.delivery.retries", { "ask_user.delivery": "model_request" }) === 1);
      await collector.until((all) => all.value("ask_user.questions.open") === 0 && all.value("ask_user.delivery.retries", { "ask_user.delivery": "answer" }));
      await host.stop();
      const { metrics, spans } = collector;
      const exported = new Set(Object.values(conventions).filter((value) => typeof value === "string"));
      for (const { attributes, resource } of spans) {
        for (const name of Object.keys({ ...attributes, ...resource })) assert.ok(name.startsWith("ask_user.") || exported.has(name), `no such attribute: ${name}`);
      }
      for (const [name, { unit, points }] of Object.entries(metrics)) {
        assert.ok(name.startsWith("ask_user.") || exported.has(name), `no such metric: ${name}`);
        const row = readme.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
        assert.ok(row?.includes(`| ${unit.replaceAll(/[{}]/g, "")} |`), `the README does not have ${name} in ${unit}: ${row}`);
        for (const attribute of points.flatMap(({ attributes }) => Object.keys(attributes))) assert.ok(row.includes(`\`${attribute}\``), `the README does not have ${attribute} of ${name}`);
      }
      const kinds = spans.map(({ name }) => name.replace(/^(GET|POST|PUT|_OTHER)( .*)?$/, "METHOD ROUTE").replace(/^chat .*/, "chat MODEL").replace(/^execute_tool .*/, "execute_tool TOOL"));
      const operations = ["create", "token", "load", "commit", "messages", "records", "question", "response", "answers_to", "events_after"];
      for (const kind of new Set(kinds)) assert.ok(readme.includes(`| \`${operations.includes(kind) ? "OPERATION" : kind}\` |`), `the README does not have the span ${kind}`);
      assert.ok(kinds.includes("execute_tool TOOL") && spans.some(({ name }) => name === "execute_tool _OTHER"), "a tool that is unknown has no name");
      assert.ok(!collector.text.includes("no_tool"));
    });
  } finally {
    await model.close();
  }
});

test("answers, their age, refusals, open questions, streams and retries are counted", () =>
  within({ environment: exporting(collector) }, async (host) => {
    const id = await host.begin();
    await asked(host, id);
    await collector.until((all) => all.value("ask_user.questions.open") === 1);
    const stream = new AbortController();
    const heard = await fetch(`${host.url}/conversations/${id}/events`, { headers: host.opens(`/conversations/${id}`), signal: stream.signal });
    await collector.until((all) => all.value("ask_user.streams.open") === 1);
    stream.abort();
    await heard.body?.cancel().catch(() => {});
    await collector.until((all) => all.value("ask_user.streams.open") === 0);

    assert.equal((await answer(host, id, { apply: "perhaps" })).status, 422);
    assert.equal((await answer(host, id, NO, { "Idempotency-Key": "k" })).status, 200);
    assert.equal((await answer(host, id, NO, { "Idempotency-Key": "k" })).status, 200);
    assert.equal((await answer(host, id, { apply: true }, { "Idempotency-Key": "k" })).status, 409);
    await collector.until((all) => all.value("ask_user.questions.open") === 0);
    assert.equal(collector.value("ask_user.questions.asked", { "ask_user.dialect": "ask_user" }), 1);
    assert.equal(collector.value("ask_user.answers", { "ask_user.outcome": "completed" }), 1);
    assert.equal(collector.value("ask_user.answer.age"), 1);
    assert.equal(collector.value("ask_user.answers.refused", { "error.type": "sent_differently" }), 1);
    assert.equal(collector.value("ask_user.answers.refused"), 2);
    assert.equal(collector.value("ask_user.delivery.retries", { "ask_user.delivery": "answer" }), 1);
    assert.equal(collector.value("http.server.request.duration", { "http.route": "/conversations/{id}/respond", "http.response.status_code": 200 }), 2);
    assert.ok(collector.value("gen_ai.client.operation.duration") >= 3 && collector.value("ask_user.tool.duration") === 3);

    const other = await host.begin();
    const state = await asked(host, other);
    const walk = formed(state);
    walk.reply("Not now");
    assert.equal((await send(host, other, state, walk, "r")).status, 200);
    await asked(host, other, [state.tool_call_id]);
    assert.equal((await host.ask("POST", `/conversations/${other}/cancel`, {})).status, 200);
    await collector.until((all) => all.value("ask_user.answers", { "ask_user.outcome": "replied" }) === 1 && all.value("ask_user.answers", { "ask_user.outcome": "turn_ended" }) === 1);
  }));

test("a question that is open when its host is killed is traced and counted by the next process, and so is what that takes over", () =>
  within({ settings: { pace: 400, lease: 1_000 }, environment: exporting(collector) }, async (host) => {
    const begins = client();
    const id = await host.begin("Go on.", begins.headers);
    const working = await host.begin();
    await asked(host, id);
    // This one is answered: its tool or model is at work when the process ends.
    await asked(host, working);
    assert.equal((await answer(host, working, NO)).status, 200);
    await collector.until(({ spans }) => spans.find(({ name, trace }) => name === "execute_tool ask_user" && trace === begins.trace));
    await host.kill();
    collector.requests = collector.requests.filter(({ path }) => path === "/v1/traces");
    await host.start();
    await idle(host, working);
    await collector.until((all) => all.value("ask_user.lease.takeovers") === 1);
    const taken = await collector.until(({ spans }) => spans.find(({ name }) => name === "take_over"));
    await collector.until(({ spans }) => spans.some(({ name, parent }) => name === "chat script" && parent === taken.id));
    assert.equal((await answer(host, id, NO)).status, 200);
    const question = await collector.until(({ spans }) => spans.find(({ name, trace }) => name === "ask_user.question" && trace === begins.trace));
    const tool = collector.spans.find(({ id }) => id === question.parent);
    assert.equal(tool.name, "execute_tool ask_user");
    assert.notEqual(question.resource["service.instance.id"], tool.resource["service.instance.id"]);
  }));

test("a lease that ended while its process stood still is counted", { skip: process.env.DATABASE === "postgres" ? false : "a file has one host" }, () =>
  within({ settings: { lease: 1_000 }, environment: exporting(collector) }, async (host) => {
    await asked(host, await host.begin());
    await collector.until((all) => all.value("ask_user.outbox.length") === 0);
    assert.equal(collector.value("ask_user.lease.lost"), undefined);
    host.signal("SIGSTOP");
    await pause(2_000);
    host.signal("SIGCONT");
    await collector.until((all) => all.value("ask_user.lease.lost") === 1);
  }));

test("the collector gets the headers and the description of the process that were set", () => {
  const environment = exporting(collector, { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of%20the%20collector", OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test", OTEL_SERVICE_NAME: "questions" });
  return within({ environment }, async (host) => {
    await host.begin();
    const [span] = await collector.until(({ spans }) => spans.length && spans);
    assert.equal(span.resource["service.name"], "questions");
    assert.equal(span.resource["deployment.environment.name"], "test");
    assert.ok(span.resource["service.instance.id"] && span.resource["service.version"]);
    for (const { headers, method } of collector.requests) {
      assert.deepEqual([method, headers.authorization, headers["content-type"]], ["POST", "Bearer of the collector", "application/x-protobuf"]);
    }
  });
});

test("the host's own options count before OpenTelemetry's variables, and nothing is exported without an address or where the SDK is disabled", async () => {
  const environment = exporting({ url: "http://127.0.0.1:9" }, { ASK_USER_HOST_SERVICE_NAME: "own", OTEL_SERVICE_NAME: "other" });
  await within({ options: ["--otlp-endpoint", `${collector.url}/`], environment }, async (host) => {
    await host.begin();
    const [span] = await collector.until(({ spans }) => spans.length && spans);
    assert.equal(span.resource["service.name"], "own");
  });
  collector.requests = [];
  for (const environment of [{}, exporting(collector, { OTEL_SDK_DISABLED: "true" }), exporting(collector, { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" })]) {
    await within({ environment }, async (host) => {
      await asked(host, await host.begin("Go on.", client().headers));
      await host.stop();
      assert.ok(!host.log.includes("telemetry is exported"));
    });
  }
  assert.deepEqual(collector.requests, []);
  await assert.rejects(AgentHost.start({ environment: exporting(collector, { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }) }), /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf/);
});

test("a trace that the client does not sample is not exported", () =>
  within({ environment: exporting(collector) }, async (host) => {
    const [without, sampled] = [client(), client()];
    await host.begin("Go on.", { traceparent: `00-${without.trace}-${without.id}-00` });
    await host.begin("Go on.", sampled.headers);
    await collector.until(({ spans }) => spans.some(({ trace, name }) => trace === sampled.trace && name === "execute_tool ask_user"));
    assert.ok(!collector.spans.some(({ trace }) => trace === without.trace));
  }));

test("a traceparent that is none begins a trace of the host's own, and health checks begin none", () =>
  within({ environment: exporting(collector) }, async (host) => {
    for (const traceparent of ["", "x", "00-00000000000000000000000000000000-0000000000000000-01", "ff-".padEnd(60, "0"), `00-${"a".repeat(32)}-${"b".repeat(16)}-zz`, "-".repeat(9_000)]) {
      assert.equal((await host.ask("POST", "/conversations", {}, { traceparent })).status, 201);
    }
    for (const path of ["/health", "/ready"]) assert.equal((await fetch(host.url + path)).status, 200);
    await collector.until(({ spans }) => spans.filter(({ name }) => name === "POST /conversations").length === 6);
    await collector.until((all) => all.value("http.server.request.duration", { "http.route": "/ready" }) === 1);
    for (const { name, parent } of collector.spans) {
      assert.ok(name !== "GET /health" && name !== "GET /ready" && name !== "check", name);
      if (name.startsWith("POST")) assert.equal(parent, "");
    }
  }));

test("a line of the log names the span in which it was written", async () => {
  const model = await ModelServer.start();
  const options = ["--model", model.url, "--model-name", "test-model", "--retry-pause", 1];
  try {
    await within({ options, environment: exporting(collector) }, async (host) => {
      model.gives(failure(500, "no"), reply("Hello."));
      const begins = client();
      await idle(host, await host.begin("Go on.", begins.headers));
      const chat = await collector.until(({ spans }) => spans.find(({ name }) => name === "chat test-model"));
      const line = lines(host).find(({ message }) => message.startsWith("model: attempt 1 failed"));
      assert.deepEqual([line.trace_id, line.span_id], [begins.trace, chat.id]);
      const outside = lines(host).find(({ message }) => message === "a lease begins");
      assert.ok(!("trace_id" in outside) && !("span_id" in outside));
    });
  } finally {
    await model.close();
  }
});
