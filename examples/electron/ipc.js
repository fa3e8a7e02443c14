// The channel's transport over Electron's IPC, at the side of the main process.

/** The name of the IPC channel, as in preload.cjs. */
const NAME = "ask-user";

/**
 * Texts to and from the page at `address` in these contents. What another page or frame sends is not heard.
 *
 * @param {Pick<import("electron").IpcMain, "on" | "off">} ipcMain
 * @param {Pick<import("electron").WebContents, "send" | "mainFrame" | "isDestroyed">} contents
 * @param {string} address
 * @returns {import("ask-user/channel").Transport}
 */
export function overIpc(ipcMain, contents, address) {
  return {
    // A window may be closed while an answer is stored.
    post: (text) => void (contents.isDestroyed() || contents.send(NAME, text)),
    listen(heard) {
      /** @param {Pick<import("electron").IpcMainEvent, "senderFrame">} event @param {string} text */
      const on = ({ senderFrame }, text) => {
        if (!contents.isDestroyed() && senderFrame && senderFrame === contents.mainFrame && senderFrame.url === address) heard(text);
      };
      ipcMain.on(NAME, on);
      return () => void ipcMain.off(NAME, on);
    },
  };
}
