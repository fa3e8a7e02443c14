// The gallery's states: every kind of prompt in every state that a person can meet, as data. The page `gallery-page.js` shows them, and tests import them.

const LABEL = "Deploy agent";
const one = (question) => ({ questions: [{ id: "q", ...question }] });
const elicit = (message, properties, required = Object.keys(properties)) => ({ message, requestedSchema: { type: "object", properties, required } });
const approve = (...calls) => ({
  actionRequests: calls.map(([name, args]) => ({ name, args })),
  reviewConfigs: calls.map(([name, , allowed = ["approve", "edit", "reject"]]) => ({ actionName: name, allowedDecisions: allowed })),
});
const never = () => new Promise(() => {});

const DELETE = { text: "Delete the 14 merged branches?", answer_type: "boolean" };
const CONTEXT = "All of them are merged into main and older than 30 days:\nfeature/login, feature/search and 12 more.";
const ENVIRONMENT = {
  text: "Which environment should I deploy to?",
  answer_type: "select",
  options: [
    { value: "staging", label: "Staging", description: "A copy of last night's data" },
    { value: "production", label: "Production", description: "Takes about four minutes; 1.2 million rows" },
    { value: "preview", label: "Preview", description: "A place of its own for this branch" },
  ],
};
const LAYOUT = {
  questions: [
    {
      question: "Which layout should the settings page have?",
      header: "Layout",
      options: [
        { label: "Sidebar", description: "Navigation on the left", preview: "┌─────┬──────────────┐\n│ nav │ Settings     │\n│     │ ┌──────────┐ │\n│     │ │ Profile  │ │\n└─────┴─┴──────────┴─┘" },
        { label: "Top bar", description: "Navigation above the page", preview: "┌────────────────────┐\n│ nav                │\n├────────────────────┤\n│ Settings           │\n└────────────────────┘" },
      ],
    },
  ],
};
const TESTS = {
  questions: [
    {
      question: "Which failing tests should I fix now?",
      header: "Tests",
      multiSelect: true,
      options: [{ label: "auth.spec", description: "Fails since yesterday" }, { label: "db.spec", description: "Needs a new fixture" }, { label: "upload.spec", description: "Flaky, one in five runs" }],
    },
  ],
};
const PACKAGES = Array.from({ length: 214 }, (_, place) => `${["core", "form", "http", "queue", "store", "text"][place % 6]}-${String(place + 1).padStart(3, "0")}`);
const SERVICE = {
  type: "object",
  properties: {
    host: { type: "string", title: "Host", minLength: 1, description: "Without a port" },
    port: { type: "integer", title: "Port", minimum: 1, maximum: 65535 },
    mode: { type: "string", title: "Mode", enum: ["single", "cluster"] },
    tls: { type: "boolean", title: "Encrypted" },
  },
  required: ["host", "port"],
  additionalProperties: false,
};
const USERS = {
  type: "array",
  minItems: 1,
  items: {
    type: "object",
    properties: { name: { type: "string", minLength: 1 }, role: { enum: ["admin", "user"] }, email: { type: "string", format: "email" } },
    required: ["name", "role"],
  },
};
const BOOKING = elicit(
  "To book the room, I need to know a little more.",
  {
    name: { type: "string", title: "Full name", description: "As on your badge" },
    email: { type: "string", title: "Email", format: "email" },
    seats: { type: "integer", title: "Seats", minimum: 1, maximum: 8 },
    class: { type: "string", title: "Class", enum: ["economy", "business"], enumNames: ["Economy", "Business"] },
    newsletter: { type: "boolean", title: "Newsletter" },
  },
  ["name", "email", "seats"],
);
const DROP = { text: "Drop the column users.legacy_id?", context: "Two reports read it.", answer_type: "boolean", danger: true };
const BRANCH = {
  text: "What should happen to the branch?",
  answer_type: "select",
  options: [
    { value: "keep", label: "Keep it", description: "It stays as it is", recommended: true },
    { value: "archive", label: "Archive it" },
    { value: "delete", label: "Delete it", description: "With its 14 commits, which are nowhere else", danger: true },
  ],
};
/** Several questions for one page; whether the third is asked depends on the second. */
const named = (label, description = "") => ({ label, description });
const SETUP = {
  questions: [
    { header: "Library", question: "Which library should dates use?", multiSelect: false, options: [named("Day.js", "2 kB, the interface of Moment"), named("Temporal", "Built in, not everywhere yet")] },
    { header: "Auth", question: "How should people sign in?", multiSelect: false, options: [named("OAuth", "Google and GitHub"), named("Passkeys", "No passwords at all")] },
    { header: "Features", question: "Which features?", multiSelect: true, options: [named("Search"), named("Export"), named("Import")] },
  ],
};
const TRIP = {
  questions: [
    { id: "name", text: "Who travels?", answer_type: "text", context: "As in the passport." },
    { id: "train", text: "By train?", answer_type: "boolean" },
    { id: "seat", text: "Which seat?", answer_type: "select", options: ["Window", "Aisle"], when: { question_id: "train", equals: true } },
    { id: "meals", text: "Which meals?", answer_type: "multi_select", options: ["Lunch", "Dinner"] },
    { id: "bags", text: "How many bags?", answer_type: "number" },
  ],
};
const MAIL = { to: "ada@example.com", subject: "Release 2.0", text: "It is out.\nThank you all.", retries: 2 };
const CHANGE = { path: "src/config.rs", old_string: "pub fn timeout() -> Duration {\n    Duration::from_secs(5)\n}", new_string: "pub fn timeout() -> Duration {\n    Duration::from_secs(30)\n}" };
const RELEASE = {
  questions: [
    { id: "environment", ...ENVIRONMENT },
    { id: "replicas", text: "How many replicas?", answer_type: "number" },
    { id: "token", text: "Which token may I use?", answer_type: "secret" },
  ],
};
const URL_MODE = { mode: "url", message: "Connect your calendar, so that I can see when you are free.", elicitationId: "1" };
const LONG = "The migration rewrites every row of the table users, adds the column last_seen, and drops the index that the old report needs. ".repeat(6).trim();

/** Answers the three questions of `RELEASE`. */
const release = async (person) => {
  await person.click("#option-0");
  await person.click("[type=submit]");
  await person.type("[data-type=number] [data-field]", "3");
  await person.click("[type=submit]");
  await person.type("[data-type=secret] [data-field]", "s3cret");
  await person.click("[type=submit]");
};
const yes = (person) => person.click("[data-answer=yes]");
const send = (person) => person.click("[type=submit]");
const typed = (text) => (person) => person.type("[data-field]", text);
const refused = (text) => async (person) => {
  await typed(text)(person);
  await send(person);
};
/** A host whose question comes by an event: it is due until another event says otherwise. */
const heard = { attributes: { "events-url": "events" }, events: [{ type: "awaiting_user_response", tool_call_id: "call_1", request: one({ ...DELETE, context: CONTEXT }) }] };
const advised = { host: { target: { escalation: true }, assistant: () => ({ answer: false, reason: "There is no backup from today.", model: "small-reviewer" }) } };

/**
 * Each state has a `name`; a `request`, unless an event brings it; `options`, if any: `host` (the property), `attributes`, `requests`, `events` (that the
 * element hears when its stream opens), `withheld` (`form`: the form's module never arrives, or `failed`: it cannot be fetched); `act`, if any, which does what leads to the state, as `person.click(selector)`,
 * `person.type(selector, text)`, `person.hear(event)`, `person.cut()` and `person.sees(selector)` in the form; and `until`, a selector of what is there in the end.
 */
export const STATES = [
  { name: "yes or no", request: one(DELETE) },
  { name: "yes or no, with context", request: one({ ...DELETE, context: CONTEXT }) },
  { name: "yes or no, suggested", request: one({ ...DELETE, default: true }) },
  { name: "yes or no, not to be remembered", request: { question: "Delete the 14 merged branches?", context: CONTEXT, answer_type: "boolean" } },
  { name: "yes or no, an assistant's advice", request: one({ text: "Run the migration on production?", answer_type: "boolean" }), options: advised, until: ".advice" },
  { name: "an assistant is asked", request: one({ text: "Run the migration on production?", answer_type: "boolean" }), options: { host: { target: "assistant", assistant: never } }, until: "[data-consulting]" },
  { name: "yes or no, what can't be undone", request: one(DROP) },
  { name: "yes or no, to confirm", request: one(DROP), act: yes, until: "[data-confirm]" },
  { name: "the agent has gone on", request: one({ text: "Which colour should the chart have?", answer_type: "select", options: ["Blue", "Green"] }), options: { host: { blocking: false } } },
  { name: "the agent has gone on, a page", request: { questions: TRIP.questions.slice(0, 2) }, options: { host: { blocking: false, layout: "page" } } },
  { name: "nobody says who asks", request: one(DELETE), options: { attributes: { label: null } } },

  { name: "one of several", request: one(ENVIRONMENT) },
  { name: "one of several, chosen", request: one(ENVIRONMENT), act: (person) => person.click("#option-1") },
  { name: "one of several, suggested", request: one({ ...ENVIRONMENT, default: "staging" }) },
  { name: "one of several, none chosen", request: one(ENVIRONMENT), act: send, until: ".error" },
  { name: "one of several, recommended and dangerous", request: one(BRANCH) },
  { name: "one of several, dangerous and chosen", request: one(BRANCH), act: (person) => person.click("#option-2") },
  { name: "one of several, to confirm", request: one(BRANCH), act: async (person) => ((await person.click("#option-2")), send(person)), until: "[data-confirm]" },
  { name: "Other, closed", request: { questions: [{ question: "Where should the filters go?", header: "Filters", options: [{ label: "Sidebar", description: "Always in view" }, { label: "Above", description: "Leaves the table its width" }] }] } },
  {
    name: "Other, open",
    request: { questions: [{ question: "Where should the filters go?", header: "Filters", options: [{ label: "Sidebar" }, { label: "Above" }] }] },
    act: async (person) => {
      await person.click("[data-other]");
      await person.type("#other", "In a drawer that opens from the right");
    },
  },
  { name: "previews and a note", request: LAYOUT, act: (person) => person.click("#option-0") },
  { name: "long options", request: one({ text: "Which plan?", answer_type: "select", options: [LONG, { value: "short", label: "The short one", description: LONG }] }) },
  { name: "many options", request: one({ text: "Which package should I release?", answer_type: "select", options: PACKAGES }) },
  { name: "many options, filtered", request: one({ text: "Which package should I release?", answer_type: "select", options: PACKAGES.slice(0, 60), default: "http-003" }), act: (person) => person.type("#filter", "QUEUE"), until: ".found [role=status]:not(:empty)" },
  { name: "many options, several filtered", request: one({ text: "Which packages should I release?", answer_type: "multi_select", options: PACKAGES.slice(0, 60), default: ["http-003", "queue-016"] }), act: (person) => person.type("#filter", "queue"), until: ".found [role=status]:not(:empty)" },
  { name: "many options, none matches", request: one({ text: "Which package should I release?", answer_type: "select", options: PACKAGES.slice(0, 60) }), act: (person) => person.type("#filter", "kernel"), until: ".found [role=status]:not(:empty)" },
  { name: "ten thousand options", request: one({ text: "Which of the build's logs should I read?", answer_type: "multi_select", options: Array.from({ length: 10_000 }, (_, place) => ({ value: place, label: `Log ${place + 1}`, ...(place % 4 ? {} : { description: "Has warnings" }) })), default: [2] }) },
  { name: "an optional choice", request: elicit("A few words about the release.", { size: { type: "string", title: "Which size?", enum: ["small", "large"] } }, []) },

  { name: "any of several", request: TESTS },
  {
    name: "any of several, chosen",
    request: TESTS,
    act: async (person) => {
      await person.click("#option-0");
      await person.click("#option-2");
    },
  },
  { name: "any of several, within limits", request: elicit("To book the room, I need to know a little more.", { extras: { type: "array", title: "What should be there?", minItems: 1, maxItems: 2, items: { anyOf: [{ const: "screen", title: "A screen" }, { const: "board", title: "A whiteboard" }, { const: "coffee", title: "Coffee" }] } } }), act: send, until: ".error" },

  { name: "text", request: one({ text: "What should the commit message say?", answer_type: "text" }) },
  { name: "text, suggested", request: one({ text: "What should the commit message say?", answer_type: "text", default: "fix: handle empty input" }) },
  { name: "text, an example", request: one({ text: "When should it run?", context: "As a line of cron.", answer_type: "text", placeholder: "0 3 * * *" }) },
  { name: "text, what can't be undone", request: one({ text: "Which database should I drop?", answer_type: "text", placeholder: "staging_old", danger: true }) },
  { name: "text, many lines", request: one({ text: "What should the release notes say?", answer_type: "text", default: "Handles empty input.\n\nNames the file that cannot be read.\nNo longer loses what was typed." }) },
  { name: "text, optional", request: elicit("A few words about the release.", { note: { type: "string", title: "Anything else?", maxLength: 200 } }, []) },
  { name: "text, too long", request: elicit("A few words about the release.", { title: { type: "string", title: "Its name", maxLength: 12 } }), act: refused("The release before the last"), until: ".error" },
  { name: "email", request: elicit("To book the room, I need to know a little more.", { email: { type: "string", title: "Where should the confirmation go?", format: "email" } }), act: refused("ada at example.com"), until: ".error" },
  { name: "date", request: elicit("To book the room, I need to know a little more.", { day: { type: "string", title: "On which day?", format: "date", default: "2026-11-24" } }) },
  { name: "date and time", request: elicit("To book the room, I need to know a little more.", { at: { type: "string", title: "From when?", format: "date-time" } }) },
  { name: "address", request: elicit("To read the page, I need its address.", { page: { type: "string", title: "Which page?", format: "uri" } }) },
  { name: "number", request: one({ text: "How many replicas?", answer_type: "number", default: 3 }) },
  { name: "number, refused", request: elicit("To book the room, I need to know a little more.", { seats: { type: "integer", title: "How many seats?", minimum: 1, maximum: 8 } }), act: refused("2.5"), until: ".error" },
  { name: "secret", request: one({ text: "Which token may I use to read the issue tracker?", context: "The model gets the word [redacted] in its place.", answer_type: "secret" }), act: typed("s3cret") },

  { name: "an address to open", request: { ...URL_MODE, url: "https://calendar.example.com/oauth/authorize?client_id=assistant&scope=free-busy" } },
  { name: "an address to open, http", request: { ...URL_MODE, url: "http://localhost:8931/authorize" } },
  { name: "an address to open, Punycode", request: { ...URL_MODE, url: "https://xn--exmple-4nf.com/authorize" } },

  { name: "an object", request: one({ text: "With which configuration?", answer_type: "schema", schema: SERVICE, default: { host: "cache.example.com", port: 6379, mode: "single", tls: true } }), until: ".properties" },
  { name: "an object, refused", request: one({ text: "With which configuration?", answer_type: "schema", schema: SERVICE }), until: ".properties", act: async (person) => ((await person.sees(".properties")), send(person), person.sees(".error:not(:empty)")) },
  { name: "nested JSON", request: one({ text: "Which test users should I create?", answer_type: "schema", schema: USERS, default: [{ name: "Ada", role: "admin", email: "ada@example.com" }] }), until: ".cm-content" },
  { name: "nested JSON, refused", request: one({ text: "Which test users should I create?", answer_type: "schema", schema: USERS }), act: async (person) => ((await person.sees(".cm-content")), send(person), person.sees(".problems li")), until: ".cm-content" },

  { name: "a server's form, first page", request: BOOKING, options: { attributes: { label: "Travel server" } } },
  { name: "a page", request: TRIP, options: { host: { layout: "page" } }, act: (person) => person.click("[id='yes.2']"), until: "[data-on-page=seat]" },
  { name: "a page, what is wrong", request: TRIP, options: { host: { layout: "page" } }, act: send, until: ".wrong" },
  { name: "a page, to confirm", request: { questions: [{ id: "drop", ...DROP }, { id: "branch", ...BRANCH }, { id: "note", text: "A note for the log?", answer_type: "text", optional: true }] }, options: { host: { layout: "page" } }, act: async (person) => ((await person.click("[id='yes.1']")), (await person.click("[id='option-2.2']")), send(person)), until: "[data-confirm]" },
  { name: "tabs", request: SETUP, options: { host: { label: "Claude Code" } }, act: async (person) => ((await person.click("[id='option-0.1']")), send(person)), until: "[role=tabpanel]:not([data-away]) [data-on-page=q2]" },
  { name: "tabs, an answer is missing", request: SETUP, options: { host: { label: "Claude Code" } }, act: async (person) => ((await person.click("[id='option-0.1']")), (await send(person)), (await person.click("[data-skip]")), (await person.click("[id='option-1.3']")), send(person)), until: "[data-missing]" },
  { name: "a server's message alone", request: { message: "May I go on with the booking?", requestedSchema: { type: "object", properties: {} } }, options: { attributes: { label: "Travel server" } } },
  { name: "second question", request: { questions: [{ id: "go", ...DELETE }, { id: "environment", ...ENVIRONMENT }, { id: "note", text: "Anything else?", answer_type: "text" }] }, options: { host: { layout: "steps" } }, act: yes, until: "[data-way=back]" },
  { name: "check your answers", request: RELEASE, options: { host: { layout: "steps", review: true } }, act: release, until: "[data-review]" },
  { name: "several requests are due", options: { requests: [{ toolCallId: "a", request: one(DELETE) }, { toolCallId: "b", request: one(ENVIRONMENT) }] } },

  { name: "reply", request: one({ ...DELETE, context: CONTEXT }), act: async (person) => ((await person.click("[data-way=reply]")), person.type("#reply", "Keep the two of last week.")) },
  { name: "end turn", request: one({ ...DELETE, context: CONTEXT }), act: (person) => person.click("[data-way=end-turn]") },

  { name: "one tool call", request: approve(["send_email", MAIL]) },
  { name: "a risky tool call", request: approve(["bash", { command: "git branch --merged | xargs git branch -D" }, ["approve", "edit", "reject"]]), options: { host: { label: "Cleanup agent", risks: [{ text: "Deletes 14 branches, of which 2 are not merged.", action: "Delete 14 branches" }] } } },
  { name: "a change of a file", request: approve(["edit_file", CHANGE, ["approve", "reject"]]) },
  { name: "a tool call to edit", request: approve(["send_email", MAIL]), act: (person) => person.click("[data-decision=edit]"), until: ".cm-content, .properties" },
  { name: "a tool call to reject", request: approve(["edit_file", CHANGE]), act: async (person) => ((await person.click("[data-decision=reject]")), person.type("[data-words]", "Half a minute is too long.")) },
  { name: "several tool calls", request: approve(["send_email", MAIL], ["edit_file", CHANGE], ["drop_table", { table: "users" }, ["approve", "reject"]]), options: { host: { approveAll: true } } },
  { name: "several tool calls, not all decided", request: approve(["send_email", MAIL], ["drop_table", { table: "users" }, ["approve", "reject"]]), act: async (person) => ((await person.click("[data-approval=q1] [data-decision=approve]")), send(person)), until: ".error" },

  { name: "answered", request: RELEASE, options: { host: { layout: "steps" } }, act: release, until: "[data-ends]" },
  { name: "answered, one question", request: one(DELETE), act: yes, until: "[data-ends]" },
  { name: "answered, JSON", request: one({ text: "With which configuration?", answer_type: "schema", schema: SERVICE, default: { host: "cache.example.com", port: 6379 } }), act: async (person) => ((await person.sees(".properties")), send(person)), until: "[data-ends]" },
  { name: "answered, tool calls", request: approve(["send_email", MAIL], ["edit_file", CHANGE]), act: async (person) => ((await person.click("[data-approval=q1] [data-decision=approve]")), (await person.click("[data-approval=q2] [data-decision=reject]")), send(person)), until: "[data-ends]" },
  { name: "replied", request: one(DELETE), act: async (person) => ((await person.click("[data-way=reply]")), (await person.type("#reply", "Keep the two of last week.")), person.click("[data-send-reply]")), until: "[data-ends]" },
  { name: "ended the turn", request: one(DELETE), act: async (person) => ((await person.click("[data-way=end-turn]")), person.click("[data-end-turn]")), until: "[data-ends]" },
  { name: "not put to anybody", request: one(DELETE), options: { host: { attached: false } }, until: "[data-ends]" },

  { name: "can be undone", request: one(DELETE), options: { host: { undo: 60 } }, act: yes, until: "[data-undo]" },
  { name: "sending", request: one(DELETE), options: { host: { deliver: never } }, act: yes, until: "[data-delivery=sending]" },
  { name: "retrying", request: one(DELETE), options: { attributes: { "respond-url": "respond" }, host: { fetch: async () => new Response("", { status: 503, headers: { "Retry-After": "60" } }) } }, act: yes, until: "[data-delivery=retrying]" },
  { name: "failed", request: one(DELETE), options: { host: { deliver: async () => { throw new Error("This conversation has ended."); } } }, act: yes, until: "[data-delivery=failed]" },
  { name: "failed, signed out", request: one(DELETE), options: { attributes: { "respond-url": "respond" }, host: { fetch: async () => new Response("", { status: 401 }) } }, act: yes, until: "[data-delivery=failed]" },
  { name: "sent", request: one(DELETE), options: { host: { deliver: async () => {} } }, act: yes, until: "[data-delivery=sent]" },
  { name: "offline", options: heard, act: async (person) => ((await person.sees("[data-question]")), person.cut()), until: "[data-offline]" },
  { name: "closed", options: heard, act: async (person) => ((await person.sees("[data-question]")), person.hear({ type: "idle", closed: { tool_call_id: "call_1", how: "overtaken" } })), until: "[data-closed]" },
  {
    name: "closed while somebody typed",
    options: { ...heard, host: { layout: "steps" }, events: [{ type: "awaiting_user_response", tool_call_id: "call_1", request: { questions: [{ id: "go", ...DELETE }, { id: "why", text: "Why?", answer_type: "text" }] } }] },
    act: async (person) => ((await yes(person)), (await person.type("[data-field]", "They are all merged.")), person.hear({ type: "idle", closed: { tool_call_id: "call_1", how: "answered" } })),
    until: "[data-closed]",
  },
  { name: "rejected", request: { questions: [{ id: "a", text: "First?", answer_type: "choice" }] }, until: ".notice" },
  { name: "answers that could not be restored", request: one(DELETE), options: { walk: { version: 1 } }, until: ".notice" },
  { name: "loading", request: one(DELETE), options: { withheld: "form" }, until: ".notice" },
  { name: "could not be loaded", request: one(DELETE), options: { withheld: "failed" }, until: ".notice" },

  { name: "a long question", request: one({ text: LONG, context: LONG, answer_type: "boolean" }) },
  { name: "a long word", request: one({ text: `Delete ${"very".repeat(40)}-long-name?`, context: `/home/${"folder/".repeat(20)}file`, answer_type: "select", options: ["x".repeat(120), "no"] }) },
  { name: "hidden characters", request: one({ text: "Pay ada\u200b@example.com\u202e?", answer_type: "boolean" }) },
  { name: "a text from right to left", request: one({ text: "לאיזו סביבה לפרוס?", context: "ההעתקה נמשכת כארבע דקות.", answer_type: "select", options: [{ value: "a", label: "בדיקות", description: "עותק של הנתונים מאתמול" }, { value: "b", label: "ייצור" }] }), options: { attributes: { label: "סוכן הפריסה" } } },
  { name: "Arabic with Latin words", request: one({ text: "هل أحذف الفرع feature/login من main؟", answer_type: "boolean" }), options: { attributes: { label: "وكيل النشر" } } },
];

/** What a state's element is given: the label is the gallery's own where the state has none. */
export const attributesOf = ({ options: { attributes = {} } = {} }) => ({ label: LABEL, ...attributes });
