// The headless package where the host says when its wasm is loaded, and from where.
import type * as Core from "./core.js";
import type { WasmSource } from "./ask-user.js";

export type * from "./core.js";

/**
 * Loads the wasm, by default from the file that lies beside the script, and gives all that `ask-user/core` exports. Later calls give the
 * same; fails where the wasm cannot be had, and may then be called again.
 */
export function load(source?: WasmSource): Promise<Pick<typeof Core,
  | "open" | "openStream" | "resume" | "toolDefinition" | "toolDefinitions" | "dialects" | "detectDialect" | "registerDialect" | "permission" | "mendRecords" | "readRecords" | "recordsMarkdown"
  | "Conversation" | "Desk" | "RejectionError" | "RefusalError" | "UnresumableError" | "UnexpectedEventError" | "UnreadableStateError">>;
