// Reads what earlier versions stored of questions: the one without desks, and the one with one desk. `lines(key)` promises the stored answers under a key.

/**
 * @import { Core } from "./desks.js"
 * @import { Found } from "./ledger.js"
 */

/**
 * Promises the stored answers under a key.
 * @typedef {(key: string) => Promise<Found[]>} Lines
 */

/**
 * What an earlier version stored.
 * @typedef {{ [name: string]: any }} Before
 */

/**
 * What was taken.
 * @typedef {{ key: string, nonce?: string | null, sent: unknown }} Taken
 */

/**
 * The state of a conversation: with a list of desks in place of a question, or of a desk.
 * @param {Core} core
 * @param {Before} saved
 * @param {Lines} lines
 * @returns {Promise<Before>}
 */
export async function openedBefore({ Desk }, saved, lines) {
  const { question, claim, desk: one, ...state } = saved;
  if (!question) return { desks: one ? [one] : [], ...state };
  const { call: { id: call }, walk: kept } = state.conversation;
  const { request, dialect, options, walk } = question;
  const asked = { call, request: typeof request === "string" ? request : JSON.stringify(request), dialect, options };
  const desk = { ask_user_desk: 1, ...asked, handed_out: walk, ...(kept && { kept }), earlier: await takenBefore(saved, call, lines) };
  const now = Desk.fromJSON(desk);
  // A tool was making its result of this answer. If it has secrets, they are not stored, and the page sends it again.
  if (claim) now.on({ type: "responded", key: claim.key, response: { walk: claim.walk, secrets: {} } });
  const made = /** @type {Before} */ (now.toJSON());
  // It may have come as plain answers.
  if (made.closed && claim.given.answers) made.closed.taken.sent = JSON.parse(claim.given.answers);
  return { ...state, desks: [made] };
}

/**
 * The desk of the last question of a call; undefined where there was none.
 * @param {Before} saved
 * @param {string} call
 * @param {Lines} lines
 */
export async function closedBefore(saved, call, lines) {
  const earlier = await takenBefore(saved, call, lines);
  const taken = earlier.pop();
  return taken && deskOf(call, taken, earlier);
}

/**
 * The desk of a question, from the line of the answer that was taken under a key.
 * @type {(line: Before, key: string) => object}
 */
export const answeredBefore = (line, key) => deskOf(line.call, takenOf(line, key));

/** @type {(call: string, taken: Taken, earlier?: Taken[]) => object} */
const deskOf = (call, taken, earlier = []) => ({ ask_user_desk: 1, call, request: "null", options: { nonce: taken.nonce }, closed: { how: "answered", taken, handed: true }, earlier });

/** @type {(line: Before, key: string) => Taken} */
const takenOf = ({ nonce, log, answers }, key) => ({ key, nonce, sent: JSON.parse(log ?? answers ?? "null") });

/**
 * What was taken without a key of the client for the questions of a call, the oldest first.
 * @param {Before} saved
 * @param {string} call
 * @param {Lines} lines
 */
async function takenBefore({ asked = [] }, call, lines) {
  /** @type {Taken[]} */
  const taken = [];
  for (const [, nonce] of asked.filter((/** @type {[call: string, nonce: string]} */ [one]) => one === call)) {
    // The one was stored as a string of JSON.
    for (const [stored, key] of [[`${call} ${JSON.stringify(nonce)}`, `${call} ${nonce}`], [`${call} answers ${nonce}`]]) {
      const [line] = await lines(stored);
      if (line) taken.push(takenOf(JSON.parse(line.text), key ?? stored));
    }
  }
  return taken;
}
