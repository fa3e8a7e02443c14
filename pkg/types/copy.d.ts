// Files under names with a hash of their content, for servers whose caches may keep them for ever.
/**
 * Copies `entries` and every file that they fetch, now or later, into `folder`, and writes `manifest.json` there. Needs Node 18.17 or later.
 *
 * `entries` are names of files in the package's folder `dist`: `["ask-user.js"]` if it is missing. The names have 12 hexadecimal digits of a SHA-256 of the file and of all files that it
 * leads to, such as `ask-user.3f9a1c2b5d7e.js`: a name changes only if the file or one of those changes. Files that are in the folder already stay, so that pages that are open still find theirs.
 *
 * @returns the content of `manifest.json`: the name of each file in the folder, by its name in `dist`
 * @throws {TypeError} for a folder that is no text, or empty
 * @throws {RangeError} for an entry that is no file of `dist`
 */
export function copy(folder: string, options?: { entries?: readonly string[] }): Promise<Record<string, string>>;
