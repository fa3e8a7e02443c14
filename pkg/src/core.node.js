// The headless package for Node: reads the wasm that lies beside it.
import { readFileSync } from "node:fs";
import * as raw from "../build/core/ask_user_core.js";
import { bind } from "./core.js";

raw.initSync({ module: readFileSync(new URL("ask_user_core_bg.wasm", import.meta.url)) });

export const { open, resume, toolDefinition, toolDefinitions, dialects, mendRecords, recordsMarkdown } = bind(raw);
export { RejectionError, RefusalError, UnresumableError } from "./core.js";
