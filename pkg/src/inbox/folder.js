// The user's data folder: where it is on each platform, the tokens in it, and the file by which a running inbox is found. Only the user can read what is in it.
import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, platform } from "node:os";
import { join, resolve } from "node:path";

/** @import { JsonWebKey } from "node:crypto" */

/**
 * The inbox that runs, as it is written down.
 * @typedef {{ address: string, pid: number, nonce: string }} Running
 */

/**
 * A browser that may use the page.
 * @typedef {{ id: string, key: string, name: string, since: string, isShared?: true }} Device
 */

/** The data folder of this user. The environment variable ASK_USER_HOME names another one. */
export function folderOf(environment = process.env, system = platform(), home = homedir()) {
  if (environment.ASK_USER_HOME) return resolve(environment.ASK_USER_HOME);
  if (system === "darwin") return join(home, "Library", "Application Support", "ask-user");
  if (system === "win32") return join(environment.LOCALAPPDATA || join(home, "AppData", "Local"), "ask-user");
  return resolve(environment.XDG_DATA_HOME || join(home, ".local", "share"), "ask-user");
}

/** What is kept in the data folder, apart from questions. */
export class Folder {
  /** @type {string} */
  #path;

  /** Makes the folder if it is not there. */
  constructor(path = folderOf()) {
    this.#path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(path);
    if (process.getuid && uid !== process.getuid()) throw new Error(`The folder ${path} belongs to another user. Set ASK_USER_HOME to a folder of your own.`);
    if (process.getuid && mode & 0o077) chmodSync(path, 0o700);
  }

  /**
   * The path of a file in the folder.
   * @param {string} name
   */
  file(name) {
    return join(this.#path, name);
  }

  /**
   * The tokens: `ask` to ask questions and get the answers to them, `page` to open the page. They are made if there are none: whoever deletes the file has new ones at once.
   * @returns {{ ask: string, page: string }}
   */
  get tokens() {
    const tokens = this.#read("tokens.json") ?? this.#make("tokens.json", { ask: unguessable(), page: unguessable() });
    if (![tokens?.ask, tokens?.page].every((one) => typeof one === "string" && one.length >= 16)) throw new Error(`The file ${this.file("tokens.json")} has no tokens. Delete it to make new ones.`);
    return tokens;
  }

  /**
   * The Ed25519 key that signs receipts, as a JSON Web Key with its private part. It is made if there is none.
   * @returns {JsonWebKey}
   */
  get signingKey() {
    const key = this.#read("key.json") ?? this.#make("key.json", generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }));
    if (!isSigning(key)) throw new Error(`The file ${this.file("key.json")} has no Ed25519 key. Delete it to make a new one: receipts that were copied before are checked with the old one.`);
    return key;
  }

  /** The secret that signs webhooks, as Standard Webhooks writes one. It is made if there is none. */
  get webhookSecret() {
    const { secret } = this.#read("webhook.json") ?? this.#make("webhook.json", { secret: `whsec_${randomBytes(32).toString("base64")}` });
    if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret)) throw new Error(`The file ${this.file("webhook.json")} has no secret. Delete it to make a new one.`);
    return secret;
  }

  /** Whether there is a key that signs receipts. */
  get hasKey() {
    return statSync(this.file("key.json"), { throwIfNoEntry: false }) !== undefined;
  }

  /**
   * The browsers that may use the page.
   * @returns {Device[]}
   */
  get devices() {
    return this.#read("devices.json") ?? [];
  }

  /** @param {Device[]} devices */
  set devices(devices) {
    this.#write("devices.json", devices);
  }

  /**
   * The inbox that runs, as it wrote it down: `{ address, pid, nonce }`. It may have ended since. Undefined if there is none, or what is there cannot be read.
   * @returns {Running | undefined}
   */
  get running() {
    try {
      const running = JSON.parse(readFileSync(this.file("running.json"), "utf8"));
      return typeof running?.address === "string" ? running : undefined;
    } catch (/** @type {any} */ error) {
      if (error.code && error.code !== "ENOENT") throw error;
      return undefined;
    }
  }

  /**
   * Writes down that an inbox runs, or that none does. Only who holds the lock of the folder may do this.
   * @param {Running | undefined} running
   */
  set running(running) {
    if (running) this.#write("running.json", running);
    else rmSync(this.file("running.json"), { force: true });
  }

  /**
   * @param {string} name
   * @returns {any}
   */
  #read(name) {
    try {
      return JSON.parse(readFileSync(this.file(name), "utf8"));
    } catch (/** @type {any} */ error) {
      if (error.code === "ENOENT") return undefined;
      throw new Error(`The file ${this.file(name)} cannot be read: ${error.message}${error instanceof SyntaxError ? ". If you delete it, a new one is made." : ""}`);
    }
  }

  /**
   * Writes a file that is whole at every moment.
   * @param {string} name
   * @param {object} value
   */
  #write(name, value) {
    renameSync(this.#written(name, value), this.file(name));
  }

  /**
   * Makes a file if it is not there, and gives what it has then.
   * @template {object} V
   * @param {string} name
   * @param {V} value
   * @returns {V}
   */
  #make(name, value) {
    const next = this.#written(name, value);
    try {
      linkSync(next, this.file(name));
      return value;
    } catch (/** @type {any} */ error) {
      if (error.code !== "EEXIST") throw error;
      return this.#read(name) ?? this.#make(name, value);
    } finally {
      rmSync(next, { force: true });
    }
  }

  /**
   * Writes a file under another name, and gives its path when it is on the disk.
   * @param {string} name
   * @param {object} value
   */
  #written(name, value) {
    const next = this.file(`${name}.${unguessable()}`);
    const file = openSync(next, "wx", 0o600);
    try {
      writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return next;
  }
}

/**
 * Whether this is a key that can sign receipts.
 * @param {JsonWebKey} jwk
 */
function isSigning(jwk) {
  try {
    return createPrivateKey({ key: jwk, format: "jwk" }).asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}

/** 128 bits that nobody can guess, as 32 hexadecimal digits. */
export const unguessable = () => randomBytes(16).toString("hex");

/**
 * What only a holder of a token can make of a text.
 * @type {(token: string, text: string) => string}
 */
export const proof = (token, text) => createHmac("sha256", token).update(text).digest("hex");

/**
 * Whether two texts are equal, in a time that says nothing of where they differ.
 * @param {unknown} one
 * @param {unknown} other
 */
export function isSame(one, other) {
  const key = unguessable();
  return timingSafeEqual(Buffer.from(proof(key, String(one))), Buffer.from(proof(key, String(other))));
}
