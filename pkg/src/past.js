// What a receipt of an old walk is made of. Knows no form and no page.
import { optionsText, requestText } from "./core/values.js";

/** @import { Dialect, Host, Receipt } from "../types/ask-user.js" */

/**
 * What the page has set as `receipt`, as texts. Throws a TypeError where it is none.
 * @param {Receipt} receipt
 * @param {Host} own
 * @param {Dialect | string} [ownDialect]
 */
export function past(receipt, own, ownDialect) {
  const { request, walk, dialect = ownDialect, toolCallId, options = {} } = receipt;
  if (request == null || walk == null) throw new TypeError("`receipt` needs `request`, as it was asked, and `walk`, as the element saved it.");
  const call = toolCallId === undefined ? {} : { toolCallId };
  const all = optionsText({ ...own, ...options, ...call });
  const texts = { request: requestText(request), walk: requestText(walk), dialect, options: all };
  return { ...texts, made: JSON.stringify(["receipt", texts]) };
}
