// Agents by every door, a page and people beside it, while the inbox and the agents are killed at random: no answer is lost, doubled, or given to another. `node tests/bench/inbox.mjs` is the long run.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { freePort } from "./free-port.mjs";
import { Crowd, NOTES, PagePerson, PlainPerson, judge } from "./inbox-app-crowd.mjs";
import { Home } from "./inbox-app.mjs";

let browser;
let home;
before(async () => (browser = await launch()));
after(async () => {
  await home?.end();
  await browser.close();
});

test("eight agents, sixteen open questions and five kills of the inbox: no answer is lost, doubled, or given to another", async (context) => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  context.diagnostic(`SEED=${seed}`);
  // The page finds the next inbox at the same address.
  home = new Home({ ASK_USER_PORT: String(await freePort()) });
  await home.start();
  const crowd = new Crowd({ home, seed, agents: 8, open: 16, questions: 40 });
  const page = await browser.page("/blank", {}, NOTES);
  await crowd.run({ kills: 5, agentKills: 8, people: [new PagePerson(crowd, "page", page), new PlainPerson(crowd, "one"), new PlainPerson(crowd, "other")] });
  assert.deepEqual(crowd.faults, [], `SEED=${seed} ${JSON.stringify(crowd.counts)}`);
  const { inboxKilled, answered, accepted, mostOpen } = crowd.counts;
  assert.equal(inboxKilled, 5);
  assert.ok(answered >= 40 && accepted > 0 && mostOpen >= 8, JSON.stringify(crowd.counts));
  context.diagnostic(JSON.stringify(crowd.counts));
});

test("the check finds an answer that is lost, doubled, or given to another", () => {
  const fine = { code: 0, said: "" };
  const run = () => ({
    asked: [
      { token: "q1", agent: "a", got: ["one q1"], receipts: [{ id: "i1", who: "a", how: "answered", value: "one q1", device: "d1", check: fine }] },
      { token: "q2", agent: "b", got: ["other q2", "other q2"], receipts: [{ id: "i2", who: "b", how: "answered", value: "other q2", device: undefined, check: fine }] },
      { token: "q3", agent: "b", got: [], receipts: [] },
    ],
    accepted: [{ person: "one", id: "i1", value: "one q1" }, { person: "other", id: "i2", value: "other q2" }],
    devices: new Map([["one", "d1"], ["other", "d2"]]),
  });
  assert.deepEqual(judge(run()), []);
  const again = run();
  again.accepted.push({ person: "other", id: "i1", value: undefined }, { person: "other", id: "i1", value: "one q1" });
  assert.deepEqual(judge(again), []);
  const changes = {
    "lost: a never got": ({ asked }) => (asked[0].got = []),
    "lost: q1 is closed": ({ asked }) => (asked[0].receipts[0].how = "closed"),
    "lost: one was told": ({ asked }) => Object.assign(asked[0], { got: ["other q1"], receipts: [{ ...asked[0].receipts[0], value: "other q1", device: "d2" }] }),
    "lost: one was told that one q3 counts": ({ accepted }) => accepted.push({ person: "one", id: "i3", value: "one q3" }),
    "doubled: one and other were told": ({ accepted }) => accepted.push({ person: "other", id: "i1", value: "other q1" }),
    "doubled: q1 stands in 2": ({ asked }) => asked[0].receipts.push({ ...asked[0].receipts[0], id: "i3" }),
    "doubled: b got one q2": ({ asked }) => asked[1].got.push("one q2"),
    "another's: q1 has the answer one q2": ({ asked }) => Object.assign(asked[0].receipts[0], { value: "one q2" }),
    "another's: q1 of a stands under b": ({ asked }) => (asked[0].receipts[0].who = "b"),
    "another's: the receipt of q1": ({ asked }) => (asked[0].receipts[0].device = "d2"),
    "another's: the receipt of q2 has not the device of anybody": ({ asked, accepted }) => (accepted.pop(), (asked[1].receipts[0].device = "d3")),
    "the receipt of q1: changed": ({ asked }) => (asked[0].receipts[0].check = { code: 1, said: "changed" }),
    "b got one q3, and there is no receipt": ({ asked }) => asked[2].got.push("one q3"),
  };
  for (const [fault, change] of Object.entries(changes)) {
    const tampered = run();
    change(tampered);
    const found = judge(tampered);
    assert.ok(found.some((one) => one.startsWith(fault)), `${fault}: ${JSON.stringify(found)}`);
  }
});
