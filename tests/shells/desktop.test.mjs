// The desktop shell in a window of its own under Xvfb, filled in by the keyboard, as a person does; its host in Rust prints what it has read
// again. It is called by `cargo xtask hosts desktop`, which builds the shell. The pictures are in target/desktop.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { screen } from "../engines/xvfb.mjs";

const target = fileURLToPath(new URL("../../target/desktop/", import.meta.url));
/** Milliseconds for one change on the screen. */
const WAIT = 20_000;
/** Colors on a screen without letters, at most. */
const LETTERS = 32;

let display;
before(async () => (display = await screen()));
let running;
afterEach(async () => {
  if (!running || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, "exit");
  running.kill();
  // Its window would be what the next test sees first.
  await ended;
});
after(() => display.close());

const x = async (program, ...args) => (await promisify(execFile)(program, args, { env: display.env, timeout: WAIT })).stdout.trim();
const press = (...keys) => x("xdotool", "key", "--delay", "80", ...keys);

/** The shell, started, its window in front. */
async function shell() {
  const child = spawn(join(target, "debug/ask-user-desktop"), { env: display.env, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  const ended = new Promise((resolve, reject) => {
    const late = setTimeout(() => (child.kill(), reject(new Error(`the shell waits: ${said.out} ${said.err}`))), 2 * WAIT);
    child.once("exit", (code) => (clearTimeout(late), resolve(code)));
  });
  ended.catch(() => undefined);
  const window = await x("xdotool", "search", "--sync", "--onlyvisible", "--name", "^ask-user on the desktop$");
  await x("xdotool", "windowfocus", "--sync", window.split("\n")[0]);
  await drawn();
  return { said, ended };
}
/** Waits until text is on the screen: a window without its page, and a skeleton, have few colors, and the edges of letters have many. */
async function drawn() {
  for (const begun = Date.now(); Date.now() - begun < WAIT; await new Promise((resolve) => setTimeout(resolve, 250))) {
    if (Number(await x("import", "-window", "root", "-depth", "8", "-format", "%k", "info:-")) > LETTERS) return;
  }
  throw new Error("the window shows no text");
}
const signature = () => x("import", "-window", "root", "-depth", "8", "-format", "%#", "info:-");
/** Waits until the screen has changed from what it was, and stands still. */
async function changed(from) {
  const begun = Date.now();
  for (let last = from; Date.now() - begun < WAIT; ) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = await signature();
    if (now === last && now !== from) return now;
    last = now;
  }
  throw new Error("nothing changed on the screen");
}

test("a person fills the form in, and the host in Rust has the result", async () => {
  const before = await signature();
  const { said, ended } = await shell();
  let screen = await changed(before);
  for (const keys of [["Tab", "y"], ["1"]]) {
    await press(...keys);
    screen = await changed(screen);
  }
  await press("ctrl+a", "2");
  await changed(screen);
  await x("import", "-window", "root", join(target, "desktop.png"));
  await press("ctrl+Return");
  assert.equal(await ended, 0);
  assert.deepEqual(JSON.parse(said.out), { apply: true, environment: "staging", limits: { cpu: 2 } });
  assert.equal(said.err.replace(/.*(Gtk|GLib|dconf|EGL|MESA|libEGL|DRI|dbus|accessibility).*\n/gi, "").trim(), "");
});

test("the end of the turn has no result", async () => {
  const before = await signature();
  const { said, ended } = await shell();
  const screen = await changed(before);
  await press("Tab", "s");
  // The confirmation counts once it is on the screen.
  await changed(screen);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await press("Return");
  await changed(screen).catch(() => undefined);
  assert.equal(await ended, 0);
  assert.equal(said.out.trim(), "The turn is ended.");
});
