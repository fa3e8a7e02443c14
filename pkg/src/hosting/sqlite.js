// A store in an SQLite file, over better-sqlite3, node:sqlite or bun:sqlite: whichever is there. A transaction is one synchronous piece of code.

/** @import { Store } from "../../types/host.js" */

/** @typedef {{ run(...values: unknown[]): { changes: number | bigint }, get(...values: unknown[]): any, all(...values: unknown[]): any[] }} Statement */

/**
 * A database of any of the drivers, as far as it is used.
 * @typedef {{ exec(sql: string): unknown, prepare(sql: string): Statement }} Database
 */

/** The version of the tables. */
const VERSION = 1;

const TABLES = `
  CREATE TABLE IF NOT EXISTS ask_user_version (version INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS ask_user_conversations (
    id TEXT PRIMARY KEY, token TEXT NOT NULL, revision INTEGER NOT NULL, is_open INTEGER NOT NULL, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS ask_user_lines (
    place INTEGER PRIMARY KEY AUTOINCREMENT, conversation TEXT NOT NULL REFERENCES ask_user_conversations ON DELETE CASCADE,
    kind TEXT NOT NULL, key TEXT, text TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS ask_user_open ON ask_user_conversations (id) WHERE is_open;
  CREATE INDEX IF NOT EXISTS ask_user_lines_of ON ask_user_lines (conversation, place);
  CREATE UNIQUE INDEX IF NOT EXISTS ask_user_lines_keys ON ask_user_lines (conversation, kind, key) WHERE key IS NOT NULL;
  -- Other programs that delete a conversation may not have switched foreign keys on.
  CREATE TRIGGER IF NOT EXISTS ask_user_conversation_deleted AFTER DELETE ON ask_user_conversations BEGIN DELETE FROM ask_user_lines WHERE conversation = OLD.id; END;
`;

/**
 * A store in a file, given by its path, or in a database that is open already: one of better-sqlite3, node:sqlite or bun:sqlite.
 * @param {string | object} source
 * @returns {Promise<Store>}
 */
export async function sqlite(source) {
  const database = /** @type {Database} */ (typeof source === "string" ? await opened(source) : source);
  if (typeof database?.prepare !== "function" || typeof database.exec !== "function") {
    throw new TypeError("Give `sqlite` the path of a file, or a database of better-sqlite3, node:sqlite or bun:sqlite.");
  }
  // What is acknowledged must outlive a power failure, whatever the driver's default is.
  for (const pragma of ["busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]) database.exec(`PRAGMA ${pragma}`);
  /** @type {<T>(act: () => T) => T} */
  const transaction = (act) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = act();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      try {
        database.exec("ROLLBACK");
      } catch {
        // SQLite has rolled it back already.
      }
      throw error;
    }
  };
  transaction(() => {
    database.exec(TABLES);
    const found = database.prepare("SELECT version FROM ask_user_version").all();
    if (found.length === 0) database.prepare("INSERT INTO ask_user_version VALUES (?)").run(VERSION);
    else if (found[0].version !== VERSION) throw new Error(`The tables of ask-user have the version ${found[0].version}, and this package needs ${VERSION}. Name another file.`);
  });

  const insert = database.prepare("INSERT INTO ask_user_conversations (id, token, revision, is_open, state) VALUES (?, ?, 0, 0, ?)");
  const select = database.prepare("SELECT token, revision, state FROM ask_user_conversations WHERE id = ?");
  const update = database.prepare("UPDATE ask_user_conversations SET state = ?, is_open = ?, revision = revision + 1 WHERE id = ? AND revision = ?");
  const append = database.prepare("INSERT INTO ask_user_lines (conversation, kind, key, text) VALUES (?, ?, ?, ?)");
  const unfinished = database.prepare("SELECT id FROM ask_user_conversations WHERE is_open");
  return {
    async create(id, { token, state }) {
      insert.run(id, token, state);
    },
    async load(id) {
      const found = select.get(id);
      return found ? { token: found.token, revision: Number(found.revision), state: found.state } : undefined;
    },
    async commit(id, revision, { state, isOpen, lines }) {
      return transaction(() => {
        if (Number(update.run(state, isOpen ? 1 : 0, id, revision).changes) === 0) return false;
        for (const { kind, key = null, text } of lines) append.run(id, kind, key, text);
        return true;
      });
    },
    async lines(id, kinds, { after = 0, key } = {}) {
      const places = kinds.map(() => "?").join(", ");
      const keyed = key === undefined ? "" : " AND key = ?";
      const sql = `SELECT place, kind, text FROM ask_user_lines WHERE conversation = ? AND place > ? AND kind IN (${places})${keyed} ORDER BY place`;
      return database.prepare(sql).all(id, after, ...kinds, ...(key === undefined ? [] : [key])).map(({ place, kind, text }) => ({ place: Number(place), kind, text }));
    },
    async open() {
      return unfinished.all().map(({ id }) => id);
    },
  };
}

/**
 * Opens a file with the first driver that is there.
 * @param {string} path
 * @returns {Promise<Database>}
 */
async function opened(path) {
  /** @type {string[]} */
  const faults = [];
  for (const [name, open] of DRIVERS) {
    try {
      return open(await import(/* webpackIgnore: true */ /* @vite-ignore */ name), path);
    } catch (error) {
      const { code, message } = /** @type {Error & { code?: string }} */ (error);
      if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ERR_UNKNOWN_BUILTIN_MODULE" && code !== "ERR_UNSUPPORTED_ESM_URL_SCHEME") faults.push(`${name}: ${message}`);
    }
  }
  const found = faults.length ? ` What was found: ${faults.join("; ")}` : "";
  throw new Error(`There is no driver for SQLite. Install better-sqlite3 12 (npm install better-sqlite3@12), or use Node 22.13 or later.${found}`);
}

/** @type {[name: string, open: (driver: any, path: string) => Database][]} */
const DRIVERS = [
  ["better-sqlite3", ({ default: Database }, path) => new Database(path)],
  ["node:sqlite", ({ DatabaseSync }, path) => new DatabaseSync(path)],
  ["bun:sqlite", ({ Database }, path) => new Database(path)],
];
