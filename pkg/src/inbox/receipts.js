// Receipts: what was asked and decided, as JSON that the inbox signs with its Ed25519 key, and whether one is as it was signed. Knows no store.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { TEXTS } from "./texts.js";

/**
 * @import { JsonWebKey } from "node:crypto"
 * @import { AuditRecord } from "../../types/core.js"
 * @import { Granted } from "./grants.js"
 */

/**
 * What was asked and answered, for people to read.
 * @typedef {{ text: string, outcome: "answered" | "cancelled" | "redacted", answer?: string, note?: string }} Answered
 */

/**
 * What a receipt says.
 * @typedef {object} Said
 * @property {string} question
 * @property {string} [who]
 * @property {string} [folder]
 * @property {string} text
 * @property {string} asked_at
 * @property {string} closed_at
 * @property {string} state
 * @property {{ name: string, id?: string, is_shared?: true }} [device]
 * @property {string} shown_sha256
 * @property {string} [result_sha256]
 * @property {Answered[]} answers
 * @property {Granted[]} grants
 */

/** @typedef {Said & { ask_user_receipt: number, key: string, signature: string }} Receipt */

/** The version of receipts. */
const VERSION = 1;
/** A public key, which is as long as a hash, and a signature. Hexadecimal digits, so that none begins with a sign that commands would take for an option. */
const [KEY, SIGNATURE] = [/^[0-9a-f]{64}$/, /^[0-9a-f]{128}$/];
/** What a terminal would take for a command, and what changes the direction of a line. */
const HIDDEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * JSON text that is the same whatever the order of names: RFC 8785. Throws a TypeError for what that has no text for.
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    // By UTF-16 code units, as `sort` compares.
    const names = Object.keys(value).filter((name) => value[name] !== undefined).sort();
    return `{${names.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  if (typeof value === "string" && !value.isWellFormed()) throw new TypeError("A text has half of a surrogate pair.");
  if (!["string", "boolean"].includes(typeof value) && value !== null && !Number.isFinite(value)) throw new TypeError("This is no JSON.");
  return JSON.stringify(value);
}

/**
 * SHA-256, as 64 hexadecimal digits.
 * @type {(text: string) => string}
 */
export const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/**
 * What was shown: the records of all that was asked, as the core wrote them.
 * @type {(records: AuditRecord[]) => string}
 */
export const shownIn = (records) => canonical(records.filter(({ type }) => type === "inquiry_request"));

/**
 * The public key to a private one, a JSON Web Key: its 32 bytes, as hexadecimal digits.
 * @type {(jwk: JsonWebKey) => string}
 */
export const publicKeyOf = (jwk) => Buffer.from(/** @type {string} */ (createPublicKey(createPrivateKey({ key: jwk, format: "jwk" })).export({ format: "jwk" }).x), "base64url").toString("hex");

/**
 * A receipt of what is given, signed with a private key (a JSON Web Key).
 * @param {Said} given
 * @param {JsonWebKey} jwk
 * @returns {Receipt}
 */
export function signed(given, jwk) {
  const said = { ask_user_receipt: VERSION, ...given, key: publicKeyOf(jwk) };
  return { ...said, signature: sign(null, Buffer.from(canonical(said)), createPrivateKey({ key: jwk, format: "jwk" })).toString("hex") };
}

/**
 * Whether a text is a public key as `publicKeyOf` gives it.
 * @type {(text: unknown) => boolean}
 */
export const isKey = (text) => typeof text === "string" && KEY.test(text);

/**
 * Looks at the text of a receipt: `{ code, said }`. The code is 0 if the inbox with this public key has signed it as it is, 1 if something does not agree, and 2 if it is no receipt.
 * @param {string} text
 * @param {string} key
 * @returns {{ code: 0 | 1 | 2, said: string }}
 */
export function checked(text, key) {
  /** @type {Receipt} */
  let receipt;
  let signedText;
  let isTwice;
  try {
    receipt = JSON.parse(text);
    if (receipt?.ask_user_receipt === undefined) throw new TypeError('It has no "ask_user_receipt".');
    if (receipt.ask_user_receipt !== VERSION) throw new TypeError(`It has the version ${JSON.stringify(receipt.ask_user_receipt)}, and this program reads version ${VERSION}.`);
    const wrong = FIELDS.find(([name, is]) => !is(/** @type {{ [name: string]: any }} */ (receipt)[name]));
    if (wrong) throw new TypeError(`"${wrong[0]}" is missing, or is not what it is in a receipt.`);
    const { signature: _, ...said } = receipt;
    signedText = canonical(said);
    isTwice = namesIn(text) !== namesOf(receipt);
  } catch (/** @type {any} */ error) {
    return { code: 2, said: `This is no receipt. ${error instanceof RangeError ? "It is nested too deeply." : error.message}` };
  }
  const faults = [];
  if (isTwice) faults.push("A name stands in it twice, so it can be read in two ways.");
  if (receipt.key !== key) faults.push(`It names the key ${receipt.key}, and the key of the inbox is ${key}.`);
  const isSigned = verify(null, Buffer.from(signedText), createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(receipt.key, "hex").toString("base64url") }, format: "jwk" }), Buffer.from(receipt.signature, "hex"));
  if (!isSigned) faults.push("Its signature does not fit: something in it is not as it was signed.");
  return faults.length ? { code: 1, said: `The receipt does not agree. ${faults.join(" ")}` } : { code: 0, said: sentence(receipt) };
}

/** @type {(value: unknown) => value is string} */
const isText = (value) => typeof value === "string";
/** @type {(value: unknown) => boolean} */
const isTextOrNone = (value) => value === undefined || isText(value);
const isHash = isKey;
/** @type {(value: unknown, is: (one: any) => boolean) => boolean} */
const isList = (value, is) => Array.isArray(value) && value.every((one) => one !== null && typeof one === "object" && is(one));

/**
 * What a receipt has, and how each is known.
 * @type {[name: string, is: (value: any) => boolean][]}
 */
const FIELDS = [
  ["question", isText],
  ["who", isTextOrNone],
  ["folder", isTextOrNone],
  ["text", isText],
  ["asked_at", isText],
  ["closed_at", isText],
  ["state", (value) => isText(value) && Object.hasOwn(TEXTS.receipt.ended, value)],
  ["device", (value) => value === undefined || isText(value?.name)],
  ["shown_sha256", isHash],
  ["result_sha256", (value) => value === undefined || isHash(value)],
  ["answers", (value) => isList(value, ({ text, outcome, answer, note }) => isText(text) && isText(outcome) && isTextOrNone(answer) && isTextOrNone(note))],
  ["grants", (value) => isList(value, ({ decision, scope, shown }) => isText(decision) && isText(scope) && isText(shown))],
  ["key", isKey],
  ["signature", (value) => isText(value) && SIGNATURE.test(value)],
];

/**
 * How many names stand in a JSON text, and how many a value has: fewer, where one stands twice.
 * @param {string} text
 */
function namesIn(text) {
  let count = 0;
  for (let place = text.indexOf('"'); place >= 0; place = text.indexOf('"', place)) {
    for (place += 1; text[place] !== '"'; place += 1) if (text[place] === "\\") place += 1;
    for (place += 1; /\s/.test(text[place] ?? ""); ) place += 1;
    if (text[place] === ":") count += 1;
  }
  return count;
}
/** @type {(value: unknown) => number} */
const namesOf = (value) => (value === null || typeof value !== "object" ? 0 : (Array.isArray(value) ? 0 : Object.keys(value).length) + Object.values(value).reduce((sum, one) => sum + namesOf(one), 0));

/**
 * A text in quotes, in which a terminal finds no command.
 * @type {(text: string) => string}
 */
const quoted = (text) => JSON.stringify(text).replace(HIDDEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * What was decided, in one sentence.
 * @param {Receipt} receipt
 */
function sentence({ text, who, folder, state, device, closed_at: at, answers, grants }) {
  const asked = [quoted(text), who !== undefined && `by ${quoted(who)}`, folder !== undefined && `in ${quoted(folder)}`].filter(Boolean).join(" ");
  const given = answers.filter(({ outcome }) => outcome !== "cancelled").map((one) => {
    const said = [one.answer, one.note].filter((part) => part !== undefined).map(quoted).join(", ");
    return [answers.length > 1 && `to ${quoted(one.text)}`, one.outcome === "redacted" ? TEXTS.outcomes.redacted : said].filter(Boolean).join(" ");
  });
  const longer = grants.map(({ decision, scope, shown }) => `${(TEXTS.grants.decisions[decision] ?? decision).toLowerCase()} ${/** @type {{ [scope: string]: string }} */ (TEXTS.grants.scopes)[scope] ?? scope}: ${quoted(shown)}`);
  const from = device && ` ${TEXTS.from(quoted(device.name))}`;
  return `${asked} ${/** @type {{ [state: string]: string }} */ (TEXTS.receipt.ended)[state]}${given.length ? ` with ${given.join("; ")}` : ""}${from ?? ""} at ${quoted(at).slice(1, -1)}${longer.length ? `, and ${longer.join(", ")}` : ""}.`;
}
