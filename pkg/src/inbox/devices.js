// Which device has given an answer that counts: the one that kept the finished walk first, or else the one that sent it. A page that shows the same question may
// send what another one has kept and could not send. Whether an answer counts, the desk of its question decides.
import { canonical, sha256 } from "./receipts.js";

/**
 * @import { Entry } from "./board.js"
 * @import { Device } from "./folder.js"
 */

/**
 * Who has done a walk: what was done, and the device.
 * @typedef {{ done: string } & Note} Kept
 */

/**
 * A device, as the list of questions has it.
 * @typedef {{ by: string, device: NonNullable<Entry["device"]> }} Note
 */

/**
 * How a device stands in the list.
 * @type {(device: Device) => Note}
 */
export const noteOf = ({ id, name, isShared }) => ({ by: name, device: { id, ...(isShared && { is_shared: /** @type {const} */ (true) }) } });

/**
 * What was done in the walk that a body has, as a text that is the same for the same; undefined if it has no walk, or nothing was done in it.
 * @param {any} body
 */
export function doneIn(body) {
  const { log } = walkOf(body) ?? {};
  try {
    return Array.isArray(log) && log.length ? sha256(canonical(log)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The device whose answer this is: the one that kept it, or else the sender. Who enters a secret gives the answer: no page keeps that.
 * @param {Device} sender
 * @param {any} body
 * @param {Kept | null | undefined} kept
 * @returns {Note}
 */
export function giverOf(sender, body, kept) {
  const hasSecrets = Object.keys(body?.secrets ?? {}).length > 0;
  if (!kept || hasSecrets || doneIn(body) !== kept.done) return noteOf(sender);
  return { by: kept.by, device: kept.device };
}

/** @type {(body: any) => { log?: unknown } | null | undefined} */
const walkOf = (body) => (body !== null && typeof body === "object" ? body.walk : undefined);
