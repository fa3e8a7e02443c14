// Random choices that are the same for the same seed, for tests of properties.
import { generator } from "./hostile-dice.mjs";

export class Dice {
  /** @type {() => number} */
  #next;

  /** @param {number} seed */
  constructor(seed) {
    this.#next = generator(seed);
    this.#next();
  }

  /**
   * A number from 0, below another.
   * @param {number} count
   */
  below(count) {
    return Math.floor((this.#next() / 2 ** 32) * count);
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  pick(list) {
    return list[this.below(list.length)];
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T[]}
   */
  shuffle(list) {
    const left = [...list];
    return list.map(() => left.splice(this.below(left.length), 1)[0]);
  }
}
