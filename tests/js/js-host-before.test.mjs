// What the version before stored of questions, made by that version (js-host-before.json), is read by this one: nothing is asked again or counts twice.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ask, createHost } from "../../pkg/dist/host.node.js";

const KEPT = JSON.parse(readFileSync(new URL("./js-host-before.json", import.meta.url), "utf8"));

/** A host with a conversation as it was stored: the answer that its page was sending then, and what comes of it now. */
async function stored(name) {
  const { id, token, sent, conversation } = structuredClone(KEPT[name]);
  const store = {
    async create() {},
    async load() {
      const { token, state, revision } = conversation;
      return { token, state, revision };
    },
    async commit(_, revision, { state, isOpen, lines }) {
      assert.equal(revision, conversation.revision);
      conversation.lines.push(...lines.map((line, at) => ({ ...line, place: conversation.lines.length + at + 1_000 })));
      Object.assign(conversation, { state, isOpen, revision: revision + 1 });
      return true;
    },
    async lines(_, kinds, /** @type {{ after?: any, key?: any }} */ { after = 0, key } = {}) {
      return conversation.lines.filter((line) => kinds.includes(line.kind) && line.place > after && (key === undefined || line.key === key));
    },
    open: async () => (conversation.isOpen ? [id] : []),
  };
  const made = [];
  const tools = { migrate: { run: () => ask({}), answered: (/** @type {any} */ { result, secrets }, { key }) => (made.push([secrets?.key ?? result, key]), { migrated: true }) } };
  const host = createHost({ store, agent: async ({ results }) => (results.length ? "Done." : "Yes?"), tools });
  const post = async (body, key) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...(key && { "Idempotency-Key": key }) };
    const response = await host.handle(new Request(`http://localhost/conversations/${id}/respond`, { method: "POST", headers, body: JSON.stringify(body) }));
    await host.settled();
    const { again, error } = await response.json();
    return again ?? error;
  };
  const results = async () => (await host.messages(id)).filter(({ role }) => role === "tool").map((/** @type {any} */ { content }) => content);
  const state = async () => (await host.state(id)).type;
  return { host, id, sent, post, results, state, made, conversation };
}

test("a walk that was saved is still there, and its answer is taken once", async () => {
  const { host, id, sent, post, results } = await stored("open, with a walk that was saved");
  assert.equal((await host.state(id)).walk.log.length, 1);
  assert.deepEqual([await post(sent), await post(sent), await results()], [false, true, [{ apply: true, where: "Here." }]]);
});

test("an answer that was taken is known again, also while its call is open for another question", async () => {
  for (const [name, key] of [["answered by a walk, and asked again"], ["answered by a walk under a key", "k1"]]) {
    const { sent, post, results, state } = await stored(name);
    const before = [await state(), (await results()).length];
    assert.equal(await post(sent, key), true, name);
    assert.deepEqual([await state(), (await results()).length], before);
  }
});

test("plain answers that may be those to the question before need a key", async () => {
  const { sent, post, state } = await stored("answered by plain answers, and asked again");
  assert.deepEqual([await post(sent), await state()], ["needs_key", "awaiting_user_response"]);
  assert.deepEqual([await post(sent, "k2"), await state()], [false, "idle"]);
});

test("a tool that was at work goes on with its answer, and with no other", async () => {
  const { host, post, sent, results, made } = await stored("answered, while its tool was at work");
  assert.equal(await post({ ...sent, answers: { apply: false } }, "k2"), "not_open");
  await host.resume();
  await host.settled();
  assert.deepEqual([made.map(([answer]) => answer), await results()], [[{ apply: true, where: "Here." }], [{ migrated: true }]]);
  // Its page sends it again.
  assert.equal(await post(sent, "k1"), true);
});

test("a tool that was at work with a secret gets it from the page", async () => {
  const { host, post, sent, results, made, conversation } = await stored("answered with a secret, while its tool was at work");
  await host.resume();
  await host.settled();
  assert.deepEqual(made, []);
  assert.deepEqual([await post(sent, "k1"), made.map(([answer]) => answer), await results()], [false, ["hunter-2"], [{ migrated: true }]]);
  assert.doesNotMatch(JSON.stringify(conversation), /hunter/);
});
