// The host for JavaScript where the application says from where the headless package's wasm is loaded: workers.
import { load as loadCore } from "./core.load.js";
import { bindHost } from "./hosting/hosting.js";

/** @import { WasmSource } from "../types/ask-user.js" */

/**
 * Loads the module, and gives what `ask-user/host` exports.
 * @type {(source?: WasmSource) => Promise<ReturnType<typeof bindHost>>}
 */
export const load = async (source) => bindHost(await loadCore(source));
