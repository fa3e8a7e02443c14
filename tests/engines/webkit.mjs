// WebKitGTK, by WebDriver: the engine of the system's webviews on Linux, and a near relative of Safari's.
import { spawn } from "node:child_process";
import { freePort } from "../js/free-port.mjs";
import { screen } from "./xvfb.mjs";

const DRIVER = process.env.WEBKITDRIVER ?? "/usr/bin/WebKitWebDriver";
const BROWSER = process.env.MINIBROWSER ?? "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
/** Keys that have no character, as WebDriver (section 17.4.2) writes them. */
const KEYS = {
  Backspace: "\ue003", Tab: "\ue004", Enter: "\ue007", Shift: "\ue008", Control: "\ue009", Alt: "\ue00a", Escape: "\ue00c", Space: " ",
  PageUp: "\ue00e", PageDown: "\ue00f", End: "\ue010", Home: "\ue011", ArrowLeft: "\ue012", ArrowUp: "\ue013", ArrowRight: "\ue014",
  ArrowDown: "\ue015", Delete: "\ue017", F1: "\ue031", F8: "\ue038", Meta: "\ue03d",
};

/** Starts WebKitGTK. Gives `{ name, open(), close() }`; each page is a window. */
export async function webkit() {
  const { env, close: dark } = await screen();
  const port = await freePort();
  const driver = spawn(DRIVER, ["--host=127.0.0.1", `--port=${port}`], { env, stdio: "ignore" });
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  for (let waited = 0; ; waited += 1) {
    if (await call("GET", "/status").then(() => true, () => false)) break;
    if (waited > 100) throw new Error("WebKitWebDriver does not answer");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const browserOptions = { binary: BROWSER, args: ["--automation"] };
  // The driver measures a script's time by the page's own clock, which tests may put forward.
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": browserOptions, timeouts: { script: 3_600_000 } } };
  const { sessionId, capabilities: has } = await call("POST", "/session", { capabilities });
  const at = (path, body) => call("POST", `/session/${sessionId}${path}`, body ?? {});
  const get = (path) => call("GET", `/session/${sessionId}${path}`);
  const key = (name) => KEYS[name] ?? name;
  const first = await get("/window");
  let current = first;
  const inUse = new Set();
  let ran = 0;
  let clicked = { x: 0, y: 0, at: 0 };
  /** The driver has one window and one frame in front: what needs them there is done by itself. */
  let before = /** @type {Promise<any>} */ (Promise.resolve());
  const alone = (act) => (before = before.then(act, act));
  return {
    name: `${has.browserName} ${has.browserVersion}`,
    async open() {
      // The window that is there, and then others: to a tab behind another the driver's pointer never comes.
      const handle = inUse.has(first) ? (await alone(() => at("/window/new", { type: "window" }))).handle : first;
      inUse.add(handle);
      /** Whatever is asked goes to the window in front. */
      const here = async () => {
        if (current !== handle) await at("/window", { handle });
        current = handle;
      };
      const to = (path, body) => alone(async () => (await here(), at(path, body)));
      const pointed = (x, y) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0, origin: "viewport" });
      const point = (actions) => to("/actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
      return {
        go: (url) => to("/url", { url }),
        /**
         * One command after another is answered: what takes long is asked for again, so that others come in between. It begins in a task of the
         * page: in one of the driver's, WebKit runs microtasks whenever a callback of a custom element returns.
         */
        async run(source, text, within) {
          const script = `const [begins, text, run, done] = arguments;
            const runs = (window[Symbol.for("runs")] ??= new Map());
            if (begins) runs.set(run, new Promise((begin) => (window.later ?? setTimeout)(begin)).then(() => (${source})(text)));
            const later = new Promise((resolve) => (window.later ?? setTimeout)(resolve, 40));
            Promise.race([runs.get(run), later]).then((value) => {
              if (value !== undefined) runs.delete(run);
              done(value ?? null);
            });`;
          const run = (ran += 1);
          for (let begins = true; ; begins = false) {
            const value = await alone(async () => {
              await here();
              if (within) await at("/frame", { id: 0 });
              return at("/execute/async", { script, args: [begins, text, run] }).finally(() => within && at("/frame", { id: null }));
            });
            if (value !== null) return value;
          }
        },
        keys: (held, name) => {
          const down = (value) => ({ type: "keyDown", value: key(value) });
          const up = (value) => ({ type: "keyUp", value: key(value) });
          const actions = [...held.map(down), down(name), up(name), ...held.toReversed().map(up)];
          return to("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
        },
        move: (x, y) => point([pointed(x, y)]),
        async click(x, y) {
          // Two clicks at one place are a double click here, if the second comes soon.
          const wait = Math.hypot(x - clicked.x, y - clicked.y) < 16 ? clicked.at + 600 - Date.now() : 0;
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
          // A pointer that is there already tells of no move.
          await point([pointed(x - 1, y), pointed(x, y), { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]);
          clicked = { x, y, at: Date.now() };
        },
        async resize(width, height) {
          // The frame of the window is not the page's. Below some 450 pixels the window grows no narrower.
          const [across, down] = await to("/execute/sync", { script: "return [outerWidth - innerWidth, outerHeight - innerHeight]", args: [] });
          await to("/window/rect", { width: width + across, height: height + down });
        },
        /** How to close a page that nobody here has opened, once there is one. */
        async popup() {
          const opened = (await get("/window/handles")).find((other) => !inUse.has(other));
          if (!opened) return undefined;
          return () =>
            alone(async () => {
              await at("/window", { handle: opened });
              await call("DELETE", `/session/${sessionId}/window`);
              await at("/window", { handle });
              current = handle;
            });
        },
        async close() {
          await to("/url", { url: "about:blank" });
          inUse.delete(handle);
          if (handle === first) return;
          await alone(async () => {
            await here();
            await call("DELETE", `/session/${sessionId}/window`);
            await at("/window", { handle: (current = first) });
          });
        },
      };
    },
    async close() {
      await call("DELETE", `/session/${sessionId}`).catch(() => undefined);
      driver.kill();
      dark();
    },
  };
}
