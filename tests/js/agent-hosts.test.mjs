// Two agent hosts over one PostgreSQL database, in short, if PostgreSQL is installed. `cargo xtask hosts postgres` has the whole.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Fleet, NO } from "../postgres/fleet.mjs";
import { Postgres, isInstalled } from "./postgres.mjs";

test("one host asks, another takes the answer, and each call has one result", { skip: isInstalled() ? false : "PostgreSQL is not installed" }, async () => {
  const server = await Postgres.start();
  const fleet = await Fleet.start(server, { count: 2 });
  try {
    const [one, two] = fleet.hosts;
    const id = await one.begin();
    await fleet.comes(id, "awaiting_user_response");
    assert.equal((await two.ask("POST", `/conversations/${id}/respond`, { answers: NO })).status, 200);
    await fleet.comes(id, "idle");
    const { results, wrong } = await fleet.results(id);
    assert.deepEqual([Object.keys(results), wrong], [["call_1", "call_2", "call_3"], []]);
  } finally {
    await fleet.close();
    await server.close();
  }
});
