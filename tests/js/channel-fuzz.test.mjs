// Both ends of the channel, and JSON-RPC, against other ends that send anything: some thousand plays, and those that once broke a promise.
import assert from "node:assert/strict";
import { test } from "node:test";
import { play } from "./channel-play.mjs";
import { generator } from "./hostile-dice.mjs";

/** Plays of this test. `cargo xtask fuzz channel` searches for longer, guided by coverage. */
const PLAYS = 3_000;
const LONGEST = 300;

test("whatever the other end sends, nothing breaks, grows, or becomes an answer", async () => {
  const next = generator(Number(process.env.SEED ?? 1));
  for (let count = 0; count < PLAYS; count += 1) {
    const bytes = Uint8Array.from({ length: (next() >>> 16) % LONGEST }, () => next() >>> 24);
    await play(bytes).catch((error) => assert.fail(`${Buffer.from(bytes).toString("base64")}: ${error.stack}`));
  }
});
