// The command `ask-user`: `ask-user copy FOLDER` copies the files of a page under names with their hashes; every other command is one of the inbox.
import { copy } from "./copy.js";

const [verb, folder, ...entries] = process.argv.slice(2);
if (verb === "copy" && folder) {
  try {
    const manifest = await copy(folder, entries.length ? { entries } : undefined);
    console.log(`${folder}: ${Object.keys(manifest).length} files. ask-user.js is ${manifest["ask-user.js"] ?? "not among them"}.`);
  } catch (/** @type {any} */ error) {
    console.error(`ask-user copy: ${error.message}`);
    process.exitCode = 1;
  }
} else {
  const { run, USAGE } = await import("./inbox/commands.js");
  const code = await run(process.argv.slice(2));
  if (code === undefined) console.error(USAGE);
  // Output is flushed first. Connections that are kept open for more requests must not delay the end.
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit(code ?? 2);
}
