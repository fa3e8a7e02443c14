// The second part of the form's module. The first shows a question; the rest is fetched once the first is there. It is there before the form takes an answer. A form of
// an unusual request needs it while it is shown for the first time.
import { restOf } from "./rest.js";

export const { begin, isWhole, load, need } = restOf(() => new URL("form.rest.wasm", import.meta.url));

/** A request of this many characters or more is large. */
const LARGE = 100_000;

/**
 * Whether a request is large: it is shown once, and not before the rest is there.
 * @type {(request: string) => boolean}
 */
export const isLarge = (request) => request.length >= LARGE;

/** The options of the host with which `pkg/profile.mjs` shows requests, as the core names them. */
const PLAIN = ["layout", "tool_call_id"];

/**
 * Whether a request looks as if the first part shows it by itself. If it does not, as approvals and the forms of MCP do not, the page waits (`need`).
 * @type {(request: string, dialect?: string, options?: object) => boolean}
 */
export const isPlain = (request, dialect = "", options = {}) =>
  !isLarge(request) && !/"header".*"header"/s.test(request) && /** @type {{ layout?: string }} */ (options).layout !== "tabs" && Object.keys(options).every((name) => PLAIN.includes(name)) && /"(?:answer_type|questions?)"/.test(request) && !/approv|interrupt|permission|action_?requests|tool_?(?:call|name|input)|requestedSchema|\$defs|\$ref/i.test(request + dialect);
