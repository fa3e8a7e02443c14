// What was granted beyond one call, and who keeps it. The inbox keeps no rule itself: a grant is a part of an answer, which the agent gets.

/** The grants in the records of an answer that hold longer than once: `{ decision, scope, shown, rule }`, as the agent offered them. */
export const grantsIn = (records) =>
  records.flatMap(({ type, outcome, answer }) => {
    const { type: decision, grant } = (type === "inquiry_response" && outcome === "answered" && answer) || {};
    return grant && grant.scope !== "once" ? [{ decision, scope: grant.scope, shown: grant.shown, rule: grant.rule }] : [];
  });

/** Who keeps a grant, and where, by the dialect of its question: each with `by` and `place`, as `TEXTS.grants.kept` has a sentence for them. */
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
