// The headless package for browsers and bundlers: fetches the wasm that lies beside it.
import init, * as raw from "../build/core/ask_user_core.js";
import { bind } from "./core.js";

await init({ module_or_path: new URL("ask_user_core_bg.wasm", import.meta.url) });

export const { open, resume, toolDefinition, toolDefinitions, dialects, mendRecords, recordsMarkdown } = bind(raw);
export { RejectionError, RefusalError, UnresumableError } from "./core.js";
