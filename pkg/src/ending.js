// How the end of a form goes to its host: what is sent, where, and with which headers. `docs/delivery.md` is the contract. Knows no form.

import { byHost, byHttp } from "./delivery.js";
import { hash } from "./save.js";

/**
 * @import { DeliveredEnd, DeliveredRejection, EndDetail, Host } from "../types/ask-user.js"
 * @import { ToolResult } from "../types/core.js"
 * @import { Attempt } from "./delivery.js"
 */

/**
 * Where an end goes.
 * @typedef {{ respondUrl: string | null, cancelUrl: string | null, host: Host, isHeard: boolean }} Here
 */

/**
 * The detail of an ending, or the same of a rejection.
 * @typedef {EndDetail | Omit<DeliveredRejection, "response">} Ended
 */

/**
 * What a host reads again.
 * @typedef {DeliveredEnd["response"] | DeliveredRejection["response"]} Response
 */

/** How many bytes of a header an explanation may have. Servers take few headers of more than 8 kB. */
const EXPLANATION = 4_096;
/** Where the four parts of a key begin. */
const PARTS = [0x811c9dc5, 0x2f6b1a03, 0x6d2b79f5, 0x1b873593];

/**
 * One try to take an end to the host: by the host's `deliver`, or to one of its addresses; undefined where it has neither. `end` is the detail of its event.
 * `response()` gives what a host reads again, which is sent where the host is heard.
 * @param {Ended} end
 * @param {() => Response} response
 * @param {Here} here
 * @returns {Attempt | undefined}
 */
export function attempt(end, response, { respondUrl, cancelUrl, host, isHeard }) {
  const { deliver, fetch: call, credentials } = host;
  if (deliver) return byHost(deliver, /** @type {DeliveredEnd | DeliveredRejection} */ ({ ...end, response: response() }));
  const to = end.outcome.ends === "turn_ended" ? cancelUrl : respondUrl;
  if (to === null) return undefined;
  const url = new URL(to, document.baseURI);
  const named = { tool_call_id: end.toolCallId };
  const body = isHeard ? JSON.stringify({ ...named, ...response() }) : end.resultText ?? JSON.stringify(named);
  // Another origin would have to allow each of these headers, and refuse the end without that.
  const headers = isHeard || url.origin !== globalThis.origin ? {} : told(end.outcome);
  return byHttp({ url: url.href, body, key: end.idempotencyKey, headers, call, credentials });
}

/**
 * The end of a request that became no form, as the detail of an event. The key is the same for the same request with the same nonce.
 * @param {ToolResult} toolResult
 * @param {unknown[]} asked
 * @param {string} toolCallId
 * @returns {Ended}
 */
export function rejection(toolResult, asked, toolCallId) {
  const text = JSON.stringify(["rejected", ...asked]);
  const idempotencyKey = PARTS.map((from) => hash(text, from).toString(16).padStart(8, "0")).join("");
  /** @type {DeliveredRejection["outcome"]} */
  const outcome = { ends: "failed", result: toolResult, error: toolResult.error };
  return { outcome, result: toolResult, resultText: JSON.stringify(toolResult), secrets: {}, idempotencyKey, toolCallId };
}

/**
 * What a body without more than the result does not say of an end.
 * @type {(outcome: Ended["outcome"]) => { [name: string]: string }}
 */
const told = ({ error, explanation }) => ({
  ...(error === "invalid_request" && { "Ask-User-Outcome": "rejected" }),
  ...(explanation && { "Ask-User-Explanation": encoded(explanation) }),
});

/**
 * A text as a header can hold it, percent-encoded UTF-8, cut where it is too long.
 * @param {string} text
 */
function encoded(text) {
  let header = "";
  for (const character of text) {
    const more = encodeURIComponent(character);
    if (header.length + more.length > EXPLANATION) return `${header}${encodeURIComponent("…")}`;
    header += more;
  }
  return header;
}
