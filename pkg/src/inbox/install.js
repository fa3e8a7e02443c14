// The commands `ask-user install` and `ask-user uninstall`: show what changes in an agent's settings, and write it if the person agrees.
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { AGENTS, settingsOf } from "./agents.js";
import { unguessable } from "./folder.js";

/** @import { Settings } from "./agents.js" */

/**
 * How the text of settings is changed.
 * @typedef {(settings: Settings, text: string) => string | undefined} Edit
 */

/**
 * What the commands are given. `ask` asks whether to write; `isQuiet` says nothing where there is nothing to remove.
 * @typedef {object} Given
 * @property {string} agent
 * @property {boolean} [isHook]
 * @property {boolean} [isSure]
 * @property {boolean} [isQuiet]
 * @property {(text: string) => void} print
 * @property {(message: string) => void} say
 * @property {(question: string) => Promise<boolean | undefined>} [ask]
 * @property {NodeJS.ProcessEnv} [environment]
 */

/**
 * Adds the inbox to an agent: its server, or with `isHook` its hook. Gives the exit code.
 * @type {(given: Given) => Promise<number>}
 */
export const install = (given) => change(given, ({ added }, text) => added(text));

/**
 * Takes it out again, and the hook if there is one.
 * @param {Given} given
 */
export async function uninstall(given) {
  /** @type {Edit} */
  const remove = ({ removed }, text) => removed(text);
  const hook = { ...given, isHook: true };
  const hasHook = hasIt(hook);
  if (given.isHook) return change(hook, remove);
  const code = await change({ ...given, isQuiet: hasHook }, remove);
  return code === 0 && hasHook ? change(hook, remove) : code;
}

/**
 * Whether an agent's settings have what was added. What cannot be read is told when it is to be changed.
 * @param {Given} given
 */
function hasIt({ agent, isHook, environment }) {
  const settings = settingsOf(agent, { read, environment, isHook });
  try {
    return settings !== undefined && settings.removed(read(settings.file)) !== undefined;
  } catch {
    return true;
  }
}

/**
 * @param {Given} given
 * @param {Edit} edit
 */
async function change({ agent, isHook, isSure, isQuiet, print, say, ask = asked, environment }, edit) {
  if (isHook && AGENTS.includes(agent) && agent !== "claude") {
    say("ask-user: There is a hook for claude alone.");
    return 2;
  }
  let settings;
  try {
    settings = settingsOf(agent, { read, environment, isHook });
  } catch (/** @type {any} */ error) {
    say(`ask-user: The settings of ${agent} cannot be read. ${error.message}`);
    return 1;
  }
  if (!settings) {
    say(`ask-user: There is no agent "${agent}". The agents are: ${AGENTS.join(", ")}.`);
    return 2;
  }
  const { file } = settings;
  let [before, after] = ["", ""];
  try {
    before = read(file);
    // Lines end as they did.
    const isWindows = before.includes("\r\n") && !/(?<!\r)\n/.test(before);
    after = /** @type {string} */ (edit(settings, isWindows ? before.replaceAll("\r\n", "\n") : before));
    if (isWindows) after = after?.replaceAll("\n", "\r\n");
    mayWrite(file);
  } catch (/** @type {any} */ error) {
    say(`ask-user: ${file} was not changed. ${error.message}`);
    return 1;
  }
  if (after === undefined) {
    if (!isQuiet) say(`ask-user: ${file} does not have it. Nothing was changed.`);
    return 0;
  }
  print(`${file}\n\n${difference(before, after)}\n`);
  const answer = isSure ? true : await ask("\nWrite this? [y/N] ");
  if (answer === undefined) {
    say("ask-user: Nothing was written. Run it in a terminal, or with --yes.");
    return 2;
  }
  if (!answer) {
    say("ask-user: Nothing was written.");
    return 1;
  }
  try {
    write(file, after, before);
  } catch (/** @type {any} */ error) {
    say(`ask-user: ${file} was not changed. ${error.message}`);
    return 1;
  }
  say(`ask-user: Written. Start ${agent} anew to use it.`);
  return 0;
}

/**
 * Asks in the terminal; undefined if there is none.
 * @param {string} question
 * @returns {Promise<boolean | undefined>}
 */
async function asked(question) {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

/** @param {string} file */
function read(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (/** @type {any} */ error) {
    if (error.code === "ENOENT") return "";
    if (error.code === "ERR_ENCODING_INVALID_ENCODED_DATA") throw new Error("It is not in UTF-8.", { cause: error });
    throw error;
  }
}

/**
 * Throws if settings are not to be written, or lead nowhere.
 * @param {string} file
 */
function mayWrite(file) {
  if (!lstatSync(file, { throwIfNoEntry: false })) return;
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Error("It is a link to a file that is not there.");
  if (!(found.mode & 0o222)) throw new Error("It is write-protected.");
  accessSync(file, constants.W_OK);
}

/**
 * Writes settings that are whole at every moment, in the place that a link leads to, with the mode and the owner that they had.
 * @param {string} file
 * @param {string} text
 * @param {string} before
 */
function write(file, text, before) {
  mkdirSync(dirname(file), { recursive: true });
  if (read(file) !== before) throw new Error(`${file} has changed meanwhile. Nothing was written: try again.`);
  const old = statSync(file, { throwIfNoEntry: false });
  const target = old ? realpathSync(file) : file;
  const next = `${target}.${unguessable()}`;
  try {
    writeFileSync(next, text, { mode: 0o600, flag: "wx" });
    if (old) {
      const { uid, gid } = statSync(next);
      if (uid !== old.uid || gid !== old.gid) chownSync(next, old.uid, old.gid);
      chmodSync(next, old.mode & 0o777);
    }
    renameSync(next, target);
  } finally {
    rmSync(next, { force: true });
  }
}

/**
 * The lines that change, with a sign before each, and those beside them.
 * @param {string} before
 * @param {string} after
 */
function difference(before, after) {
  const [old, next] = [before, after].map((text) => (text === "" ? [] : text.replace(/\n$/, "").split("\n")));
  let first = 0;
  while (first < old.length && first < next.length && old[first] === next[first]) first += 1;
  let last = 0;
  while (last < old.length - first && last < next.length - first && old.at(-1 - last) === next.at(-1 - last)) last += 1;
  /** @type {(lines: string[]) => string[]} */
  const beside = (lines) => lines.map((line) => `  ${line}`);
  return [
    ...beside(old.slice(Math.max(0, first - 2), first)),
    ...old.slice(first, old.length - last).map((line) => `- ${line}`),
    ...next.slice(first, next.length - last).map((line) => `+ ${line}`),
    ...beside(old.slice(old.length - last, old.length - last + 2)),
  ].join("\n");
}
