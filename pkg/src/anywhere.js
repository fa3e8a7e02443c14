// The form's bindings for a page whose policy may let no wasm run: in wasm where it may, else as a script, which is slower.
import init, { mount as inWasm, registerDialect as registerInWasm } from "../build/web/ask_user_web.js";
import { once } from "./demand.js";

/** Puts a form on the page. */
export let mount = inWasm;
/** Declares a dialect for the forms of the page. */
export let registerDialect = registerInWasm;

/**
 * Loads the form.
 * @type {(...given: Parameters<typeof init>) => Promise<WebAssembly.Exports | void>}
 */
export default async (options) => {
  if (await wasm()) return init(options);
  const [bindings, module] = await Promise.all([import("../build/script/ask_user_script_bg.js"), import("../build/script/ask_user_script_bg.wasm.js")]);
  bindings.__wbg_set_wasm(module);
  ({ mount, registerDialect } = bindings);
};

/** Whether the page can run wasm, and may: it tries the smallest module there is. WebKit compiles it in any case. */
export const wasm = once(async () => {
  try {
    await WebAssembly.instantiate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    return true;
  } catch {
    return false;
  }
});
