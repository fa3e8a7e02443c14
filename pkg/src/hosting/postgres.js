// A store in PostgreSQL, over the driver `pg`.

/** @import { Change, Store } from "../../types/host.js" */

/** @typedef {{ rows: any[], rowCount: number | null }} Rows */

/**
 * A connection of the package pg, as far as it is used.
 * @typedef {{ query(sql: string, values?: unknown[]): Promise<Rows>, on(name: "error", act: () => void): void, off(name: "error", act: () => void): void, release(fault?: any): void }} Client
 */

/**
 * A pool of the package pg.
 * @typedef {{ connect(): Promise<Client>, query(sql: string, values?: unknown[]): Promise<Rows>, on(name: "error", act: () => void): void }} Pool
 */

/** The version of the tables. */
const VERSION = 1;
/** The lock that is held while the tables are made: a number that nothing else is likely to use. */
const LOCK = 4_702_111_820;

const TABLES = `
  CREATE TABLE IF NOT EXISTS ask_user_version (version INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS ask_user_conversations (
    id TEXT PRIMARY KEY, token TEXT NOT NULL, revision BIGINT NOT NULL, is_open BOOLEAN NOT NULL, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS ask_user_lines (
    place BIGSERIAL PRIMARY KEY, conversation TEXT NOT NULL REFERENCES ask_user_conversations ON DELETE CASCADE,
    kind TEXT NOT NULL, key TEXT, text TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS ask_user_open ON ask_user_conversations (id) WHERE is_open;
  CREATE INDEX IF NOT EXISTS ask_user_lines_of ON ask_user_lines (conversation, place);
  CREATE UNIQUE INDEX IF NOT EXISTS ask_user_lines_keys ON ask_user_lines (conversation, kind, md5(key)) WHERE key IS NOT NULL;
`;

/** After how many milliseconds a database that says nothing has failed, and after how many it gives up what nobody waits for. */
const TIMES = { connectionTimeoutMillis: 10_000, query_timeout: 30_000, keepAlive: true, lock_timeout: 20_000, idle_in_transaction_session_timeout: 60_000 };

const ignored = () => undefined;

/**
 * A store in a database, given by its connection string, or by a pool of `pg`.
 * @param {string | object} source
 * @returns {Promise<Store>}
 */
export async function postgres(source) {
  const pool = /** @type {Pool} */ (typeof source === "string" ? await connected(source) : source);
  if (typeof pool?.connect !== "function" || typeof pool.query !== "function") {
    throw new TypeError("Give `postgres` a connection string, or a `Pool` of the package pg.");
  }
  /** @type {<T>(act: (client: Client) => Promise<T>) => Promise<T>} */
  const transaction = async (act) => {
    const client = await pool.connect();
    // The pool listens for errors of a connection only while nobody uses it. The query that is under way fails by itself.
    client.on("error", ignored);
    /** @type {unknown} */
    let fault;
    try {
      await client.query("BEGIN");
      const result = await act(client);
      await client.query("COMMIT");
      return result;
    } catch (error) {
      // The server rolls back what a closed connection has begun.
      fault = error;
      throw error;
    } finally {
      client.off("error", ignored);
      client.release(fault);
    }
  };
  await transaction(async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(TABLES);
    const { rows } = await client.query("SELECT version FROM ask_user_version");
    if (rows.length === 0) await client.query("INSERT INTO ask_user_version VALUES ($1)", [VERSION]);
    else if (rows[0].version !== VERSION) throw new Error(`The tables of ask-user have the version ${rows[0].version}, and this package needs ${VERSION}. Use another database.`);
  });

  return {
    async create(id, { token, state }) {
      await pool.query("INSERT INTO ask_user_conversations (id, token, revision, is_open, state) VALUES ($1, $2, 0, FALSE, $3)", [id, token, state]);
    },
    async load(id, { isSettled = false } = {}) {
      // The row stays locked until a commit under way is stored or not, also where nobody waits for it any more.
      const { rows } = await pool.query(`SELECT token, revision, state FROM ask_user_conversations WHERE id = $1${isSettled ? " FOR UPDATE" : ""}`, [id]);
      return rows[0] && { ...rows[0], revision: Number(rows[0].revision) };
    },
    async commit(id, revision, { state, isOpen, lines }) {
      return transaction(async (client) => {
        // The row stays locked until the end of the transaction, so the places of a conversation's lines grow in the order in which they can be seen.
        const sql = "UPDATE ask_user_conversations SET state = $1, is_open = $2, revision = revision + 1 WHERE id = $3 AND revision = $4";
        const { rowCount } = await client.query(sql, [state, isOpen, id, revision]);
        if (rowCount === 0) return false;
        const columns = ["kind", "key", "text"].map((name) => lines.map((line) => /** @type {{ [name: string]: string | undefined }} */ (line)[name] ?? null));
        if (lines.length) {
          await client.query(
            `INSERT INTO ask_user_lines (conversation, kind, key, text)
             SELECT $1, kind, key, text FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS line (kind, key, text, at) ORDER BY at`,
            [id, ...columns],
          );
        }
        return true;
      });
    },
    async lines(id, kinds, { after = 0, key = null } = {}) {
      const sql = `SELECT place, kind, text FROM ask_user_lines WHERE conversation = $1 AND place > $2 AND kind = ANY ($3)
                   AND ($4::text IS NULL OR (key IS NOT NULL AND md5(key) = md5($4) AND key = $4)) ORDER BY place`;
      const { rows } = await pool.query(sql, [id, after, kinds, key]);
      return rows.map(({ place, kind, text }) => ({ place: Number(place), kind, text }));
    },
    async open() {
      const { rows } = await pool.query("SELECT id FROM ask_user_conversations WHERE is_open ORDER BY id");
      return rows.map(({ id }) => id);
    },
  };
}

/**
 * @param {string} connectionString
 * @returns {Promise<Pool>}
 */
async function connected(connectionString) {
  let pg;
  try {
    pg = await import("pg");
  } catch (error) {
    if (/** @type {Error & { code?: string }} */ (error).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error("The package pg is missing. Install it: npm install pg", { cause: error });
  }
  const pool = new pg.default.Pool({ connectionString, ...TIMES });
  // A connection that breaks while nobody uses it is made again. Without a listener, the process would end.
  pool.on("error", ignored);
  return pool;
}
