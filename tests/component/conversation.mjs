// The conversation in a runtime of the component: from every state, every event gives a state or says why not; no result of a tool is lost or doubled,
// whatever comes between, crashes too. `tests/native/conversation.rs` has the same properties of the core.
import assert from "node:assert/strict";
import { Dice } from "../js/dice.mjs";

const VALUES = [null, "done", { b: 1, a: [1.5, { "": "é\u0000\u2028" }] }, [-1, true], "x".repeat(5_000)];
const EVENTS = [
  "message", "message", "model_responded", "model_responded", "model_responded", "model_failed", "tool_completed", "tool_completed", "tool_completed",
  "question_pending", "question_pending", "question_pending", "walk_saved", "closed", "closed", "closed", "closed", "stopped", "crash",
];
const HOW = ["answered", "replied", "declined", "turn_ended", "overtaken", "expired", "failed"];
const FIELD = { tool_completed: "content", question_pending: "request", walk_saved: "walk" };

/** A host that keeps to the contract, with its store. */
class Store {
  results = new Map();
  /** The answers that came as messages. */
  late = new Map();
  calls = new Map();

  constructor(call, dice) {
    this.call = call;
    this.dice = dice;
  }

  async begin() {
    const { ok } = await this.call("conversation", this.dice.below(5) > 0, this.dice.below(2) > 0);
    this.stored = JSON.stringify(ok);
  }

  async event(name) {
    if (name === "crash") return { type: "restarted" };
    const event = { type: name };
    if (name === "model_responded") {
      const [first, input] = [this.calls.size, this.dice.pick(VALUES)];
      event.calls = Array.from({ length: this.dice.below(4) }, (_, place) => ({ id: `call_${first + place}`, name: "tool", input }));
    } else if (!["message", "model_failed", "stopped"].includes(name)) {
      const { ok: state } = await this.call("state");
      const { ok: waiting } = await this.call("waiting");
      const known = [state.call, state.call, ...waiting.map(({ call }) => call)].filter(Boolean);
      event.call_id = this.dice.below(5) && known.length ? this.dice.pick(known).id : `call_${this.dice.below(6)}`;
      if (name === "closed") event.how = this.dice.pick(HOW);
      if (name !== "closed" || this.dice.below(2)) event[FIELD[name] ?? "result"] = this.dice.pick(VALUES);
      if (name === "tool_completed") event.is_error = false;
      if (name === "question_pending" && this.dice.below(3) === 0) event.options = { blocking: false };
    }
    return event;
  }

  async happens(name) {
    if (name === "crash") assert.equal(JSON.stringify((await this.call("stored_conversation", this.stored)).ok), this.stored);
    const event = await this.event(name);
    const { ok: before } = await this.call("stored");
    const { ok: waiting } = await this.call("waiting");
    const { ok: ended } = await this.call("ended_by", event);
    const said = await this.call("on", event);
    if (said.unexpected) return this.refused(event, before, waiting, said.unexpected);
    assert.ok(said.ok, JSON.stringify(said));
    const closed = said.ok.flatMap(({ type, value }) => (type === "notify" ? (value.closed ?? []) : []));
    assert.deepEqual([...ended].sort(), closed.map(({ tool_call_id: call }) => call).filter((call) => call !== event.call_id).sort(), "what ends with an event is told before it");
    for (const call of event.calls ?? []) this.calls.set(call.id, call);
    for (const effect of said.ok) await this.carryOut(event, effect);
    assert.ok(said.ok.some(({ type }) => type === "persist_state"));
    assert.equal(JSON.stringify((await this.call("stored")).ok), this.stored);
  }

  async refused(event, before, waiting, { code, message, call_id }) {
    assert.deepEqual((await this.call("stored")).ok, before, "an event was refused and changed the state");
    assert.notEqual(event.type, "restarted", "a stored conversation cannot be gone on with");
    assert.equal(waiting.some(isWaitedFor) && event.type === "message", code === "awaiting_user");
    assert.ok(message);
    if (code === "not_open") assert.equal(call_id, event.call_id);
  }

  async carryOut(event, { type, value }) {
    if (type === "persist_results") {
      for (const result of value) this.keep(event, result);
    } else if (type === "persist_messages") {
      for (const answer of value) {
        assert.ok(this.results.has(answer.call_id) && !this.late.has(answer.call_id), "an answer is doubled, or its call has no result");
        this.late.set(answer.call_id, answer);
        if ("result" in event && event.call_id === answer.call_id) assert.equal(JSON.stringify(answer.content), JSON.stringify(event.result));
      }
    } else if (type === "persist_state") {
      this.stored = JSON.stringify((await this.call("stored")).ok);
    } else if (type === "execute") {
      assert.ok(!this.results.has(value.id), "a call has its result and is executed");
      assert.equal(JSON.stringify(value), JSON.stringify(this.calls.get(value.id)), "a call has changed");
    } else if (type === "notify") {
      assert.equal(value.type, (await this.call("notice")).ok.type);
    } else {
      this.eachCallHasItsResult();
    }
  }

  keep(event, result) {
    assert.ok(!this.results.has(result.call_id), "a result is doubled");
    this.results.set(result.call_id, result);
    if ("content" in event && event.call_id === result.call_id) assert.equal(JSON.stringify(result.content), JSON.stringify(event.content));
  }

  eachCallHasItsResult() {
    assert.deepEqual([...this.results.keys()].sort(), [...this.calls.keys()].sort(), "a result is lost");
  }
}

const isWaitedFor = ({ options }) => options?.blocking !== false;

/** Random events and crashes, from so many seeds. Gives how many events were taken. */
export async function converse(call, seeds) {
  let taken = 0;
  for (let seed = 0; seed < seeds; seed += 1) {
    const dice = new Dice(seed);
    const store = new Store(call, dice);
    await store.begin();
    for (let left = dice.below(60); left > 0; left -= 1) await store.happens(dice.pick(EVENTS));
    taken += store.results.size;
    // However it stands, the person can end it.
    if ((await call("state")).ok.state !== "idle") await store.happens("stopped");
    assert.deepEqual((await call("state")).ok, { state: "idle" });
    store.eachCallHasItsResult();
    // What the agent does not wait for stays open, also after a crash, until it is answered.
    await store.happens("crash");
    const { ok: open } = await call("waiting");
    assert.ok(!open.some(isWaitedFor) && open.every(({ call: { id } }) => store.results.has(id) && !store.late.has(id)));
    for (const { call: { id } } of open) await call("on", { type: "closed", call_id: id, how: "answered", result: true });
    assert.deepEqual((await call("waiting")).ok, []);
  }
  return taken;
}

/** What is not an event, or not a conversation, is refused. */
export async function refuse(call) {
  const { ok: idle } = await call("conversation", true);
  for (const wrong of ["", "{", "null", "1", "[]", "{}", '{"type": "x"}', '{"type": "closed"}', '{"type": "message", "type": 1}', "[".repeat(100_000)]) {
    assert.match((await call("on", wrong)).misuse ?? "", /./, wrong.slice(0, 30));
    assert.match((await call("stored_conversation", wrong)).misuse ?? "", /./, wrong.slice(0, 30));
  }
  assert.deepEqual((await call("stored")).ok, idle);
  for (let depth = 100; depth < 130; depth += 1) await nests(call, depth);
}

/** What nests deep is stored and read again, or refused. */
async function nests(call, depth) {
  const input = JSON.parse("[".repeat(depth) + "]".repeat(depth));
  await call("conversation", true);
  await call("on", { type: "message" });
  const said = await call("on", { type: "model_responded", calls: [{ id: "a", name: "b", input }, { id: "c", name: "d", input }] });
  if (said.misuse) return assert.ok(depth > 100);
  const { ok: stored } = await call("stored");
  assert.deepEqual((await call("stored_conversation", stored)).ok, stored);
}
