// What was granted beyond one call, and who keeps it. The inbox keeps no rule itself: a grant is a part of an answer, which the agent gets.

/**
 * @import { AuditRecord, Decision, Dialect, Grant, Json } from "../../types/core.js"
 */

/**
 * A grant that holds longer than once.
 * @typedef {{ decision: "approve" | "reject", scope: Grant["scope"], shown: string, rule: Json }} Granted
 */

/**
 * Who keeps a grant, and where.
 * @typedef {{ by: string, place: string }} Keeper
 */

/**
 * The grants in the records of an answer that hold longer than once: `{ decision, scope, shown, rule }`, as the agent offered them.
 * @type {(records: AuditRecord[]) => Granted[]}
 */
export const grantsIn = (records) =>
  records.flatMap((/** @type {{ type: string, outcome?: string, answer?: any }} */ { type, outcome, answer }) => {
    const { type: decision, grant } = (type === "inquiry_response" && outcome === "answered" && answer) || {};
    return grant && grant.scope !== "once" ? [{ decision, scope: grant.scope, shown: grant.shown, rule: grant.rule }] : [];
  });

/**
 * Who keeps a grant, and where, by the dialect of its question: each with `by` and `place`, as `TEXTS.grants.kept` has a sentence for them.
 * @param {{ scope: Grant["scope"], rule: any }} grant
 * @param {Dialect | undefined} dialect
 * @returns {Keeper[]}
 */
export function keepersOf({ scope, rule }, dialect) {
  if (dialect === "claude") {
    const places = Array.isArray(rule) ? rule.map((one) => (CLAUDE.includes(one?.destination) ? one.destination : "other")) : ["other"];
    return [...new Set(places)].map((place) => ({ by: "claude", place }));
  }
  if (dialect === "codex") return [{ by: "codex", place: scope === "session" ? "session" : rule?.acceptWithExecpolicyAmendment ? "rules" : "other" }];
  if (dialect === "opencode") return [{ by: "opencode", place: scope === "session" ? "session" : "other" }];
  return [{ by: "program", place: scope === "session" ? "session" : "other" }];
}

/** Where Claude Code keeps what it suggests, as far as the inbox knows these places. */
const CLAUDE = ["session", "localSettings", "projectSettings", "userSettings"];
