// The example's main process as a process of its own, for tests: `start` runs main.js with a stand-in for the module `electron`.
import { fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deadline } from "../js/wait.mjs";

const STAND_IN = new URL("electron-main.mjs", import.meta.url).href;
const HOOK = `export const resolve = (name, context, next) => name === "electron" ? { url: ${JSON.stringify(STAND_IN)}, shortCircuit: true } : next(name, context);`;
const REGISTER = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOK)}`)});`;

/** A folder for what a person's app keeps. */
export const userData = () => mkdtempSync(join(tmpdir(), "electron-"));

/** Runs the example in `folder`, for a person who presses the button `pressed`. Gives `{ does, came, out, ended, ... }`. */
export async function start(folder, { data = userData(), pressed = "Stay" } = {}) {
  const page = pathToFileURL(join(folder, "renderer/index.html")).href;
  const child = fork(join(folder, "main.js"), {
    execArgv: ["--import", `data:text/javascript,${encodeURIComponent(REGISTER)}`],
    env: { ...process.env, USER_DATA: data, PRESSED: pressed, PAGE: page },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  const messages = new EventEmitter();
  const all = [];
  child.on("message", (/** @type {any} */ message) => (all.push(message), messages.emit(message.is, message)));
  const loaded = once(messages, "load");
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  await Promise.race([loaded, ended.then((code) => Promise.reject(new Error(`the app ended with ${code}: ${said.err}`)))]);
  return {
    page, data, said, ended, messages,
    /** Everything that it did so far, of one kind. */
    did: (is) => all.filter((message) => message.is === is),
    /** Makes something happen to it; `ipc` is a text of a page. */
    happens: (does, detail = {}) => child.send({ does, ...detail }, () => {}),
    kill: () => (child.kill("SIGKILL"), ended),
  };
}

/** The page's end of the channel to a running app, as a script in the page would have it: nothing but texts. */
export function speaks(app) {
  let n = 0;
  const waiting = [];
  app.messages.on("sent", ({ text }) => {
    const message = JSON.parse(text);
    if (message.type === "request") return asked(message);
    if (["taken", "not_taken"].includes(message.type)) waiting.shift()?.(message);
  });
  let asked;
  const request = new Promise((/** @type {any} */ resolve) => (asked = resolve));
  const says = (type, id, detail) => app.happens("ipc", { text: JSON.stringify({ ask_user: 1, n: (n += 1), type, id, detail }) });
  /** What the host replies to a text that was sent. */
  const reply = () => new Promise((resolve) => {
    const heard = ({ type, detail }) => (inTime(), resolve(told(type, detail.message)));
    const inTime = deadline(1_000, () => (waiting.splice(waiting.indexOf(heard), 1), resolve({ is: "unheard" })));
    waiting.push(heard);
  });
  const end = (/** @type {{ walk?: any, secrets?: any }} */ { walk, secrets } = {}, idempotencyKey) => ({ walk, secrets, idempotencyKey, outcome: { ends: "completed" } });
  return {
    says,
    connected: async () => (says("connected", undefined, {}), request),
    raw: (text) => (app.happens("ipc", { text }), reply()),
    post: (response, key) => (says("result", "q1", end(response ?? {}, key)), reply()),
    /** Who is not the page, each with the message that would be the next. */
    strangers: [{ frame: "other" }, { frame: "none" }, { url: "https://evil.example/" }, { url: `${app.page}?evil` }].map((from) => (response, key) => {
      const text = JSON.stringify({ ask_user: 1, n: n + 1, type: "result", id: "q1", detail: end(response, key) });
      return app.happens("ipc", { text, ...from }), reply();
    }),
  };
}

function told(type, words) {
  if (type === "taken") return { is: "taken" };
  return { is: /^Another answer was taken already|^This question is not open/.test(words) ? "conflict" : "refused", words };
}
