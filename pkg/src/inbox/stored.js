// Which store the inbox has: PostgreSQL where its address is given; else SQLite, if there is a driver; else a file of its own.
import { existsSync } from "node:fs";
import { postgres } from "../hosting/postgres.js";
import { sqlite } from "../hosting/sqlite.js";
import { journal } from "./journal.js";

/**
 * @import { Store } from "../../types/host.js"
 * @import { Folder } from "./folder.js"
 */

/**
 * Opens the store. `database` is the connection string of a PostgreSQL database, if one is to be used.
 * @param {Folder} folder
 * @param {string | undefined} database
 * @returns {Promise<Store & { close?: () => void }>}
 */
export async function stored(folder, database) {
  if (database) {
    if (!/^postgres(ql)?:\/\//.test(database)) throw new Error("The database must be the address of a PostgreSQL database, such as postgres://user@host/name.");
    return postgres(database);
  }
  const [file, other] = [folder.file("questions.db"), folder.file("questions.jsonl")];
  // Questions that are in the file stay there.
  if (existsSync(other)) return journal(other);
  silenceExperiment();
  return (await hasDriver()) ? sqlite(file) : journal(other);
}

/** Whether there is a driver that the store in SQLite can use. */
async function hasDriver() {
  for (const name of ["better-sqlite3", "node:sqlite", "bun:sqlite"]) {
    try {
      await import(/* webpackIgnore: true */ name);
      return true;
    } catch {
      // The next one may be there.
    }
  }
  return false;
}

/** Node warns that its SQLite is new. The command prints nothing but what was asked for. */
function silenceExperiment() {
  const emit = process.emitWarning;
  process.emitWarning = (/** @type {string | Error} */ warning, /** @type {any[]} */ ...more) => (/SQLite is an experimental/.test(String(warning)) ? undefined : emit.call(process, warning, .../** @type {[any]} */ (more)));
}
