// What the inbox says of answers afterwards: signed receipts, `ask-user key` and `ask-user verify`, and what was granted beyond one call.
import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { keepersOf } from "../../pkg/src/inbox/grants.js";
import { canonical, checked, signed } from "../../pkg/src/inbox/receipts.js";
import { TEXTS } from "../../pkg/src/inbox/texts.js";
import { Home } from "./inbox-app.mjs";
import { until } from "./wait.mjs";

const { default: Ajv2020 } = createRequire(new URL("../../pkg/package.json", import.meta.url))("ajv/dist/2020.js");

const GO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }] };
const ID = "0123456789abcdef";
const suggests = (...updates) => ({ subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm -rf build" }, permission_suggestions: updates });
const rule = (destination, behavior = "allow") => ({ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "rm:*" }], behavior, destination });

let home;
beforeEach(async () => {
  home = new Home();
  await home.start();
});
afterEach(() => home.end());

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const restart = async () => {
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await home.start();
};
const put = async (request, more) => (await home.program("POST", "/questions", { request, ...more })).body.id;
const receiptOf = async (id) => (await home.program("GET", `/receipts/${id}`)).body;
const verified = (receipt, words = []) => home.run(["verify", "-", ...words], { input: typeof receipt === "string" ? receipt : JSON.stringify(receipt) });

/** Answers an approval with what it offers beyond once. */
async function grants(request, dialect, more) {
  const id = await put(request, { dialect, ...more });
  const person = await home.person();
  const { open } = await import("../../pkg/dist/core.node.js");
  const { decision, ...grant } = /** @type {any} */ (open(request, { dialect }).step).question.grants.find(({ scope }) => scope !== "once");
  const { status, body } = await person.answer(id, { q1: { type: decision, grant } });
  assert.equal(status, 200, JSON.stringify(body));
  return id;
}

test("a receipt says who has answered what, from which device and when, and has the hashes of what was shown and of the result", async () => {
  const begun = Date.now();
  const person = await home.person();
  const id = await put(GO, { id: ID, who: "Git agent", folder: "/work/shop" });
  const open = await home.program("GET", `/receipts/${id}`);
  assert.deepEqual([open.status, open.body.error], [409, "open"]);
  await person.answer(id, { go: true });
  const { body: receipt, status } = await home.program("GET", `/receipts/${id}`);
  assert.equal(status, 200);
  const { asked_at: asked, closed_at: closed, key, signature, shown_sha256: shown, ...said } = receipt;
  assert.deepEqual(said, {
    ask_user_receipt: 1, question: ID, who: "Git agent", folder: "/work/shop", text: "Go on?", state: "answered", device: { name: "Firefox on Linux", id: person.own.device },
    result_sha256: sha256('{"go":true}'), answers: [{ text: "Go on?", outcome: "answered", answer: "Yes" }], grants: [],
  });
  assert.ok(begun <= Date.parse(asked) && Date.parse(asked) <= Date.parse(closed) && Date.parse(closed) <= Date.now());
  for (const time of [asked, closed]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const text = await (await fetch(`${home.address}/receipts/${id}/shown`, { headers: { Authorization: `Bearer ${home.read("tokens.json").ask}` } })).text();
  assert.equal(sha256(text), shown);
  assert.deepEqual(JSON.parse(text).map(({ type, question }) => [type, question.text]), [["inquiry_request", "Go on?"]]);
  // As anybody can check it who knows the key: with names in order, everything but the signature is signed.
  const { signature: _, ...rest } = receipt;
  const sorted = JSON.stringify(rest, (name, value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value));
  assert.ok(verify(null, Buffer.from(sorted), createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(key, "hex").toString("base64url") }, format: "jwk" }), Buffer.from(signature, "hex")));
  assert.deepEqual(await person.receipt(id), receipt);
  const { components } = await (await fetch(`${home.address}/openapi.json`)).json();
  const check = new Ajv2020({ strict: false, formats: { "date-time": true } }).compile({ ...components.schemas.Receipt, components });
  assert.ok(check(receipt), JSON.stringify(check.errors));
  // The next process makes the same one.
  await restart();
  assert.deepEqual(await receiptOf(id), receipt);
});

test("the receipt of a question that nobody has answered says so, and of the end of a turn, who has ended it", async () => {
  const person = await home.person();
  const [closed, stopped] = [await put(GO), await put(GO)];
  await home.program("DELETE", `/questions/${closed}`);
  await person.stop(stopped);
  const { state, device, answers, result_sha256: result } = await receiptOf(closed);
  assert.deepEqual([state, device, answers, result], ["closed", undefined, [], undefined]);
  const end = await receiptOf(stopped);
  assert.deepEqual([end.state, end.device.name], ["turn_ended", "Firefox on Linux"]);
  assert.match((await verified(end)).out, /^"Go on\?" was stopped, with the turn from "Firefox on Linux" at \d{4}-.*Z\.\n$/);
  assert.match((await verified(await receiptOf(closed))).out, /was closed by the agent without an answer at/);
});

test("no receipt has a secret in it, nor a hash of one", async () => {
  const secret = "correct horse";
  const person = await home.person();
  const id = await put({ questions: [{ id: "key", text: "Which key?", answer_type: "secret" }] });
  await person.answer(id, { key: secret });
  const before = await home.program("GET", `/questions/${id}`);
  assert.ok(JSON.stringify(before.body.secrets).includes(secret));
  const receipt = await receiptOf(id);
  assert.deepEqual(receipt.answers, [{ text: "Which key?", outcome: "redacted" }]);
  assert.equal(receipt.result_sha256, sha256('{"key":"[redacted]"}'));
  assert.ok(!JSON.stringify(receipt).includes(secret));
  for (const hidden of [secret, JSON.stringify(secret), JSON.stringify({ key: secret })]) assert.ok(!JSON.stringify(receipt).includes(sha256(hidden)));
  assert.match((await verified(receipt)).out, /was answered with secret, not shown from/);
});

test("receipts need the token, and the id that nobody can guess; a page has them with its key", async () => {
  const id = await put(GO);
  await (await home.person()).answer(id, { go: true });
  for (const path of [`/receipts/${id}`, `/receipts/${id}/shown`]) {
    for (const Authorization of ["", `Bearer ${home.read("tokens.json").page}`]) assert.equal((await home.program("GET", path, undefined, { Authorization })).status, 401);
    assert.equal((await home.program("GET", path.replace(id, ID))).status, 404);
    assert.equal((await home.program("POST", path, {})).status, 405);
  }
  for (const path of ["/receipts", "/receipts/", `/receipts/${id}/more`, `/receipts/${id}/shown/more`]) assert.equal((await home.program("GET", path)).status, 404, path);
});

test("verify says in one sentence what was decided, and what does not agree", async () => {
  const id = await put(GO, { who: "Git \u001b[2J\u009bagent\u202e", folder: "/work/shop" });
  await (await home.person()).answer(id, { go: true });
  const receipt = await receiptOf(id);
  const fine = await verified(JSON.stringify(receipt, undefined, 2));
  assert.deepEqual([fine.code, fine.err], [0, ""]);
  assert.equal(fine.out, `"Go on?" by "Git \\u001b[2J\\u009bagent\\u202e" in "/work/shop" was answered with "Yes" from "Firefox on Linux" at ${receipt.closed_at}.\n`);
  const { out: key } = await home.run(["key"]);
  assert.equal(key, `${receipt.key}\n`);
  // In another order, and elsewhere, where there is no inbox.
  const turned = Object.fromEntries(Object.entries(receipt).reverse());
  const file = join(home.path, "receipt.json");
  writeFileSync(file, JSON.stringify(turned));
  const other = new Home();
  try {
    const away = await other.run(["verify", file, "--key", key.trim()]);
    assert.deepEqual([away.code, away.out], [0, fine.out]);
    assert.throws(() => statSync(other.environment.ASK_USER_HOME), /ENOENT/);
    const keyless = await other.run(["verify", file]);
    assert.deepEqual([keyless.code, /There is no key yet/.test(keyless.err)], [2, true]);
    assert.equal((await other.run(["key"])).code, 1);
    await other.start();
    const strange = await other.run(["verify", file]);
    assert.deepEqual([strange.code, strange.out], [1, ""]);
    assert.match(strange.err, new RegExp(`names the key ${receipt.key}, and the key of the inbox is`));
    assert.doesNotMatch(strange.err, /signature/);
  } finally {
    await other.end();
  }
  const changes = [
    { state: "replied" }, { who: undefined }, { text: "Stop?" }, { shown_sha256: sha256("") }, { result_sha256: undefined }, { closed_at: receipt.asked_at }, { more: 1 }, { device: { name: "Firefox on Linux" } },
    { answers: [{ ...receipt.answers[0], answer: "No" }] }, { grants: [{ decision: "approve", scope: "always", shown: "All", rule: null }] }, { question: ID },
  ];
  for (const change of changes) {
    const { code, out, err } = await verified({ ...receipt, ...change });
    assert.deepEqual([code, out], [1, ""], JSON.stringify(change));
    assert.match(err, /Its signature does not fit/);
  }
  const twice = JSON.stringify(receipt).replace('"state":', '"state":"replied","state":');
  assert.match((await verified(twice)).err, /A name stands in it twice/);
  assert.equal((await verified(twice)).code, 1);
});

test("what is no receipt has the exit code 2, and no text makes verify fail in another way", async () => {
  const key = (await home.run(["key"])).out.trim();
  const id = await put(GO);
  await (await home.person()).answer(id, { go: true });
  const receipt = await receiptOf(id);
  const { signature, state, ...unsigned } = receipt;
  const wrong = [
    "", "no JSON", "null", "[]", "7", '"x"', "{}", JSON.stringify({ ...receipt, ask_user_receipt: 2 }), JSON.stringify({ ...unsigned, state }), JSON.stringify({ ...unsigned, signature }),
    ...[
      { signature: `${signature}x` }, { signature: 7 }, { key: "x" }, { key: key.toUpperCase().replace(/^\d/, "A") }, { state: "constructor" }, { answers: [null] }, { answers: {} }, { grants: 1 }, { device: null }, { text: "\ud800" },
    ].map((change) => JSON.stringify({ ...receipt, ...change })),
    `${"[".repeat(200_000)}${"]".repeat(200_000)}`, JSON.stringify(receipt).replace('"grants":[]', `"grants":[],"x":${"[".repeat(50_000)}${"]".repeat(50_000)}`),
  ];
  for (const text of wrong) {
    const { code, said } = checked(text, key);
    assert.deepEqual([code, said.startsWith("This is no receipt.")], [2, true], text.slice(0, 200));
  }
  assert.equal((await verified("{}")).code, 2);
  for (const words of [["verify"], ["verify", "-", "--key", "x"], ["verify", "-", "--key", `${key}0`], ["verify", join(home.path, "none.json")], ["verify", home.path], ["key", "x"]]) assert.equal((await home.run(words, { input: JSON.stringify(receipt) })).code, 2, words.join(" "));
});

test("canonical JSON is that of RFC 8785", () => {
  for (const [value, text] of [
    [{ b: 1, a: [true, null, "x"], c: undefined }, '{"a":[true,null,"x"],"b":1}'],
    // By UTF-16 code units: a sign beyond the first plane stands before U+FB33.
    [{ "\ufb33": 1, "\u{1f600}": 2, "\u20ac": 3, 1: 4, "\r": 5, A: 6, a: 7, "": 8 }, '{"":8,"\\r":5,"1":4,"A":6,"a":7,"€":3,"\u{1f600}":2,"\ufb33":1}'],
    [[1e21, 1e-7, 0.1, -0, 333333333.33333329, 4.5, 2e-3], "[1e+21,1e-7,0.1,0,333333333.3333333,4.5,0.002]"],
    ['\u20ac$\u000f\nA\'B"\\/\u007f', '"€$\\u000f\\nA\'B\\"\\\\/\u007f"'],
    [{ z: { y: 1, x: { b: 2, a: 1 } } }, '{"z":{"x":{"a":1,"b":2},"y":1}}'],
    [JSON.parse('{"__proto__":{"b":1,"a":2}}'), '{"__proto__":{"a":2,"b":1}}'],
  ]) assert.equal(canonical(value), text);
  for (const wrong of [NaN, Infinity, undefined, "\ud800", { "\udc00": 1 }, [undefined], 1n]) assert.throws(() => canonical(wrong), TypeError);
});

test("the key is made at the first start, only its user can read it, and a deleted one is made anew", async () => {
  const file = join(home.environment.ASK_USER_HOME, "key.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { out: key } = await home.run(["key"]);
  const id = await put(GO);
  await (await home.person()).answer(id, { go: true });
  const receipt = await receiptOf(id);
  await restart();
  assert.equal((await home.run(["key"])).out, key);
  rmSync(file);
  const next = await receiptOf(id);
  assert.notEqual(next.key, receipt.key);
  assert.equal((await verified(next)).code, 0);
  assert.deepEqual([(await verified(receipt)).code, (await verified(receipt, ["--key", key.trim()])).code], [1, 0]);
  await home.run(["stop"]);
  writeFileSync(file, '{"kty":"EC"}');
  // That is nothing about the receipt.
  assert.equal((await verified(receipt)).code, 2);
  const { code, err } = await home.run([]);
  assert.equal(code, 1);
  assert.match(err, /key\.json has no Ed25519 key\. Delete it/);
});

test("a text with half of a surrogate pair stands in a receipt that can be checked", async () => {
  const id = await put(GO, { who: "x\ud800", folder: "\udc00" });
  await (await home.person()).answer(id, { go: true });
  const receipt = await receiptOf(id);
  assert.deepEqual([receipt.who, receipt.folder, (await verified(receipt)).code], ["x\ufffd", "\ufffd", 0]);
});

test("a long text is cut before a sign, and not within it", async () => {
  const person = await home.person();
  const long = `${"a".repeat(298)}\u{1f600}${"b".repeat(50)}`;
  const id = await put({ questions: [{ id: "why", text: long, answer_type: "text" }] });
  assert.equal((await person.answer(id, { why: long })).status, 200);
  const receipt = await receiptOf(id);
  const shown = `${"a".repeat(298)}…`;
  assert.deepEqual([receipt.text, receipt.answers, (await verified(receipt)).code], [shown, [{ text: shown, outcome: "answered", answer: shown }], 0]);
});

test("an answer that was stored just before the inbox was killed has its device once it is sent again", async () => {
  const file = join(home.environment.ASK_USER_HOME, "questions.jsonl");
  await home.run(["stop"]);
  rmSync(join(home.environment.ASK_USER_HOME, "questions.db"), { force: true });
  writeFileSync(file, "");
  await home.start();
  const id = await put(GO);
  const person = await home.person();
  const key = { headers: { "Idempotency-Key": "answer-1" } };
  assert.equal((await person.answer(id, { go: true }, {}, key)).status, 200);
  await receiptOf(id);
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  const lines = readFileSync(file, "utf8").split("\n");
  assert.match(lines.at(-2), /\\"how\\":\\"answered\\"/);
  writeFileSync(file, `${lines.slice(0, -2).join("\n")}\n`);
  await home.start();
  assert.deepEqual([(await receiptOf(id)).state, (await receiptOf(id)).device], ["answered", undefined]);
  const again = await home.person(person.own);
  assert.equal((await again.answer(id, { go: false })).status, 409);
  assert.equal((await receiptOf(id)).device, undefined);
  assert.equal((await again.answer(id, { go: true }, {}, key)).status, 200);
  assert.deepEqual((await receiptOf(id)).device, { name: "Firefox on Linux", id: person.own.device });
});

test("where two devices answer, the receipt names the one whose answer counts, also if both have sent the same under one key", async () => {
  const [first, second] = [await home.person(), await home.person()];
  for (const [given, status] of [[undefined, 409], [{ headers: { "Idempotency-Key": "answer-1" } }, 200]]) {
    const id = await put(GO);
    assert.equal((await first.answer(id, { go: true }, {}, given)).status, 200);
    assert.equal((await second.answer(id, { go: true }, {}, given)).status, status);
    assert.equal((await receiptOf(id)).device.id, first.own.device);
  }
});

/** The question as a page hears of it, and what the page sends for it. */
async function formOf(person, id) {
  const at = `${home.address}/s/${person.key}/conversations/${id}`;
  const stop = new AbortController();
  const reader = (await fetch(`${at}/events`, { signal: stop.signal })).body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/data: .*\n\n/.test(text)) text += (await reader.read()).value;
  stop.abort();
  const [asked] = JSON.parse(/data: (.*)\n\n/.exec(text)[1]).requests;
  const send = (method, path, body, more) => fetch(`${at}/${path}`, { method, body: JSON.stringify({ tool_call_id: asked.tool_call_id, ...body }), headers: { "Content-Type": "application/json", ...more } });
  return {
    asked,
    keep: (walk, more) => send("PUT", "walk", { walk }, more),
    send: ({ response, idempotencyKey }) => send("POST", "respond", response, { "Idempotency-Key": idempotencyKey }),
  };
}

test("the receipt names the device that finished an answer, also if another one has sent it after a kill of the inbox", async () => {
  const { open, resume } = await import("../../pkg/dist/core.node.js");
  let [first, second] = [await home.person(), await home.person()];
  const TWO = { questions: [{ id: "go", text: "Go on?", answer_type: "boolean" }, { id: "why", text: "Why?", answer_type: "text" }] };
  const ids = [await put(TWO), await put(TWO), await put({ questions: [{ id: "key", text: "Which key?", answer_type: "secret" }] })];
  const walkOf = ({ asked: { request, options, tool_call_id: toolCallId } }) => open(request, { ...options, toolCallId });
  const forms = await Promise.all(ids.map((id) => formOf(first, id)));
  const walks = forms.map(walkOf);
  const [finished, begun, secret] = walks;
  finished.answer(true);
  begun.answer(true);
  secret.answer("correct horse");
  for (const [place, walk] of walks.entries()) assert.equal((await forms[place].keep(walk.save())).status, 204);
  finished.answer("So.");
  assert.equal((await forms[0].keep(finished.save())).status, 204);
  // What the inbox has refused counts for nothing.
  const other = await formOf(second, ids[1]);
  const changed = walkOf(other);
  changed.answer(false);
  changed.answer("No.");
  assert.equal((await other.keep(changed.save(), { "If-Match": '"none"' })).status, 412);
  await restart();
  [first, second] = [await home.person(first.own), await home.person(second.own)];
  for (const [place, id] of ids.entries()) {
    const form = await formOf(second, id);
    const { request, options, walk: kept, tool_call_id: toolCallId } = form.asked;
    const walk = resume(request, kept, { ...options, toolCallId });
    // Who goes on, or enters a secret, has given the answer.
    if (place === 1) walk.answer("No.");
    if (place === 2) walk.answer("battery staple");
    const { status } = await form.send(walk);
    assert.equal(status, 200, id);
  }
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await receiptOf(id)).device.id)), [first, second, second].map(({ own }) => own.device));
});

test("a grant beyond one call is listed: the sentence, who asked, and who keeps it", async () => {
  const person = await home.person();
  assert.deepEqual(await person.grants(), { grants: [], found: 0 });
  const once = await put(suggests(rule("session")), { dialect: "claude" });
  await person.answer(once, { q1: { type: "approve" } });
  const local = await grants(suggests(rule("localSettings")), "claude", { who: "Claude Code", folder: join(home.path, "shop") });
  const both = await grants(suggests(rule("session"), rule("userSettings")), "claude");
  await until(() => person.grants(), "both grants", ({ found }) => found === 2);
  await home.program("DELETE", `/questions/${local}`);
  await restart();
  const { grants: listed } = await (await home.person()).grants();
  assert.deepEqual(listed.map(({ at, ...one }) => one), [
    { id: both, is_taken: false, decision: "approve", scope: "always", shown: "Allow Bash(rm:*) until this session ends\nAllow Bash(rm:*), in your settings, for every project", kept: [{ by: "claude", place: "session" }, { by: "claude", place: "userSettings" }] },
    { id: local, who: "Claude Code", folder: join("~", "shop"), is_taken: true, decision: "approve", scope: "always", shown: "Allow Bash(rm:*), in your settings of this project", kept: [{ by: "claude", place: "localSettings" }] },
  ]);
  const receipt = await receiptOf(local);
  assert.deepEqual(receipt.grants, [{ decision: "approve", scope: "always", shown: "Allow Bash(rm:*), in your settings of this project", rule: [rule("localSettings")] }]);
  assert.match((await verified(receipt)).out, /, and allowed from then on: "Allow Bash\(rm:\*\), in your settings of this project"\.\n$/);
  assert.deepEqual((await receiptOf(once)).grants, []);
  assert.match((await (await home.person()).receipts("settings of this project")).receipts[0].answers[0].answer, /^Approved · Allow Bash/);
});

test("every keeper that the inbox names has its sentence, and no other place is claimed", () => {
  const cases = [
    ["claude", { scope: "always", rule: [{ destination: "constructor" }] }], ["claude", { scope: "session", rule: null }], ["claude", { scope: "always", rule: ["session", "localSettings", "projectSettings", "userSettings", "cliArg"].map((destination) => ({ destination })) }],
    ["codex", { scope: "session", rule: "acceptForSession" }], ["codex", { scope: "always", rule: { acceptWithExecpolicyAmendment: {} } }], ["codex", { scope: "always", rule: { applyNetworkPolicyAmendment: {} } }],
    ["opencode", { scope: "session", rule: [] }], ["opencode", { scope: "always", rule: null }], ["acp", { scope: "always", rule: "x" }], ["langchain", { scope: "session" }], [undefined, { scope: "always" }],
  ];
  for (const [dialect, given] of /** @type {any[][]} */ (cases)) {
    const kept = keepersOf(given, dialect);
    assert.ok(kept.length > 0);
    for (const { by, place } of kept) {
      assert.ok(Object.hasOwn(TEXTS.grants.kept[by], place), `${by} ${place}`);
      assert.equal(by === "program", !["claude", "codex", "opencode"].includes(dialect));
    }
  }
});
