// Agents by every door, a page and people beside it, while the inbox and the agents are killed at random: no answer is lost, doubled, or given to another. `node tests/bench/inbox.mjs` is the long run.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { freePort } from "./free-port.mjs";
import { Crowd, NOTES, PagePerson, PlainPerson } from "./inbox-app-crowd.mjs";
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
