// Both ends of the channel, and JSON-RPC, against other ends that send anything: a thousand plays. And what a page's word is worth.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../pkg/src/channel.js";
import { open, UnresumableError } from "../../pkg/dist/core.node.js";
import { play } from "./channel-play.mjs";
import { generator } from "./hostile-dice.mjs";

/** Plays of this test. `cargo xtask fuzz channel` searches for longer, guided by coverage. */
const PLAYS = 1_000;
const LONGEST = 300;

test("whatever the other end sends, nothing breaks, grows, or becomes an answer", async () => {
  const next = generator(Number(process.env.SEED ?? 1));
  for (let count = 0; count < PLAYS; count += 1) {
    const bytes = Uint8Array.from({ length: (next() >>> 16) % LONGEST }, () => next() >>> 24);
    await play(bytes).catch((error) => assert.fail(`${Buffer.from(bytes).toString("base64")}: ${error.stack}`));
  }
});

test("what a page calls the result is no answer: its walk is, when the host has read it again", async () => {
  const request = { question: "Deploy?", answer_type: "boolean" };
  const said = async (detail) => {
    let hear;
    const channel = connect({ post() {}, listen: (heard) => ((hear = heard), () => {}) });
    const asked = channel.ask(request);
    hear('{"ask_user":1,"n":1,"type":"connected","detail":{}}');
    hear(JSON.stringify({ ask_user: 1, n: 2, type: "result", id: "q1", detail }));
    const { walk, secrets } = await asked;
    return open(request).continued({ walk, secrets });
  };
  const claimed = { outcome: { ends: "completed" }, result: { answer_type: "boolean", answer: true }, secrets: {} };
  const unasked = open(request);
  const refused = open(request);
  refused.answer(false);
  assert.equal((await said({ ...claimed, walk: unasked.save() })).outcome, undefined);
  assert.equal(/** @type {any} */ ((await said({ ...claimed, walk: refused.save() })).outcome.result).answer, false);
  const tampered = JSON.parse(JSON.stringify(refused.save()).replace("false", "true"));
  for (const walk of [undefined, null, 5, {}, tampered, { ...refused.save(), __proto__: null, checksum: "0" }]) {
    await assert.rejects(said({ ...claimed, walk }), UnresumableError);
  }
});
