// A store in PostgreSQL.
import type { Store } from "./host.js";

/**
 * A store in a database, given by its connection string, or by a `Pool` of the package pg. It makes its tables, whose names begin with `ask_user_`.
 * @throws where the database cannot be reached, and for tables of another version
 */
export function postgres(source: string | object): Promise<Store>;
