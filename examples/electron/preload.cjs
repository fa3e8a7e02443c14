// Between the page and the main process: two functions over texts, and nothing else of Electron reaches the page.
const { contextBridge, ipcRenderer } = require("electron");

const NAME = "ask-user";

contextBridge.exposeInMainWorld("host", {
  /** @param {string} text */
  post: (text) => ipcRenderer.send(NAME, String(text)),
  /** @param {(text: string) => void} heard */
  listen: (heard) => {
    /** @param {unknown} _event @param {string} text */
    const on = (_event, text) => heard(text);
    ipcRenderer.on(NAME, on);
    return () => void ipcRenderer.off(NAME, on);
  },
});
