// The headless package for Node: reads the wasm that lies beside it.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as raw from "../build/core/ask_user_core.js";
import { bind } from "./core.js";

// Not by `new URL(…)`: where a server's code is bundled, that may be an address for browsers.
raw.initSync({ module: readFileSync(join(dirname(fileURLToPath(import.meta.url)), "core.wasm")) });

export const { open, openStream, resume, toolDefinition, toolDefinitions, dialects, detectDialect, registerDialect, permission, mendRecords, readRecords, recordsMarkdown, Conversation, Desk } = bind(raw);
export { RejectionError, RefusalError, UnresumableError, UnexpectedEventError, UnreadableStateError } from "./core/errors.js";
