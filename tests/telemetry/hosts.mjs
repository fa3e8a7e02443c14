// Agent hosts that export to a collector at once, for the tests beside this file, and what a person does there.
import { resume } from "../../pkg/dist/core.node.js";
import { AgentHost } from "../js/agent-host.mjs";

/** The variables with which everything is exported at once. */
export const exporting = (collector, more = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: "50",
  OTEL_METRIC_EXPORT_INTERVAL: "100",
  ...more,
});

/** Runs a test with a host, and ends it. */
export async function within(settings, run) {
  const host = await AgentHost.start({ options: ["--log", "json", ...(settings.options ?? [])], ...settings.settings, environment: settings.environment });
  try {
    return await run(host);
  } finally {
    await host.close();
  }
}

/** The lines of the log. */
export const lines = (host) => host.log.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));

/** Waits until a question is open whose call is none of these, and gives its state. */
export async function asked(host, id, before = []) {
  for (let tries = 0; tries < 100; tries += 1) {
    const [, state] = (await host.events(id)).findLast(([kind]) => kind === "state_change") ?? [];
    if (state?.type === "awaiting_user_response" && !before.includes(state.tool_call_id)) return state;
  }
  throw new Error(`nothing is asked:\n${host.log}`);
}

/** Waits until the agent is done. */
export async function idle(host, id) {
  for (let tries = 0; tries < 100; tries += 1) {
    const [, state] = (await host.events(id)).findLast(([kind]) => kind === "state_change") ?? [];
    if (state?.type === "idle") return;
  }
  throw new Error(`the agent is not done:\n${host.log}`);
}

/** The form of a state, as a page has it. */
export const formed = (state) => resume(state.request, state.walk, { ...state.options, tool_call_id: undefined, toolCallId: state.tool_call_id, dialect: state.dialect });

export const answer = (host, id, answers, headers) => host.ask("POST", `/conversations/${id}/respond`, { answers }, headers);

/** Sends what came of a form. */
export const send = (host, id, state, walk, key) =>
  host.ask("POST", `/conversations/${id}/respond`, { tool_call_id: state.tool_call_id, ...walk.response }, { "Idempotency-Key": key });
