// Where each agent keeps its MCP servers, and what it calls them. Read in November 2026 from each agent's documents; docs/inbox.md names them.
import { existsSync } from "node:fs";
import { homedir, platform } from "node:os";
import { join } from "node:path";
import * as jsonc from "./jsonc.js";
import * as toml from "./toml.js";

/**
 * The settings of an agent: the file, and what it says with the server added, or removed. Nothing is removed where nothing was added.
 * @typedef {{ file: string, added(text: string): string, removed(text: string): string | undefined }} Settings
 */

/** What the server is called in an agent's settings. */
const NAME = "ask-user";
/** How long an agent may wait that has a limit: a day, in seconds. */
const DAY = 86_400;
/** Where an agent gives up after a minute and its limit cannot be set, a call stops waiting before, and the agent gets the answer later. */
const SHORT = ["--wait", "50"];

/**
 * An agent with JSON settings: `{ file, added(text), removed(text) }`.
 * @type {(file: string, path: string[], value: object) => Settings}
 */
const json = (file, path, value) => ({ file, added: (text) => jsonc.added(text, [...path, NAME], value), removed: (text) => jsonc.removed(text, [...path, NAME]) });

/** The hook of Claude Code, in each list of hooks that has it: it asks the agent's own questions, and its approvals, in the inbox. */
const HOOK = "ask-user hook claude";
/** How long Claude Code waits for it, in seconds: longer than it waits for an answer. */
const HOOK_WAITS = 600;

/**
 * The settings of the hook of Claude Code, in the same form as those of a server.
 * @param {{ file: string, words: string[] }} given
 * @returns {Settings}
 */
function hookOf({ file, words }) {
  /** @type {[path: string[], matcher: string][]} */
  const lists = [[["hooks", "PreToolUse"], "AskUserQuestion"], [["hooks", "PermissionRequest"], "*"]];
  const command = [...words, "ask-user", "hook", "claude"].join(" ");
  /** @type {(hook: { command?: unknown } | undefined) => boolean} */
  const isMine = ({ command: text } = {}) => typeof text === "string" && text.includes(HOOK);
  /** @type {(group: any) => boolean} */
  const isGroup = (group) => Array.isArray(group?.hooks) && group.hooks.length === 1 && isMine(group.hooks[0]);
  /** @type {(text: string) => boolean} */
  const isIn = (text) => text.includes(HOOK);
  return {
    file,
    added(text) {
      if (isIn(text)) throw new Error("The hook is there already.");
      return lists.reduce((edited, [path, matcher]) => jsonc.appended(edited, path, { matcher, hooks: [{ type: "command", command, timeout: HOOK_WAITS }] }), text);
    },
    removed(text) {
      if (!isIn(text)) return undefined;
      const after = lists.reduce((edited, [path]) => jsonc.withdrawn(edited, path, isGroup) ?? edited, text);
      if (isIn(after)) throw new Error(`"${HOOK}" stands there in another way than it was added. Remove it by hand.`);
      return after;
    },
  };
}

/**
 * The settings of an agent; undefined if it is none that is known.
 * @param {string} agent
 * @param {{ environment?: NodeJS.ProcessEnv, system?: string, home?: string, read?: (file: string) => string, isHook?: boolean }} [given]
 * @returns {Settings | undefined}
 */
export function settingsOf(agent, { environment = process.env, system = platform(), home = homedir(), read = () => "", isHook = false } = {}) {
  const config = environment.XDG_CONFIG_HOME || join(home, ".config");
  const roaming = environment.APPDATA || join(home, "AppData", "Roaming");
  // Windows finds npx, which is a script there, through its command line alone.
  const words = [...(system === "win32" ? ["cmd", "/c"] : []), "npx", "-y", "ask-user", "mcp"];
  /** @type {(...more: string[]) => { command: string, args: string[] }} */
  const command = (...more) => ({ command: words[0], args: [...words.slice(1), ...more] });
  if (isHook) return agent === "claude" ? hookOf({ file: join(environment.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json"), words: words.slice(0, -2) }) : undefined;
  /** @type {{ [agent: string]: () => Settings }} */
  const agents = {
    claude: () => json(join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json"), ["mcpServers"], { type: "stdio", ...command() }),
    codex: () => {
      const values = { ...command(), startup_timeout_sec: 60, tool_timeout_sec: DAY };
      const file = join(environment.CODEX_HOME || join(home, ".codex"), "config.toml");
      return { file, added: (text) => toml.added(text, "mcp_servers", NAME, values), removed: (text) => toml.removed(text, "mcp_servers", NAME) };
    },
    gemini: () => json(join(home, ".gemini", "settings.json"), ["mcpServers"], { ...command(), timeout: DAY * 1_000 }),
    opencode: () => {
      const [plain, commented] = ["opencode.json", "opencode.jsonc"].map((name) => join(config, "opencode", name));
      const file = existsSync(commented) && !existsSync(plain) ? commented : plain;
      // Both versions read the older form. Where the newer one is in use, it is kept to.
      if (jsonc.has(read(file), ["mcp", "servers"])) return json(file, ["mcp", "servers"], { type: "local", command: words, timeout: { request: DAY * 1_000 } });
      return json(file, ["mcp"], { type: "local", command: words, enabled: true, timeout: DAY * 1_000 });
    },
    cursor: () => json(join(home, ".cursor", "mcp.json"), ["mcpServers"], { type: "stdio", ...command(...SHORT) }),
    vscode: () => {
      const user = { darwin: join(home, "Library", "Application Support", "Code", "User"), win32: join(roaming, "Code", "User") }[system] ?? join(config, "Code", "User");
      return json(join(user, "mcp.json"), ["servers"], { type: "stdio", ...command() });
    },
    zed: () => json(system === "win32" ? join(roaming, "Zed", "settings.json") : join(config, "zed", "settings.json"), ["context_servers"], { ...command(...SHORT), env: {} }),
  };
  return Object.hasOwn(agents, agent) ? agents[agent]() : undefined;
}

/** The agents that are known. */
export const AGENTS = ["claude", "codex", "gemini", "opencode", "cursor", "vscode", "zed"];
