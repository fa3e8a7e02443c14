// Numbers of a JSON text that JavaScript may not have as they are written. A call is shown as it is, or not at all.

/** A number with more digits than JavaScript is sure to keep, or beyond what it can count. */
const INEXACT = /\d{16}|\d[eE][+-]?\d{3}/;

/** @type {(text: string) => string} */
const withoutTexts = (text) => text.replace(/"(?:[^"\\]|\\.)*"/g, "");

/**
 * Whether the values of a JSON text might be other ones once JavaScript has read them.
 * @param {string} text
 */
export const isRounded = (text) => INEXACT.test(withoutTexts(text));

/**
 * Whether what was read of a JSON text has every number as it stands there.
 * @type {(text: string, given: unknown) => boolean}
 */
export const isExact = (text, given) => numbersOf(text) === numbersOf(JSON.stringify(given));

/** @type {(text: string) => string} */
const numbersOf = (text) => (withoutTexts(text).match(/-?\d[\d.eE+-]*/g) ?? []).join();
