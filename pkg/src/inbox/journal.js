// A store in one file, for a Node that has no SQLite (before 22.13): every change is a line. A start reads them all, and writes what they come to. One process has the file at a time.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";

/** Opens the store in a file, or makes it. */
export function journal(path) {
  const conversations = new Map();
  let place = 0;
  const created = (id, token, state) => conversations.set(id, { token, state, revision: 0, isOpen: false, lines: [] });
  const committed = (id, state, isOpen, lines) => {
    const found = conversations.get(id);
    found.lines.push(...lines.map((line) => ({ ...line, place: (place += 1) })));
    Object.assign(found, { state, isOpen, revision: found.revision + 1 });
  };
  const kept = (id, whole) => {
    conversations.set(id, whole);
    place = Math.max(place, ...whole.lines.map((line) => line.place));
  };
  const CHANGES = { created, committed, kept };

  const begun = `${path}.new`;
  for (const [name, ...given] of read(path)) CHANGES[name](...given);
  let file = openSync(begun, "w", 0o600);
  let size = 0;
  const write = (...change) => {
    const bytes = Buffer.from(`${JSON.stringify(change)}\n`);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done);
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, size);
      throw error;
    }
    size += bytes.length;
  };
  for (const [id, whole] of conversations) write("kept", id, whole);
  closeSync(file);
  renameSync(begun, path);
  file = openSync(path, "r+");

  /** Writes a change to the file before it is made in memory. */
  const change = (name, ...given) => {
    // What is written to a file that was moved or deleted would be lost.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(file).ino) throw new Error(`The file ${path} was moved or deleted.`);
    write(name, ...given);
    CHANGES[name](...given);
  };
  return {
    async create(id, { token, state }) {
      if (conversations.has(id)) throw new Error("There is a conversation with this id already.");
      change("created", id, token, state);
    },
    async load(id) {
      const { token, state, revision } = conversations.get(id) ?? {};
      return token === undefined ? undefined : { token, state, revision };
    },
    async commit(id, revision, { state, isOpen, lines }) {
      const found = conversations.get(id);
      if (found?.revision !== revision) return false;
      const isTaken = ({ kind, key }) => key !== undefined && found.lines.some((line) => line.kind === kind && line.key === key);
      if (lines.some(isTaken)) throw new Error("There is a line with this kind and key already.");
      change("committed", id, state, isOpen, lines);
      return true;
    },
    async lines(id, kinds, { after = 0, key } = {}) {
      const isWanted = (line) => kinds.includes(line.kind) && line.place > after && (key === undefined || line.key === key);
      return (conversations.get(id)?.lines ?? []).filter(isWanted).map(({ place, kind, text }) => ({ place, kind, text }));
    },
    async open() {
      return [...conversations].filter(([, { isOpen }]) => isOpen).map(([id]) => id);
    },
    close: () => closeSync(file),
  };
}

/** The changes in a file. The last line may have been cut off when the process ended: then it was not acknowledged. */
function read(path) {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  try {
    return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  } catch (error) {
    throw new Error(`The questions in ${path} cannot be read. Move the file away to begin without them.`, { cause: error });
  }
}
