// Keeps one question in a file: its desk, which has how far the person has come and what was answered. No secret is in it.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** @typedef {ReturnType<typeof storeAt>} Store */

/** @param {string} file */
export function storeAt(file) {
  return {
    /** @returns {object | undefined} */
    read() {
      try {
        return JSON.parse(readFileSync(file, "utf8"));
      } catch (error) {
        // Before the first question there is no file. What cannot be read is asked again.
        return undefined;
      }
    },
    /** The file is whole at any moment: what is new takes the place of the old one once it is on the disk.
     *  @param {object} kept */
    write(kept) {
      const next = `${file}.next`;
      mkdirSync(dirname(file), { recursive: true });
      const handle = openSync(next, "w", 0o600);
      try {
        writeFileSync(handle, JSON.stringify(kept));
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(next, file);
    },
    clear: () => rmSync(file, { force: true }),
  };
}
