// A collector that is down, slow, refuses, or answers with garbage. The host works as if there were none, and loses no answer.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { CERTIFICATE, KEY } from "../js/model-server-certificate.mjs";
import { Collector } from "./collector.mjs";
import { answer, asked, exporting, idle, lines, within } from "./hosts.mjs";

const NO = { apply: false, reason: "Smaller batches" };

let collector;
beforeEach(async () => (collector = await Collector.start()));
afterEach(() => collector.close());

/** A whole conversation; the results of its calls. */
async function talk(host) {
  const id = await host.begin();
  await asked(host, id);
  assert.equal((await answer(host, id, NO)).status, 200);
  await idle(host, id);
  const results = await host.results(id);
  assert.deepEqual(Object.values(results).map((list) => list.length), [1, 1, 1]);
}

const said = (host, text) => lines(host).filter(({ message }) => message.includes(text));

for (const how of ["refuse", "forbid", "garbage", "endless", "broken", "reset", "silent"]) {
  test(`a collector that answers with "${how}" costs no answer, and gets what comes once it takes it again`, () =>
    within({ environment: exporting(collector, { OTEL_EXPORTER_OTLP_TIMEOUT: "300" }) }, async (host) => {
      collector.answers = how;
      for (let count = 0; count < 5; count += 1) await talk(host);
      await collector.until(({ requests }) => requests.length > 2);
      // What says that it was taken is believed.
      const isHeard = how !== "garbage";
      if (isHeard) await collector.until(() => said(host, "cannot be exported").length >= 1, "a line in the log");
      collector.answers = "take";
      await talk(host);
      await collector.until(({ spans }) => spans.some(({ name }) => name === "ask_user.question"));
      if (isHeard) await collector.until(() => said(host, "are exported again").length >= 1, "a line in the log");
      // The log says it when it changes, not each time.
      assert.ok(said(host, "cannot be exported").length <= 4, host.log);
      assert.equal(await host.stop(), 0);
    }));
}

test("a collector that is down costs no answer, and gets what comes once it is there", () =>
  within({ environment: exporting(collector) }, async (host) => {
    await collector.close();
    for (let count = 0; count < 5; count += 1) await talk(host);
    await collector.until(() => said(host, "cannot be exported").length >= 1, "a line in the log");
    assert.match(said(host, "cannot be exported")[0].error, /cannot be reached/);
    await collector.open();
    await talk(host);
    await collector.until(({ spans }) => spans.some(({ name }) => name === "ask_user.question"));
  }));

test("what waits for a collector is bounded: more is dropped, and nothing else", () => {
  const few = { OTEL_BSP_MAX_QUEUE_SIZE: "16", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "8", OTEL_EXPORTER_OTLP_TIMEOUT: "60000" };
  return within({ environment: exporting(collector, few) }, async (host) => {
    collector.answers = "silent";
    await talk(host);
    await collector.until(({ requests }) => requests.some(({ path }) => path === "/v1/traces"));
    for (let count = 0; count < 10; count += 1) await talk(host);
    const before = collector.requests.filter(({ path }) => path === "/v1/traces").length;
    assert.equal(before, 1, "a second export began before the first ended");
    // The exports that hang end, and what had waited comes.
    await collector.close();
    await collector.open();
    collector.answers = "take";
    await host.stop();
    assert.ok(collector.spans.length > 0 && collector.spans.length <= 16 + 8 * 2, `${collector.spans.length} spans`);
  });
});

test("a host that is told to end exports what is left first", () => {
  const later = { OTEL_BSP_SCHEDULE_DELAY: "3600000", OTEL_METRIC_EXPORT_INTERVAL: "3600000" };
  return within({ environment: exporting(collector, later) }, async (host) => {
    await talk(host);
    assert.equal(collector.requests.length, 0);
    assert.equal(await host.stop(), 0);
    assert.ok(collector.spans.some(({ name }) => name === "ask_user.question"));
    assert.equal(collector.value("ask_user.answers"), 1);
  });
});

test("a host that is told to end does not wait for a collector that never answers", () =>
  within({ environment: exporting(collector, { OTEL_EXPORTER_OTLP_TIMEOUT: "3600000" }) }, async (host) => {
    collector.answers = "silent";
    await talk(host);
    assert.equal(await host.stop(), 0);
    assert.ok(said(host, "the last traces and metrics could not be exported").length === 1, host.log);
  }));

test("a collector that takes connections and says nothing costs no answer", async () => {
  const sockets = new Set();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  try {
    const environment = exporting({ url: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}` }, { OTEL_EXPORTER_OTLP_TIMEOUT: "200" });
    await within({ environment }, async (host) => {
      for (let count = 0; count < 5; count += 1) await talk(host);
      await collector.until(() => said(host, "did not answer within 200 ms").length + lines(host).filter(({ error }) => error?.includes("did not answer within 200 ms")).length, "a line in the log");
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

test("a collector whose certificate is not trusted gets nothing; one that is trusted gets everything", async () => {
  const secure = await Collector.start({ cert: CERTIFICATE, key: KEY });
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const file = join(folder, "own.pem");
  writeFileSync(file, CERTIFICATE);
  try {
    await within({ environment: exporting(secure) }, async (host) => {
      await talk(host);
      await collector.until(() => lines(host).find(({ error }) => error === "the certificate of the collector is not trusted"), "a line in the log");
    });
    assert.deepEqual(secure.requests, []);
    await within({ environment: exporting(secure, { SSL_CERT_FILE: file, SSL_CERT_DIR: "" }) }, async (host) => {
      await talk(host);
      await secure.until(({ spans }) => spans.some(({ name }) => name === "ask_user.question"));
    });
  } finally {
    rmSync(folder, { recursive: true });
    await secure.close();
  }
});
