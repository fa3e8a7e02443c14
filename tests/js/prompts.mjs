// Every kind of prompt: a request, and what a person presses to answer it by the keyboard alone.

const SCHEMA = { type: "object", properties: { port: { type: "integer" } }, required: ["port"] };
const LIST = { type: "array", items: { type: "integer" } };

/** The answer types of the dialect `ask_user`: the question, the keys, the answer. */
export const PROMPTS = {
  boolean: [{ answer_type: "boolean", default: true }, ["y"], true],
  select: [{ answer_type: "select", options: [{ value: "a", description: "The first", preview: "a a a" }, "b"] }, ["2", "Enter"], "b"],
  multi_select: [{ answer_type: "multi_select", options: ["a", "b", "c"] }, ["3", "1", "Enter"], ["a", "c"]],
  text: [{ answer_type: "text", default: "x" }, ["End", "y", "Shift+Enter", "z", "Enter"], "xy\nz"],
  number: [{ answer_type: "number" }, ["4", "2", "Enter"], 42],
  secret: [{ answer_type: "secret" }, ["p", "w", "Enter"], "[redacted]"],
  schema: [{ answer_type: "schema", schema: LIST, default: [1] }, ["Control+Enter"], [1]],
  "flat schema": [{ answer_type: "schema", schema: SCHEMA, default: { port: 1 } }, ["End", "2", "Enter"], { port: 12 }],
};

/**
 * A request of the dialect `ask_user` with questions of these types: `q0`, `q1`, …
 * @param {string[]} types
 */
export const questions = (...types) => ({
  questions: types.map((type, place) => ({ id: `q${place}`, text: `Question ${place}?`, context: "Because.", ...(/** @type {{ [type: string]: any }} */ (PROMPTS)[type][0]) })),
});

/** @type {(...labels: string[]) => object[]} */
const options = (...labels) => labels.map((label) => ({ label, description: `What ${label} means` }));
/** @type {(question: object) => object} */
const labelled = (question) => ({ questions: [{ question: "First?", header: "First", options: options("a", "b") }, { question: "Second?", header: "Second", ...question }] });
const elicit = (/** @type {object} */ property, required = ["name"]) => ({
  message: "Tell us about yourself.",
  requestedSchema: { type: "object", properties: { agree: { type: "boolean" }, name: property }, required: ["agree", ...required] },
});
/** @type {(name: unknown) => object} */
const accept = (name) => ({ action: "accept", content: { agree: true, name } });
/** On the page that shows all answers: its button has the focus. */
const SEND = ["Enter"];

const EMAIL = { to: "ada@example.com", subject: "Release", text: "It is out.\nThank you all.", retries: 2, "reply-to": "" };
const CHANGE = { path: "src/main.rs", old_string: "fn main() {\n    run();\n}", new_string: "fn main() {\n    run()?;\n}" };

/** What comes after the form itself. */
const LATER = { schema: ".properties", "flat schema": ".properties" };

/**
 * By name: `request`, the keys to the prompt from the form's first question (`first`), the keys that answer it (`keys`), and the
 * `result`; `later`, what the prompt waits for. A request of one question has no `first`.
 */
export const CASES = {
  ...Object.fromEntries(
    Object.entries(PROMPTS).map(([type, [, keys, answer]]) => [
      type,
      { request: questions("boolean", type), first: ["n"], keys, result: { q0: false, q1: answer }, later: /** @type {{ [type: string]: any }} */ (LATER)[type] },
    ]),
  ),
  "a choice with \"Other\"": {
    request: labelled({ options: options("Grid", "List") }),
    first: ["1", "Enter"],
    keys: ["3", "C", "o", "l", "Enter"],
    result: { answers: { "First?": "a", "Second?": "Col" } },
  },
  "several of a choice, with \"Other\"": {
    request: labelled({ options: options("Grid", "List"), multiSelect: true }),
    first: ["1", "Enter"],
    keys: ["2", "3", "C", "o", "l", "Enter"],
    result: { answers: { "First?": "a", "Second?": "List, Col" } },
  },
  "a choice with previews and a note": {
    request: labelled({ options: [{ label: "Grid", preview: "[][]" }, { label: "List", preview: "---\n---" }] }),
    first: ["1", "Enter"],
    keys: ["2", "Tab", "Tab", "Enter", "Tab", "w", "h", "y", "Control+Enter"],
    result: { answers: { "First?": "a", "Second?": "List" }, annotations: { "Second?": { preview: "---\n---", notes: "why" } } },
  },
  "an optional text": {
    request: elicit({ type: "string", title: "Your name", description: "As on your badge", maxLength: 20 }, []),
    first: ["y"],
    keys: ["A", "d", "a", "Control+Enter", ...SEND],
    result: accept("Ada"),
  },
  "an optional choice that is left empty": {
    request: elicit({ type: "string", enum: ["a", "b"] }, []),
    first: ["y"],
    keys: ["Tab", "Tab", "Enter", ...SEND],
    result: { action: "accept", content: { agree: true } },
  },
  "an address for mail": {
    request: elicit({ type: "string", format: "email" }),
    first: ["y"],
    keys: [..."a@b.de", "Control+Enter", ...SEND],
    result: accept("a@b.de"),
  },
  "a whole number within limits": {
    request: elicit({ type: "integer", minimum: 1, maximum: 9 }),
    first: ["y"],
    keys: ["4", "Enter", ...SEND],
    result: accept(4),
  },
  "several of a choice, at least one": {
    request: elicit({ type: "array", minItems: 1, items: { anyOf: [{ const: 1, title: "One" }, { const: 2, title: "Two" }] } }),
    first: ["y"],
    keys: ["2", "Enter", ...SEND],
    result: accept([2]),
  },
  "consent to a URL": {
    request: { mode: "url", message: "Sign in at our site.", url: "http://localhost:1/sign-in", elicitationId: "1" },
    keys: ["Tab", "Enter", "Tab", "Enter"],
    opens: true,
    result: { action: "accept" },
  },
  "consent to nothing more than a message": {
    request: { message: "May we go on?", requestedSchema: { type: "object", properties: {} } },
    keys: ["Tab", "Enter"],
    result: { action: "accept", content: {} },
  },
  "a tool call to approve": {
    request: { actionRequests: [{ name: "send_email", args: EMAIL }], reviewConfigs: [{ actionName: "send_email", allowedDecisions: ["approve", "edit", "reject"] }] },
    keys: ["Tab", "Tab", "Enter"],
    result: { decisions: [{ type: "approve" }] },
  },
  "a tool call to reject": {
    request: { actionRequests: [{ name: "edit_file", args: CHANGE }], reviewConfigs: [{ actionName: "edit_file", allowedDecisions: ["approve", "reject"] }] },
    keys: ["Tab", "Tab", "Tab", "Enter", "N", "o", "Tab", "Enter"],
    result: { decisions: [{ type: "reject", message: "No" }] },
  },
  "several tool calls to approve": {
    request: {
      actionRequests: [{ name: "send_email", args: { to: "ada@example.com" } }, { name: "edit_file", args: CHANGE }],
      reviewConfigs: [
        { actionName: "send_email", allowedDecisions: ["approve", "edit", "reject"] },
        { actionName: "edit_file", allowedDecisions: ["approve", "reject"] },
      ],
    },
    keys: ["Tab", "Space", "Tab", "Tab", "Space", "ArrowRight", "Tab", "w", "h", "y", "Tab", "Enter"],
    result: { decisions: [{ type: "approve" }, { type: "reject", message: "why" }] },
  },
  "a yes or no by tool arguments": {
    request: { action: "delete the branch", details: "It is merged.", default: false },
    keys: ["y"],
    result: true,
  },
};
