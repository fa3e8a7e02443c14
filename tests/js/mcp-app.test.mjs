// The MCP App in a host made with the host library of the extension, and a server of the official SDK behind it.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { POLICY } from "../../playground/server.mjs";
import { makeServer } from "../../examples/mcp-app/server.mjs";
import { launch, WATCH } from "./browser.mjs";
import { file } from "./package-files.mjs";
import { until } from "./wait.mjs";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const from = createRequire(new URL("../../examples/package.json", import.meta.url));
const { build } = createRequire(new URL("../../pkg/package.json", import.meta.url))("esbuild");
const { Client } = from("@modelcontextprotocol/sdk/client/index.js");
const { InMemoryTransport } = from("@modelcontextprotocol/sdk/inMemory.js");

/** What the extension says a view may do by default, and what a server asks for besides. */
const viewPolicy = (domains) => `default-src 'none'; script-src 'self' 'unsafe-inline' ${domains}; style-src 'self' 'unsafe-inline'; connect-src 'none'`;
const HOST = `<!doctype html><html lang="en"><title>host</title>${WATCH}<script type="module" src="/host.js"></script>`;
const HOST_JS = `
  import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
  window.view = async (address, { capabilities = { serverTools: {}, openLinks: {} }, context = {} } = {}) => {
    window.said = { sizes: [], messages: [], contexts: [], links: [] };
    const frame = Object.assign(document.createElement("iframe"), { sandbox: "allow-scripts", height: 400 });
    document.body.replaceChildren(frame);
    window.bridge = new AppBridge(null, { name: "test host", version: "1" }, capabilities, { hostContext: context });
    window.initialized = new Promise((resolve) => (window.bridge.oninitialized = resolve));
    window.bridge.onsizechange = (size) => window.said.sizes.push(size);
    window.bridge.onmessage = async (message) => (window.said.messages.push(message), {});
    window.bridge.onupdatemodelcontext = async (update) => (window.said.contexts.push(update), {});
    window.bridge.onopenlink = async ({ url }) => (window.said.links.push(url), {});
    if (capabilities.serverTools) window.bridge.oncalltool = async (params) => (await fetch("/tool", { method: "POST", body: JSON.stringify(params) })).json();
    await window.bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.src = address;
    await window.initialized;
  };`;
const REQUEST = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }, { id: "key", text: "Which key?", answer_type: "secret", when: { question_id: "go", equals: true } }] };

let browser;
let client;
let view;
const ended = [];
before(async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  client = new Client({ name: "test host", version: "1" });
  await Promise.all([makeServer((end) => ended.push(end)).connect(theirs), client.connect(ours)]);
  const { contents: [content] } = await client.readResource({ uri: "ui://ask-user/form.html" });
  assert.equal(content.mimeType, "text/html;profile=mcp-app");
  const domains = content._meta.ui.csp.resourceDomains.join(" ");
  const { outputFiles: [bundle] } = await build({ stdin: { contents: HOST_JS, resolveDir: examples }, bundle: true, format: "esm", write: false });
  const pages = {
    // The host's own library looks whether it may evaluate text.
    "/host": { content: HOST, policy: `${POLICY.split("; require")[0].replace("'self' '", "'self' 'unsafe-eval' '")}; frame-src *` },
    "/host.js": bundle.text,
    "/view": { content: content.text, policy: viewPolicy(domains) },
    "/view-without-wasm": { content: content.text, policy: viewPolicy("") },
  };
  browser = await launch({ pages });
  // The host's own server is a client of the tool's.
  browser.meddle = async (request, response, forward) => {
    if (request.url !== "/tool") return forward();
    response.end(JSON.stringify(await client.callTool(JSON.parse(await text(request)))));
  };
  view = `${browser.url.replace("127.0.0.1", "localhost")}/view`;
});
after(() => browser.close());

/** A page that is the host, with a view in it that has said that it is there. */
async function hosted(address = view, options = {}) {
  const page = await browser.page("/host");
  await page.waitForFunction(() => window.view);
  await page.evaluate(([address, options]) => window.view(address, options), [address, options]);
  return { page, find: (selector) => page.frameLocator("iframe").locator(selector), said: () => page.evaluate(() => window.said) };
}
const input = (page, request) => page.evaluate((request) => window.bridge.sendToolInput({ arguments: request }), request);
/** The call of the model, which waits for the person; and its id, as the host has it. */
async function called(request) {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "ask_user");
  const stop = new AbortController();
  const result = client.callTool({ name: "ask_user", arguments: request }, undefined, { signal: stop.signal });
  result.catch(() => {});
  return { result, stop, toolInfo: { id: client._requestMessageId - 1, tool } };
}

test("the view answers the call that waits: read again by the server, secrets for it alone", async () => {
  const { result, toolInfo } = await called(REQUEST);
  const { page, find, said } = await hosted(view, { context: { toolInfo, theme: "dark", styles: { variables: { "--color-text-primary": "rgb(1, 2, 3)" } } } });
  await input(page, REQUEST);
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  await find("[data-delivery=sent]").waitFor();
  const { content } = await result;
  assert.deepEqual(JSON.parse(content[0].text), { go: true, key: "[redacted]" });
  const { outcome, records } = ended.at(-1);
  assert.deepEqual([outcome.secrets, records.length], [{ key: "hunter2" }, 4]);
  const { sizes, messages } = await said();
  assert.ok(sizes.length > 0 && sizes.every(({ width, height }) => width > 0 && height >= 0));
  assert.deepEqual(messages, []);
  // The host's looks are the form's.
  const looks = await find("ask-user").evaluate((element) => [getComputedStyle(element).colorScheme, getComputedStyle(element.shadowRoot.querySelector(".base")).color]);
  // The browser writes a mixed colour with parts of 1.
  const bytes = looks[1].match(/[\d.]+/g).map((part) => Math.round(255 * Number(part)));
  assert.deepEqual([looks[0], ...bytes], ["dark", 1, 2, 3]);
  await page.evaluate(() => window.bridge.setHostContext({ theme: "light" }));
  await until(() => find("ask-user").evaluate((element) => getComputedStyle(element).colorScheme), "the light look", (scheme) => scheme === "light");
  // Its own result closes nothing that was answered here.
  await page.evaluate((content) => window.bridge.sendToolResult({ content }), content);
  await find("[data-delivery=sent]").waitFor();
  await page.evaluate(() => window.bridge.teardownResource({}));
  assert.equal(await find("ask-user").count(), 0);
  assert.deepEqual(page.faults, []);
});

test("an answer that the server does not take is said, kept, and sent again", async () => {
  const { result, toolInfo } = await called(REQUEST);
  const { page, find } = await hosted(view, { context: { toolInfo: { ...toolInfo, id: 999 } } });
  await input(page, REQUEST);
  await find("[data-way=end-turn]").click();
  await find("[data-end-turn]").click();
  await find("[data-delivery=failed]").getByText("not open any more").waitFor();
  // The server heard of it by another way in the meantime: what is said twice is said to the same call.
  const again = await hosted(view, { context: { toolInfo } });
  await input(again.page, REQUEST);
  await again.find("[data-way=end-turn]").click();
  await again.find("[data-end-turn]").click();
  await again.find("[data-delivery=sent]").waitFor();
  assert.equal((await result).content[0].text, '{"cancelled": true}');
});

test("without a tool for it, the model gets the result as a message, or in its context", async () => {
  const { page, find, said } = await hosted(view, { capabilities: { message: { text: {} } } });
  await input(page, { question: "Go on?", answer_type: "boolean" });
  // A call that does not wait has its result before anybody could answer.
  await page.evaluate(() => window.bridge.sendToolResult({ content: [] }));
  await find("[data-answer=no]").click();
  await find("[data-delivery=sent]").waitFor();
  assert.deepEqual((await said()).messages, [{ role: "user", content: [{ type: "text", text: '{"answer_type":"boolean","answer":false}' }] }]);
  const other = await hosted(view, { capabilities: { updateModelContext: { text: {} } } });
  await input(other.page, REQUEST);
  await other.find("[data-answer=yes]").click();
  await other.find("[data-field]").fill("hunter2");
  await other.find("[type=submit]").click();
  await other.find("[data-delivery=sent]").waitFor();
  const { contexts } = await other.said();
  assert.deepEqual(contexts[0].structuredContent, { go: true, key: "[redacted]" });
  assert.doesNotMatch(JSON.stringify(contexts), /hunter2/);
});

test("a call that is withdrawn, or answered elsewhere, is open no more", async () => {
  const { toolInfo, stop } = await called(REQUEST);
  for (const end of ["sendToolCancelled", "sendToolResult"]) {
    const { page, find } = await hosted(view, { context: { toolInfo } });
    await input(page, REQUEST);
    await find("[data-answer=yes]").waitFor();
    await page.evaluate((end) => window.bridge[end](end === "sendToolCancelled" ? { reason: "timeout" } : { content: [] }), end);
    await find("p[role=status]").getByText("no longer asked").waitFor();
    assert.equal(await find("ask-user").count(), 0);
  }
  stop.abort();
});

test("links are opened by the host; a request that is no form is told to the model", async () => {
  const { page, find, said } = await hosted(view, { capabilities: { openLinks: {}, message: {} } });
  await input(page, { mode: "url", message: "Sign in", url: "https://example.org/login", elicitationId: "e1" });
  await find("[data-open]").click();
  await page.waitForFunction(() => window.said.links.length > 0);
  assert.deepEqual((await said()).links, ["https://example.org/login"]);
  const other = await hosted(view, { capabilities: { message: {} } });
  await input(other.page, { question: "Go?", answer_type: "perhaps" });
  await other.page.waitForFunction(() => window.said.messages.length > 0);
  assert.match((await other.said()).messages[0].content[0].text, /invalid_request.*unknown_answer_type/);
});

test("a host whose policy lets no wasm run has the form all the same", async () => {
  const { result, toolInfo } = await called(REQUEST);
  const { page, find } = await hosted(view.replace("/view", "/view-without-wasm"), { context: { toolInfo } });
  const options = Array.from({ length: 2_000 }, (_, place) => ({ value: `v${place}`, label: `Option ${place}` }));
  await input(page, REQUEST);
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("hunter2");
  await find("[data-way=back]").click();
  await find("[data-answer=yes]").click();
  await find("[data-field]").fill("hunter2");
  await find("[type=submit]").click();
  await find("[data-delivery=sent]").waitFor();
  assert.deepEqual(JSON.parse((await result).content[0].text), { go: true, key: "[redacted]" });
  triedWasm(page);
  const large = { questions: [{ id: "which", text: "Which?", answer_type: "select", options }, { id: "many", text: "How many?", answer_type: "number" }] };
  const other = await hosted(view.replace("/view", "/view-without-wasm"), { capabilities: { message: { text: {} } } });
  await input(other.page, large);
  // Only the rows in sight are in the document: the filter leads there.
  await other.find("#filter").fill("Option 1999");
  await other.find("#option-1999").check();
  await other.find("[type=submit]").click();
  await other.find("[data-field]").fill("many");
  await other.find("[type=submit]").click();
  await other.find("[data-code=wrong_type]").waitFor();
  await other.find("[data-field]").fill("123456789.0625");
  await other.find("[type=submit]").click();
  await other.find("[data-delivery=sent]").waitFor();
  assert.deepEqual(JSON.parse((await other.said()).messages[0].content[0].text), { which: "v1999", many: 123456789.0625 });
  triedWasm(other.page);
});

/** That wasm was tried is told to the page, at most once. Nothing else is. */
function triedWasm(page) {
  const faults = page.faults.splice(0);
  assert.ok(faults.every((fault) => /wasm-eval/.test(fault)) && faults.length < 2, faults.join());
}

test("a question with a JSON Schema needs wasm, and a host that lets none run is told", async () => {
  const { page, find } = await hosted(view.replace("/view", "/view-without-wasm"), { capabilities: { message: {} } });
  await input(page, { question: "Which?", answer_type: "schema", schema: { type: "integer" } });
  await find("p[role=status]").getByText("wasm-unsafe-eval").waitFor();
  assert.equal(await find("ask-user").count(), 0);
  triedWasm(page);
});

test("nobody but the host is heard", async () => {
  const { page, find } = await hosted(view, { capabilities: { message: {} } });
  await page.frames()[1].evaluate(() => {
    postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { question: "Evil?", answer_type: "boolean" } } }, "*");
  });
  await input(page, { question: "Go on?", answer_type: "boolean" });
  await find("legend").getByText("Go on?").waitFor();
  assert.equal(await find("ask-user").count(), 1);
});

test("the file fetches nothing, and holds its script whole", () => {
  const html = file("mcp-app.html", "utf8");
  assert.equal(html.match(/<\/script/gi).length, 1);
  assert.doesNotMatch(html, /(?:src|href)="/);
});
