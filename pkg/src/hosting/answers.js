// How answers and saved walks are compared: which were taken before, which are older, and which version a walk has.

const encoder = new TextEncoder();
/** Of this process alone, so that nobody can try secrets against a digest. Made when it is needed: workers have no randomness before the first request. */
let salt;

/** The SHA-256 digest of a text, as 64 hexadecimal digits. */
export const digest = async (text) => hexadecimal(await crypto.subtle.digest("SHA-256", encoder.encode(text)));

/** 128 bits that nobody can guess, as 32 hexadecimal digits. */
export const unguessable = () => hexadecimal(crypto.getRandomValues(new Uint8Array(16)));

const hexadecimal = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The version of a saved walk, as a strong ETag. */
export const version = async (walk) => `"${(await digest(JSON.stringify(walk) ?? "none")).slice(0, 32)}"`;

/** A digest of secrets under a key: one of this process, or the one that all processes of a host share. */
export async function sealed(secrets, key = (salt ??= unguessable())) {
  const own = await crypto.subtle.importKey("raw", encoder.encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  // A walk and plain answers say in their own ways that there are none.
  const text = canonical(Object.keys(secrets ?? {}).length ? secrets : null);
  return hexadecimal(await crypto.subtle.sign("HMAC", own, encoder.encode(text)));
}

/** Whether a saved walk is an earlier version of another one: nothing leaves the log of a walk. */
export function isOlder(saved, kept) {
  const [log, later] = [saved, kept].map((walk) => (Array.isArray(walk?.log) ? walk.log : []));
  return log.length < later.length && log.every((entry, place) => JSON.stringify(entry) === JSON.stringify(later[place]));
}

/**
 * What is kept of plain answers, to know them again: all but the secrets, of which the names alone are kept. The names are those of an ended walk's secrets:
 * their ids, and the texts of their questions.
 */
export function kept({ outcome, records }, answers) {
  const redacted = new Set(records.filter((record) => record.outcome === "redacted").map(({ id }) => id));
  const texts = records.filter(({ type, id }) => type === "inquiry_request" && redacted.has(id)).map(({ question }) => question.text);
  const secret = new Set([...Object.keys(outcome?.secrets ?? {}), ...texts]);
  const names = Object.keys(answers).filter((name) => secret.has(name));
  return { text: canonical({ answers: without(answers, names), secrets: names }), secrets: picked(answers, names) };
}

/** Whether plain answers are those that were kept, but for the secrets; and the secrets. Undefined where something else was kept. */
export function compared(text, answers) {
  const { answers: before, secrets: names } = JSON.parse(text);
  if (!Array.isArray(names)) return undefined;
  return { same: canonical(before) === canonical(without(answers, names)), secrets: picked(answers, names) };
}

const without = (answers, names) => Object.fromEntries(Object.entries(answers).filter(([name]) => !names.includes(name)));
const picked = (answers, names) => names.map((name) => (Object.hasOwn(answers, name) ? answers[name] : null));

/** A JSON value as text, the same whatever the order of its keys. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}
