// The main process: a window that may do nothing but show the form, and an agent that asks in it.
import { fileURLToPath } from "node:url";
import { app, BrowserWindow, ipcMain, session, shell } from "electron";
import { connect } from "ask-user/channel";
import { asks } from "./agent.js";
import { overIpc } from "./ipc.js";

const PAGE = new URL("renderer/index.html", import.meta.url).href;

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
window.webContents.on("will-navigate", (event) => event.preventDefault());
// What the person opens is the browser's.
window.webContents.setWindowOpenHandler(({ url }) => {
  if (url.startsWith("https://")) shell.openExternal(url);
  return { action: "deny" };
});

const channel = connect(overIpc(ipcMain, window.webContents, PAGE), { refused: ({ code, message }) => console.warn(code, message) });
window.on("closed", () => channel.close());
await window.loadURL(PAGE);
try {
  console.log(await asks(channel));
} catch (error) {
  console.log(error instanceof Error && error.name === "AbortError" ? "Nobody answered." : error);
}
app.quit();
