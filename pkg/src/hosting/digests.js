// What nobody can guess, and digests of it.

const encoder = new TextEncoder();
/**
 * The key of this process alone, so that nobody can try secrets against a digest. Made when it is needed: workers have no randomness before the first request.
 * @type {string | undefined}
 */
let own;

/**
 * The SHA-256 digest of a text, as 64 hexadecimal digits.
 * @type {(text: string) => Promise<string>}
 */
export const digest = async (text) => hexadecimal(await crypto.subtle.digest("SHA-256", encoder.encode(text)));

/** 128 bits that nobody can guess, as 32 hexadecimal digits. */
export const unguessable = () => hexadecimal(crypto.getRandomValues(new Uint8Array(16)));

/** @type {(bytes: ArrayBuffer | Uint8Array) => string} */
const hexadecimal = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * A seal of secrets (docs/desk.md), under the key that all processes of a host share, or one of this process.
 * @param {string} secrets
 * @param {string} key
 */
export async function seal(secrets, key = (own ??= unguessable())) {
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  /** @type {(text: string) => Promise<string>} */
  const sign = async (text) => hexadecimal(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
  return { by: (await sign("the name of the key")).slice(0, 16), digest: await sign(secrets) };
}
