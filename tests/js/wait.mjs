// Waits for a state, never for a time: what a test waits for, and how it shows that something does not come. No other test has a timer of its own
// (`cargo xtask tidy`). A time that has to pass passes on a clock that the test moves: `pass` of a stopped page (browser.mjs), `keepsStill`, `stoppedTime`.
import assert from "node:assert/strict";
import { mock } from "node:test";
import { inspect, isDeepStrictEqual } from "node:util";

/** @import { Frame, Page } from "playwright-core" */

/** After how long a state that has not come is a failure, in milliseconds: as Playwright has it. */
const LONGEST = 30_000;

/** The true time, also where a test has stopped that of the process. */
const { setTimeout: later, clearTimeout: callOff } = globalThis;

/**
 * Lets a time pass. For what is not seen otherwise: a process that starts, a server that is slow.
 * @type {(milliseconds: number) => Promise<void>}
 */
export const pause = (milliseconds) => new Promise((resolve) => later(resolve, milliseconds));

/**
 * Acts after a time, unless what it gives is called first: for a process that hangs.
 * @param {number} milliseconds
 * @param {() => unknown} act
 */
export function deadline(milliseconds, act) {
  const timer = later(act, milliseconds);
  return () => callOff(timer);
}

/**
 * Acts again and again until what it gives is called: for a server that drips.
 * @param {number} milliseconds
 * @param {() => unknown} act
 */
export function every(milliseconds, act) {
  const timer = setInterval(act, milliseconds);
  return () => clearInterval(timer);
}

/**
 * What a promise gives, if it gives it within a time; else an error that says what did not come.
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T>} promise
 * @param {string} what
 * @returns {Promise<T>}
 */
export function within(milliseconds, promise, what) {
  /** @type {ReturnType<typeof later> | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => (timer = later(() => reject(new Error(`${what} did not come within ${milliseconds} ms`)), milliseconds)));
  return Promise.race([promise, late]).finally(() => callOff(timer));
}

/**
 * Looks again and again until what `look` gives is so, and gives it. `what` says what was to come; the error says what was there instead.
 * @template T
 * @param {() => T | Promise<T>} look
 * @param {string} what
 * @param {(found: T) => unknown} is
 * @param {number} longest
 * @returns {Promise<T>}
 */
export async function until(look, what, is = Boolean, longest = LONGEST) {
  for (const begun = Date.now(); ; ) {
    const found = await look();
    if (await is(found)) return found;
    const waited = Date.now() - begun;
    if (waited > longest) throw new Error(`${what} did not come within ${longest / 1_000} s; there was ${inspect(found, { depth: 6 })}`);
    // What does not come at once is looked for less often.
    await pause(Math.min(5 + waited / 20, 50));
  }
}

/**
 * Waits until what `look` gives equals this; fails with the difference.
 * @param {() => unknown} look
 * @param {unknown} wanted
 */
export async function becomes(look, wanted) {
  /** @type {unknown} */
  let found;
  /** @type {(now: unknown) => boolean} */
  const is = (now) => isDeepStrictEqual((found = now), wanted);
  await until(look, "what was expected", is).catch((error) => {
    assert.deepEqual(found, wanted);
    throw error;
  });
}

/**
 * Waits until a server has got so many deliveries, or more; gives them.
 * @template T
 * @param {T[]} deliveries
 * @param {number} count
 * @returns {Promise<T[]>}
 */
export const delivered = (deliveries, count) => until(() => deliveries, `${count} deliveries`, ({ length }) => length >= count);

/**
 * In a page: until what is shown is painted, even where a test has stopped the time (and put the true one aside). A page behind another paints nothing.
 * @returns {Promise<void>}
 */
const inPagePainted = () =>
  new Promise((resolve) => {
    const later = window.later ?? window.setTimeout.bind(window);
    later(resolve, 250);
    requestAnimationFrame(() => requestAnimationFrame(() => later(resolve)));
  });

/**
 * Waits until what is shown in a page, or a frame, is painted, and what that has set off is done.
 * @type {(page: Page | Frame) => Promise<void>}
 */
export const painted = (page) => page.evaluate(inPagePainted);

/**
 * For what must not happen: waits until a page has done what it had begun. It has painted, and a request that it made after all others was answered. What
 * waits for a timer comes only when a stopped clock lets it.
 * @param {Page | Frame} page
 */
export async function allDone(page) {
  await painted(page);
  await page.evaluate(async () => void (await (await fetch(location.href, { cache: "no-store" })).text()));
  await painted(page);
}

/** In a page: gives its events a clock that tests can put forward and stop, and the date with it. No timer has a part in it. */
const inPageClock = ({ ahead = 0, stops = false } = {}) => {
  if (!window.eventClock) {
    const clock = (window.eventClock = { ahead: 0, stopped: undefined });
    const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp"));
    const now = performance.now.bind(performance);
    Object.defineProperty(Event.prototype, "timeStamp", { configurable: true, enumerable: true, get() { return (clock.stopped ?? get.call(this)) + clock.ahead; } });
    performance.now = () => (clock.stopped ?? now()) + clock.ahead;
    const date = Date.now.bind(Date);
    Date.now = () => date() + clock.ahead;
  }
  // What has moved before is seen before the time passes.
  if (ahead) document.dispatchEvent(new Event("scroll"));
  window.eventClock.ahead += ahead;
  if (stops) window.eventClock.stopped ??= performance.now() - window.eventClock.ahead;
};

/**
 * In a page: whoever moves the pointer has seen what moved before, and aims; whoever moves the focus looks where it is. That takes time on the clock of events. A driver scrolls and
 * presses within a frame: that something was scrolled is said before. Tests of hasty pages and people set `window.isHasty`.
 */
export const AIMS = `const clock = ${inPageClock};
clock();
const aims = (event) => {
  if (window.isHasty || (event.type === "pointerdown" && event.pointerType === "mouse")) return;
  clock({ ahead: 600 });
};
for (const name of ["pointermove", "focusin"]) addEventListener(name, aims);
addEventListener("pointerdown", aims, true);`;

/**
 * Waits so long on the page's own clock. What the page had put off for less is done by then, however busy the machine is.
 * @type {(page: Page | Frame, milliseconds: number) => Promise<unknown>}
 */
export const passed = (page, milliseconds) => page.evaluate((milliseconds) => new Promise((resolve) => (window.later ?? window.setTimeout)(resolve, milliseconds)), milliseconds);

/**
 * Gives a page that has no probe.js `window.painted()` and `window.passed(milliseconds)`, for what waits within it.
 * @type {(page: Page | Frame) => Promise<unknown>}
 */
export const equip = (page) => page.evaluate(/** @type {() => void} */ (new Function(`
  window.painted = ${inPagePainted};
  window.passed = (milliseconds) => new Promise((resolve) => (window.later ?? window.setTimeout)(resolve, milliseconds));
`)));

/**
 * Waits until nothing in a page moves: what is painted stands where it stays, in its own colours.
 * @param {Page} page
 */
export async function stands(page) {
  await painted(page);
  await page.evaluate(async () => {
    /** @type {(root: Document | ShadowRoot) => (Document | ShadowRoot)[]} */
    const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : []))];
    const ends = () => [...new Set(roots(document).flatMap((root) => root.getAnimations()))].filter(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    for (let moving = ends(); moving.length; moving = ends()) await Promise.allSettled(moving.map(({ finished }) => finished));
  });
  await painted(page);
}

/**
 * Loads a page or a frame anew from within, as a person does who reloads it.
 * @type {(frame: Page | Frame) => Promise<void>}
 */
export const reloads = (frame) => frame.evaluate(() => void setTimeout(() => location.reload()));

/**
 * Waits until all that the element fetches ahead is there. What a form on the page has waited for has come to it before. For pages whose time passes.
 * @param {Page} page
 */
export async function preloaded(page) {
  await page.evaluate(async () => (await import("/pkg/dist/ask-user.js")).preload());
  await allDone(page);
}

/**
 * The person keeps still for so long: puts the clock of a page's events forward. Half a second is enough for a form that has changed by itself.
 * @type {(page: Page | Frame, milliseconds?: number) => Promise<void>}
 */
export const keepsStill = (page, milliseconds = 600) => page.evaluate(inPageClock, { ahead: milliseconds });

/**
 * Stops the clock of a page's events: however slow the machine is, one key comes as soon after another as `keepsStill` says. Gives what lets it go on.
 * @param {Page} page
 */
export async function stopEvents(page) {
  await page.evaluate(inPageClock, { ahead: 0, stops: true });
  return () => page.evaluate(() => void (window.eventClock.stopped = undefined));
}

/**
 * Types a text with a pause before each key, on the clock of a page's events that was stopped.
 * @param {Page} page
 * @param {string} text
 * @param {number} milliseconds
 */
export async function typesOn(page, text, milliseconds = 60) {
  for (const key of text) {
    await keepsStill(page, milliseconds);
    await page.keyboard.type(key);
    await painted(page);
  }
}

/**
 * In a page: whether a form shows this and takes it; or else what they show.
 * @type {(wanted: { selector: string, at?: number }) => true | { forms: number, shownAlready: number, text: string }}
 */
const inPageTakes = ({ selector, at }) => {
  const forms = [...document.querySelectorAll("ask-user")].filter((_, place) => at === undefined || place === at);
  const roots = forms.flatMap(({ shadowRoot }) => shadowRoot ?? []);
  const found = roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  if (found.some((one) => !one.closest("[inert]") && one.checkVisibility())) return true;
  const text = roots.flatMap(({ children }) => [...children].map(({ textContent }) => textContent)).join(" ").slice(0, 300);
  return { forms: forms.length, shownAlready: found.length, text };
};

/**
 * Waits until a form takes answers: this is painted, and the person has been still since, so that a key or a click counts. The form is any one, or that at a place.
 * @param {Page | Frame} page
 * @param {string} selector
 * @param {number} [at]
 */
export async function takesAnswers(page, selector = "[data-question], [data-page]", at = undefined) {
  await until(() => page.evaluate(inPageTakes, { selector, at }), `a form that takes answers at ${selector}`, (found) => found === true);
  await painted(page);
  await keepsStill(page);
}

/**
 * Waits until what has the focus, within open shadow roots, matches a selector.
 * @type {(page: Page | Frame, selector: string) => Promise<unknown>}
 */
export const hasFocus = (page, selector) =>
  until(
    () =>
      page.evaluate((selector) => {
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        return active?.matches(selector) || (active?.outerHTML.slice(0, 200) ?? "nothing");
      }, selector),
    `the focus at ${selector}`,
    (found) => found === true,
  );

/** Lets what this process has begun go on: what is ready, and what that makes ready. */
export const tasks = async (count = 5) => {
  for (; count; count -= 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Stops the time of this process: gives what lets milliseconds pass, and what gives the time back. */
export function stoppedTime({ withDate = false } = {}) {
  mock.timers.enable({ apis: withDate ? ["setTimeout", "Date"] : ["setTimeout"] });
  /** @type {(milliseconds: number) => Promise<void>} */
  const pass = async (milliseconds) => {
    await tasks();
    mock.timers.tick(milliseconds);
    await tasks();
  };
  return { pass, tick: (/** @type {number} */ milliseconds) => mock.timers.tick(milliseconds), restore: () => mock.timers.reset() };
}
