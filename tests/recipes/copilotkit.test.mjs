// The recipe for CopilotKit.
import { asks } from "./asks.mjs";

asks("copilotkit", {
  logs: {
    failure: /^\[CopilotKit\] Error \(agent_run_error_event\)/,
    stopped: /^\[CopilotKit\] Error \(tool_handler_failed\): Error: Human-in-the-loop interaction aborted/,
    noJson: /^\[CopilotKit\] Error \(tool_argument_parse_failed\)/,
  },
});
