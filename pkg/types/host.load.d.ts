// The host for JavaScript where the application says from where the headless package's wasm is loaded.
import type * as Host from "./host.js";
import type { WasmSource } from "./ask-user.js";

export type * from "./host.js";

/** Loads the wasm, by default from the file that lies beside the script, and gives all that `ask-user/host` exports. */
export function load(source?: WasmSource): Promise<Pick<typeof Host, "createHost" | "createInbox" | "ask" | "memory" | "AgentError" | "OtherQuestionError" | "QuestionClosedError">>;
