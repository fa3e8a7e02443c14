// How much time is left for an answer, above its question. A form fetches this if its question expires.
import { LONGEST, momentOf } from "./moment.js";
import { ELEMENT_LAST_MINUTE, ELEMENT_TIME_LEFT } from "../build/words.js";

/** @import { Words } from "./words.js" */

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/**
 * Days from two on, else hours from two on, else minutes: each with what it has in milliseconds.
 * @type {(left: number) => [unit: string, of: number]}
 */
const unitOf = (left) => (left >= 2 * DAY ? ["day", DAY] : left >= 2 * HOUR ? ["hour", HOUR] : ["minute", MINUTE]);

/**
 * Says in a paragraph how much time is left until a moment (RFC 3339), by the clock `now`, and calls `over` when none is. The last minute is announced to screen
 * readers. Gives what stops it and takes the paragraph away.
 * @param {string} moment
 * @param {HTMLElement} line
 * @param {{ words: Words, now: () => number, over: () => void }} given
 * @returns {() => void}
 */
export function countDown(moment, line, { words, now, over }) {
  const end = momentOf(moment);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  // A clock that gives no number is no clock.
  const clock = () => (Number.isFinite(now()) ? now() : Date.now());
  const left = () => Math.max(0, end - clock());
  const say = () => {
    const [unit, of] = unitOf(left());
    const time = new Intl.NumberFormat(words.tag, { style: "unit", unit, unitDisplay: "long" }).format(Math.floor(left() / of));
    line.textContent = left() < MINUTE ? words.say(ELEMENT_LAST_MINUTE) : words.say(ELEMENT_TIME_LEFT, { time });
  };
  const goOn = () => {
    if (left() === 0) {
      line.remove();
      return over();
    }
    const isLast = left() < MINUTE;
    line.className = isLast ? "notice" : "hint";
    // What is said then is spoken, so the paragraph is a live region before.
    line.setAttribute("role", left() < 2 * MINUTE ? "status" : "timer");
    say();
    const [, of] = unitOf(left());
    timer = setTimeout(goOn, Math.min(isLast ? left() : (left() % of) + 1, LONGEST));
  };
  const stop = () => {
    clearTimeout(timer);
    line.remove();
  };
  words.follow(line, say);
  goOn();
  return stop;
}
