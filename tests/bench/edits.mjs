// One value of a JSON text of 1 MB is changed, by pkg/src/json/source.js and by jsonc-parser (`modify` and `applyEdits`), with a leaf in the middle and one at the
// end: the first change of a text, and each after it, as while a person types. Both give the same text. `node edits.mjs [ROUNDS]`.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { Source } from "../../pkg/src/json/source.js";

const { applyEdits, modify } = createRequire(new URL("../../pkg/package.json", import.meta.url))("jsonc-parser");
const ROUNDS = Number(process.argv[2] ?? 30);
const records = [];
for (let size = 0; size < 1_000_000; size += 132) records.push({ id: records.length, name: `service ${records.length}`, port: 8_080, tags: ["a", "b"] });
const text = JSON.stringify({ title: "all", records }, undefined, 2);

for (const [place, index] of [["in the middle", records.length >> 1], ["at the end", records.length - 1]]) {
  const path = ["records", index, "name"];
  const taken = { first: [], later: [], theirs: [] };
  // The first rounds warm the engine, and do not count.
  for (let round = -5; round < ROUNDS; round += 1) {
    const named = `name ${round}`;
    let ours;
    const first = timed(() => {
      ours = new Source(text);
      ours.set(path, JSON.stringify(named));
    });
    const one = ours.text;
    const later = timed(() => ours.set(path, JSON.stringify(`${named}!`)));
    let theirs;
    const other = timed(() => (theirs = applyEdits(text, modify(text, path, named, {}))));
    assert.equal(one, theirs);
    if (round >= 0) taken.first.push(first), taken.later.push(later), taken.theirs.push(other);
  }
  const [first, later, theirs] = [taken.first, taken.later, taken.theirs].map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
  console.log(`a leaf ${place} of ${(text.length / 1_000_000).toFixed(1)} MB: the first change ${first.toFixed(2)} ms, each after it ${later.toFixed(3)} ms; jsonc-parser ${theirs.toFixed(2)} ms each, ${(theirs / first).toFixed(1)} times our first and ${(theirs / later).toFixed(0)} times each after it (medians of ${ROUNDS})`);
}

function timed(act) {
  const begun = performance.now();
  act();
  return performance.now() - begun;
}
