// The headless package where the host says when its wasm is loaded, and from where.
import init, * as raw from "../build/core/ask_user_core.js";
import { bind } from "./core.js";
import { RefusalError, RejectionError, UnexpectedEventError, UnreadableStateError, UnresumableError } from "./core/errors.js";

/** @import { WasmSource } from "../types/ask-user.js" */

const core = { ...bind(raw), RejectionError, RefusalError, UnresumableError, UnexpectedEventError, UnreadableStateError };

/**
 * Loads the module, by default from the file that lies beside this one; the first call that succeeds decides.
 * @param {WasmSource} source
 */
export async function load(source = new URL("core.wasm", import.meta.url)) {
  await init({ module_or_path: source });
  return core;
}
