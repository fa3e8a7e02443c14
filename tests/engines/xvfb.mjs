// A screen that nobody sees, for programs that want one.
import { spawn } from "node:child_process";

/** Starts Xvfb on a display that is free. Gives the environment of programs on it, WebKitGTK among them, and `close()`. */
export async function screen() {
  const xvfb = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const display = await new Promise((resolve, reject) => {
    xvfb.once("error", reject);
    xvfb.stdio[3].once("data", (text) => resolve(String(text).trim()));
  });
  // Where tests run there is neither a sandbox of user namespaces nor a graphics card.
  const webkit = { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1" };
  return { env: { ...process.env, ...webkit, DISPLAY: `:${display}`, GDK_BACKEND: "x11" }, close: () => xvfb.kill() };
}
