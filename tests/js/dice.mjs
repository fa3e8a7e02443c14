// Random choices that are the same for the same seed, for tests of properties.
import { generator } from "./hostile-dice.mjs";

export class Dice {
  #next;

  constructor(seed) {
    this.#next = generator(seed);
    this.#next();
  }

  /** A number from 0, below another. */
  below(count) {
    return Math.floor((this.#next() / 2 ** 32) * count);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  shuffle(list) {
    const left = [...list];
    return list.map(() => left.splice(this.below(left.length), 1)[0]);
  }
}
