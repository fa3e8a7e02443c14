// The protocol's own conformance tests for servers, against the address /mcp of the inbox. `npm ci` in this folder, then `node --import=../dist.mjs --test mcp-conformance.test.mjs`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Home } from "../js/inbox-app.mjs";

const COMMAND = fileURLToPath(new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url));

/** The scenarios that apply to this server, and how many checks of each pass. */
const APPLY = { "server-initialize": 1, ping: 1, "tools-list": 1, "server-sse-polling": 0, "server-sse-multiple-streams": 1, "dns-rebinding-protection": 2 };
/** What the others need: capabilities that this server does not declare, and tools that only a server made for the tests has. */
const OTHERS = /^(logging|completion|resources|prompts)-|^tools-call-|^json-schema-2020-12$|^elicitation-sep/;

let home;
let proxy;
before(async () => {
  home = new Home();
  const address = await home.start();
  const { host, hostname, port } = new URL(address);
  const { ask } = home.read("tokens.json");
  // The tests cannot send a token: what passes their requests on adds it, and leaves what they say of hosts and origins as it is.
  proxy = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${proxy.address().port}`;
    const headers = { ...incoming.headers, authorization: `Bearer ${ask}` };
    if (headers.host === own) headers.host = host;
    if (headers.origin === `http://${own}`) headers.origin = address;
    const sent = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    });
    outgoing.once("close", () => sent.destroy());
    incoming.pipe(sent.on("error", () => outgoing.destroy()));
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await home.end();
});

/** Runs the command of the tests: `{ code, out }`. */
const run = (...words) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [COMMAND, ...words], { cwd: home.path, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (out += text));
    child.once("close", (code) => resolve({ code, out }));
  });

for (const [scenario, checks] of Object.entries(APPLY)) {
  test(`the scenario ${scenario} passes`, async () => {
    const { code, out } = await run("server", "--url", `http://127.0.0.1:${proxy.address().port}/mcp`, "--scenario", scenario);
    assert.equal(code, 0, out);
    assert.match(out, new RegExp(`Passed: ${checks}/${checks}, 0 failed`), out);
  });
}

test("every other scenario needs a capability or a tool that the inbox does not have", async () => {
  const { out } = await run("list", "--server");
  const all = [...out.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name);
  assert.ok(all.length > 20, out);
  assert.deepEqual(all.filter((name) => !OTHERS.test(name)).sort(), Object.keys(APPLY).sort());
});
