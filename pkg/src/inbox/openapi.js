// The addresses for programs as an OpenAPI document (3.1), served at /openapi.json.

/** @type {(description: string, more?: object) => object} */
const string = (description, more = {}) => ({ type: "string", description, ...more });
/** @type {(name: string) => object} */
const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
/** @type {(description: string, name: string) => object} */
const json = (description, name) => ({ description, content: { "application/json": { schema: ref(name) } } });
/** @type {(description: string) => object} */
const refused = (description) => json(description, "Error");

const ID = { name: "id", in: "path", required: true, description: "The id of the question.", schema: { type: "string" } };
/** @type {(name: string, description: string) => object} */
const header = (name, description) => ({ name, in: "header", required: true, description, schema: { type: "string" } });
const COMMON = { 401: refused("`wrong_token`"), 403: refused("`not_this_host`: the request names another host, or comes from a page of another origin"), 503: refused("The inbox begins, or its store has failed. Send the request again") };
const ONE = { ...COMMON, 404: refused("`no_question`") };

/**
 * The document. `version` is that of the package, and `limits` has how long a request waits at most, in seconds.
 * @type {(given: { version: string, limits: { wait: number } }) => object}
 */
export const openapi = ({ version, limits }) => ({
  openapi: "3.1.0",
  info: { title: "ask-user inbox", version, description: "Asks the person in the inbox of `npx ask-user`, and gets the answer." },
  security: [{ token: [] }],
  paths: {
    "/questions": {
      post: {
        operationId: "ask",
        summary: "Ask a question",
        requestBody: { required: true, content: { "application/json": { schema: ref("Ask") } } },
        responses: {
          ...COMMON,
          200: json("The same question was asked under this id before", "Question"),
          201: json("The question waits for the person", "Question"),
          400: refused("`unreadable`: the body is not JSON"),
          409: refused("`other_question`: another question was asked under this id"),
          413: refused("`too_large`"),
          415: refused("`content_type`"),
          422: refused("`bad_request`, or `rejected`: the request is not a form. `tool_result` is for the model"),
          429: refused("`too_many` questions are open"),
        },
      },
      get: {
        operationId: "list",
        summary: "List the questions of an owner that are open, or whose answers were not taken",
        parameters: [{ name: "owner", in: "query", required: true, description: "The owner that the questions were asked with.", schema: { type: "string" } }],
        responses: { ...COMMON, 200: json("The questions, the oldest first", "Questions"), 422: refused("`bad_request`") },
      },
    },
    "/questions/{id}": {
      get: {
        operationId: "answer",
        summary: "Get the answer to a question",
        parameters: [ID, { name: "wait", in: "query", description: "For how many seconds the response waits for the end of the question. Default: 0.", schema: { type: "number", minimum: 0, maximum: limits.wait } }],
        responses: { ...ONE, 200: json("Where the question stands", "Question"), 422: refused("`bad_request`") },
      },
      delete: {
        operationId: "drop",
        summary: "Close a question that is open. Of one that is closed, say that its answer was taken: it is not listed any more",
        parameters: [ID, { name: "if", in: "query", description: "With `open`, a question that is closed stays listed: its answer was not taken.", schema: { const: "open" } }],
        responses: { ...ONE, 200: json("Where the question stands", "Question"), 422: refused("`bad_request`") },
      },
    },
    "/receipts/{id}": {
      get: {
        operationId: "receipt",
        summary: "Get the signed receipt of a question that is closed",
        parameters: [ID],
        responses: { ...ONE, 200: json("The receipt", "Receipt"), 409: refused("`open`: the question has no receipt yet") },
      },
    },
    "/receipts/{id}/shown": {
      get: {
        operationId: "shown",
        summary: "Get what was shown of a question that is closed: the text whose hash is `shown_sha256`",
        parameters: [ID],
        responses: { ...ONE, 200: { description: "The audit records of what was asked, as canonical JSON", content: { "application/json": { schema: { type: "array", items: { type: "object" } } } } }, 409: refused("`open`: the question has no receipt yet") },
      },
    },
  },
  webhooks: {
    closed: {
      post: {
        operationId: "closed",
        summary: "The question is closed",
        description: "Signed as Standard Webhooks says, with the secret of the file webhook.json in the data folder. Called again for a day until a status of 2xx says that the program has the result, or 410 that it wants none.",
        security: [],
        parameters: [
          header("webhook-id", "Names the message: the same each time it is sent."),
          header("webhook-timestamp", "When it was sent, in seconds since the beginning of 1970."),
          header("webhook-signature", "`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, in Base64."),
        ],
        requestBody: { required: true, content: { "application/json": { schema: ref("Closed") } } },
        responses: { "2XX": { description: "The program has the result, as after `DELETE /questions/{id}`" }, 410: { description: "The program wants no result" } },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer", description: "`ask` of the file tokens.json in the data folder." } },
    schemas: {
      Ask: {
        type: "object",
        required: ["request"],
        additionalProperties: false,
        properties: {
          request: { description: "What to ask: a request in any dialect, or its JSON text." },
          dialect: string("Default: detected."),
          id: string("A text that nobody can guess: the same id with the same request is the same question. Default: made by the inbox.", { pattern: "^[\\w-]{16,64}$" }),
          who: string("Who asks, as the person reads it.", { minLength: 1, maxLength: 1_000 }),
          folder: string("In which folder.", { minLength: 1, maxLength: 1_000 }),
          approval: { type: "boolean", description: "Whether an answer lets the agent do something. With `--local-approvals`, other machines cannot answer it. Default: what the request says." },
          owner: string("A text that nobody else can guess, to list questions by.", { minLength: 1, maxLength: 1_000 }),
          webhook: string("An address that is called with the result once the question is closed: see `webhooks`. Any of http or https, also on this machine. Redirects are not followed.", { format: "uri", maxLength: 2_000 }),
          expires_in: { type: "number", description: "After how many seconds the question is closed without an answer.", exclusiveMinimum: 0, maximum: 366 * 86_400 },
        },
      },
      Question: {
        type: "object",
        required: ["id", "state"],
        additionalProperties: false,
        properties: {
          id: string("The id of the question."),
          state: { enum: ["open", "answered", "replied", "turn_ended", "expired", "closed", "failed"] },
          result: { description: "The agent's result, where there is one." },
          result_text: string("The same as JSON text, in which numbers have every digit."),
          reply: string("What the person wrote in place of an answer."),
          explanation: string("What to tell the model beside the result."),
          secrets: { type: "object", description: "What was entered in secret questions, by their ids.", additionalProperties: { type: "string" } },
          question: string("In lists: the first line of the question."),
          asked_at: string("In lists: when it was asked.", { format: "date-time" }),
          approval: { type: "boolean", description: "In lists: whether an answer lets the agent do something, or could." },
          given: { const: true, description: "In lists: that the answer was written to a client of MCP over HTTP. It may not have read it." },
        },
      },
      Closed: {
        type: "object",
        required: ["type", "timestamp", "data"],
        additionalProperties: false,
        properties: {
          type: { enum: ["answered", "replied", "turn_ended", "expired", "closed", "failed"].map((state) => `question.${state}`) },
          timestamp: string("When the inbox noted that the question was closed (UTC).", { format: "date-time" }),
          data: { description: "Where the question stands, without `secrets`.", ...ref("Question") },
        },
      },
      Receipt: {
        type: "object",
        required: ["ask_user_receipt", "question", "text", "asked_at", "closed_at", "state", "shown_sha256", "answers", "grants", "key", "signature"],
        additionalProperties: false,
        properties: {
          ask_user_receipt: { const: 1, description: "The version of receipts." },
          question: string("The id of the question."),
          who: string("Who asked."),
          folder: string("In which folder."),
          text: string("The first line of the question."),
          asked_at: string("When it was asked (UTC).", { format: "date-time" }),
          closed_at: string("When the inbox noted that it was closed (UTC).", { format: "date-time" }),
          state: { enum: ["answered", "replied", "turn_ended", "expired", "closed", "failed"] },
          device: {
            type: "object",
            description: "The browser that has sent the answer, where the inbox knows it.",
            required: ["name"],
            additionalProperties: false,
            properties: { id: string("What the inbox calls it."), name: string("What it says of itself."), is_shared: { const: true, description: "It has its address from the list for other devices, or came through a proxy." } },
          },
          shown_sha256: string("SHA-256 of what was shown: see `/receipts/{id}/shown`.", { pattern: "^[0-9a-f]{64}$" }),
          result_sha256: string("SHA-256 of `result_text` of the question, in UTF-8. Secrets are not in that.", { pattern: "^[0-9a-f]{64}$" }),
          answers: {
            type: "array",
            description: "What was asked and answered, for people to read: texts of at most 300 characters.",
            items: {
              type: "object",
              required: ["text", "outcome"],
              additionalProperties: false,
              properties: { text: string("The question."), outcome: { enum: ["answered", "cancelled", "redacted"], description: "`redacted`: a secret, which is not here." }, answer: string("The answer."), note: string("What the person wrote beside it.") },
            },
          },
          grants: {
            type: "array",
            description: "What was granted beyond one call.",
            items: {
              type: "object",
              required: ["decision", "scope", "shown", "rule"],
              additionalProperties: false,
              properties: { decision: { enum: ["approve", "reject"] }, scope: { enum: ["session", "always"] }, shown: string("The sentence that the person read."), rule: { description: "What the agent keeps, as it offered it." } },
            },
          },
          key: string("The public key of the inbox: the 32 bytes of Ed25519.", { pattern: "^[0-9a-f]{64}$" }),
          signature: string("The Ed25519 signature of everything else, as canonical JSON (RFC 8785).", { pattern: "^[0-9a-f]{128}$" }),
        },
      },
      Questions: { type: "object", required: ["questions"], additionalProperties: false, properties: { questions: { type: "array", items: ref("Question") } } },
      Error: {
        type: "object",
        required: ["error", "message"],
        properties: { error: string("The code."), message: string("What is wrong."), tool_result: { description: "With `rejected`: every problem, for the model." } },
      },
    },
  },
});
