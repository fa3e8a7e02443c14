// What the host for JavaScript expects of a store, as tests of any: `keepsStore(name, open)`, where `open()` promises a store that others may use too.
import assert from "node:assert/strict";
import { test } from "node:test";

/** @import { Store } from "../../pkg/types/host.js" */

/**
 * Registers the tests.
 * @param {string} name
 * @param {() => Promise<Store>} open
 */
export function keepsStore(name, open) {
  /** @type {(what: string) => string} */
  const says = (what) => `${name} as a store: ${what}`;
  const fresh = () => crypto.randomUUID();

  test(says("what is committed is there, in its order, and comes back character by character"), async () => {
    const store = await open();
    const id = fresh();
    const odd = ["", "\u0000", "é🙂", JSON.stringify("\ud800"), "'; DROP TABLE x; --", "{\"n\":123456789012345678901}"].map((text) => JSON.stringify(text));
    await store.create(id, { token: "t", state: "{}" });
    assert.deepEqual(await store.load(id), { token: "t", state: "{}", revision: 0 });
    const lines = odd.map((text, place) => ({ kind: /** @type {"message" | "state"} */ (place % 2 ? "message" : "state"), text }));
    assert.equal(await store.commit(id, 0, { state: '{"a":1}', isOpen: true, lines: [...lines, { kind: "response", key: odd[1], text: "r" }] }), true);
    assert.deepEqual(await store.load(id), { token: "t", state: '{"a":1}', revision: 1 });
    const found = await store.lines(id, ["message", "state"]);
    assert.deepEqual(found.map(({ kind, text }) => ({ kind, text })), lines);
    assert.deepEqual(found.map(({ place }) => place), found.map(({ place }) => place).toSorted((one, other) => one - other));
    assert.deepEqual((await store.lines(id, ["message", "state"], { after: found[2].place })).map(({ text }) => text), odd.slice(3));
    assert.deepEqual((await store.lines(id, ["response"], { key: odd[1] })).map(({ text }) => text), ["r"]);
    assert.deepEqual(await store.lines(id, ["response"], { key: odd[2] }), []);
    assert.deepEqual(await store.lines(fresh(), ["message"]), []);
    assert.equal(await store.load(fresh()), undefined);
  });

  test(says("a commit for another revision changes nothing, and of many at once one is stored"), async () => {
    const store = await open();
    const id = fresh();
    await store.create(id, { token: "t", state: "{}" });
    assert.equal(await store.commit(id, 1, { state: "no", isOpen: true, lines: [{ kind: "message", text: "no" }] }), false);
    assert.equal(await store.commit(fresh(), 0, { state: "no", isOpen: true, lines: [] }), false);
    const done = await Promise.all(Array.from({ length: 10 }, (_, at) => store.commit(id, 0, { state: String(at), isOpen: false, lines: [{ kind: "message", text: String(at) }] })));
    assert.equal(done.filter(Boolean).length, 1);
    const [{ text }, ...more] = await store.lines(id, ["message"]);
    assert.deepEqual([(await store.load(id))?.state, more], [text, []]);
  });

  test(says("a commit whose key is taken fails, and nothing of it is stored"), async () => {
    const store = await open();
    const id = fresh();
    await store.create(id, { token: "t", state: "{}" });
    const key = JSON.stringify("k".repeat(10_000));
    await store.commit(id, 0, { state: "1", isOpen: true, lines: [{ kind: "response", key, text: "first" }] });
    await assert.rejects(store.commit(id, 1, { state: "2", isOpen: true, lines: [{ kind: "message", text: "x" }, { kind: "response", key, text: "second" }] }));
    assert.deepEqual([await store.load(id), await store.lines(id, ["message"])], [{ token: "t", state: "1", revision: 1 }, []]);
    assert.deepEqual((await store.lines(id, ["response"], { key })).map(({ text }) => text), ["first"]);
  });

  test(says("a conversation that is there is not made again"), async () => {
    const store = await open();
    const id = fresh();
    await store.create(id, { token: "t", state: "1" });
    await assert.rejects(store.create(id, { token: "other", state: "2" }));
    assert.deepEqual(await store.load(id), { token: "t", state: "1", revision: 0 });
  });

  test(says("a store names the conversations that are open"), async () => {
    const store = await open();
    const [one, other] = [fresh(), fresh()];
    for (const id of [one, other]) await store.create(id, { token: "t", state: "{}" });
    await store.commit(one, 0, { state: "1", isOpen: true, lines: [] });
    assert.deepEqual([(await store.open()).includes(one), (await store.open()).includes(other)], [true, false]);
    await store.commit(one, 1, { state: "2", isOpen: false, lines: [] });
    assert.equal((await store.open()).includes(one), false);
  });
}
