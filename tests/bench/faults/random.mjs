// Random choices that a seed repeats: for the faults, the clients and the tabs of the bench.

/** A source of choices: `chance(p)`, `between(least, most)`, `whole(least, most)` and `one(list)`. `name` gives each user of a seed a source of its own. */
export function random(seed, name) {
  let state = [...`${seed} ${name}`].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0, 0x811c9dc5);
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least, most) => least + next() * (most - least);
  const whole = (least, most) => Math.floor(between(least, most + 1));
  return { chance: (p) => next() < p, between, whole, one: (list) => list[whole(0, list.length - 1)], weighted: (weights) => weighted(weights, next()) };
}

/** A key of an object, as often as its number says beside the others. */
function weighted(weights, at) {
  const entries = Object.entries(weights);
  let left = at * entries.reduce((sum, [, weight]) => sum + weight, 0);
  return (entries.find(([, weight]) => (left -= weight) < 0) ?? entries.at(-1))[0];
}
