// Says which processes live: each listens at a socket of its own in the data folder, which the system closes with the process, whatever ends it. A process in a sandbox, whose network and
// process ids are its own, sees that too. The inbox of a folder is the process that holds the lock: the one whose socket was there when no other one was.
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, renameSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { unguessable } from "./folder.js";

/**
 * @import { Socket } from "node:net"
 * @import { Folder } from "./folder.js"
 */

/** Windows has no sockets in folders, but pipes with names, which end with their process. */
const HAS_PIPES = process.platform === "win32";
/** How long the path of a socket may be, in bytes, on every system. */
const LONGEST = 100;
/** How long an inbox may take to end, in milliseconds. */
const ENDS = 10_000;
/** What a connection fails with if no process has the socket any more. With the last two, the process closed it before it accepted the connection. */
const GONE = ["ECONNREFUSED", "ENOENT", "ENOTSOCK", "ECONNRESET", "EPIPE"];

/** @type {(folder: Folder, name: string) => string} */
const place = (folder, name) => (HAS_PIPES ? `\\\\.\\pipe\\ask-user-${createHash("sha256").update(folder.file(name)).digest("hex")}` : folder.file(name));

/**
 * Shows that this process lives, until `close()` is called. `hear` gets each connection. Undefined if another process has this name.
 * @param {Folder} folder
 * @param {string} name
 * @param {(socket: Socket) => void} hear
 * @returns {Promise<{ path: string, close(): void } | undefined>}
 */
export async function announce(folder, name, hear = () => undefined) {
  const path = place(folder, name);
  if (!HAS_PIPES && Buffer.byteLength(path) > LONGEST) throw new Error("The path of the data folder is too long. Set ASK_USER_HOME to a shorter one.");
  /** @type {Set<Socket>} */
  const open = new Set();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined).once("close", () => open.delete(socket)).unref();
    hear(socket);
  });
  // It gets its name when it can be connected to: a socket with a name that refuses a connection is one of a process that has ended.
  const begun = HAS_PIPES ? path : folder.file(`new.${unguessable().slice(0, 8)}`);
  try {
    await /** @type {Promise<void>} */ (new Promise((resolve, reject) => server.once("error", reject).listen(begun, resolve)));
  } catch (/** @type {any} */ error) {
    if (HAS_PIPES && error.code === "EADDRINUSE") return undefined;
    throw new Error(`No socket can be made in the data folder: ${error.message}. Set ASK_USER_HOME to a folder on a local disk.`, { cause: error });
  }
  server.unref();
  if (!HAS_PIPES) {
    chmodSync(begun, 0o600);
    renameSync(begun, path);
  }
  const close = () => {
    if (!HAS_PIPES) rmSync(path, { force: true });
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { path, close };
}

/**
 * Whether the process with this name lives. Rejects if that cannot be found out.
 * @param {Folder} folder
 * @param {string} name
 */
export async function lives(folder, name) {
  const path = place(folder, name);
  const socket = await joined(path, (code) => {
    // What a process has left behind. No other one gets its name. Where nothing is left, a session may just come back under its name.
    if (code !== "ENOENT" && !HAS_PIPES) rmSync(path, { force: true });
  });
  socket?.destroy();
  return socket !== undefined;
}

/**
 * A connection to a socket; undefined if its process has ended: `gone` hears how that was seen.
 * @param {string} path
 * @param {(code: string) => void} gone
 * @returns {Promise<Socket | undefined>}
 */
function joined(path, gone = () => undefined) {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", (/** @type {any} */ error) => (GONE.includes(error.code) ? resolve(/** @type {undefined} */ (gone(error.code))) : reject(error)));
  });
}

/**
 * Connections to all processes that hold the lock or try to, but this one. What is left of those that have ended is removed: no other process gets its name.
 * @param {Folder} folder
 * @param {string} [own]
 */
async function others(folder, own) {
  const names = HAS_PIPES ? ["lock"] : readdirSync(folder.file("")).filter((name) => name.startsWith("lock."));
  /** @type {Socket[]} */
  const found = [];
  for (const path of names.map((name) => place(folder, name))) {
    if (path === own) continue;
    const socket = await joined(path);
    if (socket) found.push(socket.on("error", () => undefined));
    else if (!HAS_PIPES) rmSync(path, { force: true });
  }
  return found;
}

/**
 * Whether a process holds the lock, or tries to. Rejects if that cannot be found out.
 * @param {Folder} folder
 */
export async function isHeld(folder) {
  const found = await others(folder);
  for (const socket of found) socket.destroy();
  return found.length > 0;
}

/**
 * Takes the lock: `{ release, stopped }`, where `stopped` resolves when another process asks this one to stop; undefined if another process holds it. Each process shows itself first, and
 * looks for others then: so no two hold it. If two try at once, both may get undefined: each tries again after another pause.
 * @param {Folder} folder
 * @returns {Promise<{ release(): void, stopped: Promise<void> } | undefined>}
 */
export async function lock(folder) {
  /** @type {() => void} */
  let stop;
  /** @type {Promise<void>} */
  const stopped = new Promise((resolve) => (stop = resolve));
  const own = await announce(folder, HAS_PIPES ? "lock" : `lock.${unguessable().slice(0, 8)}`, (socket) => socket.on("data", (said) => String(said) === "stop" && stop()));
  if (!own) return undefined;
  if (!HAS_PIPES) {
    const found = await others(folder, own.path);
    for (const socket of found) socket.destroy();
    if (found.length) return own.close(), undefined;
    // What others have left behind.
    for (const name of readdirSync(folder.file(""))) if (name.startsWith("agent.")) await lives(folder, name).catch(() => undefined);
  }
  return { release: own.close, stopped };
}

/**
 * Stops the process that holds the lock, and waits until it has ended. Gives whether there was one; rejects if it does not end.
 * @param {Folder} folder
 */
export async function stopHolder(folder) {
  const found = await others(folder);
  const ends = found.map((socket) => new Promise((resolve) => void socket.resume().once("close", resolve).write("stop")));
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`The inbox does not end. Its process is ${folder.running?.pid}.`)), ENDS)));
  await Promise.race([Promise.all(ends), late]).finally(() => clearTimeout(timer));
  return found.length > 0;
}
