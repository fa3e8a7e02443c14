// Stands in for the module `electron` in the example's main process, which runs whole in a process of its own: what Electron would do goes to the test as messages,
// and what Electron would tell comes from it. Electron's own binary is not to be had where the tests run.
import { EventEmitter } from "node:events";

const tell = (message) => process.send(message);

class Contents extends EventEmitter {
  mainFrame = { url: "" };
  gone = false;

  isDestroyed() {
    return this.gone;
  }
  send(name, text) {
    if (this.gone) throw new TypeError("Object has been destroyed");
    tell({ is: "sent", name, text });
  }
  reload() {
    tell({ is: "reload" });
  }
  setWindowOpenHandler(decide) {
    this.opens = decide;
  }
}

let window;
export class BrowserWindow extends EventEmitter {
  webContents = new Contents();

  constructor(options) {
    super();
    window = this;
    tell({ is: "window", preferences: options.webPreferences });
  }
  async loadURL(url) {
    this.webContents.mainFrame.url = url;
    tell({ is: "load", url });
  }
}

export const ipcMain = new EventEmitter();
export const session = { defaultSession: { setPermissionRequestHandler: (ask) => ask(undefined, "media", (permitted) => tell({ is: "permission", permitted })) } };
export const shell = { openExternal: (url) => tell({ is: "external", url }) };
export const dialog = { showMessageBoxSync: (_, { buttons, message }) => (tell({ is: "dialog", message }), buttons.indexOf(process.env.PRESSED)) };
export const app = Object.assign(new EventEmitter(), {
  whenReady: async () => {},
  requestSingleInstanceLock: () => true,
  getPath: () => process.env.USER_DATA,
  quit: () => process.exit(),
  exit: () => process.exit(),
});

/** What the test says that a window, a page or a person does. */
const happens = {
  ipc({ text, frame = "main", url = window.webContents.mainFrame.url }) {
    const { mainFrame } = window.webContents;
    const senderFrame = { main: Object.assign(mainFrame, { url }), other: { url }, none: null }[frame];
    ipcMain.emit("ask-user", { senderFrame }, text);
    mainFrame.url = process.env.PAGE;
  },
  close() {
    window.webContents.gone = true;
    window.emit("closed");
    // Without windows and without a listener, Electron quits.
    setTimeout(() => process.exit(), 50);
  },
  crash: () => window.webContents.emit("render-process-gone"),
  leave: () => told("left", "will-prevent-unload"),
  navigate: () => told("stayed", "will-navigate"),
  open: ({ url }) => tell({ is: "opened", ...window.webContents.opens({ url }) }),
};
function told(is, event) {
  let prevented = false;
  window.webContents.emit(event, { preventDefault: () => (prevented = true) });
  tell({ is, prevented });
}
process.on("message", ({ does, ...detail }) => happens[does](detail));
process.on("disconnect", () => process.exit());
