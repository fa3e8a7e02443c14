// Keeps how far the person has come with a question, and delivers its end, in whichever form it is shown. Part of what is fetched for forms whose answers are sent or kept.
import { ELEMENT_ELSEWHERE, ELEMENT_MINE, ELEMENT_NEXT, ELEMENT_NO_REPLY, ELEMENT_SIGN_IN, ELEMENT_UNKEPT, ELEMENT_WAITS } from "../build/words.js";
import { Delayed } from "./delayed.js";
import { Delivery } from "./delivery.js";
import { attempt, rejection } from "./ending.js";
import { Keeping } from "./keeping.js";

/**
 * @import { Asked, Ending, Mine } from "./asked.js"
 * @import { Attempt, Show } from "./delivery.js"
 * @import { Shown } from "./shown.js"
 * @import { Speech } from "./speech.js"
 * @import { Word, Words } from "./words.js"
 * @import { Handle } from "../build/web/ask_user_web.js"
 * @import { SavedWalk, ToolResult } from "../types/core.js"
 */

/**
 * What a question needs of its element. `shown()` is the form that is shown, if one is; `walk()` what a host may read of it, and `isSet(text)` whether that is of the question with this text.
 * `version()` is what the host has of the walk. `follow(walk, isClean)` takes up a walk from elsewhere, and says whether it does; `close(how)` hears that the question was ended elsewhere, `keeps(keeping)` by what
 * it is kept, `takeUp(mine)` that the person wants this page's own walk back, `fail(error)` what the host has done wrong, `delivers(state)` how an end is delivered, `over()` that the
 * question has come to its end here. `tell(name, detail)` dispatches an event, and says whether nobody has prevented what follows; `given()` is the walk that came with the question.
 * @typedef {object} Around
 * @property {() => Shown | undefined} shown
 * @property {() => SavedWalk | undefined} walk
 * @property {(text: string) => boolean} isSet
 * @property {(asked: Asked) => boolean} isCurrent
 * @property {() => Ending | undefined} ending
 * @property {() => string | undefined} version
 * @property {() => SavedWalk | undefined} given
 * @property {(walk: SavedWalk, isClean: boolean) => boolean} follow
 * @property {(how: string) => void} close
 * @property {(name: string, detail: object) => boolean} tell
 * @property {(error: unknown) => void} fail
 * @property {() => void} over
 * @property {Show} delivers
 * @property {HTMLElement} element
 * @property {(mine: Mine) => void} takeUp
 * @property {(keeping: Keeping) => void} keeps
 */

/**
 * Keeps a change of a form. What a form begins with is kept already.
 * @param {Asked} asked
 * @param {Around} around
 * @param {Shown} shown
 * @param {boolean} [now]
 */
export function keep(asked, around, shown, now) {
  const { call, saveUrl: url, eventsUrl: events } = asked.begun;
  if (!asked.keeping?.is(shown.made, url)) {
    const before = asked.keeping;
    const version = before?.version ?? around.version();
    // What was not kept yet, is kept of the form as it is now.
    if (before?.stop()) shown.isBased = true;
    /** @type {Keeping | undefined} */
    let keeping;
    // What is said of a question comes late where another one is shown.
    const isShown = () => around.isCurrent(asked) && (!keeping || asked.keeping === keeping);
    keeping = asked.keeping = new Keeping({ asked: asked.text, made: shown.made, url, version, events, ended: asked.ending?.key }, {
      // The walk that was set last may be for the question that comes next.
      walk: () => {
        const form = around.shown();
        if (form?.asked !== asked) return undefined;
        return around.isSet(asked.text) ? around.walk() : JSON.parse(form.handle.save() ?? "null") ?? undefined;
      },
      host: () => asked.begun.host,
      follow: (walk, isClean) => isShown() && around.follow(walk, isClean),
      close: (how) => asked.ending === undefined && isShown() && around.shown() && around.close(how),
      kept: () => isShown() && around.shown()?.unkept?.remove(),
      unkept: (error) => isShown() && warn(around, error),
    }, before);
    if (around.isCurrent(asked)) around.keeps(keeping);
  }
  if (shown.isBased) return asked.keeping?.changed(call, now);
  shown.isBased = true;
  asked.keeping?.began(around.given());
}

/**
 * Reports that answers could not be kept, and lets the person know while they can still send them.
 * @param {Around} around
 * @param {unknown} error
 */
function warn(around, error) {
  around.fail(error);
  const form = around.shown();
  if (!form || form.asked.ending !== undefined || form.unkept?.isConnected) return;
  form.place.before((form.unkept = form.speech.notify("alert", ELEMENT_UNKEPT)));
}

/**
 * Says that a form shows what was done elsewhere, and offers what was done here.
 * @param {Around} around
 * @param {Shown} form
 * @param {Mine} mine
 */
export function offer(around, form, mine) {
  form.place.before((form.elsewhere = form.speech.notify("alert", ELEMENT_ELSEWHERE, ELEMENT_MINE, () => around.takeUp(mine))));
}

/**
 * Takes the end of a question to the host, whether its form stays on the page or not. `done` is called once it is there.
 * @param {Around} around
 * @param {Asked} asked
 * @param {Attempt} sends
 * @param {() => void} [done]
 */
export function deliver(around, asked, sends, done) {
  const ending = /** @type {Ending} */ (asked.ending);
  // It may be put off, and shown again as another question of the same ending.
  const isShown = () => around.ending() === ending;
  ending.delivery = new Delivery(sends, (state, message, isRefused) => {
    if (isShown()) around.delivers(state, message, isRefused);
    if (state === "sent") done?.();
    const detail = { state, message, idempotencyKey: ending.key };
    around.tell("delivery", detail);
    if (state === "sent" && isShown()) around.over();
    const { element } = around;
    if (element.isConnected) return;
    // Whoever has taken the form off the page may listen there.
    element.ownerDocument.dispatchEvent(new CustomEvent("ask-user-delivery", { detail }));
    if (state === "failed") reportError(new Error(`An answer could not be sent. ${message ?? ""}`.trim()));
  });
}

/**
 * What a delivery says of its own, in English.
 * @type {Map<string | undefined, Word>}
 */
const OWN = new Map([ELEMENT_NO_REPLY, ELEMENT_SIGN_IN].map((word) => [word[1], word]));

/**
 * Shows in a form how the delivery of its end goes.
 * @param {Handle | undefined} handle
 * @param {Words} words
 * @param {Parameters<Show>} state
 */
export function showDelivery(handle, words, [state, message, isRefused]) {
  handle?.showDelivery(isRefused ? "refused" : state, OWN.has(message) ? words.say(/** @type {Word} */ (OWN.get(message))) : message);
}

/** Offers the next request where the end of this one cannot be sent. @type {(speech: Speech, next: () => void) => HTMLElement} */
export const waits = (speech, next) => speech.notify("status", ELEMENT_WAITS, ELEMENT_NEXT, next);

/** How long, in milliseconds, a rejection waits before it is sent: a page may still be setting what the request needs. */
const REJECTED = 500;

/**
 * Takes the rejection of a request to the host, a moment later: what is set meanwhile may make a form of the request. Gives that moment, if the host is told of rejections.
 * @param {Around} around
 * @param {Asked} asked
 * @param {string} nonce
 * @param {ToolResult} rejected
 */
export function reject(around, asked, nonce, rejected) {
  const here = { ...asked.begun, isHeard: asked.isHeard };
  const detail = rejection(rejected, [asked.text, nonce], here.call);
  const sends = attempt(detail, () => ({ rejected }), here);
  const send = (/** @type {Attempt} */ sends) => {
    asked.ending = { key: detail.idempotencyKey, isRejection: true };
    deliver(around, asked, sends);
  };
  return sends && new Delayed(() => send(sends), REJECTED);
}
