// The commands and the program of docs/inbox.md run as they stand there, and its tables name what there is.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { COMMAND, Home } from "./inbox-app.mjs";
import { becomes, until } from "./wait.mjs";

const DOCUMENT = readFileSync(new URL("../../docs/inbox.md", import.meta.url), "utf8");
const blocks = (language) => [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);
const block = (words) => blocks("sh").find((code) => code.includes(words));

let home;
let person;
before(async () => {
  home = new Home();
  // `npx ask-user` is this package.
  const bin = join(home.path, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  writeFileSync(join(bin, "notify-send"), `#!/bin/sh\nprintf '%s\\n' "$@" > "${home.path}/notified"\n`);
  for (const name of ["npx", "notify-send"]) chmodSync(join(bin, name), 0o755);
  home.environment.PATH = `${bin}:${process.env.PATH}`;
});
after(() => home.end());

/** Runs a block in a shell: `{ out, err, ended }`. */
function shell(code) {
  const child = spawn("sh", ["-e"], { cwd: home.path, env: home.environment });
  const one = { process: child, out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (one.out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (one.err += text));
  one.ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end(code);
  return one;
}

test("the inbox starts with --notify as the document says, and prints the address of its page", async () => {
  const started = shell(block("--notify"));
  await until(() => started.out, "the address", (out) => out.includes("#code="));
  person = await home.person();
  // The first command finds it.
  const found = shell(blocks("sh")[0]);
  assert.equal(await found.ended, 0);
  assert.ok(found.out.includes(`${home.address}/#code=`));
});

test("the script asks, and prints the result that the document names", async () => {
  const asked = shell(block("request.json <<"));
  const [{ id, who, danger }] = await person.sees(1);
  assert.deepEqual([who, danger], ["nightly.sh", true]);
  const notified = join(home.path, "notified");
  await becomes(() => existsSync(notified) && readFileSync(notified, "utf8"), "--\nnightly.sh\nDeploy to production?\n");
  await person.answer(id, { deploy: true });
  assert.equal(await asked.ended, 0);
  assert.ok(DOCUMENT.includes(`\`${asked.out.trim()}\``), asked.out);
});

test("the condition of the document goes on with a yes alone", async () => {
  for (const [deploy, said] of [[true, "Deploying.\n"], [false, "Not deploying.\n"]]) {
    const asked = shell(block("if ["));
    const [{ id }] = await person.sees(1);
    await person.answer(id, { deploy });
    assert.equal(await asked.ended, 0);
    assert.equal(asked.out, said);
    await person.sees(0);
  }
});

test("the program asks and gets the answer", async () => {
  const [code] = blocks("js");
  writeFileSync(join(home.path, "program.mjs"), code);
  const program = shell(`"${process.execPath}" program.mjs`);
  const [{ id, who, text }] = await person.sees(1);
  assert.deepEqual([who, text], ["Git agent", "Delete the 14 merged branches?"]);
  assert.equal((await person.answer(id, { answer: true })).status, 200);
  await program.ended;
  assert.equal(program.out, "answered { answer_type: 'boolean', answer: true }\n", program.err);
});

test("install shows what it would write", async () => {
  for (const [words, line] of /** @type {any[][]} */ ([["install claude\n", /\+ .*"ask-user"/], ["install claude --hook\n", /\+ .*ask-user hook claude/]])) {
    const shown = shell(block(words));
    assert.equal(await shown.ended, 2);
    assert.match(shown.out, line);
  }
});

test("the tables have every command, option and exit code", async () => {
  const { out } = await home.run(["--help"]);
  for (const option of new Set(out.match(/--[a-z]+/g))) assert.ok(DOCUMENT.includes(`\`${option}`), option);
  for (const [, option] of DOCUMENT.matchAll(/`(--[a-z]+)/g)) assert.ok(out.includes(option) || ["--quiet"].includes(option), option);
  for (const agent of ["claude", "codex", "gemini", "opencode", "cursor", "vscode", "zed"]) assert.ok(DOCUMENT.includes(`| \`${agent}\` |`), agent);
});
