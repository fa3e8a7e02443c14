// An agent without a model, for the playground: a script plays a migration, with questions, the approval of a tool call, and a secret. What it says next follows from the
// transcript alone, so it goes on after a restart.

/** How long the script thinks, in milliseconds. */
const PACE = 400;

/** What `createHost` needs to know of the agent: its name, what it says, and its tools. `ask` is that of `ask-user/host`. */
export const agentWith = (/** @type {any} */ ask) => ({
  label: "Migration agent",
  async agent(/** @type {{ messages: any, signal: any }} */ { messages, signal }) {
    await pause(signal);
    return next(messages);
  },
  tools: {
    read_migration: async (/** @type {any} */ _, /** @type {{ signal: any }} */ { signal }) => {
      await pause(signal);
      return { table: "users", adds: "last_seen", rows: 1200000 };
    },
    run_migration: {
      run: (/** @type {any} */ input) =>
        ask({
          actionRequests: [{ name: "run_migration", args: input, description: "Adds users.last_seen, and fills it in." }],
          reviewConfigs: [{ actionName: "run_migration", allowedDecisions: ["approve", "edit", "reject"] }],
        }),
      answered(/** @type {{ ends: any, result: any, reply: any }} */ { ends, result, reply }, /** @type {{ input: any }} */ { input }) {
        const decision = ends === "completed" ? result.decisions[0] : undefined;
        if (decision?.type === "approve") return { ran: true, ...input };
        if (decision?.type === "edit") return { ran: true, ...decision.editedAction.args };
        return { ran: false, reason: decision?.message ?? reply ?? null };
      },
    },
    announce: {
      run: () => ask({ questions: [{ id: "token", text: "Which token may I use to post in #deploys?", context: "Only this tool gets it; the agent does not.", answer_type: "secret" }] }),
      // The token stays here: a real tool would use it now.
      answered: (/** @type {{ ends: any, secrets: any }} */ { ends, secrets }) => ({ posted: ends === "completed" && Boolean(secrets?.token) }),
    },
  },
});

/** Waits as a model would, unless the person stops it. */
const pause = (/** @type {any} */ signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PACE);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });

/** What the agent says after this transcript. */
function next(/** @type {any} */ messages) {
  const calls = messages.flatMap((/** @type {{ calls?: any }} */ { calls = [] }) => calls);
  const say = (/** @type {any} */ text, /** @type {string | undefined} */ name = undefined, input = {}) => ({ text, calls: name ? [{ id: `call_${calls.length + 1}`, name, input }] : [] });
  const turn = messages.slice(messages.findLastIndex((/** @type {{ role: string }} */ { role }) => role === "user"));
  const last = turn.at(-1);
  if (last.role !== "tool") return say("I read the migration first.", "read_migration");
  const { name } = calls.find((/** @type {{ id: string }} */ { id }) => id === last.callId);
  const { content } = last;
  if (name === "read_migration") return say("It adds a column to users, and fills it in for 1.2 million rows. You decide:", "ask_user", questions());
  if (name === "ask_user") return afterQuestions(turn, last, say);
  if (name === "run_migration" && content.ran) return say("The migration has run. I post it for the others.", "announce");
  if (name === "run_migration") return say("The migration has not run. The database is as it was.");
  if (name === "announce" && content.posted) return say("Done: migrated, and posted in #deploys.");
  return say("Done: migrated. I have posted nothing.");
}

function afterQuestions(/** @type {any} */ turn, /** @type {{ content: any, isError: any }} */ { content, isError }, /** @type {any} */ say) {
  // Beside a "no", the host tells what it means.
  const result = content?.result ?? content;
  if (isError || result?.cancelled) {
    const times = turn.flatMap((/** @type {{ calls?: any }} */ { calls = [] }) => calls).filter((/** @type {{ name: any }} */ { name }) => name === "ask_user").length;
    if (times > 1) return say("I leave it for now. Tell me when to go on.");
    return say(`You said: ${result?.reply ?? "nothing"}. I ask again, with what you had answered:`, "ask_user", questions(result?.answered));
  }
  if (!result.apply) return say("I leave the database as it is.");
  return say("I ask for the go-ahead before I run it.", "run_migration", { environment: result.environment, batch: 10000 });
}

/** The questions, with what was answered before as defaults. */
function questions(/** @type {{ [id: string]: any }} */ answered = {}) {
  const all = [
    { id: "apply", text: "Apply the migration to the users table?", context: "The table stays readable while it runs.", answer_type: "boolean" },
    {
      id: "environment",
      text: "Which environment?",
      answer_type: "select",
      options: [{ value: "staging", description: "A copy of last night's data" }, { value: "production", description: "Takes about four minutes" }],
      when: { question_id: "apply", equals: true },
    },
    { id: "reason", text: "What should change before you would apply it?", answer_type: "text", when: { question_id: "apply", equals: false } },
  ];
  return { questions: all.map((question) => (answered[question.id] == null ? question : { ...question, default: answered[question.id] })) };
}
