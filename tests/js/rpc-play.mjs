// Plays JSON-RPC with a host that sends anything that a window can be sent.
import assert from "node:assert/strict";
import { Rpc } from "../../pkg/src/rpc.js";
import { hostileValue } from "./hostile-dice.mjs";
import { FakeWindow } from "./fake-page.mjs";

/** Bytes decide what the host sends and in which order. */
export async function playRpc(/** @type {import("./hostile-dice.mjs").Dice} */ dice, /** @type {any} */ page) {
  /** @type {any[]} */
  const posted = [];
  // As in a page, what cannot be cloned cannot be sent.
  const host = new FakeWindow((message) => void posted.push(structuredClone(message)));
  const called = [];
  const rpc = new Rpc(/** @type {any} */ (host), {
    right: (params) => (called.push("right"), { params }),
    throws: () => (called.push("throws"), fail()),
    rejects: async () => (called.push("rejects"), fail()),
    nothing: () => void called.push("nothing"),
    unclonable: () => (called.push("unclonable"), { act() {} }),
  });
  const asked = [];
  for (let steps = 0; steps < 40 && dice.left; steps += 1) {
    if (dice.below(4) === 0) {
      const one = { settled: 0 };
      asked.push(one);
      const failed = (/** @type {any} */ error) => ((one.settled += 1), assert.ok(error instanceof Error && typeof error.message === "string"));
      rpc.request("ui/message", {}).then(() => (one.settled += 1), failed);
      continue;
    }
    const [source, origin] = [dice.below(6) ? host : new FakeWindow(), dice.below(6) ? "https://chat.example" : "https://evil.example"];
    const data = said(dice, asked.length);
    /** @type {{ called: number, settled: number, replies: number }} */
    const before = { called: called.length, settled: count(asked), replies: replies(posted) };
    page.hear({ source, origin, data });
    await settle();
    /** @type {{ called: number, settled: number, replies: number }} */
    const after = { called: called.length, settled: count(asked), replies: replies(posted) };
    if (source !== host) assert.deepEqual(after, before, "another window is heard");
    assert.ok(after.called - before.called <= 1 && after.settled - before.settled <= 1);
    assert.ok(after.replies - before.replies <= 1, "a request is answered twice");
    // Whoever asks by an id that JSON-RPC has is answered, even where the method fails.
    const asks = source === host && data?.jsonrpc === "2.0" && typeof data.method === "string" && ["string", "number"].includes(typeof data.id);
    if (asks && origin === "https://chat.example" && rpcOrigin(asked)) assert.equal(after.replies, before.replies + 1, "a request is not answered");
  }
  for (const { settled } of asked) assert.ok(settled <= 1);
}

/** What a host may send: a request, a notification, an answer, or neither. */
function said(/** @type {import("./hostile-dice.mjs").Dice} */ dice, /** @type {any} */ asked) {
  const values = [() => hostileValue(dice), () => 5n, () => new Map([[1, 2]]), circle, () => undefined, () => NESTED, () => fail];
  const hostile = () => dice.pick(values)();
  const id = dice.below(4) ? dice.below(asked + 2) : hostile();
  const method = dice.below(4) ? dice.pick(["right", "throws", "rejects", "nothing", "unclonable", "toString", "__proto__", "ping"]) : hostile();
  const params = dice.flag() ? hostile() : {};
  switch (dice.below(7)) {
    case 0: return hostile();
    case 1: return { jsonrpc: "2.0", id, result: hostile() };
    case 2: return { jsonrpc: "2.0", id, error: hostile() };
    case 3: return { jsonrpc: "2.0", id, error: { message: hostile() } };
    case 4: return { jsonrpc: "2.0", method, params };
    case 5: return { jsonrpc: dice.pick(["1.0", "2.0"]), id, method, params, result: hostile() };
    default: return { jsonrpc: "2.0", id, method, params };
  }
}

const fail = () => {
  throw new Error("it fails");
};
const circle = () => {
  const made = {};
  return Object.assign(made, { made });
};
const NESTED = Array.from({ length: 3_000 }).reduce((inner) => [inner], []);
/** @type {(asked: { settled: number }[]) => number} */
const count = (asked) => asked.reduce((/** @type {any} */ sum, /** @type {{ settled: any }} */ { settled }) => sum + settled, 0);
/** @type {(posted: any[]) => number} */
const replies = (posted) => posted.filter((/** @type {{ method: string }} */ { method }) => method === undefined).length;
/** Before the first answer any origin is heard; after it, this host's. */
const rpcOrigin = (/** @type {any} */ asked) => count(asked) === 0;
const settle = async () => {
  for (let turns = 0; turns < 6; turns += 1) await null;
};
