// The desktop shell in a window of its own under Xvfb, filled in by the keyboard, as a person does; its host in Rust prints what it has read
// again. It is called by `cargo xtask hosts desktop`, which builds the shell. The pictures are in target/desktop.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { screen } from "../engines/xvfb.mjs";
import { deadline, pause, until } from "../js/wait.mjs";

const target = fileURLToPath(new URL("../../target/desktop/", import.meta.url));
/** Milliseconds for one change on the screen. */
const WAIT = 20_000;
/** A screen that is the same so often, with so many milliseconds in between, stands still. */
const LOOKS = 3;
const PAUSE = 250;

let display;
/** Settings of GTK: a caret that blinks would be a change on the screen. */
const settings = mkdtempSync(join(tmpdir(), "desktop-"));
before(async () => {
  mkdirSync(join(settings, "gtk-3.0"));
  writeFileSync(join(settings, "gtk-3.0/settings.ini"), "[Settings]\ngtk-cursor-blink=false\n");
  display = await screen();
});
let running;
afterEach(async () => {
  if (!running || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, "exit");
  running.kill();
  // Its window would be what the next test sees first.
  await ended;
});
after(() => {
  display.close();
  rmSync(settings, { recursive: true });
});

const x = async (program, ...args) => (await promisify(execFile)(program, args, { env: display.env, timeout: WAIT })).stdout.trim();
const press = (...keys) => x("xdotool", "key", "--delay", "80", ...keys);

/** The shell, started, its window in front. */
async function shell() {
  const child = spawn(join(target, "debug/ask-user-desktop"), { env: { ...display.env, XDG_CONFIG_HOME: settings }, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  const ended = new Promise((resolve, reject) => {
    const inTime = deadline(4 * WAIT, () => (child.kill(), reject(new Error(`the shell waits: ${said.out} ${said.err}`))));
    child.once("exit", (code) => (inTime(), resolve(code)));
  });
  ended.catch(() => undefined);
  const window = await x("xdotool", "search", "--sync", "--onlyvisible", "--name", "^ask-user on the desktop$");
  await x("xdotool", "windowfocus", "--sync", window.split("\n")[0]);
  await takesKeys();
  return { said, ended };
}
const signature = () => x("import", "-window", "root", "-depth", "8", "-format", "%#", "info:-");
/** Waits until the screen stands still, and is another than before. It is all that is seen, and does not say whether it will change again. */
async function changed(from, { looks = LOOKS, longest = WAIT } = {}) {
  const seen = [];
  const look = async () => {
    await pause(PAUSE);
    seen.push(await signature());
    return seen.slice(-looks);
  };
  const stands = ([first, ...others]) => others.length === looks - 1 && first !== from && others.every((one) => one === first);
  return (await until(/** @type {any} */ (look), "a change on the screen", stands, longest))[0];
}
/**
 * Waits until the form takes keys. A heading, and a question whose form is still on its way, stand still on the screen too, and take none. Tab moves the
 * focus, and back: two pictures that come in turn are those of a form that takes keys.
 */
async function takesKeys() {
  const look = async () => {
    const seen = [];
    for (const key of ["Tab", "shift+Tab", "Tab", "shift+Tab"]) {
      await press(key);
      seen.push(await changed());
    }
    return seen;
  };
  await until(look, "a form that takes keys", ([one, other, ...again]) => one !== other && isDeepStrictEqual([one, other], again), 2 * WAIT);
}

/** Presses a letter, which the form hears where it has the focus. Tab leads there from the page around it. */
async function letter(key) {
  const before = await changed();
  await press(key);
  return changed(before, { longest: WAIT / 4 }).catch(async () => {
    await press("Tab", key);
    return changed(before);
  });
}

test("a person fills the form in, and the host in Rust has the result", async () => {
  const { said, ended } = await shell();
  let screen = await letter("y");
  await press("1");
  // The fields may come after their question.
  screen = await changed(screen, { looks: 3 * LOOKS });
  await press("ctrl+a", "2");
  await changed(screen);
  await x("import", "-window", "root", join(target, "desktop.png"));
  await press("ctrl+Return");
  assert.equal(await ended, 0);
  assert.deepEqual(JSON.parse(said.out), { apply: true, environment: "staging", limits: { cpu: 2 } });
  assert.equal(said.err.replace(/.*(Gtk|GLib|dconf|EGL|MESA|libEGL|DRI|dbus|accessibility).*\n/gi, "").trim(), "");
});

test("the end of the turn has no result", async () => {
  const { said, ended } = await shell();
  // The confirmation counts once it is on the screen.
  await letter("s");
  await press("Return");
  assert.equal(await ended, 0);
  assert.equal(said.out.trim(), "The turn is ended.");
});
