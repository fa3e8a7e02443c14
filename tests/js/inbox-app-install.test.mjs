// `ask-user install` and `uninstall`: what is written into each agent's settings, that everything else in them stays, and that taking it out gives back what was there.
import assert from "node:assert/strict";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { settingsOf } from "../../pkg/src/inbox/agents.js";
import { folderOf } from "../../pkg/src/inbox/folder.js";
import { Home } from "./inbox-app.mjs";

const COMMAND = { command: "npx", args: ["-y", "ask-user", "mcp"] };
const SHORT = { command: "npx", args: ["-y", "ask-user", "mcp", "--wait", "50"] };
/** Where each agent has its settings, and what stands there then. */
const AGENTS = {
  claude: [".claude.json", { mcpServers: { "ask-user": { type: "stdio", ...COMMAND } } }],
  gemini: [".gemini/settings.json", { mcpServers: { "ask-user": { ...COMMAND, timeout: 86_400_000 } } }],
  opencode: [".config/opencode/opencode.json", { mcp: { "ask-user": { type: "local", command: ["npx", "-y", "ask-user", "mcp"], enabled: true, timeout: 86_400_000 } } }],
  cursor: [".cursor/mcp.json", { mcpServers: { "ask-user": { type: "stdio", ...SHORT } } }],
  vscode: [process.platform === "darwin" ? "Library/Application Support/Code/User/mcp.json" : ".config/Code/User/mcp.json", { servers: { "ask-user": { type: "stdio", ...COMMAND } } }],
  zed: [".config/zed/settings.json", { context_servers: { "ask-user": { ...SHORT, env: {} } } }],
};
const CODEX = '[mcp_servers.ask-user]\ncommand = "npx"\nargs = ["-y", "ask-user", "mcp"]\nstartup_timeout_sec = 60\ntool_timeout_sec = 86400\n';
const COMMENTED = `// My settings.
{
    "theme": "dark", // "mcpServers": {}
    /* The servers: { */
    "mcpServers": {
        "other": { "command": "x", "args": ["}", "\\"", "//"] }, // mine
    },
}
`;

let home;
const EMPTY = { XDG_CONFIG_HOME: "", CODEX_HOME: "", CLAUDE_CONFIG_DIR: "" };
beforeEach(() => (home = new Home(EMPTY)));
afterEach(() => home.end());

const at = (name) => join(home.path, name);
const read = (name) => readFileSync(at(name), "utf8");
const write = (name, text) => (mkdirSync(dirname(at(name)), { recursive: true }), writeFileSync(at(name), text));
const install = (agent, ...more) => home.run(["install", agent, ...more]);
const uninstall = (agent) => home.run(["uninstall", agent, "--yes"]);
/** JSON with comments and trailing commas as a value. No text of these tests has a comment in it but in `other`. */
const valueOf = (text) => JSON.parse(text.replace(/"other".*\n/g, "").replace(/\/\/.*|\/\*.*?\*\//g, "").replace(/,(\s*[}\]])/g, "$1"));

for (const [agent, [file, wanted]] of /** @type {[string, any[]][]} */ (Object.entries(AGENTS))) {
  test(`${agent}: the server is added to new settings and to those that are there, and taken out again`, async () => {
    const begun = await install(agent, "--yes");
    assert.equal(begun.code, 0, begun.err);
    assert.deepEqual(JSON.parse(read(file)), wanted);
    assert.ok(begun.out.includes(at(file)) && begun.out.includes('+   '), begun.out);
    const again = await install(agent, "--yes");
    assert.deepEqual([again.code, JSON.parse(read(file))], [1, wanted]);
    assert.match(again.err, /already/);
    await uninstall(agent);
    assert.deepEqual(JSON.parse(read(file)), {});
    const before = '{\n  "$schema": "x",\n  "more": [1, 2]\n}\n';
    write(file, before);
    await install(agent, "--yes");
    assert.deepEqual(JSON.parse(read(file)), { $schema: "x", more: [1, 2], ...wanted });
    assert.equal((await uninstall(agent)).code, 0);
    assert.equal(read(file), before);
  });
}

test("codex: the table is added, and taken out again with those below it", async () => {
  const file = ".codex/config.toml";
  for (const before of ["", 'model = "x"\n', '[mcp_servers.other]\ncommand = "y"\n\n[tui]\ntheme = "z"\n']) {
    write(file, before);
    assert.equal((await install("codex", "--yes")).code, 0);
    assert.equal(read(file), before ? `${before}\n${CODEX}` : CODEX);
    assert.equal((await install("codex", "--yes")).code, 1);
    write(file, `${read(file)}\n[mcp_servers.ask-user.tools.ask_user]\napproval_mode = "approve"\n`);
    assert.equal((await uninstall("codex")).code, 0);
    assert.equal(read(file), before);
  }
  write(file, 'a = 1\n\n[mcp_servers."ask-user"]\ncommand = "y"\n\n# The next.\n[tui]\ntheme = "z"\n');
  await uninstall("codex");
  assert.equal(read(file), 'a = 1\n\n# The next.\n[tui]\ntheme = "z"\n');
  write(file, 'mcp_servers = { other = { command = "y" } }\n');
  assert.match((await install("codex", "--yes")).err, /by hand/);
  assert.equal(read(file), 'mcp_servers = { other = { command = "y" } }\n');
});

test("comments, commas at the end and indentation stay", async () => {
  write(".config/zed/settings.json", COMMENTED);
  await install("zed", "--yes");
  assert.deepEqual(valueOf(read(".config/zed/settings.json")).context_servers["ask-user"], { ...SHORT, env: {} });
  assert.ok(read(".config/zed/settings.json").includes('\n    "context_servers": {\n        "ask-user": {'));
  await uninstall("zed");
  assert.equal(read(".config/zed/settings.json"), COMMENTED);
  write(".gemini/settings.json", COMMENTED);
  await install("gemini", "--yes");
  assert.ok(read(".gemini/settings.json").startsWith(COMMENTED.slice(0, COMMENTED.indexOf(" // mine"))));
  await uninstall("gemini");
  assert.equal(read(".gemini/settings.json"), COMMENTED);
});

test("opencode: where the newer form is in use, it is kept to", async () => {
  write(".config/opencode/opencode.jsonc", '{ "mcp": { "servers": {} } }\n');
  await install("opencode", "--yes");
  const { mcp } = JSON.parse(read(".config/opencode/opencode.jsonc"));
  assert.deepEqual(mcp, { servers: { "ask-user": { type: "local", command: ["npx", "-y", "ask-user", "mcp"], timeout: { request: 86_400_000 } } } });
  assert.ok(!existsSync(at(".config/opencode/opencode.json")));
});

test("what cannot be read is not changed, and the line of the mistake is told", async () => {
  for (const [text, why] of /** @type {any[][]} */ ([['{\n  "a": 1\n  "b": 2\n}', /line 3/], ['{"mcpServers": []}', /"mcpServers" is not a JSON object/], ["[]", /The file is not a JSON object/], ['{"a": 1} x', /line 1/]])) {
    write(".claude.json", text);
    const { code, err } = await install("claude", "--yes");
    assert.equal(code, 1);
    assert.match(err, why);
    assert.equal(read(".claude.json"), text);
  }
});

test("each system has its own places, and Windows starts npx by its command line", () => {
  const home = "/home/ada";
  const of = (agent, system, environment = {}) => settingsOf(agent, { environment, system, home });
  for (const [agent, system, environment, file] of [
    ["vscode", "darwin", {}, "/home/ada/Library/Application Support/Code/User/mcp.json"], ["vscode", "win32", { APPDATA: "/roaming" }, "/roaming/Code/User/mcp.json"],
    ["zed", "win32", { APPDATA: "/roaming" }, "/roaming/Zed/settings.json"], ["zed", "darwin", {}, "/home/ada/.config/zed/settings.json"], ["zed", "linux", { XDG_CONFIG_HOME: "/etc/ada" }, "/etc/ada/zed/settings.json"],
    ["codex", "linux", { CODEX_HOME: "/codex" }, "/codex/config.toml"], ["claude", "linux", { CLAUDE_CONFIG_DIR: "/claude" }, "/claude/.claude.json"],
  ]) {
    assert.equal(of(agent, system, environment).file, file, `${agent} ${system}`);
  }
  assert.deepEqual(JSON.parse(of("claude", "win32").added("")).mcpServers["ask-user"], { type: "stdio", command: "cmd", args: ["/c", "npx", "-y", "ask-user", "mcp"] });
  assert.deepEqual(JSON.parse(of("opencode", "win32").added("")).mcp["ask-user"].command, ["cmd", "/c", "npx", "-y", "ask-user", "mcp"]);
  assert.equal(folderOf({}, "darwin", home), "/home/ada/Library/Application Support/ask-user");
  assert.equal(folderOf({ LOCALAPPDATA: "/local" }, "win32", home), "/local/ask-user");
  assert.equal(folderOf({ XDG_DATA_HOME: "/data" }, "linux", home), "/data/ask-user");
  assert.equal(folderOf({}, "linux", home), "/home/ada/.local/share/ask-user");
  assert.equal(folderOf({ ASK_USER_HOME: "/mine" }, "darwin", home), "/mine");
});

test("nothing is written without a yes", async () => {
  const { code, out, err } = await home.run(["install", "claude"], { input: "" });
  assert.equal(code, 2);
  assert.match(out, /\+ .*"ask-user"/);
  assert.match(err, /Nothing was written/);
  assert.ok(!existsSync(at(".claude.json")));
  assert.equal((await uninstall("claude")).code, 0);
  assert.equal((await install("emacs", "--yes")).code, 2);
});

test("settings that are not plain are not changed, and the lines to add by hand are told", async () => {
  const file = ".codex/config.toml";
  const body = 'command = "npx"\n';
  for (const before of [
    "[mcp_servers]\nask-user = { command = \"x\" }\n", '["mcp_servers"."other"]\ncommand = "x"\n\n["mcp_servers"]\n', "mcp_servers = { other = {} }\n", 'text = """\n[mcp_servers.other]\n"""\n', '["mcp\\u005fservers"]\n',
  ]) {
    write(file, before);
    const { code, err } = await install("codex", "--yes");
    assert.deepEqual([code, read(file)], [1, before]);
    assert.ok(err.includes(CODEX), err);
  }
  for (const before of [
    `a = """\n[mcp_servers.ask-user]\n"""\nb = 1\n`, `[mcp_servers.ask-user]\n${body}matrix = [\n  [1, 2],\n]\n`, `[mcp_servers.ask-user]\n# Mine.\n${body}`, `[mcp_servers.ask-user] # Mine.\n${body}`,
    `[mcp_servers.ask-user]\n${body}[tui]\n[mcp_servers.ask-user.tools]\n`, `[mcp_servers]\nask-user = {}\n`,
  ]) {
    write(file, before);
    const { code, err } = await uninstall("codex");
    assert.deepEqual([code, read(file)], [1, before], err);
    assert.match(err, /by hand/);
  }
  const before = `[mcp_servers.ask-user]\n${body}`;
  write(file, `${before}\n# What I think of it.\n`);
  await uninstall("codex");
  assert.equal(read(file), "# What I think of it.\n");
});

test("no comment is lost, wherever it stands", async () => {
  const file = ".gemini/settings.json";
  for (const before of [
    '{"mcpServers": {\n  // "github": {}\n}}\n', '{\n  "mcpServers": {\n    "b": {}, // keep\n    // "c": {}\n  }\n}\n', '{\n  "mcpServers": {\n    "b": {} // keep\n    // "c": {}\n  }\n}\n',
    '{\n  // first\n  "mcpServers": { /* none */ }, // last\n}\n', '{ "a": 1 /* one */ }\n', "// only\n{}\n", '{"a":1}',
  ]) {
    write(file, before);
    assert.equal((await install("gemini", "--yes")).code, 0);
    for (const comment of before.match(/\/\/.*|\/\*.*?\*\//g) ?? []) assert.ok(read(file).includes(comment), read(file));
    assert.equal((await uninstall("gemini")).code, 0);
    const squeezed = (text) => text.replaceAll(/\s/g, "");
    assert.equal(squeezed(read(file)), squeezed(before));
  }
  const own = '"ask-user": {}';
  for (const [before, after] of [
    [`{"mcpServers": {\n  "b": {}, // keep\n  // "c": {}\n  ${own}\n}}`, '{"mcpServers": {\n  "b": {} // keep\n  // "c": {}\n}}'],
    [`{"mcpServers": {\n  // "c": {}\n  ${own}, // ours\n  "b": {}\n}}`, '{"mcpServers": {\n  // "c": {}\n   // ours\n  "b": {}\n}}'],
    [`{"mcpServers": {\n  // "c": {}\n  ${own}\n}}`, '{"mcpServers": {\n  // "c": {}\n}}'],
    [`{"mcpServers": {${own} /* x */, "b": {}}}`, '{"mcpServers": { /* x */ "b": {}}}'],
  ]) {
    write(file, before);
    assert.equal((await uninstall("gemini")).code, 0);
    assert.equal(read(file), after);
  }
});

test("bytes, line ends, modes and links that are no plain settings are left alone", async () => {
  write(".claude.json", "{}\n");
  const same = async (bytes, why) => {
    const { code, err } = await install("claude", "--yes");
    assert.deepEqual([code, readFileSync(at(".claude.json"))], [1, bytes]);
    assert.match(err, why);
  };
  for (const [bytes, why] of /** @type {any[][]} */ ([[Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not in UTF-8/], [Buffer.from('{"mcpServers": {}, "mcpServers": {"x": {}}}'), /a second "mcpServers"/]])) {
    writeFileSync(at(".claude.json"), bytes);
    await same(bytes, why);
  }
  const long = `{\r\n  "a": "${"x".repeat(12_000_000)}"\r\n}\r\n`;
  write(".claude.json", long);
  assert.equal((await install("claude", "--yes")).code, 0);
  assert.ok(!/(?<!\r)\n/.test(read(".claude.json")));
  await uninstall("claude");
  assert.ok(read(".claude.json") === long);
  write(".claude.json", "{}");
  chmodSync(at(".claude.json"), 0o444);
  await same(Buffer.from("{}"), /write-protected/);
  chmodSync(at(".claude.json"), 0o664);
  if (process.getuid() === 0) chownSync(at(".claude.json"), 1_000, 1_000);
  const { uid, gid } = statSync(at(".claude.json"));
  assert.equal((await install("claude", "--yes")).code, 0);
  const after = statSync(at(".claude.json"));
  assert.deepEqual([after.mode & 0o777, after.uid, after.gid], [0o664, uid, gid]);
  rmSync(at(".claude.json"));
  symlinkSync(at("gone.json"), at(".claude.json"));
  assert.match((await install("claude", "--yes")).err, /a link to a file that is not there/);
  assert.ok(!existsSync(at("gone.json")) && lstatSync(at(".claude.json")).isSymbolicLink());
});

test("a link and the mode of the settings stay", async () => {
  write("dotfiles/claude.json", "{}\n");
  chmodSync(at("dotfiles/claude.json"), 0o640);
  symlinkSync(at("dotfiles/claude.json"), at(".claude.json"));
  assert.equal((await install("claude", "--yes")).code, 0);
  assert.ok(lstatSync(at(".claude.json")).isSymbolicLink());
  assert.equal(statSync(at("dotfiles/claude.json")).mode & 0o777, 0o640);
  assert.ok(read("dotfiles/claude.json").includes("ask-user"));
});
