// One question of one call, and what is known of its answer: how far the person has come, where that is kept, how it has ended, and how its end is delivered. It outlives its form, which is made anew
// when an option changes or the element is moved; a delivery outlives both.

/**
 * @import { Delivery } from "./delivery.js"
 * @import { Keeping } from "./keeping.js"
 * @import { Host } from "../types/ask-user.js"
 */

/**
 * A walk and its secrets, as texts. The secrets are in no walk that a host gets.
 * @typedef {[walk: string | undefined, secrets: string | undefined]} Mine
 */

/**
 * What a form was begun with: its call, its host and its addresses.
 * @typedef {{ call: string, host: Host & { deliver?: { again?: boolean } }, respondUrl: string | null, cancelUrl: string | null, saveUrl: string | null, eventsUrl: string | null }} Begun
 */

/**
 * An end that was told, by its idempotency key; `isRejection` where the request became no form.
 * @typedef {{ key: string, isRejection?: boolean, delivery?: Delivery }} Ending
 */

/** The attributes that name an address of the host. */
export const ADDRESSES = Object.freeze({ respondUrl: "respond-url", cancelUrl: "cancel-url", saveUrl: "save-url", eventsUrl: "events-url" });

export class Asked {
  /** The request, its dialect and its call, as text. */
  text;
  /** @type {Mine} */
  own = [undefined, undefined];
  /** @type {Begun} */
  // @ts-expect-error It is there once a form is made, and nothing asks for it before.
  begun;
  /**
   * The last step that was told, as text.
   * @type {string | undefined}
   */
  told;
  /** @type {Ending | undefined} */
  ending;
  /** @type {Keeping | undefined} */
  keeping;
  /** Whether the page came with it as HTML, as a page of several questions: it stays one. */
  isPage = false;

  /**
   * @param {string} text
   * @param {Ending} [ending]
   */
  constructor(text, ending) {
    this.text = text;
    this.ending = ending;
  }

  /** Whether its host says itself what is asked. */
  get isHeard() {
    return this.begun.eventsUrl !== null;
  }

  /** The host has refused its end, and the person goes on from the step before it. */
  reopen() {
    this.ending?.delivery?.stop();
    this.keeping?.reopens();
    this.ending = this.told = undefined;
  }

  /** It was ended elsewhere, or has expired: nothing more of it is sent or kept. */
  close() {
    this.ending?.delivery?.stop();
    delete this.ending?.delivery;
    this.forget();
  }

  /** Keeps nothing more of it. */
  forget() {
    this.keeping?.stop();
    this.keeping = undefined;
  }
}
