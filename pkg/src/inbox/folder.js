// The user's data folder: where it is on each platform, the tokens in it, and the file by which a running inbox is found. Only the user can read what is in it.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, platform } from "node:os";
import { join } from "node:path";

/** The data folder of this user. The environment variable ASK_USER_HOME names another one. */
export function folderOf(environment = process.env, system = platform(), home = homedir()) {
  if (environment.ASK_USER_HOME) return environment.ASK_USER_HOME;
  if (system === "darwin") return join(home, "Library", "Application Support", "ask-user");
  if (system === "win32") return join(environment.LOCALAPPDATA || join(home, "AppData", "Local"), "ask-user");
  return join(environment.XDG_DATA_HOME || join(home, ".local", "share"), "ask-user");
}

/** What is kept in the data folder, apart from questions. */
export class Folder {
  #path;
  #tokens;

  /** Makes the folder and the tokens if they are not there. */
  constructor(path = folderOf()) {
    this.#path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(path);
    if (process.getuid && uid !== process.getuid()) throw new Error(`The folder ${path} belongs to another user. Set ASK_USER_HOME to a folder of your own.`);
    if (process.getuid && mode & 0o077) chmodSync(path, 0o700);
    this.#tokens = this.#read("tokens.json") ?? this.#make("tokens.json", { ask: unguessable(), page: unguessable() });
  }

  /** The path of a file in the folder. */
  file(name) {
    return join(this.#path, name);
  }

  /** The tokens: `ask` to ask questions and get the answers to them, `page` to open the page. */
  get tokens() {
    return this.#tokens;
  }

  /** The browsers that may use the page. */
  get devices() {
    return this.#read("devices.json") ?? [];
  }

  set devices(devices) {
    this.#write("devices.json", devices);
  }

  /** The inbox that runs, as it wrote it down: `{ address, pid, nonce }`. It may have ended since. */
  get running() {
    return this.#read("running.json");
  }

  /** Writes down that an inbox runs. False if another one was faster. */
  claim(running) {
    return this.#make("running.json", running).nonce === running.nonce;
  }

  /** Removes what an inbox wrote down that does not run any more. */
  release({ nonce }) {
    const away = this.file(`running.${unguessable()}.json`);
    try {
      // Another inbox may have begun since: what is moved away is looked at before it is removed.
      renameSync(this.file("running.json"), away);
    } catch (error) {
      if (error.code === "ENOENT") return;
      throw error;
    }
    try {
      if (JSON.parse(readFileSync(away, "utf8")).nonce !== nonce) linkSync(away, this.file("running.json"));
    } finally {
      rmSync(away, { force: true });
    }
  }

  #read(name) {
    try {
      return JSON.parse(readFileSync(this.file(name), "utf8"));
    } catch (error) {
      if (error.code === "ENOENT") return undefined;
      throw new Error(`The file ${this.file(name)} cannot be read: ${error.message}`);
    }
  }

  /** Writes a file that is whole at every moment. */
  #write(name, value) {
    const next = this.file(`${name}.${unguessable()}`);
    writeFileSync(next, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(next, this.file(name));
  }

  /** Makes a file if it is not there, and gives what it has then. */
  #make(name, value) {
    const next = this.file(`${name}.${unguessable()}`);
    writeFileSync(next, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    try {
      linkSync(next, this.file(name));
      return value;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      return this.#read(name) ?? this.#make(name, value);
    } finally {
      rmSync(next, { force: true });
    }
  }
}

/** 128 bits that nobody can guess, as 32 hexadecimal digits. */
export const unguessable = () => randomBytes(16).toString("hex");

/** What only a holder of a token can make of a text. */
export const proof = (token, text) => createHmac("sha256", token).update(text).digest("hex");

/** Whether two texts are equal, in a time that says nothing of where they differ. */
export function isSame(one, other) {
  const key = unguessable();
  return timingSafeEqual(Buffer.from(proof(key, String(one))), Buffer.from(proof(key, String(other))));
}
