// The commands of `ask-user` that use the inbox: what each is given, and what it prints.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as core from "../core.node.js";
import { PORT, start } from "./app.js";
import { asking } from "./asking.js";
import { Client } from "./client.js";
import { Folder } from "./folder.js";
import { hook } from "./hook.js";
import { install, uninstall } from "./install.js";
import { stopHolder } from "./lock.js";
import { serveMcp } from "./mcp-stdio.js";
import { SERVER, opencode, serverOf } from "./opencode.js";
import { checked, isKey, publicKeyOf } from "./receipts.js";
import { announcement, publicAddress } from "./share.js";
import { wrap } from "./wrap.js";

/** @import { ParseArgsConfig } from "node:util" */

/**
 * The options of a command, as they were given.
 * @typedef {{ [name: string]: any }} Values
 */

/**
 * A command: its options, the number of its arguments, whether more may follow, what it does, and the exit code for a wrong call.
 * @typedef {{ options: NonNullable<ParseArgsConfig["options"]>, words: number, hasMore?: boolean, wrong?: number, run: (given: string[], values: Values) => number | Promise<number> }} Command
 */

/** The command itself, as a file, and the files of the package. */
const COMMAND = fileURLToPath(new URL("cli.js", import.meta.url));
const FILES = new URL("./", import.meta.url);

/* global VERSION -- the build puts the version of the package there. */

/** @type {{ type: "string" }} */
const text = { type: "string" };
/** @type {{ type: "boolean" }} */
const flag = { type: "boolean" };

/** @type {(message: string) => void} */
const say = (message) => process.stderr.write(`${message}\n`);
/** @type {(message: string) => void} */
const print = (message) => process.stdout.write(message);

/**
 * The commands: their options, the number of their arguments, what they do, and the exit code for a wrong call where that is not 2. Each returns its exit code.
 * @type {{ [name: string]: Command }}
 */
const COMMANDS = {
  "": { options: { port: text, notify: text, database: text, share: flag, public: text, "local-approvals": flag, quiet: flag }, words: 0, run: inbox },
  stop: { options: {}, words: 0, run: stop },
  ask: { options: { who: text, folder: text, dialect: text, expires: text, id: text }, words: 1, run: ([file], options) => asking({ client: client(), file, options, print, say }) },
  mcp: { options: { simple: flag, wait: text, folder: text, elicit: flag }, words: 0, run: mcp },
  key: { options: {}, words: 0, run: key },
  verify: { options: { key: text }, words: 1, run: verify },
  hook: { options: { wait: text }, words: 1, wrong: 1, run: hooked },
  wrap: { options: { wait: text, who: text, folder: text }, words: 1, hasMore: true, run: wrapped },
  opencode: { options: { server: text, wait: text }, words: 0, run: ofOpencode },
  install: { options: { yes: flag, hook: flag }, words: 1, run: ([agent], { yes, hook: isHook }) => install({ agent, isHook, isSure: yes, print, say }) },
  uninstall: { options: { yes: flag, hook: flag }, words: 1, run: ([agent], { yes, hook: isHook }) => uninstall({ agent, isHook, isSure: yes, print, say }) },
};

export const USAGE = `Usage:
  ask-user [--port N] [--notify CMD] [--database URL] [--share] [--public URL] [--local-approvals]
                                                        start the inbox, or find the one that runs
  ask-user stop                                         stop it
  ask-user ask FILE|- [--who NAME] [--folder PATH] [--dialect NAME] [--expires SECONDS] [--id ID]
                                                        ask, wait, and print the agent's result
  ask-user mcp [--simple] [--wait SECONDS] [--folder PATH] [--elicit]
                                                        serve MCP over standard input and output
  ask-user key                                          print the public key of the inbox, which signs receipts
  ask-user verify FILE|- [--key KEY]                    check a receipt, and print what was decided
  ask-user hook claude [--wait SECONDS]                 be a hook of Claude Code, which asks in the inbox
  ask-user wrap [--wait SECONDS] [--who NAME] [--folder PATH] -- COMMAND [ARGUMENT ...]
                                                        run an agent of ACP, or \`codex app-server\`, which asks in the inbox
  ask-user opencode [--server URL] [--wait SECONDS]     ask in the inbox what an opencode that runs asks
  ask-user install AGENT [--hook] [--yes]               add the inbox to claude, codex, gemini, opencode, cursor, vscode or zed
  ask-user uninstall AGENT [--hook] [--yes]             take it out again
  ask-user copy FOLDER [ENTRY ...]                      copy the files of a page

docs/inbox.md of the project describes them.`;

/**
 * Runs a command and returns its exit code; undefined if there is no such command.
 * @param {string[]} words
 * @returns {Promise<number | undefined>}
 */
export async function run([verb = "", ...given]) {
  const isOption = verb.startsWith("-");
  const name = isOption ? "" : verb;
  const called = `ask-user ${name}`.trim();
  if (!Object.hasOwn(COMMANDS, name)) return undefined;
  const { options, words, hasMore, run: act, wrong = 2 } = COMMANDS[name];
  let parsed;
  try {
    parsed = parseArgs({ args: isOption ? [verb, ...given] : given, options: { ...options, help: flag }, allowPositionals: true });
    if (parsed.values.help) return print(`${USAGE}\n`), 0;
    const count = parsed.positionals.length;
    if (hasMore ? count < words : count !== words) throw new TypeError(hasMore ? "Give a command after `--`." : words ? "Give one argument." : `There is no argument "${parsed.positionals[0]}" here.`);
    for (const number of ["port", "expires", "wait"]) {
      const value = /** @type {Values} */ (parsed.values)[number];
      if (value !== undefined && !/^\d+$/.test(value)) throw new TypeError(`--${number} must be a whole number.`);
      if (number !== "port" && Number(value) === 0) throw new TypeError(`--${number} must be at least 1.`);
      if (number === "wait" && value !== undefined) /** @type {Values} */ (parsed.values).wait = Number(value);
    }
  } catch (/** @type {any} */ error) {
    say(`${called}: ${error.message}\n\n${USAGE}`);
    return wrong;
  }
  try {
    return await act(parsed.positionals, parsed.values);
  } catch (/** @type {any} */ error) {
    say(`${called}: ${error.message}`);
    return 1;
  }
}

/**
 * @param {string[]} _
 * @param {Values} values
 */
async function inbox(_, { port = process.env.ASK_USER_PORT, notify = process.env.ASK_USER_NOTIFY, database = process.env.ASK_USER_DATABASE, share, public: publicly, "local-approvals": keepsApprovals, quiet }) {
  const folder = new Folder();
  const { address, code, shared, close, ends } = await start({ isShared: share, publicly: publicly === undefined ? undefined : publicAddress(publicly), keepsApprovals, core, files: FILES, version: VERSION, folder, port: port === undefined ? PORT : Number(port), notify, database, onError: (error) => say(/** @type {Error | undefined} */ (error)?.stack ?? String(error)) });
  const page = `${address}/#code=${code}`;
  if (!quiet) print(`${close ? "The inbox runs. Open" : "The inbox runs already. Open"}\n\n  ${page}\n\nThis address opens the page once, within 10 minutes. Run \`npx ask-user\` again for another browser. Stop the inbox with ${close ? "Ctrl+C, or " : ""}\`ask-user stop\`.\n${shared.length ? `\n${announcement(shared, process.stdout.isTTY)}` : ""}`);
  if (!close) {
    const ignored = process.argv.some((word) => /^--(notify|database|port|share|public|local-approvals)\b/.test(word));
    if (ignored) return say("ask-user: An inbox runs already, so the options were not used. Run `ask-user stop` first."), 1;
    return 0;
  }
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => new Promise((resolve) => process.once(signal, resolve)));
  await Promise.race([ends, ...signals]);
  await close();
  return 0;
}

async function stop() {
  say((await stopHolder(new Folder())) ? "The inbox was stopped. Questions that are open stay open." : "No inbox runs.");
  return 0;
}

const NO_KEY = "There is no key yet. The inbox makes it when it starts: run `npx ask-user`.";

/** The public key of this user's inbox. */
function ownKey() {
  const folder = new Folder();
  if (!folder.hasKey) throw new Error(NO_KEY);
  return publicKeyOf(folder.signingKey);
}

async function key() {
  print(`${ownKey()}\n`);
  return 0;
}

/**
 * Checks a receipt against the key that is given, or that of this user's inbox.
 * @param {string[]} given
 * @param {Values} values
 */
async function verify([file], { key: given }) {
  let key = given;
  let receipt;
  try {
    if (given !== undefined && !isKey(given)) throw new Error("--key must be a public key, as `ask-user key` prints it.");
    receipt = readFileSync(file === "-" ? 0 : file, "utf8");
    key ??= ownKey();
  } catch (/** @type {any} */ error) {
    say(`ask-user verify: ${error.message}${error.message === NO_KEY ? " Or give the public key of another inbox with --key." : ""}`);
    return 2;
  }
  const { code, said } = checked(receipt, key);
  if (code === 0) print(`${said}\n`);
  else say(`ask-user verify: ${said}`);
  return code;
}

/**
 * @param {string[]} _
 * @param {Values} values
 */
async function mcp(_, { simple, wait, folder = process.cwd(), elicit }) {
  const [full, short] = core.toolDefinitions("ask_user");
  await serveMcp({ client: client(), definition: simple ? short : full, input: process.stdin, output: process.stdout, folder, wait, version: VERSION, elicits: elicit ? core : undefined });
  return 0;
}

/**
 * An agent takes the exit code 2 of a hook for a no. Whatever happens, that is none.
 * @param {string[]} given
 * @param {Values} values
 */
async function hooked([agent], { wait }) {
  if (agent !== "claude") {
    say(`ask-user hook: There is no hook for "${agent}", but one for claude.`);
    return 1;
  }
  await hook({ client: new Client({ folder: new Folder(), command: COMMAND }), input: process.stdin, print, wait });
  return 0;
}

/**
 * The standard output belongs to the agent and its client.
 * @param {string[]} words
 * @param {Values} values
 */
async function wrapped(words, { wait, who, folder }) {
  const client = new Client({ folder: new Folder(), command: COMMAND });
  return wrap({ client, words, input: process.stdin, output: process.stdout, wait, who, folder: folder?.trim() ? folder : process.cwd(), say });
}

/**
 * @param {string[]} _
 * @param {Values} values
 */
async function ofOpencode(_, { server = SERVER, wait }) {
  const url = serverOf(server);
  if (url === undefined) {
    say("ask-user opencode: --server must be an address of http or https, without a name and a password. OPENCODE_SERVER_PASSWORD has the password.");
    return 2;
  }
  const { OPENCODE_SERVER_USERNAME: name, OPENCODE_SERVER_PASSWORD: password } = process.env;
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());
  await opencode({ client: client(), server: url, name: name || undefined, password, wait, say, signal: stop.signal });
  return 0;
}

const client = () => new Client({ folder: new Folder(), command: COMMAND, say });
