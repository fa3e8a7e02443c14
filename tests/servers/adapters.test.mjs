// The host for JavaScript behind the servers that people use, each the real package: they keep to docs/delivery.md as Node's own server does.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { listener, plugin } from "../../pkg/dist/host.listener.js";
import { createHost, memory } from "../../pkg/dist/host.node.js";
import { conformsOverHttp, keepsVersions } from "../js/conformance.mjs";
import { TOOLS, begin, due, scripted } from "../js/js-host.mjs";
import { until } from "../js/wait.mjs";

/** Starts a server that answers `/hello` itself; gives its server of node:http. */
const SERVERS = {
  async Express(host) {
    const app = express();
    app.use(listener(host));
    app.get("/hello", (request, response) => void response.send("hello"));
    return listening(createServer(app));
  },
  async "Express, after a middleware that reads bodies"(host) {
    const app = express();
    app.use(express.json({ limit: "8mb" }));
    app.use(listener(host));
    app.get("/hello", (request, response) => void response.send("hello"));
    app.use((error, request, response, next) => (error.status ? void response.status(error.status).json({ message: error.message }) : next(error)));
    return listening(createServer(app));
  },
  async Fastify(host) {
    const app = fastify({ forceCloseConnections: true });
    app.register(plugin(host));
    app.get("/hello", async () => "hello");
    await app.listen({ port: 0, host: "127.0.0.1" });
    return app.server;
  },
  async Hono(host) {
    const app = new Hono();
    app.all("/conversations", (context) => host.handle(context.req.raw));
    app.all("/conversations/*", (context) => host.handle(context.req.raw));
    app.get("/hello", (context) => context.text("hello"));
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(server));
    });
  },
};

const listening = (server) => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));

for (const [name, start] of Object.entries(SERVERS)) {
  const host = createHost({ store: memory(), agent: scripted, tools: TOOLS });
  const server = await start(host);
  const url = `http://127.0.0.1:${server.address().port}`;
  after(() => {
    host.close();
    server.closeAllConnections();
    server.close();
  });
  const target = { due: () => due(url) };
  conformsOverHttp(name, target);
  keepsVersions(name, target);

  test(`${name}: the application's own routes are left alone`, async () => {
    assert.equal(await (await fetch(`${url}/hello`)).text(), "hello");
    assert.equal((await fetch(`${url}/none`)).status, 404);
  });

  test(`${name}: a client that goes away is forgotten`, async () => {
    await host.settled();
    const { at, opens } = await begin(url);
    const stop = new AbortController();
    const response = await fetch(`${at}/events`, { headers: opens, signal: stop.signal });
    await response.body.getReader().read();
    assert.ok(host.inMemory > 0);
    stop.abort();
    await until(() => host.inMemory, "an empty memory", (count) => count === 0);
  });
}
