// The host for JavaScript where there is Node's file system: Node, Deno and Bun.
import * as core from "./core.node.js";
import { bindHost } from "./hosting/hosting.js";

export const { createHost, createInbox, ask, memory, AgentError, OtherQuestionError, QuestionClosedError } = bindHost(core);
