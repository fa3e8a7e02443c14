// The main process: a window that may do nothing but show the form, and an agent that asks in it. A closed window, a reload and the end of the process lose nothing.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { app, BrowserWindow, dialog, ipcMain, session, shell } from "electron";
import { connect } from "ask-user/channel";
import { asks } from "./agent.js";
import { overIpc } from "./ipc.js";
import { storeAt } from "./store.js";

const PAGE = new URL("renderer/index.html", import.meta.url).href;

// Two processes would write one file.
if (!app.requestSingleInstanceLock()) app.exit();
await app.whenReady();
session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
const window = new BrowserWindow({
  width: 720,
  height: 640,
  webPreferences: {
    preload: fileURLToPath(new URL("preload.cjs", import.meta.url)),
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
  },
});
const { webContents: contents } = window;
contents.on("will-navigate", (event) => event.preventDefault());
// What the person opens is the browser's.
contents.setWindowOpenHandler(({ url }) => {
  if (url.startsWith("https://")) shell.openExternal(url);
  return { action: "deny" };
});
// The page does not want to be left while an answer is not sent. Electron asks nobody: without this, the window would not close.
contents.on("will-prevent-unload", (event) => {
  const [stay, leave] = [0, 1];
  const said = { type: /** @type {const} */ ("question"), buttons: ["Stay", "Leave"], defaultId: stay, cancelId: stay, message: "Your answer is not sent yet. Leave?" };
  if (dialog.showMessageBoxSync(window, said) === leave) event.preventDefault();
});
// The page is asked again, from where the person was. One that crashes again and again is left alone.
let crashes = 0;
contents.on("render-process-gone", () => {
  crashes += 1;
  if (crashes <= 3 && !contents.isDestroyed()) contents.reload();
});

const store = storeAt(join(app.getPath("userData"), "question.json"));
// A message may have a secret in it: what is refused is told by its code.
const channel = connect(overIpc(ipcMain, contents, PAGE), { refused: ({ code }) => console.warn(`A message was refused: ${code}`) });
window.on("closed", () => channel.close());
window.loadURL(PAGE).catch((error) => console.error(error));
try {
  console.log((await asks(channel, store)) ?? "The turn is ended.");
  // The agent has it.
  store.clear();
} catch (error) {
  console.log(error instanceof Error && error.name === "AbortError" ? "Nobody has answered yet. The question is kept." : error);
}
