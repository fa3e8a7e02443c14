// The cases of desks in a runtime of the component. Clients are pages, so their walks are those of the headless package.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { optionsText } from "../../pkg/src/core/values.js";
import { open, resume } from "../../pkg/dist/core.node.js";
import { play } from "../js/desk.mjs";
import { root } from "./runtimes.mjs";

/** A desk of the component as the player wants it. A runtime has one at a time. */
function deskIn(call) {
  const get = async (...asked) => {
    const said = await call(...asked);
    assert.ok("ok" in said, JSON.stringify(said));
    return said.ok ?? undefined;
  };
  const desk = {
    toJSON: () => get("desk_save"),
    secretsIn: (input) => get("desk_secrets", input),
    on: (input) => get("desk_on", input),
    get request() {
      return get("desk_request");
    },
  };
  const Desk = {
    async ask(request, { dialect, earlier, ...options }) {
      await get("desk_ask", options.toolCallId, request, dialect ?? null, JSON.parse(optionsText(options)), earlier ?? null);
      return desk;
    },
    async fromJSON(stored) {
      await get("desk_read", stored);
      return desk;
    },
  };
  return { Desk, open, resume };
}

/** Plays every case. Gives how many there are. */
export async function playDesks(call) {
  const files = ["tests/vectors/desk.json", "tests/cases/desk.json", "tests/random/desk.json"];
  const cases = files.flatMap((file) => JSON.parse(readFileSync(join(root, file), "utf8")));
  for (const one of cases) await play(deskIn(call), one).catch((error) => assert.fail(`${one.name}: ${error.message}`));
  // What is no desk, no input and no walk is refused.
  assert.match((await call("desk_read", "{}")).misuse, /cannot be read/);
  assert.match((await call("desk_on", { type: "answer" })).misuse, /not an input of a desk/);
  assert.ok((await call("desk_begun", {})).refused);
  assert.ok((await call("desk_ask", "call_1", { questions: [] }, null, {}, null)).rejected);
  await call("desk_ask", "call_1", { question: "Sure?", answer_type: "boolean" }, null, { nonce: "n1" }, null);
  assert.equal((await call("desk_closed")).ok, null);
  await call("desk_on", { type: "answered", key: "k", answers: { answer: true } });
  assert.deepEqual([(await call("desk_closed")).ok, (await call("desk_answer")).ok.outcome.result.answer], [{ how: "answered", key: "k" }, true]);
  return cases.length;
}
