// The requests that the playground starts from, by the names that its addresses have for them: every answer type, branching, and how other agents ask.

export const EXAMPLES = {
  migration: {
    name: "A migration, with conditions",
    request: {
      questions: [
        {
          id: "apply",
          text: "Apply the migration to the users table?",
          context: "It adds the column last_seen and backfills 1.2 million rows.\nThe table stays readable while it runs.",
          answer_type: "boolean",
        },
        {
          id: "environment",
          text: "Which environment?",
          answer_type: "select",
          options: [
            { value: "staging", description: "A copy of last night's data" },
            { value: "production", description: "Takes about four minutes" },
          ],
          when: { question_id: "apply", equals: true },
        },
        {
          id: "reason",
          text: "What should change before you would apply it?",
          answer_type: "text",
          when: { question_id: "apply", equals: false },
        },
      ],
    },
  },
  boolean: {
    name: "One question",
    request: { question: "Delete the 14 merged branches?", answer_type: "boolean" },
  },
  select: {
    name: "Single choice",
    request: {
      question: "Which region should the bucket be in?",
      answer_type: "select",
      options: ["eu-central-1", "eu-west-3", "us-east-1", "ap-southeast-2"],
      default: "eu-central-1",
    },
  },
  previews: {
    name: "Single choice with previews",
    request: {
      questions: [
        {
          id: "layout",
          header: "Layout",
          text: "How should the dashboard be laid out?",
          answer_type: "select",
          options: [
            { value: "columns", label: "Two columns", description: "Charts beside the table", preview: "┌────────┬────────┐\n│ charts │ table  │\n└────────┴────────┘" },
            { value: "rows", label: "Two rows", description: "Charts above the table", preview: "┌─────────────────┐\n│ charts          │\n├─────────────────┤\n│ table           │\n└─────────────────┘" },
          ],
        },
      ],
    },
  },
  "multi-select": {
    name: "Multiple choice",
    request: {
      questions: [
        { id: "checks", text: "Which checks should run on every pull request?", answer_type: "multi_select", options: ["format", "lint", "unit tests", "end-to-end tests", "licences"], default: ["format", "lint", "unit tests"] },
      ],
    },
  },
  text: {
    name: "Text and number",
    request: {
      questions: [
        { id: "name", text: "What should the service be called?", answer_type: "text", default: "billing-worker" },
        { id: "replicas", text: "How many replicas?", answer_type: "number", default: 2 },
      ],
    },
  },
  secret: {
    name: "A secret",
    request: {
      questions: [
        { id: "token", text: "Which token may I use to read the issue tracker?", context: "Only the host gets it. The model gets [redacted].", answer_type: "secret" },
        { id: "keep", text: "Keep it for the next run?", answer_type: "boolean" },
      ],
    },
  },
  schema: {
    name: "JSON with a schema",
    request: {
      questions: [
        { id: "cache", text: "Put a cache before the API?", answer_type: "boolean" },
        {
          id: "config",
          text: "With which configuration?",
          answer_type: "schema",
          schema: {
            type: "object",
            properties: {
              host: { type: "string", minLength: 1 },
              port: { type: "integer", minimum: 1, maximum: 65535, default: 6379 },
              tags: { type: "array", items: { type: "string" }, uniqueItems: true },
            },
            required: ["host", "port"],
            additionalProperties: false,
          },
          when: { question_id: "cache", equals: true },
        },
      ],
    },
  },
  approval: {
    name: "LangChain: approving tool calls",
    request: {
      action_requests: [
        { name: "run_migration", args: { environment: "production", batch: 10000 }, description: "Adds users.last_seen and fills it in." },
        { name: "announce", args: { channel: "#deploys", text: "The column users.last_seen is there." } },
      ],
      review_configs: [
        { action_name: "run_migration", allowed_decisions: ["approve", "edit", "reject"] },
        { action_name: "announce", allowed_decisions: ["approve", "edit", "reject"] },
      ],
    },
  },
  claude: {
    name: "Claude: choices with previews and notes",
    request: {
      questions: [
        {
          question: "Where should the filters of the table go?",
          header: "Filters",
          options: [
            { label: "Sidebar", description: "Always in view", preview: "┌───────┬────────────┐\n│ ☐ new │ id   state │\n│ ☐ old │ 1    new   │\n└───────┴────────────┘" },
            { label: "Above", description: "Leaves the table its width", preview: "┌────────────────────┐\n│ [new ▾] [any age ▾]│\n├────────────────────┤\n│ id      state      │\n└────────────────────┘" },
          ],
        },
        {
          question: "Which columns can be sorted?",
          header: "Sorting",
          multiSelect: true,
          options: [{ label: "Name" }, { label: "Created", description: "Newest first at the start" }, { label: "State" }],
        },
      ],
    },
  },
  mcp: {
    name: "Model Context Protocol: a form",
    request: {
      method: "elicitation/create",
      params: {
        message: "To book the room, I need to know a little more.",
        requestedSchema: {
          type: "object",
          properties: {
            email: { type: "string", title: "Where should the confirmation go?", format: "email" },
            day: { type: "string", title: "On which day?", format: "date" },
            people: { type: "integer", title: "How many people?", minimum: 1, maximum: 12, default: 4 },
            extras: { type: "array", title: "What should be there?", items: { anyOf: [{ const: "screen", title: "A screen" }, { const: "board", title: "A whiteboard" }, { const: "coffee", title: "Coffee" }] } },
            note: { type: "string", title: "Anything else?", maxLength: 200 },
          },
          required: ["email", "day", "people"],
        },
      },
    },
  },
  "mcp-url": {
    name: "Model Context Protocol: a URL to open",
    request: {
      mode: "url",
      message: "Connect your calendar, so that I can see when you are free.",
      url: "https://calendar.example.com/oauth/authorize?client_id=assistant&scope=free-busy",
      elicitationId: "550e8400",
    },
  },
  langgraph: {
    name: "LangGraph: a confirmation",
    request: {
      type: "confirm_action",
      question: "Confirm: send the invitation to 240 people",
      options: ["Yes, proceed", "No, cancel"],
      descriptions: ["It cannot be called back.", null],
      default: 1,
    },
  },
  codex: {
    name: "Codex: questions with ids",
    request: {
      questions: [
        { id: "scope", header: "Scope", question: "How much should I rewrite?", options: [{ label: "The module", description: "About 300 lines" }, { label: "The function" }], isOther: true },
        { id: "key", header: "Key", question: "Which key signs the release?", options: null, isSecret: true },
      ],
    },
  },
  invalid: {
    name: "An invalid request",
    request: {
      questions: [
        { id: "a", text: "First?", answer_type: "choice" },
        { id: "a", text: "Second?", answer_type: "select", when: { question_id: "later", equals: true } },
      ],
    },
  },
};
