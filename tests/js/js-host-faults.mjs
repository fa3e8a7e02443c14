// A conversation with a host for JavaScript in which everything that can go wrong does: hosts that end between any two effects, and stores that fail before or
// after they have stored. `play(dice, store, start)` plays one to its end and gives what was acknowledged; `check` looks whether anything was lost or doubled.
import assert from "node:assert/strict";

/**
 * A store that ends its host, or fails, at random calls. `alive.isDead` is set when the host has ended: nothing comes back to it any more.
 * @template {object} S
 * @param {S} store
 * @param {any} dice
 * @param {any} alive
 * @returns {S}
 */
export function unreliable(store, dice, alive, { crash = 8, fault = 8 } = {}) {
  const never = new Promise(() => undefined);
  /** @type {(act: any) => (...given: any[]) => Promise<any>} */
  const through = (act) => async (...given) => {
    if (alive.isDead) return never;
    // Another process begins as soon as this one ends.
    const die = () => ((alive.isDead = true), alive.died(), never);
    if (alive.isArmed && dice.below(crash) === 0) return die();
    if (alive.isArmed && dice.below(fault) === 0) throw new Error("The store failed before it stored anything.");
    const result = await act(...given);
    if (alive.isDead) return never;
    if (alive.isArmed && dice.below(crash) === 0) return die();
    if (alive.isArmed && dice.below(fault) === 0) throw new Error("The store failed after it had stored everything.");
    return result;
  };
  return /** @type {S} */ (Object.fromEntries(Object.entries(store).map(([name, act]) => [name, through(act)])));
}

/**
 * What must hold of the stored messages of a conversation, whatever happened. `acknowledged` has the content of each answer that a client was told is taken, by call.
 * @param {any[]} lines
 * @param {Map<string, unknown>} acknowledged
 * @param {boolean} isOver
 */
export function check(lines, acknowledged, isOver) {
  let due = new Map();
  const results = new Map();
  const late = new Set();
  for (const line of lines) {
    // The answer to a question that the agent did not wait for: its call has had its result.
    if (line.role === "user" && line.call_id !== undefined) {
      assert.ok(results.has(line.call_id) && !late.has(line.call_id), `an answer that nobody waits for: ${JSON.stringify(line)}`);
      late.add(line.call_id);
      results.set(line.call_id, line.content);
      continue;
    }
    if (line.role === "assistant" || line.role === "user") {
      assert.deepEqual([...due.keys()], [], `calls without a result before ${JSON.stringify(line)}`);
      due = new Map((line.calls ?? []).map((/** @type {any} */ call) => [call.id, call]));
    }
    if (line.role !== "tool") continue;
    assert.ok(due.delete(line.call_id), `a result that no call waits for: ${JSON.stringify(line)}`);
    results.set(line.call_id, line.content);
  }
  if (isOver) assert.deepEqual([...due.keys()], [], "calls without a result at the end");
  for (const [call, content] of acknowledged) assert.deepEqual(results.get(call), content, `the answer to ${call} was acknowledged`);
}
