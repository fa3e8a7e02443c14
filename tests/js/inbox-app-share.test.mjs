// `ask-user --share` and `--public`: the page from other devices and behind a reverse proxy, what only this machine may do, and who is refused.
import assert from "node:assert/strict";
import { createServer, request as ask } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { inNetwork, publicAddress } from "../../pkg/src/inbox/share.js";
import { launch } from "./browser.mjs";
import { Home } from "./inbox-app.mjs";
import { Person } from "./person.mjs";
import { takesAnswers, until } from "./wait.mjs";

const { renderUnicodeCompact } = createRequire(new URL("../../pkg/package.json", import.meta.url))("uqr");

const GO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };
/** This machine, as others see it. Without a network, there is nobody to share with. */
const [HERE] = inNetwork();
const skip = HERE ? false : "this machine has no address in a network";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());
let home;
const ends = [];
beforeEach(() => (home = new Home()));
afterEach(async () => {
  while (ends.length) await ends.pop()();
  await home.end();
});

/** The addresses that the command printed for other devices. */
const printed = (out = home.inbox.out) => out.slice(out.indexOf("From another device")).match(/https?:\S+#code=\w+/g) ?? [];

/** A request of which every header is said: `{ status, body }`. */
const raw = (address, path, /** @type {{ method?: any, headers?: any, body?: any }} */ { method = "GET", headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(address);
    const sent = ask({ hostname, port, path, method, headers: { Host: host, ...(body && { "Content-Type": "application/json" }), ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece)).on("end", () => resolve({ status: response.statusCode, text, body: /^\{/.test(text) ? JSON.parse(text) : undefined }));
    });
    sent.on("error", reject).end(body && JSON.stringify(body));
  });

/** Opens a page in a browser of its own. */
async function opens(address) {
  const page = await browser.page("/blank");
  ends.push(() => page.context().close());
  await page.goto(address);
  await page.locator("main").waitFor();
  return page;
}

const put = async (request, more) => (await home.program("POST", "/questions", { request, ...more })).body.id;
const yes = async (page) => {
  await takesAnswers(page, "[data-question=go]");
  await new Person(page).find("[data-answer=yes]").click();
};

/** A reverse proxy, at a path: `isKept`, whether it leaves that in the requests; `host`, which host it names. Gives its address. */
async function proxied({ path = "/", isKept = false, host, forwarded = true }) {
  const proxy = createServer((incoming, outgoing) => {
    if (!incoming.url.startsWith(path)) return void outgoing.writeHead(404).end();
    const inbox = new URL(home.address);
    const headers = { ...incoming.headers, ...(host === "own" && { host: inbox.host }), ...(forwarded && { "x-forwarded-for": "203.0.113.9" }) };
    const url = isKept ? incoming.url : incoming.url.slice(path.length - 1);
    const sent = ask({ hostname: inbox.hostname, port: inbox.port, method: incoming.method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    });
    outgoing.once("close", () => sent.destroy());
    incoming.pipe(sent.on("error", () => outgoing.destroy()));
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve)));
  ends.push(() => (proxy.closeAllConnections(), proxy.close()));
  return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (proxy.address()).port}${path}`;
}

test("without --share, nothing beyond this machine can connect", { skip }, async () => {
  const { port } = new URL(await home.start());
  assert.deepEqual(printed(), []);
  let fault;
  const socket = connect(Number(port), HERE).once("error", (/** @type {any} */ { code }) => (fault = code));
  ends.push(() => socket.destroy());
  await until(() => fault, "a refusal");
  assert.equal(fault, "ECONNREFUSED");
});

test("a phone opens the page once, by the code in the terminal, and answers there", { skip }, async () => {
  await home.start("--share");
  const [address, ...more] = printed();
  assert.match(address, new RegExp(`^http://${HERE.replaceAll(".", "\\.")}:\\d+/#code=[0-9a-f]{32}$`));
  assert.equal(more.length, inNetwork().length - 1);
  assert.ok(home.inbox.out.includes(renderUnicodeCompact(address, { border: 2 })));
  assert.match(home.inbox.out, /others in this network can read/);
  const id = await put(GO);
  const page = await opens(address);
  await yes(page);
  assert.deepEqual((await home.program("GET", `/questions/${id}?wait=20`)).body.result, { go: true });
  assert.equal(page.url(), address.replace(/#.*/, ""));
  await page.reload();
  await page.getByText("No agent is asking anything.").waitFor();
  const second = await opens(address);
  await second.getByText("Open this page with the address that ask-user printed.").waitFor();
  second.faults.length = 0;
  // A command that finds the inbox prints other ones.
  const [another] = printed((await home.run([])).out);
  assert.ok(another && another !== address);
  await (await opens(another)).getByText("No agent is asking anything.").waitFor();
});

test("beyond this machine, no address of programs answers, and every other one asks for a key", { skip }, async () => {
  await home.start("--share");
  const there = new URL(printed()[0]).origin;
  const { ask: token, page } = home.read("tokens.json");
  for (const [method, path, bearer] of /** @type {any[][]} */ ([["POST", "/codes", page], ["POST", "/questions", token], ["GET", "/questions?owner=x", token], ["POST", "/mcp", token], ["GET", "/mcp", token], ["GET", "/openapi.json"]])) {
    const { status, body } = await raw(there, path, { method, headers: bearer && { Authorization: `Bearer ${bearer}` }, body: method === "POST" ? { request: GO } : undefined });
    assert.deepEqual([status, body.error], [403, "only_here"], path);
  }
  for (const [method, path] of [["POST", "/session"], ["GET", "/s/x/events"], ["GET", "/s/x/receipts"]]) assert.equal((await raw(there, path, { method })).status, 401, path);
  const health = (await raw(there, "/health?nonce=x")).body;
  assert.deepEqual(Object.keys(health).sort(), ["ask_user", "run"]);
  // Other names, other places of this machine, and pages of other origins.
  const { host, port } = new URL(there);
  const own = new URL(home.address).host;
  for (const headers of [{ Host: "evil.example" }, { Host: `evil.example:${port}` }, { Host: own }, { Host: `localhost:${port}` }, { Host: `0.0.0.0:${port}` }, { Origin: "http://evil.example" }, { Origin: "null" }, { Origin: home.address }, { Origin: `https://${host}` }]) {
    for (const path of ["/", "/health", "/session"]) assert.equal((await raw(there, path, { method: path === "/session" ? "POST" : "GET", headers })).status, 403, JSON.stringify(headers));
  }
  assert.equal((await raw(home.address, "/", { headers: { Host: host } })).status, 403);
  assert.equal((await raw(there, "/", { headers: { Origin: there } })).status, 200);
  assert.deepEqual((await home.program("POST", "/questions", { request: GO })).status, 201);
});

test("with --local-approvals, other devices answer questions, and no approvals", { skip }, async () => {
  await home.start("--share", "--local-approvals");
  const person = await home.person();
  const page = await opens(printed()[0]);
  const { device, key } = await page.evaluate(() => JSON.parse(localStorage.getItem("ask-user inbox secret")));
  assert.equal(home.read("devices.json").find(({ id }) => id === device).isShared, true);
  const approvals = [
    [{ subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm -rf build" } }, { dialect: "claude" }, { q1: { type: "approve" } }],
    [{ questions: [{ id: "go", text: "Delete it?", answer_type: "boolean", danger: true }] }, {}, { go: true }],
    [{ questions: [GO.questions[0], { id: "next", text: "Delete it?", answer_type: "boolean", danger: true }] }, {}, { go: true, next: true }],
    [{ questions: [{ id: "go", text: "Which?", answer_type: "select", options: ["no", { label: "yes", danger: true }] }] }, {}, { go: "no" }],
    [GO, { approval: true }, { go: true }],
  ];
  // Whichever address of the inbox it uses, and whatever it says of where it is.
  const [there, here] = [new URL(printed()[0]).origin, home.address];
  const hidden = await home.key({ device, key });
  for (const [request, more, answers] of approvals) {
    const id = await put(request, more);
    await page.getByText("This can be answered only on the machine where the inbox runs.").waitFor();
    assert.equal(await page.locator("ask-user").count(), 0);
    for (const [place, act, method] of /** @type {any[][]} */ ([[there, "respond", "POST"], [here, "respond", "POST"], [there, "cancel", "POST"], [there, "walk", "PUT"]])) {
      const { status, body } = await raw(place, `/s/${hidden}/conversations/${id}/${act}`, { method, body: { answers } });
      assert.deepEqual([status, body.error], [403, "only_here"], `${act} ${JSON.stringify(request)}`);
    }
    assert.equal((await person.answer(id, answers)).status, 200);
    await person.sees(0);
  }
  // A request that a proxy has passed on is none of this machine.
  const id = await put(GO, { approval: true });
  const path = `/s/${person.key}/conversations/${id}/respond`;
  assert.equal((await raw(home.address, path, { method: "POST", body: { answers: { go: true } }, headers: { "X-Forwarded-For": "203.0.113.9" } })).status, 403);
  assert.equal((await person.answer(id, { go: true })).status, 200);
  const plain = await put(GO);
  await yes(page);
  assert.deepEqual((await home.program("GET", `/questions/${plain}?wait=20`)).body.result, { go: true });
});

for (const [name, given] of /** @type {[string, any][]} */ (Object.entries({
  "takes its path off and keeps the host": { path: "/tools/inbox/" },
  "keeps its path and the host": { path: "/inbox/", isKept: true },
  "names this machine as the host": { path: "/inbox/", host: "own" },
  "keeps its path, and names this machine as the host": { path: "/inbox/", isKept: true, host: "own", forwarded: false },
  "says nothing of what it passes on": { path: "/", host: "own", forwarded: false },
}))) {
  test(`behind a reverse proxy that ${name}, the page is opened and answers`, async () => {
    let inbox;
    // The proxy has to be known before the inbox starts.
    const address = await proxied(given);
    inbox = await home.start("--public", address.replace(/(.)\/$/, "$1"), "--local-approvals");
    const [opening, ...more] = printed();
    assert.deepEqual([opening.replace(/#.*/, ""), more.length], [address, 0]);
    const id = await put(GO);
    const page = await opens(opening);
    await yes(page);
    assert.deepEqual((await home.program("GET", `/questions/${id}?wait=20`)).body.result, { go: true });
    await page.reload();
    await page.getByText("No agent is asking anything.").waitFor();
    await put(GO, { approval: true });
    await page.getByText("This can be answered only on the machine where the inbox runs.").waitFor();
    // The address of this machine is as before, and other names are refused.
    const { host } = new URL(address);
    for (const headers of [{ Host: "evil.example" }, { Host: host, Origin: "http://evil.example" }, { Host: host, Origin: inbox }, { Origin: "http://evil.example" }]) assert.equal((await raw(inbox, "/", { headers })).status, 403, JSON.stringify(headers));
    const { ask: token } = home.read("tokens.json");
    for (const headers of /** @type {any[]} */ ([{ Host: host }, { Origin: new URL(address).origin }, { "X-Forwarded-For": "203.0.113.9" }, { Via: "1.1 proxy" }])) assert.equal((await raw(inbox, "/questions", { method: "POST", body: { request: GO }, headers: { Authorization: `Bearer ${token}`, ...headers } })).status, 403);
    await (await opens(await home.page())).getByText("Go on?").first().waitFor();
  });
}

test("an address that is none of a page is refused, and options that come too late are told", async () => {
  for (const wrong of ["https://home.example/s/", "https://home.example/mcp", "home.example", "ftp://home.example", "https://user:x@home.example/", "https://home.example/?x", "https://home.example/#x", ""]) {
    assert.throws(() => publicAddress(wrong), /--public must/, wrong);
    assert.equal((await home.run(["--public", wrong])).code, 1);
  }
  assert.equal(publicAddress("https://home.example/inbox").href, "https://home.example/inbox/");
  await home.start();
  for (const words of [["--share"], ["--public", "https://home.example/"], ["--local-approvals"]]) assert.match((await home.run(words)).err, /options were not used/);
});
