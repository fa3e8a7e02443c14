// The command `ask-user`: `ask-user copy FOLDER` copies the files of a page under names with their hashes.
import { copy } from "./copy.js";

const [verb, folder, ...entries] = process.argv.slice(2);
if (verb !== "copy" || !folder) {
  console.error(`Usage: ask-user copy FOLDER [ENTRY ...]

Copies the files that a page fetches into FOLDER, under names with a hash of their content, and writes FOLDER/manifest.json.
An ENTRY is a file of the package's folder dist: ask-user.js if none is given.`);
  process.exitCode = 2;
} else {
  try {
    const manifest = await copy(folder, entries.length ? { entries } : undefined);
    console.log(`${folder}: ${Object.keys(manifest).length} files. ask-user.js is ${manifest["ask-user.js"] ?? "not among them"}.`);
  } catch (error) {
    console.error(`ask-user copy: ${error.message}`);
    process.exitCode = 1;
  }
}
