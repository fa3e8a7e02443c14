// A whole conversation with the example host, in a browser: what is asked, answered, taken back, declined and ended; what a crash,
// a reload, a second page, a bad network and a bad client do to it. Nothing is lost, nothing is doubled, no secret leaks.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { AgentHost, CHAT } from "./agent-host.mjs";
import { launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { allDone, deadline, passed, takesAnswers, until } from "./wait.mjs";
import { open, resume } from "../../pkg/dist/core.node.js";

const SECRET = "correct-horse-battery-staple";

let host;
let browser;
/** Each listens to its conversation: a browser has few connections to one server. */
const visits = [];
before(async () => {
  host = await AgentHost.start();
  browser = await launch({ pages: CHAT, host: host.url });
});
afterEach(async () => {
  browser.meddle = undefined;
  for (const page of visits.splice(0)) await page.context().close();
});
after(async () => {
  await browser.close();
  await host.close();
});

/** @typedef {Person & { page: import("./browser.mjs").Page, shows(selector: string): Promise<void>, asked(question: string): Promise<void> }} Visitor */

/** A page on a conversation, and a person at it. */
async function visit(id, more = "") {
  const page = await browser.page(host.page(id) + more);
  visits.push(page);
  const person = /** @type {Visitor} */ (new Person(page));
  person.page = page;
  person.shows = async (selector) => person.find(selector).first().waitFor();
  // A question that comes by itself takes nothing before the person has been still.
  person.asked = (question) => takesAnswers(page, `[data-question=${question}]`);
  return person;
}

/** Answers up to the last question, which is for the log. */
async function comeToNote(person) {
  await person.asked("apply");
  await person.find("[data-answer=yes]").click();
  await person.asked("environment");
  await person.find("label[for=option-1]").click();
  await person.asked("note");
}

async function answerAll(person) {
  await comeToNote(person);
  await person.find("[data-field]").fill("filled in at night");
  await person.find("[type=submit]").click();
}

const idle = async (id) => {
  for (let tries = 0; tries < 200; tries += 1) {
    const states = (await host.events(id)).filter(([kind]) => kind === "state_change");
    if (states.at(-1)?.[1].type === "idle") return;
  }
  throw new Error("the agent is not done");
};
const DECISIONS = { apply: true, environment: "production", note: "filled in at night", reason: null };

test("a whole conversation: asked, answered, gone back in, advised against, overruled, and a secret that nobody finds", async () => {
  const id = await host.begin();
  const person = await visit(id);
  await person.asked("apply");
  await person.find("[data-answer=no]").click();
  await person.asked("reason");
  await person.find("[data-way=back]").click();
  await answerAll(person);
  await person.asked("run");
  assert.match(await person.find("[part=advice]").textContent(), /small-reviewer.*hold its lock/);
  assert.equal(await person.find("[part=label]").textContent(), "Question from Migration agent");
  await person.find("[data-answer=yes]").click();
  await person.asked("token");
  await person.find("[data-field]").fill(SECRET);
  const typing = await person.page.evaluate(() => JSON.stringify(window.form().walk));
  await person.find("[type=submit]").click();
  await person.shows("[data-delivery=sent]");
  await idle(id);

  assert.deepEqual(await host.results(id), {
    call_1: [{ statements: 2, rows: 1_200_000 }],
    call_2: [["last night"]],
    call_3: [DECISIONS],
    call_4: [{ ran: true, rows: 1_200_000 }],
    call_5: [{ posted: true }],
  });
  const records = await host.records(id);
  const responses = records.filter(({ type }) => type === "inquiry_response");
  assert.deepEqual(responses.map(({ id, outcome, answer, reason }) => [id, outcome, answer ?? null, reason ?? null]), [
    ["call_3.apply.1", "answered", false, null],
    ["call_3.reason.1", "cancelled", null, "back"],
    ["call_3.apply.2", "answered", true, null],
    ["call_3.environment.1", "answered", "production", null],
    ["call_3.note.1", "answered", "filled in at night", null],
    ["call_4.run.1", "answered", false, "The backfill runs in one piece and would hold its lock for about four minutes."],
    ["call_4.run.2", "answered", true, null],
    ["call_5.token.1", "redacted", null, null],
  ]);

  const markdown = await host.markdown(id);
  assert.match(markdown, /`<redacted>`/);
  const [page, seen] = await person.page.evaluate(() => {
    const walk = (node) => [node, ...node.childNodes, ...(node.shadowRoot?.childNodes ?? [])].flatMap((one) => (one === node ? [one] : walk(one)));
    const nodes = walk(document.documentElement);
    const attributes = nodes.flatMap((node) => [...(node.attributes ?? [])].map(({ name, value }) => `${name}=${value}`));
    const storage = [localStorage, sessionStorage].map((one) => JSON.stringify(one));
    return [[...attributes, ...storage, document.cookie, location.href].join("\n") + window.form().shadowRoot.innerHTML, JSON.stringify(window.form().walk)];
  });
  const places = { typing, page, seen, markdown, records: JSON.stringify(records), events: JSON.stringify(await host.events(id)), log: host.log, stored: host.stored() };
  for (const [place, text] of Object.entries(places)) {
    assert.ok(text.length > 0, place);
    assert.ok(!text.includes(SECRET), `the secret is in ${place}`);
  }
  assert.ok(host.stored().includes("filled in at night"), "the search finds what is there");
  assert.deepEqual(person.page.faults, []);
});

test("a reply keeps what was answered: the agent asks again, with it as drafts; the end of the turn ends it", async () => {
  const id = await host.begin();
  const person = await visit(id);
  await person.asked("apply");
  await person.find("[data-answer=yes]").click();
  await person.asked("environment");
  await person.find("[data-way=reply]").click();
  await person.find("#reply").fill("Is there a backup?");
  await person.find("[data-send-reply]").click();
  await person.asked("apply");
  assert.equal(await person.find("[data-suggested]").getAttribute("data-answer"), "yes");
  await person.find("[data-way=end-turn]").click();
  await person.find("[data-end-turn]").click();
  await idle(id);
  const { call_3: [first], call_4: [second] } = await host.results(id);
  assert.deepEqual(first, { cancelled: true, answered: { apply: true }, reply: "Is there a backup?" });
  assert.equal(second, "User cancelled the question");
  const { status } = await host.ask("POST", `/conversations/${id}/messages`, { text: "Once more." });
  assert.equal(status, 202);
  await person.asked("apply");
});

test("the server is killed and started again, and the page reloaded: the walk is where it was", async () => {
  const id = await host.begin();
  const person = await visit(id);
  await comeToNote(person);
  const saved = new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    browser.meddle = async (request, response, forward) => {
      await forward();
      if (request.url.endsWith("/walk") && response.statusCode === 204) resolve();
    };
  });
  await person.find("[data-field]").fill("half a sen");
  await saved;
  await host.kill();
  await person.shows("[data-offline]");
  await host.start();
  await person.find("[data-offline]").waitFor({ state: "detached" });
  assert.equal(await person.find("[data-field]").inputValue(), "half a sen");
  await person.page.reload();
  await person.asked("note");
  assert.equal(await person.find("[data-field]").inputValue(), "half a sen");
  await person.find("[data-way=back]").click();
  assert.equal(await person.find("#option-1").isChecked(), true);
  await person.find("[type=submit]").click();
  await person.find("[data-field]").fill("filled in at night");
  await host.kill();
  await person.find("[type=submit]").click();
  await person.shows("[data-delivery=retrying]");
  await host.start();
  await person.asked("run");
  assert.deepEqual((await host.results(id)).call_3, [DECISIONS]);
});

test("a question that is answered on one page is closed on the other, which says why", async () => {
  for (const [end, said, how] of /** @type {any[][]} */ ([
    [["[data-answer=no]", "[type=submit]", "[data-empty]", "[type=submit]"], /[Aa]nswered elsewhere/, "answered"],
    [["[data-way=reply]", "[data-send-reply]"], /[Dd]eclined elsewhere/, "declined"],
    [["[data-way=end-turn]", "[data-end-turn]"], /turn was ended elsewhere/, "turn_ended"],
  ])) {
    const id = await host.begin();
    const [one, other] = [await visit(id), await visit(id)];
    await Promise.all([one.asked("apply"), other.asked("apply")]);
    const [{ tool_call_id: call }] = (await host.events(id)).filter(([, data]) => data.type === "awaiting_user_response").map(([, data]) => data);
    for (const selector of end) await one.find(selector).click();
    // When the agent goes on to ask something else, the explanation stands above that.
    await other.shows("[data-closed]");
    const text = await other.find("[data-closed]").textContent();
    assert.deepEqual(await other.page.evaluate(() => window.closings), [{ how, toolCallId: call }]);
    assert.match(text, said);
    assert.deepEqual(other.page.faults, []);
    for (const page of visits.splice(0)) await page.context().close();
  }
});

test("two pages answer at once: one is taken, and the other is told", async () => {
  const id = await host.begin();
  const [one, other] = [await visit(id, "&device"), await visit(id, "&device")];
  await Promise.all([one.asked("apply"), other.asked("apply")]);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  let first = true;
  browser.meddle = async (request, _response, forward) => {
    if (request.url.endsWith("/respond") && first) {
      first = false;
      await held;
    }
    return forward();
  };
  const end = async (person, reason) => {
    await person.find("[data-answer=no]").click();
    await person.find("[data-field]").fill(reason);
    await person.find("[type=submit]").click();
  };
  await end(one, "Too late");
  await one.shows("[data-delivery=sending]");
  await other.find("[data-way=reply]").click();
  await other.find("[data-send-reply]").click();
  await one.shows("[data-closed]");
  assert.match(await one.find("[data-closed]").textContent(), /[Dd]eclined elsewhere/);
  release();
  await one.asked("apply");
  assert.deepEqual((await host.results(id)).call_3, [{ cancelled: true, answered: {} }]);
});

test("a closed question looks like nothing that could be answered", async () => {
  const id = await host.begin();
  const person = await visit(id);
  await person.asked("apply");
  await host.ask("POST", `/conversations/${id}/cancel`, {});
  await person.shows("[data-closed]");
  assert.equal(await person.find("button, input, textarea, a").count(), 0);
  assert.deepEqual(await person.barriers(), []);
  const records = await host.records(id);
  assert.deepEqual(records.map(({ type, reason }) => [type, reason]), [["inquiry_request", undefined], ["inquiry_response", "user"]]);
});

test("a host that fails three times gets the answer once", async () => {
  const id = await host.begin();
  const person = await visit(id);
  let failed = 0;
  browser.meddle = (request, response, forward) => {
    if (!request.url.endsWith("/respond") || failed === 3) return forward();
    failed += 1;
    response.writeHead(500).end();
  };
  await answerAll(person);
  await person.shows("[data-delivery=retrying]");
  // The pauses are the form's own; a person need not wait for them.
  for (let tries = 0; tries < 3; tries += 1) await person.find("[data-delivery=retrying] [data-again]").click();
  await person.asked("run");
  assert.equal(failed, 3);
  assert.deepEqual((await host.results(id)).call_3, [DECISIONS]);
});

test("a connection that is cut after the answer was stored costs nothing, and stores nothing twice", async () => {
  const id = await host.begin();
  const keys = [];
  const streams = [];
  let released;
  const held = new Promise((resolve) => (released = resolve));
  browser.meddle = async (request, response, forward) => {
    // The page hears nothing while its answer is on the way: it must find out by its own second try.
    if (request.url.endsWith("/events")) {
      streams.push(response);
      return keys.length === 1 ? held.then(forward) : forward();
    }
    if (!request.url.endsWith("/respond")) return forward();
    keys.push(request.headers["idempotency-key"]);
    if (keys.length > 1) return forward();
    for (const stream of streams) stream.destroy();
    response.writeHead = () => response;
    response.write = () => true;
    response.end = () => response;
    await forward();
    response.destroy();
  };
  const person = await visit(id);
  await answerAll(person);
  await until(() => keys, "the second try", ({ length }) => length >= 2);
  released();
  await person.asked("run");
  assert.equal(new Set(keys).size, 1);
  assert.deepEqual((await host.results(id)).call_3, [DECISIONS]);
  const answered = (await host.records(id)).filter(({ outcome }) => outcome === "answered");
  assert.equal(answered.length, 3);
});

test("a slow host: the person sees that it is being sent, and sends it once", async () => {
  const id = await host.begin();
  const person = await visit(id);
  let waiting;
  const asked = new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    browser.meddle = (request, _response, forward) => {
      if (!request.url.endsWith("/respond")) return forward();
      return new Promise((go) => {
        waiting = () => go(forward());
        resolve();
      });
    };
  });
  await answerAll(person);
  await asked;
  await person.shows("[data-delivery=sending]");
  assert.equal(await person.find("button").count(), 0);
  waiting();
  await person.asked("run");
  assert.deepEqual((await host.results(id)).call_3, [DECISIONS]);
});

test("an answer that the host refuses is shown with its words, and changes nothing", async () => {
  const id = await host.begin();
  const person = await visit(id);
  browser.meddle = (request, response, forward) => {
    if (!request.url.endsWith("/respond")) return forward();
    response.writeHead(422, { "Content-Type": "application/json" }).end('{"error": "tampered", "message": "It does not begin as this walk does."}');
  };
  await answerAll(person);
  await person.shows("[data-delivery=failed]");
  assert.match(await person.find("[data-delivery=failed]").textContent(), /Couldn't send.*does not begin/);
  assert.equal((await host.results(id)).call_3, undefined);
  browser.meddle = undefined;
  await person.find("[data-delivery=failed] [data-again]").click();
  await person.asked("run");
});

test("event streams that are cut every second: what is typed stays, and every question comes", async () => {
  const id = await host.begin();
  const cut = new Set();
  browser.meddle = (request, response, forward) => {
    if (request.url.includes("/events")) {
      response.on("close", deadline(1_000, () => response.destroy()));
      cut.add(request.headers["last-event-id"] ?? "first");
    }
    return forward();
  };
  const person = await visit(id);
  await comeToNote(person);
  await person.find("[data-field]").pressSequentially("filled in at night", { delay: 200 });
  assert.equal(await person.find("[data-field]").inputValue(), "filled in at night");
  await person.find("[type=submit]").click();
  await person.asked("run");
  await person.find("[data-answer=yes]").click();
  await person.asked("token");
  assert.ok(cut.size > 1, "no stream was taken up where it was cut");
  assert.deepEqual((await host.results(id)).call_3, [DECISIONS]);
});

test("a body with more values than any answer is refused before it is parsed", async () => {
  const id = await host.begin();
  for (const answers of [`[${"1,".repeat(3_900_000)}1]`, `{"a":[${"{},".repeat(2_600_000)}{}]}`, `{${Array.from({ length: 300_000 }, (_, name) => `"${name}":1`).join()}}`]) {
    const path = `/conversations/${id}/respond`;
    const response = await fetch(host.url + path, { method: "POST", headers: { "Content-Type": "application/json", ...host.opens(path) }, body: `{"answers":${answers}}` });
    assert.deepEqual([response.status, (await response.json()).message], [422, "The body has more values than the answers to any form"]);
  }
});

test("the host believes a client for the person alone", async () => {
  const id = await host.begin();
  const person = await visit(id);
  await person.asked("apply");
  const [, state] = (await host.events(id)).find(([, data]) => data.type === "awaiting_user_response");
  const options = { toolCallId: state.tool_call_id, label: state.options.label, source: state.options.source, turn: state.options.turn, dialect: state.dialect };
  const send = (body, key) => host.ask("POST", `/conversations/${id}/respond`, { tool_call_id: state.tool_call_id, ...body }, key && { "Idempotency-Key": key });
  const walk = resume(state.request, state.walk, options);
  const refused = async (body, error) => {
    const { status, body: said } = await send(body);
    assert.deepEqual([status, said.error, said.problems[0].code], [422, error === "required" ? "incomplete" : "refused", error]);
    assert.ok(said.problems[0].message);
  };
  await refused(walk.response, "required");
  walk.answer(true);
  await refused({ ...walk.response, secrets: undefined }, "not_a_saved_walk");
  await refused({ ...walk.response, walk: { ...walk.save(), log: [["answered", "apply", "false"]] } }, "tampered");
  await refused(open({ questions: [{ id: "apply", text: "Other?", answer_type: "boolean" }] }, options).response, "other_form");
  const assisted = open(state.request, { ...options, target: "assistant" });
  while (assisted.step.state === "asking") {
    const answer = { boolean: true, select: "staging", text: "" }[assisted.step.question.type];
    assisted.assistant({ reason: "So.", answer }, assisted.consultation.record);
  }
  await refused(assisted.response, "tampered");
  walk.answer("staging");
  walk.answer("");
  assert.deepEqual((await send(walk.response, "k")).body, { accepted: true, again: false });
  assert.deepEqual((await send(walk.response, "k")).body, { accepted: true, again: true });
  assert.equal((await send(walk.response, "other")).status, 409);
  assert.equal((await host.ask("PUT", `/conversations/${id}/walk`, { tool_call_id: state.tool_call_id, walk: walk.save() })).status, 409);
  assert.equal((await host.ask("GET", "/conversations/none/records")).status, 404);
});

test("of two pages that answer differently, the second hears that its answer does not count", async () => {
  const id = await host.begin();
  const [one, other] = [await visit(id, "&device"), await visit(id, "&device")];
  // The second hears nothing of the first, not even where it has come to.
  for (const { page } of [one, other]) await page.route(({ pathname }) => pathname.endsWith("/walk"), (route) => route.abort());
  for (const person of [one, other]) await comeToNote(person);
  await other.page.evaluate(() => document.querySelector("ask-user").removeAttribute("events-url"));
  for (const [person, text] of /** @type {any[][]} */ ([[one, "first"], [other, "second"]])) await person.find("[data-field]").fill(text);
  await one.find("[type=submit]").click();
  await one.asked("run");
  await other.find("[type=submit]").click();
  await other.shows("[data-delivery=failed]");
  assert.equal((await host.results(id)).call_3[0].note, "first");
});

/** Waits until the page has put what the person has done since at the host. */
async function kept({ page }) {
  await passed(page, 600);
  await allDone(page);
}

test("of two devices, one that falls behind is told, and shows what the other one did", async () => {
  const id = await host.begin();
  const [one, other] = [await visit(id, "&device"), await visit(id, "&device")];
  await Promise.all([one.asked("apply"), other.asked("apply")]);
  await comeToNote(one);
  await kept(one);
  await other.find("[data-answer=no]").click();
  await other.shows(".notice button");
  await other.asked("note");
  await other.find(".notice button").click();
  await other.asked("reason");
  await kept(one);
  // Whoever loads the page finds what was kept last.
  await one.page.reload();
  await one.asked("reason");
});

test("a walk that was kept is not replaced by an older version of it that comes late", async () => {
  const id = await host.begin();
  const asked = async () => {
    for (;;) {
      const [, state] = (await host.events(id)).findLast(([, data]) => data.type) ?? [];
      if (state?.type === "awaiting_user_response") return state;
    }
  };
  const state = await asked();
  const walk = resume(state.request, state.walk, { ...state.options, tool_call_id: undefined, toolCallId: state.tool_call_id, dialect: state.dialect });
  const keep = async (walk) => assert.equal((await host.ask("PUT", `/conversations/${id}/walk`, { tool_call_id: state.tool_call_id, walk })).status, 204);
  const versions = [walk.save()];
  walk.answer(true);
  versions.push({ ...walk.save(), typed: { environment: "half" } });
  walk.answer("staging");
  versions.push(walk.save());
  const [first, second, third] = versions;
  await keep(third);
  for (const older of [first, second]) await keep(older);
  assert.deepEqual((await asked()).walk, third);
  // What is typed at the same place is newer, and so is what was taken back.
  await keep({ ...third, typed: { note: "half a sen" } });
  assert.deepEqual((await asked()).walk.typed, { note: "half a sen" });
  walk.back();
  await keep(walk.save());
  assert.deepEqual((await asked()).walk, walk.save());
});

test("one key with another answer, or another secret, is refused; the same again is acknowledged", async () => {
  const id = await host.begin();
  const asked = async (question, after) => {
    for (;;) {
      const [, state] = (await host.events(id)).findLast(([, data]) => data.type) ?? [];
      if (state?.type === "awaiting_user_response" && state.tool_call_id !== after) return state;
    }
  };
  const formed = (state) => resume(state.request, state.walk, { ...state.options, tool_call_id: undefined, toolCallId: state.tool_call_id, dialect: state.dialect });
  const send = async (state, walk, key) => {
    const { status, body } = await host.ask("POST", `/conversations/${id}/respond`, { tool_call_id: state.tool_call_id, ...walk.response }, { "Idempotency-Key": key });
    return [status, body.again ?? body.error];
  };
  let state = await asked("apply");
  const [yes, no] = [formed(state), formed(state)];
  yes.answerAll({ apply: true, environment: "staging", note: "" });
  no.answerAll({ apply: false, reason: "" });
  assert.deepEqual(await send(state, yes, "k"), [200, false]);
  assert.deepEqual(await send(state, no, "k"), [409, "sent_differently"]);
  assert.deepEqual(await send(state, yes, "k"), [200, true]);
  // The assistant confirms staging by itself; then a secret is asked.
  state = await asked("token", state.tool_call_id);
  const [one, other] = [formed(state), formed(state)];
  one.answer("hunter2");
  other.answer("hunter3");
  assert.deepEqual(await send(state, one, "s"), [200, false]);
  assert.deepEqual(await send(state, other, "s"), [409, "sent_differently"]);
  assert.deepEqual(await send(state, one, "s"), [200, true]);
});

test("the same question under the same call in a later turn is another one: an answer to it is taken", async () => {
  const id = await host.begin();
  const keys = [];
  const person = await visit(id);
  await person.page.evaluate(() => {
    window.keys = [];
    document.addEventListener("ask-user-result", ({ detail }) => window.keys.push(detail.idempotencyKey));
  });
  for (let turn = 0; turn < 2; turn += 1) {
    await person.asked("apply");
    await person.find("[data-answer=no]").click();
    await person.asked("reason");
    await person.find("[data-field]").fill("Not tested.");
    await person.find("[type=submit]").click();
    await idle(id);
    if (turn === 0) await host.ask("POST", `/conversations/${id}/messages`, { text: "Again." });
  }
  keys.push(...(await person.page.evaluate(() => window.keys)));
  assert.equal(new Set(keys).size, 2);
});

test("a request that names another host, or comes from another page, or has no token, is refused", async () => {
  const id = await host.begin();
  const send = (path, headers, method = "GET") =>
    new Promise((resolve, reject) => {
      const asked = request(host.url + path, { method, headers }, (response) => (response.resume(), resolve(response.statusCode)));
      asked.on("error", reject).end();
    });
  const own = new URL(host.url).host;
  assert.equal(await send("/conversations", { Host: "evil.example" }, "POST"), 403);
  assert.equal(await send("/conversations", { Host: `evil.example:${new URL(host.url).port}` }, "POST"), 403);
  assert.equal(await send("/conversations", { Host: own, Origin: "https://evil.example" }, "POST"), 403);
  assert.equal(await send("/conversations", { Host: own, Origin: "null" }, "POST"), 403);
  assert.equal(await send("/conversations", { Host: own, Origin: host.url }, "POST"), 201);
  for (const headers of [{}, { Authorization: "Bearer no" }, { Cookie: "conversation=" }]) {
    for (const path of ["records", "events"]) assert.equal(await send(`/conversations/${id}/${path}`, headers), 403, path);
    assert.equal(await send(`/conversations/${id}/cancel`, { ...headers, "Content-Type": "application/json" }, "POST"), 403);
  }
  assert.equal((await host.ask("GET", `/conversations/${id}/records`)).status, 200);
});

test("plain answers are decided on the host's own walk, all that is wrong comes back at once, and they count once", async () => {
  const id = await host.begin();
  const respond = (body, headers) => host.ask("POST", `/conversations/${id}/respond`, body, headers);
  const open = async (call) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const states = (await host.events(id)).filter(([kind]) => kind === "state_change");
      if (states.at(-1)?.[1].tool_call_id === call) return;
    }
    throw new Error(`${call} is not open`);
  };
  await open("call_3");
  const answers = { note: "filled in at night", environment: "production", apply: true };
  const problems = async (body, status, error) => {
    const said = await respond(body);
    assert.deepEqual([said.status, said.body.error], [status, error], JSON.stringify(said.body));
    assert.ok(said.body.message);
    return said.body.problems.map(({ question, code, message }) => (assert.ok(message), [question, code]));
  };
  assert.deepEqual(await problems({ answers: {} }, 422, "incomplete"), [["apply", "required"]]);
  assert.deepEqual(
    await problems({ answers: { apply: true, environment: "moon", reason: "x", nobody: 1 }, tool_call_id: "call_3" }, 422, "refused"),
    [["nobody", "not_allowed"], ["environment", "not_an_option"], ["note", "required"], ["reason", "not_allowed"]],
  );
  assert.deepEqual(await problems({ answers, tool_call_id: "call_4" }, 409, "not_open"), []);
  for (const body of [{ answers: [] }, { answers, walk: {} }, { answers, tool_call_id: 3 }]) await problems(body, 422, "bad_request");
  assert.deepEqual(await respond({ answers }), { status: 200, body: { accepted: true, again: false } });
  await open("call_4");
  // The assistant has advised against it: the person has the last word.
  assert.deepEqual((await respond({ answers: { run: true }, tool_call_id: "call_4" }, { "Idempotency-Key": "k4" })).status, 200);
  await open("call_5");
  // The same answer again is acknowledged, another one is refused; no secret is kept to know that.
  assert.deepEqual((await respond({ answers: { run: true }, tool_call_id: "call_4" }, { "Idempotency-Key": "k4" })).body, { accepted: true, again: true });
  assert.deepEqual(await problems({ answers: { run: false }, tool_call_id: "call_3" }, 409, "sent_differently"), []);
  assert.deepEqual((await respond({ answers, tool_call_id: "call_3" })).body.again, true);
  assert.deepEqual((await respond({ answers: { token: SECRET } }, { "Idempotency-Key": "k5" })).status, 200);
  await idle(id);
  assert.deepEqual((await respond({ answers: { token: SECRET } }, { "Idempotency-Key": "k5" })).body.again, true);
  assert.deepEqual((await respond({ answers: { token: SECRET }, tool_call_id: "call_5" }, { "Idempotency-Key": "k5" })).body.again, true);
  assert.deepEqual((await respond({ answers: { token: "another" }, tool_call_id: "call_5" }, { "Idempotency-Key": "k5" })).status, 409);
  assert.deepEqual(await problems({ answers: { token: SECRET } }, 409, "not_open"), []);
  const results = await host.results(id);
  assert.deepEqual([results.call_3, results.call_4, results.call_5], [[DECISIONS], [{ ran: true, rows: 1_200_000 }], [{ posted: true }]]);
  assert.ok(!host.stored().includes(SECRET) && !host.log.includes(SECRET));
});

test("a host that is asked to end ends its streams, and goes on afterwards", async () => {
  const id = await host.begin();
  const person = await visit(id);
  await person.asked("apply");
  await person.find("[data-answer=yes]").click();
  await person.asked("environment");
  assert.equal(await host.stop(), 0);
  await host.start();
  await person.find("label[for=option-0]").click();
  await person.asked("note");
  await person.find("[data-field]").fill("Moved.");
  await person.find("[type=submit]").click();
  await person.asked("token");
});

test("a message while the agent waits is refused, and says so", async () => {
  const id = await host.begin();
  const person = await visit(id);
  await person.asked("apply");
  const { status, body } = await host.ask("POST", `/conversations/${id}/messages`, { text: "Hello?" });
  assert.deepEqual([status, body.error], [409, "awaiting_user"]);
  assert.match(body.message, /waits for an answer/);
});

test("the playground is a whole conversation, and the same after a reload", async () => {
  const page = await browser.page("/#example=conversation");
  visits.push(page);
  const person = new Person(page);
  await page.getByText("The agent is waiting for a message.").waitFor();
  await page.locator("#talk button").first().click();
  await person.find("[data-question=apply]").waitFor();
  await person.find("[data-answer=yes]").click();
  await person.find("[data-question=environment]").waitFor();
  await page.reload();
  await person.find("[data-question=environment]").waitFor();
  assert.equal(await page.locator(".said").last().textContent(), "It adds a column to users and fills it in for 1.2 million rows. There is a backup of last night. You decide:");
  await person.find("[data-way=end-turn]").click();
  await person.find("[data-end-turn]").click();
  await page.getByText("The agent is waiting for a message.").waitFor();
  await page.locator("#words").fill("Again.");
  await page.keyboard.press("Enter");
  await person.find("[data-question=apply]").waitFor();
  await page.locator("#stop").click();
  await person.find("[data-closed]").waitFor();
  assert.deepEqual(page.faults, []);
});
