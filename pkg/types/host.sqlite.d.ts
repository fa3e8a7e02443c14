// A store in SQLite.
import type { Store } from "./host.js";

/**
 * A store in a file, given by its path, or in a database that is open already: of better-sqlite3, node:sqlite or bun:sqlite. It makes its tables, whose names
 * begin with `ask_user_`.
 * @throws where there is no driver, and for a file with tables of another version
 */
export function sqlite(source: string | object): Promise<Store>;
