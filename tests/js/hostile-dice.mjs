// Bytes as decisions, and what a hostile end of a channel may say: texts that are malformed, reordered, repeated, cut off, huge or deeply nested.

/**
 * What a hostile end knows: the number that is next, the types and ids that there are, what it has said before, and how long a message may be.
 * @typedef {{ n: number, types: string[], ids: (string | undefined)[], earlier: unknown[], limit: number }} Said
 */

/** A text that no refusal and no event repeats. */
export const SECRET = "hunter2-hunter2";

/** Decides by bytes; when none is left, always for the first. */
export class Dice {
  /** @type {ArrayLike<number>} */
  #bytes;
  #at = 0;

  /** @param {ArrayLike<number>} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  get left() {
    return this.#at < this.#bytes.length;
  }

  byte() {
    return this.#bytes[this.#at++] ?? 0;
  }

  /** @param {number} count */
  below(count) {
    return this.byte() % count;
  }

  flag() {
    return this.below(2) === 1;
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  pick(list) {
    return list[this.below(list.length || 1)];
  }
}

const WORDS = [
  "", "q1", "q2", "connected", "result", "close", "malformed", "too_large", "__proto__", "constructor", "toString", "then", "message",
  "x".repeat(201), "x".repeat(4_000), "\ud800", "\u0000", "😀", SECRET,
];
const NAMES = [
  "id", "message", "code", "height", "walk", "request", "options", "dialect", "toolResult", "problems", "result", "outcome", "secrets", "label",
  "toString", "valueOf", "__proto__", "constructor", "then", "toJSON",
];
const NUMBERS = [0, 1, -1, 2, 0.5, 1e308, -0, 2 ** 53, 120];
/** Stands for what is nested so deep that a function that calls itself runs out of its stack. */
const DEEP = "(deep)";
const DEPTHS = [100, 3_000, 30_000];

/**
 * Any value that JSON has.
 * @param {Dice} dice
 * @param {number} depth
 * @returns {unknown}
 */
export function hostileValue(dice, depth = 0) {
  const kinds = depth < 3 ? 9 : 6;
  switch (dice.below(kinds)) {
    case 0: return dice.pick(WORDS);
    case 1: return dice.pick(NUMBERS);
    case 2: return dice.pick([null, true, false]);
    case 3: return DEEP;
    case 4: return { toString: null, valueOf: null };
    case 5: return { message: dice.pick(WORDS), problems: [] };
    case 6: return Array.from({ length: dice.below(4) }, () => hostileValue(dice, depth + 1));
    default: return hostileObject(dice, depth);
  }
}

/**
 * An object with any properties, `__proto__` among them as one of its own.
 * @param {Dice} dice
 * @param {number} depth
 * @returns {object}
 */
export function hostileObject(dice, depth = 0) {
  const made = {};
  for (let count = dice.below(4); count > 0; count -= 1) {
    const value = hostileValue(dice, depth + 1);
    Object.defineProperty(made, dice.pick(NAMES), { value, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

/**
 * A message of a hostile end: often nearly right. `n` is the number that is next, `earlier` what it has said before.
 * @param {Dice} dice
 * @param {Said} said
 * @returns {unknown}
 */
export function hostileText(dice, { n, types, ids, earlier, limit }) {
  const message = { ask_user: 1, n, type: dice.pick(types), id: dice.pick(ids) ?? "q1", detail: rightDetail(dice) };
  switch (dice.below(16)) {
    case 0: return dice.pick([undefined, null, 5, {}, [], new Uint8Array(3)]);
    case 1: return dice.pick(earlier) ?? "";
    case 2: return written(message, dice).slice(0, dice.byte());
    case 3: return `{"key":${dice.pick(["", '"'])}${SECRET}${dice.pick(['"x', '"}', "\u0001", '",,', "}"])}`;
    case 4: return JSON.stringify({ ...message, detail: { x: "x".repeat(Math.min(limit, 20_000)) } });
    case 5: return written({ ...message, n: dice.pick([n + 1, n - 1, 0, -1, "1", 1.5, null, 2 ** 53]) }, dice);
    case 6: return written({ ...message, type: hostileValue(dice) }, dice);
    // An id is no secret: a refusal names it.
    case 7: return written({ ...message, id: hostileValue(dice) }, dice).replaceAll(SECRET, "q3");
    case 8: return written({ ...message, [dice.pick(["ask_user", "detail"])]: hostileValue(dice) }, dice);
    case 9: return written({ ...message, type: [message.type] }, dice);
    case 10: case 11: return written({ ...message, detail: hostileObject(dice) }, dice);
    default: return written(message, dice);
  }
}

/**
 * What a well-behaved end would say, of every type at once, with any walk.
 * @param {Dice} dice
 */
function rightDetail(dice) {
  const walk = dice.pick([undefined, { ask_user_walk: 2, log: [] }, "\ud800", DEEP]);
  const request = { question: "Go?", answer_type: "boolean" };
  return { request, walk, height: 5, code: "malformed", message: "No.", toolResult: { message: "No.", problems: [] } };
}

/**
 * @param {object} message
 * @param {Dice} dice
 */
function written(message, dice) {
  const text = JSON.stringify(message);
  if (!text.includes(DEEP)) return text;
  const depth = dice.pick(DEPTHS);
  return text.replaceAll(`"${DEEP}"`, "[".repeat(depth) + "]".repeat(depth));
}

/**
 * Numbers of 32 bits, the same for the same seed (a linear congruential generator; its higher bits are the better ones).
 * @param {number} seed
 * @returns {() => number}
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
}
